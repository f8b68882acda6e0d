/// @file gyre/scene.h
/// Scenes: JSON in, models out, stepped along a timeline. Part of libgyre_scene.
///
/// A scene is one JSON object:
///   { "title": "...", "doc": "...",
///     "models":   { "gas": { ...the properties of its table... } },
///     "device":   "cpu",
///     "time":     { "fps": 30, "frames": 240, "steps_per_frame": 1, "seed": 0 },
///     "bodies":   [ { "name": "crate", "motion": "free", "position": [1, 1, 0],
///                     "form": { "box": { "size": [1, 1, 1] } } } ],
///     "start":    { "gas.density": "exp(-20 * (x^2 + y^2))" },
///     "timeline": [ { "time": 1.5, "path": "gas.emitters.jet.enabled", "value": false },
///                   { "time": 2, "path": "gas.solids", "value": { ...a solid that comes... } },
///                   { "time": 3, "path": "gas.solids.rock", "value": null } ],
///     "camera": {...}, "light": {...}, "view": {...}, "output": { "width": 640, "height": 480 } }
/// Frames are 1 / time.fps seconds of the fluid's time apart; a video shows output.fps of them in a
/// second, as many as that unless it says otherwise.
/// The key of a model is its name, the first part of every path to its properties, and its type
/// too unless a member "type" says otherwise. Every value goes through a property table, so the
/// schema that gyre_scene_schema() prints is the whole truth about the format.
///
/// "start" says how fields of the models' state begin: a number, a formula of x, y and z (metres)
/// or an array of any size that is stretched over the domain; "density" is that of the first model
/// that has one.
///
/// "bodies" are a set (gyre/body.h) that every model is handed which takes one, and that is stepped
/// after the models: one crate floats in the water, keeps smoke out and is drawn once. A driven
/// body goes where the timeline's entries of its position, rotation or orientation have it at the
/// end of each step, so that its velocity is displacement over dt; others are put there.
///
/// Every message about a scene file reads FILE:LINE:COLUMN: PATH: what was found, what was
/// expected.
#ifndef GYRE_SCENE_H
#define GYRE_SCENE_H

#include "gyre/body.h"
#include "gyre/io.h"
#include "gyre/model.h"
#include "gyre/render.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Gets one sentence without a line's end.
typedef void gyre_tell(void *context, const char *sentence);

/// A scene with the models made from it. One thread at a time may use it.
typedef struct gyre_scene gyre_scene;

/// How long a scene lasts, and in what steps.
typedef struct gyre_scene_time {
    float fps;               ///< frames per second of the fluid's time
    int32_t frames;          ///< of a whole run
    int32_t steps_per_frame; ///< each of 1 / (fps * steps_per_frame) seconds
    int32_t seed;            ///< added to the seed of every model that has one
} gyre_scene_time;

/// The size of pictures.
typedef struct gyre_scene_output {
    int32_t width;  ///< of pictures, in pixels
    int32_t height; ///< of pictures, in pixels
    float fps;      ///< frames per second of videos; 0: those of the fluid's time
} gyre_scene_output;

/// Which axis points up.
typedef enum gyre_up {
    GYRE_UP_OWN, ///< in each model its own: y in a gas, z where there is a water's surface
    GYRE_UP_Y,   ///< y: there is no water then
    GYRE_UP_Z    ///< z: defaults of gravity, camera and light follow
} gyre_up;

/// What ties models of a scene together. Couplings act in the order of their list once a step,
/// after the timeline and before the first model is stepped. One with a `surface` keeps an emitter
/// on a water's: its shape is moved along z, until its middle (a volume's: its lower side; a
/// half-space's: its point) is `offset` above the surface that is below or above it, of the bed
/// where it is dry. z must be up. One with a `body` has an emitter go along with it: the shape that
/// the scene gives it (a volume cannot be turned) is in the body's own frame. What the emitter
/// pushes with stays as it is. One with `air` makes the surface of a water the floor of a gas, and
/// hands the wind's stress over: gyre_wind_blow(). The gas has `floor`, and a step's worth of that
/// is the scene's. One with `window` joins a water to the ocean `sea` when the scene's models are
/// created: gyre_sea_join(). A picture then leaves the ocean out where the water is.
typedef struct gyre_coupling {
    char name[32];     ///< for paths
    bool enabled;      ///< whether it acts
    char element[128]; ///< what is moved: "air.emitters.steam"; while there is none: nothing
    char surface[64];  ///< the name of a model that has a surface: "pool"
    float offset;      ///< m, above it
    char body[32];     ///< the name of a body of the scene, in place of a surface: "boat"; while
                       ///< there is none the element stays
    char air[64];      ///< the name of a gas, in place of an element: it blows over `surface`
    char nest[64];     ///< the name of a water that is nested in another, in place of an element:
                       ///< gyre_water_nest(), when the scene is created
    char in[64];       ///< the name of that other one, which the scene names before it
    float drag;        ///< 1, of the wind on the water, of `air`: 0 to 10
    char window[64];   ///< the name of a water, in place of an element: it is a window of `sea`
    char sea[64];      ///< the name of an ocean
} gyre_coupling;

/// How a value is held against what is known of it. The error must not exceed the tolerance.
typedef enum gyre_known_kind {
    GYRE_KNOWN_RELATIVE, ///< |found - known| / |known|
    GYRE_KNOWN_ABSOLUTE, ///< |found - known|
    GYRE_KNOWN_AT_LEAST, ///< what is missing: known - found where that is above 0
    GYRE_KNOWN_AT_MOST,  ///< what is too much: found - known where that is above 0
    GYRE_KNOWN_ORDER     ///< of the value, an error, as the two finest grids have it: at least
} gyre_known_kind;

/// A value that a scene must come to, known from elsewhere.
typedef struct gyre_known_value {
    char name[40];    ///< what the measure calls it: "speed_error"
    int32_t kind;     ///< gyre_known_kind
    int32_t cells;    ///< along x, of the grid that it holds of; 0: of the finest that is run
    double value;     ///< what is known, in the measure's unit
    double tolerance; ///< of the error
    bool quick;       ///< whether it is asked for on a quick run's grids, too
    char by[64];      ///< of whom it is asked: "gas, cubic"; "": of gyre as the scene says
    char source[200]; ///< where it comes from; "": as the scene's
} gyre_known_value;

/// What another program is said to have come to: shown beside what was found, asked of nobody.
typedef struct gyre_known_other {
    char name[40];    ///< what the measure calls it
    char by[64];      ///< who: "Basilisk, centred"
    int32_t cells;    ///< along x
    double value;     ///< in the measure's unit
    char source[200]; ///< where that is said
} gyre_known_other;

/// Runs by how long they may take.
typedef enum gyre_known_tier {
    GYRE_KNOWN_QUICK,    ///< seconds
    GYRE_KNOWN_FULL,     ///< minutes; where no grid is said for it, those of a quick run
    GYRE_KNOWN_OVERNIGHT ///< hours; where none is said for it, those of a full one
} gyre_known_tier;

/// A grid that the scene is measured on. Its cells along y and z follow from the scene's own.
typedef struct gyre_known_grid {
    int32_t cells; ///< along x
    int32_t run;   ///< gyre_known_tier
} gyre_known_grid;

/// A picture of the run on its finest grid, for the page of gyre validate.
typedef struct gyre_known_picture {
    float at;     ///< s, from the start; past the end of the run: at its end
    char of[120]; ///< what it shows: "rolls"; "": its time alone is said
} gyre_known_picture;

enum { GYRE_KNOWN_NUMBERS = 12 };

/// What is known of a scene from elsewhere, for gyre validate to measure: doc/validate.md. A run of
/// the scene takes no notice of it.
typedef struct gyre_known {
    char measure[40]; ///< what is measured: a line of gyre validate --measures; "": nothing
    char source[256]; ///< where what is known comes from
    gyre_pool grids;  ///< of gyre_known_grid, the coarse ones of a run first
    float courant;    ///< steps of courant * h / speed; 0: the scene's own
    float speed;      ///< m/s, for the length of steps
    gyre_amount with[GYRE_KNOWN_NUMBERS]; ///< numbers that the measure asks for, by name
    gyre_pool values;                     ///< of gyre_known_value
    gyre_pool others;                     ///< of gyre_known_other
    gyre_pool pictures;                   ///< of gyre_known_picture; none: one at the end
} gyre_known;

/// What a scene says beside its models.
typedef struct gyre_scene_settings {
    char title[128];          ///< a few words
    char doc[256];            ///< a sentence
    char device[64];          ///< as gyre_device_parse() takes it; "" is "cpu"
    gyre_scene_time time;     ///< how long it lasts
    gyre_camera camera;       ///< where it is seen from
    gyre_light light;         ///< what lights it
    gyre_view_settings view;  ///< how it is drawn
    gyre_scene_output output; ///< the size of pictures
    int32_t up;               ///< gyre_up
    gyre_pool couplings;      ///< of gyre_coupling
    gyre_pool bodies;         ///< of gyre_body, as they begin; every model is handed them
    gyre_known known;         ///< from elsewhere
} gyre_scene_settings;

/// The property table of gyre_scene_settings.
extern GYRE_API const gyre_property gyre_scene_properties[];

/// Reads a scene file of at most 16 MiB and the images and arrays that it names, relative to its
/// folder. GYRE_ERROR_FILE: a file is missing or not to be read; GYRE_ERROR_FORMAT: not JSON;
/// GYRE_ERROR_ARGUMENT: an unknown key or a wrong value.
GYRE_API gyre_result gyre_scene_load(const char *path, gyre_scene **scene);

/// The same from memory. `name` stands for the file in messages, and files that the scene names are
/// looked for in its folder.
GYRE_API gyre_result gyre_scene_parse(const char *text, size_t size, const char *name,
                                      gyre_scene **scene);

/// Destroys its models too. NULL is allowed.
GYRE_API void gyre_scene_destroy(gyre_scene *scene);

/// Sets a property from text: path "gas.viscosity" and text "0.1", or "camera.position" and
/// "1,1,3". Before the models are created any property; afterwards as gyre_model_set().
GYRE_API gyre_result gyre_scene_set(gyre_scene *scene, const char *path, const char *text);

/// The same from one string, "gas.viscosity=0.1".
GYRE_API gyre_result gyre_scene_assign(gyre_scene *scene, const char *assignment);

/// Reads a property by path: of the model where it is created, else of its def.
GYRE_API gyre_result gyre_scene_get(const gyre_scene *scene, const char *path, gyre_value *value);

/// Creates the models. The device must outlive the scene. GYRE_ERROR_STATE when they are there
/// already.
GYRE_API gyre_result gyre_scene_create(gyre_scene *scene, gyre_device *device);

/// Sets a property, or adds or removes an element of a pool, from JSON, now, and records it as an
/// entry of the timeline at the present time: what happens is what a scene with that entry does.
/// A path that names a pool ("gas.solids") adds the element that `json` holds (an object as in a
/// scene file; files it names are looked for as the scene's are); an element's path
/// ("gas.solids.rock") with null removes it. Messages name the path and where in `json` they mean.
/// What the scene's own timeline means to change and was removed here, it passes over; for what it
/// still adds, room is kept.
GYRE_API gyre_result gyre_scene_input(gyre_scene *scene, const char *path, const char *json);

/// Reserves room for elements that come while the scene runs: before the models are created.
GYRE_API gyre_result gyre_scene_reserve(gyre_scene *scene, const char *pool, int count);

/// Writes the scene as it is now (defs of the models with what was put in since, settings, timeline
/// without what was recorded and without elements that were removed) as a file that
/// gyre_scene_load() reads: only what differs from the defaults. Files that it names keep their
/// names where it lies in the scene's folder, else they get whole paths. Never half a file.
GYRE_API gyre_result gyre_scene_write(const gyre_scene *scene, const char *path);

/// Writes what gyre_scene_input() has recorded as a replay: { "scene": "plume.json", "set":
/// ["gas.viscosity=0.1"], "steps": 812, "hash": "0123456789abcdef", "room": { "gas.solids": 264 },
/// "timeline": [ ... ] }; "set" is what gyre_scene_set() has set before the models were created,
/// "room" how many elements its lists can hold, which those that came needed.
/// GYRE_ERROR_STATE: the run has gone on from a saved state, or more than a million changes were
/// put in.
GYRE_API gyre_result gyre_replay_write(const gyre_scene *scene, const char *path);

/// The path of the scene that a replay was recorded on.
GYRE_API gyre_result gyre_replay_scene(const char *path, char *scene, size_t size);

/// Reads a replay into a scene that is loaded and not yet created: what was set before it is set,
/// its timeline is added to the scene's, room for the elements it adds is reserved. `steps` and
/// `hash` (may be NULL) are what the recorded session came to.
GYRE_API gyre_result gyre_replay_load(gyre_scene *scene, const char *path, int64_t *steps,
                                      uint64_t *hash);

/// Seconds of one step.
GYRE_API float gyre_scene_dt(const gyre_scene *scene);

/// Applies the timeline at the models' own time, then couplings, then takes one step of the models
/// and of the bodies.
/// GYRE_ERROR_STATE before gyre_scene_create().
GYRE_API gyre_result gyre_scene_step(gyre_scene *scene);

/// Takes the steps of one frame.
GYRE_API gyre_result gyre_scene_step_frame(gyre_scene *scene);

/// Seconds simulated, which are those of every model; 0 before gyre_scene_create().
GYRE_API double gyre_scene_seconds(const gyre_scene *scene);

/// Whole frames simulated since create (or, after a load, since the saved run began).
GYRE_API int64_t gyre_scene_frame(const gyre_scene *scene);

/// The models in the order of the file. Each call gives NULL past the end; gyre_scene_model() gives
/// NULL before gyre_scene_create() too.
GYRE_API int gyre_scene_model_count(const gyre_scene *scene);
/// The name of the i-th model in its scene; NULL past the end.
GYRE_API const char *gyre_scene_model_name(const gyre_scene *scene, int i);
/// The type of the i-th model; NULL past the end.
GYRE_API const char *gyre_scene_model_type(const gyre_scene *scene, int i);
/// The i-th model, once made; NULL past the end and before. It belongs to the scene.
GYRE_API gyre_model *gyre_scene_model(const gyre_scene *scene, int i);

/// The scene's bodies; NULL where it has none, or its models are not created. They belong to the
/// scene, which steps them.
GYRE_API gyre_bodies *gyre_scene_bodies(const gyre_scene *scene);

/// The def that a model is or will be made from; its table is that of the model's type.
GYRE_API const void *gyre_scene_model_def(const gyre_scene *scene, int i);

/// Tells, a sentence each, what in a scene does less than it seems to: before or after the models
/// are created. A change in time that a model does not take wholly is told once for all elements.
GYRE_API void gyre_scene_warn(const gyre_scene *scene, gyre_tell *tell, void *context);

/// The files that it was read from: its own (the name given to gyre_scene_parse()), then the images
/// and arrays that it names. NULL past the end.
GYRE_API const char *gyre_scene_file(const gyre_scene *scene, int i);

/// What the scene says beside its models, as it is now; lives as long as the scene.
GYRE_API const gyre_scene_settings *gyre_scene_get_settings(const gyre_scene *scene);

/// A hash over the states of all models and bodies, whatever room their lists have.
GYRE_API uint64_t gyre_scene_hash(const gyre_scene *scene);

/// Fields of one model, held still for a picture or a file.
typedef struct gyre_fields gyre_fields;

/// Finds a field of the scene: "gas.density" of the model of that name, "density" of the first
/// model that has one. Either of `model` and `field` may be NULL. GYRE_ERROR_ARGUMENT: none has;
/// GYRE_ERROR_STATE: the models are not created.
GYRE_API gyre_result gyre_scene_field(const gyre_scene *scene, const char *name, int *model,
                                      int *field);

/// The field of model i that a file holds which has room for one, where nobody named another: what
/// the scene shows (view.field, where it is this model's), else the first that is worth totalling,
/// else the first. NULL: no such model, models that are not created, or view.field is no field.
GYRE_API const char *gyre_scene_main_field(const gyre_scene *scene, int i);

/// Opens windows on fields of model i by name, its own before it or not ("gas.density",
/// "density"); derived fields are computed and copied. `names` may be NULL: the main field, then
/// the velocity, then all others that are not derived. Close them before the next step, a picture,
/// or other windows on these fields: see gyre_model_map().
GYRE_API gyre_result gyre_fields_open(gyre_scene *scene, int i, const char *const *names, int count,
                                      gyre_fields **fields);
/// The windows, open until gyre_fields_close().
GYRE_API const gyre_named_view *gyre_fields_views(const gyre_fields *fields, int *count);
/// Closes the windows. NULL is allowed.
GYRE_API void gyre_fields_close(gyre_fields *fields);

/// Copies of a model's sets of particles, for a picture or a file.
typedef struct gyre_particle_sets gyre_particle_sets;

/// Copies the sets of model i; one that has none gives none. GYRE_ERROR_STATE: the models are not
/// created, or a set is mapped; GYRE_ERROR_MEMORY.
GYRE_API gyre_result gyre_particle_sets_open(gyre_scene *scene, int i, gyre_particle_sets **sets);
/// The copies, until gyre_particle_sets_close().
GYRE_API const gyre_named_particles *gyre_particle_sets_views(const gyre_particle_sets *sets,
                                                              int *count);
/// Frees the copies. NULL is allowed.
GYRE_API void gyre_particle_sets_close(gyre_particle_sets *sets);

/// Draws the scene with its camera, light and view into an image made by gyre_image_create(): the
/// model whose field view.field names; else all models, as view.layout says: in one picture by
/// depth (gyre_render_composed()) or each in a panel of it, side by side or one above the other, in
/// the order of the file. GYRE_ERROR_ARGUMENT: view.layout is "composed" and they cannot be. Which
/// fields are smoke, heat and solids the field table says (its `role`); of smoke all are drawn.
GYRE_API gyre_result gyre_scene_render(gyre_scene *scene, gyre_image *image);

/// The texture that view.texture names at this time, loaded once: the caller owns it, too, and
/// calls gyre_texels_destroy(). NULL: none is named. The errors of its file, which it names.
GYRE_API gyre_result gyre_scene_texels(gyre_scene *scene, gyre_texels **texels);

/// What gyre_scene_render() would draw, in memory of its own: a scene may be stepped, and anything
/// else be done with it, while another thread draws what it was. Beside the pictures' own memory
/// it takes 4 bytes a cell for each field that is seen, and copies of meshes and particles.
typedef struct gyre_picture gyre_picture;

/// One that holds nothing yet. GYRE_ERROR_MEMORY.
GYRE_API gyre_result gyre_picture_create(gyre_picture **picture);
/// Frees it. NULL is allowed.
GYRE_API void gyre_picture_destroy(gyre_picture *picture);
/// Copies what the scene shows now; what was held before is let go. The errors of
/// gyre_scene_render() that fields and settings make; after one it holds nothing.
GYRE_API gyre_result gyre_picture_hold(gyre_picture *picture, gyre_scene *scene);
/// Draws what is held, on any device (not necessarily the scene's): the picture that
/// gyre_scene_render() would have drawn then, to the byte. One thread at a time for each picture.
/// GYRE_ERROR_STATE: nothing is held; the errors of gyre_render().
GYRE_API gyre_result gyre_picture_draw(gyre_picture *picture, gyre_device *device,
                                       gyre_image *image);

/// A thread that draws a scene's pictures while the scene goes on: a gyre_picture, and the calls
/// that hand it over.
typedef struct gyre_drawer gyre_drawer;
/// Called on that thread when a picture is drawn: what fails here, gyre_drawer_wait() returns.
typedef gyre_result gyre_drawn_call(void *context);

/// `device`: to draw on, not the scene's own, which steps meanwhile; kept until the drawer is
/// destroyed. GYRE_ERROR_MEMORY: also where the system has no thread.
GYRE_API gyre_result gyre_drawer_create(gyre_device *device, gyre_drawer **drawer);
/// Waits for what is being drawn, then frees it. NULL is allowed.
GYRE_API void gyre_drawer_destroy(gyre_drawer *drawer);
/// Waits for the picture before, copies what the scene shows now, and has it drawn into `image`,
/// then `then` called, which may be NULL. Until gyre_drawer_wait() the image and what the call
/// touches are that thread's. Errors of the picture before, of gyre_picture_hold().
GYRE_API gyre_result gyre_drawer_begin(gyre_drawer *drawer, gyre_scene *scene, gyre_image *image,
                                       gyre_drawn_call *then, void *context);
/// Waits until what was begun is done; its error, once.
GYRE_API gyre_result gyre_drawer_wait(gyre_drawer *drawer);

/// Prints the JSON Schema (draft 2020-12) of scene files, made from the property tables alone.
GYRE_API gyre_result gyre_scene_schema(FILE *stream);

/// Saves the frame counter and every model's state. Written beside its final name, flushed and
/// renamed: never half a file.
GYRE_API gyre_result gyre_scene_save_file(const gyre_scene *scene, const char *path);

/// Takes a saved state back into a scene whose models are created from the same file.
/// GYRE_ERROR_FORMAT when it is damaged, cut, of another version or of other models, grids, steps
/// or frame rates. With several models those before the failing one may have been loaded.
GYRE_API gyre_result gyre_scene_load_file(gyre_scene *scene, const char *path);

/// Creates the models and goes on from a saved state, of a run that was made from this scene or
/// from what it was before it was changed. What the scene says otherwise than the saved run's did
/// at that time is taken and told, a sentence each (`tell` may be NULL); what does not differ stays
/// as it has become. GYRE_ERROR_STATE: something that is fixed when a run begins differs (a grid,
/// channels, arrays of a whole model). Else as gyre_scene_create() and gyre_scene_load_file();
/// after a failure only gyre_scene_destroy() is left.
GYRE_API gyre_result gyre_scene_resume(gyre_scene *scene, gyre_device *device, const char *path,
                                       gyre_tell *tell, void *context);

/// A table of statistics as a CSV file: one line per step with the values of each model's
/// statistics table, total_NAME of each field that is worth totalling, LIST.NAME.WHAT of what the
/// model reports of its elements (gyre_model_report(): a body's pose, speed, force, draft; empty
/// while it is not there), the state's hash, and the milliseconds the step took. With several
/// models the names of a model's columns begin with its own and a point: "gas.max_speed". The file
/// gets its name at close.
typedef struct gyre_stats_file gyre_stats_file;

/// Begins a CSV of statistics, a line per frame, the columns by name first.
GYRE_API gyre_result gyre_stats_open(const char *path, const gyre_scene *scene,
                                     gyre_stats_file **file);
/// Writes the line of the frame that was stepped last; `ms` that it took.
GYRE_API gyre_result gyre_stats_write(gyre_stats_file *file, double ms);
/// Ends the file and frees `file`, on failure too. After a failed write (a full disk) the lines
/// before it are kept. NULL is allowed.
GYRE_API gyre_result gyre_stats_close(gyre_stats_file *file);
/// Removes what has no final name yet and frees `file`. NULL is allowed.
GYRE_API void gyre_stats_abort(gyre_stats_file *file);

#ifdef __cplusplus
}
#endif
#endif
