// model/copy.c: fields, or boxes of them, copied into a caller's memory. Rows are cut into pieces
// that go to the device's threads; a row that changes neither format nor place is one memcpy. Cost:
// what is read once and written once (`gyre bench gas` holds it against a memcpy).
#include "base/simd.h"
#include "model/model.h"
#include <stdint.h>
#include <string.h>

enum {
    BLOCK = 64,     // samples on their way through a buffer
    PIECE = 1 << 16 // samples that are worth a task
};

/// A request with its defaults filled in, and what is being copied of it.
typedef struct job {
    gyre_model *model;
    gyre_copy what;
    int fields[3], components;
    int sample; // bytes of one
    float factor;
    // of the component at hand:
    int field;
    int axis;   // along which two faces are averaged, or -1
    bool rows;  // they are read out of the model; else from the window
    bool plain; // they are copied as they lie
    bool whole; // and read from end to end
    gyre_field_view view;
    char *to;
    int tasks;
} job;

// ---- formats

/// IEEE binary16, to the nearest, of two the even one; at most 65504 either way. Added to 2^13
/// times its own power of two, or to 2^13 2^-14 below the least normal number, a number is rounded
/// to the last bit that a half of its size has.
GY_INLINE vi half_of(vf x)
{
    vi bits = (vi)x;
    vf size = gy_min((vf)(bits & 0x7fffffff), gy_splat(65504.0f));
    vf power = gy_max((vf)((vi)size & 0x7f800000), gy_splat(0x1p-14f));
    vi rounded = (vi)(size + power * 8192.0f) - (vi)power - (13 << 23);
    vi half = rounded + ((vi)power >> 13) - (113 << 10);
    return half | ((vi)(x != x) & 0x7e00) | ((bits >> 16) & 0x8000);
}

/// 0 at `low`, 255 at the top, to the nearest; beyond them these, and 0 for NaN.
GY_INLINE vi byte_of(vf x, vf low, vf factor)
{
    vf t = (x - low) * factor;
    t = (vf)((vi)t & (vi)(t > 0.0f));
    return gy_to_int(gy_min(t, gy_splat(255.0f)) + 0.5f);
}

/// BLOCK samples. That the narrowing is a loop of its own, of a known length, lets compilers use
/// vectors for it.
static void convert(const job *c, const float *from, void *to)
{
    int32_t wide[BLOCK];
    if (c->what.format == GYRE_COPY_HALF) {
        for (int i = 0; i < BLOCK; i += VW) {
            gy_store((float *)(void *)(wide + i), (vf)half_of(gy_load(from + i)));
        }
        for (int i = 0; i < BLOCK; i++) {
            ((uint16_t *)to)[i] = (uint16_t)wide[i];
        }
        return;
    }
    vf low = gy_splat(c->what.range[0]), factor = gy_splat(c->factor);
    for (int i = 0; i < BLOCK; i += VW) {
        gy_store((float *)(void *)(wide + i), (vf)byte_of(gy_load(from + i), low, factor));
    }
    for (int i = 0; i < BLOCK; i++) {
        ((uint8_t *)to)[i] = (uint8_t)wide[i];
    }
}

/// Samples that lie together to where the caller wants them.
static void place(char *to, size_t step, const char *from, int count, int sample)
{
    if (step == (size_t)sample) {
        memcpy(to, from, (size_t)count * step);
    } else if (sample == 4) {
        for (int i = 0; i < count; i++) {
            memcpy(to + (size_t)i * step, from + 4 * i, 4);
        }
    } else if (sample == 2) {
        for (int i = 0; i < count; i++) {
            memcpy(to + (size_t)i * step, from + 2 * i, 2);
        }
    } else {
        for (int i = 0; i < count; i++) {
            to[(size_t)i * step] = from[i];
        }
    }
}

// ---- rows

/// The samples of row (j, k) from what.low[0] on.
static const float *row_at(const job *c, int j, int k, float *buffer)
{
    if (c->rows) {
        c->model->type->read_row(c->model, c->field, j, k, buffer);
        return buffer + c->what.low[0];
    }
    return c->view.data + c->what.low[0] + j * c->view.stride[1] + k * c->view.stride[2];
}

/// Halves first: what is in a window may be as large as a float is.
static void average(const float *a, const float *b, int count, float *mean)
{
    int i = 0;
    for (; i + VW <= count; i += VW) {
        gy_store(mean + i, 0.5f * gy_load(a + i) + 0.5f * gy_load(b + i));
    }
    for (; i < count; i++) {
        mean[i] = 0.5f * a[i] + 0.5f * b[i];
    }
}

/// The row whose samples are a, or the means of a and b, block by block.
static void put_row(const job *c, char *to, const float *a, const float *b)
{
    const gyre_copy *w = &c->what;
    _Alignas(64) float block[BLOCK];
    _Alignas(64) uint16_t changed[BLOCK];
    for (int i = 0; i < w->size[0]; i += BLOCK) {
        int count = GY_MIN(BLOCK, w->size[0] - i);
        const void *from = a + i;
        if (b) {
            average(a + i, b + i, count, block);
            from = block;
        } else if (count < BLOCK) {
            memcpy(block, a + i, sizeof *a * (size_t)count);
            from = block;
        }
        if (count < BLOCK && from == block) {
            memset(block + count, 0, sizeof *block * (size_t)(BLOCK - count));
        }
        if (w->format != GYRE_COPY_FLOAT) {
            convert(c, from, changed);
            from = changed;
        }
        place(to + (size_t)i * w->stride[0], w->stride[0], from, count, c->sample);
    }
}

static void copy_row(const job *c, int j, int k)
{
    float buffer[2][GY_MOST_SAMPLES];
    const gyre_copy *w = &c->what;
    char *to =
        c->to + (size_t)(j - w->low[1]) * w->stride[1] + (size_t)(k - w->low[2]) * w->stride[2];
    if (c->whole && (uintptr_t)to % sizeof(float) == 0) {
        c->model->type->read_row(c->model, c->field, j, k, (float *)(void *)to);
        return;
    }
    const float *a = row_at(c, j, k, buffer[0]), *b = c->axis == 0 ? a + 1 : NULL;
    if (c->axis > 0) {
        b = row_at(c, j + (c->axis == 1), k + (c->axis == 2), buffer[1]);
    }
    if (c->plain) {
        memcpy(to, a, sizeof *a * (size_t)w->size[0]);
    } else {
        put_row(c, to, a, b);
    }
}

static void copy_piece(void *argument, int task)
{
    const job *c = argument;
    const int *low = c->what.low, *size = c->what.size;
    int64_t rows = (int64_t)size[1] * size[2];
    int64_t first = rows * task / c->tasks, end = rows * (task + 1) / c->tasks;
    int j = (int)(first % size[1]), k = (int)(first / size[1]);
    for (int64_t r = first; r < end; r++) {
        copy_row(c, low[1] + j, low[2] + k);
        k += j + 1 == size[1];
        j = j + 1 == size[1] ? 0 : j + 1;
    }
}

// ---- the request

static gyre_result check_format(const char *name, job *c)
{
    gyre_copy *w = &c->what;
    if (w->format < GYRE_COPY_FLOAT || w->format > GYRE_COPY_BYTE) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "copy: %s: no format %d; there are GYRE_COPY_FLOAT, GYRE_COPY_HALF and "
                         "GYRE_COPY_BYTE",
                         name, w->format);
    }
    c->sample = w->format == GYRE_COPY_FLOAT ? 4 : w->format == GYRE_COPY_HALF ? 2 : 1;
    if (w->format != GYRE_COPY_BYTE) {
        return GYRE_OK;
    }
    if (w->range[0] == 0.0f && w->range[1] == 0.0f) {
        w->range[1] = 1.0f;
    }
    c->factor = (float)(255.0 / ((double)w->range[1] - (double)w->range[0]));
    if (!gy_is_finite(w->range[0]) || !gy_is_finite(w->range[1]) || !gy_is_finite(c->factor) ||
        !(c->factor > 0.0f)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "copy: %s: bytes stand for numbers from %g to %g, expected two finite "
                         "ones, the greater last",
                         name, (double)w->range[0], (double)w->range[1]);
    }
    return GYRE_OK;
}

/// What every component has.
static void samples_of(const job *c, int n[3])
{
    for (int q = 0; q < c->components; q++) {
        int own[3];
        const gyre_model *m = c->model;
        gyre_location location = m->fields[c->fields[q]].location;
        gyre_grid_samples(m->grid, c->what.centred ? GYRE_CENTRE : location, own);
        for (int a = 0; a < 3; a++) {
            n[a] = q ? GY_MIN(n[a], own[a]) : own[a];
        }
    }
}

static gyre_result check_box(const char *name, job *c)
{
    gyre_copy *w = &c->what;
    int n[3];
    samples_of(c, n);
    for (int a = 0; a < 3; a++) {
        if (w->low[a] < 0 || w->low[a] >= n[a] || w->size[a] < 0 || w->size[a] > n[a] - w->low[a]) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "copy: %s: %d samples from %d on along %c, where there are %d", name,
                             w->size[a], w->low[a], 'x' + a, n[a]);
        }
        w->size[a] = w->size[a] ? w->size[a] : n[a] - w->low[a];
    }
    return GYRE_OK;
}

/// Fills strides in; no sample may lie on another, nor beyond the end.
static gyre_result check_room(const char *name, job *c)
{
    gyre_copy *w = &c->what;
    size_t sample = (size_t)c->sample, components = (size_t)c->components;
    size_t *stride[4] = {&w->component_stride, &w->stride[0], &w->stride[1], &w->stride[2]};
    const size_t count[4] = {components, (size_t)w->size[0], (size_t)w->size[1],
                             (size_t)w->size[2]};
    w->component_stride = w->component_stride ? w->component_stride : sample;
    // Components lie together, or each is a block of its own.
    size_t tight = w->component_stride == sample ? components * sample : sample;
    for (int a = 0; a < 3; a++) {
        w->stride[a] = w->stride[a] ? w->stride[a] : tight;
        // One that is so large does not fit, whatever it is.
        tight = w->stride[a] < w->bytes ? w->stride[a] * (size_t)w->size[a] : SIZE_MAX;
    }
    // From the least step to the greatest.
    bool taken[4] = {false}, fits = sample <= w->bytes;
    size_t span = sample;
    for (int turn = 0; turn < 4 && fits; turn++) {
        int least = -1;
        for (int s = 0; s < 4; s++) {
            bool less = least < 0 || *stride[s] < *stride[least];
            least = !taken[s] && count[s] > 1 && less ? s : least;
        }
        if (least < 0) {
            break;
        }
        taken[least] = true;
        if (*stride[least] < span) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "copy: %s: a stride of %zu bytes, where what lies within takes %zu",
                             name, *stride[least], span);
        }
        fits = *stride[least] <= (w->bytes - span) / (count[least] - 1);
        span += fits ? *stride[least] * (count[least] - 1) : 0;
    }
    if (!fits) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "copy: %s: %zu bytes have no room for %d x %d x %d samples of %d bytes "
                         "with these strides",
                         name, w->bytes, w->size[0], w->size[1], w->size[2],
                         c->sample * c->components);
    }
    return GYRE_OK;
}

static bool is_open(const gyre_model *model, int field)
{
    return model->open >> field & 1u;
}

/// The rules of gyre_model_map(), but that of a window that is open its samples count.
static gyre_result may_copy(const gyre_model *model, int field)
{
    const char *name = model->fields[field].name;
    if (is_open(model, field) || !model->fields[field].derived) {
        return GYRE_OK;
    }
    if (model->derived >= 0) {
        return gyre_fail(GYRE_ERROR_STATE, "copy: %s: unmap %s first", name,
                         model->fields[model->derived].name);
    }
    return gy_model_whole(model, name);
}

static gyre_result copy_component(job *c, int component)
{
    gyre_model *model = c->model;
    int field = c->fields[component];
    bool derived = model->fields[field].derived, open = is_open(model, field);
    gyre_location location = model->fields[field].location;
    c->field = field;
    c->to = (char *)c->what.to + (size_t)component * c->what.component_stride;
    c->axis = c->what.centred && location != GYRE_CENTRE ? (int)location - GYRE_FACE_X : -1;
    c->plain =
        c->axis < 0 && c->what.format == GYRE_COPY_FLOAT && c->what.stride[0] == sizeof(float);
    c->rows = model->type->read_row && !derived && !open;
    if (derived && !open) {
        gyre_result made = gy_model_fresh(model);
        made = made == GYRE_OK ? gy_model_derive(model, field) : made;
        if (made != GYRE_OK) {
            return made;
        }
    }
    gy_model_window(model, field, &c->view);
    c->whole = c->plain && c->rows && c->what.size[0] == c->view.n[0];
    gyre_result r = gy_device_status(model->device);
    if (r != GYRE_OK) {
        return r;
    }
    int64_t rows = (int64_t)c->what.size[1] * c->what.size[2];
    c->tasks = (int)GY_MIN(rows, GY_MAX(rows * c->what.size[0] / PIECE, 1));
    if (c->tasks > 1) {
        gyre_device_parallel_for(model->device, c->tasks, copy_piece, c);
    } else {
        copy_piece(c, 0);
    }
    return GYRE_OK;
}

static gyre_result prepare(job *c)
{
    const gyre_model *model = c->model;
    const char *name = c->what.vector;
    if (name) {
        c->components = gy_model_vector("copy", model, name, c->fields);
        if (c->components == 0) {
            return GYRE_ERROR_ARGUMENT;
        }
    } else if (gy_model_check_field("copy", model, c->what.field) == GYRE_OK) {
        c->components = 1;
        c->fields[0] = c->what.field;
        name = model->fields[c->what.field].name;
    } else {
        return GYRE_ERROR_ARGUMENT;
    }
    for (int q = 0; q < c->components; q++) {
        if (c->what.centred && model->fields[c->fields[q]].location == GYRE_NODE) {
            return gyre_fail(GYRE_ERROR_UNSUPPORTED, "copy: %s: lies at nodes; copy it as it lies",
                             name);
        }
    }
    gyre_result r = check_format(name, c);
    r = r == GYRE_OK ? check_box(name, c) : r;
    return r == GYRE_OK ? check_room(name, c) : r;
}

static gyre_result run(job *c)
{
    gyre_result r = gy_device_status(c->model->device);
    for (int q = 0; q < c->components && r == GYRE_OK; q++) {
        r = may_copy(c->model, c->fields[q]);
    }
    for (int q = 0; q < c->components && r == GYRE_OK; q++) {
        int field = c->fields[q];
        bool made = c->model->fields[field].derived && !is_open(c->model, field);
        r = made && c->model->type->map ? c->model->type->map(c->model, field) : GYRE_OK;
    }
    for (int q = 0; q < c->components && r == GYRE_OK; q++) {
        r = copy_component(c, q);
    }
    return r;
}

gyre_result gyre_model_copy_sized(gyre_model *model, const gyre_copy *what, size_t size)
{
    job c = {.model = model};
    if (GY_MISSING("copy", model) || GY_MISSING("copy", what)) {
        return GYRE_ERROR_ARGUMENT;
    }
    for (size_t b = sizeof c.what; b < size; b++) {
        if (((const unsigned char *)what)[b]) {
            return gyre_fail(GYRE_ERROR_ARGUMENT, "copy: gyre %s does not know all that is asked",
                             gyre_version());
        }
    }
    gy_copy_sized(&c.what, sizeof c.what, what, size);
    const void *to = c.what.to;
    if (GY_MISSING("copy", to)) {
        return GYRE_ERROR_ARGUMENT;
    }
    gyre_result r = prepare(&c);
    if (r == GYRE_OK) {
        gy_device_enter(model->device);
        r = run(&c);
        gy_device_leave(model->device);
    }
    return r;
}
