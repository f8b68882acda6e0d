// solve/mic.c: the modified incomplete Cholesky factorisation without fill, MIC(0), as a
// preconditioner: the yardstick of the literature (R. Bridson, Fluid Simulation for Computer
// Graphics, 2nd ed., 2015, section 5.5), on one thread, since each cell waits for those before it.
//
// A = D + L + L^T, cells in the order of memory: x, then y, then z. The factorisation is
// (E^-1 + L) E (E^-1 + L)^T with a diagonal E^-1 = e that makes its own diagonal that of A; of the
// fill that it leaves out, `tuning` is taken off the diagonal too, so that sums of rows nearly
// stay. Where e would fall below `safety` times the diagonal of A, it is that. Kept is
// g = 1 / sqrt(e). Faces that join the two ends of a periodic axis count in the diagonal of A
// alone, and coefficients towards cells held at 0 do.
//
// Two floats per cell; a factorisation is made when coefficients or the shift have changed.
#include "ops/system/level.h"
#include "solve/solvers.h"

#define TUNING 0.97f
#define SAFETY 0.25f

enum { ROWS = 5 }; // buffers of a row's length

/// What own[GY_OWN_FACTOR] starts with; g, q and the buffers follow, x fastest, without padding.
typedef struct mic_head {
    float shift; // of the factorisation; below 0: none yet
    float unused[15];
} mic_head;

typedef struct mic {
    gy_grid_level grid;
    mic_head *head;
    float *g, *q; // per cell; q: the vector on its way
    float *a[3];  // couplings of a row towards higher cells across x, y and z
    float *row[2];
} mic;

static size_t cells_of(const gy_level *l)
{
    return (size_t)l->n[0] * (size_t)l->n[1] * (size_t)l->n[2];
}

gyre_result gy_mic_prepare(gy_system *s)
{
    const gy_level *l = gy_system_level(s, 0);
    size_t floats = 2 * cells_of(l) + ROWS * (size_t)l->n[0];
    if (!gy_system_own(s, GY_OWN_FACTOR, sizeof(mic_head) + floats * sizeof(float))) {
        return GYRE_ERROR_MEMORY;
    }
    ((mic_head *)s->own[GY_OWN_FACTOR].data)->shift = -1.0f;
    return GYRE_OK;
}

static mic mic_of(const gy_system *s)
{
    mic m = {.grid = gy_grid_level_at(s->base, gy_system_offset(s, 0)),
             .head = s->own[GY_OWN_FACTOR].data};
    size_t n = (size_t)m.grid.l->n[0];
    m.g = (float *)(void *)(m.head + 1);
    m.q = m.g + cells_of(m.grid.l);
    float *rows = m.q + cells_of(m.grid.l);
    for (int r = 0; r < ROWS; r++) {
        *(r < 3 ? &m.a[r] : &m.row[r - 3]) = rows + (size_t)r * n;
    }
    return m;
}

/// The first cell of row (j, k) in g and q.
static size_t row_at(const mic *m, int j, int k)
{
    const int *n = m->grid.l->n;
    return (size_t)n[0] * ((size_t)j + (size_t)n[1] * (size_t)k);
}

/// The coefficients of the low or the high faces of a row of cells across an axis.
static void faces(const mic *m, int axis, int high, int j, int k, float *a)
{
    const gy_level *l = m->grid.l;
    float s = l->scale[axis] * (1.0f / GY_UNIT);
    int y = j + (axis == 1 && high), z = k + (axis == 2 && high);
    for (int p = 0; p < 2; p++) {
        int first = p + (axis == 0 && high);
        const uint16_t *face = m->grid.open[axis][(first + y + z) & 1];
        face += gy_level_row(l, y, z) + (first >> 1);
        for (int i = p; i < l->n[0]; i += 2) {
            a[i] = s * (float)face[i >> 1];
        }
    }
}

static bool pinned(const mic *m, int i, int j, int k)
{
    const uint16_t *pin = m->grid.pin[(i + j + k) & 1];
    return pin && pin[gy_level_row(m->grid.l, j, k) + (i >> 1)];
}

/// The couplings of a row's cells with the next along an axis; 0 where there is none.
static void couplings(const mic *m, int axis, int j, int k, float *a)
{
    const gy_level *l = m->grid.l;
    const int *n = l->n, at[3] = {0, j, k};
    if (axis >= l->dim || j < 0 || k < 0 || at[axis] + 1 >= n[axis]) {
        memset(a, 0, (size_t)n[0] * sizeof(float));
        return;
    }
    faces(m, axis, 1, j, k, a);
    if (axis == 0) {
        a[n[0] - 1] = 0.0f;
    }
    for (int i = 0; l->pin && i < n[0] - (axis == 0); i++) {
        if (pinned(m, i, j, k) || pinned(m, i + (axis == 0), j + (axis == 1), k + (axis == 2))) {
            a[i] = 0.0f;
        }
    }
}

static void all_couplings(const mic *m, int j, int k)
{
    for (int axis = 0; axis < 3; axis++) {
        couplings(m, axis, j, k, m->a[axis]);
    }
}

/// The diagonal of A, 0 where there is no unknown.
static void diagonal(const mic *m, int j, int k, float *d, float *face)
{
    const gy_level *l = m->grid.l;
    for (int i = 0; i < l->n[0]; i++) {
        d[i] = l->shift;
    }
    for (int f = 0; f < 2 * l->dim; f++) {
        faces(m, f / 2, f & 1, j, k, face);
        for (int i = 0; i < l->n[0]; i++) {
            d[i] += face[i];
        }
    }
    for (int i = 0; i < l->n[0]; i++) {
        d[i] = d[i] > 1e-20f && !pinned(m, i, j, k) ? d[i] : 0.0f;
    }
}

/// What a cell before this one along `axis` takes from its diagonal: the square of what couples
/// them, and the part of the fill that the factorisation leaves out.
static float taken(const mic *m, int axis, int i, float g)
{
    float a = m->a[axis][i], others = 0.0f;
    for (int other = 0; other < 3; other++) {
        others += other == axis ? 0.0f : m->a[other][i];
    }
    return a * (a + TUNING * others) * (g * g);
}

static void factor_row(const mic *m, int j, int k)
{
    int n = m->grid.l->n[0];
    float *g = m->g + row_at(m, j, k), *d = m->row[0], *e = m->row[1];
    diagonal(m, j, k, d, e);
    memcpy(e, d, (size_t)n * sizeof(float));
    for (int axis = 1; axis < 3; axis++) {
        int before[2] = {j - (axis == 1), k - (axis == 2)};
        if (before[0] < 0 || before[1] < 0) {
            continue;
        }
        const float *h = m->g + row_at(m, before[0], before[1]);
        all_couplings(m, before[0], before[1]);
        for (int i = 0; i < n; i++) {
            e[i] -= taken(m, axis, i, h[i]);
        }
    }
    all_couplings(m, j, k);
    for (int i = 0; i < n; i++) {
        float left = i > 0 ? e[i] - taken(m, 0, i - 1, g[i - 1]) : e[i];
        left = left < SAFETY * d[i] ? d[i] : left;
        g[i] = left > 0.0f ? 1.0f / __builtin_sqrtf(left) : 0.0f;
    }
}

static void factor(void *argument, int index)
{
    const mic *m = argument;
    const int *n = m->grid.l->n;
    (void)index;
    for (int k = 0; k < n[2]; k++) {
        for (int j = 0; j < n[1]; j++) {
            factor_row(m, j, k);
        }
    }
}

/// Of each cell in order: q = g (b + sum of a g q over the cells before it that a couples it with).
static void forward_row(const mic *m, int j, int k)
{
    const gy_level *l = m->grid.l;
    ptrdiff_t o = gy_level_row(l, j, k);
    size_t at = row_at(m, j, k), step[3] = {1, (size_t)l->n[0], row_at(m, 0, 1)};
    const float *g = m->g + at;
    float *q = m->q + at, *c = m->row[0];
    for (int p = 0; p < 2; p++) {
        const float *b = m->grid.b[(j + k + p) & 1] + o;
        for (int i = p; i < l->n[0]; i += 2) {
            q[i] = b[i >> 1];
        }
    }
    for (int axis = 1; axis < 3; axis++) {
        if ((axis == 1 ? j : k) > 0) {
            const float *a = m->a[axis], *h = g - step[axis], *before = q - step[axis];
            couplings(m, axis, j - (axis == 1), k - (axis == 2), m->a[axis]);
            for (int i = 0; i < l->n[0]; i++) {
                q[i] += a[i] * h[i] * before[i];
            }
        }
    }
    couplings(m, 0, j, k, m->a[0]);
    c[0] = 0.0f;
    for (int i = 1; i < l->n[0]; i++) {
        c[i] = m->a[0][i - 1] * g[i - 1] * g[i];
    }
    float last = 0.0f;
    for (int i = 0; i < l->n[0]; i++) {
        last = q[i] * g[i] + c[i] * last;
        q[i] = last;
    }
}

/// From the last cell to the first: q = g (q + g sum of a q over the cells after it); and into x.
static void back_row(const mic *m, int j, int k)
{
    const gy_level *l = m->grid.l;
    size_t at = row_at(m, j, k), step[3] = {1, (size_t)l->n[0], row_at(m, 0, 1)};
    const float *g = m->g + at;
    float *q = m->q + at, *c = m->row[0];
    all_couplings(m, j, k);
    for (int axis = 1; axis < l->dim; axis++) {
        if ((axis == 1 ? j : k) + 1 < l->n[axis]) {
            const float *a = m->a[axis], *after = q + step[axis];
            for (int i = 0; i < l->n[0]; i++) {
                q[i] += a[i] * g[i] * after[i];
            }
        }
    }
    for (int i = 0; i < l->n[0]; i++) {
        c[i] = m->a[0][i] * g[i] * g[i];
    }
    float last = 0.0f;
    for (int i = l->n[0] - 1; i >= 0; i--) {
        last = q[i] * g[i] + c[i] * last;
        q[i] = last;
    }
    for (int p = 0; p < 2; p++) {
        float *x = m->grid.x[(j + k + p) & 1] + gy_level_row(l, j, k);
        int cells = (l->n[0] - p + 1) / 2, slots = m->grid.groups * GY_GROUP;
        for (int i = 0; i < cells; i++) {
            x[i] = q[2 * i + p];
        }
        memset(x + cells, 0, (size_t)(slots - cells) * sizeof(float));
    }
}

static void solve(void *argument, int index)
{
    const mic *m = argument;
    const int *n = m->grid.l->n;
    (void)index;
    for (int k = 0; k < n[2]; k++) {
        for (int j = 0; j < n[1]; j++) {
            forward_row(m, j, k);
        }
    }
    for (int k = n[2] - 1; k >= 0; k--) {
        for (int j = n[1] - 1; j >= 0; j--) {
            back_row(m, j, k);
        }
    }
}

void gy_mic_apply(const gy_system *s)
{
    mic m = mic_of(s);
    if (m.head->shift != s->shift) {
        gyre_device_parallel_for(s->device, 1, factor, &m);
        m.head->shift = s->shift;
    }
    gyre_device_parallel_for(s->device, 1, solve, &m);
}
