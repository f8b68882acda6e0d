// Extinction on a grid of half the resolution, for the light of the sky.
flat in int layer;
out float depth;

void main()
{
    ivec3 low = 2 * ivec3(gl_FragCoord.xy, layer) - 1;
    float sum = 0.0;

    for (int i = 0; i < 8; i++) {
        ivec3 c = low + ivec3(i & 1, (i >> 1) & 1, i >> 2), held = clamp(c, ivec3(0), n + 1);

        if (c == held)
            sum += smoke_in(c) + 8.0 * share_in(c);
    }
    depth = 0.25 * sum; // 2 cells long
}
