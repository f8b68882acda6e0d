/// @file gyre/model.h
/// What every model can do, by name: for tools, viewers and bindings.
#ifndef GYRE_MODEL_H
#define GYRE_MODEL_H

#include "gyre/body.h"
#include "gyre/device.h"
#include "gyre/grid.h"
#include "gyre/mesh.h"
#include "gyre/particle.h"
#include "gyre/property.h"
#include "gyre/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Any model. A gyre_gas is one: see gyre_gas_model(). One thread at a time may use it, but for
/// queries (see gyre_model_probe()). Different models may be used by different threads, on one
/// device too: see gyre_device.
typedef struct gyre_model gyre_model;

/// The name of the i-th model type ("gas"); NULL past the end.
GYRE_API const char *gyre_model_type_name(int i);

/// Whether this build has models of a type. GYRE_ERROR_ARGUMENT: there is none such, the message
/// says which there are; GYRE_ERROR_UNSUPPORTED: it has been made without, as a module for pages
/// that holds gases in 2D alone. Any thread.
GYRE_API gyre_result gyre_model_type_find(const char *type);

/// The property table of a type's def and the def's size in bytes (def_size may be NULL); NULL for
/// an unknown type.
GYRE_API const gyre_property *gyre_model_type_properties(const char *type, size_t *def_size);

/// Fills a def of `type`, of as many bytes as gyre_model_type_properties() says, with its defaults
/// for a grid of `dim` dimensions, 2 or 3. GYRE_ERROR_ARGUMENT: an unknown type (the nearest is
/// named), another `dim` or another `size`; nothing is written then. Any thread.
GYRE_API gyre_result gyre_model_default_def(const char *type, int dim, void *def, size_t size);

/// Bytes that a model of this def will take, all of them at create. 0 with a message for a bad def.
GYRE_API size_t gyre_model_def_size(const char *type, const void *def);

/// Makes a model of a type at rest. The def and its lists are copied, arrays are not (see
/// gyre_volume). GYRE_ERROR_ARGUMENT: an unknown type, a bad def; GYRE_ERROR_MEMORY;
/// GYRE_ERROR_UNSUPPORTED: not on this device.
GYRE_API gyre_result gyre_model_create(gyre_device *device, const char *type, const void *def,
                                       gyre_model **model);
/// Ends a model. NULL is allowed.
GYRE_API void gyre_model_destroy(gyre_model *model);

/// The name of its type; lives as long as the program.
GYRE_API const char *gyre_model_type(const gyre_model *model);
/// Its grid; lives as long as the model.
GYRE_API const gyre_grid *gyre_model_grid(const gyre_model *model);
/// The device that it was made on.
GYRE_API gyre_device *gyre_model_device(const gyre_model *model);

/// Seconds simulated since create, and steps taken.
GYRE_API double gyre_model_time(const gyre_model *model);
/// Steps taken since create.
GYRE_API int64_t gyre_model_steps(const gyre_model *model);

/// Phases of texture coordinates at most.
enum { GYRE_TEXTURE_PHASES = 3 };

/// Texture coordinates that flow with a model. What was at x when phase p began (m, in the world)
/// has come from X_p = x + (the fields field[p][0], field[p][1], ... at x) + offset[p]; of a
/// texture T it shows, with m the mean of T,
///
///     m + sum weight[p] (T(X_p) - m) / sqrt(sum over p and q of weight[p] weight[q] r(X_p - X_q))
///
/// r being how alike T is to itself so far away, 1 at 0 (its autocorrelation): what is blended has
/// then T's mean and variance. Weights are 0 to 1, not all 0, and 0 where a phase begins anew.
typedef struct gyre_texture {
    int phases;                           ///< 0: the model has no such coordinates
    int field[GYRE_TEXTURE_PHASES][3];    ///< the phase's fields, m, at cell centres; -1: none
    float weight[GYRE_TEXTURE_PHASES];    ///< at this time
    float offset[GYRE_TEXTURE_PHASES][3]; ///< m, of the phase at this time
    double age[GYRE_TEXTURE_PHASES];      ///< s since the phase began
} gyre_texture;

/// The texture coordinates of a model as it is now: of a gas with texture.phases.
GYRE_API gyre_result gyre_model_texture(const gyre_model *model, gyre_texture *texture);

/// Advances by dt seconds, dt >= 0 and finite. Any dt leaves every field finite.
GYRE_API gyre_result gyre_model_step(gyre_model *model, float dt);

/// Hands the model the bodies of a set, in place of one before; with NULL it has none. The set must
/// live until then, or longer than the model. A step takes the bodies as they are, whatever has
/// come, gone or moved since, and adds what it does to free ones to their pushes; once a step,
/// after all models, the caller steps the set with the same dt:
///
///     gyre_model_use_bodies(water, bodies);
///     gyre_model_use_bodies(gas, bodies);
///     for (...) {
///         gyre_model_step(water, dt);
///         gyre_model_step(gas, dt);
///         gyre_bodies_step(bodies, dt);
///     }
///
/// Water is displaced by them and carries them. A gas in 3D goes round them, is pushed by those
/// that move, and pushes those that are free (gyre_gas_read_push). In an ocean they shed wave
/// particles, where it has room for them, and it bears none. What a model cannot take (a
/// half-space in water, a deforming mesh in a gas) is refused here, and where it comes later by the
/// model's next call. Saving a model does not save the set: load that first. Only the set's owner
/// moves its bodies. GYRE_ERROR_UNSUPPORTED: a model that takes no bodies; GYRE_ERROR_ARGUMENT: a
/// body that it cannot take; GYRE_ERROR_STATE: a window is open; GYRE_ERROR_MEMORY. It has none
/// then.
GYRE_API gyre_result gyre_model_use_bodies(gyre_model *model, gyre_bodies *bodies);

/// Writes or reads one property by path. GYRE_ERROR_ARGUMENT: unknown path (the nearest is named),
/// wrong kind, out of range, not finite. GYRE_ERROR_STATE: a property that is fixed at create.
GYRE_API gyre_result gyre_model_set(gyre_model *model, const char *path, const gyre_value *value);
/// Reads one property by path: see gyre_model_set().
GYRE_API gyre_result gyre_model_get(const gyre_model *model, const char *path, gyre_value *value);

/// The same with a path from an element ("shape.sphere.radius"), whatever it is called.
GYRE_API gyre_result gyre_model_set_in(gyre_model *model, gyre_id id, const char *path,
                                       const gyre_value *value);
/// Reads one property of an element: see gyre_model_set_in().
GYRE_API gyre_result gyre_model_get_in(const gyre_model *model, gyre_id id, const char *path,
                                       gyre_value *value);

/// Adds a copy of `element` to the pool of that name ("emitters", "solids"); 0 with a message on
/// failure: no such pool (the nearest is named), no room, an element that is out of range, no
/// memory. What follows from it is made at once.
GYRE_API gyre_id gyre_model_add(gyre_model *model, const char *pool, const void *element);
/// Replaces an element by a copy of another: what changes is noted, made anew once when the model
/// is next stepped or looked at, however many elements change, and costs nothing where all is as it
/// was (but for elements that use an array, which may have been painted). Allocates nothing.
/// GYRE_ERROR_ARGUMENT: the id, or a value out of range; GYRE_ERROR_STATE: a name or what is fixed
/// for the element's life differs. A step that finds no memory for what has changed is
/// GYRE_ERROR_MEMORY, and may be tried again.
GYRE_API gyre_result gyre_model_update(gyre_model *model, gyre_id id, const void *element);
/// A copy of an element as it is now into *element, which is of the pool's type.
GYRE_API gyre_result gyre_model_read(const gyre_model *model, gyre_id id, void *element);
/// Takes an element away; its id is not used again.
GYRE_API gyre_result gyre_model_remove(gyre_model *model, gyre_id id);

/// The model's own def as it is now, described by gyre_model_type_properties(). Read only, until
/// the model's next call.
GYRE_API const void *gyre_model_def(const gyre_model *model);

/// The id of element `index` of a pool; 0 with a message when there is none.
GYRE_API gyre_id gyre_model_element(const gyre_model *model, const char *pool, int index);
/// The id of the element of that name; 0 with a message that names the nearest.
GYRE_API gyre_id gyre_model_find(const gyre_model *model, const char *pool, const char *name);
/// The name of the pool that an id is of ("solids"), for as long as the program; NULL with a
/// message where gyre_model_read() would fail.
GYRE_API const char *gyre_model_pool(const gyre_model *model, gyre_id id);

/// The id of the index-th element that stands in the domain and does nothing there, because it is
/// so small that the grid does not see it (a pebble between the corners of a cell), or of a sheet
/// that lies outside, also where a grid which goes along has left it behind. 0 without a message:
/// there are no more. Changes nothing. One thread at a time.
GYRE_API gyre_id gyre_model_missed(gyre_model *model, int index);

/// What a model has to tell of an element as it is now (of a body in water: its pose, its speed,
/// what the water does to it): a table and, through `report`, the struct it describes, until the
/// model's next call. NULL with a message: there is nothing to tell of its pool, or the id is
/// wrong. Changes nothing. One thread at a time.
GYRE_API const gyre_property *gyre_model_report(const gyre_model *model, gyre_id id,
                                                const void **report);
/// The table alone, of the elements of a pool; NULL with a message: there is nothing to tell of
/// them.
GYRE_API const gyre_property *gyre_model_report_table(const gyre_model *model, const char *pool);

/// How many solids a model has to draw (the bodies in water); 0 for most models.
GYRE_API int gyre_model_mesh_count(const gyre_model *model);

/// The surface of one of them in the world as it stands now: closed but where it is cut in two at
/// joined sides, seen from outside anticlockwise; valid until the model's next call; no triangles
/// for one that is not enabled. GYRE_ERROR_ARGUMENT: no such index.
GYRE_API gyre_result gyre_model_mesh(const gyre_model *model, int index, gyre_mesh *mesh);

/// The surface of the index-th body of the set that a model was handed, in the world as it stands
/// now, where the model has it: in water with periodic sides brought in by whole periods, and cut
/// in two where it lies across a seam. Else that of gyre_bodies_mesh(). Valid until the next call
/// for the model or the set. GYRE_ERROR_STATE: it has no set; GYRE_ERROR_ARGUMENT: no such index;
/// GYRE_ERROR_MEMORY: a mesh across a seam has too many triangles to be cut.
GYRE_API gyre_result gyre_model_body_mesh(gyre_model *model, int index, gyre_mesh *mesh);
/// Whether it has been handed a set: gyre_model_use_bodies().
GYRE_API bool gyre_model_has_bodies(const gyre_model *model);

/// How many walls without thickness a model has to draw (the sheets in a gas); 0 for most models.
GYRE_API int gyre_model_sheet_count(const gyre_model *model);

/// One of them in the world as it stands now, with no inside: in 3D triangles, in 2D lines, which
/// are triangles whose last two points are one; valid until the model's next call; no triangles for
/// one that is not enabled. GYRE_ERROR_ARGUMENT: no such index; GYRE_ERROR_MEMORY.
GYRE_API gyre_result gyre_model_sheet(gyre_model *model, int index, gyre_mesh *mesh);

/// Fluid of a model that is in no field of it: the sheets of water that fronts and falls throw, as
/// one surface, closed and seen from outside anticlockwise, which overlaps itself where sheets do.
/// Of a front that is still throwing it goes on into the wave, by about a cell. Its volume above
/// the water is that of the particles "patches", on the mean within a twentieth. Valid until the
/// model's next call; no triangles where nothing flies, and of most models. GYRE_ERROR_MEMORY.
GYRE_API gyre_result gyre_model_overhang(gyre_model *model, gyre_mesh *mesh);

/// The field table.
GYRE_API const gyre_field_info *gyre_model_fields(const gyre_model *model, int *count);

/// The index of a field by name; -1 with a message that names the nearest.
GYRE_API int gyre_model_field(const gyre_model *model, const char *name);

/// What a window is opened for.
typedef enum gyre_access {
    GYRE_READ = 1, ///< it is only looked at: the state stays as it is, to the bit
    GYRE_WRITE     ///< its samples are read and written; they count from unmap on
} gyre_access;

/// Opens a window on a field, until unmap. A derived field is computed now, may be read only, and
/// only one derived field may be mapped at a time.
///
/// The same holds on every device: while a window is open the model stays as it is. step, save,
/// load, set, add, update, remove and splat are GYRE_ERROR_STATE, as is a second map of the field;
/// other fields may be mapped beside it. Of a model with a window open for writing nothing can be
/// computed either: hash, total and stats return 0 or NULL with a message, and mapping a derived
/// field is GYRE_ERROR_STATE. Nothing may be written into a window that is open for reading.
/// Destroying the model closes its windows; what was written is then lost.
/// GYRE_ERROR_ARGUMENT: no such field; access is neither; writing to a derived field.
GYRE_API gyre_result gyre_model_map(gyre_model *model, int field, gyre_access access,
                                    gyre_field_view *view);

/// Closes a window. One that was open for writing hands over what was written, if anything was:
/// NaN and infinity are made 0, the rest is taken, and the result is GYRE_ERROR_ARGUMENT with how
/// many there were. GYRE_ERROR_STATE: the field is not mapped.
/// Closes a window and takes what was written: see gyre_model_map().
GYRE_API gyre_result gyre_model_unmap(gyre_model *model, int field);

/// Moves the grid by so many whole cells along each axis (0 along z in 2D), as a window over a
/// larger world: what is in both places stays where it is in the world, fields with it; what comes
/// in is at rest and as clear and warm as ambient air, of water the def's bed with water at rest up
/// to its level; what is left behind is gone, and stands in the budget (see gyre_gas_get_budget())
/// as what has left, of water in the ledger's line "window", less what came in. Along a periodic
/// axis it comes in again on the other side. Solids, bodies, emitters and tracers stay in the
/// world; sides go along, and so do a caller's whole-field sources (gyre_gas_set_source()).
/// gyre_model_grid() says where it is then, and so do windows, probes, copies, pictures and files;
/// the def and its `grid.origin` stay. How far it has moved belongs to the state: it is saved,
/// loaded and hashed. Takes the device's turn, as other calls do. Costs what it costs to copy the
/// state twice, and where there are solids what it costs to make their faces; takes memory for one
/// field meanwhile, of water for the state, which it keeps.
/// GYRE_ERROR_UNSUPPORTED: a model whose grid stays where it is: classic.
/// GYRE_ERROR_ARGUMENT: cells along z in 2D, or more than 2^20 from where the def has it.
/// GYRE_ERROR_STATE: a window is open. GYRE_ERROR_MEMORY. It has not moved then.
GYRE_API gyre_result gyre_model_shift(gyre_model *model, const int32_t cells[3]);

/// Adds `amount` at the centre, falling smoothly to 0 at `radius` metres, to a field that is not
/// derived (weight (1 - (r/R)^2)^2). Cells inside solids are left out.
GYRE_API gyre_result gyre_model_splat(gyre_model *model, int field, const float centre[3],
                                      float radius, float amount);

/// Linear interpolation of a field at `count` points (3 floats each, metres); outside the domain
/// the nearest inside counts, but across a periodic side the field goes on as it begins at the
/// other. Of a field that is mapped the window's samples count. Beside a sheet of a gas the samples
/// beyond it are left out: which side a point is on its cell's centre says.
/// GYRE_ERROR_ARGUMENT: no such field, a point that is not finite. GYRE_ERROR_STATE: a derived
/// field that is not mapped; water's need no map, unless a window is open for writing.
///
/// Queries (this, gyre_model_probe_vector(), gyre_model_mean() and gyre_model_sight()) change
/// nothing and may be asked by several threads at once, beside each other and nothing else. On the
/// CPU none waits for another; on a device with memory of its own they fetch the field and take
/// turns.
GYRE_API gyre_result gyre_model_probe(const gyre_model *model, int field, const float *points,
                                      int count, float *values);

/// The same of a vector, each component at its own place on the grid. `vector` is what the names of
/// its fields begin with: "velocity" for velocity_x, velocity_y and velocity_z. `values` gets 3
/// floats for each point; a component that there is none of (z in 2D, and of water) is 0.
/// GYRE_ERROR_ARGUMENT: no such vector (the nearest is named); else as gyre_model_probe().
GYRE_API gyre_result gyre_model_probe_vector(const gyre_model *model, const char *vector,
                                             const float *points, int count, float *values);

/// What gyre_model_mean() finds in a region.
typedef struct gyre_mean {
    double mean;   ///< of the field over the fluid in it, total / volume; 0 where there is none
    double total;  ///< its integral over that
    double volume; ///< of fluid in it, m^3; m^2 in 2D
} gyre_mean;

/// The means and the integrals of a field over `count` regions: spheres, boxes, or any other shape
/// (gyre_sphere(), gyre_box()). Each cell counts by the part of it that is inside: of a box along
/// the axes exactly; of a sphere to some hundredths of a cell, a sphere less than a cell wide as
/// one that is; of others as far as the distance of its centre tells. So the means of linear fields
/// are those at the centre where the region lies evenly about it among the cells (a box from cell
/// to cell; a sphere about the centre or the corner of a cell), boxes side by side have the total
/// of both, and a box over all of the domain has gyre_model_total(). Cells without fluid (in
/// solids, cut out) are left out, as they were when the model was last stepped or looked at, and so
/// is what is outside the domain. Across a periodic side a region goes on at the other; it may be
/// as long as that axis. Of samples at faces or corners each cell has the mean of its own.
/// GYRE_ERROR_ARGUMENT: no such field, a shape that is not finite or has no size, one longer than a
/// periodic axis. GYRE_ERROR_STATE, threads and windows: as gyre_model_probe(). After a failure
/// `means` may be filled in part.
GYRE_API gyre_result gyre_model_mean(const gyre_model *model, int field, const gyre_shape *regions,
                                     int count, gyre_mean *means);

/// What gyre_model_sight() finds along a segment.
typedef struct gyre_sight {
    float integral;      ///< of the field along the segment: its unit times a metre
    float transmittance; ///< the part of light that comes through, 0 to 1
    float reach;         ///< metres from the start to the first wall, or to the end
    bool blocked;        ///< there is a wall on the way; false where nobody asked for walls
} gyre_sight;

/// What stands between two points: the integral of a field along each of `count` segments (6 floats
/// each: from x, y, z, to x, y, z; metres; in 2D z is ignored), and the light that an absorption of
/// so much (m^2/kg of a density in kg/m^3, or whatever makes field times absorption 1/m; at least
/// 0) lets through: exp(-absorption integral), at most 1. The integral is the exact one of what
/// gyre_model_probe() reads (but beside sheets, where it is a sum of two points a cell). Outside
/// the domain there is nothing, and sides hide nothing; across a periodic side a segment goes on at
/// the other, and it may be as long as that axis.
///
/// With `walls` solids and sheets (of water edges and gates) hide what is behind them, as the grid
/// has them: the segment ends at the first face that nothing passes, or where it begins in a cell
/// without fluid.
/// GYRE_ERROR_ARGUMENT: no such field, points that are not finite, an absorption that is negative
/// or not finite, a segment longer than a periodic axis. GYRE_ERROR_STATE, threads and windows: as
/// gyre_model_probe(). After a failure `sights` may be filled in part.
GYRE_API gyre_result gyre_model_sight(const gyre_model *model, int field, float absorption,
                                      bool walls, const float *segments, int count,
                                      gyre_sight *sights);

/// What samples are in a caller's memory.
typedef enum gyre_copy_format {
    GYRE_COPY_FLOAT = 0, ///< 4 bytes: as they are
    GYRE_COPY_HALF,      ///< 2 bytes: IEEE binary16, the nearest, of two the even one. What is
                         ///< beyond 65504 becomes 65504 (-65504), infinity too; NaN stays NaN
    GYRE_COPY_BYTE       ///< 1 byte: 0 to 255 for range[0] to range[1], the nearest; 0 and 255
                         ///< beyond them, 0 for NaN
} gyre_copy_format;

/// What gyre_model_copy() is to copy, and where to. What is left 0 has its default: the whole of
/// field 0 as floats, one after the other, x fastest, is
/// (gyre_copy){.to = memory, .bytes = sizeof memory}.
typedef struct gyre_copy {
    int field;          ///< its index: see gyre_model_field()
    const char *vector; ///< NULL; or, in place of `field`, what the names of a vector's fields
                        ///< begin with: "velocity" for velocity_x, velocity_y (and velocity_z).
                        ///< Its components are copied at once
    bool centred;       ///< samples at faces are copied as means of the two of each cell, at its
                        ///< centre; else they are copied as they lie: of a vector at faces, sample
                        ///< (i, j, k) has those of the lower faces of cell (i, j, k)
    int low[3];         ///< the first sample
    int size[3];        ///< samples along x, y, z; 0: all that follow. Of a vector as many as each
                        ///< component has: as many as cells
    int format;         ///< gyre_copy_format
    float range[2];     ///< of GYRE_COPY_BYTE; both 0: from 0 to 1
    void *to;           ///< where the first sample goes; need not be aligned
    size_t bytes;       ///< that there are from `to` on
    size_t stride[3];   ///< bytes from sample to sample along x, y and z; 0: without gaps
    size_t component_stride; ///< bytes from component to component; 0: they lie together. More than
                             ///< a sample has, and stride[0] 0: each component is a block of its
                             ///< own
} gyre_copy;

/// Copies a field, or a box of it, into the caller's memory. What lies between the samples there
/// stays as it was. The state stays as it is, to the bit, with or without open windows; of a field
/// that is mapped the window's samples count. A derived field is computed now.
/// GYRE_ERROR_ARGUMENT: no such field or vector (the nearest is named), a box that is not in it, an
/// unknown format, a bad range, too few bytes, strides by which samples would lie on one another.
/// GYRE_ERROR_STATE: a derived field that is not mapped, while another one is or a window is open
/// for writing. GYRE_ERROR_UNSUPPORTED: `centred` of a field at nodes. GYRE_ERROR_MEMORY. Nothing
/// is written to the caller's memory then. GYRE_ERROR_DEVICE: the device has failed.
///
/// `size` is that of the struct in the caller's headers: see gyre_model_copy(). For bindings.
GYRE_API gyre_result gyre_model_copy_sized(gyre_model *model, const gyre_copy *what, size_t size);
/// The same with the struct of these headers.
static inline gyre_result gyre_model_copy(gyre_model *model, const gyre_copy *what)
{
    return gyre_model_copy_sized(model, what, sizeof *what);
}

/// How many sets of particles a model has beside its fields: 0, or those that its def asks for.
GYRE_API int gyre_model_particle_sets(const gyre_model *model);
/// A set's name, table and room, for as long as the model; NULL with a message: no such set.
GYRE_API const gyre_particle_info *gyre_model_particles(const gyre_model *model, int set);
/// The index of a set by name ("tracers"); -1 with a message that names the nearest.
GYRE_API int gyre_model_particle_set(const gyre_model *model, const char *name);

/// Opens a window on a set of particles, until unmap; the rules are those of gyre_model_map().
/// Their order is a part of the state. In a window that is open for writing elements may be written
/// up to the set's capacity: particles are added behind the last one, and taken away by moving the
/// last into their place or by an x that is not finite.
/// GYRE_ERROR_ARGUMENT: no such set; access is neither. GYRE_ERROR_STATE: the set is mapped.
GYRE_API gyre_result gyre_model_map_particles(gyre_model *model, int set, gyre_access access,
                                              gyre_particle_view *view);
/// Closes a window; `count` is how many particles there are now. Of one that was open for writing
/// they are sorted by cell if anything was written, and those outside the domain are gone.
/// GYRE_ERROR_ARGUMENT: a count below 0 or above the capacity, or in a window for reading another
/// than map has told: the window stays open then; numbers that are not finite: particles are gone
/// for theirs of position, others are made 0. GYRE_ERROR_STATE: the set is not mapped.
GYRE_API gyre_result gyre_model_unmap_particles(gyre_model *model, int set, int count);

/// How many particles there are in a set, were, and are gone. GYRE_ERROR_ARGUMENT: no such set.
GYRE_API gyre_result gyre_model_particle_stats(const gyre_model *model, int set,
                                               gyre_particle_stats *stats);

/// The integral of a field over the fluid (sum of samples times cell volume; area in 2D), in double
/// precision and a fixed order.
GYRE_API double gyre_model_total(const gyre_model *model, int field);

/// The statistics of the last step: a table and the struct it describes.
GYRE_API const gyre_property *gyre_model_stats(const gyre_model *model, const void **stats);

/// A hash of the whole state (fields, clock, particles, what is kept beside): equal for equal bits,
/// on every machine, and whatever room lists have for what may come.
GYRE_API uint64_t gyre_model_hash(const gyre_model *model);

/// Bytes that save writes at most, as long as the model lives: lists count with their capacities.
/// A slot for rolling back that is as large once is large enough for ever.
GYRE_API size_t gyre_model_save_size(const gyre_model *model);

/// Writes the state (fields, clock, properties, elements and their ids, what the model keeps
/// beside) into `memory` as named, sized, versioned chunks, each with its checksum; `written` (may
/// be NULL) gets how many bytes. GYRE_ERROR_ARGUMENT when `size` is too small for it, and `memory`
/// is then unchanged.
GYRE_API gyre_result gyre_model_save(const gyre_model *model, void *memory, size_t size,
                                     size_t *written);

/// The same for rolling back, in half the time: without checksums of what chunks hold. It is taken
/// back by gyre_model_load(), as long as the memory stays as it was; what has been damaged is found
/// only where it makes no sense (no finite number, out of range). Not for files: load_file refuses
/// it. Fields of a megabyte and more are copied by the device's threads, here and by save and load.
GYRE_API gyre_result gyre_model_snapshot(const gyre_model *model, void *memory, size_t size,
                                         size_t *written);

/// Takes a saved state back; `size` may be more than was written. Lists are replaced whole:
/// elements come and go, with their ids, so that a state from before fits whatever was added and
/// removed since. GYRE_ERROR_FORMAT when it is damaged, cut, of another version, of another model
/// type or of another grid or channel list, when it has more elements than there is room for, or
/// names an array (see gyre_volume) that the model does not use now; GYRE_ERROR_MEMORY: the model
/// is then unchanged.
GYRE_API gyre_result gyre_model_load(gyre_model *model, const void *memory, size_t size);

/// The same to and from a file. Written beside its final name, flushed and renamed: never half a
/// file.
GYRE_API gyre_result gyre_model_save_file(const gyre_model *model, const char *path);
/// Takes a state back from a file: see gyre_model_load() and gyre_model_save_file().
GYRE_API gyre_result gyre_model_load_file(gyre_model *model, const char *path);

#ifdef __cplusplus
}
#endif
#endif
