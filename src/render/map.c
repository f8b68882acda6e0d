// render/map.c: a 2D field, or a slice of a 3D one, as a coloured map with solids drawn over it.
//
// Samples between cells are bicubic (Catmull-Rom, held within the four nearest cells' range, so
// that no value is shown that is not there); where a pixel covers several cells it averages up to
// 4 x 4 samples. Several scalars are one field, their sum, whose colour is their mean.
#include "render/map.h"
#include "render/points.h"
#include "render/rows.h"
#include "render/sheets.h"
#include "render/texture.h"

#include <stdlib.h>
#include <string.h>

bool gy_make_plane(gyre_render_memory *memory, gy_map_plane *plane, const int n[2])
{
    memcpy(plane->n, n, sizeof plane->n);
    plane->row = n[0] + 4;
    // Rows are read in eights.
    plane->memory =
        gy_take_zeros(memory, (size_t)plane->row * (size_t)(n[1] + 4) + 8, sizeof *plane->memory);
    if (plane->memory == NULL)
        return false;
    plane->data = plane->memory + 2 + 2 * plane->row;
    return true;
}

static void repeat_edge(const gy_map_plane *plane)
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

void gy_cut_plane(gyre_device *device, const gyre_field_view *view,
                  const gyre_view_settings *settings, const gy_map_plane *plane)
{
    int across = view->grid.dim == 2 ? 2 : settings->slice_axis;
    ptrdiff_t right = view->stride[across == 0 ? 2 : 0], up = view->stride[across == 1 ? 2 : 1];
    ptrdiff_t deep = view->stride[across];
    int count = view->n[across];
    float at = settings->slice_position * (float)count - 0.5f;

    at = at > 0.0f ? (at < (float)(count - 1) ? at : (float)(count - 1)) : 0.0f;
    int below = (int)at, above = below + 1 < count ? below + 1 : below;
    float part = at - (float)below;

    gy_map_cut rows = {.view = view,
                       .plane = plane,
                       .right = right,
                       .up = up,
                       .below = below * deep,
                       .above = above * deep,
                       .part = part};

    gyre_device_parallel_for(device, plane->n[1], gy_drawers_of(device)->map_cut, &rows);
    repeat_edge(plane);
}

// Cells inside solids hold nothing; interpolation must not mix that nothing into the fluid's edge.
static void grow_into_solid(const gy_map_plane *field, const gy_map_plane *solid)
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

static void plane_range(gyre_device *device, const gy_map_plane *plane, float *least, float *most)
{
    float range[GY_MAP_TASKS][2];

    gyre_device_parallel_for(device, GY_MAP_TASKS, gy_drawers_of(device)->map_range,
                             &(gy_map_cut){.plane = plane, .range = range});
    *least = *most = plane->data[0];
    for (int i = 0; i < GY_MAP_TASKS; i++) {
        *least = fminf(*least, range[i][0]);
        *most = fmaxf(*most, range[i][1]);
    }
}

static void find_range(const gy_map_view *view, float *low, float *high)
{
    const gy_map_plane *plane = &view->field;

    *low = view->input->settings.range[0];
    *high = view->input->settings.range[1];
    if (*low != *high)
        return;
    float least, most;

    plane_range(view->device, plane, &least, &most);
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
static void light_plane(gy_map_view *view)
{
    gy_map_plane *light = &view->light;
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

// Whether scalars are mixed: as the settings say, else in maps that say how.
static bool is_mixed(const gy_map_view *view)
{
    const gyre_render_input *input = view->input;
    bool several = input->channel_count > 0;

    if (view->mix != GYRE_MIX_AUTO)
        return several || input->density != NULL;
    return several && (view->map == GYRE_MAP_SMOKE || view->map == GYRE_MAP_INK);
}

// A field that is named is shown by itself, but for the density.
static gyre_view_mix choose_mix(const gyre_render_input *input)
{
    bool other =
        input->field != NULL && input->field != input->density && input->channel_count == 0;

    return other ? GYRE_MIX_AUTO : (gyre_view_mix)input->settings.mix;
}

// Adds a scalar with its colour to the field and to the tints.
static bool add_scalar(gy_map_view *view, const gyre_field_view *from, float scale,
                       const float part[3])
{
    gy_map_plane own, *sum = &view->field;

    if (!gy_make_plane(view->input->memory, &own, sum->n))
        return false;
    gy_cut_plane(view->device, from, &view->input->settings, &own);
    if (view->solid.data != NULL)
        grow_into_solid(&own, &view->solid);
    for (int y = 0; y < sum->n[1]; y++) {
        for (int x = 0; x < sum->n[0]; x++) {
            ptrdiff_t at = x + y * sum->row;
            float value = own.data[at] > 0.0f ? scale * own.data[at] : 0.0f;

            sum->data[at] += value;
            for (int c = 0; c < 3; c++)
                view->tint[c].data[at] += part[c] * value;
        }
    }
    gy_give(view->input->memory, own.memory);
    return true;
}

// What of a scalar's colour the map takes: smoke sends it on, light is it, ink lets nothing else
// through.
static void part_of(const gy_map_view *view, const float colour[3], float part[3])
{
    if (view->mix == GYRE_MIX_INK) {
        gy_ink_taken(colour, part);
        return;
    }
    if (view->mix == GYRE_MIX_LIGHT) {
        memcpy(part, colour, 3 * sizeof *part);
        return;
    }
    for (int c = 0; c < 3; c++)
        part[c] = view->map == GYRE_MAP_SMOKE ? colour[c] : -1.5f * logf(fmaxf(colour[c], 0.02f));
}

static bool mix_scalars(gy_map_view *view)
{
    const gyre_render_input *input = view->input;
    float part[3];

    for (int c = 0; c < 3; c++) {
        if (!gy_make_plane(input->memory, &view->tint[c], view->field.n))
            return false;
    }
    bool ink =
        view->mix == GYRE_MIX_INK || (view->mix == GYRE_MIX_AUTO && view->map == GYRE_MAP_INK);

    part_of(view, input->settings.albedo, part);
    if (input->density != NULL &&
        !add_scalar(view, input->density, 1.0f, ink ? gy_ink_absorb : part))
        return false;
    for (int i = 0; i < input->channel_count; i++) {
        const gyre_render_channel *c = &input->channels[i];

        part_of(view, c->colour, part);
        if (!add_scalar(view, c->view, c->scale, part))
            return false;
    }
    repeat_edge(&view->field);
    for (int c = 0; c < 3; c++)
        repeat_edge(&view->tint[c]);
    return true;
}

// What lies over the map: solids, but for those cells that stand for sheets.
static bool cut_solids(gy_map_view *view, const int n[2])
{
    const gyre_render_input *input = view->input;
    gyre_field_view solid = *input->solid;
    bool sheets = view->sheets != NULL;

    if (!gy_make_plane(input->memory, &view->solid, n) ||
        (sheets && gy_seen_sheets_view(view->sheets, input->solid, &solid) != GYRE_OK))
        return false;
    gy_cut_plane(view->device, &solid, &input->settings, &view->solid);
    if (sheets)
        free(solid.data);
    return true;
}

static bool build(gy_map_view *view, const int n[2])
{
    const gyre_render_input *input = view->input;
    const gyre_field_view *field = input->field != NULL ? input->field : input->density;

    if (input->solid != NULL) {
        if (!cut_solids(view, n))
            return false;
        float least, most;

        plane_range(view->device, &view->solid, &least, &most);
        if (least >= 0.0f && most <= 0.0f) { // no solids: nothing lies over the map
            gy_give(input->memory, view->solid.memory);
            view->solid = (gy_map_plane){0};
        }
    }
    if (input->texture != NULL || (field == NULL && !is_mixed(view)))
        return true;
    if (!gy_make_plane(input->memory, &view->field, n))
        return false;
    if (is_mixed(view)) {
        if (!mix_scalars(view))
            return false;
    } else {
        gy_cut_plane(view->device, field, &input->settings, &view->field);
        if (view->solid.data != NULL)
            grow_into_solid(&view->field, &view->solid);
    }
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
        vec albedo = is_mixed(view) ? vec_all(1.0f) : vec_make(input->settings.albedo);

        view->sun = albedo * vec_make(input->light.colour) * vec_all(0.8f * input->light.intensity);
        view->sky = albedo * vec_make(input->light.ambient_colour) * vec_all(input->light.ambient);
        if (input->settings.shadow) {
            if (!gy_make_plane(input->memory, &view->light, n))
                return false;
            light_plane(view);
        }
    }
    return true;
}

// What a texture needs of the same.
static void share_rows(gy_map_view *view)
{
    view->rows = (view->image->height + GY_MAP_TASKS - 1) / GY_MAP_TASKS;
    view->rows = view->rows < 8 ? 8 : view->rows;
    view->body = gy_tone_map(vec_make(view->input->settings.solid_colour) *
                             vec_all(0.4f * view->input->settings.exposure));
}

// Lines that tasks work on, and, where a pixel is a colour of the map and nothing else, these.
static bool prepare_rows(gy_map_view *view, int n)
{
    const gyre_render_input *input = view->input;
    int height = view->image->height, tasks;

    tasks = (height + view->rows - 1) / view->rows;
    view->line = n + 4 + 8;
    view->planes = view->tint[0].data != NULL ? GY_MAP_PLANES : 3;
    view->scratch = gy_take(input->memory,
                            (size_t)tasks * (size_t)(view->samples * view->planes) * GY_MAP_LINES *
                                (size_t)view->line,
                            sizeof(float));
    if (view->field.data == NULL || view->solid.data != NULL || view->samples > 1 ||
        view->map == GYRE_MAP_SMOKE || view->tint[0].data != NULL)
        return view->scratch != NULL;
    view->finished = malloc(3 * (size_t)(GY_MAP_COLOURS + 1) * sizeof(float));
    for (int c = 0; c < 3 && view->finished != NULL; c++) {
        view->srgb[c] = view->finished + c * (GY_MAP_COLOURS + 1);
        for (int i = 0; i <= GY_MAP_COLOURS; i++) {
            float at = (float)i * (256.0f / (float)GY_MAP_COLOURS);
            int k = at < 255.0f ? (int)at : 255;
            float x = mixf(view->table[k][c], view->table[k + 1][c], at - (float)k);

            view->srgb[c][i] = 255.0f * gy_to_srgb(x);
        }
    }
    return view->scratch != NULL && view->finished != NULL;
}

static bool draw_rows(gy_map_view *view, int n)
{
    int tasks = (view->image->height + view->rows - 1) / view->rows;

    if (view->input->texture != NULL)
        return gy_draw_texture(view);
    if (!prepare_rows(view, n))
        return false;
    gyre_device_parallel_for(view->device, tasks, gy_drawers_of(view->device)->map_rows, view);
    return true;
}

static gyre_result draw_points(const gy_map_view *view)
{
    const gyre_grid *grid = view->input->grid;
    gy_points_view points = {.device = view->device,
                             .input = view->input,
                             .image = view->image,
                             .flat = true,
                             .corner = vec_make(grid->origin),
                             .unit = grid->h,
                             .cells = view->cells,
                             .shift = {view->shift[0], view->shift[1]}};

    return gy_draw_points(&points);
}

gyre_result gy_draw_map(gyre_device *device, const gyre_render_input *input, gyre_image *image)
{
    int across = input->grid->dim == 2 ? 2 : input->settings.slice_axis;
    int n[2] = {input->grid->n[across == 0 ? 2 : 0], input->grid->n[across == 1 ? 2 : 1]};
    gy_map_view view = {.device = device, .input = input, .image = image, .map = choose_map(input)};
    gyre_result result = GYRE_OK;

    view.mix = choose_mix(input);
    if (view.mix != GYRE_MIX_AUTO)
        view.map = GYRE_MAP_INK; // no map of one scalar, and nothing that smoke needs
    view.cells = fmaxf((float)n[0] / (float)image->width, (float)n[1] / (float)image->height);
    view.shift[0] = 0.5f * ((float)n[0] - view.cells * (float)image->width);
    view.shift[1] = 0.5f * ((float)n[1] - view.cells * (float)image->height);
    view.samples = view.cells <= 1.0f ? 1 : view.cells >= 4.0f ? 4 : (int)ceilf(view.cells);
    result = gy_seen_sheets_build(input, &view.sheets);
    if (result == GYRE_OK && view.sheets != NULL && input->grid->dim == 2)
        result = gy_seen_sheets_beside(input, &view.beside);
    if (result != GYRE_OK) {
        gy_seen_sheets_free(view.sheets);
        return result;
    }
    share_rows(&view);
    if (build(&view, n) && draw_rows(&view, n[0])) {
        if (view.sheets != NULL)
            result = gy_seen_sheets_lines(&view);
        if (input->grid->dim == 2 && result == GYRE_OK)
            result = draw_points(&view);
        if (input->settings.legend && view.field.data != NULL && view.tint[0].data == NULL)
            gy_draw_legend(image, view.map, view.low, view.low + 1.0f / view.scale);
    } else {
        result = gyre_fail(GYRE_ERROR_MEMORY, "no memory to draw %d x %d cells", n[0], n[1]);
    }
    gy_seen_sheets_free(view.sheets);
    free(view.beside);
    gy_give(input->memory, view.field.memory);
    gy_give(input->memory, view.solid.memory);
    gy_give(input->memory, view.light.memory);
    for (int c = 0; c < 3; c++)
        gy_give(input->memory, view.tint[c].memory);
    free(view.finished);
    gy_give(input->memory, view.scratch);
    return result;
}
