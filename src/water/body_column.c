// Bodies as columns of intervals.
//
// Vertical lines are laid through a body: rows of them along x, 1 to 4 rows and as many lines along
// x to a cell. The rows share out what the body covers of a cell along y, the lines what it covers
// along x, so that the area that a line stands for changes smoothly as the body moves. What the
// lines of a cell find is kept as a mean and a spread; last of all the areas are scaled, so that
// the columns' volume is the body's own.
#include "base/maths.h"
#include "water/form.h"
#include <string.h>

typedef struct scan {
    gy_bodies *bodies;
    const gy_form *form;
    const gy_pose *pose;
    double low[3], high[3];
    int i0, j0, nx, ny; // cells
    int fine;           // lines along a cell's edge
    double h, part;     // part: 1 / fine
} scan;

enum { ROW_Y, ROW_SHARE, ROW_FROM, ROW_TO, ROW_NUMBERS };

/// The two ends of a capsule's axis (of a sphere both are its centre).
static void ends_of(const gy_form *form, const gy_pose *pose, double a[3], double b[3])
{
    double half[3] = {0.5 * (double)form->length, 0.0, 0.0};
    gy_pose_apply(pose, half, b);
    half[0] = -half[0];
    gy_pose_apply(pose, half, a);
}

static bool is_round(const gy_form *form)
{
    return form->kind == GYRE_BODY_SPHERE || form->kind == GYRE_BODY_CAPSULE;
}

void gy_form_bounds(const gy_form *form, const gy_pose *pose, double low[3], double high[3])
{
    if (is_round(form)) {
        double a[3], b[3], r = (double)form->radius;
        ends_of(form, pose, a, b);
        for (int k = 0; k < 3; k++) {
            low[k] = GY_MIN(a[k], b[k]) - r;
            high[k] = GY_MAX(a[k], b[k]) + r;
        }
        return;
    }
    for (int k = 0; k < 3; k++) {
        low[k] = 1e30;
        high[k] = -1e30;
    }
    for (int p = 0; p < form->point_count; p++) {
        const float *from = form->points + 3 * p;
        const double own[3] = {(double)from[0], (double)from[1], (double)from[2]};
        double at[3];
        gy_pose_apply(pose, own, at);
        for (int k = 0; k < 3; k++) {
            low[k] = GY_MIN(low[k], at[k]);
            high[k] = GY_MAX(high[k], at[k]);
        }
    }
}

// ---- lines through round bodies
// -------------------------------------------------------------------

/// What a disc or the strip between two of them (a capsule from above) covers of a row.
static void round_row(const double a[3], const double b[3], double r, double y, double *from,
                      double *to)
{
    const double *end[2] = {a, b};
    for (int e = 0; e < 2; e++) {
        double d = y - end[e][1], square = r * r - d * d;
        if (square > 0.0) {
            double half = __builtin_sqrt(square);
            *from = GY_MIN(*from, end[e][0] - half);
            *to = GY_MAX(*to, end[e][0] + half);
        }
    }
    double dx = b[0] - a[0], dy = b[1] - a[1], length = __builtin_sqrt(dx * dx + dy * dy);
    if (!(length > 0.0) || dy == 0.0) {
        return;
    }
    for (int side = -1; side <= 1; side += 2) {
        double sx = -dy / length * r * side, sy = dx / length * r * side;
        double t = (y - a[1] - sy) / dy;
        if (t >= 0.0 && t <= 1.0) {
            double x = a[0] + sx + t * dx;
            *from = GY_MIN(*from, x);
            *to = GY_MAX(*to, x);
        }
    }
}

/// The interval of a capsule on a vertical line: from the lowest to the highest place where the
/// line meets one of the balls at its ends or the tube between them.
static bool round_line(const double a[3], const double b[3], double r, double x, double y,
                       double *low, double *high)
{
    const double *end[2] = {a, b};
    *low = 1e30;
    *high = -1e30;
    for (int e = 0; e < 2; e++) {
        double dx = x - end[e][0], dy = y - end[e][1], square = r * r - dx * dx - dy * dy;
        if (square > 0.0) {
            double half = __builtin_sqrt(square);
            *low = GY_MIN(*low, end[e][2] - half);
            *high = GY_MAX(*high, end[e][2] + half);
        }
    }
    double u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    double length = __builtin_sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    double flat = length > 0.0 ? (u[0] * u[0] + u[1] * u[1]) / (length * length) : 0.0;
    if (flat > 1e-12) {
        // |d + z e|^2 - ((d + z e) u)^2 = r^2, with d from a to the line at a's height.
        double d[2] = {x - a[0], y - a[1]}, uz = u[2] / length;
        double du = (d[0] * u[0] + d[1] * u[1]) / length;
        double half = -du * uz / flat;
        double square = half * half - (d[0] * d[0] + d[1] * d[1] - du * du - r * r) / flat;
        if (square > 0.0) {
            double root = __builtin_sqrt(square);
            for (int side = -1; side <= 1; side += 2) {
                double z = -half + side * root, t = du + z * uz;
                if (t >= 0.0 && t <= length) {
                    *low = GY_MIN(*low, a[2] + z);
                    *high = GY_MAX(*high, a[2] + z);
                }
            }
        }
    }
    return *high > *low;
}

// ---- lines through surfaces of triangles
// ----------------------------------------------------------

/// Where the edge p q crosses y; reckoned from its lower end, so that both triangles at it agree.
static void cross(const double p[3], const double q[3], double y, double at[2])
{
    const double *a = p[1] < q[1] || (p[1] == q[1] && p[0] <= q[0]) ? p : q, *b = a == p ? q : p;
    double t = (y - a[1]) / (b[1] - a[1]);
    at[0] = a[0] + t * (b[0] - a[0]);
    at[1] = a[2] + t * (b[2] - a[2]);
}

/// The segment (x, z to x, z; x rising) in which a triangle meets the plane y; false: it does not.
static bool cut_triangle(double p[3][3], double y, double from[2], double to[2])
{
    double at[2][2];
    int found = 0;
    for (int k = 0; k < 3; k++) {
        const double *a = p[k], *b = p[(k + 1) % 3];
        if ((a[1] <= y) != (b[1] <= y) && found < 2) {
            cross(a, b, y, at[found++]);
        }
    }
    if (found < 2) {
        return false;
    }
    int first = at[0][0] <= at[1][0] ? 0 : 1;
    memcpy(from, at[first], sizeof at[0]);
    memcpy(to, at[1 - first], sizeof at[0]);
    return true;
}

static void triangle_of(const scan *s, int t, double p[3][3])
{
    for (int k = 0; k < 3; k++) {
        const float *from = s->form->points + 3 * gy_form_corner(s->form, t, k);
        const double own[3] = {(double)from[0], (double)from[1], (double)from[2]};
        gy_pose_apply(s->pose, own, p[k]);
    }
}

/// The first and last row of lines that y from low to high may meet.
static void rows_between(const scan *s, double low, double high, int *first, int *last)
{
    double per = s->fine / s->h, start = s->j0 * s->h;
    *first = (int)GY_MAX((low - start) * per - s->fine - 1.0, 0.0);
    *last = (int)GY_MIN((high - start) * per + s->fine + 1.0, s->ny * s->fine - 1.0);
}

/// Rows that triangles cover: every triangle widens those that it meets.
static void triangle_rows(scan *s)
{
    for (int t = 0; t < s->form->triangle_count; t++) {
        double p[3][3], from[2], to[2];
        int first, last;
        triangle_of(s, t, p);
        rows_between(s, GY_MIN(p[0][1], GY_MIN(p[1][1], p[2][1])),
                     GY_MAX(p[0][1], GY_MAX(p[1][1], p[2][1])), &first, &last);
        for (int r = first; r <= last; r++) {
            double *row = s->bodies->rows + ROW_NUMBERS * r;
            if (row[ROW_SHARE] > 0.0 && cut_triangle(p, row[ROW_Y], from, to)) {
                row[ROW_FROM] = GY_MIN(row[ROW_FROM], from[0]);
                row[ROW_TO] = GY_MAX(row[ROW_TO], to[0]);
            }
        }
    }
}

/// The part of a row that lies in cell i: where it starts and how wide it is; 0: none.
static double in_cell(const scan *s, const double *row, int i, double *start)
{
    double x = (s->i0 + i) * s->h;
    *start = GY_MAX(x, row[ROW_FROM]);
    return GY_MIN(x + s->h, row[ROW_TO]) - *start;
}

/// Lines that a segment from one x to another covers (the first in, the last out, so that no line
/// is met twice where two triangles touch): their height on it is noted.
static void note_hits(scan *s, int r, const double from[2], const double to[2])
{
    const double *row = s->bodies->rows + ROW_NUMBERS * r;
    if (!(to[0] > from[0])) {
        return;
    }
    double rise = (to[1] - from[1]) / (to[0] - from[0]);
    int i = GY_MAX((int)(from[0] / s->h) - s->i0 - 1, 0);
    for (; i < s->nx && (s->i0 + i) * s->h < to[0]; i++) {
        double start, width = in_cell(s, row, i, &start);
        if (!(width > 0.0)) {
            continue;
        }
        for (int q = 0; q < s->fine; q++) {
            double x = start + (q + 0.5) * width * s->part;
            if (x >= from[0] && x < to[0]) {
                int sample = (r * s->nx + i) * s->fine + q;
                uint8_t *count = &s->bodies->hit_count[sample];
                if (*count < GY_COLUMN_HITS) {
                    s->bodies->hits[(size_t)sample * GY_COLUMN_HITS + (*count)++] =
                        (float)(from[1] + rise * (x - from[0]));
                }
            }
        }
    }
}

static void triangle_lines(scan *s)
{
    for (int t = 0; t < s->form->triangle_count; t++) {
        double p[3][3], from[2], to[2];
        int first, last;
        triangle_of(s, t, p);
        rows_between(s, GY_MIN(p[0][1], GY_MIN(p[1][1], p[2][1])),
                     GY_MAX(p[0][1], GY_MAX(p[1][1], p[2][1])), &first, &last);
        for (int r = first; r <= last; r++) {
            const double *row = s->bodies->rows + ROW_NUMBERS * r;
            if (row[ROW_TO] > row[ROW_FROM] && cut_triangle(p, row[ROW_Y], from, to)) {
                note_hits(s, r, from, to);
            }
        }
    }
}

static void round_lines(scan *s)
{
    double a[3], b[3], low, high;
    ends_of(s->form, s->pose, a, b);
    for (int r = 0; r < s->ny * s->fine; r++) {
        const double *row = s->bodies->rows + ROW_NUMBERS * r;
        for (int i = 0; i < s->nx && row[ROW_TO] > row[ROW_FROM]; i++) {
            double start, width = in_cell(s, row, i, &start);
            for (int q = 0; q < s->fine && width > 0.0; q++) {
                double x = start + (q + 0.5) * width * s->part;
                if (round_line(a, b, (double)s->form->radius, x, row[ROW_Y], &low, &high)) {
                    int sample = (r * s->nx + i) * s->fine + q;
                    s->bodies->hit_count[sample] = 2;
                    s->bodies->hits[(size_t)sample * GY_COLUMN_HITS] = (float)low;
                    s->bodies->hits[(size_t)sample * GY_COLUMN_HITS + 1] = (float)high;
                }
            }
        }
    }
}

// ---- a domain that is joined to itself
// -----------------------------------------------------------

void gy_body_bring_in(const gy_bodies *b, const gy_form *form, gy_pose *pose)
{
    for (int a = 0; a < 2; a++) {
        double period = b->grid.n[a] * (double)b->grid.h;
        double times = (pose->at[a] - (double)b->grid.origin[a]) / period;
        if (gy_body_is_joined(b, form, a) && (times < 0.0 || times >= 1.0)) {
            int64_t whole = (int64_t)times;
            whole -= (double)whole > times;
            pose->at[a] -= (double)whole * period;
        }
    }
}

// ---- columns ------------------------------------------------------------------------------------

static bool prepare(scan *s)
{
    const gyre_grid *g = &s->bodies->grid;
    double area;
    gy_form_bounds(s->form, s->pose, s->low, s->high);
    int first[2], end[2];
    for (int k = 0; k < 2; k++) {
        if (gy_body_is_joined(s->bodies, s->form, k)) {
            // From a period below on, so that what is cut off is a floor.
            first[k] = (int)(s->low[k] / s->h + g->n[k]) - g->n[k];
            end[k] = (int)(s->high[k] / s->h + 1.0 + g->n[k]) - g->n[k];
            continue;
        }
        if (!(s->high[k] > 0.0) || !(s->low[k] < g->n[k] * s->h)) {
            return false;
        }
        first[k] = (int)GY_MAX(s->low[k] / s->h, 0.0);
        end[k] = (int)GY_MIN(s->high[k] / s->h + 1.0, g->n[k]);
    }
    s->i0 = first[0];
    s->j0 = first[1];
    s->nx = end[0] - first[0];
    s->ny = end[1] - first[1];
    if (s->nx <= 0 || s->ny <= 0) {
        return false;
    }
    area = (s->high[0] - s->low[0]) * (s->high[1] - s->low[1]) / (s->h * s->h);
    s->fine = area > 225.0 ? 1 : area > 100.0 ? 2 : area > 36.0 ? 3 : 4;
    while (s->fine > 1 && s->nx * s->ny * s->fine * s->fine > s->bodies->sample_cap) {
        s->fine--;
    }
    s->part = 1.0 / s->fine;
    return s->nx * s->ny * s->fine * s->fine <= s->bodies->sample_cap &&
           s->ny * s->fine <= s->bodies->row_cap;
}

static void make_rows(scan *s)
{
    double a[3], b[3];
    ends_of(s->form, s->pose, a, b);
    for (int j = 0; j < s->ny; j++) {
        double y = (s->j0 + j) * s->h, from = GY_MAX(y, s->low[1]);
        double width = GY_MIN(y + s->h, s->high[1]) - from;
        for (int q = 0; q < s->fine; q++) {
            double *row = s->bodies->rows + ROW_NUMBERS * (j * s->fine + q);
            row[ROW_Y] = from + (q + 0.5) * width / s->fine;
            row[ROW_SHARE] = width > 0.0 ? width / (s->fine * s->h) : 0.0;
            row[ROW_FROM] = 1e30;
            row[ROW_TO] = -1e30;
            if (is_round(s->form) && width > 0.0) {
                round_row(a, b, (double)s->form->radius, row[ROW_Y], row + ROW_FROM, row + ROW_TO);
            }
        }
    }
    if (!is_round(s->form)) {
        triangle_rows(s);
    }
}

typedef struct sums {
    double area, x, y, low, high, low2, high2;
} sums;

/// Adds the intervals of one line, lowest first, to the sums of their ranks.
static int add_line(const scan *s, int sample, double area, double x, double y, sums *rank)
{
    float *z = s->bodies->hits + (size_t)sample * GY_COLUMN_HITS;
    int count = s->bodies->hit_count[sample], intervals = 0;
    for (int a = 1; a < count; a++) {
        for (int b = a; b > 0 && z[b - 1] > z[b]; b--) {
            float t = z[b];
            z[b] = z[b - 1];
            z[b - 1] = t;
        }
    }
    for (int k = 0; k + 1 < count; k += 2) {
        // Heights are summed from the body's own, so that squares lose nothing.
        double low = (double)z[k] - s->pose->at[2], high = (double)z[k + 1] - s->pose->at[2];
        sums *to = rank + intervals++;
        to->area += area;
        to->x += area * x;
        to->y += area * y;
        to->low += area * low;
        to->high += area * high;
        to->low2 += area * low * low;
        to->high2 += area * high * high;
    }
    return intervals;
}

static float spread_of(double mean, double square)
{
    double variance = square - mean * mean;
    return variance > 1e-10 ? (float)__builtin_sqrt(3.0 * variance) : 0.0f;
}

/// Half of how much the `end` (0 low, 1 high) of a line varies over its cell, as told by the lines
/// of the cells beside it: where a cell has but one.
static float slope_of(const scan *s, int i, int j, int end)
{
    const gy_bodies *b = s->bodies;
    double square = 0.0;
    for (int a = 0; a < 2; a++) {
        int at = j * s->nx + i, to[2] = {at, at};
        int step = a == 0 ? 1 : s->nx, place = a == 0 ? i : j, most = a == 0 ? s->nx : s->ny;
        to[0] -= place > 0 && b->hit_count[at - step] == 2 ? step : 0;
        to[1] += place + 1 < most && b->hit_count[at + step] == 2 ? step : 0;
        if (to[1] > to[0]) {
            const float *p = b->hits + (size_t)to[0] * GY_COLUMN_HITS;
            const float *q = b->hits + (size_t)to[1] * GY_COLUMN_HITS;
            double d = end ? (double)GY_MAX(q[0], q[1]) - (double)GY_MAX(p[0], p[1])
                           : (double)GY_MIN(q[0], q[1]) - (double)GY_MIN(p[0], p[1]);
            d *= to[1] - to[0] == 2 * step ? 0.5 : 1.0;
            square += d * d;
        }
    }
    return square > 1e-10 ? (float)(0.5 * __builtin_sqrt(square)) : 0.0f;
}

/// As gy_column_beyond() reads it.
static uint32_t image_of(int beyond)
{
    return beyond < 0 ? 0u : beyond > 0 ? 2u : 1u;
}

/// The columns of one cell.
static double close_cell(const scan *s, int i, int j, int body, const sums *rank)
{
    gy_bodies *bodies = s->bodies;
    double volume = 0.0;
    for (int k = 0; k < GY_COLUMN_RANKS; k++) {
        const sums *from = rank + k;
        if (!(from->area > 1e-9) || bodies->column_count == bodies->column_cap) {
            continue;
        }
        double share = 1.0 / from->area, low = from->low * share, high = from->high * share;
        gy_column *c = bodies->columns + bodies->column_count++;
        int x = gy_body_cell(bodies, 0, s->i0 + i), y = gy_body_cell(bodies, 1, s->j0 + j);
        c->cell = x + bodies->grid.n[0] * y;
        c->next = -1;
        c->body = (uint32_t)body & 0xffffffu;
        c->image = (image_of(s->i0 + i - x) | image_of(s->j0 + j - y) << 4) & 0xffu;
        c->units = 0;
        c->x = (float)(from->x * share);
        c->y = (float)(from->y * share);
        c->area = (float)from->area;
        c->low = (float)(low + s->pose->at[2]);
        c->high = (float)(high + s->pose->at[2]);
        c->low_spread = spread_of(low, from->low2 * share);
        c->high_spread = spread_of(high, from->high2 * share);
        if (s->fine == 1 && bodies->hit_count[j * s->nx + i] == 2) {
            c->low_spread = slope_of(s, i, j, 0);
            c->high_spread = slope_of(s, i, j, 1);
        }
        volume += from->area * ((double)c->high - (double)c->low);
    }
    return volume;
}

static double gather_cell(const scan *s, int i, int j, int body)
{
    sums rank[GY_COLUMN_RANKS];
    int ranks = 0;
    memset(rank, 0, sizeof rank);
    for (int q = 0; q < s->fine; q++) {
        int r = j * s->fine + q;
        const double *row = s->bodies->rows + ROW_NUMBERS * r;
        double start, width = in_cell(s, row, i, &start);
        double area = row[ROW_SHARE] * width / (s->h * s->fine);
        for (int k = 0; k < s->fine && width > 0.0; k++) {
            double x = start + (k + 0.5) * width * s->part;
            int found = add_line(s, (r * s->nx + i) * s->fine + k, area, x, row[ROW_Y], rank);
            ranks = GY_MAX(ranks, found);
        }
    }
    return ranks ? close_cell(s, i, j, body, rank) : 0.0;
}

void gy_columns_make(gy_bodies *bodies, const gy_form *form, const gy_pose *pose, int body)
{
    const gyre_grid *g = &bodies->grid;
    gy_pose own = *pose; // from the grid's corner
    scan s = {.bodies = bodies, .form = form, .pose = &own, .h = (double)g->h};
    own.at[0] -= (double)g->origin[0];
    own.at[1] -= (double)g->origin[1];
    if (!form->ready || !prepare(&s)) {
        return;
    }
    int samples = s.nx * s.ny * s.fine * s.fine, first = bodies->column_count;
    memset(bodies->hit_count, 0, (size_t)samples);
    make_rows(&s);
    if (is_round(form)) {
        round_lines(&s);
    } else {
        triangle_lines(&s);
    }
    double volume = 0.0;
    for (int j = 0; j < s.ny; j++) {
        for (int i = 0; i < s.nx; i++) {
            volume += gather_cell(&s, i, j, body);
        }
    }
    volume *= s.h * s.h;
    bool whole = true;
    for (int k = 0; k < 2; k++) {
        bool inside = s.low[k] >= 0.0 && s.high[k] <= g->n[k] * s.h;
        whole = whole && (inside || gy_body_is_joined(bodies, form, k));
    }
    double scale = whole && volume > 0.0 ? form->volume / volume : 1.0;
    scale = scale < 0.5 ? 0.5 : scale > 2.0 ? 2.0 : scale;
    for (int c = first; c < bodies->column_count; c++) {
        bodies->columns[c].area = (float)((double)bodies->columns[c].area * scale);
        bodies->columns[c].x += g->origin[0];
        bodies->columns[c].y += g->origin[1];
    }
}
