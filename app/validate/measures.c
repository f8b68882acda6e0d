// validate/measures.c: the list of measures as a table.
#include "validate/flow.h"

#define MEASURE(name, doc) void validate_measure_##name(validate_flow *flow);
#include "validate/measures.h"
#undef MEASURE

#define MEASURE(name, doc) {#name, doc, validate_measure_##name},
const validate_measuring validate_measurings[] = {
#include "validate/measures.h"
    {NULL, NULL, NULL},
};
#undef MEASURE

void validate_print_measures(void)
{
    for (const validate_measuring *m = validate_measurings; m->name; m++) {
        printf("%-22s %s\n", m->name, m->doc);
    }
}
