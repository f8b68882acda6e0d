// row.glsl: ops/row/row.h for twins: what lies beyond a field's own samples along x.
float gy_inward(float d, int end)
{
    const float hair = 2.384185791015625e-07; // 2^-22
    float inside = end == 0 ? d : -d;
    inside = inside >= hair ? inside : hair - inside;
    return end == 0 ? inside : -inside;
}

/// How many samples gy_row_finish_part may set.
int gy_row_beyond(int n, gy_edge edge)
{
    return PAD / 2 + 2 + (n + LANES - 1) / LANES * LANES + PAD / 2 - edge.samples;
}

/// Sets the q-th sample of those that gy_row_finish sets, given a row of n cells that begins at f.
/// The row's own samples must be there, but the boundary samples that the edge gives.
void gy_row_finish_part(gy_samples field, int f, int n, gy_edge edge, int q)
{
    int last = edge.samples - 1, end = (n + LANES - 1) / LANES * LANES + PAD / 2;
    bool low = q <= PAD / 2;
    if (edge.rule[0] == EDGE_WRAP) {
        int i = low ? q - PAD / 2 : n + q - PAD / 2 - 1;
        if (i != 0 && i < end) {
            set_sample(field, f + i, sample_at(field, f + (i + PAD * n) % n));
        }
        return;
    }
    int side = low ? 0 : 1, rule = edge.rule[side];
    int i = low ? q - PAD / 2 : last + q - PAD / 2 - 1;
    bool boundary = i == (low ? 0 : last);
    if (i >= end || (!low && i < n) || (boundary && rule != EDGE_FACE)) {
        return;
    }
    precise float x = edge.value[side];
    if (rule != EDGE_FACE && rule != EDGE_VALUE) {
        float nearest = sample_at(field, low ? f : f + last);
        x = rule == EDGE_MIRROR ? 2.0 * edge.value[side] - nearest
            : rule == EDGE_INWARD ? gy_inward(nearest, side)
                                  : nearest;
    }
    set_sample(field, f + i, x);
}
