// view/frame.c: what a frame holds, by name.
#include "view/frame.h"

#include <string.h>

int view_frame_find(const view_frame *frame, const char *name)
{
    for (int i = 0; i < frame->field_count; i++) {
        if (strcmp(frame->fields[i].name, name) == 0)
            return i;
    }
    return -1;
}
