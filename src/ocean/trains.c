// ocean/trains.c: wave trains, at a point.
//
//     z = a cos(q),  d = -Q a coth(k depth) sin(q) e,     q = k e x - w t + phase
//
// F. J. Gerstner's trochoids (1802) for Q = 1 in deep water, of which water at rest at x goes round
// circles; velocities are those of linear theory for any Q. Phases are counted in 2^-32 turns:
// places in double, times in whole ticks, so that nothing is lost far away or late.
#include "base/maths.h"
#include "ocean/ocean.h"
#include "ocean/ops/phase.h"

/// What is left of a motion below the surface: of its rise, and of what is along it.
void gy_ocean_fading(float k, float depth, float below, float fade[2])
{
    if (below < 0.0f) { // GY_OCEAN_FLOW: tanh(k depth) / k
        fade[0] = 1.0f;
        fade[1] = k > 0.0f ? (depth > 0.0f ? gy_tanhf(k * depth) : 1.0f) / k : depth;
        return;
    }
    float e = gy_expf(-k * below);
    fade[0] = fade[1] = e;
    if (depth > 0.0f) {
        float far = gy_expf(-2.0f * k * (depth - below)), all = gy_expf(-2.0f * k * depth);
        fade[1] = e * (1.0f + far) / (1.0f + all);
        fade[0] = 1.0f - all > 0.0f ? e * (1.0f - far) / (1.0f - all) : 1.0f - below / depth;
    }
}

void gy_ocean_add_trains(const gyre_ocean *o, int64_t ticks, const double point[2], float below,
                         gy_ocean_here *here)
{
    for (int i = 0; i < o->train_count; i++) {
        const gy_ocean_train *t = &o->trains[i];
        double turns = t->turns[0] * point[0] + t->turns[1] * point[1] + t->start;
        uint32_t late = (uint32_t)((t->rate * (uint64_t)ticks) >> 32);
        float c, s, fade[2] = {1.0f, 1.0f};
        gy_phase(gy_phase_of(turns) - late, &c, &s);
        if (below != 0.0f) {
            gy_ocean_fading(t->number, o->def->depth, below, fade);
        }
        float a = t->amplitude, side = t->steepness * a * t->sideways;
        float ex = t->along[0], ey = t->along[1], k = t->number;
        here->height += a * c;
        here->move[0] -= side * s * ex;
        here->move[1] -= side * s * ey;
        here->slope[0] -= a * k * s * ex;
        here->slope[1] -= a * k * s * ey;
        here->stretch[0] -= side * k * c * ex * ex;
        here->stretch[1] -= side * k * c * ey * ey;
        here->stretch[2] -= side * k * c * ex * ey;
        here->velocity[0] += fade[1] * a * t->speed * t->sideways * c * ex;
        here->velocity[1] += fade[1] * a * t->speed * t->sideways * c * ey;
        here->velocity[2] += fade[0] * a * t->speed * s;
    }
}
