// Shapes: the property table, signed distances and bounds.
//
// Distances are worked out in double precision from exact differences; sums of three terms are
// taken in an order that the terms' values decide, so that mirrored and axis-swapped shapes give
// the same bits.
#include "shape/shape.h"

#include "base/maths.h"
#include "base/pose.h"
#include "gyre/property_table.h"

#include <string.h>

static const double far_away = 1e12; // m; coordinates are cut to it, so that nothing overflows

static const gyre_property sphere_properties[] = {
    GYRE_PROPERTY_VECTOR(struct gyre_shape_sphere, centre, "m", -1e6, 1e6, "middle of the sphere",
                         .initial = {0.5, 0.5, 0.5}),
    GYRE_PROPERTY_FLOAT(struct gyre_shape_sphere, radius, "m", 1e-6, 1e6, "radius",
                        .initial = {0.1}),
    GYRE_PROPERTY_END,
};

static const gyre_property box_properties[] = {
    GYRE_PROPERTY_VECTOR(struct gyre_shape_box, centre, "m", -1e6, 1e6, "middle of the box",
                         .initial = {0.5, 0.5, 0.5}),
    GYRE_PROPERTY_VECTOR(struct gyre_shape_box, size, "m", 1e-6, 1e6, "full edge lengths",
                         .initial = {0.2, 0.2, 0.2}),
    GYRE_PROPERTY_VECTOR(struct gyre_shape_box, rotation, "deg", -1e6, 1e6,
                         "turned about x, then y, then z; in 2D about z", .needs = "!orientation"),
    GYRE_PROPERTY_VECTOR(struct gyre_shape_box, orientation, "1", -1.001, 1.001,
                         "the same as a unit quaternion x, y, z, w; all 0: rotation counts",
                         .flags = GYRE_ORIENTATION),
    GYRE_PROPERTY_END,
};

static const gyre_property capsule_properties[] = {
    GYRE_PROPERTY_VECTOR(struct gyre_shape_capsule, from, "m", -1e6, 1e6, "one end of the axis",
                         .initial = {0.4, 0.5, 0.5}),
    GYRE_PROPERTY_VECTOR(struct gyre_shape_capsule, to, "m", -1e6, 1e6, "other end of the axis",
                         .initial = {0.6, 0.5, 0.5}),
    GYRE_PROPERTY_FLOAT(struct gyre_shape_capsule, radius, "m", 1e-6, 1e6, "radius round the axis",
                        .initial = {0.1}),
    GYRE_PROPERTY_END,
};

static const gyre_property half_space_properties[] = {
    GYRE_PROPERTY_VECTOR(struct gyre_shape_half_space, point, "m", -1e6, 1e6,
                         "a point of the surface"),
    GYRE_PROPERTY_VECTOR(struct gyre_shape_half_space, normal, "1", -1e6, 1e6,
                         "points out of the inside, any length but 0", .initial = {0, 1, 0}),
    GYRE_PROPERTY_END,
};

static const gyre_property volume_properties[] = {
    GYRE_PROPERTY_VOLUME(struct gyre_shape_volume, data, "1",
                         "an image or a 3D array; inside where its value is above the threshold"),
    GYRE_PROPERTY_VECTOR(struct gyre_shape_volume, low, "m", -1e6, 1e6,
                         "lower corner of the array's box"),
    GYRE_PROPERTY_VECTOR(struct gyre_shape_volume, size, "m", 1e-6, 1e6,
                         "edge lengths of the array's box", .initial = {1, 1, 1}),
    GYRE_PROPERTY_FLOAT(struct gyre_shape_volume, threshold, "1", -1e6, 1e6, "value at the surface",
                        .initial = {0.5}),
    GYRE_PROPERTY_END,
};

const gyre_property gyre_shape_properties[] = {
    GYRE_PROPERTY_ALTERNATIVE(gyre_shape, as, sphere, sphere_properties, "a ball; in 2D a disk"),
    GYRE_PROPERTY_ALTERNATIVE(gyre_shape, as, box, box_properties, "a box, turned or not"),
    GYRE_PROPERTY_ALTERNATIVE(gyre_shape, as, capsule, capsule_properties,
                              "all that is within a radius of a line segment"),
    GYRE_PROPERTY_ALTERNATIVE(gyre_shape, as, half_space, half_space_properties,
                              "all that lies behind a plane"),
    GYRE_PROPERTY_ALTERNATIVE(gyre_shape, as, volume, volume_properties,
                              "where an image or an array is above a threshold"),
    GYRE_PROPERTY_END,
};

// ---------------------------------------------------------------- small mathematics

static double cut(double x)
{
    // Written so that NaN, which a caller should not hand in, becomes a number too.
    return x > -far_away ? (x < far_away ? x : far_away) : -far_away;
}

static double largest(double a, double b)
{
    return a > b ? a : b;
}

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

static double dot(const double a[3], const double b[3])
{
    return gy_sum3(a[0] * b[0], a[1] * b[1], a[2] * b[2]);
}

/// The square root to double precision: the float root and one step of Newton's.
static double root(double q)
{
    if (q < 1e-30)
        return 0.0;
    double s = (double)gy_sqrtf((float)q);
    return 0.5 * (s + q / s);
}

/// Sine and cosine of an angle in degrees; exact at multiples of 90.
static void turn(double degrees, double *sine, double *cosine)
{
    double quarters = degrees / 90.0;
    int64_t whole = (int64_t)(quarters < 0 ? quarters - 0.5 : quarters + 0.5);
    double rest = (degrees - 90.0 * (double)whole) * 0.017453292519943295;
    double s = rest == 0.0 ? 0.0 : (double)gy_sinf((float)rest);
    double c = rest == 0.0 ? 1.0 : root(1.0 - s * s);
    switch (((whole % 4) + 4) % 4) {
    case 0:
        *sine = s, *cosine = c;
        break;
    case 1:
        *sine = c, *cosine = -s;
        break;
    case 2:
        *sine = -s, *cosine = -c;
        break;
    default:
        *sine = -c, *cosine = s;
        break;
    }
}

// ---------------------------------------------------------------- checks

static bool finite3(const float v[3])
{
    return gy_is_finite(v[0]) && gy_is_finite(v[1]) && gy_is_finite(v[2]);
}

static gyre_result refuse(const char *path, const char *name, const char *what)
{
    return gyre_fail(GYRE_ERROR_ARGUMENT, "%s%s%s: %s", path, path[0] ? "." : "", name, what);
}

static gyre_result check_orientation(const float given[4], int dim, const char *path,
                                     const char *name)
{
    const double q[4] = {(double)given[0], (double)given[1], (double)given[2], (double)given[3]};
    if (!gy_is_orientation(q))
        return refuse(path, name, "must be of unit length (within 0.001), or all 0");
    if (!gy_is_3d(dim) && (q[0] != 0.0 || q[1] != 0.0))
        return refuse(path, name, "in 2D things turn about z alone: x and y must be 0");
    return GYRE_OK;
}

gyre_result gy_pose_check(const gyre_pose *pose, int dim, const char *path)
{
    if (!finite3(pose->position))
        return refuse(path, "position", "must be finite");
    if (!finite3(pose->rotation))
        return refuse(path, "rotation", "must be finite");
    return check_orientation(pose->orientation, dim, path, "orientation");
}

static gyre_result check_volume(const gyre_shape *shape, int dim, const char *path)
{
    const gyre_volume *v = &shape->as.volume.data;
    if (!v->data)
        return refuse(path, "volume.data", "no image or array was given");
    size_t count = 1;
    for (int a = 0; a < 3; a++) {
        if (v->n[a] < 1 || v->n[a] > 65536)
            return refuse(path, "volume.data", "each side must have 1 to 65536 samples");
        count *= (size_t)v->n[a];
    }
    for (size_t i = 0; i < count; i++)
        if (!gy_is_finite(v->data[i]))
            return refuse(path, "volume.data", "holds a value that is not finite");
    for (int a = 0; a < dim; a++)
        if (!(shape->as.volume.size[a] > 0))
            return refuse(path, "volume.size", "must be above 0");
    if (!finite3(shape->as.volume.low) || !finite3(shape->as.volume.size))
        return refuse(path, "volume", "the array's box must be finite");
    if (!gy_is_finite(shape->as.volume.threshold))
        return refuse(path, "volume.threshold", "must be finite");
    return GYRE_OK;
}

gyre_result gy_shape_check(const gyre_shape *shape, int dim, const char *path)
{
    switch (shape->kind) {
    case GYRE_SHAPE_SPHERE:
        if (!finite3(shape->as.sphere.centre))
            return refuse(path, "sphere.centre", "must be finite");
        if (!gy_is_finite(shape->as.sphere.radius) || !(shape->as.sphere.radius > 0))
            return refuse(path, "sphere.radius", "must be finite and above 0");
        return GYRE_OK;
    case GYRE_SHAPE_BOX:
        if (!finite3(shape->as.box.centre))
            return refuse(path, "box.centre", "must be finite");
        if (!finite3(shape->as.box.rotation))
            return refuse(path, "box.rotation", "must be finite");
        for (int a = 0; a < 3; a++)
            if (!gy_is_finite(shape->as.box.size[a]) || (a < dim && !(shape->as.box.size[a] > 0)))
                return refuse(path, "box.size", "must be finite and above 0");
        return check_orientation(shape->as.box.orientation, dim, path, "box.orientation");
    case GYRE_SHAPE_CAPSULE:
        if (!finite3(shape->as.capsule.from) || !finite3(shape->as.capsule.to))
            return refuse(path, "capsule", "its ends must be finite");
        if (!gy_is_finite(shape->as.capsule.radius) || !(shape->as.capsule.radius > 0))
            return refuse(path, "capsule.radius", "must be finite and above 0");
        return GYRE_OK;
    case GYRE_SHAPE_HALF_SPACE: {
        const float *n = shape->as.half_space.normal;
        if (!finite3(shape->as.half_space.point) || !finite3(n))
            return refuse(path, "half_space", "point and normal must be finite");
        if (n[0] == 0 && n[1] == 0 && (!gy_is_3d(dim) || n[2] == 0))
            return refuse(path, "half_space.normal",
                          !gy_is_3d(dim) ? "must not be zero in the plane" : "must not be zero");
        return GYRE_OK;
    }
    case GYRE_SHAPE_VOLUME:
        return check_volume(shape, dim, path);
    default:
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s%sshape kind %d is unknown", path,
                         path[0] ? ": " : "", (int)shape->kind);
    }
}

// ---------------------------------------------------------------- preparation

static void take(double to[3], const float from[3], int dim)
{
    for (int a = 0; a < 3; a++)
        to[a] = a < dim ? cut((double)from[a]) : 0.0;
}

static void take_axes(gy_solid *s, const double axes[3][3])
{
    s->turned = false;
    for (int a = 0; a < 3; a++)
        for (int c = 0; c < 3; c++) {
            s->axis[a][c] = axes[a][c];
            s->turned |= axes[a][c] != (a == c ? 1.0 : 0.0);
        }
}

/// Columns of Rz Ry Rx: the box's axes in world space.
static void make_axes(gy_solid *s, const float rotation[3], const float orientation[4])
{
    if (gy_is_oriented(orientation)) {
        bool deep = gy_is_3d(s->dim);
        const float q[4] = {deep ? orientation[0] : 0.0f, deep ? orientation[1] : 0.0f,
                            orientation[2], orientation[3]};
        double m[3][3];
        gy_quaternion_matrix(q, m);
        const double columns[3][3] = {
            {m[0][0], m[1][0], m[2][0]}, {m[0][1], m[1][1], m[2][1]}, {m[0][2], m[1][2], m[2][2]}};
        take_axes(s, columns);
        return;
    }
    double sx = 0, cx = 1, sy = 0, cy = 1, sz, cz;
    if (gy_is_3d(s->dim)) {
        turn(cut((double)rotation[0]), &sx, &cx);
        turn(cut((double)rotation[1]), &sy, &cy);
    }
    turn(cut((double)rotation[2]), &sz, &cz);
    const double axes[3][3] = {
        {cz * cy, sz * cy, -sy},
        {cz * sy * sx - sz * cx, sz * sy * sx + cz * cx, cy * sx},
        {cz * sy * cx + sz * sx, sz * sy * cx - cz * sx, cy * cx},
    };
    take_axes(s, axes);
}

static void make_volume(gy_solid *s, const gyre_shape *shape)
{
    s->volume = shape->as.volume.data;
    s->threshold = cut((double)shape->as.volume.threshold);
    s->edge = far_away;
    const int *n = s->volume.n;
    for (int a = 0; a < s->dim; a++) {
        double edge = s->b[a] / (n[a] > 0 ? n[a] : 1);
        s->scale[a] = s->b[a] > 0 ? n[a] / s->b[a] : 0;
        s->edge = edge < s->edge ? edge : s->edge;
    }
}

static void make_bounds(gy_solid *s)
{
    for (int a = 0; a < 3; a++) {
        double low = -1e30, high = 1e30;
        if (a < s->dim) {
            double reach = s->radius;
            switch (s->kind) {
            case GYRE_SHAPE_BOX:
                reach = 0;
                for (int c = 0; c < 3; c++)
                    reach += (s->axis[c][a] < 0 ? -s->axis[c][a] : s->axis[c][a]) * s->b[c];
                break;
            case GYRE_SHAPE_CAPSULE:
                reach += s->b[a] < 0 ? -s->b[a] : s->b[a];
                break;
            case GY_SOLID_CYLINDER: {
                double along = s->b[a] * s->inverse;
                reach *= root(largest(1.0 - along * along, 0.0));
                reach += s->b[a] < 0 ? -s->b[a] : s->b[a];
                break;
            }
            default:
                break;
            }
            // A little more than exact, so that the rounded bounds still hold the shape.
            double middle = s->a[a];
            double more = 1e-6 * (reach + (middle < 0 ? -middle : middle));
            low = middle - reach - more;
            high = middle + reach + more;
            if (s->kind == GYRE_SHAPE_HALF_SPACE) {
                low = s->b[a] > -1.0 ? -1e30 : middle - more;
                high = s->b[a] < 1.0 ? 1e30 : middle + more;
            } else if (s->kind == GYRE_SHAPE_VOLUME && s->turned) {
                low = high = middle;
                for (int c = 0; c < 3; c++) {
                    double along = s->axis[c][a] * s->b[c];
                    more += 1e-6 * (along < 0 ? -along : along);
                    low += along < 0 ? along : 0.0;
                    high += along > 0 ? along : 0.0;
                }
                low -= more;
                high += more;
            } else if (s->kind == GYRE_SHAPE_VOLUME) {
                more += 1e-6 * s->b[a];
                low = middle - more;
                high = middle + s->b[a] + more;
            }
        }
        s->low[a] = low;
        s->high[a] = high;
    }
}

gy_solid gy_solid_make(const gyre_shape *shape, int dim)
{
    gy_solid s = {.kind = shape->kind, .dim = dim, .slope = 1.0};
    switch (shape->kind) {
    case GYRE_SHAPE_SPHERE:
        take(s.a, shape->as.sphere.centre, dim);
        s.radius = cut((double)shape->as.sphere.radius);
        break;
    case GYRE_SHAPE_BOX:
        take(s.a, shape->as.box.centre, dim);
        take(s.b, shape->as.box.size, dim);
        for (int a = 0; a < 3; a++)
            s.b[a] *= 0.5;
        make_axes(&s, shape->as.box.rotation, shape->as.box.orientation);
        break;
    case GYRE_SHAPE_CAPSULE: {
        double from[3], to[3];
        take(from, shape->as.capsule.from, dim);
        take(to, shape->as.capsule.to, dim);
        for (int a = 0; a < 3; a++) {
            s.a[a] = 0.5 * (from[a] + to[a]);
            s.b[a] = 0.5 * (to[a] - from[a]);
        }
        double square = dot(s.b, s.b);
        s.inverse = square > 1e-30 ? 1.0 / square : 0.0;
        s.radius = cut((double)shape->as.capsule.radius);
        break;
    }
    case GYRE_SHAPE_HALF_SPACE: {
        take(s.a, shape->as.half_space.point, dim);
        take(s.b, shape->as.half_space.normal, dim);
        // Scaled by the largest part first: a normal of any length has a direction.
        double most = 0;
        for (int a = 0; a < 3; a++)
            most = largest(most, s.b[a] < 0 ? -s.b[a] : s.b[a]);
        for (int a = 0; a < 3 && most > 0; a++)
            s.b[a] /= most;
        double length = root(dot(s.b, s.b));
        for (int a = 0; a < 3 && length > 0; a++)
            s.b[a] /= length;
        break;
    }
    case GYRE_SHAPE_VOLUME:
        take(s.a, shape->as.volume.low, dim);
        take(s.b, shape->as.volume.size, dim);
        make_volume(&s, shape);
        s.slope = 0; // not known
        break;
    default:
        break;
    }
    make_bounds(&s);
    return s;
}

static void turn_vector(const gy_pose *pose, double v[3])
{
    const double own[3] = {v[0], v[1], v[2]};
    for (int a = 0; a < 3; a++)
        v[a] = pose->turn[a][0] * own[0] + pose->turn[a][1] * own[1] + pose->turn[a][2] * own[2];
}

void gy_solid_put(gy_solid *s, const gy_pose *pose)
{
    const double a[3] = {s->a[0], s->a[1], s->a[2]};
    gy_pose_apply(pose, a, s->a);
    if (s->kind == GYRE_SHAPE_CAPSULE || s->kind == GYRE_SHAPE_HALF_SPACE ||
        s->kind == GY_SOLID_CYLINDER) {
        turn_vector(pose, s->b);
    } else if (s->kind == GYRE_SHAPE_BOX || s->kind == GYRE_SHAPE_VOLUME) {
        double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        if (s->turned)
            memcpy(axes, s->axis, sizeof axes);
        for (int c = 0; c < 3; c++)
            turn_vector(pose, axes[c]);
        take_axes(s, (const double(*)[3])axes);
    }
    for (int k = 0; k < 3; k++)
        s->a[k] = k < s->dim ? cut(s->a[k]) : 0.0;
    make_bounds(s);
}

gy_solid gy_solid_make_posed(const gyre_shape *shape, const gyre_pose *pose, int dim)
{
    gy_solid s = gy_solid_make(shape, dim);
    if (!pose)
        return s;
    gyre_pose flat = *pose;
    if (!gy_is_3d(dim)) {
        flat.position[2] = flat.rotation[0] = flat.rotation[1] = 0.0f;
        flat.orientation[0] = flat.orientation[1] = 0.0f;
    }
    gy_pose made;
    bool same = true;
    gy_pose_of(&flat, &made);
    for (int a = 0; a < 3; a++) {
        same = same && made.at[a] == 0.0;
        for (int c = 0; c < 3; c++)
            same = same && made.turn[a][c] == (a == c ? 1.0 : 0.0);
    }
    if (!same)
        gy_solid_put(&s, &made);
    return s;
}

// ---------------------------------------------------------------- distances

/// `bound`: no more than the distance outside, without its root; see gy_solid_bound.
static double box_distance(const double p[3], const double half[3], int dim, bool bound)
{
    double out[3] = {0, 0, 0}, most = -far_away;
    for (int a = 0; a < dim; a++) {
        double q = (p[a] < 0 ? -p[a] : p[a]) - half[a];
        out[a] = largest(q, 0.0);
        most = largest(most, q);
    }
    if (most <= 0)
        return most;
    double square = dot(out, out);
    return bound && square >= 1e-30 ? most : root(square);
}

/// Linear between the centres of the array's cells, constant beyond the outermost. `r`: from the
/// array's corner along its axes.
static double volume_value(const gy_solid *s, const double r[3])
{
    int low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    double weight[3] = {0, 0, 0};
    for (int a = 0; a < s->dim; a++) {
        int n = s->volume.n[a];
        double x = clamp(r[a] * s->scale[a] - 0.5, 0.0, n - 1);
        low[a] = (int)x;
        high[a] = low[a] + 1 < n ? low[a] + 1 : low[a];
        weight[a] = x - low[a];
    }
    ptrdiff_t sy = s->volume.n[0], sz = sy * s->volume.n[1];
    double plane[2];
    for (int k = 0; k < 2; k++) {
        double line[2];
        for (int j = 0; j < 2; j++) {
            const float *row =
                s->volume.data + (j ? high[1] : low[1]) * sy + (k ? high[2] : low[2]) * sz;
            line[j] = (double)row[low[0]] * (1.0 - weight[0]) + (double)row[high[0]] * weight[0];
        }
        plane[k] = line[0] * (1.0 - weight[1]) + line[1] * weight[1];
        if (!gy_is_3d(s->dim))
            return plane[k];
    }
    return plane[0] * (1.0 - weight[2]) + plane[1] * weight[2];
}

static double volume_distance(const gy_solid *s, const double r[3])
{
    if (!s->volume.data)
        return far_away;
    double middle[3] = {0, 0, 0}, half[3] = {0, 0, 0};
    for (int a = 0; a < s->dim; a++) {
        if (!(s->b[a] > 0) || s->volume.n[a] < 1)
            return far_away;
        half[a] = 0.5 * s->b[a];
        middle[a] = r[a] - half[a];
    }
    double field = cut((s->threshold - volume_value(s, r)) * s->edge);
    return largest(field, box_distance(middle, half, s->dim, false));
}

void gy_solid_find_reach(gy_solid *s)
{
    const int *n = s->volume.n;
    const ptrdiff_t step[3] = {1, n[0], (ptrdiff_t)n[0] * n[1]};
    double square = 0.0;
    for (int a = 0; a < s->dim; a++) {
        float most = 0.0f;
        for (int k = 0; k < (gy_is_3d(s->dim) ? n[2] : 1) - (a == 2); k++)
            for (int j = 0; j < n[1] - (a == 1); j++)
                for (int i = 0; i < n[0] - (a == 0); i++) {
                    const float *at = s->volume.data + i + j * step[1] + k * step[2];
                    float by = at[step[a]] - at[0];
                    most = GY_MAX(most, by < 0.0f ? -by : by);
                }
        double rise = (double)most * s->scale[a] * s->edge;
        square += rise * rise;
    }
    // Round the array the distance is that from its box, by 1.
    s->inverse = 0.999999 / largest(1.0, root(square));
}

/// Where a place is along an axis of a floor: the corner before it, and the part from there on.
static int corner_of(const gy_solid *s, int axis, double r, double *part)
{
    double at = r * s->scale[0], last = s->volume.n[axis] - 1;
    at = at < 0.0 ? 0.0 : at > last ? last : at;
    int i = GY_MIN((int)at, GY_MAX(s->volume.n[axis] - 2, 0));
    *part = at - i;
    return i;
}

static double floor_distance(const gy_solid *s, const double r[3])
{
    double x, y = 0.0, h[2];
    int i = corner_of(s, 0, r[0], &x), j = gy_is_3d(s->dim) ? corner_of(s, 1, r[1], &y) : 0;
    for (int q = 0; q < (gy_is_3d(s->dim) ? 2 : 1); q++) {
        const float *at = s->volume.data + (size_t)i + (size_t)(j + q) * (size_t)s->volume.n[0];
        h[q] = (double)at[0] + x * ((double)at[1] - (double)at[0]);
    }
    return r[s->dim - 1] - (gy_is_3d(s->dim) ? h[0] + y * (h[1] - h[0]) : h[0]);
}

gy_solid gy_solid_make_floor(const gyre_grid *grid, const float *heights, int ni, int nj)
{
    gy_solid s = {.kind = GY_SOLID_FLOOR, .dim = grid->dim};
    double most = -1e12, steep = 0.0;
    s.volume = (gyre_volume){.data = heights, .n = {ni, nj, 1}};
    for (int q = 0; q < ni * nj; q++) {
        double h = (double)heights[q];
        double dx = q % ni > 0 ? h - (double)heights[q - 1] : 0.0;
        double dy = q >= ni ? h - (double)heights[q - ni] : 0.0;
        most = h > most ? h : most;
        steep = GY_MAX(steep, GY_MAX(dx < 0.0 ? -dx : dx, dy < 0.0 ? -dy : dy));
    }
    s.scale[0] = 1.0 / (double)grid->h;
    // The steepest along x and y together.
    s.slope = 1.0 + 2.0 * steep * s.scale[0];
    for (int a = 0; a < 3; a++) {
        s.a[a] = a < grid->dim - 1 ? (double)grid->origin[a] : 0.0;
        s.low[a] = -1e12;
        s.high[a] = a == grid->dim - 1 ? most : 1e12;
    }
    return s;
}

gy_solid gy_solid_make_cylinder(double radius, double half)
{
    gy_solid s = {.kind = GY_SOLID_CYLINDER, .dim = 3, .b = {half}, .radius = radius, .slope = 1.0};
    s.inverse = half > 1e-30 ? 1.0 / half : 0.0;
    make_bounds(&s);
    return s;
}

/// r: from the middle. As a box's along the axis and away from it.
static double cylinder_distance(const gy_solid *s, const double r[3])
{
    double along = dot(r, s->b) * s->inverse, half = s->inverse > 0.0 ? 1.0 / s->inverse : 0.0;
    double from[3];
    for (int a = 0; a < 3; a++)
        from[a] = r[a] - along * (s->b[a] * s->inverse);
    const double at[3] = {along, root(dot(from, from)), 0.0}, reach[3] = {half, s->radius, 0.0};
    return box_distance(at, reach, 2, false);
}

static double distance_or_bound(const gy_solid *s, const double point[3], bool bound)
{
    double p[3], r[3];
    for (int a = 0; a < 3; a++) {
        p[a] = a < s->dim ? cut(point[a]) : 0.0;
        r[a] = p[a] - s->a[a];
    }
    switch (s->kind) {
    case GYRE_SHAPE_SPHERE:
        return root(dot(r, r)) - s->radius;
    case GYRE_SHAPE_BOX:
        if (s->turned) {
            double own[3] = {dot(r, s->axis[0]), dot(r, s->axis[1]), dot(r, s->axis[2])};
            return box_distance(own, s->b, s->dim, bound);
        }
        return box_distance(r, s->b, s->dim, bound);
    case GYRE_SHAPE_CAPSULE: {
        double t = clamp(dot(r, s->b) * s->inverse, -1.0, 1.0);
        for (int a = 0; a < 3; a++)
            r[a] -= t * s->b[a];
        return root(dot(r, r)) - s->radius;
    }
    case GYRE_SHAPE_HALF_SPACE:
        return s->b[0] == 0 && s->b[1] == 0 && s->b[2] == 0 ? far_away : dot(r, s->b);
    case GY_SOLID_FLOOR:
        return floor_distance(s, r);
    case GY_SOLID_CYLINDER:
        return cylinder_distance(s, r);
    case GYRE_SHAPE_VOLUME:
        if (s->turned) {
            double own[3] = {dot(r, s->axis[0]), dot(r, s->axis[1]), dot(r, s->axis[2])};
            return volume_distance(s, own);
        }
        return volume_distance(s, r);
    default:
        return far_away;
    }
}

double gy_solid_distance(const gy_solid *s, const double point[3])
{
    return distance_or_bound(s, point, false);
}

double gy_solid_bound(const gy_solid *s, const double point[3])
{
    return distance_or_bound(s, point, true);
}

float gyre_shape_posed_distance(const gyre_shape *shape, const gyre_pose *pose, int dim,
                                const float point[3])
{
    if (GY_MISSING("shape", shape) || GY_MISSING("shape", point))
        return 0.0f;
    gy_solid solid = gy_solid_make_posed(shape, pose, dim);
    const double p[3] = {(double)point[0], (double)point[1],
                         gy_is_3d(dim) ? (double)point[2] : 0.0};
    return (float)gy_solid_distance(&solid, p);
}

float gyre_shape_distance(const gyre_shape *shape, int dim, const float point[3])
{
    return gyre_shape_posed_distance(shape, NULL, dim, point);
}

void gyre_shape_posed_bounds(const gyre_shape *shape, const gyre_pose *pose, int dim, float low[3],
                             float high[3])
{
    if (GY_MISSING("shape", shape) || GY_MISSING("shape", low) || GY_MISSING("shape", high))
        return;
    gy_solid solid = gy_solid_make_posed(shape, pose, dim);
    for (int a = 0; a < 3; a++) {
        low[a] = (float)solid.low[a];
        high[a] = (float)solid.high[a];
    }
}

void gyre_shape_bounds(const gyre_shape *shape, int dim, float low[3], float high[3])
{
    gyre_shape_posed_bounds(shape, NULL, dim, low, high);
}

// ---- makers -------------------------------------------------------------------------------------

gyre_shape gyre_sphere(const float centre[3], float radius)
{
    if (GY_MISSING("sphere", centre)) {
        return (gyre_shape){0};
    }
    gyre_shape s = {.kind = GYRE_SHAPE_SPHERE, .as.sphere.radius = radius};
    memcpy(s.as.sphere.centre, centre, sizeof s.as.sphere.centre);
    return s;
}

gyre_shape gyre_box(const float centre[3], const float size[3])
{
    if (GY_MISSING("box", centre) || GY_MISSING("box", size)) {
        return (gyre_shape){0};
    }
    gyre_shape s = {.kind = GYRE_SHAPE_BOX};
    memcpy(s.as.box.centre, centre, sizeof s.as.box.centre);
    memcpy(s.as.box.size, size, sizeof s.as.box.size);
    return s;
}

gyre_shape gyre_capsule(const float from[3], const float to[3], float radius)
{
    if (GY_MISSING("capsule", from) || GY_MISSING("capsule", to)) {
        return (gyre_shape){0};
    }
    gyre_shape s = {.kind = GYRE_SHAPE_CAPSULE, .as.capsule.radius = radius};
    memcpy(s.as.capsule.from, from, sizeof s.as.capsule.from);
    memcpy(s.as.capsule.to, to, sizeof s.as.capsule.to);
    return s;
}

gyre_shape gyre_half_space(const float point[3], const float normal[3])
{
    if (GY_MISSING("half_space", point) || GY_MISSING("half_space", normal)) {
        return (gyre_shape){0};
    }
    gyre_shape s = {.kind = GYRE_SHAPE_HALF_SPACE};
    memcpy(s.as.half_space.point, point, sizeof s.as.half_space.point);
    memcpy(s.as.half_space.normal, normal, sizeof s.as.half_space.normal);
    return s;
}

gyre_shape gyre_volume_shape(gyre_volume data, const float low[3], const float size[3],
                             float threshold)
{
    if (GY_MISSING("volume_shape", low) || GY_MISSING("volume_shape", size)) {
        return (gyre_shape){0};
    }
    gyre_shape s = {.kind = GYRE_SHAPE_VOLUME, .as.volume = {.data = data, .threshold = threshold}};
    memcpy(s.as.volume.low, low, sizeof s.as.volume.low);
    memcpy(s.as.volume.size, size, sizeof s.as.volume.size);
    return s;
}

bool gy_solid_same(const gy_solid *a, const gy_solid *b)
{
    return a->kind == b->kind && a->kind != GYRE_SHAPE_VOLUME && a->kind != GY_SOLID_FLOOR &&
           a->dim == b->dim && a->turned == b->turned && memcmp(a->a, b->a, sizeof a->a) == 0 &&
           memcmp(a->b, b->b, sizeof a->b) == 0 && memcmp(a->axis, b->axis, sizeof a->axis) == 0 &&
           memcmp(&a->radius, &b->radius, sizeof a->radius) == 0 &&
           memcmp(&a->inverse, &b->inverse, sizeof a->inverse) == 0;
}
