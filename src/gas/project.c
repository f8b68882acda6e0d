// gas/project.c: the linear systems of a step: diffusion and pressure.
#include "gas/flow.h"
#include "gas/gas.h"
#include "gas/moving.h"
#include "gas/patches.h"
#include "ops/system/level.h"
#include <assert.h>
#include <string.h>

static gy_box cells(const gyre_gas *gas)
{
    return gy_box_make(gas->extent.n[0], gas->extent.n[1], gas->extent.n[2]);
}

/// Solves for the pressure, b being what divergence has left in `tasks` pieces, and solids that
/// move have made its squares larger by `more`.
static void solve_pressure(gyre_gas *gas, int tasks, double more, bool rough)
{
    gy_system *system = &gas->pressure;
    gy_solve_task task = {.tolerance = (double)gas->def->pressure.tolerance,
                          .zero = true,
                          .max_cycles = gas->def->pressure.max_cycles};
    // What the solver leaves, scalars see as volume won or lost in one step.
    // (Less than 1e-6 floats may not reach.)
    double least = GY_MIN(task.tolerance, 1e-6);
    task.tolerance = gas->swells ? GY_MAX(0.1 * task.tolerance, least) : task.tolerance;
    system->settings = gas->def->pressure;
    gas->stats.solver = system->chosen;
    gas->recorded = gas->pending && gy_system_records(system);
    // Of rooms that are all but shut one cycle leaves a good part, which swelling takes up and lets
    // out again: waves of two cells grow of it in the room.
    rough = rough && !system->narrow && system->extras == 0 && gy_gas_flows_round(gas);
    if (gas->recorded) {
        gy_gas_hear(gas, system);
        if (rough && gy_system_relieve(system)) {
            gy_gas_hush(gas, system);
            gas->stats.cycles++;
            return;
        }
        gy_solve_record record = {.report = gas->report, .tasks = tasks, .scale = 1.0};
        gy_system_record(system, &task, &record);
        gy_gas_hush(gas, system);
        return;
    }
    gas->div_before = gy_partial_sum(system->device, gas->base, system->partial, tasks, 0);
    gas->div_before = GY_MAX(gas->div_before + more, 0.0);
    task.reference = gas->div_before;
    gy_gas_hear(gas, system);
    if (rough && gy_system_relieve(system)) {
        gy_gas_hush(gas, system);
        gas->stats.cycles++;
        return;
    }
    gy_solve_result r = gy_system_solve(system, &task);
    gy_gas_hush(gas, system);
    gas->stats.cycles += r.cycles;
    gas->stats.residual = (float)r.residual;
}

/// Takes in how fast the gas is, and how often it was cut, which gradient has left.
static void note_speed(gyre_gas *gas, int tasks)
{
    uint32_t partial = gas->pressure.partial;
    gas->speed_fresh = true;
    if (gas->pending) {
        gy_decide(gas->model.device, &(gy_decide_args){.base = gas->base,
                                                       .report = gas->report,
                                                       .partial = partial,
                                                       .tasks = tasks,
                                                       .kind = GY_DECIDE_SPEED});
        return;
    }
    gas->stats.max_speed = (float)gy_partial_max(gas->model.device, gas->base, partial, tasks, 0);
    gas->stats.capped += (int64_t)gy_partial_sum(gas->model.device, gas->base, partial, tasks, 1);
}

void gy_gas_project(gyre_gas *gas, gy_work work)
{
    gyre_device *device = gas->model.device;
    gy_divergence_args d = {.base = gas->base,
                            .level = gy_system_offset(&gas->pressure, 0),
                            .partial = gas->pressure.partial,
                            .extent = gas->extent,
                            .write = 1,
                            .energy = work == GY_WORK_TOLD,
                            .given = gas->given};
    gy_gas_turn_rims(gas);
    gy_gas_let_out(gas, &d);
    gy_gradient_args g = {.base = gas->base,
                          .level = d.level,
                          .partial = d.partial,
                          .extent = gas->extent,
                          .cap = gas->def->speed_cap};
    for (int a = 0; a < 3; a++) {
        int axis = GY_MIN(a, gas->extent.dim - 1);
        d.velocity[a] = g.velocity[a] = gas->slot[axis];
        g.edge[a] = gy_gas_edge(gas, gy_faces(axis), 0);
    }
    gy_run(device, GY_OP_divergence, &d, cells(gas));
    int tasks = gy_task_count(GY_OP_divergence, cells(gas));
    if (work == GY_WORK_TOLD) {
        gy_gas_note_work(gas, tasks, false);
    }
    double more = gy_gas_add_solid_flow(gas, &d, &tasks);
    solve_pressure(gas, tasks, more, work == GY_WORK_ROUGH);
    g.low = gas->pressure.low;
    gy_gas_note_push(gas, gy_system_level(&gas->pressure, 0)->x, 1.0f);
    gy_gas_note_push(gas, g.low, 1.0f);

    gy_box box = cells(gas);
    for (int a = 1; a < gas->extent.dim; a++) {
        box.high[a] = gy_gas_edge(gas, gy_faces(a), a).samples;
    }
    gy_run(device, GY_OP_gradient, &g, box);
    note_speed(gas, gy_task_count(GY_OP_gradient, box));
    for (int a = 0; a < gas->velocities; a++) {
        gy_gas_extend(gas, a);
    }
    gy_gas_halo(gas, 0, gas->velocities, false, gy_gas_is_blocked(gas));
}

/// Leaves sums over a field over the fluid, its squares second; returns in how many pieces.
static int measure(const gyre_gas *gas, int field, uint32_t partial)
{
    gy_measure_args a = {.base = gas->base,
                         .field = gas->slot[field],
                         .extent = gy_gas_extent(gas, field),
                         .level = gy_system_offset(&gas->pressure, 0),
                         .partial = partial};
    gy_run(gas->model.device, GY_OP_measure, &a, cells(gas));
    return gy_task_count(GY_OP_measure, cells(gas));
}

// Diffusion comes in two halves round what else happens in a step: the gas departs, is carried and
// driven, and arrives. With z = -nu dt times an eigenvalue of -lap,
//
//   z small: departs by 1 + z/2, arrives by 1 / (1 - z/2): Crank and Nicolson along the path;
//   else: departs by (1 + (1 - 2 g) z) / (1 - g^2 z), arrives by (1 - g^2 z) / (1 - g z)^2,
//
// whose product is that of R. Alexander's diagonally implicit methods of two stages (SIAM J. Numer.
// Anal. 14, 1977). In both 1 / arrives - departs = -z: where a force and viscosity are at balance
// they stay so, at any dt. With k = nu dt / h^2, z of two-cell waves is -s, s = 4 dim k.
typedef struct method {
    int solves;  // none: 1 + r lap
    int sweeps;  // not 0: that many in place of a solver
    float r;     // in them: (1 - r lap)^-1
    float blend; // q + blend (x - q) is what the second starts from
    float gain;  // and what becomes of q: 0: x
} method;

/// How often to sweep until what is left of an error is `tolerance`: Jacobi's iteration leaves less
/// than s / (4 + s) of it, a sweep of Gauss and Seidel the square.
static int sweeps_for(double s, double tolerance)
{
    double left = 1.0, factor = s / (4.0 + s);
    int sweeps = 0;
    for (; sweeps < 16 && left > tolerance; sweeps++) {
        left *= factor * factor;
    }
    return GY_MAX(sweeps, 2);
}

/// Of second order are g = 1 -+ sqrt(1/2) alone. Beyond s = 2 the first method lets two-cell waves
/// turn over, beyond 1 + sqrt(2) the second with the lower g: they would ring. With the upper g
/// none ever does, but values leave the range of the old ones by 1.5e-3 of it. So velocities change
/// to that one, and scalars to the g for which two-cell waves vanish: then 1 + (1 - 2 g) k lap is a
/// mean of neighbours and no value leaves that range, at any k. As k grows that goes from second
/// order to twice backward Euler over dt / 2, whose error is half of that over dt. steep:
/// surfaces of solids hold it, so near to samples that coefficients are so much larger there.
static method method_of(const gyre_gas *gas, float k, bool scalar, bool arriving, double steep)
{
    double s = 4.0 * (double)gas->extent.dim * (double)k, g = 0.29289321881345248;
    s *= steep;
    if (s <= 2.0) {
        bool own = gas->def->diffusion.solver != GYRE_SOLVER_AUTO;
        // What sweeps leave is of one sign, so that many short steps add it up; two more cost
        // little.
        double tolerance = 1e-2 * (double)gas->def->diffusion.tolerance;
        return (method){
            .solves = arriving, .sweeps = own ? 0 : sweeps_for(s, tolerance), .r = 0.5f * k};
    }
    if (s > 2.4142135623730951) {
        g = scalar ? 0.5 * (s - 1.0) / s : 1.7071067811865475;
    }
    if (arriving) {
        return (method){.solves = 2, .r = (float)(g * (double)k), .blend = (float)(1.0 - g)};
    }
    return (method){.solves = 1,
                    .r = (float)(g * g * (double)k),
                    .gain = (float)((1.0 - g) * (1.0 - g) / (g * g))};
}

/// One field's diffusion.
typedef struct diffusion {
    gyre_gas *gas;
    gy_system *system;
    int field;
    bool scalar;
    method m;
    gy_split_args args; // but for blend and add
    bool arriving;
    bool held;    // walls hold it: of a scalar
    double walls; // what they add to the sum of squares of b
} diffusion;

static void split(const diffusion *d, float blend)
{
    gy_split_args a = d->args;
    a.blend = blend;
    gy_run(d->gas->model.device, GY_OP_split, &a, cells(d->gas));
    if (!d->scalar) {
        gy_gas_drag_along(d->gas, d->system, a.axis);
        gy_gas_press_rims(d->gas, d->system, d->args.axis, d->arriving);
    }
    if (d->held) {
        gy_gas_press_walls(d->gas, d->system, d->field);
    }
}

/// The field from x, or blend times what is in b added to it.
static void merge(const diffusion *d, float blend, bool add)
{
    gy_split_args a = d->args;
    a.blend = blend;
    a.add = add;
    gy_run(d->gas->model.device, GY_OP_merge, &a, cells(d->gas));
}

/// b = z - K x, or K x with z 0, K being the system without shift.
static void apply(const diffusion *d, uint32_t z)
{
    const gy_system *system = d->system;
    gy_vector_args a = {.base = d->gas->base,
                        .level = gy_system_offset(system, 0),
                        .partial = system->partial,
                        .y = gy_system_level(system, 0)->b,
                        .z = z};
    gy_vector_clear(system, 0);
    gy_vector_wrap(system, 0);
    gy_run(d->gas->model.device, GY_OP_apply, &a, gy_level_box(gy_system_level(system, 0)));
}

/// What viscosity takes from the gas at solids, by times K x at them.
static void note_stress(const diffusion *d, float by)
{
    if (!d->scalar) {
        gy_gas_note_stress(d->gas, d->system, d->args.axis, by);
    }
}

/// q += r lap q.
static void explicit_step(diffusion *d)
{
    d->args.scale = 0.0f; // b: what walls add
    split(d, 0.0f);
    note_stress(d, d->m.r);
    apply(d, gy_system_level(d->system, 0)->b);
    merge(d, d->m.r, true);
}

/// q = (1 - r lap)^-1 q for small r. Scalars go by what x lets through faces, q += r lap x, so that
/// what one cell gives another gets, however well x solves the system.
static void relaxed_step(diffusion *d)
{
    gy_system *system = d->system;
    split(d, 0.0f);
    gy_vector_clear(system, 0);
    gy_vector_wrap(system, 0);
    for (int q = 0; q < 2 * d->m.sweeps; q++) {
        gy_relax_args a = {.base = d->gas->base,
                           .level = gy_system_offset(system, 0),
                           .colour = q & 1,
                           .kind = GY_RELAX,
                           .omega = 1.0f};
        gy_run(d->gas->model.device, GY_OP_relax, &a, gy_level_box(gy_system_level(system, 0)));
        gy_vector_wrap(system, 0);
    }
    note_stress(d, d->m.r);
    if (d->held) {
        gy_system_shift(system, 0.0f);
        d->args.scale = 0.0f; // b: what walls add; x stays
        split(d, 1.0f);
        apply(d, gy_system_level(system, 0)->b);
        merge(d, d->m.r, true);
    } else if (d->scalar) {
        gy_system_shift(system, 0.0f);
        apply(d, 0);
        merge(d, -d->m.r, true);
    } else {
        merge(d, 0.0f, false);
    }
}

/// Whether nothing passes sides and walls, so that a scalar's sum stays; halves cannot tell.
static bool keeps_sum(const diffusion *d)
{
    return d->scalar && !d->held && d->gas->open_sides == 0 && !gy_gas_is_half(d->gas, d->field);
}

/// After a solve: x becomes the field, and its sum what it was. That is put right to a few last
/// places of one cell, in the same way each time, so that thousands of steps would add it up: the
/// ledger has it, by which the transport puts totals right.
static void finish(const diffusion *d)
{
    gyre_gas *gas = d->gas;
    merge(d, d->m.gain, false);
    if (keeps_sum(d)) {
        gy_mend_args a = {.base = gas->base,
                          .field = gas->slot[d->field],
                          .level = gy_system_offset(&gas->pressure, 0),
                          .before = gas->sums,
                          .after = d->system->partial,
                          .extent = gy_gas_extent(gas, d->field)};
        a.tasks = measure(gas, d->field, a.after);
        gy_run(gas->model.device, GY_OP_mend, &a, cells(gas));
        if (gy_gas_counts(gas, d->field)) {
            int tasks = measure(gas, d->field, a.after);
            gy_gas_enter_from(gas, d->field, GY_GAS_ERROR, a.after, tasks, 1.0);
            gy_gas_enter_from(gas, d->field, GY_GAS_ERROR, a.before, tasks, -1.0);
        }
    }
}

/// Of what a solve finds, what the field gets.
static float taken(const diffusion *d, int stage)
{
    bool last = stage == d->m.solves - 1;
    return d->m.r * (!last ? d->m.blend : d->m.gain != 0.0f ? d->m.gain : 1.0f);
}

/// Solves, all being asked for at once.
static void record_solves(const diffusion *d, const gy_solve_task *task)
{
    gyre_gas *gas = d->gas;
    gyre_device *device = gas->model.device;
    uint32_t report = gas->report + sizeof(gy_report) / 64;
    const gy_report *r = (const gy_report *)(const void *)gy_at(gas->base, report);
    gy_solve_record record = {
        .report = report, .which = 1, .scale = (double)d->args.scale, .add = d->walls};
    for (int stage = 0; stage < d->m.solves; stage++) {
        record.tasks = measure(gas, d->field, d->system->partial);
        gy_device_gate(device, stage > 0 ? &r->idle : NULL);
        split(d, stage > 0 ? d->m.blend : 0.0f);
        gy_device_gate(device, NULL);
        gy_gas_hear(gas, d->system);
        gy_system_record(d->system, task, &record);
        gy_gas_hush(gas, d->system);
        gy_device_gate(device, &r->idle);
        note_stress(d, taken(d, stage));
        gy_device_gate(device, NULL);
    }
    gy_device_gate(device, &r->idle);
    finish(d);
    gy_device_gate(device, NULL);
}

/// How large the field and the walls are stands for the size of either b.
static void solve(const diffusion *d)
{
    gyre_gas *gas = d->gas;
    gy_solve_task task = {.tolerance = (double)gas->def->diffusion.tolerance,
                          .max_cycles = gas->def->diffusion.max_cycles};
    double scale = (double)d->args.scale;
    if (keeps_sum(d)) {
        measure(gas, d->field, gas->sums);
    }
    if (gas->pending && gy_system_records(d->system)) {
        record_solves(d, &task);
        return;
    }
    int tasks = measure(gas, d->field, d->system->partial);
    double squares = gy_partial_sum(gas->model.device, gas->base, d->system->partial, tasks, 1);
    task.reference = squares * scale * scale + d->walls;
    for (int stage = 0; stage < d->m.solves && task.reference > 0.0; stage++) {
        split(d, stage > 0 ? d->m.blend : 0.0f);
        gy_gas_hear(gas, d->system);
        gy_system_solve(d->system, &task);
        gy_gas_hush(gas, d->system);
        note_stress(d, taken(d, stage));
    }
    if (task.reference > 0.0) {
        finish(d);
    }
}

/// Diffuses one field on a system whose coefficients are ready.
static void diffuse_field(gyre_gas *gas, gy_system *system, int field, method m, bool arriving,
                          const float wall[6])
{
    gyre_location location = gas->fields[field].location;
    bool scalar = location == GYRE_CENTRE;
    diffusion d = {.gas = gas,
                   .system = system,
                   .field = field,
                   .scalar = scalar,
                   .m = m,
                   .arriving = arriving,
                   .held = scalar && gy_gas_is_held(gas, field)};
    d.args = (gy_split_args){.base = gas->base,
                             .field = gas->slot[field],
                             .level = gy_system_offset(system, 0),
                             .extent = gy_gas_extent(gas, field),
                             .scale = 1.0f / m.r,
                             .edge = gy_gas_edge(gas, location, 0),
                             .limit = gy_gas_limit(gas, field)};
    if (!scalar) {
        d.args.axis = gy_face_axis((int)location);
        d.args.ends = gas->open_sides >> (2 * d.args.axis) & 3u;
        d.args.ends |= (gas->windowed >> (2 * d.args.axis) & 3u) << 2;
    }
    double moving = scalar ? 0.0 : (double)gas->rim_speed * (double)gas->rim_speed;
    for (int s = 0; s < 6; s++) {
        d.args.wall[s] = wall ? wall[s] : 0.0f;
        moving = GY_MAX(moving, (double)d.args.wall[s] * (double)d.args.wall[s]);
    }
    if (!scalar) {
        double wall_speed = (double)gy_gas_fastest_wall(gas, d.args.axis);
        moving = GY_MAX(moving, wall_speed * wall_speed);
    }
    // The root mean square of b stands for its size; walls that move count for one row of cells.
    d.walls = 4.0 * moving * (double)gas->extent.n[0];
    if (d.held) {
        int cells;
        double most = (double)gy_gas_most_held(gas, field, &cells);
        d.walls = 4.0 * most * most * (double)cells;
    }
    if (m.solves > 0) {
        gy_system_shift(system, d.args.scale);
        if (m.sweeps > 0) {
            relaxed_step(&d);
        } else {
            solve(&d);
        }
        gy_system_shift(system, 0.0f);
    } else {
        explicit_step(&d);
    }
    gy_gas_halo(gas, field, 1, false, true);
}

/// Less than this changes nothing that a float can tell, and the inverse of a share of it would
/// overflow, see GY_GAS_LIMIT.
#define LEAST_K 4e-9f

/// k = nu dt / h^2, bounded so that its inverse still counts in the diagonal.
static float diffusion_number(const gyre_gas *gas, float nu, float dt)
{
    double h = (double)gas->grid.h, k = (double)nu * (double)dt / (h * h);
    return k < 1e6 ? (float)k : 1e6f;
}

static uint32_t sticking(const gyre_gas *gas)
{
    uint32_t stick = (gas->def->solid_slip ? 0 : 64u) | (gas->shut > 0 ? 128u : 0);
    stick |= gas->windowed << 8;
    for (int s = 0; s < 2 * gas->extent.dim; s++) {
        int rule = gy_gas_side_rule(gas, s);
        stick |= rule == GYRE_GAS_SIDE_NO_SLIP || rule == GYRE_GAS_SIDE_INFLOW ? 1u << s : 0;
    }
    return stick;
}

static gyre_result diffuse_velocity(gyre_gas *gas, int axis, method m, float k, bool arriving)
{
    const gyre_gas_side *sides = &gas->def->sides.x_low;
    gy_arena scratch = {.base = gas->base, .used = gas->scratch};
    gy_system system;
    float wall[6], held[3] = {0.0f, 0.0f, 0.0f};
    gy_device_clear(gas->model.device, gy_at(gas->base, gas->scratch),
                    (size_t)(gas->scratch_end - gas->scratch) * 64);
    for (int a = 0; a < gas->extent.dim; a++) {
        // Across itself a component is given on the shut side; along it, it sticks half a cell
        // away.
        bool given =
            a == axis ? !(gas->open_sides >> (2 * a + 1) & 1u) : sticking(gas) >> (2 * a + 1) & 1u;
        bool joined = gas->periodic >> a & 1u;
        held[a] = !given || joined ? 0.0f : a == axis ? 1.0f : 0.5f;
    }
    gy_system_def viscous = {.grid = gas->grid,
                             .periodic = gas->periodic,
                             .held = held,
                             .pin = true,
                             .solids = true,
                             .solver = gas->def->diffusion};
    gy_system_plan(&system, gas->model.device, &viscous, &scratch, &scratch);
    assert(scratch.used <= gas->scratch_end); // what lies beyond was not cleared
    gy_viscous_args a = {.base = gas->base,
                         .pressure = gy_system_offset(&gas->pressure, 0),
                         .level = gy_system_offset(&system, 0),
                         .axis = axis,
                         .stick = sticking(gas)};
    const int *n = gas->extent.n;
    gy_run(gas->model.device, GY_OP_viscous, &a,
           gy_box_make(n[0] + 1, n[1] + 1, n[2] + (gy_is_3d(gas->extent.dim))));
    gy_gas_fit_surfaces(gas, &system, axis);
    gy_gas_open_surfaces(gas, &system, axis);
    gy_gas_note_weights(gas, &system, axis);
    if (m.solves == 0 || m.sweeps > 0) {
        gy_flags_args flags = {.base = gas->base, .level = a.level};
        gy_run(gas->model.device, GY_OP_flags, &flags, cells(gas));
    } else if (gy_system_update(&system) != GYRE_OK) {
        return GYRE_ERROR_MEMORY;
    }
    for (int s = 0; s < 6; s++) {
        bool across = s / 2 == axis;
        wall[s] =
            sides[s].rule == GYRE_GAS_SIDE_NO_SLIP && !across ? sides[s].velocity[axis] : 0.0f;
    }
    gy_gas_note_cut(gas, axis, -1.0);
    diffuse_field(gas, &system, axis, m, arriving, wall);
    gy_gas_note_cut(gas, axis, 1.0);
    gy_gas_hold_at_sheets(gas, axis, k, arriving);
    gy_system_release(&system);
    return GYRE_OK;
}

/// Whether the gas sticks to any solid.
static bool sticks_to_solids(const gyre_gas *gas)
{
    const gy_gas_moving *m = gas->moving;
    if (!m || !m->mixed) {
        return gas->made_count > 0 && !gas->def->solid_slip;
    }
    bool any = false;
    for (int i = 0; i < m->count; i++) {
        any = any || (m->movers[i].sheet < 0 && !m->movers[i].slip);
    }
    return any;
}

bool gy_gas_sticks(const gyre_gas *gas)
{
    return (sticking(gas) & 63u) != 0 || sticks_to_solids(gas);
}

/// A scalar that walls hold, on coefficients of its own.
static gyre_result diffuse_held(gyre_gas *gas, int field, method m, bool arriving)
{
    gy_arena scratch = {.base = gas->base, .used = gas->scratch};
    gy_system system;
    float held[3] = {0.0f, 0.0f, 0.0f};
    gy_device_clear(gas->model.device, gy_at(gas->base, gas->scratch),
                    (size_t)(gas->scratch_end - gas->scratch) * 64);
    for (int a = 0; a < gas->extent.dim; a++) {
        int side = 2 * a + 1;
        bool open = gas->open_sides >> side & 1u;
        held[a] = open || gy_gas_sees_wall(gas, side) ? 0.5f : 0.0f;
    }
    gy_system_def def = {.grid = gas->grid,
                         .periodic = gas->periodic,
                         .held = held,
                         .pin = true,
                         .solids = true,
                         .solver = gas->def->diffusion};
    gy_system_plan(&system, gas->model.device, &def, &scratch, &scratch);
    assert(scratch.used <= gas->scratch_end); // what lies beyond was not cleared
    gy_gas_open_walls(gas, &system, field);
    gyre_result r = GYRE_OK;
    if (m.solves == 0 || m.sweeps > 0) {
        gy_flags_args flags = {.base = gas->base, .level = gy_system_offset(&system, 0)};
        gy_run(gas->model.device, GY_OP_flags, &flags, cells(gas));
    } else {
        r = gy_system_update(&system);
    }
    if (r == GYRE_OK) {
        gy_gas_enter_walls(gas, field, -1.0);
        diffuse_field(gas, &system, field, m, arriving, NULL);
        gy_gas_enter_walls(gas, field, 1.0);
    }
    gy_system_release(&system);
    return r;
}

/// What diffuses out through open sides: what was there less what is.
static void enter_leaving(gyre_gas *gas, int field, double sign)
{
    if (gas->open_sides) {
        gy_gas_enter_sum(gas, field, GY_GAS_LEFT, cells(gas), sign);
    }
}

bool gy_gas_is_thick(const gyre_gas *gas, float dt)
{
    return !gy_gas_is_led(gas) && diffusion_number(gas, gas->def->viscosity, dt) > LEAST_K;
}

gyre_result gy_gas_diffuse(gyre_gas *gas, float dt, bool arriving)
{
    const gyre_gas_def *def = gas->def;
    gyre_result r = GYRE_OK;
    for (int f = gas->velocities; f < gas->states; f++) {
        int s = f - gas->velocities;
        float nu = gy_gas_scalar_def(def, s).diffusivity;
        float k = diffusion_number(gas, nu, dt);
        if (!(k > LEAST_K) || r != GYRE_OK) {
            continue;
        }
        bool held = gy_gas_is_held(gas, f);
        method m = method_of(gas, k, true, arriving, held && gy_gas_sees_solid(gas) ? 3.0 : 1.0);
        if (held) {
            r = diffuse_held(gas, f, m, arriving);
        } else {
            gas->spread.settings = def->diffusion;
            enter_leaving(gas, f, 1.0);
            diffuse_field(gas, &gas->spread, f, m, arriving, NULL);
            enter_leaving(gas, f, -1.0);
        }
        gy_gas_extend(gas, f);
    }
    float k = diffusion_number(gas, def->viscosity, dt);
    if (!gy_gas_is_thick(gas, dt) || r != GYRE_OK) {
        return r;
    }
    method m = method_of(gas, k, false, arriving, gy_gas_has_surfaces(gas) ? 2.15 : 1.0);
    for (int a = 0; a < gas->velocities && r == GYRE_OK; a++) {
        r = diffuse_velocity(gas, a, m, k, arriving);
    }
    if (!arriving) {
        for (int a = 0; a < gas->velocities; a++) {
            gy_gas_extend(gas, a);
        }
        gy_gas_halo(gas, 0, gas->velocities, false, gy_gas_is_blocked(gas));
    }
    return r;
}
