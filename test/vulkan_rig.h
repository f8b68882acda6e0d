// test/vulkan_rig.h: one block of memory on a CPU device and on a Vulkan device, the same op on
// both, and a comparison. Include it after cmocka.
//
//     int main(void)
//     {
//         if (!vulkan_rig_open()) // says why, when there is no Vulkan device
//             return VULKAN_RIG_SKIPPED;
//         ...
//         int failed = cmocka_run_group_tests(tests, NULL, NULL);
//         return failed + vulkan_rig_close(); // a message of the validation layer is a failure
//     }
//
// A test takes a block, fills the CPU's side of it (with rig_random_field, with a gy_system, by
// running ops on the_cpu), hands the same bytes to the GPU (rig_share), runs ops on both (rig_run)
// and compares (rig_same_field, rig_same_level, rig_same_floats, ...).
#ifndef GYRE_TEST_VULKAN_RIG_H
#define GYRE_TEST_VULKAN_RIG_H

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/backend.h"
#ifdef GY_WITH_VULKAN
#include "device/vulkan/twin.h"
#include "device/vulkan/vulkan.h"
#endif
#include "gas/ops/args.h"
#include "grid/layout.h"
#include "ops/system/level.h"
#include "solve/solve.h"

enum { VULKAN_RIG_SKIPPED = 77 };

static gyre_device *the_cpu, *the_gpu;

static inline void rig_print(void *user, gyre_log_level level, const char *message)
{
    (void)user;
    if (level == GYRE_LOG_WARNING)
        fprintf(stderr, "%s\n", message);
}

static inline gyre_device_def rig_gpu_def(void)
{
    gyre_device_def def = gyre_default_device_def();
    def.kind = GYRE_DEVICE_VULKAN;
    def.threads = 2;
    def.vulkan.name = getenv("GYRE_TEST_VULKAN"); // NULL: the best of the machine
    def.vulkan.validate = !getenv("GYRE_TEST_NO_VALIDATION");
    def.host.log = rig_print;
    return def;
}

static inline bool vulkan_rig_open(void)
{
    // Mesa's driver for processors forgets 128 bytes when it is unloaded, whoever used it, and the
    // leak sanitizer would say so.
    dlopen("libvulkan_lvp.so", RTLD_NOW | RTLD_NODELETE);
    gyre_device_def gpu = rig_gpu_def(), cpu = gyre_default_device_def();
    cpu.threads = 2;
    gyre_result result = gyre_device_create(&gpu, &the_gpu);
    if (result != GYRE_OK) {
        printf("SKIPPED: %s\n", gyre_message());
        return false;
    }
    printf("on %s\n", gyre_device_name(the_gpu));
    return gyre_device_create(&cpu, &the_cpu) == GYRE_OK;
}

/// Whether a processor plays the device, which takes a hundred times as long.
static inline bool rig_is_played(void)
{
#ifdef GY_WITH_VULKAN
    return ((const gy_vulkan *)the_gpu->state)->played;
#else
    return false;
#endif
}

/// How many of so many steps a test takes: all on a card, two fifths where a processor plays one.
static inline int rig_steps(int count)
{
    return rig_is_played() ? count * 2 / 5 : count;
}

/// Counts what the validation layer had to say.
static inline int vulkan_rig_close(void)
{
    int complaints = (int)the_gpu->complaints;
    if (complaints)
        fprintf(stderr, "FAILED: %d messages of the validation layer\n", complaints);
    gyre_device_destroy(the_gpu);
    gyre_device_destroy(the_cpu);
    return complaints;
}

// ---- random numbers: the same on every machine --------------------------------------------------

static uint64_t rig_seed = 1;

static inline uint32_t rig_bits(void)
{
    rig_seed = rig_seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(rig_seed >> 33) * 2u + (uint32_t)(rig_seed >> 32 & 1u);
}

/// In [low, high).
static inline float rig_float(float low, float high)
{
    return low + (high - low) * (float)(rig_bits() >> 8) * (1.0f / 16777216.0f);
}

/// In [low, high].
static inline int rig_int(int low, int high)
{
    return low + (int)(rig_bits() % (uint32_t)(high - low + 1));
}

// ---- a block ------------------------------------------------------------------------------------

typedef struct rig_block {
    uint8_t *cpu, *gpu;
    size_t bytes;
    gy_arena arena; // on the CPU's side; offsets are the same on the other
} rig_block;

static inline rig_block rig_take_block(size_t bytes)
{
    bytes = (bytes + 4095) / 4096 * 4096;
    rig_block b = {.cpu = gy_device_allocate(the_cpu, bytes),
                   .gpu = gy_device_allocate(the_gpu, bytes),
                   .bytes = bytes};
    assert_non_null(b.cpu);
    assert_non_null(b.gpu);
    b.arena = (gy_arena){.base = (uint64_t)(uintptr_t)b.cpu, .used = 1};
    return b;
}

static inline void rig_give_back(rig_block *b)
{
    gy_device_release(the_cpu, b->cpu, b->bytes);
    gy_device_release(the_gpu, b->gpu, b->bytes);
    *b = (rig_block){0};
}

/// The base for args; rig_run puts the other side's in its place.
static inline uint64_t rig_base(const rig_block *b)
{
    return b->arena.base;
}

/// An offset for args, of memory for this many bytes.
static inline uint32_t rig_take_bytes(rig_block *b, size_t bytes)
{
    uint32_t at = gy_arena_take(&b->arena, bytes);
    assert_true((size_t)b->arena.used * 64 <= b->bytes);
    return at;
}

/// The CPU's side, from an offset.
static inline void *rig_at(const rig_block *b, uint32_t offset)
{
    return b->cpu + (size_t)offset * 64;
}

/// Hands the CPU's bytes to the GPU.
static inline void rig_share(rig_block *b)
{
    memcpy(b->gpu, b->cpu, b->bytes);
    gy_device_put(the_gpu, b->gpu, b->bytes);
}

/// Makes the GPU's side readable at b->gpu.
static inline void rig_fetch(rig_block *b)
{
    gy_device_fetch(the_gpu, b->gpu, b->bytes);
    if (gy_device_status(the_gpu) != GYRE_OK)
        fail_msg("%s", gyre_message());
}

/// The op on both devices. `args` are the CPU's; the addresses in them that lie in the block become
/// those of the GPU's side.
static inline void rig_run(rig_block *b, gy_op op, const void *args, gy_box box)
{
#ifdef GY_WITH_VULKAN
    if (!gy_device_has(the_gpu, op))
        fail_msg("%s has no twin", gy_op_name(op));
    const gy_twin *twin = &gy_twins[op];
    uint8_t copy[256];
    assert_true(twin->args <= sizeof copy);
    memcpy(copy, args, twin->args);
    for (int i = 0; i < twin->addresses; i++) {
        uint64_t at, low = rig_base(b);
        memcpy(&at, copy + twin->address[i], sizeof at);
        assert_true(at == 0 || (at >= low && at < low + b->bytes));
        at = at ? at - low + (uint64_t)(uintptr_t)b->gpu : 0;
        memcpy(copy + twin->address[i], &at, sizeof at);
    }
    gy_run(the_cpu, op, args, box);
    gy_run(the_gpu, op, copy, box);
#else
    (void)b, (void)op, (void)args, (void)box;
#endif
}

// ---- fields -------------------------------------------------------------------------------------

static inline gy_layout rig_layout(int dim, int nx, int ny, int nz)
{
    gyre_grid grid = {.dim = dim, .n = {nx, ny, dim == 3 ? nz : 1}, .h = 1.0f};
    return gy_layout_make(&grid);
}

static inline gy_extent rig_extent(const gy_layout *l)
{
    return (gy_extent){.n = {l->n[0], l->n[1], l->n[2]},
                       .sy = (int32_t)l->sy,
                       .sz = (int32_t)l->sz,
                       .dim = l->dim};
}

/// Bytes that a field takes of a block.
static inline size_t rig_field_bytes(const gy_layout *l)
{
    return (size_t)(l->floats + 2 * l->slack + 64) * sizeof(float);
}

/// A field: its offset, to sample (0, 0, 0).
static inline uint32_t rig_take_field(rig_block *b, const gy_layout *l)
{
    uint32_t slack = (uint32_t)((l->slack + 15) / 16);
    return rig_take_bytes(b, rig_field_bytes(l)) + slack + (uint32_t)(l->origin / 16);
}

static inline float *rig_sample(const rig_block *b, uint32_t field, const gy_extent *e, int i,
                                int j, int k)
{
    return (float *)rig_at(b, field) + i + (ptrdiff_t)j * e->sy + (ptrdiff_t)k * e->sz;
}

/// Every float of the field, halo and padding included.
static inline void rig_random_field(rig_block *b, uint32_t field, const gy_layout *l, float low,
                                    float high)
{
    float *first = (float *)rig_at(b, field) - l->origin;
    for (ptrdiff_t i = -(l->slack / 2); i < l->floats + l->slack / 2; i++)
        first[i] = rig_float(low, high);
}

// ---- comparisons --------------------------------------------------------------------------------

/// How far two numbers may lie apart: so many steps of a float, or so much; either will do.
typedef struct rig_bound {
    int64_t ulp;
    double absolute;
} rig_bound;

static inline int64_t rig_order(float x)
{
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >= 0 ? bits : (int64_t)INT32_MIN - bits;
}

static inline int64_t rig_ulp(float a, float b)
{
    // Devices may flush denormals.
    a = fabsf(a) < 1.2e-38f ? 0.0f : a;
    b = fabsf(b) < 1.2e-38f ? 0.0f : b;
    return llabs(rig_order(a) - rig_order(b));
}

static inline bool rig_near(float cpu, float gpu, rig_bound bound)
{
    if (!gy_is_finite(gpu))
        return false;
    return rig_ulp(cpu, gpu) <= bound.ulp || fabs((double)cpu - (double)gpu) <= bound.absolute;
}

/// One number of the block at an address of the CPU's side.
static inline void rig_same(const rig_block *b, const float *at, rig_bound bound, const char *what,
                            int i, int j, int k)
{
    const float *other = (const float *)(const void *)(b->gpu + ((const uint8_t *)at - b->cpu));
    if (!rig_near(*at, *other, bound))
        fail_msg("%s at (%d, %d, %d): %.9g on the CPU, %.9g on the GPU, %lld ulp apart", what, i, j,
                 k, (double)*at, (double)*other, (long long)rig_ulp(*at, *other));
}

/// Samples low to high (not included) of a field. Fetch first.
static inline void rig_same_field(const rig_block *b, uint32_t field, const gy_extent *e,
                                  gy_box box, rig_bound bound, const char *what)
{
    for (int k = box.low[2]; k < box.high[2]; k++) {
        for (int j = box.low[1]; j < box.high[1]; j++) {
            for (int i = box.low[0]; i < box.high[0]; i++)
                rig_same(b, rig_sample(b, field, e, i, j, k), bound, what, i, j, k);
        }
    }
}

static inline void rig_same_floats(const rig_block *b, uint32_t offset, int count, rig_bound bound,
                                   const char *what)
{
    for (int i = 0; i < count; i++)
        rig_same(b, (const float *)rig_at(b, offset) + i, bound, what, i, 0, 0);
}

/// Doubles, as partial sums: apart by a part of the larger, or by so much.
static inline void rig_same_doubles(const rig_block *b, uint32_t offset, int count, double part,
                                    double absolute, const char *what)
{
    const double *cpu = rig_at(b, offset);
    const double *gpu = (const double *)(const void *)(b->gpu + (size_t)offset * 64);
    for (int i = 0; i < count; i++) {
        double most = fmax(fabs(cpu[i]), fabs(gpu[i]));
        if (!(fabs(cpu[i] - gpu[i]) <= fmax(part * most, absolute)))
            fail_msg("%s %d: %.17g on the CPU, %.17g on the GPU", what, i, cpu[i], gpu[i]);
    }
}

static inline void rig_same_bytes(const rig_block *b, uint32_t offset, size_t bytes,
                                  const char *what)
{
    const uint8_t *cpu = b->cpu + (size_t)offset * 64, *gpu = b->gpu + (size_t)offset * 64;
    for (size_t i = 0; i < bytes; i++) {
        if (cpu[i] != gpu[i])
            fail_msg("%s: byte %zu: %u on the CPU, %u on the GPU", what, i, cpu[i], gpu[i]);
    }
}

/// Nothing of the block differs: for ops that move bytes and do nothing else.
static inline void rig_same_block(const rig_block *b, const char *what)
{
    rig_same_bytes(b, 0, b->bytes, what);
}

// ---- levels -------------------------------------------------------------------------------------

typedef struct rig_level_def {
    int dim, n[3];
    uint32_t periodic; // bit per axis
    uint32_t open;     // bit per side
    bool pin;
    int closed, cut; // percent of inner faces that are shut, and partly open
} rig_level_def;

static inline uint16_t rig_openness(const rig_level_def *def)
{
    int dice = rig_int(0, 99);
    if (dice < def->closed)
        return 0;
    return dice < def->closed + def->cut ? (uint16_t)rig_int(1, 16383) : 16384;
}

static inline void rig_random_faces(const gy_grid_level *g, const rig_level_def *def, int axis)
{
    const int *n = g->l->n;
    for (int k = 0; k < n[2] + (axis == 2); k++) {
        for (int j = 0; j < n[1] + (axis == 1); j++) {
            for (int i = 0; i < n[0] + (axis == 0); i++) {
                int at[3] = {i, j, k}, p = at[axis];
                uint16_t open = rig_openness(def);
                if (def->periodic >> axis & 1u) {
                    at[axis] = 0;
                    if (p == n[axis])
                        open = *gy_coefficient(g, axis, at[0], at[1], at[2]);
                } else if (p == 0 || p == n[axis]) {
                    bool live = def->open >> (2 * axis + (p > 0)) & 1u;
                    open = (uint16_t)(live ? 2 * open : 0);
                }
                *gy_coefficient(g, axis, i, j, k) = open;
            }
        }
    }
}

/// A system of random openness and pins in the block, its coarse levels and flags made by the CPU's
/// ops; x and b of every level random in [-1, 1), paddings included. Level l: gy_system_offset().
static inline gy_system rig_random_system(rig_block *b, const rig_level_def *def)
{
    gy_system s;
    gyre_grid grid = {.dim = def->dim, .n = {def->n[0], def->n[1], def->n[2]}, .h = 1.0f};
    gyre_solver_def solver = {
        .solver = GYRE_SOLVER_MULTIGRID, .tolerance = 1e-3f, .max_cycles = 10, .sweeps = 2};
    gy_system_def d = {.grid = grid,
                       .periodic = def->periodic,
                       .open_sides = def->open,
                       .pin = def->pin,
                       .solids = true,
                       .solver = solver};
    gy_system_plan(&s, the_cpu, &d, &b->arena, &b->arena);
    assert_true((size_t)b->arena.used * 64 <= b->bytes);
    gy_grid_level g = gy_grid_level_at(s.base, gy_system_offset(&s, 0));
    for (int a = 0; a < def->dim; a++)
        rig_random_faces(&g, def, a);
    for (int k = 0; k < def->n[2] && def->pin; k++) {
        for (int j = 0; j < def->n[1]; j++) {
            for (int i = 0; i < def->n[0]; i++)
                g.pin[(i + j + k) & 1][gy_level_row(g.l, j, k) + (i >> 1)] = rig_int(0, 9) == 0;
        }
    }
    gy_system_coarsen(&s);
    for (int l = 0; l < s.count; l++) {
        const gy_level *level = gy_system_level(&s, l);
        ptrdiff_t before = GY_LEVEL_PAD + level->sy + level->sz;
        for (int v = 0; v < 2; v++) {
            float *x = gy_at(s.base, v ? level->b : level->x);
            for (ptrdiff_t i = -before; i < 2 * level->colour_step - before; i++)
                x[i] = rig_float(-1.0f, 1.0f);
        }
    }
    return s;
}

/// The cells of a vector like x of a level (offset 0: x itself), of one colour, or of both for -1.
static inline void rig_same_level(const rig_block *b, const gy_system *s, int l, uint32_t vector,
                                  int colour, rig_bound bound, const char *what)
{
    gy_grid_level g = gy_grid_level_with(s->base, gy_system_offset(s, l), vector);
    for (int k = 0; k < g.l->n[2]; k++) {
        for (int j = 0; j < g.l->n[1]; j++) {
            for (int i = 0; i < g.l->n[0]; i++) {
                int c = (i + j + k) & 1;
                if (colour < 0 || colour == c)
                    rig_same(b, &g.x[c][gy_level_row(g.l, j, k) + (i >> 1)], bound, what, i, j, k);
            }
        }
    }
}

#endif
