// scene/locate.c: where in a JSON text a member stands. jansson keeps no positions, so a message
// about a value walks the text again; that is done once per failed load.
#include "scene/scene.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

// Every step is bounded by `end`, though the text has been found valid before.
typedef struct cursor {
    const char *at, *end;
} cursor;

static char peek(const cursor *c)
{
    return c->at < c->end ? *c->at : 0;
}

static void skip_space(cursor *c)
{
    while (c->at < c->end && memchr(" \t\r\n", *c->at, 4)) {
        c->at++;
    }
}

static void skip_string(cursor *c)
{
    c->at++;
    while (c->at < c->end && *c->at != '"') {
        c->at += *c->at == '\\' && c->end - c->at > 1 ? 2 : 1;
    }
    if (c->at < c->end) {
        c->at++;
    }
}

static void skip_value(cursor *c)
{
    int depth = 0;
    do {
        skip_space(c);
        char now = peek(c);
        if (now == '"') {
            skip_string(c);
        } else if (now == '{' || now == '[') {
            depth++;
            c->at++;
        } else if (now == '}' || now == ']') {
            depth--;
            c->at++;
        } else if (now == ',' || now == ':') {
            c->at++;
        } else {
            while (c->at < c->end && !memchr(" \t\r\n,:]}[{\"", *c->at, 11)) {
                c->at++;
            }
        }
    } while (depth > 0 && c->at < c->end);
}

// Whether a key as it stands in the text, quotes included, spells `name`.
static bool spells(const char *from, const char *to, const char *name)
{
    size_t length = (size_t)(to - from);
    if (!memchr(from, '\\', length)) {
        return length == strlen(name) + 2 && memcmp(from + 1, name, length - 2) == 0;
    }
    json_t *decoded = json_loadb(from, length, JSON_DECODE_ANY, NULL);
    bool same = decoded && strcmp(json_string_value(decoded), name) == 0;
    json_decref(decoded);
    return same;
}

// Moves to the value of a member and tells where its key is. False when it is not there.
static bool enter_object(cursor *c, const char *name, const char **key)
{
    c->at++;
    for (;;) {
        skip_space(c);
        if (peek(c) != '"') {
            return false;
        }
        const char *from = c->at;
        skip_string(c);
        bool found = spells(from, c->at, name);
        skip_space(c);
        c->at += peek(c) == ':';
        skip_space(c);
        if (found) {
            *key = from;
            return true;
        }
        skip_value(c);
        skip_space(c);
        if (peek(c) != ',') {
            return false;
        }
        c->at++;
    }
}

static bool enter_array(cursor *c, const char *name)
{
    if (!name[0] || strspn(name, "0123456789") != strlen(name)) {
        return false;
    }
    long index = strtol(name, NULL, 10);
    c->at++;
    skip_space(c);
    for (long i = 0; i < index; i++) {
        if (peek(c) == ']') {
            return false;
        }
        skip_value(c);
        skip_space(c);
        if (peek(c) != ',') {
            return false;
        }
        c->at++;
        skip_space(c);
    }
    return peek(c) != ']';
}

// Moves the cursor down to `place`; false when it stopped above it. *key is the key of the deepest
// member found, NULL at the root and in lists.
static bool descend(cursor *c, const gy_place *place, const char **key)
{
    if (!place) {
        skip_space(c);
        return true;
    }
    if (!descend(c, place->up, key)) {
        return false;
    }
    cursor inner = *c;
    const char *inner_key = NULL;
    bool found = peek(c) == '{'   ? enter_object(&inner, place->name, &inner_key)
                 : peek(c) == '[' ? enter_array(&inner, place->name)
                                  : false;
    if (found) {
        *c = inner;
        *key = inner_key;
    }
    return found;
}

void gy_scene_locate(const char *text, size_t size, const gy_place *place, bool key, int *line,
                     int *column)
{
    cursor c = {text, text + size};
    const char *at_key = NULL;
    descend(&c, place, &at_key);
    const char *at = key && at_key ? at_key : c.at;
    *line = 1;
    *column = 1;
    for (const char *p = text; p < at; p++) {
        if (*p == '\n') {
            ++*line;
            *column = 1;
        } else if (((unsigned char)*p & 0xc0) != 0x80) {
            ++*column;
        }
    }
}
