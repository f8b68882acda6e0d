// The edges of the box and, as the last four, the outline of the slice: one per instance.
uniform vec3 eye, forward, right_per, up_per; // cells; the slice's axis last
uniform vec3 box;                             // cells
uniform float slice;

out vec3 spot;
out float beside; // pixels from the line's middle
flat out float strength;

vec3 corner_of(int edge, float end)
{
    int axis = edge / 4;
    float a = float(edge & 1), b = float((edge >> 1) & 1);

    return axis == 0 ? vec3(end, a, b) : axis == 1 ? vec3(a, end, b) : vec3(a, b, end);
}

// Whether one of the two faces that meet in the edge faces the eye.
bool faces(int edge)
{
    int axis = edge / 4;
    vec3 p = corner_of(edge, 0.5) * 2.0 - 1.0, e = eye / box * 2.0 - 1.0;
    bvec3 seen = greaterThan(p * e, vec3(1.0));

    return (axis != 0 && seen.x) || (axis != 1 && seen.y) || (axis != 2 && seen.z);
}

vec2 to_pixel(vec3 at)
{
    vec3 d = at - eye;

    return rect.w * vec2(dot(d, right_per), dot(d, up_per)) / dot(d, forward);
}

void main()
{
    int edge = gl_InstanceID;
    vec3 a, b;

    if (edge < 12) {
        a = corner_of(edge, 0.0) * box;
        b = corner_of(edge, 1.0) * box;
        strength = faces(edge) ? 0.5 : 0.22;
    } else {
        float side = float(edge & 1);

        a = edge < 14 ? vec3(0.0, side, 0.0) : vec3(side, 0.0, 0.0);
        b = edge < 14 ? vec3(1.0, side, 0.0) : vec3(side, 1.0, 0.0);
        a *= box;
        b *= box;
        a.z = slice;
        b.z = slice;
        strength = 0.8;
    }
    // What is behind the eye is cut off.
    float near = 1e-2, da = dot(a - eye, forward) - near, db = dot(b - eye, forward) - near;

    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    spot = vec3(0.0);
    beside = 0.0;
    if (da < 0.0 && db < 0.0)
        return;
    vec3 p = da < 0.0 ? mix(a, b, da / (da - db)) : a, q = db < 0.0 ? mix(b, a, db / (db - da)) : b;
    vec2 from = to_pixel(p), to = to_pixel(q), way = to - from;
    float far = length(way);

    way = far > 0.0 ? way / far : vec2(1.0, 0.0);
    bool end = (gl_VertexID & 1) == 1;
    float w = dot((end ? q : p) - eye, forward);

    beside = (gl_VertexID & 2) == 0 ? -1.6 : 1.6;
    spot = end ? q : p;
    vec2 pixel = (end ? to : from) + vec2(-way.y, way.x) * beside;

    beside *= w; // linear on the screen: the rasteriser divides by w
    gl_Position = vec4(2.0 * pixel / rect.zw * w, 0.0, w);
}
