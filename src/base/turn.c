// base/turn.c: the octant is found in whole numbers, so that nothing is lost before the series, and
// the series are summed in double with + and * alone.
#include "base/turn.h"

gy_turn gy_turn_of(int64_t k, int64_t n)
{
    static const double
        sines[] = {-1.0 / 6,        1.0 / 120,          -1.0 / 5040,           1.0 / 362880,
                   -1.0 / 39916800, 1.0 / 6227020800.0, -1.0 / 1307674368000.0},
        cosines[] = {-1.0 / 2,       1.0 / 24,        -1.0 / 720,           1.0 / 40320,
                     -1.0 / 3628800, 1.0 / 479001600, -1.0 / 87178291200.0, 1.0 / 20922789888000.0};
    k %= n;
    int64_t octant = 8 * k / n, rest = 8 * k - octant * n;
    if (octant & 1) {
        rest = n - rest;
    }
    // At most an eighth of a turn.
    double a = (double)rest / (double)n * 0.78539816339744830962, a2 = a * a;
    double s = 0.0, c = 0.0;
    for (int q = GY_COUNT(sines) - 1; q >= 0; q--) {
        s = (s + sines[q]) * a2;
    }
    for (int q = GY_COUNT(cosines) - 1; q >= 0; q--) {
        c = (c + cosines[q]) * a2;
    }
    s = a + a * s;
    c = 1.0 + c;
    bool swap = octant == 1 || octant == 2 || octant == 5 || octant == 6;
    gy_turn t = {swap ? s : c, swap ? c : s};
    t.c = octant >= 2 && octant < 6 ? -t.c : t.c;
    t.s = octant >= 4 ? -t.s : t.s;
    return t;
}
