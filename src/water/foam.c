// water/foam.c: foam and bubbles, which hold no water. They come where water lands, `amount` a
// cubic metre of it; the faster, the deeper bubbles are driven, to `depth` at most, from where they
// rise. Foam is carried by the flow between the four cells round it, first order in time, in the
// order in which it came; cells that are cut out hold it, shut faces do not. 30 ns a particle.
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

/// Velocity and surface of a cell; false: there is no water to float on.
static bool flow_at(const gyre_water *w, int i, int j, float v[2], float *surface)
{
    int place, slot = gy_tiles_find(&w->tiles, i, j, &place);
    if (slot < 0 || gy_tile_flags(&w->tiles, slot)[place] & GY_CELL_OUT) {
        return false;
    }
    float depth = gy_tile_state(&w->tiles, slot, GY_WATER_DEPTH)[place];
    *surface = depth + gy_tile_array(&w->tiles, slot, GY_WATER_BED)[place];
    if (!(depth > w->def->dry_depth)) {
        return false;
    }
    v[0] = gy_tile_state(&w->tiles, slot, GY_WATER_QX)[place] / depth;
    v[1] = gy_tile_state(&w->tiles, slot, GY_WATER_QY)[place] / depth;
    return true;
}

/// Carries a place along; false: it is gone.
static bool carry(const gyre_water *w, float *at[3], int64_t k, float dt, uint32_t periodic)
{
    const gyre_grid *g = &w->grid;
    float v[2] = {0, 0}, height = 0.0f, share[2], weight = 0.0f;
    int low[2], cell[2];
    for (int a = 0; a < 2; a++) {
        float off = (at[a][k] - g->origin[a]) / g->h;
        off = off > 0.0f ? off : 0.0f;
        cell[a] = GY_MIN((int)off, g->n[a] - 1);
        off = off > 0.5f ? off - 0.5f : 0.0f;
        low[a] = GY_MIN((int)off, g->n[a] - 1);
        share[a] = off - (float)low[a];
    }
    for (int q = 0; q < 4; q++) {
        float there[2], surface, part = q & 1 ? share[0] : 1.0f - share[0];
        part *= q >> 1 ? share[1] : 1.0f - share[1];
        if (flow_at(w, low[0] + (q & 1), low[1] + (q >> 1), there, &surface)) {
            v[0] += part * there[0];
            v[1] += part * there[1];
            height += part * surface;
            weight += part;
        }
    }
    if (!(weight > 0.0f)) {
        return false;
    }
    at[2][k] = height / weight;
    for (int a = 0; a < 2; a++) {
        float speed = v[a] / weight, cap = w->def->speed_cap, size = g->h * (float)g->n[a];
        speed = speed > cap ? cap : speed < -cap ? -cap : speed;
        float off = at[a][k] + speed * dt - g->origin[a];
        if (off < 0.0f || off >= size) {
            const gyre_water_side *sides = &w->def->sides.x_low;
            if (!(periodic >> a & 1u) && sides[2 * a + (off >= size)].rule != GYRE_WATER_WALL) {
                return false;
            }
            off = !(periodic >> a & 1u) ? (off < 0.0f ? 0.0f : size * 0.999999f)
                                        : off - size * gy_floorf(off / size);
        }
        // What is cut out holds it.
        int to[2] = {cell[0], cell[1]}, place;
        to[a] = GY_MIN((int)(off / g->h), g->n[a] - 1);
        int slot = to[a] == cell[a] ? -1 : gy_tiles_find(&w->tiles, to[0], to[1], &place);
        if (slot < 0 || !(gy_tile_flags(&w->tiles, slot)[place] & GY_CELL_OUT)) {
            at[a][k] = g->origin[a] + off;
            cell[a] = to[a];
        }
    }
    return true;
}

void gy_foam_step(gyre_water *w, float dt)
{
    gy_particles *s = &w->breaking->sets[GY_SET_FOAM];
    const gyre_water_side *sides = &w->def->sides.x_low;
    uint32_t periodic = (sides[0].rule == GYRE_WATER_PERIODIC ? 1u : 0u) |
                        (sides[2].rule == GYRE_WATER_PERIODIC ? 2u : 0u);
    int64_t kept = 0, count = s->state.count;
    float *at[3], *age = gy_particles_array(s, GY_DRIFT_AGE, 0);
    float *below = gy_particles_array(s, GY_FOAM_BELOW, 0);
    for (int a = 0; a < 3; a++) {
        at[a] = gy_particles_array(s, GY_DRIFT_POSITION, a);
    }
    for (int64_t k = 0; k < count; k++) {
        age[k] += dt;
        if (age[k] > w->def->foam.life || !carry(w, at, k, dt, periodic)) {
            s->state.lost++;
            continue;
        }
        float now = below[k] - w->def->foam.rise * dt;
        below[k] = now > 0.0f ? now : 0.0f;
        at[2][k] -= below[k];
        gy_air_keep(s, k, kept++);
    }
    s->state.count = kept;
}
