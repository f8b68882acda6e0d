// render/map.c: a 2D field, or a slice of a 3D one, as a coloured map with solids drawn over it.
//
// Samples between cells are bicubic (Catmull-Rom, held within the four nearest cells' range, so
// that no value is shown that is not there); where a pixel covers several cells it averages up to
// 4 x 4 samples.
#include "render/render.h"

#include <stdlib.h>
#include <string.h>

// Rows from the bottom up, with two cells of margin that repeat the edge.
typedef struct map_plane {
    int n[2];
    ptrdiff_t row;
    float *data; // of cell (0, 0)
    float *memory;
} map_plane;

typedef struct map_view {
    const gyre_render_input *input;
    gyre_image *image;
    gyre_colour_map map;
    map_plane field, solid, light;
    float low, scale; // of the field's values
    float cells;      // per pixel
    float shift[2];   // cells at the picture's left and bottom edge
    int samples;      // per pixel and axis
    vec table[257];   // display colours of the map, linear
    vec sun, sky;     // lit smoke
} map_view;

static bool make_plane(map_plane *plane, const int n[2])
{
    memcpy(plane->n, n, sizeof plane->n);
    plane->row = n[0] + 4;
    plane->memory = calloc((size_t)plane->row * (size_t)(n[1] + 4), sizeof *plane->memory);
    if (plane->memory == NULL)
        return false;
    plane->data = plane->memory + 2 + 2 * plane->row;
    return true;
}

static void repeat_edge(const map_plane *plane)
{
    int nx = plane->n[0], ny = plane->n[1];

    for (int y = 0; y < ny; y++) {
        float *row = plane->data + y * plane->row;

        row[-1] = row[-2] = row[0];
        row[nx] = row[nx + 1] = row[nx - 1];
    }
    for (int m = 1; m <= 2; m++) {
        size_t size = (size_t)plane->row * sizeof(float);

        memcpy(plane->data - 2 - m * plane->row, plane->data - 2, size);
        memcpy(plane->data - 2 + (ny - 1 + m) * plane->row, plane->data - 2 + (ny - 1) * plane->row,
               size);
    }
}

// Cuts the plane out of a view: the whole of a 2D field, two neighbouring planes mixed in 3D.
static void cut(const gyre_field_view *view, const gyre_view_settings *settings,
                const map_plane *plane)
{
    int across = view->grid.dim == 2 ? 2 : settings->slice_axis;
    ptrdiff_t right = view->stride[across == 0 ? 2 : 0], up = view->stride[across == 1 ? 2 : 1];
    ptrdiff_t deep = view->stride[across];
    int count = view->n[across];
    float at = settings->slice_position * (float)count - 0.5f;

    at = at > 0.0f ? (at < (float)(count - 1) ? at : (float)(count - 1)) : 0.0f;
    int below = (int)at, above = below + 1 < count ? below + 1 : below;
    float part = at - (float)below;

    for (int y = 0; y < plane->n[1]; y++) {
        const float *from = view->data + y * up;
        float *to = plane->data + y * plane->row;

        for (int x = 0; x < plane->n[0]; x++) {
            float value =
                mixf(from[x * right + below * deep], from[x * right + above * deep], part);

            to[x] = isfinite(value) ? value : 0.0f;
        }
    }
    repeat_edge(plane);
}

// Cells inside solids hold nothing; interpolation must not mix that nothing into the fluid's edge.
static void grow_into_solid(const map_plane *field, const map_plane *solid)
{
    for (int y = 0; y < field->n[1]; y++) {
        for (int x = 0; x < field->n[0]; x++) {
            float sum = 0.0f, weight = 0.0f;

            if (solid->data[x + y * solid->row] < 0.5f)
                continue;
            for (int b = -2; b <= 2; b++) {
                for (int a = -2; a <= 2; a++) {
                    bool near =
                        x + a >= 0 && y + b >= 0 && x + a < field->n[0] && y + b < field->n[1];

                    if (!near || solid->data[x + a + (y + b) * solid->row] >= 0.5f)
                        continue;
                    float w = 1.0f / (float)(a * a + b * b);

                    sum += w * field->data[x + a + (y + b) * field->row];
                    weight += w;
                }
            }
            field->data[x + y * field->row] = weight > 0.0f ? sum / weight : 0.0f;
        }
    }
    repeat_edge(field);
}

static void find_range(const map_view *view, float *low, float *high)
{
    const map_plane *plane = &view->field;

    *low = view->input->settings.range[0];
    *high = view->input->settings.range[1];
    if (*low != *high)
        return;
    float least = plane->data[0], most = least;

    for (int y = 0; y < plane->n[1]; y++) {
        const float *row = plane->data + y * plane->row;

        for (int x = 0; x < plane->n[0]; x++) {
            least = row[x] < least ? row[x] : least;
            most = row[x] > most ? row[x] : most;
        }
    }
    if (view->map == GYRE_MAP_COOLWARM) {
        most = fmaxf(fabsf(least), fabsf(most));
        least = -most;
    } else if (view->input->view != GYRE_VIEW_SIGNED && least > 0.0f) {
        least = 0.0f;
    }
    *low = least;
    *high = most > least ? most : least + 1.0f;
}

// Light that falls through the smoke of a plane, swept row by row like gy_light_cells. A plane as
// high as the picture and full of smoke at the top of its range has the depth 10.
static void light_plane(map_view *view)
{
    map_plane *light = &view->light;
    vec l = vec_unit(vec_make(view->input->light.direction));
    float shear = l[1] > 0.2f ? l[0] / l[1] : l[0] / 0.2f;

    shear = shear > 1.5f ? 1.5f : shear < -1.5f ? -1.5f : shear;
    int nx = light->n[0], ny = light->n[1];
    float depth = 10.0f / (float)ny * sqrtf(1.0f + shear * shear) * view->scale;
    bool has_solid = view->solid.data != NULL;

    for (int y = ny - 1; y >= 0; y--) {
        float *to = light->data + y * light->row;
        const float *above = to + light->row;
        const float *smoke = view->field.data + y * view->field.row;

        for (int x = 0; x < nx; x++) {
            float at = (float)x + shear, arrived = 1.0f;

            at = at > 0.0f ? (at < (float)(nx - 1) ? at : (float)(nx - 1)) : 0.0f;
            int i = (int)at;

            if (y < ny - 1)
                arrived = mixf(above[i], above[i + 1 < nx ? i + 1 : i], at - (float)i);
            float d = depth * (smoke[x] - view->low);

            if (has_solid)
                d += 0.35f * clamp01(view->solid.data[x + y * view->solid.row]);
            to[x] = arrived * fade(d > 0.0f ? d : 0.0f);
        }
    }
    repeat_edge(light);
}

typedef enum kernel { KERNEL_CATMULL_ROM, KERNEL_B_SPLINE } kernel;

static void weigh(kernel kind, float t, float w[4])
{
    float t2 = t * t, t3 = t2 * t;

    if (kind == KERNEL_B_SPLINE) {
        w[0] = (1.0f - 3.0f * t + 3.0f * t2 - t3) / 6.0f;
        w[1] = (4.0f - 6.0f * t2 + 3.0f * t3) / 6.0f;
        w[2] = (1.0f + 3.0f * t + 3.0f * t2 - 3.0f * t3) / 6.0f;
        w[3] = t3 / 6.0f;
    } else {
        w[0] = 0.5f * (-t + 2.0f * t2 - t3);
        w[1] = 0.5f * (2.0f - 5.0f * t2 + 3.0f * t3);
        w[2] = 0.5f * (t + 4.0f * t2 - 3.0f * t3);
        w[3] = 0.5f * (t3 - t2);
    }
}

// (x, y) in cells from the lower corner of cell (0, 0); held inside the plane.
static float sample_plane(const map_plane *plane, kernel kind, float x, float y)
{
    float wx[4], wy[4], sum = 0.0f;

    x = fminf(fmaxf(x - 0.5f, -0.5f), (float)plane->n[0] - 0.5f);
    y = fminf(fmaxf(y - 0.5f, -0.5f), (float)plane->n[1] - 0.5f);
    float fx = floorf(x), fy = floorf(y);

    fx = fminf(fx, (float)(plane->n[0] - 1));
    fy = fminf(fy, (float)(plane->n[1] - 1));
    const float *p = plane->data + (ptrdiff_t)fx + (ptrdiff_t)fy * plane->row;

    weigh(kind, x - fx, wx);
    weigh(kind, y - fy, wy);
    for (int b = 0; b < 4; b++) {
        // Below the first cell the fourth row back is the margin's end, of weight about 0.
        ptrdiff_t up = (ptrdiff_t)fy + b - 1 < -2 ? -1 : b - 1;
        const float *q = p + up * plane->row;

        sum += wy[b] * (wx[0] * q[-1] + wx[1] * q[0] + wx[2] * q[1] + wx[3] * q[2]);
    }
    const float *above = p + plane->row;
    float low = fminf(fminf(p[0], p[1]), fminf(above[0], above[1]));
    float high = fmaxf(fmaxf(p[0], p[1]), fmaxf(above[0], above[1]));

    return fminf(fmaxf(sum, low), high);
}

static vec background(const map_view *view, float y)
{
    const gyre_view_settings *settings = &view->input->settings;
    vec top = vec_make(settings->background_top), bottom = vec_make(settings->background_bottom);
    float t = smooth(0.0f, 1.0f, y / (float)view->image->height);

    return gy_tone_map((top + (bottom - top) * vec_all(t)) * vec_all(settings->exposure));
}

static vec shade(const map_view *view, float x, float y, vec behind)
{
    const gyre_view_settings *settings = &view->input->settings;
    vec colour = behind;

    if (view->field.data != NULL) {
        float value = sample_plane(&view->field, KERNEL_CATMULL_ROM, x, y);
        float t = clamp01((value - view->low) * view->scale);

        if (view->map == GYRE_MAP_SMOKE) {
            float through = expf(-3.0f * t);
            float open = settings->shadow
                             ? clamp01(sample_plane(&view->light, KERNEL_CATMULL_ROM, x, y))
                             : 1.0f;
            vec lit =
                gy_tone_map((view->sun * vec_all(open) + view->sky) * vec_all(settings->exposure));

            colour = lit + (behind - lit) * vec_all(through);
        } else {
            float at = t * 256.0f;
            int i = at < 255.0f ? (int)at : 255;

            colour =
                view->table[i] + (view->table[i + 1] - view->table[i]) * vec_all(at - (float)i);
        }
    }
    if (view->solid.data != NULL) {
        float share = sample_plane(&view->solid, KERNEL_B_SPLINE, x, y);
        float sharp = view->cells < 1.0f ? 1.0f / view->cells : 1.0f;
        float cover = clamp01((share - 0.5f) * sharp + 0.5f);
        vec body =
            gy_tone_map(vec_make(settings->solid_colour) * vec_all(0.4f * settings->exposure));

        colour += (body - colour) * vec_all(cover);
    }
    return colour;
}

static void draw_row(void *argument, int y)
{
    map_view *view = argument;
    gyre_image *image = view->image;
    float part = 1.0f / (float)view->samples;

    for (int x = 0; x < image->width; x++) {
        vec colour = vec_all(0.0f), behind = background(view, (float)y + 0.5f);

        for (int s = 0; s < view->samples * view->samples; s++) {
            float px = (float)x + ((float)(s % view->samples) + 0.5f) * part;
            float py = (float)(image->height - y) - ((float)(s / view->samples) + 0.5f) * part;
            float cx = view->shift[0] + px * view->cells, cy = view->shift[1] + py * view->cells;
            const map_plane *plane = view->field.data != NULL ? &view->field : &view->solid;
            bool within = plane->data != NULL && cx >= 0.0f && cy >= 0.0f &&
                          cx < (float)plane->n[0] && cy < (float)plane->n[1];

            colour += within ? shade(view, cx, cy, behind) : behind;
        }
        gy_put_pixel(image, x, y, colour * vec_all(part * part));
    }
}

static float to_linear(float x)
{
    return x <= 0.04045f ? x / 12.92f : powf((x + 0.055f) / 1.055f, 2.4f);
}

static gyre_colour_map choose_map(const gyre_render_input *input)
{
    if (input->settings.map != GYRE_MAP_AUTO)
        return (gyre_colour_map)input->settings.map;
    switch (input->view) {
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

static bool build(map_view *view, const int n[2])
{
    const gyre_render_input *input = view->input;
    const gyre_field_view *field = input->field != NULL ? input->field : input->density;

    if (input->solid != NULL) {
        if (!make_plane(&view->solid, n))
            return false;
        cut(input->solid, &input->settings, &view->solid);
    }
    if (field == NULL)
        return true;
    if (!make_plane(&view->field, n))
        return false;
    cut(field, &input->settings, &view->field);
    if (view->solid.data != NULL)
        grow_into_solid(&view->field, &view->solid);
    float high;

    find_range(view, &view->low, &high);
    view->scale = 1.0f / (high - view->low);
    for (int i = 0; i <= 256; i++) {
        float rgb[3];

        gyre_map_colour(view->map, (float)i / 256.0f, rgb);
        for (int c = 0; c < 3; c++)
            view->table[i][c] = to_linear(rgb[c]);
    }
    if (view->map == GYRE_MAP_SMOKE) {
        vec albedo = vec_make(input->settings.albedo);

        view->sun = albedo * vec_make(input->light.colour) * vec_all(0.8f * input->light.intensity);
        view->sky = albedo * vec_make(input->light.ambient_colour) * vec_all(input->light.ambient);
        if (input->settings.shadow) {
            if (!make_plane(&view->light, n))
                return false;
            light_plane(view);
        }
    }
    return true;
}

gyre_result gy_draw_map(gyre_device *device, const gyre_render_input *input, gyre_image *image)
{
    int across = input->grid->dim == 2 ? 2 : input->settings.slice_axis;
    int n[2] = {input->grid->n[across == 0 ? 2 : 0], input->grid->n[across == 1 ? 2 : 1]};
    map_view view = {.input = input, .image = image, .map = choose_map(input)};
    gyre_result result = GYRE_OK;

    view.cells = fmaxf((float)n[0] / (float)image->width, (float)n[1] / (float)image->height);
    view.shift[0] = 0.5f * ((float)n[0] - view.cells * (float)image->width);
    view.shift[1] = 0.5f * ((float)n[1] - view.cells * (float)image->height);
    view.samples = view.cells <= 1.0f ? 1 : view.cells >= 4.0f ? 4 : (int)ceilf(view.cells);
    if (build(&view, n)) {
        gyre_device_parallel_for(device, image->height, draw_row, &view);
        if (input->settings.legend && view.field.data != NULL)
            gy_draw_legend(image, view.map, view.low, view.low + 1.0f / view.scale);
    } else {
        result = gyre_fail(GYRE_ERROR_MEMORY, "no memory to draw %d x %d cells", n[0], n[1]);
    }
    free(view.field.memory);
    free(view.solid.memory);
    free(view.light.memory);
    return result;
}
