// validate/gas_totals.c: smoke is neither made nor lost, and stays within what was put in.
#include "validate/gas_box.h"

#include <math.h>

static const double TURN = 6.283185307179586;

// ---- boxes that are stirred

typedef struct stirred {
    const char *name;
    gas_box box;
    int steps, quick_steps; ///< quick_steps 0: not with --quick
    bool warm;              ///< the blob is warm, too, and rises; no fans
} stirred;

static gyre_gas_emitter fan(const gas_box *box, double x, double y, double u, double v)
{
    double size = box->width > 0.0 ? box->width : 1.0;
    gyre_gas_emitter e = gyre_gas_default_emitter();
    const float centre[3] = {(float)(x * size), (float)(y * size), (float)(0.4 * size)};
    const float edges[3] = {(float)(0.12 * size), (float)(0.12 * size), (float)(0.3 * size)};
    e.shape.kind = GYRE_SHAPE_BOX;
    for (int a = 0; a < 3; a++) {
        e.shape.as.box.centre[a] = centre[a];
        e.shape.as.box.size[a] = edges[a];
    }
    e.push = true;
    e.velocity[0] = (float)u;
    e.velocity[1] = (float)v;
    e.velocity[2] = box->dim == 3 ? 0.5f : 0.0f;
    return e;
}

static double blob(const void *argument, const double at[3])
{
    bool flat = *(const int *)argument == 2;
    double x = at[0] - 0.3, y = at[1] - 0.3, z = flat ? 0.0 : at[2] - 0.3;
    return x * x + y * y + z * z < 0.04 ? 1.0 : 0.0;
}

typedef struct range {
    double least, most;
} range;

static void widen(void *argument, const int at[3], double value)
{
    range *r = argument;
    (void)at;
    r->least = fmin(r->least, value);
    r->most = fmax(r->most, value);
}

/// A step as long as Courant number 0.9 makes it; returns its seconds.
static double step_at(validate_run *run, const gas_box *box)
{
    double speed = fmax(0.5, validate_statistic(run, "max_speed"));
    double dt = (double)(float)(0.9 / box->n[0] / speed);
    validate_step_by(run, dt);
    return dt;
}

/// A box with two fans (or none), a ball where the box has one, and what emits.
static gyre_model *open_stirred(validate_run *run, const gas_box *box, bool fans,
                                const gyre_gas_emitter *more)
{
    gyre_gas_def def = validate_gas_def(box);
    gyre_gas_emitter emitters[3] = {fan(box, 0.25, 0.6, 0.8, -0.6), fan(box, 0.7, 0.35, -0.5, 0.9)};
    gyre_gas_solid ball = gyre_gas_default_solid();
    ball.shape.kind = GYRE_SHAPE_SPHERE;
    ball.shape.as.sphere.radius = 0.13f;
    for (int a = 0; a < box->dim; a++) {
        ball.shape.as.sphere.centre[a] = 0.52f;
    }
    def.pressure = gyre_gas_default_def(box->dim).pressure;
    int count = fans ? 2 : 0;
    if (more) {
        emitters[count++] = *more;
    }
    def.emitters = (gyre_pool){.items = emitters, .count = count};
    if (box->ball) {
        def.solids = (gyre_pool){.items = &ball, .count = 1};
    }
    if (!fans) {
        def.gravity[1] = -9.81f;
    }
    return validate_create(run, "gas", &def);
}

static void stir(validate_run *run, const stirred *s)
{
    int steps = validate_quick(run) ? s->quick_steps : s->steps;
    gyre_model *model = open_stirred(run, &s->box, !s->warm, NULL);
    validate_write(run, "density", blob, &s->box.dim);
    if (s->warm) {
        validate_write(run, "temperature", blob, &s->box.dim);
    }
    int density = model ? gyre_model_field(model, "density") : 0;
    // What lies in the ball is gone.
    validate_step_by(run, 0.0);
    double start = model ? gyre_model_total(model, density) : 1.0, worst = 0.0;
    range r = {0.0, 1.0};
    for (int i = 1; i <= steps && !validate_failed(run); i++) {
        step_at(run, &s->box);
        if (i % 50 == 0 || i == steps) {
            worst = fmax(worst, fabs(gyre_model_total(model, density) / start - 1.0));
            validate_gas_visit(run, density, widen, &r);
        }
    }
    char what[96];
    snprintf(what, sizeof what, "greatest change of the total, %s", s->name);
    validate_expect(run, what, "1", worst, 0.0, VALIDATE_ABSOLUTE, 1e-6, NULL);
    snprintf(what, sizeof what, "furthest outside 0 to 1, %s", s->name);
    validate_expect(run, what, "kg/m^3", fmax(r.most - 1.0, -r.least), 0.0, VALIDATE_AT_MOST, 1e-4,
                    "what is carried stays between what was there");
}

void validate_totals(validate_run *run)
{
    enum { STEPS = 10000 };
    static const stirred cases[] = {
        {"2D, closed", {.dim = 2, .n = {64, 64, 1}, .sides = "cccc"}, STEPS, 1000, false},
        {"2D, periodic, a disk", {.dim = 2, .n = {61, 61, 1}, .ball = true}, STEPS, 1000, false},
        {"2D, closed, warm", {.dim = 2, .n = {64, 64, 1}, .sides = "cccc"}, STEPS, 1000, true},
        {"3D, closed", {.dim = 3, .n = {24, 24, 24}, .sides = "cccccc"}, STEPS, 300, false},
        {"3D, closed, a ball",
         {.dim = 3, .n = {24, 24, 24}, .sides = "cccccc", .ball = true},
         STEPS,
         300,
         false},
        {"3D, periodic", {.dim = 3, .n = {24, 24, 24}}, STEPS, 0, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0] && !validate_failed(run); i++) {
        if (cases[i].quick_steps > 0 || !validate_quick(run)) {
            stir(run, &cases[i]);
        }
    }
}

/// An emitter puts in the same in each second, wherever it is carried.
void validate_budget(validate_run *run)
{
    const gas_box box = {.dim = 2, .n = {64, 64, 1}, .sides = "cccc"};
    gyre_gas_emitter source = gyre_gas_default_emitter();
    source.shape.kind = GYRE_SHAPE_SPHERE;
    source.shape.as.sphere.centre[0] = source.shape.as.sphere.centre[1] = 0.45f;
    source.shape.as.sphere.radius = 0.11f;
    source.density = 2.0f;
    gyre_model *model = open_stirred(run, &box, true, &source);
    int density = model ? gyre_model_field(model, "density") : 0, steps = 1000;
    double time = step_at(run, &box), first = 1.0, worst = 0.0;
    first = model ? gyre_model_total(model, density) / time : 1.0;
    for (int i = 1; i < steps && !validate_failed(run); i++) {
        time += step_at(run, &box);
        worst = fmax(worst, fabs(gyre_model_total(model, density) / (first * time) - 1.0));
    }
    validate_expect(run, "smoke put in a second, over area times rate", "1",
                    first / (0.5 * TURN * 0.11 * 0.11 * 2.0), 1.0, VALIDATE_RELATIVE, 0.01,
                    "a disk on 64^2 cells");
    validate_expect(run, "greatest share that the budget misses", "1", worst, 0.0,
                    VALIDATE_ABSOLUTE, 1e-5, NULL);
}
