// test/body_set_rig.h: what the tests of sets of bodies share.
#ifndef GYRE_TEST_BODY_SET_RIG_H
#define GYRE_TEST_BODY_SET_RIG_H

#include "mesh_case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "gyre/gyre.h"

#include <cmocka.h>

static inline void must(gyre_result result)
{
    if (result != GYRE_OK) {
        fail_msg("%s: %s", gyre_result_name(result), gyre_message());
    }
}

static inline void near(const char *what, double is, double right, double within)
{
    if (!(fabs(is - right) <= within)) {
        fail_msg("%s is %.12g, not %.12g within %g", what, is, right, within);
    }
}

static inline gyre_bodies *set_of(void)
{
    gyre_bodies *set = NULL;
    must(gyre_bodies_create(NULL, &set));
    return set;
}

static inline gyre_id added(gyre_bodies *set, const gyre_body *body)
{
    gyre_id id = gyre_bodies_add(set, body);
    if (id == 0) {
        fail_msg("%s", gyre_message());
    }
    return id;
}

static inline gyre_body_state state_of(const gyre_bodies *set, gyre_id id)
{
    gyre_body_state state;
    must(gyre_bodies_state(set, id, &state));
    return state;
}

static inline gyre_body read_of(const gyre_bodies *set, gyre_id id)
{
    gyre_body body;
    must(gyre_bodies_read(set, id, &body));
    return body;
}

/// A mesh as the arrays of a body.
typedef struct arrays {
    gyre_volume points, triangles;
    float *indices;
} arrays;

static inline arrays arrays_of(const mesh_case *c)
{
    arrays a;
    a.indices = calloc((size_t)c->mesh.triangle_count * 3, sizeof(float));
    for (int k = 0; k < 3 * c->mesh.triangle_count; k++) {
        a.indices[k] = (float)c->triangles[k];
    }
    a.points = (gyre_volume){c->points, {3, c->mesh.point_count, 1}, "points"};
    a.triangles = (gyre_volume){a.indices, {3, c->mesh.triangle_count, 1}, "triangles"};
    return a;
}

static inline gyre_body mesh_body(const arrays *a)
{
    gyre_body body = gyre_bodies_default_body();
    memset(&body.form, 0, sizeof body.form);
    body.form.kind = GYRE_FORM_MESH;
    body.form.as.mesh.points = a->points;
    body.form.as.mesh.triangles = a->triangles;
    return body;
}

/// A box of three different edges spun about its middle axis tumbles.
static inline gyre_body tumbler(void)
{
    gyre_body body = gyre_bodies_default_body();
    body.motion = GYRE_MOTION_FREE;
    body.density = 1;
    body.form.as.box.size[0] = 3;
    body.form.as.box.size[1] = 2;
    body.form.as.box.size[2] = 1;
    body.pose.rotation[0] = 20;
    body.pose.rotation[2] = 50;
    body.pose.spin[0] = -150;
    body.pose.spin[1] = 220;
    body.pose.spin[2] = 20;
    return body;
}

static inline gyre_bodies *in_space(void)
{
    const float none[3] = {0, 0, 0};
    gyre_bodies *set = set_of();
    must(gyre_bodies_set_gravity(set, none));
    return set;
}

#endif
