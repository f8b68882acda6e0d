// test/test_io.c: arrays, pictures, VTK images and videos: whole, readable by others, or not there.
#define _DEFAULT_SOURCE 1

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gyre/io.h"

#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NX = 5, NY = 4, NZ = 3, PAD = 2 };

static char folder[] = "/tmp/gyre_io_XXXXXX";
static char name[512];
static float cells[(NX + 1 + PAD) * (NY + 1) * (NZ + 1)];

static const char *in_folder(const char *file)
{
    snprintf(name, sizeof name, "%s/%s", folder, file);
    return name;
}

static float value(int i, int j, int k)
{
    return (float)i + 10.0f * (float)j + 100.0f * (float)k + 0.25f;
}

static gyre_field_view make_view(int dim, gyre_location location)
{
    gyre_field_view view = {.data = cells, .location = location};

    view.grid = (gyre_grid){dim, {NX, NY, dim == 3 ? NZ : 1}, 0.5f, {1.0f, 2.0f, 3.0f}};
    gyre_grid_samples(&view.grid, location, view.n);
    view.stride[0] = 1;
    view.stride[1] = NX + 1 + PAD;
    view.stride[2] = dim == 3 ? view.stride[1] * (NY + 1) : 0;
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++)
        cells[i] = -1e9f;
    for (int k = 0; k < view.n[2]; k++)
        for (int j = 0; j < view.n[1]; j++)
            for (int i = 0; i < view.n[0]; i++)
                cells[i + j * view.stride[1] + k * view.stride[2]] = value(i, j, k);
    return view;
}

static int files_in_folder(void)
{
    DIR *open = opendir(folder);
    int count = 0;

    assert_non_null(open);
    for (struct dirent *entry; (entry = readdir(open)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(open);
    return count;
}

static int empty_folder(void **state)
{
    DIR *open = opendir(folder);

    (void)state;
    assert_non_null(open);
    for (struct dirent *entry; (entry = readdir(open)) != NULL;) {
        if (entry->d_name[0] != '.')
            (void)remove(in_folder(entry->d_name));
    }
    closedir(open);
    return 0;
}

static void put_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static size_t get_file(const char *path, unsigned char *bytes, size_t size)
{
    FILE *file = fopen(path, "rb");

    assert_non_null(file);
    size = fread(bytes, 1, size, file);
    fclose(file);
    return size;
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

static void test_npy_round_trip(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        gyre_field_view view = make_view(dim, GYRE_FACE_Y);
        gyre_volume volume = {0};

        assert_int_equal(gyre_npy_write(in_folder("a.npy"), &view), GYRE_OK);
        assert_int_equal(files_in_folder(), 1);
        assert_int_equal(gyre_read_volume(in_folder("a.npy"), &volume), GYRE_OK);
        assert_memory_equal(volume.n, view.n, sizeof view.n);
        for (int k = 0; k < view.n[2]; k++)
            for (int j = 0; j < view.n[1]; j++)
                for (int i = 0; i < view.n[0]; i++)
                    assert_true(volume.data[i + view.n[0] * (j + view.n[1] * k)] == value(i, j, k));
        gyre_volume_free(&volume);
        assert_null(volume.data);
    }
}

static void test_npy_and_numpy(void **state)
{
    (void)state;
    if (!python_has("numpy"))
        skip();
    gyre_field_view view = make_view(3, GYRE_CENTRE);

    assert_int_equal(gyre_npy_write(in_folder("a.npy"), &view), GYRE_OK);
    run_python("import numpy as n; a = n.load(\"a.npy\"); k, j, i = n.indices((3, 4, 5)); "
               "assert a.dtype == n.float32 and a.shape == (3, 4, 5); "
               "assert (a == i + 10 * j + 100 * k + 0.25).all()");
    run_python("import numpy as n; k, j, i = n.indices((2, 3, 4)); "
               "[n.lib.format.write_array(open(\"%d%s%d.npy\" % (t, o, v), \"wb\"), "
               "n.array(i + 4 * j + 12 * k, dtype=d, order=o), (v, 0)) for v in (1, 2, 3) "
               "for o in \"CF\" for t, d in enumerate(\"<f4 >f4 <f8 >f8 u1 <i4 >i4 ?\".split())]");
    for (int file = 0; file < 8 * 2 * 3; file++) {
        int kind = file / 6;
        gyre_volume volume = {0};
        char path[32];

        snprintf(path, sizeof path, "%d%c%d.npy", kind, "CF"[file / 3 % 2], file % 3 + 1);
        assert_int_equal(gyre_npy_read_volume(in_folder(path), &volume), GYRE_OK);
        assert_int_equal(volume.n[0], 4);
        assert_int_equal(volume.n[1], 3);
        assert_int_equal(volume.n[2], 2);
        for (int i = 0; i < 24; i++)
            assert_true(volume.data[i] == (kind == 7 ? (float)(i != 0) : (float)i));
        gyre_volume_free(&volume);
    }
}

// Whatever byte is changed and wherever the file is cut: a result, a message, no crash.
static void test_npy_damage(void **state)
{
    unsigned char bytes[512], bad[512];
    gyre_field_view view = make_view(2, GYRE_CENTRE);
    gyre_volume volume = {0};

    (void)state;
    assert_int_equal(gyre_npy_write(in_folder("a.npy"), &view), GYRE_OK);
    size_t size = get_file(in_folder("a.npy"), bytes, sizeof bytes);

    assert_int_equal(size, 128 + 4 * NX * NY);
    for (size_t cut = 0; cut < size; cut += cut < 140 ? 1 : 7) {
        put_file(in_folder("b.npy"), bytes, cut);
        assert_int_equal(gyre_npy_read_volume(in_folder("b.npy"), &volume), GYRE_ERROR_FORMAT);
        assert_non_null(strstr(gyre_message(), "b.npy: "));
        assert_null(volume.data);
    }
    for (size_t at = 0; at < 128; at++) {
        for (int flip = 0; flip < 8; flip++) {
            memcpy(bad, bytes, size);
            bad[at] ^= (unsigned char)(1 << flip);
            put_file(in_folder("b.npy"), bad, size);
            if (gyre_npy_read_volume(in_folder("b.npy"), &volume) == GYRE_OK) {
                assert_true(volume.n[0] * volume.n[1] * volume.n[2] <= NX * NY);
                gyre_volume_free(&volume);
            }
        }
    }
}

static void test_npy_refuses(void **state)
{
    static const struct {
        const char *shape, *what;
    } cases[] = {{"(5000, 1)", "5000"},      {"(0, 4)", "0 numbers"}, {"(4,)", "2 or 3"},
                 {"(1, 1, 1, 1)", "2 or 3"}, {"()", "2 or 3"},        {"(4000, 4000, 4000)", "cut"},
                 {"(-1, 4)", "2 or 3"}};
    gyre_volume volume = {0};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char bytes[256];

        memset(bytes, ' ', sizeof bytes);
        memcpy(bytes, "\x93NUMPY\x01\x00\x76\x00", 10);
        bytes[10 + snprintf(bytes + 10, 100,
                            "{'descr': '<f4', 'fortran_order': False, 'shape': %s, }",
                            cases[i].shape)] = ' ';
        put_file(in_folder("b.npy"), bytes, sizeof bytes);
        assert_int_equal(gyre_npy_read_volume(in_folder("b.npy"), &volume), GYRE_ERROR_FORMAT);
        assert_non_null(strstr(gyre_message(), cases[i].what));
    }
    gyre_field_view view = make_view(3, GYRE_CENTRE);

    cells[2 + 1 * view.stride[1] + 2 * view.stride[2]] = NAN;
    assert_int_equal(gyre_npy_write(in_folder("b.npy"), &view), GYRE_OK);
    assert_int_equal(gyre_npy_read_volume(in_folder("b.npy"), &volume), GYRE_ERROR_FORMAT);
    assert_non_null(strstr(gyre_message(), "x 2, y 1, z 2"));
    assert_int_equal(gyre_npy_read_volume(in_folder("none.npy"), &volume), GYRE_ERROR_FILE);
    assert_int_equal(gyre_npy_read_volume(folder, &volume), GYRE_ERROR_FILE);
    assert_int_equal(gyre_read_volume("a.txt", &volume), GYRE_ERROR_ARGUMENT);
    assert_null(volume.data);
}

static void test_png_round_trip(void **state)
{
    // Two rows: the top one red, green; the bottom one white, half-transparent gray.
    static const uint8_t rgba[16] = {255, 0,   0,   255, 0,   255, 0,   255,
                                     255, 255, 255, 255, 128, 128, 128, 51};
    static const uint8_t rgb[6] = {255, 255, 255, 0, 0, 0};
    gyre_volume volume = {0};

    (void)state;
    assert_int_equal(gyre_png_write(in_folder("a.png"), 2, 2, 4, rgba), GYRE_OK);
    assert_int_equal(gyre_read_volume(in_folder("a.png"), &volume), GYRE_OK);
    assert_int_equal(volume.n[0], 2);
    assert_int_equal(volume.n[1], 2);
    assert_int_equal(volume.n[2], 1);
    assert_float_equal(volume.data[0], 1.0f, 1e-5f); // y is up
    assert_float_equal(volume.data[1], 128.0f / 255.0f * 0.2f, 1e-5f);
    assert_float_equal(volume.data[2], 0.2126f, 1e-5f);
    assert_float_equal(volume.data[3], 0.7152f, 1e-5f);
    gyre_volume_free(&volume);
    assert_int_equal(gyre_png_write(in_folder("a.png"), 1, 2, 3, rgb), GYRE_OK);
    assert_int_equal(gyre_png_read_volume(in_folder("a.png"), &volume), GYRE_OK);
    assert_true(volume.data[0] == 0.0f && volume.data[1] == 1.0f);
    gyre_volume_free(&volume);
    assert_int_equal(files_in_folder(), 1);
    assert_int_equal(gyre_png_write(in_folder("b.png"), 0, 2, 3, rgb), GYRE_ERROR_ARGUMENT);
    assert_int_equal(gyre_png_write(in_folder("b.png"), 1, 2, 2, rgb), GYRE_ERROR_ARGUMENT);
}

// Kinds of picture that this library does not write, by hand: palette, 16 bits, 1 bit.
static void test_png_kinds(void **state)
{
    static const struct {
        const char *make;
        float first;
    } kinds[] = {{"2, 1, 16, 0, b\"\", b\"\\x80\\x00\\xff\\xff\"", 32768.0f / 65535.0f},
                 {"2, 1, 1, 0, b\"\", b\"\\x40\"", 0.0f},
                 {"2, 1, 8, 3, b\"\\x33\\x33\\x33\\xff\\xff\\xff\", b\"\\x00\\x01\"", 0.2f},
                 {"2, 1, 8, 4, b\"\", b\"\\xff\\x33\\xff\\xff\"", 0.2f}};

    (void)state;
    if (!python_has("zlib"))
        skip();
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        char script[1024];
        gyre_volume volume = {0};

        snprintf(script, sizeof script,
                 "import zlib, struct as s\n"
                 "w, h, bits, kind, palette, row = %s\n"
                 "def c(n, b): return s.pack(\">I\", len(b)) + n + b + s.pack(\">I\", "
                 "zlib.crc32(n + b))\n"
                 "d = b\"\\x89PNG\\r\\n\\x1a\\n\" + c(b\"IHDR\", s.pack(\">IIBBBBB\", w, h, bits, "
                 "kind, 0, 0, 0))\n"
                 "if palette: d += c(b\"PLTE\", palette)\n"
                 "d += c(b\"IDAT\", zlib.compress(b\"\\0\" + row)) + c(b\"IEND\", b\"\")\n"
                 "open(\"k.png\", \"wb\").write(d)",
                 kinds[i].make);
        run_python(script);
        assert_int_equal(gyre_png_read_volume(in_folder("k.png"), &volume), GYRE_OK);
        assert_int_equal(volume.n[0], 2);
        assert_float_equal(volume.data[0], kinds[i].first, 1e-5f);
        assert_float_equal(volume.data[1], 1.0f, 1e-5f);
        gyre_volume_free(&volume);
    }
}

static void test_png_damage(void **state)
{
    uint8_t rgb[3 * 8 * 8];
    unsigned char bytes[1024], bad[1024];
    gyre_volume volume = {0};

    (void)state;
    for (size_t i = 0; i < sizeof rgb; i++)
        rgb[i] = (uint8_t)(i * 37);
    assert_int_equal(gyre_png_write(in_folder("a.png"), 8, 8, 3, rgb), GYRE_OK);
    size_t size = get_file(in_folder("a.png"), bytes, sizeof bytes);

    assert_true(size < sizeof bytes);
    for (size_t cut = 0; cut < size; cut++) {
        put_file(in_folder("b.png"), bytes, cut);
        assert_int_not_equal(gyre_png_read_volume(in_folder("b.png"), &volume), GYRE_OK);
        assert_null(volume.data);
    }
    for (size_t at = 0; at < size; at++) {
        memcpy(bad, bytes, size);
        bad[at] ^= (unsigned char)(1 << at % 8);
        put_file(in_folder("b.png"), bad, size);
        if (gyre_png_read_volume(in_folder("b.png"), &volume) == GYRE_OK)
            gyre_volume_free(&volume);
    }
}

static void test_vti(void **state)
{
    gyre_named_view fields[5];
    float kept[5][sizeof cells / sizeof cells[0]];
    static const char *const names[5] = {"velocity_x", "velocity_y", "velocity_z", "density",
                                         "corner"};

    (void)state;
    for (int f = 0; f < 5; f++) {
        gyre_location location = f < 3    ? (gyre_location)(GYRE_FACE_X + f)
                                 : f == 3 ? GYRE_CENTRE
                                          : GYRE_NODE;
        fields[f] = (gyre_named_view){names[f], make_view(3, location)};
        memcpy(kept[f], cells, sizeof cells);
        fields[f].view.data = kept[f];
    }
    assert_int_equal(gyre_vti_write(in_folder("a.vti"), fields, 5, 1.5), GYRE_OK);
    assert_int_equal(files_in_folder(), 1);
    if (python_has("vtkmodules.vtkIOXML"))
        run_python("from vtkmodules.vtkIOXML import vtkXMLImageDataReader as R; r = R(); "
                   "r.SetFileName(\"a.vti\"); r.Update(); o = r.GetOutput(); c = o.GetCellData(); "
                   "assert o.GetExtent() == (0, 5, 0, 4, 0, 3) and o.GetOrigin() == (1, 2, 3); "
                   "assert o.GetSpacing() == (.5, .5, .5) and c.GetNumberOfArrays() == 3; "
                   "i = 2 + 5 * (1 + 4 * 2); assert c.GetArray(\"density\").GetValue(i) == 212.25; "
                   "assert c.GetArray(\"velocity\").GetTuple3(i) == (212.75, 217.25, 262.25); "
                   "assert c.GetArray(\"corner\").GetValue(i) == 267.75; "
                   "assert o.GetFieldData().GetArray(0).GetValue(0) == 1.5");
    // The same without VTK: XML up to the raw data, whose sizes and numbers are where it says.
    if (!python_has("numpy"))
        skip();
    run_python("import re, numpy as n; d = open(\"a.vti\", \"rb\").read(); "
               "h, r = d.split(b\"<AppendedData encoding=\\\"raw\\\">\\n_\", 1); h = h.decode(); "
               "assert \"WholeExtent=\\\"0 5 0 4 0 3\\\" Origin=\\\"1 2 3\\\" "
               "Spacing=\\\"0.5 0.5 0.5\\\"\" in h; "
               "a = dict((m[0], int(m[1])) for m in "
               "re.findall(\"Name=\\\"(\\w+)\\\".*offset=\\\"(\\d+)\\\"\", h)); "
               "assert a == {\"velocity\": 0, \"density\": 728, \"corner\": 976}, a; "
               "assert all(int.from_bytes(r[o:o + 8], \"little\") == s for o, s in "
               "((0, 720), (728, 240), (976, 240))); "
               "v = n.frombuffer(r, \"<f4\", 180, 8).reshape(3, 4, 5, 3); "
               "assert tuple(v[2, 1, 2]) == (212.75, 217.25, 262.25), v[2, 1, 2]; "
               "assert n.frombuffer(r, \"<f4\", 60, 736).reshape(3, 4, 5)[2, 1, 2] == 212.25; "
               "assert n.frombuffer(r, \"<f4\", 60, 984).reshape(3, 4, 5)[2, 1, 2] == 267.75; "
               "assert r[1224:] == b\"\\n</AppendedData>\\n</VTKFile>\\n\"");
    fields[3].name = "a\"b";
    assert_int_equal(gyre_vti_write(in_folder("b.vti"), fields, 5, 0.0), GYRE_ERROR_ARGUMENT);
    fields[3].name = "density";
    fields[3].view.n[0]--;
    assert_int_equal(gyre_vti_write(in_folder("b.vti"), fields, 5, 0.0), GYRE_ERROR_ARGUMENT);
    assert_int_equal(files_in_folder(), 1);
}

static void test_unwritable(void **state)
{
    uint8_t pixel[3] = {0};
    gyre_field_view view = make_view(3, GYRE_CENTRE);
    gyre_named_view field = {"density", view};
    char missing[512];
    gyre_video *video;

    (void)state;
    snprintf(missing, sizeof missing, "%s/none/a", folder);
    assert_int_equal(gyre_npy_write(missing, &view), GYRE_ERROR_FILE);
    assert_non_null(strstr(gyre_message(), "/none/a: cannot be written: "));
    assert_int_equal(gyre_png_write(missing, 1, 1, 3, pixel), GYRE_ERROR_FILE);
    assert_int_equal(gyre_vti_write(missing, &field, 1, 0.0), GYRE_ERROR_FILE);
    snprintf(missing, sizeof missing, "%s/none/a.mp4", folder);
    assert_int_equal(gyre_video_open(missing, 4, 4, 30.0, &video), GYRE_ERROR_FILE);
    // A device must not be renamed away.
    assert_int_equal(gyre_npy_write("/dev/null", &view), GYRE_ERROR_FILE);
    assert_int_equal(gyre_npy_write("", &view), GYRE_ERROR_ARGUMENT);
}

// In a process of its own that may write 4096 bytes at most: a full disk.
static void test_full_disk(void **state)
{
    (void)state;
    put_file(in_folder("old.npy"), "old", 3);
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0) {
        struct rlimit limit = {4096, 4096};
        static float big[64 * 64];
        static uint8_t noise[3 * 64 * 64];
        gyre_field_view view = {
            big, {64, 64, 1}, {1, 64, 0}, GYRE_CENTRE, {2, {64, 64, 1}, 1.0f, {0.0f, 0.0f, 0.0f}}};
        gyre_named_view field = {"density", view};
        int bad = 0;

        for (size_t i = 0; i < sizeof noise; i++)
            noise[i] = (uint8_t)(i * i * 2654435761u >> 24);
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
        bad |= gyre_npy_write(in_folder("old.npy"), &view) == GYRE_ERROR_FILE ? 0 : 1;
        bad |= strstr(gyre_message(), "old.npy: cannot be written: ") != NULL ? 0 : 2;
        bad |= gyre_vti_write(in_folder("b.vti"), &field, 1, 0.0) == GYRE_ERROR_FILE ? 0 : 4;
        bad |= gyre_png_write(in_folder("b.png"), 64, 64, 3, noise) == GYRE_ERROR_FILE ? 0 : 8;
        _exit(bad);
    }
    int status = -1;

    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(files_in_folder(), 1);
    unsigned char old[8];

    assert_int_equal(get_file(in_folder("old.npy"), old, sizeof old), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_npy_round_trip, empty_folder),
        cmocka_unit_test_teardown(test_npy_and_numpy, empty_folder),
        cmocka_unit_test_teardown(test_npy_damage, empty_folder),
        cmocka_unit_test_teardown(test_npy_refuses, empty_folder),
        cmocka_unit_test_teardown(test_png_round_trip, empty_folder),
        cmocka_unit_test_teardown(test_png_kinds, empty_folder),
        cmocka_unit_test_teardown(test_png_damage, empty_folder),
        cmocka_unit_test_teardown(test_vti, empty_folder),
        cmocka_unit_test_teardown(test_unwritable, empty_folder),
        cmocka_unit_test_teardown(test_full_disk, empty_folder),
    };

    if (mkdtemp(folder) == NULL)
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    (void)rmdir(folder);
    return failed;
}
