// view/draw/relief.c: heights and bodies of a frame, made ready to be drawn. The rules are those of
// src/render/relief.c and hulls.c: pictures of both are compared by a test.
#include "view/draw/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// As in src/render/relief.c.
static const float sunken = 0.02f, deeper = 0.2f;

// SUNK: water that is carried on below ground that lies lower than it.
enum { RINGS = 4, SUNK = 64 };

// The mean level of the neighbours that were reached in an earlier round, and how far, in cells,
// water is to be below ground that lies lower than it; false: there is none.
static bool level_beside(const int n[3], const float *cells, const uint8_t *ring, float cell, int i,
                         int j, float *level, float *sunk)
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
            float from = ring[beside] == 0 ? sunken - deeper
                                           : (cells[2 * beside + 1] - cells[2 * beside]) / cell;

            reached = true;
            below = fminf(below, from + deeper * (weight == 2.0f ? 1.0f : 1.4142f));
            if ((ring[beside] & SUNK) == 0) {
                sum += weight * cells[2 * beside];
                weights += weight;
            }
        }
    }
    // What is only below the ground beside it has no level.
    *level = weights > 0.0f ? sum / weights : 3e38f;
    *sunk = below;
    return reached;
}

float *view_relief_cells(const gyre_grid *grid, const float *water, const float *bed, float unit)
{
    size_t count = (size_t)grid->n[0] * (size_t)grid->n[1], dry = 0;
    float *cells = malloc(2 * count * sizeof *cells), cell = grid->h / unit;
    uint8_t *ring = malloc(count);

    if (cells == NULL || ring == NULL) {
        free(cells);
        free(ring);
        return NULL;
    }
    for (size_t c = 0; c < count; c++) {
        cells[2 * c] = water[c] / unit;
        cells[2 * c + 1] = bed[c] / unit;
        ring[c] = cells[2 * c] - cells[2 * c + 1] > 1e-3f * cell ? 0 : RINGS;
        dry += ring[c] != 0;
    }
    for (int round = 1; round < RINGS && dry > 0; round++) {
        for (int j = 0; j < grid->n[1]; j++) {
            for (int i = 0; i < grid->n[0]; i++) {
                size_t c = (size_t)i + (size_t)j * (size_t)grid->n[0];
                float level, sunk, ground = cells[2 * c + 1];

                if (ring[c] != RINGS)
                    continue;
                ring[c] = (uint8_t)round;
                if (!level_beside(grid->n, cells, ring, cell, i, j, &level, &sunk)) {
                    ring[c] = RINGS;
                    continue;
                }
                cells[2 * c] = level <= ground ? level : ground - sunk * cell;
                ring[c] |= level <= ground ? 0 : SUNK;
            }
        }
    }
    for (size_t c = 0; c < count; c++) {
        if (ring[c] == RINGS)
            cells[2 * c] = cells[2 * c + 1] - 0.5f * cell;
    }
    free(ring);
    return cells;
}

static void subtract(const float *a, const float *b, float c[3])
{
    for (int i = 0; i < 3; i++)
        c[i] = a[i] - b[i];
}

// Twice the triangle's area, across it.
static void plane_of(const view_mesh *mesh, int triangle, float plane[3])
{
    const int32_t *p = mesh->triangles + 3 * (ptrdiff_t)triangle;
    const float *a = mesh->points + 3 * (ptrdiff_t)p[0];
    float u[3], v[3];

    subtract(mesh->points + 3 * (ptrdiff_t)p[1], a, u);
    subtract(mesh->points + 3 * (ptrdiff_t)p[2], a, v);
    for (int i = 0; i < 3; i++)
        plane[i] = u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
}

static float dot(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Corners that triangles share are smooth where their planes meet at less than 40 degrees.
static void write_corners(const view_mesh *mesh, int number, const int *begin, const int *user,
                          float *to)
{
    for (int c = 0; c < 3 * mesh->triangle_count; c++, to += 7) {
        int p = mesh->triangles[c];
        float own[3], sum[3] = {0.0f, 0.0f, 0.0f};

        plane_of(mesh, c / 3, own);
        for (int u = p > 0 ? begin[p - 1] : 0; u < begin[p]; u++) {
            float other[3];

            plane_of(mesh, user[u], other);
            if (dot(own, other) > 0.766f * sqrtf(dot(own, own) * dot(other, other))) {
                for (int i = 0; i < 3; i++)
                    sum[i] += other[i];
            }
        }
        float length = sqrtf(dot(sum, sum));

        memcpy(to, mesh->points + 3 * (ptrdiff_t)p, 3 * sizeof *to);
        for (int i = 0; i < 3; i++)
            to[3 + i] = length > 0.0f ? sum[i] / length : i == 2 ? 1.0f : 0.0f;
        to[6] = (float)number;
    }
}

static bool add_body(const view_mesh *mesh, int number, float *to)
{
    int corners = 3 * mesh->triangle_count;
    int *begin = calloc((size_t)mesh->point_count + 2, sizeof *begin);
    int *user = malloc(((size_t)corners + 1) * sizeof *user);
    bool full = begin != NULL && user != NULL;

    if (full) {
        for (int c = 0; c < corners; c++)
            begin[mesh->triangles[c] + 1]++;
        for (int p = 0; p < mesh->point_count; p++)
            begin[p + 1] += begin[p];
        for (int c = 0; c < corners; c++)
            user[begin[mesh->triangles[c]]++] = c / 3;
        // Each list's beginning has moved to its end, which is the beginning of the next.
        write_corners(mesh, number, begin, user, to);
    }
    free(begin);
    free(user);
    return full;
}

void view_take_bodies(view_moment *moment, const view_frame *frame)
{
    size_t corners = 0;

    moment->body_corners = 0;
    for (int i = 0; i < frame->mesh_count; i++)
        corners += 3 * (size_t)frame->meshes[i].triangle_count;
    if (moment->body_room < corners) {
        free(moment->bodies);
        moment->bodies = malloc(corners * 7 * sizeof *moment->bodies);
        moment->body_room = moment->bodies != NULL ? corners : 0;
    }
    if (corners == 0 || moment->bodies == NULL)
        return;
    float *to = moment->bodies;

    for (int i = 0; i < frame->mesh_count; i++) {
        const view_mesh *mesh = &frame->meshes[i];

        if (mesh->triangle_count > 0 && !add_body(mesh, i, to))
            return;
        to += 21 * (ptrdiff_t)mesh->triangle_count;
    }
    moment->body_corners = (int)corners;
}

void view_take_overhang(view_draw *draw, const view_frame *frame)
{
    view_overhang *o = &draw->overhang;
    const view_mesh *mesh = &frame->overhang;
    size_t corners = 3 * (size_t)mesh->triangle_count;
    double area = 0.0, volume = 0.0;

    o->count = 0;
    if (o->room < corners) {
        free(o->corners);
        o->corners = malloc(corners * 7 * sizeof *o->corners);
        o->room = o->corners != NULL ? corners : 0;
    }
    if (corners == 0 || o->corners == NULL || !add_body(mesh, 0, o->corners))
        return;
    o->count = (int)corners;
    for (size_t i = 0; i < corners; i += 3) {
        const float *p = o->corners + 7 * i, *q = p + 7, *r = p + 14;
        double a[3], b[3], c[3], own = 0.0;

        for (int k = 0; k < 3; k++) {
            a[k] = (double)q[k] - (double)p[k];
            b[k] = (double)r[k] - (double)p[k];
        }
        for (int k = 0; k < 3; k++) {
            c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
            own += c[k] * c[k];
            volume += c[k] * ((double)p[k] - (double)o->corners[k]) / 6.0;
        }
        area += 0.5 * sqrt(own);
    }
    o->thick = area > 0.0 ? (float)fmax(2.0 * volume / area, 0.0) : 0.0f;
}
