// cli/main.c: the tool: gyre COMMAND ...
#define _POSIX_C_SOURCE 200809L
#include "bench/bench.h"
#include "cli/cli.h"
#include "gyre/scene.h"
#include "view/window/options.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static int schema_command(const cli_command *command, int argc, char **argv);
static int bench_command(const cli_command *command, int argc, char **argv);
static int help_command(const cli_command *command, int argc, char **argv);

static const option_line no_options[] = {{0}};

typedef struct help_arguments {
    bool manual;
    const char *shell;
} help_arguments;

static const option_line help_options[] = {
    {"manual", NULL, "print the manual page instead", offsetof(help_arguments, manual), false},
    {"completion", "SHELL", "print what completes words in bash, zsh or fish",
     offsetof(help_arguments, shell), false},
    {0},
};

static const cli_command commands[] = {
    {"run", "SCENE [options]", "Simulates a scene and writes pictures, videos and fields.",
     run_options,
     "The ending of --out chooses what is written, as listed below. %04d in the name makes a file "
     "per\nframe of all but videos. Several --out may be given. Ctrl-C stops after the present "
     "frame "
     "and\ncloses the files as whole shorter ones.",
     run_command},
    {"info", "SCENE [options]",
     "Prints a scene's grid, memory, fields and properties with their present values.",
     info_options, NULL, info_command},
    {"schema", "", "Prints the JSON Schema of scene files, made from the property tables.",
     no_options, NULL, schema_command},
    {"view", "[SCENE] [options]",
     "Opens a window on a scene; see: gyre view --help. Without a scene: a gallery.", NULL,
     VIEW_OPTIONS_HELP, view_command},
    {"saver", "[SCENE] [options]",
     "Shows the scenes, or one, full screen until it is touched; takes -window-id, as screensavers "
     "do.",
     NULL, NULL, saver_command},
    {"validate", "[CASE...] [options]",
     "Holds the models against known answers: exact solutions, published numbers.",
     validate_option_lines,
     "Without a case: all. Ends with status 1 if a value is off by more than its tolerance.",
     validate_command},
    {"bench", "gas|solvers|water|ocean|render|transport|game|view|web [options]",
     "Measures the library on this machine.", NULL, gyre_bench_help, bench_command},
    {"help", "[COMMAND]", "Explains the tool or one command.", help_options, NULL, help_command},
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static const char *command_name(const void *list, int i)
{
    return ((const cli_command *)list)[i].name;
}

static const cli_command *find_command(const char *name)
{
    for (int i = 0; i < COMMANDS; i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    const char *nearest = gyre_name_nearest(name, COMMANDS, command_name, commands);
    if (nearest) {
        complain(EXIT_USAGE, "unknown command \"%s\", did you mean \"%s\"?", name, nearest);
    } else {
        complain(EXIT_USAGE, "unknown command \"%s\"; see: gyre help", name);
    }
    return NULL;
}

static void print_overview(FILE *stream)
{
    fprintf(stream, "usage: gyre COMMAND ...\n\ncommands:\n");
    for (int i = 0; i < COMMANDS; i++) {
        fprintf(stream, "  %-10s %s\n", commands[i].name, commands[i].doc);
    }
    fprintf(stream, "\n  gyre help COMMAND tells more; gyre --version prints the version.\n");
}

static int parse_few(const cli_command *command, int argc, char **argv, void *target,
                     option_list *arguments, int most)
{
    int status = parse_options(command, argc, argv, target, arguments);
    if (status == EXIT_OK && arguments->count > most) {
        return complain(EXIT_USAGE, "%s: \"%s\" is one argument too many", command->name,
                        arguments->items[most]);
    }
    return status;
}

static int schema_command(const cli_command *command, int argc, char **argv)
{
    option_list arguments = {0};
    char nothing;
    int status = parse_few(command, argc, argv, &nothing, &arguments, 0);
    if (status) {
        return status < 0 ? flush_output() : status;
    }
    return gyre_scene_schema(stdout) ? complain(EXIT_RUN, "%s", gyre_message()) : EXIT_OK;
}

static int bench_command(const cli_command *command, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            print_help(command);
            return flush_output();
        }
    }
    return gyre_bench(argc, argv);
}

static int help_command(const cli_command *command, int argc, char **argv)
{
    static const cli_list all = {commands, COMMANDS};
    help_arguments a = {0};
    option_list arguments = {0};
    int status = parse_few(command, argc, argv, &a, &arguments, 1);
    if (status) {
        return status < 0 ? flush_output() : status;
    }
    if (a.shell && !print_completion(&all, a.shell)) {
        return complain(EXIT_USAGE, "--completion: found \"%s\", expected bash, zsh or fish",
                        a.shell);
    }
    if (a.manual) {
        print_manual(&all);
    }
    if (a.shell || a.manual) {
        return flush_output();
    }
    if (arguments.count == 0) {
        print_overview(stdout);
        return flush_output();
    }
    const cli_command *wanted = find_command(arguments.items[0]);
    if (!wanted) {
        return EXIT_USAGE;
    }
    print_help(wanted);
    return flush_output();
}

int main(int argc, char **argv)
{
    // A reader that went away is an error of that write, never the end of the tool.
    signal(SIGPIPE, SIG_IGN);
    if (argc < 2) {
        print_overview(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("gyre %s\n", gyre_version());
        return flush_output();
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_overview(stdout);
        return flush_output();
    }
    const cli_command *command = find_command(argv[1]);
    return command ? command->run(command, argc - 1, argv + 1) : EXIT_USAGE;
}
