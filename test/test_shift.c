// test/test_shift.c: a gas whose grid moves over the world: what travels, leaves and is saved.
// labels: small threads
// needs: scene
#include "device_rig.h"
#include "gyre/gyre.h"
#include "gyre/io.h"
#include "sanitized.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { N = 32 };

static gyre_gas_def plain(int dim)
{
    gyre_gas_def def = gyre_gas_default_def(dim);
    def.grid.n[0] = N + 4;
    def.grid.n[1] = N;
    def.grid.n[2] = dim == 3 ? N - 3 : 1;
    def.grid.h = 0.0625f;
    def.grid.origin[0] = -0.3f;
    def.grid.origin[1] = 0.1f;
    return def;
}

static gyre_gas *made(gyre_device *device, const gyre_gas_def *def)
{
    gyre_gas *gas = NULL;
    must(gyre_gas_create(device, def, &gas));
    return gas;
}

static void shift(gyre_gas *gas, int x, int y, int z)
{
    const int32_t cells[3] = {x, y, z};
    must(gyre_model_shift(gyre_gas_model(gas), cells));
}

static const gyre_grid *grid_of(const gyre_gas *gas)
{
    return gyre_model_grid(gyre_gas_model((gyre_gas *)(uintptr_t)gas));
}

static void steps(gyre_gas *gas, int count)
{
    for (int i = 0; i < count; i++) {
        must(gyre_gas_step(gas, 1.0f / 30));
    }
}

/// A splat of smoke, warmth and a push about the middle of the def's grid, over eight cells.
static void blob(gyre_gas *gas, const gyre_grid *at)
{
    float middle[3];
    for (int a = 0; a < 3; a++) {
        middle[a] = at->origin[a] + 0.5f * at->h * (float)at->n[a];
    }
    static const char *const names[] = {"density", "temperature", "velocity_x", "velocity_y"};
    for (int f = 0; f < 4; f++) {
        must(
            gyre_gas_splat(gas, gyre_gas_field(gas, names[f]), middle, 4 * at->h, 1.0f + (float)f));
    }
}

static float sample_of(gyre_gas *gas, int field, int i, int j, int k)
{
    gyre_field_view v;
    must(gyre_gas_map(gas, field, GYRE_READ, &v));
    float x = v.data[i + j * v.stride[1] + k * v.stride[2]];
    must(gyre_gas_unmap(gas, field));
    return x;
}

/// Samples that two gases have otherwise, of all fields of the state and the solids.
static int64_t differ(gyre_gas *a, gyre_gas *b)
{
    int count;
    int64_t other = 0;
    const gyre_field_info *info = gyre_gas_fields(a, &count);
    for (int f = 0; f < count; f++) {
        if (info[f].derived && strcmp(info[f].name, "solid") != 0) {
            continue;
        }
        gyre_field_view v, w;
        must(gyre_gas_map(a, f, GYRE_READ, &v));
        must(gyre_gas_map(b, f, GYRE_READ, &w));
        for (int k = 0; k < v.n[2]; k++) {
            for (int j = 0; j < v.n[1]; j++) {
                ptrdiff_t o = j * v.stride[1] + k * v.stride[2];
                for (int i = 0; i < v.n[0]; i++) {
                    other += v.data[o + i] != w.data[o + i];
                }
            }
        }
        must(gyre_gas_unmap(a, f));
        must(gyre_gas_unmap(b, f));
    }
    return other;
}

/// What is inside travels to the bit, by odd and even numbers of cells, and back.
static void there_and_back(void **state)
{
    for (int dim = 2; dim <= 3; dim++) {
        gyre_gas_def def = plain(dim);
        gyre_gas *gas = made(*state, &def);
        int z = dim == 3 ? 3 : 0, k = def.grid.n[2] / 2;
        blob(gas, &def.grid);
        uint64_t first = gyre_gas_hash(gas);
        int density = gyre_gas_field(gas, "density");
        float x = sample_of(gas, density, N / 2 + 3, N / 2 + 1, k);
        assert_true(x > 0.0f);
        shift(gas, 5, -4, z);
        assert_true(gyre_gas_hash(gas) != first);
        assert_true(sample_of(gas, density, N / 2 - 2, N / 2 + 5, k - z) == x);
        const gyre_grid *g = grid_of(gas);
        assert_true(g->origin[0] == def.grid.origin[0] + 5 * def.grid.h);
        assert_true(g->origin[1] == def.grid.origin[1] - 4 * def.grid.h);
        gyre_value origin;
        must(gyre_gas_get(gas, "grid.origin", &origin));
        assert_true((float)origin.number[0] == def.grid.origin[0]);
        shift(gas, -6, 2, -2 * z);
        shift(gas, 1, 2, z);
        assert_true(memcmp(grid_of(gas), &def.grid, sizeof def.grid) == 0);
        assert_true(gyre_gas_hash(gas) == first);
        gyre_gas *empty = made(*state, &def);
        uint64_t here = gyre_gas_hash(empty);
        shift(empty, 0, 1, 0);
        assert_true(gyre_gas_hash(empty) != here);
        gyre_gas_destroy(empty);
        // Farther than it is wide: all is gone, and it goes on.
        shift(gas, 100, 0, 0);
        assert_true(gyre_model_total(gyre_gas_model(gas), density) == 0.0);
        steps(gas, 3);
        gyre_gas_destroy(gas);
    }
}

/// A probe of the world finds the same before and after.
static void probes_are_of_the_world(void **state)
{
    gyre_gas_def def = plain(3);
    gyre_gas *gas = made(*state, &def);
    blob(gas, &def.grid);
    steps(gas, 3);
    float at[3], before[3], after[3];
    for (int a = 0; a < 3; a++) {
        at[a] = def.grid.origin[a] + def.grid.h * (0.5f * (float)def.grid.n[a] + 1.3f);
    }
    must(gyre_model_probe_vector(gyre_gas_model(gas), "velocity", at, 1, before));
    shift(gas, 3, 2, -5);
    must(gyre_model_probe_vector(gyre_gas_model(gas), "velocity", at, 1, after));
    for (int a = 0; a < 3; a++) {
        assert_true(fabsf(before[a] - after[a]) < 1e-5f);
    }
    // And so do emitters: a splat there is where it is.
    must(gyre_gas_splat(gas, 3, at, 0.2f, 50.0f));
    float there;
    must(gyre_gas_probe(gas, 3, at, 1, &there));
    assert_true(there > 40.0f);
    gyre_gas_destroy(gas);
}

static gyre_id add_world(gyre_gas *gas, int dim)
{
    gyre_gas_solid ball = gyre_gas_default_solid();
    ball.shape.kind = GYRE_SHAPE_SPHERE;
    ball.shape.as.sphere.centre[0] = 1.0f;
    ball.shape.as.sphere.centre[1] = 1.3f;
    ball.shape.as.sphere.centre[2] = dim == 3 ? 0.9f : 0.0f;
    ball.shape.as.sphere.radius = 0.33f;
    gyre_id id = gyre_gas_add_solid(gas, &ball);
    assert_true(id);
    gyre_gas_emitter source = gyre_gas_default_emitter();
    source.shape.kind = GYRE_SHAPE_SPHERE;
    source.shape.as.sphere.centre[0] = 1.1f;
    source.shape.as.sphere.centre[1] = 0.6f;
    source.shape.as.sphere.centre[2] = dim == 3 ? 0.9f : 0.0f;
    source.shape.as.sphere.radius = 0.2f;
    source.density = 3.0f;
    source.temperature = 60.0f;
    assert_true(gyre_gas_add_emitter(gas, &source));
    return id;
}

/// Moved before it begins, a gas among solids is the gas that was made there, and goes on as that.
static void as_one_that_was_made_there(void **state)
{
    for (int dim = 2; dim <= 3; dim++) {
        gyre_gas_def def = plain(dim);
        def.solids.capacity = def.emitters.capacity = 2;
        gyre_gas *gas = made(*state, &def);
        gyre_id ball = add_world(gas, dim);
        shift(gas, 3, -2, dim == 3 ? 2 : 0);
        const int cells[3] = {3, -2, dim == 3 ? 2 : 0};
        for (int a = 0; a < 3; a++) {
            def.grid.origin[a] += (float)cells[a] * def.grid.h;
        }
        gyre_gas *there = made(*state, &def);
        gyre_id same = add_world(there, dim);
        assert_int_equal(differ(gas, there), 0);
        steps(gas, 12);
        steps(there, 12);
        assert_int_equal(differ(gas, there), 0);
        // Solids go on being moved where they are in the world, and back.
        gyre_gas_solid solid_now;
        for (int n = 0; n < 2; n++) {
            must(gyre_gas_read_solid(gas, ball, &solid_now));
            solid_now.shape.as.sphere.centre[0] += n == 0 ? 0.2f : -0.2f;
            must(gyre_gas_update_solid(gas, ball, &solid_now));
            must(gyre_gas_update_solid(there, same, &solid_now));
            steps(gas, 2);
            steps(there, 2);
            assert_int_equal(differ(gas, there), 0);
        }
        // In the middle of the run the solids are anew where they are.
        shift(gas, 2, 1, 0);
        for (int a = 0; a < 2; a++) {
            def.grid.origin[a] += (float)(2 - a) * def.grid.h;
        }
        gyre_gas *anew = made(*state, &def);
        add_world(anew, dim);
        gyre_field_view v, w;
        int solid = gyre_gas_field(gas, "solid"), found = 0;
        must(gyre_gas_map(gas, solid, GYRE_READ, &v));
        must(gyre_gas_map(anew, solid, GYRE_READ, &w));
        for (int k = 0; k < v.n[2]; k++) {
            for (int i = 0; i < v.n[1] * (int)v.stride[1]; i++) {
                float a = v.data[i + k * v.stride[2]], b = w.data[i + k * w.stride[2]];
                bool own = i % v.stride[1] < v.n[0];
                found += own && a > 0.5f;
                assert_true(!own || fabsf(a - b) < 1e-4f);
            }
        }
        assert_true(found > 20);
        must(gyre_gas_unmap(gas, solid));
        must(gyre_gas_unmap(anew, solid));
        steps(gas, 5);
        assert_true(gyre_gas_get_stats(gas).gained == 0);
        gyre_gas_destroy(gas);
        gyre_gas_destroy(there);
        gyre_gas_destroy(anew);
    }
}

/// What leaves is in the ledger, what goes round a periodic side does not leave.
static void budgets_hold(void **state)
{
    for (int which = 0; which < 3; which++) { // among solids; round a side; in a box
        bool periodic = which == 1;
        for (int dim = 2; dim <= 3; dim++) {
            gyre_gas_def def = plain(dim);
            def.solids.capacity = def.emitters.capacity = 2;
            if (periodic) {
                def.sides.x_low.rule = def.sides.x_high.rule = GYRE_GAS_SIDE_PERIODIC;
            }
            gyre_gas *gas = made(*state, &def);
            gyre_id ball = add_world(gas, dim);
            if (which == 2) {
                must(gyre_gas_remove(gas, ball));
            }
            int density = gyre_gas_field(gas, "density");
            steps(gas, 20);
            gyre_gas_budget before = gyre_gas_get_budget(gas, density);
            shift(gas, 21, 0, 0);
            gyre_gas_budget b = gyre_gas_get_budget(gas, density);
            if (periodic) {
                // Round the seam stands no ball: what its cells hold beside gas counts for little.
                assert_true(fabs(b.total - before.total) < 0.05 * before.total);
            } else {
                assert_true(b.left > 0.05 * before.total && b.left < 0.95 * before.total);
                assert_true(fabs(b.total + b.left - before.total) < 1e-6 * before.total);
            }
            steps(gas, 20);
            shift(gas, 0, 9, dim == 3 ? -4 : 0);
            steps(gas, 5);
            b = gyre_gas_get_budget(gas, density);
            double due = b.emitted + b.added + b.edited - b.faded - b.left + b.rounding;
            print_message("%dD: %.9g there, %.9g by the ledger, %.3g left\n", dim, b.total, due,
                          b.left);
            assert_true(fabs(b.total - due) < 1e-6 * b.emitted);
            gyre_gas_destroy(gas);
        }
    }
}

static gyre_gas *run_of(gyre_device *device, int dim)
{
    gyre_gas_def def = plain(dim);
    def.solids.capacity = def.emitters.capacity = 2;
    def.tracers.capacity = 500;
    def.tracers.start = 400;
    def.sides.y_high.rule = GYRE_GAS_SIDE_OPEN;
    gyre_gas *gas = made(device, &def);
    add_world(gas, dim);
    steps(gas, 5);
    shift(gas, 2, 3, dim == 3 ? -1 : 0);
    steps(gas, 5);
    return gas;
}

/// A moved grid comes back with a saved state: in the same gas, a fresh one, one elsewhere; and one
/// that has moved goes back to where a saved one stood.
static void saved_states_know_the_place(void **state)
{
    for (int dim = 2; dim <= 3; dim++) {
        gyre_gas *gas = run_of(*state, dim), *other = run_of(*state, dim);
        size_t size = gyre_gas_save_size(gas), written;
        char *saved = malloc(size), *early = malloc(size);
        const gyre_grid place = *grid_of(gas);
        must(gyre_gas_save(gas, saved, size, &written));
        uint64_t hash = gyre_gas_hash(gas);
        shift(gas, 4, -1, 0);
        assert_true(gyre_gas_save_size(gas) == size);
        must(gyre_gas_save(gas, early, size, NULL));
        uint64_t moved = gyre_gas_hash(gas);
        steps(gas, 4);
        uint64_t end = gyre_gas_hash(gas);
        must(gyre_gas_load(gas, early, size));
        assert_true(gyre_gas_hash(gas) == moved);
        steps(gas, 4);
        assert_true(gyre_gas_hash(gas) == end);
        shift(other, -7, 0, 0);
        must(gyre_gas_load(other, early, size));
        steps(other, 4);
        assert_true(gyre_gas_hash(other) == end);
        must(gyre_gas_load(other, saved, written));
        assert_true(gyre_gas_hash(other) == hash);
        assert_true(memcmp(grid_of(other), &place, sizeof place) == 0);
        // The same def without a move, and back.
        gyre_gas_def def = plain(dim);
        gyre_gas *bare = made(*state, &def), *again = made(*state, &def);
        blob(bare, &def.grid);
        uint64_t unmoved = gyre_gas_hash(bare);
        must(gyre_gas_save(bare, saved, size, &written));
        shift(again, 5, 5, 0);
        must(gyre_gas_load(again, saved, written));
        assert_true(gyre_gas_hash(again) == unmoved);
        assert_true(memcmp(grid_of(again), &def.grid, sizeof def.grid) == 0);
        gyre_gas_destroy(bare);
        gyre_gas_destroy(again);
        gyre_gas_destroy(gas);
        gyre_gas_destroy(other);
        free(saved);
        free(early);
    }
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    static const int counts[] = {1, 2, 3, 8, 1};
    for (int dim = 2; dim <= 3; dim++) {
        uint64_t hash = 0;
        for (int t = 0; t < 5; t++) {
            gyre_device *device = NULL;
            gyre_device_def def = gyre_default_device_def();
            def.threads = counts[t];
            def.isa = t == 4 ? "baseline" : NULL;
            must(gyre_device_create(&def, &device));
            gyre_gas *gas = run_of(device, dim);
            shift(gas, -5, 1, 0);
            steps(gas, 3);
            uint64_t is = gyre_gas_hash(gas);
            hash = t == 0 ? is : hash;
            assert_true(is == hash);
            gyre_gas_destroy(gas);
            gyre_device_destroy(device);
        }
    }
}

/// Tracers stay in the world; those that the grid leaves behind are gone.
static void tracers_stay_in_the_world(void **state)
{
    gyre_gas_def def = plain(2);
    def.tracers.capacity = 500;
    def.tracers.start = 400;
    def.sides.y_low.rule = def.sides.y_high.rule = GYRE_GAS_SIDE_PERIODIC;
    gyre_gas *gas = made(*state, &def);
    gyre_particle_view v;
    shift(gas, 9, 10, 0);
    must(gyre_model_map_particles(gyre_gas_model(gas), 0, GYRE_READ, &v));
    int64_t kept = v.count;
    for (int i = 0; i < v.count; i++) {
        for (int a = 0; a < 2; a++) {
            const gyre_grid *g = grid_of(gas);
            float x = ((const float *)v.data[a])[i] - g->origin[a];
            assert_true(x >= -1e-5f && x <= g->h * (float)(a == 0 ? g->n[a] - 9 : g->n[a]) + 1e-5f);
        }
    }
    must(gyre_model_unmap_particles(gyre_gas_model(gas), 0, v.count));
    // A quarter of 36 columns is behind.
    print_message("%d of 400 are left\n", (int)kept);
    assert_true(kept > 280 && kept < 320);
    gyre_gas_stats stats = gyre_gas_get_stats(gas);
    assert_true(stats.tracers == kept && stats.tracers_lost == 400 - kept);
    steps(gas, 10);
    assert_true(gyre_gas_get_stats(gas).tracers == kept);
    gyre_gas_destroy(gas);
}

static void files_have_the_place(void **state)
{
    char path[64], text[4096] = "";
    gyre_gas_def def = plain(3);
    gyre_gas *gas = made(*state, &def);
    shift(gas, 8, 4, 16);
    snprintf(path, sizeof path, "/tmp/gyre_shift_%ld.vti", (long)getpid());
    gyre_named_view named = {.name = "density"};
    int density = gyre_gas_field(gas, "density");
    must(gyre_gas_map(gas, density, GYRE_READ, &named.view));
    must(gyre_vti_write(path, &named, 1, 0.0));
    must(gyre_gas_unmap(gas, density));
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    assert_true(fread(text, 1, sizeof text - 1, in) > 100);
    fclose(in);
    unlink(path);
    float x, y, z;
    const char *at = strstr(text, "Origin=\"");
    assert_non_null(at);
    assert_int_equal(sscanf(at, "Origin=\"%f %f %f\"", &x, &y, &z), 3);
    const gyre_grid *g = grid_of(gas);
    assert_true(x == g->origin[0] && y == g->origin[1] && z == 1.0f);
    gyre_gas_destroy(gas);
}

/// A move cuts a whirl in two: the flow that is left is made free of divergence before it carries
/// anything, so that no smoke is pressed together at the side.
static void what_is_cut_does_not_press(void **state)
{
    gyre_gas_def def = plain(2);
    def.density_weight = 0.0f;
    gyre_gas *gas = made(*state, &def);
    gyre_field_view v;
    int density = gyre_gas_field(gas, "density");
    must(gyre_gas_map(gas, density, GYRE_WRITE, &v));
    for (int j = 0; j < v.n[1]; j++) {
        for (int i = 0; i < v.n[0]; i++) {
            v.data[i + j * v.stride[1]] = 1.0f;
        }
    }
    must(gyre_gas_unmap(gas, density));
    const float place[3] = {0.4f, 1.1f, 0.0f};
    must(gyre_gas_splat(gas, gyre_gas_field(gas, "velocity_x"), place, 0.4f, 20.0f));
    steps(gas, 2);
    shift(gas, 0, 16, 0);
    shift(gas, 0, -3, 0);
    steps(gas, 1);
    float most = 0.0f;
    must(gyre_gas_map(gas, density, GYRE_READ, &v));
    for (int j = 0; j < v.n[1]; j++) {
        for (int i = 0; i < v.n[0]; i++) {
            most = fmaxf(most, v.data[i + j * v.stride[1]]);
        }
    }
    must(gyre_gas_unmap(gas, density));
    print_message("at most %g times as dense\n", (double)most);
    assert_true(most < 1.0001f);
    gyre_gas_destroy(gas);
}

/// Where a field's amount is along y, in metres.
static double height_of(gyre_gas *gas, int field)
{
    gyre_field_view v;
    double sum = 0.0, at = 0.0;
    must(gyre_gas_map(gas, field, GYRE_READ, &v));
    for (int k = 0; k < v.n[2]; k++) {
        for (int j = 0; j < v.n[1]; j++) {
            double y = (double)v.grid.origin[1] + (j + 0.5) * (double)v.grid.h;
            for (int i = 0; i < v.n[0]; i++) {
                double x = (double)v.data[i + j * v.stride[1] + k * v.stride[2]];
                sum += x;
                at += x * y;
            }
        }
    }
    must(gyre_gas_unmap(gas, field));
    return at / sum;
}

/// A warm puff rises in a closed shaft of 5 m: a box of 2 m, closed too, goes along by a
/// cell whenever the puff's middle is a cell above the window's. Returns how far the smoke of the
/// two is apart, over all of it, in the mean of absolute differences where the window is.
static double follow(gyre_device *device, int dim, double *apart)
{
    gyre_gas_def def = gyre_gas_default_def(dim);
    int across = dim == 3 ? 16 : 32;
    def.grid.n[0] = across;
    def.grid.n[1] = 5 * across;
    def.grid.n[2] = dim == 3 ? across : 1;
    def.grid.h = 1.0f / (float)across;
    gyre_gas *shaft = made(device, &def);
    const float middle[3] = {0.5f, 1.0f, 0.5f};
    def.grid.n[1] = 2 * across;
    gyre_gas *window = made(device, &def);
    gyre_gas *both[2] = {shaft, window};
    int density = gyre_gas_field(shaft, "density"), moves = 0, base = 0;
    for (int g = 0; g < 2; g++) {
        must(gyre_gas_splat(both[g], density, middle, 0.3f, 1.0f));
        must(gyre_gas_splat(both[g], gyre_gas_field(shaft, "temperature"), middle, 0.3f, 60.0f));
    }
    for (int n = 0; n < 100; n++) {
        steps(shaft, 1);
        steps(window, 1);
        double y = height_of(window, density) - (double)grid_of(window)->origin[1] - 1.0;
        for (; y > (double)def.grid.h; y -= (double)def.grid.h) {
            shift(window, 0, 1, 0);
            moves++;
        }
    }
    base = (int)lroundf(grid_of(window)->origin[1] / def.grid.h);
    gyre_field_view v, w;
    double sum = 0.0, off = 0.0;
    *apart = height_of(window, density) - height_of(shaft, density);
    must(gyre_gas_map(shaft, density, GYRE_READ, &v));
    must(gyre_gas_map(window, density, GYRE_READ, &w));
    for (int k = 0; k < v.n[2]; k++) {
        for (int j = 0; j < v.n[1]; j++) {
            bool in = j >= base && j < base + w.n[1];
            for (int i = 0; i < v.n[0]; i++) {
                double x = (double)v.data[i + j * v.stride[1] + k * v.stride[2]], z = 0.0;
                if (in) {
                    z = (double)w.data[i + (j - base) * w.stride[1] + k * w.stride[2]];
                }
                sum += fabs(x);
                off += fabs(x - z);
            }
        }
    }
    must(gyre_gas_unmap(shaft, density));
    must(gyre_gas_unmap(window, density));
    gyre_gas_stats stats = gyre_gas_get_stats(window);
    print_message("%dD: %d moves; smoke apart by %.2g of itself, its middle by %.2g m of %.2f; %d "
                  "gains\n",
                  dim, moves, off / sum, *apart, height_of(shaft, density) - 1.0,
                  (int)stats.gained);
    assert_true(moves >= 15 && stats.gained == 0);
    gyre_gas_destroy(shaft);
    gyre_gas_destroy(window);
    return off / sum;
}

static void a_window_follows_a_puff(void **state)
{
    for (int dim = 2; dim <= 3; dim++) {
        double apart, off = follow(*state, dim, &apart);
        assert_true(off < 0.05 && fabs(apart) < 0.01);
    }
}

static void refused(gyre_model *model, int x, int y, int z, gyre_result expected, const char *why)
{
    const int32_t cells[3] = {x, y, z};
    assert_int_equal(gyre_model_shift(model, cells), expected);
    says(why);
}

static void what_is_refused(void **state)
{
    gyre_gas_def def = plain(2);
    gyre_gas *gas = made(*state, &def);
    gyre_model *model = gyre_gas_model(gas), *other = NULL;
    refused(model, 0, 0, 1, GYRE_ERROR_ARGUMENT, "no cells along z");
    refused(model, 1 << 21, 0, 0, GYRE_ERROR_ARGUMENT, "at most 1048576");
    shift(gas, 1 << 20, -(1 << 20), 0);
    refused(model, 1, 0, 0, GYRE_ERROR_ARGUMENT, "along x");
    refused(model, INT32_MIN, INT32_MAX, 0, GYRE_ERROR_ARGUMENT, "along x");
    shift(gas, -(1 << 20), 1 << 20, 0);
    assert_true(memcmp(grid_of(gas), &def.grid, sizeof def.grid) == 0);
    gyre_field_view v;
    must(gyre_gas_map(gas, 0, GYRE_READ, &v));
    refused(model, 1, 0, 0, GYRE_ERROR_STATE, "");
    must(gyre_gas_unmap(gas, 0));
    gyre_gas_destroy(gas);
    static const char *const names[] = {"classic"};
    for (int t = 0; t < 1; t++) {
        size_t size;
        assert_non_null(gyre_model_type_properties(names[t], &size));
        void *bytes = calloc(1, size);
        must(gyre_model_default_def(names[t], 2, bytes, size));
        must(gyre_model_create(*state, names[t], bytes, &other));
        refused(other, 1, 0, 0, GYRE_ERROR_UNSUPPORTED, names[t]);
        gyre_model_destroy(other);
        free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_and_back),
        cmocka_unit_test(probes_are_of_the_world),
        cmocka_unit_test(as_one_that_was_made_there),
        cmocka_unit_test(budgets_hold),
        cmocka_unit_test(saved_states_know_the_place),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(tracers_stay_in_the_world),
        cmocka_unit_test(files_have_the_place),
        cmocka_unit_test(what_is_cut_does_not_press),
        cmocka_unit_test(a_window_follows_a_puff),
        cmocka_unit_test(what_is_refused),
    };
    WATCH_THREADS_IN(threads_do_not_matter);
    return cmocka_run_group_tests(tests, open_device, close_device);
}
