// wave_args.glsl: what the twins of linear waves are asked for with.
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t memory;
    uint64_t list;
    uint64_t slot;
    uint64_t tile;
    uint64_t stepping;
    uint64_t current;
    uint64_t change;
    uvec2 job; // of the host
    ivec2 n;
    ivec2 tn;
    int slot_bytes, array_step;
    uint turned;
    uint periodic;
    uint watched;
    float pull, share, keep, limit, quantum, most;
};
