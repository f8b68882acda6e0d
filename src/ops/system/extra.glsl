// extra.glsl: ops/system/extra.h for twins: unknowns beside those of the grid. Structs have the members of
// ops/system/extra.h; the pointers in them are the host's, and gy_extra_of makes them the device's. A place
// of a list counts from another slot than those of level.glsl: see gy_place_origin.
struct gy_extra_row {
    int place;
    int first;
    float side;
    float volume;
};
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Row
{
    gy_extra_row v;
};

struct gy_extra_link {
    int place;
    float a;
};
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Link
{
    gy_extra_link v;
};

struct gy_extra_target {
    int place;
    int first;
};
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Target
{
    gy_extra_target v;
};

struct gy_extra_source {
    int at;
    int even;
    float weight;
};
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Source
{
    gy_extra_source v;
};

struct gy_extra_move {
    int to, from;
    float weight;
    float value;
};
layout(buffer_reference, scalar, buffer_reference_align = 4) TOGETHER buffer Move
{
    gy_extra_move v;
};

struct gy_extra_factor {
    int count;
    uint64_t row, position, begin, entry, value, inverse, x;
    float shift;
    uint8_t made;
};

struct gy_extra_unknowns {
    int rows[3];
    int targets, moves;
    int extras, ends;
    uint64_t row, link, target, source, move;
    uint64_t x, b;
    uint64_t step, image, work;
    gy_extra_factor factor;
};
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Extras
{
    gy_extra_unknowns v;
};

/// The list of a level that has one. step, image and work stay 0 where they are.
gy_extra_unknowns gy_extra_of(gy_level l)
{
    gy_extra_unknowns e = Extras(l.lists).v;
    uint64_t far = l.lists - l.extras;
    e.row += far;
    e.link += far;
    e.target += far;
    e.source += far;
    e.move += far;
    e.x += far;
    e.b += far;
    if (e.image != 0ul) {
        e.step += far;
        e.image += far;
        e.work += far;
    }
    e.factor.row += far;
    e.factor.begin += far;
    e.factor.entry += far;
    e.factor.value += far;
    e.factor.inverse += far;
    e.factor.x += far;
    return e;
}

int gy_place_origin(gy_level l)
{
    return LEVEL_PAD + l.sy + l.sz;
}

/// A place of a vector: of the grid, from its slot (0, 0, 0), or of extras.
Float gy_extra_at(gy_level l, uint64_t grid, uint64_t extra, int place)
{
    return place >= 0 ? floats(grid, place - gy_place_origin(l)) : floats(extra, ~place);
}
Float place_of_x(gy_grid_level g, gy_extra_unknowns e, int place)
{
    return gy_extra_at(g.l, g.x, e.x, place);
}
Float place_of_b(gy_grid_level g, gy_extra_unknowns e, int place)
{
    return gy_extra_at(g.l, g.b, e.b, place);
}

gy_extra_row gy_row_of(gy_extra_unknowns e, int r)
{
    return Row(e.row + uint64_t(r) * 16ul).v;
}

/// Sum of a x_link over a row's links, and the diagonal.
float gy_extra_couple(gy_grid_level g, gy_extra_unknowns e, int r, out float diagonal)
{
    gy_extra_row row = gy_row_of(e, r);
    int end = gy_row_of(e, r + 1).first;
    precise float sum = 0.0, d = 0.0;
    for (int q = row.first; q < end; q++) {
        gy_extra_link link = Link(e.link + uint64_t(q) * 8ul).v;
        sum += link.a * place_of_x(g, e, link.place).v;
        d += link.a;
    }
    d = d + (row.side + g.l.shift * row.volume);
    diagonal = d;
    return sum;
}

float gy_extra_residual(gy_grid_level g, gy_extra_unknowns e, int r)
{
    float d;
    precise float sum = gy_extra_couple(g, e, r, d);
    int place = gy_row_of(e, r).place;
    sum = place_of_b(g, e, place).v + (sum - d * place_of_x(g, e, place).v);
    return sum;
}

void gy_extra_relax_row(gy_grid_level g, gy_extra_unknowns e, bool zero, int r)
{
    float d;
    precise float t = gy_extra_couple(g, e, r, d);
    int place = gy_row_of(e, r).place;
    t = place_of_b(g, e, place).v + (zero ? 0.0 : t);
    place_of_x(g, e, place).v = d > 1e-20 ? t / d : 0.0;
}

/// The residual of one cell of the grid that is coupled to no extra.
float gy_slot_residual(gy_grid_level g, int place, int even)
{
    bool second = place >= g.l.colour_step;
    int o = place - gy_place_origin(g.l), sy = g.l.sy, sz = g.l.sz;
    int q = second ? o - g.l.colour_step : o + g.l.colour_step;
    float x0 = open_at(g, 0, o), x1 = open_at(g, 0, q + even);
    float y0 = open_at(g, 1, o), y1 = open_at(g, 1, q + sy);
    precise float s0 = g.l.scale[0] * (1.0 / UNIT), s1 = g.l.scale[1] * (1.0 / UNIT);
    precise float sum = s0 * (x0 * x_at(g, q + even - 1) + x1 * x_at(g, q + even)) +
                        s1 * (y0 * x_at(g, q - sy) + y1 * x_at(g, q + sy));
    precise float d = s0 * (x0 + x1) + s1 * (y0 + y1);
    if (g.l.dim == 3) {
        float z0 = open_at(g, 2, o), z1 = open_at(g, 2, q + sz);
        precise float s2 = g.l.scale[2] * (1.0 / UNIT);
        sum += s2 * (z0 * x_at(g, q - sz) + z1 * x_at(g, q + sz));
        d += s2 * (z0 + z1);
    }
    sum = floats(g.b, o).v + (sum - (d + g.l.shift) * x_at(g, o));
    return sum;
}

Float coarse_place(gy_grid_level c, bool of_b, int place)
{
    if (place >= 0) {
        return floats(of_b ? c.b : c.x, place - gy_place_origin(c.l));
    }
    gy_extra_unknowns e = gy_extra_of(c.l);
    return floats(of_b ? e.b : e.x, ~place);
}

/// Makes a coarse right-hand side.
void gy_extra_restrict_target(gy_grid_level f, gy_grid_level c, gy_extra_unknowns e, int t)
{
    gy_extra_target target = Target(e.target + uint64_t(t) * 8ul).v;
    int end = Target(e.target + uint64_t(t + 1) * 8ul).v.first;
    precise float sum = 0.0;
    for (int q = target.first; q < end; q++) {
        gy_extra_source s = Source(e.source + uint64_t(q) * 12ul).v;
        float r =
            s.at >= 0 ? gy_slot_residual(f, s.at, s.even) : gy_extra_residual(f, e, ~s.at);
        sum += s.weight * r;
    }
    coarse_place(c, true, target.place).v = sum;
}

/// Before the grid's prolongation: what a move is to leave behind.
void gy_extra_save_move(gy_grid_level f, gy_grid_level c, gy_extra_unknowns e, int q)
{
    Move m = Move(e.move + uint64_t(q) * 16ul);
    precise float x = place_of_x(f, e, m.v.to).v +
                      m.v.weight * coarse_place(c, false, m.v.from).v;
    m.v.value = x;
}

void gy_extra_put_move(gy_grid_level f, gy_extra_unknowns e, int q)
{
    Move m = Move(e.move + uint64_t(q) * 16ul);
    place_of_x(f, e, m.v.to).v = m.v.value;
}
