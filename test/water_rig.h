// test/water_rig.h: a tank for the kernel of shallow water alone: dense arrays, cut into patches
// for each step, with walls or joined sides and shut faces inside.
#ifndef GY_WATER_RIG_H
#define GY_WATER_RIG_H

#include "base/base.h"
#include "base/maths.h"
#include "device/fp.h"
#include "device/isa.h"
#include "water/ops/patch.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef void (*shallow_kernel)(const gy_shallow *s, gy_patch *p, float *depth, float *qx, float *qy,
                               gy_flow_result *told);

typedef struct kernel_entry {
    const char *isa;
    shallow_kernel step;
} kernel_entry;

// Of test/isa/shallow.c, once per instruction set.
#define GYRE_TEST_ISA(isa)                                                                         \
    void test_shallow_##isa(const gy_shallow *s, gy_patch *p, float *depth, float *qx, float *qy,  \
                            gy_flow_result *told);
GYRE_TEST_ISAS
#undef GYRE_TEST_ISA
#define GYRE_TEST_ISA(isa) {#isa, test_shallow_##isa},
static const kernel_entry all_kernels[] = {GYRE_TEST_ISAS};
#undef GYRE_TEST_ISA

/// The kernel of this instruction set; NULL where this machine has it not.
static inline shallow_kernel kernel_of(int k)
{
    const gy_isa_table *table;
    return gy_isa_find(all_kernels[k].isa, &table) == GYRE_OK ? all_kernels[k].step : NULL;
}

static inline shallow_kernel best_kernel(void)
{
    shallow_kernel best = NULL;
    for (int k = 0; k < GY_COUNT(all_kernels); k++) {
        shallow_kernel kernel = kernel_of(k);
        best = kernel ? kernel : best;
    }
    return best;
}

typedef struct tank {
    int n[2];
    bool periodic[2];
    int cut[2]; // cells of the domain that the first tile of an axis holds, 1 to 64
    gy_shallow s;
    float *bed, *d, *qx, *qy; // n[0] * n[1]
    uint8_t *shut;            // GY_SHUT_X, GY_SHUT_Y of low faces
    float *pass_x, *pass_y;   // of the last step; (n[0] + 1) * n[1], n[0] * (n[1] + 1)
    shallow_kernel kernel;
    gy_patch *patch;
    float *next[3];
    gy_flow_result told;
    double time;
    int steps;
} tank;

static inline float *tank_floats(int count)
{
    float *f = calloc((size_t)count, sizeof *f);
    assert_non_null(f);
    return f;
}

static inline tank tank_make(int nx, int ny, float h)
{
    tank t = {.n = {nx, ny}, .cut = {64, 64}};
    int cells = nx * ny;
    t.s = (gy_shallow){.h = h,
                       .gravity = 9.81f,
                       .damping = 1.0f,
                       .dry_depth = 1e-4f,
                       .speed_cap = 1000.0f,
                       .one_dimensional = ny == 1};
    t.bed = tank_floats(cells);
    t.d = tank_floats(cells);
    t.qx = tank_floats(cells);
    t.qy = tank_floats(cells);
    t.pass_x = tank_floats((nx + 1) * ny);
    t.pass_y = tank_floats(nx * (ny + 1));
    t.shut = calloc((size_t)cells, 1);
    t.kernel = best_kernel();
    t.patch = aligned_alloc(64, sizeof *t.patch);
    assert_non_null(t.patch);
    memset(t.patch, 0, sizeof *t.patch);
    for (int q = 0; q < 3; q++) {
        t.next[q] = tank_floats(cells);
    }
    return t;
}

static inline void tank_free(tank *t)
{
    float *all[] = {t->bed,    t->d,       t->qx,      t->qy,     t->pass_x,
                    t->pass_y, t->next[0], t->next[1], t->next[2]};
    for (int q = 0; q < GY_COUNT(all); q++) {
        free(all[q]);
    }
    free(t->shut);
    free(t->patch);
}

/// Coordinate `i` of the domain along an axis, wrapped; -1 outside.
static inline int tank_index(const tank *t, int axis, int i)
{
    if (t->periodic[axis]) {
        return ((i % t->n[axis]) + t->n[axis]) % t->n[axis];
    }
    return i >= 0 && i < t->n[axis] ? i : -1;
}

static inline int tank_shut(const tank *t, int i, int j)
{
    int x = tank_index(t, 0, i), y = tank_index(t, 1, j);
    int bits = x >= 0 && y >= 0 ? t->shut[x + t->n[0] * y] : GY_SHUT_X | GY_SHUT_Y;
    if (tank_index(t, 0, i - 1) < 0) {
        bits |= GY_SHUT_X;
    }
    if (tank_index(t, 1, j - 1) < 0) {
        bits |= GY_SHUT_Y;
    }
    return bits;
}

/// The patch whose cell (0, 0) is cell (i0, j0) of the tank. Lanes outside of it hold rubbish.
static inline void tank_gather(tank *t, int i0, int j0)
{
    gy_patch *p = t->patch;
    p->open = true;
    for (int j = -GY_WATER_HALO; j < GY_WATER_TILE + GY_WATER_HALO; j++) {
        int y = tank_index(t, 1, t->n[1] == 1 ? 0 : j0 + j);
        for (int i = -GY_PATCH_FIRST; i < GY_PATCH_STRIDE - GY_PATCH_FIRST; i++) {
            int to = gy_patch_at(i, j), x = tank_index(t, 0, i0 + i);
            bool rubbish = i < -GY_WATER_HALO || i >= GY_WATER_TILE + GY_WATER_HALO;
            bool out = x < 0 || y < 0, none = rubbish || out;
            int from = none ? 0 : x + t->n[0] * y;
            p->depth[to] = rubbish ? 3e38f : out ? 0.0f : t->d[from];
            p->qx[to] = rubbish ? -3e38f : out ? 0.0f : t->qx[from];
            p->qy[to] = rubbish ? 3e38f : out ? 0.0f : t->qy[from];
            p->bed[to] = rubbish ? -3e38f : out ? 0.0f : t->bed[from];
            p->shut[to] = rubbish ? i : tank_shut(t, i0 + i, j0 + j);
            if (!rubbish && p->shut[to] & (t->n[1] == 1 ? GY_SHUT_X : GY_SHUT_X | GY_SHUT_Y)) {
                p->open = false;
            }
        }
    }
    if (p->open) {
        memset(p->shut, 0x55, sizeof p->shut);
    }
    memset(p->pass_x, 0x7f, sizeof p->pass_x);
    memset(p->pass_y, 0x7f, sizeof p->pass_y);
}

/// What the step of a patch left behind goes into the tank; faces that two patches share must have
/// passed the same number.
static inline void tank_scatter(tank *t, int i0, int j0, float *const out[3])
{
    const gy_patch *p = t->patch;
    int nx = t->n[0], ny = t->n[1];
    for (int j = GY_MAX(0, -j0); j <= GY_WATER_TILE && j0 + j <= ny; j++)
        for (int i = GY_MAX(0, -i0); i <= GY_WATER_TILE && i0 + i <= nx; i++) {
            int x = i0 + i, y = j0 + j;
            if (i < GY_WATER_TILE && j < GY_WATER_TILE && x < nx && y < ny) {
                for (int q = 0; q < 3; q++) {
                    t->next[q][x + nx * y] = out[q][i + GY_WATER_TILE * j];
                }
            }
            if (j < GY_WATER_TILE && y < ny) {
                float *face = &t->pass_x[x + (nx + 1) * y], value = p->pass_x[gy_patch_at(i, j)];
                assert_true(i > 0 || i0 <= 0 || *face == value);
                *face = value;
            }
            if (i < GY_WATER_TILE && x < nx) {
                float *face = &t->pass_y[x + nx * y], value = p->pass_y[gy_patch_at(i, j)];
                assert_true(j > 0 || j0 <= 0 || *face == value);
                *face = value;
            }
        }
}

/// A substep of every patch.
static inline void tank_step(tank *t, float dt)
{
    static float out[3][GY_WATER_TILE * GY_WATER_TILE];
    gy_flow_result all = {0};
    t->s.dt = dt;
    for (int j0 = t->cut[1] - GY_WATER_TILE; j0 < t->n[1]; j0 += GY_WATER_TILE)
        for (int i0 = t->cut[0] - GY_WATER_TILE; i0 < t->n[0]; i0 += GY_WATER_TILE) {
            gy_flow_result told;
            t->s.rows = GY_MIN(GY_WATER_TILE, t->n[1] - j0);
            tank_gather(t, i0, j0);
            gy_fp found = gy_fp_enter();
            t->kernel(&t->s, t->patch, out[0], out[1], out[2], &told);
            gy_fp_leave(found);
            tank_scatter(t, i0, j0, (float *const[]){out[0], out[1], out[2]});
            all.wave_speed = GY_MAX(all.wave_speed, told.wave_speed);
            all.change = GY_MAX(all.change, told.change);
            all.speed = GY_MAX(all.speed, told.speed);
            all.capped += told.capped;
        }
    float **state[3] = {&t->d, &t->qx, &t->qy};
    for (int q = 0; q < 3; q++) {
        float *old = *state[q];
        *state[q] = t->next[q];
        t->next[q] = old;
    }
    t->told = all;
    t->time += (double)dt;
    t->steps++;
}

/// |u| + sqrt(g d), as told by a step; before the first, from the state.
static inline double tank_wave(const tank *t)
{
    if (t->steps > 0) {
        return (double)t->told.wave_speed;
    }
    double most = 0.0;
    for (int q = 0; q < t->n[0] * t->n[1]; q++)
        if (t->d[q] >= t->s.dry_depth) {
            double d = (double)t->d[q];
            double u = fmax(fabs((double)t->qx[q]), fabs((double)t->qy[q])) / d;
            most = fmax(most, u + sqrt((double)t->s.gravity * d));
        }
    return most;
}

/// On to time `end` by steps at a Courant number.
static inline void tank_run(tank *t, double end, double courant)
{
    while (t->time < end * (1.0 - 1e-7)) {
        double most = courant * (double)t->s.h / fmax(tank_wave(t), 1e-9);
        double left = end - t->time;
        tank_step(t, (float)(left / ceil(left / most)));
    }
}

static inline double tank_volume(const tank *t)
{
    double sum = 0.0;
    for (int q = 0; q < t->n[0] * t->n[1]; q++) {
        sum += (double)t->d[q];
    }
    return sum;
}

static inline bool tank_same(const tank *a, const tank *b)
{
    size_t size = (size_t)a->n[0] * (size_t)a->n[1] * sizeof(float);
    return memcmp(a->d, b->d, size) == 0 && memcmp(a->qx, b->qx, size) == 0 &&
           memcmp(a->qy, b->qy, size) == 0;
}

#endif
