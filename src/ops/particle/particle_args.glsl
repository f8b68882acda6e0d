// particle_args.glsl: what the twins of the ops of particles are asked for with.
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint from, to;
    uint step;
    uint keys;
    uint sorted;
    uint counts;
    uint starts;
    uint bins;
    uint now;
    uint gone;
    int more;
    int always;
    int arrays, tasks;
    int shift, coarse;
    int n[3], dim;
    float origin[3];
    float inverse;
};
