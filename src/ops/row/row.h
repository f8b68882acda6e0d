// ops/row/row.h: finishing a row: what lies beyond a field's own samples along x.
#ifndef GY_ROW_H
#define GY_ROW_H

#include "ops/row/body.h"

/// A displacement beyond an end such that its mean with the last one leads inside, by a hair at
/// least: the limiter of a path that ended on the boundary face itself would look at the sample
/// beyond it.
GY_INLINE float gy_inward(float d, int end)
{
    const float hair = 0x1p-22f;
    float in = end == 0 ? d : -d;
    in = in >= hair ? in : hair - in;
    return end == 0 ? in : -in;
}

/// Fills eight samples left of the row and everything from its last sample to the middle of the
/// next pad.
GY_INLINE void gy_row_finish(float *row, int n, const gy_edge *edge)
{
    int end = gy_round_up(n, GY_LANES) + GY_PAD / 2, last = edge->samples - 1;
    float low = row[0], high = row[last];
    if (edge->rule[0] == GY_EDGE_WRAP) {
        // A period of n samples; a face field's sample n is its sample 0.
        for (int i = n; i < end; i++) {
            row[i] = row[i - n];
        }
        for (int i = 1; i <= GY_PAD / 2; i++) {
            row[-i] = row[((-i) % n + n) % n];
        }
        return;
    }
    if (edge->rule[0] == GY_EDGE_FACE) {
        row[0] = low = edge->value[0];
    } else if (edge->rule[0] == GY_EDGE_VALUE) {
        low = edge->value[0];
    } else if (edge->rule[0] == GY_EDGE_MIRROR) {
        low = 2.0f * edge->value[0] - low;
    } else if (edge->rule[0] == GY_EDGE_INWARD) {
        low = gy_inward(low, 0);
    }
    if (edge->rule[1] == GY_EDGE_FACE) {
        high = edge->value[1];
        last = n - 1;
    } else if (edge->rule[1] == GY_EDGE_VALUE) {
        high = edge->value[1];
    } else if (edge->rule[1] == GY_EDGE_MIRROR) {
        high = 2.0f * edge->value[1] - high;
    } else if (edge->rule[1] == GY_EDGE_INWARD) {
        high = gy_inward(high, 1);
    }
    for (int i = 1; i <= GY_PAD / 2; i++) {
        row[-i] = low;
    }
    for (int i = last + 1; i < end; i++) {
        row[i] = high;
    }
}

#endif
