// energy.glsl: gas/ops/energy.h for twins: the squares of velocities on faces, as the projection weighs
// them. They are made and added in double.

/// The weight of the face across an axis below cell (i, j, k).
double gy_face_weight(gy_grid_level g, int axis, int i, int j, int k, bool whole)
{
    if (whole) {
        return 1.0lf;
    }
    int at = axis == 0 ? i : axis == 1 ? j : k;
    int n = axis == 0 ? g.l.n[0] : axis == 1 ? g.l.n[1] : g.l.n[2];
    bool side = (g.l.periodic >> axis & 1u) == 0 && (at == 0 || at == n);
    precise float weight = (side ? 0.25 : 1.0) * (1.0 / UNIT);
    weight = weight * open_at(g, axis, cell_at(g.l, i, j, k));
    return double(weight);
}

/// The square of a velocity by the weight of its face.
double gy_face_square(double weight, float u)
{
    precise double square = weight * double(u) * double(u);
    return square;
}
