// gas/sheets.c: walls without thickness. Each enabled sheet is put into the world by its pose, its
// corners are rounded to 2^-12 of a cell, and the faces that it crosses (shape/cross.h) are shut:
// their openness is 0, with gas on both sides. What solids leave of those faces is kept, so that a
// sheet that moves or goes gives back what it has taken.
//
// Memory: 10 bytes for each face that is shut, 24 for each point, none where there is no sheet. A
// sheet whose corners lie where they were is not looked at again.
#include "gas/sheets.h"
#include "base/pose.h"
#include "shape/thin.h"
#include <stdio.h>
#include <string.h>

enum {
    MOST_POINTS = 1 << 24,
    MOST_LENGTHS = 64 // of a periodic axis that a sheet may go along
};
#define MOST_CELLS (1 << 27) // that it may be away

static const gyre_gas_sheet *def_of(const gyre_gas_def *def)
{
    return def->sheets.items;
}

bool gy_gas_wants_sheets(const gyre_gas_def *def)
{
    bool wants = false;
    for (int i = 0; i < def->sheets.count; i++) {
        wants = wants || def_of(def)[i].enabled;
    }
    return wants;
}

// ---- what a sheet is made of --------------------------------------------------------------------

static int64_t rows_of(const gyre_volume *v)
{
    return v->data ? (int64_t)v->n[1] * v->n[2] : 0;
}

static int64_t point_count(const gyre_gas_sheet *s)
{
    switch (s->form.kind) {
    case GYRE_GAS_SHEET_LINE:
        return 2;
    case GYRE_GAS_SHEET_PANEL:
        return 4;
    case GYRE_GAS_SHEET_PATH:
        return rows_of(&s->form.as.path.points);
    default:
        return rows_of(&s->form.as.mesh.points);
    }
}

static void own_point(const gyre_gas_sheet *s, int64_t i, double p[3])
{
    const struct gyre_gas_sheet_panel *panel = &s->form.as.panel;
    const gyre_volume *v =
        s->form.kind == GYRE_GAS_SHEET_PATH ? &s->form.as.path.points : &s->form.as.mesh.points;
    for (int a = 0; a < 3; a++) {
        if (s->form.kind == GYRE_GAS_SHEET_LINE) {
            p[a] = (double)(i ? s->form.as.line.to : s->form.as.line.from)[a];
        } else if (s->form.kind == GYRE_GAS_SHEET_PANEL) {
            p[a] = (double)panel->corner[a] + (i & 1 ? (double)panel->along[a] : 0.0) +
                   (i & 2 ? (double)panel->across[a] : 0.0);
        } else {
            p[a] = a < v->n[0] ? (double)v->data[i * v->n[0] + a] : 0.0;
        }
    }
}

static int64_t facet_count(const gyre_gas_sheet *s)
{
    switch (s->form.kind) {
    case GYRE_GAS_SHEET_LINE:
        return 1;
    case GYRE_GAS_SHEET_PANEL:
        return 2;
    case GYRE_GAS_SHEET_PATH:
        return point_count(s) - !s->form.as.path.closed;
    default:
        return rows_of(&s->form.as.mesh.triangles);
    }
}

/// The points of a facet.
static void facet_at(const gyre_gas_sheet *s, int64_t f, int64_t points[3])
{
    const gyre_volume *t = &s->form.as.mesh.triangles;
    points[0] = f;
    points[1] = f + 1 == point_count(s) ? 0 : f + 1;
    points[2] = 0;
    if (s->form.kind == GYRE_GAS_SHEET_PANEL) {
        points[0] = f ? 3 : 0;
        points[1] = f ? 2 : 1;
        points[2] = f ? 1 : 2;
    }
    for (int q = 0; q < 3 && s->form.kind == GYRE_GAS_SHEET_MESH; q++) {
        points[q] = (int64_t)t->data[3 * f + q];
    }
}

// ---- checks -------------------------------------------------------------------------------------

static gyre_result wrong(int i, const char *what, const char *why)
{
    return gyre_fail(GYRE_ERROR_ARGUMENT, "sheets.%d.form.%s: %s", i, what, why);
}

static gyre_result check_form(const gyre_gas_sheet *s, int i, int dim)
{
    static const char *const names[] = {"line", "panel", "path", "mesh"};
    bool flat = s->form.kind == GYRE_GAS_SHEET_LINE || s->form.kind == GYRE_GAS_SHEET_PATH;
    if (flat != (!gy_is_3d(dim))) {
        return wrong(i, names[s->form.kind],
                     !gy_is_3d(dim) ? "is a surface; a sheet in 2D is a line or a path"
                                    : "is a line; a sheet in 3D is a panel or a mesh");
    }
    if (s->form.kind == GYRE_GAS_SHEET_PATH) {
        const gyre_volume *v = &s->form.as.path.points;
        return v->data && (v->n[0] == 2 || v->n[0] == 3) && rows_of(v) >= 2 &&
                       rows_of(v) <= MOST_POINTS
                   ? GYRE_OK
                   : wrong(i, "path.points",
                           "must hold two or three numbers each of 2 to 2^24 points, n[0] being 2 "
                           "or 3");
    }
    if (s->form.kind != GYRE_GAS_SHEET_MESH) {
        return GYRE_OK;
    }
    const gyre_volume *v = &s->form.as.mesh.points, *t = &s->form.as.mesh.triangles;
    if (!v->data || v->n[0] != 3 || rows_of(v) < 3 || rows_of(v) > MOST_POINTS) {
        return wrong(i, "mesh.points",
                     "must hold three numbers each of 3 to 2^24 points, n[0] being 3");
    }
    if (!t->data || t->n[0] != 3 || rows_of(t) < 1 || rows_of(t) > MOST_POINTS) {
        return wrong(i, "mesh.triangles",
                     "must hold three indices each of 1 to 2^24 triangles, n[0] being 3");
    }
    for (int64_t q = 0; q < 3 * rows_of(t); q++) {
        float x = t->data[q];
        if (!(x >= 0.0f && x < (float)rows_of(v)) || (float)(int32_t)x != x) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "sheets.%d.form.mesh.triangles: triangle %lld has the point %g, "
                             "expected a whole number from 0 to %lld",
                             i, (long long)(q / 3), (double)x, (long long)rows_of(v) - 1);
        }
    }
    return GYRE_OK;
}

/// A point in cells from a grid's corner.
static void place_point(const gyre_gas_sheet *s, const gy_pose *pose, const gyre_grid *g, int64_t i,
                        double cells[3])
{
    double own[3], world[3];
    own_point(s, i, own);
    gy_pose_apply(pose, own, world);
    for (int a = 0; a < 3; a++) {
        cells[a] = a < g->dim ? (world[a] - (double)g->origin[a]) / (double)g->h : 0.0;
    }
}

static gy_pose pose_of(const gyre_gas_sheet *s, int dim)
{
    gyre_pose flat = s->pose;
    gy_pose pose;
    if (!gy_is_3d(dim)) {
        flat.rotation[0] = flat.rotation[1] = flat.position[2] = 0.0f;
    }
    gy_pose_of(&flat, &pose);
    return pose;
}

static gyre_result check_points(const gyre_gas_def *def, const gyre_gas_sheet *s, int i)
{
    const gyre_gas_side *sides = &def->sides.x_low;
    gy_pose pose = pose_of(s, def->grid.dim);
    double low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    for (int64_t q = 0; q < point_count(s); q++) {
        double p[3];
        place_point(s, &pose, &def->grid, q, p);
        for (int a = 0; a < def->grid.dim; a++) {
            if (!(p[a] > -MOST_CELLS && p[a] < MOST_CELLS)) {
                return gyre_fail(
                    GYRE_ERROR_ARGUMENT,
                    "sheets.%d.form: point %lld is not finite, or more than 2^27 cells "
                    "away",
                    i, (long long)q);
            }
            low[a] = q ? GY_MIN(low[a], p[a]) : p[a];
            high[a] = q ? GY_MAX(high[a], p[a]) : p[a];
        }
    }
    for (int a = 0; a < def->grid.dim; a++) {
        if (sides[2 * a].rule == GYRE_GAS_SIDE_PERIODIC &&
            high[a] - low[a] > (double)MOST_LENGTHS * def->grid.n[a]) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "sheets.%d.form: goes %d times and more round the periodic axis %c", i,
                             MOST_LENGTHS, "xyz"[a]);
        }
    }
    return GYRE_OK;
}

/// Whether its velocity or spin says that a sheet moves.
static bool moves(const gyre_gas_sheet *s, int dim)
{
    const gyre_pose *p = &s->pose;
    bool moves = p->spin[2] != 0.0f;
    for (int a = 0; a < 3; a++) {
        moves =
            moves || (a < dim && p->velocity[a] != 0.0f) || (gy_is_3d(dim) && p->spin[a] != 0.0f);
    }
    return moves;
}

gyre_result gy_gas_check_sheets(const gyre_gas_def *def)
{
    const gyre_gas_sheet *s = def_of(def);
    gyre_result r = GYRE_OK;
    for (int i = 0; i < def->sheets.count && r == GYRE_OK; i++) {
        char path[48];
        snprintf(path, sizeof path, "sheets.%d", i);
        r = gy_pose_check(&s[i].pose, def->grid.dim, path);
        r = r == GYRE_OK ? check_form(&s[i], i, def->grid.dim) : r;
        r = r == GYRE_OK ? check_points(def, &s[i], i) : r;
    }
    return r;
}

// ---- the faces ----------------------------------------------------------------------------------

static gyre_result lacks(size_t bytes)
{
    return gyre_fail(GYRE_ERROR_MEMORY, "out of memory: %zu bytes for sheets", bytes);
}

void *gy_sheets_more(gyre_gas *gas, void *items, int64_t *room, int64_t count, size_t size)
{
    void *more = gy_allocate(&gas->host, (size_t)count * size, 64);
    if (more) {
        memset(more, 0, (size_t)count * size);
        if (items) {
            memcpy(more, items, (size_t)*room * size);
        }
        gy_release(&gas->host, items, (size_t)*room * size);
        *room = count;
    }
    return more;
}

static gyre_result take_sheets(gyre_gas *gas)
{
    int count = gas->def->sheets.count;
    if (!gas->sheets) {
        gas->sheets = gy_allocate(&gas->host, sizeof *gas->sheets, 64);
        if (!gas->sheets) {
            return lacks(sizeof *gas->sheets);
        }
        memset(gas->sheets, 0, sizeof *gas->sheets);
    }
    if (count > gas->sheets->room) {
        int64_t room = gas->sheets->room;
        gy_sheet *list = gy_sheets_more(gas, gas->sheets->list, &room, count, sizeof *list);
        if (!list) {
            return lacks((size_t)count * sizeof *list);
        }
        gas->sheets->list = list;
        gas->sheets->room = (int)room;
    }
    return GYRE_OK;
}

static void drop_faces(gyre_gas *gas, gy_sheet *s)
{
    gy_release(&gas->host, s->faces, (size_t)s->room * sizeof *s->faces);
    gy_release(&gas->host, s->under, (size_t)s->room * sizeof *s->under);
    *s = (gy_sheet){0};
}

void gy_gas_drop_sheets(gyre_gas *gas)
{
    gy_gas_sheets *all = gas->sheets;
    if (!all) {
        return;
    }
    for (int i = 0; i < all->room; i++) {
        drop_faces(gas, &all->list[i]);
    }
    gy_release(&gas->host, all->list, (size_t)all->room * sizeof *all->list);
    gy_sheets_drop_sweep(gas);
    gy_release(&gas->host, all->corners, (size_t)all->corner_room * sizeof *all->corners);
    gy_release(&gas->host, all->shown, (size_t)all->shown_room * sizeof *all->shown);
    gy_release(&gas->host, all->joined, (size_t)all->joined_room * sizeof *all->joined);
    gy_release(&gas->host, all, sizeof *all);
    gas->sheets = NULL;
    gas->shut = 0;
}

uint16_t *gy_sheet_coefficient(const gyre_gas *gas, const gy_grid_level *level, const gy_crossed *f,
                               uint16_t **other)
{
    int at[3] = {f->at[0], f->at[1], f->at[2]};
    uint16_t *own = gy_coefficient(level, f->axis, at[0], at[1], at[2]);
    *other = own;
    if (at[f->axis] == 0 && (gas->periodic >> f->axis & 1u)) {
        at[f->axis] = gas->extent.n[f->axis];
        *other = gy_coefficient(level, f->axis, at[0], at[1], at[2]);
    }
    return own;
}

void gy_gas_lift_sheets(gyre_gas *gas)
{
    gy_gas_sheets *all = gas->sheets;
    gy_grid_level level = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0));
    for (int i = 0; all && all->put && i < all->room; i++) {
        gy_sheet *s = &all->list[i];
        for (int64_t q = 0; q < s->count; q++) {
            if (s->under[q]) {
                uint16_t *other, *own = gy_sheet_coefficient(gas, &level, &s->faces[q], &other);
                *own = *other = s->under[q];
            }
        }
    }
    if (all) {
        all->put = false;
    }
    gas->shut = 0;
}

/// Whether some solid is so thin that it is a sheet to the gas beside it. Arrays are asked as if
/// they were, but what they hold is thick as a rule.
static bool has_thin_solid(const gyre_gas *gas)
{
    bool has = false;
    for (int q = 0; q < gas->made_count; q++) {
        const gy_solid *s = &gas->made[q];
        has = has || (s->kind != GYRE_SHAPE_VOLUME && gy_solid_is_thin(s, (double)gas->grid.h));
    }
    return has;
}

void gy_gas_put_sheets(gyre_gas *gas)
{
    gy_gas_sheets *all = gas->sheets;
    gy_grid_level level = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0));
    gas->shut = has_thin_solid(gas);
    for (int i = 0; all && i < all->room; i++) {
        gy_sheet *s = &all->list[i];
        s->shut = 0;
        for (int64_t q = 0; q < s->count; q++) {
            uint16_t *other, *own = gy_sheet_coefficient(gas, &level, &s->faces[q], &other);
            s->under[q] = *own;
            s->shut += *own != 0;
            *own = *other = 0;
        }
        gas->shut += s->shut;
        all->put = true;
    }
}

/// A sheet's corners in units of the grid, into gas->sheets->corners.
static gyre_result round_corners(gyre_gas *gas, const gyre_gas_sheet *s, int i, const gy_pose *pose)
{
    gy_gas_sheets *all = gas->sheets;
    int64_t count = point_count(s);
    if (count > all->corner_room) {
        void *more =
            gy_sheets_more(gas, all->corners, &all->corner_room, count, sizeof *all->corners);
        if (!more) {
            return lacks((size_t)count * sizeof *all->corners);
        }
        all->corners = more;
    }
    for (int64_t q = 0; q < count; q++) {
        double p[3];
        place_point(s, pose, &gas->grid, q, p);
        for (int a = 0; a < 3; a++) {
            if (!gy_cross_round(p[a], &all->corners[q][a])) {
                return gyre_fail(GYRE_ERROR_ARGUMENT,
                                 "sheets.%d: point %lld lies more than 2^28 cells from the grid", i,
                                 (long long)q);
            }
        }
    }
    return GYRE_OK;
}

/// A hash of a sheet's corners and of how they are joined; not 0.
static uint64_t key_of(const gyre_gas *gas, const gyre_gas_sheet *s)
{
    const gy_gas_sheets *all = gas->sheets;
    uint64_t key = gy_hash(all->corners, (size_t)point_count(s) * sizeof *all->corners,
                           (uint64_t)s->form.kind);
    if (s->form.kind == GYRE_GAS_SHEET_PATH) {
        key += s->form.as.path.closed;
    } else if (s->form.kind == GYRE_GAS_SHEET_MESH) {
        const gyre_volume *t = &s->form.as.mesh.triangles;
        key = gy_hash(t->data, 3 * (size_t)rows_of(t) * sizeof *t->data, key);
    }
    return key + (key == 0);
}

static void cross_facets(const gyre_gas *gas, const gyre_gas_sheet *s, gy_crossings *found)
{
    const int64_t(*corners)[3] = (const int64_t(*)[3])gas->sheets->corners;
    for (int64_t f = 0; f < facet_count(s); f++) {
        int64_t p[3];
        facet_at(s, f, p);
        const int64_t *const v[3] = {corners[p[0]], corners[p[1]], corners[p[2]]};
        gy_cross(gas->extent.dim, gas->extent.n, gas->periodic, v, found);
    }
}

gyre_result gy_sheet_cross(gyre_gas *gas, int i, const gy_pose *pose, gy_crossings *found)
{
    const gyre_gas_sheet *s = &def_of(gas->def)[i];
    gyre_result r = round_corners(gas, s, i, pose);
    if (r != GYRE_OK) {
        return r;
    }
    found->count = 0;
    cross_facets(gas, s, found);
    if (found->count > found->room) {
        // One that moves crosses about as many next time.
        int64_t room = found->count + (found->room > 0 ? found->count / 2 : 0);
        void *faces = gy_sheets_more(gas, found->faces, &found->room, room, sizeof *found->faces);
        if (!faces) {
            return lacks((size_t)room * sizeof *found->faces);
        }
        found->faces = faces;
        found->count = 0;
        cross_facets(gas, s, found);
    }
    return GYRE_OK;
}

static gyre_result find_faces(gyre_gas *gas, int i, bool moved)
{
    const gyre_gas_sheet *def = &def_of(gas->def)[i];
    gy_sheet *s = &gas->sheets->list[i];
    gy_pose pose = pose_of(def, gas->extent.dim);
    gyre_result r = round_corners(gas, def, i, &pose);
    uint64_t key = r == GYRE_OK ? key_of(gas, def) : 0;
    if (r != GYRE_OK || key == s->key) {
        return r;
    }
    if (moved && s->key && moves(def, gas->extent.dim)) {
        r = gy_sheet_sweep(gas, i, &pose);
        if (r != GYRE_OK) {
            return r;
        }
    }
    gy_crossings found = {s->faces, s->room, 0};
    r = gy_sheet_cross(gas, i, &pose, &found);
    if (found.room > s->room) {
        s->faces = found.faces;
        void *under = r == GYRE_OK
                          ? gy_sheets_more(gas, s->under, &s->room, found.room, sizeof *s->under)
                          : NULL;
        if (!under) {
            // Of two sizes they could not be given back.
            gy_release(&gas->host, s->faces, (size_t)found.room * sizeof *s->faces);
            gy_release(&gas->host, s->under, (size_t)s->room * sizeof *s->under);
            *s = (gy_sheet){0};
            return r == GYRE_OK ? lacks((size_t)found.room * sizeof *s->under) : r;
        }
        s->under = under;
    }
    s->count = r == GYRE_OK ? found.count : 0;
    s->key = r == GYRE_OK ? key : 0;
    s->pose = pose;
    return r;
}

/// What sheets ask of a device.
static gyre_result require_sheets(const gyre_gas *gas)
{
    static const gy_op ops[] = {GY_OP_hear, GY_OP_hush, GY_OP_cling};
    return gy_device_require(gas->model.device, "sheets", ops, GY_COUNT(ops));
}

gyre_result gy_gas_take_sheets(gyre_gas *gas, bool moved)
{
    bool wants = gy_gas_wants_sheets(gas->def);
    if (!wants && !gas->sheets) {
        return GYRE_OK;
    }
    gyre_result r = wants ? require_sheets(gas) : GYRE_OK;
    if (r != GYRE_OK) {
        return r;
    }
    gy_gas_lift_sheets(gas);
    r = take_sheets(gas);
    for (int i = 0; r == GYRE_OK && i < gas->sheets->room; i++) {
        gy_sheet *s = &gas->sheets->list[i];
        bool there = i < gas->def->sheets.count && def_of(gas->def)[i].enabled;
        s->count = there ? s->count : 0;
        s->key = there ? s->key : 0;
        r = there ? find_faces(gas, i, moved) : r;
    }
    return r;
}

bool gy_gas_has_lost_sheet(const gyre_gas *gas, int i)
{
    return def_of(gas->def)[i].enabled && gas->sheets && gas->sheets->list[i].count == 0;
}

int64_t gy_gas_sheet_faces(const gyre_gas *gas, int sheet)
{
    return gas->sheets->list[sheet].count;
}

float gy_gas_sheet_face(const gyre_gas *gas, int sheet, int64_t index, int *axis, int at[3])
{
    const gy_sheet *s = &gas->sheets->list[sheet];
    const gy_crossed *f = &s->faces[index];
    *axis = f->axis;
    for (int a = 0; a < 3; a++) {
        at[a] = f->at[a];
    }
    return (float)GY_MIN((int)s->under[index], (int)GY_UNIT) * (1.0f / GY_UNIT);
}

void gy_gas_shade_sheets(const gyre_gas *gas)
{
    const gy_extent *e = &gas->extent;
    float *out = gy_at(gas->base, gas->predicted[0]);
    // A picture's surface lies at 1/2; the stairs of an inclined sheet are to hang together there.
    float shade = gy_is_3d(gas->grid.dim) ? 0.75f : 0.5f;
    for (int i = 0; gas->sheets && gas->shut > 0 && i < gas->sheets->room; i++) {
        const gy_sheet *s = &gas->sheets->list[i];
        for (int64_t q = 0; q < s->count; q++) {
            for (int below = 0; below < 2; below++) {
                int c[3] = {s->faces[q].at[0], s->faces[q].at[1], s->faces[q].at[2]};
                int a = s->faces[q].axis;
                c[a] -= below;
                c[a] = c[a] < 0 && (gas->periodic >> a & 1u) ? e->n[a] - 1 : c[a];
                if (s->under[q] > 0 && c[a] >= 0 && c[a] < e->n[a]) {
                    float *x = &out[c[0] + c[1] * (ptrdiff_t)e->sy + c[2] * (ptrdiff_t)e->sz];
                    *x = GY_MAX(*x, shade);
                }
            }
        }
    }
}

// ---- to be drawn --------------------------------------------------------------------------------

int gy_gas_sheet_count(const gyre_model *model)
{
    return ((const gyre_gas *)model)->def->sheets.count;
}

static void *room_for(gyre_gas *gas, void *items, int64_t *room, int64_t count, size_t size)
{
    return count > *room ? gy_sheets_more(gas, items, room, count, size) : items;
}

gyre_result gy_gas_sheet_mesh(gyre_model *model, int index, gyre_mesh *mesh)
{
    gyre_gas *gas = (gyre_gas *)model;
    gy_gas_sheets *all = gas->sheets;
    const gyre_gas_sheet *s = &def_of(gas->def)[index];
    *mesh = (gyre_mesh){0};
    if (!s->enabled || !all || index >= all->room || !all->list[index].key) {
        return GYRE_OK;
    }
    int64_t points = point_count(s), facets = facet_count(s);
    void *more = room_for(gas, all->shown, &all->shown_room, 3 * points, sizeof *all->shown);
    all->shown = more ? more : all->shown;
    void *joined = room_for(gas, all->joined, &all->joined_room, 3 * facets, sizeof *all->joined);
    all->joined = joined ? joined : all->joined;
    if (!more || !joined) {
        return lacks((size_t)(3 * (points + facets)) * sizeof *all->shown);
    }
    for (int64_t q = 0; q < points; q++) {
        double own[3], world[3];
        own_point(s, q, own);
        gy_pose_apply(&all->list[index].pose, own, world);
        for (int a = 0; a < 3; a++) {
            all->shown[3 * q + a] = a < gas->extent.dim ? (float)world[a] : 0.0f;
        }
    }
    for (int64_t f = 0; f < facets; f++) {
        int64_t p[3];
        facet_at(s, f, p);
        for (int q = 0; q < 3; q++) {
            all->joined[3 * f + q] = (int32_t)p[!gy_is_3d(gas->extent.dim) && q == 2 ? 1 : q];
        }
    }
    *mesh = (gyre_mesh){all->shown, (int)points, all->joined, (int)facets};
    return GYRE_OK;
}
