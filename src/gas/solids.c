// gas/solids.c: what follows from the solids and the sides: the openness of every face, which cells
// hold gas, which blocks lie near a solid, and the samples inside solids that must be extended from
// the gas.
#include "gas/gas.h"
#include "ops/level.h"
#include "shape/openness.h"
#include <string.h>

/// Openness of one plane's rows, and the sides of the domain, from prepared solids.
typedef struct painter {
    gyre_gas *gas;
    const gy_solid *solids;
    int count;
    gy_grid_level level;
} painter;

static gy_grid_level level_of(const gyre_gas *gas)
{
    return gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0));
}

/// A face that is less than a quarter open counts as shut. What enters a cell that a solid nearly
/// fills must leave through its slivers, at the inverse of their openness times the speed;
/// advection would carry that speed into the gas beside them and the flow would gain energy.
static uint16_t without_sliver(uint16_t open)
{
    return open < GY_OPEN / 4 ? 0 : open;
}

static void paint_row(const painter *p, int axis, int j, int k)
{
    uint16_t row[4096 + 2];
    const int *n = p->gas->extent.n;
    int end = n[0] + (axis == 0);
    if (p->count > 0) {
        gy_openness_row(&p->gas->def->grid, p->solids, p->count, axis, j, k, row);
    }
    for (int i = 0; i < end; i++) {
        uint16_t open = p->count > 0 ? without_sliver(row[i]) : GY_OPEN;
        *gy_coefficient(&p->level, axis, i, j, k) = open;
    }
}

static void paint_plane(void *argument, int k)
{
    const painter *p = argument;
    const int *n = p->gas->extent.n;
    for (int axis = 0; axis < p->gas->extent.dim; axis++) {
        if (k == n[2] && axis != 2) {
            continue;
        }
        for (int j = 0; j < n[1] + (axis == 1); j++) {
            paint_row(p, axis, j, k);
        }
    }
}

/// Faces of the domain's sides: shut, open with the pressure half a cell away, or joined.
static void paint_sides(const painter *p)
{
    const int *n = p->gas->extent.n;
    int dim = p->gas->extent.dim;
    for (int axis = 0; axis < dim; axis++) {
        int u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
        for (int b = 0; b < n[v]; b++) {
            for (int a = 0; a < n[u]; a++) {
                int at[3];
                at[u] = a;
                at[v] = b;
                at[axis] = 0;
                uint16_t *low = gy_coefficient(&p->level, axis, at[0], at[1], at[2]);
                at[axis] = n[axis];
                uint16_t *high = gy_coefficient(&p->level, axis, at[0], at[1], at[2]);
                if (p->gas->periodic >> axis & 1u) {
                    *low = *high = GY_MIN(*low, *high);
                } else {
                    *low = (uint16_t)(p->gas->open_sides >> (2 * axis) & 1u ? 2 * *low : 0);
                    *high = (uint16_t)(p->gas->open_sides >> (2 * axis + 1) & 1u ? 2 * *high : 0);
                }
            }
        }
    }
}

static bool open_at(const gy_grid_level *g, int axis, int i, int j, int k)
{
    return *gy_coefficient(g, axis, i, j, k) != 0;
}

/// A neighbour's index along an axis; false beyond a side that is not periodic.
static bool neighbour(const gyre_gas *gas, int axis, int *i)
{
    int n = gas->extent.n[axis];
    if (*i >= 0 && *i < n) {
        return true;
    }
    if (gas->periodic >> axis & 1u) {
        *i = (*i % n + n) % n;
        return true;
    }
    return false;
}

/// Whether the face is shut by a solid on both of its sides.
static bool inner_face(const gyre_gas *gas, const gy_grid_level *g, int axis, const int cell[3])
{
    int below[3] = {cell[0], cell[1], cell[2]};
    below[axis]--;
    return !open_at(g, axis, cell[0], cell[1], cell[2]) && neighbour(gas, axis, &below[axis]) &&
           !gy_level_fluid(g, cell[0], cell[1], cell[2]) &&
           !gy_level_fluid(g, below[0], below[1], below[2]);
}

/// Mask of the neighbours that a sample inside a solid is extended from; 0: none, or not inside.
static uint32_t extend_mask(const gyre_gas *gas, const gy_grid_level *g, int location,
                            const int cell[3])
{
    uint32_t mask = 0;
    bool inside = location == 3 ? !gy_level_fluid(g, cell[0], cell[1], cell[2])
                                : inner_face(gas, g, location, cell);
    if (!inside) {
        return 0;
    }
    for (int d = 0; d < 2 * gas->extent.dim; d++) {
        int at[3] = {cell[0], cell[1], cell[2]};
        at[d / 2] += (d & 1) ? 1 : -1;
        if (neighbour(gas, d / 2, &at[d / 2]) &&
            (location == 3 ? gy_level_fluid(g, at[0], at[1], at[2])
                           : open_at(g, location, at[0], at[1], at[2]))) {
            mask |= 1u << d;
        }
    }
    return mask;
}

/// Lists the samples of one location; with items NULL only counts.
static int list_samples(const gyre_gas *gas, int location, uint32_t *items)
{
    gy_grid_level g = level_of(gas);
    const gy_extent *e = &gas->extent;
    int count = 0;
    for (int k = 0; k < e->n[2]; k++) {
        for (int j = 0; j < e->n[1]; j++) {
            const uint8_t *flags = gy_level_flags(&g, j, k);
            for (int i = 0; i < e->n[0]; i++) {
                const int cell[3] = {i, j, k};
                uint32_t mask =
                    flags[i / (2 * GY_GROUP)] ? 0 : extend_mask(gas, &g, location, cell);
                if (mask) {
                    if (items) {
                        items[2 * count] = (uint32_t)(i + j * e->sy + k * e->sz);
                        items[2 * count + 1] = mask;
                    }
                    count++;
                }
            }
        }
    }
    return count;
}

static gyre_result make_list(gyre_gas *gas, gy_gas_list *list, int location)
{
    int count = list_samples(gas, location, NULL);
    size_t bytes = (size_t)count * 2 * sizeof(uint32_t);
    if (bytes > list->bytes) {
        uint32_t *items = gy_device_allocate(gas->model.device, bytes);
        if (!items) {
            return gyre_fail(GYRE_ERROR_MEMORY,
                             "out of memory: %zu bytes for the samples inside solids", bytes);
        }
        gy_device_release(gas->model.device, list->items, list->bytes);
        list->items = items;
        list->bytes = bytes;
    }
    list->count = count > 0 ? list_samples(gas, location, list->items) : 0;
    gy_device_put(gas->model.device, list->items, (size_t)list->count * 2 * sizeof(uint32_t));
    return GYRE_OK;
}

static gyre_result make_lists(gyre_gas *gas)
{
    bool solids = gas->made_count > 0;
    gyre_result r = GYRE_OK;
    gas->slip = gas->def->solid_slip;
    gas->extend_scalar.count = 0;
    if (solids) {
        r = make_list(gas, &gas->extend_scalar, 3);
    }
    for (int a = 0; a < gas->extent.dim; a++) {
        gas->extend_velocity[a].count = 0;
        if (solids && gas->slip && r == GYRE_OK) {
            r = make_list(gas, &gas->extend_velocity[a], a);
        }
    }
    return r;
}

void gy_gas_drop_lists(gyre_gas *gas)
{
    gy_gas_list *lists[4] = {&gas->extend_scalar, &gas->extend_velocity[0],
                             &gas->extend_velocity[1], &gas->extend_velocity[2]};
    for (int l = 0; l < 4; l++) {
        gy_device_release(gas->model.device, lists[l]->items, lists[l]->bytes);
        *lists[l] = (gy_gas_list){0};
    }
}

/// Marks the blocks within GY_NEAR cells of a face that a solid shuts in part or whole.
static void mark_near(gyre_gas *gas, const gy_grid_level *g)
{
    const int *n = gas->extent.n;
    int blocks = (n[0] + GY_BLOCK - 1) / GY_BLOCK;
    uint8_t *near = (uint8_t *)(void *)gy_at(gas->base, gas->near);
    memset(near, 0, (size_t)blocks * (size_t)n[1] * (size_t)n[2]);
    for (int k = 0; k < n[2]; k++) {
        for (int j = 0; j < n[1]; j++) {
            for (int ib = 0; ib < blocks; ib++) {
                bool shut = false;
                for (int i = ib * GY_BLOCK; i < GY_MIN((ib + 1) * GY_BLOCK, n[0]) && !shut; i++) {
                    const int cell[3] = {i, j, k};
                    for (int a = 0; a < gas->extent.dim; a++) {
                        bool side = cell[a] == 0 && !(gas->periodic >> a & 1u);
                        shut = shut || (!side && !open_at(g, a, i, j, k));
                    }
                }
                for (int dz = -GY_NEAR; shut && dz <= GY_NEAR; dz++) {
                    for (int dy = -GY_NEAR; dy <= GY_NEAR; dy++) {
                        for (int dx = -1; dx <= 1; dx++) {
                            int x = ib + dx, y = j + dy, z = k + dz;
                            if ((x < 0 || x >= blocks) && (gas->periodic & 1u)) {
                                x = (x + blocks) % blocks;
                            }
                            if (x >= 0 && x < blocks && neighbour(gas, 1, &y) &&
                                neighbour(gas, 2, &z)) {
                                near[((size_t)z * (size_t)n[1] + (size_t)y) * (size_t)blocks +
                                     (size_t)x] = 1;
                            }
                        }
                    }
                }
            }
        }
    }
}

static int64_t count_fluid(const gyre_gas *gas, const gy_grid_level *g)
{
    int64_t count = 0;
    for (int k = 0; k < gas->extent.n[2]; k++) {
        for (int j = 0; j < gas->extent.n[1]; j++) {
            for (int i = 0; i < gas->extent.n[0]; i++) {
                count += gy_level_fluid(g, i, j, k);
            }
        }
    }
    return count;
}

/// Of the coefficients of all faces: whether a step meets those of the one before.
static uint32_t hash_openness(const gyre_gas *gas)
{
    const gy_level *l = gy_system_level(&gas->pressure, 0);
    uint64_t hash = 0;
    for (int a = 0; a < gas->extent.dim; a++) {
        // As many as a vector has, from the first on: half the bytes.
        hash = gy_hash(gy_system_coefficients_start(&gas->pressure, l->open[a]),
                       gy_system_vector_bytes(&gas->pressure) / 2, hash);
    }
    return (uint32_t)hash & 0x3fffffffu; // as a float it is finite, see gy_gas_kept
}

static gyre_result change_solids(gyre_gas *gas)
{
    const gyre_solid *list = gas->def->solids.items;
    int count = 0;
    for (int i = 0; i < gas->def->solids.count; i++) {
        if (list[i].enabled) {
            gas->made[count++] =
                gy_solid_make_posed(&list[i].shape, &list[i].pose, gas->extent.dim);
        }
    }
    gas->made_count = count;
    painter p = {gas, gas->made, count, level_of(gas)};
    gyre_device_parallel_for(gas->model.device, gas->extent.n[2] + (gas->extent.dim == 3),
                             paint_plane, &p);
    paint_sides(&p);
    gy_system_level(&gas->pressure, 0)->whole = count == 0;
    gy_system_put(&gas->pressure);
    gyre_result r = gy_system_update(&gas->pressure);
    if (r == GYRE_OK) {
        r = gy_system_share(&gas->spread, &gas->pressure, &gas->def->diffusion);
    }
    if (r != GYRE_OK) {
        return r;
    }
    gas->fluid_cells = count_fluid(gas, &p.level);
    gas->speed_fresh = false;
    if (count > 0) {
        mark_near(gas, &p.level);
        gy_device_put(gas->model.device, gy_at(gas->base, gas->near),
                      (size_t)(gas->count - gas->near) * 64);
    }
    r = make_lists(gas);
    gas->openness = hash_openness(gas);
    return r == GYRE_OK ? gy_gas_take_swelling(gas) : r;
}

static gyre_result change_emitters(gyre_gas *gas)
{
    gyre_result r = gy_gas_take_arrays(gas);
    if (r != GYRE_OK) {
        return r;
    }
    const gyre_emitter *list = gas->def->emitters.items;
    for (int i = 0; i < gas->def->emitters.count; i++) {
        gas->emitters[i] = gy_solid_make(&list[i].shape, gas->extent.dim);
    }
    gy_device_put(gas->model.device, gas->emitters,
                  (size_t)gas->def->emitters.count * sizeof *gas->emitters);
    return GYRE_OK;
}

/// What the other properties leave behind in the fields: halos hold the walls' velocities, and
/// velocities keep to the cap. A saved state must not know more than the fields and the def.
static gyre_result change_others(gyre_gas *gas)
{
    bool lower = gas->def->speed_cap < gas->cap;
    gas->cap = gas->def->speed_cap;
    gas->kept.loose = 1;
    gy_gas_list_fields(gas);
    for (int a = 0; a < gas->velocities; a++) {
        if (lower) {
            gy_gas_fetch(&gas->model, a);
            gy_gas_written(&gas->model, a);
        } else {
            gy_gas_halo(gas, a, 1, false, true);
        }
    }
    gyre_result r = gas->slip == gas->def->solid_slip ? GYRE_OK : make_lists(gas);
    return r == GYRE_OK ? gy_gas_take_swelling(gas) : r;
}

gyre_result gy_gas_changed(gyre_model *model, const char *pool)
{
    gyre_gas *gas = (gyre_gas *)model;
    gas->stats_fresh = false;
    if (!pool) {
        return change_others(gas);
    }
    if (strcmp(pool, "emitters") == 0) {
        return change_emitters(gas);
    }
    if (strcmp(pool, "solids") == 0) {
        return change_solids(gas);
    }
    return GYRE_OK;
}
