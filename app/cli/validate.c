// cli/validate.c: gyre validate: holds the models against known answers.
#include "validate/validate.h"
#include "cli/cli.h"
#include "validate/inner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct validate_arguments {
    const char *report, *tolerance, *device, *threads;
    bool list, measures, json, quick, overnight, peers;
} validate_arguments;

#define TO(member) offsetof(validate_arguments, member)

const option_line validate_option_lines[] = {
    {"list", NULL, "name the cases and where their references come from", TO(list), false},
    {"measures", NULL, "name what scenes of album/ may have measured", TO(measures), false},
    {"json", NULL, "print JSON", TO(json), false},
    {"quick", NULL, "smaller sizes, and only the cases that are quick then", TO(quick), false},
    {"overnight", NULL, "the largest sizes, too, which may take hours", TO(overnight), false},
    {"peers", NULL, "the flows of album/ by every solver, error beside milliseconds", TO(peers),
     false},
    {"report", "DIR", "write a page with plots, DIR/index.html", TO(report), false},
    {"tolerance", "FACTOR", "times every tolerance (default 1)", TO(tolerance), false},
    {"device", "WHICH", "cpu, vulkan or vulkan:NAME", TO(device), false},
    {"threads", "N", "threads to compute on, instead of one per core", TO(threads), false},
    {0},
};

static const char *case_name(const void *list, int i)
{
    return ((const validate_case *)list)[i].name;
}

/// A scene file of the user's, or a case by name.
static const validate_case *find_case(const char *name)
{
    int count;
    const char *ending = strrchr(name, '.');
    if (ending && strcmp(ending, ".json") == 0) {
        gyre_scene *scene;
        const validate_case *own = validate_case_load(name);
        if (own) {
            return own;
        }
        // Says what is wrong with it, if it is there at all.
        if (gyre_scene_load(name, &scene) == GYRE_OK) {
            gyre_scene_destroy(scene);
            complain(EXIT_USAGE, "validate: %s: too many files", name);
        } else {
            complain(EXIT_USAGE, "validate: %s", gyre_message());
        }
        return NULL;
    }
    const validate_case *cases = validate_case_list(&count);
    for (int i = 0; i < count; i++) {
        if (strcmp(cases[i].name, name) == 0) {
            return &cases[i];
        }
    }
    const char *nearest = gyre_name_nearest(name, count, case_name, cases);
    if (nearest) {
        complain(EXIT_USAGE, "validate: unknown case \"%s\", did you mean \"%s\"?", name, nearest);
    } else {
        complain(EXIT_USAGE, "validate: unknown case \"%s\"; see: gyre validate --list", name);
    }
    return NULL;
}

static int read_options(const validate_arguments *a, validate_options *o)
{
    char *end;
    if (a->quick && a->overnight) {
        return complain(EXIT_USAGE, "--quick and --overnight: only one of them");
    }
    *o = (validate_options){.tier = a->quick       ? VALIDATE_QUICK
                                    : a->overnight ? VALIDATE_OVERNIGHT
                                                   : VALIDATE_FULL,
                            .json = a->json,
                            .peers = a->peers,
                            .tolerance = 1.0,
                            .report = a->report,
                            .device = gyre_default_device_def()};
    if (a->device && gyre_device_parse(a->device, &o->device)) {
        return complain(EXIT_USAGE, "--device: %s", gyre_message());
    }
    if (a->tolerance) {
        o->tolerance = strtod(a->tolerance, &end);
        if (end == a->tolerance || *end || !isfinite(o->tolerance) || o->tolerance <= 0.0) {
            return complain(EXIT_USAGE, "--tolerance: found \"%s\", expected a number above 0",
                            a->tolerance);
        }
    }
    if (a->threads) {
        long threads = strtol(a->threads, &end, 10);
        if (end == a->threads || *end || threads < 1 || threads > 256) {
            return complain(EXIT_USAGE, "--threads: found \"%s\", expected a number from 1 to 256",
                            a->threads);
        }
        o->device.threads = (int)threads;
    }
    return EXIT_OK;
}

int validate_command(const cli_command *command, int argc, char **argv)
{
    validate_arguments a = {0};
    validate_options options;
    option_list names = {0};
    const validate_case *chosen[OPTION_MOST + 256], *cases;
    int count = 0, case_count, status = parse_options(command, argc, argv, &a, &names);
    if (status == EXIT_OK) {
        status = read_options(&a, &options);
    }
    if (status) {
        return status < 0 ? flush_output() : status;
    }
    for (int i = 0; i < names.count; i++) {
        chosen[count] = find_case(names.items[i]);
        if (!chosen[count]) {
            return EXIT_USAGE;
        }
        if (a.peers && !chosen[count]->scene) {
            return complain(EXIT_USAGE, "validate: --peers: %s is no flow of album/: gyre alone",
                            names.items[i]);
        }
        count++;
    }
    if (a.list) {
        validate_print_list(a.json);
        return flush_output();
    }
    if (a.measures) {
        validate_print_measures();
        return flush_output();
    }
    // Who names a case wants it, quick or not.
    cases = validate_case_list(&case_count);
    for (int i = 0; i < case_count && names.count == 0; i++) {
        if ((cases[i].quick || !a.quick) && (!cases[i].dear || a.overnight) &&
            (cases[i].scene || !a.peers)) {
            chosen[count++] = &cases[i];
        }
    }
    if (a.report && !validate_page_ready(a.report)) {
        return EXIT_RUN;
    }
    status = validate_all(chosen, count, &options);
    int written = flush_output();
    return status ? status : written;
}
