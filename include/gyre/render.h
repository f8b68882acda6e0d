/// @file gyre/render.h
/// Fields to pictures: lit smoke in 3D, coloured maps in 2D, water as a lit surface.
/// Part of libgyre_scene.
#ifndef GYRE_RENDER_H
#define GYRE_RENDER_H

#include "gyre/device.h"
#include "gyre/grid.h"
#include "gyre/model.h"
#include "gyre/property.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Where a 3D scene or a surface is seen from. Of a surface z is up: there the default `up`, y,
/// means z.
typedef struct gyre_camera {
    float position[3];   ///< m; equal to target: the whole domain is framed automatically
    float target[3];     ///< m
    float up[3];         ///< need not be of unit length nor at right angles
    float field_of_view; ///< degrees, of the picture's height
} gyre_camera;

/// One distant light and the sky's share. Over a surface the default direction is turned with the
/// axes: what was y is z.
typedef struct gyre_light {
    float direction[3];      ///< from the scene towards the light; need not be of unit length
    float colour[3];         ///< linear
    float intensity;         ///< brightness, 1 by default
    float ambient;           ///< brightness of light from everywhere
    float ambient_colour[3]; ///< linear
} gyre_light;

/// How numbers become colours.
typedef enum gyre_colour_map {
    GYRE_MAP_AUTO,  ///< by the field: smoke, black_body, coolwarm or viridis
    GYRE_MAP_SMOKE, ///< white over the background, by density
    GYRE_MAP_INK,   ///< dark blue ink on paper
    GYRE_MAP_GRAY,  ///< black to white
    GYRE_MAP_VIRIDIS,
    GYRE_MAP_MAGMA,
    GYRE_MAP_INFERNO,
    GYRE_MAP_COOLWARM,  ///< diverging: blue, white, red
    GYRE_MAP_BLACK_BODY ///< glow of a heated body
} gyre_colour_map;

/// How a model is drawn.
typedef enum gyre_view_mode {
    GYRE_MODE_AUTO,    ///< volume in 3D, surface where there is one, else map in 2D
    GYRE_MODE_VOLUME,  ///< 3D only
    GYRE_MODE_SLICE,   ///< a plane of a 3D field as a map; in 2D a map
    GYRE_MODE_SURFACE, ///< 2D, of a field of heights: water over its bed under a sky
    GYRE_MODE_BARS,    ///< the same as columns
    GYRE_MODE_CELLS    ///< 3D, at most GYRE_CELLS_MOST cells: one polygon a cell
} gyre_view_mode;

/// Cells of a box that GYRE_MODE_CELLS draws: 64 along each side.
enum { GYRE_CELLS_MOST = 64 * 64 * 64 };

/// How several models are drawn.
typedef enum gyre_view_layout {
    GYRE_LAYOUT_AUTO,     ///< composed where they can be, else panels
    GYRE_LAYOUT_COMPOSED, ///< all in one picture, by depth
    GYRE_LAYOUT_PANELS    ///< each in a part of the picture
} gyre_view_layout;

/// How several scalars are drawn together.
typedef enum gyre_view_mix {
    GYRE_MIX_AUTO,  ///< as smoke: each dims all colours alike; in maps as smoke or ink, by the map
    GYRE_MIX_LIGHT, ///< as lamps (RGB): each shines in its colour, colours add up, none dims
    GYRE_MIX_INK    ///< as dyes in clear water: each takes a share of each colour, shares multiply
} gyre_view_mix;

/// The look of one scalar of a gas among several, or of any other field at the cells' centres that
/// is to be seen together with them.
typedef struct gyre_view_channel {
    char name[32];   ///< of the field: "red"; of any model that has one
    bool shown;      ///< whether it is drawn
    float colour[3]; ///< linear: the share of the light that it sends on (smoke), the light that it
        ///< gives (light), what it leaves of white light at an optical depth of 1 (ink)
    float scale; ///< of its amount: a factor of density_scale
} gyre_view_channel;

/// The property table of gyre_view_channel.
extern GYRE_API const gyre_property gyre_view_channel_properties[];
/// The colour of the i-th scalar of a gas beside its density, linear, where the view says none.
GYRE_API void gyre_channel_colour(int i, float colour[3]);

/// How fields are shown.
typedef struct gyre_view_settings {
    char field[32];          ///< name of the field to show, for the one who maps fields
    int32_t mode;            ///< gyre_view_mode
    int32_t slice_axis;      ///< 0 x, 1 y, 2 z: across the plane
    float slice_position;    ///< 0 to 1 along that axis
    int32_t map;             ///< gyre_colour_map, of maps and slices
    float range[2];          ///< values of the first and last colour; equal: from the field itself
    float density_scale;     ///< m^2/kg, extinction of the smoke
    float albedo[3];         ///< share of the light that smoke scatters, linear
    float anisotropy;        ///< Henyey-Greenstein's g, -0.95 to 0.95
    float background_top[3]; ///< linear, behind everything
    float background_bottom[3]; ///< linear, at the lower edge
    float exposure;             ///< factor before tone mapping
    bool shadow;                ///< smoke and solids cast shadows
    bool floor;                 ///< a plane under the domain
    float floor_colour[3];      ///< linear
    float solid_colour[3];      ///< linear
    bool glow;                  ///< the temperature field shines like a black body
    float glow_scale;           ///< K per unit of temperature
    float glow_intensity;       ///< brightness of the glow
    float glow_scatter;         ///< how much of its own light smoke scatters, that of the glow and
                                ///< the flame: 0: none, 1: what comes to it. With glow, in volumes
    char flame[32];             ///< the field that shines beside the temperature, for the one who
                                ///< maps fields: a gas's fire.front.lit; "": none. In volumes
    float flame_colour[3];      ///< linear
    float flame_intensity;      ///< brightness of a unit of it
    bool legend;                ///< a bar of the colour map with its range, in maps and slices
    float water_colour[3];      ///< of deep water, linear
    float water_clarity;   ///< m, after which 1/e of green light is left; 0: 2.5 m, less in a small
                           ///< domain
    float bed_colour[3];   ///< of level ground, linear; steep ground is rock
    float sky_top[3];      ///< linear, what water mirrors and what is behind it
    float sky_horizon[3];  ///< linear, the same low above the ground
    float clouds;          ///< 0 to 1, of the sky
    bool points;           ///< particles are drawn, where there are any
    float point_size;      ///< m, their diameter; 0: a third of a cell
    float point_colour[3]; ///< linear, where no attribute says it
    char point_by[32];     ///< the attribute that says it ("age"), for the one who maps them; or ""
    char point_size_by[32]; ///< the attribute that sizes grow with, from a quarter to the whole
    int32_t point_map;      ///< gyre_colour_map, of point_by
    float point_range[2];   ///< of both attributes, from the map's first colour to its last; the
                            ///< greater one first turns both round; equal: from those of the
                            ///< particles
    float point_glow;       ///< light of their own, as bright as so many times white, in their
                            ///< colour; in 3D
    int32_t layout;         ///< gyre_view_layout, for the one who draws several models
    int32_t unseen;     ///< 1 and more: a scene steps waters that its camera does not see in one
                        ///< of so many steps, or of their own `every`
    gyre_pool channels; ///< of gyre_view_channel, for the one who maps fields
    int32_t mix;        ///< gyre_view_mix
    float paper[3];     ///< linear, behind ink
    float cloudiness;   ///< of ink in volumes: extinction of what it scatters, a factor of
                        ///< density_scale
    char texture[256];  ///< a PNG file, "noise", or a volume's file, pattern or folder, for the
                        ///< one who maps fields; "": none
    int32_t texture_slices; ///< of a PNG file as a volume, for the same; 0: it is an image
    float texture_size;     ///< m, of the image's width, for the same; 0: the domain's along x
    float texture_contrast; ///< factor of its deviation from its mean
    bool caustics;          ///< waves gather the sun's light on the bed and on bodies under water,
                            ///< beam by beam; false: by the curvature above alone
    float foam;             ///< how much of white water is drawn: a factor of it; 0: none
    float bed_tiles;        ///< m, width of square tiles on level ground; 0: there are none
    bool point_soft;        ///< particles named spray or foam are soft drops, for the one who maps
                            ///< them; false: balls like all others
    bool wet;               ///< ground that the field `wet` names is dark and shines
    float ripples;          ///< root mean square slope of ripples finer than cells, which flow with
                            ///< the water; 0: there are none
    float ripple_length;    ///< m, of the longest of them; 0: one and a half cells
    float ripple_speed;     ///< m/s, of the flow that makes half of them; 0: all water has them
    float ripple_direction; ///< degrees from x towards y, where they run to on the whole
} gyre_view_settings;

/// The property tables of the three structs above: every default is there.
extern GYRE_API const gyre_property gyre_camera_properties[];
/// See gyre_camera_properties.
extern GYRE_API const gyre_property gyre_light_properties[];
/// See gyre_camera_properties.
extern GYRE_API const gyre_property gyre_view_properties[];

/// A camera with the defaults of its table: the whole domain is framed.
GYRE_API gyre_camera gyre_default_camera(void);
/// A light with the defaults of its table.
GYRE_API gyre_light gyre_default_light(void);
/// Settings with the defaults of their table.
GYRE_API gyre_view_settings gyre_default_view_settings(void);

/// A picture: RGB, 8 bits, sRGB, the top row first, no gaps between rows.
typedef struct gyre_image {
    int width;    ///< pixels
    int height;   ///< pixels
    uint8_t *rgb; ///< 3 * width * height
} gyre_image;

/// Sides of 1 to 8192; black.
GYRE_API gyre_result gyre_image_create(int width, int height, gyre_image *image);
/// Frees what gyre_image_create() made.
GYRE_API void gyre_image_free(gyre_image *image);

/// Points that are drawn as balls, lit, over volumes, surfaces and maps of 2D fields; those that
/// are
/// turned as leaves of a whole size's length and three fifths of its width, of which both sides are
/// lit, on maps edge on.
typedef struct gyre_render_points {
    const float *positions; ///< m, x, y and z of each
    const float *colours;   ///< of each 0 to 1 along settings.point_map; NULL: point_colour
    const float *sizes; ///< of each a factor of settings.point_size; below 0: a drop of spray of
                        ///< that size, soft and blurred, in place of a ball; NULL: 1
    int64_t count;      ///< of points
    const float
        *orientations; ///< of each a unit quaternion x, y, z, w that turns the y axis to its
                       ///< normal, x to where it is long; of zeros: a ball. NULL: all are
} gyre_render_points;

/// A scalar beside the density, with its own colour.
typedef struct gyre_render_channel {
    const gyre_field_view *view; ///< at cell centres of the input's grid
    float colour[3];             ///< linear: see gyre_view_channel
    float scale;                 ///< of its amount: a factor of settings.density_scale
} gyre_render_channel;

/// A texture made ready to be drawn with: an image, or noise. It repeats without end, and is never
/// changed: any threads may draw with it.
typedef struct gyre_texels gyre_texels;

/// Copies an image, 8192 pixels a side at most; NULL: gray noise, in 2D and in 3D. Some
/// milliseconds: it finds out how alike the image is to itself. GYRE_ERROR_ARGUMENT: no pixels;
/// GYRE_ERROR_MEMORY.
GYRE_API gyre_result gyre_texels_create(const gyre_image *image, gyre_texels **texels);
/// A solid texture: `count` slices along z from z = 0 on, all of one size, x to the right and y up,
/// cubes for entries, 2^25 of them at most; copied. Of a gas in 3D: smoke is modulated by its
/// luminance, slices show its colours. GYRE_ERROR_ARGUMENT: no pixels, slices of several sizes, too
/// many; GYRE_ERROR_MEMORY.
GYRE_API gyre_result gyre_texels_create_solid(const gyre_image *slices, int count,
                                              gyre_texels **texels);

/// Sizes of a gyre_texels_view.
enum {
    GYRE_TEXEL_LEVELS = 14, ///< halvings at most, the whole included
    GYRE_TEXEL_ALIKE = 65   ///< numbers of a table of likenesses
};

/// What a texture is drawn from, for programs that draw by themselves: see src/render/texture.c.
typedef struct gyre_texels_view {
    int levels;                            ///< of the flat image; 0: it is a solid texture alone
    int n[GYRE_TEXEL_LEVELS][2];           ///< of each level: each half the last
    const float *level[GYRE_TEXEL_LEVELS]; ///< RGB, sRGB 0 to 1, the bottom row first
    float mean[3];                         ///< of the colours, sRGB
    float spread;                          ///< standard deviation of its luminance
    float reach;                           ///< texels that the last number of `alike` is for
    const float *alike; ///< GYRE_TEXEL_ALIKE: its autocorrelation by distance, 0 to 1
    int solid_levels;   ///< of the solid texture; 0: it is an image alone
    int solid_n[GYRE_TEXEL_LEVELS][3];      ///< of each level
    const float *solid[GYRE_TEXEL_LEVELS];  ///< deviations of mean 0 and variance 1
    const float *colour[GYRE_TEXEL_LEVELS]; ///< RGB, sRGB 0 to 1; NULL: it has none (noise)
    float solid_reach;                      ///< as `reach`
    const float *solid_alike;               ///< as `alike`
} gyre_texels_view;

/// Tells of a texture what stays as long as it does. NULL: all is 0.
GYRE_API void gyre_texels_read(const gyre_texels *texels, gyre_texels_view *view);
/// One owner more: it lives until as many have called gyre_texels_destroy(). NULL is allowed.
GYRE_API void gyre_texels_hold(gyre_texels *texels);
/// Frees it, unless others own it. NULL is allowed.
GYRE_API void gyre_texels_destroy(gyre_texels *texels);

/// A texture that flows with a fluid. gyre_model_texture() tells phases, weights and offsets, and
/// which fields `shift` are. In maps and slices it is drawn in place of a field, along the two axes
/// of the picture, a solid texture's colours at all three; in volumes it modulates the smoke, by
/// 1 + contrast z / 2, z being its deviation from its mean by its standard deviation: of noise and
/// of a solid texture in all three directions, of an image along x and y. Solids, sheets and points
/// lie over it.
typedef struct gyre_render_texture {
    const gyre_texels *texels;                            ///< what flows
    int phases;                                           ///< 1 to GYRE_TEXTURE_PHASES
    const gyre_field_view *shift[GYRE_TEXTURE_PHASES][3]; ///< m, at cell centres, by axis
    float weight[GYRE_TEXTURE_PHASES];                    ///< 0 to 1, not all 0
    float offset[GYRE_TEXTURE_PHASES][3];                 ///< m
    float origin[3]; ///< m, where the image's lower left corner is at first
    float size;      ///< m, of the image's width, > 0
} gyre_render_texture;

/// How far water has carried what is seen on it: gyre_model_texture() tells phases, weights and
/// offsets. Ripples and the lace of white water go along with it.
typedef struct gyre_render_flow {
    int phases; ///< 0 to GYRE_TEXTURE_PHASES; 0: nothing goes along
    const gyre_field_view *shift[GYRE_TEXTURE_PHASES][2]; ///< m, at cell centres, by axis
    float weight[GYRE_TEXTURE_PHASES];                    ///< 0 to 1, not all 0
    float offset[GYRE_TEXTURE_PHASES][2];                 ///< m
    double time;                                          ///< s, of the water
} gyre_render_flow;

/// Sizes of gyre_ripples.
enum { GYRE_RIPPLES = 16 };

/// Ripples as plane waves in the water's own coordinates: of phase p the slope at P, metres from
/// the grid's corner, where the water has come from P + d_p, is
///
///     sum over i of slope[i] k[i] / |k[i]| sin(k[i] . (P + d_p) + phase[p][i])
///
/// and of all phases sum weight[p] of that, the weights divided by sqrt(sum weight[p]^2), for those
/// of two phases have nothing to do with each other.
typedef struct gyre_ripples {
    float k[GYRE_RIPPLES][2];                       ///< rad/m
    float slope[GYRE_RIPPLES];                      ///< 1
    float phase[GYRE_TEXTURE_PHASES][GYRE_RIPPLES]; ///< rad, 0 to 2 pi
    float weight[GYRE_TEXTURE_PHASES];              ///< of each phase, divided
    int phases;                                     ///< 1 at least
    float gust;                                     ///< m, over which they wax and wane
    float place[GYRE_TEXTURE_PHASES][2];            ///< m, of the noise by which they do so
} gyre_ripples;

/// The ripples that settings ask for on water of this grid: see src/render/ripples.c. For programs
/// that draw by themselves. NULL: nothing is done.
GYRE_API void gyre_ripples_make(const gyre_view_settings *settings, const gyre_grid *grid,
                                const gyre_render_flow *flow, gyre_ripples *ripples);

/// Memory that pictures are drawn in, kept from one to the next: for pictures of one size of one
/// model. A picture at a time.
typedef struct gyre_render_memory gyre_render_memory;

/// Empty at first. GYRE_ERROR_MEMORY.
GYRE_API gyre_result gyre_render_memory_create(gyre_render_memory **memory);
/// Frees it and what it keeps. NULL is allowed.
GYRE_API void gyre_render_memory_destroy(gyre_render_memory *memory);

/// What is drawn. Any view may be NULL; those given are fields at cell centres of one grid, and
/// only read. In 3D (mode volume): density is smoke, solid is an opaque surface where it is 1/2,
/// temperature glows where settings.glow is set. In maps and slices `field` is drawn (density where
/// it is NULL) with solid over it. Where surface and bed are given, both on a 2D grid with z up,
/// modes surface and bars draw water wherever the surface is above the bed, and the meshes; mode
/// surface also the overhang, as water that is seen through. Sheets
/// are drawn where they lie: in 3D their triangles, lit like solids, within the domain; in maps and
/// slices lines. Cells of `solid` that a gas has marked as a sheet's (exactly 3/4 in 3D, 1/2 in 2D,
/// and a sheet is crossed on the way to a neighbour) count as none then, but cast its shadow.
typedef struct gyre_render_input {
    const gyre_grid *grid;               ///< required
    const gyre_field_view *density;      ///< kg/m^3
    const gyre_field_view *temperature;  ///< K above the surroundings
    const gyre_field_view *solid;        ///< 0 to 1, the share of a cell inside a solid
    const gyre_field_view *flame;        ///< shines by settings.flame_colour, in volumes
    const gyre_field_view *field;        ///< what a map shows
    const gyre_field_view *surface;      ///< m, height of the water; of the bed where it is dry
    const gyre_field_view *bed;          ///< m
    const gyre_field_view *foam;         ///< 0 to 1, white water on the surface
    const gyre_field_view *wet;          ///< 0 to 1, of ground that water has left
    const gyre_field_view *speed;        ///< m/s, of the flow, for ripples; NULL: it makes them all
    const gyre_mesh *meshes;             ///< bodies
    int mesh_count;                      ///< of meshes
    gyre_view view;                      ///< how `field` is best shown (GYRE_MAP_AUTO)
    gyre_camera camera;                  ///< where it is seen from
    gyre_light light;                    ///< what lights it
    gyre_view_settings settings;         ///< how it is drawn
    const gyre_render_points *points;    ///< NULL: none
    gyre_render_memory *memory;          ///< to draw in; NULL: taken and given back each time
    const gyre_render_channel *channels; ///< scalars that are seen beside the density
    int channel_count;                   ///< of channels, at most 64
    const gyre_mesh *sheets;             ///< walls without thickness: see gyre_model_sheet()
    int sheet_count;                     ///< of sheets
    const gyre_render_texture *texture;  ///< NULL: none. Of a gas in a map or a volume
    const gyre_mesh *overhang;           ///< water over the surface, closed; of mode surface. NULL:
                                         ///< none. See gyre_model_overhang()
    const gyre_render_flow *flow;        ///< of a surface; NULL: it has no ripples
} gyre_render_input;

/// Draws into `image` (made by gyre_image_create or filled in by the caller). The picture depends
/// on the input alone, not on the number of threads. GYRE_ERROR_ARGUMENT: fields of another grid or
/// not at cell centres, heights that are not finite, a mesh whose triangles name no points,
/// settings out of range, a camera inside out; GYRE_ERROR_MEMORY.
GYRE_API gyre_result gyre_render(gyre_device *device, const gyre_render_input *input,
                                 gyre_image *image);

/// Draws several models into one picture, by depth: surfaces, bodies and solids hide what is behind
/// them, volumes dim it, particles of all lie among them. Each input is a 3D grid with a volume or
/// a 2D one with a surface and a bed, all in the same coordinates; with a surface among them z is
/// up, and the camera's and the light's defaults are turned. Camera, light, settings and memory are
/// those of the first. A solid of a volume that lies where a mesh is drawn (within one and a half
/// of its cells) is taken for the same body and left to the mesh. Of what water mirrors and bends
/// nothing lies outside of its own input. GYRE_ERROR_ARGUMENT as gyre_render(), and: a 2D input
/// without a surface, modes slice and bars, volumes that overlap.
GYRE_API gyre_result gyre_render_composed(gyre_device *device, const gyre_render_input *inputs,
                                          int count, gyre_image *image);

/// The light that comes to smoke from what glows and from a flame, for programs that draw by
/// themselves what settings.glow_scatter asks for. Its cells are whole numbers of the grid's wide,
/// at most `most` (1 to 256) along each axis; n[3] becomes how many there are, and `light`, with
/// room for 4 most^3, of each, x fastest: red, green, blue, 0. Smoke gives off, per cell of a ray's
/// way, its extinction per cell times its albedo times that, between cells' centres linear. All 0
/// where settings.glow_scatter is 0, or without glow, or where mix is not auto. Solids count,
/// sheets and textures do not. Source: see src/render/flame.c. GYRE_ERROR_ARGUMENT as
/// gyre_render(), and: a grid in 2D; GYRE_ERROR_MEMORY.
GYRE_API gyre_result gyre_render_own_light(gyre_device *device, const gyre_render_input *input,
                                           int most, int n[3], float *light);

/// The colour of a map at t in 0 to 1 (clamped), sRGB 0 to 1. GYRE_MAP_AUTO counts as viridis.
GYRE_API void gyre_map_colour(gyre_colour_map map, float t, float rgb[3]);

/// The colour of a black body, linear, not held to 1: its brightness is about (kelvin / 2000)^4, 0
/// below 500 K.
GYRE_API void gyre_black_body(float kelvin, float rgb[3]);

#ifdef __cplusplus
}
#endif
#endif
