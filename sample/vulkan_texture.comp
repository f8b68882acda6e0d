// The smart texture of sample/vulkan_texture.c: a pixel a cell of a checkered image that flows with
// a gas, brighter where the gas is fast. The gas's fields are read where they lie.
#version 460
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require

layout(local_size_x = 64) in;
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Float { float v; };

layout(push_constant, scalar) uniform Push {
    uint64_t shift[2][2]; // of each phase, along x and y
    uint64_t velocity[2];
    uint64_t picture;
    float weight[2];
    int n[2];
    int stride; // of all fields
    float h;
};

float field(uint64_t first, int i, int j)
{
    return (Float(first) + (i + j * stride)).v;
}

/// Squares of 1/8 m.
float checker(vec2 at)
{
    ivec2 square = ivec2(floor(8.0 * at));
    return float((square.x + square.y) & 1);
}

void main()
{
    int i = int(gl_GlobalInvocationID.x), j = int(gl_GlobalInvocationID.y);
    if (i >= n[0] || j >= n[1]) {
        return;
    }
    vec2 own = (vec2(i, j) + 0.5) * h;
    float sum = 0.0, squares = 0.0;
    for (int p = 0; p < 2; p++) {
        vec2 from = own + vec2(field(shift[p][0], i, j), field(shift[p][1], i, j));
        sum += weight[p] * (checker(from) - 0.5);
        squares += weight[p] * weight[p];
    }
    // Round the checkers' mean, as gyre/model.h has it of phases that show other detail.
    float speed = length(vec2(field(velocity[0], i, j), field(velocity[1], i, j)));
    (Float(picture) + (i + j * n[0])).v = clamp(0.5 + 0.7 * sum / sqrt(squares) + speed, 0.0, 1.0);
}
