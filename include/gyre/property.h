/// @file gyre/property.h
/// Property tables. A table describes the members of a plain C struct (a def) so
/// that scene files, schemas, command lines, sliders and bindings need no code of their own per
/// parameter. Adding a parameter is one line in a table; gyre/property_table.h has the macros that
/// write one.
#ifndef GYRE_PROPERTY_H
#define GYRE_PROPERTY_H

#include "gyre/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a property is.
typedef enum gyre_kind {
    GYRE_END = 0, ///< closes a table
    GYRE_BOOL,    ///< bool
    GYRE_INT,     ///< int32_t[count]
    GYRE_FLOAT,   ///< float[count]
    GYRE_ENUM,    ///< int32_t, index into names
    GYRE_STRING,  ///< char[size], zero-terminated
    GYRE_STRUCT,  ///< a nested struct described by `properties`
    GYRE_UNION,   ///< a nested struct: an int32_t tag first, then a C union; alternatives in
                  ///< `properties`
    GYRE_POOL,    ///< a gyre_pool of elements of `size` bytes described by `properties`
    GYRE_VOLUME,  ///< a gyre_volume; in files the name of an image or .npy array
    GYRE_INT64,   ///< int64_t (statistics)
    GYRE_DOUBLE,  ///< double (statistics)
    GYRE_AMOUNTS  ///< gyre_amount[], size / sizeof(gyre_amount) of them: numbers by name, such as
                  ///< those of fields. The first line of `properties` is that of each number. In
                  ///< files an object {"ink": 0.5}, in paths "feeds.ink"
} gyre_kind;

enum {
    GYRE_FIXED = 1,       ///< read at create only; set() refuses it afterwards
    GYRE_NAME = 2,        ///< the string by which a pool's element is named in paths
    GYRE_OPTIONAL = 4,    ///< of a GYRE_VOLUME: may be left out (no data)
    GYRE_ORIENTATION = 8, ///< a GYRE_FLOAT of 4 components: x, y, z, w of a unit quaternion, or all
                          ///< 0, when the line before it counts, which says the same in degrees
                          ///< about x, then y, then z (see gyre/pose.h)
    GYRE_IGNORED = 16,    ///< it has no effect yet; `caveat` says why
    GYRE_BARE = 64,  ///< of a GYRE_POOL: where its capacity is 0 it has room for those elements
                     ///< alone that are there, and takes no memory without any
    GYRE_FILE = 128, ///< a GYRE_STRING that names a file beside the scene's own, unless it is empty
                     ///< or one of `names`, which are words
    GYRE_UPWARD = 32 ///< a GYRE_FLOAT of 3 components whose default has y up; where a scene
                     ///< says that z is, the default is turned about x: y to z, z to -y
};

/// What a property of an element does, whatever it is called: so tools find it in any model.
typedef enum gyre_property_role {
    GYRE_DOES_NOTHING,     ///< that others look for
    GYRE_DOES_FEED,        ///< a number that the field `feeds` gets, per second or, where a mode
                           ///< is chosen so, that it is held at
    GYRE_DOES_FEED_NAMED,  ///< the same of the field whose name is in the member `feeds`
    GYRE_DOES_FEED_MANY,   ///< GYRE_AMOUNTS: the same of each field named in it
    GYRE_DOES_DISCHARGE,   ///< a number: volume of the fluid per second; below 0 it takes away
    GYRE_DOES_PUSH,        ///< a vector: a velocity (m/s) that the fluid is given, or a force
    GYRE_DOES_ENABLE_PUSH, ///< a bool: whether it pushes
    GYRE_DOES_CHOOSE_MODE, ///< an enum: 0 feeds per second, 1 holds
    GYRE_DOES_HOLD,  ///< a bool: whether a body goes where it is put, by position and velocity
    GYRE_DOES_BLOCK, ///< a list of what stands in the fluid's way
    GYRE_DOES_RAISE  ///< a number: m/s by which the ground rises; below 0 it sinks
} gyre_property_role;

/// One line of a property table. Offsets count from the start of the enclosing struct. The members
/// of a GYRE_UNION's alternatives are structs: their `offset` counts from the start of the union's
/// struct.
typedef struct gyre_property {
    const char *name;  ///< lower case with underscores
    gyre_kind kind;    ///< what it is
    int count;         ///< components of GYRE_INT and GYRE_FLOAT, 1 to 4; else 1
    const char *unit;  ///< "m", "m/s", "1/s", "1" for none
    double min;        ///< range: see max
    double max;        ///< range, both ends included, of each component; both 0: any finite number.
                       ///< GYRE_POOL: max elements, 0 for no bound
    double initial[4]; ///< default; of GYRE_ENUM and GYRE_UNION the index
    const char *doc;   ///< one line
    size_t offset;     ///< bytes from the start of the struct
    size_t size;       ///< bytes: of the string, of a pool's element, of a nested struct
    const char *const *names;               ///< GYRE_ENUM: NULL-terminated; see GYRE_FILE
    const struct gyre_property *properties; ///< nested table
    unsigned flags;                         ///< GYRE_FIXED and its like, or-ed
    const char *needs; ///< what must hold for it to count; NULL: it always does. Terms with a space
                       ///< between them, each a member of the same struct that is not 0, false or
                       ///< empty ("push"), or one that has one of some values
                       ///< ("rule=open|inflow"); "/mode=wave" is a member of the whole def;
                       ///< "!orientation" is one that is 0. Of GYRE_AMOUNTS "@diffusivity" alone:
                       ///< a member of what is called as each amount is
    const char *caveat;   ///< what a change of it, or of what is in it, does not do in a running
                          ///< model, as a sentence without a capital; NULL: nothing is missing. Of
                          ///< what is GYRE_IGNORED: why
    const char *formerly; ///< names that it had in earlier versions, with a space between them:
                          ///< whoever says one is told the new one; NULL: none
    int role;             ///< gyre_property_role
    const char *feeds;    ///< of a role that feeds: the field's name, or the member that has it
} gyre_property;

/// A list of elements inside a def. `items` belongs to the caller and is copied at create.
/// capacity: the most elements that the model will ever hold; 0 means count + 8 (see GYRE_BARE).
typedef struct gyre_pool {
    void *items;  ///< the elements, one after the other
    int count;    ///< of elements
    int capacity; ///< room for elements
} gyre_pool;

/// Names an element of a pool (an emitter, a solid) of one model object, or a body of one set,
/// which knows of every id whether it is its own, of which pool, and whether the element is still
/// there: one of another, or of an element that is gone, is GYRE_ERROR_ARGUMENT with the reason. 0
/// is no id. Ids are not used again, but that a model that has loaded a state from before gives
/// those again that were given since. They mean nothing in another process or model: after a load
/// into one, ask for them by gyre_model_find() or gyre_model_element().
typedef uint64_t gyre_id;

/// A caller's array of n[0] * n[1] * n[2] floats, x fastest. The library keeps both pointers: they
/// must live as long as the element that uses them. The samples are read when the element comes and
/// when one of its properties is set: whoever paints into the array sets one afterwards.
///
/// A saved state holds no samples; it finds an array among those that the model uses when it is
/// loaded: by its key, whatever is in it now (a wall may have been painted since), else by its size
/// and content. A scene's arrays have the name of their file as their key.
typedef struct gyre_volume {
    const float *data; ///< x fastest; NULL: none
    int n[3];          ///< samples along x, y, z
    const char *key;   ///< at most 255 bytes; NULL or "": none
} gyre_volume;

/// A number under a name, one of a GYRE_AMOUNTS. The used ones come first: an empty name ends them.
typedef struct gyre_amount {
    char name[32]; ///< without dots, not a number
    float amount;  ///< in the unit of what the name stands for
} gyre_amount;

/// A value on its way in or out of a property. Vectors fill `number` from 0.
typedef struct gyre_value {
    gyre_kind kind;   ///< BOOL, INT, FLOAT, ENUM or STRING
    int count;        ///< numbers
    double number[4]; ///< BOOL: 0 or 1; ENUM: the index
    char string[256]; ///< STRING; ENUM: the name, "" to use number[0]
} gyre_value;

// Makers for the common values. Any thread.

/// A GYRE_FLOAT of one component; written to whole numbers it must be one.
GYRE_API gyre_value gyre_number(double number);
/// A GYRE_FLOAT of 1 to 4 components.
GYRE_API gyre_value gyre_vector(int count, const float *numbers);
/// A GYRE_BOOL.
GYRE_API gyre_value gyre_bool(bool value);
/// A GYRE_STRING, cut to 255 bytes; also names a choice of a GYRE_ENUM.
GYRE_API gyre_value gyre_string(const char *string); ///< NULL is ""

/// Fills `def` (zeroed first, `size` bytes) with every default of the table, nested ones too.
GYRE_API void gyre_property_defaults(const gyre_property *table, void *def, size_t size);

/// Checks every value in `def` against the table: range, finite numbers, enum and union tags,
/// pools. `path` is put before the names in messages; may be "".
GYRE_API gyre_result gyre_property_check(const gyre_property *table, const void *def,
                                         const char *path);

/// Looks a name up in one table. NULL when it is not there.
GYRE_API const gyre_property *gyre_property_find(const gyre_property *table, const char *name);

/// The name in the table that is nearest to `name` by edit distance, or NULL if none is near.
GYRE_API const char *gyre_property_nearest(const gyre_property *table, const char *name);

/// What the property of the table that was called `name` in an earlier version is called now, or
/// NULL when none was.
GYRE_API const char *gyre_property_renamed(const gyre_property *table, const char *name);

/// The nearest of `count` names to `name` by edit distance, or NULL if none is near. at(list, i)
/// gives the i-th name (NULL and "" are skipped).
GYRE_API const char *gyre_name_nearest(const char *name, int count,
                                       const char *(*at)(const void *list, int i),
                                       const void *list);

/// Writes what a property expects in words ("a number from 0 to 10 (m^2/s)"), cut to `size` bytes.
GYRE_API void gyre_property_describe(const gyre_property *property, char *text, size_t size);

/// Walks a path ("viscosity", "sides.x_low.rule", "emitters.jet.rate",
/// "emitters.0.shape.sphere.radius") from `def` to one leaf. Pool elements are named by index or by
/// their GYRE_NAME string. On success *property is the leaf's line and *address its place in the
/// def. GYRE_ERROR_ARGUMENT names the part of the path that is unknown and the nearest known name.
GYRE_API gyre_result gyre_property_walk(const gyre_property *table, void *def, const char *path,
                                        const gyre_property **property, void **address);

/// As gyre_property_walk(), to write there: an amount (GYRE_AMOUNTS) whose name is not there yet is
/// put in with 0. GYRE_ERROR_ARGUMENT: there is no room for it, or the name is none.
GYRE_API gyre_result gyre_property_reach(const gyre_property *table, void *def, const char *path,
                                         const gyre_property **property, void **address);

/// The line of the leaf that gyre_property_reach() would reach; `def` stays as it is.
GYRE_API gyre_result gyre_property_line(const gyre_property *table, const void *def,
                                        const char *path, const gyre_property **property);

/// The amount of a name among the GYRE_AMOUNTS at `address`; NULL: it is not there.
GYRE_API gyre_amount *gyre_property_amount(const gyre_property *property, void *address,
                                           const char *name);

/// The same; one that is not there yet is put in with 0. NULL with a message: there is no room for
/// it, or the name is none.
GYRE_API gyre_amount *gyre_property_enter(const gyre_property *property, void *address,
                                          const char *name);

/// Writes one leaf after checking kind, count, range and finiteness.
GYRE_API gyre_result gyre_property_write(const gyre_property *property, void *address,
                                         const gyre_value *value);

/// Writes one leaf where it lies in its struct, as gyre_property_walk() found both: as
/// gyre_property_write(), and of a GYRE_ORIENTATION and the degrees before it the one that is set
/// last counts: setting the degrees makes the orientation 0, setting an orientation that is not 0
/// brings the degrees in line.
GYRE_API gyre_result gyre_property_set(const gyre_property *property, void *address,
                                       const gyre_value *value);

/// Reads one leaf.
GYRE_API gyre_result gyre_property_read(const gyre_property *property, const void *address,
                                        gyre_value *value);

/// Turns text ("0.5", "true", "open", "[0, -9.8, 0]" or "0,-9.8,0") into a value fit for
/// `property`.
GYRE_API gyre_result gyre_property_parse(const gyre_property *property, const char *text,
                                         gyre_value *value);

#ifdef __cplusplus
}
#endif
#endif
