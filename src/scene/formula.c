// scene/formula.c: formulas by muParser, with functions whose bits do not depend on the machine.
//
// The C library's transcendental functions differ between machines in their last bits. Those below
// are made of IEEE's +, -, *, / and sqrt in a fixed order (contraction is off), and of floor, fmod,
// frexp and ldexp, which are exact; their errors are some 1e-16 of the greater of 1 and the value.
// muParser reads the formula; of its own it computes the sign alone. A value costs one call of a
// function for each operator.
#include "scene/formula.h"

#ifdef GY_WITH_MUPARSER

#include <locale.h>
#include <math.h>
#include <muParserDLL.h>
#include <stdlib.h>
#include <string.h>

static double formula_exp(double x)
{
    if (!(x < 709.0)) {
        return x > 0.0 ? (double)INFINITY : x; // NaN stays
    }
    if (x < -745.0) {
        return 0.0;
    }
    double k = floor(x * 1.4426950408889634 + 0.5), sum = 1.0;
    double r = (x - k * 6.93147180369123816490e-01) - k * 1.90821492927058770002e-10;
    for (int n = 14; n > 0; n--) {
        sum = 1.0 + r / n * sum;
    }
    return ldexp(sum, (int)k);
}

static double formula_log(double x)
{
    if (!(x > 0.0) || x >= (double)INFINITY) {
        return x == 0.0 ? -(double)INFINITY : x < 0.0 ? (double)NAN : x;
    }
    int k;
    double m = frexp(x, &k);
    if (m < 0.70710678118654752) {
        m *= 2.0;
        k--;
    }
    double t = (m - 1.0) / (m + 1.0), square = t * t, sum = 0.0;
    for (int n = 23; n > 0; n -= 2) {
        sum = sum * square + 1.0 / n;
    }
    return k * 6.93147180369123816490e-01 + (k * 1.90821492927058770002e-10 + 2.0 * t * sum);
}

// sin(x + quarter pi/2).
static double wave(double x, int quarter)
{
    if (!(fabs(x) < 1e300)) {
        return (double)NAN;
    }
    x = fabs(x) < 1e6 ? x : fmod(x, 6.28318530717958647693);
    double n = floor(x * 0.63661977236758134308 + 0.5), sum = 1.0;
    double r = ((x - n * 1.57079632673412561417e+00) - n * 6.07710050630396597660e-11) -
               n * 2.02226624871116645580e-21;
    int turn = (int)(n - 4.0 * floor(n / 4.0)) + quarter;
    bool even = turn & 1; // a cosine
    for (int k = even ? 18 : 19; k > 1; k -= 2) {
        sum = 1.0 - r * r / (k * (k - 1.0)) * sum;
    }
    sum = even ? sum : r * sum;
    return turn & 2 ? -sum : sum;
}

static double formula_sin(double x)
{
    return wave(x, 0);
}

static double formula_cos(double x)
{
    return wave(x, 1);
}

static double formula_tan(double x)
{
    return wave(x, 0) / wave(x, 1);
}

static double formula_atan(double x)
{
    double a = fabs(x), base = 0.0, sum = 0.0;
    bool steep = a > 1.0;
    a = steep ? 1.0 / a : a;
    if (a > 0.26794919243112270647) { // tan(pi / 12)
        a = (a * 1.73205080756887729353 - 1.0) / (a + 1.73205080756887729353);
        base = 0.52359877559829887308;
    }
    for (int n = 29; n > 0; n -= 2) {
        sum = 1.0 / n - sum * (a * a);
    }
    a = base + a * sum;
    a = steep ? 1.57079632679489661923 - a : a;
    return x < 0.0 ? -a : a;
}

static double formula_atan2(double y, double x)
{
    double pi = 3.14159265358979323846, a = x == 0.0 ? 0.5 * pi : formula_atan(fabs(y / x));
    a = x == 0.0 && y == 0.0 ? 0.0 : a;
    a = x < 0.0 ? pi - a : a;
    return y < 0.0 ? -a : a;
}

static double formula_asin(double x)
{
    return formula_atan2(x, sqrt(1.0 - x * x));
}

static double formula_acos(double x)
{
    return formula_atan2(sqrt(1.0 - x * x), x);
}

static double formula_sinh(double x)
{
    return 0.5 * (formula_exp(x) - formula_exp(-x));
}

static double formula_cosh(double x)
{
    return 0.5 * (formula_exp(x) + formula_exp(-x));
}

static double formula_tanh(double x)
{
    double a = fabs(x), t = a > 20.0 ? 1.0 : 1.0 - 2.0 / (formula_exp(2.0 * a) + 1.0);
    return x < 0.0 ? -t : t;
}

static double formula_log10(double x)
{
    return formula_log(x) / 2.30258509299404568402;
}

static double formula_pow(double x, double y)
{
    if (y == floor(y) && fabs(y) <= 1024.0) {
        double power = 1.0;
        for (int n = (int)fabs(y); n > 0; n /= 2) {
            power = n % 2 ? power * x : power;
            x *= x;
        }
        return y < 0.0 ? 1.0 / power : power;
    }
    return x == 0.0 ? (y > 0.0 ? 0.0 : (double)INFINITY) : formula_exp(y * formula_log(x));
}

static double formula_log2(double x)
{
    return formula_log(x) / 0.69314718055994530942;
}

static double formula_fac(double n)
{
    double product = 1.0;
    for (int i = 2; i <= 170 && i <= n; i++) {
        product *= i;
    }
    return n < 0.0 ? (double)NAN : n < 171.0 ? product : n + (double)INFINITY;
}

// Of n things r: a whole number at every turn.
static double formula_ncr(double n, double r)
{
    if (!(r >= 0.0 && n >= r)) {
        return (double)NAN;
    }
    n = floor(n), r = floor(r);
    r = r > n / 2.0 ? n - r : r;
    double product = 1.0;
    for (double i = 1.0; i <= r && product < (double)INFINITY; i++) {
        product = product * (n - r + i) / i;
    }
    return product;
}

static double formula_npr(double n, double r)
{
    return formula_ncr(n, r) * formula_fac(r);
}

static double formula_min(const double *x, int count)
{
    double least = x[0];
    for (int i = 1; i < count; i++) {
        least = x[i] < least ? x[i] : least;
    }
    return least;
}

static double formula_max(const double *x, int count)
{
    double most = x[0];
    for (int i = 1; i < count; i++) {
        most = x[i] > most ? x[i] : most;
    }
    return most;
}

static double add(double a, double b)
{
    return a + b;
}

static double subtract(double a, double b)
{
    return a - b;
}

static double multiply(double a, double b)
{
    return a * b;
}

static double divide(double a, double b)
{
    return a / b;
}

// strtod with a decimal point, whatever the host's locale.
static double formula_strtod(const char *text, char **end)
{
    char copy[64];
    size_t length = strspn(text, "0123456789.");
    if (length > 0 && (text[length] == 'e' || text[length] == 'E')) {
        size_t sign = text[length + 1] == '+' || text[length + 1] == '-';
        size_t digits = strspn(text + length + 1 + sign, "0123456789");
        length += digits > 0 ? 1 + sign + digits : 0;
    }
    length = length < sizeof copy ? length : sizeof copy - 1;
    memcpy(copy, text, length);
    copy[length] = 0;
    char *point = strchr(copy, '.'), *stop = copy;
    if (point) {
        *point = localeconv()->decimal_point[0];
    }
    double value = strtod(copy, &stop);
    *end = (char *)(uintptr_t)(text + (stop - copy));
    return value;
}

// muParser asks this for a number at `text` before it looks itself, by a locale of its own.
static int number(const char *text, int *position, double *value)
{
    char *end;
    *value = formula_strtod(text, &end);
    *position += (int)(end - text);
    return end != text;
}

// muParser gathers what its own + - * / and ^ do: x + 0.1 + 0.2 becomes x + 0.3 and x * 2 + 1 one
// expression of C++, which a compiler may contract; ^ is libm's pow. Its C interface cannot take
// these operators away, so that a formula is handed over with others in their place; and with other
// commas, for a program that has given muParser a decimal comma has done so for all its parsers.
static const char ours[] = "+-*/^,", theirs[] = "@#$~`;";
static const struct {
    const char *name;
    double (*function)(double, double);
    int precedence, association; // muParser's sign has 6, in its later versions 7
} operators[] = {
    {"@", add, 5, 0},    {"#", subtract, 5, 0}, {"$", multiply, 6, 0},
    {"~", divide, 6, 0}, {"%", fmod, 6, 0},     {"`", formula_pow, 8, 1},
};
static const struct {
    const char *name;
    double (*function)(double);
} functions[] = {
    {"abs", fabs},          {"acos", formula_acos},   {"asin", formula_asin},
    {"atan", formula_atan}, {"ceil", ceil},           {"cos", formula_cos},
    {"cosh", formula_cosh}, {"exp", formula_exp},     {"fac", formula_fac},
    {"floor", floor},       {"ln", formula_log},      {"log", formula_log},
    {"log2", formula_log2}, {"log10", formula_log10}, {"sin", formula_sin},
    {"sinh", formula_sinh}, {"sqrt", sqrt},           {"tan", formula_tan},
    {"tanh", formula_tanh},
};

struct gy_formula {
    muParserHandle_t parser;
    double at[4]; // x, y, z, t
};

static gyre_result wrong(const char *text, int variables, size_t position, const char *why)
{
    bool inside = text[position];
    return gyre_fail(GYRE_ERROR_ARGUMENT,
                     "the formula \"%.200s\" goes wrong at %s%.40s%s: %.200s; expected numbers, x, "
                     "y, z,%s pi, e, + - * / %% ^, parentheses and functions such as sin",
                     text, inside ? "\"" : "", inside ? text + position : "its end",
                     inside ? "\"" : "", why, variables > 3 ? " t," : "");
}

// `text` as muParser gets it, every byte in its place.
static gyre_result translate(const char *text, int variables, char *out)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
    static const char name[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
    size_t length = strlen(text), next;
    bool operand = false; // what stands before is one, and + and - are no signs
    char *minus = NULL;   // a sign that nothing but signs has followed
    memcpy(out, text, length + 1);
    for (size_t i = 0; i < length; i = next) {
        const char *found = strchr(ours, text[i]);
        next = i + 1;
        if (text[i] == ' ') {
            continue;
        }
        if (found && !operand && (text[i] == '+' || text[i] == '-')) {
            // muParser takes one sign: the second minus takes back the first.
            out[i] = text[i] == '+' || minus ? ' ' : '-';
            if (text[i] == '-') {
                minus = minus ? (*minus = ' ', NULL) : out + i;
            }
            continue;
        }
        minus = NULL;
        operand = !found && !strchr("(%", text[i]);
        if (found) {
            out[i] = theirs[found - ours];
        } else if (strchr("0123456789.", text[i])) {
            char *end;
            formula_strtod(text + i, &end);
            next = (size_t)(end - text);
            if (next == i) {
                return wrong(text, variables, i, "found a point without a digit");
            }
        } else if (strchr(letters, text[i])) {
            next = i + strspn(text + i, name);
        } else if (!strchr("()%", text[i])) {
            return wrong(text, variables, i, "found a byte that no formula has");
        }
    }
    return GYRE_OK;
}

static void define(gy_formula *formula, int variables)
{
    static const char *const names[4] = {"x", "y", "z", "t"};
    muParserHandle_t parser = formula->parser;
    mupClearFun(parser);
    mupClearConst(parser);
    mupSetArgSep(parser, ';');
    mupDefineOprtChars(parser, "@#$~`%");
    mupAddValIdent(parser, number);
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        mupDefineOprt(parser, operators[i].name, operators[i].function, operators[i].precedence,
                      operators[i].association ? muOPRT_ASCT_RIGHT : muOPRT_ASCT_LEFT, 0);
    }
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        mupDefineFun1(parser, functions[i].name, functions[i].function, 0);
    }
    mupDefineFun2(parser, "atan2", formula_atan2, 0);
    mupDefineFun2(parser, "ncr", formula_ncr, 0);
    mupDefineFun2(parser, "npr", formula_npr, 0);
    mupDefineFun2(parser, "pow", formula_pow, 0);
    mupDefineMultFun(parser, "min", formula_min, 0);
    mupDefineMultFun(parser, "max", formula_max, 0);
    mupDefineConst(parser, "pi", 3.14159265358979323846);
    mupDefineConst(parser, "e", 2.71828182845904523536);
    for (int a = 0; a < variables; a++) {
        mupDefineVar(parser, names[a], &formula->at[a]);
    }
}

// What muParser says of `text`, with our operators in it again.
static gyre_result complaint(muParserHandle_t parser, const char *text, int variables)
{
    int position = mupGetErrorPos(parser);
    char why[256] = "";
    const char *said = mupGetErrorMsg(parser);
    strncpy(why, said ? said : "", sizeof why - 1);
    for (char *c = why; *c; c++) {
        const char *found = strchr(theirs, *c);
        *c = found ? ours[found - theirs] : *c;
        *c = *c == '.' && !c[1] ? 0 : *c; // some of its sentences end with one
    }
    size_t length = strlen(text), at = position > 0 ? (size_t)position : 0;
    return wrong(text, variables, at < length ? at : length, why);
}

static gyre_result read_one(const char *text, int variables, gy_formula **formula)
{
    char translated[GY_FORMULA_LENGTH];
    size_t length = strlen(text);
    if (length == 0 || length >= GY_FORMULA_LENGTH) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "found %zu bytes, expected a formula of 1 to %d",
                         length, GY_FORMULA_LENGTH - 1);
    }
    gyre_result result = translate(text, variables, translated);
    if (result) {
        return result;
    }
    gy_formula *made = calloc(1, sizeof *made);
    if (!made || !(made->parser = mupCreate(muBASETYPE_FLOAT))) {
        free(made);
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory for a formula");
    }
    define(made, variables);
    bool failed = mupError(made->parser);
    if (!failed) {
        int values = 0;
        mupSetExpr(made->parser, translated);
        mupEvalMulti(made->parser, &values); // reads it
        failed = mupError(made->parser);
        result =
            failed || values == 1 ? GYRE_OK : wrong(text, variables, 0, "found several values");
    }
    result = failed ? complaint(made->parser, text, variables) : result;
    if (result) {
        gy_formula_free(made);
        return result;
    }
    *formula = made;
    return GYRE_OK;
}

gyre_result gy_formula_read(const char *text, gy_formula **formula)
{
    return read_one(text, 3, formula);
}

gyre_result gy_formula_read_in_time(const char *text, gy_formula **formula)
{
    return read_one(text, 4, formula);
}

double gy_formula_value(gy_formula *formula, const double at[3])
{
    return gy_formula_value_then(formula, at, 0.0);
}

double gy_formula_value_then(gy_formula *formula, const double at[3], double time)
{
    memcpy(formula->at, at, 3 * sizeof *at);
    formula->at[3] = time;
    return mupEval(formula->parser);
}

void gy_formula_free(gy_formula *formula)
{
    if (formula) {
        mupRelease(formula->parser);
        free(formula);
    }
}

#else

gyre_result gy_formula_read(const char *text, gy_formula **formula)
{
    *formula = NULL;
    return gyre_fail(GYRE_ERROR_UNSUPPORTED,
                     "the formula \"%.200s\" cannot be read: this build of gyre is without "
                     "formulas, for muParser was not found when it was configured (Debian: "
                     "libmuparser-dev); numbers and arrays work",
                     text);
}

gyre_result gy_formula_read_in_time(const char *text, gy_formula **formula)
{
    return gy_formula_read(text, formula);
}

double gy_formula_value(gy_formula *formula, const double at[3])
{
    (void)formula, (void)at;
    return 0.0; // none can be made
}

double gy_formula_value_then(gy_formula *formula, const double at[3], double time)
{
    (void)time;
    return gy_formula_value(formula, at);
}

void gy_formula_free(gy_formula *formula)
{
    (void)formula;
}

#endif
