// gas/bodies.c: bodies of a set that the gas was handed (gyre_model_use_bodies): solids behind its
// own. Their faces are made anew when they have moved, as after gyre_gas_update_solid; see
// gas/moving.c for how those push the gas, and it them.
//
// Hulls, meshes and arrays of distances are sampled in their own frames, when they come,
// at half of the gas's cells or at AROUND samples along the longest edge; meshes that deform again
// and again. Cost of a step in which some move: that of the faces near them; of the sampling about
// 2 us a sample and 1000 triangles.
#include "base/maths.h"
#include "body/body.h"
#include "gas/gas.h"
#include "solve/faces.h"
#include <string.h>

enum {
    AROUND = 64, // samples
    EDGE = 2,    // those of them beyond the body on each side
    GROUP = 4    // that are looked at together, see sample_group
};

static void release(gyre_gas *gas, gy_gas_body *b)
{
    gy_release(&gas->host, b->array, b->bytes);
    *b = (gy_gas_body){0};
}

typedef struct sampler {
    const gy_figure *figure;
    float *to;
    int n[3];
    double low[3], edge;
} sampler;

/// Of the points of a mesh that deforms.
static uint64_t hash_of(const gy_figure *f)
{
    return gy_hash(f->now, 3 * (size_t)f->surface.point_count * sizeof(float), 1);
}

static void sample_plane(void *argument, int k)
{
    const sampler *s = argument;
    float *to = s->to + (size_t)k * (size_t)s->n[0] * (size_t)s->n[1];
    for (int j = 0; j < s->n[1]; j++) {
        for (int i = 0; i < s->n[0]; i++) {
            const double own[3] = {s->low[0] + (i + 0.5) * s->edge, s->low[1] + (j + 0.5) * s->edge,
                                   s->low[2] + (k + 0.5) * s->edge};
            // A shape of an array is inside where that is above the threshold, 0, and takes what is
            // missing for cells of the array.
            *to++ = (float)(-gy_figure_distance(s->figure, own) / s->edge);
        }
    }
}

/// The same of a mesh that deforms, GROUP planes at once: groups of samples that the surface does
/// not reach have the distance of their middle.
static void sample_group(void *argument, int slab)
{
    const sampler *s = argument;
    const double reach = (0.8661 * GROUP + 2.0) * s->edge;
    int from[3] = {0, 0, slab * GROUP}, to[3], at[3];
    for (from[1] = 0; from[1] < s->n[1]; from[1] += GROUP) {
        for (from[0] = 0; from[0] < s->n[0]; from[0] += GROUP) {
            double own[3], middle;
            for (int a = 0; a < 3; a++) {
                to[a] = GY_MIN(from[a] + GROUP, s->n[a]);
                own[a] = s->low[a] + (from[a] + 0.5 * GROUP) * s->edge;
            }
            middle = gy_figure_distance(s->figure, own);
            bool far = middle > reach || middle < -reach;
            for (at[2] = from[2]; at[2] < to[2]; at[2]++) {
                for (at[1] = from[1]; at[1] < to[1]; at[1]++) {
                    float *row =
                        s->to + ((size_t)at[2] * (size_t)s->n[1] + (size_t)at[1]) * (size_t)s->n[0];
                    for (at[0] = from[0]; at[0] < to[0]; at[0]++) {
                        for (int a = 0; a < 3; a++) {
                            own[a] = s->low[a] + (at[a] + 0.5) * s->edge;
                        }
                        double d = far ? middle : gy_figure_distance(s->figure, own);
                        row[at[0]] = (float)(-d / s->edge);
                    }
                }
            }
        }
    }
}

/// Where a form's samples lie: over all that a mesh that deforms may come to.
static sampler plan(const gyre_gas *gas, const gy_figure *f)
{
    static const gy_pose none = {.turn = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    float low[3], high[3], longest = 0.0f;
    gy_figure_bounds(f, &none, low, high);
    size_t points = f->frames.data ? (size_t)f->frames.n[1] * (size_t)f->frames.n[2] : 0;
    for (size_t p = 0; p < points; p++) {
        for (int a = 0; a < 3; a++) {
            low[a] = GY_MIN(low[a], f->frames.data[3 * p + (size_t)a]);
            high[a] = GY_MAX(high[a], f->frames.data[3 * p + (size_t)a]);
        }
    }
    for (int a = 0; a < 3; a++) {
        low[a] = f->next ? GY_MIN(low[a], f->box[0][a]) : low[a];
        high[a] = f->next ? GY_MAX(high[a], f->box[1][a]) : high[a];
        longest = GY_MAX(longest, high[a] - low[a]);
    }
    sampler s = {.figure = f};
    s.edge = GY_MAX(0.5 * (double)gas->grid.h, (double)longest / AROUND);
    for (int a = 0; a < 3; a++) {
        s.n[a] = (int)((double)(high[a] - low[a]) / s.edge) + 1 + 2 * EDGE;
        s.low[a] = 0.5 * ((double)low[a] + (double)high[a]) - 0.5 * s.n[a] * s.edge;
    }
    return s;
}

/// What there is in the array, and the shape of it, whose bounds are those of what it holds.
static void take_samples(gyre_gas *gas, sampler *s, gy_gas_body *b)
{
    float corner[3], size[3];
    s->to = b->array;
    if (s->figure->now) {
        b->points = hash_of(s->figure);
        gyre_device_parallel_for(gas->model.device, (s->n[2] + GROUP - 1) / GROUP, sample_group, s);
    } else {
        gyre_device_parallel_for(gas->model.device, s->n[2], sample_plane, s);
    }
    for (int a = 0; a < 3; a++) {
        corner[a] = (float)s->low[a];
        size[a] = (float)(s->n[a] * s->edge);
    }
    const gyre_volume data = {b->array, {s->n[0], s->n[1], s->n[2]}, NULL};
    gyre_shape shape = gyre_volume_shape(data, corner, size, 0.0f);
    b->own = gy_solid_make(&shape, 3);
    if (!s->figure->now) {
        gy_solid_find_reach(&b->own); // of a mesh that deforms samples are as far as their groups
    }
}

/// Samples a form's distances.
static gyre_result sample(gyre_gas *gas, const gy_figure *f, gy_gas_body *b)
{
    sampler s = plan(gas, f);
    // Bounds are rounded outwards: of what has grown there may be one sample more along an axis.
    size_t more = f->now ? 1 : 0;
    size_t count = ((size_t)s.n[0] + more) * ((size_t)s.n[1] + more) * ((size_t)s.n[2] + more);
    b->bytes = count * sizeof(float);
    b->array = gy_allocate(&gas->host, b->bytes, 64);
    if (!b->array) {
        b->bytes = 0;
        return gyre_fail(GYRE_ERROR_MEMORY, "use_bodies: out of memory: %zu samples", count);
    }
    take_samples(gas, &s, b);
    return GYRE_OK;
}

static gyre_result describe(gyre_gas *gas, int k)
{
    const gyre_body *body = gy_set_body(gas->model.bodies, k);
    const gy_figure *f = gas->model.bodies->figures + k;
    gy_gas_body *b = gas->set.bodies + k;
    gyre_result r = gy_gas_check_body_walls(gas, k);
    if (r != GYRE_OK) {
        return r;
    }
    switch (body->form.kind) {
    case GYRE_FORM_SPHERE:
    case GYRE_FORM_BOX:
    case GYRE_FORM_CAPSULE:
    case GYRE_FORM_HALF_SPACE:
    case GYRE_FORM_BITMAP:
        b->own = f->solid;
        return GYRE_OK;
    case GYRE_FORM_CYLINDER:
        b->own = gy_solid_make_cylinder(f->radius, f->half);
        return GYRE_OK;
    default:
        return sample(gas, f, b);
    }
}

/// Notes where a body is, and what it looks like; whether that is not what was painted.
static bool note(gyre_gas *gas, int k)
{
    const gyre_bodies *set = gas->model.bodies;
    gy_gas_body *b = gas->set.bodies + k;
    int32_t enabled = gy_set_body(set, k)->enabled;
    const gy_pose *now = &set->states[k].now;
    bool moved = enabled != b->enabled || memcmp(now, &b->pose, sizeof *now) != 0;
    if (set->figures[k].now && b->points != hash_of(set->figures + k)) {
        sampler s = plan(gas, set->figures + k);
        take_samples(gas, &s, b);
        moved = true;
    }
    b->before = enabled && b->enabled ? b->pose : *now;
    b->enabled = enabled;
    b->pose = *now;
    return moved;
}

/// Looks all bodies through; what it has of those before goes.
static gyre_result look_through(gyre_gas *gas)
{
    const gyre_bodies *set = gas->model.bodies;
    gyre_result r = GYRE_OK;
    for (int k = 0; k < gas->set.count; k++) {
        release(gas, gas->set.bodies + k);
    }
    gas->set.count = 0;
    for (int k = 0; k < set->def.pool.count && r == GYRE_OK; k++) {
        r = describe(gas, k);
        if (r == GYRE_OK) {
            note(gas, k);
            gas->set.count++;
        } else {
            release(gas, gas->set.bodies + k);
        }
    }
    gas->set.changes = r == GYRE_OK ? set->changes : 0; // else they are looked through again
    return r;
}

int gy_gas_images(const gyre_gas *gas, int k, double shifts[GY_GAS_IMAGES][3])
{
    const gy_gas_body *b = gas->set.bodies + k;
    gy_solid solid = b->own;
    if (!gas->periodic) {
        memset(shifts[0], 0, sizeof shifts[0]);
        return 1;
    }
    gy_solid_put(&solid, &b->pose);
    return gy_gas_images_of(gas, &solid, shifts);
}

int gy_gas_put_bodies(gyre_gas *gas, gy_solid *solids, int count)
{
    double shifts[GY_GAS_IMAGES][3];
    for (int k = 0; k < gas->set.count; k++) {
        const gy_gas_body *b = gas->set.bodies + k;
        int images = b->enabled ? gy_gas_images(gas, k, shifts) : 0;
        for (int q = 0; q < images; q++) {
            gy_pose pose = b->pose;
            for (int a = 0; a < 3; a++) {
                pose.at[a] += shifts[q][a];
            }
            solids[count] = b->own;
            gy_solid_put(&solids[count++], &pose);
        }
    }
    return count;
}

/// Looks whether what bodies hold and give is as it was; what a gas cannot take is refused.
static gyre_result note_walls(gyre_gas *gas, bool *differ)
{
    *differ = false;
    for (int k = 0; k < gas->set.count; k++) {
        const gyre_body_gas *own = &gy_set_body(gas->model.bodies, k)->gas;
        uint64_t hash = gy_hash(own->gives, sizeof own->gives, 0);
        hash = gy_hash(own->holds, sizeof own->holds, hash);
        if (hash != gas->set.bodies[k].walls) {
            gyre_result r = gy_gas_check_body_walls(gas, k);
            if (r != GYRE_OK) {
                return r;
            }
            gas->set.bodies[k].walls = hash;
            *differ = true;
        }
    }
    return GYRE_OK;
}

gyre_result gy_gas_meet_bodies(gyre_model *model)
{
    gyre_gas *gas = (gyre_gas *)model;
    const gyre_bodies *set = model->bodies;
    bool moved = gas->set.changes != set->changes, walls = false;
    gyre_result r = moved ? look_through(gas) : GYRE_OK;
    r = r == GYRE_OK ? note_walls(gas, &walls) : r;
    if (r != GYRE_OK && !moved) {
        return r;
    }
    for (int k = 0; k < gas->set.count && r == GYRE_OK && !moved; k++) {
        moved = note(gas, k);
        for (int more = k + 1; moved && more < gas->set.count; more++) {
            note(gas, more);
        }
    }
    if (!moved) {
        bool differ = false, mixed = gy_gas_is_mixed(gas);
        r = r == GYRE_OK ? gy_gas_find_movers(gas, &differ) : r;
        r = r == GYRE_OK && differ ? gy_gas_list_faces(gas) : r;
        mixed = mixed || gy_gas_is_mixed(gas);
        r = r == GYRE_OK && differ && mixed ? gy_gas_list_samples(gas) : r;
        return r == GYRE_OK && walls ? gy_gas_fill_walls(gas) : r;
    }
    gyre_result painted = gy_gas_move_solids(gas);
    if (painted != GYRE_OK) {
        gas->set.changes = 0; // once more when there is memory again
    }
    return r == GYRE_OK ? painted : r;
}

/// Memory for what is prepared of solids and bodies.
static gyre_result take_set(gyre_gas *gas, gyre_bodies *bodies)
{
    gy_gas_set *s = &gas->set;
    size_t room = (size_t)bodies->def.pool.capacity;
    size_t solids =
        ((size_t)gy_pool_capacity(&gas->def->solids) + room) * (size_t)gy_gas_most_images(gas) +
        (gas->floor ? 1 : 0);
    size_t each = (solids * sizeof(gy_solid) + 63) / 64 * 64;
    size_t bytes = 2 * each + room * sizeof(gy_gas_body);
    char *memory = gy_allocate(&gas->host, bytes, 64);
    if (!memory) {
        return gyre_fail(GYRE_ERROR_MEMORY, "use_bodies: out of memory: %zu bytes", bytes);
    }
    memset(memory + 2 * each, 0, room * sizeof(gy_gas_body));
    *s = (gy_gas_set){.memory = memory,
                      .bytes = bytes,
                      .bodies = (void *)(memory + 2 * each),
                      .room = (int)room,
                      .home = {gas->made, gas->made_spare}};
    memcpy(memory, gas->made, (size_t)gas->made_count * sizeof(gy_solid));
    gas->made = (void *)memory;
    gas->made_spare = (void *)(memory + each);
    gas->model.bodies = bodies;
    return GYRE_OK;
}

void gy_gas_drop_bodies(gyre_gas *gas)
{
    gy_gas_set *s = &gas->set;
    if (!s->memory) {
        return;
    }
    for (int k = 0; k < s->count; k++) {
        release(gas, s->bodies + k);
    }
    gy_gas_drop_movers(gas);
    gas->made = s->home[0];
    gas->made_spare = s->home[1];
    gas->made_count = 0;
    gas->painted = false; // all, then
    gas->model.bodies = NULL;
    gy_release(&gas->host, s->memory, s->bytes);
    *s = (gy_gas_set){0};
}

gyre_result gy_gas_use_bodies(gyre_model *model, gyre_bodies *bodies)
{
    gyre_gas *gas = (gyre_gas *)model;
    gyre_result r = GYRE_OK;
    bool had = gas->set.memory != NULL;
    if (had) {
        gy_gas_enter_solids(gas, -1.0); // all is painted anew
    }
    gy_gas_drop_bodies(gas);
    if (bodies && !gy_is_3d(gas->grid.dim)) {
        r = gyre_fail(GYRE_ERROR_UNSUPPORTED, "use_bodies: a gas in 2D takes no bodies");
    } else if (bodies) {
        r = gy_gas_check_solids(gas->def);
        r = r == GYRE_OK ? take_set(gas, bodies) : r;
        r = r == GYRE_OK ? look_through(gas) : r;
        r = r == GYRE_OK ? gy_gas_changed(model, "solids") : r;
    }
    if (r == GYRE_OK && bodies) {
        if (had) {
            gy_gas_enter_solids(gas, 1.0);
        }
        return r;
    }
    char why[1024];
    strncpy(why, gyre_message(), sizeof why - 1);
    why[sizeof why - 1] = '\0';
    gy_gas_drop_bodies(gas);
    gyre_result own = had || !gas->painted ? gy_gas_changed(model, "solids") : GYRE_OK;
    if (had) {
        gy_gas_enter_solids(gas, 1.0);
    }
    return r != GYRE_OK ? gyre_fail(r, "%s", why) : own;
}
