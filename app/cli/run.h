// cli/run.h: what the files of gyre run share.
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "cli/cli.h"
#include "gyre/scene.h"

typedef struct run_arguments {
    const char *frames, *fps, *playback, *device, *threads, *isa, *stats, *seed, *checkpoint,
        *every, *resume, *replay;
    option_list outs, sets, fields;
    bool quiet;
} run_arguments;

// The sinks that a frame goes to. Those whose files hold the last frame alone wait for it.
typedef enum run_share { SHARE_ALL, SHARE_EACH, SHARE_LAST } run_share;

// A run and all that it has open.
typedef struct run {
    run_arguments a;
    const char *scene_path;
    char replayed[4096];  // the scene that a replay names
    int64_t replay_steps; // that were recorded
    uint64_t replay_hash; // after them
    gyre_scene *scene;
    gyre_device *device;
    int every;
    bool reshaped; // pictures of another size or rate than those of the run that it goes on from
    int sink_count;
    struct {
        gyre_sink *sink;
        int model;          // whose fields
        option_list fields; // by name; none: see gyre_fields_open()
        char *path;
        const char *whole; // what this is the last part of; NULL: of nothing
    } sinks[OPTION_MOST];
    bool pictures;
    gyre_image image;
    // Pictures are drawn and written while the next frame is simulated; NULL: one after the other.
    gyre_drawer *drawer;
    gyre_device *drawing; // what they are drawn on
    gyre_frame drawn;     // the drawer's, until it has been waited for
    run_share share;      // of the sinks, that it is for
    bool behind;          // a sink that keeps the last frame has not been given the present one
    int broken;           // the sink that refused that frame; -1: none
    gyre_stats_file *stats;
    char *stats_path;
} run;

/// Says what the library said; returns `status`.
int failed(int status);

// ---- what a run writes, outputs.c

/// Refuses outputs that would overwrite what the run is made from, or one another.
int check_outputs(const run *r);
int open_sinks(run *r);

// meshes.c
/// Copies of the surfaces that a scene's models show: water in the air, bodies, gates. Give them
/// back by drop_meshes(), on failure too.
gyre_result take_meshes(gyre_scene *scene, gyre_mesh **all, int *count);
void drop_meshes(gyre_mesh *meshes, int count);
int open_stats(run *r);
/// The frame that was simulated last goes to all sinks, those that want each, or the others: to
/// those of pictures in its own time.
int write_frame(run *r, run_share share);
/// Waits until that is so. Does nothing where there is nothing to wait for.
int finish_frame(run *r);
/// Ends all files. Returns `status`, or another one where an end failed.
int close_all(run *r, int status);

#endif
