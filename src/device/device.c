#include <assert.h>

#include "device/backend.h"
#include "device/cpu.h"

#include <stdio.h>
#include <string.h>

static const uint32_t cookie = 0x67796465u; // says that a def began as gyre_default_device_def()

gyre_device_def gyre_default_device_def(void)
{
    return (gyre_device_def){.cookie = cookie, .kind = GYRE_DEVICE_CPU};
}

static gyre_result check_def(const gyre_device_def *def)
{
    if (!def || def->cookie != cookie)
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "device: the def was not made by gyre_default_device_def()");
    if (def->kind != GYRE_DEVICE_CPU && def->kind != GYRE_DEVICE_NULL)
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

gyre_result gyre_device_create(const gyre_device_def *def, gyre_device **device)
{
    if (!device)
        return gyre_fail(GYRE_ERROR_ARGUMENT, "device: nowhere to put it: device is NULL");
    const gyre_device_def usual = gyre_default_device_def();
    def = def ? def : &usual;
    gyre_result result = check_def(def);
    if (result != GYRE_OK)
        return result;
    gyre_host host = gy_host_complete(&def->host);
    gyre_device *made = gy_allocate(&host, sizeof *made, 64);
    if (!made)
        return GYRE_ERROR_MEMORY;
    made->host = host;
    made->backend = def->kind == GYRE_DEVICE_NULL ? &gy_null_backend : &gy_cpu_backend;
    result = made->backend->open(made, def);
    if (result != GYRE_OK) {
        gy_release(&host, made, sizeof *made);
        return result;
    }
    gy_log(&host, GYRE_LOG_DEBUG, "device: %s, %d threads", made->isa, made->threads);
    *device = made;
    return GYRE_OK;
}

void gyre_device_destroy(gyre_device *device)
{
    if (!device)
        return;
    device->backend->close(device);
    gyre_host host = device->host;
    gy_release(&host, device, sizeof *device);
}

const char *gyre_device_isa(const gyre_device *device)
{
    return device->isa;
}

int gyre_device_threads(const gyre_device *device)
{
    return device->threads;
}

uint64_t gyre_device_op_count(const gyre_device *device)
{
    return device->ops;
}

void gyre_device_parallel_for(gyre_device *device, int count, gyre_task *task, void *argument)
{
    if (count > 0)
        device->backend->parallel_for(device, count, task, argument);
}

void gy_run(gyre_device *device, gy_op op, const void *args, gy_box box)
{
    assert((int)op >= 0 && op < GY_OP_COUNT);
    device->ops++;
    device->backend->run(device, op, args, &box);
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

void gy_device_fetch(gyre_device *device, const void *at, size_t bytes)
{
    if (device->backend->fetch && bytes > 0)
        device->backend->fetch(device, at, bytes);
}

void gy_device_put(gyre_device *device, const void *at, size_t bytes)
{
    if (device->backend->put && bytes > 0)
        device->backend->put(device, at, bytes);
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
#define GY_NAME(name, kind) #name,
        GY_OP_LIST(GY_NAME)
#undef GY_NAME
    };
    return names[op];
}

bool gy_device_has(const gyre_device *device, gy_op op)
{
    return !device->backend->has || device->backend->has(device, op);
}

gyre_result gy_device_require(const gyre_device *device, const char *what, const gy_op *ops,
                              int count)
{
    char lacks[512] = "";
    size_t used = 0;
    for (int i = 0; i < count && used < sizeof lacks; i++)
        if (!gy_device_has(device, ops[i]))
            used += (size_t)snprintf(lacks + used, sizeof lacks - used, "%s%s", used ? ", " : "",
                                     gy_op_name(ops[i]));
    if (!used)
        return GYRE_OK;
    return gyre_fail(GYRE_ERROR_UNSUPPORTED, "%s: the device %s has no op %s", what, device->isa,
                     lacks);
}
