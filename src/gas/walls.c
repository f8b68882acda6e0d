// gas/walls.c: walls, patches of walls and solids that hold scalars at a value (a radiator, a cold
// window), or give the gas of them (a heated plate):
//
//     nu ds/dn = nu (V - s) / (h / 2)  on a face held at V,    nu ds/dn = q  where q is given
//
// What is held is solved for with the scalar's diffusion, so that any step is stable; what is given
// comes with what emitters give. A cell sees a solid through its faces towards cells without gas,
// the surface being as far as the solid's distance says (F. Gibou and others, A second-order
// accurate symmetric discretization of the Poisson equation on irregular domains, J. Comput. Phys.
// 176, 2002), but no nearer than NEAREST. The area of the surface in a cell is the size of what its
// faces' openness sums up to as vectors. Of solids that meet in a cell the nearest one counts.
//
// Cost: a list of the cells that see such walls, 48 bytes each, made anew when solids or patches
// change, and passes over it. A scalar that is held has coefficients of its own in each solve,
// which is about what diffusing a component of velocity costs.
#include "body/body.h"
#include "gas/flow.h"
#include "gas/gas.h"
#include "gas/patches.h"
#include "ops/system/level.h"
#include <stdio.h>
#include <string.h>

/// Cells in stretches in which each is there once: those of each side, then those of solids.
enum { STRETCHES = 7, SOLIDS = 6 };

struct gy_gas_walls {
    gy_wall *cells;
    size_t room; // bytes
    int first[STRETCHES + 1];
    gy_wall_owner *owners; // of each scalar: of sides, patches, solids
    size_t owner_bytes;
    int owner_count;
    bool bodies;       // whether any body of a set has held or given anything
    uint64_t made_for; // what the list was made from
    bool held[GY_GAS_FIELDS], fed[GY_GAS_FIELDS];
    float most[GY_GAS_FIELDS];
};

// ---- the def ------------------------------------------------------------------------------------

static const gyre_gas_side *side_of(const gyre_gas_def *def, int side)
{
    return &def->sides.x_low + side;
}

static bool is_wall(const gyre_gas_def *def, int side)
{
    int rule = side_of(def, side)->rule;
    return rule == GYRE_GAS_SIDE_SLIP || rule == GYRE_GAS_SIDE_NO_SLIP;
}

static bool names_any(const gyre_amount *holds, const gyre_amount *gives)
{
    return holds[0].name[0] || gives[0].name[0];
}

bool gy_gas_is_walled(const gyre_gas_def *def)
{
    const gyre_gas_patch *p = def->patches.items;
    const gyre_gas_solid *s = def->solids.items;
    bool walled = false;
    for (int side = 0; side < 2 * def->grid.dim; side++) {
        walled = walled || names_any(side_of(def, side)->holds, side_of(def, side)->gives);
    }
    for (int i = 0; i < def->patches.count; i++) {
        walled = walled || names_any(p[i].holds, p[i].gives);
    }
    for (int i = 0; i < def->solids.count; i++) {
        walled = walled || names_any(s[i].holds, s[i].gives);
    }
    return walled;
}

/// The names are scalars', and no wall both holds and gives one.
static gyre_result check_names(const gyre_gas_def *def, const gyre_amount *holds,
                               const gyre_amount *gives, const char *path)
{
    gyre_result r = gy_gas_check_amounts(def, holds, GYRE_GAS_WALL, path, "holds");
    r = r == GYRE_OK ? gy_gas_check_amounts(def, gives, GYRE_GAS_WALL, path, "gives") : r;
    for (int i = 0; i < GYRE_GAS_WALL && holds[i].name[0] && r == GYRE_OK; i++) {
        for (int q = 0; q < GYRE_GAS_WALL && gives[q].name[0]; q++) {
            if (strcmp(holds[i].name, gives[q].name) == 0) {
                return gyre_fail(GYRE_ERROR_ARGUMENT,
                                 "%s.gives.%s: the wall holds it at a value, it cannot do both",
                                 path, holds[i].name);
            }
        }
    }
    return r;
}

/// A side with a name that is wanted to be a wall; -1: it is one.
static gyre_result check_wall(const gyre_gas_def *def, int side, const gyre_amount *holds,
                              const char *path)
{
    if (side < 0 || is_wall(def, side)) {
        return GYRE_OK;
    }
    int rule = side_of(def, side)->rule;
    return gyre_fail(GYRE_ERROR_ARGUMENT, "%s.%s: %s is %s, only a wall holds or gives anything",
                     path, holds[0].name[0] ? "holds" : "gives", gy_gas_side_name(side),
                     rule == GYRE_GAS_SIDE_OPEN       ? "open"
                     : rule == GYRE_GAS_SIDE_PERIODIC ? "periodic"
                                                      : "an inflow");
}

gyre_result gy_gas_check_walls(const gyre_gas_def *def)
{
    const gyre_gas_patch *p = def->patches.items;
    const gyre_gas_solid *s = def->solids.items;
    gyre_result r = GYRE_OK;
    char path[32];
    for (int side = 0; side < 2 * def->grid.dim && r == GYRE_OK; side++) {
        const gyre_gas_side *own = side_of(def, side);
        snprintf(path, sizeof path, "sides.%s", gy_gas_side_name(side));
        r = check_names(def, own->holds, own->gives, path);
        if (r == GYRE_OK && names_any(own->holds, own->gives)) {
            r = check_wall(def, side, own->holds, path);
        }
    }
    for (int i = 0; i < def->patches.count && r == GYRE_OK; i++) {
        snprintf(path, sizeof path, "patches.%d", i);
        r = check_names(def, p[i].holds, p[i].gives, path);
        if (r != GYRE_OK || !names_any(p[i].holds, p[i].gives)) {
            continue;
        }
        bool shuts = gy_gas_patch_shuts(&p[i]);
        r = check_wall(def, shuts ? -1 : p[i].side, p[i].holds, path);
        if (r == GYRE_OK && !shuts && p[i].rule != GYRE_GAS_PATCH_AS_SIDE) {
            r = gyre_fail(GYRE_ERROR_ARGUMENT,
                          "%s.%s: gas passes the patch, only a wall holds or gives anything", path,
                          p[i].holds[0].name[0] ? "holds" : "gives");
        }
    }
    for (int i = 0; i < def->solids.count && r == GYRE_OK; i++) {
        snprintf(path, sizeof path, "solids.%d", i);
        r = check_names(def, s[i].holds, s[i].gives, path);
    }
    return r;
}

static const gyre_body_gas *body_of(const gyre_gas *gas, int k)
{
    return &gy_set_body(gas->model.bodies, k)->gas;
}

gyre_result gy_gas_check_body_walls(const gyre_gas *gas, int k)
{
    _Static_assert((int)GYRE_BODY_WALL == (int)GYRE_GAS_WALL, "a body is as any wall");
    const gyre_body_gas *body = body_of(gas, k);
    char path[48];
    snprintf(path, sizeof path, "bodies.%.31s.gas", gy_set_body(gas->model.bodies, k)->name);
    gyre_result r = check_names(gas->def, body->holds, body->gives, path);
    return r == GYRE_OK && body->holds[0].name[0] ? gy_gas_check_held(gas->def) : r;
}

/// Whether any body of a set holds or gives anything.
static bool has_walled_body(const gyre_gas *gas)
{
    bool walled = false;
    for (int k = 0; k < gas->set.count; k++) {
        walled = walled || names_any(body_of(gas, k)->holds, body_of(gas, k)->gives);
    }
    return walled;
}

// ---- whose walls they are -----------------------------------------------------------------------

static int patch_owner(int patch)
{
    return 6 + patch;
}

static int solid_owner(const gyre_gas *gas, int solid)
{
    return 6 + gas->def->patches.count + solid;
}

/// Of bodies there are owners once any of them holds or gives anything; -1: there are none.
static int body_owner(const gyre_gas *gas, int k)
{
    int owner = 6 + gas->def->patches.count + gas->def->solids.count + k;
    return owner < gas->walls->owner_count ? owner : -1;
}

/// What an owner does to all scalars, over what stands there.
static void put_owner(gyre_gas *gas, int owner, const gyre_amount *holds, const gyre_amount *gives)
{
    gy_gas_walls *w = gas->walls;
    for (int pass = 0; pass < 2; pass++) {
        const gyre_amount *amounts = pass ? gives : holds;
        for (int q = 0; q < GYRE_GAS_WALL && amounts[q].name[0]; q++) {
            int s = gy_gas_scalar_named(gas->def, amounts[q].name);
            w->owners[s * w->owner_count + owner] = (gy_wall_owner){
                .kind = pass ? GY_WALL_GIVES : GY_WALL_HOLDS, .amount = amounts[q].amount};
        }
    }
}

static void put_owners(gyre_gas *gas)
{
    const gyre_gas_def *def = gas->def;
    const gyre_gas_patch *p = def->patches.items;
    const gyre_gas_solid *s = def->solids.items;
    gy_gas_walls *w = gas->walls;
    memset(w->owners, 0, w->owner_bytes);
    for (int side = 0; side < 2 * def->grid.dim; side++) {
        put_owner(gas, side, side_of(def, side)->holds, side_of(def, side)->gives);
    }
    for (int i = 0; i < def->patches.count; i++) {
        const gyre_gas_side *side = side_of(def, p[i].side);
        put_owner(gas, patch_owner(i), side->holds, side->gives);
        put_owner(gas, patch_owner(i), p[i].holds, p[i].gives);
    }
    for (int i = 0; i < def->solids.count; i++) {
        put_owner(gas, solid_owner(gas, i), s[i].holds, s[i].gives);
    }
    for (int k = 0; k < gas->set.count; k++) {
        if (body_owner(gas, k) >= 0) {
            put_owner(gas, body_owner(gas, k), body_of(gas, k)->holds, body_of(gas, k)->gives);
        }
    }
    for (int f = gas->velocities; f < gas->states; f++) {
        w->held[f] = w->fed[f] = false;
        w->most[f] = 0.0f;
        for (int o = 0; o < w->owner_count; o++) {
            const gy_wall_owner *own = &w->owners[(f - gas->velocities) * w->owner_count + o];
            bool holds = own->kind == GY_WALL_HOLDS;
            float size = own->amount < 0.0f ? -own->amount : own->amount;
            w->held[f] = w->held[f] || holds;
            w->fed[f] = w->fed[f] || (own->kind == GY_WALL_GIVES && size > 0.0f);
            w->most[f] = holds && size > w->most[f] ? size : w->most[f];
        }
    }
    gy_device_put(gas->model.device, w->owners, w->owner_bytes);
}

// ---- which cells see them -----------------------------------------------------------------------

typedef struct finder {
    gyre_gas *gas;
    gy_grid_level g;
    gy_wall *cells; // NULL: they are only counted
    int count;
} finder;

static void add(finder *f, const gy_wall *cell)
{
    if (f->cells) {
        f->cells[f->count] = *cell;
    }
    f->count++;
}

/// Whose a face of a side is: the last patch's that has it, or the side's. The domain's own frame.
static int owner_of_face(const finder *f, const gy_solid *shapes, int side, const int cell[3])
{
    const gyre_gas_def *def = f->gas->def;
    const gyre_gas_patch *p = def->patches.items;
    double at[3], h = (double)def->grid.h;
    for (int a = 0; a < 3; a++) {
        at[a] = (double)def->grid.origin[a] + ((double)cell[a] + 0.5) * h;
    }
    at[2] = gy_is_3d(def->grid.dim) ? at[2] : 0.0;
    at[side / 2] =
        (double)def->grid.origin[side / 2] + ((side & 1) ? (double)def->grid.n[side / 2] * h : 0.0);
    for (int i = def->patches.count - 1; i >= 0; i--) {
        if (p[i].enabled && p[i].side == side &&
            (p[i].whole || gy_solid_distance(&shapes[i], at) <= 0.0)) {
            bool wall = p[i].rule == GYRE_GAS_PATCH_AS_SIDE ? is_wall(def, side)
                                                            : gy_gas_patch_shuts(&p[i]);
            return wall ? patch_owner(i) : -1;
        }
    }
    return is_wall(def, side) ? side : -1;
}

/// Whether a side is a wall, or has a patch that is one.
static bool has_wall(const gyre_gas_def *def, int side)
{
    const gyre_gas_patch *p = def->patches.items;
    bool has = is_wall(def, side);
    for (int i = 0; i < def->patches.count; i++) {
        has = has || (p[i].side == side && gy_gas_patch_shuts(&p[i]));
    }
    return has;
}

static bool does_anything(const gyre_gas *gas, int owner)
{
    const gy_gas_walls *w = gas->walls;
    bool does = false;
    for (int s = 0; s < gas->scalars && owner >= 0; s++) {
        does = does || w->owners[s * w->owner_count + owner].kind != GY_WALL_SHUT;
    }
    return does;
}

static void find_side(finder *f, const gy_solid *shapes, int side)
{
    const int *n = f->gas->extent.n, axis = side / 2;
    int low[3] = {0, 0, 0}, high[3] = {n[0], n[1], n[2]}, at[3];
    if (axis >= f->gas->extent.dim || !has_wall(f->gas->def, side)) {
        return;
    }
    low[axis] = (side & 1) ? n[axis] - 1 : 0;
    high[axis] = low[axis] + 1;
    for (at[2] = low[2]; at[2] < high[2]; at[2]++) {
        for (at[1] = low[1]; at[1] < high[1]; at[1]++) {
            for (at[0] = low[0]; at[0] < high[0]; at[0]++) {
                int owner = owner_of_face(f, shapes, side, at);
                if (does_anything(f->gas, owner) &&
                    (f->gas->made_count == 0 || gy_level_fluid(&f->g, at[0], at[1], at[2]))) {
                    gy_wall w = {.at = {at[0], at[1], at[2]},
                                 .owner = owner,
                                 .faces = 1u << side,
                                 .area = 1.0f};
                    w.open[side] = 2.0f;
                    add(f, &w);
                }
            }
        }
    }
}

/// The openness of a face of a cell; -1: it lies on a side that is not periodic.
static float openness(const finder *f, const int cell[3], int face)
{
    int axis = face / 2, at[3] = {cell[0], cell[1], cell[2]};
    at[axis] += face & 1;
    if ((at[axis] == 0 || at[axis] == f->gas->extent.n[axis]) && !(f->gas->periodic >> axis & 1u)) {
        return -1.0f;
    }
    return (float)*gy_coefficient(&f->g, axis, at[0], at[1], at[2]) * (1.0f / GY_UNIT);
}

/// Whether the cell beyond a face holds gas.
static bool fluid_beyond(const finder *f, const int cell[3], int face)
{
    int axis = face / 2, n = f->gas->extent.n[axis], at[3] = {cell[0], cell[1], cell[2]};
    at[axis] = (at[axis] + ((face & 1) ? 1 : n - 1)) % n;
    return gy_level_fluid(&f->g, at[0], at[1], at[2]);
}

/// By which faces a cell sees solids, and how much of their surface is in it, in faces of a cell.
static uint32_t look_round(const finder *f, const int cell[3], float *area)
{
    float open[6], widest[3] = {0, 0, 0}, squares = 0.0f, slits = 0.0f;
    int dim = f->gas->extent.dim;
    uint32_t faces = 0;
    for (int face = 0; face < 2 * dim; face++) {
        open[face] = openness(f, cell, face);
    }
    for (int a = 0; a < dim; a++) {
        // What a side shuts is none of a solid's.
        float low = open[2 * a] < 0.0f ? open[2 * a + 1] : open[2 * a],
              high = open[2 * a + 1] < 0.0f ? low : open[2 * a + 1];
        low = low < 0.0f ? 1.0f : low;
        high = high < 0.0f ? 1.0f : high;
        squares += (high - low) * (high - low);
        widest[a] = low > high ? low : high;
        for (int end = 0; end < 2; end++) {
            bool shut = open[2 * a + end] == 0.0f && !fluid_beyond(f, cell, 2 * a + end);
            faces |= shut ? 1u << (2 * a + end) : 0;
        }
    }
    for (int a = 0; a < dim; a++) {
        // Between two solids their surfaces' vectors cancel.
        float wide = 0.0f;
        for (int b = 0; b < dim; b++) {
            wide = b != a && widest[b] > wide ? widest[b] : wide;
        }
        slits += (faces >> (2 * a) & 3u) == 3u ? 2.0f * wide : 0.0f;
    }
    *area = __builtin_sqrtf(squares) + slits;
    return faces;
}

/// The enabled solid whose surface is nearest to a cell's centre, by its place in gas->made.
static int nearest_made(const gyre_gas *gas, const double at[3])
{
    int nearest = -1;
    double least = 1e30, reach = 3.0 * (double)gas->grid.h;
    for (int q = 0; q < gas->made_count; q++) {
        const gy_solid *s = &gas->made[q];
        bool near = true;
        for (int a = 0; a < gas->extent.dim; a++) {
            near = near && at[a] > s->low[a] - reach && at[a] < s->high[a] + reach;
        }
        double d = near ? gy_solid_distance(s, at) : 1e30;
        if (d < least) {
            least = d;
            nearest = q;
        }
    }
    return nearest;
}

/// No coefficient is more than the inverse of this: surfaces count as at least so far from a
/// cell's centre, in cells. On coarser levels coefficients grow by at most 4/3, and 4 is what 16
/// bits hold.
#define NEAREST 0.345

/// A solid's distance from the centre of the cell beyond a face (6: of the cell itself), in cells.
static double distance_at(const finder *f, const gy_solid *s, const int cell[3], int face)
{
    const gyre_grid *grid = &f->gas->grid;
    double at[3] = {0, 0, 0};
    for (int a = 0; a < grid->dim; a++) {
        double by = face / 2 != a ? 0.0 : (face & 1) ? 1.0 : -1.0;
        at[a] = (double)grid->origin[a] + ((double)cell[a] + 0.5 + by) * (double)grid->h;
    }
    return gy_solid_distance(s, at) / (double)grid->h;
}

/// Whose a cell's surface is, by its place in gas->made; -1: it sees none.
static int made_at(const finder *f, const int at[3], gy_wall *w)
{
    const gyre_gas *gas = f->gas;
    double centre[3] = {0, 0, 0};
    if (!gy_level_fluid(&f->g, at[0], at[1], at[2])) {
        return -1;
    }
    memcpy(w->at, at, sizeof w->at);
    w->faces = look_round(f, at, &w->area);
    if (w->faces == 0 && !(w->area > 0.0f)) {
        return -1;
    }
    for (int a = 0; a < gas->extent.dim; a++) {
        centre[a] = (double)gas->grid.origin[a] + ((double)at[a] + 0.5) * (double)gas->grid.h;
    }
    return nearest_made(gas, centre);
}

/// How often a body is in gas->made: across periodic sides more than once, as are solids.
static int images_of(const gyre_gas *gas, int k)
{
    double shifts[GY_GAS_IMAGES][3];
    return gas->set.bodies[k].enabled ? gy_gas_images(gas, k, shifts) : 0;
}

/// The owner that a solid of gas->made is; -1: it does nothing, as the floor.
static int owner_of_made(const gyre_gas *gas, int made)
{
    int i = 0;
    for (; i < gas->def->solids.count && made >= 0; i++) {
        made -= gy_gas_count_images(gas, i);
    }
    if (made < 0) {
        return solid_owner(gas, i - 1);
    }
    for (i = 0; i < gas->set.count && made >= 0; i++) {
        made -= images_of(gas, i);
    }
    return made < 0 ? body_owner(gas, i - 1) : -1;
}

/// Whether the cell above a face is in the list, too, and has the face there: each has one writer.
static bool is_had_above(const finder *f, const int cell[3], int face)
{
    int axis = face / 2, at[3] = {cell[0], cell[1], cell[2]};
    gy_wall w;
    if (!(face & 1)) {
        return false;
    }
    at[axis] = (at[axis] + 1) % f->gas->extent.n[axis];
    int made = made_at(f, at, &w);
    return made >= 0 && does_anything(f->gas, owner_of_made(f->gas, made));
}

/// How a cell is joined to its surroundings where the solid holds something. Where its centre or
/// its neighbour's lies inside the solid, that one is NEAREST away from the surface by its own
/// faces, and the two are as far from each other as is left.
static void join(const finder *f, const gy_solid *s, gy_wall *w)
{
    double own = distance_at(f, s, w->at, 6);
    for (int face = 0; face < 2 * f->gas->extent.dim; face++) {
        float open = openness(f, w->at, face);
        bool wall = w->faces >> face & 1u;
        if (!wall && (!(open > 0.0f) || is_had_above(f, w->at, face))) {
            continue;
        }
        double there = distance_at(f, s, w->at, face), least = GY_MIN(own, there),
               most = GY_MAX(own, there), far = 1.0;
        if (least < 0.0 && most > 0.0) {
            far = most / (most - least);
        } else if (wall) {
            far = most > 0.0 ? 0.5 : NEAREST;
        }
        far -= !wall && least < 0.0 && most > 0.0 ? NEAREST : 0.0;
        far = wall && own <= 0.0 ? NEAREST : far;
        w->open[face] = (float)(1.0 / GY_MAX(far, NEAREST));
    }
}

/// The cells round a solid of which it is the nearest; made: its place in gas->made.
static void find_solid(finder *f, int made, int owner)
{
    const gyre_gas *gas = f->gas;
    const gy_solid *s = &gas->made[made];
    int low[3] = {0, 0, 0}, high[3] = {1, 1, 1}, at[3];
    double h = (double)gas->grid.h;
    for (int a = 0; a < gas->extent.dim; a++) {
        double from = (s->low[a] - (double)gas->grid.origin[a]) / h - 2.0,
               to = (s->high[a] - (double)gas->grid.origin[a]) / h + 2.0, n = gas->extent.n[a];
        low[a] = from < 0.0 ? 0 : from > n ? (int)n : (int)from;
        high[a] = to < 0.0 ? 0 : to > n ? (int)n : (int)to;
    }
    for (at[2] = low[2]; at[2] < high[2]; at[2]++) {
        for (at[1] = low[1]; at[1] < high[1]; at[1]++) {
            for (at[0] = low[0]; at[0] < high[0]; at[0]++) {
                gy_wall w = {.owner = owner};
                if (made_at(f, at, &w) == made) {
                    join(f, s, &w);
                    add(f, &w);
                }
            }
        }
    }
}

static void find_all(finder *f, const gy_solid *shapes, int first[STRETCHES + 1])
{
    for (int side = 0; side < SOLIDS; side++) {
        first[side] = f->count;
        find_side(f, shapes, side);
    }
    first[SOLIDS] = f->count;
    int made = 0;
    for (int i = 0; i < f->gas->def->solids.count; i++) {
        int owner = solid_owner(f->gas, i);
        bool does = does_anything(f->gas, owner);
        for (int q = gy_gas_count_images(f->gas, i); q > 0; q--, made++) {
            if (does) {
                find_solid(f, made, owner);
            }
        }
    }
    for (int k = 0; k < f->gas->set.count; k++) {
        bool does = does_anything(f->gas, body_owner(f->gas, k));
        for (int q = images_of(f->gas, k); q > 0; q--, made++) {
            if (does) {
                find_solid(f, made, body_owner(f->gas, k));
            }
        }
    }
    first[STRETCHES] = f->count;
}

static gyre_result no_memory(size_t bytes)
{
    return gyre_fail(GYRE_ERROR_MEMORY, "out of memory: %zu bytes for walls that hold or give",
                     bytes);
}

/// Everything that the list follows from, beside the def's sides.
static uint64_t hash_sources(const gyre_gas *gas)
{
    const gyre_gas_def *def = gas->def;
    const gyre_gas_patch *p = def->patches.items;
    const gyre_gas_solid *s = def->solids.items;
    uint64_t hash = gy_hash(&gas->openness, sizeof gas->openness, 1);
    hash = gy_hash(gas->grid.origin, sizeof gas->grid.origin, hash);
    for (int i = 0; i < def->patches.count; i++) {
        int32_t own[4] = {p[i].enabled, p[i].side, p[i].whole, p[i].rule};
        hash = gy_hash(&p[i].shape, sizeof p[i].shape, gy_hash(own, sizeof own, hash));
    }
    for (int i = 0; i < def->solids.count; i++) {
        int32_t own[2] = {s[i].enabled, i};
        hash = gy_hash(own, sizeof own, hash);
        hash = gy_hash(&s[i].shape, sizeof s[i].shape, hash);
        hash = gy_hash(&s[i].pose, sizeof s[i].pose, hash);
    }
    for (int k = 0; k < gas->set.count && body_owner(gas, 0) >= 0; k++) {
        const gy_gas_body *b = &gas->set.bodies[k];
        uint64_t own[2] = {b->points, (uint64_t)b->enabled};
        hash = gy_hash(own, sizeof own, hash);
        hash = gy_hash(&b->pose, sizeof b->pose, hash);
    }
    for (int owner = 0; owner < gas->walls->owner_count; owner++) {
        int32_t does = does_anything(gas, owner);
        hash = gy_hash(&does, sizeof does, hash);
    }
    return hash;
}

/// The patches' shapes made ready, in the room that a list of cells has not taken yet.
static gyre_result list_cells(gyre_gas *gas, gy_solid *shapes)
{
    const gyre_gas_patch *p = gas->def->patches.items;
    gyre_device *device = gas->model.device;
    gy_gas_walls *w = gas->walls;
    for (int i = 0; i < gas->def->patches.count; i++) {
        shapes[i] = gy_solid_make(&p[i].shape, gas->extent.dim);
    }
    finder f = {.gas = gas, .g = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0))};
    find_all(&f, shapes, w->first);
    size_t bytes = (size_t)f.count * sizeof *w->cells;
    if (bytes > w->room) {
        bytes += w->room > 0 ? bytes / 2 : 0;
        gy_wall *cells = gy_device_allocate(device, bytes);
        if (!cells) {
            return no_memory(bytes);
        }
        gy_device_release(device, w->cells, w->room);
        w->cells = cells;
        w->room = bytes;
    }
    f.count = 0;
    f.cells = w->cells;
    if (w->cells) {
        find_all(&f, shapes, w->first);
        gy_device_put(device, w->cells, (size_t)f.count * sizeof *w->cells);
    }
    return GYRE_OK;
}

static gyre_result take_owners(gyre_gas *gas)
{
    gyre_device *device = gas->model.device;
    gy_gas_walls *w = gas->walls;
    // As many as there may come: no step allocates.
    w->bodies = w->bodies || has_walled_body(gas);
    int bodies = w->bodies ? gas->set.room : 0;
    w->owner_count = 6 + gas->def->patches.count + gas->def->solids.count + bodies;
    size_t bytes = (size_t)w->owner_count * (size_t)gas->scalars * sizeof *w->owners;
    if (bytes > w->owner_bytes) {
        gy_wall_owner *owners = gy_device_allocate(device, bytes);
        if (!owners) {
            return no_memory(bytes);
        }
        gy_device_release(device, w->owners, w->owner_bytes);
        w->owners = owners;
        w->owner_bytes = bytes;
    }
    return GYRE_OK;
}

static const gy_op with_walls[] = {GY_OP_wall, GY_OP_seal};

static gyre_result require_walls(const gyre_gas *gas)
{
    gyre_device *device = gas->model.device;
    gyre_result r = gy_device_require(device, "walls that hold or give scalars", with_walls,
                                      GY_COUNT(with_walls));
    return r == GYRE_OK && gas->def->half_scalars
               ? gy_device_require_halves(device, "half_scalars", with_walls, 1)
               : r;
}

gyre_result gy_gas_fill_walls(gyre_gas *gas)
{
    const gyre_host *host = &gas->host;
    if (!gas->walls && !gy_gas_is_walled(gas->def) && !has_walled_body(gas)) {
        return GYRE_OK;
    }
    gyre_result r = require_walls(gas);
    if (r == GYRE_OK && !gas->walls) {
        gas->walls = gy_allocate(host, sizeof *gas->walls, 64);
        r = gas->walls ? GYRE_OK : GYRE_ERROR_MEMORY;
    }
    r = r == GYRE_OK ? take_owners(gas) : r;
    if (r != GYRE_OK) {
        return r;
    }
    put_owners(gas);
    uint64_t made_for = hash_sources(gas);
    if (made_for == gas->walls->made_for) {
        return GYRE_OK;
    }
    size_t bytes = (size_t)GY_MAX(gas->def->patches.count, 1) * sizeof(gy_solid);
    gy_solid *shapes = gy_allocate(host, bytes, 64);
    if (!shapes) {
        return no_memory(bytes);
    }
    r = list_cells(gas, shapes);
    gy_release(host, shapes, bytes);
    gas->walls->made_for = r == GYRE_OK ? made_for : 0;
    return r;
}

void gy_gas_drop_walls(gyre_gas *gas)
{
    if (gas->walls) {
        gy_device_release(gas->model.device, gas->walls->cells, gas->walls->room);
        gy_device_release(gas->model.device, gas->walls->owners, gas->walls->owner_bytes);
        gy_release(&gas->host, gas->walls, sizeof *gas->walls);
        gas->walls = NULL;
    }
}

// ---- in a step ----------------------------------------------------------------------------------

bool gy_gas_is_held(const gyre_gas *gas, int field)
{
    return gas->walls && gas->walls->held[field];
}

bool gy_gas_is_fed_by_walls(const gyre_gas *gas, int field)
{
    return gas->walls && gas->walls->fed[field];
}

bool gy_gas_sees_solid(const gyre_gas *gas)
{
    return gas->walls->first[STRETCHES] > gas->walls->first[SOLIDS];
}

bool gy_gas_sees_wall(const gyre_gas *gas, int side)
{
    return gas->walls && gas->walls->first[side + 1] > gas->walls->first[side];
}

float gy_gas_most_held(const gyre_gas *gas, int field, int *cells)
{
    *cells = gas->walls->first[STRETCHES];
    return gas->walls->most[field];
}

static void run(const gyre_gas *gas, gy_wall_args a, int field)
{
    const gy_gas_walls *w = gas->walls;
    a.base = gas->base;
    a.walls = (uint64_t)(uintptr_t)w->cells;
    a.owners = (uint64_t)(uintptr_t)(w->owners + (field - gas->velocities) * w->owner_count);
    a.extent = gy_gas_extent(gas, field);
    a.periodic = gas->periodic;
    for (int s = 0; s < STRETCHES; s++) {
        gy_box box = gy_box_make(w->first[s + 1], 1, 1);
        box.low[0] = w->first[s];
        if (box.low[0] < box.high[0]) {
            gy_run(gas->model.device, GY_OP_wall, &a, box);
        }
    }
}

void gy_gas_open_walls(const gyre_gas *gas, const gy_system *system, int field)
{
    const int *n = gas->extent.n;
    gy_seal_args a = {.base = gas->base,
                      .pressure = gy_system_offset(&gas->pressure, 0),
                      .level = gy_system_offset(system, 0)};
    gy_run(gas->model.device, GY_OP_seal, &a,
           gy_box_make(n[0] + 1, n[1] + 1, n[2] + (gy_is_3d(gas->extent.dim))));
    run(gas, (gy_wall_args){.work = GY_WALL_OPEN, .level = a.level}, field);
}

void gy_gas_press_walls(const gyre_gas *gas, const gy_system *system, int field)
{
    run(gas, (gy_wall_args){.work = GY_WALL_PRESS, .level = gy_system_offset(system, 0)}, field);
}

void gy_gas_enter_walls(gyre_gas *gas, int field, double sign)
{
    const int *n = gas->extent.n;
    gy_gas_enter_sum(gas, field, GY_GAS_ADDED, gy_box_make(n[0], n[1], n[2]), sign);
    if (gas->through > 0 && gy_gas_counts(gas, field)) {
        gy_tally_args t = {.base = gas->base,
                           .ledgers = gas->through,
                           .partial = {gas->pressure.partial},
                           .tasks = {gy_task_count(GY_OP_measure, gy_box_make(n[0], n[1], n[2]))},
                           .kind = GY_TALLY_ADD,
                           .member = field - gas->velocities,
                           .scale = sign};
        gy_run(gas->model.device, GY_OP_tally, &t, gy_box_make(1, 1, 1));
    }
}

double gy_gas_through_walls(const gyre_gas *gas, int field)
{
    const double *through = (const double *)(const void *)gy_at(gas->base, gas->through);
    if (gas->through == 0) {
        return 0.0;
    }
    through += field - gas->velocities;
    gy_device_fetch(gas->model.device, through, sizeof *through);
    return *through;
}

void gy_gas_give_walls(gyre_gas *gas, int field, float dt)
{
    float by = gy_gas_pace(gas, dt);
    gy_gas_enter_walls(gas, field, -1.0);
    run(gas,
        (gy_wall_args){.work = GY_WALL_GIVE,
                       .field = gas->slot[field],
                       .by = by,
                       .limit = gy_gas_limit(gas, field)},
        field);
    gy_gas_enter_walls(gas, field, 1.0);
}
