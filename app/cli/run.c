// cli/run.c: gyre run: a scene in; pictures, videos, fields and statistics out.
#define _POSIX_C_SOURCE 200809L
#include "cli/run.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TO(member) offsetof(run_arguments, member)

const option_line run_options[] = {
    {"frames", "N", "frames in all, instead of the scene's", TO(frames), false},
    {"fps", "F", "frames per second of the fluid, instead of the scene's", TO(fps), false},
    {"playback", "F", "frames per second of videos; less than --fps is slow motion", TO(playback),
     false},
    {"out", "PATH", "where frames go, by the path's ending", TO(outs), true},
    {"field", "NAME", "a field for files of fields; pictures show the first", TO(fields), true},
    {"set", "PATH=VALUE", "change a property, such as gas.viscosity=0.1", TO(sets), true},
    {"stats", "FILE.csv", "a line of statistics per step", TO(stats), false},
    {"seed", "S", "of all that is random", TO(seed), false},
    {"device", "WHICH", "cpu, vulkan or vulkan:NAME, instead of the scene's", TO(device), false},
    {"threads", "N", "threads to compute on, instead of one per core", TO(threads), false},
    {"isa", "NAME", "instruction set, instead of this machine's best", TO(isa), false},
    {"checkpoint", "FILE", "keep the state of the run here, to go on from", TO(checkpoint), false},
    {"every", "N", "save the checkpoint every N frames (default 10)", TO(every), false},
    {"resume", "FILE", "go on from a checkpoint; what the scene says otherwise now is taken",
     TO(resume), false},
    {"replay", "FILE", "put in what the viewer has recorded; the scene may be left out", TO(replay),
     false},
    {"quiet", NULL, "say nothing but errors", TO(quiet), false},
    {0},
};

static volatile sig_atomic_t stopped; // the signal that asked for it

static void on_signal(int number)
{
    // Whoever asks twice does not want to wait: then the system's own way is taken.
    stopped = number;
}

static void catch_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART | (int)SA_RESETHAND};
    for (int i = 0; i < 3; i++) {
        struct sigaction before;
        // Under nohup a run outlives its terminal.
        bool outlives = numbers[i] == SIGHUP && sigaction(SIGHUP, NULL, &before) == 0 &&
                        before.sa_handler == SIG_IGN;
        if (!outlives) {
            sigaction(numbers[i], &action, NULL);
        }
    }
}

static bool parse_count(const char *text, long low, long high, long *number)
{
    char *end;
    *number = strtol(text, &end, 10);
    return end != text && *end == 0 && *number >= low && *number <= high;
}

// ---- before the first step

static int set_all(run *r)
{
    const struct {
        const char *path, *option, *text;
    } known[] = {{"time.frames", "frames", r->a.frames},
                 {"time.fps", "fps", r->a.fps},
                 {"time.seed", "seed", r->a.seed},
                 {"output.fps", "playback", r->a.playback}};
    for (int i = 0; i < 4; i++) {
        if (known[i].text && gyre_scene_set(r->scene, known[i].path, known[i].text)) {
            return complain(EXIT_USAGE, "--%s: %s", known[i].option, gyre_message());
        }
    }
    for (int i = 0; i < r->a.sets.count; i++) {
        if (gyre_scene_assign(r->scene, r->a.sets.items[i])) {
            return complain(EXIT_USAGE, "--set: %s", gyre_message());
        }
    }
    return EXIT_OK;
}

static int check_arguments(run *r)
{
    long number = 10;
    if (r->a.every && !parse_count(r->a.every, 1, 1000000, &number)) {
        return complain(EXIT_USAGE, "--every: found \"%s\", expected a number of frames",
                        r->a.every);
    }
    if (r->a.every && !r->a.checkpoint) {
        return complain(EXIT_USAGE, "--every: found no --checkpoint FILE, expected one");
    }
    r->every = (int)number;
    for (int i = 0; i < r->a.outs.count; i++) {
        uint32_t takes = 0;
        if (gyre_sink_check(r->a.outs.items[i], &takes)) {
            return complain(EXIT_USAGE, "--out: %s", gyre_message());
        }
        if (takes & GYRE_TAKES_TABLE) {
            return complain(EXIT_USAGE, "--out: %s holds a table; --stats %s writes one",
                            r->a.outs.items[i], r->a.outs.items[i]);
        }
        for (int k = 0; k < i; k++) {
            if (strcmp(r->a.outs.items[i], r->a.outs.items[k]) == 0) {
                return complain(EXIT_USAGE, "--out: %s is given twice", r->a.outs.items[i]);
            }
        }
    }
    return EXIT_OK;
}

static int make_device(run *r)
{
    gyre_device_def def = gyre_default_device_def();
    long threads = 0;
    if (r->a.threads && !parse_count(r->a.threads, 1, 256, &threads)) {
        return complain(EXIT_USAGE, "--threads: found \"%s\", expected a number from 1 to 256",
                        r->a.threads);
    }
    const char *asked = r->a.device;
    const char *given = asked ? asked : gyre_scene_get_settings(r->scene)->device;
    if (given[0] && gyre_device_parse(given, &def)) {
        return complain(asked ? EXIT_USAGE : EXIT_RUN, "%s: %s", asked ? "--device" : "device",
                        gyre_message());
    }
    def.threads = (int)threads;
    def.isa = r->a.isa;
    gyre_result result = gyre_device_create(&def, &r->device);
    if (result) {
        return failed(result == GYRE_ERROR_ARGUMENT ? EXIT_USAGE : EXIT_RUN);
    }
    return EXIT_OK;
}

// On one thread nothing is drawn beside the next frame.
static int make_drawer(run *r)
{
    gyre_device_def def = gyre_default_device_def();
    def.threads = gyre_device_threads(r->device);
    def.isa = r->a.isa;
    if (!r->pictures || def.threads < 2) {
        return EXIT_OK;
    }
    return gyre_device_create(&def, &r->drawing) || gyre_drawer_create(r->drawing, &r->drawer)
               ? failed(EXIT_RUN)
               : EXIT_OK;
}

// What is otherwise in the scene than it was in the saved run.
static void tell_edit(void *context, const char *sentence)
{
    run *r = context;
    r->reshaped = r->reshaped || strncmp(sentence, "output.", 7) == 0;
    if (!r->a.quiet) {
        fprintf(stderr, "%s\n", sentence);
    }
}

static int create(run *r)
{
    gyre_result result = r->a.resume
                             ? gyre_scene_resume(r->scene, r->device, r->a.resume, tell_edit, r)
                             : gyre_scene_create(r->scene, r->device);
    return result ? failed(EXIT_RUN) : EXIT_OK;
}

// A replay runs as long as it was recorded, unless --frames says otherwise.
static int load_replay(run *r)
{
    char frames[24];
    if (!r->a.replay) {
        return EXIT_OK;
    }
    if (gyre_replay_load(r->scene, r->a.replay, &r->replay_steps, &r->replay_hash)) {
        return failed(EXIT_RUN);
    }
    int per_frame = gyre_scene_get_settings(r->scene)->time.steps_per_frame;
    snprintf(frames, sizeof frames, "%lld", (long long)(r->replay_steps / per_frame));
    return gyre_scene_set(r->scene, "time.frames", frames) ? failed(EXIT_RUN) : EXIT_OK;
}

static void warn(void *context, const char *sentence)
{
    (void)context;
    fprintf(stderr, "warning: %s\n", sentence);
}

static int prepare(run *r)
{
    int status = check_arguments(r);
    if (status) {
        return status;
    }
    if (load_scene(r->scene_path, &r->scene)) {
        return failed(EXIT_RUN);
    }
    catch_signals();
    status = check_outputs(r);
    if (status == EXIT_OK && r->a.checkpoint && gyre_path_check(r->a.checkpoint)) {
        status = failed(EXIT_RUN);
    }
    status = status ? status : load_replay(r);
    status = status ? status : set_all(r);
    status = status ? status : make_device(r);
    if (status) {
        return status;
    }
    status = create(r);
    status = status ? status : open_sinks(r);
    status = status ? status : open_stats(r);
    status = status ? status : make_drawer(r);
    if (status == EXIT_OK && !r->a.quiet) {
        gyre_scene_warn(r->scene, warn, NULL);
    }
    return status;
}

// ---- while it runs

static int step_frame(run *r, double *ms)
{
    int steps = gyre_scene_get_settings(r->scene)->time.steps_per_frame;
    double sum = 0;
    for (int i = 0; i < steps; i++) {
        double start = now();
        if (gyre_scene_step(r->scene)) {
            return failed(EXIT_RUN);
        }
        double took = 1e3 * (now() - start);
        sum += took;
        if (r->stats && gyre_stats_write(r->stats, took)) {
            return failed(EXIT_RUN); // closed as it is, with the lines before
        }
    }
    *ms = sum / steps;
    return EXIT_OK;
}

// A run that goes on from here does not draw again what was before.
static int save(run *r)
{
    int status = finish_frame(r);
    if (status) {
        return status;
    }
    return gyre_scene_save_file(r->scene, r->a.checkpoint) ? failed(EXIT_RUN) : EXIT_OK;
}

static int loop(run *r, progress *p)
{
    int64_t frames = gyre_scene_get_settings(r->scene)->time.frames;
    int64_t saved = gyre_scene_frame(r->scene);
    int status = EXIT_OK;
    while (gyre_scene_frame(r->scene) < frames && !stopped && status == EXIT_OK) {
        double ms = 0;
        status = step_frame(r, &ms);
        double start = now();
        bool last = stopped || gyre_scene_frame(r->scene) >= frames;
        status = status ? status : write_frame(r, last ? SHARE_ALL : SHARE_EACH);
        double writing = 1e3 * (now() - start);
        int64_t done = gyre_scene_frame(r->scene);
        if (status == EXIT_OK && r->a.checkpoint && done % r->every == 0) {
            status = save(r);
            saved = done;
        }
        if (status == EXIT_OK) {
            progress_frame(p, done, ms,
                           r->drawer       ? "picture waited for"
                           : r->pictures   ? "picture"
                           : r->sink_count ? "frame written"
                                           : NULL,
                           writing);
        }
    }
    if (status == EXIT_OK && r->behind) {
        status = write_frame(r, SHARE_LAST);
    }
    if (status == EXIT_OK && r->a.checkpoint && saved != gyre_scene_frame(r->scene)) {
        status = save(r);
    }
    return status;
}

// The steps beyond the last whole frame, and whether all came to what was recorded.
static int end_replay(run *r)
{
    int per_frame = gyre_scene_get_settings(r->scene)->time.steps_per_frame;
    if (!r->a.replay || stopped || gyre_scene_frame(r->scene) != r->replay_steps / per_frame) {
        return EXIT_OK;
    }
    for (int64_t i = 0; i < r->replay_steps % per_frame; i++) {
        if (gyre_scene_step(r->scene)) {
            return failed(EXIT_RUN);
        }
    }
    uint64_t hash = gyre_scene_hash(r->scene);
    if (hash != r->replay_hash) {
        return complain(EXIT_RUN,
                        "%s: after %lld steps the hash is %016llx, recorded was %016llx: the scene "
                        "or the tool is another one",
                        r->a.replay, (long long)r->replay_steps, (unsigned long long)hash,
                        (unsigned long long)r->replay_hash);
    }
    if (!r->a.quiet) {
        printf("replayed %lld steps to the recorded hash\n", (long long)r->replay_steps);
    }
    return EXIT_OK;
}

// ---- after it

static void tell_end(const run *r, double seconds, int64_t first)
{
    const gyre_scene_settings *s = gyre_scene_get_settings(r->scene);
    int64_t done = gyre_scene_frame(r->scene);
    if (stopped && done < s->time.frames) {
        if (r->a.checkpoint) {
            fprintf(stderr,
                    "stopped after frame %lld of %d; to go on, give the same command with "
                    "--resume %s\n",
                    (long long)done, s->time.frames, r->a.checkpoint);
        } else {
            fprintf(stderr,
                    "stopped after frame %lld of %d, files are shorter but whole; a run with "
                    "--checkpoint FILE can go on with --resume FILE\n",
                    (long long)done, s->time.frames);
        }
    }
    if (!r->a.quiet) {
        printf("%lld frames in %.1f s, hash %016llx\n", (long long)(done - first), seconds,
               (unsigned long long)gyre_scene_hash(r->scene));
        for (int i = 0; i < r->sink_count; i++) {
            printf("%s\n", r->sinks[i].path);
        }
        if (r->stats_path) {
            printf("%s\n", r->stats_path);
        }
    }
}

/// A statistic of a model by its name; NULL: it has none of this name.
static const void *statistic(const gyre_model *model, const char *name)
{
    const void *stats;
    const gyre_property *line = gyre_model_stats(model, &stats);
    for (; line->name; line++) {
        if (strcmp(line->name, name) == 0) {
            return (const char *)stats + line->offset;
        }
    }
    return NULL;
}

/// A model that has gained energy from nothing says so, once.
static void tell_gains(const run *r)
{
    for (int i = 0; i < gyre_scene_model_count(r->scene); i++) {
        const gyre_model *model = gyre_scene_model(r->scene, i);
        const int64_t *gained = statistic(model, "gained");
        const double *time = statistic(model, "gained_time");
        if (gained && time && *gained > 0) {
            fprintf(stderr,
                    "warning: %s: in %lld of %lld steps, first at %.4g s, kinetic energy rose by "
                    "more than the work done on it; shorter steps or a tighter "
                    "pressure.tolerance help\n",
                    gyre_scene_model_name(r->scene, i), (long long)*gained,
                    (long long)gyre_model_steps(model), *time);
        }
    }
}

static void release(run *r)
{
    gyre_drawer_destroy(r->drawer);
    gyre_device_destroy(r->drawing);
    for (int i = 0; i < r->sink_count; i++) {
        gyre_sink_abort(r->sinks[i].sink);
        free(r->sinks[i].path);
    }
    gyre_stats_abort(r->stats);
    free(r->stats_path);
    gyre_image_free(&r->image);
    gyre_scene_destroy(r->scene);
    gyre_device_destroy(r->device);
    free(r);
}

static int simulate(run *r)
{
    int status = prepare(r);
    if (status) {
        return status;
    }
    progress p;
    int64_t first = gyre_scene_frame(r->scene);
    int64_t frames = gyre_scene_get_settings(r->scene)->time.frames;
    double start = now();
    progress_begin(&p, r->a.quiet, first, frames);
    if (first >= frames && r->a.resume && !r->a.quiet) {
        fprintf(stderr, "the checkpoint holds frame %lld of %lld: nothing is left to do\n",
                (long long)first, (long long)frames);
    }
    status = loop(r, &p);
    progress_end(&p);
    status = status ? status : end_replay(r);
    status = close_all(r, status);
    if (status == EXIT_OK) {
        tell_end(r, now() - start, first);
        if (!r->a.quiet) {
            tell_gains(r);
        }
    }
    if (status == EXIT_OK && stopped && gyre_scene_frame(r->scene) < frames) {
        return EXIT_SIGNAL + stopped;
    }
    return status;
}

int run_command(const cli_command *command, int argc, char **argv)
{
    option_list arguments = {0};
    run *r = calloc(1, sizeof *r);
    if (!r) {
        return complain(EXIT_RUN, "no memory");
    }
    int status = parse_options(command, argc, argv, &r->a, &arguments);
    if (status == EXIT_OK && arguments.count == 0 && r->a.replay) {
        status = gyre_replay_scene(r->a.replay, r->replayed, sizeof r->replayed) ? failed(EXIT_RUN)
                                                                                 : EXIT_OK;
        arguments = (option_list){1, {r->replayed}};
    }
    if (status == EXIT_OK && arguments.count != 1) {
        status = complain(EXIT_USAGE, "run: found %d scenes, expected one; see: gyre help run",
                          arguments.count);
    }
    if (status == EXIT_OK) {
        r->scene_path = arguments.items[0];
        status = simulate(r);
        status = status == EXIT_OK ? flush_output() : status;
    }
    release(r);
    return status < 0 ? EXIT_OK : status;
}
