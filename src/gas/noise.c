// gas/noise.c: kinetic noise, the curl of a potential (R. Bridson, J. Hourihan, M. Nordenstam,
// SIGGRAPH 2007):
//
//     u = curl (r A),   A = sum over m of a_m cos(2 pi (k_m x + p_m + s_m t)),   a_m . k_m = 0
//
// A stands at the middles of edges (2D: at corners), so that its differences along a face's rim
// give a flow that no cell gains or loses by: free of divergence but for rounding. r goes from 0 to
// 1 within size / 4 of solids and, of the components along it, of a closed side, and is 0 on every
// edge of a face that is not wholly open: what passes those is 0, whatever shuts them.
//
// Of velocity a wave has the amplitude k^(-1/3), as in Kolmogorov's spectrum, whose eddies turn as
// k^(2/3). Tables along the axes spare cosines: per edge 4 operations a wave, 24 waves.
#include "base/maths.h"
#include "gas/lead.h"
#include "gas/waves.h"
#include <string.h>

enum { PIECES = 16 };

/// The component that the potential has first: in the plane there is that along z alone.
static int first_of(const gyre_gas *gas)
{
    return gy_is_3d(gas->extent.dim) ? 0 : 2;
}

/// Edges along an axis, along each.
static void count_edges(const gyre_gas *gas, int axis, int n[3])
{
    for (int q = 0; q < 3; q++) {
        bool node = q != axis && q < gas->extent.dim;
        n[q] = gas->extent.n[q] + (node ? 1 : 0);
    }
}

// ---- made ready

static void make_waves(const gyre_gas *gas, gy_gas_lead *lead)
{
    const gyre_gas_noise *def = &gas->def->noise;
    const gyre_grid *grid = &gas->grid;
    uint32_t seed = (uint32_t)gas->def->seed * 2654435761u + (uint32_t)def->seed + 77u, at = 0;
    double h = (double)grid->h, squares = 0.0, reach[GY_WAVES];
    for (int m = 0; m < GY_WAVES; m++) {
        gy_lead_wave *w = &lead->waves[m];
        double k[3], direction[3], any[3], e[3], seen[3];
        double octave = (double)def->octaves * ((double)m + gy_wave_draw(seed, &at)) / GY_WAVES;
        double shorter = (double)gy_expf((float)(0.6931471805599453 * octave));
        double third = (double)gy_expf((float)(0.6931471805599453 / 3.0 * octave));
        gy_wave_direction(seed, &at, gas->extent.dim, direction);
        gy_wave_direction(seed, &at, 3, any);
        gy_wave_choose(gas, (double)def->size / shorter, direction, k);
        for (int q = 0; q < 3; q++) {
            seen[q] = (double)gy_sinf(gy_wave_angle(0.5 * k[q] * h));
        }
        bool flat = !gy_is_3d(gas->extent.dim);
        e[0] = flat ? 0.0 : seen[1] * any[2] - seen[2] * any[1];
        e[1] = flat ? 0.0 : seen[2] * any[0] - seen[0] * any[2];
        e[2] = flat ? 1.0 : seen[0] * any[1] - seen[1] * any[0];
        double size = __builtin_sqrt(e[0] * e[0] + (e[1] * e[1] + e[2] * e[2]));
        double slope =
            2.0 / h * __builtin_sqrt(seen[0] * seen[0] + (seen[1] * seen[1] + seen[2] * seen[2]));
        bool there = size > 1e-12 && slope > 1e-12 / h;
        double speed = there ? 1.0 / third : 0.0;
        reach[m] = there ? speed / (size * slope) : 0.0;
        squares += 0.5 * speed * speed;
        double phase = gy_wave_draw(seed, &at), way = gy_wave_draw(seed, &at) < 0.5 ? -1.0 : 1.0;
        w->rate = way * (double)def->change * third * third;
        for (int q = 0; q < 3; q++) {
            w->turns[q] = phase;
            w->amount[q] = (float)e[q];
            for (int b = 0; b < gas->extent.dim; b++) {
                double from = (double)grid->origin[b] + (b == q ? 0.5 * h : 0.0);
                w->turns[q] += k[b] * from;
            }
        }
        for (int q = 0; q < gas->extent.dim; q++) {
            float *cosines = lead->tables + lead->place[q] + (ptrdiff_t)m * lead->step[q],
                  *sines = cosines + (ptrdiff_t)GY_WAVES * lead->step[q];
            for (int i = 0; i <= gas->extent.n[q]; i++) {
                // The ends of a periodic axis are one.
                bool same = (gas->periodic >> q & 1u) && i == gas->extent.n[q];
                float turned = gy_wave_angle(k[q] * h * (double)(same ? 0 : i));
                cosines[i] = gy_cosf(turned);
                sines[i] = gy_sinf(turned);
            }
        }
    }
    double scale = squares > 0.0 ? (double)def->speed / __builtin_sqrt(squares) : 0.0;
    for (int m = 0; m < GY_WAVES; m++) {
        for (int q = 0; q < 3; q++) {
            lead->waves[m].amount[q] = (float)((double)lead->waves[m].amount[q] * reach[m] * scale);
        }
    }
}

/// Whether a face lies in the domain and something shuts a part of it.
static bool is_narrow(const gyre_gas *gas, const gy_grid_level *g, int axis, const int p[3])
{
    int at[3] = {p[0], p[1], p[2]};
    for (int q = 0; q < gas->extent.dim; q++) {
        int n = gas->extent.n[q];
        if (gas->periodic >> q & 1u) {
            at[q] = at[q] < 0 ? at[q] + n : at[q] >= n ? at[q] - n : at[q];
        } else if (at[q] < 0 || at[q] > n - (q != axis)) {
            return false;
        }
    }
    return (float)*gy_coefficient(g, axis, at[0], at[1], at[2]) < GY_UNIT;
}

/// What of the potential is left at an edge.
static float ramp_at(const gyre_gas *gas, const gy_grid_level *g, int axis, const int p[3])
{
    int b = (axis + 1) % 3, d = (axis + 2) % 3;
    int below[3] = {p[0] - (b == 0), p[1] - (b == 1), p[2] - (b == 2)};
    int before[3] = {p[0] - (d == 0), p[1] - (d == 1), p[2] - (d == 2)};
    if (is_narrow(gas, g, b, p) || is_narrow(gas, g, d, p) || is_narrow(gas, g, d, below) ||
        is_narrow(gas, g, b, before)) {
        return 0.0f;
    }
    double h = (double)gas->grid.h, over = 0.25 * (double)gas->def->noise.size, point[3] = {0.0};
    double away = 1e30;
    for (int q = 0; q < gas->extent.dim; q++) {
        double at = h * ((double)p[q] + (q == axis ? 0.5 : 0.0));
        point[q] = (double)gas->grid.origin[q] + at;
        bool low = !((gas->periodic >> q & 1u) || (gas->open_sides >> (2 * q) & 1u)),
             high = !((gas->periodic >> q & 1u) || (gas->open_sides >> (2 * q + 1) & 1u));
        double rest = h * (double)gas->extent.n[q] - at;
        away = low && q != axis && at < away ? at : away;
        away = high && q != axis && rest < away ? rest : away;
    }
    for (int s = 0; s < gas->made_count; s++) {
        double far = gy_solid_distance(&gas->made[s], point) - h;
        away = far < away ? far : away;
    }
    double r = away / over;
    r = r < 0.0 ? 0.0 : r > 1.0 ? 1.0 : r;
    return (float)(r * (1.875 - r * r * (1.25 - 0.375 * r * r)));
}

/// What all pieces share.
typedef struct noising {
    const gyre_gas *gas;
    gy_gas_lead *lead;
    float wave[3][GY_WAVES][2];
    float *to[3];
} noising;

static void row_of(const gyre_gas *gas, int64_t row, bool faces, int *axis, int n[3], int at[2])
{
    int first = faces ? 0 : first_of(gas), end = faces ? gas->extent.dim : 3;
    for (*axis = first; *axis < end; (*axis)++) {
        if (faces) {
            gy_gas_count_faces(gas, *axis, n);
        } else {
            count_edges(gas, *axis, n);
        }
        int64_t own = (int64_t)n[1] * n[2];
        if (row < own) {
            at[0] = (int)(row % n[1]);
            at[1] = (int)(row / n[1]);
            return;
        }
        row -= own;
    }
}

static int64_t count_rows(const gyre_gas *gas, bool faces)
{
    int n[3];
    int64_t rows = 0;
    for (int axis = faces ? 0 : first_of(gas); axis < (faces ? gas->extent.dim : 3); axis++) {
        if (faces) {
            gy_gas_count_faces(gas, axis, n);
        } else {
            count_edges(gas, axis, n);
        }
        rows += (int64_t)n[1] * n[2];
    }
    return rows;
}

static void ramp_piece(void *argument, int piece)
{
    noising *s = argument;
    gy_grid_level g = gy_grid_level_at(s->gas->base, gy_system_offset(&s->gas->pressure, 0));
    int64_t rows = count_rows(s->gas, false);
    for (int64_t r = rows * piece / PIECES; r < rows * (piece + 1) / PIECES; r++) {
        int axis = 0, n[3] = {0}, at[2] = {0};
        row_of(s->gas, r, false, &axis, n, at);
        float *row = s->lead->ramp[axis] + at[0] * s->lead->sy + at[1] * s->lead->sz;
        for (int i = 0; i < n[0]; i++) {
            const int p[3] = {i, at[0], at[1]};
            row[i] = ramp_at(s->gas, &g, axis, p);
        }
    }
}

void gy_gas_ready_noise(gyre_gas *gas)
{
    gy_gas_lead *lead = gas->lead;
    bool same = lead->made && lead->openness == gas->openness && lead->seed == gas->def->seed &&
                memcmp(&lead->noise, &gas->def->noise, sizeof lead->noise) == 0 &&
                memcmp(&lead->grid, &gas->grid, sizeof lead->grid) == 0;
    if (same) {
        return;
    }
    make_waves(gas, lead);
    lead->ramped = gas->made_count > 0 || gas->shut > 0;
    for (int s = 0; s < 2 * gas->extent.dim; s++) {
        bool passes = (gas->periodic >> (s / 2) & 1u) || (gas->open_sides >> s & 1u);
        lead->ramped = lead->ramped || !passes;
    }
    if (lead->ramped) {
        noising s = {.gas = gas, .lead = lead};
        gyre_device_parallel_for(gas->model.device, PIECES, ramp_piece, &s);
    }
    lead->noise = gas->def->noise;
    lead->grid = gas->grid;
    lead->seed = gas->def->seed;
    lead->openness = gas->openness;
    lead->made = true;
}

// ---- at work

/// Four edges side by side: rows and tables have room for whole ones. Which stand together changes
/// no bit.
typedef float four __attribute__((vector_size(16), aligned(4), may_alias));

GY_INLINE four at4(const float *from)
{
    return *(const four *)(const void *)from;
}

/// Four waves at a time along a row.
static void sum_row(const noising *s, int axis, const int at[2], int count, float *row)
{
    const gy_gas_lead *lead = s->lead;
    const ptrdiff_t step = lead->step[0], more = GY_WAVES * step;
    memset(row, 0, (size_t)count * sizeof *row);
    for (int m = 0; m < GY_WAVES; m += 4) {
        float re[4], im[4];
        for (int q = 0; q < 4; q++) {
            re[q] = s->wave[axis][m + q][0];
            im[q] = s->wave[axis][m + q][1];
            for (int b = 1; b < s->gas->extent.dim; b++) {
                const float *c =
                    lead->tables + lead->place[b] + (ptrdiff_t)(m + q) * lead->step[b] + at[b - 1];
                float x = c[0], y = c[(ptrdiff_t)GY_WAVES * lead->step[b]];
                float turned = re[q] * x - im[q] * y;
                im[q] = re[q] * y + im[q] * x;
                re[q] = turned;
            }
        }
        const float *c = lead->tables + lead->place[0] + m * step, *d = c + more;
        for (int i = 0; i < count; i += 4) {
            four x = re[0] * at4(c + i) - im[0] * at4(d + i),
                 y = re[1] * at4(c + step + i) - im[1] * at4(d + step + i),
                 z = re[2] * at4(c + 2 * step + i) - im[2] * at4(d + 2 * step + i),
                 w = re[3] * at4(c + 3 * step + i) - im[3] * at4(d + 3 * step + i);
            *(four *)(void *)(row + i) = at4(row + i) + ((x + y) + (z + w));
        }
    }
}

static void potential_piece(void *argument, int piece)
{
    noising *s = argument;
    int64_t rows = count_rows(s->gas, false);
    for (int64_t r = rows * piece / PIECES; r < rows * (piece + 1) / PIECES; r++) {
        int axis = 0, n[3] = {0}, at[2] = {0};
        row_of(s->gas, r, false, &axis, n, at);
        ptrdiff_t o = at[0] * s->lead->sy + at[1] * s->lead->sz;
        float *row = s->lead->potential[axis] + o;
        sum_row(s, axis, at, n[0], row);
        const float *ramp = s->lead->ramp[axis] + o;
        for (int i = 0; i < n[0] && s->lead->ramped; i++) {
            row[i] *= ramp[i];
        }
    }
}

static void velocity_piece(void *argument, int piece)
{
    noising *s = argument;
    const gy_gas_lead *lead = s->lead;
    const ptrdiff_t step[3] = {1, lead->sy, lead->sz};
    float inverse = 1.0f / s->gas->grid.h, cap = s->gas->def->speed_cap;
    int64_t rows = count_rows(s->gas, true);
    for (int64_t r = rows * piece / PIECES; r < rows * (piece + 1) / PIECES; r++) {
        int axis = 0, n[3] = {0}, at[2] = {0};
        row_of(s->gas, r, true, &axis, n, at);
        int b = (axis + 1) % 3, d = (axis + 2) % 3;
        ptrdiff_t o = at[0] * lead->sy + at[1] * lead->sz;
        float *to = s->to[axis] + (ptrdiff_t)at[0] * s->gas->extent.sy +
                    (ptrdiff_t)at[1] * s->gas->extent.sz;
        // Of a potential along z alone one of the two differences is there.
        const float *up = lead->potential[d] ? lead->potential[d] + o : NULL,
                    *down = lead->potential[b] ? lead->potential[b] + o : NULL;
        for (int i = 0; i < n[0]; i++) {
            float x = up ? up[i + step[b]] - up[i] : 0.0f,
                  y = down ? down[i + step[d]] - down[i] : 0.0f, u = (x - y) * inverse;
            u = u > cap ? cap : u < -cap ? -cap : u;
            to[i] = u < 1e-30f && u > -1e-30f ? 0.0f : u;
        }
    }
}

void gy_gas_put_noise(gyre_gas *gas, double time, float *const to[3])
{
    noising s = {.gas = gas, .lead = gas->lead, .to = {to[0], to[1], to[2]}};
    for (int m = 0; m < GY_WAVES; m++) {
        const gy_lead_wave *w = &gas->lead->waves[m];
        for (int q = 0; q < 3; q++) {
            float turned = gy_wave_angle(w->turns[q] + w->rate * time);
            s.wave[q][m][0] = w->amount[q] * gy_cosf(turned);
            s.wave[q][m][1] = w->amount[q] * gy_sinf(turned);
        }
    }
    gyre_device_parallel_for(gas->model.device, PIECES, potential_piece, &s);
    gyre_device_parallel_for(gas->model.device, PIECES, velocity_piece, &s);
}
