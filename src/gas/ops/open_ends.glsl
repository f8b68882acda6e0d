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
