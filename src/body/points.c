// body/points.c: meshes whose points the caller moves, and what of them a saved set holds.
//
// Such a mesh has three arrays of its points: where they are, where they were when the last step
// began, and where they are to be when the next one ends. A step hands them on:
//
//     before = now;  now = next, where the caller has said one
//
// The velocity of the surface is (now - before) / dt, as of a mesh with frames. Cost of a step: two
// copies of the points, and new boxes for the tree over the triangles where there are new points.
#include "body/body.h"

#include "base/maths.h"

static bool is_in(const gy_figure *f, const float *points, int count, int *which)
{
    for (int p = 0; p < count; p++) {
        for (int a = 0; a < 3; a++) {
            float x = points[3 * p + a];
            if (!(x >= f->box[0][a] && x <= f->box[1][a])) { // nor what is no number
                *which = p;
                return false;
            }
        }
    }
    return true;
}

static gyre_result refuse_point(const gy_figure *f, const char *path, const float *points, int p)
{
    const float *at = points + 3 * (size_t)p, *low = f->box[0], *high = f->box[1];
    return gyre_fail(GYRE_ERROR_ARGUMENT,
                     "%s: found point %d at (%g, %g, %g), expected it in the box of its mesh, from "
                     "(%g, %g, %g) to (%g, %g, %g)",
                     path, p, (double)at[0], (double)at[1], (double)at[2], (double)low[0],
                     (double)low[1], (double)low[2], (double)high[0], (double)high[1],
                     (double)high[2]);
}

bool gy_figure_is_told(const struct gyre_form_mesh *mesh)
{
    bool told = false;
    for (int a = 0; a < 3; a++) {
        told = told || mesh->low[a] != 0.0f || mesh->high[a] != 0.0f;
    }
    return told;
}

gyre_result gy_figure_tell(gy_figure *f, const struct gyre_form_mesh *mesh, const char *path)
{
    int count = f->surface.point_count, which;
    size_t bytes = 3 * (size_t)count * sizeof(float);
    memcpy(f->box[0], mesh->low, sizeof f->box[0]);
    memcpy(f->box[1], mesh->high, sizeof f->box[1]);
    for (int a = 0; a < 3; a++) {
        if (!(mesh->high[a] > mesh->low[a])) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "%s.high: found a box of points from (%g, %g, %g) to (%g, %g, %g), "
                             "expected it to be above low in each",
                             path, (double)mesh->low[0], (double)mesh->low[1], (double)mesh->low[2],
                             (double)mesh->high[0], (double)mesh->high[1], (double)mesh->high[2]);
        }
    }
    if (!is_in(f, f->points, count, &which)) {
        return refuse_point(f, path, f->points, which);
    }
    memcpy(f->now, f->points, bytes);
    memcpy(f->before, f->points, bytes);
    memset(f->next, 0, bytes);
    return GYRE_OK;
}

void gy_figure_hand_on(gy_figure *f)
{
    size_t bytes = 3 * (size_t)f->surface.point_count * sizeof(float);
    memcpy(f->before, f->now, bytes);
    if (f->told) {
        memcpy(f->now, f->next, bytes);
        memset(f->next, 0, bytes);
        f->told = 0;
        gyre_mesh_tree_refit(f->tree, f->now);
    }
}

gyre_result gyre_bodies_deform(gyre_bodies *bodies, gyre_id id, const float *points, int count)
{
    static const char call[] = "bodies_deform";
    int index, which;
    if (GY_MISSING(call, bodies) || GY_MISSING(call, points)) {
        return GYRE_ERROR_ARGUMENT;
    }
    gyre_result r = gy_set_locate(bodies, call, id, &index);
    if (r != GYRE_OK) {
        return r;
    }
    gy_figure *f = bodies->figures + index;
    if (!f->next) {
        return gyre_fail(GYRE_ERROR_STATE,
                         "%s: body \"%.31s\" is no mesh with a box, low to high, for its points",
                         call, gy_set_body(bodies, index)->name);
    }
    if (count != f->surface.point_count) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: found %d points, expected the mesh's %d", call,
                         count, f->surface.point_count);
    }
    if (!is_in(f, points, count, &which)) {
        return refuse_point(f, call, points, which);
    }
    memcpy(f->next, points, 3 * (size_t)count * sizeof(float));
    f->told = 1;
    return GYRE_OK;
}

// ---- as bytes -----------------------------------------------------------------------------------
//
// Of each such mesh, in the order of the bodies: whether it is told (int32), and the arrays now,
// before, next as they lie in memory. Padded to 8 bytes each.

static size_t bytes_of(const gy_figure *f)
{
    size_t floats = 9 * (size_t)f->surface.point_count;
    return f->next ? (sizeof f->told + floats * sizeof(float) + 7) / 8 * 8 : 0;
}

size_t gy_set_points_size(const gy_figure *figures, int count)
{
    size_t size = 0;
    for (int i = 0; i < count; i++) {
        size += bytes_of(figures + i);
    }
    return size;
}

void gy_set_points_save(const gyre_bodies *set, char *to)
{
    for (int i = 0; i < set->def.pool.count; i++) {
        const gy_figure *f = set->figures + i;
        if (f->next) {
            size_t floats = 9 * (size_t)f->surface.point_count;
            memcpy(to, &f->told, sizeof f->told);
            memcpy(to + sizeof f->told, f->now, floats * sizeof(float));
        }
        to += bytes_of(f);
    }
}

bool gy_set_points_load(gy_figure *figures, int count, const char *from)
{
    for (int i = 0; i < count; i++) {
        gy_figure *f = figures + i;
        int points = f->surface.point_count, which;
        if (f->next) {
            memcpy(&f->told, from, sizeof f->told);
            memcpy(f->now, from + sizeof f->told, 9 * (size_t)points * sizeof(float));
            if (f->told < 0 || f->told > 1 || !is_in(f, f->now, points, &which) ||
                !is_in(f, f->before, points, &which) ||
                (f->told && !is_in(f, f->next, points, &which))) {
                return false;
            }
            gyre_mesh_tree_refit(f->tree, f->now);
        }
        from += bytes_of(f);
    }
    return true;
}

uint64_t gy_set_points_hash(const gyre_bodies *set, uint64_t hash)
{
    for (int i = 0; i < set->def.pool.count; i++) {
        const gy_figure *f = set->figures + i;
        if (f->next) {
            hash = gy_hash(&f->told, sizeof f->told, hash);
            hash = gy_hash(f->now, 9 * (size_t)f->surface.point_count * sizeof(float), hash);
        }
    }
    return hash;
}
