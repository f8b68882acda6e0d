// classic/model.c: the paper's solver as a model: a thin coat of tables and verbs round
// gyre/classic.h. One thread does the work, whatever the device has: Gauss-Seidel in the paper's
// order cannot be shared out without changing its bits.
#include "classic/model.h"
#include "base/base.h"
#include "grid/table.h"
#include "gyre/classic.h"
#include "shape/shape.h"
#include <string.h>

enum { MOST_FIELDS = 6 };

// What fields are cut to, so that sums and products of them stay finite.
static const float MOST_SPEED = 1e4f, MOST_DENSITY = 1e12f, MOST_DT = 1e6f;

typedef struct classic {
    gyre_model model; // first
    gyre_classic_def *def;
    gyre_host host;
    void *memory;
    size_t bytes;
    gyre_classic_box box;
    size_t size; // numbers per array
    gyre_field_info fields[MOST_FIELDS];
    float *state[4], *scratch[4]; // velocity, then density behind its last component
    float *spare;                 // of a derived field
    uint8_t *solid;
    float *solid_velocity[3];
    gyre_classic_stats stats;
    bool stats_fresh;
} classic;

static int kind_of(const classic *c, int field)
{
    return field < c->box.dim ? GYRE_CLASSIC_X + field : GYRE_CLASSIC_DENSITY;
}

static size_t round64(size_t size)
{
    return (size + 63) / 64 * 64;
}

static void set_box(classic *c)
{
    const gyre_grid *grid = &c->def->grid;
    const gyre_classic_edge *sides = &c->def->sides.x_low;
    c->box.dim = grid->dim;
    memcpy(c->box.n, grid->n, sizeof c->box.n);
    c->box.resolution = 1.0f / grid->h;
    c->box.sweeps = c->def->sweeps;
    c->box.confinement = c->def->confinement;
    for (int s = 0; s < 6; s++) {
        c->box.sides[s] = (gyre_classic_side){.rule = sides[s].rule, .density = sides[s].density};
        memcpy(c->box.sides[s].velocity, sides[s].velocity, sizeof sides[s].velocity);
    }
}

/// The block in order: the model, its head, the arrays. Without a base it only counts.
static size_t plan(classic *c, const gyre_classic_def *def, char *base)
{
    size_t used = round64(sizeof *c) + round64(gy_model_head_size(&gy_classic_type, def));
    size_t one = round64(c->size * sizeof(float));
    int dim = def->grid.dim, next = 0;
    float **all[4 + 4 + 1 + 3];
    for (int f = 0; f <= dim; f++) {
        all[next++] = &c->state[f];
        all[next++] = &c->scratch[f];
    }
    for (int d = 0; d < dim; d++) {
        all[next++] = &c->solid_velocity[d];
    }
    all[next++] = &c->spare;
    for (int a = 0; a < next; a++) {
        *all[a] = base ? (float *)(void *)(base + used) : NULL;
        used += one;
    }
    c->solid = base ? (uint8_t *)base + used : NULL;
    return used + round64(c->size);
}

static size_t count_bytes(classic *c, const gyre_classic_def *def)
{
    c->box.dim = def->grid.dim;
    memcpy(c->box.n, def->grid.n, sizeof c->box.n);
    c->size = gyre_classic_size(&c->box);
    return plan(c, def, NULL);
}

static size_t classic_bytes(const void *def)
{
    classic probe = {0};
    return gy_classic_check(def) == GYRE_OK ? count_bytes(&probe, def) : 0;
}

static void name_fields(classic *c)
{
    static const char *const velocity[3] = {"velocity_x", "velocity_y", "velocity_z"};
    int f = 0;
    for (; f < c->box.dim; f++) {
        c->fields[f] = (gyre_field_info){
            velocity[f], "m/s", GYRE_CENTRE,          GYRE_VIEW_SIGNED,
            false,       false, "speed of the fluid", (gyre_field_role)(GYRE_ROLE_VELOCITY_X + f)};
    }
    c->fields[f++] = (gyre_field_info){"density", "kg/m^3", GYRE_CENTRE, GYRE_VIEW_DENSITY,
                                       false,     true,     "smoke",     GYRE_ROLE_SMOKE};
    c->fields[f++] = (gyre_field_info){"divergence",
                                       "1/s",
                                       GYRE_CENTRE,
                                       GYRE_VIEW_SIGNED,
                                       true,
                                       false,
                                       "what the sweeps have left",
                                       GYRE_ROLE_NONE};
    c->fields[f++] = (gyre_field_info){
        "solid",        "1", GYRE_CENTRE, GYRE_VIEW_FRACTION, true, false, "1 in cells of solids",
        GYRE_ROLE_SOLID};
    c->model.fields = c->fields;
    c->model.field_count = f;
}

/// Calls `visit` for each cell of the box whose centre lies in the shape.
static void each_inside(const classic *c, const gyre_shape *shape,
                        void (*visit)(const classic *c, size_t at, const void *element),
                        const void *element)
{
    gy_solid made = gy_solid_make(shape, c->box.dim);
    const gyre_grid *grid = &c->def->grid;
    for (int k = 0; k < grid->n[2]; k++) {
        for (int j = 0; j < grid->n[1]; j++) {
            for (int i = 0; i < grid->n[0]; i++) {
                double point[3] = {(double)grid->origin[0] + (i + 0.5) * (double)grid->h,
                                   (double)grid->origin[1] + (j + 0.5) * (double)grid->h,
                                   (double)grid->origin[2] + (k + 0.5) * (double)grid->h};
                if (gy_solid_distance(&made, point) < 0.0) {
                    int z = c->box.dim == 3 ? k + 1 : 0;
                    visit(c, gyre_classic_index(&c->box, i + 1, j + 1, z), element);
                }
            }
        }
    }
}

static void fill_solid(const classic *c, size_t at, const void *element)
{
    const gyre_classic_solid *solid = element;
    c->solid[at] = 1;
    for (int d = 0; d < c->box.dim; d++) {
        c->solid_velocity[d][at] = solid->velocity[d];
    }
}

static void emit(const classic *c, size_t at, const void *element)
{
    const gyre_classic_emitter *emitter = element;
    for (int d = 0; d < c->box.dim; d++) {
        c->scratch[d][at] += emitter->force[d];
    }
    c->scratch[c->box.dim][at] += emitter->density;
}

static float limited(float x, float most)
{
    return x > most ? most : x < -most ? -most : x;
}

/// Holds a field within what the solver can bear and fills its boundary.
static void settle(classic *c, int field)
{
    float most = field < c->box.dim ? MOST_SPEED : MOST_DENSITY;
    for (size_t i = 0; i < c->size; i++) {
        c->state[field][i] = limited(c->state[field][i], most);
    }
    gyre_classic_set_bnd(&c->box, kind_of(c, field), c->state[field]);
    c->stats_fresh = false;
}

static void classic_written(gyre_model *model, int field)
{
    settle((classic *)model, field);
}

static gyre_result classic_changed(gyre_model *model, const char *pool)
{
    classic *c = (classic *)model;
    const gyre_classic_solid *solids = c->def->solids.items;
    set_box(c);
    if (pool && strcmp(pool, "solids") == 0) {
        bool any = false;
        memset(c->solid, 0, c->size);
        for (int i = 0; i < c->def->solids.count; i++) {
            if (solids[i].enabled) {
                each_inside(c, &solids[i].shape, fill_solid, &solids[i]);
                any = true;
            }
        }
        c->box.solid = any ? c->solid : NULL;
        for (int d = 0; d < 3; d++) {
            c->box.solid_velocity[d] = any ? c->solid_velocity[d] : NULL;
        }
    }
    for (int f = 0; f <= c->box.dim; f++) {
        settle(c, f);
    }
    return GYRE_OK;
}

static gyre_result classic_make(gyre_device *device, const void *memory, gyre_model **model)
{
    const gyre_classic_def *def = memory;
    gyre_result r = gy_device_require_host(device, "classic");
    if (r == GYRE_OK) {
        r = gy_classic_check(def);
    }
    if (r != GYRE_OK) {
        return r;
    }
    classic probe = {0};
    size_t bytes = count_bytes(&probe, def);
    const gyre_host *host = gy_device_host(device);
    char *block = gy_allocate(host, bytes, 4096);
    if (!block) {
        return gyre_fail(GYRE_ERROR_MEMORY,
                         "a fluid of %d x %d x %d cells takes %zu bytes, and there are not so many",
                         def->grid.n[0], def->grid.n[1], def->grid.n[2], bytes);
    }
    classic *c = (void *)block;
    c->host = *host;
    c->memory = block;
    c->bytes = bytes;
    c->size = probe.size;
    plan(c, def, block);
    gy_model_head(&c->model, &gy_classic_type, device, def, block + round64(sizeof *c));
    c->def = c->model.def;
    c->model.grid = &c->def->grid;
    set_box(c);
    name_fields(c);
    classic_changed(&c->model, "solids");
    *model = &c->model;
    return GYRE_OK;
}

static void classic_unmake(gyre_model *model)
{
    classic *c = (classic *)model;
    gyre_host host = c->host;
    gy_release(&host, c->memory, c->bytes);
}

static gyre_result classic_step(gyre_model *model, float dt)
{
    classic *c = (classic *)model;
    const gyre_classic_emitter *emitters = c->def->emitters.items;
    int dim = c->box.dim;
    // What one step may add at most; a longer step than MOST_DT changes nothing any more.
    float seconds = limited(dt, MOST_DT), most = MOST_SPEED / (seconds > 1e-6f ? seconds : 1e-6f);
    for (int f = 0; f <= dim; f++) {
        memset(c->scratch[f], 0, c->size * sizeof(float));
    }
    for (int i = 0; i < c->def->emitters.count; i++) {
        if (emitters[i].enabled) {
            each_inside(c, &emitters[i].shape, emit, &emitters[i]);
        }
    }
    for (int d = 0; d < dim; d++) {
        for (size_t i = 0; i < c->size; i++) {
            c->scratch[d][i] = limited(c->scratch[d][i], most);
        }
    }
    const float *const carrier[3] = {c->state[0], c->state[1], c->state[2]};
    gyre_result r =
        gyre_classic_vel_step(&c->box, c->state, c->scratch, c->def->viscosity, seconds);
    if (r == GYRE_OK) {
        for (int d = 0; d < dim; d++) {
            settle(c, d);
        }
        r = gyre_classic_dens_step(&c->box, c->state[dim], c->scratch[dim], carrier,
                                   c->def->diffusivity, seconds);
    }
    if (r != GYRE_OK) {
        return r;
    }
    settle(c, dim);
    model->time += (double)dt;
    model->steps++;
    c->stats.step = model->steps;
    c->stats.time = model->time;
    c->stats.dt = (double)dt;
    return GYRE_OK;
}

static void classic_window(const gyre_model *model, int field, gyre_field_view *view)
{
    const classic *c = (const classic *)model;
    view->data = (field <= c->box.dim ? c->state[field] : c->spare) +
                 gyre_classic_index(&c->box, 1, 1, c->box.dim == 3);
    view->stride[0] = 1;
    view->stride[1] = c->box.n[0] + 2;
    view->stride[2] = (ptrdiff_t)(c->box.n[0] + 2) * (c->box.n[1] + 2);
    view->location = GYRE_CENTRE;
    view->grid = c->def->grid;
    memcpy(view->n, c->box.n, sizeof view->n);
}

/// Calls for each cell of the fluid, in memory's order.
#define EACH_CELL(c, at)                                                                           \
    for (int k_ = (c)->box.dim == 3; k_ <= ((c)->box.dim == 3 ? (c)->box.n[2] : 0); k_++)          \
        for (int j_ = 1; j_ <= (c)->box.n[1]; j_++)                                                \
            for (size_t at = gyre_classic_index(&(c)->box, 1, j_, k_),                             \
                        end_ = at + (size_t)(c)->box.n[0];                                         \
                 at < end_; at++)

static float divergence(const classic *c, size_t at)
{
    float sum = 0.0f;
    for (int d = 0; d < c->box.dim; d++) {
        size_t step = gyre_classic_index(&c->box, d == 0, d == 1, d == 2);
        sum += c->state[d][at + step] - c->state[d][at - step];
    }
    return c->box.solid && c->box.solid[at] ? 0.0f : 0.5f * sum * c->box.resolution;
}

static void classic_derive(gyre_model *model, int field)
{
    classic *c = (classic *)model;
    bool solid = field == c->model.field_count - 1;
    EACH_CELL(c, at)
    {
        c->spare[at] = solid ? (c->box.solid && c->box.solid[at] ? 1.0f : 0.0f) : divergence(c, at);
    }
}

static double cell_volume(const classic *c)
{
    double h = (double)c->def->grid.h;
    return h * h * (c->box.dim == 3 ? h : 1.0);
}

static double classic_total(const gyre_model *model, int field)
{
    const classic *c = (const classic *)model;
    double sum = 0.0;
    if (field <= c->box.dim) {
        EACH_CELL(c, at)
        {
            sum += c->box.solid && c->box.solid[at] ? 0.0 : (double)c->state[field][at];
        }
    }
    return sum * cell_volume(c);
}

static gyre_result classic_splat(gyre_model *model, int field, const float centre[3], float radius,
                                 float amount)
{
    classic *c = (classic *)model;
    const gyre_grid *grid = &c->def->grid;
    for (int k = 0; k < grid->n[2]; k++) {
        for (int j = 0; j < grid->n[1]; j++) {
            for (int i = 0; i < grid->n[0]; i++) {
                size_t at = gyre_classic_index(&c->box, i + 1, j + 1, c->box.dim == 3 ? k + 1 : 0);
                float point[3];
                double square = 0.0;
                gyre_grid_position(grid, GYRE_CENTRE, i, j, k, point);
                for (int d = 0; d < c->box.dim; d++) {
                    double x = ((double)point[d] - (double)centre[d]) / (double)radius;
                    square += x * x;
                }
                if (square < 1.0 && !(c->box.solid && c->box.solid[at])) {
                    float weight = (float)((1.0 - square) * (1.0 - square));
                    c->state[field][at] += limited(amount * weight, MOST_DENSITY);
                }
            }
        }
    }
    settle(c, field);
    return GYRE_OK;
}

static double square_root(double x)
{
    double r = x > 1.0 ? x : 1.0;
    for (int i = 0; x > 0.0 && i < 1100; i++) {
        double next = 0.5 * (r + x / r);
        if (!(next < r)) {
            break;
        }
        r = next;
    }
    return x > 0.0 ? r : 0.0;
}

static const void *classic_get_stats(gyre_model *model)
{
    classic *c = (classic *)model;
    double squares = 0.0, energy = 0.0;
    int64_t cells = 0;
    float most = 0.0f;
    if (c->stats_fresh) {
        return &c->stats;
    }
    EACH_CELL(c, at)
    {
        if (c->box.solid && c->box.solid[at]) {
            continue;
        }
        double d = (double)divergence(c, at);
        squares += d * d;
        cells++;
        for (int a = 0; a < c->box.dim; a++) {
            float u = c->state[a][at], size = u < 0.0f ? -u : u;
            energy += 0.5 * (double)u * (double)u;
            most = GY_MAX(most, size);
        }
    }
    c->stats.max_speed = most;
    c->stats.div_rms_after = (float)square_root(squares / (double)GY_MAX(cells, 1));
    c->stats.kinetic_energy = energy * cell_volume(c);
    c->stats_fresh = true;
    return &c->stats;
}

#define STAT(...) GYRE_PROPERTY_STAT(gyre_classic_stats, __VA_ARGS__)
static const gyre_property stats_properties[] = {
    STAT(step, "1", "steps taken"),
    STAT(time, "s", "simulated"),
    STAT(dt, "s", "of the step"),
    STAT(max_speed, "m/s", "largest component"),
    STAT(div_rms_after, "1/s", "divergence after the step, over two cells"),
    STAT(kinetic_energy, "m^5/s^2", "half the square of velocity, integrated"),
    GYRE_PROPERTY_END,
};

const gy_model_type gy_classic_type = {
    .name = "classic",
    .properties = gyre_classic_properties,
    .def_size = sizeof(gyre_classic_def),
    .stats = stats_properties,
    .default_def = gy_classic_default,
    .size = classic_bytes,
    .create = classic_make,
    .destroy = classic_unmake,
    .step = classic_step,
    .window = classic_window,
    .derive = classic_derive,
    .written = classic_written,
    .changed = classic_changed,
    .check = gy_classic_check,
    .splat = classic_splat,
    .total = classic_total,
    .get_stats = classic_get_stats,
};
