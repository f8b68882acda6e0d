// view/draw/import.c: fields that a frame shares: their device's memory imported into OpenGL
// (GL_EXT_memory_object_fd), brought to cell centres in textures, and measured there. No sample
// comes to the processor; of each field the least and the largest of each plane do.
#include "view/draw/parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SPEED_ROW = VIEW_FIELDS, APART_ROW, ROWS };

view_screen view_draw_screen(void)
{
    view_screen screen = {0};
    GLint units = 0;

    if (view_gl_is_es()) {
        snprintf(screen.why_not, sizeof screen.why_not, "OpenGL ES has no geometry shaders here");
        return screen;
    }
    if (!epoxy_has_gl_extension("GL_EXT_memory_object") ||
        !epoxy_has_gl_extension("GL_EXT_memory_object_fd")) {
        snprintf(screen.why_not, sizeof screen.why_not,
                 "this OpenGL has no GL_EXT_memory_object_fd");
        return screen;
    }
    glGetIntegerv(GL_NUM_DEVICE_UUIDS_EXT, &units);
    if (units != 1) {
        snprintf(screen.why_not, sizeof screen.why_not, "this OpenGL draws on %d devices", units);
        return screen;
    }
    glGetUnsignedBytei_vEXT(GL_DEVICE_UUID_EXT, 0, screen.identity.device);
    glGetUnsignedBytevEXT(GL_DRIVER_UUID_EXT, screen.identity.driver);
    screen.imports = true;
    return screen;
}

// ---- memory -------------------------------------------------------------------------------------

static void drop_import(view_import *import)
{
    glDeleteBuffers(1, &import->buffer);
    if (import->memory != 0)
        glDeleteMemoryObjectsEXT(1, &import->memory);
    *import = (view_import){0};
}

static bool no_error(const char *what)
{
    GLenum error = glGetError();

    if (error == GL_NO_ERROR)
        return true;
    gyre_fail(GYRE_ERROR_STATE, "OpenGL error 0x%x in %s", (unsigned)error, what);
    return false;
}

static bool make_import(view_import *to, const view_share *share)
{
    GLint dedicated = GL_TRUE;
    uint64_t allocated = 0;
    int fd = -1;

    if (gyre_vulkan_export_open(share->memory, &fd, &allocated) != GYRE_OK)
        return false;
    while (glGetError() != GL_NO_ERROR)
        continue;
    *to = (view_import){.serial = share->serial, .bytes = share->bytes};
    glCreateMemoryObjectsEXT(1, &to->memory);
    glMemoryObjectParameterivEXT(to->memory, GL_DEDICATED_MEMORY_OBJECT_EXT, &dedicated);
    glImportMemoryFdEXT(to->memory, allocated, GL_HANDLE_TYPE_OPAQUE_FD_EXT, fd);
    if (!no_error("the import of memory")) {
        close(fd); // it was not taken
        drop_import(to);
        return false;
    }
    glGenBuffers(1, &to->buffer);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, to->buffer);
    glBufferStorageMemEXT(GL_PIXEL_UNPACK_BUFFER, (GLsizeiptr)share->bytes, to->memory, 0);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    if (!no_error("a buffer in imported memory")) {
        drop_import(to);
        return false;
    }
    return true;
}

static const view_import *find_import(view_draw *draw, const view_share *share)
{
    view_import *imports = draw->card.imports, *oldest = imports;

    for (int i = 0; i < VIEW_IMPORTS; i++) {
        if (imports[i].serial == share->serial) {
            imports[i].used = draw->card.turn;
            return &imports[i];
        }
        oldest = imports[i].used < oldest->used ? &imports[i] : oldest;
    }
    drop_import(oldest);
    if (!make_import(oldest, share))
        return NULL;
    oldest->used = draw->card.turn;
    return oldest;
}

void view_forget_shared(view_draw *draw)
{
    view_card *card = &draw->card;

    for (int i = 0; i < VIEW_IMPORTS; i++) {
        if (card->imports[i].serial != 0)
            drop_import(&card->imports[i]);
    }
    view_delete_texture(&card->staged);
    view_delete_texture(&card->bricks);
    for (int i = 0; i < 2; i++)
        view_delete_texture(&card->scratch[i]);
    view_target_free(&card->rows);
    view_target_free(&card->sums);
    if (card->framebuffer != 0)
        glDeleteFramebuffers(1, &card->framebuffer);
    *card = (view_card){.solid_turns = card->solid_turns};
}

// ---- fields -------------------------------------------------------------------------------------

// The samples as they lie, into a texture that has room for those of every place.
static void stage(view_draw *draw, const view_import *import, const view_share *share)
{
    const int *n = share->copy.n, *stride = share->copy.stride;
    bool space = draw->full.dim == 3;
    const void *at = (const void *)(uintptr_t)share->copy.offset;

    if (draw->card.staged == 0)
        view_texture(&draw->card.staged, GL_R32F, draw->full.n[0] + 1, draw->full.n[1] + 1,
                     space ? draw->full.n[2] + 1 : 0, NULL, 1);
    glActiveTexture(GL_TEXTURE15);
    glBindTexture(space ? GL_TEXTURE_3D : GL_TEXTURE_2D, draw->card.staged);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, import->buffer);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, stride[1]);
    if (space) {
        glPixelStorei(GL_UNPACK_IMAGE_HEIGHT, stride[2] / stride[1]);
        glTexSubImage3D(GL_TEXTURE_3D, 0, 0, 0, 0, n[0], n[1], n[2], GL_RED, GL_FLOAT, at);
        glPixelStorei(GL_UNPACK_IMAGE_HEIGHT, 0);
    } else {
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, n[0], n[1], GL_RED, GL_FLOAT, at);
    }
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
}

static bool take_field(view_draw *draw, int moment, int field, const view_share *share)
{
    GLuint *texture = &draw->moments[moment].texture[VIEW_AS_IS][field];
    const view_import *import = find_import(draw, share);
    GLint up[3] = {share->location == GYRE_FACE_X, share->location == GYRE_FACE_Y,
                   share->location == GYRE_FACE_Z};
    view_pass pass;

    if (import == NULL)
        return false;
    stage(draw, import, share);
    view_need_texture(draw, texture, GL_R32F, 1);
    if (!view_begin_pass(draw, &pass, "take", ""))
        return false;
    view_bind(draw, "samples", draw->full.dim == 3 ? GL_TEXTURE_3D : GL_TEXTURE_2D,
              draw->card.staged);
    glUniform3iv(glGetUniformLocation(draw->program, "up"), 1, up);
    view_set1i(draw, "corners", share->location != GYRE_NODE ? 0 : draw->full.dim == 3 ? 8 : 4);
    view_set1i(draw, "every", draw->every);
    view_fill_texture(draw, *texture, draw->grid.n);
    view_end_pass(draw, &pass);
    return true;
}

// Shaders of passes, and what they may find and must leave.
typedef struct switches {
    GLboolean was[5];
    GLint vertices, draws, reads;
} switches;

static const GLenum off[5] = {GL_BLEND, GL_DEPTH_TEST, GL_CULL_FACE, GL_SCISSOR_TEST,
                              GL_STENCIL_TEST};

static void begin(view_draw *draw, switches *s)
{
    glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &s->vertices);
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &s->draws);
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &s->reads);
    for (int i = 0; i < 5; i++) {
        s->was[i] = glIsEnabled(off[i]);
        glDisable(off[i]);
    }
    glBindVertexArray(draw->vertices);
}

static void end(const switches *s)
{
    glBindVertexArray((GLuint)s->vertices);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)s->draws);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)s->reads);
    glActiveTexture(GL_TEXTURE0);
    glUseProgram(0);
    for (int i = 0; i < 5; i++) {
        if (s->was[i])
            glEnable(off[i]);
    }
}

// What the frame shares may be written over when this returns.
static void wait_for_card(void)
{
    GLsync fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);

    while (fence != NULL &&
           glClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, 1000000000u) == GL_TIMEOUT_EXPIRED)
        continue;
    glDeleteSync(fence);
}

bool view_take_shared(view_draw *draw, int moment, const view_frame *frame)
{
    view_moment *of = &draw->moments[moment];
    switches s;
    bool good = true;

    for (int axis = 0; axis < draw->full.dim; axis++) {
        // Samples on faces are one more than cells.
        if (draw->full.n[axis] >= draw->most[draw->full.dim == 3]) {
            gyre_fail(GYRE_ERROR_UNSUPPORTED, "%d cells along an axis are more than OpenGL has",
                      draw->full.n[axis]);
            return false;
        }
    }
    draw->card.turn++;
    begin(draw, &s);
    for (int i = 0; i < frame->field_count && good; i++) {
        free(of->data[i]);
        of->data[i] = NULL;
        of->room[i] = 0;
        of->has[i] = frame->fields[i].present;
        good = !of->has[i] || take_field(draw, moment, i, &frame->fields[i].share);
    }
    wait_for_card();
    end(&s);
    return good;
}

// ---- measuring ----------------------------------------------------------------------------------

// Least and largest of what `macros` mean, by rows, and of those by planes into a line of `sums`.
static bool measure(view_draw *draw, int line, const char *macros, const char *const names[3],
                    const GLuint textures[3])
{
    view_card *card = &draw->card;
    GLenum kind = draw->grid.dim == 3 ? GL_TEXTURE_3D : GL_TEXTURE_2D;
    int rows = draw->grid.n[1], planes = draw->grid.n[2];
    view_pass pass;

    view_target_make(&card->rows, GL_RG32F, rows, planes);
    view_target_make(&card->sums, GL_RG32F, planes, ROWS);
    if (!view_begin_pass(draw, &pass, "range", macros))
        return false;
    for (int i = 0; i < 3; i++) {
        if (names[i] != NULL)
            view_bind(draw, names[i], kind, textures[i]);
    }
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, card->rows.framebuffer);
    glViewport(0, 0, rows, planes);
    view_fill();
    view_end_pass(draw, &pass);
    if (!view_begin_pass(draw, &pass, "range", "SUMS"))
        return false;
    view_set1i(draw, "rows_of_plane", rows);
    view_bind(draw, "rows", GL_TEXTURE_2D, card->rows.texture);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, card->sums.framebuffer);
    glViewport(0, line, planes, 1);
    view_fill();
    view_end_pass(draw, &pass);
    return true;
}

static bool measure_fields(view_draw *draw, int moment)
{
    const view_moment *of = &draw->moments[moment], *other = &draw->moments[1 - moment];
    bool solid = draw->solid >= 0 && of->has[draw->solid], flows = true;
    GLuint share = solid ? of->texture[VIEW_AS_IS][draw->solid] : 0, flow[3] = {0};
    static const char *const of_field[3] = {"from", "solid", NULL};
    static const char *const of_flow[3] = {"u", "v", "w"};
    bool good = true;

    for (int i = 0; i < draw->field_count && good; i++) {
        const GLuint textures[3] = {of->texture[VIEW_AS_IS][i], share, 0};

        good = !of->has[i] ||
               measure(draw, i, solid && i != draw->solid ? "FLUID" : "", of_field, textures);
    }
    for (int axis = 0; axis < draw->grid.dim; axis++) {
        flows = flows && draw->velocity[axis] >= 0 && of->has[draw->velocity[axis]];
        flow[axis] = flows ? of->texture[VIEW_AS_IS][draw->velocity[axis]] : 0;
    }
    good = good && (!flows || measure(draw, SPEED_ROW, "SPEED", of_flow, flow));
    if (good && solid && other->has[draw->solid]) {
        const GLuint both[3] = {share, other->texture[VIEW_AS_IS][draw->solid], 0};

        good = measure(draw, APART_ROW, "APART", of_field, both);
    }
    return good;
}

bool view_measure_slot(view_draw *draw, int moment, int slot, float *low, float *high)
{
    static const char *const names[3] = {"from", "solid", NULL};
    const view_moment *of = &draw->moments[moment];
    bool solid = draw->solid >= 0 && of->has[draw->solid];
    const GLuint textures[3] = {of->texture[VIEW_AS_IS][slot],
                                solid ? of->texture[VIEW_AS_IS][draw->solid] : 0, 0};
    int planes = draw->grid.n[2];
    float *sums = malloc(2 * (size_t)planes * sizeof *sums);
    GLint reads = 0;

    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &reads);
    bool good = sums != NULL && measure(draw, APART_ROW, solid ? "FLUID" : "", names, textures);

    *low = 3e38f;
    *high = -3e38f;
    if (good) {
        glBindFramebuffer(GL_READ_FRAMEBUFFER, draw->card.sums.framebuffer);
        glReadPixels(0, APART_ROW, planes, 1, GL_RG, GL_FLOAT, sums);
        glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)reads);
    }
    for (int i = 0; i < planes && good; i++) {
        *low = sums[2 * i] < *low ? sums[2 * i] : *low;
        *high = sums[2 * i + 1] > *high ? sums[2 * i + 1] : *high;
    }
    free(sums);
    return good;
}

bool view_measure_shared(view_draw *draw, int moment, view_extremes *extremes)
{
    int planes = draw->grid.n[2];
    size_t count = (size_t)planes * ROWS;
    float *sums = malloc(2 * count * sizeof *sums);
    switches s;

    *extremes = (view_extremes){.speed = 0.0f};
    if (sums == NULL) {
        gyre_fail(GYRE_ERROR_MEMORY, "no memory to measure fields");
        return false;
    }
    begin(draw, &s);
    bool good = measure_fields(draw, moment);

    if (good && draw->card.sums.texture != 0) {
        glBindFramebuffer(GL_READ_FRAMEBUFFER, draw->card.sums.framebuffer);
        glReadPixels(0, 0, planes, ROWS, GL_RG, GL_FLOAT, sums);
    }
    end(&s);
    for (int row = 0; row < ROWS && good; row++) {
        float low = 3e38f, high = -3e38f;

        for (int i = 0; i < planes; i++) {
            const float *at = sums + 2 * ((size_t)row * (size_t)planes + (size_t)i);

            low = at[0] < low ? at[0] : low;
            high = at[1] > high ? at[1] : high;
        }
        if (row < VIEW_FIELDS) {
            extremes->low[row] = low;
            extremes->high[row] = high;
        } else if (row == SPEED_ROW) {
            extremes->speed = high > 0.0f ? sqrtf(high) : 0.0f;
        } else {
            extremes->solids_differ = high > 0.0f;
        }
    }
    free(sums);
    return good;
}

bool view_draw_value(view_draw *draw, int field, const int cell[3], float *value)
{
    const view_moment *of = &draw->moments[draw->later];
    int at[3];

    for (int axis = 0; axis < 3; axis++)
        at[axis] = cell[axis] / draw->every;
    if (field < 0 || field >= draw->field_count || !of->filled || !of->has[field])
        return false;
    if (!of->shared) {
        const int *n = draw->grid.n;

        *value = of->data[field][(size_t)at[0] +
                                 (size_t)n[0] * ((size_t)at[1] + (size_t)n[1] * (size_t)at[2])];
        return true;
    }
    GLint reads = 0;
    GLuint framebuffer, texture = of->texture[VIEW_AS_IS][field];

    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &reads);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    if (draw->grid.dim == 3)
        glFramebufferTextureLayer(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0, at[2]);
    else
        glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture,
                               0);
    glReadPixels(at[0], at[1], 1, 1, GL_RED, GL_FLOAT, value);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)reads);
    glDeleteFramebuffers(1, &framebuffer);
    return true;
}
