// One arrow per instance, at the points of a lattice that is fixed in the plane.
uniform FIELD velocity_later, velocity_earlier;
uniform vec3 across, along, deep; // which components of velocity are the plane's x and y, and z
uniform float blend, fastest, spacing; // m/s; cells
uniform ivec2 first;
uniform int row; // arrows side by side
uniform vec3 right_per, up_per; // right and up by their squared length

out vec2 spot;     // pixels from the tail, along the arrow and across it
flat out float reach; // pixels from tail to tip

vec2 to_pixel(vec3 at)
{
#ifdef SPACE
    vec3 d = at - eye;

    return 0.5 * rect.zw + rect.w * vec2(dot(d, right_per), dot(d, up_per)) /
           max(dot(d, forward), 1e-4);
#else
    return (at.xy - shift) / cells;
#endif
}

void main()
{
    vec2 at = (vec2(first + ivec2(gl_InstanceID % row, gl_InstanceID / row)) + 0.5) * spacing;

    gl_Position = vec4(2.0, 2.0, 2.0, 1.0); // out of sight
    spot = vec2(0.0);
    reach = 0.0;
    if (!within(at))
        return;
#ifdef SPACE
    vec3 v = textureLod(velocity_later, lift * vec3(at, 1.0), 0.0).xyz, middle = vec3(at, slice);
#ifdef MIX
    v = mix(textureLod(velocity_earlier, lift * vec3(at, 1.0), 0.0).xyz, v, blend);
#endif
    if (dot(middle - eye, forward) < 1e-3)
        return;
#else
    vec3 v = textureLod(velocity_later, at / size, 0.0).xyz, middle = vec3(at, 0.0);
#ifdef MIX
    v = mix(textureLod(velocity_earlier, at / size, 0.0).xyz, v, blend);
#endif
#endif
    v = vec3(dot(v, across), dot(v, along), dot(v, deep));
    float speed = length(v), share = min(speed / fastest, 1.0);

    if (!(share > 0.015))
        return;
    vec3 half_way = v / speed * (0.5 * spacing * mix(0.25, 1.0, share));
    vec2 tail = to_pixel(middle - half_way), tip = to_pixel(middle + half_way);
    vec2 way = tip - tail;

    reach = length(way);
    if (!(reach > 2.0))
        return;
    way /= reach;
    float a = (gl_VertexID & 1) == 0 ? -3.0 : reach + 3.0, b = (gl_VertexID & 2) == 0 ? -7.0 : 7.0;
    vec2 pixel = tail + way * a + vec2(-way.y, way.x) * b;

    spot = vec2(a, b);
    gl_Position = vec4(2.0 * pixel / rect.zw - 1.0, 0.0, 1.0);
}
