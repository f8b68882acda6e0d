// test/window_rules.h: the rules of windows (gyre/model.h, gyre_model_map), tried on any model on
// any device.
#ifndef GYRE_TEST_WINDOW_RULES_H
#define GYRE_TEST_WINDOW_RULES_H

#include "gyre/gyre.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static inline void window_ok(gyre_result result)
{
    if (result != GYRE_OK) {
        fail_msg("%s: %s", gyre_result_name(result), gyre_message());
    }
}

static inline void window_state(gyre_result result, const char *field)
{
    if (result != GYRE_ERROR_STATE || !strstr(gyre_message(), field)) {
        fail_msg("%s: \"%s\" does not speak of %s", gyre_result_name(result), gyre_message(),
                 field);
    }
}

// What must not be done while a window on `field` is open.
static inline void window_holds(gyre_model *model, int field, const char *name)
{
    const float centre[3] = {0.5f, 0.5f, 0.5f};
    const char *path = strcmp(gyre_model_type(model), "water") == 0 ? "rain" : "viscosity";
    gyre_value value = gyre_number(0.25), before, after;
    size_t size = gyre_model_save_size(model);
    char *bytes = calloc(1, size);
    gyre_field_view view;
    window_state(gyre_model_step(model, 0.01f), name);
    window_state(gyre_model_save(model, bytes, size, NULL), name);
    window_state(gyre_model_load(model, bytes, size), name);
    window_ok(gyre_model_get(model, path, &before));
    window_state(gyre_model_set(model, path, &value), name);
    window_ok(gyre_model_get(model, path, &after));
    assert_true(before.number[0] == after.number[0]);
    window_state(gyre_model_splat(model, 0, centre, 0.2f, 1.0f), name);
    window_state(gyre_model_map(model, field, GYRE_READ, &view), name);
    if (!gyre_model_fields(model, &(int){0})[field].derived) {
        window_state(gyre_model_map(model, field, GYRE_WRITE, &view), name);
    }
    free(bytes);
}

/// The model has moved. Hashes are asked for where `hashed`: they are a promise of processors.
static inline void window_rules(gyre_model *model, bool hashed)
{
    int count;
    const gyre_field_info *fields = gyre_model_fields(model, &count);
    gyre_field_view view;
    uint64_t hash = hashed ? gyre_model_hash(model) : 0;
    for (int f = 0; f < count; f++) {
        window_state(gyre_model_unmap(model, f), fields[f].name);
        assert_int_equal(gyre_model_map(model, f, (gyre_access)0, &view), GYRE_ERROR_ARGUMENT);
        window_ok(gyre_model_map(model, f, GYRE_READ, &view));
        window_holds(model, f, fields[f].name);
        assert_true(!hashed || gyre_model_hash(model) == hash);
        window_ok(gyre_model_unmap(model, f));
        window_state(gyre_model_unmap(model, f), fields[f].name);
        assert_true(!hashed || gyre_model_hash(model) == hash);
    }
    for (int f = 0; f < count; f++) {
        if (fields[f].derived) {
            assert_int_equal(gyre_model_map(model, f, GYRE_WRITE, &view), GYRE_ERROR_ARGUMENT);
            continue;
        }
        const void *stats;
        window_ok(gyre_model_map(model, f, GYRE_WRITE, &view));
        ptrdiff_t at =
            view.n[0] / 2 + view.n[1] / 2 * view.stride[1] + view.n[2] / 2 * view.stride[2];
        float old = view.data[at], found, wanted = old + 0.5f;
        view.data[at] = wanted;
        window_holds(model, f, fields[f].name);
        assert_true(gyre_model_hash(model) == 0 && strstr(gyre_message(), fields[f].name));
        assert_null(gyre_model_stats(model, &stats));
        assert_null(stats);
        assert_true(gyre_model_total(model, f) == 0.0 && strstr(gyre_message(), "unmap"));
        assert_true(view.data[at] == wanted); // none of these took it away
        window_ok(gyre_model_unmap(model, f));
        window_ok(gyre_model_map(model, f, GYRE_READ, &view));
        found = view.data[at];
        assert_true(found > wanted - 0.01f && found < wanted + 0.01f);
        window_ok(gyre_model_unmap(model, f));
        window_ok(gyre_model_map(model, f, GYRE_WRITE, &view));
        view.data[at] = old;
        window_ok(gyre_model_unmap(model, f));
    }
    window_ok(gyre_model_step(model, 0.01f));
}

#endif
