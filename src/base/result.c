#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"

enum { MESSAGE_SIZE = 1024 };

static _Thread_local char message[MESSAGE_SIZE];

const char *gyre_result_name(gyre_result result)
{
    switch (result) {
    case GYRE_OK:
        return "ok";
    case GYRE_ERROR_ARGUMENT:
        return "argument";
    case GYRE_ERROR_MEMORY:
        return "memory";
    case GYRE_ERROR_FILE:
        return "file";
    case GYRE_ERROR_FORMAT:
        return "format";
    case GYRE_ERROR_UNSUPPORTED:
        return "unsupported";
    case GYRE_ERROR_STATE:
        return "state";
    case GYRE_ERROR_INTERRUPTED:
        return "interrupted";
    case GYRE_ERROR_DEVICE:
        return "device";
    }
    return "unknown";
}

const char *gyre_message(void)
{
    return message;
}

gyre_result gyre_fail(gyre_result result, const char *format, ...)
{
    // Apart first: the arguments may hold gyre_message() itself.
    char text[MESSAGE_SIZE];
    if (!format)
        format = "(no message)";
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0)
        strcpy(text, "(a message that could not be written)");
    strcpy(message, text);
    return result;
}

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

const char *gyre_version(void)
{
    return TEXT(GYRE_VERSION_MAJOR) "." TEXT(GYRE_VERSION_MINOR) "." TEXT(GYRE_VERSION_PATCH);
}

int gyre_version_number(void)
{
    return GYRE_VERSION;
}

uint32_t gy_cookie(uint32_t tag, size_t size)
{
    return tag << 16 | (uint32_t)(size & 0xffffu);
}

gyre_result gy_cookie_check(const void *def, uint32_t tag, size_t size, const char *type)
{
    uint32_t cookie = 0;
    if (def)
        memcpy(&cookie, def, sizeof cookie);
    if (!def || cookie >> 16 != tag)
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "the %s was not taken from its default: its cookie is wrong", type);
    if (cookie != gy_cookie(tag, size))
        return gyre_fail(
            GYRE_ERROR_ARGUMENT,
            "the %s has %u bytes where it was made and %zu in gyre %s: the program was "
            "compiled with the headers of another version",
            type, cookie & 0xffffu, size, gyre_version());
    return GYRE_OK;
}

void gy_copy_sized(void *to, size_t size, const void *from, size_t own)
{
    memset(to, 0, size);
    memcpy(to, from, GY_MIN(size, own));
}
