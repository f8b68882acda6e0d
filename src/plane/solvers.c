// plane/solvers.c: in place of solve/cyclic.c, direct.c, mic.c and relaxation.c: solvers that a
// scene asks for by name when it begins, and whose place others take as well.
#include "solve/solvers.h"
#include "plane/plane.h"

#include <stdio.h>

static bool takes_none(const gy_system_def *def, char *why, size_t size)
{
    (void)def;
    snprintf(why, size, "is in the whole module: %s", GY_PLANE_ONLY);
    return false;
}

#define LACKS(kind)                                                                                \
    const gy_solver gy_solver_##kind = {                                                           \
        .name = #kind, .doc = "in the whole module", .takes = takes_none, .vectors = 1}
LACKS(cyclic_reduction);
LACKS(direct);
LACKS(dense);
LACKS(red_black);
LACKS(gauss_seidel);
LACKS(jacobi);

gyre_result gy_mic_prepare(gy_system *system)
{
    (void)system;
    return gy_plane_lacks("preconditioner mic0");
}

void gy_mic_apply(const gy_system *system)
{
    (void)system;
}
