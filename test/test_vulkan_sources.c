// labels: vulkan
// The twins of the ops by which something enters a gas against their C bodies, on random fields
// among random solids, of floats and of halves.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "shape/shape.h"
#include "test/vulkan_world.h"

/// Faces across each axis, then centres.
static gyre_location location_of(const world *w, int draw)
{
    return draw < w->def.dim ? gy_faces(draw) : GYRE_CENTRE;
}

static void check_source(world *w)
{
    for (int draw = 0; draw <= w->def.dim; draw++) {
        gyre_location location = location_of(w, draw);
        gy_box box = box_of(&w->def, location, true);
        int n[3] = {box.high[0], box.high[1] + 1, box.high[2]}; // a caller's may have more
        size_t count = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
        uint32_t rates = rig_take_bytes(&w->block, count * sizeof(float));
        float *rate = rig_at(&w->block, rates);
        for (size_t i = 0; i < count; i++) {
            int dice = rig_int(0, 19);
            rate[i] = dice == 0 ? NAN : dice == 1 ? INFINITY : rig_float(-9.0f, 9.0f);
        }
        gy_source_args a = {.base = rig_base(&w->block),
                            .rate = (uint64_t)(uintptr_t)rate,
                            .field = w->field[draw],
                            .samples = {n[0], n[1]},
                            .dt = 0.3f,
                            .limit = 1.5f,
                            .extent = w->extent,
                            .location = (int32_t)location,
                            .level = gy_system_offset(&w->system, 0)};
        share(w);
        rig_run(&w->block, GY_OP_source, &a, box);
        rig_fetch(&w->block);
        same_block(w, "source");
    }
}

static void check_splat(world *w)
{
    for (int draw = 0; draw < 4; draw++) {
        gyre_location location = location_of(w, draw);
        gy_splat_args a = {.base = rig_base(&w->block),
                           .field = w->field[0],
                           .location = (int32_t)location,
                           .extent = w->extent,
                           .radius = rig_float(1.0f, 12.0f),
                           .amount = draw % 2 ? 0.8f : -2.0f,
                           .limit = 1.4f,
                           .level = gy_system_offset(&w->system, 0)};
        for (int d = 0; d < w->def.dim; d++) {
            a.centre[d] = rig_float(0.0f, (float)w->def.n[d]);
        }
        share(w);
        rig_run(&w->block, GY_OP_splat, &a, box_of(&w->def, location, true));
        rig_fetch(&w->block);
        // A division, whose result is taken from 1.
        same_field(w, w->field[0], box_of(&w->def, location, true), (rig_bound){0, 1.5e-6},
                   "splat");
    }
}

/// A shape of a kind somewhere in the world, whose cells are 0.1 m wide.
static gyre_shape shape_of(world *w, int kind, bool fine)
{
    gyre_shape s = {.kind = kind};
    float size[3];
    for (int d = 0; d < 3; d++) {
        size[d] = 0.1f * (float)w->def.n[d];
    }
    for (int d = 0; d < 3; d++) {
        float at = rig_float(0.2f, 0.8f) * size[d];
        switch (kind) {
        case GYRE_SHAPE_SPHERE:
            s.as.sphere.centre[d] = at;
            s.as.sphere.radius = 0.45f;
            break;
        case GYRE_SHAPE_BOX:
            s.as.box.centre[d] = at;
            s.as.box.size[d] = rig_float(0.2f, 0.9f);
            s.as.box.rotation[d] = fine ? 0.0f : rig_float(-90.0f, 90.0f);
            break;
        case GYRE_SHAPE_CAPSULE:
            s.as.capsule.from[d] = at;
            s.as.capsule.to[d] = fine ? at : rig_float(0.2f, 0.8f) * size[d];
            s.as.capsule.radius = 0.25f;
            break;
        case GYRE_SHAPE_HALF_SPACE:
            s.as.half_space.point[d] = at;
            s.as.half_space.normal[d] = rig_float(-1.0f, 1.0f);
            break;
        default: {
            gyre_volume *v = &s.as.volume.data;
            v->n[d] = d < w->def.dim ? (fine ? 23 : 4) : 1;
            s.as.volume.low[d] = 0.1f * size[d];
            s.as.volume.size[d] = 0.7f * size[d];
        }
        }
    }
    if (kind == GYRE_SHAPE_VOLUME) {
        gyre_volume *v = &s.as.volume.data;
        int count = v->n[0] * v->n[1] * v->n[2];
        float *data = rig_at(&w->block, rig_take_bytes(&w->block, (size_t)count * sizeof(float)));
        for (int i = 0; i < count; i++) {
            data[i] = rig_float(0.0f, 1.0f);
        }
        v->data = data;
        s.as.volume.threshold = 0.4f;
    }
    return s;
}

static void check_emit(world *w)
{
    for (int draw = 0; draw < 10; draw++) {
        gyre_shape shape = shape_of(w, draw / 2, draw % 2);
        gyre_pose pose = {.position = {0}};
        for (int d = 0; d < w->def.dim && draw % 2 == 0; d++) { // fine ones stay along the axes
            pose.position[d] = rig_float(-0.1f, 0.1f);
            pose.rotation[2 - d] = rig_float(-20.0f, 20.0f);
        }
        gy_solid solid = gy_solid_make_posed(&shape, &pose, w->def.dim);
        gy_solid *made = rig_at(&w->block, rig_take_bytes(&w->block, sizeof solid));
        *made = solid;
        gyre_location location = location_of(w, draw % 4);
        gy_emit_args a = {.base = rig_base(&w->block),
                          .shape = (uint64_t)(uintptr_t)made,
                          .volume = (uint64_t)(uintptr_t)shape.as.volume.data.data,
                          .field = w->field[0],
                          .location = (int32_t)location,
                          .extent = w->extent,
                          .origin = {0.03f, -0.02f, 0.01f},
                          .h = 0.1f,
                          .amount = 0.9f,
                          .hold = draw % 3 == 0,
                          .noise = draw % 2 ? 0.6f : 0.0f,
                          .noise_size = 0.23f,
                          .seed = 12345u + (uint32_t)draw,
                          .limit = 1.6f,
                          .phase = 17.3f,
                          .level = gy_system_offset(&w->system, 0)};
        if (shape.kind != GYRE_SHAPE_VOLUME) {
            a.volume = 0;
        }
        gy_box box = box_of(&w->def, location, true);
        box.low[0] = GY_MIN(2, box.high[0] - 1);
        rig_random_field(&w->block, w->field[0], &w->layout, -1.0f, 1.0f);
        share(w);
        rig_run(&w->block, GY_OP_emit, &a, box);
        rig_fetch(&w->block);
        same_field(w, w->field[0], whole_rows(w, box_of(&w->def, location, false)),
                   (rig_bound){0, 4e-6}, "emit");
    }
}

TEST(source)
TEST(splat)
TEST(emit)

int main(void)
{
    if (!vulkan_rig_open()) {
        return VULKAN_RIG_SKIPPED;
    }
    const struct CMUnitTest tests[] = {
        BOTH(source),
        BOTH(splat),
        BOTH(emit),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed + vulkan_rig_close();
}
