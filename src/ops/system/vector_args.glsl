// vector_args.glsl: gy_vector_args.
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args
{
    uint64_t base;
    uint level;
    uint x, y, z, w;
    uint low;
    uint partial;
    float factor, mean;
    int first;
    uint cg;
};
