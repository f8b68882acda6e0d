// test/view_rig.h: a context without a window, frames made from scenes, and how far two pictures
// are apart. For tests of the viewer.
#ifndef VIEW_RIG_H
#define VIEW_RIG_H

#define SDL_MAIN_HANDLED
#include "view/draw/draw.h"

#include <epoxy/gl.h>
#include <SDL.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct rig {
    SDL_Window *window;
    SDL_GLContext context;
    GLuint framebuffer, texture;
    int width, height;
} rig;

static int rig_errors; // that OpenGL has reported

static void APIENTRY rig_hear(GLenum source, GLenum type, GLuint id, GLenum severity,
                              GLsizei length, const GLchar *text, const void *user)
{
    (void)source, (void)id, (void)severity, (void)length, (void)user;
    if (type == GL_DEBUG_TYPE_ERROR || type == GL_DEBUG_TYPE_UNDEFINED_BEHAVIOR) {
        if (rig_errors++ < 5)
            fprintf(stderr, "OpenGL: %s\n", text);
    }
}

// False: there is no OpenGL 3.3 to be had here.
static bool rig_open(rig *r)
{
    *r = (rig){0};
    SDL_SetMainReady();
    SDL_SetHint(SDL_HINT_VIDEODRIVER, "offscreen");
    if (SDL_Init(SDL_INIT_VIDEO) != 0) {
        fprintf(stderr, "SDL: %s\n", SDL_GetError());
        return false;
    }
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    // With GYRE_TEST_ES=1 as browsers draw: WebGL 2 is OpenGL ES 3.0.
    bool es = getenv("GYRE_TEST_ES") != NULL;
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, es ? 0 : 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK,
                        es ? SDL_GL_CONTEXT_PROFILE_ES : SDL_GL_CONTEXT_PROFILE_CORE);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_FLAGS, SDL_GL_CONTEXT_DEBUG_FLAG);
    r->window = SDL_CreateWindow("test", 0, 0, 64, 64, SDL_WINDOW_OPENGL | SDL_WINDOW_HIDDEN);
    r->context = r->window != NULL ? SDL_GL_CreateContext(r->window) : NULL;
    if (r->context == NULL) {
        fprintf(stderr, "SDL: %s\n", SDL_GetError());
        return false;
    }
    if (epoxy_has_gl_extension("GL_KHR_debug")) {
        glEnable(GL_DEBUG_OUTPUT);
        glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
        glDebugMessageCallback(rig_hear, NULL);
    }
    return true;
}

static void rig_close(rig *r)
{
    if (r->context != NULL)
        SDL_GL_DeleteContext(r->context);
    if (r->window != NULL)
        SDL_DestroyWindow(r->window);
    SDL_Quit();
}

// Draws into a framebuffer of that size from now on.
static void rig_size(rig *r, int width, int height)
{
    if (r->framebuffer != 0) {
        glDeleteFramebuffers(1, &r->framebuffer);
        glDeleteTextures(1, &r->texture);
    }
    r->width = width;
    r->height = height;
    glGenTextures(1, &r->texture);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, r->texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glGenFramebuffers(1, &r->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, r->framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, r->texture, 0);
}

// The means of neighbours: a field on faces at the centres of cells.
static inline void rig_centre(const gyre_field_view *from, float *to)
{
    const int *n = from->grid.n;
    ptrdiff_t on = 0;

    if (from->location >= GYRE_FACE_X && from->location <= GYRE_FACE_Z)
        on = from->stride[from->location - GYRE_FACE_X];
    for (int k = 0; k < n[2]; k++) {
        for (int j = 0; j < n[1]; j++) {
            const float *row = from->data + j * from->stride[1] + k * from->stride[2];

            for (int i = 0; i < n[0]; i++)
                *to++ = 0.5f * (row[i] + row[i + on]);
        }
    }
}

static inline void rig_frame_free(view_frame *frame)
{
    gyre_texels_destroy(frame->flow.texels);
    for (int i = 0; i < frame->field_count; i++)
        free(frame->fields[i].data);
    free(frame);
}

// A field that is seen with others: a scalar, or one that the view names.
static inline void rig_dye(view_frame *frame, int field, bool scalar, const gyre_pool *channels)
{
    const gyre_view_channel *named = channels->items, *own = NULL;
    view_dye *dye = &frame->dyes[frame->dye_count];

    for (int i = 0; i < channels->count; i++)
        own = strcmp(named[i].name, frame->fields[field].name) == 0 ? &named[i] : own;
    if (!scalar && own == NULL)
        return;
    dye->plain = own == NULL && frame->dye_count == 0;
    dye->look = own != NULL ? *own : (gyre_view_channel){.shown = true, .scale = 1.0f};
    snprintf(dye->look.name, sizeof dye->look.name, "%s", frame->fields[field].name);
    if (own == NULL)
        gyre_channel_colour(frame->dye_count - 1, dye->look.colour);
    frame->dye_count++;
}

// The texture that the scene shows to flow.
static inline bool rig_flow(view_frame *frame, gyre_scene *scene)
{
    const gyre_view_settings *view = &gyre_scene_get_settings(scene)->view;
    view_flow *flow = &frame->flow;
    gyre_texture t;

    bool shown = view->texture[0] != '\0' || view_frame_has_surface(frame);

    if (!shown || gyre_model_texture(gyre_scene_model(scene, 0), &t) != GYRE_OK)
        return true;
    flow->phases = t.phases;
    memcpy(flow->field, t.field, sizeof flow->field);
    memcpy(flow->weight, t.weight, sizeof flow->weight);
    memcpy(flow->offset, t.offset, sizeof flow->offset);
    memcpy(flow->age, t.age, sizeof flow->age);
    memcpy(flow->origin, frame->grid.origin, sizeof flow->origin);
    flow->size =
        view->texture_size > 0.0f ? view->texture_size : frame->grid.h * (float)frame->grid.n[0];
    return view->texture[0] == '\0' || gyre_scene_texels(scene, &flow->texels) == GYRE_OK;
}

// All fields of the scene's model. NULL with gyre_message().
static inline view_frame *rig_frame(gyre_scene *scene)
{
    gyre_model *model = gyre_scene_model(scene, 0);
    int count = 0;
    const gyre_field_info *info = gyre_model_fields(model, &count);
    view_frame *frame = calloc(1, sizeof *frame);

    if (frame == NULL)
        return NULL;
    frame->grid = *gyre_model_grid(model);
    frame->step = gyre_model_steps(model);
    frame->time = gyre_model_time(model);
    frame->density = frame->temperature = frame->solid = -1;
    frame->field_count = count < VIEW_FIELDS ? count : VIEW_FIELDS;
    for (int i = 0; i < frame->field_count; i++) {
        view_field *field = &frame->fields[i];
        const int *n = frame->grid.n;
        gyre_field_view view;

        snprintf(field->name, sizeof field->name, "%s", info[i].name);
        snprintf(field->unit, sizeof field->unit, "%s", info[i].unit);
        field->view = info[i].view;
        field->derived = info[i].derived;
        field->present = true;
        field->data = calloc((size_t)n[0] * (size_t)n[1] * (size_t)n[2], sizeof *field->data);
        if (field->data == NULL) {
            rig_frame_free(frame);
            return NULL;
        }
        // A field that this model does not have now, as the pressure of a gas that noise blows.
        if (gyre_model_map(model, i, GYRE_READ, &view) != GYRE_OK) {
            field->present = false;
            continue;
        }
        rig_centre(&view, field->data);
        gyre_model_unmap(model, i);
        if (info[i].location != GYRE_CENTRE)
            continue;
        rig_dye(frame, i, info[i].role == GYRE_ROLE_SMOKE,
                &gyre_scene_get_settings(scene)->view.channels);
        int *place = field->view == GYRE_VIEW_DENSITY       ? &frame->density
                     : field->view == GYRE_VIEW_TEMPERATURE ? &frame->temperature
                     : field->view == GYRE_VIEW_FRACTION    ? &frame->solid
                                                            : NULL;

        if (place != NULL && *place < 0)
            *place = i;
    }
    for (int axis = 0; axis < 3; axis++) {
        char name[16];

        snprintf(name, sizeof name, "velocity_%c", "xyz"[axis]);
        frame->velocity[axis] = view_frame_find(frame, name);
    }
    if (!rig_flow(frame, scene)) {
        rig_frame_free(frame);
        return NULL;
    }
    return frame;
}

// A frame's texture as the offline renderer is given it; `like`: any of its fields.
static inline gyre_render_texture rig_texture(const view_frame *frame, const gyre_field_view *like,
                                              gyre_field_view shifts[GYRE_TEXTURE_PHASES][3])
{
    gyre_render_texture texture = {
        .texels = frame->flow.texels, .phases = frame->flow.phases, .size = frame->flow.size};

    for (int p = 0; p < texture.phases; p++) {
        texture.weight[p] = frame->flow.weight[p];
        memcpy(texture.offset[p], frame->flow.offset[p], sizeof texture.offset[p]);
        for (int a = 0; a < frame->grid.dim; a++) {
            shifts[p][a] = *like;
            shifts[p][a].data = frame->fields[frame->flow.field[p][a]].data;
            texture.shift[p][a] = &shifts[p][a];
        }
    }
    memcpy(texture.origin, frame->flow.origin, sizeof texture.origin);
    return texture;
}

// The same of what flows on its surface.
static inline gyre_render_flow rig_carried(const view_frame *frame, const gyre_field_view *like,
                                           gyre_field_view shifts[GYRE_TEXTURE_PHASES][3])
{
    gyre_render_flow flow = {.phases = frame->flow.phases, .time = frame->time};

    for (int p = 0; p < flow.phases; p++) {
        flow.weight[p] = frame->flow.weight[p];
        for (int a = 0; a < 2; a++) {
            flow.offset[p][a] = frame->flow.offset[p][a];
            shifts[p][a] = *like;
            shifts[p][a].data = frame->fields[frame->flow.field[p][a]].data;
            flow.shift[p][a] = &shifts[p][a];
        }
    }
    return flow;
}

// What the offline renderer makes of a frame with the same look. Long because all that a look says
// goes into one input.
static inline gyre_result rig_offline(gyre_device *device, const view_frame *frame,
                                      const view_look *look, gyre_image *image)
{
    int shown = look->field[0] != '\0' ? view_frame_find(frame, look->field) : frame->density;
    int flame = look->settings.flame[0] != '\0' ? view_frame_find(frame, look->settings.flame) : -1;
    enum { PARTS = 10 };
    int fields[PARTS] = {frame->density,
                         frame->temperature,
                         look->solids ? frame->solid : -1,
                         shown,
                         view_frame_shown_as(frame, GYRE_VIEW_SURFACE),
                         view_frame_shown_as(frame, GYRE_VIEW_BED),
                         flame,
                         look->settings.foam > 0.0f ? view_frame_find(frame, "foam") : -1,
                         look->settings.wet ? view_frame_find(frame, "wet") : -1,
                         view_frame_find(frame, "speed")};
    gyre_field_view views[PARTS];
    const gyre_field_view *given[PARTS] = {NULL};
    gyre_mesh meshes[VIEW_MESHES];

    for (int i = 0; i < frame->mesh_count; i++)
        meshes[i] = (gyre_mesh){frame->meshes[i].points, frame->meshes[i].point_count,
                                frame->meshes[i].triangles, frame->meshes[i].triangle_count};
    for (int i = 0; i < PARTS; i++) {
        const int *n = frame->grid.n;

        if (fields[i] < 0 || !frame->fields[fields[i]].present)
            continue;
        views[i] = (gyre_field_view){frame->fields[fields[i]].data,
                                     {n[0], n[1], n[2]},
                                     {1, n[0], (ptrdiff_t)n[0] * n[1]},
                                     GYRE_CENTRE,
                                     frame->grid};
        given[i] = &views[i];
    }
    gyre_render_input input = {.grid = &frame->grid,
                               .density = given[0],
                               .temperature = given[1],
                               .solid = given[2],
                               .field = given[3],
                               .view = shown >= 0 ? frame->fields[shown].view : GYRE_VIEW_DENSITY,
                               .surface = given[4],
                               .bed = given[5],
                               .flame = given[6],
                               .foam = given[7],
                               .wet = given[8],
                               .speed = given[9],
                               .meshes = meshes,
                               .mesh_count = look->solids ? frame->mesh_count : 0,
                               .camera = look->camera,
                               .light = look->light,
                               .settings = look->settings};

    gyre_field_view shifts[GYRE_TEXTURE_PHASES][3];
    gyre_render_texture texture;

    if (frame->flow.phases > 0 && frame->flow.texels != NULL && look->textured) {
        texture = rig_texture(frame, &views[0], shifts);
        input.texture = &texture;
    }
    gyre_render_flow flow;

    if (given[4] != NULL && look->mode == VIEW_SURFACE) {
        flow = rig_carried(frame, given[4], shifts);
        input.flow = &flow;
    }
    gyre_field_view scalars[VIEW_FIELDS];
    gyre_render_channel channels[VIEW_FIELDS];

    for (int i = 0; i < look->dye_count && look->mixed && shown == frame->density; i++) {
        const view_dye *dye = &look->dyes[i];
        int field = view_frame_find(frame, dye->look.name), at = input.channel_count;

        input.density = field == frame->density && !dye->plain ? NULL : input.density;
        if (dye->plain || !dye->look.shown || field < 0)
            continue;
        scalars[at] = views[0];
        scalars[at].data = frame->fields[field].data;
        channels[at] = (gyre_render_channel){&scalars[at], {0}, dye->look.scale};
        memcpy(channels[at].colour, dye->look.colour, sizeof dye->look.colour);
        input.channel_count++;
    }
    input.channels = channels;
    input.settings.channels = (gyre_pool){0};
    input.settings.mode = look->mode == VIEW_VOLUME    ? GYRE_MODE_VOLUME
                          : look->mode == VIEW_SURFACE ? GYRE_MODE_SURFACE
                          : look->mode == VIEW_BARS    ? GYRE_MODE_BARS
                                                       : GYRE_MODE_SLICE;
    input.settings.legend = false;
    return gyre_render(device, &input, image);
}

typedef struct rig_distance {
    double mean; // of the differences of bytes
    int most_of; // 99 of 100 bytes differ by no more
    int most;
} rig_distance;

static rig_distance rig_compare(const uint8_t *a, const uint8_t *b, size_t count)
{
    size_t of[256] = {0}, seen = 0;
    rig_distance d = {0};

    for (size_t i = 0; i < count; i++)
        of[abs((int)a[i] - (int)b[i])]++;
    for (int i = 0; i < 256; i++) {
        d.mean += (double)i * (double)of[i] / (double)count;
        if (seen < count - count / 100)
            d.most_of = i;
        seen += of[i];
        d.most = of[i] > 0 ? i : d.most;
    }
    return d;
}

#endif
