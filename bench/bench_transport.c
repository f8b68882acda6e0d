// gyre bench transport: what every scheme of a gas does with known flows, as one table:
//
// - Zalesak's slotted disk (J. Comput. Phys. 31, 1979) in a turning wind, 100^2 cells, after one
//   turn and after four: sum of absolute differences over the total (L1), root mean square over
//   that of the start (L2), cells above 0.5 over those at the start;
// - a disk in LeVeque's reversed vortex (SIAM J. Numer. Anal. 33, 1996), 128^2, a period of 8:
//   the same, and how far off the total is;
// - Taylor and Green's vortices without viscosity: kinetic energy left, 64^2 and 64^3;
// - nanoseconds a cell and step of all ops that carry, one thread: of d velocities and two scalars.
//
// Winds are written anew before each step, by differences of their stream functions along faces. A
// Courant number of 0.5 throughout. A scheme is a line of the table of `advection`.
#include "bench/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

typedef struct options {
    bool quick, gate;
    int threads;
    const char *isa;
} options;

/// What a scheme has come to.
typedef struct outcome {
    double l1[3], l2[3], area[3], total; // the disk after one turn, after four; in the vortex
    double energy[4];                    // 2D at two times, 3D at two
    double time[2];                      // s a cell and step, 2D, 3D
} outcome;

static int fail(const char *what)
{
    fprintf(stderr, "gyre bench transport: %s: %s\n", what, gyre_message());
    return 1;
}

// ---- fields -------------------------------------------------------------------------------------

/// Sets `field` to what `f` says of its samples' places.
static bool put(gyre_gas *gas, const char *field, double f(const double x[3], const void *data),
                const void *data)
{
    gyre_field_view v;
    int index = gyre_gas_field(gas, field);
    if (index < 0 || gyre_gas_map(gas, index, GYRE_WRITE, &v) != GYRE_OK)
        return false;
    for (int q = 0; q < v.n[0] * v.n[1] * v.n[2]; q++) {
        int at[3] = {q % v.n[0], q / v.n[0] % v.n[1], q / v.n[0] / v.n[1]};
        float p[3];
        gyre_grid_position(&v.grid, v.location, at[0], at[1], at[2], p);
        const double x[3] = {(double)p[0], (double)p[1], (double)p[2]};
        v.data[at[0] + at[1] * v.stride[1] + at[2] * v.stride[2]] = (float)f(x, data);
    }
    return gyre_gas_unmap(gas, index) == GYRE_OK;
}

/// Sets it to `scale` times samples.
static bool put_scaled(gyre_gas *gas, const char *field, const double *samples, double scale)
{
    gyre_field_view v;
    int index = gyre_gas_field(gas, field);
    if (!samples || index < 0 || gyre_gas_map(gas, index, GYRE_WRITE, &v) != GYRE_OK)
        return false;
    for (int j = 0; j < v.n[1]; j++)
        for (int i = 0; i < v.n[0]; i++)
            v.data[i + j * v.stride[1]] = (float)(scale * samples[j * v.n[0] + i]);
    return gyre_gas_unmap(gas, index) == GYRE_OK;
}

/// A copy of a field's own samples; NULL: it could not be had.
static double *take(gyre_gas *gas, const char *field, int *count)
{
    gyre_field_view v;
    int index = gyre_gas_field(gas, field);
    if (index < 0 || gyre_gas_map(gas, index, GYRE_READ, &v) != GYRE_OK)
        return NULL;
    *count = v.n[0] * v.n[1] * v.n[2];
    double *copy = malloc((size_t)*count * sizeof *copy);
    for (int q = 0; copy && q < *count; q++)
        copy[q] = (double)v.data[q % v.n[0] + q / v.n[0] % v.n[1] * v.stride[1] +
                                 q / v.n[0] / v.n[1] * v.stride[2]];
    gyre_gas_unmap(gas, index);
    return copy;
}

typedef struct wind {
    bool vortex;
    int axis;
    double h;
} wind;

static double disk(const double x[3], const void *data)
{
    const wind *w = data;
    double sum = 0.0;
    for (int q = 0; q < 64; q++) {
        double a = x[0] + ((q % 8 + 0.5) / 8 - 0.5) * w->h - 0.5;
        double b = x[1] + ((q / 8 + 0.5) / 8 - 0.5) * w->h;
        bool slot = !w->vortex && fabs(a) < 0.025 && b < 0.85;
        sum += hypot(a, b - 0.75) < 0.15 && !slot;
    }
    return sum / 64.0;
}

static double blown(const double x[3], const void *data)
{
    const wind *w = data;
    double q[2];
    for (int side = 0; side < 2; side++) {
        double at[2] = {x[0], x[1]};
        at[1 - w->axis] += (side ? 0.5 : -0.5) * w->h;
        double a = sin(pi * at[0]), b = sin(pi * at[1]);
        q[side] =
            w->vortex ? -a * a * b * b / pi : -0.5 * (pow(at[0] - 0.5, 2) + pow(at[1] - 0.5, 2));
    }
    return (w->axis == 0 ? 1.0 : -1.0) * (q[1] - q[0]) / w->h;
}

/// Taylor and Green's in a box 2 pi wide; h: not 0 in 3D.
static double whirl(const double x[3], const void *data)
{
    const wind *w = data;
    double deep = w->h > 0.0 ? cos(x[2]) : 1.0;
    return w->axis == 0   ? sin(x[0]) * cos(x[1]) * deep
           : w->axis == 1 ? -cos(x[0]) * sin(x[1]) * deep
                          : 0.0;
}

// ---- cases --------------------------------------------------------------------------------------

/// Seconds that the ops took so far which carry.
static double carried(gyre_device *device)
{
    static const char *const ops[] = {"trace", "advect", "correct", "compensate", "deliver",
                                      "cubic", "share",  "remap",   "tally"};
    double sum = 0.0;
    for (int q = 0; q < (int)(sizeof ops / sizeof *ops); q++) {
        double seconds = 0.0;
        gyre_device_op_time(device, ops[q], &seconds, NULL);
        sum += seconds;
    }
    return sum;
}

static gyre_gas_def def_of(int dim, int n, double width, int scheme, int rule)
{
    gyre_gas_def def = gyre_gas_default_def(dim);
    for (int a = 0; a < dim; a++)
        def.grid.n[a] = n;
    def.grid.h = (float)(width / n);
    memset(def.gravity, 0, sizeof def.gravity);
    for (int s = 0; s < 2 * dim; s++)
        (&def.sides.x_low)[s].rule = rule;
    def.advection = scheme;
    def.courant = 0.0f;
    return def;
}

static bool compare(gyre_gas *gas, const double *was, int to, outcome *o)
{
    int count;
    double *is = take(gas, "density", &count), sum[6] = {0.0};
    for (int q = 0; is && q < count; q++) {
        double d = is[q] - was[q];
        sum[0] += fabs(d);
        sum[1] += was[q];
        sum[2] += d * d;
        sum[3] += was[q] * was[q];
        sum[4] += is[q] >= 0.5;
        sum[5] += was[q] >= 0.5;
        o->total += d;
    }
    o->l1[to] = sum[0] / sum[1];
    o->l2[to] = sqrt(sum[2] / sum[3]);
    o->area[to] = sum[4] / sum[5];
    o->total /= to == 2 ? sum[1] : 1.0;
    free(is);
    return is != NULL;
}

/// A disk carried in a wind that is given at every step.
static bool shape(gyre_device *device, const options *opt, int scheme, bool vortex, outcome *o)
{
    int n = (vortex ? 128 : 100) / (opt->quick ? 2 : 1), count;
    double length = vortex ? 8.0 : 2.0 * pi, begin = carried(device);
    int steps = 2 * (int)ceil((vortex ? 8.0 : pi) * n), turns = vortex ? 1 : 4;
    gyre_gas_def def = def_of(2, n, 1.0, scheme, GYRE_GAS_SIDE_OPEN);
    gyre_gas *gas = NULL;
    wind w = {vortex, 0, 1.0 / n};
    static const char *const names[] = {"velocity_x", "velocity_y"};
    if (gyre_gas_create(device, &def, &gas) != GYRE_OK)
        return false;
    bool done = put(gas, "density", disk, &w);
    double *was = take(gas, "density", &count), *base[2] = {NULL, NULL};
    for (w.axis = 0; w.axis < 2 && done; w.axis++) {
        done = put(gas, names[w.axis], blown, &w);
        base[w.axis] = take(gas, names[w.axis], &count);
    }
    for (int s = 0; s < steps * turns && done && was; s++) {
        double strength = vortex ? cos(pi * (s + 0.5) / steps) : 1.0;
        for (int a = 0; a < 2; a++)
            done = done && put_scaled(gas, names[a], base[a], strength);
        done = done && gyre_gas_step(gas, (float)(length / steps)) == GYRE_OK;
        if (s + 1 == steps) {
            o->total = 0.0;
            done = done && compare(gas, was, vortex ? 2 : 0, o);
        }
    }
    if (!vortex)
        done = done && was && compare(gas, was, 1, o);
    else
        o->time[0] = (carried(device) - begin) / steps / n / n;
    gyre_gas_destroy(gas);
    free(was);
    free(base[0]);
    free(base[1]);
    return done;
}

static bool vortices(gyre_device *device, const options *opt, int scheme, int dim, outcome *o)
{
    static const double until[2][2] = {{10.0, 40.0}, {3.0, 9.0}};
    static const char *const names[] = {"velocity_x", "velocity_y", "velocity_z"};
    int n = 64 / (opt->quick ? 2 : 1), done_steps = 0;
    gyre_gas_def def = def_of(dim, n, 2.0 * pi, scheme, GYRE_GAS_SIDE_PERIODIC);
    gyre_gas *gas = NULL;
    double begin = carried(device), first, t = 0.0, dt = pi / n;
    if (gyre_gas_create(device, &def, &gas) != GYRE_OK)
        return false;
    wind w = {.h = dim == 3 ? 1.0 : 0.0};
    bool done = true;
    for (w.axis = 0; w.axis < dim; w.axis++)
        done = done && put(gas, names[w.axis], whirl, &w);
    first = gyre_gas_get_stats(gas).kinetic_energy;
    for (int at = 0; at < 2; at++) {
        int steps = (int)ceil((until[dim - 2][at] - t) / dt);
        double step = (until[dim - 2][at] - t) / steps;
        for (int s = 0; s < steps && done; s++, done_steps++)
            done = gyre_gas_step(gas, (float)step) == GYRE_OK;
        t = until[dim - 2][at];
        o->energy[2 * (dim - 2) + at] = gyre_gas_get_stats(gas).kinetic_energy / first;
    }
    if (dim == 3)
        o->time[1] = (carried(device) - begin) / done_steps / pow(n, 3);
    gyre_gas_destroy(gas);
    return done;
}

// ---- the table ----------------------------------------------------------------------------------

static void print_row(const char *name, const outcome *o)
{
    printf("| `%s` | %.3f, %.3f, %.2f | %.3f, %.3f, %.2f | %.3f, %.3f, %.2f | %+.1e | %.4f, %.4f | "
           "%.3f, %.3f | %.1f, %.1f |\n",
           name, o->l1[0], o->l2[0], o->area[0], o->l1[1], o->l2[1], o->area[1], o->l1[2], o->l2[2],
           o->area[2], o->total, o->energy[0], o->energy[1], o->energy[2], o->energy[3],
           1e9 * o->time[0], 1e9 * o->time[1]);
    fflush(stdout);
}

static int missed;

static void require(const options *opt, const char *what, bool kept)
{
    if (!kept)
        fprintf(stderr, "gyre bench transport: MISSED: %s\n", what);
    missed += opt->gate && !kept;
}

/// What the table must show at any size: each scheme has its reason.
static void judge(const options *opt, const outcome *o)
{
    const outcome *plain = &o[GYRE_GAS_SEMI_LAGRANGIAN], *keeps = &o[GYRE_GAS_CONSERVATIVE];
    for (int s = 0; s <= GYRE_GAS_CUBIC; s++) {
        if (s == GYRE_GAS_SEMI_LAGRANGIAN)
            continue;
        require(opt, "every scheme is nearer than semi_lagrangian",
                o[s].l1[0] < plain->l1[0] && o[s].l1[2] < plain->l1[2] &&
                    o[s].energy[0] > plain->energy[0] && o[s].energy[2] > plain->energy[2]);
    }
    require(opt, "bfecc and cubic are nearer than maccormack",
            o[GYRE_GAS_BFECC].l1[0] < o[GYRE_GAS_MACCORMACK].l1[0] &&
                o[GYRE_GAS_CUBIC].l1[0] < o[GYRE_GAS_MACCORMACK].l1[0]);
    require(opt, "conservative keeps the total", fabs(keeps->total) < 1e-6);
    require(opt, "conservative keeps the energy", keeps->energy[0] > 0.97);
}

static const char *read_options(options *o, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--quick"))
            o->quick = true;
        else if (!strcmp(argv[i], "--gate"))
            o->gate = true;
        else if (!strcmp(argv[i], "--untimed"))
            continue; // nothing is held to a clock
        else if (!strcmp(argv[i], "--isa") && i + 1 < argc)
            o->isa = argv[++i];
        else if (!strcmp(argv[i], "--threads") && i + 1 < argc) {
            int count;
            const char *wrong = bench_threads(argv[++i], &o->threads, 1, &count);
            if (wrong)
                return wrong;
        } else
            return argv[i];
    }
    return NULL;
}

int bench_transport(int argc, char **argv)
{
    options opt = {.threads = 1};
    const char *wrong = read_options(&opt, argc, argv);
    if (wrong) {
        fprintf(stderr, "gyre bench transport: %s\nusage: " BENCH_TRANSPORT_USAGE, wrong);
        return 2;
    }
    gyre_device_def def = gyre_default_device_def();
    gyre_device *device = NULL;
    def.threads = opt.threads;
    def.isa = opt.isa;
    def.time_ops = true;
    if (gyre_device_create(&def, &device) != GYRE_OK)
        return fail("a device");
    outcome all[GYRE_GAS_CUBIC + 1] = {0};
    int status = 0;
    printf(
        "| `advection` | Zalesak's disk, 1 turn: L1, L2, area | 4 turns | reversed vortex | total "
        "| energy left, 2D, t = 10, 40 | 3D, t = 3, 9 | ns a cell, 2D, 3D |\n"
        "|---|---|---|---|---|---|---|---|\n");
    for (int s = 0; s <= GYRE_GAS_CUBIC && status == 0; s++) {
        bool done = shape(device, &opt, s, false, &all[s]) && shape(device, &opt, s, true, &all[s]);
        done = done && vortices(device, &opt, s, 2, &all[s]);
        done = done && vortices(device, &opt, s, 3, &all[s]);
        status = done ? 0 : fail("a gas");
        if (done)
            print_row(gyre_property_find(gyre_gas_properties, "advection")->names[s], &all[s]);
    }
    if (status == 0)
        judge(&opt, all);
    gyre_device_destroy(device);
    return status ? status : missed > 0;
}
