// test/test_particle_files.c: particles in files: .npz, .npy, .ply and .vtp are read back by other
// programs than gyre, and what cannot be written is refused.
// labels: small
// needs: scene
#define _DEFAULT_SOURCE 1

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gyre/io.h"
#include "gyre/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COUNT = 5000 };

static char folder[] = "/tmp/gyre_particles_XXXXXX";
static char path[512];
static float position[3 * COUNT], warmth[COUNT];
static int32_t kinds[2 * COUNT];

static const char *in_folder(const char *file)
{
    snprintf(path, sizeof path, "%s/%s", folder, file);
    return path;
}

static bool python_has(const char *module)
{
    char command[256];
    snprintf(command, sizeof command, "/usr/bin/python3 -c 'import %s' 2>/dev/null", module);
    return system(command) == 0;
}

static void run_python(const char *script)
{
    char command[2048];
    snprintf(command, sizeof command, "cd %s && /usr/bin/python3 -c '%s'", folder, script);
    assert_int_equal(system(command), 0);
}

static const gyre_named_attribute attributes[] = {
    {"position", 3, false, position},
    {"warmth", 1, false, warmth},
    {"kind", 2, true, kinds},
};
static const gyre_named_particles set = {"sparks", COUNT, attributes, 3};

static int fill(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT; i++) {
        for (int a = 0; a < 3; a++) {
            position[3 * i + a] = (float)i + 0.25f * (float)a;
        }
        warmth[i] = -0.5f * (float)i;
        kinds[2 * i] = i;
        kinds[2 * i + 1] = -i;
    }
    return mkdtemp(folder) ? 0 : 1;
}

static int empty(void **state)
{
    static const char *const files[] = {
        "a.npz",    "a.ply",          "a.vtp",           "e.npz",         "e.ply",      "e.vtp",
        "s.json",   "s.npz",          "e.position.npy",  "e.warmth.npy",  "e.kind.npy", "s.age.npy",
        "s.id.npy", "s.position.npy", "a7.position.npy", "a7.warmth.npy", "a7.kind.npy"};
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        remove(in_folder(files[i]));
    }
    return rmdir(folder);
}

static gyre_result write_set(const char *file, const gyre_named_particles *sets, int count)
{
    gyre_sink *sink = NULL;
    gyre_frame frame = {.time = 1.5, .particles = sets, .particle_count = count};
    assert_int_equal(gyre_sink_open(in_folder(file), 0, 0, 0, &sink), GYRE_OK);
    assert_int_equal(gyre_sink_write(sink, &frame), GYRE_OK); // the last frame is kept for close
    return gyre_sink_close(sink);
}

static char *read_all(const char *file, size_t *size)
{
    FILE *stream = fopen(in_folder(file), "rb");
    assert_non_null(stream);
    char *bytes = calloc(1, 1 << 20);
    *size = fread(bytes, 1, 1 << 20, stream);
    fclose(stream);
    return bytes;
}

static void points_of_ply(void **state)
{
    (void)state;
    size_t size;
    assert_int_equal(write_set("a.ply", &set, 1), GYRE_OK);
    char *bytes = read_all("a.ply", &size), *end = strstr(bytes, "end_header\n");
    assert_non_null(end);
    assert_int_equal(strncmp(bytes, "ply\nformat binary_little_endian 1.0\n", 36), 0);
    assert_non_null(strstr(bytes, "element vertex 5000\nproperty float x\nproperty float y\n"
                                  "property float z\nproperty float warmth\n"
                                  "property int kind_0\nproperty int kind_1\nend_header\n"));
    end += strlen("end_header\n");
    assert_int_equal(size - (size_t)(end - bytes), COUNT * 24);
    for (int i = 0; i < COUNT; i++) {
        float numbers[4];
        int32_t whole[2];
        memcpy(numbers, end + 24 * i, sizeof numbers);
        memcpy(whole, end + 24 * i + 16, sizeof whole);
        assert_true(numbers[0] == position[3 * i] && numbers[2] == position[3 * i + 2]);
        assert_true(numbers[3] == warmth[i] && whole[0] == i && whole[1] == -i);
    }
    free(bytes);
}

static void arrays_of_npz(void **state)
{
    (void)state;
    assert_int_equal(write_set("a.npz", &set, 1), GYRE_OK);
    if (!python_has("numpy")) {
        print_message("[  NOTE  ] no python3 with numpy\n");
        skip();
    }
    run_python("import numpy as n, zipfile as z; assert z.ZipFile(\"a.npz\").testzip() is None; "
               "a = n.load(\"a.npz\"); assert sorted(a) == [\"kind\", \"position\", \"warmth\"]; "
               "i = n.arange(5000); p = a[\"position\"]; assert p.dtype == n.float32; "
               "assert (p == i[:, None] + 0.25 * n.arange(3)).all(); "
               "assert (a[\"warmth\"] == -0.5 * i).all() and a[\"warmth\"].shape == (5000,); "
               "assert a[\"kind\"].dtype == n.int32 and (a[\"kind\"][:, 1] == -i).all()");
}

/// An attribute's file: by the letter of NumPy's format, a header of 128 bytes and the numbers.
static void require_array(const char *file, const char *header, const void *numbers, size_t bytes)
{
    size_t size;
    char *all = read_all(file, &size);
    assert_int_equal(size, 128 + bytes);
    assert_memory_equal(all, "\x93NUMPY\x01\x00\x76\x00", 10);
    assert_int_equal(strncmp(all + 10, header, strlen(header)), 0);
    for (size_t i = 10 + strlen(header); i < 127; i++) {
        assert_int_equal(all[i], ' ');
    }
    assert_int_equal(all[127], '\n');
    assert_memory_equal(all + 128, numbers, bytes);
    free(all);
}

static void a_file_of_each_attribute(void **state)
{
    (void)state;
    gyre_sink *sink = NULL;
    gyre_frame frame = {.number = 7, .time = 1.5, .particles = &set, .particle_count = 1};
    assert_true(gyre_format_of("a.particles.npy")->per_attribute);
    assert_false(gyre_format_of("a.npy")->per_attribute);
    assert_int_equal(gyre_sink_open(in_folder("a%d.particles.npy"), 0, 0, 0, &sink), GYRE_OK);
    assert_int_equal(gyre_sink_write(sink, &frame), GYRE_OK);
    assert_int_equal(gyre_sink_close(sink), GYRE_OK);
    require_array("a7.position.npy",
                  "{'descr': '<f4', 'fortran_order': False, 'shape': (5000, 3), }", position,
                  sizeof position);
    require_array("a7.warmth.npy", "{'descr': '<f4', 'fortran_order': False, 'shape': (5000,), }",
                  warmth, sizeof warmth);
    require_array("a7.kind.npy", "{'descr': '<i4', 'fortran_order': False, 'shape': (5000, 2), }",
                  kinds, sizeof kinds);
    if (python_has("numpy")) {
        run_python("import numpy as n; p = n.load(\"a7.position.npy\"); i = n.arange(5000); "
                   "assert (p == i[:, None] + 0.25 * n.arange(3)).all(); "
                   "assert n.load(\"a7.warmth.npy\").shape == (5000,); "
                   "assert (n.load(\"a7.kind.npy\")[:, 1] == -i).all()");
    }
}

static void vertices_of_vtp(void **state)
{
    (void)state;
    assert_int_equal(write_set("a.vtp", &set, 1), GYRE_OK);
    if (python_has("vtkmodules.vtkIOXML")) {
        run_python("from vtkmodules.vtkIOXML import vtkXMLPolyDataReader as R; r = R(); "
                   "r.SetFileName(\"a.vtp\"); r.Update(); o = r.GetOutput(); "
                   "assert o.GetNumberOfPoints() == 5000 and o.GetNumberOfVerts() == 5000; "
                   "assert o.GetPoint(7) == (7.0, 7.25, 7.5); d = o.GetPointData(); "
                   "assert d.GetArray(\"warmth\").GetValue(9) == -4.5; "
                   "assert d.GetArray(\"kind\").GetTuple(3) == (3.0, -3.0)");
    }
    if (!python_has("numpy")) {
        print_message("[  NOTE  ] no python3 with numpy\n");
        skip();
    }
    // By the letter of the format: each offset leads to a size and so many bytes.
    run_python("import re, numpy as n; d = open(\"a.vtp\", \"rb\").read(); "
               "s = d.index(b\"_\", d.index(b\"AppendedData\")) + 1; "
               "t = {b\"Float32\": n.float32, b\"Int32\": n.int32, b\"Int64\": n.int64}; "
               "f = lambda k, o: n.frombuffer(d, t[k], int(n.frombuffer(d, n.uint64, 1, s + o)[0])"
               " // n.dtype(t[k]).itemsize, s + o + 8); "
               "a = {m[1]: f(m[0], int(m[2])) for m in re.findall(rb\"type=.(\\w+). "
               "Name=.(\\w+).[^>]* offset=.(\\d+).\", d)}; i = n.arange(5000); "
               "assert (a[b\"position\"].reshape(-1, 3) == i[:, None] + 0.25 * n.arange(3)).all(); "
               "assert (a[b\"warmth\"] == -0.5 * i).all(); "
               "assert (a[b\"kind\"].reshape(-1, 2)[:, 1] == -i).all(); "
               "assert (a[b\"connectivity\"] == i).all() and (a[b\"offsets\"] == i + 1).all()");
}

static void no_particles_are_a_file_too(void **state)
{
    (void)state;
    gyre_named_particles none = set;
    none.count = 0;
    assert_int_equal(write_set("e.ply", &none, 1), GYRE_OK);
    assert_int_equal(write_set("e.vtp", &none, 1), GYRE_OK);
    assert_int_equal(write_set("e.npz", &none, 1), GYRE_OK);
    assert_int_equal(write_set("e.particles.npy", &none, 1), GYRE_OK);
    require_array("e.position.npy", "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 3), }",
                  "", 0);
    if (python_has("numpy")) {
        run_python("import numpy as n; assert n.load(\"e.npz\")[\"position\"].shape == (0, 3)");
    }
}

static void what_does_not_fit_is_refused(void **state)
{
    static const char *const files[] = {"b.ply", "b.vtp", "b.npz", "b.particles.npy"};
    (void)state;
    for (int f = 0; f < 4; f++) {
        const gyre_named_particles two[2] = {set, set};
        gyre_named_particles bad = set;
        assert_int_equal(write_set(files[f], two, 2), GYRE_ERROR_ARGUMENT);
        assert_non_null(strstr(gyre_message(), "one set"));
        bad.attributes = attributes + 1;
        bad.attribute_count = 1;
        assert_int_equal(write_set(files[f], &bad, 1), GYRE_ERROR_ARGUMENT);
        assert_non_null(strstr(gyre_message(), "position"));
        gyre_named_attribute odd[2] = {attributes[0], {"a<b", 1, false, warmth}};
        bad.attributes = odd;
        bad.attribute_count = 2;
        assert_int_equal(write_set(files[f], &bad, 1), GYRE_ERROR_ARGUMENT);
        assert_int_not_equal(access(in_folder(files[f]), F_OK), 0);
        assert_int_not_equal(access(in_folder("b.position.npy"), F_OK), 0);
    }
}

static void a_scene_hands_its_own_over(void **state)
{
    (void)state;
    gyre_scene *scene = NULL;
    gyre_device_def def = gyre_default_device_def();
    gyre_device *device = NULL;
    gyre_particle_sets *sets = NULL;
    int count = -1;
    FILE *stream = fopen(in_folder("s.json"), "w");
    assert_non_null(stream);
    fputs("{\"models\": {\"gas\": {\"grid\": {\"dim\": 2, \"n\": [16, 16, 1]}, "
          "\"tracers\": {\"capacity\": 50, \"start\": 20}}}}",
          stream);
    fclose(stream);
    assert_int_equal(gyre_scene_load(in_folder("s.json"), &scene), GYRE_OK);
    assert_int_equal(gyre_particle_sets_open(scene, 0, &sets), GYRE_ERROR_STATE);
    assert_int_equal(gyre_device_create(&def, &device), GYRE_OK);
    assert_int_equal(gyre_scene_create(scene, device), GYRE_OK);
    assert_int_equal(gyre_particle_sets_open(scene, 0, &sets), GYRE_OK);
    const gyre_named_particles *views = gyre_particle_sets_views(sets, &count);
    assert_int_equal(count, 1);
    assert_string_equal(views[0].name, "tracers");
    assert_true(views[0].count == 20 && views[0].attribute_count == 3);
    // Beside the model's own.
    gyre_particle_view view;
    gyre_model *model = gyre_scene_model(scene, 0);
    assert_int_equal(gyre_model_map_particles(model, 0, GYRE_READ, &view), GYRE_OK);
    for (int i = 0; i < 20; i++) {
        for (int a = 0; a < 3; a++) {
            assert_true(((const float *)views[0].attributes[0].data)[3 * i + a] ==
                        ((const float *)view.data[a])[i]);
        }
    }
    assert_int_equal(gyre_model_unmap_particles(model, 0, 20), GYRE_OK);
    assert_int_equal(write_set("s.npz", views, 1), GYRE_OK);
    assert_int_equal(write_set("s.particles.npy", views, 1), GYRE_OK);
    require_array("s.id.npy", "{'descr': '<i4', 'fortran_order': False, 'shape': (20,), }",
                  views[0].attributes[2].data, 80);
    gyre_particle_sets_close(sets);
    gyre_scene_destroy(scene);
    gyre_device_destroy(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_of_ply),
        cmocka_unit_test(arrays_of_npz),
        cmocka_unit_test(a_file_of_each_attribute),
        cmocka_unit_test(vertices_of_vtp),
        cmocka_unit_test(no_particles_are_a_file_too),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(a_scene_hands_its_own_over),
    };
    return cmocka_run_group_tests(tests, fill, empty);
}
