// grid/property_pack.c: a def as bytes and back, by its table.
//
// Layout: u64 shape of the table, then each value in the table's order: bool u8, ints and enums
// i32, floats their bits, strings u16 length and bytes, unions i32 tag and the chosen alternative,
// pools u32 count and elements, amounts u32 count, names and numbers, volumes 3 x i32, u64 hash
// and their key as a string. All little-endian.
#include "grid/property.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

// A string of the table as part of its shape, with its end.
static uint64_t hash_text(const char *text, uint64_t seed)
{
    return gy_hash(text, strlen(text) + 1, seed);
}

static uint64_t hash_table(const gyre_property *table, uint64_t seed)
{
    for (const gyre_property *p = table; p && p->kind != GYRE_END; p++) {
        uint64_t size = p->kind == GYRE_STRING || p->kind == GYRE_AMOUNTS ? p->size : 0;
        unsigned char line[4] = {(unsigned char)p->kind, (unsigned char)p->count,
                                 (unsigned char)(size & 255), (unsigned char)(size >> 8 & 255)};
        seed = hash_text(p->name, gy_hash(line, sizeof line, seed));
        for (int i = 0; p->kind == GYRE_ENUM && p->names[i]; i++) {
            seed = hash_text(p->names[i], seed);
        }
        seed = hash_table(p->properties, seed);
    }
    return hash_text("", seed);
}

uint64_t gy_property_shape(const gyre_property *table)
{
    return hash_table(table, 0);
}

static uint64_t hash_volume(const gyre_volume *volume)
{
    size_t count = (size_t)volume->n[0] * (size_t)volume->n[1] * (size_t)volume->n[2];
    return volume->data ? gy_hash(volume->data, count * sizeof(float), 1) : 0;
}

// ---- writing

enum { MOST_KEY = 255, MOST_AMOUNT = 2 + sizeof((gyre_amount *)0)->name - 1 + 4 };

// With at == NULL the bytes are only counted.
typedef struct writer {
    unsigned char *at;
    size_t size;
} writer;

static void put(writer *w, uint64_t bits, int bytes)
{
    for (int i = 0; i < bytes; i++) {
        if (w->at) {
            w->at[w->size] = (unsigned char)(bits >> (8 * i));
        }
        w->size++;
    }
}

static void put_numbers(writer *w, const char *at, int count, size_t each)
{
    for (int i = 0; i < count; i++) {
        uint64_t bits = 0;
        if (each == 4) {
            uint32_t word;
            memcpy(&word, at + 4 * (size_t)i, 4);
            bits = word;
        } else {
            memcpy(&bits, at + 8 * (size_t)i, 8);
        }
        put(w, bits, (int)each);
    }
}

// Cut to `most` bytes.
static void put_text(writer *w, const char *text, size_t most)
{
    size_t length = 0;
    while (length < most && text[length]) {
        length++;
    }
    put(w, length, 2);
    for (size_t i = 0; i < length; i++) {
        put(w, (unsigned char)text[i], 1);
    }
}

static void put_table(writer *w, const gyre_property *table, const char *def);

static void put_one(writer *w, const gyre_property *p, const char *at)
{
    switch (p->kind) {
    case GYRE_BOOL:
        put(w, *(const bool *)at ? 1 : 0, 1);
        break;
    case GYRE_INT:
    case GYRE_FLOAT:
        put_numbers(w, at, p->count, 4);
        break;
    case GYRE_ENUM:
        put_numbers(w, at, 1, 4);
        break;
    case GYRE_INT64:
    case GYRE_DOUBLE:
        put_numbers(w, at, 1, 8);
        break;
    case GYRE_STRING:
        put_text(w, at, p->size - 1);
        break;
    case GYRE_STRUCT:
        put_table(w, p->properties, at);
        break;
    case GYRE_UNION: {
        int32_t tag;
        memcpy(&tag, at, sizeof tag);
        put_numbers(w, at, 1, 4);
        if (tag >= 0 && tag < gy_count_properties(p->properties)) {
            put_table(w, p->properties[tag].properties, at + p->properties[tag].offset);
        }
        break;
    }
    case GYRE_POOL: {
        const gyre_pool *pool = (const gyre_pool *)(const void *)at;
        put(w, (uint32_t)pool->count, 4);
        for (int i = 0; i < pool->count; i++) {
            put_table(w, p->properties, (const char *)pool->items + (size_t)i * p->size);
        }
        break;
    }
    case GYRE_AMOUNTS: {
        const gyre_amount *list = (const gyre_amount *)(const void *)at;
        int count = gy_amount_count(p, at);
        put(w, (uint32_t)count, 4);
        for (int i = 0; i < count; i++) {
            put_text(w, list[i].name, sizeof list[i].name - 1);
            put_numbers(w, (const char *)&list[i].amount, 1, 4);
        }
        break;
    }
    case GYRE_VOLUME: {
        const gyre_volume *volume = (const gyre_volume *)(const void *)at;
        put_numbers(w, (const char *)volume->n, 3, 4);
        // Counting needs no hash, which is the dear part.
        put(w, w->at ? hash_volume(volume) : 0, 8);
        put_text(w, volume->key ? volume->key : "", MOST_KEY);
        break;
    }
    case GYRE_END:
        break;
    }
}

static void put_table(writer *w, const gyre_property *table, const char *def)
{
    for (const gyre_property *p = table; p && p->kind != GYRE_END; p++) {
        put_one(w, p, def + p->offset);
    }
}

size_t gy_property_pack_size(const gyre_property *table, const void *def)
{
    writer w = {NULL, 8};
    put_table(&w, table, def);
    return w.size;
}

void gy_property_pack(const gyre_property *table, const void *def, void *bytes)
{
    writer w = {bytes, 0};
    put(&w, gy_property_shape(table), 8);
    put_table(&w, table, def);
}

// The most that elements of a table take: strings at their longest, unions at their largest.
static size_t most_of(const gyre_property *table)
{
    size_t size = 0;
    for (const gyre_property *p = table; p && p->kind != GYRE_END; p++) {
        size_t largest = 0;
        for (const gyre_property *q = p->properties;
             p->kind == GYRE_UNION && q && q->kind != GYRE_END; q++) {
            largest = GY_MAX(largest, most_of(q->properties));
        }
        size += p->kind == GYRE_BOOL                              ? 1
                : p->kind == GYRE_ENUM                            ? 4
                : p->kind == GYRE_STRING                          ? 2 + p->size - 1
                : p->kind == GYRE_UNION                           ? 4 + largest
                : p->kind == GYRE_STRUCT                          ? most_of(p->properties)
                : p->kind == GYRE_VOLUME                          ? 12 + 8 + 2 + MOST_KEY
                : p->kind == GYRE_INT64 || p->kind == GYRE_DOUBLE ? 8
                : p->kind == GYRE_POOL                            ? 0
                : p->kind == GYRE_AMOUNTS ? 4 + p->size / sizeof(gyre_amount) * MOST_AMOUNT
                                          : 4 * (size_t)p->count;
    }
    return size;
}

static size_t most_with_pools(const gyre_property *table, const char *def)
{
    size_t size = most_of(table);
    for (const gyre_property *p = table; p && p->kind != GYRE_END; p++) {
        const gyre_pool *pool = (const gyre_pool *)(const void *)(def + p->offset);
        if (p->kind == GYRE_POOL) {
            size += 4 + (size_t)GY_MAX(pool->capacity, pool->count) * most_of(p->properties);
        } else if (p->kind == GYRE_STRUCT) {
            size += most_with_pools(p->properties, def + p->offset) - most_of(p->properties);
        }
    }
    return size;
}

size_t gy_property_pack_most(const gyre_property *table, const void *def)
{
    return 8 + most_with_pools(table, def);
}

// ---- reading

// Reads twice: the first pass (write == false) checks everything and finds the volumes, the second
// writes. So a def is never left half changed.
typedef struct reader {
    const unsigned char *at, *end;
    const gyre_property *table; // of the whole def, where volumes are looked for
    const void *def;
    bool write;
    bool fixed;   // inside something that was fixed at create
    bool element; // inside an element, which takes the place of another whole
    int volumes;
    gyre_volume volume[GY_PACK_VOLUMES];
} reader;

static gyre_result cut_short(void)
{
    return gyre_fail(GYRE_ERROR_FORMAT, "saved properties: the data ends too early");
}

static bool get(reader *r, uint64_t *bits, int bytes)
{
    if (r->end - r->at < bytes) {
        return false;
    }
    *bits = 0;
    for (int i = 0; i < bytes; i++) {
        *bits |= (uint64_t)r->at[i] << (8 * i);
    }
    r->at += bytes;
    return true;
}

static gyre_result differs(const gyre_property *p)
{
    return gyre_fail(GYRE_ERROR_FORMAT,
                     "saved properties: %s is fixed at create and differs from what was saved",
                     p->name);
}

// What a saved state knows of an array.
typedef struct trace {
    int n[3];
    uint64_t hash;
    char key[MOST_KEY + 1];
} trace;

// By its key, or, where `key` is false, by size and hash.
static bool is_it(const gyre_volume *volume, const trace *wanted, bool key)
{
    if (key) {
        return volume->data && volume->key && wanted->key[0] &&
               strncmp(volume->key, wanted->key, MOST_KEY) == 0;
    }
    return memcmp(volume->n, wanted->n, sizeof wanted->n) == 0 &&
           hash_volume(volume) == wanted->hash;
}

// Such a volume anywhere in the def.
static bool find_volume(const gyre_property *table, const char *def, const trace *wanted, bool key,
                        gyre_volume *found)
{
    for (const gyre_property *p = table; p && p->kind != GYRE_END; p++) {
        const char *at = def + p->offset;
        if (p->kind == GYRE_STRUCT && find_volume(p->properties, at, wanted, key, found)) {
            return true;
        }
        if (p->kind == GYRE_UNION) {
            int32_t tag;
            memcpy(&tag, at, sizeof tag);
            if (tag >= 0 && tag < gy_count_properties(p->properties) &&
                find_volume(p->properties[tag].properties, at + p->properties[tag].offset, wanted,
                            key, found)) {
                return true;
            }
        }
        if (p->kind == GYRE_POOL) {
            const gyre_pool *pool = (const gyre_pool *)(const void *)at;
            for (int i = 0; i < pool->count; i++) {
                const char *element = (const char *)pool->items + (size_t)i * p->size;
                if (find_volume(p->properties, element, wanted, key, found)) {
                    return true;
                }
            }
        }
        if (p->kind == GYRE_VOLUME) {
            const gyre_volume *volume = (const gyre_volume *)(const void *)at;
            if (is_it(volume, wanted, key)) {
                *found = *volume;
                return true;
            }
        }
    }
    return false;
}

static gyre_result get_volume(reader *r, const gyre_property *p, char *at)
{
    trace saved = {0};
    uint64_t bits;
    for (int i = 0; i < 3; i++) {
        if (!get(r, &bits, 4)) {
            return cut_short();
        }
        saved.n[i] = (int)(int32_t)(uint32_t)bits;
    }
    if (!get(r, &saved.hash, 8) || !get(r, &bits, 2) || (uint64_t)(r->end - r->at) < bits) {
        return cut_short();
    }
    if (bits > MOST_KEY || memchr(r->at, 0, (size_t)bits)) {
        return gyre_fail(GYRE_ERROR_FORMAT, "saved properties: the key of %s is not valid",
                         p->name);
    }
    memcpy(saved.key, r->at, (size_t)bits);
    r->at += bits;
    if ((p->flags & GYRE_OPTIONAL) && saved.n[0] == 0 && saved.n[1] == 0 && saved.n[2] == 0) {
        if (r->write) {
            memset(at, 0, sizeof(gyre_volume));
        }
        return GYRE_OK;
    }
    if (r->volumes == GY_PACK_VOLUMES) {
        return gyre_fail(GYRE_ERROR_FORMAT, "saved properties: more than %d arrays",
                         GY_PACK_VOLUMES);
    }
    gyre_volume *found = &r->volume[r->volumes++];
    if (r->write) {
        memcpy(at, found, sizeof *found);
    } else if (!find_volume(r->table, r->def, &saved, true, found) &&
               !find_volume(r->table, r->def, &saved, false, found)) {
        return gyre_fail(GYRE_ERROR_FORMAT,
                         "saved properties: %s was an array of %d x %d x %d%s%.64s%s that is not "
                         "among those given now",
                         p->name, saved.n[0], saved.n[1], saved.n[2], saved.key[0] ? " (\"" : "",
                         saved.key, saved.key[0] ? "\")" : "");
    }
    return GYRE_OK;
}

static gyre_result get_numbers(reader *r, const gyre_property *p, char *at)
{
    int bytes = p->kind == GYRE_INT64 || p->kind == GYRE_DOUBLE ? 8 : 4;
    char stored[4 * 8] = {0};
    double numbers[4] = {0};
    int count = GY_MIN(p->count, 4);
    for (int i = 0; i < count; i++) {
        uint64_t bits;
        if (!get(r, &bits, bytes)) {
            return cut_short();
        }
        uint32_t word = (uint32_t)bits;
        float f;
        memcpy(&f, &word, sizeof f);
        double d;
        memcpy(&d, &bits, sizeof d);
        numbers[i] = p->kind == GYRE_INT     ? (double)(int32_t)word
                     : p->kind == GYRE_FLOAT ? (double)f
                     : p->kind == GYRE_INT64 ? (double)(int64_t)bits
                                             : d;
        if (bytes == 4) {
            memcpy(stored + 4 * i, &word, 4);
        } else {
            memcpy(stored + 8 * i, &bits, 8);
        }
    }
    size_t size = (size_t)(count * bytes);
    if (r->write) {
        memcpy(at, stored, size);
        return GYRE_OK;
    }
    if (r->fixed && at && memcmp(at, stored, size) != 0) {
        return differs(p);
    }
    if (gy_property_check_numbers(p->name, p, count, numbers)) {
        return gyre_fail(GYRE_ERROR_FORMAT, "saved properties: %s is out of its range", p->name);
    }
    return GYRE_OK;
}

static gyre_result get_string(reader *r, const gyre_property *p, char *at)
{
    uint64_t bits;
    if (!get(r, &bits, 2) || (uint64_t)(r->end - r->at) < bits) {
        return cut_short();
    }
    size_t length = (size_t)bits;
    if (length >= p->size || memchr(r->at, 0, length)) {
        return gyre_fail(GYRE_ERROR_FORMAT,
                         "saved properties: %s is no text of less than %zu bytes", p->name,
                         p->size);
    }
    if (r->write) {
        memset(at, 0, p->size);
        memcpy(at, r->at, length);
    } else if (r->fixed && at && (memcmp(at, r->at, length) != 0 || at[length] != 0)) {
        return differs(p);
    }
    r->at += length;
    return GYRE_OK;
}

// A bool, an enum or a union's tag: a number below `limit`. `at` may be NULL.
static gyre_result get_index(reader *r, const gyre_property *p, char *at, int limit, int *index)
{
    uint64_t bits;
    int bytes = p->kind == GYRE_BOOL ? 1 : 4;
    if (!get(r, &bits, bytes)) {
        return cut_short();
    }
    if (bits >= (uint64_t)limit) {
        return gyre_fail(GYRE_ERROR_FORMAT, "saved properties: %s is out of its range", p->name);
    }
    *index = (int)bits;
    if (p->kind == GYRE_BOOL) {
        bool value = bits != 0;
        if (r->write) {
            memcpy(at, &value, sizeof value);
        } else if (r->fixed && at && memcmp(at, &value, sizeof value) != 0) {
            return differs(p);
        }
    } else {
        int32_t value = *index;
        if (r->write) {
            memcpy(at, &value, sizeof value);
        } else if (r->fixed && at && memcmp(at, &value, sizeof value) != 0) {
            return differs(p);
        }
    }
    return GYRE_OK;
}

static gyre_result get_table(reader *r, const gyre_property *table, char *def);

// In the first pass a value whose place is not there yet (an element beyond the present count) has
// no address.
static char *step_in(char *at, size_t offset)
{
    return at ? at + offset : NULL;
}

static gyre_result get_pool(reader *r, const gyre_property *p, char *at)
{
    gyre_pool *pool = (gyre_pool *)(void *)at;
    uint64_t count;
    if (!get(r, &count, 4)) {
        return cut_short();
    }
    if (r->fixed && pool && count != (uint64_t)(uint32_t)pool->count) {
        return differs(p);
    }
    uint64_t room =
        pool && pool->items ? (uint64_t)(uint32_t)GY_MAX(pool->capacity, pool->count) : 0;
    if (count > room) {
        return gyre_fail(GYRE_ERROR_FORMAT,
                         "saved properties: %s has %llu elements, there is room for %llu", p->name,
                         (unsigned long long)count, (unsigned long long)room);
    }
    for (int i = 0; i < (int)count; i++) {
        bool there = r->write || i < pool->count;
        char *element = there ? (char *)pool->items + (size_t)i * p->size : NULL;
        if (r->write && i >= pool->count) {
            memset(element, 0, p->size);
        }
        bool inside = r->element;
        r->element = !r->fixed;
        gyre_result result = get_table(r, p->properties, element);
        r->element = inside;
        if (result) {
            return result;
        }
    }
    if (r->write) {
        pool->count = (int)count;
    }
    return GYRE_OK;
}

static gyre_result get_amounts(reader *r, const gyre_property *p, char *at)
{
    static const gyre_property named = {
        .name = "name", .kind = GYRE_STRING, .size = sizeof((gyre_amount *)0)->name};
    uint64_t count;
    if (!get(r, &count, 4)) {
        return cut_short();
    }
    if (count > p->size / sizeof(gyre_amount)) {
        return gyre_fail(GYRE_ERROR_FORMAT, "saved properties: %s has %llu names, expected %zu",
                         p->name, (unsigned long long)count, p->size / sizeof(gyre_amount));
    }
    if (r->fixed && at && (int)count != gy_amount_count(p, at)) {
        return differs(p);
    }
    if (r->write) {
        memset(at, 0, p->size);
    }
    gyre_result result = GYRE_OK;
    for (size_t i = 0; i < (size_t)count && !result; i++) {
        char *one = step_in(at, i * sizeof(gyre_amount));
        result = get_string(r, &named, step_in(one, offsetof(gyre_amount, name)));
        result = result
                     ? result
                     : get_numbers(r, p->properties, step_in(one, offsetof(gyre_amount, amount)));
    }
    return result;
}

static gyre_result get_one(reader *r, const gyre_property *p, char *at)
{
    int index = 0;
    switch (p->kind) {
    case GYRE_BOOL:
        return get_index(r, p, at, 2, &index);
    case GYRE_ENUM:
        return get_index(r, p, at, gy_count_names(p->names), &index);
    case GYRE_INT:
    case GYRE_FLOAT:
    case GYRE_INT64:
    case GYRE_DOUBLE:
        return get_numbers(r, p, at);
    case GYRE_STRING:
        return get_string(r, p, at);
    case GYRE_STRUCT:
        return get_table(r, p->properties, at);
    case GYRE_UNION: {
        int32_t before = -1;
        if (at) {
            memcpy(&before, at, sizeof before);
        }
        gyre_result result = get_index(r, p, at, gy_count_properties(p->properties), &index);
        if (result) {
            return result;
        }
        const gyre_property *chosen = &p->properties[index];
        char *inner = step_in(at, chosen->offset);
        if (r->write && before != index) {
            memset(inner, 0, chosen->size);
        }
        // What is there now belongs to another alternative: nothing to compare with.
        return get_table(r, chosen->properties, r->write || before == index ? inner : NULL);
    }
    case GYRE_POOL:
        return get_pool(r, p, at);
    case GYRE_AMOUNTS:
        return get_amounts(r, p, at);
    case GYRE_VOLUME:
        return get_volume(r, p, at);
    case GYRE_END:
        break;
    }
    return GYRE_OK;
}

static gyre_result get_table(reader *r, const gyre_property *table, char *def)
{
    for (const gyre_property *p = table; p && p->kind != GYRE_END; p++) {
        bool fixed = r->fixed;
        r->fixed = fixed || (!r->element && (p->flags & GYRE_FIXED));
        gyre_result result = get_one(r, p, step_in(def, p->offset));
        r->fixed = fixed;
        if (result) {
            return result;
        }
    }
    return GYRE_OK;
}

gyre_result gy_property_unpack(const gyre_property *table, void *def, const void *bytes,
                               size_t size)
{
    reader r = {.at = bytes, .table = table, .def = def};
    if (size) {
        r.end = r.at + size;
    } else {
        r.end = r.at;
    }
    uint64_t shape;
    if (!get(&r, &shape, 8)) {
        return cut_short();
    }
    if (shape != gy_property_shape(table)) {
        return gyre_fail(GYRE_ERROR_FORMAT,
                         "saved properties: they belong to another version of the property table");
    }
    const unsigned char *start = r.at;
    gyre_result result = get_table(&r, table, def);
    if (result) {
        return result;
    }
    if (r.at != r.end) {
        return gyre_fail(GYRE_ERROR_FORMAT, "saved properties: %zu bytes too many",
                         (size_t)(r.end - r.at));
    }
    r.at = start;
    r.volumes = 0;
    r.write = true;
    return get_table(&r, table, def);
}
