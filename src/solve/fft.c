#include "solve/solvers.h"

#include <stdio.h>

static bool takes(const gy_system_def *def, char *why, size_t size)
{
    (void)def;
    snprintf(why, size, "is not built yet");
    return false;
}
const gy_solver gy_solver_fft = {.name = "fft", .doc = "", .takes = takes};
