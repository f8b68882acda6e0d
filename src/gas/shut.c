// gas/shut.c: the faces through which solids that move, and bodies that may, meet the gas; see
// gas/moving.c for what passes them.
//
// Cost: of each solid the faces in its bounds, about 1 ns each, and about 50 ns for each that it
// shuts; twice that where other solids are near.
#include "base/maths.h"
#include "body/body.h"
#include "gas/moving.h"
#include "ops/system/level.h"
#include "shape/openness.h"
#include "solve/faces.h"

enum { MOST_BESIDE = 32 };

/// Where faces are looked for.
typedef struct finder {
    gyre_gas *gas;
    gy_gas_moving *moving;
    gy_grid_level level;
    gy_face_bits bits;
    bool whole; // no face inside is shut
    int mover;
    int beside[MOST_BESIDE]; // solids near it
    int beside_count;        // -1: there may be more than that
    size_t room;             // faces
    int count;
} finder;

static int wrapped(const gyre_gas *gas, int axis, int i)
{
    int n = gas->extent.n[axis];
    return gas->periodic >> axis & 1u ? (i + n) % n : i;
}

/// A cell in vectors of the finest level, and as a sample; -1: there is no gas.
static int32_t cell_at(const finder *f, const int at[3], uint32_t *sample)
{
    const gyre_gas *gas = f->gas;
    int c[3];
    for (int a = 0; a < 3; a++) {
        c[a] = wrapped(gas, a, at[a]);
        if (c[a] < 0 || c[a] >= gas->extent.n[a]) {
            return -1;
        }
    }
    *sample = (uint32_t)(c[0] + c[1] * gas->extent.sy + c[2] * gas->extent.sz);
    if (!f->whole && !gy_bit(gy_face_bits_fluid(&f->bits, c[1], c[2]), c[0])) {
        return -1;
    }
    int colour = (c[0] + c[1] + c[2]) & 1;
    return (int32_t)(colour * f->level.l->colour_step + gy_level_row(f->level.l, c[1], c[2]) +
                     (c[0] >> 1));
}

/// The part of a face that is shut, but for shut sides of the domain: those are at rest.
static float shut_part(const finder *f, int axis, const int at[3])
{
    const gyre_gas *gas = f->gas;
    bool low = at[axis] == 0, high = at[axis] == gas->extent.n[axis];
    float open = (float)*gy_coefficient(&f->level, axis, at[0], at[1], at[2]) * (1.0f / GY_UNIT);
    if ((low || high) && !(gas->periodic >> axis & 1u)) {
        if (!(gas->open_sides >> (2 * axis + high) & 1u)) {
            return 0.0f;
        }
        open *= 0.5f;
    }
    return 1.0f - open;
}

/// Whether boxes round two solids, `more` larger on each side, meet.
static bool meet(const gyre_gas *gas, const gy_solid *s, const gy_solid *t, double more)
{
    bool meets = true;
    for (int a = 0; a < gas->extent.dim; a++) {
        meets = meets && s->low[a] - more < t->high[a] && t->low[a] < s->high[a] + more;
    }
    return meets;
}

/// Lists the solids that a face near the mover may be nearer to.
static void find_beside(finder *f)
{
    const gyre_gas *gas = f->gas;
    f->beside_count = 0;
    for (int q = 0; q < gas->made_count && f->beside_count >= 0; q++) {
        // A face is looked at within three cells of the one, and counts within two of the other.
        if (q != f->mover &&
            meet(gas, &gas->made[f->mover], &gas->made[q], 6.0 * (double)gas->grid.h)) {
            bool full = f->beside_count == MOST_BESIDE;
            if (!full) {
                f->beside[f->beside_count] = q;
            }
            f->beside_count = full ? -1 : f->beside_count + 1;
        }
    }
}

/// Whether of all solids this one is the nearest to a point.
static bool is_nearest(const finder *f, const double point[3])
{
    const gyre_gas *gas = f->gas;
    int count = f->beside_count < 0 ? gas->made_count : f->beside_count;
    double own = 0.0, h = (double)gas->grid.h;
    bool known = false;
    for (int b = 0; b < count; b++) {
        int q = f->beside_count < 0 ? b : f->beside[b];
        const gy_solid *s = &gas->made[q];
        bool near = q != f->mover;
        for (int a = 0; a < gas->extent.dim && near; a++) {
            near = point[a] > s->low[a] - 2.0 * h && point[a] < s->high[a] + 2.0 * h;
        }
        if (near) {
            own = known ? own : gy_solid_distance(&gas->made[f->mover], point);
            known = true;
            double d = gy_solid_distance(s, point);
            if (d < own || (d == own && q < f->mover)) {
                return false;
            }
        }
    }
    return true;
}

/// What viscosity sees of a velocity across a face. Where the gas slides that is no spin but what
/// of it goes across the surface: else a ball that spins would drag gas along by the steps that
/// the grid makes of it.
static double dragged(const finder *f, int axis, const double point[3], double velocity)
{
    const gy_mover *m = &f->moving->movers[f->mover];
    const gy_solid *s = &f->gas->made[f->mover];
    double normal[3] = {0.0, 0.0, 0.0}, square = 0.0, out = 0.0, by[3];
    if (m->sheet >= 0 || !m->slip ||
        (m->spin[0] == 0.0 && m->spin[1] == 0.0 && m->spin[2] == 0.0)) {
        return velocity;
    }
    gy_mover_velocity(m, point, by);
    for (int a = 0; a < f->gas->extent.dim; a++) {
        double low[3] = {point[0], point[1], point[2]}, high[3] = {point[0], point[1], point[2]};
        low[a] -= 0.25 * (double)f->gas->grid.h;
        high[a] += 0.25 * (double)f->gas->grid.h;
        normal[a] = gy_solid_distance(s, high) - gy_solid_distance(s, low);
        square += normal[a] * normal[a];
        out += normal[a] * (by[a] - m->velocity[a]);
    }
    return m->velocity[axis] + (square > 0.0 ? normal[axis] * out / square : 0.0);
}

/// The middle of a face.
static void face_point(const gyre_gas *gas, int axis, const int at[3], double point[3])
{
    const gyre_grid *g = &gas->grid;
    for (int a = 0; a < 3; a++) {
        double cells = (double)at[a] + (a == axis ? 0.0 : 0.5);
        point[a] = a < gas->extent.dim ? (double)g->origin[a] + cells * (double)g->h : 0.0;
    }
}

/// What a face brings into the gas before it, in a step of pace 1.
static double brings(const gy_gas_face *face, const double velocity[3])
{
    double speed = (double)face->shut * (double)face->velocity, squares = 0.0;
    if ((speed > 0.0 ? face->above : face->below) < 0) {
        return 0.0;
    }
    for (int a = 0; a < 3; a++) {
        squares += velocity[a] * velocity[a];
    }
    return __builtin_fabs(speed) * squares;
}

/// A face of which the mover shuts a part.
static void add_face(finder *f, int axis, const int at[3], const double point[3], float shut)
{
    gyre_gas *gas = f->gas;
    double velocity[3];
    if ((size_t)f->count < f->room) {
        const gy_mover *m = &f->moving->movers[f->mover];
        int b = (axis + 1) % 3, c = (axis + 2) % 3;
        int below[3] = {at[0], at[1], at[2]};
        below[axis]--;
        gy_gas_solid_velocity(gas, m, point, velocity);
        gy_gas_face *face = &f->moving->faces[f->count];
        *face = (gy_gas_face){.mover = (uint16_t)f->mover, .axis = (uint8_t)axis, .shut = shut};
        face->sample = (uint32_t)(at[0] + at[1] * gas->extent.sy + at[2] * gas->extent.sz);
        face->below = cell_at(f, below, &face->cell[0]);
        face->above = cell_at(f, at, &face->cell[1]);
        double cap = (double)gas->def->speed_cap;
        double seen = f->moving->viscous ? dragged(f, axis, point, velocity[axis]) : velocity[axis];
        face->velocity = (float)GY_MAX(GY_MIN(velocity[axis], cap), -cap);
        face->dragged = (float)GY_MAX(GY_MIN(seen, cap), -cap);
        face->arm[0] =
            !gy_is_3d(gas->extent.dim) && b == 2 ? 0.0f : (float)(point[b] - m->centre[b]);
        face->arm[1] =
            !gy_is_3d(gas->extent.dim) && c == 2 ? 0.0f : (float)(point[c] - m->centre[c]);
        f->moving->brought += brings(face, velocity);
    }
    f->count++;
}

static void list_face(finder *f, int axis, const int at[3])
{
    float shut = shut_part(f, axis, at);
    double point[3];
    face_point(f->gas, axis, at, point);
    if (shut > 0.0f && is_nearest(f, point)) {
        add_face(f, axis, at, point, shut);
    }
}

/// The faces of one solid across an axis: those near its bounds.
static void list_faces_across(finder *f, int axis)
{
    const gyre_gas *gas = f->gas;
    const gyre_grid *g = &gas->grid;
    const gy_solid *s = &gas->made[f->mover];
    int low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    for (int a = 0; a < gas->extent.dim; a++) {
        // Of a periodic axis the last face is the first one.
        int last = gas->extent.n[a] - 1 + (a == axis && !(gas->periodic >> a & 1u));
        double from = (s->low[a] - (double)g->origin[a]) / (double)g->h - 2.0;
        double to = (s->high[a] - (double)g->origin[a]) / (double)g->h + 2.0;
        low[a] = from < 0.0 ? 0 : from > last ? last + 1 : (int)from;
        high[a] = to < 0.0 ? -1 : to > last ? last : (int)to;
    }
    for (int k = low[2]; k <= high[2]; k++) {
        for (int j = low[1]; j <= high[1]; j++) {
            const uint16_t *row[2] = {gy_coefficient(&f->level, axis, 0, j, k),
                                      gy_coefficient(&f->level, axis, 1, j, k)};
            const int n = gas->extent.n[axis];
            for (int i = low[0]; i <= high[0]; i++) {
                // On an open side that is one half of what is open.
                int at = axis == 0 ? i : axis == 1 ? j : k;
                if (row[i & 1][i >> 1] != GY_OPEN || at == 0 || at == n) {
                    list_face(f, axis, (const int[3]){i, j, k});
                }
            }
        }
    }
}

/// What points on triangles enclose.
static double enclosed(const gy_figure *f, const float *points)
{
    double sum = 0.0;
    for (int t = 0; t < f->surface.triangle_count; t++) {
        const float *p[3];
        for (int k = 0; k < 3; k++) {
            p[k] = points + 3 * f->triangles[3 * t + k];
        }
        for (int a = 0; a < 3; a++) {
            int b = (a + 1) % 3, c = (a + 2) % 3;
            sum += (double)p[0][a] *
                   ((double)p[1][b] * (double)p[2][c] - (double)p[1][c] * (double)p[2][b]);
        }
    }
    return sum / 6.0;
}

/// A surface that swells goes faster at its skin than at the faces below it, where it is looked up:
/// the faces with gas on one side get what is wanting of the volume that it grows by.
static void match_volume(const finder *f, int first)
{
    const gyre_gas *gas = f->gas;
    const gyre_grid *g = &gas->grid;
    const gy_mover *m = &f->moving->movers[f->mover];
    const gy_solid *s = &gas->made[f->mover];
    if (!m->deforms || (size_t)f->count > f->room) {
        return;
    }
    const gy_figure *figure = gas->model.bodies->figures + m->body;
    bool inside = figure->closed && f->beside_count == 0;
    for (int a = 0; a < 3; a++) {
        double end = (double)g->origin[a] + gas->extent.n[a] * (double)g->h;
        inside = inside && s->low[a] >= (double)g->origin[a] && s->high[a] <= end;
    }
    double grows = enclosed(figure, figure->now) - enclosed(figure, figure->before);
    double wanting = grows / (gas->model.bodies->states[m->body].dt * (double)g->h * (double)g->h);
    double area = 0.0, most = 0.0;
    for (int q = first; q < f->count && inside; q++) {
        const gy_gas_face *face = &f->moving->faces[q];
        double flow = (double)face->shut * (double)face->velocity;
        wanting -= (face->above >= 0 ? flow : 0.0) - (face->below >= 0 ? flow : 0.0);
        most = GY_MAX(most, __builtin_fabs((double)face->velocity));
        area += (face->above >= 0) != (face->below >= 0) ? (double)face->shut : 0.0;
    }
    float more = area > 0.0 ? (float)GY_MAX(GY_MIN(wanting / area, most), -most) : 0.0f;
    for (int q = first; q < f->count && inside; q++) {
        gy_gas_face *face = &f->moving->faces[q];
        if ((face->above >= 0) != (face->below >= 0)) {
            face->velocity += face->above >= 0 ? more : -more;
        }
    }
}

/// The faces of a sheet.
static void list_sheet(finder *f)
{
    const gyre_gas *gas = f->gas;
    const gy_mover *m = &f->moving->movers[f->mover];
    for (int64_t q = 0; q < gy_gas_sheet_faces(gas, m->sheet); q++) {
        int axis, at[3];
        float part = gy_gas_sheet_face(gas, m->sheet, q, &axis, at);
        double point[3];
        if (part <= 0.0f) {
            continue;
        }
        face_point(gas, axis, at, point);
        for (int a = 0; a < gas->extent.dim; a++) {
            // Of all the places that a periodic axis makes of one, the nearest.
            double length = (double)gas->grid.h * gas->extent.n[a];
            while ((gas->periodic >> a & 1u) && point[a] < m->centre[a] - 0.5 * length) {
                point[a] += length;
            }
            while ((gas->periodic >> a & 1u) && point[a] > m->centre[a] + 0.5 * length) {
                point[a] -= length;
            }
        }
        add_face(f, axis, at, point, part);
    }
}

static void list_all(finder *f)
{
    f->count = 0;
    f->moving->brought = 0.0;
    // What sheets shut solids do not.
    gy_gas_lift_sheets(f->gas);
    for (f->mover = 0; f->mover < f->moving->count && f->moving->movers[f->mover].sheet < 0;
         f->mover++) {
        // Those of solids that rest tell what pushes them, which of bodies is asked for, and where
        // the gas slides along them otherwise than its def says.
        const gy_mover *m = &f->moving->movers[f->mover];
        int first = f->count;
        find_beside(f);
        bool counts = m->moves || m->body >= 0 || m->slip != (int32_t)f->gas->def->solid_slip;
        for (int axis = 0; axis < f->gas->extent.dim && counts; axis++) {
            list_faces_across(f, axis);
        }
        match_volume(f, first);
    }
    gy_gas_put_sheets(f->gas);
    for (; f->mover < f->moving->count; f->mover++) {
        if (f->moving->movers[f->mover].moves) {
            list_sheet(f);
        }
    }
}

gyre_result gy_gas_list_faces(gyre_gas *gas)
{
    gy_gas_moving *m = gas->moving;
    if (!m || !m->active) {
        if (m) {
            m->face_count = 0;
            return gy_gas_list_meeting(gas);
        }
        return GYRE_OK;
    }
    finder f = {.gas = gas,
                .moving = m,
                .level = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0)),
                .room = m->face_room / sizeof *m->faces};
    f.whole = !gy_system_faces(&gas->pressure, &f.bits);
    m->viscous = gas->def->viscosity > 0.0f;
    list_all(&f);
    if ((size_t)f.count > f.room) {
        // Next time there are about as many.
        size_t bytes = ((size_t)f.count + (size_t)f.count / 2) * sizeof *m->faces;
        gy_gas_face *faces = gy_device_allocate(gas->model.device, bytes);
        if (!faces) {
            m->face_count = 0;
            gy_gas_list_meeting(gas);
            return gyre_fail(GYRE_ERROR_MEMORY,
                             "out of memory: %zu bytes for the faces of solids that move", bytes);
        }
        gy_device_release(gas->model.device, m->faces, m->face_room);
        m->faces = faces;
        m->face_room = bytes;
        f.room = bytes / sizeof *faces;
        list_all(&f);
    }
    m->face_count = f.count;
    return gy_gas_list_meeting(gas);
}

bool gy_gas_slides_at(const gyre_gas *gas, const double point[3])
{
    const gy_gas_moving *m = gas->moving;
    double least = 1e30, h = (double)gas->grid.h;
    bool slides = gas->def->solid_slip;
    for (int q = 0; m && q < gas->made_count; q++) {
        const gy_solid *s = &gas->made[q];
        bool near = true;
        for (int a = 0; a < gas->extent.dim && near; a++) {
            near = point[a] > s->low[a] - 2.0 * h && point[a] < s->high[a] + 2.0 * h;
        }
        double d = near ? gy_solid_distance(s, point) : least;
        if (d < least) {
            least = d;
            slides = m->movers[q].slip;
        }
    }
    return slides;
}

// ---- those that have come open -----------------------------------------------------------------

static void place_of(const gyre_gas *gas, uint32_t sample, int at[3])
{
    const gy_extent *e = &gas->extent;
    int s = (int)sample;
    at[2] = gy_is_3d(e->dim) ? s / (int)e->sz : 0;
    s -= at[2] * (int)e->sz;
    at[1] = s / (int)e->sy;
    at[0] = s - at[1] * (int)e->sy;
}

static bool is_open_now(const finder *f, const gy_gas_face *face)
{
    int at[3];
    place_of(f->gas, face->sample, at);
    return *gy_coefficient(&f->level, face->axis, at[0], at[1], at[2]) > 0;
}

/// A velocity's open neighbours, as bits -x +x -y +y ...; not those that have come open just now,
/// which hold what stood inside the solid: `fresh` says which.
static uint32_t open_round(const finder *f, const gy_gas_face *face, const uint8_t *fresh)
{
    const gy_extent *e = &f->gas->extent;
    const ptrdiff_t step[3] = {1, e->sy, e->sz};
    uint32_t mask = 0;
    int at[3];
    place_of(f->gas, face->sample, at);
    for (int way = 0; way < 2 * e->dim; way++) {
        int a = way / 2, by = way & 1 ? 1 : -1, next[3] = {at[0], at[1], at[2]};
        next[a] += by;
        if (next[a] < 0 || next[a] > e->n[a] - (a != face->axis)) {
            continue;
        }
        ptrdiff_t there = (ptrdiff_t)face->sample + by * step[a];
        if (!(fresh[there >> 3] >> (there & 7) & 1u) &&
            *gy_coefficient(&f->level, face->axis, next[0], next[1], next[2]) > 0) {
            mask |= 1u << way;
        }
    }
    return mask;
}

/// Room for lists of faces. Of those that slide: sample and mask. In viscous gas of those that
/// stick: places, and velocities.
static gyre_result make_room(gyre_gas *gas)
{
    gy_gas_moving *m = gas->moving;
    gy_gas_list *list = &m->fresh;
    size_t words = m->viscous ? 2 + sizeof(gy_meet_place) / 4 + 1 : 2;
    size_t bytes = (size_t)m->face_count * words * sizeof *list->items;
    if (bytes > list->bytes) {
        size_t room = bytes + bytes / 2 + 4096;
        uint32_t *items = gy_device_allocate(gas->model.device, room);
        if (!items) {
            return gyre_fail(GYRE_ERROR_MEMORY, "out of memory: %zu bytes for faces that come open",
                             bytes);
        }
        gy_device_release(gas->model.device, list->items, list->bytes);
        list->items = items;
        list->bytes = room;
    }
    return GYRE_OK;
}

/// Faces that come open where the gas sticks have the solid's velocity: those of an axis.
static void hold_new_faces(gyre_gas *gas, int axis, const gy_meet_place *places,
                           const float *values, int count)
{
    gy_meet_args a = {.base = gas->base,
                      .places = (uint64_t)(uintptr_t)places,
                      .values = (uint64_t)(uintptr_t)values,
                      .field = gas->slot[axis],
                      .extent = gas->extent,
                      .work = GY_MEET_SET};
    if (count > 0) {
        gy_device_put(gas->model.device, places, (size_t)count * sizeof *places);
        gy_device_put(gas->model.device, values, (size_t)count * sizeof *values);
        gy_run(gas->model.device, GY_OP_meet, &a, gy_box_make(count, 1, 1));
    }
}

/// Notes the faces that were shut and are open now, of which something is to be made, by their
/// numbers; returns how many. -1: no memory.
static int note_new_faces(const finder *f)
{
    gyre_gas *gas = f->gas;
    gy_gas_moving *m = gas->moving;
    gy_gas_pile *notes = &m->meeting.notes; // nobody needs what it holds between two listings
    notes->used = 0;
    int32_t *numbers = gy_gas_pile_take(gas, notes, (size_t)m->face_count * sizeof *numbers);
    int count = 0;
    for (int q = 0; q < m->face_count && numbers; q++) {
        const gy_gas_face *face = &m->faces[q];
        if (face->shut >= 1.0f && (m->movers[face->mover].slip || gy_gas_is_dragged(m, face)) &&
            is_open_now(f, face)) {
            numbers[count++] = q;
        }
    }
    return numbers ? count : -1;
}

gyre_result gy_gas_fill_new_faces(gyre_gas *gas)
{
    gy_gas_moving *m = gas->moving;
    if (!m || !m->any || m->face_count == 0) {
        return GYRE_OK;
    }
    finder f = {.gas = gas,
                .level = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0))};
    size_t bytes;
    // The pressure is lost by what has changed anyway.
    uint8_t *fresh = gy_system_lend(&gas->pressure, 0, &bytes);
    gy_gas_list *list = &m->fresh;
    gyre_result r = make_room(gas);
    if (r != GYRE_OK) {
        return r;
    }
    const int opened = note_new_faces(&f);
    if (opened < 0) {
        return gyre_fail(GYRE_ERROR_MEMORY, "out of memory: %d faces that come open",
                         m->face_count);
    }
    const int32_t *numbers = m->meeting.notes.data;
    size_t faces = (size_t)m->face_count;
    gy_meet_place *places = (gy_meet_place *)(void *)(list->items + 2 * faces);
    float *values = (float *)(void *)(places + faces);
    int count[4] = {0}, stuck[4] = {0};
    for (int axis = 0; axis < gas->velocities; axis++) {
        count[axis + 1] = count[axis];
        stuck[axis + 1] = stuck[axis];
        for (int set = 2; set >= 0; set--) {
            for (int q = 0; q < opened; q++) {
                const gy_gas_face *face = &m->faces[numbers[q]];
                bool slips = m->movers[face->mover].slip;
                if (face->axis != axis) {
                    continue;
                }
                uint8_t *byte = fresh + (face->sample >> 3);
                uint8_t bit = (uint8_t)(1u << (face->sample & 7u));
                uint32_t mask = set == 1 && slips ? open_round(&f, face, fresh) : 0;
                if (set == 2) {
                    *byte |= bit;
                } else if (set == 0) {
                    *byte &= (uint8_t)~bit;
                } else if (!slips) {
                    // Where it sticks the gas has the solid's velocity.
                    values[stuck[axis + 1]] = face->velocity;
                    places[stuck[axis + 1]++] = (gy_meet_place){.place = (int32_t)face->sample};
                } else if (mask) {
                    uint32_t *item = list->items + (ptrdiff_t)2 * count[axis + 1]++;
                    item[0] = face->sample;
                    item[1] = mask;
                }
            }
        }
    }
    gy_device_put(gas->model.device, list->items,
                  (size_t)count[gas->velocities] * 2 * sizeof *list->items);
    for (int axis = 0; axis < gas->velocities; axis++) {
        gy_extend_args a = {.base = gas->base,
                            .list = (uint64_t)(uintptr_t)(list->items + 2 * count[axis]),
                            .field = gas->slot[axis],
                            .extent = gas->extent};
        if (count[axis + 1] > count[axis]) {
            gy_run(gas->model.device, GY_OP_extend, &a,
                   gy_box_make(count[axis + 1] - count[axis], 1, 1));
        }
        hold_new_faces(gas, axis, places + stuck[axis], values + stuck[axis],
                       stuck[axis + 1] - stuck[axis]);
    }
    if (count[gas->velocities] + stuck[gas->velocities] > 0) {
        // Paths of the step to come look across sides.
        gy_gas_list_fields(gas);
        gy_gas_halo(gas, 0, gas->velocities, false, true);
    }
    return GYRE_OK;
}
