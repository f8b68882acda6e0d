// Whatever meets: sides, solids in cut cells at rest and on the move, sheets, schemes, forces,
// emitters, fading, step lengths, solvers. All stays finite, and by the conservative scheme what a
// gas's scalars hold is what came in less what went out. Each pair of choices comes up in some of
// the draws.
// labels: small
#include "test/gas_rig.h"
#include <stdio.h>

/// What a draw chooses.
enum { DIM, SIDES, SOLID, SHEET, SCHEME, FORCE, EMITTER, FADING, COURANT, SOLVER, CHOICES };
enum { DRAWS = 80, STEPS = 20 };

enum { SLIP, PERIODIC, OPEN, NO_SLIP, WIND, WARM }; // sides: WIND blows in and out, WARM holds
enum { NONE, RESTS, MOVES, THIN, SPINS };           // solids and sheets
enum { FRAME = GYRE_GAS_CONFINEMENT + 2 };          // forces: none, each kind, a frame

/// How many there are of each.
static const int counts[CHOICES] = {
    [DIM] = 2,   [SIDES] = 6,   [SOLID] = 5,  [SHEET] = 3,   [SCHEME] = 5,
    [FORCE] = 8, [EMITTER] = 3, [FADING] = 2, [COURANT] = 3, [SOLVER] = 2};

typedef struct draw {
    int of[CHOICES];
} draw;

/// By how many pairs of choices that no draw had before this one has.
static int news(const draw *all, int count, const draw *d)
{
    int sum = 0;
    for (int a = 0; a < CHOICES; a++)
        for (int b = 0; b < a; b++) {
            bool seen = false;
            for (int q = 0; q < count; q++)
                seen = seen || (all[q].of[a] == d->of[a] && all[q].of[b] == d->of[b]);
            sum += !seen;
        }
    return sum;
}

/// The best of some random draws, one after the other.
static void make_draws(draw all[DRAWS])
{
    uint32_t at = 0;
    int pairs = 0, covered = 0;
    for (int a = 0; a < CHOICES; a++)
        for (int b = 0; b < a; b++)
            pairs += counts[a] * counts[b];
    for (int q = 0; q < DRAWS; q++) {
        int best = -1;
        for (int trial = 0; trial < 300; trial++) {
            draw d;
            for (int c = 0; c < CHOICES; c++)
                d.of[c] = (int)(gy_random_unit(17, at++) * (float)counts[c]) % counts[c];
            int value = news(all, q, &d);
            all[q] = value > best ? d : all[q];
            best = value > best ? value : best;
        }
        covered += best;
    }
    assert_int_equal(covered, pairs);
}

static double whirled(const double x[3], const void *data)
{
    int axis = *(const int *)data;
    return axis == 0   ? sin(2.0 * pi * x[0]) * cos(2.0 * pi * x[1])
           : axis == 1 ? -cos(2.0 * pi * x[0]) * sin(2.0 * pi * x[1])
                       : 0.3 * sin(2.0 * pi * x[0]);
}

static double patchy(const double x[3], const void *data)
{
    (void)data;
    return hypot(x[0] - 0.45, x[1] - 0.5) < 0.25 ? 1.0 + x[1] : 0.0;
}

/// Sides, and what holds and gives there.
static void choose_sides(gyre_gas_def *def, int choice)
{
    gyre_gas_side *sides = &def->sides.x_low;
    if (choice == WIND) {
        sides[0].rule = GYRE_GAS_SIDE_INFLOW;
        sides[0].velocity[0] = 0.4f;
        sides[1].rule = GYRE_GAS_SIDE_OPEN;
    } else if (choice == WARM) {
        strcpy(sides[2].holds[0].name, "density");
        sides[2].holds[0].amount = 1.5f;
        strcpy(sides[3].gives[0].name, "density");
        sides[3].gives[0].amount = 0.05f;
        def->density.diffusivity = 2e-3f;
    }
}

static void choose_solid(gyre_gas_solid *solid, int choice)
{
    if (choice == THIN) {
        const float centre[3] = {0.5f, 0.31f, 0.33f}, size[3] = {0.4f, 0.01f, 0.3f};
        solid->shape = gyre_box(centre, size);
    } else if (choice == SPINS) {
        const float none[3] = {0.0f, 0.0f, 0.0f}, size[3] = {0.4f, 0.15f, 0.3f};
        solid->shape = gyre_box(none, size);
        solid->pose.position[0] = 0.52f;
        solid->pose.position[1] = 0.33f;
        solid->pose.position[2] = 0.33f;
        solid->pose.spin[2] = 120.0f;
        solid->surface = GYRE_SURFACE_NO_SLIP;
    }
}

static void choose_sheet(gyre_gas_sheet *sheet, int dim)
{
    *sheet = gyre_gas_default_sheet(dim == 3 ? GYRE_GAS_SHEET_PANEL : GYRE_GAS_SHEET_LINE);
    static const float corner[3] = {0.61f, 0.42f, -0.2f}, across[3] = {0.2f, 0.7f, 0.0f};
    for (int a = 0; a < dim; a++) {
        if (dim == 3) {
            sheet->form.as.panel.corner[a] = corner[a];
            sheet->form.as.panel.along[a] = across[a];
            sheet->form.as.panel.across[a] = a == 2 ? 1.4f : 0.0f;
        } else {
            sheet->form.as.line.from[a] = corner[a];
            sheet->form.as.line.to[a] = corner[a] + across[a];
        }
    }
}

static void choose_force(gyre_gas_def *def, gyre_gas_force *force, int choice)
{
    *force = gyre_gas_default_force(choice > 0 && choice < FRAME ? choice - 1 : 0);
    force->everywhere = choice - 1 != GYRE_GAS_FAN;
    force->shape = gyre_sphere((const float[3]){0.4f, 0.5f, 0.4f}, 0.2f);
    if (choice - 1 == GYRE_GAS_WIND)
        force->action.as.wind.velocity[1] = 0.3f;
    if (choice > 0 && choice < FRAME)
        def->forces = (gyre_pool){force, 1, 1};
    if (choice == FRAME) {
        def->frame.acceleration[0] = 0.3f;
        def->frame.spin[2] = 0.5f;
    }
}

/// What older schemes do not know is refused with a line.
static bool is_refused(const draw *d)
{
    return d->of[SCHEME] != GYRE_GAS_CONSERVATIVE && d->of[SIDES] == WIND;
}

static void run(gyre_gas *gas, const draw *d, gyre_gas_solid *solid, gyre_gas_sheet *sheet,
                const gyre_id id[2], float dt)
{
    float by = dt * (d->of[COURANT] == 2 ? 0.5f : 1.0f);
    for (int s = 0; s < STEPS; s++) {
        if (d->of[SOLID] == MOVES) {
            solid->pose.velocity[0] = 0.3f;
            solid->pose.velocity[1] = 0.5f;
            solid->pose.position[0] += 0.3f * by;
            solid->pose.position[1] += 0.5f * by;
            must(gyre_gas_update_solid(gas, id[0], solid));
        }
        if (d->of[SHEET] == MOVES) {
            sheet->pose.velocity[0] = -0.4f;
            sheet->pose.position[0] -= 0.4f * by;
            must(gyre_gas_update_sheet(gas, id[1], sheet));
        }
        must(gyre_gas_step(gas, dt));
    }
}

static void check(const draw *d)
{
    static const int rules[] = {GYRE_GAS_SIDE_SLIP,    GYRE_GAS_SIDE_PERIODIC, GYRE_GAS_SIDE_OPEN,
                                GYRE_GAS_SIDE_NO_SLIP, GYRE_GAS_SIDE_SLIP,     GYRE_GAS_SIDE_SLIP};
    static const float courants[3] = {0.3f, 1.1f, 3.0f};
    int dim = 2 + d->of[DIM], n = dim == 3 ? 16 : 29;
    gyre_gas_def def =
        still_def(dim, n, n - 3, dim == 3 ? n - 5 : 1, 1.0f / (float)n, rules[d->of[SIDES]]);
    gyre_gas_solid solid = sphere(0.52, 0.31, 0.33, 0.17);
    gyre_gas_sheet sheet;
    gyre_gas_force force;
    gyre_gas_emitter e = gyre_gas_default_emitter();
    choose_sides(&def, d->of[SIDES]);
    choose_solid(&solid, d->of[SOLID]);
    choose_sheet(&sheet, dim);
    choose_force(&def, &force, d->of[FORCE]);
    e.shape = gyre_sphere((const float[3]){0.3f, 0.62f, 0.3f}, 0.11f);
    e.density = 2.0f;
    e.mode = d->of[EMITTER] == 2 ? GYRE_GAS_EMIT_SET : GYRE_GAS_EMIT_RATE;
    def.emitters = (gyre_pool){&e, d->of[EMITTER] > 0, d->of[EMITTER] > 0};
    def.density.dissipation = d->of[FADING] ? 1.5f : 0.0f;
    def.pressure.solver = d->of[SOLVER] ? GYRE_SOLVER_MULTIGRID : GYRE_SOLVER_AUTO;
    def.solid_slip = d->of[SOLVER];
    def.viscosity = d->of[SIDES] == NO_SLIP || d->of[SOLID] == SPINS ? 1e-2f : 0.0f;
    def.advection = d->of[SCHEME];
    def.sheets.capacity = 1;
    sheet.pose.velocity[0] = d->of[SHEET] == MOVES ? -0.4f : 0.0f;
    if (is_refused(d)) {
        gyre_gas *gas = NULL;
        def.sheets = (gyre_pool){&sheet, d->of[SHEET] == MOVES, 1};
        assert_int_not_equal(gyre_gas_create(the_device, &def, &gas), GYRE_OK);
        assert_non_null(strstr(gyre_message(), "conservative"));
        one_line();
        return;
    }
    gyre_gas *gas = make(&def);
    gyre_id id[2] = {d->of[SOLID] != NONE ? gyre_gas_add_solid(gas, &solid) : 1,
                     d->of[SHEET] != NONE ? gyre_gas_add_sheet(gas, &sheet) : 1};
    if (!id[0] || !id[1])
        fail_msg("%s", gyre_message());
    for (int a = 0; a < dim; a++)
        set_field(gas, a, whirled, &a);
    int density = gyre_gas_field(gas, "density");
    set_field(gas, density, patchy, NULL);
    run(gas, d, &solid, &sheet, id, courants[d->of[COURANT]] / (float)n);
    finite_everywhere(gas);
    gyre_gas_budget b = gyre_gas_get_budget(gas, density);
    double is = gyre_model_total(gyre_gas_model(gas), density);
    double came = b.emitted + b.added + b.edited + b.came + fmax(b.walls, 0.0);
    double went = b.faded + b.left - fmin(b.walls, 0.0);
    double off = (is - (came - went)) / (fabs(came) + fabs(went));
    char what[256];
    int used = 0;
    for (int c = 0; c < CHOICES; c++)
        used += snprintf(what + used, sizeof what - (size_t)used, "%d ", d->of[c]);
    snprintf(what + used, sizeof what - (size_t)used,
             ": total %g, came %g, went %g: off by %.1e, speeds to %.3g", is, came, went, off,
             (double)gyre_gas_get_stats(gas).max_speed);
    if (getenv("GYRE_TEST_PRINT"))
        print_message("%s\n", what);
    if (d->of[SCHEME] == GYRE_GAS_CONSERVATIVE && !(fabs(off) < 1e-5))
        fail_msg("%s", what);
    if (!(is > 0.0 && gyre_gas_get_stats(gas).max_speed < 20.0f))
        fail_msg("%s", what);
    gyre_gas_destroy(gas);
}

static void budgets_close_whatever_meets(void **state)
{
    (void)state;
    draw all[DRAWS] = {0};
    make_draws(all);
    for (int q = 0; q < DRAWS; q++) {
        bool again = all[q].of[SCHEME] != GYRE_GAS_CONSERVATIVE;
        check(&all[q]);
        all[q].of[SCHEME] = GYRE_GAS_CONSERVATIVE;
        if (again)
            check(&all[q]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(budgets_close_whatever_meets)};
    return cmocka_run_group_tests(tests, open_device, close_device);
}
