// validate/list.c: the list of cases as a table: those that measure themselves, then the scenes of
// album/.
#include "validate/flow.h"
#include "validate/inner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CASE(name, quick, doc, source) void validate_##name(validate_run *run);
#define DEAR(name, doc, source) CASE(name, false, doc, source)
#include "validate/cases.h"
#undef CASE
#undef DEAR

#define CASE(name, quick, doc, source) {#name, doc, source, quick, false, validate_##name, NULL},
#define DEAR(name, doc, source) {#name, doc, source, false, true, validate_##name, NULL},
static const validate_case own_cases[] = {
#include "validate/cases.h"
};
#undef CASE
#undef DEAR

enum { OWN = sizeof own_cases / sizeof own_cases[0], MOST = OWN + 128 };

/// The words of a scene; one of album/ that cannot be read says so when it is measured.
static gyre_result case_of(const validate_scene_text *text, validate_case *c)
{
    static char docs[MOST][256], sources[MOST][256];
    static int count;
    gyre_scene *scene;
    *c = (validate_case){.name = text->name,
                         .doc = docs[count],
                         .source = sources[count],
                         .measure = validate_scene_case,
                         .scene = text};
    const char *name = text->file ? text->file : text->name;
    gyre_result r = gyre_scene_parse((const char *)text->text, text->size, name, &scene);
    if (r == GYRE_OK) {
        const gyre_scene_settings *s = gyre_scene_get_settings(scene);
        memcpy(docs[count], s->doc, sizeof s->doc);
        memcpy(sources[count], s->known.source, sizeof s->known.source);
        c->dear = s->known.grids.count > 0;
        for (int i = 0; i < s->known.grids.count; i++) {
            const gyre_known_grid *grid = (const gyre_known_grid *)s->known.grids.items + i;
            c->quick = c->quick || grid->run == GYRE_KNOWN_QUICK;
            c->dear = c->dear && grid->run == GYRE_KNOWN_OVERNIGHT;
        }
        gyre_scene_destroy(scene);
    }
    count++;
    return r;
}

const validate_case *validate_case_list(int *count)
{
    static validate_case all[MOST];
    static int made;
    if (made == 0) {
        memcpy(all, own_cases, sizeof own_cases);
        made = OWN;
        for (const validate_scene_text *t = validate_album; t->name && made < MOST; t++) {
            case_of(t, &all[made++]);
        }
    }
    *count = made;
    return all;
}

enum { FILES = 64, LARGEST = 1 << 24 };

const validate_case *validate_case_load(const char *path)
{
    static validate_case cases[FILES];
    static validate_scene_text texts[FILES];
    static int count;
    FILE *file = count < FILES ? fopen(path, "rb") : NULL;
    unsigned char *text = file ? malloc(LARGEST) : NULL;
    size_t size = text ? fread(text, 1, LARGEST, file) : 0;
    if (file) {
        fclose(file);
    }
    if (!text) {
        return NULL;
    }
    texts[count] = (validate_scene_text){path, text, size, path};
    return case_of(&texts[count], &cases[count]) == GYRE_OK ? &cases[count++] : NULL;
}
