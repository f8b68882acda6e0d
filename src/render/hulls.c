// render/hulls.c: triangles of bodies in a tree of boxes. Corners that triangles share are smooth
// where their planes meet at less than 40 degrees and sharp elsewhere.
#include "render/surface.h"

#include <stdlib.h>
#include <string.h>

// No part is less than an eighth: a tree of 2^30 triangles is at most 156 boxes deep.
enum { LEAF = 2 };

static const float sharp = 0.766f; // cosine
static const float slack = 1e-5f;

gyre_result gy_hulls_check(const gyre_mesh *meshes, int count, int *triangles)
{
    int64_t all = 0;

    for (int m = 0; m < count; m++) {
        const gyre_mesh *mesh = &meshes[m];

        if (mesh->point_count < 0 || mesh->triangle_count < 0 ||
            (mesh->triangle_count > 0 && (mesh->points == NULL || mesh->triangles == NULL)))
            return gyre_fail(GYRE_ERROR_ARGUMENT, "render: mesh %d: no points or triangles", m);
        for (int64_t i = 0; i < 3 * (int64_t)mesh->triangle_count; i++) {
            if (mesh->triangles[i] < 0 || mesh->triangles[i] >= mesh->point_count)
                return gyre_fail(GYRE_ERROR_ARGUMENT,
                                 "render: mesh %d: a triangle names point %d of %d", m,
                                 mesh->triangles[i], mesh->point_count);
        }
        for (int64_t i = 0; i < 3 * (int64_t)mesh->point_count; i++) {
            if (!isfinite(mesh->points[i]))
                return gyre_fail(GYRE_ERROR_ARGUMENT, "render: mesh %d: a point is not finite", m);
        }
        all += mesh->triangle_count;
    }
    if (all > INT32_MAX / 4)
        return gyre_fail(GYRE_ERROR_ARGUMENT, "render: meshes of more than %d triangles",
                         INT32_MAX / 4);
    *triangles = (int)all;
    return GYRE_OK;
}

static vec point_of(const gyre_mesh *mesh, vec corner, float unit, int i)
{
    const float *p = mesh->points + 3 * (ptrdiff_t)i;
    vec at = {p[0] - corner[0], p[1] - corner[1], p[2] - corner[2], 0.0f};

    return at * vec_all(1.0f / unit);
}

// Adds up, at each corner, the planes of the triangles there that its own does not stand against.
static void smooth_corners(const gyre_mesh *mesh, gy_triangle *triangles, int *begin, int *user,
                           vec (*planes)[2])
{
    int corners = 3 * mesh->triangle_count;

    memset(begin, 0, ((size_t)mesh->point_count + 1) * sizeof *begin);
    for (int c = 0; c < corners; c++)
        begin[mesh->triangles[c] + 1]++;
    for (int p = 0; p < mesh->point_count; p++)
        begin[p + 1] += begin[p];
    for (int c = 0; c < corners; c++)
        user[begin[mesh->triangles[c]]++] = c / 3;
    for (int i = 0; i < mesh->triangle_count; i++) {
        planes[i][0] = vec_cross(triangles[i].edge[0], triangles[i].edge[1]);
        planes[i][1] = vec_unit(planes[i][0]);
    }
    // Each list's beginning has moved to its end, which is the beginning of the next.
    for (int c = 0; c < corners; c++) {
        gy_triangle *own = &triangles[c / 3];
        int p = mesh->triangles[c];
        vec unit = planes[c / 3][1], sum = vec_all(0.0f);

        for (int u = p > 0 ? begin[p - 1] : 0; u < begin[p]; u++) {
            if (vec_dot(planes[user[u]][1], unit) > sharp)
                sum += planes[user[u]][0];
        }
        own->normal[c % 3] = vec_dot(sum, sum) > 0.0f ? vec_unit(sum) : unit;
    }
}

static gyre_result fill(const gyre_mesh *meshes, int count, vec corner, float unit,
                        gy_hulls *bodies)
{
    gy_triangle *to = bodies->triangles;

    for (int m = 0; m < count; m++) {
        const gyre_mesh *mesh = &meshes[m];
        int *begin = malloc(((size_t)mesh->point_count + 1) * sizeof *begin);
        int *user = malloc((3 * (size_t)mesh->triangle_count + 1) * sizeof *user);
        vec(*planes)[2] =
            aligned_alloc(64, ((size_t)mesh->triangle_count * sizeof *planes + 64) / 64 * 64);

        for (int i = 0; i < mesh->triangle_count; i++) {
            const int32_t *p = mesh->triangles + 3 * (ptrdiff_t)i;
            vec a = point_of(mesh, corner, unit, p[0]);

            to[i] = (gy_triangle){.corner = a,
                                  .edge = {point_of(mesh, corner, unit, p[1]) - a,
                                           point_of(mesh, corner, unit, p[2]) - a},
                                  .body = m};
        }
        bool failed = begin == NULL || user == NULL || planes == NULL;

        if (!failed)
            smooth_corners(mesh, to, begin, user, planes);
        free(planes);
        free(begin);
        free(user);
        if (failed)
            return gyre_fail(GYRE_ERROR_MEMORY, "no memory for the meshes of a picture");
        to += mesh->triangle_count;
    }
    return GYRE_OK;
}

static vec middle_of(const gy_triangle *t)
{
    return t->corner + (t->edge[0] + t->edge[1]) * vec_all(1.0f / 3.0f);
}

static void bound(const gy_hulls *bodies, gy_hull_box *box)
{
    box->low = vec_all(GY_NEVER);
    box->high = vec_all(-GY_NEVER);
    for (int i = box->first; i < box->first + box->count; i++) {
        const gy_triangle *t = &bodies->triangles[i];

        for (int c = 0; c < 3; c++) {
            vec p = c == 0 ? t->corner : t->corner + t->edge[c - 1];

            box->low = vec_min(box->low, p);
            box->high = vec_max(box->high, p);
        }
    }
    // A flat box would be missed by rounding.
    vec margin = vec_all(1e-4f) + (box->high - box->low) * vec_all(1e-5f);

    box->low -= margin;
    box->high += margin;
}

// Parts a box's triangles at the middle of their middles' longest side; gives how many go left.
static int part(const gy_hulls *bodies, const gy_hull_box *box)
{
    vec low = vec_all(GY_NEVER), high = vec_all(-GY_NEVER);
    int axis = 0, left = box->first, right = box->first + box->count;

    for (int i = left; i < right; i++) {
        low = vec_min(low, middle_of(&bodies->triangles[i]));
        high = vec_max(high, middle_of(&bodies->triangles[i]));
    }
    for (int a = 1; a < 3; a++)
        axis = high[a] - low[a] > high[axis] - low[axis] ? a : axis;
    float wall = 0.5f * (low[axis] + high[axis]);

    while (left < right) {
        gy_triangle *t = &bodies->triangles[left];

        if (middle_of(t)[axis] < wall) {
            left++;
        } else {
            gy_triangle swap = *t;

            *t = bodies->triangles[--right];
            bodies->triangles[right] = swap;
        }
    }
    int count = left - box->first;

    return 8 * count >= box->count && 8 * count <= 7 * box->count ? count : box->count / 2;
}

static void grow_tree(gy_hulls *bodies)
{
    bodies->boxes[0] = (gy_hull_box){.first = 0, .count = bodies->triangle_count};
    bodies->box_count = 1;
    bound(bodies, &bodies->boxes[0]);
    for (int b = 0; b < bodies->box_count; b++) {
        gy_hull_box *box = &bodies->boxes[b];

        if (box->count <= LEAF)
            continue;
        int left = part(bodies, box), pair = bodies->box_count;

        bodies->boxes[pair] = (gy_hull_box){.first = box->first, .count = left};
        bodies->boxes[pair + 1] =
            (gy_hull_box){.first = box->first + left, .count = box->count - left};
        bound(bodies, &bodies->boxes[pair]);
        bound(bodies, &bodies->boxes[pair + 1]);
        bodies->box_count += 2;
        box->first = pair;
        box->count = 0;
    }
}

gyre_result gy_hulls_build(const gyre_mesh *meshes, int count, vec corner, float unit,
                           gy_hulls *bodies)
{
    *bodies = (gy_hulls){0};
    gyre_result result = gy_hulls_check(meshes, count, &bodies->triangle_count);

    if (result != GYRE_OK || bodies->triangle_count == 0)
        return result;
    size_t all = (size_t)bodies->triangle_count;

    bodies->triangles = aligned_alloc(64, (all * sizeof(gy_triangle) + 63) / 64 * 64);
    bodies->boxes = aligned_alloc(64, (2 * all * sizeof(gy_hull_box) + 63) / 64 * 64);
    result = bodies->triangles != NULL && bodies->boxes != NULL
                 ? fill(meshes, count, corner, unit, bodies)
                 : gyre_fail(GYRE_ERROR_MEMORY, "no memory for the meshes of a picture");
    if (result == GYRE_OK)
        grow_tree(bodies);
    else
        gy_hulls_free(bodies);
    return result;
}

void gy_hulls_free(gy_hulls *bodies)
{
    free(bodies->triangles);
    free(bodies->boxes);
    free(bodies->shade[0].reach);
    *bodies = (gy_hulls){0};
}

// Moeller and Trumbore, Fast, Minimum Storage Ray-Triangle Intersection (1997).
static void meet(const gy_triangle *t, const gy_ray *ray, gy_hull_hit *hit)
{
    vec across = vec_cross(ray->along, t->edge[1]);
    float facing = vec_dot(t->edge[0], across);

    if (fabsf(facing) < 1e-12f)
        return;
    float inverse = 1.0f / facing;
    vec to = ray->from - t->corner, up = vec_cross(to, t->edge[0]);
    float u = vec_dot(to, across) * inverse, v = vec_dot(ray->along, up) * inverse;
    float at = vec_dot(t->edge[1], up) * inverse;

    // A little over the edge, so that no ray slips between two triangles.
    if (u < -slack || v < -slack || u + v > 1.0f + slack || at <= 0.0f || at >= hit->t)
        return;
    hit->t = at;
    hit->body = t->body;
    vec normal = vec_unit(t->normal[0] * vec_all(1.0f - u - v) + t->normal[1] * vec_all(u) +
                          t->normal[2] * vec_all(v));

    hit->normal = facing > 0.0f ? normal : -normal;
}

static bool enters(const gy_hull_box *box, const gy_ray *ray, const vec *inverse, float far)
{
    vec a = (box->low - ray->from) * *inverse, b = (box->high - ray->from) * *inverse;
    vec in = vec_min(a, b), out = vec_max(a, b);
    float near = fmaxf(fmaxf(in[0], in[1]), fmaxf(in[2], 0.0f));

    return near <= fminf(fminf(out[0], out[1]), fminf(out[2], far));
}

void gy_hulls_hit(const gy_hulls *bodies, const gy_ray *ray, float far, gy_hull_hit *hit)
{
    int stack[GY_HULLS_DEEP], depth = 0;
    vec inverse;

    hit->t = far;
    hit->body = -1;
    for (int a = 0; a < 3; a++)
        inverse[a] = fabsf(ray->along[a]) > 1e-12f ? 1.0f / ray->along[a] : 1e12f;
    inverse[3] = 0.0f;
    if (bodies->box_count > 0)
        stack[depth++] = 0;
    while (depth > 0) {
        const gy_hull_box *box = &bodies->boxes[stack[--depth]];

        if (!enters(box, ray, &inverse, hit->t))
            continue;
        for (int i = 0; i < box->count; i++)
            meet(&bodies->triangles[box->first + i], ray, hit);
        if (box->count == 0) {
            stack[depth++] = box->first;
            stack[depth++] = box->first + 1;
        }
    }
    if (hit->body < 0)
        hit->t = GY_NEVER;
}
