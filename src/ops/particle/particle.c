// ops/particle/particle.c: a stable counting sort of particles by cell, whose result depends on
// their positions and their order alone; and how many there are, which some come to and some go
// from.
//
// Two passes, each of them stable, so that however particles are cut into tasks the result is the
// one stable order: into 256 buckets of bins that follow one another, then within a bucket by bin.
// Those of a bucket fit the second-level cache. What is gone is left out. Bytes per particle of n
// words: 12 read and 4 written by the keys, 4 n + 8 and 4 n + 4 by each pass.
#include "ops/particle/particle.h"
#include "ops/row/body.h"

enum { CHUNK = 256 };

static gy_word *words(uint64_t base, uint32_t offset)
{
    return (gy_word *)(void *)gy_at(base, offset);
}

static gy_particle_now *now(const gy_particle_args *a)
{
    return (gy_particle_now *)(void *)gy_at(a->base, a->now);
}

void GY_BODY(particle_append)(const void *args, const gy_box *box, int task)
{
    const gy_particle_args *a = args;
    size_t count = (size_t)(box->high[0] - box->low[0]) * sizeof(gy_word);
    (void)task;
    for (int q = 0; q < a->arrays; q++) {
        const gy_word *source = words(a->base, a->to + (uint32_t)q * a->step);
        gy_word *target = words(a->base, a->from + (uint32_t)q * a->step) + now(a)->count;
        memcpy(target + box->low[0], source + box->low[0], count);
    }
}

void GY_BODY(particle_grow)(const void *args, const gy_box *box, int task)
{
    const gy_particle_args *a = args;
    (void)box, (void)task;
    now(a)->count += (uint32_t)a->more;
}

void GY_BODY(particle_settle)(const void *args, const gy_box *box, int task)
{
    const gy_particle_args *a = args;
    gy_word *gone = words(a->base, a->gone), any = 0;
    (void)box, (void)task;
    for (int t = 0; t < GY_MAX_TASKS; t++) {
        any |= gone[t];
        gone[t] = 0;
    }
    now(a)->settled = !a->always && !any;
}

void GY_BODY(particle_key)(const void *args, const gy_box *box, int task)
{
    const gy_particle_args *a = args;
    int last = GY_MIN(box->high[0], (int)now(a)->count);
    gy_word *count = words(a->base, a->counts) + (ptrdiff_t)task * GY_PARTICLE_COUNTS;
    gy_word *keys = words(a->base, a->keys);
    const int step[3] = {1, a->n[0], a->n[0] * a->n[1]};
    memset(count, 0, GY_PARTICLE_COUNTS * sizeof *count);
    for (int i = GY_MAX(box->low[0], last); i < box->high[0]; i++) {
        keys[i] = UINT32_MAX;
    }
    for (int i = box->low[0]; i < last; i += VW) {
        vi cell = gy_splat_int(0), out = cell;
        for (int d = 0; d < a->dim; d++) {
            vf n = gy_splat((float)a->n[d]);
            const float *x = gy_at(a->base, a->from + (uint32_t)d * a->step);
            vf c = (gy_load(x + i) - a->origin[d]) * a->inverse;
            // What rounding has led a hair outside is taken for inside.
            out |= (vi)(c < -0.5f) | (vi)(c > n + 0.5f);
            c = gy_clamp(c, gy_splat(0.0f), n - 1.0f);
            cell += gy_to_int(c) * step[d];
        }
        cell = (cell >> a->coarse) | out;
        int end = GY_MIN(VW, last - i);
        for (int l = 0; l < end; l++) {
            uint32_t key = (uint32_t)cell[l];
            keys[i + l] = key;
            if (key != UINT32_MAX) {
                count[key >> a->shift]++;
            }
        }
    }
}

void GY_BODY(particle_starts)(const void *args, const gy_box *box, int task)
{
    const gy_particle_args *a = args;
    gy_word *count = words(a->base, a->counts), *starts = words(a->base, a->starts);
    uint32_t sum = 0;
    (void)box, (void)task;
    for (int b = 0; b < GY_PARTICLE_BUCKETS; b++) {
        starts[b] = sum;
        for (int t = 0; t < a->tasks; t++) {
            gy_word *at = &count[(ptrdiff_t)t * GY_PARTICLE_COUNTS + b];
            uint32_t c = *at;
            *at = sum;
            sum += c;
        }
    }
    starts[GY_PARTICLE_BUCKETS] = sum;
    now(a)->count = sum;
}

/// Copies particles first to end of every array to their places.
static void move(const gy_particle_args *a, uint32_t from, uint32_t to, int first, int count,
                 const uint32_t *which, const uint32_t *place)
{
    for (int q = 0; q < a->arrays; q++) {
        const gy_word *source = words(a->base, from + (uint32_t)q * a->step) + first;
        gy_word *target = words(a->base, to + (uint32_t)q * a->step);
        for (int i = 0; i < count; i++) {
            target[place[i]] = source[which[i]];
        }
    }
}

void GY_BODY(particle_scatter)(const void *args, const gy_box *box, int task)
{
    const gy_particle_args *a = args;
    gy_word *next = words(a->base, a->counts) + (ptrdiff_t)task * GY_PARTICLE_COUNTS;
    const gy_word *keys = words(a->base, a->keys);
    gy_word *sorted = words(a->base, a->sorted);
    for (int first = box->low[0]; first < box->high[0]; first += CHUNK) {
        uint32_t which[CHUNK], place[CHUNK];
        int count = 0, end = GY_MIN(CHUNK, box->high[0] - first);
        for (int i = 0; i < end; i++) {
            uint32_t key = keys[first + i];
            if (key != UINT32_MAX) {
                uint32_t at = next[key >> a->shift]++;
                sorted[at] = key;
                which[count] = (uint32_t)i;
                place[count++] = at;
            }
        }
        move(a, a->from, a->to, first, count, which, place);
    }
}

static void order(const gy_particle_args *a, int first, int end, gy_word *bins)
{
    const gy_word *keys = words(a->base, a->sorted);
    uint32_t mask = (1u << a->shift) - 1u, sum = (uint32_t)first;
    memset(bins, 0, sizeof *bins << a->shift);
    for (int i = first; i < end; i++) {
        bins[keys[i] & mask]++;
    }
    for (uint32_t b = 0; b <= mask; b++) {
        uint32_t c = bins[b];
        bins[b] = sum;
        sum += c;
    }
    for (int i = first; i < end; i += CHUNK) {
        uint32_t which[CHUNK], place[CHUNK];
        int count = GY_MIN(CHUNK, end - i);
        for (int l = 0; l < count; l++) {
            which[l] = (uint32_t)l;
            place[l] = bins[keys[i + l] & mask]++;
        }
        move(a, a->to, a->from, i, count, which, place);
    }
}

void GY_BODY(particle_order)(const void *args, const gy_box *box, int task)
{
    const gy_particle_args *a = args;
    const gy_word *starts = words(a->base, a->starts);
    gy_word *bins = words(a->base, a->bins) + ((ptrdiff_t)task << a->shift);
    for (int b = box->low[0]; b < box->high[0]; b++) {
        if (starts[b + 1] > starts[b]) {
            order(a, (int)starts[b], (int)starts[b + 1], bins);
        }
    }
}
