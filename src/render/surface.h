// render/surface.h: water as a surface over its bed: what its files share.
//
// Lengths are in units of the relief's cells, the corner of the domain at (0, 0), z as it comes: so
// heights and distances have one unit and directions their true angles.
#ifndef GY_RENDER_SURFACE_H
#define GY_RENDER_SURFACE_H

#include "render/render.h"

enum {
    GY_LEVELS = 5, // of blocks that rays step over at once; each has 8 x 8 of the level below
    GY_WATER = 0,
    GY_BED = 1,
    GY_LAYERS = 2,
    GY_HULLS_DEEP = 192,  // boxes at most: no part is less than an eighth
    GY_HULL_PARTS = 32,   // boxes that the picture is looked through for
    GY_HULL_SHADE = 128,  // cells along a side of a gy_hull_shade
    GY_HULL_ASIDE = 64,   // the same seen from above
    GY_SURFACE_WIDE = 16, // pixels of a tile: GY_RAYS in all
    GY_SURFACE_HIGH = 8,
    GY_CAUSTIC_PLANES = 8, // above the bed, for bodies
    GY_CAUSTIC_ROWS = 32,  // of a map, that are one task
    // Entries of a texel: of both kinds, of the bed's, of the water's.
    GY_TEXEL_SLOPE_X = 0,
    GY_TEXEL_SLOPE_Y = 1,
    GY_TEXEL_LEVEL = 2,
    GY_TEXEL_TONE = 3,
    GY_TEXEL_WATER = 4,
    GY_TEXEL_WET = 5,
    GY_TEXEL_XX = 2,
    GY_TEXEL_YY = 3,
    GY_TEXEL_XY = 4,
    GY_TEXEL_SHADE = 5,
    GY_TEXEL_FOAM = 6,
    GY_FLOW_SPEED = 6, // of what flows, behind two of each phase
    GY_FIRSTS = 7,     // planes of a first look
    GY_MET_SKY = 0,    // what a pixel shows; bodies count on from GY_MET_BODY
    GY_MET_GROUND,
    GY_MET_CUT,
    GY_MET_WATER,
    GY_MET_SIDE,
    GY_MET_FLOOR,
    GY_MET_OVERHANG,
    GY_MET_BODY
};

#define GY_NEVER 1e30f
#define GY_SURFACE_CONTRAST 0.04f // of neighbours, above which a pixel takes four rays
#define GY_RIPPLE_CONTRAST 0.12f  // the same of water with ripples, which are as fine as pixels are
#define GY_FOAM_CONTRAST 0.8f     // more of it, of what white water hides

/// What a ray meets.
typedef struct gy_ray {
    vec from, along; // along: of unit length
} gy_ray;

/// Two layers of heights at the corners of cells, water and bed. Where the ground is dry the water
/// goes on below it, so that the two cross in a clean line.
typedef struct gy_relief {
    int n[2];        // cells; n + 1 corners
    int fine;        // cells of the relief per cell of the grid
    float unit;      // m per cell
    float corner[2]; // m
    ptrdiff_t row;   // entries
    float *height[GY_LAYERS];
    float low, high; // of all heights
    float base;      // where the ground ends below
    int blocks[GY_LEVELS][2];
    float *most[GY_LAYERS][GY_LEVELS]; // the highest corner of each block; [0]: unused
    const gyre_field_view *foam;       // NULL: none is drawn
    float foaming;                     // a factor of it
    const gyre_field_view *wet;        // NULL: none is drawn
    // Of smooth surfaces, see gy_relief_look(); all in `memory`.
    gyre_render_memory *kept;
    gy_cached *same_bed; // an earlier picture's of the same ground, or this one's to be; NULL: none
    bool seen_bed;       // its texels lack the water alone
    float *memory;
    float *top;              // the higher of both layers
    float *steep[GY_LAYERS]; // the steepest slope of each block of 8 x 8 cells
    float *steepest[2];      // of the top and of the bed
    float *crest[2];         // of the top and of the bed: most[1], then most[2]
    float slope;             // no part of the water is steeper
    float even;              // nor of the bed
    bool level;              // the bed is, but for rounding
    vec light;               // towards the sun
    float *shade;            // height above which it is seen
    float *sweep;            // scratch of that
    float *bed_texel;        // 8 entries a corner: slopes, how level, tone, the water's height
    float *water_texel;      // slopes, curvature, shade
} gy_relief;

/// What rows of a relief are made from.
typedef struct gy_relief_job {
    gy_relief *relief;
    const float *from[GY_LAYERS]; // heights of cells, m
    int n[2], level;
    int32_t *tap[2];  // of each corner along an axis: the cell at or before it
    float *weight[2]; // the four cells' round it
    float *least;     // of rows of corners
} gy_relief_job;

gyre_result gy_relief_build(gyre_device *device, const gyre_render_input *input, gy_relief *relief);
/// Makes what only smooth surfaces need, lit from `light`.
gyre_result gy_relief_look(gyre_device *device, gy_relief *relief, vec light);
void gy_relief_free(gy_relief *relief);

/// The height of a layer; held to the domain.
float gy_relief_at(const gy_relief *relief, int layer, float x, float y);
/// By how much waves gather the light that falls `depth` deep under (x, y): 1 under calm water.
float gy_relief_focus(const gy_relief *relief, float x, float y, float depth);

/// Where the ray, whose part [near, far] lies over the domain, first falls below a layer, or below
/// either (layer GY_LAYERS); *met: which. GY_NEVER: nowhere.
float gy_relief_hit(const gy_relief *relief, int layer, const gy_ray *ray, float near, float far,
                    int *met);
/// Keeps the part of [*near, *far] over the domain and between base and `top`; gives the axis of
/// the side that it comes in through, -1 where it starts inside. False: nothing is left.
bool gy_relief_clip(const gy_relief *relief, const gy_ray *ray, float top, float *near, float *far,
                    int *side);

/// Eight rays against heights: `which` 0 the higher of water and bed, 1 the bed.
typedef struct gy_relief_rays {
    const gy_relief *relief;
    int which;
    float from[3][8], along[3][8], near[8], far[8];
    float hit[8]; // GY_NEVER: nowhere
} gy_relief_rays;

/// A triangle with its two edges and the normals at its corners.
typedef struct gy_triangle {
    vec corner, edge[2], normal[3];
    int body;
} gy_triangle;

/// A box round triangles [first, first + count), or, count 0, round nodes `first` and `first` + 1.
typedef struct gy_hull_box {
    vec low, high;
    int first, count;
} gy_hull_box;

/// What lies on the way of parallel light, seen along it: for cells of a square how far towards the
/// light triangles reach, -GY_NEVER where there are none. What is beyond that is in no shadow.
typedef struct gy_hull_shade {
    vec towards, u, v;    // unit: to the light, and across
    float low[2], per[2]; // of the first cell; cells per length
    float *reach;
} gy_hull_shade;

struct gy_hulls {
    gy_triangle *triangles;
    gy_hull_box *boxes;
    int triangle_count, box_count;
    // Boxes that together hold all triangles, the nearest to the eye first, and where in the
    // picture each may be seen: from (low x, low y) to (high x, high y) pixels. All are
    // GY_HULL_PARTS, those behind the last are seen nowhere.
    int part_count, part[GY_HULL_PARTS];
    float part_low[2][GY_HULL_PARTS], part_high[2][GY_HULL_PARTS];
    gy_hull_shade shade[2]; // of light in air and under water
    // Seen from above: for cells of a square over the domain how far away, at least, triangles
    // are; between which heights all are.
    float *aside, low, high, per[2];
};

typedef struct gy_hull_hit {
    float t;
    vec normal; // towards the ray's start
    int body;
} gy_hull_hit;

/// Whether meshes may be drawn; how many triangles they have in all.
gyre_result gy_hulls_check(const gyre_mesh *meshes, int count, int *triangles);
/// Lengths in units of `unit` from `corner` on, both in metres.
gyre_result gy_hulls_build(const gyre_mesh *meshes, int count, vec corner, float unit,
                           gy_hulls *bodies);
void gy_hulls_free(gy_hulls *bodies);
/// The first triangle within (0, far); hit->t is GY_NEVER where there is none.
void gy_hulls_hit(const gy_hulls *bodies, const gy_ray *ray, float far, gy_hull_hit *hit);

/// The sun's light on the bed and on planes above it, as waves gather it: what of light 1 across
/// the sun's rays comes to each cell of the relief, as it lies level, before water absorbs any.
typedef struct gy_caustics {
    const gy_relief *relief;
    int before[2], n[2]; // corners before the relief's first; cells in all
    ptrdiff_t row;       // corners
    float *end[3], *top; // of rays: where they meet the bed, how high they set out
    float *flux;         // light that comes in
    float *span;         // least and largest y of a row's rays
    int planes, plane;   // above the bed; the one that is being made
    float low, step;     // plane k lies so high and k steps above; 0 is the bed itself
    float about[2][2];   // planes are made from there to there, round all bodies
    float *map[GY_CAUSTIC_PLANES + 1]; // of each, cell (0, 0)
    ptrdiff_t map_row;
    float *memory; // NULL: there are none
} gy_caustics;

/// A wave of gyre_ripples, ready to be summed up.
typedef struct gy_ripple {
    float turns[2];                   // per metre
    float square;                     // of their length
    float slope[2];                   // along x and y
    float phase[GYRE_TEXTURE_PHASES]; // turns
} gy_ripple;

/// Everything that rays over a surface meet, made anew for each picture.
typedef struct gy_surface {
    const gyre_render_input *input;
    gy_relief relief;
    gy_hulls bodies, overhang; // of the latter triangles and boxes alone
    gyre_image *image;
    vec eye, forward, right, up; // the picture is 1 high and stands 1 away
    vec light, below;            // unit, towards the light; the same under water
    vec sun, ambient;            // light's colours
    vec absorb;                  // per cell of the relief
    gy_caustics caustics;
    gyre_ripples ripples;
    gy_ripple waves[GYRE_RIPPLES];
    const gyre_render_flow *flow; // NULL: there are no ripples, and lace stands still
    float pixel;                  // its width at a distance of 1
    vec deep;                     // what deep water sends back
    float shore;                  // depth up to which water is hardly seen
    const gy_volume *smoke;       // that casts shadows, so many volumes
    int smoke_count;
    float longest; // side of the domain
    float *bar;    // mode bars: bed and water of each
    int bars[2];
    float bar_size, bar_high;
    float *flow_texel; // what flows at cells, 8 entries each; NULL: nothing does
    // Colour through each pixel's middle, and what was met: of smooth surfaces in planes, with so
    // many entries a row; behind them the contrast that is an edge there, how far off it is and
    // how white the water.
    vec *seen;
    float *first[GY_FIRSTS];
    ptrdiff_t row;
} gy_surface;

/// Makes what spares rays a look at triangles: where bodies are in the picture, and where light
/// meets none.
gyre_result gy_hulls_look(gy_surface *surface);
/// Makes the maps of light under water, where the settings ask for them and the sun is up. After
/// gy_relief_look() and gy_hulls_look().
gyre_result gy_caustics_build(gyre_device *device, gy_surface *surface);
void gy_caustics_free(gy_surface *surface);
/// Makes what rays meet of water and bodies, but for how it is seen. Free it also after a failure.
gyre_result gy_surface_build(gyre_device *device, const gyre_render_input *input, gyre_image *image,
                             gy_surface *surface);
/// Aims the camera of the input and lights what it sees.
gyre_result gy_surface_aim(gyre_device *device, gy_surface *surface);
void gy_surface_free(gy_surface *surface);
/// Heights in the picture's middle and at its top that hardly change while water moves.
void gy_surface_heights(const gy_surface *surface, float *low, float *high);
/// Whether the water, its bed and the bodies let a place be seen from another: all or nothing.
float gy_surface_passes(const gy_surface *surface, vec from, vec to);
/// Whether the sun reaches a place: 1, or 0 where ground or bodies stand between.
float gy_surface_sunlit(const gy_surface *surface, vec at, vec normal);

/// Makes the waves ready.
void gy_ripples_ready(const gyre_ripples *ripples, gy_ripple waves[GYRE_RIPPLES]);

/// Light from a direction of the sky.
vec gy_sky(const gy_surface *surface, vec along);
/// Even noise in [0, 1], smooth over a distance of 1.
float gy_value_noise(float x, float y);
/// The sum of four octaves of it, in [0, 1].
float gy_noise(float x, float y);

/// Means over blocks of cells, at most about a hundred along a side.
gyre_result gy_bars_build(gy_surface *surface);
/// Light along a ray through air, of bars. *met: what it meets first.
vec gy_shade_bars(const gy_surface *surface, gy_ray ray, int *met);
/// The floor, where there is one, or the sky.
vec gy_shade_far(const gy_surface *surface, const gy_ray *ray, int *met);
/// A body in the open air.
vec gy_shade_body(const gy_surface *surface, const gy_ray *ray, const gy_hull_hit *hit);
vec gy_body_colour(const gy_surface *surface, int body);
/// What of the sun and the sky a surface sends back.
vec gy_lit(const gy_surface *surface, vec albedo, vec normal, float open);

GY_VEC_INLINE vec gy_along(const gy_ray *ray, float t)
{
    return ray->from + ray->along * vec_all(t);
}

GY_VEC_INLINE vec vec_mix(vec a, vec b, float t)
{
    return a + (b - a) * vec_all(t);
}

#endif
