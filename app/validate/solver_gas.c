// validate/solver_gas.c: flows by gyre's gas, as its scene says or by a scheme by name; and what
// all solvers share that are models of a scene.
#include "gyre/gas.h"
#include "validate/solvers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT = 8 }; // fields read at the same time

typedef struct kept {
    char name[32];
    float *data;
    size_t room;
} kept;

typedef struct model_flow {
    gyre_scene *scene;
    kept fields[KEPT];
} model_flow;

static bool assign(gyre_scene *scene, const char *format, const char *model, double a, double b,
                   double c)
{
    char text[160];
    snprintf(text, sizeof text, format, model, a, b, c);
    return gyre_scene_assign(scene, text) == GYRE_OK;
}

static const gyre_grid *grid_of(const gyre_scene *scene, int model)
{
    size_t size;
    const gyre_property *table =
        gyre_model_type_properties(gyre_scene_model_type(scene, model), &size);
    return (const void *)((const char *)gyre_scene_model_def(scene, model) +
                          gyre_property_find(table, "grid")->offset);
}

/// Puts so many cells along x into the first model and as many times their own into the others, and
/// `change` (may be NULL) into those of its type.
static bool scale(gyre_scene *scene, int cells, const char *change)
{
    double times = (double)cells / grid_of(scene, 0)->n[0];
    for (int i = 0; i < gyre_scene_model_count(scene); i++) {
        const char *name = gyre_scene_model_name(scene, i);
        gyre_grid own = *grid_of(scene, i);
        bool flat = own.dim == 2,
             alike = strcmp(gyre_scene_model_type(scene, i), gyre_scene_model_type(scene, 0)) == 0;
        char whole[160];
        snprintf(whole, sizeof whole, "%.60s.%.90s", name, change ? change : "");
        if (!assign(scene, "%.60s.grid.n=%.0f,%.0f,%.0f", name, round(own.n[0] * times),
                    round(own.n[1] * times), flat ? 1.0 : round(own.n[2] * times)) ||
            !assign(scene, "%.60s.grid.h=%.9g", name, (double)own.h / times, 0, 0) ||
            (change && alike && gyre_scene_assign(scene, whole))) {
            return false;
        }
    }
    return true;
}

bool validate_model_flow_open(validate_flow *flow, const char *text, size_t size, int cells,
                              double dt, const char *change)
{
    model_flow *m = calloc(1, sizeof *m);
    const char *name;
    size_t own_size;
    if (!m) {
        validate_flow_fail(flow, "there is not enough memory");
        return false;
    }
    validate_flow_keep(flow, m);
    validate_flow_text(flow, &own_size, &name);
    if (gyre_scene_parse(text, size, name, &m->scene)) {
        return false;
    }
    // Frames of one step, whatever they are: 1e4 a second at most.
    int many = (int)ceil(1.0 / (dt * 1e4));
    many = many < 1 ? 1 : many;
    bool fits = scale(m->scene, cells, change) &&
                assign(m->scene, "%.60stime.steps_per_frame=%.0f", "", many, 0, 0) &&
                assign(m->scene, "%.60stime.fps=%.9g", "", 1.0 / (dt * many), 0, 0);
    return fits && gyre_scene_create(m->scene, validate_flow_device(flow)) == GYRE_OK;
}

bool validate_gas_flow_open(validate_flow *flow, int cells, double dt)
{
    const validate_solver *solver = validate_flow_solver(flow);
    size_t size;
    const char *name, *text = validate_flow_text(flow, &size, &name);
    char change[64] = "";
    if (solver->option) {
        snprintf(change, sizeof change, "advection=%.40s", solver->option);
    }
    return validate_model_flow_open(flow, text, size, cells, dt, change[0] ? change : NULL);
}

bool validate_model_flow_step(validate_flow *flow)
{
    model_flow *m = validate_flow_state(flow);
    return gyre_scene_step(m->scene) == GYRE_OK;
}

static kept *keep(model_flow *m, const char *field, size_t count)
{
    kept *k = m->fields;
    while (k < m->fields + KEPT - 1 && k->name[0] && strcmp(k->name, field) != 0) {
        k++;
    }
    if (k->room < count) {
        float *more = realloc(k->data, count * sizeof *more);
        if (!more) {
            return NULL;
        }
        k->data = more;
        k->room = count;
    }
    snprintf(k->name, sizeof k->name, "%.31s", field);
    return k;
}

bool validate_model_flow_read(validate_flow *flow, const char *field, validate_samples *samples)
{
    model_flow *m = validate_flow_state(flow);
    gyre_field_view view;
    int which, index;
    if (gyre_scene_field(m->scene, field, &which, &index)) {
        return false;
    }
    gyre_model *model = gyre_scene_model(m->scene, which);
    if (gyre_model_map(model, index, GYRE_READ, &view)) {
        return false;
    }
    size_t row = (size_t)view.n[0], rows = (size_t)view.n[1] * (size_t)view.n[2];
    kept *k = keep(m, field, row * rows);
    for (size_t r = 0; k && r < rows; r++) {
        const float *from = view.data + (ptrdiff_t)(r % (size_t)view.n[1]) * view.stride[1] +
                            (ptrdiff_t)(r / (size_t)view.n[1]) * view.stride[2];
        memcpy(k->data + r * row, from, row * sizeof *from);
    }
    const gyre_location faces[3] = {GYRE_FACE_X, GYRE_FACE_Y, GYRE_FACE_Z};
    samples->h = (double)view.grid.h;
    for (int a = 0; a < 3; a++) {
        bool low = view.location == faces[a] || view.location == GYRE_NODE;
        samples->n[a] = view.n[a];
        samples->origin[a] = (double)view.grid.origin[a] + (low ? 0.0 : 0.5 * samples->h);
    }
    samples->data = k ? k->data : NULL;
    if (!k) {
        validate_flow_fail(flow, "there is not enough memory");
    }
    return gyre_model_unmap(model, index) == GYRE_OK && k;
}

/// The model that a name begins with ("still.cylinder"), which goes on after it; else the first.
static int model_of(gyre_scene *scene, const char **name)
{
    const char *dot = strchr(*name, '.');
    for (int i = 0; dot && i < gyre_scene_model_count(scene); i++) {
        const char *each = gyre_scene_model_name(scene, i);
        if (strlen(each) == (size_t)(dot - *name) &&
            strncmp(each, *name, (size_t)(dot - *name)) == 0) {
            *name = dot + 1;
            return i;
        }
    }
    return 0;
}

bool validate_model_flow_push(validate_flow *flow, const char *body, double force[3])
{
    model_flow *m = validate_flow_state(flow);
    int which = model_of(m->scene, &body);
    gyre_model *model = gyre_scene_model(m->scene, which);
    if (strcmp(gyre_model_type(model), "gas") != 0) {
        validate_flow_refuse(flow, "it does not say what pushes bodies");
        return false;
    }
    gyre_id id = gyre_model_find(model, "solids", body);
    gyre_bodies *bodies = gyre_scene_bodies(m->scene);
    id = id || !bodies ? id : gyre_bodies_find(bodies, body);
    gyre_gas_push push;
    if (!id || gyre_gas_read_push((gyre_gas *)model, id, &push)) {
        validate_flow_fail(flow, id ? NULL : "there is no body of that name");
        return false;
    }
    memcpy(force, push.force, sizeof push.force);
    return true;
}

bool validate_model_flow_pose(validate_flow *flow, const char *body, gyre_pose *pose)
{
    model_flow *m = validate_flow_state(flow);
    gyre_bodies *bodies = gyre_scene_bodies(m->scene);
    gyre_id id = bodies ? gyre_bodies_find(bodies, body) : 0;
    gyre_body is;
    if (!id || gyre_bodies_read(bodies, id, &is)) {
        validate_flow_fail(flow, id ? NULL : "there is no body of that name");
        return false;
    }
    *pose = is.pose;
    return true;
}

const char *validate_model_flow_draw(validate_flow *flow, gyre_image *image)
{
    model_flow *m = validate_flow_state(flow);
    return gyre_scene_render(m->scene, image) ? gyre_message() : NULL;
}

void validate_model_flow_close(validate_flow *flow)
{
    model_flow *m = validate_flow_state(flow);
    for (int i = 0; m && i < KEPT; i++) {
        free(m->fields[i].data);
    }
    if (m) {
        gyre_scene_destroy(m->scene);
    }
    free(m);
    validate_flow_keep(flow, NULL);
}
