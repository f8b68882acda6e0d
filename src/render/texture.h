// render/texture.h: textures that flow: their texels, and what is drawn with them.
#ifndef GY_RENDER_TEXTURE_H
#define GY_RENDER_TEXTURE_H

#include "render/map.h"

#include <stdatomic.h>

enum {
    GY_TEXEL_LEVELS = GYRE_TEXEL_LEVELS,
    GY_ALIKE = GYRE_TEXEL_ALIKE - 1, // entries of a table of likenesses, but for the last
    GY_SOLID_NOISE = 64,             // entries along a side of solid noise
    GY_NOISE_IMAGE = 512             // pixels along a side of flat noise
};

/// A texture made ready. It repeats without end.
struct gyre_texels {
    atomic_int owners;
    int levels, n[GY_TEXEL_LEVELS][2]; // 0 of a volume
    float *level[GY_TEXEL_LEVELS];     // RGB, sRGB 0 to 1, the bottom row first; each half the last
    float mean[3];
    float spread;              // standard deviation of its luminance; at least 1/255
    float reach;               // texels that the last entry of `alike` is for
    float alike[GY_ALIKE + 1]; // its autocorrelation, of all directions
    // In three dimensions: of noise and of volumes, else none. Mean 0, variance 1.
    int solid_levels, solid_n[GY_TEXEL_LEVELS][3];
    float *solid[GY_TEXEL_LEVELS];
    float *colour[GY_TEXEL_LEVELS]; // of volumes alone, which have no `level`: RGB, sRGB 0 to 1
    float solid_reach, solid_alike[GY_ALIKE + 1];
};

/// What the rows of a map with a texture are drawn from.
typedef struct gy_warp {
    const gy_map_view *view;
    const gyre_render_texture *texture;
    gy_map_plane shift[GYRE_TEXTURE_PHASES][3];
    int axis[3], dims; // of the picture, then across it; of the texture: 2, or 3 of a volume
    float *scratch;    // of each task: two rows of places
    ptrdiff_t line;    // floats of a task's
} gy_warp;

/// Draws the rows of a map; false: there is no memory.
bool gy_draw_texture(const gy_map_view *view);
/// Makes volume->veins. False: there is no memory.
bool gy_veins_build(gy_volume *volume);

#endif
