# Lines of property tables that must compile, and lines that must not: a member of another type than
# the macro is for. Public headers alone.
#     cmake -DSOURCE= -DCC= -DPLACE= -P test_tables.cmake
set(failures 0)
function(compile line wanted)
    file(WRITE ${PLACE}/table.c "#include <gyre/property_table.h>
typedef struct thing {
    bool flag; int32_t whole; int64_t big; float real; double fine; float five[5]; float two[2];
    int32_t three[3]; unsigned char bytes[8]; char text[8]; const char *pointer; float *reals;
    gyre_pool pool; gyre_volume volume; struct { int32_t kind; union { int32_t a; } as; } either;
    int32_t tag;
} thing;
typedef struct untagged { union { struct { float x; } one; } as; } untagged;
static const char *const names[] = {\"a\", \"b\", NULL};
extern const char *const elsewhere[];
static const char *const *const pointer = names;
extern const gyre_property inner[];
const gyre_property table[] = {${line}, GYRE_PROPERTY_END};
const void *used[] = {names, &pointer};\n")
    execute_process(COMMAND ${CC} -std=c17 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror
        -fsyntax-only -I${SOURCE}/include ${PLACE}/table.c
        RESULT_VARIABLE status ERROR_VARIABLE said OUTPUT_VARIABLE said)
    if(wanted STREQUAL "taken" AND NOT status EQUAL 0)
        message("refused, and should not have been: ${line}\n${said}")
    elseif(NOT wanted STREQUAL "taken" AND (status EQUAL 0 OR NOT said MATCHES "${wanted}"))
        message("should be refused with \"${wanted}\": ${line}\n${said}")
    else()
        return()
    endif()
    math(EXPR failures "${failures} + 1")
    set(failures ${failures} PARENT_SCOPE)
endfunction()

compile("GYRE_PROPERTY_BOOL(thing, flag, \"a sentence\")" taken)
compile("GYRE_PROPERTY_INT(thing, whole, \"1\", 0, 1, \"a sentence\")" taken)
compile("GYRE_PROPERTY_FLOAT(thing, real, \"1\", 0, 1, \"a sentence\", .initial = {1})" taken)
compile("GYRE_PROPERTY_VECTOR(thing, two, \"1\", 0, 1, \"a sentence\", .needs = \"flag\")" taken)
compile("GYRE_PROPERTY_VECTOR(thing, three, \"1\", 0, 1, \"a sentence\")" taken)
compile("GYRE_PROPERTY_WITHIN(thing, either, kind, \"1\", 0, 1, \"a sentence\")" taken)
compile("GYRE_PROPERTY_DOUBLE(thing, fine, \"1\", 0, 1, \"a sentence\")" taken)
compile("GYRE_PROPERTY_ENUM(thing, whole, names, \"a sentence\", .initial = {1})" taken)
compile("GYRE_PROPERTY_STRING(thing, text, \"a sentence\", .flags = GYRE_NAME)" taken)
compile("GYRE_PROPERTY_STRUCT(thing, either, inner, \"a sentence\")" taken)
compile("GYRE_PROPERTY_UNION(thing, either, inner, \"a sentence\")" taken)
compile("GYRE_PROPERTY_POOL(thing, pool, thing, 9, inner, \"a sentence\")" taken)
compile("GYRE_PROPERTY_VOLUME(thing, volume, \"1\", \"a sentence\")" taken)
compile("GYRE_PROPERTY_STAT(thing, big, \"1\", \"a sentence\")" taken)
compile("GYRE_PROPERTY_STAT(thing, two, \"1\", \"a sentence\")" taken)
compile("GYRE_PROPERTY_STAT_ENUM(thing, whole, elsewhere, \"a sentence\")" taken)

compile("GYRE_PROPERTY_BOOL(thing, whole, \"a sentence\")" "thing.whole is to be a bool")
compile("GYRE_PROPERTY_INT(thing, real, \"1\", 0, 1, \"a sentence\")" "thing.real is to be an int32_t")
compile("GYRE_PROPERTY_INT(thing, big, \"1\", 0, 1, \"a sentence\")" "thing.big is to be an int32_t")
compile("GYRE_PROPERTY_INT(thing, three, \"1\", 0, 1, \"a sentence\")" "thing.three is to be an int32_t")
compile("GYRE_PROPERTY_INT(thing, flag, \"1\", 0, 1, \"a sentence\")" "thing.flag is to be an int32_t")
compile("GYRE_PROPERTY_FLOAT(thing, fine, \"1\", 0, 1, \"a sentence\")" "thing.fine is to be a float")
compile("GYRE_PROPERTY_FLOAT(thing, two, \"1\", 0, 1, \"a sentence\")" "thing.two is to be a float")
compile("GYRE_PROPERTY_VECTOR(thing, real, \"1\", 0, 1, \"a sentence\")" "thing.real is to be an array of 2 to 4")
compile("GYRE_PROPERTY_VECTOR(thing, five, \"1\", 0, 1, \"a sentence\")" "thing.five is to be an array of 2 to 4")
compile("GYRE_PROPERTY_VECTOR(thing, reals, \"1\", 0, 1, \"a sentence\")" "thing.reals is to be an array of 2 to 4")
compile("GYRE_PROPERTY_WITHIN(thing, either, as, \"1\", 0, 1, \"a sentence\")" "thing.either.as is to be a number")
compile("GYRE_PROPERTY_DOUBLE(thing, real, \"1\", 0, 1, \"a sentence\")" "thing.real is to be a double")
compile("GYRE_PROPERTY_ENUM(thing, real, names, \"a sentence\")" "thing.real is to be an int32_t")
compile("GYRE_PROPERTY_ENUM(thing, whole, pointer, \"a sentence\")" "thing.whole is to be an int32_t, and its names")
compile("GYRE_PROPERTY_STRING(thing, pointer, \"a sentence\")" "thing.pointer is to be an array of char")
compile("GYRE_PROPERTY_STRING(thing, bytes, \"a sentence\")" "thing.bytes is to be an array of char")
compile("GYRE_PROPERTY_STRUCT(thing, real, inner, \"a sentence\")" "thing.real is to be a struct")
compile("GYRE_PROPERTY_UNION(thing, tag, inner, \"a sentence\")" "thing.tag is to be a tag and a union")
compile("GYRE_PROPERTY_ALTERNATIVE(untagged, as, one, inner, \"a sentence\")" "a tag comes before the union")
compile("GYRE_PROPERTY_POOL(thing, volume, thing, 9, inner, \"a sentence\")" "thing.volume is to be a gyre_pool")
compile("GYRE_PROPERTY_VOLUME(thing, pool, \"1\", \"a sentence\")" "thing.pool is to be a gyre_volume")
compile("GYRE_PROPERTY_STAT(thing, pointer, \"1\", \"a sentence\")" "thing.pointer is to be a number")
compile("GYRE_PROPERTY_STAT(thing, five, \"1\", \"a sentence\")" "thing.five is to be a number")
compile("GYRE_PROPERTY_STAT_ENUM(thing, real, elsewhere, \"a sentence\")" "thing.real is to be an int32_t")
compile("GYRE_PROPERTY_FLOAT(thing, reel, \"1\", 0, 1, \"a sentence\")" "reel")
if(failures)
    message(FATAL_ERROR "${failures} failures")
endif()
