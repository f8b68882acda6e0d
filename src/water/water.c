// water/water.c: the typed verbs of include/gyre/water.h, and water as a model among others.
#include "water/water.h"
#include "base/maths.h"
#include "grid/table.h"
#include "water/breaking.h"
#include "water/traces.h"
#include <string.h>

gyre_result gy_water_changed(gyre_model *model, const char *pool)
{
    gyre_water *w = (gyre_water *)model;
    gyre_result r = GYRE_OK;
    gy_water_entries_changed(w);
    w->stats_fresh = false;
    if (!pool) {
        r = gy_water_require(model->device, w->def);
        if (r != GYRE_OK) {
            return r;
        }
        gyre_grid now = gy_model_grid_at(model, model->place.moved);
        if (memcmp(now.origin, w->grid.origin, sizeof now.origin) != 0) {
            gy_water_find_place(w); // of a state that is loaded
            for (int tile = 0; tile < w->tiles.tn[0] * w->tiles.tn[1]; tile++) {
                w->live[tile] = w->tiles.slot[tile] >= 0 || gy_water_tile_live(w, tile);
            }
        }
        // A level, a speed, a layer's width: what is shut does not change, rules may.
        for (int slot = 0; slot < w->tiles.used; slot++) {
            gy_water_touch(w, slot);
        }
        r = gy_water_shape(w);
        gy_water_sea_stale(w);
        return r;
    }
    if (strcmp(pool, "edges") == 0 || strcmp(pool, "gates") == 0) {
        double before = gy_water_depths(w);
        for (int tile = 0; tile < w->tiles.tn[0] * w->tiles.tn[1]; tile++) {
            w->live[tile] = w->tiles.slot[tile] >= 0 || gy_water_tile_live(w, tile);
        }
        r = gy_water_shape(w);
        gy_water_sea_stale(w);
        gy_water_book(w, GY_LINE_EDITS, gy_water_depths(w) - before);
    } else if (strcmp(pool, "uplifts") == 0) {
        r = gy_water_check_digging(w);
    } else if (strcmp(pool, "bodies") == 0) {
        r = gy_water_bodies_changed(w);
        w->left = true; // what the last one has displaced comes back, too
    }
    return r;
}

#define STAT(...) GYRE_PROPERTY_STAT(gyre_water_stats, __VA_ARGS__)
static const gyre_property stats_properties[] = {
    STAT(step, "1", "steps taken"),
    STAT(time, "s", "simulated"),
    STAT(dt, "s", "of the step"),
    STAT(substeps, "1", "it was split into"),
    STAT(courant, "1", "largest c dt / h of a substep"),
    STAT(dropped, "s", "left out for want of substeps"),
    STAT(capped, "1", "velocities cut to the cap"),
    STAT(tiles, "1", "that have memory"),
    STAT(awake, "1", "that were stepped"),
    STAT(missing, "1", "that water would enter, had there been memory for them"),
    STAT(volume, "m^3", "of water"),
    STAT(ledger_error, "m^3", "volume less the sum of the ledger"),
    STAT(max_speed, "m/s", "largest velocity"),
    STAT(max_depth, "m", "deepest column"),
    STAT(kinetic_energy, "J", "of the flow"),
    STAT(potential_energy, "J", "of the water over its bed"),
    STAT(dust, "1", "points that float"),
    STAT(dust_lost, "1", "that are gone, so far"),
    STAT(dust_refused, "1", "that found no room or no wet place, so far"),
    STAT(fronts, "1", "steep ones that are followed"),
    STAT(fronts_merged, "1", "that ran into older ones, so far"),
    STAT(fronts_split, "1", "that came off others, so far"),
    STAT(fronts_refused, "1", "that found no room, so far"),
    STAT(air, "m^3", "of water in the air"),
    STAT(air_lost, "m^3", "of that, gone beyond open sides, so far"),
    STAT(patches, "1", "particles of sheets in the air"),
    STAT(patches_refused, "1", "whose water stayed for want of room, so far"),
    STAT(spray, "1", "drops in the air"),
    STAT(spray_refused, "1", "whose water stayed for want of room, so far"),
    STAT(foam, "1", "particles of foam and bubbles"),
    STAT(foam_refused, "1", "that found no room, so far"),
    STAT(turn_cut, "rad", "by which the Earth turned the step too little"),
    GYRE_PROPERTY_END,
};

static int mesh_count(const gyre_model *model)
{
    const gyre_water *w = (const gyre_water *)model;
    const gyre_water_gate *gates = w->def->gates.items;
    int count = w->def->bodies.count;
    for (int g = 0; g < w->def->gates.count; g++) {
        count += gates[g].enabled;
    }
    return count;
}

/// An upright board from one point to another.
static void board(const gyre_water_gate *gate, float thick, float low, float high, float *points)
{
    float along[2] = {gate->to[0] - gate->from[0], gate->to[1] - gate->from[1]};
    float length = gy_sqrtf(along[0] * along[0] + along[1] * along[1]);
    for (int q = 0; q < 8; q++) {
        const float *end = q & 1 ? gate->to : gate->from;
        float side = (q & 2 ? 0.5f : -0.5f) * thick / length;
        points[3 * q] = end[0] - side * along[1];
        points[3 * q + 1] = end[1] + side * along[0];
        points[3 * q + 2] = q & 4 ? high : low;
    }
}

/// A gate as it is seen: a sill up to its crest and a board from its lid to above the water.
static void gate_mesh(const gyre_water *w, const gyre_water_gate *gate, gyre_mesh *mesh)
{
    static const int32_t triangles[2 * 36] = {
        0, 2, 1,  1, 2,  3,  4,  5,  6,  5,  7,  6,  0, 1,  4,  1,  5,  4,  2,  6,  3,  3,  6,  7,
        0, 4, 2,  2, 4,  6,  1,  3,  5,  3,  7,  5,  8, 10, 9,  9,  10, 11, 12, 13, 14, 13, 15, 14,
        8, 9, 12, 9, 13, 12, 10, 14, 11, 11, 14, 15, 8, 12, 10, 10, 12, 14, 9,  11, 13, 11, 15, 13};
    float *points = (float *)(uintptr_t)w->gate_points;
    float low = 1e6f, top = -1e6f, h = w->grid.h;
    for (int k = 0; k <= 64; k++) {
        float f = (float)k / 64.0f, at[2];
        gyre_water_sample sample;
        for (int side = -1; side <= 1; side += 2) {
            for (int a = 0; a < 2; a++) {
                float along = gate->to[1 - a] - gate->from[1 - a];
                at[a] = gate->from[a] + f * (gate->to[a] - gate->from[a]) +
                        (along > 0.0f   ? h
                         : along < 0.0f ? -h
                                        : 0.0f) *
                            (float)side;
            }
            if (gyre_water_query(w, at, 1, &sample) == GYRE_OK) {
                low = GY_MIN(low, sample.height - sample.depth);
                top = GY_MAX(top, sample.height);
            }
        }
    }
    top += 0.05f * (top - low) + h;
    float crest = GY_MIN(GY_MAX(gate->crest, low - h), top), lid = GY_MAX(gate->lid, crest);
    board(gate, 0.5f * h, low - h, crest, points);
    // A weir without a lid has no board over it.
    bool has_lid = lid < top;
    board(gate, 0.5f * h, has_lid ? lid : crest, has_lid ? top : crest, points + 24);
    *mesh = (gyre_mesh){points, 16, triangles, 24};
}

static gyre_result mesh(const gyre_model *model, int index, gyre_mesh *mesh)
{
    const gyre_water *w = (const gyre_water *)model;
    const gyre_water_gate *gates = w->def->gates.items;
    int left = index - w->def->bodies.count;
    for (int g = 0; g < w->def->gates.count && left >= 0; g++) {
        if (gates[g].enabled && left-- == 0) {
            gate_mesh(w, &gates[g], mesh);
            return GYRE_OK;
        }
    }
    return gy_bodies_mesh(w->body, &w->def->bodies, index, mesh);
}

/// Windows are apart from the tiles; what reads those finds them up to date.
static void fetch(const gyre_model *model, int field)
{
    (void)field;
    gy_water_fetch((const gyre_water *)model);
}

/// The sea is that of the time that a load has brought.
static void regain(gyre_model *model)
{
    gyre_water *w = (gyre_water *)model;
    gy_breaking_regain(w);
    if (w->sea) {
        gy_water_sea_refresh(w); // what fails here the next step tells
        gy_snapshots_publish(w);
    }
    gy_traces_cover(w); // particles come back with the rest
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
    .map = gy_water_map,
    .unmap = gy_water_unmap,
    .read_row = gy_water_read_row,
    .write_row = gy_water_write_row,
    .shared_rows = gy_water_shared_rows,
    .read_sample = gy_water_read_sample,
    .cutout = gy_water_cutout,
    .around = gy_water_around,
    .clear = gy_water_is_clear,
    .holds = gy_water_holds,
    .shut = gy_water_is_shut,
    .window = gy_water_window,
    .fetch = fetch,
    .gather = gy_water_gather,
    .derive = gy_water_derive,
    .written = gy_water_written,
    .changed = gy_water_changed,
    .shift = gy_water_shift,
    .check = gy_water_check,
    .splat = gy_water_splat,
    .total = gy_water_total,
    .extra_parts = gy_water_extra_parts,
    .copy_more = gy_nest_copy_more,
    .get_stats = gy_water_get_stats,
    .regain = regain,
    .report = gy_water_report,
    .use_bodies = gy_water_use_bodies,
    .meet_bodies = gy_water_meet_bodies,
    .body_mesh = gy_water_body_mesh,
    .texture = gy_traces_tell,
    .mesh_count = mesh_count,
    .mesh = mesh,
    .overhang = gy_water_overhang,
};

gyre_model *gyre_water_model(gyre_water *water)
{
    return GY_MISSING("model", water) ? NULL : &water->model;
}

gyre_water *gyre_water_of(gyre_model *model)
{
    if (GY_MISSING("water_of", model)) {
        return NULL;
    }
    if (model->type != &gy_water_type) {
        gyre_fail(GYRE_ERROR_ARGUMENT, "water_of: the model is of type \"%s\", expected \"water\"",
                  model->type->name);
        return NULL;
    }
    return (gyre_water *)model;
}

size_t gyre_water_size(const gyre_water_def *def)
{
    return GY_MISSING("size", def) ? 0 : gy_water_bytes(def);
}

gyre_result gyre_water_create(gyre_device *device, const gyre_water_def *def, gyre_water **water)
{
    gyre_model *model = NULL;
    if (GY_MISSING("create", water)) {
        return GYRE_ERROR_ARGUMENT;
    }
    gyre_result r = gy_model_create(&gy_water_type, device, def, &model);
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
    def.bed.data = (gyre_volume){bed, {nx, ny, 1}, NULL};
    if (GY_MISSING("pool", bed)) {
        return GYRE_ERROR_ARGUMENT;
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

/// What is done to the elements of a pool.
#define ELEMENT(name, pool)                                                                        \
    gyre_id gyre_water_add_##name(gyre_water *water, const gyre_water_##name *name)                \
    {                                                                                              \
        return gyre_model_add(water ? &water->model : NULL, pool, name);                           \
    }                                                                                              \
    gyre_result gyre_water_update_##name(gyre_water *water, gyre_id id,                            \
                                         const gyre_water_##name *name)                            \
    {                                                                                              \
        return gy_model_update_in(water ? &water->model : NULL, pool, id, name);                   \
    }                                                                                              \
    gyre_result gyre_water_read_##name(const gyre_water *water, gyre_id id,                        \
                                       gyre_water_##name *name)                                    \
    {                                                                                              \
        return gy_model_read_in(water ? &water->model : NULL, pool, id, name);                     \
    }
ELEMENT(edge, "edges")
ELEMENT(gate, "gates")
ELEMENT(source, "sources")
ELEMENT(uplift, "uplifts")
ELEMENT(body, "bodies")

gyre_result gyre_water_remove(gyre_water *water, gyre_id id)
{
    return gyre_model_remove(water ? &water->model : NULL, id);
}

gyre_result gyre_water_splat(gyre_water *water, int field, const float centre[3], float radius,
                             float amount)
{
    return gyre_model_splat(water ? &water->model : NULL, field, centre, radius, amount);
}

gyre_result gyre_water_probe(const gyre_water *water, int field, const float *points, int count,
                             float *values)
{
    return gyre_model_probe(water ? &water->model : NULL, field, points, count, values);
}

const gyre_field_info *gyre_water_fields(const gyre_water *water, int *count)
{
    return gyre_model_fields(water ? &water->model : NULL, count);
}

int gyre_water_field(const gyre_water *water, const char *name)
{
    return gyre_model_field(water ? &water->model : NULL, name);
}

gyre_result gyre_water_map(gyre_water *water, int field, gyre_access access, gyre_field_view *view)
{
    return gyre_model_map(water ? &water->model : NULL, field, access, view);
}

gyre_result gyre_water_unmap(gyre_water *water, int field)
{
    return gyre_model_unmap(water ? &water->model : NULL, field);
}

void gyre_water_read_stats(gyre_water *water, gyre_water_stats *stats, size_t size)
{
    const void *own = NULL;
    static const gyre_water_stats none;
    if (GY_MISSING("water_read_stats", stats)) {
        return;
    }
    gyre_model_stats(water ? &water->model : NULL, &own);
    gy_copy_sized(stats, size, own ? own : &none, sizeof none);
}

uint64_t gyre_water_hash(const gyre_water *water)
{
    return gyre_model_hash(water ? &water->model : NULL);
}

size_t gyre_water_save_size(const gyre_water *water)
{
    return gyre_model_save_size(water ? &water->model : NULL);
}

gyre_result gyre_water_save(const gyre_water *water, void *memory, size_t size, size_t *written)
{
    return gyre_model_save(water ? &water->model : NULL, memory, size, written);
}

gyre_result gyre_water_load(gyre_water *water, const void *memory, size_t size)
{
    return gyre_model_load(water ? &water->model : NULL, memory, size);
}

static void ask(const gyre_water *water, const gyre_water_body *body, gyre_body_report *report)
{
    gy_device_enter(water->model.device);
    gy_water_fetch(water);
    gy_water_surface surf = gy_water_surface_of((gyre_water *)(uintptr_t)water);
    gy_body_report(water->body, &surf, body, report);
    gy_device_leave(water->model.device);
}

gyre_result gyre_water_report(const gyre_water *water, gyre_id id, gyre_body_report *report)
{
    if (GY_MISSING("report", water) || GY_MISSING("report", report)) {
        return GYRE_ERROR_ARGUMENT;
    }
    int p, index;
    gyre_result r = gy_model_locate(&water->model, "report", "bodies", id, &p, &index);
    if (r == GYRE_OK) {
        ask(water, (const gyre_water_body *)water->def->bodies.items + index, report);
    }
    return r;
}

gyre_result gyre_water_report_body(const gyre_water *water, const gyre_water_body *body,
                                   gyre_body_report *report)
{
    if (GY_MISSING("report", water) || GY_MISSING("report", body) || GY_MISSING("report", report)) {
        return GYRE_ERROR_ARGUMENT;
    }
    gyre_result r = gy_body_check(body, "body");
    if (r == GYRE_OK) {
        ask(water, body, report);
    }
    return r;
}
