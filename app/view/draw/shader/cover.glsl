// How much solids cover of a place in a plane, and what is mixed between two frames.
//   SPLINE they come as they are and are smoothed here; else they come smoothed
uniform FIELD solid_later, solid_earlier;
uniform vec3 body;   // their colour
uniform float blend; // of the later frame

#ifdef SOLID
#ifndef SPLINE
#define share_at(field, at) fetch(field, at).r
#else
#define share_at(field, at) spline(field, at)
#endif

#ifdef SPLINE
// Cubic B-spline by four linear samples: weights and places after Sigg and Hadwiger (2005).
float spline(FIELD field, vec2 at)
{
    vec2 x = at - 0.5, f = fract(x), i = floor(x);
    vec2 g = 1.0 - f, f2 = f * f, g2 = g * g;
    vec2 w0 = g2 * g / 6.0, w1 = 2.0 / 3.0 - 0.5 * f2 * (2.0 - f);
    vec2 w2 = 2.0 / 3.0 - 0.5 * g2 * (2.0 - g), w3 = f2 * f / 6.0;
    vec2 a = w0 + w1, b = w2 + w3;
    vec2 p = i - 0.5 + w1 / a, q = i + 1.5 + w3 / b;

    return a.y * (a.x * fetch(field, vec2(p.x, p.y)).r + b.x * fetch(field, vec2(q.x, p.y)).r) +
           b.y * (a.x * fetch(field, vec2(p.x, q.y)).r + b.x * fetch(field, vec2(q.x, q.y)).r);
}

#endif

float cover_at(vec2 at)
{
    float share = share_at(solid_later, at);
#ifdef MOVING
    share = mix(share_at(solid_earlier, at), share, blend);
#endif
#ifdef CELLS
    return clamp01(share);
#else
    return clamp01((share - 0.5) * max(1.0 / cells, 1.0) + 0.5);
#endif
}
#endif
