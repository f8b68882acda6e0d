// view/window/record.c: a video of what is seen. Frames go through a short queue to a thread of
// their own, so that a slow encoder never stops the display: where the queue is full a frame is
// left out and the one before stands for longer, so that the video keeps to the clock.
#include "view/app.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { QUEUE = 8 };

struct view_record {
    gyre_video *video;
    SDL_Thread *thread;
    SDL_mutex *mutex;
    SDL_cond *wake;
    char path[256];
    int left, width, height, fps; // left: where in the window it begins
    double began;
    // Under `mutex`.
    uint8_t *frames[QUEUE];
    int repeat[QUEUE]; // how often each is shown
    int first, count;
    bool over, failed;
    char message[512];
    int64_t sent, dropped; // frames of the video; pictures that were left out
};

static int encode(void *argument)
{
    view_record *r = argument;
    SDL_LockMutex(r->mutex);
    for (;;) {
        while (r->count == 0 && !r->over) {
            SDL_CondWait(r->wake, r->mutex);
        }
        if (r->count == 0) {
            break;
        }
        uint8_t *frame = r->frames[r->first];
        int repeat = r->repeat[r->first];
        bool failed = r->failed;
        SDL_UnlockMutex(r->mutex);
        for (int i = 0; i < repeat && !failed; i++) {
            failed = gyre_video_write(r->video, frame) != GYRE_OK;
        }
        SDL_LockMutex(r->mutex);
        if (failed && !r->failed) {
            r->failed = true;
            snprintf(r->message, sizeof r->message, "%.500s", gyre_message());
        }
        // Its place is free only now: the frame's memory is used in place.
        r->first = (r->first + 1) % QUEUE;
        r->count--;
    }
    SDL_UnlockMutex(r->mutex);
    return 0;
}

static void release(view_record *r)
{
    for (int i = 0; i < QUEUE; i++) {
        free(r->frames[i]);
    }
    SDL_DestroyMutex(r->mutex);
    SDL_DestroyCond(r->wake);
    free(r);
}

gyre_result record_start(view_app *app, const char *path)
{
    view_record *r = app->record ? NULL : calloc(1, sizeof *r);
    if (app->record) {
        return gyre_fail(GYRE_ERROR_STATE, "%s: a video is being recorded already", path);
    }
    bool good = r != NULL;
    int left = app->panel.video_panel ? 0 : app->window.left;
    size_t bytes = 3 * (size_t)(app->window.width - left) * (size_t)app->window.height,
           length = strlen(path);
    for (int i = 0; i < QUEUE && good; i++) {
        r->frames[i] = malloc(bytes);
        good = r->frames[i] != NULL;
    }
    if (good) {
        r->mutex = SDL_CreateMutex();
        r->wake = SDL_CreateCond();
        good = r->mutex && r->wake;
    }
    if (!good) {
        if (r) {
            release(r);
        }
        return gyre_fail(GYRE_ERROR_MEMORY, "%s: no memory for a video", path);
    }
    bool gif = length > 4 && strcmp(path + length - 4, ".gif") == 0;
    snprintf(r->path, sizeof r->path, "%s", path);
    r->left = left;
    r->width = app->window.width - left;
    r->height = app->window.height;
    // A .gif counts in hundredths of a second.
    r->fps = gif ? 20 : 30;
    r->began = app->clock.now;
    gyre_result result = gyre_video_open(path, r->width, r->height, r->fps, &r->video);
    if (result) {
        release(r);
        return result;
    }
    r->thread = SDL_CreateThread(encode, "gyre video", r);
    if (!r->thread) {
        gyre_video_abort(r->video);
        release(r);
        return gyre_fail(GYRE_ERROR_STATE, "%s: no thread: %s", path, SDL_GetError());
    }
    app->record = r;
    return GYRE_OK;
}

void record_frame(view_app *app)
{
    view_record *r = app->record;
    if (!r) {
        return;
    }
    if (r->left + r->width != app->window.width || r->height != app->window.height) {
        char path[256];
        snprintf(path, sizeof path, "%s", r->path);
        record_stop(app);
        app_note(app, true, "%s ends here: the window has another size now", path);
        return;
    }
    int64_t due = (int64_t)((app->clock.now - r->began) * r->fps) + 1;
    SDL_LockMutex(r->mutex);
    int repeat = (int)(due - r->sent), slot = (r->first + r->count) % QUEUE;
    bool room = r->count < QUEUE, failed = r->failed;
    if (repeat > 0 && !room) {
        r->dropped++;
    }
    SDL_UnlockMutex(r->mutex);
    if (failed) {
        record_stop(app);
        return;
    }
    if (repeat <= 0 || !room) {
        return;
    }
    view_draw_read(r->left, 0, r->width, r->height, r->frames[slot]);
    SDL_LockMutex(r->mutex);
    r->repeat[slot] = repeat;
    r->sent += repeat;
    r->count++;
    SDL_CondSignal(r->wake);
    SDL_UnlockMutex(r->mutex);
}

void record_stop(view_app *app)
{
    view_record *r = app->record;
    if (!r) {
        return;
    }
    app->record = NULL;
    SDL_LockMutex(r->mutex);
    r->over = true;
    SDL_CondSignal(r->wake);
    SDL_UnlockMutex(r->mutex);
    SDL_WaitThread(r->thread, NULL);
    if (r->failed) {
        gyre_video_abort(r->video);
        app_note(app, true, "%s", r->message);
    } else if (gyre_video_close(r->video)) {
        app_note(app, true, "%s", gyre_message());
    } else {
        app_note(app, false, "%s is written: %.1f s%s", r->path, (double)r->sent / r->fps,
                 r->dropped ? ", with frames left out" : "");
    }
    release(r);
}

bool record_status(const view_app *app, char *text, size_t size)
{
    view_record *r = app->record;
    if (!r) {
        return false;
    }
    SDL_LockMutex(r->mutex);
    int64_t dropped = r->dropped;
    SDL_UnlockMutex(r->mutex);
    int used = snprintf(text, size, "recording %.120s, %.1f s", r->path, app->clock.now - r->began);
    if (dropped > 0 && used > 0 && (size_t)used < size) {
        snprintf(text + used, size - (size_t)used, ", %lld frames left out", (long long)dropped);
    }
    return true;
}
