// model/save.c: a model's state as bytes.
//
// A file header, then chunks, each with a header of its own and padded to 8 bytes; their order
// means nothing. A reader finds a chunk by its name, and refuses one that it does not know unless
// it is marked as one that may be passed over. Little-endian, as all machines gyre runs on are.
//
//   model       type, clock, the next id
//   grid        gyre_grid, as the def has it
//   moved       cells along each axis that it stands from there; absent where it has not moved
//   properties  every value of the def by its table (grid/property_pack.c)
//   ids         of the elements of each list, in the table's order
//   field.NAME  of the state: location, samples along each axis, the samples, x fastest
//   extra       what the model keeps beside: see model/extra.c
//   particles.NAME  a set of particles: see model/particle.c; absent where there is no such set
//   more        what it keeps beside and depends on the def: floats
#include "base/os.h"
#include "grid/property.h"
#include "model/model.h"
#include "model/rows.h"
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { FORMAT_VERSION = 2, CHUNK_VERSION = 1, PASS_OVER = 1, MOST_CHUNKS = 64 + 7 + 4 };

/// Of a state that stays in memory: what a chunk holds is not in its checksum, its header is.
enum { SNAPSHOT_VERSION = 3 };

typedef struct file_header {
    char magic[8];
    uint32_t version, chunks;
    uint64_t size;     // of the whole, this header included
    uint64_t checksum; // of the header with this member 0
} file_header;

typedef struct chunk_header {
    char name[48];
    uint32_t version, flags;
    uint64_t size;     // of what follows, without its padding
    uint64_t checksum; // of this header with this member 0, then of what follows with its padding,
                       // but in a snapshot
} chunk_header;

typedef struct model_chunk {
    char type[16];
    double time;
    int64_t steps;
    uint64_t next_id;
} model_chunk;

typedef struct field_chunk {
    int32_t location, n[3];
} field_chunk;

static const char MAGIC[8] = {'g', 'y', 'r', 'e', 's', 'a', 'v', 'e'};

/// What a chunk is to hold, or was found to.
typedef struct chunk {
    char name[48];
    uint32_t version;
    size_t size;
    const char *at;
} chunk;

typedef struct chunks {
    int count;
    chunk list[MOST_CHUNKS];
} chunks;

static size_t padded(size_t size)
{
    return (size + 7) / 8 * 8;
}

static const gyre_pool *pool_at(const gyre_model *model, int p)
{
    return (const void *)((const char *)model->def + model->pools[p].property->offset);
}

static size_t ids_size(const gyre_model *model, bool most)
{
    size_t size = 0;
    for (int p = 0; p < model->pool_count; p++) {
        const gyre_pool *pool = pool_at(model, p);
        size += (size_t)(most ? pool->capacity : pool->count) * sizeof(uint64_t);
    }
    return size;
}

static size_t field_size(const gyre_model *model, int field)
{
    int n[3];
    gyre_grid_samples(model->grid, model->fields[field].location, n);
    return sizeof(field_chunk) + (size_t)n[0] * (size_t)n[1] * (size_t)n[2] * sizeof(float);
}

static void list_chunk(chunks *c, const char *group, const char *name, size_t size)
{
    chunk *new = &c->list[c->count++];
    snprintf(new->name, sizeof new->name, "%s%s", group, name);
    new->version = CHUNK_VERSION;
    new->size = size;
}

/// The chunks of the model as it is, or, with `most`, as large as they may become.
static chunks plan(const gyre_model *model, bool most)
{
    chunks c = {0};
    const gyre_property *table = model->type->properties;
    list_chunk(&c, "", "model", sizeof(model_chunk));
    list_chunk(&c, "", "grid", sizeof(gyre_grid));
    size_t place = most && model->type->shift ? sizeof model->place : gy_model_place_size(model);
    if (place > 0) {
        list_chunk(&c, "", "moved", place);
    }
    list_chunk(&c, "", "properties",
               most ? gy_property_pack_most(table, model->def)
                    : gy_property_pack_size(table, model->def));
    list_chunk(&c, "", "ids", ids_size(model, most));
    for (int f = 0; f < model->field_count; f++) {
        if (!model->fields[f].derived) {
            list_chunk(&c, "field.", model->fields[f].name, field_size(model, f));
        }
    }
    for (int s = 0; s < model->particle_sets; s++) {
        list_chunk(&c, "particles.", model->particles[s].info.name,
                   gy_particles_save_size(model->device, &model->particles[s], most));
    }
    list_chunk(&c, "", "extra", gy_extra_save_size(model, most));
    c.list[c.count - 1].version = gy_extra_version(model);
    list_chunk(&c, "", "more", most ? model->more_most : model->more_size);
    return c;
}

static size_t total_size(const chunks *c)
{
    size_t size = sizeof(file_header);
    for (int i = 0; i < c->count; i++) {
        size += sizeof(chunk_header) + padded(c->list[i].size);
    }
    return size;
}

size_t gyre_model_save_size(const gyre_model *model)
{
    if (GY_MISSING("save_size", model)) {
        return 0;
    }
    chunks c = plan(model, true);
    return total_size(&c);
}

static uint64_t file_checksum(file_header h)
{
    h.checksum = 0;
    return gy_hash(&h, sizeof h, 0);
}

static uint64_t chunk_checksum(chunk_header h, const void *rest, uint32_t version)
{
    h.checksum = 0;
    uint64_t own = gy_hash(&h, sizeof h, 0);
    return version == SNAPSHOT_VERSION ? own : gy_hash(rest, padded((size_t)h.size), own);
}

static void copy_ids(gyre_model *model, char *bytes, bool out)
{
    for (int p = 0; p < model->pool_count; p++) {
        size_t size = (size_t)pool_at(model, p)->count * sizeof(uint64_t);
        memcpy(out ? bytes : (char *)model->pools[p].ids, out ? (char *)model->pools[p].ids : bytes,
               size);
        bytes += size;
    }
}

static model_chunk own_clock(const gyre_model *model)
{
    model_chunk c = {.time = model->time, .steps = model->steps, .next_id = model->next_id};
    memcpy(c.type, model->type->name, strlen(model->type->name));
    return c;
}

static field_chunk own_shape(const gyre_model *model, int f)
{
    field_chunk c = {.location = (int32_t)model->fields[f].location};
    int n[3];
    gyre_grid_samples(model->grid, model->fields[f].location, n);
    memcpy(c.n, n, sizeof c.n);
    return c;
}

/// The field that a chunk of the state is named after, or -1.
static int field_of(const gyre_model *model, const char *name)
{
    for (int f = 0; f < model->field_count && strncmp(name, "field.", 6) == 0; f++) {
        if (!model->fields[f].derived && strcmp(model->fields[f].name, name + 6) == 0) {
            return f;
        }
    }
    return -1;
}

/// Where a chunk holds a field's samples.
static gy_field_bytes samples_of(const gyre_model *model, int f, const char *held)
{
    int n[3];
    gyre_grid_samples(model->grid, model->fields[f].location, n);
    return (gy_field_bytes){.field = f,
                            .rows = n[1] * n[2],
                            .bytes = (char *)(uintptr_t)held + sizeof(field_chunk),
                            .size = field_size(model, f) - sizeof(field_chunk)};
}

/// The set that a chunk is named after; NULL: none.
static gy_particles *set_of(const gyre_model *model, const char *name)
{
    for (int s = 0; s < model->particle_sets && strncmp(name, "particles.", 10) == 0; s++) {
        if (strcmp(model->particles[s].info.name, name + 10) == 0) {
            return &model->particles[s];
        }
    }
    return NULL;
}

/// As the def has it.
static gyre_grid own_grid(const gyre_model *model)
{
    return gy_model_place_size(model) > 0 ? gy_model_grid_at(model, model->place.based)
                                          : *model->grid;
}

static void write_chunk(gyre_model *model, const chunk *c, char *at)
{
    int f = field_of(model, c->name);
    const gy_particles *set = set_of(model, c->name);
    if (set) {
        gy_particles_save(model->device, set, at);
    } else if (f >= 0) {
        field_chunk shape = own_shape(model, f);
        memcpy(at, &shape, sizeof shape); // its samples: gy_copy_fields
    } else if (strcmp(c->name, "model") == 0) {
        model_chunk clock = own_clock(model);
        memcpy(at, &clock, sizeof clock);
    } else if (strcmp(c->name, "grid") == 0) {
        gyre_grid grid = own_grid(model);
        memcpy(at, &grid, sizeof grid);
    } else if (strcmp(c->name, "moved") == 0) {
        memcpy(at, &model->place, c->size);
    } else if (strcmp(c->name, "properties") == 0) {
        gy_property_pack(model->type->properties, model->def, at);
    } else if (strcmp(c->name, "ids") == 0) {
        copy_ids(model, at, true);
    } else if (strcmp(c->name, "extra") == 0) {
        gy_extra_save(model, at);
    } else if (strcmp(c->name, "more") == 0 && c->size) {
        model->type->copy_more(model, at, c->size, true);
    }
}

/// The samples of all fields, to where their chunks lie.
static void write_fields(const gyre_model *model, const chunks *c, char *memory)
{
    gy_field_bytes fields[MOST_CHUNKS];
    int count = 0;
    char *at = memory + sizeof(file_header);
    for (int i = 0; i < c->count; i++) {
        at += sizeof(chunk_header);
        int f = field_of(model, c->list[i].name);
        if (f >= 0) {
            fields[count++] = samples_of(model, f, at);
        }
        at += padded(c->list[i].size);
    }
    gy_copy_fields(model, fields, count, true);
}

static gyre_result save(gyre_model *model, char *memory, size_t size, size_t *written,
                        uint32_t version)
{
    gyre_result r = gy_device_status(model->device);
    r = r == GYRE_OK ? gy_model_fresh(model) : r;
    if (r != GYRE_OK) {
        return r;
    }
    chunks c = plan(model, false);
    size_t needed = total_size(&c);
    if (size < needed) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "save: %zu bytes are needed, %zu were given", needed,
                         size);
    }
    if (model->type->keep) {
        model->type->keep(model);
    }
    write_fields(model, &c, memory);
    char *at = memory + sizeof(file_header);
    for (int i = 0; i < c.count; i++) {
        chunk_header h = {.version = c.list[i].version, .size = c.list[i].size};
        memcpy(h.name, c.list[i].name, sizeof h.name);
        char *payload = at + sizeof h;
        write_chunk(model, &c.list[i], payload);
        memset(payload + c.list[i].size, 0, padded(c.list[i].size) - c.list[i].size);
        h.checksum = chunk_checksum(h, payload, version);
        memcpy(at, &h, sizeof h);
        at = payload + padded(c.list[i].size);
    }
    file_header h = {.version = version, .chunks = (uint32_t)c.count, .size = needed};
    memcpy(h.magic, MAGIC, sizeof MAGIC);
    h.checksum = file_checksum(h);
    memcpy(memory, &h, sizeof h);
    if (written) {
        *written = needed;
    }
    return gy_device_status(model->device);
}

static gyre_result save_as(const char *call, const gyre_model *model, void *memory, size_t size,
                           size_t *written, uint32_t version)
{
    if (GY_MISSING(call, model) || GY_MISSING(call, memory)) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (gy_model_still(model, call) != GYRE_OK) {
        return GYRE_ERROR_STATE;
    }
    gy_device_enter(model->device);
    gyre_result r = save((gyre_model *)(uintptr_t)model, memory, size, written, version);
    gy_device_leave(model->device);
    return r;
}

gyre_result gyre_model_save(const gyre_model *model, void *memory, size_t size, size_t *written)
{
    return save_as("save", model, memory, size, written, FORMAT_VERSION);
}

gyre_result gyre_model_snapshot(const gyre_model *model, void *memory, size_t size, size_t *written)
{
    return save_as("snapshot", model, memory, size, written, SNAPSHOT_VERSION);
}

// ---- reading

static gyre_result damaged(const char *what)
{
    return gyre_fail(GYRE_ERROR_FORMAT, "load: damaged: the checksum of %s does not fit", what);
}

static const chunk *find_chunk(const chunks *c, const char *name)
{
    for (int i = 0; i < c->count; i++) {
        if (strcmp(c->list[i].name, name) == 0) {
            return &c->list[i];
        }
    }
    return NULL;
}

static gyre_result read_header(const char *memory, size_t size, file_header *h)
{
    if (size < sizeof *h) {
        return gyre_fail(GYRE_ERROR_FORMAT, "load: %zu bytes are less than a header", size);
    }
    memcpy(h, memory, sizeof *h);
    if (memcmp(h->magic, MAGIC, sizeof MAGIC) != 0) {
        return gyre_fail(GYRE_ERROR_FORMAT, "load: not a saved state (its first bytes are wrong)");
    }
    if (h->version != FORMAT_VERSION && h->version != SNAPSHOT_VERSION) {
        return gyre_fail(GYRE_ERROR_FORMAT, "load: format version %u, expected %d", h->version,
                         FORMAT_VERSION);
    }
    if (file_checksum(*h) != h->checksum) {
        return damaged("its header");
    }
    if (h->size > size || h->size < sizeof *h) {
        return gyre_fail(GYRE_ERROR_FORMAT, "load: %zu bytes, expected %zu: cut short", size,
                         (size_t)h->size);
    }
    return GYRE_OK;
}

/// Finds the chunks and checks that each is whole.
static gyre_result read_chunks(const char *memory, const file_header *file, chunks *c)
{
    const char *at = memory + sizeof *file;
    size_t left = (size_t)file->size - sizeof *file;
    for (uint32_t i = 0; i < file->chunks; i++) {
        chunk_header h;
        if (left < sizeof h) {
            return gyre_fail(GYRE_ERROR_FORMAT, "load: a chunk is missing: damaged");
        }
        memcpy(&h, at, sizeof h);
        left -= sizeof h;
        if (h.size > left || padded((size_t)h.size) > left || !memchr(h.name, 0, sizeof h.name)) {
            return gyre_fail(GYRE_ERROR_FORMAT, "load: a chunk is longer than the state: damaged");
        }
        if (chunk_checksum(h, at + sizeof h, file->version) != h.checksum) {
            return damaged(h.name);
        }
        if (c->count < MOST_CHUNKS && !(h.flags & PASS_OVER)) {
            if (h.version != CHUNK_VERSION && strcmp(h.name, "extra") != 0) {
                return gyre_fail(GYRE_ERROR_FORMAT, "load: %s has version %u, expected %d", h.name,
                                 h.version, CHUNK_VERSION);
            }
            chunk *new = &c->list[c->count++];
            memcpy(new->name, h.name, sizeof new->name);
            new->version = h.version;
            new->size = (size_t)h.size;
            new->at = at + sizeof h;
        } else if (!(h.flags & PASS_OVER)) {
            return gyre_fail(GYRE_ERROR_FORMAT, "load: more than %d chunks", MOST_CHUNKS);
        }
        at += sizeof h + padded((size_t)h.size);
        left -= padded((size_t)h.size);
    }
    return left == 0 ? GYRE_OK
                     : gyre_fail(GYRE_ERROR_FORMAT, "load: %zu bytes too many: damaged", left);
}

static gyre_result check_clock(const gyre_model *model, const chunk *c, model_chunk *clock)
{
    memcpy(clock, c->at, sizeof *clock);
    model_chunk mine = own_clock(model);
    if (memcmp(clock->type, mine.type, sizeof mine.type) != 0) {
        return gyre_fail(GYRE_ERROR_FORMAT, "load: of model type \"%.15s\", expected \"%s\"",
                         clock->type, mine.type);
    }
    if (!(clock->time >= 0.0 && clock->time < 1e300) || clock->steps < 0) {
        return gyre_fail(GYRE_ERROR_FORMAT, "load: its clock is not a time");
    }
    return GYRE_OK;
}

static gyre_result check_grid(const gyre_model *model, const chunk *c)
{
    const gyre_grid own = own_grid(model), *mine = &own;
    gyre_grid g;
    memcpy(&g, c->at, sizeof g);
    if (memcmp(&g, mine, sizeof g) == 0) {
        return GYRE_OK;
    }
    return gyre_fail(GYRE_ERROR_FORMAT,
                     "load: of a grid of %d x %d x %d cells of %g m, expected %d x %d x %d of %g m",
                     g.n[0], g.n[1], g.n[2], (double)g.h, mine->n[0], mine->n[1], mine->n[2],
                     (double)mine->h);
}

/// How far the grid had moved: not at all where no chunk says so.
static gyre_result check_moved(const gyre_model *model, const chunks *found, gy_grid_place *place)
{
    const chunk *c = find_chunk(found, "moved");
    *place = (gy_grid_place){0};
    if (!c) {
        return GYRE_OK;
    }
    size_t without = offsetof(gy_grid_place, due);
    if (c->size != sizeof place->moved && c->size != without && c->size != sizeof *place) {
        return gyre_fail(GYRE_ERROR_FORMAT, "load: moved has %zu bytes, expected %zu, %zu or %zu",
                         c->size, sizeof place->moved, without, sizeof *place);
    }
    memcpy(place, c->at, c->size);
    if (!(place->brought > -1e300 && place->brought < 1e300) ||
        !(place->due > -1e300 && place->due < 1e300)) {
        return gyre_fail(GYRE_ERROR_FORMAT, "load: moved has a value that is not finite");
    }
    bool right = gy_model_check_place("load: moved", model, place->moved) == GYRE_OK &&
                 gy_model_check_place("load: moved", model, place->based) == GYRE_OK;
    return right ? GYRE_OK : GYRE_ERROR_FORMAT;
}

static gyre_result check_field(const gyre_model *model, const chunk *c)
{
    int f = field_of(model, c->name);
    if (f < 0) {
        return gyre_fail(GYRE_ERROR_FORMAT, "load: of a model with other fields: it has %s",
                         c->name + 6);
    }
    field_chunk mine = own_shape(model, f);
    if (memcmp(c->at, &mine, sizeof mine) != 0) {
        return gyre_fail(GYRE_ERROR_FORMAT, "load: %s has other samples than the model's", c->name);
    }
    return GYRE_OK;
}

/// Of all fields at once; they have the sizes that they should.
static gyre_result check_samples(const gyre_model *model, const chunks *found)
{
    gy_field_bytes fields[MOST_CHUNKS];
    const chunk *of[MOST_CHUNKS];
    int count = 0;
    for (int i = 0; i < found->count; i++) {
        int f = field_of(model, found->list[i].name);
        if (f >= 0) {
            of[count] = &found->list[i];
            fields[count++] = samples_of(model, f, found->list[i].at);
        }
    }
    if (gy_are_finite(model, fields, count)) {
        return GYRE_OK;
    }
    for (int i = 0; i < count; i++) {
        if (!gy_are_finite(model, fields + i, 1)) {
            return gyre_fail(GYRE_ERROR_FORMAT, "load: %s has a value that is not finite",
                             of[i]->name);
        }
    }
    return GYRE_OK;
}

/// Every chunk that the model would write is there, of its size where that is known, and no other.
static gyre_result match(const gyre_model *model, const chunks *found, model_chunk *clock,
                         gy_grid_place *place)
{
    chunks mine = plan(model, false);
    gyre_result moved = check_moved(model, found, place);
    if (moved != GYRE_OK) {
        return moved;
    }
    for (int i = 0; i < mine.count; i++) {
        const chunk *m = &mine.list[i], *c = find_chunk(found, m->name);
        bool field = strncmp(m->name, "field.", 6) == 0, known = i < 2 || field;
        if (strcmp(m->name, "moved") == 0) {
            continue;
        }
        if (!c) {
            return gyre_fail(GYRE_ERROR_FORMAT, "load: of a model with other fields: %s is missing",
                             m->name);
        }
        // Model and grid come first: another grid has fields of other sizes.
        if (c->size != m->size && known) {
            return gyre_fail(GYRE_ERROR_FORMAT, "load: %s has %zu bytes, expected %zu", m->name,
                             c->size, m->size);
        }
        gyre_result r = i == 0   ? check_clock(model, c, clock)
                        : i == 1 ? check_grid(model, c)
                        : field  ? check_field(model, c)
                        : set_of(model, c->name)
                            ? gy_particles_check(set_of(model, c->name), c->at, c->size)
                            : GYRE_OK;
        if (r != GYRE_OK) {
            return r;
        }
    }
    for (int i = 0; i < found->count; i++) {
        if (!find_chunk(&mine, found->list[i].name) && strcmp(found->list[i].name, "moved") != 0) {
            return gyre_fail(GYRE_ERROR_FORMAT, "load: of a model with other fields: it has %s",
                             found->list[i].name);
        }
    }
    gyre_result samples = check_samples(model, found);
    if (samples != GYRE_OK) {
        return samples;
    }
    const chunk *more = find_chunk(found, "more"), *extra = find_chunk(found, "extra");
    gyre_result beside = gy_extra_check(model, extra->version, extra->at, extra->size);
    if (beside != GYRE_OK) {
        return beside;
    }
    const gy_field_bytes floats = {
        .rows = 1, .bytes = (char *)(uintptr_t)more->at, .size = more->size};
    if ((more->size != model->more_least && more->size != model->more_most) ||
        !gy_are_finite(model, &floats, 1)) {
        return gyre_fail(GYRE_ERROR_FORMAT, "load: what it keeps beside fields is not valid");
    }
    return GYRE_OK;
}

/// Ids are never used again, so those of a pool ascend.
static gyre_result check_ids(const gyre_model *model, const char *bytes, uint64_t next_id)
{
    for (int p = 0; p < model->pool_count; p++) {
        const gyre_pool *pool = pool_at(model, p);
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

/// The model's head as it was, in another place: def, pools and ids are one block.
static const void *in_copy(const gyre_model *model, const char *before, const void *at)
{
    return before + ((const char *)at - (const char *)model->def);
}

/// Whether a pool has the elements that it had, and none of a caller's arrays, which may have been
/// painted.
static bool is_as_before(const gyre_model *model, const char *before, int p)
{
    const gyre_property *property = model->pools[p].property;
    const gyre_pool *now = pool_at(model, p);
    const gyre_pool *was = (const void *)(before + property->offset);
    bool same = now->count == was->count;
    const char *old = in_copy(model, before, now->items), *new = now->items;
    const uint64_t *ids = model->pools[p].ids, *old_ids = in_copy(model, before, ids);
    for (int i = 0; i < now->count && same; i++, old += property->size, new += property->size) {
        same = ids[i] == old_ids[i] && !gy_property_has_array(property->properties, new) &&
               !gy_property_difference(property->properties, old, new, 0);
    }
    return same;
}

/// With `before`, the head as it was, what is as it was then is left as it is.
static gyre_result changed_all(gyre_model *model, const char *before)
{
    const gyre_property *table = model->type->properties;
    bool same = before && !gy_property_difference(table, before, model->def, 0) &&
                !gy_property_has_array(table, model->def);
    gyre_result r = same ? GYRE_OK : model->type->changed(model, NULL);
    for (int p = 0; p < model->pool_count && r == GYRE_OK; p++) {
        if (!before || !is_as_before(model, before, p)) {
            r = model->type->changed(model, model->pools[p].property->name);
        }
        model->pools[p].stale = r != GYRE_OK;
    }
    return r;
}

/// Takes properties and ids. After a failure they may be half taken. `before`: the head as it was,
/// or NULL where all must be made anew.
static gyre_result take_head(gyre_model *model, const chunks *found, uint64_t next_id,
                             const char *before)
{
    const chunk *properties = find_chunk(found, "properties"), *ids = find_chunk(found, "ids");
    gyre_result r =
        gy_property_unpack(model->type->properties, model->def, properties->at, properties->size);
    if (r != GYRE_OK) {
        return r;
    }
    if (ids->size != ids_size(model, false)) {
        return gyre_fail(GYRE_ERROR_FORMAT, "load: %zu bytes of ids, expected %zu: damaged",
                         ids->size, ids_size(model, false));
    }
    if (model->type->check(model->def) != GYRE_OK) {
        char message[512];
        snprintf(message, sizeof message, "%s", gyre_message());
        return gyre_fail(GYRE_ERROR_FORMAT, "load: %s", message);
    }
    r = check_ids(model, ids->at, next_id);
    if (r == GYRE_OK) {
        copy_ids(model, (char *)(uintptr_t)ids->at, false);
        r = changed_all(model, before);
    }
    return r;
}

/// Takes what cannot be refused any more.
static void take_rest(gyre_model *model, const chunks *found, const model_chunk *clock)
{
    gy_field_bytes fields[MOST_CHUNKS];
    int count = 0;
    for (int i = 0; i < found->count; i++) {
        int f = field_of(model, found->list[i].name);
        if (f >= 0) {
            fields[count++] = samples_of(model, f, found->list[i].at);
        }
        gy_particles *set = set_of(model, found->list[i].name);
        if (set) {
            gy_particles_load(model->device, set, found->list[i].at);
        }
    }
    gy_copy_fields(model, fields, count, false);
    model->time = clock->time;
    model->steps = clock->steps;
    model->next_id = clock->next_id;
    model->loads = true;
    for (int f = 0; f < model->field_count; f++) {
        if (!model->fields[f].derived) {
            model->type->written(model, f);
        }
    }
    model->loads = false;
    gy_extra_load(model, find_chunk(found, "extra")->at);
    const chunk *more = find_chunk(found, "more");
    if (more->size) {
        model->type->copy_more(model, (char *)(uintptr_t)more->at, more->size, false);
    }
    if (model->type->regain) {
        model->type->regain(model);
    }
}

static gyre_result load(gyre_model *model, const char *memory, size_t size)
{
    const gyre_host *host = gy_device_host(model->device);
    file_header file;
    chunks found = {0};
    model_chunk clock;
    gy_grid_place place, stood;
    gyre_result r = read_header(memory, size, &file);
    if (r == GYRE_OK) {
        r = read_chunks(memory, &file, &found);
    }
    if (r == GYRE_OK) {
        r = match(model, &found, &clock, &place);
    }
    // What is as it was when this fails then needs no memory.
    r = r == GYRE_OK ? gy_model_fresh(model) : r;
    if (r != GYRE_OK) {
        return r;
    }
    // The def's copy, its pools and ids are one block: to put it back is one copy.
    size_t bytes = gy_model_head_size(model->type, model->def);
    void *before = gy_allocate(host, bytes, 64);
    if (!before) {
        return GYRE_ERROR_MEMORY;
    }
    memcpy(before, model->def, bytes);
    stood = model->place;
    model->place = place;
    // A grid that stands elsewhere has other faces.
    bool there = memcmp(stood.moved, place.moved, sizeof place.moved) == 0 &&
                 memcmp(stood.based, place.based, sizeof place.based) == 0;
    r = take_head(model, &found, clock.next_id, there ? before : NULL);
    if (r != GYRE_OK) {
        char message[1024];
        snprintf(message, sizeof message, "%s", gyre_message());
        memcpy(model->def, before, bytes);
        model->place = stood;
        changed_all(model, NULL);
        gyre_fail(r, "%s", message);
    }
    gy_release(host, before, bytes);
    if (r == GYRE_OK) {
        take_rest(model, &found, &clock);
        r = gy_device_status(model->device);
    }
    return r;
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
    size_t written = 0;
    gyre_result r = gyre_model_save(model, bytes, size, &written);
    if (r == GYRE_OK) {
        r = gy_os_write_file(path, bytes, written);
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
    file_header file;
    if (read_header(bytes, size, &file) == GYRE_OK && file.version == SNAPSHOT_VERSION) {
        r = gyre_fail(GYRE_ERROR_FORMAT, "load: a snapshot, which is for memory alone: it has no "
                                         "checksums; a file is made by save");
    } else {
        r = gyre_model_load(model, bytes, size);
    }
    gy_os_release(bytes, size);
    if (r != GYRE_OK) {
        char message[1024];
        strncpy(message, gyre_message(), sizeof message - 1);
        message[sizeof message - 1] = 0;
        return gyre_fail(r, "%s: %s", path, message);
    }
    return r;
}
