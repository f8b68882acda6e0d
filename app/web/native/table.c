// web/native/table.c: what there is: the property tables, and the schema that is made from them.
#define _POSIX_C_SOURCE 200809L
#include "web/native/inner.h"

#include <stdlib.h>

#ifdef __EMSCRIPTEN__
#include <emscripten/threading.h>
#endif

// What a device gets that is asked for all.
static int threads(void)
{
#ifdef __EMSCRIPTEN__
    return emscripten_has_threading_support() ? emscripten_num_logical_cores() : 1;
#else
    return 1;
#endif
}

WEB_CALL void *web_malloc(int size)
{
    return size > 0 ? malloc((size_t)size) : NULL;
}

WEB_CALL void web_free(void *memory)
{
    free(memory);
}

WEB_CALL const char *web_message(void)
{
    return gyre_message();
}

WEB_CALL char *web_tables(void)
{
    json_t *models = json_object();
    for (int i = 0; gyre_model_type_name(i); i++) {
        const char *type = gyre_model_type_name(i);
        json_object_set_new(models, type, web_json_table(gyre_model_type_properties(type, NULL)));
    }
    return web_json_text(json_pack("{s:s, s:i, s:o, s:o}", "version", gyre_version(), "threads",
                                   threads(), "models", models, "scene",
                                   web_json_table(gyre_scene_properties)));
}

WEB_CALL char *web_schema(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    gyre_result result = stream ? gyre_scene_schema(stream)
                                : gyre_fail(GYRE_ERROR_MEMORY, "no memory for the schema");
    if (stream && fclose(stream) != 0 && !result) {
        result = gyre_fail(GYRE_ERROR_MEMORY, "no memory for the schema");
    }
    if (result) {
        free(text);
        return NULL;
    }
    return text;
}
