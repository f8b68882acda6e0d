// grid/property.h: property tables inside the library: helpers, and a def as bytes for checkpoints.
#ifndef GY_PROPERTY_H
#define GY_PROPERTY_H

#include "base/base.h"
#include "gyre/property.h"

enum { GY_PATH_SIZE = 256, GY_TEXT_SIZE = 256 };

/// Of GYRE_AMOUNTS: how many are used.
int gy_amount_count(const gyre_property *property, const void *address);
/// Takes the last one that gyre_property_reach() has put in, by its number's address, out again.
void gy_amount_leave(void *amount);
gyre_result gy_amounts_check(const char *path, const gyre_property *property, const void *address);
/// Whether two of them say different things, in whatever order.
bool gy_amounts_differ(const gyre_property *property, const void *a, const void *b);

/// A sentence under construction; what does not fit is cut.
typedef struct gy_text {
    char *data;
    size_t size, used;
} gy_text;

void gy_text_add(gy_text *text, const char *format, ...) GYRE_PRINTF(2, 3);

int gy_count_names(const char *const *names);
int gy_count_properties(const gyre_property *table);

/// The line of a table that names a pool's elements; NULL when there is none.
const gyre_property *gy_property_name_of(const gyre_property *table);

/// Fails with "NAME: found FOUND, expected ...".
gyre_result gy_property_wrong(const char *name, const gyre_property *property, const char *found);

/// Range, whole numbers and finiteness of `count` components.
gyre_result gy_property_check_numbers(const char *name, const gyre_property *property, int count,
                                      const double *numbers);

/// A leaf before it was set, and the other one of an orientation and its degrees.
typedef struct gy_undo {
    const gyre_property *property[2]; // [1] NULL: the leaf has no other
    void *address[2];
    gyre_value value[2];
} gy_undo;

/// gyre_property_set() that can be taken back.
gyre_result gy_property_set(const gyre_property *property, void *address, const gyre_value *value,
                            gy_undo *undo);
void gy_property_undo(const gy_undo *undo);

/// Of a struct that was replaced whole: what was `before` and is now `after` in one of an
/// orientation and its degrees was set, and counts, as with gyre_property_set(). Where both were
/// changed the orientation counts. Nested structs and unions too, not pools.
void gy_property_follow(const gyre_property *table, const void *before, void *after);

/// The first line of an element's table in which two of them differ, inner tables seen through;
/// NULL: none. `flags`: only where the line or one that it lies in has one of these; 0: anywhere.
const gyre_property *gy_property_difference(const gyre_property *table, const void *a,
                                            const void *b, unsigned flags);

/// Whether an element uses a caller's array.
bool gy_property_has_array(const gyre_property *table, const void *element);

/// The most volumes that one packed def may name.
enum { GY_PACK_VOLUMES = 64 };

/// A hash of a table's shape: names, kinds, counts, sizes of strings, enum names, nested tables.
/// Ranges, defaults and documentation do not count.
uint64_t gy_property_shape(const gyre_property *table);

/// Bytes that gy_property_pack writes for this def.
size_t gy_property_pack_size(const gyre_property *table, const void *def);

/// The most that it will write for this def, whatever its values become: each pool full.
size_t gy_property_pack_most(const gyre_property *table, const void *def);

/// Writes every value of the def in the table's order: little-endian, the same bytes on every
/// machine. Volumes are written as their size, a hash of their samples and their key. `bytes` has
/// room for
/// gy_property_pack_size().
void gy_property_pack(const gyre_property *table, const void *def, void *bytes);

/// Takes the values back into `def`, whose pools have room for `capacity` elements each (their
/// counts may change). GYRE_ERROR_FORMAT with a sentence, and an unchanged def, when the bytes are
/// cut, too many, from another table, out of range, hold more elements than there is room for,
/// differ from the def in a property marked GYRE_FIXED, or name a volume that the def does not
/// have. Pools are replaced whole: what is fixed in an element is fixed for that element's life,
/// and these are others. Never reads past `size`.
gyre_result gy_property_unpack(const gyre_property *table, void *def, const void *bytes,
                               size_t size);

#endif
