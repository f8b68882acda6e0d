// body/save.c: a set of bodies as bytes, and its hash.
//
// A header with a checksum, the properties of all bodies by their table (grid/property_pack.c), the
// numbers of their ids, their states, points that a caller moves (body/points.c). Little-endian, as
// all machines gyre runs on are. Forms are made anew when a state is loaded: from the arrays that
// bodies of the set use now.
#include "body/body.h"

#include "base/maths.h"
#include "grid/property.h"

enum { VERSION = 4 };

typedef struct header {
    char magic[8];
    uint32_t version, count;
    uint64_t size;   // of the whole
    uint64_t packed; // bytes of properties, then padding to 8
    uint64_t points; // bytes of points that a caller moves, at the end
    uint64_t next_id;
    double time, before;
    int64_t steps;
    uint64_t checksum; // of the whole with this member 0
} header;

static const char MAGIC[8] = {'g', 'y', 'r', 'e', 'b', 'o', 'd', 'y'};

static size_t padded(size_t size)
{
    return (size + 7) / 8 * 8;
}

/// Of the header without its checksum, then of what follows it.
static uint64_t checksum_of(const char *at, const header *h)
{
    header clear = *h;
    clear.checksum = 0;
    uint64_t sum = gy_hash(&clear, sizeof clear, 0);
    return gy_hash(at + sizeof clear, (size_t)(h->size - sizeof clear), sum);
}

size_t gyre_bodies_save_size(const gyre_bodies *bodies)
{
    if (GY_MISSING("bodies_save_size", bodies)) {
        return 0;
    }
    size_t most = (size_t)bodies->def.pool.capacity;
    return sizeof(header) + padded(bodies->packed_most) +
           most * (sizeof(uint64_t) + sizeof(gy_set_state)) +
           gy_set_points_size(bodies->figures, bodies->def.pool.count);
}

gyre_result gyre_bodies_save(const gyre_bodies *bodies, void *memory, size_t size, size_t *written)
{
    if (GY_MISSING("bodies_save", bodies) || GY_MISSING("bodies_save", memory)) {
        return GYRE_ERROR_ARGUMENT;
    }
    size_t count = (size_t)bodies->def.pool.count;
    size_t packed = gy_property_pack_size(gy_set_properties, &bodies->def);
    header h = {.version = VERSION,
                .count = (uint32_t)count,
                .packed = packed,
                .points = gy_set_points_size(bodies->figures, (int)count),
                .next_id = bodies->next_id,
                .time = bodies->time,
                .before = bodies->before,
                .steps = bodies->steps};
    memcpy(h.magic, MAGIC, sizeof h.magic);
    size_t points = (size_t)h.points;
    size_t whole =
        sizeof h + padded(packed) + count * (sizeof(uint64_t) + sizeof(gy_set_state)) + points;
    h.size = whole;
    if (size < whole) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "bodies_save: %zu bytes are too few for %zu", size,
                         whole);
    }
    char *at = memory;
    memset(at, 0, whole);
    memcpy(at, &h, sizeof h);
    gy_property_pack(gy_set_properties, &bodies->def, at + sizeof h);
    char *rest = at + sizeof h + padded(packed);
    memcpy(rest, bodies->ids, count * sizeof(uint64_t));
    memcpy(rest + count * sizeof(uint64_t), bodies->states, count * sizeof(gy_set_state));
    gy_set_points_save(bodies, at + whole - points);
    h.checksum = checksum_of(at, &h);
    memcpy(at, &h, sizeof h);
    if (written) {
        *written = whole;
    }
    return GYRE_OK;
}

uint64_t gyre_bodies_hash(const gyre_bodies *bodies)
{
    if (GY_MISSING("bodies_hash", bodies) || bodies->next_id == 1) {
        return 0; // it is there for the room that it has, which is no state
    }
    size_t count = (size_t)bodies->def.pool.count;
    size_t packed = gy_property_pack_size(gy_set_properties, &bodies->def);
    gy_property_pack(gy_set_properties, &bodies->def, bodies->packed);
    uint64_t hash = gy_hash(bodies->packed, packed, bodies->next_id);
    hash = gy_hash(bodies->ids, count * sizeof(uint64_t), hash);
    hash = gy_hash(bodies->states, count * sizeof(gy_set_state), hash);
    hash = gy_set_points_hash(bodies, hash);
    hash = gy_hash(&bodies->time, sizeof bodies->time, hash);
    return gy_hash(&bodies->steps, sizeof bodies->steps, hash);
}

static gyre_result damaged(const char *what)
{
    return gyre_fail(GYRE_ERROR_FORMAT, "saved bodies: %s", what);
}

/// Whether ids ascend and states are finite.
static bool is_sound(const char *at, const header *h)
{
    uint64_t last = 0, id;
    double number;
    for (uint32_t i = 0; i < h->count; i++, last = id) {
        memcpy(&id, at + i * sizeof id, sizeof id);
        if (id <= last || id >= h->next_id) {
            return false;
        }
    }
    at += h->count * sizeof id;
    for (uint32_t i = 0; i < h->count; i++) {
        for (size_t k = 0; k < offsetof(gy_set_state, target) / sizeof number; k++) {
            memcpy(&number, at + i * sizeof(gy_set_state) + k * sizeof number, sizeof number);
            if (!(number >= -1e300 && number <= 1e300)) {
                return false;
            }
        }
    }
    return h->time >= 0.0 && h->time < 1e300 && h->before >= 0.0 && h->before <= h->time;
}

/// Checks all that stands beside the properties.
static gyre_result check(const gyre_bodies *bodies, const char *at, size_t size, header *h)
{
    if (size < sizeof *h) {
        return damaged("cut short");
    }
    memcpy(h, at, sizeof *h);
    if (memcmp(h->magic, MAGIC, sizeof MAGIC) != 0) {
        return damaged("these are none");
    }
    if (h->version != VERSION) {
        return damaged("of another version");
    }
    uint64_t each = sizeof(uint64_t) + sizeof(gy_set_state), rest = h->size - sizeof *h;
    if (h->size < sizeof *h || h->size > size || h->packed > rest || h->count > rest / each ||
        h->points > rest || rest != padded((size_t)h->packed) + h->count * each + h->points) {
        return damaged("cut short");
    }
    if (checksum_of(at, h) != h->checksum) {
        return damaged("damaged: the checksum differs");
    }
    if (!is_sound(at + h->size - h->points - h->count * each, h)) {
        return damaged("damaged: ids or states are wrong");
    }
    if (h->count > (uint64_t)bodies->def.pool.capacity) {
        return gyre_fail(GYRE_ERROR_FORMAT, "saved bodies: %u of them, there is room for %d",
                         h->count, bodies->def.pool.capacity);
    }
    return GYRE_OK;
}

/// The forms of the bodies that are now in the pool, and points that a caller has moved.
static gyre_result make_figures(gyre_bodies *bodies, gy_figure *figures, const header *h,
                                const char *points)
{
    int count = bodies->def.pool.count;
    for (int i = 0; i < count; i++) {
        const gyre_body *body = gy_set_body(bodies, i);
        gyre_result r = gy_figure_make(&bodies->host, &body->form, "saved bodies", figures + i);
        r = r == GYRE_OK ? gy_set_check(body, figures + i, "saved bodies") : r;
        if (r != GYRE_OK) {
            for (int k = 0; k <= i; k++) {
                gy_figure_free(&bodies->host, figures + k);
            }
            return r == GYRE_ERROR_ARGUMENT ? GYRE_ERROR_FORMAT : r;
        }
    }
    if (gy_set_points_size(figures, count) != h->points ||
        !gy_set_points_load(figures, count, points)) {
        for (int k = 0; k < count; k++) {
            gy_figure_free(&bodies->host, figures + k);
        }
        return damaged("damaged: points of its meshes are wrong");
    }
    return GYRE_OK;
}

static void take(gyre_bodies *bodies, const header *h, const char *rest)
{
    size_t count = h->count;
    memcpy(bodies->ids, rest, count * sizeof(uint64_t));
    memcpy(bodies->states, rest + count * sizeof(uint64_t), count * sizeof(gy_set_state));
    bodies->next_id = h->next_id;
    bodies->changes++;
    bodies->time = h->time;
    bodies->before = h->before;
    bodies->steps = h->steps;
    for (size_t i = 0; i < count; i++) {
        if (!bodies->figures[i].next) { // those have their points
            gy_figure_deform(bodies->figures + i, bodies->before);
            gy_figure_deform(bodies->figures + i, bodies->time);
        }
    }
}

gyre_result gyre_bodies_load(gyre_bodies *bodies, const void *memory, size_t size)
{
    header h;
    if (GY_MISSING("bodies_load", bodies) || GY_MISSING("bodies_load", memory)) {
        return GYRE_ERROR_ARGUMENT;
    }
    const char *at = memory;
    gyre_result r = check(bodies, at, size, &h);
    if (r != GYRE_OK) {
        return r;
    }
    gyre_pool *pool = &bodies->def.pool;
    size_t most = (size_t)pool->capacity, was = (size_t)pool->count;
    size_t spare = most * (sizeof(gyre_body) + sizeof(gy_figure));
    gy_figure *figures = gy_allocate(&bodies->host, spare, 64);
    if (!figures) {
        return GYRE_ERROR_MEMORY;
    }
    gyre_body *kept = (gyre_body *)(void *)(figures + most);
    float gravity[3];
    memcpy(gravity, bodies->def.gravity, sizeof gravity);
    memcpy(kept, pool->items, was * sizeof(gyre_body));
    r = gy_property_unpack(gy_set_properties, &bodies->def, at + sizeof h, (size_t)h.packed);
    if (r == GYRE_OK) {
        r = (uint32_t)pool->count == h.count
                ? make_figures(bodies, figures, &h, at + h.size - h.points)
                : damaged("damaged: its counts differ");
        if (r != GYRE_OK) {
            memcpy(pool->items, kept, was * sizeof(gyre_body));
            memcpy(bodies->def.gravity, gravity, sizeof gravity);
            pool->count = (int)was;
        }
    }
    if (r == GYRE_OK) {
        for (size_t i = 0; i < was; i++) {
            gy_figure_free(&bodies->host, bodies->figures + i);
        }
        memcpy(bodies->figures, figures, h.count * sizeof(gy_figure));
        take(bodies, &h, at + sizeof h + padded((size_t)h.packed));
    }
    gy_release(&bodies->host, figures, spare);
    return r;
}
