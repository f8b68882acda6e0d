// render/volume.c: fields into what rays meet: padded cells, bricks that may be skipped, smoothed
// solids, the glow's colours.
#include "render/cache.h"
#include "render/flame.h"
#include "render/sheets.h"
#include "render/texture.h"

#include <stdlib.h>
#include <string.h>

typedef struct fill_args {
    const gyre_field_view *view;
    gy_cells *cells;
    float scale;
} fill_args;

static size_t entries(const gy_cells *cells)
{
    return (size_t)cells->sz * (size_t)cells->n[2];
}

// One plane behind the last stays readable, so that the eighth corner of the last cell is.
static size_t read_entries(const gy_cells *cells)
{
    return entries(cells) + (size_t)cells->sz + (size_t)cells->sy + 2;
}

static bool make_cells(const gy_volume *volume, gy_cells *cells)
{
    for (int axis = 0; axis < 3; axis++)
        cells->n[axis] = volume->n[axis] + 2;
    cells->sy = cells->n[0];
    cells->sz = cells->sy * cells->n[1];
    cells->data = gy_take_zeros(volume->input->memory, read_entries(cells), sizeof *cells->data);
    return cells->data != NULL;
}

static void fill_plane(void *argument, int k)
{
    const fill_args *args = argument;
    const gyre_field_view *view = args->view;
    const float high = 1e6f;

    for (int j = 0; j < view->n[1]; j++) {
        const float *from = view->data + j * view->stride[1] + k * view->stride[2];
        float *to = args->cells->data + gy_cell_index(args->cells, 1, j + 1, k + 1);

        for (int i = 0; i < view->n[0]; i++) {
            float value = from[i] * args->scale;

            // NaN fails the first comparison.
            to[i] = value > 1e-6f ? (value < high ? value : high) : 0.0f;
        }
    }
}

static bool fill(gy_volume *volume, const gyre_field_view *view, float scale, gy_cells *cells)
{
    fill_args args = {view, cells, scale};

    if (!make_cells(volume, cells))
        return false;
    if (view != NULL)
        gyre_device_parallel_for(volume->device, view->n[2], fill_plane, &args);
    return true;
}

// Cells of solids stop light; the margin repeats what is inside for them, so that a solid that
// leaves the domain has no seam.
static void repeat_margin(gy_cells *cells)
{
    for (int axis = 0; axis < 3; axis++) {
        ptrdiff_t step[3] = {1, cells->sy, cells->sz};
        int u = (axis + 1) % 3, v = (axis + 2) % 3;

        for (int b = 0; b < cells->n[v]; b++) {
            for (int a = 0; a < cells->n[u]; a++) {
                float *low = cells->data + a * step[u] + b * step[v];
                float *high = low + (cells->n[axis] - 1) * step[axis];

                *low = low[step[axis]];
                *high = high[-step[axis]];
            }
        }
    }
}

typedef struct smooth_args {
    const gy_cells *from;
    gy_cells *to;
    int low[3], high[3]; // cells, with the margin: from low to below high
} smooth_args;

// Weights 1 2 1 along each axis.
static void smooth_plane(void *argument, int task)
{
    const smooth_args *args = argument;
    const gy_cells *from = args->from;
    int k = task + args->low[2];

    for (int j = args->low[1]; j < args->high[1]; j++) {
        for (int i = args->low[0]; i < args->high[0]; i++) {
            const float *p = from->data + gy_cell_index(from, i, j, k);
            float sum = 0.0f;

            for (int c = -1; c <= 1; c++) {
                for (int b = -1; b <= 1; b++) {
                    const float *q = p + b * from->sy + c * from->sz;

                    sum += (float)((2 - abs(b)) * (2 - abs(c))) * (q[-1] + 2.0f * q[0] + q[1]);
                }
            }
            args->to->data[gy_cell_index(args->to, i, j, k)] = sum * (1.0f / 64.0f);
        }
    }
}

typedef struct brick_args {
    const gy_cells *cells;
    gy_bricks *bricks;
} brick_args;

// Interpolation from cell i reads cell i + 1 too, so a brick looks one cell further.
static void brick_plane(void *argument, int c)
{
    const brick_args *args = argument;
    const gy_cells *cells = args->cells;
    int *n = args->bricks->n;

    for (int b = 0; b < n[1]; b++) {
        for (int a = 0; a < n[0]; a++) {
            int low[3] = {a * GY_BRICK, b * GY_BRICK, c * GY_BRICK}, high[3];
            float most = 0.0f;

            for (int axis = 0; axis < 3; axis++) {
                high[axis] = low[axis] + GY_BRICK;
                if (high[axis] > cells->n[axis] - 1)
                    high[axis] = cells->n[axis] - 1;
            }
            for (int k = low[2]; k <= high[2]; k++) {
                for (int j = low[1]; j <= high[1]; j++) {
                    const float *row = cells->data + gy_cell_index(cells, 0, j, k);

                    for (int i = low[0]; i <= high[0]; i++)
                        most = row[i] > most ? row[i] : most;
                }
            }
            float *to = args->bricks->data + a + n[0] * (b + n[1] * c);

            *to = most > *to ? most : *to;
        }
    }
}

static void bound(gy_bricks *bricks, float least)
{
    bricks->low = vec_all(1e9f);
    bricks->high = vec_all(-1e9f);
    for (int c = 0; c < bricks->n[2]; c++) {
        for (int b = 0; b < bricks->n[1]; b++) {
            for (int a = 0; a < bricks->n[0]; a++) {
                vec corner = {(float)a, (float)b, (float)c, 0.0f};

                if (!(bricks->data[a + bricks->n[0] * (b + bricks->n[1] * c)] > least))
                    continue;
                corner *= vec_all((float)GY_BRICK);
                bricks->low = vec_min(bricks->low, corner);
                bricks->high = vec_max(bricks->high, corner + vec_all((float)GY_BRICK));
            }
        }
    }
}

static void count_bricks(const gy_cells *cells, gy_bricks *bricks)
{
    for (int axis = 0; axis < 3; axis++)
        bricks->n[axis] = (cells->n[axis] + GY_BRICK - 1) / GY_BRICK;
}

static size_t brick_count(const gy_bricks *bricks)
{
    return (size_t)bricks->n[0] * (size_t)bricks->n[1] * (size_t)bricks->n[2];
}

// Raises the bricks to what these cells hold.
static bool raise_bricks(gy_volume *volume, const gy_cells *cells, gy_bricks *bricks)
{
    brick_args args = {cells, bricks};

    if (bricks->data == NULL) {
        count_bricks(cells, bricks);
        bricks->data = calloc(brick_count(bricks), sizeof *bricks->data);
        if (bricks->data == NULL)
            return false;
    }
    gyre_device_parallel_for(volume->device, bricks->n[2], brick_plane, &args);
    return true;
}

// Solids' normals and bricks, from their cells.
static bool measure_solid(gy_volume *volume)
{
    gy_cells twice = {0};

    if (!make_cells(volume, &twice) || !make_cells(volume, &volume->smoothed)) {
        gy_give(volume->input->memory, twice.data);
        return false;
    }
    if (!raise_bricks(volume, &volume->solid, &volume->solids)) {
        gy_give(volume->input->memory, twice.data);
        return false;
    }
    bound(&volume->solids, 0.499f);
    smooth_args args = {.from = &volume->solid, .to = &twice};

    // Normals are asked for on surfaces alone, and lie within the bricks that have some.
    for (int axis = 0; axis < 3; axis++) {
        float low = volume->solids.low[axis] - 4.0f, high = volume->solids.high[axis] + 4.0f;

        args.low[axis] = low > 1.0f ? (low < 1e6f ? (int)low : 1) : 1;
        args.high[axis] = high < (float)(volume->n[axis] + 1) ? (int)high : volume->n[axis] + 1;
        args.high[axis] = high > low ? args.high[axis] : args.low[axis];
    }
    int planes = args.high[2] - args.low[2];

    gyre_device_parallel_for(volume->device, planes, smooth_plane, &args);
    repeat_margin(&twice);
    args.from = &twice;
    args.to = &volume->smoothed;
    gyre_device_parallel_for(volume->device, planes, smooth_plane, &args);
    repeat_margin(&volume->smoothed);
    gy_give(volume->input->memory, twice.data);
    return true;
}

// Solids that stand as they stood in the picture before are those of that.
static bool build_solid(gy_volume *volume)
{
    gyre_render_memory *memory = volume->input->memory;
    float head[GY_CACHE_HEAD] = {(float)volume->n[0], (float)volume->n[1], (float)volume->n[2]};

    if (!fill(volume, volume->input->solid, 1.0f, &volume->solid))
        return false;
    gy_seen_sheets_clear(volume, &volume->solid);
    repeat_margin(&volume->solid);
    size_t size = entries(&volume->solid) * sizeof(float);
    gy_cached *kept = gy_cache_find(memory, GY_CACHE_SOLIDS, head, volume->solid.data, size);

    if (kept != NULL && kept->part[0] != NULL && kept->part[1] != NULL) {
        volume->same_solids = kept;
        volume->smoothed = volume->solid;
        volume->smoothed.data = kept->part[0];
        count_bricks(&volume->solid, &volume->solids);
        volume->solids.data = kept->part[1];
        bound(&volume->solids, 0.499f);
        return true;
    }
    if (!measure_solid(volume))
        return false;
    if (kept != NULL) {
        gy_cache_put(kept, 0, volume->smoothed.data, read_entries(&volume->solid) * sizeof(float));
        gy_cache_put(kept, 1, volume->solids.data, brick_count(&volume->solids) * sizeof(float));
    } else {
        gy_cache_add(memory, GY_CACHE_SOLIDS, head, volume->solid.data, size);
    }
    return true;
}

// The table runs to 4000 K; what is hotter keeps the last colour.
static bool fill_glow(gy_volume *volume)
{
    const gyre_view_settings *settings = &volume->input->settings;

    for (int i = 0; i <= GY_GLOW; i++) {
        vec colour = gy_black_body(4000.0f * (float)i / (float)GY_GLOW);
        float strength = 0.6f * settings->glow_intensity; // per cell, so that resolution counts out

        volume->glow[i] = colour * vec_all(strength * 96.0f / (float)volume->n[1]);
        volume->glow_sum[i] = i == 0 ? vec_all(0.0f)
                                     : volume->glow_sum[i - 1] +
                                           (volume->glow[i - 1] + volume->glow[i]) * vec_all(0.5f);
    }
    return fill(volume, volume->input->temperature, settings->glow_scale / 4000.0f, &volume->heat);
}

static bool build_glow(gy_volume *volume)
{
    return fill_glow(volume) && raise_bricks(volume, &volume->heat, &volume->active);
}

// By which a texture multiplies the smoke of a cell.
static float vein_of(const gy_volume *volume, ptrdiff_t at)
{
    ptrdiff_t sy = volume->opaque.sy, sz = volume->opaque.sz;
    vec cell = {(float)(at % sy), (float)(at % sz / sy), (float)(at / sz), 0.0f};

    return gy_veins_at(volume, cell);
}

static bool make_flame(gy_volume *volume)
{
    const gyre_render_input *input = volume->input;

    return input->flame == NULL || !(input->settings.flame_intensity > 0.0f) ||
           make_cells(volume, &volume->flame);
}

// What shines beside heat: before solids are opaque, too.
static bool build_flame(gy_volume *volume)
{
    const gyre_render_input *input = volume->input;

    if (!gy_flame_shines(input))
        return true;
    if (!make_flame(volume))
        return false;
    volume->has_glow = true;
    return gy_flame_light(volume) == GYRE_OK &&
           (volume->flame.data == NULL || raise_bricks(volume, &volume->flame, &volume->active));
}

// Smoke inside a solid would shine through its edge. A texture is seen in the light by cells; rays
// take it where they pass, but through polygons.
static void pack_plane(void *argument, int k)
{
    gy_volume *volume = argument;
    ptrdiff_t first = k * volume->opaque.sz;
    bool polygons = volume->input->settings.mode == GYRE_MODE_CELLS;

    for (ptrdiff_t at = first; at < first + volume->opaque.sz; at++) {
        float smoke = volume->opaque.data[at], seen = smoke;

        if (volume->veins != NULL && smoke > 0.0f)
            smoke *= vein_of(volume, at);
        seen = polygons ? smoke : seen;
        volume->opaque.data[at] = smoke;

        if (volume->has_solid) {
            float share = volume->solid.data[at] < 1.0f ? volume->solid.data[at] : 1.0f;

            volume->opaque.data[at] = smoke + 8.0f * share;
            seen *= 1.0f - share;
            if (volume->shine != NULL)
                volume->shine[at] *= vec_all(1.0f - share);
        }
        volume->smoke[at] = (vec){seen, 1.0f, 1.0f, 1.0f};
    }
}

static void begin(gyre_device *device, const gyre_render_input *input, gy_volume *volume)
{
    *volume = (gy_volume){.input = input, .device = device, .h = input->grid->h};
    memcpy(volume->n, input->grid->n, sizeof volume->n);
    for (int axis = 0; axis < 3; axis++)
        volume->limit[axis] = (float)(volume->n[axis] + 1) - 1e-3f;
    volume->light = vec_unit(vec_make(input->light.direction));
    volume->has_solid = input->solid != NULL;
    volume->has_glow = input->settings.glow && input->temperature != NULL;
    volume->has_floor = input->settings.floor;
}

gyre_result gy_volume_build_own(gyre_device *device, const gyre_render_input *input,
                                gy_volume *volume)
{
    begin(device, input, volume);
    bool done =
        fill(volume, input->density, input->settings.density_scale * volume->h, &volume->opaque) &&
        (input->channel_count == 0 || gy_tint_cells(volume) == GYRE_OK) &&
        (!volume->has_solid || fill(volume, input->solid, 1.0f, &volume->solid)) &&
        (!volume->has_glow || fill_glow(volume)) && make_flame(volume);

    return done ? GYRE_OK
                : gyre_fail(GYRE_ERROR_MEMORY, "no memory for light in %d x %d x %d cells",
                            volume->n[0], volume->n[1], volume->n[2]);
}

gyre_result gy_volume_build(gyre_device *device, const gyre_render_input *input, gy_volume *volume)
{
    const gyre_grid *grid = input->grid;
    bool shines = input->settings.mix == GYRE_MIX_LIGHT;

    begin(device, input, volume);
    gyre_result result = gy_seen_sheets_build(input, &volume->sheets);

    if (result != GYRE_OK)
        return result;
    bool done =
        fill(volume, input->density, input->settings.density_scale * grid->h, &volume->opaque) &&
        ((input->channel_count == 0 && !shines) || gy_tint_cells(volume) == GYRE_OK) &&
        (input->texture == NULL || gy_veins_build(volume)) &&
        raise_bricks(volume, &volume->opaque, &volume->active) &&
        (!volume->has_solid || build_solid(volume)) && (!volume->has_glow || build_glow(volume)) &&
        build_flame(volume);

    if (done) {
        if (shines)
            gy_tint_shines(volume);
        volume->has_glow = volume->has_glow || shines;
        bound(&volume->active, 0.0f);
        size_t count = read_entries(&volume->opaque);

        volume->smoke = gy_take(volume->input->memory, count, sizeof(vec));
        done = volume->smoke != NULL;
        if (done) {
            size_t rest = entries(&volume->opaque);

            memset(volume->smoke + rest, 0, (count - rest) * sizeof(vec));
            gyre_device_parallel_for(device, volume->opaque.n[2], pack_plane, volume);
            gy_seen_sheets_darken(volume);
        }
    }
    if (!done) {
        gy_volume_free(volume);
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory to draw %d x %d x %d cells", grid->n[0],
                         grid->n[1], grid->n[2]);
    }
    return GYRE_OK;
}

void gy_volume_free(gy_volume *volume)
{
    gy_give(volume->input->memory, volume->opaque.data);
    gy_give(volume->input->memory, volume->smoke);
    gy_give(volume->input->memory, volume->tint);
    gy_give(volume->input->memory, volume->veins);
    gy_give(volume->input->memory, volume->shine);
    gy_give(volume->input->memory, volume->clear_memory);
    free(volume->active.data);
    gy_give(volume->input->memory, volume->solid.data);
    if (volume->same_solids == NULL) {
        gy_give(volume->input->memory, volume->smoothed.data);
        free(volume->solids.data);
    }
    gy_seen_sheets_free(volume->sheets);
    gy_give(volume->input->memory, volume->heat.data);
    gy_give(volume->input->memory, volume->flame.data);
    free(volume->floor_shadow);
}
