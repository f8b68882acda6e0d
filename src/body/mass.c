// body/mass.c: volume, centre and inertia of forms, of 1 kg/m^3.
//
// Balls, boxes, capsules and cylinders by formula; hulls and meshes by the integrals of
// mesh/mesh.h; volumes and bitmaps as sums over cells, each filled by how far its centre is inside
// (0 to 1 over the width of a cell), which is of second order where the surface is smooth.
#include "body/body.h"
#include "body/rigid.h"

static const double pi = 3.14159265358979323846;

/// A capsule (or ball) or a cylinder along x.
static void weigh_round(gy_figure *f, double r, double l, bool caps)
{
    double ball = caps ? 4.0 / 3.0 * pi * r * r * r : 0.0, tube = pi * r * r * l;
    f->volume = ball + tube;
    f->inertia[0][0] = ball * 0.4 * r * r + tube * 0.5 * r * r;
    // Two halves of a ball, each with its own centre of mass 3/8 r beyond the tube's end.
    f->inertia[1][1] = f->inertia[2][2] =
        tube * (r * r / 4.0 + l * l / 12.0) + ball * (0.4 * r * r + l * l / 4.0 + 0.375 * r * l);
}

static void weigh_box(gy_figure *f, const double half[3])
{
    f->volume = 8.0 * half[0] * half[1] * half[2];
    for (int a = 0; a < 3; a++) {
        double b = half[(a + 1) % 3], c = half[(a + 2) % 3];
        f->inertia[a][a] = f->volume / 3.0 * (b * b + c * c);
    }
}

static void weigh_mesh(gy_figure *f)
{
    gyre_mesh_measures m;
    const gyre_mesh mesh = gyre_mesh_tree_mesh(f->tree);
    if (!f->closed || gyre_mesh_measure(&mesh, &m) != GYRE_OK || !(m.volume > 1e-12)) {
        return;
    }
    f->volume = m.volume;
    memcpy(f->centre, m.centre, sizeof f->centre);
    memcpy(f->inertia, m.inertia, sizeof f->inertia);
}

static void weigh_array(gy_figure *f, const gyre_volume *v, const double low[3],
                        const double size[3])
{
    double h[3], first[3] = {0}, second[3][3] = {{0}}, least = 1e300, sum = 0.0;
    for (int a = 0; a < 3; a++) {
        h[a] = size[a] / v->n[a];
        least = GY_MIN(least, h[a]);
    }
    double cell = h[0] * h[1] * h[2];
    for (int k = 0; k < v->n[2]; k++) {
        for (int j = 0; j < v->n[1]; j++) {
            for (int i = 0; i < v->n[0]; i++) {
                // From the box's middle, so that what is far away keeps its digits.
                const double p[3] = {(i + 0.5) * h[0] - 0.5 * size[0],
                                     (j + 0.5) * h[1] - 0.5 * size[1],
                                     (k + 0.5) * h[2] - 0.5 * size[2]};
                const double at[3] = {low[0] + (i + 0.5) * h[0], low[1] + (j + 0.5) * h[1],
                                      low[2] + (k + 0.5) * h[2]};
                double part = 0.5 - gy_figure_distance(f, at) / least;
                part = cell * GY_MAX(GY_MIN(part, 1.0), 0.0);
                sum += part;
                for (int a = 0; a < 3; a++) {
                    first[a] += part * p[a];
                    second[a][a] += part * h[a] * h[a] / 12.0;
                    for (int b = 0; b < 3; b++) {
                        second[a][b] += part * p[a] * p[b];
                    }
                }
            }
        }
    }
    if (!(sum > 1e-12)) {
        return;
    }
    for (int a = 0; a < 3; a++) {
        f->centre[a] = low[a] + 0.5 * size[a] + first[a] / sum;
        for (int b = 0; b < 3; b++) {
            second[a][b] -= first[a] * first[b] / sum;
        }
    }
    f->volume = sum;
    gy_mesh_inertia(second, f->inertia);
}

void gy_figure_weigh(gy_figure *f)
{
    switch (f->kind) {
    case GYRE_FORM_SPHERE:
        weigh_round(f, f->solid.radius, 0.0, true);
        break;
    case GYRE_FORM_BOX:
        weigh_box(f, f->solid.b);
        break;
    case GYRE_FORM_CAPSULE:
        weigh_round(f, f->solid.radius, 2.0 * f->solid.b[0], true);
        break;
    case GYRE_FORM_CYLINDER:
        weigh_round(f, f->radius, 2.0 * f->half, false);
        break;
    case GYRE_FORM_HULL:
    case GYRE_FORM_MESH:
        weigh_mesh(f);
        break;
    case GYRE_FORM_VOLUME:
        weigh_array(f, &f->array, f->low, f->size);
        break;
    case GYRE_FORM_BITMAP:
        weigh_array(f, &f->solid.volume, f->solid.a, f->solid.b);
        break;
    default:
        break;
    }
    gy_rigid_principal((const double(*)[3])f->inertia, f->axes, f->moments);
}
