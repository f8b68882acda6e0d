// Terrain in several files side by side is to the bit what one file is, and what does not fit is
// told.
// needs: scene
#include "gyre/io.h"
#include "gyre/scene.h"
#include "water_case.h"
#include <sys/stat.h>
#include <unistd.h>

enum { NX = 160, NY = 96 };

static char folder[512];

static const char *in_folder(const char *name)
{
    static char path[4][640];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static void write_npy(const char *name, const float *from, int x, int y, int columns, int rows)
{
    static const char head[] = "\x93NUMPY\x01\x00\x76\x00";
    char header[118];
    FILE *file = fopen(in_folder(name), "wb");
    assert_non_null(file);
    int n =
        snprintf(header, sizeof header,
                 "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }", rows, columns);
    memset(header + n, ' ', sizeof header - (size_t)n);
    header[sizeof header - 1] = '\n';
    assert_int_equal(fwrite(head, 1, 10, file), 10);
    assert_int_equal(fwrite(header, 1, sizeof header, file), sizeof header);
    for (int j = 0; j < rows; j++) {
        const float *row = from + x + (ptrdiff_t)NX * (y + j);
        assert_int_equal(fwrite(row, sizeof(float), (size_t)columns, file), (size_t)columns);
    }
    fclose(file);
}

static uint64_t hash_of(const char *data)
{
    static const char text[] =
        "{\"models\": {\"water\": {\"grid\": {\"n\": [160, 96, 1], \"h\": 0.25}, \"bed\": "
        "{\"data\": "
        "\"%s\"}, \"fill\": false, \"manning\": 0.03, \"rain\": 0.01}}, \"time\": {\"fps\": 30, "
        "\"frames\": 40}}";
    const char *path = in_folder("scene.json");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, text, data);
    fclose(file);
    gyre_scene *scene = NULL;
    OK(gyre_scene_load(path, &scene));
    OK(gyre_scene_create(scene, device));
    for (int n = 0; n < 40; n++) {
        OK(gyre_scene_step(scene));
    }
    uint64_t hash = gyre_model_hash(gyre_scene_model(scene, 0));
    gyre_scene_destroy(scene);
    return hash;
}

/// Six tiles of uneven sizes, none of them on the borders of the water's own.
static void test_same(void **state)
{
    static const int x[4] = {0, 37, 100, NX}, y[3] = {0, 51, NY};
    gyre_volume all = {0};
    (void)state;
    snprintf(folder, sizeof folder, "%s/terrain_tiles_%d", GYRE_BINARY_DIR, (int)getpid());
    assert_int_equal(mkdir(folder, 0700), 0);
    OK(gyre_read_volume(GYRE_SOURCE_DIR "/scene/lakes.npy", &all));
    write_npy("whole.npy", all.data, 0, 0, NX, NY);
    for (int k = 0; k < 6; k++) {
        char name[32];
        int i = k % 3, j = k / 3;
        snprintf(name, sizeof name, "land_%d_%d.npy", i, j);
        write_npy(name, all.data, x[i], y[j], x[i + 1] - x[i], y[j + 1] - y[j]);
    }
    gyre_volume joined = {0};
    OK(gyre_read_volume(in_folder("land_{x}_{y}.npy"), &joined));
    assert_int_equal(joined.n[0], NX);
    assert_int_equal(joined.n[1], NY);
    assert_memory_equal(joined.data, all.data, sizeof(float) * NX * NY);
    gyre_volume_free(&joined);
    assert_true(hash_of("whole.npy") == hash_of("land_{x}_{y}.npy"));
    // A tile of another size, and one that is not there.
    write_npy("land_1_1.npy", all.data, 0, 0, 20, 45);
    assert_int_equal(gyre_read_volume(in_folder("land_{x}_{y}.npy"), &joined), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "land_1_1.npy: has 20 x 45 values, and those in its "
                                           "column and row 63 x 45"));
    unlink(in_folder("land_1_1.npy"));
    assert_true(gyre_read_volume(in_folder("land_{x}_{y}.npy"), &joined) != GYRE_OK);
    assert_non_null(strstr(gyre_message(), "land_1_1.npy"));
    for (int k = 0; k < 6; k++) {
        char name[32];
        snprintf(name, sizeof name, "land_%d_%d.npy", k % 3, k / 3);
        unlink(in_folder(name));
    }
    assert_true(gyre_read_volume(in_folder("land_{x}_{y}.npy"), &joined) != GYRE_OK);
    assert_non_null(strstr(gyre_message(), "land_0_0.npy"));
    unlink(in_folder("whole.npy"));
    unlink(in_folder("scene.json"));
    rmdir(folder);
    gyre_volume_free(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
