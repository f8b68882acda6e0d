// render/render.h: what the files of this room share.
#ifndef GY_RENDER_H
#define GY_RENDER_H

#include "gyre/render.h"
#include "render/vec.h"

/// Whether a pointer that a call needs is NULL; the message then names the call and the pointer.
#define GY_MISSING(call, pointer)                                                                  \
    (!(pointer) && gyre_fail(GYRE_ERROR_ARGUMENT, "%s: " #pointer " is NULL", call) != GYRE_OK)

enum {
    GY_BRICK = 8,          // cells along a side of what is skipped at once when empty
    GY_SKY = 9,            // directions that light from everywhere is gathered from
    GY_GLOW = 256,         // entries of the glow's colour table
    GY_RAYS = 128,         // that are worked on together
    GY_COMPOSED_MOST = 64, // models of one picture
    GY_DRAWN_TILE = 16     // pixels along a side of what one task draws
};

/// A scalar on the grid's cells with one cell of margin on every side.
typedef struct gy_cells {
    int n[3];         // with the margin
    ptrdiff_t sy, sz; // strides in entries
    float *data;
} gy_cells;

/// For blocks of 8 x 8 x 8 cells: the largest value that interpolation inside can meet.
typedef struct gy_bricks {
    int n[3];
    float *data;
    vec low, high; // a box round all bricks that are not empty; low > high when all are
} gy_bricks;

typedef struct gy_cached gy_cached;
typedef struct gy_hulls gy_hulls;

/// Everything that rays meet. Lengths are in cells; the centre of cell
/// (i, j, k) has the coordinates (i + 1, j + 1, k + 1).
typedef struct gy_volume {
    const gyre_render_input *input;
    gyre_device *device;
    int n[3]; // cells, without margin
    float h;
    vec limit;       // largest coordinates that may be sampled
    vec light;       // unit, towards the light
    gy_cells opaque; // extinction per cell of smoke and solids: what casts shadows
    vec *smoke;      // extinction per cell, direct light, scattered light, sky; laid out as opaque
    vec *tint;       // of several scalars: their colours, each times its extinction, and that;
                     // laid out as opaque; NULL: all is of one colour
    vec *veins;      // places in a texture that flows, in its entries: laid out as opaque, for each
                     // phase, veins_step apart; of the first the fourth number is what deviations
                     // are multiplied by; NULL: there is none
    ptrdiff_t veins_step;
    gy_bricks active; // where smoke or glow is
    bool has_solid;
    gy_cells solid;    // share, as handed in
    gy_cells smoothed; // the same, smoothed: its gradient is the normal
    gy_bricks solids;
    gy_cached *same_solids; // those of an earlier picture; NULL: there were others
    gy_hulls *sheets;       // NULL: there are none
    vec *shine;     // of scalars mixed as light, or a flame and smoke in its light: what they give
                    // off per cell, laid out as opaque; NULL: they do not
    bool has_glow;  // of either: heat or these
    gy_cells heat;  // 0 to 1 along the glow's colour table
    gy_cells flame; // what shines beside it; data NULL: nothing does
    vec glow[GY_GLOW + 1];     // light given off per cell
    vec glow_sum[GY_GLOW + 1]; // of the table up to there, as lines between its entries
    bool has_floor;
    int floor_low[2], floor_n[2]; // cells (x, z) that the floor's shadow map covers
    float *floor_shadow;          // light that reaches the floor, 0 to 1
    const float *clear;           // of composed pictures: the sun's light behind smoke alone, cell
    int clear_step;               // by cell as opaque, so many entries apart
    float *clear_memory;          // NULL: it is that of `smoke`
} gy_volume;

/// Marks the beginning and the end of a picture: what it has not asked for is freed. NULL: nothing.
void gy_memory_begin(gyre_render_memory *memory);
void gy_memory_end(gyre_render_memory *memory);
/// Memory for `count` times `size` bytes, aligned to 64; NULL: there is none. As it comes, or of
/// zeros. Only outside of tasks.
void *gy_take(gyre_render_memory *memory, size_t count, size_t size);
void *gy_take_zeros(gyre_render_memory *memory, size_t count, size_t size);
/// Gives back what was taken. NULL is allowed.
void gy_give(gyre_render_memory *memory, void *at);

gyre_result gy_volume_build(gyre_device *device, const gyre_render_input *input, gy_volume *volume);
/// Of that what gives off light and what it meets; to be freed whatever it returns.
gyre_result gy_volume_build_own(gyre_device *device, const gyre_render_input *input,
                                gy_volume *volume);
void gy_volume_free(gy_volume *volume);

/// Whether an input can be drawn, but for the picture.
gyre_result gy_render_check(const gyre_render_input *input);

/// Fills the light that reaches each cell: channels 1, 2 and 3 of volume->smoke.
gyre_result gy_light_cells(gy_volume *volume);
/// Makes `clear`. Before gy_light_cells(), which it leaves undone.
gyre_result gy_light_clear(gy_volume *volume);
/// Fills the floor's shadow map.
gyre_result gy_light_floor(gy_volume *volume);

/// What smoke is multiplied by at a place in cells, by the volume's veins; at least 0.
float gy_veins_at(const gy_volume *volume, vec at);
/// Entries of the texture over which means are taken there.
float gy_veins_size(const gy_volume *volume);

/// Adds the channels of the input to what is opaque and mixes their colours.
gyre_result gy_tint_cells(gy_volume *volume);
/// Makes of these lamps: what they sent on they give off, and nothing is opaque. Once it is known
/// where they are.
void gy_tint_shines(gy_volume *volume);

/// What draws a picture of inputs that have been checked.
typedef gyre_result gy_drawing(gyre_device *device, const gyre_render_input *inputs, int count,
                               gyre_image *image);
/// Draws inputs whose scalars are mixed as ink: once for each colour of the light.
gyre_result gy_draw_ink(gyre_device *device, const gyre_render_input *inputs, int count,
                        gyre_image *image, gy_drawing *draw);
/// How much of each colour a depth of 1 of an ink takes: exp(-taken) is what it leaves.
void gy_ink_taken(const float colour[3], float taken[3]);
/// Brings scalars into an order that is theirs, whatever order they come in.
void gy_sort_channels(const gyre_render_channel *from, int count, gyre_render_channel *to);

/// Draws several models into one picture.
gyre_result gy_compose(gyre_device *device, const gyre_render_input *inputs, int count,
                       gyre_image *image);
/// Draws the volume.
gyre_result gy_march(gy_volume *volume, gyre_image *image);
/// Draws a field, or a slice of one.
gyre_result gy_draw_map(gyre_device *device, const gyre_render_input *input, gyre_image *image);
/// Draws water over its bed, smooth or as bars.
gyre_result gy_draw_surface(gyre_device *device, const gyre_render_input *input, gyre_image *image);
/// Draws the bar of colours with the ends of its range.
void gy_draw_legend(gyre_image *image, gyre_colour_map map, float low, float high);

/// Linear colour of a black body, brightness about (kelvin / 2000)^4; 0 below 500 K.
vec gy_black_body(float kelvin);
/// Display-linear 0..1 from scene-linear.
vec gy_tone_map(vec colour);
/// Linear 0..1 to sRGB 0..1.
float gy_to_srgb(float x);
/// A pixel's fixed noise in [0, 1): neighbours differ much, wide areas little.
GY_VEC_INLINE float gy_pixel_noise(int x, int y)
{
    float f = 0.06711056f * (float)x + 0.00583715f * (float)y;
    float g = 52.9829189f * (f - floorf(f));

    return g - floorf(g);
}
/// Stores a linear colour as three bytes with dithering.
void gy_put_pixel(gyre_image *image, int x, int y, vec colour);

GY_VEC_INLINE ptrdiff_t gy_cell_index(const gy_cells *cells, int i, int j, int k)
{
    return i + j * cells->sy + k * cells->sz;
}

/// Linear interpolation; `at` within [0, n - 1) on each axis.
GY_VEC_INLINE float gy_sample(const gy_cells *cells, vec at)
{
    ivec base = __builtin_convertvector(at, ivec);
    vec f = at - __builtin_convertvector(base, vec);
    const float *p = cells->data + gy_cell_index(cells, base[0], base[1], base[2]);
    ptrdiff_t sy = cells->sy, sz = cells->sz;
    float a = mixf(mixf(p[0], p[1], f[0]), mixf(p[sy], p[sy + 1], f[0]), f[1]);

    p += sz;
    return mixf(a, mixf(mixf(p[0], p[1], f[0]), mixf(p[sy], p[sy + 1], f[0]), f[1]), f[2]);
}

#endif
