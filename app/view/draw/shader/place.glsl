// Where on the plane that is drawn a pixel lies: cells from the lower left corner of cell (0, 0).
// With SPACE the plane is a slice of a volume: all vectors are given with the slice's axis last.
uniform vec2 size;  // of the plane, in cells
uniform float cells; // per pixel; in space: at the slice's middle
#ifdef SPACE
uniform vec3 eye, forward, right, up; // cells; the picture is 1 high and stands 1 away
uniform float slice;                  // cells along the last axis
uniform mat3 lift;                    // (x, y, 1) of the plane to coordinates of the texture
#define FIELD sampler3D
#else
uniform vec2 shift; // cells at the left and lower edge
#define FIELD sampler2D
#endif

// `pixel` from the rectangle's lower left corner. False: the ray misses the plane.
bool place(vec2 pixel, out vec2 at)
{
#ifdef SPACE
    vec2 p = (pixel - 0.5 * rect.zw) / rect.w;
    vec3 along = forward + right * p.x + up * p.y;
    float t = (slice - eye.z) / along.z;

    at = eye.xy + along.xy * t;
    return t > 0.0;
#else
    at = shift + pixel * cells;
    return true;
#endif
}

vec4 fetch(FIELD field, vec2 at)
{
#ifdef SPACE
    return texture(field, lift * vec3(at, 1.0));
#else
    return texture(field, at / size);
#endif
}

bool within(vec2 at)
{
    return at.x >= 0.0 && at.y >= 0.0 && at.x < size.x && at.y < size.y;
}
