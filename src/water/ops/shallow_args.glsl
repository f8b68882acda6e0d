// shallow_args.glsl: what the twins of shallow water are asked for with, and their rules.
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t memory;
    uint64_t tables;
    uint64_t told;
    uint64_t rules;
    uvec2 job; // of the host
    ivec2 n;
    ivec2 tn;
    int slot_bytes, array_step;
    uint turned;
    uint periodic;
    int words;
    float ratio, gravity, dry, cap;
    float kick[2];
    float dt, damping;
};

layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Rules {
    int faces, first_face, ghost;
    int ghost_at[4];
    int ruled;
    int one_row;
    float tilt[2];
    float manning, friction, quantum;
};

#define LIST args.tables
#define SLOTS (args.tables + uint64_t(args.words))
#define TILES (args.tables + uint64_t(2 * args.words))
#define STEPPING (args.tables + uint64_t(3 * args.words))
#define CURRENT (args.tables + uint64_t(4 * args.words))
#define RULES Rules(args.rules)
