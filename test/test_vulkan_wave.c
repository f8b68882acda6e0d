// labels: vulkan
// The ops of linear waves on a Vulkan device against the CPU, on random tiles: 0 ulp, in all of
// them, read or written or neither; and what a program that draws there sees.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gyre/vulkan.h"
#include "gyre/water.h"
#include "model/model.h"
#include "test/vulkan_rig.h"
#include "water/ops/water.h"

enum { T = GY_WATER_TILE };

typedef struct op_case {
    int n[2];
    bool periodic[2];
    int missing, resting, flagged; // per cent of tiles, of tiles, of faces in half of the tiles
    float quantum, limit;          // limit above 0: watched
    uint32_t turned;
} op_case;

typedef struct tank {
    rig_block block;
    gy_tiles tiles;
    gy_water_job job;
    gy_tile_result *told;
    uint8_t *plain;
    uint32_t change, sums;
    int listed;
} tank;

static void *take(tank *t, size_t bytes)
{
    return rig_at(&t->block, rig_take_bytes(&t->block, bytes));
}

static void fill_slot(tank *t, const op_case *c, int tile, int slot)
{
    gy_tiles *s = &t->tiles;
    int columns = GY_MIN(T, c->n[0] - tile % s->tn[0] * T);
    int rows = GY_MIN(T, c->n[1] - tile / s->tn[0] * T);
    bool flagged = rig_int(0, 1) && c->flagged > 0;
    uint8_t *flags = gy_tile_flags(s, slot);
    s->tile[slot] = tile;
    s->current[slot] = (uint8_t)rig_int(0, 1);
    t->plain[tile] = !flagged && columns == T && rows == T;
    memset(flags, 31, GY_TILE_AREA);
    for (int j = 0; j < rows; j++) {
        for (int i = 0; i < columns; i++) {
            int at = j * T + i;
            flags[at] = 0;
            for (int bit = 0; bit < 5 && flagged; bit++) {
                flags[at] |= (uint8_t)(rig_int(0, 99) < c->flagged ? 1 << bit : 0);
            }
            for (int a = 0; a < GY_WATER_ARRAYS; a++) {
                gy_tile_array(s, slot, a)[at] = rig_float(-1.0f, 1.0f);
            }
        }
    }
}

static tank make_tank(const op_case *c)
{
    tank t = {0};
    gy_tiles *s = &t.tiles;
    for (int a = 0; a < 2; a++) {
        s->n[a] = c->n[a];
        s->tn[a] = (c->n[a] + T - 1) / T;
    }
    size_t count = (size_t)(s->tn[0] * s->tn[1]);
    size_t cells = (size_t)c->n[0] * (size_t)c->n[1];
    t.block = rig_take_block(count * (GY_SLOT_BYTES + 96) + cells * sizeof(float) + 4096);
    s->memory = take(&t, count * GY_SLOT_BYTES);
    s->slot = take(&t, count * sizeof(int32_t));
    s->tile = take(&t, count * sizeof(int32_t));
    s->current = take(&t, count);
    s->border = take(&t, count);
    s->edited = take(&t, count);
    uint8_t *stepping = take(&t, count);
    int32_t *list = take(&t, count * sizeof(int32_t));
    t.change = rig_take_bytes(&t.block, count * sizeof(float));
    t.sums = rig_take_bytes(&t.block, count * 2 * sizeof(double));
    t.told = calloc(count, sizeof *t.told);
    t.plain = calloc(count, 1);
    s->slots = (int)count;
    for (int tile = (int)count - 1; tile >= 0; tile--) {
        s->slot[tile] = rig_int(0, 99) < c->missing ? -1 : s->used++;
        if (s->slot[tile] >= 0) {
            fill_slot(&t, c, tile, s->slot[tile]);
            stepping[s->slot[tile]] = rig_int(0, 99) >= c->resting;
        }
    }
    for (int tile = 0; tile < (int)count; tile++) {
        if (s->slot[tile] >= 0 && stepping[s->slot[tile]]) {
            list[t.listed++] = s->slot[tile];
        }
    }
    t.job = (gy_water_job){.tiles = *s,
                           .list = list,
                           .stepping = stepping,
                           .plain = t.plain,
                           .result = t.told,
                           .periodic = {c->periodic[0], c->periodic[1]},
                           .pull = 0.37f,
                           .share = 0.71f,
                           .keep = 0.983f,
                           .limit = c->limit > 0.0f ? c->limit : 1e6f,
                           .quantum = c->quantum,
                           .most = 0.3f,
                           .wave = true,
                           .rain = 0.01f + c->quantum,
                           .evaporation = 0.003f,
                           .lean = !(c->limit > 0.0f)};
    return t;
}

/// The op on both, whose tiles have all turned on the GPU where the case says so.
static void run_both(tank *t, const op_case *c, gy_op op)
{
    rig_block *b = &t->block;
    gy_wave_args wave = gy_wave_args_make(&t->job);
    gy_weather_args weather = gy_weather_args_make(&t->job);
    wave.turned = weather.turned = c->turned;
    wave.change = (uint64_t)(uintptr_t)rig_at(b, t->change);
    weather.sums = (uint64_t)(uintptr_t)rig_at(b, t->sums);
    gy_turn_args turn = gy_turn_args_make(&t->job);
    turn.turned = c->turned;
    const void *args = op == GY_OP_water_weather ? (const void *)&weather
                       : op == GY_OP_water_turn  ? (const void *)&turn
                                                 : (const void *)&wave;
    rig_share(b);
    uint8_t *current = b->gpu + ((uint8_t *)t->tiles.current - b->cpu);
    for (int slot = 0; slot < t->tiles.used; slot++) {
        current[slot] ^= (uint8_t)c->turned;
    }
    gy_device_put(the_gpu, current, (size_t)t->tiles.used);
    rig_run(b, op, args, gy_box_make(t->listed, 1, 1));
    rig_fetch(b);
}

/// Every float of every tile, read, written or neither.
static void same_tiles(tank *t, const char *name)
{
    for (int slot = 0; slot < t->tiles.used; slot++) {
        for (int a = 0; a < 2 * GY_WATER_STATE; a++) {
            for (int at = 0; at < GY_TILE_AREA; at++) {
                rig_same(&t->block, &gy_tile_array(&t->tiles, slot, a)[at], (rig_bound){0, 0.0},
                         name, at % T, at / T, slot * 10 + a);
            }
        }
    }
}

static void same_change(tank *t, const op_case *c, const char *name)
{
    const float *change = rig_at(&t->block, t->change);
    const uint8_t *other = t->block.gpu + ((const uint8_t *)change - t->block.cpu);
    for (int k = 0; k < t->listed; k++) {
        int slot = t->job.list[k];
        float moved;
        memcpy(&moved, other + (size_t)slot * sizeof moved, sizeof moved);
        float expected = c->limit > 0.0f ? t->told[slot].flow.change : 0.0f;
        if (moved != expected) {
            fail_msg("%s: slot %d has moved by %.9g, not %.9g", name, slot, (double)moved,
                     (double)expected);
        }
    }
}

/// Added up in another order, in doubles.
static void same_sums(tank *t, const char *name)
{
    const double *cpu = rig_at(&t->block, t->sums);
    const void *gpu = t->block.gpu + ((const uint8_t *)cpu - t->block.cpu);
    for (int k = 0; k < t->listed; k++) {
        int slot = t->job.list[k];
        const gy_tile_result *told = &t->told[slot];
        double in = ((const double *)gpu)[2 * slot], out = ((const double *)gpu)[2 * slot + 1];
        if (!(fabs(in - told->in) <= 1e-13 * fabs(told->in)) ||
            !(fabs(out - told->out) <= 1e-13 * fabs(told->out))) {
            fail_msg("%s: slot %d: %.17g came and %.17g went, not %.17g and %.17g", name, slot, in,
                     out, told->in, told->out);
        }
    }
}

static void ops_like_the_cpu(gy_op op, gy_earth turn)
{
    static const op_case cases[] = {
        {{64, 64}, {false, false}, 0, 0, 0, 0.0f, 0.0f, 0},
        {{64, 64}, {true, true}, 0, 0, 0, 0.0f, 0.0f, 1},
        {{1, 1}, {true, true}, 0, 0, 0, 0.0f, 0.0f, 0},
        {{70, 1}, {true, false}, 0, 0, 0, 0.0f, 0.0f, 0},
        {{3, 130}, {false, true}, 0, 0, 20, 0.0f, 0.0f, 1},
        {{130, 65}, {true, true}, 0, 0, 10, 0.0f, 0.0f, 0},
        {{256, 256}, {true, true}, 0, 0, 0, 0.0f, 0.0f, 0},
        {{256, 256}, {false, true}, 20, 20, 5, 0.0f, 0.0f, 1},
        {{300, 130}, {true, false}, 20, 20, 50, 0.0f, 0.5f, 0},
        {{200, 193}, {true, true}, 10, 10, 10, 0.0f, 100.0f, 1},
        {{200, 193}, {true, true}, 10, 10, 10, 1.0f / 1024, 0.0f, 0},
        {{129, 128}, {false, false}, 0, 0, 10, 1.0f / 65536, 0.7f, 1},
    };
    for (int i = 0; i < GY_COUNT(cases); i++) {
        char name[64];
        tank t = make_tank(&cases[i]);
        snprintf(name, sizeof name, "case %d, %d x %d", i, cases[i].n[0], cases[i].n[1]);
        t.job.turn = turn;
        t.job.shallow.h = 0.7f;
        run_both(&t, &cases[i], op);
        same_tiles(&t, name);
        if (op == GY_OP_water_wave) {
            same_change(&t, &cases[i], name);
        } else if (op == GY_OP_water_weather) {
            same_sums(&t, name);
        }
        rig_give_back(&t.block);
        free(t.told);
        free(t.plain);
    }
}

static void waves(void **state)
{
    (void)state;
    ops_like_the_cpu(GY_OP_water_wave, (gy_earth){0});
}

static void slopes(void **state)
{
    (void)state;
    ops_like_the_cpu(GY_OP_water_slope, (gy_earth){0});
}

static void weather(void **state)
{
    (void)state;
    ops_like_the_cpu(GY_OP_water_weather, (gy_earth){0});
}

/// Every pass of the Earth's rotation, by little, by much, and by more than a step may.
static void turns(void **state)
{
    static const float dts[] = {0.013f, 0.7f, -9.0f, 90.0f};
    (void)state;
    for (int pass = GY_TURN_PULL; pass <= GY_TURN_SHEAR_Y; pass++) {
        for (int k = 0; k < 8; k++) {
            gy_earth turn = {.pass = pass, .coriolis = 0.13f, .beta = 3e-3f, .y = -40.0f};
            turn.dt = dts[k / 2];
            turn.once = k % 2;
            ops_like_the_cpu(GY_OP_water_turn, turn);
        }
    }
}

/// A field as one array, of every kind.
static void windows(void **state)
{
    (void)state;
    static const op_case cases[] = {
        {.n = {1, 1}}, {.n = {64, 130}}, {.n = {200, 67}, .flagged = 20}};
    static const int kinds[][2] = {{GY_GATHER_STATE, GY_WATER_DEPTH},
                                   {GY_GATHER_ARRAY, GY_WATER_BED},
                                   {GY_GATHER_ARRAY, GY_WATER_DISPLACED},
                                   {GY_GATHER_SURFACE, 0}};
    for (int i = 0; i < GY_COUNT(cases) * GY_COUNT(kinds); i++) {
        const op_case *c = &cases[i / GY_COUNT(kinds)];
        const int *kind = kinds[i % GY_COUNT(kinds)];
        tank t = make_tank(c);
        float *window = take(&t, sizeof(float) * (size_t)(c->n[0] * c->n[1]));
        gy_gather_args args = {.memory = (uint64_t)(uintptr_t)t.tiles.memory,
                               .slot = (uint64_t)(uintptr_t)t.tiles.slot,
                               .current = (uint64_t)(uintptr_t)t.tiles.current,
                               .to = (uint64_t)(uintptr_t)window,
                               .n = {c->n[0], c->n[1]},
                               .tn = {t.tiles.tn[0], t.tiles.tn[1]},
                               .slot_bytes = GY_SLOT_BYTES,
                               .array_step = GY_ARRAY_STEP,
                               .kind = kind[0],
                               .array = kind[1],
                               .level = 0.1f};
        rig_share(&t.block);
        rig_run(&t.block, GY_OP_water_gather, &args, gy_box_make(c->n[0], c->n[1], 1));
        rig_fetch(&t.block);
        for (int j = 0; j < c->n[1]; j++) {
            for (int x = 0; x < c->n[0]; x++) {
                rig_same(&t.block, &window[x + j * c->n[0]], (rig_bound){0, 0.0}, "window", x, j,
                         i);
            }
        }
        rig_give_back(&t.block);
        free(t.told);
        free(t.plain);
    }
}

// ---- as programs that draw see them

#define OK(call)                                                                                   \
    do {                                                                                           \
        if ((call) != GYRE_OK) {                                                                   \
            fail_msg("%s: %s", #call, gyre_message());                                             \
        }                                                                                          \
    } while (0)

static void same_window(gyre_model *model, const char *name, bool waits)
{
    gyre_field_view view;
    gyre_vulkan_field field;
    const void *at;
    int f = gyre_model_field(model, name);
    uint64_t waited = the_gpu->waits;
    OK(gyre_vulkan_share(model, f, &field));
    assert_int_equal(the_gpu->waits > waited, waits);
    assert_int_equal(field.sample_bytes, 4);
    assert_true(field.buffer && field.semaphore && field.stride[0] == 1);
    OK(model->type->gather(model, f, &at));
    const float *found = at;
    gy_device_fetch(the_gpu, found, sizeof(float) * (size_t)(field.n[0] * field.n[1]));
    OK(gyre_model_map(model, f, GYRE_READ, &view));
    for (int j = 0; j < view.n[1]; j++) {
        for (int i = 0; i < view.n[0]; i++) {
            float x = view.data[i + j * view.stride[1]];
            if (found[i + j * field.stride[1]] != x) {
                fail_msg("%s (%d, %d): %g where it is shared, %g where it is mapped", name, i, j,
                         (double)found[i + j * field.stride[1]], (double)x);
            }
        }
    }
    OK(gyre_model_unmap(model, f));
    // The way to another API takes it from there.
    gyre_vulkan_export *memory = NULL;
    gyre_vulkan_copy copy;
    uint64_t bytes;
    OK(gyre_vulkan_export_size(model, f, &bytes));
    assert_true(bytes == sizeof(float) * (uint64_t)(field.n[0] * field.n[1]));
    if (gyre_vulkan_export_create(the_gpu, bytes, &memory) != GYRE_ERROR_UNSUPPORTED) {
        OK(gyre_vulkan_export_field(memory, 0, model, f, &copy));
        assert_int_equal(copy.stride[1], field.n[0]);
        OK(gyre_vulkan_export_wait(memory, copy.value));
    }
    gyre_vulkan_export_destroy(memory);
}

/// What is drawn: waves in several tiles round an island, every tile with memory or (`few`) not.
static gyre_water *make_pool(bool few)
{
    gyre_water_def def = gyre_water_default_def(2);
    gyre_water_edge island = gyre_water_default_edge();
    gyre_water *water = NULL;
    island.shape = (gyre_shape){.kind = GYRE_SHAPE_SPHERE, .as.sphere = {{9.0f, 5.0f, 0.0f}, 1.5f}};
    strcpy(island.name, "island");
    def.mode = GYRE_WATER_WAVE;
    def.grid.n[0] = 130;
    def.grid.n[1] = 97;
    def.grid.h = 0.1f;
    def.bed.flat = -1.0f;
    def.wave_speed = 1.0f;
    def.edges = (gyre_pool){&island, 1, 1};
    def.tiles = few ? 3 : 0;
    OK(gyre_water_create(the_gpu, &def, &water));
    return water;
}

static void drop(gyre_water *water, float x)
{
    OK(gyre_model_splat(gyre_water_model(water), 0, (const float[3]){x, 2.5f, 0.0f}, 2.0f, 0.3f));
}

/// Heights, ground and surface in one piece on the device: without a wait where all tiles are.
static void fields_where_they_are_drawn(void **state)
{
    (void)state;
    static const char *const drawn[] = {"height", "surface", "bed", "displaced"};
    for (int few = 0; few < 2; few++) {
        gyre_water *water = make_pool(few);
        drop(water, 3.0f);
        for (int n = 0; n < 8; n++) {
            OK(gyre_water_step(water, 0.02f));
            if (!few && n % 2 == 0) {
                drop(water, 5.0f); // what the host has changed since is there, too
            }
            OK(gyre_device_wait(the_gpu));
            same_window(gyre_water_model(water), drawn[n % 4], few);
        }
        gyre_water_destroy(water);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waves),   cmocka_unit_test(slopes),
        cmocka_unit_test(weather), cmocka_unit_test(turns),
        cmocka_unit_test(windows), cmocka_unit_test(fields_where_they_are_drawn)};
    if (!vulkan_rig_open())
        return VULKAN_RIG_SKIPPED;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed + vulkan_rig_close();
}
