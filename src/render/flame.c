// render/flame.c: what a flame gives off beside the heat's glow, and smoke in the light of both.
//
// What glows gives off j of light per cell of a ray's way and solid angle, 4 pi j in all. Smoke
// that it comes to scatters the share a of what it takes, s per cell, and so it wanders: with phi
// the light from all directions, in the diffusion approximation (A. Ishimaru, Wave propagation and
// scattering in random media, 1978, chapter 9; J. Stam, Multiple scattering as a diffusion process,
// EGRW 1995)
//
//     -div(D grad phi) + s (1 - a) phi = 4 pi j,   D = 1 / (3 (s (1 - g a) + least))
//
// for red, green and blue alike, g being the anisotropy. At the domain's ends light leaves and none
// comes in (Marshak's condition, phi + 2 D dphi/dn = 0). Where there is no smoke light flies
// straight, which diffusion does not know; with a `least` of 4 over the domain's mean side its
// fall is right about a twelfth of that side away from what glows, and phi is too large beyond and
// too small before. The equation is solved with finite volumes on a grid of at most MOST cells a
// side, by successive over-relaxation on both chessboard colours in turn, until what is left is
// 1e-4 of what glows: so what leaves and is taken is what was given off. Every place sends on s a
// phi / (4 pi) of it, alike in all directions, as what shines there itself.
//
// Cost: 16 bytes a cell, two passes over cells; on the coarse grid 32^3 cells, some 60 sweeps.
#include "render/flame.h"

#include <string.h>

enum { MOST = 32, SWEEPS = 400 };

/// What a cell's heat gives off.
static vec glow_of(const gy_volume *volume, float heat)
{
    float at = heat * (float)GY_GLOW;
    int i = at < (float)GY_GLOW ? (int)at : GY_GLOW - 1;
    float part = at < (float)GY_GLOW ? at - (float)i : 1.0f;

    return volume->glow[i] + (volume->glow[i + 1] - volume->glow[i]) * vec_all(part);
}

// ---- light that wanders

static bool take(gy_wander *w, gyre_render_memory *memory)
{
    size_t count = (size_t)w->n[0] * (size_t)w->n[1] * (size_t)w->n[2];

    w->phi = gy_take_zeros(memory, 4 * count, sizeof(vec));
    if (w->phi == NULL)
        return false;
    w->gives = w->phi + count;
    w->takes = w->gives + count;
    w->spread = w->takes + count;
    return true;
}

gyre_result gy_wander_make(const int n[3], float width, gyre_render_memory *memory, gy_wander *w)
{
    *w = (gy_wander){.width = width, .memory = memory};
    memcpy(w->n, n, sizeof w->n);
    return take(w, memory) ? GYRE_OK : gyre_fail(GYRE_ERROR_MEMORY, "no memory for light in smoke");
}

void gy_wander_free(gy_wander *w)
{
    gy_give(w->memory, w->phi);
    w->phi = NULL;
}

/// The conductance of a face between a cell and its neighbour along an axis, per volume; at a side
/// that of Marshak's condition.
static vec conductance(const gy_wander *w, ptrdiff_t at, ptrdiff_t step, bool side)
{
    vec d = w->spread[at], h = vec_all(w->width);

    if (side)
        return vec_all(1.0f) / (h * (vec_all(2.0f) + vec_all(0.5f) * h / d));
    vec e = w->spread[at + step];

    return vec_all(2.0f) * d * e / ((d + e) * h * h);
}

/// Relaxes a cell; returns by how much its equation was off.
static vec relax(gy_wander *w, int i, int j, int k, float over)
{
    const int *n = w->n, cell[3] = {i, j, k};
    const ptrdiff_t steps[3] = {1, n[0], (ptrdiff_t)n[0] * n[1]};
    ptrdiff_t at = i + n[0] * (j + (ptrdiff_t)n[1] * k);
    vec sum = w->gives[at], all = w->takes[at];

    for (int axis = 0; axis < 3; axis++) {
        bool low = cell[axis] == 0, high = cell[axis] == n[axis] - 1;
        vec before = conductance(w, at, -steps[axis], low);
        vec after = conductance(w, at, steps[axis], high);

        all += before + after;
        sum += low ? vec_all(0.0f) : before * w->phi[at - steps[axis]];
        sum += high ? vec_all(0.0f) : after * w->phi[at + steps[axis]];
    }
    vec off = sum - all * w->phi[at];

    w->phi[at] += vec_all(over) * off / all;
    return vec_max(off, -off);
}

static vec sweep(gy_wander *w, int colour, float over)
{
    vec off = vec_all(0.0f);

    for (int k = 0; k < w->n[2]; k++)
        for (int j = 0; j < w->n[1]; j++)
            for (int i = (j + k + colour) & 1; i < w->n[0]; i += 2)
                off += relax(w, i, j, k, over);
    return off;
}

int gy_wander_solve(gy_wander *w)
{
    ptrdiff_t count = (ptrdiff_t)w->n[0] * w->n[1] * w->n[2];
    int most = w->n[0] > w->n[1] ? w->n[0] : w->n[1];
    vec given = vec_all(0.0f);

    most = most > w->n[2] ? most : w->n[2];
    // The best factor of a box whose sides are about that long.
    float over = 2.0f / (1.0f + 3.14159265f / (float)(most + 1));

    for (ptrdiff_t i = 0; i < count; i++)
        given += w->gives[i];
    float least = 1e-4f * (given[0] + given[1] + given[2]);

    for (int q = 0; q < SWEEPS; q++) {
        vec off = sweep(w, 0, over);

        off += sweep(w, 1, over);
        if (!(off[0] + off[1] + off[2] > least))
            return q + 1;
    }
    return SWEEPS;
}

vec gy_wander_budget(const gy_wander *w, vec *leaves)
{
    const ptrdiff_t steps[3] = {1, w->n[0], (ptrdiff_t)w->n[0] * w->n[1]};
    vec taken = vec_all(0.0f);
    ptrdiff_t at = 0;

    *leaves = vec_all(0.0f);
    for (int k = 0; k < w->n[2]; k++) {
        for (int j = 0; j < w->n[1]; j++) {
            for (int i = 0; i < w->n[0]; i++, at++) {
                const int cell[3] = {i, j, k};

                taken += w->takes[at] * w->phi[at];
                for (int axis = 0; axis < 3; axis++) {
                    int ends = (cell[axis] == 0) + (cell[axis] == w->n[axis] - 1);
                    vec c = ends > 0 ? conductance(w, at, steps[axis], true) : vec_all(0.0f);

                    *leaves += vec_all((float)ends) * c * w->phi[at];
                }
            }
        }
    }
    return taken;
}

// ---- of a volume

/// What a cell of smoke sends on of the light that comes to it, per cell and colour.
static vec scatters(const gy_volume *volume, ptrdiff_t at)
{
    vec own = vec_make(volume->input->settings.albedo) * vec_all(volume->opaque.data[at]);
    vec a = volume->tint != NULL ? volume->tint[at] : own;

    if (volume->has_solid)
        a *= vec_all(1.0f - clamp01(volume->solid.data[at]));
    a[3] = 0.0f;
    return a;
}

typedef struct lighting {
    gy_volume *volume;
    gy_wander w;
    int step; // cells of the volume along one of the coarse grid
    bool heat;
} lighting;

/// Of a plane of coarse cells what they give off and take.
static void gather_plane(void *argument, int c)
{
    lighting *l = argument;
    const gy_volume *volume = l->volume;
    const int *n = volume->n, s = l->step;
    const float g = volume->input->settings.anisotropy;
    float mean = (float)(n[0] + n[1] + n[2]) * (1.0f / 3.0f), least = 4.0f / mean;
    ptrdiff_t to = (ptrdiff_t)c * l->w.n[0] * l->w.n[1];

    for (int b = 0; b < l->w.n[1]; b++) {
        for (int a = 0; a < l->w.n[0]; a++, to++) {
            vec gives = vec_all(0.0f), takes = gives, turns = gives;
            float part = 1.0f / (float)(s * s * s);

            for (int k = c * s; k < (c + 1) * s && k < n[2]; k++) {
                for (int j = b * s; j < (b + 1) * s && j < n[1]; j++) {
                    for (int i = a * s; i < (a + 1) * s && i < n[0]; i++) {
                        ptrdiff_t at = gy_cell_index(&volume->opaque, i + 1, j + 1, k + 1);
                        float solid = volume->has_solid ? clamp01(volume->solid.data[at]) : 0.0f;
                        vec sends = scatters(volume, at);
                        vec all = vec_all(volume->opaque.data[at] * (1.0f - solid) + 8.0f * solid);

                        gives += l->heat ? glow_of(volume, volume->heat.data[at]) : vec_all(0.0f);
                        gives += volume->shine[at];
                        takes += all - sends;
                        turns += all - vec_all(g) * sends;
                    }
                }
            }
            gives[3] = 0.0f;
            l->w.gives[to] = gives * vec_all(part * 12.56637061f);
            l->w.takes[to] = vec_max(takes, vec_all(0.0f)) * vec_all(part);
            turns = vec_max(turns, vec_all(0.0f)) * vec_all(part) + vec_all(least);
            l->w.spread[to] = vec_all(1.0f / 3.0f) / turns;
        }
    }
}

/// The light at a cell, between those of the coarse grid.
static vec light_at(const lighting *l, int i, int j, int k)
{
    const int *n = l->w.n, cell[3] = {i, j, k};
    int low[3], high[3];
    float part[3];

    for (int axis = 0; axis < 3; axis++) {
        float x = ((float)cell[axis] + 0.5f) / (float)l->step - 0.5f;

        x = x > 0.0f ? x : 0.0f;
        x = x < (float)(n[axis] - 1) ? x : (float)(n[axis] - 1);
        low[axis] = (int)x;
        high[axis] = low[axis] + 1 < n[axis] ? low[axis] + 1 : low[axis];
        part[axis] = x - (float)low[axis];
    }
    vec sum = vec_all(0.0f);

    for (int q = 0; q < 8; q++) {
        int at[3];
        float weight = 1.0f;

        for (int axis = 0; axis < 3; axis++) {
            bool upper = q >> axis & 1;

            at[axis] = upper ? high[axis] : low[axis];
            weight *= upper ? part[axis] : 1.0f - part[axis];
        }
        sum += l->w.phi[at[0] + n[0] * (at[1] + (ptrdiff_t)n[1] * at[2])] * vec_all(weight);
    }
    return sum;
}

/// What it sends on of that.
static void scatter_plane(void *argument, int k)
{
    lighting *l = argument;
    gy_volume *volume = l->volume;
    float factor = volume->input->settings.glow_scatter * (1.0f / 12.56637061f);

    for (int j = 0; j < volume->n[1]; j++) {
        for (int i = 0; i < volume->n[0]; i++) {
            ptrdiff_t at = gy_cell_index(&volume->opaque, i + 1, j + 1, k + 1);

            if (volume->opaque.data[at] > 0.0f)
                volume->shine[at] += scatters(volume, at) * light_at(l, i, j, k) * vec_all(factor);
        }
    }
}

/// Cells of a grid along one of the coarse grid, which has `most` along an axis at most, and how
/// many that has.
static int coarsen(const int fine[3], int most, int n[3])
{
    int longest = 1;

    for (int axis = 0; axis < 3; axis++)
        longest = fine[axis] > longest ? fine[axis] : longest;
    int step = (longest + most - 1) / most;

    for (int axis = 0; axis < 3; axis++)
        n[axis] = (fine[axis] + step - 1) / step;
    return step;
}

/// Finds the light on the coarse grid.
static gyre_result let_wander(gy_volume *volume, int most, lighting *l)
{
    int n[3];

    *l = (lighting){.volume = volume, .heat = volume->heat.data != NULL};
    l->step = coarsen(volume->n, most, n);
    gyre_result result = gy_wander_make(n, (float)l->step, volume->input->memory, &l->w);

    if (result)
        return result;
    gyre_device_parallel_for(volume->device, n[2], gather_plane, l);
    gy_wander_solve(&l->w);
    return GYRE_OK;
}

static gyre_result light_smoke(gy_volume *volume)
{
    lighting l;
    gyre_result result = let_wander(volume, MOST, &l);

    if (result)
        return result;
    gyre_device_parallel_for(volume->device, volume->n[2], scatter_plane, &l);
    gy_wander_free(&l.w);
    return GYRE_OK;
}

/// What the flame's field gives off.
static void shine_plane(void *argument, int k)
{
    gy_volume *volume = argument;
    const gyre_field_view *view = volume->input->flame;
    const gyre_view_settings *settings = &volume->input->settings;
    // As the glow: so much per metre of a domain of 96 cells, whatever the cells.
    vec colour = vec_make(settings->flame_colour) *
                 vec_all(0.6f * settings->flame_intensity * 96.0f / (float)volume->n[1]);

    for (int j = 0; j < view->n[1]; j++) {
        const float *from = view->data + j * view->stride[1] + k * view->stride[2];
        ptrdiff_t at = gy_cell_index(&volume->opaque, 1, j + 1, k + 1);

        for (int i = 0; i < view->n[0]; i++) {
            // NaN fails the first comparison.
            float x = from[i] > 1e-6f ? (from[i] < 1e6f ? from[i] : 1e6f) : 0.0f;

            volume->flame.data[at + i] = x;
            volume->shine[at + i] += colour * vec_all(x);
        }
    }
}

bool gy_flame_shines(const gyre_render_input *input)
{
    const gyre_view_settings *settings = &input->settings;
    bool flame = input->flame != NULL && settings->flame_intensity > 0.0f;
    bool scatters = settings->glow_scatter > 0.0f && settings->glow;

    return settings->mix == GYRE_MIX_AUTO && (flame || scatters);
}

static bool has_scatter(const gyre_render_input *input)
{
    const gyre_view_settings *settings = &input->settings;

    return settings->mix == GYRE_MIX_AUTO && settings->glow && settings->glow_scatter > 0.0f;
}

/// What a flame gives off, into memory for that.
static gyre_result light_flame(gy_volume *volume)
{
    const gyre_render_input *input = volume->input;
    const gy_cells *like = &volume->opaque;
    size_t count = (size_t)like->sz * (size_t)(like->n[2] + 1) + (size_t)like->sy + 2;

    volume->shine = gy_take_zeros(input->memory, count, sizeof(vec));
    if (volume->shine == NULL)
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory for what a flame gives off");
    if (volume->flame.data != NULL)
        gyre_device_parallel_for(volume->device, input->grid->n[2], shine_plane, volume);
    return GYRE_OK;
}

gyre_result gy_flame_light(gy_volume *volume)
{
    gyre_result result = light_flame(volume);

    return result == GYRE_OK && has_scatter(volume->input) ? light_smoke(volume) : result;
}

gyre_result gyre_render_own_light(gyre_device *device, const gyre_render_input *input, int most,
                                  int n[3], float *light)
{
    if (GY_MISSING("render_own_light", device) || GY_MISSING("render_own_light", input) ||
        GY_MISSING("render_own_light", n) || GY_MISSING("render_own_light", light))
        return GYRE_ERROR_ARGUMENT;
    gyre_result result = gy_render_check(input);

    if (result != GYRE_OK)
        return result;
    if (most < 1 || most > 256 || input->grid->dim != 3)
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "render_own_light: found a grid in %dD and most %d, expected 3D and 1 to "
                         "256",
                         input->grid->dim, most);
    coarsen(input->grid->n, most, n);
    size_t count = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];

    memset(light, 0, 4 * count * sizeof *light);
    if (!has_scatter(input))
        return GYRE_OK;
    gy_volume volume;
    lighting l;

    gy_memory_begin(input->memory);
    result = gy_volume_build_own(device, input, &volume);
    result = result ? result : light_flame(&volume);
    result = result ? result : let_wander(&volume, most, &l);
    for (size_t i = 0; i < 4 * count && result == GYRE_OK; i++)
        light[i] = input->settings.glow_scatter * (1.0f / 12.56637061f) * l.w.phi[i / 4][i % 4];
    if (result == GYRE_OK)
        gy_wander_free(&l.w);
    gy_volume_free(&volume);
    gy_memory_end(input->memory);
    return result;
}
