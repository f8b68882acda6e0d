// One triangle over each layer of a volume: instance by instance; in ES, which draws into one layer
// at a time, call by call.
#ifdef GL_ES
uniform int layer_now;
flat out int layer;
#else
out int layer_of_vertex;
#endif

void main()
{
    gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);
#ifdef GL_ES
    layer = layer_now;
#else
    layer_of_vertex = gl_InstanceID;
#endif
}
