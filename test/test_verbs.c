// test/test_verbs.c: one verb set for every model: each of the list does all of it, and each with a
// handle of its own has it under its own name.
// labels: small
#include "device_rig.h"
#include "gyre/classic_model.h"
#include "gyre/gyre.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static gyre_model *make(const char *type)
{
    size_t size;
    gyre_model *model = NULL;
    assert_non_null(gyre_model_type_properties(type, &size));
    void *def = calloc(1, size);
    must(gyre_model_default_def(type, 2, def, size));
    must(gyre_model_create(the_device, type, def, &model));
    free(def);
    return model;
}

/// A state field that something can be poured into.
static int a_field(const gyre_model *model)
{
    int count;
    const gyre_field_info *fields = gyre_model_fields(model, &count);
    for (int f = 0; f < count; f++) {
        if (!fields[f].derived && fields[f].location == GYRE_CENTRE &&
            fields[f].view != GYRE_VIEW_BED) {
            assert_int_equal(gyre_model_field(model, fields[f].name), f);
            return f;
        }
    }
    fail();
    return -1;
}

static void every_model_does_all_of_it(void **state)
{
    (void)state;
    for (int t = 0; gyre_model_type_name(t); t++) {
        gyre_model *model = make(gyre_model_type_name(t));
        const gyre_grid *g = gyre_model_grid(model);
        const float centre[3] = {g->origin[0] + 0.5f * g->h * (float)g->n[0],
                                 g->origin[1] + 0.5f * g->h * (float)g->n[1], 0.0f};
        int field = a_field(model);
        float before, after;
        const void *stats;
        must(gyre_model_probe(model, field, centre, 1, &before));
        must(gyre_model_splat(model, field, centre, 4.0f * g->h, 0.5f));
        must(gyre_model_probe(model, field, centre, 1, &after));
        if (!(after > before + 0.3f)) {
            fail_msg("%s: %g after a splat, %g before", gyre_model_type(model), (double)after,
                     (double)before);
        }
        assert_true(gyre_model_total(model, field) > 0.0);
        must(gyre_model_step(model, 0.01f));
        assert_non_null(gyre_model_stats(model, &stats));
        // A window, for reading and for writing.
        gyre_field_view view;
        uint64_t hash = gyre_model_hash(model);
        must(gyre_model_map(model, field, GYRE_READ, &view));
        must(gyre_model_unmap(model, field));
        assert_true(gyre_model_hash(model) == hash);
        // Particles, where its def asks for them: by default none.
        assert_int_equal(gyre_model_particle_sets(model), 0);
        assert_int_equal(gyre_model_particle_set(model, "tracers"), -1);
        // There and back.
        size_t size = gyre_model_save_size(model), written;
        void *bytes = malloc(size);
        must(gyre_model_save(model, bytes, size, &written));
        must(gyre_model_step(model, 0.01f));
        assert_true(gyre_model_hash(model) != hash);
        must(gyre_model_load(model, bytes, written));
        assert_true(gyre_model_hash(model) == hash);
        free(bytes);
        // A number of the def's: as it is.
        const gyre_property *p = gyre_model_type_properties(gyre_model_type(model), NULL);
        int set = 0;
        for (; p->kind != GYRE_END; p++) {
            gyre_value value;
            if (p->kind == GYRE_FLOAT && !(p->flags & GYRE_FIXED)) {
                must(gyre_model_get(model, p->name, &value));
                must(gyre_model_set(model, p->name, &value));
                set++;
            }
        }
        assert_true(set > 0 && gyre_model_hash(model) == hash);
        gyre_model_destroy(model);
    }
}

/// Of a model with a handle of its own; of each kind of element that may come and go: add_, update_
/// and read_.
static const char *const verbs[] = {
    "fill_def",   "default_def", "size",      "create", "destroy", "model",    "step",  "set",
    "get",        "remove",      "fields",    "field",  "map",     "unmap",    "probe", "splat",
    "read_stats", "hash",        "save_size", "save",   "load",    "get_stats"};

static char *read_header(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, GYRE_SOURCE_DIR "/include/gyre/%s.h", name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *text = calloc(1, 1 << 18);
    assert_true(fread(text, 1, (1 << 18) - 1, file) > 0);
    fclose(file);
    return text;
}

static void has(const char *text, const char *model, const char *verb, const char *what)
{
    char call[128];
    snprintf(call, sizeof call, "gyre_%s_%s%s(", model, verb, what);
    if (!strstr(text, call)) {
        fail_msg("include/gyre/%s.h has no %s)", model, call);
    }
}

/// "edges" -> "edge", "bodies" -> "body", "patches" -> "patch".
static void singular(const char *pool, char name[32])
{
    size_t length = strlen(pool);
    snprintf(name, 32, "%s", pool);
    if (length > 3 && strcmp(pool + length - 3, "ies") == 0) {
        snprintf(name + length - 3, 32 - length + 3, "y");
    } else if (length > 4 && strcmp(pool + length - 4, "ches") == 0) {
        name[length - 2] = 0;
    } else {
        name[length - 1] = 0;
    }
}

static void each_handle_has_all_of_it(void **state)
{
    (void)state;
    int handles = 0;
    for (int t = 0; gyre_model_type_name(t); t++) {
        const char *model = gyre_model_type_name(t);
        if (strcmp(model, "classic") == 0) {
            continue; // as a model it has no handle of its own: gyre/model.h serves
        }
        char *text = read_header(model);
        for (size_t v = 0; v < sizeof verbs / sizeof *verbs; v++) {
            has(text, model, verbs[v], "");
        }
        gyre_model *live = make(model);
        const gyre_property *p = gyre_model_type_properties(model, NULL);
        for (; p->kind != GYRE_END; p++) {
            char element[2048] = {0}, name[32];
            if (p->kind != GYRE_POOL || (p->flags & GYRE_FIXED)) {
                continue;
            }
            gyre_property_defaults(p->properties, element, p->size);
            if (!gyre_model_add(live, p->name, element) && strstr(gyre_message(), "fixed")) {
                continue;
            }
            singular(p->name, name);
            has(text, model, "add_", name);
            has(text, model, "update_", name);
            has(text, model, "read_", name);
        }
        gyre_model_destroy(live);
        free(text);
        handles++;
    }
    assert_true(handles >= 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_model_does_all_of_it),
        cmocka_unit_test(each_handle_has_all_of_it),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
