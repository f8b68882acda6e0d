// common.glsl: what every op's twin begins with. The structs have the members of ops/row/args.h in the
// same order; the build compares their places.
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require

// Where invocations of a workgroup read what others of it have written before a barrier, the twin
// defines this as coherent: else GLSL lets each keep what it has read before.
#ifndef TOGETHER
#define TOGETHER
#endif
layout(buffer_reference, scalar, buffer_reference_align = 4) TOGETHER buffer Float { float v; };
layout(buffer_reference, scalar, buffer_reference_align = 8) TOGETHER buffer Double { double v; };
layout(buffer_reference, scalar, buffer_reference_align = 4) TOGETHER buffer Int { int v; };
layout(buffer_reference, scalar, buffer_reference_align = 4) TOGETHER buffer Uint { uint v; };
layout(buffer_reference, scalar, buffer_reference_align = 2) TOGETHER buffer Short { uint16_t v; };
layout(buffer_reference, scalar, buffer_reference_align = 1) TOGETHER buffer Byte { uint8_t v; };

struct gy_extent {
    ivec3 n;
    int sy, sz;
    int dim;
    int halves;
};

// gyre_location
// Of rows: see grid/layout.h.
const int LANES = 16, PAD = 16;
const int CENTRE = 0, FACE_X = 1, FACE_Y = 2, FACE_Z = 3;

// gy_edge_rule
const int EDGE_COPY = 0, EDGE_VALUE = 1, EDGE_MIRROR = 2, EDGE_FACE = 3, EDGE_WRAP = 4,
          EDGE_INWARD = 5;

struct gy_edge {
    int rule[2];
    float value[2];
    int samples;
};

struct gy_field {
    uint old, predicted, now;
    int location;
    int halves;
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
    uint whole, reserved;
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

// The samples of a field: where (0, 0, 0) lies, and whether they are binary16 (see gy_extent) or
// floats. Where HALVES is false, all are floats, and nothing is left of the choice. A twin that reads
// a lot chooses once and hands on a constant, so that loads stand together.
layout(constant_id = 0) const bool HALVES = false;
// Likewise whether there are sheets; see gas/ops/link.h.
layout(constant_id = 4) const bool LINKED = false;

struct gy_samples {
    uint64_t at;
    bool halves;
};

gy_samples samples_at(uint64_t base, uint offset, int halves)
{
    return gy_samples(at(base, offset), HALVES && halves != 0);
}
gy_samples float_samples(uint64_t base, uint offset)
{
    return gy_samples(at(base, offset), false);
}

// The nearest binary16, of two the even one, whatever the driver's own conversion does. What lies
// beyond the greatest finite one becomes that, and what is below the least normal one becomes 0: a
// driver may flush denormals where it reads them, and none are ever there.
uint16_t to_half(float x)
{
    uint bits = floatBitsToUint(x), size = min(bits & 0x7fffffffu, 0x477fe000u);
    uint rounded = (size + 0xfffu + (size >> 13 & 1u) >> 13) - (112u << 10);
    return size < 0x38800000u ? 0us : uint16_t(bits >> 16 & 0x8000u | rounded);
}

float sample_at(gy_samples f, int i)
{
    if (f.halves) {
        return unpackHalf2x16(uint(shorts(f.at, i).v)).x;
    }
    return floats(f.at, i).v;
}
void set_sample(gy_samples f, int i, float x)
{
    if (f.halves) {
        shorts(f.at, i).v = to_half(x);
    } else {
        floats(f.at, i).v = x;
    }
}
