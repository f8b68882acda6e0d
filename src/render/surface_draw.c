// render/surface_draw.c: the camera over a surface, and a picture ray by ray.
#include "render/points.h"
#include "render/rows.h"
#include "render/surface.h"

#include <stdlib.h>
#include <string.h>

/// From the axes of a scene where y is up to those where z is, for what was left at its default.
static vec turned(const float given[3], const float initial[3])
{
    vec v = vec_make(given);

    return memcmp(given, initial, 3 * sizeof *given) == 0 ? (vec){v[0], -v[2], v[1], 0.0f} : v;
}

// Heights in the picture's middle and at its top that hardly change while water moves.
static void frame_heights(const gy_relief *relief, float longest, float *low, float *high)
{
    double sum = 0.0, corners = (double)(relief->n[0] + 1) * (double)(relief->n[1] + 1);

    for (int j = 0; j <= relief->n[1]; j++) {
        for (int i = 0; i <= relief->n[0]; i++)
            sum += (double)relief->top[i + j * relief->row];
    }
    float mean = (float)(sum / corners), bed = relief->most[GY_BED][GY_LEVELS - 1][0];

    *low = relief->base;
    *high = fmaxf(mean + 0.06f * longest, bed);
}

static void frame_domain(gy_surface *s, gyre_camera *camera)
{
    const gy_relief *r = &s->relief;
    float low, high;

    frame_heights(r, s->longest, &low, &high);
    vec half = {0.5f * (float)r->n[0], 0.5f * (float)r->n[1], 0.5f * (high - low), 0.0f};
    vec centre = {half[0], half[1], 0.5f * (high + low), 0.0f}, up = {0.0f, 0.0f, 1.0f, 0.0f};
    // A channel is seen from its side.
    vec back =
        r->n[0] > 5 * r->n[1] ? (vec){0.12f, -1.0f, 0.3f, 0.0f} : (vec){0.42f, -1.0f, 0.62f, 0.0f};

    back = vec_unit(back);
    vec right = vec_unit(vec_cross(up, back));

    up = vec_cross(back, right);
    float tall = tanf(camera->field_of_view * 0.00872664626f);
    float wide = tall * (float)s->image->width / (float)s->image->height;
    float away = 2.0f * s->longest / fminf(tall, wide), over[2] = {0.0f, 0.0f};

    // The near corners show larger than the far ones: the eye moves until all fit evenly.
    for (int round = 0; round < 12; round++) {
        float low_edge[2] = {GY_NEVER, GY_NEVER}, high_edge[2] = {-GY_NEVER, -GY_NEVER};

        for (int corner = 0; corner < 8; corner++) {
            vec to = {corner & 1 ? half[0] : -half[0], corner & 2 ? half[1] : -half[1],
                      corner & 4 ? half[2] : -half[2], 0.0f};
            float depth = fmaxf(away - vec_dot(to, back), 0.1f * away);
            float x = (vec_dot(to, right) - over[0]) / (depth * wide);
            float y = (vec_dot(to, up) - over[1]) / (depth * tall);

            low_edge[0] = fminf(low_edge[0], x);
            high_edge[0] = fmaxf(high_edge[0], x);
            low_edge[1] = fminf(low_edge[1], y);
            high_edge[1] = fmaxf(high_edge[1], y);
        }
        over[0] += 0.5f * (low_edge[0] + high_edge[0]) * away * wide;
        over[1] += 0.5f * (low_edge[1] + high_edge[1]) * away * tall;
        away *= 0.5f * fmaxf(high_edge[0] - low_edge[0], high_edge[1] - low_edge[1]) * 1.06f;
    }
    centre += right * vec_all(over[0]) + up * vec_all(over[1]);
    vec position = centre + back * vec_all(away);

    for (int a = 0; a < 3; a++) {
        float corner = a < 2 ? r->corner[a] : 0.0f;

        camera->target[a] = centre[a] * r->unit + corner;
        camera->position[a] = position[a] * r->unit + corner;
    }
}

static gyre_result aim_camera(gy_surface *s)
{
    const gyre_camera initial = gyre_default_camera();
    gyre_camera camera = s->input->camera;

    if (memcmp(camera.position, camera.target, sizeof camera.position) == 0)
        frame_domain(s, &camera);
    vec position = vec_make(camera.position), target = vec_make(camera.target);
    vec up = turned(camera.up, initial.up);

    s->forward = vec_unit(target - position);
    vec right = vec_cross(s->forward, up);

    if (vec_dot(right, right) <= 1e-10f * vec_dot(up, up))
        return gyre_fail(GYRE_ERROR_ARGUMENT, "camera: \"up\" points along the line of sight");
    right = vec_unit(right);
    float tall = 2.0f * tanf(camera.field_of_view * 0.00872664626f);
    vec corner = {s->relief.corner[0], s->relief.corner[1], 0.0f, 0.0f};

    s->up = vec_cross(right, s->forward) * vec_all(tall);
    s->right = right * vec_all(tall);
    s->eye = (position - corner) * vec_all(1.0f / s->relief.unit);
    return GYRE_OK;
}

static void light_up(gy_surface *s)
{
    const gyre_render_input *input = s->input;
    const gyre_view_settings *settings = &input->settings;
    const gyre_light initial = gyre_default_light();
    float clear = settings->water_clarity / s->relief.unit, mean = 0.0f;

    s->light = vec_unit(turned(input->light.direction, initial.direction));
    s->sun = vec_make(input->light.colour) * vec_all(input->light.intensity);
    s->ambient = vec_make(input->light.ambient_colour) * vec_all(input->light.ambient);
    vec flat = s->light * vec_all(0.75f);
    float down = sqrtf(1.0f - flat[0] * flat[0] - flat[1] * flat[1]);

    s->below = (vec){flat[0], flat[1], down, 0.0f};
    if (!(clear > 0.0f))
        clear = fminf(0.18f * s->longest, 2.5f / s->relief.unit);
    // What deep water does not send back it absorbs: least of its own colour.
    for (int c = 0; c < 3; c++) {
        float lost = -logf(0.002f + 0.9f * settings->water_colour[c]);

        s->absorb[c] = lost * lost;
    }
    mean = s->absorb[1];
    s->absorb *= vec_all(1.0f / (mean * clear));
    s->absorb[3] = 0.0f;
    s->deep = vec_make(settings->water_colour) *
              (s->sun * vec_all(0.55f * fmaxf(s->light[2], 0.0f)) + s->ambient * vec_all(1.5f));
    s->shore = fminf(0.25f * (float)s->relief.fine, 0.15f * clear);
}

static vec shade_at(const gy_surface *s, float x, float y, int *met)
{
    float scale = 1.0f / (float)s->image->height;
    vec along = s->forward + s->right * vec_all((x - 0.5f * (float)s->image->width) * scale) +
                s->up * vec_all((0.5f * (float)s->image->height - y) * scale);
    gy_ray ray = {s->eye, vec_unit(along)};
    vec colour = gy_shade_bars(s, ray, met);

    return gy_tone_map(colour * vec_all(s->input->settings.exposure));
}

static void first_row(void *argument, int y)
{
    gy_surface *s = argument;

    for (int x = 0; x < s->image->width; x++) {
        int met;
        vec colour = shade_at(s, (float)x + 0.5f, (float)y + 0.5f, &met);

        colour[3] = (float)met;
        s->seen[(size_t)y * (size_t)s->image->width + (size_t)x] = colour;
    }
}

static bool on_edge(const gy_surface *s, int x, int y)
{
    static const int to[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    vec own = s->seen[(size_t)y * (size_t)s->image->width + (size_t)x];

    for (int i = 0; i < 4; i++) {
        int a = x + to[i][0], b = y + to[i][1];

        if (a < 0 || b < 0 || a >= s->image->width || b >= s->image->height)
            continue;
        vec d = s->seen[(size_t)b * (size_t)s->image->width + (size_t)a] - own;

        if (fabsf(d[0]) + fabsf(d[1]) + fabsf(d[2]) > 3.0f * GY_SURFACE_CONTRAST || d[3] != 0.0f)
            return true;
    }
    return false;
}

static void finish_row(void *argument, int y)
{
    gy_surface *s = argument;
    // A rotated square: four samples at four different heights and four different widths.
    static const float spread[4][2] = {
        {0.375f, 0.125f}, {0.875f, 0.375f}, {0.125f, 0.625f}, {0.625f, 0.875f}};

    for (int x = 0; x < s->image->width; x++) {
        vec colour = s->seen[(size_t)y * (size_t)s->image->width + (size_t)x];
        int met;

        if (on_edge(s, x, y)) {
            colour = vec_all(0.0f);
            for (int i = 0; i < 4; i++)
                colour += vec_all(0.25f) *
                          shade_at(s, (float)x + spread[i][0], (float)y + spread[i][1], &met);
        }
        gy_put_pixel(s->image, x, y, colour);
    }
}

static gyre_result draw_bars(gyre_device *device, gy_surface *s)
{
    size_t pixels = (size_t)s->image->width * (size_t)s->image->height;

    s->seen = aligned_alloc(64, (pixels * sizeof *s->seen + 63) / 64 * 64);
    if (s->seen == NULL)
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory for a picture");
    gyre_device_parallel_for(device, s->image->height, first_row, s);
    gyre_device_parallel_for(device, s->image->height, finish_row, s);
    free(s->seen);
    return GYRE_OK;
}

static gyre_result draw_smooth(gyre_device *device, gy_surface *s)
{
    const gy_drawers *rows = gy_drawers_of(device);
    // Neighbours to the left of the first pixel and behind the last are read and not looked at.
    s->row = (s->image->width + 15) / 8 * 8;
    size_t plane = (size_t)s->row * (size_t)(s->image->height + 2);
    float *memory = gy_take(s->input->memory, GY_FIRSTS * plane, sizeof *memory);
    gyre_result result = GYRE_OK;

    if (memory == NULL)
        result = gyre_fail(GYRE_ERROR_MEMORY, "no memory for a picture");
    for (int c = 0; c < GY_FIRSTS && memory != NULL; c++) {
        s->first[c] = memory + (size_t)c * plane + s->row;
        for (int y = -1; y <= s->image->height; y++) {
            int from = y < 0 || y == s->image->height ? 0 : s->image->width;

            memset(s->first[c] + y * s->row + from, 0, (size_t)(s->row - from) * sizeof *memory);
        }
    }
    if (result == GYRE_OK) {
        int tiles = (s->image->height + GY_SURFACE_HIGH - 1) / GY_SURFACE_HIGH;

        gyre_device_parallel_for(device, tiles, rows->surface_tiles, s);
        gyre_device_parallel_for(device, tiles, rows->surface_finish, s);
    }
    gy_give(s->input->memory, memory);
    return result;
}

float gy_surface_passes(const gy_surface *s, vec from, vec to)
{
    vec way = from - to;
    gy_ray ray = {to, vec_unit(way)};
    float length = sqrtf(vec_dot(way, way)), near = 0.0f, far = length - 1.0f;
    gy_hull_hit hit;
    int side, met;

    gy_hulls_hit(&s->bodies, &ray, length - 0.01f, &hit);
    if (hit.body >= 0)
        return 0.0f;
    // What floats on the surface is not hidden by it; crests and banks in front are looked at.
    if (!gy_relief_clip(&s->relief, &ray, s->relief.high, &near, &far, &side) || near >= far)
        return 1.0f;
    float at = gy_relief_hit(&s->relief, GY_LAYERS, &ray, near, far, &met);

    return at < far - 1.0f ? 0.0f : 1.0f;
}

static float passes(const void *scene, vec from, vec to)
{
    return gy_surface_passes(scene, from, to);
}

static float lit(const void *scene, vec from)
{
    return gy_surface_sunlit(scene, from, (vec){0.0f, 0.0f, 1.0f, 0.0f});
}

static gyre_result draw_points(gyre_device *device, const gy_surface *s)
{
    gy_points_view points = {.device = device,
                             .input = s->input,
                             .image = s->image,
                             .corner = {s->relief.corner[0], s->relief.corner[1], 0.0f, 0.0f},
                             .unit = s->relief.unit,
                             .eye = s->eye,
                             .forward = s->forward,
                             .right = s->right,
                             .up = s->up,
                             .light = s->light,
                             .sun = s->sun,
                             .sky = s->ambient,
                             .passes = passes,
                             .lit = lit,
                             .scene = s};

    return gy_draw_points(&points);
}

gyre_result gy_surface_build(gyre_device *device, const gyre_render_input *input, gyre_image *image,
                             gy_surface *s)
{
    *s = (gy_surface){.input = input, .image = image};
    gyre_result result = gy_relief_build(device, input, &s->relief);

    if (result != GYRE_OK)
        return result;
    s->longest = (float)(s->relief.n[0] > s->relief.n[1] ? s->relief.n[0] : s->relief.n[1]);
    vec corner = {s->relief.corner[0], s->relief.corner[1], 0.0f, 0.0f};

    result = gy_hulls_build(input->meshes, input->mesh_count, corner, s->relief.unit, &s->bodies);
    return result == GYRE_OK && input->overhang != NULL
               ? gy_hulls_build(input->overhang, 1, corner, s->relief.unit, &s->overhang)
               : result;
}

static void flow_row(void *argument, int j)
{
    gy_surface *s = argument;
    const gyre_render_flow *f = s->flow;
    const gyre_field_view *from[8] = {0};
    int wide = s->input->grid->n[0];
    float *to = s->flow_texel + 8 * (ptrdiff_t)wide * j;

    for (int k = 0; k < 2 * f->phases; k++)
        from[k] = f->shift[k / 2][k & 1];
    from[GY_FLOW_SPEED] = s->input->speed;
    for (int k = 0; k < 8; k++) {
        const float *row = from[k] != NULL ? from[k]->data + j * from[k]->stride[1] : NULL;

        for (int i = 0; i < wide; i++)
            to[8 * (ptrdiff_t)i + k] = row != NULL ? row[i] : 0.0f;
    }
}

// What flows, all of a cell's together.
static gyre_result take_flow(gyre_device *device, gy_surface *s)
{
    const gyre_grid *grid = s->input->grid;

    if (s->flow == NULL || (!(s->input->settings.ripples > 0.0f) && s->relief.foam == NULL))
        return GYRE_OK;
    s->flow_texel = gy_take(s->input->memory, 8 * (size_t)grid->n[0] * (size_t)grid->n[1],
                            sizeof *s->flow_texel);
    if (s->flow_texel == NULL)
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory for what flows in a picture");
    gyre_device_parallel_for(device, grid->n[1], flow_row, s);
    return GYRE_OK;
}

gyre_result gy_surface_aim(gyre_device *device, gy_surface *s)
{
    gyre_result result = aim_camera(s);

    if (result != GYRE_OK)
        return result;
    light_up(s);
    if (s->bar != NULL)
        return GYRE_OK;
    result = gy_hulls_look(s);
    s->relief.foam = s->input->settings.foam > 0.0f ? s->input->foam : NULL;
    s->relief.foaming = s->input->settings.foam;
    s->relief.wet = s->input->settings.wet ? s->input->wet : NULL;
    s->flow = s->input->flow;
    s->pixel = sqrtf(vec_dot(s->up, s->up)) / (float)s->image->height;
    if (s->flow != NULL) {
        gyre_ripples_make(&s->input->settings, s->input->grid, s->flow, &s->ripples);
        gy_ripples_ready(&s->ripples, s->waves);
    }
    result = result == GYRE_OK ? take_flow(device, s) : result;
    result = result == GYRE_OK ? gy_relief_look(device, &s->relief, s->light) : result;
    return result == GYRE_OK ? gy_caustics_build(device, s) : result;
}

void gy_surface_heights(const gy_surface *s, float *low, float *high)
{
    frame_heights(&s->relief, s->longest, low, high);
}

void gy_surface_free(gy_surface *s)
{
    free(s->bar);
    gy_hulls_free(&s->bodies);
    gy_hulls_free(&s->overhang);
    gy_caustics_free(s);
    if (s->input != NULL)
        gy_give(s->input->memory, s->flow_texel);
    gy_relief_free(&s->relief);
}

gyre_result gy_draw_surface(gyre_device *device, const gyre_render_input *input, gyre_image *image)
{
    bool bars = input->settings.mode == GYRE_MODE_BARS;
    gy_surface s;
    gyre_result result = gy_surface_build(device, input, image, &s);

    if (result == GYRE_OK && bars)
        result = gy_bars_build(&s);
    if (result == GYRE_OK)
        result = gy_surface_aim(device, &s);
    if (result == GYRE_OK) {
        result = bars ? draw_bars(device, &s) : draw_smooth(device, &s);
        result = result == GYRE_OK ? draw_points(device, &s) : result;
    }
    gy_surface_free(&s);
    return result;
}
