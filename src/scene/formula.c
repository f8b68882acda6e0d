// scene/formula.c: formulas, with functions whose bits do not depend on the machine.
//
// The C library's transcendental functions differ between machines in their last bits. Those below
// are made of IEEE's +, -, *, / and sqrt in a fixed order (contraction is off), and of floor, fmod,
// frexp and ldexp, which are exact; their errors are some 1e-16 of the greater of 1 and the value.
// A formula is read by recursive descent into a list for a stack of values, and computed as it is
// written: nothing is gathered. A value costs one call of a function for each operator.
#include "scene/formula.h"

#include <locale.h>
#include <math.h>
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

// What a formula may call. count: how many values; 0: any number from 1 on.
static const struct {
    const char *name;
    int count;
    union {
        double (*one)(double);
        double (*two)(double, double);
        double (*any)(const double *, int);
    } call;
} functions[] = {
    {"abs", 1, {.one = fabs}},          {"acos", 1, {.one = formula_acos}},
    {"asin", 1, {.one = formula_asin}}, {"atan", 1, {.one = formula_atan}},
    {"ceil", 1, {.one = ceil}},         {"cos", 1, {.one = formula_cos}},
    {"cosh", 1, {.one = formula_cosh}}, {"exp", 1, {.one = formula_exp}},
    {"fac", 1, {.one = formula_fac}},   {"floor", 1, {.one = floor}},
    {"ln", 1, {.one = formula_log}},    {"log", 1, {.one = formula_log}},
    {"log2", 1, {.one = formula_log2}}, {"log10", 1, {.one = formula_log10}},
    {"sin", 1, {.one = formula_sin}},   {"sinh", 1, {.one = formula_sinh}},
    {"sqrt", 1, {.one = sqrt}},         {"tan", 1, {.one = formula_tan}},
    {"tanh", 1, {.one = formula_tanh}}, {"atan2", 2, {.two = formula_atan2}},
    {"ncr", 2, {.two = formula_ncr}},   {"npr", 2, {.two = formula_npr}},
    {"pow", 2, {.two = formula_pow}},   {"min", 0, {.any = formula_min}},
    {"max", 0, {.any = formula_max}},
};

// Operators of two values: the higher rank comes first. A sign is of the rank of products, so that
// -a^b is -(a^b).
static const struct {
    char name;
    int rank;
    double (*compute)(double, double);
} operators[] = {
    {'+', 1, add},    {'-', 1, subtract}, {'*', 2, multiply},
    {'/', 2, divide}, {'%', 2, fmod},     {'^', 3, formula_pow},
};
enum { SIGN = 2, DEEPEST = 200 };

// A formula is a list of what is done with a stack of values, in the order in which it is written.
typedef enum action { NUMBER, VARIABLE, NEGATE, OPERATE, CALL } action;
typedef struct step {
    action action;
    int which, count; // variable, operator or function; values of a call
    double number;
} step;

struct gy_formula {
    int variables, count;
    const char *text, *at; // while it is read
    int depth;
    bool failed;
    double *stack; // of values that wait
    step steps[];
};

// Tells what is wrong where the formula is read; the first mistake counts.
static void wrong(gy_formula *f, const char *why)
{
    if (!f->failed) {
        gyre_fail(GYRE_ERROR_ARGUMENT,
                  "the formula \"%.200s\" goes wrong at %s%.40s%s: %s; expected numbers, x, y, "
                  "z,%s pi, e, + - * / %% ^, parentheses and functions such as sin",
                  f->text, *f->at ? "\"" : "", *f->at ? f->at : "its end", *f->at ? "\"" : "", why,
                  f->variables > 3 ? " t," : "");
    }
    f->failed = true;
}

static char next(gy_formula *f)
{
    while (*f->at == ' ') {
        f->at++;
    }
    return *f->at;
}

static bool takes(gy_formula *f, char c)
{
    bool there = next(f) == c;
    f->at += there;
    return there;
}

static void append(gy_formula *f, step s)
{
    f->steps[f->count++] = s; // there are no more of them than bytes of the text
}

static void read_sum(gy_formula *f, int rank);

// The values of a call in parentheses.
static void read_call(gy_formula *f, int which, const char *name)
{
    int wanted = functions[which].count, count = 0;
    if (!takes(f, '(')) {
        wrong(f, "a function's values stand in parentheses");
        return;
    }
    do {
        read_sum(f, 0);
        count++;
    } while (!f->failed && takes(f, ','));
    if (!f->failed && !takes(f, ')')) {
        wrong(f, *f->at ? "found no , or ) behind a value" : "found no )");
    } else if (!f->failed && wanted && count != wanted) {
        f->at = name;
        wrong(f, wanted == 1 ? "this function takes one value" : "this function takes two values");
    }
    append(f, (step){CALL, which, count, 0.0});
}

static void read_name(gy_formula *f)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
    static const char *const variables[4] = {"x", "y", "z", "t"};
    const char *name = f->at;
    size_t length = strspn(name, letters);
    char word[8] = "";
    memcpy(word, name, length < sizeof word ? length : 0); // longer ones are none
    for (int i = 0; i < f->variables; i++) {
        if (strcmp(word, variables[i]) == 0) {
            f->at += length;
            append(f, (step){VARIABLE, i, 0, 0.0});
            return;
        }
    }
    if (strcmp(word, "pi") == 0 || strcmp(word, "e") == 0) {
        f->at += length;
        append(f, (step){NUMBER, 0, 0, word[1] ? 3.14159265358979323846 : 2.71828182845904523536});
        return;
    }
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strcmp(word, functions[i].name) == 0) {
            f->at += length;
            read_call(f, (int)i, name);
            return;
        }
    }
    wrong(f, "there is no such name");
}

// A number, a name, or what stands in parentheses.
static void read_value(gy_formula *f)
{
    char c = next(f);
    if ((c >= '0' && c <= '9') || c == '.') {
        char *end;
        double number = formula_strtod(f->at, &end);
        if (end == f->at) {
            wrong(f, "found a point without a digit");
            return;
        }
        f->at = end;
        append(f, (step){NUMBER, 0, 0, number});
    } else if ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_') {
        read_name(f);
    } else if (c == '(') {
        f->at++;
        read_sum(f, 0);
        if (!f->failed && !takes(f, ')')) {
            wrong(f, *f->at == ',' ? "found several values" : "found no )");
        }
    } else {
        wrong(f, "found no value");
    }
}

// Signs and a value, then operators of a rank above `rank` and what they are for.
static void read_sum(gy_formula *f, int rank)
{
    bool minus = false;
    if (++f->depth > DEEPEST) {
        wrong(f, "too much stands one in another");
    }
    for (char c = next(f); c == '+' || c == '-'; c = next(f)) {
        minus = c == '-' ? !minus : minus;
        f->at++;
    }
    if (f->failed) {
        return;
    }
    if (minus) {
        read_sum(f, SIGN);
        append(f, (step){NEGATE, 0, 0, 0.0});
    } else {
        read_value(f);
    }
    for (bool found = true; found && !f->failed;) {
        char c = next(f);
        found = false;
        for (int i = 0; i < (int)(sizeof operators / sizeof *operators); i++) {
            if (operators[i].name == c && operators[i].rank > rank) {
                f->at++;
                // a^b^c is a^(b^c)
                read_sum(f, operators[i].rank - (c == '^'));
                append(f, (step){OPERATE, i, 0, 0.0});
                found = true;
            }
        }
    }
    f->depth--;
}

// How many values wait at most.
static int highest(const gy_formula *f)
{
    int high = 0, now = 0;
    for (int i = 0; i < f->count; i++) {
        const step *s = &f->steps[i];
        now += s->action == NUMBER || s->action == VARIABLE ? 1
               : s->action == OPERATE                       ? -1
               : s->action == CALL                          ? 1 - s->count
                                                            : 0;
        high = now > high ? now : high;
    }
    return high;
}

static gyre_result read_one(const char *text, int variables, gy_formula **formula)
{
    size_t length = strlen(text);
    if (length == 0 || length >= GY_FORMULA_LENGTH) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "found %zu bytes, expected a formula of 1 to %d",
                         length, GY_FORMULA_LENGTH - 1);
    }
    gy_formula *made = calloc(1, sizeof *made + (length + 1) * sizeof *made->steps);
    if (!made) {
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory for a formula");
    }
    made->variables = variables;
    made->text = made->at = text;
    read_sum(made, 0);
    if (!made->failed && next(made)) {
        wrong(made, *made->at == ',' ? "found several values" : "found no operator");
    }
    gyre_result result = made->failed ? GYRE_ERROR_ARGUMENT : GYRE_OK;
    if (!result) {
        made->stack = malloc((size_t)highest(made) * sizeof *made->stack);
        result = made->stack ? GYRE_OK : gyre_fail(GYRE_ERROR_MEMORY, "no memory for a formula");
    }
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
    double *top = formula->stack; // behind the last value
    for (int i = 0; i < formula->count; i++) {
        const step *s = &formula->steps[i];
        switch (s->action) {
        case NUMBER:
            *top++ = s->number;
            break;
        case VARIABLE:
            *top++ = s->which < 3 ? at[s->which] : time;
            break;
        case NEGATE:
            top[-1] = -top[-1];
            break;
        case OPERATE:
            top--;
            top[-1] = operators[s->which].compute(top[-1], *top);
            break;
        case CALL:
            top -= s->count - 1;
            top[-1] = functions[s->which].count == 1 ? functions[s->which].call.one(top[-1])
                      : functions[s->which].count == 2
                          ? functions[s->which].call.two(top[-1], *top)
                          : functions[s->which].call.any(top - 1, s->count);
            break;
        }
    }
    return *formula->stack;
}

void gy_formula_free(gy_formula *formula)
{
    if (formula) {
        free(formula->stack);
        free(formula);
    }
}
