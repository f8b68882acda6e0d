// render/compose.c: several models in one picture: one camera and one light for all, the pixels in
// isa/compose_rows.c. Costs what the models cost one by one, and three distances a pixel.
#include "render/compose.h"

#include "gyre/mesh.h"
#include "render/overlap.h"
#include "render/points.h"
#include "render/rows.h"

#include <stdlib.h>
#include <string.h>

/// What a picture is made from.
typedef struct scene {
    gyre_device *device;
    gyre_render_input own[GY_COMPOSED_MOST]; // with the camera and the light of the first
    int count;
    gy_surface surface[GY_COMPOSED_MOST];
    gy_volume volume[GY_COMPOSED_MOST];
    gy_march_view view[GY_COMPOSED_MOST];
    int surfaces, volumes;
    gy_composed picture;
} scene;

// ---- what may be in one picture

static bool is_surface(const gyre_render_input *input)
{
    return input->grid->dim == 2 && input->surface != NULL && input->bed != NULL;
}

static void box_of(const gyre_grid *grid, float low[3], float high[3])
{
    for (int a = 0; a < 3; a++) {
        low[a] = grid->origin[a];
        high[a] = low[a] + grid->h * (float)grid->n[a];
    }
}

bool gy_volumes_overlap(const gyre_grid *p, const gyre_grid *q)
{
    float low[2][3], high[2][3], rounding = 1e-3f * fminf(p->h, q->h);
    bool both = true;

    box_of(p, low[0], high[0]);
    box_of(q, low[1], high[1]);
    for (int a = 0; a < 3; a++)
        both = both && low[0][a] < high[1][a] - rounding && low[1][a] < high[0][a] - rounding;
    return both;
}

static gyre_result check(const gyre_render_input *inputs, int count)
{
    int mode = inputs[0].settings.mode;

    if (mode == GYRE_MODE_SLICE || mode == GYRE_MODE_BARS)
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "view.mode: found \"%s\", expected a mode of one picture of several "
                         "models: auto, volume, surface or cells",
                         mode == GYRE_MODE_SLICE ? "slice" : "bars");
    for (int i = 0; i < count; i++) {
        if (inputs[i].mesh_count < 0 || (inputs[i].mesh_count > 0 && inputs[i].meshes == NULL))
            return gyre_fail(GYRE_ERROR_ARGUMENT, "render: %d meshes that are not there",
                             inputs[i].mesh_count);
        if (inputs[i].grid->dim == 2 && !is_surface(&inputs[i]))
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "render: model %d of %d is 2D and has no surface with a bed: it has "
                             "no place in one picture with others",
                             i, count);
        for (int k = 0; k < i && inputs[i].grid->dim == 3; k++) {
            if (inputs[k].grid->dim == 3 && gy_volumes_overlap(inputs[i].grid, inputs[k].grid))
                return gyre_fail(GYRE_ERROR_ARGUMENT,
                                 "render: the volumes %d and %d of %d overlap, so that neither "
                                 "lies before the other",
                                 k, i, count);
        }
    }
    return GYRE_OK;
}

// ---- one camera and one light

static void turn_default(float v[3], const float initial[3])
{
    float y = v[1];

    if (memcmp(v, initial, 3 * sizeof *v) != 0)
        return;
    v[1] = -v[2];
    v[2] = y;
}

static void join_inputs(scene *s, const gyre_render_input *inputs, int count)
{
    const gyre_camera camera = gyre_default_camera();
    const gyre_light light = gyre_default_light();
    bool z_up = false;

    s->count = count;
    for (int i = 0; i < count; i++)
        z_up = z_up || is_surface(&inputs[i]);
    for (int i = 0; i < count; i++) {
        gyre_render_input *own = &s->own[i];

        *own = inputs[i];
        own->camera = inputs[0].camera;
        own->light = inputs[0].light;
        own->settings = inputs[0].settings;
        own->memory = inputs[0].memory;
        if (z_up) {
            turn_default(own->camera.up, camera.up);
            turn_default(own->light.direction, light.direction);
        }
    }
}

/// A box that is to be seen, from its middle.
typedef struct frame {
    vec half, right, up, back;
    float tall, wide;
} frame;

// Where the corners of the box lie in the picture of an eye `away` that is moved aside: the edges
// left and right, below and above.
static void edges_of(const frame *f, float away, const float over[2], float low[2], float high[2])
{
    for (int a = 0; a < 2; a++) {
        low[a] = GY_NEVER;
        high[a] = -GY_NEVER;
    }
    for (int corner = 0; corner < 8; corner++) {
        vec to = f->half;

        for (int a = 0; a < 3; a++)
            to[a] *= corner >> a & 1 ? 1.0f : -1.0f;
        float depth = fmaxf(away - vec_dot(to, f->back), 0.1f * away);
        float at[2] = {(vec_dot(to, f->right) - over[0]) / (depth * f->wide),
                       (vec_dot(to, f->up) - over[1]) / (depth * f->tall)};

        for (int a = 0; a < 2; a++) {
            low[a] = fminf(low[a], at[a]);
            high[a] = fmaxf(high[a], at[a]);
        }
    }
}

// Seen from a little above, as volumes are and surfaces even more; the near corners show larger
// than the far ones, so the eye moves until all fit evenly.
static void frame_box(const gyre_image *image, const float low[3], const float high[3],
                      gyre_camera *camera)
{
    bool z_up = fabsf(camera->up[2]) > fabsf(camera->up[1]);
    frame f = {
        .back = vec_unit(z_up ? (vec){0.42f, -1.0f, 0.4f, 0.0f} : (vec){0.42f, 0.4f, 1.0f, 0.0f})};
    vec up = vec_make(camera->up), right = vec_cross(up, f.back), centre;

    if (vec_dot(right, right) < 1e-8f * vec_dot(up, up)) // seen from above
        f.back = vec_unit((vec){1.0f, 0.16f, 0.32f, 0.0f});
    f.right = vec_unit(vec_cross(up, f.back));
    f.up = vec_cross(f.back, f.right);
    f.half = (vec_make(high) - vec_make(low)) * vec_all(0.5f);
    centre = vec_make(low) + f.half;
    f.tall = tanf(camera->field_of_view * 0.00872664626f);
    f.wide = f.tall * (float)image->width / (float)image->height;
    float away = 4.0f * sqrtf(vec_dot(f.half, f.half)) / fminf(f.tall, f.wide);
    float over[2] = {0.0f, 0.0f};

    for (int round = 0; round < 12; round++) {
        float first[2], last[2];

        edges_of(&f, away, over, first, last);
        over[0] += 0.5f * (first[0] + last[0]) * away * f.wide;
        over[1] += 0.5f * (first[1] + last[1]) * away * f.tall;
        away *= 0.5f * fmaxf(last[0] - first[0], last[1] - first[1]) * 1.06f;
    }
    centre += f.right * vec_all(over[0]) + f.up * vec_all(over[1]);
    vec position = centre + f.back * vec_all(away);

    for (int a = 0; a < 3; a++) {
        camera->target[a] = centre[a];
        camera->position[a] = position[a];
    }
}

static void frame_all(scene *s, const gyre_image *image)
{
    gyre_camera camera = s->own[0].camera;
    float low[3] = {GY_NEVER, GY_NEVER, GY_NEVER}, high[3] = {-GY_NEVER, -GY_NEVER, -GY_NEVER};

    if (memcmp(camera.position, camera.target, sizeof camera.position) != 0)
        return;
    for (int i = 0; i < s->surfaces + s->volumes; i++) {
        float own_low[3], own_high[3];

        if (i < s->surfaces) {
            const gy_relief *r = &s->surface[i].relief;

            gy_surface_heights(&s->surface[i], &own_low[2], &own_high[2]);
            own_low[2] *= r->unit;
            own_high[2] *= r->unit;
            for (int a = 0; a < 2; a++) {
                own_low[a] = r->corner[a];
                own_high[a] = r->corner[a] + r->unit * (float)r->n[a];
            }
        } else {
            box_of(s->volume[i - s->surfaces].input->grid, own_low, own_high);
        }
        for (int a = 0; a < 3; a++) {
            low[a] = fminf(low[a], own_low[a]);
            high[a] = fmaxf(high[a], own_high[a]);
        }
    }
    frame_box(image, low, high, &camera);
    for (int i = 0; i < s->count; i++)
        s->own[i].camera = camera;
}

// ---- bodies that several models hold

enum { DROP_CHUNK = 256 };

// Takes out of a volume's surfaces the cells that are full because of a mesh; light still counts
// them.
static gyre_result drop_near(gy_volume *volume, const gyre_mesh *mesh, const gyre_mesh_tree *tree)
{
    const gyre_grid *grid = volume->input->grid;
    float near = 1.5f * grid->h, points[3 * DROP_CHUNK], distance[DROP_CHUNK];
    int low[3], high[3], filled = 0;
    ptrdiff_t at[DROP_CHUNK];
    gyre_result result = GYRE_OK;

    for (int a = 0; a < 3; a++) {
        float least = GY_NEVER, most = -GY_NEVER;

        for (int i = 0; i < mesh->point_count; i++) {
            least = fminf(least, mesh->points[3 * (ptrdiff_t)i + a]);
            most = fmaxf(most, mesh->points[3 * (ptrdiff_t)i + a]);
        }
        least = (least - near - grid->origin[a]) / grid->h;
        most = (most + near - grid->origin[a]) / grid->h;
        low[a] = least > 0.0f ? (int)fminf(least, 1e6f) : 0;
        high[a] = most < (float)grid->n[a] - 1.0f ? (int)fmaxf(most, -1.0f) : grid->n[a] - 1;
    }
    for (int k = low[2]; k <= high[2] && result == GYRE_OK; k++) {
        for (int j = low[1]; j <= high[1]; j++) {
            for (int i = low[0]; i <= high[0]; i++) {
                ptrdiff_t cell = gy_cell_index(&volume->solid, i + 1, j + 1, k + 1);
                const int place[3] = {i, j, k};

                if (!(volume->solid.data[cell] > 0.0f))
                    continue;
                for (int a = 0; a < 3; a++)
                    points[3 * filled + a] = grid->origin[a] + ((float)place[a] + 0.5f) * grid->h;
                at[filled++] = cell;
                if (filled < DROP_CHUNK)
                    continue;
                result = result ? result : gyre_mesh_distance(tree, points, filled, distance);
                for (int p = 0; p < filled && result == GYRE_OK; p++)
                    volume->solid.data[at[p]] *= distance[p] < near ? 0.0f : 1.0f;
                filled = 0;
            }
        }
    }
    result = result || filled == 0 ? result : gyre_mesh_distance(tree, points, filled, distance);
    for (int p = 0; p < filled && result == GYRE_OK; p++)
        volume->solid.data[at[p]] *= distance[p] < near ? 0.0f : 1.0f;
    return result;
}

static gyre_result drop_shared(scene *s)
{
    gyre_result result = GYRE_OK;

    for (int i = 0; i < s->count; i++) {
        for (int m = 0; m < s->own[i].mesh_count && is_surface(&s->own[i]); m++) {
            const gyre_mesh *mesh = &s->own[i].meshes[m];
            gyre_mesh_tree *tree = NULL;

            for (int v = 0; v < s->volumes && mesh->triangle_count > 0 && !result; v++) {
                if (!s->volume[v].has_solid)
                    continue;
                result = tree != NULL ? GYRE_OK : gyre_mesh_tree_create(NULL, mesh, &tree);
                result = result ? result : drop_near(&s->volume[v], mesh, tree);
            }
            gyre_mesh_tree_destroy(tree);
        }
    }
    return result;
}

// ---- particles of all models

static float passes(const void *context, vec from, vec to)
{
    const scene *s = context;
    vec way = to - from;
    float length = sqrtf(vec_dot(way, way)), share = 1.0f;

    for (int i = 0; i < s->surfaces && share > 0.0f; i++) {
        const gy_relief *r = &s->surface[i].relief;
        vec corner = {r->corner[0], r->corner[1], 0.0f, 0.0f}, scale = vec_all(1.0f / r->unit);

        share *= gy_surface_passes(&s->surface[i], (from - corner) * scale, (to - corner) * scale);
    }
    for (int i = 0; i < s->volumes && share > 0.0f; i++) {
        const gyre_grid *grid = s->volume[i].input->grid;
        vec at = (from - vec_make(grid->origin)) * vec_all(1.0f / grid->h) + vec_all(0.5f);

        share *= gy_march_passes(&s->volume[i], at, vec_unit(way), length / grid->h);
    }
    return share;
}

static float lit(const void *context, vec from)
{
    const scene *s = context;
    float share = 1.0f;

    for (int i = 0; i < s->surfaces; i++) {
        const gy_relief *r = &s->surface[i].relief;
        vec corner = {r->corner[0], r->corner[1], 0.0f, 0.0f}, scale = vec_all(1.0f / r->unit);

        share *= gy_surface_sunlit(&s->surface[i], (from - corner) * scale,
                                   (vec){0.0f, 0.0f, 1.0f, 0.0f});
    }
    for (int i = 0; i < s->volumes && share > 0.0f; i++) {
        const gyre_grid *grid = s->volume[i].input->grid;
        vec at = (from - vec_make(grid->origin)) * vec_all(1.0f / grid->h) + vec_all(0.5f);

        share *= gy_march_passes(&s->volume[i], at, s->volume[i].light, 1e30f);
    }
    return share;
}

static float open_to_sky(const void *context, vec from)
{
    const scene *s = context;
    float share = 1.0f;

    for (int i = 0; i < s->volumes; i++) {
        const gyre_grid *grid = s->volume[i].input->grid;

        share *=
            gy_march_sky(&s->volume[i],
                         (from - vec_make(grid->origin)) * vec_all(1.0f / grid->h) + vec_all(0.5f));
    }
    return share;
}

// All particles in one list, so that they are drawn in one order; sizes become absolute.
static bool join_points(const scene *s, gyre_render_points *all, float *size)
{
    int64_t count = 0, at = 0;
    bool coloured = false, turned = false, done;

    *size = 0.0f;
    for (int i = 0; i < s->count; i++) {
        const gyre_render_points *p = s->own[i].points;
        float own = s->own[i].settings.point_size;

        own = own > 0.0f ? own : 0.3f * s->own[i].grid->h;
        if (p == NULL || p->count == 0)
            continue;
        count += p->count;
        coloured = coloured || p->colours != NULL;
        turned = turned || p->orientations != NULL;
        *size = fmaxf(*size, own);
    }
    size_t each = turned ? 9 : 5;
    float *memory = malloc(((size_t)count * each + 1) * sizeof *memory), *positions = memory;

    done = memory != NULL && count <= INT32_MAX;
    *all = (gyre_render_points){.positions = positions,
                                .colours = coloured ? positions + 4 * count : NULL,
                                .sizes = positions + 3 * count,
                                .count = count,
                                .orientations = turned ? positions + 5 * count : NULL};
    for (int i = 0; i < s->count && done; i++) {
        const gyre_render_points *p = s->own[i].points;
        float own = s->own[i].settings.point_size;

        own = own > 0.0f ? own : 0.3f * s->own[i].grid->h;
        for (int64_t k = 0; p != NULL && k < p->count; k++, at++) {
            memcpy(positions + 3 * at, p->positions + 3 * k, 3 * sizeof *positions);
            memory[3 * count + at] = own / *size * (p->sizes != NULL ? p->sizes[k] : 1.0f);
            memory[4 * count + at] = p->colours != NULL ? p->colours[k] : 0.0f;
            if (turned) {
                // Balls among leaves: no unit quaternion.
                static const float ball[4];
                const float *q = p->orientations != NULL ? p->orientations + 4 * k : ball;

                memcpy(memory + 5 * count + 4 * at, q, 4 * sizeof *memory);
            }
        }
    }
    return done;
}

static gyre_result draw_points(const scene *s)
{
    gyre_render_input input = s->own[0];
    gyre_render_points all;
    // Of a volume or of a surface, as it comes: the same camera.
    bool volume = s->volumes > 0;
    if (!join_points(s, &all, &input.settings.point_size)) {
        free((void *)(uintptr_t)all.positions);
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory to draw %lld points", (long long)all.count);
    }
    input.points = &all;
    gy_points_view points = {.device = s->device,
                             .input = &input,
                             .image = s->picture.image,
                             .unit = 1.0f, // lengths in metres
                             .eye = vec_make(input.camera.position),
                             .forward = volume ? s->view[0].forward : s->surface[0].forward,
                             .right = volume ? s->view[0].right : s->surface[0].right,
                             .up = volume ? s->view[0].up : s->surface[0].up,
                             .light = volume ? s->volume[0].light : s->surface[0].light,
                             .sun = vec_make(input.light.colour) * vec_all(input.light.intensity),
                             .sky = vec_make(input.light.ambient_colour) *
                                    vec_all(input.light.ambient),
                             .passes = passes,
                             .lit = lit,
                             .open = open_to_sky,
                             .scene = s};
    gyre_result result = gy_draw_points(&points);

    free((void *)(uintptr_t)all.positions);
    return result;
}

// ---- the picture

static gyre_result build(scene *s, gyre_image *image)
{
    gyre_result result = GYRE_OK;

    for (int i = 0; i < s->count && result == GYRE_OK; i++) {
        if (is_surface(&s->own[i]))
            result = gy_surface_build(s->device, &s->own[i], image, &s->surface[s->surfaces++]);
    }
    for (int i = 0; i < s->count && result == GYRE_OK; i++) {
        if (is_surface(&s->own[i]))
            continue;
        // A floor lies below y; where there is a surface it is the surface's.
        s->own[i].settings.floor = s->own[i].settings.floor && s->surfaces == 0 && s->volumes == 0;
        result = gy_volume_build(s->device, &s->own[i], &s->volume[s->volumes]);
        s->volumes += result == GYRE_OK;
        if (result == GYRE_OK && s->surfaces > 0)
            result = gy_light_clear(&s->volume[s->volumes - 1]);
        if (result == GYRE_OK)
            result = gy_light_cells(&s->volume[s->volumes - 1]);
        if (result == GYRE_OK && s->volume[s->volumes - 1].has_floor)
            result = gy_light_floor(&s->volume[s->volumes - 1]);
    }
    for (int i = 0; i < s->surfaces; i++) {
        s->surface[i].smoke = s->volume;
        s->surface[i].smoke_count = s->volumes;
    }
    return result == GYRE_OK ? drop_shared(s) : result;
}

// Whether p hides q: a plane between their boxes has the eye on p's side.
static bool hides(const gyre_grid *p, const gyre_grid *q, vec eye)
{
    float low[2][3], high[2][3], rounding = 1e-3f * fminf(p->h, q->h);

    box_of(p, low[0], high[0]);
    box_of(q, low[1], high[1]);
    for (int a = 0; a < 3; a++) {
        if (high[0][a] <= low[1][a] + rounding)
            return eye[a] < low[1][a];
        if (high[1][a] <= low[0][a] + rounding)
            return eye[a] > low[0][a];
    }
    return false;
}

static gyre_result aim(scene *s, gyre_image *image)
{
    gyre_result result = GYRE_OK;

    frame_all(s, image);
    for (int i = 0; i < s->surfaces && result == GYRE_OK; i++)
        result = gy_surface_aim(s->device, &s->surface[i]);
    for (int i = 0; i < s->volumes && result == GYRE_OK; i++) {
        s->view[i] = (gy_march_view){.volume = &s->volume[i], .image = image};
        result = gy_march_aim(&s->view[i]);
    }
    vec eye = vec_make(s->own[0].camera.position);

    // A volume goes before all that it hides: few, so the simplest of sorts.
    for (int round = 0; round < s->volumes; round++) {
        for (int i = 0; i + 1 < s->volumes; i++) {
            gy_march_view swap = s->view[i];

            if (!hides(swap.volume->input->grid, s->view[i + 1].volume->input->grid, eye))
                continue;
            s->view[i] = s->view[i + 1];
            s->view[i + 1] = swap;
        }
    }
    return result;
}

// The view of the first volume of the input: views are in another order.
static const gy_march_view *ground_of(const scene *s)
{
    int i = 0;

    while (s->view[i].volume != &s->volume[0])
        i++;
    return &s->view[i];
}

static gyre_result draw(scene *s, gyre_image *image)
{
    const gy_drawers *rows = gy_drawers_of(s->device);
    gy_composed *c = &s->picture;
    // Neighbours to the left of the first pixel and behind the last are read and not looked at.
    ptrdiff_t row = (image->width + 15) / 8 * 8;
    size_t plane = (size_t)row * (size_t)(image->height + 2);
    float *memory = gy_take_zeros(s->own[0].memory, 8 * plane, sizeof *memory);
    int tiles = (image->height + GY_SURFACE_HIGH - 1) / GY_SURFACE_HIGH;

    if (memory == NULL)
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory for a picture");
    *c = (gy_composed){.image = image,
                       .exposure = s->own[0].settings.exposure,
                       .surfaces = s->surface,
                       .surface_count = s->surfaces,
                       .views = s->view,
                       .view_count = s->volumes,
                       .ground = s->surfaces == 0 ? ground_of(s) : NULL,
                       .row = row};
    for (int k = 0; k < 3; k++)
        c->seen[k] = memory + (size_t)k * plane + row;
    for (int k = 0; k < 5; k++)
        c->behind[k] = memory + (size_t)(3 + k) * plane + row;
    gyre_device_parallel_for(s->device, tiles, rows->compose_tiles, c);
    gyre_device_parallel_for(s->device, image->height, rows->compose_finish, c);
    gy_give(s->own[0].memory, memory);
    return draw_points(s);
}

gyre_result gy_compose(gyre_device *device, const gyre_render_input *inputs, int count,
                       gyre_image *image)
{
    gyre_result result = check(inputs, count);

    if (result != GYRE_OK)
        return result;
    scene *s = aligned_alloc(64, (sizeof *s + 63) / 64 * 64);

    if (s == NULL)
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory for a picture of %d models", count);
    memset(s, 0, sizeof *s);
    s->device = device;
    join_inputs(s, inputs, count);
    result = build(s, image);
    result = result ? result : aim(s, image);
    result = result ? result : draw(s, image);
    for (int i = 0; i < s->surfaces; i++)
        gy_surface_free(&s->surface[i]);
    for (int i = 0; i < s->volumes; i++)
        gy_volume_free(&s->volume[i]);
    free(s);
    return result;
}
