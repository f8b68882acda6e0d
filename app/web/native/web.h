// web/native/web.h: what JavaScript calls: scenes with their pictures, and models. Numbers, texts
// (UTF-8, ended by 0) and addresses in the module's memory are all that crosses. A function that
// can fail returns 0 or a gyre_result, and gyre_message() then says why. What returns a text gives
// memory that the caller frees with web_free(); NULL is a failure. Nothing here waits, and one
// thread calls.
#ifndef WEB_NATIVE_H
#define WEB_NATIVE_H

#include "gyre/scene.h"

/// A scene that runs, and what draws it where it has a canvas.
typedef struct web_scene web_scene;

void *web_malloc(int size);
void web_free(void *memory);
/// The message of the last failure.
const char *web_message(void);

// ---- what there is (table.c) -----------------------------------------------------------------

/// JSON: { "version", "threads", "models": { NAME: [property...] }, "scene": [property...] } with a
/// property as { "name", "kind", "count", "unit", "low", "high", "default", "doc", "fixed",
/// "role", "members", ... }: the property tables, from which types, sliders and completion are
/// made.
char *web_tables(void);
/// The JSON Schema of scene files, as gyre schema prints it.
char *web_schema(void);

// ---- scenes (scene.c) ------------------------------------------------------------------------

/// Bounds of a scene that is not trusted, looked at before anything is made: cells of all models,
/// bytes that they take, particles, bytes of the text; 0: the default.
typedef struct web_limits {
    double cells, bytes, particles, text;
} web_limits;

/// Reads a scene and makes its models. `name` stands in messages, and files that the scene names
/// are looked for beside it in the module's file system. `sets`: lines PATH=VALUE, as of gyre run
/// --set; NULL: none. `threads`: 0: all. A slow scene can be made coarser by `sets`.
int web_open(const char *text, const char *name, const char *sets, int threads,
             const web_limits *limits, web_scene **scene);
void web_close(web_scene *scene);
/// Back to the start; with what was set since, where `keep`.
int web_reset(web_scene *scene, int keep);
/// So many steps.
int web_step(web_scene *scene, int steps);
/// A timed setting: applied before the next step and recorded, as gyre_scene_input() has it.
int web_set(web_scene *scene, const char *path, const char *json);
/// JSON text of a property's value.
char *web_get(web_scene *scene, const char *path);
/// JSON: { "title", "doc", "dt", "fps", "models": [ { "name", "type", "dim", "n", "h", "origin",
/// "fields": [...], "particles": [...], "values": {...} } ], "view": {...}, "modes": [...],
/// "warnings": [...] }.
char *web_describe(web_scene *scene);
/// JSON: { "step", "time", "bytes", "models": { NAME: {...statistics} } }.
char *web_stats(web_scene *scene);
/// Sixteen hexadecimal digits, as gyre hash prints them.
char *web_hash(web_scene *scene);
/// The present settings as a scene file; what was put in since the start as a replay.
char *web_scene_file(web_scene *scene);
char *web_replay(web_scene *scene);
/// A checkpoint: the caller frees `bytes` with web_free().
int web_save(web_scene *scene, void **bytes, int *size);
int web_load(web_scene *scene, const void *bytes, int size);
/// A window on a field of a model, read or written in place. `layout` gets: address, nx, ny, nz,
/// strides of y and z in floats (padded rows). Closed with web_unmap() before the next step.
int web_map(web_scene *scene, int model, const char *field, int write, int layout[6]);
int web_unmap(web_scene *scene, int model, const char *field);
/// Adds `amount` to a field around a point (metres), at once.
int web_splat(web_scene *scene, int model, const char *field, const float centre[3], float radius,
              const float *amount, int components);
/// Values of a field at `count` points (x, y, z each).
int web_probe(web_scene *scene, int model, const char *field, const float *points, int count,
              float *values);

// ---- the hand (hand.c): the viewer's brush by its roles, for pointers of a canvas --------------

/// What a press does: as the viewer's left and right button and Alt, or what the scene is best
/// played with (dye and a push together in gases, a body or a splash in water).
enum { WEB_PLAY, WEB_POUR, WEB_PUSH, WEB_GRAB, WEB_DIG, WEB_ORBIT, WEB_PAN, WEB_HEAP };
enum { WEB_DOWN, WEB_MOVE, WEB_UP };
/// x and y: 0 to 1 of the canvas, from its lower left corner. `pointer`: fingers by number, each
/// with a stroke of its own, ten at most. `colour`: 0xrrggbb: of the scene's dyes the nearest; -1:
/// its first. WEB_HEAP is the other way of WEB_DIG. WEB_PLAY grabs a body under the pointer.
int web_pointer(web_scene *scene, int pointer, int phase, int what, float x, float y, int colour);
int web_zoom(web_scene *scene, float factor, float x, float y);
/// Radius (m; 0: default) and strength of what pointers do.
int web_brush(web_scene *scene, float radius, float strength);

// ---- pictures (draw.c): WebGL 2, the viewer's own looks ----------------------------------------

/// Makes shaders and buffers in the GL context that is current. Again after a context was lost.
int web_draw_open(web_scene *scene);
void web_draw_close(web_scene *scene, int lost);
/// JSON of what differs: { "mode": "volume", "field": "density", "model": "water" or null (all),
/// "arrows": true, "solids": true, "mixed": true, "textured": true, "scale": 0.5, "zoom": 1,
/// "centre": [x, y], "dyes": { NAME: {...} }, "camera": {...}, "light": {...}, "view": {...} } and
/// any member of a scene's "view". All of it is taken or, where something is wrong, nothing. With
/// "transparent" nothing is drawn behind the fluid, and colours come multiplied by their alpha; the
/// context of the canvas must have alpha.
int web_look(web_scene *scene, const char *json);
/// JSON of the look as it is.
char *web_get_look(web_scene *scene);
/// Brings what the display needs of the present state; then draws, `blend` (0 to 1) of the way from
/// the state before it, into a canvas of that size in pixels.
int web_show(web_scene *scene);
int web_draw(web_scene *scene, int width, int height, float blend);
/// What flows from now on in place of the image that the scene's view.texture names: a camera's
/// picture of so many pixels (1 to 2048 a side), RGBA, the bottom row first; copied. No part of the
/// state. The image is back when the scene is opened anew or the GL context was lost.
int web_flow(web_scene *scene, int width, int height, const unsigned char *rgba);

// ---- models by themselves (model.c): gyre/model.h over JSON defs --------------------------------

typedef struct web_model web_model;
/// `type`: "gas", "water", ...; `json`: the properties that differ from their defaults.
int web_model_create(const char *type, const char *json, int threads, web_model **model);
void web_model_destroy(web_model *model);
int web_model_step(web_model *model, float dt);
int web_model_set(web_model *model, const char *path, const char *json);
char *web_model_get(web_model *model, const char *path);
char *web_model_describe(web_model *model); // as a model of web_describe()
char *web_model_stats(web_model *model);
char *web_model_hash(web_model *model);
int web_model_map(web_model *model, const char *field, int write, int layout[6]);
int web_model_unmap(web_model *model, const char *field);
int web_model_splat(web_model *model, const char *field, const float centre[3], float radius,
                    const float *amount, int components);
int web_model_probe(web_model *model, const char *field, const float *points, int count,
                    float *values);
int web_model_save(web_model *model, void **bytes, int *size);
int web_model_load(web_model *model, const void *bytes, int size);

#endif
