// Face openness and cell fractions from signed distances at corners.
//
// A face is a function of its place alone: corners are at origin + h * index, exact in double
// precision, and are combined in ways that mirrors and swaps of axes leave alone. So symmetric
// solids give symmetric openness, bit for bit. Whatever is farther from every surface than its own
// reach is settled by one distance; cost is about 10 ns per solid and face near a surface,
// next to none elsewhere.
#include "shape/openness.h"

#include "base/maths.h"
#include "shape/thin.h"

enum {
    BLOCK = GY_OPENNESS_BLOCK, // cells along x that are culled together
    NEAR_LIMIT = 64            // solids near one block that are listed; with more, all are asked
};

typedef struct near_list {
    const gy_solid *solids;
    int count;
    int index[NEAR_LIMIT];
    int near;   // -1: ask all
    bool shut;  // one solid holds all of it
    bool exact; // whether distances bound how far the surface is
} near_list;

double gy_union_distance(const gy_solid *solids, int count, const double point[3])
{
    double least = 1e12;
    for (int s = 0; s < count; s++) {
        double d = gy_solid_distance(&solids[s], point);
        least = d < least ? d : least;
    }
    return least;
}

static double distance_at(const near_list *list, const gyre_grid *g, double x, double y, double z)
{
    const double h = (double)g->h;
    const double p[3] = {(double)g->origin[0] + h * x, (double)g->origin[1] + h * y,
                         (double)g->origin[2] + h * z};
    if (list->near < 0)
        return gy_union_distance(list->solids, list->count, p);
    double least = 1e12;
    for (int s = 0; s < list->near; s++) {
        double d = gy_solid_distance(&list->solids[list->index[s]], p);
        least = d < least ? d : least;
    }
    return least;
}

/// Lists the solids that reach into the box of `middle` +- `half` (in cells); sets shut when one of
/// them holds all of it.
static near_list find_near(const gyre_grid *g, const gy_solid *solids, int count,
                           const double middle[3], const double half[3])
{
    near_list list = {.solids = solids, .count = count, .exact = true};
    const double h = (double)g->h;
    double p[3], square = 0;
    for (int a = 0; a < 3; a++) {
        p[a] = (double)g->origin[a] + h * middle[a];
        square += half[a] * half[a];
    }
    const double reach = (double)gy_sqrtf((float)square) * h * 1.0001;
    for (int s = 0; s < count; s++) {
        const gy_solid *solid = &solids[s];
        bool apart = false;
        for (int a = 0; a < g->dim; a++) {
            double r = h * half[a] * 1.0001;
            apart |= p[a] + r < solid->low[a] || p[a] - r > solid->high[a];
        }
        if (apart)
            continue;
        if (solid->slope > 0) {
            double d = gy_solid_distance(solid, p);
            if (d > reach * solid->slope)
                continue;
            if (d < -reach * solid->slope) {
                list.shut = true;
                return list;
            }
        } else {
            list.exact = false;
        }
        if (list.near == NEAR_LIMIT) {
            list.near = -1;
            list.exact = false; // a volume may be among those not looked at
            return list;
        }
        list.index[list.near++] = s;
    }
    return list;
}

/// Of an edge between a corner outside (d > 0) and one inside (d <= 0): the part outside.
static double outside_part(double out, double in)
{
    return out / (out - in);
}

/// The part of a unit square outside, from the distances at its corners in cyclic order and at its
/// middle, which decides when two opposite corners are inside.
static double quad_part(const double d[4], double middle)
{
    int mask = 0, outside = 0;
    for (int c = 0; c < 4; c++)
        if (d[c] > 0) {
            mask |= 1 << c;
            outside++;
        }
    if (outside == 0 || outside == 4)
        return outside == 0 ? 0.0 : 1.0;
    if (outside == 2 && mask != 5 && mask != 10) {
        // Two neighbours c and c + 1 are outside: a trapezium.
        int c = mask == 9 ? 3 : mask == 3 ? 0 : mask == 6 ? 1 : 2;
        return 0.5 *
               (outside_part(d[c], d[(c + 3) & 3]) + outside_part(d[(c + 1) & 3], d[(c + 2) & 3]));
    }
    // Triangles: cut off at the lonely corners, which are those outside or those inside.
    bool corners_outside = outside == 1 || (outside == 2 && !(middle > 0));
    double cut[2] = {0, 0};
    int found = 0;
    for (int c = 0; c < 4; c++) {
        if ((d[c] > 0) != corners_outside)
            continue;
        double before = d[(c + 3) & 3], after = d[(c + 1) & 3];
        cut[found++] =
            corners_outside
                ? 0.5 * (outside_part(d[c], before) * outside_part(d[c], after))
                : 0.5 * ((1.0 - outside_part(before, d[c])) * (1.0 - outside_part(after, d[c])));
    }
    double sum = cut[0] + cut[1];
    return corners_outside ? sum : 1.0 - sum;
}

/// Whether the middle of a cell is inside, when its corners `outside` do not hang together.
static bool shut_between(const near_list *list, const gyre_grid *g, const int cell[3],
                         unsigned outside)
{
    const double half = gy_is_3d(g->dim) ? 0.5 : 0.0;
    // Bit q: the corners of the set q do not hang together along a cube's edges.
    static const uint64_t parted[4] = {0x1350337257540240u, 0x03003f7f07440f4eu,
                                       0x0050027257ff02feu, 0x000002020044024eu};
    return (parted[outside >> 6] >> (outside & 63) & 1u) &&
           !(distance_at(list, g, cell[0] + 0.5, cell[1] + 0.5, cell[2] + half) > 0);
}

/// Whether the middle of a cell is inside and its outside corners do not hang together.
static bool shut_cell(const near_list *list, const gyre_grid *g, const int cell[3])
{
    int corners = gy_is_3d(g->dim) ? 8 : 4;
    unsigned outside = 0;
    for (int c = 0; c < corners; c++)
        if (distance_at(list, g, cell[0] + (c & 1), cell[1] + (c >> 1 & 1), cell[2] + (c >> 2)) > 0)
            outside |= 1u << c;
    return shut_between(list, g, cell, outside);
}

/// The open part of the lower face of `cell` across `axis`.
static double face_part(const near_list *list, const gyre_grid *g, int axis, const int cell[3])
{
    double p[3] = {cell[0], cell[1], cell[2]};
    int b = axis == 0 ? 1 : 0, c = axis == 2 ? 1 : 2;
    double q[3] = {p[0], p[1], p[2]};
    q[b] += 0.5;
    if (gy_is_3d(g->dim))
        q[c] += 0.5;
    const double centre[3] = {q[0], q[1], q[2]};
    double middle = 0;
    if (list->exact) {
        middle = distance_at(list, g, centre[0], centre[1], centre[2]);
        double reach = (gy_is_3d(g->dim) ? 0.7072 : 0.5001) * (double)g->h;
        if (middle > reach || middle < -reach)
            return middle > 0 ? 1.0 : 0.0;
    }
    double d[4], part;
    int corners = gy_is_3d(g->dim) ? 4 : 2, outside = 0;
    for (int corner = 0; corner < corners; corner++) {
        q[b] = p[b] + (corner == 1 || corner == 2);
        q[c] = p[c] + (corner >= 2);
        d[corner] = distance_at(list, g, q[0], q[1], q[2]);
        outside += d[corner] > 0;
    }
    if (outside == 0 || outside == corners)
        return outside == 0 ? 0.0 : 1.0;
    if (!gy_is_3d(g->dim)) {
        part = d[0] > 0 ? outside_part(d[0], d[1]) : outside_part(d[1], d[0]);
    } else {
        if (!list->exact)
            middle = distance_at(list, g, centre[0], centre[1], centre[2]);
        part = quad_part(d, middle);
    }
    if (part <= 0.0 || part >= 1.0)
        return part;
    int before[3] = {cell[0], cell[1], cell[2]};
    before[axis]--;
    return shut_cell(list, g, cell) || shut_cell(list, g, before) ? 0.0 : part;
}

/// The solids near a block of faces of row (j, k): near the cells on both sides of them.
static near_list near_block(const gyre_grid *g, const gy_solid *solids, int count, int axis, int j,
                            int k, int from, int end)
{
    double low[3] = {from, j, k}, high[3] = {end, j + 1, gy_is_3d(g->dim) ? k + 1 : k};
    double middle[3], half[3];
    low[axis] -= 1.0;
    for (int a = 0; a < 3; a++) {
        middle[a] = 0.5 * (low[a] + high[a]);
        half[a] = 0.5 * (high[a] - low[a]);
    }
    return find_near(g, solids, count, middle, half);
}

void gy_openness_row(const gyre_grid *g, const gy_solid *solids, int count, int axis, int j, int k,
                     uint16_t *out)
{
    int n = g->n[0] + (axis == 0);
    for (int i = 0; i < n; i += BLOCK) {
        int end = GY_MIN(i + BLOCK, n);
        near_list list = near_block(g, solids, count, axis, j, k, i, end);
        bool settled = list.shut || list.near == 0;
        for (int x = i; x < end; x++) {
            const int cell[3] = {x, j, k};
            double part = settled ? (list.shut ? 0.0 : 1.0) : face_part(&list, g, axis, cell);
            out[x] = part < 0.01 ? 0 : (uint16_t)(part * GY_OPEN + 0.5);
        }
    }
}

gy_corners gy_corners_of(const gyre_grid *g, uint64_t *bits)
{
    return (gy_corners){.grid = *g, .bits = bits, .words = (g->n[0] + 3 + 63) / 64};
}

static int corner_rows(const gyre_grid *g)
{
    return gy_is_3d(g->dim) ? g->n[2] + 3 : 1;
}

size_t gy_corners_bytes(const gyre_grid *g)
{
    gy_corners c = gy_corners_of(g, NULL);
    return (size_t)corner_rows(g) * (size_t)(g->n[1] + 3) * (size_t)c.words * sizeof *c.bits;
}

static uint64_t *corner_row(const gy_corners *c, int j, int k)
{
    int plane = gy_is_3d(c->grid.dim) ? k + 1 : 0;
    return c->bits +
           ((size_t)plane * (size_t)(c->grid.n[1] + 3) + (size_t)(j + 1)) * (size_t)c->words;
}

/// The first corner along `axis` at or after x metres, less one for rounding, no less than `low`,
/// and one past the last, no more than `high`.
static int corner_at(const gyre_grid *g, int axis, double x, int low, int high)
{
    double at = (x - (double)g->origin[axis]) / (double)g->h;
    return at < low ? low : at > high ? high : (int)(at + 8.0) - 8;
}

void gy_corners_row(const gy_corners *c, const gy_solid *solids, int count, int j, int k, int from,
                    int to)
{
    const gyre_grid *g = &c->grid;
    const double h = (double)g->h;
    double p[3] = {0, (double)g->origin[1] + h * j, (double)g->origin[2] + h * k};
    uint64_t *row = corner_row(c, j, k);
    for (int s = 0; s < count; s++) {
        const gy_solid *solid = &solids[s];
        bool apart = false;
        for (int a = 1; a < g->dim; a++)
            apart |= p[a] + h < solid->low[a] || p[a] - h > solid->high[a];
        if (apart)
            continue;
        const double reach = solid->slope > 0 ? 0.999 : gy_solid_reach(solid);
        int begin = GY_MAX(from, corner_at(g, 0, solid->low[0], from, to) - 1);
        int end = GY_MIN(to, corner_at(g, 0, solid->high[0], from, to) + 2);
        for (int i = begin; i < end; i++) {
            p[0] = (double)g->origin[0] + h * i;
            double d = gy_solid_bound(solid, p);
            // As far as the surface is, all is alike.
            int alike = (int)GY_MIN((d > 0 ? d : -d) / h * reach, 1e6);
            int last = GY_MIN(i + alike, end - 1);
            if (d > 0) {
                i = last;
                continue;
            }
            for (; i <= last; i++)
                row[(i + 1) >> 6] |= (uint64_t)1 << ((i + 1) & 63);
            i--;
        }
    }
}

/// Bits 0 to 31: which corners of a row are inside, from corner i on.
static uint32_t inside_from(const gy_corners *c, const uint64_t *row, int i)
{
    int w = (i + 1) >> 6, bit = (i + 1) & 63;
    uint64_t bits = row[w] >> bit;
    if (bit > 32 && w + 1 < c->words)
        bits |= row[w + 1] << (64 - bit);
    return (uint32_t)bits;
}

/// The corners of a cell, or of whatever lies at the same place beyond the grid, that are outside.
static unsigned outside_corners(const gy_corners *c, const int cell[3])
{
    unsigned outside = 0;
    for (int q = 0; q < (gy_is_3d(c->grid.dim) ? 4 : 2); q++) {
        const uint64_t *row = corner_row(c, cell[1] + (q & 1), cell[2] + (q >> 1));
        outside |= (~inside_from(c, row, cell[0]) & 3u) << (2 * q);
    }
    return outside;
}

/// distance_at of a corner.
static double corner_distance(const near_list *list, const gyre_grid *g, gy_corner_memo *memo,
                              int x, int y, int z)
{
    if (!memo || list->near != 1)
        return distance_at(list, g, x, y, z);
    const gy_solid *solid = &list->solids[list->index[0]];
    unsigned place = (unsigned)x + 64u * ((unsigned)y & 1u) + 128u * ((unsigned)z & 1u);
    struct gy_corner_noted *n = &memo->at[place % GY_CORNER_MEMO];
    if (n->solid != solid || n->corner[0] != x || n->corner[1] != y || n->corner[2] != z)
        *n = (struct gy_corner_noted){solid, {x, y, z}, distance_at(list, g, x, y, z)};
    return n->distance;
}

/// The distances at one end of a face that reaches along x, which is an end of the next one, too.
typedef struct face_end {
    int x; // the corner's place along x; below -1: none
    double d[2];
} face_end;

/// The distances at a face's corners in cyclic order. Of a face along x two are kept.
static void corner_distances(const near_list *list, const gyre_grid *g, gy_corner_memo *memo,
                             int axis, const int cell[3], face_end *kept, double d[4])
{
    int x = cell[0], y = cell[1], z = cell[2];
    bool deep = gy_is_3d(g->dim);
    if (axis == 0) {
        d[0] = corner_distance(list, g, memo, x, y, z);
        d[1] = corner_distance(list, g, memo, x, y + 1, z);
        if (deep) {
            d[2] = corner_distance(list, g, memo, x, y + 1, z + 1);
            d[3] = corner_distance(list, g, memo, x, y, z + 1);
        }
        return;
    }
    int up_y = axis == 2, up_z = axis == 1;
    if (kept->x != cell[0]) {
        kept->d[0] = corner_distance(list, g, memo, x, y, z);
        if (deep)
            kept->d[1] = corner_distance(list, g, memo, x, y + up_y, z + up_z);
    }
    d[0] = kept->d[0];
    d[3] = kept->d[1];
    d[1] = corner_distance(list, g, memo, x + 1, y, z);
    if (deep)
        d[2] = corner_distance(list, g, memo, x + 1, y + up_y, z + up_z);
    kept->x = cell[0] + 1;
    kept->d[0] = d[1];
    kept->d[1] = d[2];
}

/// face_part where corners are inside and outside: what it would come to.
static double mixed_part(const near_list *list, const gy_corners *corners, gy_corner_memo *memo,
                         int axis, const int cell[3], face_end *kept)
{
    const gyre_grid *g = &corners->grid;
    int b = axis == 0 ? 1 : 0, c = axis == 2 ? 1 : 2, count = gy_is_3d(g->dim) ? 4 : 2;
    double q[3] = {cell[0], cell[1], cell[2]}, d[4] = {0}, part, middle = 0;
    unsigned mask = 0;
    corner_distances(list, g, memo, axis, cell, kept, d);
    for (int corner = 0; corner < count; corner++) {
        mask |= (unsigned)(d[corner] > 0) << corner;
    }
    if (!gy_is_3d(g->dim)) {
        part = d[0] > 0 ? outside_part(d[0], d[1]) : outside_part(d[1], d[0]);
    } else {
        if (mask == 5 || mask == 10) {
            q[b] = cell[b] + 0.5;
            q[c] = cell[c] + 0.5;
            middle = distance_at(list, g, q[0], q[1], q[2]);
        }
        part = quad_part(d, middle);
    }
    if (part <= 0.0 || part >= 1.0)
        return part;
    int before[3] = {cell[0], cell[1], cell[2]};
    before[axis]--;
    bool shut = shut_between(list, g, cell, outside_corners(corners, cell)) ||
                shut_between(list, g, before, outside_corners(corners, before));
    return shut ? 0.0 : part;
}

void gy_openness_part(const gy_corners *corners, const gy_solid *solids, int count, int axis, int j,
                      int k, int from, int to, gy_corner_memo *memo, uint16_t *out)
{
    const gyre_grid *g = &corners->grid;
    const uint64_t *rows[4];
    int row_count = 0;
    for (int q = 0; q < 4; q++) {
        int dj = q & 1, dk = q >> 1;
        if ((dj && axis == 1) || (dk && (axis == 2 || !gy_is_3d(g->dim))))
            continue;
        rows[row_count++] = corner_row(corners, j + dj, k + dk);
    }
    for (int i = from; i < to; i += BLOCK) {
        int end = GY_MIN(i + BLOCK, to);
        uint32_t any = 0, all = ~0u;
        for (int r = 0; r < row_count; r++) {
            uint32_t inside = inside_from(corners, rows[r], i);
            uint32_t next = axis == 0 ? inside : inside >> 1;
            any |= inside | next;
            all &= inside & next;
        }
        for (int x = i; x < end; x++)
            out[x] = all >> (x - i) & 1u ? 0 : GY_OPEN;
        uint32_t mixed = any & ~all & ((1u << (end - i)) - 1);
        if (!mixed)
            continue;
        near_list list = near_block(g, solids, count, axis, j, k, i, end);
        face_end kept = {.x = -9};
        for (; mixed; mixed &= mixed - 1) {
            const int cell[3] = {i + __builtin_ctz(mixed), j, k};
            double part = mixed_part(&list, corners, memo, axis, cell, &kept);
            out[cell[0]] = part < 0.01 ? 0 : (uint16_t)(part * GY_OPEN + 0.5);
        }
    }
}

/// The part of a tetrahedron outside, from the distances at its corners.
static double tetrahedron_part(const double d[4])
{
    double out[4], in[4];
    int outs = 0, ins = 0;
    for (int c = 0; c < 4; c++) {
        if (d[c] > 0)
            out[outs++] = d[c];
        else
            in[ins++] = d[c];
    }
    switch (outs) {
    case 0:
        return 0.0;
    case 1:
        return outside_part(out[0], in[0]) * outside_part(out[0], in[1]) *
               outside_part(out[0], in[2]);
    case 2: {
        double ac = outside_part(out[0], in[0]), ad = outside_part(out[0], in[1]);
        double bc = outside_part(out[1], in[0]), bd = outside_part(out[1], in[1]);
        return bc * bd + ac * ad * (1.0 - bd) + ac * bd * (1.0 - bc);
    }
    case 3:
        return 1.0 - outside_part(in[0], out[0]) * outside_part(in[0], out[1]) *
                         outside_part(in[0], out[2]);
    default:
        return 1.0;
    }
}

/// The part of a cell outside, from its corners (x fastest): exact for a plane. The cell is cut
/// into 24 tetrahedra, one per edge of each side, with the means of corners at the middles.
static double cell_part(const double d[8])
{
    double middle = 0;
    int64_t sum = 0; // in units of 2^-40: integers add up alike in any order
    for (int c = 0; c < 4; c++)
        middle += 0.125 * (d[c] + d[7 - c]);
    for (int a = 0; a < 3; a++)
        for (int side = 0; side < 2; side++) {
            int sa = side << a, sb = 1 << (a + 1) % 3, sc = 1 << (a + 2) % 3;
            const double ring[4] = {d[sa], d[sa | sb], d[sa | sb | sc], d[sa | sc]};
            double centre = 0.25 * ((ring[0] + ring[2]) + (ring[1] + ring[3]));
            for (int c = 0; c < 4; c++) {
                const double corners[4] = {ring[c], ring[(c + 1) & 3], centre, middle};
                sum += (int64_t)(tetrahedron_part(corners) * 0x1p40 + 0.5);
            }
        }
    return (double)sum / (24.0 * 0x1p40);
}

/// The part of a cell inside what may lie between its corners, from 64 points in it.
static double thin_part(const near_list *list, const gyre_grid *g, int i, int j, int k)
{
    int side = gy_is_3d(g->dim) ? 4 : 8, inside = 0;
    bool thin = false;
    for (int s = 0; s < (list->near < 0 ? list->count : list->near) && !thin; s++)
        thin = gy_solid_is_thin(&list->solids[list->near < 0 ? s : list->index[s]], (double)g->h);
    for (int q = 0; q < 64 && thin; q++) {
        double x = i + (q % side + 0.5) / side, y = j + (q / side % side + 0.5) / side;
        inside +=
            !(distance_at(list, g, x, y, gy_is_3d(g->dim) ? k + (q / 16 + 0.5) / side : k) > 0);
    }
    return inside / 64.0;
}

static double cell_solid(const near_list *list, const gyre_grid *g, int i, int j, int k)
{
    bool deep = gy_is_3d(g->dim);
    double middle = distance_at(list, g, i + 0.5, j + 0.5, deep ? k + 0.5 : k);
    double reach = (deep ? 0.8661 : 0.7072) * (double)g->h;
    if (list->exact && (middle > reach || middle < -reach))
        return middle > 0 ? 0.0 : 1.0;
    double d[8];
    int corners = deep ? 8 : 4, inside = 0;
    for (int c = 0; c < corners; c++) {
        d[c] = distance_at(list, g, i + (c & 1), j + (c >> 1 & 1), k + (c >> 2));
        inside += !(d[c] > 0);
    }
    if (inside == 0 || inside == corners)
        return inside == 0 ? thin_part(list, g, i, j, k) : 1.0;
    const double ring[4] = {d[0], d[1], d[3], d[2]};
    double part = 1.0 - (deep ? cell_part(d) : quad_part(ring, middle));
    return GY_MAX(part, thin_part(list, g, i, j, k));
}

void gy_solid_fraction_row(const gyre_grid *g, const gy_solid *solids, int count, int j, int k,
                           float *out)
{
    bool deep = gy_is_3d(g->dim);
    for (int i = 0; i < g->n[0]; i += BLOCK) {
        int end = GY_MIN(i + BLOCK, g->n[0]);
        const double middle[3] = {0.5 * (i + end), j + 0.5, deep ? k + 0.5 : k};
        const double half[3] = {0.5 * (end - i), 0.5, deep ? 0.5 : 0.0};
        near_list list = find_near(g, solids, count, middle, half);
        bool settled = list.shut || list.near == 0;
        for (int x = i; x < end; x++)
            out[x] = settled ? (list.shut ? 1.0f : 0.0f) : (float)cell_solid(&list, g, x, j, k);
    }
}
