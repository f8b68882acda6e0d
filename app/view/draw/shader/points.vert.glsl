// Particles: one disk per instance, seen from the eye; what is turned is a leaf (src/render/points.c
// says of which form). What lies between hides it: smoke and solids
// of a volume, ground and water of a surface.
layout(location = 0) in vec3 place; // m
layout(location = 1) in vec2 kind;  // along the map; share of the whole size
#ifdef TURNED
layout(location = 2) in vec4 orientation; // of zeros: a ball
flat out vec2 along_leaf, across_leaf;    // pixels, half of it
flat out vec3 leaf_normal;                // towards the eye; of a ball 0
#endif

uniform float size; // m, diameter
uniform bool soft_ones; // whose share is below 0; else those of the others
uniform bool laced;     // foam, whose share is less by 8, is a field's lace
#ifdef SPACE
uniform vec3 eye, forward, right_per, up_per; // m; right and up by their squared length
uniform float wide, reach;                    // length of right; m, of the domain
#else
uniform vec2 corner, shift; // m, of the domain; cells
uniform float cell, cells;  // m; cells a pixel
#endif
#ifdef HIDES
uniform sampler3D smoke, solid;
uniform vec3 origin, n; // m; cells
uniform float h, extinction;
uniform bool has_solid;
#endif
#ifdef RELIEF
uniform sampler2D heights; // water, bed in units
#ifdef BODIES
uniform sampler2D bodies; // their distance from the eye in units, 0: there is none
#endif
uniform vec3 origin, n;    // m; cells
uniform float h, unit;
#endif

out vec2 spot; // pixels from the middle
flat out float radius, strength, along;
flat out float soft;
const float BLURRED = 4.5, VEIL = 0.125;

#ifdef HIDES
// The share of light that passes from the point to the eye: a sample a cell and half, 64 at most.
float passes(vec3 from, vec3 to)
{
    vec3 a = (from - origin) / h, way = (to - from) / h;
    vec3 ends = (mix(vec3(0.0), n, greaterThan(way, vec3(0.0))) - a) /
                mix(way, vec3(1e-9), lessThan(abs(way), vec3(1e-9)));
    float far = clamp(min(min(ends.x, ends.y), ends.z), 0.0, 1.0), cells = far * length(way);
    int count = int(clamp(cells / 1.5, 1.0, 64.0));
    float step = cells / float(count), sum = 0.0;

    for (int i = 0; i < count; i++) {
        vec3 at = (a + way * (far * (float(i) + 0.5) / float(count))) / n;

        sum += textureLod(smoke, at, 0.0).r;
        if (has_solid && float(i + 1) * step > 1.5 && textureLod(solid, at, 0.0).r > 0.5)
            return 0.0;
    }
    return exp(-extinction * max(sum, 0.0) * step);
}
#endif

#ifdef RELIEF
// Whether ground or water stand between the point and the eye: looked for on the way as far as the
// domain goes.
float passes(vec3 from, vec3 to)
{
    vec2 a = (from.xy - origin.xy) / h, way = (to.xy - from.xy) / h;
    vec2 ends = (mix(vec2(0.0), n.xy, greaterThan(way, vec2(0.0))) - a) /
                mix(way, vec2(1e-9), lessThan(abs(way), vec2(1e-9)));
    float far = clamp(min(ends.x, ends.y), 0.0, 1.0), cells = far * length(way);
    int count = int(clamp(cells, 1.0, 96.0));

    for (int i = 1; i < count; i++) {
        float t = far * float(i) / float(count);
        vec2 top = textureLod(heights, (a + way * t) / n.xy, 0.0).rg * unit;

        if (max(top.x, top.y) > mix(from.z, to.z, t) + 0.5 * size + 0.05 * h)
            return 0.0;
    }
    return 1.0;
}
#endif

#ifdef TURNED
const float LEAST = 0.6, WIDTH = 0.6, THICK = 0.08;

vec3 turn(vec3 v)
{
    vec3 once = 2.0 * cross(orientation.xyz, v);

    return v + orientation.w * once + cross(orientation.xyz, once);
}

#ifdef SPACE
vec2 seen(vec3 at)
{
    vec3 d = at - eye;

    return rect.w * vec2(dot(d, right_per), dot(d, up_per)) / max(dot(d, forward), 1e-3 * reach);
}
#endif

// Half of a leaf's length and width on the picture; returns a bound of its radius.
float turn_leaf(float length_of)
{
    vec3 x = turn(vec3(1.0, 0.0, 0.0)), z = turn(vec3(0.0, 0.0, 1.0));
    vec2 a, b;

    leaf_normal = turn(vec3(0.0, 1.0, 0.0));
#ifdef SPACE
    x *= 0.5 * length_of;
    z *= 0.5 * length_of * WIDTH;
    a = 0.5 * (seen(place + x) - seen(place - x));
    b = 0.5 * (seen(place + z) - seen(place - z));
    leaf_normal *= dot(leaf_normal, eye - place) < 0.0 ? -1.0 : 1.0;
#else
    a = x.xy * 0.5 * length_of / cell / cells;
    b = leaf_normal.xy * 0.5 * length_of * THICK / cell / cells;
#endif
    strength = 1.0;
    if (dot(b, b) > dot(a, a)) {
        vec2 c = a;

        a = b;
        b = c;
    }
    float size_of = length(a);
    if (size_of < LEAST) {
        float by = size_of > 1e-3 ? LEAST / size_of : 0.0;

        strength /= max(by, 1.0);
        a = by > 0.0 ? by * a : vec2(LEAST, 0.0);
        size_of = LEAST;
    }
    vec2 side = vec2(-a.y, a.x) / size_of;
    float wide_of = dot(b, side);
    if (abs(wide_of) < 0.5) {
        strength *= abs(wide_of) * 2.0;
        b = 0.5 * side;
    }
    along_leaf = a;
    across_leaf = b;
    return size_of + abs(b.x) + abs(b.y);
}
#endif

void main()
{
    vec2 pixel;
    float z = 0.0;

    gl_Position = vec4(2.0, 2.0, 2.0, 1.0); // out of sight
    spot = vec2(0.0);
    along = kind.x;
    strength = 1.0;
    radius = 0.0;
    bool foam = kind.y < -4.0;
    float own = foam ? kind.y + 8.0 : kind.y;

    soft = own < 0.0 ? 1.0 : 0.0;
    float share = abs(own) * (soft > 0.0 ? BLURRED : 1.0);
    if ((soft > 0.0) != soft_ones || (foam && laced))
        return;
#ifdef SPACE
    vec3 d = place - eye;
    float depth = dot(d, forward);

    if (depth < 1e-3 * reach)
        return;
    pixel = 0.5 * rect.zw + rect.w * vec2(dot(d, right_per), dot(d, up_per)) / depth;
    radius = 0.5 * size * share / wide / depth * rect.w;
    z = depth / (depth + reach) * 2.0 - 1.0;
#else
    pixel = ((place.xy - corner) / cell - shift) / cells;
    radius = 0.5 * size * share / cell / cells;
#endif
    radius = min(radius, rect.w);
    strength = radius < 0.6 ? radius * radius / 0.36 : 1.0;
    radius = max(radius, 0.6);
    strength *= soft > 0.0 ? VEIL : 1.0;
#ifdef TURNED
    leaf_normal = vec3(0.0);
    along_leaf = across_leaf = vec2(0.0);
    if (orientation != vec4(0.0))
        radius = turn_leaf(size * share);
#endif
    if (any(lessThan(pixel, vec2(-radius))) || any(greaterThan(pixel, rect.zw + radius)))
        return;
#ifdef BODIES
    ivec2 last = textureSize(bodies, 0) - 1;
    float nearer =
        texelFetch(bodies, clamp(ivec2(pixel / rect.zw * vec2(last + 1)), ivec2(0), last), 0).a;

    if (nearer > 0.0 && nearer * unit < length(d) - 0.02 * unit)
        return;
#endif
#if defined(HIDES) || defined(RELIEF)
    strength *= passes(place, eye);
    if (strength < 0.004)
        return;
#endif
    spot = (vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0) * (radius + 1.0);
    gl_Position = vec4(2.0 * (pixel + spot) / rect.zw - 1.0, z, 1.0);
}
