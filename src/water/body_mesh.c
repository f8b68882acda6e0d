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
        return gyre_fail(GYRE_ERROR_MEMORY,
                         "bodies.%s: a mesh of %d points and %d triangles is "
                         "too large to be drawn",
                         body->name, points, triangles);
    }
    gy_pose_of(&body->pose, &pose);
    if (round) {
        add_round(&m, form);
    } else {
        add_surface(&m, form);
    }
    *mesh = (gyre_mesh){m.points, m.point_count, m.triangles, m.triangle_count};
    return GYRE_OK;
}
