// validate/gas_energy.c: no energy from nothing: boxes of gas on which no force acts, at fixed
// lengths of step. What they start with is the most that they may ever hold.
#include "validate/gas_box.h"

#include <math.h>
#include <string.h>

/// One box at one start; its runs differ in their Courant numbers.
typedef struct energy_plan {
    gas_box box;
    gas_start start;
    int seed, steps;
    const char *name; ///< in what is printed; "" where the case has one plan only
} energy_plan;

static const double all_numbers[] = {0.1, 0.5, 1.0, 4.0, 20.0};
static const double few_numbers[] = {0.1, 1.0, 4.0};

/// The first step is as long as a Courant number says of the greatest component; all others are as
/// long as the first.
static double length_of_step(validate_run *run, const gas_box *box, double courant)
{
    double h = (box->width > 0.0 ? box->width : 1.0) / box->n[0];
    return courant * h / validate_statistic(run, "max_speed");
}

static void expect_energy(validate_run *run, const energy_plan *plan, double courant, gas_energy e)
{
    char what[96];
    const char *gap = plan->name[0] ? ", " : "";
    snprintf(what, sizeof what, "greatest energy over its start%s%s, Courant %g", gap, plan->name,
             courant);
    validate_expect(run, what, "1", e.most, 1.0, VALIDATE_AT_MOST, 1e-5, NULL);
    snprintf(what, sizeof what, "greatest rise over the last low%s%s, Courant %g", gap, plan->name,
             courant);
    validate_expect(run, what, "1", e.rise, 0.0, VALIDATE_AT_MOST, courant > 1.0 ? 0.02 : 0.002,
                    NULL);
    snprintf(what, sizeof what, "greatest rise of the bounded energy%s%s, Courant %g", gap,
             plan->name, courant);
    validate_expect(run, what, "1", e.bounded, 0.0, VALIDATE_AT_MOST, 1e-4, NULL);
}

static void run_plan(validate_run *run, const energy_plan *plan, bool few)
{
    const double *numbers = few ? few_numbers : all_numbers;
    int count = few ? 3 : 5;
    char title[96], name[32];
    double step[GAS_LOOKS];
    for (int i = 0; i < GAS_LOOKS; i++) {
        step[i] = (double)plan->steps * i / (GAS_LOOKS - 1);
    }
    snprintf(title, sizeof title, "Kinetic energy%s%s", plan->name[0] ? ", " : "", plan->name);
    validate_plot(run, title, "steps", "energy over its start");
    validate_plot_logarithmic(run, false, true);
    for (int i = 0; i < count && !validate_failed(run); i++) {
        validate_gas_open(run, &plan->box);
        validate_gas_start(run, &plan->box, plan->start, plan->seed);
        double dt = length_of_step(run, &plan->box, numbers[i]);
        gas_energy e = validate_gas_watch(run, &plan->box, dt, plan->steps);
        expect_energy(run, plan, numbers[i], e);
        snprintf(name, sizeof name, "Courant %g", numbers[i]);
        validate_curve(run, name, VALIDATE_LINE, GAS_LOOKS, step, e.look);
    }
}

static void run_plans(validate_run *run, const energy_plan *plans, int count, int quick_steps)
{
    for (int i = 0; i < count && !validate_failed(run); i++) {
        energy_plan plan = plans[i];
        plan.steps = validate_quick(run) && plan.steps > quick_steps ? quick_steps : plan.steps;
        run_plan(run, &plan, validate_quick(run));
    }
}

enum { STEPS = 5000 };

void validate_energy(validate_run *run)
{
    const energy_plan plan = {{.dim = 3, .n = {24, 24, 24}}, GAS_RANDOM, 1, STEPS, ""};
    run_plans(run, &plan, 1, 600);
}

void validate_energy_starts(validate_run *run)
{
    static const energy_plan plans[] = {
        {{.dim = 3, .n = {24, 24, 24}}, GAS_TAYLOR_GREEN, 1, STEPS, "Taylor-Green"},
        {{.dim = 3, .n = {24, 24, 24}}, GAS_ABC, 1, STEPS, "ABC"},
    };
    run_plans(run, plans, 2, 600);
}

void validate_energy_closed(validate_run *run)
{
    const energy_plan plan = {
        {.dim = 3, .n = {24, 24, 24}, .sides = "cccccc"}, GAS_RANDOM, 2, STEPS, ""};
    run_plans(run, &plan, 1, 1000);
}

void validate_energy_ball(validate_run *run)
{
    static const energy_plan plans[] = {
        {{.dim = 3, .n = {24, 24, 24}, .ball = true}, GAS_RANDOM, 3, STEPS, "periodic"},
        {{.dim = 3, .n = {24, 24, 24}, .sides = "cccccc", .ball = true},
         GAS_RANDOM,
         4,
         STEPS,
         "closed"},
    };
    run_plans(run, plans, validate_quick(run) ? 1 : 2, 300);
}

void validate_energy_2d(validate_run *run)
{
    static const energy_plan plans[] = {
        {{.dim = 2, .n = {97, 61, 1}}, GAS_RANDOM, 5, STEPS, "97x61"},
        {{.dim = 2, .n = {97, 61, 1}, .sides = "cccc", .ball = true},
         GAS_RANDOM,
         6,
         STEPS,
         "closed, a disk"},
        {{.dim = 2, .n = {333, 127, 1}}, GAS_RANDOM, 7, STEPS, "333x127"},
        {{.dim = 2, .n = {333, 127, 1}, .sides = "cccc"}, GAS_TAYLOR_GREEN, 1, STEPS, "closed"},
    };
    run_plans(run, plans, validate_quick(run) ? 2 : 4, 600);
}

void validate_energy_large(validate_run *run)
{
    static const energy_plan plans[] = {
        {{.dim = 3, .n = {48, 48, 48}}, GAS_RANDOM, 8, STEPS, "random"},
        {{.dim = 3, .n = {48, 48, 48}}, GAS_ABC, 1, STEPS, "ABC"},
    };
    run_plans(run, plans, 2, 200);
}

/// What does make energy must be found out: a box whose pressure is left unsolved, in steps of
/// uneven length.
void validate_energy_told(validate_run *run)
{
    enum { COUNT = 600 };
    const gas_box box = {.dim = 2, .n = {48, 48, 1}, .starved = true};
    double start = 0.0, most = 0.0, dt = 0.25 / 48.0, low = 1e30, bounded = 0.0, rise = 0.0;
    validate_gas_open(run, &box);
    validate_gas_start(run, &box, GAS_RANDOM, 1);
    start = validate_gas_energy(run, &box);
    for (int i = 0; i < COUNT && !validate_failed(run); i++) {
        validate_step_by(run, i % 7 == 3 ? 4.0 * dt : dt);
        most = fmax(most, validate_gas_energy(run, &box));
        bounded = validate_statistic(run, "bounded_energy");
        low = fmin(low, bounded);
        rise = fmax(rise, bounded / low - 1.0);
    }
    validate_expect(run, "greatest energy over its start, pressure not solved", "1", most / start,
                    2.0, VALIDATE_AT_LEAST, 0.0, "else the rest of this case says nothing");
    validate_expect(run, "greatest rise of the bounded energy", "1", rise, 1e-4, VALIDATE_AT_LEAST,
                    0.0, "what the cases before hold below that is no empty promise");
    validate_expect(run, "steps counted as making energy", "1", validate_statistic(run, "gained"),
                    1.0, VALIDATE_AT_LEAST, 0.0, NULL);
    double whole = validate_statistic(run, "time"), first = validate_statistic(run, "gained_time");
    validate_expect(run, "time of the first, over the whole", "1", first / whole, 0.5,
                    VALIDATE_ABSOLUTE, 0.5, NULL);
    // A box that stays below its start has nothing to be told.
    const gas_box calm = {.dim = 2, .n = {48, 48, 1}};
    validate_gas_open(run, &calm);
    validate_gas_start(run, &calm, GAS_RANDOM, 1);
    validate_gas_watch(run, &calm, dt, COUNT);
    validate_expect(run, "steps counted where the pressure is solved", "1",
                    validate_statistic(run, "gained"), 0.0, VALIDATE_AT_MOST, 0.0, NULL);
}

// ---- a uniform wind

static double blow(validate_run *run, const gas_box *box, double courant, int steps)
{
    static const double wind[3] = {1.0, 0.5, -0.25};
    double most = 0.0;
    validate_gas_open(run, box);
    for (int pass = 0; pass < 2; pass++) {
        for (int a = 0; a < box->dim; a++) {
            int n[3];
            bool across = box->sides && box->sides[2 * a] == 'c';
            double speed = across ? 0.0 : wind[a];
            const float *u = validate_read(
                run, (const char *[]){"velocity_x", "velocity_y", "velocity_z"}[a], n);
            size_t count = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
            double *v = u ? validate_memory(run, count, sizeof *v) : NULL;
            for (size_t i = 0; i < count && v; i++) {
                v[i] = speed;
                most = pass ? fmax(most, fabs((double)u[i] - speed)) : 0.0;
            }
            if (pass == 0) {
                validate_gas_put(run, a, v);
            }
        }
        for (int i = 0; i < steps && pass == 0; i++) {
            validate_step_by(run, courant / box->n[0]);
        }
    }
    return validate_failed(run) ? NAN : most;
}

void validate_wind(validate_run *run)
{
    const gas_box flat = {.dim = 2, .n = {64, 48, 1}};
    const gas_box channel = {.dim = 2, .n = {64, 48, 1}, .sides = "ppcc"};
    const gas_box deep = {.dim = 3, .n = {16, 20, 12}};
    int steps = validate_quick(run) ? 1000 : STEPS;
    validate_expect(run, "greatest change of speed, 2D, Courant 0.9", "m/s",
                    blow(run, &flat, 0.9, steps), 0.0, VALIDATE_ABSOLUTE, 1e-6, NULL);
    validate_expect(run, "greatest change of speed, between walls, Courant 4", "m/s",
                    blow(run, &channel, 4.0, steps), 0.0, VALIDATE_ABSOLUTE, 1e-6, NULL);
    validate_expect(run, "greatest change of speed, 3D, Courant 0.9", "m/s",
                    blow(run, &deep, 0.9, steps), 0.0, VALIDATE_ABSOLUTE, 1e-6, NULL);
}
