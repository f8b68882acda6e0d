// water/dispersive_parts.c: waters that walls and land part from each other, in mode dispersive.
//
// Transforms know no walls: what a wave presses below reaches about a depth far, through a dam. So
// the water is parted into what hangs together by open faces. Waters without waves take no part, to
// the bit; those that have some are transformed apart from each other, each pushing itself alone.
// Waters that are more than two depths apart, which do not feel each other, go together, and so do
// those beyond the first few.
//
// Runs of open faces along rows, joined with the row below through open faces by union and find,
// the least number leading: one pass over the cells, by one thread, and none where no face is shut.
#include "water/dispersive_parts.h"
#include "water/water.h"

typedef struct box {
    int low[2], high[2];
    int group; // -1: no waves
} box;

static int root_of(int32_t *up, int k)
{
    while (up[k] != k) {
        up[k] = up[up[k]];
        k = up[k];
    }
    return k;
}

static void unite(int32_t *up, int a, int b)
{
    a = root_of(up, a);
    b = root_of(up, b);
    up[GY_MAX(a, b)] = GY_MIN(a, b);
}

/// Whether any face within is shut.
static bool parted(const gy_dispersive *d)
{
    for (int j = 0; j < d->n[1]; j++) {
        const float *x = d->width[0] + (ptrdiff_t)j * d->stride;
        const float *y = d->width[1] + (ptrdiff_t)j * d->stride;
        int shut = 0;
        for (int i = 1; i < d->n[0]; i++) {
            shut |= x[i] < 0.0f;
        }
        for (int i = 0; i < d->n[0] && j > 0; i++) {
            shut |= y[i] < 0.0f;
        }
        if (shut) {
            return true;
        }
    }
    return false;
}

/// The number of each cell's run in `run` (-1: dry), and runs joined in `up`. Returns how many.
static int find_runs(const gy_dispersive *d, int32_t *run, int32_t *up)
{
    int runs = 0;
    for (int j = 0; j < d->n[1]; j++) {
        ptrdiff_t row = (ptrdiff_t)j * d->stride;
        const float *x = d->width[0] + row, *y = d->width[1] + row;
        int a = -1, b = -1;
        for (int i = 0; i < d->n[0]; i++) {
            if (!(d->depth[row + i] >= d->dry)) {
                run[row + i] = -1;
                continue;
            }
            if (i == 0 || !(x[i] > 0.0f) || run[row + i - 1] < 0) {
                up[runs] = runs;
                runs++;
            }
            run[row + i] = runs - 1;
            int below = j > 0 ? run[row - d->stride + i] : -1;
            if (below >= 0 && y[i] > 0.0f && (a != runs - 1 || b != below)) {
                a = runs - 1;
                b = below;
                unite(up, a, b);
            }
        }
        int last = run[row + d->n[0] - 1];
        if (d->end[0][0] == GY_END_PERIODIC && x[0] > 0.0f && last >= 0 && run[row] >= 0) {
            unite(up, run[row], last);
        }
    }
    ptrdiff_t top = (ptrdiff_t)(d->n[1] - 1) * d->stride;
    for (int i = 0; i < d->n[0] && d->end[1][0] == GY_END_PERIODIC; i++) {
        if (d->width[1][i] > 0.0f && run[i] >= 0 && run[top + i] >= 0) {
            unite(up, run[i], run[top + i]);
        }
    }
    return runs;
}

static bool near(const gy_dispersive *d, const box *a, const box *b, int reach)
{
    for (int q = 0; q < 2; q++) {
        int off = GY_MAX(a->low[q] - b->high[q], b->low[q] - a->high[q]);
        if (d->end[q][0] == GY_END_PERIODIC) {
            int round = d->n[q] - (GY_MAX(a->high[q], b->high[q]) - GY_MIN(a->low[q], b->low[q]));
            off = GY_MIN(off, round);
        }
        if (off > reach) {
            return false;
        }
    }
    return true;
}

/// Parts with waves, numbered 0, 1, ... in `up` of their first runs' (others -1); their boxes.
static int find_parts(const gy_dispersive *d, const int32_t *run, int32_t *up, int runs,
                      float least, box *boxes)
{
    int parts = 0;
    for (int k = 0; k < runs; k++) { // now each tells its part's first run at once
        up[k] = root_of(up, k);
    }
    // Below 0: -1 no waves, -2 - p those of part p.
    for (int j = 0; j < d->n[1]; j++) {
        ptrdiff_t row = (ptrdiff_t)j * d->stride;
        for (int i = 0; i < d->n[0]; i++) {
            ptrdiff_t at = row + i;
            float wave = GY_MAX(d->rest[at], -d->rest[at]);
            wave =
                GY_MAX(wave, GY_MAX(GY_MAX(d->tx[at], -d->tx[at]), GY_MAX(d->ty[at], -d->ty[at])));
            if (run[at] < 0 || !(wave > least)) {
                continue;
            }
            int first = run[at];
            first = up[first] >= 0 ? up[first] : first;
            if (up[first] >= 0) {
                int part = GY_MIN(parts, GY_DISPERSIVE_PARTS - 1);
                up[first] = -2 - part;
                if (part == parts) {
                    boxes[parts++] = (box){{i, j}, {i, j}, -1};
                }
            }
            box *b = boxes + (-2 - up[first]);
            b->low[0] = GY_MIN(b->low[0], i);
            b->high[0] = GY_MAX(b->high[0], i);
            b->low[1] = GY_MIN(b->low[1], j);
            b->high[1] = GY_MAX(b->high[1], j);
        }
    }
    return parts;
}

int gy_dispersive_find_parts(const gy_dispersive *d)
{
    box boxes[GY_DISPERSIVE_PARTS];
    if (!parted(d)) {
        return 0;
    }
    // The answers' arrays are free as yet.
    int32_t *run = (int32_t *)(void *)d->out_re, *up = (int32_t *)(void *)d->out_im;
    float high = 0.0f;
    for (int j = 0; j < d->n[1]; j++) {
        high = GY_MAX(high, d->row_high[j]);
    }
    int runs = find_runs(d, run, up), groups = 0,
        reach = (int)GY_MIN(2.0f * high / d->h + 3.0f, 1e6f);
    int parts = find_parts(d, run, up, runs, 2e-6f * high, boxes);
    for (int p = 0; p < parts; p++) {
        bool taken[GY_DISPERSIVE_PARTS] = {false};
        for (int q = 0; q < p; q++) {
            taken[boxes[q].group] = taken[boxes[q].group] || near(d, boxes + p, boxes + q, reach);
        }
        int group = 0;
        while (group < GY_DISPERSIVE_GROUPS - 1 && taken[group]) {
            group++;
        }
        boxes[p].group = group;
        groups = GY_MAX(groups, group + 1);
    }
    for (int j = 0; j < d->n[1]; j++) {
        ptrdiff_t row = (ptrdiff_t)j * d->stride;
        for (int i = 0; i < d->n[0]; i++) {
            int first = run[row + i];
            first = first >= 0 && up[first] >= 0 ? up[first] : first;
            int part = first >= 0 && up[first] < -1 ? boxes[-2 - up[first]].group : -1;
            d->part[row + i] = (float)part;
        }
    }
    return groups > 0 ? groups : 1;
}
