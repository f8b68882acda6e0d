// The null device: it has memory and counts ops, and runs none of them. For tests of what a step
// asks for, and for tools that want tables without work.
#include "device/backend.h"

static gyre_result null_open(gyre_device *device, const gyre_device_def *def)
{
    (void)def;
    device->isa = "null";
    device->threads = 1;
    return GYRE_OK;
}

static void null_close(gyre_device *device)
{
    (void)device;
}

static void null_run(gyre_device *device, gy_op op, const void *args, const gy_box *box)
{
    (void)device, (void)op, (void)args, (void)box;
}

// A caller's own loop is no op: it runs, here on the caller's thread.
static void null_parallel_for(gyre_device *device, int count, gyre_task *task, void *argument)
{
    if (device->host.parallel_for) {
        device->host.parallel_for(device->host.user, count, task, argument);
        return;
    }
    for (int i = 0; i < count; i++)
        task(argument, i);
}

// It has halves, so that what is meant for another device has its tables here, too.
const gy_backend gy_null_backend = {.halves = true,
                                    .open = null_open,
                                    .close = null_close,
                                    .run = null_run,
                                    .parallel_for = null_parallel_for};
