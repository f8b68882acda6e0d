// embed: puts compiled twins into a C file, and the places of their arguments beside the C structs,
// so that the C compiler refuses what the two languages lay out differently.
//     embed out.c ops/row/twins.txt ... halo.spv fill.spv ...
// A host tool of the build, see cmake/vulkan.cmake. A folder of ops lists its twins in twins.txt:
//     include HEADER
// where the structs of arguments are, and for each twin, OP.comp beside the list,
//     OP DISPATCH STRUCT ADDRESSES...
// A line may wait for its shader, a shader without a line stops the build. ADDRESSES are the 64-bit
// members of the struct: they hold addresses of the host, which become the device's on their way to
// the shader. DISPATCH says how the op's box becomes workgroups:
//     cells   64 x 4 x 1: an invocation a cell: low + gl_GlobalInvocationID, some beyond high
//     groups  64 x 4 x 1: as cells, but a row reaches to the end of its last group of slots
//     slots   64 x 4 x 1: as groups, but x counts slots of one colour, half as many
//     items   256: an invocation for each place along x: low.x + gl_GlobalInvocationID.x, likewise
//     pieces  256 in any shape: a workgroup for each piece of the op's cut, the same as on the CPU
//     tiles   64 x 4 x 1: a workgroup for each place along x: low.x + gl_WorkGroupID.x
//     alone   1024: one workgroup
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_MEMBERS = 64, MAX_WORDS = 8, MAX_HEADERS = 16, MAX_LINES = 256, TEXT = 128 };

// Of the SPIR-V specification.
enum {
    OP_NAME = 5,
    OP_MEMBER_NAME = 6,
    OP_EXECUTION_MODE = 16,
    OP_TYPE_INT = 21,
    OP_TYPE_FLOAT = 22,
    OP_TYPE_VECTOR = 23,
    OP_TYPE_ARRAY = 28,
    OP_TYPE_STRUCT = 30,
    OP_TYPE_POINTER = 32,
    OP_CONSTANT = 43,
    OP_DECORATE = 71,
    OP_MEMBER_DECORATE = 72,
    DECORATION_ARRAY_STRIDE = 6,
    DECORATION_OFFSET = 35,
    MODE_LOCAL_SIZE = 17
};

typedef struct member {
    char name[TEXT];
    uint32_t type, offset;
    bool placed;
} member;

/// What is known of one id.
typedef struct thing {
    char name[TEXT];
    uint32_t op;
    uint32_t width;  // int, float: bits; vector: components; pointer: 64
    uint32_t type;   // vector, array: of what
    uint32_t length; // array: the id of its length
    uint32_t stride; // array
    uint32_t value;  // constant
    int members;     // struct; -1: nothing known
    member *member;
} thing;

typedef struct line {
    char op[TEXT], dispatch[TEXT], type[TEXT];
    char address[MAX_WORDS][TEXT];
    int addresses;
    bool extent; // whether the struct has one
} line;

typedef struct module {
    const char *path;
    uint32_t *words;
    size_t count;
    thing *things;
    uint32_t bound;
    uint32_t local[3];
} module;

static const char *unfinished; // the output, while it is written

static _Noreturn void stop(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("embed: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    if (unfinished)
        remove(unfinished);
    exit(1);
}

static void *take(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory)
        stop("out of memory");
    return memory;
}

static void keep(char to[TEXT], const char *from)
{
    if (snprintf(to, TEXT, "%s", from) >= TEXT)
        stop("the name %s is too long", from);
}

static char headers[MAX_HEADERS][TEXT];
static int header_count;

static void read_header(const char *path, const char *word)
{
    if (!word || header_count == MAX_HEADERS)
        stop("%s: a line is: include HEADER, at most %d of them in all", path, MAX_HEADERS);
    keep(headers[header_count++], word);
}

/// Returns how many lines there are now.
static int read_list(const char *path, line lines[MAX_LINES], int count)
{
    FILE *file = fopen(path, "r");
    if (!file)
        stop("%s: cannot be opened", path);
    char text[1024];
    while (fgets(text, sizeof text, file)) {
        char *comment = strchr(text, '#');
        if (comment)
            *comment = 0;
        char *word = strtok(text, " \t\r\n");
        if (!word)
            continue;
        if (strcmp(word, "include") == 0) {
            read_header(path, strtok(NULL, " \t\r\n"));
            continue;
        }
        if (count == MAX_LINES)
            stop("%s: more than %d lines", path, MAX_LINES);
        line *l = &lines[count++];
        keep(l->op, word);
        char *dispatch = strtok(NULL, " \t\r\n"), *type = strtok(NULL, " \t\r\n");
        if (!dispatch || !type)
            stop("%s: %s: a line is: OP DISPATCH STRUCT ADDRESSES...", path, l->op);
        keep(l->dispatch, dispatch);
        keep(l->type, type);
        while ((word = strtok(NULL, " \t\r\n"))) {
            if (l->addresses == MAX_WORDS)
                stop("%s: %s has more than %d addresses", path, l->op, MAX_WORDS);
            keep(l->address[l->addresses++], word);
        }
    }
    fclose(file);
    return count;
}

static thing *get(module *m, uint32_t id)
{
    if (id >= m->bound)
        stop("%s: damaged: id %u of %u", m->path, id, m->bound);
    return &m->things[id];
}

static member *get_member(module *m, uint32_t id, uint32_t index)
{
    thing *t = get(m, id);
    if (index >= MAX_MEMBERS)
        stop("%s: a struct of more than %d members", m->path, MAX_MEMBERS);
    if (!t->member)
        t->member = take(MAX_MEMBERS, sizeof *t->member);
    return &t->member[index];
}

static void read_decoration(module *m, uint32_t op, const uint32_t *w, uint32_t length)
{
    if (op == OP_DECORATE && length >= 4 && w[2] == DECORATION_ARRAY_STRIDE) {
        get(m, w[1])->stride = w[3];
    } else if (op == OP_MEMBER_DECORATE && length >= 5 && w[3] == DECORATION_OFFSET) {
        member *placed = get_member(m, w[1], w[2]);
        placed->offset = w[4];
        placed->placed = true;
    }
}

static void read_type(module *m, uint32_t op, const uint32_t *w, uint32_t length)
{
    thing *t = get(m, w[1]);
    t->op = op;
    if (op == OP_TYPE_INT || op == OP_TYPE_FLOAT) {
        t->width = w[2];
    } else if (op == OP_TYPE_VECTOR) {
        t->type = w[2];
        t->width = w[3];
    } else if (op == OP_TYPE_ARRAY) {
        t->type = w[2];
        t->length = w[3];
    } else if (op == OP_TYPE_STRUCT) {
        t->members = (int)length - 2;
        for (uint32_t i = 2; i < length; i++)
            get_member(m, w[1], i - 2)->type = w[i];
    }
}

static void read_instruction(module *m, uint32_t op, const uint32_t *w, uint32_t length)
{
    switch (op) {
    case OP_NAME:
        // Those of functions tell their arguments, too, and may be long.
        snprintf(get(m, w[1])->name, TEXT, "%s", (const char *)(w + 2));
        break;
    case OP_MEMBER_NAME:
        keep(get_member(m, w[1], w[2])->name, (const char *)(w + 3));
        break;
    case OP_EXECUTION_MODE:
        if (length == 6 && w[2] == MODE_LOCAL_SIZE)
            memcpy(m->local, w + 3, sizeof m->local);
        break;
    case OP_TYPE_INT:
    case OP_TYPE_FLOAT:
    case OP_TYPE_VECTOR:
    case OP_TYPE_ARRAY:
    case OP_TYPE_STRUCT:
    case OP_TYPE_POINTER:
        read_type(m, op, w, length);
        break;
    case OP_CONSTANT:
        get(m, w[2])->value = w[3];
        break;
    case OP_DECORATE:
    case OP_MEMBER_DECORATE:
        read_decoration(m, op, w, length);
        break;
    default:
        break;
    }
}

static module read_module(const char *path)
{
    module m = {.path = path};
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0)
        stop("%s: cannot be opened", path);
    long size = ftell(file);
    rewind(file);
    if (size < 20 || size % 4 != 0)
        stop("%s: is no SPIR-V", path);
    m.count = (size_t)size / 4;
    m.words = take(m.count, 4);
    if (fread(m.words, 4, m.count, file) != m.count)
        stop("%s: cannot be read", path);
    fclose(file);
    if (m.words[0] != 0x07230203u)
        stop("%s: is no SPIR-V of this machine's byte order", path);
    m.bound = m.words[3];
    m.things = take(m.bound, sizeof *m.things);
    for (size_t at = 5; at < m.count;) {
        uint32_t length = m.words[at] >> 16, op = m.words[at] & 0xffffu;
        if (length == 0 || at + length > m.count)
            stop("%s: damaged at word %zu", path, at);
        if (length > 1)
            read_instruction(&m, op, m.words + at, length);
        at += length;
    }
    return m;
}

/// Bytes that a value of this type takes in memory laid out as scalars.
static uint32_t size_of(module *m, uint32_t id, uint32_t *alignment)
{
    thing *t = get(m, id);
    uint32_t one = 1, size = 0, most = 1;
    switch (t->op) {
    case OP_TYPE_INT:
    case OP_TYPE_FLOAT:
        *alignment = t->width / 8;
        return t->width / 8;
    case OP_TYPE_POINTER:
        *alignment = 8;
        return 8;
    case OP_TYPE_VECTOR:
        return size_of(m, t->type, alignment) * t->width;
    case OP_TYPE_ARRAY:
        size_of(m, t->type, alignment);
        return t->stride * get(m, t->length)->value;
    case OP_TYPE_STRUCT:
        for (int i = 0; i < t->members; i++) {
            uint32_t end = t->member[i].offset + size_of(m, t->member[i].type, &one);
            size = end > size ? end : size;
            most = one > most ? one : most;
        }
        *alignment = most;
        return (size + most - 1) / most * most;
    default:
        stop("%s: a member has a type that this tool does not know (%u)", m->path, t->op);
    }
}

/// Whether it is a struct that lies in memory: the others have no offsets.
static bool is_placed(const thing *t)
{
    return t->op == OP_TYPE_STRUCT && t->members > 0 && t->member[0].placed;
}

/// 0: there is none.
static uint32_t seek_struct(const module *m, const char *name)
{
    for (uint32_t id = 0; id < m->bound; id++) {
        if (is_placed(&m->things[id]) && strcmp(m->things[id].name, name) == 0)
            return id;
    }
    return 0;
}

static uint32_t find_struct(module *m, const char *name)
{
    uint32_t id = seek_struct(m, name);
    if (id)
        return id;
    stop("%s: has no block named %s (compiled without names, or optimised?)", m->path, name);
}

static void write_asserts(FILE *out, module *m, uint32_t id, const char *type)
{
    thing *t = get(m, id);
    uint32_t one = 1;
    for (int i = 0; i < t->members; i++) {
        const member *x = &t->member[i];
        // What C has no name for: padding before the end.
        if (strcmp(x->name, "rest") == 0)
            continue;
        fprintf(out,
                "_Static_assert(offsetof(%s, %s) == %u && sizeof(((%s *)0)->%s) == %u,\n"
                "               \"%s: %s.%s lies elsewhere in C\");\n",
                type, x->name, x->offset, type, x->name, size_of(m, x->type, &one), m->path,
                t->name, x->name);
        uint32_t inner = x->type;
        while (get(m, inner)->op == OP_TYPE_ARRAY)
            inner = get(m, inner)->type;
        if (get(m, inner)->op == OP_TYPE_STRUCT)
            write_asserts(out, m, inner, get(m, inner)->name);
    }
    uint32_t size = size_of(m, id, &one);
    fprintf(out, "_Static_assert(sizeof(%s) == %u, \"%s: %s has another size in C\");\n", type,
            size, m->path, t->name);
}

/// The same for structs that lie elsewhere in memory: those named as C's are.
static void write_others(FILE *out, module *m)
{
    for (uint32_t id = 0; id < m->bound; id++) {
        const thing *t = &m->things[id];
        if (is_placed(t) && strncmp(t->name, "gy_", 3) == 0)
            write_asserts(out, m, id, t->name);
    }
}

/// Every 64-bit member is an address, and the list must say so: it is translated.
static void check_addresses(module *m, uint32_t id, const line *l)
{
    const thing *t = get(m, id);
    int found = 0;
    for (int i = 0; i < t->members; i++) {
        const thing *type = get(m, t->member[i].type);
        if (type->op != OP_TYPE_POINTER && !(type->op == OP_TYPE_INT && type->width == 64))
            continue;
        bool named = false;
        for (int a = 0; a < l->addresses; a++)
            named = named || strcmp(l->address[a], t->member[i].name) == 0;
        if (!named)
            stop("%s: the 64-bit member %s is not among the addresses of %s", m->path,
                 t->member[i].name, l->op);
        found++;
    }
    if (found != l->addresses)
        stop("%s: %d addresses, but the list names %d for %s", m->path, found, l->addresses, l->op);
}

static void check_dispatch(const module *m, const line *l)
{
    static const struct {
        const char *name;
        uint32_t local[3]; // of a workgroup; 0: any shape of 256
    } known[] = {{"cells", {64, 4, 1}},  {"groups", {64, 4, 1}}, {"slots", {64, 4, 1}},
                 {"items", {256, 1, 1}}, {"pieces", {0}},        {"tiles", {64, 4, 1}},
                 {"alone", {1024, 1, 1}}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const uint32_t *w = known[i].local, *x = m->local;
        if (strcmp(known[i].name, l->dispatch) != 0)
            continue;
        if (w[0] ? memcmp(w, x, sizeof m->local) != 0 : x[0] * x[1] * x[2] != 256)
            stop("%s: its workgroup is %u x %u x %u, which is not one of %s; see "
                 "twins.txt",
                 m->path, x[0], x[1], x[2], l->dispatch);
        return;
    }
    stop("%s: unknown dispatch %s; known are cells, groups, slots, items, pieces, tiles, alone",
         l->op, l->dispatch);
}

static void write_words(FILE *out, const module *m, const char *op)
{
    fprintf(out, "static const uint32_t words_%s[] = {", op);
    for (size_t i = 0; i < m->count; i++)
        fprintf(out, "%s0x%08xu,", i % 8 == 0 ? "\n    " : " ", m->words[i]);
    fputs("\n};\n", out);
}

static void write_entry(FILE *out, const line *l)
{
    char upper[TEXT] = "";
    for (size_t i = 0; l->dispatch[i]; i++)
        upper[i] = (char)(l->dispatch[i] - 'a' + 'A');
    fprintf(out, "    [GY_OP_%s] = {words_%s, sizeof words_%s, sizeof(%s), ", l->op, l->op, l->op,
            l->type);
    if (l->extent)
        fprintf(out, "offsetof(%s, extent.halves), ", l->type);
    else
        fputs("0, ", out);
    fprintf(out, "GY_DISPATCH_%s, %d, {", upper, l->addresses);
    for (int a = 0; a < l->addresses; a++)
        fprintf(out, "%soffsetof(%s, %s)", a ? ", " : "", l->type, l->address[a]);
    fprintf(out, "%s}},\n", l->addresses ? "" : "0");
}

/// "a/b/halo.spv": halo.
static void base_name(const char *path, char name[TEXT])
{
    const char *slash = strrchr(path, '/');
    keep(name, slash ? slash + 1 : path);
    char *dot = strchr(name, '.');
    if (dot)
        *dot = 0;
}

int main(int count, char **words)
{
    static line lines[MAX_LINES];
    if (count < 3)
        stop("usage: embed OUTPUT LIST.txt... SHADER.spv...");
    int known = 0, first = 2;
    for (; first < count && strstr(words[first], ".txt"); first++)
        known = read_list(words[first], lines, known);
    FILE *out = fopen(words[1], "w");
    if (!out)
        stop("%s: cannot be written", words[1]);
    unfinished = words[1];
    fputs("// Made by embed from the twins of ops; do not edit.\n"
          "#include <stddef.h>\n#include \"device/vulkan/twin.h\"\n",
          out);
    for (int i = 0; i < header_count; i++)
        fprintf(out, "#include \"%s\"\n", headers[i]);
    fputc('\n', out);
    line **chosen = take((size_t)count, sizeof *chosen);
    for (int i = first; i < count; i++) {
        char name[TEXT];
        base_name(words[i], name);
        for (int k = 0; k < known && !chosen[i]; k++)
            chosen[i] = strcmp(lines[k].op, name) == 0 ? &lines[k] : NULL;
        if (!chosen[i])
            stop("%s.comp has no line in any twins.txt", name);
        module m = read_module(words[i]);
        uint32_t args = find_struct(&m, "Args");
        check_dispatch(&m, chosen[i]);
        check_addresses(&m, args, chosen[i]);
        for (int k = 0; k < get(&m, args)->members; k++)
            chosen[i]->extent |= strcmp(get(&m, args)->member[k].name, "extent") == 0;
        write_words(out, &m, name);
        write_asserts(out, &m, args, chosen[i]->type);
        write_asserts(out, &m, find_struct(&m, "Push"), "gy_push");
        fprintf(out, "_Static_assert(sizeof(%s) <= GY_ARGS_BYTES, \"%s: too many arguments\");\n",
                chosen[i]->type, name);
        static const char *const blocks[][2] = {{"Report", "gy_report"},
                                                {"CgState", "gy_cg_state"},
                                                {"RegionPart", "gy_region_part"},
                                                {"Region", "gy_region"}};
        for (int b = 0; b < 4; b++) {
            uint32_t block = seek_struct(&m, blocks[b][0]);
            if (block)
                write_asserts(out, &m, block, blocks[b][1]);
        }
        write_others(out, &m);
    }
    fputs("\nconst gy_twin gy_twins[GY_OP_COUNT] = {\n", out);
    for (int i = first; i < count; i++)
        write_entry(out, chosen[i]);
    fputs(count > first ? "};\n" : "    {0},\n};\n", out);
    if (fclose(out) != 0)
        stop("%s: cannot be written", words[1]);
    return 0;
}
