/// gyre/device.h: where fields live and where ops run.
#ifndef GYRE_DEVICE_H
#define GYRE_DEVICE_H

#include "gyre/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A CPU with its threads, or the null device that runs nothing and counts what it was asked for.
/// Create few, keep them long. All models of one device may be stepped from different threads only
/// one at a time.
typedef struct gyre_device gyre_device;

typedef enum gyre_device_kind { GYRE_DEVICE_CPU, GYRE_DEVICE_NULL } gyre_device_kind;

/// Take it from gyre_default_device_def() and change what you need.
typedef struct gyre_device_def {
    uint32_t cookie; ///< set by gyre_default_device_def
    gyre_device_kind kind;
    int threads;     ///< 1 to 256; 0: one per core; ignored when the host brings parallel_for
    const char *isa; ///< "baseline", "avx2", "avx512", "neon"; NULL: the best of this machine
    gyre_host host;
} gyre_device_def;

GYRE_API gyre_device_def gyre_default_device_def(void);

/// A NULL def means gyre_default_device_def().
/// GYRE_ERROR_ARGUMENT: a def without its default, bad threads, unknown isa (the message lists the
/// known ones). GYRE_ERROR_UNSUPPORTED: an isa that this machine or this build lacks.
GYRE_API gyre_result gyre_device_create(const gyre_device_def *def, gyre_device **device);

/// Destroy the models first. NULL is allowed.
GYRE_API void gyre_device_destroy(gyre_device *device);

/// The name of the instruction set in use; "null" for the null device.
GYRE_API const char *gyre_device_isa(const gyre_device *device);

/// Threads that ops run on, the caller's included; 0 when the host's parallel_for decides.
GYRE_API int gyre_device_threads(const gyre_device *device);

/// Ops run since the device was made (for the null device: asked for).
GYRE_API uint64_t gyre_device_op_count(const gyre_device *device);

/// Runs task(argument, i) for i in [0, count) on the device's threads (or by the host's
/// parallel_for). Not to be called from inside a task.
GYRE_API void gyre_device_parallel_for(gyre_device *device, int count, gyre_task *task,
                                       void *argument);

/// The i-th instruction set of this build that this machine has, best last; NULL past the end.
GYRE_API const char *gyre_isa_name(int i);

#ifdef __cplusplus
}
#endif
#endif
