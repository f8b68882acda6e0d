// validate/list.c: the list of cases as a table.
#include "validate/validate.h"

#define CASE(name, quick, doc, source) void validate_##name(validate_run *run);
#include "validate/cases.h"
#undef CASE

#define CASE(name, quick, doc, source) {#name, doc, source, quick, validate_##name},
const validate_case validate_cases[] = {
#include "validate/cases.h"
};
#undef CASE

const int validate_case_count = sizeof validate_cases / sizeof validate_cases[0];
