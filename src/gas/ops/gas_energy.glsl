// gas_energy.glsl: gy_energy, and what gas/ops/budget.h makes of it.
layout(buffer_reference, scalar, buffer_reference_align = 8) buffer Energy
{
    // A gy_cg_state, of which the factor counts.
    double lag_sums[6];
    float lag_factor;
    float lag_rest[10];
    double kinetic, begun, given, carried, work;
    double first_gain;
    int governed, gained;
    float factor;
    uint calm, slow;
    float swells;
};

void energy_pace(Energy e, float speed, float pace)
{
    precise float courant = speed * pace;
    e.slow = courant > 1.0 ? 0u : 1u;
}

void energy_tame(Energy e, double sums[3], double far)
{
    precise double part = sums[1] - sums[0], most = 0.008lf * sums[0] * (far * far);
    precise double ratio = most / part;
    e.lag_factor = part > most ? float(sqrt(ratio)) : 1.0;
}

void energy_begin(Energy e, double sums[3], bool fresh, double time)
{
    precise double begun = 2.0lf * sums[1] - sums[0];
    precise double rise = min(sums[0] - e.kinetic, begun - e.begun);
    precise double slack = 1e-4lf * sums[1], most = 1.01lf * e.work + slack;
    if (!fresh && rise > slack && rise > most) {
        e.first_gain = e.gained == 0 ? time : e.first_gain;
        e.gained = e.gained + 1;
    }
    e.kinetic = sums[0];
    e.begun = begun;
    e.given = sums[2];
    precise double work = sums[2] - sums[1];
    e.work = work;
}

void energy_drive(Energy e, double sum)
{
    precise double work = e.work + (sum - e.given);
    e.work = work;
    e.given = sum;
}

void energy_press(Energy e, double sum)
{
    precise double given = e.given + sum, work = given - e.kinetic;
    e.given = given;
    e.work = work;
}

void energy_carry(Energy e, double sum, bool first, bool last)
{
    precise double carried = (first ? 0.0lf : e.carried) + sum;
    if (last) {
        bool faster = e.given > e.kinetic && e.given < 4.0lf * e.kinetic;
        precise double more = faster ? e.given / e.kinetic : 1.0lf;
        precise double given = e.given + 1.25lf * more * double(e.swells);
        e.swells = 0.0;
        precise double most = given * (1.0lf + 1e-7lf), ratio = given / carried;
        precise double told = given * (1.0lf + 1e-5lf);
        bool calm = !(carried > most);
        e.calm = uint(calm);
        e.factor = calm ? 1.0 : float(sqrt(ratio));
        e.governed = e.governed + int(carried > told);
        carried = calm ? carried : given;
    }
    e.carried = carried;
}

void energy_dilate(Energy e, double sum)
{
    e.swells = sum < 1e30lf ? float(sum) : 1e30;
}

void energy_arrive(Energy e, double sum, bool first)
{
    precise double work = e.work + (first ? 0.0lf : sum - e.carried);
    e.work = work;
    e.carried = sum;
}
