// io/tiles.c: one array out of several files, "land_{x}_{y}.npy": {x} counts the files along x from
// 0, {y} those along y, as far as there are any. They are placed side by side without a gap or an
// overlap, so that the whole is to the bit what one file would be. Cost: one copy.
#include "io/io.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, PATH = 4096 };

bool gy_is_tiled(const char *path)
{
    return strstr(path, "{x}") || strstr(path, "{y}");
}

/// The path of one tile; false: it is too long.
static bool name_tile(const char *path, int x, int y, char *to, size_t size)
{
    size_t used = 0;
    for (const char *p = path; *p;) {
        bool is_x = strncmp(p, "{x}", 3) == 0, is_y = strncmp(p, "{y}", 3) == 0;
        int n = is_x || is_y ? snprintf(to + used, size - used, "%d", is_x ? x : y)
                             : snprintf(to + used, size - used, "%c", *p);
        if (n < 0 || (used += (size_t)n) >= size) {
            return false;
        }
        p += is_x || is_y ? 3 : 1;
    }
    return true;
}

static bool is_there(const char *path, int x, int y)
{
    char name[PATH];
    FILE *file = name_tile(path, x, y, name, sizeof name) ? fopen(name, "rb") : NULL;
    if (file) {
        fclose(file);
    }
    return file;
}

typedef struct tiles {
    const char *path;
    int count[2];
    int width[MOST], height[MOST]; // of a column of tiles, of a row
    gyre_volume *tile;
} tiles;

static gyre_result read_tile(tiles *t, int x, int y)
{
    char name[PATH];
    gyre_volume *tile = &t->tile[x + t->count[0] * y];
    name_tile(t->path, x, y, name, sizeof name);
    gyre_result r = gyre_read_volume(name, tile);
    if (r != GYRE_OK) {
        return r;
    }
    if (tile->n[2] != 1) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: has %d x %d x %d values, expected an image",
                         name, tile->n[0], tile->n[1], tile->n[2]);
    }
    t->width[x] = y == 0 ? tile->n[0] : t->width[x];
    t->height[y] = x == 0 ? tile->n[1] : t->height[y];
    if (tile->n[0] != t->width[x] || tile->n[1] != t->height[y]) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "%s: has %d x %d values, and those in its column and row %d x %d", name,
                         tile->n[0], tile->n[1], t->width[x], t->height[y]);
    }
    return GYRE_OK;
}

static gyre_result join(tiles *t, gyre_volume *volume)
{
    size_t n[2] = {0, 0}, at[2] = {0, 0};
    for (int x = 0; x < t->count[0]; x++) {
        n[0] += (size_t)t->width[x];
    }
    for (int y = 0; y < t->count[1]; y++) {
        n[1] += (size_t)t->height[y];
    }
    if (n[0] > 1 << 20 || n[1] > 1 << 20) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: tiles of %zu x %zu values are too many", t->path,
                         n[0], n[1]);
    }
    float *all = malloc(n[0] * n[1] * sizeof *all);
    if (!all) {
        return gyre_fail(GYRE_ERROR_MEMORY, "%s: no memory for %zu x %zu values", t->path, n[0],
                         n[1]);
    }
    for (int y = 0; y < t->count[1]; y++, at[1] += (size_t)t->height[y - 1]) {
        at[0] = 0;
        for (int x = 0; x < t->count[0]; x++, at[0] += (size_t)t->width[x - 1]) {
            const gyre_volume *tile = &t->tile[x + t->count[0] * y];
            for (size_t j = 0; j < (size_t)tile->n[1]; j++) {
                memcpy(all + at[0] + n[0] * (at[1] + j), tile->data + (size_t)tile->n[0] * j,
                       (size_t)tile->n[0] * sizeof *all);
            }
        }
    }
    *volume = (gyre_volume){all, {(int32_t)n[0], (int32_t)n[1], 1}, NULL};
    return GYRE_OK;
}

gyre_result gy_read_tiles(const char *path, gyre_volume *volume)
{
    tiles t = {.path = path, .count = {1, 1}};
    bool has[2] = {strstr(path, "{x}"), strstr(path, "{y}")};
    char name[PATH];
    if (!name_tile(path, MOST, MOST, name, sizeof name)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "a file name of %zu bytes is too long", strlen(path));
    }
    while (has[0] && t.count[0] < MOST && is_there(path, t.count[0], 0)) {
        t.count[0]++;
    }
    while (has[1] && t.count[1] < MOST && is_there(path, 0, t.count[1])) {
        t.count[1]++;
    }
    if ((has[0] && is_there(path, MOST, 0)) || (has[1] && is_there(path, 0, MOST))) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: more than %d tiles along an axis", path, MOST);
    }
    t.tile = calloc((size_t)t.count[0] * (size_t)t.count[1], sizeof *t.tile);
    gyre_result r = t.tile ? GYRE_OK : gyre_fail(GYRE_ERROR_MEMORY, "%s: no memory", path);
    for (int k = 0; k < t.count[0] * t.count[1] && r == GYRE_OK; k++) {
        r = read_tile(&t, k % t.count[0], k / t.count[0]);
    }
    r = r == GYRE_OK ? join(&t, volume) : r;
    for (int k = 0; k < t.count[0] * t.count[1] && t.tile; k++) {
        gyre_volume_free(&t.tile[k]);
    }
    free(t.tile);
    return r;
}
