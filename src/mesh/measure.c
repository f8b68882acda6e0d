// mesh/measure.c: whether a mesh can be used, what it measures, and its normals. A pass over the
// triangles each, in double precision.
//
// Volume, centre and inertia are integrals over the tetrahedra from a point to the triangles
// (mesh/mesh.h). That point is the middle of the mesh's box, so that a small mesh far from the
// origin keeps its digits.
#include "base/maths.h"
#include "mesh/mesh.h"

typedef struct placed {
    const gyre_mesh *mesh;
    double at[3]; // taken from every point
} placed;

static void corner_of(const void *surface, int triangle, int k, double p[3])
{
    const placed *s = surface;
    const float *from = s->mesh->points + 3 * s->mesh->triangles[3 * triangle + k];
    for (int a = 0; a < 3; a++) {
        p[a] = (double)from[a] - s->at[a];
    }
}

static double length_of(const double v[3])
{
    return __builtin_sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static void cross(const double u[3], const double v[3], double to[3])
{
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        to[a] = u[b] * v[c] - u[c] * v[b];
    }
}

gyre_result gyre_mesh_check(const gyre_mesh *mesh)
{
    if (GY_MISSING("mesh_check", mesh)) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (mesh->point_count < 0 || mesh->point_count > GY_MESH_MOST || mesh->triangle_count < 0 ||
        mesh->triangle_count > GY_MESH_MOST) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "mesh: %d points and %d triangles; from 0 to %d of each can be used",
                         mesh->point_count, mesh->triangle_count, GY_MESH_MOST);
    }
    if ((!mesh->points && mesh->point_count) || (!mesh->triangles && mesh->triangle_count)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "mesh: its %s are NULL",
                         mesh->points ? "triangles" : "points");
    }
    for (int k = 0; k < 3 * mesh->point_count; k++) {
        float x = mesh->points[k];
        if (!gy_is_finite(x) || x < -1e6f || x > 1e6f) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "mesh: point %d has the %c coordinate %g; it must be within 1e6 m",
                             k / 3, "xyz"[k % 3], (double)x);
        }
    }
    for (int k = 0; k < 3 * mesh->triangle_count; k++) {
        int32_t p = mesh->triangles[k];
        if (p < 0 || p >= mesh->point_count) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "mesh: triangle %d names the point %d; there are %d, from 0", k / 3, p,
                             mesh->point_count);
        }
    }
    return GYRE_OK;
}

static void measure_box(const gyre_mesh *mesh, gyre_mesh_measures *m, double middle[3])
{
    for (int a = 0; a < 3; a++) {
        for (int p = 0; p < mesh->point_count; p++) {
            float x = mesh->points[3 * p + a];
            m->low[a] = p == 0 ? x : GY_MIN(m->low[a], x);
            m->high[a] = p == 0 ? x : GY_MAX(m->high[a], x);
        }
        middle[a] = 0.5 * ((double)m->low[a] + (double)m->high[a]);
    }
}

/// Twice the area of a triangle, along its normal.
static void area_of(const placed *s, int t, double to[3])
{
    double p[3][3], u[3], v[3];
    for (int k = 0; k < 3; k++) {
        corner_of(s, t, k, p[k]);
    }
    for (int a = 0; a < 3; a++) {
        u[a] = p[1][a] - p[0][a];
        v[a] = p[2][a] - p[0][a];
    }
    cross(u, v, to);
}

gyre_result gyre_mesh_measure(const gyre_mesh *mesh, gyre_mesh_measures *measures)
{
    if (GY_MISSING("mesh_measure", mesh) || GY_MISSING("mesh_measure", measures)) {
        return GYRE_ERROR_ARGUMENT;
    }
    gyre_result r = gyre_mesh_check(mesh);
    if (r != GYRE_OK) {
        return r;
    }
    placed s = {.mesh = mesh};
    memset(measures, 0, sizeof *measures);
    measure_box(mesh, measures, s.at);
    for (int t = 0; t < mesh->triangle_count; t++) {
        double n[3];
        area_of(&s, t, n);
        measures->area += 0.5 * length_of(n);
    }
    gy_mesh_integrals sum = gy_mesh_integrate(&s, mesh->triangle_count, corner_of);
    double from[3] = {0.0, 0.0, 0.0}; // the box's middle to the centre
    for (int a = 0; a < 3 && sum.volume != 0.0; a++) {
        from[a] = sum.first[a] / sum.volume;
    }
    for (int a = 0; a < 3; a++) {
        measures->centre[a] = s.at[a] + from[a];
        for (int b = 0; b < 3; b++) {
            sum.second[a][b] -= sum.volume * from[a] * from[b];
        }
    }
    measures->volume = sum.volume;
    gy_mesh_inertia(sum.second, measures->inertia);
    return GYRE_OK;
}

/// The angle of a triangle at its corner k.
static double angle_at(const placed *s, int t, int k)
{
    double p[3][3], u[3], v[3], n[3];
    for (int c = 0; c < 3; c++) {
        corner_of(s, t, (k + c) % 3, p[c]);
    }
    for (int a = 0; a < 3; a++) {
        u[a] = p[1][a] - p[0][a];
        v[a] = p[2][a] - p[0][a];
    }
    cross(u, v, n);
    return (double)gy_atan2f((float)length_of(n), (float)(u[0] * v[0] + u[1] * v[1] + u[2] * v[2]));
}

/// Adds a triangle's unit normal to its points, each by its angle; the sums stay floats.
static void add_to_points(const placed *s, int t, const double unit[3], float *of_points)
{
    for (int k = 0; k < 3; k++) {
        double angle = angle_at(s, t, k);
        float *to = of_points + 3 * s->mesh->triangles[3 * t + k];
        for (int a = 0; a < 3; a++) {
            to[a] = (float)((double)to[a] + angle * unit[a]);
        }
    }
}

gyre_result gyre_mesh_normals(const gyre_mesh *mesh, float *of_triangles, float *of_points)
{
    if (GY_MISSING("mesh_normals", mesh)) {
        return GYRE_ERROR_ARGUMENT;
    }
    gyre_result r = gyre_mesh_check(mesh);
    if (r != GYRE_OK) {
        return r;
    }
    placed s = {.mesh = mesh};
    for (int k = 0; of_points && k < 3 * mesh->point_count; k++) {
        of_points[k] = 0.0f;
    }
    for (int t = 0; t < mesh->triangle_count; t++) {
        double n[3], length;
        area_of(&s, t, n);
        length = length_of(n);
        for (int a = 0; a < 3; a++) {
            n[a] = length > 0.0 ? n[a] / length : 0.0;
            if (of_triangles) {
                of_triangles[3 * t + a] = (float)n[a];
            }
        }
        if (of_points && length > 0.0) {
            add_to_points(&s, t, n, of_points);
        }
    }
    for (int p = 0; of_points && p < mesh->point_count; p++) {
        float *to = of_points + 3 * p;
        const double n[3] = {(double)to[0], (double)to[1], (double)to[2]};
        double length = length_of(n);
        for (int a = 0; a < 3 && length > 0.0; a++) {
            to[a] = (float)(n[a] / length);
        }
    }
    return GYRE_OK;
}
