// render/relief.c: heights of water and bed, made ready for rays.
//
// A cell that is dry says nothing of the water beside it: its surface is the bed. So that the shore
// is where the water's level meets the ground, the level is carried on horizontally from wet cells
// into dry ones and left below the ground there: the deeper the farther from the water, so that wet
// ground beside a film ends in no step. Both heights are then evaluated as uniform cubic
// B-splines (which leave planes as they are) on corners that lie up to eight to a cell, and rays
// meet the bilinear patches between those. The two splines have the same positive weights: where
// water is below the bed in all cells around, it is so between them, too.
#include "render/cache.h"
#include "render/rows.h"
#include "render/surface.h"

#include <stdlib.h>
#include <string.h>

static const float film = 1e-3f;   // cells of depth: what is less counts as dry
static const float sunken = 0.02f; // cells: how far below dry ground the water is drawn
static const float deeper = 0.2f;  // cells: more with each cell away from it
static const int fine_most = 8, corners_aim = 512;

// SUNK: water that is carried on below ground that lies lower than it.
enum { RINGS = 4, SUNK = 64 };

// Cells of the grid, without gaps. False: one is not finite.
static bool take(const gyre_field_view *view, float *to)
{
    float sum = 0.0f;

    for (int j = 0; j < view->n[1]; j++) {
        const float *row = view->data + j * view->stride[1];

        for (int i = 0; i < view->n[0]; i++) {
            sum += row[i] * 0.0f;
            *to++ = row[i];
        }
    }
    return sum == 0.0f;
}

// The mean level of the neighbours that were reached in an earlier round, and how far, in cells,
// water is to be below ground that lies lower than it; false: there is none.
static bool level_beside(const int n[2], const float *water, const float *bed, const uint8_t *ring,
                         float h, int i, int j, float *level, float *sunk)
{
    ptrdiff_t at = i + (ptrdiff_t)j * n[0];
    float sum = 0.0f, below = 0.5f, weights = 0.0f;
    bool reached = false;

    for (int b = j > 0 ? -1 : 0; b <= (j + 1 < n[1] ? 1 : 0); b++) {
        for (int a = i > 0 ? -1 : 0; a <= (i + 1 < n[0] ? 1 : 0); a++) {
            ptrdiff_t beside = at + a + (ptrdiff_t)b * n[0];
            float weight = a == 0 || b == 0 ? 2.0f : 1.0f;

            if ((ring[beside] & ~SUNK) >= (ring[at] & ~SUNK))
                continue;
            float from = ring[beside] == 0 ? sunken - deeper : (bed[beside] - water[beside]) / h;

            reached = true;
            below = fminf(below, from + deeper * (weight == 2.0f ? 1.0f : 1.4142f));
            if ((ring[beside] & SUNK) == 0) {
                sum += weight * water[beside];
                weights += weight;
            }
        }
    }
    // What is only below the ground beside it has no level.
    *level = weights > 0.0f ? sum / weights : 3e38f;
    *sunk = below;
    return reached;
}

// Carries the water's level on into dry cells.
static void carry_on(const int n[2], float h, const float *bed, float *water, uint8_t *ring)
{
    size_t count = (size_t)n[0] * (size_t)n[1], dry = 0;

    for (size_t c = 0; c < count; c++) {
        ring[c] = water[c] - bed[c] > film * h ? 0 : RINGS;
        dry += ring[c] != 0;
    }
    for (int round = 1; round < RINGS && dry > 0; round++) {
        for (int j = 0; j < n[1]; j++) {
            for (int i = 0; i < n[0]; i++) {
                size_t c = (size_t)i + (size_t)j * (size_t)n[0];
                float level, sunk;

                if (ring[c] != RINGS)
                    continue;
                ring[c] = (uint8_t)round;
                if (!level_beside(n, water, bed, ring, h, i, j, &level, &sunk)) {
                    ring[c] = RINGS;
                    continue;
                }
                // Where the ground lies lower than the water beside it, the water ends on it.
                water[c] = level <= bed[c] ? level : bed[c] - sunk * h;
                ring[c] |= level <= bed[c] ? 0 : SUNK;
            }
        }
    }
    for (size_t c = 0; c < count; c++)
        water[c] = ring[c] == RINGS ? bed[c] - 0.5f * h : water[c];
}

static void spline(float t, float weight[4])
{
    float s = 1.0f - t;

    weight[0] = s * s * s / 6.0f;
    weight[1] = 2.0f / 3.0f - 0.5f * t * t * (2.0f - t);
    weight[3] = t * t * t / 6.0f;
    weight[2] = 1.0f - weight[0] - weight[1] - weight[3];
}

// The cell at or before corner `c` and the four weights of the corner.
static int taps(int c, int fine, float weight[4])
{
    float at = (float)c / (float)fine - 0.5f;
    float base = floorf(at);

    spline(at - base, weight);
    return (int)base;
}

// Taps of all corners along both axes; one row of cells is the same everywhere.
static bool make_taps(gy_relief_job *job)
{
    const gy_relief *r = job->relief;

    for (int a = 0; a < 2; a++) {
        size_t count = (size_t)r->n[a] + 1 + 8;

        job->tap[a] = calloc(count, sizeof *job->tap[a]);
        job->weight[a] = calloc(4 * count, sizeof *job->weight[a]);
        if (job->tap[a] == NULL || job->weight[a] == NULL)
            return false;
        for (int c = 0; c <= r->n[a]; c++) {
            float *weight = job->weight[a] + 4 * (ptrdiff_t)c;

            if (job->n[a] == 1)
                spline(0.0f, weight);
            else
                job->tap[a][c] = taps(c, r->fine, weight);
        }
    }
    job->least = malloc(((size_t)r->n[1] + 1) * sizeof *job->least);
    return job->least != NULL;
}

static void free_taps(gy_relief_job *job)
{
    for (int a = 0; a < 2; a++) {
        free(job->tap[a]);
        free(job->weight[a]);
    }
    free(job->least);
}

// The highest corners of a row of blocks, from the level below.
static void block_row(void *argument, int j)
{
    gy_relief_job *job = argument;
    gy_relief *r = job->relief;
    int l = job->level, wide = r->blocks[l][0];

    for (int layer = 0; layer < GY_LAYERS; layer++) {
        const float *from = r->most[layer][l - 1];
        ptrdiff_t row = r->blocks[l - 1][0];
        int end[2];

        for (int i = 0; i < wide; i++) {
            float most = -GY_NEVER;

            for (int a = 0; a < 2; a++) {
                int last = r->blocks[l - 1][a] - 1, own = 8 * (a == 0 ? i : j) + 7;

                end[a] = own < last ? own : last;
            }
            for (int b = 8 * j; b <= end[1]; b++) {
                for (int a = 8 * i; a <= end[0]; a++)
                    most = fmaxf(most, from[a + b * row]);
            }
            r->most[layer][l][i + j * wide] = most;
        }
    }
}

static gyre_result reserve(gy_relief *r)
{
    // Rows are worked on in eights.
    size_t corners = (size_t)r->row * (size_t)(r->n[1] + 1) + 16;
    bool full = true;

    for (int l = 0, size = 1; l < GY_LEVELS; l++, size *= 8) {
        for (int a = 0; a < 2; a++)
            r->blocks[l][a] = (r->n[a] + size - 1) / size;
    }
    r->top = gy_take(r->kept, corners, sizeof(float));
    full = full && r->top != NULL;
    for (int layer = 0; layer < GY_LAYERS; layer++) {
        r->height[layer] = gy_take(r->kept, corners, sizeof(float));
        full = full && r->height[layer] != NULL;
        r->steep[layer] = malloc((size_t)r->blocks[1][0] * (size_t)r->blocks[1][1] * sizeof(float));
        full = full && r->steep[layer] != NULL;
        for (int l = 1; l < GY_LEVELS; l++) {
            size_t blocks = (size_t)r->blocks[l][0] * (size_t)r->blocks[l][1];

            r->most[layer][l] = malloc(blocks * sizeof(float));
            full = full && r->most[layer][l] != NULL;
        }
    }
    return full ? GYRE_OK : gyre_fail(GYRE_ERROR_MEMORY, "no memory for a picture of water");
}

static void measure(gyre_device *device, gy_relief_job *job)
{
    gy_relief *r = job->relief;
    const gy_drawers *rows = gy_drawers_of(device);

    gyre_device_parallel_for(device, r->n[1] + 1, rows->relief_row, job);
    gyre_device_parallel_for(device, r->blocks[1][1], rows->relief_blocks, job);
    for (job->level = 2; job->level < GY_LEVELS; job->level++)
        gyre_device_parallel_for(device, r->blocks[job->level][1], block_row, job);
    r->low = GY_NEVER;
    for (int j = 0; j <= r->n[1]; j++)
        r->low = fminf(r->low, job->least[j]);
    r->high = fmaxf(r->most[GY_WATER][GY_LEVELS - 1][0], r->most[GY_BED][GY_LEVELS - 1][0]);
    float longest = (float)(r->n[0] > r->n[1] ? r->n[0] : r->n[1]);

    r->base = r->low - 0.04f * longest;
    r->level = r->most[GY_BED][GY_LEVELS - 1][0] - r->low <= 1e-4f;
}

// Ground that lies as in the picture before looks as it did.
static void find_bed(gy_relief *r, const int n[2], float h, const float *bed)
{
    float head[GY_CACHE_HEAD] = {(float)n[0], (float)n[1], h};
    size_t size = (size_t)n[0] * (size_t)n[1] * sizeof *bed;

    r->same_bed = gy_cache_find(r->kept, GY_CACHE_BED, head, bed, size);
    if (r->same_bed == NULL)
        gy_cache_add(r->kept, GY_CACHE_BED, head, bed, size);
}

gyre_result gy_relief_build(gyre_device *device, const gyre_render_input *input, gy_relief *relief)
{
    const gyre_grid *grid = input->grid;
    int n[2] = {grid->n[0], grid->n[1]}, longest = n[0] > n[1] ? n[0] : n[1];
    size_t count = (size_t)n[0] * (size_t)n[1];
    float *cells = gy_take(input->memory, count * GY_LAYERS + 8, sizeof *cells);
    uint8_t *ring = gy_take(input->memory, count, 1);
    int fine = corners_aim / longest;

    *relief = (gy_relief){.kept = input->memory,
                          .fine = fine < 1           ? 1
                                  : fine > fine_most ? fine_most
                                                     : fine};
    relief->unit = grid->h / (float)relief->fine;
    for (int a = 0; a < 2; a++) {
        relief->n[a] = n[a] * relief->fine;
        relief->corner[a] = grid->origin[a];
    }
    if (n[1] == 1) { // one row of cells is shown as a broader channel
        int wide = relief->n[0] / 8 > relief->fine ? relief->n[0] / 8 : relief->fine;

        relief->corner[1] += 0.5f * (grid->h - (float)wide * relief->unit);
        relief->n[1] = wide;
    }
    relief->row = (relief->n[0] + 8) / 8 * 8;
    gyre_result result = reserve(relief);

    if (cells == NULL || ring == NULL)
        result = gyre_fail(GYRE_ERROR_MEMORY, "no memory for a picture of water");
    if (result == GYRE_OK && !take(input->surface, cells))
        result = gyre_fail(GYRE_ERROR_ARGUMENT, "render: surface: a height that is not finite");
    if (result == GYRE_OK && !take(input->bed, cells + count))
        result = gyre_fail(GYRE_ERROR_ARGUMENT, "render: bed: a height that is not finite");
    if (result == GYRE_OK) {
        find_bed(relief, n, grid->h, cells + count);
        carry_on(n, grid->h, cells + count, cells, ring);
        gy_relief_job job = {.relief = relief, .from = {cells, cells + count}, .n = {n[0], n[1]}};

        if (make_taps(&job))
            measure(device, &job);
        else
            result = gyre_fail(GYRE_ERROR_MEMORY, "no memory for a picture of water");
        free_taps(&job);
    }
    if (result != GYRE_OK)
        gy_relief_free(relief);
    gy_give(input->memory, cells);
    gy_give(input->memory, ring);
    return result;
}

void gy_relief_free(gy_relief *relief)
{
    for (int layer = 0; layer < GY_LAYERS; layer++) {
        gy_give(relief->kept, relief->height[layer]);
        free(relief->steep[layer]);
        for (int l = 1; l < GY_LEVELS; l++)
            free(relief->most[layer][l]);
    }
    gy_give(relief->kept, relief->memory);
    gy_give(relief->kept, relief->top);
    *relief = (gy_relief){0};
}

// The crests are two layers' of two levels, one behind the other.
static void make_crests(gy_relief *r)
{
    ptrdiff_t first = (ptrdiff_t)r->blocks[1][0] * r->blocks[1][1];

    r->slope = r->even = 0.0f;
    for (ptrdiff_t i = 0; i < first; i++) {
        r->steepest[1][i] = r->steep[GY_BED][i];
        r->steepest[0][i] = fmaxf(r->steep[GY_BED][i], r->steep[GY_WATER][i]);
        r->slope = fmaxf(r->slope, r->steep[GY_WATER][i]);
        r->even = fmaxf(r->even, r->steep[GY_BED][i]);
    }
    for (int l = 1; l <= 2; l++) {
        ptrdiff_t from = l == 1 ? 0 : first, count = (ptrdiff_t)r->blocks[l][0] * r->blocks[l][1];

        for (ptrdiff_t i = 0; i < count; i++) {
            r->crest[1][from + i] = r->most[GY_BED][l][i];
            r->crest[0][from + i] = fmaxf(r->most[GY_BED][l][i], r->most[GY_WATER][l][i]);
        }
    }
}

gyre_result gy_relief_look(gyre_device *device, gy_relief *r, vec light)
{
    const gy_drawers *rows = gy_drawers_of(device);
    size_t corners = (size_t)r->row * (size_t)(r->n[1] + 1) + 16;
    size_t crests = (size_t)r->blocks[1][0] * (size_t)r->blocks[1][1] +
                    (size_t)r->blocks[2][0] * (size_t)r->blocks[2][1];
    size_t sweep = 2 * ((size_t)(r->n[0] > r->n[1] ? r->n[0] : r->n[1]) + 1 + 24);
    gy_relief_job job = {.relief = r};

    r->memory = gy_take(r->kept, 17 * corners + 4 * crests + sweep, sizeof *r->memory);
    if (r->memory == NULL)
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory for a picture of water");
    r->light = light;
    r->bed_texel = r->memory;
    r->water_texel = r->bed_texel + 8 * corners;
    r->shade = r->water_texel + 8 * corners;
    r->crest[0] = r->shade + corners;
    r->crest[1] = r->crest[0] + crests;
    r->steepest[0] = r->crest[1] + crests;
    r->steepest[1] = r->steepest[0] + crests;
    r->sweep = r->steepest[1] + crests;
    r->seen_bed = r->same_bed != NULL && r->same_bed->part[0] != NULL;
    if (r->seen_bed)
        r->bed_texel = r->same_bed->part[0];
    make_crests(r);
    gyre_device_parallel_for(device, 1, rows->relief_shade, r);
    gyre_device_parallel_for(device, r->n[1] + 1, rows->relief_texels, &job);
    if (!r->seen_bed)
        gy_cache_put(r->same_bed, 0, r->bed_texel, 8 * corners * sizeof *r->bed_texel);
    return GYRE_OK;
}
