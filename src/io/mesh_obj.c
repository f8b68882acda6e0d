// io/mesh_obj.c: Wavefront's .obj: a statement a line, of which "v x y z" and "f a b c ..." are
// taken. A corner is "a", "a/t", "a//n" or "a/t/n": a point from 1 on, or from -1 back.
// http://paulbourke.net/dataformats/obj/
#include "io/mesh_file.h"

#include <string.h>

static gyre_result read_point(gy_mesh_file *file, gy_mesh_draft *draft)
{
    char word[64];
    float at[3];

    for (int a = 0; a < 3; a++) {
        if (!gy_mesh_word(file, word, sizeof word))
            return gy_mesh_wrong(file, "found a point of %d coordinates, expected 3", a);
        if (!gy_mesh_number(word, &at[a]))
            return gy_mesh_wrong(file, "found \"%.40s\", expected a coordinate", word);
    }
    return gy_mesh_add_point(file, draft, at);
}

static gyre_result read_face(gy_mesh_file *file, gy_mesh_draft *draft)
{
    char word[64];
    int32_t fan[2], corner;
    int count = 0;

    for (; gy_mesh_word(file, word, sizeof word); count++) {
        char *slash = strchr(word, '/');

        if (slash)
            *slash = '\0';
        if (!gy_mesh_whole(word, &corner) || corner == 0)
            return gy_mesh_wrong(file, "found the corner \"%.40s\", expected a point from 1 or -1",
                                 word);
        if (corner > draft->point_count || corner < -draft->point_count)
            return gy_mesh_wrong(file, "found the point %d, expected one of the %d before it",
                                 corner, draft->point_count);
        corner = corner > 0 ? corner - 1 : draft->point_count + corner;
        gyre_result result = gy_mesh_add_corner(file, draft, count, corner, fan);

        if (result != GYRE_OK)
            return result;
    }
    return count < 3 ? gy_mesh_wrong(file, "found a face of %d corners, expected 3 or more", count)
                     : GYRE_OK;
}

gyre_result gy_mesh_read_obj(gy_mesh_file *file, gy_mesh_draft *draft)
{
    gyre_result result = GYRE_OK;
    char word[64];

    for (; file->at < file->end && result == GYRE_OK; gy_mesh_next_line(file)) {
        if (!gy_mesh_word(file, word, sizeof word) || word[0] == '#')
            continue;
        if (strcmp(word, "v") == 0)
            result = read_point(file, draft);
        else if (strcmp(word, "f") == 0)
            result = read_face(file, draft);
        else if (strspn(word, "abcdefghijklmnopqrstuvwxyz_") != strlen(word) || strlen(word) > 20)
            return gy_mesh_wrong(file, "found \"%.40s\", expected a statement of .obj", word);
    }
    return result == GYRE_OK && draft->point_count == 0
               ? gy_mesh_wrong(file, "found no point, expected \"v x y z\"")
               : result;
}
