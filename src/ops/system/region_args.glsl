// region_args.glsl: gy_region_args.
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args
{
    uint64_t base;
    uint64_t regions;
    uint64_t parts;
    uint64_t cells;
    uint level;
    uint vector;
};

#include "ops/system/region_part.glsl"
