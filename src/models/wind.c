// models/wind.c: air over water.
//
//     gas:    floor = surface,  floor's rise = (surface - surface before) / dt
//     water:  discharge += J / (rho_water h^2),  J what the floor's drag took of the gas (N s)
//
// A column of the gas hands J to the cells of water under it in the ratio of the areas that they
// share, so that its sum stays. Costs a probe of the surface and of its velocity for each column,
// and where there is drag a window on the discharge.
#include "gyre/wind.h"
#include "gyre/gas.h"
#include "gyre/water.h"
#include "model/model.h"
#include <string.h>

/// One coupling for one step.
typedef struct wind {
    gyre_model *gas, *water;
    const gyre_grid *above, *below;
    const gyre_gas_def *air;
    const gyre_water_def *sea;
    float drag, dt;
    int dim, ni, nj;
    size_t columns;
    float *point, *height, *depth, *velocity, *rub, *along[2], *push[2];
} wind;

static gyre_result check_models(wind *w)
{
    if (strcmp(gyre_model_type(w->gas), "gas") != 0) {
        return gyre_fail(GYRE_ERROR_UNSUPPORTED, "wind_blow: a %s is no gas",
                         gyre_model_type(w->gas));
    }
    if (strcmp(gyre_model_type(w->water), "water") != 0) {
        return gyre_fail(GYRE_ERROR_UNSUPPORTED, "wind_blow: a %s is no water",
                         gyre_model_type(w->water));
    }
    w->above = gyre_model_grid(w->gas);
    w->below = gyre_model_grid(w->water);
    w->air = gyre_model_def(w->gas);
    w->sea = gyre_model_def(w->water);
    w->dim = w->above->dim;
    if ((w->dim == 2) != (w->below->n[1] == 1)) {
        return gyre_fail(GYRE_ERROR_UNSUPPORTED,
                         "wind_blow: a gas in %dD over water of %d x %d cells: one in 2D goes over "
                         "a flume (n[1] 1), one in 3D over water in 2D",
                         w->dim, w->below->n[0], w->below->n[1]);
    }
    if (!(w->drag >= 0.0f && w->drag <= 10.0f)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "wind_blow: drag: found %g, expected 0 to 10",
                         (double)w->drag);
    }
    if (!(w->dt >= 0.0f && w->dt < 1e30f)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "wind_blow: dt: found %g, expected 0 or more",
                         (double)w->dt);
    }
    if (w->drag > 0.0f && w->sea->mode == GYRE_WATER_WAVE) {
        return gyre_fail(GYRE_ERROR_UNSUPPORTED,
                         "wind_blow: drag: water of mode wave is driven by no stress; shallow is");
    }
    return GYRE_OK;
}

static double end_of(const gyre_grid *g, int axis)
{
    return (double)g->origin[axis] + (double)g->n[axis] * (double)g->h;
}

static gyre_result check_places(const wind *w)
{
    double slack = 1e-3 * (double)w->above->h;
    for (int a = 0; a < w->dim - 1; a++) {
        if ((double)w->above->origin[a] < (double)w->below->origin[a] - slack ||
            end_of(w->above, a) > end_of(w->below, a) + slack) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "wind_blow: along %c the gas goes from %g to %g m, the water under it "
                             "from %g to %g m alone",
                             a ? 'y' : 'x', (double)w->above->origin[a], end_of(w->above, a),
                             (double)w->below->origin[a], end_of(w->below, a));
        }
    }
    return GYRE_OK;
}

static float *part(float **memory, size_t floats)
{
    float *at = *memory;
    *memory += floats;
    return at;
}

/// Points over the middles of the gas's columns, and what the water says there.
static gyre_result look(wind *w)
{
    double h = (double)w->above->h, flume = (double)w->below->origin[1] + 0.5 * (double)w->below->h;
    for (size_t q = 0; q < w->columns; q++) {
        int i = (int)(q % (size_t)w->ni), j = (int)(q / (size_t)w->ni);
        double y = (double)w->above->origin[1] + (j + 0.5) * h;
        w->point[3 * q] = (float)((double)w->above->origin[0] + (i + 0.5) * h);
        w->point[3 * q + 1] = (float)(w->dim == 3 ? y : flume);
        w->point[3 * q + 2] = 0.0f;
    }
    int count = (int)w->columns;
    const gyre_model *water = w->water;
    gyre_result r =
        gyre_model_probe(water, gyre_model_field(water, "surface"), w->point, count, w->height);
    if (r != GYRE_OK || !(w->drag > 0.0f)) {
        return r;
    }
    r = gyre_model_probe(water, gyre_model_field(water, "depth"), w->point, count, w->depth);
    r = r == GYRE_OK ? gyre_model_probe_vector(water, "velocity", w->point, count, w->velocity) : r;
    float bottom = w->above->origin[w->dim - 1] - 1e-3f * w->above->h;
    for (size_t q = 0; q < w->columns && r == GYRE_OK; q++) {
        bool wet = w->depth[q] >= w->sea->dry_depth && w->height[q] >= bottom;
        w->rub[q] = wet ? w->drag : 0.0f;
        w->along[0][q] = w->velocity[3 * q];
        w->along[1][q] = w->velocity[3 * q + 1];
    }
    return r;
}

/// The part of a column of the gas, 0 to 1, that a cell of water is under, along an axis.
static double shared(const wind *w, int axis, int cell, int column)
{
    double low = (double)w->below->origin[axis] + cell * (double)w->below->h;
    double from = (double)w->above->origin[axis] + column * (double)w->above->h;
    double high = GY_MIN(low + (double)w->below->h, from + (double)w->above->h);
    // To the ends of the water belongs what rounding leaves beyond them.
    double both = high - GY_MAX(low, from);
    return both > 0.0 ? both / (double)w->above->h : 0.0;
}

/// The first column that may reach over a cell.
static int first_over(const wind *w, int axis, int cell)
{
    double low = (double)w->below->origin[axis] + cell * (double)w->below->h;
    double at = (low - (double)w->above->origin[axis]) / (double)w->above->h - 1.0;
    return at < 0.0 ? 0 : at > 1e9 ? 1000000000 : (int)at;
}

static double gather(const wind *w, const float *push, int i, int j)
{
    double sum = 0.0;
    for (int b = w->dim == 3 ? first_over(w, 1, j) : 0; b < w->nj; b++) {
        double y = w->dim == 3 ? shared(w, 1, j, b) : 1.0;
        double beyond = (double)w->above->origin[1] + b * (double)w->above->h;
        if (w->dim == 3 && beyond > (double)w->below->origin[1] + (j + 1) * (double)w->below->h) {
            break;
        }
        for (int a = first_over(w, 0, i); a < w->ni && y > 0.0; a++) {
            double x = shared(w, 0, i, a);
            sum += x * y * (double)push[(size_t)a + (size_t)b * (size_t)w->ni];
            double from = (double)w->above->origin[0] + a * (double)w->above->h;
            if (from > (double)w->below->origin[0] + (i + 1) * (double)w->below->h) {
                break;
            }
        }
    }
    return sum;
}

/// What the gas has lost along an axis goes to the water.
static gyre_result hand_over(const wind *w, int axis)
{
    gyre_field_view v;
    bool any = false;
    for (size_t q = 0; q < w->columns; q++) {
        any = any || w->push[axis][q] != 0.0f;
    }
    int field = gyre_model_field(w->water, axis ? "discharge_y" : "discharge_x");
    gyre_result r = any ? gyre_model_map(w->water, field, GYRE_WRITE, &v) : GYRE_OK;
    if (!any || r != GYRE_OK) {
        return r;
    }
    double h = (double)w->below->h;
    double mass = (double)w->sea->water_density * (w->dim == 3 ? h * h : h);
    for (int j = 0; j < w->below->n[1]; j++) {
        for (int i = 0; i < w->below->n[0]; i++) {
            double more = gather(w, w->push[axis], i, j) / mass;
            float *q = v.data + i + j * v.stride[1];
            *q = more != 0.0 ? (float)((double)*q + more) : *q;
        }
    }
    return gyre_model_unmap(w->water, field);
}

static gyre_result blow(wind *w)
{
    gyre_gas *gas = (gyre_gas *)w->gas;
    // In the order of their dangers: what may be refused before anything has been handed over.
    gyre_result r = look(w);
    gyre_gas_floor floor = {.height = w->height, .dt = w->dt};
    if (w->drag > 0.0f) {
        floor.drag = w->rub;
        floor.velocity[0] = w->along[0];
        floor.velocity[1] = w->dim == 3 ? w->along[1] : NULL;
    }
    r = r == GYRE_OK ? gyre_gas_set_floor(gas, &floor) : r;
    if (r == GYRE_OK && w->sea->mode != GYRE_WATER_WAVE) {
        r = gyre_gas_take_push(gas, w->push[0], w->push[1]);
        for (int a = 0; a < w->dim - 1 && r == GYRE_OK; a++) {
            r = hand_over(w, a);
        }
    }
    return r;
}

gyre_result gyre_wind_blow(gyre_model *gas, gyre_model *water, float drag, float dt)
{
    if (GY_MISSING("wind_blow", gas) || GY_MISSING("wind_blow", water)) {
        return GYRE_ERROR_ARGUMENT;
    }
    wind w = {.gas = gas, .water = water, .drag = drag, .dt = dt};
    gyre_result r = check_models(&w);
    r = r == GYRE_OK ? check_places(&w) : r;
    if (r != GYRE_OK) {
        return r;
    }
    w.ni = w.above->n[0];
    w.nj = w.dim == 3 ? w.above->n[1] : 1;
    w.columns = (size_t)w.ni * (size_t)w.nj;
    const gyre_host *host = gy_device_host(gas->device);
    size_t bytes = 13 * w.columns * sizeof(float);
    float *memory = gy_allocate(host, bytes, 64), *at = memory;
    if (!memory) {
        return gyre_fail(GYRE_ERROR_MEMORY, "wind_blow: out of memory: %zu bytes", bytes);
    }
    w.point = part(&at, 3 * w.columns);
    w.velocity = part(&at, 3 * w.columns);
    w.height = part(&at, w.columns);
    w.depth = part(&at, w.columns);
    w.rub = part(&at, w.columns);
    for (int a = 0; a < 2; a++) {
        w.along[a] = part(&at, w.columns);
        w.push[a] = part(&at, w.columns);
    }
    r = blow(&w);
    gy_release(host, memory, bytes);
    return r;
}
