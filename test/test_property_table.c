// test/test_property_table.c: a table written outside the library, with public headers alone: a
// line of each kind, its defaults, and values read from text. What the macros refuse to compile:
// cmake/test_tables.cmake.
#include <gyre/gyre.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct disk {
    float centre[2], radius;
};

struct picture {
    gyre_volume data;
    float threshold;
};

typedef struct region {
    int32_t kind;
    union {
        struct disk disk;
        struct picture picture;
    } as;
} region;

typedef struct lamp {
    char name[12];
    float watts;
    region where;
    struct disk foot;
} lamp;

typedef struct room {
    int before; // no line of its own
    bool lit;
    int32_t doors;
    int32_t tiles[3];
    float height;
    float tint[4];
    double age;
    int32_t floor;
    char label[8];
    struct disk carpet;
    region niche;
    gyre_pool lamps;
    gyre_volume relief;
} room;

typedef struct told {
    bool open;
    int32_t visits;
    int64_t steps;
    float warmth, wind[3];
    double time;
    int32_t floor;
} told;

static const gyre_property disk_table[] = {
    GYRE_PROPERTY_VECTOR(struct disk, centre, "m", -10, 10, "its middle", .initial = {0.5, 0.25}),
    GYRE_PROPERTY_FLOAT(struct disk, radius, "m", 0, 5, "of its rim", .initial = {0.125}),
    GYRE_PROPERTY_END,
};

static const gyre_property picture_table[] = {
    GYRE_PROPERTY_VOLUME(struct picture, data, "1", "an image"),
    GYRE_PROPERTY_FLOAT(struct picture, threshold, "1", 0, 1, "inside above it", .initial = {0.5}),
    GYRE_PROPERTY_END,
};

static const gyre_property region_table[] = {
    GYRE_PROPERTY_ALTERNATIVE(region, as, disk, disk_table, "a disk"),
    GYRE_PROPERTY_ALTERNATIVE(region, as, picture, picture_table, "an image"),
    GYRE_PROPERTY_END,
};

static const gyre_property lamp_table[] = {
    GYRE_PROPERTY_STRING(lamp, name, "for paths", .flags = GYRE_NAME),
    GYRE_PROPERTY_FLOAT(lamp, watts, "W", 0, 500, "of light", .initial = {40}),
    GYRE_PROPERTY_UNION(lamp, where, region_table, "where it shines", .initial = {1}),
    GYRE_PROPERTY_WITHIN(lamp, foot, centre, "m", -9, 9, "of its foot", .initial = {3, 4}),
    GYRE_PROPERTY_WITHIN(lamp, foot, radius, "m", 0, 9, "of its foot"),
    GYRE_PROPERTY_END,
};

static const char *const floors[] = {"wood", "stone", "sand", NULL};

#define ROOM(kind, ...) GYRE_PROPERTY_##kind(room, __VA_ARGS__)
static const gyre_property room_table[] = {
    ROOM(BOOL, lit, "whether lamps burn", .initial = {1}),
    ROOM(INT, doors, "1", 0, 4, "to go through", .initial = {2}, .formerly = "gates"),
    ROOM(VECTOR, tiles, "1", 1, 100, "along each edge", .initial = {8, 6, 1}, .flags = GYRE_FIXED),
    ROOM(FLOAT, height, "m", 1, 10, "of the ceiling", .initial = {2.5}, .needs = "lit"),
    ROOM(VECTOR, tint, "1", 0, 1, "of the walls", .initial = {1, 1, 1, 0.5}),
    ROOM(DOUBLE, age, "a", 0, 1e4, "years", .initial = {1e-9}),
    ROOM(ENUM, floor, floors, "what it stands on", .initial = {2}),
    ROOM(STRING, label, "on the door"),
    ROOM(STRUCT, carpet, disk_table, "in the middle"),
    ROOM(UNION, niche, region_table, "in the wall"),
    ROOM(POOL, lamps, lamp, 3, lamp_table, "that light it", .caveat = "nobody changes the bulbs"),
    ROOM(VOLUME, relief, "m", "heights", .flags = GYRE_OPTIONAL),
    GYRE_PROPERTY_END,
};

static const gyre_property told_table[] = {
    GYRE_PROPERTY_STAT(told, open, "1", "whether it is"),
    GYRE_PROPERTY_STAT(told, visits, "1", "so far"),
    GYRE_PROPERTY_STAT(told, steps, "1", "on the floor"),
    GYRE_PROPERTY_STAT(told, warmth, "K", "of the air"),
    GYRE_PROPERTY_STAT(told, wind, "m/s", "that comes in"),
    GYRE_PROPERTY_STAT(told, time, "s", "by the clock"),
    GYRE_PROPERTY_STAT_ENUM(told, floor, floors, "as found"),
    GYRE_PROPERTY_END,
};

static void lines_say_what_their_members_are(void **state)
{
    (void)state;
    static const struct {
        const gyre_property *line;
        const char *name;
        int kind, count;
        size_t offset, size;
        double high;
    } lines[] = {
        {&room_table[0], "lit", GYRE_BOOL, 1, offsetof(room, lit), sizeof(bool), 1},
        {&room_table[1], "doors", GYRE_INT, 1, offsetof(room, doors), 4, 4},
        {&room_table[2], "tiles", GYRE_INT, 3, offsetof(room, tiles), 12, 100},
        {&room_table[3], "height", GYRE_FLOAT, 1, offsetof(room, height), 4, 10},
        {&room_table[4], "tint", GYRE_FLOAT, 4, offsetof(room, tint), 16, 1},
        {&room_table[5], "age", GYRE_DOUBLE, 1, offsetof(room, age), 8, 1e4},
        {&room_table[6], "floor", GYRE_ENUM, 1, offsetof(room, floor), 4, 2},
        {&room_table[7], "label", GYRE_STRING, 1, offsetof(room, label), 8, 0},
        {&room_table[8], "carpet", GYRE_STRUCT, 1, offsetof(room, carpet), sizeof(struct disk), 0},
        {&room_table[9], "niche", GYRE_UNION, 1, offsetof(room, niche), sizeof(region), 0},
        {&room_table[10], "lamps", GYRE_POOL, 1, offsetof(room, lamps), sizeof(lamp), 3},
        {&room_table[11], "relief", GYRE_VOLUME, 1, offsetof(room, relief), sizeof(gyre_volume), 0},
        {&room_table[12], NULL, GYRE_END, 0, 0, 0, 0},
        {&disk_table[0], "centre", GYRE_FLOAT, 2, offsetof(struct disk, centre), 8, 10},
        {&lamp_table[3], "centre", GYRE_FLOAT, 2, offsetof(lamp, foot.centre), 8, 9},
        {&lamp_table[4], "radius", GYRE_FLOAT, 1, offsetof(lamp, foot.radius), 4, 9},
        {&region_table[1], "picture", GYRE_STRUCT, 1, offsetof(region, as.picture),
         sizeof(struct picture), 0},
        {&told_table[0], "open", GYRE_BOOL, 1, offsetof(told, open), sizeof(bool), 0},
        {&told_table[1], "visits", GYRE_INT, 1, offsetof(told, visits), 4, 0},
        {&told_table[2], "steps", GYRE_INT64, 1, offsetof(told, steps), 8, 0},
        {&told_table[3], "warmth", GYRE_FLOAT, 1, offsetof(told, warmth), 4, 0},
        {&told_table[4], "wind", GYRE_FLOAT, 3, offsetof(told, wind), 12, 0},
        {&told_table[5], "time", GYRE_DOUBLE, 1, offsetof(told, time), 8, 0},
        {&told_table[6], "floor", GYRE_ENUM, 1, offsetof(told, floor), 4, 0},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const gyre_property *p = lines[i].line;
        assert_true(!p->name == !lines[i].name && (!p->name || !strcmp(p->name, lines[i].name)));
        assert_int_equal(p->kind, lines[i].kind);
        assert_int_equal(p->count, lines[i].count);
        assert_int_equal(p->offset, lines[i].offset);
        assert_int_equal(p->size, lines[i].size);
        assert_true(p->max == lines[i].high);
    }
    assert_string_equal(room_table[3].needs, "lit");
    assert_string_equal(room_table[3].unit, "m");
    assert_string_equal(room_table[3].doc, "of the ceiling");
    assert_true(room_table[3].min == 1);
    assert_string_equal(room_table[10].caveat, "nobody changes the bulbs");
    assert_int_equal(room_table[2].flags, GYRE_FIXED);
    assert_ptr_equal(room_table[6].names, floors);
    assert_ptr_equal(told_table[6].names, floors);
    assert_ptr_equal(room_table[8].properties, disk_table);
    assert_ptr_equal(region_table[1].properties, picture_table);
}

static room furnished(lamp *lamps)
{
    room r;
    gyre_property_defaults(room_table, &r, sizeof r);
    for (int i = 0; i < 2; i++) {
        gyre_property_defaults(lamp_table, &lamps[i], sizeof lamps[i]);
    }
    strcpy(lamps[1].name, "desk");
    lamps[1].where.kind = 0;
    r.lamps = (gyre_pool){lamps, 2, 3};
    return r;
}

static void defaults_come_from_the_table(void **state)
{
    (void)state;
    lamp lamps[3];
    room r = furnished(lamps);
    assert_true(r.lit && r.doors == 2 && r.tiles[0] == 8 && r.tiles[1] == 6 && r.tiles[2] == 1);
    assert_true(r.height == 2.5f && r.tint[3] == 0.5f && r.age == 1e-9 && r.floor == 2);
    assert_string_equal(r.label, "");
    assert_true(r.carpet.centre[1] == 0.25f && r.carpet.radius == 0.125f);
    assert_true(r.niche.kind == 0 && r.niche.as.disk.radius == 0.125f);
    assert_true(lamps[0].where.kind == 1 && lamps[0].where.as.picture.threshold == 0.5f);
    assert_null(r.relief.data);
    lamps[0].where.kind = 0;
    lamps[0].where.as.disk = r.carpet;
    lamps[1].where.as.disk = r.carpet;
    assert_int_equal(gyre_property_check(room_table, &r, "room"), GYRE_OK);
    r.doors = 5;
    assert_int_equal(gyre_property_check(room_table, &r, "room"), GYRE_ERROR_ARGUMENT);
    assert_string_equal(gyre_message(), "room.doors: found 5, expected a whole number from 0 to 4");
}

static gyre_result assign(room *r, const char *path, const char *text)
{
    const gyre_property *line;
    void *place;
    gyre_value value;
    gyre_result result = gyre_property_walk(room_table, r, path, &line, &place);
    result = result ? result : gyre_property_parse(line, text, &value);
    return result ? result : gyre_property_write(line, place, &value);
}

static void values_are_read_from_text(void **state)
{
    (void)state;
    lamp lamps[3];
    room r = furnished(lamps);
    static const char *const good[][2] = {{"lit", "false"},
                                          {"doors", "4"},
                                          {"tiles", "[10, 20, 30]"},
                                          {"height", "3.25"},
                                          {"tint", "0,0.5,1,0.25"},
                                          {"age", "81.5"},
                                          {"floor", "stone"},
                                          {"label", "hall"},
                                          {"carpet.radius", "2"},
                                          {"niche.disk.centre", "[1, -2]"},
                                          {"lamps.desk.watts", "60"},
                                          {"lamps.desk.radius", "0.5"},
                                          {"lamps.0.where.picture.threshold", "0.75"}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        if (assign(&r, good[i][0], good[i][1])) {
            fail_msg("%s = %s: %s", good[i][0], good[i][1], gyre_message());
        }
    }
    assert_true(!r.lit && r.doors == 4 && r.tiles[2] == 30 && r.height == 3.25f);
    assert_true(r.tint[1] == 0.5f && r.tint[3] == 0.25f && r.age == 81.5 && r.floor == 1);
    assert_string_equal(r.label, "hall");
    assert_true(r.carpet.radius == 2 && r.niche.as.disk.centre[1] == -2);
    assert_true(lamps[1].foot.radius == 0.5f && lamps[1].foot.centre[1] == 4);
    assert_true(lamps[1].watts == 60 && lamps[0].where.as.picture.threshold == 0.75f);

    static const char *const wrong[][3] = {
        {"gates", "1", "gates: \"gates\" is called \"doors\" now"},
        {"dors", "1", "dors: unknown property \"dors\", did you mean \"doors\"?"},
        {"height", "11", "height: found 11, expected a number from 1 to 10 (m)"},
        {"floor", "wod",
         "floor: found \"wod\" (did you mean \"wood\"?), expected one of \"wood\", "
         "\"stone\", \"sand\""},
        {"label", "far too long",
         "label: found \"far too long\", expected a text of at most 7 bytes"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(assign(&r, wrong[i][0], wrong[i][1]), GYRE_ERROR_ARGUMENT);
        assert_string_equal(gyre_message(), wrong[i][2]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_say_what_their_members_are),
        cmocka_unit_test(defaults_come_from_the_table),
        cmocka_unit_test(values_are_read_from_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
