// test/random_case.h: a random model, sources, edits and steps out of a string of bytes, done alike
// on several devices; results must be the same bits on all of them. Used by test_random and by
// fuzz_bits.
#ifndef GYRE_TEST_RANDOM_CASE_H
#define GYRE_TEST_RANDOM_CASE_H

#include "random_def.h"

#include <stdlib.h>

enum { MOST_TWINS = 4 };

/// The same model on several devices, and what has become of it.
typedef struct twins {
    gyre_device *device[MOST_TWINS];
    gyre_model *model[MOST_TWINS];
    int count;
    bool refused;    // the def could not be run: on no device
    int steps;       // that were taken
    int differs;     // the first twin that is not as the first one, or 0
    char where[512]; // what differs
} twins;

static def_maker case_maker;

static inline void tell(twins *t, int twin, const char *what, const char *more, double a, double b)
{
    if (!t->differs) {
        t->differs = twin;
        snprintf(t->where, sizeof t->where, "twin %d after %d steps: %s %s: %.17g, first %.17g",
                 twin, t->steps, what, more, b, a);
    }
}

/// All twins must answer alike.
static inline void answers(twins *t, const gyre_result r[MOST_TWINS], const char *to)
{
    for (int q = 1; q < t->count; q++) {
        if (r[q] != r[0]) {
            tell(t, q, "the answer to", to, (double)r[0], (double)r[q]);
        }
    }
}

// ---- comparisons --------------------------------------------------------------------------------

static inline double stat_number(const gyre_property *p, const void *stats)
{
    const char *at = (const char *)stats + p->offset;
    double number = 0.0;
    int32_t whole;
    int64_t large;
    float single;
    switch (p->kind) {
    case GYRE_BOOL:
        return *at;
    case GYRE_INT:
    case GYRE_ENUM:
        memcpy(&whole, at, sizeof whole);
        return whole;
    case GYRE_FLOAT:
        memcpy(&single, at, sizeof single);
        return (double)single;
    case GYRE_INT64:
        memcpy(&large, at, sizeof large);
        return (double)large;
    case GYRE_DOUBLE:
        memcpy(&number, at, sizeof number);
        return number;
    default:
        return 0.0;
    }
}

static inline void same_stats(twins *t)
{
    const void *first, *other;
    const gyre_property *table = gyre_model_stats(t->model[0], &first);
    for (int q = 1; q < t->count; q++) {
        gyre_model_stats(t->model[q], &other);
        for (const gyre_property *p = table; p && p->kind != GYRE_END; p++) {
            double a = stat_number(p, first), b = stat_number(p, other);
            if (memcmp(&a, &b, sizeof a) != 0) {
                tell(t, q, "statistic", p->name, a, b);
            }
        }
    }
}

static inline void same_window(twins *t, int twin, const char *name, const gyre_field_view *a,
                               const gyre_field_view *b)
{
    for (int k = 0; k < a->n[2]; k++) {
        for (int j = 0; j < a->n[1]; j++) {
            const float *x = a->data + j * a->stride[1] + k * a->stride[2];
            const float *y = b->data + j * b->stride[1] + k * b->stride[2];
            for (int i = 0; i < a->n[0]; i++) {
                if (memcmp(&x[i], &y[i], sizeof *x) != 0) {
                    char at[96];
                    snprintf(at, sizeof at, "%s at (%d, %d, %d)", name, i, j, k);
                    tell(t, twin, "field", at, (double)x[i], (double)y[i]);
                    return;
                }
            }
        }
    }
}

/// All fields, those that are derived, too; looking at them changes nothing.
static inline void same_fields(twins *t)
{
    int count;
    const gyre_field_info *fields = gyre_model_fields(t->model[0], &count);
    for (int f = 0; f < count; f++) {
        gyre_field_view view[MOST_TWINS];
        gyre_result r[MOST_TWINS] = {0};
        for (int q = 0; q < t->count; q++) {
            r[q] = gyre_model_map(t->model[q], f, GYRE_READ, &view[q]);
        }
        answers(t, r, "map");
        for (int q = 1; q < t->count && r[0] == GYRE_OK; q++) {
            same_window(t, q, fields[f].name, &view[0], &view[q]);
        }
        for (int q = 0; q < t->count; q++) {
            r[q] = gyre_model_unmap(t->model[q], f);
        }
        answers(t, r, "unmap");
        double first = gyre_model_total(t->model[0], f);
        for (int q = 1; q < t->count && !fields[f].derived; q++) {
            double other = gyre_model_total(t->model[q], f);
            if (memcmp(&first, &other, sizeof first) != 0) {
                tell(t, q, "total of", fields[f].name, first, other);
            }
        }
    }
}

static inline void same_hash(twins *t)
{
    uint64_t first = gyre_model_hash(t->model[0]);
    for (int q = 1; q < t->count; q++) {
        if (gyre_model_hash(t->model[q]) != first) {
            same_fields(t); // tells which
            tell(t, q, "the hash", "", 0.0, 0.0);
        }
    }
}

// ---- what is done beside steps ------------------------------------------------------------------

static inline void random_point(dice *d, float point[3])
{
    for (int a = 0; a < 3; a++) {
        point[a] = case_maker.width[a] * (float)(1.2 * roll_unit(d) - 0.1);
    }
}

static inline void random_splat(twins *t, dice *d, int fields)
{
    int field = roll(d, fields);
    float centre[3], radius = case_maker.width[0] * (float)(0.5 * roll_unit(d));
    float amount = (float)roll_size(d, -3.0, 2.0);
    gyre_result r[MOST_TWINS] = {0};
    random_point(d, centre);
    for (int q = 0; q < t->count; q++) {
        r[q] = gyre_model_splat(t->model[q], field, centre, radius, amount);
    }
    answers(t, r, "splat");
}

/// Writes into every so manyth sample of a field.
static inline void random_edit(twins *t, dice *d, int fields)
{
    static const float wild[] = {0.0f, 1e-30f, -1e-38f, 1e30f, -1e30f, INFINITY, NAN, 1.0f};
    int field = roll(d, fields), step = 1 + roll(d, 40), kind = roll(d, 24);
    double size = roll_size(d, -2.0, 1.5);
    gyre_result r[MOST_TWINS] = {0};
    for (int q = 0; q < t->count; q++) {
        gyre_field_view v;
        uint32_t random = 7;
        r[q] = gyre_model_map(t->model[q], field, GYRE_WRITE, &v);
        for (int k = 0; k < v.n[2] && r[q] == GYRE_OK; k++) {
            for (int i = 0; i < v.n[0] * v.n[1]; i++) {
                random = random * 1664525u + 1013904223u;
                float *to = &v.data[i % v.n[0] + i / v.n[0] * v.stride[1] + k * v.stride[2]];
                float x = (float)(size * ((double)(random >> 16) / 32768.0 - 1.0));
                if ((i + k) % step == 0) {
                    *to = kind < 8 ? wild[kind] : kind < 16 ? x : *to + x;
                }
            }
        }
        r[q] = r[q] == GYRE_OK ? gyre_model_unmap(t->model[q], field) : r[q];
    }
    answers(t, r, "unmap");
}

/// Another value for one of the model's properties, wherever in the table.
static inline void random_set(twins *t, dice *d)
{
    char path[256] = "";
    const gyre_property *p = gyre_model_type_properties(gyre_model_type(t->model[0]), NULL);
    for (int depth = 0; depth < 5; depth++) {
        int count = 0;
        while (p[count].kind != GYRE_END) {
            count++;
        }
        p = &p[roll(d, count)];
        strcat(strcat(path, depth ? "." : ""), p->name);
        if (p->kind == GYRE_POOL) {
            char index[8];
            snprintf(index, sizeof index, ".%d", roll(d, 3));
            strcat(path, index);
        }
        if (!p->properties) {
            break;
        }
        p = p->properties;
    }
    gyre_value value = {.kind = p->kind, .count = p->count};
    for (int c = 0; c < p->count && c < 3; c++) {
        value.number[c] = p->kind == GYRE_BOOL   ? roll(d, 2)
                          : p->kind == GYRE_ENUM ? roll(d, count_names(p->names))
                                                 : random_number(&case_maker, p, c);
    }
    gyre_result r[MOST_TWINS] = {0};
    for (int q = 0; q < t->count; q++) {
        r[q] = gyre_model_set(t->model[q], path, &value);
    }
    answers(t, r, path);
}

static inline const gyre_property *random_list(twins *t, dice *d)
{
    const gyre_property *table = gyre_model_type_properties(gyre_model_type(t->model[0]), NULL);
    int count = 0, chosen = roll(d, 8);
    for (const gyre_property *p = table; p->kind != GYRE_END; p++) {
        count += p->kind == GYRE_POOL;
    }
    for (const gyre_property *p = table; p->kind != GYRE_END; p++) {
        if (p->kind == GYRE_POOL && chosen-- % count == 0) {
            return p;
        }
    }
    return NULL;
}

static inline void random_add(twins *t, dice *d, int number)
{
    const gyre_property *list = random_list(t, d);
    void *element = list ? def_room(&case_maker, list->size) : NULL;
    gyre_result r[MOST_TWINS] = {0};
    if (!element) {
        return;
    }
    random_element(&case_maker, list, 10 + number, element);
    for (int q = 0; q < t->count; q++) {
        r[q] = gyre_model_add(t->model[q], list->name, element) ? GYRE_OK : GYRE_ERROR_ARGUMENT;
    }
    answers(t, r, "add");
}

static inline void random_remove(twins *t, dice *d)
{
    const gyre_property *list = random_list(t, d);
    int index = roll(d, 3);
    gyre_result r[MOST_TWINS] = {0};
    for (int q = 0; q < t->count && list; q++) {
        gyre_id id = gyre_model_element(t->model[q], list->name, index);
        r[q] = gyre_model_remove(t->model[q], id);
    }
    answers(t, r, "remove");
}

/// The hash of a field's samples.
static inline uint64_t field_hash(gyre_model *model, int field)
{
    gyre_field_view v;
    uint64_t hash = 14695981039346656037u;
    if (gyre_model_map(model, field, GYRE_READ, &v) != GYRE_OK) {
        return 0;
    }
    for (int k = 0; k < v.n[2]; k++) {
        for (int j = 0; j < v.n[1]; j++) {
            const uint8_t *row = (const uint8_t *)(v.data + j * v.stride[1] + k * v.stride[2]);
            for (size_t i = 0; i < (size_t)v.n[0] * sizeof(float); i++) {
                hash = (hash ^ row[i]) * 1099511628211u;
            }
        }
    }
    gyre_model_unmap(model, field);
    return hash;
}

/// Back to what was saved: nothing is another then, and all go on from it alike.
static inline void save_and_load(twins *t)
{
    gyre_result r[MOST_TWINS] = {0};
    for (int q = 0; q < t->count; q++) {
        gyre_model *model = t->model[q];
        size_t size = gyre_model_save_size(model);
        void *saved = malloc(size);
        uint64_t before = gyre_model_hash(model), field[64];
        int count;
        const gyre_field_info *fields = gyre_model_fields(model, &count);
        for (int f = 0; f < count; f++) {
            field[f] = fields[f].derived ? 0 : field_hash(model, f);
        }
        if (gyre_model_hash(model) != before) {
            tell(t, q + (q == 0), "the hash after a look", "", 0.0, 0.0);
        }
        r[q] = saved ? gyre_model_save(model, saved, size, NULL) : GYRE_ERROR_MEMORY;
        r[q] = r[q] == GYRE_OK ? gyre_model_load(model, saved, size) : r[q];
        for (int f = 0; f < count && r[q] == GYRE_OK; f++) {
            if (!fields[f].derived && field[f] != field_hash(model, f)) {
                tell(t, q + (q == 0), "after save and load", fields[f].name, 0.0, 0.0);
            }
        }
        if (r[q] == GYRE_OK && gyre_model_hash(model) != before) {
            tell(t, q + (q == 0), "the hash after save and load", "", 0.0, 0.0);
        }
        free(saved);
    }
    answers(t, r, "load");
}

static inline void random_action(twins *t, dice *d, int number)
{
    int count, own = 0;
    const gyre_field_info *fields = gyre_model_fields(t->model[0], &count);
    while (own < count && !fields[own].derived) {
        own++;
    }
    switch (roll(d, 8)) {
    case 0:
    case 1:
        random_splat(t, d, own);
        break;
    case 2:
    case 3:
        random_edit(t, d, own);
        break;
    case 4:
        random_set(t, d);
        break;
    case 5:
        random_add(t, d, number);
        break;
    case 6:
        random_remove(t, d);
        break;
    default:
        save_and_load(t);
    }
}

// ---- a case -------------------------------------------------------------------------------------

static inline void make_twins(twins *t, const char *type, const void *def)
{
    gyre_result r[MOST_TWINS] = {0};
    for (int q = 0; q < t->count; q++) {
        r[q] = gyre_model_create(t->device[q], type, def, &t->model[q]);
    }
    answers(t, r, "create");
    t->refused = r[0] != GYRE_OK;
}

static inline float random_dt(dice *d)
{
    int kind = roll(d, 24);
    return kind == 0 ? 0.0f : kind == 1 ? 1e10f : (float)pow(10.0, 3.0 * roll_unit(d) - 2.5);
}

/// Runs what `bytes` say on the twins' devices; says in `differs` and `where` what is not alike.
static inline void random_case(twins *t, const uint8_t *bytes, size_t size)
{
    dice d = {bytes, size};
    size_t def_size;
    case_maker.d = &d;
    const char *type = roll(&d, 2) ? "gas" : "water";
    gyre_model_type_properties(type, &def_size);
    void *def = malloc(def_size);
    t->steps = t->differs = 0;
    t->where[0] = 0;
    memset(t->model, 0, sizeof t->model);
    random_def(&case_maker, type, def);
    make_twins(t, type, def);
    int left = 1 + roll(&d, 6);
    for (int number = 0; number < left && !t->refused && !t->differs; number++) {
        gyre_result r[MOST_TWINS] = {0};
        for (int n = roll(&d, 3); n > 0 && !t->differs; n--) {
            random_action(t, &d, 4 * number + n);
        }
        float dt = random_dt(&d);
        for (int q = 0; q < t->count && !t->differs; q++) {
            r[q] = gyre_model_step(t->model[q], dt);
        }
        answers(t, r, "step");
        t->steps++;
        same_hash(t);
        same_stats(t);
    }
    if (!t->refused && !t->differs) {
        same_fields(t);
    }
    for (int q = 0; q < t->count; q++) {
        gyre_model_destroy(t->model[q]);
    }
    free(def);
}

#endif
