// report.glsl: gy_report.
layout(buffer_reference, scalar, buffer_reference_align = 8) buffer Report
{
    double given, reference, left, capped;
    float speed, amount;
    int cycles;
    uint done, idle, busy, balanced, steady;
};
