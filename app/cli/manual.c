// cli/manual.c: the manual page and the completions of shells, made from the tables that parse and
// explain the commands, so that nothing has to be told twice. The build prints and installs them.
#include "cli/cli.h"
#include "validate/validate.h"

#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

/// One option as it is told: of a table, or of a line "  --name VALUE  what it does" of a text.
typedef struct told {
    char name[40], value[40], doc[512];
} told;

typedef void tell(const cli_command *command, const told *option, void *context);

static void copy(char *to, size_t size, const char *from, size_t length)
{
    length = length < size - 1 ? length : size - 1;
    memcpy(to, from, length);
    to[length] = 0;
}

/// Reads the option at the start of a line and moves on; false where there is none.
static bool read_told(const char **text, told *t)
{
    const char *at = *text + 4;
    if (strncmp(*text, "  --", 4) != 0) {
        return false;
    }
    size_t name = strcspn(at, " \n");
    copy(t->name, sizeof t->name, at, name);
    at += name;
    // One space and a value, or more spaces and the explanation.
    size_t value = at[0] == ' ' && at[1] != ' ' ? strcspn(at + 1, " \n") : 0;
    copy(t->value, sizeof t->value, at + 1, value);
    at += value ? value + 1 : 0;
    size_t used = 0;
    do {
        at += strspn(at, " ");
        size_t length = strcspn(at, "\n");
        int put = snprintf(t->doc + used, sizeof t->doc - used, "%s%.*s", used ? " " : "",
                           (int)length, at);
        used += put > 0 && (size_t)put < sizeof t->doc - used ? (size_t)put : 0;
        at += length + (at[length] == '\n');
    } while (strncmp(at, "        ", 8) == 0);
    // "..." says that it may be given again.
    if (strncmp(t->doc, "...", 3) == 0) {
        memmove(t->doc, t->doc + 3 + strspn(t->doc + 3, " "),
                strlen(t->doc + 3 + strspn(t->doc + 3, " ")) + 1);
    }
    *text = at;
    return true;
}

/// All options of a command, of its table and of its further lines.
static void each_option(const cli_command *command, tell *visit, void *context)
{
    told t;
    for (const option_line *o = command->options; o && o->name; o++) {
        copy(t.name, sizeof t.name, o->name, strlen(o->name));
        copy(t.value, sizeof t.value, o->value ? o->value : "", o->value ? strlen(o->value) : 0);
        copy(t.doc, sizeof t.doc, o->doc, strlen(o->doc));
        visit(command, &t, context);
    }
    for (const char *at = command->more; at && *at;) {
        if (read_told(&at, &t)) {
            visit(command, &t, context);
        } else {
            at += strcspn(at, "\n");
            at += *at == '\n';
        }
    }
    t = (told){"help", "", "explain this command"};
    visit(command, &t, context);
}

// ---- words that may follow

/// What may stand behind an option: words, or files.
static bool is_file(const told *t)
{
    return strncmp(t->value, "FILE", 4) == 0 || strcmp(t->value, "PATH") == 0 ||
           strcmp(t->value, "DIR") == 0;
}

static void put_words(const told *t)
{
    if (strcmp(t->name, "device") == 0) {
        printf("cpu vulkan");
    } else if (strcmp(t->name, "isa") == 0) {
        for (int i = 0; gyre_isa_name(i); i++) {
            printf("%s%s", i ? " " : "", gyre_isa_name(i));
        }
    } else if (strcmp(t->name, "solver") == 0) {
        for (int i = 1; gyre_solver_names[i]; i++) {
            printf("%s%s", i > 1 ? " " : "", gyre_solver_names[i]);
        }
    }
}

static bool has_words(const told *t)
{
    return strcmp(t->name, "device") == 0 || strcmp(t->name, "isa") == 0 ||
           strcmp(t->name, "solver") == 0;
}

static bool takes_scene(const cli_command *command)
{
    return strstr(command->arguments, "SCENE") != NULL;
}

/// Words that a command's argument may be: cases, commands, or those of a list a|b|c.
static bool put_arguments(const cli_list *list, const cli_command *command)
{
    const char *text = command->arguments;
    size_t length = strcspn(text, " ");
    if (strncmp(text, "[CASE", 5) == 0) {
        int case_count;
        const validate_case *cases = validate_case_list(&case_count);
        for (int i = 0; i < case_count; i++) {
            printf("%s%s", i ? " " : "", cases[i].name);
        }
    } else if (strncmp(text, "[COMMAND", 8) == 0) {
        for (int i = 0; i < list->count; i++) {
            printf("%s%s", i ? " " : "", list->commands[i].name);
        }
    } else if (memchr(text, '|', length)) {
        for (size_t i = 0; i < length; i++) {
            putchar(text[i] == '|' ? ' ' : text[i]);
        }
    } else {
        return false;
    }
    return true;
}

// ---- the page

/// Text as troff takes it: a line must not begin with a dot, a backslash is one, a dash a minus.
static void put_troff(const char *text)
{
    bool start = true;
    for (; *text; text++) {
        if (start && (*text == '.' || *text == '\'')) {
            fputs("\\&", stdout);
        }
        if (*text == '\\') {
            fputs("\\e", stdout);
        } else if (*text == '-') {
            fputs("\\-", stdout);
        } else {
            putchar(*text);
        }
        start = *text == '\n';
    }
}

static void page_option(const cli_command *command, const told *t, void *context)
{
    (void)command, (void)context;
    printf(".TP\n\\fB\\-\\-");
    put_troff(t->name);
    printf("\\fR");
    if (t->value[0]) {
        printf(" \\fI");
        put_troff(t->value);
        printf("\\fR");
    }
    printf("\n");
    put_troff(t->doc[0] ? t->doc : "prints the version");
    printf("\n");
}

/// What of a command's further lines is no option.
static void page_more(const char *text)
{
    bool gap = true;
    told t;
    while (text && *text) {
        if (read_told(&text, &t)) {
            gap = true;
            continue;
        }
        size_t length = strcspn(text, "\n");
        // Headings of lists are those of this page.
        bool heading = length > 0 && text[length - 1] == ':' && text[0] != ' ';
        char line[512];
        copy(line, sizeof line, text + strspn(text, " "), length - strspn(text, " "));
        if (!heading && line[0]) {
            // Indented lines stand by themselves; others are one paragraph.
            printf("%s", gap ? ".PP\n" : text[0] == ' ' ? ".br\n" : "");
            put_troff(line);
            printf("\n");
            gap = false;
        }
        text += length + (text[length] == '\n');
    }
}

static void page_formats(void)
{
    char endings[64];
    const char *doc;
    for (int i = 0; (doc = format_line(i, endings, sizeof endings)) != NULL; i++) {
        printf(".TP\n\\fB");
        put_troff(endings);
        printf("\\fR\n");
        put_troff(doc);
        printf("\n");
    }
}

void print_manual(const cli_list *list)
{
    printf(".\\\" Made by: gyre help --manual\n.TH GYRE 1 \"\" \"gyre %s\" \"gyre\"\n",
           gyre_version());
    printf(".SH NAME\ngyre \\- simulates gases and water from scene files\n");
    printf(".SH SYNOPSIS\n");
    for (int i = 0; i < list->count; i++) {
        printf("%s\\fBgyre %s\\fR ", i ? ".br\n" : "", list->commands[i].name);
        put_troff(list->commands[i].arguments);
        printf("\n");
    }
    printf(".SH DESCRIPTION\nA scene is a JSON file of models, their properties, a timeline, a "
           "camera and a light;\n\\fBgyre schema\\fR prints what may stand in it. Simulated, it "
           "becomes videos, pictures, fields and\nstatistics.\n.SH COMMANDS\n");
    for (int i = 0; i < list->count; i++) {
        const cli_command *c = &list->commands[i];
        printf(".SS gyre %s ", c->name);
        put_troff(c->arguments);
        printf("\n");
        put_troff(c->doc);
        printf("\n");
        each_option(c, page_option, NULL);
        page_more(c->more);
        if (c->options == run_options) {
            page_formats();
        }
    }
    printf(
        ".SH EXIT STATUS\n"
        ".TP\n0\nAll went well.\n"
        ".TP\n%d\nIt failed, and said why on the standard error.\n"
        ".TP\n%d\nIt was called wrongly.\n"
        ".TP\n%d\nIt was stopped by Ctrl\\-C; its files are whole, and shorter. Another signal's\n"
        "number is added to %d in the same way.\n",
        EXIT_RUN, EXIT_USAGE, EXIT_SIGNAL + SIGINT, EXIT_SIGNAL);
    printf(
        ".SH EXAMPLES\n.nf\n"
        "gyre run plume.json \\-\\-out plume.mp4 \\-\\-out frame%%04d.png \\-\\-stats plume.csv\n"
        "gyre run ink_drop.json \\-\\-set gas.viscosity=1e\\-4 \\-\\-out ink.gif\n"
        "gyre run fog.json \\-\\-field density \\-\\-out fog%%04d.vti\n"
        "gyre info plume.json\n.fi\n");
}

// ---- bash

static void bash_option(const cli_command *command, const told *t, void *context)
{
    (void)command, (void)context;
    printf(" --%s", t->name);
}

/// What follows one option: a line of a case statement.
static void bash_value(const cli_command *command, const told *t, void *context)
{
    (void)context;
    if (!t->value[0]) {
        return;
    }
    printf("    %s:--%s) ", command->name, t->name);
    if (has_words(t)) {
        printf("COMPREPLY=($(compgen -W '");
        put_words(t);
        printf("' -- \"$word\")) ;;\n");
    } else if (is_file(t)) {
        printf("IFS=$'\\n'; COMPREPLY=($(compgen -f -- \"$word\")); compopt -o filenames "
               "2>/dev/null ;;\n");
    } else {
        printf("COMPREPLY=() ;;\n");
    }
}

static void print_bash(const cli_list *list)
{
    printf("# bash completion of gyre. Made by: gyre help --completion bash\n"
           "_gyre() {\n"
           "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
           "  local command=${COMP_WORDS[1]} IFS=$' \\t\\n'\n"
           "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
           "    COMPREPLY=($(compgen -W '");
    for (int i = 0; i < list->count; i++) {
        printf("%s ", list->commands[i].name);
    }
    printf("--help --version' -- \"$word\"))\n    return\n  fi\n"
           "  case $command:$before in\n");
    for (int i = 0; i < list->count; i++) {
        each_option(&list->commands[i], bash_value, NULL);
    }
    printf("    *)\n      local words= scene=\n      case $command in\n");
    for (int i = 0; i < list->count; i++) {
        const cli_command *c = &list->commands[i];
        printf("        %s)\n          words='", c->name);
        put_arguments(list, c);
        each_option(c, bash_option, NULL);
        printf("'\n          scene=%s\n          ;;\n", takes_scene(c) ? "1" : "");
    }
    printf("      esac\n"
           "      COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
           "      if [ -n \"$scene\" ] && [[ $word != -* ]]; then\n"
           "        IFS=$'\\n'\n"
           "        COMPREPLY=($(compgen -f -X '!*.json' -- \"$word\") $(compgen -d -- "
           "\"$word\"))\n"
           "        compopt -o filenames 2>/dev/null\n"
           "      fi\n"
           "      ;;\n"
           "  esac\n}\n"
           "complete -F _gyre gyre\n");
}

// ---- zsh

/// Text inside of '...[...]': without what would end it.
static void put_zsh(const char *text)
{
    for (; *text; text++) {
        if (*text == '\'') {
            fputs("'\\''", stdout);
        } else {
            printf("%s%c", strchr("[]:\\", *text) ? "\\" : "", *text);
        }
    }
}

static void zsh_option(const cli_command *command, const told *t, void *context)
{
    (void)command, (void)context;
    printf("        '*--%s[", t->name);
    put_zsh(t->doc);
    printf("]");
    if (t->value[0]) {
        printf(":");
        put_zsh(t->value);
        printf(":");
        if (has_words(t)) {
            printf("(");
            put_words(t);
            printf(")");
        } else if (is_file(t)) {
            printf("_files");
        }
    }
    printf("' \\\n");
}

static void print_zsh(const cli_list *list)
{
    printf("#compdef gyre\n# Made by: gyre help --completion zsh\n"
           "_gyre() {\n"
           "  local -a commands\n  commands=(\n");
    for (int i = 0; i < list->count; i++) {
        printf("    '%s:", list->commands[i].name);
        put_zsh(list->commands[i].doc);
        printf("'\n");
    }
    printf("  )\n"
           "  if (( CURRENT == 2 )); then\n"
           "    _describe command commands\n"
           "    return\n"
           "  fi\n"
           "  local command=$words[2]\n"
           "  shift words\n"
           "  (( CURRENT-- ))\n"
           "  case $command in\n");
    for (int i = 0; i < list->count; i++) {
        const cli_command *c = &list->commands[i];
        printf("    %s)\n      _arguments \\\n", c->name);
        each_option(c, zsh_option, NULL);
        printf("        '*:");
        if (takes_scene(c)) {
            printf("scene:_files -g \"*.json\"'\n");
        } else {
            printf("argument:(");
            put_arguments(list, c);
            printf(")'\n");
        }
        printf("      ;;\n");
    }
    printf("  esac\n}\n_gyre \"$@\"\n");
}

// ---- fish

static void put_fish(const char *text)
{
    for (; *text; text++) {
        printf("%s%c", *text == '\'' || *text == '\\' ? "\\" : "", *text);
    }
}

static void fish_option(const cli_command *command, const told *t, void *context)
{
    (void)context;
    printf("complete -c gyre -n '__fish_seen_subcommand_from %s' -l %s", command->name, t->name);
    if (has_words(t)) {
        printf(" -x -a '");
        put_words(t);
        printf("'");
    } else if (t->value[0]) {
        printf(is_file(t) ? " -r -F" : " -x");
    }
    printf(" -d '");
    put_fish(t->doc);
    printf("'\n");
}

static void print_fish(const cli_list *list)
{
    printf("# fish completion of gyre. Made by: gyre help --completion fish\n"
           "complete -c gyre -f\n");
    for (int i = 0; i < list->count; i++) {
        printf("complete -c gyre -n __fish_use_subcommand -a %s -d '", list->commands[i].name);
        put_fish(list->commands[i].doc);
        printf("'\n");
    }
    for (int i = 0; i < list->count; i++) {
        const cli_command *c = &list->commands[i];
        each_option(c, fish_option, NULL);
        printf("complete -c gyre -n '__fish_seen_subcommand_from %s' ", c->name);
        if (takes_scene(c)) {
            printf("-k -a '(__fish_complete_suffix .json)'\n");
        } else {
            printf("-a '");
            put_arguments(list, c);
            printf("'\n");
        }
    }
}

bool print_completion(const cli_list *list, const char *shell)
{
    static const struct {
        const char *name;
        void (*print)(const cli_list *list);
    } shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
        if (strcmp(shells[i].name, shell) == 0) {
            shells[i].print(list);
            return true;
        }
    }
    return false;
}
