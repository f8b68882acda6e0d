// test/fuzz/fuzz_scene.c: any bytes are a scene or are refused with a sentence that names a place.
#include "gyre/scene.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    gyre_scene *scene = NULL;
    if (gyre_scene_parse((const char *)bytes, size, "fuzz.json", &scene)) {
        if (scene || strncmp(gyre_message(), "fuzz.json:", 10) != 0) {
            abort();
        }
        return 0;
    }
    // What was accepted can be looked at, and its timeline and lists are whole.
    for (int i = 0; i < gyre_scene_model_count(scene); i++) {
        size_t def_size;
        const char *type = gyre_scene_model_type(scene, i);
        if (gyre_property_check(gyre_model_type_properties(type, &def_size),
                                gyre_scene_model_def(scene, i), "")) {
            abort();
        }
    }
    gyre_scene_destroy(scene);
    return 0;
}
