// labels: small
// A revolving door of four wings keeps its chambers apart: what is in one stays in it to the last
// bit while the drum is closed, and goes where the drum opens alone.
#include "test/sanitized.h"
#include "test/sheet_rig.h"

#include <stdio.h>

enum { CHAMBERS = 4, PLACES = 6 };

typedef struct door {
    int dim;
    double radius, reach; // of the drum, of the wings; cells
    double gap;           // degrees of each of the drum's two openings
    double cells;         // that a wing's end goes in a step
    double turns, slant;  // degrees where it begins
} door;

typedef struct rig {
    const door *d;
    gyre_gas *gas;
    gyre_gas_sheet wing[2];
    gyre_id id[2];
    double spin, turn; // degrees a second, degrees
    int *label;
} rig;

static const float step = 0.01f;

static bool loud(void)
{
    return getenv("GYRE_TEST_PRINT") != NULL;
}

static gyre_gas_sheet between(int dim, double x0, double y0, double x1, double y1)
{
    if (dim == 2)
        return line(x0, y0, x1, y1);
    gyre_gas_sheet s = gyre_gas_default_sheet(GYRE_GAS_SHEET_PANEL);
    const float corner[3] = {(float)x0, (float)y0, -9},
                along[3] = {(float)(x1 - x0), (float)(y1 - y0), 0}, across[3] = {0, 0, 99};
    memcpy(s.form.as.panel.corner, corner, sizeof corner);
    memcpy(s.form.as.panel.along, along, sizeof along);
    memcpy(s.form.as.panel.across, across, sizeof across);
    return s;
}

static double middle(int axis, const gyre_gas *gas)
{
    return axis == 0 ? 0.5 * gas->extent.n[0] : 0.5 * gas->extent.n[1] + 0.27;
}

/// A drum of pieces of 10 degrees, each a little longer than that, open at the left and right.
static int drum(const door *d, double x, double y, gyre_gas_sheet *list)
{
    int count = 0;
    for (int q = 0; q < 36; q++) {
        double from = 10.0 * q - 0.5, to = 10.0 * q + 10.5, mid = 10.0 * q + 5.0;
        double off = fabs(remainder(mid, 180.0)); // from the middle of the opening at that side
        if (off < 0.5 * d->gap)
            continue;
        from *= pi / 180.0;
        to *= pi / 180.0;
        list[count++] = between(d->dim, x + d->radius * cos(from), y + d->radius * sin(from),
                                x + d->radius * cos(to), y + d->radius * sin(to));
    }
    return count;
}

static rig open_door(const door *d)
{
    rig r = {.d = d, .turn = d->slant};
    int n = (int)(2.0 * d->radius) + 12, deep = d->dim == 3 ? 5 : 1;
    gyre_gas_def def = still_def(d->dim, n + 14, n, deep, 1.0f, GYRE_GAS_SIDE_SLIP);
    gyre_gas_sheet list[40];
    double x = 0.5 * (n + 14), y = 0.5 * n + 0.27;
    int count = drum(d, x, y, list);
    r.spin = d->cells / d->radius / (double)step * 180.0 / pi;
    for (int w = 0; w < 2; w++) {
        double a = w * pi / 2.0;
        gyre_gas_sheet *s = &list[count + w];
        *s = between(d->dim, -d->reach * cos(a), -d->reach * sin(a), d->reach * cos(a),
                     d->reach * sin(a));
        s->pose.position[0] = (float)x;
        s->pose.position[1] = (float)y;
        s->pose.rotation[2] = (float)r.turn;
        s->pose.spin[2] = (float)r.spin;
        r.wing[w] = *s;
        // What parts the rooms.
        double from = w ? y + d->radius - 0.03 : y - d->radius + 0.03;
        list[count + 2 + w] = between(d->dim, x, from, x, w ? n + 9.0 : -9.0);
    }
    int all = count + (d->gap > 0.0 ? 4 : 2);
    def.sheets = (gyre_pool){list, all, all};
    r.gas = make(&def);
    for (int w = 0; w < 2; w++)
        r.id[w] = gyre_model_element(gyre_gas_model(r.gas), "sheets", count + w);
    r.label = malloc((size_t)((n + 14) * n * deep) * sizeof *r.label);
    return r;
}

static void shut_door(rig *r)
{
    free(r->label);
    gyre_gas_destroy(r->gas);
}

static void go_on(rig *r)
{
    must(gyre_gas_step(r->gas, step));
    r->turn += r->spin * (double)step;
    for (int w = 0; w < 2; w++) {
        r->wing[w].pose.rotation[2] = (float)fmod(r->turn, 360.0);
        must(gyre_gas_update_sheet(r->gas, r->id[w], &r->wing[w]));
    }
}

/// The cell in the middle of a chamber, or far out in the rooms left and right.
static int cell_of(const rig *r, int place)
{
    const int *n = r->gas->extent.n;
    if (place >= CHAMBERS)
        return (place == CHAMBERS ? 1 : n[0] - 2) + n[0] * (n[1] / 2);
    double a = (r->turn + 45.0 + 90.0 * place) * pi / 180.0, out = 0.6 * r->d->radius;
    int i = (int)(middle(0, r->gas) + out * cos(a)), j = (int)(middle(1, r->gas) + out * sin(a));
    return i + n[0] * j;
}

/// Fills what hangs together with a place, as `regions` found it.
static void fill(rig *r, int field, int place)
{
    gyre_field_view f;
    const int *n = r->gas->extent.n;
    int label = r->label[cell_of(r, place)];
    must(gyre_gas_map(r->gas, field, GYRE_WRITE, &f));
    for (int c = 0; c < n[0] * n[1] * n[2]; c++)
        if (r->label[c] == label)
            f.data[c % n[0] + c / n[0] % n[1] * f.stride[1] + c / (n[0] * n[1]) * f.stride[2]] = 1;
    must(gyre_gas_unmap(r->gas, field));
}

/// Smoke in parts of the domain that hang together with none of the places whose bit is set.
static double astray(rig *r, int field, unsigned places)
{
    const int *n = r->gas->extent.n;
    double sum = 0.0;
    for (int c = 0; c < n[0] * n[1] * n[2]; c++) {
        bool may = false;
        for (int p = 0; p < PLACES; p++)
            may = may || ((places >> p & 1u) && r->label[cell_of(r, p)] == r->label[c]);
        if (!may)
            sum +=
                fabs((double)*sample(r->gas, field, c % n[0], c / n[0] % n[1], c / (n[0] * n[1])));
    }
    return sum;
}

// The drum closed, its wings reaching through it: nothing of a chamber's smoke is ever out of it.
static void chambers_are_kept_apart(void **state)
{
    (void)state;
    static const door doors[] = {{2, 11.3, 12.6, 0, 2.0, 33, 20}, {2, 11.3, 12.6, 0, 0.1, 0.4, 3},
                                 {2, 11.3, 12.6, 0, 0.5, 2, 17},  {2, 11.3, 12.6, 0, 1.0, 4, 0},
                                 {2, 11.3, 12.6, 0, 2.0, 6, 45},  {2, 11.3, 12.6, 0, -2.0, 6, 8},
                                 {3, 8.3, 9.6, 0, 0.5, 1, 5},     {3, 8.3, 9.6, 0, 2.0, 2, 31}};
    for (int q = loud() ? 0 : 1; q < (int)GY_COUNT(doors); q++) {
        const door *d = &doors[q];
        rig r = open_door(d);
        int smoke = r.gas->velocities,
            steps = (int)(d->turns * 360.0 / fabs(r.spin) / (double)step);
        steps = SANITIZED && steps > 40 ? 40 : steps;
        assert_int_equal(regions(r.gas, r.label), CHAMBERS + 1);
        fill(&r, smoke, 1);
        double before = total(r.gas, "density"), worst = 0.0;
        for (int s = 0; s < steps; s++) {
            go_on(&r);
            if (s % 3 && s < steps - 1)
                continue;
            must(gyre_gas_step(r.gas, 0));
            assert_int_equal(regions(r.gas, r.label), CHAMBERS + 1);
            worst = fmax(worst, astray(&r, smoke, 2u));
        }
        gyre_gas_stats st = gyre_gas_get_stats(r.gas);
        if (loud())
            print_message("%dD, %g cells a step, %.1f turns: astray %g of %g, total off by %.1e, "
                          "fastest %.2f of %.2f m/s\n",
                          d->dim, d->cells, r.turn / 360.0, worst, before,
                          total(r.gas, "density") / before - 1, (double)st.max_speed,
                          fabs(d->cells) / (double)step);
        assert_true(worst == 0.0);
        assert_true(fabs(total(r.gas, "density") / before - 1) < 1e-6);
        shut_door(&r);
    }
}

/// Which places hang together with one whose bit is set.
static unsigned reached(const rig *r, unsigned places)
{
    unsigned all = places;
    for (int p = 0; p < PLACES; p++)
        for (int q = 0; q < PLACES; q++)
            if ((places >> q & 1u) && r->label[cell_of(r, p)] == r->label[cell_of(r, q)])
                all |= 1u << p;
    return all;
}

// The drum open at the left and right by less than a wing's quarter: the room at the right has
// exactly nothing of the left one's smoke until a chamber that was open to the left opens to it,
// and chambers have what they were opened to alone.
static void rooms_exchange_chambers_alone(void **state)
{
    (void)state;
    static const door doors[] = {
        {2, 11.3, 12.6, 80, 0.3, 1.2, 7}, {2, 11.3, 12.6, 80, 2, 6, 0}, {3, 8.3, 9.6, 80, 1, 1, 0}};
    for (int q = 0; q < (int)GY_COUNT(doors); q++) {
        const door *d = &doors[q];
        rig r = open_door(d);
        int smoke = r.gas->velocities, steps = (int)(d->turns * 360.0 / r.spin / (double)step);
        steps = SANITIZED && steps > 40 ? 40 : steps;
        regions(r.gas, r.label);
        fill(&r, smoke, CHAMBERS);
        double before = total(r.gas, "density"), worst = 0.0, opened = -1.0, right = 0.0;
        unsigned has = reached(&r, 1u << CHAMBERS);
        assert_int_equal(has >> (CHAMBERS + 1), 0);
        for (int s = 0; s < steps; s++) {
            go_on(&r);
            must(gyre_gas_step(r.gas, 0));
            regions(r.gas, r.label);
            worst = fmax(worst, astray(&r, smoke, has));
            has = reached(&r, has);
            if (opened < 0.0 && has >> (CHAMBERS + 1))
                opened = r.turn - d->slant;
            // Never both at once.
            assert_false(reached(&r, 1u << CHAMBERS) >> (CHAMBERS + 1));
        }
        const int *n = r.gas->extent.n;
        for (int c = 0; c < n[0] * n[1] * n[2]; c++)
            if (c % n[0] >= (int)(middle(0, r.gas) + d->radius) + 1)
                right += (double)*sample(r.gas, smoke, c % n[0], c / n[0] % n[1], c / n[0] / n[1]);
        if (loud())
            print_message("%dD, %g cells a step, open by %g degrees, %.1f turns: astray %g, the "
                          "right room has its first after %.0f degrees, at the end %.3f of %.0f; "
                          "total off by %.1e\n",
                          d->dim, d->cells, d->gap, (r.turn - d->slant) / 360.0, worst, opened,
                          right, before, total(r.gas, "density") / before - 1);
        assert_true(worst == 0.0);
        assert_true(SANITIZED || (opened > 40.0 && right > 0.005 * before));
        assert_true(fabs(total(r.gas, "density") / before - 1) < 1e-6);
        shut_door(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chambers_are_kept_apart),
        cmocka_unit_test(rooms_exchange_chambers_alone),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
