#include "solve/solvers.h"

#include <stdio.h>

static bool takes(const gy_system_def *def, char *why, size_t size)
{
    (void)def;
    snprintf(why, size, "is not built yet");
    return false;
}
const gy_solver gy_solver_mgpcg = {.name = "mgpcg", .doc = "", .takes = takes};
const gy_solver gy_solver_pcg = {.name = "pcg", .doc = "", .takes = takes};
const gy_solver gy_solver_cg = {.name = "cg", .doc = "", .takes = takes};
