// view/session/frame.h: a still of the simulation: all that the display works from.
#ifndef VIEW_FRAME_H
#define VIEW_FRAME_H

#include "gyre/scene.h"
#include "gyre/vulkan.h"

enum { VIEW_FIELDS = 48, VIEW_MESHES = 64, VIEW_MODELS = 16 };

/// A field that stays on its Vulkan device: its samples as the model has them, in memory that
/// OpenGL imports.
typedef struct view_share {
    gyre_vulkan_export *memory; // NULL: none yet
    uint64_t serial, bytes;     // of that memory: another one has another number
    gyre_vulkan_copy copy;
    gyre_location location;
} view_share;

/// The OpenGL that frames are drawn with: whether it imports memory of a Vulkan device, and of
/// which.
typedef struct view_screen {
    bool imports;
    char why_not[128];
    gyre_vulkan_identity identity;
} view_screen;

/// A field at cell centres, x fastest, no gaps. Fields on faces are averaged to centres; the three
/// velocity_* fields are always there.
typedef struct view_field {
    char name[32], unit[16];
    gyre_view view;
    bool derived;
    bool present; // whether `data` was filled: only the fields that were asked for are
    float *data;  // n[0] * n[1] * n[2]; of a frame that is shared: not filled
    view_share share;
    float low, high;
} view_field;

/// A scalar that is seen together with others, as the scene says that it is to look.
typedef struct view_dye {
    gyre_view_channel look;
    bool plain; // the density, of which the view's channels say nothing: with the view's albedo
} view_dye;

/// A body; its own copy of what the model shows.
typedef struct view_mesh {
    float *points; // x, y, z
    int32_t *triangles;
    int point_count, triangle_count;
    size_t point_room, triangle_room; // bytes
} view_mesh;

enum { VIEW_POINT_NUMBERS = 5, VIEW_LEAF_NUMBERS = 9 };

#define VIEW_POINT_LACE 8.0f // less of the share of foam, which surfaces show by a field

/// Particles of all sets, as the scene says that they are to look: of each its place (m), its
/// colour along the map, its share of the whole size, and where any is turned its orientation
/// (zeros: it is a ball). A share below 0: a soft drop in place of a ball.
typedef struct view_points {
    float *at; // `numbers` a point
    int count;
    int numbers;   // VIEW_POINT_NUMBERS, or VIEW_LEAF_NUMBERS
    bool coloured; // an attribute says how; else all have the one colour
    bool soft;     // some are soft
    size_t room;   // bytes
} view_points;

/// A texture that flows with the model: see gyre_render_texture.
typedef struct view_flow {
    gyre_texels *texels; // the frame's; NULL: none
    int phases;          // 0: none
    int field[GYRE_TEXTURE_PHASES][3];
    float weight[GYRE_TEXTURE_PHASES], offset[GYRE_TEXTURE_PHASES][3];
    double age[GYRE_TEXTURE_PHASES];
    float origin[3], size;
} view_flow;

/// One moment of one model of the scene. Made and filled by the session, read by the display.
typedef struct view_frame {
    int model, model_count; // which of the scene's
    char models[VIEW_MODELS][64];
    gyre_grid grid;
    int64_t step;
    double time; // s, of the fluid
    bool shared; // what is present is in `share`, not in `data`; low and high are not known
    int field_count;
    view_field fields[VIEW_FIELDS];
    int velocity[3];                 // indices of velocity_x, _y, _z; -1
    int density, temperature, solid; // indices by the field table's view; -1
    int dye_count;
    view_dye dyes[VIEW_FIELDS]; // scalars, and what else the view's channels name
    view_flow flow;
    int mesh_count;
    view_mesh meshes[VIEW_MESHES];
    view_mesh overhang; // water over the surface
    view_points points;
    struct view_frame *next; // the same moment of the scene's next model, where all are shown
} view_frame;

/// The field of that name, the model's own before it or not ("gas.density", "density"); -1.
int view_frame_find(const view_frame *frame, const char *name);

/// The first field that is shown as `view`; -1.
int view_frame_shown_as(const view_frame *frame, gyre_view view);

/// Whether the frame has what a surface is drawn from: its height and its bed's.
bool view_frame_has_surface(const view_frame *frame);

#endif
