// region_args.glsl: gy_region_args and gy_region_part.
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args
{
    uint64_t base;
    uint64_t parts;
    uint64_t cells;
    uint level;
    uint vector;
};

layout(buffer_reference, scalar, buffer_reference_align = 8) buffer RegionPart
{
    uint first, count;
    float amount;
    uint region;
    double sum;
};

RegionPart region_part(uint64_t parts, int p)
{
    return RegionPart(parts + uint64_t(p) * 24ul);
}
