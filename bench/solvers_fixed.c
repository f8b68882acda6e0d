// An aside of the paper, measured: conjugate gradients against Gauss-Seidel in fixed point.
//
// Numbers are those of src/classic/: products in twice the width, rounded to nearest once, cut to
// the range. The dot products that conjugate gradients want are formed in two ways: plain, each
// product and the sum a number of the format; and wide, all bits of every product summed in twice
// the width, which is the most that can be done for them.
#include "bench/solvers.h"

#include <math.h>
#include <string.h>

enum { N = 32, S = N + 2, CELLS = S * S };

typedef struct format {
    const char *name;
    int bits, fraction; // bits 0: float
} format;

static const format formats[] = {{"float", 0, 0}, {"Q16.16", 32, 16}, {"8.8", 16, 8}};
static const int counts[] = {5, 10, 20, 40, 80, 160, 320};
enum { COUNTS = sizeof counts / sizeof *counts };

/// What is run: float needs no second kind of dot product.
static const struct method {
    const char *name;
    bool is_cg, wide, fixed_only;
} methods[] = {{"gauss_seidel", false, false, false},
               {"cg", true, false, false},
               {"cg, wide dots", true, true, true}};

static const solvers_column columns[] = {
    {"method", -13, 0}, {"number", -7, 0}, {"b", 5, 2},  {"5", 9, 3},   {"10", 9, 3},
    {"20", 9, 3},       {"40", 9, 3},      {"80", 9, 3}, {"160", 9, 3}, {"320", 9, 3},
};

// ---------------------------------------------------------------- numbers

// A number is kept as a float, or as a whole number of 1 / 2^fraction, in a double either way: both
// are exact there.

static int64_t shift_down(int64_t x, int bits)
{
    int64_t more = (int64_t)1 << (bits - 1);
    return x >= 0 ? (x + more) >> bits : -((more - x) >> bits);
}

static double cut(const format *f, int64_t x)
{
    int64_t most = ((int64_t)1 << (f->bits - 1)) - 1;
    return (double)(x > most ? most : x < -most - 1 ? -most - 1 : x);
}

static double plus(const format *f, double a, double b)
{
    return f->bits ? cut(f, (int64_t)a + (int64_t)b) : (double)((float)a + (float)b);
}

static double times(const format *f, double a, double b)
{
    return f->bits ? cut(f, shift_down((int64_t)a * (int64_t)b, f->fraction))
                   : (double)((float)a * (float)b);
}

/// a / b of two sums of products; 0 where there is nothing to divide by.
static double quotient(const format *f, double a, double b)
{
    if (b == 0)
        return 0;
    return f->bits ? cut(f, (int64_t)fmax(fmin(round(ldexp(a / b, f->fraction)), 1e15), -1e15))
                   : (double)(float)(a / b);
}

static double from(const format *f, double x)
{
    return f->bits ? cut(f, (int64_t)round(ldexp(x, f->fraction))) : (double)(float)x;
}

static double to(const format *f, double x)
{
    return f->bits ? ldexp(x, -f->fraction) : x;
}

/// The sum of the products of two fields' inner cells: `wide`: of whole products, cut to twice the
/// width.
static double dot(const format *f, bool wide, const double *x, const double *y)
{
    double sum = 0, most = f->bits ? ldexp(1, 2 * f->bits - 1) : INFINITY;
    for (int j = 1; j <= N; j++)
        for (int i = 1; i <= N; i++) {
            int c = i + S * j;
            sum = wide ? fmax(fmin(sum + x[c] * y[c], most), -most)
                       : plus(f, sum, times(f, x[c], y[c]));
        }
    return sum;
}

// ---------------------------------------------------------------- the two methods

/// The boundary layer takes the nearest cell's value: nothing passes.
static void set_sides(double *x)
{
    for (int i = 1; i <= N; i++) {
        x[i] = x[i + S];
        x[i + S * (N + 1)] = x[i + S * N];
        x[S * i] = x[1 + S * i];
        x[N + 1 + S * i] = x[N + S * i];
    }
}

static double neighbours(const double *x, int c)
{
    return x[c - 1] + x[c + 1] + x[c - S] + x[c + S];
}

/// As lin_solve with a = 1 and c = 4: sums of five numbers in twice the width, one rounding.
static void sweep(const format *f, double *x, const double *b)
{
    for (int j = 1; j <= N; j++)
        for (int i = 1; i <= N; i++) {
            int c = i + S * j;
            double sum = b[c] + neighbours(x, c);
            x[c] = f->bits ? cut(f, shift_down((int64_t)sum, 2))
                           : (double)(0.25f * ((float)b[c] + (float)neighbours(x, c)));
        }
    set_sides(x);
}

typedef struct gradients {
    double x[CELLS], r[CELLS], p[CELLS], q[CELLS], rr, goal;
    bool wide;
} gradients;

/// q = A p.
static void apply(const format *f, gradients *s)
{
    set_sides(s->p);
    for (int j = 1; j <= N; j++)
        for (int i = 1; i <= N; i++) {
            int c = i + S * j;
            double sum = 4 * s->p[c] - neighbours(s->p, c);
            s->q[c] = f->bits ? cut(f, (int64_t)sum) : (double)(float)sum;
        }
}

/// One iteration of conjugate gradients, until r is a millionth of what it was.
static void iterate(const format *f, gradients *s)
{
    if (s->rr <= s->goal)
        return;
    apply(f, s);
    double alpha = quotient(f, s->rr, dot(f, s->wide, s->p, s->q));
    for (int j = 1; j <= N; j++)
        for (int c = 1 + S * j; c <= N + S * j; c++) {
            s->x[c] = plus(f, s->x[c], times(f, alpha, s->p[c]));
            s->r[c] = plus(f, s->r[c], -times(f, alpha, s->q[c]));
        }
    double rr = dot(f, s->wide, s->r, s->r), beta = quotient(f, rr, s->rr);
    s->rr = rr;
    for (int j = 1; j <= N; j++)
        for (int c = 1 + S * j; c <= N + S * j; c++)
            s->p[c] = plus(f, s->r[c], times(f, beta, s->p[c]));
}

// ---------------------------------------------------------------- the table

/// Root mean square of what x is off, its mean left aside, over that of the answer.
static double error_of(const format *f, const double *x, const double *answer)
{
    double mean = 0, off = 0, all = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int j = 1; j <= N; j++)
            for (int c = 1 + S * j; c <= N + S * j; c++) {
                double d = to(f, x[c]) - answer[c];
                if (pass == 0)
                    mean += d / (N * N);
                off += pass ? (d - mean) * (d - mean) : 0;
                all += pass ? answer[c] * answer[c] : 0;
            }
    return sqrt(off / all);
}

static int cell(int c)
{
    return c % N + 1 + S * (c / N + 1);
}

/// The answer, by conjugate gradients in double.
static void answer_of(const double *b, double *answer)
{
    static gradients s;
    memset(&s, 0, sizeof s);
    for (int c = 0; c < N * N; c++) {
        s.r[cell(c)] = s.p[cell(c)] = b[cell(c)];
        s.rr += b[cell(c)] * b[cell(c)];
    }
    for (double goal = 1e-24 * s.rr; s.rr > goal;) {
        double pq = 0, rr = 0;
        set_sides(s.p);
        for (int c = 0; c < N * N; c++) {
            int at = cell(c);
            s.q[at] = 4 * s.p[at] - neighbours(s.p, at);
            pq += s.p[at] * s.q[at];
        }
        for (int c = 0; c < N * N; c++) {
            int at = cell(c);
            s.x[at] += s.rr / pq * s.p[at];
            s.r[at] -= s.rr / pq * s.q[at];
            rr += s.r[at] * s.r[at];
        }
        for (int c = 0; c < N * N; c++)
            s.p[cell(c)] = s.r[cell(c)] + rr / s.rr * s.p[cell(c)];
        s.rr = rr;
    }
    memcpy(answer, s.x, sizeof s.x);
}

/// A divergence: noise and a long wave, of mean 0 (else there is no answer).
static void problem(double *b, double strength)
{
    static float noise[N * N];
    double mean = 0, square = 0;
    solvers_noise(noise, N * N);
    solvers_add_wave(noise, 2, N, 0.1);
    for (int c = 0; c < N * N; c++)
        mean += (double)noise[c] / (N * N);
    for (int c = 0; c < N * N; c++)
        square += pow((double)noise[c] - mean, 2) / (N * N);
    for (int c = 0; c < N * N; c++)
        b[cell(c)] = ((double)noise[c] - mean) * strength / sqrt(square);
}

/// Errors after each of counts[] sweeps or iterations.
static void run(const format *f, const struct method *m, const double *b, const double *answer,
                double errors[COUNTS])
{
    static gradients s;
    static double own[CELLS];
    memset(&s, 0, sizeof s);
    for (int c = 0; c < CELLS; c++)
        own[c] = s.r[c] = s.p[c] = from(f, b[c]);
    s.wide = m->wide;
    s.rr = dot(f, s.wide, s.r, s.r);
    s.goal = 1e-12 * s.rr;
    for (int done = 0, q = 0; q < COUNTS; done++) {
        if (done == counts[q])
            errors[q++] = error_of(f, s.x, answer);
        if (m->is_cg)
            iterate(f, &s);
        else
            sweep(f, s.x, own);
    }
}

int solvers_fixed(const solvers_options *o, solvers_report *report)
{
    static const double strengths[] = {0.1, 0.01};
    static double b[CELLS], answer[CELLS];
    (void)o;
    solvers_table(
        report, "fixed point",
        "relative error of a pressure on 32 x 32 cells after so many sweeps or iterations;"
        " b is so strong (rms)",
        columns, sizeof columns / sizeof *columns);
    for (int strength = 0; strength < 2; strength++) {
        problem(b, strengths[strength]);
        answer_of(b, answer);
        for (size_t q = 0; q < sizeof formats / sizeof *formats; q++)
            for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
                const format *f = &formats[q];
                // Float's error does not depend on the strength.
                if (!f->bits && (strength > 0 || methods[m].fixed_only))
                    continue;
                double errors[COUNTS];
                solvers_cell cells[3 + COUNTS] = {
                    {methods[m].name, 0}, {f->name, 0}, {NULL, strengths[strength]}};
                run(f, &methods[m], b, answer, errors);
                for (int e = 0; e < COUNTS; e++)
                    cells[3 + e].number = errors[e];
                solvers_row(report, cells);
            }
    }
    return 0;
}
