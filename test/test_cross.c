// labels: small golden
// The faces that surfaces without thickness cross: closed ones part inside from outside, ties or
// not; every face is the one that whole numbers with an actual small shift say.
#include "base/base.h"
#include "base/maths.h"
#include "shape/cross.h"
#include "test/check.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 20, MOST = 400000 };

typedef int64_t point[3];

static uint32_t drawn;

static double draw(void)
{
    return (double)gy_random_unit(77, drawn++);
}

// Of SIDE cells a side, faces too.
static int cell_at(const int c[3])
{
    return c[0] + (SIDE + 1) * (c[1] + (SIDE + 1) * c[2]);
}

typedef struct surface {
    int dim, points, facets;
    point at[400];
    int corner[800][3];
} surface;

static gy_crossed found[MOST];

static int64_t cross_all(const surface *s, const int n[3], uint32_t periodic)
{
    gy_crossings list = {found, MOST, 0};
    for (int f = 0; f < s->facets; f++) {
        const int64_t *const v[3] = {s->at[s->corner[f][0]], s->at[s->corner[f][1]],
                                     s->at[s->corner[f][2]]};
        gy_cross(s->dim, n, periodic, v, &list);
    }
    assert_true(list.count <= MOST);
    return list.count;
}

// On whole cells, halves, or anywhere.
static int64_t place(double cells, int ties)
{
    int64_t units;
    double x = ties == 1   ? (double)(int)cells + 0.5
               : ties == 2 ? (double)(int)(2 * cells) / 2
                           : cells;
    assert_true(gy_cross_round(x, &units));
    return units;
}

static void add_facet(surface *s, int a, int b, int c)
{
    int *corner = s->corner[s->facets++];
    corner[0] = a;
    corner[1] = b;
    corner[2] = c;
}

// Corners anywhere: it may cross itself.
static void make_polygon(surface *s, int ties)
{
    *s = (surface){.dim = 2, .points = 3 + (int)(draw() * 10)};
    for (int i = 0; i < s->points; i++) {
        for (int a = 0; a < 2; a++)
            s->at[i][a] = place(2 + draw() * (SIDE - 4), ties);
        s->at[i][2] = 0;
        add_facet(s, i, (i + 1) % s->points, 0);
    }
}

// A crumpled torus whose triangles lie either way round.
static void make_torus(surface *s, int ties)
{
    static const double round[8][2] = {{1, 0},  {.7, .7},   {0, 1},  {-.7, .7},
                                       {-1, 0}, {-.7, -.7}, {0, -1}, {.7, -.7}};
    *s = (surface){.dim = 3};
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) {
            double r = 0.28 + 0.14 * round[j][0];
            double x[3] = {r * round[i][0], r * round[i][1], 0.14 * round[j][1]};
            for (int a = 0; a < 3; a++)
                s->at[s->points][a] = place(SIDE * (0.5 + x[a] + (draw() - 0.5) * 0.1), ties);
            s->points++;
        }
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) {
            int a = 8 * i + j, b = (i + 1) % 8 * 8 + j, c = (i + 1) % 8 * 8 + (j + 1) % 8,
                d = 8 * i + (j + 1) % 8;
            if (draw() < 0.5)
                add_facet(s, a, b, c);
            else
                add_facet(s, c, b, a);
            add_facet(s, c, d, a);
        }
}

// Marks what is reached from a corner of the domain through faces that are not crossed.
static void flood(int dim, const uint8_t *const shut[3], uint8_t *seen)
{
    static int stack[(SIDE + 1) * (SIDE + 1) * (SIDE + 1)][3];
    int count = 1, n[3] = {SIDE, SIDE, dim == 3 ? SIDE : 1};
    memset(stack[0], 0, sizeof stack[0]);
    seen[0] = 1;
    while (count > 0) {
        int c[3];
        memcpy(c, stack[--count], sizeof c);
        for (int way = 0; way < 2 * dim; way++) {
            int a = way / 2, next[3] = {c[0], c[1], c[2]};
            next[a] += way & 1 ? 1 : -1;
            if (next[a] < 0 || next[a] >= n[a] || seen[cell_at(next)] ||
                shut[a][cell_at(way & 1 ? next : c)])
                continue;
            seen[cell_at(next)] = 1;
            memcpy(stack[count++], next, sizeof next);
        }
    }
}

static void closed_ones_part(void **state)
{
    (void)state;
    enum { CELLS = (SIDE + 1) * (SIDE + 1) * (SIDE + 1) };
    static uint8_t crossed[3][CELLS], inside[3][CELLS], seen[CELLS];
    const uint8_t *const shut[3] = {crossed[0], crossed[1], crossed[2]};
    int within = 0;
    for (int dim = 2; dim <= 3; dim++)
        for (int trial = 0; trial < (dim == 2 ? 900 : 60); trial++) {
            static surface s;
            const int n[3] = {SIDE, SIDE, dim == 3 ? SIDE : 1};
            int ties = trial % 2 ? 1 + trial / 2 % 2 : 0;
            if (dim == 2)
                make_polygon(&s, ties);
            else
                make_torus(&s, ties);
            int64_t count = cross_all(&s, n, 0);
            memset(crossed, 0, sizeof crossed);
            memset(seen, 0, sizeof seen);
            for (int64_t q = 0; q < count; q++) {
                const int at[3] = {found[q].at[0], found[q].at[1], found[q].at[2]};
                crossed[found[q].axis][cell_at(at)]++;
            }
            flood(dim, shut, seen);
            // A ray from outside that has crossed the surface an odd number of times is inside,
            // along whichever axis it comes.
            for (int k = 0; k < n[2]; k++)
                for (int j = 0; j < n[1]; j++)
                    for (int i = 0; i < n[0]; i++) {
                        const int c[3] = {i, j, k};
                        for (int a = 0; a < dim; a++) {
                            int below[3] = {i, j, k};
                            below[a]--;
                            inside[a][cell_at(c)] =
                                (uint8_t)((crossed[a][cell_at(c)] ^
                                           (c[a] > 0 ? inside[a][cell_at(below)] : 0)) &
                                          1);
                        }
                        assert_int_equal(inside[0][cell_at(c)], inside[1][cell_at(c)]);
                        assert_true(dim == 2 || inside[0][cell_at(c)] == inside[2][cell_at(c)]);
                        if (inside[0][cell_at(c)]) {
                            assert_int_equal(seen[cell_at(c)], 0);
                            within++;
                        }
                    }
        }
    assert_true(within > 50000);
}

// ---- against whole numbers with a shift that is there -------------------------------------------

__extension__ typedef __int128 wide;

// Times the corners and centres, in halves of cells, are multiplied by: the shift is then K^2, K
// and 1, for K = 1024, which is less than any area or volume of so few cells can tell.
#define SCALE ((int64_t)1 << 30)

static int sign_of(wide x)
{
    return (x > 0) - (x < 0);
}

static int turn2(const int64_t *p, const int64_t *q, const int64_t *x)
{
    return sign_of((wide)(q[0] - p[0]) * (x[1] - p[1]) - (wide)(q[1] - p[1]) * (x[0] - p[0]));
}

static int turn3(const int64_t *a, const int64_t *b, const int64_t *c, const int64_t *x)
{
    int64_t m[3][3];
    for (int i = 0; i < 3; i++) {
        m[0][i] = b[i] - a[i];
        m[1][i] = c[i] - a[i];
        m[2][i] = x[i] - a[i];
    }
    wide sum = 0;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        sum += ((wide)m[0][j] * m[1][k] - (wide)m[0][k] * m[1][j]) * m[2][i];
    }
    return sign_of(sum);
}

// Whether the segment between l and r meets the facet: nothing lies in line with anything.
static bool meets(int dim, const point v[3], const int64_t *l, const int64_t *r)
{
    if (dim == 2)
        return turn2(v[0], v[1], l) != turn2(v[0], v[1], r) &&
               turn2(l, r, v[0]) != turn2(l, r, v[1]);
    int s = turn3(l, r, v[0], v[1]);
    return turn3(v[0], v[1], v[2], l) != turn3(v[0], v[1], v[2], r) &&
           s == turn3(l, r, v[1], v[2]) && s == turn3(l, r, v[2], v[0]);
}

static void agrees_with_a_shift(void **state)
{
    (void)state;
    enum { FEW = 6 };
    const int n[3] = {FEW, FEW, FEW};
    int crossed = 0;
    for (int trial = 0; trial < 3000; trial++) {
        int dim = 2 + trial % 2;
        surface s = {.dim = dim, .points = dim};
        point v[3];
        add_facet(&s, 0, 1, dim - 1);
        for (int q = 0; q < dim; q++)
            for (int a = 0; a < 3; a++) {
                int half = a < dim ? (int)(draw() * (2 * FEW + 1)) : 1;
                s.at[q][a] = half * (GY_CROSS_UNIT / 2);
                v[q][a] = half * SCALE;
            }
        int64_t count = cross_all(&s, n, 0);
        for (int axis = 0; axis < dim; axis++)
            for (int at = 0; at < (FEW + 1) * (FEW + 1) * (dim == 3 ? FEW + 1 : 1); at++) {
                const int c[3] = {at % (FEW + 1), at / (FEW + 1) % (FEW + 1),
                                  at / (FEW + 1) / (FEW + 1)};
                const int64_t shift[3] = {1 << 20, 1 << 10, 1};
                int64_t l[3], r[3];
                bool out = false;
                int times = 0;
                for (int a = 0; a < 3; a++) {
                    out = out || (a < dim && a != axis && c[a] == FEW);
                    l[a] = r[a] = a < dim ? (2 * c[a] + 1) * SCALE + shift[a] : SCALE;
                }
                l[axis] -= 2 * SCALE;
                for (int64_t q = 0; q < count; q++)
                    times += found[q].axis == axis && found[q].at[0] == c[0] &&
                             found[q].at[1] == c[1] && (dim == 2 || found[q].at[2] == c[2]);
                assert_int_equal(times, !out && meets(dim, (const point *)v, l, r));
                crossed += times;
            }
    }
    assert_true(crossed > 5000);
}

// Through the centres of cells: on one side of each.
static void a_line_through_centres(void **state)
{
    (void)state;
    const int n[3] = {SIDE, SIDE, 1};
    for (int slope = -1; slope <= 1; slope++) {
        surface s = {.dim = 2, .points = 2};
        add_facet(&s, 0, 1, 0);
        s.at[0][0] = place(-3.5, 0);
        s.at[1][0] = place(SIDE + 3.5, 0);
        s.at[0][1] = place(SIDE / 2 + 0.5 - slope * (SIDE / 2 + 4.0), 0);
        s.at[1][1] = place(SIDE / 2 + 0.5 + slope * (SIDE / 2 + 3.0), 0);
        int below[SIDE] = {0};
        int64_t count = cross_all(&s, n, 0);
        for (int64_t q = 0; q < count; q++)
            if (found[q].axis == 1)
                below[found[q].at[0]]++;
        // One face across y in each column, and no more.
        for (int i = 0; i < SIDE; i++)
            assert_int_equal(below[i], 1);
        assert_int_equal(count, slope ? 2 * SIDE : SIDE);
    }
}

// A surface that reaches beyond a periodic side comes in at the other end.
static void goes_round(void **state)
{
    (void)state;
    const int n[3] = {SIDE, SIDE, 1};
    for (int trial = 0; trial < 200; trial++) {
        static surface s;
        static int here[2][SIDE + 1][SIDE + 1], moved[2][SIDE + 1][SIDE + 1];
        int by[2] = {(int)(draw() * 100) - 50, (int)(draw() * 100) - 50};
        make_polygon(&s, trial % 3);
        memset(here, 0, sizeof here);
        memset(moved, 0, sizeof moved);
        int64_t count = cross_all(&s, n, 3);
        for (int64_t q = 0; q < count; q++)
            here[found[q].axis][found[q].at[1]][found[q].at[0]]++;
        for (int i = 0; i < s.points; i++)
            for (int a = 0; a < 2; a++)
                s.at[i][a] += (int64_t)by[a] * GY_CROSS_UNIT;
        assert_int_equal(cross_all(&s, n, 3), count);
        for (int64_t q = 0; q < count; q++)
            moved[found[q].axis][found[q].at[1]][found[q].at[0]]++;
        for (int a = 0; a < 2; a++)
            for (int j = 0; j < SIDE; j++)
                for (int i = 0; i < SIDE; i++)
                    assert_int_equal(here[a][j][i],
                                     moved[a][(j + by[1] + 100) % SIDE][(i + by[0] + 100) % SIDE]);
    }
}

// Far away and huge, and without area.
static void takes_anything(void **state)
{
    (void)state;
    const int n[3] = {SIDE, SIDE, SIDE};
    const int64_t far = GY_CROSS_MOST;
    surface s = {
        .dim = 3, .points = 3, .at = {{-far, -far, 12345}, {far, -far, 12345}, {0, far, 12345}}};
    add_facet(&s, 0, 1, 2);
    assert_int_equal(cross_all(&s, n, 0), SIDE * SIDE);
    for (int a = 0; a < 3; a++)
        s.at[2][a] = s.at[1][a];
    assert_int_equal(cross_all(&s, n, 0), 0);
    int64_t units;
    assert_false(gy_cross_round(0.0 / (double)(s.points - 3), &units));
    assert_false(gy_cross_round(1e12, &units));
    assert_true(gy_cross_round(-0.25 / GY_CROSS_UNIT, &units) && units == 0);
    assert_true(gy_cross_round(-0.75 / GY_CROSS_UNIT, &units) && units == -1);
}

static void same_bits_everywhere(void **state)
{
    (void)state;
    const int n[3] = {SIDE, SIDE, SIDE};
    uint64_t hash = 0;
    drawn = 4242;
    for (int trial = 0; trial < 40; trial++) {
        static surface s;
        if (trial % 2)
            make_polygon(&s, trial / 2 % 3);
        else
            make_torus(&s, trial / 2 % 3);
        int64_t count = cross_all(&s, n, trial % 4 == 1 ? 3 : 0);
        hash = gy_hash(found, (size_t)count * sizeof *found, hash);
    }
    if (hash != 0xb7d5a7b7bacd1f29u)
        fail_msg("hash %#llx", (unsigned long long)hash);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_ones_part),       cmocka_unit_test(agrees_with_a_shift),
        cmocka_unit_test(a_line_through_centres), cmocka_unit_test(goes_round),
        cmocka_unit_test(takes_anything),         cmocka_unit_test(same_bits_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
