// Bodies in water: their memory, and what the water does to one of them.
//
// Archimedes: every column is pushed up by the weight of the water that it displaces, at its own
// place; and along the surface's fall, as that water itself would be. Drag is 1/2 rho C A |v| v
// against the water's velocity, A being the area of the water line for up and down and the wetted
// side (submerged volume over the water line's width) for along; turning is damped at a rate of
// C / 2 sqrt(g / size) times the share that is submerged.
#include "base/maths.h"
#include "water/form.h"
#include <string.h>

enum { MOST_CELLS = 1 << 17, MOST_ZONE = 1 << 18 };

typedef struct sizes {
    int cells, columns, samples, rows, zone, hash, tiles;
} sizes;

static sizes sizes_of(const gyre_grid *g, int most)
{
    int64_t n = (int64_t)g->n[0] * g->n[1];
    sizes s = {.hash = 64};
    int64_t covered = GY_MIN(n * most, MOST_CELLS);
    s.cells = (int)(covered + GY_MIN(covered, n));
    s.columns = (int)(2 * covered + 64);
    s.samples = (int)GY_MIN(16 * n + 1024, (int64_t)MOST_CELLS); // meshes for drawing, too
    s.rows = (int)GY_MIN(4 * (int64_t)g->n[1], (int64_t)MOST_CELLS);
    s.zone = (int)GY_MIN(n + 512, (int64_t)MOST_ZONE);
    while (s.hash < 2 * s.cells) {
        s.hash *= 2;
    }
    s.tiles =
        ((g->n[0] + GY_TILE_MASK) >> GY_TILE_SHIFT) * ((g->n[1] + GY_TILE_MASK) >> GY_TILE_SHIFT);
    return s;
}

static void *take(char **at, int count, size_t size)
{
    char *from = *at;
    *at += ((size_t)count * size + 63) / 64 * 64;
    return from;
}

/// Lays the lists out behind each other; with `b` NULL it only counts.
static size_t lay_out(const gyre_grid *grid, int most, char *memory, gy_bodies *b)
{
    sizes s = sizes_of(grid, most);
    char *at = memory;
    gy_bodies none;
    gy_bodies *to = b ? b : &none;
    take(&at, 1, sizeof(gy_bodies));
    to->forms = take(&at, most + 1, sizeof(gy_form));
    to->kept = take(&at, most + 1, sizeof(gy_kept));
    to->groups = take(&at, most + 1, sizeof(gy_group));
    to->cells = take(&at, s.cells, sizeof(gy_cell));
    to->columns = take(&at, s.columns, sizeof(gy_column));
    to->hash = take(&at, s.hash, sizeof(int32_t));
    to->hits = take(&at, s.samples, GY_COLUMN_HITS * sizeof(float));
    to->hit_count = take(&at, s.samples, 1);
    to->rows = take(&at, s.rows, 4 * sizeof(double));
    to->zone = take(&at, s.zone, sizeof(gy_near));
    to->field = take(&at, 3 * s.zone + 2048, 1); // with a border
    to->held = take(&at, s.tiles, sizeof(uint64_t));
    return (size_t)(at - memory);
}

size_t gy_bodies_size(const gyre_grid *grid, int most)
{
    static char from[64];
    return lay_out(grid, most, from, NULL);
}

gy_bodies *gy_bodies_make(const gyre_grid *grid, int most, void *memory)
{
    gy_bodies *b = memory;
    sizes s = sizes_of(grid, most);
    // Large lists are not touched, so that they take no memory before they are needed.
    memset(b, 0, sizeof *b);
    lay_out(grid, most, memory, b);
    memset(b->forms, 0, sizeof(gy_form) * (size_t)(most + 1));
    memset(b->kept, 0, sizeof(gy_kept) * (size_t)(most + 1));
    memset(b->groups, 0, sizeof(gy_group) * (size_t)(most + 1));
    memset(b->hash, 0, sizeof(int32_t) * (size_t)s.hash);
    b->grid = *grid;
    b->most = most;
    b->cell_cap = s.cells;
    b->column_cap = s.columns;
    b->sample_cap = s.samples;
    b->row_cap = s.rows;
    b->zone_cap = s.zone;
    b->hash_size = s.hash;
    b->rescan = true;
    return b;
}

void gy_bodies_join(gy_bodies *b, bool x, bool y)
{
    b->periodic[0] = x;
    b->periodic[1] = y;
}

void gy_bodies_deepen(gy_bodies *b, bool deep)
{
    b->deep = deep;
}

gyre_result gy_bodies_changed(gy_bodies *b, const gyre_pool *pool)
{
    const gyre_water_body *body = pool->items;
    int64_t covered = 0;
    if (pool->count > b->most) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "bodies: %d of them, there is room for %d",
                         pool->count, b->most);
    }
    b->rescan = true;
    for (int n = 0; n < pool->count; n++) {
        char path[64] = "bodies.";
        strncat(path, body[n].name, 32);
        gyre_result r = gy_form_make(b->forms + n, body + n, path);
        b->kept[n].valid = false;
        if (r != GYRE_OK) {
            return r;
        }
        double across = 2.0 * b->forms[n].reach / (double)b->grid.h + 3.0, cells = 1.0, near = 1.0;
        for (int a = 0; a < 2; a++) {
            cells *= GY_MIN(across, b->grid.n[a]);
            near *= GY_MIN(1.4 * across + 6.0, b->grid.n[a]);
        }
        covered += (int64_t)cells;
        if (near > b->zone_cap || covered > b->cell_cap) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "%s: bodies are too large for so fine a grid: one may be about 350 "
                             "cells across, all together may cover %d cells",
                             path, MOST_CELLS);
        }
    }
    return GYRE_OK;
}

gyre_result gy_bodies_renew(gy_bodies *b, const gyre_pool *pool, int index, const char *path)
{
    b->kept[index].valid = false;
    return gy_form_make(b->forms + index, (const gyre_water_body *)pool->items + index, path);
}

// ---- what the water does to a body --------------------------------------------------------------

/// The plane of the water about a body: as it was kept, or looked for now.
static bool find_plane(gy_bodies *b, const gy_water_surface *surf, const gy_form *form,
                       const gy_kept *kept, gy_plane *plane)
{
    if (kept) {
        *plane = kept->plane;
        return true;
    }
    gy_group g = {.count = b->cell_count, .body = -1, .waves = 1.0, .flow = true};
    gy_plane p;
    bool found = false;
    gy_group_deepen(b, surf, form, 0, b->column_count, &g);
    gy_group_open(b, &g);
    for (int part = 0; gy_plane_make(b, surf, &g, part, &p); part++) {
        if (p.wet && (!found || p.covered > plane->covered)) {
            *plane = p;
            found = true;
        }
    }
    return found;
}

typedef struct pressing {
    double land, from[2]; // m^2 of land, and directions from it
} pressing;

/// Keeps a place near the bed where it is the outermost in one of eight directions.
static void note_touch(double x, double y, double z, double depth, gy_body_load *load)
{
    const double half = 0.70710678118654752;
    const double far[GY_BODY_TOUCHES] = {x,  half * (x + y),  y,  half * (y - x),
                                         -x, -half * (x + y), -y, half * (x - y)};
    for (int k = 0; k < GY_BODY_TOUCHES; k++) {
        double *t = load->touch[k];
        if (!load->touching || far[k] > t[0]) {
            const double at[5] = {far[k], x, y, z, depth};
            memcpy(t, at, sizeof at);
        }
    }
    load->touching = true;
    load->sunk = GY_MAX(load->sunk, depth);
}

static void load_column(const gy_water_surface *surf, const gy_column *c, int slot, int place,
                        const gy_plane *plane, const gy_pose *pose, gy_body_load *load,
                        pressing *press)
{
    double area = (double)surf->grid->h * (double)surf->grid->h;
    double bed = (double)gy_tile_array(surf->tiles, slot, GY_WATER_BED)[place];
    double x = (double)c->x - pose->at[0], y = (double)c->y - pose->at[1];
    double lowest = (double)c->low - (double)c->low_spread, part = (double)c->area * area;
    if (gy_tile_flags(surf->tiles, slot)[place] & GY_CELL_OUT) {
        press->land += part;
        press->from[0] -= part * x;
        press->from[1] -= part * y;
        return;
    }
    if (bed > lowest - 0.25 * (double)surf->grid->h) {
        note_touch(x, y, lowest - pose->at[2], bed - lowest, load);
    }
    if (!plane) {
        return;
    }
    double surface = gy_plane_height(plane, (double)c->x, (double)c->y);
    double wet = gy_column_wet(c, bed, surface) * area, cut = gy_column_cut(c, bed, surface) * area;
    if (!(wet > 0.0)) {
        return;
    }
    double middle = 0.5 * (GY_MAX((double)c->low, bed) + GY_MIN((double)c->high, surface));
    double z = middle - pose->at[2];
    double up = (double)surf->density * (double)surf->gravity * wet;
    double fx = -up * plane->dx, fy = -up * plane->dy;
    load->volume += wet;
    load->centre[0] += wet * x;
    load->centre[1] += wet * y;
    load->centre[2] += wet * z;
    load->cut += cut;
    load->cut_square += cut * (x * x + y * y);
    load->force[0] += fx;
    load->force[1] += fy;
    load->force[2] += up;
    load->torque[0] += y * up - z * fy;
    load->torque[1] += z * fx - x * up;
    load->torque[2] += x * fy - y * fx;
}

static void close_load(const gy_pose *pose, const pressing *press, gy_body_load *load)
{
    for (int a = 0; a < 3; a++) {
        load->centre[a] = pose->at[a] + (load->volume > 0.0 ? load->centre[a] / load->volume : 0.0);
    }
    double far = __builtin_sqrt(press->from[0] * press->from[0] + press->from[1] * press->from[1]);
    for (int a = 0; a < 2 && press->land > 0.0 && far > 0.0; a++) {
        load->ashore[a] = press->from[a] / far;
    }
}

void gy_load_make(gy_bodies *b, const gy_water_surface *surf, const gy_form *form,
                  const gy_pose *pose, const gy_kept *kept, bool same_pose, gy_body_load *load)
{
    gy_plane plane;
    pressing press = {0};
    gy_pose image = *pose;
    memset(load, 0, sizeof *load);
    if (!kept) {
        gy_body_bring_in(b, form, &image);
        pose = &image;
    }
    int first = b->column_count, count = first;
    if (!kept) {
        gy_cells_clear(b);
        gy_columns_make(b, form, pose, 0);
        gy_cells_make(b, surf, first = 0);
        count = b->column_count;
    } else if (same_pose) {
        first = kept->first;
        count = first + kept->count;
    } else {
        gy_columns_make(b, form, pose, 0);
        count = b->column_count;
    }
    bool wet = find_plane(b, surf, form, kept, &plane);
    for (int k = first; k < count; k++) {
        const gy_column *c = b->columns + k;
        int place, slot;
        if (kept && !same_pose) {
            int n = b->grid.n[0];
            slot = gy_tiles_find(surf->tiles, c->cell % n, c->cell / n, &place);
        } else {
            slot = b->cells[c->cell].slot;
            place = b->cells[c->cell].place;
        }
        if (slot >= 0) {
            load->ground = true;
            load_column(surf, c, slot, place, wet ? &plane : NULL, pose, load, &press);
        }
    }
    if (kept && !same_pose) {
        b->column_count = first;
    }
    close_load(pose, &press, load);
    if (wet) {
        load->wet = true;
        load->surface = gy_plane_height(&plane, pose->at[0], pose->at[1]);
        load->velocity[0] = plane.velocity[0];
        load->velocity[1] = plane.velocity[1];
    }
}

void gy_load_drag(const gy_water_surface *surf, const gyre_water_body *body,
                  const gy_body_load *load, const double velocity[3], double rate[2])
{
    double line = load->cut > 0.0 ? load->cut : 0.0, v2[2];
    double across = load->volume > 0.0 ? (double)gy_powf((float)load->volume, 2.0f / 3.0f) : 0.0;
    double flat = GY_MAX(line, across); // a body that is under has no water line
    double side = flat > 0.0 ? load->volume / __builtin_sqrt(flat) : 0.0;
    double x = velocity[0] - load->velocity[0], y = velocity[1] - load->velocity[1];
    v2[0] = __builtin_sqrt(x * x + y * y);
    v2[1] = __builtin_fabs(velocity[2]);
    rate[0] = 0.5 * (double)surf->density * (double)body->drag * side * v2[0];
    rate[1] =
        load->volume > 0.0 ? 0.5 * (double)surf->density * (double)body->drag * flat * v2[1] : 0.0;
}

void gy_body_report(const gy_bodies *bodies, const gy_water_surface *surf,
                    const gyre_water_body *body, gyre_body_report *report)
{
    // The lists in it are scratch, and left as they were found: empty.
    gy_bodies *b = (gy_bodies *)(uintptr_t)bodies;
    gy_form *form = b->forms + b->most;
    gy_pose pose;
    gy_body_load load;
    double rate[2], low[3], high[3];
    memset(report, 0, sizeof *report);
    if (gy_form_make(form, body, "body") != GYRE_OK) {
        return;
    }
    const double v[3] = {(double)body->pose.velocity[0], (double)body->pose.velocity[1],
                         (double)body->pose.velocity[2]};
    gy_pose_of(&body->pose, &pose);
    gy_body_bring_in(b, form, &pose);
    gy_load_make(b, surf, form, &pose, NULL, false, &load);
    gy_cells_clear(b);
    gy_load_drag(surf, body, &load, v, rate);
    gy_form_bounds(form, &pose, low, high);
    report->submerged = (float)load.volume;
    for (int a = 0; a < 3; a++) {
        double water = a < 2 ? load.velocity[a] : 0.0;
        double image = (double)body->pose.position[a] - pose.at[a]; // 0 but round joined sides
        report->centre[a] = (float)(load.centre[a] + image);
        report->force[a] = (float)(load.force[a] - rate[a == 2] * (v[a] - water));
        report->torque[a] = (float)load.torque[a];
    }
    report->mass = (float)(form->volume * (double)body->density);
    report->added_mass = (float)((double)body->added_mass * load.volume * (double)surf->density);
    report->draft = load.wet && load.surface > low[2] ? (float)(load.surface - low[2]) : 0.0f;
}
