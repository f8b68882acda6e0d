// render/flame.h: what a flame gives off, and smoke in its light.
#ifndef GY_RENDER_FLAME_H
#define GY_RENDER_FLAME_H

#include "render/render.h"

/// Light that wanders in smoke, on a grid of cells `width` wide: see flame.c. Lanes 0 to 2: colour.
typedef struct gy_wander {
    int n[3];
    float width;
    vec *phi;    // light from all directions
    vec *gives;  // per volume
    vec *takes;  // per length
    vec *spread; // D, a length
    gyre_render_memory *memory;
} gy_wander;

/// All 0: gives, takes and spread (above 0) are to be filled then.
gyre_result gy_wander_make(const int n[3], float width, gyre_render_memory *memory, gy_wander *w);
void gy_wander_free(gy_wander *w);
/// Returns in how many sweeps.
int gy_wander_solve(gy_wander *w);
/// Sums over cells of what is taken, and of what leaves by the sides, per volume.
vec gy_wander_budget(const gy_wander *w, vec *leaves);

/// Whether gy_flame_light() has anything to do.
bool gy_flame_shines(const gyre_render_input *input);
/// Makes what shines of its own: the flame, and what smoke sends on of the light of flame and glow.
/// After what is opaque, solids and heat.
gyre_result gy_flame_light(gy_volume *volume);

#endif
