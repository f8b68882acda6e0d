// cli/load.c: a scene from a file, or from the standard input where its name is "-".
#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// All of a stream, up to one byte more than a scene may have, which is then refused as too long.
static char *read_all(FILE *stream, size_t *size)
{
    size_t room = 1 << 16, most = 16 * 1048576 + 1;
    char *text = malloc(room);
    *size = 0;
    while (text && *size < most) {
        size_t got = fread(text + *size, 1, room - *size, stream);
        *size += got;
        if (got == 0) {
            break;
        }
        if (*size == room) {
            char *more = realloc(text, room *= 2);
            if (!more) {
                free(text);
            }
            text = more;
        }
    }
    return text;
}

gyre_result load_scene(const char *path, gyre_scene **scene)
{
    if (strcmp(path, "-") != 0) {
        return gyre_scene_load(path, scene);
    }
    size_t size;
    char *text = read_all(stdin, &size);
    if (!text || ferror(stdin)) {
        free(text);
        return gyre_fail(GYRE_ERROR_FILE, "the standard input cannot be read");
    }
    // Without a folder in its name, files are looked for where the tool runs.
    gyre_result result = gyre_scene_parse(text, size, "stdin", scene);
    free(text);
    return result;
}
