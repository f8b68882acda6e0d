// render/points.c: points as lit balls over a picture that is there already: each is looked at from
// the eye (what hides it: solids, ground, smoke) and from the light, and is told how much of the
// sky it has; then all are blended, the farthest first, band by band of the picture. What is turned
// is a leaf: a parallelogram on the picture, of whose light a part shines through; what is soft is
// spray: a blurred spot that light comes through from all sides. Costs two walks through the grid
// and one look at the cells' light a point, and its pixels; a sort, on one thread.
#include "render/points.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 2048, BAND = 32 }; // points, and rows of pixels, that are a task

static const float least = 0.6f;            // pixels: what is smaller is as large, and the fainter
static const float leaf[2] = {0.6f, 0.08f}; // width, and thickness, by length
static const float through = 0.4f;          // of light, through a leaf
static const float blurred = 4.5f, veil = 0.125f; // of a soft drop: its radius, and what it hides

/// A ball on the picture.
typedef struct ball {
    float depth;    // away from the eye; below 0: it is not seen
    float at[2];    // pixels, y down
    float radius;   // pixels
    float strength; // 0 to 1
    bool soft;      // a drop of spray
    vec albedo, sun, sky;
} ball;

/// A leaf's half length and half width on the picture, and its normal, towards the eye.
typedef struct sheet {
    float along[2], across[2]; // pixels
    vec normal;
    bool is; // else it is a ball
} sheet;

typedef struct drawing {
    const gy_points_view *view;
    ball *balls;
    sheet *sheets; // NULL: they are balls, all of them
    float size;    // in units
} drawing;

static float to_linear(float x)
{
    return x <= 0.04045f ? x / 12.92f : powf((x + 0.055f) / 1.055f, 2.4f);
}

static vec colour_of(const gyre_render_input *input, int64_t i)
{
    const gyre_render_points *p = input->points;
    float rgb[3];

    if (p->colours == NULL)
        return vec_make(input->settings.point_colour);
    gyre_map_colour((gyre_colour_map)input->settings.point_map, p->colours[i], rgb);
    return (vec){to_linear(rgb[0]), to_linear(rgb[1]), to_linear(rgb[2]), 0.0f};
}

/// Puts a point on the picture; false: it is behind the eye or beside the picture.
static bool project(const gy_points_view *v, vec at, float size, ball *b)
{
    float width = (float)v->image->width, height = (float)v->image->height;

    if (v->flat) {
        b->depth = 0.0f;
        b->at[0] = (at[0] - v->shift[0]) / v->cells;
        b->at[1] = height - (at[1] - v->shift[1]) / v->cells;
        b->radius = 0.5f * size / v->cells;
    } else {
        vec to = at - v->eye;
        float square = vec_dot(v->right, v->right);

        b->depth = vec_dot(to, v->forward);
        if (!(b->depth > 1e-3f))
            return false;
        b->at[0] = 0.5f * width + vec_dot(to, v->right) / square / b->depth * height;
        b->at[1] = 0.5f * height - vec_dot(to, v->up) / square / b->depth * height;
        b->radius = 0.5f * size / sqrtf(square) / b->depth * height;
    }
    b->radius = fminf(b->radius, height);
    b->strength = b->radius < least ? b->radius * b->radius / (least * least) : 1.0f;
    b->radius = fmaxf(b->radius, least);
    float margin = b->radius + 1.0f;

    return b->at[0] > -margin && b->at[0] < width + margin && b->at[1] > -margin &&
           b->at[1] < height + margin;
}

/// A vector turned by a quaternion.
static vec turn(const float q[4], vec v)
{
    vec axis = {q[0], q[1], q[2], 0.0f};
    vec once = vec_cross(axis, v) * vec_all(2.0f);

    return v + once * vec_all(q[3]) + vec_cross(axis, once);
}

/// The leaf of which `b` is the ball round its middle.
static void turn_leaf(const gy_points_view *v, const float q[4], vec at, float size, ball *b,
                      sheet *s)
{
    vec ways[2] = {turn(q, (vec){1, 0, 0, 0}), turn(q, (vec){0, 0, 1, 0})};
    float half = 0.5f * size, width;

    s->normal = turn(q, (vec){0, 1, 0, 0});
    if (v->flat) {
        // Seen from beside: as long as it is, and thin.
        float by = half / v->cells;

        s->along[0] = by * ways[0][0];
        s->along[1] = -by * ways[0][1];
        s->across[0] = by * leaf[1] * s->normal[0];
        s->across[1] = -by * leaf[1] * s->normal[1];
    } else {
        float *to[2] = {s->along, s->across};

        for (int a = 0; a < 2; a++) {
            ball low = {.depth = 0}, high = {.depth = 0};
            vec way = ways[a] * vec_all(half * (a == 0 ? 1.0f : leaf[0]));

            project(v, at - way, 0.0f, &low);
            project(v, at + way, 0.0f, &high);
            bool both = low.depth > 1e-3f && high.depth > 1e-3f;
            for (int c = 0; c < 2; c++)
                to[a][c] = both ? 0.5f * (high.at[c] - low.at[c]) : 0.0f;
        }
        if (vec_dot(s->normal, v->eye - at) < 0.0f)
            s->normal = -s->normal;
    }
    // Of a pixel's width at least, and the fainter.
    float length = sqrtf(s->along[0] * s->along[0] + s->along[1] * s->along[1]);
    float other = sqrtf(s->across[0] * s->across[0] + s->across[1] * s->across[1]);
    b->strength = 1.0f;
    if (other > length) {
        for (int c = 0; c < 2; c++) {
            float x = s->along[c];

            s->along[c] = s->across[c];
            s->across[c] = x;
        }
        length = other;
    }
    if (length < least) {
        float by = length > 1e-3f ? least / length : 0.0f;

        b->strength /= fmaxf(by, 1.0f);
        s->along[0] = by > 0.0f ? by * s->along[0] : least;
        s->along[1] = by > 0.0f ? by * s->along[1] : 0.0f;
        length = least;
    }
    vec side = {-s->along[1] / length, s->along[0] / length, 0.0f, 0.0f};
    width = s->across[0] * side[0] + s->across[1] * side[1];
    if (fabsf(width) < 0.5f) {
        b->strength *= fabsf(width) * 2.0f;
        s->across[0] = 0.5f * side[0];
        s->across[1] = 0.5f * side[1];
    }
    b->radius = length + fabsf(s->across[0]) + fabsf(s->across[1]);
}

static void look_at(void *argument, int chunk)
{
    const drawing *d = argument;
    const gy_points_view *v = d->view;
    const gyre_render_points *p = v->input->points;
    int64_t end = (int64_t)(chunk + 1) * CHUNK < p->count ? (int64_t)(chunk + 1) * CHUNK : p->count;

    for (int64_t i = (int64_t)chunk * CHUNK; i < end; i++) {
        ball *b = &d->balls[i];
        vec at = (vec_make(p->positions + 3 * i) - v->corner) * vec_all(1.0f / v->unit);
        float size = d->size * (p->sizes != NULL ? p->sizes[i] : 1.0f);

        b->soft = size < 0.0f;
        size *= b->soft ? -blurred : 1.0f;
        if (!project(v, at, size, b)) {
            b->depth = -1.0f;
            continue;
        }
        if (d->sheets != NULL) {
            const float *q = p->orientations + 4 * i;

            d->sheets[i].is = q[0] != 0.0f || q[1] != 0.0f || q[2] != 0.0f || q[3] != 0.0f;
            if (d->sheets[i].is)
                turn_leaf(v, q, at, size, b, &d->sheets[i]);
        }
        b->albedo = colour_of(v->input, i);
        b->strength *= b->soft ? veil : 1.0f;
        if (v->flat)
            continue;
        float seen = v->passes != NULL ? v->passes(v->scene, at, v->eye) : 1.0f;
        bool shadow = v->input->settings.shadow;
        float lit = v->lit != NULL && shadow ? v->lit(v->scene, at) : 1.0f;
        float open = v->open != NULL && shadow ? v->open(v->scene, at) : 1.0f;

        b->strength *= seen;
        b->depth = seen > 0.004f ? b->depth : -1.0f;
        b->sun = v->sun * vec_all(lit);
        b->sky = v->sky * vec_all(open);
    }
}

/// The colour of a ball at (u, v) of its disk, y up.
static vec shade(const gy_points_view *v, const ball *b, float x, float y)
{
    if (v->flat)
        return b->albedo;
    float square = vec_dot(v->right, v->right), out = 1.0f - x * x - y * y;
    vec side = v->right * vec_all(x) + v->up * vec_all(y);
    vec normal =
        side * vec_all(1.0f / sqrtf(square)) - v->forward * vec_all(sqrtf(out > 0.0f ? out : 0.0f));
    float facing = vec_dot(normal, v->light), faces = clamp01(facing);

    faces = b->soft ? 0.6f + 0.3f * facing : faces;
    vec colour =
        b->albedo * (b->sun * vec_all(faces) + b->sky * vec_all(0.75f + 0.25f * normal[1]) +
                     vec_all(v->input->settings.point_glow));

    return gy_tone_map(colour * vec_all(v->input->settings.exposure));
}

/// The colour of a leaf: lit from the eye's side, or through it.
static vec shade_leaf(const gy_points_view *v, const ball *b, const sheet *s)
{
    if (v->flat)
        return b->albedo;
    float facing = vec_dot(s->normal, v->light), faces = facing > 0.0f ? facing : -through * facing;
    vec colour =
        b->albedo * (b->sun * vec_all(faces) + b->sky * vec_all(0.75f + 0.25f * s->normal[1]) +
                     vec_all(v->input->settings.point_glow));

    return gy_tone_map(colour * vec_all(v->input->settings.exposure));
}

/// The share of a pixel `at` pixels from the middle that lies between both edges across `half`.
static float between(const float half[2], const float edge[2], const float at[2])
{
    float area = half[0] * edge[1] - half[1] * edge[0],
          length = sqrtf(edge[0] * edge[0] + edge[1] * edge[1]),
          away = (at[0] * edge[1] - at[1] * edge[0]) / length, wide = fabsf(area) / length;

    return fmaxf(clamp01(wide - away + 0.5f) + clamp01(wide + away + 0.5f) - 1.0f, 0.0f);
}

typedef struct place {
    float depth;
    uint32_t index;
} place;

/// Points in the order that they are blended in, over a picture.
typedef struct blending {
    const drawing *d;
    place *order;
    size_t seen;
    vec *pixels;
    float linear[256];
} blending;

// A ball's or leaf's part within rows from `top` up to `end`.
static void blend(const blending *all, const ball *b, const sheet *s, int top, int end)
{
    const gy_points_view *v = all->d->view;
    int width = v->image->width, low[2], high[2];

    for (int a = 0; a < 2; a++) {
        float first = floorf(b->at[a] - b->radius - 0.5f),
              last = ceilf(b->at[a] + b->radius + 0.5f);
        int from = a == 0 ? 0 : top, most = a == 0 ? width : end;

        low[a] = first > (float)from ? (int)first : from;
        high[a] = last < (float)most ? (int)last : most;
    }
    if (low[1] >= high[1])
        return;
    // A soft drop has no side of its own: it is as light as its middle.
    bool one = s != NULL || b->soft;
    vec flat = s != NULL ? shade_leaf(v, b, s) : shade(v, b, 0.0f, 0.0f);

    for (int y = low[1]; y < high[1]; y++) {
        for (int x = low[0]; x < high[0]; x++) {
            float dx = (float)x + 0.5f - b->at[0], dy = b->at[1] - (float)y - 0.5f;
            float away = sqrtf(dx * dx + dy * dy);
            float share = clamp01(b->radius + 0.5f - away) * b->strength;

            if (b->soft)
                share = smooth(0.0f, 1.0f, 1.0f - away / (b->radius + 0.5f)) * b->strength;

            if (s != NULL) {
                const float at[2] = {dx, -dy};

                share = between(s->along, s->across, at) * between(s->across, s->along, at) *
                        b->strength;
            }

            if (share > 0.0f) {
                float inside = fminf(1.0f, 0.98f * b->radius / fmaxf(away, 1e-6f)) / b->radius;
                size_t at = (size_t)y * (size_t)width + (size_t)x;
                const uint8_t *rgb = v->image->rgb + 3 * at;
                vec *pixel = &all->pixels[at];
                vec colour = one ? flat : shade(v, b, dx * inside, dy * inside);

                if ((*pixel)[3] == 0.0f)
                    *pixel =
                        (vec){all->linear[rgb[0]], all->linear[rgb[1]], all->linear[rgb[2]], 0.0f};
                *pixel = *pixel + (colour - *pixel) * vec_all(share);
                (*pixel)[3] = 1.0f; // touched
            }
        }
    }
}

static int by_depth(const void *a, const void *b)
{
    const place *p = a, *q = b;

    if (p->depth != q->depth)
        return p->depth > q->depth ? -1 : 1;
    return p->index < q->index ? -1 : p->index > q->index;
}

// Rows of the picture: all points over them. None changes what another band's rows show.
static void blend_band(void *argument, int band)
{
    const blending *all = argument;
    const drawing *d = all->d;
    const gy_points_view *v = d->view;
    int top = band * BAND, end = top + BAND < v->image->height ? top + BAND : v->image->height;
    size_t width = (size_t)v->image->width;

    memset(all->pixels + (size_t)top * width, 0, (size_t)(end - top) * width * sizeof(vec));
    for (size_t i = 0; i < all->seen; i++) {
        uint32_t of = all->order[i].index;
        bool turned = d->sheets != NULL && d->sheets[of].is;

        blend(all, &d->balls[of], turned ? &d->sheets[of] : NULL, top, end);
    }
    for (size_t i = (size_t)top * width; i < (size_t)end * width; i++) {
        if (all->pixels[i][3] > 0.0f)
            gy_put_pixel(v->image, (int)(i % width), (int)(i / width), all->pixels[i]);
    }
}

static void blend_all(const drawing *d, place *order, vec *pixels)
{
    const gy_points_view *v = d->view;
    blending all = {.d = d, .order = order, .pixels = pixels};

    for (int i = 0; i < 256; i++)
        all.linear[i] = to_linear((float)i / 255.0f);
    for (int64_t i = 0; i < v->input->points->count; i++) {
        if (d->balls[i].depth >= 0.0f)
            order[all.seen++] = (place){d->balls[i].depth, (uint32_t)i};
    }
    qsort(order, all.seen, sizeof *order, by_depth);
    if (all.seen > 0)
        gyre_device_parallel_for(v->device, (v->image->height + BAND - 1) / BAND, blend_band, &all);
}

gyre_result gy_draw_points(const gy_points_view *view)
{
    const gyre_render_points *p = view->input->points;
    size_t pixels = (size_t)view->image->width * (size_t)view->image->height;
    gyre_result result = GYRE_OK;

    if (p == NULL || p->count == 0 || !view->input->settings.points)
        return GYRE_OK;
    float size = view->input->settings.point_size;
    drawing d = {.view = view, .size = size > 0.0f ? size / view->unit : 0.0f};

    if (!(size > 0.0f))
        d.size = 0.3f * view->input->grid->h / view->unit;
    size_t count = (size_t)p->count;
    gyre_render_memory *memory = view->input->memory;
    place *order = gy_take(memory, count, sizeof *order);
    vec *seen = gy_take(memory, pixels, sizeof *seen);

    d.balls = gy_take(memory, count, sizeof *d.balls);
    if (p->orientations != NULL)
        d.sheets = gy_take(memory, count, sizeof *d.sheets);
    if (d.balls == NULL || order == NULL || seen == NULL ||
        (p->orientations != NULL && d.sheets == NULL)) {
        result = gyre_fail(GYRE_ERROR_MEMORY, "no memory to draw %lld points", (long long)p->count);
    } else {
        gyre_device_parallel_for(view->device, (int)((p->count + CHUNK - 1) / CHUNK), look_at, &d);
        blend_all(&d, order, seen);
    }
    gy_give(memory, d.balls);
    gy_give(memory, d.sheets);
    gy_give(memory, order);
    gy_give(memory, seen);
    return result;
}
