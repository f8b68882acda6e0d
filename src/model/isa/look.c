// model/isa/look.c: segments cut to the domain and into legs: see model/sight.c. Which way one goes
// is anybody's guess, a processor's, too: hardly anything here branches on it.
#include "base/maths.h"
#include "model/isa/isa.h"
#include "model/sight.h"

enum { LEG = 32 };

// ---- legs

/// The cell at u of what goes by so much: on a plane the one that it goes into.
GY_INLINE int cell_into(double u, double by)
{
    int low = gy_floor_of(u);
    return low - ((by < 0.0) & (low == u));
}

/// On a plane the one that it comes from.
GY_INLINE int cell_from(double u, double by)
{
    int low = gy_floor_of(u);
    return low - ((by > 0.0) & (low == u));
}

/// Runs the legs that there are, with others beside the last that go nowhere.
static void run_legs(gy_sight *b, bool walls)
{
    gy_legs *l = &b->legs;
    bool direct = b->source.direct && !walls;
    for (int q = l->used; q % GY_MOST_LANES; q++) {
        for (int a = 0; a < 3; a++) {
            l->off[a][q] = l->by[a][q] = 0.0f;
            l->cell[a][q] = l->last[a][q] = 0;
        }
        l->inner[q] = !direct;
    }
    if (walls) {
        GY_ASKED(gy_run_walls)(b);
    } else {
        GY_ASKED(gy_run_integrals)(b);
    }
    l->used = 0;
}

/// Where the legs of a segment begin and end along one axis.
typedef struct stretch {
    double from, to;
    int first, last;
} stretch;

static void add_leg(gy_sight *b, int owner, const stretch e[3], double start, double share,
                    bool walls)
{
    gy_legs *l = &b->legs;
    int q = l->used++;
    bool inner = !b->source.direct || walls;
    for (int a = 0; a < b->grid->dim; a++) {
        int first = e[a].first, last = e[a].last;
        int most = walls ? b->grid->n[a] : b->source.view.n[a] - 1;
        l->off[a][q] = (float)(e[a].from - e[a].first);
        l->by[a][q] = (float)(e[a].to - e[a].from);
        l->cell[a][q] = e[a].first;
        l->last[a][q] = e[a].last;
        inner &= (first >= 0) & (first < most) & (last >= 0) & (last < most);
    }
    l->inner[q] = inner;
    l->owner[q] = owner;
    l->start[q] = start;
    l->share[q] = share;
    if (l->used == GY_LEGS) {
        run_legs(b, walls);
    }
}

/// Cuts a segment up to t = `end`, in the lattice of cells for walls, else in that of samples.
static void add_legs(gy_sight *b, int owner, double end, bool walls)
{
    const gy_segment *s = &b->list[owner];
    double most = 0.0;
    stretch e[3] = {{0}};
    for (int a = 0; a < b->grid->dim; a++) {
        double by = s->by[a] * end;
        most = GY_MAX(most, __builtin_fabs(by));
        e[a].from = s->from[a] - (walls ? 0.0 : b->place[a]);
        e[a].first = cell_into(e[a].from, by);
    }
    int count = GY_MAX(gy_ceil_of(most / LEG), 1);
    for (int q = 0; q < count; q++) {
        double from = end * q / count, to = q + 1 < count ? end * (q + 1) / count : end;
        for (int a = 0; a < b->grid->dim; a++) {
            double by = s->by[a], u = s->from[a] - (walls ? 0.0 : b->place[a]) + to * by;
            e[a].to = u;
            e[a].last = q + 1 == count ? cell_from(u, by) : cell_into(u, by);
            if (walls && !(b->around.periodic >> a & 1u)) {
                // On a side it is in the last cell.
                int n = b->grid->n[a];
                e[a].first = GY_MIN(GY_MAX(e[a].first, 0), n - 1);
                e[a].last = GY_MIN(GY_MAX(e[a].last, 0), n - 1);
            }
        }
        add_leg(b, owner, e, from, to - from, walls);
        for (int a = 0; a < b->grid->dim; a++) {
            e[a].from = e[a].to;
            e[a].first = e[a].last;
        }
    }
}

// ---- segments

/// Cuts off what is outside along axes that are not periodic.
static void clip_segment(const gy_sight *b, gy_segment *s)
{
    double h = (double)b->grid->h, start = 0.0, end = 1.0, inside = 0.0;
    for (int a = 0; a < b->grid->dim; a++) {
        double by = s->by[a], from = s->from[a];
        int n = b->grid->n[a];
        if (b->around.periodic >> a & 1u) {
            continue;
        }
        if (by == 0.0) {
            s->any = s->any && from >= 0.0 && from <= n;
        } else {
            double low = -from / by, high = (n - from) / by;
            start = GY_MAX(start, GY_MIN(low, high));
            end = GY_MIN(end, GY_MAX(low, high));
        }
    }
    s->any = s->any && start < end;
    s->start = start * s->length;
    for (int a = 0; a < b->grid->dim && s->any; a++) {
        bool wraps = b->around.periodic >> a & 1u;
        double from = s->from[a] + start * s->by[a], to = s->from[a] + end * s->by[a];
        int n = b->grid->n[a];
        s->from[a] = wraps ? from : GY_MIN(GY_MAX(from, 0.0), n);
        s->by[a] = (wraps ? to : GY_MIN(GY_MAX(to, 0.0), n)) - s->from[a];
        inside += s->by[a] * s->by[a];
    }
    s->inside = __builtin_sqrt(inside) * h;
}

static gyre_result place_segment(const gy_sight *b, const float *ends, gy_segment *s)
{
    double h = (double)b->grid->h, per = 1.0 / h, whole = 0.0;
    bool within = true;
    *s = (gy_segment){.any = true, .wall = 2.0};
    for (int a = 0; a < b->grid->dim; a++) {
        double by = ((double)ends[3 + a] - (double)ends[a]) * per;
        double from = ((double)ends[a] - (double)b->grid->origin[a]) * per;
        int n = b->grid->n[a];
        if (b->around.periodic >> a & 1u) {
            if (__builtin_fabs(by) > n * (1.0 + 1e-6)) {
                return gyre_fail(GYRE_ERROR_ARGUMENT,
                                 "sight: a segment of %g m along %c, which is periodic and %g m "
                                 "long",
                                 __builtin_fabs(by) * h, 'x' + a, n * h);
            }
            from -= gy_turns(from, n);
        } else {
            within &= (from >= 0.0) & (from <= n) & (from + by >= 0.0) & (from + by <= n);
        }
        s->from[a] = from;
        s->by[a] = by;
        whole += by * by;
    }
    s->length = s->inside = __builtin_sqrt(whole) * h;
    if (!within) {
        clip_segment(b, s);
    }
    return GYRE_OK;
}

static gyre_sight sight_of(const gy_sight *b, const gy_segment *s)
{
    double sum = s->sum * s->inside, dark = sum > 0.0 ? (double)b->absorption * sum : 0.0;
    bool blocked = s->wall <= 1.0;
    return (gyre_sight){.integral = (float)GY_MIN(GY_MAX(sum, -3e38), 3e38),
                        .transmittance = gy_expf((float)-GY_MIN(dark, 100.0)),
                        .reach = (float)(blocked ? s->start + s->wall * s->inside : s->length),
                        .blocked = blocked};
}

/// Whether all that is round a segment is open, so that nothing has to be looked for; false:
/// perhaps not. Where there are bits of faces looking is as fast.
static bool is_clear(const gy_sight *b, const gy_segment *s)
{
    const gyre_model *model = b->source.model;
    gy_box box = {{0, 0, 0}, {1, 1, 1}};
    bool within = !b->around.fluid;
    for (int a = 0; a < b->grid->dim && within; a++) {
        int first = cell_into(s->from[a], s->by[a]);
        int last = cell_from(s->from[a] + s->by[a], s->by[a]);
        box.low[a] = GY_MIN(first, last);
        box.high[a] = GY_MAX(first, last) + 1;
        within = box.low[a] >= 0 && box.high[a] <= b->grid->n[a];
    }
    return within && model->type->clear(model, &b->around, &box);
}

/// Up to GY_SEGMENTS at once: first where they end, then what is before that.
gyre_result GY_ASKED(gy_look)(gy_sight *b, const float *segments, int count, gyre_sight *sights)
{
    bool walls = b->walls && b->around.walls;
    for (int q = 0; q < count; q++) {
        gyre_result r = place_segment(b, segments + 6 * q, &b->list[q]);
        if (r != GYRE_OK) {
            return r;
        }
    }
    for (int q = 0; q < count && walls; q++) {
        const gy_segment *s = &b->list[q];
        if (s->any && !is_clear(b, s)) {
            add_legs(b, q, 1.0, true);
        }
    }
    if (walls) {
        run_legs(b, true);
    }
    for (int q = 0; q < count; q++) {
        const gy_segment *s = &b->list[q];
        if (s->any && s->wall > 0.0) {
            add_legs(b, q, GY_MIN(s->wall, 1.0), false);
        }
    }
    run_legs(b, false);
    for (int q = 0; q < count; q++) {
        sights[q] = sight_of(b, &b->list[q]);
    }
    return GYRE_OK;
}
