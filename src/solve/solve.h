// solve/solve.h: linear systems  shift x + sum over faces of a (x - x_neighbour) = b  on a grid,
// and the solvers for them behind one interface.
#ifndef GY_SOLVE_H
#define GY_SOLVE_H

#include "device/device.h"
#include "grid/table.h"
#include "gyre/grid.h"
#include "gyre/solve.h"
#include "ops/system/args.h"

/// Bump allocation of one block, in units of 64 bytes. With base 0 it only counts.
typedef struct gy_arena {
    uint64_t base;
    uint32_t used; // units of 64 bytes; offset 0 is never given out
} gy_arena;

/// The offset of `bytes` bytes, aligned to 64.
uint32_t gy_arena_take(gy_arena *arena, size_t bytes);

/// What a system is to be.
typedef struct gy_system_def {
    gyre_grid grid;
    uint32_t periodic, open_sides; // bits, as in gy_level
    const float *held; // how many cells beyond the centre of the last cell along each axis x is 0,
                       // where the coefficient of the last face is not; 0: nowhere; NULL: half a
                       // cell at open sides
    bool pin;          // cells may be held at 0
    bool solids;       // faces inside may be other than 1
    gyre_solver_def solver;
    const gyre_solver_def *also; // NULL, or what a system that shares this one's levels will use
    gy_arena *coarse; // where unknowns and right-hand sides of coarser levels go, to be cleared
                      // before each solve that needs them; NULL: where coefficients do, and there
                      // nobody else writes, so that what lies beyond their cells stays 0
} gy_system_def;

/// Memory of the host's that a solver keeps with a system: lists and factors, whose size is known
/// only when coefficients are. Grows, never shrinks.
typedef struct gy_memory {
    void *data;
    size_t bytes;
} gy_memory;

enum {
    GY_MAX_LEVELS = 14,
    GY_VECTORS = 5, // of a solver's own, beside x and b
    GY_OWN = 8      // blocks of memory of a solver's own
};

/// What each block of gy_system.own is for.
typedef enum gy_own {
    GY_OWN_COMPONENTS, // lists of component coarsening
    GY_OWN_REGIONS,    // cells of the regions but the largest
    GY_OWN_FACTOR,     // direct, dense: the matrix; pcg: MIC(0)'s diagonal
    GY_OWN_TABLES,     // transforms: twiddles, permutations, eigenvalues
    GY_OWN_SCRATCH,    // transforms: buffers of tasks
    GY_OWN_FACES,      // which faces of the finest level are open: solve/faces.h
    GY_OWN_ROOMS,      // which region a cell is of: gy_system_room
} gy_own;

/// A hierarchy of levels, the finest first; the gy_level structs lie in the arena, one after the
/// other.
typedef struct gy_system {
    gyre_device *device;
    uint64_t base;
    uint32_t first;     // -> gy_level
    uint32_t kept[2];   // the units of 64 bytes that gy_system_plan took of `kept`
    uint32_t coarse[2]; // those that it took of the def's `coarse`
    uint32_t partial;   // -> 4 doubles per task
    uint32_t cg;        // -> gy_cg_state, and
    uint32_t rest;      // -> gy_report, for solvers that record
    int count;
    float width[GY_MAX_LEVELS][3]; // of the last cell along each axis, in cells of its level
    float held[GY_MAX_LEVELS][3];  // from the last cell's centre to where x is 0; 0: nowhere
    gyre_solver_def settings;
    gyre_grid grid;
    uint32_t periodic, open_sides;
    bool pin;
    bool box;    // every face inside is 1 and every side is whole: set by gy_system_update
    int chosen;  // gyre_solver_kind that runs, never auto: set by gy_system_update
    float shift; // of the finest level
    uint32_t vector[GY_VECTORS]; // like x of the finest level; 0: not planned
    uint32_t low;                // what refine knows beyond x; 0: nothing. One of the vectors
    gy_memory own[GY_OWN];
    bool shares; // its lists are another's
    bool apart;  // regions are to know nothing of each other, to the bit
    bool narrow; // a few faces may be all that holds x: coarse levels make of them half each time,
                 // so that cycles alone diverge, and auto takes conjugate gradients round them
    bool loose;  // solids move, and no sheet is there: coarse cells whose parts meet near by are
                 // whole
    bool rooms;  // gy_system_update is to note which region each cell is of
    int regions, extras;
} gy_system;

/// What is known of a region, and what its user adds up in it.
typedef struct gy_room {
    double in, side; // what inflows bring, in velocities times faces; of one side of the domain
    double taken;    // what solids that move take up of it
    double passed;   // the sum of its amounts
    float fastest;   // m/s, given by inflows
    bool held;       // an open side is at it
    bool carried;    // a side is by which what leaves is carried: see gas/carried.c
    int64_t faces;   // of inflows whose velocity is not 0
} gy_room;

/// Lays a system out: coefficients, flags and level structs in `kept`, unknowns and right-hand
/// sides of the finest level, and the solver's vectors, in `scratch`, those of the coarser levels
/// in `kept` or in the def's `coarse`. A system with nothing held takes no less memory than one
/// that is. When kept->base is not 0 the level structs are written, too; coefficients are left as
/// they are.
void gy_system_plan(gy_system *system, gyre_device *device, const gy_system_def *def,
                    gy_arena *kept, gy_arena *scratch);

/// A vector like x of the finest level of a system on this grid, of the caller's own; where its
/// memory starts, and its bytes.
uint32_t gy_system_take_vector(const gyre_grid *grid, gy_arena *arena);
void *gy_system_vector_start(const gy_system *system, uint32_t vector);
size_t gy_system_vector_bytes(const gy_system *system);
/// The same of coefficients, which are of 16 bits.
void *gy_system_coefficients_start(const gy_system *system, uint32_t open);

/// The l-th level, 0 the finest.
gy_level *gy_system_level(const gy_system *system, int l);
uint32_t gy_system_offset(const gy_system *system, int l);
gy_box gy_level_box(const gy_level *level);

/// After the host has written coefficients of the finest level: what it wrote goes to the device.
void gy_system_put(const gy_system *system);
/// The same for the gy_level structs alone.
void gy_system_put_levels(const gy_system *system);
/// The same for the coefficients of one level.
void gy_system_put_coefficients(const gy_system *system, int l);

/// After the coefficients of the finest level have changed: makes the coarse ones (x and b are
/// lost), chooses the solver, and lets it make what it needs. Fails with GYRE_ERROR_MEMORY, or
/// GYRE_ERROR_ARGUMENT when the solver cannot take the coefficients.
gyre_result gy_system_update(gy_system *system);

/// After gy_system_update with `rooms`: the regions, and the number of that which a cell is of;
/// below 0: of none. Where all cells hang together there is none listed, and the count is 0.
gy_room *gy_system_rooms(const gy_system *system, int *count);
int gy_system_room(const gy_system *system, int i, int j, int k);

/// The v-th of the finest level's vectors (0: x, 1: b, then gy_system.vector) as zeroed memory, to
/// be left zeroed; NULL: not planned. For gy_system_update, which loses x and b, and for what comes
/// before it.
void *gy_system_scratch(const gy_system *system, int v, size_t *bytes);
/// The same as it is, not zeroed.
void *gy_system_lend(const gy_system *system, int v, size_t *bytes);

/// Makes `system` share the levels, vectors and lists of `of`, which has been updated, and solve by
/// other settings. It has only its own solver's memory to release, and is to be updated so after
/// each update of `of`.
gyre_result gy_system_share(gy_system *system, const gy_system *of, const gyre_solver_def *solver);

/// The first part of gy_system_update alone, for systems that only ever see multigrid cycles.
void gy_system_coarsen(const gy_system *system);

/// Sets the diagonal shift of every level (0 for a Poisson problem).
void gy_system_shift(gy_system *system, float shift);

/// Gives back what gy_system_update has taken from the host.
void gy_system_release(gy_system *system);

/// Makes own[which] hold at least `bytes` bytes, aligned to 64 (their old contents are lost when it
/// grows). False: no memory, and the message is set.
bool gy_system_own(gy_system *system, gy_own which, size_t bytes);

typedef struct gy_solve_task {
    double tolerance; // stop when the residual's root mean square falls below tolerance times
                      // `reference`
    double reference; // sum of squares of b
    int max_cycles;
    bool zero;       // start from x = 0, whatever x holds
    double *history; // NULL, or room for the relative residual after each cycle
    int history_size;
} gy_solve_task;

typedef struct gy_solve_result {
    int cycles;
    double residual; // relative
} gy_solve_result;

/// Where gy_system_record finds what b is, and leaves what came of it.
typedef struct gy_solve_record {
    uint32_t report;   // -> gy_report, whose `cycles` counts on
    int tasks, which;  // b's sum of squares: of partial[4 * task + which], added up,
    double scale, add; // times scale twice, plus add
} gy_solve_record;

/// A solver.
#define GY_OPS(...)                                                                                \
    (const gy_op[])                                                                                \
    {                                                                                              \
        __VA_ARGS__, GY_OP_COUNT                                                                   \
    }

typedef struct gy_solver {
    const char *name;
    const char *doc;
    /// False when it cannot take such a system (grid, sides, solids, pin, memory), with the reason
    /// in `why`, as "fft takes ..., and this ..." would go on: a half-sentence. NULL: takes all.
    bool (*takes)(const gy_system_def *def, char *why, size_t size);
    /// How many of gy_system.vector it needs, and with settings.refine where it sees to that
    /// itself.
    int vectors, refined_vectors;
    /// After coefficients have changed. NULL: nothing to do.
    gyre_result (*prepare)(gy_system *system);
    /// Changes x and may change b. The halo of x need not be valid afterwards but for axes that
    /// are periodic.
    gy_solve_result (*solve)(gy_system *system, const gy_solve_task *task);
    /// The same for gy_system_record, b's sum of squares being in the report. NULL: cannot.
    void (*record)(gy_system *system, const gy_solve_task *task, uint32_t report);
    /// The q-th cycle of a solve, as record asks for it, x from 0 when `zero`; for refinement round
    /// it that is recorded. NULL: there is none.
    void (*cycle)(const gy_system *system, int q, bool zero);
    /// Sees to settings.refine itself.
    bool refines;
    /// Needs the vectors of coarser levels, by some settings at least.
    bool coarsens;
    /// What it runs beside the ops of multigrid, closed by GY_OP_COUNT; NULL: nothing.
    const gy_op *ops;
} gy_solver;

/// By gyre_solver_kind; [GYRE_SOLVER_AUTO] has neither prepare nor solve.
extern const gy_solver *const gy_solvers[GYRE_SOLVER_COUNT];

/// Whether the settings' solver takes the system; else fails with `path` ("pressure.solver"), why,
/// and a solver that does.
gyre_result gy_system_check(const gy_system_def *def, const char *path);

/// Solves by the system's solver, after taking the mean of b off regions that nothing holds, and
/// with refinement where that is asked.
gy_solve_result gy_system_solve(gy_system *system, const gy_solve_task *task);

/// One multigrid cycle from x = 0, which leaves about a tenth of the residual: for a b that is to
/// be made smaller cheaply. Where nothing holds x, b has no mean worth mentioning. False, and
/// nothing done: the system's solver has no cycles, or there are several regions.
bool gy_system_relieve(gy_system *system);

/// Whether the system is better solved by gy_system_record, and its solver can: the device is
/// remote (see gy_device_is_remote), the solver records, and refinement, if any, is its own or goes
/// round cycles of one shape.
bool gy_system_records(const gy_system *system);

/// As gy_system_solve, but all that may be needed is asked for at once, gates leaving out what is
/// not, and results stay on the device, in the report: cycles, left over reference, and idle not 0
/// where b was 0 (x is 0 then, or what it was). Takes of the task tolerance, max_cycles and zero.
/// The host waits only after every GY_RECORDED cycles, and for the means of x where that is begun
/// from and nothing holds it.
void gy_system_record(gy_system *system, const gy_solve_task *task, const gy_solve_record *record);
enum { GY_RECORDED = 32 };

/// The relative residual that a report, fetched by the host, tells of.
double gy_report_residual(const gy_report *report);

/// Runs decide, which is one task.
void gy_decide(gyre_device *device, const gy_decide_args *args);

/// What solvers share (common.c). One V-cycle of red-black sweeps, x from zero when `zero`.
void gy_multigrid_cycle(const gy_system *system, bool zero);
/// Sum of squares of the residual after a red sweep (black was swept before it).
double gy_residual_black(const gy_system *system);
/// Sum of squares of the residual.
double gy_residual_all(const gy_system *system);
/// Sum over cells of the product of two vectors like x of the finest level, or of one with itself.
double gy_vector_dot(const gy_system *system, uint32_t x, uint32_t y);
double gy_vector_squares(const gy_system *system, uint32_t x);
/// Clears what lies beyond the cells of a vector like x of the finest level (0: x itself).
void gy_vector_clear(const gy_system *system, uint32_t vector);
/// x = a vector like it, without the mean of each region that nothing holds, which no solve gives;
/// 0 in cells that have no open face.
void gy_system_centre(gy_system *system, uint32_t from);
/// Copies what a vector (0: x) needs beyond the ends of periodic axes.
void gy_vector_wrap(const gy_system *system, uint32_t vector);
/// Notes a relative residual.
void gy_note(const gy_solve_task *task, int cycle, double residual);

/// The lines of a property table for a gyre_solver_def, with the defaults that differ.
extern const gyre_property gy_pressure_solver_properties[];
extern const gyre_property gy_diffusion_solver_properties[];

/// Adds up partial[4 * task + which] over tasks, in order, or takes the largest.
double gy_partial_sum(gyre_device *device, uint64_t base, uint32_t partial, int tasks, int which);
double gy_partial_max(gyre_device *device, uint64_t base, uint32_t partial, int tasks, int which);

#endif
