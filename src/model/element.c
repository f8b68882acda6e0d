// model/element.c: elements of a model's lists (emitters, solids, bodies): ids, and what is done to
// one by its id; properties by path, which may lie in one.
//
// An id is the model's tag (bits 48 to 63), its pool's place in the property table, from 1 (40 to
// 47), and a number that the model gives once (0 to 39). The numbers alone are state: saved, and
// given again in the same order after a load.
#include "grid/property.h"
#include "model/model.h"

#include <stdatomic.h>
#include <string.h>

enum { MOST_BYTES = 2048 }; // of an element

#define NUMBER_BITS 40
#define TAG_BIT 48

uint32_t gy_model_tag(void)
{
    static atomic_uint next;
    return atomic_fetch_add(&next, 1) % 0xffffu + 1;
}

static gyre_id id_of(const gyre_model *model, int p, uint64_t number)
{
    return (uint64_t)model->tag << TAG_BIT | (uint64_t)(p + 1) << NUMBER_BITS | number;
}

static gyre_pool *pool_at(const gyre_model *model, int p)
{
    return (void *)((char *)model->def + model->pools[p].property->offset);
}

static char *element_at(const gyre_model *model, int p, int index)
{
    return (char *)pool_at(model, p)->items + (size_t)index * model->pools[p].property->size;
}

static const char *pool_name(const void *model, int p)
{
    return ((const gyre_model *)model)->pools[p].property->name;
}

/// The number of a pool among the model's; -1 with a message.
static int find_pool(const gyre_model *model, const char *call, const char *name)
{
    for (int p = 0; p < model->pool_count; p++) {
        if (strcmp(pool_name(model, p), name) == 0) {
            return p;
        }
    }
    const char *near = gyre_name_nearest(name, model->pool_count, pool_name, model);
    gyre_fail(GYRE_ERROR_ARGUMENT, "%s: %s has no list \"%.64s\"%s%s%s", call, model->type->name,
              name, near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
    return -1;
}

/// Where a number is in its pool, whose numbers ascend; -1: it is gone.
static int index_of(const gyre_model *model, int p, uint64_t number)
{
    int low = 0, high = pool_at(model, p)->count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (model->pools[p].ids[middle] < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool found = low < pool_at(model, p)->count && model->pools[p].ids[low] == number;
    return found ? low : -1;
}

gyre_result gy_model_locate(const gyre_model *model, const char *call, const char *pool, gyre_id id,
                            int *p, int *index)
{
    uint64_t number = id & (((uint64_t)1 << NUMBER_BITS) - 1);
    *p = (int)(id >> NUMBER_BITS & 0xff) - 1;
    *index = -1;
    if (id == 0) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: 0 is no id; what was to give one has failed",
                         call);
    }
    if (*p < 0 || number == 0 || id >> TAG_BIT == 0) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: %#llx is no id", call, (unsigned long long)id);
    }
    if (id >> TAG_BIT != model->tag) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: the id is of another model", call);
    }
    if (*p >= model->pool_count || number >= model->next_id) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: this model has not given the id %#llx", call,
                         (unsigned long long)id);
    }
    const char *name = pool_name(model, *p);
    if (pool && strcmp(pool, name) != 0) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: the id is of %s, not of %s", call, name, pool);
    }
    *index = index_of(model, *p, number);
    if (*index < 0) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: the element of %s that the id named is gone",
                         call, name);
    }
    return GYRE_OK;
}

gyre_result gy_model_fresh(gyre_model *model)
{
    gyre_result r = GYRE_OK;
    for (int p = 0; p < model->pool_count && r == GYRE_OK; p++) {
        if (model->pools[p].stale) {
            r = model->type->changed(model, pool_name(model, p));
            model->pools[p].stale = r != GYRE_OK;
        }
    }
    bool meets = model->bodies && model->type->meet_bodies;
    return r == GYRE_OK && meets ? model->type->meet_bodies(model) : r;
}

/// Values in a pool (-1: elsewhere in the def) are others now.
static gyre_result note_change(gyre_model *model, int p)
{
    const char *name = p < 0 ? NULL : pool_name(model, p);
    if (name && model->type->waits && model->type->waits(model, name)) {
        model->pools[p].stale = true;
        return GYRE_OK;
    }
    return model->type->changed(model, name);
}

/// The pool whose elements a path names, or -1.
static int pool_of(const gyre_model *model, const char *path)
{
    for (int p = 0; p < model->pool_count; p++) {
        const char *name = pool_name(model, p);
        size_t length = strlen(name);
        if (strncmp(path, name, length) == 0 && path[length] == '.') {
            return p;
        }
    }
    return -1;
}

static bool same_values(const gyre_value *a, const gyre_value *b)
{
    bool same = a->kind == b->kind && a->count == b->count && strcmp(a->string, b->string) == 0;
    for (int c = 0; c < a->count && same; c++) {
        same = a->number[c] == b->number[c];
    }
    return same;
}

/// Whether what lies at `address` belongs to an element that uses an array: whoever paints into
/// that sets something afterwards, be it what it was.
static bool is_painted(const gyre_model *model, int p, const void *address)
{
    if (p < 0) {
        return false;
    }
    ptrdiff_t index = ((const char *)address - element_at(model, p, 0)) /
                      (ptrdiff_t)model->pools[p].property->size;
    return gy_property_has_array(model->pools[p].property->properties,
                                 element_at(model, p, (int)index));
}

/// Whether a leaf and the other one of a pair are as they were.
static bool is_as_before(const gy_undo *undo)
{
    bool same = true;
    for (int q = 0; q < 2 && undo->property[q] && same; q++) {
        gyre_value now;
        gyre_property_read(undo->property[q], undo->address[q], &now);
        same = same_values(&undo->value[q], &now);
    }
    return same;
}

/// Writes the leaf at `address`, in an element of pool `p` where that is not -1; `anew`: an amount
/// that was not there before, and must be looked at whatever it is set to.
static gyre_result write_leaf(gyre_model *model, const char *path, int p, bool anew,
                              const gyre_property *property, void *address, const gyre_value *value)
{
    gy_undo undo;
    if (property->flags & (GYRE_FIXED | GYRE_NAME)) {
        return gyre_fail(GYRE_ERROR_STATE, "%s: is fixed when the model is made", path);
    }
    if (property->kind == GYRE_VOLUME) {
        return gyre_fail(GYRE_ERROR_STATE,
                         "%s: update the element as a whole, or remove it and add another", path);
    }
    gyre_result r = gy_property_set(property, address, value, &undo);
    if (r != GYRE_OK) {
        return r;
    }
    if (!anew && is_as_before(&undo) && !is_painted(model, p, address)) {
        return GYRE_OK;
    }
    r = model->type->check(model->def);
    if (r != GYRE_OK) {
        gy_property_undo(&undo);
        return r;
    }
    r = note_change(model, p);
    if (r != GYRE_OK) {
        gy_property_undo(&undo);
        note_change(model, p);
    }
    return r;
}

/// Sets what a path from the def, or from an element of pool `p`, leads to.
static gyre_result set_below(gyre_model *model, const gyre_property *table, void *def, int p,
                             const char *path, const gyre_value *value)
{
    const gyre_property *property;
    void *address;
    // One that is there needs no look at what would have to be put in.
    bool anew = gyre_property_walk(table, def, path, &property, &address) != GYRE_OK &&
                gyre_property_line(table, def, path, &property) == GYRE_OK;
    gyre_result r = gyre_property_reach(table, def, path, &property, &address);
    if (r != GYRE_OK) {
        return r;
    }
    r = write_leaf(model, path, p, anew, property, address, value);
    if (r != GYRE_OK && anew) {
        gy_amount_leave(address);
    }
    return r;
}

static gyre_result set(gyre_model *model, const char *path, const gyre_value *value)
{
    return set_below(model, model->type->properties, model->def, pool_of(model, path), path, value);
}

gyre_result gyre_model_set(gyre_model *model, const char *path, const gyre_value *value)
{
    if (GY_MISSING("set", model) || GY_MISSING("set", path) || GY_MISSING("set", value)) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (gy_model_still(model, "set") != GYRE_OK) {
        return GYRE_ERROR_STATE;
    }
    gy_device_enter(model->device);
    gyre_result r = set(model, path, value);
    gy_device_leave(model->device);
    return r;
}

gyre_result gyre_model_get(const gyre_model *model, const char *path, gyre_value *value)
{
    const gyre_property *property;
    void *address;
    if (GY_MISSING("get", model) || GY_MISSING("get", path) || GY_MISSING("get", value)) {
        return GYRE_ERROR_ARGUMENT;
    }
    gyre_result r =
        gyre_property_walk(model->type->properties, model->def, path, &property, &address);
    return r == GYRE_OK ? gyre_property_read(property, address, value) : r;
}

/// The leaf that a path from an element leads to.
static gyre_result walk_in(const gyre_model *model, const char *call, gyre_id id, const char *path,
                           int *p, const gyre_property **property, void **address)
{
    int index;
    gyre_result r = gy_model_locate(model, call, NULL, id, p, &index);
    return r == GYRE_OK ? gyre_property_walk(model->pools[*p].property->properties,
                                             element_at(model, *p, index), path, property, address)
                        : r;
}

gyre_result gyre_model_set_in(gyre_model *model, gyre_id id, const char *path,
                              const gyre_value *value)
{
    int p, index;
    if (GY_MISSING("set_in", model) || GY_MISSING("set_in", path) || GY_MISSING("set_in", value)) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (gy_model_still(model, "set_in") != GYRE_OK) {
        return GYRE_ERROR_STATE;
    }
    gy_device_enter(model->device);
    gyre_result r = gy_model_locate(model, "set_in", NULL, id, &p, &index);
    r = r == GYRE_OK ? set_below(model, model->pools[p].property->properties,
                                 element_at(model, p, index), p, path, value)
                     : r;
    gy_device_leave(model->device);
    return r;
}

gyre_result gyre_model_get_in(const gyre_model *model, gyre_id id, const char *path,
                              gyre_value *value)
{
    const gyre_property *property;
    void *address;
    int p;
    if (GY_MISSING("get_in", model) || GY_MISSING("get_in", path) || GY_MISSING("get_in", value)) {
        return GYRE_ERROR_ARGUMENT;
    }
    gyre_result r = walk_in(model, "get_in", id, path, &p, &property, &address);
    return r == GYRE_OK ? gyre_property_read(property, address, value) : r;
}

/// Fails for a pool whose elements are fixed at create.
static gyre_result may_come_and_go(const gyre_model *model, const char *call, int p)
{
    return model->pools[p].property->flags & GYRE_FIXED
               ? gyre_fail(GYRE_ERROR_STATE, "%s: %s are fixed when the model is made", call,
                           pool_name(model, p))
               : GYRE_OK;
}

static gyre_result add(gyre_model *model, const char *name, const void *element, gyre_id *id)
{
    int p = find_pool(model, "add", name);
    if (p < 0) {
        return GYRE_ERROR_ARGUMENT;
    }
    const gyre_property *property = model->pools[p].property;
    gyre_pool *pool = pool_at(model, p);
    gyre_result r = may_come_and_go(model, "add", p);
    if (r == GYRE_OK && pool->count == pool->capacity) {
        r = gyre_fail(GYRE_ERROR_STATE, "%s: full with %d elements; ask for more by its capacity",
                      name, pool->count);
    }
    if (r == GYRE_OK && model->next_id >> NUMBER_BITS) {
        r = gyre_fail(GYRE_ERROR_STATE, "%s: all numbers for ids have been given", name);
    }
    r = r == GYRE_OK ? gy_model_fresh(model) : r;
    if (r != GYRE_OK) {
        return r;
    }
    memcpy(element_at(model, p, pool->count), element, property->size);
    pool->count++;
    r = gyre_property_check(property->properties, element, name);
    r = r == GYRE_OK ? model->type->check(model->def) : r;
    if (r != GYRE_OK) {
        pool->count--;
        return r;
    }
    model->pools[p].ids[pool->count - 1] = model->next_id++;
    r = model->type->changed(model, property->name);
    if (r != GYRE_OK) {
        pool->count--;
        model->type->changed(model, property->name);
        return r;
    }
    *id = id_of(model, p, model->pools[p].ids[pool->count - 1]);
    return GYRE_OK;
}

gyre_id gyre_model_add(gyre_model *model, const char *pool, const void *element)
{
    gyre_id id = 0;
    if (GY_MISSING("add", model) || GY_MISSING("add", pool) || GY_MISSING("add", element) ||
        gy_model_still(model, "add") != GYRE_OK) {
        return 0;
    }
    gy_device_enter(model->device);
    gyre_result r = add(model, pool, element, &id);
    gy_device_leave(model->device);
    return r == GYRE_OK ? id : 0;
}

static gyre_result update(gyre_model *model, const char *pool, gyre_id id, const void *element)
{
    char before[MOST_BYTES];
    int p, index;
    gyre_result r = gy_model_locate(model, "update", pool, id, &p, &index);
    if (r != GYRE_OK) {
        return r;
    }
    const gyre_property *property = model->pools[p].property, *fixed, *table = property->properties;
    char *own = element_at(model, p, index);
    r = may_come_and_go(model, "update", p);
    r = r == GYRE_OK ? gyre_property_check(table, element, property->name) : r;
    if (r != GYRE_OK) {
        return r;
    }
    fixed = gy_property_difference(table, own, element, GYRE_FIXED | GYRE_NAME);
    if (fixed) {
        return gyre_fail(GYRE_ERROR_STATE,
                         "update: %s of an element of %s is fixed as long as it lives", fixed->name,
                         property->name);
    }
    if (!gy_property_difference(table, own, element, 0) && !gy_property_has_array(table, own)) {
        return GYRE_OK;
    }
    if (property->size > sizeof before) {
        return gyre_fail(GYRE_ERROR_UNSUPPORTED, "update: elements of %s are too large",
                         property->name);
    }
    memcpy(before, own, property->size);
    memcpy(own, element, property->size);
    gy_property_follow(table, before, own);
    r = model->type->check(model->def);
    if (r != GYRE_OK) {
        memcpy(own, before, property->size);
        return r;
    }
    r = note_change(model, p);
    if (r != GYRE_OK) {
        memcpy(own, before, property->size);
        note_change(model, p);
    }
    return r;
}

gyre_result gy_model_update_in(gyre_model *model, const char *pool, gyre_id id, const void *element)
{
    if (GY_MISSING("update", model) || GY_MISSING("update", element)) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (gy_model_still(model, "update") != GYRE_OK) {
        return GYRE_ERROR_STATE;
    }
    gy_device_enter(model->device);
    gyre_result r = update(model, pool, id, element);
    gy_device_leave(model->device);
    return r;
}

gyre_result gyre_model_update(gyre_model *model, gyre_id id, const void *element)
{
    return gy_model_update_in(model, NULL, id, element);
}

gyre_result gy_model_read_in(const gyre_model *model, const char *pool, gyre_id id, void *element)
{
    int p, index;
    if (GY_MISSING("read", model) || GY_MISSING("read", element)) {
        return GYRE_ERROR_ARGUMENT;
    }
    gyre_result r = gy_model_locate(model, "read", pool, id, &p, &index);
    if (r == GYRE_OK) {
        memcpy(element, element_at(model, p, index), model->pools[p].property->size);
    }
    return r;
}

gyre_result gyre_model_read(const gyre_model *model, gyre_id id, void *element)
{
    return gy_model_read_in(model, NULL, id, element);
}

static void swap_bytes(char *a, char *b, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        char t = a[i];
        a[i] = b[i];
        b[i] = t;
    }
}

/// Moves element `from` of a pool to place `to`, the others closing up: the way back needs no room.
static void move_element(gyre_model *model, int p, int from, int to)
{
    size_t size = model->pools[p].property->size;
    uint64_t *ids = model->pools[p].ids;
    for (int i = from, step = from < to ? 1 : -1; i != to; i += step) {
        swap_bytes(element_at(model, p, i), element_at(model, p, i + step), size);
        swap_bytes((char *)&ids[i], (char *)&ids[i + step], sizeof ids[i]);
    }
}

static gyre_result remove_element(gyre_model *model, gyre_id id)
{
    int p, index;
    gyre_result r = gy_model_locate(model, "remove", NULL, id, &p, &index);
    r = r == GYRE_OK ? may_come_and_go(model, "remove", p) : r;
    r = r == GYRE_OK ? gy_model_fresh(model) : r;
    if (r != GYRE_OK) {
        return r;
    }
    gyre_pool *pool = pool_at(model, p);
    int last = pool->count - 1;
    move_element(model, p, index, last);
    pool->count = last;
    r = model->type->changed(model, pool_name(model, p));
    if (r != GYRE_OK) {
        pool->count = last + 1;
        move_element(model, p, last, index);
        model->type->changed(model, pool_name(model, p));
    }
    return r;
}

gyre_result gyre_model_remove(gyre_model *model, gyre_id id)
{
    if (GY_MISSING("remove", model)) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (gy_model_still(model, "remove") != GYRE_OK) {
        return GYRE_ERROR_STATE;
    }
    gy_device_enter(model->device);
    gyre_result r = remove_element(model, id);
    gy_device_leave(model->device);
    return r;
}

uint64_t gy_model_number(const gyre_model *model, const char *pool, int index)
{
    int p = find_pool(model, "number", pool);
    return p >= 0 && index >= 0 && index < pool_at(model, p)->count ? model->pools[p].ids[index]
                                                                    : 0;
}

gyre_id gyre_model_element(const gyre_model *model, const char *pool, int index)
{
    if (GY_MISSING("element", model) || GY_MISSING("element", pool)) {
        return 0;
    }
    int p = find_pool(model, "element", pool);
    if (p < 0) {
        return 0;
    }
    if (index < 0 || index >= pool_at(model, p)->count) {
        gyre_fail(GYRE_ERROR_ARGUMENT, "element: %s has no element %d, but %d of them", pool, index,
                  pool_at(model, p)->count);
        return 0;
    }
    return id_of(model, p, model->pools[p].ids[index]);
}

/// A pool and where its elements have their name.
typedef struct named_pool {
    const gyre_model *model;
    int p;
    const gyre_property *name;
} named_pool;

static const char *name_at(const void *list, int i)
{
    const named_pool *n = list;
    return element_at(n->model, n->p, i) + n->name->offset;
}

gyre_id gyre_model_find(const gyre_model *model, const char *pool, const char *name)
{
    if (GY_MISSING("find", model) || GY_MISSING("find", pool) || GY_MISSING("find", name)) {
        return 0;
    }
    int p = find_pool(model, "find", pool);
    if (p < 0) {
        return 0;
    }
    int count = pool_at(model, p)->count;
    named_pool n = {model, p, gy_property_name_of(model->pools[p].property->properties)};
    for (int i = 0; n.name && i < count; i++) {
        if (name[0] && strcmp(name_at(&n, i), name) == 0) {
            return id_of(model, p, model->pools[p].ids[i]);
        }
    }
    const char *near = n.name ? gyre_name_nearest(name, count, name_at, &n) : NULL;
    gyre_fail(GYRE_ERROR_ARGUMENT, "find: %s has no element \"%.64s\"%s%s%s", pool, name,
              near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
    return 0;
}

const char *gyre_model_pool(const gyre_model *model, gyre_id id)
{
    int p, index;
    return !GY_MISSING("pool", model) &&
                   gy_model_locate(model, "pool", NULL, id, &p, &index) == GYRE_OK
               ? pool_name(model, p)
               : NULL;
}

static gyre_id missed(const gyre_model *model, int index)
{
    for (int p = 0; p < model->pool_count && model->type->misses; p++) {
        for (int i = 0; i < pool_at(model, p)->count; i++) {
            if (model->type->misses(model, pool_name(model, p), i) && index-- == 0) {
                return id_of(model, p, model->pools[p].ids[i]);
            }
        }
    }
    return 0;
}

gyre_id gyre_model_missed(gyre_model *model, int index)
{
    if (GY_MISSING("missed", model)) {
        return 0;
    }
    gy_device_enter(model->device);
    gyre_id id = index >= 0 && gy_model_fresh(model) == GYRE_OK ? missed(model, index) : 0;
    gy_device_leave(model->device);
    return id;
}

const gyre_property *gyre_model_report_table(const gyre_model *model, const char *pool)
{
    if (GY_MISSING("report_table", model) || GY_MISSING("report_table", pool) ||
        find_pool(model, "report_table", pool) < 0) {
        return NULL;
    }
    const gyre_property *table =
        model->type->report ? model->type->report(model, pool, -1, NULL) : NULL;
    if (!table) {
        gyre_fail(GYRE_ERROR_ARGUMENT, "report_table: there is nothing to tell of %s", pool);
    }
    return table;
}

const gyre_property *gyre_model_report(const gyre_model *model, gyre_id id, const void **report)
{
    int p, index;
    if (GY_MISSING("report", model) || GY_MISSING("report", report) ||
        gy_model_locate(model, "report", NULL, id, &p, &index) != GYRE_OK) {
        return NULL;
    }
    const gyre_property *table =
        model->type->report ? model->type->report(model, pool_name(model, p), index, report) : NULL;
    if (!table) {
        gyre_fail(GYRE_ERROR_ARGUMENT, "report: there is nothing to tell of %s",
                  pool_name(model, p));
    }
    return table;
}
