// render/march.c: the camera of a picture of smoke; rays are in isa/march_rows.c.
#include "render/march.h"

#include "render/cache.h"
#include "render/points.h"
#include "render/rows.h"

#include <stdlib.h>
#include <string.h>

static bool frame_domain(const gyre_grid *grid, const gyre_image *image, gyre_camera *camera)
{
    float half[3];
    vec centre, up = vec_make(camera->up);
    bool z_up = fabsf(camera->up[2]) > fabsf(camera->up[1]); // the same view of a world that lies
    vec back = vec_unit(z_up ? (vec){0.32f, -1.0f, 0.16f, 0.0f} : (vec){0.32f, 0.16f, 1.0f, 0.0f});

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

gyre_result gy_march_aim(gy_march_view *view)
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
    // Colours of several scalars lie in the cells.
    vec albedo = view->volume->tint != NULL ? vec_all(1.0f) : vec_make(input->settings.albedo);

    view->sun = albedo * vec_make(input->light.colour) * vec_all(input->light.intensity);
    view->sky = albedo * vec_make(input->light.ambient_colour) * vec_all(input->light.ambient);
    view->across = -1;
    if (input->settings.mode == GYRE_MODE_CELLS) {
        view->across = 0;
        for (int axis = 1; axis < 3; axis++) {
            if (fabsf(view->forward[axis]) > fabsf(view->forward[view->across]))
                view->across = axis;
        }
    }
    return GYRE_OK;
}

float gy_march_passes(const gy_volume *volume, vec from, vec along, float far)
{
    float near = 0.0f, end = far, lost = 0.0f;

    for (int a = 0; a < 3; a++) {
        float inverse = 1.0f / (fabsf(along[a]) > 1e-7f ? along[a] : 1e-7f);
        float in = -from[a] * inverse, out = (volume->limit[a] - from[a]) * inverse;

        near = fmaxf(near, fminf(in, out));
        end = fminf(end, fmaxf(in, out));
    }
    // What is beside the first cell is the place's own.
    for (float t = near + 1.0f; t < end && lost < 6.0f; t += 1.0f) {
        vec at = vec_max(vec_min(from + along * vec_all(t), volume->limit), vec_all(0.0f));

        lost += gy_sample(&volume->opaque, at);
    }
    return lost < 6.0f ? expf(-lost) : 0.0f;
}

/// The light that passes along a way of so many cells.
static float passes_on(const gy_volume *volume, vec from, vec along, float far)
{
    float lost = 0.0f;

    // What is beside the first cell is the point's own.
    for (float t = 1.0f; t < far && lost < 6.0f; t += 1.0f) {
        vec at = from + along * vec_all(t);
        bool in = true;

        for (int a = 0; a < 3; a++)
            in = in && at[a] >= 0.0f && at[a] < volume->limit[a];
        if (!in)
            break; // the box is convex: it is left for good, or the eye is in it
        lost += gy_sample(&volume->opaque, at);
    }
    return lost < 6.0f ? expf(-lost) : 0.0f;
}

static float passes(const void *scene, vec from, vec to)
{
    vec way = to - from;

    return passes_on(scene, from, vec_unit(way), sqrtf(vec_dot(way, way)));
}

static float lit(const void *scene, vec from)
{
    const gy_volume *volume = scene;

    return passes_on(volume, from, volume->light, 1e30f);
}

float gy_march_sky(const gy_volume *volume, vec at)
{
    for (int a = 0; a < 3; a++) {
        if (!(at[a] >= 0.0f && at[a] < volume->limit[a]))
            return 1.0f;
    }
    ivec base = __builtin_convertvector(at, ivec);
    vec f = at - __builtin_convertvector(base, vec);
    const vec *p = volume->smoke + gy_cell_index(&volume->opaque, base[0], base[1], base[2]);
    ptrdiff_t sy = volume->opaque.sy, sz = volume->opaque.sz;
    float plane[2];

    for (int k = 0; k < 2; k++, p += sz)
        plane[k] = mixf(mixf(p[0][3], p[1][3], f[0]), mixf(p[sy][3], p[sy + 1][3], f[0]), f[1]);
    return mixf(plane[0], plane[1], f[2]);
}

static float open_to_sky(const void *scene, vec at)
{
    return gy_march_sky(scene, at);
}

static gyre_result draw_points(const gy_march_view *view)
{
    const gyre_render_input *input = view->volume->input;
    const gyre_grid *grid = input->grid;
    vec half = vec_all(0.5f * grid->h);
    gy_points_view points = {.device = view->volume->device,
                             .input = input,
                             .image = view->image,
                             .corner = vec_make(grid->origin) - half,
                             .unit = grid->h,
                             .eye = view->eye,
                             .forward = view->forward,
                             .right = view->right,
                             .up = view->up,
                             .light = view->volume->light,
                             .sun = vec_make(input->light.colour) * vec_all(input->light.intensity),
                             .sky = vec_make(input->light.ambient_colour) *
                                    vec_all(input->light.ambient),
                             .passes = passes,
                             .lit = lit,
                             .open = open_to_sky,
                             .scene = view->volume};

    return gy_draw_points(&points);
}

// Where pixels meet solids: as in an earlier picture, where those and the camera have stayed.
static bool find_hits(gy_march_view *view, float **own)
{
    const gy_volume *volume = view->volume;
    const gyre_image *image = view->image;
    // Sheets are others in each picture.
    const gy_cached *solids = volume->sheets == NULL ? volume->same_solids : NULL;
    float head[GY_CACHE_HEAD] = {(float)image->width, (float)image->height};
    gy_cached *kept = NULL;
    // Neighbours beside the first pixel and the last are read and not looked at.
    view->row = (image->width + 15) / 8 * 8;
    size_t count = (size_t)view->row * (size_t)(image->height + 2);

    if (solids != NULL) {
        const vec *const camera[4] = {&view->eye, &view->forward, &view->right, &view->up};

        for (int i = 0; i < 4; i++)
            memcpy(head + 2 + 3 * i, camera[i], 3 * sizeof(float));
        memcpy(head + 14, &solids->number, sizeof solids->number);
        kept = gy_cache_find(volume->input->memory, GY_CACHE_HITS, head, NULL, 0);
    }
    if (kept != NULL && kept->part[0] != NULL) {
        view->hits = (float *)kept->part[0] + view->row;
        return true;
    }
    *own = gy_take_zeros(volume->input->memory, count, sizeof **own);
    if (*own == NULL)
        return false;
    view->hits = *own + view->row;
    gyre_device_parallel_for(volume->device, image->height,
                             gy_drawers_of(volume->device)->march_hits, view);
    if (kept == NULL && solids != NULL)
        gy_cache_add(volume->input->memory, GY_CACHE_HITS, head, NULL, 0);
    gy_cache_put(kept, 0, *own, count * sizeof **own);
    return true;
}

gyre_result gy_march(gy_volume *volume, gyre_image *image)
{
    const gyre_render_input *input = volume->input;
    const gy_drawers *rows = gy_drawers_of(volume->device);
    gy_march_view view = {.volume = volume, .image = image};
    gyre_result result = gy_march_aim(&view);
    float *hits = NULL;

    if (result != GYRE_OK)
        return result;
    if ((volume->has_solid || volume->sheets != NULL) && !find_hits(&view, &hits))
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory for a picture");
    gyre_device_parallel_for(volume->device, image->height, rows->march_row, &view);
    gy_give(input->memory, hits);
    return draw_points(&view);
}
