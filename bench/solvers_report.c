// One table, for people or as JSON, and gates.
#include "bench/solvers.h"

#include <math.h>
#include <stdarg.h>

void solvers_table(solvers_report *r, const char *part, const char *title,
                   const solvers_column *columns, int count)
{
    r->part = part;
    r->columns = columns;
    r->count = count;
    if (r->json)
        return;
    printf("\n%s: %s\n ", part, title);
    for (int c = 0; c < count; c++)
        printf(" %*s", columns[c].width, columns[c].name);
    printf("\n");
}

static void print_json(const solvers_column *column, const solvers_cell *cell)
{
    printf(", \"%s\": ", column->name);
    if (cell->text)
        printf("\"%s\"", cell->text);
    else if (isfinite(cell->number))
        printf("%.6g", cell->number);
    else
        printf("null");
}

void solvers_row(solvers_report *r, const solvers_cell *cells)
{
    if (r->json)
        printf("%s  {\"part\": \"%s\"", r->rows == 0 ? "" : ",\n", r->part);
    else
        printf(" ");
    for (int c = 0; c < r->count; c++) {
        const solvers_column *column = &r->columns[c];
        if (r->json)
            print_json(column, &cells[c]);
        else if (cells[c].text)
            printf(" %*s", column->width, cells[c].text);
        else if (isfinite(cells[c].number))
            printf(" %*.*g", column->width, column->digits, cells[c].number);
        else
            printf(" %*s", column->width, "-");
    }
    r->rows++;
    printf(r->json ? "}" : "\n");
    fflush(stdout);
}

void solvers_say(const solvers_report *r, const char *format, ...)
{
    FILE *out = r->json ? stderr : stdout;
    va_list list;
    va_start(list, format);
    fprintf(out, "  ");
    vfprintf(out, format, list);
    fprintf(out, "\n");
    va_end(list);
    fflush(out);
}

void solvers_gate(solvers_report *r, const char *what, double value, double bound, bool at_most)
{
    bool reached = at_most ? value <= bound : value >= bound;
    solvers_say(r, "%s %s: %.3g (%s %.3g)", reached ? "pass" : "FAIL", what, value,
                at_most ? "at most" : "at least", bound);
    r->missed += !reached;
}
