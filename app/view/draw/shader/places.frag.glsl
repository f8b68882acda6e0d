// How far from each cell of a plane, or of a volume, its gas was when a phase of a texture began, in
// metres; MIX: between two frames.
uniform FIELD x_later, x_earlier, y_later, y_earlier, z_later, z_earlier;
uniform ivec3 across, along, deep; // axes of the plane, and through it
uniform ivec2 planes;              // the planes that are mixed
uniform float part, blend;
flat in int layer;
out vec4 value;

vec3 at(ivec3 c)
{
    vec3 there = vec3(AT(x_later, c), AT(y_later, c), 0.0);
#ifdef MIX
    there = mix(vec3(AT(x_earlier, c), AT(y_earlier, c), 0.0), there, blend);
#endif
#ifdef SPACE
    there.z = AT(z_later, c);
#ifdef MIX
    there.z = mix(AT(z_earlier, c), there.z, blend);
#endif
#endif
    return there;
}

void main()
{
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    ivec3 c = pixel.x * across + pixel.y * along + layer * deep;
    vec3 low = at(c + planes.x * deep);

    value = vec4(low + (at(c + planes.y * deep) - low) * part, 0.0);
}
