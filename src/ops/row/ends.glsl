// ends.glsl: ops/row/row.h for twins that have a row's samples one at a time: whoever sets a sample
// sets what depends on it beyond the row's ends, too.
#include "ops/row/row.glsl"

/// The end of the samples of a row that a twin has to find: a boundary face that the edge gives is
/// not among them.
int gy_row_end(int n, gy_edge edge)
{
    return edge.rule[1] == EDGE_FACE ? n : edge.samples;
}

/// What stands beyond an end whose last sample is x.
float gy_beyond(gy_edge edge, int side, float x)
{
    int rule = edge.rule[side];
    precise float y = edge.value[side];
    if (rule == EDGE_MIRROR) {
        y = 2.0 * y - x;
    } else if (rule == EDGE_INWARD) {
        y = gy_inward(x, side);
    } else if (rule == EDGE_COPY) {
        y = x;
    }
    return y;
}

/// Sets sample i of a row of n cells that begins at f, and its part of what gy_row_finish sets.
void gy_put(gy_samples field, int f, int i, int n, gy_edge edge, float x)
{
    int end = (n + LANES - 1) / LANES * LANES + PAD / 2;
    if (edge.rule[0] == EDGE_WRAP) {
        for (int q = i + n; q < end; q += n) {
            set_sample(field, f + q, x);
        }
        for (int q = i - n; q >= -PAD / 2; q -= n) {
            set_sample(field, f + q, x);
        }
        set_sample(field, f + i, x);
        return;
    }
    if (i == gy_row_end(n, edge) - 1) {
        float y = gy_beyond(edge, 1, x);
        for (int q = i + 1; q < end; q++) {
            set_sample(field, f + q, y);
        }
    }
    if (i == 0) {
        float y = gy_beyond(edge, 0, x);
        for (int q = 1; q <= PAD / 2; q++) {
            set_sample(field, f - q, y);
        }
        x = edge.rule[0] == EDGE_FACE ? y : x;
    }
    set_sample(field, f + i, x);
}
