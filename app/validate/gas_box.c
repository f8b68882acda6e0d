// validate/gas_box.c: boxes of gas and their starts: u = curl A, A on the grid's edges.
#include "validate/gas_box.h"

#include <math.h>
#include <string.h>

static const double TURN = 6.283185307179586;

double validate_random(uint32_t seed, uint32_t index)
{
    // Two rounds of a mixer of 32 bits (splitmix): integers alone.
    uint32_t x = index * 0x9e3779b9u + seed * 0x85ebca6bu + 0x6a09e667u;
    for (int round = 0; round < 2; round++) {
        x = (x ^ x >> 16) * 0x21f0aaadu;
        x = (x ^ x >> 15) * 0x735a2d97u;
        x ^= x >> 15;
    }
    return (x + 0.5) / 4294967296.0;
}

// ---- the box

static int side_rule(const gas_box *box, int side)
{
    char c = box->sides && box->sides[0] ? box->sides[side] : 'p';
    return c == 'p' ? GYRE_GAS_SIDE_PERIODIC : c == 'o' ? GYRE_GAS_SIDE_OPEN : GYRE_GAS_SIDE_SLIP;
}

static double cell(const gas_box *box)
{
    return (box->width > 0.0 ? box->width : 1.0) / box->n[0];
}

gyre_gas_def validate_gas_def(const gas_box *box)
{
    gyre_gas_def def = gyre_gas_default_def(box->dim);
    memcpy(def.grid.n, box->n, sizeof def.grid.n);
    def.grid.n[2] = box->dim == 3 ? box->n[2] : 1;
    def.grid.h = (float)cell(box);
    memset(def.gravity, 0, sizeof def.gravity);
    for (int s = 0; s < 2 * box->dim; s++) {
        (&def.sides.x_low)[s].rule = side_rule(box, s);
    }
    def.pressure.tolerance = 1e-6f;
    def.pressure.max_cycles = 40;
    if (box->starved) {
        def.pressure.solver = GYRE_SOLVER_JACOBI;
        def.pressure.max_cycles = 1;
    }
    return def;
}

gyre_model *validate_gas_open(validate_run *run, const gas_box *box)
{
    gyre_gas_def def = validate_gas_def(box);
    gyre_gas_solid ball = gyre_gas_default_solid();
    double least = 1e30;
    ball.shape.kind = GYRE_SHAPE_SPHERE;
    for (int a = 0; a < box->dim; a++) {
        double width = box->n[a] * cell(box);
        // Not on a line of the grid.
        ball.shape.as.sphere.centre[a] = (float)(0.48 * width);
        least = fmin(least, width);
    }
    ball.shape.as.sphere.radius = (float)(0.2 * least);
    if (box->ball) {
        def.solids = (gyre_pool){.items = &ball, .count = 1};
    }
    return validate_create(run, "gas", &def);
}

static gyre_model *model_of(validate_run *run, int field, gyre_field_view *view)
{
    gyre_model *model = validate_model(run);
    if (model && gyre_model_map(model, field, GYRE_WRITE, view)) {
        validate_fail(run, NULL);
        return NULL;
    }
    return model;
}

void validate_gas_put(validate_run *run, int field, const double *samples)
{
    gyre_field_view view;
    gyre_model *model = samples ? model_of(run, field, &view) : NULL;
    for (int k = 0; model && k < view.n[2]; k++) {
        for (int j = 0; j < view.n[1]; j++) {
            for (int i = 0; i < view.n[0]; i++) {
                view.data[i + j * view.stride[1] + k * view.stride[2]] = (float)*samples++;
            }
        }
    }
    if (model && gyre_model_unmap(model, field)) {
        validate_fail(run, NULL);
    }
}

// ---- starts

/// A potential along one axis: on edges along it, nodes across. All arrays are (n + 1)^dim large.
typedef struct potential {
    const gas_box *box;
    double *value[3], *spare;
    int size[3]; // n + 1; of a third axis that is not there 1
} potential;

static size_t place(const potential *p, int i, int j, int k)
{
    return ((size_t)k * (size_t)p->size[1] + (size_t)j) * (size_t)p->size[0] + (size_t)i;
}

static size_t place_at(const potential *p, const int at[3])
{
    return place(p, at[0], at[1], at[2]);
}

static bool periodic(const gas_box *box, int axis)
{
    return side_rule(box, 2 * axis) == GYRE_GAS_SIDE_PERIODIC;
}

/// Calls for every edge along an axis. At the upper end of a periodic axis there is none of its
/// own.
#define EACH_EDGE(p, at)                                                                           \
    for (int at[3] = {0, 0, 0}; at[2] < (p)->size[2]; at[2]++)                                     \
        for (at[1] = 0; at[1] < (p)->size[1]; at[1]++)                                             \
            for (at[0] = 0; at[0] < (p)->size[0]; at[0]++)

/// The neighbour of an edge of direction d along axis a: periodic ones wrap, others end at the
/// last.
static size_t beside(const potential *p, int d, const int at[3], int a, int step)
{
    int q[3] = {at[0], at[1], at[2]};
    int n = p->box->n[a], last = a == d ? n - 1 : n;
    q[a] += step;
    if (periodic(p->box, a)) {
        q[a] = (q[a] + n) % n;
    } else {
        q[a] = q[a] < 0 ? 0 : q[a] > last ? last : q[a];
    }
    return place_at(p, q);
}

/// Whether an edge lies in a closed side: the potential is 0 there, so that nothing passes.
static bool in_wall(const potential *p, int d, const int at[3])
{
    for (int a = 0; a < p->box->dim; a++) {
        bool low = at[a] == 0, high = at[a] == p->box->n[a];
        if (a != d && ((low && side_rule(p->box, 2 * a) == GYRE_GAS_SIDE_SLIP) ||
                       (high && side_rule(p->box, 2 * a + 1) == GYRE_GAS_SIDE_SLIP))) {
            return true;
        }
    }
    return false;
}

static void smooth(potential *p, int d, int times)
{
    size_t count = (size_t)p->size[0] * (size_t)p->size[1] * (size_t)p->size[2];
    double *v = p->value[d];
    for (int t = 0; t < times * p->box->dim; t++) {
        int a = t % p->box->dim;
        EACH_EDGE(p, at)
        {
            double mean = 0.25 * (v[beside(p, d, at, a, -1)] + v[beside(p, d, at, a, 1)]) +
                          0.5 * v[beside(p, d, at, a, 0)];
            p->spare[place_at(p, at)] = in_wall(p, d, at) ? 0.0 : mean;
        }
        memcpy(v, p->spare, count * sizeof *v);
    }
}

static potential make_potential(validate_run *run, const gas_box *box)
{
    potential p = {.box = box};
    size_t count = 1;
    for (int a = 0; a < 3; a++) {
        p.size[a] = a < box->dim ? box->n[a] + 1 : 1;
        count *= (size_t)p.size[a];
    }
    for (int d = 0; d < 3; d++) {
        p.value[d] = validate_memory(run, count, sizeof(double));
    }
    p.spare = validate_memory(run, count, sizeof(double));
    return p;
}

static void fill_random(potential *p, int seed)
{
    for (int d = p->box->dim == 3 ? 0 : 2; d < 3; d++) {
        EACH_EDGE(p, at)
        {
            uint32_t index = ((uint32_t)at[2] * 4099u + (uint32_t)at[1]) * 4099u + (uint32_t)at[0];
            p->value[d][place_at(p, at)] = validate_random((uint32_t)(3 * seed + d), index) - 0.5;
        }
        // Waves shorter than about six cells are gone; whatever is left of them the step may keep.
        smooth(p, d, 6);
    }
}

/// Writes scale times the differences of the potential, plus what `add` holds (may be NULL).
static void write_curl(validate_run *run, potential *p, double scale, double *const add[3])
{
    const gas_box *box = p->box;
    double h = cell(box), most = 0.0, *u[3] = {NULL, NULL, NULL};
    for (int a = 0; a < box->dim; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3, m[3];
        for (int x = 0; x < 3; x++) {
            m[x] = x < box->dim ? box->n[x] + (x == a) : 1;
        }
        double *out = u[a] =
            validate_memory(run, (size_t)m[0] * (size_t)m[1] * (size_t)m[2], sizeof *out);
        for (int k = 0; k < m[2] && out; k++) {
            for (int j = 0; j < m[1]; j++) {
                for (int i = 0; i < m[0]; i++) {
                    // The face at the upper end of a periodic axis is that at its lower end.
                    int at[3] = {i, j, k};
                    at[a] = periodic(box, a) ? at[a] % box->n[a] : at[a];
                    double v = 0.0, here = 0.0;
                    if (b < box->dim) {
                        here = p->value[c][place_at(p, at)];
                        v += (p->value[c][beside(p, c, at, b, 1)] - here) / h;
                    }
                    if (c < box->dim) {
                        here = p->value[b][place_at(p, at)];
                        v -= (p->value[b][beside(p, b, at, c, 1)] - here) / h;
                    }
                    *out = v;
                    most = fmax(most, fabs(*out++));
                }
            }
        }
    }
    for (int a = 0; a < box->dim && u[a]; a++) {
        int m[3];
        for (int x = 0; x < 3; x++) {
            m[x] = x < box->dim ? box->n[x] + (x == a) : 1;
        }
        for (int i = 0; i < m[0] * m[1] * m[2]; i++) {
            u[a][i] = (scale > 0.0 && most > 0.0 ? scale / most : 1.0) * u[a][i] +
                      (add && add[a] ? add[a][i] : 0.0);
        }
        validate_gas_put(run, a, u[a]);
    }
}

void validate_gas_put_stream(validate_run *run, const gas_box *box, const double *psi)
{
    potential p = make_potential(run, box);
    if (!p.spare || !psi) {
        return;
    }
    memcpy(p.value[2], psi, (size_t)p.size[0] * (size_t)p.size[1] * sizeof *psi);
    write_curl(run, &p, 0.0, NULL);
}

/// Components of Arnold, Beltrami and Childress: none depends on its own coordinate.
static double abc(int a, const double x[3])
{
    int b = (a + 1) % 3, c = (a + 2) % 3;
    return 0.5 * (sin(TURN * x[c]) + cos(TURN * x[b]));
}

static double taylor_green(int a, const double x[3])
{
    return a == 0   ? sin(TURN * x[0]) * cos(TURN * x[1]) * cos(TURN * x[2])
           : a == 1 ? -cos(TURN * x[0]) * sin(TURN * x[1]) * cos(TURN * x[2])
                    : 0.0;
}

/// A component from a formula of the place in widths of the box.
static double *formula(validate_run *run, const gas_box *box, int a,
                       double value(int a, const double x[3]))
{
    int m[3] = {box->n[0] + (a == 0), box->n[1] + (a == 1), box->n[2] + (a == 2)};
    double *out = validate_memory(run, (size_t)m[0] * (size_t)m[1] * (size_t)m[2], sizeof *out);
    for (int k = 0, o = 0; k < m[2] && out; k++) {
        for (int j = 0; j < m[1]; j++) {
            for (int i = 0; i < m[0]; i++) {
                const int at[3] = {i, j, k};
                double x[3];
                for (int c = 0; c < 3; c++) {
                    x[c] = (at[c] + (c == a ? 0.0 : 0.5)) / box->n[c];
                }
                out[o++] = value(a, x);
            }
        }
    }
    return out;
}

void validate_gas_start(validate_run *run, const gas_box *box, gas_start start, int seed)
{
    potential p = make_potential(run, box);
    double *add[3] = {NULL, NULL, NULL};
    if (!p.spare) {
        return;
    }
    if (start != GAS_TAYLOR_GREEN) {
        fill_random(&p, seed);
    } else if (box->dim == 2) {
        EACH_EDGE(&p, at)
        {
            p.value[2][place_at(&p, at)] =
                sin(TURN * at[0] / box->n[0]) * sin(TURN * at[1] / box->n[1]);
        }
    }
    for (int a = 0; a < 3 && box->dim == 3 && start != GAS_RANDOM; a++) {
        add[a] = formula(run, box, a, start == GAS_ABC ? abc : taylor_green);
    }
    write_curl(run, &p, start == GAS_ABC && box->dim == 3 ? 1e-3 : 1.0, add);
    validate_step_by(run, 0.0);
}

static uint64_t drawn;

static double draw(void)
{
    drawn = drawn * 6364136223846793005u + 1442695040888963407u;
    return ((double)(drawn >> 11) + 0.5) / 9007199254740992.0;
}

double *validate_gas_vortices(validate_run *run, int cells, uint64_t seed)
{
    int row = cells + 1;
    double *psi = validate_memory(run, (size_t)row * (size_t)row, sizeof *psi);
    drawn = seed;
    for (int i = 0; i < 10; i++) {
        draw();
    }
    for (int v = 0; v < 12 && psi; v++) {
        double x = 0.15 + 0.7 * draw(), y = 0.15 + 0.7 * draw();
        double strength = 0.15 * (2.0 * draw() - 1.0), width = 0.06 + 0.09 * draw();
        for (int i = 0; i < row * row; i++) {
            double dx = (double)(i % row) / cells - x, dy = (double)(i / row) / cells - y;
            psi[i] += strength * exp(-(dx * dx + dy * dy) / (2.0 * width * width));
        }
    }
    return psi;
}

// ---- energy

void validate_gas_visit(validate_run *run, int field,
                        void visit(void *argument, const int at[3], double value), void *argument)
{
    enum { AT_ONCE = 4096 };
    static float points[3 * AT_ONCE], values[AT_ONCE];
    gyre_model *model = validate_model(run);
    int n[3], count = 0;
    if (!model) {
        return;
    }
    const gyre_grid *grid = gyre_model_grid(model);
    const gyre_location location = gyre_model_fields(model, &count)[field].location;
    gyre_grid_samples(grid, location, n);
    for (int first = 0, all = n[0] * n[1] * n[2]; first < all; first += AT_ONCE) {
        int some = all - first < AT_ONCE ? all - first : AT_ONCE;
        for (int q = 0; q < some; q++) {
            int i = first + q;
            gyre_grid_position(grid, location, i % n[0], i / n[0] % n[1], i / n[0] / n[1],
                               points + 3 * q);
        }
        if (gyre_model_probe(model, field, points, some, values)) {
            validate_fail(run, NULL);
            return;
        }
        for (int q = 0; q < some; q++) {
            int i = first + q;
            const int at[3] = {i % n[0], i / n[0] % n[1], i / n[0] / n[1]};
            visit(argument, at, (double)values[q]);
        }
    }
}

typedef struct energy_sum {
    const gas_box *box;
    int axis;
    double sum;
} energy_sum;

static void add_energy(void *argument, const int at[3], double value)
{
    energy_sum *e = argument;
    bool joined = periodic(e->box, e->axis);
    bool low = at[e->axis] == 0, high = at[e->axis] == e->box->n[e->axis];
    double weight = joined ? (high ? 0.0 : 1.0) : low || high ? 0.5 : 1.0;
    e->sum += 0.5 * weight * value * value;
}

double validate_gas_energy(validate_run *run, const gas_box *box)
{
    bool open = box->sides && strchr(box->sides, 'o');
    if (!open || box->ball) {
        return validate_statistic(run, "kinetic_energy");
    }
    energy_sum e = {.box = box};
    for (e.axis = 0; e.axis < box->dim; e.axis++) {
        validate_gas_visit(run, e.axis, add_energy, &e);
    }
    return validate_failed(run) ? NAN : e.sum * pow(cell(box), box->dim);
}

gas_energy validate_gas_watch(validate_run *run, const gas_box *box, double dt, int steps)
{
    double start = validate_gas_energy(run, box), low = start, now = start;
    double first = 0.0, least = 0.0;
    gas_energy e = {.look = {1.0}};
    for (int i = 0; i < steps && !validate_failed(run); i++) {
        validate_step_by(run, dt);
        now = validate_gas_energy(run, box);
        e.most = fmax(e.most, now / start);
        // Below a millionth of a millionth there is nothing left but rounding.
        if (now > 1e-12 * start) {
            e.rise = fmax(e.rise, now / low - 1.0);
        }
        low = fmin(low, now);
        double bounded = validate_statistic(run, "bounded_energy");
        first = i == 0 ? bounded : first;
        least = i == 0 ? bounded : fmin(least, bounded);
        e.bounded = fmax(e.bounded, (bounded - least) / first);
        e.look[(i + 1) * (GAS_LOOKS - 1) / steps] = now / start;
    }
    return e;
}
