// cycle.glsl: cycle and extra_cycle; see cycle and krylov in ops/system/relax.c. One workgroup goes over a
// level's slots and its list, AT_ONCE at a time, and meets after each step. LISTS: levels may have lists.
// lavapipe ends an invocation's loops after 65536 rounds in all, and goes through those of branches
// that are not taken: so there are two ops, and each step stands in the shader once.
layout(local_size_x = 1024, local_size_x_id = 3) in; // or what suits the device, a power of two
layout(constant_id = 3) const int AT_ONCE = 1024;
const int SHAPE_V = 0, SHAPE_W = 1, SHAPE_F = 2, SHAPE_K = 3; // gy_relax_args.shape
const int LEVEL_STEP = 2;

gy_grid_level f, c; // the level that the cycle stands on, and the next coarser one

int own()
{
    return int(gl_LocalInvocationIndex);
}

/// What one invocation has written all see.
void meet()
{
    memoryBarrierBuffer();
    barrier();
}

void wrap_axis(int axis)
{
    int width = f.groups * GROUP;
    for (int q = own(); q < width * f.l.n[3 - axis]; q += AT_ONCE) {
        gy_wrap_slot(f, axis, q / width, q % width);
    }
    meet();
}

/// What a periodic x axis needs beyond the ends of every row.
void wrap_rows()
{
    ivec3 n = ivec3(f.l.n[0], f.l.n[1], f.l.n[2]);
    for (int row = own(); row < n.y * n.z; row += AT_ONCE) {
        gy_row_wrap(f, row % n.y, row / n.y);
    }
    meet();
}

void wrap_all()
{
    if ((f.l.periodic & 1u) != 0 && f.l.n[0] % 2 != 0) {
        wrap_rows();
    }
    if ((f.l.periodic & 2u) != 0) {
        wrap_axis(1);
    }
    if (f.l.dim == 3 && (f.l.periodic & 4u) != 0) {
        wrap_axis(2);
    }
}

#ifdef LISTS
gy_extra_unknowns list; // of f, where that has one
bool listed;

/// After the list has changed cells of the grid.
void wrap_ends()
{
    if (listed && list.ends != 0) {
        wrap_rows();
    }
}
#endif

void relax_place(int colour, int kind, float omega, int q)
{
    int width = f.groups * GROUP, row = q / width;
    gy_colour_row r = gy_colour_row_at(f, colour, row % f.l.n[1], row / f.l.n[1]);
    gy_relax_slot(f, r, kind, omega, q % width);
}

/// Most levels need no loop: lavapipe ends an invocation's loops after 65536 rounds in all.
void relax_all(int colour, int kind, float omega)
{
    int count = f.groups * GROUP * f.l.n[1] * f.l.n[2];
    if (own() < count) {
        relax_place(colour, kind, omega, own());
    }
    for (int q = own() + AT_ONCE; q < count; q += AT_ONCE) {
        relax_place(colour, kind, omega, q);
    }
    meet();
#ifdef LISTS
    if (listed) {
        for (int r = list.rows[colour] + own(); r < list.rows[colour + 1]; r += AT_ONCE) {
            gy_extra_relax_row(f, list, kind == RELAX_FIRST, r);
        }
        meet();
        wrap_ends();
    }
#endif
    wrap_all();
}

/// sweep_all and, with `back`, sweep_back; see gy_cycle_omega.
void sweep(int sweeps, bool zero, bool back)
{
    float over = f.l.dim == 3 ? 1.07 : 1.25;
    for (int half_sweep = 0; half_sweep < 2 * sweeps; half_sweep++) {
        bool first = half_sweep == 0, last = half_sweep + 1 == 2 * sweeps;
        bool from_zero = zero && !back;
        bool plain = first || last || (from_zero && half_sweep == 1);
        int kind = first && from_zero ? RELAX_FIRST : plain ? RELAX : RELAX_OVER;
        relax_all((half_sweep + int(back)) & 1, kind, first || last ? 1.0 : over);
    }
}

/// gy_coarse_sweeps.
int coarse_sweeps()
{
    bool odd = false;
    for (int a = 0; a < 3; a++) {
        odd = odd || (f.l.n[a] > 1 && f.l.n[a] % 2 != 0);
    }
    return gy_line_of(f.l) >= 0 ? 3 * args.sweeps : odd ? args.sweeps + 1 : args.sweeps;
}

void restrict_all()
{
    bool both = gy_has_seam(f.l);
    int width = c.groups * 2 * GROUP;
    for (int q = own(); q < width * c.l.n[1] * c.l.n[2]; q += AT_ONCE) {
        int row = q / width;
        restrict_cell(f, c, both, q % width, row % c.l.n[1], row / c.l.n[1]);
    }
    meet();
#ifdef LISTS
    if (listed) {
        for (int t = own(); t < list.targets; t += AT_ONCE) {
            gy_extra_restrict_target(f, c, list, t);
        }
        meet();
    }
#endif
}

void prolong_all()
{
    int line = gy_line_of(c.l);
    bool seam = gy_has_seam(f.l);
    int width = f.groups * GROUP;
#ifdef LISTS
    if (listed) {
        for (int q = own(); q < list.moves; q += AT_ONCE) {
            gy_extra_save_move(f, c, list, q);
        }
        meet();
    }
#endif
    for (int q = own(); q < width * f.l.n[1] * f.l.n[2]; q += AT_ONCE) {
        int row = q / width, j = row % f.l.n[1], k = row / f.l.n[1];
        prolong_slot(f, c, line, 0, q % width, j, k);
        if (seam) {
            prolong_slot(f, c, line, 1, q % width, j, k);
        }
    }
    meet();
#ifdef LISTS
    if (listed) {
        for (int q = own(); q < list.moves; q += AT_ONCE) {
            gy_extra_put_move(f, list, q);
        }
        meet();
        wrap_ends();
    }
#endif
    wrap_all();
}

#ifdef LISTS
// The coarsest level in use: see solve_all and gy_extra_solve. The order of sums is the C body's.

Double factor_x(int i)
{
    return doubles(list.factor.x, i);
}

/// The entry left of the diagonal; `begin` is the row's first column.
double entry(int row, int column, int begin)
{
    return doubles(list.factor.value, ints(list.factor.entry, row).v + column - begin).v;
}

void take_from(int i, int j)
{
    int begin = ints(list.factor.begin, j).v;
    if (begin <= i) {
        precise double x = factor_x(j).v - entry(j, i, begin) * factor_x(i).v;
        factor_x(j).v = x;
    }
}

/// Unknown by unknown: what one is, all that hang on it take off at once.
void substitute()
{
    int count = list.factor.count;
    for (int i = own(); i < count; i += AT_ONCE) {
        int row = ints(list.factor.row, i).v;
        factor_x(i).v = double(place_of_b(f, list, gy_row_of(list, row).place).v);
    }
    meet();
    for (int i = 0; i < count; i++) {
        for (int j = i + 1 + own(); j < count; j += AT_ONCE) {
            take_from(i, j);
        }
        meet();
    }
    for (int i = own(); i < count; i += AT_ONCE) {
        precise double x = factor_x(i).v * doubles(list.factor.inverse, i).v;
        factor_x(i).v = x;
    }
    meet();
    for (int i = count - 1; i > 0; i--) {
        int begin = ints(list.factor.begin, i).v;
        for (int j = begin + own(); j < i; j += AT_ONCE) {
            precise double x = factor_x(j).v - entry(i, j, begin) * factor_x(i).v;
            factor_x(j).v = x;
        }
        meet();
    }
    for (int i = own(); i < count; i += AT_ONCE) {
        int row = ints(list.factor.row, i).v;
        place_of_x(f, list, gy_row_of(list, row).place).v = float(factor_x(i).v);
    }
    meet();
    wrap_ends();
    wrap_all();
}

// Two steps of conjugate gradients on a level: see gy_extra_first and gy_extra_second.

/// A vector of a level: where its slot (0, 0, 0) is, and its extras.
struct vector {
    uint64_t grid, extra;
};

vector own_vector(uint64_t first)
{
    return vector(first + 4ul * uint64_t(gy_place_origin(f.l)),
                  first + 8ul * uint64_t(f.l.colour_step));
}

shared double tree[AT_ONCE];

/// What every invocation hands over, added up; known to all.
double sum_of(double x)
{
    tree[own()] = x;
    barrier();
    for (int count = AT_ONCE / 2; count > 0; count /= 2) {
        if (own() < count) {
            tree[own()] += tree[own() + count];
        }
        barrier();
    }
    double sum = tree[0];
    barrier();
    return sum;
}

/// Slots of both colours, one after the other.
int slots()
{
    return 2 * f.groups * GROUP * f.l.n[1] * f.l.n[2];
}
gy_colour_row row_of_slot(int q, out int i)
{
    int width = f.groups * GROUP, row = q / width;
    i = q % width;
    return gy_colour_row_at(f, row & 1, (row >> 1) % f.l.n[1], (row >> 1) / f.l.n[1]);
}

double dot(vector p, vector q)
{
    precise double sum = 0.0;
    for (int s = own(); s < slots(); s += AT_ONCE) {
        int i;
        gy_colour_row r = row_of_slot(s, i);
        if (i < r.cells) {
            sum += double(floats(p.grid, r.o + i).v) * double(floats(q.grid, r.o + i).v);
        }
    }
    for (int s = own(); s < list.extras; s += AT_ONCE) {
        sum += double(floats(p.extra, s).v) * double(floats(q.extra, s).v);
    }
    return sum_of(sum);
}

/// to = A x.
void image(vector to)
{
    for (int s = own(); s < slots(); s += AT_ONCE) {
        int i;
        gy_colour_row r = row_of_slot(s, i);
        floats(to.grid, r.o + i).v = gy_image_at(f, r, i);
    }
    meet();
    for (int r = own(); r < list.rows[2]; r += AT_ONCE) {
        int place = gy_row_of(list, r).place;
        float d;
        precise float sum = gy_extra_couple(f, list, r, d);
        sum = d * place_of_x(f, list, place).v - sum;
        gy_extra_at(f.l, to.grid, to.extra, place).v = sum;
    }
    meet();
}

void first_step(Float x, Float b, Float step, Float v, float by)
{
    precise float t = by * x.v;
    x.v = t;
    step.v = t;
    t = by * v.v;
    v.v = t;
    t = b.v - t;
    b.v = t;
}

void second_step(Float x, Float step, float s, float t)
{
    precise float y = s * step.v + t * x.v;
    x.v = y;
}

/// False: there is no way to go, or the first step has done enough.
bool krylov_first()
{
    vector x = vector(f.x, list.x), b = vector(f.b, list.b);
    vector step = own_vector(list.step), v = own_vector(list.image);
    image(v);
    double xv = dot(x, v), xb = dot(x, b), whole = dot(b, b);
    if (!(xv > 0.0) || !(xb > 0.0)) {
        return false;
    }
    float by = float(min(xb / xv, 2.0));
    for (int s = own(); s < slots(); s += AT_ONCE) {
        int i;
        gy_colour_row r = row_of_slot(s, i);
        first_step(floats(x.grid, r.o + i), floats(b.grid, r.o + i), floats(step.grid, r.o + i),
                   floats(v.grid, r.o + i), by);
    }
    for (int s = own(); s < list.extras; s += AT_ONCE) {
        first_step(floats(x.extra, s), floats(b.extra, s), floats(step.extra, s),
                   floats(v.extra, s), by);
    }
    meet();
    return dot(b, b) > 0.0625 * whole;
}

void krylov_second()
{
    vector x = vector(f.x, list.x), b = vector(f.b, list.b);
    vector step = own_vector(list.step), v = own_vector(list.image), w = own_vector(list.work);
    image(w);
    double sv = dot(step, v), xv = dot(x, v), xw = dot(x, w), xb = dot(x, b);
    precise double along = xv / sv, rest = xw - xv * along;
    double by = rest > 0.1 * xw && xb > 0.0 ? min(xb / rest, 2.0) : 0.0;
    float s = float(1.0 - by * along), t = float(by);
    for (int q = own(); q < slots(); q += AT_ONCE) {
        int i;
        gy_colour_row r = row_of_slot(q, i);
        second_step(floats(x.grid, r.o + i), floats(step.grid, r.o + i), s, t);
    }
    for (int q = own(); q < list.extras; q += AT_ONCE) {
        second_step(floats(x.extra, q), floats(step.extra, q), s, t);
    }
    meet();
}

/// After a cycle over a level in K. Whether a second one is to follow.
bool krylov(bool again)
{
    bool more = false;
    if (again) {
        krylov_second();
    } else {
        more = krylov_first();
    }
    if (!more) {
        if ((f.l.periodic & 1u) != 0) {
            wrap_rows();
        }
        wrap_all();
    }
    return more;
}
#endif

void stand_on(int depth)
{
    f = gy_grid_level_at(args.base, args.level + depth * LEVEL_STEP);
#ifdef LISTS
    listed = f.l.extras != 0ul;
    if (listed) {
        list = gy_extra_of(f.l);
    }
#endif
    if (depth + 1 < args.levels) {
        c = gy_grid_level_at(args.base, args.level + (depth + 1) * LEVEL_STEP);
    }
}

bool has_factor()
{
#ifdef LISTS
    return listed && list.factor.count > 0;
#else
    return false;
#endif
}

/// Sweeps on the level before going down and after coming up. A single cell is solved by one; with
/// others beside it in a list it takes more.
int sweeps_on(bool coarsest)
{
    int sweeps = args.sweeps;
#ifdef LISTS
    sweeps = listed ? 4 * sweeps : sweeps;
#endif
    return has_factor() ? 1 : coarsest ? sweeps : coarse_sweeps();
}

void main()
{
    int depth = 0, shape = args.shape;
    bool zero = args.zero != 0 || args.shape == SHAPE_K, up = false;
    uint shapes = 0u; // two bits per depth
    // Bit per depth: it has been below a second time; of a K-cycle: it is on its second one itself.
    uint again = 0u;
    for (;;) {
        stand_on(depth);
        bool coarsest = depth + 1 == args.levels || has_factor();
        if (up && !coarsest) {
            prolong_all();
        }
        sweep(sweeps_on(coarsest), zero || has_factor(), up);
        if (!up && !has_factor()) {
            up = coarsest;
            if (!coarsest) {
                shapes = bitfieldInsert(shapes, uint(shape), 2 * depth, 2);
                again &= shape == SHAPE_K ? ~0u : ~(1u << depth);
                restrict_all();
                zero = true;
                depth++;
            }
            continue;
        }
#ifdef LISTS
        if (has_factor()) {
            substitute();
        } else if (args.shape == SHAPE_K && !coarsest && listed && list.image != 0ul) {
            uint bit = 1u << depth;
            bool more = krylov((again & bit) != 0u);
            again = more ? again | bit : again & ~bit;
            if (more) {
                up = false;
                zero = true;
                continue;
            }
        }
#endif
        if (depth == 0) {
            return;
        }
        depth--;
        up = true;
        shape = int(bitfieldExtract(shapes, 2 * depth, 2));
        bool twice = shape == SHAPE_W || shape == SHAPE_F;
        if (twice && args.levels - depth > 2 && (again >> depth & 1u) == 0) {
            again |= 1u << depth;
            shape = shape == SHAPE_F ? SHAPE_V : shape;
            zero = false;
            up = false;
            depth++;
        }
    }
}
