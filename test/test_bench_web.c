// test/test_bench_web.c: gyre bench web where something is missing, its native side, and a module
// whose states are not the tool's. What the module costs is measured by hand.
// labels: long
// needs: tool
#define _DEFAULT_SOURCE 1

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

static char folder[] = "/tmp/test_bench_web_XXXXXX";
static char output[1 << 16];

// Runs a shell line in the sources' folder: $G the tool, $T the test's folder; returns its status.
static int shell(const char *line)
{
    char command[4096];
    snprintf(command, sizeof command, "cd %s && G=%s/gyre T=%s; (%s) 2>&1", GYRE_SOURCE_DIR,
             GYRE_BINARY_DIR, folder, line);
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

static void what_is_missing_is_told(void **state)
{
    (void)state;
    expect(1, "script/web --build makes the module; there is no ", "$G bench web --module $T/none");
    expect(1, "there is no bench/web/bench.mjs", "cd $T && $G bench web");
    expect(1, "there is no node", "touch $T/gyre.wasm && PATH=/none $G bench web --module $T");
    expect(2, "--quik\nusage: gyre bench web", "$G bench web --quik");
    expect(2, "--case\nusage: gyre bench web", "$G bench web --case");
}

// Sixteen hexadecimal digits after `before` in the output.
static void digits(const char *before, char hash[17])
{
    const char *at = strstr(output, before);
    if (!at || strspn(at + strlen(before), "0123456789abcdef") < 16) {
        fail_msg("no hash after %s in\n%s", before, output);
        return;
    }
    memcpy(hash, at + strlen(before), 16);
    hash[16] = 0;
}

static void the_native_side_comes_to_the_tools_state(void **state)
{
    (void)state;
    static const char *const names[] = {"water_256", "sea_256", "smoke_solid_64"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char line[512], served[17], run[17];
        snprintf(line, sizeof line,
                 "echo '{\"what\":\"open\",\"name\":\"bench/web/%s.json\"}\n"
                 "{\"what\":\"step\",\"steps\":3%s}\n{\"what\":\"hash\"}' | $G bench web --serve",
                 names[i], i == 1 ? ",\"field\":\"height\"" : "");
        expect(0, "\"ms\":", line);
        digits("\"value\":\"", served);
        snprintf(line, sizeof line, "$G run bench/web/%s.json --frames 3", names[i]);
        expect(0, "hash ", line);
        digits("hash ", run);
        assert_string_equal(served, run);
    }
    expect(0, "\"error\":", "echo '{\"what\":\"step\"}' | $G bench web --serve");
    expect(0, "\"error\":", "echo 'no json' | $G bench web --serve");
    expect(0, "\"error\":", "echo '{\"what\":\"open\",\"name\":\"none\"}' | $G bench web --serve");
}

// What gyre.js gives, of a module that does nothing.
static const char fake[] =
    "export default async () => ({ HEAP32: new Int32Array(64), _web_malloc: () => 8,"
    " _web_free() {}, stringToUTF8() {}, lengthBytesUTF8: () => 1,"
    " _web_open: () => 0, _web_step: () => 0, _web_map: () => 0, _web_unmap: () => 0,"
    " _web_hash: () => 8, UTF8ToString: () => '0123456789abcdef', _web_close() {} });\n";

static void other_bits_are_a_failure(void **state)
{
    (void)state;
    if (shell("command -v node") != 0) {
        print_message("there is no node: nothing was tried\n");
        skip();
    }
    char path[256];
    snprintf(path, sizeof path, "%s/gyre.js", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(fake, file);
    assert_int_equal(fclose(file), 0);
    expect(1, "Node.js 0123456789abcdef",
           "touch $T/gyre.wasm; echo '{\"type\":\"module\"}' >$T/package.json; "
           "GYRE_CHROMIUM=/none $G bench web --quick --case sea_256 --module $T");
    assert_non_null(strstr(output, "sea_256: not the same bits: native "));
    assert_non_null(strstr(output, "not measured: no chromium"));
    expect(1, "there is no case sea; there are dye_512, ", "$G bench web --case sea --module $T");
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int drop_folder(void **state)
{
    (void)state;
    return shell("rm -r $T");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_missing_is_told),
        cmocka_unit_test(the_native_side_comes_to_the_tools_state),
        cmocka_unit_test(other_bits_are_a_failure),
    };
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
