// cli/info.c: what a scene holds.
#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct info_arguments {
    option_list sets;
} info_arguments;

const option_line info_options[] = {
    {"set", "PATH=VALUE", "change a property first, such as gas.viscosity=0.1",
     offsetof(info_arguments, sets), true},
    {0},
};

static void print_value(const gyre_property *p, const void *at)
{
    gyre_value value;
    if (gyre_property_read(p, at, &value)) {
        printf("?");
    } else if (value.kind == GYRE_STRING || value.kind == GYRE_ENUM) {
        printf("\"%s\"", value.string);
    } else if (value.kind == GYRE_BOOL) {
        printf("%s", value.number[0] != 0 ? "true" : "false");
    } else {
        printf("%s", value.count > 1 ? "[" : "");
        for (int i = 0; i < value.count; i++) {
            // The shortest text that gives the same float back.
            char text[40];
            for (int digits = 6; digits <= 9; digits++) {
                snprintf(text, sizeof text, "%.*g", digits, value.number[i]);
                if (p->kind != GYRE_FLOAT || strtof(text, NULL) == (float)value.number[i]) {
                    break;
                }
            }
            printf("%s%s", i ? ", " : "", text);
        }
        printf("%s", value.count > 1 ? "]" : "");
    }
}

static void print_table(const gyre_property *table, const char *def, const char *path)
{
    for (const gyre_property *p = table; p && p->kind != GYRE_END; p++) {
        const char *at = def + p->offset;
        char name[256];
        snprintf(name, sizeof name, "%.200s%s%s", path, path[0] ? "." : "", p->name);
        if (p->kind == GYRE_STRUCT) {
            print_table(p->properties, at, name);
        } else if (p->kind == GYRE_UNION) {
            const gyre_property *chosen = &p->properties[*(const int32_t *)(const void *)at];
            char inner[256];
            snprintf(inner, sizeof inner, "%.200s.%s", name, chosen->name);
            print_table(chosen->properties, at + chosen->offset, inner);
        } else if (p->kind == GYRE_POOL) {
            const gyre_pool *pool = (const gyre_pool *)(const void *)at;
            for (int i = 0; i < pool->count; i++) {
                char inner[256];
                snprintf(inner, sizeof inner, "%.200s.%d", name, i);
                print_table(p->properties, (const char *)pool->items + (size_t)i * p->size, inner);
            }
        } else if (p->kind == GYRE_AMOUNTS) {
            const gyre_amount *list = (const gyre_amount *)(const void *)at;
            for (size_t i = 0; i < p->size / sizeof *list && list[i].name[0]; i++) {
                printf("  %s.%s = %.9g  (%s)\n", name, list[i].name, (double)list[i].amount,
                       p->properties->doc);
            }
        } else if (p->kind == GYRE_VOLUME) {
            const gyre_volume *volume = (const gyre_volume *)(const void *)at;
            printf("  %s: an array of %d x %d x %d\n", name, volume->n[0], volume->n[1],
                   volume->n[2]);
        } else {
            printf("  %s = ", name);
            print_value(p, at);
            printf("%s%s  (%s)\n", p->unit && p->unit[0] != '1' ? " " : "",
                   p->unit && p->unit[0] != '1' ? p->unit : "", p->doc ? p->doc : "");
        }
    }
}

static void print_model(const gyre_scene *scene, int i)
{
    static const char *const places[] = {"cell centres", "x faces", "y faces", "z faces", "nodes"};
    const gyre_model *model = gyre_scene_model(scene, i);
    const gyre_grid *grid = gyre_model_grid(model);
    const char *type = gyre_scene_model_type(scene, i), *name = gyre_scene_model_name(scene, i);
    const void *def = gyre_scene_model_def(scene, i);
    size_t bytes = gyre_model_def_size(type, def), def_size;
    double cells = (double)grid->n[0] * grid->n[1] * grid->n[2], h = (double)grid->h;
    printf("%s: a %s in %dD\n", name, type, grid->dim);
    printf("grid: %d x %d x %d cells of %.6g m, %.6g x %.6g x %.6g m\n", grid->n[0], grid->n[1],
           grid->n[2], h, grid->n[0] * h, grid->n[1] * h, grid->n[2] * h);
    printf("memory: %.1f bytes per cell, %zu bytes (%.1f MiB) in all\n", (double)bytes / cells,
           bytes, (double)bytes / 1048576);
    int count;
    const gyre_field_info *fields = gyre_model_fields(model, &count);
    printf("fields:\n");
    for (int k = 0; k < count; k++) {
        printf("  %-14s %-8s %s%s%s\n", fields[k].name, fields[k].unit,
               fields[k].doc ? fields[k].doc : "", fields[k].derived ? ", derived, at " : ", at ",
               places[fields[k].location]);
    }
    printf("properties:\n");
    print_table(gyre_model_type_properties(type, &def_size), def, name);
}

static void print_scene(const gyre_scene *scene)
{
    const gyre_scene_settings *settings = gyre_scene_get_settings(scene);
    printf("%s\n%s%s", settings->title, settings->doc, settings->doc[0] ? "\n" : "");
    printf("%d frames at %g per second, %d step%s of %.6g s each\n", settings->time.frames,
           (double)settings->time.fps, settings->time.steps_per_frame,
           settings->time.steps_per_frame == 1 ? "" : "s", (double)gyre_scene_dt(scene));
    for (int i = 0; i < gyre_scene_model_count(scene); i++) {
        print_model(scene, i);
    }
    for (const gyre_property *p = gyre_scene_properties; p->kind != GYRE_END; p++) {
        if (p->kind == GYRE_STRUCT) {
            printf("%s:\n", p->name);
            print_table(p->properties, (const char *)settings + p->offset, p->name);
        }
        const gyre_property one[2] = {*p, GYRE_PROPERTY_END};
        if (p->kind == GYRE_POOL &&
            ((const gyre_pool *)(const void *)((const char *)settings + p->offset))->count > 0) {
            printf("%s:\n", p->name);
            print_table(one, (const char *)settings, "");
        }
    }
}

int info_command(const cli_command *command, int argc, char **argv)
{
    info_arguments a = {0};
    option_list arguments = {0};
    int status = parse_options(command, argc, argv, &a, &arguments);
    if (status) {
        return status < 0 ? EXIT_OK : status;
    }
    if (arguments.count != 1) {
        return complain(EXIT_USAGE, "info: found %d scenes, expected one; see: gyre help info",
                        arguments.count);
    }
    gyre_scene *scene = NULL;
    gyre_device *device = NULL;
    if (load_scene(arguments.items[0], &scene)) {
        return complain(EXIT_RUN, "%s", gyre_message());
    }
    for (int i = 0; i < a.sets.count && status == EXIT_OK; i++) {
        if (gyre_scene_assign(scene, a.sets.items[i])) {
            status = complain(EXIT_USAGE, "--set %s", gyre_message());
        }
    }
    // Nothing is computed; the null device gives the field table at no cost.
    gyre_device_def def = gyre_default_device_def();
    def.kind = GYRE_DEVICE_NULL;
    if (status == EXIT_OK &&
        (gyre_device_create(&def, &device) || gyre_scene_create(scene, device))) {
        status = complain(EXIT_RUN, "%s", gyre_message());
    }
    if (status == EXIT_OK) {
        print_scene(scene);
        status = flush_output();
    }
    gyre_scene_destroy(scene);
    gyre_device_destroy(device);
    return status;
}
