// The components of velocity in one texture.
uniform FIELD u, v, w;
flat in int layer;
out vec4 value;

void main()
{
    ivec3 c = ivec3(gl_FragCoord.xy, layer);

    value = vec4(0.0);
#ifdef HAS_U
    value.x = AT(u, c);
#endif
#ifdef HAS_V
    value.y = AT(v, c);
#endif
#ifdef HAS_W
    value.z = AT(w, c);
#endif
}
