/// @file gyre/device.h
/// Where fields live and where ops run.
#ifndef GYRE_DEVICE_H
#define GYRE_DEVICE_H

#include "gyre/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A CPU with its threads, a GPU through Vulkan, or the null device that runs nothing and counts
/// what it was asked for. Create few, keep them long.
///
/// Threads: any may call for a device and for its models at any time. What they ask takes turns, a
/// whole call at a time (one step waits for the other), and comes to the same bits as if they had
/// called one after another. A model, a linear system or exported memory belongs to one thread at a
/// time all the same: its header says which of its calls may run beside others. What shall run side
/// by side gets a device each, with the threads shared out: devices know nothing of each other.
typedef struct gyre_device gyre_device;

/// What computes.
typedef enum gyre_device_kind {
    GYRE_DEVICE_CPU,
    GYRE_DEVICE_NULL,
    GYRE_DEVICE_VULKAN
} gyre_device_kind;

/// Which Vulkan device: one by name, or the program's own. Vulkan is looked for at run time.
/// Needed are version 1.2, bufferDeviceAddress, scalarBlockLayout, timelineSemaphore,
/// shaderInt64, shaderInt16, shaderInt8, shaderFloat64, storageBuffer16BitAccess and
/// storageBuffer8BitAccess, and workgroups of 1024; a program's own device must have them enabled.
typedef struct gyre_vulkan_def {
    /// An index into what gyre_vulkan_name() lists ("0"), or part of a name, in any case; NULL: the
    /// best, a discrete GPU before an integrated one before a processor.
    const char *name;
    // The program's own, all or none; they outlive the gyre_device. Handles of Vulkan are pointers.
    void *instance;        ///< VkInstance
    void *physical_device; ///< VkPhysicalDevice
    void *device;          ///< VkDevice
    void *queue;           ///< VkQueue, with VK_QUEUE_COMPUTE_BIT
    uint32_t queue_family; ///< its family
    /// Its vkGetInstanceProcAddr; NULL: that of the Vulkan loader found at run time.
    void (*get_instance_proc)(void);
    /// Called round each use of the queue, when other threads of the program use it, too. NULL:
    /// not.
    void (*lock_queue)(void *user);
    /// The other end of lock_queue.
    void (*unlock_queue)(void *user);
    void *user; ///< handed to both
    /// Of a program's own device: it was made with VK_KHR_external_memory_fd, so that
    /// gyre_vulkan_export_create() may use it.
    bool external_memory_fd;
    /// Runs under the validation layer, where there is one: what it says goes to the host's log as
    /// warnings. Not with a program's own device.
    bool validate;
} gyre_vulkan_def;

/// Take it from gyre_default_device_def() and change what you need.
typedef struct gyre_device_def {
    uint32_t cookie;       ///< set by gyre_default_device_def
    gyre_device_kind kind; ///< what computes
    int threads;           ///< 1 to 256; 0: one per core; ignored when the host brings parallel_for
    const char *isa;       ///< "baseline", "avx2", "avx512", "neon"; NULL: the best of this machine
    gyre_host host;        ///< memory, log and threads; zero: the defaults
    gyre_vulkan_def vulkan; ///< of GYRE_DEVICE_VULKAN; threads are then for the host's own loops
    bool time_ops;          ///< measures what gyre_device_op_time() says
} gyre_device_def;

/// Fills the first `size` bytes of a def, as the caller's headers have it, with its defaults. For
/// bindings; create refuses a def of another size than the library's. Any thread.
GYRE_API void gyre_device_fill_def(gyre_device_def *def, size_t size);
/// The processor, one thread per core, the best instruction set.
static inline gyre_device_def gyre_default_device_def(void)
{
    gyre_device_def def;
    gyre_device_fill_def(&def, sizeof def);
    return def;
}

/// Takes a device as the tool's --device names it into a def: "cpu", "vulkan", "vulkan:NAME" or
/// "null". NAME is kept as a pointer into the text. GYRE_ERROR_ARGUMENT: another text.
GYRE_API gyre_result gyre_device_parse(const char *text, gyre_device_def *def);

/// A NULL def means gyre_default_device_def().
/// GYRE_ERROR_ARGUMENT: a def without its default, bad threads, unknown isa (the message lists the
/// known ones), no Vulkan device of that name. GYRE_ERROR_UNSUPPORTED: an isa that this machine or
/// this build lacks; Vulkan where the build, a driver or a feature is missing.
GYRE_API gyre_result gyre_device_create(const gyre_device_def *def, gyre_device **device);

/// NULL is allowed. Destroy what was made on it first: a device that is still used (by models,
/// linear systems, exported memory) says so to the host's log, as a warning, and lives on until the
/// last of them is destroyed; so does what it was lent (the host, a Vulkan device).
GYRE_API void gyre_device_destroy(gyre_device *device);

/// The name of the instruction set in use; "null" for the null device, "vulkan" for Vulkan.
GYRE_API const char *gyre_device_isa(const gyre_device *device);

/// Threads that ops run on, the caller's included; 0 when the host's parallel_for decides.
GYRE_API int gyre_device_threads(const gyre_device *device);

/// Ops run since the device was made (for the null device: asked for).
GYRE_API uint64_t gyre_device_op_count(const gyre_device *device);

/// Runs task(argument, i) for i in [0, count) on the device's threads (or by the host's
/// parallel_for). Inside a task it runs on the task's own thread. A task may probe and query models
/// of the device; it must not change or destroy them.
GYRE_API void gyre_device_parallel_for(gyre_device *device, int count, gyre_task *task,
                                       void *argument);

/// Seconds that ops of this name took so far and how many there were (either may be NULL), of ops
/// that have ended. GYRE_ERROR_STATE: a device made without time_ops. GYRE_ERROR_ARGUMENT: no such
/// op.
GYRE_API gyre_result gyre_device_op_time(gyre_device *device, const char *op, double *seconds,
                                         uint64_t *count);

/// Waits until the device has done all that it was asked for: steps return before that on a GPU.
/// What reads results waits by itself. GYRE_ERROR_DEVICE: the device has failed, now or earlier.
GYRE_API gyre_result gyre_device_wait(gyre_device *device);

/// Bytes read and written per second when so many bytes are copied within the device's own memory,
/// of which twice as many are taken meanwhile. GYRE_ERROR_UNSUPPORTED: a device without memory of
/// its own.
GYRE_API gyre_result gyre_device_copy_rate(gyre_device *device, size_t bytes, double *rate);

/// Bytes that the host has read from the device's own memory since the device was made; 0 where it
/// has none.
GYRE_API uint64_t gyre_device_bytes_read(const gyre_device *device);

/// The name of the i-th op; NULL past the end.
GYRE_API const char *gyre_op_name(int i);

/// What the device calls itself: of a Vulkan device the driver's name for it, else as
/// gyre_device_isa().
GYRE_API const char *gyre_device_name(const gyre_device *device);

/// Writes the name of the i-th Vulkan device of this machine, cut to `size` bytes. False: there is
/// none, and for i of 0 the message says why.
GYRE_API bool gyre_vulkan_name(int i, char *name, size_t size);

/// The i-th instruction set of this build that this machine has, best last; NULL past the end.
GYRE_API const char *gyre_isa_name(int i);

#ifdef __cplusplus
}
#endif
#endif
