// validate/solver_classic.c: flows by the paper's own solver: the scene of a gas, said again in the
// terms of that one. What it has no word for is refused.
#include "validate/solvers.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/// The paper's walls let the fluid slide.
static const char *rule_of(const char *rule)
{
    static const char *const rules[][2] = {
        {"slip", "wall"}, {"periodic", "periodic"}, {"inflow", "inflow"}, {"open", "open"}};
    for (int i = 0; i < 4; i++) {
        if (strcmp(rule, rules[i][0]) == 0) {
            return rules[i][1];
        }
    }
    return NULL;
}

/// Its sides; NULL and why where there is none like it.
static json_t *sides_of(json_t *sides, const char **why)
{
    json_t *own = json_object(), *side;
    const char *name;
    json_object_foreach(sides, name, side)
    {
        const char *key, *rule = json_string_value(json_object_get(side, "rule"));
        json_t *value;
        rule = rule_of(rule ? rule : "slip");
        json_t *edge = json_object();
        json_object_foreach(side, key, value)
        {
            bool known = strcmp(key, "rule") == 0 || strcmp(key, "velocity") == 0;
            *why = known ? *why : "a side of it is beyond this solver";
        }
        *why = rule ? *why : "walls that the fluid sticks to are beyond this solver";
        json_object_set_new(edge, "rule", json_string(rule ? rule : "wall"));
        if (json_object_get(side, "velocity")) {
            json_object_set(edge, "velocity", json_object_get(side, "velocity"));
        }
        json_object_set_new(own, name, edge);
    }
    return own;
}

/// The model, of the members of a gas that it has, too.
static json_t *model_of(json_t *gas, const char **why)
{
    json_t *own = json_object(), *member;
    const char *key;
    json_object_set_new(own, "type", json_string("classic"));
    json_object_foreach(gas, key, member)
    {
        if (strcmp(key, "grid") == 0 || strcmp(key, "viscosity") == 0) {
            json_object_set(own, key, member);
        } else if (strcmp(key, "sides") == 0) {
            json_object_set_new(own, key, sides_of(member, why));
        } else if (strcmp(key, "density") == 0) {
            json_t *spread = json_object_get(member, "diffusivity");
            if (spread) {
                json_object_set(own, "diffusivity", spread);
            }
        } else if (strcmp(key, "type") != 0 && strcmp(key, "pressure") != 0 &&
                   strcmp(key, "diffusion") != 0 && strcmp(key, "advection") != 0 &&
                   strcmp(key, "courant") != 0) {
            *why = "what is in it is beyond this solver";
        }
    }
    return own;
}

/// Whether what the scene shows is a field that this solver has.
static bool shows(const json_t *root)
{
    static const char *const own[] = {"density", "velocity_x", "velocity_y", "divergence"};
    const char *field = json_string_value(json_object_get(json_object_get(root, "view"), "field"));
    bool has = false;
    for (size_t i = 0; i < sizeof own / sizeof *own && field; i++) {
        has = has || strcmp(own[i], field) == 0;
    }
    return has;
}

const char *validate_classic_flow_draw(validate_flow *flow, gyre_image *image)
{
    size_t size;
    const char *name, *text = validate_flow_text(flow, &size, &name);
    json_t *root = json_loadb(text, size, 0, NULL);
    bool shown = shows(root);
    json_decref(root);
    return shown ? validate_model_flow_draw(flow, image)
                 : "it does not have the field that is shown";
}

bool validate_classic_flow_open(validate_flow *flow, int cells, double dt)
{
    size_t size;
    const char *name, *text = validate_flow_text(flow, &size, &name), *why = NULL, *model = NULL;
    json_t *root = json_loadb(text, size, 0, NULL), *scene = json_object();
    json_t *models = json_object(), *gas = NULL, *all = json_object_get(root, "models");
    void *first = json_object_iter(all);
    if (first) {
        model = json_object_iter_key(first);
        gas = json_object_iter_value(first);
    }
    why = json_object_size(all) != 1 || json_object_get(root, "bodies") ||
                  json_object_get(root, "timeline") || json_object_get(root, "given")
              ? "what is in it is beyond this solver"
              : NULL;
    json_object_set_new(models, model ? model : "gas", model_of(gas, &why));
    json_object_set_new(scene, "models", models);
    if (json_object_get(root, "start")) {
        json_object_set(scene, "start", json_object_get(root, "start"));
    }
    if (shows(root)) {
        json_object_set(scene, "view", json_object_get(root, "view"));
    }
    char *own = json_dumps(scene, JSON_REAL_PRECISION(12));
    bool opened = false;
    if (why || !own) {
        validate_flow_refuse(flow, why ? why : "there is not enough memory");
    } else {
        opened = validate_model_flow_open(flow, own, strlen(own), cells, dt, NULL);
    }
    free(own);
    json_decref(scene);
    json_decref(root);
    return opened;
}
