// view/session/session.c: the thread that steps a scene: input in, frames out, kept to real time.
//
// Two locks: `state` guards the queue, the wishes and the numbers, and is held for moments;
// `scenes` is held for as long as a step takes. Frames change hands by swapping three indices under
// `state`.
#include "view/session/inner.h"

#include <SDL.h>
#include <stdlib.h>
#include <string.h>

enum { OBSERVERS = 16, BEHIND = 4 };

typedef struct queued {
    char *path, *json;
    unsigned variants; // a bit for each
    struct queued *next;
} queued;

typedef struct observer {
    view_look_at *look;
    void *argument;
    int variant;
} observer;

struct view_session {
    view_session_def def;
    char *path;
    char **sets;
    gyre_device *device;
    SDL_Thread *thread;
    SDL_mutex *state, *scenes;
    SDL_cond *wake;

    // Under `scenes`.
    session_variant variants[VIEW_VARIANTS];

    // Under `state`.
    queued *first, *last;
    observer observers[OBSERVERS];
    int observer_count, waiting; // who wants the scenes for a moment
    bool quit, paused, single, reset, keep, touched;
    bool all;    // frames hold all models
    bool copies; // somebody asked for frames that are copied
    int variant_count, wanted_count;
    char names[SESSION_NAMES][32];
    int name_count, shown; // the model that frames hold, -1: the scene's choice
    char refusal[512];
    view_session_stats stats;
    gyre_scene_settings settings;
    double taken[2]; // s, when the last two frames that were taken were made
    double made;     // s, when the frame that lies ready was

    // The thread's own.
    double owed;             // s of the fluid's time that should have passed and has not
    double counted;          // s, when `owed` was counted
    double window, advanced; // s of the clock's and the fluid's time since the speed was told
    int64_t steps;
    bool shares; // frames stay on the device
};

static double seconds(void)
{
    return (double)SDL_GetPerformanceCounter() / (double)SDL_GetPerformanceFrequency();
}

// ---- on the thread

static void fail(view_session *s, const char *message)
{
    SDL_LockMutex(s->state);
    snprintf(s->stats.error, sizeof s->stats.error, "%s", message);
    s->paused = true;
    SDL_UnlockMutex(s->state);
}

static size_t model_bytes(const gyre_scene *scene)
{
    size_t bytes = 0;
    for (int i = 0; scene && i < gyre_scene_model_count(scene); i++) {
        bytes +=
            gyre_model_def_size(gyre_scene_model_type(scene, i), gyre_scene_model_def(scene, i));
    }
    return bytes;
}

// Makes the scenes anew, as `reset` and `variant_count` say.
static void load(view_session *s)
{
    SDL_LockMutex(s->state);
    bool keep = s->keep;
    int count = s->wanted_count;
    bool split = count > s->variant_count;
    s->reset = false;
    SDL_UnlockMutex(s->state);
    gyre_result result = GYRE_OK;
    if (split) {
        result = session_log_copy(&s->variants[VIEW_B].log, &s->variants[VIEW_A].log);
    }
    for (int i = 0; i < VIEW_VARIANTS && result == GYRE_OK; i++) {
        session_variant *v = &s->variants[i];
        if (!keep || i >= count) {
            session_log_clear(&v->log);
        }
        if (i < count) {
            result = session_variant_load(v, &s->def, s->device);
        } else {
            gyre_scene_destroy(v->scene);
            v->scene = NULL;
        }
    }
    if (result && s->variants[VIEW_A].scene && count > 1) {
        // There was no room for the second: the first goes on alone.
        gyre_scene_destroy(s->variants[VIEW_B].scene);
        s->variants[VIEW_B].scene = NULL;
    }
    s->owed = 0;
    SDL_LockMutex(s->state);
    s->variant_count = s->wanted_count = s->variants[VIEW_B].scene ? 2 : 1;
    s->stats.has_models = s->variants[VIEW_A].scene != NULL;
    s->stats.bytes =
        model_bytes(s->variants[VIEW_A].scene) + model_bytes(s->variants[VIEW_B].scene);
    s->stats.error[0] = 0;
    s->stats.step = 0;
    s->stats.time = 0;
    s->stats.slowdown = 1;
    s->window = s->advanced = 0;
    s->touched = true;
    if (s->variants[VIEW_A].scene) {
        s->settings = *gyre_scene_get_settings(s->variants[VIEW_A].scene);
        s->stats.wanted_steps_per_second = 1.0 / (double)gyre_scene_dt(s->variants[VIEW_A].scene);
    }
    SDL_UnlockMutex(s->state);
    if (result) {
        fail(s, gyre_message());
    }
    SDL_LockMutex(s->state);
    s->stats.loading = false;
    SDL_UnlockMutex(s->state);
}

static void refuse(view_session *s, const char *path)
{
    SDL_LockMutex(s->state);
    const char *message = gyre_message();
    bool named = strncmp(message, path, strlen(path)) == 0;
    // The first says most: others follow from it.
    if (!s->refusal[0]) {
        snprintf(s->refusal, sizeof s->refusal, "%.200s%s%.300s", named ? "" : path,
                 named ? "" : ": ", message);
    }
    SDL_UnlockMutex(s->state);
}

// Applies what was put in and lets those look who asked.
static void serve(view_session *s)
{
    SDL_LockMutex(s->state);
    queued *list = s->first;
    s->first = s->last = NULL;
    observer looks[OBSERVERS];
    int count = s->observer_count;
    memcpy(looks, s->observers, sizeof looks);
    s->observer_count = 0;
    s->touched = s->touched || list;
    SDL_UnlockMutex(s->state);
    while (list) {
        queued *input = list;
        list = input->next;
        for (int i = 0; i < VIEW_VARIANTS; i++) {
            session_variant *v = &s->variants[i];
            if ((input->variants & 1u << i) && v->scene &&
                session_variant_input(v, input->path, input->json)) {
                refuse(s, input->path);
            }
        }
        free(input->path);
        free(input->json);
        free(input);
    }
    for (int i = 0; i < count; i++) {
        // One who asked for B looks at A when B has gone.
        const session_variant *v = &s->variants[looks[i].variant];
        looks[i].look(looks[i].argument, v->scene ? v->scene : s->variants[VIEW_A].scene);
    }
}

static gyre_result fill_frames(view_session *s, int model, bool all, char names[SESSION_NAMES][32],
                               int count)
{
    gyre_result result = GYRE_OK;
    for (int i = 0; i < VIEW_VARIANTS && result == GYRE_OK; i++) {
        session_variant *v = &s->variants[i];
        if (v->scene) {
            result = session_frame_fill_all(&v->frames.frame[v->frames.back], v->scene, model,
                                            names, count, s->shares, all);
        }
    }
    return result;
}

static void publish(view_session *s)
{
    SDL_LockMutex(s->state);
    s->shares = s->shares && !s->copies;
    char names[SESSION_NAMES][32];
    int count = s->name_count, model = s->shown;
    bool all = s->all;
    memcpy(names, s->names, sizeof names);
    s->touched = false;
    SDL_UnlockMutex(s->state);
    double now = seconds();
    uint64_t read = gyre_device_bytes_read(s->device);
    gyre_result result = fill_frames(s, model, all, names, count);
    if (result && s->shares && gyre_device_wait(s->device) == GYRE_OK) {
        // The device itself goes on; there was no memory for what is shared, say.
        view_session_copy(s, gyre_message());
        s->shares = false;
        result = fill_frames(s, model, all, names, count);
    }
    if (result) {
        fail(s, gyre_message());
        return;
    }
    SDL_LockMutex(s->state);
    for (int i = 0; i < VIEW_VARIANTS; i++) {
        session_frames *f = &s->variants[i].frames;
        if (s->variants[i].scene) {
            int spare = f->ready;
            f->ready = f->back;
            f->back = spare;
        }
        f->fresh = s->variants[i].scene != NULL;
    }
    s->made = now;
    s->stats.frames++;
    s->stats.read += gyre_device_bytes_read(s->device) - read;
    if (s->variants[VIEW_A].scene) {
        s->settings = *gyre_scene_get_settings(s->variants[VIEW_A].scene);
    }
    SDL_UnlockMutex(s->state);
}

static void count_step(view_session *s, double ms, double dt)
{
    SDL_LockMutex(s->state);
    const gyre_scene *scene = s->variants[VIEW_A].scene;
    s->stats.step = gyre_model_steps(gyre_scene_model(scene, 0)); // all take each of them
    s->stats.time = gyre_scene_seconds(scene);
    s->stats.step_ms = s->steps++ ? s->stats.step_ms + 0.1 * (ms - s->stats.step_ms) : ms;
    SDL_UnlockMutex(s->state);
    s->advanced += dt;
}

static bool step(view_session *s)
{
    double dt = (double)gyre_scene_dt(s->variants[VIEW_A].scene), begin = seconds();
    for (int i = 0; i < VIEW_VARIANTS; i++) {
        if (s->variants[i].scene && gyre_scene_step(s->variants[i].scene)) {
            fail(s, gyre_message());
            return false;
        }
    }
    // A GPU's steps return before they have ended; their time is the device's.
    if (gyre_device_wait(s->device)) {
        fail(s, gyre_message());
        return false;
    }
    count_step(s, 1e3 * (seconds() - begin), dt);
    return true;
}

// Counts the time that has passed. What cannot be caught up is let go: time then runs slower.
static void count_time(view_session *s, bool running)
{
    double now = seconds(), passed = now - s->counted;
    s->counted = now;
    if (!running) {
        s->owed = s->window = s->advanced = 0;
        return;
    }
    double dt = 1.0 / s->stats.wanted_steps_per_second, most = BEHIND * dt;
    s->owed += passed;
    s->owed = s->owed > most ? most : s->owed;
    s->window += passed;
    if (s->window >= 0.5) {
        SDL_LockMutex(s->state);
        double speed = s->advanced / s->window;
        s->stats.slowdown = speed > 0.97 && speed < 1.5 ? 1.0 : speed;
        s->stats.steps_per_second = s->advanced / dt / s->window;
        SDL_UnlockMutex(s->state);
        s->window = s->advanced = 0;
    }
}

typedef enum wish { WAIT, SERVE, STEP, QUIT } wish;

// What is to be done next; waits until there is something. Held: `state`.
static wish wait_for_work(view_session *s)
{
    for (;;) {
        bool has = s->stats.has_models, running = has && !s->paused;
        if (s->quit) {
            return QUIT;
        }
        if (s->waiting > 0) {
            SDL_CondWait(s->wake, s->state);
            continue;
        }
        if (s->reset || s->first || s->observer_count || s->touched) {
            // While it runs, input waits for the next step.
            if (s->reset || !running) {
                return SERVE;
            }
        }
        if (has && s->single) {
            s->single = false;
            return STEP;
        }
        if (!running) {
            SDL_CondWait(s->wake, s->state);
            continue;
        }
        double dt = 1.0 / s->stats.wanted_steps_per_second;
        double missing = dt - s->owed - (seconds() - s->counted);
        if (missing <= 0) {
            return STEP;
        }
        SDL_CondWaitTimeout(s->wake, s->state, (Uint32)(1e3 * missing) + 1);
    }
}

static int run(void *argument)
{
    view_session *s = argument;
    double shown = 0;
    for (;;) {
        SDL_LockMutex(s->state);
        wish next = wait_for_work(s);
        bool running = !s->paused && s->stats.has_models, anew = s->reset;
        SDL_UnlockMutex(s->state);
        if (next == QUIT) {
            return 0;
        }
        SDL_LockMutex(s->scenes);
        count_time(s, running);
        if (anew) {
            load(s);
        }
        serve(s);
        bool alive = s->variants[VIEW_A].scene != NULL, stepped = false;
        if (next == STEP && alive && !anew) {
            s->owed -= running ? 1.0 / s->stats.wanted_steps_per_second : 0;
            stepped = step(s);
        }
        SDL_LockMutex(s->state);
        double now = seconds(), dt = 1.0 / s->stats.wanted_steps_per_second;
        // A frame that nobody has time for is not made, unless the picture grows old.
        bool due = !running || s->owed + (now - s->counted) < dt || now - shown > 1.0 / 30;
        bool free_to = !s->variants[VIEW_A].frames.fresh || now - shown > 0.1 || !running;
        bool show = alive && (stepped || s->touched) && due && free_to;
        s->touched = s->touched && alive;
        SDL_UnlockMutex(s->state);
        if (show) {
            publish(s);
            shown = seconds();
        }
        SDL_UnlockMutex(s->scenes);
    }
}

// ---- from outside

static char *copy_text(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

static bool copy_def(view_session *s, const view_session_def *def)
{
    int count = 0;
    while (def->sets && def->sets[count]) {
        count++;
    }
    s->def = *def;
    s->path = copy_text(def->scene);
    s->sets = calloc((size_t)count + 1, sizeof *s->sets);
    bool good = s->path && s->sets;
    for (int i = 0; good && i < count; i++) {
        s->sets[i] = copy_text(def->sets[i]);
        good = s->sets[i] != NULL;
    }
    s->def.scene = s->path;
    s->def.sets = (const char *const *)s->sets;
    return good;
}

static gyre_result make_device(view_session *s)
{
    gyre_device_def def = gyre_default_device_def();
    if (s->def.device && gyre_device_parse(s->def.device, &def)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "device: %s", gyre_message());
    }
    def.threads = s->def.threads;
    return gyre_device_create(&def, &s->device);
}

static void discard_queue(view_session *s)
{
    while (s->first) {
        queued *input = s->first;
        s->first = input->next;
        free(input->path);
        free(input->json);
        free(input);
    }
    s->last = NULL;
}

void view_session_close(view_session *s)
{
    if (!s) {
        return;
    }
    if (s->thread) {
        SDL_LockMutex(s->state);
        s->quit = true;
        SDL_CondSignal(s->wake);
        SDL_UnlockMutex(s->state);
        SDL_WaitThread(s->thread, NULL);
    }
    discard_queue(s);
    for (int i = 0; i < VIEW_VARIANTS; i++) {
        gyre_scene_destroy(s->variants[i].scene);
        session_log_clear(&s->variants[i].log);
        for (int k = 0; k < 3; k++) {
            session_frame_free(&s->variants[i].frames.frame[k]);
        }
    }
    gyre_device_destroy(s->device);
    SDL_DestroyMutex(s->state);
    SDL_DestroyMutex(s->scenes);
    SDL_DestroyCond(s->wake);
    for (int i = 0; s->sets && s->sets[i]; i++) {
        free(s->sets[i]);
    }
    free(s->sets);
    free(s->path);
    free(s);
}

view_session *view_session_open(const view_session_def *def)
{
    view_session *s = calloc(1, sizeof *s);
    if (!s || !copy_def(s, def)) {
        view_session_close(s);
        gyre_fail(GYRE_ERROR_MEMORY, "%s: no memory for a session", def->scene);
        return NULL;
    }
    s->shown = -1;
    s->state = SDL_CreateMutex();
    s->scenes = SDL_CreateMutex();
    s->wake = SDL_CreateCond();
    s->paused = true;
    s->wanted_count = s->variant_count = 1;
    s->counted = seconds();
    for (int i = 0; i < VIEW_VARIANTS; i++) {
        s->variants[i].frames.ready = 1;
        s->variants[i].frames.front = 2;
    }
    gyre_result result = s->state && s->scenes && s->wake
                             ? make_device(s)
                             : gyre_fail(GYRE_ERROR_MEMORY, "%s", SDL_GetError());
    if (result == GYRE_OK) {
        s->stats.device = gyre_device_name(s->device);
        gyre_vulkan_identity own;
        s->stats.remote = gyre_vulkan_identify(s->device, &own) == GYRE_OK;
        s->stats.shares = s->shares = session_can_share(s->device, def->screen, s->stats.why_copied,
                                                        sizeof s->stats.why_copied);
        // The first of the thread's work is to make the scene.
        s->reset = s->stats.loading = true;
        s->thread = SDL_CreateThread(run, "gyre session", s);
        result = s->thread ? GYRE_OK : gyre_fail(GYRE_ERROR_STATE, "no thread: %s", SDL_GetError());
    }
    if (result) {
        view_session_close(s);
        return NULL;
    }
    return s;
}

void view_session_pause(view_session *s, bool paused)
{
    SDL_LockMutex(s->state);
    s->paused = paused || s->stats.error[0];
    SDL_CondSignal(s->wake);
    SDL_UnlockMutex(s->state);
}

bool view_session_paused(const view_session *s)
{
    SDL_LockMutex(s->state);
    bool paused = s->paused;
    SDL_UnlockMutex(s->state);
    return paused;
}

void view_session_step(view_session *s)
{
    SDL_LockMutex(s->state);
    s->single = s->paused && !s->stats.error[0];
    SDL_CondSignal(s->wake);
    SDL_UnlockMutex(s->state);
}

void view_session_reset(view_session *s, bool keep_settings)
{
    SDL_LockMutex(s->state);
    s->reset = true;
    s->keep = keep_settings;
    if (!keep_settings) {
        discard_queue(s);
    }
    SDL_CondSignal(s->wake);
    SDL_UnlockMutex(s->state);
}

void view_session_split(view_session *s, bool split)
{
    SDL_LockMutex(s->state);
    s->reset = s->keep = true;
    s->wanted_count = split ? 2 : 1;
    SDL_CondSignal(s->wake);
    SDL_UnlockMutex(s->state);
}

int view_session_variants(const view_session *s)
{
    SDL_LockMutex(s->state);
    int count = s->variant_count;
    SDL_UnlockMutex(s->state);
    return count;
}

// A value that was not applied yet gives way to a later one. What adds or removes stays in order.
static bool replace_queued(view_session *s, const queued *input)
{
    queued *same = NULL;
    for (queued *q = s->first; q; q = q->next) {
        bool structural = q->json[0] == '{' || strcmp(q->json, "null") == 0;
        if (structural) {
            same = NULL;
        } else if (q->variants == input->variants && strcmp(q->path, input->path) == 0) {
            same = q;
        }
    }
    if (!same || input->json[0] == '{' || strcmp(input->json, "null") == 0) {
        return false;
    }
    char *json = same->json;
    same->json = input->json;
    free(json);
    return true;
}

static void enqueue(view_session *s, unsigned variants, const char *path, const char *json)
{
    queued *input = calloc(1, sizeof *input);
    char *path_copy = copy_text(path), *json_copy = copy_text(json);
    if (!input || !path_copy || !json_copy) {
        free(input);
        free(path_copy);
        free(json_copy);
        return;
    }
    *input = (queued){path_copy, json_copy, variants, NULL};
    SDL_LockMutex(s->state);
    if (replace_queued(s, input)) {
        free(input->path);
        free(input);
    } else {
        if (s->last) {
            s->last->next = input;
        } else {
            s->first = input;
        }
        s->last = input;
    }
    SDL_CondSignal(s->wake);
    SDL_UnlockMutex(s->state);
}

void view_session_input(view_session *s, const char *path, const char *json)
{
    enqueue(s, 3, path, json);
}

void view_session_input_to(view_session *s, int variant, const char *path, const char *json)
{
    enqueue(s, 1u << variant, path, json);
}

void view_session_refusal(view_session *s, char *message, size_t size)
{
    SDL_LockMutex(s->state);
    snprintf(message, size, "%s", s->refusal);
    s->refusal[0] = 0;
    SDL_UnlockMutex(s->state);
}

void view_session_copy(view_session *s, const char *why)
{
    SDL_LockMutex(s->state);
    if (!s->copies && s->stats.shares) {
        snprintf(s->stats.why_copied, sizeof s->stats.why_copied, "%s", why);
    }
    s->stats.shares = false;
    s->copies = s->touched = true;
    SDL_CondSignal(s->wake);
    SDL_UnlockMutex(s->state);
}

void view_session_want(view_session *s, const char *const *names, int count)
{
    SDL_LockMutex(s->state);
    count = count < SESSION_NAMES ? count : SESSION_NAMES;
    bool same = count == s->name_count;
    for (int i = 0; i < count; i++) {
        same = same && strcmp(s->names[i], names[i]) == 0;
        snprintf(s->names[i], sizeof s->names[i], "%s", names[i]);
    }
    s->name_count = count;
    if (!same) {
        s->touched = true;
        SDL_CondSignal(s->wake);
    }
    SDL_UnlockMutex(s->state);
}

void view_session_show(view_session *s, int model)
{
    SDL_LockMutex(s->state);
    s->touched = s->touched || s->shown != model;
    s->shown = model;
    SDL_CondSignal(s->wake);
    SDL_UnlockMutex(s->state);
}

void view_session_show_all(view_session *s, bool all)
{
    SDL_LockMutex(s->state);
    s->touched = s->touched || s->all != all;
    s->all = all;
    SDL_CondSignal(s->wake);
    SDL_UnlockMutex(s->state);
}

const view_frame *view_session_take_variant(view_session *s, int variant)
{
    const view_frame *frame = NULL;
    SDL_LockMutex(s->state);
    session_frames *f = &s->variants[variant].frames;
    if (f->fresh) {
        int spare = f->front;
        f->front = f->ready;
        f->ready = spare;
        f->fresh = false;
        frame = &f->frame[f->front];
        if (variant == VIEW_A) {
            s->taken[0] = s->taken[1];
            s->taken[1] = s->made;
        }
    }
    SDL_UnlockMutex(s->state);
    return frame;
}

const view_frame *view_session_take(view_session *s)
{
    return view_session_take_variant(s, VIEW_A);
}

float view_session_blend(const view_session *s)
{
    SDL_LockMutex(s->state);
    double interval = s->taken[1] - s->taken[0], since = seconds() - s->taken[1];
    bool paused = s->paused;
    SDL_UnlockMutex(s->state);
    if (paused || interval < 1e-3 || interval > 0.5 || since >= interval) {
        return 1.0f;
    }
    return since > 0 ? (float)(since / interval) : 0.0f;
}

void view_session_get_stats(const view_session *s, view_session_stats *stats)
{
    SDL_LockMutex(s->state);
    *stats = s->stats;
    SDL_UnlockMutex(s->state);
}

void view_session_get_settings(view_session *s, gyre_scene_settings *settings)
{
    SDL_LockMutex(s->state);
    *settings = s->settings;
    SDL_UnlockMutex(s->state);
}

bool view_session_observe(view_session *s, int variant, view_look_at *look, void *argument)
{
    SDL_LockMutex(s->state);
    bool room = s->observer_count < OBSERVERS;
    if (room) {
        s->observers[s->observer_count++] = (observer){look, argument, variant};
        SDL_CondSignal(s->wake);
    }
    SDL_UnlockMutex(s->state);
    return room;
}

// Those who wait come before the next step, which would else take the lock again at once.
static const gyre_scene *lock_variant(view_session *s, int variant)
{
    SDL_LockMutex(s->state);
    s->waiting++;
    SDL_UnlockMutex(s->state);
    SDL_LockMutex(s->scenes);
    return s->variants[variant].scene;
}

const gyre_scene *view_session_lock(view_session *s)
{
    return lock_variant(s, VIEW_A);
}

void view_session_unlock(view_session *s)
{
    SDL_UnlockMutex(s->scenes);
    SDL_LockMutex(s->state);
    s->waiting--;
    SDL_CondSignal(s->wake);
    SDL_UnlockMutex(s->state);
}

gyre_result view_session_save_scene(view_session *s, int variant, const char *path,
                                    const gyre_scene_settings *look)
{
    gyre_result result = GYRE_ERROR_STATE;
    if (!lock_variant(s, variant)) {
        gyre_fail(result, "%s: there is no scene to write", path);
    } else {
        gyre_scene *scene = s->variants[variant].scene;
        gyre_view_channel channels[VIEW_FIELDS];
        gyre_scene_settings own = session_get_look(scene, channels);
        result = look ? session_set_look(scene, look) : GYRE_OK;
        result = result ? result : gyre_scene_write(scene, path);
        // The look is the file's; the scene keeps its own, which its timeline may move.
        gyre_result back = look ? session_set_look(scene, &own) : GYRE_OK;
        result = result ? result : back;
    }
    view_session_unlock(s);
    return result;
}

gyre_result view_session_save_replay(view_session *s, int variant, const char *path)
{
    gyre_result result = GYRE_ERROR_STATE;
    const gyre_scene *scene = lock_variant(s, variant);
    result = scene ? gyre_replay_write(scene, path)
                   : gyre_fail(result, "%s: there is no scene to write", path);
    view_session_unlock(s);
    return result;
}

const char *view_session_path(const view_session *s)
{
    return s->path;
}
