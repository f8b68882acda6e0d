// Bodies of a set that models were handed: they float as the water's own do, keep the smoke of a
// gas out, and come back from a saved state.
// labels: small
#include "body_set_rig.h"

enum { CELLS = 32 };

static gyre_device *device_of(int threads)
{
    gyre_device *device = NULL;
    gyre_device_def def = gyre_default_device_def();
    def.threads = threads;
    must(gyre_device_create(&def, &device));
    return device;
}

/// A pool of 8 x 8 m, 2 m deep, with room for a few bodies of its own.
static gyre_water *pool_of(gyre_device *device)
{
    gyre_water *water = NULL;
    gyre_water_def def = gyre_water_default_def(2);
    def.grid.n[0] = def.grid.n[1] = CELLS;
    def.grid.h = 0.25f;
    def.bed.flat = -2.0f;
    def.damping = 1.0f; // else it sloshes for long
    def.bodies.capacity = 4;
    must(gyre_water_create(device, &def, &water));
    return water;
}

/// A box of 16^3 cells of 0.5 m over the water, z up.
static gyre_gas *air_of(gyre_device *device, float low)
{
    gyre_gas *gas = NULL;
    gyre_gas_def def = gyre_gas_default_def(3);
    for (int a = 0; a < 3; a++) {
        def.grid.n[a] = 16;
    }
    def.grid.h = 0.5f;
    def.grid.origin[2] = low;
    must(gyre_gas_create(device, &def, &gas));
    return gas;
}

static gyre_body crate_at(float x, float y, float z)
{
    gyre_body crate = gyre_bodies_default_body();
    snprintf(crate.name, sizeof crate.name, "crate");
    crate.motion = GYRE_MOTION_FREE;
    crate.density = 600.0f;
    crate.form.as.box.size[0] = crate.form.as.box.size[1] = 2.0f;
    crate.pose = (gyre_pose){.position = {x, y, z}};
    return crate;
}

static void give(gyre_model *model, gyre_bodies *set)
{
    must(gyre_model_use_bodies(model, set));
}

static void refused(gyre_model *model, gyre_bodies *set, gyre_result expected, const char *why)
{
    gyre_result is = gyre_model_use_bodies(model, set);
    if (is != expected || !strstr(gyre_message(), why)) {
        fail_msg("%s: %s, not \"%s\"", gyre_result_name(is), gyre_message(), why);
    }
}

static double line_of(const gyre_water *water, const char *name)
{
    gyre_water_line lines[64];
    int count = gyre_water_ledger(water, lines, 64);
    for (int l = 0; l < count; l++) {
        if (strcmp(lines[l].name, name) == 0) {
            return lines[l].volume;
        }
    }
    fail_msg("the ledger has no line %s", name);
    return 0.0;
}

// ---- water --------------------------------------------------------------------------------------

/// A crate of the set and one of the water's own, each in a pool of its own, dropped askew. Not to
/// the bit: the set keeps doubles, the water's own body a pose of floats.
static void floats_as_the_waters_own(void **state)
{
    (void)state;
    gyre_device *device = device_of(1);
    gyre_water *one = pool_of(device), *other = pool_of(device);
    gyre_bodies *set = set_of();
    gyre_body crate = crate_at(4, 4, 0.6f);
    crate.pose.rotation[0] = 20.0f;
    crate.pose.rotation[2] = 30.0f;
    gyre_water_body own = gyre_water_default_body();
    own.density = crate.density;
    memcpy(own.size, crate.form.as.box.size, sizeof own.size);
    own.pose = crate.pose;
    gyre_id id = added(set, &crate), in_water = gyre_water_add_body(other, &own);
    give(gyre_water_model(one), set);
    double worst = 0.0, turned = 0.0;
    for (int n = 1; n <= 2400; n++) {
        must(gyre_water_step(one, 1.0f / 60));
        must(gyre_bodies_step(set, 1.0f / 60));
        must(gyre_water_step(other, 1.0f / 60));
        gyre_body is = read_of(set, id);
        must(gyre_water_read_body(other, in_water, &own));
        for (int a = 0; a < 3; a++) {
            worst = fmax(worst, fabs((double)(is.pose.position[a] - own.pose.position[a])));
            turned = fmax(turned, fabs((double)(is.pose.rotation[a] - own.pose.rotation[a])));
        }
    }
    gyre_body is = read_of(set, id);
    printf("at most %.2g m and %.2g degrees apart; at the end z %.9g and %.9g m, %.3g m/s\n", worst,
           turned, (double)is.pose.position[2], (double)own.pose.position[2],
           (double)is.pose.velocity[2]);
    // 2.4 m^3 of 4 under water, in a pool that they have raised by 2.4 / 64 m.
    near("z", (double)is.pose.position[2], 0.5 - 0.6 + 2.4 / 64, 2e-3);
    near("z of its own", (double)is.pose.position[2], (double)own.pose.position[2], 2e-5);
    near("its velocity", (double)is.pose.velocity[2], 0.0, 1e-3);
    near("what it displaces", line_of(one, "bodies.crate"), 2.4, 2e-3);
    assert_true(worst < 1e-4 && turned < 1e-2);
    must(gyre_model_use_bodies(gyre_water_model(one), NULL));
    gyre_bodies_destroy(set);
    gyre_water_destroy(one);
    gyre_water_destroy(other);
    gyre_device_destroy(device);
}

/// Drag, added mass, waves and drift of a body of the set are those of the water's own: with each
/// of them changed it goes as that one does, and otherwise than with what they are by default.
static void waters_properties_count(void **state)
{
    (void)state;
    gyre_device *device = device_of(1);
    for (int which = 0; which < 4; which++) {
        gyre_water *water[3] = {pool_of(device), pool_of(device), pool_of(device)};
        gyre_bodies *set[2] = {set_of(), set_of()};
        gyre_body crate = crate_at(3, 4, 0.6f);
        crate.pose.rotation[0] = 20.0f;
        crate.pose.rotation[2] = 30.0f;
        crate.force[0] = 500.0f;
        gyre_id plain = added(set[1], &crate);
        gyre_water_body own = gyre_water_default_body();
        own.density = crate.density;
        memcpy(own.size, crate.form.as.box.size, sizeof own.size);
        memcpy(own.force, crate.force, sizeof own.force);
        own.pose = crate.pose;
        crate.water.drag = own.drag = which == 0 ? 6.0f : own.drag;
        crate.water.added_mass = own.added_mass = which == 1 ? 2.0f : own.added_mass;
        crate.water.waves = own.waves = which == 2 ? 0.25f : own.waves;
        crate.water.drift = own.drift = which == 3 ? false : own.drift;
        gyre_id id = added(set[0], &crate), in_water = gyre_water_add_body(water[2], &own);
        give(gyre_water_model(water[0]), set[0]);
        give(gyre_water_model(water[1]), set[1]);
        double worst = 0.0, other = 0.0;
        for (int n = 0; n < 120; n++) {
            for (int k = 0; k < 3; k++) {
                must(gyre_water_step(water[k], 1.0f / 60));
            }
            must(gyre_bodies_step(set[0], 1.0f / 60));
            must(gyre_bodies_step(set[1], 1.0f / 60));
            gyre_body is = read_of(set[0], id), was = read_of(set[1], plain);
            must(gyre_water_read_body(water[2], in_water, &own));
            for (int a = 0; a < 3; a++) {
                float at = is.pose.position[a];
                worst = fmax(worst, fabs((double)(at - own.pose.position[a])));
                other = fmax(other, fabs((double)(at - was.pose.position[a])));
            }
        }
        printf("%.2g m from the water's own, %.2g m from one of the defaults\n", worst, other);
        assert_true(worst < 1e-5 && other > 0.1);
        // They change as it goes, too; what is no such number is refused.
        crate.water.drag = -1.0f;
        assert_int_equal(gyre_bodies_update(set[0], id, &crate), GYRE_ERROR_ARGUMENT);
        assert_non_null(strstr(gyre_message(), "water.drag"));
        crate.water.drag = NAN;
        assert_int_equal(gyre_bodies_update(set[0], id, &crate), GYRE_ERROR_ARGUMENT);
        for (int k = 0; k < 3; k++) {
            gyre_water_destroy(water[k]);
        }
        gyre_bodies_destroy(set[0]);
        gyre_bodies_destroy(set[1]);
    }
    gyre_device_destroy(device);
}

/// A crate that floats, after 60 steps; with another over dry land, before it in its list or in the
/// other list, that is there or not.
static gyre_pose afloat(gyre_device *device, bool land_of_set, bool crate_of_set, bool there)
{
    static float ground[CELLS * CELLS];
    gyre_water *water = NULL;
    gyre_bodies *set = set_of();
    gyre_water_def def = gyre_water_default_def(2);
    for (int k = 0; k < CELLS * CELLS; k++) {
        ground[k] = k % CELLS < CELLS / 2 ? 1.0f : -2.0f;
    }
    def.grid.n[0] = def.grid.n[1] = CELLS;
    def.grid.h = 0.25f;
    def.bed.data = (gyre_volume){ground, {CELLS, CELLS, 1}, NULL};
    def.bodies.capacity = 2;
    must(gyre_water_create(device, &def, &water));
    gyre_body crate = crate_at(5.9f, 4, 0.3f);
    crate.form.as.box.size[0] = crate.form.as.box.size[1] = 1.0f;
    crate.pose.rotation[0] = 20.0f;
    gyre_id id = 0;
    for (int k = 0; k < 2; k++) {
        gyre_water_body own = gyre_water_default_body();
        bool of_set = k == 0 ? land_of_set : crate_of_set;
        snprintf(crate.name, sizeof crate.name, k == 0 ? "wreck" : "crate");
        snprintf(own.name, sizeof own.name, "%s", crate.name);
        own.density = crate.density;
        memcpy(own.size, crate.form.as.box.size, sizeof own.size);
        own.pose = crate.pose;
        own.enabled = crate.enabled = k == 1 || there;
        own.pose.position[0] = crate.pose.position[0] = k == 0 ? 1.5f : 5.9f;
        own.pose.position[2] = crate.pose.position[2] = k == 0 ? 1.6f : 0.3f;
        id = of_set ? added(set, &crate) : gyre_water_add_body(water, &own);
    }
    give(gyre_water_model(water), set);
    for (int n = 0; n < 60; n++) {
        must(gyre_water_step(water, 1.0f / 60));
        must(gyre_bodies_step(set, 1.0f / 60));
    }
    gyre_water_body own;
    gyre_pose pose;
    if (crate_of_set) {
        pose = read_of(set, id).pose;
    } else {
        must(gyre_water_read_body(water, id, &own));
        pose = own.pose;
    }
    gyre_water_destroy(water);
    gyre_bodies_destroy(set);
    return pose;
}

/// What is on land has nothing to do with what floats elsewhere: not a bit of it.
static void one_on_land_leaves_others_alone(void **state)
{
    (void)state;
    gyre_device *device = device_of(1);
    for (int k = 0; k < 4; k++) {
        gyre_pose alone = afloat(device, k & 1, k & 2, false);
        gyre_pose beside = afloat(device, k & 1, k & 2, true);
        printf("z %.9g alone, %.9g with one on land\n", (double)alone.position[2],
               (double)beside.position[2]);
        assert_memory_equal(&alone, &beside, sizeof alone);
    }
    gyre_device_destroy(device);
}

/// What the water pushes with is what changes the momentum, beside weight; when the crate goes its
/// water comes back.
static void momentum_and_volume_are_kept(void **state)
{
    (void)state;
    gyre_device *device = device_of(1);
    gyre_water *water = pool_of(device);
    gyre_bodies *set = set_of();
    gyre_body crate = crate_at(3, 5, 0.3f);
    const float dt = 1.0f / 120;
    gyre_id id = added(set, &crate);
    give(gyre_water_model(water), set);
    for (int n = 0; n < 240; n++) {
        // Of one that does not move yet drag is nothing: buoyancy alone.
        gyre_body_state before = state_of(set, id), after;
        gyre_body_report report;
        gyre_water_body same = gyre_water_default_body();
        memcpy(same.size, crate.form.as.box.size, sizeof same.size);
        same.density = crate.density;
        same.pose = read_of(set, id).pose;
        must(gyre_water_step(water, dt));
        must(gyre_water_report_body(water, &same, &report));
        must(gyre_bodies_step(set, dt));
        after = state_of(set, id);
        double push = (after.momentum[2] - before.momentum[2]) / (double)dt + before.mass * 9.81;
        if (n == 0) {
            double share = (double)report.mass / (double)(report.mass + report.added_mass);
            double net = (double)report.force[2] - before.mass * 9.81;
            near("the first push", push - before.mass * 9.81, share * net, 0.01 * fabs(net));
        }
        assert_true(after.energy < 3e4);
    }
    gyre_water_stats stats;
    gyre_water_read_stats(water, &stats, sizeof stats);
    near("the ledger", stats.ledger_error, 0.0, 1e-3);
    must(gyre_bodies_remove(set, id));
    for (int n = 0; n < 1200; n++) {
        must(gyre_water_step(water, dt));
        must(gyre_bodies_step(set, dt));
    }
    gyre_water_read_stats(water, &stats, sizeof stats);
    near("the ledger", stats.ledger_error, 0.0, 1e-3);
    near("the volume", stats.volume, 128.0, 1e-3);
    near("the level", (double)stats.max_depth, 2.0, 1e-2);
    gyre_water_destroy(water);
    gyre_bodies_destroy(set);
    gyre_device_destroy(device);
}

/// Every form that water takes floats where Archimedes says; the mass of a mesh is about its own
/// centre, wherever its origin is.
static void forms_float(void **state)
{
    (void)state;
    gyre_device *device = device_of(1);
    mesh_case ball = mesh_case_sphere(12, 16, 0.8);
    float *points = malloc(3 * (size_t)ball.mesh.point_count * sizeof(float));
    float *indices = malloc(3 * (size_t)ball.mesh.triangle_count * sizeof(float));
    for (int p = 0; p < 3 * ball.mesh.point_count; p++) {
        points[p] = ball.mesh.points[p] + (p % 3 == 0 ? 0.5f : 0.0f);
    }
    for (int k = 0; k < 3 * ball.mesh.triangle_count; k++) {
        indices[k] = (float)ball.mesh.triangles[k];
    }
    for (int form = 0; form < 4; form++) {
        gyre_water *water = pool_of(device);
        gyre_bodies *set = set_of();
        gyre_body body = crate_at(4, 4, 0);
        body.density = 500.0f;
        if (form == 0) {
            body.form.kind = GYRE_FORM_CYLINDER;
            body.form.as.cylinder = (struct gyre_form_cylinder){0.7f, 1.5f};
        } else if (form == 1) {
            body.form.kind = GYRE_FORM_CAPSULE;
            body.form.as.capsule = (struct gyre_form_capsule){0.6f, 1.0f};
        } else {
            gyre_volume at = {points, {3, ball.mesh.point_count, 1}, NULL};
            body.form.kind = form == 2 ? GYRE_FORM_HULL : GYRE_FORM_MESH;
            if (form == 2) {
                body.form.as.hull.points = at;
            } else {
                memset(&body.form.as.mesh, 0, sizeof body.form.as.mesh);
                body.form.as.mesh.points = at;
                body.form.as.mesh.triangles =
                    (gyre_volume){indices, {3, ball.mesh.triangle_count, 1}, NULL};
            }
        }
        gyre_id id = added(set, &body);
        give(gyre_water_model(water), set);
        double volume = state_of(set, id).volume;
        for (int n = 0; n < 1200; n++) {
            must(gyre_water_step(water, 1.0f / 60));
            must(gyre_bodies_step(set, 1.0f / 60));
        }
        gyre_body_state is = state_of(set, id);
        // Half is under, so the centre is at the level, which what they displace has raised.
        near("its centre", is.centre[2], 0.5 * volume / 64, 0.02);
        near("what it displaces", line_of(water, "bodies.crate"), 0.5 * volume, 0.02 * volume);
        assert_true(fabs(is.centre[0] - 4.0) < 1.0 && is.energy < 1.0);
        gyre_water_destroy(water);
        gyre_bodies_destroy(set);
    }
    free(points);
    free(indices);
    mesh_case_free(&ball);
    gyre_device_destroy(device);
}

/// Bodies on rails displace water and are not pushed; one with frames is seen as it is.
static void others_move_them(void **state)
{
    (void)state;
    gyre_device *device = device_of(1);
    gyre_water *water = pool_of(device);
    gyre_bodies *set = set_of();
    static const float keys[16] = {0, 2, 4, 0, 0, 0, 0, 1, 2, 6, 4, 0, 0, 0, 0, 1};
    gyre_body body = crate_at(2, 4, 0);
    body.motion = GYRE_MOTION_PATH;
    body.path = (gyre_volume){keys, {8, 2, 1}, NULL};
    gyre_id id = added(set, &body);
    give(gyre_water_model(water), set);
    for (int n = 0; n < 60; n++) {
        must(gyre_water_step(water, 1.0f / 60));
        must(gyre_bodies_step(set, 1.0f / 60));
    }
    near("x", (double)read_of(set, id).pose.position[0], 4.0, 1e-3);
    gyre_water_stats stats;
    gyre_water_read_stats(water, &stats, sizeof stats);
    near("the ledger", stats.ledger_error, 0.0, 1e-3);
    assert_true(line_of(water, "bodies.crate") > 1.5 && stats.max_speed > 0.2f);
    gyre_water_destroy(water);
    gyre_bodies_destroy(set);
    gyre_device_destroy(device);
}

/// A mesh that deforms displaces what it encloses at the time, in a water and in a gas.
static void a_deforming_mesh(void **state)
{
    (void)state;
    gyre_device *device = device_of(1);
    gyre_water *water = pool_of(device);
    gyre_gas *gas = air_of(device, -2.0f);
    gyre_bodies *set = set_of();
    mesh_case box = mesh_case_box((const float[3]){-1, -1, -1}, (const float[3]){1, 1, 0.5f});
    arrays a = arrays_of(&box);
    float frames[48];
    for (int k = 0; k < 48; k++) { // to half of its depth in a second
        frames[k] = box.points[k % 24] * (k >= 24 && k % 3 == 2 ? 0.5f : 1.0f);
    }
    gyre_body body = mesh_body(&a);
    snprintf(body.name, sizeof body.name, "bellows");
    body.form.as.mesh.frames = (gyre_volume){frames, {3, 8, 2}, NULL};
    body.form.as.mesh.rate = 1.0f;
    body.pose.position[0] = body.pose.position[1] = 4.0f;
    added(set, &body);
    give(gyre_water_model(water), set);
    give(gyre_gas_model(gas), set);
    must(gyre_gas_step(gas, 0.1f));
    for (int n = 0; n < 600; n++) {
        must(gyre_water_step(water, 1.0f / 60));
        must(gyre_bodies_step(set, 1.0f / 60));
    }
    near("what it displaces at last", line_of(water, "bodies.bellows"), 2.0 + 4.0 * 2.0 / 64, 0.05);
    gyre_water_stats stats;
    gyre_water_read_stats(water, &stats, sizeof stats);
    near("the ledger", stats.ledger_error, 0.0, 1e-3);
    gyre_water_destroy(water);
    gyre_gas_destroy(gas);
    gyre_bodies_destroy(set);
    free(a.indices);
    mesh_case_free(&box);
    gyre_device_destroy(device);
}

/// A light and small body in long steps: no step makes energy.
static void long_steps_stay_calm(void **state)
{
    (void)state;
    gyre_device *device = device_of(1);
    for (int form = 0; form < 3; form++) {
        gyre_water *water = pool_of(device);
        gyre_bodies *set = set_of();
        gyre_body cork = crate_at(4, 4, 0.05f);
        const float size = form == 0 ? 0.05f : form == 1 ? 0.3f : 1.0f;
        cork.form.as.box.size[0] = cork.form.as.box.size[1] = cork.form.as.box.size[2] = size;
        cork.density = form == 0 ? 100.0f : 20.0f;
        cork.pose.rotation[0] = 30.0f;
        gyre_id id = added(set, &cork);
        give(gyre_water_model(water), set);
        double most = 0.0;
        for (int n = 0; n < 400; n++) {
            must(gyre_water_step(water, 0.1f));
            must(gyre_bodies_step(set, 0.1f));
            most = n > 200 ? fmax(most, fabs(state_of(set, id).velocity[2])) : most;
        }
        near("z", (double)read_of(set, id).pose.position[2], 0.5 * (double)size,
             0.2 * (double)size);
        assert_true(most < 0.05);
        gyre_water_destroy(water);
        gyre_bodies_destroy(set);
    }
    gyre_device_destroy(device);
}

// ---- gas ----------------------------------------------------------------------------------------

/// What a gas in which smoke rises has in the cells that a body fills, and in all.
static void smoke_of(gyre_gas *gas, gyre_bodies *set, gyre_id id, double *in, double *all,
                     double *above)
{
    gyre_field_view v;
    int field = gyre_gas_field(gas, "density");
    *in = *all = *above = 0.0;
    must(gyre_gas_map(gas, field, GYRE_READ, &v));
    const gyre_grid *g = gyre_model_grid(gyre_gas_model(gas));
    for (int k = 0; k < v.n[2]; k++) {
        for (int j = 0; j < v.n[1]; j++) {
            for (int i = 0; i < v.n[0]; i++) {
                const int at[3] = {i, j, k};
                float p[3], d, value = v.data[i + j * v.stride[1] + k * v.stride[2]];
                for (int a = 0; a < 3; a++) {
                    p[a] = g->origin[a] + ((float)at[a] + 0.5f) * g->h;
                }
                must(gyre_bodies_distance(set, id, p, 1, &d));
                // Not one with gas in a corner, nor beside such a one, which gets its mean.
                *in += d < -1.87f * g->h ? fabs((double)value) : 0.0;
                *all += (double)value;
                *above += p[2] > 5.5f ? (double)value : 0.0;
            }
        }
    }
    must(gyre_gas_unmap(gas, field));
}

/// How much of a cell in the middle is solid.
static double solid_at(gyre_gas *gas, int i)
{
    gyre_field_view v;
    int solid = gyre_gas_field(gas, "solid");
    must(gyre_gas_map(gas, solid, GYRE_READ, &v));
    double part = (double)v.data[i + 8 * v.stride[1] + 8 * v.stride[2]];
    must(gyre_gas_unmap(gas, solid));
    return part;
}

static void feed(gyre_gas *gas)
{
    gyre_gas_emitter e = gyre_gas_default_emitter();
    e.shape = gyre_box((const float[3]){4, 4, 1}, (const float[3]){6, 6, 1});
    e.density = 5.0f;
    e.push = true;
    e.velocity[2] = 2.0f;
    assert_true(gyre_gas_add_emitter(gas, &e) != 0);
}

/// Smoke that is blown at a body goes round it; a body that is put elsewhere is met there.
static void smoke_is_kept_out(void **state)
{
    (void)state;
    gyre_device *device = device_of(2);
    mesh_case ball = mesh_case_sphere(12, 16, 1.8);
    float *indices = malloc(3 * (size_t)ball.mesh.triangle_count * sizeof(float));
    for (int k = 0; k < 3 * ball.mesh.triangle_count; k++) {
        indices[k] = (float)ball.mesh.triangles[k];
    }
    for (int form = 0; form < 2; form++) {
        gyre_gas *gas = air_of(device, 0.0f);
        gyre_bodies *set = set_of();
        gyre_body body = crate_at(4, 4, 4);
        body.motion = GYRE_MOTION_HELD;
        body.form.as.box.size[0] = body.form.as.box.size[1] = body.form.as.box.size[2] = 3.0f;
        body.pose.rotation[1] = 30.0f;
        if (form == 1) {
            memset(&body.form, 0, sizeof body.form);
            body.form.kind = GYRE_FORM_MESH;
            body.form.as.mesh.points = (gyre_volume){
                (void *)(uintptr_t)ball.mesh.points, {3, ball.mesh.point_count, 1}, NULL};
            body.form.as.mesh.triangles =
                (gyre_volume){indices, {3, ball.mesh.triangle_count, 1}, NULL};
        }
        gyre_id id = added(set, &body);
        give(gyre_gas_model(gas), set);
        feed(gas);
        double in, all, above;
        for (int n = 0; n < 240; n++) {
            must(gyre_gas_step(gas, 0.05f));
            must(gyre_bodies_step(set, 0.05f));
        }
        smoke_of(gas, set, id, &in, &all, &above);
        printf("smoke inside %g, above it %g, of %g\n", in, above, all);
        assert_true(all > 10.0 && above > 0.01 * all && in == 0.0);
        // It is looked at where the body is now, whoever has moved it.
        near("the solid", solid_at(gas, 8), 1.0, 0.01);
        body.pose.position[0] = 6.0f;
        body.pose.rotation[1] = 0.0f;
        must(gyre_bodies_update(set, id, &body));
        near("the solid that has moved", solid_at(gas, 12), 1.0, 0.01);
        near("where it was", solid_at(gas, 6), 0.0, 0.0);
        must(gyre_bodies_remove(set, id));
        near("the solid that is gone", solid_at(gas, 12), 0.0, 0.0);
        must(gyre_model_use_bodies(gyre_gas_model(gas), NULL));
        must(gyre_gas_step(gas, 0.05f));
        gyre_gas_destroy(gas);
        gyre_bodies_destroy(set);
    }
    free(indices);
    mesh_case_free(&ball);
    gyre_device_destroy(device);
}

/// A body of the set is to the gas what a solid of its own is, to the bit.
static void a_body_is_a_solid(void **state)
{
    (void)state;
    gyre_device *device = device_of(1);
    gyre_gas *one = air_of(device, 0.0f), *other = air_of(device, 0.0f);
    gyre_bodies *set = set_of();
    gyre_body body = crate_at(4, 4, 4);
    body.motion = GYRE_MOTION_HELD;
    body.pose.velocity[0] = 0.5f;
    gyre_id id = added(set, &body);
    gyre_gas_solid solid = gyre_gas_default_solid();
    solid.shape = gyre_box((const float[3]){0, 0, 0}, body.form.as.box.size);
    solid.pose = body.pose;
    gyre_id own = gyre_gas_add_solid(other, &solid);
    assert_true(own != 0);
    give(gyre_gas_model(one), set);
    feed(one);
    feed(other);
    for (int n = 0; n < 20; n++) {
        must(gyre_gas_step(one, 0.0625f));
        must(gyre_gas_step(other, 0.0625f));
        must(gyre_bodies_step(set, 0.0625f));
        solid.pose.position[0] = read_of(set, id).pose.position[0];
        must(gyre_gas_update_solid(other, own, &solid));
    }
    for (int f = 0; f < 5; f++) {
        gyre_field_view a, b;
        must(gyre_gas_map(one, f, GYRE_READ, &a));
        must(gyre_gas_map(other, f, GYRE_READ, &b));
        for (int k = 0; k < a.n[2]; k++) {
            for (int j = 0; j < a.n[1]; j++) {
                ptrdiff_t at = j * a.stride[1] + k * a.stride[2];
                assert_memory_equal(a.data + at, b.data + at, (size_t)a.n[0] * sizeof(float));
            }
        }
        must(gyre_gas_unmap(one, f));
        must(gyre_gas_unmap(other, f));
    }
    gyre_gas_destroy(one);
    gyre_gas_destroy(other);
    gyre_bodies_destroy(set);
    gyre_device_destroy(device);
}

// ---- both ---------------------------------------------------------------------------------------

typedef struct world {
    gyre_device *device;
    gyre_water *water;
    gyre_gas *gas;
    gyre_bodies *set;
} world;

static world world_of(int threads)
{
    world w = {.device = device_of(threads), .set = set_of()};
    w.water = pool_of(w.device);
    w.gas = air_of(w.device, -2.0f);
    feed(w.gas);
    gyre_body crate = crate_at(4, 4, 1.0f), ball = crate_at(2, 2, 0.5f);
    crate.pose.rotation[0] = 15.0f;
    snprintf(ball.name, sizeof ball.name, "ball");
    memset(&ball.form, 0, sizeof ball.form);
    ball.form.kind = GYRE_FORM_SPHERE;
    ball.form.as.sphere.radius = 0.6f;
    added(w.set, &crate);
    added(w.set, &ball);
    give(gyre_water_model(w.water), w.set);
    give(gyre_gas_model(w.gas), w.set);
    return w;
}

static void world_steps(world *w, int count)
{
    for (int n = 0; n < count; n++) {
        must(gyre_water_step(w->water, 1.0f / 30));
        must(gyre_gas_step(w->gas, 1.0f / 30));
        must(gyre_bodies_step(w->set, 1.0f / 30));
    }
}

static uint64_t world_hash(const world *w)
{
    return gyre_water_hash(w->water) * 31 + gyre_gas_hash(w->gas) * 17 + gyre_bodies_hash(w->set);
}

static void world_free(world *w)
{
    gyre_water_destroy(w->water);
    gyre_gas_destroy(w->gas);
    gyre_bodies_destroy(w->set);
    gyre_device_destroy(w->device);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    uint64_t hash[3];
    for (int t = 0; t < 3; t++) {
        world w = world_of(t + 1);
        world_steps(&w, 60);
        hash[t] = world_hash(&w);
        world_free(&w);
    }
    assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
}

static void *saved_of(const gyre_model *model, size_t *size)
{
    void *memory = malloc(gyre_model_save_size(model));
    must(gyre_model_save(model, memory, gyre_model_save_size(model), size));
    return memory;
}

/// The set first, then the models: the same bits go on, in worlds that were somewhere else.
static void saved_states_go_on(void **state)
{
    (void)state;
    world w = world_of(2), other = world_of(1);
    world_steps(&w, 25);
    size_t sizes[3];
    void *water = saved_of(gyre_water_model(w.water), &sizes[0]);
    void *gas = saved_of(gyre_gas_model(w.gas), &sizes[1]);
    void *set = malloc(gyre_bodies_save_size(w.set));
    must(gyre_bodies_save(w.set, set, gyre_bodies_save_size(w.set), &sizes[2]));
    world_steps(&w, 25);
    world_steps(&other, 3);
    world *both[2] = {&w, &other};
    uint64_t hash = world_hash(&w);
    for (int n = 0; n < 2; n++) {
        must(gyre_bodies_load(both[n]->set, set, sizes[2]));
        must(gyre_water_load(both[n]->water, water, sizes[0]));
        must(gyre_gas_load(both[n]->gas, gas, sizes[1]));
        assert_true(world_hash(both[n]) != hash);
        world_steps(both[n], 25);
        assert_true(world_hash(both[n]) == hash);
    }
    free(water);
    free(gas);
    free(set);
    world_free(&w);
    world_free(&other);
}

/// What a model cannot take is told, at once or at its next call, and it goes on without.
static void what_is_refused(void **state)
{
    (void)state;
    gyre_device *device = device_of(1);
    gyre_water *water = pool_of(device);
    gyre_gas *flat = NULL;
    gyre_gas_def def = gyre_gas_default_def(2);
    must(gyre_gas_create(device, &def, &flat));
    gyre_bodies *set = set_of();
    gyre_body half = gyre_bodies_default_body();
    snprintf(half.name, sizeof half.name, "sea bed");
    memset(&half.form, 0, sizeof half.form);
    half.form.kind = GYRE_FORM_HALF_SPACE;
    half.form.as.half_space.normal[2] = 1.0f;
    refused(gyre_gas_model(flat), set, GYRE_ERROR_UNSUPPORTED, "a gas in 2D takes no bodies");
    give(gyre_water_model(water), set);
    uint64_t before = gyre_water_hash(water);
    gyre_id id = added(set, &half);
    assert_int_equal(gyre_water_step(water, 0.1f), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "bodies.sea bed: is a half-space"));
    assert_true(gyre_water_hash(water) == before);
    must(gyre_model_use_bodies(gyre_water_model(water), NULL));
    refused(gyre_water_model(water), set, GYRE_ERROR_ARGUMENT, "is a half-space");
    must(gyre_water_step(water, 0.1f));
    must(gyre_bodies_remove(set, id));
    // A solver for boxes goes with no bodies.
    gyre_gas *gas = NULL;
    gyre_gas_def boxes = gyre_gas_default_def(3);
    boxes.grid.n[0] = boxes.grid.n[1] = boxes.grid.n[2] = 16;
    boxes.pressure.solver = GYRE_SOLVER_FFT;
    must(gyre_gas_create(device, &boxes, &gas));
    refused(gyre_gas_model(gas), set, GYRE_ERROR_ARGUMENT, "pressure.solver");
    must(gyre_gas_step(gas, 0.1f));
    gyre_gas_destroy(gas);
    give(gyre_water_model(water), set);
    must(gyre_water_step(water, 0.1f));
    gyre_water_destroy(water);
    gyre_gas_destroy(flat);
    gyre_bodies_destroy(set);
    gyre_device_destroy(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floats_as_the_waters_own),
        cmocka_unit_test(waters_properties_count),
        cmocka_unit_test(one_on_land_leaves_others_alone),
        cmocka_unit_test(momentum_and_volume_are_kept),
        cmocka_unit_test(forms_float),
        cmocka_unit_test(others_move_them),
        cmocka_unit_test(a_deforming_mesh),
        cmocka_unit_test(long_steps_stay_calm),
        cmocka_unit_test(smoke_is_kept_out),
        cmocka_unit_test(a_body_is_a_solid),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(saved_states_go_on),
        cmocka_unit_test(what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
