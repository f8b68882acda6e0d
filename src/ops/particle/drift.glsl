// drift.glsl: what twins that carry particles have in common; after now.glsl. Places are in cells.

/// How far from a wall a particle is held.
const float HAIR = 0.00390625; // 2^-8

/// As gy_clamp: what is no number becomes `least`.
float between(float x, float least, float most)
{
    x = x > least ? x : least;
    return x < most ? x : most;
}

/// What the sides of an axis of n cells do to a place, those that are not periodic: whether it is
/// beyond one that is open. Bits of `open_sides`: low, high.
bool beyond(inout float c, float n, uint open_sides)
{
    bool low_open = (open_sides & 1u) != 0u, high_open = (open_sides & 2u) != 0u;
    bool gone = (low_open && c < 0.0) || (high_open && c > n);
    precise float most = high_open ? n : n - HAIR;
    c = between(c, low_open ? 0.0 : HAIR, most);
    return gone;
}
