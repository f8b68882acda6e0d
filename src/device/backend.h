// device/backend.h: a kind of device is a struct of functions; a new kind is one more file and a
// line in device.c.
#ifndef GY_BACKEND_H
#define GY_BACKEND_H

#include "base/os.h"
#include "device/device.h"

typedef struct gy_backend {
    bool halves; // whether ops know fields of binary16
    /// Fills in device->state, isa and threads. The def has been checked but for what only this
    /// kind knows.
    gyre_result (*open)(gyre_device *device, const gyre_device_def *def);
    void (*close)(gyre_device *device);
    void (*run)(gyre_device *device, gy_op op, const void *args, const gy_box *box);
    void (*parallel_for)(gyre_device *device, int count, gyre_task *task, void *argument);
    // Of a device with memory of its own; NULL: ops work on the host's.
    gyre_device *(*here)(gyre_device *device);
    void *(*allocate)(gyre_device *device, size_t bytes);
    void (*release)(gyre_device *device, void *memory, size_t bytes);
    void (*fetch)(gyre_device *device, const void *at, size_t bytes);
    void (*prefetch)(gyre_device *device, const void *at, size_t bytes);
    void (*collect)(gyre_device *device, const void *at, size_t bytes);
    /// From another place of the host's, or from `at` itself.
    void (*put)(gyre_device *device, const void *at, const void *from, size_t bytes);
    void (*clear)(gyre_device *device, void *at, size_t bytes);
    bool (*share)(gyre_device *device, const void *at, gy_shared *shared);
    void (*await)(gyre_device *device, uint64_t semaphore, uint64_t value);
    uint64_t (*address)(gyre_device *device, const void *at);
    const gy_exports *exports;
    bool (*has)(const gyre_device *device, gy_op op); // NULL: all
    /// Before an op's first run, or its first with fields that may be halves; NULL: none.
    gyre_result (*prepare)(gyre_device *device, gy_op op, bool halves);
    gyre_result (*copy_rate)(gyre_device *device, size_t bytes, double *rate);
    gyre_result (*wait)(gyre_device *device);   // NULL: ops have ended when they return
    gyre_result (*status)(gyre_device *device); // NULL: cannot fail
    void (*op_time)(gyre_device *device, gy_op op, double *seconds,
                    uint64_t *count); // NULL: timed by device.c
} gy_backend;

extern const gy_backend gy_cpu_backend;
extern const gy_backend gy_null_backend;
#ifdef GY_WITH_VULKAN
extern const gy_backend gy_vulkan_backend;
#endif

/// What ops took, where the device is the caller's own time.
typedef struct gy_op_times {
    double seconds[GY_OP_COUNT];
    uint64_t count[GY_OP_COUNT];
} gy_op_times;

struct gyre_device {
    const gy_backend *backend;
    gyre_host host;
    void *state;      // the backend's own
    const char *isa;  // its name
    const char *name; // of the machine, where it has one; NULL: isa
    gy_mutex *lock;   // see gy_device_enter
    int users;        // see gy_device_hold
    bool given_up;    // the caller has destroyed it; its last user takes it along
    int threads;
    uint64_t ops;
    gy_op_times *times;   // NULL: not timed here
    bool timed;           // the def asked for times
    uint64_t complaints;  // of a validation layer
    bool remote;          // see gy_device_is_remote; tests may set it otherwise
    const uint32_t *gate; // see gy_device_gate
    uint64_t gate_calls;  // of that
    uint64_t submissions; // of work to a device that works for itself
    uint64_t waits;       // of the host for it
    uint64_t read;        // bytes that came from its memory to the host's
};

/// A box in pieces. Made from the op's kind and the box alone, never from the number of threads:
/// reductions are summed piece by piece, so the pieces are part of the result.
typedef struct gy_cut {
    gy_op_kind kind;
    gy_box box;
    int count;
    int per_piece; // rows: planes of a piece (1 where planes are cut); items: entries
    int parts;     // rows: pieces of a plane
} gy_cut;

gy_op_kind gy_kind(gy_op op);
gy_cut gy_cut_make(gy_op_kind kind, const gy_box *box);
gy_box gy_cut_piece(const gy_cut *cut, int piece);

#endif
