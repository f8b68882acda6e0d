// ops/system/butterfly.h: discrete Fourier transforms of 2, 3, 4, 5, 7, 8 and 16 complex numbers,
// each lane one of its own: y[k] = sum over i of x[i] e^(-2 pi i k / n), in place.
#ifndef GY_BUTTERFLY_H
#define GY_BUTTERFLY_H

#include "base/simd.h"

typedef struct gy_complex {
    vf re, im;
} gy_complex;

GY_INLINE gy_complex gy_plus(gy_complex a, gy_complex b)
{
    return (gy_complex){a.re + b.re, a.im + b.im};
}

GY_INLINE gy_complex gy_minus(gy_complex a, gy_complex b)
{
    return (gy_complex){a.re - b.re, a.im - b.im};
}

GY_INLINE gy_complex gy_times(gy_complex a, float b)
{
    return (gy_complex){a.re * b, a.im * b};
}

/// z (c + i s).
GY_INLINE gy_complex gy_turned(gy_complex z, float c, float s)
{
    return (gy_complex){z.re * c - z.im * s, z.re * s + z.im * c};
}

/// z (c - i s).
GY_INLINE gy_complex gy_turned_back(gy_complex z, float c, float s)
{
    return (gy_complex){z.re * c + z.im * s, z.im * c - z.re * s};
}

/// a - i b and a + i b.
GY_INLINE void gy_sum_difference(gy_complex a, gy_complex b, gy_complex *minus, gy_complex *plus)
{
    *minus = (gy_complex){a.re + b.im, a.im - b.re};
    *plus = (gy_complex){a.re - b.im, a.im + b.re};
}

GY_INLINE void gy_butterfly_2(gy_complex *x)
{
    gy_complex a = x[0], b = x[1];
    x[0] = gy_plus(a, b);
    x[1] = gy_minus(a, b);
}

GY_INLINE void gy_butterfly_3(gy_complex *x)
{
    const float sin3 = 0.86602540378443864676f;
    gy_complex t = gy_plus(x[1], x[2]), d = gy_times(gy_minus(x[1], x[2]), sin3);
    gy_complex m = gy_minus(x[0], gy_times(t, 0.5f));
    x[0] = gy_plus(x[0], t);
    gy_sum_difference(m, d, &x[1], &x[2]);
}

GY_INLINE void gy_butterfly_4(gy_complex *x)
{
    gy_complex a = gy_plus(x[0], x[2]), b = gy_minus(x[0], x[2]);
    gy_complex c = gy_plus(x[1], x[3]), d = gy_minus(x[1], x[3]);
    x[0] = gy_plus(a, c);
    x[2] = gy_minus(a, c);
    gy_sum_difference(b, d, &x[1], &x[3]);
}

GY_INLINE void gy_butterfly_5(gy_complex *x)
{
    const float c1 = 0.30901699437494742410f, c2 = -0.80901699437494742410f,
                s1 = 0.95105651629515357212f, s2 = 0.58778525229247312917f;
    gy_complex t1 = gy_plus(x[1], x[4]), t2 = gy_plus(x[2], x[3]);
    gy_complex d1 = gy_minus(x[1], x[4]), d2 = gy_minus(x[2], x[3]);
    gy_complex m1 = gy_plus(x[0], gy_plus(gy_times(t1, c1), gy_times(t2, c2)));
    gy_complex m2 = gy_plus(x[0], gy_plus(gy_times(t1, c2), gy_times(t2, c1)));
    gy_complex e1 = gy_plus(gy_times(d1, s1), gy_times(d2, s2));
    gy_complex e2 = gy_minus(gy_times(d1, s2), gy_times(d2, s1));
    x[0] = gy_plus(x[0], gy_plus(t1, t2));
    gy_sum_difference(m1, e1, &x[1], &x[4]);
    gy_sum_difference(m2, e2, &x[2], &x[3]);
}

/// a c1 + b c2 + c c3.
GY_INLINE gy_complex gy_mix(gy_complex a, float c1, gy_complex b, float c2, gy_complex c, float c3)
{
    return gy_plus(gy_plus(gy_times(a, c1), gy_times(b, c2)), gy_times(c, c3));
}

GY_INLINE void gy_butterfly_7(gy_complex *x)
{
    const float c1 = 0.62348980185873353053f, c2 = -0.22252093395631440429f,
                c3 = -0.90096886790241912624f, s1 = 0.78183148246802980871f,
                s2 = 0.97492791218182360702f, s3 = 0.43388373911755812048f;
    gy_complex t1 = gy_plus(x[1], x[6]), t2 = gy_plus(x[2], x[5]), t3 = gy_plus(x[3], x[4]);
    gy_complex d1 = gy_minus(x[1], x[6]), d2 = gy_minus(x[2], x[5]), d3 = gy_minus(x[3], x[4]);
    gy_complex m1 = gy_plus(x[0], gy_mix(t1, c1, t2, c2, t3, c3));
    gy_complex m2 = gy_plus(x[0], gy_mix(t1, c2, t2, c3, t3, c1));
    gy_complex m3 = gy_plus(x[0], gy_mix(t1, c3, t2, c1, t3, c2));
    x[0] = gy_plus(x[0], gy_plus(gy_plus(t1, t2), t3));
    gy_sum_difference(m1, gy_mix(d1, s1, d2, s2, d3, s3), &x[1], &x[6]);
    gy_sum_difference(m2, gy_mix(d1, s2, d2, -s3, d3, -s1), &x[2], &x[5]);
    gy_sum_difference(m3, gy_mix(d1, s3, d2, -s1, d3, s2), &x[3], &x[4]);
}

GY_INLINE void gy_butterfly_8(gy_complex *x)
{
    const float half = 0.70710678118654752440f;
    gy_complex a[4], b[4];
    a[0] = gy_plus(x[0], x[4]);
    a[1] = gy_plus(x[1], x[5]);
    a[2] = gy_plus(x[2], x[6]);
    a[3] = gy_plus(x[3], x[7]);
    b[0] = gy_minus(x[0], x[4]);
    gy_complex p = gy_minus(x[1], x[5]), q = gy_minus(x[2], x[6]), r = gy_minus(x[3], x[7]);
    // Times the eighth roots of one.
    b[1] = (gy_complex){(p.re + p.im) * half, (p.im - p.re) * half};
    b[2] = (gy_complex){q.im, -q.re};
    b[3] = (gy_complex){(r.im - r.re) * half, -(r.re + r.im) * half};
    gy_butterfly_4(a);
    gy_butterfly_4(b);
    x[0] = a[0];
    x[1] = b[0];
    x[2] = a[1];
    x[3] = b[1];
    x[4] = a[2];
    x[5] = b[2];
    x[6] = a[3];
    x[7] = b[3];
}

/// Four by four.
GY_INLINE void gy_butterfly_16(gy_complex *x)
{
    const float c = 0.92387953251128675613f, s = 0.38268343236508977173f,
                half = 0.70710678118654752440f;
    for (int q = 0; q < 4; q++) {
        gy_complex t[4] = {x[q], x[q + 4], x[q + 8], x[q + 12]};
        gy_butterfly_4(t);
        if (q == 1) {
            t[1] = gy_turned_back(t[1], c, s);
            t[2] = (gy_complex){(t[2].re + t[2].im) * half, (t[2].im - t[2].re) * half};
            t[3] = gy_turned_back(t[3], s, c);
        } else if (q == 2) {
            t[1] = (gy_complex){(t[1].re + t[1].im) * half, (t[1].im - t[1].re) * half};
            t[2] = (gy_complex){t[2].im, -t[2].re};
            t[3] = (gy_complex){(t[3].im - t[3].re) * half, -(t[3].re + t[3].im) * half};
        } else if (q == 3) {
            t[1] = gy_turned_back(t[1], s, c);
            t[2] = (gy_complex){(t[2].im - t[2].re) * half, -(t[2].re + t[2].im) * half};
            t[3] = gy_turned_back(t[3], -c, -s);
        }
        x[q] = t[0];
        x[q + 4] = t[1];
        x[q + 8] = t[2];
        x[q + 12] = t[3];
    }
    for (int r = 0; r < 4; r++) {
        gy_butterfly_4(x + 4 * r);
    }
    // Output 4 k + r stands at 4 r + k.
    for (int r = 0; r < 4; r++) {
        for (int k = r + 1; k < 4; k++) {
            gy_complex t = x[4 * r + k];
            x[4 * r + k] = x[4 * k + r];
            x[4 * k + r] = t;
        }
    }
}

/// `radix` is a constant: 1, 2, 3, 4, 5, 7, 8 or 16.
GY_INLINE void gy_butterfly(int radix, gy_complex *x)
{
    if (radix == 2) {
        gy_butterfly_2(x);
    } else if (radix == 3) {
        gy_butterfly_3(x);
    } else if (radix == 4) {
        gy_butterfly_4(x);
    } else if (radix == 5) {
        gy_butterfly_5(x);
    } else if (radix == 7) {
        gy_butterfly_7(x);
    } else if (radix == 8) {
        gy_butterfly_8(x);
    } else if (radix == 16) {
        gy_butterfly_16(x);
    }
}

#endif
