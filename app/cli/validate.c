// cli/validate.c: gyre validate: holds the models against known answers.
#include "validate/validate.h"
#include "cli/cli.h"
#include "validate/inner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct validate_arguments {
    const char *report, *tolerance, *device, *threads;
    bool list, json, quick;
} validate_arguments;

#define TO(member) offsetof(validate_arguments, member)

const option_line validate_option_lines[] = {
    {"list", NULL, "name the cases and where their references come from", TO(list), false},
    {"json", NULL, "print JSON", TO(json), false},
    {"quick", NULL, "smaller sizes, and only the cases that are quick then", TO(quick), false},
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

static const validate_case *find_case(const char *name)
{
    for (int i = 0; i < validate_case_count; i++) {
        if (strcmp(validate_cases[i].name, name) == 0) {
            return &validate_cases[i];
        }
    }
    const char *nearest = gyre_name_nearest(name, validate_case_count, case_name, validate_cases);
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
    *o = (validate_options){.quick = a->quick,
                            .json = a->json,
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
    const validate_case *chosen[OPTION_MOST + 64];
    int count = 0, status = parse_options(command, argc, argv, &a, &names);
    if (status == EXIT_OK) {
        status = read_options(&a, &options);
    }
    if (status) {
        return status < 0 ? flush_output() : status;
    }
    for (int i = 0; i < names.count; i++) {
        chosen[count] = find_case(names.items[i]);
        if (!chosen[count++]) {
            return EXIT_USAGE;
        }
    }
    if (a.list) {
        validate_print_list(a.json);
        return flush_output();
    }
    // Who names a case wants it, quick or not.
    for (int i = 0; i < validate_case_count && names.count == 0; i++) {
        if (validate_cases[i].quick || !a.quick) {
            chosen[count++] = &validate_cases[i];
        }
    }
    if (a.report && !validate_page_ready(a.report)) {
        return EXIT_RUN;
    }
    status = validate_all(chosen, count, &options);
    int written = flush_output();
    return status ? status : written;
}
