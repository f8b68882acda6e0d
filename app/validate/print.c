// validate/print.c: findings as a table for people and as JSON.
#define _POSIX_C_SOURCE 200809L
#include "validate/inner.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static const char *const kinds[] = {"relative", "absolute", "at least", "at most"};

const char *validate_kind_name(validate_kind kind)
{
    return kinds[kind];
}

// ---- JSON

static void json_text(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') {
            printf("\\%c", c);
        } else if (c < 0x20) {
            printf("\\u%04x", c);
        } else {
            putchar(c);
        }
    }
    putchar('"');
}

static void json_member(const char *name, const char *text)
{
    printf(", \"%s\": ", name);
    json_text(text);
}

// JSON has no infinity.
static void json_number(const char *name, double number)
{
    if (isfinite(number)) {
        printf(", \"%s\": %.9g", name, number);
    } else {
        printf(", \"%s\": null", name);
    }
}

static void json_case(const validate_case *what, bool first)
{
    printf("%s\n  {\"name\": ", first ? "" : ",");
    json_text(what->name);
    json_member("doc", what->doc);
    json_member("source", what->source);
    printf(", \"quick\": %s", what->quick ? "true" : "false");
}

static void json_result(const validate_result *r, bool first)
{
    json_case(r->what, first);
    printf(", \"pass\": %s", r->pass ? "true" : "false");
    json_number("seconds", r->seconds);
    if (r->message[0]) {
        json_member("message", r->message);
    }
    printf(", \"measures\": [");
    for (int i = 0; i < r->measure_count; i++) {
        const validate_measure *m = &r->measures[i];
        printf("%s\n    {\"what\": ", i ? "," : "");
        json_text(m->what);
        json_member("unit", m->unit);
        json_number("value", m->value);
        json_number("reference", m->reference);
        json_member("source", m->source);
        json_member("kind", kinds[m->kind]);
        json_number("error", m->error);
        json_number("tolerance", m->tolerance);
        printf(", \"pass\": %s}", m->pass ? "true" : "false");
    }
    printf("]}");
}

// ---- the table

void validate_print_head(const validate_options *options)
{
    if (options->json) {
        printf("{\"version\": \"%s\", \"quick\": %s, \"tolerance_factor\": %.9g, \"cases\": [",
               gyre_version(), options->quick ? "true" : "false", options->tolerance);
        return;
    }
    printf("%-54s %11s %11s   %-8s %8s %9s\n", "case: what is measured", "value", "reference",
           "error is", "error", "tolerance");
}

void validate_print_begin(const validate_case *what)
{
    if (isatty(STDERR_FILENO)) {
        fprintf(stderr, "\r%-32s\r", what->name);
        fflush(stderr);
    }
}

void validate_print_result(const validate_result *r, const validate_options *options, bool first)
{
    if (isatty(STDERR_FILENO)) {
        fprintf(stderr, "\r%-32s\r", "");
        fflush(stderr);
    }
    if (options->json) {
        json_result(r, first);
    } else {
        printf("%s: %s (%.1f s)\n", r->what->name, r->what->doc, r->seconds);
        printf("  reference: %s\n", r->what->source);
        for (int i = 0; i < r->measure_count; i++) {
            const validate_measure *m = &r->measures[i];
            char what[128];
            bool unit = m->unit[0] && strcmp(m->unit, "1") != 0;
            snprintf(what, sizeof what, "%s%s%s", m->what, unit ? ", " : "", unit ? m->unit : "");
            printf("  %-52s %11.6g %11.6g   %-8s %8.2g %9.2g  %s\n", what, m->value, m->reference,
                   kinds[m->kind], m->error, m->tolerance, m->pass ? "pass" : "FAIL");
            if (strcmp(m->source, r->what->source) != 0) {
                printf("    reference: %s\n", m->source);
            }
        }
        if (r->message[0]) {
            printf("  FAIL: %s\n", r->message);
        }
    }
    fflush(stdout);
}

void validate_print_end(const validate_result *results, int count, double seconds,
                        const validate_options *options)
{
    int failed = 0;
    for (int i = 0; i < count; i++) {
        failed += !results[i].pass;
    }
    if (options->json) {
        printf("\n], \"pass\": %s, \"seconds\": %.3f}\n", failed ? "false" : "true", seconds);
    } else if (failed) {
        printf("%d of %d cases FAILED, %.1f s\n", failed, count, seconds);
    } else {
        printf("%d cases passed, %.1f s\n", count, seconds);
    }
}

void validate_print_list(bool json)
{
    printf(json ? "[" : "");
    for (int i = 0; i < validate_case_count; i++) {
        const validate_case *c = &validate_cases[i];
        if (json) {
            json_case(c, i == 0);
            printf("}");
        } else {
            printf("%-22s %s%s\n%-22s   %s\n", c->name, c->doc,
                   c->quick ? "" : " (not with --quick)", "", c->source);
        }
    }
    printf(json ? "\n]\n" : "");
}
