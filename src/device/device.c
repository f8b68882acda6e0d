#include <assert.h>

#include "base/os.h"
#include "device/backend.h"
#include "device/cpu.h"

#include <stdio.h>
#include <string.h>

enum { COOKIE = 0x6465 }; // "de"

void gyre_device_fill_def(gyre_device_def *def, size_t size)
{
    if (GY_MISSING("device_fill_def", def))
        return;
    gyre_device_def own = {.cookie = gy_cookie(COOKIE, size), .kind = GYRE_DEVICE_CPU};
    gy_copy_sized(def, size, &own, sizeof own);
}

static gyre_result check_def(const gyre_device_def *def)
{
    gyre_result r = gy_cookie_check(def, COOKIE, sizeof *def, "gyre_device_def");
    if (r != GYRE_OK)
        return r;
    if (def->kind != GYRE_DEVICE_CPU && def->kind != GYRE_DEVICE_NULL &&
        def->kind != GYRE_DEVICE_VULKAN)
        return gyre_fail(GYRE_ERROR_ARGUMENT, "device: unknown kind %d", (int)def->kind);
    if (def->threads < 0 || def->threads > GY_MAX_THREADS)
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "device: %d threads; there must be 1 to %d, or 0 for one per core",
                         def->threads, GY_MAX_THREADS);
    if (!def->host.allocate != !def->host.release)
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "device: the host brings allocate without release, or the reverse");
    return GYRE_OK;
}

static const gy_backend *find_backend(gyre_device_kind kind)
{
    if (kind == GYRE_DEVICE_NULL)
        return &gy_null_backend;
    if (kind == GYRE_DEVICE_CPU)
        return &gy_cpu_backend;
#ifdef GY_WITH_VULKAN
    return &gy_vulkan_backend;
#else
    gyre_fail(GYRE_ERROR_UNSUPPORTED,
              "vulkan: this build has none: glslc, volk or Vulkan's headers were missing");
    return NULL;
#endif
}

#ifndef GY_WITH_VULKAN
bool gyre_vulkan_name(int i, char *name, size_t size)
{
    (void)i, (void)size;
    return !GY_MISSING("vulkan_name", name) && find_backend(GYRE_DEVICE_VULKAN) != NULL;
}
#endif

gyre_result gyre_device_create(const gyre_device_def *def, gyre_device **device)
{
    if (GY_MISSING("device", device))
        return GYRE_ERROR_ARGUMENT;
    const gyre_device_def usual = gyre_default_device_def();
    def = def ? def : &usual;
    gyre_result result = check_def(def);
    if (result != GYRE_OK)
        return result;
    const gy_backend *backend = find_backend(def->kind);
    if (!backend)
        return GYRE_ERROR_UNSUPPORTED;
    gyre_host host = gy_host_complete(&def->host);
    gyre_device *made = gy_allocate(&host, sizeof *made, 64);
    if (!made)
        return GYRE_ERROR_MEMORY;
    made->host = host;
    made->backend = backend;
    made->timed = def->time_ops;
    made->remote = backend->allocate != NULL;
    if (def->time_ops && !backend->op_time) {
        made->times = gy_allocate(&host, sizeof *made->times, 64);
        result = made->times ? GYRE_OK : GYRE_ERROR_MEMORY;
    }
    if (result == GYRE_OK)
        result = gy_mutex_create_nesting(&made->lock);
    if (result == GYRE_OK)
        result = made->backend->open(made, def);
    if (result != GYRE_OK) {
        gy_mutex_destroy(made->lock);
        gy_release(&host, made->times, sizeof *made->times);
        gy_release(&host, made, sizeof *made);
        return result;
    }
    gy_log(&host, GYRE_LOG_DEBUG, "device: %s, %d threads", gyre_device_name(made), made->threads);
    *device = made;
    return GYRE_OK;
}

static void unmake(gyre_device *device)
{
    device->backend->close(device);
    gyre_host host = device->host;
    gy_mutex_destroy(device->lock);
    gy_release(&host, device->times, sizeof *device->times);
    gy_release(&host, device, sizeof *device);
}

void gyre_device_destroy(gyre_device *device)
{
    if (!device)
        return;
    gy_device_enter(device);
    int users = device->users;
    device->given_up = true;
    if (users > 0)
        gy_log(&device->host, GYRE_LOG_WARNING,
               "device: destroyed before %d of its models; it goes with the last of them", users);
    gy_device_leave(device);
    if (users == 0)
        unmake(device);
}

void gy_device_hold(gyre_device *device)
{
    gy_device_enter(device);
    device->users++;
    gy_device_leave(device);
}

void gy_device_drop(gyre_device *device)
{
    gy_device_enter(device);
    bool last = --device->users == 0 && device->given_up;
    gy_device_leave(device);
    if (last)
        unmake(device);
}

// The device whose task this thread is at.
static _Thread_local const gyre_device *working;

void gy_device_enter(const gyre_device *device)
{
    if (working != device)
        gy_mutex_lock(device->lock);
}

void gy_device_leave(const gyre_device *device)
{
    if (working != device)
        gy_mutex_unlock(device->lock);
}

const char *gyre_device_name(const gyre_device *device)
{
    if (GY_MISSING("device", device))
        return NULL;
    return device->name ? device->name : device->isa;
}

const char *gyre_device_isa(const gyre_device *device)
{
    return GY_MISSING("device", device) ? NULL : device->isa;
}

int gyre_device_threads(const gyre_device *device)
{
    return GY_MISSING("device", device) ? 0 : device->threads;
}

uint64_t gyre_device_op_count(const gyre_device *device)
{
    if (GY_MISSING("device", device))
        return 0;
    gy_device_enter(device);
    uint64_t ops = device->ops;
    gy_device_leave(device);
    return ops;
}

typedef struct caller_task {
    const gyre_device *device;
    gyre_task *task;
    void *argument;
} caller_task;

static void run_task(void *argument, int index)
{
    const caller_task *t = argument;
    const gyre_device *before = working;
    working = t->device;
    t->task(t->argument, index);
    working = before;
}

void gyre_device_parallel_for(gyre_device *device, int count, gyre_task *task, void *argument)
{
    if (GY_MISSING("parallel_for", device) || GY_MISSING("parallel_for", task))
        return;
    caller_task t = {device, task, argument};
    if (working == device) {
        for (int i = 0; i < count; i++)
            task(argument, i);
        return;
    }
    gy_device_enter(device);
    if (count > 0)
        device->backend->parallel_for(device, count, run_task, &t);
    gy_device_leave(device);
}

void gy_run(gyre_device *device, gy_op op, const void *args, gy_box box)
{
    assert((int)op >= 0 && op < GY_OP_COUNT);
    // Ops on the host's own memory have ended, and the gate is what they left.
    if (device->gate && !device->backend->address && *device->gate != 0)
        return;
    device->ops++;
    double start = device->times ? gy_os_now() : 0.0;
    device->backend->run(device, op, args, &box);
    if (device->times) {
        device->times->seconds[op] += gy_os_now() - start;
        device->times->count[op]++;
    }
}

gyre_result gyre_device_op_time(gyre_device *device, const char *op, double *seconds,
                                uint64_t *count)
{
    if (GY_MISSING("op_time", device) || GY_MISSING("op_time", op))
        return GYRE_ERROR_ARGUMENT;
    int found = 0;
    while (found < GY_OP_COUNT && strcmp(gy_op_name((gy_op)found), op) != 0)
        found++;
    if (found == GY_OP_COUNT)
        return gyre_fail(GYRE_ERROR_ARGUMENT, "device: there is no op %.64s", op);
    if (!device->timed)
        return gyre_fail(GYRE_ERROR_STATE, "device: it was made without time_ops");
    double took = 0.0;
    uint64_t ran = 0;
    gy_device_enter(device);
    if (device->times) {
        took = device->times->seconds[found];
        ran = device->times->count[found];
    } else {
        device->backend->op_time(device, (gy_op)found, &took, &ran);
    }
    gy_device_leave(device);
    if (seconds)
        *seconds = took;
    if (count)
        *count = ran;
    return GYRE_OK;
}

const char *gyre_op_name(int i)
{
    return i >= 0 && i < GY_OP_COUNT ? gy_op_name((gy_op)i) : NULL;
}

void gy_device_gate(gyre_device *device, const uint32_t *word)
{
    device->gate = word;
    device->gate_calls++;
}

bool gy_device_is_remote(const gyre_device *device)
{
    return device->remote;
}

const gyre_host *gy_device_host(const gyre_device *device)
{
    return &device->host;
}

void *gy_device_allocate(gyre_device *device, size_t bytes)
{
    const gy_backend *b = device->backend;
    return b->allocate ? b->allocate(device, bytes) : gy_allocate(&device->host, bytes, 4096);
}

void gy_device_release(gyre_device *device, void *memory, size_t bytes)
{
    if (!memory)
        return;
    if (device->backend->release)
        device->backend->release(device, memory, bytes);
    else
        gy_release(&device->host, memory, bytes);
}

gyre_device *gy_device_here(gyre_device *device)
{
    return device->backend->here ? device->backend->here(device) : device;
}

void gy_device_fetch(gyre_device *device, const void *at, size_t bytes)
{
    if (device->backend->fetch && bytes > 0)
        device->backend->fetch(device, at, bytes);
}

void gy_device_prefetch(gyre_device *device, const void *at, size_t bytes)
{
    if (device->backend->prefetch && bytes > 0)
        device->backend->prefetch(device, at, bytes);
}

void gy_device_collect(gyre_device *device, const void *at, size_t bytes)
{
    if (device->backend->collect && bytes > 0)
        device->backend->collect(device, at, bytes);
}

void gy_device_put(gyre_device *device, const void *at, size_t bytes)
{
    if (device->backend->put && bytes > 0)
        device->backend->put(device, at, at, bytes);
}

void gy_device_write(gyre_device *device, void *at, const void *from, size_t bytes)
{
    if (!device->backend->put)
        memcpy(at, from, bytes);
    else if (bytes > 0)
        device->backend->put(device, at, from, bytes);
}

bool gy_device_has_own_memory(const gyre_device *device)
{
    return device->backend->allocate != NULL;
}

void gy_device_clear(gyre_device *device, void *at, size_t bytes)
{
    if (device->backend->clear)
        device->backend->clear(device, at, bytes);
    else
        memset(at, 0, bytes);
}

const char *gy_op_name(gy_op op)
{
    static const char *const names[GY_OP_COUNT] = {
#define GY_OP(name, kind) #name,
#include "device/op_lists.inc"
#undef GY_OP
    };
    return names[op];
}

uint64_t gy_device_address(gyre_device *device, const void *at)
{
    return device->backend->address ? device->backend->address(device, at)
                                    : (uint64_t)(uintptr_t)at;
}

gyre_result gyre_device_wait(gyre_device *device)
{
    if (GY_MISSING("device", device))
        return GYRE_ERROR_ARGUMENT;
    gy_device_enter(device);
    gyre_result result = device->backend->wait ? device->backend->wait(device) : GYRE_OK;
    gy_device_leave(device);
    return result;
}

gyre_result gyre_device_copy_rate(gyre_device *device, size_t bytes, double *rate)
{
    if (GY_MISSING("copy_rate", device) || GY_MISSING("copy_rate", rate))
        return GYRE_ERROR_ARGUMENT;
    if (!device->backend->copy_rate)
        return gyre_fail(GYRE_ERROR_UNSUPPORTED, "device: %s has no memory of its own",
                         device->isa);
    gy_device_enter(device);
    gyre_result result = device->backend->copy_rate(device, bytes, rate);
    gy_device_leave(device);
    return result;
}

uint64_t gyre_device_bytes_read(const gyre_device *device)
{
    if (GY_MISSING("device", device))
        return 0;
    gy_device_enter(device);
    uint64_t bytes = device->read;
    gy_device_leave(device);
    return bytes;
}

gyre_result gy_device_status(gyre_device *device)
{
    return device->backend->status ? device->backend->status(device) : GYRE_OK;
}

bool gy_device_has(const gyre_device *device, gy_op op)
{
    return !device->backend->has || device->backend->has(device, op);
}

static gyre_result prepare(gyre_device *device, const gy_op *ops, int count, bool halves)
{
    gyre_result result = GYRE_OK;
    for (int i = 0; i < count && result == GYRE_OK && device->backend->prepare; i++)
        result = device->backend->prepare(device, ops[i], halves);
    return result;
}

gyre_result gy_device_require(gyre_device *device, const char *what, const gy_op *ops, int count)
{
    char lacks[512] = "";
    size_t used = 0;
    for (int i = 0; i < count && used < sizeof lacks; i++) {
        if (!gy_device_has(device, ops[i]))
            used += (size_t)snprintf(lacks + used, sizeof lacks - used, "%s%s", used ? ", " : "",
                                     gy_op_name(ops[i]));
    }
    if (used)
        return gyre_fail(GYRE_ERROR_UNSUPPORTED, "%s: the device %s has no op %s", what,
                         device->isa, lacks);
    return prepare(device, ops, count, false);
}

gyre_result gy_device_require_halves(gyre_device *device, const char *what, const gy_op *ops,
                                     int count)
{
    if (!device->backend->halves)
        return gyre_fail(
            GYRE_ERROR_UNSUPPORTED,
            "%s: the processor (%s) stores floats alone; the device vulkan has 16 bits", what,
            gyre_device_name(device));
    return prepare(device, ops, count, true);
}

gyre_result gy_device_require_host(const gyre_device *device, const char *what)
{
    if (!gy_device_has_own_memory(device))
        return GYRE_OK;
    return gyre_fail(GYRE_ERROR_UNSUPPORTED, "%s runs on the processor alone; the device is %s, %s",
                     what, device->isa, gyre_device_name(device));
}

gyre_result gyre_device_parse(const char *text, gyre_device_def *def)
{
    static const struct {
        const char *name;
        gyre_device_kind kind;
    } kinds[] = {
        {"cpu", GYRE_DEVICE_CPU}, {"null", GYRE_DEVICE_NULL}, {"vulkan", GYRE_DEVICE_VULKAN}};
    if (GY_MISSING("device", text) || GY_MISSING("device", def))
        return GYRE_ERROR_ARGUMENT;
    size_t length = strcspn(text, ":");
    for (int i = 0; i < GY_COUNT(kinds); i++) {
        bool which = text[length] == ':';
        if (strlen(kinds[i].name) != length || strncmp(kinds[i].name, text, length) != 0 ||
            (which && (kinds[i].kind != GYRE_DEVICE_VULKAN || !text[length + 1])))
            continue;
        def->kind = kinds[i].kind;
        def->vulkan.name = which ? text + length + 1 : NULL;
        return GYRE_OK;
    }
    return gyre_fail(GYRE_ERROR_ARGUMENT,
                     "found \"%.64s\", expected cpu, vulkan or vulkan:NAME (an index, or part of a "
                     "name)",
                     text);
}

bool gy_device_share(gyre_device *device, const void *at, gy_shared *shared)
{
    return device->backend->share && device->backend->share(device, at, shared);
}

bool gy_device_await(gyre_device *device, uint64_t semaphore, uint64_t value)
{
    gy_device_enter(device);
    if (device->backend->await)
        device->backend->await(device, semaphore, value);
    gy_device_leave(device);
    return device->backend->await;
}

const gy_exports *gy_device_exports(const gyre_device *device)
{
    return device->backend->exports;
}
