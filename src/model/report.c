// model/report.c: what a model tells of an element of a pool.
#include "model/model.h"

#include <string.h>

static int index_of(const gyre_model *model, const char *pool, gyre_id id)
{
    for (int p = 0; p < model->pool_count; p++) {
        const gyre_property *property = model->pools[p].property;
        if (strcmp(property->name, pool) != 0) {
            continue;
        }
        const gyre_pool *list = (const void *)((const char *)model->def + property->offset);
        for (int i = 0; i < list->count; i++) {
            if (model->pools[p].ids[i] == id) {
                return i;
            }
        }
    }
    return -1;
}

const gyre_property *gyre_model_report(const gyre_model *model, const char *pool, gyre_id id,
                                       const void **report)
{
    if (GY_MISSING("report", model) || GY_MISSING("report", pool) ||
        (id && GY_MISSING("report", report)) || !model->type->report) {
        return NULL;
    }
    int index = id ? index_of(model, pool, id) : -1;
    return id && index < 0 ? NULL : model->type->report(model, pool, index, report);
}
