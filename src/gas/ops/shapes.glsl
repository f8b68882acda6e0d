// shapes.glsl: gy_solid_distance of shape/shape.c. The array of a shape that is one comes beside
// the shape, for the address within is the host's.
const int SHAPE_SPHERE = 0, SHAPE_BOX = 1, SHAPE_CAPSULE = 2, SHAPE_HALF_SPACE = 3,
          SHAPE_VOLUME = 4; // gyre_shape_kind
const double FAR_AWAY = 1e12lf;

struct gyre_volume {
    uint64_t data;
    int n[3];
    int rest;
    uint64_t key;
};

struct gy_solid {
    int kind;
    int dim;
    double a[3];
    double b[3];
    double axis[3][3];
    double radius;
    double inverse;
    double threshold;
    double scale[3];
    double edge;
    double slope;
    double low[3], high[3];
    gyre_volume volume;
    uint8_t turned;
};
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Solid { gy_solid v; };

double cut(double x)
{
    return x > -FAR_AWAY ? (x < FAR_AWAY ? x : FAR_AWAY) : -FAR_AWAY;
}

double largest(double a, double b)
{
    return a > b ? a : b;
}

/// a + b + c in an order that depends on the values alone.
double gy_sum3(double a, double b, double c)
{
    double t;
    if (a > b) {
        t = a, a = b, b = t;
    }
    if (b > c) {
        t = b, b = c, c = t;
    }
    if (a > b) {
        t = a, a = b, b = t;
    }
    precise double sum = (a + b) + c;
    return sum;
}

double dot3(double a[3], double b[3])
{
    precise double x = a[0] * b[0], y = a[1] * b[1], z = a[2] * b[2];
    return gy_sum3(x, y, z);
}

double root(double q)
{
    if (q < 1e-30lf) {
        return 0.0lf;
    }
    precise double s = double(sqrt(float(q)));
    precise double better = 0.5lf * (s + q / s);
    return better;
}

double box_distance(double p[3], double half_size[3], int dim)
{
    double outside[3] = {0.0lf, 0.0lf, 0.0lf}, most = -FAR_AWAY;
    for (int a = 0; a < dim; a++) {
        precise double q = (p[a] < 0.0lf ? -p[a] : p[a]) - half_size[a];
        outside[a] = largest(q, 0.0lf);
        most = largest(most, q);
    }
    return most > 0.0lf ? root(dot3(outside, outside)) : most;
}

/// Linear between the centres of the array's cells, constant beyond the outermost. `r`: from the
/// array's corner along its axes.
double volume_value(Solid s, uint64_t data, double r[3])
{
    ivec3 below = ivec3(0), above = ivec3(0);
    precise double weight[3] = {0.0lf, 0.0lf, 0.0lf};
    for (int a = 0; a < s.v.dim; a++) {
        int n = s.v.volume.n[a];
        precise double x = r[a] * s.v.scale[a] - 0.5lf;
        x = x < 0.0lf ? 0.0lf : x > double(n - 1) ? double(n - 1) : x;
        below[a] = int(x);
        above[a] = below[a] + 1 < n ? below[a] + 1 : below[a];
        weight[a] = x - double(below[a]);
    }
    int64_t sy = s.v.volume.n[0], sz = sy * s.v.volume.n[1];
    precise double plane[2];
    for (int k = 0; k < 2; k++) {
        precise double line[2];
        for (int j = 0; j < 2; j++) {
            int64_t row = (j != 0 ? above.y : below.y) * sy + (k != 0 ? above.z : below.z) * sz;
            precise double s0 = double(Float(data + uint64_t(4l * (row + below.x))).v);
            precise double s1 = double(Float(data + uint64_t(4l * (row + above.x))).v);
            line[j] = s0 * (1.0lf - weight[0]) + s1 * weight[0];
        }
        plane[k] = line[0] * (1.0lf - weight[1]) + line[1] * weight[1];
        if (s.v.dim == 2) {
            return plane[k];
        }
    }
    precise double value = plane[0] * (1.0lf - weight[2]) + plane[1] * weight[2];
    return value;
}

double volume_distance(Solid s, uint64_t data, double r[3])
{
    if (data == 0ul) {
        return FAR_AWAY;
    }
    precise double middle[3] = {0.0lf, 0.0lf, 0.0lf}, half_size[3] = {0.0lf, 0.0lf, 0.0lf};
    for (int a = 0; a < s.v.dim; a++) {
        if (!(s.v.b[a] > 0.0lf) || s.v.volume.n[a] < 1) {
            return FAR_AWAY;
        }
        half_size[a] = 0.5lf * s.v.b[a];
        middle[a] = r[a] - half_size[a];
    }
    precise double field = (s.v.threshold - volume_value(s, data, r)) * s.v.edge;
    return largest(cut(field), box_distance(middle, half_size, s.v.dim));
}

double gy_solid_distance(Solid s, uint64_t data, double point[3])
{
    double p[3];
    precise double r[3];
    for (int a = 0; a < 3; a++) {
        p[a] = a < s.v.dim ? cut(point[a]) : 0.0lf;
        r[a] = p[a] - s.v.a[a];
    }
    precise double d = FAR_AWAY;
    switch (s.v.kind) {
    case SHAPE_SPHERE:
        d = root(dot3(r, r)) - s.v.radius;
        break;
    case SHAPE_BOX:
        if (s.v.turned != 0us) {
            double own[3] = {dot3(r, s.v.axis[0]), dot3(r, s.v.axis[1]), dot3(r, s.v.axis[2])};
            return box_distance(own, s.v.b, s.v.dim);
        }
        return box_distance(r, s.v.b, s.v.dim);
    case SHAPE_CAPSULE: {
        precise double t = dot3(r, s.v.b) * s.v.inverse;
        t = t < -1.0lf ? -1.0lf : t > 1.0lf ? 1.0lf : t;
        for (int a = 0; a < 3; a++) {
            r[a] -= t * s.v.b[a];
        }
        d = root(dot3(r, r)) - s.v.radius;
        break;
    }
    case SHAPE_HALF_SPACE:
        if (s.v.b[0] != 0.0lf || s.v.b[1] != 0.0lf || s.v.b[2] != 0.0lf) {
            d = dot3(r, s.v.b);
        }
        break;
    case SHAPE_VOLUME:
        if (s.v.turned != 0us) {
            double own[3] = {dot3(r, s.v.axis[0]), dot3(r, s.v.axis[1]), dot3(r, s.v.axis[2])};
            return volume_distance(s, data, own);
        }
        return volume_distance(s, data, r);
    }
    return d;
}
