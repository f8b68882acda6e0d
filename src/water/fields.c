// water/fields.c: fields as others see them: dense windows that are gathered from tiles when they
// are mapped and given back when they are unmapped.
#include "base/maths.h"
#include "base/simd.h"
#include "water/traces.h"
#include <string.h>

void gy_water_name_fields(gyre_water *w)
{
    bool wave = w->def->mode == GYRE_WATER_WAVE;
    const gyre_field_info fields[GY_FIELD_STATES] = {
        {wave ? "height" : "depth", "m", GYRE_CENTRE, wave ? GYRE_VIEW_SIGNED : GYRE_VIEW_DENSITY,
         false, !wave,
         wave ? "of the surface over its level at rest" : "of water, what bodies displace included",
         GYRE_ROLE_AMOUNT},
        {"discharge_x", "m^2/s", wave ? GYRE_FACE_X : GYRE_CENTRE, GYRE_VIEW_SIGNED, false, false,
         "what flows along x per metre of width", GYRE_ROLE_NONE},
        {"discharge_y", "m^2/s", wave ? GYRE_FACE_Y : GYRE_CENTRE, GYRE_VIEW_SIGNED, false, false,
         "what flows along y per metre of width", GYRE_ROLE_NONE},
        {"bed", "m", GYRE_CENTRE, GYRE_VIEW_BED, false, false, "height of the ground",
         GYRE_ROLE_BED},
        {"displaced", "m", GYRE_CENTRE, GYRE_VIEW_DENSITY, false, false,
         "depth that bodies take up", GYRE_ROLE_NONE},
    };
    memcpy(w->fields, fields, sizeof fields);
    memcpy(w->fields + GY_FIELD_STATES, gy_water_derived_list, sizeof gy_water_derived_list);
    w->model.fields = w->fields;
    w->model.field_count = GY_FIELDS;
}

/// Where a slot's samples of a field begin.
static float *samples_in(const gyre_water *w, int field, int slot)
{
    if (field > GY_FIELD_QY) {
        int array = field == GY_FIELD_BED ? GY_WATER_BED : GY_WATER_DISPLACED;
        return gy_tile_array(&w->tiles, slot, array);
    }
    return gy_tile_array(&w->tiles, slot, w->tiles.current[slot] * GY_WATER_STATE + field);
}

/// A sample of a field that is kept in tiles. The faces of mode wave's high sides are kept apart.
static float *find(const gyre_water *w, int field, int i, int j, bool edit)
{
    const int *n = w->tiles.n;
    int place;
    if (i == n[0] || j == n[1]) {
        int axis = i == n[0] ? 0 : 1;
        const gyre_water_side *sides = &w->def->sides.x_low;
        if (sides[2 * axis].rule != GYRE_WATER_PERIODIC) {
            return &w->high_q[axis][axis ? i : j];
        }
        i %= n[0];
        j %= n[1];
    }
    int slot = gy_tiles_find(&w->tiles, i, j, &place);
    if (slot < 0) {
        return NULL;
    }
    if (edit) {
        w->tiles.edited[slot] = GY_TILE_EDITED;
    }
    return samples_in(w, field, slot) + place;
}

const float *gy_water_sample(const gyre_water *w, int field, int i, int j)
{
    return find(w, field, i, j, false);
}

static void samples(const gyre_water *w, int field, int n[3])
{
    gyre_grid_samples(&w->grid, w->model.fields[field].location, n);
}

/// A call of memcpy costs as much again.
GY_INLINE void copy_tile_row(float *to, const float *from)
{
    for (int i = 0; i < GY_WATER_TILE; i += VW) {
        gy_store(to + i, gy_load(from + i));
    }
}

void gy_water_read_row(const gyre_model *model, int field, int j, int k, float *row)
{
    const gyre_water *w = (const gyre_water *)model;
    int n[3];
    (void)k;
    if (gy_is_trace(field)) {
        memcpy(row, gy_trace_of(w, field) + (ptrdiff_t)w->tiles.n[0] * j,
               sizeof *row * (size_t)w->tiles.n[0]);
        return;
    }
    gy_water_fetch(w);
    samples(w, field, n);
    // Tile by tile: a row of one lies together; the faces of high sides are apart.
    for (int i = 0, run; i < n[0]; i += run) {
        bool inside = i < w->tiles.n[0] && j < w->tiles.n[1];
        int left = GY_MIN(GY_WATER_TILE, w->tiles.n[0] - i);
        const float *at = gy_water_sample(w, field, i, j);
        run = inside ? left : 1;
        if (at && run == GY_WATER_TILE) {
            copy_tile_row(row + i, at);
            continue;
        }
        if (at) {
            memcpy(row + i, at, sizeof *row * (size_t)run);
            continue;
        }
        for (int q = i; q < i + run; q++) {
            row[q] = field == GY_FIELD_BED ? gy_water_bed_at(w, q, j) : 0.0f;
        }
    }
}

static float held(float x, float most)
{
    return x > most ? most : x < -most ? -most : x;
}

/// What a field may hold: depths are not negative, and lie on the quantum where water is exact.
static float fit(const gyre_water *w, int field, float x)
{
    bool wave = w->def->mode == GYRE_WATER_WAVE;
    if (field == GY_FIELD_DEPTH && !wave) {
        x = GY_MAX(x, 0.0f);
    }
    x = held(x, field == GY_FIELD_QX || field == GY_FIELD_QY ? 1e8f : 1e5f);
    bool exact = w->def->exact && (field == GY_FIELD_DEPTH || field == GY_FIELD_DISPLACED);
    return exact ? gy_water_round(w, (double)x) : x;
}

/// Writes one sample; its tile gets memory where it needs some. Returns whether it is another now.
/// `given`: by somebody who may give what a field must not hold; else it is what a field held, and
/// a load brings it.
static bool put_sample(gyre_water *w, int field, int i, int j, float x, bool given)
{
    float *at = find(w, field, i, j, false);
    float plain = field == GY_FIELD_BED ? gy_water_bed_at(w, i, j) : 0.0f;
    if (!at && x != plain && i < w->tiles.n[0] && j < w->tiles.n[1]) {
        int tile = (i >> GY_TILE_SHIFT) + w->tiles.tn[0] * (j >> GY_TILE_SHIFT);
        at = gy_water_slot(w, tile) >= 0 ? find(w, field, i, j, false) : NULL;
    }
    if (!at) {
        return false;
    }
    float old = *at;
    *at = given ? fit(w, field, x) : x;
    if (field == GY_FIELD_DEPTH && *at != old && given) {
        gy_water_note_edit(w, i, j, (double)*at - (double)old);
    }
    if (memcmp(at, &old, sizeof old) == 0) {
        return false;
    }
    find(w, field, i, j, true); // marks its tile: others need not go to the device
    return true;
}

void gy_water_write_row(gyre_model *model, int field, int j, int k, const float *row)
{
    gyre_water *w = (gyre_water *)model;
    int n[3];
    (void)k;
    if (gy_is_trace(field)) {
        memcpy(gy_trace_of(w, field) + (ptrdiff_t)w->tiles.n[0] * j, row,
               sizeof *row * (size_t)w->tiles.n[0]);
        return;
    }
    samples(w, field, n);
    for (int i = 0, run; i < n[0]; i += run) {
        int place, slot = -1, left = GY_MIN(GY_WATER_TILE, w->tiles.n[0] - i);
        run = i < w->tiles.n[0] && j < w->tiles.n[1] ? left : 1;
        if (run == left) {
            slot = gy_tiles_find(&w->tiles, i, j, &place);
        }
        if (slot < 0) {
            for (int q = i; q < i + run; q++) {
                put_sample(w, field, q, j, row[q], false);
            }
            continue;
        }
        float *at = samples_in(w, field, slot) + place;
        size_t bytes = sizeof *row * (size_t)run;
        if (w->device.is && memcmp(at, row + i, bytes) == 0) {
            continue; // its tile need not go to the device
        }
        if (run == GY_WATER_TILE) {
            copy_tile_row(at, row + i);
        } else {
            memcpy(at, row + i, bytes);
        }
        if (w->device.is) {
            w->tiles.edited[slot] = GY_TILE_EDITED; // else gy_water_written: threads share slots
        }
    }
}

int gy_water_shared_rows(const gyre_model *model, int field, bool out)
{
    const gyre_water *w = (const gyre_water *)model;
    int n[3], tiles = w->tiles.tn[0] * w->tiles.tn[1];
    samples(w, field, n);
    if (w->device.is) {
        return 0;
    }
    if (gy_is_trace(field)) {
        return n[1];
    }
    // A tile that gets memory takes the next: in an order that threads must not decide. The row of
    // faces beyond the tiles is the first one's again where sides are periodic.
    return out ? n[1] : w->tiles.used == tiles ? GY_MIN(n[1], w->tiles.n[1]) : 0;
}

gyre_result gy_water_map(gyre_model *model, int field)
{
    gyre_water *w = (gyre_water *)model;
    int n[3];
    if (gy_is_trace(field)) {
        return GYRE_OK; // its window is itself
    }
    samples(w, field, n);
    gyre_result r = gy_list_reserve(w, &w->stage[field], n[0] * n[1], sizeof(float));
    float *to = w->stage[field].items;
    for (int j = 0; j < n[1] && r == GYRE_OK && field < GY_FIELD_STATES; j++) {
        gy_water_read_row(model, field, j, 0, to + (ptrdiff_t)j * n[0]);
    }
    return r;
}

/// Takes what was written into row j back, and wakes the tiles that it is in: a sample that is as
/// it was is left alone, whatever a written one has to be. (What somebody has written to the bed
/// lies on the quantum; a wall's top or ground that has been lifted need not.)
static void take_row(gyre_water *w, int field, int j, const float *row)
{
    int n[3];
    samples(w, field, n);
    for (int i = 0; i < n[0]; i++) {
        const float *at = gy_water_sample(w, field, i, j);
        float x = row[i], is = at ? *at : field == GY_FIELD_BED ? gy_water_bed_at(w, i, j) : 0.0f;
        if (memcmp(&is, &x, sizeof x) == 0) {
            continue;
        }
        if (field == GY_FIELD_BED) {
            x = gy_water_round(w, (double)held(x, 1e5f));
        }
        if (put_sample(w, field, i, j, x, true)) {
            // The faces of high sides are the last cells'.
            int place, a = GY_MIN(i, w->tiles.n[0] - 1), b = GY_MIN(j, w->tiles.n[1] - 1);
            int slot = gy_tiles_find(&w->tiles, a, b, &place);
            if (slot >= 0) {
                gy_water_touch(w, slot);
            }
        }
    }
}

gyre_result gy_water_unmap(gyre_model *model, int field)
{
    gyre_water *w = (gyre_water *)model;
    if (gy_is_trace(field)) {
        gy_trace_hold(w, field);
        return GYRE_OK;
    }
    double before = gy_water_depths(w);
    const float *from = w->stage[field].items;
    if (field == GY_FIELD_BED) {
        gy_water_sea_stale(w);
    }
    bool deep = w->def->mode != GYRE_WATER_WAVE && field == GY_FIELD_DEPTH;
    int n[3];
    samples(w, field, n);
    int64_t below = 0;
    for (int j = 0; j < n[1]; j++) {
        const float *row = from + (ptrdiff_t)j * n[0];
        for (int i = 0; i < n[0] && deep; i++) {
            below += row[i] < 0.0f;
        }
        take_row(w, field, j, row);
    }
    gy_water_book(w, GY_LINE_EDITS, gy_water_depths(w) - before);
    if (field == GY_FIELD_BED && w->def->mode == GYRE_WATER_WAVE && !gy_water_outline_is(w)) {
        return gy_water_outline(w);
    }
    if (below) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "depth: %lld samples were below 0 and are 0 now",
                         (long long)below);
    }
    return GYRE_OK;
}

void gy_water_window(const gyre_model *model, int field, gyre_field_view *view)
{
    const gyre_water *w = (const gyre_water *)model;
    samples(w, field, view->n);
    view->data = gy_is_trace(field) ? gy_trace_of(w, field) : w->stage[field].items;
    view->stride[0] = 1;
    view->stride[1] = view->n[0];
    view->stride[2] = (ptrdiff_t)view->n[0] * view->n[1];
    view->location = w->model.fields[field].location;
    view->grid = w->grid;
}

float gy_water_read_sample(const gyre_model *model, int field, int i, int j, int k)
{
    const gyre_water *w = (const gyre_water *)model;
    (void)k;
    if (gy_is_trace(field)) {
        return gy_trace_of(w, field)[i + (ptrdiff_t)j * w->tiles.n[0]];
    }
    if (field >= GY_FIELD_STATES) {
        return gy_water_derived(w, field, i, j);
    }
    const float *at = gy_water_sample(w, field, i, j);
    return at ? *at : field == GY_FIELD_BED ? gy_water_bed_at(w, i, j) : 0.0f;
}

bool gy_water_cutout(const gyre_model *model, int field, int i, int j, gy_cutout *cutout)
{
    const gyre_water *w = (const gyre_water *)model;
    const gy_tiles *t = &w->tiles;
    int place, slot = -1;
    if (field < GY_FIELD_STATES && i < t->n[0] && j < t->n[1]) {
        slot = gy_tiles_find(t, i, j, &place);
    }
    if (slot < 0) {
        return false;
    }
    cutout->stride = GY_WATER_TILE;
    cutout->low[0] = i & ~GY_TILE_MASK;
    cutout->low[1] = j & ~GY_TILE_MASK;
    for (int a = 0; a < 2; a++) {
        cutout->high[a] = GY_MIN(cutout->low[a] + GY_WATER_TILE, t->n[a]);
    }
    cutout->data = find(w, field, cutout->low[0], cutout->low[1], false);
    return true;
}

void gy_water_written(gyre_model *model, int field)
{
    gyre_water *w = (gyre_water *)model;
    if (gy_is_trace(field)) {
        return;
    }
    if (field == GY_FIELD_DEPTH && w->edited.items) {
        memset(w->edited.items, 0, w->edited.bytes); // what a load brings is nobody's edit
    }
    if (model->loads && w->nest) {
        gy_nest_forget(w);
    }
    for (int slot = 0; slot < w->tiles.used; slot++) {
        w->tiles.edited[slot] |= w->device.is ? 0 : GY_TILE_EDITED;
        gy_water_touch(w, slot);
    }
    if (field == GY_FIELD_BED && w->def->mode == GYRE_WATER_WAVE && !gy_water_outline_is(w)) {
        gy_water_shape(w); // no list grows: those of a saved state were there
    }
    w->stats_fresh = false;
}

gyre_result gy_water_splat(gyre_model *model, int field, const float at[3], float radius,
                           float amount)
{
    gyre_water *w = (gyre_water *)model;
    const gyre_grid *g = &w->grid;
    int n[3], low[2], high[2];
    if (gy_is_trace(field)) {
        gy_trace_splat(w, field, at, radius, amount);
        return GYRE_OK;
    }
    double before = gy_water_depths(w);
    if (field == GY_FIELD_BED) {
        gy_water_sea_stale(w);
    }
    samples(w, field, n);
    for (int a = 0; a < 2; a++) {
        double c = ((double)at[a] - (double)g->origin[a]) / (double)g->h;
        double r = (double)radius / (double)g->h + 1.0, bottom = c - r, top = c + r;
        low[a] = bottom < 0.0 ? 0 : bottom > n[a] ? n[a] : (int)bottom;
        high[a] = top < 0.0 ? 0 : top > n[a] ? n[a] : (int)top;
    }
    for (int j = low[1]; j < high[1]; j++) {
        for (int i = low[0]; i < high[0]; i++) {
            float point[3], *sample;
            int place, slot;
            gyre_grid_position(g, w->fields[field].location, i, j, 0, point);
            double x = ((double)point[0] - (double)at[0]) / (double)radius;
            double y = ((double)point[1] - (double)at[1]) / (double)radius;
            double square = x * x + y * y;
            if (square >= 1.0 || i >= w->tiles.n[0] || j >= w->tiles.n[1]) {
                continue;
            }
            gy_water_slot(w, (i >> GY_TILE_SHIFT) + w->tiles.tn[0] * (j >> GY_TILE_SHIFT));
            slot = gy_tiles_find(&w->tiles, i, j, &place);
            if (slot < 0 || (gy_tile_flags(&w->tiles, slot)[place] & GY_CELL_OUT)) {
                continue;
            }
            sample = find(w, field, i, j, true);
            float more = amount * (float)((1.0 - square) * (1.0 - square));
            float old = *sample;
            *sample = fit(w, field, old + held(more, 1e6f));
            if (field == GY_FIELD_DEPTH) {
                gy_water_note_edit(w, i, j, (double)*sample - (double)old);
            }
            gy_water_touch(w, slot);
        }
    }
    gy_water_book(w, GY_LINE_EDITS, gy_water_depths(w) - before);
    w->stats_fresh = false;
    bool land = field == GY_FIELD_BED && w->def->mode == GYRE_WATER_WAVE;
    return land && !gy_water_outline_is(w) ? gy_water_outline(w) : GYRE_OK;
}

double gy_water_total(const gyre_model *model, int field)
{
    const gyre_water *w = (const gyre_water *)model;
    double sum = 0.0, h = (double)w->grid.h;
    if (field >= GY_FIELD_STATES) {
        return 0.0;
    }
    gy_water_fetch(w);
    for (int j = 0; j < w->tiles.n[1]; j++) {
        for (int i = 0; i < w->tiles.n[0]; i++) {
            int place, slot = gy_tiles_find(&w->tiles, i, j, &place);
            if (slot >= 0 && !(gy_tile_flags(&w->tiles, slot)[place] & GY_CELL_OUT)) {
                sum += (double)*gy_water_sample(w, field, i, j);
            }
        }
    }
    return sum * h * h;
}
