// render/caustics.c: the sun's light under water, as it comes through waves: maps of what falls on
// the bed and on planes through the bodies that are in the water. See isa/caustic_rows.c.
#include "render/rows.h"
#include "render/surface.h"

static const float slack = 0.15f; // by which waves turn rays further, beyond the domain's sides

// Corners beyond each side whose light may fall inside.
static void find_margins(const gy_surface *s, gy_caustics *c)
{
    const gy_relief *r = c->relief;
    float depth = r->most[GY_WATER][GY_LEVELS - 1][0] - r->low;
    float longest = (float)(r->n[0] > r->n[1] ? r->n[0] : r->n[1]);

    for (int a = 0; a < 2; a++) {
        float aside = s->below[a] / s->below[2];
        float before = fminf(fmaxf(slack - aside, 0.0f) * fmaxf(depth, 0.0f), longest);
        float after = fminf(fmaxf(slack + aside, 0.0f) * fmaxf(depth, 0.0f), longest);

        c->before[a] = (int)before + 3;
        c->n[a] = r->n[a] + c->before[a] + (int)after + 3;
    }
    c->row = (c->n[0] + 8) / 8 * 8;
}

// Planes from the lowest body up to the highest water, at most so many.
static void find_planes(const gy_surface *s, gy_caustics *c)
{
    float high = c->relief->most[GY_WATER][GY_LEVELS - 1][0];

    c->planes = 0;
    if (s->bodies.box_count == 0 || s->bodies.low >= high)
        return;
    for (int a = 0; a < 2; a++) {
        c->about[0][a] = s->bodies.boxes[0].low[a] - 3.0f;
        c->about[1][a] = s->bodies.boxes[0].high[a] + 3.0f;
    }
    c->low = fmaxf(s->bodies.low, c->relief->low);
    float apart = (high - c->low) / (4.0f * (float)c->relief->fine);

    c->planes = apart < 1.0f ? 2 : apart < GY_CAUSTIC_PLANES ? (int)apart + 1 : GY_CAUSTIC_PLANES;
    c->step = (high - c->low) / (float)c->planes;
    c->low -= c->step; // plane 1 is the lowest
}

gyre_result gy_caustics_build(gyre_device *device, gy_surface *s)
{
    const gy_drawers *rows = gy_drawers_of(device);
    gy_caustics *c = &s->caustics;

    *c = (gy_caustics){.relief = &s->relief};
    if (!s->input->settings.caustics || s->light[2] <= 0.0f)
        return GYRE_OK;
    find_margins(s, c);
    find_planes(s, c);
    c->map_row = (s->relief.n[0] + 4 + 15) / 8 * 8;
    size_t corners = (size_t)c->row * (size_t)(c->n[1] + 1) + 16;
    size_t cells = (size_t)c->map_row * (size_t)s->relief.n[1] + 16;
    size_t spans = 2 * (size_t)(c->n[1] + 1);
    float *memory = gy_take_zeros(
        s->relief.kept, 5 * corners + spans + (size_t)(c->planes + 1) * cells, sizeof *memory);

    if (memory == NULL)
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory for the light under water");
    for (int a = 0; a < 3; a++)
        c->end[a] = memory + (size_t)a * corners;
    c->top = memory + 3 * corners;
    c->flux = memory + 4 * corners;
    c->span = memory + 5 * corners;
    for (int p = 0; p <= c->planes; p++)
        c->map[p] = c->span + spans + (size_t)p * cells + 2;
    c->memory = memory;
    gyre_device_parallel_for(device, c->n[1] + 1, rows->caustic_beams, c);
    for (c->plane = 0; c->plane <= c->planes; c->plane++)
        gyre_device_parallel_for(device, (s->relief.n[1] + GY_CAUSTIC_ROWS - 1) / GY_CAUSTIC_ROWS,
                                 rows->caustic_rows, c);
    return GYRE_OK;
}

void gy_caustics_free(gy_surface *s)
{
    gy_give(s->relief.kept, s->caustics.memory);
    s->caustics = (gy_caustics){0};
}
