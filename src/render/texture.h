// render/texture.h: textures that flow: their texels, and what is drawn with them.
#ifndef GY_RENDER_TEXTURE_H
#define GY_RENDER_TEXTURE_H

#include "render/map.h"

#include <stdatomic.h>

enum {
    GY_TEXEL_LEVELS = 14,
    GY_ALIKE = 64,       // entries of a table of likenesses, but for the last
    GY_SOLID_NOISE = 64, // entries along a side of solid noise
    GY_NOISE_IMAGE = 512 // pixels along a side of flat noise
};

/// A texture made ready. It repeats without end.
struct gyre_texels {
    atomic_int owners;
    int levels, n[GY_TEXEL_LEVELS][2];
    float *level[GY_TEXEL_LEVELS]; // RGB, sRGB 0 to 1, the bottom row first; each half the last
    float mean[3];
    float spread;              // standard deviation of its luminance; at least 1/255
    float reach;               // texels that the last entry of `alike` is for
    float alike[GY_ALIKE + 1]; // its autocorrelation, of all directions
    float *solid;              // of noise, in three dimensions: mean 0, variance 1; NULL: an image
    float solid_reach, solid_alike[GY_ALIKE + 1];
};

/// What the rows of a map with a texture are drawn from.
typedef struct gy_warp {
    const gy_map_view *view;
    const gyre_render_texture *texture;
    gy_map_plane shift[GYRE_TEXTURE_PHASES][2];
    int axis[2];
    float *scratch; // of each task: two rows of places
    ptrdiff_t line; // floats of a task's
} gy_warp;

/// Draws the rows of a map; false: there is no memory.
bool gy_draw_texture(const gy_map_view *view);
/// Modulates the smoke of a volume.
void gy_texture_smoke(gy_volume *volume);

#endif
