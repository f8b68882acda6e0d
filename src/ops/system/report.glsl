// report.glsl: gy_report, and what ops/system/report.h makes of it.
layout(buffer_reference, scalar, buffer_reference_align = 8) buffer Report
{
    double given, reference, left, capped;
    float speed, amount;
    int cycles;
    uint done, idle, busy, balanced, steady;
};

void set_reference(Report r, double reference)
{
    bool busy = reference > 0.0lf;
    r.reference = reference;
    r.busy = uint(busy);
    r.idle = uint(!busy);
    r.done = uint(!busy);
}

void set_balanced(Report r, double before)
{
    precise double least = 1e-4lf * before;
    bool balanced = r.reference > least;
    r.balanced = uint(balanced);
    r.steady = r.steady | uint(balanced);
}

double gy_worth(double mean, double rms)
{
    precise double least = 1e-7lf * rms;
    return mean > least || mean < -least ? mean : 0.0lf;
}

void set_means(Report r, double amount, bool changes, double sums[3])
{
    double before = r.reference;
    r.amount = float(amount);
    r.steady = uint(!changes);
    if (!changes) {
        set_reference(r, sums[2] > 0.0lf ? sums[1] : before);
        set_balanced(r, before);
    }
}
