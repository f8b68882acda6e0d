// course.glsl: gy_course.
layout(buffer_reference, scalar, buffer_reference_align = 8) buffer Course
{
    double best, anew;
    double dq, dr;
    double sum_r;
    float factor, mean;
    int steps;
    uint moves;
    uint stuck, keeps, told;
};
