// ocean/ocean.c: an ocean as a model among others. A step moves time on and lets foam grow and
// fade; all else is a function of seed and time (sample.c). Its typed verbs are in verbs.c.
#include "ocean/ocean.h"
#include "device/fp.h"
#include "grid/table.h"
#include <string.h>

// What foam is cut to, so that sums of it stay finite.
static const float MOST_FOAM = 1e6f;

static size_t round64(size_t size)
{
    return (size + 63) / 64 * 64;
}

static size_t head_of(const gyre_ocean_def *def)
{
    return round64(sizeof(gyre_ocean)) + round64(gy_model_head_size(&gy_ocean_type, def));
}

static size_t ocean_bytes(const void *memory)
{
    const gyre_ocean_def *def = memory;
    gyre_ocean probe = {0};
    return gy_ocean_check(def) == GYRE_OK ? gy_ocean_plan(&probe, def, NULL, head_of(def)) +
                                                gy_ocean_plan_arena(&probe, def, NULL)
                                          : 0;
}

static gyre_result ocean_make(gyre_device *device, const void *memory, gyre_model **model)
{
    static const gy_op ops[] = {GY_OP_ocean_columns, GY_OP_ocean_rows};
    const gyre_ocean_def *def = memory;
    gyre_result r = gy_ocean_check(def);
    if (r == GYRE_OK) {
        r = gy_device_require(device, "ocean", ops, GY_COUNT(ops));
    }
    if (r != GYRE_OK) {
        return r;
    }
    gyre_ocean probe = {.remote = gy_device_has_own_memory(device)};
    size_t bytes = gy_ocean_plan(&probe, def, NULL, head_of(def));
    const gyre_host *host = gy_device_host(device);
    char *block = gy_allocate(host, bytes, 4096);
    size_t arena_bytes = gy_ocean_plan_arena(&probe, def, NULL);
    void *arena = block ? gy_device_allocate(device, arena_bytes) : NULL;
    if (!arena) {
        if (block) {
            gy_release(host, block, bytes);
        }
        return gyre_fail(GYRE_ERROR_MEMORY,
                         "an ocean of %d x %d cells and %d patches of %d^2 takes %zu bytes, and "
                         "there are not so many",
                         def->grid.n[0], def->grid.n[1], def->patch.cascades, def->patch.cells,
                         bytes + arena_bytes);
    }
    gyre_ocean *o = (void *)block;
    o->host = *host;
    o->memory = block;
    o->bytes = bytes;
    o->remote = probe.remote;
    o->arena = arena;
    o->arena_bytes = arena_bytes;
    gy_ocean_plan(o, def, block, head_of(def));
    gy_ocean_plan_arena(o, def, arena);
    gy_model_head(&o->model, &gy_ocean_type, device, def, block + round64(sizeof *o));
    o->def = o->model.def;
    o->model.grid = &o->def->grid;
    o->model.extra = o->shed;
    o->model.extra_size = gy_ocean_shed_size(def);
    o->stale = true;
    gy_ocean_constants(o);
    gy_ocean_name_fields(o);
    *model = &o->model;
    return GYRE_OK;
}

static void ocean_unmake(gyre_model *model)
{
    gyre_ocean *o = (gyre_ocean *)model;
    gyre_host host = o->host;
    gy_device_release(model->device, o->arena, o->arena_bytes);
    gy_release(&host, o->memory, o->bytes);
}

static gyre_result ocean_step(gyre_model *model, float dt)
{
    gyre_ocean *o = (gyre_ocean *)model;
    gy_fp found = gy_fp_enter();
    gy_ocean_shed_now(o);
    model->time += (double)dt;
    model->steps++;
    o->stats.dt = (double)dt;
    gy_ocean_grow_foam(o, dt);
    gy_fp_leave(found);
    return gy_device_status(model->device);
}

static void ocean_window(const gyre_model *model, int field, gyre_field_view *view)
{
    const gyre_ocean *o = (const gyre_ocean *)model;
    const gyre_grid *grid = model->grid;
    view->data = field == GY_OCEAN_FOAM ? o->foam : o->spare;
    view->stride[0] = 1;
    view->stride[1] = grid->n[0];
    view->stride[2] = (ptrdiff_t)grid->n[0] * grid->n[1];
    view->location = GYRE_CENTRE;
    view->grid = *grid;
    memcpy(view->n, grid->n, sizeof view->n);
}

static void ocean_derive(gyre_model *model, int field)
{
    gy_fp found = gy_fp_enter();
    gy_ocean_derive(model, field);
    gy_fp_leave(found);
}

static void hold(gyre_ocean *o)
{
    for (ptrdiff_t i = 0; i < (ptrdiff_t)o->def->grid.n[0] * o->def->grid.n[1]; i++) {
        float f = o->foam[i];
        o->foam[i] = f > MOST_FOAM ? MOST_FOAM : f > 0.0f ? f : 0.0f;
    }
}

static void ocean_written(gyre_model *model, int field)
{
    (void)field;
    hold((gyre_ocean *)model);
}

/// Tables are made when they are next needed: what changes them is set in any order before that.
static gyre_result ocean_changed(gyre_model *model, const char *pool)
{
    gyre_ocean *o = (gyre_ocean *)model;
    o->changes++;
    for (int m = 0; m < GY_OCEAN_MOMENTS; m++) {
        o->moments[m].bins.made = false;
    }
    // Emitters and what shows the waves have no tables.
    o->stale = o->stale || !pool || strcmp(pool, "emitters") != 0;
    return GYRE_OK;
}

static gyre_result ocean_splat(gyre_model *model, int field, const float centre[3], float radius,
                               float amount)
{
    gyre_ocean *o = (gyre_ocean *)model;
    const gyre_grid *grid = model->grid;
    (void)field;
    for (int j = 0; j < grid->n[1]; j++) {
        for (int i = 0; i < grid->n[0]; i++) {
            float point[3];
            double square = 0.0;
            gyre_grid_position(grid, GYRE_CENTRE, i, j, 0, point);
            for (int d = 0; d < 2; d++) {
                double x = ((double)point[d] - (double)centre[d]) / (double)radius;
                square += x * x;
            }
            if (square < 1.0) {
                o->foam[i + (ptrdiff_t)j * grid->n[0]] +=
                    amount * (float)((1.0 - square) * (1.0 - square));
            }
        }
    }
    hold(o);
    return GYRE_OK;
}

static double ocean_total(const gyre_model *model, int field)
{
    const gyre_ocean *o = (const gyre_ocean *)model;
    const gyre_grid *grid = model->grid;
    const float *from = field == GY_OCEAN_FOAM ? o->foam : o->spare;
    double sum = 0.0;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)grid->n[0] * grid->n[1]; i++) {
        sum += (double)from[i];
    }
    return sum * (double)grid->h * (double)grid->h;
}

static const void *ocean_stats(gyre_model *model)
{
    gyre_ocean *o = (gyre_ocean *)model;
    gy_fp found = gy_fp_enter();
    gy_ocean_refresh(o);
    gy_ocean_count_particles(o);
    gy_fp_leave(found);
    o->stats.step = model->steps;
    o->stats.time = model->time;
    return &o->stats;
}

#define STAT(...) GYRE_PROPERTY_STAT(gyre_ocean_stats, __VA_ARGS__)
static const gyre_property stats_properties[] = {
    STAT(step, "1", "steps taken"),
    STAT(time, "s", "simulated"),
    STAT(dt, "s", "of the step"),
    STAT(components, "1", "waves of spectra"),
    STAT(significant_height, "m", "of spectra, as patches hold them"),
    STAT(asked_height, "m", "of spectra, whole"),
    STAT(peak_period, "s", "of spectra"),
    STAT(mean_period, "s", "of spectra, sqrt(m0 / m2)"),
    STAT(mean_direction, "degrees", "of energy, from +x towards +y"),
    STAT(spread, "degrees", "standard deviation of directions"),
    STAT(particles, "1", "wave particles of bodies that are there"),
    STAT(families, "1", "that they belong to"),
    STAT(families_shed, "1", "ever"),
    STAT(families_cut, "1", "of these, that made room before their life was over"),
    STAT(bodies_refused, "1", "that shed nothing for want of room"),
    STAT(particle_volume, "m^3", "of those particles, crests less hollows"),
    GYRE_PROPERTY_END,
};

const gy_model_type gy_ocean_type = {
    .name = "ocean",
    .properties = gyre_ocean_properties,
    .def_size = sizeof(gyre_ocean_def),
    .stats = stats_properties,
    .default_def = gy_ocean_default,
    .size = ocean_bytes,
    .create = ocean_make,
    .destroy = ocean_unmake,
    .step = ocean_step,
    .window = ocean_window,
    .derive = ocean_derive,
    .written = ocean_written,
    .changed = ocean_changed,
    .check = gy_ocean_check,
    .splat = ocean_splat,
    .total = ocean_total,
    .extra_parts = gy_ocean_extra_parts,
    .regain = gy_ocean_regain,
    .use_bodies = gy_ocean_use_bodies,
    .get_stats = ocean_stats,
};
