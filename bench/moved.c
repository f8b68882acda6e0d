// What solids that move cost a gas beside its step.
#include "bench/parts.h"

#include <stdio.h>

enum { SOLIDS = 8, SIZE = 64, ROUNDS = 15, WARM_UP = 4 };

static const double most = 0.2; // of a step

static gyre_gas_solid box_at(int s, float shift)
{
    gyre_gas_solid solid = gyre_gas_default_solid();
    const float centre[3] = {0.25f + 0.5f * (float)(s & 1) + shift,
                             0.25f + 0.5f * (float)(s >> 1 & 1), 0.25f + 0.5f * (float)(s >> 2)};
    solid.shape = gyre_box(centre, (const float[3]){0.2f, 0.2f, 0.2f});
    return solid;
}

/// Warm smoke among eight boxes.
static gyre_gas *make(gyre_device *device)
{
    gyre_gas_def def = gyre_gas_default_def(3);
    gyre_gas_solid solids[SOLIDS];
    gyre_gas_emitter source = gyre_gas_default_emitter();
    gyre_gas *gas = NULL;
    for (int a = 0; a < 3; a++)
        def.grid.n[a] = SIZE;
    def.grid.h = 1.0f / SIZE;
    for (int s = 0; s < SOLIDS; s++)
        solids[s] = box_at(s, 0.0f);
    source.shape = gyre_sphere((const float[3]){0.5f, 0.1f, 0.5f}, 0.1f);
    source.density = 1.0f;
    source.temperature = 20.0f;
    def.solids = (gyre_pool){solids, SOLIDS, SOLIDS};
    def.emitters = (gyre_pool){&source, 1, 1};
    return gyre_gas_create(device, &def, &gas) == GYRE_OK ? gas : NULL;
}

/// Seconds of one of the three things that are timed; below 0: it has failed.
static double step_of(gyre_gas *gas, int threads)
{
    double begin = bench_now_on(threads);
    return gyre_gas_step(gas, 0.01f) == GYRE_OK ? bench_now_on(threads) - begin : -1.0;
}

static double update_all(gyre_gas *gas, float shift, int threads)
{
    double begin = bench_now_on(threads);
    for (int s = 0; s < SOLIDS; s++) {
        gyre_gas_solid solid = box_at(s, shift);
        gyre_id id = gyre_model_element(gyre_gas_model(gas), "solids", s);
        if (gyre_gas_update_solid(gas, id, &solid) != GYRE_OK)
            return -1.0;
    }
    return bench_now_on(threads) - begin;
}

/// To look at a field is to have what has changed made anew; the rest of a look costs microseconds.
static double remake(gyre_gas *gas, int threads)
{
    gyre_field_view view;
    double begin = bench_now_on(threads);
    if (gyre_gas_map(gas, 0, GYRE_READ, &view) != GYRE_OK)
        return -1.0;
    double seconds = bench_now_on(threads) - begin;
    return gyre_gas_unmap(gas, 0) == GYRE_OK ? seconds : -1.0;
}

int bench_moved(gyre_device *device, FILE *out)
{
    double update[ROUNDS], made[ROUNDS], after[ROUNDS], plain[ROUNDS];
    gyre_gas *gas = make(device);
    int threads = gyre_device_threads(device);
    bool done = gas != NULL;
    for (int r = -WARM_UP; r < ROUNDS && done; r++) {
        double t[4] = {update_all(gas, 0.01f * (float)((r + WARM_UP) % 7), threads),
                       remake(gas, threads), step_of(gas, threads), step_of(gas, threads)};
        done = t[0] >= 0.0 && t[1] >= 0.0 && t[2] >= 0.0 && t[3] >= 0.0;
        if (r >= 0) {
            update[r] = t[0];
            made[r] = t[1];
            after[r] = t[2];
            plain[r] = t[3];
        }
    }
    gyre_gas_destroy(gas);
    if (!done) {
        fprintf(stderr, "gyre bench: moved solids: %s\n", gyre_message());
        return 1;
    }
    double step = bench_median(plain, ROUNDS), made_anew = bench_median(made, ROUNDS);
    fprintf(
        out,
        "\neight solids moved at once, 64^3: updates %.3f ms, made anew %.2f ms, the step after "
        "them %.2f ms, the next %.2f ms\n",
        1e3 * bench_median(update, ROUNDS), 1e3 * made_anew, 1e3 * bench_median(after, ROUNDS),
        1e3 * step);
    bool reached = made_anew <= most * step;
    fprintf(out, "%s moved solids: of a step's time, made anew %.3g (at most %.3g)\n",
            reached ? "pass" : "FAIL", made_anew / step, most);
    return reached ? 0 : 1;
}
