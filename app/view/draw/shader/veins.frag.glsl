// By what a texture multiplies the smoke of each cell, and what its deviations are multiplied by.
uniform sampler3D places_0, places_1, places_2; // m from each cell
flat in int layer;
out vec4 value;

void main()
{
    ivec3 c = ivec3(gl_FragCoord.xy, layer);
    vec3 centre = (vec3(c) + 0.5) * cell, places[3];
    float size = 0.5 * cell * per_metre, sum = 0.0;

    places[0] = (texelFetch(places_0, c, 0).xyz + centre + offsets[0]) * per_metre;
    places[1] = (texelFetch(places_1, c, 0).xyz + centre + offsets[1]) * per_metre;
    places[2] = (texelFetch(places_2, c, 0).xyz + centre + offsets[2]) * per_metre;
    float by = 0.5 * contrast / divisor(places);

    sum = weights.x * deviation(places[0], size);
#if PHASES > 1
    sum += weights.y * deviation(places[1], size);
#endif
#if PHASES > 2
    sum += weights.z * deviation(places[2], size);
#endif
    value = vec4(max(1.0 + by * sum, 0.0), by, 0.0, 1.0);
}
