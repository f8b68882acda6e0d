// The pictures of doc/solve.md, each from the solvers themselves or from a small copy of what they
// do.
//     solve_pictures FOLDER [HISTORIES.tsv]
#include "gyre/gyre.h"
#include "gyre/io.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- a canvas

typedef struct canvas {
    int width, height;
    uint8_t *rgb;
} canvas;

typedef struct colour {
    uint8_t rgb[3];
} colour;

static const colour white = {{255, 255, 255}}, black = {{20, 20, 24}}, grey = {{210, 212, 216}};

static canvas canvas_make(int width, int height)
{
    canvas c = {width, height, malloc((size_t)width * (size_t)height * 3)};
    if (!c.rgb) {
        fprintf(stderr, "solve_pictures: no memory\n");
        exit(1);
    }
    memset(c.rgb, 255, (size_t)width * (size_t)height * 3);
    return c;
}

/// Fills from (x, y), the upper left corner.
static void fill(canvas *c, int x, int y, int width, int height, colour with)
{
    for (int j = y < 0 ? 0 : y; j < y + height && j < c->height; j++)
        for (int i = x < 0 ? 0 : x; i < x + width && i < c->width; i++)
            memcpy(c->rgb + 3 * ((size_t)j * (size_t)c->width + (size_t)i), with.rgb, 3);
}

static int finish(canvas *c, const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/solve_%s.png", folder, name);
    gyre_result r = gyre_png_write(path, c->width, c->height, 3, c->rgb);
    free(c->rgb);
    if (r != GYRE_OK)
        fprintf(stderr, "solve_pictures: %s\n", gyre_message());
    else
        printf("%s\n", path);
    return r != GYRE_OK;
}

static colour mix(colour a, colour b, double t)
{
    colour c;
    for (int q = 0; q < 3; q++)
        c.rgb[q] = (uint8_t)lround(a.rgb[q] + t * (b.rgb[q] - a.rgb[q]));
    return c;
}

/// Blue below 0, white at 0, red above; faint values are lifted.
static colour signed_colour(double x)
{
    static const colour red = {{178, 24, 43}}, blue = {{33, 102, 172}};
    return mix(white, x > 0 ? red : blue, sqrt(fmin(fabs(x), 1)));
}

// ---------------------------------------------------------------- errors

enum { N = 64, PANELS = 5, ZOOM = 2, GAP = 6 };

static const struct strip {
    const char *name;
    int kind, preconditioner;
    float omega;
    int after[PANELS];
} strips[] = {
    {"jacobi", GYRE_SOLVER_JACOBI, 0, 0, {0, 1, 4, 16, 64}},
    {"gauss_seidel", GYRE_SOLVER_GAUSS_SEIDEL, 0, 1, {0, 1, 4, 16, 64}},
    {"red_black", GYRE_SOLVER_RED_BLACK, 0, 0, {0, 1, 4, 16, 64}},
    {"cg", GYRE_SOLVER_CG, 0, 0, {0, 1, 4, 16, 64}},
    {"pcg", GYRE_SOLVER_PCG, GYRE_PRECONDITION_MIC, 0, {0, 1, 2, 4, 8}},
    {"multigrid", GYRE_SOLVER_MULTIGRID, 0, 0, {0, 1, 2, 3, 4}},
};

/// The answer that is aimed at: noise, and three waves.
static void answer_of(double *x)
{
    uint64_t seed = 2008;
    for (int c = 0; c < N * N; c++) {
        double a = (c % N + 0.5) / N, b = (c / N + 0.5) / N, pi = acos(-1.0);
        uint64_t z = seed += 0x9e3779b97f4a7c15u; // splitmix64
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        x[c] = 0.8 * ((double)(z >> 32) / 4294967296.0 - 0.5) + 0.5 * sin(pi * a) * sin(pi * b) +
               0.3 * sin(2 * pi * a) * sin(3 * pi * b) + 0.15 * sin(9 * pi * a) * sin(8 * pi * b);
    }
}

/// A x in a square of open sides.
static void apply(const double *x, float *b)
{
    for (int c = 0; c < N * N; c++) {
        int i = c % N, j = c / N;
        double sum = 0;
        sum += i > 0 ? x[c] - x[c - 1] : 2 * x[c];
        sum += i + 1 < N ? x[c] - x[c + 1] : 2 * x[c];
        sum += j > 0 ? x[c] - x[c - N] : 2 * x[c];
        sum += j + 1 < N ? x[c] - x[c + N] : 2 * x[c];
        b[c] = (float)sum;
    }
}

static gyre_poisson *system_of(gyre_device *device, const struct strip *s, int cycles)
{
    gyre_poisson_def def = gyre_poisson_default_def(2);
    gyre_poisson *poisson = NULL;
    def.grid.n[0] = def.grid.n[1] = N;
    for (int side = 0; side < 4; side++)
        def.sides[side] = GYRE_POISSON_OPEN;
    def.solver.solver = s->kind;
    def.solver.omega = s->omega;
    def.solver.preconditioner = s->preconditioner;
    def.solver.tolerance = 1e-6f;
    def.solver.max_cycles = cycles;
    if (gyre_poisson_create(device, &def, &poisson) != GYRE_OK)
        fprintf(stderr, "solve_pictures: %s\n", gyre_message());
    return poisson;
}

/// What is wrong with x after so many cycles, side by side.
static int errors(gyre_device *device, const struct strip *s, const char *folder)
{
    static double answer[N * N];
    static float b[N * N], x[N * N];
    canvas c = canvas_make(PANELS * (N * ZOOM + GAP) - GAP, N * ZOOM);
    answer_of(answer);
    apply(answer, b);
    for (int p = 0; p < PANELS; p++) {
        memset(x, 0, sizeof x);
        if (s->after[p] > 0) {
            gyre_poisson *poisson = system_of(device, s, s->after[p]);
            if (!poisson) {
                free(c.rgb);
                return 1;
            }
            gyre_poisson_set_b(poisson, b);
            gyre_poisson_solve(poisson, true, NULL);
            gyre_poisson_get_x(poisson, x, NULL);
            gyre_poisson_destroy(poisson);
        }
        for (int k = 0; k < N * N; k++)
            fill(&c, p * (N * ZOOM + GAP) + k % N * ZOOM, (N - 1 - k / N) * ZOOM, ZOOM, ZOOM,
                 signed_colour((double)x[k] - answer[k]));
    }
    return finish(&c, folder, s->name);
}

/// Relative residuals after each cycle, one line each.
static int histories(gyre_device *device, FILE *file)
{
    static double answer[N * N];
    static float b[N * N];
    answer_of(answer);
    apply(answer, b);
    for (size_t q = 0; q < sizeof strips / sizeof *strips; q++) {
        gyre_poisson *poisson = system_of(device, &strips[q], 1000);
        const double *residuals;
        if (!poisson)
            return 1;
        gyre_poisson_set_b(poisson, b);
        gyre_poisson_solve(poisson, true, NULL);
        for (int k = 0, count = gyre_poisson_history(poisson, &residuals); k < count; k++)
            fprintf(file, "%s\t%d\t%.6g\n", strips[q].name, k + 1, residuals[k]);
        gyre_poisson_destroy(poisson);
    }
    return 0;
}

// ---------------------------------------------------------------- elimination

enum { M = 8, ROWS = M * M };

/// The matrix of 8 x 8 cells with shut sides, and its factor L, by banded elimination.
static int band(const char *folder)
{
    static double a[2][ROWS][ROWS];
    const int zoom = 4;
    canvas c = canvas_make(2 * ROWS * zoom + 4 * GAP, ROWS * zoom);
    for (int row = 0; row < ROWS; row++) {
        const int step[4] = {-1, 1, -M, M};
        const bool inside[4] = {row % M > 0, row % M<M - 1, row / M> 0, row / M < M - 1};
        for (int q = 0; q < 4; q++) {
            if (inside[q]) {
                a[0][row][row] += 1;
                a[0][row][row + step[q]] = -1;
            }
        }
    }
    memcpy(a[1], a[0], sizeof a[0]);
    // L D L^T: below the diagonal L, on it D. The last pivot is 0: the matrix is singular.
    for (int p = 0; p + 1 < ROWS; p++)
        for (int row = p + 1; row < ROWS; row++) {
            double factor = a[1][row][p] / a[1][p][p];
            for (int col = p + 1; col < ROWS; col++)
                a[1][row][col] -= factor * a[1][p][col];
            a[1][row][p] = factor;
        }
    for (int q = 0; q < 2; q++)
        for (int row = 0; row < ROWS; row++)
            for (int col = 0; col < ROWS; col++) {
                double v = a[q][row][col];
                bool upper = q == 1 && col > row;
                fill(&c, q * (ROWS * zoom + 4 * GAP) + col * zoom, row * zoom, zoom, zoom,
                     upper || fabs(v) < 1e-12 ? (colour){{238, 240, 243}}
                                              : signed_colour(row == col ? v / 4 : v));
            }
    return finish(&c, folder, "direct");
}

/// Which rows a row is joined to as block cyclic reduction goes on: after each stage every other
/// row is left, and its neighbours are twice as far.
static int cyclic(const char *folder)
{
    enum { LINES = 15, STAGES = 4 };
    const int zoom = 9;
    const colour left = {{33, 102, 172}}, beside = {{146, 197, 222}};
    canvas c = canvas_make(STAGES * (LINES * zoom + 2 * GAP) - 2 * GAP, LINES * zoom);
    for (int s = 0; s < STAGES; s++) {
        int step = 1 << s;
        for (int row = 0; row < LINES; row++)
            for (int col = 0; col < LINES; col++) {
                bool lives = (row + 1) % step == 0 && (col + 1) % step == 0;
                bool joined = lives && abs(row - col) <= step;
                fill(&c, s * (LINES * zoom + 2 * GAP) + col * zoom, row * zoom, zoom - 1, zoom - 1,
                     joined ? (row == col ? left : beside) : (colour){{238, 240, 243}});
            }
    }
    return finish(&c, folder, "cyclic_reduction");
}

/// The eigenvalue of every pair of cosines, 4 sin^2 + 4 sin^2, with lines of equal value.
static int eigenvalues(const char *folder)
{
    const int zoom = 4;
    const colour low = {{253, 231, 37}}, middle = {{33, 145, 140}}, high = {{68, 1, 84}};
    canvas c = canvas_make(N * zoom, N * zoom);
    double pi = acos(-1.0);
    for (int y = 0; y < N * zoom; y++)
        for (int x = 0; x < N * zoom; x++) {
            double a = sin(0.5 * pi * x / (N * zoom)), b = sin(0.5 * pi * y / (N * zoom));
            double value = 4 * a * a + 4 * b * b, t = value / 8;
            colour with = t < 0.5 ? mix(low, middle, 2 * t) : mix(middle, high, 2 * t - 1);
            double da = 4 * pi * a * sqrt(1 - a * a) / (N * zoom);
            double db = 4 * pi * b * sqrt(1 - b * b) / (N * zoom);
            double away = fabs(value - round(value)) / fmax(hypot(da, db), 1e-9);
            if (away < 0.8 && value > 0.4)
                with = mix(with, white, 0.8);
            fill(&c, x, N * zoom - 1 - y, 1, 1, with);
        }
    return finish(&c, folder, "fft");
}

// ---------------------------------------------------------------- components

enum { G = 16 };

/// A sheet of shut faces between columns 6 and 7, with a hole of one cell.
static bool joined(int i, int j, int axis)
{
    bool sheet = axis == 0 && i == 6 && j != 10;
    return !sheet;
}

/// Labels cells by coarse unknown: on each level the parts of a block that open faces join.
static void label(int labels[G * G], int level)
{
    int size = 1 << level;
    for (int c = 0; c < G * G; c++)
        labels[c] = c;
    if (level == 0)
        return;
    int finer[G * G];
    label(finer, level - 1);
    memcpy(labels, finer, sizeof finer);
    // Finer unknowns of one block that any open face joins become one.
    for (bool again = true; again;) {
        again = false;
        for (int c = 0; c < G * G; c++)
            for (int axis = 0; axis < 2; axis++) {
                int i = c % G, j = c / G, other = c + (axis ? G : 1);
                if ((axis ? j : i) + 1 >= G || !joined(i, j, axis) ||
                    (i / size != other % G / size) || (j / size != other / G / size))
                    continue;
                int least = labels[c] < labels[other] ? labels[c] : labels[other];
                int most = labels[c] + labels[other] - least;
                for (int k = 0; k < G * G && least != most; k++)
                    if (labels[k] == most) {
                        labels[k] = least;
                        again = true;
                    }
            }
    }
}

static int components(const char *folder)
{
    enum { LEVELS = 4 };
    static const colour shades[4] = {
        {{214, 230, 244}}, {{188, 214, 236}}, {{238, 242, 214}}, {{250, 226, 196}}};
    const colour extra = {{244, 165, 130}};
    const int zoom = 11, wide = G * zoom + 1;
    canvas c = canvas_make(LEVELS * (wide + 2 * GAP) - 2 * GAP, wide);
    for (int level = 0; level < LEVELS; level++) {
        int labels[G * G], size = 1 << level, x0 = level * (wide + 2 * GAP);
        label(labels, level);
        for (int k = 0; k < G * G; k++) {
            int i = k % G, j = k / G, x = x0 + i * zoom, y = (G - 1 - j) * zoom;
            // The first part of a block is its own coarse cell; any other is an extra.
            int corner = labels[i / size * size + j / size * size * G];
            fill(&c, x, y, zoom, zoom,
                 labels[k] != corner ? extra : shades[(i / size + j / size) % 2]);
            if (i > 0 && labels[k] != labels[k - 1])
                fill(&c, x, y, 1, zoom + 1, grey);
            if (j > 0 && labels[k] != labels[k - G])
                fill(&c, x, y + zoom, zoom + 1, 1, grey);
        }
        for (int j = 0; j < G; j++)
            if (!joined(6, j, 0))
                fill(&c, x0 + 7 * zoom - 1, (G - 1 - j) * zoom, 3, zoom + 1, black);
    }
    return finish(&c, folder, "mgpcg");
}

int main(int argc, char **argv)
{
    gyre_device *device;
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: solve_pictures FOLDER [HISTORIES.tsv]\n");
        return 2;
    }
    if (gyre_device_create(NULL, &device) != GYRE_OK) {
        fprintf(stderr, "solve_pictures: %s\n", gyre_message());
        return 1;
    }
    int failed = band(argv[1]) + cyclic(argv[1]) + eigenvalues(argv[1]) + components(argv[1]);
    for (size_t q = 0; q < sizeof strips / sizeof *strips; q++)
        failed += errors(device, &strips[q], argv[1]);
    if (argc == 3) {
        FILE *file = fopen(argv[2], "w");
        failed += !file || histories(device, file);
        failed += file && fclose(file);
    }
    gyre_device_destroy(device);
    return failed > 0;
}
