// water/water.c: the typed verbs of include/gyre/water.h, and water as a model among others.
#include "water/water.h"
#include "grid/table.h"
#include <string.h>

gyre_result gy_water_changed(gyre_model *model, const char *pool)
{
    gyre_water *w = (gyre_water *)model;
    gyre_result r = GYRE_OK;
    gy_water_entries_changed(w);
    w->stats_fresh = false;
    if (!pool) {
        // A level, a speed, a layer's width: what is shut does not change, rules may.
        for (int slot = 0; slot < w->tiles.used; slot++) {
            gy_water_touch(w, slot);
        }
        return gy_water_shape(w);
    }
    if (strcmp(pool, "edges") == 0 || strcmp(pool, "gates") == 0) {
        double before = gy_water_depths(w);
        for (int tile = 0; tile < w->tiles.tn[0] * w->tiles.tn[1]; tile++) {
            w->live[tile] = w->tiles.slot[tile] >= 0 || gy_water_tile_live(w->def, &w->tiles, tile);
        }
        r = gy_water_shape(w);
        gy_water_book(w, GY_LINE_EDITS, gy_water_depths(w) - before);
    } else if (strcmp(pool, "bodies") == 0) {
        r = gy_bodies_changed(w->body, &w->def->bodies);
    }
    return r;
}

#define STAT(...) GY_STAT(gyre_water_stats, __VA_ARGS__)
static const gyre_property stats_properties[] = {
    STAT(step, GYRE_INT64, "1", "steps taken"),
    STAT(time, GYRE_DOUBLE, "s", "simulated"),
    STAT(dt, GYRE_DOUBLE, "s", "of the step"),
    STAT(substeps, GYRE_INT, "1", "it was split into"),
    STAT(courant, GYRE_FLOAT, "1", "largest c dt / h of a substep"),
    STAT(dropped, GYRE_DOUBLE, "s", "left out for want of substeps"),
    STAT(capped, GYRE_INT64, "1", "velocities cut to the cap"),
    STAT(tiles, GYRE_INT, "1", "that have memory"),
    STAT(awake, GYRE_INT, "1", "that were stepped"),
    STAT(missing, GYRE_INT, "1", "that water would enter, had there been memory for them"),
    STAT(volume, GYRE_DOUBLE, "m^3", "of water"),
    STAT(ledger_error, GYRE_DOUBLE, "m^3", "volume less the sum of the ledger"),
    STAT(max_speed, GYRE_FLOAT, "m/s", "largest velocity"),
    STAT(max_depth, GYRE_FLOAT, "m", "deepest column"),
    STAT(kinetic_energy, GYRE_DOUBLE, "J", "of the flow"),
    STAT(potential_energy, GYRE_DOUBLE, "J", "of the water over its bed"),
    GY_TABLE_END,
};

static int mesh_count(const gyre_model *model)
{
    return ((const gyre_water *)model)->def->bodies.count;
}

static gyre_result mesh(const gyre_model *model, int index, gyre_mesh *mesh)
{
    const gyre_water *w = (const gyre_water *)model;
    return gy_bodies_mesh(w->body, &w->def->bodies, index, mesh);
}

const gy_model_type gy_water_type = {
    .name = "water",
    .properties = gyre_water_properties,
    .def_size = sizeof(gyre_water_def),
    .stats = stats_properties,
    .default_def = gy_water_default,
    .size = gy_water_bytes,
    .create = gy_water_make,
    .destroy = gy_water_unmake,
    .step = gy_water_step,
    .stage = gy_water_stage,
    .unstage = gy_water_unstage,
    .read_row = gy_water_read_row,
    .write_row = gy_water_write_row,
    .window = gy_water_window,
    .derive = gy_water_derive,
    .written = gy_water_written,
    .changed = gy_water_changed,
    .check = gy_water_check,
    .add_source = gy_water_blob,
    .total = gy_water_total,
    .get_stats = gy_water_get_stats,
    .mesh_count = mesh_count,
    .mesh = mesh,
};

gyre_model *gyre_water_model(gyre_water *water)
{
    return &water->model;
}

size_t gyre_water_size(const gyre_water_def *def)
{
    return gy_water_bytes(def);
}

gyre_result gyre_water_create(gyre_device *device, const gyre_water_def *def, gyre_water **water)
{
    gyre_model *model = NULL;
    if (!water) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "create: a NULL argument");
    }
    gyre_result r = gy_water_make(device, def, &model);
    *water = (gyre_water *)model;
    return r;
}

void gyre_water_destroy(gyre_water *water)
{
    gyre_model_destroy(water ? &water->model : NULL);
}

gyre_result gyre_water_pool(gyre_device *device, const float *bed, int nx, int ny, float h,
                            float level, gyre_water **water)
{
    gyre_water_def def = gyre_water_default_def(2);
    def.grid.n[0] = nx;
    def.grid.n[1] = ny;
    def.grid.h = h;
    def.level = level;
    def.bed.data = (gyre_volume){bed, {nx, ny, 1}};
    def.bed.low = 0.0f;
    def.bed.high = 1.0f;
    if (!bed) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "pool: a NULL argument");
    }
    return gyre_water_create(device, &def, water);
}

gyre_result gyre_water_step(gyre_water *water, float dt)
{
    return gyre_model_step(water ? &water->model : NULL, dt);
}

gyre_result gyre_water_set(gyre_water *water, const char *path, gyre_value value)
{
    return gyre_model_set(water ? &water->model : NULL, path, &value);
}

gyre_result gyre_water_get(const gyre_water *water, const char *path, gyre_value *value)
{
    return gyre_model_get(water ? &water->model : NULL, path, value);
}

gyre_id gyre_water_add_body(gyre_water *water, const gyre_water_body *body)
{
    return gyre_model_add(water ? &water->model : NULL, "bodies", body);
}

gyre_id gyre_water_add_source(gyre_water *water, const gyre_water_source *source)
{
    return gyre_model_add(water ? &water->model : NULL, "sources", source);
}

gyre_result gyre_water_remove(gyre_water *water, gyre_id id)
{
    gyre_result r = GYRE_ERROR_ARGUMENT;
    for (int p = 0; water && p < water->model.pool_count; p++) {
        const gyre_property *pool = water->model.pools[p].property;
        const gyre_pool *list = (const void *)((const char *)water->def + pool->offset);
        for (int i = 0; i < list->count; i++) {
            if (water->model.pools[p].ids[i] == id) {
                return gyre_model_remove(&water->model, pool->name, id);
            }
        }
    }
    return gyre_fail(r, "remove: no element with id %llu", (unsigned long long)id);
}

gyre_result gyre_water_map(gyre_water *water, const char *field, gyre_field_view *view)
{
    int index = gyre_model_field(water ? &water->model : NULL, field);
    return index < 0 ? GYRE_ERROR_ARGUMENT : gyre_model_map(&water->model, index, view);
}

gyre_result gyre_water_unmap(gyre_water *water, const char *field)
{
    int index = gyre_model_field(water ? &water->model : NULL, field);
    return index < 0 ? GYRE_ERROR_ARGUMENT : gyre_model_unmap(&water->model, index);
}

gyre_water_stats gyre_water_get_stats(gyre_water *water)
{
    return *(const gyre_water_stats *)gy_water_get_stats(&water->model);
}

uint64_t gyre_water_hash(const gyre_water *water)
{
    return gyre_model_hash(&water->model);
}

static const gyre_water_body *find_body(const gyre_water *w, gyre_id id)
{
    const gyre_water_body *bodies = w->def->bodies.items;
    for (int b = 0; b < w->def->bodies.count; b++) {
        if (gyre_model_element(&w->model, "bodies", b) == id) {
            return &bodies[b];
        }
    }
    return NULL;
}

gyre_result gyre_water_report(const gyre_water *water, gyre_id id, gyre_body_report *report)
{
    const gyre_water_body *body = water && report ? find_body(water, id) : NULL;
    if (!body) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "report: no body with id %llu",
                         (unsigned long long)id);
    }
    gy_sea sea = gy_water_sea((gyre_water *)(uintptr_t)water);
    gy_body_report(water->body, &sea, body, report);
    return GYRE_OK;
}

gyre_result gyre_water_report_body(const gyre_water *water, const gyre_water_body *body,
                                   gyre_body_report *report)
{
    if (!water || !body || !report) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "report: a NULL argument");
    }
    gyre_result r = gy_body_check(body, "body");
    if (r == GYRE_OK) {
        gy_sea sea = gy_water_sea((gyre_water *)(uintptr_t)water);
        gy_body_report(water->body, &sea, body, report);
    }
    return r;
}
