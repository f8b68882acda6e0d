// push.glsl: what the dispatcher hands to a twin; after the twin's Args. gy_push in
// device/vulkan/vulkan.h has the same members.
layout(push_constant, scalar) uniform Push
{
    Args args;
    ivec3 low, high; // the op's box
    int per_piece, parts, count; // of its pieces, see device/cut.c
    int spare;
    uint64_t gate; // see gy_device_gate; 0: none
};

// What a twin calls main is run unless the gate is shut, which is the same for all invocations. So
// no twin has to know of gates.
#define main()                                                                                     \
    gated();                                                                                       \
    void main()                                                                                    \
    {                                                                                              \
        if (gate == 0ul || Uint(gate).v == 0u) {                                                   \
            gated();                                                                               \
        }                                                                                          \
    }                                                                                              \
    void gated()

// The box of a piece of an op that is cut by rows, as gy_cut_piece makes it.
void piece_of(int task, out ivec3 first, out ivec3 last)
{
    first = low;
    last = high;
    int part = task % parts, ny = high.y - low.y;
    first.z = low.z + task / parts * per_piece;
    last.z = min(first.z + per_piece, high.z);
    first.y = low.y + int(int64_t(ny) * int64_t(part) / int64_t(parts));
    last.y = low.y + int(int64_t(ny) * int64_t(part + 1) / int64_t(parts));
}
