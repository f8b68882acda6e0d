// validate/list.c: the list of cases as a table: those that measure themselves, then the scenes of
// album/.
#include "validate/flow.h"
#include "validate/inner.h"

#include <string.h>

#define CASE(name, quick, doc, source) void validate_##name(validate_run *run);
#include "validate/cases.h"
#undef CASE

#define CASE(name, quick, doc, source) {#name, doc, source, quick, validate_##name, NULL},
static const validate_case own_cases[] = {
#include "validate/cases.h"
};
#undef CASE

enum { OWN = sizeof own_cases / sizeof own_cases[0], MOST = OWN + 128 };

/// The words of a scene of album/; one that cannot be read says so when it is measured.
static validate_case case_of(const validate_scene_text *text)
{
    static char docs[MOST][256], sources[MOST][256];
    static int count;
    validate_case c = {.name = text->name,
                       .doc = docs[count],
                       .source = sources[count],
                       .quick = true,
                       .measure = validate_scene_case,
                       .scene = text};
    gyre_scene *scene;
    if (gyre_scene_parse((const char *)text->text, text->size, text->name, &scene) == GYRE_OK) {
        const gyre_scene_settings *s = gyre_scene_get_settings(scene);
        memcpy(docs[count], s->doc, sizeof s->doc);
        memcpy(sources[count], s->known.source, sizeof s->known.source);
        c.quick = false;
        for (int i = 0; i < s->known.grids.count; i++) {
            const gyre_known_grid *grid = (const gyre_known_grid *)s->known.grids.items + i;
            c.quick = c.quick || grid->run == GYRE_KNOWN_QUICK;
        }
        gyre_scene_destroy(scene);
    }
    count++;
    return c;
}

const validate_case *validate_case_list(int *count)
{
    static validate_case all[MOST];
    static int made;
    if (made == 0) {
        memcpy(all, own_cases, sizeof own_cases);
        made = OWN;
        for (const validate_scene_text *t = validate_album; t->name && made < MOST; t++) {
            all[made++] = case_of(t);
        }
    }
    *count = made;
    return all;
}
