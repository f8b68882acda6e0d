// Where a picture that is to be enlarged is too coarse: between samples of different things (their
// alpha says which) or of much contrast. Other pixels are left out.
uniform sampler2D inner;
uniform float contrast;

out vec4 pixel_colour;

void main()
{
    ivec2 last = textureSize(inner, 0) - 1;
    vec2 at = (gl_FragCoord.xy - rect.xy) / rect.zw * vec2(last + 1) - 0.5;
    ivec2 low = clamp(ivec2(floor(at)), ivec2(0), last), high = min(low + 1, last);
    vec4 a = texelFetch(inner, low, 0), b = texelFetch(inner, ivec2(high.x, low.y), 0);
    vec4 c = texelFetch(inner, ivec2(low.x, high.y), 0), d = texelFetch(inner, high, 0);
    vec4 spread = max(max(a, b), max(c, d)) - min(min(a, b), min(c, d));

    if (spread.a < 0.05 && max(max(spread.r, spread.g), spread.b) < contrast)
        discard;
    pixel_colour = vec4(0.0);
}
