// gas/ops/budget.h: the energy of a gas on its way through a step: E = sum |u|^2 / 2 as it begins,
// as it is carried, as it arrives; what follows for the next op. A few numbers a step.
#ifndef GY_BUDGET_H
#define GY_BUDGET_H

#include "gas/ops/args.h"

/// Whether a Courant number is above 1. Until it is looked at more closely all the pressure counts.
GY_INLINE void gy_energy_pace(gy_energy *e, float speed, float pace)
{
    e->slow = speed * pace > 1.0f ? 0u : 1u;
}

/// With P the lagged pressure's potential, |u|^2 + |G P|^2 / 2 is what no step without forces makes
/// larger; so |u|^2 may come back by as much as its second part is. That stays small by itself as
/// long as nothing moves by more than a cell; beyond, so much of P is forgotten. sum: as kick
/// leaves it, of half of P, `far` times. Where u passes a side whose velocity is given, u and G P
/// are not orthogonal: |u - far G P / 2|^2 - |u|^2 has the pressure's work on the stream in it,
/// which is none that may come back; far out the square of G P is all that counts.
GY_INLINE void gy_energy_tame(gy_energy *e, const double sum[3], double far)
{
    double half = sum[1] - sum[0], most = 0.008 * sum[0] * (far * far);
    e->lag.factor = half > most ? (float)__builtin_sqrt(most / half) : 1.0f;
}

/// A step begins. sum: as kick leaves it. fresh: nothing is known of the step before. Kinetic
/// energy and that with the pressure's half are exchanged without work, the first within a turn of
/// the flow, the second where steps change their length; what rises in both comes from nothing.
GY_INLINE void gy_energy_begin(gy_energy *e, const double sum[3], bool fresh, double time)
{
    // What rounding and a pressure that is solved to a tolerance may do.
    double begun = 2.0 * sum[1] - sum[0];
    double rises[2] = {sum[0] - e->kinetic, begun - e->begun};
    double rise = GY_MIN(rises[0], rises[1]), slack = 1e-4 * sum[1];
    if (!fresh && rise > slack && rise > 1.01 * e->work + slack) {
        e->first_gain = e->gained == 0 ? time : e->first_gain;
        e->gained++;
    }
    e->kinetic = sum[0];
    e->begun = begun;
    e->given = sum[2];
    e->work = sum[2] - sum[1];
}

/// Before it is carried the gas was driven by more than kick knows of: sum of the squares.
GY_INLINE void gy_energy_drive(gy_energy *e, double sum)
{
    e->work += sum - e->given;
    e->given = sum;
}

/// Where velocities are given on sides: what is carried in through them, as a sum of squares. The
/// pressure does work there, so that the kick's part of it is none of what comes from nothing.
GY_INLINE void gy_energy_press(gy_energy *e, double sum)
{
    e->given += sum;
    e->work = e->given - e->kinetic;
}

/// One velocity more was carried: sum of its squares.
GY_INLINE void gy_energy_carry(gy_energy *e, double sum, bool first, bool last)
{
    e->carried = (first ? 0.0 : e->carried) + sum;
    if (last) {
        // What expands takes as much more room with it, see gas/ops/dilate.c: by the velocities as
        // the step began, of which forces have made others, and where those differ from cell to
        // cell, some 5 % more.
        bool faster = e->given > e->kinetic && e->given < 4.0 * e->kinetic;
        double more = faster ? e->given / e->kinetic : 1.0;
        double given = e->given + 1.25 * more * (double)e->swells;
        e->swells = 0.0f;
        // Beyond what rounding does. Smooth flows make and lose a few parts in 1e7 by turns: that
        // is taken away, for it may add up, but is no step to be told of.
        e->calm = e->carried > given * (1.0 + 1e-7) ? 0u : 1u;
        e->factor = e->calm ? 1.0f : (float)__builtin_sqrt(given / e->carried);
        e->governed += e->carried > given * (1.0 + 1e-5) ? 1 : 0;
        e->carried = e->calm ? e->carried : given;
    }
}

/// How much of the velocity may be owed before it is given back, over its root mean square: less
/// would be lost in rounding.
#define GY_LEAST_OWED 0x1p-21

/// The gas was carried, and its energy is in `carried`. Along `axes` nothing passes its sides, so
/// the mean of the velocity there stays: what carrying took of it is owed, and given back to all of
/// the gas alike, which is the least change that does it and changes no divergence. What is held
/// back is then what goes beside the mean, |u|^2 - cells mean^2, which may not grow by itself; a
/// wind that carries it along does not slow down for that. sum: as drift leaves it.
GY_INLINE void gy_energy_keep(gy_energy *e, gy_means *m, const double sum[3], int axes,
                              double cells)
{
    double given = e->given, carried = e->carried, most = 0.0;
    for (int a = 0; a < 3; a++) {
        if (axes >> a & 1) {
            m->left[a] = sum[a];
            m->owed[a] += (m->held[a] - sum[a]) / cells;
            given -= m->held[a] * m->held[a] / cells;
            carried -= sum[a] * sum[a] / cells;
            most = GY_MAX(most, m->owed[a] * m->owed[a]);
        }
    }
    given = GY_MAX(given, 0.0);
    bool held = carried > given + 1e-7 * e->given;
    bool pays = held || most * cells > GY_LEAST_OWED * GY_LEAST_OWED * e->given;
    e->calm = pays ? 0u : 1u;
    e->factor = held ? (float)__builtin_sqrt(given / carried) : 1.0f;
    e->governed += carried > given + 1e-5 * e->given ? 1 : 0;
    double by = (double)e->factor;
    e->carried = by * by * carried;
    for (int a = 0; a < 3; a++) {
        m->add[a] = 0.0f;
        if (axes >> a & 1) {
            double left = m->left[a] / cells, wanting = m->owed[a] + (1.0 - by) * left;
            double now = by * left + (pays ? wanting : 0.0);
            e->carried += now * now * cells;
            m->add[a] = pays ? (float)wanting : 0.0f;
            m->owed[a] = pays ? wanting - (double)m->add[a] : m->owed[a];
        }
    }
}

/// What carrying may add to the squares as the gas expands.
GY_INLINE void gy_energy_dilate(gy_energy *e, double sum)
{
    e->swells = sum < 1e30 ? (float)sum : 1e30f;
}

/// Velocities were changed by what does work on them: sum of their squares. first: only noted.
GY_INLINE void gy_energy_arrive(gy_energy *e, double sum, bool first)
{
    e->work += first ? 0.0 : sum - e->carried;
    e->carried = sum;
}

#endif
