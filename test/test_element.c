// test/test_element.c: elements by their ids, and solids that move: what changes is made anew once,
// near what has changed alone, and comes to what it would have come to from the start.
// labels: small
#define DEVICE_THREADS 2
#include "device_rig.h"
#include "gas/gas.h"
#include "gas_case.h"
#include "gyre/classic_model.h"
#include "ops/system/level.h"
#include "shape/openness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void refused(bool refused_, const char *word)
{
    assert_true(refused_);
    if (!strstr(gyre_message(), word)) {
        fail_msg("\"%s\" does not say \"%s\"", gyre_message(), word);
    }
}

// ---- ids

static gyre_gas *small_gas(void)
{
    gyre_gas_def def = gyre_gas_default_def(2);
    gyre_gas *gas = NULL;
    gas_case_size(&def, 12, 9, 1, 1.0f);
    def.emitters.capacity = def.solids.capacity = 8;
    must(gyre_gas_create(the_device, &def, &gas));
    return gas;
}

static void an_id_knows_its_model_and_its_pool(void **state)
{
    (void)state;
    gyre_gas *gas = small_gas(), *other = small_gas();
    gyre_model *model = gyre_gas_model(gas);
    gyre_gas_emitter jet = gyre_gas_default_emitter(), jet_read;
    gyre_gas_solid ball = gyre_gas_default_solid(), ball_read;
    snprintf(jet.name, sizeof jet.name, "jet");
    snprintf(ball.name, sizeof ball.name, "ball");
    ball.shape = gyre_sphere((float[3]){0.5f, 0.4f, 0.0f}, 0.1f);
    gyre_id e = gyre_gas_add_emitter(gas, &jet), s = gyre_gas_add_solid(gas, &ball);
    assert_true(e && s && e != s);
    assert_string_equal(gyre_model_pool(model, e), "emitters");
    assert_string_equal(gyre_model_pool(model, s), "solids");
    assert_true(gyre_model_find(model, "solids", "ball") == s);
    assert_true(gyre_model_element(model, "emitters", 0) == e);
    must(gyre_gas_read_emitter(gas, e, &jet_read));
    must(gyre_gas_read_solid(gas, s, &ball_read));
    assert_memory_equal(ball_read.name, ball.name, sizeof ball.name);
    // Of the wrong pool, of another model, none, and one that is gone.
    refused(gyre_gas_update_emitter(gas, s, &jet) == GYRE_ERROR_ARGUMENT, "of solids, not of emit");
    refused(gyre_gas_read_solid(gas, e, &ball_read) == GYRE_ERROR_ARGUMENT, "not of solids");
    refused(gyre_gas_remove(other, e) == GYRE_ERROR_ARGUMENT, "another model");
    refused(gyre_model_update(gyre_gas_model(other), s, &ball) == GYRE_ERROR_ARGUMENT, "another");
    refused(gyre_gas_remove(gas, 0) == GYRE_ERROR_ARGUMENT, "0 is no id");
    refused(gyre_gas_remove(gas, 12345) == GYRE_ERROR_ARGUMENT, "is no id");
    refused(gyre_gas_remove(gas, e + 1000) == GYRE_ERROR_ARGUMENT, "has not given");
    refused(!gyre_model_find(model, "solids", "bal"), "did you mean \"ball\"");
    refused(!gyre_model_find(model, "solid", "ball"), "did you mean \"solids\"");
    refused(!gyre_model_element(model, "solids", 1), "no element 1");
    must(gyre_gas_remove(gas, e));
    refused(gyre_gas_remove(gas, e) == GYRE_ERROR_ARGUMENT, "is gone");
    refused(gyre_gas_update_emitter(gas, e, &jet) == GYRE_ERROR_ARGUMENT, "is gone");
    refused(!gyre_model_pool(model, e), "is gone");
    gyre_id again = gyre_gas_add_emitter(gas, &jet);
    assert_true(again && again != e);
    gyre_gas_destroy(gas);
    gyre_gas_destroy(other);
}

// An id that the caller holds is good after a load, of a state with the element; and ids are no
// part of the state: two models of one history have one hash and one saved state.
static void ids_outlive_a_load(void **state)
{
    (void)state;
    gyre_gas *gas[2] = {small_gas(), small_gas()};
    gyre_gas_emitter jet = gyre_gas_default_emitter();
    size_t size = gyre_gas_save_size(gas[0]), written[2];
    char *bytes[2] = {malloc(size), malloc(size)};
    gyre_id id[2];
    for (int g = 0; g < 2; g++) {
        id[g] = gyre_gas_add_emitter(gas[g], &jet);
        must(gyre_gas_save(gas[g], bytes[g], size, &written[g]));
    }
    assert_true(id[0] != id[1]);
    assert_true(written[0] == written[1] && memcmp(bytes[0], bytes[1], written[0]) == 0);
    must(gyre_gas_remove(gas[0], id[0]));
    must(gyre_gas_load(gas[0], bytes[1], written[1]));
    must(gyre_gas_remove(gas[0], id[0]));
    for (int g = 0; g < 2; g++) {
        free(bytes[g]);
        gyre_gas_destroy(gas[g]);
    }
}

static void a_leaf_is_set_by_id(void **state)
{
    (void)state;
    gyre_gas *gas = small_gas();
    gyre_model *model = gyre_gas_model(gas);
    gyre_gas_emitter jet = gyre_gas_default_emitter();
    gyre_value value = gyre_number(3.0);
    gyre_id id = gyre_gas_add_emitter(gas, &jet);
    must(gyre_model_set_in(model, id, "density", &value));
    value = gyre_number(0.25);
    must(gyre_model_set_in(model, id, "shape.sphere.radius", &value));
    must(gyre_gas_read_emitter(gas, id, &jet));
    assert_true(jet.density == 3.0f && jet.shape.as.sphere.radius == 0.25f);
    must(gyre_model_get_in(model, id, "density", &value));
    assert_true(value.number[0] == 3.0);
    refused(gyre_model_set_in(model, id, "densty", &value) == GYRE_ERROR_ARGUMENT, "density");
    refused(gyre_model_set_in(model, id + 7, "density", &value) == GYRE_ERROR_ARGUMENT, "given");
    // A name is fixed, a value out of range is refused, and both leave all as it was.
    gyre_gas_emitter bad = jet;
    snprintf(bad.name, sizeof bad.name, "else");
    refused(gyre_gas_update_emitter(gas, id, &bad) == GYRE_ERROR_STATE, "name");
    bad = jet;
    bad.noise = 7.0f;
    refused(gyre_gas_update_emitter(gas, id, &bad) == GYRE_ERROR_ARGUMENT, "noise");
    must(gyre_gas_read_emitter(gas, id, &bad));
    assert_true(bad.noise == jet.noise && strcmp(bad.name, jet.name) == 0);
    gyre_gas_destroy(gas);
}

// Every model of the list, every pool of each: what was read is taken back and changes nothing.
static void every_model_updates_what_it_holds(void **state)
{
    (void)state;
    int met = 0;
    for (int t = 0; gyre_model_type_name(t); t++) {
        const char *type = gyre_model_type_name(t);
        size_t size;
        const gyre_property *table = gyre_model_type_properties(type, &size);
        char *def = calloc(1, size), element[2048];
        gyre_model *model;
        must(gyre_model_default_def(type, 2, def, size));
        must(gyre_model_create(the_device, type, def, &model));
        for (const gyre_property *p = table; p->kind != GYRE_END; p++) {
            if (p->kind != GYRE_POOL || (p->flags & GYRE_FIXED)) {
                continue;
            }
            assert_true(p->size <= sizeof element);
            gyre_property_defaults(p->properties, element, p->size);
            gyre_id id = gyre_model_add(model, p->name, element);
            if (!id) {
                continue; // what has no sensible default: a sheet without points
            }
            uint64_t before = gyre_model_hash(model);
            must(gyre_model_read(model, id, element));
            must(gyre_model_update(model, id, element));
            assert_true(gyre_model_hash(model) == before);
            must(gyre_model_step(model, 0.01f));
            must(gyre_model_remove(model, id));
            assert_int_equal(gyre_model_update(model, id, element), GYRE_ERROR_ARGUMENT);
            met++;
        }
        gyre_model_destroy(model);
        free(def);
    }
    assert_true(met >= 6);
}

// ---- solids that move

enum { MOVED = 5 };

typedef struct moved_case {
    int n[3];
    int rule[3]; // of the sides along each axis
    float origin;
} moved_case;

static const moved_case moved_cases[] = {
    {{40, 36, 1}, {GYRE_GAS_SIDE_SLIP, GYRE_GAS_SIDE_OPEN, GYRE_GAS_SIDE_SLIP}, 0.0f},
    {{70, 33, 1}, {GYRE_GAS_SIDE_PERIODIC, GYRE_GAS_SIDE_SLIP, GYRE_GAS_SIDE_SLIP}, -0.3f},
    {{37, 18, 21}, {GYRE_GAS_SIDE_OPEN, GYRE_GAS_SIDE_SLIP, GYRE_GAS_SIDE_PERIODIC}, 0.0f},
    {{66, 16, 17}, {GYRE_GAS_SIDE_PERIODIC, GYRE_GAS_SIDE_PERIODIC, GYRE_GAS_SIDE_OPEN}, 0.1f},
};

static gyre_gas_def moved_def(const moved_case *c, gyre_gas_solid *solids, int count)
{
    int dim = c->n[2] > 1 ? 3 : 2;
    gyre_gas_def def = gyre_gas_default_def(dim);
    gyre_gas_side *sides = &def.sides.x_low;
    gas_case_size(&def, c->n[0], c->n[1], c->n[2], 1.0f);
    for (int s = 0; s < 6; s++) {
        sides[s].rule = c->rule[s / 2];
    }
    def.grid.origin[0] = c->origin;
    def.solids = (gyre_pool){solids, count, MOVED};
    return def;
}

static unsigned dice;

static float any(float low, float high)
{
    dice = dice * 1664525u + 1013904223u;
    return low + (high - low) * (float)(dice >> 8) / 16777216.0f;
}

static void any_solid(gyre_gas_solid *s, const moved_case *c, int number)
{
    float width = 1.0f, height = (float)c->n[1] / (float)c->n[0];
    float deep = (float)c->n[2] / (float)c->n[0];
    const float at[3] = {c->origin + any(-0.1f, 1.1f) * width, any(-0.1f, 1.1f) * height,
                         any(-0.1f, 1.1f) * deep};
    const float to[3] = {at[0] + any(-0.1f, 0.1f), at[1] + any(-0.1f, 0.1f), at[2]};
    const float size[3] = {any(0.05f, 0.3f), any(0.05f, 0.3f), any(0.05f, 0.3f)};
    static const float image[12] = {0, 1, 1, 0, 1, 1, 1, 0, 0, 1, 0, 1};
    *s = gyre_gas_default_solid();
    snprintf(s->name, sizeof s->name, "s%d", number);
    s->enabled = any(0, 1) < 0.85f;
    s->shape = number == 0   ? gyre_sphere(at, any(0.03f, 0.2f))
               : number == 1 ? gyre_capsule(at, to, any(0.03f, 0.1f))
               : number == 2
                   ? gyre_volume_shape((gyre_volume){image, {4, 3, 1}, NULL}, at, size, 0.5f)
               : number == 3 && any(0, 1) < 0.3f
                   ? gyre_half_space(at, (float[3]){any(-1, 1), 0.5f, any(-1, 1)})
                   : gyre_box(at, size);
    if (s->shape.kind == GYRE_SHAPE_BOX) {
        s->shape.as.box.rotation[2] = any(-90, 90);
    }
}

static void same_level(const gyre_gas *a, const gyre_gas *b, int l)
{
    gy_grid_level g[2] = {gy_grid_level_at(a->base, gy_system_offset(&a->pressure, l)),
                          gy_grid_level_at(b->base, gy_system_offset(&b->pressure, l))};
    const int *n = g[0].l->n;
    for (int axis = 0; axis < g[0].l->dim; axis++) {
        for (int k = 0; k < n[2] + (axis == 2); k++) {
            for (int j = 0; j < n[1] + (axis == 1); j++) {
                for (int i = 0; i < n[0] + (axis == 0); i++) {
                    uint16_t x = *gy_coefficient(&g[0], axis, i, j, k);
                    uint16_t y = *gy_coefficient(&g[1], axis, i, j, k);
                    if (x != y) {
                        fail_msg("level %d axis %d face (%d, %d, %d): %d, not %d", l, axis, i, j, k,
                                 x, y);
                    }
                }
            }
        }
    }
}

static void same_list(const gy_gas_list *a, const gy_gas_list *b)
{
    assert_int_equal(a->count, b->count);
    assert_true(a->count == 0 ||
                memcmp(a->items, b->items, (size_t)a->count * 2 * sizeof *a->items) == 0);
}

/// All that follows from the solids, in a gas where they have moved there and in one made so.
static void same_solids(gyre_gas *moved, gyre_gas *made)
{
    for (int l = 0; l < moved->pressure.count; l++) {
        same_level(moved, made, l);
    }
    assert_true(moved->openness == made->openness);
    assert_int_equal(moved->fluid_cells, made->fluid_cells);
    assert_int_equal(moved->pressure.regions, made->pressure.regions);
    assert_int_equal(moved->pressure.extras, made->pressure.extras);
    assert_int_equal(moved->made_count, made->made_count);
    if (moved->made_count > 0) {
        assert_memory_equal(gy_at(moved->base, moved->near), gy_at(made->base, made->near),
                            (size_t)(made->count - made->near) * 64);
    }
    same_list(&moved->extend_scalar, &made->extend_scalar);
    for (int a = 0; a < 3; a++) {
        same_list(&moved->extend_velocity[a], &made->extend_velocity[a]);
    }
}

static void what_has_moved_is_as_if_it_stood_there(void **state)
{
    (void)state;
    const void *stats;
    for (size_t c = 0; c < sizeof moved_cases / sizeof *moved_cases; c++) {
        gyre_gas_solid solids[MOVED];
        dice = (unsigned)c + 1;
        for (int s = 0; s < MOVED; s++) {
            any_solid(&solids[s], &moved_cases[c], s);
        }
        gyre_gas_def def = moved_def(&moved_cases[c], solids, MOVED);
        gyre_gas *moved = NULL;
        must(gyre_gas_create(the_device, &def, &moved));
        for (int round = 0; round < 12; round++) {
            int changed = 1 + round % MOVED;
            for (int q = 0; q < changed; q++) {
                int s = (round + q) % MOVED;
                any_solid(&solids[s], &moved_cases[c], s);
                must(gyre_gas_update_solid(
                    moved, gyre_model_element(gyre_gas_model(moved), "solids", s), &solids[s]));
            }
            assert_non_null(gyre_model_stats(gyre_gas_model(moved), &stats));
            gyre_gas *made = NULL;
            must(gyre_gas_create(the_device, &def, &made));
            same_solids(moved, made);
            gyre_gas_destroy(made);
        }
        gyre_gas_destroy(moved);
    }
}

// gy_openness_part from shared corners is gy_openness_row, to the bit.
static void faces_from_corners_are_those_from_distances(void **state)
{
    (void)state;
    uint64_t mixed = 0;
    for (size_t c = 0; c < sizeof moved_cases / sizeof *moved_cases; c++) {
        for (int round = 0; round < 8; round++) {
            gyre_gas_solid list[MOVED];
            gy_solid solids[MOVED];
            dice = (unsigned)(100 * c) + (unsigned)round;
            gyre_gas_def def = moved_def(&moved_cases[c], list, MOVED);
            const gyre_grid *g = &def.grid;
            for (int s = 0; s < MOVED; s++) {
                any_solid(&list[s], &moved_cases[c], s);
                solids[s] = gy_solid_make(&list[s].shape, g->dim);
            }
            uint64_t *bits = calloc(1, gy_corners_bytes(g));
            gy_corners corners = gy_corners_of(g, bits);
            for (int k = g->dim == 3 ? -1 : 0; k <= (g->dim == 3 ? g->n[2] + 1 : 0); k++) {
                for (int j = -1; j <= g->n[1] + 1; j++) {
                    gy_corners_row(&corners, solids, MOVED, j, k, -1, g->n[0] + 2);
                }
            }
            for (int axis = 0; axis < g->dim; axis++) {
                int n = g->n[0] + (axis == 0);
                gy_corner_memo memo = {0};
                for (int k = 0; k < g->n[2] + (axis == 2); k++) {
                    for (int j = 0; j < g->n[1] + (axis == 1); j++) {
                        uint16_t row[128], part[128], noted[128];
                        gy_openness_row(g, solids, MOVED, axis, j, k, row);
                        gy_openness_part(&corners, solids, MOVED, axis, j, k, 0, n, NULL, part);
                        assert_memory_equal(row, part, (size_t)n * sizeof *row);
                        gy_openness_part(&corners, solids, MOVED, axis, j, k, 0, n, &memo, noted);
                        assert_memory_equal(row, noted, (size_t)n * sizeof *row);
                        for (int i = 0; i < n; i++) {
                            mixed += row[i] > 0 && row[i] < GY_OPEN;
                        }
                    }
                }
            }
            free(bits);
        }
    }
    assert_true(mixed > 1000);
}

static int allocations;

static void *count_and_allocate(void *user, size_t size, size_t alignment)
{
    (void)user;
    allocations++;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void release(void *user, void *memory, size_t size)
{
    (void)user, (void)size;
    free(memory);
}

// Eight boxes go round and round: an update allocates nothing ever, nor a step once all places have
// been met, and an element that is as it was is no change.
static void moving_allocates_nothing(void **state)
{
    (void)state;
    gyre_device_def counting = gyre_default_device_def();
    gyre_device *counted = NULL;
    counting.threads = 1;
    counting.host = (gyre_host){.allocate = count_and_allocate, .release = release};
    must(gyre_device_create(&counting, &counted));
    gyre_gas_def def = gyre_gas_default_def(3);
    gyre_gas_solid solids[8];
    gyre_id ids[8];
    gyre_gas *gas = NULL;
    gas_case_size(&def, 32, 32, 32, 1.0f);
    for (int s = 0; s < 8; s++) {
        solids[s] = gyre_gas_default_solid();
        solids[s].shape =
            gyre_box((float[3]){0.25f + 0.5f * (float)(s & 1), 0.25f + 0.5f * (float)(s >> 1 & 1),
                                0.25f + 0.5f * (float)(s >> 2)},
                     (float[3]){0.2f, 0.2f, 0.2f});
    }
    def.solids = (gyre_pool){solids, 8, 8};
    must(gyre_gas_create(counted, &def, &gas));
    for (int s = 0; s < 8; s++) {
        ids[s] = gyre_model_element(gyre_gas_model(gas), "solids", s);
    }
    for (int step = 0; step < 30; step++) {
        int before = allocations;
        for (int s = 0; s < 8; s++) {
            float *centre = solids[s].shape.as.box.centre;
            centre[s % 3] += 0.02f * (step % 10 < 5 ? 1.0f : -1.0f);
            must(gyre_gas_update_solid(gas, ids[s], &solids[s]));
        }
        assert_int_equal(allocations, before);
        must(gyre_gas_step(gas, 0.01f));
        assert_true(step < 10 || allocations == before);
    }
    const gy_solid *made = gas->made;
    must(gyre_gas_update_solid(gas, ids[3], &solids[3]));
    must(gyre_gas_set(gas, "solids.0.enabled", gyre_bool(true)));
    must(gyre_gas_step(gas, 0.01f));
    assert_ptr_equal(gas->made, made); // they were not made again
    gyre_gas_destroy(gas);
    gyre_device_destroy(counted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_id_knows_its_model_and_its_pool),
        cmocka_unit_test(ids_outlive_a_load),
        cmocka_unit_test(a_leaf_is_set_by_id),
        cmocka_unit_test(every_model_updates_what_it_holds),
        cmocka_unit_test(what_has_moved_is_as_if_it_stood_there),
        cmocka_unit_test(faces_from_corners_are_those_from_distances),
        cmocka_unit_test(moving_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
