// view/draw/flame.c: fields that shine, and smoke in the light of what glows in it, as the offline
// renderer has them (src/render/flame.c). The light is its own, gyre_render_own_light(), on a grid
// of at most VIEW_OWN cells along an axis instead of 32; shaders multiply it by the smoke.
// Cost: once for each frame, on the processor, 9 ms of the 48 x 72 x 48 cells of
// scene/campfire.json: gathering what glows, and the sweeps. 16 bytes a cell of the light to the
// card.
#include "view/draw/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool view_look_lights_smoke(const view_look *look)
{
    const gyre_view_settings *s = &look->settings;

    return look->mode == VIEW_VOLUME && s->mix == GYRE_MIX_AUTO && s->glow &&
           s->glow_scatter > 0.0f;
}

int view_flame_of(const view_draw *draw, const view_look *look)
{
    const gyre_view_settings *s = &look->settings;

    if (s->mix != GYRE_MIX_AUTO || !(s->flame_intensity > 0.0f))
        return -1;
    for (int i = 0; i < draw->field_count; i++) {
        if (s->flame[0] != '\0' && strcmp(draw->fields[i].name, s->flame) == 0)
            return i;
    }
    return -1;
}

void view_flame_light(const view_draw *draw, const view_look *look, float light[3])
{
    // As the glow: so much per metre of a domain of 96 cells, whatever the cells.
    float unit = 0.6f * look->settings.flame_intensity * 96.0f / (float)draw->grid.n[1];

    for (int c = 0; c < 3; c++)
        light[c] = look->settings.flame_colour[c] * unit;
}

static gyre_field_view field_at(const view_draw *draw, const view_moment *of, int field)
{
    const int *n = draw->grid.n;

    return (gyre_field_view){.data = of->data[field],
                             .n = {n[0], n[1], n[2]},
                             .stride = {1, n[0], (ptrdiff_t)n[0] * n[1]},
                             .location = GYRE_CENTRE,
                             .grid = draw->grid};
}

// Works it out into draw->own_room, and how many cells that has.
static gyre_result work_out(view_draw *draw, const view_moment *of, const view_look *look, int n[3])
{
    enum { DENSITY, HEAT, SOLID, FLAME, PARTS };
    int fields[PARTS] = {draw->density, draw->temperature, look->solids ? draw->solid : -1,
                         draw->flame};
    gyre_field_view views[PARTS], mixed[VIEW_FIELDS];
    const gyre_field_view *given[PARTS] = {NULL};
    gyre_render_channel channels[VIEW_FIELDS];
    gyre_device_def def = gyre_default_device_def();
    int count = 0;

    def.threads = 1; // others step the fluid meanwhile
    if (of->shared)
        return gyre_fail(GYRE_ERROR_UNSUPPORTED, "the fields stay on their device");
    if (draw->device == NULL && gyre_device_create(&def, &draw->device) != GYRE_OK)
        return GYRE_ERROR_MEMORY;
    if (draw->own_room == NULL)
        draw->own_room =
            malloc(4 * (size_t)VIEW_OWN * VIEW_OWN * VIEW_OWN * sizeof *draw->own_room);
    if (draw->own_room == NULL)
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory");
    for (int i = 0; i < PARTS; i++) {
        if (fields[i] < 0 || of->data[fields[i]] == NULL)
            continue;
        views[i] = field_at(draw, of, fields[i]);
        given[i] = &views[i];
    }
    for (int i = 0; i < of->part_count && draw->smoke == VIEW_SUM; i++) {
        const view_dye_part *part = &of->parts[i];

        if (of->data[part->field] == NULL)
            continue;
        mixed[count] = field_at(draw, of, part->field);
        channels[count] = (gyre_render_channel){&mixed[count], {0}, part->scale};
        memcpy(channels[count].colour, part->part, sizeof part->part);
        count++;
    }
    gyre_render_input input = {.grid = &draw->grid,
                               .density = draw->smoke == VIEW_SUM ? NULL : given[DENSITY],
                               .temperature = given[HEAT],
                               .solid = given[SOLID],
                               .flame = given[FLAME],
                               .view = GYRE_VIEW_DENSITY,
                               .camera = gyre_default_camera(),
                               .light = gyre_default_light(),
                               .settings = look->settings,
                               .channels = channels,
                               .channel_count = count};

    input.settings.channels = (gyre_pool){0};
    return gyre_render_own_light(draw->device, &input, VIEW_OWN, n, draw->own_room);
}

GLuint view_own_light(view_draw *draw, int moment, const view_look *look)
{
    view_moment *of = &draw->moments[moment];
    const gyre_view_settings *s = &look->settings;
    float key[VIEW_OWN_KEY] = {s->glow_scatter,    s->glow_scale,
                               s->glow_intensity,  s->density_scale,
                               s->albedo[0],       s->albedo[1],
                               s->albedo[2],       s->anisotropy,
                               s->flame_intensity, s->flame_colour[0],
                               s->flame_colour[1], s->flame_colour[2],
                               (float)draw->flame, look->solids ? 1.0f : 0.0f,
                               (float)draw->smoke, 0.0f};
    int n[3] = {1, 1, 1}, longest = 1;
    const float none[4] = {0.0f};

    if (of->own_made && memcmp(key, of->own_key, sizeof key) == 0)
        return of->own;
    bool worked = work_out(draw, of, look, n) == GYRE_OK;

    if (!worked && !draw->own_told)
        fprintf(stderr, "view.glow_scatter is not drawn: %s\n", gyre_message());
    draw->own_told = !worked;
    for (int axis = 0; axis < 3; axis++) {
        n[axis] = worked ? n[axis] : 1;
        longest = draw->grid.n[axis] > longest ? draw->grid.n[axis] : longest;
    }
    int step = (longest + VIEW_OWN - 1) / VIEW_OWN;

    view_delete_texture(&of->own); // other grids have other sizes
    view_texture(&of->own, GL_RGBA32F, n[0], n[1], n[2], worked ? draw->own_room : none, 4);
    for (int axis = 0; axis < 3; axis++)
        of->own_cells[axis] = (float)(step * n[axis]);
    memcpy(of->own_key, key, sizeof key);
    of->own_made = true;
    return of->own;
}

void view_own_light_free(view_draw *draw)
{
    gyre_device_destroy(draw->device);
    free(draw->own_room);
}
