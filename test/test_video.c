// test/test_video.c: videos through ffmpeg, and sinks that choose by a path's ending.
#define _DEFAULT_SOURCE 1

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gyre/io.h"

#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WIDTH = 33, HEIGHT = 18, FRAMES = 12 }; // an odd width: H.264 takes even ones only

static char folder[] = "/tmp/gyre_video_XXXXXX";
static char name[512];
static uint8_t rgb[3 * WIDTH * HEIGHT];

static const char *in_folder(const char *file)
{
    snprintf(name, sizeof name, "%s/%s", folder, file);
    return name;
}

static int files_in_folder(void)
{
    DIR *open = opendir(folder);
    int count = 0;

    assert_non_null(open);
    for (struct dirent *entry; (entry = readdir(open)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(open);
    return count;
}

static int empty_folder(void **state)
{
    DIR *open = opendir(folder);

    (void)state;
    assert_non_null(open);
    for (struct dirent *entry; (entry = readdir(open)) != NULL;) {
        if (entry->d_name[0] != '.')
            (void)remove(in_folder(entry->d_name));
    }
    closedir(open);
    return 0;
}

static void paint(int frame)
{
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        rgb[3 * i] = (uint8_t)(20 * frame);
        rgb[3 * i + 1] = (uint8_t)(7 * (i % WIDTH));
        rgb[3 * i + 2] = 200;
    }
}

static bool have_ffmpeg(void)
{
    return system("ffmpeg -version >/dev/null 2>&1 && ffprobe -version >/dev/null 2>&1") == 0;
}

// What ffprobe says of a video: width, height and whole frames that can be decoded.
static void probe(const char *path, int *width, int *height, int *frames)
{
    char command[1024];

    snprintf(command, sizeof command,
             "ffprobe -v error -count_frames -select_streams v:0 -show_entries "
             "stream=width,height,nb_read_frames -of csv=p=0 %s",
             path);
    FILE *pipe = popen(command, "r");

    assert_non_null(pipe);
    assert_int_equal(fscanf(pipe, "%d,%d,%d", width, height, frames), 3);
    assert_int_equal(pclose(pipe), 0);
}

static void test_kinds(void **state)
{
    static const char *const kinds[] = {"a.mp4", "a.webm", "a.gif"};

    (void)state;
    if (!have_ffmpeg())
        skip();
    for (size_t i = 0; i < 3; i++) {
        gyre_sink *sink = NULL;
        int width, height, frames;

        assert_int_equal(gyre_sink_open(in_folder(kinds[i]), WIDTH, HEIGHT, 30.0, &sink), GYRE_OK);
        assert_int_equal(gyre_sink_format(sink)->takes, GYRE_TAKES_PICTURE);
        assert_true(gyre_sink_format(sink)->stream);
        for (int f = 0; f < FRAMES; f++) {
            gyre_frame frame = {.number = f, .rgb = rgb};

            paint(f);
            assert_int_equal(gyre_sink_write(sink, &frame), GYRE_OK);
            assert_int_not_equal(access(in_folder(kinds[i]), F_OK), 0); // no name before its end
        }
        assert_int_equal(gyre_sink_close(sink), GYRE_OK);
        probe(in_folder(kinds[i]), &width, &height, &frames);
        assert_int_equal(frames, FRAMES);
        assert_int_equal(width, i < 2 ? WIDTH + 1 : WIDTH);
        assert_int_equal(height, HEIGHT);
        assert_int_equal(files_in_folder(), i + 1);
    }
}

// A colour goes in and comes out, so the matrix that is written is the one that was used.
static void test_colour(void **state)
{
    gyre_video *video;
    unsigned char out[3] = {0};
    char command[1024];

    (void)state;
    if (!have_ffmpeg())
        skip();
    for (size_t i = 0; i < sizeof rgb; i++)
        rgb[i] = (uint8_t)(i % 3 == 0 ? 200 : i % 3 == 1 ? 40 : 90);
    assert_int_equal(gyre_video_open(in_folder("a.mp4"), WIDTH, HEIGHT, 25.0, &video), GYRE_OK);
    for (int f = 0; f < 3; f++)
        assert_int_equal(gyre_video_write(video, rgb), GYRE_OK);
    assert_int_equal(gyre_video_close(video), GYRE_OK);
    snprintf(command, sizeof command,
             "ffmpeg -v error -i %s -vf scale=in_color_matrix=bt709,crop=1:1:8:8 -frames:v 1 "
             "-f rawvideo -pix_fmt rgb24 -",
             in_folder("a.mp4"));
    FILE *pipe = popen(command, "r");

    assert_non_null(pipe);
    assert_int_equal(fread(out, 1, 3, pipe), 3);
    pclose(pipe);
    assert_in_range(out[0], 196, 204);
    assert_in_range(out[1], 36, 44);
    assert_in_range(out[2], 86, 94);
}

// Dithered to bytes as pictures are; a ramp so flat that each step is many pixels wide.
enum { RAMP = 640, TALL = 64 };

static double ramp_at(double x, int channel)
{
    return 255.0 * (0.06 + 0.12 * (x + 0.5) / RAMP) * (0.8 + 0.1 * channel);
}

static void paint_ramp(uint8_t *to)
{
    for (int i = 0; i < 3 * RAMP * TALL; i++) {
        int c = i % 3, x = i / 3 % RAMP + 17 * c + 5, y = i / 3 / RAMP + 31 * c + 11;
        double f = 0.06711056 * x + 0.00583715 * y, g = 52.9829189 * (f - (int)f);

        to[i] = (uint8_t)(ramp_at(i / 3 % RAMP, c) + g - (int)g);
    }
}

// How far the luma of the video's blocks is off the ramp's, in steps of a byte, but for what all
// are off. Rounded without dither it is 0.22 or more: bands.
static void test_no_bands(void **state)
{
    static uint8_t ramp[3 * RAMP * TALL];
    static const char *const kinds[] = {"a.mp4", "a.webm"};

    (void)state;
    if (!have_ffmpeg())
        skip();
    paint_ramp(ramp);
    for (int k = 0; k < 2; k++) {
        static unsigned char luma[2 * RAMP * TALL];
        gyre_video *video;
        char command[1024];
        double off[RAMP / 8], mean = 0.0, square = 0.0;

        assert_int_equal(gyre_video_open(in_folder(kinds[k]), RAMP, TALL, 30.0, &video), GYRE_OK);
        for (int f = 0; f < 12; f++)
            assert_int_equal(gyre_video_write(video, ramp), GYRE_OK);
        assert_int_equal(gyre_video_close(video), GYRE_OK);
        snprintf(command, sizeof command,
                 "ffmpeg -v error -i %s -vf select='eq(n\\,10)',scale=in_color_matrix=bt709:"
                 "in_range=tv:out_range=pc,format=gray16le -frames:v 1 -f rawvideo -",
                 in_folder(kinds[k]));
        FILE *pipe = popen(command, "r");

        assert_non_null(pipe);
        assert_int_equal(fread(luma, 1, sizeof luma, pipe), sizeof luma);
        pclose(pipe);
        for (int b = 2; b < RAMP / 8 - 2; b++) {
            double sum = 0.0, wanted = 0.2126 * ramp_at(8 * b + 3.5, 0) +
                                       0.7152 * ramp_at(8 * b + 3.5, 1) +
                                       0.0722 * ramp_at(8 * b + 3.5, 2);

            for (int i = 0; i < 8 * TALL; i++) {
                size_t at = 2 * ((size_t)(i / 8) * RAMP + (size_t)(8 * b + i % 8));

                sum += luma[at] + 256.0 * luma[at + 1];
            }
            off[b] = sum / (8 * TALL) / 257.0 - wanted;
            mean += off[b] / (RAMP / 8 - 4);
        }
        for (int b = 2; b < RAMP / 8 - 2; b++)
            square += (off[b] - mean) * (off[b] - mean) / (RAMP / 8 - 4);
        print_message("%s: %.3f of a step\n", kinds[k], sqrt(square));
        assert_true(square < 0.1 * 0.1);
    }
}

static void test_abort_and_empty(void **state)
{
    gyre_video *video;

    (void)state;
    if (!have_ffmpeg())
        skip();
    assert_int_equal(gyre_video_open(in_folder("a.mp4"), WIDTH, HEIGHT, 30.0, &video), GYRE_OK);
    assert_int_equal(gyre_video_write(video, rgb), GYRE_OK);
    gyre_video_abort(video);
    assert_int_equal(files_in_folder(), 0);
    assert_int_equal(gyre_video_open(in_folder("a.mp4"), WIDTH, HEIGHT, 30.0, &video), GYRE_OK);
    assert_int_equal(gyre_video_close(video), GYRE_OK);
    assert_int_equal(files_in_folder(), 0);
    assert_int_equal(gyre_video_close(NULL), GYRE_OK);
    gyre_video_abort(NULL);
}

// Ctrl-C reaches a whole process group. The video is closed afterwards and is whole.
static void test_interrupt(void **state)
{
    int width, height, frames, status = -1;

    (void)state;
    if (!have_ffmpeg())
        skip();
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0) {
        gyre_video *video;
        gyre_result bad = GYRE_OK;

        (void)setpgid(0, 0);
        signal(SIGINT, SIG_IGN);
        bad = gyre_video_open(in_folder("a.mp4"), WIDTH, HEIGHT, 30.0, &video);
        for (int f = 0; f < FRAMES && bad == GYRE_OK; f++) {
            if (f == 5)
                kill(0, SIGINT);
            bad = gyre_video_write(video, rgb);
        }
        if (bad == GYRE_OK)
            bad = gyre_video_close(video);
        _exit(bad == GYRE_OK ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    probe(in_folder("a.mp4"), &width, &height, &frames);
    assert_int_equal(frames, FRAMES);
}

static void test_no_ffmpeg(void **state)
{
    char *path = getenv("PATH"), *kept;
    gyre_video *video;

    (void)state;
    assert_non_null(path);
    kept = malloc(strlen(path) + 1);
    assert_non_null(kept);
    strcpy(kept, path);
    assert_int_equal(setenv("PATH", folder, 1), 0);
    assert_int_equal(gyre_video_open(in_folder("a.mp4"), WIDTH, HEIGHT, 30.0, &video),
                     GYRE_ERROR_UNSUPPORTED);
    assert_non_null(strstr(gyre_message(), "ffmpeg"));
    assert_int_equal(setenv("PATH", kept, 1), 0);
    free(kept);
    assert_int_equal(files_in_folder(), 0);
}

// A stand-in for ffmpeg that says why and fails: at once, or after it has read everything.
static void test_failing_ffmpeg(void **state)
{
    static const char *const scripts[2] = {
        "#!/bin/sh\necho first >&2\necho 'No space left on device' >&2\nexit 1\n",
        "#!/bin/sh\ncat >/dev/null\necho 'No space left on device' >&2\nexit 1\n"};
    char *kept = malloc(strlen(getenv("PATH")) + 1), *longer = malloc(strlen(getenv("PATH")) + 600);

    (void)state;
    assert_true(kept != NULL && longer != NULL);
    strcpy(kept, getenv("PATH"));
    snprintf(longer, strlen(kept) + 600, "%s:%s", folder, kept);
    for (int i = 0; i < 2; i++) {
        gyre_sink *sink = NULL;
        gyre_frame frame = {.rgb = rgb};
        gyre_result result = GYRE_OK;
        FILE *script = fopen(in_folder("ffmpeg"), "w");

        assert_non_null(script);
        fputs(scripts[i], script);
        fclose(script);
        assert_int_equal(chmod(in_folder("ffmpeg"), 0755), 0);
        setenv("PATH", longer, 1);
        assert_int_equal(gyre_sink_open(in_folder("a.mp4"), WIDTH, HEIGHT, 30.0, &sink), GYRE_OK);
        setenv("PATH", kept, 1);
        for (int f = 0; f < 2000 && result == GYRE_OK && i == 0; f++)
            result = gyre_sink_write(sink, &frame);
        if (i == 0) {
            assert_int_equal(result, GYRE_ERROR_FILE);
            assert_non_null(strstr(gyre_message(), "a.mp4: ffmpeg failed: No space left"));
            assert_int_equal(gyre_sink_write(sink, &frame), GYRE_ERROR_STATE);
            assert_int_equal(gyre_sink_close(sink), GYRE_ERROR_FILE);
        } else {
            assert_int_equal(gyre_sink_write(sink, &frame), GYRE_OK);
            assert_int_equal(gyre_sink_close(sink), GYRE_ERROR_FILE);
            assert_non_null(strstr(gyre_message(), "a.mp4: ffmpeg failed: No space left"));
        }
        assert_int_equal(files_in_folder(), 1); // the stand-in
    }
    free(kept);
    free(longer);
}

static void test_full_disk(void **state)
{
    int status = -1;

    (void)state;
    if (!have_ffmpeg())
        skip();
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0) {
        struct rlimit limit = {8192, 8192};
        gyre_video *video;
        gyre_result result;

        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
        result = gyre_video_open(in_folder("a.mp4"), WIDTH, HEIGHT, 30.0, &video);
        if (result != GYRE_OK)
            _exit(1);
        for (int f = 0; f < 300 && result == GYRE_OK; f++) {
            for (size_t i = 0; i < sizeof rgb; i++)
                rgb[i] = (uint8_t)((i * 7919 + (size_t)f * 104729) * 2654435761u >> 24);
            result = gyre_video_write(video, rgb);
        }
        gyre_result closed = gyre_video_close(video);

        _exit(closed == GYRE_ERROR_FILE && gyre_message()[0] != '\0' ? 0 : 2);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(files_in_folder(), 0);
}

static void test_sink_paths(void **state)
{
    static const char *const wrong[] = {"a.txt",  "mp4",       ".mp4",     "a%d%d.png", "a%s.png",
                                        "a%.npy", "a%04x.vti", "a%4d.png", "a%00d.png", "d/.png"};
    uint32_t takes = 0;

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(gyre_sink_check(wrong[i], NULL), GYRE_ERROR_ARGUMENT);
    (void)gyre_sink_check("a.txt", NULL);
    assert_non_null(strstr(gyre_message(),
                           ".mp4, .webm, .gif, .png, .particles.npy, .npy, .vti, .npz, .ply, "
                           ".vtp, .obj, .stl and .csv"));
    assert_int_equal(gyre_sink_check("a%04d.PNG", &takes), GYRE_OK);
    assert_int_equal(takes, GYRE_TAKES_PICTURE);
    assert_int_equal(gyre_sink_check("a%d.vti", &takes), GYRE_OK);
    assert_int_equal(takes, GYRE_TAKES_PICTURE | GYRE_TAKES_FIELDS);
    assert_int_equal(gyre_sink_check("50%.mp4", &takes), GYRE_OK);
}

static void test_sequences(void **state)
{
    float data[4] = {1.0f, 2.0f, 3.0f, 4.0f};
    gyre_field_view view = {
        data, {2, 2, 1}, {1, 2, 0}, GYRE_CENTRE, {2, {2, 2, 1}, 1.0f, {0.0f, 0.0f, 0.0f}}};
    gyre_named_view fields[2] = {{"density", view}, {"heat", view}};
    gyre_frame frame = {.rgb = rgb, .fields = fields, .field_count = 1};
    gyre_sink *sink = NULL;
    gyre_volume volume = {0};

    (void)state;
    assert_int_equal(gyre_sink_open(in_folder("p%03d.png"), WIDTH, HEIGHT, 0.0, &sink), GYRE_OK);
    assert_false(gyre_sink_keeps_last(sink));
    for (frame.number = 7; frame.number < 1010; frame.number += 501)
        assert_int_equal(gyre_sink_write(sink, &frame), GYRE_OK);
    gyre_sink_abort(sink);
    assert_int_equal(access(in_folder("p007.png"), F_OK), 0);
    assert_int_equal(access(in_folder("p508.png"), F_OK), 0);
    assert_int_equal(access(in_folder("p1009.png"), F_OK), 0);
    assert_int_equal(files_in_folder(), 3);

    // Without a number: the last frame, at close.
    assert_int_equal(gyre_sink_open(in_folder("last.npy"), 0, 0, 0.0, &sink), GYRE_OK);
    assert_true(gyre_sink_keeps_last(sink));
    assert_int_equal(gyre_sink_format(sink)->takes, GYRE_TAKES_FIELDS);
    assert_int_equal(gyre_sink_format(sink)->most_fields, 1);
    assert_int_equal(gyre_sink_write(sink, &frame), GYRE_OK);
    data[3] = 9.0f;
    assert_int_equal(gyre_sink_write(sink, &frame), GYRE_OK);
    data[3] = 0.0f;
    assert_int_not_equal(access(in_folder("last.npy"), F_OK), 0);
    assert_int_equal(gyre_sink_close(sink), GYRE_OK);
    assert_int_equal(gyre_read_volume(in_folder("last.npy"), &volume), GYRE_OK);
    assert_true(volume.data[3] == 9.0f);
    gyre_volume_free(&volume);

    assert_int_equal(gyre_sink_open(in_folder("f.npy"), 0, 0, 0.0, &sink), GYRE_OK);
    frame.field_count = 2;
    assert_int_equal(gyre_sink_write(sink, &frame), GYRE_ERROR_ARGUMENT);
    gyre_sink_abort(sink);
    assert_int_equal(gyre_sink_open(in_folder("f%d.vti"), 0, 0, 0.0, &sink), GYRE_OK);
    assert_int_equal(gyre_sink_write(sink, &frame), GYRE_OK);
    assert_int_equal(gyre_sink_close(sink), GYRE_OK);
    assert_int_equal(access(in_folder("f1510.vti"), F_OK), 0);
    assert_int_equal(gyre_sink_open(in_folder("none/f%d.vti"), 0, 0, 0.0, &sink), GYRE_ERROR_FILE);
    assert_int_equal(files_in_folder(), 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_kinds, empty_folder),
        cmocka_unit_test_teardown(test_colour, empty_folder),
        cmocka_unit_test_teardown(test_no_bands, empty_folder),
        cmocka_unit_test_teardown(test_abort_and_empty, empty_folder),
        cmocka_unit_test_teardown(test_interrupt, empty_folder),
        cmocka_unit_test_teardown(test_no_ffmpeg, empty_folder),
        cmocka_unit_test_teardown(test_failing_ffmpeg, empty_folder),
        cmocka_unit_test_teardown(test_full_disk, empty_folder),
        cmocka_unit_test_teardown(test_sink_paths, empty_folder),
        cmocka_unit_test_teardown(test_sequences, empty_folder),
    };

    if (mkdtemp(folder) == NULL)
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    (void)rmdir(folder);
    return failed;
}
