// A shaft and a head by their distance, white with a dark rim that shows on any ground.
in vec2 spot;
flat in float reach;
out vec4 pixel_colour;

void main()
{
    float b = abs(spot.y), head = min(7.0, 0.6 * reach), wide = 0.5 * head;
    float back = reach - head;
    float shaft = max(b - 0.75, max(-spot.x, spot.x - back - 1.0));
    // The head's slanted side: from (reach, 0) to (back, wide).
    float side = ((spot.x - back) * wide + (b - wide) * head) / sqrt(wide * wide + head * head);
    float tip = max(side, back - spot.x);
    float d = min(shaft, tip);
    float inner = clamp(0.5 - d, 0.0, 1.0), rim = clamp(1.7 - d, 0.0, 1.0) * 0.55;
    float alpha = inner + (1.0 - inner) * rim;

    pixel_colour = vec4(vec3(0.96) * inner, alpha);
}
