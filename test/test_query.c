// Queries: means over regions and integrals along segments, of gas and water, in 2D and 3D, against
// what is known of linear fields and balls, against sums over all cells, and against probes; at
// periodic sides, beyond the domain, beside solids, sheets and quays; from several threads.
// labels: small threads
#include <pthread.h>

#include "test/gas_rig.h"

typedef struct linear {
    double at, by[3];
} linear;

static double on_plane(const double x[3], const void *data)
{
    const linear *l = data;
    return l->at + l->by[0] * x[0] + l->by[1] * x[1] + l->by[2] * x[2];
}

static const linear tilted = {2.0, {0.7, -0.4, 0.9}};

/// Numbers from 0 to 1.
static uint32_t drawn;
static double draw(void)
{
    return (double)gy_random_unit(5, drawn++);
}

static bool near(double x, double y, double by)
{
    return fabs(x - y) <= by;
}

static gyre_mean mean_of(gyre_model *model, const char *field, gyre_shape region)
{
    gyre_mean m = {NAN, NAN, NAN};
    must(gyre_model_mean(model, gyre_model_field(model, field), &region, 1, &m));
    return m;
}

static gyre_sight sight_of(gyre_model *model, const char *field, float absorption, bool walls,
                           const double from[3], const double to[3])
{
    gyre_sight s = {NAN, NAN, NAN, false};
    const float ends[6] = {(float)from[0], (float)from[1], (float)from[2],
                           (float)to[0],   (float)to[1],   (float)to[2]};
    must(gyre_model_sight(model, gyre_model_field(model, field), absorption, walls, ends, 1, &s));
    return s;
}

static const char *const centred[] = {"density", "velocity_x", "velocity_y"};

static gyre_gas *tilted_gas(int dim, int rule, float h)
{
    gyre_gas_def def = still_def(dim, 15, 12, dim == 3 ? 9 : 1, h, rule);
    def.grid.origin[0] = -1.5f;
    gyre_gas *gas = make(&def);
    for (int q = 0; q < GY_COUNT(centred); q++) {
        set_field(gas, gyre_gas_field(gas, centred[q]), on_plane, &tilted);
    }
    return gas;
}

// ---- means

/// Boxes from cell to cell, and balls about centres and corners of cells: the value at the centre.
static void means_of_linear_fields(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        gyre_gas *gas = tilted_gas(dim, GYRE_GAS_SIDE_OPEN, 0.25f);
        const gyre_grid *g = gyre_model_grid(gyre_gas_model(gas));
        for (int q = 0; q < 60; q++) {
            double h = (double)g->h, c[3] = {0, 0, 0.5 * h}, size[3] = {1, 1, 1}, volume = 1.0;
            for (int a = 0; a < dim; a++) {
                int low = 2 + (int)(draw() * (g->n[a] - 5));
                int high = low + 1 + (int)(draw() * (g->n[a] - 2 - low));
                size[a] = h * (high - low);
                c[a] = (double)g->origin[a] + 0.5 * h * (high + low);
                volume *= size[a];
            }
            const float centre[3] = {(float)c[0], (float)c[1], (float)c[2]};
            gyre_shape box =
                gyre_box(centre, (const float[3]){(float)size[0], (float)size[1], (float)size[2]});
            gyre_shape ball = gyre_sphere(centre, (float)(h * (0.3 + 1.2 * draw())));
            for (int f = 0; f < GY_COUNT(centred); f++) {
                gyre_mean m = mean_of(gyre_gas_model(gas), centred[f], box);
                double value = on_plane(c, &tilted);
                assert_true(near(m.mean, value, 2e-6 * fabs(value) + 2e-6));
                assert_true(near(m.volume, volume, 1e-9));
                assert_true(near(m.total, value * volume, 4e-6 * volume * (1 + fabs(value))));
                m = mean_of(gyre_gas_model(gas), centred[f], ball);
                assert_true(near(m.mean, value, 2e-6 * fabs(value) + 2e-6));
            }
        }
        gyre_gas_destroy(gas);
    }
}

/// The part of a cell in a region, by points.
static double part_inside(const gyre_shape *region, const gyre_grid *g, const int at[3])
{
    int per = g->dim == 3 ? 10 : 24, inside = 0, all = 0;
    float middle[3];
    gyre_grid_position(g, GYRE_CENTRE, at[0], at[1], at[2], middle);
    float away = gyre_shape_distance(region, g->dim, middle);
    if (fabsf(away) > g->h) {
        return away < 0.0f ? 1.0 : 0.0;
    }
    for (int c = 0; c < (g->dim == 3 ? per * per * per : per * per); c++) {
        const int sub[3] = {c % per, c / per % per, c / per / per};
        float p[3];
        for (int a = 0; a < 3; a++) {
            float f = ((float)sub[a] + 0.5f) / (float)per;
            p[a] = g->origin[a] + ((float)at[a] + (a < g->dim ? f : 0.5f)) * g->h;
        }
        inside += gyre_shape_distance(region, g->dim, p) < 0.0f;
        all++;
    }
    return (double)inside / all;
}

static double overlap(double low, double high, double h, double from, double to)
{
    double x = fmin(high, to) - fmax(low, from);
    return x > 0.0 ? x / h : 0.0;
}

/// Sums over all cells of the domain of their parts, boxes' by lengths and others' by points.
static gyre_mean by_force(gyre_gas *gas, int field, const gyre_shape *region)
{
    const gyre_grid *g = gyre_model_grid(gyre_gas_model(gas));
    gy_grid_level level = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0));
    double sum = 0.0, parts = 0.0, cell = pow((double)g->h, g->dim);
    for (int k = 0; k < g->n[2]; k++) {
        for (int j = 0; j < g->n[1]; j++) {
            for (int i = 0; i < g->n[0]; i++) {
                const int at[3] = {i, j, k};
                double w = 1.0;
                for (int a = 0; a < g->dim && region->kind == GYRE_SHAPE_BOX; a++) {
                    double x = (double)g->origin[a] + (double)g->h * at[a], h = (double)g->h;
                    double c = (double)region->as.box.centre[a];
                    double s = (double)region->as.box.size[a];
                    w *= overlap(x, x + h, h, c - 0.5 * s, c + 0.5 * s);
                }
                w = region->kind == GYRE_SHAPE_BOX ? w : part_inside(region, g, at);
                if (gy_level_fluid(&level, i, j, k)) {
                    sum += w * (double)*sample(gas, field, i, j, k);
                    parts += w;
                }
            }
        }
    }
    return (gyre_mean){parts > 0.0 ? sum / parts : 0.0, sum * cell, parts * cell};
}

static gyre_gas *noisy_gas(int dim, int rule, bool solid)
{
    gyre_gas_def def = still_def(dim, 37, 21, dim == 3 ? 11 : 1, 0.1f, rule);
    gyre_gas_solid ball = sphere(1.7, 1.0, 0.5, 0.43);
    def.solids = (gyre_pool){&ball, solid, 1};
    gyre_gas *gas = make(&def);
    set_field(gas, gyre_gas_field(gas, "density"), noise, gas);
    return gas;
}

static void means_of_boxes_by_force(void **state)
{
    (void)state;
    for (int q = 0; q < 120; q++) {
        int dim = 2 + q % 2;
        gyre_gas *gas = noisy_gas(dim, GYRE_GAS_SIDE_OPEN, q % 4 < 2);
        float centre[3], size[3];
        for (int a = 0; a < 3; a++) {
            centre[a] = (float)(-0.3 + 4.2 * draw());
            size[a] = (float)(0.02 + (q % 3 ? 0.6 : 9.0) * draw());
        }
        gyre_shape box = gyre_box(centre, size);
        gyre_mean m = mean_of(gyre_gas_model(gas), "density", box);
        gyre_mean known = by_force(gas, gyre_gas_field(gas, "density"), &box);
        assert_true(near(m.volume, known.volume, 1e-6 * known.volume + 1e-12));
        assert_true(near(m.total, known.total, 1e-6 * known.total + 1e-12));
        assert_true(near(m.mean, known.mean, 2e-6));
        gyre_gas_destroy(gas);
    }
}

/// Balls, and shapes that are measured by the distance of cells' centres alone.
static void means_of_others_by_force(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        gyre_gas *gas = noisy_gas(dim, GYRE_GAS_SIDE_OPEN, true);
        for (int q = 0; q < 24; q++) {
            float c[3] = {(float)(3.7 * draw()), (float)(2.1 * draw()), (float)(1.1 * draw())};
            gyre_shape region = gyre_sphere(c, (float)(0.2 + 0.5 * draw()));
            if (q % 4 == 3) {
                region = gyre_capsule(c, (const float[3]){1.0f, 1.0f, 0.5f}, 0.35f);
            } else if (q % 4 == 2) {
                region = gyre_box(c, (const float[3]){0.9f, 0.8f, 0.7f});
                region.as.box.rotation[2] = 30.0f;
            }
            gyre_mean m = mean_of(gyre_gas_model(gas), "density", region);
            double sum = 0.0, parts = 0.0;
            const gyre_grid *g = gyre_model_grid(gyre_gas_model(gas));
            gy_grid_level level = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0));
            int f = gyre_gas_field(gas, "density");
            for (int k = 0; k < g->n[2]; k++) {
                for (int j = 0; j < g->n[1]; j++) {
                    for (int i = 0; i < g->n[0]; i++) {
                        double w = gy_level_fluid(&level, i, j, k)
                                       ? part_inside(&region, g, (const int[3]){i, j, k})
                                       : 0.0;
                        sum += w * (double)*sample(gas, f, i, j, k);
                        parts += w;
                    }
                }
            }
            double volume = parts * pow(0.1, dim);
            assert_true(near(m.volume, volume, 0.03 * volume + 0.2 * pow(0.1, dim)));
            if (parts > 3.0) {
                assert_true(near(m.mean, sum / parts, 0.02));
            }
        }
        gyre_gas_destroy(gas);
    }
}

/// A ball inside has its volume and its smoke, one on a side's plane half of it, in a corner a
/// quarter or an eighth, one outside none.
static void balls_at_the_edge(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        gyre_gas_def def = still_def(dim, 24, 24, dim == 3 ? 24 : 1, 0.125f, GYRE_GAS_SIDE_SLIP);
        gyre_gas *gas = make(&def);
        set_constant(gas, gyre_gas_field(gas, "density"), 3.0);
        for (int q = 0; q < 200; q++) {
            double r = 0.02 + 1.0 * draw(), share = 1.0 / (1 << q % 4), x[3];
            double volume = dim == 3 ? 4.0 / 3.0 * pi * r * r * r : pi * r * r;
            bool deep = dim == 3 || q % 4 < 3;
            for (int a = 0; a < 3; a++) {
                x[a] = a < q % 4 ? (draw() < 0.5 ? 0.0 : 3.0) : 1.1 + 0.8 * draw();
            }
            const float c[3] = {(float)x[0], (float)x[1], (float)x[2]};
            gyre_mean m = mean_of(gyre_gas_model(gas), "density", gyre_sphere(c, (float)r));
            double off = r > 0.5 ? 6e-3 : 5e-2;
            share *= deep ? 1.0 : 2.0;
            // What is inside for sure is so to rounding where a ball is small.
            off = q % 4 == 0 ? 1e-6 : off;
            assert_true(near(m.volume, share * volume, off * share * volume));
            assert_true(near(m.mean, 3.0, 1e-6));
            assert_true(near(m.total, 3.0 * m.volume, 1e-6 * m.volume));
        }
        const float away[3] = {-2.0f, 1.0f, 1.0f}, far[3] = {1e30f, -1e30f, 0.0f};
        gyre_mean m = mean_of(gyre_gas_model(gas), "density", gyre_sphere(away, 1.5f));
        assert_true(m.mean == 0.0 && m.total == 0.0 && m.volume == 0.0);
        m = mean_of(gyre_gas_model(gas), "density", gyre_sphere(far, 1.5f));
        assert_true(m.mean == 0.0 && m.total == 0.0 && m.volume == 0.0);
        // One that holds all of the domain.
        m = mean_of(gyre_gas_model(gas), "density", gyre_sphere(away, 1e30f));
        assert_true(near(m.volume, pow(3.0, dim), 1e-9));
        gyre_gas_destroy(gas);
    }
}

/// Boxes side by side have the sum of both; all of them what the model says.
static void totals_add_up(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        gyre_gas *gas = noisy_gas(dim, GYRE_GAS_SIDE_PERIODIC, true);
        double sum = 0.0, low = 0.0, all = total(gas, "density");
        for (int q = 0; q < 9; q++) {
            double high = q == 8 ? 3.7 : low + 0.6 * draw();
            float size[3] = {(float)(high - low), 2.1f, 1.1f};
            float c[3] = {(float)(0.5 * (low + high)), 1.05f, 0.55f};
            sum += mean_of(gyre_gas_model(gas), "density", gyre_box(c, size)).total;
            low = high;
        }
        assert_true(near(sum, all, 1e-5 * all));
        gyre_gas_destroy(gas);
    }
}

/// Across a periodic side what is beyond is what the other side begins with.
static void periodic_sides(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        gyre_gas *gas = noisy_gas(dim, GYRE_GAS_SIDE_PERIODIC, false);
        gyre_model *model = gyre_gas_model(gas);
        const gyre_grid *g = gyre_model_grid(model);
        int f = gyre_gas_field(gas, "density");
        for (int q = 0; q < 40; q++) {
            float c[3], size[3], there[3];
            for (int a = 0; a < 3; a++) {
                float length = (float)g->n[a] * g->h;
                c[a] = (float)draw() * length;
                size[a] = (float)(0.1 + 0.8 * draw());
                there[a] = c[a] + (a < dim ? length * (float)((int)(7 * draw()) - 3) : 0.0f);
            }
            for (int ball = 0; ball < 2; ball++) {
                gyre_shape s[2] = {ball ? gyre_sphere(c, 0.5f * size[0]) : gyre_box(c, size),
                                   ball ? gyre_sphere(there, 0.5f * size[0])
                                        : gyre_box(there, size)};
                gyre_mean m[2];
                must(gyre_model_mean(model, f, s, 2, m));
                assert_true(near(m[0].mean, m[1].mean, 2e-4));
                assert_true(near(m[0].volume, m[1].volume, 1e-5));
                double whole =
                    ball ? (dim == 3 ? pi / 6.0 * pow((double)size[0], 3)
                                     : pi / 4.0 * pow((double)size[0], 2))
                         : (double)size[0] * (double)size[1] * (dim == 3 ? (double)size[2] : 1.0);
                assert_true(near(m[0].volume, whole, 5e-3 * whole));
            }
            float value[2], points[6] = {c[0], c[1], c[2], there[0], there[1], there[2]};
            must(gyre_model_probe(model, f, points, 2, value));
            assert_true(near((double)value[0], (double)value[1], 1e-4));
        }
        // Halfway between the last sample and the first.
        float value[3], last = 0.1f * (float)(g->n[0] - 1) + 0.05f;
        const float points[9] = {0, 1.05f, 0.55f, 0.05f, 1.05f, 0.55f, last, 1.05f, 0.55f};
        must(gyre_model_probe(model, f, points, 3, value));
        assert_true(near((double)value[0], 0.5 * (double)(value[1] + value[2]), 1e-5));
        // Right across, and longer than that.
        gyre_sight s = sight_of(model, "density", 0.0f, true, (double[3]){3.0, 1.0, 0.5},
                                (double[3]){4.0, 1.0, 0.5});
        double parts = (double)sight_of(model, "density", 0.0f, true, (double[3]){3.0, 1.0, 0.5},
                                        (double[3]){3.7, 1.0, 0.5})
                           .integral +
                       (double)sight_of(model, "density", 0.0f, true, (double[3]){0.0, 1.0, 0.5},
                                        (double[3]){0.3, 1.0, 0.5})
                           .integral;
        assert_true(near((double)s.integral, parts, 1e-5));
        gyre_mean m;
        gyre_sight lost;
        gyre_shape box = gyre_box((const float[3]){1, 1, 1}, (const float[3]){3.8f, 1, 1});
        assert_int_equal(gyre_model_mean(model, f, &box, 1, &m), GYRE_ERROR_ARGUMENT);
        one_line();
        const float ends[6] = {0, 1, 0, 3.8f, 1, 0};
        assert_int_equal(gyre_model_sight(model, f, 0.0f, false, ends, 1, &lost),
                         GYRE_ERROR_ARGUMENT);
        one_line();
        gyre_gas_destroy(gas);
    }
}

// ---- sights

static void any_segment(const gyre_grid *g, double from[3], double to[3])
{
    for (int a = 0; a < 3; a++) {
        double h = (double)g->h, length = (g->n[a] - 1) * h;
        from[a] = (double)g->origin[a] + 0.5 * h + length * draw();
        to[a] = (double)g->origin[a] + 0.5 * h + length * draw();
        from[a] = a < g->dim ? from[a] : 0.5 * h;
        to[a] = a < g->dim ? to[a] : 0.5 * h;
    }
}

static double distance(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

/// Between the first and the last samples the integral of a linear field is its length times the
/// mean of both ends; along axes, too, and on planes of samples.
static void sights_of_linear_fields(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        gyre_gas *gas = tilted_gas(dim, GYRE_GAS_SIDE_OPEN, 0.25f);
        const gyre_grid *g = gyre_model_grid(gyre_gas_model(gas));
        for (int q = 0; q < 300; q++) {
            double from[3], to[3];
            any_segment(g, from, to);
            for (int a = 0; a < dim; a++) {
                to[a] = q % 5 == a ? from[a] : to[a];
                // On a plane of samples.
                double plane = (double)g->origin[a] + (3.5 - 0.5 * (q % 2)) * (double)g->h;
                from[a] = q % 7 == a ? plane : from[a];
                to[a] = q % 7 == a && q % 3 ? plane : to[a];
            }
            for (int f = 0; f < GY_COUNT(centred); f++) {
                gyre_sight s = sight_of(gyre_gas_model(gas), centred[f], 0.3f, true, from, to);
                double length = distance(from, to);
                double known = 0.5 * length * (on_plane(from, &tilted) + on_plane(to, &tilted));
                assert_true(near((double)s.integral, known, 1e-5 * length + 2e-6));
                assert_true(near((double)s.reach, length, 1e-6) && !s.blocked);
                double through = known > 0.0 ? exp(-0.3 * known) : 1.0;
                assert_true(near((double)s.transmittance, through, 1e-5));
            }
        }
        gyre_gas_destroy(gas);
    }
}

/// Any field: what a probe reads at many points between. Also where the ends are outside, which is
/// clear, and in the half cells before a side.
static void sights_are_of_what_probes_read(void **state)
{
    (void)state;
    enum { POINTS = 20000 };
    static float points[POINTS][3], value[POINTS];
    for (int q = 0; q < 24; q++) {
        int dim = 2 + q % 2;
        gyre_gas *gas =
            noisy_gas(dim, q % 4 < 2 ? GYRE_GAS_SIDE_OPEN : GYRE_GAS_SIDE_PERIODIC, false);
        gyre_model *model = gyre_gas_model(gas);
        const gyre_grid *g = gyre_model_grid(model);
        bool periodic = q % 4 >= 2;
        double from[3] = {0}, to[3] = {0}, sum = 0.0;
        for (int a = 0; a < dim; a++) {
            double length = g->n[a] * (double)g->h;
            from[a] = periodic ? length * draw() : length * (1.6 * draw() - 0.3);
            to[a] =
                periodic ? from[a] + length * (1.8 * draw() - 0.9) : length * (1.6 * draw() - 0.3);
        }
        for (int p = 0; p < POINTS; p++) {
            for (int a = 0; a < 3; a++) {
                points[p][a] = (float)(from[a] + (to[a] - from[a]) * (p + 0.5) / POINTS);
            }
        }
        must(gyre_model_probe(model, gyre_model_field(model, "density"), points[0], POINTS, value));
        for (int p = 0; p < POINTS; p++) {
            bool in = true;
            for (int a = 0; a < dim && !periodic; a++) {
                in = in && points[p][a] >= 0.0f && points[p][a] <= (float)g->n[a] * g->h;
            }
            sum += in ? (double)value[p] : 0.0;
        }
        double length = distance(from, to), known = sum / POINTS * length;
        gyre_sight s = sight_of(model, "density", 1.0f, false, from, to);
        assert_true(near((double)s.integral, known, 3e-4 * length));
        gyre_sight back = sight_of(model, "density", 1.0f, false, to, from);
        assert_true(near((double)back.integral, (double)s.integral, 1e-5 * length));
        gyre_gas_destroy(gas);
    }
}

typedef struct puff {
    double centre[3], radius;
    int dim;
} puff;

static double in_puff(const double x[3], const void *data)
{
    const puff *p = data;
    double square = 0.0;
    for (int a = 0; a < p->dim; a++) {
        square += (x[a] - p->centre[a]) * (x[a] - p->centre[a]);
    }
    return fmax(1.0 - square / (p->radius * p->radius), 0.0);
}

/// A ball of 1 - (r / R)^2: b off its middle 4/3 (R^2 - b^2)^(3/2) / R^2, of second order; all of
/// it in a ball round it.
static void a_ball_of_smoke(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        double worst[2] = {0.0, 0.0};
        for (int fine = 0; fine < 2; fine++) {
            int n = 24 << fine;
            gyre_gas_def def =
                still_def(dim, n, n, dim == 3 ? n : 1, 1.0f / (float)n, GYRE_GAS_SIDE_OPEN);
            gyre_gas *gas = make(&def);
            puff p = {{0.52, 0.47, dim == 3 ? 0.5 : 0.0}, 0.3, dim};
            set_field(gas, gyre_gas_field(gas, "density"), in_puff, &p);
            for (int q = 0; q < 40; q++) {
                double turn = 2 * pi * draw(), off = 0.2 * draw();
                const double way[2] = {cos(turn), sin(turn)};
                double from[3] = {0}, to[3] = {0};
                for (int a = 0; a < 2; a++) {
                    double middle = p.centre[a] + off * (a ? way[0] : -way[1]);
                    from[a] = middle - 2.0 * way[a];
                    to[a] = middle + 2.0 * way[a];
                }
                from[2] = to[2] = p.centre[2];
                double known = 4.0 / 3.0 * pow(0.09 - off * off, 1.5) / 0.09;
                gyre_sight s = sight_of(gyre_gas_model(gas), "density", 5.0f, true, from, to);
                worst[fine] = fmax(worst[fine], fabs((double)s.integral - known));
                assert_true(near((double)s.transmittance, exp(-5.0 * (double)s.integral), 1e-6));
                assert_true(near((double)s.reach, 4.0, 1e-6));
            }
            const float c[3] = {(float)p.centre[0], (float)p.centre[1], (float)p.centre[2]};
            gyre_mean m = mean_of(gyre_gas_model(gas), "density", gyre_sphere(c, 0.4f));
            double known = dim == 3 ? 8.0 / 15.0 * pi * 0.027 : 0.5 * pi * 0.09;
            assert_true(near(m.total, known, (fine ? 2e-3 : 8e-3) * known));
            gyre_gas_destroy(gas);
        }
        assert_true(worst[0] < 8e-3 && worst[1] < 0.4 * worst[0]);
    }
}

/// A ball and a sheet hide what is behind them where that is asked for; a solid's surface is found
/// to a cell, a sheet across the cells exactly. Before a sheet nothing of what is behind is seen.
static void walls_hide(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        gyre_gas_def def = still_def(dim, 32, 24, dim == 3 ? 12 : 1, 0.0625f, GYRE_GAS_SIDE_OPEN);
        gyre_gas_solid ball = sphere(1.2, 0.75, 0.375, 0.3);
        gyre_gas_sheet sheet =
            gyre_gas_default_sheet(dim == 3 ? GYRE_GAS_SHEET_PANEL : GYRE_GAS_SHEET_LINE);
        const float corner[3] = {0.5f, -1.0f, -1.0f}, up[3] = {0.0f, 1.5f, 0.0f};
        const float deep[3] = {0.0f, 0.0f, 4.0f}, end[3] = {0.5f, 0.5f, 0.0f};
        if (dim == 3) {
            memcpy(sheet.form.as.panel.corner, corner, sizeof corner);
            memcpy(sheet.form.as.panel.along, up, sizeof up);
            memcpy(sheet.form.as.panel.across, deep, sizeof deep);
        } else {
            memcpy(sheet.form.as.line.from, corner, sizeof corner);
            memcpy(sheet.form.as.line.to, end, sizeof end);
        }
        def.solids = (gyre_pool){&ball, 1, 1};
        def.sheets = (gyre_pool){&sheet, 1, 1};
        gyre_gas *gas = make(&def);
        gyre_model *model = gyre_gas_model(gas);
        int f = gyre_gas_field(gas, "density");
        gyre_field_view v;
        must(gyre_gas_map(gas, f, GYRE_WRITE, &v));
        for (int q = 0; q < v.n[0] * v.n[1] * v.n[2]; q++) {
            int i = q % v.n[0], j = q / v.n[0] % v.n[1], k = q / v.n[0] / v.n[1];
            v.data[i + j * v.stride[1] + k * v.stride[2]] = i < 8 ? 1.0f : 100.0f;
        }
        must(gyre_gas_unmap(gas, f));
        // Below 0.5 m is the sheet, above it the ball.
        const double a[3] = {0.1, 0.2, 0.4}, b[3] = {1.9, 0.2, 0.4};
        const double c[3] = {0.1, 0.75, 0.4}, d[3] = {1.9, 0.75, 0.4};
        gyre_sight s = sight_of(model, "density", 1.0f, true, a, b);
        assert_true(s.blocked && near((double)s.reach, 0.4, 1e-6));
        assert_true(near((double)s.integral, 0.4, 1e-6));
        s = sight_of(model, "density", 1.0f, true, b, a);
        assert_true(s.blocked && near((double)s.reach, 1.4, 1e-6));
        assert_true(near((double)s.integral, 140.0, 1e-4));
        s = sight_of(model, "density", 1.0f, false, a, b);
        assert_true(!s.blocked && near((double)s.reach, 1.8, 1e-6));
        assert_true(near((double)s.integral, 140.4, 1e-4));
        s = sight_of(model, "density", 1.0f, true, c, d);
        assert_true(s.blocked && near((double)s.reach, 0.8, 0.0625));
        s = sight_of(model, "density", 1.0f, true, d, c);
        assert_true(s.blocked && near((double)s.reach, 0.4, 0.0626));
        // From within the ball nothing, past it all.
        s = sight_of(model, "density", 1.0f, true, (const double[3]){1.2, 0.75, 0.375}, d);
        assert_true(s.blocked && s.reach == 0.0f && s.integral == 0.0f && s.transmittance == 1.0f);
        s = sight_of(model, "density", 1.0f, true, (const double[3]){0.1, 1.2, 0.4},
                     (const double[3]){1.9, 1.2, 0.4});
        assert_true(!s.blocked);
        // From outside: sides hide nothing.
        s = sight_of(model, "density", 1.0f, true, (const double[3]){-0.9, 0.2, 0.4}, b);
        assert_true(s.blocked && near((double)s.reach, 1.4, 1e-6));
        // The room before the sheet has none of what is behind.
        gyre_shape room =
            gyre_box((const float[3]){0.25f, 0.2f, 0.3f}, (const float[3]){0.5f, 0.4f, 0.6f});
        assert_true(mean_of(model, "density", room).mean == 1.0);
        // What is in the ball alone is nothing.
        gyre_shape core = gyre_sphere((const float[3]){1.2f, 0.75f, 0.375f}, 0.1f);
        gyre_mean m = mean_of(model, "density", core);
        assert_true(m.volume == 0.0 && m.mean == 0.0 && m.total == 0.0);
        gyre_gas_destroy(gas);
    }
}

/// Every way in: a sheet that leans is a stair of faces, and no segment finds a gap in it.
static void no_gap_in_a_stair(void **state)
{
    (void)state;
    gyre_gas_def def = still_def(2, 32, 32, 1, 0.03125f, GYRE_GAS_SIDE_OPEN);
    gyre_gas_sheet sheet = gyre_gas_default_sheet(GYRE_GAS_SHEET_LINE);
    memcpy(sheet.form.as.line.from, (const float[3]){0.2f, -0.1f, 0}, 3 * sizeof(float));
    memcpy(sheet.form.as.line.to, (const float[3]){0.83f, 1.1f, 0}, 3 * sizeof(float));
    def.sheets = (gyre_pool){&sheet, 1, 1};
    gyre_gas *gas = make(&def);
    for (int q = 0; q < 2000; q++) {
        // Ends at centres and corners of cells, too: through corners.
        double grain = q % 3 ? 1.0 / 64 : 1e-9;
        double from[3] = {floor(0.15 * draw() / grain) * grain, floor(draw() / grain) * grain},
               to[3] = {1.0 - floor(0.1 * draw() / grain) * grain, floor(draw() / grain) * grain};
        gyre_sight s = sight_of(gyre_gas_model(gas), "density", 0.0f, true, from, to);
        assert_true(s.blocked);
    }
    gyre_gas_destroy(gas);
}

// ---- water

static void of_water(void **state)
{
    (void)state;
    gyre_water_def def = gyre_water_default_def(2);
    def.grid = (gyre_grid){2, {100, 80, 1}, 0.5f, {0}};
    def.mode = GYRE_WATER_SHALLOW;
    def.level = 2.0f;
    gyre_water_edge quay = gyre_water_default_edge();
    quay.shape = gyre_box((const float[3]){30, 20, 0}, (const float[3]){4, 10, 1});
    def.edges = (gyre_pool){&quay, 1, 1};
    gyre_water *water = NULL;
    must(gyre_water_create(the_device, &def, &water));
    gyre_model *model = gyre_water_model(water);
    gyre_field_view v;
    int f = gyre_model_field(model, "depth");
    must(gyre_model_map(model, f, GYRE_WRITE, &v));
    for (int q = 0; q < v.n[0] * v.n[1]; q++) {
        v.data[q % v.n[0] + q / v.n[0] * v.stride[1]] =
            1.0f + 0.05f * ((float)(q % v.n[0]) + 0.5f) * 0.5f;
    }
    must(gyre_model_unmap(model, f));
    gyre_shape box = gyre_box((const float[3]){10, 20, 7}, (const float[3]){6, 5, 0.1f});
    gyre_mean m = mean_of(model, "depth", box);
    assert_true(near(m.mean, 1.5, 1e-4) && near(m.volume, 30.0, 1e-6));
    m = mean_of(model, "depth", gyre_sphere((const float[3]){10, 20, 0}, 3.0f));
    assert_true(near(m.mean, 1.5, 1e-4) && near(m.volume, 9 * pi, 1e-4));
    // Half of it is quay.
    box = gyre_box((const float[3]){28, 20, 0}, (const float[3]){4, 4, 1});
    m = mean_of(model, "depth", box);
    assert_true(near(m.volume, 8.0, 1e-6) && near(m.mean, 1.0 + 0.05 * 27.0, 1e-4));
    box = gyre_box((const float[3]){25, 20, 0}, (const float[3]){90, 90, 1});
    m = mean_of(model, "depth", box);
    assert_true(near(m.total, gyre_model_total(model, f), 1e-6 * m.total));
    gyre_sight s = sight_of(model, "depth", 0.1f, true, (const double[3]){2, 20.3, 5},
                            (const double[3]){40, 20.3, -9});
    assert_true(s.blocked && near((double)s.reach, 26.0, 1e-4));
    assert_true(near((double)s.integral, 26.0 * (1.0 + 0.05 * 15.0), 0.02));
    s = sight_of(model, "depth", 0.1f, true, (const double[3]){2, 10, 0},
                 (const double[3]){40, 10, 0});
    assert_true(!s.blocked && near((double)s.integral, 38.0 * (1.0 + 0.05 * 21.0), 1e-3));
    // A derived field, unmapped: what it is by mapping.
    must(gyre_model_step(model, 0.02f));
    box = gyre_box((const float[3]){21.3f, 17.7f, 0}, (const float[3]){13.1f, 7.7f, 1});
    gyre_mean one = mean_of(model, "surface", box);
    int surface = gyre_model_field(model, "surface");
    must(gyre_model_map(model, surface, GYRE_READ, &v));
    m = mean_of(model, "surface", box);
    must(gyre_model_unmap(model, surface));
    assert_true(m.mean == one.mean && m.volume == one.volume);
    gyre_model_destroy(model);
}

// ---- the door, and threads

static void bad_questions_are_refused(void **state)
{
    (void)state;
    gyre_gas *gas = noisy_gas(3, GYRE_GAS_SIDE_OPEN, true);
    gyre_model *model = gyre_gas_model(gas);
    const float centre[3] = {1, 1, 0.5f}, nan3[3] = {1, NAN, 0.5f}, size[3] = {1, 1, 1};
    const float flat[3] = {1, 0, 1}, endless[3] = {1, INFINITY, 1};
    gyre_shape bad[] = {gyre_sphere(nan3, 1.0f),   gyre_sphere(centre, NAN),
                        gyre_sphere(centre, 0.0f), gyre_sphere(centre, INFINITY),
                        gyre_box(nan3, size),      gyre_box(centre, flat),
                        gyre_box(centre, endless), {.kind = 77}};
    gyre_mean m;
    gyre_sight s;
    int density = gyre_gas_field(gas, "density"), count;
    for (int q = 0; q < GY_COUNT(bad); q++) {
        assert_int_equal(gyre_model_mean(model, density, &bad[q], 1, &m), GYRE_ERROR_ARGUMENT);
        one_line();
        assert_non_null(strstr(gyre_message(), "mean: regions.0"));
    }
    gyre_shape ball = gyre_sphere(centre, 0.3f);
    assert_int_equal(gyre_model_mean(model, 99, &ball, 1, &m), GYRE_ERROR_ARGUMENT);
    float ends[6] = {0, 0, 0, 1, 1, 1};
    for (int q = 0; q < 6; q++) {
        for (int kind = 0; kind < 3; kind++) {
            float was = ends[q];
            ends[q] = kind == 0 ? NAN : kind == 1 ? INFINITY : -INFINITY;
            assert_int_equal(gyre_model_sight(model, density, 1.0f, true, ends, 1, &s),
                             GYRE_ERROR_ARGUMENT);
            one_line();
            ends[q] = was;
        }
    }
    const float absorption[3] = {-1.0f, NAN, INFINITY};
    for (int q = 0; q < 3; q++) {
        assert_int_equal(gyre_model_sight(model, density, absorption[q], true, ends, 1, &s),
                         GYRE_ERROR_ARGUMENT);
        one_line();
    }
    // A derived field, before it is mapped and while it is.
    gyre_gas_fields(gas, &count);
    gyre_field_view v;
    assert_int_equal(gyre_model_mean(model, count - 1, &ball, 1, &m), GYRE_ERROR_STATE);
    assert_int_equal(gyre_model_sight(model, count - 1, 1.0f, true, ends, 1, &s), GYRE_ERROR_STATE);
    must(gyre_model_map(model, count - 1, GYRE_READ, &v));
    must(gyre_model_mean(model, count - 1, &ball, 1, &m));
    must(gyre_model_sight(model, count - 1, 1.0f, true, ends, 1, &s));
    must(gyre_model_unmap(model, count - 1));
    // Nothing to ask, far away, of no length, as long as floats go.
    must(gyre_model_mean(model, density, NULL, 0, NULL));
    must(gyre_model_sight(model, density, 1.0f, true, NULL, 0, NULL));
    const float far[12] = {1e30f, 1, 1, -1e30f, 1, 1, 0.3f, 0.3f, 0.3f, 0.3f, 0.3f, 0.3f};
    gyre_sight two[2];
    must(gyre_model_sight(model, density, 1e30f, true, far, 2, two));
    assert_true(isfinite(two[0].integral) && isfinite(two[0].reach));
    assert_true(two[1].integral == 0.0f && two[1].transmittance == 1.0f && two[1].reach == 0.0f);
    gyre_gas_destroy(gas);
}

enum { ASKED = 200 };

typedef struct asker {
    const gyre_model *model;
    gyre_shape regions[ASKED];
    float segments[ASKED][6], value[ASKED];
    gyre_mean means[ASKED];
    gyre_sight sights[ASKED];
    gyre_result result;
} asker;

static void *ask(void *argument)
{
    asker *a = argument;
    a->result = GYRE_OK;
    for (int turn = 0; turn < 20 && a->result == GYRE_OK; turn++) {
        int f = gyre_model_field(a->model, "density");
        a->result = gyre_model_mean(a->model, f, a->regions, ASKED, a->means);
        a->result =
            a->result ? a->result
                      : gyre_model_sight(a->model, f, 1.0f, true, a->segments[0], ASKED, a->sights);
        // Three of each segment's six floats.
        a->result =
            a->result ? a->result : gyre_model_probe(a->model, f, a->segments[0], ASKED, a->value);
    }
    return NULL;
}

static void threads_ask_beside_each_other(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    static asker alone, beside[THREADS];
    gyre_gas *gas = noisy_gas(3, GYRE_GAS_SIDE_OPEN, true);
    alone.model = gyre_gas_model(gas);
    for (int q = 0; q < ASKED; q++) {
        float c[3] = {(float)(3.7 * draw()), (float)(2.1 * draw()), (float)(1.1 * draw())};
        alone.regions[q] = q % 2 ? gyre_sphere(c, 0.3f) : gyre_box(c, (float[3]){0.4f, 0.5f, 0.6f});
        for (int a = 0; a < 6; a++) {
            alone.segments[q][a] = (float)(2.0 * draw());
        }
    }
    ask(&alone);
    must(alone.result);
    pthread_t thread[THREADS];
    for (int t = 0; t < THREADS; t++) {
        beside[t] = alone;
        memset(beside[t].means, 0, sizeof alone.means);
        memset(beside[t].sights, 0, sizeof alone.sights);
        assert_int_equal(pthread_create(&thread[t], NULL, ask, &beside[t]), 0);
    }
    for (int t = 0; t < THREADS; t++) {
        pthread_join(thread[t], NULL);
        must(beside[t].result);
        for (int q = 0; q < ASKED; q++) {
            const gyre_sight *s = &beside[t].sights[q], *o = &alone.sights[q];
            assert_memory_equal(&beside[t].means[q], &alone.means[q], sizeof(gyre_mean));
            assert_memory_equal(&s->integral, &o->integral, sizeof(float));
            assert_memory_equal(&s->transmittance, &o->transmittance, sizeof(float));
            assert_true(s->reach == o->reach && s->blocked == o->blocked);
            assert_memory_equal(&beside[t].value[q], &alone.value[q], sizeof(float));
        }
    }
    gyre_gas_destroy(gas);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_of_linear_fields),
        cmocka_unit_test(means_of_boxes_by_force),
        cmocka_unit_test(means_of_others_by_force),
        cmocka_unit_test(balls_at_the_edge),
        cmocka_unit_test(totals_add_up),
        cmocka_unit_test(periodic_sides),
        cmocka_unit_test(sights_of_linear_fields),
        cmocka_unit_test(sights_are_of_what_probes_read),
        cmocka_unit_test(a_ball_of_smoke),
        cmocka_unit_test(walls_hide),
        cmocka_unit_test(no_gap_in_a_stair),
        cmocka_unit_test(of_water),
        cmocka_unit_test(bad_questions_are_refused),
        cmocka_unit_test(threads_ask_beside_each_other),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
