// test/every_device.h: hands a test every device whose bits must be the same: each instruction set,
// several numbers of threads, tasks in reverse order.
#ifndef GYRE_TEST_EVERY_DEVICE_H
#define GYRE_TEST_EVERY_DEVICE_H

#include "check.h"
#include "gyre/device.h"

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

// 64-bit ARM under an emulator is some fifty times as slow: instruction sets alone, for threads and
// the order of tasks are the same code everywhere.
#ifdef GYRE_STAND_IN_CMOCKA_H
enum { EVERY_COUNTS = 0 };
#else
enum { EVERY_COUNTS = 3 };
#endif

/// `require` is told what each is.
static inline void on_every_device(void (*require)(gyre_device *device, const char *on))
{
    for (int i = 0; gyre_isa_name(i); i++) {
        gyre_device *device = device_of(1, gyre_isa_name(i));
        require(device, gyre_isa_name(i));
        gyre_device_destroy(device);
    }
    for (int q = 0; q < EVERY_COUNTS; q++) {
        const int threads[3] = {3, 2, 8};
        char on[32];
        snprintf(on, sizeof on, "%d threads", threads[q]);
        gyre_device *device = device_of(threads[q], NULL);
        require(device, on);
        gyre_device_destroy(device);
    }
    if (EVERY_COUNTS == 0) {
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
