// web/native/picture.h: what a scene looks like, and what draws it.
#ifndef WEB_PICTURE_H
#define WEB_PICTURE_H

#include "view/hand/aim.h"
#include "web/native/inner.h"

/// One model, and how it is looked at. `draw` NULL: there is no canvas, or not yet.
typedef struct web_pane {
    view_draw *draw;
    const view_frame *frame;
    view_look look;
    int model;      // -1: none yet
    char meant[32]; // the field that the scene's colours and range are meant for
    int32_t meant_map;
    float meant_range[2];
    bool meant_mixed;
} web_pane;

struct web_picture {
    view_frame frame; // of the first model, and of others behind it
    web_pane panes[VIEW_MODELS];
    int count;
    int shown;  // the model that is; -1: the scene's choice
    bool alone; // of several it alone
    bool opened;
    bool transparent;  // nothing behind the fluids
    int width, height; // of the last picture, pixels
    float scale;       // of what is costly to draw: the inner picture's side over the whole's
    gyre_scene_settings settings; // of the scene, as last adopted
    view_dye dyes[VIEW_FIELDS];   // likewise
};

/// Makes it when it is not there; NULL with a message.
web_picture *web_picture_of(web_scene *scene);
/// NULL is allowed.
void web_picture_free(web_picture *picture);
/// The scene has started anew: what is shown of it is brought again, looked at as before.
gyre_result web_picture_reset(web_picture *picture, gyre_scene *scene);
/// The part of the picture that a pane has: pixels, y from the bottom.
void web_picture_area(const web_picture *picture, int pane, int *x, int *y, int *width,
                      int *height);
/// Shows another field of a pane: colours and range stay with the field they were chosen for.
void web_picture_field(web_pane *pane, const char *name);

#endif
