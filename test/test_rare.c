// What a gas seldom does, so that it is the same bits, too: every solver, on boxes, rings with a
// seam, open sides, closed rooms and thin walls; every scheme at Courant numbers where paths wrap,
// gather, end at walls and leave; caps, limits and flushes reached in some lanes of a vector and
// not in others. Each case says by its statistics that it came to that. test_golden has what is
// usual.
//
// A change that is meant to alter results needs new hashes:
//     GYRE_GOLDEN=print build/test/test_rare
// labels: golden threads
// timeout: 900
#include "gas_case.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

typedef enum world {
    SLIP, // walls that let slide
    BOX,  // no-slip walls, one of them moving
    RING, // periodic: x and y in 2D, x and z in 3D
    RIM,  // periodic: all
    OPEN, // open sides, but for one
    HALF, // open at the upper sides alone, with solids in them
    ROOMS // solids: rooms without a way out, slits, walls of one cell
} world;

/// What has happened up to now.
typedef struct happened {
    int64_t capped, governed;
    int solver, cycles, substeps;
    float speed, courant;
    double density, left;
} happened;

typedef struct rare_case {
    const char *name;
    uint64_t golden;
    int n[3];
    world in;
    gyre_solver_def solver; // what is 0 is the default
    void (*fill)(gyre_gas_def *def);
    void (*start)(gyre_gas *gas);
    bool (*reached)(const happened *h);
    float dt;
    int steps;
} rare_case;

#define OK(call)                                                                                   \
    do {                                                                                           \
        if ((call) != GYRE_OK) {                                                                   \
            fail_msg("%s: %s", #call, gyre_message());                                             \
        }                                                                                          \
    } while (0)

// ---- worlds -------------------------------------------------------------------------------------

static gyre_gas_solid solids[8];
static float rates[70 * 40];

static void solid_box(gyre_gas_def *def, float x, float y, float z, float a, float b, float c)
{
    gyre_gas_solid *s = &solids[def->solids.count++];
    *s = gyre_gas_default_solid();
    s->shape = gas_box(x, y, z, a, b, c, 0.0f);
    def->solids.items = solids;
}

static void build(gyre_gas_def *def, world in)
{
    gyre_gas_side *sides = &def->sides.x_low;
    bool deep = def->grid.dim == 3;
    for (int q = 0; q < 6; q++) {
        bool along = q / 2 == 0 || q / 2 == (deep ? 2 : 1);
        sides[q].rule = in == BOX                            ? GYRE_GAS_SIDE_NO_SLIP
                        : (in == RING && along) || in == RIM ? GYRE_GAS_SIDE_PERIODIC
                        : in == OPEN && q != 2               ? GYRE_GAS_SIDE_OPEN
                        : in == HALF && q % 2                ? GYRE_GAS_SIDE_OPEN
                                                             : GYRE_GAS_SIDE_SLIP;
    }
    sides[3].velocity[0] = in == BOX ? 1.0f : 0.0f;
    if (in == HALF) {
        solid_box(def, 1.0f, 0.5f, 0.5f, 0.3f, 0.3f, 0.3f);
        solid_box(def, 0.5f, 1.0f, 0.5f, 0.2f, 0.2f, 0.2f);
        solid_box(def, 0.3f, 0.2f, 1.0f, 0.2f, 0.2f, 0.4f);
    }
    if (in == ROOMS) {
        // A room, a wall with a slit, a wall of one cell, a corner.
        solid_box(def, 0.25f, 0.5f, 0.5f, 0.08f, 0.5f, 2.0f);
        solid_box(def, 0.45f, 0.5f, 0.5f, 0.08f, 0.5f, 2.0f);
        solid_box(def, 0.35f, 0.72f, 0.5f, 0.28f, 0.08f, 2.0f);
        solid_box(def, 0.35f, 0.28f, 0.5f, 0.28f, 0.08f, 2.0f);
        solid_box(def, 0.7f, 0.35f, 0.5f, 0.045f, 0.64f, 2.0f);
        solid_box(def, 0.9f, 0.9f, 0.5f, 0.15f, 0.045f, 2.0f);
        solid_box(def, 0.6f, 0.1f, 0.9f, 0.6f, 0.3f, 0.1f);
    }
}

/// Something in each sample of the first fields: by whole numbers, with jumps.
static void scatter(gyre_gas *gas, float speed, float amount)
{
    int dim = gyre_model_grid(gyre_gas_model(gas))->dim;
    for (int f = 0; f < dim + 2; f++) {
        gyre_field_view v;
        OK(gyre_gas_map(gas, f, GYRE_WRITE, &v));
        for (int k = 0; k < v.n[2]; k++) {
            for (int j = 0; j < v.n[1]; j++) {
                for (int i = 0; i < v.n[0]; i++) {
                    int r = (i * 7919 + j * 104729 + k * 1299709 + f * 31) % 1024, wave = i * 5 + f;
                    float smooth = (float)((wave + 3 * j + 2 * k) % 32 - 16) / 16.0f;
                    float x = smooth + (float)(r - 512) / 4096.0f;
                    v.data[i + j * v.stride[1] + k * v.stride[2]] = f < dim ? speed * x
                                                                    : (i / 5 + j / 4 + k) % 3
                                                                        ? amount * x
                                                                        : 0.0f;
                }
            }
        }
        OK(gyre_gas_unmap(gas, f));
    }
}

static void stir(gyre_gas *gas)
{
    scatter(gas, 0.5f, 1.0f);
}

static void stir_fast(gyre_gas *gas)
{
    scatter(gas, 6.0f, 1.0f);
}

/// Round and round, by many cells a step, and by nearly as many everywhere.
static void stream(gyre_gas *gas)
{
    scatter(gas, 0.05f, 1.0f);
    gyre_field_view v;
    OK(gyre_gas_map(gas, 0, GYRE_WRITE, &v));
    for (int i = 0; i < v.n[0] * v.n[1]; i++) {
        v.data[i % v.n[0] + i / v.n[0] * v.stride[1]] += 3.0f;
    }
    OK(gyre_gas_unmap(gas, 0));
}

static void fill_plain(gyre_gas_def *def)
{
    def->viscosity = 1e-2f;
    def->density.diffusivity = 3e-3f;
}

/// One vortex that fills the domain: in long steps paths end at walls, where it is fastest, which
/// would make energy.
static void whirl(gyre_gas *gas)
{
    for (int f = 0; f < 2; f++) {
        gyre_field_view v;
        OK(gyre_gas_map(gas, f, GYRE_WRITE, &v));
        for (int i = 0; i < v.n[0] * v.n[1]; i++) {
            float x = ((float)(i % v.n[0]) + (f ? 0.5f : 0.0f)) / (float)v.grid.n[0];
            float y = ((float)(i / v.n[0]) + (f ? 0.0f : 0.5f)) / (float)v.grid.n[1];
            v.data[i % v.n[0] + i / v.n[0] * v.stride[1]] =
                f ? -4.0f * (1.0f - 2.0f * x) * y * (1.0f - y)
                  : 4.0f * x * (1.0f - x) * (1.0f - 2.0f * y);
        }
        OK(gyre_gas_unmap(gas, f));
    }
}

// ---- solvers ------------------------------------------------------------------------------------

static bool solved(const happened *h)
{
    return h->cycles > 0 && h->speed > 1e-4f;
}

// ---- transport ----------------------------------------------------------------------------------

static void fill_semi(gyre_gas_def *def)
{
    def->advection = GYRE_GAS_SEMI_LAGRANGIAN;
}

static void fill_maccormack(gyre_gas_def *def)
{
    def->advection = GYRE_GAS_MACCORMACK;
}

static bool was_fast(const happened *h)
{
    return h->courant > 4.0f;
}

static bool was_governed(const happened *h)
{
    return h->governed > 0 && h->courant > 1.0f;
}

static bool has_left(const happened *h)
{
    return h->left != 0.0 && h->courant > 1.0f;
}

static void fill_wind(gyre_gas_def *def)
{
    def->gravity[0] = 3.0f;
    def->gravity[1] = 2.0f;
    def->gravity[2] = 1.0f;
    def->density_weight = 1.0f;
}

static void blow_out(gyre_gas *gas)
{
    scatter(gas, 0.5f, 5.0f);
    for (int f = 0; f < 3; f++) {
        OK(gyre_gas_splat(gas, f, (const float[3]){0.7f, 0.6f, 0.5f}, 0.8f, 4.0f));
    }
}

static void fill_still(gyre_gas_def *def)
{
    def->gravity[1] = 0.0f;
}

static void fill_capped(gyre_gas_def *def)
{
    fill_wind(def);
    def->speed_cap = 0.4f;
}

static bool was_capped(const happened *h)
{
    return h->capped > 50 && h->speed <= 0.4f && h->capped < 1000000;
}

static void fill_fading(gyre_gas_def *def)
{
    def->density.dissipation = 60.0f;
    def->temperature.dissipation = 200.0f;
}

static bool has_faded(const happened *h)
{
    return h->density == 0.0;
}

/// Numbers that are next to nothing, and sources with some that are none.
static void start_fading(gyre_gas *gas)
{
    scatter(gas, 1e-28f, 1e-26f);
}

static void fill_flooded(gyre_gas_def *def)
{
    gyre_gas_emitter *e = gas_case_emitter(def);
    e->shape = gas_sphere(0.4f, 0.4f, 0.5f, 0.3f);
    e->density = 1e6f;
    e->temperature = -1e6f;
    e->noise = 1.0f;
    def->courant = 0.5f;
    def->max_substeps = 3;
}

static void start_flooded(gyre_gas *gas)
{
    for (int i = 0; i < 70 * 40; i++) {
        rates[i] = i % 7 == 0 ? NAN : i % 11 == 0 ? -INFINITY : i % 13 ? (float)(i % 31) : 3e38f;
    }
    OK(gyre_gas_set_source(gas, gyre_gas_field(gas, "density"), rates));
    OK(gyre_gas_set_source(gas, gyre_gas_field(gas, "velocity_x"), rates));
}

static bool was_flooded(const happened *h)
{
    return h->substeps == 3 && h->density > 1e4;
}

static bool any(const happened *h)
{
    return h->speed > 0.0f;
}

// ---- the table ----------------------------------------------------------------------------------

#define BY(kind, ...)                                                                              \
    {                                                                                              \
        .solver = GYRE_SOLVER_##kind, .max_cycles = 5, __VA_ARGS__                                 \
    }
#define SOLVES(golden_, name_, x, y, z, in_, ...)                                                  \
    {                                                                                              \
        name_, golden_, {x, y, z}, in_, __VA_ARGS__, fill_plain, stir, solved, 0.03f, 3            \
    }
#define CARRIES(golden_, name_, x, y, z, in_, fill_, start_, reached_, dt_)                        \
    {                                                                                              \
        name_, golden_, {x, y, z}, in_, BY(AUTO, 0), fill_, start_, reached_, dt_, 5               \
    }

static const rare_case cases[] = {
    SOLVES(0xefadd5b9904a1fb7, "multigrid_v", 37, 22, 1, BOX, BY(MULTIGRID, .cycle = GYRE_CYCLE_V)),
    SOLVES(0x6564fc12d67bed29, "multigrid_w", 37, 23, 1, RING,
           BY(MULTIGRID, .cycle = GYRE_CYCLE_W)),
    SOLVES(0x4fe070cbce0f3c1b, "multigrid_f", 65, 20, 1, OPEN,
           BY(MULTIGRID, .cycle = GYRE_CYCLE_F)),
    SOLVES(0xd06721b7984c7f60, "multigrid_full", 65, 27, 1, RING,
           BY(MULTIGRID, .cycle = GYRE_CYCLE_FULL)),
    SOLVES(0x3d3ac604c09b3c50, "multigrid_3d", 19, 21, 15, RING,
           BY(MULTIGRID, .cycle = GYRE_CYCLE_FULL)),
    SOLVES(0xacfbbfc0eccb25ec, "multigrid_full_3d", 34, 18, 17, HALF,
           BY(MULTIGRID, .cycle = GYRE_CYCLE_FULL)),
    SOLVES(0x8b0ec5e2987152e2, "multigrid_rooms", 48, 40, 1, ROOMS,
           BY(MULTIGRID, .cycle = GYRE_CYCLE_V)),
    SOLVES(0x009983280efaaa4a, "multigrid_line", 150, 1, 1, OPEN,
           BY(MULTIGRID, .cycle = GYRE_CYCLE_FULL)),
    SOLVES(0x332b1873485e9719, "mgpcg", 37, 22, 1, OPEN, BY(MGPCG, .sweeps = 3)),
    SOLVES(0x469088c2d8b50b31, "mgpcg_rooms", 70, 40, 1, ROOMS, BY(MGPCG, .sweeps = 1)),
    SOLVES(0x9e7bdf7e75520184, "mgpcg_rooms_3d", 34, 28, 18, ROOMS, BY(MGPCG, 0)),
    SOLVES(0x18ddf633dcc64618, "fft_box", 48, 45, 1, BOX, BY(FFT, 0)),
    SOLVES(0xcbf273815c18846a, "fft_ring", 40, 64, 1, RING, BY(FFT, 0)),
    SOLVES(0xc6ad89f1d63892d9, "fft_open", 30, 64, 1, OPEN, BY(FFT, 0)),
    SOLVES(0xac762e4a7c22261b, "fft_3d", 32, 18, 64, RING, BY(FFT, 0)),
    SOLVES(0xcb83d682dbbd3f73, "fft_wide", 256, 48, 1, BOX, BY(FFT, 0)),
    SOLVES(0xfdfc4b16ceca9e51, "cyclic", 48, 45, 1, BOX, BY(CYCLIC_REDUCTION, 0)),
    SOLVES(0xca807b59bd7cba30, "cyclic_ring", 40, 33, 1, RING, BY(CYCLIC_REDUCTION, 0)),
    SOLVES(0xa9111282a2384f18, "cyclic_open", 32, 64, 1, OPEN, BY(CYCLIC_REDUCTION, 0)),
    SOLVES(0x22faea4e774e0b72, "cyclic_3d", 20, 18, 16, BOX, BY(CYCLIC_REDUCTION, 0)),
    SOLVES(0x9b91d01644b34c6d, "direct", 29, 17, 1, ROOMS, BY(DIRECT, 0)),
    SOLVES(0xc3bdaf363e8c6735, "direct_ring", 13, 12, 9, RING, BY(DIRECT, 0)),
    SOLVES(0xbe591064d6ae0323, "dense", 15, 13, 1, RING, BY(DENSE, 0)),
    SOLVES(0x04322a120e66e672, "dense_open", 15, 13, 1, OPEN, BY(DENSE, 0)),
    SOLVES(0x03cc9d00c5a0ae34, "pcg_mic", 37, 22, 1, ROOMS,
           BY(PCG, .preconditioner = GYRE_PRECONDITION_MIC)),
    SOLVES(0x5da2323dd2e6490b, "pcg_multigrid", 19, 18, 17, OPEN,
           BY(PCG, .preconditioner = GYRE_PRECONDITION_MULTIGRID)),
    SOLVES(0x3e7215ee8e85d557, "cg", 37, 23, 1, RING, BY(CG, 0)),
    SOLVES(0x3c35236ee7656670, "red_black_seam", 37, 23, 1, RING, BY(RED_BLACK, .omega = 1.9f)),
    SOLVES(0x0194e493fa06a30e, "red_black_3d", 19, 18, 17, HALF, BY(RED_BLACK, 0)),
    SOLVES(0x558b9ce6e7ca69dd, "gauss_seidel", 37, 23, 1, RING, BY(GAUSS_SEIDEL, .omega = 1.7f)),
    SOLVES(0xd8508e6a1c2af67d, "gauss_seidel_3d", 19, 18, 17, RING, BY(GAUSS_SEIDEL, 0)),
    SOLVES(0x6d550975e8c60ac8, "jacobi", 37, 22, 1, OPEN, BY(JACOBI, 0)),
    SOLVES(0x1c2629aa2b40d3af, "jacobi_3d", 19, 18, 17, BOX, BY(JACOBI, .omega = 0.6f)),
    SOLVES(0xcb13fd44c44bd00e, "refined", 37, 22, 1, ROOMS, BY(MULTIGRID, .refine = true)),
    SOLVES(0x1d7c8bc03a19cd9c, "refined_3d", 18, 20, 17, OPEN, BY(MGPCG, .refine = true)),
    SOLVES(0xa12fd5318f15d6f0, "refined_box", 48, 32, 1, BOX, BY(FFT, .refine = true)),
    SOLVES(0xc27ff809d307639a, "refined_wide", 130, 40, 1, SLIP, BY(MGPCG, .refine = true)),
    SOLVES(0x6aa0b7d23194c6c5, "refined_wide_3d", 66, 12, 10, SLIP, BY(MULTIGRID, .refine = true)),
    SOLVES(0x45a150a394673880, "red_black_even", 36, 24, 1, RING, BY(RED_BLACK, .omega = 1.5f)),
    SOLVES(0xab623e52c25cbbaf, "multigrid_rim", 18, 17, 15, RIM,
           BY(MULTIGRID, .cycle = GYRE_CYCLE_W)),
    SOLVES(0x0ce5be87fa59deea, "fft_rim", 32, 32, 24, RIM, BY(FFT, 0)),
    SOLVES(0x572d1c1040660459, "fft_slip_3d", 48, 24, 16, SLIP, BY(FFT, 0)),
    SOLVES(0xe197797966af0d47, "mgpcg_large_rooms", 150, 110, 1, ROOMS, BY(MGPCG, 0)),
    CARRIES(0x49cb55a4b0d8ccf8, "stream", 64, 40, 1, RING, fill_maccormack, stream, was_fast, 0.1f),
    CARRIES(0x18c42b79d0438e5a, "conservative_wide", 200, 40, 1, ROOMS, fill_wind, stir_fast,
            was_fast, 0.1f),
    CARRIES(0x8c8104672f5f65ef, "semi_ring_3d", 33, 18, 32, RING, fill_semi, stir_fast, was_fast,
            0.1f),
    CARRIES(0x4ff09028197ecdc9, "semi_rooms", 66, 40, 1, ROOMS, fill_semi, stir_fast, was_fast,
            0.1f),
    CARRIES(0x9dad8e1ebc9175d5, "maccormack_ring_3d", 33, 18, 32, RING, fill_maccormack, stir_fast,
            was_fast, 0.1f),
    CARRIES(0x6f308bfd476b6fc2, "maccormack_rooms_3d", 34, 28, 18, ROOMS, fill_maccormack,
            stir_fast, was_fast, 0.1f),
    CARRIES(0x2a329cd9b475678d, "maccormack_open", 67, 40, 1, OPEN, fill_maccormack, blow_out,
            was_fast, 0.1f),
    CARRIES(0x52abe6087f713f00, "conservative_fast", 33, 18, 32, RING, fill_wind, stir_fast,
            was_fast, 0.1f),
    CARRIES(0x5a07f12cb2c68c81, "conservative_rooms", 66, 40, 1, ROOMS, fill_wind, stir_fast,
            was_fast, 0.1f),
    CARRIES(0x411125516ffa4958, "governed", 27, 19, 1, SLIP, fill_still, whirl, was_governed, 0.1f),
    CARRIES(0x21f163d37f30e4ed, "conservative_rooms_3d", 34, 28, 18, ROOMS, fill_wind, stir_fast,
            was_fast, 0.1f),
    CARRIES(0x55ac389482270069, "wind_out", 64, 40, 1, OPEN, fill_wind, blow_out, has_left, 0.1f),
    CARRIES(0x0e33251ee9f0ae1f, "wind_out_3d", 32, 20, 18, OPEN, fill_wind, blow_out, has_left,
            0.1f),
    CARRIES(0xf2e35aa30a3cd899, "wind_half", 48, 20, 18, HALF, fill_wind, blow_out, has_left,
            0.05f),
    CARRIES(0x55489357e1de87ca, "wind_half_2d", 40, 70, 1, HALF, fill_wind, blow_out, has_left,
            0.05f),
    CARRIES(0x27a0f5a20b157388, "capped", 40, 30, 1, BOX, fill_capped, blow_out, was_capped, 0.05f),
    CARRIES(0xeca79bc283d3a2cd, "capped_3d", 32, 20, 18, HALF, fill_capped, blow_out, was_capped,
            0.05f),
    CARRIES(0x7cece590494c260b, "fading", 40, 30, 1, OPEN, fill_fading, start_fading, has_faded,
            0.2f),
    CARRIES(0xcbf2370c58ee5cec, "fading_3d", 20, 18, 17, ROOMS, fill_fading, start_fading,
            has_faded, 0.2f),
    CARRIES(0xbe4bf4e3313cd726, "flooded", 70, 39, 1, BOX, fill_flooded, start_flooded, was_flooded,
            0.1f),
    CARRIES(0xad20c54b47d75e0d, "thin", 1, 40, 1, OPEN, fill_wind, stir, any, 0.05f),
    CARRIES(0xaff55c77c9e6235e, "thin_3d", 40, 1, 9, RING, fill_wind, stir, any, 0.05f),
};

enum { CASES = sizeof cases / sizeof cases[0] };

/// The state and what is derived from it.
static uint64_t whole_hash(gyre_gas *gas)
{
    uint64_t hash = gyre_gas_hash(gas);
    int count;
    gyre_model *model = gyre_gas_model(gas);
    const gyre_field_info *fields = gyre_model_fields(model, &count);
    for (int f = 0; f < count; f++) {
        gyre_field_view v;
        if (!fields[f].derived) {
            continue;
        }
        OK(gyre_model_map(model, f, GYRE_READ, &v));
        for (int k = 0; k < v.n[2]; k++) {
            for (int i = 0; i < v.n[0] * v.n[1]; i++) {
                const float *at = v.data + k * v.stride[2] + i / v.n[0] * v.stride[1] + i % v.n[0];
                uint32_t bits;
                memcpy(&bits, at, sizeof bits);
                hash = (hash ^ bits) * 1099511628211u;
            }
        }
        OK(gyre_model_unmap(model, f));
    }
    return hash;
}

static gyre_gas_def def_of(const rare_case *c)
{
    gyre_gas_def def = gyre_gas_default_def(c->n[2] > 1 ? 3 : 2);
    const gyre_solver_def *wish = &c->solver;
    gas_case_size(&def, c->n[0], c->n[1], c->n[2], 1.0f);
    def.grid.h = 1.0f / (float)(c->n[0] > c->n[1] ? c->n[0] : c->n[1]);
    build(&def, c->in);
    gyre_solver_def *both[2] = {&def.pressure, &def.diffusion};
    for (int q = 0; q < 2; q++) {
        // What takes boxes only cannot have a velocity, whose faces on sides are held.
        bool boxes =
            wish->solver == GYRE_SOLVER_FFT || wish->solver == GYRE_SOLVER_CYCLIC_REDUCTION;
        both[q]->solver = q == 1 && boxes ? GYRE_SOLVER_AUTO : wish->solver;
        both[q]->max_cycles = wish->max_cycles;
        both[q]->cycle = wish->cycle;
        both[q]->sweeps = wish->sweeps ? wish->sweeps : both[q]->sweeps;
        both[q]->preconditioner = wish->preconditioner;
        both[q]->omega = wish->omega;
        both[q]->refine = wish->refine;
    }
    c->fill(&def);
    return def;
}

static void note(happened *h, gyre_gas *gas)
{
    gyre_gas_stats s = gyre_gas_get_stats(gas);
    gyre_gas_budget b = gyre_gas_get_budget(gas, gyre_gas_field(gas, "density"));
    h->capped += s.capped;
    h->governed = s.governed;
    h->solver = s.solver;
    h->cycles += s.cycles;
    h->substeps = s.substeps > h->substeps ? s.substeps : h->substeps;
    h->speed = s.max_speed;
    h->courant = s.courant > h->courant ? s.courant : h->courant;
    h->density = gyre_model_total(gyre_gas_model(gas), gyre_gas_field(gas, "density"));
    h->left = b.left;
}

static uint64_t run_case(const rare_case *c, gyre_device *on)
{
    gyre_gas_def def = def_of(c);
    gyre_gas *gas = NULL;
    happened h = {0};
    if (gyre_gas_create(on, &def, &gas) != GYRE_OK) {
        fail_msg("%s: %s", c->name, gyre_message());
    }
    c->start(gas);
    for (int n = 0; n < c->steps; n++) {
        OK(gyre_gas_step(gas, c->dt));
        note(&h, gas);
    }
    bool asked = !c->solver.solver || h.solver == c->solver.solver;
    if (!asked || !c->reached(&h)) {
        fail_msg("%s is not what it is to be: solver %d, %d cycles, %lld capped, %lld governed, %d "
                 "substeps, %g m/s, Courant %g, %g density, %g left",
                 c->name, h.solver, h.cycles, (long long)h.capped, (long long)h.governed,
                 h.substeps, (double)h.speed, (double)h.courant, h.density, h.left);
    }
    uint64_t hash = whole_hash(gas);
    gyre_gas_destroy(gas);
    return hash;
}

static void require(const rare_case *c, gyre_device *on, const char *what)
{
    uint64_t hash = run_case(c, on);
    if (hash != c->golden) {
        fail_msg("%s on %s: 0x%016llx, expected 0x%016llx", c->name, what, (unsigned long long)hash,
                 (unsigned long long)c->golden);
    }
}

static void test_instruction_sets(void **state)
{
    (void)state;
    for (int i = 0; gyre_isa_name(i); i++) {
        gyre_device *on = gas_case_device(1, gyre_isa_name(i));
        assert_non_null(on);
        for (int c = 0; c < CASES; c++) {
            require(&cases[c], on, gyre_isa_name(i));
        }
        gyre_device_destroy(on);
    }
}

static void test_threads(void **state)
{
    (void)state;
    gyre_device *on = gas_case_device(3, NULL);
    assert_non_null(on);
    for (int c = 0; c < CASES; c++) {
        require(&cases[c], on, "3 threads");
    }
    gyre_device_destroy(on);
}

int main(void)
{
    const char *wish = getenv("GYRE_GOLDEN");
    if (wish && strcmp(wish, "print") == 0) {
        gyre_device *on = gas_case_device(1, NULL);
        for (int c = 0; c < CASES; c++) {
            printf("0x%016llx, // %s\n", (unsigned long long)run_case(&cases[c], on),
                   cases[c].name);
        }
        gyre_device_destroy(on);
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_instruction_sets),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
