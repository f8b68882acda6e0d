// ops/system/factor.c: elimination in double precision: L D L^T of a band of tiles, and Gauss's of
// a whole matrix.
//
// A band is kept by columns of tiles, the one on the diagonal and `reach` below it; a tile by
// columns, GY_MATRIX_TILE numbers each. Once column K is eliminated, tile (I, J) of those after it
// loses L(I, K) D L(J, K)^T: each of its entries the sum of GY_MATRIX_TILE products, added up in
// their order whatever the length of a vector. For n unknowns with a band of w that is n w^2 / 2
// multiplications and additions; a pair of triangular solves reads the n w numbers of the factor
// twice.
//
// A pivot below its unknown's floor counts as 0, and so does the unknown.
#include "base/simd_double.h"
#include "ops/system/level.h"

enum { TILE = GY_MATRIX_TILE, AREA = TILE * TILE, LANES = VW / 2 };

static double *doubles(uint64_t address)
{
    return (double *)(uintptr_t)address;
}

static double *tile_at(const gy_factor_args *a, int row, int column)
{
    size_t at = (size_t)column * (size_t)(a->reach + 1) + (size_t)(row - column);
    return doubles(a->matrix) + at * AREA;
}

/// One past the last row of tiles that column K has.
static int bottom(const gy_factor_args *a, int K)
{
    return GY_MIN(K + a->reach + 1, a->unknowns / TILE);
}

/// A tile on the diagonal. Above its diagonal rubbish is left.
static void factor_tile(double *t, double *inverse)
{
    for (int c = 0; c < TILE; c++) {
        double *column = t + c * TILE, kept[TILE];
        inverse[c] = column[c] > inverse[c] ? 1.0 / column[c] : 0.0;
        memcpy(kept, column, sizeof kept);
        for (int r = c + 1; r < TILE; r++) {
            column[r] *= inverse[c];
        }
        for (int m = c + 1; m < TILE; m++) {
            double *to = t + m * TILE;
            for (int r = m / LANES * LANES; r < TILE; r += LANES) {
                gy_store_double(to + r,
                                gy_load_double(to + r) - kept[m] * gy_load_double(column + r));
            }
        }
    }
}

/// A tile below the diagonal: becomes L; `w` gets L D.
static void divide_tile(double *t, const double *diagonal, const double *inverse, double *w)
{
    for (int c = 0; c < TILE; c++) {
        for (int r = 0; r < TILE; r += 2 * LANES) {
            vd x = gy_load_double(t + c * TILE + r), y = gy_load_double(t + c * TILE + r + LANES);
            for (int m = 0; m < c; m++) {
                double l = diagonal[m * TILE + c];
                x -= l * gy_load_double(w + m * TILE + r);
                y -= l * gy_load_double(w + m * TILE + r + LANES);
            }
            gy_store_double(w + c * TILE + r, x);
            gy_store_double(w + c * TILE + r + LANES, y);
        }
    }
    for (int c = 0; c < TILE; c++) {
        for (int r = 0; r < TILE; r += LANES) {
            gy_store_double(t + c * TILE + r, inverse[c] * gy_load_double(w + c * TILE + r));
        }
    }
}

/// t -= l w^T.
static void subtract_product(double *t, const double *l, const double *w)
{
    for (int j = 0; j < TILE; j += 4) {
        for (int i = 0; i < TILE; i += 2 * LANES) {
            vd a0 = {0}, a1 = {0}, a2 = {0}, a3 = {0}, b0 = {0}, b1 = {0}, b2 = {0}, b3 = {0};
            for (int k = 0; k < TILE; k++) {
                const double *q = w + k * TILE + j;
                vd a = gy_load_double(l + k * TILE + i),
                   b = gy_load_double(l + k * TILE + i + LANES);
                a0 += q[0] * a;
                b0 += q[0] * b;
                a1 += q[1] * a;
                b1 += q[1] * b;
                a2 += q[2] * a;
                b2 += q[2] * b;
                a3 += q[3] * a;
                b3 += q[3] * b;
            }
            double *to = t + j * TILE + i;
            gy_store_double(to, gy_load_double(to) - a0);
            gy_store_double(to + LANES, gy_load_double(to + LANES) - b0);
            to += TILE;
            gy_store_double(to, gy_load_double(to) - a1);
            gy_store_double(to + LANES, gy_load_double(to + LANES) - b1);
            to += TILE;
            gy_store_double(to, gy_load_double(to) - a2);
            gy_store_double(to + LANES, gy_load_double(to + LANES) - b2);
            to += TILE;
            gy_store_double(to, gy_load_double(to) - a3);
            gy_store_double(to + LANES, gy_load_double(to + LANES) - b3);
        }
    }
}

void GY_BODY(factor_band)(const void *args, const gy_box *box, int task)
{
    const gy_factor_args *a = args;
    double *w = doubles(a->vector);
    (void)box;
    (void)task;
    for (int K = 0; K < a->unknowns / TILE; K++) {
        double *diagonal = tile_at(a, K, K), *inverse = doubles(a->inverse) + (ptrdiff_t)K * TILE;
        factor_tile(diagonal, inverse);
        for (int I = K + 1; I < bottom(a, K); I++) {
            divide_tile(tile_at(a, I, K), diagonal, inverse, w + (ptrdiff_t)(I - K - 1) * AREA);
        }
        for (int J = K + 1; J < bottom(a, K); J++) {
            for (int I = J; I < bottom(a, K); I++) {
                subtract_product(tile_at(a, I, J), tile_at(a, I, K),
                                 w + (ptrdiff_t)(J - K - 1) * AREA);
            }
        }
    }
}

/// y -= l x.
static void subtract_rows(const double *l, const double *x, double *y)
{
    for (int r = 0; r < TILE; r += 2 * LANES) {
        vd a = gy_load_double(y + r), b = gy_load_double(y + r + LANES);
        for (int c = 0; c < TILE; c++) {
            a -= x[c] * gy_load_double(l + c * TILE + r);
            b -= x[c] * gy_load_double(l + c * TILE + r + LANES);
        }
        gy_store_double(y + r, a);
        gy_store_double(y + r + LANES, b);
    }
}

/// x -= l^T y: sums over eight lanes and a fixed tree.
static void subtract_columns(const double *l, const double *y, double *x)
{
    for (int c = 0; c < TILE; c++) {
        vd part[8 / LANES];
        double f[8];
        for (int q = 0; q < 8 / LANES; q++) {
            part[q] = (vd){0};
        }
        for (int r = 0; r < TILE; r += LANES) {
            part[r / LANES % (8 / LANES)] +=
                gy_load_double(l + c * TILE + r) * gy_load_double(y + r);
        }
        memcpy(f, part, sizeof f);
        x[c] -= ((f[0] + f[4]) + (f[1] + f[5])) + ((f[2] + f[6]) + (f[3] + f[7]));
    }
}

/// L D L^T x = b, in place.
void GY_BODY(solve_band)(const void *args, const gy_box *box, int task)
{
    const gy_factor_args *a = args;
    const double *inverse = doubles(a->inverse);
    int count = a->unknowns / TILE;
    (void)box;
    (void)task;
    for (int K = 0; K < count; K++) {
        const double *t = tile_at(a, K, K);
        double *x = doubles(a->vector) + (ptrdiff_t)K * TILE;
        for (int c = 0; c < TILE; c++) {
            for (int r = c + 1; r < TILE; r++) {
                x[r] -= x[c] * t[c * TILE + r];
            }
        }
        for (int I = K + 1; I < bottom(a, K); I++) {
            subtract_rows(tile_at(a, I, K), x, x + (ptrdiff_t)(I - K) * TILE);
        }
    }
    for (int K = count - 1; K >= 0; K--) {
        const double *t = tile_at(a, K, K);
        double *x = doubles(a->vector) + (ptrdiff_t)K * TILE;
        for (int c = 0; c < TILE; c++) {
            x[c] *= inverse[K * TILE + c];
        }
        for (int I = K + 1; I < bottom(a, K); I++) {
            subtract_columns(tile_at(a, I, K), x + (ptrdiff_t)(I - K) * TILE, x);
        }
        for (int c = TILE - 1; c >= 0; c--) {
            for (int r = c + 1; r < TILE; r++) {
                x[c] -= t[c * TILE + r] * x[r];
            }
        }
    }
}

/// row -= factor other, from place `first` to the padded end.
static void subtract_row(double *row, double factor, const double *other, int first, int end)
{
    int j = first;
    for (; j % LANES != 0; j++) {
        row[j] -= factor * other[j];
    }
    for (; j < end; j += LANES) {
        gy_store_double(row + j, gy_load_double(row + j) - factor * gy_load_double(other + j));
    }
}

/// Gaussian elimination with partial pivoting, as every textbook has it: the matrix becomes L below
/// the diagonal and U on and above it. Rows are as long as there are unknowns, filled up with
/// zeros to a multiple of GY_MATRIX_TILE. n^3 / 3 multiplications and additions.
void GY_BODY(factor_dense)(const void *args, const gy_box *box, int task)
{
    const gy_factor_args *a = args;
    int n = a->unknowns, end = (n + TILE - 1) / TILE * TILE;
    double *matrix = doubles(a->matrix), *inverse = doubles(a->inverse);
    int32_t *order = (int32_t *)(uintptr_t)a->order;
    (void)box;
    (void)task;
    for (int k = 0; k < n; k++) {
        double *pivot = matrix + (ptrdiff_t)k * end;
        int best = k;
        for (int i = k + 1; i < n; i++) {
            if (__builtin_fabs(matrix[(ptrdiff_t)i * end + k]) >
                __builtin_fabs(matrix[(ptrdiff_t)best * end + k])) {
                best = i;
            }
        }
        for (int j = 0; best != k && j < n; j++) {
            double kept = pivot[j];
            pivot[j] = matrix[(ptrdiff_t)best * end + j];
            matrix[(ptrdiff_t)best * end + j] = kept;
        }
        int32_t from = order[k];
        order[k] = order[best];
        order[best] = from;
        inverse[k] = __builtin_fabs(pivot[k]) > inverse[k] ? 1.0 / pivot[k] : 0.0;
        for (int i = k + 1; i < n; i++) {
            double *row = matrix + (ptrdiff_t)i * end;
            row[k] *= inverse[k];
            subtract_row(row, row[k], pivot, k + 1, end);
        }
    }
}
