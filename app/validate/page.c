// validate/page.c: the report: one HTML file that needs nothing else. It is well-formed XML, too.
#define _POSIX_C_SOURCE 200809L
#include "validate/inner.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char style[] =
    ":root { color-scheme: light dark; --ink: #1b1f24; --soft: #667; --line: #d4d8de;\n"
    "  --paper: #fff; --c0: #0b62c4; --c1: #c2410c; --c2: #0f7b4f; --c3: #8b3fb5; --c4: #8a6d00;\n"
    "  --c5: #555; --good: #0f7b4f; --bad: #c01818; }\n"
    "@media (prefers-color-scheme: dark) { :root { --ink: #e6e8eb; --soft: #9aa3ad;\n"
    "  --line: #3a414a; --paper: #15181c; --c0: #6db3ff; --c1: #ff9b63; --c2: #5fd3a0;\n"
    "  --c3: #d49bf5; --c4: #e3c04b; --c5: #aaa; --good: #5fd3a0; --bad: #ff7b7b; } }\n"
    "body { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--paper);\n"
    "  max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }\n"
    "h2 { margin: 2.4rem 0 .2rem; font-size: 1.15rem; } p { margin: .3rem 0; }\n"
    ".soft, figcaption { color: var(--soft); }\n"
    "table { border-collapse: collapse; margin: .6rem 0; font-variant-numeric: tabular-nums; }\n"
    "th, td { padding: .15rem .7rem .15rem 0; text-align: right; vertical-align: top; }\n"
    "th { font-weight: 600; border-bottom: 1px solid var(--line); }\n"
    "th:first-child, td:first-child, .left { text-align: left; }\n"
    ".wide { overflow-x: auto; } .pass { color: var(--good); } .FAIL { color: var(--bad);\n"
    "  font-weight: 700; } a { color: inherit; }\n"
    ".plots { display: flex; flex-wrap: wrap; gap: 1rem; } figure { margin: 0; flex: 1 1 22rem;\n"
    "  max-width: 30rem; } .shot { flex: 1 1 14rem; max-width: 20rem; } svg, img { width: 100%; "
    "height: auto; display: block; }\n"
    "svg text { font-size: 12px; fill: var(--ink); } .grid { stroke: var(--line); }\n"
    ".frame { fill: none; stroke: var(--soft); }\n"
    "svg path[class^=c] { fill: none; stroke-width: 1.8; stroke-linejoin: round; }\n"
    ".dash { stroke-dasharray: 5 4; }\n"
    "svg circle { fill: none; stroke-width: 1.5; }\n"
    ".c0, .p0 { stroke: var(--c0); } .c1, .p1 { stroke: var(--c1); } .c2, .p2 { stroke: var(--c2); "
    "}\n"
    ".c3, .p3 { stroke: var(--c3); } .c4, .p4 { stroke: var(--c4); } .c5, .p5 { stroke: var(--c5); "
    "}\n";

static const char *verdict(bool pass)
{
    return pass ? "pass" : "FAIL";
}

/// Of a case that was compared there is nothing to pass.
static const char *outcome(const validate_result *r)
{
    return r->pass && r->peer_count > 0 ? "compared" : verdict(r->pass);
}

static void text(FILE *out, const char *before, const char *inner, const char *after)
{
    fputs(before, out);
    validate_escape(out, inner);
    fputs(after, out);
}

static void write_summary(FILE *out, const validate_result *results, int count)
{
    fputs("<div class=\"wide\"><table>\n<tr><th>case</th><th class=\"left\">what it is</th>"
          "<th>values</th><th>seconds</th><th></th></tr>\n",
          out);
    for (int i = 0; i < count; i++) {
        const validate_result *r = &results[i];
        int pass = 0;
        for (int m = 0; m < r->measure_count; m++) {
            pass += r->measures[m].pass;
        }
        text(out, "<tr><td><a href=\"#", r->what->name, "\">");
        text(out, "", r->what->name, "</a></td>");
        text(out, "<td class=\"left\">", r->what->doc, "</td>");
        fprintf(out, "<td>%d of %d</td><td>%.1f</td><td class=\"%s\">%s</td></tr>\n", pass,
                r->measure_count, r->seconds, outcome(r), outcome(r));
    }
    fputs("</table></div>\n", out);
}

static void write_measure(FILE *out, const validate_result *r, const validate_measure *m)
{
    bool unit = m->unit[0] && strcmp(m->unit, "1") != 0;
    text(out, "<tr><td>", m->what, unit ? ", " : "");
    text(out, "", unit ? m->unit : "", "</td>");
    fprintf(out, "<td>%.6g</td><td>%.6g</td><td class=\"left\">%s</td><td>%.2g</td><td>%.2g</td>",
            m->value, m->reference, validate_kind_name(m->kind), m->error, m->tolerance);
    fprintf(out, "<td class=\"%s\">%s</td>", verdict(m->pass), verdict(m->pass));
    text(out, "<td class=\"left soft\">", strcmp(m->source, r->what->source) ? m->source : "",
         "</td></tr>\n");
}

/// The flow by every solver: value and error beside what a step takes.
static void write_peers(FILE *out, const validate_result *r)
{
    fputs("<div class=\"wide\"><table>\n<tr><th>by</th><th class=\"left\">what</th><th>cells</th>"
          "<th>value</th><th>error</th><th>ms a step</th><th></th></tr>\n",
          out);
    for (int i = 0; i < r->peer_count; i++) {
        const validate_peer *p = &r->peers[i];
        const double numbers[] = {p->value, p->error, p->ms};
        text(out, "<tr><td>", p->by, "</td>");
        text(out, "<td class=\"left\">", p->name, "</td>");
        fprintf(out, p->cells > 0 ? "<td>%d</td>" : "<td></td>", p->cells);
        for (int n = 0; n < 3; n++) {
            fprintf(out, isnan(numbers[n]) ? "<td></td>" : "<td>%.5g</td>", numbers[n]);
        }
        text(out, "<td class=\"left soft\">", p->note, "</td></tr>\n");
    }
    fputs("</table></div>\n", out);
}

static void write_case(FILE *out, const validate_result *r, const char *folder)
{
    text(out, "<h2 id=\"", r->what->name, "\">");
    text(out, "", r->what->name, "");
    fprintf(out, " <span class=\"%s\">%s</span></h2>\n", outcome(r), outcome(r));
    text(out, "<p>", r->what->doc, "</p>\n");
    text(out, "<p class=\"soft\">Reference: ", r->what->source, "</p>\n");
    if (r->message[0]) {
        text(out, "<p class=\"FAIL\">", r->message, "</p>\n");
    }
    if (r->measure_count > 0) {
        fputs("<div class=\"wide\"><table>\n<tr><th>measured</th><th>value</th><th>reference</th>"
              "<th class=\"left\">error is</th><th>error</th><th>tolerance</th><th></th><th></th>"
              "</tr>\n",
              out);
        for (int m = 0; m < r->measure_count; m++) {
            write_measure(out, r, &r->measures[m]);
        }
        fputs("</table></div>\n", out);
    }
    if (r->peer_count > 0) {
        write_peers(out, r);
    }
    fputs("<div class=\"plots\">\n", out);
    for (int p = 0; p < r->picture_count; p++) {
        validate_picture_write(out, &r->pictures[p], folder);
    }
    for (int p = 0; p < r->plot_count; p++) {
        validate_plot_draw(out, &r->plots[p]);
    }
    fputs("</div>\n", out);
}

static bool complain(const char *path)
{
    fprintf(stderr, "gyre: validate: %s cannot be written: %s\n", path, strerror(errno));
    return false;
}

bool validate_page_ready(const char *folder)
{
    struct stat found;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        return complain(folder);
    }
    if (stat(folder, &found) != 0) {
        return complain(folder);
    }
    if (!S_ISDIR(found.st_mode)) {
        errno = ENOTDIR;
        return complain(folder);
    }
    return access(folder, W_OK) == 0 || complain(folder);
}

bool validate_page_write(const char *folder, const validate_result *results, int count,
                         double seconds, const validate_options *options)
{
    static const char name[] = "/index.html";
    size_t size = strlen(folder) + sizeof name + 8;
    char *path = malloc(size), *part = malloc(size);
    FILE *out = NULL;
    bool done = false;
    int failed = 0;
    if (path && part) {
        snprintf(path, size, "%s%s", folder, name);
        snprintf(part, size, "%s%s.part", folder, name);
        out = fopen(part, "w");
    }
    if (out) {
        for (int i = 0; i < count; i++) {
            failed += !results[i].pass;
        }
        fprintf(out,
                "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>\n"
                "<meta name=\"viewport\" content=\"width=device-width\"/>\n"
                "<title>gyre: validation</title>\n<style>\n%s</style></head><body>\n",
                style);
        fprintf(out,
                "<h1>gyre %s: validation</h1>\n<p>%d of %d cases %s in %.1f s%s. Made by "
                "<code>gyre validate</code>.</p>\n",
                gyre_version(), count - failed, count, options->peers ? "compared" : "passed",
                seconds, options->tier == VALIDATE_QUICK ? ", at the small sizes of --quick" : "");
        if (options->tolerance != 1.0) {
            fprintf(out, "<p class=\"FAIL\">Tolerances are %g times what they should be.</p>\n",
                    options->tolerance);
        }
        write_summary(out, results, count);
        for (int i = 0; i < count; i++) {
            write_case(out, &results[i], folder);
        }
        fputs("</body></html>\n", out);
        bool bad = ferror(out) != 0;
        done = fclose(out) == 0 && !bad && rename(part, path) == 0;
    }
    if (!done) {
        complain(path ? path : folder);
        if (out) {
            remove(part);
        }
    }
    free(path);
    free(part);
    return done;
}
