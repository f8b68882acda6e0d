// relax_args.glsl: gy_relax_args.
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args
{
    uint64_t base;
    uint level;
    uint coarse;
    uint partial;
    int colour;
    int kind;
    float omega;
    int zero;
    int axis;
    uint x;
    int levels;
    int sweeps;
    int shape;
    int both;
};
