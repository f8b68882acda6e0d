// io/mesh.c: files of meshes: what their readers share, and the choice among them by ending.
//
// The readers are gyre's own: no C library at hand reads these three with a place in its messages,
// and all that is wanted of them is points and polygons.
#include "io/mesh_file.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 30 };

static const char *const known = "known are .obj, .ply and .stl";

gyre_result gy_mesh_wrong(const gy_mesh_file *file, const char *format, ...)
{
    char sentence[512];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (file->line > 0)
        return gyre_fail(GYRE_ERROR_FORMAT, "%s:%d: %s", file->path, file->line, sentence);
    return gyre_fail(GYRE_ERROR_FORMAT, "%s: byte %lld: %s", file->path,
                     (long long)(file->at - file->start), sentence);
}

static bool is_blank(unsigned char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == '\0';
}

bool gy_mesh_word(gy_mesh_file *file, char *word, size_t size)
{
    size_t length = 0;

    for (;;) {
        while (file->at < file->end && is_blank(*file->at))
            file->at++;
        // A backslash at a line's end joins the next one to it.
        const unsigned char *next = file->at + 1;
        if (file->at == file->end || *file->at != '\\')
            break;
        next += next < file->end && *next == '\r';
        if (next >= file->end || *next != '\n')
            break;
        file->at = next + 1;
        file->line++;
    }
    while (file->at < file->end && !is_blank(*file->at) && *file->at != '\n') {
        if (length + 1 < size)
            word[length++] = (char)*file->at;
        file->at++;
    }
    word[length] = '\0';
    return length > 0;
}

void gy_mesh_next_line(gy_mesh_file *file)
{
    while (file->at < file->end && *file->at != '\n')
        file->at++;
    if (file->at < file->end) {
        file->at++;
        file->line++;
    }
}

bool gy_mesh_word_on(gy_mesh_file *file, char *word, size_t size)
{
    while (!gy_mesh_word(file, word, size)) {
        if (file->at == file->end)
            return false;
        gy_mesh_next_line(file);
    }
    return true;
}

bool gy_mesh_number(const char *word, float *number)
{
    bool minus = *word == '-', digits = false, point = false;
    uint64_t whole = 0;
    int ten = 0, power = 0;

    word += *word == '-' || *word == '+';
    for (; (*word >= '0' && *word <= '9') || (*word == '.' && !point); word++) {
        if (*word == '.') {
            point = true;
            continue;
        }
        digits = true;
        if (whole < UINT64_MAX / 10 - 1) {
            whole = 10 * whole + (uint64_t)(*word - '0');
            ten -= point;
        } else {
            ten += !point;
        }
    }
    if (digits && (*word == 'e' || *word == 'E')) {
        bool down = *++word == '-';

        word += *word == '-' || *word == '+';
        digits = *word >= '0' && *word <= '9';
        for (; *word >= '0' && *word <= '9'; word++)
            power = power < 10000 ? 10 * power + (*word - '0') : power;
        power = down ? -power : power;
    }
    if (!digits || *word != '\0')
        return false;
    double value = (double)whole, scale = 1.0;

    ten += power;
    // Exact up to 10^22; beyond 10^308 nothing is left of any float.
    for (int left = ten < 0 ? -ten : ten; left > 0 && scale < 1e308; left--)
        scale *= 10.0;
    value = ten < 0 ? value / scale : whole == 0 ? 0.0 : value * scale;
    if (!(value <= 3.4028234663852886e38))
        return false;
    *number = (float)(minus ? -value : value);
    return true;
}

bool gy_mesh_whole(const char *word, int32_t *number)
{
    bool minus = *word == '-';
    int32_t value = 0;
    int digits = 0;

    word += *word == '-' || *word == '+';
    for (; *word >= '0' && *word <= '9' && digits < 10; word++, digits++)
        value = digits < 9 ? 10 * value + (*word - '0') : value;
    if (digits < 1 || digits > 9 || *word != '\0')
        return false;
    *number = minus ? -value : value;
    return true;
}

/// Room for one more of `size` bytes.
static gyre_result grow(const gy_mesh_file *file, void **list, int count, int *room, size_t size)
{
    if (count < *room)
        return GYRE_OK;
    if (count >= GY_IO_MESH_MOST)
        return gy_mesh_wrong(file, "more than %d points or triangles", GY_IO_MESH_MOST);
    int more = *room ? 2 * *room : 256;
    void *moved = realloc(*list, (size_t)more * size);

    if (moved == NULL)
        return gyre_fail(GYRE_ERROR_MEMORY, "%s: no memory for %d points or triangles", file->path,
                         more);
    *list = moved;
    *room = more;
    return GYRE_OK;
}

gyre_result gy_mesh_add_point(const gy_mesh_file *file, gy_mesh_draft *draft, const float at[3])
{
    void *list = draft->points;
    gyre_result result = grow(file, &list, draft->point_count, &draft->point_room, 12);

    draft->points = list;
    if (result != GYRE_OK)
        return result;
    for (int a = 0; a < 3; a++) {
        if (!(fabsf(at[a]) <= 1e6f))
            return gy_mesh_wrong(file, "found the %c coordinate %g, expected one within 1e6",
                                 "xyz"[a], (double)at[a]);
        draft->points[3 * draft->point_count + a] = at[a];
    }
    draft->point_count++;
    return GYRE_OK;
}

gyre_result gy_mesh_add_corner(const gy_mesh_file *file, gy_mesh_draft *draft, int k,
                               int32_t corner, int32_t fan[2])
{
    if (k >= 2) {
        void *list = draft->triangles;
        gyre_result result = grow(file, &list, draft->triangle_count, &draft->triangle_room, 12);

        draft->triangles = list;
        if (result != GYRE_OK)
            return result;
        int32_t *to = draft->triangles + 3 * draft->triangle_count++;

        to[0] = fan[0];
        to[1] = fan[1];
        to[2] = corner;
    }
    if (k == 0)
        fan[0] = corner;
    fan[1] = corner;
    return GYRE_OK;
}

static gyre_result read_all(const char *path, unsigned char **bytes, size_t *size)
{
    FILE *stream;
    uint64_t length;
    gyre_result result = gy_io_open(path, &stream, &length);

    if (result != GYRE_OK)
        return result;
    if (length > MOST_BYTES) {
        result = gyre_fail(GYRE_ERROR_FORMAT, "%s: found %llu bytes, expected at most %d", path,
                           (unsigned long long)length, MOST_BYTES);
    } else if ((*bytes = malloc((size_t)length + 1)) == NULL) {
        result = gyre_fail(GYRE_ERROR_MEMORY, "%s: no memory for %llu bytes", path,
                           (unsigned long long)length);
    } else if (fread(*bytes, 1, (size_t)length, stream) != (size_t)length) {
        result = gyre_fail(GYRE_ERROR_FILE, "%s: cannot be read to its end", path);
        free(*bytes);
    } else {
        *size = (size_t)length;
        (*bytes)[length] = '\0';
    }
    fclose(stream);
    return result;
}

gyre_result gyre_mesh_read(const char *path, gyre_mesh *mesh)
{
    if (GY_MISSING("mesh_read", path) || GY_MISSING("mesh_read", mesh))
        return GYRE_ERROR_ARGUMENT;
    gyre_result (*read)(gy_mesh_file *, gy_mesh_draft *) = NULL;

    if (gy_io_ends(path, ".obj"))
        read = gy_mesh_read_obj;
    else if (gy_io_ends(path, ".ply"))
        read = gy_mesh_read_ply;
    else if (gy_io_ends(path, ".stl"))
        read = gy_mesh_read_stl;
    if (read == NULL)
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: unknown kind of mesh; %s", path, known);
    unsigned char *bytes = NULL;
    size_t size = 0;
    gy_mesh_draft draft = {0};
    gyre_result result = read_all(path, &bytes, &size);

    if (result != GYRE_OK)
        return result;
    gy_mesh_file file = {path, bytes, bytes, bytes + size, 1};

    result = read(&file, &draft);
    free(bytes);
    if (result != GYRE_OK) {
        free(draft.points);
        free(draft.triangles);
        return result;
    }
    *mesh = (gyre_mesh){draft.points, draft.point_count, draft.triangles, draft.triangle_count};
    return GYRE_OK;
}

void gyre_mesh_free(gyre_mesh *mesh)
{
    float *points;
    int32_t *triangles;

    if (!mesh)
        return;
    memcpy(&points, &mesh->points, sizeof points); // made by a reader of this room, so not const
    memcpy(&triangles, &mesh->triangles, sizeof triangles);
    free(points);
    free(triangles);
    *mesh = (gyre_mesh){0};
}

gyre_result gy_mesh_read_volume(const char *path, bool points, gyre_volume *volume)
{
    gyre_mesh mesh;
    gyre_result result = gyre_mesh_read(path, &mesh);

    if (result != GYRE_OK)
        return result;
    int count = points ? mesh.point_count : mesh.triangle_count;
    // No side of an array is longer than GY_IO_SIDE: a long list goes into several rows of it, the
    // last filled up with its last point (no triangle names them) or with triangles of no area.
    int rows = (count + GY_IO_SIDE - 1) / GY_IO_SIDE, row = count ? (count + rows - 1) / rows : 0;
    float *numbers = count > 0 ? malloc(3 * (size_t)rows * (size_t)row * sizeof *numbers) : NULL;

    for (int k = 0; numbers && k < 3 * rows * row; k++)
        numbers[k] = !points         ? k < 3 * count ? (float)mesh.triangles[k] : 0.0f
                     : k < 3 * count ? mesh.points[k]
                                     : mesh.points[3 * count - 3 + k % 3];
    gyre_mesh_free(&mesh);
    if (count == 0)
        return gyre_fail(GYRE_ERROR_FORMAT, "%s: has no %s", path, points ? "points" : "triangles");
    if (numbers == NULL)
        return gyre_fail(GYRE_ERROR_MEMORY, "%s: no memory for %d numbers", path, 3 * count);
    *volume = (gyre_volume){numbers, {3, row, rows}, NULL};
    return GYRE_OK;
}
