// level.glsl: ops/system/level.h for twins. A place counts elements from slot (0, 0, 0) of colour 0, which
// the arrays' addresses are of: the second colour lies colour_step further.
const float UNIT = 16384.0;
const int GROUP = 16, LEVEL_PAD = 8;
const int RELAX = 0, RELAX_FIRST = 1, RELAX_OVER = 2;

struct gy_grid_level {
    gy_level l;
    uint64_t x, b, open[3], pin, flags; // pin 0: none
    int groups;
};

gy_grid_level gy_grid_level_with(uint64_t base, uint offset, uint x)
{
    gy_grid_level g;
    g.l = Level(at(base, offset)).v;
    g.x = at(base, x != 0 ? x : g.l.x);
    g.b = at(base, g.l.b);
    for (int a = 0; a < 3; a++) {
        g.open[a] = at(base, g.l.open[a]);
    }
    g.pin = g.l.pin != 0 ? at(base, g.l.pin) : 0ul;
    g.flags = at(base, g.l.flags);
    g.groups = ((g.l.n[0] + 1) / 2 + GROUP - 1) / GROUP;
    return g;
}
gy_grid_level gy_grid_level_at(uint64_t base, uint offset)
{
    return gy_grid_level_with(base, offset, 0);
}

int gy_level_row(gy_level l, int j, int k)
{
    return j * l.sy + k * l.sz;
}

/// The place of cell (i, j, k); indices from -1 to n.
int cell_at(gy_level l, int i, int j, int k)
{
    return ((i + j + k) & 1) * l.colour_step + gy_level_row(l, j, k) + (i >> 1);
}

Short gy_coefficient(gy_grid_level g, int axis, int i, int j, int k)
{
    return shorts(g.open[axis], cell_at(g.l, i, j, k));
}

bool gy_pinned(gy_grid_level g, int place)
{
    return g.pin != 0ul && shorts(g.pin, place).v != 0us;
}

bool gy_has_seam(gy_level l)
{
    bool seam = false;
    for (int a = 0; a < 3; a++) {
        seam = seam || ((l.periodic >> a & 1u) != 0 && l.n[a] > 1 && l.n[a] % 2 != 0);
    }
    return seam;
}

/// Whether the group of a slot needs no coefficients.
bool gy_uniform(gy_grid_level g, int slot, int j, int k)
{
    return bytes(g.flags, (k * g.l.n[1] + j) * g.groups + slot / GROUP).v != 0us;
}

struct gy_colour_row {
    int o, q; // slot 0 of this colour, and of the other
    int e, cells;
    int j, k;
    float s[3], diagonal;
};

gy_colour_row gy_colour_row_at(gy_grid_level g, int c, int j, int k)
{
    gy_colour_row r;
    int o = gy_level_row(g.l, j, k);
    r.o = o + c * g.l.colour_step;
    r.q = o + (1 - c) * g.l.colour_step;
    r.e = (j + k + c) & 1;
    r.cells = (g.l.n[0] - r.e + 1) / 2;
    r.j = j;
    r.k = k;
    precise float diagonal = g.l.shift;
    for (int a = 0; a < 3; a++) {
        diagonal = a < g.l.dim ? diagonal + 2.0 * g.l.scale[a] : diagonal;
        r.s[a] = g.l.scale[a] * (1.0 / UNIT);
    }
    r.diagonal = diagonal;
    return r;
}

float x_at(gy_grid_level g, int place)
{
    return floats(g.x, place).v;
}
float open_at(gy_grid_level g, int axis, int place)
{
    return float(shorts(g.open[axis], place).v);
}

/// Sum over faces of a x_neighbour, and of a with the shift, at slot i.
float gy_couple(gy_grid_level g, gy_colour_row r, int i, out float diagonal)
{
    int o = r.o + i, q = r.q + i, sy = g.l.sy, sz = g.l.sz;
    float x0 = open_at(g, 0, o), x1 = open_at(g, 0, q + r.e);
    float y0 = open_at(g, 1, o), y1 = open_at(g, 1, q + sy);
    precise float sum = r.s[0] * (x0 * x_at(g, q + r.e - 1) + x1 * x_at(g, q + r.e)) +
                        r.s[1] * (y0 * x_at(g, q - sy) + y1 * x_at(g, q + sy));
    precise float d = r.s[0] * (x0 + x1) + r.s[1] * (y0 + y1);
    if (g.l.dim == 3) {
        float z0 = open_at(g, 2, o), z1 = open_at(g, 2, q + sz);
        sum += r.s[2] * (z0 * x_at(g, q - sz) + z1 * x_at(g, q + sz));
        d += r.s[2] * (z0 + z1);
    }
    d += g.l.shift;
    diagonal = d;
    return sum;
}

/// The same where every coefficient is 1; the diagonal is r.diagonal.
float gy_couple_uniform(gy_grid_level g, gy_colour_row r, int i)
{
    int q = r.q + i, sy = g.l.sy, sz = g.l.sz;
    precise float sum = g.l.scale[0] * (x_at(g, q + r.e - 1) + x_at(g, q + r.e)) +
                        g.l.scale[1] * (x_at(g, q - sy) + x_at(g, q + sy));
    if (g.l.dim == 3) {
        sum += g.l.scale[2] * (x_at(g, q - sz) + x_at(g, q + sz));
    }
    return sum;
}

/// Whether a slot holds a cell that is not held at 0.
bool gy_live(gy_grid_level g, gy_colour_row r, int i)
{
    return i < r.cells && !gy_pinned(g, r.o + i);
}

/// The residual at slot i, 0 where there is no unknown.
float gy_residual_at(gy_grid_level g, gy_colour_row r, int i)
{
    precise float x = x_at(g, r.o + i), b = floats(g.b, r.o + i).v;
    if (gy_uniform(g, i, r.j, r.k)) {
        x = b + (gy_couple_uniform(g, r, i) - r.diagonal * x);
        return x;
    }
    if (!gy_live(g, r, i)) {
        return 0.0;
    }
    float d, sum = gy_couple(g, r, i, d);
    x = b + (sum - d * x);
    return x;
}

/// A x at slot i, 0 where there is no unknown.
float gy_image_at(gy_grid_level g, gy_colour_row r, int i)
{
    precise float x = x_at(g, r.o + i);
    if (gy_uniform(g, i, r.j, r.k)) {
        x = r.diagonal * x - gy_couple_uniform(g, r, i);
        return x;
    }
    if (!gy_live(g, r, i)) {
        return 0.0;
    }
    float d, sum = gy_couple(g, r, i, d);
    x = d * x - sum;
    return x;
}

/// Sets a slot of a row and, round a periodic x axis with an even number of cells, what lies beyond
/// the row's ends. The slot of the place n is its cell 0's to set.
void gy_store_round(gy_grid_level g, gy_colour_row r, int i, float x)
{
    int n = g.l.n[0];
    bool round = (g.l.periodic & 1u) != 0 && n % 2 == 0;
    if (round && r.e == 0 && i == n >> 1) {
        return;
    }
    floats(g.x, r.o + i).v = x;
    if (round && r.e == 0 && i == 0) {
        floats(g.x, r.o + (n >> 1)).v = x;
    }
    if (round && r.e == 1 && i == (n - 1) >> 1) {
        floats(g.x, r.o - 1).v = x;
    }
}

/// One slot of a half-sweep.
void gy_relax_slot(gy_grid_level g, gy_colour_row r, int kind, float omega, int i)
{
    precise float t = floats(g.b, r.o + i).v, x;
    bool over = kind == RELAX_OVER;
    precise float rest = 1.0 - omega;
    if (kind == RELAX_FIRST && gy_has_seam(g.l)) {
        // The next sweep looks across the seam at what this one was to take as 0.
        floats(g.x, r.q + i).v = 0.0;
    }
    if (gy_uniform(g, i, r.j, r.k)) {
        precise float inverse = omega / r.diagonal;
        if (kind != RELAX_FIRST) {
            t += gy_couple_uniform(g, r, i);
        }
        x = t * inverse;
        if (over) {
            x = x + rest * x_at(g, r.o + i);
        }
    } else if (gy_live(g, r, i)) {
        float d, sum = gy_couple(g, r, i, d);
        if (kind != RELAX_FIRST) {
            t += sum;
        }
        x = omega * (t / max(d, 1e-20));
        if (over) {
            x = x + rest * x_at(g, r.o + i);
        }
        // A cell with no open face gets 0, whatever rounding has left in b on a coarse level.
        x = d > 1e-20 ? x : 0.0;
    } else {
        x = 0.0;
    }
    gy_store_round(g, r, i, x);
}

/// Whether the cell has an open face.
bool gy_joined(gy_grid_level g, gy_colour_row r, int i)
{
    if (i >= r.cells || gy_uniform(g, i, r.j, r.k)) {
        return i < r.cells;
    }
    int o = r.o + i, q = r.q + i;
    precise float d = r.s[0] * (open_at(g, 0, o) + open_at(g, 0, q + r.e)) +
                      r.s[1] * (open_at(g, 1, o) + open_at(g, 1, q + g.l.sy));
    if (g.l.dim == 3) {
        d += r.s[2] * (open_at(g, 2, o) + open_at(g, 2, q + g.l.sz));
    }
    return d > 0.0;
}

/// The axis along which a level is a line of cells, one thick in the others; -1 where it is not.
int gy_line_of(gy_level l)
{
    int axis = -1, count = 0;
    for (int a = 0; a < 3; a++) {
        if (l.n[a] > 1) {
            axis = a;
            count++;
        }
    }
    return count == 1 ? axis : -1;
}

/// Copies what a periodic x axis needs beyond the ends of a row.
void gy_row_wrap(gy_grid_level g, int j, int k)
{
    int n = g.l.n[0];
    floats(g.x, cell_at(g.l, n, j, k)).v = x_at(g, cell_at(g.l, 0, j, k));
    floats(g.x, cell_at(g.l, -1, j, k)).v = x_at(g, cell_at(g.l, n - 1, j, k));
}

/// The same of axis 1 or 2 for slot i of one of its lines of rows, for both colours. With an odd
/// number of cells the neighbour across the seam has the same parity, so the arrays change places.
void gy_wrap_slot(gy_grid_level g, int axis, int line, int i)
{
    int n = g.l.n[axis], step = axis == 1 ? g.l.sy : g.l.sz;
    int o = line * (axis == 1 ? g.l.sz : g.l.sy) + i;
    for (int c = 0; c < 2; c++) {
        int to = o + c * g.l.colour_step;
        int from = o + ((n & 1) != 0 ? 1 - c : c) * g.l.colour_step;
        floats(g.x, to - step).v = x_at(g, from + (n - 1) * step);
        floats(g.x, to + n * step).v = x_at(g, from);
    }
}

/// Of a twin whose invocations go over a row's cells, of both colours: the colour of this one's.
/// Its slots are every 32nd from half its place on.
gy_colour_row gy_colour_row_own(gy_grid_level g, ivec2 row)
{
    int c = (int(gl_LocalInvocationID.x) + row.x + row.y) & 1;
    return gy_colour_row_at(g, c, row.x, row.y);
}
