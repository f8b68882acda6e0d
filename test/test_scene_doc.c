// test/test_scene_doc.c: every scene and every command of doc/scene.md is run, and every field and
// every column that the models have stands in its tables.
//
// A block that is marked json belongs to the file named last before it (`fan.json`). The first one
// is the file; those that follow are put into it, object by object, lists as a whole, as the page
// says. Lines of blocks that are marked sh are commands. Either fails the test when the tool
// refuses it or warns.
//
// needs: tool
// timeout: 900
#define _DEFAULT_SOURCE 1

#include "gyre/scene.h"

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
#include <jansson.h>

#define PAGE GYRE_SOURCE_DIR "/doc/scene.md"
// Small pictures of a few frames: what is tested is the page, not the fluid.
#define SHORT " --frames 3 --set output.width=96 --set output.height=64"

static char folder[] = "/tmp/test_scene_doc_XXXXXX";
static char output[1 << 16];

static int shell(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Runs a line in the test's folder; returns its status.
static int shell(const char *format, ...)
{
    char line[2048], command[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    snprintf(command, sizeof command, "cd %s && PATH=%s:$PATH && (%s) 2>&1", folder,
             GYRE_BINARY_DIR, line);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    size_t size = fread(output, 1, sizeof output - 1, pipe);
    output[size] = 0;
    int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// What is known while the page is read from top to bottom.
typedef struct page {
    FILE *file;
    int line;
    char text[1024];
    char name[64];  // of the scene that was named last
    char whole[64]; // of the one that stands in `scene`
    json_t *scene;
    int scenes, patches, commands;
} page;

static bool next(page *p)
{
    p->line++;
    return fgets(p->text, sizeof p->text, p->file) != NULL;
}

// Where a line of text has `NAME.json`, blocks after it are that file.
static void note_name(page *p)
{
    for (const char *at = p->text; (at = strchr(at, '`')); at++) {
        size_t length = strspn(at + 1, "abcdefghijklmnopqrstuvwxyz_0123456789");
        if (length > 0 && length < 50 && strncmp(at + 1 + length, ".json`", 6) == 0) {
            snprintf(p->name, sizeof p->name, "%.*s.json", (int)length, at + 1);
        }
    }
}

static void must_run(int line, int status)
{
    if (status != 0 || strstr(output, "warning")) {
        fail_msg("%s:%d: status %d:\n%s", PAGE, line, status, output);
    }
}

static void take_scene(page *p)
{
    char text[16384] = "";
    size_t used = 0;
    int first = p->line + 1;
    while (next(p) && strncmp(p->text, "```", 3) != 0) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s", p->text);
        assert_true(used < sizeof text);
    }
    json_error_t error;
    json_t *read = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (!read) {
        fail_msg("%s:%d: %s", PAGE, first + error.line - 1, error.text);
    }
    if (p->name[0] == 0) {
        fail_msg("%s:%d: no `NAME.json` stands before this scene", PAGE, first);
    }
    if (strcmp(p->name, p->whole) == 0) {
        assert_int_equal(json_object_update_recursive(p->scene, read), 0);
        json_decref(read);
        p->patches++;
    } else {
        json_decref(p->scene);
        p->scene = read;
        strcpy(p->whole, p->name);
        p->scenes++;
    }
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, p->whole);
    assert_int_equal(json_dump_file(p->scene, path, JSON_INDENT(1)), 0);
    must_run(first, shell("gyre run %s" SHORT " --out x.png --stats x.csv", p->whole));
}

static void take_commands(page *p, bool video)
{
    while (next(p) && strncmp(p->text, "```", 3) != 0) {
        p->text[strcspn(p->text, "#\n")] = 0;
        if (strncmp(p->text, "gyre ", 5) != 0) {
            fail_msg("%s:%d: no command of gyre: %s", PAGE, p->line, p->text);
        }
        if (!video && strstr(p->text, ".mp4")) {
            print_message("%s:%d: left out, for there is no ffmpeg\n", PAGE, p->line);
            continue;
        }
        bool run = strncmp(p->text, "gyre run ", 9) == 0;
        must_run(p->line, shell("%s%s", p->text, run ? SHORT : ""));
        p->commands++;
    }
}

static void all_of_the_page_runs(void **state)
{
    (void)state;
    page p = {.file = fopen(PAGE, "r")};
    assert_non_null(p.file);
    bool video = shell("command -v ffmpeg") == 0;
    while (next(&p)) {
        if (strncmp(p.text, "```json", 7) == 0) {
            take_scene(&p);
        } else if (strncmp(p.text, "```sh", 5) == 0) {
            take_commands(&p, video);
        } else {
            note_name(&p);
        }
    }
    fclose(p.file);
    json_decref(p.scene);
    print_message("%d scenes, %d changes of them, %d commands\n", p.scenes, p.patches, p.commands);
    // The tutorial and its steps, and a recipe per wish.
    assert_true(p.scenes >= 9);
    assert_true(p.patches >= 3);
    assert_true(p.commands >= (video ? 10 : 2));
}

static void what_is_wrong_is_seen(void **state)
{
    (void)state;
    assert_int_equal(
        shell("echo '{\"models\": {\"gas\": {\"emiters\": []}}}' > w.json; gyre run w.json" SHORT),
        1);
    assert_non_null(strstr(output, "did you mean \"emitters\""));
}

// ---- the tables

static char whole[1 << 17];

// The line of a table, between two places of the page, that has `NAME`; NULL: there is none.
static const char *row_of(const char *from, const char *to, const char *name)
{
    char quoted[80];
    snprintf(quoted, sizeof quoted, "`%s`", name);
    const char *at = from ? strstr(from, quoted) : NULL;
    if (!at || (to && at > to)) {
        return NULL;
    }
    while (at > whole && at[-1] != '\n') {
        at--;
    }
    return *at == '|' ? at : NULL;
}

static bool has(const char *row, const char *word)
{
    const char *at = strstr(row, word), *end = strchr(row, '\n');
    return at && at < end;
}

static void fields_stand_in(const gyre_model *model)
{
    char head[64];
    int count;
    const gyre_field_info *info = gyre_model_fields(model, &count);
    snprintf(head, sizeof head, "| **%s** | | | |", gyre_model_type(model));
    const char *from = strstr(whole, head), *to = from ? strstr(from + 1, "| **") : NULL;
    for (int i = 0; i < count; i++) {
        const char *row = row_of(from, to, info[i].name);
        if (!row) {
            fail_msg("%s: the field %s of %s is missing", PAGE, info[i].name,
                     gyre_model_type(model));
        }
        bool centre = info[i].location == GYRE_CENTRE;
        if (has(row, "derived") != info[i].derived || !has(row, centre ? "centres" : "faces")) {
            fail_msg("%s: says something else of %s of %s: %.80s", PAGE, info[i].name,
                     gyre_model_type(model), row);
        }
    }
}

static void columns_stand_in(const gyre_model *model)
{
    const char *from = strstr(whole, "| column | unit | what |");
    char name[80];
    const void *at;
    int count;
    for (const gyre_property *p = gyre_model_stats(model, &at); p->kind != GYRE_END; p++) {
        if (!row_of(from, NULL, p->name)) {
            fail_msg("%s: the column %s is missing", PAGE, p->name);
        }
    }
    const gyre_field_info *info = gyre_model_fields(model, &count);
    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof name, "total_%s", info[i].name);
        if (info[i].total && !row_of(from, NULL, name)) {
            fail_msg("%s: the column %s is missing", PAGE, name);
        }
    }
    const gyre_property *p = gyre_model_report_table(model, "bodies");
    for (; p && p->kind != GYRE_END; p++) {
        snprintf(name, sizeof name, "%s%s", p->name, p->count > 1 ? "_x" : "");
        if (!row_of(from, NULL, name)) {
            fail_msg("%s: the column %s of a body is missing", PAGE, name);
        }
    }
}

static void the_tables_are_whole(void **state)
{
    (void)state;
    static const char *const models[] = {
        "\"gas\": {\"grid\": {\"dim\": 2, \"n\": [16, 16, 1]}}",
        "\"gas\": {\"grid\": {\"dim\": 3, \"n\": [8, 8, 8]}}",
        "\"classic\": {\"grid\": {\"dim\": 2, \"n\": [16, 16, 1]}}",
        "\"classic\": {\"grid\": {\"dim\": 3, \"n\": [8, 8, 8]}}",
        "\"water\": {\"grid\": {\"dim\": 2, \"n\": [16, 16, 1]}}",
        "\"water\": {\"mode\": \"wave\", \"grid\": {\"dim\": 2, \"n\": [16, 16, 1]}}"};
    FILE *file = fopen(PAGE, "r");
    gyre_device *device;
    assert_non_null(file);
    whole[fread(whole, 1, sizeof whole - 1, file)] = 0;
    fclose(file);
    assert_int_equal(gyre_device_create(NULL, &device), GYRE_OK);
    for (int i = 0; i < (int)(sizeof models / sizeof *models); i++) {
        char json[256];
        gyre_scene *scene;
        snprintf(json, sizeof json, "{\"models\": {%s}}", models[i]);
        assert_int_equal(gyre_scene_parse(json, strlen(json), "t.json", &scene), GYRE_OK);
        assert_int_equal(gyre_scene_create(scene, device), GYRE_OK);
        fields_stand_in(gyre_scene_model(scene, 0));
        columns_stand_in(gyre_scene_model(scene, 0));
        gyre_scene_destroy(scene);
    }
    gyre_device_destroy(device);
}

// What the page's scenes name lies in scene/, and is to be copied beside one's own.
static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder)
               ? shell("ln -s %s/scene/*.npy %s/scene/*.png .", GYRE_SOURCE_DIR, GYRE_SOURCE_DIR)
               : -1;
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
        cmocka_unit_test(what_is_wrong_is_seen),
        cmocka_unit_test(all_of_the_page_runs),
        cmocka_unit_test(the_tables_are_whole),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
