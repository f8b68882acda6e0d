// io/video.c: videos through ffmpeg, which reads bare frames from a pipe and writes a temporary
// file that gets its name when ffmpeg says that it is whole.
#include "io/format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE_LIMIT = 8192, ARGUMENTS = 48 };

struct gyre_video {
    char *path;
    gy_io_file *file;
    gy_io_process *ffmpeg; // NULL after a failure
    int width, height;
    size_t frame; // bytes of one, as ffmpeg gets it
    uint8_t *yuv; // NULL: it gets RGB
    int64_t frames;
};

typedef struct video_kind {
    const char *ending;
    bool rgb;                   // whether it holds colours as they come
    const char *const *options; // between input and output, NULL at the end
} video_kind;

// The video says that it is BT.709, and so it is, see yuv.c.
#define IS_BT709                                                                                   \
    "-pix_fmt", "yuv420p", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc",      \
        "bt709", "-color_range", "tv"

// aq: without it H.264 spares its bits where the ground is dark and smooth, and bands appear there.
static const char *const mp4_options[] = {
    IS_BT709, "-c:v",         "libx264", "-preset",   "fast",       "-crf", "18",  "-aq-mode",
    "3",      "-aq-strength", "1.5",     "-movflags", "+faststart", "-f",   "mp4", NULL};

// At 30 VP9 smooths the dither away, and bands are back.
static const char *const webm_options[] = {
    IS_BT709, "-c:v",      "libvpx-vp9", "-b:v",    "0", "-crf", "24",   "-deadline",
    "good",   "-cpu-used", "5",          "-row-mt", "1", "-f",   "webm", NULL};

// One palette for all frames keeps the file half as large as one each, and the ground still; it
// costs ffmpeg the memory of all frames.
static const char *const gif_options[] = {
    "-filter_complex",
    "split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=bayer:bayer_scale=4:"
    "diff_mode=rectangle",
    "-loop",
    "0",
    "-f",
    "gif",
    NULL};

static const video_kind kinds[] = {
    {".mp4", false, mp4_options}, {".webm", false, webm_options}, {".gif", true, gif_options}};

static void free_video(gyre_video *video)
{
    free(video->yuv);
    free(video->path);
    free(video);
}

static gyre_result start(gyre_video *video, const video_kind *kind, double fps)
{
    const char *arguments[ARGUMENTS];
    const char *const input[] = {"ffmpeg", "-nostdin", "-hide_banner", "-loglevel",
                                 "error",  "-y",       "-f",           "rawvideo"};
    static const char *const as_rgb[] = {"-pix_fmt", "rgb24"};
    static const char *const as_yuv[] = {"-pix_fmt", "yuv420p",     "-color_range",
                                         "tv",       "-colorspace", "bt709"};
    const char *const *as = kind->rgb ? as_rgb : as_yuv;
    char size[32], rate[32];
    const char *temporary = gy_io_temporary(video->file);
    size_t length = strlen(temporary) + 6;
    char *output = malloc(length);
    int count = 0;

    if (output == NULL)
        return gyre_fail(GYRE_ERROR_MEMORY, "%s: no memory for a file name", video->path);
    snprintf(output, length, "file:%s", temporary);
    // Luma and chroma are of even sides.
    snprintf(size, sizeof size, "%dx%d", video->width + (!kind->rgb && (video->width & 1)),
             video->height + (!kind->rgb && (video->height & 1)));
    snprintf(rate, sizeof rate, "%.9g", fps);
    for (size_t i = 0; i < sizeof input / sizeof input[0]; i++)
        arguments[count++] = input[i];
    for (int i = 0; i < (kind->rgb ? 2 : 6); i++)
        arguments[count++] = as[i];
    arguments[count++] = "-s";
    arguments[count++] = size;
    arguments[count++] = "-r";
    arguments[count++] = rate;
    arguments[count++] = "-i";
    arguments[count++] = "pipe:0";
    for (int i = 0; kind->options[i] != NULL; i++)
        arguments[count++] = kind->options[i];
    arguments[count++] = output;
    arguments[count] = NULL;
    gyre_result result = gy_io_spawn(arguments, &video->ffmpeg);

    free(output);
    if (result != GYRE_OK) {
        char why[256];

        snprintf(why, sizeof why, "%s", gyre_message());
        return gyre_fail(result, "%s: a video needs ffmpeg: %s", video->path, why);
    }
    return GYRE_OK;
}

gyre_result gyre_video_open(const char *path, int width, int height, double fps, gyre_video **video)
{
    if (GY_MISSING("video_open", path) || GY_MISSING("video_open", video))
        return GYRE_ERROR_ARGUMENT;
    const video_kind *kind = NULL;

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (gy_io_ends(path, kinds[i].ending))
            kind = kinds + i;
    }
    if (kind == NULL)
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "%s: unknown kind of video; known are .mp4, .webm "
                         "and .gif",
                         path);
    if (width < 1 || height < 1 || width > SIDE_LIMIT || height > SIDE_LIMIT)
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: a video of %d x %d pixels; 1 to %d are allowed",
                         path, width, height, SIDE_LIMIT);
    if (!(fps >= 0.01 && fps <= 240.0))
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: %g frames per second; 0.01 to 240 are allowed",
                         path, fps);
    gyre_video *made = calloc(1, sizeof *made);
    size_t length = strlen(path) + 1;

    if (made != NULL)
        made->path = malloc(length);
    if (made == NULL || made->path == NULL) {
        free(made);
        return gyre_fail(GYRE_ERROR_MEMORY, "%s: no memory for a video", path);
    }
    memcpy(made->path, path, length);
    made->width = width;
    made->height = height;
    made->frame = kind->rgb ? 3 * (size_t)width * (size_t)height : gy_io_yuv_size(width, height);
    made->yuv = kind->rgb ? NULL : malloc(made->frame);
    if (!kind->rgb && made->yuv == NULL) {
        free_video(made);
        return gyre_fail(GYRE_ERROR_MEMORY, "%s: no memory for a frame", path);
    }
    gyre_result result = gy_io_create(path, &made->file);

    if (result == GYRE_OK) {
        result = start(made, kind, fps);
        if (result != GYRE_OK)
            gy_io_discard(made->file);
    }
    if (result != GYRE_OK) {
        free_video(made);
        return result;
    }
    *video = made;
    return GYRE_OK;
}

static gyre_result finish(gyre_video *video, bool whole)
{
    char line[400];
    bool ended = gy_io_finish(video->ffmpeg, line, sizeof line);

    video->ffmpeg = NULL;
    // ffmpeg 5 ends with status 0 when the file's last bytes found no room: its words count too,
    // and at this log level it has none for a whole file.
    if (ended && whole && line[0] == '\0')
        return GYRE_OK;
    return gyre_fail(GYRE_ERROR_FILE, "%s: ffmpeg failed: %s", video->path,
                     line[0] != '\0' ? line : "it gave no reason");
}

gyre_result gyre_video_write(gyre_video *video, const uint8_t *rgb)
{
    if (GY_MISSING("video_write", video) || GY_MISSING("video_write", rgb))
        return GYRE_ERROR_ARGUMENT;
    if (video->ffmpeg == NULL)
        return gyre_fail(GYRE_ERROR_STATE, "%s: the video has failed before", video->path);
    if (video->yuv != NULL)
        gy_io_yuv(rgb, video->width, video->height, video->yuv);
    if (!gy_io_feed(video->ffmpeg, video->yuv != NULL ? video->yuv : rgb, video->frame))
        return finish(video, false);
    video->frames++;
    return GYRE_OK;
}

gyre_result gyre_video_close(gyre_video *video)
{
    if (video == NULL)
        return GYRE_OK;
    gyre_result result = GYRE_OK;

    if (video->ffmpeg == NULL) {
        result = gyre_fail(GYRE_ERROR_FILE, "%s: the video has failed before", video->path);
    } else if (video->frames == 0) {
        gyre_video_abort(video);
        return GYRE_OK;
    } else {
        result = finish(video, true);
    }
    if (result == GYRE_OK)
        result = gy_io_commit(video->file);
    else
        gy_io_discard(video->file);
    free_video(video);
    return result;
}

void gyre_video_abort(gyre_video *video)
{
    if (video == NULL)
        return;
    if (video->ffmpeg != NULL)
        gy_io_kill(video->ffmpeg);
    gy_io_discard(video->file);
    free_video(video);
}

static gyre_result open_stream(const char *path, const gy_shape *shape, void **stream)
{
    gyre_video *video = NULL;
    gyre_result result = gyre_video_open(path, shape->width, shape->height, shape->fps, &video);

    *stream = video;
    return result;
}

static gyre_result put_frame(void *stream, const gyre_frame *frame)
{
    return gyre_video_write(stream, frame->rgb);
}

static gyre_result close_stream(void *stream)
{
    return gyre_video_close(stream);
}

static void abort_stream(void *stream)
{
    gyre_video_abort(stream);
}

const gy_format gy_format_video = {
    .about = {.name = "video",
              .doc = "a video of the pictures",
              .endings = {".mp4", ".webm", ".gif"},
              .takes = GYRE_TAKES_PICTURE,
              .stream = true},
    .open = open_stream,
    .put = put_frame,
    .close = close_stream,
    .abort = abort_stream,
};
