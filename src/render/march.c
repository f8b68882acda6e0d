// render/march.c: rays through smoke.
//
// Along a ray at a fixed spacing, started at a distance that differs from pixel to pixel but never
// from picture to picture: emission and absorption (Max 1995), light from gy_light_cells, phase
// function of Henyey and Greenstein. Empty bricks are stepped over on the same spacing, so that
// skipping changes no picture. Cost: per sample 8 cells of 16 bytes.
#include "render/render.h"

#include <stdlib.h>
#include <string.h>

static const float spacing = 0.8f;  // of samples, in cells
static const float opaque = 0.004f; // light from behind that no longer counts

typedef struct march_view {
    gy_volume *volume;
    gyre_image *image;
    vec eye;                // in cells
    vec forward, right, up; // of a picture that is 1 high and stands 1 away
    float *hits;            // distance to a solid through each pixel's centre
    vec sun, sky;           // light, albedo included
} march_view;

typedef struct march_ray {
    vec from, along, inverse;
    ivec forward;    // all bits where it runs upwards
    float near, far; // where it is inside the grid
} march_ray;

static bool frame_domain(const gyre_grid *grid, const gyre_image *image, gyre_camera *camera)
{
    float half[3];
    vec centre, up = vec_make(camera->up), back = vec_unit((vec){0.32f, 0.16f, 1.0f, 0.0f});

    for (int axis = 0; axis < 3; axis++) {
        half[axis] = 0.5f * grid->h * (float)grid->n[axis];
        centre[axis] = grid->origin[axis] + half[axis];
    }
    centre[3] = 0.0f;
    vec right = vec_cross(up, back);

    if (vec_dot(right, right) < 1e-8f * vec_dot(up, up)) // seen from above
        back = vec_unit((vec){1.0f, 0.16f, 0.32f, 0.0f});
    right = vec_unit(vec_cross(up, back));
    up = vec_cross(back, right);
    float tall = tanf(camera->field_of_view * 0.00872664626f);
    float wide = tall * (float)image->width / (float)image->height, away = 0.0f;

    for (int corner = 0; corner < 8; corner++) {
        vec to = {corner & 1 ? half[0] : -half[0], corner & 2 ? half[1] : -half[1],
                  corner & 4 ? half[2] : -half[2], 0.0f};
        float depth = vec_dot(to, back);

        away = fmaxf(away, depth + fabsf(vec_dot(to, right)) / wide);
        away = fmaxf(away, depth + fabsf(vec_dot(to, up)) / tall);
    }
    vec position = centre + back * vec_all(1.02f * away);

    for (int axis = 0; axis < 3; axis++) {
        camera->target[axis] = centre[axis];
        camera->position[axis] = position[axis];
    }
    return true;
}

static gyre_result aim(march_view *view)
{
    const gyre_render_input *input = view->volume->input;
    const gyre_grid *grid = input->grid;
    gyre_camera camera = input->camera;

    if (memcmp(camera.position, camera.target, sizeof camera.position) == 0)
        frame_domain(grid, view->image, &camera);
    vec position = vec_make(camera.position), target = vec_make(camera.target);

    view->forward = vec_unit(target - position);
    vec right = vec_cross(view->forward, vec_make(camera.up));

    if (vec_dot(right, right) <= 1e-10f * vec_dot(vec_make(camera.up), vec_make(camera.up)))
        return gyre_fail(GYRE_ERROR_ARGUMENT, "camera: \"up\" points along the line of sight");
    right = vec_unit(right);
    float tall = 2.0f * tanf(camera.field_of_view * 0.00872664626f);

    view->up = vec_cross(right, view->forward) * vec_all(tall);
    view->right = right * vec_all(tall);
    view->eye = (position - vec_make(grid->origin)) * vec_all(1.0f / grid->h) + vec_all(0.5f);
    return GYRE_OK;
}

// Keeps the part of [*near, *far] that lies in a box.
GY_VEC_INLINE void clip(const march_ray *ray, vec low, vec high, float *near, float *far)
{
    vec a = (low - ray->from) * ray->inverse, b = (high - ray->from) * ray->inverse;
    vec in = vec_min(a, b), out = vec_max(a, b);

    for (int axis = 0; axis < 3; axis++) {
        *near = in[axis] > *near ? in[axis] : *near;
        *far = out[axis] < *far ? out[axis] : *far;
    }
}

static march_ray make_ray(const march_view *view, float x, float y)
{
    const gyre_image *image = view->image;
    float scale = 1.0f / (float)image->height;
    vec along = view->forward + view->right * vec_all((x - 0.5f * (float)image->width) * scale) +
                view->up * vec_all((0.5f * (float)image->height - y) * scale);
    march_ray ray = {.from = view->eye, .near = 0.0f, .far = 1e30f};

    along = vec_unit(along);
    for (int axis = 0; axis < 3; axis++) {
        // A direction that is never quite along an axis spares every test for it.
        if (fabsf(along[axis]) < 1e-7f)
            along[axis] = 1e-7f;
    }
    ray.along = along;
    ray.forward = along > vec_all(0.0f);
    ray.inverse = (vec){1.0f / along[0], 1.0f / along[1], 1.0f / along[2], 0.0f};
    clip(&ray, vec_all(0.0f), view->volume->limit, &ray.near, &ray.far);
    return ray;
}

// Keeps rounding at the grid's edge from reaching out of it.
GY_VEC_INLINE vec inside(const gy_volume *volume, vec at)
{
    return vec_max(vec_min(at, volume->limit), vec_all(0.0f));
}

// Where the ray leaves the brick that `at` lies in.
GY_VEC_INLINE float leave(const march_ray *ray, ivec base)
{
    ivec low = base & -GY_BRICK;
    vec wall = __builtin_convertvector(low + (ray->forward & GY_BRICK), vec);
    vec t = (wall - ray->from) * ray->inverse;
    float out = t[0] < t[1] ? t[0] : t[1];

    return t[2] < out ? t[2] : out;
}

GY_VEC_INLINE float brick_of(const gy_bricks *bricks, ivec base)
{
    return bricks->data[base[0] / GY_BRICK +
                        bricks->n[0] * (base[1] / GY_BRICK + bricks->n[1] * (base[2] / GY_BRICK))];
}

static float hit_solid(const gy_volume *volume, const march_ray *ray)
{
    const float step = 0.5f;
    float near = ray->near, far = ray->far;

    clip(ray, volume->solids.low, volume->solids.high, &near, &far);
    for (float t = near; t < far;) {
        vec at = inside(volume, ray->from + ray->along * vec_all(t));
        ivec base = __builtin_convertvector(at, ivec);

        if (brick_of(&volume->solids, base) < 0.5f) {
            t = fmaxf(leave(ray, base), t) + 1e-2f;
            continue;
        }
        if (gy_sample(&volume->solid, at) >= 0.5f) {
            float low = t - step > near ? t - step : near, high = t;

            for (int i = 0; i < 7; i++) {
                float middle = 0.5f * (low + high);
                vec point = inside(volume, ray->from + ray->along * vec_all(middle));

                if (gy_sample(&volume->solid, point) >= 0.5f)
                    high = middle;
                else
                    low = middle;
            }
            return high;
        }
        t += step;
    }
    return 1e30f;
}

GY_VEC_INLINE vec sample_smoke(const gy_volume *volume, vec at, ivec base)
{
    vec f = at - __builtin_convertvector(base, vec);
    ptrdiff_t sy = volume->opaque.sy, sz = volume->opaque.sz;
    const vec *p = volume->smoke + gy_cell_index(&volume->opaque, base[0], base[1], base[2]);
    vec fx = vec_all(f[0]), fy = vec_all(f[1]);
    vec a = p[0] + (p[1] - p[0]) * fx, b = p[sy] + (p[sy + 1] - p[sy]) * fx;
    vec low = a + (b - a) * fy;

    p += sz;
    a = p[0] + (p[1] - p[0]) * fx;
    b = p[sy] + (p[sy + 1] - p[sy]) * fx;
    vec high = a + (b - a) * fy;

    return low + (high - low) * vec_all(f[2]);
}

static float phase(float g, float cosine)
{
    float d = 1.0f + g * g - 2.0f * g * cosine;

    return (1.0f - g * g) / (d * sqrtf(d));
}

// Light that the ray gathers up to `end`; *through becomes the share that passes.
static vec gather(const march_view *view, const march_ray *ray, float end, float noise,
                  float *through)
{
    const gy_volume *volume = view->volume;
    float g = volume->input->settings.anisotropy, cosine = vec_dot(ray->along, volume->light);
    vec direct = view->sun * vec_all(0.5f * phase(g, cosine));
    vec scattered = view->sun * vec_all(0.5f * phase(0.4f * g, cosine));
    vec colour = vec_all(0.0f);
    float left = 1.0f, near = ray->near;

    clip(ray, volume->active.low, volume->active.high, &near, &end);
    // Sample s stands for the ray from s to s + 1 spacings, measured from the eye.
    float s = ceilf(near / spacing - noise);

    for (;;) {
        float t = (s + noise) * spacing;

        if (t >= end)
            break;
        vec at = inside(volume, ray->from + ray->along * vec_all(t));
        ivec base = __builtin_convertvector(at, ivec);

        if (brick_of(&volume->active, base) <= 0.0f) {
            float skip = ceilf((leave(ray, base) - t) * (1.0f / spacing));

            s += skip > 1.0f ? skip : 1.0f;
            continue;
        }
        vec cell = sample_smoke(volume, at, base);
        float length = end - t < spacing ? end - t : spacing;

        if (cell[0] > 0.0f) {
            float stay = fade(cell[0] * length);
            vec light = direct * vec_all(cell[1]) + scattered * vec_all(cell[2]) +
                        view->sky * vec_all(cell[3]);

            colour += light * vec_all(left * (1.0f - stay));
            left *= stay;
            if (left < opaque) {
                left = 0.0f;
                break;
            }
        }
        if (volume->has_glow) {
            float heat = gy_sample(&volume->heat, at) * (float)GY_GLOW;

            if (heat > 0.0f) {
                int i = heat < (float)GY_GLOW ? (int)heat : GY_GLOW - 1;
                float f = heat < (float)GY_GLOW ? heat - (float)i : 1.0f;
                vec glow = volume->glow[i] + (volume->glow[i + 1] - volume->glow[i]) * vec_all(f);

                colour += glow * vec_all(left * length);
            }
        }
        s += 1.0f;
    }
    *through = left;
    return colour;
}

static vec shade_solid(const march_view *view, const march_ray *ray, float t)
{
    const gy_volume *volume = view->volume;
    const gyre_render_input *input = volume->input;
    vec at = ray->from + ray->along * vec_all(t), normal = {0};
    const float reach = 0.75f;

    for (int axis = 0; axis < 3; axis++) {
        vec low = at, high = at;

        low[axis] -= reach;
        high[axis] += reach;
        normal[axis] = gy_sample(&volume->smoothed, inside(volume, low)) -
                       gy_sample(&volume->smoothed, inside(volume, high));
    }
    normal = vec_dot(normal, normal) > 1e-12f ? vec_unit(normal) : -ray->along;
    // Light is asked for a little outside, where no cell counts as solid.
    vec outside = inside(volume, at + normal * vec_all(1.8f));
    vec light = sample_smoke(volume, outside, __builtin_convertvector(outside, ivec));
    vec open_air = inside(volume, at + normal * vec_all(3.5f));
    float above = sample_smoke(volume, open_air, __builtin_convertvector(open_air, ivec))[3];
    float lambert = fmaxf(vec_dot(normal, volume->light), 0.0f);
    vec half = vec_unit(volume->light - ray->along);
    float shine = powf(fmaxf(vec_dot(normal, half), 0.0f), 48.0f) * 0.22f;
    float open = input->settings.shadow ? light[1] : 1.0f;
    vec sun = vec_make(input->light.colour) * vec_all(input->light.intensity * open);
    vec sky = vec_make(input->light.ambient_colour) *
              vec_all(input->light.ambient * above * (1.5f + 0.5f * normal[1]));
    vec body = vec_make(input->settings.solid_colour);

    return body * (sun * vec_all(lambert) + sky) + sun * vec_all(lambert > 0.0f ? shine : 0.0f);
}

static vec background(const march_view *view, float x, float y)
{
    const gyre_view_settings *settings = &view->volume->input->settings;
    float w = (float)view->image->width, h = (float)view->image->height;
    float dx = (x - 0.5f * w) / h, dy = y / h - 0.5f;
    vec top = vec_make(settings->background_top), bottom = vec_make(settings->background_bottom);
    vec colour = top + (bottom - top) * vec_all(smooth(0.0f, 1.0f, y / h));

    return colour * vec_all(1.0f - 0.45f * (dx * dx + dy * dy)); // darker corners
}

static vec shade_floor(const march_view *view, const march_ray *ray, float t, vec behind)
{
    const gy_volume *volume = view->volume;
    const gyre_render_input *input = volume->input;
    vec at = ray->from + ray->along * vec_all(t);
    float outside = 0.0f, size = (float)volume->n[1];

    for (int axis = 0; axis < 3; axis += 2) {
        float high = (float)volume->n[axis] + 0.5f;
        float d = at[axis] < 0.5f ? 0.5f - at[axis] : at[axis] > high ? at[axis] - high : 0.0f;

        outside += d * d;
        size = fmaxf(size, (float)volume->n[axis]);
    }
    outside = sqrtf(outside);
    vec edge = inside(volume, (vec){at[0], 1.0f, at[2], 0.0f});
    float sky = sample_smoke(volume, edge, __builtin_convertvector(edge, ivec))[3];
    float open = 1.0f;
    float x = at[0] - (float)volume->floor_low[0], z = at[2] - (float)volume->floor_low[1];

    if (x >= 0.0f && z >= 0.0f && x < (float)(volume->floor_n[0] - 1) &&
        z < (float)(volume->floor_n[1] - 1)) {
        int i = (int)x, k = (int)z;
        const float *p = volume->floor_shadow + i + k * volume->floor_n[0];
        const float *q = p + volume->floor_n[0];

        open = mixf(mixf(p[0], p[1], x - (float)i), mixf(q[0], q[1], x - (float)i), z - (float)k);
    }
    sky = mixf(sky, 1.0f, smooth(0.0f, 0.3f * size, outside));
    vec light = vec_make(input->light.colour) *
                    vec_all(input->light.intensity * open * fmaxf(volume->light[1], 0.0f)) +
                vec_make(input->light.ambient_colour) * vec_all(input->light.ambient * sky);
    vec colour = light * vec_make(input->settings.floor_colour);
    float away = smooth(0.1f * size, 2.2f * size, outside);

    return colour + (behind - colour) * vec_all(away);
}

static vec shade_ray(const march_view *view, float x, float y, float noise, float hit)
{
    const gy_volume *volume = view->volume;
    march_ray ray = make_ray(view, x, y);
    vec behind = background(view, x, y);
    float end = ray.far, floor_at = 1e30f, through = 1.0f;
    vec colour = vec_all(0.0f);

    if (volume->has_solid && hit < 0.0f)
        hit = ray.near < ray.far ? hit_solid(volume, &ray) : 1e30f;
    if (volume->has_floor && ray.along[1] < 0.0f && ray.from[1] > 0.5f)
        floor_at = (0.5f - ray.from[1]) * ray.inverse[1];
    if (volume->has_solid && hit < floor_at && hit < 1e29f) {
        behind = shade_solid(view, &ray, hit);
        end = fminf(end, hit);
    } else if (floor_at < 1e29f) {
        behind = shade_floor(view, &ray, floor_at, behind);
        end = fminf(end, floor_at);
    }
    if (ray.near < end)
        colour = gather(view, &ray, end, noise, &through);
    return colour + behind * vec_all(through);
}

static void tile_of(const gyre_image *image, int tile, int low[2], int high[2])
{
    int across = (image->width + GY_DRAWN_TILE - 1) / GY_DRAWN_TILE;

    low[0] = tile % across * GY_DRAWN_TILE;
    low[1] = tile / across * GY_DRAWN_TILE;
    high[0] = low[0] + GY_DRAWN_TILE < image->width ? low[0] + GY_DRAWN_TILE : image->width;
    high[1] = low[1] + GY_DRAWN_TILE < image->height ? low[1] + GY_DRAWN_TILE : image->height;
}

static void find_hits(void *argument, int tile)
{
    march_view *view = argument;
    int low[2], high[2];

    tile_of(view->image, tile, low, high);
    for (int y = low[1]; y < high[1]; y++) {
        for (int x = low[0]; x < high[0]; x++) {
            march_ray ray = make_ray(view, (float)x + 0.5f, (float)y + 0.5f);

            view->hits[(size_t)y * (size_t)view->image->width + (size_t)x] =
                ray.near < ray.far ? hit_solid(view->volume, &ray) : 1e30f;
        }
    }
}

// Whether a solid's outline runs through the pixel's neighbourhood.
static bool on_edge(const march_view *view, int x, int y)
{
    static const int to[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    const gyre_image *image = view->image;
    float own = view->hits[(size_t)y * (size_t)image->width + (size_t)x];

    for (int i = 0; i < 4; i++) {
        int a = x + to[i][0], b = y + to[i][1];

        if (a < 0 || b < 0 || a >= image->width || b >= image->height)
            continue;
        float other = view->hits[(size_t)b * (size_t)image->width + (size_t)a];

        if (fabsf(own - other) > 3.0f)
            return true;
    }
    return false;
}

static void draw_tile(void *argument, int tile)
{
    march_view *view = argument;
    const gyre_view_settings *settings = &view->volume->input->settings;
    // A rotated square: four samples at four different heights and four different widths.
    static const float spread[4][2] = {
        {0.375f, 0.125f}, {0.875f, 0.375f}, {0.125f, 0.625f}, {0.625f, 0.875f}};
    int low[2], high[2];

    tile_of(view->image, tile, low, high);
    for (int y = low[1]; y < high[1]; y++) {
        for (int x = low[0]; x < high[0]; x++) {
            float noise = gy_pixel_noise(x, y);
            vec colour = vec_all(0.0f);
            vec exposure = vec_all(settings->exposure);

            if (view->hits != NULL && on_edge(view, x, y)) {
                for (int i = 0; i < 4; i++)
                    colour +=
                        vec_all(0.25f) *
                        gy_tone_map(exposure * shade_ray(view, (float)x + spread[i][0],
                                                         (float)y + spread[i][1], noise, -1.0f));
            } else {
                float hit = view->hits != NULL
                                ? view->hits[(size_t)y * (size_t)view->image->width + (size_t)x]
                                : 1e30f;

                colour = gy_tone_map(exposure *
                                     shade_ray(view, (float)x + 0.5f, (float)y + 0.5f, noise, hit));
            }
            gy_put_pixel(view->image, x, y, colour);
        }
    }
}

gyre_result gy_march(gy_volume *volume, gyre_image *image)
{
    const gyre_render_input *input = volume->input;
    march_view view = {.volume = volume, .image = image};
    gyre_result result = aim(&view);
    int tiles = ((image->width + GY_DRAWN_TILE - 1) / GY_DRAWN_TILE) *
                ((image->height + GY_DRAWN_TILE - 1) / GY_DRAWN_TILE);

    if (result != GYRE_OK)
        return result;
    vec albedo = vec_make(input->settings.albedo);

    view.sun = albedo * vec_make(input->light.colour) * vec_all(input->light.intensity);
    view.sky = albedo * vec_make(input->light.ambient_colour) * vec_all(input->light.ambient);
    if (volume->has_solid) {
        view.hits = malloc((size_t)image->width * (size_t)image->height * sizeof *view.hits);
        if (view.hits == NULL)
            return gyre_fail(GYRE_ERROR_MEMORY, "no memory for a picture");
        gyre_device_parallel_for(volume->device, tiles, find_hits, &view);
    }
    gyre_device_parallel_for(volume->device, tiles, draw_tile, &view);
    free(view.hits);
    return GYRE_OK;
}
