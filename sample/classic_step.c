// The paper's main loop: a jet in a box, in six arrays of one's own. Prints what came of it and how
// long a step takes.
//     classic_step [CELLS]
#include "gyre/classic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 64, steps = 50;
    gyre_classic_box box = gyre_classic_default_box(2, n);
    if (gyre_classic_check(&box) != GYRE_OK) {
        fprintf(stderr, "%s\n", gyre_message());
        return 1;
    }
    size_t size = gyre_classic_size(&box);
    float *memory = calloc(6 * size, sizeof(float)), *array[6];
    if (!memory) {
        fprintf(stderr, "there is not so much memory\n");
        return 1;
    }
    for (int a = 0; a < 6; a++) {
        array[a] = memory + (size_t)a * size;
    }
    float *velocity[] = {array[0], array[1]}, *forces[] = {array[2], array[3]};
    float *density = array[4], *sources = array[5], total = 0;
    const float *const carrier[] = {array[0], array[1]};
    clock_t start = clock();
    for (int step = 0; step < steps; step++) {
        memset(array[2], 0, 2 * size * sizeof(float));
        memset(sources, 0, size * sizeof(float));
        for (int i = n * 3 / 8 + 1; i <= n * 5 / 8; i++) {
            sources[gyre_classic_index(&box, i, n / 8 + 1, 0)] = 4;
            forces[1][gyre_classic_index(&box, i, n / 8 + 1, 0)] = 8;
        }
        if (gyre_classic_vel_step(&box, velocity, forces, 0, 0.05f) != GYRE_OK ||
            gyre_classic_dens_step(&box, density, sources, carrier, 0, 0.05f) != GYRE_OK) {
            fprintf(stderr, "%s\n", gyre_message());
            return 1;
        }
    }
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    for (int j = 1; j <= n; j++) {
        for (int i = 1; i <= n; i++) {
            total += density[gyre_classic_index(&box, i, j, 0)];
        }
    }
    printf("%d x %d cells: %.3f ms per step; smoke %.4f of the box\n", n, n, 1e3 * seconds / steps,
           (double)total / n / n);
    free(memory);
    return total > 0 ? 0 : 1;
}
