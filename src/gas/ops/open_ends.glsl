// open_ends.glsl: where a velocity's face on an open side goes: end_moved of gas/ops/diffuse.c.
float end_moved(float q, float next)
{
    precise float moved = args.scale * q + next, blended;
    if (args.add != 0) {
        blended = q + args.blend * (next - q);
        return blended;
    }
    moved = moved / (args.scale + 1.0);
    blended = q + args.blend * (moved - q);
    return args.blend != 0.0 ? blended : moved;
}

/// Whether the face across the velocity's own axis, low or high of a cell, is shut beside windows:
/// what is next to it is held there.
bool gy_lid(gy_grid_level g, ivec3 cell, int high)
{
    cell[args.axis] += high;
    return (args.ends >> (2 + high) & 1u) != 0 &&
           gy_coefficient(g, args.axis, cell.x, cell.y, cell.z).v != 0us;
}
