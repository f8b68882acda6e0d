// view/draw/dyes.c: several scalars seen together, mixed as the offline renderer mixes them
// (src/render/tint.c, dyes.c, map.c): sums of amounts and of amounts times what of each colour of
// the light counts, made once a frame: on the processor, or, of fields that are shared, by shaders.
// Cost: 16 bytes a cell written and 4 read of each scalar; on the processor 16 bytes a cell to the
// card.
#include "view/draw/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float map_ink[3] = {5.2f, 3.6f, 1.5f}; // what the density takes, as that of the map

static bool is_map(const view_look *look)
{
    return look->mode == VIEW_MAP || look->mode == VIEW_CELLS || look->mode == VIEW_LIC;
}

view_mixing view_mixing_of(const view_draw *draw, const view_look *look)
{
    int plain = 0, others = 0;

    if (!look->mixed || view_field_of(draw, look) != draw->density || draw->density < 0 ||
        !(is_map(look) || look->mode == VIEW_VOLUME))
        return VIEW_ONE;
    for (int i = 0; i < look->dye_count; i++) {
        plain += look->dyes[i].look.shown && look->dyes[i].plain;
        others += look->dyes[i].look.shown && !look->dyes[i].plain;
    }
    if (look->settings.mix == GYRE_MIX_LIGHT || look->settings.mix == GYRE_MIX_INK) {
        view_mixing mixing = look->settings.mix == GYRE_MIX_LIGHT ? VIEW_LIGHTS : VIEW_INKS;

        return plain + others > 0 || look->dye_count > 0 ? mixing : VIEW_ONE;
    }
    if (others == 0)
        return VIEW_ONE;
    if (!is_map(look))
        return VIEW_SMOKES;
    gyre_colour_map map = view_map_of(draw, look, draw->density);

    return map == GYRE_MAP_SMOKE ? VIEW_SMOKES : map == GYRE_MAP_INK ? VIEW_MAP_INKS : VIEW_ONE;
}

// What of each colour of the light an amount of 1 sends on, gives or takes.
static void part_of(const view_look *look, const view_dye *dye, view_mixing mixing, float part[3])
{
    const float *colour = dye->plain ? look->settings.albedo : dye->look.colour;
    bool ink = mixing == VIEW_INKS || mixing == VIEW_MAP_INKS;

    for (int c = 0; c < 3; c++) {
        float x = colour[c];

        if (ink && dye->plain)
            part[c] = map_ink[c];
        else if (mixing == VIEW_INKS)
            part[c] = x < 1.0f ? -logf(fmaxf(x, 1e-4f)) : 0.0f;
        else
            part[c] = ink ? -1.5f * logf(fmaxf(x, 0.02f)) : x;
    }
}

static int list_parts(const view_draw *draw, const view_look *look, view_mixing mixing,
                      view_dye_part *parts)
{
    int count = 0;

    for (int i = 0; i < look->dye_count && count < VIEW_FIELDS; i++) {
        const view_dye *dye = &look->dyes[i];
        view_dye_part *p = &parts[count];

        for (int f = 0; f < draw->field_count && dye->look.shown; f++) {
            if (strcmp(draw->fields[f].name, dye->look.name) != 0)
                continue;
            *p = (view_dye_part){.field = f, .scale = dye->plain ? 1.0f : dye->look.scale};
            part_of(look, dye, mixing, p->part);
            count++;
            break;
        }
    }
    return count;
}

static bool add_up(const view_draw *draw, view_moment *of, const view_dye_part *parts, int count,
                   float cloudiness)
{
    const gyre_grid *g = &draw->grid;
    size_t cells = (size_t)g->n[0] * (size_t)g->n[1] * (size_t)g->n[2];

    for (int k = VIEW_SUM; k < VIEW_SLOTS; k++) {
        if (of->room[k] < cells * sizeof(float)) {
            free(of->data[k]);
            of->data[k] = malloc(cells * sizeof(float));
            of->room[k] = of->data[k] != NULL ? cells * sizeof(float) : 0;
        }
        if (of->data[k] == NULL)
            return false;
        memset(of->data[k], 0, cells * sizeof(float));
    }
    float *sum = of->data[VIEW_SUM];

    for (int i = 0; i < count; i++) {
        const float *from = of->data[parts[i].field];

        if (from == NULL)
            continue;
        for (size_t c = 0; c < cells; c++)
            sum[c] += from[c] > 0.0f ? parts[i].scale * from[c] : 0.0f;
        for (int k = 0; k < 3; k++) {
            float *to = of->data[VIEW_SUM + 1 + k],
                  part = parts[i].scale * (parts[i].part[k] + cloudiness);

            for (size_t c = 0; c < cells; c++)
                to[c] += from[c] > 0.0f ? part * from[c] : 0.0f;
        }
    }
    return true;
}

static bool mix_moment(view_draw *draw, int moment, const view_dye_part *parts, int count,
                       float cloudiness)
{
    view_moment *of = &draw->moments[moment];
    size_t size = (size_t)count * sizeof *parts;
    bool same = of->parts_made && of->part_count == count && of->cloudiness == cloudiness &&
                memcmp(of->parts, parts, size) == 0;

    if (same)
        return true;
    bool others = of->part_count != count || memcmp(of->parts, parts, size) != 0;

    bool made = of->shared ? view_pass_dyes(draw, moment, parts, count, cloudiness)
                           : add_up(draw, of, parts, count, cloudiness);

    if (!made)
        return false;
    for (int k = VIEW_SUM; k < VIEW_SLOTS; k++) {
        of->has[k] = true;
        for (int kind = 0; kind < VIEW_KINDS; kind++)
            of->loaded[kind][k] = of->shared && kind == VIEW_AS_IS;
    }
    of->dyes_loaded[0] = of->shared;
    of->dyes_loaded[1] = false;
    of->bricks_made = of->shade_made = of->own_made = false;
    for (int i = 0; i < 3; i++)
        of->smoke_made[i] = false;
    memcpy(of->parts, parts, size);
    of->part_count = count;
    of->cloudiness = cloudiness;
    of->parts_made = true;
    if (moment == draw->later) {
        draw->own_known[VIEW_SUM] = draw->own_known[VIEW_SUM] && !others;
        view_measure_range(draw, of, VIEW_SUM);
    }
    return true;
}

view_mixing view_mix(view_draw *draw, const view_look *look)
{
    view_mixing mixing = view_mixing_of(draw, look);
    view_dye_part parts[VIEW_FIELDS];
    bool cloudy = mixing == VIEW_INKS && look->mode == VIEW_VOLUME;

    if (mixing == VIEW_ONE)
        return mixing;
    memset(parts, 0, sizeof parts);
    int count = list_parts(draw, look, mixing, parts);

    for (int m = 0; m < 2; m++) {
        if (draw->moments[m].filled &&
            !mix_moment(draw, m, parts, count, cloudy ? look->settings.cloudiness : 0.0f))
            return VIEW_ONE;
    }
    return mixing;
}

bool view_draw_mixes(const view_draw *draw, const view_look *look)
{
    return view_mixing_of(draw, look) != VIEW_ONE;
}

void view_look_dyes(view_look *look, const view_frame *frame)
{
    look->dye_count = frame->dye_count;
    memcpy(look->dyes, frame->dyes, sizeof look->dyes);
}
