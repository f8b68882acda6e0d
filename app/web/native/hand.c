// web/native/hand.c: pointers of a canvas: each is a brush of its own, or holds a body, or turns
// the eye. What they do is the viewer's (view/hand/stroke.c): timed settings, which a replay keeps.
#define _POSIX_C_SOURCE 200809L
#include "web/native/hand.h"

#include "view/hand/stroke.h"
#include "web/native/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FINGERS = 10 };

typedef struct finger {
    bool down, outside;
    int pointer, what, pane;
    float x, y;       // of the canvas, 0 to 1
    double at;        // s of the clock
    view_brush brush; // made when it first touches a model
    int model;        // that the brush is made for; -1: none
    view_grab grab;
} finger;

struct web_hand {
    finger fingers[FINGERS];
    float radius, strength; // 0: the brush's own
    web_scene *scene;
    gyre_result result; // of what was put in last
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static web_hand *hand_of(web_scene *w)
{
    if (!w->hand) {
        w->hand = calloc(1, sizeof *w->hand);
        if (!w->hand) {
            gyre_fail(GYRE_ERROR_MEMORY, "no memory for a hand");
            return NULL;
        }
        w->hand->scene = w;
        for (int i = 0; i < FINGERS; i++) {
            w->hand->fingers[i].model = -1;
        }
    }
    return w->hand;
}

void web_hand_free(web_hand *hand)
{
    free(hand);
}

void web_hand_forget(web_hand *hand, bool kept)
{
    for (int i = 0; hand && i < FINGERS; i++) {
        finger *f = &hand->fingers[i];
        f->down = false;
        f->grab.held = false;
        stroke_lift(&f->brush);
        if (!kept) {
            stroke_forget(&f->brush);
            f->model = -1;
        }
    }
}

// ---- what strokes act on

static void send(void *context, const char *path, const char *json)
{
    web_hand *hand = context;
    gyre_result result = session_variant_input(&hand->scene->variant, path, json);
    hand->result = hand->result ? hand->result : result;
}

static void note(void *context, bool bad, const char *text)
{
    web_hand *hand = context;
    if (bad && !hand->result) {
        hand->result = gyre_fail(GYRE_ERROR_ARGUMENT, "%s", text);
    }
}

static view_touch touch_of(web_hand *hand, double passed)
{
    const gyre_model *model = gyre_scene_model(hand->scene->variant.scene, 0);
    return (view_touch){.input = send,
                        .note = note,
                        .context = hand,
                        .step = gyre_model_steps(model),
                        .paused = true, // one thread calls: no step is under way
                        .passed = passed};
}

static bool read_body(void *context, const char *pool, int number, view_grab *grab)
{
    return stroke_read_body(((web_hand *)context)->scene->variant.scene, pool, number, grab);
}

// ---- where

static int pane_at(const web_picture *p, float x, float y)
{
    for (int i = 0; i < p->count; i++) {
        int left, bottom, width, height;
        web_picture_area(p, i, &left, &bottom, &width, &height);
        float right = x * (float)p->width - (float)left, up = y * (float)p->height - (float)bottom;
        if (right >= 0.0f && right <= (float)width && up >= 0.0f && up <= (float)height) {
            return i;
        }
    }
    return 0;
}

// The picture of a pane, and the pixel in it.
static view_aim aim_at(web_picture *p, int pane, float x, float y, float pixel[2])
{
    int left, bottom;
    web_pane *of = &p->panes[pane];
    view_aim aim = {.look = &of->look, .frame = of->frame};
    web_picture_area(p, pane, &left, &bottom, &aim.width, &aim.height);
    const gyre_grid *g = &of->frame->grid;
    for (int a = 0; a < 3; a++) {
        aim.through[a] = g->origin[a] + 0.5f * g->h * (float)g->n[a];
    }
    pixel[0] = x * (float)p->width - (float)left;
    pixel[1] = y * (float)p->height - (float)bottom;
    return aim;
}

// ---- what

// Of the scene's dyes the one nearest in colour is poured, alone.
static void choose_dye(view_brush *brush, const view_look *look, int colour)
{
    float linear[3], best = 1e30f;
    int chosen = -1;
    for (int c = 0; c < 3; c++) {
        float x = (float)(colour >> (16 - 8 * c) & 255) / 255.0f;
        linear[c] = x <= 0.04045f ? x / 12.92f : powf((x + 0.055f) / 1.055f, 2.4f);
    }
    for (int i = 0; i < brush->amount_count; i++) {
        for (int d = 0; d < look->dye_count; d++) {
            float apart = 0.0f;
            if (strcmp(look->dyes[d].look.name, brush->amounts[i].name) != 0) {
                continue;
            }
            for (int c = 0; c < 3; c++) {
                float by = look->dyes[d].look.colour[c] - linear[c];
                apart += by * by;
            }
            chosen = apart < best ? i : chosen;
            best = apart < best ? apart : best;
        }
    }
    for (int i = 0; i < brush->amount_count && chosen >= 0; i++) {
        brush->amounts[i].on = i == chosen;
    }
}

static void prepare(web_hand *hand, finger *f, int number, const web_pane *pane, int colour)
{
    view_brush *b = &f->brush;
    if (f->model != pane->model) {
        stroke_prepare(b, hand->scene->variant.scene, pane->model, number);
        f->model = pane->model;
    }
    if (hand->radius > 0.0f) {
        b->radius = hand->radius;
    }
    b->strength = hand->strength > 0.0f ? hand->strength : 1.0f;
    for (int i = 0; i < b->amount_count; i++) {
        b->amounts[i].on = i == 0;
    }
    if (colour >= 0) {
        choose_dye(b, &pane->look, colour);
    }
}

// Dye and a push together where there are both; of water what is poured splashes.
static void play(finger *f, const view_touch *t, const float point[3], bool start)
{
    view_brush *b = &f->brush;
    bool pushes = b->push_name[0] && !b->drains;
    if (b->amount_count > 0 || !pushes) {
        stroke_pour(b, t, point, start);
    }
    if (pushes) {
        stroke_push(b, t, point, start);
    }
}

static void brush_at(finger *f, const view_touch *t, const view_aim *aim, const float pixel[2],
                     bool start)
{
    float point[3];
    if (!aim_pick(aim, pixel[0], pixel[1], point)) {
        stroke_lift(&f->brush);
        f->outside = true;
        return;
    }
    start = start || f->outside;
    f->outside = false;
    switch (f->what) {
    case WEB_POUR:
        stroke_pour(&f->brush, t, point, start);
        break;
    case WEB_PUSH:
        stroke_push(&f->brush, t, point, start);
        break;
    case WEB_DIG:
    case WEB_HEAP:
        stroke_dig(&f->brush, t, point, start, f->what == WEB_HEAP);
        break;
    default:
        play(f, t, point, start);
    }
}

static void move_eye(const finger *f, const view_aim *aim, const float pixel[2], float before_x,
                     float before_y)
{
    if (f->what == WEB_ORBIT && !aim_is_flat(aim)) {
        // As a mouse's, whose y runs down.
        aim_orbit(aim, pixel[0] - before_x, before_y - pixel[1]);
    } else {
        aim_pan(aim, before_x, before_y, pixel[0], pixel[1]);
    }
}

static void act(web_hand *hand, finger *f, bool start, float x, float y)
{
    web_picture *p = hand->scene->picture;
    double at = now();
    float pixel[2], before[2];
    view_touch t = touch_of(hand, start ? 1.0 / 60.0 : at - f->at);
    aim_at(p, f->pane, f->x, f->y, before);
    view_aim aim = aim_at(p, f->pane, x, y, pixel);
    bool eye = f->what == WEB_ORBIT || f->what == WEB_PAN;
    if (eye && !start) {
        move_eye(f, &aim, pixel, before[0], before[1]);
    } else if (!eye) {
        bool grabs = f->what == WEB_GRAB || f->what == WEB_PLAY;
        if (start && grabs) {
            stroke_grab(&f->grab, &f->brush, &t, &aim, pixel[0], pixel[1], read_body);
        }
        if (f->grab.held && !start) {
            stroke_carry(&f->grab, &t, &aim, pixel[0], pixel[1]);
        } else if (!f->grab.held && f->what != WEB_GRAB) {
            brush_at(f, &t, &aim, pixel, start);
        }
    }
    f->x = x;
    f->y = y;
    f->at = at;
}

void web_hand_before_step(web_scene *w)
{
    web_hand *hand = w->hand;
    if (!hand || !w->picture) {
        return;
    }
    for (int i = 0; i < FINGERS; i++) {
        finger *f = &hand->fingers[i];
        // A finger that rests tells nothing: it is asked, so that what it pushes comes to rest.
        if (f->down && f->what != WEB_ORBIT && f->what != WEB_PAN && now() - f->at > 0.03) {
            act(hand, f, false, f->x, f->y);
        }
        if (f->model >= 0) {
            view_touch t = touch_of(hand, 0.0);
            stroke_update(&f->brush, &t);
        }
    }
}

static int finger_of(const web_hand *hand, int pointer)
{
    int is_free = -1;
    for (int i = FINGERS - 1; i >= 0; i--) {
        const finger *f = &hand->fingers[i];
        if (f->down && f->pointer == pointer) {
            return i;
        }
        is_free = f->down ? is_free : i;
    }
    return is_free;
}

static gyre_result lift(web_hand *hand, finger *f)
{
    view_touch t = touch_of(hand, 1.0);
    stroke_lift(&f->brush);
    stroke_let_go(&f->grab, &f->brush, &t);
    f->down = false;
    return hand->result;
}

WEB_CALL int web_pointer(web_scene *w, int pointer, int phase, int what, float x, float y,
                         int colour)
{
    web_hand *hand = hand_of(w);
    web_picture *p = hand ? web_picture_of(w) : NULL;
    if (!p) {
        return GYRE_ERROR_MEMORY;
    }
    if (!w->variant.scene || (p->count == 0 && web_show(w))) {
        return GYRE_ERROR_STATE;
    }
    if (!isfinite(x) || !isfinite(y) || what < WEB_PLAY || what > WEB_HEAP || phase < WEB_DOWN ||
        phase > WEB_UP) {
        return (int)gyre_fail(
            GYRE_ERROR_ARGUMENT,
            "a pointer at %g, %g in phase %d that does %d: there is no such thing", (double)x,
            (double)y, phase, what);
    }
    int number = finger_of(hand, pointer);
    if (number < 0) {
        return (int)gyre_fail(GYRE_ERROR_ARGUMENT, "more than %d pointers at once", FINGERS);
    }
    finger *f = &hand->fingers[number];
    hand->result = GYRE_OK;
    if (phase == WEB_DOWN) {
        int pane = pane_at(p, x, y);
        f->down = true;
        f->outside = false;
        f->pointer = pointer;
        f->what = what;
        f->pane = pane;
        f->grab = (view_grab){0};
        prepare(hand, f, number, &p->panes[pane], colour);
        act(hand, f, true, x, y);
        if (hand->result) {
            lift(hand, f); // what cannot begin does not go on
        }
    } else if (f->down && f->pane < p->count) {
        act(hand, f, false, x, y);
        return (int)(phase == WEB_UP ? lift(hand, f) : hand->result);
    }
    return (int)hand->result;
}

WEB_CALL int web_zoom(web_scene *w, float factor, float x, float y)
{
    web_picture *p = web_picture_of(w);
    float pixel[2];
    if (!p || (p->count == 0 && web_show(w))) {
        return GYRE_ERROR_STATE;
    }
    if (!(factor > 0.0f) || !isfinite(factor + x + y)) {
        return (int)gyre_fail(GYRE_ERROR_ARGUMENT, "a zoom by %g, expected more than 0",
                              (double)factor);
    }
    view_aim aim = aim_at(p, pane_at(p, x, y), x, y, pixel);
    aim_zoom(&aim, pixel[0], pixel[1], factor);
    return GYRE_OK;
}

WEB_CALL int web_brush(web_scene *w, float radius, float strength)
{
    web_hand *hand = hand_of(w);
    if (!hand) {
        return GYRE_ERROR_MEMORY;
    }
    if (!(radius >= 0.0f && radius < 1e9f && strength >= 0.0f && strength < 1e6f)) {
        return (int)gyre_fail(GYRE_ERROR_ARGUMENT,
                              "a brush of %g m and strength %g, expected at least 0",
                              (double)radius, (double)strength);
    }
    // The brush's own come back when it is made for a model anew.
    for (int i = 0; i < FINGERS && radius == 0.0f && hand->radius > 0.0f; i++) {
        finger *f = &hand->fingers[i];
        if (f->model >= 0 && !f->down && w->variant.scene) {
            view_brush kept = f->brush;
            stroke_prepare(&f->brush, w->variant.scene, f->model, kept.number);
            f->brush.dye = kept.dye;
            f->brush.push = kept.push;
            f->brush.sink = kept.sink;
            f->brush.rise = kept.rise;
        }
    }
    hand->radius = radius;
    hand->strength = strength;
    return GYRE_OK;
}
