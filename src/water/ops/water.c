// water/ops/water.c: tiles of shallow water: each is gathered with its halo, stepped by
// water/ops/shallow.h, and what crossed its sides is noted. Weather, and measures of tiles whose
// water was changed. The equations are those of shallow.h; rain r and evaporation e are
// d = max(0, d + (r - e) dt). Bytes per cell: 16 read and 12 written by a step, and the halo.
#include "water/ops/water.h"
#include "base/maths.h"
#include "ops/row/body.h"
#include "water/ops/shallow.h"
#include <string.h>

enum { T = GY_WATER_TILE, H = GY_WATER_HALO };

/// Where a row of a patch comes from.
typedef struct source {
    const gy_water_job *job;
    gy_patch *patch;
    int x, y;          // first cell of the tile in the domain
    int columns, rows; // of the domain in the tile
} source;

static const float *array_of(const gy_tiles *t, int slot, int array)
{
    return array == 3 ? gy_tile_array(t, slot, GY_WATER_BED) : gy_tile_state(t, slot, array);
}

static float *patch_array(gy_patch *p, int array)
{
    return array == 0 ? p->depth : array == 1 ? p->qx : array == 2 ? p->qy : p->bed;
}

/// What shuts the low faces of a cell of the domain; both for one that is not stepped.
static int shut_at(const gy_water_job *job, int slot, int place)
{
    if (slot < 0) {
        return GY_SHUT_X | GY_SHUT_Y;
    }
    return gy_tile_flags(&job->tiles, slot)[place] & (GY_CELL_SHUT_X | GY_CELL_SHUT_Y);
}

/// One cell of the halo, wherever it is.
static void gather_cell(const source *s, int i, int j)
{
    const gy_water_job *job = s->job;
    const int at = gy_patch_at(i, j), side[2] = {s->x + i, s->y + j};
    int place, slot = gy_stepping_slot(job, side[0], side[1], &place);
    s->patch->shut[at] = shut_at(job, slot, place);
    if (slot >= 0) {
        for (int a = 0; a < 4; a++) {
            patch_array(s->patch, a)[at] = array_of(&job->tiles, slot, a)[place];
        }
        return;
    }
    for (int a = 0; a < 4; a++) {
        patch_array(s->patch, a)[at] = 0.0f;
    }
    // Beyond a side with ghosts: where they are one deep they are repeated.
    for (int axis = 0; axis < 2; axis++) {
        int beyond = side[axis] < 0 ? 0 : side[axis] >= job->tiles.n[axis] ? 1 : -1;
        int along = side[1 - axis];
        if (beyond < 0 || along < 0 || along >= job->tiles.n[1 - axis]) {
            continue;
        }
        const gy_water_ghost *ghost = &job->ghost[2 * axis + beyond];
        int away = beyond ? side[axis] - job->tiles.n[axis] : -1 - side[axis];
        for (int a = 0; a < 4 && ghost->values; a++) {
            ptrdiff_t row = (ptrdiff_t)a * ghost->deep + GY_MIN(away, ghost->deep - 1);
            patch_array(s->patch, a)[at] = ghost->values[row * ghost->length + along];
        }
        if (ghost->values && ghost->deep > 1) {
            s->patch->shut[at] = 0; // see shut_dead
        }
    }
}

/// Whether a cell is one of several rows of ghosts, between which water flows as between cells.
static bool is_deep(const gy_water_job *job, int i, int j)
{
    int at[2] = {i, j};
    for (int axis = 0; axis < 2; axis++) {
        int n = job->tiles.n[axis], along = at[1 - axis];
        if ((at[axis] < 0 || at[axis] >= n) && along >= 0 && along < job->tiles.n[1 - axis]) {
            const gy_water_ghost *ghost = &job->ghost[2 * axis + (at[axis] >= n)];
            return ghost->values && ghost->deep > 1;
        }
    }
    return false;
}

/// A run of whole rows of the tile itself.
static void gather_middle(const source *s, int slot)
{
    const gy_tiles *t = &s->job->tiles;
    for (int a = 0; a < 4; a++) {
        const float *from = array_of(t, slot, a);
        float *to = patch_array(s->patch, a);
        for (int j = 0; j < s->rows; j++) {
            memcpy(to + gy_patch_at(0, j), from + (ptrdiff_t)j * T,
                   sizeof(float) * (size_t)s->columns);
        }
    }
}

/// A rectangle of the halo that lies in one tile; false where it does not.
static bool gather_block(const source *s, int x, int width, int low, int high)
{
    const gy_water_job *job = s->job;
    int place, last, slot = gy_stepping_slot(job, s->x + x, s->y + low, &place);
    if (slot < 0 || gy_stepping_slot(job, s->x + x + width - 1, s->y + high - 1, &last) != slot ||
        last != place + (high - low - 1) * T + width - 1) {
        return false;
    }
    const uint8_t *flags = gy_tile_flags(&job->tiles, slot) + place;
    for (int a = 0; a < 4; a++) {
        const float *from = array_of(&job->tiles, slot, a) + place;
        float *to = patch_array(s->patch, a) + gy_patch_at(x, low);
        for (int j = low; j < high; j++, from += T, to += GY_PATCH_STRIDE) {
            if (width == H) {
                memcpy(to, from, sizeof(float) * H);
            } else {
                memcpy(to, from, sizeof(float) * (size_t)width);
            }
        }
    }
    for (int j = low; j < high && !s->patch->open; j++) {
        int32_t *shut = s->patch->shut + gy_patch_at(x, j);
        for (int i = 0; i < width; i++) {
            shut[i] = flags[(j - low) * T + i] & (GY_CELL_SHUT_X | GY_CELL_SHUT_Y);
        }
    }
    return true;
}

static void gather_part(const source *s, int x, int width, int low, int high)
{
    if (gather_block(s, x, width, low, high)) {
        return;
    }
    for (int j = low; j < high; j++) {
        for (int i = x; i < x + width; i++) {
            gather_cell(s, i, j);
        }
    }
}

static void gather_rim(const source *s)
{
    const int rows[4] = {-H, 0, s->rows, s->rows + H};
    for (int band = 0; band < 3; band++) {
        gather_part(s, -H, H, rows[band], rows[band + 1]);
        if (band != 1) {
            gather_part(s, 0, s->columns, rows[band], rows[band + 1]);
        }
        gather_part(s, s->columns, H, rows[band], rows[band + 1]);
    }
}

/// A face between two cells of which one is not stepped is shut, on both sides; one between a cell
/// and a ghost is as the cell's flags say.
static void shut_dead(const source *s)
{
    const gy_water_job *job = s->job;
    for (int j = -H; j < s->rows + H; j++) {
        for (int i = -H; i < s->columns + H; i++) {
            bool inner = i > 0 && j > 0 && i < s->columns && j < s->rows;
            if (inner) {
                continue;
            }
            int here, place, at = gy_patch_at(i, j);
            int slot = gy_stepping_slot(job, s->x + i, s->y + j, &here);
            int left = gy_stepping_slot(job, s->x + i - 1, s->y + j, &place);
            bool left_out = s->x + i - 1 < 0 && !job->periodic[0];
            bool right_out = s->x + i == job->tiles.n[0] && !job->periodic[0];
            if (slot < 0 && left >= 0 && right_out && job->ghost[1].values) {
                bool shut = gy_tile_flags(&job->tiles, left)[place] & GY_CELL_SHUT_HIGH_X;
                s->patch->shut[at] =
                    shut ? s->patch->shut[at] | GY_SHUT_X : s->patch->shut[at] & ~GY_SHUT_X;
            } else if (left < 0 && !(slot >= 0 && left_out && job->ghost[0].values) &&
                       !(is_deep(job, s->x + i, s->y + j) &&
                         is_deep(job, s->x + i - 1, s->y + j))) {
                s->patch->shut[at] |= GY_SHUT_X;
            }
            int below = gy_stepping_slot(job, s->x + i, s->y + j - 1, &place);
            bool below_out = s->y + j - 1 < 0 && !job->periodic[1];
            bool above_out = s->y + j == job->tiles.n[1] && !job->periodic[1];
            if (slot < 0 && below >= 0 && above_out && job->ghost[3].values) {
                bool shut = gy_tile_flags(&job->tiles, below)[place] & GY_CELL_SHUT_HIGH_Y;
                s->patch->shut[at] =
                    shut ? s->patch->shut[at] | GY_SHUT_Y : s->patch->shut[at] & ~GY_SHUT_Y;
            } else if (below < 0 && !(slot >= 0 && below_out && job->ghost[2].values) &&
                       !(is_deep(job, s->x + i, s->y + j) &&
                         is_deep(job, s->x + i, s->y + j - 1))) {
                s->patch->shut[at] |= GY_SHUT_Y;
            }
        }
    }
}

/// Whether the tile and those round it are stepped, whole and without a flag.
static bool all_open(const gy_water_job *job, int x, int y)
{
    for (int j = y - 1; j <= y + 1; j++) {
        for (int i = x - 1; i <= x + 1; i++) {
            int a = gy_tile_along(job, 0, i), b = gy_tile_along(job, 1, j);
            if (a < 0 || b < 0) {
                return false;
            }
            int tile = a + job->tiles.tn[0] * b, slot = job->tiles.slot[tile];
            if (slot < 0 || !job->stepping[slot] || !job->plain[tile]) {
                return false;
            }
        }
    }
    return true;
}

static void gather(const gy_water_job *job, int slot, gy_patch *patch)
{
    const gy_tiles *t = &job->tiles;
    int tile = t->tile[slot], x = tile % t->tn[0], y = tile / t->tn[0];
    source s = {job, patch, x * T, y * T, 0, 0};
    s.columns = GY_MIN(T, t->n[0] - s.x);
    s.rows = GY_MIN(T, t->n[1] - s.y);
    patch->open = all_open(job, x, y);
    gather_middle(&s, slot);
    if (!patch->open) {
        const uint8_t *flags = gy_tile_flags(t, slot);
        for (int j = 0; j < s.rows; j++) {
            for (int i = 0; i < s.columns; i++) {
                patch->shut[gy_patch_at(i, j)] =
                    flags[j * T + i] & (GY_CELL_SHUT_X | GY_CELL_SHUT_Y);
            }
        }
    }
    gather_rim(&s);
    if (!patch->open) {
        shut_dead(&s);
        // What lies further out belongs to nobody.
        for (int j = -H; j < T + H; j++) {
            for (int i = j < s.rows + H ? s.columns + H : -H; i < T + H; i++) {
                int at = gy_patch_at(i, j);
                for (int a = 0; a < 4; a++) {
                    patch_array(patch, a)[at] = 0.0f;
                }
                patch->shut[at] = GY_SHUT_X | GY_SHUT_Y;
            }
        }
    }
}

/// What entered by faces.
static void note(gy_water_face *faces, int from, int to, const gy_patch *patch)
{
    for (int f = from; f < to; f++) {
        gy_water_face *face = &faces[f];
        int i = face->i, j = face->j;
        switch (face->towards) {
        case GY_FACE_X_LOW:
            face->pass = patch->pass_x[gy_patch_at(i, j)];
            break;
        case GY_FACE_X_HIGH:
            face->pass = -patch->pass_x[gy_patch_at(i + 1, j)];
            break;
        case GY_FACE_Y_LOW:
            face->pass = patch->pass_y[gy_patch_at(i, j)];
            break;
        default:
            face->pass = -patch->pass_y[gy_patch_at(i, j + 1)];
        }
    }
}

/// By those with rules, and those where a finer water is joined.
static void note_faces(const gy_water_job *job, int slot, const gy_patch *patch)
{
    int tile = job->tiles.tile[slot];
    note(job->faces, job->first_face[tile], job->first_face[tile + 1], patch);
    for (const gy_water_join *j = job->joins; j; j = j->next) {
        note(j->faces, j->first_face[tile], j->first_face[tile + 1], patch);
    }
}

void GY_BODY(water_shallow)(const void *args, const gy_box *box, int task)
{
    const gy_water_job *job = (const void *)(uintptr_t)((const gy_shallow_args *)args)->job;
    const gy_tiles *t = &job->tiles;
    gy_patch patch;
    memset(&patch, 0, sizeof patch);
    (void)task;
    for (int k = box->low[0]; k < box->high[0]; k++) {
        int slot = job->list[k];
        gy_shallow shallow = job->shallow;
        shallow.rows = GY_MIN(T, t->n[1] - t->tile[slot] / t->tn[0] * T);
        gather(job, slot, &patch);
        gy_shallow_step(&shallow, &patch, gy_tile_next(t, slot, GY_WATER_DEPTH),
                        gy_tile_next(t, slot, GY_WATER_QX), gy_tile_next(t, slot, GY_WATER_QY),
                        &job->result[slot].flow);
        note_faces(job, slot, &patch);
    }
}

/// Rain on every cell that is not cut out, and what evaporates from it.
void GY_BODY(water_weather)(const void *args, const gy_box *box, int task)
{
    const gy_water_job *job = (const void *)(uintptr_t)((const gy_weather_args *)args)->job;
    const gy_tiles *t = &job->tiles;
    (void)task;
    for (int k = box->low[0]; k < box->high[0]; k++) {
        int slot = job->list[k], tile = t->tile[slot];
        int columns = GY_MIN(T, t->n[0] - tile % t->tn[0] * T);
        int rows = GY_MIN(T, t->n[1] - tile / t->tn[0] * T);
        float *depth = gy_tile_edit(t, slot, GY_WATER_DEPTH);
        const float *displaced = gy_tile_array(t, slot, GY_WATER_DISPLACED);
        const uint8_t *flags = gy_tile_flags(t, slot);
        double in = 0.0, out = 0.0;
        for (int j = 0; j < rows; j++) {
            for (int at = j * T; at < j * T + columns; at++) {
                if (flags[at] & GY_CELL_OUT) {
                    continue;
                }
                float wet = depth[at] + job->rain;
                in += (double)wet - (double)depth[at];
                float most = wet - displaced[at];
                float dried = job->wave || most > job->evaporation ? wet - job->evaporation
                              : most > 0.0f                        ? wet - most
                                                                   : wet;
                out += (double)wet - (double)dried;
                depth[at] = dried;
            }
        }
        job->result[slot].in = in;
        job->result[slot].out = out;
    }
}

/// The speed of waves in tiles whose water was changed from outside.
void GY_BODY(water_measure)(const void *args, const gy_box *box, int task)
{
    const gy_water_job *job = (const void *)(uintptr_t)((const gy_shallow_args *)args)->job;
    const gy_tiles *t = &job->tiles;
    const gy_shallow *s = &job->shallow;
    (void)task;
    for (int k = box->low[0]; k < box->high[0]; k++) {
        int slot = job->list[k];
        const float *d = gy_tile_state(t, slot, GY_WATER_DEPTH);
        const float *qx = gy_tile_state(t, slot, GY_WATER_QX);
        const float *qy = gy_tile_state(t, slot, GY_WATER_QY);
        vf wave = gy_splat(0.0f), speed = gy_splat(0.0f), dry = gy_splat(s->dry_depth);
        for (int i = 0; i < GY_TILE_AREA; i += VW) {
            vf depth = gy_max(gy_load(d + i), gy_splat(0.0f));
            vf most = gy_max(gy_abs(gy_load(qx + i)), gy_abs(gy_load(qy + i)));
            vf u = gy_min(most / gy_max(depth, dry), gy_splat(s->speed_cap));
            u = gy_select(depth > dry, u, gy_splat(0.0f));
            speed = gy_max(speed, u);
            wave = gy_max(wave, u + gy_sqrt(gy_splat(s->gravity) * depth));
        }
        job->result[slot].flow.wave_speed = gy_lane_max(wave);
        job->result[slot].flow.speed = gy_lane_max(speed);
    }
}

void GY_BODY(water_gather)(const void *args, const gy_box *box, int task)
{
    const gy_gather_args *a = args;
    const int32_t *slots = (const int32_t *)(uintptr_t)a->slot;
    const uint8_t *current = (const uint8_t *)(uintptr_t)a->current;
    float *to = (float *)(uintptr_t)a->to;
    (void)task;
    for (int j = box->low[1]; j < box->high[1]; j++) {
        for (int i = 0; i < box->high[0]; i++) {
            int slot = slots[i / T + a->tn[0] * (j / T)], place = i % T + T * (j % T);
            const char *memory = (const char *)(uintptr_t)a->memory + (size_t)slot * GY_SLOT_BYTES;
            const float *arrays = (const float *)(const void *)memory;
            int array = a->kind == GY_GATHER_ARRAY   ? a->array
                        : a->kind == GY_GATHER_STATE ? current[slot] * GY_WATER_STATE + a->array
                                                     : current[slot] * GY_WATER_STATE;
            float x = arrays[(ptrdiff_t)array * GY_ARRAY_STEP + place];
            if (a->kind == GY_GATHER_SURFACE) {
                const uint8_t *flags =
                    (const uint8_t *)(arrays + (ptrdiff_t)GY_WATER_ARRAYS * GY_ARRAY_STEP);
                float bed = arrays[(ptrdiff_t)GY_WATER_BED * GY_ARRAY_STEP + place];
                x = a->level + x;
                x = (flags[place] & GY_CELL_OUT) || bed > x ? bed : x;
            } else if (a->kind == GY_GATHER_COLUMN) {
                x = arrays[(ptrdiff_t)GY_WATER_BED * GY_ARRAY_STEP + place] + x;
            }
            to[i + (ptrdiff_t)a->n[0] * j] = x;
        }
    }
}
