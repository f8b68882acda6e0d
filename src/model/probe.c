// model/probe.c: fields at points, linearly between samples: 2 (2D) to 8 loads each.
#include "model/source.h"

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

/// Cells of samples and where a point is in them, along one axis.
typedef struct place {
    int low, high;
    float part; // of the high one
} place;

/// Across periodic sides the last sample and the first are neighbours; beyond others the nearest
/// inside counts.
static place place_of(float x, int samples, int cells, bool wraps)
{
    place p = {0, 0, 0.0f};
    if (wraps) {
        double u = (double)x - gy_turns((double)x, cells);
        p.low = GY_MIN((int)u, cells - 1);
        p.high = p.low + 1 < cells ? p.low + 1 : 0;
        p.part = (float)(u - p.low);
        return p;
    }
    float top = (float)(samples - 1);
    x = x < 0.0f ? 0.0f : x > top ? top : x;
    p.low = GY_MIN((int)x, GY_MAX(samples - 2, 0));
    p.high = GY_MIN(p.low + 1, samples - 1);
    p.part = x - (float)p.low;
    return p;
}

static float probe(const gy_source *s, const gy_around *around, const float *point)
{
    const gyre_grid *grid = s->model->grid;
    float first[3], at[3] = {point[0], point[1], gy_is_3d(grid->dim) ? point[2] : 0.0f}, sum = 0.0f;
    place p[3];
    for (int a = 0; a < grid->dim && around->periodic; a++) {
        double x = ((double)at[a] - (double)grid->origin[a]) / (double)grid->h;
        bool out = (around->periodic >> a & 1u) && !(x >= 0.0 && x < grid->n[a]);
        at[a] -= out ? (float)(gy_turns(x, grid->n[a]) * (double)grid->h) : 0.0f;
    }
    if (around->beside && s->model->type->probe_beside(s->model, s->field, &s->view, at, &sum)) {
        return sum;
    }
    gyre_grid_position(grid, s->model->fields[s->field].location, 0, 0, 0, first);
    for (int a = 0; a < 3; a++) {
        float x = a < grid->dim ? (at[a] - first[a]) / grid->h : 0.0f;
        bool wraps = a < grid->dim && (around->periodic >> a & 1u);
        p[a] = place_of(x, s->view.n[a], grid->n[a], wraps);
    }
    for (int c = 0; c < 8; c++) {
        float w = 1.0f;
        int cell[3];
        for (int a = 0; a < 3; a++) {
            bool up = c >> a & 1;
            w *= up ? p[a].part : 1.0f - p[a].part;
            cell[a] = up ? p[a].high : p[a].low;
        }
        sum += w != 0.0f ? w * gy_source_sample(s, cell) : 0.0f;
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
        r = gy_source_check(model, fields[c]);
    }
    gy_around around = gy_source_around(model);
    for (int c = 0; c < field_count && r == GYRE_OK; c++) {
        gy_source s;
        r = gy_source_open(&s, model, fields[c]);
        for (int p = 0; p < count && r == GYRE_OK; p++) {
            values[step * p + c] = probe(&s, &around, points + 3 * p);
        }
        gy_source_close(&s);
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
