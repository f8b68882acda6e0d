// water/body.h: bodies in water: what they displace, and what the water does to them.
//
// A column's depth counts from the bed to the surface, whatever stands in it; what of it bodies
// take up is kept beside it (GY_WATER_DISPLACED). When that changes, the difference is not put on
// top of the column: it is handed out across open faces to the water near the body, under it and
// round it, in a smooth shape (water/body_surface.c says which, and why no other), or taken from
// there. The volume of water is the sum of depths less the sum of what is displaced.
//
// All state is in the tiles and the pool: lists of one step are made anew in the next, so that a
// saved and loaded model goes on with the same bits. A column that displaced water must keep its
// tile's memory. A body's share of 1 - waves goes to every cell that is wet, whether it is
// connected or not, and costs a pass over all tiles.
//
// Sides that are joined (periodic) bodies cross: a column and the water near a body are counted on
// beyond the side from the body's own place, and found round the domain; so a body that lies across
// the seam is one body, with one plane. A body whose place has left comes in by whole periods. One
// so large that the water near it (1.4 times its width, and six cells) would meet itself finds
// walls.
#ifndef GY_WATER_BODY_H
#define GY_WATER_BODY_H

#include "gyre/water.h"
#include "water/tiles.h"

/// What bodies need to know of the water round them.
typedef struct gy_water_surface {
    gy_tiles *tiles;
    const gyre_grid *grid;
    bool wave;               // mode: depth counts from `level`, not from the bed
    float level;             // m, mode wave
    float gravity;           // m/s^2
    float density;           // kg/m^3 of water
    float dry;               // m
    float quantum;           // above 0: all that is moved is whole multiples of it
    const float *const *sea; // NULL, or height, m, and velocity, m/s, of a sea that it lies in, as
                             // arrays over the grid's cells, x fastest: added to the water's own
    uint8_t *touched;        // per slot: set to 1 where a depth was changed
} gy_water_surface;

/// All bodies' scratch memory; made once, since a step allocates nothing.
typedef struct gy_bodies gy_bodies;

/// Bytes for up to `most` bodies on a grid, and the making of it in memory of that size, aligned
/// to 64. Points and triangles of the bodies are the caller's.
size_t gy_bodies_size(const gyre_grid *grid, int most);
gy_bodies *gy_bodies_make(const gyre_grid *grid, int most, void *memory);

/// Says which axes have joined sides; until then none.
void gy_bodies_join(gy_bodies *bodies, bool x, bool y);

/// Says whether the water's waves are those of deep water: then a body meets them as deep as it
/// floats.
void gy_bodies_deepen(gy_bodies *bodies, bool deep);

/// Tells that bodies came, went or changed their form, or that tiles were filled anew.
/// GYRE_ERROR_ARGUMENT: a body with no volume, a hull or mesh that is not closed or turned inside
/// out, points that are not finite; bodies that are too large for the grid (one may be about 350
/// cells across, all together may cover 131072); a hull of more than 512 points.
gyre_result gy_body_check(const gyre_water_body *body, const char *path);
gyre_result gy_bodies_changed(gy_bodies *bodies, const gyre_pool *pool);
/// The form of one body has changed where it is: its points lie elsewhere.
gyre_result gy_bodies_renew(gy_bodies *bodies, const gyre_pool *pool, int index, const char *path);

/// Brings what is displaced in line with where the bodies are and moves the difference away. What
/// cannot be moved now (no open water within reach, or too little of it) waits. Volumes in m^3:
/// `displaced[b]` is what body b displaces now, `waiting` what is still to be moved (positive: to
/// be pushed out), so that sum of displaced = sum of GY_WATER_DISPLACED * h^2 + waiting.
void gy_bodies_displace(gy_bodies *bodies, const gy_water_surface *surf, const gyre_pool *pool,
                        double *displaced, double *waiting);

/// Where waves are deep: the water round bodies that move freely is looked at once more, after the
/// flow, and from then on the mean of both counts. What pushed them as the water was before would
/// do work on them that the water does not lose, by half a step.
void gy_bodies_read_again(gy_bodies *bodies, const gy_water_surface *surf, const gyre_pool *pool);

/// Advances the poses and velocities of bodies that are not held by dt under weight, buoyancy,
/// drag, added mass and the caller's own forces, in steps short enough to be stable; held ones
/// move by their velocities. Bodies stay finite and between the lowest bed and 1e6 m. In two calls:
/// first those round which displace has found water, whose lists stand; then, `late`, the others,
/// for which lists are made anew.
void gy_bodies_move(gy_bodies *bodies, const gy_water_surface *surf, gyre_pool *pool, float dt,
                    bool late);
/// Which of the two calls body `index` belongs to.
bool gy_bodies_is_late(const gy_bodies *bodies, int index);

/// How another moves a body, and what the water adds to that.
typedef struct gy_body_push {
    double velocity[3], spin[3]; // m/s, of the centre of mass; rad/s: at the step's beginning
    double gravity[3];           // m/s^2
    double force[3], torque[3];  // N, N m: what else acts
    double by[3], turn[3];       // N, N m, in the mean over the step: the answer
} gy_body_push;

/// What the water does to a body of the pool that another moves by `velocity += dt force / mass,
/// position += dt velocity` and the same in turning, between displace and the end of the step. The
/// forces are those by which it gets the velocities that it would get in the shorter steps of
/// gy_bodies_move; where these are several, the mean of theirs.
void gy_bodies_push(gy_bodies *bodies, const gy_water_surface *surf, const gyre_pool *pool,
                    int index, float dt, gy_body_push *push);

/// Forgets what displace has found.
void gy_bodies_forget(gy_bodies *bodies);

/// Whether a body reaches beyond joined sides, as its pose has it.
bool gy_bodies_cross(const gy_bodies *bodies, const gyre_pool *pool, int index);
/// Moves the pose of body `index` by whole periods to where its place lies in the domain.
void gy_bodies_bring_in(const gy_bodies *bodies, int index, gyre_pose *pose);
/// How much of the water's surface body `index` cuts, m^2, between displace and forget.
double gy_bodies_cut(const gy_bodies *bodies, int index);

/// The surface of body `index` of the pool in the world, in the bodies' scratch memory: valid until
/// the next call that takes them. GYRE_ERROR_MEMORY: a mesh of more points than there is room for.
gyre_result gy_bodies_mesh(const gy_bodies *bodies, const gyre_pool *pool, int index,
                           gyre_mesh *mesh);

void gy_body_report(const gy_bodies *bodies, const gy_water_surface *surf,
                    const gyre_water_body *body, gyre_body_report *report);

#endif
