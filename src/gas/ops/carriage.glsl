// carriage.glsl: gy_carriage and gy_ledger of ops/row/args.h.
layout(buffer_reference, scalar, buffer_reference_align = 8) buffer Carriage
{
    float share, scale;
    int count;
    int none;
    uint64_t plain; // of gas/ops/remap.c
    int spare[10];
    uint skip[64];
};

layout(buffer_reference, scalar, buffer_reference_align = 8) buffer Ledger
{
    double error, left, emitted, added, faded, edited, total;
    float factor;
    int spare;
};
