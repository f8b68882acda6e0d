// ocean/tables.c: an ocean's memory, and the waves that its def asks for.
//
// A square of side L holds the waves of k = 2 pi m / L, |m| <= cells / finest; the one after it
// those that are shorter than side / GY_OCEAN_OVERLAP, which the one before then has not. A wave's
// amplitude is sqrt(2 S(w) D(theta) dw/dk / k dk^2), summed over seas in squares: seas are of
// different winds. What is drawn for a wave depends on seed, square and m alone: more cells leave
// the long waves as they are.
#include "base/maths.h"
#include "base/turn.h"
#include "ocean/ocean.h"
#include "ocean/ops/phase.h"
#include "ops/system/transform.h"
#include <string.h>

static const double turn = 6.28318530717958647693;

static size_t round64(size_t size)
{
    return (size + 63) / 64 * 64;
}

/// What of an ocean follows from the def alone.
static void measure(gyre_ocean *o, const gyre_ocean_def *def)
{
    int half = def->patch.cells / 2;
    o->cells = def->patch.cells;
    o->cascades = def->patch.cascades;
    o->columns = GY_MIN((int)((float)def->patch.cells / def->patch.finest), half - 1);
    o->row_count = (o->columns + GY_OCEAN_LANES) / GY_OCEAN_LANES * GY_OCEAN_LANES;
}

typedef struct room {
    float **to;
    size_t floats;
} room;

static size_t lay_out(const room *parts, int count, char *base, size_t used)
{
    for (int p = 0; p < count; p++) {
        if (base) {
            *parts[p].to = (float *)(void *)(base + used);
        }
        used += round64(parts[p].floats * sizeof(float));
    }
    return used;
}

size_t gy_ocean_plan(gyre_ocean *o, const gyre_ocean_def *def, char *base, size_t used)
{
    size_t shown = (size_t)def->grid.n[0] * (size_t)def->grid.n[1];
    measure(o, def);
    const room parts[] = {
        {&o->foam, shown},
        {&o->spare, shown},
    };
    used = lay_out(parts, GY_COUNT(parts), base, used);
    if (base) {
        o->trains = (gy_ocean_train *)(void *)(base + used);
    }
    used += round64((size_t)gy_pool_capacity(&def->waves) * sizeof(gy_ocean_train));
    size_t shed = gy_ocean_shed_size(def), squares = GY_OCEAN_BINS * GY_OCEAN_BINS + 1;
    if (base && shed > 0) {
        o->shed = (void *)(base + used);
    }
    used += round64(shed);
    for (int m = 0; m < GY_OCEAN_MOMENTS; m++) {
        gy_ocean_bins *bins = &o->moments[m].bins;
        if (base && shed > 0) {
            bins->first = (void *)(base + used);
            bins->last = bins->first + squares;
            bins->list = bins->last + squares;
        }
        used += gy_ocean_bins_size(def);
    }
    return used;
}

size_t gy_ocean_plan_arena(gyre_ocean *o, const gyre_ocean_def *def, char *base)
{
    measure(o, def);
    size_t n = (size_t)o->cells, half = n / 2, stride = n + GY_OCEAN_PAD;
    size_t rows = (size_t)o->row_count;
    room parts[5 + GY_OCEAN_CASCADES * (2 + 2 * GY_OCEAN_MOMENTS)] = {
        {&o->filter, half},
        {(float **)&o->place, n},
        {&o->twiddle, 4 * n},
        {&o->middle, 3 * rows * 2 * stride},
        {&o->scratch, GY_SCRATCH_HEAD + (o->remote ? 0 : GY_MAX_BLOCKS * 6 * GY_OCEAN_LANES * n)},
    };
    int count = 5;
    for (int c = 0; c < o->cascades; c++) {
        parts[count++] = (room){&o->waves[c], rows * half * GY_OCEAN_NUMBERS};
        parts[count++] = (room){&o->fade[c], rows * half * 2};
        for (int m = 0; m < 2 * GY_OCEAN_MOMENTS; m++) {
            parts[count++] = (room){&o->moments[m / 2].part[c][m % 2], 3 * n * stride};
        }
    }
    return lay_out(parts, count, base, 0);
}

/// Where element i of a transform of length n goes before stages `first` .. 0.
static int place_of(const int32_t *radix, int last, int n, int i)
{
    if (last < 0) {
        return 0;
    }
    int part = n / radix[last];
    return i % radix[last] * part + place_of(radix, last - 1, part, i / radix[last]);
}

void gy_ocean_constants(gyre_ocean *o)
{
    int n = o->cells, stages = 0, left = n, m = 1, at = 0;
    while (left > 1) {
        o->radix[stages] = left == 4 || left == 16 ? 4 : 8;
        left /= o->radix[stages++];
    }
    for (int i = 0; i < n; i++) {
        o->place[i] = place_of(o->radix, stages - 1, n, i);
    }
    for (int s = 0; s < stages; s++) {
        for (int j = 0; j < m; j++) {
            for (int q = 1; q < o->radix[s]; q++) {
                gy_turn t = gy_turn_of((int64_t)j * q, (int64_t)m * o->radix[s]);
                o->twiddle[at++] = (float)t.c;
                o->twiddle[at++] = (float)-t.s;
            }
        }
        m *= o->radix[s];
    }
    for (int i = 0; i < n / 2; i++) {
        gy_turn t = gy_turn_of(i, n);
        o->filter[i] = (float)(1.0 / (2.0 / 3.0 + t.c / 3.0));
        o->twiddle[2 * (n + i)] = (float)t.c;
        o->twiddle[2 * (n + i) + 1] = (float)t.s;
    }
    gyre_device *device = o->model.device;
    gy_device_put(device, o->filter, (size_t)n / 2 * sizeof(float));
    gy_device_put(device, o->place, (size_t)n * sizeof(int32_t));
    gy_device_put(device, o->twiddle, (size_t)4 * (size_t)n * sizeof(float));
    gy_fft_scratch *scratch = (void *)o->scratch;
    *scratch = (gy_fft_scratch){.taken = 0, .step = (uint32_t)(3 * 2 * GY_OCEAN_LANES * n)};
    double side = (double)o->def->patch.length;
    for (int c = 0; c < o->cascades; c++) {
        o->side[c] = side;
        o->per_side[c] = 1.0 / side;
        side *= (double)o->def->patch.ratio;
    }
}

// ---- the waves of spectra

/// What all waves of a refresh are made with.
typedef struct maker {
    gyre_ocean *o;
    gy_ocean_system system[GY_OCEAN_SEAS];
    int systems, cascade;
    double low, high; // of wave numbers
    double density;   // of energy over frequency, at the wave in hand
    bool counts;      // whether that is to be told of
    double m0, m2, east, north, most;
    int64_t components;
} maker;

/// The square of the amplitude of wave (mx, my), over two.
static double half_square(maker *a, int mx, int my, double k, double w, double slope)
{
    const gyre_ocean_def *def = a->o->def;
    double step = turn / a->o->side[a->cascade], sum = 0.0;
    a->density = 0.0;
    for (int i = 0; i < a->systems; i++) {
        const gy_ocean_system *s = &a->system[i];
        double energy = gy_ocean_energy(def, s, w, k);
        a->density += energy;
        if (energy > 0.0) {
            float cosine =
                (float)((mx * (double)s->along[0] + my * (double)s->along[1]) * step / k);
            sum += energy * (double)gy_ocean_spreading(s, (float)w, cosine);
        }
    }
    return sum * slope / k * step * step;
}

/// a of wave (mx, my), half of it: what a random phase, or two normal numbers, make of its energy.
static void amplitude(maker *a, int mx, int my, double k, double w, double slope, double out[2])
{
    const gyre_ocean_def *def = a->o->def;
    out[0] = out[1] = 0.0;
    double energy = half_square(a, mx, my, k, w, slope);
    if (!(energy > 1e-24)) {
        return;
    }
    uint32_t key = (uint32_t)(mx + 32768) << 16 | (uint32_t)(my + 32768);
    uint32_t seed = gy_random((uint32_t)def->seed, (uint32_t)a->cascade);
    float c, s, size = 1.0f;
    gy_phase(gy_random(seed, key), &c, &s);
    if (def->draw == GYRE_OCEAN_GAUSSIAN) {
        size = gy_sqrtf(-gy_logf(gy_random_unit(seed + 1, key) + 0x1p-25f));
    }
    double half = 0.5 * __builtin_sqrt(2.0 * energy) * (double)size;
    out[0] = half * (double)c;
    out[1] = half * (double)s;
    if (!a->counts) {
        return;
    }
    double real = energy * (double)size * (double)size, f = w / turn;
    double share = turn / a->o->side[a->cascade] / k;
    a->m0 += real;
    a->m2 += real * f * f;
    a->east += real * mx * share;
    a->north += real * my * share;
    a->components++;
    if (a->density > a->most) {
        a->most = a->density;
        a->o->stats.peak_period = turn / w;
    }
}

/// The numbers of waves (mx, my) and (-mx, my), my >= 0.
static void make_pair(maker *a, int mx, int my, float *to)
{
    const gyre_ocean_def *def = a->o->def;
    double step = turn / a->o->side[a->cascade];
    double k = step * __builtin_sqrt((double)(mx * mx + my * my));
    int most = a->o->columns;
    for (int i = 0; i < GY_OCEAN_NUMBERS; i++) {
        to[i * GY_OCEAN_LANES] = 0.0f;
    }
    if ((mx == 0 && my == 0) || mx * mx + my * my > most * most || k < a->low || k >= a->high) {
        return;
    }
    double w = gy_ocean_frequency(def, k), slope = gy_ocean_group_speed(def, k);
    for (int side = 0; side < (mx > 0 ? 2 : 1); side++) {
        double p[2], q[2];
        int x = side ? -mx : mx;
        // In row 0 both sides are the same two waves.
        a->counts = my > 0 || side == 0;
        amplitude(a, x, my, k, w, slope, p);
        amplitude(a, -x, -my, k, w, slope, q);
        float *at = to + 4 * side * GY_OCEAN_LANES;
        at[0 * GY_OCEAN_LANES] = (float)(p[0] + q[0]);
        at[1 * GY_OCEAN_LANES] = (float)(p[1] - q[1]);
        at[2 * GY_OCEAN_LANES] = (float)(p[0] - q[0]);
        at[3 * GY_OCEAN_LANES] = (float)(p[1] + q[1]);
    }
    double sideways = def->depth > 0.0f ? 1.0 / gy_ocean_tanh(k * (double)def->depth) : 1.0;
    uint64_t rate = (uint64_t)(w / turn * 1099511627776.0 + 0.5);
    uint32_t halves[2] = {(uint32_t)rate, (uint32_t)(rate >> 32)};
    to[8 * GY_OCEAN_LANES] = (float)(mx * step / k * sideways);
    to[9 * GY_OCEAN_LANES] = (float)(my * step / k * sideways);
    memcpy(to + 10 * GY_OCEAN_LANES, &halves[0], sizeof(float));
    memcpy(to + 11 * GY_OCEAN_LANES, &halves[1], sizeof(float));
}

static void make_waves(maker *a)
{
    gyre_ocean *o = a->o;
    for (int my = 0; my < o->row_count; my++) {
        float *row =
            o->waves[a->cascade] +
            (ptrdiff_t)(my / GY_OCEAN_LANES) * (o->cells / 2) * GY_OCEAN_NUMBERS * GY_OCEAN_LANES +
            my % GY_OCEAN_LANES;
        for (int mx = 0; mx < o->cells / 2; mx++) {
            make_pair(a, mx, my, row + (ptrdiff_t)mx * GY_OCEAN_NUMBERS * GY_OCEAN_LANES);
        }
    }
}

static void make_trains(gyre_ocean *o)
{
    const gyre_ocean_wave *waves = o->def->waves.items;
    o->train_count = 0;
    for (int i = 0; i < o->def->waves.count; i++) {
        const gyre_ocean_wave *w = &waves[i];
        if (!w->enabled) {
            continue;
        }
        double k = w->length > 0.0f ? turn / (double)w->length
                                    : gy_ocean_number(o->def, turn / (double)w->period);
        double frequency = gy_ocean_frequency(o->def, k);
        int64_t whole = (int64_t)360 * 65536;
        gy_turn t =
            gy_turn_of(((int64_t)((double)w->direction * 65536.0) % whole + whole) % whole, whole);
        double shallow = o->def->depth > 0.0f ? gy_ocean_tanh(k * (double)o->def->depth) : 1.0;
        o->trains[o->train_count++] =
            (gy_ocean_train){.turns = {k / turn * t.c, k / turn * t.s},
                             .start = (double)w->phase / 360.0,
                             .rate = (uint64_t)(frequency / turn * 1099511627776.0 + 0.5),
                             .amplitude = w->amplitude,
                             .number = (float)k,
                             .speed = (float)frequency,
                             .along = {(float)t.c, (float)t.s},
                             .sideways = (float)(1.0 / shallow),
                             .steepness = w->steepness};
    }
}

/// From moments; 0 where there are no waves.
static void tell(gyre_ocean *o, const maker *a)
{
    gyre_ocean_stats *s = &o->stats;
    double asked = 0.0;
    for (int i = 0; i < a->systems; i++) {
        asked += a->system[i].m0;
    }
    s->components = a->components;
    s->asked_height = 4.0 * __builtin_sqrt(asked);
    s->significant_height = 4.0 * __builtin_sqrt(a->m0);
    s->mean_period = a->m2 > 0.0 ? __builtin_sqrt(a->m0 / a->m2) : 0.0;
    s->mean_direction =
        a->m0 > 0.0 ? (double)gy_atan2f((float)a->north, (float)a->east) * 57.29577951308232 : 0.0;
    double r = a->m0 > 0.0 ? __builtin_sqrt(a->east * a->east + a->north * a->north) / a->m0 : 1.0;
    s->spread = __builtin_sqrt(GY_MAX(2.0 * (1.0 - r), 0.0)) * 57.29577951308232;
}

void gy_ocean_refresh(gyre_ocean *o)
{
    if (!o->stale) {
        return;
    }
    const gyre_ocean_sea *seas = o->def->seas.items;
    maker a = {.o = o};
    for (int i = 0; i < o->def->seas.count; i++) {
        if (seas[i].enabled) {
            a.system[a.systems++] = gy_ocean_system_of(o->def, &seas[i]);
        }
    }
    o->stats.peak_period = 0.0;
    o->empty = a.systems == 0;
    for (int c = 0; c < o->cascades && !o->empty; c++) {
        a.cascade = c;
        a.low = c > 0 ? GY_OCEAN_OVERLAP * turn / o->side[c] : 0.0;
        a.high = c + 1 < o->cascades ? GY_OCEAN_OVERLAP * turn / o->side[c + 1] : 1e30;
        make_waves(&a);
        gy_device_put(o->model.device, o->waves[c],
                      (size_t)o->row_count * (size_t)(o->cells / 2) * GY_OCEAN_NUMBERS *
                          sizeof(float));
    }
    make_trains(o);
    tell(o, &a);
    for (int m = 0; m < GY_OCEAN_MOMENTS; m++) {
        o->moments[m].made[0] = o->moments[m].made[1] = false;
    }
    o->faded = -1.0f;
    o->stale = false;
}
