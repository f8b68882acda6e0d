// io/video_join.c: parts of a video made one, by ffmpeg's concat, which copies the frames as they
// are: it reads every byte once and encodes nothing.
#include "io/io.h"

#include <stdlib.h>
#include <string.h>

/// One line of the list that ffmpeg reads: quotes in it end the quotation, stand alone, begin it
/// anew.
static bool put_part(gy_io_process *ffmpeg, const char *part)
{
    char *path = gy_io_real(part);
    bool fed = path != NULL && gy_io_feed(ffmpeg, "file 'file:", 11);

    for (const char *at = path; fed && *at != '\0'; at++)
        fed = *at == '\'' ? gy_io_feed(ffmpeg, "'\\''", 4) : gy_io_feed(ffmpeg, at, 1);
    fed = fed && gy_io_feed(ffmpeg, "'\n", 2);
    free(path);
    return fed;
}

static gyre_result copy_parts(const char *const *parts, int count, const char *path,
                              const char *format, const char *output)
{
    const char *const arguments[] = {"ffmpeg",
                                     "-nostdin",
                                     "-hide_banner",
                                     "-loglevel",
                                     "error",
                                     "-y",
                                     "-f",
                                     "concat",
                                     "-safe",
                                     "0",
                                     "-protocol_whitelist",
                                     "file,pipe,fd",
                                     "-i",
                                     "pipe:0",
                                     "-map",
                                     "0:v:0",
                                     "-c",
                                     "copy",
                                     "-f",
                                     format,
                                     output,
                                     NULL};
    gy_io_process *ffmpeg;
    char line[400];
    gyre_result result = gy_io_spawn(arguments, &ffmpeg);

    if (result != GYRE_OK)
        return result;
    bool fed = gy_io_feed(ffmpeg, "ffconcat version 1.0\n", 21);

    for (int i = 0; i < count && fed; i++)
        fed = put_part(ffmpeg, parts[i]);
    bool ended = gy_io_finish(ffmpeg, line, sizeof line);

    return ended && fed && line[0] == '\0'
               ? GYRE_OK
               : gyre_fail(GYRE_ERROR_FILE, "%s: ffmpeg failed: %s", path,
                           line[0] != '\0' ? line : "it gave no reason");
}

// How many frames a file holds, by what ffmpeg says at its end: "frame=  240 fps=...".
static gyre_result count_frames(const char *input, int64_t *frames)
{
    const char *const arguments[] = {
        "ffmpeg", "-nostdin", "-hide_banner", "-loglevel", "error", "-stats", "-i", input,
        "-map",   "0:v:0",    "-c",           "copy",      "-f",    "null",   "-",  NULL};
    gy_io_process *ffmpeg;
    char line[400], *end;
    gyre_result result = gy_io_spawn(arguments, &ffmpeg);

    if (result != GYRE_OK)
        return result;
    bool ended = gy_io_finish(ffmpeg, line, sizeof line);
    const char *number = strncmp(line, "frame=", 6) == 0 ? line + 6 : "";

    *frames = strtoll(number, &end, 10);
    return ended && end != number ? GYRE_OK : gyre_fail(GYRE_ERROR_FILE, "ffmpeg failed: %s", line);
}

gyre_result gyre_video_join(const char *const *parts, int count, const char *path, int64_t frames)
{
    if (GY_MISSING("video_join", parts) || GY_MISSING("video_join", path))
        return GYRE_ERROR_ARGUMENT;
    static const char *const formats[][2] = {{".mp4", "mp4"}, {".webm", "webm"}, {".gif", "gif"}};
    const char *format = NULL;
    gy_io_file *file;
    int64_t found = 0;

    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (gy_io_ends(path, formats[i][0]))
            format = formats[i][1];
    }
    if (format == NULL || count < 1)
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: no kind of video that can be joined", path);
    gyre_result result = gy_io_create(path, &file);

    if (result != GYRE_OK)
        return result;
    size_t length = strlen(gy_io_temporary(file)) + 6;
    char *output = malloc(length);

    if (output == NULL) {
        gy_io_discard(file);
        return gyre_fail(GYRE_ERROR_MEMORY, "%s: no memory for a file name", path);
    }
    snprintf(output, length, "file:%s", gy_io_temporary(file));
    result = copy_parts(parts, count, path, format, output);
    if (result == GYRE_OK)
        result = count_frames(output, &found);
    free(output);
    if (result == GYRE_OK && found != frames)
        result = gyre_fail(GYRE_ERROR_FILE, "%s: its parts hold %lld frames, expected %lld", path,
                           (long long)found, (long long)frames);
    if (result != GYRE_OK) {
        gy_io_discard(file);
        return result;
    }
    return gy_io_commit(file);
}
