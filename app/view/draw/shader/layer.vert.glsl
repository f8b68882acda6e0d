// One triangle over each layer of a volume: instance by instance.
out int layer_of_vertex;

void main()
{
    gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);
    layer_of_vertex = gl_InstanceID;
}
