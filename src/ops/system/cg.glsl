// cg.glsl: gy_cg_state.
layout(buffer_reference, scalar, buffer_reference_align = 8) buffer CgState
{
    double best, anew;
    double dq, dr;
    double sum_r;
    double close;
    float factor, mean;
    int steps;
    uint moves;
    int took, used, most, stays;
    uint stuck, keeps, reported;
};
