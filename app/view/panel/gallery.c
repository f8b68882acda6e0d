// view/panel/gallery.c: the shipped scenes with their pictures.
#define _POSIX_C_SOURCE 200809L
#include "view/app.h"

#include <dirent.h>
#include <epoxy/gl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { THUMB_WIDTH = 200, THUMB_HEIGHT = 150 };

// ---- pictures

// Fits a picture into a thumbnail: a mean over the pixels that fall together, dark round it.
static void scale(const uint8_t *from, int width, int height, uint8_t *to)
{
    float f = fmaxf((float)width / THUMB_WIDTH, (float)height / THUMB_HEIGHT);
    int w = (int)((float)width / f), h = (int)((float)height / f);
    int left = (THUMB_WIDTH - w) / 2, top = (THUMB_HEIGHT - h) / 2;
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            int x0 = x * width / w, x1 = (x + 1) * width / w, y0 = y * height / h,
                y1 = (y + 1) * height / h, count = 0, sum[3] = {0};
            for (int v = y0; v < y1 || v == y0; v++) {
                for (int u = x0; u < x1 || u == x0; u++) {
                    const uint8_t *p = from + 4 * ((size_t)v * (size_t)width + (size_t)u);
                    for (int c = 0; c < 3; c++) {
                        sum[c] += p[c];
                    }
                    count++;
                }
            }
            uint8_t *p = to + 4 * ((size_t)(top + y) * THUMB_WIDTH + (size_t)(left + x));
            for (int c = 0; c < 3; c++) {
                p[c] = (uint8_t)(sum[c] / count);
            }
        }
    }
}

// Where a scene has no picture yet: streaks in colours that its name gives.
static void placeholder(const char *title, uint8_t *to)
{
    float phase = 0;
    for (const char *c = title; *c; c++) {
        phase = 1.7f * phase + (float)*c;
        phase -= 6.2831853f * floorf(phase / 6.2831853f);
    }
    for (int y = 0; y < THUMB_HEIGHT; y++) {
        for (int x = 0; x < THUMB_WIDTH; x++) {
            float u = (float)x / THUMB_WIDTH, v = (float)y / THUMB_HEIGHT, rgb[3];
            float t = 0.5f + 0.35f * sinf(9.0f * u + 4.0f * sinf(5.0f * v + phase) + phase);
            gyre_map_colour(GYRE_MAP_VIRIDIS, 0.7f * t * (1.0f - 0.4f * v), rgb);
            for (int c = 0; c < 3; c++) {
                to[4 * (y * THUMB_WIDTH + x) + c] = (uint8_t)(255.0f * rgb[c]);
            }
        }
    }
}

static void make_picture(gallery_entry *e, const char *path)
{
    int width, height;
    uint8_t *thumb = calloc(1, 4 * THUMB_WIDTH * THUMB_HEIGHT), *rgba;
    if (!thumb) {
        return;
    }
    for (int i = 0; i < THUMB_WIDTH * THUMB_HEIGHT; i++) {
        memcpy(thumb + (size_t)4 * (size_t)i, (const uint8_t[4]){18, 20, 25, 255}, 4);
    }
    rgba = picture_load(path, &width, &height);
    e->has_picture = rgba != NULL;
    if (rgba) {
        scale(rgba, width, height, thumb);
    } else {
        placeholder(e->title, thumb);
    }
    e->texture = picture_texture(thumb, THUMB_WIDTH, THUMB_HEIGHT);
    free(rgba);
    free(thumb);
}

// ---- the list

static bool is_folder(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

// Where scenes and pictures lie: beside an installed program, or in the tree it was built from.
static bool find_shared(char scenes[512], char pictures[512])
{
    char *base = SDL_GetBasePath();
    const char *const places[][2] = {{"../share/gyre/scene", "../share/gyre/picture"},
                                     {"../scene", "../doc"},
                                     {VIEW_SOURCE_DIR "/scene", VIEW_SOURCE_DIR "/doc"}};
    bool found = false;
    for (size_t i = 0; i < sizeof places / sizeof places[0] && !found; i++) {
        const char *before = places[i][0][0] == '/' || !base ? "" : base;
        snprintf(scenes, 512, "%.300s%.200s", before, places[i][0]);
        snprintf(pictures, 512, "%.300s%.200s", before, places[i][1]);
        found = is_folder(scenes);
    }
    SDL_free(base);
    return found;
}

static int by_title(const void *a, const void *b)
{
    return strcmp(((const gallery_entry *)a)->title, ((const gallery_entry *)b)->title);
}

// The name of a file without its ending, as a title: "ink_drop.json" is "ink drop".
static void title_of(const char *file, char title[64])
{
    snprintf(title, 64, "%.*s", (int)(strlen(file) - 5), file);
    for (char *c = title; *c; c++) {
        *c = *c == '_' ? ' ' : *c;
    }
}

static void read_list(view_gallery *g)
{
    char scenes[512], pictures[512];
    DIR *folder = find_shared(scenes, pictures) ? opendir(scenes) : NULL;
    for (struct dirent *d; folder && g->count < GALLERY_MOST && (d = readdir(folder)) != NULL;) {
        size_t length = strlen(d->d_name);
        if (length <= 5 || length > 60 || strcmp(d->d_name + length - 5, ".json") != 0) {
            continue;
        }
        gallery_entry *e = &g->entries[g->count++];
        snprintf(e->path, sizeof e->path, "%.440s/%.60s", scenes, d->d_name);
        title_of(d->d_name, e->title);
    }
    if (folder) {
        closedir(folder);
    }
    qsort(g->entries, (size_t)g->count, sizeof g->entries[0], by_title);
    for (int i = 0; i < g->count; i++) {
        const char *name = strrchr(g->entries[i].path, '/') + 1;
        char path[640];
        snprintf(path, sizeof path, "%.500s/%.*s.png", pictures, (int)(strlen(name) - 5), name);
        make_picture(&g->entries[i], path);
    }
}

void gallery_open(view_app *app)
{
    view_gallery *g = &app->gallery;
    if (g->count == 0) {
        read_list(g);
    }
    g->shown = true;
    if (app->show.session) {
        view_session_pause(app->show.session, true);
    }
}

void gallery_free(view_app *app)
{
    for (int i = 0; i < app->gallery.count; i++) {
        glDeleteTextures(1, &app->gallery.entries[i].texture);
    }
    app->gallery = (view_gallery){0};
}

// ---- shown

static void leave(view_app *app)
{
    if (app->show.session) {
        app->gallery.shown = false;
        view_session_pause(app->show.session, app->show.wants_pause);
    }
}

static int columns(const view_app *app)
{
    int fit = (app->window.width - 60) / (THUMB_WIDTH + 20);
    return fit > 1 ? fit : 1;
}

bool gallery_key(view_app *app, SDL_Keycode key)
{
    view_gallery *g = &app->gallery;
    int step = key == SDLK_RIGHT  ? 1
               : key == SDLK_LEFT ? -1
               : key == SDLK_DOWN ? columns(app)
               : key == SDLK_UP   ? -columns(app)
                                  : 0;
    if (key == SDLK_ESCAPE || key == SDLK_g) {
        leave(app);
    } else if ((key == SDLK_RETURN || key == SDLK_KP_ENTER) && g->chosen < g->count) {
        app_open_scene(app, g->entries[g->chosen].path);
    } else if (step && g->chosen + step >= 0 && g->chosen + step < g->count) {
        g->chosen += step;
        g->follow = true;
    }
    return true;
}

void gallery_draw(view_app *app)
{
    view_gallery *g = &app->gallery;
    int across = columns(app), opened = -1;
    gui_window("Scenes", 0, 0, (float)app->window.width, (float)app->window.height,
               GUI_PLAIN | GUI_FIXED, NULL);
    gui_text("gyre: choose a scene by a click, or with the arrows and Enter. h shows the keys.");
    if (app->show.coming) {
        char text[200];
        snprintf(text, sizeof text, "loading %.180s", view_session_path(app->show.coming));
        gui_text(text);
    } else if (app->note.text[0] && app->note.bad && app->clock.now < app->note.until) {
        gui_text_in((gui_colour){1.0f, 0.55f, 0.5f, 1.0f}, app->note.text);
    } else {
        gui_text(" "); // so that pictures stay where they are
    }
    gui_rule();
    if (g->count == 0) {
        gui_text_wrapped("No scenes were found beside the program. Drop a scene file on the "
                         "window, or start with one: gyre view SCENE");
    }
    for (int i = 0; i < g->count; i++) {
        if (i % across != 0) {
            gui_same_line();
        }
        if (gui_picture_button(g->entries[i].title, g->entries[i].texture, THUMB_WIDTH,
                               THUMB_HEIGHT, i == g->chosen)) {
            opened = i;
        }
        if (g->follow && i == g->chosen) {
            gui_scroll_here();
            g->follow = false;
        }
    }
    gui_window_end();
    if (opened >= 0) {
        g->chosen = opened;
        app_open_scene(app, g->entries[opened].path);
    }
}
