// test/fuzz/fuzz_mesh.c: any bytes are a mesh's file or are refused with a sentence that names it;
// one that is read can be inspected and asked. The first byte says of which kind it is to be.
#define _POSIX_C_SOURCE 200809L
#include "gyre/io.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const endings[] = {"obj", "ply", "stl"};
    static char folder[] = "/tmp/fuzz_mesh_XXXXXX", path[64];
    gyre_mesh mesh = {0};
    if (size == 0 || (path[0] == 0 && !mkdtemp(folder))) {
        return 0;
    }
    snprintf(path, sizeof path, "%s/m.%s", folder, endings[bytes[0] % 3]);
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(bytes + 1, 1, size - 1, f) != size - 1 || fclose(f)) {
        abort();
    }
    if (gyre_mesh_read(path, &mesh)) {
        if (strncmp(gyre_message(), path, strlen(path)) != 0) {
            abort();
        }
        return 0;
    }
    const float point[3] = {0.5f, 0.25f, 0.125f};
    gyre_mesh_report report;
    gyre_mesh_tree *tree = NULL;
    float distance = 0.0f;
    if (gyre_mesh_check(&mesh) || gyre_mesh_inspect(NULL, &mesh, &report)) {
        abort();
    }
    if (mesh.triangle_count > 0 && (gyre_mesh_tree_create(NULL, &mesh, &tree) ||
                                    gyre_mesh_distance(tree, point, 1, &distance))) {
        abort();
    }
    gyre_mesh_tree_destroy(tree);
    gyre_mesh_free(&mesh);
    return 0;
}
