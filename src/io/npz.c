// io/npz.c: particles as NumPy's archive of arrays: numpy.load("a.npz")["position"].
//
// A zip file (https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT) whose members are not
// compressed: NAME.npy of each attribute, of shape (particles, components), or (particles,) where
// there is one component, as io/npy.c writes them.
#include "io/points.h"

#include <string.h>

enum { HEAD = GY_POINTS_HEAD, LOCAL = 30, CENTRAL = 46, END = 22, MOST = 32 };

typedef struct member {
    char name[72]; // of the file in the archive
    uint32_t checksum, size, at;
} member;

/// CRC-32 of IEEE 802.3, a nibble at a time.
static uint32_t crc(uint32_t sum, const unsigned char *bytes, size_t count)
{
    static const uint32_t table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
                                       0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
                                       0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                       0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};

    sum = ~sum;
    for (size_t i = 0; i < count; i++) {
        sum = table[(sum ^ bytes[i]) & 15] ^ (sum >> 4);
        sum = table[(sum ^ (uint32_t)(bytes[i] >> 4)) & 15] ^ (sum >> 4);
    }
    return ~sum;
}

static void number(unsigned char *to, int bytes, uint32_t value)
{
    for (int b = 0; b < bytes; b++)
        to[b] = (unsigned char)(value >> (8 * b));
}

static uint32_t checksum_of(const gyre_named_particles *set, const gyre_named_attribute *a,
                            const char *head)
{
    unsigned char bytes[4 * GY_POINTS_CHUNK];
    int64_t all = set->count * a->components;
    uint32_t sum = crc(0, (const unsigned char *)head, HEAD);

    for (int64_t i = 0; i < all; i += GY_POINTS_CHUNK) {
        size_t count = (size_t)(all - i < GY_POINTS_CHUNK ? all - i : GY_POINTS_CHUNK);

        gy_points_pack(a, i, count, bytes);
        sum = crc(sum, bytes, 4 * count);
    }
    return sum;
}

/// What the header of a member and its line in the directory share, from the version needed on.
static void describe(const member *m, unsigned char *to)
{
    number(to, 2, 20);               // version 2.0
    number(to + 8, 2, 0x21);         // 1 January 1980: the same frame, the same bytes
    number(to + 10, 4, m->checksum); // stored: both sizes are one
    number(to + 14, 4, m->size);
    number(to + 18, 4, m->size);
    number(to + 22, 2, (uint32_t)strlen(m->name));
}

static gyre_result write_member(gy_io_file *file, const gyre_named_particles *set,
                                const gyre_named_attribute *a, member *m)
{
    unsigned char local[LOCAL] = {'P', 'K', 3, 4};
    char head[HEAD + 1];

    gy_points_head(set, a, head);
    snprintf(m->name, sizeof m->name, "%s.npy", a->name);
    m->checksum = checksum_of(set, a, head);
    describe(m, local + 4);
    gyre_result result = gy_io_write(file, local, LOCAL);

    if (result == GYRE_OK)
        result = gy_io_write(file, m->name, strlen(m->name));
    if (result == GYRE_OK)
        result = gy_io_write(file, head, HEAD);
    return result == GYRE_OK ? gy_points_write(file, set, a) : result;
}

static gyre_result write_directory(gy_io_file *file, const member *members, int count, uint32_t at)
{
    unsigned char end[END] = {'P', 'K', 5, 6};
    uint32_t size = 0;
    gyre_result result = GYRE_OK;

    for (int i = 0; i < count && result == GYRE_OK; i++) {
        unsigned char line[CENTRAL] = {'P', 'K', 1, 2, 20, 0};

        describe(&members[i], line + 6);
        number(line + 42, 4, members[i].at);
        result = gy_io_write(file, line, CENTRAL);
        if (result == GYRE_OK)
            result = gy_io_write(file, members[i].name, strlen(members[i].name));
        size += CENTRAL + (uint32_t)strlen(members[i].name);
    }
    number(end + 8, 2, (uint32_t)count);
    number(end + 10, 2, (uint32_t)count);
    number(end + 12, 4, size);
    number(end + 16, 4, at);
    return result == GYRE_OK ? gy_io_write(file, end, END) : result;
}

static gyre_result write_archive(gy_io_file *file, const gyre_named_particles *set, double time)
{
    member members[MOST] = {{{0}, 0, 0, 0}};
    uint32_t at = 0;
    gyre_result result = GYRE_OK;

    (void)time;
    for (int i = 0; i < set->attribute_count && result == GYRE_OK; i++) {
        const gyre_named_attribute *a = &set->attributes[i];

        members[i].at = at;
        members[i].size = HEAD + 4 * (uint32_t)set->count * (uint32_t)a->components;
        result = write_member(file, set, a, &members[i]);
        at += LOCAL + (uint32_t)strlen(members[i].name) + members[i].size;
    }
    return result == GYRE_OK ? write_directory(file, members, set->attribute_count, at) : result;
}

static gyre_result write_frame(const char *path, const gy_shape *shape, const gyre_frame *frame)
{
    const gyre_named_particles *set = NULL;
    gyre_result result = gy_points_of(path, frame, &set);
    uint64_t size = 0;

    (void)shape;
    for (int i = 0; result == GYRE_OK && i < set->attribute_count; i++)
        size += 256 + 4 * (uint64_t)set->count * (uint64_t)set->attributes[i].components;
    if (result == GYRE_OK && (size >= UINT32_MAX || set->attribute_count > MOST))
        result = gyre_fail(GYRE_ERROR_UNSUPPORTED,
                           "%s: more than 4 GiB or %d attributes; .ply and .vtp have room for more",
                           path, MOST);
    return result == GYRE_OK ? gy_points_file(path, set, frame->time, write_archive) : result;
}

const gy_format gy_format_npz = {
    .about = {.name = "arrays",
              .doc = "particles, an array for NumPy per attribute",
              .endings = {".npz"},
              .takes = GYRE_TAKES_PARTICLES},
    .write = write_frame,
};
