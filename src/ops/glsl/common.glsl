// common.glsl: what every op's twin begins with. The structs have the members of ops/args.h in the
// same order; the build compares their places.
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Float { float v; };
layout(buffer_reference, scalar, buffer_reference_align = 8) buffer Double { double v; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Int { int v; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Uint { uint v; };
layout(buffer_reference, scalar, buffer_reference_align = 2) buffer Short { uint16_t v; };
layout(buffer_reference, scalar, buffer_reference_align = 1) buffer Byte { uint8_t v; };

struct gy_extent {
    ivec3 n;
    int sy, sz;
    int dim;
};

// gy_edge_rule
const int EDGE_COPY = 0, EDGE_VALUE = 1, EDGE_MIRROR = 2, EDGE_FACE = 3, EDGE_WRAP = 4,
          EDGE_INWARD = 5;

struct gy_edge {
    int rule[2];
    float value[2];
    int samples;
};

struct gy_field {
    uint old, hat, now;
    int location;
    gy_edge edge[3];
};
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Field { gy_field v; };

struct gy_level {
    uint x, b;
    uint open[3];
    uint pin;
    uint flags;
    int n[3];
    int sy, sz;
    int colour_step;
    int dim;
    uint periodic;
    float scale[3];
    float last[3];
    float shift;
    uint open_sides;
    uint64_t extras, lists;
};
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Level { gy_level v; };

// The address of a place in an arena: offsets count 64 bytes.
uint64_t at(uint64_t base, uint offset)
{
    return base + uint64_t(offset) * 64ul;
}

// The q-th of a list.
Field field_at(uint64_t list, int q)
{
    return Field(list) + q;
}

// Elements, which may lie before the address.
Float floats(uint64_t address, int i)
{
    return Float(address + uint64_t(int64_t(i) * 4l));
}
Double doubles(uint64_t address, int i)
{
    return Double(address + uint64_t(int64_t(i) * 8l));
}
Int ints(uint64_t address, int i)
{
    return Int(address + uint64_t(int64_t(i) * 4l));
}
Uint uints(uint64_t address, int i)
{
    return Uint(address + uint64_t(int64_t(i) * 4l));
}
Short shorts(uint64_t address, int i)
{
    return Short(address + uint64_t(int64_t(i) * 2l));
}
Byte bytes(uint64_t address, int i)
{
    return Byte(address + uint64_t(int64_t(i)));
}
