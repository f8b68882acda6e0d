// The measure that the gas is held against: the paper's algorithm (2D) and the cube text's (3D) as
// gyre/classic.h has them, bit for bit (test/test_classic.c): collocated, Gauss-Seidel in each
// solve (u, v, w, two projections, density), scalar C on one thread, inner loops along memory.
#include "bench/parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t bytes_of(const bench_classic *c)
{
    return gyre_classic_size(&c->box) * sizeof(float);
}

static void must(gyre_result result)
{
    if (result != GYRE_OK) {
        fprintf(stderr, "gyre bench: %s\n", gyre_message());
        exit(1);
    }
}

bench_classic bench_classic_make(const bench_flow *flow)
{
    int n = flow->n;
    bench_classic c = {.box = gyre_classic_default_box(flow->dim, n)};
    float row[4097], next[4097];
    for (int a = 0; a < flow->dim; a++) {
        c.velocity[a] = bench_allocate(bytes_of(&c));
        c.previous[a] = bench_allocate(bytes_of(&c));
    }
    c.density = bench_allocate(bytes_of(&c));
    c.sources = bench_allocate(bytes_of(&c));
    for (int k = 0; k < c.box.n[2]; k++)
        for (int j = 0; j < n; j++) {
            size_t at = gyre_classic_index(&c.box, 1, j + 1, flow->dim == 3 ? k + 1 : 0);
            for (int a = 0; a < flow->dim; a++) {
                // A centre takes the mean of its two faces.
                bench_flow_row(flow, a, j, k, row);
                bench_flow_row(flow, a, j + (a == 1), k + (a == 2), next);
                for (int i = 0; i < n; i++)
                    c.velocity[a][at + (size_t)i] = 0.5f * (row[i] + next[i + (a == 0)]);
            }
            bench_scalar_row(flow, j, k, c.density + at);
        }
    for (int a = 0; a < flow->dim; a++)
        must(gyre_classic_set_bnd(&c.box, GYRE_CLASSIC_X + a, c.velocity[a]));
    must(gyre_classic_set_bnd(&c.box, GYRE_CLASSIC_DENSITY, c.density));
    return c;
}

void bench_classic_free(bench_classic *c)
{
    for (int a = 0; a < c->box.dim; a++) {
        bench_release(c->velocity[a]);
        bench_release(c->previous[a]);
    }
    bench_release(c->density);
    bench_release(c->sources);
}

void bench_classic_step(bench_classic *c, float dt, int sweeps)
{
    const float *const carrier[3] = {c->velocity[0], c->velocity[1], c->velocity[2]};
    // No sources: what the paper's get_from_UI does when nobody touches anything. No viscosity, as
    // the paper's own demonstrations are set; the sweeps are made all the same.
    for (int a = 0; a < c->box.dim; a++)
        memset(c->previous[a], 0, bytes_of(c));
    memset(c->sources, 0, bytes_of(c));
    c->box.sweeps = sweeps;
    must(gyre_classic_vel_step(&c->box, c->velocity, c->previous, 0, dt));
    must(gyre_classic_dens_step(&c->box, c->density, c->sources, carrier, 0, dt));
}

float bench_classic_speed(const bench_classic *c)
{
    float most = 0;
    for (int a = 0; a < c->box.dim; a++)
        for (size_t i = 0; i < gyre_classic_size(&c->box); i++)
            most = fmaxf(most, fabsf(c->velocity[a][i]));
    return most;
}

/// Root mean square of the divergence by face differences: a face takes the mean of its two cells.
static double divergence_rms(const bench_classic *c)
{
    const gyre_classic_box *box = &c->box;
    size_t step[3] = {1, (size_t)(box->n[0] + 2),
                      (size_t)(box->n[0] + 2) * (size_t)(box->n[1] + 2)};
    double sum = 0, cells = (double)box->n[0] * box->n[1] * box->n[2];
    for (int k = 1; k <= box->n[2]; k++)
        for (int j = 1; j <= box->n[1]; j++)
            for (int i = 1; i <= box->n[0]; i++) {
                size_t at = gyre_classic_index(box, i, j, box->dim == 3 ? k : 0);
                double d = 0;
                for (int a = 0; a < box->dim; a++) {
                    const float *u = c->velocity[a] + at;
                    d += 0.5 * ((double)u[step[a]] - (double)*(u - step[a]));
                }
                sum += d * d;
            }
    return (double)box->n[0] * sqrt(sum / cells);
}

void bench_classic_divergence(bench_classic *c, float dt, int sweeps, double divergence[2])
{
    // The parts of gyre_classic_vel_step one by one, so that it can be looked into; no sources.
    const float *const carrier[3] = {c->previous[0], c->previous[1], c->previous[2]};
    int dim = c->box.dim;
    c->box.sweeps = sweeps;
    for (int a = 0; a < dim; a++) {
        memset(c->previous[a], 0, bytes_of(c));
        must(gyre_classic_diffuse(&c->box, GYRE_CLASSIC_X + a, c->previous[a], c->velocity[a], 0,
                                  dt));
    }
    must(gyre_classic_project(&c->box, c->previous, c->velocity[0], c->velocity[1]));
    for (int a = 0; a < dim; a++)
        must(gyre_classic_advect(&c->box, GYRE_CLASSIC_X + a, c->velocity[a], c->previous[a],
                                 carrier, dt));
    divergence[0] = divergence_rms(c);
    must(gyre_classic_project(&c->box, c->velocity, c->previous[0], c->previous[1]));
    divergence[1] = divergence_rms(c);
}
