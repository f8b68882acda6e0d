// What rays ask for of clear ink, which sends no light on: extinction, and light of the sky. The lamp
// is met on the floor alone.
uniform sampler3D sky;
uniform ivec3 coarse;
flat in int layer;
out vec4 cell;

void main()
{
    ivec3 c = ivec3(gl_FragCoord.xy, layer);
    vec3 there = (0.5 * vec3(c) + 0.75) / vec3(coarse);

    cell = vec4(plain_in(c), 1.0, 1.0, textureLod(sky, there, 0.0).r);
}
