// gas/meet.c: what solids that move do to the gas, in lists that are made when they have moved and
// run as ops wherever the gas lies: velocities at faces that are shut, what passes into cells, and
// what viscosity sees (gas/stick.c). The equations stand in gas/moving.c and gas/ops/meet.c.
//
// Cost: about 20 ns a face when solids have moved, and 16 bytes a place and 4 a term; then 1 ns a
// face and projection.
#include "base/maths.h"
#include "gas/moving.h"
#include "ops/system/level.h"
#include "solve/solvers.h"
#include <string.h>

/// What is noted before it is known which places there are.
typedef struct note {
    int32_t place;
    uint32_t sample;
    union {
        float term;
        uint32_t index;
    } what;
} note;

void *gy_gas_pile_take(gyre_gas *gas, gy_gas_pile *p, size_t bytes)
{
    if (!p->data || p->used + bytes > p->bytes) {
        size_t size = GY_MAX(p->used + bytes, GY_MAX(p->bytes + p->bytes / 2, (size_t)4096));
        void *data = gy_allocate(&gas->host, size, 64);
        if (!data) {
            return NULL;
        }
        if (p->used > 0) {
            memcpy(data, p->data, p->used);
        }
        gy_release(&gas->host, p->data, p->bytes);
        p->data = data;
        p->bytes = size;
    }
    void *at = (char *)p->data + p->used;
    p->used += bytes;
    return at;
}

void gy_gas_pile_drop(gyre_gas *gas, gy_gas_pile *p)
{
    gy_release(&gas->host, p->data, p->bytes);
    *p = (gy_gas_pile){0};
}

void gy_gas_note_term(gyre_gas *gas, int32_t place, uint32_t sample, float term)
{
    gy_gas_meeting *t = &gas->moving->meeting;
    note *n = gy_gas_pile_take(gas, &t->notes, sizeof *n);
    t->lacks = t->lacks || !n;
    if (n) {
        *n = (note){place, sample, {.term = term}};
    }
}

void gy_gas_note_index(gyre_gas *gas, int32_t place, uint32_t index)
{
    gy_gas_meeting *t = &gas->moving->meeting;
    note *n = gy_gas_pile_take(gas, &t->notes, sizeof *n);
    t->lacks = t->lacks || !n;
    if (n) {
        *n = (note){place, 0, {.index = index}};
    }
}

/// Where of each place in vectors of the finest level its number can stand meanwhile. The pressure
/// there is no state: a solve begins from 0.
static int32_t *numbers_of(const gyre_gas *gas)
{
    return (int32_t *)(void *)gy_at(gas->base, gy_system_level(&gas->pressure, 0)->x);
}

/// Groups the notes by place, in the order in which places come, and the terms of one as they were
/// noted.
void gy_gas_end_list(gyre_gas *gas, gy_gas_places *list)
{
    gy_gas_meeting *t = &gas->moving->meeting;
    const note *notes = t->notes.data;
    int32_t *number = numbers_of(gas);
    size_t count = t->notes.used / sizeof *notes, first = t->made.used / sizeof(gy_meet_place);
    size_t begun = t->parts.used / sizeof(float);
    *list = (gy_gas_places){.first = (int)first};
    float *terms = gy_gas_pile_take(gas, &t->parts, count * sizeof *terms);
    gy_meet_place *places = gy_gas_pile_take(gas, &t->made, count * sizeof *places);
    t->lacks = t->lacks || !terms || !places;
    t->notes.used = 0;
    if (t->lacks) {
        return;
    }
    for (size_t q = 0; q < count; q++) {
        number[notes[q].place] = 0;
    }
    for (size_t q = 0; q < count; q++) {
        int32_t *n = &number[notes[q].place];
        if (*n == 0) {
            places[list->count++] =
                (gy_meet_place){.place = notes[q].place, .sample = notes[q].sample};
            *n = list->count;
        }
        places[*n - 1].count++;
    }
    for (int p = 0; p < list->count; p++) {
        places[p].first = (uint32_t)begun;
        begun += places[p].count;
        places[p].count = 0;
    }
    size_t base = t->parts.used / sizeof(float) - count;
    for (size_t q = 0; q < count; q++) {
        gy_meet_place *p = &places[number[notes[q].place] - 1];
        memcpy(&terms[p->first + p->count++ - base], &notes[q].what, sizeof *terms);
    }
    for (size_t q = 0; q < count; q++) {
        number[notes[q].place] = 0;
    }
    t->made.used -= (count - (size_t)list->count) * sizeof *places;
}

/// Velocities of faces that solids shut whole: each face is one solid's.
static void list_puts(gyre_gas *gas, int axis)
{
    gy_gas_moving *m = gas->moving;
    gy_gas_meeting *t = &m->meeting;
    gy_gas_places *list = &t->put[axis];
    *list = (gy_gas_places){.first = (int)(t->made.used / sizeof(gy_meet_place))};
    size_t most = m->any ? (size_t)m->face_count : 0;
    uint32_t first = (uint32_t)(t->parts.used / sizeof(float));
    gy_meet_place *places = gy_gas_pile_take(gas, &t->made, most * sizeof *places);
    float *values = gy_gas_pile_take(gas, &t->parts, most * sizeof *values);
    t->lacks = t->lacks || !places || !values;
    for (size_t q = 0; q < most && !t->lacks; q++) {
        const gy_gas_face *f = &m->faces[q];
        const gy_mover *mover = &m->movers[f->mover];
        if (f->axis != axis || !(f->shut >= 1.0f || mover->sheet >= 0) || !mover->moves) {
            continue;
        }
        values[list->count] = f->velocity;
        places[list->count] = (gy_meet_place){
            .place = (int32_t)f->sample, .count = 1, .first = first + (uint32_t)list->count};
        list->count++;
    }
    size_t spare = most - (size_t)list->count;
    t->made.used -= places ? spare * sizeof *places : 0;
    t->parts.used -= values ? spare * sizeof *values : 0;
}

static void list_flow(gyre_gas *gas)
{
    gy_gas_moving *m = gas->moving;
    m->next[0] = m->next[1] = 0.0;
    for (int q = 0; q < m->face_count && m->any; q++) {
        const gy_gas_face *f = &m->faces[q];
        float flow = f->shut * f->velocity;
        if (!m->movers[f->mover].moves) {
            continue;
        }
        if (f->below >= 0) {
            gy_gas_note_term(gas, f->below, f->cell[0], -flow);
        }
        if (f->above >= 0) {
            gy_gas_note_term(gas, f->above, f->cell[1], flow);
        }
        m->next[1] += (double)(flow < 0.0f ? -flow : flow);
        m->next[0] += f->above >= 0 ? (double)flow : 0.0;
        m->next[0] -= f->below >= 0 ? (double)flow : 0.0;
    }
    gy_gas_end_list(gas, &m->meeting.flow);
}

/// The lists where ops see them.
static gyre_result hand_over(gyre_gas *gas)
{
    gy_gas_meeting *t = &gas->moving->meeting;
    gyre_device *device = gas->model.device;
    // Doubles first, that all are aligned.
    size_t grown = (size_t)t->flow.count * sizeof(double);
    size_t bytes = grown + t->made.used + t->parts.used;
    if (!t->lacks && bytes > t->bytes) {
        // Solids that move have about as many next time.
        size_t room = bytes + bytes / 2 + 4096;
        void *memory = gy_device_allocate(device, room);
        t->lacks = !memory;
        if (memory) {
            gy_device_release(device, t->memory, t->bytes);
            t->memory = memory;
            t->bytes = room;
        }
    }
    if (t->lacks) {
        return gyre_fail(GYRE_ERROR_MEMORY, "out of memory: %zu bytes for what solids that move do",
                         bytes);
    }
    if (bytes == 0) {
        return GYRE_OK;
    }
    t->grown = t->memory;
    t->places = (gy_meet_place *)(void *)((char *)t->memory + grown);
    t->terms = (float *)(void *)((char *)t->memory + grown + t->made.used);
    if (t->made.used > 0) {
        memcpy(t->places, t->made.data, t->made.used);
    }
    if (t->parts.used > 0) {
        memcpy(t->terms, t->parts.data, t->parts.used);
    }
    gy_device_put(device, t->places, t->made.used + t->parts.used);
    return GYRE_OK;
}

/// Which faces are whose, and the faces themselves.
static void put_faces(gyre_gas *gas)
{
    gy_gas_moving *m = gas->moving;
    memset(m->ranges, 0, (size_t)m->room * 2 * sizeof *m->ranges);
    for (int q = 0; q < m->face_count; q++) {
        gy_gas_face *f = &m->faces[q];
        f->kind = (uint8_t)((m->movers[f->mover].sheet >= 0 ? GY_FACE_SHEET : 0) |
                            (gy_gas_is_dragged(m, f) ? GY_FACE_DRAGGED : 0));
        uint32_t *range = m->ranges + (size_t)2 * m->faces[q].mover;
        range[0] = range[1] == 0 ? (uint32_t)q : range[0];
        range[1]++;
    }
    gy_device_put(gas->model.device, m->ranges, (size_t)m->count * 2 * sizeof *m->ranges);
    gy_device_put(gas->model.device, m->faces, (size_t)m->face_count * sizeof *m->faces);
}

gyre_result gy_gas_list_meeting(gyre_gas *gas)
{
    gy_gas_moving *m = gas->moving;
    gy_gas_meeting *t = &m->meeting;
    t->notes.used = t->made.used = t->parts.used = 0;
    t->lacks = false;
    memset(t->put, 0, sizeof t->put);
    memset(t->drag, 0, sizeof t->drag);
    memset(t->fit, 0, sizeof t->fit);
    for (int axis = 0; axis < gas->extent.dim; axis++) {
        list_puts(gas, axis);
    }
    list_flow(gas);
    if (m->viscous) {
        gy_gas_list_drag(gas);
    }
    gyre_result r = hand_over(gas);
    if (r != GYRE_OK) {
        memset(t->put, 0, sizeof t->put);
        memset(t->drag, 0, sizeof t->drag);
        memset(t->fit, 0, sizeof t->fit);
        t->flow = (gy_gas_places){0};
    }
    put_faces(gas);
    return r;
}

void gy_gas_drop_meeting(gyre_gas *gas)
{
    gy_gas_meeting *t = &gas->moving->meeting;
    gy_device_release(gas->model.device, t->memory, t->bytes);
    gy_gas_pile_drop(gas, &t->notes);
    gy_gas_pile_drop(gas, &t->made);
    gy_gas_pile_drop(gas, &t->parts);
    *t = (gy_gas_meeting){0};
}

void gy_gas_run_meet(gyre_gas *gas, const gy_gas_places *list, gy_meet_args a)
{
    const gy_gas_meeting *t = &gas->moving->meeting;
    if (list->count > 0) {
        a.base = gas->base;
        a.places = (uint64_t)(uintptr_t)(t->places + list->first);
        a.terms = (uint64_t)(uintptr_t)t->terms;
        gy_run(gas->model.device, GY_OP_meet, &a, gy_box_make(list->count, 1, 1));
    }
}

void gy_gas_put_solid_velocity(gyre_gas *gas, int field)
{
    if (field < gas->velocities && gy_gas_is_stirred(gas)) {
        gy_gas_run_meet(
            gas, &gas->moving->meeting.put[field],
            (gy_meet_args){.work = GY_MEET_SET, .field = gas->slot[field], .extent = gas->extent});
        if (gas->moving->viscous) {
            gy_gas_mirror(gas, field);
        }
    }
}

/// What passes faces, into b; what swells there is forgotten. grows: b's squares are looked at.
static void add_flow(gyre_gas *gas, const gy_divergence_args *d, bool grows)
{
    gy_gas_moving *m = gas->moving;
    gy_meet_args a = {.work = GY_MEET_ADD, .level = gy_system_offset(&gas->pressure, 0)};
    m->squeezed = m->next[0];
    m->passed = m->next[1];
    a.swelling = d ? d->swelling : 0;
    a.let = d ? d->let : 0.0f;
    a.values = grows ? (uint64_t)(uintptr_t)m->meeting.grown : 0;
    gy_gas_run_meet(gas, &m->meeting.flow, a);
}

double gy_gas_add_solid_flow(gyre_gas *gas, const gy_divergence_args *d, int *tasks)
{
    double change = 0.0;
    if (!gy_gas_is_stirred(gas)) {
        return 0.0;
    }
    const gy_gas_meeting *t = &gas->moving->meeting;
    add_flow(gas, d, !gas->pending);
    if (gas->pending) {
        *tasks = gy_vector_dot_run(&gas->pressure, gy_system_level(&gas->pressure, 0)->b,
                                   gy_system_level(&gas->pressure, 0)->b);
        return 0.0;
    }
    gy_device_fetch(gas->model.device, t->grown, (size_t)t->flow.count * sizeof *t->grown);
    for (int q = 0; q < t->flow.count; q++) {
        change += t->grown[q];
    }
    return change;
}

double gy_gas_stirred_divergence(gyre_gas *gas, double *most)
{
    const gy_system *system = &gas->pressure;
    const gy_level *l = gy_system_level(system, 0);
    const float *b = gy_at(gas->base, l->b);
    const int *n = gas->extent.n;
    add_flow(gas, NULL, false);
    gy_device_fetch(gas->model.device, gy_system_vector_start(system, l->b),
                    gy_system_vector_bytes(system));
    double sum = 0.0;
    *most = 0.0;
    for (int k = 0; k < n[2]; k++) {
        for (int j = 0; j < n[1]; j++) {
            for (int i = 0; i < n[0]; i++) {
                ptrdiff_t at = ((i + j + k) & 1) * (ptrdiff_t)l->colour_step +
                               gy_level_row(l, j, k) + (i >> 1);
                double x = (double)b[at];
                sum += x * x;
                *most = GY_MAX(*most, x < 0.0 ? -x : x);
            }
        }
    }
    return sum;
}

/// Adds up a push of one kind.
static void run_push(gyre_gas *gas, gy_push_args a)
{
    const gy_gas_moving *m = gas->moving;
    if (m && m->active && m->face_count > 0) {
        a.base = gas->base;
        a.faces = (uint64_t)(uintptr_t)m->faces;
        a.ranges = (uint64_t)(uintptr_t)m->ranges;
        a.sums = (uint64_t)(uintptr_t)m->sums;
        a.extent = gas->extent;
        a.periodic = gas->periodic;
        gy_run(gas->model.device, GY_OP_push, &a, gy_box_make(m->count, 1, 1));
    }
}

void gy_gas_note_push(gyre_gas *gas, uint32_t potential, float factor)
{
    if (potential != 0) {
        run_push(gas, (gy_push_args){
                          .work = GY_PUSH_POTENTIAL, .field = potential, .factor = (double)factor});
    }
}

void gy_gas_note_stress(gyre_gas *gas, const gy_system *system, int axis, float by)
{
    // Impulses are counted in velocities times a cell.
    run_push(gas, (gy_push_args){.work = GY_PUSH_STRESS,
                                 .level = gy_system_offset(system, 0),
                                 .axis = axis,
                                 .factor = (double)by});
}

void gy_gas_note_cut(gyre_gas *gas, int axis, double sign)
{
    run_push(gas, (gy_push_args){
                      .work = GY_PUSH_CUT, .field = gas->slot[axis], .axis = axis, .factor = sign});
}
