// test/test_start.c: how fields begin: numbers, formulas, arrays; flows with a known answer that
// are scenes alone.
// labels: small
// needs: scene
#define _DEFAULT_SOURCE 1
#include "gyre/gyre.h"
#include "gyre/scene.h"
#include "scene/formula.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const double pi = 3.14159265358979323846;
static char folder[] = "/tmp/test_start_XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static double value(const char *text, double x, double y)
{
    gy_formula *formula;
    if (gy_formula_read(text, &formula)) {
        fail_msg("%s", gyre_message());
    }
    double v = gy_formula_value(formula, (double[3]){x, y, 0.25});
    gy_formula_free(formula);
    return v;
}

// Within some 1e-15 of the C library, whose own functions are good to about 1e-16.
static void formulas_have_the_values_of_mathematics(void **state)
{
    static const double at[] = {0, 0.1, 0.49, 1, 1.7, 3.3, 30, 345.6};
    (void)state;
#define NEAR(text, wanted)                                                                         \
    {                                                                                              \
        double v = value(text, x, y), w = (wanted);                                                \
        if (!(fabs(v - w) <= 1e-14 * fmax(1, fabs(w)))) {                                          \
            fail_msg("%s at %g: %.17g, expected %.17g", text, x, v, w);                            \
        }                                                                                          \
    }
    for (int i = -7; i < 8; i++) {
        double x = i < 0 ? -at[-i] : at[i], y = 0.75;
        NEAR("sin(x)", sin(x))
        NEAR("cos(x) - tan(x/9)", cos(x) - tan(x / 9))
        NEAR("exp(x/10)", exp(x / 10))
        NEAR("log(abs(x) + 0.001)", log(fabs(x) + 0.001))
        NEAR("atan(x) + 2*atan2(x, y)", atan(x) + 2 * atan2(x, y))
        NEAR("atan2(x, -y)", atan2(x, -y))
        NEAR("asin(sin(x)/2) + acos(y*cos(x))", asin(sin(x) / 2) + acos(y * cos(x)))
        NEAR("tanh(x) * cosh(y) + sinh(x/20)", tanh(x) * cosh(y) + sinh(x / 20))
        NEAR("x^3 - 2*y^-1", x * x * x - 2 / y)
        NEAR("y^(x/50)", pow(y, x / 50))
        NEAR("log10(10 + abs(x))", log10(10 + fabs(x)))
        NEAR("log2(1 + x*x) * min(x, y, 1) - max(x, -y)",
             log2(1 + x * x) * fmin(fmin(x, y), 1) - fmax(x, -y))
        NEAR("y * -x * 3 % 2 + 2 - -x / 5", fmod(y * -x * 3, 2) + 2 + x / 5)
        NEAR("sqrt(x*x + y^2) + floor(x) % 3", sqrt(x * x + y * y) + fmod(floor(x), 3))
    }
    double x = 2, y = 3;
    NEAR("-x^2", -4)
    NEAR("2^x^y", 256)
    NEAR("--x^2 - - -x + + 3", 5)
    NEAR("2^-x^2 + (-x)^2", 4.0625)
    NEAR("fac(5) + ncr(5, 2) + npr(4, 2)", 142)
    NEAR("1.5e-3 + .5 + 2e+1 + pi - e + z", 0.0015 + 0.5 + 20 + pi - exp(1.0) + 0.25)
    assert_true(isnan(value("log(-1)", 0, 0)) && isnan(value("0/0", 0, 0)));
    static const char *const wrong[] = {
        "",      "x +",     "sin(",   "w",        "sin x y", "1..2",      "(",       "x = 3",
        "\n",    ".",       "1e",     "\xc3\xa4", "x, y",    "sin(x, y)", "min()",   "foo(x)",
        "x $ y", "x = = y", "x <= y", "\"x\"",    "sum(x)",  "_pi",       "rint(x)", "2 x"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        gy_formula *formula;
        assert_int_equal(gy_formula_read(wrong[i], &formula), GYRE_ERROR_ARGUMENT);
    }
}

// The bits, which are those of every machine, compiler and optimisation level.
static void formulas_have_the_same_bits_everywhere(void **state)
{
    static const char *const texts[] = {
        "sin(7*x) * cos(y/3) + tan(x)",   "exp(-x*x) * log(2 + y)",  "atan2(y, x) + asin(x/60)",
        "tanh(x) - sinh(x/30) / cosh(y)", "abs(y)^0.3 + log10(3+x)", "sqrt(x) % 0.7 + x^5"};
    uint64_t hash = 0xcbf29ce484222325u;
    (void)state;
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        for (int i = 1; i < 400; i++) {
            double v = value(texts[t], 0.137 * i, 0.071 * i - 9);
            uint64_t bits;
            memcpy(&bits, &v, sizeof bits);
            hash = (hash ^ bits) * 0x100000001b3u;
        }
    }
    if (hash != 0x30374026cce080a3u) {
        fail_msg("%016llx", (unsigned long long)hash);
    }
}

static double compute(double x, int what)
{
    volatile double a = x * 2.0, b = x + 0.1, c = x * 0.3, d = 0.1 * x; // each rounded
    return what == 0 ? b + 0.2 : what == 1 ? a + 0.7 : what == 2 ? c * 0.7 : d + 0.3 * x;
}

// As they stand: a reader that gathers constants, or contracts, comes to others.
static void formulas_are_computed_as_they_are_written(void **state)
{
    static const char *const texts[] = {"x + 0.1 + 0.2", "x*2 + 0.7", "x*0.3*0.7", "0.1*x + 0.3*x"};
    (void)state;
    for (int t = 0; t < 4; t++) {
        for (int i = 1; i < 200; i++) {
            double x = 0.137 * i, v = value(texts[t], x, 0), w = compute(x, t);
            if (memcmp(&v, &w, sizeof v) != 0) {
                fail_msg("%s at %.17g: %.17g, expected %.17g", texts[t], x, v, w);
            }
        }
    }
}

// Where a program has set another locale, too.
static void formulas_have_a_decimal_point(void **state)
{
    (void)state;
    const char *const with_commas[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "C"};
    for (int i = 0; i < 4 && !setlocale(LC_NUMERIC, with_commas[i]); i++) {
    }
    double v = value("1.5 + max(0.25, 2.5e-1) * x", 2, 0);
    setlocale(LC_NUMERIC, "C");
    assert_true(v == 2.0);
}

// Ranks and signs: the values are those that the same text has in the books.
static void operators_have_their_ranks(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value; // at x = 2, y = 3
    } cases[] = {
        {"1 - x - y", -4},
        {"x ^ y ^ 2", 512},
        {"-x ^ 2", -4},
        {"(-x) ^ 2", 4},
        {"2 ^ -x", 0.25},
        {"--x + + y", 5},
        {"12 / x / y", 2},
        {"12 / (x * y) * 3", 6},
        {"-x * -y", 6},
        {"7 % y * x", 2},
        {"x - -y ^ x", 11},
        {"x ^ -y ^ 2 * 512", 1},
        {"min(y, x, 5) - e", -0.71828182845904509},
        {"atan2(0, x) + pow(x, y)", 8},
        {"((((x))))", 2},
        {"2.5e1 + .5", 25.5},
        {"max(-x, -(y + 1)) / 2", -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double v = value(cases[i].text, 2, 3);
        if (!(fabs(v - cases[i].value) < 1e-12)) {
            fail_msg("%s: %.17g, expected %.17g", cases[i].text, v, cases[i].value);
        }
    }
}

// Every mistake is told with its place; nothing that is cut short or nested without end is read.
static void formulas_that_are_none_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *said;
    } cases[] = {
        {"x +", "at its end: found no value"},
        {"(x", "at its end: found no )"},
        {"x y", "at \"y\": found no operator"},
        {"x)", "at \")\": found no operator"},
        {"x, y", "at \", y\": found several values"},
        {"(x, y)", "at \", y)\": found several values"},
        {"sin x", "at \"x\": a function's values stand in parentheses"},
        {"sin(x, y)", "at \"sin(x, y)\": this function takes one value"},
        {"pow(x)", "at \"pow(x)\": this function takes two values"},
        {"min()", "at \")\": found no value"},
        {"min(x y)", "at \"y)\": found no , or ) behind a value"},
        {"sine(x)", "at \"sine(x)\": there is no such name"},
        {"averylongname", "there is no such name"},
        {"t", "there is no such name"},
        {"1.5.5", "at \".5\": found no operator"},
        {".", "at \".\": found a point without a digit"},
        {"x # y", "at \"# y\": found no operator"},
        {" ", "at its end: found no value"},
        {"x * / y", "at \"/ y\": found no value"},
    };
    gy_formula *formula;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (gy_formula_read(cases[i].text, &formula) != GYRE_ERROR_ARGUMENT ||
            !strstr(gyre_message(), cases[i].said)) {
            fail_msg("%s: %s", cases[i].text, gyre_message());
        }
    }
    char deep[1001];
    for (size_t open = 100; open <= 1000; open += 900) {
        memset(deep, open == 100 ? '(' : '-', sizeof deep);
        memcpy(deep + open, "", 1);
        assert_int_equal(gy_formula_read(deep, &formula), GYRE_ERROR_ARGUMENT);
    }
    memset(deep, '(', 1000);
    deep[1000] = 0;
    assert_int_equal(gy_formula_read(deep, &formula), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "too much stands one in another"));
}

static gyre_scene *made(gyre_device *device, gyre_scene *scene)
{
    if (gyre_scene_create(scene, device)) {
        fail_msg("%s", gyre_message());
    }
    return scene;
}

static gyre_scene *parse(gyre_device *device, const char *json)
{
    gyre_scene *scene;
    if (gyre_scene_parse(json, strlen(json), in_folder("test.json"), &scene)) {
        fail_msg("%s", gyre_message());
    }
    return made(device, scene);
}

/// The greatest difference between a field and what it should be at its samples' places.
static double off(gyre_scene *scene, const char *name, double wanted(double x, double y, double t))
{
    int model, field;
    gyre_field_view v;
    double most = 0;
    assert_int_equal(gyre_scene_field(scene, name, &model, &field), GYRE_OK);
    gyre_model *m = gyre_scene_model(scene, model);
    assert_int_equal(gyre_model_map(m, field, GYRE_READ, &v), GYRE_OK);
    double dx = v.location == GYRE_FACE_X ? 0 : 0.5, dy = v.location == GYRE_FACE_Y ? 0 : 0.5;
    for (int j = 0; j < v.n[1]; j++) {
        for (int i = 0; i < v.n[0]; i++) {
            double h = (double)v.grid.h;
            double w = wanted(h * (i + dx), h * (j + dy), gyre_scene_seconds(scene));
            most = fmax(most, fabs((double)v.data[i + j * v.stride[1]] - w));
        }
    }
    assert_int_equal(gyre_model_unmap(m, field), GYRE_OK);
    return most;
}

static double green_x(double x, double y, double t)
{
    return exp(-8 * pi * pi * 0.01 * t) * sin(2 * pi * x) * cos(2 * pi * y);
}

static double green_y(double x, double y, double t)
{
    return -exp(-8 * pi * pi * 0.01 * t) * cos(2 * pi * x) * sin(2 * pi * y);
}

// The scene that is shipped, against the exact solution of Navier and Stokes' equations.
static void taylor_green_is_a_scene(void **state)
{
    gyre_scene *scene;
    if (gyre_scene_load(GYRE_SOURCE_DIR "/scene/taylor_green.json", &scene)) {
        fail_msg("%s", gyre_message());
    }
    made(*state, scene);
    assert_true(off(scene, "velocity_x", green_x) < 1e-6);
    assert_true(off(scene, "velocity_y", green_y) < 1e-6);
    for (int i = 0; i < 60; i++) {
        assert_int_equal(gyre_scene_step(scene), GYRE_OK);
    }
    double x = off(scene, "gas.velocity_x", green_x), y = off(scene, "gas.velocity_y", green_y);
    print_message("off by %.3g and %.3g of %.3g\n", x, y, exp(-8 * pi * pi * 0.01));
    assert_true(x < 2e-3 && y < 2e-3);
    gyre_scene_destroy(scene);
}

static double stream(double x, double y, double t)
{
    (void)x;
    return exp(-4 * pi * pi * 0.02 * t) * sin(2 * pi * y);
}

static double rest(double x, double y, double t)
{
    (void)x, (void)y, (void)t;
    return 0;
}

#define PERIODIC                                                                                   \
    "\"gravity\": [0, 0, 0], \"sides\": {\"x_low\": {\"rule\": \"periodic\"}, \"x_high\": "        \
    "{\"rule\": \"periodic\"}, \"y_low\": {\"rule\": \"periodic\"}, \"y_high\": {\"rule\": "       \
    "\"periodic\"}}"

// Streams that pass each other slow each other down by viscosity alone.
static void a_shear_layer_is_a_scene(void **state)
{
    gyre_scene *scene =
        parse(*state, "{\"models\": {\"gas\": {\"grid\": {\"dim\": 2, \"n\": [32, 64, 1], "
                      "\"h\": 0.015625}, \"viscosity\": 0.02, " PERIODIC "}}, "
                      "\"start\": {\"velocity_x\": \"sin(2*pi*y)\"}, "
                      "\"time\": {\"fps\": 60}}");
    for (int i = 0; i < 60; i++) {
        assert_int_equal(gyre_scene_step(scene), GYRE_OK);
    }
    double x = off(scene, "velocity_x", stream);
    print_message("off by %.3g of %.3g\n", x, exp(-4 * pi * pi * 0.02));
    assert_true(x < 1e-3);
    assert_true(off(scene, "velocity_y", rest) < 1e-6);
    gyre_scene_destroy(scene);
}

static double third(double x, double y, double t)
{
    (void)x, (void)y, (void)t;
    return 0.25;
}

static double ramp(double x, double y, double t)
{
    (void)x, (void)t;
    return y < 0.25 ? 1 : y > 0.75 ? 3 : 1 + 2 * (y - 0.25) / 0.5;
}

#define BOX "{\"models\": {\"gas\": {\"grid\": {\"dim\": 2, \"n\": [8, 8, 1], \"h\": 0.125}}}"

static void numbers_and_arrays_fill_fields(void **state)
{
    float two[2] = {1, 3};
    gyre_field_view view = {
        two, {1, 2, 1}, {1, 1, 0}, GYRE_CENTRE, {2, {1, 2, 1}, 1.0f, {0.0f, 0.0f, 0.0f}}};
    assert_int_equal(gyre_npy_write(in_folder("two.npy"), &view), GYRE_OK);
    gyre_scene *scene = parse(*state, BOX ", \"start\": {\"gas.density\": 0.25, "
                                          "\"temperature\": \"two.npy\"}}");
    assert_true(off(scene, "density", third) == 0);
    assert_true(off(scene, "temperature", ramp) < 1e-6);
    // Written, it begins alike.
    assert_int_equal(gyre_scene_write(scene, in_folder("again.json")), GYRE_OK);
    gyre_scene *again;
    assert_int_equal(gyre_scene_load(in_folder("again.json"), &again), GYRE_OK);
    made(*state, again);
    assert_true(gyre_scene_hash(again) == gyre_scene_hash(scene));
    gyre_scene_destroy(again);
    gyre_scene_destroy(scene);
    unlink(in_folder("again.json"));
    unlink(in_folder("two.npy"));
}

static void water_begins_as_a_formula_says(void **state)
{
    gyre_scene *scene =
        parse(*state, "{\"models\": {\"gas\": {\"grid\": {\"dim\": 2, \"n\": [8, 8, 1], \"h\": "
                      "0.125}}, \"water\": {\"grid\": {\"n\": [8, 8, 1], \"h\": 0.125}}}, "
                      "\"start\": {\"water.depth\": \"0.5 + 0.1 * x\"}}");
    gyre_model *water = gyre_scene_model(scene, 1);
    double litres = gyre_model_total(water, gyre_model_field(water, "depth"));
    assert_true(fabs(litres - 0.55) < 1e-6);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(gyre_scene_step(scene), GYRE_OK);
    }
    assert_true(fabs(gyre_model_total(water, gyre_model_field(water, "depth")) - litres) < 1e-6);
    gyre_scene_destroy(scene);
}

static void mistakes_are_told(void **state)
{
    static const struct {
        const char *start, *said;
        bool late; // when the models are made
    } cases[] = {
        {"{\"density\": \"sin(\"}",
         "start.density: the formula \"sin(\" goes wrong at its end: ", false},
        {"{\"density\": \"sin(x) * / y\"}", "goes wrong at \"/ y\": found no value; expected",
         false},
        {"{\"density\": [1]}", "expected a number, a formula", false},
        {"{\"density\": \"none.npy\"}", "none.npy", false},
        {"[]", "expected an object of fields", false},
        {"{\"densty\": 1}", "did you mean \"density\"", true},
        {"{\"water.density\": 1}", "start.water.density", true},
        {"{\"vorticity\": 1}", "vorticity", true},
        {"{\"density\": \"log(-1)\"}", "start.density", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char json[512];
        gyre_scene *scene = NULL;
        snprintf(json, sizeof json, BOX ", \"start\": %s}", cases[i].start);
        gyre_result result = gyre_scene_parse(json, strlen(json), "test.json", &scene);
        assert_int_equal(result != GYRE_OK, !cases[i].late);
        result = result ? result : gyre_scene_create(scene, *state);
        assert_int_not_equal(result, GYRE_OK);
        if (!strstr(gyre_message(), cases[i].said)) {
            fail_msg("%s: %s", cases[i].start, gyre_message());
        }
        gyre_scene_destroy(scene);
    }
}

static int begin(void **state)
{
    gyre_device_def def = gyre_default_device_def();
    def.threads = 1;
    return mkdtemp(folder) && gyre_device_create(&def, (gyre_device **)state) == GYRE_OK ? 0 : -1;
}

static int end(void **state)
{
    gyre_device_destroy(*state);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formulas_have_the_values_of_mathematics),
        cmocka_unit_test(formulas_have_the_same_bits_everywhere),
        cmocka_unit_test(formulas_are_computed_as_they_are_written),
        cmocka_unit_test(formulas_have_a_decimal_point),
        cmocka_unit_test(operators_have_their_ranks),
        cmocka_unit_test(formulas_that_are_none_are_refused),
        cmocka_unit_test(taylor_green_is_a_scene),
        cmocka_unit_test(a_shear_layer_is_a_scene),
        cmocka_unit_test(numbers_and_arrays_fill_fields),
        cmocka_unit_test(water_begins_as_a_formula_says),
        cmocka_unit_test(mistakes_are_told),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
