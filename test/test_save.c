// test/test_save.c: a gas goes on after load as if it had never stopped, and nothing damaged is
// taken.
// labels: small valgrind
#define _POSIX_C_SOURCE 200809L // mkdtemp, truncate
#include "base/base.h"
#include "device_rig.h"
#include "gas_case.h"

#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct saved {
    char *bytes;
    size_t size;
} saved;

static saved save(const gyre_gas *gas)
{
    size_t most = gyre_gas_save_size(gas);
    char *bytes = malloc(most);
    saved s = {NULL, 0};
    assert_non_null(bytes);
    must(gyre_gas_save(gas, bytes, most, &s.size));
    assert_true(s.size > 0 && s.size <= most);
    // Of the exact size, so that a checker of memory sees a byte too many.
    s.bytes = malloc(s.size);
    assert_non_null(s.bytes);
    free(bytes);
    must(gyre_gas_save(gas, s.bytes, s.size, NULL));
    return s;
}

static gyre_gas *gas_of(int which)
{
    gyre_gas *gas = gas_case_make(&gas_cases[which], the_device);
    if (!gas) {
        fail_msg("%s: %s", gas_cases[which].name, gyre_message());
    }
    return gas;
}

static void steps(gyre_gas *gas, int which, int count)
{
    for (int s = 0; s < count; s++) {
        must(gyre_gas_step(gas, gas_cases[which].dt));
    }
}

static void a_loaded_state_goes_on_alike(void **state)
{
    (void)state;
    for (int c = 0; c < GAS_CASES - 2; c++) {
        gyre_gas *gas = gas_of(c);
        steps(gas, c, 3);
        saved s = save(gas);
        uint64_t then = gyre_gas_hash(gas);
        steps(gas, c, 3);
        uint64_t later = gyre_gas_hash(gas);
        assert_true(then != later);
        // Back in the same gas, and in one that has been elsewhere.
        gyre_gas *other = gas_of(c);
        steps(other, c, 1);
        for (int twice = 0; twice < 4; twice++) {
            gyre_gas *g = twice % 2 ? other : gas;
            must(gyre_gas_load(g, s.bytes, s.size));
            assert_true(gyre_gas_hash(g) == then);
            gyre_gas_stats stats = gyre_gas_get_stats(g);
            assert_int_equal(stats.step, 3);
            saved again = save(g);
            assert_true(again.size == s.size && memcmp(again.bytes, s.bytes, s.size) == 0);
            free(again.bytes);
            steps(g, c, 3);
            if (gyre_gas_hash(g) != later) {
                fail_msg("%s goes on otherwise after load %d", gas_cases[c].name, twice);
            }
        }
        gyre_gas_destroy(other);
        gyre_gas_destroy(gas);
        free(s.bytes);
    }
}

/// A snapshot brings the same bits, back and on from there, in no more room; its headers are sure,
/// and what is no number is refused. It is no file.
static void a_snapshot_goes_on_alike(void **state)
{
    (void)state;
    for (int c = 0; c < GAS_CASES - 2; c++) {
        gyre_gas *gas = gas_of(c), *other = gas_of(c);
        gyre_model *model = gyre_gas_model(gas);
        steps(gas, c, 3);
        steps(other, c, 1);
        saved s = save(gas);
        size_t written = 0, size = gyre_model_save_size(model);
        char *bytes = malloc(size);
        must(gyre_model_snapshot(model, bytes, size, &written));
        assert_int_equal(written, s.size);
        assert_int_equal(gyre_model_snapshot(model, bytes, written - 1, NULL), GYRE_ERROR_ARGUMENT);
        uint64_t then = gyre_gas_hash(gas);
        steps(gas, c, 3);
        uint64_t later = gyre_gas_hash(gas);
        for (int twice = 0; twice < 4; twice++) {
            gyre_gas *g = twice % 2 ? other : gas;
            must(gyre_gas_load(g, bytes, written));
            assert_true(gyre_gas_hash(g) == then);
            saved again = save(g);
            assert_true(again.size == s.size && memcmp(again.bytes, s.bytes, s.size) == 0);
            free(again.bytes);
            steps(g, c, 3);
            assert_true(gyre_gas_hash(g) == later);
        }
        // Bytes of headers and lengths, and a NaN in the last field's samples.
        for (size_t at = 0; at < 200; at++) {
            bytes[at] ^= 4;
            gyre_result r = gyre_gas_load(gas, bytes, written);
            assert_true(r == GYRE_ERROR_FORMAT || at >= 32 + 80);
            bytes[at] ^= 4;
        }
        const float nan = NAN;
        char *field = NULL;
        for (size_t at = 0; at + 16 < written && !field; at++) {
            field = memcmp(bytes + at, "field.velocity_x", 17) == 0 ? bytes + at : NULL;
        }
        assert_non_null(field);
        char kept[4];
        memcpy(kept, field + 80 + 16 + 40, 4);
        memcpy(field + 80 + 16 + 40, &nan, 4);
        then = gyre_gas_hash(gas);
        assert_int_equal(gyre_gas_load(gas, bytes, written), GYRE_ERROR_FORMAT);
        assert_true(gyre_gas_hash(gas) == then);
        memcpy(field + 80 + 16 + 40, kept, 4);
        const char *path = GYRE_BINARY_DIR "/test_save_snapshot.gyre";
        FILE *f = fopen(path, "wb");
        assert_true(f && fwrite(bytes, 1, written, f) == written && fclose(f) == 0);
        assert_int_equal(gyre_model_load_file(model, path), GYRE_ERROR_FORMAT);
        assert_non_null(strstr(gyre_message(), "snapshot"));
        remove(path);
        gyre_gas_destroy(gas);
        gyre_gas_destroy(other);
        free(bytes);
        free(s.bytes);
    }
}

/// What a state takes is at most two copies of what lives: fields, and of a gas the velocities
/// before the last step and the pressure that it goes on from. What a load finds as it is is left
/// alone, so that a solid's openness is not made again.
static void a_state_is_at_most_two_copies(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        gyre_gas_def def = gyre_gas_default_def(dim);
        for (int a = 0; a < dim; a++) {
            def.grid.n[a] = dim == 3 ? 32 : 128;
        }
        gyre_gas_solid ball = gyre_gas_default_solid();
        ball.shape = gas_sphere(0.4f, 0.5f, 0.4f, 0.2f);
        def.solids = (gyre_pool){&ball, 1, 4};
        gyre_gas *gas;
        must(gyre_gas_create(the_device, &def, &gas));
        gyre_model *model = gyre_gas_model(gas);
        int count;
        const gyre_field_info *fields = gyre_gas_fields(gas, &count);
        size_t cells = (size_t)def.grid.n[0] * (size_t)def.grid.n[1] * (size_t)def.grid.n[2];
        size_t live = (size_t)(dim + 1) * cells * sizeof(float);
        for (int f = 0; f < count; f++) {
            live += fields[f].derived ? 0 : cells * sizeof(float);
        }
        size_t size = gyre_model_save_size(model), written;
        assert_true(size <= 2 * live);
        void *bytes = malloc(size);
        must(gyre_gas_step(gas, 0.02f));
        must(gyre_model_snapshot(model, bytes, size, &written));
        must(gyre_gas_step(gas, 0.02f));
        uint64_t ops = gyre_device_op_count(the_device);
        must(gyre_gas_load(gas, bytes, written));
        ops = gyre_device_op_count(the_device) - ops;
        // The halos of four fields or five, along two axes or three.
        assert_true(ops == (dim == 2 ? 8 : 15));
        free(bytes);
        gyre_gas_destroy(gas);
    }
}

/// Solids that reach a side: paths beside them read what is beyond it, which is not saved.
static void what_is_beyond_sides_is_made_of_what_is_saved(void **state)
{
    (void)state;
    for (int q = 0; q < 12; q++) {
        gyre_gas_def def = gyre_gas_default_def(2);
        gyre_gas_solid wall = gyre_gas_default_solid();
        def.grid.n[0] = 20;
        def.grid.n[1] = 16;
        def.grid.h = 0.1f;
        def.gravity[1] = 0.0f;
        def.courant = 0.0f;
        def.solid_slip = true;
        def.advection = q % 4 == 0   ? GYRE_GAS_SEMI_LAGRANGIAN
                        : q % 4 == 1 ? GYRE_GAS_MACCORMACK
                        : q % 4 == 2 ? GYRE_GAS_BFECC
                                     : GYRE_GAS_CUBIC;
        def.density.diffusivity = q / 4 == 2 ? 0.01f : 0.0f;
        if (q / 4 == 1) {
            def.sides.x_low.rule = def.sides.x_high.rule = GYRE_GAS_SIDE_PERIODIC;
        }
        wall.shape.kind = GYRE_SHAPE_SPHERE;
        wall.shape.as.sphere.radius = 0.35f;
        gyre_gas *gas, *other;
        must(gyre_gas_create(the_device, &def, &gas));
        must(gyre_gas_create(the_device, &def, &other));
        for (int n = 0; n < 3; n++) {
            wall.shape.as.sphere.centre[0] = 0.6f * (float)n;
            wall.shape.as.sphere.centre[1] = 0.8f * (float)(n % 2);
            assert_true(gyre_gas_add_solid(gas, &wall) && gyre_gas_add_solid(other, &wall));
        }
        for (int f = 0; f < 3; f++) {
            gyre_field_view v;
            must(gyre_gas_map(gas, f, GYRE_WRITE, &v));
            for (int j = 0; j < v.n[1]; j++) {
                for (int i = 0; i < v.n[0]; i++) {
                    v.data[i + j * v.stride[1]] =
                        (float)((i * 7 + j * 5 + i * j + f) % 11 - 5) * 0.4f;
                }
            }
            must(gyre_gas_unmap(gas, f));
        }
        for (int n = 0; n < 4; n++) {
            must(gyre_gas_step(gas, 0.2f));
        }
        saved s = save(gas);
        must(gyre_gas_load(other, s.bytes, s.size));
        for (int n = 0; n < 4; n++) {
            must(gyre_gas_step(gas, 0.2f));
            must(gyre_gas_step(other, 0.2f));
        }
        if (gyre_gas_hash(gas) != gyre_gas_hash(other)) {
            fail_msg("case %d goes on otherwise", q);
        }
        gyre_gas_destroy(gas);
        gyre_gas_destroy(other);
        free(s.bytes);
    }
}

// The speed that substeps are made from, the halos that hold the walls' velocities and the cap must
// follow from what is saved.
static void what_was_changed_before_the_save_comes_back(void **state)
{
    (void)state;
    for (int what = 0; what < 4; what++) {
        int c = what == 0 ? 4 : 2;
        gyre_gas *gas = gas_of(c), *other = gas_of(c);
        steps(gas, c, 2);
        const float centre[3] = {0.5f, 0.4f, 0}, wall[3] = {-2, 0, 0};
        if (what == 0) {
            must(gyre_gas_splat(gas, 0, centre, 0.3f, 3.0f));
        } else if (what == 1) {
            must(gyre_gas_set(gas, "sides.y_high.velocity", gyre_vector(3, wall)));
        } else if (what == 2) {
            must(gyre_gas_set(gas, "speed_cap", gyre_number(0.05)));
        } else {
            must(gyre_gas_set(gas, "courant", gyre_number(0.5)));
            must(gyre_gas_set(gas, "advection", gyre_string("semi_lagrangian")));
        }
        saved s = save(gas);
        must(gyre_gas_load(other, s.bytes, s.size));
        assert_true(gyre_gas_hash(gas) == gyre_gas_hash(other));
        steps(gas, c, 2);
        steps(other, c, 2);
        if (gyre_gas_hash(gas) != gyre_gas_hash(other)) {
            fail_msg("change %d: the loaded gas goes on otherwise", what);
        }
        assert_int_equal(gyre_gas_get_stats(gas).substeps, gyre_gas_get_stats(other).substeps);
        gyre_gas_destroy(gas);
        gyre_gas_destroy(other);
        free(s.bytes);
    }
}

static void lists_properties_and_ids_come_back(void **state)
{
    (void)state;
    gyre_gas *gas = gas_of(0);
    gyre_gas_emitter e = gyre_gas_default_emitter();
    gyre_gas_solid solid = gyre_gas_default_solid();
    gyre_value v;
    strcpy(e.name, "late");
    e.shape = gas_capsule(0.2f, 0.2f, 0.2f, 0.4f, 0.3f, 0.3f, 0.1f);
    e.temperature = 55.0f;
    solid.shape = gas_box(0.2f, 0.9f, 0.4f, 0.2f, 0.2f, 0.3f, 15.0f);
    gyre_id late = gyre_gas_add_emitter(gas, &e), wall = gyre_gas_add_solid(gas, &solid);
    assert_true(late && wall);
    must(gyre_gas_set(gas, "viscosity", gyre_number(0.125)));
    must(gyre_gas_set(gas, "emitters.0.enabled", gyre_bool(false)));
    steps(gas, 0, 2);
    saved s = save(gas);
    steps(gas, 0, 2);
    uint64_t later = gyre_gas_hash(gas);
    // All changed behind its back.
    must(gyre_gas_remove(gas, late));
    must(gyre_gas_remove(gas, wall));
    must(gyre_gas_set(gas, "viscosity", gyre_number(0)));
    must(gyre_gas_set(gas, "emitters.0.enabled", gyre_bool(true)));
    must(gyre_gas_set(gas, "solids.0.enabled", gyre_bool(false)));
    gyre_id newer = gyre_gas_add_emitter(gas, &e);
    steps(gas, 0, 1);
    must(gyre_gas_load(gas, s.bytes, s.size));
    must(gyre_gas_get(gas, "emitters.late.temperature", &v));
    assert_true(v.number[0] == 55.0);
    must(gyre_gas_get(gas, "viscosity", &v));
    assert_true(v.number[0] == 0.125);
    must(gyre_gas_get(gas, "emitters.0.enabled", &v));
    assert_true(v.number[0] == 0.0);
    steps(gas, 0, 2);
    assert_true(gyre_gas_hash(gas) == later);
    // Ids of then hold; one given after the save is gone with the emitter.
    assert_true(newer != wall && newer != late);
    assert_int_equal(gyre_gas_remove(gas, newer), GYRE_ERROR_ARGUMENT);
    must(gyre_gas_remove(gas, late));
    must(gyre_gas_remove(gas, wall));
    e.name[0] = 0;
    gyre_id next = gyre_gas_add_emitter(gas, &e);
    assert_true(next && next != late && next != wall);
    gyre_gas_destroy(gas);
    free(s.bytes);
}

// Arrays are the caller's: a state knows them by size and content.
static void arrays_are_found_again_by_content(void **state)
{
    (void)state;
    gyre_gas *gas = gas_of(3);
    steps(gas, 3, 1);
    saved s = save(gas);
    must(gyre_gas_set(gas, "emitters.4.shape.volume.threshold", gyre_number(0.6)));
    must(gyre_gas_load(gas, s.bytes, s.size));
    gyre_value v;
    must(gyre_gas_get(gas, "emitters.4.shape.volume.threshold", &v));
    assert_true(v.number[0] == (double)0.4f);
    uint64_t hash = gyre_gas_hash(gas);
    gas_volume[7] += 0.25f;
    assert_int_equal(gyre_gas_load(gas, s.bytes, s.size), GYRE_ERROR_FORMAT);
    assert_non_null(strstr(gyre_message(), "5 x 4 x 3"));
    assert_true(gyre_gas_hash(gas) == hash);
    gas_volume[7] -= 0.25f;
    must(gyre_gas_load(gas, s.bytes, s.size));
    gyre_gas_destroy(gas);
    free(s.bytes);
}

// A wall that was painted since: its key says that it is the same one.
static void arrays_are_found_again_by_key(void **state)
{
    (void)state;
    float wall[6 * 6] = {0};
    gyre_gas_def def = gyre_gas_default_def(2);
    gas_case_size(&def, 12, 12, 1, 1.0f);
    gyre_gas_solid *solid = gas_case_solid(&def);
    solid->shape = gas_box(0, 0, 0, 1, 1, 1, 0);
    solid->shape.kind = GYRE_SHAPE_VOLUME;
    memset(&solid->shape.as, 0, sizeof solid->shape.as);
    solid->shape.as.volume.data = (gyre_volume){wall, {6, 6, 1}, "wall.png"};
    for (int a = 0; a < 3; a++) {
        solid->shape.as.volume.size[a] = 1.0f;
    }
    solid->shape.as.volume.threshold = 0.5f;
    gyre_gas *gas = NULL;
    must(gyre_gas_create(the_device, &def, &gas));
    must(gyre_gas_step(gas, 0.01f));
    saved s = save(gas);
    uint64_t then = gyre_gas_hash(gas);
    wall[2 + 6 * 3] = wall[3 + 6 * 3] = 1.0f;
    must(gyre_gas_set(gas, "solids.0.shape.volume.threshold", gyre_number(0.25)));
    must(gyre_gas_step(gas, 0.01f));
    must(gyre_gas_load(gas, s.bytes, s.size));
    assert_true(gyre_gas_hash(gas) == then);
    gyre_value v;
    must(gyre_gas_get(gas, "solids.0.shape.volume.threshold", &v));
    assert_true(v.number[0] == 0.5);
    // What is painted now stands there.
    assert_true(gyre_model_total(gyre_gas_model(gas), 0) == 0.0);
    must(gyre_gas_step(gas, 0.01f));
    gyre_field_view view;
    int solids = gyre_gas_field(gas, "solid");
    must(gyre_gas_map(gas, solids, GYRE_READ, &view));
    assert_true(view.data[5 + 7 * view.stride[1]] > 0.5f);
    must(gyre_gas_unmap(gas, solids));
    gyre_gas_destroy(gas);
    free(s.bytes);
}

// ---- a ring of slots, sized once

static void slots_sized_once_hold_all_that_comes(void **state)
{
    (void)state;
    gyre_gas_def def = gyre_gas_default_def(2);
    gas_case_size(&def, 9, 7, 1, 1.0f);
    def.emitters.capacity = 5;
    def.solids.capacity = 3;
    gyre_gas *gas = NULL;
    must(gyre_gas_create(the_device, &def, &gas));
    size_t size = gyre_gas_save_size(gas), before = 0;
    char *slot[9];
    for (int i = 0; i < 9; i++) {
        slot[i] = malloc(size);
        assert_non_null(slot[i]);
    }
    uint64_t hash[9];
    gyre_gas_emitter e = gyre_gas_default_emitter();
    gyre_gas_solid solid = gyre_gas_default_solid();
    memset(e.name, 'n', sizeof e.name - 1);
    memset(e.channel, 0, sizeof e.channel);
    memset(solid.name, 'n', sizeof solid.name - 1);
    solid.shape = gas_box(0.2f, 0.9f, 0.4f, 0.1f, 0.1f, 0.3f, 15.0f);
    for (int i = 0; i < 9; i++) {
        size_t written = 0;
        must(gyre_gas_save(gas, slot[i], size, &written));
        hash[i] = gyre_gas_hash(gas);
        assert_true(written > before && written <= size);
        assert_int_equal(gyre_gas_save(gas, slot[i], written - 1, NULL), GYRE_ERROR_ARGUMENT);
        must(gyre_gas_save(gas, slot[i], written, NULL));
        assert_true(gyre_gas_save_size(gas) == size);
        before = written;
        e.name[0] = solid.name[0] = (char)('a' + i);
        if (i < 5) {
            assert_true(gyre_gas_add_emitter(gas, &e) != 0);
        } else if (i < 8) {
            assert_true(gyre_gas_add_solid(gas, &solid) != 0);
        }
        must(gyre_gas_step(gas, 0.02f));
    }
    // Back and forth, with buffers larger than what is in them.
    for (int i = 0; i < 18; i++) {
        int which = i * 5 % 9;
        must(gyre_gas_load(gas, slot[which], size));
        assert_true(gyre_gas_hash(gas) == hash[which]);
        const gyre_gas_def *now = gyre_model_def(gyre_gas_model(gas));
        assert_int_equal(now->emitters.count, which < 5 ? which : 5);
    }
    for (int i = 0; i < 9; i++) {
        free(slot[i]);
    }
    gyre_gas_destroy(gas);
}

// ---- lists are replaced whole

static gyre_result save_water(gyre_model *model, saved *s)
{
    size_t most = gyre_model_save_size(model);
    s->bytes = malloc(most);
    return gyre_model_save(model, s->bytes, most, &s->size);
}

// A sphere was removed and a box added; an edge's rule is another: what was is taken back.
static void elements_that_came_and_went_come_back(void **state)
{
    (void)state;
    gyre_water_def def = gyre_water_default_def(2);
    gyre_water_body body[2] = {gyre_water_default_body(), gyre_water_default_body()};
    gyre_water_edge edge[2] = {gyre_water_default_edge(), gyre_water_default_edge()};
    gyre_model *model = NULL;
    saved s;
    def.mode = GYRE_WATER_SHALLOW;
    def.grid.n[0] = def.grid.n[1] = 40;
    def.grid.h = 0.1f;
    def.level = 1.0f;
    for (int i = 0; i < 2; i++) {
        snprintf(body[i].name, sizeof body[i].name, i ? "box" : "ball");
        body[i].form = i ? GYRE_BODY_BOX : GYRE_BODY_SPHERE;
        body[i].size[0] = body[i].size[1] = body[i].size[2] = 0.4f;
        body[i].pose.position[0] = body[i].pose.position[1] = 2.0f;
        body[i].pose.position[2] = 1.0f;
        snprintf(edge[i].name, sizeof edge[i].name, i ? "open" : "quay");
        edge[i].side.rule = i ? GYRE_WATER_OPEN : GYRE_WATER_WALL;
        edge[i].shape = gas_sphere(0.5f, 0.5f, 0, 0.4f);
    }
    def.bodies = (gyre_pool){&body[0], 1, 2};
    def.edges = (gyre_pool){&edge[0], 1, 2};
    must(gyre_model_create(the_device, "water", &def, &model));
    for (int i = 0; i < 5; i++) {
        must(gyre_model_step(model, 0.02f));
    }
    must(save_water(model, &s));
    uint64_t then = gyre_model_hash(model);
    gyre_id ball = gyre_model_element(model, "bodies", 0);
    must(gyre_model_step(model, 0.02f));
    uint64_t later = gyre_model_hash(model);
    must(gyre_model_remove(model, ball));
    assert_true(gyre_model_add(model, "bodies", &body[1]) != 0);
    must(gyre_model_remove(model, gyre_model_element(model, "edges", 0)));
    assert_true(gyre_model_add(model, "edges", &edge[1]) != 0);
    must(gyre_model_step(model, 0.02f));
    must(gyre_model_load(model, s.bytes, s.size));
    assert_true(gyre_model_hash(model) == then);
    assert_true(gyre_model_element(model, "bodies", 0) == ball);
    gyre_value v;
    must(gyre_model_get(model, "bodies.ball.form", &v));
    assert_true(v.number[0] == GYRE_BODY_SPHERE);
    must(gyre_model_get(model, "edges.quay.side.rule", &v));
    assert_true(v.number[0] == GYRE_WATER_WALL);
    must(gyre_model_step(model, 0.02f));
    assert_true(gyre_model_hash(model) == later);
    gyre_model_destroy(model);
    free(s.bytes);
}

// A refusal with one line, and a gas that goes on as before.
static void refuses(gyre_gas *gas, const char *bytes, size_t size, const char *what)
{
    uint64_t hash = gyre_gas_hash(gas);
    gyre_result r = gyre_gas_load(gas, bytes, size);
    if (r != GYRE_ERROR_FORMAT || !gyre_message()[0] || strchr(gyre_message(), '\n')) {
        fail_msg("%s: %s, \"%s\"", what, gyre_result_name(r), gyre_message());
    }
    assert_true(gyre_gas_hash(gas) == hash);
}

// ---- chunks

enum { HEADER = 32, CHUNK = 72 }; // see src/model/save.c

static void seal(char *header, size_t bytes, const char *rest, size_t size)
{
    uint64_t sum;
    memset(header + bytes - 8, 0, 8);
    sum = gy_hash(header, bytes, 0);
    sum = rest ? gy_hash(rest, size, sum) : sum;
    memcpy(header + bytes - 8, &sum, sizeof sum);
}

// The order of chunks means nothing, and one of a later gyre's may be passed over where it says so.
static void chunks_are_found_by_name(void **state)
{
    (void)state;
    gyre_gas *gas = gas_of(0);
    steps(gas, 0, 2);
    saved s = save(gas);
    uint64_t then = gyre_gas_hash(gas);
    size_t size = s.size + CHUNK + 8, used = HEADER;
    char *bytes = calloc(1, size);
    const char *at[80];
    size_t length[80];
    int count = 0;
    for (size_t o = HEADER; o < s.size; o += length[count++]) {
        uint64_t payload;
        memcpy(&payload, s.bytes + o + CHUNK - 16, sizeof payload);
        at[count] = s.bytes + o;
        length[count] = CHUNK + (size_t)(payload + 7) / 8 * 8;
    }
    assert_string_equal(at[0], "model");
    assert_true(count > 8);
    memcpy(bytes, s.bytes, HEADER);
    for (int c = count - 1; c >= 0; c--) {
        memcpy(bytes + used, at[c], length[c]);
        used += length[c];
    }
    strcpy(bytes + used, "particles.foam");
    const uint32_t version = 7, flags = 1, chunks = (uint32_t)count + 1;
    const uint64_t payload = 5, whole = size;
    memcpy(bytes + used + 48, &version, 4);
    memcpy(bytes + used + 52, &flags, 4);
    memcpy(bytes + used + 56, &payload, 8);
    seal(bytes + used, CHUNK, bytes + used + CHUNK, 8);
    memcpy(bytes + 12, &chunks, 4);
    memcpy(bytes + 16, &whole, 8);
    seal(bytes, HEADER, NULL, 0);
    steps(gas, 0, 1);
    must(gyre_gas_load(gas, bytes, size));
    assert_true(gyre_gas_hash(gas) == then);
    // Without the mark it is refused by its name.
    memset(bytes + used + 52, 0, 4);
    seal(bytes + used, CHUNK, bytes + used + CHUNK, 8);
    refuses(gas, bytes, size, "an unknown chunk");
    const uint32_t one = 1;
    memcpy(bytes + used + 48, &one, 4);
    seal(bytes + used, CHUNK, bytes + used + CHUNK, 8);
    refuses(gas, bytes, size, "an unknown chunk");
    assert_non_null(strstr(gyre_message(), "particles.foam"));
    free(bytes);
    free(s.bytes);
    gyre_gas_destroy(gas);
}

static void other_capacities_do(void **state)
{
    (void)state;
    gyre_gas *gas[3];
    for (int i = 0; i < 3; i++) {
        gyre_gas_def def = gyre_gas_default_def(2);
        gas_case_size(&def, 9, 7, 1, 1.0f);
        def.emitters.capacity = 2 + 3 * (i % 2);
        def.solids.capacity = i == 2 ? 1 : 4;
        must(gyre_gas_create(the_device, &def, &gas[i]));
    }
    gyre_gas_solid solid = gyre_gas_default_solid();
    solid.shape.as.sphere.radius = 0.05f;
    assert_true(gyre_gas_add_solid(gas[0], &solid) && gyre_gas_add_solid(gas[0], &solid));
    saved s = save(gas[0]);
    must(gyre_gas_load(gas[1], s.bytes, s.size));
    assert_int_equal(gyre_gas_load(gas[2], s.bytes, s.size), GYRE_ERROR_FORMAT);
    assert_non_null(strstr(gyre_message(), "room for 1"));
    for (int i = 0; i < 3; i++) {
        gyre_gas_destroy(gas[i]);
    }
    free(s.bytes);
}

static void damage_is_refused_and_changes_nothing(void **state)
{
    (void)state;
    gyre_gas_def def = gyre_gas_default_def(2);
    gas_case_size(&def, 9, 7, 1, 1.0f);
    strcpy(gas_case_emitter(&def)->name, "jet");
    gas_case_solid(&def)->shape = gas_sphere(0.5f, 0.6f, 0, 0.12f);
    gyre_gas *gas = NULL;
    must(gyre_gas_create(the_device, &def, &gas));
    must(gyre_gas_step(gas, 0.1f));
    saved s = save(gas);
    must(gyre_gas_step(gas, 0.1f));
    gyre_value before, after;
    must(gyre_gas_get(gas, "viscosity", &before));
    // Each bit of each byte of the header and of what follows it, and one of each byte beyond.
    for (size_t i = 0; i < s.size; i++) {
        for (int bit = 0; bit < (i < 256 ? 8 : 1); bit++) {
            char what[64];
            int b = i < 256 ? bit : (int)(i * 5 % 8);
            snprintf(what, sizeof what, "bit %d of byte %zu", b, i);
            s.bytes[i] = (char)(s.bytes[i] ^ (1 << b));
            refuses(gas, s.bytes, s.size, what);
            s.bytes[i] = (char)(s.bytes[i] ^ (1 << b));
        }
    }
    // Cut anywhere, from a copy of just that size.
    for (size_t cut = 0; cut < s.size; cut += cut < 160 || cut + 40 > s.size ? 1 : 13) {
        char *part = malloc(cut ? cut : 1);
        memcpy(part, s.bytes, cut);
        refuses(gas, part, cut, "cut");
        free(part);
    }
    char *more = calloc(1, s.size + 1);
    memcpy(more, s.bytes, s.size);
    must(gyre_gas_load(gas, more, s.size + 1));
    free(more);
    assert_int_equal(gyre_gas_load(gas, NULL, 0), GYRE_ERROR_ARGUMENT);
    assert_int_equal(gyre_gas_load(gas, s.bytes, 0), GYRE_ERROR_FORMAT);
    must(gyre_gas_get(gas, "viscosity", &after));
    assert_true(before.number[0] == after.number[0]);
    must(gyre_gas_load(gas, s.bytes, s.size));
    assert_int_equal(gyre_gas_save(gas, s.bytes, s.size - 1, NULL), GYRE_ERROR_ARGUMENT);
    assert_int_equal(gyre_gas_save(gas, NULL, s.size, NULL), GYRE_ERROR_ARGUMENT);
    gyre_gas_destroy(gas);
    free(s.bytes);
}

static void another_gas_is_refused(void **state)
{
    (void)state;
    gyre_gas_def def = gyre_gas_default_def(2), others[5];
    gas_case_size(&def, 9, 7, 1, 1.0f);
    gyre_gas_channel dye = {"dye", 0, 0}, ash = {"ash", 0, 0};
    def.channels = (gyre_pool){&dye, 1, 0};
    gyre_gas *gas = NULL;
    must(gyre_gas_create(the_device, &def, &gas));
    saved s = save(gas);
    gyre_gas_destroy(gas);
    const char *const says[5] = {"9 x 7 x 1", "0.11", "fields", "fields", "rule"};
    for (int i = 0; i < 5; i++) {
        others[i] = def;
    }
    others[0].grid.n[1] = 8;
    others[1].grid.h *= 1.5f;
    others[2].channels.count = 0;
    others[3].channels.items = &ash;
    others[4].sides.x_high.rule = GYRE_GAS_SIDE_OPEN;
    for (int i = 0; i < 5; i++) {
        must(gyre_gas_create(the_device, &others[i], &gas));
        refuses(gas, s.bytes, s.size, says[i]);
        if (!strstr(gyre_message(), says[i])) {
            fail_msg("\"%s\" does not say \"%s\"", gyre_message(), says[i]);
        }
        gyre_gas_destroy(gas);
    }
    free(s.bytes);
}

// ---- files

static int entries(const char *folder)
{
    int count = 0;
    DIR *d = opendir(folder);
    assert_non_null(d);
    while (readdir(d)) {
        count++;
    }
    closedir(d);
    return count - 2;
}

static void files_hold_the_same_and_are_whole_or_not_there(void **state)
{
    (void)state;
    char folder[] = "/tmp/gyre_test_save_XXXXXX", path[128], missing[128];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/state", folder);
    snprintf(missing, sizeof missing, "%s/none/state", folder);
    gyre_gas *gas = gas_of(1);
    gyre_model *model = gyre_gas_model(gas);
    steps(gas, 1, 2);
    uint64_t hash = gyre_gas_hash(gas);
    must(gyre_model_save_file(model, path));
    assert_int_equal(entries(folder), 1);
    steps(gas, 1, 1);
    must(gyre_model_load_file(model, path));
    assert_true(gyre_gas_hash(gas) == hash);
    // Over an older one.
    steps(gas, 1, 1);
    uint64_t second = gyre_gas_hash(gas);
    must(gyre_model_save_file(model, path));
    assert_int_equal(entries(folder), 1);
    // A folder stands where the file should go: nothing is left behind.
    char taken[160];
    snprintf(taken, sizeof taken, "%s/taken", folder);
    assert_int_equal(access(folder, W_OK), 0);
    char command[256];
    snprintf(command, sizeof command, "mkdir -p %s/inside", taken);
    assert_int_equal(system(command), 0);
    assert_int_equal(gyre_model_save_file(model, taken), GYRE_ERROR_FILE);
    assert_non_null(strstr(gyre_message(), "taken"));
    assert_int_equal(entries(folder), 2);
    assert_int_equal(gyre_model_save_file(model, missing), GYRE_ERROR_FILE);
    assert_non_null(strstr(gyre_message(), "none"));
    assert_int_equal(gyre_model_load_file(model, missing), GYRE_ERROR_FILE);
    must(gyre_model_load_file(model, path));
    assert_true(gyre_gas_hash(gas) == second);
    // A cut file, and an empty one.
    struct stat file;
    assert_int_equal(stat(path, &file), 0);
    assert_int_equal(truncate(path, file.st_size - 1), 0);
    assert_int_equal(gyre_model_load_file(model, path), GYRE_ERROR_FORMAT);
    assert_non_null(strstr(gyre_message(), path));
    assert_int_equal(truncate(path, 0), 0);
    assert_int_equal(gyre_model_load_file(model, path), GYRE_ERROR_FORMAT);
    assert_true(gyre_gas_hash(gas) == second);
    gyre_gas_destroy(gas);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loaded_state_goes_on_alike),
        cmocka_unit_test(a_snapshot_goes_on_alike),
        cmocka_unit_test(a_state_is_at_most_two_copies),
        cmocka_unit_test(what_is_beyond_sides_is_made_of_what_is_saved),
        cmocka_unit_test(what_was_changed_before_the_save_comes_back),
        cmocka_unit_test(lists_properties_and_ids_come_back),
        cmocka_unit_test(arrays_are_found_again_by_content),
        cmocka_unit_test(arrays_are_found_again_by_key),
        cmocka_unit_test(slots_sized_once_hold_all_that_comes),
        cmocka_unit_test(elements_that_came_and_went_come_back),
        cmocka_unit_test(chunks_are_found_by_name),
        cmocka_unit_test(other_capacities_do),
        cmocka_unit_test(damage_is_refused_and_changes_nothing),
        cmocka_unit_test(another_gas_is_refused),
        cmocka_unit_test(files_hold_the_same_and_are_whole_or_not_there),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
