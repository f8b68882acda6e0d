// gas/felt.c: forces that ask how the gas moves: they are worked out into arrays, on faces, and
// drive (gas/ops/drive.c) adds those. In the second half of a step
//
//     u = u + dt f(u + dt f(u)),
//
// which goes with the first half's u + dt f(u) as backward Euler goes with forward Euler: together
// they are of second order, and leave the energy of what only turns to dt^6.
#include "gas/flow.h"
#include "gas/forces.h"
#include <string.h>

int gy_gas_felt_arrays(const gyre_gas *gas)
{
    const gyre_gas_force *f = gas->def->forces.items;
    bool confined = false;
    for (int i = 0; i < gas->def->forces.count; i++) {
        confined = confined || f[i].action.kind == GYRE_GAS_CONFINEMENT;
    }
    bool turned =
        gas->kept.spin[0] != 0.0f || gas->kept.spin[1] != 0.0f || gas->kept.spin[2] != 0.0f;
    return !confined && !turned && !gy_gas_is_framed(gas->def) ? 0
           : gy_is_3d(gas->extent.dim)                         ? 7
                                                               : 4;
}

float *gy_gas_felt_push(const gyre_gas *gas, int axis)
{
    const gy_gas_forces *forces = gas->forces;
    return forces->felt +
           (ptrdiff_t)((gy_is_3d(gas->extent.dim) ? 4 : 2) + axis) * forces->felt_step;
}

/// The rows within some of a force's shape, all of them where it may lie across a seam.
static gy_box rows_round(const gyre_gas *gas, const gy_force *f, int more)
{
    gy_box box = gy_box_make(gas->extent.n[0] + 1, gas->extent.n[1] + 1,
                             gy_is_3d(gas->extent.dim) ? gas->extent.n[2] + 1 : 1);
    for (int a = 1; a < gas->extent.dim && !f->everywhere; a++) {
        double soft = 0.5 * (double)f->thick, h = (double)gas->grid.h;
        double from = (double)gas->grid.origin[a];
        double low = (f->shape.low[a] - soft - from) / h - (double)more,
               high = (f->shape.high[a] + soft - from) / h + (double)more;
        bool across = (gas->periodic >> a & 1u) && (low <= 0.0 || high >= (double)box.high[a]);
        int end = box.high[a];
        if (!across) {
            box.low[a] = low <= 0.0 ? 0 : low >= (double)end ? end : (int)low;
            box.high[a] = high <= 0.0 ? 0 : high >= (double)end ? end : (int)high;
        }
    }
    return box;
}

/// Steps of a spread: 1, 2, 4, ... cells, the last by as much as is left of its square deviation.
enum { MOST_STEPS = 8 };
typedef struct spread {
    int steps, cells; // how far all of them reach together
    float share[MOST_STEPS];
} spread;

/// A step of s cells with a share w adds 2 w s^2 to the square, w at most a quarter.
static spread spread_of(const gyre_gas *gas, double cells)
{
    spread s = {0};
    double left = cells * cells;
    int least = 1 << 30;
    for (int a = 0; a < gas->extent.dim; a++) {
        least = GY_MIN(least, gas->extent.n[a]);
    }
    for (int reach = 1; s.steps < MOST_STEPS && reach < least && left > 1e-3; reach *= 2) {
        double step = (double)reach * (double)reach, share = GY_MIN(0.25, 0.5 * left / step);
        s.share[s.steps++] = (float)share;
        s.cells += reach;
        left -= 2.0 * share * step;
    }
    return s;
}

static void run(gyre_gas *gas, const gy_confine_args *a, const gy_force *f, int more)
{
    gy_box box = rows_round(gas, f, more);
    if (box.low[1] < box.high[1] && box.low[2] < box.high[2]) {
        gy_run(gas->model.device, GY_OP_confine, a, box);
    }
}

/// From array to array, the push's own meanwhile, and back.
static void run_spread(gyre_gas *gas, gy_confine_args a, const gy_force *f, const spread *s)
{
    int dim = gas->extent.dim, size = gy_is_3d(dim) ? 3 : 1;
    a.stage = GY_CONFINE_EVEN;
    for (int q = 0; q < s->steps; q++) {
        a.part = s->share[q];
        for (int axis = 0; axis < dim; axis++) {
            a.way = axis + 4 * (1 << q);
            a.from = axis == 0 ? size : size + axis;
            a.to = axis == dim - 1 ? size : size + 1 + axis;
            run(gas, &a, f, 6 + s->cells);
        }
    }
}

void gy_gas_confine(gyre_gas *gas, const gyre_gas_force *def, const gy_force *f, float ahead,
                    bool back)
{
    const struct gyre_gas_confinement *own = &def->action.as.confinement;
    float rate = own->speed / gas->grid.h, even = gas->grid.h / own->size;
    spread s = spread_of(gas, 0.25 * (double)own->size / (double)gas->grid.h);
    bool array = f->shape.kind == GYRE_SHAPE_VOLUME && !f->everywhere;
    const float *volume = array ? gy_gas_array_of(gas, &f->shape.volume) : NULL;
    gy_confine_args a = {.base = gas->base,
                         .volume = (uint64_t)(uintptr_t)volume,
                         .arrays = (uint64_t)(uintptr_t)gas->forces->felt,
                         .force = (uint64_t)(uintptr_t)f,
                         .level = gy_system_offset(&gas->pressure, 0),
                         .stride = (uint32_t)gas->forces->felt_step,
                         .extent = gas->extent,
                         .h = gas->grid.h,
                         .rate = rate < 1e12f ? rate : 1e12f,
                         .even = even < 1e12f ? even : 1e12f};
    memcpy(a.origin, gas->grid.origin, sizeof a.origin);
    for (int c = 0; c < 3; c++) {
        a.velocity[c] = gas->slot[GY_MIN(c, gas->extent.dim - 1)];
    }
    // Each run asks the one before for what lies next to it.
    for (int q = 0; q < (back ? 2 : 1); q++) {
        a.part = q > 0 ? ahead : 0.0f;
        a.stage = GY_CONFINE_CURL;
        run(gas, &a, f, 7 + s.cells);
        a.stage = GY_CONFINE_SIZE;
        run(gas, &a, f, 6 + s.cells);
        run_spread(gas, a, f, &s);
        a.stage = GY_CONFINE_PUSH;
        run(gas, &a, f, 9 + s.cells);
    }
}

// ---- the frame

bool gy_gas_is_framed(const gyre_gas_def *def)
{
    const gyre_gas_frame *f = &def->frame;
    bool framed = false;
    for (int q = 0; q < 3; q++) {
        framed = framed || f->acceleration[q] != 0.0f || f->spin[q] != 0.0f;
    }
    return framed;
}

/// The spin that counts: in the plane about z alone.
static float spin_of(const gyre_gas *gas, int axis)
{
    return gy_is_3d(gas->extent.dim) || axis == 2 ? gas->def->frame.spin[axis] : 0.0f;
}

static void run_frame(gyre_gas *gas, gy_framing *frame, const uint32_t *flow, gy_frame_args a)
{
    int dim = gas->extent.dim;
    for (int q = 0; q < 3; q++) {
        frame->place[q] = q < dim ? gas->grid.origin[q] - gas->def->frame.centre[q] : 0.0f;
        a.velocity[q] = flow[GY_MIN(q, dim - 1)];
    }
    gy_device_put(gas->model.device, frame, sizeof *frame);
    a.base = gas->base;
    a.arrays = (uint64_t)(uintptr_t)gas->forces->felt;
    a.frame = (uint64_t)(uintptr_t)frame;
    a.density = gas->slot[gas->velocities];
    a.temperature = gas->slot[gas->velocities + 1];
    a.stride = (uint32_t)gas->forces->felt_step;
    a.extent = gy_gas_extent(gas, gas->velocities);
    a.h = gas->grid.h;
    a.periodic = gas->periodic;
    a.level = gy_system_offset(&gas->pressure, 0);
    const int *n = gas->extent.n;
    gy_run(gas->model.device, GY_OP_frame, &a,
           gy_box_make(n[0] + 1, n[1] + 1, gy_is_3d(dim) ? n[2] + 1 : 1));
}

// What turns a flow must see it free of divergence: at a step's start as it was before the kick, at
// its end without the pressure that is still to come. Else it turns what the pressure undoes: rest
// would begin to spin, by dt.
void gy_gas_feel_frame(gyre_gas *gas, float ahead, bool back)
{
    gy_framing *frame = &gas->forces->frame;
    int push = gy_is_3d(gas->extent.dim) ? 4 : 2;
    for (int q = 0; q < 3; q++) {
        frame->pull[q] = q < gas->extent.dim ? -gas->def->frame.acceleration[q] : 0.0f;
        frame->spin[q] = spin_of(gas, q);
    }
    frame->heat = -gas->def->thermal_expansion;
    frame->weight = gas->def->density_weight;
    bool conserves = gas->def->advection == GYRE_GAS_CONSERVATIVE;
    bool spins = frame->spin[0] != 0.0f || frame->spin[1] != 0.0f || frame->spin[2] != 0.0f;
    // In a first step nothing is known of the pressure.
    if (!conserves || !back || !spins || !(gas->kept.before > 0.0f)) {
        const uint32_t *flow = conserves ? gas->past : gas->slot;
        run_frame(gas, frame, flow,
                  (gy_frame_args){.to = push, .turn = spins ? GY_FRAME_ALL : GY_FRAME_STILL});
        return;
    }
    gy_gas_foresee(gas, 2.0f * ahead, gas->back);
    run_frame(gas, frame, gas->back, (gy_frame_args){.to = push, .turn = GY_FRAME_STILL});
    run_frame(gas, frame, gas->back, (gy_frame_args){.from = push, .ahead = ahead});
    run_frame(gas, frame, gas->back, (gy_frame_args){.to = push, .ahead = ahead});
}

void gy_gas_turn_frame(gyre_gas *gas)
{
    float change[3];
    bool turned = false;
    for (int q = 0; q < 3; q++) {
        change[q] = spin_of(gas, q) - gas->kept.spin[q];
        gas->kept.spin[q] = spin_of(gas, q);
        turned = turned || change[q] != 0.0f;
    }
    if (!turned) {
        return;
    }
    gy_framing *frame = &gas->forces->frame;
    *frame = (gy_framing){.spin = {change[0], change[1], change[2]}};
    run_frame(gas, frame, gas->slot,
              (gy_frame_args){.to = gy_is_3d(gas->extent.dim) ? 4 : 2, .turn = GY_FRAME_TURN});
    gy_gas_add_felt(gas, 1.0f);
    gas->speed_fresh = false;
    gy_gas_list_fields(gas);
    gy_gas_halo(gas, 0, gas->velocities, false, true);
    gy_gas_touch(gas, GY_GAS_TOUCHED);
}

gyre_result gy_gas_meet_frame(gyre_gas *gas)
{
    int has = gas->forces ? gas->forces->felt_count : 0;
    return has == gy_gas_felt_arrays(gas) ? GYRE_OK : gy_gas_take_forces(gas);
}
