// Surfaces of bodies for drawing. Balls and capsules are rings about their own x axis between two
// poles; the others are drawn by the triangles that they are made of.
#include "water/form.h"

enum { AROUND = 32, HALF_RINGS = 8 };

typedef struct mesh_room {
    float *points;
    int32_t *triangles;
    size_t most_points, most_triangles;
    int point_count, triangle_count;
    const gy_pose *pose;
} mesh_room;

static void add_point(mesh_room *m, double x, double y, double z)
{
    const double own[3] = {x, y, z};
    double at[3];
    gy_pose_apply(m->pose, own, at);
    for (int a = 0; a < 3; a++) {
        m->points[3 * m->point_count + a] = (float)at[a];
    }
    m->point_count++;
}

static void add_triangle(mesh_room *m, int a, int b, int c)
{
    int32_t *t = m->triangles + 3 * m->triangle_count++;
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

static void add_ring(mesh_room *m, double x, double radius)
{
    for (int k = 0; k < AROUND; k++) {
        double s, c;
        gy_sine(360.0 * k / AROUND, &s, &c);
        add_point(m, x, radius * c, radius * s);
    }
}

/// Low pole, rings from it to the high pole (that of the middle twice for a capsule), high pole.
static void add_round(mesh_room *m, const gy_form *form)
{
    double r = (double)form->radius, half = 0.5 * (double)form->length;
    int rings = 0;
    add_point(m, -half - r, 0.0, 0.0);
    for (int side = 0; side < 2; side++) {
        for (int k = side == 0             ? 1
                     : form->length > 0.0f ? 0
                                           : 1;
             k <= (side == 0 ? HALF_RINGS : HALF_RINGS - 1); k++) {
            double s, c, degrees = 90.0 * k / HALF_RINGS;
            gy_sine(side == 0 ? degrees - 90.0 : degrees, &s, &c);
            add_ring(m, (side == 0 ? -half : half) + r * s, r * c);
            rings++;
        }
    }
    add_point(m, half + r, 0.0, 0.0);
    int last = m->point_count - 1;
    for (int k = 0; k < AROUND; k++) {
        int next = (k + 1) % AROUND;
        add_triangle(m, 0, 1 + next, 1 + k);
        add_triangle(m, last, last - AROUND + k, last - AROUND + next);
        for (int ring = 0; ring + 1 < rings; ring++) {
            int a = 1 + ring * AROUND, b = a + AROUND;
            add_triangle(m, a + k, a + next, b + next);
            add_triangle(m, a + k, b + next, b + k);
        }
    }
}

static void add_surface(mesh_room *m, const gy_form *form)
{
    for (int p = 0; p < form->point_count; p++) {
        const float *from = form->points + 3 * p;
        add_point(m, (double)from[0], (double)from[1], (double)from[2]);
    }
    for (int t = 0; t < form->triangle_count; t++) {
        add_triangle(m, gy_form_corner(form, t, 0), gy_form_corner(form, t, 1),
                     gy_form_corner(form, t, 2));
    }
}

// ---- cut in two at joined sides
// ------------------------------------------------------------------

/// A triangle of which one corner lies on the other side of a plane than the two others.
typedef struct cut {
    int corner[3]; // the lone one first, in the same sense of turning
    bool lone_beyond;
} cut;

/// How many corners of a triangle lie beyond the plane, and how it is cut.
static int look_at(const mesh_room *m, const int32_t *t, int axis, float at, bool above, cut *c)
{
    int beyond = 0, mask = 0;
    for (int k = 0; k < 3; k++) {
        float x = m->points[3 * t[k] + axis];
        bool is = above ? x > at : x < at;
        beyond += is;
        mask |= is << k;
    }
    c->lone_beyond = beyond == 1;
    for (int k = 0; k < 3; k++) {
        if ((mask >> k & 1) == c->lone_beyond && (beyond == 1 || beyond == 2)) {
            for (int q = 0; q < 3; q++) {
                c->corner[q] = t[(k + q) % 3];
            }
        }
    }
    return beyond;
}

/// A new point on the edge from a to b where it meets the plane.
static int add_cut(mesh_room *m, int a, int b, int axis, float at)
{
    const float *p = m->points + 3 * a, *q = m->points + 3 * b;
    float *to = m->points + 3 * m->point_count;
    double share = ((double)at - (double)p[axis]) / ((double)q[axis] - (double)p[axis]);
    for (int k = 0; k < 3; k++) {
        to[k] = (float)((double)p[k] + share * ((double)q[k] - (double)p[k]));
    }
    to[axis] = at;
    return m->point_count++;
}

/// Cuts at a plane, and moves what lies beyond it by a period to the other side of the domain.
/// False: there is no room for it.
static bool fold(mesh_room *m, int axis, float at, bool above, float period)
{
    int triangles = m->triangle_count, points = m->point_count, split = 0;
    float by = above ? -period : period;
    cut c;
    for (int t = 0; t < triangles; t++) {
        int beyond = look_at(m, m->triangles + 3 * t, axis, at, above, &c);
        split += beyond == 1 || beyond == 2;
    }
    if ((size_t)(points + 4 * split) > m->most_points ||
        (size_t)(triangles + 2 * split) > m->most_triangles) {
        return false;
    }
    for (int t = 0; t < triangles && split > 0; t++) {
        int beyond = look_at(m, m->triangles + 3 * t, axis, at, above, &c);
        if (beyond != 1 && beyond != 2) {
            continue;
        }
        // Two points on the plane, of the lone corner's piece and of the others'.
        int near[2], far[2];
        for (int k = 0; k < 2; k++) {
            near[k] = add_cut(m, c.corner[0], c.corner[1 + k], axis, at);
            far[k] = add_cut(m, c.corner[0], c.corner[1 + k], axis, at);
            m->points[3 * (c.lone_beyond ? near[k] : far[k]) + axis] += by;
        }
        int32_t *own = m->triangles + 3 * t;
        own[0] = c.corner[0];
        own[1] = near[0];
        own[2] = near[1];
        add_triangle(m, far[0], c.corner[1], c.corner[2]);
        add_triangle(m, far[0], c.corner[2], far[1]);
    }
    for (int p = 0; p < points; p++) {
        float *x = m->points + 3 * p + axis;
        *x += (above ? *x > at : *x < at) ? by : 0.0f;
    }
    return true;
}

/// Both halves of a body that lies across joined sides, each where it is.
static bool fold_all(const gy_bodies *b, const gy_form *form, mesh_room *m)
{
    bool fits = true;
    double low[3], high[3];
    gy_form_bounds(form, m->pose, low, high);
    for (int a = 0; a < 2 && fits; a++) {
        float edge = b->grid.origin[a], period = (float)b->grid.n[a] * b->grid.h;
        if (gy_body_is_joined(b, form, a) && low[a] < (double)edge) {
            fits = fold(m, a, edge, false, period);
        } else if (gy_body_is_joined(b, form, a) && high[a] > (double)(edge + period)) {
            fits = fold(m, a, edge + period, true, period);
        }
    }
    return fits;
}

bool gy_bodies_cross(const gy_bodies *b, const gyre_pool *pool, int index)
{
    const gyre_water_body *body = (const gyre_water_body *)pool->items + index;
    const gy_form *form = b->forms + index;
    gy_pose pose;
    double low[3], high[3];
    if (!body->enabled || !form->ready) {
        return false;
    }
    gy_pose_of(&body->pose, &pose);
    gy_form_bounds(form, &pose, low, high);
    for (int a = 0; a < 2; a++) {
        float edge = b->grid.origin[a], period = (float)b->grid.n[a] * b->grid.h;
        if (gy_body_is_joined(b, form, a) &&
            (low[a] < (double)edge || high[a] > (double)(edge + period))) {
            return true;
        }
    }
    return false;
}

void gy_bodies_bring_in(const gy_bodies *b, int index, gyre_pose *pose)
{
    gy_pose made;
    gy_pose_of(pose, &made);
    gy_body_bring_in(b, b->forms + index, &made);
    for (int a = 0; a < 2; a++) {
        pose->position[a] = (float)made.at[a];
    }
}

double gy_bodies_cut(const gy_bodies *b, int index)
{
    double sum = 0.0;
    for (int c = 0; c < b->column_count; c++) {
        const gy_column *column = &b->columns[c];
        if ((int)column->body == index && column->cell >= 0 && column->cell < b->cell_count) {
            const gy_cell *cell = &b->cells[column->cell];
            sum += gy_column_cut(column, (double)cell->bed, (double)cell->surface);
        }
    }
    return sum * (double)b->grid.h * (double)b->grid.h;
}

static gyre_result too_large(const gyre_water_body *body, int points, int triangles)
{
    return gyre_fail(GYRE_ERROR_MEMORY,
                     "bodies.%s: a mesh of %d points and %d triangles is too large to be drawn",
                     body->name, points, triangles);
}

gyre_result gy_bodies_mesh(const gy_bodies *b, const gyre_pool *pool, int index, gyre_mesh *mesh)
{
    const gyre_water_body *body = (const gyre_water_body *)pool->items + index;
    const gy_form *form = b->forms + index;
    *mesh = (gyre_mesh){0};
    if (index < 0 || index >= pool->count) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "mesh: there is none with index %d", index);
    }
    if (!body->enabled || !form->ready) {
        return GYRE_OK;
    }
    bool round = form->kind == GYRE_BODY_SPHERE || form->kind == GYRE_BODY_CAPSULE;
    int points = round ? AROUND * 2 * HALF_RINGS + 2 : form->point_count;
    int triangles = round ? AROUND * 4 * HALF_RINGS : form->triangle_count;
    gy_pose pose;
    mesh_room m = {.points = b->hits, .triangles = (int32_t *)(void *)b->zone, .pose = &pose};
    m.most_points = (size_t)b->sample_cap * GY_COLUMN_HITS / 3;
    m.most_triangles = (size_t)b->zone_cap * sizeof(gy_near) / (3 * sizeof(int32_t));
    if ((size_t)points > m.most_points || (size_t)triangles > m.most_triangles) {
        return too_large(body, points, triangles);
    }
    gy_pose_of(&body->pose, &pose);
    gy_body_bring_in(b, form, &pose);
    if (round) {
        add_round(&m, form);
    } else {
        add_surface(&m, form);
    }
    if (!fold_all(b, form, &m)) {
        return too_large(body, points, triangles);
    }
    *mesh = (gyre_mesh){m.points, m.point_count, m.triangles, m.triangle_count};
    return GYRE_OK;
}
