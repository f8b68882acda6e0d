// ocean/shed.c: bodies of a set (gyre_model_use_bodies) shed wave particles as they move (C.
// Yuksel, D. House and J. Keyser, Wave Particles, 2007; C. Yuksel, Real-time Water Waves with Wave
// Particles, thesis, Texas A&M 2010).
//
//     V = A n.(u - w) dt <exp(-pi depth / r)>
//
// is what a face of area A and normal n pushes away, u its velocity and w the water's rise with the
// waves, the mean taken over the depths that the face has below the surface: as deep as waves of
// 2 r reach. It goes to the body's silhouette, the convex outline seen from above of what is under
// water: what is pushed sideways to where the outline looks that way, V (n.n_k)^2 / (r^2 + |x -
// x_k|^2), what is pushed up or down all round by the last factor alone. The outline is cut into
// equal lengths; each sheds one family whose arc is as wide as the outline turns there, its normals
// taken from chords, so that arcs adjoin. Sideways pushes of a closed body are as much in front as
// they are less behind; what rounding and depths leave of their sum is taken from all alike.
//
// A body sheds when it has come half a radius, or particles have; a step in which it comes further
// is cut up. So what is shed depends little on the step. A body that is put elsewhere, further than
// its velocity goes, sheds nothing of that. When all families are in use the oldest makes room.
//
// Cost: some 10 ns a triangle and outline's direction, sixteen times a second and m of radius.
#include "base/maths.h"
#include "body/body.h"
#include "ocean/ocean.h"
#include "ocean/ops/phase.h"
#include <string.h>

enum {
    WAYS = 64,   // directions in which the outline is looked for
    LEAST = 12,  // lengths that an outline is cut into
    LENGTHS = 48 // at most
};

static size_t round64(size_t size)
{
    return (size + 63) / 64 * 64;
}

size_t gy_ocean_shed_size(const gyre_ocean_def *def)
{
    const gyre_ocean_particles *p = &def->particles;
    return p->capacity > 0 ? sizeof(gy_ocean_shed) + (size_t)p->capacity * sizeof(gy_ocean_family) +
                                 (size_t)p->bodies * sizeof(gy_ocean_shedder)
                           : 0;
}

size_t gy_ocean_bins_size(const gyre_ocean_def *def)
{
    size_t squares = GY_OCEAN_BINS * GY_OCEAN_BINS + 1;
    size_t list = GY_OCEAN_LISTED * (size_t)def->particles.capacity;
    return def->particles.capacity > 0 ? round64((2 * squares + list) * sizeof(int32_t)) : 0;
}

static gy_ocean_family *families_of(const gyre_ocean *o)
{
    return (void *)(o->shed + 1);
}

static gy_ocean_shedder *shedders_of(const gyre_ocean *o)
{
    return (void *)(families_of(o) + o->def->particles.capacity);
}

int gy_ocean_extra_parts(const gyre_model *model, gy_extra_part parts[GY_EXTRA_PARTS])
{
    const gyre_ocean *o = (const gyre_ocean *)model;
    const gyre_ocean_particles *p = &o->def->particles;
    const gy_ocean_shedder *shedders = shedders_of(o);
    const size_t family = sizeof(gy_ocean_family), shedder = sizeof *shedders;
    int noted = p->bodies;
    while (noted > 0 && shedders[noted - 1].number == 0) {
        noted--;
    }
    const gy_extra_part all[] = {
        {o->shed, sizeof *o->shed, sizeof *o->shed},
        {families_of(o), (size_t)o->shed->count * family, (size_t)p->capacity * family},
        {shedders_of(o), (size_t)noted * shedder, (size_t)p->bodies * shedder},
    };
    memcpy(parts, all, sizeof all);
    return GY_COUNT(all);
}

gyre_result gy_ocean_use_bodies(gyre_model *model, gyre_bodies *bodies)
{
    gyre_ocean *o = (gyre_ocean *)model;
    model->bodies = NULL;
    if (bodies && !o->shed) {
        return gyre_fail(GYRE_ERROR_UNSUPPORTED,
                         "use_bodies: this ocean has no room for what bodies shed "
                         "(particles.capacity is 0)");
    }
    model->bodies = bodies;
    return GYRE_OK;
}

void gy_ocean_regain(gyre_model *model)
{
    gyre_ocean *o = (gyre_ocean *)model;
    o->emissions++;
    o->changes++;
    if (!o->shed) {
        return;
    }
    int32_t most = o->def->particles.capacity;
    bool right =
        o->shed->count >= 0 && o->shed->count <= most && o->shed->next >= 0 && o->shed->next < most;
    for (int32_t k = 0; right && k < o->shed->count; k++) {
        const gy_ocean_family *f = families_of(o) + k;
        const float *x = &f->begun;
        right = f->from[0] > -1e10 && f->from[0] < 1e10 && f->from[1] > -1e10 && f->from[1] < 1e10;
        right = right && f->radius > 0.0f && f->life > 0.0f && f->width > 0;
        for (int q = 0; q < 5; q++) {
            right = right && x[q] > -1e10f && x[q] < 1e10f;
        }
    }
    if (!right) { // no ocean has saved that
        o->shed->count = o->shed->next = 0;
    }
}

// ---- what one body sheds

/// What is worked out for a body at a time.
typedef struct work {
    const gyre_ocean *o;
    float radius;
    double surface;                    // m, of the sea at the body
    double way[3][3], go[3];           // displacement of x: way (x - at) + go, m
    double at[3];                      // of its own frame
    float best[WAYS], corner[WAYS][2]; // the outline's corners, about `at`
    float along[WAYS + 1];             // m, along the outline to each corner
    int corners, lengths;              // lengths: those that it is cut into
    float place[LENGTHS][2], normal[LENGTHS][2];
    uint32_t middle[LENGTHS], width[LENGTHS];
    double volume[LENGTHS], sideways[LENGTHS]; // m^3; of these, by sideways pushes
} work;

/// A polygon under water, about the body's place.
typedef struct polygon {
    double p[4][3];
    int count;
} polygon;

static polygon clip(const work *w, const float *const corners[3])
{
    polygon to = {.count = 0};
    double top = w->surface - w->at[2];
    for (int k = 0; k < 3; k++) {
        double a[3], b[3];
        for (int d = 0; d < 3; d++) {
            a[d] = (double)corners[k][d] - w->at[d];
            b[d] = (double)corners[(k + 1) % 3][d] - w->at[d];
        }
        if (a[2] <= top) {
            memcpy(to.p[to.count++], a, sizeof a);
        }
        if ((a[2] <= top) != (b[2] <= top)) {
            double share = (top - a[2]) / (b[2] - a[2]);
            for (int d = 0; d < 3; d++) {
                to.p[to.count][d] = a[d] + share * (b[d] - a[d]);
            }
            to.count++;
        }
    }
    return to;
}

static void look_for_corners(work *w, const polygon *p)
{
    for (int k = 0; k < p->count; k++) {
        float x = (float)p->p[k][0], y = (float)p->p[k][1];
        for (int q = 0; q < WAYS; q++) {
            float c, s;
            gy_phase((uint32_t)q * (uint32_t)(4294967296 / WAYS), &c, &s);
            float far = x * c + y * s;
            if (far > w->best[q]) {
                w->best[q] = far;
                w->corner[q][0] = x;
                w->corner[q][1] = y;
            }
        }
    }
}

/// The place at a length along the outline, which goes round.
static void place_at(const work *w, float length, float to[2])
{
    float all = w->along[w->corners];
    length = length < 0.0f ? length + all : length >= all ? length - all : length;
    int k = 0;
    while (k + 1 < w->corners && w->along[k + 1] <= length) {
        k++;
    }
    const float *a = w->corner[k], *b = w->corner[(k + 1) % w->corners];
    float step = w->along[k + 1] - w->along[k];
    float share = step > 0.0f ? (length - w->along[k]) / step : 0.0f;
    for (int d = 0; d < 2; d++) {
        to[d] = a[d] + GY_MIN(share, 1.0f) * (b[d] - a[d]);
    }
}

/// The direction that the outline looks in at a length, by a chord; 2^-32 turns.
static uint32_t looks(const work *w, float length, float half)
{
    float a[2], b[2];
    place_at(w, length - half, a);
    place_at(w, length + half, b);
    float turn = gy_atan2f(a[0] - b[0], b[1] - a[1]) * 0.15915494f; // the chord, turned right
    return (uint32_t)(int64_t)((double)turn * 4294967296.0);
}

/// How far along the outline its foremost place is, in the middle of what faces the way that the
/// body goes: cut up from there, the outlines of what is alike on both sides are so, too.
static float front_of(const work *w)
{
    float way[2] = {(float)w->go[0], (float)w->go[1]}, most = -1e30f, from = 0.0f;
    float length = gy_sqrtf(way[0] * way[0] + way[1] * way[1]), low = 1e30f, high = -1e30f;
    way[0] = length > 1e-6f ? way[0] / length : 1.0f;
    way[1] = length > 1e-6f ? way[1] / length : 0.0f;
    for (int k = 0; k < w->corners; k++) {
        float side = way[0] * w->corner[k][1] - way[1] * w->corner[k][0];
        low = GY_MIN(low, side);
        high = GY_MAX(high, side);
    }
    for (int k = 0; k < w->corners; k++) {
        const float *a = w->corner[k], *b = w->corner[(k + 1) % w->corners];
        float middle = 0.5f * (low + high);
        float left = way[0] * a[1] - way[1] * a[0] - middle;
        float right = way[0] * b[1] - way[1] * b[0] - middle;
        float ahead = way[0] * a[0] + way[1] * a[1];
        if ((left <= 0.0f) != (right <= 0.0f) && ahead > most) {
            most = ahead;
            from = w->along[k] + left / (left - right) * (w->along[k + 1] - w->along[k]);
        }
    }
    return from;
}

/// Cuts the outline up; false: there is none to speak of.
static bool cut_up(work *w)
{
    float r = w->radius;
    int kept = 0;
    for (int q = 0; q < WAYS; q++) {
        const float *last = kept > 0 ? w->corner[kept - 1] : NULL;
        float x = w->corner[q][0], y = w->corner[q][1];
        if (w->best[q] < -1e29f) {
            return false;
        }
        if (last && x == last[0] && y == last[1]) {
            continue;
        }
        w->corner[kept][0] = x;
        w->corner[kept++][1] = y;
    }
    if (kept > 1 && memcmp(w->corner[0], w->corner[kept - 1], sizeof w->corner[0]) == 0) {
        kept--;
    }
    w->corners = kept;
    w->along[0] = 0.0f;
    for (int k = 0; k < kept; k++) {
        const float *a = w->corner[k], *b = w->corner[(k + 1) % kept];
        float x = b[0] - a[0], y = b[1] - a[1];
        w->along[k + 1] = w->along[k] + gy_sqrtf(x * x + y * y);
    }
    float all = w->along[kept];
    if (kept < 3 || !(all > 1e-3f * r)) {
        return false;
    }
    float wanted = all / (0.5f * r) + 1.0f;
    w->lengths = wanted > LENGTHS ? LENGTHS : GY_MAX((int)wanted, (int)LEAST);
    float step = all / (float)w->lengths, half = GY_MIN(0.5f * r + all / 24.0f, 0.25f * all);
    float start = front_of(w);
    uint32_t from = looks(w, start - 0.5f * step, half), first = from;
    for (int k = 0; k < w->lengths; k++) {
        bool last = k + 1 == w->lengths;
        uint32_t to = last ? first : looks(w, start + ((float)k + 0.5f) * step, half);
        uint32_t turn = to - from;
        turn = turn > 0x80000000u ? 0 : turn;        // rounding alone turns it back
        w->width[k] = turn < 683565 ? 683565 : turn; // 1e-3 rad: its circle is that large at most
        w->middle[k] = from + turn / 2;
        gy_phase(w->middle[k], &w->normal[k][0], &w->normal[k][1]);
        place_at(w, start + (float)k * step, w->place[k]);
        w->volume[k] = w->sideways[k] = 0.0;
        from = to;
    }
    return true;
}

/// The mean of exp(-k depth) between two depths.
static double mean_fade(double k, double low, double high)
{
    double a = (double)gy_expf((float)(-k * low)), b = (double)gy_expf((float)(-k * high));
    return k * (high - low) > 1e-3 ? (a - b) / (k * (high - low)) : 0.5 * (a + b);
}

/// Hands what a face pushes away to the outline.
static void give(work *w, const double at[3], double volume, const double *way)
{
    double weight[LENGTHS], sum = 0.0, r2 = (double)w->radius * (double)w->radius;
    for (int k = 0; k < w->lengths; k++) {
        double x = (double)w->place[k][0] - at[0], y = (double)w->place[k][1] - at[1];
        double facing = 1.0;
        if (way) {
            facing = way[0] * (double)w->normal[k][0] + way[1] * (double)w->normal[k][1];
            facing = facing > 0.0 ? facing * facing : 0.0;
        }
        weight[k] = facing / (r2 + x * x + y * y);
        sum += weight[k];
    }
    for (int k = 0; k < w->lengths && sum > 0.0; k++) {
        double part = volume * (weight[k] / sum);
        w->volume[k] += part;
        w->sideways[k] += way ? part : 0.0;
    }
}

static void push(work *w, const polygon *p, double sign)
{
    double k = 3.14159265358979323846 / (double)w->radius, top = w->surface - w->at[2];
    double area[3] = {0.0, 0.0, 0.0}, at[3] = {0.0, 0.0, 0.0}, low = 1e30, high = 0.0;
    for (int c = 0; c < p->count; c++) {
        const double *a = p->p[c], *b = p->p[(c + 1) % p->count];
        for (int d = 0; d < 3; d++) {
            int e = (d + 1) % 3, f = (d + 2) % 3;
            area[d] += 0.5 * sign * (a[e] * b[f] - a[f] * b[e]);
            at[d] += a[d] / p->count;
        }
        low = GY_MIN(low, top - a[2]);
        high = GY_MAX(high, top - a[2]);
    }
    double go[3], fade = mean_fade(k, low, high);
    for (int d = 0; d < 3; d++) {
        const double *row = w->way[d];
        go[d] = row[0] * at[0] + row[1] * at[1] + row[2] * at[2] + w->go[d];
    }
    double flat = area[0] * area[0] + area[1] * area[1];
    double sideways = (area[0] * go[0] + area[1] * go[1]) * fade, up = area[2] * go[2] * fade;
    if (sideways != 0.0 && flat > 0.0) {
        double length = __builtin_sqrt(flat), way[2] = {area[0] / length, area[1] / length};
        give(w, at, sideways, way);
    }
    if (up != 0.0) {
        give(w, at, up, NULL);
    }
}

/// What is pushed sideways sums to nothing.
static void balance(work *w)
{
    double sum = 0.0, all = 0.0;
    for (int k = 0; k < w->lengths; k++) {
        double x = w->sideways[k];
        sum += x;
        all += x < 0.0 ? -x : x;
    }
    for (int k = 0; k < w->lengths && all > 0.0; k++) {
        double x = w->sideways[k];
        w->volume[k] -= sum * (x < 0.0 ? -x : x) / all;
    }
}

static void add_family(gyre_ocean *o, const gy_ocean_family *family)
{
    gy_ocean_shed *s = o->shed;
    int32_t most = o->def->particles.capacity;
    if (s->count == most) {
        // The oldest, which the next place in the list holds; not counted where it was gone anyway.
        const gy_ocean_family *old = families_of(o) + s->next;
        double age = (double)(family->born - old->born) * 0x1p-24;
        s->cut += age < (double)old->life;
    }
    families_of(o)[s->next] = *family;
    s->next = s->next + 1 < most ? s->next + 1 : 0;
    s->count = GY_MIN(s->count + 1, most);
    s->made++;
    o->emissions++;
}

static void shed(gyre_ocean *o, const work *w, int64_t ticks)
{
    const gyre_ocean_particles *p = &o->def->particles;
    float r = w->radius, step = w->along[w->corners] / (float)w->lengths;
    for (int k = 0; k < w->lengths; k++) {
        float amplitude =
            (float)((double)p->strength * w->volume[k] / (0.93417655 * (double)r * (double)r));
        float size = amplitude < 0.0f ? -amplitude : amplitude;
        if (!(size > 0.0f) || size < p->least) {
            continue;
        }
        float begun = step / ((float)w->width[k] * GY_PHASE_UNIT);
        gy_ocean_family f = {.born = ticks,
                             .middle = w->middle[k],
                             .width = w->width[k],
                             .begun = begun,
                             .amplitude = amplitude,
                             .radius = r,
                             .speed = (float)gy_ocean_particle_speed(o->def, r, p->speed),
                             .life = p->life};
        for (int d = 0; d < 2; d++) {
            f.from[d] = w->at[d] + (double)w->place[k][d] - (double)(begun * w->normal[k][d]);
        }
        add_family(o, &f);
    }
}

/// Once: what a body sheds that stands where `w` says.
static void shed_once(gyre_ocean *o, work *w, const gy_figure *figure, const gy_pose *pose,
                      int64_t ticks)
{
    const gyre_mesh *mesh = &figure->surface;
    double sign = 0.0;
    for (int q = 0; q < WAYS; q++) {
        w->best[q] = -1e30f;
    }
    for (int p = 0; p < mesh->point_count; p++) {
        double own[3], world[3];
        for (int d = 0; d < 3; d++) {
            own[d] = (double)mesh->points[3 * p + d];
        }
        gy_pose_apply(pose, own, world);
        for (int d = 0; d < 3; d++) {
            figure->world[3 * p + d] = (float)world[d];
        }
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int t = 0; t < mesh->triangle_count; t++) {
            const int32_t *of = mesh->triangles + (ptrdiff_t)3 * t;
            const float *const corners[3] = {figure->world + (ptrdiff_t)3 * of[0],
                                             figure->world + (ptrdiff_t)3 * of[1],
                                             figure->world + (ptrdiff_t)3 * of[2]};
            polygon p = clip(w, corners);
            if (pass == 1 && p.count > 2) {
                push(w, &p, sign < 0.0 ? -1.0 : 1.0);
                continue;
            }
            look_for_corners(w, &p);
            double v[3][3]; // six times the volume: whether faces look out
            for (int c = 0; c < 3 && pass == 0; c++) {
                for (int d = 0; d < 3; d++) {
                    v[c][d] = (double)corners[c][d] - w->at[d];
                }
            }
            sign += pass == 0 ? v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) +
                                    v[0][1] * (v[1][2] * v[2][0] - v[1][0] * v[2][2]) +
                                    v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0])
                              : 0.0;
        }
        if (pass == 0 && !cut_up(w)) {
            return;
        }
    }
    balance(w);
    shed(o, w, ticks);
}

// ---- when

/// How far it has come since: displacement of x about the place now is way (x - at) + go.
static void displacement(const gy_ocean_shedder *was, const gy_pose *now, double way[3][3],
                         double go[3])
{
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            double then = 0.0; // was.turn * now.turn^-1
            for (int c = 0; c < 3; c++) {
                then += was->turn[a][c] * now->turn[b][c];
            }
            way[a][b] = (a == b ? 1.0 : 0.0) - then;
        }
        go[a] = now->at[a] - was->place[a];
    }
}

static double length_of(const double x[3])
{
    return __builtin_sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

static void note(gy_ocean_shedder *s, uint64_t number, const gy_pose *pose, int64_t ticks,
                 double surface)
{
    *s = (gy_ocean_shedder){.number = number, .at = ticks, .surface = surface};
    memcpy(s->turn, pose->turn, sizeof s->turn);
    memcpy(s->place, pose->at, sizeof s->place);
}

/// How far its surface reaches from its own frame's origin, m.
static double reach_of(const gy_figure *figure)
{
    double most = 0.0;
    for (int p = 0; p < figure->surface.point_count; p++) {
        const float *x = figure->surface.points + (ptrdiff_t)3 * p;
        const double own[3] = {(double)x[0], (double)x[1], (double)x[2]};
        most = GY_MAX(most, length_of(own));
    }
    return most;
}

static void shed_body(gyre_ocean *o, gy_ocean_shedder *s, const gyre_bodies *set, int index,
                      const gy_ocean_moment *m, int64_t ticks)
{
    const gy_set_state *state = set->states + index;
    const gy_figure *figure = set->figures + index;
    const gyre_ocean_particles *p = &o->def->particles;
    double surface = (double)o->def->level + (double)gy_ocean_swell(o, m, state->now.at);
    if (s->number != set->ids[index]) {
        note(s, set->ids[index], &state->now, ticks, surface);
        return;
    }
    work w = {.o = o, .radius = p->radius};
    double passed = (double)(ticks - s->at) * 0x1p-24, turned = 0.0, last[3];
    double speed = gy_ocean_particle_speed(o->def, p->radius, p->speed);
    displacement(s, &state->now, w.way, w.go);
    for (int a = 0; a < 3; a++) {
        last[a] = state->now.at[a] - state->before.at[a];
        for (int b = 0; b < 3; b++) {
            turned += w.way[a][b] * w.way[a][b];
        }
    }
    double half = 0.5 * (double)p->radius, moved = length_of(w.go);
    double come = moved + __builtin_sqrt(turned) * reach_of(figure);
    double fast = state->dt > 0.0 ? length_of(last) / state->dt : 0.0;
    if (moved > 2.0 * half + 2.0 * fast * passed) {
        o->shed->thrown++;
        note(s, set->ids[index], &state->now, ticks, surface);
        return;
    }
    if (come < half && passed * speed < half) {
        return;
    }
    double wanted = come / half;
    int pieces = wanted < 1.0 ? 1 : wanted < 64.0 ? (int)wanted : 64;
    double rise = surface - s->surface;
    w.go[2] -= rise;
    for (int a = 0; a < 3; a++) {
        w.go[a] /= pieces;
        for (int b = 0; b < 3; b++) {
            w.way[a][b] /= pieces;
        }
    }
    for (int k = 1; k <= pieces; k++) {
        gy_pose pose = state->now;
        double share = (k - 0.5) / pieces; // in its middle
        for (int a = 0; a < 3; a++) {
            pose.at[a] = s->place[a] + share * (state->now.at[a] - s->place[a]);
            w.at[a] = pose.at[a];
        }
        w.surface = s->surface + share * rise;
        int64_t late = (int64_t)((double)(ticks - s->at) * (1.0 - share));
        shed_once(o, &w, figure, &pose, ticks - late);
    }
    note(s, set->ids[index], &state->now, ticks, surface);
}

/// Where a body's notes are; NULL: there is no room for them.
static gy_ocean_shedder *shedder_of(gyre_ocean *o, const gyre_bodies *set, uint64_t number)
{
    gy_ocean_shedder *all = shedders_of(o), *room = NULL;
    int count = o->def->particles.bodies;
    for (int k = 0; k < count; k++) {
        if (all[k].number == number) {
            return all + k;
        }
    }
    for (int k = 0; k < count && !room; k++) {
        bool lives = false;
        for (int b = 0; b < set->def.pool.count && all[k].number != 0; b++) {
            lives = lives || set->ids[b] == all[k].number;
        }
        room = lives ? NULL : all + k;
    }
    return room;
}

void gy_ocean_shed_now(gyre_ocean *o)
{
    const gyre_bodies *set = o->model.bodies;
    uint64_t before = o->emissions;
    o->stats.bodies_refused = 0;
    if (!o->shed || !set) {
        return;
    }
    int64_t ticks = gy_ocean_ticks(o->model.time);
    gy_ocean_refresh(o);
    const gy_ocean_moment *m = gy_ocean_moment_at(o, ticks, false, 0.0f);
    for (int k = 0; k < set->def.pool.count; k++) {
        if (!gy_set_body(set, k)->enabled || set->figures[k].surface.triangle_count == 0) {
            continue;
        }
        gy_ocean_shedder *s = shedder_of(o, set, set->ids[k]);
        if (s) {
            shed_body(o, s, set, k, m, ticks);
        } else {
            o->stats.bodies_refused++;
        }
    }
    // What is joined to this sea has to ask anew.
    o->changes += o->emissions != before;
}
