// model/extra.c: what a model keeps beside fields and properties, as its hash, its saved state and
// a load see it.
//
// It lies in one block. Where lists of it have room for more than there is, the model tells its
// parts, and each is hashed and saved as far as it holds something: so a state is the same whatever
// room there is, and goes into any model that has enough.
//
// Saved: as it lies; in parts, u64 bytes of each, then each, padded to 8 bytes.
#include "base/base.h"
#include "model/model.h"
#include <string.h>

static size_t padded(size_t size)
{
    return (size + 7) / 8 * 8;
}

/// 0: it is hashed and saved as it lies.
static int parts_of(const gyre_model *model, gy_extra_part parts[GY_EXTRA_PARTS])
{
    return model->extra_size > 0 && model->type->extra_parts
               ? model->type->extra_parts(model, parts)
               : 0;
}

uint32_t gy_extra_version(const gyre_model *model)
{
    return model->extra_size > 0 && model->type->extra_parts ? 2 : 1;
}

uint64_t gy_extra_hash(const gyre_model *model, uint64_t hash)
{
    gy_extra_part parts[GY_EXTRA_PARTS];
    int count = parts_of(model, parts);
    for (int p = 0; p < count; p++) {
        hash = gy_hash(parts[p].at, parts[p].size, hash);
    }
    return count == 0 && model->extra_size ? gy_hash(model->extra, model->extra_size, hash) : hash;
}

size_t gy_extra_save_size(const gyre_model *model, bool most)
{
    gy_extra_part parts[GY_EXTRA_PARTS];
    int count = parts_of(model, parts);
    size_t size = (size_t)count * sizeof(uint64_t);
    for (int p = 0; p < count; p++) {
        size += padded(most ? parts[p].room : parts[p].size);
    }
    return count > 0 ? size : model->extra_size;
}

void gy_extra_save(const gyre_model *model, char *bytes)
{
    gy_extra_part parts[GY_EXTRA_PARTS];
    int count = parts_of(model, parts);
    char *at = bytes + (size_t)count * sizeof(uint64_t);
    for (int p = 0; p < count; p++, bytes += sizeof(uint64_t)) {
        uint64_t size = parts[p].size;
        memcpy(bytes, &size, sizeof size);
        memset(at, 0, padded(parts[p].size));
        memcpy(at, parts[p].at, parts[p].size);
        at += padded(parts[p].size);
    }
    if (count == 0 && model->extra_size > 0) {
        memcpy(bytes, model->extra, model->extra_size);
    }
}

gyre_result gy_extra_check(const gyre_model *model, uint32_t version, const char *bytes,
                           size_t size)
{
    if (version != gy_extra_version(model)) {
        return gyre_fail(GYRE_ERROR_FORMAT, "load: extra has version %u, expected %u", version,
                         gy_extra_version(model));
    }
    gy_extra_part parts[GY_EXTRA_PARTS];
    int count = parts_of(model, parts);
    size_t needed = (size_t)count * sizeof(uint64_t);
    for (int p = 0; p < count && size >= needed; p++) {
        uint64_t part;
        memcpy(&part, bytes + (size_t)p * sizeof part, sizeof part);
        if (part > parts[p].room) {
            return gyre_fail(GYRE_ERROR_FORMAT,
                             "load: extra: found %llu bytes of its part %d, there is room for %zu",
                             (unsigned long long)part, p, parts[p].room);
        }
        needed += padded((size_t)part);
    }
    needed = count > 0 ? needed : model->extra_size;
    return size == needed ? GYRE_OK
                          : gyre_fail(GYRE_ERROR_FORMAT, "load: extra has %zu bytes, expected %zu",
                                      size, needed);
}

void gy_extra_load(gyre_model *model, const char *bytes)
{
    gy_extra_part parts[GY_EXTRA_PARTS];
    int count = parts_of(model, parts);
    const char *at = bytes + (size_t)count * sizeof(uint64_t);
    for (int p = 0; p < count; p++, bytes += sizeof(uint64_t)) {
        uint64_t size;
        memcpy(&size, bytes, sizeof size);
        memcpy(parts[p].at, at, (size_t)size);
        memset((char *)parts[p].at + size, 0, parts[p].room - (size_t)size);
        at += padded((size_t)size);
    }
    if (count == 0 && model->extra_size > 0) {
        memcpy(model->extra, bytes, model->extra_size);
    }
}
