// The least and the largest value of a row of cells, at the pixel (row, plane); or, SUMS, of a
// plane's rows.
uniform FIELD from, solid, u, v, w;
uniform sampler2D rows;
uniform int rows_of_plane;
out vec2 range;

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy);

    range = vec2(3e38, -3e38);
#if defined(SUMS)
    for (int i = 0; i < rows_of_plane; i++) {
        vec2 row = texelFetch(rows, ivec2(i, at.x), 0).rg;

        range = vec2(min(range.x, row.x), max(range.y, row.y));
    }
#else
    for (int i = 0; i < n.x; i++) {
        ivec3 c = ivec3(i, at);
#if defined(SPEED)
        float a = AT(u, c), b = AT(v, c), x = a * a + b * b;
#ifdef SPACE
        x += AT(w, c) * AT(w, c);
#endif
#elif defined(APART)
        float x = abs(AT(from, c) - AT(solid, c));
#else
        float x = AT(from, c);
#endif
#if defined(FLUID)
        if (!(AT(solid, c) < 0.5))
            continue;
#endif
        range = vec2(min(range.x, x), max(range.y, x));
    }
#endif
}
