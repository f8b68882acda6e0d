// view/session/take.c: fields of a model brought into a frame: copied to cell centres, or shared.
#include "view/session/inner.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

void session_frame_free(view_frame *frame)
{
    for (int i = 0; i < VIEW_FIELDS; i++) {
        free(frame->fields[i].data);
        gyre_vulkan_export_destroy(frame->fields[i].share.memory);
    }
    for (int i = 0; i < VIEW_MESHES; i++) {
        free(frame->meshes[i].points);
        free(frame->meshes[i].triangles);
    }
    free(frame->overhang.points);
    free(frame->overhang.triangles);
    free(frame->points.at);
    gyre_texels_destroy(frame->flow.texels);
    if (frame->next) {
        session_frame_free(frame->next);
        free(frame->next);
    }
    *frame = (view_frame){0};
}

enum { PIECES = 16 };

// One field on its way into a frame, cut into pieces of rows.
typedef struct copy_job {
    const gyre_field_view *from;
    const int *n;
    float *to;
    float low[PIECES], high[PIECES];
} copy_job;

static void copy_row(const copy_job *job, int j, int k, float *low, float *high)
{
    const gyre_field_view *v = job->from;
    const float *a = v->data + j * v->stride[1] + k * v->stride[2];
    float *to = job->to + ((size_t)k * (size_t)job->n[1] + (size_t)j) * (size_t)job->n[0];
    // A face lies between two centres, a centre between two faces.
    int axis = v->location == GYRE_FACE_X   ? 0
               : v->location == GYRE_FACE_Y ? 1
               : v->location == GYRE_FACE_Z ? 2
                                            : -1;
    ptrdiff_t up = axis < 0 ? 0 : v->stride[axis];
    float least = *low, most = *high;
    for (int i = 0; i < job->n[0]; i++) {
        float x = 0.5f * (a[i] + a[i + up]);
        to[i] = x;
        least = x < least ? x : least;
        most = x > most ? x : most;
    }
    *low = least;
    *high = most;
}

static void copy_node_row(const copy_job *job, int j, int k, float *low, float *high)
{
    const gyre_field_view *v = job->from;
    const float *a = v->data + j * v->stride[1] + k * v->stride[2];
    float *to = job->to + ((size_t)k * (size_t)job->n[1] + (size_t)j) * (size_t)job->n[0];
    int corners = v->grid.dim == 3 ? 8 : 4;
    for (int i = 0; i < job->n[0]; i++) {
        float sum = 0.0f;
        for (int c = 0; c < corners; c++) {
            sum += a[i + (c & 1) + ((c >> 1) & 1) * v->stride[1] + ((c >> 2) & 1) * v->stride[2]];
        }
        float x = sum / (float)corners;
        to[i] = x;
        *low = x < *low ? x : *low;
        *high = x > *high ? x : *high;
    }
}

static void copy_piece(void *argument, int piece)
{
    copy_job *job = argument;
    int64_t rows = (int64_t)job->n[1] * job->n[2];
    float low = 3e38f, high = -3e38f;
    for (int64_t r = rows * piece / PIECES; r < rows * (piece + 1) / PIECES; r++) {
        int j = (int)(r % job->n[1]), k = (int)(r / job->n[1]);
        if (job->from->location == GYRE_NODE) {
            copy_node_row(job, j, k, &low, &high);
        } else {
            copy_row(job, j, k, &low, &high);
        }
    }
    job->low[piece] = low;
    job->high[piece] = high;
}

static gyre_result copy_field(view_field *to, gyre_model *model, int field)
{
    const gyre_grid *grid = gyre_model_grid(model);
    size_t cells = (size_t)grid->n[0] * (size_t)grid->n[1] * (size_t)grid->n[2];
    if (!to->data) {
        to->data = malloc(cells * sizeof *to->data);
    }
    gyre_vulkan_export_destroy(to->share.memory);
    to->share = (view_share){.memory = NULL};
    if (!to->data) {
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory for a picture of %s", to->name);
    }
    gyre_field_view window;
    gyre_result result = gyre_model_map(model, field, GYRE_READ, &window);
    if (result) {
        return result;
    }
    copy_job job = {.from = &window, .n = grid->n, .to = to->data};
    gyre_device_parallel_for(gyre_model_device(model), PIECES, copy_piece, &job);
    to->low = 3e38f;
    to->high = -3e38f;
    for (int i = 0; i < PIECES; i++) {
        to->low = job.low[i] < to->low ? job.low[i] : to->low;
        to->high = job.high[i] > to->high ? job.high[i] : to->high;
    }
    to->present = true;
    return gyre_model_unmap(model, field);
}

// Copies a field on its device into memory that OpenGL imports.
static gyre_result share_field(view_field *to, gyre_model *model, int field)
{
    // Of all sessions: who draws keeps what was imported by these numbers.
    static atomic_uint_fast64_t serials;
    view_share *share = &to->share;
    uint64_t bytes;
    int count;
    gyre_result result = gyre_vulkan_export_size(model, field, &bytes);
    // Mesa's driver for processors wants more room behind a buffer than the buffer has bytes.
    enum { SPARE = 4096 };
    if (result == GYRE_OK && (!share->memory || share->bytes < bytes)) {
        gyre_vulkan_export_destroy(share->memory);
        *share = (view_share){.serial = atomic_fetch_add(&serials, 1) + 1, .bytes = bytes};
        result = gyre_vulkan_export_create(gyre_model_device(model), bytes + SPARE, &share->memory);
    }
    if (result == GYRE_OK) {
        result = gyre_vulkan_export_field(share->memory, 0, model, field, &share->copy);
    }
    share->location = gyre_model_fields(model, &count)[field].location;
    to->present = result == GYRE_OK;
    return result;
}

static bool same_bytes(const uint8_t a[16], const uint8_t b[16])
{
    return memcmp(a, b, 16) == 0;
}

bool session_can_share(gyre_device *device, const view_screen *screen, char *why, size_t size)
{
    gyre_vulkan_identity own;
    gyre_vulkan_export *memory = NULL;
    const char *reason = NULL;
    if (gyre_vulkan_identify(device, &own)) {
        reason = "the scene runs on the processor";
    } else if (!screen || !screen->imports) {
        reason = screen && screen->why_not[0] ? screen->why_not : "no OpenGL was named";
    } else if (!same_bytes(own.device, screen->identity.device)) {
        reason = "OpenGL draws on another device";
    } else if (!same_bytes(own.driver, screen->identity.driver)) {
        reason = "OpenGL has another driver";
    } else if (gyre_vulkan_export_create(device, 4096, &memory)) {
        reason = gyre_message();
    }
    gyre_vulkan_export_destroy(memory);
    snprintf(why, size, "%s", reason ? reason : "");
    return !reason;
}

// The entry of the view for a field; NULL: there is none.
static const gyre_view_channel *look_of(const gyre_view_settings *view, const char *name)
{
    const gyre_view_channel *all = view->channels.items;
    for (int i = 0; i < view->channels.count; i++) {
        if (strcmp(all[i].name, name) == 0) {
            return &all[i];
        }
    }
    return NULL;
}

// What is seen together: the same that pictures of the scene mix.
static void describe_dyes(view_frame *frame, const gyre_scene *scene, const gyre_field_info *info)
{
    const gyre_view_settings *view = &gyre_scene_get_settings(scene)->view;
    int scalars = 0;
    frame->dye_count = 0;
    memset(frame->dyes, 0, sizeof frame->dyes);
    for (int i = 0; i < frame->field_count; i++) {
        const gyre_view_channel *own = look_of(view, info[i].name);
        bool scalar = info[i].role == GYRE_ROLE_SMOKE, first = i == frame->density && scalar;
        if (info[i].location != GYRE_CENTRE || (!scalar && !own)) {
            continue;
        }
        view_dye *dye = &frame->dyes[frame->dye_count++];
        dye->plain = first && !own;
        dye->look = (gyre_view_channel){.shown = true, .scale = 1.0f};
        snprintf(dye->look.name, sizeof dye->look.name, "%s", info[i].name);
        memcpy(dye->look.colour, view->albedo, sizeof dye->look.colour);
        if (scalar && !first) {
            gyre_channel_colour(scalars++, dye->look.colour);
        }
        if (own) {
            memcpy(dye->look.colour, own->colour, sizeof own->colour);
            dye->look.scale = own->scale;
            dye->look.shown = own->shown;
        }
    }
}

static void describe(view_frame *frame, const gyre_scene *scene, int shown)
{
    const gyre_model *model = gyre_scene_model(scene, shown);
    int count, amount = -1;
    const gyre_field_info *info = gyre_model_fields(model, &count);
    const gyre_grid *grid = gyre_model_grid(model);
    bool same = frame->field_count > 0 && frame->model == shown &&
                memcmp(&frame->grid, grid, sizeof *grid) == 0;
    if (!same) {
        view_frame *next = frame->next;
        frame->next = NULL;
        session_frame_free(frame);
        frame->next = next;
    }
    frame->grid = *grid;
    frame->model = shown;
    frame->model_count = gyre_scene_model_count(scene);
    for (int i = 0; i < frame->model_count && i < VIEW_MODELS; i++) {
        snprintf(frame->models[i], sizeof frame->models[i], "%s", gyre_scene_model_name(scene, i));
    }
    frame->field_count = count < VIEW_FIELDS ? count : VIEW_FIELDS;
    frame->density = frame->temperature = frame->solid = -1;
    for (int i = 0; i < frame->field_count; i++) {
        view_field *f = &frame->fields[i];
        snprintf(f->name, sizeof f->name, "%s", info[i].name);
        snprintf(f->unit, sizeof f->unit, "%s", info[i].unit);
        f->view = info[i].view;
        f->derived = info[i].derived;
        f->present = false;
        bool centre = info[i].location == GYRE_CENTRE;
        gyre_field_role role = info[i].role;
        int *first = role == GYRE_ROLE_SMOKE    ? &frame->density
                     : role == GYRE_ROLE_AMOUNT ? &amount
                     : role == GYRE_ROLE_HEAT   ? &frame->temperature
                     : role == GYRE_ROLE_SOLID  ? &frame->solid
                                                : NULL;
        if (first && centre && *first < 0) {
            *first = i;
        }
    }
    describe_dyes(frame, scene, info);
    frame->density = frame->density < 0 ? amount : frame->density;
    for (int a = 0; a < 3; a++) {
        frame->velocity[a] = -1;
        for (int i = frame->field_count - 1; i >= 0; i--) {
            bool component = info[i].role == (gyre_field_role)(GYRE_ROLE_VELOCITY_X + a);
            frame->velocity[a] = component ? i : frame->velocity[a];
        }
    }
}

// What a picture of the scene would show to flow, and by which fields.
static gyre_result describe_flow(view_frame *frame, gyre_scene *scene, const gyre_model *model)
{
    const gyre_view_settings *view = &gyre_scene_get_settings(scene)->view;
    const gyre_grid *grid = gyre_model_grid(model);
    view_flow *flow = &frame->flow;
    gyre_texture t;
    gyre_value origin;
    gyre_texels_destroy(flow->texels);
    *flow = (view_flow){0};
    bool textured = view->texture[0], surface = view_frame_has_surface(frame);
    if ((!textured && !surface) || gyre_model_texture(model, &t) || t.phases == 0) {
        return GYRE_OK;
    }
    // Ripples and the lace of white water flow without a texture.
    gyre_result result = gyre_model_get(model, "grid.origin", &origin);
    result = result || !textured ? result : gyre_scene_texels(scene, &flow->texels);
    if (result) {
        return result;
    }
    flow->phases = t.phases;
    memcpy(flow->field, t.field, sizeof flow->field);
    memcpy(flow->weight, t.weight, sizeof flow->weight);
    memcpy(flow->offset, t.offset, sizeof flow->offset);
    memcpy(flow->age, t.age, sizeof flow->age);
    flow->size = view->texture_size > 0.0f ? view->texture_size : grid->h * (float)grid->n[0];
    for (int a = 0; a < 3; a++) {
        flow->origin[a] = (float)origin.number[a];
    }
    return GYRE_OK;
}

// As large as asked for; what was there is not kept.
static bool reserve(void **memory, size_t *room, size_t size)
{
    if (*room < size) {
        free(*memory);
        *memory = malloc(size);
        *room = *memory ? size : 0;
    }
    return *memory || size == 0;
}

static gyre_result copy_mesh(view_mesh *to, const gyre_mesh *mesh)
{
    size_t points = 3 * (size_t)mesh->point_count * sizeof *to->points;
    size_t triangles = 3 * (size_t)mesh->triangle_count * sizeof *to->triangles;
    to->point_count = to->triangle_count = 0;
    void *p = to->points, *t = to->triangles;
    bool full = reserve(&p, &to->point_room, points);
    full = reserve(&t, &to->triangle_room, triangles) && full;
    to->points = p;
    to->triangles = t;
    if (!full) {
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory for a picture of bodies");
    }
    if (mesh->triangle_count > 0) {
        memcpy(to->points, mesh->points, points);
        memcpy(to->triangles, mesh->triangles, triangles);
        to->point_count = mesh->point_count;
        to->triangle_count = mesh->triangle_count;
    }
    return GYRE_OK;
}

// The model's own; then, where there is a surface, the scene's bodies: a gas has these as solids.
static gyre_result copy_meshes(view_frame *frame, const gyre_scene *scene, gyre_model *model)
{
    gyre_bodies *set = view_frame_has_surface(frame) ? gyre_scene_bodies(scene) : NULL;
    int own = gyre_model_mesh_count(model), count = own + (set ? gyre_bodies_count(set) : 0);
    gyre_result result = GYRE_OK;
    frame->mesh_count = count < VIEW_MESHES ? count : VIEW_MESHES;
    for (int i = 0; i < frame->mesh_count && result == GYRE_OK; i++) {
        gyre_mesh mesh;
        result = i < own ? gyre_model_mesh(model, i, &mesh)
                 : gyre_model_has_bodies(model)
                     ? gyre_model_body_mesh(model, i - own, &mesh)
                     : gyre_bodies_mesh(set, gyre_bodies_element(set, i - own), &mesh);
        result = result ? result : copy_mesh(&frame->meshes[i], &mesh);
    }
    return result;
}

// What hangs over a surface.
static gyre_result copy_overhang(view_frame *frame, gyre_model *model)
{
    gyre_mesh mesh = {0};
    gyre_result result =
        view_frame_has_surface(frame) ? gyre_model_overhang(model, &mesh) : GYRE_OK;
    return result ? result : copy_mesh(&frame->overhang, &mesh);
}

static bool is_wanted(const view_frame *frame, int field, char names[SESSION_NAMES][32],
                      int name_count)
{
    const view_field *f = &frame->fields[field];
    bool wanted = field == frame->density || field == frame->temperature || field == frame->solid;
    wanted = wanted || (view_frame_has_surface(frame) &&
                        (f->view == GYRE_VIEW_SURFACE || f->view == GYRE_VIEW_BED));
    for (int a = 0; a < 3; a++) {
        wanted = wanted || field == frame->velocity[a];
    }
    for (int p = 0; p < frame->flow.phases; p++) {
        for (int a = 0; a < frame->grid.dim; a++) {
            wanted = wanted || field == frame->flow.field[p][a];
        }
    }
    for (int k = 0; k < name_count; k++) {
        wanted = wanted || strcmp(names[k], f->name) == 0;
    }
    return wanted;
}

gyre_result session_frame_fill(view_frame *frame, gyre_scene *scene, int shown,
                               char names[SESSION_NAMES][32], int name_count, bool share)
{
    gyre_model *model = gyre_scene_model(scene, shown);
    describe(frame, scene, shown);
    frame->step = gyre_model_steps(model);
    frame->time = gyre_model_time(model);
    // Surfaces are made on the processor.
    frame->shared = share && !view_frame_has_surface(frame);
    gyre_result result = describe_flow(frame, scene, model);
    result = result ? result : copy_meshes(frame, scene, model);
    result = result ? result : copy_overhang(frame, model);
    result = result ? result : session_copy_points(frame, scene, shown);
    const view_share *last = NULL;
    for (int i = 0; i < frame->field_count && result == GYRE_OK; i++) {
        if (!is_wanted(frame, i, names, name_count)) {
            continue;
        }
        if (frame->shared) {
            result = share_field(&frame->fields[i], model, i);
            last = &frame->fields[i].share;
        } else {
            result = copy_field(&frame->fields[i], model, i);
        }
    }
    if (last && result == GYRE_OK) {
        result = gyre_vulkan_export_wait(last->memory, last->copy.value);
    }
    return result;
}

// The one that the scene shows where none is chosen.
static int shown_model(const gyre_scene *scene, int shown)
{
    const char *field = gyre_scene_get_settings(scene)->view.field;
    if (shown >= 0 && shown < gyre_scene_model_count(scene)) {
        return shown;
    }
    // A field that is not there is told where it is set.
    return field[0] && gyre_scene_field(scene, field, &shown, NULL) == GYRE_OK ? shown : 0;
}

gyre_result session_frame_fill_all(view_frame *frame, gyre_scene *scene, int shown,
                                   char names[SESSION_NAMES][32], int name_count, bool share,
                                   bool all)
{
    int first = shown_model(scene, shown);
    gyre_result result = session_frame_fill(frame, scene, first, names, name_count, share);
    view_frame **next = &frame->next;
    for (int i = 0; all && i < gyre_scene_model_count(scene) && !result; i++) {
        if (i == first) {
            continue;
        }
        *next = *next ? *next : calloc(1, sizeof **next);
        if (!*next) {
            return gyre_fail(GYRE_ERROR_MEMORY, "no memory for a picture of another model");
        }
        result = session_frame_fill(*next, scene, i, names, name_count, share);
        next = &(*next)->next;
    }
    if (*next) {
        session_frame_free(*next);
        free(*next);
        *next = NULL;
    }
    return result;
}
