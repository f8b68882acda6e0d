// view/panel/panel.h: the panels over the picture: properties, statistics, the gallery of scenes.
#ifndef VIEW_PANEL_H
#define VIEW_PANEL_H

#include "view/panel/gui.h"
#include "view/session/session.h"
#include <SDL.h>

typedef struct view_app view_app;

enum { GALLERY_MOST = 64 };

typedef enum panel_kind {
    PANEL_LEAF,
    PANEL_GROUP,
    PANEL_POOL,
    PANEL_ELEMENT,
    PANEL_END
} panel_kind;

typedef struct panel_item {
    int kind;
    bool fixed, named; // fixed: not to be changed now; named: it is the element's name
    bool readable;
    char path[192], label[48];
    const gyre_property *property;
    gyre_value value;
} panel_item;

typedef struct panel_stat {
    const gyre_property *property;
    char label[80]; // its name, the model's before it where there are several
    gyre_value value;
} panel_stat;

enum { OPEN_MOST = 32, STATS_MOST = 96 };

typedef struct panel_state {
    panel_item *items;
    int count, room;
    panel_stat stats[STATS_MOST];
    int stat_count;
    int64_t step; // when it was taken
} panel_state;

typedef struct view_panel {
    SDL_mutex *mutex; // of `next`, which the session's thread fills
    panel_state next, shown;
    bool ready, asked, wants_stats; // wants_stats: of the session's thread, set while none is asked
    bool visible, help, hidden;     // the panel; the keys; nothing but the picture
    bool stats_open;
    double asked_at;
    int variant;
    char open[OPEN_MOST][192]; // elements whose members are shown
    int open_count;
    char edit_path[192]; // what the hand changed last
    gyre_value edit_value;
    double edit_at;
    char scene_file[256], replay_file[256], video_file[256];
    int video_kind;   // of videos: panel_video_ending()
    bool video_panel; // the recording holds the panels too
} view_panel;

typedef struct gallery_entry {
    char path[512], title[64];
    uint32_t texture;
    bool has_picture;
} gallery_entry;

typedef struct view_gallery {
    bool shown;
    gallery_entry entries[GALLERY_MOST];
    int count, chosen;
    bool follow; // the keys have chosen: it must come into sight
} view_gallery;

// panel.c
bool panel_start(view_app *app);
void panel_stop(view_app *app);
void panel_draw(view_app *app);
void panel_save_scene(view_app *app);
void panel_save_replay(view_app *app);
/// "mp4", "gif" or "webm", as chosen.
const char *panel_video_ending(const view_app *app);

// state.c
void panel_ask(view_app *app);
void panel_take(view_app *app);
bool panel_is_open(const view_panel *panel, const char *path);

// edit.c
/// Draws the element that fits the property; true when the hand changed the value.
bool edit_value(const gyre_property *property, gyre_value *value, const char *label, bool fixed,
                const char *reason);
/// The lines of a table of a plain struct; true when one was changed.
bool edit_table(const gyre_property *table, void *def);
/// The value as JSON.
void value_json(const gyre_property *property, const gyre_value *value, char *json, size_t size);
/// The value in words: "0.1 m/s", an enum's name.
void value_text(const gyre_property *property, const gyre_value *value, char *text, size_t size);
void edit_model(view_app *app);

// gallery.c
void gallery_open(view_app *app);
void gallery_draw(view_app *app);
bool gallery_key(view_app *app, SDL_Keycode key);
void gallery_free(view_app *app);

// overlay.c
void overlay_draw(view_app *app);

#endif
