// test/test_mesh_io.c: meshes come back from files as they were written, files of others are read,
// and what is damaged or cut is refused with its place.
// labels: small
// needs: scene
#define _DEFAULT_SOURCE 1
#include "mesh_case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "gyre/io.h"

#include <cmocka.h>

static char folder[] = "mesh_io_XXXXXX";
static char place[256];

static const char *path_of(const char *name)
{
    snprintf(place, sizeof place, "%s/%s", folder, name);
    return place;
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : 1;
}

static int remove_folder(void **state)
{
    (void)state;
    const char *const names[] = {"m.obj", "m.ply", "m.stl"};
    for (int i = 0; i < 3; i++) {
        remove(path_of(names[i]));
    }
    return rmdir(folder);
}

static void must(gyre_result result)
{
    if (result != GYRE_OK) {
        fail_msg("%s: %s", gyre_result_name(result), gyre_message());
    }
}

static const char *write_bytes(const char *name, const void *bytes, size_t size)
{
    const char *path = path_of(name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
    return path;
}

static size_t read_bytes(const char *path, unsigned char *bytes, size_t room)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, room, file);
    fclose(file);
    return size;
}

static gyre_mesh read_text(const char *name, const char *text)
{
    gyre_mesh mesh = {0};
    must(gyre_mesh_read(write_bytes(name, text, strlen(text)), &mesh));
    return mesh;
}

/// Refused with a message that has the file, what stands behind it, and `words` somewhere.
static void refused(const char *name, const char *text, const char *where, const char *words)
{
    gyre_mesh mesh = {0};
    const char *path = write_bytes(name, text, strlen(text));
    char begin[300];
    if (gyre_mesh_read(path, &mesh) != GYRE_ERROR_FORMAT) {
        fail_msg("not refused: %s", text);
    }
    snprintf(begin, sizeof begin, "%s:%s: ", path, where);
    if (strncmp(gyre_message(), begin, strlen(begin)) != 0 || !strstr(gyre_message(), words)) {
        fail_msg("\"%s\" does not begin with \"%s\" or lacks \"%s\"", gyre_message(), begin, words);
    }
    assert_null(mesh.points);
}

// ---- round trips --------------------------------------------------------------------------------

static void all_come_back(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        gyre_mesh_encoding encoding;
    } kinds[] = {{"m.obj", GYRE_MESH_TEXT},       {"m.obj", GYRE_MESH_BINARY},
                 {"m.ply", GYRE_MESH_TEXT},       {"m.ply", GYRE_MESH_BINARY},
                 {"m.ply", GYRE_MESH_BIG_ENDIAN}, {"m.stl", GYRE_MESH_TEXT},
                 {"m.stl", GYRE_MESH_BINARY}};
    mesh_case c = mesh_case_sphere(9, 13, 0.7);
    c.points[7] = 1.17549435e-38f; // the least that is normal
    c.points[8] = -999999.94f;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        gyre_mesh mesh = {0};
        must(gyre_mesh_write(path_of(kinds[k].name), &c.mesh, kinds[k].encoding));
        must(gyre_mesh_read(place, &mesh));
        assert_int_equal(mesh.point_count, c.mesh.point_count);
        assert_int_equal(mesh.triangle_count, c.mesh.triangle_count);
        for (int i = 0; i < 3 * mesh.triangle_count; i++) {
            // .stl has no numbers of points: it gives them anew.
            const float *is = mesh.points + 3 * mesh.triangles[i];
            const float *was = c.points + 3 * c.triangles[i];
            for (int a = 0; a < 3; a++) {
                assert_true(is[a] == was[a]);
            }
        }
        gyre_mesh_report report;
        must(gyre_mesh_inspect(NULL, &mesh, &report));
        assert_true(report.closed && report.oriented);
        gyre_mesh_free(&mesh);
        assert_null(mesh.points);
    }
    assert_int_equal(gyre_mesh_write(path_of("m.stl"), &c.mesh, GYRE_MESH_BIG_ENDIAN),
                     GYRE_ERROR_ARGUMENT);
    assert_int_equal(gyre_mesh_write(path_of("m.off"), &c.mesh, GYRE_MESH_TEXT),
                     GYRE_ERROR_ARGUMENT);
    mesh_case_free(&c);
}

// ---- files of others ----------------------------------------------------------------------------

static void obj_of_others(void **state)
{
    (void)state;
    gyre_mesh m =
        read_text("m.obj", "# a quad and a triangle\r\nmtllib a.mtl\r\no thing\r\n"
                           "v 0 0 0 1.0\r\nv 1e0 .0 0\r\nv +1 1.5E+0 -0.25\r\nv 0 1 0\r\n"
                           "vt 0 0\r\nvn 0 0 1\r\ns off\r\nf 1/1/1 2/1/1 3//1 \\\r\n 4\r\n"
                           "f -4 -3 -1");
    const int32_t right[9] = {0, 1, 2, 0, 2, 3, 0, 1, 3};
    assert_int_equal(m.point_count, 4);
    assert_int_equal(m.triangle_count, 3);
    assert_memory_equal(m.triangles, right, sizeof right);
    assert_true(m.points[6] == 1.0f && m.points[7] == 1.5f && m.points[8] == -0.25f);
    gyre_mesh_free(&m);
    m = read_text("m.obj", "v 0.1 123456.789012345678901234567890 3.4e-45\n"
                           "v 000000000000000000000000000001.5 1e-400 100000e-1\nv 0 0 0\n");
    assert_true(m.points[0] == 0.1f && m.points[1] == 123456.789012345f && m.points[2] == 2.8e-45f);
    assert_true(m.points[3] == 1.5f && m.points[4] == 0.0f && m.points[5] == 10000.0f);
    gyre_mesh_free(&m);
}

static void ply_of_others(void **state)
{
    (void)state;
    gyre_mesh m = read_text(
        "m.ply", "ply\nformat ascii 1.0\ncomment by hand\nelement vertex 4\nproperty uchar red\n"
                 "property double z\nproperty float32 x\nproperty float y\nelement edge 1\n"
                 "property int a\nproperty list uchar float b\nelement face 2\n"
                 "property list uint8 uint vertex_index\nproperty uchar flag\nend_header\n"
                 "255 0 0 0\n9 0 1 0\n9 .5 1 1\n9 0 0 1\n7 2 1.5 2.5\n4 0 1 2 3 1\n3 0 1 2 0\n");
    const int32_t right[9] = {0, 1, 2, 0, 2, 3, 0, 1, 2};
    assert_int_equal(m.triangle_count, 3);
    assert_memory_equal(m.triangles, right, sizeof right);
    assert_true(m.points[6] == 1.0f && m.points[7] == 1.0f && m.points[8] == 0.5f);
    gyre_mesh_free(&m);
}

static void stl_of_others(void **state)
{
    (void)state;
    const char *text = "solid two words\n facet normal nan 0 0\n  outer loop\n"
                       "   vertex 0 0 0\n   vertex 1 0 0\n   vertex 0 1 -0\n  endloop\n endfacet\n"
                       " facet normal 0 0 1\n  outer loop\n   vertex 1 0 0\n   vertex 1 1 0\n"
                       "   vertex 0 1 0\n  endloop\n endfacet\nendsolid two words\n";
    gyre_mesh m = read_text("m.stl", text);
    assert_int_equal(m.point_count, 4);
    assert_int_equal(m.triangle_count, 2);
    gyre_mesh_free(&m);
    // A binary one that begins with "solid".
    unsigned char bytes[134] = "solid but binary";
    const float corners[12] = {0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0};
    bytes[80] = 1;
    memcpy(bytes + 84, corners, sizeof corners);
    must(gyre_mesh_read(write_bytes("m.stl", bytes, sizeof bytes), &m));
    assert_int_equal(m.point_count, 3);
    gyre_mesh_free(&m);
}

// ---- what is wrong ------------------------------------------------------------------------------

static void places_are_told(void **state)
{
    (void)state;
    refused("m.obj", "v 0 0 0\nv 1 0 x\n", "2", "found \"x\", expected a coordinate");
    refused("m.obj", "v 0 0 0\n\nf 1 1 2\n", "3", "found the point 2, expected one of the 1");
    refused("m.obj", "v 0 0\n", "1", "2 coordinates, expected 3");
    refused("m.obj", "v 0 0 1e7\n", "1", "within 1e6");
    refused("m.obj", "v 0 0 nan\n", "1", "\"nan\"");
    refused("m.obj", "v 0 0 1e39\n", "1", "\"1e39\"");
    refused("m.obj", "v 0 0 0\nf 1 1\n", "2", "2 corners");
    refused("m.obj", "v 0 0 0\nf 1 0 1\n", "2", "\"0\"");
    refused("m.obj",
            "\x7f"
            "ELF\n",
            "1", "a statement of .obj");
    refused("m.obj", "g nothing\n", "2", "no point");
    refused("m.ply", "plx\n", "1", "expected \"ply\"");
    refused("m.ply", "ply\nformat ascii 2.0\n", "2", "1.0");
    refused("m.ply", "ply\nformat ascii 1.0\nelement vertex -1\n", "3", "\"-1\"");
    refused("m.ply", "ply\nformat ascii 1.0\nelement vertex 2\nproperty half x\n", "4", "\"half\"");
}

static void more_places_are_told(void **state)
{
    (void)state;
    const char *head =
        "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n"
        "property float z\nelement face 1\nproperty list uchar int vertex_indices\n"
        "end_header\n";
    char text[512];
    snprintf(text, sizeof text, "%s0 0 0\n3 0 0 1\n", head);
    refused("m.ply", text, "11", "found the point 1, expected one of 1");
    snprintf(text, sizeof text, "%s0 0 0\n300 0 0\n", head);
    refused("m.ply", text, "11", "found a list of 300");
    snprintf(text, sizeof text, "%s0 0\n", head);
    refused("m.ply", text, "11", "found the end of the file");
    refused("m.stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertx 1 0 0\n", "5",
            "found \"vertx\", expected \"vertex\"");
    refused("m.stl", "solid a\n", "2", "expected \"endsolid\"");
    refused("m.stl", "something else", " byte 0", "found 14 bytes");
    gyre_mesh mesh;
    assert_int_equal(gyre_mesh_read(path_of("none.obj"), &mesh), GYRE_ERROR_FILE);
    assert_int_equal(gyre_mesh_read(path_of("m.3ds"), &mesh), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), ".stl"));
}

/// Each file cut at each byte, and with each byte changed in several ways: read or refused, never
/// more; what is read can be used.
static void damage_is_survived(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        gyre_mesh_encoding encoding;
    } kinds[] = {{"m.obj", GYRE_MESH_TEXT},   {"m.ply", GYRE_MESH_TEXT},
                 {"m.ply", GYRE_MESH_BINARY}, {"m.ply", GYRE_MESH_BIG_ENDIAN},
                 {"m.stl", GYRE_MESH_TEXT},   {"m.stl", GYRE_MESH_BINARY}};
    static const unsigned char to[] = {0, '\n', ' ', '-', '9', 'e', 0x7f, 0xff};
    const float low[3] = {0, 0, 0}, high[3] = {1, 2, 3};
    mesh_case c = mesh_case_box(low, high);
    c.mesh.triangle_count = 2;
    int refusals = 0, reads = 0;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        unsigned char bytes[2048];
        must(gyre_mesh_write(path_of(kinds[k].name), &c.mesh, kinds[k].encoding));
        size_t size = read_bytes(place, bytes, sizeof bytes);
        assert_true(size < sizeof bytes);
        for (size_t i = 0; i < size * (1 + sizeof to); i++) {
            size_t at = i % size;
            unsigned char was = bytes[at];
            gyre_mesh mesh = {0};
            if (i >= size) {
                bytes[at] = to[i / size - 1];
            }
            gyre_result r =
                gyre_mesh_read(write_bytes(kinds[k].name, bytes, i < size ? at : size), &mesh);
            bytes[at] = was;
            if (r == GYRE_OK) {
                must(gyre_mesh_check(&mesh));
                reads++;
            } else {
                assert_int_equal(r, GYRE_ERROR_FORMAT);
                assert_true(strncmp(gyre_message(), place, strlen(place)) == 0);
                refusals++;
            }
            gyre_mesh_free(&mesh);
        }
    }
    print_message("%d refused, %d read\n", refusals, reads);
    assert_true(refusals > 1000 && reads > 1000);
    mesh_case_free(&c);
}

static void a_volume_is_made_of_a_mesh(void **state)
{
    (void)state;
    const float low[3] = {0, 0, 0}, high[3] = {1, 2, 3};
    mesh_case c = mesh_case_box(low, high);
    gyre_volume points = {0}, triangles = {0};
    must(gyre_mesh_write(path_of("m.ply"), &c.mesh, GYRE_MESH_BINARY));
    char name[300];
    snprintf(name, sizeof name, "%s#points", place);
    must(gyre_read_volume(name, &points));
    snprintf(name, sizeof name, "%s#triangles", place);
    must(gyre_read_volume(name, &triangles));
    assert_true(points.n[0] == 3 && points.n[1] == 8 && triangles.n[1] == 12);
    assert_memory_equal(points.data, c.points, 24 * sizeof(float));
    for (int k = 0; k < 36; k++) {
        assert_true(triangles.data[k] == (float)c.triangles[k]);
    }
    gyre_volume_free(&points);
    gyre_volume_free(&triangles);
    assert_int_equal(gyre_read_volume("a.ply#faces", &points), GYRE_ERROR_ARGUMENT);
    mesh_case_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_come_back),      cmocka_unit_test(obj_of_others),
        cmocka_unit_test(ply_of_others),      cmocka_unit_test(stl_of_others),
        cmocka_unit_test(places_are_told),    cmocka_unit_test(more_places_are_told),
        cmocka_unit_test(damage_is_survived), cmocka_unit_test(a_volume_is_made_of_a_mesh),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
