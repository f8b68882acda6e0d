// solve/solvers.h: what the files of solve/ know of each other. A new solver is a file, a line here
// and its lines in solvers.c.
#ifndef GY_SOLVERS_H
#define GY_SOLVERS_H

#include "solve/solve.h"

extern const gy_solver gy_solver_multigrid;        // multigrid.c
extern const gy_solver gy_solver_mgpcg;            // krylov.c
extern const gy_solver gy_solver_pcg;              // krylov.c
extern const gy_solver gy_solver_cg;               // krylov.c
extern const gy_solver gy_solver_fft;              // fft.c
extern const gy_solver gy_solver_cyclic_reduction; // cyclic.c
extern const gy_solver gy_solver_direct;           // direct.c
extern const gy_solver gy_solver_dense;            // direct.c
extern const gy_solver gy_solver_red_black;        // relaxation.c
extern const gy_solver gy_solver_gauss_seidel;     // relaxation.c
extern const gy_solver gy_solver_jacobi;           // relaxation.c

/// common.c: copies what a vector like x of level l (0: x) needs beyond the ends of periodic axes,
/// from axis `first` on.
void gy_wrap_axes(const gy_system *system, int l, uint32_t vector, int first);

/// common.c: clears what lies beyond the cells of a vector like x of level l (0: x), and with
/// `cells` those, too.
void gy_clear(const gy_system *system, int l, uint32_t vector, bool cells);

/// common.c: runs residual for one colour; returns into how many tasks it was cut.
int gy_residual_run(const gy_system *system, uint32_t x, int colour);

/// common.c: a word of a report, for gy_device_gate.
#define GY_GATE(system, report, word)                                                              \
    (&((const gy_report *)(const void *)gy_at((system)->base, report))->word)

/// common.c: whether a solve that is recorded need not be recorded on before its q-th cycle.
bool gy_record_over(const gy_system *system, uint32_t report, int q);

/// common.c: runs dot; returns into how many tasks it was cut.
int gy_vector_dot_run(const gy_system *system, uint32_t x, uint32_t y);

/// common.c: sum of squares of the residual of a vector like x of the finest level (0: x) over the
/// colours from `first` on.
double gy_residual_from(const gy_system *system, uint32_t x, int first);

/// Whether every face inside has coefficient 1 and every side is shut, open or joined all over.
bool gy_system_is_box(const gy_system *system);

/// system.c: how coefficients across an axis of level l + 1 are made from those of level l.
gy_coarsen_args gy_system_coarsen_args(const gy_system *system, int l, int axis);
/// system.c: makes the flags of level l where ops see them, and where the host does: from what the
/// host has of coefficients, which are the same.
void gy_system_flag_here(const gy_system *system, int l);
/// system.c: makes the coefficients of level l + 1, where there is one, where the host sees them.
/// Level l has its flags.
void gy_system_coarsen_here(const gy_system *system, int l);

/// Levels of at most so many cells, but the finest, are done with all below them as one op.
enum { GY_ALONE = 32768 };

/// components.c: makes the coarse coefficients of every level; for solvers that run conjugate
/// gradients over multigrid (mgpcg, pcg with multigrid, auto) with a coarse unknown for each part
/// of a block that open faces join: system->extras counts those beyond the first of a block.
gyre_result gy_components_update(gy_system *system);

/// components.c: what a cycle does for coarse unknowns beyond the first of a block, after (or
/// before) the structured part of the same step. Nothing where level l has none.
void gy_extra_relax(const gy_system *system, int l, int colour, bool zero);
void gy_extra_restrict(const gy_system *system, int l);       // level l to level l + 1
void gy_extra_before_prolong(const gy_system *system, int l); // level l + 1 to level l
void gy_extra_after_prolong(const gy_system *system, int l);

/// components.c: before a cycle on the levels that are one op: makes the factor of the coarsest one
/// in use, where it has one that was not made for its shift. The host's business: the work hangs on
/// itself row by row, and few cycles are from one change of the shift or of solids to the next.
void gy_extra_factorise(const gy_system *system);

/// regions.c: finds the parts of the domain that no open face joins, system->regions of them, and
/// which of them something holds.
gyre_result gy_regions_update(gy_system *system);
/// Takes the mean of b off every region that nothing holds, where shift is 0; returns the sum of
/// squares of b after that, given the one before.
double gy_regions_balance(gy_system *system, double reference);
/// gy_regions_balance for gy_system_record, the sum of squares being in a report.
void gy_regions_record(gy_system *system, uint32_t report);
/// Whether b may have means to be taken off.
bool gy_regions_balances(const gy_system *system);
/// Whether there is a region that nothing holds.
bool gy_regions_free(const gy_system *system);
/// The same for x, so that over many solves that start from the last answer no region's constant
/// drifts away.
void gy_regions_centre(gy_system *system);

/// refine.c: steps on vectors like x of the finest level. Takes a mean off, puts 0 where there is
/// no unknown, counts those that there are and returns the sum.
double gy_vector_mask(const gy_system *system, uint32_t vector, double mean, double *unknowns);
/// The same, leaving the sum and the number of unknowns in so many pieces of partial. The mean is
/// that of the CG state where there is one (0: not).
int gy_vector_mask_run(const gy_system *system, uint32_t vector, double mean, uint32_t cg);
/// Copies cells; from offset 0: zeroes.
void gy_vector_copy(const gy_system *system, uint32_t to, uint32_t from);
/// For solvers whose answer grows in a vector of its own (or x), or in that and `low` (0: not):
/// makes it x, or 0, and keeps b; b and x are 0 afterwards where there is no unknown.
void gy_vector_start(const gy_system *system, bool zero, uint32_t answer, uint32_t low,
                     uint32_t kept);
/// b = kept - A (answer + low), in double where there is `low`; returns its sum of squares.
double gy_vector_remain(const gy_system *system, uint32_t answer, uint32_t low, uint32_t kept);
/// The same, leaving the sum of squares as reference in system->rest, whose gates are open where
/// `balances`.
void gy_vector_remain_record(const gy_system *system, uint32_t answer, uint32_t low, uint32_t kept,
                             bool balances);
/// x = answer, and system->low is set.
void gy_vector_finish(gy_system *system, uint32_t answer, uint32_t low);

/// mic.c: takes memory for MIC(0), and notes that coefficients have changed.
gyre_result gy_mic_prepare(gy_system *system);
/// x = what MIC(0) makes of b.
void gy_mic_apply(const gy_system *system);

/// refine.c: iterative refinement round any solver.
gy_solve_result gy_refine(gy_system *system, const gy_solver *solver, const gy_solve_task *task);
/// The same for gy_system_record, round a solver with a `cycle`.
void gy_refine_record(gy_system *system, const gy_solver *solver, const gy_solve_task *task,
                      uint32_t report);

/// common.c: what every kind of course op of a solve gets.
gy_cg_args gy_cg_args_of(const gy_system *system, const gy_solve_task *task, uint32_t report);
/// common.c: runs decide_cg on what an op has left in so many tasks.
void gy_decide_cg(const gy_system *system, gy_cg_args args, gy_cg_kind kind, int tasks);

#endif
