// render/isa/lanes.h: eight floats at once, the same eight on every instruction set: what is
// worked out for a pixel does not depend on how wide the machine is.
#ifndef GY_RENDER_LANES_H
#define GY_RENDER_LANES_H

#include "render/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#ifdef __AVX2__
#include <immintrin.h>
#endif

enum { GY_WIDE = 8 };

typedef float v8 __attribute__((vector_size(32)));
typedef int32_t w8 __attribute__((vector_size(32)));
typedef float v8_loose __attribute__((vector_size(32), aligned(4), may_alias));

#ifdef __AVX2__
GY_VEC_INLINE w8 v8_less(v8 a, v8 b)
{
    return (w8)(a < b);
}
#else
// Compilers take wide comparisons apart lane by lane where the machine has none.
typedef struct gy_halves {
    vec low, high;
} gy_halves;

GY_VEC_INLINE w8 v8_less(v8 a, v8 b)
{
    gy_halves p, q;
    ivec low, high;
    w8 mask;

    memcpy(&p, &a, sizeof p);
    memcpy(&q, &b, sizeof q);
    low = p.low < q.low;
    high = p.high < q.high;
    memcpy(&mask, &low, sizeof low);
    memcpy((char *)&mask + sizeof low, &high, sizeof high);
    return mask;
}
#endif

GY_VEC_INLINE v8 v8_all(float x)
{
    return (v8){x, x, x, x, x, x, x, x};
}

GY_VEC_INLINE w8 w8_all(int32_t x)
{
    return (w8){x, x, x, x, x, x, x, x};
}

/// 0, 1, 2 ... 7.
GY_VEC_INLINE v8 v8_count(void)
{
    return (v8){0, 1, 2, 3, 4, 5, 6, 7};
}

GY_VEC_INLINE w8 w8_count(void)
{
    return (w8){0, 1, 2, 3, 4, 5, 6, 7};
}

GY_VEC_INLINE v8 v8_load(const float *p)
{
    return *(const v8_loose *)p;
}

GY_VEC_INLINE void v8_store(float *p, v8 x)
{
    *(v8_loose *)p = x;
}

/// a where the mask is set, else b.
GY_VEC_INLINE v8 v8_select(w8 mask, v8 a, v8 b)
{
#ifdef __AVX2__
    return (v8)_mm256_blendv_ps((__m256)b, (__m256)a, (__m256)mask);
#else
    return (v8)((mask & (w8)a) | (~mask & (w8)b));
#endif
}

GY_VEC_INLINE w8 w8_select(w8 mask, w8 a, w8 b)
{
    return (mask & a) | (~mask & b);
}

/// a where it is less than b, else b: what the machine's own instruction says, too.
GY_VEC_INLINE v8 v8_min(v8 a, v8 b)
{
#ifdef __AVX2__
    return (v8)_mm256_min_ps((__m256)a, (__m256)b);
#else
    return v8_select(v8_less(a, b), a, b);
#endif
}

GY_VEC_INLINE v8 v8_max(v8 a, v8 b)
{
#ifdef __AVX2__
    return (v8)_mm256_max_ps((__m256)a, (__m256)b);
#else
    return v8_select(v8_less(b, a), a, b);
#endif
}

GY_VEC_INLINE v8 v8_clamp(v8 x, v8 low, v8 high)
{
    return v8_min(v8_max(x, low), high);
}

GY_VEC_INLINE v8 v8_abs(v8 x)
{
    return (v8)((w8)x & w8_all(0x7fffffff));
}

/// Towards zero; |x| below 2^31.
GY_VEC_INLINE w8 v8_int(v8 x)
{
    return __builtin_convertvector(x, w8);
}

GY_VEC_INLINE v8 v8_float(w8 x)
{
    return __builtin_convertvector(x, v8);
}

/// |x| below 2^31.
GY_VEC_INLINE v8 v8_floor(v8 x)
{
    v8 t = v8_float(v8_int(x));

    return t + v8_float(v8_less(x, t)); // true is -1
}

GY_VEC_INLINE v8 v8_sqrt(v8 x)
{
#ifdef __AVX2__
    return (v8)_mm256_sqrt_ps((__m256)x);
#else
    v8 root;

    for (int i = 0; i < GY_WIDE; i++)
        root[i] = sqrtf(x[i]);
    return root;
#endif
}

/// base[at], lane by lane.
GY_VEC_INLINE v8 v8_gather(const float *base, w8 at)
{
#ifdef __AVX2__
    return (v8)_mm256_i32gather_ps(base, (__m256i)at, 4);
#else
    return (v8){base[at[0]], base[at[1]], base[at[2]], base[at[3]],
                base[at[4]], base[at[5]], base[at[6]], base[at[7]]};
#endif
}

#ifdef __AVX2__
// Four of them: base[at], base[at + 1] of each.
GY_VEC_INLINE __m256 gy_four_pairs(const float *base, const int32_t *at)
{
    const __m128 none = _mm_setzero_ps();
    __m128 low = _mm_loadl_pi(none, (const __m64 *)(const void *)(base + at[0]));
    __m128 high = _mm_loadl_pi(none, (const __m64 *)(const void *)(base + at[2]));

    low = _mm_loadh_pi(low, (const __m64 *)(const void *)(base + at[1]));
    high = _mm_loadh_pi(high, (const __m64 *)(const void *)(base + at[3]));
    return _mm256_insertf128_ps(_mm256_castps128_ps256(low), high, 1);
}
#endif

/// base[at] and base[at + 1], lane by lane.
GY_VEC_INLINE void v8_pairs(const float *base, const int32_t at[8], v8 *left, v8 *right)
{
#ifdef __AVX2__
    const int32_t first[4] = {at[0], at[1], at[4], at[5]}, last[4] = {at[2], at[3], at[6], at[7]};
    __m256 p = gy_four_pairs(base, first), q = gy_four_pairs(base, last);

    *left = (v8)_mm256_shuffle_ps(p, q, 0x88);
    *right = (v8)_mm256_shuffle_ps(p, q, 0xdd);
#else
    for (int i = 0; i < GY_WIDE; i++) {
        (*left)[i] = base[at[i]];
        (*right)[i] = base[at[i] + 1];
    }
#endif
}

/// Whether any bit of any lane is set.
GY_VEC_INLINE bool w8_any(w8 mask)
{
#ifdef __AVX2__
    return !_mm256_testz_si256((__m256i)mask, (__m256i)mask);
#else
    int64_t parts[4];

    memcpy(parts, &mask, sizeof parts);
    return (parts[0] | parts[1] | parts[2] | parts[3]) != 0;
#endif
}

GY_VEC_INLINE v8 v8_mix(v8 a, v8 b, v8 t)
{
    return a + (b - a) * t;
}

GY_VEC_INLINE v8 v8_clamp01(v8 x)
{
    return v8_clamp(x, v8_all(0.0f), v8_all(1.0f));
}

GY_VEC_INLINE v8 v8_smooth(v8 a, v8 b, v8 x)
{
    v8 t = v8_clamp01((x - a) / (b - a));

    return t * t * (v8_all(3.0f) - v8_all(2.0f) * t);
}

/// exp(x), within 2e-7 of it; x at most 80, 0 from about -87 down.
GY_VEC_INLINE v8 v8_exp(v8 x)
{
    v8 held = v8_clamp(x, v8_all(-87.0f), v8_all(80.0f));
    v8 whole = v8_floor(held * v8_all(1.44269504f) + v8_all(0.5f));
    v8 r = (held - whole * v8_all(0.693359375f)) - whole * v8_all(-2.12194440e-4f);
    v8 p = v8_all(1.9875691500e-4f);

    p = p * r + v8_all(1.3981999507e-3f);
    p = p * r + v8_all(8.3334519073e-3f);
    p = p * r + v8_all(4.1665795894e-2f);
    p = p * r + v8_all(1.6666665459e-1f);
    p = p * r + v8_all(5.0000001201e-1f);
    p = p * r * r + r + v8_all(1.0f);
    return p * (v8)((v8_int(whole) + w8_all(127)) << 23);
}

/// fade() of eight.
GY_VEC_INLINE v8 v8_fade(v8 x)
{
    v8 a = v8_all(1.0f) + x * (v8_all(0.125f) + x * v8_all(1.0f / 128.0f));

    a *= a;
    a *= a;
    return v8_all(1.0f) / (a * a);
}

/// Eight colours.
typedef struct gy_colours {
    v8 c[3];
} gy_colours;

GY_VEC_INLINE gy_colours gy_colours_all(vec colour)
{
    return (gy_colours){{v8_all(colour[0]), v8_all(colour[1]), v8_all(colour[2])}};
}

/// gy_tone_map() of eight.
GY_VEC_INLINE gy_colours gy_tone_wide(gy_colours colour)
{
    for (int c = 0; c < 3; c++) {
        v8 x = colour.c[c] * v8_all(0.8f);

        colour.c[c] = v8_clamp01(x * (v8_all(2.51f) * x + v8_all(0.03f)) /
                                 (x * (v8_all(2.43f) * x + v8_all(0.59f)) + v8_all(0.14f)));
    }
    return colour;
}

/// Linear 0..1 to sRGB 0..255, within 0.06: a polynomial in the root (degree 6, least largest
/// error) above the curve's straight foot.
GY_VEC_INLINE v8 gy_srgb_wide(v8 x)
{
    x = v8_clamp01(x);
    v8 s = v8_sqrt(x), p = v8_all(-188.925512f);

    p = p * s + v8_all(704.477663f);
    p = p * s + v8_all(-1072.27514f);
    p = p * s + v8_all(875.438833f);
    p = p * s + v8_all(-450.615957f);
    p = p * s + v8_all(397.481453f);
    p = p * s + v8_all(-10.6013604f);
    return v8_select(v8_less(v8_all(0.0031308f), x), p, x * v8_all(255.0f * 12.92f));
}

/// gy_pixel_noise() of eight pixels of a row; nothing is below 0.
GY_VEC_INLINE v8 gy_noise_wide(v8 x, float y)
{
    v8 f = v8_all(0.06711056f) * x + v8_all(0.00583715f * y);
    v8 g = v8_all(52.9829189f) * (f - v8_float(v8_int(f)));

    return g - v8_float(v8_int(g));
}

/// Stores up to eight pixels from (x, y) on, of sRGB 0..255, with dithering. `left`: pixels from x
/// to the end of what the caller draws of the row; where these are more than eight, four bytes
/// behind the eight may be written.
GY_VEC_INLINE void gy_put_srgb(uint8_t *rgb, int x, int y, int left, gy_colours colour)
{
    w8 packed = w8_all(0);

    for (int c = 0; c < 3; c++) {
        v8 at = v8_count() + v8_all((float)(x + 17 * c + 5));
        v8 value = colour.c[c] + gy_noise_wide(at, (float)(y + 31 * c + 11));

        packed |= v8_int(v8_clamp(value, v8_all(0.0f), v8_all(255.0f))) << (8 * c);
    }
#ifdef __AVX2__
    if (left > GY_WIDE) {
        const __m256i order =
            _mm256_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1, 0, 1, 2, 4, 5,
                             6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
        __m256i bytes = _mm256_shuffle_epi8((__m256i)packed, order);

        _mm_storeu_si128((__m128i *)(void *)rgb, _mm256_castsi256_si128(bytes));
        _mm_storeu_si128((__m128i *)(void *)(rgb + 12), _mm256_extracti128_si256(bytes, 1));
        return;
    }
#endif
    for (int i = 0; i < left && i < GY_WIDE; i++) {
        uint32_t word = (uint32_t)packed[i];

        rgb[3 * i] = (uint8_t)word;
        rgb[3 * i + 1] = (uint8_t)(word >> 8);
        rgb[3 * i + 2] = (uint8_t)(word >> 16);
    }
}

/// The same of linear colours.
GY_VEC_INLINE void gy_put_wide(uint8_t *rgb, int x, int y, int left, gy_colours colour)
{
    for (int c = 0; c < 3; c++)
        colour.c[c] = gy_srgb_wide(colour.c[c]);
    gy_put_srgb(rgb, x, y, left, colour);
}

#endif
