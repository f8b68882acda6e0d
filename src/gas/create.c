// gas/create.c: memory of a gas: one block, laid out here, zeroed by the host's allocator.
#include "gas/cloud.h"
#include "gas/texture.h"
#include "gas/tracers.h"
#include <string.h>

static size_t round64(size_t size)
{
    return (size + 63) / 64 * 64;
}

/// What halves take: their origin lies at a multiple of 64 bytes, as that of floats does.
static void measure_halves(gyre_gas *gas, const gy_layout *layout)
{
    size_t before = round64((size_t)layout->origin * sizeof(uint16_t)),
           after = (size_t)(layout->floats - layout->origin) * sizeof(uint16_t);
    gas->half_origin = (uint32_t)(before / 64);
    gas->half_bytes = round64(before + after);
    gas->window_floats = (size_t)(gy_is_3d(layout->dim) ? layout->sz : layout->sy) *
                         (size_t)layout->n[layout->dim - 1];
}

/// Slots of one format.
static void take_slots(gyre_gas *gas, gy_arena *arena, bool half, uint32_t *slot, int count)
{
    for (int i = 0; i < count; i++) {
        slot[i] = gy_arena_take(arena, half ? gas->half_bytes : gas->slot_bytes) +
                  (half ? gas->half_origin : gas->origin);
    }
}

/// Whether what inflows bring is told with the ledgers: where there is only room for patches it is
/// not, for a state's hash must not know of room.
static bool is_told(const gyre_gas *gas, const gyre_gas_def *def)
{
    return gas->rimmed && (gy_gas_blown(def) || def->patches.count > 0);
}

/// What is known of scalars' totals; where there are inflows, what they have brought comes behind;
/// where walls hold or give, what they gave behind that, from a multiple of 64 bytes on; where
/// there is fire, what it has done behind that, likewise; what clouds have done behind that, and
/// last what is known of mean velocities, where an axis is periodic.
static size_t ledger_bytes(const gyre_gas *gas, bool told, bool walled, bool fired, int turned,
                           bool kept)
{
    size_t doubles = (size_t)gas->scalars * sizeof(double);
    size_t bytes = (size_t)gas->scalars * sizeof(gy_ledger) + (told ? doubles : 0);
    bytes = walled ? round64(bytes) + doubles : bytes;
    bytes = fired ? round64(bytes) + (size_t)gy_gas_burnt_count(gas) * sizeof(double) : bytes;
    bytes = turned > 0 ? round64(bytes) + (size_t)turned * sizeof(double) : bytes;
    return kept ? round64(bytes) + sizeof(((gy_means *)0)->owed) : bytes;
}

static void take_ledgers(gyre_gas *gas, const gyre_gas_def *def, gy_arena *kept)
{
    bool walled = gy_gas_is_walled(def), told = is_told(gas, def), fired = gy_gas_burns(def);
    int turned = gy_gas_turned_count(def, gas->scalars);
    size_t before = round64(ledger_bytes(gas, told, false, false, 0, false)) / 64;
    size_t unfired = round64(ledger_bytes(gas, told, walled, false, 0, false)) / 64;
    size_t dry = round64(ledger_bytes(gas, told, walled, fired, 0, false)) / 64;
    size_t all = ledger_bytes(gas, told, walled, fired, turned, false), unkept = round64(all) / 64;
    bool keeps = gas->periodic != 0;
    gas->ledgers = gy_arena_take(kept, keeps ? unkept * 64 + sizeof(gy_means) : all);
    gas->means = keeps ? gas->ledgers + (uint32_t)unkept : 0;
    gas->through = walled ? gas->ledgers + (uint32_t)before : 0;
    gas->burnt = fired ? gas->ledgers + (uint32_t)unfired : 0;
    gas->turned = turned > 0 ? gas->ledgers + (uint32_t)dry : 0;
    gas->came =
        told ? gas->ledgers + (uint32_t)gas->scalars * (uint32_t)(sizeof(gy_ledger) / 64) : 0;
}

/// What steps of the wind leave of each block; sums of scalars lie there while those diffuse, when
/// nobody asks for it.
static void take_bounds(gyre_gas *gas, const gyre_grid *grid, gy_arena *kept)
{
    size_t blocks = (size_t)((grid->n[0] + GY_BLOCK - 1) / GY_BLOCK);
    size_t rows = (size_t)grid->n[1] * (size_t)grid->n[2];
    gy_box cells = gy_box_make(grid->n[0], grid->n[1], grid->n[2]);
    size_t sums = (size_t)gy_task_count(GY_OP_measure, cells) * 4 * sizeof(double);
    gas->bounds = gy_arena_take(kept, GY_MAX(rows * blocks * 12 * sizeof(float), sums));
    gas->sums = gas->bounds;
    gas->near = gy_arena_take(kept, rows * blocks);
}

/// Lays a gas out. With gas->base 0 it only counts; returns the end of the block in bytes.
static size_t plan(gyre_gas *gas, gyre_device *device, const gyre_gas_def *def)
{
    const gyre_grid *grid = &def->grid;
    gas->grid = *grid;
    gy_layout layout = gy_layout_make(grid);
    gy_arena kept = {.base = gas->base};
    uint32_t origin = (uint32_t)((size_t)layout.origin * sizeof(float) / 64);
    size_t slot = (size_t)layout.floats * sizeof(float),
           slack = (size_t)layout.slack * sizeof(float);
    gas->origin = origin;
    gas->together = gy_gas_together(device, gas->states);
    gas->slot_bytes = slot;
    gas->extent = (gy_extent){.n = {grid->n[0], grid->n[1], grid->n[2]},
                              .sy = (int32_t)layout.sy,
                              .sz = (int32_t)layout.sz,
                              .dim = grid->dim};
    take_bounds(gas, grid, &kept);
    gas->count = gy_arena_take(&kept, GY_MAX_TASKS * sizeof(float));
    int textures = gy_gas_texture_count(def), listed = gas->states + 2 * grid->dim + textures;
    gas->listed = gy_arena_take(&kept, (size_t)listed * sizeof(gy_field));
    gas->report = gy_arena_take(&kept, 2 * sizeof(gy_report));
    // Behind the report, so that both can be asked for at once: see gy_gas_report_bytes.
    gas->carriage = gy_arena_take(&kept, sizeof(gy_carriage));
    gas->energy = gy_arena_take(&kept, sizeof(gy_energy));
    take_ledgers(gas, def, &kept);
    gas->sweeps = gy_arena_take(&kept, gy_gas_sweep_bytes(gas));
    gy_arena_take(&kept, slack);
    int floats = def->half_scalars ? gas->velocities : gas->states, halves = gas->states - floats;
    gas->float_spares = GY_MIN(floats, gas->together);
    gas->half_spares = GY_MIN(halves, gas->together);
    // Where formats meet stand zeros: what lies next to floats, which their ops may read, is
    // finite.
    if (halves > 0) {
        measure_halves(gas, &layout);
        take_slots(gas, &kept, true, gas->slot + floats, halves);
        take_slots(gas, &kept, true, gas->spare + gas->float_spares, gas->half_spares);
        gy_arena_take(&kept, slack);
    }
    take_slots(gas, &kept, false, gas->slot, floats);
    take_slots(gas, &kept, false, gas->spare, gas->float_spares);
    take_slots(gas, &kept, false, gas->past, grid->dim);
    uint32_t unseen[GY_GAS_TEXTURES]; // where no gas is made yet
    take_slots(gas, &kept, false, gas->texture ? gas->texture->slot : unseen, textures);
    gas->lag = gy_system_take_vector(grid, &kept);
    gas->scratch = kept.used;
    take_slots(gas, &kept, false, gas->predicted, gas->float_spares);
    for (int a = 0; a < grid->dim; a++) {
        gas->back[a] = gy_arena_take(&kept, slot) + origin;
        gas->forward[a] = gy_arena_take(&kept, slot) + origin;
    }
    if (halves > 0) {
        gy_arena_take(&kept, slack);
        take_slots(gas, &kept, true, gas->predicted + gas->float_spares, gas->half_spares);
    }
    // Solvers run when advection's scratch is free; one of diffusion keeps all it has there, that
    // of the pressure its vectors on the finest level, and on coarser ones where there is room.
    gy_arena shared = {.base = gas->base, .used = gas->scratch}, counted = {.used = gas->scratch},
             vectors = counted, all = counted, rest = {0};
    gy_system unused;
    gy_system_def pressure = gy_gas_system(def), viscous = {.grid = *grid,
                                                            .periodic = gas->periodic,
                                                            .pin = true,
                                                            .solver = def->diffusion};
    gy_system_plan(&unused, device, &viscous, &counted, &counted);
    gy_system_plan(&unused, device, &pressure, &rest, &vectors);
    pressure.coarse = &all;
    gy_system_plan(&unused, device, &pressure, &rest, &all);
    gas->scratch_end = counted.used;
    kept.used = GY_MAX(kept.used, GY_MAX(counted.used, vectors.used));
    pressure.coarse = all.used <= kept.used ? &shared : NULL;
    gy_arena_take(&kept, slack);
    gy_system_plan(&gas->pressure, device, &pressure, &kept, &shared);
    gy_gas_plan_rims(gas, &kept);
    gy_gas_plan_floor(gas, def, &kept);
    gy_gas_plan_levels(gas, def, &kept);
    size_t tracers = gy_gas_plan_tracers(gas, def);
    if (tracers > 0) {
        gas->tracers.base = gas->base + (uint64_t)gy_arena_take(&kept, tracers) * 64u;
    }
    return (size_t)kept.used * 64;
}

static void count_fields(gyre_gas *gas, const gyre_gas_def *def)
{
    static const char *const velocity[3] = {"velocity_x", "velocity_y", "velocity_z"};
    int f = 0;
    for (int a = 0; a < def->grid.dim; a++) {
        gas->fields[f++] = (gyre_field_info){velocity[a],
                                             "m/s",
                                             (gyre_location)(GYRE_FACE_X + a),
                                             GYRE_VIEW_SIGNED,
                                             false,
                                             false,
                                             "speed of the gas",
                                             (gyre_field_role)(GYRE_ROLE_VELOCITY_X + a)};
    }
    gas->velocities = f;
    for (int s = 0; s < GY_GAS_OWN; s++) {
        gas->fields[f++] = gy_gas_own[s].info;
    }
    const gyre_gas_channel *channels = def->channels.items;
    for (int i = 0; i < def->channels.count; i++) {
        memcpy(gas->names[i], channels[i].name, sizeof gas->names[i]);
        gas->fields[f] =
            (gyre_field_info){gas->names[i], "1",  GYRE_CENTRE,       GYRE_VIEW_DENSITY,
                              false,         true, "an extra scalar", GYRE_ROLE_SMOKE};
        gy_gas_note_fire(&gas->fields[f], def);
        gy_gas_note_cloud(&gas->fields[f++], def);
    }
    gas->states = f;
    gas->scalars = f - gas->velocities;
    for (int d = 0; d < GY_GAS_DERIVED; d++) {
        if (def->grid.dim >= gy_gas_derived_list[d].dims) {
            gas->derived[f - gas->states] = d;
            gas->fields[f++] = gy_gas_derived_list[d].info;
        }
    }
    gas->model.fields = gas->fields;
    gas->model.field_count = f;
    gy_gas_list_textures(gas, def);
}

static void note_sides(gyre_gas *gas, const gyre_gas_def *def)
{
    const gyre_gas_side *sides = &def->sides.x_low;
    for (int s = 0; s < 2 * def->grid.dim; s++) {
        if (sides[s].rule == GYRE_GAS_SIDE_PERIODIC) {
            gas->periodic |= 1u << (s / 2);
        } else if (gy_gas_is_open(def, s)) {
            gas->open_sides |= 1u << s;
        }
    }
    gas->windowed = gy_gas_windowed(def);
    gas->open_sides |= gas->windowed;
    gas->rimmed = gy_gas_rimmed(def);
    gas->given = gas->rimmed & gy_gas_blown(def);
}

/// Room for a pool's shapes made ready, and `more`.
static size_t shape_bytes(const gyre_pool *pool, int more)
{
    return round64((size_t)(gy_pool_capacity(pool) + more) * sizeof(gy_solid));
}

/// Room for the arrays of as many emitters and forces as there may be, before and after a change.
static size_t array_bytes(const gyre_gas_def *def)
{
    int forces = GY_MAX(def->forces.count, def->forces.capacity);
    size_t count = (size_t)gy_pool_capacity(&def->emitters) + (size_t)forces;
    return round64(2 * count * sizeof(gy_gas_array));
}

/// Bytes in front of the arena: the gas itself, the def's copy, prepared emitters and solids.
static size_t head_bytes(const gyre_gas_def *def)
{
    return round64(sizeof(gyre_gas)) + round64(gy_model_head_size(&gy_gas_type, def)) +
           shape_bytes(&def->emitters, 0) + 2 * shape_bytes(&def->solids, def->floor) +
           array_bytes(def) + gy_gas_texture_bytes(def);
}

/// With no device: what it takes on the CPU.
static size_t total_bytes(gyre_gas *gas, gyre_device *device, const gyre_gas_def *def)
{
    count_fields(gas, def);
    note_sides(gas, def);
    return head_bytes(def) + plan(gas, device, def);
}

size_t gy_gas_bytes(const void *def)
{
    gyre_gas probe = {0};
    return gy_gas_check(def) == GYRE_OK ? total_bytes(&probe, NULL, def) : 0;
}

/// Any of them may be asked for later, whatever the def says now. Solvers see to their own.
static const gy_op ops[] = {
    GY_OP_halo,       GY_OP_trace,         GY_OP_advect, GY_OP_correct, GY_OP_decay,
    GY_OP_buoyancy,   GY_OP_emit,          GY_OP_source, GY_OP_splat,   GY_OP_extend,
    GY_OP_divergence, GY_OP_gradient,      GY_OP_fill,   GY_OP_measure, GY_OP_derive,
    GY_OP_decide,     GY_OP_decide_energy, GY_OP_split,  GY_OP_merge,   GY_OP_viscous,
    GY_OP_widen,      GY_OP_mend,          GY_OP_blend,  GY_OP_kick,    GY_OP_direct,
    GY_OP_wrap,       GY_OP_share,         GY_OP_remap,  GY_OP_tally,   GY_OP_drive,
    GY_OP_compensate, GY_OP_deliver,       GY_OP_cubic,  GY_OP_drift};

static size_t window_bytes(const gyre_gas *gas)
{
    return (size_t)gas->scalars * gas->window_floats * sizeof(float);
}

/// Those that scalars go through.
static const gy_op with_halves[] = {
    GY_OP_halo,   GY_OP_advect, GY_OP_correct,    GY_OP_decay,   GY_OP_buoyancy, GY_OP_emit,
    GY_OP_source, GY_OP_splat,  GY_OP_extend,     GY_OP_measure, GY_OP_split,    GY_OP_merge,
    GY_OP_widen,  GY_OP_blend,  GY_OP_compensate, GY_OP_deliver, GY_OP_cubic};

/// The host's windows on scalars that are halves: zeros, as the scalars are.
static gyre_result take_windows(gyre_gas *gas)
{
    if (!gas->half_origin) {
        return GYRE_OK;
    }
    gas->windows = gy_allocate(&gas->host, window_bytes(gas), 64);
    return gas->windows ? GYRE_OK : GYRE_ERROR_MEMORY;
}

/// What a gas at rest in its frame keeps.
static void begin_kept(gyre_gas *gas)
{
    gas->kept.renew = GY_GAS_ANEW;
    for (int q = gy_is_3d(gas->extent.dim) ? 0 : 2; q < 3; q++) {
        gas->kept.spin[q] = gas->def->frame.spin[q];
    }
}

/// What only some defs want of a device.
static gyre_result require_more(gyre_device *device, const gyre_gas_def *def)
{
    if (gy_gas_carried(def) != 0 && gy_device_has_own_memory(device)) {
        return gyre_fail(
            GYRE_ERROR_UNSUPPORTED,
            "sides.leaves: \"carried\" is taken on the device cpu alone so far, not on "
            "one with memory of its own");
    }
    gyre_result r = def->floor ? gy_gas_require_floor(device) : GYRE_OK;
    r = r == GYRE_OK && gy_gas_burns(def) ? gy_gas_require_fire(device) : r;
    r = r == GYRE_OK && def->atmosphere.layered ? gy_gas_require_cloud(device) : r;
    r = r == GYRE_OK && def->texture.phases > 0 ? gy_gas_require_texture(device) : r;
    return r == GYRE_OK && gy_gas_blown(def) ? gy_gas_require_rims(device) : r;
}

/// Whether a def is sound, and the device has what it takes.
static gyre_result may_make(gyre_device *device, const gyre_gas_def *def)
{
    gyre_result r = gy_gas_check(def);
    if (r == GYRE_OK) {
        r = gy_device_require(device, "gas", ops, GY_COUNT(ops));
    }
    if (r == GYRE_OK && def->half_scalars) {
        r = gy_device_require_halves(device, "half_scalars", with_halves, GY_COUNT(with_halves));
    }
    if (r == GYRE_OK && def->tracers.capacity > 0) {
        r = gy_particles_require(device, "tracers",
                                 def->tracers.inertia ? GY_OP_grain : GY_OP_tracer);
    }
    if (r == GYRE_OK && def->tracers.inertia && def->tracers.load > 0.0f) {
        const gy_op loads[] = {GY_OP_unload, GY_OP_unloaded};
        r = gy_device_require(device, "tracers.load", loads, GY_COUNT(loads));
    }
    return r == GYRE_OK ? require_more(device, def) : r;
}

gyre_result gy_gas_make(gyre_device *device, const void *memory, gyre_model **model)
{
    const gyre_gas_def *def = memory;
    gyre_result r = may_make(device, def);
    if (r != GYRE_OK) {
        return r;
    }
    gyre_gas probe = {0};
    size_t bytes = total_bytes(&probe, device, def);
    char *block = gy_device_allocate(device, bytes);
    if (!block) {
        r = gy_device_status(device);
        return r != GYRE_OK
                   ? r
                   : gyre_fail(GYRE_ERROR_MEMORY, "a gas of %d x %d x %d cells: %s", def->grid.n[0],
                               def->grid.n[1], def->grid.n[2], gyre_message());
    }
    gyre_gas *gas = (void *)block;
    gas->host = *gy_device_host(device);
    gas->memory = block;
    gas->bytes = bytes;
    gas->base = (uint64_t)(uintptr_t)(block + head_bytes(def));
    char *at = block + round64(sizeof *gas);
    gy_model_head(&gas->model, &gy_gas_type, device, def, at);
    gas->def = gas->model.def;
    gas->model.grid = &gas->grid;
    at += round64(gy_model_head_size(&gy_gas_type, def));
    gas->emitters = (void *)at;
    gas->made = (void *)(at + shape_bytes(&def->emitters, 0));
    gas->made_spare = (void *)((char *)gas->made + shape_bytes(&def->solids, def->floor));
    gas->arrays = (void *)((char *)gas->made_spare + shape_bytes(&def->solids, def->floor));
    gas->texture =
        gy_gas_texture_bytes(def) > 0 ? (void *)((char *)gas->arrays + array_bytes(def)) : NULL;
    gas->slip = gas->def->solid_slip;
    gas->cap = gas->def->speed_cap;
    count_fields(gas, def);
    note_sides(gas, def);
    plan(gas, device, gas->def);
    gas->model.extra = gy_gas_ledger(gas, gas->velocities);
    gas->model.extra_size =
        ledger_bytes(gas, is_told(gas, gas->def), gas->through > 0, gas->burnt > 0,
                     gy_gas_turned_count(gas->def, gas->scalars), gas->means > 0);
    gy_device_put(device, block, (size_t)(gas->base - (uint64_t)(uintptr_t)block));
    gy_gas_list_fields(gas);
    r = take_windows(gas);
    if (r == GYRE_OK) {
        r = gy_gas_changed(&gas->model, "emitters");
    }
    if (r == GYRE_OK) {
        r = gy_gas_changed(&gas->model, "solids");
    }
    if (r == GYRE_OK) {
        r = gy_gas_changed(&gas->model, "forces");
    }
    if (r != GYRE_OK) {
        gy_gas_unmake(&gas->model);
        return r;
    }
    for (int f = 0; f < gas->states; f++) {
        gy_gas_written(&gas->model, f);
    }
    begin_kept(gas);
    gy_gas_begin_ledgers(gas);
    gy_gas_start_tracers(gas);
    gy_gas_begin_textures(gas);
    r = gy_device_status(device);
    if (r != GYRE_OK) {
        gy_gas_unmake(&gas->model);
        return r;
    }
    *model = &gas->model;
    return GYRE_OK;
}

void gy_gas_unmake(gyre_model *model)
{
    gyre_gas *gas = (gyre_gas *)model;
    gy_gas_drop_bodies(gas);
    gy_gas_drop_movers(gas);
    gy_gas_drop_images(gas);
    gy_gas_drop_lists(gas);
    gy_gas_drop_links(gas);
    gy_gas_drop_plain(gas);
    gy_gas_drop_swelling(gas);
    gy_gas_drop_arrays(gas);
    gy_gas_drop_forces(gas);
    gy_gas_drop_called(gas);
    gy_gas_drop_lead(gas);
    gy_gas_drop_walls(gas);
    gy_gas_drop_surfaces(gas);
    gy_gas_drop_sheets(gas);
    gy_system_release(&gas->spread);
    gy_system_release(&gas->pressure);
    if (gas->windows) {
        gy_release(&gas->host, gas->windows, window_bytes(gas));
    }
    gy_device_release(gas->model.device, gas->memory, gas->bytes);
}
