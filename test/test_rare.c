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
#include "every_device.h"
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
    uint64_t golden, early; // after all steps and after the first half of them
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

static void fill_bfecc(gyre_gas_def *def)
{
    def->advection = GYRE_GAS_BFECC;
}

static void fill_cubic(gyre_gas_def *def)
{
    def->advection = GYRE_GAS_CUBIC;
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
#define SOLVES(golden_, early_, name_, x, y, z, in_, ...)                                          \
    {                                                                                              \
        name_, golden_, early_, {x, y, z}, in_, __VA_ARGS__, fill_plain, stir, solved, 0.03f, 3    \
    }
#define CARRIES(golden_, early_, name_, x, y, z, in_, fill_, start_, reached_, dt_)                \
    {                                                                                              \
        name_, golden_, early_, {x, y, z}, in_, BY(AUTO, 0), fill_, start_, reached_, dt_, 5       \
    }

static const rare_case cases[] = {
    SOLVES(0x64945b326ddefde1, 0x8fa4f5079ceca27e, "multigrid_v", 37, 22, 1, BOX,
           BY(MULTIGRID, .cycle = GYRE_CYCLE_V)),
    SOLVES(0xf3ad65463f9e9451, 0x71ba261863ec0cff, "multigrid_w", 37, 23, 1, RING,
           BY(MULTIGRID, .cycle = GYRE_CYCLE_W)),
    SOLVES(0x3c569e0a42a4357f, 0x05929b88e5f75427, "multigrid_f", 65, 20, 1, OPEN,
           BY(MULTIGRID, .cycle = GYRE_CYCLE_F)),
    SOLVES(0x8204d9b77c7612fd, 0xc7a5a95536cab801, "multigrid_full", 65, 27, 1, RING,
           BY(MULTIGRID, .cycle = GYRE_CYCLE_FULL)),
    SOLVES(0xe88133343f3ca3d0, 0x2072cbde912ba836, "multigrid_3d", 19, 21, 15, RING,
           BY(MULTIGRID, .cycle = GYRE_CYCLE_FULL)),
    SOLVES(0x18e4ea3fcfe43c20, 0xf7bdbcb10b1a2410, "multigrid_full_3d", 34, 18, 17, HALF,
           BY(MULTIGRID, .cycle = GYRE_CYCLE_FULL)),
    SOLVES(0xe1ab0e1b40dc451d, 0x4a73fbd3ee262da5, "multigrid_rooms", 48, 40, 1, ROOMS,
           BY(MULTIGRID, .cycle = GYRE_CYCLE_V)),
    SOLVES(0x1cb76b2a4d8c791a, 0x04042ce38c6faf8f, "multigrid_line", 150, 1, 1, OPEN,
           BY(MULTIGRID, .cycle = GYRE_CYCLE_FULL)),
    SOLVES(0x064a975ab0f43950, 0x21643589b6b8734e, "mgpcg", 37, 22, 1, OPEN,
           BY(MGPCG, .sweeps = 3)),
    SOLVES(0x30db1aa87c406cee, 0x49979a3f1fbaae3a, "mgpcg_rooms", 70, 40, 1, ROOMS,
           BY(MGPCG, .sweeps = 1)),
    SOLVES(0x929537b3efe4e3a9, 0x8fe76fea375ac09f, "mgpcg_rooms_3d", 34, 28, 18, ROOMS,
           BY(MGPCG, 0)),
    SOLVES(0xc5b6d7dfda190072, 0x1c9e65aac8497521, "fft_box", 48, 45, 1, BOX, BY(FFT, 0)),
    SOLVES(0x6e16858e0897846b, 0x64d46c87a4989b31, "fft_ring", 40, 64, 1, RING, BY(FFT, 0)),
    SOLVES(0xec5dce58c74fd90e, 0x9d79eadb93742ba9, "fft_open", 30, 64, 1, OPEN, BY(FFT, 0)),
    SOLVES(0xad6938230fa01453, 0xfab21fad634f5407, "fft_3d", 32, 18, 64, RING, BY(FFT, 0)),
    SOLVES(0x44126067bf9789c8, 0x74b85de0018edad9, "fft_wide", 256, 48, 1, BOX, BY(FFT, 0)),
    SOLVES(0x122817e99d23f040, 0x4f77e8055dba2016, "cyclic", 48, 45, 1, BOX,
           BY(CYCLIC_REDUCTION, 0)),
    SOLVES(0xaf0e5e7a67c4fa82, 0xe1d5cb1db69ec08a, "cyclic_ring", 40, 33, 1, RING,
           BY(CYCLIC_REDUCTION, 0)),
    SOLVES(0x2a6fe5a3260e5bea, 0xef0eb75f55b16d4e, "cyclic_open", 32, 64, 1, OPEN,
           BY(CYCLIC_REDUCTION, 0)),
    SOLVES(0x1383583db3086e2b, 0x530e740d98824605, "cyclic_3d", 20, 18, 16, BOX,
           BY(CYCLIC_REDUCTION, 0)),
    SOLVES(0x4fde859eb8251ce1, 0xa74921684041aa86, "direct", 29, 17, 1, ROOMS, BY(DIRECT, 0)),
    SOLVES(0x44b509026abd81c0, 0xc089f86f38f69eab, "direct_ring", 13, 12, 9, RING, BY(DIRECT, 0)),
    SOLVES(0xf97dc4a72876c5f8, 0x4d320b7297ad4d4a, "dense", 15, 13, 1, RING, BY(DENSE, 0)),
    SOLVES(0xfd7c010db8f07e65, 0x5999c7d6f97d3c02, "dense_open", 15, 13, 1, OPEN, BY(DENSE, 0)),
    SOLVES(0x2a66491da9e8ccf6, 0xab12756900cdcec2, "pcg_mic", 37, 22, 1, ROOMS,
           BY(PCG, .preconditioner = GYRE_PRECONDITION_MIC)),
    SOLVES(0xdc0c1f8f309f808b, 0x0b78a9a2650c9796, "pcg_multigrid", 19, 18, 17, OPEN,
           BY(PCG, .preconditioner = GYRE_PRECONDITION_MULTIGRID)),
    SOLVES(0xfa06896046e2ea2d, 0x8bfcc6c1ab5c31fb, "cg", 37, 23, 1, RING, BY(CG, 0)),
    SOLVES(0xfb640279ab2a7390, 0xad59fe3a0f0287ae, "red_black_seam", 37, 23, 1, RING,
           BY(RED_BLACK, .omega = 1.9f)),
    SOLVES(0xfafc7d9995483901, 0xac8a279e0e8c6536, "red_black_3d", 19, 18, 17, HALF,
           BY(RED_BLACK, 0)),
    SOLVES(0x1369292275c3f494, 0x888dfc65efe54ad7, "gauss_seidel", 37, 23, 1, RING,
           BY(GAUSS_SEIDEL, .omega = 1.7f)),
    SOLVES(0xb7133126e5f76ebd, 0xe750e255b75f6c43, "gauss_seidel_3d", 19, 18, 17, RING,
           BY(GAUSS_SEIDEL, 0)),
    SOLVES(0xd79a551a884fbdb8, 0x50ba7b2ff3b48935, "jacobi", 37, 22, 1, OPEN, BY(JACOBI, 0)),
    SOLVES(0xd850f5ff8f2bb990, 0x701efe6e14f1eba2, "jacobi_3d", 19, 18, 17, BOX,
           BY(JACOBI, .omega = 0.6f)),
    SOLVES(0x1370d3ed0558d461, 0x31e2f97a74d50554, "refined", 37, 22, 1, ROOMS,
           BY(MULTIGRID, .refine = true)),
    SOLVES(0x1114bef52459668d, 0x080f8fcc7e859671, "refined_3d", 18, 20, 17, OPEN,
           BY(MGPCG, .refine = true)),
    SOLVES(0x649a8b6b292fab8c, 0x86ae98dc06fcc1f7, "refined_box", 48, 32, 1, BOX,
           BY(FFT, .refine = true)),
    SOLVES(0x6bcd7e81ebd891fa, 0xf03ff82f7130ff89, "refined_wide", 130, 40, 1, SLIP,
           BY(MGPCG, .refine = true)),
    SOLVES(0x963b574132202e40, 0x0959bb156cf2ba6a, "refined_wide_3d", 66, 12, 10, SLIP,
           BY(MULTIGRID, .refine = true)),
    SOLVES(0x4d2b27d20133a70a, 0xe216b9c25b347f0d, "red_black_even", 36, 24, 1, RING,
           BY(RED_BLACK, .omega = 1.5f)),
    SOLVES(0x1a1d249ecf2290fa, 0xbdad9ac096e5141a, "multigrid_rim", 18, 17, 15, RIM,
           BY(MULTIGRID, .cycle = GYRE_CYCLE_W)),
    SOLVES(0xdf0fbf163b107cc8, 0xb2443619a6d61666, "fft_rim", 32, 32, 24, RIM, BY(FFT, 0)),
    SOLVES(0x095e0ca723a4ebcc, 0x2cd5bfc9307094c0, "fft_slip_3d", 48, 24, 16, SLIP, BY(FFT, 0)),
    SOLVES(0xc6d7e0bde5476a9f, 0x3d1b2b9994458f8b, "mgpcg_large_rooms", 150, 110, 1, ROOMS,
           BY(MGPCG, 0)),
    CARRIES(0xfa31c4ca4a9a8221, 0xe46e16b45db3f955, "stream", 64, 40, 1, RING, fill_maccormack,
            stream, was_fast, 0.1f),
    CARRIES(0x75750881d1a7e4fe, 0x5667ecdf9b546d80, "conservative_wide", 200, 40, 1, ROOMS,
            fill_wind, stir_fast, was_fast, 0.1f),
    CARRIES(0xcf473e2017440369, 0xea4df47f43e29c21, "semi_ring_3d", 33, 18, 32, RING, fill_semi,
            stir_fast, was_fast, 0.1f),
    CARRIES(0x4d54db4063dcd7e3, 0xeb1a1f2240bb0052, "semi_rooms", 66, 40, 1, ROOMS, fill_semi,
            stir_fast, was_fast, 0.1f),
    CARRIES(0x0d11adaaf66b454f, 0x17fbbd0fc0f13a7c, "maccormack_ring_3d", 33, 18, 32, RING,
            fill_maccormack, stir_fast, was_fast, 0.1f),
    CARRIES(0x6590db2053eb7111, 0xfa41c562d3a97fb2, "maccormack_rooms_3d", 34, 28, 18, ROOMS,
            fill_maccormack, stir_fast, was_fast, 0.1f),
    CARRIES(0x20be89407a241660, 0x9664229c80c4bc4c, "maccormack_open", 67, 40, 1, OPEN,
            fill_maccormack, blow_out, was_fast, 0.1f),
    CARRIES(0x36c3d259c529fd1b, 0xecaae9b53a55384c, "bfecc_stream", 64, 40, 1, RING, fill_bfecc,
            stream, was_fast, 0.1f),
    CARRIES(0x924b45dc0cbf0f5b, 0x54252f9bc4078efd, "bfecc_ring_3d", 33, 18, 32, RING, fill_bfecc,
            stir_fast, was_fast, 0.1f),
    CARRIES(0xe0e088308fe8acbe, 0x421dd679b77d5f81, "bfecc_rooms", 66, 40, 1, ROOMS, fill_bfecc,
            stir_fast, was_fast, 0.1f),
    CARRIES(0x203eb70edf3f12fa, 0xb6bf1deb60458b69, "bfecc_rooms_3d", 34, 28, 18, ROOMS, fill_bfecc,
            stir_fast, was_fast, 0.1f),
    CARRIES(0x1a37fcafe36a6489, 0xe92f5724c8bceeff, "bfecc_open", 67, 40, 1, OPEN, fill_bfecc,
            blow_out, was_fast, 0.1f),
    CARRIES(0x34edf8e30fb4021c, 0x7b81ee2cea376d5a, "bfecc_half", 48, 20, 18, HALF, fill_bfecc,
            blow_out, was_fast, 0.1f),
    CARRIES(0xca5ef748bb1ca17d, 0x3d07960aacb5a595, "bfecc_thin", 1, 40, 1, RIM, fill_bfecc,
            stir_fast, was_fast, 0.1f),
    CARRIES(0x7330b0fc282f8898, 0x0b71a4df1c1865e9, "bfecc_thin_3d", 40, 1, 9, RIM, fill_bfecc,
            stir_fast, was_fast, 0.1f),
    CARRIES(0xbdafc433c624c474, 0x3663645f70e02371, "cubic_stream", 64, 40, 1, RING, fill_cubic,
            stream, was_fast, 0.1f),
    CARRIES(0xe91aedc438b0b961, 0xb377c8e4508d2a1f, "cubic_ring_3d", 33, 18, 32, RING, fill_cubic,
            stir_fast, was_fast, 0.1f),
    CARRIES(0xf4bb24d27acdcc48, 0xf96852e03bdac78c, "cubic_rooms", 66, 40, 1, ROOMS, fill_cubic,
            stir_fast, was_fast, 0.1f),
    CARRIES(0xd51fc3b5df06c380, 0x84b1d3e24b863129, "cubic_rooms_3d", 34, 28, 18, ROOMS, fill_cubic,
            stir_fast, was_fast, 0.1f),
    CARRIES(0x1dd1ef4a5dfb512b, 0x01d202506961f21f, "cubic_open", 67, 40, 1, OPEN, fill_cubic,
            blow_out, was_fast, 0.1f),
    CARRIES(0xf136ed671ae6c320, 0x0c68b3c2ef84dfdb, "cubic_half", 48, 20, 18, HALF, fill_cubic,
            blow_out, was_fast, 0.1f),
    CARRIES(0xc0317358d88c13f5, 0x3ea6dd771fb38a0c, "cubic_thin", 1, 40, 1, RIM, fill_cubic,
            stir_fast, was_fast, 0.1f),
    CARRIES(0xf3cd91e714051b6f, 0x3a0ed150c6ad8eec, "cubic_thin_3d", 40, 1, 9, RIM, fill_cubic,
            stir_fast, was_fast, 0.1f),
    CARRIES(0xf61c022883332c08, 0x73f1a19e9e8e178f, "conservative_fast", 33, 18, 32, RING,
            fill_wind, stir_fast, was_fast, 0.1f),
    CARRIES(0xfded3768b696acbc, 0xccc556d53a0bc030, "conservative_rooms", 66, 40, 1, ROOMS,
            fill_wind, stir_fast, was_fast, 0.1f),
    CARRIES(0x8c3f9a0390a9e9fd, 0x22fc77eeeeedf3e5, "governed", 27, 19, 1, SLIP, fill_still, whirl,
            was_governed, 0.1f),
    CARRIES(0x6cd4f8610fcdf775, 0x0eb4c868e757d4c7, "conservative_rooms_3d", 34, 28, 18, ROOMS,
            fill_wind, stir_fast, was_fast, 0.1f),
    CARRIES(0xa5173419db26c60c, 0x48406ed29800378a, "wind_out", 64, 40, 1, OPEN, fill_wind,
            blow_out, has_left, 0.1f),
    CARRIES(0xb1b8fc989dbde2e9, 0xa2a2b1067b194c47, "wind_out_3d", 32, 20, 18, OPEN, fill_wind,
            blow_out, has_left, 0.1f),
    CARRIES(0x32943d8f617c219f, 0xadfade0f40cc8f00, "wind_half", 48, 20, 18, HALF, fill_wind,
            blow_out, has_left, 0.05f),
    CARRIES(0x4f93b6e7e11f11c6, 0x87b85087b1930e94, "wind_half_2d", 40, 70, 1, HALF, fill_wind,
            blow_out, has_left, 0.05f),
    CARRIES(0x282347da0c6050cc, 0x31475fb9352ed93f, "capped", 40, 30, 1, BOX, fill_capped, blow_out,
            was_capped, 0.05f),
    CARRIES(0x9e676ce529f28219, 0xbfead19b26d8d3ba, "capped_3d", 32, 20, 18, HALF, fill_capped,
            blow_out, was_capped, 0.05f),
    CARRIES(0xccee531e7250c78b, 0xf94d8051125f861a, "fading", 40, 30, 1, OPEN, fill_fading,
            start_fading, has_faded, 0.2f),
    CARRIES(0x3cb7ba1b374b7526, 0xc8cda12456c2af76, "fading_3d", 20, 18, 17, ROOMS, fill_fading,
            start_fading, has_faded, 0.2f),
    CARRIES(0x03d6508deb44a13d, 0xa02356cd4d128482, "flooded", 70, 39, 1, BOX, fill_flooded,
            start_flooded, was_flooded, 0.1f),
    CARRIES(0xbcea9663d47447a1, 0xc8bffc7a7556b557, "thin", 1, 40, 1, OPEN, fill_wind, stir, any,
            0.05f),
    CARRIES(0xacdd6289e07b32cb, 0x3838bfd4b4ec03f0, "thin_3d", 40, 1, 9, RING, fill_wind, stir, any,
            0.05f),
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
        // Of older schemes, and beside solids that move, there is no pressure.
        if (!fields[f].derived || strcmp(fields[f].name, "pressure") == 0) {
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

/// The hash at the end; in `early` that of halfway, where in short it ends.
static uint64_t run_case(const rare_case *c, gyre_device *on, uint64_t *early)
{
    gyre_gas_def def = def_of(c);
    gyre_gas *gas = NULL;
    happened h = {0};
    if (gyre_gas_create(on, &def, &gas) != GYRE_OK) {
        fail_msg("%s: %s", c->name, gyre_message());
    }
    c->start(gas);
    for (int n = 1; n <= c->steps; n++) {
        OK(gyre_gas_step(gas, c->dt));
        note(&h, gas);
        if (n == c->steps / 2) {
            *early = gyre_gas_hash(gas);
            if (in_short()) {
                gyre_gas_destroy(gas);
                return c->golden;
            }
        }
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
    uint64_t early = 0, hash = run_case(c, on, &early);
    if (hash != c->golden || early != c->early) {
        fail_msg("%s on %s: 0x%016llx, 0x%016llx, expected 0x%016llx, 0x%016llx", c->name, what,
                 (unsigned long long)hash, (unsigned long long)early, (unsigned long long)c->golden,
                 (unsigned long long)c->early);
    }
}

static void test_instruction_sets(void **state)
{
    (void)state;
    for (int i = 0; every_isa() && gyre_isa_name(i); i++) {
        gyre_device *on = gas_case_device(1, gyre_isa_name(i));
        assert_non_null(on);
        for (int c = 0; c < CASES; c += every_case(i)) {
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
    for (int c = 0; every_count(1) && c < CASES; c++) {
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
            uint64_t early = 0, hash = run_case(&cases[c], on, &early);
            printf("0x%016llx, 0x%016llx, // %s\n", (unsigned long long)hash,
                   (unsigned long long)early, cases[c].name);
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
