// split_args.glsl: gy_split_args.
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args
{
    uint64_t base;
    uint field;
    uint level;
    gy_extent extent;
    float scale;
    float blend;
    float wall[6];
    gy_edge edge;
    float limit;
    int axis;
    uint ends;
    int add;
};
