// render/isa/march_ray.h: one ray through cells, and what is at places along it.
#ifndef GY_RENDER_MARCH_RAY_H
#define GY_RENDER_MARCH_RAY_H

#include "render/march.h"

/// A ray through cells.
typedef struct one_ray {
    vec from, along, inverse;
    ivec forward; // all bits where it runs upwards
} one_ray;

// Keeps rounding at the grid's edge from reaching out of it.
GY_VEC_INLINE vec inside(const gy_volume *volume, vec at)
{
    return vec_max(vec_min(at, volume->limit), vec_all(0.0f));
}

// Where the ray leaves the brick that `at` lies in.
GY_VEC_INLINE float leave(const one_ray *ray, ivec base)
{
    ivec low = base & -GY_BRICK;
    vec wall = __builtin_convertvector(low + (ray->forward & GY_BRICK), vec);
    vec t = (wall - ray->from) * ray->inverse;
    float out = t[0] < t[1] ? t[0] : t[1];

    return t[2] < out ? t[2] : out;
}

GY_VEC_INLINE float brick_of(const gy_bricks *bricks, ivec base)
{
    return bricks->data[base[0] / GY_BRICK +
                        bricks->n[0] * (base[1] / GY_BRICK + bricks->n[1] * (base[2] / GY_BRICK))];
}

// The least whole number not below x; |x| below 2^31.
GY_VEC_INLINE float up_to(float x)
{
    float t = (float)(int)x;

    return t < x ? t + 1.0f : t;
}

GY_VEC_INLINE float not_below(float x)
{
    return x > 0.0f ? x : 0.0f;
}

GY_VEC_INLINE float power_48(float x)
{
    x *= x;
    x *= x;
    x *= x;
    x *= x;
    return x * x * x;
}

static float phase(float g, float cosine)
{
    float d = 1.0f + g * g - 2.0f * g * cosine;

    return (1.0f - g * g) / (d * sqrtf(d));
}

// Four numbers a cell at a place.
GY_VEC_INLINE vec four_at(const gy_volume *volume, const vec *cells, vec at)
{
    ivec base = __builtin_convertvector(at, ivec);
    vec f = at - __builtin_convertvector(base, vec), line[2][2];
    ptrdiff_t sy = volume->opaque.sy, sz = volume->opaque.sz;
    const vec *p = cells + gy_cell_index(&volume->opaque, base[0], base[1], base[2]);

    for (int i = 0; i < 4; i++) {
        const vec *q = p + (i & 1) * sy + (i >> 1) * sz;

        line[i >> 1][i & 1] = q[0] + (q[1] - q[0]) * vec_all(f[0]);
    }
    for (int i = 0; i < 2; i++)
        line[i][0] += (line[i][1] - line[i][0]) * vec_all(f[1]);
    return line[0][0] + (line[1][0] - line[0][0]) * vec_all(f[2]);
}

// How hot it is at a place, in entries of the glow's table.
static float heat_at(const gy_volume *volume, vec at)
{
    return not_below(gy_sample(&volume->heat, at) * (float)GY_GLOW);
}

static int glow_entry(float heat, float *part)
{
    int i = heat < (float)GY_GLOW ? (int)heat : GY_GLOW - 1;

    *part = heat < (float)GY_GLOW ? heat - (float)i : 1.0f;
    return i;
}

static vec glow_of(const gy_volume *volume, float heat)
{
    float f;
    int i = glow_entry(heat, &f);

    return volume->glow[i] + (volume->glow[i + 1] - volume->glow[i]) * vec_all(f);
}

// The sum of the table up to a heat.
static vec glow_up_to(const gy_volume *volume, float heat)
{
    float f;
    int i = glow_entry(heat, &f);
    vec low = volume->glow[i], high = volume->glow[i + 1];
    vec sum = volume->glow_sum[i] + (low + (high - low) * vec_all(0.5f * f)) * vec_all(f);

    return sum + high * vec_all(not_below(heat - (float)GY_GLOW));
}

// What heat gives off, per cell, along a way on which it goes evenly from one to another: the mean
// of the table between the two (K. Engel, M. Kraus and T. Ertl 2001). Light grows so steeply with
// heat that what it is at samples alone differs with where those lie.
static vec glow_between(const gy_volume *volume, float from, float to)
{
    if (!(from > 0.0f) && !(to > 0.0f))
        return vec_all(0.0f);
    if (fabsf(to - from) < 0.5f)
        return glow_of(volume, 0.5f * (from + to));
    return (glow_up_to(volume, to) - glow_up_to(volume, from)) * vec_all(1.0f / (to - from));
}

// What shines of itself at a sample, per cell: heat, and scalars that are mixed as light.
static vec glow_at(const gy_volume *volume, vec at)
{
    vec shine = volume->shine != NULL ? four_at(volume, volume->shine, at) : vec_all(0.0f);
    float heat = volume->heat.data != NULL ? heat_at(volume, at) : 0.0f;

    return heat > 0.0f ? glow_of(volume, heat) + shine : shine;
}

// The colour of what is at a place: a mean by extinction.
static vec tint_at(const gy_volume *volume, vec at)
{
    vec sum = four_at(volume, volume->tint, at);

    return sum[3] > 1e-12f ? sum * vec_all(1.0f / sum[3]) : vec_all(0.0f);
}

#endif
