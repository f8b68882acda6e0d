// io/npy.c: NumPy's array format. https://numpy.org/doc/stable/reference/generated/numpy.lib.format
//
// A file is "\x93NUMPY", two version bytes, the length of a header (2 bytes in version 1, else 4),
// the header (a Python dict as text: descr, fortran_order, shape) and the bare numbers.
#include "io/format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_LIMIT = 65536 };

typedef struct npy_header {
    char kind; // 'f', 'u', 'i' or 'b'
    int size;  // bytes of a number
    bool big;
    bool fortran;
    int dims;
    long shape[3];
} npy_header;

gyre_result gyre_npy_write(const char *path, const gyre_field_view *view)
{
    if (GY_MISSING("npy_write", path) || GY_MISSING("npy_write", view))
        return GYRE_ERROR_ARGUMENT;
    gyre_result result = gy_io_check_view(path, view);
    gy_io_file *file;
    char header[129], shape[64];

    if (result != GYRE_OK)
        return result;
    if (view->grid.dim == 2)
        snprintf(shape, sizeof shape, "(%d, %d)", view->n[1], view->n[0]);
    else
        snprintf(shape, sizeof shape, "(%d, %d, %d)", view->n[2], view->n[1], view->n[0]);
    memcpy(header, "\x93NUMPY\x01\x00\x76\x00", 10); // 0x76 bytes follow, 128 in all
    int length = snprintf(header + 10, sizeof header - 10,
                          "{'descr': '<f4', 'fortran_order': False, 'shape': %s, }", shape);

    memset(header + 10 + length, ' ', (size_t)(117 - length));
    header[127] = '\n';

    size_t width = (size_t)view->n[0];
    unsigned char *row = malloc(4 * width);

    if (row == NULL)
        return gyre_fail(GYRE_ERROR_MEMORY, "%s: no memory for a row", path);
    result = gy_io_create(path, &file);
    if (result != GYRE_OK) {
        free(row);
        return result;
    }
    result = gy_io_write(file, header, 128);
    for (int k = 0; k < view->n[2] && result == GYRE_OK; k++) {
        for (int j = 0; j < view->n[1] && result == GYRE_OK; j++) {
            gy_io_pack(view->data + j * view->stride[1] + k * view->stride[2], width, row);
            result = gy_io_write(file, row, 4 * width);
        }
    }
    free(row);
    if (result == GYRE_OK)
        return gy_io_commit(file);
    gy_io_discard(file);
    return result;
}

static const char *skip(const char *at)
{
    while (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')
        at++;
    return at;
}

// Reads 'text' or "text". NULL when it is neither, or too long.
static const char *read_string(const char *at, char *text, size_t size)
{
    char quote = *at++;

    text[0] = '\0';
    if (quote != '\'' && quote != '"')
        return NULL;
    for (size_t i = 0; i + 1 < size; i++) {
        text[i] = '\0';
        if (at[i] == quote)
            return at + i + 1;
        if (at[i] < ' ' || at[i] > '~' || at[i] == '\\')
            return NULL;
        text[i] = at[i];
        text[i + 1] = '\0';
    }
    return NULL;
}

static const char *read_shape(const char *at, npy_header *header)
{
    if (*at++ != '(')
        return NULL;
    header->dims = 0;
    for (;;) {
        long number = 0;

        at = skip(at);
        if (*at == ')')
            return at + 1;
        if (*at < '0' || *at > '9' || header->dims == 3)
            return NULL;
        while (*at >= '0' && *at <= '9') {
            number = 10 * number + (*at++ - '0');
            if (number > 100000000)
                return NULL;
        }
        header->shape[header->dims++] = number;
        if (*at == 'L') // Python 2 wrote its long integers so
            at++;
        at = skip(at);
        if (*at == ',')
            at++;
        else if (*at != ')')
            return NULL;
    }
}

static bool read_descr(const char *descr, npy_header *header)
{
    static const char *const known[] = {"f4", "f8", "u1", "b1", "i4"};

    if (descr[0] == '\0' || strchr("<>|=", descr[0]) == NULL)
        return false;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(descr + 1, known[i]) == 0) {
            header->kind = descr[1];
            header->size = descr[2] - '0';
            header->big = descr[0] == '>';
            return header->size == 1 || descr[0] == '<' || descr[0] == '>';
        }
    }
    return false;
}

static gyre_result damaged(const char *path, const char *what)
{
    return gyre_fail(GYRE_ERROR_FORMAT, "%s: damaged: %s", path, what);
}

// The value of one key. NULL after a message.
static const char *parse_value(const char *path, const char *at, const char *key,
                               npy_header *header)
{
    char text[32];
    const char *end;

    if (strcmp(key, "descr") == 0) {
        end = read_string(at, text, sizeof text);
        if (end != NULL && read_descr(text, header))
            return end;
        (void)gyre_fail(GYRE_ERROR_FORMAT,
                        "%s: numbers of type \"%s\"; known are float32, float64, uint8, int32 and "
                        "bool",
                        path, end == NULL ? "?" : text);
        return NULL;
    }
    if (strcmp(key, "fortran_order") == 0) {
        header->fortran = strncmp(at, "True", 4) == 0;
        if (header->fortran || strncmp(at, "False", 5) == 0)
            return at + (header->fortran ? 4 : 5);
        (void)damaged(path, "its fortran_order is no truth value");
        return NULL;
    }
    if (strcmp(key, "shape") == 0) {
        end = read_shape(at, header);
        if (end != NULL && header->dims >= 2)
            return end;
        (void)gyre_fail(GYRE_ERROR_FORMAT, "%s: not an array of 2 or 3 dimensions", path);
        return NULL;
    }
    (void)damaged(path, "an unknown key in its header");
    return NULL;
}

static gyre_result parse_header(const char *path, const char *at, npy_header *header)
{
    static const char *const needed[] = {"descr", "fortran_order", "shape"};
    unsigned seen = 0;
    char key[32];

    at = skip(at);
    if (*at++ != '{')
        return damaged(path, "its header is no dict");
    for (;;) {
        at = skip(at);
        if (*at == '}')
            break;
        at = read_string(at, key, sizeof key);
        if (at == NULL || *(at = skip(at)) != ':')
            return damaged(path, "its header is no dict");
        at = parse_value(path, skip(at + 1), key, header);
        if (at == NULL)
            return GYRE_ERROR_FORMAT;
        for (unsigned i = 0; i < 3; i++)
            seen |= strcmp(key, needed[i]) == 0 ? 1u << i : 0u;
        at = skip(at);
        if (*at == ',')
            at++;
        else if (*at != '}')
            return damaged(path, "its header is no dict");
    }
    return seen == 7 ? GYRE_OK : damaged(path, "its header lacks a key");
}

static gyre_result read_header(const char *path, FILE *stream, npy_header *header, uint64_t *start)
{
    unsigned char head[12];

    if (fread(head, 1, 10, stream) != 10 || memcmp(head, "\x93NUMPY", 6) != 0)
        return gyre_fail(GYRE_ERROR_FORMAT, "%s: not a NumPy array", path);
    if (head[6] < 1 || head[6] > 3)
        return gyre_fail(GYRE_ERROR_FORMAT, "%s: a NumPy array of version %d; known are 1 to 3",
                         path, head[6]);
    uint32_t length = head[8] | (uint32_t)head[9] << 8;

    *start = 10;
    if (head[6] > 1) {
        if (fread(head + 10, 1, 2, stream) != 2)
            return gyre_fail(GYRE_ERROR_FORMAT, "%s: cut short in its header", path);
        length |= (uint32_t)head[10] << 16 | (uint32_t)head[11] << 24;
        *start = 12;
    }
    if (length > HEADER_LIMIT)
        return gyre_fail(GYRE_ERROR_FORMAT, "%s: damaged: a header of %lu bytes", path,
                         (unsigned long)length);
    *start += length;

    char *text = malloc((size_t)length + 1);

    if (text == NULL)
        return gyre_fail(GYRE_ERROR_MEMORY, "%s: no memory for its header", path);
    gyre_result result = GYRE_OK;

    if (fread(text, 1, length, stream) != length)
        result = gyre_fail(GYRE_ERROR_FORMAT, "%s: cut short in its header", path);
    text[length] = '\0';
    if (result == GYRE_OK)
        result = parse_header(path, text, header);
    free(text);
    return result;
}

static float decode(const npy_header *header, const unsigned char *bytes)
{
    uint64_t bits = 0;

    for (int i = 0; i < header->size; i++)
        bits |= (uint64_t)bytes[header->big ? header->size - 1 - i : i] << (8 * i);
    if (header->kind == 'b')
        return bits != 0 ? 1.0f : 0.0f;
    if (header->kind == 'u')
        return (float)bits;
    if (header->kind == 'i') {
        int64_t number = (int64_t)bits;

        return (float)(number >= 0x80000000 ? number - 0x100000000 : number);
    }
    if (header->size == 4) {
        uint32_t half = (uint32_t)bits;
        float number;

        memcpy(&number, &half, 4);
        return number;
    }
    double number;

    memcpy(&number, &bits, 8);
    if (!(fabs(number) <= 3.4028234e38))
        return INFINITY;
    return (float)number;
}

// The numbers come in runs along the index that is fastest in the file; step[] leads from one to
// the next in memory, where x is fastest.
static gyre_result read_numbers(const char *path, FILE *stream, const npy_header *header,
                                const int n[3], float *data)
{
    size_t step[3] = {1, (size_t)n[0], (size_t)n[0] * (size_t)n[1]};
    int fast = 0, middle = 1, slow = 2;

    if (header->fortran && header->dims == 3) {
        fast = 2;
        slow = 0;
    } else if (header->fortran) {
        fast = 1;
        middle = 0;
    }
    size_t run = (size_t)n[fast];
    unsigned char *bytes = malloc(run * (size_t)header->size);

    if (bytes == NULL)
        return gyre_fail(GYRE_ERROR_MEMORY, "%s: no memory for a row", path);
    for (int c = 0; c < n[slow]; c++) {
        for (int b = 0; b < n[middle]; b++) {
            float *to = data + (size_t)c * step[slow] + (size_t)b * step[middle];

            if (fread(bytes, (size_t)header->size, run, stream) != run) {
                free(bytes);
                return gyre_fail(GYRE_ERROR_FORMAT, "%s: cut short", path);
            }
            for (size_t a = 0; a < run; a++) {
                float value = decode(header, bytes + a * (size_t)header->size);

                if (!isfinite(value)) {
                    int at[3];

                    at[fast] = (int)a;
                    at[middle] = b;
                    at[slow] = c;
                    free(bytes);
                    return gyre_fail(GYRE_ERROR_FORMAT,
                                     "%s: not a finite number at x %d, y %d, z %d", path, at[0],
                                     at[1], at[2]);
                }
                to[a * step[fast]] = value;
            }
        }
    }
    free(bytes);
    return GYRE_OK;
}

// A damaged shape must not make us ask for memory that the file could not fill.
static gyre_result check_shape(const char *path, const npy_header *header, uint64_t bytes, int n[3],
                               uint64_t *count)
{
    *count = 1;
    for (int i = 0; i < header->dims; i++) {
        long side = header->shape[header->dims - 1 - i];

        if (side < 1 || side > GY_IO_SIDE)
            return gyre_fail(GYRE_ERROR_FORMAT, "%s: %ld numbers along %c; 1 to %d are allowed",
                             path, side, "xyz"[i], GY_IO_SIDE);
        n[i] = (int)side;
        *count *= (uint64_t)side;
    }
    if (bytes / (uint64_t)header->size < *count)
        return gyre_fail(GYRE_ERROR_FORMAT, "%s: cut short: %llu of %llu numbers are there", path,
                         (unsigned long long)(bytes / (uint64_t)header->size),
                         (unsigned long long)*count);
    return GYRE_OK;
}

gyre_result gyre_npy_read_volume(const char *path, gyre_volume *volume)
{
    if (GY_MISSING("npy_read_volume", path) || GY_MISSING("npy_read_volume", volume))
        return GYRE_ERROR_ARGUMENT;
    npy_header header = {0};
    FILE *stream;
    uint64_t size, start = 0, count = 0;
    int n[3] = {1, 1, 1};
    float *data = NULL;
    gyre_result result = gy_io_open(path, &stream, &size);

    if (result != GYRE_OK)
        return result;
    result = read_header(path, stream, &header, &start);
    if (result == GYRE_OK)
        result = check_shape(path, &header, size < start ? 0 : size - start, n, &count);
    if (result == GYRE_OK) {
        if (count <= SIZE_MAX / sizeof *data)
            data = malloc((size_t)count * sizeof *data);
        if (data == NULL)
            result = gyre_fail(GYRE_ERROR_MEMORY, "%s: no memory for %llu numbers", path,
                               (unsigned long long)count);
        else
            result = read_numbers(path, stream, &header, n, data);
    }
    fclose(stream);
    if (result != GYRE_OK) {
        free(data);
        return result;
    }
    *volume = (gyre_volume){data, {n[0], n[1], n[2]}, NULL};
    return GYRE_OK;
}

static gyre_result write_frame(const char *path, const gy_shape *shape, const gyre_frame *frame)
{
    (void)shape;
    return gyre_npy_write(path, &frame->fields[0].view);
}

const gy_format gy_format_npy = {
    .about = {.name = "array",
              .doc = "one field, as an array for NumPy",
              .endings = {".npy"},
              .takes = GYRE_TAKES_FIELDS,
              .most_fields = 1},
    .write = write_frame,
};
