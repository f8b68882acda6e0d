// Enlarges a picture. With SURFACES its alpha says how much of a pixel a surface covers, above a
// half where the colour is the surface's: then surfaces mix with surfaces alone and the rest with
// the rest, and the line between them is drawn sharp. With EDGES some pixels are there already, as
// large as they are shown. With CLEAR colours come multiplied by their alpha; with PAPER nothing is
// behind but paper, and alpha is the least that there is to be.
uniform sampler2D inner;
#ifdef EDGES
uniform sampler2D whole; // alpha 0: not there
#endif
#ifdef PAPER
uniform vec3 paper; // exposed
#endif

out vec4 pixel_colour;

void main()
{
#if defined(CLEAR) || defined(PAPER)
    vec4 seen = texture(inner, (gl_FragCoord.xy - rect.xy) / rect.zw);

#ifdef PAPER
    seen = over_paper(seen.rgb, to_srgb(tone_map(paper)), seen.a);
#endif
    pixel_colour = dither(seen, pixel_of(gl_FragCoord.xy));
#else
    vec2 size = vec2(textureSize(inner, 0)), place = (gl_FragCoord.xy - rect.xy) / rect.zw;
#ifdef SURFACES
    vec2 at = place * size - 0.5, f = fract(at);
    ivec2 low = ivec2(floor(at)), last = ivec2(size) - 1;
    vec4 surface = vec4(0.0), rest = vec4(0.0);
    float cover = 0.0;

    for (int i = 0; i < 4; i++) {
        ivec2 to = ivec2(i & 1, i >> 1);
        vec4 c = texelFetch(inner, clamp(low + to, ivec2(0), last), 0);
        float w = (to.x == 1 ? f.x : 1.0 - f.x) * (to.y == 1 ? f.y : 1.0 - f.y);

        surface += vec4(c.rgb, 1.0) * (c.a > 0.5 ? w : 0.0);
        rest += vec4(c.rgb, 1.0) * (c.a > 0.5 ? 0.0 : w);
        cover += w * c.a;
    }
    cover = clamp01((cover - 0.5) * max(0.6 * rect.w / size.y, 1.0) + 0.5);

    cover = rest.a < 1e-4 ? 1.0 : surface.a < 1e-4 ? 0.0 : cover;
    vec3 colour = mix(rest.rgb / max(rest.a, 1e-4), surface.rgb / max(surface.a, 1e-4), cover);
#else
    vec3 colour = texture(inner, place).rgb;
#endif
#ifdef EDGES
    vec4 own = texelFetch(whole, ivec2(gl_FragCoord.xy - rect.xy), 0);

    colour = own.a > 0.0 ? own.rgb : colour;
#endif
    pixel_colour = dither(colour, pixel_of(gl_FragCoord.xy));
#endif
}
