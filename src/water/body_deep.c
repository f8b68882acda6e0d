// How deep water meets a body: mode dispersive, whose waves know how deep they are.
//
// Linear theory (Cummins 1962; Newman 1977): what a body moves acts on the surface as a source as
// deep as it is, and is pushed by what of a wave comes down there. Of waves of wave number k both
// are less by
//
//     F(k) = e^(-k D),   D = (1 + added_mass) V / A,
//
// V what it displaces and A its area seen from above: e^(-k V / A) is the pressure's decay down to
// it, and the mass that moves along, which has to follow the water as well, takes 1 - k added_mass
// V / A. Where a body heaves by itself, k D = 1. Seen from above that source is
//
//     w(r) = (1 + r^2 / b^2)^(-3/2),   b = 1.1 (D + B^2 / 8 D),
//
// r the distance from its longer axis (drawn in by half of its width B, so that of a body as wide
// as long a point is left), whose own width makes F less by 1 - k^2 B^2 / 8, as a disk's does. That
// falls so slowly that a part of it lies far out: weights end `FAR` b away, and what would lie
// beyond is spread over all within, where only long waves see it, and b is a tenth more than it
// would be for that. In water of one dimension it is
// 1 / (1 + r^2 / b^2). Tilts are read and made by the derivative's weights, (1 + r^2 / b^2)^(-5/2)
// times the way, which are near.
//
// Waves that are not deep come down as far as the bed, D is half of the depth at most. The mass
// that moves along at once, `added_mass`, is that of infinitely fast motion: 1/2 of a hemisphere.
//
// Cost: a division and two roots a cell near the body, some five times D about it.
#include "water/form.h"

static const double FAR = 5.0;

void gy_group_deepen(const gy_bodies *b, const gy_water_surface *surf, const gy_form *form,
                     int first, int count, gy_group *g)
{
    double area = 0.0, wet = 0.0, deep = 0.0, h = (double)b->grid.h;
    double sum[5] = {0.0};
    gy_deep *d = &g->deep;
    *d = (gy_deep){.line = b->grid.n[0] == 1 || b->grid.n[1] == 1};
    for (int k = first; k < first + count && b->deep; k++) {
        const gy_column *c = b->columns + k;
        const gy_cell *cell = b->cells + c->cell;
        double a = (double)c->area, x = (double)c->x, y = (double)c->y;
        area += a;
        wet += gy_column_wet(c, (double)cell->bed, (double)cell->surface);
        deep += a * GY_MAX((double)(cell->surface - cell->bed), 0.0);
        x -= (double)b->columns[first].x;
        y -= (double)b->columns[first].y;
        const double by[5] = {x, y, x * x, x * y, y * y};
        for (int q = 0; q < 5; q++) {
            sum[q] += a * by[q];
        }
    }
    if (!(area > 0.0)) {
        return;
    }
    double mx = sum[0] / area, my = sum[1] / area, xx = sum[2] / area - mx * mx;
    double xy = sum[3] / area - mx * my, yy = sum[4] / area - my * my;
    double mean = 0.5 * (xx + yy), part = 0.5 * (xx - yy);
    double apart = __builtin_sqrt(part * part + xy * xy), least = h * h / 12.0;
    double longer = 2.0 * __builtin_sqrt(GY_MAX(mean + apart, least));
    d->width = 2.0 * __builtin_sqrt(GY_MAX(mean - apart, least));
    d->half = d->line ? 0.0 : longer - d->width;
    // The longer axis, of the half angle.
    double c = apart > 0.0 ? part / apart : 1.0;
    d->along[0] = __builtin_sqrt(0.5 * (1.0 + c));
    d->along[1] = __builtin_copysign(__builtin_sqrt(GY_MAX(0.5 * (1.0 - c), 0.0)), xy);
    d->x = (double)b->columns[first].x + mx;
    d->y = (double)b->columns[first].y + my;
    if (d->line) {
        d->width = longer;
    }
    double floats = GY_MIN(form->mass / (double)surf->density, form->volume) / (h * h);
    double draft = (form->mass > 0.0 ? floats : wet) / area * (1.0 + form->added);
    draft = GY_MIN(draft, 0.5 * deep / area);
    draft = GY_MAX(draft, 0.01 * h);
    double more = GY_MIN(d->width * d->width / (8.0 * draft), 0.35 * d->width);
    d->depth = GY_MAX(GY_MAX(1.1 * (draft + more), 0.65 * d->width), 1.5 * h);
}

int gy_deep_margin(const gy_bodies *b, gy_group *g, const int low[2], const int high[2], int base)
{
    enum { MOST = 120 };
    double h = (double)b->grid.h, far = (FAR * g->deep.depth - g->deep.width) / h + 1.0;
    int margin = GY_MAX((int)GY_MIN(far, (double)MOST), base);
    for (int a = 0; a < 2; a++) { // it shall not meet itself round the domain
        int n = b->grid.n[a], across = high[a] + 1 - low[a];
        if (b->periodic[a] && n > 1 && across + 2 * margin > n) {
            margin = GY_MAX((n - across) / 2, base);
        }
    }
    int64_t wide = high[0] - low[0] + 3, tall = high[1] - low[1] + 3;
    while (margin > base && (wide + 2 * margin) * (tall + 2 * margin) > b->zone_cap) {
        margin--;
    }
    g->deep.cut = GY_MIN((margin * h + g->deep.width) / g->deep.depth, FAR);
    return margin;
}

/// The square of a cell's distance from the axis, over that of the depth.
static double away(const gy_deep *d, double x, double y)
{
    double s = x * d->along[0] + y * d->along[1];
    s = GY_MAX(GY_MIN(s, d->half), -d->half);
    x -= s * d->along[0];
    y -= s * d->along[1];
    return (x * x + y * y) / (d->depth * d->depth);
}

/// What weights of all cells have in common: where they end, how large they are there, what lies
/// beyond.
typedef struct edge {
    double cut, end, beyond;
} edge;

static edge edge_of(const gy_deep *d)
{
    double cut = d->cut * d->cut, root = __builtin_sqrt(1.0 + cut);
    return (edge){.cut = cut,
                  .end = d->line ? 1.0 / (1.0 + cut) : 1.0 / ((1.0 + cut) * root),
                  .beyond = d->line ? 3.0 / (2.0 * cut) : 4.0 / (cut * root)};
}

static void weigh(const gy_deep *d, const edge *e, double square, gy_near *near)
{
    double cut = e->cut, end = e->end, beyond = e->beyond;
    double one = 1.0 + square, root = __builtin_sqrt(one);
    bool in = square < cut && near->weight > 0.0f;
    double w = d->line ? 1.0 / one : 1.0 / (one * root);
    w += beyond * (1.0 - square / cut) - end * square / cut;
    near->weight = in && w > 0.0 ? (float)w : 0.0f;
    near->tilt = in ? (float)(d->line ? 1.0 / (one * one) : 1.0 / (one * one * root)) : 0.0f;
}

void gy_deep_fit(gy_bodies *b, const gy_group *g, int count, gy_plane *p)
{
    const gy_deep *d = &g->deep;
    const edge e = edge_of(d);
    double h = (double)b->grid.h, base = (double)b->zone[0].height, sum[4] = {0.0}, tilt[3] = {0.0};
    for (int k = 0; k < count; k++) {
        gy_near *n = b->zone + k;
        double x = (double)b->grid.origin[0] + (n->i + 0.5) * h - d->x;
        double y = (double)b->grid.origin[1] + (n->j + 0.5) * h - d->y;
        weigh(d, &e, away(d, x, y), n);
        double w = (double)n->weight, t = (double)n->tilt;
        sum[0] += w;
        sum[1] += w * x;
        sum[2] += w * y;
        sum[3] += w * ((double)n->height - base);
        tilt[0] += t;
        tilt[1] += t * x;
        tilt[2] += t * y;
    }
    p->deep = true;
    p->weight = sum[0];
    p->wet = sum[0] > 0.0 && tilt[0] > 0.0;
    if (!p->wet) {
        return;
    }
    p->x = d->x + sum[1] / sum[0];
    p->y = d->y + sum[2] / sum[0];
    p->height = base + sum[3] / sum[0];
    p->off[0] = d->x + tilt[1] / tilt[0] - p->x;
    p->off[1] = d->y + tilt[2] / tilt[0] - p->y;
    p->least = 1e30;
    double second[3] = {0.0}, lean[2] = {0.0};
    for (int k = 0; k < count; k++) {
        const gy_near *n = b->zone + k;
        double w = (double)n->weight, t = (double)n->tilt, u = (double)n->height - p->height;
        double x = (double)b->grid.origin[0] + (n->i + 0.5) * h - p->x;
        double y = (double)b->grid.origin[1] + (n->j + 0.5) * h - p->y;
        if (w > 0.0) {
            p->least = GY_MIN(p->least, (double)n->limit);
            p->reach = GY_MAX(p->reach, GY_MAX(__builtin_fabs(x), __builtin_fabs(y)));
        }
        x -= p->off[0];
        y -= p->off[1];
        const double f[3] = {w, t * x, t * y};
        second[0] += f[1] * x;
        second[1] += f[1] * y;
        second[2] += f[2] * y;
        lean[0] += f[1] * u;
        lean[1] += f[2] * u;
        p->squares[0] += f[0] * f[0];
        p->squares[1] += f[0] * f[1];
        p->squares[2] += f[0] * f[2];
        p->squares[3] += f[1] * f[1];
        p->squares[4] += f[1] * f[2];
        p->squares[5] += f[2] * f[2];
    }
    // A little is added, so that a row of cells, that has no tilt across, has an inverse.
    double more = 0.05 * tilt[0] * h * h;
    second[0] += more;
    second[2] += more;
    double det = second[0] * second[2] - second[1] * second[1];
    p->inverse[0] = second[2] / det;
    p->inverse[1] = -second[1] / det;
    p->inverse[2] = second[0] / det;
    p->dx = p->inverse[0] * lean[0] + p->inverse[1] * lean[1];
    p->dy = p->inverse[1] * lean[0] + p->inverse[2] * lean[1];
}
