// solve/components.c: coarse coefficients.
#include "solve/solvers.h"

gyre_result gy_components_update(gy_system *s)
{
    gy_system_coarsen(s);
    s->extras = 0;
    return GYRE_OK;
}

void gy_extras_relax(const gy_system *s, int l, int colour, bool zero)
{
    (void)s;
    (void)l;
    (void)colour;
    (void)zero;
}

void gy_extras_restrict(const gy_system *s, int l)
{
    (void)s;
    (void)l;
}

void gy_extras_before_prolong(const gy_system *s, int l)
{
    (void)s;
    (void)l;
}

void gy_extras_after_prolong(const gy_system *s, int l)
{
    (void)s;
    (void)l;
}
