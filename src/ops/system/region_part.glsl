// region_part.glsl: gy_region_part and gy_region.
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

layout(buffer_reference, scalar, buffer_reference_align = 8) buffer Region
{
    uint first, parts;
    uint cells;
    uint held;
    double sum;
};

Region region_at(uint64_t regions, int r)
{
    return Region(regions + uint64_t(r) * 24ul);
}

const int STRETCHES = 256;

/// Where a stretch of `count` begins.
int stretch(int count, int which)
{
    int length = (count + STRETCHES - 1) / STRETCHES;
    return min(count, which * length);
}
