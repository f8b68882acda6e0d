// ocean/fields.c: an ocean's fields. All but foam follow from the time: they are made when they are
// asked for. `surface` is what stands above a cell; the others are of the water that rests there.
//
//     foam' = rate max(threshold - J, 0) (1 - foam) - foam / life,     J = det(1 + grad d)
//
// in one implicit step each time, so that foam stays between 0 and 1 for any dt. (J: Tessendorf
// 2001.) Costs of a cell and patch: 10 multiplications of a single part, 60 of foam.
#include "base/maths.h"
#include "ocean/ocean.h"
#include <string.h>

void gy_ocean_name_fields(gyre_ocean *o)
{
#define FIELD(index, name, unit, view, derived, carried, doc, role)                                \
    o->fields[index] = (gyre_field_info){name,    unit,    GYRE_CENTRE, GYRE_VIEW_##view,          \
                                         derived, carried, doc,         GYRE_ROLE_##role}
    FIELD(GY_OCEAN_FOAM, "foam", "1", FRACTION, false, false, "white water", NONE);
    FIELD(GY_OCEAN_SURFACE, "surface", "m", SURFACE, true, false, "height above each cell",
          SURFACE);
    FIELD(GY_OCEAN_BED, "bed", "m", BED, true, false,
          "the ground; of deep water an eighth of the grid's width below the level", BED);
    FIELD(GY_OCEAN_HEIGHT, "height", "m", SIGNED, true, false,
          "above the level, of what rests at a cell", NONE);
    FIELD(GY_OCEAN_DISPLACEMENT_X, "displacement_x", "m", SIGNED, true, false,
          "sideways, of what rests at a cell", NONE);
    FIELD(GY_OCEAN_DISPLACEMENT_Y, "displacement_y", "m", SIGNED, true, false,
          "sideways, of what rests at a cell", NONE);
    FIELD(GY_OCEAN_RISE, "rise", "m/s", SIGNED, true, false, "speed upwards at the surface", NONE);
    FIELD(GY_OCEAN_VELOCITY_X, "velocity_x", "m/s", SIGNED, true, false,
          "of the water at the surface", VELOCITY_X);
    FIELD(GY_OCEAN_VELOCITY_Y, "velocity_y", "m/s", SIGNED, true, false,
          "of the water at the surface", VELOCITY_Y);
    FIELD(GY_OCEAN_SLOPE_X, "slope_x", "1", SIGNED, true, false, "of the height", NONE);
    FIELD(GY_OCEAN_SLOPE_Y, "slope_y", "1", SIGNED, true, false, "of the height", NONE);
    FIELD(GY_OCEAN_FOLDING, "folding", "1", SIGNED, true, false,
          "Jacobian of the displacement: below 0 where waves break", NONE);
#undef FIELD
    o->model.fields = o->fields;
    o->model.field_count = GY_OCEAN_FIELDS;
}

/// What the rows of a field are made with.
typedef struct task {
    const gyre_ocean *o;
    const gy_ocean_moment *m;
    float *to;
    int field;
    float dt;
} task;

static double place(const gyre_grid *g, int axis, int i)
{
    return (double)g->origin[axis] + ((double)i + 0.5) * (double)g->h;
}

/// Adds one part of a patch to a row of cells: its value, or its slope along an axis.
static void add_row(const task *t, int cascade, const float *field, int slope, int j, float scale,
                    float *row)
{
    const gyre_ocean *o = t->o;
    const gyre_grid *g = o->model.grid;
    int n = o->cells, stride = n + GY_OCEAN_PAD;
    float sum[1024 + GY_OCEAN_PAD], share, w[4], per = (float)(n * o->per_side[cascade]);
    int at = gy_ocean_cell(place(g, 1, j), o->per_side[cascade], n, &share);
    gy_ocean_weights(share, w);
    if (slope == 1) {
        gy_ocean_slopes(share, per, w);
    }
    const float *r[4];
    for (int q = 0; q < 4; q++) {
        r[q] = field + (ptrdiff_t)((at + q - 1) & (n - 1)) * stride;
    }
    for (int i = 0; i < stride; i++) {
        sum[i] = (r[0][i] * w[0] + r[1][i] * w[1]) + (r[2][i] * w[2] + r[3][i] * w[3]);
    }
    for (int i = 0; i < g->n[0]; i++) {
        int x = gy_ocean_cell(place(g, 0, i), o->per_side[cascade], n, &share);
        gy_ocean_weights(share, w);
        if (slope == 0) {
            gy_ocean_slopes(share, per, w);
        }
        const float *s = sum + ((x - 1) & (n - 1));
        row[i] += scale * ((s[0] * w[0] + s[1] * w[1]) + (s[2] * w[2] + s[3] * w[3]));
    }
}

/// The part of patches that a field shows, and which slope of it; -1: none.
static const int8_t part_of[GY_OCEAN_FIELDS][3] = {
    // moving, part, slope
    [GY_OCEAN_HEIGHT] = {0, 0, -1},         [GY_OCEAN_DISPLACEMENT_X] = {0, 1, -1},
    [GY_OCEAN_DISPLACEMENT_Y] = {0, 2, -1}, [GY_OCEAN_RISE] = {1, 0, -1},
    [GY_OCEAN_VELOCITY_X] = {1, 1, -1},     [GY_OCEAN_VELOCITY_Y] = {1, 2, -1},
    [GY_OCEAN_SLOPE_X] = {0, 0, 0},         [GY_OCEAN_SLOPE_Y] = {0, 0, 1},
};

static float of_here(const gy_ocean_here *h, int field)
{
    switch (field) {
    case GY_OCEAN_HEIGHT:
        return h->height;
    case GY_OCEAN_DISPLACEMENT_X:
        return h->move[0];
    case GY_OCEAN_DISPLACEMENT_Y:
        return h->move[1];
    case GY_OCEAN_RISE:
        return h->velocity[2];
    case GY_OCEAN_VELOCITY_X:
        return h->velocity[0];
    case GY_OCEAN_VELOCITY_Y:
        return h->velocity[1];
    case GY_OCEAN_SLOPE_X:
        return h->slope[0];
    default:
        return h->slope[1];
    }
}

static float of_lift(const gy_ocean_lift *l, int field)
{
    switch (field) {
    case GY_OCEAN_HEIGHT:
        return l->height;
    case GY_OCEAN_DISPLACEMENT_X:
        return l->move[0];
    case GY_OCEAN_DISPLACEMENT_Y:
        return l->move[1];
    case GY_OCEAN_RISE:
        return l->rise;
    case GY_OCEAN_VELOCITY_X:
        return l->drift[0];
    case GY_OCEAN_VELOCITY_Y:
        return l->drift[1];
    case GY_OCEAN_SLOPE_X:
        return l->slope[0];
    default:
        return l->slope[1];
    }
}

static void part_row(void *argument, int j)
{
    const task *t = argument;
    const gyre_ocean *o = t->o;
    const gyre_grid *g = o->model.grid;
    float *row = t->to + (ptrdiff_t)j * g->n[0];
    const int8_t *part = part_of[t->field];
    ptrdiff_t step = (ptrdiff_t)o->cells * (o->cells + GY_OCEAN_PAD);
    bool sideways = !part[0] && part[1] > 0;
    memset(row, 0, (size_t)g->n[0] * sizeof *row);
    for (int c = 0; c < o->cascades && !o->empty; c++) {
        add_row(t, c, t->m->part[c][part[0]] + part[1] * step, part[2], j,
                sideways ? o->def->choppiness : 1.0f, row);
    }
    bool particles = o->def->emitters.count > 0 || o->shed;
    for (int i = 0; i < g->n[0] && (o->train_count > 0 || particles); i++) {
        double point[2] = {place(g, 0, i), place(g, 1, j)};
        gy_ocean_here here = {0};
        gy_ocean_lift lift = {0};
        gy_ocean_add_trains(o, t->m->ticks[0], point, 0.0f, &here);
        row[i] += of_here(&here, t->field);
        if (particles) {
            gy_ocean_add_particles(o, t->m, point, &lift);
            row[i] += of_lift(&lift, t->field);
        }
    }
}

static void surface_row(void *argument, int j)
{
    const task *t = argument;
    const gyre_grid *g = t->o->model.grid;
    float *row = t->to + (ptrdiff_t)j * g->n[0];
    for (int i = 0; i < g->n[0]; i++) {
        double point[2] = {place(g, 0, i), place(g, 1, j)};
        gyre_ocean_sample sample;
        gy_ocean_find(t->o, t->m, point, -1.0f, &sample);
        row[i] = sample.height;
    }
}

static void folding_row(void *argument, int j)
{
    const task *t = argument;
    const gyre_grid *g = t->o->model.grid;
    float *row = t->to + (ptrdiff_t)j * g->n[0];
    for (int i = 0; i < g->n[0]; i++) {
        double point[2] = {place(g, 0, i), place(g, 1, j)};
        gy_ocean_here here = {0};
        gy_ocean_add_patches(t->o, t->m, point, GY_WITH_MOVE, &here);
        gy_ocean_add_trains(t->o, t->m->ticks[0], point, 0.0f, &here);
        float b = here.stretch[2];
        row[i] = (1.0f + here.stretch[0]) * (1.0f + here.stretch[1]) - b * b;
        if (gy_ocean_slants(t->o)) {
            gy_ocean_lift lift = {0};
            gy_ocean_add_particles(t->o, t->m, point, &lift);
            row[i] *= (1.0f + lift.jacobian[0][0]) * (1.0f + lift.jacobian[1][1]) -
                      lift.jacobian[0][1] * lift.jacobian[1][0];
        }
    }
}

static void foam_row(void *argument, int j)
{
    const task *t = argument;
    const gyre_ocean_foam *f = &t->o->def->foam;
    int n = t->o->model.grid->n[0];
    float *foam = t->o->foam + (ptrdiff_t)j * n, *row = t->o->spare + (ptrdiff_t)j * n;
    if (f->rate > 0.0f) {
        task folding = *t;
        folding.to = t->o->spare;
        folding_row(&folding, j);
    }
    for (int i = 0; i < n; i++) {
        float over = f->rate > 0.0f ? f->threshold - row[i] : 0.0f;
        float growth = over > 0.0f ? f->rate * over * t->dt : 0.0f, fade = t->dt / f->life;
        foam[i] = (foam[i] + growth) / (1.0f + growth + fade);
        foam[i] = foam[i] > 1e-30f ? foam[i] : 0.0f;
    }
}

void gy_ocean_derive(gyre_model *model, int field)
{
    gyre_ocean *o = (gyre_ocean *)model;
    const gyre_grid *g = model->grid;
    task t = {.o = o, .to = o->spare, .field = field};
    if (field == GY_OCEAN_BED) {
        float bed =
            o->def->level - (o->def->depth > 0.0f ? o->def->depth : 0.5f * o->def->patch.length);
        for (ptrdiff_t i = 0; i < (ptrdiff_t)g->n[0] * g->n[1]; i++) {
            o->spare[i] = bed;
        }
        return;
    }
    gy_ocean_refresh(o);
    bool motion = field >= GY_OCEAN_RISE && field <= GY_OCEAN_VELOCITY_Y;
    t.m = gy_ocean_moment_at(o, gy_ocean_ticks(model->time), motion, 0.0f);
    gyre_device_parallel_for(model->device, g->n[1],
                             field == GY_OCEAN_SURFACE   ? surface_row
                             : field == GY_OCEAN_FOLDING ? folding_row
                                                         : part_row,
                             &t);
}

void gy_ocean_grow_foam(gyre_ocean *o, float dt)
{
    task t = {.o = o, .dt = dt};
    if (o->def->foam.rate > 0.0f) {
        gy_ocean_refresh(o);
        t.m = gy_ocean_moment_at(o, gy_ocean_ticks(o->model.time), false, 0.0f);
    }
    gyre_device_parallel_for(o->model.device, o->model.grid->n[1], foam_row, &t);
}
