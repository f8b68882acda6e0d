// water/foam.c: foam and bubbles, which hold no water. They come where water lands, `amount` a
// cubic metre of it; the faster, the deeper bubbles are driven, to `depth` at most, from where they
// rise. Foam is carried by the surface as dust is (ops/dust.c), 30 ns a particle and step.
#include "base/maths.h"
#include "model/drift.h"
#include "water/breaking.h"

void gy_foam_add(gyre_water *w, const float at[3], float volume, float speed)
{
    const gyre_water_foam *def = &w->def->foam;
    gy_particles *s = &w->breaking->sets[GY_SET_FOAM];
    if (def->capacity == 0) {
        return;
    }
    // Another one for each that lands.
    uint32_t number = (uint32_t)s[GY_SET_PATCHES - GY_SET_FOAM].state.lost * 2u +
                      (uint32_t)s[GY_SET_SPRAY - GY_SET_FOAM].state.lost * 3u;
    uint32_t seed = gy_random(0x666f616d, number);
    float due = def->amount * volume + gy_random_unit(seed, 0);
    int count = due < 64.0f ? (int)due : 64;
    int room = gy_particles_room(w->model.device, s, count);
    for (int k = 0; k < room; k++) {
        int64_t to = s->state.count + k;
        uint32_t which = 4u * (uint32_t)k + 1u;
        for (int a = 0; a < 2; a++) {
            double low = (double)w->grid.origin[a], h = (double)w->grid.h;
            double x =
                (double)at[a] + h * ((double)gy_random_unit(seed, which + (uint32_t)a) - 0.5);
            x = GY_MIN(GY_MAX(x, low), low + h * (w->grid.n[a] - 1e-3));
            ((float *)gy_particles_array(s, GY_DRIFT_POSITION, a))[to] = (float)x;
        }
        float below =
            def->depth * gy_random_unit(seed, which + 2) * (speed < 10.0f ? 0.1f * speed : 1.0f);
        ((float *)gy_particles_array(s, GY_DRIFT_POSITION, 2))[to] = at[2] - below;
        ((float *)gy_particles_array(s, GY_DRIFT_AGE, 0))[to] = 0.0f;
        ((int32_t *)gy_particles_array(s, GY_DRIFT_ID, 0))[to] =
            (int32_t)((s->state.seeded + k) & 0x7fffffff);
        ((float *)gy_particles_array(s, GY_FOAM_BELOW, 0))[to] = below;
    }
    gy_particles_add(w->model.device, s, room);
}

void gy_foam_step(gyre_water *w, float dt)
{
    gy_particles *s = &w->breaking->sets[GY_SET_FOAM];
    if (w->def->foam.capacity == 0 || s->state.count == 0 || !(dt > 0.0f)) {
        return;
    }
    gy_water_carry_points(w, s, dt, w->def->foam.life, true);
    gy_particles_settle(w->model.device, s, w->model.steps);
    float *z = gy_particles_array(s, GY_DRIFT_POSITION, 2);
    float *below = gy_particles_array(s, GY_FOAM_BELOW, 0);
    for (int64_t k = 0; k < s->state.count; k++) {
        float now = below[k] - w->def->foam.rise * dt;
        below[k] = now > 0.0f ? now : 0.0f;
        z[k] -= below[k];
    }
}
