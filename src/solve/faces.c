// solve/faces.c: see faces.h. Groups of 32 cells whose flag says that all their faces are open are
// not read; others cost about 0.3 ns a face.
#include "solve/faces.h"
#include "solve/solvers.h"

#include "device/device.h"

#include <string.h>

static size_t words_of(const gy_level *l)
{
    return (size_t)l->n[0] / 64 + 1;
}

/// Words of one of the arrays.
static size_t array_words(const gy_level *l)
{
    return (size_t)(l->n[1] + 1) * (size_t)(l->n[2] + 1) * words_of(l);
}

gy_face_bits gy_face_bits_of(const gy_level *l, void *memory)
{
    gy_face_bits f = {.dim = l->dim, .periodic = l->periodic, .words = (int)words_of(l)};
    memcpy(f.n, l->n, sizeof f.n);
    for (int a = 0; a < l->dim; a++) {
        f.open[a] = (uint64_t *)memory + (size_t)a * array_words(l);
    }
    f.fluid = (uint64_t *)memory + (size_t)l->dim * array_words(l);
    return f;
}

size_t gy_face_bits_bytes(const gy_level *l)
{
    return (size_t)(l->dim + 1) * array_words(l) * sizeof(uint64_t);
}

/// Bits 0 to 15: which of 16 coefficients are not 0.
static uint64_t sixteen(const uint16_t *open)
{
    uint64_t bits = 0;
    for (int q = 0; q < 4; q++) {
        uint64_t x;
        memcpy(&x, open + 4 * q, sizeof x);
        // The top bit of each of four: whether any bit of it is set. Then they are brought
        // together.
        x = (x | ((x & 0x7fff7fff7fff7fffu) + 0x7fff7fff7fff7fffu)) & 0x8000800080008000u;
        bits |= ((x >> 15) * 0x0001000200040008u >> 48 & 0xf) << (4 * q);
    }
    return bits;
}

/// Bits 0, 2, 4 ... from bits 0, 1, 2 ... of 16.
static uint64_t spread(uint64_t x)
{
    x = (x | x << 8) & 0x00ff00ffu;
    x = (x | x << 4) & 0x0f0f0f0fu;
    x = (x | x << 2) & 0x33333333u;
    return (x | x << 1) & 0x55555555u;
}

/// 32 faces across `axis` from group `group` on.
static uint64_t group_bits(const gy_grid_level *g, int axis, int group, int j, int k)
{
    ptrdiff_t o = gy_level_row(g->l, j, k) + group * GY_GROUP;
    int even = (j + k) & 1;
    return spread(sixteen(g->open[axis][even] + o)) | spread(sixteen(g->open[axis][1 - even] + o))
                                                          << 1;
}

typedef struct reading {
    const gy_grid_level *g;
    gy_face_bits *f;
} reading;

static void read_row(const reading *r, int axis, int j, int k)
{
    const gy_face_bits *f = r->f;
    const gy_grid_level *g = r->g;
    uint64_t *row = (uint64_t *)(uintptr_t)gy_face_bits_open(f, axis, j, k);
    // A row beyond the last has no flags of its own.
    const uint8_t *flags = j < f->n[1] && k < f->n[2] ? gy_level_flags(g, j, k) : NULL;
    // What lies in the pad counts for nothing.
    int last = f->n[0];
    for (int w = 0; w < f->words; w++) {
        uint64_t bits = 0;
        for (int half = 0; half < 2 && 2 * w + half < g->groups; half++) {
            int group = 2 * w + half;
            uint64_t some = flags && flags[group] ? 0xffffffffu : group_bits(g, axis, group, j, k);
            bits |= some << (32 * half);
        }
        row[w] = bits & gy_row_mask(last, w);
    }
    if (axis == 0 && *gy_coefficient(g, 0, last, j, k)) {
        row[last >> 6] |= (uint64_t)1 << (last & 63);
    }
}

static void read_plane(void *argument, int k)
{
    const reading *r = argument;
    const gy_face_bits *f = r->f;
    for (int a = 0; a < f->dim; a++) {
        for (int j = 0; j < f->n[1] + (a == 1) && (k < f->n[2] || a == 2); j++) {
            read_row(r, a, j, k);
        }
    }
}

static void fill_plane(void *argument, int k)
{
    const gy_face_bits *f = ((const reading *)argument)->f;
    for (int j = 0; j < f->n[1]; j++) {
        uint64_t *out = (uint64_t *)(uintptr_t)gy_face_bits_fluid(f, j, k);
        const uint64_t *x = gy_face_bits_open(f, 0, j, k), *y0 = gy_face_bits_open(f, 1, j, k),
                       *y1 = gy_face_bits_open(f, 1, j + 1, k);
        for (int w = 0; w < f->words; w++) {
            uint64_t next = w + 1 < f->words ? x[w + 1] : 0;
            uint64_t any = x[w] | x[w] >> 1 | next << 63 | y0[w] | y1[w];
            if (gy_is_3d(f->dim)) {
                any |= gy_face_bits_open(f, 2, j, k)[w] | gy_face_bits_open(f, 2, j, k + 1)[w];
            }
            out[w] = any & gy_row_mask(f->n[0], w);
        }
    }
}

gy_face_bits gy_face_bits_make(gyre_device *device, const gy_grid_level *g, void *memory)
{
    gy_face_bits f = gy_face_bits_of(g->l, memory);
    reading r = {g, &f};
    gyre_device_parallel_for(device, f.n[2] + gy_is_3d(f.dim), read_plane, &r);
    gyre_device_parallel_for(device, f.n[2], fill_plane, &r);
    return f;
}

bool gy_system_is_whole(const gy_system *s)
{
    gy_box box = gy_level_box(gy_system_level(s, 0));
    return s->box && (box.high[0] > 1 || box.high[1] > 1 || box.high[2] > 1);
}

bool gy_system_faces(const gy_system *s, gy_face_bits *faces)
{
    if (s->pin || gy_system_is_whole(s) || !s->own[GY_OWN_FACES].data) {
        return false;
    }
    *faces = gy_face_bits_of(gy_system_level(s, 0), s->own[GY_OWN_FACES].data);
    return true;
}

gyre_result gy_face_bits_update(gy_system *s)
{
    size_t bytes;
    if (s->pin || gy_system_is_whole(s)) {
        return GYRE_OK;
    }
    if (!gy_system_own(s, GY_OWN_FACES, gy_face_bits_bytes(gy_system_level(s, 0)))) {
        return GYRE_ERROR_MEMORY;
    }
    gy_grid_level g = gy_grid_level_at(s->base, gy_system_offset(s, 0));
    gy_system_flag_here(s, 0);
    gy_face_bits_make(s->device, &g, s->own[GY_OWN_FACES].data);
    gy_system_scratch(s, 0, &bytes);
    gy_system_scratch(s, 1, &bytes);
    return GYRE_OK;
}
