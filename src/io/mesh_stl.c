// io/mesh_stl.c: stereolithography's .stl: triangles, each with its own three corners. Equal
// corners (0 and -0 being equal) become one point, by a hash table; the normals are not asked.
//
// Text: "solid NAME", then for each "facet normal x y z outer loop vertex x y z (three times)
// endloop endfacet", then "endsolid". Binary: 80 bytes, a number of triangles (4), for each of them
// twelve floats and two bytes, all little-endian. A file is binary where its size says so: many a
// binary file begins with "solid".
#include "io/mesh_file.h"

#include <stdlib.h>
#include <string.h>

typedef struct welder {
    const gy_mesh_file *file;
    gy_mesh_draft *draft;
    int32_t *table; // a point's number + 1
    uint32_t room;  // a power of two
} welder;

static uint32_t place_of(const float at[3])
{
    uint32_t bits[3], x = 2166136261u;

    memcpy(bits, at, sizeof bits);
    for (int a = 0; a < 3; a++) {
        x = (x ^ bits[a]) * 2654435761u;
        x ^= x >> 15;
    }
    return x;
}

static bool widen(welder *w)
{
    uint32_t room = w->room ? 2 * w->room : 1024;
    int32_t *table = calloc(room, sizeof *table);

    if (table == NULL)
        return false;
    for (int32_t p = 0; p < w->draft->point_count; p++) {
        uint32_t at = place_of(w->draft->points + 3 * p) & (room - 1);

        while (table[at])
            at = (at + 1) & (room - 1);
        table[at] = p + 1;
    }
    free(w->table);
    w->table = table;
    w->room = room;
    return true;
}

static gyre_result weld(welder *w, float at[3], int32_t *point)
{
    if (2 * (uint32_t)w->draft->point_count >= w->room && !widen(w))
        return gyre_fail(GYRE_ERROR_MEMORY, "%s: no memory for its points", w->file->path);
    for (int a = 0; a < 3; a++)
        at[a] += 0.0f; // no zeros with a sign
    uint32_t slot = place_of(at) & (w->room - 1);

    for (; w->table[slot]; slot = (slot + 1) & (w->room - 1)) {
        if (memcmp(w->draft->points + 3 * (w->table[slot] - 1), at, 3 * sizeof *at) == 0) {
            *point = w->table[slot] - 1;
            return GYRE_OK;
        }
    }
    gyre_result result = gy_mesh_add_point(w->file, w->draft, at);

    *point = w->draft->point_count - 1;
    if (result == GYRE_OK)
        w->table[slot] = *point + 1;
    return result;
}

static uint32_t number_at(const unsigned char *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static gyre_result read_binary(gy_mesh_file *file, welder *w, uint32_t count)
{
    gyre_result result = GYRE_OK;

    file->line = 0;
    for (uint32_t t = 0; t < count && result == GYRE_OK; t++) {
        int32_t corner, fan[2];

        for (int k = 0; k < 3 && result == GYRE_OK; k++) {
            float at[3];

            file->at = file->start + 84 + 50 * (size_t)t + 12 + 12 * (size_t)k;
            for (int a = 0; a < 3; a++) {
                uint32_t bits = number_at(file->at + 4 * a);

                memcpy(&at[a], &bits, sizeof bits);
            }
            result = weld(w, at, &corner);
            if (result == GYRE_OK)
                result = gy_mesh_add_corner(file, w->draft, k, corner, fan);
        }
    }
    return result;
}

static gyre_result expect(gy_mesh_file *file, const char *right)
{
    char word[64];

    if (!gy_mesh_word_on(file, word, sizeof word))
        return gy_mesh_wrong(file, "found the end of the file, expected \"%s\"", right);
    return strcmp(word, right) == 0
               ? GYRE_OK
               : gy_mesh_wrong(file, "found \"%.40s\", expected \"%s\"", word, right);
}

static gyre_result read_three(gy_mesh_file *file, float at[3])
{
    char word[64];

    for (int a = 0; a < 3; a++) {
        if (!gy_mesh_word_on(file, word, sizeof word))
            return gy_mesh_wrong(file, "found the end of the file, expected a number");
        if (!gy_mesh_number(word, &at[a]))
            return gy_mesh_wrong(file, "found \"%.40s\", expected a number", word);
    }
    return GYRE_OK;
}

static gyre_result read_facet(gy_mesh_file *file, welder *w)
{
    float at[3];
    int32_t corner, fan[2];
    char word[64];
    gyre_result result = expect(file, "normal");

    // What stands for a normal may be anything ("nan" is common): it is not used.
    for (int a = 0; a < 3 && result == GYRE_OK; a++)
        if (!gy_mesh_word_on(file, word, sizeof word))
            result = gy_mesh_wrong(file, "found the end of the file, expected a normal");
    result = result == GYRE_OK ? expect(file, "outer") : result;
    result = result == GYRE_OK ? expect(file, "loop") : result;
    for (int k = 0; k < 3 && result == GYRE_OK; k++) {
        result = expect(file, "vertex");
        result = result == GYRE_OK ? read_three(file, at) : result;
        result = result == GYRE_OK ? weld(w, at, &corner) : result;
        result = result == GYRE_OK ? gy_mesh_add_corner(file, w->draft, k, corner, fan) : result;
    }
    result = result == GYRE_OK ? expect(file, "endloop") : result;
    return result == GYRE_OK ? expect(file, "endfacet") : result;
}

static gyre_result read_text(gy_mesh_file *file, welder *w)
{
    bool inside = false;
    char word[64];

    while (gy_mesh_word_on(file, word, sizeof word)) {
        if (!inside && strcmp(word, "solid") == 0) {
            gy_mesh_next_line(file); // its name
            inside = true;
        } else if (inside && strcmp(word, "facet") == 0) {
            gyre_result result = read_facet(file, w);

            if (result != GYRE_OK)
                return result;
        } else if (inside && strcmp(word, "endsolid") == 0) {
            gy_mesh_next_line(file);
            inside = false;
        } else {
            return gy_mesh_wrong(file, "found \"%.40s\", expected %s", word,
                                 inside ? "\"facet\" or \"endsolid\"" : "\"solid\"");
        }
    }
    return inside ? gy_mesh_wrong(file, "found the end of the file, expected \"endsolid\"")
                  : GYRE_OK;
}

gyre_result gy_mesh_read_stl(gy_mesh_file *file, gy_mesh_draft *draft)
{
    size_t size = (size_t)(file->end - file->start);
    bool text = size >= 5 && memcmp(file->start, "solid", 5) == 0;
    uint32_t count = size >= 84 ? number_at(file->start + 80) : 0;
    bool binary = size >= 84 && size == 84 + 50 * (uint64_t)count;
    welder w = {.file = file, .draft = draft};
    gyre_result result;

    if (!binary && !text) {
        file->line = 0;
        return size < 84
                   ? gy_mesh_wrong(file, "found %zu bytes, expected \"solid\" or 84 and more", size)
                   : gy_mesh_wrong(file, "found %zu bytes, expected %llu for its %lu triangles",
                                   size, 84 + 50ull * count, (unsigned long)count);
    }
    result = binary ? read_binary(file, &w, count) : read_text(file, &w);
    free(w.table);
    return result;
}
