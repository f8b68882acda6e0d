// gas_energy.glsl: gy_energy and gy_means, and what gas/ops/budget.h makes of them.
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

// gy_means
layout(buffer_reference, scalar, buffer_reference_align = 8) buffer Means
{
    double owed[3], held[3], left[3];
    float add[3];
    uint reserved;
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

const double LEAST_OWED = 0.000000476837158203125lf;

void energy_keep(Energy e, Means m, double sums[3], int axes, double cells)
{
    double begun = e.given;
    precise double given = begun, carried = e.carried, most = 0.0lf;
    for (int a = 0; a < 3; a++) {
        if ((axes >> a & 1) != 0) {
            double held = m.held[a], left = sums[a];
            m.left[a] = left;
            precise double owed = m.owed[a] + (held - left) / cells;
            m.owed[a] = owed;
            given = given - held * held / cells;
            carried = carried - left * left / cells;
            most = max(most, owed * owed);
        }
    }
    given = max(given, 0.0lf);
    precise double bound = given + 1e-7lf * begun, told = given + 1e-5lf * begun;
    precise double least = LEAST_OWED * LEAST_OWED * begun, all = most * cells;
    bool back = carried > bound, pays = back || all > least;
    precise double ratio = given / carried;
    e.calm = pays ? 0u : 1u;
    e.factor = back ? float(sqrt(ratio)) : 1.0;
    e.governed = e.governed + int(carried > told);
    double by = double(e.factor);
    precise double energy = by * by * carried;
    for (int a = 0; a < 3; a++) {
        m.add[a] = 0.0;
        if ((axes >> a & 1) != 0) {
            double owed = m.owed[a];
            precise double left = m.left[a] / cells, wanting = owed + (1.0lf - by) * left;
            precise double now = by * left + (pays ? wanting : 0.0lf);
            energy = energy + now * now * cells;
            float add = pays ? float(wanting) : 0.0;
            precise double rest = wanting - double(add);
            m.add[a] = add;
            m.owed[a] = pays ? rest : owed;
        }
    }
    e.carried = energy;
}
