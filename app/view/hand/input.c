// view/hand/input.c: mouse, wheel, fingers and keys.
#include "view/app.h"

#include <math.h>
#include <string.h>

// Events speak of the window's points, the picture of pixels.
static float pixel_ratio(const view_app *app)
{
    int width, height;
    SDL_GetWindowSize(app->window.handle, &width, &height);
    return width > 0 ? (float)app->window.width / (float)width : 1.0f;
}

static bool is_flat(const view_app *app)
{
    return !app->show.frame[0] ||
           (app->show.frame[0]->grid.dim == 2 && !view_look_is_surface(&app->show.look));
}

// ---- the brush at a pixel

static void brush_at(view_app *app, drag_kind kind, float x, float y, bool start)
{
    float point[3];
    if (!app->show.session || !show_pick(app, x, y, point)) {
        brush_lift(app);
        app->hand.drag_outside = true;
        return;
    }
    start = start || app->hand.drag_outside;
    app->hand.drag_outside = false;
    if (app->hand.brush.paints) {
        if (kind == DRAG_POUR) {
            paint_solid(app, point, start);
        } else {
            paint_erase(app, point);
        }
    } else if (app->hand.brush.digs) {
        brush_dig(app, point, start, kind == DRAG_PUSH);
    } else if (kind == DRAG_POUR) {
        brush_pour(app, point, start);
    } else {
        brush_push(app, point, start);
    }
}

static void begin_drag(view_app *app, drag_kind kind, float x, float y)
{
    app->hand.drag = kind;
    bool works = app->hand.brush.paints || app->hand.brush.digs;
    if (kind == DRAG_POUR && !works && grab_begin(app, x, y)) {
        return;
    }
    if (kind == DRAG_POUR || kind == DRAG_PUSH) {
        brush_at(app, kind, x, y, true);
    }
}

void input_release(view_app *app)
{
    brush_lift(app);
    grab_end(app);
    app->hand.drag = DRAG_NONE;
}

void input_hold(view_app *app)
{
    float x = (float)app->hand.mouse_x, y = (float)app->hand.mouse_y;
    if (app->hand.fingers.count > 0) {
        int n = app->hand.fingers.count;
        x = n > 1 ? 0.5f * (app->hand.fingers.x[0] + app->hand.fingers.x[1])
                  : app->hand.fingers.x[0];
        y = n > 1 ? 0.5f * (app->hand.fingers.y[0] + app->hand.fingers.y[1])
                  : app->hand.fingers.y[0];
    }
    if (app->hand.grab.held) {
        grab_move(app, x, y);
    } else if (app->hand.drag == DRAG_POUR || app->hand.drag == DRAG_PUSH) {
        brush_at(app, app->hand.drag, x, y, false);
    }
}

// ---- mouse

static void mouse_down(view_app *app, const SDL_MouseButtonEvent *e)
{
    SDL_Keymod keys = SDL_GetModState();
    float x = (float)app->hand.mouse_x, y = (float)app->hand.mouse_y;
    bool turn =
        e->button == SDL_BUTTON_MIDDLE || (e->button == SDL_BUTTON_LEFT && (keys & KMOD_ALT));
    if (app->hand.drag != DRAG_NONE || gui_covers(x, y) || app->gallery.shown) {
        return;
    }
    int model = show_model_at(app, x, y);
    if (app->show.pane_count > 0 && model != app->show.model) {
        view_session_show(app->show.session, model);
        return;
    }
    if (turn) {
        begin_drag(app, (keys & KMOD_SHIFT) || is_flat(app) ? DRAG_PAN : DRAG_ORBIT, x, y);
    } else if (e->button == SDL_BUTTON_LEFT) {
        begin_drag(app, DRAG_POUR, x, y);
    } else if (e->button == SDL_BUTTON_RIGHT) {
        begin_drag(app, DRAG_PUSH, x, y);
    }
}

static void mouse_up(view_app *app, const SDL_MouseButtonEvent *e)
{
    bool ends = (e->button == SDL_BUTTON_RIGHT && app->hand.drag == DRAG_PUSH) ||
                (e->button == SDL_BUTTON_LEFT && app->hand.drag != DRAG_PUSH) ||
                e->button == SDL_BUTTON_MIDDLE;
    if (ends) {
        input_release(app);
    }
}

static void mouse_move(view_app *app, const SDL_MouseMotionEvent *e)
{
    float ratio = pixel_ratio(app);
    int x = (int)((float)e->x * ratio), y = (int)((float)e->y * ratio);
    if (app->hand.drag == DRAG_ORBIT) {
        camera_orbit(app, (float)(x - app->hand.mouse_x), (float)(y - app->hand.mouse_y));
    } else if (app->hand.drag == DRAG_PAN) {
        camera_pan(app, (float)app->hand.mouse_x, (float)app->hand.mouse_y, (float)x, (float)y);
    }
    app->hand.mouse_x = x;
    app->hand.mouse_y = y;
    app->hand.mouse_inside = true;
}

static void wheel(view_app *app, const SDL_MouseWheelEvent *e)
{
    float by = e->preciseY;
    float x = (float)app->hand.mouse_x, y = (float)app->hand.mouse_y;
    if (gui_covers(x, y) || app->gallery.shown || !app->show.session) {
        return;
    }
    if (SDL_GetModState() & KMOD_CTRL) {
        camera_zoom(app, x, y, powf(1.15f, by));
    } else {
        brush_size(app, powf(1.12f, by));
    }
}

// ---- fingers: one pours, two push, and zoom when they part

static int find_finger(const view_app *app, SDL_FingerID id)
{
    for (int i = 0; i < app->hand.fingers.count; i++) {
        if (app->hand.fingers.id[i] == id) {
            return i;
        }
    }
    return -1;
}

static void finger_down(view_app *app, const SDL_TouchFingerEvent *e)
{
    view_fingers *f = &app->hand.fingers;
    float x = e->x * (float)app->window.width, y = e->y * (float)app->window.height;
    if (f->count == 2 || app->gallery.shown || gui_covers(x, y)) {
        return;
    }
    f->id[f->count] = e->fingerId;
    f->x[f->count] = x;
    f->y[f->count] = y;
    f->count++;
    if (f->count == 1) {
        begin_drag(app, DRAG_POUR, x, y);
    } else {
        brush_lift(app);
        begin_drag(app, DRAG_PUSH, 0.5f * (f->x[0] + x), 0.5f * (f->y[0] + y));
    }
}

static void finger_move(view_app *app, const SDL_TouchFingerEvent *e)
{
    view_fingers *f = &app->hand.fingers;
    int i = find_finger(app, e->fingerId);
    if (i < 0) {
        return;
    }
    float before = hypotf(f->x[0] - f->x[1], f->y[0] - f->y[1]);
    f->x[i] = e->x * (float)app->window.width;
    f->y[i] = e->y * (float)app->window.height;
    app->hand.mouse_x = (int)f->x[0];
    app->hand.mouse_y = (int)f->y[0];
    float after = hypotf(f->x[0] - f->x[1], f->y[0] - f->y[1]);
    if (f->count == 2 && before > 10.0f && after > 10.0f) {
        camera_zoom(app, 0.5f * (f->x[0] + f->x[1]), 0.5f * (f->y[0] + f->y[1]), after / before);
    }
}

static void finger_up(view_app *app, const SDL_TouchFingerEvent *e)
{
    view_fingers *f = &app->hand.fingers;
    if (find_finger(app, e->fingerId) >= 0) {
        // Also with one finger left: it does not begin to pour where two have pushed.
        f->count = 0;
        input_release(app);
    }
}

// ---- keys

static void start_recording(view_app *app)
{
    char path[256];
    if (app->record) {
        record_stop(app);
        return;
    }
    picture_name(panel_video_ending(app), path, sizeof path);
    if (record_start(app, path)) {
        app_note(app, true, "%s", gyre_message());
    }
}

static void full_screen(view_app *app)
{
    app->window.full_screen = !app->window.full_screen;
    SDL_SetWindowFullscreen(app->window.handle,
                            app->window.full_screen ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0);
}

// Keys that want a scene.
static void scene_key(view_app *app, SDL_Keycode key, bool shift)
{
    char path[64];
    switch (key) {
    case SDLK_v:
        app->show.look.arrows = !app->show.look.arrows;
        break;
    case SDLK_c:
        view_session_reset(app->show.session, true);
        break;
    case SDLK_r:
        if (shift) {
            start_recording(app);
        } else {
            brush_forget(app);
            view_session_reset(app->show.session, false);
        }
        break;
    case SDLK_SPACE:
        app->show.wants_pause = !app->show.wants_pause;
        view_session_pause(app->show.session, app->show.wants_pause);
        break;
    case SDLK_n:
        app->show.wants_pause = true;
        view_session_pause(app->show.session, true);
        view_session_step(app->show.session);
        break;
    case SDLK_s:
        picture_name("png", path, sizeof path);
        picture_save(app, path);
        break;
    case SDLK_w:
        if (shift) {
            panel_save_replay(app);
        } else {
            panel_save_scene(app);
        }
        break;
    case SDLK_m:
        show_next_map(app);
        break;
    case SDLK_f:
        show_next_field(app, shift ? -1 : 1);
        break;
    case SDLK_p:
        app->hand.brush.paints = !app->hand.brush.paints;
        app->hand.brush.digs = false;
        brush_lift(app);
        break;
    case SDLK_d:
        app->hand.brush.digs = !app->hand.brush.digs && brush_can_dig(app);
        app->hand.brush.paints = false;
        brush_lift(app);
        break;
    case SDLK_BACKSPACE:
    case SDLK_DELETE:
        paint_undo(app);
        break;
    case SDLK_o:
        app->show.one = !app->show.one;
        break;
    case SDLK_b:
        view_session_split(app->show.session, app->show.variants < 2);
        break;
    case SDLK_0:
    case SDLK_HOME:
        camera_reset(app);
        break;
    default:
        if (key >= SDLK_1 && key < SDLK_1 + (int)VIEW_MODES) {
            show_mode(app, (int)(key - SDLK_1));
        }
    }
}

static void key_down(view_app *app, const SDL_KeyboardEvent *e)
{
    SDL_Keycode key = e->keysym.sym;
    bool shift = (e->keysym.mod & KMOD_SHIFT) != 0;
    if (gui_has_keys() || (e->keysym.mod & (KMOD_CTRL | KMOD_ALT | KMOD_GUI))) {
        return;
    }
    if (key == SDLK_q) {
        app->window.quit = true;
    } else if (key == SDLK_h && !e->repeat) {
        app->panel.help = !app->panel.help;
    } else if (key == SDLK_F11 && !e->repeat) {
        full_screen(app);
    } else if (key == SDLK_TAB && !e->repeat) {
        app->panel.visible = !app->panel.visible;
    } else if (app->gallery.shown) {
        gallery_key(app, key);
    } else if (key == SDLK_g && !e->repeat) {
        gallery_open(app);
    } else if (key == SDLK_ESCAPE && app->window.full_screen) {
        full_screen(app);
    } else if (app->show.session && (!e->repeat || key == SDLK_n || key == SDLK_BACKSPACE)) {
        scene_key(app, key, shift);
    }
}

// ---- all

static void window_event(view_app *app, const SDL_WindowEvent *e)
{
    switch (e->event) {
    case SDL_WINDOWEVENT_MINIMIZED:
    case SDL_WINDOWEVENT_HIDDEN:
        app->window.minimised = true;
        input_release(app);
        break;
    case SDL_WINDOWEVENT_RESTORED:
    case SDL_WINDOWEVENT_SHOWN:
    case SDL_WINDOWEVENT_EXPOSED:
    case SDL_WINDOWEVENT_MAXIMIZED:
        app->window.minimised = false;
        break;
    case SDL_WINDOWEVENT_LEAVE:
        app->hand.mouse_inside = false;
        break;
    case SDL_WINDOWEVENT_FOCUS_LOST:
        // The button's release may go to another window.
        app->hand.fingers.count = 0;
        input_release(app);
        break;
    default:
        break;
    }
}

void input_event(view_app *app, const SDL_Event *event)
{
    gui_event(event);
    switch (event->type) {
    case SDL_QUIT:
        app->window.quit = true;
        break;
    case SDL_WINDOWEVENT:
        window_event(app, &event->window);
        break;
    case SDL_MOUSEMOTION:
        if (event->motion.which != SDL_TOUCH_MOUSEID) {
            mouse_move(app, &event->motion);
        }
        break;
    case SDL_MOUSEBUTTONDOWN:
        if (event->button.which != SDL_TOUCH_MOUSEID) {
            mouse_down(app, &event->button);
        }
        break;
    case SDL_MOUSEBUTTONUP:
        if (event->button.which != SDL_TOUCH_MOUSEID) {
            mouse_up(app, &event->button);
        }
        break;
    case SDL_MOUSEWHEEL:
        wheel(app, &event->wheel);
        break;
    case SDL_FINGERDOWN:
        finger_down(app, &event->tfinger);
        break;
    case SDL_FINGERMOTION:
        finger_move(app, &event->tfinger);
        break;
    case SDL_FINGERUP:
        finger_up(app, &event->tfinger);
        break;
    case SDL_KEYDOWN:
        key_down(app, &event->key);
        break;
    case SDL_DROPFILE:
        drop_file(app, event->drop.file);
        SDL_free(event->drop.file);
        break;
    default:
        break;
    }
}
