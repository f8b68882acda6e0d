// io/mesh_write.c: writes meshes as .obj, .ply and .stl. Texts have nine digits, so that every
// float comes back as it was.
#include "io/io.h"

#include <math.h>
#include <string.h>

typedef struct mesh_out {
    gy_io_file *file;
    gyre_result result; // of what was written so far
    size_t used;
    bool big;
    char bytes[1 << 14];
} mesh_out;

static void flush(mesh_out *out)
{
    if (out->result == GYRE_OK && out->used > 0)
        out->result = gy_io_write(out->file, out->bytes, out->used);
    out->used = 0;
}

static void put(mesh_out *out, const void *bytes, size_t size)
{
    if (out->used + size > sizeof out->bytes)
        flush(out);
    memcpy(out->bytes + out->used, bytes, size);
    out->used += size;
}

static void put_text(mesh_out *out, const char *text)
{
    put(out, text, strlen(text));
}

static void put_whole(mesh_out *out, uint32_t bits, int size)
{
    unsigned char bytes[4];

    for (int i = 0; i < size; i++)
        bytes[i] = (unsigned char)(bits >> (8 * (out->big ? size - 1 - i : i)));
    put(out, bytes, (size_t)size);
}

static void put_float(mesh_out *out, float number)
{
    uint32_t bits;

    memcpy(&bits, &number, sizeof bits);
    put_whole(out, bits, 4);
}

/// " x y z" and a line's end.
static void put_three(mesh_out *out, const char *before, const float at[3])
{
    char text[128];
    int length = snprintf(text, sizeof text, "%s %.9g %.9g %.9g\n", before, (double)at[0],
                          (double)at[1], (double)at[2]);

    for (int i = 0; i < length; i++)
        text[i] = text[i] == ',' ? '.' : text[i]; // as some locales have it
    put(out, text, (size_t)length);
}

static void put_corners(mesh_out *out, const char *before, const int32_t t[3], int first)
{
    char text[64];

    snprintf(text, sizeof text, "%s %d %d %d\n", before, t[0] + first, t[1] + first, t[2] + first);
    put_text(out, text);
}

static void write_obj(mesh_out *out, const gyre_mesh *mesh)
{
    for (int p = 0; p < mesh->point_count; p++)
        put_three(out, "v", mesh->points + 3 * p);
    for (int t = 0; t < mesh->triangle_count; t++)
        put_corners(out, "f", mesh->triangles + 3 * t, 1);
}

static void write_ply(mesh_out *out, const gyre_mesh *mesh, gyre_mesh_encoding encoding)
{
    static const char *const formats[] = {"binary_little_endian", "binary_big_endian", "ascii"};
    char head[512];

    snprintf(head, sizeof head,
             "ply\nformat %s 1.0\nelement vertex %d\nproperty float x\nproperty float y\n"
             "property float z\nelement face %d\nproperty list uchar int vertex_indices\n"
             "end_header\n",
             formats[encoding], mesh->point_count, mesh->triangle_count);
    put_text(out, head);
    out->big = encoding == GYRE_MESH_BIG_ENDIAN;
    for (int p = 0; p < mesh->point_count; p++) {
        const float *at = mesh->points + 3 * p;

        if (encoding == GYRE_MESH_TEXT)
            put_three(out, "", at);
        for (int a = 0; a < 3 && encoding != GYRE_MESH_TEXT; a++)
            put_float(out, at[a]);
    }
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int32_t *at = mesh->triangles + 3 * t;

        if (encoding == GYRE_MESH_TEXT) {
            put_corners(out, "3", at, 0);
            continue;
        }
        put_whole(out, 3, 1);
        for (int k = 0; k < 3; k++)
            put_whole(out, (uint32_t)at[k], 4);
    }
}

static void normal_of(const gyre_mesh *mesh, const int32_t t[3], float normal[3])
{
    double u[3], v[3], n[3], square = 0.0;

    for (int a = 0; a < 3; a++) {
        u[a] = (double)mesh->points[3 * t[1] + a] - (double)mesh->points[3 * t[0] + a];
        v[a] = (double)mesh->points[3 * t[2] + a] - (double)mesh->points[3 * t[0] + a];
    }
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;

        n[a] = u[b] * v[c] - u[c] * v[b];
        square += n[a] * n[a];
    }
    for (int a = 0; a < 3; a++)
        normal[a] = (float)(square > 0.0 ? n[a] / sqrt(square) : 0.0);
}

static void write_stl(mesh_out *out, const gyre_mesh *mesh, bool text)
{
    char head[80] = "gyre"; // not "solid", by which some readers take it for text

    if (text) {
        put_text(out, "solid gyre\n");
    } else {
        put(out, head, sizeof head);
        put_whole(out, (uint32_t)mesh->triangle_count, 4);
    }
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int32_t *at = mesh->triangles + 3 * t;
        float normal[3];

        normal_of(mesh, at, normal);
        if (text) {
            put_three(out, "facet normal", normal);
            put_text(out, "outer loop\n");
        }
        for (int a = 0; a < 3 && !text; a++)
            put_float(out, normal[a]);
        for (int k = 0; k < 3; k++) {
            const float *p = mesh->points + 3 * at[k];

            if (text)
                put_three(out, "vertex", p);
            for (int a = 0; a < 3 && !text; a++)
                put_float(out, p[a]);
        }
        if (text)
            put_text(out, "endloop\nendfacet\n");
        else
            put_whole(out, 0, 2);
    }
    if (text)
        put_text(out, "endsolid gyre\n");
}

gyre_result gyre_mesh_write(const char *path, const gyre_mesh *mesh, gyre_mesh_encoding encoding)
{
    if (GY_MISSING("mesh_write", path) || GY_MISSING("mesh_write", mesh))
        return GYRE_ERROR_ARGUMENT;
    bool obj = gy_io_ends(path, ".obj"), ply = gy_io_ends(path, ".ply");
    mesh_out out = {0};

    if (!obj && !ply && !gy_io_ends(path, ".stl"))
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "%s: unknown kind of mesh; known are .obj, .ply and .stl", path);
    if ((int)encoding < 0 || encoding > GYRE_MESH_TEXT ||
        (encoding == GYRE_MESH_BIG_ENDIAN && !ply))
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: its kind has no encoding %d", path,
                         (int)encoding);
    out.result = gyre_mesh_check(mesh);
    if (out.result == GYRE_OK)
        out.result = gy_io_create(path, &out.file);
    if (out.result != GYRE_OK)
        return out.result;
    if (obj)
        write_obj(&out, mesh);
    else if (ply)
        write_ply(&out, mesh, encoding);
    else
        write_stl(&out, mesh, encoding == GYRE_MESH_TEXT);
    flush(&out);
    if (out.result == GYRE_OK)
        return gy_io_commit(out.file);
    gy_io_discard(out.file);
    return out.result;
}
