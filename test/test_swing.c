// labels: small
// Sheets that move: they push the gas, and what lies before them stays before them.
#include "test/sheet_rig.h"

#include <stdio.h>

static bool loud(void)
{
    return getenv("GYRE_TEST_PRINT") != NULL;
}

static gyre_gas_sheet panel(int dim, double x)
{
    if (dim == 2)
        return line(x, -1, x, 2);
    gyre_gas_sheet s = gyre_gas_default_sheet(GYRE_GAS_SHEET_PANEL);
    const float corner[3] = {(float)x, -1, -1}, along[3] = {0, 3, 0}, across[3] = {0, 0, 3};
    memcpy(s.form.as.panel.corner, corner, sizeof corner);
    memcpy(s.form.as.panel.along, along, sizeof along);
    memcpy(s.form.as.panel.across, across, sizeof across);
    return s;
}

static const struct {
    const char *name;
    int number;
} schemes[] = {{"conservative", GYRE_GAS_CONSERVATIVE},
               {"semi_lagrangian", GYRE_GAS_SEMI_LAGRANGIAN},
               {"maccormack", GYRE_GAS_MACCORMACK},
               {"bfecc", GYRE_GAS_BFECC},
               {"cubic", GYRE_GAS_CUBIC}};

static double sum_of(gyre_gas *gas, int from, int to)
{
    double sum = 0.0;
    for (int k = 0; k < gas->extent.n[2]; k++)
        for (int j = 0; j < gas->extent.n[1]; j++)
            for (int i = from; i < to; i++)
                sum += (double)*sample(gas, gas->velocities, i, j, k);
    return sum;
}

// A piston in a pipe with open ends drives all of the gas at its own speed, and what is before it
// stays before it, at any number of cells a step. The older schemes carry values and not amounts: a
// total grows and falls by a cell's.
static void drive(int scheme, int dim, int way, double cells)
{
    int nx = 64, n = dim == 2 ? 12 : 6;
    double h = 1.0 / 16, x = way > 0 ? 1.0 + 0.4 * h : 3.0 - 0.4 * h;
    double speed = way * cells * h / 0.01, most = 0.0, least = 1e9;
    gyre_gas_def def = still_def(dim, nx, n, dim == 3 ? n : 1, (float)h, GYRE_GAS_SIDE_SLIP);
    gyre_gas_sheet s = panel(dim, 0.0);
    def.advection = schemes[scheme].number;
    def.sides.x_low.rule = def.sides.x_high.rule = GYRE_GAS_SIDE_OPEN;
    s.pose.position[0] = (float)x;
    s.pose.velocity[0] = (float)speed;
    def.sheets = (gyre_pool){&s, 1, 1};
    gyre_gas *gas = make(&def);
    gyre_id id = gyre_model_element(gyre_gas_model(gas), "sheets", 0);
    // Smoke before it, as far as it goes and further.
    int first = 16, end = 48;
    gyre_field_view f;
    must(gyre_gas_map(gas, gas->velocities, GYRE_WRITE, &f));
    for (int k = 0; k < f.n[2]; k++)
        for (int j = 0; j < n; j++)
            for (int i = first; i < end; i++)
                f.data[i + j * f.stride[1] + k * f.stride[2]] = 1;
    must(gyre_gas_unmap(gas, gas->velocities));
    double before = sum_of(gas, 0, nx);
    int steps = (int)(9.0 / cells);
    for (int q = 0; q < steps; q++) {
        must(gyre_gas_step(gas, 0.01f));
        s.pose.position[0] = (float)(x + (q + 1) * speed * 0.01);
        must(gyre_gas_update_sheet(gas, id, &s));
    }
    must(gyre_gas_step(gas, 0));
    int at = (int)((double)s.pose.position[0] / h + 0.5);
    double behind = way > 0 ? sum_of(gas, 0, at) : sum_of(gas, at, nx);
    double after = sum_of(gas, 0, nx);
    for (int i = 0; i <= nx; i++) {
        double u = (double)*sample(gas, 0, i, 3, 0) / speed;
        most = fmax(most, u);
        least = fmin(least, u);
    }
    if (loud())
        print_message("%s %dD %+.2f cells a step: gas at %.6f to %.6f of it, behind %g, total off "
                      "by %.1e\n",
                      schemes[scheme].name, dim, way * cells, least, most, behind,
                      after / before - 1);
    assert_true(behind == 0.0);
    // The older ones carry by the wind of the step before, and at first there is none.
    assert_true(fabs(after / before - 1) < (scheme == 0 ? 1e-5 : (1 + cells) / (end - first)));
    assert_true(fabs(most - 1) < 1e-3 && fabs(least - 1) < 1e-3);
    gyre_gas_destroy(gas);
}

static void a_piston_drives(void **state)
{
    (void)state;
    static const double speeds[] = {0.07, 0.5, 1.3, 4.7};
    for (int scheme = 0; scheme < GY_COUNT(schemes); scheme++)
        for (int dim = 2; dim <= 3; dim++)
            for (int way = -1; way <= 1; way += 2)
                for (int v = scheme == 0 || dim == 2 ? 0 : 1; v < 4; v++)
                    drive(scheme, dim, way, speeds[v]);
}

// Even smoke round a piston stays even but for the cells at it.
static void keep_even(int scheme)
{
    gyre_gas_def def = still_def(2, 96, 8, 1, 1.0f / 16, GYRE_GAS_SIDE_SLIP);
    gyre_gas_sheet s = panel(2, 0.0);
    def.sides.x_low.rule = def.sides.x_high.rule = GYRE_GAS_SIDE_PERIODIC;
    s.pose.position[0] = 1;
    s.pose.velocity[0] = 1.9f;
    def.advection = schemes[scheme].number;
    def.sheets = (gyre_pool){&s, 1, 1};
    gyre_gas *gas = make(&def);
    gyre_id id = gyre_model_element(gyre_gas_model(gas), "sheets", 0);
    set_constant(gas, gas->velocities, 1.0);
    float low = 9, high = -9, off = 0;
    for (int q = 0; q < 400; q++) { // twice round and more
        must(gyre_gas_step(gas, 0.01f));
        s.pose.position[0] = (float)(1 + (q + 1) * 0.019);
        must(gyre_gas_update_sheet(gas, id, &s));
        must(gyre_gas_step(gas, 0));
        for (int i = 0; i < 96; i++) {
            float x = *sample(gas, gas->velocities, i, 3, 0);
            low = fminf(low, x);
            high = fmaxf(high, x);
            int away = abs(i - (int)((double)s.pose.position[0] * 16) % 96);
            if (away > 3 && away < 93)
                off = fmaxf(off, fabsf(x - 1));
        }
    }
    if (loud())
        print_message("%s even smoke: %g to %g, further away off by %g\n", schemes[scheme].name,
                      (double)low, (double)high, (double)off);
    bool amounts = scheme == 0;
    assert_true(low > (amounts ? 0.35f : 0.99999f) && high < (amounts ? 1.55f : 1.00001f));
    assert_true(off < 0.1f && fabs(total(gas, "density") - 6 * 0.5) < 3e-5);
    gyre_gas_destroy(gas);
}

static void even_smoke_stays(void **state)
{
    (void)state;
    for (int scheme = 0; scheme < GY_COUNT(schemes); scheme++)
        keep_even(scheme);
}

// A closed box that leaps keeps what it holds and lets nothing in.
static void leap(int scheme, int trial)
{
    static float corners[4][2] = {
        {-0.21f, -0.17f}, {0.21f, -0.17f}, {0.21f, 0.17f}, {-0.21f, 0.17f}};
    double cells = trial % 3 == 0 ? 0.6 : trial % 3 == 1 ? 2.3 : 10, h = 1.0 / 32;
    gyre_gas_def def = still_def(2, 96, 64, 1, (float)h, GYRE_GAS_SIDE_SLIP);
    gyre_gas_sheet s = gyre_gas_default_sheet(GYRE_GAS_SHEET_PATH);
    gyre_gas_channel ink = {"ink", 0, 0};
    def.channels = (gyre_pool){&ink, 1, 1};
    s.form.as.path.points = (gyre_volume){&corners[0][0], {2, 4, 1}, "corners"};
    s.form.as.path.closed = true;
    double x = 0.5, y = 0.6, turn = 10, u = cells * h / 0.02, w = trial < 3 ? 0 : 200;
    s.pose.velocity[0] = (float)u;
    s.pose.velocity[1] = (float)(0.4 * u);
    s.pose.spin[2] = (float)w;
    s.pose.position[0] = (float)x;
    s.pose.position[1] = (float)y;
    s.pose.rotation[2] = (float)turn;
    def.advection = schemes[scheme].number;
    def.sheets = (gyre_pool){&s, 1, 1};
    gyre_gas *gas = make(&def);
    gyre_id id = gyre_model_element(gyre_gas_model(gas), "sheets", 0);
    gyre_field_view f, g;
    int smoke = gas->velocities, steps = (int)(40 / cells);
    must(gyre_gas_map(gas, smoke, GYRE_WRITE, &f));
    must(gyre_gas_map(gas, smoke + 2, GYRE_WRITE, &g));
    static int label[96 * 64];
    assert_int_equal(regions(gas, label), 2);
    for (int c = 0; c < 96 * 64; c++) {
        bool in = label[c] != label[0];
        f.data[c % 96 + c / 96 * f.stride[1]] = in;
        g.data[c % 96 + c / 96 * g.stride[1]] = !in;
    }
    must(gyre_gas_unmap(gas, smoke));
    must(gyre_gas_unmap(gas, smoke + 2));
    double before = total(gas, "density"), outside = total(gas, "ink"), wrong[2] = {0, 0};
    for (int q = 0; q < steps; q++) {
        must(gyre_gas_step(gas, 0.02f));
        s.pose.position[0] = (float)(x + (q + 1) * u * 0.02);
        s.pose.position[1] = (float)(y + (q + 1) * 0.4 * u * 0.02);
        s.pose.rotation[2] = (float)(turn + (q + 1) * w * 0.02);
        must(gyre_gas_update_sheet(gas, id, &s));
    }
    must(gyre_gas_step(gas, 0));
    assert_int_equal(regions(gas, label), 2);
    for (int c = 0; c < 96 * 64; c++) {
        bool in = label[c] != label[0];
        wrong[0] += in ? 0.0 : (double)*sample(gas, smoke, c % 96, c / 96, 0) * h * h;
        wrong[1] += in ? (double)*sample(gas, smoke + 2, c % 96, c / 96, 0) * h * h : 0.0;
    }
    if (loud())
        print_message("%s box, %g cells a step, %g degrees/s: out %g of it, in %g, totals off by "
                      "%.1e %.1e\n",
                      schemes[scheme].name, cells, w, wrong[0] / before, wrong[1] / before,
                      total(gas, "density") / before - 1, total(gas, "ink") / outside - 1);
    // By values the box holds as many cells as it has.
    assert_true(fabs(total(gas, "density") / before - 1) < (scheme == 0 ? 1e-5 : 0.1));
    assert_true(fabs(total(gas, "ink") / outside - 1) < (scheme == 0 ? 1e-5 : 0.1));
    assert_true(wrong[0] == 0.0 && wrong[1] == 0.0);
    gyre_gas_destroy(gas);
}

static void a_box_leaps(void **state)
{
    (void)state;
    for (int scheme = 0; scheme < GY_COUNT(schemes); scheme++)
        for (int trial = 0; trial < 6; trial++)
            leap(scheme, trial);
}

// A blade that swings in smoke, its end free: nothing is lost, nothing becomes negative.
static void wave(int scheme, int dim)
{
    int n = dim == 2 ? 48 : 20;
    gyre_gas_def def = still_def(dim, n, n, dim == 3 ? n : 1, 1.0f / (float)n, GYRE_GAS_SIDE_SLIP);
    gyre_gas_sheet s = panel(dim, 0.0);
    if (dim == 2) {
        s = line(0, -0.3, 0, 0.3);
    } else {
        const float corner[3] = {0, -0.3f, -0.2f}, along[3] = {0, 0.6f, 0},
                    across[3] = {0, 0, 0.4f};
        memcpy(s.form.as.panel.corner, corner, sizeof corner);
        memcpy(s.form.as.panel.along, along, sizeof along);
        memcpy(s.form.as.panel.across, across, sizeof across);
    }
    for (int a = 0; a < dim; a++)
        s.pose.position[a] = 0.5f;
    s.pose.spin[2] = 360;
    def.advection = schemes[scheme].number;
    def.sheets = (gyre_pool){&s, 1, 1};
    gyre_gas *gas = make(&def);
    gyre_id id = gyre_model_element(gyre_gas_model(gas), "sheets", 0);
    set_field(gas, gas->velocities, noise, gas);
    double before = total(gas, "density");
    int steps = dim == 2 ? 200 : 50;
    gyre_gas_push push;
    double torque = 0.0; // mean of a quarter of a turn, from rest
    for (int q = 0; q < steps; q++) {
        must(gyre_gas_step(gas, 0.01f));
        must(gyre_gas_read_push(gas, id, &push));
        torque += q < 25 ? push.torque[2] / 25 : 0.0;
        s.pose.rotation[2] = 3.6f * (float)(q + 1);
        must(gyre_gas_update_sheet(gas, id, &s));
    }
    must(gyre_gas_step(gas, 0));
    gyre_gas_stats st = gyre_gas_get_stats(gas);
    if (loud())
        print_message("%s %dD blade: speed %.3f, of its end %.3f, torque %.3g N m, total off by "
                      "%.1e\n",
                      schemes[scheme].name, dim, (double)st.max_speed, 0.3 * 2 * pi, torque,
                      total(gas, "density") / before - 1);
    assert_true(fabs(total(gas, "density") / before - 1) < (scheme == 0 ? 1e-5 : 0.1));
    for (int c = 0; c < n * n * (dim == 3 ? n : 1); c++)
        assert_true(*sample(gas, gas->velocities, c % n, c / n % n, c / n / n) >= 0.0f);
    assert_true(st.max_speed > 0.5f && st.max_speed < 8.0f);
    assert_true(torque < 0.0); // the gas holds it back
    gyre_gas_destroy(gas);
}

static void a_blade_swings(void **state)
{
    (void)state;
    for (int scheme = 0; scheme < GY_COUNT(schemes); scheme++)
        for (int dim = 2; dim <= 3; dim++)
            wave(scheme, dim);
}

// Pushed over balls and into a closed end, smoke that is shut up there stays on its own side as
// long as there is any, and is told as edited when there is none.
static void squeeze(int scheme, int dim, bool closed, double cells, double slant)
{
    int nx = 48, n = dim == 2 ? 32 : 12;
    double h = 1.0 / 32, x = 0.41, speed = cells * h / 0.01, behind = 0.0, told = 0.0;
    double before = 0.0, off = 0.0;
    gyre_gas_def def = still_def(dim, nx, n, dim == 3 ? n : 1, (float)h, GYRE_GAS_SIDE_SLIP);
    gyre_gas_sheet s = panel(dim, 0.0);
    gyre_gas_solid balls[3];
    for (int b = 0; b < 3; b++) {
        const float at[3] = {0.75f + 0.13f * (float)b, (float)n * (0.33f + 0.3f * (float)b) / 32,
                             0.2f};
        balls[b] = gyre_gas_default_solid();
        // Thick ones touch, with a chamber behind them.
        balls[b].shape = gyre_sphere(at, dim == 3 ? 0.09f : slant < 0.0 ? 0.17f : 0.12f);
    }
    def.advection = schemes[scheme].number;
    def.sides.x_low.rule = GYRE_GAS_SIDE_OPEN;
    def.sides.x_high.rule = closed ? GYRE_GAS_SIDE_SLIP : GYRE_GAS_SIDE_OPEN;
    def.solids = (gyre_pool){balls, 3, 3};
    s.pose.position[0] = (float)x;
    s.pose.position[1] = 0.5f * (float)n * (float)h;
    s.pose.rotation[2] = (float)slant;
    s.pose.velocity[0] = (float)speed;
    def.sheets = (gyre_pool){&s, 1, 1};
    gyre_gas *gas = make(&def);
    gyre_id id = gyre_model_element(gyre_gas_model(gas), "sheets", 0);
    for (int step = -1; step < (closed ? (int)(42 / cells) : (int)(30 / cells)); step++) {
        gyre_field_view f;
        gy_grid_level level = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0));
        if (step >= 0)
            must(gyre_gas_step(gas, 0.01f));
        s.pose.position[0] = (float)(x + (step + 1) * speed * 0.01);
        must(gyre_gas_update_sheet(gas, id, &s));
        if (step >= 0)
            must(gyre_gas_step(gas, 0));
        must(gyre_gas_map(gas, gas->velocities, step < 0 ? GYRE_WRITE : GYRE_READ, &f));
        for (int k = 0; k < f.n[2]; k++)
            for (int j = 0; j < n; j++)
                for (int i = 0; i < nx; i++) {
                    float *v = &f.data[i + j * f.stride[1] + k * f.stride[2]];
                    double across = (i + 0.5) * h - (double)s.pose.position[0];
                    double along = (j + 0.5) * h - (double)s.pose.position[1];
                    double ahead = across * cos(slant * pi / 180) + along * sin(slant * pi / 180);
                    if (step < 0)
                        *v = ahead > 0.0;
                    else if (ahead < -0.01 * h && gy_level_fluid(&level, i, j, k))
                        behind += fabs((double)*v);
                }
        must(gyre_gas_unmap(gas, gas->velocities));
        before = step < 0 ? total(gas, "density") : before;
    }
    if (scheme == 0) {
        gyre_gas_budget b = gyre_gas_get_budget(gas, gas->velocities);
        told = before - b.edited;
        off = fabs(b.total - (b.edited - b.left + b.rounding)) / before;
        assert_true(off < 1e-7 && told > -1e-9 * before);
        told = told < 1e-9 * before ? 0.0 : told;
        assert_true(closed || slant < 0.0 || told == 0.0);
    }
    if (loud())
        print_message("%s %dD %s, %g cells a step, %g degrees: behind %g, told %g of %g, "
                      "there %g, budget off by %.1e\n",
                      schemes[scheme].name, dim, closed ? "to the end" : "over balls", cells, slant,
                      behind, told, before, total(gas, "density"), off);
    assert_true(behind == 0.0);
    gyre_gas_destroy(gas);
}

static void what_is_shut_up_stays_there(void **state)
{
    (void)state;
    for (int scheme = 0; scheme < GY_COUNT(schemes); scheme++)
        for (int dim = 2; dim <= 3; dim++)
            for (int closed = 0; closed < 2; closed++)
                for (int slant = 0; slant < 2; slant++) {
                    // The older schemes slanted alone, in 3D by turns.
                    if (scheme > 0 && (!slant || (dim == 3 && scheme % 2 != closed)))
                        continue;
                    squeeze(scheme, dim, closed, 0.7, slant ? 23 : 0);
                    squeeze(scheme, dim, closed, 3.1, slant ? -17 : 0);
                }
}

// A block that comes up to a sheet at rest presses smoke against it, and goes over it: what it
// covers and finds no gas for before the sheet does not go beyond it.
static void blocks_press_nothing_through(void **state)
{
    (void)state;
    for (int trial = 0; trial < 4; trial++) {
        int nx = 48, n = 24;
        double h = 1.0 / 32, cells = trial & 1 ? 2.6 : 0.6, x = 0.3, speed = cells * h / 0.01;
        gyre_gas_def def = still_def(2, nx, n, 1, (float)h, GYRE_GAS_SIDE_SLIP);
        gyre_gas_sheet s = panel(2, 0.0);
        gyre_gas_solid block = gyre_gas_default_solid();
        // As wide as the pipe, and half as wide, so that there is a way out to the sides.
        block.shape = gyre_box((const float[3]){0, 0, 0},
                               (const float[3]){0.2f, trial & 2 ? 0.4f : 1.2f, 0.2f});
        block.pose.position[0] = (float)x;
        block.pose.position[1] = 0.375f;
        block.pose.velocity[0] = (float)speed;
        s.pose.position[0] = 0.81f;
        s.pose.position[1] = 0.375f;
        s.pose.rotation[2] = 12;
        def.sides.x_low.rule = def.sides.x_high.rule = GYRE_GAS_SIDE_OPEN;
        def.solids = (gyre_pool){&block, 1, 1};
        def.sheets = (gyre_pool){&s, 1, 1};
        gyre_gas *gas = make(&def);
        gyre_id id = gyre_model_element(gyre_gas_model(gas), "solids", 0);
        static int label[48 * 24];
        gyre_field_view f;
        int beyond = 0;
        double behind = 0.0;
        must(gyre_gas_map(gas, gas->velocities, GYRE_WRITE, &f));
        assert_true(regions(gas, label) >= 2);
        beyond = label[nx - 1];
        for (int c = 0; c < nx * n; c++)
            f.data[c % nx + c / nx * f.stride[1]] = label[c] != beyond;
        must(gyre_gas_unmap(gas, gas->velocities));
        for (int q = 0; q < (int)(24 / cells); q++) {
            must(gyre_gas_step(gas, 0.01f));
            block.pose.position[0] = (float)(x + (q + 1) * speed * 0.01);
            must(gyre_gas_update_solid(gas, id, &block));
            must(gyre_gas_step(gas, 0));
            gy_grid_level level = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0));
            for (int c = 0; c < nx * n; c++)
                if (label[c] == beyond && gy_level_fluid(&level, c % nx, c / nx, 0))
                    behind += (double)*sample(gas, gas->velocities, c % nx, c / nx, 0);
        }
        if (loud())
            print_message("block, %g cells a step: beyond the sheet %g\n", cells, behind);
        assert_true(behind == 0.0);
        gyre_gas_destroy(gas);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_piston_drives),
        cmocka_unit_test(even_smoke_stays),
        cmocka_unit_test(a_box_leaps),
        cmocka_unit_test(a_blade_swings),
        cmocka_unit_test(what_is_shut_up_stays_there),
        cmocka_unit_test(blocks_press_nothing_through),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
