// A pond of tiles to put bodies in, and a plain wave step for it: u_tt = c^2 (u_xx + u_yy), faces
// shut where the flags say so.
#ifndef BODY_RIG_H
#define BODY_RIG_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "water/body.h"

typedef struct pond {
    gyre_grid grid;
    gy_tiles tiles;
    gy_water_surface surf;
    gy_bodies *bodies;
    gyre_water_body body[16];
    gyre_pool pool;
    double displaced[16], waiting;
    uint8_t *touched;
} pond;

/// nx by ny cells of edge h over a flat bed at 0, filled to `level`.
static inline void pond_make(pond *p, int nx, int ny, float h, float level, bool wave)
{
    memset(p, 0, sizeof *p);
    p->grid = (gyre_grid){.dim = 2, .n = {nx, ny, 1}, .h = h};
    gy_tiles *t = &p->tiles;
    t->n[0] = nx;
    t->n[1] = ny;
    t->tn[0] = (nx + 63) / 64;
    t->tn[1] = (ny + 63) / 64;
    t->slots = t->used = t->tn[0] * t->tn[1];
    t->slot = malloc(sizeof(int32_t) * (size_t)t->slots);
    t->tile = malloc(sizeof(int32_t) * (size_t)t->slots);
    t->current = calloc((size_t)t->slots, 1);
    t->border = calloc((size_t)t->slots, 1);
    t->edited = calloc((size_t)t->slots, 1);
    t->memory = aligned_alloc(64, (size_t)t->slots * GY_SLOT_BYTES);
    p->touched = calloc((size_t)t->slots, 1);
    memset(t->memory, 0, (size_t)t->slots * GY_SLOT_BYTES);
    for (int k = 0; k < t->slots; k++) {
        t->slot[k] = t->tile[k] = k;
    }
    p->surf = (gy_water_surface){.tiles = t, .grid = &p->grid, .wave = wave, .level = level};
    p->surf.gravity = 9.81f;
    p->surf.density = 1000.0f;
    p->surf.dry = 1e-4f;
    p->surf.touched = p->touched;
    for (int j = 0; j < ny; j++) {
        for (int i = 0; i < nx; i++) {
            int place = 0, slot = gy_tiles_find(t, i, j, &place);
            gy_tile_edit(t, slot, GY_WATER_DEPTH)[place] = wave ? 0.0f : level;
            uint8_t *f = gy_tile_flags(t, slot) + place;
            *f |= (uint8_t)((i == 0 ? GY_CELL_SHUT_X : 0) | (j == 0 ? GY_CELL_SHUT_Y : 0));
            *f |= (uint8_t)((i == nx - 1 ? GY_CELL_SHUT_HIGH_X : 0) |
                            (j == ny - 1 ? GY_CELL_SHUT_HIGH_Y : 0));
        }
    }
    size_t size = gy_bodies_size(&p->grid, 16);
    void *memory = aligned_alloc(64, (size + 63) / 64 * 64);
    p->bodies = gy_bodies_make(&p->grid, 16, memory);
    p->pool = (gyre_pool){.items = p->body, .capacity = 16};
}

static inline void pond_free(pond *p)
{
    free(p->tiles.slot);
    free(p->tiles.tile);
    free(p->tiles.current);
    free(p->tiles.border);
    free(p->tiles.edited);
    free(p->tiles.memory);
    free(p->touched);
    free(p->bodies);
}

static inline float *pond_at(pond *p, int array, int i, int j)
{
    int place = 0, slot = gy_tiles_find(&p->tiles, i, j, &place);
    return (array < GY_WATER_STATE ? gy_tile_edit(&p->tiles, slot, array)
                                   : gy_tile_array(&p->tiles, slot, array)) +
           place;
}

static inline uint8_t *pond_flags(pond *p, int i, int j)
{
    int place = 0, slot = gy_tiles_find(&p->tiles, i, j, &place);
    return gy_tile_flags(&p->tiles, slot) + place;
}

/// A wall along the low x face of column i, for rows j0 to j1.
static inline void pond_wall(pond *p, int i, int j0, int j1)
{
    for (int j = j0; j <= j1; j++) {
        *pond_flags(p, i, j) |= GY_CELL_SHUT_X;
        *pond_flags(p, i - 1, j) |= GY_CELL_SHUT_HIGH_X;
    }
}

static inline double pond_sum(pond *p, int array)
{
    double sum = 0.0;
    for (int j = 0; j < p->grid.n[1]; j++) {
        for (int i = 0; i < p->grid.n[0]; i++) {
            sum += (double)*pond_at(p, array, i, j);
        }
    }
    return sum;
}

/// Metres of depth that are water: what the law is about.
static inline double pond_water(pond *p)
{
    return pond_sum(p, GY_WATER_DEPTH) - pond_sum(p, GY_WATER_DISPLACED);
}

static inline gyre_water_body pond_box(float x, float y, float z, float sx, float sy, float sz)
{
    gyre_water_body b = {.enabled = true, .form = GYRE_BODY_BOX, .density = 500.0f, .waves = 1.0f};
    b.pose.position[0] = x;
    b.pose.position[1] = y;
    b.pose.position[2] = z;
    b.size[0] = sx;
    b.size[1] = sy;
    b.size[2] = sz;
    return b;
}

static inline gyre_result pond_put(pond *p, gyre_water_body body)
{
    p->body[p->pool.count++] = body;
    return gy_bodies_changed(p->bodies, &p->pool);
}

static inline void pond_displace(pond *p)
{
    gy_bodies_displace(p->bodies, &p->surf, &p->pool, p->displaced, &p->waiting);
}

static inline void pond_move(pond *p, float dt)
{
    gy_bodies_move(p->bodies, &p->surf, &p->pool, dt, false);
    gy_bodies_move(p->bodies, &p->surf, &p->pool, dt, true);
}

/// One step of waves of speed c.
static inline void pond_wave(pond *p, float c, float dt)
{
    float h = p->grid.h, pull = c * c * dt / h, flow = dt / h;
    int nx = p->grid.n[0], ny = p->grid.n[1];
    for (int j = 0; j < ny; j++) {
        for (int i = 0; i < nx; i++) {
            uint8_t f = *pond_flags(p, i, j);
            float u = *pond_at(p, GY_WATER_DEPTH, i, j);
            if (!(f & GY_CELL_SHUT_X)) {
                *pond_at(p, GY_WATER_QX, i, j) -=
                    pull * (u - *pond_at(p, GY_WATER_DEPTH, i - 1, j));
            }
            if (!(f & GY_CELL_SHUT_Y)) {
                *pond_at(p, GY_WATER_QY, i, j) -=
                    pull * (u - *pond_at(p, GY_WATER_DEPTH, i, j - 1));
            }
        }
    }
    for (int j = 0; j < ny; j++) {
        for (int i = 0; i < nx; i++) {
            float x = *pond_at(p, GY_WATER_QX, i, j), y = *pond_at(p, GY_WATER_QY, i, j);
            x -= i + 1 < nx ? *pond_at(p, GY_WATER_QX, i + 1, j) : 0.0f;
            y -= j + 1 < ny ? *pond_at(p, GY_WATER_QY, i, j + 1) : 0.0f;
            *pond_at(p, GY_WATER_DEPTH, i, j) += flow * (x + y);
        }
    }
}

#endif
