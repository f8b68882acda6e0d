// base/turn.h: sines and cosines of fractions of a whole turn, for tables.
#ifndef GY_TURN_H
#define GY_TURN_H

#include "base/base.h"

typedef struct gy_turn {
    double c, s;
} gy_turn;

/// Cosine and sine of 2 pi k / n, to about one unit in a double's last place; the same bits on
/// every machine; 0 <= k, 0 < n <= 2^28. Where symmetry makes two of them equal, so are their bits.
gy_turn gy_turn_of(int64_t k, int64_t n);

#endif
