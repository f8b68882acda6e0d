// gas/moving.h: solids that move, and the faces through which they meet the gas. There only while
// some solid moves, or a body of a set is free.
#ifndef GY_GAS_MOVING_H
#define GY_GAS_MOVING_H

#include "gas/gas.h"

/// A solid as it moves: the same order as gas->made; then sheets.
typedef struct gy_mover {
    int32_t body;       // its index in the set; -1: it is a solid of the gas
    int32_t solid;      // its index among those; -1: it is a body
    int32_t moves;      // whether its velocity or spin is not 0
    int32_t slip;       // whether the gas slides along it
    int32_t deforms;    // whether it did in the set's last step
    int32_t sheet;      // its index among those of the gas; -1: it is none
    int32_t floor;      // whether it is the floor of heights
    double shift[3];    // m, from where its set says that it is: across periodic sides
    double centre[3];   // m, a point of its own
    double velocity[3]; // m/s, of that point
    double spin[3];     // rad/s
} gy_mover;

/// What the gas did to a solid in the last step, for air of 1 kg/m^3.
typedef struct gy_gas_push {
    double force[3], torque[3];
    int32_t owner; // which of the movers gets it: of a body's images the first
} gy_gas_push;

/// A list of places, as the op meet takes them.
typedef struct gy_gas_places {
    int first, count;
} gy_gas_places;

/// Bytes that grow.
typedef struct gy_gas_pile {
    void *data;
    size_t used, bytes;
} gy_gas_pile;

/// What solids do to samples, faces and cells, in lists for the op meet: see gas/meet.c.
typedef struct gy_gas_meeting {
    void *memory; // the device's: places, terms, and how squares grow
    size_t bytes;
    gy_meet_place *places;
    float *terms;
    double *grown;
    gy_gas_places put[3];    // of velocities, the solids' own
    gy_gas_places flow;      // of b: what passes
    gy_gas_places drag[3];   // of b of a component's diffusion
    gy_gas_places fit[3][3]; // of its coefficients, by axis
    // While they are made, the host's:
    gy_gas_pile notes, made, parts;
    bool lacks; // memory
} gy_gas_meeting;

/// Amounts that change places where solids have moved: see gas/hand.c.
typedef struct gy_gas_hands {
    gy_gas_pile cells;       // while they are made, the host's
    gy_gas_pile lent, terms; // places of a vector, and whose means come there
    int32_t lost, lost_last; // of what is lost: hands, in their order; -1: none
    void *memory;            // the device's
    size_t bytes;
} gy_gas_hands;

struct gy_gas_moving {
    gy_mover *movers;
    gy_gas_push *pushes;
    int room, count;    // of those
    bool active;        // whether faces are listed
    bool any;           // whether any moves
    bool viscous;       // whether faces know what viscosity sees
    bool weighed;       // whether they know it of this step
    bool mixed;         // whether the gas slides along some otherwise than its def says
    gy_gas_face *faces; // the device's
    int face_count;
    size_t face_room;
    uint32_t *ranges; // the device's: of each mover its first face and how many
    double *sums;     // the device's: of each mover impulse and twist, in the step so far
    double unit;      // from those to newtons, of the last step
    int due;          // movers whose sums are yet to be made into forces
    gy_gas_meeting meeting;
    gy_gas_hands hands;
    gy_gas_list fresh; // faces that have come open
    uint64_t *fluid;   // which cells held gas before the solids moved
    size_t fluid_bytes;
    double squeezed; // what movers take from the gas, in velocities times faces
    double passed;   // the sum of its amounts
    double next[2];  // the same two of the faces that are listed
    double brought;  // by the listed faces: speeds times squares of velocities
};

/// Room for so many bytes more; what was there stays. NULL: no memory.
void *gy_gas_pile_take(gyre_gas *gas, gy_gas_pile *pile, size_t bytes);
void gy_gas_pile_drop(gyre_gas *gas, gy_gas_pile *pile);

/// Notes a term for a place of the list that is being made.
void gy_gas_note_term(gyre_gas *gas, int32_t place, uint32_t sample, float term);
/// The same of one that is a number of something.
void gy_gas_note_index(gyre_gas *gas, int32_t place, uint32_t index);
/// The end of it.
void gy_gas_end_list(gyre_gas *gas, gy_gas_places *list);
/// Runs meet over one.
void gy_gas_run_meet(gyre_gas *gas, const gy_gas_places *list, gy_meet_args args);
/// Lists what viscosity sees: see gas/stick.c. After the faces.
void gy_gas_list_drag(gyre_gas *gas);
/// Lists all that faces do.
gyre_result gy_gas_list_meeting(gyre_gas *gas);
void gy_gas_drop_meeting(gyre_gas *gas);

/// The sums of a step into forces, where they are not yet: may wait for the device.
void gy_gas_settle_pushes(gyre_gas *gas);

/// hand.c: moves all that a cell holds to another; to itself: takes it away. Done at the end, in
/// one go; until then `gy_gas_holds` says whether a cell holds anything by what was asked for.
void gy_gas_begin_hands(gyre_gas *gas, bool whole);
void gy_gas_hand(gyre_gas *gas, const int from[3], const int to[3]);
/// What a cell holds is taken away, and ledgers say that it was edited.
void gy_gas_hand_out(gyre_gas *gas, const int from[3]);
/// A cell comes to hold what another one holds as well. Not beside gy_gas_hand of several to one.
void gy_gas_copy(gyre_gas *gas, const int from[3], const int to[3]);
bool gy_gas_holds(const gyre_gas *gas, const int cell[3]);
gyre_result gy_gas_end_hands(gyre_gas *gas);
/// Samples give others of what they hold; those of one group one after the other, groups at once.
/// The places are groups, with how many there are of each.
gyre_result gy_gas_give(gyre_gas *gas, const gy_gas_pile *groups, const gy_gas_pile *gifts);
/// The pressure of the step before at a place becomes the mean of what it is where it is lent from;
/// at the end, too.
void gy_gas_begin_lending(gyre_gas *gas, uint32_t to);
void gy_gas_lend(gyre_gas *gas, uint32_t from);
void gy_gas_drop_hands(gyre_gas *gas);

/// A solid's velocity at a point of the world; of one that deforms without that.
void gy_mover_velocity(const gy_mover *mover, const double point[3], double velocity[3]);
/// The same with it: what is nearest of the surface carries along. Takes a search for that.
void gy_gas_solid_velocity(const gyre_gas *gas, const gy_mover *mover, const double point[3],
                           double velocity[3]);

/// What the gas in front of solids that move takes from them in a step, as a sum of squares of
/// velocities: the faces there bring in gas that moves as they do.
double gy_gas_stirred_energy(const gyre_gas *gas, float pace);

/// Whether a face is of a solid that moves and drags the gas along by viscosity.
bool gy_gas_is_dragged(const gy_gas_moving *moving, const gy_gas_face *face);

#endif
