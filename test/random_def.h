// test/random_def.h: any def of any model out of a string of bytes, by the property tables alone: a
// parameter that is added to a table is tried without a line here. The same bytes give the same
// def; where they end all choices are the first.
#ifndef GYRE_TEST_RANDOM_DEF_H
#define GYRE_TEST_RANDOM_DEF_H

#include "gyre/gyre.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- choices ------------------------------------------------------------------------------------

typedef struct dice {
    const uint8_t *at;
    size_t left;
} dice;

static inline unsigned roll_byte(dice *d)
{
    unsigned byte = d->left > 0 ? *d->at++ : 0;
    d->left -= d->left > 0;
    return byte;
}

/// 0 to sides - 1.
static inline int roll(dice *d, int sides)
{
    unsigned r = roll_byte(d);
    if (sides > 256) {
        r = r << 16 | roll_byte(d) << 8 | roll_byte(d);
    }
    return (int)(r % (unsigned)sides);
}

static inline double roll_unit(dice *d)
{
    return (double)(roll_byte(d) << 8 | roll_byte(d)) / 65535.0;
}

/// 10^low to 10^high, of either sign or 0; now and then so small that sums of it are flushed.
static inline double roll_size(dice *d, double low, double high)
{
    int kind = roll(d, 16);
    double size = pow(10.0, low + (high - low) * roll_unit(d));
    return kind == 0 ? 0.0 : kind == 1 ? 1e-30 * size : kind < 6 ? -size : size;
}

// ---- what a def is made of ----------------------------------------------------------------------

/// Where lists and arrays of a def lie, and how large its world is.
typedef struct def_maker {
    dice *d;
    float width[3]; // m
    bool water;
    int most_cells;  // of a gas
    int most_rounds; // substeps, and cycles of a solver
    int rarely;      // one property in so many is not its default
    bool in_shape;
    size_t used;
    _Alignas(64) char room[1 << 17];
    float image[12 * 9 * 5];
    float bed[200 * 200], mask[200 * 200];
} def_maker;

static float tetrahedron[12] = {1, 1, 1, -1, -1, 1, -1, 1, -1, 1, -1, -1};
static float tetrahedron_faces[12] = {0, 1, 3, 0, 2, 1, 0, 3, 2, 1, 2, 3};

static inline void *def_room(def_maker *m, size_t size)
{
    void *at = m->room + m->used;
    m->used += (size + 63) / 64 * 64;
    return m->used <= sizeof m->room ? at : NULL;
}

static inline double in_range(const gyre_property *p, double x)
{
    bool has = p->min != 0.0 || p->max != 0.0;
    x = has && x < p->min ? p->min : x;
    return has && x > p->max ? p->max : x;
}

/// A number that makes sense, for one that is measured in metres some place in the domain or beside
/// it; or the least or the most that is allowed.
static inline double random_number(def_maker *m, const gyre_property *p, int axis)
{
    dice *d = m->d;
    int kind = roll(d, 16);
    if (strcmp(p->name, "max_cycles") == 0 || strcmp(p->name, "max_substeps") == 0) {
        return 1 + roll(d, m->most_rounds);
    }
    if (strcmp(p->name, "tiles") == 0) {
        return roll(d, 8);
    }
    if (kind == 15 || (kind == 14 && p->max > p->min)) {
        return kind == 15 ? p->min : p->max;
    }
    if (strcmp(p->unit, "m") == 0) {
        bool upright = m->water && (axis == 2 || p->count == 1) && kind < 11;
        double x = upright ? 3.0 * roll_unit(d) - 1.5
                           : (double)m->width[axis] * (1.2 * roll_unit(d) - 0.1);
        return in_range(p, kind < 2 ? 0.1 * x : x);
    }
    if (strncmp(p->unit, "deg", 3) == 0) {
        return in_range(p, 720.0 * roll_unit(d) - 360.0);
    }
    if (p->kind == GYRE_INT && p->max > p->min) {
        return floor(in_range(p, p->min + 20.0 * roll_unit(d)));
    }
    if (p->max <= 1.0 && p->max > p->min) {
        return in_range(p, p->min + (p->max - p->min) * roll_unit(d));
    }
    return in_range(p, roll_size(d, -4.0, 2.5));
}

/// Whether a property is to be other than its default: of shapes, all lengths.
static inline bool changes(def_maker *m, const gyre_property *p)
{
    bool shape = m->in_shape && strcmp(p->unit, "m") == 0;
    return shape || roll(m->d, m->rarely) == 0;
}

static inline int count_names(const char *const *names)
{
    int count = 0;
    while (names && names[count]) {
        count++;
    }
    return count;
}

static inline void random_struct(def_maker *m, const gyre_property *table, char *def);

static inline void random_union(def_maker *m, const gyre_property *p, char *address)
{
    int count = 0;
    while (p->properties[count].kind != GYRE_END) {
        count++;
    }
    const gyre_property *chosen = &p->properties[roll(m->d, count)];
    int32_t tag = (int32_t)(chosen - p->properties);
    memcpy(address, &tag, sizeof tag);
    gyre_property_defaults(chosen->properties, address + chosen->offset, chosen->size);
    m->in_shape = true;
    random_struct(m, chosen->properties, address + chosen->offset);
    m->in_shape = false;
}

static inline void random_volume(def_maker *m, const gyre_property *p, char *address)
{
    gyre_volume *v = (void *)address;
    if (strcmp(p->name, "data") == 0 && !(p->flags & GYRE_OPTIONAL)) {
        int image = m->water || m->width[2] <= 0.0f;
        *v = (gyre_volume){m->image, {12, 9, image ? 1 : 5}, NULL};
    } else if (strcmp(p->name, "points") == 0) {
        *v = (gyre_volume){tetrahedron, {3, 4, 1}, NULL};
    } else if (strcmp(p->name, "triangles") == 0) {
        *v = (gyre_volume){tetrahedron_faces, {3, 4, 1}, NULL};
    }
}

/// One element of a pool, all of it random.
static inline void random_element(def_maker *m, const gyre_property *pool, int number, char *to)
{
    gyre_property_defaults(pool->properties, to, pool->size);
    for (const gyre_property *q = pool->properties; q->kind != GYRE_END; q++) {
        if (q->kind == GYRE_STRING && (q->flags & GYRE_NAME)) {
            snprintf(to + q->offset, q->size, "a%d", number);
        }
    }
    int rarely = m->rarely;
    m->rarely = 2;
    random_struct(m, pool->properties, to);
    m->rarely = rarely;
}

static inline void random_pool(def_maker *m, const gyre_property *p, char *address)
{
    gyre_pool *pool = (void *)address;
    int count = roll(m->d, 4);
    pool->items = def_room(m, (size_t)count * p->size);
    for (int i = 0; i < count && pool->items; i++, pool->count++) {
        random_element(m, p, i, (char *)pool->items + (size_t)i * p->size);
    }
}

/// A quaternion of unit length, or all 0; flat: mostly one about z.
static inline void turn_into_unit(float q[4], bool flat)
{
    double length = 0.0;
    if (flat && q[3] >= -0.8f) {
        q[0] = q[1] = 0.0f;
    }
    for (int c = 0; c < 4; c++) {
        length += (double)q[c] * (double)q[c];
    }
    for (int c = 0; c < 4; c++) {
        q[c] = length > 1e-12 ? (float)((double)q[c] / sqrt(length)) : 0.0f;
    }
}

static inline void random_property(def_maker *m, const gyre_property *p, char *address)
{
    for (int c = 0; c < p->count && (p->kind == GYRE_FLOAT || p->kind == GYRE_INT); c++) {
        double x = random_number(m, p, c % 3);
        if (p->kind == GYRE_FLOAT) {
            ((float *)(void *)address)[c] = (float)x;
        } else {
            ((int32_t *)(void *)address)[c] = (int32_t)x;
        }
    }
    if (strcmp(p->name, "orientation") == 0 && p->count == 4) {
        turn_into_unit((float *)(void *)address, m->width[2] <= 0.0f);
    }
    if (p->kind == GYRE_BOOL) {
        *(bool *)address = roll(m->d, 2);
    } else if (p->kind == GYRE_ENUM) {
        *(int32_t *)(void *)address = roll(m->d, count_names(p->names));
    } else if (p->kind == GYRE_STRING && !(p->flags & GYRE_NAME)) {
        snprintf(address, p->size, "a%d", roll(m->d, 2));
    } else if (p->kind == GYRE_AMOUNTS) {
        gyre_amount *list = (void *)address;
        for (int i = 0, count = roll(m->d, 4); i < count; i++) {
            snprintf(list[i].name, sizeof list[i].name, "a%d", i);
            list[i].amount = (float)random_number(m, p->properties, 0);
        }
    } else if (p->kind == GYRE_POOL) {
        random_pool(m, p, address);
    }
}

static inline void random_struct(def_maker *m, const gyre_property *table, char *def)
{
    for (const gyre_property *p = table; p->kind != GYRE_END; p++) {
        if (strcmp(p->name, "grid") == 0) {
            continue;
        }
        if (p->kind == GYRE_STRUCT) {
            random_struct(m, p->properties, def + p->offset);
        } else if (p->kind == GYRE_UNION) {
            random_union(m, p, def + p->offset);
        } else if (p->kind == GYRE_VOLUME) {
            random_volume(m, p, def + p->offset);
        } else if (changes(m, p)) {
            random_property(m, p, def + p->offset);
        }
    }
}

// ---- whole defs ---------------------------------------------------------------------------------

static inline void random_grid(def_maker *m, gyre_grid *grid)
{
    static const int sizes[] = {12, 33, 1, 2, 7, 15, 16, 17, 31, 32, 40, 48, 63, 64, 65, 66};
    dice *d = m->d;
    bool large = roll(d, 8) == 7;
    grid->dim = m->water || roll(d, 2) ? 2 : 3;
    for (int a = 0; a < 3; a++) {
        grid->n[a] = a >= grid->dim ? 1 : sizes[roll(d, 16)] + (large ? 1 + roll(d, 130) : 0);
        if (grid->dim == 3) {
            grid->n[a] = grid->n[a] > 40 ? 21 : grid->n[a];
        }
    }
    if (m->water && roll(d, 8) == 0) {
        grid->n[1] = 1;
    }
    for (int a = 0; !m->water && grid->n[0] * grid->n[1] * grid->n[2] > m->most_cells; a++) {
        grid->n[a % 3] = (grid->n[a % 3] + 1) / 2;
    }
    grid->h = (float)pow(2.0, -roll(d, 6)) * (roll(d, 4) ? 1.0f : 1.1f);
    for (int a = 0; a < 3; a++) {
        m->width[a] = a >= grid->dim ? 0.0f : (float)grid->n[a] * grid->h;
    }
}

/// The first of a wall's scalars gets a name that there is; the others go.
static inline void repair_wall(gyre_amount *holds, gyre_amount *gives, bool wall)
{
    for (int f = 0; f < GYRE_GAS_WALL; f++) {
        bool there[2] = {wall && f == 0 && holds[f].name[0], wall && f == 0 && gives[f].name[0]};
        snprintf(holds[f].name, sizeof holds[f].name, "%s", there[0] ? "temperature" : "");
        snprintf(gives[f].name, sizeof gives[f].name, "%s", there[1] ? "density" : "");
    }
}

/// What there is of walls that hold and give.
static inline void repair_walls(gyre_gas_def *def)
{
    gyre_gas_side *sides = &def->sides.x_low;
    gyre_gas_patch *patches = def->patches.items;
    gyre_gas_solid *solids = def->solids.items;
    for (int s = 0; s < 6; s++) {
        repair_wall(sides[s].holds, sides[s].gives, sides[s].rule <= GYRE_GAS_SIDE_NO_SLIP);
    }
    for (int i = 0; i < def->patches.count; i++) {
        bool wall = sides[patches[i].side].rule <= GYRE_GAS_SIDE_NO_SLIP &&
                    patches[i].rule == GYRE_GAS_PATCH_AS_SIDE;
        repair_wall(patches[i].holds, patches[i].gives, wall);
    }
    for (int i = 0; i < def->solids.count; i++) {
        repair_wall(solids[i].holds, solids[i].gives, true);
    }
}

/// By an open side what leaves is carried, where it is the only opening; by others it is not.
static inline void repair_leaves(gyre_gas_def *def)
{
    gyre_gas_side *sides = &def->sides.x_low;
    int carries = -1;
    for (int s = 0; s < 6; s++) {
        bool open = s < 2 * def->grid.dim && sides[s].rule == GYRE_GAS_SIDE_OPEN;
        carries = carries < 0 && open && sides[s].leaves != GYRE_GAS_LEAVES_FREELY ? s : carries;
        sides[s].leaves = s == carries ? sides[s].leaves : GYRE_GAS_LEAVES_FREELY;
    }
    for (int s = 0; s < 6 && carries >= 0; s++) {
        bool other = s != carries && sides[s].rule == GYRE_GAS_SIDE_OPEN;
        sides[s].rule = other ? GYRE_GAS_SIDE_SLIP : sides[s].rule;
    }
    if (carries >= 0) {
        def->patches.count = 0;
        def->advection = GYRE_GAS_CONSERVATIVE;
    }
}

/// Particles that can be had, and fires of channels that are there.
static inline void repair_tracers_and_fire(gyre_gas_def *def)
{
    gyre_gas_tracers *t = &def->tracers;
    gyre_gas_fire *fire = &def->fire;
    int channels = def->channels.count;
    t->capacity = 3000;
    t->start %= 2000;
    t->diameter = t->diameter < 1e-6f ? 1e-3f : t->diameter;
    t->density = t->density < 1e-3f ? 1000.0f : t->density;
    t->thickness =
        t->thickness > 0.0f ? fminf(fmaxf(t->thickness, 1e-4f * t->diameter), t->diameter) : 0.0f;
    if (t->inertia) {
        memset(def->frame.spin, 0, sizeof def->frame.spin);
    }
    if (fire->fuel[0] && channels == 0) {
        fire->fuel[0] = fire->spent[0] = 0;
    }
    if (fire->fuel[0]) {
        const gyre_gas_channel *c = def->channels.items;
        memcpy(fire->fuel, c[0].name, sizeof fire->fuel);
        if (channels > 1) {
            memcpy(fire->spent, c[1].name, sizeof fire->spent);
        } else {
            fire->spent[0] = 0;
        }
    }
    if (def->advection != GYRE_GAS_CONSERVATIVE || def->velocity != GYRE_GAS_SOLVED ||
        !(def->thermal_expansion > 0.0f)) {
        fire->expansion = 0.0f;
    }
}

/// Surroundings that hold the domain, and clouds of channels that fire has not.
static inline void repair_atmosphere(gyre_gas_def *def)
{
    gyre_gas_atmosphere *a = &def->atmosphere;
    const gyre_gas_channel *c = def->channels.items;
    const gyre_gas_side *sides = &def->sides.x_low;
    if (def->advection != GYRE_GAS_CONSERVATIVE || sides[2].rule == GYRE_GAS_SIDE_PERIODIC) {
        a->layered = false;
    }
    if (!a->layered) {
        return;
    }
    a->lapse = 0.0f;
    def->gravity[0] = def->gravity[2] = 0.0f;
    def->gravity[1] = -9.81f;
    a->vapour[0] = a->water[0] = a->rain[0] = 0;
    if (def->channels.count > 3) {
        memcpy(a->vapour, c[2].name, sizeof a->vapour);
        memcpy(a->water, c[3].name, sizeof a->water);
    }
    if (def->channels.count > 4) {
        memcpy(a->rain, c[4].name, sizeof a->rain);
    }
}

/// Where the velocity is given, what would act on it goes; mostly: refusals are worth a try too.
static inline void repair_given(const def_maker *m, gyre_gas_def *def)
{
    gyre_gas_side *sides = &def->sides.x_low;
    gyre_gas_emitter *emitters = def->emitters.items;
    gyre_gas_patch *patches = def->patches.items;
    memset(&def->frame, 0, sizeof def->frame);
    if (roll(m->d, 8) == 7) {
        return;
    }
    def->floor = false;
    def->forces.count = 0;
    for (int s = 0; s < 6; s++) {
        sides[s].rule = sides[s].rule == GYRE_GAS_SIDE_INFLOW ? GYRE_GAS_SIDE_SLIP : sides[s].rule;
        sides[s].leaves = GYRE_GAS_LEAVES_FREELY;
    }
    for (int i = 0; i < def->emitters.count; i++) {
        emitters[i].push = false;
    }
    for (int i = 0; i < def->patches.count; i++) {
        bool in = patches[i].rule == GYRE_GAS_PATCH_INFLOW;
        patches[i].rule = in ? GYRE_GAS_PATCH_AS_SIDE : patches[i].rule;
    }
}

/// A solver by transforms, where the sizes have the factors of 2, 3, 5 and 7 that it asks for.
static inline void repair_solver(const gyre_grid *grid, int32_t *solver)
{
    for (int a = 0; a < grid->dim && *solver == GYRE_SOLVER_FFT; a++) {
        int rest = grid->n[a];
        for (int f = 2; f <= 7; f++) {
            while (rest % f == 0) {
                rest /= f;
            }
        }
        *solver = rest > 1 ? GYRE_SOLVER_AUTO : *solver;
    }
}

/// Puts right what two properties ask of each other, so that most defs can be run.
static inline void repair_gas(const def_maker *m, gyre_gas_def *def)
{
    gyre_gas_side *sides = &def->sides.x_low;
    gyre_gas_emitter *e = def->emitters.items;
    for (int s = 0; s < 6; s += 2) {
        if ((sides[s].rule == GYRE_GAS_SIDE_PERIODIC) !=
            (sides[s + 1].rule == GYRE_GAS_SIDE_PERIODIC)) {
            sides[s].rule = sides[s + 1].rule = GYRE_GAS_SIDE_PERIODIC;
        }
    }
    for (int i = 0; i < def->emitters.count; i++) {
        // The first two have members of their own as well.
        for (int f = 0; f < GYRE_GAS_FEEDS && e[i].feeds[f].name[0]; f++) {
            if (f >= def->channels.count + 2) {
                e[i].feeds[f] = (gyre_amount){0};
            } else if (f >= def->channels.count) {
                strcpy(e[i].feeds[f].name, f > def->channels.count ? "temperature" : "density");
            }
        }
        if (e[i].channel[0] && e[i].channel[1] - '0' >= def->channels.count) {
            e[i].channel[0] = 0;
        }
    }
    if (def->velocity != GYRE_GAS_SOLVED) {
        repair_given(m, def);
    }
    repair_solver(&def->grid, &def->pressure.solver);
    repair_solver(&def->grid, &def->diffusion.solver);
    repair_leaves(def);
    gyre_gas_patch *p = def->patches.items;
    for (int i = 0; i < def->patches.count; i++) {
        p[i].whole = true;
        p[i].side %= 2 * def->grid.dim;
        def->advection = GYRE_GAS_CONSERVATIVE;
        if (sides[p[i].side].rule == GYRE_GAS_SIDE_PERIODIC ||
            sides[p[i].side].rule == GYRE_GAS_SIDE_OPEN) {
            def->patches.count = i;
        }
        for (int f = 0; f < GYRE_GAS_FEEDS && p[i].carries[f].name[0]; f++) {
            strcpy(p[i].carries[f].name, f ? "temperature" : "density");
            p[i].carries[f].name[0] = f < 2 ? p[i].carries[f].name[0] : 0;
        }
    }
    for (int s = 0; s < 6; s++) {
        def->advection =
            sides[s].rule == GYRE_GAS_SIDE_INFLOW ? GYRE_GAS_CONSERVATIVE : def->advection;
    }
    repair_walls(def);
    gyre_gas_sheet *sheets = def->sheets.items;
    for (int i = 0; i < def->sheets.count; i++) {
        if (sheets[i].form.kind % 2 != (def->grid.dim == 3)) {
            sheets[i] = gyre_gas_default_sheet(def->grid.dim == 3 ? GYRE_GAS_SHEET_PANEL
                                                                  : GYRE_GAS_SHEET_LINE);
        }
    }
    repair_tracers_and_fire(def);
    repair_atmosphere(def);
    def->half_scalars = false;
    int most = m->most_rounds;
    def->max_substeps = def->max_substeps > most ? most : def->max_substeps;
    def->pressure.max_cycles = def->pressure.max_cycles > most ? most : def->pressure.max_cycles;
    def->diffusion.max_cycles = def->diffusion.max_cycles > most ? most : def->diffusion.max_cycles;
    bool direct = def->grid.n[0] * def->grid.n[1] * def->grid.n[2] < 700;
    if (!direct && def->pressure.solver == GYRE_SOLVER_DENSE) {
        def->pressure.solver = GYRE_SOLVER_AUTO;
    }
    if (!direct && def->diffusion.solver == GYRE_SOLVER_DENSE) {
        def->diffusion.solver = GYRE_SOLVER_AUTO;
    }
}

static inline void repair_water(def_maker *m, gyre_water_def *def)
{
    gyre_water_side *sides = &def->sides.x_low;
    gyre_water_edge *e = def->edges.items;
    gyre_water_gate *g = def->gates.items;
    gyre_water_body *bodies = def->bodies.items;
    for (int s = 0; s < 4; s += 2) {
        if ((sides[s].rule == GYRE_WATER_PERIODIC) != (sides[s + 1].rule == GYRE_WATER_PERIODIC)) {
            sides[s].rule = sides[s + 1].rule = GYRE_WATER_PERIODIC;
        }
    }
    for (int i = 0; i < def->edges.count; i++) {
        e[i].side.rule = e[i].side.rule == GYRE_WATER_PERIODIC ? 0 : e[i].side.rule;
    }
    for (int i = 0; i < def->gates.count; i++) {
        g[i].to[0] = g[i].to[1] == g[i].from[1] ? g[i].from[0] + def->grid.h : g[i].to[0];
    }
    def->sea.carries = GYRE_WATER_ALONE; // there is none to be joined to
    def->nonhydrostatic = def->nonhydrostatic && def->mode == GYRE_WATER_SHALLOW;
    for (int i = 0; i < def->bodies.count; i++) {
        for (int a = 0; a < 3; a++) {
            bodies[i].size[a] = fmaxf(bodies[i].size[a], 0.01f);
        }
    }
    def->dust.capacity = 3000;
    def->dust.start %= 2000;
    if (def->mode == GYRE_WATER_DISPERSIVE) {
        for (int a = 0; a < 2; a++) {
            def->grid.n[a] = a == 1 && def->grid.n[a] == 1 ? 1 : def->grid.n[a] > 60 ? 63 : 20;
        }
        def->exact = false;
        def->sleep_height = 0.0f;
        for (int s = 0; s < 4; s++) {
            sides[s].inflow = GYRE_WATER_STAGE;
        }
        for (int i = 0; i < def->edges.count; i++) {
            e[i].side.inflow = GYRE_WATER_STAGE;
        }
    }
    if (!(def->bed.size[0] > 0.0f) || !(def->bed.size[1] > 0.0f)) {
        def->bed.size[0] = def->bed.size[1] = 0.0f;
    }
    def->breaking.fronts %= 100;
    def->breaking.patches = 1 + def->breaking.patches % 2000;
    def->spray.capacity = 1 + def->spray.capacity % 2000;
    def->foam.capacity %= 2000;
    if (def->mode == GYRE_WATER_WAVE) {
        def->breaking.fronts = def->breaking.patches = 0;
        def->spray.capacity = def->foam.capacity = 0;
        def->breaking.fall = def->breaking.splash = 0.0f;
    }
    int n[2] = {def->grid.n[0], def->grid.n[1]}, rough = roll(m->d, 4);
    for (int i = 0; i < n[0] * n[1]; i++) {
        int x = i % n[0], y = i / n[0], a = x % 23 - 11, b = y % 19 - 9;
        m->bed[i] = (float)(a * a + b * b) / 120.0f + (float)((x * 7 + y * 13) % 11) / 64.0f;
        m->mask[i] = (x * 5 + y * 3) % 29 == 0 ? 0.0f : 1.0f;
    }
    if (rough & 1) {
        def->bed.data = (gyre_volume){m->bed, {n[0], n[1], 1}, NULL};
        def->bed.stretch = false;
    }
    if (rough & 2) {
        def->mask = (gyre_volume){m->mask, {n[0], n[1], 1}, NULL};
    }
}

/// A def of "gas" or "water" in `def`, of gyre_model_type_properties()'s size.
static inline void random_def(def_maker *m, const char *type, void *def)
{
    static const int how_rarely[4] = {5, 2, 3, 9};
    size_t size = 0;
    const gyre_property *table = gyre_model_type_properties(type, &size);
    m->water = strcmp(type, "water") == 0;
    m->rarely = how_rarely[roll(m->d, 4)];
    m->in_shape = false;
    m->used = 0;
    for (int i = 0; i < 12 * 9 * 5; i++) {
        m->image[i] = (float)(i * 37 % 60) / 60.0f;
    }
    gyre_grid grid = {.n = {1, 1, 1}};
    random_grid(m, &grid);
    gyre_model_default_def(type, grid.dim, def, size);
    gyre_grid *own = m->water ? &((gyre_water_def *)def)->grid : &((gyre_gas_def *)def)->grid;
    *own = grid;
    random_struct(m, table, def);
    if (m->water) {
        repair_water(m, def);
    } else {
        repair_gas(m, def);
    }
}

#endif
