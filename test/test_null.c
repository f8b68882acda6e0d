// test/test_null.c: NULL where the core needs something is refused with a message (gyre/base.h has
// the rule).
// labels: small
#include "gas_case.h"
#include "null_check.h"
#include "test/check.h"

#include "gyre/classic.h"

static gyre_device *device;
static gyre_gas *gas;
static gyre_water *water;
static gyre_model *model;
static gyre_poisson *poisson;
static gyre_field_view view;
static gyre_value value;
static gyre_particle_view particles;
static gyre_particle_stats told;
static char bytes[64];
static const float point[3];
static float numbers[8];
static gyre_copy request = {.size = {1, 1, 1}, .to = numbers, .bytes = sizeof numbers};

static int make_all(void **state)
{
    (void)state;
    gyre_gas_def gas_def = gyre_gas_default_def(2);
    gyre_water_def water_def = gyre_water_default_def(2);
    gyre_poisson_def poisson_def = gyre_poisson_default_def(2);
    device = gas_case_device(1, NULL);
    gas_case_size(&gas_def, 8, 8, 1, 1.0f);
    gas_def.tracers.capacity = 8;
    water_def.grid.n[0] = water_def.grid.n[1] = 8;
    must(gyre_gas_create(device, &gas_def, &gas));
    must(gyre_water_create(device, &water_def, &water));
    must(gyre_poisson_create(device, &poisson_def, &poisson));
    model = gyre_gas_model(gas);
    return 0;
}

static int drop_all(void **state)
{
    (void)state;
    gyre_gas_destroy(gas);
    gyre_water_destroy(water);
    gyre_poisson_destroy(poisson);
    gyre_device_destroy(device);
    return 0;
}

static void nothing_bad(void)
{
    int bad = null_bad;
    null_bad = 0;
    assert_int_equal(bad, 0);
}

static void idle(void *argument, int index)
{
    (void)argument, (void)index;
}

static void devices(void **state)
{
    (void)state;
    gyre_device_def def = gyre_default_device_def();
    double rate;
    REFUSED(gyre_device_parse(NULL, &def))
    REFUSED(gyre_device_parse("cpu", NULL))
    REFUSED(gyre_device_create(&def, NULL))
    NO_OP(gyre_device_destroy(NULL))
    NOTHING(gyre_device_isa(NULL))
    NOTHING(gyre_device_threads(NULL))
    NOTHING(gyre_device_op_count(NULL))
    SPOKEN(gyre_device_parallel_for(NULL, 1, idle, NULL))
    SPOKEN(gyre_device_parallel_for(device, 1, NULL, NULL))
    REFUSED(gyre_device_op_time(NULL, "advect", &rate, NULL))
    REFUSED(gyre_device_op_time(device, NULL, &rate, NULL))
    REFUSED(gyre_device_wait(NULL))
    REFUSED(gyre_device_copy_rate(NULL, 64, &rate))
    REFUSED(gyre_device_copy_rate(device, 64, NULL))
    NOTHING(gyre_device_bytes_read(NULL))
    NOTHING(gyre_device_name(NULL))
    NOTHING(gyre_vulkan_name(0, NULL, 8))
    nothing_bad();
}

static void grids_shapes_and_properties(void **state)
{
    (void)state;
    gyre_grid grid = {2, {8, 8, 1}, 0.1f, {0}};
    gyre_shape shape = gas_sphere(0, 0, 0, 1);
    gyre_pose pose = {.orientation = {0, 0, 0, 1}};
    gyre_gas_def def = gyre_gas_default_def(2);
    const gyre_property *table = gyre_gas_properties;
    const gyre_property *leaf = gyre_property_find(table, "viscosity");
    int n[3];
    REFUSED(gyre_grid_check(NULL))
    SPOKEN(gyre_grid_samples(NULL, GYRE_CENTRE, n))
    SPOKEN(gyre_grid_samples(&grid, GYRE_CENTRE, NULL))
    SPOKEN(gyre_grid_position(NULL, GYRE_CENTRE, 0, 0, 0, numbers))
    SPOKEN(gyre_grid_position(&grid, GYRE_CENTRE, 0, 0, 0, NULL))
    NOTHING(gyre_shape_distance(NULL, 2, point) != 0.0f)
    NOTHING(gyre_shape_distance(&shape, 2, NULL) != 0.0f)
    SPOKEN(gyre_shape_bounds(NULL, 2, numbers, numbers))
    SPOKEN(gyre_shape_bounds(&shape, 2, NULL, numbers))
    SPOKEN(gyre_shape_bounds(&shape, 2, numbers, NULL))
    SPOKEN(gyre_shape_posed_bounds(NULL, &pose, 2, numbers, numbers))
    SPOKEN(gyre_shape_posed_bounds(&shape, &pose, 2, NULL, numbers))
    SPOKEN(gyre_shape_posed_bounds(&shape, NULL, 2, numbers, NULL))
    NOTHING(gyre_shape_posed_distance(NULL, &pose, 2, point) != 0.0f)
    NOTHING(gyre_shape_posed_distance(&shape, &pose, 2, NULL) != 0.0f)
    SPOKEN(gyre_quaternion_from_degrees(NULL, numbers))
    SPOKEN(gyre_quaternion_from_degrees(point, NULL))
    SPOKEN(gyre_quaternion_to_degrees(NULL, numbers))
    SPOKEN(gyre_quaternion_to_degrees(pose.orientation, NULL))
    SPOKEN(gyre_quaternion_between(NULL, pose.orientation, 0.5, numbers))
    SPOKEN(gyre_quaternion_between(pose.orientation, NULL, 0.5, numbers))
    SPOKEN(gyre_quaternion_between(pose.orientation, pose.orientation, 0.5, NULL))
    SPOKEN(gyre_pose_quaternion(NULL, numbers))
    SPOKEN(gyre_pose_quaternion(&pose, NULL))
    SPOKEN(gyre_pose_to_world(NULL, point, numbers))
    SPOKEN(gyre_pose_to_world(&pose, NULL, numbers))
    SPOKEN(gyre_pose_to_world(&pose, point, NULL))
    SPOKEN(gyre_pose_to_own(NULL, point, numbers))
    SPOKEN(gyre_pose_to_own(&pose, NULL, numbers))
    SPOKEN(gyre_pose_to_own(&pose, point, NULL))
    NOTHING(gyre_vector(2, NULL).count)
    NO_OP(gyre_string(NULL))
    SPOKEN(gyre_property_defaults(NULL, &def, sizeof def))
    SPOKEN(gyre_property_defaults(table, NULL, sizeof def))
    REFUSED(gyre_property_check(NULL, &def, ""))
    REFUSED(gyre_property_check(table, NULL, ""))
    NOTHING(gyre_property_find(NULL, "viscosity"))
    NOTHING(gyre_property_find(table, NULL))
    NOTHING(gyre_property_nearest(NULL, "viscosity"))
    NOTHING(gyre_property_nearest(table, NULL))
    NOTHING(gyre_property_renamed(NULL, "viscosity"))
    NOTHING(gyre_property_renamed(table, NULL))
    NOTHING(gyre_name_nearest(NULL, 0, NULL, NULL))
    NOTHING(gyre_name_nearest("a", 1, NULL, NULL))
    SPOKEN(gyre_property_describe(NULL, bytes, sizeof bytes))
    SPOKEN(gyre_property_describe(leaf, NULL, sizeof bytes))
    REFUSED(gyre_property_write(NULL, &def.viscosity, &value))
    REFUSED(gyre_property_write(leaf, NULL, &value))
    REFUSED(gyre_property_write(leaf, &def.viscosity, NULL))
    REFUSED(gyre_property_set(NULL, &def.viscosity, &value))
    REFUSED(gyre_property_set(leaf, NULL, &value))
    REFUSED(gyre_property_set(leaf, &def.viscosity, NULL))
    REFUSED(gyre_property_read(NULL, &def.viscosity, &value))
    REFUSED(gyre_property_read(leaf, NULL, &value))
    REFUSED(gyre_property_read(leaf, &def.viscosity, NULL))
    REFUSED(gyre_property_parse(NULL, "1", &value))
    REFUSED(gyre_property_parse(leaf, NULL, &value))
    REFUSED(gyre_property_parse(leaf, "1", NULL))
    REFUSED(gyre_fail(GYRE_ERROR_ARGUMENT, NULL))
    nothing_bad();
}

static void paths(void **state)
{
    (void)state;
    gyre_gas_def def = gyre_gas_default_def(2);
    const gyre_property *table = gyre_gas_properties, *found;
    const gyre_property *leaf = gyre_property_find(table, "viscosity");
    const char *path = "viscosity";
    void *at;
    REFUSED(gyre_property_walk(NULL, &def, path, &found, &at))
    REFUSED(gyre_property_walk(table, NULL, path, &found, &at))
    REFUSED(gyre_property_walk(table, &def, NULL, &found, &at))
    REFUSED(gyre_property_walk(table, &def, path, NULL, &at))
    REFUSED(gyre_property_walk(table, &def, path, &found, NULL))
    REFUSED(gyre_property_reach(NULL, &def, path, &found, &at))
    REFUSED(gyre_property_reach(table, NULL, path, &found, &at))
    REFUSED(gyre_property_reach(table, &def, NULL, &found, &at))
    REFUSED(gyre_property_reach(table, &def, path, NULL, &at))
    REFUSED(gyre_property_reach(table, &def, path, &found, NULL))
    REFUSED(gyre_property_line(NULL, &def, path, &found))
    REFUSED(gyre_property_line(table, NULL, path, &found))
    REFUSED(gyre_property_line(table, &def, NULL, &found))
    REFUSED(gyre_property_line(table, &def, path, NULL))
    NOTHING(gyre_property_amount(NULL, &value, "ink"))
    NOTHING(gyre_property_amount(leaf, NULL, "ink"))
    NOTHING(gyre_property_amount(leaf, &value, NULL))
    NOTHING(gyre_property_enter(NULL, &value, "ink"))
    NOTHING(gyre_property_enter(leaf, NULL, "ink"))
    NOTHING(gyre_property_enter(leaf, &value, NULL))
    nothing_bad();
}

static void meshes(void **state)
{
    (void)state;
    static const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const int32_t corner[3] = {0, 1, 2};
    const gyre_mesh mesh = {corners, 3, corner, 1};
    const gyre_mesh unsound = {NULL, 3, corner, 1};
    gyre_mesh_measures measures;
    gyre_mesh_report report;
    gyre_mesh_place place;
    gyre_mesh_tree *tree = NULL, *other = NULL;
    must(gyre_mesh_tree_create(NULL, &mesh, &tree));
    REFUSED(gyre_mesh_check(NULL))
    REFUSED(gyre_mesh_check(&unsound))
    REFUSED(gyre_mesh_measure(NULL, &measures))
    REFUSED(gyre_mesh_measure(&mesh, NULL))
    REFUSED(gyre_mesh_inspect(NULL, NULL, &report))
    REFUSED(gyre_mesh_inspect(NULL, &mesh, NULL))
    REFUSED(gyre_mesh_normals(NULL, numbers, NULL))
    REFUSED(gyre_mesh_tree_create(NULL, NULL, &other))
    REFUSED(gyre_mesh_tree_create(NULL, &mesh, NULL))
    NO_OP(gyre_mesh_tree_destroy(NULL))
    REFUSED(gyre_mesh_tree_refit(NULL, corners))
    REFUSED(gyre_mesh_tree_refit(tree, NULL))
    NOTHING(gyre_mesh_tree_mesh(NULL).points)
    REFUSED(gyre_mesh_closest(NULL, point, 1, &place))
    REFUSED(gyre_mesh_closest(tree, NULL, 1, &place))
    REFUSED(gyre_mesh_closest(tree, point, 1, NULL))
    REFUSED(gyre_mesh_winding(NULL, point, 1, numbers))
    REFUSED(gyre_mesh_winding(tree, NULL, 1, numbers))
    REFUSED(gyre_mesh_winding(tree, point, 1, NULL))
    REFUSED(gyre_mesh_distance(NULL, point, 1, numbers))
    REFUSED(gyre_mesh_distance(tree, NULL, 1, numbers))
    REFUSED(gyre_mesh_distance(tree, point, 1, NULL))
    gyre_mesh_tree_destroy(tree);
    nothing_bad();
}

static void bodies(void **state)
{
    (void)state;
    gyre_bodies *set = NULL, *other = NULL;
    gyre_body body = gyre_bodies_default_body();
    gyre_body_state found;
    gyre_mesh mesh;
    must(gyre_bodies_create(NULL, &set));
    body.motion = GYRE_MOTION_DRIVEN;
    const gyre_id id = gyre_bodies_add(set, &body);
    SPOKEN(gyre_bodies_fill_def(NULL, 8))
    REFUSED(gyre_bodies_create(NULL, NULL))
    REFUSED(gyre_bodies_create(&(gyre_bodies_def){0}, &other))
    NO_OP(gyre_bodies_destroy(NULL))
    NOTHING(gyre_bodies_add(NULL, &body))
    NOTHING(gyre_bodies_add(set, NULL))
    REFUSED(gyre_bodies_update(NULL, id, &body))
    REFUSED(gyre_bodies_update(set, id, NULL))
    REFUSED(gyre_bodies_read(NULL, id, &body))
    REFUSED(gyre_bodies_read(set, id, NULL))
    REFUSED(gyre_bodies_remove(NULL, id))
    NOTHING(gyre_bodies_count(NULL))
    NOTHING(gyre_bodies_element(NULL, 0))
    NOTHING(gyre_bodies_find(NULL, "duck"))
    NOTHING(gyre_bodies_find(set, NULL))
    NOTHING(gyre_bodies_time(NULL) != 0.0)
    REFUSED(gyre_bodies_set_gravity(NULL, point))
    REFUSED(gyre_bodies_set_gravity(set, NULL))
    REFUSED(gyre_bodies_push(NULL, id, point, point))
    REFUSED(gyre_bodies_push_at(NULL, id, point, point))
    REFUSED(gyre_bodies_push_at(set, id, NULL, point))
    REFUSED(gyre_bodies_push_at(set, id, point, NULL))
    REFUSED(gyre_bodies_deform(NULL, id, (const float[3]){0}, 1))
    REFUSED(gyre_bodies_deform(set, id, NULL, 1))
    REFUSED(gyre_bodies_drive(NULL, id, &body.pose))
    REFUSED(gyre_bodies_drive(set, id, NULL))
    REFUSED(gyre_bodies_step(NULL, 0.1f))
    REFUSED(gyre_bodies_state(NULL, id, &found))
    REFUSED(gyre_bodies_state(set, id, NULL))
    REFUSED(gyre_bodies_distance(NULL, id, point, 1, numbers))
    REFUSED(gyre_bodies_distance(set, id, NULL, 1, numbers))
    REFUSED(gyre_bodies_distance(set, id, point, 1, NULL))
    REFUSED(gyre_bodies_velocity(NULL, id, point, 1, numbers))
    REFUSED(gyre_bodies_velocity(set, id, NULL, 1, numbers))
    REFUSED(gyre_bodies_velocity(set, id, point, 1, NULL))
    REFUSED(gyre_bodies_mesh(NULL, id, &mesh))
    REFUSED(gyre_bodies_mesh(set, id, NULL))
    NOTHING(gyre_bodies_hash(NULL))
    NOTHING(gyre_bodies_save_size(NULL))
    REFUSED(gyre_bodies_save(NULL, bytes, sizeof bytes, NULL))
    REFUSED(gyre_bodies_save(set, NULL, 1 << 20, NULL))
    REFUSED(gyre_bodies_load(NULL, bytes, sizeof bytes))
    REFUSED(gyre_bodies_load(set, NULL, 1 << 20))
    gyre_bodies_destroy(set);
    nothing_bad();
}

static void elements(void **state)
{
    (void)state;
    gyre_texture texture;
    gyre_gas_emitter emitter = gyre_gas_default_emitter();
    value = gyre_number(0);
    NOTHING(gyre_model_add(NULL, "emitters", &emitter))
    NOTHING(gyre_model_add(model, NULL, &emitter))
    NOTHING(gyre_model_add(model, "emitters", NULL))
    REFUSED(gyre_model_remove(NULL, 1))
    REFUSED(gyre_model_update(NULL, 1, &emitter))
    REFUSED(gyre_model_update(model, 1, NULL))
    REFUSED(gyre_model_read(NULL, 1, &emitter))
    REFUSED(gyre_model_read(model, 1, NULL))
    REFUSED(gyre_model_set_in(NULL, 1, "density", &value))
    REFUSED(gyre_model_set_in(model, 1, NULL, &value))
    REFUSED(gyre_model_set_in(model, 1, "density", NULL))
    REFUSED(gyre_model_get_in(NULL, 1, "density", &value))
    REFUSED(gyre_model_get_in(model, 1, NULL, &value))
    REFUSED(gyre_model_get_in(model, 1, "density", NULL))
    NOTHING(gyre_model_find(NULL, "emitters", "jet"))
    NOTHING(gyre_model_find(model, NULL, "jet"))
    NOTHING(gyre_model_find(model, "emitters", NULL))
    NOTHING(gyre_model_pool(NULL, 1))
    NOTHING(gyre_model_element(NULL, "emitters", 0))
    NOTHING(gyre_model_element(model, NULL, 0))
    REFUSED(gyre_model_texture(NULL, &texture))
    REFUSED(gyre_model_texture(model, NULL))
    nothing_bad();
}

static void queries(void **state)
{
    (void)state;
    gyre_shape region = gyre_sphere(point, 0.1f);
    gyre_mean mean;
    gyre_sight sight;
    REFUSED(gyre_model_probe(NULL, 0, point, 1, numbers))
    REFUSED(gyre_model_probe(model, 0, NULL, 1, numbers))
    REFUSED(gyre_model_probe(model, 0, point, 1, NULL))
    REFUSED(gyre_model_mean(NULL, 0, &region, 1, &mean))
    REFUSED(gyre_model_mean(model, 0, NULL, 1, &mean))
    REFUSED(gyre_model_mean(model, 0, &region, 1, NULL))
    REFUSED(gyre_model_sight(NULL, 0, 1.0f, true, numbers, 1, &sight))
    REFUSED(gyre_model_sight(model, 0, 1.0f, true, NULL, 1, &sight))
    REFUSED(gyre_model_sight(model, 0, 1.0f, true, numbers, 1, NULL))
    REFUSED(gyre_model_probe_vector(NULL, "velocity", point, 1, numbers))
    REFUSED(gyre_model_probe_vector(model, NULL, point, 1, numbers))
    REFUSED(gyre_model_probe_vector(model, "velocity", NULL, 1, numbers))
    REFUSED(gyre_model_probe_vector(model, "velocity", point, 1, NULL))
    nothing_bad();
}

static void models(void **state)
{
    (void)state;
    gyre_gas_def def = gyre_gas_default_def(2);
    gyre_model *made = NULL;
    gyre_mesh mesh;
    const void *stats;
    int count;
    value = gyre_number(0.1);
    REFUSED(gyre_model_type_find(NULL))
    NOTHING(gyre_model_type_properties(NULL, NULL))
    REFUSED(gyre_model_default_def(NULL, 2, &def, sizeof def))
    REFUSED(gyre_model_default_def("gas", 2, NULL, sizeof def))
    REFUSED(gyre_model_default_def("gas", 2, &def, sizeof def - 4))
    NOTHING(gyre_model_def_size(NULL, &def))
    NOTHING(gyre_model_def_size("gas", NULL))
    REFUSED(gyre_model_create(NULL, "gas", &def, &made))
    REFUSED(gyre_model_create(device, NULL, &def, &made))
    REFUSED(gyre_model_create(device, "gas", NULL, &made))
    REFUSED(gyre_model_create(device, "gas", &def, NULL))
    NO_OP(gyre_model_destroy(NULL))
    NOTHING(gyre_model_type(NULL))
    NOTHING(gyre_model_grid(NULL))
    NOTHING(gyre_model_device(NULL))
    NOTHING(gyre_model_time(NULL) != 0.0)
    NOTHING(gyre_model_steps(NULL))
    REFUSED(gyre_model_step(NULL, 0.1f))
    REFUSED(gyre_model_use_bodies(NULL, NULL))
    REFUSED(gyre_model_shift(NULL, NULL))
    REFUSED(gyre_model_set(NULL, "viscosity", &value))
    REFUSED(gyre_model_set(model, NULL, &value))
    REFUSED(gyre_model_set(model, "viscosity", NULL))
    REFUSED(gyre_model_get(NULL, "viscosity", &value))
    REFUSED(gyre_model_get(model, NULL, &value))
    REFUSED(gyre_model_get(model, "viscosity", NULL))
    NOTHING(gyre_model_def(NULL))
    NOTHING(gyre_model_mesh_count(NULL))
    REFUSED(gyre_model_mesh(NULL, 0, &mesh))
    REFUSED(gyre_model_mesh(model, 0, NULL))
    REFUSED(gyre_model_body_mesh(NULL, 0, &mesh))
    REFUSED(gyre_model_body_mesh(model, 0, NULL))
    NOTHING(gyre_model_has_bodies(NULL))
    NOTHING(gyre_model_sheet_count(NULL))
    REFUSED(gyre_model_sheet(NULL, 0, &mesh))
    REFUSED(gyre_model_sheet(model, 0, NULL))
    REFUSED(gyre_model_overhang(NULL, &mesh))
    REFUSED(gyre_model_overhang(model, NULL))
    NOTHING(gyre_model_fields(NULL, &count))
    NOTHING(gyre_model_fields(model, NULL))
    NO_INDEX(gyre_model_field(NULL, "density"))
    NO_INDEX(gyre_model_field(model, NULL))
    REFUSED(gyre_model_map(NULL, 0, GYRE_READ, &view))
    REFUSED(gyre_model_map(model, 0, GYRE_READ, NULL))
    REFUSED(gyre_model_unmap(NULL, 0))
    REFUSED(gyre_model_splat(NULL, 0, point, 0.1f, 1))
    REFUSED(gyre_model_splat(model, 0, NULL, 0.1f, 1))
    REFUSED(gyre_model_copy_sized(NULL, &request, sizeof request))
    REFUSED(gyre_model_copy_sized(model, NULL, sizeof request))
    REFUSED(gyre_model_copy_sized(model, &(gyre_copy){.bytes = 8}, sizeof request))
    NOTHING(gyre_model_total(NULL, 0) != 0.0)
    NOTHING(gyre_model_stats(NULL, &stats))
    NOTHING(gyre_model_stats(model, NULL))
    NOTHING(gyre_model_hash(NULL))
    NOTHING(gyre_model_missed(NULL, 0))
    NOTHING(gyre_model_report(NULL, 1, &stats))
    NOTHING(gyre_model_report(model, 1, NULL))
    NOTHING(gyre_model_report_table(NULL, "bodies"))
    NOTHING(gyre_model_report_table(model, NULL))
    NOTHING(gyre_model_save_size(NULL))
    REFUSED(gyre_model_save(NULL, bytes, sizeof bytes, NULL))
    REFUSED(gyre_model_save(model, NULL, 1 << 20, NULL))
    REFUSED(gyre_model_snapshot(NULL, bytes, sizeof bytes, NULL))
    REFUSED(gyre_model_snapshot(model, NULL, 1 << 20, NULL))
    REFUSED(gyre_model_load(NULL, bytes, sizeof bytes))
    REFUSED(gyre_model_load(model, NULL, 1 << 20))
    REFUSED(gyre_model_save_file(NULL, "/tmp/none"))
    REFUSED(gyre_model_save_file(model, NULL))
    REFUSED(gyre_model_load_file(NULL, "/tmp/none"))
    REFUSED(gyre_model_load_file(model, NULL))
    nothing_bad();
}

// Long because it calls every function of gyre/gas.h.
static void gases(void **state)
{
    (void)state;
    gyre_gas_def def = gyre_gas_default_def(2);
    gyre_gas_emitter emitter = gyre_gas_default_emitter();
    gyre_gas_push push;
    gyre_gas_solid solid = gyre_gas_default_solid();
    gyre_gas_force force = gyre_gas_default_force(GYRE_GAS_FAN);
    gyre_gas_patch patch = gyre_gas_default_patch();
    gyre_gas_sheet sheet = gyre_gas_default_sheet(GYRE_GAS_SHEET_LINE);
    gyre_gas *made = NULL;
    int count;
    NOTHING(gyre_gas_size(NULL))
    REFUSED(gyre_gas_create(NULL, &def, &made))
    REFUSED(gyre_gas_create(device, NULL, &made))
    REFUSED(gyre_gas_create(device, &def, NULL))
    NO_OP(gyre_gas_destroy(NULL))
    NOTHING(gyre_gas_model(NULL))
    REFUSED(gyre_gas_step(NULL, 0.1f))
    REFUSED(gyre_gas_set(NULL, "viscosity", gyre_number(0)))
    REFUSED(gyre_gas_set(gas, NULL, gyre_number(0)))
    REFUSED(gyre_gas_get(NULL, "viscosity", &value))
    REFUSED(gyre_gas_get(gas, NULL, &value))
    REFUSED(gyre_gas_get(gas, "viscosity", NULL))
    NOTHING(gyre_gas_add_emitter(NULL, &emitter))
    NOTHING(gyre_gas_add_emitter(gas, NULL))
    NOTHING(gyre_gas_add_solid(NULL, &solid))
    NOTHING(gyre_gas_add_solid(gas, NULL))
    REFUSED(gyre_gas_update_emitter(NULL, 1, &emitter))
    REFUSED(gyre_gas_update_emitter(gas, 1, NULL))
    REFUSED(gyre_gas_update_solid(NULL, 1, &solid))
    REFUSED(gyre_gas_update_solid(gas, 1, NULL))
    REFUSED(gyre_gas_read_emitter(NULL, 1, &emitter))
    REFUSED(gyre_gas_read_emitter(gas, 1, NULL))
    REFUSED(gyre_gas_read_push(NULL, 1, &push))
    REFUSED(gyre_gas_read_push(gas, 1, NULL))
    REFUSED(gyre_gas_read_solid(NULL, 1, &solid))
    REFUSED(gyre_gas_read_solid(gas, 1, NULL))
    NOTHING(gyre_gas_add_force(NULL, &force))
    NOTHING(gyre_gas_add_force(gas, NULL))
    REFUSED(gyre_gas_update_force(NULL, 1, &force))
    REFUSED(gyre_gas_update_force(gas, 1, NULL))
    REFUSED(gyre_gas_read_force(NULL, 1, &force))
    REFUSED(gyre_gas_read_force(gas, 1, NULL))
    NOTHING(gyre_gas_add_patch(NULL, &patch))
    NOTHING(gyre_gas_add_patch(gas, NULL))
    REFUSED(gyre_gas_update_patch(NULL, 1, &patch))
    REFUSED(gyre_gas_update_patch(gas, 1, NULL))
    REFUSED(gyre_gas_read_patch(NULL, 1, &patch))
    REFUSED(gyre_gas_read_patch(gas, 1, NULL))
    NOTHING(gyre_gas_add_sheet(NULL, &sheet))
    NOTHING(gyre_gas_add_sheet(gas, NULL))
    REFUSED(gyre_gas_update_sheet(NULL, 1, &sheet))
    REFUSED(gyre_gas_update_sheet(gas, 1, NULL))
    REFUSED(gyre_gas_read_sheet(NULL, 1, &sheet))
    REFUSED(gyre_gas_read_sheet(gas, 1, NULL))
    REFUSED(gyre_gas_remove(NULL, 1))
    REFUSED(gyre_gas_splat(NULL, 0, point, 0.1f, 1))
    REFUSED(gyre_gas_splat(gas, 0, NULL, 0.1f, 1))
    REFUSED(gyre_gas_set_source(NULL, 0, numbers))
    REFUSED(gyre_gas_set_force_rows(NULL, NULL, NULL, false))
    REFUSED(gyre_gas_set_velocity_rows(NULL, NULL, NULL))
    REFUSED(gyre_gas_set_floor(NULL, NULL))
    REFUSED(gyre_gas_take_push(NULL, numbers, numbers))
    REFUSED(gyre_gas_take_push(gas, NULL, numbers))
    REFUSED(gyre_sea_join(NULL, gyre_gas_model(gas)))
    REFUSED(gyre_wind_blow(NULL, gyre_gas_model(gas), 0, 0))
    REFUSED(gyre_wind_blow(gyre_gas_model(gas), NULL, 0, 0))
    REFUSED(gyre_gas_probe(NULL, 0, point, 1, numbers))
    REFUSED(gyre_gas_probe(gas, 0, NULL, 1, numbers))
    REFUSED(gyre_gas_probe(gas, 0, point, 1, NULL))
    NOTHING(gyre_gas_fields(NULL, &count))
    NOTHING(gyre_gas_fields(gas, NULL))
    NO_INDEX(gyre_gas_field(NULL, "density"))
    NO_INDEX(gyre_gas_field(gas, NULL))
    REFUSED(gyre_gas_map(NULL, 0, GYRE_READ, &view))
    REFUSED(gyre_gas_map(gas, 0, GYRE_READ, NULL))
    REFUSED(gyre_gas_unmap(NULL, 0))
    NOTHING(gyre_gas_get_stats(NULL).substeps)
    SPOKEN(gyre_gas_read_stats(gas, NULL, 8))
    SPOKEN(gyre_water_read_stats(water, NULL, 8))
    SPOKEN(gyre_gas_fill_def(NULL, 8, 2))
    SPOKEN(gyre_water_fill_def(NULL, 8, 2))
    SPOKEN(gyre_classic_fill_def(NULL, 8, 2))
    SPOKEN(gyre_poisson_fill_def(NULL, 8, 2))
    SPOKEN(gyre_device_fill_def(NULL, 8))
    NOTHING(gyre_sphere(NULL, 1.0f).as.sphere.radius > 0.0f)
    NOTHING(gyre_box(point, NULL).kind)
    NOTHING(gyre_capsule(NULL, point, 1.0f).kind)
    NOTHING(gyre_half_space(point, NULL).kind)
    NOTHING(gyre_volume_shape((gyre_volume){0}, NULL, point, 1.0f).kind)
    NOTHING(gyre_gas_get_budget(NULL, 2).total != 0.0)
    NOTHING(gyre_gas_hash(NULL))
    NOTHING(gyre_gas_save_size(NULL))
    REFUSED(gyre_gas_save(NULL, bytes, sizeof bytes, NULL))
    REFUSED(gyre_gas_save(gas, NULL, 1 << 20, NULL))
    REFUSED(gyre_gas_load(NULL, bytes, sizeof bytes))
    REFUSED(gyre_gas_load(gas, NULL, 1 << 20))
    nothing_bad();
}

static void waters(void **state)
{
    (void)state;
    gyre_water_def def = gyre_water_default_def(2);
    gyre_water_body body = gyre_water_default_body();
    gyre_water_source source = gyre_water_default_source();
    gyre_water_edge edge = gyre_water_default_edge();
    gyre_water_gate gate = gyre_water_default_gate();
    gyre_water_uplift uplift = gyre_water_default_uplift();
    gyre_water *made = NULL;
    NOTHING(gyre_water_size(NULL))
    REFUSED(gyre_water_create(NULL, &def, &made))
    REFUSED(gyre_water_create(device, NULL, &made))
    REFUSED(gyre_water_create(device, &def, NULL))
    NO_OP(gyre_water_destroy(NULL))
    NOTHING(gyre_water_model(NULL))
    REFUSED(gyre_water_pool(NULL, numbers, 2, 2, 0.1f, 1.0f, &made))
    REFUSED(gyre_water_pool(device, NULL, 2, 2, 0.1f, 1.0f, &made))
    REFUSED(gyre_water_pool(device, numbers, 2, 2, 0.1f, 1.0f, NULL))
    REFUSED(gyre_water_step(NULL, 0.1f))
    REFUSED(gyre_water_set(NULL, "rain", gyre_number(0)))
    REFUSED(gyre_water_set(water, NULL, gyre_number(0)))
    REFUSED(gyre_water_get(NULL, "rain", &value))
    REFUSED(gyre_water_get(water, NULL, &value))
    REFUSED(gyre_water_get(water, "rain", NULL))
    NOTHING(gyre_water_add_edge(NULL, &edge))
    NOTHING(gyre_water_add_edge(water, NULL))
    REFUSED(gyre_water_update_edge(NULL, 1, &edge))
    REFUSED(gyre_water_update_edge(water, 1, NULL))
    REFUSED(gyre_water_read_edge(NULL, 1, &edge))
    REFUSED(gyre_water_read_edge(water, 1, NULL))
    NOTHING(gyre_water_add_gate(NULL, &gate))
    NOTHING(gyre_water_add_gate(water, NULL))
    REFUSED(gyre_water_update_gate(NULL, 1, &gate))
    REFUSED(gyre_water_update_gate(water, 1, NULL))
    REFUSED(gyre_water_read_gate(NULL, 1, &gate))
    REFUSED(gyre_water_read_gate(water, 1, NULL))
    NOTHING(gyre_water_add_source(NULL, &source))
    NOTHING(gyre_water_add_source(water, NULL))
    REFUSED(gyre_water_update_source(NULL, 1, &source))
    REFUSED(gyre_water_update_source(water, 1, NULL))
    REFUSED(gyre_water_read_source(NULL, 1, &source))
    REFUSED(gyre_water_read_source(water, 1, NULL))
    NOTHING(gyre_water_add_uplift(NULL, &uplift))
    NOTHING(gyre_water_add_uplift(water, NULL))
    REFUSED(gyre_water_update_uplift(NULL, 1, &uplift))
    REFUSED(gyre_water_update_uplift(water, 1, NULL))
    REFUSED(gyre_water_read_uplift(NULL, 1, &uplift))
    REFUSED(gyre_water_read_uplift(water, 1, NULL))
    NOTHING(gyre_water_add_body(NULL, &body))
    NOTHING(gyre_water_add_body(water, NULL))
    REFUSED(gyre_water_update_body(NULL, 1, &body))
    REFUSED(gyre_water_update_body(water, 1, NULL))
    REFUSED(gyre_water_read_body(NULL, 1, &body))
    REFUSED(gyre_water_read_body(water, 1, NULL))
    REFUSED(gyre_water_remove(NULL, 1))
    nothing_bad();
}

static void fields_of_waters(void **state)
{
    (void)state;
    int count;
    gyre_water_body body = gyre_water_default_body();
    gyre_water_line line;
    gyre_water_sample sample;
    gyre_water_together together;
    gyre_body_report report;
    NOTHING(gyre_water_fields(NULL, &count))
    NOTHING(gyre_water_fields(water, NULL))
    NO_INDEX(gyre_water_field(NULL, "bed"))
    NO_INDEX(gyre_water_field(water, NULL))
    REFUSED(gyre_water_map(NULL, 0, GYRE_READ, &view))
    REFUSED(gyre_water_map(water, 0, GYRE_READ, NULL))
    REFUSED(gyre_water_unmap(NULL, 0))
    REFUSED(gyre_water_splat(NULL, 0, point, 0.1f, 1))
    REFUSED(gyre_water_splat(water, 0, NULL, 0.1f, 1))
    REFUSED(gyre_water_probe(NULL, 0, point, 1, numbers))
    REFUSED(gyre_water_probe(water, 0, NULL, 1, numbers))
    REFUSED(gyre_water_probe(water, 0, point, 1, NULL))
    NOTHING(gyre_water_save_size(NULL))
    REFUSED(gyre_water_save(NULL, numbers, sizeof numbers, NULL))
    REFUSED(gyre_water_save(water, NULL, 1 << 20, NULL))
    REFUSED(gyre_water_load(NULL, numbers, sizeof numbers))
    REFUSED(gyre_water_load(water, NULL, 1 << 20))
    NOTHING(gyre_water_get_stats(NULL).tiles)
    NOTHING(gyre_water_hash(NULL))
    NOTHING(gyre_water_ledger(NULL, &line, 1))
    NOTHING(gyre_water_ledger(water, NULL, 1))
    REFUSED(gyre_water_join(NULL, NULL))
    gyre_water_front front;
    NOTHING(gyre_water_fronts(NULL, &front, 1))
    NOTHING(gyre_water_fronts(water, NULL, 1))
    REFUSED(gyre_water_rebase(NULL, NULL))
    REFUSED(gyre_water_nest(NULL, water))
    REFUSED(gyre_water_nest(water, NULL))
    NOTHING(gyre_water_of(NULL))
    REFUSED(gyre_water_count_together(NULL, &together))
    REFUSED(gyre_water_count_together(water, NULL))
    REFUSED(gyre_water_redistribute(NULL, 1.0f, NULL))
    REFUSED(gyre_water_query(NULL, point, 1, &sample))
    REFUSED(gyre_water_query(water, NULL, 1, &sample))
    REFUSED(gyre_water_query(water, point, 1, NULL))
    REFUSED(gyre_water_submerged(NULL, numbers, 1, numbers))
    REFUSED(gyre_water_submerged(water, NULL, 1, numbers))
    REFUSED(gyre_water_submerged(water, numbers, 1, NULL))
    REFUSED(gyre_water_report(NULL, 1, &report))
    REFUSED(gyre_water_report(water, 1, NULL))
    REFUSED(gyre_water_report_body(NULL, &body, &report))
    REFUSED(gyre_water_report_body(water, NULL, &report))
    REFUSED(gyre_water_report_body(water, &body, NULL))
    nothing_bad();
}

static void solvers_and_vulkan(void **state)
{
    (void)state;
    gyre_poisson_def def = gyre_poisson_default_def(2);
    gyre_poisson *made = NULL;
    const double *history;
    gyre_vulkan_field shared;
    gyre_vulkan_identity identity;
    gyre_vulkan_export *export = NULL;
    gyre_vulkan_copy copy;
    uint64_t size;
    int fd;
    REFUSED(gyre_poisson_create(NULL, &def, &made))
    REFUSED(gyre_poisson_create(device, NULL, &made))
    REFUSED(gyre_poisson_create(device, &def, NULL))
    NO_OP(gyre_poisson_destroy(NULL))
    REFUSED(gyre_poisson_set_shift(NULL, 1))
    SPOKEN(gyre_poisson_set_b(NULL, numbers))
    SPOKEN(gyre_poisson_set_b(poisson, NULL))
    SPOKEN(gyre_poisson_set_x(NULL, numbers))
    SPOKEN(gyre_poisson_set_x(poisson, NULL))
    REFUSED(gyre_poisson_solve(NULL, true, NULL))
    SPOKEN(gyre_poisson_get_x(NULL, numbers, NULL))
    SPOKEN(gyre_poisson_get_x(poisson, NULL, NULL))
    NOTHING(gyre_poisson_history(NULL, &history))
    NOTHING(gyre_poisson_history(poisson, NULL))
    REFUSED(gyre_vulkan_share(NULL, 0, &shared))
    REFUSED(gyre_vulkan_share(model, 0, NULL))
    REFUSED(gyre_vulkan_await(NULL, 1, 1))
    REFUSED(gyre_vulkan_identify(NULL, &identity))
    REFUSED(gyre_vulkan_identify(device, NULL))
    REFUSED(gyre_vulkan_export_size(NULL, 0, &size))
    REFUSED(gyre_vulkan_export_size(model, 0, NULL))
    REFUSED(gyre_vulkan_export_create(NULL, 64, &export))
    REFUSED(gyre_vulkan_export_create(device, 64, NULL))
    NO_OP(gyre_vulkan_export_destroy(NULL))
    REFUSED(gyre_vulkan_export_open(NULL, &fd, &size))
    REFUSED(gyre_vulkan_export_field(NULL, 0, model, 0, &copy))
    REFUSED(gyre_vulkan_export_wait(NULL, 1))
    nothing_bad();
}

static void classic(void **state)
{
    (void)state;
    gyre_classic_box box = gyre_classic_default_box(2, 4);
    float a[64] = {0}, b[64] = {0}, c[64] = {0}, d[64] = {0};
    float *const pair[3] = {a, b, NULL}, *const other[3] = {c, d, NULL};
    const float *const carrier[3] = {a, b, NULL};
    const float *const tex[3] = {c, d, NULL};
    uint8_t picture[64] = {0};
    REFUSED(gyre_classic_check(NULL))
    REFUSED(gyre_classic_add_source(NULL, a, b, 0.1f))
    REFUSED(gyre_classic_add_source(&box, NULL, b, 0.1f))
    REFUSED(gyre_classic_add_source(&box, a, NULL, 0.1f))
    REFUSED(gyre_classic_set_bnd(NULL, 0, a))
    REFUSED(gyre_classic_set_bnd(&box, 0, NULL))
    REFUSED(gyre_classic_lin_solve(NULL, 0, a, b, 1, 4))
    REFUSED(gyre_classic_lin_solve(&box, 0, NULL, b, 1, 4))
    REFUSED(gyre_classic_lin_solve(&box, 0, a, NULL, 1, 4))
    REFUSED(gyre_classic_diffuse(NULL, 0, a, b, 1, 0.1f))
    REFUSED(gyre_classic_diffuse(&box, 0, NULL, b, 1, 0.1f))
    REFUSED(gyre_classic_diffuse(&box, 0, a, NULL, 1, 0.1f))
    REFUSED(gyre_classic_advect(NULL, 0, c, d, carrier, 0.1f))
    REFUSED(gyre_classic_advect(&box, 0, NULL, d, carrier, 0.1f))
    REFUSED(gyre_classic_advect(&box, 0, c, NULL, carrier, 0.1f))
    REFUSED(gyre_classic_advect(&box, 0, c, d, NULL, 0.1f))
    REFUSED(gyre_classic_project(NULL, pair, c, d))
    REFUSED(gyre_classic_project(&box, NULL, c, d))
    REFUSED(gyre_classic_project(&box, pair, NULL, d))
    REFUSED(gyre_classic_project(&box, pair, c, NULL))
    REFUSED(gyre_classic_confine(NULL, pair, other, 0.1f))
    REFUSED(gyre_classic_confine(&box, NULL, other, 0.1f))
    REFUSED(gyre_classic_confine(&box, pair, NULL, 0.1f))
    REFUSED(gyre_classic_dens_step(NULL, c, d, carrier, 0, 0.1f))
    REFUSED(gyre_classic_dens_step(&box, NULL, d, carrier, 0, 0.1f))
    REFUSED(gyre_classic_dens_step(&box, c, NULL, carrier, 0, 0.1f))
    REFUSED(gyre_classic_dens_step(&box, c, d, NULL, 0, 0.1f))
    REFUSED(gyre_classic_vel_step(NULL, pair, other, 0, 0.1f))
    REFUSED(gyre_classic_vel_step(&box, NULL, other, 0, 0.1f))
    REFUSED(gyre_classic_vel_step(&box, pair, NULL, 0, 0.1f))
    REFUSED(gyre_classic_tex_reset(NULL, other))
    REFUSED(gyre_classic_tex_reset(&box, NULL))
    REFUSED(gyre_classic_tex_step(NULL, pair, other, carrier, 0.1f))
    REFUSED(gyre_classic_tex_step(&box, NULL, other, carrier, 0.1f))
    REFUSED(gyre_classic_tex_step(&box, pair, NULL, carrier, 0.1f))
    REFUSED(gyre_classic_tex_step(&box, pair, other, NULL, 0.1f))
    REFUSED(gyre_classic_tex_draw(NULL, tex, 0, picture, 2, 2, 1, picture))
    REFUSED(gyre_classic_tex_draw(&box, NULL, 0, picture, 2, 2, 1, picture))
    REFUSED(gyre_classic_tex_draw(&box, tex, 0, NULL, 2, 2, 1, picture))
    REFUSED(gyre_classic_tex_draw(&box, tex, 0, picture, 2, 2, 1, NULL))
    nothing_bad();
}

// A function that comes has its lines here.
static void every_function_is_tried(void **state)
{
    (void)state;
    static const char *const headers[] = {"base",     "mesh",    "pose",   "device", "grid",
                                          "property", "shape",   "model",  "gas",    "water",
                                          "solve",    "classic", "vulkan", NULL};
    for (int h = 0; headers[h]; h++) {
        char path[64];
        snprintf(path, sizeof path, "include/gyre/%s.h", headers[h]);
        null_covers("test/test_null.c", path);
    }
    nothing_bad();
}

static void particles_of_models(void **state)
{
    (void)state;
    NOTHING(gyre_model_particle_sets(NULL))
    NOTHING(gyre_model_particles(NULL, 0))
    NO_INDEX(gyre_model_particle_set(NULL, "tracers"))
    NO_INDEX(gyre_model_particle_set(model, NULL))
    REFUSED(gyre_model_map_particles(NULL, 0, GYRE_READ, &particles))
    REFUSED(gyre_model_map_particles(model, 0, GYRE_READ, NULL))
    REFUSED(gyre_model_unmap_particles(NULL, 0, 0))
    REFUSED(gyre_model_particle_stats(NULL, 0, &told))
    REFUSED(gyre_model_particle_stats(model, 0, NULL))
    nothing_bad();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(particles_of_models),
        cmocka_unit_test(devices),
        cmocka_unit_test(grids_shapes_and_properties),
        cmocka_unit_test(paths),
        cmocka_unit_test(meshes),
        cmocka_unit_test(bodies),
        cmocka_unit_test(models),
        cmocka_unit_test(queries),
        cmocka_unit_test(elements),
        cmocka_unit_test(gases),
        cmocka_unit_test(waters),
        cmocka_unit_test(fields_of_waters),
        cmocka_unit_test(solvers_and_vulkan),
        cmocka_unit_test(classic),
        cmocka_unit_test(every_function_is_tried),
    };
    return cmocka_run_group_tests(tests, make_all, drop_all);
}
