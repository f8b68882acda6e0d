// model/save.c: a model's state as bytes: a header, the properties that can be set, the fields, a
// checksum. Little-endian, as all machines gyre runs on are; the header's magic would tell.
#include "base/os.h"
#include "grid/property.h"
#include "model/model.h"
#include <stdio.h>
#include <string.h>

enum { FORMAT_VERSION = 1 };

typedef struct header {
    char magic[8];
    uint32_t version, fields;
    char type[16];
    gyre_grid grid;
    uint64_t more; // bytes of the model's `more`; no padding: every byte of a header is checked
    double time;
    int64_t steps;
    uint64_t size;       // of the whole, header and checksum included
    uint64_t properties; // bytes
    uint64_t table;      // hash of the field table
    uint64_t next_id;
    uint64_t checksum; // of the header with this member 0, then of all that follows
} header;

static const char MAGIC[8] = {'g', 'y', 'r', 'e', 's', 'a', 'v', 'e'};

static uint64_t table_hash(const gyre_model *model)
{
    uint64_t hash = 0;
    for (int f = 0; f < model->field_count; f++) {
        if (!model->fields[f].derived) {
            hash = gy_hash(model->fields[f].name, strlen(model->fields[f].name) + 1, hash);
        }
    }
    return hash;
}

static size_t ids_size(const gyre_model *model)
{
    size_t size = 0;
    for (int p = 0; p < model->pool_count; p++) {
        const gyre_pool *pool =
            (const void *)((const char *)model->def + model->pools[p].property->offset);
        size += (size_t)pool->count * sizeof(uint64_t);
    }
    return size;
}

static size_t fields_size(const gyre_model *model)
{
    size_t size = 0;
    for (int f = 0; f < model->field_count; f++) {
        if (!model->fields[f].derived) {
            int n[3];
            gyre_grid_samples(model->grid, model->fields[f].location, n);
            size += (size_t)n[0] * (size_t)n[1] * (size_t)n[2] * sizeof(float);
        }
    }
    return size;
}

size_t gyre_model_save_size(const gyre_model *model)
{
    if (GY_MISSING("save_size", model)) {
        return 0;
    }
    return sizeof(header) + gy_property_pack_size(model->type->properties, model->def) +
           ids_size(model) + fields_size(model) + model->extra_size + model->more_size;
}

static header header_of(const gyre_model *model)
{
    header h;
    memset(&h, 0, sizeof h);
    memcpy(h.magic, MAGIC, sizeof h.magic);
    h.version = FORMAT_VERSION;
    h.fields = (uint32_t)model->field_count;
    memcpy(h.type, model->type->name, strlen(model->type->name));
    h.grid = *model->grid;
    h.time = model->time;
    h.steps = model->steps;
    h.size = gyre_model_save_size(model);
    h.properties = gy_property_pack_size(model->type->properties, model->def);
    h.table = table_hash(model);
    h.next_id = model->next_id;
    h.more = model->more_size;
    return h;
}

static uint64_t checksum_of(header h, const void *rest, size_t size)
{
    h.checksum = 0;
    return gy_hash(rest, size, gy_hash(&h, sizeof h, 0));
}

/// Copies all fields out of the model, or into it.
static void copy_fields(const gyre_model *model, char *bytes, bool out)
{
    float values[GY_MOST_SAMPLES];
    for (int f = 0; f < model->field_count; f++) {
        if (model->fields[f].derived) {
            continue;
        }
        gyre_field_view v;
        if (out) {
            gy_model_window(model, f, &v);
        } else {
            model->type->window(model, f, &v);
        }
        size_t row = (size_t)v.n[0] * sizeof(float);
        for (int k = 0; k < v.n[2]; k++) {
            for (int j = 0; j < v.n[1]; j++, bytes += row) {
                if (model->type->read_row) {
                    memcpy(values, bytes, out ? 0 : row);
                    if (out) {
                        model->type->read_row(model, f, j, k, values);
                        memcpy(bytes, values, row);
                    } else {
                        model->type->write_row((gyre_model *)(uintptr_t)model, f, j, k, values);
                    }
                    continue;
                }
                float *at = v.data + j * v.stride[1] + k * v.stride[2];
                if (out) {
                    memcpy(bytes, at, row);
                } else {
                    memcpy(at, bytes, row);
                }
            }
        }
    }
}

static void copy_ids(gyre_model *model, char *bytes, bool out)
{
    for (int p = 0; p < model->pool_count; p++) {
        const gyre_pool *pool =
            (const void *)((const char *)model->def + model->pools[p].property->offset);
        size_t size = (size_t)pool->count * sizeof(uint64_t);
        memcpy(out ? bytes : (char *)model->pools[p].ids, out ? (char *)model->pools[p].ids : bytes,
               size);
        bytes += size;
    }
}

static gyre_result save(const gyre_model *model, void *memory, size_t size)
{
    header h = header_of(model);
    if (size < h.size) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "save: %zu bytes are needed, %zu were given",
                         (size_t)h.size, size);
    }
    char *at = (char *)memory + sizeof h;
    gy_property_pack(model->type->properties, model->def, at);
    at += h.properties;
    copy_ids((gyre_model *)(uintptr_t)model, at, true);
    at += ids_size(model);
    copy_fields(model, at, true);
    gyre_result r = gy_device_status(model->device);
    if (r != GYRE_OK) {
        return r;
    }
    if (model->type->keep) {
        model->type->keep((gyre_model *)(uintptr_t)model);
    }
    at += fields_size(model);
    if (model->extra_size) {
        memcpy(at, model->extra, model->extra_size);
    }
    if (model->more_size) {
        model->type->copy_more((gyre_model *)(uintptr_t)model, at + model->extra_size, true);
    }
    h.checksum = checksum_of(h, (char *)memory + sizeof h, (size_t)h.size - sizeof h);
    memcpy(memory, &h, sizeof h);
    return GYRE_OK;
}

gyre_result gyre_model_save(const gyre_model *model, void *memory, size_t size)
{
    if (GY_MISSING("save", model) || GY_MISSING("save", memory)) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (gy_model_still(model, "save") != GYRE_OK) {
        return GYRE_ERROR_STATE;
    }
    gy_device_enter(model->device);
    gyre_result r = save(model, memory, size);
    gy_device_leave(model->device);
    return r;
}

static gyre_result check_header(const gyre_model *model, const header *h, size_t size)
{
    if (memcmp(h->magic, MAGIC, sizeof MAGIC) != 0) {
        return gyre_fail(GYRE_ERROR_FORMAT, "load: not a saved state (its first bytes are wrong)");
    }
    if (h->version != FORMAT_VERSION) {
        return gyre_fail(GYRE_ERROR_FORMAT, "load: format version %u, expected %d", h->version,
                         FORMAT_VERSION);
    }
    header mine = header_of(model);
    if (memcmp(h->type, mine.type, sizeof mine.type) != 0) {
        return gyre_fail(GYRE_ERROR_FORMAT, "load: of model type \"%.15s\", expected \"%s\"",
                         h->type, mine.type);
    }
    if (memcmp(&h->grid, &mine.grid, sizeof mine.grid) != 0) {
        return gyre_fail(
            GYRE_ERROR_FORMAT,
            "load: of a grid of %d x %d x %d cells of %g m, expected %d x %d x %d of %g m",
            h->grid.n[0], h->grid.n[1], h->grid.n[2], (double)h->grid.h, mine.grid.n[0],
            mine.grid.n[1], mine.grid.n[2], (double)mine.grid.h);
    }
    if (h->table != mine.table || h->fields != mine.fields) {
        return gyre_fail(GYRE_ERROR_FORMAT, "load: of a model with other fields");
    }
    // How many ids there are, the properties will tell.
    size_t fields = fields_size(model) + model->extra_size;
    if (h->more > size - sizeof *h || (h->more > 0 && !model->type->copy_more)) {
        return gyre_fail(GYRE_ERROR_FORMAT, "load: of a model that keeps something else");
    }
    fields += (size_t)h->more;
    if (h->size != size || size - sizeof *h < fields || h->properties > size - sizeof *h - fields) {
        return gyre_fail(GYRE_ERROR_FORMAT, "load: %zu bytes, expected %zu: cut or damaged", size,
                         (size_t)h->size);
    }
    if (!(h->time >= 0.0 && h->time < 1e300) || h->steps < 0) {
        return gyre_fail(GYRE_ERROR_FORMAT, "load: its clock is not a time");
    }
    return GYRE_OK;
}

/// Ids are never used again, so those of a pool ascend.
static gyre_result check_ids(const gyre_model *model, const char *bytes, uint64_t next_id)
{
    for (int p = 0; p < model->pool_count; p++) {
        const gyre_pool *pool =
            (const void *)((const char *)model->def + model->pools[p].property->offset);
        uint64_t last = 0;
        for (int i = 0; i < pool->count; i++, bytes += sizeof last) {
            uint64_t id;
            memcpy(&id, bytes, sizeof id);
            if (id <= last || id >= next_id) {
                return gyre_fail(GYRE_ERROR_FORMAT, "load: the id of %s.%d is not valid",
                                 model->pools[p].property->name, i);
            }
            last = id;
        }
    }
    return GYRE_OK;
}

static gyre_result changed_all(gyre_model *model)
{
    gyre_result r = model->type->changed(model, NULL);
    for (int p = 0; p < model->pool_count && r == GYRE_OK; p++) {
        r = model->type->changed(model, model->pools[p].property->name);
    }
    return r;
}

/// Takes properties and ids from `size` bytes. After a failure they may be half taken.
static gyre_result take_head(gyre_model *model, const char *bytes, size_t properties, size_t size,
                             uint64_t next_id)
{
    gyre_result r = gy_property_unpack(model->type->properties, model->def, bytes, properties);
    if (r != GYRE_OK) {
        return r;
    }
    if (size - properties != ids_size(model)) {
        return gyre_fail(GYRE_ERROR_FORMAT, "load: %zu bytes of ids, expected %zu: damaged",
                         size - properties, ids_size(model));
    }
    if (model->type->check(model->def) != GYRE_OK) {
        char message[512];
        snprintf(message, sizeof message, "%s", gyre_message());
        return gyre_fail(GYRE_ERROR_FORMAT, "load: %s", message);
    }
    r = check_ids(model, bytes + properties, next_id);
    if (r == GYRE_OK) {
        copy_ids(model, (char *)(uintptr_t)(bytes + properties), false);
        r = changed_all(model);
    }
    return r;
}

static bool all_finite(const char *floats, size_t count)
{
    bool finite = true;
    for (size_t i = 0; i < count && finite; i++) {
        float x;
        memcpy(&x, floats + i * sizeof x, sizeof x);
        finite = gy_is_finite(x);
    }
    return finite;
}

static gyre_result load(gyre_model *model, const void *memory, size_t size)
{
    const gyre_host *host = gy_device_host(model->device);
    header h;
    if (size < sizeof h) {
        return gyre_fail(GYRE_ERROR_FORMAT, "load: %zu bytes are less than a header", size);
    }
    memcpy(&h, memory, sizeof h);
    gyre_result r = check_header(model, &h, size);
    if (r != GYRE_OK) {
        return r;
    }
    const char *at = (const char *)memory + sizeof h;
    if (checksum_of(h, at, size - sizeof h) != h.checksum) {
        return gyre_fail(GYRE_ERROR_FORMAT, "load: damaged: the checksum does not fit");
    }
    size_t count = fields_size(model) / sizeof(float), more = (size_t)h.more,
           head = size - sizeof h - count * sizeof(float) - model->extra_size - more;
    const char *values = at + head, *extra = values + count * sizeof(float);
    if (!all_finite(values, count) ||
        !all_finite(extra + model->extra_size, more / sizeof(float))) {
        return gyre_fail(GYRE_ERROR_FORMAT, "load: a field has a value that is not finite");
    }
    // The def's copy, its pools and ids are one block: to put it back is one copy.
    size_t bytes = gy_model_head_size(model->type, model->def);
    void *before = gy_allocate(host, bytes, 64);
    if (!before) {
        return GYRE_ERROR_MEMORY;
    }
    memcpy(before, model->def, bytes);
    r = take_head(model, at, (size_t)h.properties, head, h.next_id);
    if (r == GYRE_OK && model->more_size != more) {
        r = gyre_fail(GYRE_ERROR_FORMAT, "load: %zu bytes beside the fields, expected %zu: damaged",
                      more, model->more_size);
    }
    if (r != GYRE_OK) {
        memcpy(model->def, before, bytes);
        changed_all(model);
    }
    gy_release(host, before, bytes);
    if (r != GYRE_OK) {
        return r;
    }
    copy_fields(model, (char *)(uintptr_t)values, false);
    model->time = h.time;
    model->steps = h.steps;
    model->next_id = h.next_id;
    for (int f = 0; f < model->field_count; f++) {
        if (!model->fields[f].derived) {
            model->type->written(model, f);
        }
    }
    if (model->extra_size) {
        memcpy(model->extra, extra, model->extra_size);
    }
    if (more) {
        model->type->copy_more(model, (char *)(uintptr_t)(extra + model->extra_size), false);
    }
    if (model->type->regain) {
        model->type->regain(model);
    }
    return gy_device_status(model->device);
}

gyre_result gyre_model_load(gyre_model *model, const void *memory, size_t size)
{
    if (GY_MISSING("load", model) || GY_MISSING("load", memory)) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (gy_model_still(model, "load") != GYRE_OK) {
        return GYRE_ERROR_STATE;
    }
    gy_device_enter(model->device);
    gyre_result r = load(model, memory, size);
    gy_device_leave(model->device);
    return r;
}

gyre_result gyre_model_save_file(const gyre_model *model, const char *path)
{
    if (GY_MISSING("save_file", model) || GY_MISSING("save_file", path)) {
        return GYRE_ERROR_ARGUMENT;
    }
    const gyre_host *host = gy_device_host(model->device);
    size_t size = gyre_model_save_size(model);
    void *bytes = gy_allocate(host, size, 64);
    if (!bytes) {
        return GYRE_ERROR_MEMORY;
    }
    gyre_result r = gyre_model_save(model, bytes, size);
    if (r == GYRE_OK) {
        r = gy_os_write_file(path, bytes, size);
    }
    gy_release(host, bytes, size);
    return r;
}

gyre_result gyre_model_load_file(gyre_model *model, const char *path)
{
    void *bytes;
    if (GY_MISSING("load_file", model) || GY_MISSING("load_file", path)) {
        return GYRE_ERROR_ARGUMENT;
    }
    size_t size, limit = gyre_model_save_size(model) + ((size_t)64 << 20);
    gyre_result r = gy_os_read_file(path, limit, &bytes, &size);
    if (r != GYRE_OK) {
        return r;
    }
    r = gyre_model_load(model, bytes, size);
    gy_os_release(bytes, size);
    if (r != GYRE_OK) {
        char message[1024];
        strncpy(message, gyre_message(), sizeof message - 1);
        message[sizeof message - 1] = 0;
        return gyre_fail(r, "%s: %s", path, message);
    }
    return r;
}
