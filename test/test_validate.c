// test/test_validate.c: gyre validate as those who rely on its exit status and its output meet it.
// labels: small
// needs: tool
#define _DEFAULT_SOURCE 1

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/test_validate_XXXXXX";
static char output[1 << 17], page[1 << 21];

// Runs a shell line in the test's folder, $G being the tool; returns its status.
static int shell(const char *line)
{
    char command[2048];
    snprintf(command, sizeof command, "cd %s && G=%s/gyre; (%s) 2>&1", folder, GYRE_BINARY_DIR,
             line);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    size_t size = fread(output, 1, sizeof output - 1, pipe);
    output[size] = 0;
    int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void expect(int status, const char *text, const char *line)
{
    int found = shell(line);
    if (found != status || !strstr(output, text)) {
        fail_msg("%s\nfound status %d, expected %d and \"%s\":\n%s", line, found, status, text,
                 output);
    }
}

static json_t *parse(const char *line, int status)
{
    json_error_t error;
    expect(status, "", line);
    json_t *json = json_loads(output, 0, &error);
    if (!json) {
        fail_msg("%s\nis no JSON: line %d: %s\n%s", line, error.line, error.text, output);
    }
    return json;
}

static double number(const json_t *object, const char *name)
{
    const json_t *found = json_object_get(object, name);
    if (!json_is_number(found)) {
        fail_msg("no number \"%s\" in\n%s", name, output);
    }
    return json_number_value(found);
}

static const char *text(const json_t *object, const char *name)
{
    const char *found = json_string_value(json_object_get(object, name));
    if (!found || !found[0]) {
        fail_msg("no text \"%s\" in\n%s", name, output);
    }
    return found;
}

// What the printed error should be, from the printed value and reference.
static double error_of(const json_t *measure)
{
    double off = number(measure, "value") - number(measure, "reference");
    const char *kind = text(measure, "kind");
    return strcmp(kind, "relative") == 0   ? fabs(off / number(measure, "reference"))
           : strcmp(kind, "absolute") == 0 ? fabs(off)
           : strcmp(kind, "at least") == 0 ? fmax(0.0, -off)
           : strcmp(kind, "at most") == 0  ? fmax(0.0, off)
                                           : NAN;
}

// Checks a report's numbers against each other; returns how many values passed.
static int check_report(const json_t *json, double factor)
{
    const json_t *cases = json_object_get(json, "cases");
    int passed = 0;
    bool all = true;
    assert_true(number(json, "tolerance_factor") == factor);
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *one = json_array_get(cases, i);
        const json_t *measures = json_object_get(one, "measures");
        bool pass = true;
        text(one, "name");
        text(one, "doc");
        text(one, "source");
        assert_true(number(one, "seconds") >= 0.0);
        assert_true(number(one, "processor_seconds") >= 0.0);
        assert_true(json_array_size(measures) > 0);
        for (size_t m = 0; m < json_array_size(measures); m++) {
            const json_t *measure = json_array_get(measures, m);
            double error = number(measure, "error");
            text(measure, "what");
            text(measure, "unit");
            text(measure, "source");
            // Value and reference are printed with nine digits.
            double slack = 2e-8 * (fabs(number(measure, "value")) + 1.0);
            assert_true(fabs(error_of(measure) - error) <= slack);
            bool fits = error <= number(measure, "tolerance");
            assert_true(json_is_true(json_object_get(measure, "pass")) == fits);
            pass = pass && fits;
            passed += fits;
        }
        assert_true(json_is_true(json_object_get(one, "pass")) == pass);
        all = all && pass;
    }
    assert_true(json_is_true(json_object_get(json, "pass")) == all);
    return passed;
}

static void json_says_what_was_found(void **state)
{
    (void)state;
    json_t *json = parse("$G validate slope poisson --quick --json", 0);
    assert_true(json_array_size(json_object_get(json, "cases")) == 2);
    assert_true(check_report(json, 1.0) == 6);
    json_decref(json);
}

static void a_value_that_is_off_ends_with_1(void **state)
{
    (void)state;
    expect(0, "1 case passed", "$G validate poisson --quick");
    expect(1, "FAIL", "$G validate poisson --quick --tolerance 1e-9");
    expect(1, "1 of 2 cases FAILED", "$G validate slope poisson --quick --tolerance 0.04");
    json_t *json = parse("$G validate slope poisson --quick --json --tolerance 1e-9", 1);
    int passed = check_report(json, 1e-9);
    // A slope that floats hold exactly does not move at all.
    assert_true(passed >= 1 && passed < 6);
    json_decref(json);
}

static void mistakes_end_with_2(void **state)
{
    (void)state;
    expect(2, "unknown case \"slop\", did you mean \"slope\"?", "$G validate slop");
    expect(2, "unknown case \"xyzzyxyzzy\"; see: gyre validate --list", "$G validate xyzzyxyzzy");
    expect(2, "unknown case \"slop\"", "$G validate --list slop");
    expect(2, "unknown option --quik, did you mean --quick?", "$G validate --quik");
    expect(2, "--tolerance: found \"x\", expected a number above 0", "$G validate --tolerance x");
    expect(2, "--tolerance: found \"0\"", "$G validate --tolerance 0");
    expect(2, "--tolerance: found \"nan\"", "$G validate --tolerance nan");
    expect(2, "--threads: found \"0\"", "$G validate --threads 0");
    expect(2, "--device: found \"gpu\", expected cpu, vulkan", "$G validate slope --device gpu");
}

/// A scene that says what is known of it is a case, of the album or of the user's own.
static void a_scene_is_a_case(void **state)
{
    (void)state;
    static const char made[] = "cp " GYRE_SOURCE_DIR "/album/standing_vortices.json mine.json; ";
    char line[512];
    expect(0, "speed_error, 64 cells", "$G validate standing_vortices --quick");
    expect(0, "taylor_green", "$G validate --measures");
    snprintf(line, sizeof line, "%s$G validate mine.json --quick", made);
    expect(0, "1 case passed", line);
    // Energy that is asked to have grown.
    snprintf(line, sizeof line,
             "%ssed -i 's/\"value\": 1, \"tolerance\": 0.03/\"value\": 1.1, \"tolerance\": 0.03/' "
             "mine.json; $G validate mine.json --quick",
             made);
    expect(1, "FAIL", line);
    snprintf(line, sizeof line, "%ssed -i 's/courant/courrant/' mine.json; $G validate mine.json",
             made);
    expect(2, "unknown property \"courrant\", did you mean \"courant\"?", line);
    snprintf(line, sizeof line,
             "%ssed -i 's/\"taylor_green\"/\"taylor_gren\"/' mine.json; $G validate mine.json",
             made);
    expect(1, "unknown measure \"taylor_gren\", did you mean \"taylor_green\"?", line);
    expect(2, "none.json: cannot be read", "$G validate none.json");
    expect(2, "--quick and --overnight", "$G validate --quick --overnight");
}

/// A value may be asked of another solver than the scene's, in a plain run.
static void values_are_asked_of_others(void **state)
{
    (void)state;
    static const char made[] =
        "sed 's/\"value\": 1, \"tolerance\": 0.03/"
        "\"value\": 1, \"tolerance\": 0.03, \"by\": \"gas, %s\"/' " GYRE_SOURCE_DIR
        "/album/standing_vortices.json >by.json; "
        "$G validate by.json --quick";
    char line[512];
    snprintf(line, sizeof line, made, "maccormack");
    expect(1, "energy, 64 cells, gas, maccormack", line); // it keeps 0.77
    snprintf(line, sizeof line, made, "conservative");
    expect(0, "energy, 64 cells, gas, conservative", line);
    snprintf(line, sizeof line, made, "cubical");
    expect(1, "unknown solver \"gas, cubical\", did you mean \"gas, cubic\"?", line);
}

/// Every solver is there, or named with the reason, and the paper's is worse by far.
static void flows_run_beside_others(void **state)
{
    (void)state;
    expect(2, "slope is no flow of album/", "$G validate slope --peers");
    json_t *root = parse("$G validate standing_vortices --peers --quick --json", 0), *row;
    json_t *rows = json_object_get(json_array_get(json_object_get(root, "cases"), 0), "peers");
    double own = 0.0, paper = 0.0;
    int solvers = 0, missing = 0;
    size_t i;
    json_array_foreach(rows, i, row)
    {
        const char *by = text(row, "by");
        if (!json_object_get(row, "what")) {
            missing++;
            continue;
        }
        bool it =
            strcmp(text(row, "what"), "speed_error") == 0 && number(row, "cells_along_x") == 64.0;
        solvers += it && json_is_number(json_object_get(row, "ms_per_step"));
        own = it && strcmp(by, "gas, conservative") == 0 ? number(row, "value") : own;
        paper = it && strcmp(by, "classic") == 0 ? number(row, "value") : paper;
    }
    assert_int_equal(solvers, 6);
    assert_int_equal(missing, 2);
    assert_true(own > 0.0 && own < 0.00473 && paper > 50.0 * own);
    json_decref(root);
}

static void every_case_is_listed_with_its_source(void **state)
{
    (void)state;
    json_t *json = parse("$G validate --list --json", 0);
    size_t count = json_array_size(json);
    assert_true(count >= 6);
    expect(1, "all take a longer run", "$G validate sphere_300");
    expect(0, "(with --overnight alone)", "$G validate --list");
    expect(0, "The same on eight times the cells (with --overnight alone)", "$G validate --list");
    for (size_t i = 0; i < count; i++) {
        const json_t *one = json_array_get(json, i);
        assert_non_null(strstr(output, text(one, "name")));
        assert_non_null(strstr(output, text(one, "doc")));
        assert_non_null(strstr(output, text(one, "source")));
    }
    json_decref(json);
    expect(0, "--tolerance FACTOR", "$G help validate");
}

// What keeps watch on the gas is in the short form, which script/test runs, and stays there.
static void the_gas_is_watched(void **state)
{
    static const char *const watched[] = {
        "cavity_100",
        "cavity_400",
        "cavity_1000",
        "decaying_vortices",
        "taylor_green_inviscid",
        "taylor_green_3d",
        "energy",
        "energy_starts",
        "energy_closed",
        "energy_ball",
        "energy_2d",
        "energy_told",
        "wind",
        "open_box",
        "open_plume",
        "open_vortices",
        "totals",
        "budget",
        "zalesak_disk",
        "reversed_vortex",
        "diffusion",
        "vortices_closed",
        "scenes_long",
    };
    (void)state;
    json_t *json = parse("$G validate --list --json", 0);
    for (size_t w = 0; w < sizeof watched / sizeof watched[0]; w++) {
        const json_t *found = NULL;
        for (size_t i = 0; i < json_array_size(json) && !found; i++) {
            const json_t *one = json_array_get(json, i);
            found = strcmp(text(one, "name"), watched[w]) == 0 ? one : NULL;
        }
        if (!found || !json_is_true(json_object_get(found, "quick"))) {
            fail_msg("%s is no quick case of gyre validate", watched[w]);
        }
    }
    json_decref(json);
}

// A case of the gas can fail: with no room for error none of these values passes.
static void a_case_of_the_gas_can_fail(void **state)
{
    (void)state;
    json_t *json = parse("$G validate open_vortices diffusion --quick --json --tolerance 1e-9", 1);
    int passed = check_report(json, 1e-9);
    // What is asked for on the way holds: that the pair gets far enough.
    assert_true(passed >= 1);
    json_decref(json);
}

// ---- the page

// Whether tags are closed in order, attributes quoted and entities known; what is wrong, else NULL.
static const char *ill_formed(const char *at)
{
    static char open[64][16];
    int depth = 0;
    while (*at) {
        if (*at == '&' && strncmp(at, "&lt;", 4) && strncmp(at, "&gt;", 4) &&
            strncmp(at, "&amp;", 5) && strncmp(at, "&quot;", 6)) {
            return at;
        }
        if (*at != '<' || at[1] == '!') {
            at++;
            continue;
        }
        const char *tag = at++;
        bool closing = *at == '/';
        at += closing;
        size_t length = strcspn(at, " />\n");
        if (length == 0 || length > 15 || depth == 64) {
            return tag;
        }
        char name[16];
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        bool quoted = false;
        for (at += length; *at && (quoted || *at != '>'); at++) {
            quoted = *at == '"' ? !quoted : quoted;
            if (*at == '<' || (*at == '=' && !quoted && at[1] != '"')) {
                return tag;
            }
        }
        bool alone = at[-1] == '/';
        if (!*at) {
            return tag;
        }
        if (closing) {
            if (depth == 0 || strcmp(open[--depth], name) != 0) {
                return tag;
            }
        } else if (!alone) {
            strcpy(open[depth++], name);
        }
    }
    return depth == 0 ? NULL : open[depth - 1];
}

/// Reads DIR/index.html, which must be well-formed.
static void read_page(const char *dir)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s/index.html", folder, dir);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t size = fread(page, 1, sizeof page - 1, file);
    fclose(file);
    assert_true(size > 0 && size < sizeof page - 1);
    page[size] = 0;
    const char *wrong = ill_formed(page);
    if (wrong) {
        fail_msg("the page is ill-formed at:\n%.200s", wrong);
    }
}

static int count_of(const char *what)
{
    int count = 0;
    for (const char *at = page; (at = strstr(at, what)) != NULL; at++) {
        count++;
    }
    return count;
}

/// A flow's page has pictures of it when the scene wants them, in the file itself, and how its
/// errors fall; a comparison one by every solver.
static void flows_are_pictured(void **state)
{
    (void)state;
    static const char png[] = "src=\"data:image/png;base64,iVBORw0KGgo";
    expect(0, "1 case passed", "$G validate standing_vortices --quick --report shown");
    read_page("shown");
    assert_int_equal(count_of(png), 1);
    assert_int_equal(count_of("src="), 1);
    assert_non_null(strstr(page, ">at 2 s<"));
    assert_non_null(strstr(page, "Errors over grids"));
    assert_non_null(strstr(page, ">second order<"));
    expect(0, "1 case passed",
           "cp " GYRE_SOURCE_DIR "/album/standing_vortices.json mine.json; "
           "sed -i 's/\"courant\": 0.5,/\"courant\": 0.5, \"pictures\": [{\"at\": 0, \"of\": "
           "\"start\"}, "
           "{\"at\": 0.5}, {\"at\": 9, \"of\": \"end\"}],/' mine.json; "
           "$G validate mine.json --quick --report shown");
    read_page("shown");
    assert_int_equal(count_of(png), 3);
    assert_non_null(strstr(page, ">start, at 0 s<"));
    assert_non_null(strstr(page, ">at 0.5 s<"));
    assert_non_null(strstr(page, ">end, at 2 s<"));
    expect(0, "1 case compared", "$G validate mine.json --quick --peers --report shown");
    read_page("shown");
    assert_int_equal(count_of(png), 5);
    assert_non_null(strstr(page, "classic: it does not have the field"));
    assert_non_null(strstr(page, ">gas, maccormack: at 2 s<"));
    assert_non_null(strstr(page, "Error of speed_error over milliseconds a step"));
    assert_null(strstr(page, "passed"));
    expect(0, "index.html", "ls shown");
    assert_null(strstr(output, ".part"));
}

/// A measure may run a grid anew with other steps, unless it is to take seconds: what it found
/// before stays.
static void a_flow_is_run_again(void **state)
{
    (void)state;
    static const char made[] =
        "sed -e 's/\"cells\": 64 }, { \"cells\": 128 }/\"cells\": 12 }, { \"cells\": 16 }/' "
        "-e 's/\"cells\": 64, \"kind\"/\"cells\": 16, \"kind\"/' "
        "-e 's/\"cells\": 128, \"kind\"/\"cells\": 16, \"kind\"/' "
        "-e 's/\"again\": 64, \"spin_up\": 128/\"again\": 16, \"spin_up\": 16/' -e "
        "'s/\"tolerance\": 0.2/\"tolerance\": 9/' "
        "-e 's/\"value\": 0.001/\"value\": 0.1/' " GYRE_SOURCE_DIR
        "/album/cavity_100.json > mine.json; ";
    char line[640];
    snprintf(line, sizeof line, "%s$G validate mine.json --report again", made);
    expect(0, "dt_order, 16 cells", line);
    assert_non_null(strstr(output, "order of error, 12 to 16 cells"));
    read_page("again");
    assert_int_equal(count_of("src="), 1);
    assert_int_equal(count_of(">Ghia, Ghia &amp; Shin<"), 2);
    expect(0, "u_min, 64 cells", "$G validate cavity_100 --quick");
    assert_null(strstr(output, "dt_"));
}

static void the_page_is_whole(void **state)
{
    (void)state;
    assert_non_null(ill_formed("<a><b></a></b>"));
    assert_non_null(ill_formed("<a>"));
    assert_non_null(ill_formed("a & b"));
    assert_null(ill_formed("<!DOCTYPE html>\n<a b=\"c > d\"><e/>f &amp; g</a>"));
    expect(0, "cases passed", "$G validate slope poisson --quick --report page");
    expect(0, "index.html", "ls page");
    assert_null(strstr(output, ".part"));
    read_page("page");
    // Nothing is fetched from elsewhere.
    assert_null(strstr(page, "http"));
    assert_null(strstr(page, "src="));
    assert_null(strstr(page, "<script"));
    // Both cases, with curves of numbers.
    assert_non_null(strstr(page, "id=\"slope\""));
    assert_non_null(strstr(page, "id=\"poisson\""));
    assert_non_null(strstr(page, "<svg"));
    assert_non_null(strstr(page, "class=\"c0\" d=\"M"));
    assert_null(strstr(page, "nan"));
    assert_null(strstr(page, "inf"));
}

static void a_page_that_cannot_be_written_is_told(void **state)
{
    (void)state;
    expect(1, "no/such/folder cannot be written", "$G validate slope --report no/such/folder");
    expect(1, "file cannot be written", "touch file; $G validate slope --report file");
    // It is told before anything is measured.
    assert_null(strstr(output, "slope:"));
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_says_what_was_found),
        cmocka_unit_test(a_value_that_is_off_ends_with_1),
        cmocka_unit_test(mistakes_end_with_2),
        cmocka_unit_test(a_scene_is_a_case),
        cmocka_unit_test(values_are_asked_of_others),
        cmocka_unit_test(flows_run_beside_others),
        cmocka_unit_test(every_case_is_listed_with_its_source),
        cmocka_unit_test(the_gas_is_watched),
        cmocka_unit_test(a_case_of_the_gas_can_fail),
        cmocka_unit_test(the_page_is_whole),
        cmocka_unit_test(flows_are_pictured),
        cmocka_unit_test(a_flow_is_run_again),
        cmocka_unit_test(a_page_that_cannot_be_written_is_told),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
