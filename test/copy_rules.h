// test/copy_rules.h: what gyre_model_copy and the probes answer, against windows (gyre_model_map)
// on the same field, of any model on any device.
#ifndef GYRE_TEST_COPY_RULES_H
#define GYRE_TEST_COPY_RULES_H

#include "window_rules.h"

#include <math.h>
#include <stdio.h>

enum { COPY_GUARD = 0xa5 };

/// A field's samples, one after the other, as its window shows them.
typedef struct copy_field {
    float *at;
    int n[3];
    gyre_location location;
} copy_field;

static inline copy_field copy_mapped(gyre_model *model, int field)
{
    gyre_field_view v;
    copy_field f;
    window_ok(gyre_model_map(model, field, GYRE_READ, &v));
    memcpy(f.n, v.n, sizeof f.n);
    f.location = v.location;
    float *to = f.at = malloc(sizeof(float) * (size_t)(v.n[0] * v.n[1] * v.n[2]));
    assert_non_null(to);
    for (int k = 0; k < v.n[2]; k++) {
        for (int j = 0; j < v.n[1]; j++, to += v.n[0]) {
            memcpy(to, v.data + j * v.stride[1] + k * v.stride[2], sizeof(float) * (size_t)v.n[0]);
        }
    }
    window_ok(gyre_model_unmap(model, field));
    return f;
}

/// What sample (i, j, k) is to be, before its format.
static inline float copy_wanted(const copy_field *f, bool centred, int i, int j, int k)
{
    const int step[3] = {1, f->n[0], f->n[0] * f->n[1]};
    const float *at = f->at + i + j * step[1] + k * step[2];
    int axis = (int)f->location - (int)GYRE_FACE_X;
    return centred && axis >= 0 && axis < 3
               ? (float)(0.5 * ((double)at[0] + (double)at[step[axis]]))
               : *at;
}

/// The nearest number of 11 bits, and of no more bits than 2^-24.
static inline double copy_half(double x)
{
    int exponent;
    double size = fmin(fabs(x), 65504.0);
    frexp(size, &exponent);
    double last = ldexp(1.0, exponent - 11 < -24 ? -24 : exponent - 11);
    return copysign(rint(size / last) * last, x);
}

static inline double copy_number(uint16_t half)
{
    int exponent = half >> 10 & 31, rest = half & 1023;
    double size = exponent == 31  ? (rest ? (double)NAN : (double)INFINITY)
                  : exponent == 0 ? ldexp(rest, -24)
                                  : ldexp(1024 + rest, exponent - 25);
    return half >> 15 ? -size : size;
}

/// Whether what was copied is what it is to be.
static inline void copy_compare(const gyre_copy *what, const char *name, const char *got, float x)
{
    if (what->format == GYRE_COPY_FLOAT) {
        if (memcmp(got, &x, sizeof x) != 0) {
            float y;
            memcpy(&y, got, sizeof y);
            fail_msg("%s: %.9g, expected %.9g", name, (double)y, (double)x);
        }
    } else if (what->format == GYRE_COPY_HALF) {
        uint16_t half;
        memcpy(&half, got, sizeof half);
        double y = copy_number(half), wanted = copy_half((double)x);
        bool right = isnan(x) ? isnan(y) : y == wanted && !signbit(y) == !signbit(x);
        if (!right) {
            fail_msg("%s: half %.9g of %.9g, expected %.9g", name, y, (double)x, wanted);
        }
    } else {
        double low = (double)what->range[0], high = (double)what->range[1];
        double t = isnan(x) ? 0.0 : fmin(fmax(((double)x - low) / (high - low), 0.0), 1.0) * 255.0;
        double y = *(const unsigned char *)got;
        if (fabs(y - t) > 0.5 + 1e-4) {
            fail_msg("%s: byte %g of %.9g, expected %g", name, y, (double)x, t);
        }
    }
}

/// Copies, looks at each sample, and that all other bytes are as they were. The strides of `what`
/// are given; `fields` are its components.
static inline void copy_check(gyre_model *model, gyre_copy what, const copy_field *fields,
                              int components, const char *name)
{
    static const size_t bytes_of[3] = {4, 2, 1};
    size_t sample = bytes_of[what.format];
    char *memory = malloc(what.bytes + 64);
    assert_non_null(memory);
    memset(memory, COPY_GUARD, what.bytes + 64);
    what.to = memory + 32;
    window_ok(gyre_model_copy(model, &what));
    for (int k = 0; k < what.size[2]; k++) {
        for (int j = 0; j < what.size[1]; j++) {
            for (int i = 0; i < what.size[0]; i++) {
                for (int c = 0; c < components; c++) {
                    char *at = (char *)what.to + (size_t)i * what.stride[0] +
                               (size_t)j * what.stride[1] + (size_t)k * what.stride[2] +
                               (size_t)c * what.component_stride;
                    float x = copy_wanted(&fields[c], what.centred, i + what.low[0],
                                          j + what.low[1], k + what.low[2]);
                    copy_compare(&what, name, at, x);
                    memset(at, COPY_GUARD, sample);
                }
            }
        }
    }
    for (size_t b = 0; b < what.bytes + 64; b++) {
        if ((unsigned char)memory[b] != COPY_GUARD) {
            fail_msg("%s: byte %zu was written, and is no sample's", name, b);
        }
    }
    free(memory);
}

/// Samples along each axis that each of the components has.
static inline void copy_common(const copy_field *fields, int components, const gyre_grid *grid,
                               bool centred, int n[3])
{
    for (int a = 0; a < 3; a++) {
        n[a] = centred ? grid->n[a] : fields[0].n[a];
        for (int c = 1; c < components && !centred; c++) {
            n[a] = n[a] < fields[c].n[a] ? n[a] : fields[c].n[a];
        }
    }
}

/// The whole without gaps, by defaults; a box with gaps; components apart; from an odd address.
static inline void copy_shapes(gyre_model *model, gyre_copy what, const copy_field *fields,
                               int components, const char *name)
{
    static const size_t bytes_of[3] = {4, 2, 1};
    size_t sample = bytes_of[what.format];
    int n[3];
    copy_common(fields, components, gyre_model_grid(model), what.centred, n);
    size_t count = (size_t)n[0] * (size_t)n[1] * (size_t)n[2] * (size_t)components;
    // By defaults, into as many bytes as are needed, beside what they stand for.
    char *plain = malloc(count * sample), *spelt = malloc(count * sample);
    assert_true(plain && spelt);
    gyre_copy whole = what;
    whole.to = plain;
    whole.bytes = count * sample;
    window_ok(gyre_model_copy(model, &whole));
    whole.to = spelt;
    memcpy(whole.size, n, sizeof n);
    whole.component_stride = sample;
    whole.stride[0] = sample * (size_t)components;
    whole.stride[1] = whole.stride[0] * (size_t)n[0];
    whole.stride[2] = whole.stride[1] * (size_t)n[1];
    window_ok(gyre_model_copy(model, &whole));
    assert_memory_equal(plain, spelt, whole.bytes);
    whole.bytes--;
    assert_int_equal(gyre_model_copy(model, &whole), GYRE_ERROR_ARGUMENT);
    whole.bytes++;
    free(plain);
    free(spelt);
    copy_check(model, whole, fields, components, name);
    // A box, its rows apart, from z to x, and with gaps: of what lies furthest apart the next lies
    // within.
    for (int turn = 0; turn < 2; turn++) {
        gyre_copy box = what;
        for (int a = 0; a < 3; a++) {
            box.low[a] = n[a] / 3;
            box.size[a] = n[a] - box.low[a] - n[a] / 5;
        }
        size_t inner = sample + 1;
        box.component_stride = inner;
        inner = inner * (size_t)components + 2;
        for (int q = 0; q < 3; q++) {
            int a = turn ? 2 - q : q;
            box.stride[a] = inner;
            inner = inner * (size_t)box.size[a] + 5;
        }
        if (turn) {
            box.component_stride = inner; // each a block of its own
            inner *= (size_t)components;
        }
        box.bytes = inner;
        copy_check(model, box, fields, components, name);
    }
}

static inline void copy_formats(gyre_model *model, gyre_copy what, const copy_field *fields,
                                int components, const char *name)
{
    what.range[0] = -0.3f;
    what.range[1] = 0.9f;
    for (int format = GYRE_COPY_FLOAT; format <= GYRE_COPY_BYTE; format++) {
        for (int centred = 0; centred < 2; centred++) {
            what.format = format;
            what.centred = centred;
            copy_shapes(model, what, fields, components, name);
        }
    }
}

/// Whether what is beyond a side is what the other begins with.
static inline bool copy_wraps(const gyre_model *model, int axis)
{
    char path[] = "sides.x_low.rule";
    gyre_value rule;
    path[6] = (char)('x' + axis);
    return axis < gyre_model_grid(model)->dim && gyre_model_get(model, path, &rule) == GYRE_OK &&
           strcmp(rule.string, "periodic") == 0;
}

static inline double copy_linear(const gyre_model *model, const copy_field *f, const float *point)
{
    const gyre_grid *grid = gyre_model_grid(model);
    double w[3], sum = 0.0;
    int low[3], high[3];
    for (int a = 0; a < 3; a++) {
        bool face = (int)f->location == (int)GYRE_FACE_X + a;
        double x = a < grid->dim ? ((double)point[a] - (double)grid->origin[a]) / (double)grid->h -
                                       (face ? 0.0 : 0.5)
                                 : 0.0;
        if (copy_wraps(model, a)) {
            x -= floor(x / grid->n[a]) * grid->n[a];
            low[a] = (int)x % grid->n[a];
            high[a] = (low[a] + 1) % grid->n[a];
        } else {
            x = fmin(fmax(x, 0.0), f->n[a] - 1);
            low[a] = (int)x < f->n[a] - 1 ? (int)x : f->n[a] > 1 ? f->n[a] - 2 : 0;
            high[a] = low[a] + 1;
        }
        w[a] = x - low[a];
    }
    for (int c = 0; c < 8; c++) {
        int at[3];
        double weight = 1.0;
        for (int a = 0; a < 3; a++) {
            at[a] = c >> a & 1 ? high[a] : low[a];
            weight *= c >> a & 1 ? w[a] : 1.0 - w[a];
        }
        if (weight > 0.0) {
            sum += weight * (double)f->at[at[0] + f->n[0] * (at[1] + f->n[1] * at[2])];
        }
    }
    return sum;
}

enum { COPY_POINTS = 60 };

static inline void copy_points(const gyre_grid *grid, float *points)
{
    uint32_t z = 1;
    for (int p = 0; p < 3 * COPY_POINTS; p++) {
        int a = p % 3;
        float width = grid->h * (float)grid->n[a];
        z = z * 1664525u + 1013904223u;
        points[p] = grid->origin[a] + width * (1.4f * (float)(z >> 8) / 16777216.0f - 0.2f);
    }
}

/// A field's probes without a map, where there are any, and with one.
static inline void copy_probe(gyre_model *model, int field, const copy_field *f)
{
    const gyre_field_info *info = &gyre_model_fields(model, &(int){0})[field];
    bool water = strcmp(gyre_model_type(model), "water") == 0;
    float points[3 * COPY_POINTS], value[COPY_POINTS], mapped[COPY_POINTS];
    gyre_field_view v;
    copy_points(gyre_model_grid(model), points);
    if (info->derived && !water) {
        window_state(gyre_model_probe(model, field, points, COPY_POINTS, value), info->name);
        return;
    }
    window_ok(gyre_model_probe(model, field, points, COPY_POINTS, value));
    window_ok(gyre_model_map(model, field, GYRE_READ, &v));
    window_ok(gyre_model_probe(model, field, points, COPY_POINTS, mapped));
    window_ok(gyre_model_unmap(model, field));
    assert_memory_equal(value, mapped, sizeof value);
    for (int p = 0; p < COPY_POINTS; p++) {
        double wanted = copy_linear(model, f, points + 3 * p);
        if (fabs((double)value[p] - wanted) > 1e-4 * (1.0 + fabs(wanted))) {
            fail_msg("%s: %.9g, expected %.9g", info->name, (double)value[p], wanted);
        }
    }
}

static inline void copy_vector(gyre_model *model, const char *stem)
{
    copy_field fields[3];
    char name[80];
    float points[3 * COPY_POINTS], value[3 * COPY_POINTS];
    int components = 0, dim = gyre_model_grid(model)->dim;
    while (components < dim) {
        snprintf(name, sizeof name, "%s_%c", stem, 'x' + components);
        fields[components++] = copy_mapped(model, gyre_model_field(model, name));
    }
    copy_formats(model, (gyre_copy){.vector = stem}, fields, components, stem);
    // Of derived fields one at a time is made: they cannot be probed together.
    int count, first = gyre_model_field(model, name);
    bool derived = gyre_model_fields(model, &count)[first].derived;
    copy_points(gyre_model_grid(model), points);
    memset(value, COPY_GUARD, sizeof value);
    if (!derived) {
        window_ok(gyre_model_probe_vector(model, stem, points, COPY_POINTS, value));
    }
    for (int p = 0; p < 3 * COPY_POINTS && !derived; p++) {
        int c = p % 3;
        double wanted = c < components ? copy_linear(model, &fields[c], points + p - c) : 0.0;
        if (fabs((double)value[p] - wanted) > 1e-4 * fabs(wanted) + (c < components ? 1e-4 : 0.0)) {
            fail_msg("%s: %.9g, expected %.9g", stem, (double)value[p], wanted);
        }
    }
    for (int c = 0; c < components; c++) {
        free(fields[c].at);
    }
}

/// Of a window that is open its samples count; nothing can be made of what is being written.
static inline void copy_windows(gyre_model *model)
{
    int count, derived = -1;
    const gyre_field_info *info = gyre_model_fields(model, &count);
    gyre_field_view v;
    float value;
    gyre_copy one = {.to = &value, .bytes = sizeof value, .low = {2, 1, 0}, .size = {1, 1, 1}};
    for (int f = 0; f < count; f++) {
        derived = info[f].derived ? f : derived;
        one.field = f;
        window_ok(gyre_model_map(model, f, GYRE_READ, &v));
        window_ok(gyre_model_copy(model, &one));
        assert_true(value == v.data[2 + v.stride[1]]);
        if (info[f].derived && f > 0 && info[f - 1].derived) {
            one.field = f - 1;
            window_state(gyre_model_copy(model, &one), info[f].name);
        }
        window_ok(gyre_model_unmap(model, f));
    }
    assert_true(derived > 0);
    one.field = 0;
    window_ok(gyre_model_map(model, 0, GYRE_WRITE, &v));
    float old = v.data[2 + v.stride[1]];
    v.data[2 + v.stride[1]] = 123.5f;
    window_ok(gyre_model_copy(model, &one));
    assert_true(value == 123.5f);
    one.field = 1;
    if (!info[1].derived) {
        window_ok(gyre_model_copy(model, &one));
    }
    one.field = derived;
    window_state(gyre_model_copy(model, &one), info[0].name);
    v.data[2 + v.stride[1]] = old;
    window_ok(gyre_model_unmap(model, 0));
}

/// The model has moved. Hashes are asked for where `hashed`: they are a promise of processors.
static inline void copy_rules(gyre_model *model, bool hashed)
{
    int count, vectors = 0;
    const gyre_field_info *info = gyre_model_fields(model, &count);
    uint64_t hash = hashed ? gyre_model_hash(model) : 0;
    for (int f = 0; f < count; f++) {
        size_t length = strlen(info[f].name);
        copy_field field = copy_mapped(model, f);
        copy_formats(model, (gyre_copy){.field = f}, &field, 1, info[f].name);
        copy_probe(model, f, &field);
        free(field.at);
        if (strcmp(info[f].name + length - 2, "_x") == 0) {
            char stem[64];
            snprintf(stem, sizeof stem, "%.*s", (int)length - 2, info[f].name);
            copy_vector(model, stem);
            vectors++;
        }
    }
    copy_windows(model);
    assert_true(vectors > 0);
    assert_true(!hashed || gyre_model_hash(model) == hash);
}

#endif
