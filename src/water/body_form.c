// Forms of bodies: what is refused, volumes and moments of inertia (mesh/mesh.h has the integrals
// over a closed surface and the convex hull).
#include "base/maths.h"
#include "water/form.h"
#include <string.h>

static double length_of(const double v[3])
{
    return __builtin_sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static gyre_result refuse(const char *path, const char *what, const char *why)
{
    return gyre_fail(GYRE_ERROR_ARGUMENT, "%s%s%s %s", path, path[0] ? "." : "", what, why);
}

static void corner_of(const void *surface, int triangle, int k, double p[3])
{
    const gy_form *form = surface;
    const float *from = form->points + 3 * gy_form_corner(form, triangle, k);
    for (int a = 0; a < 3; a++) {
        p[a] = (double)from[a];
    }
}

static int index_of(const void *surface, int triangle, int k)
{
    return gy_form_corner(surface, triangle, k);
}

static void make_box(gy_form *form, const float size[3])
{
    static const uint8_t faces[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                      2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    for (int c = 0; c < 8; c++) {
        for (int a = 0; a < 3; a++) {
            form->corners[3 * c + a] = (c >> a & 1 ? 0.5f : -0.5f) * size[a];
        }
    }
    for (int k = 0; k < 36; k++) {
        form->found[k] = faces[k];
    }
    form->points = form->corners;
    form->point_count = 8;
    form->triangle_count = 12;
}

static void make_round(gy_form *form)
{
    const double pi = 3.14159265358979323846;
    double r = (double)form->radius, l = (double)form->length;
    double ball = 4.0 / 3.0 * pi * r * r * r, tube = pi * r * r * l;
    form->volume = ball + tube;
    double along = ball * 0.4 * r * r + tube * 0.5 * r * r;
    // Two halves of a ball, each with its own centre of mass 3/8 r beyond the tube's end.
    double across =
        tube * (r * r / 4.0 + l * l / 12.0) + ball * (0.4 * r * r + l * l / 4.0 + 0.375 * r * l);
    form->inertia[0][0] = along;
    form->inertia[1][1] = form->inertia[2][2] = across;
    form->reach = r + 0.5 * l;
}

static gyre_result take_points(gy_form *form, const gyre_water_body *body, const char *path)
{
    const gyre_volume *v = &body->points;
    if (!v->data || v->n[0] != 3 || v->n[1] < 4 || v->n[2] < 1) {
        return refuse(path, "points", "must hold three numbers each of at least four points");
    }
    if ((int64_t)v->n[1] * v->n[2] > 1 << 24) {
        return refuse(path, "points", "are more than 16777216");
    }
    form->points = v->data;
    form->point_count = v->n[1] * v->n[2];
    double farthest = 0.0;
    for (int p = 0; p < form->point_count; p++) {
        double at[3];
        for (int a = 0; a < 3; a++) {
            float x = v->data[3 * p + a];
            if (!gy_is_finite(x) || x < -1e6f || x > 1e6f) {
                return refuse(path, "points", "must be finite and within 1e6 m");
            }
            at[a] = (double)x;
        }
        farthest = GY_MAX(farthest, length_of(at));
    }
    form->reach = farthest;
    return GYRE_OK;
}

static gyre_result take_triangles(gy_form *form, const gyre_water_body *body, const char *path)
{
    const gyre_volume *v = &body->triangles;
    if (!v->data || v->n[0] != 3 || v->n[1] < 4 || v->n[2] < 1) {
        return refuse(path, "triangles", "must hold three indices each of at least four triangles");
    }
    if ((int64_t)v->n[1] * v->n[2] > 1 << 24) {
        return refuse(path, "triangles", "are more than 16777216");
    }
    form->indices = v->data;
    form->triangle_count = v->n[1] * v->n[2];
    for (int k = 0; k < 3 * form->triangle_count; k++) {
        float index = v->data[k];
        if (!(index >= 0.0f && index < (float)form->point_count) || index != (float)(int)index) {
            return refuse(path, "triangles", "must be whole numbers that name points");
        }
    }
    if (!gy_mesh_is_closed(form, form->triangle_count, index_of)) {
        return refuse(path, "triangles", "do not close: an edge has a triangle on one side alone");
    }
    return GYRE_OK;
}

static gyre_result check_volume(const gy_form *form, const char *path)
{
    const char *what = form->kind == GYRE_BODY_MESH ? "triangles" : "points";
    double whole = form->reach * form->reach * form->reach;
    if (form->volume < -1e-9 * whole) {
        return refuse(path, what, "are inside out: seen from outside they must run anticlockwise");
    }
    if (!(form->volume > 1e-9 * whole) || !(form->volume > 1e-12)) {
        return refuse(path, what, "enclose no volume");
    }
    return GYRE_OK;
}

static gyre_result check_sizes(const gyre_water_body *body, const char *path)
{
    int sizes = body->form == GYRE_BODY_SPHERE ? 1 : body->form == GYRE_BODY_BOX ? 3 : 2;
    for (int a = 0; a < sizes; a++) {
        float s = body->size[a];
        bool distance = body->form == GYRE_BODY_CAPSULE && a == 1;
        if (!gy_is_finite(s) || s > 1e6f || (distance ? s < 0.0f : !(s >= 1e-4f))) {
            return refuse(path, "size",
                          distance ? "must be 0 or more, and finite"
                                   : "must be at least 1e-4 m and finite");
        }
    }
    return GYRE_OK;
}

/// What floats by itself, and what of the water goes along.
static void weigh(gy_form *form, const gyre_water_body *body)
{
    form->mass = body->held ? 0.0 : form->volume * (double)body->density;
    form->added = (double)body->added_mass;
}

gyre_result gy_form_make(gy_form *form, const gyre_water_body *body, const char *path)
{
    gyre_result r = GYRE_OK;
    memset(form, 0, sizeof *form);
    form->kind = body->form;
    switch (body->form) {
    case GYRE_BODY_SPHERE:
    case GYRE_BODY_BOX:
    case GYRE_BODY_CAPSULE:
        r = check_sizes(body, path);
        break;
    case GYRE_BODY_HULL:
        r = take_points(form, body, path);
        if (r == GYRE_OK && form->point_count > GY_HULL_POINTS) {
            r = refuse(path, "points", "of a hull are more than 512; give a mesh");
        }
        break;
    case GYRE_BODY_MESH:
        r = take_points(form, body, path);
        r = r == GYRE_OK ? take_triangles(form, body, path) : r;
        break;
    default:
        r = refuse(path, "form", "is unknown");
    }
    if (r != GYRE_OK) {
        return r;
    }
    if (body->form == GYRE_BODY_SPHERE || body->form == GYRE_BODY_CAPSULE) {
        form->radius = body->size[0];
        form->length = body->form == GYRE_BODY_CAPSULE ? body->size[1] : 0.0f;
        make_round(form);
        form->ready = true;
        weigh(form, body);
        return GYRE_OK;
    }
    if (body->form == GYRE_BODY_BOX) {
        const double half[3] = {0.5 * (double)body->size[0], 0.5 * (double)body->size[1],
                                0.5 * (double)body->size[2]};
        make_box(form, body->size);
        form->reach = length_of(half);
    } else if (body->form == GYRE_BODY_HULL) {
        form->triangle_count = gy_hull_make(form->points, form->point_count, form->found);
        if (form->triangle_count == 0) {
            return refuse(path, "points", "lie in one plane: their hull encloses no volume");
        }
    }
    gy_mesh_integrals sum = gy_mesh_integrate(form, form->triangle_count, corner_of);
    form->volume = sum.volume;
    gy_mesh_inertia(sum.second, form->inertia);
    r = body->form == GYRE_BODY_BOX ? GYRE_OK : check_volume(form, path);
    form->ready = r == GYRE_OK;
    weigh(form, body);
    return r;
}

static bool finite3(const float v[3], float most)
{
    for (int a = 0; a < 3; a++) {
        if (!gy_is_finite(v[a]) || v[a] > most || v[a] < -most) {
            return false;
        }
    }
    return true;
}

gyre_result gy_body_check(const gyre_water_body *body, const char *path)
{
    gy_form form;
    path = path ? path : "";
    if (!gy_is_finite(body->density) || !(body->density > 0.0f) || body->density > 1e6f) {
        return refuse(path, "density", "must be above 0 and at most 1e6 kg/m^3");
    }
    if (!finite3(body->pose.position, 1e6f)) {
        return refuse(path, "position", "must be finite and within 1e6 m");
    }
    if (!finite3(body->pose.rotation, 1e9f)) {
        return refuse(path, "rotation", "must be finite");
    }
    const double q[4] = {(double)body->pose.orientation[0], (double)body->pose.orientation[1],
                         (double)body->pose.orientation[2], (double)body->pose.orientation[3]};
    if (!gy_is_orientation(q)) {
        return refuse(path, "orientation", "must be of unit length (within 1e-3), or all 0");
    }
    if (!finite3(body->pose.velocity, 1e4f) || !finite3(body->pose.spin, 1e5f)) {
        return refuse(path, "velocity", "and spin must be finite, at most 1e4 m/s and 1e5 deg/s");
    }
    if (!finite3(body->force, 1e30f) || !finite3(body->torque, 1e30f)) {
        return refuse(path, "force", "and torque must be finite");
    }
    if (!gy_is_finite(body->drag) || !(body->drag >= 0.0f) || !gy_is_finite(body->added_mass) ||
        !(body->added_mass >= 0.0f)) {
        return refuse(path, "drag", "and added_mass must be finite and not below 0");
    }
    if (!(body->waves >= 0.0f && body->waves <= 1.0f)) {
        return refuse(path, "waves", "must be from 0 to 1");
    }
    return gy_form_make(&form, body, path);
}
