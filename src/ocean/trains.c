// ocean/trains.c: wave trains and wave particles, at a point.
//
//     z = a cos(q),  d = -Q a coth(k depth) sin(q) e,     q = k e x - w t + phase
//
// F. J. Gerstner's trochoids (1802) for Q = 1 in deep water, of which water at rest at x goes round
// circles; velocities are those of linear theory for any Q. Phases are counted in 2^-32 turns:
// places in double, times in whole ticks, so that nothing is lost far away or late.
//
// Wave particles: a ring of them runs from where it was given off. It has 6 3^l particles, l the
// least for which they stand no further than half a radius apart, of an equal share of the
// amplitude: what subdividing each into three makes of it (C. Yuksel, D. House and J. Keyser, Wave
// Particles, 2007), written down for any time at once. A particle at p adds
// a / 2 (1 + cos(pi |x - p| / r)) within its radius.
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

double gy_ocean_emitter_speed(const gyre_ocean_def *def, const gyre_ocean_emitter *e)
{
    double k = 3.14159265358979323846 / (double)e->radius;
    return e->speed > 0.0f ? (double)e->speed : gy_ocean_frequency(def, k) / k;
}

/// The particles of one ring, `age` seconds old and given off at `from`.
static void add_ring(const gyre_ocean_emitter *e, float speed, float age, const float from[2],
                     float out[4])
{
    float r = e->radius, reach = speed * age, x = from[0], y = from[1];
    float apart = gy_sqrtf(x * x + y * y) - reach;
    if (apart > r || apart < -r) {
        return;
    }
    int32_t count = 6;
    while (6.2831853f * reach / (float)count > 0.5f * r && count < 1 << 24) {
        count *= 3;
    }
    // It swells up while it leaves its place, and fades.
    float left = 1.0f - age / e->life, grown = GY_MIN(reach / r, 1.0f), share = left * left * grown;
    float change = -2.0f * left * grown / e->life + (grown < 1.0f ? left * left * speed / r : 0.0f);
    float one = e->amplitude / (float)count, a = one * share;
    // Those further than this from the point's own direction are out of reach.
    float turn = gy_atan2f(y, x) * 0.15915494f;
    float step = 6.2831853f * reach / (float)count;
    int32_t middle = (int32_t)gy_floorf((turn < 0.0f ? turn + 1.0f : turn) * (float)count);
    int32_t beside = step > 0.05f * r ? (int32_t)(1.6f * r / step) + 2 : count;
    beside = 2 * beside + 1 >= count ? count / 2 : beside;
    int32_t last = 2 * beside + 1 > count ? beside - 1 : beside;
    for (int32_t q = middle - beside; q <= middle + last; q++) {
        int32_t n = (q % count + count) % count;
        float c, s;
        gy_phase((uint32_t)(((uint64_t)n << 32) / (uint32_t)count), &c, &s);
        float dx = x - reach * c, dy = y - reach * s, d = gy_sqrtf(dx * dx + dy * dy);
        if (d >= r) {
            continue;
        }
        float angle = 3.14159265f * d / r;
        float slope = d > 1e-6f * r ? -0.5f * a * gy_sinf(angle) * 3.14159265f / r / d : 0.0f;
        float bump = 0.5f * (1.0f + gy_cosf(angle));
        out[0] += a * bump;
        out[1] += one * change * bump - slope * speed * (dx * c + dy * s);
        out[2] += slope * dx;
        out[3] += slope * dy;
    }
}

void gy_ocean_add_particles(const gyre_ocean *o, double time, const double point[2], float out[4])
{
    const gyre_ocean_emitter *emitters = o->def->emitters.items;
    for (int i = 0; i < o->def->emitters.count; i++) {
        const gyre_ocean_emitter *e = &emitters[i];
        double since = time - (double)e->start, every = (double)e->interval;
        if (!e->enabled || since < 0.0) {
            continue;
        }
        float speed = (float)gy_ocean_emitter_speed(o->def, e);
        double newest = 0.0, oldest = 0.0;
        if (every > 0.0) {
            double last = GY_MIN(since, GY_MAX((double)e->end - (double)e->start, 0.0));
            newest = (double)(int64_t)(last / every);
            oldest = (double)(int64_t)GY_MAX((since - (double)e->life) / every, 0.0);
        }
        for (double n = oldest; n <= newest; n += 1.0) {
            double age = since - n * every;
            if (age < (double)e->life) {
                float from[2];
                for (int d = 0; d < 2; d++) {
                    from[d] = (float)(point[d] - (double)e->point[d] -
                                      (double)e->velocity[d] * n * every);
                }
                add_ring(e, speed, (float)age, from, out);
            }
        }
    }
}
