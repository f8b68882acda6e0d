// gas/rooms.c: the parts of a gas that nothing joins, and what is to come into each of them.
//
//     excess = sum over faces of inflows of U + sum over faces of solids that move of s u_s,
//
// U and s u_s inwards. A room at which an open side is lets it out there. In another the pressure
// has an answer only if it is 0: it is taken off the room's own inflows evenly; where there are
// none the pressure's solver spreads it over the room's own cells (solve/regions.c). Which cell is
// of which room is found when solids change; a count costs a look at each face of those.
#include "gas/gas.h"
#include "gas/moving.h"

/// A room of `rooms`, or of the system.
static gy_room *room_at(gy_gas_rooms *rooms, int index)
{
    return rooms->list ? &rooms->list[index] : &rooms->one;
}

static int count_of(const gy_gas_rooms *rooms)
{
    return rooms->list ? rooms->count : 1;
}

gy_room *gy_gas_room_of(const gyre_gas *gas, gy_gas_rooms *rooms, const int at[3])
{
    int index = rooms->list ? gy_system_room(&gas->pressure, at[0], at[1], at[2]) : 0;
    return index < 0 ? NULL : room_at(rooms, index);
}

/// Adds what a face of a solid that moves takes up of a cell's room; flow: into that.
static void take_up(const gyre_gas *gas, gy_gas_rooms *rooms, uint32_t cell, double flow)
{
    int i = (int)cell, sy = gas->extent.sy, sz = gas->extent.sz;
    int k = gy_is_3d(gas->extent.dim) ? i / sz : 0, j = (i - k * sz) / sy;
    // It holds gas, or it would not be of a face: where there is one room it is that.
    gy_room *room = count_of(rooms) == 1
                        ? room_at(rooms, 0)
                        : gy_gas_room_of(gas, rooms, (const int[3]){i - k * sz - j * sy, j, k});
    if (room) {
        room->taken += flow;
        room->passed += flow < 0.0 ? -flow : flow;
    }
}

gy_gas_rooms gy_gas_count_rooms(const gyre_gas *gas)
{
    gy_gas_rooms rooms = {.one.held = gas->open_sides != 0};
    rooms.list = gy_system_rooms(&gas->pressure, &rooms.count);
    for (int q = 0; q < count_of(&rooms); q++) {
        gy_room *room = room_at(&rooms, q);
        *room = (gy_room){.held = room->held};
    }
    const gy_gas_moving *m = gas->moving;
    for (int q = 0; gy_gas_is_stirred(gas) && q < m->face_count; q++) {
        const gy_gas_face *f = &m->faces[q];
        double flow = (double)f->shut * (double)f->velocity;
        if (!m->movers[f->mover].moves) {
            continue;
        }
        if (f->below >= 0) {
            take_up(gas, &rooms, f->cell[0], -flow);
        }
        if (f->above >= 0) {
            take_up(gas, &rooms, f->cell[1], flow);
        }
    }
    return rooms;
}

void gy_gas_end_side(gy_gas_rooms *rooms)
{
    for (int q = 0; q < count_of(rooms); q++) {
        gy_room *room = room_at(rooms, q);
        room->in += room->side;
        room->side = 0.0;
    }
}

/// What is too much in a room. A solid with gas all round it takes up nothing but rounding, and
/// what sums of floats round to is none of it.
static double excess_of(const gy_room *room)
{
    double taken = room->taken < 0.0 ? -room->taken : room->taken;
    double excess = room->in + (taken > 1e-3 * room->passed ? room->taken : 0.0);
    double most = 1e-6 * ((double)room->fastest * (double)room->faces + room->passed);
    return room->held || (excess <= most && excess >= -most) ? 0.0 : excess;
}

bool gy_gas_weigh_rooms(gyre_gas *gas, gy_gas_rooms *rooms)
{
    double worst = 0.0, h = (double)gas->grid.h;
    bool any = false;
    for (int q = 0; q < count_of(rooms); q++) {
        gy_room *room = room_at(rooms, q);
        double excess = excess_of(room);
        bool worse =
            !room->carried && (excess < 0.0 ? -excess : excess) > (worst < 0.0 ? -worst : worst);
        worst = worse ? excess : worst;
        room->side = room->faces > 0 ? excess / (double)room->faces : 0.0;
        any = any || room->side != 0.0;
    }
    gas->stats.unbalanced = (float)(worst * (gy_is_3d(gas->extent.dim) ? h * h : h));
    return any;
}
