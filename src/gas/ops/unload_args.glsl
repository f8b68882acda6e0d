// unload_args.glsl: gy_unload_args, for the twins of gas/ops/unload.c.
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint64_t particles;
    uint step, now, given, sums, velocity;
    gy_extent extent;
    uint periodic;
    int axis;
    float each;
};
