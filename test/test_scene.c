// test/test_scene.c: scene files: messages with line and column, timeline, set, save and resume,
// and the schema, against which the shipped scenes are checked.
#define _DEFAULT_SOURCE 1 // mkstemp, fdopen

#include "gyre/scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static const char good[] =
    "{ \"title\": \"test\",\n"
    "  \"models\": { \"gas\": {\n"
    "    \"grid\": {\"dim\": 2, \"n\": [24, 32, 1], \"h\": 0.02},\n"
    "    \"emitters\": [\n"
    "      {\"name\": \"jet\", \"density\": 2, \"noise\": 0.25,\n"
    "       \"shape\": {\"sphere\": {\"centre\": [0.2, 0.1, 0], \"radius\": 0.08}}},\n"
    "      {\"name\": \"vent\", \"shape\": {\"box\": {\"centre\": [0.3, 0.2, 0]}}}\n"
    "    ]\n"
    "  } },\n"
    "  \"time\": {\"fps\": 20, \"frames\": 40, \"steps_per_frame\": 2},\n"
    "  \"timeline\": [\n"
    "    {\"time\": 0.5, \"path\": \"gas.emitters.vent.noise\", \"value\": 0.75},\n"
    "    {\"time\": 0.2, \"path\": \"gas.emitters.jet.noise\", \"value\": 0.5,\n"
    "     \"interpolation\": \"linear\"},\n"
    "    {\"time\": 0.6, \"path\": \"gas.emitters.jet.noise\", \"value\": 1},\n"
    "    {\"time\": 0.4, \"path\": \"view.exposure\", \"value\": 1.5}\n"
    "  ] }\n";

static gyre_result parse(const char *text, gyre_scene **scene)
{
    // A copy without a zero at its end: nothing may read on.
    size_t size = strlen(text);
    char *copy = malloc(size ? size : 1);
    memcpy(copy, text, size);
    gyre_result result = gyre_scene_parse(copy, size, "s.json", scene);
    free(copy);
    return result;
}

// `text` with the first `from` replaced by `to`.
static gyre_result parse_with(const char *from, const char *to, gyre_scene **scene)
{
    char text[4096];
    const char *at = strstr(good, from);
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, to, at + strlen(from));
    return parse(text, scene);
}

static gyre_scene *open_good(void)
{
    gyre_scene *scene = NULL;
    if (parse(good, &scene)) {
        fail_msg("%s", gyre_message());
    }
    return scene;
}

static gyre_device *open_device(void)
{
    gyre_device_def def = gyre_default_device_def();
    gyre_device *device = NULL;
    def.threads = 1;
    assert_int_equal(gyre_device_create(&def, &device), GYRE_OK);
    return device;
}

static double number_of(const gyre_scene *scene, const char *path)
{
    gyre_value value;
    if (gyre_scene_get(scene, path, &value)) {
        fail_msg("%s", gyre_message());
    }
    return value.number[0];
}

static void a_scene_says_what_it_holds(void **state)
{
    (void)state;
    gyre_scene *scene = open_good();
    assert_int_equal(gyre_scene_model_count(scene), 1);
    assert_string_equal(gyre_scene_model_name(scene, 0), "gas");
    assert_string_equal(gyre_scene_model_type(scene, 0), "gas");
    assert_null(gyre_scene_model(scene, 0));
    assert_null(gyre_scene_model_name(scene, 1));
    const gyre_scene_settings *settings = gyre_scene_get_settings(scene);
    assert_string_equal(settings->title, "test");
    assert_int_equal(settings->time.frames, 40);
    assert_int_equal(settings->output.width, 640);
    assert_true(fabs((double)gyre_scene_dt(scene) - 0.025) < 1e-9);
    assert_true(number_of(scene, "gas.emitters.jet.density") == 2);
    assert_true(number_of(scene, "gas.emitters.1.shape.box.centre") == (double)0.3f);
    gyre_scene_destroy(scene);
}

static void mistakes_are_told_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to, *message;
    } cases[] = {
        {"\"density\": 2", "\"density\": \"x\"",
         "s.json:5:34: gas.emitters.0.density: found the text \"x\", expected a number"},
        {"\"density\": 2", "\"densty\": 2",
         "s.json:5:23: gas.emitters.0.densty: unknown property \"densty\", did you mean "
         "\"density\"?"},
        {"\"grid\": {\"dim\"", "\"cfl\": 4, \"grid\": {\"dim\"",
         "s.json:3:5: gas.cfl: \"cfl\" is called \"courant\" now"},
        {"gas.emitters.vent.noise", "gas.cfl",
         "s.json:12:27: timeline.0.path: gas.cfl: \"cfl\" is called \"courant\" now"},
        {"\"density\": 2", "\"dens\\u0074y\": 2", "s.json:5:23: gas.emitters.0.densty: unknown "},
        {"0.25", "-0.5",
         "s.json:5:46: gas.emitters.0.noise: found -0.5, expected a number from 0 "
         "to 1"},
        {"0.25", "[1]", "s.json:5:46: gas.emitters.0.noise: found a list of 1, expected a number"},
        {"0.25", "1e999", "s.json:5:50: not JSON: real number overflow near '1e999'"},
        {"0.25", "NaN", "s.json:5:"},
        {"[0.2, 0.1, 0]", "[0.2, 0.1]",
         "s.json:6:39: gas.emitters.0.shape.sphere.centre: found a list of 2, expected 3 numbers"},
        {"\"sphere\"", "\"spere\"",
         "s.json:6:18: gas.emitters.0.shape.spere: unknown alternative \"spere\", did you mean "
         "\"sphere\"?"},
        {"\"radius\": 0.08}", "\"radius\": 0.08}, \"box\": {}",
         "s.json:6:17: gas.emitters.0.shape: found 2 members, expected exactly one of them"},
        {"\"vent\"", "\"jet\"",
         "s.json:7:16: gas.emitters.1.name: found \"jet\", which is the name "
         "of element 0"},
        {"{\"box\": {\"centre\": [0.3, 0.2, 0]}}", "{\"volume\": {\"data\": \"none.npy\"}}",
         "s.json:7:53: gas.emitters.1.shape.volume.data: none.npy"},
        {"{\"box\": {\"centre\": [0.3, 0.2, 0]}}", "{\"volume\": {}}",
         "s.json:7:44: gas.emitters.1.shape.volume: found no \"data\", expected the name of a .npy "
         "or .png file"},
        {"\"dim\": 2", "\"dim\": 4",
         "s.json:3:21: gas.grid.dim: found 4, expected a whole number "
         "from 2 to 3"},
        {"\"gas\": {", "\"gas\": {\"grid\": {},", "s.json:3:10: not JSON: duplicate object key"},
        {"\"gas\": {", "\"smoke\": {",
         "s.json:2:15: smoke: unknown model type \"smoke\", expected a member \"type\" such as "
         "\"gas\""},
        {"\"gas\": {", "\"gas\": {\"type\": \"gsa\",",
         "s.json:2:31: gas.type: unknown model type \"gsa\", did you mean \"gas\"?"},
        {"\"gas\": {", "\"camera\": {", "s.json:2:15: camera: found a model named \"camera\""},
        {"\"time\": {", "\"tiem\": {",
         "s.json:10:3: tiem: unknown section \"tiem\", did you mean "
         "\"time\"?"},
        {"\"fps\": 20", "\"fps\": 0", "s.json:10:19: time.fps: found 0, expected a number"},
        {"gas.emitters.vent.noise", "gas.emitters.vemt.noise",
         "s.json:12:27: timeline.0.path: gas.emitters.vemt: unknown element \"vemt\", did you mean "
         "\"vent\"?"},
        {"0.75", "7.5", "s.json:12:63: timeline.0.value: found 7.5, expected a number from 0 to 1"},
        {"0.75", "true", "s.json:12:63: timeline.0.value: found true, expected a number"},
        {"gas.emitters.vent.noise", "gas.grid.n",
         "s.json:12:27: timeline.0.path: found gas.grid.n, which is fixed when the run begins"},
        {"gas.emitters.vent.noise", "time.fps",
         "s.json:12:27: timeline.0.path: found time.fps, which is fixed when the run begins"},
        {"\"time\": 0.5, ", "", "s.json:12:5: timeline.0: found no \"time\", expected one"},
        {"noise\", \"value\": 0.75", "noise\"", "s.json:12:5: timeline.0: found no \"value\""},
        {"\"linear\"", "\"linaer\"",
         "s.json:14:23: timeline.1.interpolation: found \"linaer\" (did you mean \"linear\"?)"},
        {"  ] }\n", "  ]", "s.json:17:3: not JSON: "},
    };
    int wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gyre_scene *scene = NULL;
        assert_int_not_equal(parse_with(cases[i].from, cases[i].to, &scene), GYRE_OK);
        assert_null(scene);
        if (strncmp(gyre_message(), cases[i].message, strlen(cases[i].message)) != 0) {
            print_error("found    %s\nexpected %s\n", gyre_message(), cases[i].message);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

static void odd_texts_are_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "null",
        "[]",
        "{}",
        "{\"models\": []}",
        "{\"models\": {}}",
        "{\"models\": {\"gas\": 1}}",
        "{\"models\": {\"gas\": {\"emitters\": {}}}}",
        "{\"models\": {\"gas\": {\"emitters\": [1]}}}",
        "{\"models\": {\"\": {\"type\": \"gas\"}}}",
        "{\"models\": {\"a.b\": {\"type\": \"gas\"}}}",
        "{\"models\": {\"gas\": {\"type\": 3}}}",
        "{\"models\": {\"gas\": {}}, \"timeline\": {}}",
        "{\"models\": {\"gas\": {}}, \"timeline\": [1]}",
        "{\"models\": {\"gas\": {}}, \"timeline\": [{\"time\": 1, \"path\": \"\", \"value\": 1}]}",
        "{\"models\": {\"gas\": {}}, \"title\": \"\\u0000\"}",
        "{\"models\": {\"gas\": {}}, \"title\": \"\xff\"}",
        "\"models",
        "{\"models\":",
        "{\"models\": {\"gas\": {\"",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        gyre_scene *scene = NULL;
        assert_int_not_equal(parse(texts[i], &scene), GYRE_OK);
        assert_int_equal(strncmp(gyre_message(), "s.json:1:", 9), 0);
    }
    // Deeper than any table: refused, not followed.
    char deep[100001];
    memset(deep, '[', sizeof deep - 1);
    deep[sizeof deep - 1] = 0;
    gyre_scene *scene = NULL;
    assert_int_equal(parse(deep, &scene), GYRE_ERROR_FORMAT);
    // Every cut of a good scene is refused, and none crashes.
    for (size_t cut = 0; cut + 2 < sizeof good; cut++) {
        char text[sizeof good];
        memcpy(text, good, cut);
        text[cut] = 0;
        if (parse(text, &scene) == GYRE_OK) {
            fail_msg("accepted after %zu bytes", cut);
        }
    }
}

static void set_changes_any_property_before_create(void **state)
{
    (void)state;
    gyre_scene *scene = open_good();
    assert_int_equal(gyre_scene_assign(scene, "gas.viscosity=0.125"), GYRE_OK);
    assert_true(number_of(scene, "gas.viscosity") == 0.125);
    assert_int_equal(gyre_scene_set(scene, "gas.grid.n", "[8, 8, 1]"), GYRE_OK);
    assert_true(number_of(scene, "gas.grid.n") == 8);
    assert_int_equal(gyre_scene_assign(scene, "output.width=320"), GYRE_OK);
    assert_int_equal(gyre_scene_get_settings(scene)->output.width, 320);
    assert_int_equal(gyre_scene_assign(scene, "gas.viscsity=1"), GYRE_ERROR_ARGUMENT);
    assert_string_equal(gyre_message(),
                        "gas.viscsity: unknown property \"viscsity\", did you mean \"viscosity\"?");
    assert_int_equal(gyre_scene_assign(scene, "gas.cfl=2"), GYRE_ERROR_ARGUMENT);
    assert_string_equal(gyre_message(), "gas.cfl: \"cfl\" is called \"courant\" now");
    assert_int_equal(gyre_scene_assign(scene, "gsa.viscosity=1"), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "did you mean \"gas\"?"));
    assert_int_equal(gyre_scene_assign(scene, "gas.viscosity"), GYRE_ERROR_ARGUMENT);
    assert_int_equal(gyre_scene_assign(scene, "gas.viscosity=nan"), GYRE_ERROR_ARGUMENT);
    assert_int_equal(gyre_scene_assign(scene, "gas=1"), GYRE_ERROR_ARGUMENT);
    assert_int_equal(gyre_scene_assign(scene, "=1"), GYRE_ERROR_ARGUMENT);
    assert_true(number_of(scene, "gas.viscosity") == 0.125);
    gyre_scene_destroy(scene);
}

static void near(double found, double expected)
{
    if (!(fabs(found - expected) < 1e-5)) {
        fail_msg("found %.9g, expected %.9g", found, expected);
    }
}

static void the_timeline_holds_and_interpolates(void **state)
{
    (void)state;
    gyre_device *device = open_device();
    gyre_scene *scene = open_good();
    assert_int_equal(gyre_scene_step(scene), GYRE_ERROR_STATE);
    assert_int_equal(gyre_scene_create(scene, device), GYRE_OK);
    assert_int_equal(gyre_scene_create(scene, device), GYRE_ERROR_STATE);
    double before = number_of(scene, "view.exposure");
    for (int frame = 1; frame <= 16; frame++) {
        assert_int_equal(gyre_scene_step_frame(scene), GYRE_OK);
        assert_int_equal(gyre_scene_frame(scene), frame);
        // The last step of the frame began here.
        double time = frame * 0.05 - 0.025;
        double jet = time < 0.2 ? 0.25 : time < 0.6 ? 0.5 + 0.5 * (time - 0.2) / 0.4 : 1;
        near(number_of(scene, "gas.emitters.jet.noise"), jet);
        near(number_of(scene, "gas.emitters.vent.noise"), time < 0.5 ? 0 : 0.75);
        near(number_of(scene, "view.exposure"), time < 0.4 ? before : 1.5);
    }
    gyre_scene_destroy(scene);
    gyre_device_destroy(device);
}

static void set_reaches_a_live_model(void **state)
{
    (void)state;
    gyre_device *device = open_device();
    gyre_scene *scene = open_good();
    assert_int_equal(gyre_scene_create(scene, device), GYRE_OK);
    assert_int_equal(gyre_scene_assign(scene, "gas.viscosity=0.25"), GYRE_OK);
    gyre_value value;
    assert_int_equal(gyre_model_get(gyre_scene_model(scene, 0), "viscosity", &value), GYRE_OK);
    assert_true(value.number[0] == 0.25);
    assert_int_equal(gyre_scene_assign(scene, "gas.viscosity=-1"), GYRE_ERROR_ARGUMENT);
    assert_int_equal(gyre_scene_assign(scene, "gas.grid.h=1"), GYRE_ERROR_STATE);
    gyre_scene_destroy(scene);
    gyre_device_destroy(device);
}

static void the_seed_reaches_the_model(void **state)
{
    (void)state;
    gyre_device *device = open_device();
    gyre_scene *scene = open_good();
    double own = number_of(scene, "gas.seed");
    assert_int_equal(gyre_scene_assign(scene, "time.seed=5"), GYRE_OK);
    assert_int_equal(gyre_scene_create(scene, device), GYRE_OK);
    assert_true(number_of(scene, "gas.seed") == own + 5);
    gyre_scene_destroy(scene);
    gyre_device_destroy(device);
}

static void run(gyre_scene *scene, int frames)
{
    for (int i = 0; i < frames; i++) {
        if (gyre_scene_step_frame(scene)) {
            fail_msg("%s", gyre_message());
        }
    }
}

static void a_resumed_run_ends_like_one_never_stopped(void **state)
{
    (void)state;
    char path[] = "/tmp/test_scene_XXXXXX";
    close(mkstemp(path));
    gyre_device *device = open_device();
    gyre_scene *whole = open_good(), *first = open_good(), *second = open_good();
    assert_int_equal(gyre_scene_create(whole, device), GYRE_OK);
    run(whole, 16);
    assert_int_equal(gyre_scene_create(first, device), GYRE_OK);
    run(first, 9);
    assert_int_equal(gyre_scene_save_file(first, path), GYRE_OK);
    assert_int_equal(gyre_scene_load_file(second, path), GYRE_ERROR_STATE);
    assert_int_equal(gyre_scene_create(second, device), GYRE_OK);
    assert_int_equal(gyre_scene_load_file(second, path), GYRE_OK);
    assert_int_equal(gyre_scene_frame(second), 9);
    assert_true(gyre_scene_hash(second) == gyre_scene_hash(first));
    run(second, 7);
    assert_true(gyre_scene_hash(second) == gyre_scene_hash(whole));
    assert_true(gyre_scene_hash(first) != gyre_scene_hash(whole));
    gyre_scene_destroy(whole);
    gyre_scene_destroy(first);
    gyre_scene_destroy(second);
    gyre_device_destroy(device);
    unlink(path);
}

static void a_damaged_checkpoint_is_refused(void **state)
{
    (void)state;
    char path[] = "/tmp/test_scene_XXXXXX";
    close(mkstemp(path));
    gyre_device *device = open_device();
    gyre_scene *scene = open_good(), *other = NULL;
    assert_int_equal(gyre_scene_create(scene, device), GYRE_OK);
    run(scene, 2);
    assert_int_equal(gyre_scene_save_file(scene, path), GYRE_OK);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    static unsigned char bytes[1 << 20];
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_true(size > 64 && size < sizeof bytes);
    uint64_t hash = gyre_scene_hash(scene);
    for (size_t i = 0; i < 64; i++) {
        // Cuts and flipped bits at places spread over the file, its ends included.
        size_t at = i < 32 ? i : i < 48 ? size - 1 - (i - 32) : (i - 48) * (size / 16);
        for (int cut = 0; cut < 2; cut++) {
            bytes[at] ^= cut ? 0 : 0x10;
            file = fopen(path, "wb");
            fwrite(bytes, 1, cut ? at : size, file);
            fclose(file);
            bytes[at] ^= cut ? 0 : 0x10;
            assert_int_equal(gyre_scene_load_file(scene, path), GYRE_ERROR_FORMAT);
            assert_int_equal(gyre_scene_frame(scene), 2);
            assert_true(gyre_scene_hash(scene) == hash);
        }
    }
    file = fopen(path, "wb");
    fwrite(bytes, 1, size, file);
    fclose(file);
    assert_int_equal(gyre_scene_load_file(scene, path), GYRE_OK);
    assert_int_equal(parse_with("[24, 32, 1]", "[24, 33, 1]", &other), GYRE_OK);
    assert_int_equal(gyre_scene_create(other, device), GYRE_OK);
    assert_int_equal(gyre_scene_load_file(other, path), GYRE_ERROR_FORMAT);
    gyre_scene_destroy(other);
    assert_int_equal(parse_with("\"fps\": 20", "\"fps\": 25", &other), GYRE_OK);
    assert_int_equal(gyre_scene_create(other, device), GYRE_OK);
    assert_int_equal(gyre_scene_load_file(other, path), GYRE_ERROR_FORMAT);
    gyre_scene_destroy(other);
    gyre_scene_destroy(scene);
    gyre_device_destroy(device);
    unlink(path);
}

static void statistics_become_a_table(void **state)
{
    (void)state;
    char path[] = "/tmp/test_scene_XXXXXX";
    close(mkstemp(path));
    unlink(path);
    gyre_device *device = open_device();
    gyre_scene *scene = open_good();
    gyre_stats_file *stats = NULL;
    assert_int_equal(gyre_scene_create(scene, device), GYRE_OK);
    assert_int_equal(gyre_stats_open(path, scene, &stats), GYRE_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(gyre_scene_step(scene), GYRE_OK);
        assert_int_equal(gyre_stats_write(stats, 1.5), GYRE_OK);
    }
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(gyre_stats_close(stats), GYRE_OK);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char line[1024], hash[32];
    int lines = 0;
    size_t commas = 0;
    while (fgets(line, sizeof line, file)) {
        size_t here = 0;
        for (const char *c = line; *c; c++) {
            here += *c == ',';
        }
        commas = lines ? commas : here;
        assert_int_equal(here, commas);
        lines++;
    }
    assert_int_equal(lines, 4);
    snprintf(hash, sizeof hash, ",%016llx,1.500\n", (unsigned long long)gyre_scene_hash(scene));
    assert_non_null(strstr(line, hash));
    rewind(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_int_equal(strncmp(line, "step,time,dt,substeps,max_speed,", 32), 0);
    assert_non_null(strstr(line, ",total_density,"));
    assert_non_null(strstr(line, ",hash,ms\n"));
    fclose(file);
    gyre_scene_destroy(scene);
    gyre_device_destroy(device);
    unlink(path);
}

// What the validator needs: Python's jsonschema. Without it the test says that it was skipped.
static const char validator[] =
    "import glob, json, sys\n"
    "try:\n"
    "    import jsonschema\n"
    "except ImportError:\n"
    "    sys.exit(77)\n"
    "schema = json.load(open(sys.argv[1]))\n"
    "jsonschema.Draft202012Validator.check_schema(schema)\n"
    "validator = jsonschema.Draft202012Validator(schema)\n"
    "files = glob.glob(sys.argv[2] + '/*.json')\n"
    "wrong = [(f, e.message[:200]) for f in files\n"
    "         for e in validator.iter_errors(json.load(open(f)))]\n"
    "print(len(files), 'scenes', wrong)\n"
    "bad = json.load(open(files[0]))\n"
    "bad['models'][next(iter(bad['models']))]['no_such_property'] = 1\n"
    // A mistake inside a model is told there, by one sentence.
    "ball = lambda name: {'gas': {'emitters': [{'shape': {'sphere': {name: 1}}}]}}\n"
    "for models, place in [({'gas': {'viscsity': 1}}, ['gas']),\n"
    "                      (ball('radus'), ['gas', 'emitters', 0, 'shape', 'sphere']),\n"
    "                      ({'a': {'type': 'water', 'grid': {'dim': 3}}}, ['a', 'grid', 'dim']),\n"
    "                      ({'a': {'type': 'watr'}}, ['a', 'type']), ({'a': {}}, ['a']),\n"
    "                      ({'gas': {'type': 'water', 'viscosity': 1}}, ['gas'])]:\n"
    "    found = [list(e.absolute_path) for e in validator.iter_errors({'models': models})]\n"
    "    if found != [['models'] + place]:\n"
    "        wrong.append((models, found))\n"
    "for models in [ball('radius'), {'gas': {'type': 'water', 'rain': 1}}, {'a': {'type': "
    "'gas'}}]:\n"
    "    if not validator.is_valid({'models': models}):\n"
    "        wrong.append(models)\n"
    "print(wrong)\n"
    "sys.exit(1 if wrong or len(files) < 7 or validator.is_valid(bad) else 0)\n";

static void shipped_scenes_fit_the_schema(void **state)
{
    (void)state;
    char schema[] = "/tmp/test_scene_XXXXXX", script[] = "/tmp/test_scene_XXXXXX";
    close(mkstemp(script));
    FILE *file = fdopen(mkstemp(schema), "w");
    assert_non_null(file);
    assert_int_equal(gyre_scene_schema(file), GYRE_OK);
    fclose(file);
    file = fopen(script, "w");
    fputs(validator, file);
    fclose(file);
    char command[4096];
    snprintf(command, sizeof command, "/usr/bin/python3 %s %s '%s/scene'", script, schema,
             GYRE_SOURCE_DIR);
    int status = system(command);
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
    unlink(schema);
    unlink(script);
    if (code == 77 || code == 127) {
        print_message("[  NOTE  ] no python3 with jsonschema (Debian: python3-jsonschema)\n");
        skip();
    }
    assert_int_equal(code, 0);
}

static void shipped_scenes_load(void **state)
{
    (void)state;
    static const char *const names[] = {"plume",
                                        "ink_drop",
                                        "colliding_jets",
                                        "smoke_round_solid",
                                        "fog",
                                        "periodic_shear",
                                        "chimney",
                                        "classic_jet",
                                        "taylor_green",
                                        "shear_layer",
                                        "steam",
                                        "boat_in_fog",
                                        "fan",
                                        "draught",
                                        "walker",
                                        "paddle",
                                        "falling_plate",
                                        "heated_room",
                                        "revolving_door",
                                        "breath",
                                        "cigarette",
                                        "smoke_stack",
                                        "hand_fan",
                                        "campfire",
                                        "bunsen",
                                        "fireball",
                                        "torch",
                                        "gas_explosion",
                                        "two_inks",
                                        "ink_in_water",
                                        "coloured_smoke",
                                        "oil_slick",
                                        "marbling",
                                        "veined_smoke",
                                        "canal",
                                        "rice_terraces",
                                        "harbour",
                                        "cloud",
                                        "smoke_ring",
                                        "kelvin_wake",
                                        "storm",
                                        "island",
                                        "nested_lake",
                                        "beach",
                                        "waterfall",
                                        "surfer",
                                        "pool",
                                        "duck_pond",
                                        "ring_through_hoop",
                                        "divided_sea",
                                        "leaves_on_river",
                                        "motor_boat"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[1024];
        gyre_scene *scene = NULL;
        snprintf(path, sizeof path, "%s/scene/%s.json", GYRE_SOURCE_DIR, names[i]);
        gyre_result result = gyre_scene_load(path, &scene);
        if (result) {
            fail_msg("%s", gyre_message());
        }
        assert_true(gyre_scene_get_settings(scene)->title[0] != 0);
        gyre_scene_destroy(scene);
    }
    gyre_scene *scene = NULL;
    assert_int_equal(gyre_scene_load("no/such/file.json", &scene), GYRE_ERROR_FILE);
    assert_non_null(strstr(gyre_message(), "no/such/file.json"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scene_says_what_it_holds),
        cmocka_unit_test(mistakes_are_told_with_their_place),
        cmocka_unit_test(odd_texts_are_refused),
        cmocka_unit_test(set_changes_any_property_before_create),
        cmocka_unit_test(the_timeline_holds_and_interpolates),
        cmocka_unit_test(set_reaches_a_live_model),
        cmocka_unit_test(the_seed_reaches_the_model),
        cmocka_unit_test(a_resumed_run_ends_like_one_never_stopped),
        cmocka_unit_test(a_damaged_checkpoint_is_refused),
        cmocka_unit_test(statistics_become_a_table),
        cmocka_unit_test(shipped_scenes_fit_the_schema),
        cmocka_unit_test(shipped_scenes_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
