// model/source.c: where queries read samples from.
#include "model/source.h"

gyre_result gy_source_check(const gyre_model *model, int field)
{
    const char *name = model->fields[field].name;
    if (model->open >> field & 1u || !model->fields[field].derived) {
        return GYRE_OK;
    }
    return model->type->read_sample
               ? gy_model_whole(model, name)
               : gyre_fail(GYRE_ERROR_STATE, "%s: map it before probing it", name);
}

gyre_result gy_source_open(gy_source *s, const gyre_model *model, int field)
{
    *s = (gy_source){.model = model, .field = field};
    s->direct = model->type->read_sample && !(model->open >> field & 1u);
    s->apart = gy_device_has_own_memory(model->device);
    if (s->apart) {
        gy_device_enter(model->device);
    }
    gy_model_window(model, field, &s->view);
    return gy_device_status(model->device);
}

void gy_source_close(gy_source *s)
{
    if (s->apart) {
        gy_device_leave(s->model->device);
        s->apart = false;
    }
}

gy_around gy_source_around(const gyre_model *model)
{
    return model->type->around ? model->type->around(model) : (gy_around){0};
}
