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

static void json_peers(const validate_result *r)
{
    for (int i = 0; i < r->peer_count; i++) {
        const validate_peer *p = &r->peers[i];
        printf("%s\n    {\"by\": ", i ? "," : ", \"peers\": [");
        json_text(p->by);
        if (p->name[0]) {
            json_member("what", p->name);
            json_member("unit", p->unit);
            printf(", \"cells_along_x\": %d", p->cells);
            json_number("value", p->value);
            json_number("error", p->error);
            json_number("ms_per_step", p->ms);
        }
        if (p->note[0]) {
            json_member("note", p->note);
        }
        printf("}");
    }
    printf(r->peer_count ? "]" : "");
}

static void json_result(const validate_result *r, bool first)
{
    json_case(r->what, first);
    printf(", \"pass\": %s", r->pass ? "true" : "false");
    json_number("seconds", r->seconds);
    json_number("processor_seconds", r->worked);
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
    printf("]");
    json_peers(r);
    if (r->grid_count > 0 && r->peer_count == 0) {
        printf(", \"grids\": [");
        for (int i = 0; i < r->grid_count; i++) {
            const validate_grid_cost *g = &r->grids[i];
            printf("%s{\"cells_along_x\": %d, \"cells\": %lld, \"ms_per_step\": %.4g}",
                   i ? ", " : "", g->cells, g->in_all, g->ms);
        }
        printf("]");
    }
    printf("}");
}

// ---- the table

static void put_number(double number, const char *format)
{
    if (isnan(number)) {
        printf(" %11s", "");
    } else {
        printf(format, number);
    }
}

static void print_peers(const validate_result *r)
{
    for (int i = 0; i < r->peer_count; i++) {
        const validate_peer *p = &r->peers[i];
        if (!p->name[0]) {
            printf("  %s%s%s\n", p->by, p->note[0] ? ": " : "", p->note);
            continue;
        }
        printf("  %-24s %-20s %6d", p->by, p->name, p->cells);
        put_number(p->value, " %11.5g");
        put_number(p->error, " %11.2g");
        put_number(p->ms, " %11.3g");
        printf("%s%s\n", p->note[0] ? "  " : "", p->note);
    }
}

void validate_print_head(const validate_options *options)
{
    if (options->json) {
        printf("{\"version\": \"%s\", \"quick\": %s, \"tolerance_factor\": %.9g, \"cases\": [",
               gyre_version(), options->tier == VALIDATE_QUICK ? "true" : "false",
               options->tolerance);
        return;
    }
    if (options->peers) {
        printf("  %-24s %-20s %6s %11s %11s %11s\n", "by", "what", "cells", "value", "error",
               "ms a step");
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

void validate_print_progress(const validate_case *what, int cells, double share)
{
    static int last = -1;
    int now = cells * 1000 + (int)(100.0 * share);
    if (now != last && isatty(STDERR_FILENO)) {
        fprintf(stderr, "\r%-32s %5d cells across, %3.0f %%\r", what->name, cells, 100.0 * share);
        fflush(stderr);
        last = now;
    }
}

void validate_print_result(const validate_result *r, const validate_options *options, bool first)
{
    if (isatty(STDERR_FILENO)) {
        fprintf(stderr, "\r%-64s\r", "");
        fflush(stderr);
    }
    if (options->json) {
        json_result(r, first);
    } else {
        printf("%s: %s (%.1f s, processor %.1f s)\n", r->what->name, r->what->doc, r->seconds,
               r->worked);
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
        print_peers(r);
        for (int i = 0; i < r->grid_count && r->peer_count == 0; i++) {
            printf("%s%d cells across %.3g ms", i ? ", " : "  a step takes on ", r->grids[i].cells,
                   r->grids[i].ms);
        }
        printf(r->grid_count && r->peer_count == 0 ? "\n" : "");
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
    double worked = 0.0;
    for (int i = 0; i < count; i++) {
        failed += !results[i].pass;
        worked += results[i].worked;
    }
    if (options->json) {
        printf("\n], \"pass\": %s, \"seconds\": %.3f, \"processor_seconds\": %.3f}\n",
               failed ? "false" : "true", seconds, worked);
        return;
    }
    if (options->peers) {
        printf("%d case%s compared", count, count == 1 ? "" : "s");
    } else if (failed) {
        printf("%d of %d cases FAILED", failed, count);
    } else {
        printf("%d case%s passed", count, count == 1 ? "" : "s");
    }
    printf(", %.1f s, processor %.1f s\n", seconds, worked);
}

void validate_print_list(bool json)
{
    printf(json ? "[" : "");
    int count;
    const validate_case *cases = validate_case_list(&count);
    for (int i = 0; i < count; i++) {
        const validate_case *c = &cases[i];
        if (json) {
            json_case(c, i == 0);
            printf("}");
        } else {
            printf("%-22s %s%s\n%-22s   %s\n", c->name, c->doc,
                   c->quick  ? ""
                   : c->dear ? " (with --overnight alone)"
                             : " (not with --quick)",
                   "", c->source);
        }
    }
    printf(json ? "\n]\n" : "");
}
