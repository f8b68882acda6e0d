// view/draw/draw.h: frames to pixels with OpenGL 3.3. Knows nothing of windows, threads or scenes:
// it draws into the framebuffer that is bound.
#ifndef VIEW_DRAW_H
#define VIEW_DRAW_H

#include "view/session/frame.h"

typedef struct view_draw view_draw;

/// What is drawn. Combined freely where that makes sense: arrows over dye, solids over all.
typedef enum view_mode {
    VIEW_MAP,     // 2D: a field as colours; 3D: a slice
    VIEW_CELLS,   // 2D: the same cell by cell, with the grid's lines when they are far enough apart
    VIEW_LIC,     // 2D and slices: line integral convolution of velocity, tinted by the field
    VIEW_VOLUME,  // 3D: smoke lit, with shadow, as the offline renderer draws it
    VIEW_STACK,   // 3D: translucent slices, stacked
    VIEW_SURFACE, // 2D with a surface and a bed: water over its bed, as the offline renderer draws
                  // it
    VIEW_BARS,    // the same as columns
    VIEW_MODES
} view_mode;

typedef struct view_look {
    int mode;       // view_mode
    char field[32]; // that maps, cells, slices and stacks show
    bool mixed;     // the scalars together, where `field` is the density
    bool textured;  // the scene's texture in maps and volumes, where it has one
    int dye_count;
    view_dye dyes[VIEW_FIELDS];
    bool arrows;                   // velocity as arrows over it
    bool solids;                   // solids over it
    bool transparent;              // nothing behind the fluid: colours come multiplied by alpha
    bool legend;                   // drawn by the gui; here so that all of a look is in one place
    gyre_view_settings settings;   // map, range, slice_axis, slice_position, smoke, background ...
    gyre_camera camera;            // 3D
    gyre_light light;              // 3D
    float centre[2], zoom;         // 2D: the middle of the picture in metres; 1: the domain fits
    float blend;                   // 0: the earlier frame, 1: the later one
    float heights[2];              // m, of a surface's lowest ground and highest water, to frame it
    int inner_width, inner_height; // of the ray-march, before it is enlarged; 0: as large as drawn
} view_look;

/// A look for a model of this grid: the scene's settings, the whole domain in view.
view_look view_look_make(const gyre_scene_settings *settings, const gyre_grid *grid);

/// Takes over how the scene says that scalars look.
void view_look_dyes(view_look *look, const view_frame *frame);

/// The camera that a picture of that size is drawn with: the look's own or, where that stands on
/// its target, the one that frames the whole domain.
gyre_camera view_look_camera(const view_look *look, const gyre_grid *grid, int width, int height);

/// Whether the look shows a surface under a sky, which is seen in space.
bool view_look_is_surface(const view_look *look);

/// The heights between which a surface lies and is framed; 0, 0 where there is none.
void view_frame_heights(const view_frame *frame, float heights[2]);

/// The eye and the picture in front of it, in metres: `right` and `up` span a picture that is 1
/// high and stands 1 away.
typedef struct view_eye {
    float at[3], forward[3], right[3], up[3];
} view_eye;

view_eye view_eye_make(const view_look *look, const gyre_grid *grid, int width, int height);

/// Makes shaders and buffers in the current context (3.3 core or later). NULL with gyre_message().
view_draw *view_draw_create(void);
void view_draw_destroy(view_draw *draw);

/// What the current context imports.
view_screen view_draw_screen(void);

/// Hands over a frame: it becomes the later one, what was the later one becomes the earlier. A
/// frame of another grid replaces both. Copies what it needs, and has done so when it returns.
/// False, with gyre_message(): what the frame shares cannot be imported; it is not shown.
bool view_draw_push(view_draw *draw, const view_frame *frame);

/// A field's value in a cell of the later frame. False: the frame has none.
bool view_draw_value(view_draw *draw, int field, const int cell[3], float *value);

/// Draws into the rectangle x, y, width, height (pixels, y from the bottom) of the bound
/// framebuffer.
void view_draw_paint(view_draw *draw, const view_look *look, int x, int y, int width, int height);

/// Whether the look lights smoke by what glows in it, which takes fields that are not shared.
bool view_look_lights_smoke(const view_look *look);

/// Whether the look shows several scalars mixed, for which there is no legend.
bool view_draw_mixes(const view_draw *draw, const view_look *look);

/// Whether the look shows a texture that flows; likewise.
bool view_flow_shown(const view_draw *draw, const view_look *look);

/// What flows from now on in place of the scene's image (a camera's picture, say): so many pixels,
/// RGBA, the bottom row first; copied. Its width is view.texture_size, as the image's was, and the
/// image comes back with the next scene or context. False: no image flows here.
bool view_draw_picture(view_draw *draw, int width, int height, const uint8_t *rgba);

/// The range that a map of the look's field has now (settings.range, or the field's own).
void view_draw_range(const view_draw *draw, const view_look *look, float range[2]);

/// The place in metres under a pixel of a rectangle of that size (y from the bottom): in 2D the
/// point; of a surface where the ray meets the level through[2]; in 3D where the ray meets the
/// plane through `through` (metres) that faces the camera (in slice mode: the slice), also outside
/// of the domain. False: nowhere.
bool view_draw_place(const view_look *look, const gyre_grid *grid, int width, int height, float px,
                     float py, const float through[3], float point[3]);

/// The same for places in the domain alone, its sides included.
bool view_draw_pick(const view_look *look, const gyre_grid *grid, int width, int height, float px,
                    float py, const float through[3], float point[3]);

/// Reads the rectangle back: RGB, the top row first.
void view_draw_read(int x, int y, int width, int height, uint8_t *rgb);

#endif
