// scene/given.c: velocities of gases that are given, by formulas of the place and the time:
//
//     u(x, y, z, t) = place(x, y, z) time(t)
//
// A formula that is such a product at its outside costs its place's part once a face, kept, and its
// time's part once a row; any other, a value a face, twice a step: 0.1 to 0.5 us. Rows are asked
// for by several threads at once, and a formula is read by one: there are as many copies as a gas
// has pieces of rows.
#include "gyre/gas.h"
#include "scene/formula.h"
#include "scene/read.h"
#include "scene/write.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { COPIES = 16, OF_PLACE = 1, OF_TIME = 2 };

// A row of a place's part: it holds as long as the row lies there.
typedef struct kept_row {
    float place[3];
    bool filled;
} kept_row;

struct gy_given {
    const char *field; // "gas.velocity_x"
    const char *text;  // a formula, as the scene has it; NULL: a number
    double number;
    int model, axis;
    gy_formula *place[COPIES], *time[COPIES]; // NULL: 1
    bool keeps;                               // no time in the place's part
    int n[3];
    double *kept;
    kept_row *rows;
};

// What of a gas is given; what its function gets.
typedef struct gy_given_flow {
    const struct gy_given *of[3];
    atomic_flag busy[COPIES];
} gy_given_flow;

// ---- reading

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9');
}

// Which variables stand in a part of a text.
static int uses(const char *text, size_t length)
{
    int found = 0;
    for (size_t i = 0; i < length; i++) {
        bool alone =
            (i == 0 || !is_name(text[i - 1])) && (i + 1 == length || !is_name(text[i + 1]));
        if (alone && text[i] >= 'x' && text[i] <= 'z') {
            found |= OF_PLACE;
        } else if (alone && text[i] == 't') {
            found |= OF_TIME;
        }
    }
    return found;
}

static void add_factor(char *product, const char *text, size_t length)
{
    size_t used = strlen(product);
    if (used > 0) {
        product[used++] = '*';
    }
    memcpy(product + used, text, length);
    product[used + length] = 0;
}

// Parts a product into factors of the place and of the time, each as long as the text at most;
// false where it is none, or a factor is of both.
static bool part(const char *text, char *place, char *time)
{
    size_t from = 0;
    int depth = 0;
    place[0] = time[0] = 0;
    for (size_t i = 0;; i++) {
        char c = text[i];
        depth += (c == '(') - (c == ')');
        if (depth == 0 && c && strchr("+-/%", c) && (i > 0 || c == '+')) {
            return false;
        }
        if (!c || (depth == 0 && c == '*')) {
            int of = uses(text + from, i - from);
            if (of == (OF_PLACE | OF_TIME)) {
                return false;
            }
            add_factor(of == OF_TIME ? time : place, text + from, i - from);
            from = i + 1;
        }
        if (!c) {
            return place[0] && time[0];
        }
    }
}

static gyre_result read_formula(struct gy_given *g, const char *text)
{
    char place[GY_FORMULA_LENGTH] = "", time[GY_FORMULA_LENGTH] = "";
    gyre_result result = gy_formula_read_in_time(text, &g->place[0]);
    if (result) {
        return result;
    }
    bool parted = part(text, place, time);
    g->keeps = parted || !(uses(text, strlen(text)) & OF_TIME);
    gy_formula_free(g->place[0]);
    g->place[0] = NULL;
    for (int i = 0; i < COPIES && result == GYRE_OK; i++) {
        result = gy_formula_read_in_time(parted ? place : text, &g->place[i]);
        if (result == GYRE_OK && parted) {
            result = gy_formula_read_in_time(time, &g->time[i]);
        }
    }
    return result;
}

// The model and the component that a key means.
static gyre_result find(const gy_reader *r, const gy_place *place, struct gy_given *g)
{
    gyre_scene *scene = r->scene;
    const char *rest = g->field;
    g->model = strchr(g->field, '.') ? gy_scene_model_of(scene, g->field, &rest) : 0;
    gy_scene_model *m =
        g->model >= 0 && g->model < scene->model_count ? &scene->models[g->model] : NULL;
    g->axis = strncmp(rest, "velocity_", 9) == 0 && rest[9] && !rest[10] ? rest[9] - 'x' : -1;
    if (!m || strcmp(m->type, "gas") != 0 || g->axis < 0 ||
        g->axis >= ((const gyre_gas_def *)m->def)->grid.dim) {
        return gy_read_fail(r, place, true,
                            "found \"%.60s\", expected a velocity of a gas: \"MODEL.velocity_x\"",
                            g->field);
    }
    gyre_gas_def *def = m->def;
    if (def->velocity != GYRE_GAS_SOLVED && def->velocity != GYRE_GAS_ROWS) {
        return gy_read_fail(r, place, true,
                            "the gas's velocity comes from elsewhere, expected "
                            "none to be said there");
    }
    int32_t before = def->velocity;
    def->velocity = GYRE_GAS_ROWS;
    if (gyre_model_def_size(m->type, def) == 0) {
        def->velocity = before;
        return gy_read_fail(r, place, true, "%.699s", gyre_message());
    }
    return GYRE_OK;
}

static gyre_result read_one(const gy_reader *r, const gy_place *place, json_t *json,
                            struct gy_given *g)
{
    const char *text = json_string_value(json);
    gyre_result result = find(r, place, g);
    if (result) {
        return result;
    }
    if (json_is_number(json) && fabs(json_number_value(json)) <= 3e38) {
        g->number = json_number_value(json);
        return GYRE_OK;
    }
    if (!text) {
        char found[128];
        gy_read_describe(json, found, sizeof found);
        return gy_read_fail(r, place, false,
                            "found %s, expected a number or a formula of x, y, z and t", found);
    }
    g->text = gy_scene_text(r->scene, text);
    if (!g->text) {
        return GYRE_ERROR_MEMORY;
    }
    result = read_formula(g, text);
    if (result == GYRE_ERROR_ARGUMENT || result == GYRE_ERROR_UNSUPPORTED) {
        gy_read_fail(r, place, false, "%.599s", gyre_message());
    }
    return result;
}

gyre_result gy_given_read(const gy_reader *r, json_t *root)
{
    json_t *all = json_object_get(root, "given"), *json;
    gy_place top = {NULL, "given"};
    const char *key;
    if (!all) {
        return GYRE_OK;
    }
    if (!json_is_object(all)) {
        char found[128];
        gy_read_describe(all, found, sizeof found);
        return gy_read_fail(r, &top, false, "found %s, expected an object of velocities", found);
    }
    gyre_scene *scene = r->scene;
    scene->givens = gy_scene_allocate(scene, (json_object_size(all) + 1) * sizeof *scene->givens);
    if (!scene->givens) {
        return GYRE_ERROR_MEMORY;
    }
    json_object_foreach(all, key, json)
    {
        struct gy_given *g = &scene->givens[scene->given_count];
        gy_place place = {&top, key};
        g->field = gy_scene_text(scene, key);
        gyre_result result = g->field ? read_one(r, &place, json, g) : GYRE_ERROR_MEMORY;
        scene->given_count++;
        if (result) {
            return result;
        }
    }
    return GYRE_OK;
}

void gy_given_free(gyre_scene *scene)
{
    for (int i = 0; i < scene->given_count; i++) {
        struct gy_given *g = &scene->givens[i];
        for (int q = 0; q < COPIES; q++) {
            gy_formula_free(g->place[q]);
            gy_formula_free(g->time[q]);
        }
        free(g->kept);
        free(g->rows);
    }
}

json_t *gy_given_write(const gyre_scene *scene)
{
    json_t *all = json_object();
    for (int i = 0; i < scene->given_count; i++) {
        const struct gy_given *g = &scene->givens[i];
        json_object_set_new(all, g->field, g->text ? json_string(g->text) : json_real(g->number));
    }
    return all;
}

// ---- at work

// The place's part of a row that keeps it, worked out where it is not there.
static const double *keep_row(const struct gy_given *g, gy_formula *formula,
                              const gyre_gas_row *row)
{
    size_t at = (size_t)row->first[2] * (size_t)g->n[1] + (size_t)row->first[1];
    double *kept = g->kept + at * (size_t)g->n[0];
    kept_row *is = &g->rows[at];
    if (!is->filled || memcmp(is->place, row->place, sizeof is->place) != 0) {
        for (int i = 0; i < row->count; i++) {
            const double place[3] = {(double)row->place[0] + i * (double)row->step,
                                     (double)row->place[1], (double)row->place[2]};
            kept[i] = gy_formula_value(formula, place);
        }
        memcpy(is->place, row->place, sizeof is->place);
        is->filled = true;
    }
    return kept;
}

static void fill(const struct gy_given *g, int copy, const gyre_gas_row *row, float *values)
{
    const double none[3] = {0.0, 0.0, 0.0};
    double times = g->time[copy] ? gy_formula_value_then(g->time[copy], none, row->time) : 1.0;
    bool kept = g->keeps && g->place[copy];
    const double *places = kept ? keep_row(g, g->place[copy], row) : NULL;
    for (int i = 0; i < row->count; i++) {
        const double place[3] = {(double)row->place[0] + i * (double)row->step,
                                 (double)row->place[1], (double)row->place[2]};
        double value = kept             ? places[i]
                       : g->place[copy] ? gy_formula_value_then(g->place[copy], place, row->time)
                                        : g->number;
        values[i] = (float)(value * times);
    }
}

static void give_row(void *user, const gyre_gas_row *row, float *values)
{
    gy_given_flow *flow = user;
    const struct gy_given *g = flow->of[row->axis];
    int copy = 0;
    if (!g) {
        return;
    }
    while (atomic_flag_test_and_set(&flow->busy[copy])) {
        copy = (copy + 1) % COPIES;
    }
    fill(g, copy, row, values);
    atomic_flag_clear(&flow->busy[copy]);
}

static gyre_result take_room(gyre_scene *scene, struct gy_given *g)
{
    const gyre_gas_def *def = scene->models[g->model].def;
    const gyre_location faces[3] = {GYRE_FACE_X, GYRE_FACE_Y, GYRE_FACE_Z};
    gyre_grid_samples(&def->grid, faces[g->axis], g->n);
    size_t rows = (size_t)g->n[1] * (size_t)g->n[2];
    free(g->kept);
    free(g->rows);
    g->kept = malloc(rows * (size_t)g->n[0] * sizeof *g->kept);
    g->rows = calloc(rows, sizeof *g->rows);
    return g->kept && g->rows ? GYRE_OK
                              : gyre_fail(GYRE_ERROR_MEMORY, "%.200s: given.%.60s: no memory",
                                          scene->file, g->field);
}

gyre_result gy_given_apply(gyre_scene *scene)
{
    for (int m = 0; m < scene->model_count && scene->given_count > 0; m++) {
        gy_given_flow *flow = NULL;
        for (int i = 0; i < scene->given_count; i++) {
            struct gy_given *g = &scene->givens[i];
            if (g->model != m) {
                continue;
            }
            flow = flow ? flow : gy_scene_allocate(scene, sizeof *flow);
            gyre_result result = flow ? GYRE_OK : GYRE_ERROR_MEMORY;
            result = result == GYRE_OK && g->keeps ? take_room(scene, g) : result;
            if (result) {
                return result;
            }
            flow->of[g->axis] = g;
        }
        for (int q = 0; flow && q < COPIES; q++) {
            atomic_flag_clear(&flow->busy[q]);
        }
        if (flow) {
            gyre_gas_set_velocity_rows((gyre_gas *)scene->models[m].model, give_row, flow);
        }
    }
    return GYRE_OK;
}
