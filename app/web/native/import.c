// web/native/import.c: in place of view/draw/import.c and shared.c: no frame of a browser shares
// memory with another API, so that nothing here is ever asked for more than whether it does.
#include "view/draw/parts.h"

static bool none(void)
{
    gyre_fail(GYRE_ERROR_UNSUPPORTED, "WebGL imports no memory of other devices");
    return false;
}

bool view_take_shared(view_draw *draw, int moment, const view_frame *frame)
{
    (void)draw;
    (void)moment;
    (void)frame;
    return none();
}

bool view_measure_slot(view_draw *draw, int moment, int slot, float *low, float *high)
{
    (void)draw;
    (void)moment;
    (void)slot;
    (void)low;
    (void)high;
    return none();
}

bool view_measure_shared(view_draw *draw, int moment, view_extremes *extremes)
{
    (void)draw;
    (void)moment;
    (void)extremes;
    return none();
}

void view_forget_shared(view_draw *draw)
{
    glDeleteFramebuffers(1, &draw->card.framebuffer); // of passes
    draw->card = (view_card){0};
}

bool view_pass_kind(view_draw *draw, int moment, int field, view_kind kind, GLuint *made)
{
    (void)draw;
    (void)moment;
    (void)field;
    (void)kind;
    (void)made;
    return none();
}

bool view_pass_velocity(view_draw *draw, int moment, GLuint *made)
{
    (void)draw;
    (void)moment;
    (void)made;
    return none();
}

bool view_pass_body(view_draw *draw, int moment, GLuint *made)
{
    (void)draw;
    (void)moment;
    (void)made;
    return none();
}

bool view_pass_bricks(view_draw *draw, int moment, const int fields[4], const bool asked[4],
                      const float least[4], uint8_t *bits)
{
    (void)draw;
    (void)moment;
    (void)fields;
    (void)asked;
    (void)least;
    (void)bits;
    return none();
}

bool view_pass_dyes(view_draw *draw, int moment, const view_dye_part *parts, int count,
                    float cloudiness)
{
    (void)draw;
    (void)moment;
    (void)parts;
    (void)count;
    (void)cloudiness;
    return none();
}

bool view_pass_grown_dyes(view_draw *draw, int moment)
{
    (void)draw;
    (void)moment;
    return none();
}

bool view_pass_shade(view_draw *draw, int moment, int field, const view_shade *shade, GLuint *made)
{
    (void)draw;
    (void)moment;
    (void)field;
    (void)shade;
    (void)made;
    return none();
}
