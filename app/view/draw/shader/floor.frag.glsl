// Light that reaches each point of the floor: towards the lamp through smoke and solids.
uniform sampler3D smoke;
uniform vec3 light;
uniform vec2 floor_low;
uniform float floor_cell; // cells per texel
uniform bool shadow;

#ifdef INKS
// Of each colour of the light, through clear ink.
uniform sampler3D dyes_later;
#define LIGHT vec3
#else
#define LIGHT float
#endif

out LIGHT open;

#ifdef INKS
vec3 opaque_at(vec3 at)
{
    vec3 edge = clamp(min(at, vec3(n + 1) - at), 0.0, 1.0);

    return texture(dyes_later, (at - 0.5) / vec3(n)).rgb *
           (extinction * edge.x * edge.y * edge.z);
}
#else
float opaque_at(vec3 at)
{
    float sum = texture(smoke, FOLD((at + 0.5) / vec3(n + 2))).r;
#ifdef VEINS
    sum *= texture(veins, (at - 0.5) / vec3(n)).r;
#endif
#ifdef SOLID
    sum += 8.0 * clamp01(texture(body, (at - 0.5) / vec3(n)).r);
#endif
    return sum;
}
#endif

void main()
{
    vec2 foot = floor_low + (gl_FragCoord.xy - 0.5) * floor_cell;
    vec3 from = vec3(foot.x, 0.5, foot.y), inverse = 1.0 / light;
    vec3 a = -from * inverse, b = (vec3(n) + 0.999 - from) * inverse;
    vec3 low = min(a, b), high = max(a, b);
    float near = max(max(low.x, max(low.y, low.z)), 0.0);
    float far = min(high.x, min(high.y, high.z));
    LIGHT depth = LIGHT(0.0);

    open = LIGHT(1.0);
    if (!shadow)
        return;
    for (float t = near + 0.5; t < far && any(lessThan(vec3(depth), vec3(8.0))); t += 1.0)
        depth += opaque_at(from + light * t);
    open = exp(-depth);
}
