// solve/solvers.c: the list of solvers, which of them takes what, and how one is chosen.
#include "solve/solvers.h"
#include "solve/faces.h"

#include <stdio.h>
#include <string.h>

static const gy_solver automatic = {.name = "auto",
                                    .doc = "the one that fits and is fastest",
                                    .vectors = 4,
                                    .refined_vectors = GY_VECTORS,
                                    .refines = true};

const gy_solver *const gy_solvers[GYRE_SOLVER_COUNT] = {
    [GYRE_SOLVER_AUTO] = &automatic,
    [GYRE_SOLVER_MULTIGRID] = &gy_solver_multigrid,
    [GYRE_SOLVER_MGPCG] = &gy_solver_mgpcg,
    [GYRE_SOLVER_FFT] = &gy_solver_fft,
    [GYRE_SOLVER_CYCLIC_REDUCTION] = &gy_solver_cyclic_reduction,
    [GYRE_SOLVER_DIRECT] = &gy_solver_direct,
    [GYRE_SOLVER_DENSE] = &gy_solver_dense,
    [GYRE_SOLVER_PCG] = &gy_solver_pcg,
    [GYRE_SOLVER_CG] = &gy_solver_cg,
    [GYRE_SOLVER_RED_BLACK] = &gy_solver_red_black,
    [GYRE_SOLVER_GAUSS_SEIDEL] = &gy_solver_gauss_seidel,
    [GYRE_SOLVER_JACOBI] = &gy_solver_jacobi,
};

const char *const gyre_solver_names[] = {
    "auto", "multigrid", "mgpcg",     "fft",          "cyclic_reduction", "direct", "dense",
    "pcg",  "cg",        "red_black", "gauss_seidel", "jacobi",           NULL};

static const char *const cycles[] = {"v", "w", "f", "full", NULL};
static const char *const preconditioners[] = {"mic0", "multigrid", NULL};

#define SOLVER(kind, ...) GYRE_PROPERTY_##kind(gyre_solver_def, __VA_ARGS__)
#define SOLVER_LINES(tolerance_, max_cycles_)                                                      \
    SOLVER(ENUM, solver, gyre_solver_names, "of the linear system", .initial = {GYRE_SOLVER_AUTO}, \
           .flags = GYRE_FIXED),                                                                   \
        SOLVER(FLOAT, tolerance, "1", 0, 1, "of the residual, after over before, rms",             \
               .initial = {tolerance_}),                                                           \
        SOLVER(INT, max_cycles, "1", 1, 1000000, "cycles, iterations or sweeps at most",           \
               .initial = {max_cycles_}),                                                          \
        SOLVER(ENUM, cycle, cycles, "the shape of multigrid's cycle", .initial = {GYRE_CYCLE_V}),  \
        SOLVER(INT, sweeps, "1", 1, 16, "on each level of a cycle, before and after",              \
               .initial = {2}),                                                                    \
        SOLVER(ENUM, preconditioner, preconditioners, "of the solver pcg",                         \
               .initial = {GYRE_PRECONDITION_MIC}, .flags = GYRE_FIXED),                           \
        SOLVER(FLOAT, omega, "1", 0, 2,                                                            \
               "relaxation of red_black and gauss_seidel, damping of jacobi; 0: chosen"),          \
        SOLVER(BOOL, refine, "past one float's accuracy: the answer as a pair",                    \
               .flags = GYRE_FIXED),                                                               \
        GYRE_PROPERTY_END

const gyre_property gy_pressure_solver_properties[] = {SOLVER_LINES(1e-3, 8)};
const gyre_property gy_diffusion_solver_properties[] = {SOLVER_LINES(1e-6, 12)};

/// A solver that takes what the others refuse: nothing is too odd for these.
static const char *who_takes(const gy_system_def *def)
{
    static const int order[] = {GYRE_SOLVER_MULTIGRID, GYRE_SOLVER_MGPCG, GYRE_SOLVER_RED_BLACK};
    char why[256];
    for (int q = 0; q < GY_COUNT(order); q++) {
        const gy_solver *s = gy_solvers[order[q]];
        if (!s->takes || s->takes(def, why, sizeof why)) {
            return s->name;
        }
    }
    return "auto";
}

gyre_result gy_system_check(const gy_system_def *def, const char *path)
{
    const gy_solver *s = gy_solvers[def->solver.solver];
    char why[256] = "";
    if (!s->takes || s->takes(def, why, sizeof why)) {
        return GYRE_OK;
    }
    return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: \"%s\" %s; \"%s\" can solve this", path, s->name,
                     why, who_takes(def));
}

/// The def that a planned system amounts to, as it is now.
static gy_system_def def_of(const gy_system *s)
{
    return (gy_system_def){.grid = s->grid,
                           .periodic = s->periodic,
                           .open_sides = s->open_sides,
                           .pin = s->pin,
                           .solids = !s->box,
                           .solver = s->settings};
}

/// What auto takes: see doc/solve.md for the measurements behind it.
static int choose(const gy_system *s)
{
    gy_system_def def = def_of(s);
    char why[256];
    if (s->settings.solver != GYRE_SOLVER_AUTO) {
        return s->settings.solver;
    }
    if (s->box && gy_device_has(s->device, GY_OP_transform) &&
        gy_solver_fft.takes(&def, why, sizeof why)) {
        return GYRE_SOLVER_FFT;
    }
    return s->extras > 0 || s->narrow ? GYRE_SOLVER_MGPCG : GYRE_SOLVER_MULTIGRID;
}

/// Whether the device has what every system runs.
static gyre_result require_common(const gy_system *s)
{
    static const gy_op common[] = {GY_OP_flags,        GY_OP_coarsen,      GY_OP_wrap,
                                   GY_OP_clear,        GY_OP_relax,        GY_OP_residual,
                                   GY_OP_restrict,     GY_OP_prolong,      GY_OP_interpolate,
                                   GY_OP_cycle,        GY_OP_balance,      GY_OP_lower,
                                   GY_OP_region_sum,   GY_OP_region_lower, GY_OP_region_gather,
                                   GY_OP_region_means, GY_OP_decide,       GY_OP_dot};
    return gy_device_require(s->device, "a linear system", common, GY_COUNT(common));
}

/// Whether it has what a solver runs beside, and what refinement and unknowns beside the grid need.
static gyre_result require(const gy_system *s, const gy_solver *solver)
{
    static const gy_op refine[] = {GY_OP_mask, GY_OP_direct, GY_OP_refine, GY_OP_descend,
                                   GY_OP_decide_cg};
    static const gy_op extras[] = {GY_OP_extra_relax, GY_OP_extra_restrict, GY_OP_extra_save,
                                   GY_OP_extra_put, GY_OP_extra_cycle};
    int count = 0;
    while (solver->ops && solver->ops[count] != GY_OP_COUNT) {
        count++;
    }
    gyre_result r = gy_device_require(s->device, solver->name, solver->ops, count);
    if (r == GYRE_OK && s->settings.refine) {
        r = gy_device_require(s->device, "refine", refine, GY_COUNT(refine));
    }
    if (r == GYRE_OK && s->extras > 0) {
        r = gy_device_require(s->device, "coarse levels among these solids", extras,
                              GY_COUNT(extras));
    }
    return r;
}

/// Chooses, and lets the chosen one make what it needs. When it cannot, what needs nothing takes
/// its place, so that the system can be solved whatever is made of the failure.
static gyre_result prepare(gy_system *s)
{
    s->chosen = choose(s);
    const gy_solver *solver = gy_solvers[s->chosen];
    gyre_result r = require(s, solver);
    if (r == GYRE_OK && solver->prepare) {
        r = solver->prepare(s);
    }
    if (r != GYRE_OK) {
        s->chosen = GYRE_SOLVER_MULTIGRID;
    }
    return r;
}

gyre_result gy_system_update(gy_system *s)
{
    gy_system_def def;
    gyre_result r = require_common(s);
    if (r != GYRE_OK) {
        return r;
    }
    s->box = gy_system_is_box(s);
    def = def_of(s);
    r = gy_system_check(&def, "solver");
    if (r == GYRE_OK) {
        r = gy_face_bits_update(s);
    }
    if (r == GYRE_OK) {
        r = gy_components_update(s);
    }
    if (r == GYRE_OK) {
        r = gy_regions_update(s);
    }
    return r == GYRE_OK ? prepare(s) : r;
}

gyre_result gy_system_share(gy_system *s, const gy_system *of, const gyre_solver_def *solver)
{
    gy_memory own[GY_OWN];
    memcpy(own, s->own, sizeof own);
    *s = *of;
    memcpy(s->own, own, sizeof own);
    s->own[GY_OWN_COMPONENTS] = of->own[GY_OWN_COMPONENTS];
    s->own[GY_OWN_REGIONS] = of->own[GY_OWN_REGIONS];
    s->shares = true;
    s->settings = *solver;
    return prepare(s);
}

/// Where others write into the vectors of coarser levels, those are 0 again.
static void clear_coarse(const gy_system *s, const gy_solver *solver)
{
    if (solver->coarsens && s->coarse[1] > s->coarse[0]) {
        gy_device_clear(s->device, gy_at(s->base, s->coarse[0]),
                        (size_t)(s->coarse[1] - s->coarse[0]) * 64);
    }
}

gy_solve_result gy_system_solve(gy_system *s, const gy_solve_task *task)
{
    const gy_solver *solver = gy_solvers[s->chosen];
    clear_coarse(s, solver);
    gy_solve_task t = *task;
    t.reference = gy_regions_balance(s, task->reference);
    if (!t.zero) {
        gy_regions_centre(s);
    }
    s->low = 0;
    if (s->settings.refine && !solver->refines) {
        return gy_refine(s, solver, &t);
    }
    return solver->solve(s, &t);
}

bool gy_system_relieve(gy_system *s)
{
    bool able = s->chosen == GYRE_SOLVER_MULTIGRID || s->chosen == GYRE_SOLVER_MGPCG;
    if (!able || s->regions > 1) {
        return false;
    }
    clear_coarse(s, gy_solvers[s->chosen]);
    s->low = 0;
    gy_vector_clear(s, 0);
    gy_vector_wrap(s, 0);
    gy_multigrid_cycle(s, true);
    gy_vector_wrap(s, 0);
    return true;
}

bool gy_system_records(const gy_system *s)
{
    const gy_solver *solver = gy_solvers[s->chosen];
    bool rounds = solver->cycle && s->settings.cycle != GYRE_CYCLE_FULL;
    bool able = solver->record && (!s->settings.refine || solver->refines || rounds);
    return gy_device_is_remote(s->device) && able;
}

void gy_system_record(gy_system *s, const gy_solve_task *task, const gy_solve_record *record)
{
    gy_decide(s->device, &(gy_decide_args){.base = s->base,
                                           .report = record->report,
                                           .partial = s->partial,
                                           .tasks = record->tasks,
                                           .kind = GY_DECIDE_GIVEN,
                                           .which = record->which,
                                           .balances = gy_regions_balances(s),
                                           .scale = record->scale,
                                           .add = record->add});
    gy_regions_record(s, record->report);
    if (!task->zero) {
        gy_regions_centre(s);
    }
    s->low = 0;
    const gy_solver *solver = gy_solvers[s->chosen];
    clear_coarse(s, solver);
    if (s->settings.refine && !solver->refines) {
        gy_refine_record(s, solver, task, record->report);
    } else {
        solver->record(s, task, record->report);
    }
}

bool gy_system_own(gy_system *s, gy_own which, size_t bytes)
{
    gy_memory *m = &s->own[which];
    if (m->bytes >= bytes) {
        return true;
    }
    // Solids that move make lists of about the same length: with room to spare, the next ones fit.
    bool lists = which == GY_OWN_COMPONENTS || which == GY_OWN_REGIONS || which == GY_OWN_ROOMS;
    bytes += lists && (m->bytes > 0 || which == GY_OWN_ROOMS) ? bytes / 2 : 0;
    void *data = gy_device_allocate(s->device, bytes);
    if (!data) {
        gyre_fail(GYRE_ERROR_MEMORY, "the solver \"%s\" wants %zu bytes more, and there are none",
                  gyre_solver_names[s->chosen], bytes);
        return false;
    }
    if (m->data) {
        gy_device_release(s->device, m->data, m->bytes);
    }
    *m = (gy_memory){data, bytes};
    return true;
}

void gy_system_release(gy_system *s)
{
    for (int q = 0; q < GY_OWN; q++) {
        bool lent = s->shares && (q == GY_OWN_COMPONENTS || q == GY_OWN_REGIONS);
        if (s->own[q].data && !lent) {
            gy_device_release(s->device, s->own[q].data, s->own[q].bytes);
        }
        s->own[q] = (gy_memory){0};
    }
}
