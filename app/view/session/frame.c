// view/session/frame.c: what a frame holds, by name.
#include "view/session/frame.h"

#include <string.h>

int view_frame_find(const view_frame *frame, const char *name)
{
    size_t own = strlen(frame->models[frame->model]);
    if (own > 0 && strncmp(name, frame->models[frame->model], own) == 0 && name[own] == '.')
        name += own + 1;
    for (int i = 0; i < frame->field_count; i++) {
        if (strcmp(frame->fields[i].name, name) == 0)
            return i;
    }
    return -1;
}

int view_frame_shown_as(const view_frame *frame, gyre_view view)
{
    for (int i = 0; i < frame->field_count; i++) {
        if (frame->fields[i].view == view)
            return i;
    }
    return -1;
}

bool view_frame_has_surface(const view_frame *frame)
{
    return frame->grid.dim == 2 && view_frame_shown_as(frame, GYRE_VIEW_SURFACE) >= 0 &&
           view_frame_shown_as(frame, GYRE_VIEW_BED) >= 0;
}
