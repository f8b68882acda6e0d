// test/every_device.h: hands a test every device whose bits must be the same: each instruction set,
// several numbers of threads, tasks in reverse order.
#ifndef GYRE_TEST_EVERY_DEVICE_H
#define GYRE_TEST_EVERY_DEVICE_H

#include "check.h"
#include "gyre/device.h"
#include "sanitized.h"

#include <stdio.h>

static inline gyre_device *device_of(int threads, const char *isa)
{
    gyre_device_def def = gyre_default_device_def();
    gyre_device *device = NULL;
    def.threads = threads;
    def.isa = isa;
    assert_int_equal(gyre_device_create(&def, &device), GYRE_OK);
    return device;
}

static inline void tasks_backwards(void *user, int count, gyre_task *task, void *argument)
{
    (void)user;
    while (count-- > 0) {
        task(argument, count);
    }
}

/// `require` is told what each is.
static inline void on_every_device(void (*require)(gyre_device *device, const char *on))
{
    for (int i = 0; every_isa() && gyre_isa_name(i); i++) {
        gyre_device *device = device_of(1, gyre_isa_name(i));
        require(device, gyre_isa_name(i));
        gyre_device_destroy(device);
    }
    for (int q = 0; q < every_count(3); q++) {
        const int threads[3] = {3, 2, 8};
        char on[32];
        snprintf(on, sizeof on, "%d threads", threads[q]);
        gyre_device *device = device_of(threads[q], NULL);
        require(device, on);
        gyre_device_destroy(device);
    }
    if (in_short()) {
        return;
    }
    gyre_device_def def = gyre_default_device_def();
    gyre_device *device = NULL;
    def.host.parallel_for = tasks_backwards;
    assert_int_equal(gyre_device_create(&def, &device), GYRE_OK);
    require(device, "tasks in reverse order");
    gyre_device_destroy(device);
}

#endif
