// water/ops/water_turn.c: the Earth's rotation, on one tile.
//
//     dq_x/dt = f q_y,   dq_y/dt = -f q_x,   f = coriolis + coriolis_beta y
//
// Shallow water has both discharges at centres: they are turned by the angle a = f dt, as three
// shears (x += t y, y -= s x, x += t y; t = tan(a/2), s = sin a). Each undoes itself exactly, so
// lengths, and with them the energy, do not drift as they do under a matrix of rounded numbers.
//
// Linear waves have them on faces: the same shears with the mean of the four nearest faces, each
// pair of faces weighted alike both ways (A and its transpose). Uniform flow turns by the very
// angle; of what varies from cell to cell such a turn is not quite one, by a^3/4, and would feed
// waves that run aslant one way and damp the other. So x and y take turns in being sheared twice:
// the two together undo each other's error, and for a up to 0.2 every wave keeps its size (the
// eigenvalues of two steps, over all wave numbers and c dt / h up to 0.7, lie on the unit circle
// to 1e-12). What gravity pulls in half a step comes before the turn, the other half after it, by
// water_wave: balanced flow is then balanced in the scheme, too. Faces that are shut, or that a
// side's rule steps, neither turn nor are turned.
//
// Centres: 8 bytes read and 8 written per cell. Faces, per cell: 12 and 8 by the first pass, 8 and
// 4 by each of three more. A. Arakawa and V. Lamb, Computational Design of the Basic Dynamical
// Processes of the UCLA General Circulation Model (1977), have the means of four.
#include "base/maths.h"
#include "ops/row/body.h"
#include "water/ops/water.h"
#include <string.h>

enum { T = GY_WATER_TILE, ROW = T + 32, FIRST = 16 };

typedef struct tile {
    const gy_water_job *job;
    int slot, x, y, columns, rows; // x, y: its first cell
} tile;

/// A tile of one array with what lies one cell round it; 0 where nothing is stepped.
typedef struct field {
    _Alignas(64) float at[T + 2][ROW];
} field;

/// x where the mask says so, else 0.
GY_INLINE vf kept(vi mask, vf x)
{
    return (vf)(mask & (vi)x);
}

static tile tile_of(const gy_water_job *job, int slot)
{
    const gy_tiles *t = &job->tiles;
    tile o = {.job = job, .slot = slot};
    o.x = t->tile[slot] % t->tn[0] * T;
    o.y = t->tile[slot] / t->tn[0] * T;
    o.columns = GY_MIN(T, t->n[0] - o.x);
    o.rows = GY_MIN(T, t->n[1] - o.y);
    return o;
}

/// f dt of a row of cells, round a periodic domain.
static float angle(const tile *o, int j)
{
    const gy_earth *turn = &o->job->turn;
    int row = gy_cell_along(o->job, 1, o->y + j);
    float y = turn->y + ((float)GY_MAX(row, 0) + 0.5f) * o->job->shallow.h;
    float a = (turn->coriolis + turn->beta * y) * turn->dt;
    // Reached only where `excess` does not split steps.
    return a > 1.0f ? 1.0f : a < -1.0f ? -1.0f : a;
}

static float half_tangent(float a)
{
    return gy_sinf(0.5f * a) / gy_cosf(0.5f * a);
}

/// A quarter of what a row of faces is sheared by.
static float quarter(const tile *o, int j)
{
    float a = angle(o, j);
    return 0.25f * (o->job->turn.once ? gy_sinf(a) : half_tangent(a));
}

/// A sample for the field: that of a face counts where nothing shuts it (`bit`), that of a centre
/// always (bit 0).
static float sample(const tile *o, int i, int j, int array, int bit)
{
    int place, slot = gy_stepping_slot(o->job, o->x + i, o->y + j, &place);
    if (slot < 0 || (gy_tile_flags(&o->job->tiles, slot)[place] & bit)) {
        return 0.0f;
    }
    return gy_tile_state(&o->job->tiles, slot, array)[place];
}

static void gather(const tile *o, int array, int bit, field *f)
{
    const gy_tiles *t = &o->job->tiles;
    const float *from = gy_tile_state(t, o->slot, array);
    const uint8_t *flags = gy_tile_flags(t, o->slot);
    bool plain = o->job->plain[t->tile[o->slot]] || bit == 0;
    for (int j = 0; j < o->rows; j++) {
        float *to = f->at[j + 1] + FIRST;
        memcpy(to, from + (ptrdiff_t)j * T, sizeof(float) * T);
        for (int i = 0; i < o->columns && !plain; i++) {
            to[i] = flags[j * T + i] & bit ? 0.0f : to[i];
        }
        to[-1] = sample(o, -1, j, array, bit);
        to[o->columns] = sample(o, o->columns, j, array, bit);
    }
    for (int i = -1; i <= o->columns; i++) {
        f->at[0][FIRST + i] = sample(o, i, -1, array, bit);
        f->at[o->rows + 1][FIRST + i] = sample(o, i, o->rows, array, bit);
    }
}

/// Masks of a row of faces along an axis: all bits where one is stepped by itself.
static void open_faces(const tile *o, int axis, int j, int32_t *open)
{
    const gy_tiles *t = &o->job->tiles;
    const uint8_t *flags = gy_tile_flags(t, o->slot) + (ptrdiff_t)j * T;
    int bit = axis ? GY_CELL_SHUT_Y : GY_CELL_SHUT_X, place;
    for (int i = 0; i < T; i++) {
        open[i] = flags[i] & bit ? 0 : -1;
    }
    if (axis == 0 && gy_stepping_slot(o->job, o->x - 1, o->y + j, &place) < 0) {
        open[0] = 0;
    }
    if (axis == 1 && j == 0 && gy_stepping_slot(o->job, o->x, o->y - 1, &place) < 0) {
        memset(open, 0, sizeof(int32_t) * T);
    }
}

// ---- shallow water: at centres

static void turn_centres(const tile *o)
{
    const gy_tiles *t = &o->job->tiles;
    const gy_shallow *s = &o->job->shallow;
    gy_flow_result *flow = &o->job->result[o->slot].flow;
    const float *depth = gy_tile_state(t, o->slot, GY_WATER_DEPTH);
    float *qx = gy_tile_edit(t, o->slot, GY_WATER_QX);
    float *qy = gy_tile_edit(t, o->slot, GY_WATER_QY);
    vf wave = gy_splat(0.0f), dry = gy_splat(GY_MAX(s->dry_depth, 1e-12f));
    vf cap = gy_splat(s->speed_cap), gravity = gy_splat(s->gravity);
    for (int j = 0; j < o->rows; j++) {
        float a = angle(o, j);
        vf tangent = gy_splat(half_tangent(a)), sine = gy_splat(gy_sinf(a));
        for (int i = j * T; i < j * T + T; i += VW) {
            vf x = gy_load(qx + i), y = gy_load(qy + i), d = gy_load(depth + i);
            x += tangent * y;
            y -= sine * x;
            x += tangent * y;
            gy_store(qx + i, x);
            gy_store(qy + i, y);
            // The axes' speeds are others now.
            vf u = gy_min(gy_max(gy_abs(x), gy_abs(y)) / gy_max(d, dry), cap);
            vf speed = u + gy_sqrt(gravity * gy_max(d, gy_splat(0.0f)));
            wave = gy_max(wave, kept((vi)(d >= dry), speed));
        }
    }
    flow->wave_speed = gy_lane_max(wave);
}

// ---- linear waves: on faces

/// Half a step's pull of the heights on both discharges.
static void pull(const tile *o, field *u)
{
    const gy_tiles *t = &o->job->tiles;
    float *q[2] = {gy_tile_edit(t, o->slot, GY_WATER_QX), gy_tile_edit(t, o->slot, GY_WATER_QY)};
    vf half = gy_splat(o->job->pull);
    int32_t open[T];
    gather(o, GY_WATER_DEPTH, 0, u);
    for (int j = 0; j < o->rows; j++) {
        for (int axis = 0; axis < 2; axis++) {
            const float *here = u->at[j + 1] + FIRST, *low = axis ? u->at[j] + FIRST : here - 1;
            float *to = q[axis] + (ptrdiff_t)j * T;
            open_faces(o, axis, j, open);
            for (int i = 0; i < T; i += VW) {
                vi is = *(const gy_vi_loose *)(open + i);
                vf d = gy_load(here + i) - gy_load(low + i);
                gy_store(to + i, gy_load(to + i) - kept(is, half * d));
            }
        }
    }
}

/// q_x += t times the mean of q_y.
static void shear_x(const tile *o, field *f)
{
    float *q = gy_tile_edit(&o->job->tiles, o->slot, GY_WATER_QX);
    int32_t open[T];
    gather(o, GY_WATER_QY, GY_CELL_SHUT_Y, f);
    for (int j = 0; j < o->rows; j++) {
        const float *low = f->at[j + 1] + FIRST, *high = f->at[j + 2] + FIRST;
        vf tangent = gy_splat(quarter(o, j));
        float *to = q + (ptrdiff_t)j * T;
        open_faces(o, 0, j, open);
        for (int i = 0; i < T; i += VW) {
            vi is = *(const gy_vi_loose *)(open + i);
            vf left = gy_load(low + i - 1) + gy_load(high + i - 1);
            vf sum = left + (gy_load(low + i) + gy_load(high + i));
            gy_store(to + i, gy_load(to + i) + kept(is, tangent * sum));
        }
    }
}

/// q_y -= s times q_x, by the transpose of the same mean.
static void shear_y(const tile *o, field *f)
{
    float *q = gy_tile_edit(&o->job->tiles, o->slot, GY_WATER_QY);
    int32_t open[T];
    gather(o, GY_WATER_QX, GY_CELL_SHUT_X, f);
    for (int j = 0; j < o->rows; j++) {
        const float *high = f->at[j + 1] + FIRST, *low = f->at[j] + FIRST;
        vf above = gy_splat(quarter(o, j));
        vf below = gy_splat(quarter(o, j - 1));
        float *to = q + (ptrdiff_t)j * T;
        open_faces(o, 1, j, open);
        for (int i = 0; i < T; i += VW) {
            vi is = *(const gy_vi_loose *)(open + i);
            vf sum = above * (gy_load(high + i) + gy_load(high + i + 1)) +
                     below * (gy_load(low + i) + gy_load(low + i + 1));
            gy_store(to + i, gy_load(to + i) - kept(is, sum));
        }
    }
}

void GY_BODY(water_turn)(const void *args, const gy_box *box, int task)
{
    const gy_water_job *job = (const void *)(uintptr_t)((const gy_turn_args *)args)->job;
    field f;
    memset(&f, 0, sizeof f);
    (void)task;
    for (int k = box->low[0]; k < box->high[0]; k++) {
        tile o = tile_of(job, job->list[k]);
        switch (job->turn.pass) {
        case GY_TURN_CENTRES:
            turn_centres(&o);
            break;
        case GY_TURN_PULL:
            pull(&o, &f);
            break;
        case GY_TURN_SHEAR_X:
            shear_x(&o, &f);
            break;
        default:
            shear_y(&o, &f);
        }
    }
}
