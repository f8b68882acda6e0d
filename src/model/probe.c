// model/probe.c: fields at points, linearly between samples: 2 (2D) to 8 loads each.
#include "base/base.h"
#include "model/model.h"

/// Where samples are read from.
typedef struct source {
    const gyre_model *model;
    int field;
    bool direct; // one at a time out of the model; else from the window
    gyre_field_view view;
} source;

static gyre_result check_points(const char *call, const gyre_model *model, const float *points,
                                int count)
{
    for (int p = 0; p < count; p++) {
        for (int a = 0; a < model->grid->dim; a++) {
            if (!gy_is_finite(points[3 * p + a])) {
                return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: point %d is not finite", call, p);
            }
        }
    }
    return GYRE_OK;
}

static gyre_result may_probe(const gyre_model *model, int field)
{
    const char *name = model->fields[field].name;
    if (model->open >> field & 1u || !model->fields[field].derived) {
        return GYRE_OK;
    }
    return model->type->read_sample
               ? gy_model_whole(model, name)
               : gyre_fail(GYRE_ERROR_STATE, "%s: map it before probing it", name);
}

static gyre_result open_source(source *s, const gyre_model *model, int field)
{
    *s = (source){.model = model, .field = field};
    s->direct = model->type->read_sample && !(model->open >> field & 1u);
    // On the CPU this asks nothing of the device, and several threads may do it at once.
    bool apart = gy_device_has_own_memory(model->device);
    if (apart) {
        gy_device_enter(model->device);
    }
    gy_model_window(model, field, &s->view);
    gyre_result r = gy_device_status(model->device);
    if (apart) {
        gy_device_leave(model->device);
    }
    return r;
}

static float sample(const source *s, const int at[3])
{
    const ptrdiff_t *stride = s->view.stride;
    return s->direct ? s->model->type->read_sample(s->model, s->field, at[0], at[1], at[2])
                     : s->view.data[at[0] * stride[0] + at[1] * stride[1] + at[2] * stride[2]];
}

static float probe(const source *s, const float *point)
{
    const gyre_grid *grid = s->model->grid;
    const int *n = s->view.n;
    float first[3], f[3], sum = 0.0f;
    int cell[3];
    const gy_model_type *type = s->model->type;
    if (type->probe_beside && type->probe_beside(s->model, s->field, &s->view, point, &sum)) {
        return sum;
    }
    gyre_grid_position(grid, s->model->fields[s->field].location, 0, 0, 0, first);
    for (int a = 0; a < 3; a++) {
        float x = a < grid->dim ? (point[a] - first[a]) / grid->h : 0.0f;
        float top = (float)(n[a] - 1);
        x = x < 0.0f ? 0.0f : x > top ? top : x;
        cell[a] = GY_MIN((int)x, GY_MAX(n[a] - 2, 0));
        f[a] = x - (float)cell[a];
    }
    for (int c = 0; c < 8; c++) {
        float w = 1.0f;
        int at[3];
        for (int a = 0; a < 3; a++) {
            int up = c >> a & 1;
            w *= up ? f[a] : 1.0f - f[a];
            at[a] = cell[a] + (up && cell[a] + 1 < n[a]);
        }
        sum += w != 0.0f ? w * sample(s, at) : 0.0f;
    }
    return sum;
}

/// Field after field, the value of point p and field c at values[step * p + c].
static gyre_result probe_all(const char *call, const gyre_model *model, const int *fields,
                             int field_count, const float *points, int count, float *values,
                             int step)
{
    gyre_result r = check_points(call, model, points, count);
    for (int c = 0; c < field_count && r == GYRE_OK; c++) {
        r = may_probe(model, fields[c]);
    }
    for (int c = 0; c < field_count && r == GYRE_OK; c++) {
        source s;
        r = open_source(&s, model, fields[c]);
        for (int p = 0; p < count && r == GYRE_OK; p++) {
            values[step * p + c] = probe(&s, points + 3 * p);
        }
    }
    return r;
}

gyre_result gyre_model_probe(const gyre_model *model, int field, const float *points, int count,
                             float *values)
{
    if (gy_model_check_field("probe", model, field) != GYRE_OK ||
        (count > 0 && (GY_MISSING("probe", points) || GY_MISSING("probe", values)))) {
        return GYRE_ERROR_ARGUMENT;
    }
    return probe_all("probe", model, &field, 1, points, count, values, 1);
}

gyre_result gyre_model_probe_vector(const gyre_model *model, const char *vector,
                                    const float *points, int count, float *values)
{
    int fields[3];
    if (GY_MISSING("probe_vector", model) || GY_MISSING("probe_vector", vector) ||
        (count > 0 && (GY_MISSING("probe_vector", points) || GY_MISSING("probe_vector", values)))) {
        return GYRE_ERROR_ARGUMENT;
    }
    int components = gy_model_vector("probe_vector", model, vector, fields);
    if (components == 0) {
        return GYRE_ERROR_ARGUMENT;
    }
    gyre_result r = probe_all("probe_vector", model, fields, components, points, count, values, 3);
    for (int p = 0; p < count && r == GYRE_OK; p++) {
        for (int c = components; c < 3; c++) {
            values[3 * p + c] = 0.0f;
        }
    }
    return r;
}
