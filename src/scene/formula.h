// scene/formula.h: formulas as text: + - * / % ^, parentheses, numbers, pi, e, and the functions
// abs acos asin atan atan2 ceil cos cosh exp fac floor ln log log2 log10 max min ncr npr pow sin
// sinh sqrt tan tanh. log is natural; a^b^c is a^(b^c); -a^b is -(a^b).
#ifndef GY_FORMULA_H
#define GY_FORMULA_H

#include "gyre/base.h"

enum { GY_FORMULA_LENGTH = 1024 };

typedef struct gy_formula gy_formula;

/// Reads a formula of x, y and z. GYRE_ERROR_ARGUMENT with where it went wrong.
gyre_result gy_formula_read(const char *text, gy_formula **formula);
/// The same of t as well.
gyre_result gy_formula_read_in_time(const char *text, gy_formula **formula);
/// Its value at a place: the same bits on every machine. One thread at a time.
double gy_formula_value(gy_formula *formula, const double at[3]);
double gy_formula_value_then(gy_formula *formula, const double at[3], double time);
void gy_formula_free(gy_formula *formula);

#endif
