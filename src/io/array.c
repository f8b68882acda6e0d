// io/array.c: what readers and writers of arrays share.
#include "io/io.h"

#include <stdlib.h>
#include <string.h>

bool gy_io_ends(const char *path, const char *ending)
{
    size_t length = strlen(path), size = strlen(ending);

    if (length <= size)
        return false;
    for (size_t i = 0; i < size; i++) {
        char c = path[length - size + i];

        if (c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        if (c != ending[i])
            return false;
    }
    return path[length - size - 1] != '/';
}

void gy_io_pack(const float *values, size_t count, unsigned char *bytes)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;

        memcpy(&bits, values + i, 4);
        bytes[4 * i] = (unsigned char)bits;
        bytes[4 * i + 1] = (unsigned char)(bits >> 8);
        bytes[4 * i + 2] = (unsigned char)(bits >> 16);
        bytes[4 * i + 3] = (unsigned char)(bits >> 24);
    }
}

gyre_result gy_io_check_view(const char *path, const gyre_field_view *view)
{
    if (view == NULL || view->data == NULL || view->stride[0] != 1)
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: a field without data", path);
    for (int axis = 0; axis < 3; axis++) {
        if (view->n[axis] < 1 || view->n[axis] > GY_IO_SIDE + 1)
            return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: a field of %d samples along %c", path,
                             view->n[axis], "xyz"[axis]);
    }
    return GYRE_OK;
}

void gyre_volume_free(gyre_volume *volume)
{
    float *own;
    if (!volume)
        return;
    memcpy(&own, &volume->data, sizeof own); // made by a reader of this room, so not const
    free(own);
    *volume = (gyre_volume){0};
}

gyre_result gyre_read_volume(const char *path, gyre_volume *volume)
{
    if (GY_MISSING("read_volume", path) || GY_MISSING("read_volume", volume))
        return GYRE_ERROR_ARGUMENT;
    if (gy_is_tiled(path))
        return gy_read_tiles(path, volume);
    if (gy_io_ends(path, ".npy"))
        return gyre_npy_read_volume(path, volume);
    if (gy_io_ends(path, ".png"))
        return gyre_png_read_volume(path, volume);
    const char *hash = strrchr(path, '#');
    bool points = hash && strcmp(hash, "#points") == 0;
    size_t length = hash ? (size_t)(hash - path) : 0;
    char file[4096];

    if ((points || (hash && strcmp(hash, "#triangles") == 0)) && length < sizeof file) {
        memcpy(file, path, length);
        file[length] = '\0';
        return gy_mesh_read_volume(file, points, volume);
    }
    return gyre_fail(GYRE_ERROR_ARGUMENT,
                     "%s: unknown kind of array; known are .npy and .png, and of .obj, .ply and "
                     ".stl those that end in #points or #triangles",
                     path);
}
