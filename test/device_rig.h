// test/device_rig.h: one CPU device for a whole group of tests, of DEVICE_THREADS threads (1 where
// a test says nothing before it includes this); tests find it in `the_device` and in their state.
#ifndef GYRE_TEST_DEVICE_RIG_H
#define GYRE_TEST_DEVICE_RIG_H

#include "check.h"
#include "gyre/device.h"

#ifndef DEVICE_THREADS
#define DEVICE_THREADS 1
#endif

static gyre_device *the_device;

static inline int open_device(void **state)
{
    gyre_device_def def = gyre_default_device_def();
    def.threads = DEVICE_THREADS;
    gyre_result result = gyre_device_create(&def, &the_device);
    *state = the_device;
    return result == GYRE_OK ? 0 : 1;
}

static inline int close_device(void **state)
{
    (void)state;
    gyre_device_destroy(the_device);
    return 0;
}

#endif
