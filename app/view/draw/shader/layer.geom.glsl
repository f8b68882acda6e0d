layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
in int layer_of_vertex[];
flat out int layer;

void main()
{
    for (int i = 0; i < 3; i++) {
        gl_Position = gl_in[i].gl_Position;
        layer = layer_of_vertex[i];
        gl_Layer = layer_of_vertex[i];
        EmitVertex();
    }
    EndPrimitive();
}
