// ocean/particles.c: wave particles at a point (C. Yuksel, D. House and J. Keyser, Wave Particles,
// ACM Trans. Graph. 26, 2007): rings of emitters, arcs that bodies have shed.
//
//     z = sum a b(d / r),   b = (1 + cos(pi d / r)) / 2,   d = |x - p|, p' = c e
//     move = -sideways sin(pi e.(x - p) / r) a b e
//
// of all particles that are nearer than their radius r. The volume of one is (pi/2 - 2/pi) a r^2.
// A family stands on an arc of R metres about its circle's middle, R' = c. It has 3^l particles, l
// the least for which they stand no further than r / 2 apart, of a 3^-l th of its amplitude each:
// what subdividing each into three as it widens makes of it, written down for any time at once. So
// a front falls as 1/R and keeps its volume; with `keeps` `energy` it is sqrt(R / R_0) times as
// high, falls as 1/sqrt(R), as real rings do, and keeps its energy. A ring is the same all round.
//
// Families are sorted by squares once a time, each into those that its arc may reach. Cost: 30 to
// 100 ns a family that the square of a point lists; 60 ns a family to sort.
#include "base/maths.h"
#include "ocean/ocean.h"
#include "ocean/ops/phase.h"
#include <string.h>

static const float pi = 3.14159265f;

double gy_ocean_particle_speed(const gyre_ocean_def *def, float radius, float speed)
{
    double k = 3.14159265358979323846 / (double)radius;
    return speed > 0.0f ? (double)speed : gy_ocean_frequency(def, k) / k;
}

/// A particle's numbers that its family shares.
typedef struct kind {
    float r, amplitude, rate; // m, of one; m/s: how its amplitude changes
    float speed, sideways;
} kind;

/// One particle that runs along (c, s), of which the point stands (dx, dy) off.
static void add_one(const kind *k, float dx, float dy, float c, float s, gy_ocean_lift *out)
{
    float r = k->r, d = gy_sqrtf(dx * dx + dy * dy), a = k->amplitude;
    if (d >= r) {
        return;
    }
    float angle = 3.14159265f * d / r;
    float slope = d > 1e-6f * r ? -0.5f * a * gy_sinf(angle) * 3.14159265f / r / d : 0.0f;
    float bump = 0.5f * (1.0f + gy_cosf(angle));
    out->height += a * bump;
    out->rise += k->rate * bump - slope * k->speed * (dx * c + dy * s);
    out->slope[0] += slope * dx;
    out->slope[1] += slope * dy;
    out->flow[0] += k->speed * c * a * bump;
    out->flow[1] += k->speed * s * a * bump;
    if (!(k->sideways > 0.0f)) {
        return;
    }
    float along = pi * (dx * c + dy * s) / r;
    float lag = -k->sideways * gy_sinf(along);
    float lag_slope = -k->sideways * gy_cosf(along) * pi / r * a * bump;
    float move = lag * a * bump;
    float x = lag_slope * c + lag * slope * dx, y = lag_slope * s + lag * slope * dy;
    float drift = lag * k->rate * bump - k->speed * (x * c + y * s);
    out->move[0] += move * c;
    out->move[1] += move * s;
    out->jacobian[0][0] += x * c;
    out->jacobian[0][1] += y * c;
    out->jacobian[1][0] += x * s;
    out->jacobian[1][1] += y * s;
    out->drift[0] += drift * c;
    out->drift[1] += drift * s;
}

// ---- rings of emitters

/// The particles of one ring, `age` seconds old and given off at `from`.
static void add_ring(const gyre_ocean_emitter *e, const kind *like, float age, const float from[2],
                     gy_ocean_lift *out)
{
    float r = e->radius, speed = like->speed, reach = speed * age, x = from[0], y = from[1];
    float apart = gy_sqrtf(x * x + y * y) - reach;
    if (apart > r || apart < -r) {
        return;
    }
    int32_t count = 6;
    while (6.2831853f * reach / (float)count > 0.5f * r && count < 1 << 24) {
        count *= 3;
    }
    // It swells up while it leaves its place, and fades.
    float left = 1.0f - age / e->life, grown = GY_MIN(reach / r, 1.0f), share = left * left * grown;
    float change = -2.0f * left * grown / e->life + (grown < 1.0f ? left * left * speed / r : 0.0f);
    float one = e->amplitude / (float)count;
    kind k = *like;
    k.amplitude = one * share;
    k.rate = one * change;
    // Those further than this from the point's own direction are out of reach.
    float turn = gy_atan2f(y, x) * 0.15915494f;
    float step = 6.2831853f * reach / (float)count;
    int32_t middle = (int32_t)gy_floorf((turn < 0.0f ? turn + 1.0f : turn) * (float)count);
    int32_t beside = step > 0.05f * r ? (int32_t)(1.6f * r / step) + 2 : count;
    beside = 2 * beside + 1 >= count ? count / 2 : beside;
    int32_t last = 2 * beside + 1 > count ? beside - 1 : beside;
    for (int32_t q = middle - beside; q <= middle + last; q++) {
        int32_t n = (q % count + count) % count;
        float c, s;
        gy_phase((uint32_t)(((uint64_t)n << 32) / (uint32_t)count), &c, &s);
        add_one(&k, x - reach * c, y - reach * s, c, s, out);
    }
}

static void add_rings(const gyre_ocean *o, double time, const double point[2], gy_ocean_lift *out)
{
    const gyre_ocean_emitter *emitters = o->def->emitters.items;
    for (int i = 0; i < o->def->emitters.count; i++) {
        const gyre_ocean_emitter *e = &emitters[i];
        double since = time - (double)e->start, every = (double)e->interval;
        if (!e->enabled || since < 0.0) {
            continue;
        }
        kind k = {.r = e->radius,
                  .speed = (float)gy_ocean_particle_speed(o->def, e->radius, e->speed),
                  .sideways = o->def->particles.sideways};
        double newest = 0.0, oldest = 0.0;
        if (every > 0.0) {
            double last = GY_MIN(since, GY_MAX((double)e->end - (double)e->start, 0.0));
            newest = (double)(int64_t)(last / every);
            oldest = (double)(int64_t)GY_MAX((since - (double)e->life) / every, 0.0);
        }
        for (double n = oldest; n <= newest; n += 1.0) {
            double age = since - n * every;
            if (age < (double)e->life) {
                float from[2];
                for (int d = 0; d < 2; d++) {
                    from[d] = (float)(point[d] - (double)e->point[d] -
                                      (double)e->velocity[d] * n * every);
                }
                add_ring(e, &k, (float)age, from, out);
            }
        }
    }
}

// ---- families that bodies have shed

/// A family as it is at a time.
typedef struct arc {
    const gy_ocean_family *f;
    kind k;
    float reach, width; // m; rad
    int32_t count;      // particles
} arc;

static const gy_ocean_family *families_of(const gyre_ocean *o)
{
    return (const void *)(o->shed + 1);
}

/// False: there is nothing of it at that time.
static bool arc_at(const gyre_ocean *o, const gy_ocean_family *f, int64_t ticks, arc *to)
{
    float age = (float)((double)(ticks - f->born) * 0x1p-24), r = f->radius;
    if (!(age > 0.0f) || age >= f->life) {
        return false;
    }
    *to = (arc){.f = f,
                .reach = f->begun + f->speed * age,
                .width = (float)f->width * GY_PHASE_UNIT,
                .count = 1};
    while (to->width * to->reach / (float)to->count > 0.5f * r && to->count < 1 << 20) {
        to->count *= 3;
    }
    float run = f->speed * age, grown = GY_MIN(run / r, 1.0f);
    float left = 1.0f - age / f->life, share = left * left * grown;
    float change =
        -2.0f * left * grown / f->life + (grown < 1.0f ? left * left * f->speed / r : 0.0f);
    float least = GY_MAX(f->begun, r);
    if (o->def->particles.keeps == GYRE_OCEAN_ENERGY && to->reach > least) {
        float higher = gy_sqrtf(to->reach / least);
        change = change * higher + share * higher * 0.5f * f->speed / to->reach;
        share *= higher;
    }
    float one = f->amplitude / (float)to->count;
    to->k = (kind){r, one * share, one * change, f->speed, o->def->particles.sideways};
    // What swells up is not yet too low.
    float height = grown > 0.0f ? to->k.amplitude / grown : 0.0f;
    return height >= o->def->particles.least || -height >= o->def->particles.least;
}

/// The direction of its particle q, 2^-32 turns.
static uint32_t direction(const arc *a, int32_t q)
{
    uint64_t off = (uint64_t)a->f->width * (2 * (uint64_t)q + 1) / (2 * (uint64_t)a->count);
    return a->f->middle - a->f->width / 2 + (uint32_t)off;
}

static void add_family(const arc *a, const double point[2], gy_ocean_lift *out)
{
    float x = (float)(point[0] - a->f->from[0]), y = (float)(point[1] - a->f->from[1]);
    float far = gy_sqrtf(x * x + y * y), apart = far - a->reach, r = a->k.r, c, s;
    if (apart >= r || apart <= -r) {
        return;
    }
    int32_t first = 0, last = a->count - 1;
    if (a->count > 8) {
        float turn = gy_atan2f(y, x) * 0.15915494f;
        uint32_t towards = (uint32_t)(int64_t)((double)turn * 4294967296.0);
        int64_t off = (int32_t)(towards - a->f->middle) + (int64_t)(a->f->width / 2);
        int32_t middle = (int32_t)((float)off * (float)a->count / (float)a->f->width);
        // Those further than this from the point's own direction are out of reach.
        int32_t beside = (int32_t)(1.6f * r * (float)a->count / (a->width * a->reach)) + 2;
        if (a->reach > 2.0f * r) {
            first = GY_MAX(first, middle - beside);
            last = GY_MIN(last, middle + beside);
        }
    }
    for (int32_t q = first; q <= last; q++) {
        gy_phase(direction(a, q), &c, &s);
        add_one(&a->k, x - a->reach * c, y - a->reach * s, c, s, out);
    }
}

static void add_families(const gyre_ocean *o, const gy_ocean_moment *m, const double point[2],
                         gy_ocean_lift *out)
{
    const gy_ocean_bins *b = &m->bins;
    int at[2];
    for (int d = 0; d < 2; d++) {
        double off = (point[d] - b->low[d]) * b->per_side;
        if (!(off >= 0.0 && off < (double)b->n[d])) {
            return;
        }
        at[d] = (int)off;
    }
    int square = at[0] + b->n[0] * at[1];
    for (int32_t k = b->first[square]; k < b->first[square + 1]; k++) {
        arc a;
        if (arc_at(o, families_of(o) + b->list[k], m->ticks[0], &a)) {
            add_family(&a, point, out);
        }
    }
}

void gy_ocean_add_particles(const gyre_ocean *o, const gy_ocean_moment *m, const double point[2],
                            gy_ocean_lift *lift)
{
    if (o->def->emitters.count > 0) {
        add_rings(o, (double)m->ticks[0] * 0x1p-24, point, lift);
    }
    if (o->shed && m->bins.made) {
        add_families(o, m, point, lift);
    }
}

// ---- sorting

/// Pieces that an arc is cut into, each of which is put into the squares that it may reach.
enum { PIECES = 27 };

/// A box round piece p of an arc.
static void piece_box(const arc *a, int p, int pieces, double low[2], double high[2])
{
    uint64_t off = (uint64_t)a->f->width * (2 * (uint64_t)p + 1) / (2 * (uint64_t)pieces);
    float c, s;
    gy_phase(a->f->middle - a->f->width / 2 + (uint32_t)off, &c, &s);
    // Half of it along the arc, and what surely covers rounding.
    double wide = (double)a->reach * (double)a->width * 0.5 / pieces + (double)a->k.r;
    wide += 1e-5 * (double)a->reach;
    double at[2] = {a->f->from[0] + (double)a->reach * (double)c,
                    a->f->from[1] + (double)a->reach * (double)s};
    for (int d = 0; d < 2; d++) {
        low[d] = at[d] - wide;
        high[d] = at[d] + wide;
    }
}

static int pieces_of(const arc *a, double side)
{
    double pieces = (double)a->reach * (double)a->width / (2.0 * side) + 1.0;
    return pieces < PIECES ? (int)pieces : PIECES;
}

static void find_bounds(const gyre_ocean *o, int64_t ticks, double low[2], double high[2])
{
    arc a;
    for (int32_t k = 0; k < o->shed->count; k++) {
        int pieces = arc_at(o, families_of(o) + k, ticks, &a) ? pieces_of(&a, (double)a.k.r) : 0;
        for (int p = 0; p < pieces; p++) {
            double l[2], h[2];
            piece_box(&a, p, pieces, l, h);
            for (int d = 0; d < 2; d++) {
                low[d] = GY_MIN(low[d], l[d]);
                high[d] = GY_MAX(high[d], h[d]);
            }
        }
    }
}

/// Counts, or lists, the families of each square; each of a family once. How many there are in all.
static int64_t put_in(const gyre_ocean *o, gy_ocean_bins *b, int64_t ticks, bool list)
{
    int64_t all = 0;
    int squares = b->n[0] * b->n[1];
    for (int q = 0; q <= squares; q++) {
        b->first[q] = list ? b->first[q] : 0;
        b->last[q] = -1;
    }
    arc a;
    for (int32_t k = 0; k < o->shed->count; k++) {
        bool there = arc_at(o, families_of(o) + k, ticks, &a);
        int pieces = there ? pieces_of(&a, 1.0 / b->per_side) : 0;
        for (int p = 0; p < pieces; p++) {
            double low[2], high[2];
            int from[2], to[2];
            piece_box(&a, p, pieces, low, high);
            for (int d = 0; d < 2; d++) {
                int most = b->n[d] - 1;
                from[d] = GY_MAX((int)((low[d] - b->low[d]) * b->per_side), 0);
                to[d] = GY_MIN((int)((high[d] - b->low[d]) * b->per_side), most);
            }
            for (int j = from[1]; j <= to[1]; j++) {
                for (int i = from[0]; i <= to[0]; i++) {
                    int square = i + b->n[0] * j;
                    if (b->last[square] == k) {
                        continue;
                    }
                    b->last[square] = k;
                    all++;
                    if (list) {
                        b->list[b->first[square]] = k;
                    }
                    b->first[square]++;
                }
            }
        }
    }
    return all;
}

void gy_ocean_sort(gyre_ocean *o, gy_ocean_moment *m)
{
    gy_ocean_bins *b = &m->bins;
    if (!o->shed || (b->made && b->emissions == o->emissions)) {
        return;
    }
    int64_t room = (int64_t)GY_OCEAN_LISTED * o->def->particles.capacity, all;
    double low[2] = {1e30, 1e30}, high[2] = {-1e30, -1e30}, side = 1e-3;
    find_bounds(o, m->ticks[0], low, high);
    for (int d = 0; d < 2; d++) {
        b->low[d] = low[d] < high[d] ? low[d] : 0.0;
        side = GY_MAX(side, low[d] < high[d] ? (high[d] - low[d]) / (GY_OCEAN_BINS - 0.5) : 0.0);
    }
    // Larger squares list a family less often; of one square each is listed once.
    do {
        b->per_side = 1.0 / side;
        for (int d = 0; d < 2; d++) {
            double squares = low[d] < high[d] ? (high[d] - low[d]) * b->per_side : 0.0;
            b->n[d] = GY_MIN((int)squares + 1, (int)GY_OCEAN_BINS);
        }
        all = put_in(o, b, m->ticks[0], false);
        side *= 2.0;
    } while (all > room);
    int squares = b->n[0] * b->n[1], sum = 0;
    for (int q = 0; q <= squares; q++) {
        int count = q < squares ? b->first[q] : 0;
        b->first[q] = sum;
        sum += count;
    }
    put_in(o, b, m->ticks[0], true);
    // Each has run on to where the next begins.
    memmove(b->first + 1, b->first, (size_t)squares * sizeof *b->first);
    b->first[0] = 0;
    b->emissions = o->emissions;
    b->made = true;
}

void gy_ocean_count_particles(gyre_ocean *o)
{
    gyre_ocean_stats *s = &o->stats;
    s->particles = s->families = 0;
    s->particle_volume = 0.0;
    s->families_shed = s->families_cut = 0;
    if (!o->shed) {
        return;
    }
    arc a;
    for (int32_t k = 0; k < o->shed->count; k++) {
        if (arc_at(o, families_of(o) + k, gy_ocean_ticks(o->model.time), &a)) {
            s->families++;
            s->particles += a.count;
            s->particle_volume += 0.93417655 * (double)a.k.r * (double)a.k.r *
                                  (double)a.k.amplitude * (double)a.count;
        }
    }
    s->families_shed = o->shed->made;
    s->families_cut = o->shed->cut;
}
