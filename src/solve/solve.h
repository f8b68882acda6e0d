// solve/solve.h: linear systems  shift x + sum over faces of a (x - x_neighbour) = b  on a grid,
// and the solvers for them behind one interface.
#ifndef GY_SOLVE_H
#define GY_SOLVE_H

#include "device/device.h"
#include "gyre/grid.h"
#include "ops/args.h"

/// Bump allocation of one block, in units of 64 bytes. With base 0 it only counts.
typedef struct gy_arena {
    uint64_t base;
    uint32_t used; // units of 64 bytes; offset 0 is never given out
} gy_arena;

/// The offset of `bytes` bytes, aligned to 64.
uint32_t gy_arena_take(gy_arena *arena, size_t bytes);

enum { GY_MAX_LEVELS = 14 };

/// A hierarchy of levels, the finest first; the gy_level structs lie in the arena, one after the
/// other.
typedef struct gy_system {
    gyre_device *device;
    uint64_t base;
    uint32_t first;   // -> gy_level
    uint32_t partial; // -> 4 doubles per task
    int count;
    float width[GY_MAX_LEVELS][3]; // of the last cell along each axis, in cells of its level
    float held[GY_MAX_LEVELS][3];  // from the last cell's centre to where x is 0; 0: nowhere
} gy_system;

/// Lays a system out: coefficients, flags and level structs in `kept`, unknowns and right-hand
/// sides of the finest level in `scratch`, those of the coarser levels in `kept`. `held`: how many
/// cells beyond the centre of the last cell along each axis x is 0, where the coefficient of the
/// last face is not; 0: nowhere; NULL: half a cell at open sides. `pin`: cells may be held at 0. A
/// system with nothing held takes no less memory than one that is. When kept->base is not 0 the
/// level structs are written, too; coefficients are left as they are.
void gy_system_plan(gy_system *system, gyre_device *device, const gyre_grid *grid,
                    uint32_t periodic, uint32_t open_sides, const float held[3], bool pin,
                    gy_arena *kept, gy_arena *scratch);

/// The l-th level, 0 the finest.
gy_level *gy_system_level(const gy_system *system, int l);
uint32_t gy_system_offset(const gy_system *system, int l);
gy_box gy_level_box(const gy_level *level);

/// Makes coarse coefficients and flags after those of the finest level have changed.
void gy_system_coarsen(const gy_system *system);

/// Sets the diagonal shift of every level (0 for a Poisson problem).
void gy_system_shift(const gy_system *system, float shift);

typedef struct gy_solve_task {
    double tolerance; // stop when the residual's root mean square falls below tolerance times
                      // `reference`
    double reference; // sum of squares of b
    int max_cycles;
    bool zero; // start from x = 0, whatever x holds
} gy_solve_task;

typedef struct gy_solve_result {
    int cycles;
    double residual; // relative
} gy_solve_result;

typedef struct gy_solver {
    const char *name;
    const char *doc;
    gy_solve_result (*solve)(const gy_system *system, const gy_solve_task *task);
} gy_solver;

/// The solvers, ended by a NULL name, and the names alone for property tables, in the same order.
extern const gy_solver gy_solvers[];
extern const char *const gy_solver_names[];

/// Adds up partial[4 * task + which] over tasks, in order, or takes the largest.
double gy_partial_sum(uint64_t base, uint32_t partial, int tasks, int which);
double gy_partial_max(uint64_t base, uint32_t partial, int tasks, int which);

#endif
