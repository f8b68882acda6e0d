#include "model/drift.h"
#include "base/maths.h"

enum { MOST_TRIES = 64 };

const gyre_attribute_info gy_drift_table[GY_DRIFT_PLATES] = {
    {"position", "m", 3, GYRE_ATTRIBUTE_FLOAT, GYRE_VIEW_SIGNED, "where it is", 0},
    {"age", "s", 1, GYRE_ATTRIBUTE_FLOAT, GYRE_VIEW_DENSITY, "since it was seeded", 0},
    {"id", "1", 1, GYRE_ATTRIBUTE_INT, GYRE_VIEW_DENSITY, "numbers it, from 0 on", 0},
    {"velocity", "m/s", 3, GYRE_ATTRIBUTE_FLOAT, GYRE_VIEW_SIGNED, "of its own", 0},
    {"orientation", "1", 4, GYRE_ATTRIBUTE_FLOAT, GYRE_VIEW_SIGNED,
     "unit quaternion x, y, z, w; turns the y axis to a plate's normal", 0},
    {"spin", "rad/s", 3, GYRE_ATTRIBUTE_FLOAT, GYRE_VIEW_SIGNED, "of its own", 0},
};

gy_drift_place gy_drift_box(const float low[3], const float high[3])
{
    gy_drift_place p = {0};
    bool all = low[0] == high[0] && low[1] == high[1] && low[2] == high[2];
    for (int a = 0; a < 3; a++) {
        p.low[a] = all ? -1e30 : (double)low[a];
        p.high[a] = all ? 1e30 : (double)high[a];
    }
    return p;
}

gy_drift_place gy_drift_shape(const gy_solid *shape)
{
    gy_drift_place p = {.shape = shape};
    for (int a = 0; a < 3; a++) {
        p.low[a] = shape->low[a];
        p.high[a] = shape->high[a];
    }
    return p;
}

/// The part of a place that is in the domain; false: none is.
static bool cut(const gyre_grid *g, gy_drift_place *p)
{
    bool some = true;
    for (int a = 0; a < g->dim; a++) {
        double low = (double)g->origin[a], high = low + (double)g->n[a] * (double)g->h;
        p->low[a] = GY_MAX(p->low[a], low);
        p->high[a] = GY_MIN(p->high[a], high);
        some = some && p->low[a] < p->high[a];
    }
    return some;
}

/// What the new one at a place among the new ones begins with.
static void push(gyre_device *device, gy_particles *set, const gy_drift_place *place, uint64_t seed,
                 uint64_t number, int at)
{
    float way[3] = {0, 0, 0}, square = 2.0f;
    // Evenly over a ball; the last try counts in any case.
    for (uint32_t attempt = 0; attempt < MOST_TRIES && place->scatter > 0.0f && square > 1.0f;
         attempt++) {
        square = 0.0f;
        for (uint32_t a = 0; a < (uint32_t)set->grid->dim; a++) {
            uint32_t which = 3u * (MOST_TRIES + attempt) + a;
            way[a] = 2.0f * gy_particles_random(seed, number, which) - 1.0f;
            square += way[a] * way[a];
        }
    }
    for (int a = 0; a < 3; a++) {
        float *v = gy_particles_new(device, set, GY_DRIFT_VELOCITY, a);
        v[at] = a < set->grid->dim ? place->velocity[a] + place->scatter * way[a] : 0.0f;
    }
}

/// Turned in any way alike (K. Shoemake, Uniform random rotations, Graphics Gems III, 1992); in 2D
/// about z.
static void turn(gyre_device *device, gy_particles *set, uint64_t seed, uint64_t number, int at)
{
    const float whole = 6.283185307f;
    float r[3], q[4] = {0, 0, 0, 0};
    for (uint32_t a = 0; a < 3; a++) {
        r[a] = gy_particles_random(seed, number, 6u * MOST_TRIES + a);
    }
    if (gy_is_3d(set->grid->dim)) {
        float low = gy_sqrtf(1.0f - r[0]), high = gy_sqrtf(r[0]);
        q[0] = low * gy_sinf(whole * r[1]);
        q[1] = low * gy_cosf(whole * r[1]);
        q[2] = high * gy_sinf(whole * r[2]);
        q[3] = high * gy_cosf(whole * r[2]);
    } else {
        q[2] = gy_sinf(0.5f * whole * r[0]);
        q[3] = gy_cosf(0.5f * whole * r[0]);
    }
    for (int c = 0; c < 4; c++) {
        ((float *)gy_particles_new(device, set, GY_DRIFT_ORIENTATION, c))[at] = q[c];
    }
    for (int c = 0; c < 3; c++) {
        ((float *)gy_particles_new(device, set, GY_DRIFT_SPIN, c))[at] = 0.0f;
    }
}

void gy_drift_seed(gyre_device *device, gy_particles *set, gy_drift_place place, uint64_t seed,
                   int64_t count, gy_drift_accepts *accepts, const void *model)
{
    const gyre_grid *g = set->grid;
    bool some = cut(g, &place);
    int room = gy_particles_room(device, set, count), added = 0;
    float *at[3], *age = gy_particles_new(device, set, GY_DRIFT_AGE, 0);
    int32_t *id = gy_particles_new(device, set, GY_DRIFT_ID, 0);
    for (int a = 0; a < 3; a++) {
        at[a] = gy_particles_new(device, set, GY_DRIFT_POSITION, a);
    }
    for (; some && added < room; added++) {
        uint64_t number = (uint64_t)(set->state.seeded + added);
        double x[3];
        bool found = false;
        for (uint32_t attempt = 0; attempt < MOST_TRIES && !found; attempt++) {
            x[2] = (double)g->origin[2] + 0.5 * (double)g->h;
            for (uint32_t a = 0; a < (uint32_t)g->dim; a++) {
                double r = (double)gy_particles_random(seed, number, 3u * attempt + a);
                x[a] = place.low[a] + r * (place.high[a] - place.low[a]);
            }
            found = (!place.shape || gy_solid_distance(place.shape, x) <= 0.0) && accepts(model, x);
        }
        if (!found) {
            break; // a place where none is found in so many tries has room for hardly any
        }
        for (int a = 0; a < 3; a++) {
            at[a][added] = (float)x[a];
        }
        age[added] = 0.0f;
        id[added] = (int32_t)(number & 0x7fffffff);
        if (set->info.attribute_count > GY_DRIFT_VELOCITY) {
            push(device, set, &place, seed, number, added);
        }
        if (set->info.attribute_count > GY_DRIFT_ORIENTATION) {
            turn(device, set, seed, number, added);
        }
    }
    set->state.refused += room - added;
    gy_particles_add(device, set, added);
}
