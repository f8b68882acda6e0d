/// @file gyre/classic.h
/// The solver of J. Stam, Real-Time Fluid Dynamics for Games (2003), whole, in 2D,
/// and of M. Ash, Fluid Simulation for Dummies (2006), in 3D; in float or in fixed point.
///
/// Needs nothing: no C library, no allocation, no other part of gyre but base.h's types. Arrays are
/// the caller's: gyre_classic_size(box) numbers each, x fastest, one layer of boundary cells round
/// the box (the paper's (N+2)*(N+2)), all of it initialised. doc/classic.md tells the whole story.
///
/// The kind of number is chosen when a file is compiled. With nothing defined it is float. With
/// @code
/// #define GYRE_CLASSIC_BITS 32      // 16 or 32
/// #define GYRE_CLASSIC_FRACTION 16  // bits behind the point, 1 to GYRE_CLASSIC_BITS - 2
/// @endcode
/// before this header it is fixed point, and every function below has the format behind its name
/// (gyre_classic_vel_step_i32f16), so that one program can hold several. libgyre has float, i32f16
/// (the one to recommend), i32f9 (the paper's) and i16f8 (the talk's); for any other compile
/// src/classic/solver.c with the same two definitions.
///
/// Every function refuses bad arguments with GYRE_ERROR_ARGUMENT before it has written anything: no
/// cells, negative rates, NaN or infinity in a number or an array, NULL, arrays that overlap where
/// they may not. Compiled with -ffreestanding only the code comes back; otherwise gyre_message()
/// has the sentence. Functions keep no state: threads may work on different arrays.
#ifndef GYRE_CLASSIC_H
#define GYRE_CLASSIC_H

#include "gyre/base.h"

#ifdef GYRE_CLASSIC_FRACTION
#ifndef GYRE_CLASSIC_BITS
#define GYRE_CLASSIC_BITS 32
#endif
#if GYRE_CLASSIC_BITS == 16
typedef int16_t gyre_classic_real;
#elif GYRE_CLASSIC_BITS == 32
typedef int32_t gyre_classic_real;
#else
#error "GYRE_CLASSIC_BITS is 16 or 32"
#endif
#if GYRE_CLASSIC_FRACTION < 1 || GYRE_CLASSIC_FRACTION > GYRE_CLASSIC_BITS - 2
#error "GYRE_CLASSIC_FRACTION is 1 to GYRE_CLASSIC_BITS - 2"
#endif
/// A constant that is written with a point: GYRE_CLASSIC_REAL(0.1). Within the format's range.
#define GYRE_CLASSIC_REAL(x)                                                                       \
    ((gyre_classic_real)((x) * (1 << GYRE_CLASSIC_FRACTION) + ((x) < 0 ? -0.5 : 0.5)))
/// A number of the format as a double.
#define GYRE_CLASSIC_DOUBLE(x) ((double)(x) / (1 << GYRE_CLASSIC_FRACTION))
#define GYRE_CLASSIC_NAME_(name, bits, fraction) name##_i##bits##f##fraction
#define GYRE_CLASSIC_NAME(name, bits, fraction) GYRE_CLASSIC_NAME_(name, bits, fraction)
#define GYRE_CLASSIC_(name) GYRE_CLASSIC_NAME(name, GYRE_CLASSIC_BITS, GYRE_CLASSIC_FRACTION)
#define gyre_classic_default_box GYRE_CLASSIC_(gyre_classic_default_box)
#define gyre_classic_check GYRE_CLASSIC_(gyre_classic_check)
#define gyre_classic_add_source GYRE_CLASSIC_(gyre_classic_add_source)
#define gyre_classic_set_bnd GYRE_CLASSIC_(gyre_classic_set_bnd)
#define gyre_classic_lin_solve GYRE_CLASSIC_(gyre_classic_lin_solve)
#define gyre_classic_diffuse GYRE_CLASSIC_(gyre_classic_diffuse)
#define gyre_classic_advect GYRE_CLASSIC_(gyre_classic_advect)
#define gyre_classic_project GYRE_CLASSIC_(gyre_classic_project)
#define gyre_classic_confine GYRE_CLASSIC_(gyre_classic_confine)
#define gyre_classic_dens_step GYRE_CLASSIC_(gyre_classic_dens_step)
#define gyre_classic_vel_step GYRE_CLASSIC_(gyre_classic_vel_step)
#define gyre_classic_tex_reset GYRE_CLASSIC_(gyre_classic_tex_reset)
#define gyre_classic_tex_step GYRE_CLASSIC_(gyre_classic_tex_step)
#define gyre_classic_tex_draw GYRE_CLASSIC_(gyre_classic_tex_draw)
#else
/// The kind of number: float, or int32_t and int16_t in fixed point.
typedef float gyre_classic_real;
/// That number from a float or double.
#define GYRE_CLASSIC_REAL(x) ((gyre_classic_real)(x))
/// A double from that number.
#define GYRE_CLASSIC_DOUBLE(x) ((double)(x))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// What a side of the box does.
typedef enum gyre_classic_rule {
    GYRE_CLASSIC_WALL,     ///< nothing passes; the fluid slides along it
    GYRE_CLASSIC_PERIODIC, ///< joined to the opposite side, which must be periodic too
    GYRE_CLASSIC_INFLOW,   ///< velocity and density are fixed on it, as in a wind tunnel
    GYRE_CLASSIC_OPEN      ///< pressure is 0 on it, all else continues: the way out of the tunnel
} gyre_classic_rule;

/// What kind of field an array is: the paper's b. It decides what the boundary cells hold.
typedef enum gyre_classic_kind {
    GYRE_CLASSIC_DENSITY = 0,  ///< walls copy it; an inflow brings its own
    GYRE_CLASSIC_X = 1,        ///< a velocity: walls across it negate it
    GYRE_CLASSIC_Y = 2,        ///< the same along y
    GYRE_CLASSIC_Z = 3,        ///< the same along z
    GYRE_CLASSIC_PRESSURE = 4, ///< copied, and 0 on open sides
    GYRE_CLASSIC_TEX_U = 5,    ///< a coordinate along x: copied; one more for each time round
    GYRE_CLASSIC_TEX_V = 6     ///< the same along y
} gyre_classic_kind;

/// What a side of the box lets through.
typedef struct gyre_classic_side {
    int rule;                      ///< gyre_classic_rule
    gyre_classic_real velocity[3]; ///< of an inflow
    gyre_classic_real density;     ///< of an inflow
} gyre_classic_side;

/// A fluid in a box. Take it from gyre_classic_default_box() and change what you need.
typedef struct gyre_classic_box {
    int dim;  ///< 2 or 3
    int n[3]; ///< cells along x, y, z without the boundary layer, 1 or more; z is 1 in 2D
    /// Cells per unit of length, above 0: the cell size's reciprocal, for a number that is whole in
    /// every format. N makes the box one unit wide, as the paper has it; keep it with n, and
    /// velocities and rates mean the same on every grid.
    gyre_classic_real resolution;
    int sweeps;                    ///< of Gauss-Seidel in each solve, 1 or more; the paper's: 20
    gyre_classic_real confinement; ///< of vorticity, 0 or more; 0: none
    gyre_classic_side sides[6];    ///< x low, x high, y low, y high, z low, z high
    /// NULL, or one byte per cell, laid out as the fields: not 0 where a solid is. May change from
    /// call to call. Solids should be two cells thick: a thinner one leaks.
    const uint8_t *solid;
    /// NULL where solids are at rest, else the velocity of the solid in each cell, as the fields.
    const gyre_classic_real *solid_velocity[3];
} gyre_classic_box;

/// A box of n cells along each of `dim` axes, one unit wide: walls all round, 20 sweeps, no solids.
GYRE_API gyre_classic_box gyre_classic_default_box(int dim, int n);

/// GYRE_OK when a box can be used. In fixed point n + 2 and `resolution` must lie in the range.
GYRE_API gyre_result gyre_classic_check(const gyre_classic_box *box);

/// Numbers in each array.
static inline size_t gyre_classic_size(const gyre_classic_box *box)
{
    return (size_t)(box->n[0] + 2) * (size_t)(box->n[1] + 2) *
           (size_t)(box->dim == 3 ? box->n[2] + 2 : 1);
}

/// The place of cell (i, j, k), each from 0 to n + 1; k is 0 in 2D. The paper's IX.
static inline size_t gyre_classic_index(const gyre_classic_box *box, int i, int j, int k)
{
    return (size_t)i + (size_t)(box->n[0] + 2) * ((size_t)j + (size_t)(box->n[1] + 2) * (size_t)k);
}

/// x += dt * s, everywhere.
GYRE_API gyre_result gyre_classic_add_source(const gyre_classic_box *box, gyre_classic_real *x,
                                             const gyre_classic_real *s, gyre_classic_real dt);

/// Fills the cells of solids and the boundary layer of a field of kind `b`. A solid's cell takes
/// the mean of its fluid neighbours (a velocity across the face is mirrored about the solid's own),
/// 0 deep inside.
GYRE_API gyre_result gyre_classic_set_bnd(const gyre_classic_box *box, int b, gyre_classic_real *x);

/// Solves c x - a (sum of x's neighbours) = x0 by box->sweeps of Gauss-Seidel from what x holds.
/// a >= 0, c >= 1, and c >= 4 a (6 a in 3D), without which sweeps would not settle.
GYRE_API gyre_result gyre_classic_lin_solve(const gyre_classic_box *box, int b,
                                            gyre_classic_real *x, const gyre_classic_real *x0,
                                            gyre_classic_real a, gyre_classic_real c);

/// x = x0 after spreading for dt at `rate` (length^2 / time, 0 or more), implicitly: any dt is
/// stable.
GYRE_API gyre_result gyre_classic_diffuse(const gyre_classic_box *box, int b, gyre_classic_real *x,
                                          const gyre_classic_real *x0, gyre_classic_real rate,
                                          gyre_classic_real dt);

/// d = d0 carried along `velocity` (dim arrays) for dt, by back-trace. d0 may be a component of
/// velocity, d may not.
GYRE_API gyre_result gyre_classic_advect(const gyre_classic_box *box, int b, gyre_classic_real *d,
                                         const gyre_classic_real *d0,
                                         const gyre_classic_real *const velocity[],
                                         gyre_classic_real dt);

/// Takes the gradient of a pressure out of `velocity`, so that what flows into a cell flows out.
/// p and div are scratch; p holds the pressure afterwards (in fixed point: times resolution).
GYRE_API gyre_result gyre_classic_project(const gyre_classic_box *box,
                                          gyre_classic_real *const velocity[], gyre_classic_real *p,
                                          gyre_classic_real *div);

/// Adds dt times the force of vorticity confinement (Fedkiw, Stam and Jensen 2001) with
/// box->confinement. `scratch`: one array in 2D, three in 3D.
GYRE_API gyre_result gyre_classic_confine(const gyre_classic_box *box,
                                          gyre_classic_real *const velocity[],
                                          gyre_classic_real *const scratch[], gyre_classic_real dt);

/// One step of a density: x0 holds the sources (per unit of time) and is scratch afterwards.
GYRE_API gyre_result gyre_classic_dens_step(const gyre_classic_box *box, gyre_classic_real *x,
                                            gyre_classic_real *x0,
                                            const gyre_classic_real *const velocity[],
                                            gyre_classic_real diff, gyre_classic_real dt);

/// One step of the velocity: `previous` holds the forces and is scratch afterwards.
GYRE_API gyre_result gyre_classic_vel_step(const gyre_classic_box *box,
                                           gyre_classic_real *const velocity[],
                                           gyre_classic_real *const previous[],
                                           gyre_classic_real visc, gyre_classic_real dt);

/// Liquid textures. Sets the two coordinate fields tex[0], tex[1] to where each cell is: 0 to 1
/// across the box.
GYRE_API gyre_result gyre_classic_tex_reset(const gyre_classic_box *box,
                                            gyre_classic_real *const tex[]);

/// Carries the coordinates along. tex0 is scratch.
GYRE_API gyre_result gyre_classic_tex_step(const gyre_classic_box *box,
                                           gyre_classic_real *const tex[],
                                           gyre_classic_real *const tex0[],
                                           const gyre_classic_real *const velocity[],
                                           gyre_classic_real dt);

/// Draws layer k (0 in 2D) of the box, n[0] x n[1] pixels, j = 1 first: each cell shows the image
/// at its coordinates, mixed from the four nearest pixels, repeated beyond its edges. `image`:
/// width x height pixels of `channels` bytes (1 to 4), its first row at coordinate 0; pixels has as
/// many channels. width and height: 1 to 8192.
GYRE_API gyre_result gyre_classic_tex_draw(const gyre_classic_box *box,
                                           const gyre_classic_real *const tex[], int k,
                                           const uint8_t *image, int width, int height,
                                           int channels, uint8_t *pixels);

#ifdef __cplusplus
}
#endif
#endif
