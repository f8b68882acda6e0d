// test/mesh_case.h: meshes whose every measure is known: spheres, tori, boxes.
#ifndef GYRE_TEST_MESH_CASE_H
#define GYRE_TEST_MESH_CASE_H

#include "gyre/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct mesh_case {
    gyre_mesh mesh;
    float *points;
    int32_t *triangles;
} mesh_case;

static inline mesh_case mesh_case_make(int points, int triangles)
{
    mesh_case c;
    c.points = calloc((size_t)points * 3, sizeof(float));
    c.triangles = calloc((size_t)triangles * 3, sizeof(int32_t));
    c.mesh = (gyre_mesh){c.points, points, c.triangles, triangles};
    return c;
}

static inline void mesh_case_free(mesh_case *c)
{
    free(c->points);
    free(c->triangles);
}

/// Rings x around points on a torus of radii `whole` and `tube` about z.
static inline mesh_case mesh_case_torus(int rings, int around, double whole, double tube)
{
    const double turn = 6.283185307179586;
    mesh_case c = mesh_case_make(rings * around, 2 * rings * around);
    for (int i = 0; i < rings; i++) {
        for (int j = 0; j < around; j++) {
            double u = turn * i / rings, v = turn * j / around, r = whole + tube * cos(v);
            float *p = c.points + 3 * (i * around + j);
            p[0] = (float)(r * cos(u));
            p[1] = (float)(r * sin(u));
            p[2] = (float)(tube * sin(v));
            int32_t *t = c.triangles + 6 * (i * around + j);
            int n = (i + 1) % rings, m = (j + 1) % around;
            const int32_t quad[6] = {i * around + j, n * around + j, n * around + m,
                                     i * around + j, n * around + m, i * around + m};
            memcpy(t, quad, sizeof quad);
        }
    }
    return c;
}

static inline mesh_case mesh_case_sphere(int rings, int around, double radius)
{
    const double turn = 6.283185307179586;
    mesh_case c = mesh_case_make(2 + (rings - 1) * around, 2 * (rings - 1) * around);
    int t = 0;
    c.points[2] = (float)-radius;
    c.points[5] = (float)radius;
    for (int i = 1; i < rings; i++) {
        for (int j = 0; j < around; j++) {
            double v = 0.5 * turn * i / rings, u = turn * j / around;
            int at = 2 + (i - 1) * around + j, next = 2 + (i - 1) * around + (j + 1) % around;
            float *p = c.points + 3 * at;
            p[0] = (float)(radius * sin(v) * cos(u));
            p[1] = (float)(radius * sin(v) * sin(u));
            p[2] = (float)(-radius * cos(v));
            int32_t *to = c.triangles + 3 * t;
            if (i == 1) {
                const int32_t low[3] = {0, next, at};
                memcpy(to, low, sizeof low);
                t++;
                to += 3;
            } else {
                const int32_t quad[6] = {at - around, next - around, next, at - around, next, at};
                memcpy(to, quad, sizeof quad);
                t += 2;
                to += 6;
            }
            if (i == rings - 1) {
                const int32_t high[3] = {at, next, 1};
                memcpy(to, high, sizeof high);
                t++;
            }
        }
    }
    return c;
}

static inline mesh_case mesh_case_box(const float low[3], const float high[3])
{
    static const int32_t faces[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                      2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    mesh_case c = mesh_case_make(8, 12);
    for (int p = 0; p < 8; p++) {
        for (int a = 0; a < 3; a++) {
            c.points[3 * p + a] = p >> a & 1 ? high[a] : low[a];
        }
    }
    memcpy(c.triangles, faces, sizeof faces);
    return c;
}

#endif
