// extra_args.glsl: gy_extra_args.
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args
{
    uint64_t base;
    uint level;
    uint coarse;
    int zero;
};
