// render/render.c: checks what is handed in and chooses how to draw it.
#include "render/render.h"
#include "render/texture.h"

#include <stdlib.h>
#include <string.h>

static gyre_result check_view(const char *name, const gyre_field_view *view, const gyre_grid *grid)
{
    if (view == NULL)
        return GYRE_OK;
    if (view->data == NULL || view->stride[0] != 1)
        return gyre_fail(GYRE_ERROR_ARGUMENT, "render: %s: a field without data", name);
    if (view->location != GYRE_CENTRE)
        return gyre_fail(GYRE_ERROR_ARGUMENT, "render: %s: not a field at cell centres", name);
    if (memcmp(view->n, grid->n, sizeof view->n) != 0)
        return gyre_fail(GYRE_ERROR_ARGUMENT, "render: %s: a field of another grid", name);
    return GYRE_OK;
}

static gyre_result check_texture(const gyre_render_input *input)
{
    const gyre_render_texture *t = input->texture;
    float sum = 0.0f;

    if (t == NULL)
        return GYRE_OK;
    if (t->texels == NULL || t->phases < 1 || t->phases > GYRE_TEXTURE_PHASES)
        return gyre_fail(GYRE_ERROR_ARGUMENT, "render: a texture of %d phases, expected 1 to %d",
                         t->texels == NULL ? 0 : t->phases, GYRE_TEXTURE_PHASES);
    if (!(t->size > 0.0f && t->size < INFINITY))
        return gyre_fail(GYRE_ERROR_ARGUMENT, "render: a texture %g m wide", (double)t->size);
    if (input->grid->dim == 2 && t->texels->levels == 0)
        return gyre_fail(GYRE_ERROR_ARGUMENT, "render: a solid texture in 2D, expected an image");
    for (int p = 0; p < t->phases; p++) {
        for (int a = 0; a < input->grid->dim; a++) {
            gyre_result result =
                t->shift[p][a] == NULL
                    ? gyre_fail(GYRE_ERROR_ARGUMENT, "render: a texture without coordinates")
                    : check_view("texture", t->shift[p][a], input->grid);

            if (result != GYRE_OK)
                return result;
        }
        if (!(t->weight[p] >= 0.0f && t->weight[p] <= 1.0f))
            return gyre_fail(GYRE_ERROR_ARGUMENT, "render: a texture's weight of %g",
                             (double)t->weight[p]);
        sum += t->weight[p];
    }
    return sum > 0.0f ? GYRE_OK
                      : gyre_fail(GYRE_ERROR_ARGUMENT, "render: a texture whose weights are all 0");
}

static gyre_result check_flow(const gyre_render_input *input)
{
    const gyre_render_flow *f = input->flow;
    float sum = 0.0f;

    if (f == NULL || f->phases == 0)
        return GYRE_OK;
    if (f->phases < 0 || f->phases > GYRE_TEXTURE_PHASES)
        return gyre_fail(GYRE_ERROR_ARGUMENT, "render: flow: %d phases, expected 0 to %d",
                         f->phases, GYRE_TEXTURE_PHASES);
    for (int p = 0; p < f->phases; p++) {
        for (int a = 0; a < 2; a++) {
            gyre_result result =
                f->shift[p][a] == NULL
                    ? gyre_fail(GYRE_ERROR_ARGUMENT, "render: flow: without coordinates")
                    : check_view("flow", f->shift[p][a], input->grid);

            if (result != GYRE_OK)
                return result;
        }
        if (!(f->weight[p] >= 0.0f && f->weight[p] <= 1.0f))
            return gyre_fail(GYRE_ERROR_ARGUMENT, "render: flow: a weight of %g",
                             (double)f->weight[p]);
        sum += f->weight[p];
    }
    return sum > 0.0f ? GYRE_OK
                      : gyre_fail(GYRE_ERROR_ARGUMENT, "render: flow: weights that are all 0");
}

gyre_result gy_render_check(const gyre_render_input *input)
{
    if (input->grid == NULL)
        return gyre_fail(GYRE_ERROR_ARGUMENT, "render: no grid");
    const gyre_field_view *const views[10] = {
        input->density, input->temperature, input->solid, input->field, input->surface,
        input->bed,     input->flame,       input->foam,  input->wet,   input->speed};
    static const char *const names[10] = {"density", "temperature", "solid", "field", "surface",
                                          "bed",     "flame",       "foam",  "wet",   "speed"};
    gyre_result result = gyre_grid_check(input->grid);

    if (input->points != NULL && (input->points->count < 0 || input->points->count > INT32_MAX ||
                                  (input->points->count > 0 && input->points->positions == NULL)))
        return gyre_fail(GYRE_ERROR_ARGUMENT, "render: %lld points that are not there",
                         (long long)input->points->count);

    for (int i = 0; i < 10 && result == GYRE_OK; i++)
        result = check_view(names[i], views[i], input->grid);
    result = result ? result : check_texture(input);
    result = result ? result : check_flow(input);
    if (input->channel_count < 0 || input->channel_count > 64 ||
        (input->channel_count > 0 && input->channels == NULL))
        return gyre_fail(GYRE_ERROR_ARGUMENT, "render: %d channels that are not there",
                         input->channel_count);
    if (input->sheet_count < 0 || (input->sheet_count > 0 && input->sheets == NULL))
        return gyre_fail(GYRE_ERROR_ARGUMENT, "render: %d sheets that are not there",
                         input->sheet_count);
    for (int i = 0; i < input->channel_count && result == GYRE_OK; i++) {
        result = input->channels[i].view == NULL
                     ? gyre_fail(GYRE_ERROR_ARGUMENT, "render: channel %d has no field", i)
                     : check_view("channel", input->channels[i].view, input->grid);
    }
    if (result == GYRE_OK)
        result = gyre_property_check(gyre_camera_properties, &input->camera, "camera");
    if (result == GYRE_OK)
        result = gyre_property_check(gyre_light_properties, &input->light, "light");
    if (result == GYRE_OK)
        result = gyre_property_check(gyre_view_properties, &input->settings, "view");
    return result;
}

static gyre_result check(const gyre_render_input *input, const gyre_image *image)
{
    if (input->grid == NULL)
        return gyre_fail(GYRE_ERROR_ARGUMENT, "render: no grid");
    if (image == NULL || image->rgb == NULL || image->width < 1 || image->height < 1 ||
        image->width > 8192 || image->height > 8192)
        return gyre_fail(GYRE_ERROR_ARGUMENT, "render: a picture without pixels");
    return gy_render_check(input);
}

static int mode_of(const gyre_render_input *input)
{
    bool surface = input->grid->dim == 2 && input->surface != NULL && input->bed != NULL;

    return input->settings.mode == GYRE_MODE_AUTO && surface ? GYRE_MODE_SURFACE
                                                             : input->settings.mode;
}

static gyre_result check_cells(const gyre_render_input *input)
{
    const int *n = input->grid->n;

    if (input->settings.mode == GYRE_MODE_CELLS && (int64_t)n[0] * n[1] * n[2] > GYRE_CELLS_MOST)
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "view.mode: found \"cells\" and %d x %d x %d cells, expected at most %d "
                         "(64 x 64 x 64), each of which is a polygon; mode \"volume\" draws more",
                         n[0], n[1], n[2], GYRE_CELLS_MOST);
    return GYRE_OK;
}

static gyre_result draw(gyre_device *device, const gyre_render_input *input, gyre_image *image)
{
    int mode = mode_of(input);
    gyre_result result;
    gy_volume volume;

    if (mode == GYRE_MODE_SURFACE || mode == GYRE_MODE_BARS) {
        if (input->grid->dim != 2 || input->surface == NULL || input->bed == NULL)
            return gyre_fail(GYRE_ERROR_ARGUMENT, "view.mode: a scene without a surface and a bed");
        if (input->mesh_count < 0 || (input->mesh_count > 0 && input->meshes == NULL))
            return gyre_fail(GYRE_ERROR_ARGUMENT, "render: %d meshes that are not there",
                             input->mesh_count);
        if (input->texture != NULL)
            return gyre_fail(GYRE_ERROR_UNSUPPORTED, "render: a texture on a surface of water");
        return gy_draw_surface(device, input, image);
    }
    if (input->grid->dim == 2 || mode == GYRE_MODE_SLICE) {
        if (mode == GYRE_MODE_VOLUME || mode == GYRE_MODE_CELLS)
            return gyre_fail(GYRE_ERROR_ARGUMENT, "view.mode: a 2D scene has no volume");
        return gy_draw_map(device, input, image);
    }
    result = check_cells(input);
    result = result ? result : gy_volume_build(device, input, &volume);
    if (result != GYRE_OK)
        return result;
    result = gy_light_cells(&volume);
    if (result == GYRE_OK && volume.has_floor)
        result = gy_light_floor(&volume);
    if (result == GYRE_OK)
        result = gy_march(&volume, image);
    gy_volume_free(&volume);
    return result;
}

// One input, with memory that is kept from picture to picture.
static gyre_result draw_one(gyre_device *device, const gyre_render_input *input, int count,
                            gyre_image *image)
{
    (void)count;
    gy_memory_begin(input->memory);
    gyre_result result = draw(device, input, image);

    gy_memory_end(input->memory);
    return result;
}

static gyre_result draw_several(gyre_device *device, const gyre_render_input *inputs, int count,
                                gyre_image *image)
{
    gy_memory_begin(inputs[0].memory);
    gyre_result result = gy_compose(device, inputs, count, image);

    gy_memory_end(inputs[0].memory);
    return result;
}

static bool is_volume(const gyre_render_input *input)
{
    int mode = mode_of(input);

    return input->grid->dim == 3 && mode != GYRE_MODE_SLICE && mode != GYRE_MODE_SURFACE &&
           mode != GYRE_MODE_BARS;
}

// Draws what mixes scalars: in their own order, so that the one that they come in does not count.
static gyre_result draw_mixed(gyre_device *device, const gyre_render_input *inputs, int count,
                              gyre_image *image, gy_drawing *drawing)
{
    gyre_render_input *own = malloc((size_t)count * sizeof *own);
    gyre_render_channel *sorted = malloc((size_t)count * 64 * sizeof *sorted);
    gyre_result result = GYRE_OK;

    if (own == NULL || sorted == NULL)
        result = gyre_fail(GYRE_ERROR_MEMORY, "no memory to mix scalars");
    for (int i = 0; i < count && result == GYRE_OK; i++) {
        own[i] = inputs[i];
        gy_sort_channels(inputs[i].channels, inputs[i].channel_count, sorted + 64 * i);
        own[i].channels = sorted + 64 * i;
        own[i].settings.mix = inputs[0].settings.mix;
        own[i].settings.cloudiness = inputs[0].settings.cloudiness;
    }
    if (result == GYRE_OK) {
        bool ink = inputs[0].settings.mix == GYRE_MIX_INK &&
                   (drawing == draw_several || is_volume(&inputs[0]));

        result = ink ? gy_draw_ink(device, own, count, image, drawing)
                     : drawing(device, own, count, image);
    }
    free(own);
    free(sorted);
    return result;
}

gyre_result gyre_render(gyre_device *device, const gyre_render_input *input, gyre_image *image)
{
    if (GY_MISSING("render", device) || GY_MISSING("render", input) || GY_MISSING("render", image))
        return GYRE_ERROR_ARGUMENT;
    gyre_result result = check(input, image);

    if (result != GYRE_OK)
        return result;
    return input->settings.mix == GYRE_MIX_AUTO ? draw_one(device, input, 1, image)
                                                : draw_mixed(device, input, 1, image, draw_one);
}

gyre_result gyre_render_composed(gyre_device *device, const gyre_render_input *inputs, int count,
                                 gyre_image *image)
{
    if (GY_MISSING("render_composed", device) || GY_MISSING("render_composed", inputs) ||
        GY_MISSING("render_composed", image))
        return GYRE_ERROR_ARGUMENT;
    gyre_result result = GYRE_OK;

    if (count < 1 || count > GY_COMPOSED_MOST)
        return gyre_fail(GYRE_ERROR_ARGUMENT, "render: %d models in one picture, expected 1 to %d",
                         count, GY_COMPOSED_MOST);
    for (int i = 0; i < count && result == GYRE_OK; i++) {
        result = check(&inputs[i], image);
        if (result == GYRE_OK && inputs[i].grid->dim == 3)
            result = check_cells(&inputs[i]);
    }
    if (result != GYRE_OK)
        return result;
    return inputs[0].settings.mix == GYRE_MIX_AUTO
               ? draw_several(device, inputs, count, image)
               : draw_mixed(device, inputs, count, image, draw_several);
}
