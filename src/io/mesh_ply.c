// io/mesh_ply.c: Stanford's .ply: a header of lines that says what follows, and then elements as
// text or as binary numbers of either byte order. http://paulbourke.net/dataformats/ply/
//
//     ply
//     format ascii 1.0 (or binary_little_endian, binary_big_endian)
//     element vertex 8
//     property float x
//     element face 12
//     property list uchar int vertex_indices
//     end_header
#include "io/mesh_file.h"

#include <string.h>

enum { MOST_ELEMENTS = 16, MOST_PROPERTIES = 64 };

typedef struct ply_type {
    const char *names[2];
    int size;
    char kind; // 'i' signed, 'u' unsigned, 'f' floating
} ply_type;

static const ply_type types[] = {
    {{"char", "int8"}, 1, 'i'},     {{"uchar", "uint8"}, 1, 'u'},    {{"short", "int16"}, 2, 'i'},
    {{"ushort", "uint16"}, 2, 'u'}, {{"int", "int32"}, 4, 'i'},      {{"uint", "uint32"}, 4, 'u'},
    {{"float", "float32"}, 4, 'f'}, {{"double", "float64"}, 8, 'f'},
};

/// What a property is for.
enum { PLY_OTHER = -1, PLY_CORNERS = 3 }; // 0, 1, 2: x, y, z

typedef struct ply_property {
    const ply_type *type, *count; // count: NULL where it is no list
    int part;
} ply_property;

typedef struct ply_element {
    char name[32];
    int32_t count;
    int property_count;
    ply_property property[MOST_PROPERTIES];
} ply_element;

typedef struct ply_header {
    bool text, big;
    int element_count;
    ply_element element[MOST_ELEMENTS];
} ply_header;

static const ply_type *read_type(gy_mesh_file *file)
{
    char word[64];
    bool found = gy_mesh_word(file, word, sizeof word);

    for (size_t t = 0; found && t < sizeof types / sizeof types[0]; t++)
        if (strcmp(word, types[t].names[0]) == 0 || strcmp(word, types[t].names[1]) == 0)
            return &types[t];
    gy_mesh_wrong(file, "found the type \"%.40s\", expected one of .ply (float, uchar, int, ...)",
                  word);
    return NULL;
}

static int part_of(const ply_element *element, const char *name, bool list)
{
    if (strcmp(element->name, "vertex") == 0 && !list && strlen(name) == 1 && name[0] >= 'x' &&
        name[0] <= 'z')
        return name[0] - 'x';
    if (strcmp(element->name, "face") == 0 && list &&
        (strcmp(name, "vertex_indices") == 0 || strcmp(name, "vertex_index") == 0))
        return PLY_CORNERS;
    return PLY_OTHER;
}

static gyre_result read_property(gy_mesh_file *file, ply_header *header)
{
    ply_element *element = header->element + header->element_count - 1;
    ply_property made = {0};
    char word[64];

    if (header->element_count == 0)
        return gy_mesh_wrong(file, "found a property, expected an element before it");
    if (element->property_count == MOST_PROPERTIES)
        return gy_mesh_wrong(file, "found more than %d properties in an element", MOST_PROPERTIES);
    const gy_mesh_file before = *file;

    if (gy_mesh_word(file, word, sizeof word) && strcmp(word, "list") == 0) {
        made.count = read_type(file);
        if (made.count == NULL)
            return GYRE_ERROR_FORMAT;
        if (made.count->kind == 'f')
            return gy_mesh_wrong(file, "found a list counted in floats, expected whole numbers");
    } else {
        *file = before;
    }
    made.type = read_type(file);
    if (made.type == NULL)
        return GYRE_ERROR_FORMAT;
    if (!gy_mesh_word(file, word, sizeof word))
        return gy_mesh_wrong(file, "found a property without a name");
    made.part = part_of(element, word, made.count != NULL);
    if (made.part == PLY_CORNERS && made.type->kind == 'f')
        return gy_mesh_wrong(file, "found corners in floats, expected whole numbers");
    for (int p = 0; p < element->property_count && made.part != PLY_OTHER; p++)
        if (element->property[p].part == made.part)
            return gy_mesh_wrong(file, "found \"%.40s\" twice", word);
    element->property[element->property_count++] = made;
    return GYRE_OK;
}

static gyre_result read_element(gy_mesh_file *file, ply_header *header)
{
    char word[64];

    if (header->element_count == MOST_ELEMENTS)
        return gy_mesh_wrong(file, "found more than %d elements", MOST_ELEMENTS);
    ply_element *element = header->element + header->element_count;

    if (!gy_mesh_word(file, element->name, sizeof element->name))
        return gy_mesh_wrong(file, "found an element without a name");
    if (!gy_mesh_word(file, word, sizeof word) || !gy_mesh_whole(word, &element->count) ||
        element->count < 0)
        return gy_mesh_wrong(file, "found the count \"%.40s\", expected a whole number", word);
    for (int e = 0; e < header->element_count; e++)
        if (strcmp(header->element[e].name, element->name) == 0)
            return gy_mesh_wrong(file, "found the element \"%s\" twice", element->name);
    header->element_count++;
    return GYRE_OK;
}

static gyre_result read_format(gy_mesh_file *file, ply_header *header)
{
    char word[64], version[16];

    gy_mesh_word(file, word, sizeof word);
    gy_mesh_word(file, version, sizeof version);
    header->text = strcmp(word, "ascii") == 0;
    header->big = strcmp(word, "binary_big_endian") == 0;
    if ((!header->text && !header->big && strcmp(word, "binary_little_endian") != 0) ||
        strcmp(version, "1.0") != 0)
        return gy_mesh_wrong(file,
                             "found the format \"%.40s %s\", expected \"ascii\", "
                             "\"binary_little_endian\" or \"binary_big_endian\" and 1.0",
                             word, version);
    return GYRE_OK;
}

static gyre_result read_header(gy_mesh_file *file, ply_header *header)
{
    char word[64];
    bool format = false;
    gyre_result result = GYRE_OK;

    if (!gy_mesh_word(file, word, sizeof word) || strcmp(word, "ply") != 0)
        return gy_mesh_wrong(file, "found \"%.40s\", expected \"ply\"", word);
    while (result == GYRE_OK) {
        gy_mesh_next_line(file);
        if (!gy_mesh_word_on(file, word, sizeof word))
            return gy_mesh_wrong(file, "found the end of the file, expected \"end_header\"");
        if (strcmp(word, "end_header") == 0)
            break;
        if (strcmp(word, "format") == 0) {
            result = read_format(file, header);
            format = true;
        } else if (strcmp(word, "element") == 0) {
            result = read_element(file, header);
        } else if (strcmp(word, "property") == 0) {
            result = read_property(file, header);
        } else if (strcmp(word, "comment") != 0 && strcmp(word, "obj_info") != 0) {
            return gy_mesh_wrong(file, "found \"%.40s\", expected a line of a header", word);
        }
    }
    if (result == GYRE_OK && !format)
        return gy_mesh_wrong(file, "found no format in the header");
    gy_mesh_next_line(file);
    file->line = header->text ? file->line : 0;
    return result;
}

/// One number; of text the next word, wherever its line ends.
static gyre_result read_number(gy_mesh_file *file, const ply_header *header, const ply_type *type,
                               double *number)
{
    if (header->text) {
        char word[64];
        float value;
        int32_t whole;
        bool found = gy_mesh_word_on(file, word, sizeof word);

        if (!found)
            return gy_mesh_wrong(file, "found the end of the file, expected a number");
        // Whole numbers may be larger than a float holds exactly.
        if (type->kind != 'f' && gy_mesh_whole(word, &whole)) {
            *number = whole;
        } else if (gy_mesh_number(word, &value)) {
            *number = (double)value;
        } else {
            return gy_mesh_wrong(file, "found \"%.40s\", expected a number", word);
        }
        return GYRE_OK;
    }
    if (file->end - file->at < type->size)
        return gy_mesh_wrong(file, "found the end of the file, expected %d bytes", type->size);
    uint64_t bits = 0;

    for (int i = 0; i < type->size; i++)
        bits |= (uint64_t)file->at[header->big ? type->size - 1 - i : i] << (8 * i);
    file->at += type->size;
    if (type->kind == 'f' && type->size == 4) {
        uint32_t half = (uint32_t)bits;
        float value;

        memcpy(&value, &half, 4);
        *number = (double)value;
    } else if (type->kind == 'f') {
        memcpy(number, &bits, 8);
    } else {
        uint64_t sign = (uint64_t)1 << (8 * type->size - 1);
        bool below = type->kind == 'i' && (bits & sign);

        *number = (double)bits - (below ? 2.0 * (double)sign : 0.0);
    }
    return GYRE_OK;
}

static gyre_result read_list(gy_mesh_file *file, const ply_header *header,
                             const ply_property *property, int32_t points, gy_mesh_draft *draft)
{
    double count, number;
    int32_t fan[2];
    bool corners = property->part == PLY_CORNERS;
    gyre_result result = read_number(file, header, property->count, &count);

    if (result != GYRE_OK)
        return result;
    // In either kind a number takes a byte at least.
    if (!(count >= (corners ? 3.0 : 0.0)) || count > (double)(file->end - file->at) ||
        count != (double)(int64_t)count)
        return gy_mesh_wrong(file, "found a list of %g, expected %s in the rest of the file", count,
                             corners ? "three corners or more" : "as many as can be");
    for (int64_t k = 0; k < (int64_t)count && result == GYRE_OK; k++) {
        result = read_number(file, header, property->type, &number);
        if (result != GYRE_OK || !corners)
            continue;
        if (!(number >= 0.0 && number < (double)points))
            return gy_mesh_wrong(file, "found the point %g, expected one of %d, from 0", number,
                                 points);
        result = gy_mesh_add_corner(file, draft, (int)k, (int32_t)number, fan);
    }
    return result;
}

/// All of an element; `points` is the file's number of vertices.
static gyre_result read_data(gy_mesh_file *file, const ply_header *header,
                             const ply_element *element, int32_t points, gy_mesh_draft *draft)
{
    bool vertex = strcmp(element->name, "vertex") == 0;
    unsigned parts = 0;

    for (int p = 0; p < element->property_count; p++)
        parts |= element->property[p].part >= 0 ? 1u << element->property[p].part : 0u;
    if (element->count > 0 && element->property_count == 0)
        return gy_mesh_wrong(file, "found the element \"%s\" without properties", element->name);
    if (vertex && element->count > 0 && parts != 7)
        return gy_mesh_wrong(file, "found vertices without x, y and z");
    if (strcmp(element->name, "face") == 0 && element->count > 0 && parts != 1u << PLY_CORNERS)
        return gy_mesh_wrong(file, "found faces without vertex_indices");
    for (int32_t i = 0; i < element->count; i++) {
        float at[3] = {0, 0, 0};
        gyre_result result = GYRE_OK;

        for (int p = 0; p < element->property_count && result == GYRE_OK; p++) {
            const ply_property *property = element->property + p;
            double number;

            if (property->count) {
                result = read_list(file, header, property, points, draft);
                continue;
            }
            result = read_number(file, header, property->type, &number);
            if (result == GYRE_OK && property->part >= 0)
                at[property->part] = (float)(number < -3e38  ? -3e38
                                             : number > 3e38 ? 3e38
                                                             : number);
        }
        if (result == GYRE_OK && vertex)
            result = gy_mesh_add_point(file, draft, at);
        if (result != GYRE_OK)
            return result;
    }
    return GYRE_OK;
}

gyre_result gy_mesh_read_ply(gy_mesh_file *file, gy_mesh_draft *draft)
{
    ply_header header = {0};
    gyre_result result = read_header(file, &header);
    int32_t points = 0;

    for (int e = 0; e < header.element_count; e++)
        points = strcmp(header.element[e].name, "vertex") == 0 ? header.element[e].count : points;
    for (int e = 0; e < header.element_count && result == GYRE_OK; e++)
        result = read_data(file, &header, header.element + e, points, draft);
    return result;
}
