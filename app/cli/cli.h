// cli/cli.h: what the files of the tool share.
#ifndef CLI_H
#define CLI_H

#include "gyre/gyre.h"
#include "gyre/scene.h"

#include <stddef.h>

enum { EXIT_OK = 0, EXIT_RUN = 1, EXIT_USAGE = 2, EXIT_SIGNAL = 128 }; // and the signal

/// One option of a command. The same line parses it and prints its help.
typedef struct option_line {
    const char *name;  // without the two dashes
    const char *value; // what the help calls its value; NULL: the option takes none
    const char *doc;
    size_t offset; // of a bool (no value), a const char * or, with `many`, an option_list
    bool many;
} option_line;

enum { OPTION_MOST = 128 };

typedef struct option_list {
    int count;
    const char *items[OPTION_MOST];
} option_list;

/// A command of the tool.
typedef struct cli_command {
    const char *name, *arguments, *doc;
    const option_line *options; // closed by a line without a name; NULL: it reads its own arguments
    const char *more;           // further lines of its help; may be NULL
    int (*run)(const struct cli_command *command, int argc, char **argv);
} cli_command;

/// Parses argv[1] on into `target`. Options may stand anywhere; what is no option goes to
/// `arguments`. Returns EXIT_OK, EXIT_USAGE after saying what is wrong, or -1 after printing help.
int parse_options(const cli_command *command, int argc, char **argv, void *target,
                  option_list *arguments);

void print_help(const cli_command *command);

/// What the i-th format of gyre_format_at() writes, and its endings; NULL past the end.
const char *format_line(int i, char *endings, size_t size);

/// All commands of the tool.
typedef struct cli_list {
    const cli_command *commands;
    int count;
} cli_list;

/// Prints the manual page, for man.
void print_manual(const cli_list *list);
/// Prints what completes words in a shell: "bash", "zsh" or "fish"; false: none of these.
bool print_completion(const cli_list *list, const char *shell);

/// Prints "gyre: SENTENCE" on the standard error and returns `status`.
int complain(int status, const char *format, ...) GYRE_PRINTF(2, 3);

/// Reads a scene from a file; "-" is the standard input.
gyre_result load_scene(const char *path, gyre_scene **scene);

/// Writes out what was printed. A reader that had enough (gyre info SCENE | head) is no failure.
int flush_output(void);

int run_command(const cli_command *command, int argc, char **argv);
int info_command(const cli_command *command, int argc, char **argv);
int view_command(const cli_command *command, int argc, char **argv);
int saver_command(const cli_command *command, int argc, char **argv);
int validate_command(const cli_command *command, int argc, char **argv);

extern const option_line run_options[], info_options[], validate_option_lines[];

/// A line on the terminal that tells how far a run is.
typedef struct progress {
    bool quiet, terminal, shown;
    int64_t first, total; // frames
    double start, last;   // s
} progress;

void progress_begin(progress *p, bool quiet, int64_t first, int64_t total);
/// `what`: what a frame makes beside its steps ("picture"), and how long that took; NULL: nothing.
void progress_frame(progress *p, int64_t done, double ms_per_step, const char *what, double ms);
/// Ends the line, so that what follows starts on its own.
void progress_end(progress *p);

/// Seconds from some fixed moment.
double now(void);

#endif
