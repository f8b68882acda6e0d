// validate/nest.c: what of the energy of a wave comes back of the join where a fine water lies in a
// coarse one, by both modes: beside the same coarse water without a fine one. And what becomes of
// the water there is.
#include "validate/validate.h"

#include <math.h>

static const double G = 9.81;

enum { LONG = 192, WIDE = 32, LOW = 64, STEPS = 190, RING = 96 };

typedef struct hump {
    double at[2], width, rest, speed; // along y, too, where at[1] is above 0; speed: it runs right
} hump;

static double height(const hump *w, double x, double y)
{
    double a = (x - w->at[0]) / w->width, b = w->at[1] > 0.0 ? (y - w->at[1]) / w->width : 0.0;
    return 1e-3 * exp(-0.5 * (a * a + b * b));
}

/// Writes value + a hump times `scale` into a field.
static bool write(gyre_water *water, const char *field, const hump *w, double rest, double scale)
{
    gyre_field_view view;
    int f = gyre_water_field(water, field);
    if (gyre_water_map(water, f, GYRE_WRITE, &view)) {
        return false;
    }
    for (int j = 0; j < view.n[1]; j++) {
        for (int i = 0; i < view.n[0]; i++) {
            float at[3];
            gyre_grid_position(&view.grid, view.location, i, j, 0, at);
            view.data[i + j * view.stride[1]] =
                (float)(rest + scale * height(w, (double)at[0], (double)at[1]));
        }
    }
    return gyre_water_unmap(water, f) == GYRE_OK;
}

/// A coarse water, and with `fine` its middle on half the cells; both begin with the hump.
static bool begin(validate_run *run, int mode, bool ring, const hump *w, bool fine,
                  gyre_water *water[2])
{
    gyre_water_def def = gyre_water_default_def(2);
    def.mode = mode ? GYRE_WATER_SHALLOW : GYRE_WATER_WAVE;
    def.wave_speed = (float)sqrt(G);
    int n[2] = {ring ? RING : LONG, ring ? RING : WIDE};
    bool right = true;
    for (int l = 0; l <= fine && right; l++) {
        for (int a = 0; a < 2; a++) {
            int low = ring ? RING / 4 : a ? 4 : LOW, high = ring ? 3 * RING / 4 : n[a] - low;
            def.grid.n[a] = l ? 2 * (high - low) : n[a];
            def.grid.origin[a] = l ? (float)low : 0.0f;
        }
        def.grid.h = l ? 0.5f : 1.0f;
        right = gyre_water_create(validate_device(run), &def, &water[l]) == GYRE_OK &&
                write(water[l], mode ? "depth" : "height", w, w->rest, 1.0) &&
                write(water[l], "discharge_x", w, 0.0, w->speed);
    }
    return right && (!fine || gyre_water_nest(water[1], water[0]) == GYRE_OK);
}

static bool go(gyre_water *const water[2], int steps)
{
    bool right = true;
    for (int s = 0; s < steps && right; s++) {
        for (int l = 0; l < 2 && right; l++) {
            right = !water[l] || gyre_water_step(water[l], 0.2f) == GYRE_OK;
        }
    }
    return right;
}

/// Energy of what differs in coarse cells outside of the window; `all`: of the whole wave.
static double differs(gyre_water *a, gyre_water *b, int mode, const hump *w, bool ring, double *all)
{
    static const char *const names[2][3] = {{"height", "discharge_x", "discharge_y"},
                                            {"depth", "discharge_x", "discharge_y"}};
    double back = 0.0;
    *all = 0.0;
    for (int f = 0; f < 3; f++) {
        gyre_field_view u, v;
        int field = gyre_water_field(a, names[mode][f]);
        if (gyre_water_map(a, field, GYRE_READ, &u) || gyre_water_map(b, field, GYRE_READ, &v)) {
            return 1.0;
        }
        for (int j = 0; j < u.n[1]; j++) {
            for (int i = 0; i < u.n[0]; i++) {
                bool beyond =
                    i < RING / 4 || j < RING / 4 || i >= 3 * RING / 4 || j >= 3 * RING / 4;
                double x = (double)u.data[i + j * u.stride[1]];
                double d = (double)v.data[i + j * v.stride[1]], e = d - (f ? 0.0 : w->rest);
                d -= x;
                *all += e * e * (f ? 1.0 : G);
                back += (ring ? beyond : i < LOW - 1) ? d * d * (f ? 1.0 : G) : 0.0;
            }
        }
        gyre_water_unmap(a, field);
        gyre_water_unmap(b, field);
    }
    return back;
}

static void come_back(validate_run *run, int mode, bool ring, double width)
{
    gyre_water *nested[2] = {NULL, NULL}, *plain[2] = {NULL, NULL};
    hump w = {{ring ? RING / 2.0 : 36.0, ring ? RING / 2.0 : 0.0},
              width,
              mode ? 1.0 : 0.0,
              ring ? 0.0 : sqrt(G)};
    gyre_water_together before = {0}, after = {0};
    double back = 1.0, all = 1.0;
    bool right = begin(run, mode, ring, &w, true, nested) &&
                 begin(run, mode, ring, &w, false, plain) &&
                 gyre_water_count_together(nested[0], &before) == GYRE_OK;
    right = right && go(nested, ring ? 60 : STEPS / 2) && go(plain, ring ? 60 : STEPS / 2) &&
            gyre_water_count_together(nested[0], &after) == GYRE_OK;
    back = right ? differs(nested[0], plain[0], mode, &w, ring, &all) : back;
    char what[96];
    const char *name = mode ? "shallow" : "wave",
               *form = ring ? "a ring goes out" : "a wave goes in";
    snprintf(what, sizeof what, "mode %s, %s, hump %.0f h wide: energy beside", name, form, width);
    validate_expect(run, what, "1", right ? back / all : 1.0, 0.0, VALIDATE_ABSOLUTE, 0.01, NULL);
    snprintf(what, sizeof what, "mode %s, %s, hump %.0f h wide: water lost", name, form, width);
    double lost = fabs(after.volume - before.volume) / before.volume;
    validate_expect(run, what, "1", right ? lost : 1.0, 0.0, VALIDATE_ABSOLUTE, 1e-6, NULL);
    for (int l = 0; l < 2; l++) {
        gyre_water_destroy(nested[l]);
        gyre_water_destroy(plain[l]);
    }
}

void validate_nest(validate_run *run)
{
    for (int mode = 0; mode < 2; mode++) {
        come_back(run, mode, false, 3.0);
        come_back(run, mode, false, 6.0);
        come_back(run, mode, true, 6.0);
    }
}
