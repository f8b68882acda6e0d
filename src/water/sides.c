// water/sides.c: what happens at faces with rules: open sides, inflows, edges of pieces that are
// cut out, gates and weirs, absorbing layers.
//
// Linear waves. The discharge q across such a face is stepped by itself:
//   Mur (1981), of q: q_b' = q_i + (nu - 1) / (nu + 1) (q_i' - q_b), q_i the next face inwards;
//   the talk's ghost column, of q: q_b' = (nu q_i + q_b) / (1 + nu), q_i old or new;
//   incoming waves by superposition: the rule holds for q less the incoming q = c u.
// Shallow water. Beyond the face lies a ghost cell whose state follows from the Riemann invariant
// that comes out, u_n + 2 c, and from what is known outside: the level at rest (u_n - 2 c), a
// surface, a discharge.
#include "base/maths.h"
#include "water/breaking.h"

static const float TURN = 6.28318530718f;

const gyre_water_side *gy_water_rule(const gyre_water *w, int rule)
{
    const gyre_water_edge *edges = w->def->edges.items;
    return rule < GY_WATER_SIDES ? &w->def->sides.x_low + rule : &edges[rule - GY_WATER_SIDES].side;
}

static float level_outside(const gyre_water *w, const gyre_water_side *side)
{
    return side->follow_level ? w->def->level : side->level;
}

/// Height of the incoming waves at a time, raised smoothly over the first period.
static float incoming(const gyre_water_side *side, double time)
{
    if (time <= 0.0) {
        return 0.0f;
    }
    double turns = time / (double)side->period, whole = (double)(int64_t)turns;
    float phase = TURN * (float)(turns - whole) + side->phase * (TURN / 360.0f);
    float ramp = turns < 1.0 ? 0.5f - 0.5f * gy_cosf(0.5f * TURN * (float)turns) : 1.0f;
    return side->amplitude * ramp * gy_sinf(phase);
}

// ---- linear waves

/// A cell of the older copy of the state; NULL where there is none.
static const float *old_cell(const gyre_water *w, int array, int i, int j)
{
    int place, slot = gy_tiles_find(&w->tiles, i, j, &place);
    return slot >= 0 ? &gy_tile_state(&w->tiles, slot, array)[place] : NULL;
}

/// The place of a face's discharge: that of the cell above it, or of the high side.
static float *face_q(gyre_water *w, int axis, int i, int j, bool next)
{
    int place, at[2] = {i, j};
    if (at[axis] == w->tiles.n[axis]) {
        return next ? &w->high_next[axis][at[1 - axis]] : &w->high_q[axis][at[1 - axis]];
    }
    int slot = gy_tiles_find(&w->tiles, i, j, &place);
    if (slot < 0) {
        return NULL;
    }
    return next ? &gy_tile_edit_next(&w->tiles, slot, GY_WATER_QX + axis)[place]
                : &gy_tile_edit(&w->tiles, slot, GY_WATER_QX + axis)[place];
}

/// The new discharge of an open face. `q` it has now, `inner` and `inner_new` the next one inwards;
/// all count outwards.
static float leave(int absorber, float nu, float q, float inner, float inner_new)
{
    switch (absorber) {
    case GYRE_WATER_GHOST_OLD:
        return (nu * inner + q) / (1.0f + nu);
    case GYRE_WATER_GHOST_NEW:
        return (nu * inner_new + q) / (1.0f + nu);
    default:
        return inner + (nu - 1.0f) / (nu + 1.0f) * (inner_new - q);
    }
}

static void wave_face(gyre_water *w, const gy_water_job *job, gy_water_face *face, float dt)
{
    const gyre_water_side *side = gy_water_rule(w, face->rule);
    const gy_tiles *t = &w->tiles;
    int axis = face->towards / 2, high = face->towards % 2;
    int i = face->tile % t->tn[0] * GY_WATER_TILE + face->i;
    int j = face->tile / t->tn[0] * GY_WATER_TILE + face->j;
    // Outwards is along the axis at a high face.
    float out = high ? 1.0f : -1.0f, h = w->grid.h, nu, c, q, inner = 0.0f, inner_new = 0.0f;
    int step_x = axis == 0, step_y = axis == 1;
    const float *old = face_q(w, axis, i + high * step_x, j + high * step_y, false);
    float *next = face_q(w, axis, i + high * step_x, j + high * step_y, true);
    const float *u = old_cell(w, GY_WATER_DEPTH, i, j);
    const float *behind =
        old_cell(w, GY_WATER_DEPTH, i + (high ? -step_x : step_x), j + (high ? -step_y : step_y));
    int slot = t->slot[face->tile], place;
    if (!old || !next || slot < 0 || !w->stepping[slot]) {
        face->pass = 0.0f;
        return;
    }
    place = face->j * GY_WATER_TILE + face->i;
    q = out * *old;
    // Where the Earth turns, half the pull has been done, before the turn.
    float turned = gy_water_turns(w) ? job->pull : 0.0f, full = job->pull + turned;
    c = gy_sqrtf(full * h / dt);
    nu = c * dt / h;
    // The next face inwards: the other one of the cell.
    int shut = high ? (axis ? GY_CELL_SHUT_Y : GY_CELL_SHUT_X)
                    : (axis ? GY_CELL_SHUT_HIGH_Y : GY_CELL_SHUT_HIGH_X);
    const float *in = face_q(w, axis, i + !high * step_x, j + !high * step_y, false);
    if (in && behind && !(gy_tile_flags(t, slot)[place] & shut)) {
        // Both count outwards, and so does the difference of heights.
        inner = out * *in + turned * (*u - *behind);
        inner_new = job->keep * (inner - full * (*u - *behind));
    }
    double now = w->extra->clock;
    if (gy_nest_joins(w, face->rule)) {
        q = -gy_nest_discharge(w, face->rule, axis ? i : j);
    } else if (side->rule == GYRE_WATER_INFLOW && side->inflow == GYRE_WATER_DISCHARGE) {
        q = -side->discharge;
    } else if (side->rule == GYRE_WATER_INFLOW && side->inflow == GYRE_WATER_STAGE) {
        q = job->keep * (q - 2.0f * full * (side->level - w->def->level - *u));
    } else {
        bool waves = side->rule == GYRE_WATER_INFLOW;
        // What comes in runs inwards: q = -c u; at the inner face it is h / c later.
        float late = c > 0.0f ? h / c : 0.0f;
        float a = waves ? -c * incoming(side, now) : 0.0f;
        float a_new = waves ? -c * incoming(side, now + (double)dt) : 0.0f;
        float b = waves ? -c * incoming(side, now - (double)late) : 0.0f;
        float b_new = waves ? -c * incoming(side, now + (double)(dt - late)) : 0.0f;
        q = a_new +
            leave(waves ? GYRE_WATER_MUR : side->absorber, nu, q - a, inner - b, inner_new - b_new);
    }
    q = q > 1e8f ? 1e8f : q < -1e8f ? -1e8f : q;
    *next = out * q;
    face->pass = gy_quantize(-job->share * q, job->quantum);
    float *height = &gy_tile_edit_next(t, slot, GY_WATER_DEPTH)[place];
    float before = *height, after = before + face->pass;
    after = after > 1e6f ? 1e6f : after < -1e6f ? -1e6f : after;
    *height = after;
    gy_water_book_rule(w, face->rule, (double)after - (double)before);
}

void gy_water_wave_faces(gyre_water *w, const gy_water_job *job, float dt)
{
    gy_water_face *faces = w->faces.items;
    for (int f = 0; f < w->faces.count; f++) {
        wave_face(w, job, &faces[f], dt);
    }
    for (int f = 0; f < w->faces.count; f++) {
        const gy_water_face *face = &faces[f];
        int axis = face->towards / 2, high = face->towards % 2;
        int at[2] = {face->tile % w->tiles.tn[0] * GY_WATER_TILE + face->i,
                     face->tile / w->tiles.tn[0] * GY_WATER_TILE + face->j};
        if (high && at[axis] + 1 == w->tiles.n[axis]) {
            w->high_q[axis][at[1 - axis]] = w->high_next[axis][at[1 - axis]];
        }
    }
}

// ---- shallow water

typedef struct state {
    float depth, normal, along; // m; m/s outwards and along the face
} state;

/// The ghost's depth and outward velocity when `q` m^2/s run outwards: both carry the invariant
/// u + 2 c that comes out.
static state with_discharge(float invariant, float q, float gravity, float inner)
{
    float depth = inner > 0.0f ? inner : 0.0f;
    float critical = q * q / gravity;
    critical = critical > 0.0f ? gy_powf(critical, 1.0f / 3.0f) : 0.0f;
    // q / d + 2 sqrt(g d) rises with d where the flow is subcritical.
    float low = critical, high = 1e3f + 10.0f * depth;
    for (int n = 0; n < 40; n++) {
        float middle = 0.5f * (low + high);
        float r = q / (middle > 1e-6f ? middle : 1e-6f) + 2.0f * gy_sqrtf(gravity * middle);
        if (r < invariant) {
            low = middle;
        } else {
            high = middle;
        }
    }
    depth = 0.5f * (low + high);
    return (state){depth, depth > 1e-6f ? q / depth : 0.0f, 0.0f};
}

static state beyond(const gyre_water *w, const gyre_water_side *side, state in, float bed)
{
    float g = w->def->gravity, c = gy_sqrtf(g * in.depth), invariant = in.normal + 2.0f * c;
    float outside = level_outside(w, side) - bed;
    outside = outside > 0.0f ? outside : 0.0f;
    if (side->rule == GYRE_WATER_INFLOW && side->inflow == GYRE_WATER_DISCHARGE) {
        return with_discharge(invariant, -side->discharge, g, in.depth);
    }
    if (side->rule == GYRE_WATER_INFLOW && side->inflow == GYRE_WATER_STAGE) {
        float depth = side->level - bed;
        depth = depth > 0.0f ? depth : 0.0f;
        float u = invariant - 2.0f * gy_sqrtf(g * depth);
        return (state){depth, depth > 0.0f ? u : 0.0f, in.along};
    }
    if (in.normal > c) {
        return in; // nothing comes back against the flow
    }
    float rest = gy_sqrtf(g * outside), comes = -2.0f * rest;
    if (side->rule == GYRE_WATER_INFLOW && w->def->mode != GYRE_WATER_DISPERSIVE) {
        float wave = outside + incoming(side, w->extra->clock);
        comes = 2.0f * rest - 4.0f * gy_sqrtf(g * (wave > 0.0f ? wave : 0.0f));
    }
    float u = 0.5f * (invariant + comes), speed = 0.25f * (invariant - comes);
    speed = speed > 0.0f ? speed : 0.0f;
    return (state){g > 0.0f ? speed * speed / g : in.depth, u, in.along};
}

void gy_water_ghosts(gyre_water *w, float dt)
{
    const gy_water_face *faces = w->faces.items;
    gy_tiles *t = &w->tiles;
    (void)dt;
    gy_nest_ghosts(w);
    for (int f = 0; f < w->faces.count; f++) {
        const gy_water_face *face = &faces[f];
        int slot = t->slot[face->tile], axis = face->towards / 2, high = face->towards % 2;
        int place = face->j * GY_WATER_TILE + face->i, other;
        if (slot < 0 || gy_nest_joins(w, face->rule)) {
            continue;
        }
        // A depth that a caller has made less than nothing has no speed of waves.
        float depth = GY_MAX(gy_tile_state(t, slot, GY_WATER_DEPTH)[place], 0.0f);
        float out = high ? 1.0f : -1.0f;
        float bed = gy_tile_array(t, slot, GY_WATER_BED)[place], v[2] = {0.0f, 0.0f};
        for (int a = 0; a < 2 && depth > w->def->dry_depth; a++) {
            v[a] = gy_tile_state(t, slot, GY_WATER_QX + a)[place] / depth;
        }
        state s = {depth, out * v[axis], v[1 - axis]};
        s = beyond(w, gy_water_rule(w, face->rule), s, bed);
        float values[4] = {s.depth, s.depth * out * s.normal, s.depth * s.along, bed};
        if (axis == 1) {
            values[1] = s.depth * s.along;
            values[2] = s.depth * out * s.normal;
        }
        int at[2] = {face->tile % t->tn[0] * GY_WATER_TILE + face->i,
                     face->tile / t->tn[0] * GY_WATER_TILE + face->j};
        if (face->rule < GY_WATER_SIDES) {
            const gy_water_ghost *ghost = &w->ghost[face->rule];
            for (int a = 0; a < 4; a++) {
                ghost->values[(ptrdiff_t)a * ghost->length + at[1 - axis]] = values[a];
            }
            continue;
        }
        at[axis] += high ? 1 : -1;
        slot = gy_tiles_find(t, at[0], at[1], &other);
        for (int a = 0; a < 3 && slot >= 0; a++) {
            gy_tile_edit(t, slot, a)[other] = values[a];
        }
        if (slot >= 0) {
            gy_tile_array(t, slot, GY_WATER_BED)[other] = bed;
        }
    }
}

void gy_water_book_faces(gyre_water *w)
{
    const gy_water_face *faces = w->faces.items;
    for (int f = 0; f < w->faces.count; f++) {
        int slot = w->tiles.slot[faces[f].tile];
        if (slot >= 0 && w->stepping[slot]) {
            gy_water_book_rule(w, faces[f].rule, (double)faces[f].pass);
        }
    }
}

// ---- gates

/// What runs from the higher water (surface a) to the lower (b) per metre, m^2/s: over the crest as
/// over a broad weir, drowned by Villemonte's rule, and under the lid as through an orifice.
static float gate_discharge(const gyre_water_gate *gate, float g, float a, float b, float crest)
{
    float head = a - crest, back = b > crest ? b - crest : 0.0f, gap = gate->lid - crest;
    if (head <= 0.0f || gap <= 0.0f) {
        return 0.0f;
    }
    float drowned = back / head;
    drowned = 1.0f - gy_powf(drowned > 0.0f ? drowned : 1e-20f, 1.5f);
    float weir = 0.5443311f * gy_sqrtf(g) * head * gy_sqrtf(head); // (2/3)^1.5
    weir *= drowned > 0.0f ? gy_powf(drowned, 0.385f) : 0.0f;
    float stream = gate->coefficient * gap, drop = head - (back > stream ? back : stream);
    float orifice = stream * gy_sqrtf(2.0f * g * (drop > 0.0f ? drop : 0.0f));
    return head <= gap || weir < orifice ? weir : orifice;
}

void gy_water_gates(gyre_water *w, const gy_water_job *job, float dt)
{
    const gy_gate_face *faces = w->gates.items;
    const gyre_water_gate *gates = w->def->gates.items;
    const gy_tiles *t = &w->tiles;
    bool wave = w->def->mode == GYRE_WATER_WAVE;
    float fall = w->breaking ? w->def->breaking.fall : 0.0f;
    for (int f = 0; f < w->gates.count; f++) {
        const gyre_water_gate *gate = &gates[faces[f].gate];
        int place[2], slot[2], i = faces[f].i, j = faces[f].j;
        slot[0] = gy_tiles_find(t, i - (faces[f].axis == 0), j - (faces[f].axis == 1), &place[0]);
        slot[1] = gy_tiles_find(t, i, j, &place[1]);
        if (slot[0] < 0 || slot[1] < 0 || !job->stepping[slot[0]] || !job->stepping[slot[1]]) {
            continue;
        }
        float surface[2], bed[2], *next[2];
        for (int s = 0; s < 2; s++) {
            bed[s] = gy_tile_array(t, slot[s], GY_WATER_BED)[place[s]];
            surface[s] = gy_tile_state(t, slot[s], GY_WATER_DEPTH)[place[s]] +
                         (wave ? w->def->level : bed[s]);
            next[s] = &gy_tile_edit_next(t, slot[s], GY_WATER_DEPTH)[place[s]];
        }
        int up = surface[0] >= surface[1] ? 0 : 1;
        float crest = gate->crest;
        crest = crest > bed[0] ? crest : bed[0];
        crest = crest > bed[1] ? crest : bed[1];
        float q = gate_discharge(gate, w->def->gravity, surface[up], surface[1 - up], crest);
        float moved = q * dt / w->grid.h, most = 0.25f * (surface[up] - surface[1 - up]);
        float there = wave ? 1e6f : 0.5f * *next[up];
        // Never so much that the lower one becomes the higher, nor more than is there.
        moved = moved < most ? moved : most;
        moved = gy_quantize(moved < there ? moved : there, job->quantum);
        if (crest - surface[1 - up] > fall && fall > 0.0f && moved > 0.0f &&
            gy_weir_throws(w, &faces[f], up, moved, dt, (float[2]){surface[up], crest}, next[up])) {
            continue;
        }
        *next[up] -= moved;
        *next[1 - up] += moved;
    }
}

// ---- absorbing layers

void gy_water_layers(gyre_water *w, float dt)
{
    const gy_layer_cell *cells = w->layers.items;
    bool wave = w->def->mode == GYRE_WATER_WAVE;
    double booked = 0.0;
    if (w->layers.count > 0) {
        gy_water_fetch(w);
    }
    for (int k = 0; k < w->layers.count; k++) {
        int place, slot = gy_tiles_find(&w->tiles, cells[k].i, cells[k].j, &place);
        if (slot < 0 || !w->stepping[slot]) {
            continue;
        }
        float keep = gy_expf(-cells[k].rate * dt);
        float *depth = &gy_tile_edit(&w->tiles, slot, GY_WATER_DEPTH)[place];
        float bed = gy_tile_array(&w->tiles, slot, GY_WATER_BED)[place], rest = 0.0f;
        if (!wave) {
            rest = level_outside(w, gy_water_rule(w, cells[k].rule)) - bed;
            rest = rest > 0.0f ? rest : 0.0f;
        }
        float old = *depth, now = rest + keep * (old - rest);
        *depth = w->def->exact ? gy_water_round(w, (double)now) : now;
        booked += (double)*depth - (double)old;
        gy_tile_edit(&w->tiles, slot, GY_WATER_QX)[place] *= keep;
        gy_tile_edit(&w->tiles, slot, GY_WATER_QY)[place] *= keep;
    }
    gy_water_book(w, GY_LINE_LAYERS, booked);
}
