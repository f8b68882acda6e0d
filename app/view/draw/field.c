// view/draw/field.c: frames taken over, their ranges, and their fields as textures.
#include "view/draw/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t cells_of(const gyre_grid *grid)
{
    return (size_t)grid->n[0] * (size_t)grid->n[1] * (size_t)grid->n[2];
}

static void forget_textures(view_moment *moment)
{
    for (int kind = 0; kind < VIEW_KINDS; kind++) {
        for (int i = 0; i < VIEW_SLOTS; i++) {
            view_delete_texture(&moment->texture[kind][i]);
            moment->loaded[kind][i] = false;
        }
    }
    view_delete_texture(&moment->velocity);
    view_delete_texture(&moment->body);
    view_delete_texture(&moment->shade);
    for (int i = 0; i < 3; i++) {
        view_delete_texture(&moment->smoke[i]);
        moment->smoke_made[i] = false;
    }
    for (int i = 0; i < 2; i++) {
        view_delete_texture(&moment->dyes[i]);
        moment->dyes_loaded[i] = false;
    }
    view_delete_texture(&moment->own);
    moment->own_made = false;
    view_delete_texture(&moment->heights);
    moment->heights_loaded = false;
    moment->velocity_loaded = moment->body_loaded = false;
    moment->shade_made = moment->bricks_made = moment->parts_made = false;
}

void view_forget(view_draw *draw)
{
    for (int m = 0; m < 2; m++) {
        view_moment *moment = &draw->moments[m];

        forget_textures(moment);
        for (int i = 0; i < VIEW_SLOTS; i++)
            free(moment->data[i]);
        free(moment->bricks);
        free(moment->bodies);
        *moment = (view_moment){0};
    }
    view_light *light = &draw->light;

    view_delete_texture(&light->depth);
    view_delete_texture(&light->arrived);
    view_delete_texture(&light->sky);
    for (int i = 0; i < 2; i++) {
        view_target_free(&light->tiles[i]);
        view_target_free(&light->plane[i]);
    }
    view_target_free(&light->floor);
    glDeleteFramebuffers(1, &light->framebuffer);
    *light = (view_light){0};
    view_forget_shared(draw);
    view_flow_forget(draw);
    view_delete_texture(&draw->bricks);
    free(draw->brick_bits);
    draw->brick_bits = NULL;
    memset(draw->own_known, 0, sizeof draw->own_known);
    draw->fastest = 0.0f;
}

// NaN and infinity become 0.
static float made_finite(float x)
{
    return fabsf(x) < 1e30f ? x : 0.0f;
}

static void copy_cells(const view_draw *draw, const float *from, float *to)
{
    const int *n = draw->grid.n, *full = draw->full.n;
    int every = draw->every;

    if (every == 1) {
        size_t count = cells_of(&draw->grid);

        for (size_t i = 0; i < count; i++)
            to[i] = made_finite(from[i]);
        return;
    }
    for (int k = 0; k < n[2]; k++) {
        for (int j = 0; j < n[1]; j++) {
            const float *row = from + (size_t)full[0] * ((size_t)(j * every) +
                                                         (size_t)full[1] * (size_t)(k * every));

            for (int i = 0; i < n[0]; i++)
                *to++ = made_finite(row[i * every]);
        }
    }
}

// Gives whether the cells are others than before.
static bool take_field(const view_draw *draw, view_moment *moment, int field, const float *from)
{
    size_t size = cells_of(&draw->grid) * sizeof(float);

    if (moment->room[field] < size) {
        free(moment->data[field]);
        moment->data[field] = malloc(size);
        moment->room[field] = moment->data[field] != NULL ? size : 0;
        if (moment->data[field] == NULL)
            return true;
    } else if (draw->every == 1 && memcmp(moment->data[field], from, size) == 0) {
        return false;
    }
    copy_cells(draw, from, moment->data[field]);
    return true;
}

static void drop_field(view_moment *moment, int field)
{
    free(moment->data[field]);
    moment->data[field] = NULL;
    moment->room[field] = 0;
}

// What was shown follows what is there: quickly where values leave the range, slowly where it could
// be narrower, so that colours do not flicker.
static float follow(float shown, float there, bool outwards)
{
    return shown + (outwards ? 0.3f : 0.04f) * (there - shown);
}

static void follow_range(view_draw *draw, int field, float low, float high)
{
    float *own = draw->own[field];

    if (low > high)
        low = high = 0.0f;
    if (draw->own_known[field]) {
        low = follow(own[0], low, low < own[0]);
        high = follow(own[1], high, high > own[1]);
    }
    own[0] = low;
    own[1] = high;
    draw->own_known[field] = true;
}

void view_measure_range(view_draw *draw, const view_moment *moment, int field)
{
    const float *data = moment->data[field];
    const float *solid = draw->solid >= 0 ? moment->data[draw->solid] : NULL;
    size_t count = cells_of(&draw->grid);
    float low = 3e38f, high = -3e38f;

    if (moment->shared) {
        draw->own_known[field] =
            draw->own_known[field] && moment->has[field]; // what is not there has no range
        if (moment->has[field] &&
            view_measure_slot(draw, (int)(moment - draw->moments), field, &low, &high))
            follow_range(draw, field, low, high);
        return;
    }
    if (data == NULL) {
        draw->own_known[field] = false;
        return;
    }
    if (solid != NULL && field != draw->solid) {
        for (size_t i = 0; i < count; i++) {
            float value = data[i];

            low = solid[i] < 0.5f && value < low ? value : low;
            high = solid[i] < 0.5f && value > high ? value : high;
        }
    } else {
        for (size_t i = 0; i < count; i++) {
            low = data[i] < low ? data[i] : low;
            high = data[i] > high ? data[i] : high;
        }
    }
    follow_range(draw, field, low, high);
}

static void follow_speed(view_draw *draw, float most, bool fresh)
{
    draw->fastest = fresh ? most : follow(draw->fastest, most, most > draw->fastest);
}

static void measure_speed(view_draw *draw, const view_moment *moment, bool fresh)
{
    const float *v[3];
    size_t count = cells_of(&draw->grid);
    float most = 0.0f;

    for (int axis = 0; axis < 3; axis++) {
        v[axis] = draw->velocity[axis] >= 0 ? moment->data[draw->velocity[axis]] : NULL;
        if (v[axis] == NULL && axis < draw->grid.dim)
            return;
    }
    for (size_t i = 0; i < count; i++) {
        float speed = v[0][i] * v[0][i] + v[1][i] * v[1][i];

        speed += draw->grid.dim == 3 ? v[2][i] * v[2][i] : 0.0f;
        most = speed > most ? speed : most;
    }
    follow_speed(draw, sqrtf(most), fresh);
}

// Whether a frame goes on where the last one was: else both moments are replaced.
static bool goes_on(const view_draw *draw, const view_frame *frame)
{
    const view_moment *moment = &draw->moments[draw->later];
    bool same = moment->filled && moment->shared == frame->shared &&
                memcmp(&draw->full, &frame->grid, sizeof frame->grid) == 0 &&
                frame->step >= draw->step && frame->field_count == draw->field_count;

    for (int i = 0; same && i < frame->field_count; i++)
        same = strcmp(frame->fields[i].name, draw->fields[i].name) == 0;
    return same;
}

static void begin_grid(view_draw *draw, const view_frame *frame)
{
    int most = draw->most[frame->grid.dim == 3], longest = 1;

    view_forget(draw);
    draw->full = draw->grid = frame->grid;
    for (int axis = 0; axis < 3; axis++)
        longest = frame->grid.n[axis] > longest ? frame->grid.n[axis] : longest;
    // Fewer cells than there are where textures cannot be that long.
    draw->every = (longest + most - 1) / most;
    for (int axis = 0; axis < 3; axis++)
        draw->grid.n[axis] = (frame->grid.n[axis] + draw->every - 1) / draw->every;
    draw->grid.h = frame->grid.h * (float)draw->every;
    draw->field_count = frame->field_count;
}

static void take_copied(view_draw *draw, const view_frame *frame, bool fresh)
{
    view_moment *moment = &draw->moments[draw->later];
    const view_moment *before = &draw->moments[1 - draw->later];
    bool changed[VIEW_FIELDS] = {false};

    for (int i = 0; i < frame->field_count; i++) {
        if (frame->fields[i].present && frame->fields[i].data != NULL)
            changed[i] = take_field(draw, moment, i, frame->fields[i].data);
        else
            drop_field(moment, i);
        moment->has[i] = moment->data[i] != NULL;
    }
    if (draw->surface >= 0)
        moment->heights_loaded =
            moment->heights_loaded && !changed[draw->surface] && !changed[draw->bed];
    bool solid_changed = draw->solid >= 0 && changed[draw->solid];

    for (int i = 0; i < frame->field_count; i++) {
        for (int kind = 0; kind < VIEW_KINDS; kind++)
            moment->loaded[kind][i] =
                moment->loaded[kind][i] && !changed[i] && !(kind == VIEW_GROWN && solid_changed);
        view_measure_range(draw, moment, i);
    }
    moment->body_loaded = moment->body_loaded && !solid_changed;
    measure_speed(draw, moment, fresh);
    const float *a = draw->solid >= 0 ? moment->data[draw->solid] : NULL;
    const float *b = draw->solid >= 0 ? before->data[draw->solid] : NULL;

    draw->solids_move =
        a != NULL && b != NULL && memcmp(a, b, cells_of(&draw->grid) * sizeof(float)) != 0;
}

static bool take_shared(view_draw *draw, const view_frame *frame, bool fresh)
{
    view_moment *moment = &draw->moments[draw->later];
    const view_moment *before = &draw->moments[1 - draw->later];
    int64_t old = moment->solid_turn;
    view_extremes extremes;

    if (!view_take_shared(draw, draw->later, frame) ||
        !view_measure_shared(draw, draw->later, &extremes))
        return false;
    for (int i = 0; i < frame->field_count; i++) {
        for (int kind = 0; kind < VIEW_KINDS; kind++)
            moment->loaded[kind][i] = kind == VIEW_AS_IS && moment->has[i];
        if (moment->has[i])
            follow_range(draw, i, extremes.low[i], extremes.high[i]);
        else
            draw->own_known[i] = false;
    }
    bool flows = true;

    for (int axis = 0; axis < draw->grid.dim; axis++)
        flows = flows && draw->velocity[axis] >= 0 && moment->has[draw->velocity[axis]];
    if (flows)
        follow_speed(draw, extremes.speed, fresh);
    bool both = draw->solid >= 0 && moment->has[draw->solid] && before->has[draw->solid];

    draw->solids_move = both && extremes.solids_differ;
    moment->solid_turn =
        both && !extremes.solids_differ ? before->solid_turn : ++draw->card.solid_turns;
    moment->body_loaded = moment->body_loaded && moment->solid_turn == old;
    return true;
}

bool view_draw_push(view_draw *draw, const view_frame *frame)
{
    bool on = goes_on(draw, frame), taken = true;

    if (frame->field_count < 0 || frame->field_count > VIEW_FIELDS)
        return true;
    if (!on)
        begin_grid(draw, frame);
    memcpy(draw->fields, frame->fields, sizeof draw->fields);
    memcpy(draw->velocity, frame->velocity, sizeof draw->velocity);
    for (int i = 0; i < frame->field_count; i++) {
        draw->fields[i].data = NULL;
        draw->fields[i].share = (view_share){0};
    }
    draw->density = frame->density;
    draw->temperature = frame->temperature;
    draw->solid = frame->solid;
    draw->step = frame->step;
    draw->later = on ? 1 - draw->later : draw->later;
    view_moment *moment = &draw->moments[draw->later];

    moment->filled = true;
    moment->shared = frame->shared;
    moment->time = frame->time;
    view_take_points(draw, frame);
    view_take_overhang(draw, frame);
    view_flow_take(draw, moment, frame);
    moment->shade_made = moment->bricks_made = moment->parts_made = moment->own_made = false;
    for (int i = 0; i < 3; i++)
        moment->smoke_made[i] = false;
    moment->velocity_loaded = false;
    draw->surface =
        view_frame_has_surface(frame) ? view_frame_shown_as(frame, GYRE_VIEW_SURFACE) : -1;
    draw->bed = draw->surface >= 0 ? view_frame_shown_as(frame, GYRE_VIEW_BED) : -1;
    draw->foam = draw->surface >= 0 ? view_frame_find(frame, "foam") : -1;
    draw->wet = draw->surface >= 0 ? view_frame_find(frame, "wet") : -1;
    draw->speed = draw->surface >= 0 ? view_frame_find(frame, "speed") : -1;
    if (frame->shared)
        taken = take_shared(draw, frame, !on);
    else
        take_copied(draw, frame, !on);
    view_take_bodies(moment, frame);
    if (!taken)
        view_forget(draw);
    return taken;
}

int view_field_of(const view_draw *draw, const view_look *look)
{
    for (int i = 0; i < draw->field_count; i++) {
        if (look->field[0] != '\0' && strcmp(draw->fields[i].name, look->field) == 0)
            return i;
    }
    return draw->density;
}

gyre_colour_map view_map_of(const view_draw *draw, const view_look *look, int field)
{
    int map = look->settings.map;

    if (map > GYRE_MAP_AUTO && map <= GYRE_MAP_BLACK_BODY)
        return (gyre_colour_map)map;
    if (field < 0)
        return GYRE_MAP_VIRIDIS;
    switch (draw->fields[field].view) {
    case GYRE_VIEW_DENSITY:
        return GYRE_MAP_SMOKE;
    case GYRE_VIEW_TEMPERATURE:
        return GYRE_MAP_BLACK_BODY;
    case GYRE_VIEW_SIGNED:
        return GYRE_MAP_COOLWARM;
    case GYRE_VIEW_FRACTION:
    case GYRE_VIEW_SURFACE:
    case GYRE_VIEW_BED:
        break;
    }
    return GYRE_MAP_VIRIDIS;
}

void view_draw_range(const view_draw *draw, const view_look *look, float range[2])
{
    bool mixed = view_draw_mixes(draw, look);
    int field = mixed ? VIEW_SUM : view_field_of(draw, look);
    float low = look->settings.range[0], high = look->settings.range[1];

    if (!(low != high) || !isfinite(high - low)) {
        bool known = field >= 0 && draw->own_known[field];

        low = known ? draw->own[field][0] : 0.0f;
        high = known ? draw->own[field][1] : 0.0f;
        if (!mixed && view_map_of(draw, look, field) == GYRE_MAP_COOLWARM) {
            high = fmaxf(fabsf(low), fabsf(high));
            low = -high;
        } else if (low > 0.0f && (mixed || draw->fields[field].view != GYRE_VIEW_SIGNED)) {
            low = 0.0f;
        }
        // Nearly nothing everywhere, rounding included, is shown as one colour.
        high = high - low > 1e-30f + 1e-6f * fabsf(low) ? high : low + 1.0f;
    }
    range[0] = low;
    range[1] = high;
}

bool view_pair(const view_draw *draw, int field, float *blend, int pair[2])
{
    int later = draw->later, earlier = 1 - later;

    if (field < 0)
        return false;
    bool new = draw->moments[later].has[field];
    bool old = draw->moments[earlier].has[field];

    if (!new && !old)
        return false;
    pair[0] = new ? later : earlier;
    pair[1] = old ? earlier : later;
    if (pair[0] == pair[1] || !(*blend < 1.0f)) {
        *blend = 1.0f;
        pair[1] = pair[0];
    } else if (!(*blend > 0.0f)) {
        *blend = 1.0f;
        pair[0] = pair[1];
    }
    return true;
}

bool view_solid_pair(const view_draw *draw, const view_look *look, float *blend, int pair[2])
{
    if (!look->solids || !view_pair(draw, draw->solid, blend, pair))
        return false;
    if (!draw->solids_move) {
        pair[1] = pair[0];
        *blend = 1.0f;
    }
    return true;
}

// The mean of the fluid within two cells, the near ones counting more.
static void grow_into_solid(const gyre_grid *grid, const float *solid, float *data)
{
    const int *n = grid->n;
    ptrdiff_t sy = n[0], sz = sy * n[1], at = 0;
    int deep = grid->dim == 3 ? 1 : 0, wide = grid->dim == 3 ? 1 : 2;

    for (int k = 0; k < n[2]; k++) {
        for (int j = 0; j < n[1]; j++) {
            for (int i = 0; i < n[0]; i++, at++) {
                float sum = 0.0f, weight = 0.0f;

                if (solid[at] < 0.5f)
                    continue;
                for (int c = k - deep < 0 ? 0 : k - deep; c <= k + deep && c < n[2]; c++) {
                    for (int b = j - wide < 0 ? 0 : j - wide; b <= j + wide && b < n[1]; b++) {
                        for (int a = i - wide < 0 ? 0 : i - wide; a <= i + wide && a < n[0]; a++) {
                            ptrdiff_t from = a + b * sy + c * sz;
                            int r = (a - i) * (a - i) + (b - j) * (b - j) + (c - k) * (c - k);

                            if (solid[from] >= 0.5f)
                                continue;
                            sum += data[from] / (float)r;
                            weight += 1.0f / (float)r;
                        }
                    }
                }
                data[at] = weight > 0.0f ? sum / weight : 0.0f;
            }
        }
    }
}

// Weights 1 4 1 along both axes: the values of a cubic B-spline at its own points.
static void smooth_plane(const int n[2], const float *from, float *to)
{
    for (int j = 0; j < n[1]; j++) {
        ptrdiff_t row = (ptrdiff_t)j * n[0];
        ptrdiff_t down = j > 0 ? -n[0] : 0, up = j + 1 < n[1] ? n[0] : 0;

        for (int i = 0; i < n[0]; i++) {
            float sum = 0.0f;

            for (int a = -1; a <= 1; a++) {
                int held = i + a < 0 ? 0 : i + a >= n[0] ? n[0] - 1 : i + a;
                const float *p = from + row + held;

                sum += (a == 0 ? 4.0f : 1.0f) * (p[down] + 4.0f * p[0] + p[up]);
            }
            to[row + i] = sum / 36.0f;
        }
    }
}

static void load(const view_draw *draw, GLuint *texture, const float *data, int channels)
{
    static const GLenum formats[3] = {0, GL_R32F, GL_RG32F};
    const int *n = draw->grid.n;

    view_texture(texture, formats[channels], n[0], n[1], draw->grid.dim == 3 ? n[2] : 0, data,
                 channels);
}

GLuint view_field_texture(view_draw *draw, int moment, int field, view_kind kind)
{
    view_moment *of = &draw->moments[moment];
    const float *solid = draw->solid >= 0 ? of->data[draw->solid] : NULL;

    if (kind == VIEW_GROWN && (draw->solid < 0 || !of->has[draw->solid] || field == draw->solid))
        kind = VIEW_AS_IS;
    GLuint *texture = &of->texture[kind][field];

    if (of->loaded[kind][field])
        return *texture;
    if (of->shared) {
        of->loaded[kind][field] = view_pass_kind(draw, moment, field, kind, texture);
        return of->loaded[kind][field] ? *texture : of->texture[VIEW_AS_IS][field];
    }
    size_t size = cells_of(&draw->grid) * sizeof(float);
    float *made = kind != VIEW_AS_IS ? malloc(size) : NULL;

    if (kind != VIEW_AS_IS && made == NULL)
        return view_field_texture(draw, moment, field, VIEW_AS_IS);
    if (kind == VIEW_GROWN) {
        memcpy(made, of->data[field], size);
        grow_into_solid(&draw->grid, solid, made);
    } else if (kind == VIEW_SMOOTHED) {
        smooth_plane(draw->grid.n, of->data[field], made);
    }
    load(draw, texture, made != NULL ? made : of->data[field], 1);
    free(made);
    of->loaded[kind][field] = true;
    return *texture;
}

GLuint view_dyes_texture(view_draw *draw, int moment, bool grown)
{
    view_moment *of = &draw->moments[moment];
    const float *solid = draw->solid >= 0 ? of->data[draw->solid] : NULL;
    const int *n = draw->grid.n;
    size_t count = cells_of(&draw->grid);

    grown = grown && draw->solid >= 0 && of->has[draw->solid];
    if (of->dyes_loaded[grown])
        return of->dyes[grown];
    if (of->shared) {
        of->dyes_loaded[grown] = view_pass_grown_dyes(draw, moment);
        return of->dyes[of->dyes_loaded[grown] ? grown : 0];
    }
    float *packed = malloc(4 * count * sizeof *packed);
    float *own = grown ? malloc(count * sizeof *own) : NULL;

    for (int c = 0; c < 4 && packed != NULL && (own != NULL || !grown); c++) {
        const float *from = of->data[c < 3 ? VIEW_SUM + 1 + c : VIEW_SUM];

        if (grown) {
            memcpy(own, from, count * sizeof *own);
            grow_into_solid(&draw->grid, solid, own);
            from = own;
        }
        for (size_t i = 0; i < count; i++)
            packed[4 * i + (size_t)c] = from[i];
    }
    if (packed != NULL && (own != NULL || !grown)) {
        view_texture(&of->dyes[grown], GL_RGBA32F, n[0], n[1], draw->grid.dim == 3 ? n[2] : 0,
                     packed, 4);
        of->dyes_loaded[grown] = true;
    }
    free(packed);
    free(own);
    return of->dyes[grown];
}

GLuint view_velocity_texture(view_draw *draw, int moment)
{
    view_moment *of = &draw->moments[moment];
    const int *n = draw->grid.n;
    int channels = draw->grid.dim == 3 ? 4 : 2;
    size_t count = cells_of(&draw->grid);

    if (of->velocity_loaded)
        return of->velocity;
    if (of->shared) {
        of->velocity_loaded = view_pass_velocity(draw, moment, &of->velocity);
        return of->velocity;
    }
    float *packed = calloc(count, (size_t)channels * sizeof *packed);

    if (packed == NULL)
        return of->velocity;
    for (int axis = 0; axis < draw->grid.dim; axis++) {
        const float *v = draw->velocity[axis] >= 0 ? of->data[draw->velocity[axis]] : NULL;

        for (size_t i = 0; v != NULL && i < count; i++)
            packed[i * (size_t)channels + (size_t)axis] = v[i];
    }
    view_texture(&of->velocity, channels == 4 ? GL_RGBA32F : GL_RG32F, n[0], n[1],
                 channels == 4 ? n[2] : 0, packed, channels);
    free(packed);
    of->velocity_loaded = true;
    return of->velocity;
}

// Weights 1 2 1 along one axis; past the ends counts what is inside.
static void smooth_axis(const gyre_grid *grid, int axis, const float *from, float *to)
{
    const int *n = grid->n;
    ptrdiff_t step = axis == 0 ? 1 : axis == 1 ? n[0] : (ptrdiff_t)n[0] * n[1], at = 0;

    for (int k = 0; k < n[2]; k++) {
        for (int j = 0; j < n[1]; j++) {
            int place = axis == 1 ? j : k;

            if (axis != 0) {
                ptrdiff_t back = place > 0 ? -step : 0, on = place + 1 < n[axis] ? step : 0;

                for (int i = 0; i < n[0]; i++, at++)
                    to[at] = 0.25f * (from[at + back] + 2.0f * from[at] + from[at + on]);
                continue;
            }
            for (int i = 0; i < n[0]; i++, at++)
                to[at] = 0.25f * (from[i > 0 ? at - 1 : at] + 2.0f * from[at] +
                                  from[i + 1 < n[0] ? at + 1 : at]);
        }
    }
}

GLuint view_body_texture(view_draw *draw, int moment)
{
    view_moment *of = &draw->moments[moment];
    size_t count = cells_of(&draw->grid);
    const float *share = of->data[draw->solid];

    if (of->body_loaded)
        return of->body;
    if (of->shared) {
        of->body_loaded = view_pass_body(draw, moment, &of->body);
        return of->body;
    }
    float *room = malloc(4 * count * sizeof *room);

    if (room == NULL)
        return of->body;
    float *a = room, *b = room + count, *both = room + 2 * count;

    memcpy(a, share, count * sizeof *a);
    for (int round = 0; round < 2; round++) {
        for (int axis = 0; axis < 3; axis++) {
            float *swap = b;

            smooth_axis(&draw->grid, axis, a, b);
            b = a;
            a = swap;
        }
    }
    for (size_t i = 0; i < count; i++) {
        both[2 * i] = share[i];
        both[2 * i + 1] = a[i];
    }
    load(draw, &of->body, both, 2);
    free(room);
    of->body_loaded = true;
    return of->body;
}

static float to_linear(float x)
{
    return x <= 0.04045f ? x / 12.92f : powf((x + 0.055f) / 1.055f, 2.4f);
}

GLuint view_table_texture(view_draw *draw, gyre_colour_map map)
{
    enum { TEXELS = 256 };
    float colours[TEXELS][4];

    if (draw->table != 0 && draw->table_map == (int)map)
        return draw->table;
    for (int i = 0; i < TEXELS; i++) {
        gyre_map_colour(map, (float)i / (float)(TEXELS - 1), colours[i]);
        for (int c = 0; c < 3; c++)
            colours[i][c] = to_linear(colours[i][c]);
        colours[i][3] = 1.0f;
    }
    view_texture(&draw->table, GL_RGBA32F, TEXELS, 1, 0, colours, 4);
    draw->table_map = (int)map;
    return draw->table;
}
