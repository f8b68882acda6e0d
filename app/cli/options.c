// cli/options.c: arguments of a command, read and explained from one table.
#include "cli/cli.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int complain(int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("gyre: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return status;
}

int flush_output(void)
{
    // The failed write may lie some lines back; nothing since then has touched errno.
    bool failed = fflush(stdout) != 0 || ferror(stdout);
    return !failed || errno == EPIPE
               ? EXIT_OK
               : complain(EXIT_RUN, "the standard output cannot be written to");
}

const char *format_line(int i, char *endings, size_t size)
{
    const gyre_format *format = gyre_format_at(i);
    size_t used = 0;
    for (int k = 0; format && k < 4 && format->endings[k] && used < size; k++) {
        int put = snprintf(endings + used, size - used, "%s%s", k ? " " : "", format->endings[k]);
        used += put > 0 ? (size_t)put : 0;
    }
    return format ? format->doc : NULL;
}

void print_help(const cli_command *command)
{
    printf("usage: gyre %s %s\n\n%s\n", command->name, command->arguments, command->doc);
    if (command->options && command->options[0].name) {
        printf("\noptions:\n");
    }
    for (const option_line *o = command->options; o && o->name; o++) {
        char left[64];
        snprintf(left, sizeof left, "--%s%s%s%s", o->name, o->value ? " " : "",
                 o->value ? o->value : "", o->many ? " ..." : "");
        printf("  %-24s %s\n", left, o->doc);
    }
    if (command->more) {
        printf("\n%s\n", command->more);
    }
    if (command->options == run_options) {
        char endings[64];
        const char *doc;
        printf("\n");
        for (int i = 0; (doc = format_line(i, endings, sizeof endings)) != NULL; i++) {
            printf("  %-24s %s\n", endings, doc);
        }
    }
}

static const char *name_at(const void *list, int i)
{
    return ((const option_line *)list)[i].name;
}

// `letter`: what getopt found behind one dash, or 0; a whole word behind one dash is meant as one.
static int unknown_option(const cli_command *command, int count, const char *text, int letter)
{
    char name[64];
    const char *word = text + strspn(text, "-"), *nearest;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    nearest = gyre_name_nearest(name, count, name_at, command->options);
    if (letter && !name[1]) {
        int found = 0;
        nearest = NULL;
        for (int i = 0; i < count; i++) {
            if (command->options[i].name[0] == name[0]) {
                nearest = command->options[i].name;
                found++;
            }
        }
        nearest = found == 1 ? nearest : NULL;
    }
    const char *dashes = letter ? "-" : "--";
    return nearest ? complain(EXIT_USAGE, "%s: unknown option %s%s, did you mean --%s?",
                              command->name, dashes, name, nearest)
                   : complain(EXIT_USAGE, "%s: unknown option %s%s; see: gyre help %s",
                              command->name, dashes, name, command->name);
}

static int store(const cli_command *command, const option_line *o, void *target, const char *value)
{
    char *at = (char *)target + o->offset;
    if (!o->value) {
        *(bool *)at = true;
    } else if (o->many) {
        option_list *list = (option_list *)(void *)at;
        if (list->count == OPTION_MOST) {
            return complain(EXIT_USAGE, "%s: more than %d times --%s", command->name, OPTION_MOST,
                            o->name);
        }
        list->items[list->count++] = value;
    } else {
        *(const char **)(void *)at = value;
    }
    return EXIT_OK;
}

int parse_options(const cli_command *command, int argc, char **argv, void *target,
                  option_list *arguments)
{
    // What getopt_long returns for an option: far from 1, which means an argument.
    enum { FIRST = 1000, MOST = 40, HELP = FIRST + MOST };
    struct option longs[MOST + 2];
    int count = 0;
    memset(longs, 0, sizeof longs);
    for (const option_line *o = command->options; o->name && count < MOST; o++, count++) {
        longs[count] = (struct option){o->name, o->value != NULL, NULL, FIRST + count};
    }
    longs[count] = (struct option){"help", no_argument, NULL, HELP};
    opterr = 0;
    optind = 1;
    for (;;) {
        int which = getopt_long(argc, argv, "-:h", longs, NULL);
        int status = EXIT_OK;
        if (which == -1) {
            break;
        }
        if (which == 1) { // an argument that is no option
            if (arguments->count == OPTION_MOST) {
                return complain(EXIT_USAGE, "%s: too many arguments", command->name);
            }
            arguments->items[arguments->count++] = optarg;
        } else if (which == HELP || which == 'h') {
            print_help(command);
            return -1;
        } else if (which == ':') {
            status = complain(EXIT_USAGE, "%s: %s wants a value; see: gyre help %s", command->name,
                              argv[optind - 1], command->name);
        } else if (which == '?') {
            // Within a word behind one dash getopt has not gone on to the next argument yet.
            const char *text = argv[optind - 1];
            if (optopt && optind < argc && argv[optind][0] == '-' && argv[optind][1] == optopt) {
                text = argv[optind];
            }
            status = unknown_option(command, count, text, text[1] == '-' ? 0 : optopt);
        } else {
            status = store(command, &command->options[which - FIRST], target, optarg);
        }
        if (status) {
            return status;
        }
    }
    while (optind < argc && arguments->count < OPTION_MOST) {
        arguments->items[arguments->count++] = argv[optind++];
    }
    return EXIT_OK;
}
