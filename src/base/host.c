#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "base/os.h"

static void *default_allocate(void *user, size_t size, size_t alignment)
{
    (void)user;
    return gy_os_allocate(size, alignment);
}

static void default_release(void *user, void *memory, size_t size)
{
    (void)user;
    gy_os_release(memory, size);
}

static void default_log(void *user, gyre_log_level level, const char *message)
{
    (void)user, (void)level, (void)message;
}

gyre_host gy_host_complete(const gyre_host *host)
{
    gyre_host complete = *host;
    if (!complete.allocate) {
        complete.allocate = default_allocate;
        complete.release = default_release;
    }
    if (!complete.log)
        complete.log = default_log;
    return complete;
}

void *gy_allocate(const gyre_host *host, size_t size, size_t alignment)
{
    void *memory = host->allocate(host->user, size, alignment);
    if (!memory) {
        gyre_fail(GYRE_ERROR_MEMORY, "out of memory: %zu bytes are not to be had", size);
        return NULL;
    }
    // The system's memory comes zeroed, and clearing gigabytes twice takes seconds.
    if (host->allocate != default_allocate)
        memset(memory, 0, size);
    return memory;
}

void gy_release(const gyre_host *host, void *memory, size_t size)
{
    if (memory)
        host->release(host->user, memory, size);
}

void gy_log(const gyre_host *host, gyre_log_level level, const char *format, ...)
{
    if (!host->log || host->log == default_log)
        return;
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length >= 0)
        host->log(host->user, level, text);
}
