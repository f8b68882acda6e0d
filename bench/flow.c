// A broad-band, divergence-free velocity: the discrete curl of a vector potential that is a sum of
// products of sines, zero on the walls.
#include "bench/parts.h"

#include <math.h>
#include <string.h>

static uint32_t random_state;

static double random_unit(void)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) * 0x1p-24;
}

bench_flow bench_flow_make(int dim, int n)
{
    bench_flow f = {.dim = dim, .n = n};
    random_state = 2003;
    double pi = 3.14159265358979, most = n / 6.0, energy = 0;
    for (int a = 0; a < 3; a++) {
        f.node[a] = bench_allocate(sizeof(float) * BENCH_MODES * (size_t)(n + 1));
        f.centre[a] = bench_allocate(sizeof(float) * BENCH_MODES * (size_t)n);
    }
    for (int m = 0; m < BENCH_MODES; m++) {
        // Half waves along each axis, from a random direction of a length that grows evenly in log.
        double k = 4 * pow(2 * most / 4, (m + 0.5) / BENCH_MODES), length = 0, way[3] = {0, 0, 0};
        for (int a = 0; a < dim; a++) {
            way[a] = 0.1 + random_unit();
            length += way[a] * way[a];
        }
        for (int a = 0; a < dim; a++) {
            double waves = fmax(1, floor(k * way[a] / sqrt(length) + 0.5));
            float *node = f.node[a] + (ptrdiff_t)m * (n + 1),
                  *centre = f.centre[a] + (ptrdiff_t)m * n;
            for (int i = 0; i <= n; i++)
                node[i] = (float)sin(pi * waves * i / n);
            node[0] = node[n] = 0;
            for (int i = 0; i < n; i++)
                centre[i] = (float)sin(pi * waves * (i + 0.5) / n);
        }
        // Velocity goes as k^-1/3 per step in log k, the potential as that over k.
        double speed = pow(k, -1.0 / 3);
        energy += speed * speed;
        for (int a = 0; a < 3; a++)
            f.amplitude[a][m] = (float)(speed / (pi * k) * (random_unit() < 0.5 ? -1 : 1));
    }
    f.scale = (float)(0.5 / sqrt(energy));
    return f;
}

void bench_flow_free(bench_flow *f)
{
    for (int a = 0; a < 3; a++) {
        bench_release(f->node[a]);
        bench_release(f->centre[a]);
    }
}

static void add_row(float *out, int n, const float *along, float amount)
{
    for (int i = 0; i < n; i++)
        out[i] += amount * along[i];
}

/// u = curl A: along x at axis 0 (A at nodes), differences along x otherwise.
void bench_flow_row(const bench_flow *f, int axis, int j, int k, float *out)
{
    int n = f->n, count = n + (axis == 0), at[3] = {0, j, k};
    float slope[4096];
    memset(out, 0, sizeof(float) * (size_t)count);
    for (int m = 0; m < BENCH_MODES; m++) {
        const float *node[3], *centre[3];
        for (int a = 0; a < 3; a++) {
            node[a] = f->node[a] + (ptrdiff_t)m * (n + 1);
            centre[a] = f->centre[a] + (ptrdiff_t)m * n;
        }
        // component `axis` = d A_c / d b - d A_b / d c
        int b = (axis + 1) % 3, c = (axis + 2) % 3;
        for (int term = 0; term < 2; term++) {
            int by = term ? c : b, of = term ? b : c;
            if (f->dim == 2 && of != 2)
                continue; // in 2D the potential has a z component only
            float amount = (term ? -f->scale : f->scale) * f->amplitude[of][m];
            // `of` lies at centres, the two others at nodes; `by` is differenced.
            for (int a = 1; a < f->dim; a++) {
                if (a == by)
                    amount *= (node[a][at[a] + 1] - node[a][at[a]]) * (float)n;
                else
                    amount *= (a == of ? centre : node)[a][at[a]];
            }
            if (by == 0) {
                for (int i = 0; i < n; i++)
                    slope[i] = (node[0][i + 1] - node[0][i]) * (float)n;
                add_row(out, n, slope, amount);
            } else {
                add_row(out, count, of == 0 ? centre[0] : node[0], amount);
            }
        }
    }
}

void bench_scalar_row(const bench_flow *f, int j, int k, float *out)
{
    int m = BENCH_MODES / 4;
    const float *x = f->centre[0] + (ptrdiff_t)m * f->n, *y = f->centre[1] + (ptrdiff_t)m * f->n;
    float z = f->dim == 3 ? f->centre[2][(ptrdiff_t)m * f->n + k] : 1;
    for (int i = 0; i < f->n; i++)
        out[i] = 0.5f + 0.5f * x[i] * y[j] * z;
}
