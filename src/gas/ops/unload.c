// gas/ops/unload.c: what particles give the gas: their momentum, to the faces by the weights by
// which
// they read its velocity.
//
//     u_f += sum over particles of w_f a (what the drag has given it)
//
// Sums are of whole numbers, of 2^-40 m/s, so that they are the same bits in whatever order they
// are
// made, by any number of threads and on any device; what is given is rounded to those, and a face
// takes up to 2^23 m/s. unload adds to a component's sums, unloaded brings them into its field and
// begins them anew. Bytes: unload reads 4 (1 + dim) a particle and adds to 2^dim sums; unloaded
// reads and writes 12 a face.
#include "gas/ops/tracer_args.h"
#include "ops/particle/particle.h"
#include "ops/row/body.h"

#define WHOLE 0x1p40f
#define MOST 65536.0f // m/s that one particle gives a face at most

GY_INLINE int64_t whole(float x)
{
    x = x > MOST ? MOST : x < -MOST ? -MOST : x;
    x = x * WHOLE;
    return (int64_t)(x + (x < 0.0f ? -0.5f : 0.5f));
}

static void add(const gy_unload_args *a, const float c[3], float amount)
{
    const gy_extent *e = &a->extent;
    const int stride[3] = {1, e->sy, e->sz};
    int64_t *sums = (int64_t *)(void *)gy_at(a->particles, a->sums);
    ptrdiff_t place[3][2] = {{0}};
    float share[3][2] = {{1.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 0.0f}};
    for (int d = 0; d < e->dim; d++) {
        bool own = d == a->axis, round = a->periodic >> d & 1u;
        float x = own ? c[d] : c[d] - 0.5f;
        int n = e->n[d], k = (int)x - (x < 0.0f);
        k = own && k >= n ? n - 1 : k;
        for (int s = 0; s < 2; s++) {
            int i = k + s, last = own ? n : n - 1;
            i = round ? (i < 0 ? i + n : i >= n ? i - n : i) : i < 0 ? 0 : i > last ? last : i;
            place[d][s] = (ptrdiff_t)i * stride[d];
            share[d][s] = s ? x - (float)k : 1.0f - (x - (float)k);
        }
    }
    for (int q = 0; q < 1 << e->dim; q++) {
        int x = q & 1, y = q >> 1 & 1, z = q >> 2;
        int64_t by = whole(((share[0][x] * share[1][y]) * share[2][z]) * amount);
        if (by != 0) {
            __atomic_fetch_add(&sums[place[0][x] + place[1][y] + place[2][z]], by,
                               __ATOMIC_RELAXED);
        }
    }
}

void GY_BODY(unload)(const void *args, const gy_box *box, int task)
{
    const gy_unload_args *a = args;
    const gy_particle_now *now = (const void *)gy_at(a->particles, a->now);
    const float *given = gy_at(a->particles, a->given + (uint32_t)a->axis * a->step);
    const float *at[3];
    int last = GY_MIN(box->high[0], (int)now->count);
    (void)task;
    for (uint32_t d = 0; d < 3; d++) {
        at[d] = gy_at(a->particles, a->given + (3u + d) * a->step);
    }
    for (int i = box->low[0]; i < last; i++) {
        const float c[3] = {at[0][i], at[1][i], gy_is_3d(a->extent.dim) ? at[2][i] : 0.0f};
        if (given[i] != 0.0f) {
            add(a, c, a->each * given[i]);
        }
    }
}

void GY_BODY(unloaded)(const void *args, const gy_box *box, int task)
{
    const gy_unload_args *a = args;
    int64_t *sums = (int64_t *)(void *)gy_at(a->particles, a->sums);
    (void)task;
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            ptrdiff_t row = (ptrdiff_t)j * a->extent.sy + (ptrdiff_t)k * a->extent.sz;
            float *u = gy_at(a->base, a->velocity) + row;
            for (int i = box->low[0]; i < box->high[0]; i++) {
                int64_t sum = sums[row + i];
                if (sum != 0) {
                    // In two parts, so that each is exact where it counts.
                    float high = (float)(sum >> 24), low = (float)(sum & 0xffffff);
                    u[i] = u[i] + (high * 0x1p-16f + low * 0x1p-40f);
                    sums[row + i] = 0;
                }
            }
        }
    }
}
