// solve/poisson.c: a linear system on its own, behind include/gyre/solve.h.
#include "base/base.h"
#include "ops/system/level.h"
#include "solve/solvers.h"

#include <string.h>

enum { COOKIE = 0x706f, HISTORY = 4096 }; // "po"

/// Openness below this part of a whole face counts as shut.
#define SLIVER 0.01f

struct gyre_poisson {
    void *memory;
    size_t bytes;
    gy_system system;
    gyre_grid grid;
    double history[HISTORY];
    int cycles;
};

static const char *const side_names[] = {"shut", "open", "periodic", NULL};

void gyre_poisson_fill_def(gyre_poisson_def *def, size_t size, int dim)
{
    if (GY_MISSING("poisson_fill_def", def)) {
        return;
    }
    gyre_poisson_def own = {.cookie = gy_cookie(COOKIE, size)};
    gyre_property_defaults(gy_pressure_solver_properties, &own.solver, sizeof own.solver);
    own.solver.tolerance = 1e-4f;
    own.solver.max_cycles = 50;
    own.grid = (gyre_grid){.dim = dim, .n = {64, 64, !gy_is_3d(dim) ? 1 : 64}, .h = 1.0f};
    gy_copy_sized(def, size, &own, sizeof own);
}

static gyre_result check(const gyre_poisson_def *def)
{
    gyre_result r = gy_cookie_check(def, COOKIE, sizeof *def, "gyre_poisson_def");
    if (r != GYRE_OK) {
        return r;
    }
    r = gyre_grid_check(&def->grid);
    if (r == GYRE_OK) {
        r = gyre_property_check(gy_pressure_solver_properties, &def->solver, "solver");
    }
    for (int s = 0; s < 2 * def->grid.dim && r == GYRE_OK; s++) {
        int side = def->sides[s], other = def->sides[s ^ 1];
        if (side < 0 || side > GYRE_POISSON_PERIODIC) {
            r = gyre_fail(GYRE_ERROR_ARGUMENT, "sides[%d]: %d, expected shut, open or periodic", s,
                          side);
        } else if (side == GYRE_POISSON_PERIODIC && other != side) {
            r = gyre_fail(GYRE_ERROR_ARGUMENT,
                          "sides[%d]: \"%s\", but the opposite side is periodic", s ^ 1,
                          other >= 0 && other < 3 ? side_names[other] : "?");
        }
    }
    if (r == GYRE_OK && !(def->shift >= 0.0f && def->shift < 1e30f)) {
        r = gyre_fail(GYRE_ERROR_ARGUMENT, "shift: %g, expected 0 or more, and finite",
                      (double)def->shift);
    }
    return r;
}

static gy_system_def system_of(const gyre_poisson_def *def)
{
    gy_system_def s = {.grid = def->grid, .solver = def->solver};
    for (int q = 0; q < 2 * def->grid.dim; q++) {
        s.periodic |= def->sides[q] == GYRE_POISSON_PERIODIC ? 1u << (q / 2) : 0;
        s.open_sides |= def->sides[q] == GYRE_POISSON_OPEN ? 1u << q : 0;
    }
    for (int a = 0; a < def->grid.dim; a++) {
        s.solids = s.solids || def->open[a];
    }
    return s;
}

static uint16_t coefficient(float open)
{
    // NaN is shut, too.
    return open >= SLIVER ? (uint16_t)(GY_MIN(open, 1.0f) * GY_UNIT + 0.5f) : 0;
}

typedef struct painter {
    const gyre_poisson_def *def;
    const gy_system *system;
} painter;

static void paint_plane(void *argument, int k)
{
    const painter *p = argument;
    const gy_system *s = p->system;
    gy_grid_level g = gy_grid_level_at(s->base, gy_system_offset(s, 0));
    const int *n = g.l->n;
    for (int a = 0; a < g.l->dim; a++) {
        const float *open = p->def->open[a];
        int sx = n[0] + (a == 0), sy = n[1] + (a == 1);
        for (int j = 0; j < sy && (k < n[2] || a == 2); j++) {
            for (int i = 0; i < sx; i++) {
                int at[3] = {i, j, k};
                int low = at[a] == 0, side = 2 * a + !low;
                size_t here = (size_t)i + (size_t)sx * ((size_t)j + (size_t)sy * (size_t)k);
                int c = open ? coefficient(open[here]) : (int)GY_UNIT;
                if (low || at[a] == n[a]) {
                    if (s->periodic >> a & 1u) {
                        // The face is one and the same at both ends: the narrower of the two.
                        at[a] = low ? n[a] : 0;
                        here = (size_t)at[0] +
                               (size_t)sx * ((size_t)at[1] + (size_t)sy * (size_t)at[2]);
                        c = open ? GY_MIN(c, coefficient(open[here])) : c;
                    } else {
                        c = s->open_sides >> side & 1u ? 2 * c : 0;
                    }
                }
                *gy_coefficient(&g, a, i, j, k) = (uint16_t)c;
            }
        }
    }
}

static void unmake(gyre_poisson *p)
{
    gyre_device *device = p->system.device;
    gy_system_release(&p->system);
    gy_device_release(device, p->memory, p->bytes);
}

static gyre_result make(gyre_device *device, const gyre_poisson_def *def, gyre_poisson **poisson)
{
    gyre_result r = check(def);
    gy_system_def system = {0};
    if (r == GYRE_OK) {
        system = system_of(def);
        r = gy_system_check(&system, "solver");
    }
    if (r != GYRE_OK) {
        return r;
    }
    gy_arena counted = {0};
    gy_system unused;
    gy_system_plan(&unused, device, &system, &counted, &counted);
    size_t head = (sizeof(gyre_poisson) + 63) / 64 * 64;
    size_t bytes = head + ((size_t)counted.used + 2) * 64;
    gyre_poisson *p = gy_device_allocate(device, bytes);
    if (!p) {
        return gyre_fail(GYRE_ERROR_MEMORY,
                         "a system of %d x %d x %d cells takes %zu bytes, and "
                         "there are not so many",
                         def->grid.n[0], def->grid.n[1], def->grid.n[2], bytes);
    }
    p->memory = p;
    p->bytes = bytes;
    p->grid = def->grid;
    gy_arena arena = {.base = (uint64_t)(uintptr_t)p + head};
    gy_system_plan(&p->system, device, &system, &arena, &arena);
    painter paint = {def, &p->system};
    gyre_device_parallel_for(device, def->grid.n[2] + gy_is_3d(def->grid.dim), paint_plane, &paint);
    gy_system_put(&p->system);
    r = gy_system_update(&p->system);
    if (r != GYRE_OK) {
        unmake(p);
        return r;
    }
    gy_system_shift(&p->system, def->shift);
    *poisson = p;
    return GYRE_OK;
}

gyre_result gyre_poisson_create(gyre_device *device, const gyre_poisson_def *def,
                                gyre_poisson **poisson)
{
    if (GY_MISSING("poisson", poisson)) {
        return GYRE_ERROR_ARGUMENT;
    }
    *poisson = NULL;
    if (GY_MISSING("poisson", device) || GY_MISSING("poisson", def)) {
        return GYRE_ERROR_ARGUMENT;
    }
    gy_device_enter(device);
    gyre_result r = make(device, def, poisson);
    if (r == GYRE_OK) {
        gy_device_hold(device);
    }
    gy_device_leave(device);
    return r;
}

void gyre_poisson_destroy(gyre_poisson *p)
{
    if (p) {
        gyre_device *device = p->system.device;
        gy_device_enter(device);
        unmake(p);
        gy_device_leave(device);
        gy_device_drop(device);
    }
}

gyre_result gyre_poisson_set_shift(gyre_poisson *p, float shift)
{
    if (GY_MISSING("poisson", p)) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (!(shift >= 0.0f && shift < 1e30f)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "shift: %g, expected 0 or more, and finite",
                         (double)shift);
    }
    gy_device_enter(p->system.device);
    gy_system_shift(&p->system, shift);
    gy_device_leave(p->system.device);
    return GYRE_OK;
}

typedef struct mover {
    const gyre_poisson *p;
    const float *from;
    float *to;
    uint32_t vector;
} mover;

static void put_plane(void *argument, int k)
{
    const mover *m = argument;
    const gy_system *s = &m->p->system;
    gy_grid_level g = gy_grid_level_with(s->base, gy_system_offset(s, 0), m->vector);
    const int *n = g.l->n;
    const float *from = m->from + (size_t)k * (size_t)n[0] * (size_t)n[1];
    for (int j = 0; j < n[1]; j++) {
        ptrdiff_t o = gy_level_row(g.l, j, k);
        for (int i = 0; i < n[0]; i++) {
            float v = from[(size_t)j * (size_t)n[0] + (size_t)i];
            // Finite, and not so large that squares overflow.
            g.x[(i + j + k) & 1][o + (i >> 1)] = v > -1e18f && v < 1e18f ? v : 0.0f;
        }
    }
}

static void get_plane(void *argument, int k)
{
    const mover *m = argument;
    const gy_system *s = &m->p->system;
    gy_grid_level g = gy_grid_level_with(s->base, gy_system_offset(s, 0), m->vector);
    const int *n = g.l->n;
    float *to = m->to + (size_t)k * (size_t)n[0] * (size_t)n[1];
    for (int j = 0; j < n[1]; j++) {
        ptrdiff_t o = gy_level_row(g.l, j, k);
        for (int i = 0; i < n[0]; i++) {
            to[(size_t)j * (size_t)n[0] + (size_t)i] = g.x[(i + j + k) & 1][o + (i >> 1)];
        }
    }
}

/// A vector's bytes, from row -1 of plane -1 on.
static const float *bytes_of(const gyre_poisson *p, uint32_t vector, size_t *bytes)
{
    const gy_level *l = gy_system_level(&p->system, 0);
    *bytes = ((size_t)l->colour_step * 2 - (size_t)(l->sy + l->sz)) * sizeof(float);
    return gy_at(p->system.base, vector) - l->sy - l->sz;
}

static void put_vector(const gyre_poisson *p, uint32_t vector)
{
    size_t bytes;
    const float *at = bytes_of(p, vector, &bytes);
    gy_device_put(p->system.device, at, bytes);
}

static void fetch_vector(const gyre_poisson *p, uint32_t vector)
{
    size_t bytes;
    const float *at = bytes_of(p, vector, &bytes);
    gy_device_fetch(p->system.device, at, bytes);
}

void gyre_poisson_set_b(gyre_poisson *p, const float *b)
{
    if (GY_MISSING("poisson", p) || GY_MISSING("poisson", b)) {
        return;
    }
    mover m = {.p = p, .from = b, .vector = gy_system_level(&p->system, 0)->b};
    gy_device_enter(p->system.device);
    gyre_device_parallel_for(p->system.device, p->grid.n[2], put_plane, &m);
    put_vector(p, m.vector);
    gy_device_leave(p->system.device);
}

void gyre_poisson_set_x(gyre_poisson *p, const float *x)
{
    if (GY_MISSING("poisson", p) || GY_MISSING("poisson", x)) {
        return;
    }
    mover m = {.p = p, .from = x};
    gy_device_enter(p->system.device);
    gyre_device_parallel_for(p->system.device, p->grid.n[2], put_plane, &m);
    put_vector(p, gy_system_level(&p->system, 0)->x);
    gy_device_leave(p->system.device);
}

void gyre_poisson_get_x(const gyre_poisson *p, float *x, float *low)
{
    if (GY_MISSING("poisson", p) || GY_MISSING("poisson", x)) {
        return;
    }
    mover m = {.p = p, .to = x};
    gy_device_enter(p->system.device);
    fetch_vector(p, gy_system_level(&p->system, 0)->x);
    gyre_device_parallel_for(p->system.device, p->grid.n[2], get_plane, &m);
    if (low) {
        m.to = low;
        m.vector = p->system.low;
        if (m.vector) {
            fetch_vector(p, m.vector);
            gyre_device_parallel_for(p->system.device, p->grid.n[2], get_plane, &m);
        } else {
            memset(low, 0,
                   (size_t)p->grid.n[0] * (size_t)p->grid.n[1] * (size_t)p->grid.n[2] *
                       sizeof *low);
        }
    }
    gy_device_leave(p->system.device);
}

gyre_result gyre_poisson_solve(gyre_poisson *p, bool from_zero, gyre_poisson_stats *stats)
{
    if (GY_MISSING("poisson", p)) {
        return GYRE_ERROR_ARGUMENT;
    }
    gy_system *s = &p->system;
    gy_device_enter(s->device);
    gy_solve_task task = {.tolerance = (double)s->settings.tolerance,
                          .reference = gy_vector_squares(s, gy_system_level(s, 0)->b),
                          .max_cycles = s->settings.max_cycles,
                          .zero = from_zero,
                          .history = p->history,
                          .history_size = HISTORY};
    gy_solve_result r = gy_system_solve(s, &task);
    gy_device_leave(s->device);
    p->cycles = r.cycles;
    if (stats) {
        *stats = (gyre_poisson_stats){.solver = s->chosen,
                                      .cycles = r.cycles,
                                      .residual = r.residual,
                                      .regions = s->regions,
                                      .extras = s->extras};
    }
    return GYRE_OK;
}

int gyre_poisson_history(const gyre_poisson *p, const double **residuals)
{
    if (GY_MISSING("poisson", p) || GY_MISSING("poisson", residuals)) {
        return 0;
    }
    *residuals = p->history;
    return GY_MIN(p->cycles, (int)HISTORY);
}
