/// @file gyre/gas.h
/// Smoke and other gases on a staggered grid, in 2D and 3D.
#ifndef GYRE_GAS_H
#define GYRE_GAS_H

#include "gyre/model.h"
#include "gyre/pose.h"
#include "gyre/shape.h"
#include "gyre/solve.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A gas. One thread at a time may use it.
typedef struct gyre_gas gyre_gas;

/// What happens at a side of the domain.
typedef enum gyre_gas_side_rule {
    GYRE_GAS_SIDE_SLIP,     ///< closed: nothing passes, the gas slides along it
    GYRE_GAS_SIDE_NO_SLIP,  ///< closed: the gas sticks to it and moves with its velocity
    GYRE_GAS_SIDE_OPEN,     ///< pressure fixed at 0: gas leaves, ambient air enters
    GYRE_GAS_SIDE_PERIODIC, ///< joined to the opposite side, which must be periodic too
    GYRE_GAS_SIDE_INFLOW ///< gas passes with a given velocity, inwards or outwards; what comes in
                         ///< holds what patches say, else nothing. GYRE_GAS_CONSERVATIVE alone
} gyre_gas_side_rule;

/// How gas leaves by an open side.
typedef enum gyre_gas_leaving {
    GYRE_GAS_LEAVES_FREELY, ///< the pressure is 0 on the side
    GYRE_GAS_LEAVES_CARRIED ///< what is before the side is carried through it as it is, the net
                            ///< flow being that of inflows and solids that move: for whirls that
                            ///< leave a wind tunnel. No other side is open then, and this one has
                            ///< no patches; GYRE_GAS_CONSERVATIVE and the device cpu alone
} gyre_gas_leaving;

/// How the velocity of an inflow is spread over its side or its patch, s going from 0 to 1 across
/// it along each axis of the side that is not periodic.
typedef enum gyre_gas_profile {
    GYRE_GAS_PROFILE_EVEN,     ///< the same everywhere
    GYRE_GAS_PROFILE_PARABOLA, ///< times 4 s (1 - s) along each axis: a channel's, a duct's
    GYRE_GAS_PROFILE_POWER ///< times s^exponent along y (x, on sides across y): wind over ground
} gyre_gas_profile;

enum {
    GYRE_GAS_FEEDS = 16, ///< the most scalars that an emitter or a patch has amounts of by name
    GYRE_GAS_WALL = 4    ///< the most that a wall holds, and that it gives
};

/// One side of the domain.
typedef struct gyre_gas_side {
    int32_t rule;      ///< gyre_gas_side_rule
    float velocity[3]; ///< m/s: of a no-slip wall along itself (the part across it is ignored); of
                       ///< an inflow, where its profile is 1
    int32_t leaves;    ///< gyre_gas_leaving of an open side
    int32_t profile;   ///< gyre_gas_profile of an inflow
    float exponent;    ///< of GYRE_GAS_PROFILE_POWER; 0 to 10
    gyre_amount holds[GYRE_GAS_WALL]; ///< of a wall: what scalars are held at on it, by their
                                      ///< fields' names: their diffusivity brings it into the gas
    gyre_amount gives[GYRE_GAS_WALL]; ///< of a wall: what it gives the gas of others, in the
                                      ///< field's unit times m/s (density times velocity);
                                      ///< below 0 it takes. Neither: nothing passes
} gyre_gas_side;

/// What a patch is.
typedef enum gyre_gas_patch_rule {
    GYRE_GAS_PATCH_AS_SIDE, ///< as the side: only what comes in there is another
    GYRE_GAS_PATCH_INFLOW,  ///< an inflow, whatever the side is
    GYRE_GAS_PATCH_OPEN,    ///< a window: open, with air at rest that holds nothing outside. A side
                            ///< that has none when the gas is made gets none later; one that is
                            ///< not enabled will do
    GYRE_GAS_PATCH_SLIP,    ///< a lid, of an open side: shut, the gas slides along it. An open side
                            ///< that has no patch when the gas is made gets none later, likewise
    GYRE_GAS_PATCH_NO_SLIP  ///< a lid, of an open side or an inflow: shut, the gas sticks to it.
                            ///< What is shut of an open side all slips or all sticks
} gyre_gas_patch_rule;

/// A part of a side that is not periodic: the faces whose centres lie in a shape. Of patches that
/// overlap the later one counts.
typedef struct gyre_gas_patch {
    char name[32];     ///< by which paths and messages call it; may be ""
    bool enabled;      ///< whether it is there
    int32_t side;      ///< 0 to 5: x_low, x_high, y_low, y_high, z_low, z_high
    bool whole;        ///< all of the side, whatever the shape
    gyre_shape shape;  ///< in metres, in the domain's frame: what of it lies on the side counts
    int32_t rule;      ///< gyre_gas_patch_rule
    float velocity[3]; ///< m/s of an inflow, where its profile is 1
    int32_t profile;   ///< gyre_gas_profile, over the bounds of the shape
    float exponent;    ///< of GYRE_GAS_PROFILE_POWER; 0 to 10
    gyre_amount carries[GYRE_GAS_FEEDS]; ///< what comes in holds of scalars, by their fields' names
    gyre_amount holds[GYRE_GAS_WALL]; ///< as of a side, where the patch is (part of) a wall; what
                                      ///< it does not name is as on the side
    gyre_amount gives[GYRE_GAS_WALL]; ///< the same; 0: nothing passes
} gyre_gas_patch;

/// All sides; those along z count in 3D alone.
typedef struct gyre_gas_sides {
    gyre_gas_side x_low;  ///< at the least x
    gyre_gas_side x_high; ///< at the greatest x
    gyre_gas_side y_low;  ///< at the least y
    gyre_gas_side y_high; ///< at the greatest y
    gyre_gas_side z_low;  ///< at the least z
    gyre_gas_side z_high; ///< at the greatest z
} gyre_gas_sides;

/// How fields are carried along; doc/gas.md has orders, costs and limits.
typedef enum gyre_gas_advection {
    GYRE_GAS_SEMI_LAGRANGIAN, ///< first order, smears
    GYRE_GAS_MACCORMACK,      ///< first order in time, second in space; long runs may gain energy
    GYRE_GAS_CONSERVATIVE, ///< second order; energy does not grow by itself, totals of scalars stay
    GYRE_GAS_BFECC,        ///< as MacCormack, by one carriage more (Dupont and Liu 2003)
    GYRE_GAS_CUBIC         ///< first order in time; limited cubics in space, which smear little
} gyre_gas_advection;

/// How a scalar spreads and fades.
typedef struct gyre_gas_scalar_def {
    float diffusivity; ///< m^2/s
    float dissipation; ///< 1/s: the field decays as exp(-dissipation t)
} gyre_gas_scalar_def;

/// An extra scalar channel that is carried along.
typedef struct gyre_gas_channel {
    char name[32];     ///< of the field; not empty, not one that stands already
    float diffusivity; ///< m^2/s
    float dissipation; ///< 1/s
} gyre_gas_channel;

/// What the amounts of an emitter mean.
typedef enum gyre_gas_emit_mode {
    GYRE_GAS_EMIT_RATE, ///< amounts are per second
    GYRE_GAS_EMIT_SET   ///< amounts are what the field is held at inside the shape
} gyre_gas_emit_mode;

/// A region where something enters the gas.
typedef struct gyre_gas_emitter {
    char name[32];             ///< by which paths and messages call it; may be ""
    bool enabled;              ///< whether it acts
    int32_t mode;              ///< gyre_gas_emit_mode
    gyre_shape shape;          ///< where, in metres
    float density;             ///< kg/m^3 (per second when mode is rate)
    float temperature;         ///< K above the surrounding air (per second when mode is rate)
    char channel[32];          ///< an extra channel, or ""
    float channel_amount;      ///< of the extra channel (per second when mode is rate)
    bool push;                 ///< whether velocity is set inside the shape
    float velocity[3];         ///< m/s
    float noise;               ///< 0 to 1: uneven amounts, by a noise that follows the scene's seed
    float tracers;             ///< 1/s, in either mode: that come at random places of the shape
    float tracers_velocity[3]; ///< m/s, with which those come that have mass (tracers.inertia)
    float tracers_scatter; ///< m/s, by how much theirs differ from that at most, in any direction
    gyre_amount feeds[GYRE_GAS_FEEDS]; ///< any number of scalars by name, channels and the two
                                       ///< above, each with its own amount (per second when mode
                                       ///< is rate). What a member above gives as well is added to
                                       ///< it, but where amounts are held this one counts
} gyre_gas_emitter;

/// A body that the gas cannot enter. Nothing is emitted or added inside it. Velocity and spin of
/// its pose push the gas, whether or not it is moved on by them: a wheel or a belt turns on the
/// spot, and one that is set to another place without a velocity is met there at rest. What one
/// with a velocity newly covers goes to the cells in front of it. A cell whose faces are all shut
/// (a hole of one cell, a grid of one cell) counts as solid. One that reaches beyond a periodic
/// side is there on the other side, too, and one beyond it is where the axis brings it to; but for
/// what is longer than the domain, less four cells.
typedef struct gyre_gas_solid {
    char name[32];    ///< by which paths and messages call it; may be ""
    bool enabled;     ///< whether it acts
    gyre_shape shape; ///< in the own frame of its pose, in metres
    gyre_pose pose;   ///< puts the own frame into the world; all 0: the two are one. In paths its
                      ///< members stand beside these ("solids.rock.position"). In 2D places and
                      ///< velocities count without z, turns and spins about z alone
    int32_t surface;  ///< gyre_surface: what the gas does along it
    gyre_amount holds[GYRE_GAS_WALL]; ///< as of a side, on the whole surface
    gyre_amount gives[GYRE_GAS_WALL]; ///< as of a side, per area of the surface
} gyre_gas_solid;

/// What a sheet is.
typedef enum gyre_gas_sheet_kind {
    GYRE_GAS_SHEET_LINE,  ///< straight, in 2D
    GYRE_GAS_SHEET_PANEL, ///< a parallelogram, in 3D
    GYRE_GAS_SHEET_PATH,  ///< lines from point to point, in 2D
    GYRE_GAS_SHEET_MESH   ///< triangles, in 3D
} gyre_gas_sheet_kind;

/// A line (2D) or a surface (3D), in metres. Arrays are the caller's, see gyre_volume. It need not
/// be closed, may cross itself and may reach beyond the domain, where it joins a periodic side's
/// other end. GYRE_ERROR_ARGUMENT: a point that is not finite or 2^27 cells away, a form of the
/// other dimension, fewer than 2 points or 1 triangle, an index of no point, 64 lengths of a
/// periodic axis and more.
typedef struct gyre_gas_sheet_form {
    int32_t kind; ///< gyre_gas_sheet_kind
    /// The member that `kind` names.
    union {
        /// Between two points. z is ignored.
        struct gyre_gas_sheet_line {
            float from[3], to[3];
        } line;
        /// All of corner + s along + t across, s and t from 0 to 1.
        struct gyre_gas_sheet_panel {
            float corner[3];
            float along[3];
            float across[3];
        } panel;
        /// From each point to the next.
        struct gyre_gas_sheet_path {
            gyre_volume points; ///< n[0] == 2 or 3 floats per point, of which two count
            bool closed;        ///< and from the last one to the first
        } path;
        /// Triangles, either way round.
        struct gyre_gas_sheet_mesh {
            gyre_volume points;    ///< n[0] == 3 floats per point
            gyre_volume triangles; ///< n[0] == 3 indices per triangle, as floats
        } mesh;
    } as;
} gyre_gas_sheet_form;

/// A wall without thickness, with gas on both sides of it: an awning, a sail, a pane, a tube.
/// Nothing passes the faces between cells whose centres it parts, to the last bit, by
/// any scheme; where solid_slip is 0 the gas sticks to it. A sheet that ends at a solid must reach
/// a cell into it. Velocity and spin of its pose push the gas, whether or not it is moved on by
/// them; one that has any and is set to another place takes what lies in its way along, however far
/// it goes: by GYRE_GAS_CONSERVATIVE with its total, by the others, which carry values, to a cell's
/// or so; not on a device with memory of its own.
typedef struct gyre_gas_sheet {
    char name[32];            ///< by which paths and messages call it; may be ""
    bool enabled;             ///< whether it is there
    gyre_gas_sheet_form form; ///< in the own frame of its pose, in metres
    gyre_pose pose;           ///< as that of a solid
} gyre_gas_sheet;

/// What a force does.
typedef enum gyre_gas_force_kind {
    GYRE_GAS_WIND,       ///< draws the gas along with a velocity
    GYRE_GAS_FAN,        ///< pushes in a direction
    GYRE_GAS_VORTEX,     ///< draws the gas round an axis
    GYRE_GAS_ATTRACTOR,  ///< pulls towards a point or an axis
    GYRE_GAS_TURBULENCE, ///< an uneven push, free of divergence, that changes in time
    GYRE_GAS_CONFINEMENT ///< draws whirls together that the grid would smear
} gyre_gas_force_kind;

/// What a force does, by its kind. Lengths in metres, accelerations in m/s^2. In 2D z is ignored
/// and axes are along z.
typedef struct gyre_gas_action {
    int32_t kind; ///< gyre_gas_force_kind
    /// The member that `kind` names.
    union {
        /// a = rate (velocity - u): what is off it falls to 1/e in 1 / rate.
        struct gyre_gas_wind {
            float velocity[3]; ///< m/s
            float rate;        ///< 1/s
        } wind;
        /// a = thrust / volume along the direction: all of the thrust reaches the gas that the
        /// shape holds, however few cells that are.
        struct gyre_gas_fan {
            float direction[3]; ///< any length but 0
            float thrust;       ///< m^4/s^2 (in 2D m^3/s^2): N per kg/m^3 of air, in the direction
            float speed; ///< m/s: where thrust is 0, a = speed^2 / (2 length of the shape along the
                         ///< direction): air that comes from rest leaves so fast
        } fan;
        /// a = rate (w - u) across the axis, w = circulation / (2 pi) r / (r^2 + core^2) round it
        /// (Scully's vortex): left-handed where the circulation is negative.
        struct gyre_gas_vortex {
            float centre[3];
            float axis[3];     ///< any length but 0
            float circulation; ///< m^2/s, far away
            float core;        ///< m, where it turns fastest
            float rate;        ///< 1/s
        } vortex;
        /// a = -strength (r / s) (core / s)^falloff, s^2 = r^2 + core^2. Where all the gas feels it
        /// alike it is a pressure, which moves nothing in a closed box; its shape's edges do.
        struct gyre_gas_attractor {
            float centre[3];
            float axis[3];   ///< all 0: towards the point; else towards the line through it
            float strength;  ///< m/s^2; below 0 it pushes away
            float core;      ///< m, within which it weakens to 0
            int32_t falloff; ///< 0: as strong far away, 1: as 1 / r, 2: as 1 / r^2
        } attractor;
        /// A sum of waves of random directions (Kraichnan, Phys. Fluids 13, 22, 1970) of lengths
        /// from `size` down by octaves, their energy as wave number^(-5/3).
        struct gyre_gas_turbulence {
            float strength; ///< m/s^2, root mean square of the vector, whatever the cells' size
            float size;     ///< m, the longest wave; none is shorter than four cells
            float octaves;  ///< the shortest is size / 2^octaves
            float change;   ///< 1/s: turns of the longest wave's phase; shorter ones turn faster
            int32_t seed;   ///< which waves; the gas's own seed counts as well
        } turbulence;
        /// Vorticity confinement (Fedkiw, Stam and Jensen, SIGGRAPH 2001), whatever the cells'
        /// size: a = speed N x w, with w the curl of u and N = G / (|G| + |w| / size), G the
        /// gradient of |w|. Whirls gather at `speed`, and those wider than `size` less.
        struct gyre_gas_confinement {
            float speed; ///< m/s, that vorticity moves up its own slope with
            float size;  ///< m
        } confinement;
    } as;
} gyre_gas_action;

/// Something that pushes the gas as it flows. Half of it acts at the start of a step and half at
/// its end; see doc/gas.md.
typedef struct gyre_gas_force {
    char name[32];          ///< by which paths and messages call it; may be ""
    bool enabled;           ///< whether it acts
    bool everywhere;        ///< whether it acts in all the gas; else inside the shape
    gyre_shape shape;       ///< where, in metres
    float soft;             ///< m, over which it begins across the shape's surface; at least a cell
    float amount;           ///< how much of it acts, 0 to 1: a timeline makes a ramp of it
    gyre_gas_action action; ///< what it does
} gyre_gas_force;

/// The frame that the grid stands in, as a box on a car or a turntable: what the gas feels in it is
/// -a - 2 spin x u - spin x (spin x r) and, where the spin is changed, at once -change x r, with r
/// from the centre. Smoke and warmth are pulled by the gravity of the frame. Open sides have the
/// pressure of air at rest outside the frame.
typedef struct gyre_gas_frame {
    float acceleration[3]; ///< m/s^2
    float spin[3];         ///< rad/s; in 2D about z alone
    float centre[3];       ///< m, of the spin
} gyre_gas_frame;

/// Where the velocity of a gas comes from. One that is not solved for is led: no projection, no
/// viscosity, no gravity; scalars and tracers are carried as ever, by every scheme, in one step
/// whatever `courant` says. Faces that solids, sheets or sides shut pass nothing. What else would
/// push it is refused: forces and emitters that do, a frame, inflows.
typedef enum gyre_gas_velocity {
    GYRE_GAS_SOLVED,   ///< by the equations of motion
    GYRE_GAS_NOISE,    ///< whirls that come and go: gyre_gas_noise
    GYRE_GAS_RECORDED, ///< arrays: gyre_gas_recorded
    GYRE_GAS_ROWS      ///< a function of the caller's: gyre_gas_set_velocity_rows()
} gyre_gas_velocity;

/// A velocity that is the curl of waves of random directions that change in time (R. Bridson, J.
/// Hourihan and M. Nordenstam, SIGGRAPH 2007), free of divergence on the faces but for rounding. It
/// goes round solids and along walls: within size / 4 of them the waves die away.
typedef struct gyre_gas_noise {
    float speed;   ///< m/s, root mean square of the vector, far from walls
    float size;    ///< m, the longest wave; none is shorter than four cells
    float octaves; ///< the shortest is size / 2^octaves; speeds go as wave number^(-1/3)
    float change;  ///< 1/s: turns of the longest wave's phase; shorter ones turn faster
    int32_t seed;  ///< which waves; the gas's own seed counts as well
} gyre_gas_noise;

/// A velocity that stands in arrays, each of one component at its faces, as a field of the gas has
/// them (gyre_grid_samples()), one or more frames behind each other along the last axis. Arrays are
/// the caller's, see gyre_volume. Numbers that are not finite are refused in the step that meets
/// them. Of a grid that was moved it is refused.
typedef struct gyre_gas_recorded {
    gyre_volume x; ///< m/s: n[0] + 1, n[1], frames; in 3D n[0] + 1, n[1], n[2] frames
    gyre_volume y; ///< m/s: n[0], n[1] + 1, ...
    gyre_volume z; ///< m/s, in 3D: n[0], n[1], (n[2] + 1) frames
    float rate;    ///< frames per second, the first of them at time 0; linear between them
    bool loop;     ///< after the last comes the first; else the last one stays
} gyre_gas_recorded;

/// Particles in the gas: a set, see gyre_model_particles(). Points without mass that it carries
/// along, or, with `inertia`, balls with a velocity of their own, an attribute more: the gas drags
/// them by the law of Schiller and Naumann (1935; above a Reynolds number of 1000 by a drag
/// coefficient of 0.44), gravity pulls them less the buoyancy in `air_density`, half of the gas
/// that they take the place of moves with them, and they bounce off what they meet. They do
/// nothing to the gas where `load` is 0. An `air_density` of 0 neither drags nor lifts them.
typedef struct gyre_gas_tracers {
    int32_t capacity; ///< the most there are at a time; 0: there are none
    int32_t start;    ///< that there are at first, evenly spread
    float low[3];     ///< m, lower corner of the box that they are spread over
    float high[3];    ///< m, its upper corner; as `low`: the whole domain
    float life;       ///< s after which a tracer is gone; 0: never
    bool inertia;     ///< whether they have mass; fixed at create. What follows is of those alone
    float diameter;   ///< m, at least 1e-8
    float density;    ///< kg/m^3, of what they are made of, at least 0.001
    float viscosity;  ///< m^2/s, kinematic, of the gas that drags them, whatever the flow's own
    float bounce;     ///< 0 to 1: what a surface leaves of the speed towards it
    float friction;   ///< of Coulomb, along a surface
    bool stick;       ///< whether what meets a surface stays there
    float turbulence; ///< m^2/s, by how much gusts that the grid does not see spread them: the mean
                      ///< square along an axis grows by twice that a second
    float load;       ///< how many each stands for in what it does to the gas: what the drag gives
                      ///< it the gas loses (2D: of a metre's depth); 0: nothing. Steady while those
                      ///< of a cell weigh less than its gas. Fixed at create
    float thickness;  ///< m, from 1e-5 of the diameter to all of it: they are round plates, with an
                      ///< "orientation" and a "spin" more, that turn, glide and flutter; 0: balls.
                      ///< Fixed at create
} gyre_gas_tracers;

/// A premixed front: fuel that brings its air burns where a thin flame passes, which moves into it
/// at a speed of its own, whatever the gas does. What it has passed stands in a channel, the fuel
/// that burnt per volume: the flame is where that is between none and all of both. A splat or an
/// emitter of it lights the fuel there, as does heat that is not the fire's own.
typedef struct gyre_gas_front {
    char
        burnt[32]; ///< the channel of what has burnt, of amounts per volume; "": there is no front,
                   ///< and fuel burns where it is hot
    char lit[32];  ///< a channel of what the flame has passed and that has not given its heat yet,
                   ///< which it does at the fire's rate: the blue core; "": it does at once
    float speed;   ///< m/s, at which the front moves into fuel that is at rest, along its normal.
                   ///< At most 32 cells a step
} gyre_gas_front;

/// Fire: a channel of fuel that burns where the gas is hot enough, and what follows. "Hot" is what
/// the gas is above its surroundings, K: T = temperature / (1 - expansion thermal_expansion
/// temperature), at most 11 times the field, which is heat per volume, see doc/gas.md. Of each cell
/// of gas, once a step, after emitters. It burns by every scheme of advection.
typedef struct gyre_gas_fire {
    char fuel[32];   ///< the channel that burns, of amounts per volume; "": there is no fire
    char spent[32];  ///< a channel of the oxygen that the air lacks: 0 as outside, 1 none is left;
                     ///< "": there is always enough
    float ignition;  ///< K above the surroundings, from which on fuel burns
    float rate;      ///< 1/s: of fuel that nothing hinders exp(-rate t) is left
    float heat;      ///< K: what a unit of fuel adds to the temperature of the gas
    float air;       ///< units of `spent` that a unit of fuel takes: volumes of air for a volume of
                     ///< fuel. There burns no more than air is there for. At most 1 beside a
                     ///< front, whose fuel brings its air, and is not hindered
    float soot;      ///< kg/m^3 of smoke (density) that a unit of fuel leaves
    float cooling;   ///< K/s, at 1000 K above the surroundings, lost by radiation: as T^4
    float expansion; ///< 0 to 1: how much of the volume that the heat asks for it gets, as a source
                     ///< of the flow. GYRE_GAS_CONSERVATIVE and a velocity that is solved for alone
    gyre_gas_front front; ///< a flame with a speed of its own
} gyre_gas_fire;

/// Texture coordinates that flow with the gas ("liquid textures"): the fields texture_0_x,
/// texture_0_y ..., of each phase how far from each cell its gas was when the phase began. See
/// gyre_model_texture().
typedef struct gyre_gas_texture {
    int32_t phases;  ///< 0: none; 1: one that is drawn out without end; 2 or 3: each begins anew
                     ///< once in a period. Takes phases * dim arrays
    float period;    ///< s, of 2 or 3 phases
    float offset[3]; ///< m, by which the texture is moved from one beginning to the next, so that
                     ///< no detail comes back where it was; of 2 or 3 phases
} gyre_gas_texture;

/// Surroundings that change with height, as the atmosphere's do, and clouds. The field of
/// temperature is then the potential temperature, K, over that of the surroundings at the same
/// level, and what rises loses as much of it as those gain (Boussinesq's form: the speed is free of
/// divergence whatever the height). What is up is the opposite of `gravity`. Beside a surface
/// temperature and a pressure the surroundings have a lapse and a humidity, from which the
/// hydrostatic pressure follows. Where `vapour` is named, water condenses where air is saturated
/// (Bolton 1980), warms it, weighs on it and, where `rain` is named, falls by Kessler's scheme
/// (1969). GYRE_GAS_CONSERVATIVE alone. See doc/gas.md.
typedef struct gyre_gas_atmosphere {
    bool layered;      ///< whether there is one; fixed at create
    float ground;      ///< m, where the temperature, the pressure and the humidity are
    float temperature; ///< K, of the surroundings at the ground: all of the domain has to lie where
                       ///< they have from 150 to 350 K
    float pressure;    ///< Pa, at the ground
    float lapse;       ///< K/m, by which it is colder above: 0.0098 is neutral, less is stable
    char vapour[32];   ///< the channel of water vapour, kg per kg of air over that of the
                       ///< surroundings (below 0: drier); "": there is none, the air is dry
    char water[32];    ///< the channel of droplets, cloud, kg/kg: expected where there is vapour
    char rain[32];     ///< the channel of drops that fall, kg/kg; "": clouds do not rain
    float humidity; ///< 0 to 1, at the ground: vapour of the surroundings over what saturates them
                    ///< (mixing ratios). Above they hold as much vapour,
    float aloft;    ///< 0 to 1: but no more than this part of saturation
    float growth;   ///< 1/s, at which droplets above `least` grow together to drops
    float least;    ///< kg/kg of them, from which on they do
    float collection;  ///< 1/s, at which drops collect them, times (kg/kg of drops)^0.875
    float evaporation; ///< of what Kessler's scheme evaporates of drops in dry air, the part
} gyre_gas_atmosphere;

/// What a gas is made from. Take it from gyre_gas_default_def() and change what you need.
typedef struct gyre_gas_def {
    uint32_t cookie;         ///< set by gyre_gas_default_def
    gyre_grid grid;          ///< fixed at create
    gyre_gas_sides sides;    ///< what passes them
    int32_t advection;       ///< gyre_gas_advection, of velocity and scalars
    float gravity[3];        ///< m/s^2
    float thermal_expansion; ///< 1/K: lift per kelvin above the surroundings
    float density_weight;    ///< m^3/kg: pull per density of smoke
    float viscosity;         ///< m^2/s, kinematic
    float air_density;       ///< kg/m^3, of the gas itself: of its field `pressure`, and what it
                             ///< pushes solids with; 0: free bodies of a set do not feel it
    float speed_cap;         ///< m/s: faster velocities are cut to it and counted
    float courant;        ///< largest Courant number of a substep; 0: one step whatever the speed
    int32_t max_substeps; ///< bound on the substeps that courant asks for
    int32_t seed;         ///< of the emitters' noise
    gyre_solver_def pressure;        ///< how the flow is made free of divergence
    gyre_solver_def diffusion;       ///< how viscosity and diffusivities are solved for
    gyre_gas_scalar_def density;     ///< of the smoke
    gyre_gas_scalar_def temperature; ///< of what is warmer than its surroundings
    bool solid_slip;                 ///< whether the gas slides along solids (else it sticks),
                                     ///< but for those whose `surface` says otherwise
    bool floor;         ///< whether there may be a floor: see gyre_gas_set_floor(). Takes 40 bytes
                        ///< for each column of cells, 28 of which are saved
    bool half_scalars;  ///< density, temperature and channels lie in the device's memory as IEEE
                        ///< binary16: 11 significant bits, amounts from 6.1e-5 to 65504 (smaller
                        ///< ones become 0, greater ones 65504). Vulkan only, see doc/device.md
    gyre_pool channels; ///< of gyre_gas_channel
    gyre_pool emitters; ///< of gyre_gas_emitter
    gyre_pool solids;   ///< of gyre_gas_solid
    gyre_pool forces;   ///< of gyre_gas_force; capacity 0: room for those that are there alone
    gyre_gas_tracers tracers;       ///< points that it carries along
    gyre_pool patches;              ///< of gyre_gas_patch; capacity 0: as of forces
    gyre_gas_frame frame;           ///< that the grid stands in; all 0: at rest
    gyre_pool sheets;               ///< of gyre_gas_sheet; capacity 0: as of forces
    int32_t velocity;               ///< gyre_gas_velocity: where it comes from
    gyre_gas_noise noise;           ///< what it is where that is GYRE_GAS_NOISE
    gyre_gas_recorded recorded;     ///< where it is GYRE_GAS_RECORDED
    gyre_gas_fire fire;             ///< what burns in it
    gyre_gas_texture texture;       ///< coordinates that flow with it
    gyre_gas_atmosphere atmosphere; ///< that it stands in, and its clouds
} gyre_gas_def;

/// A floor under the gas, by what stands in the middle of each of its columns of cells: of n[0] (in
/// 3D n[0] * n[1]) numbers, x fastest. Up is y in 2D, z in 3D. See gyre_gas_set_floor().
typedef struct gyre_gas_floor {
    const float *height; ///< m, above 0 of the upward axis, -1e5 to 1e5
    float dt;            ///< s of the step since it was as it was told before: by so much
                         ///< divided, the difference is how fast it rises. 0: put there
    const float *drag;   ///< 1, of the gas right above, 0 to 10: a stress of air_density * drag
                         ///< * |u - velocity| (u - velocity) along it; NULL: none
    const float *velocity[2]; ///< m/s, of the floor along x and (in 3D) y: what drags sees; NULL: 0
} gyre_gas_floor;

/// What the last step did.
typedef struct gyre_gas_stats {
    int64_t step;          ///< steps since create
    double time;           ///< s, at its end
    double dt;             ///< s
    int32_t substeps;      ///< that the last step was cut into
    float max_speed;       ///< m/s, largest component after the step
    float courant;         ///< max_speed * dt / (h * substeps)
    int32_t solver;        ///< gyre_solver_kind that solved for pressure: what auto has chosen
    int32_t cycles;        ///< of the pressure solver, all substeps together
    float residual;        ///< relative, of the last pressure solve
    float div_rms_before;  ///< 1/s, divergence, root mean square before the last pressure solve
    float div_rms_after;   ///< 1/s, after it; if asked for after this step or the one before, it
                           ///< stays that of the step when bodies go on
    float div_max_after;   ///< 1/s, greatest after it
    double kinetic_energy; ///< J per kg/m^3 of air: sum of u^2/2 times volume
    int64_t capped;        ///< velocities cut to speed_cap
    int64_t governed;      ///< conservative: steps so far whose carrying had to be held back from
                           ///< making more than 1e-5 of the energy
    int64_t gained;        ///< conservative: steps so far in which kinetic energy rose by more than
                           ///< 1.01 times the work done by forces, emitters, sides and solids
    double gained_time;    ///< s, of the first of those; 0: none
    double bounded_energy; ///< conservative: as kinetic_energy, when the last substep began, and a
                           ///< half of what the lagged pressure may give back: no step without
                           ///< forces makes it larger
    int64_t tracers;       ///< that the gas carries
    int64_t tracers_lost;  ///< so far: beyond open sides, inside solids, too old
    int64_t tracers_refused; ///< so far: that were due and found no room or no place
    double squeezed;         ///< m^3/s (2D: m^2/s) that solids that move take from the gas at the
                             ///< last projection, as a piston does: where there is no open side it
                             ///< has no way out, and is spread over all cells
    float unbalanced; ///< m^2/s in 2D, m^3/s in 3D: what inflows were to bring in, and solids that
                      ///< move to press out, and could not, as their room (what hangs together of
                      ///< the gas) has no open side for as much to leave by: taken off the room's
                      ///< inflows evenly, or, where it has none, spread over its cells. Of the room
                      ///< where it is most
    int64_t missed;   ///< solids and sheets in the domain that are too small for the grid to see,
                      ///< and sheets outside it: see gyre_model_missed()
    double pent_up;   ///< 1: the volume that fire's heat asks for and has not got, over that of the
                      ///< gas: soon 0 where a side is open; in a closed box by how much its
                      ///< pressure has risen, over what it was. 0 without expansion
} gyre_gas_stats;

/// Where what there is of a scalar has come from and gone to since create, of cells that hold gas,
/// in the field's unit times m^dim: total = emitted + added + edited + came + walls + burnt +
/// turned + risen - faded - radiated - rained - left + rounding.
typedef struct gyre_gas_budget {
    double total;    ///< now
    double emitted;  ///< by emitters
    double added;    ///< by sources of the caller's
    double edited;   ///< by windows written
    double faded;    ///< by dissipation
    double left;     ///< through open sides and inflows that suck, or behind a grid that was moved
                     ///< (gyre_model_shift())
    double rounding; ///< won by it, held below 1e-6 of the total
    double came;     ///< through inflows
    double walls; ///< from walls and solids that hold or give it; where sides are open, less what
                  ///< diffuses through those. Of a gas that had no such wall at create it is in
                  ///< `added`
    double burnt; ///< by fire: fuel that burnt (below 0), heat released, smoke and what is spent
    double radiated; ///< of temperature: heat that fire's gas has lost by T^4
    double turned;   ///< by condensing, raining and evaporating: vapour, droplets, drops and heat
    double risen;    ///< by rising and sinking through surroundings that change with height
    double rained;   ///< of rain: what has come down, on the ground or on solids
} gyre_gas_budget;

/// What the gas did to a solid in the last step, by its pressure, as means over the step. There is
/// something to read while any solid or sheet moves, a body of a set is not held or a solid has a
/// `surface` of its own, of sheets while they move themselves; else all is 0. In 2D per metre of
/// depth.
typedef struct gyre_gas_push {
    double force[3];  ///< N
    double torque[3]; ///< N m, about the centre of mass of a body of a set, the position of the
                      ///< pose of a solid
} gyre_gas_push;

/// Fills the first `size` bytes of a def, as the caller's headers have it, with every default for a
/// grid of `dim` dimensions: see gyre_gas_default_def(). For bindings; a def of another size than
/// the library's is refused by create. Any thread.
GYRE_API void gyre_gas_fill_def(gyre_gas_def *def, size_t size, int dim);

/// A def with every default for a grid of `dim` dimensions: 64 cells a side, 1 m wide, slip walls.
static inline gyre_gas_def gyre_gas_default_def(int dim)
{
    gyre_gas_def def;
    gyre_gas_fill_def(&def, sizeof def, dim);
    return def;
}

/// The property table of gyre_gas_def.
extern GYRE_API const gyre_property gyre_gas_properties[];

/// Bytes that a gas of this def takes, all of them at create, but for a bit or two per face and
/// lists of the cells just inside solids (8 to 32 bytes each), which come with solids, and, with
/// GYRE_GAS_CONSERVATIVE transport and a pressure solver that is not exact to rounding, for one
/// array more, and for what forces are worked out to: 1 KB each, of turbulence 200 bytes per cell
/// along each edge of the grid besides, and 4 arrays (in 3D 7) for all confinements and a frame. A
/// device with memory of its own carries up to eight fields at once, which takes two arrays more
/// for each of them but the first, and has copies of the arrays that emitters are shaped by and of
/// whole-field sources, which are taken when they are handed over. With half_scalars the host has a
/// window of floats for each scalar besides. 0 with a message for a bad def.
GYRE_API size_t gyre_gas_size(const gyre_gas_def *def);

/// Makes a gas at rest. The def and its lists are copied; volumes are not (see gyre_volume), but
/// for a device with memory of its own, which sees them as they were when their emitter came.
GYRE_API gyre_result gyre_gas_create(gyre_device *device, const gyre_gas_def *def, gyre_gas **gas);

/// NULL is allowed.
GYRE_API void gyre_gas_destroy(gyre_gas *gas);

/// The same object as a model, for the calls of gyre/model.h.
GYRE_API gyre_model *gyre_gas_model(gyre_gas *gas);

/// Advances by dt seconds: 0 <= dt, finite. Any dt leaves every field finite.
GYRE_API gyre_result gyre_gas_step(gyre_gas *gas, float dt);

/// See gyre_model_set().
GYRE_API gyre_result gyre_gas_set(gyre_gas *gas, const char *path, gyre_value value);
/// See gyre_model_get().
GYRE_API gyre_result gyre_gas_get(const gyre_gas *gas, const char *path, gyre_value *value);

/// Adds a copy of an emitter; 0 with a message where it is refused: see gyre_model_add().
GYRE_API gyre_id gyre_gas_add_emitter(gyre_gas *gas, const gyre_gas_emitter *emitter);
/// Adds a copy of a solid; 0 with a message where it is refused: see gyre_model_add().
/// What follows from the solids is made anew at once.
GYRE_API gyre_id gyre_gas_add_solid(gyre_gas *gas, const gyre_gas_solid *solid);
/// Adds a copy of a force; 0 with a message where it is refused: see gyre_model_add(). There is
/// room for as many as the def's capacity of forces says.
GYRE_API gyre_id gyre_gas_add_force(gyre_gas *gas, const gyre_gas_force *force);
/// Replaces a force: see gyre_model_update(). GYRE_ERROR_MEMORY: it has become a turbulence, and
/// there is none for its waves.
GYRE_API gyre_result gyre_gas_update_force(gyre_gas *gas, gyre_id id, const gyre_gas_force *force);
/// A copy of a force as it is now: see gyre_model_read().
GYRE_API gyre_result gyre_gas_read_force(const gyre_gas *gas, gyre_id id, gyre_gas_force *force);
/// Replaces an emitter: see gyre_model_update(). GYRE_ERROR_ARGUMENT: the id is of no emitter.
GYRE_API gyre_result gyre_gas_update_emitter(gyre_gas *gas, gyre_id id,
                                             const gyre_gas_emitter *emitter);
/// Replaces a solid, as one that moves each step is: see gyre_model_update().
GYRE_API gyre_result gyre_gas_update_solid(gyre_gas *gas, gyre_id id, const gyre_gas_solid *solid);
/// A copy of an emitter as it is now: see gyre_model_read().
GYRE_API gyre_result gyre_gas_read_emitter(const gyre_gas *gas, gyre_id id,
                                           gyre_gas_emitter *emitter);
/// A copy of a solid as it is now: see gyre_model_read().
GYRE_API gyre_result gyre_gas_read_solid(const gyre_gas *gas, gyre_id id, gyre_gas_solid *solid);
/// Adds a copy of a patch; 0 with a message where it is refused: see gyre_model_add(). There is
/// room for as many as the def's capacity of patches says.
GYRE_API gyre_id gyre_gas_add_patch(gyre_gas *gas, const gyre_gas_patch *patch);
/// Replaces a patch: see gyre_model_update().
GYRE_API gyre_result gyre_gas_update_patch(gyre_gas *gas, gyre_id id, const gyre_gas_patch *patch);
/// A copy of a patch as it is now: see gyre_model_read().
GYRE_API gyre_result gyre_gas_read_patch(const gyre_gas *gas, gyre_id id, gyre_gas_patch *patch);
/// Adds a copy of a sheet; 0 with a message where it is refused: see gyre_model_add(). There is
/// room for as many as the def's capacity of sheets says.
GYRE_API gyre_id gyre_gas_add_sheet(gyre_gas *gas, const gyre_gas_sheet *sheet);
/// Replaces a sheet: see gyre_model_update().
GYRE_API gyre_result gyre_gas_update_sheet(gyre_gas *gas, gyre_id id, const gyre_gas_sheet *sheet);
/// A copy of a sheet as it is now: see gyre_model_read().
GYRE_API gyre_result gyre_gas_read_sheet(const gyre_gas *gas, gyre_id id, gyre_gas_sheet *sheet);
/// Takes an emitter, a solid, a force, a patch or a sheet away: see gyre_model_remove().
GYRE_API gyre_result gyre_gas_remove(gyre_gas *gas, gyre_id id);

/// An emitter with its defaults: a sphere at the origin that gives nothing. Any thread.
GYRE_API gyre_gas_emitter gyre_gas_default_emitter(void);
/// A solid with its defaults. Any thread.
GYRE_API gyre_gas_solid gyre_gas_default_solid(void);
/// A force with the defaults of its kind (gyre_gas_force_kind): a wind, a fan, ... inside a sphere.
/// Any thread.
GYRE_API gyre_gas_force gyre_gas_default_force(int kind);
/// A sheet with the defaults of its kind (gyre_gas_sheet_kind): a line or panel of 1 m, or nothing
/// yet. Any thread.
GYRE_API gyre_gas_sheet gyre_gas_default_sheet(int kind);
/// A patch with its defaults: of x_low, as the side. Any thread.
GYRE_API gyre_gas_patch gyre_gas_default_patch(void);

/// See gyre_model_splat.
GYRE_API gyre_result gyre_gas_splat(gyre_gas *gas, int field, const float centre[3], float radius,
                                    float amount);

/// Hands over a whole-field source, as in the paper: before each step `rate` (samples in the order
/// of gyre_grid_samples, x fastest, in the field's unit per second) times dt is added to the field.
/// The array belongs to the caller, who may fill it anew before each step; NULL ends it. NaN and
/// infinity in it are counted as 0. GYRE_ERROR_MEMORY, from a device with memory of its own: there
/// is none for its copy of the array; the source before, if any, still counts.
GYRE_API gyre_result gyre_gas_set_source(gyre_gas *gas, int field, const float *rate);

/// A row of faces across an axis, for a function of the caller's: `count` of them, side by side
/// along x.
typedef struct gyre_gas_row {
    int32_t axis;     ///< 0, 1 or 2: of the component that is asked for, across which the faces lie
    int32_t count;    ///< of faces
    int32_t first[3]; ///< indices of the first, as samples of the component's field have them
    float place[3];   ///< m, of its middle, in the world (of a grid that was moved, too); 2D: z 0
    float step;       ///< m, along x from one to the next
    double time;      ///< s, that is asked for
    const float *velocity[3]; ///< m/s, where it is asked for: `count` of each component (2D: of
                              ///< two) at the faces' middles; NULL: it was not asked for
} gyre_gas_row;

/// Writes `count` values for a row, which are 0 before. It is called from any of the device's
/// threads, from several at once, in any order: what it writes must follow from the row and from
/// what `user` points to, which nobody changes meanwhile. It must not call the gas.
typedef void gyre_gas_row_call(void *user, const gyre_gas_row *row, float *values);

/// Hands over a force of the caller's, which acts with all others: `call` writes accelerations in
/// m/s^2 (beyond 1e15: that), once for each row of each component in a step, before it begins, and
/// as they will be in the middle of it: half acts before the gas is carried, half after. looks:
/// the function gets the velocities of that time, from those of the last two steps (the other
/// components as means of the four faces round a middle). NULL: it ends.
///
/// Takes an array for each component as large as its field. NaN or an infinity makes the step fail
/// with GYRE_ERROR_ARGUMENT before anything has changed. It is no part of a saved state: a gas that
/// loads a state with such a force, and has none, fails to step until one is set, or NULL to go on
/// without. GYRE_ERROR_UNSUPPORTED: `looks`, on a device with memory of its own.
GYRE_API gyre_result gyre_gas_set_force_rows(gyre_gas *gas, gyre_gas_row_call *call, void *user,
                                             bool looks);

/// Hands over the velocity of a gas that is led by GYRE_GAS_ROWS: `call` writes m/s, for each row
/// of each component, of the middle of a step and of its end, before it begins. Rows tell no
/// velocity. As of gyre_gas_set_force_rows(), NaN or an infinity makes the step fail before
/// anything has changed, and it is not saved. NULL: it ends, and steps fail until there is one.
GYRE_API gyre_result gyre_gas_set_velocity_rows(gyre_gas *gas, gyre_gas_row_call *call, void *user);
/// Puts a floor under the gas, or moves the one that is there; NULL: takes it away. What it covers
/// is shut by it as by a solid that the gas slides along, which goes up and down as fast as it
/// says; what lay there is pushed out upwards, and totals of scalars stay (by `conservative`).
/// Numbers are copied. Called before each step it goes up and down by the difference over dt; in a
/// step without, it stands still and drags nothing, and from there it is put to the next place.
/// Water's surface is one by gyre_wind_blow(). GYRE_ERROR_STATE: the gas was made without
/// (def.floor), or a window is open; GYRE_ERROR_ARGUMENT: a number out of range, and nothing has
/// changed; GYRE_ERROR_MEMORY.
GYRE_API gyre_result gyre_gas_set_floor(gyre_gas *gas, const gyre_gas_floor *floor);

/// What the floor's drag has taken of the gas's momentum since this was asked for last, for each
/// column, along x and (in 3D, else NULL) y: N s, in 2D per metre of depth. It is state: saved, and
/// 0 after this.
GYRE_API gyre_result gyre_gas_take_push(gyre_gas *gas, float *x, float *y);

/// See gyre_model_probe().
GYRE_API gyre_result gyre_gas_probe(const gyre_gas *gas, int field, const float *points, int count,
                                    float *values);

/// See gyre_model_fields().
GYRE_API const gyre_field_info *gyre_gas_fields(const gyre_gas *gas, int *count);
/// See gyre_model_field().
GYRE_API int gyre_gas_field(const gyre_gas *gas, const char *name);
/// See gyre_model_map().
GYRE_API gyre_result gyre_gas_map(gyre_gas *gas, int field, gyre_access access,
                                  gyre_field_view *view);
/// See gyre_model_unmap().
GYRE_API gyre_result gyre_gas_unmap(gyre_gas *gas, int field);

/// The statistics of the last step into the first `size` bytes of *stats, as the caller's headers
/// have it; what the library does not know is 0, and so is all of it for a NULL gas.
GYRE_API void gyre_gas_read_stats(gyre_gas *gas, gyre_gas_stats *stats, size_t size);
/// The same by value.
static inline gyre_gas_stats gyre_gas_get_stats(gyre_gas *gas)
{
    gyre_gas_stats stats;
    gyre_gas_read_stats(gas, &stats, sizeof stats);
    return stats;
}
/// Of a scalar of a gas with GYRE_GAS_CONSERVATIVE transport; else zeros, and gyre_message() says
/// why.
GYRE_API gyre_gas_budget gyre_gas_get_budget(gyre_gas *gas, int field);
/// What pushed a solid or a sheet of the gas that moves, or a body of the set that the gas was
/// handed, in the last step. A gas pushes free bodies of its set itself: see
/// gyre_model_use_bodies().
/// GYRE_ERROR_ARGUMENT: the id is of neither.
GYRE_API gyre_result gyre_gas_read_push(gyre_gas *gas, gyre_id id, gyre_gas_push *push);
/// See gyre_model_hash().
GYRE_API uint64_t gyre_gas_hash(const gyre_gas *gas);

/// See gyre_model_save_size().
GYRE_API size_t gyre_gas_save_size(const gyre_gas *gas);
/// See gyre_model_save().
GYRE_API gyre_result gyre_gas_save(const gyre_gas *gas, void *memory, size_t size, size_t *written);
/// See gyre_model_load().
GYRE_API gyre_result gyre_gas_load(gyre_gas *gas, const void *memory, size_t size);

#ifdef __cplusplus
}
#endif
#endif
