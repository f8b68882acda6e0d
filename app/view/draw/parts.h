// view/draw/parts.h: what the files that draw share.
#ifndef VIEW_DRAW_PARTS_H
#define VIEW_DRAW_PARTS_H

#include "view/draw/draw.h"
#include "view/draw/gl.h"

enum {
    VIEW_BRICK = 8,      // cells along a side of what rays skip at once when empty
    VIEW_SKIES = 9,      // directions that light of the sky comes from
    VIEW_GLOW = 257,     // entries of the glow's colour table
    VIEW_PROGRAMS = 96,  // variants of shaders
    VIEW_PASS_UNIT = 10, // of textures that a pass reads: below are those of what is being painted
    VIEW_LIGHT_KEY = 10, // what light in cells is made from
    VIEW_OWN_KEY = 16,   // what smoke's own light is made from
    VIEW_OWN = 24,       // cells of that along an axis, at most
    VIEW_NOISE = 256,    // texels along a side of the noise
    VIEW_TILE = 8,       // quads along a side of what a surface is drawn of
    VIEW_IMPORTS = 4 * VIEW_FIELDS,
    VIEW_SUM =
        VIEW_FIELDS, // after fields: of scalars that are mixed the sum of their amounts, then
                     // of amounts times their red, green and blue
    VIEW_SLOTS = VIEW_SUM + 4
};

/// How scalars are mixed.
typedef enum view_mixing {
    VIEW_ONE, // they are not: one field is shown
    VIEW_SMOKES,
    VIEW_MAP_INKS, // in maps of ink
    VIEW_LIGHTS,
    VIEW_INKS
} view_mixing;

/// What a scalar adds to the mixture.
typedef struct view_dye_part {
    int field;
    float scale, part[3];
} view_dye_part;

/// How a field is asked for. Cells inside solids hold nothing; in a map they take the values beside
/// them, so that this nothing is not mixed into the edge of the fluid.
typedef enum view_kind {
    VIEW_AS_IS,
    VIEW_GROWN,
    VIEW_SMOOTHED, // 2D: by a cubic B-spline, so that linear samples are near those of the spline
    VIEW_KINDS
} view_kind;

/// One frame, kept. Textures are made when a look asks for them.
typedef struct view_moment {
    bool filled;
    bool shared; // the frame's fields came from its device: textures alone, no `data`
    double time;
    bool has[VIEW_SLOTS];
    float *data[VIEW_SLOTS]; // NULL where the frame had none, or shared it
    size_t room[VIEW_SLOTS]; // bytes behind them
    GLuint texture[VIEW_KINDS][VIEW_SLOTS];
    bool loaded[VIEW_KINDS][VIEW_SLOTS];
    GLuint velocity, body; // three components; share of solids and the same smoothed
    bool velocity_loaded, body_loaded;
    int64_t solid_turn; // of shared fields: the same number, the same solids
    GLuint shade;       // light that falls through the smoke of a plane
    float shade_key[12];
    bool shade_made;
    // What the light pass leaves; see sweep.frag.glsl. Of inks for each colour, else the first.
    GLuint smoke[3];
    int smoke_axis[3];
    float smoke_key[3][VIEW_LIGHT_KEY];
    bool smoke_made[3];
    GLuint heights; // water carried on into dry ground, and bed, of cells
    bool heights_loaded;
    float *bodies; // seven floats a corner: place (m), normal, number of the body
    int body_corners;
    size_t body_room;
    uint8_t *bricks; // bit 0: smoke, bit 1: solids, bit 2: heat, bit 3: what shines beside it
    float bricks_key[4];
    bool bricks_made;
    view_dye_part parts[VIEW_FIELDS]; // what the mixture was made from
    int part_count;
    float cloudiness;
    bool parts_made;
    GLuint own;         // light that comes to smoke from what glows in it, on cells of its own
    float own_cells[3]; // of the grid, along all of those
    float own_key[VIEW_OWN_KEY];
    bool own_made;
    GLuint dyes[2]; // the mixture: red, green, blue, amounts; the same grown into solids
    bool dyes_loaded[2];
    view_flow flow; // without texels
} view_moment;

/// Memory of another API, by its number.
typedef struct view_import {
    uint64_t serial; // 0: none
    uint64_t bytes;
    int64_t used; // turn
    GLuint memory, buffer;
} view_import;

typedef struct view_program {
    char key[128];
    GLuint id;
} view_program;

/// A texture with a framebuffer that draws into it.
typedef struct view_target {
    GLuint texture, framebuffer;
    int width, height;
    GLenum format;
} view_target;

/// Textures and framebuffers of the light passes; made for one grid.
typedef struct view_light {
    bool made, has_sky;
    int coarse[3], tile[VIEW_SKIES][2], planes;
    GLuint depth, arrived, sky; // volumes of the coarse grid
    view_target tiles[2], plane[2];
    GLuint framebuffer;
    view_target floor;
    float floor_low[2], floor_cell;
    int floor_of; // moment
    bool floor_made;
    float sky_key[VIEW_LIGHT_KEY];
    bool sky_fresh; // made for the last frame, not for the one before
} view_light;

/// What draws surfaces; see draw_surface.c.
typedef struct view_surface view_surface;

/// What fields that are shared go through; see draw_import.c.
typedef struct view_card {
    view_import imports[VIEW_IMPORTS];
    GLuint staged; // samples as the device has them
    GLuint framebuffer, scratch[2], bricks;
    view_target rows, sums; // least and largest, of rows and of planes
    int64_t turn, solid_turns;
} view_card;

/// A texture that flows, and what was made for the picture that is being painted; see flow.c.
typedef struct view_texels {
    gyre_texels *texels; // own; NULL: none
    gyre_texels_view is;
    GLuint image, solid, colour, alike; // made when they are asked for
    int first;                          // the finest level that is there
    int picture[2];                     // pixels of one that was handed over; 0: none was
    bool alike_solid;
    GLuint places[GYRE_TEXTURE_PHASES], veins;
    int shape[4]; // of places
    int pair[2];  // moments, and how they are mixed
    float blend;
} view_texels;

/// Particles of the later frame.
typedef struct view_dots {
    GLuint buffer, vertices;
    int count;
    int numbers; // of each, as `vertices` has them
    bool coloured, turned, soft;
} view_dots;

/// Water over the surface, of the later frame.
typedef struct view_overhang {
    float *corners; // seven floats each, as of bodies
    int count;
    size_t room;
    float thick; // m
} view_overhang;

struct view_draw {
    GLuint vertices;
    bool software; // the renderer is a processor
    int most[2];   // cells along an axis that 2D and 3D textures can have
    GLint target;  // framebuffer that was bound when painting began
    int rect[4];   // being painted
    view_program programs[VIEW_PROGRAMS];
    int program_count;
    GLuint program; // in use
    int unit;       // next free texture unit

    gyre_grid grid; // as kept: see `every`
    gyre_grid full; // as pushed
    int every;      // of so many cells along each axis one is kept
    int64_t step;
    int field_count;
    view_field fields[VIEW_FIELDS]; // names and kinds; without data
    int velocity[3], density, temperature, solid;
    int flame;   // the field that shines in the volume that is being painted; -1
    int smoke;   // what a volume shows: the density or a slot of the mixture
    int colour;  // that its pass draws; 0 where it draws all
    bool shines; // scalars are light and nothing dims it
    view_moment moments[2];
    int later;                // which of them
    bool solids_move;         // between the two
    float own[VIEW_SLOTS][2]; // range of values in the fluid, followed smoothly
    bool own_known[VIEW_SLOTS];
    float fastest; // m/s, likewise

    GLuint table, black, noise, glow, bricks;
    int table_map;
    float glow_key[3];
    gyre_device *device; // that smoke's own light is worked out on; made when it is asked for
    float *own_room;     // what is worked out; likewise
    bool own_told;       // that it cannot be
    uint8_t *brick_bits;
    int brick_n[3];
    view_target inner, streaks;
    view_light light;
    int surface, bed, foam, wet, speed; // fields; -1
    view_surface *water;
    float water_unit; // m, of the heights in moments
    view_dots dots;
    view_overhang overhang;
    view_card card;
    view_texels texture;
    bool veined;   // smoke is drawn with it
    bool on_paper; // transparent inks in volumes are drawn on it
    float page[3]; // its colour, exposed
};

/// Cells per pixel, and the cells at the left and lower edge of the picture, of a 2D grid.
float view_plane_scale(const view_look *look, const gyre_grid *grid, int width, int height,
                       float shift[2]);

/// Across the plane that is shown, and its own two axes.
void view_plane_axes(const view_look *look, const gyre_grid *grid, int axes[3]);

/// Where along its axis the slice lies, in cells.
float view_slice_at(const view_look *look, const gyre_grid *grid);

// ---- draw_gl.c ---------------------------------------------------------------------------------

/// Makes the program `name` (its .frag.glsl with the .vert.glsl of the same name, or the plain
/// one) with macros, " " between them, the one in use. False: it does not compile; said on stderr.
bool view_use(view_draw *draw, const char *name, const char *macros);
void view_set1i(const view_draw *draw, const char *name, int value);
void view_set1f(const view_draw *draw, const char *name, float value);
/// 2 to 4 components.
void view_set(const view_draw *draw, const char *name, int components, const float *values);
void view_set_many(const view_draw *draw, const char *name, int components, int count,
                   const float *values);
/// Binds a texture to the next unit and gives that to the sampler.
void view_bind(view_draw *draw, const char *name, GLenum kind, GLuint texture);
/// Draws one triangle over the viewport.
void view_fill(void);
/// Draws all texels of a texture of this size into the framebuffer that is bound, layer by layer of
/// one in 3D (`space`), by a program whose vertex shader is layer.vert.
void view_fill_layers(const view_draw *draw, GLuint texture, bool space, const int n[3]);

/// A texture that is linear and holds its edge; reuses *texture. `depth` 0: 2D.
void view_texture(GLuint *texture, GLenum format, int width, int height, int depth,
                  const void *data, int channels);
/// As large as asked for, made anew when it was not.
void view_target_make(view_target *target, GLenum format, int width, int height);
void view_target_free(view_target *target);
void view_delete_texture(GLuint *texture);
void view_delete_programs(view_draw *draw);

// ---- draw_field.c ------------------------------------------------------------------------------

void view_forget(view_draw *draw);
/// The field of a look; -1 where there is none.
int view_field_of(const view_draw *draw, const view_look *look);
/// The map that a look's field is shown with.
gyre_colour_map view_map_of(const view_draw *draw, const view_look *look, int field);
/// Which of two moments hold the field: [0] the later, [1] the earlier or, without one or where
/// `blend` leaves nothing of it, the later again. False: neither does. *blend is what is to be
/// used.
bool view_pair(const view_draw *draw, int field, float *blend, int pair[2]);
/// The field's texture in that moment.
GLuint view_field_texture(view_draw *draw, int moment, int field, view_kind kind);
GLuint view_velocity_texture(view_draw *draw, int moment);
/// Share of solids and the same smoothed.
GLuint view_body_texture(view_draw *draw, int moment);
/// The light that falls through smoke in the plane of a look.
GLuint view_shade_texture(view_draw *draw, int moment, int field, const view_look *look,
                          const float range[2]);
/// The mixture of that moment: red, green, blue, amounts.
GLuint view_dyes_texture(view_draw *draw, int moment, bool grown);
/// Follows the range of a field or a mixture.
void view_measure_range(view_draw *draw, const view_moment *moment, int field);
/// Colours of a map, linear.
GLuint view_table_texture(view_draw *draw, gyre_colour_map map);
/// Whether solids are to be drawn, and of which moments.
bool view_solid_pair(const view_draw *draw, const view_look *look, float *blend, int pair[2]);

// ---- dyes.c ------------------------------------------------------------------------------------

/// How a look mixes scalars.
view_mixing view_mixing_of(const view_draw *draw, const view_look *look);
/// Makes the mixture that a look asks for, of both moments. VIEW_ONE: there is none.
view_mixing view_mix(view_draw *draw, const view_look *look);

// ---- flame.c -----------------------------------------------------------------------------------

/// The field that a look has to shine in volumes; -1: none.
int view_flame_of(const view_draw *draw, const view_look *look);
/// What of each colour a unit of it gives off, per cell.
void view_flame_light(const view_draw *draw, const view_look *look, float light[3]);
/// The light that comes to smoke in that moment from what glows in it: all 0 where it cannot be
/// worked out, which is told on stderr.
GLuint view_own_light(view_draw *draw, int moment, const view_look *look);
void view_own_light_free(view_draw *draw);

// ---- flow.c ------------------------------------------------------------------------------------

/// Takes over which texture flows with a frame, and how far.
void view_flow_take(view_draw *draw, view_moment *moment, const view_frame *frame);
void view_flow_forget(view_draw *draw);
/// Makes what a map with the texture is drawn from; false: there is none. Writes macros for it.
bool view_flow_map(view_draw *draw, const view_look *look, char *macros, size_t size);
void view_flow_set_map(view_draw *draw, const view_look *look);
/// The same of a volume between two moments: afterwards texture.veins holds by what each cell's
/// smoke is multiplied.
bool view_flow_volume(view_draw *draw, const view_look *look, const int pair[2], float blend);
void view_flow_set_volume(view_draw *draw, const view_look *look);
const char *view_flow_macros(const view_draw *draw, char *text, size_t size);

// ---- draw_import.c: fields that are shared -----------------------------------------------------

/// Takes over what a frame shares. False with gyre_message().
bool view_take_shared(view_draw *draw, int moment, const view_frame *frame);
/// Least and largest value of each field in the fluid, the largest speed, and whether solids are
/// others than in the other moment.
typedef struct view_extremes {
    float low[VIEW_FIELDS], high[VIEW_FIELDS], speed;
    bool solids_differ;
} view_extremes;
/// The same of one field or mixture, which must be there.
bool view_measure_slot(view_draw *draw, int moment, int slot, float *low, float *high);
bool view_measure_shared(view_draw *draw, int moment, view_extremes *extremes);
void view_forget_shared(view_draw *draw);

// ---- pass.c: textures made of textures; shared.c: of fields that are shared ---------------------

/// What a pass may change while something else is being painted.
typedef struct view_pass {
    GLint framebuffer, viewport[4];
    GLuint program;
    int unit;
} view_pass;

/// Begins to draw into a texture by the shader; false: it does not compile.
bool view_begin_pass(view_draw *draw, view_pass *pass, const char *name, const char *macros);
void view_end_pass(view_draw *draw, const view_pass *pass);
/// Draws all texels of a texture of this size, layer by layer in 3D.
void view_fill_texture(const view_draw *draw, GLuint texture, const int n[3]);
/// A texture as large as the grid; made when it is not there.
void view_need_texture(const view_draw *draw, GLuint *texture, GLenum format, int channels);
/// Binds a field's texture as it is.
void view_bind_field(view_draw *draw, const char *name, int moment, int field);

/// The same as from `data`, from textures.
bool view_pass_kind(view_draw *draw, int moment, int field, view_kind kind, GLuint *made);
bool view_pass_velocity(view_draw *draw, int moment, GLuint *made);
bool view_pass_body(view_draw *draw, int moment, GLuint *made);
/// Bits of bricks: what exceeds least[0] (smoke), [1] (solids), [2] (heat), [3] (a flame).
bool view_pass_bricks(view_draw *draw, int moment, const int fields[4], const bool asked[4],
                      const float least[4], uint8_t *bits);
/// The mixture of scalars: dyes[0] and the textures of its slots; then dyes[1].
bool view_pass_dyes(view_draw *draw, int moment, const view_dye_part *parts, int count,
                    float cloudiness);
bool view_pass_grown_dyes(view_draw *draw, int moment);
/// Light swept down a plane.
typedef struct view_shade {
    int axes[3], solid; // a field; -1
    float slice, low, depth, shear;
} view_shade;
bool view_pass_shade(view_draw *draw, int moment, int field, const view_shade *shade, GLuint *made);

// ---- the looks ---------------------------------------------------------------------------------

void view_paint_map(view_draw *draw, const view_look *look);
void view_paint_stack(view_draw *draw, const view_look *look);
void view_paint_volume(view_draw *draw, const view_look *look);
/// False: there is no surface to draw.
bool view_paint_surface(view_draw *draw, const view_look *look);
void view_surface_free(view_draw *draw);
/// Takes the meshes of a frame over.
void view_take_bodies(view_moment *moment, const view_frame *frame);
/// Takes what hangs over the surface, of the later frame alone: from one step to the next it is
/// made of other corners.
void view_take_overhang(view_draw *draw, const view_frame *frame);
/// Cells of water, carried on into dry ground, and of bed, by turns, in units of `unit` metres; to
/// be freed. NULL: no memory.
/// Light that falls on water: what view_caustics_make() is made from. Lengths in units of the
/// relief but for the heights, in m.
typedef struct view_relief_light {
    int n[2], cells[2], fine;           // of the relief, of the grid, of the relief per cell
    float unit, low, high;              // m; the lowest bed and the highest water
    float light[3], below[3];           // towards the sun, in air and under water
    bool level;                         // the bed is
    const float *later[2], *earlier[2]; // of cells: water, bed
    float blend;
} view_relief_light;

typedef struct view_caustics view_caustics;

/// The light on each of size[0] x size[1] cells of the bed, of light 1 across the sun's rays; NULL:
/// no memory. It lasts until the next call; *caustics: memory, NULL at first.
const float *view_caustics_make(view_caustics **caustics, const view_relief_light *of, int size[2]);
/// Frees it. NULL is allowed.
void view_caustics_free(view_caustics *caustics);

float *view_relief_cells(const gyre_grid *grid, const float *water, const float *bed, float unit);
/// What a surface is cut into squares for. Lengths in corners of the relief.
typedef struct view_levels_of {
    int n[2];             // corners less one
    float eye[2];         // over the relief
    float high_away;      // how far the eye is above or below all heights
    float finest;         // up to there corners are drawn one by one
    float low, high;      // between which heights all is
    const float *project; // 4 x 4, columns one after the other: what is beside the picture is left
                          // out; NULL: nothing is
} view_levels_of;

/// Writes the squares, four floats each: the lower left corner, corners a quad, and 1 where it
/// becomes coarser with distance, else 0. Gives how many there are, of which `most` are written.
int view_levels_choose(const view_levels_of *of, float *tiles, int most);
/// Squares on their way to be drawn.
typedef struct view_squares {
    GLuint array, buffer, index;
    float *of; // see view_levels_choose()
    int count, room;
} view_squares;

/// Chooses them; draws them, as instances; frees what is theirs. Both bind an array of vertices.
void view_squares_cut(view_squares *squares, const view_levels_of *of);
void view_squares_draw(const view_squares *squares);
void view_squares_free(view_squares *squares);
/// From where on corners of quads of 1 move onto those of 2, and 1 / how far until they are there;
/// of other quads in proportion.
void view_levels_turn(float finest, float turn[2]);
/// `finest` for quads of so many pixels, of a picture so many pixels high at a distance of 1.
float view_levels_finest(float across, float pixels);

void view_paint_arrows(view_draw *draw, const view_look *look);
void view_paint_box(view_draw *draw, const view_look *look);
/// Takes the particles of a frame over.
void view_take_points(view_draw *draw, const view_frame *frame);
void view_paint_points(view_draw *draw, const view_look *look);
void view_points_free(view_draw *draw);
/// Nothing but the background.
void view_paint_empty(view_draw *draw, const view_look *look);

/// Sets what shaders need to know of the background and of light.
void view_set_colours(const view_draw *draw, const view_look *look);
/// Sets the camera in cells of the grid: corner of cell (0, 0, 0) at `corner`, the axes in the
/// order of `axes`.
void view_set_camera(const view_draw *draw, const view_look *look, const int axes[3], float corner);
/// Begins to draw into the inner picture, or into the target where none is asked for. Gives whether
/// it is the target.
bool view_begin_inner(view_draw *draw, const view_look *look);
/// Enlarges what was drawn onto the target; transparent where the look is.
void view_end_inner(view_draw *draw, const view_look *look, bool surfaces);
/// Viewport and framebuffer of the target again.
void view_use_target(const view_draw *draw);
void view_set_rect(const view_draw *draw, float x, float y, float width, float height);

#endif
