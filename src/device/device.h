// device/device.h: ops and the devices that run them.
#ifndef GY_DEVICE_H
#define GY_DEVICE_H

#include "base/base.h"
#include "device/op_list.h"
#include "gyre/device.h"

/// A box of cells: low included, high not.
typedef struct gy_box {
    int low[3], high[3];
} gy_box;

GY_INLINE gy_box gy_box_make(int x, int y, int z)
{
    return (gy_box){{0, 0, 0}, {x, y, z}};
}

/// How the dispatcher may cut an op's box.
typedef enum gy_op_kind {
    GY_ROWS,   // into boxes of whole rows (x is never cut); cuts depend on the box alone
    GY_ITEMS,  // a range along x of list entries, cut at multiples of 4096
    GY_BLOCKS, // a range along x of heavy items, in GY_MAX_BLOCKS pieces at most
    GY_COARSE  // not at all: one task
} gy_op_kind;

/// The most tasks a box is cut into; scratch for reductions has this many entries.
enum { GY_MAX_TASKS = 256, GY_MAX_BLOCKS = 32 };

/// A body: one leaf loop. `task` counts the pieces of this run from 0 and indexes reduction
/// scratch.
typedef void gy_body(const void *args, const gy_box *box, int task);

/// What the bodies of one instruction set are: indexed by gy_op.
typedef struct gy_isa_table {
    const char *name;
    gy_body *body[GY_OP_COUNT];
} gy_isa_table;

/// A lock: between these two calls the device belongs to one thread and others wait. Every public
/// call that uses a device takes it once for its whole duration, because the device also keeps
/// state between two ops (the gate, the pool's job, a GPU's list of commands). The calls nest.
/// Tasks of gyre_device_parallel_for run under the lock of the thread that started them.
void gy_device_enter(const gyre_device *device);
void gy_device_leave(const gyre_device *device);

/// A reference count: whatever uses a device holds it, and it is freed when the last one drops it.
void gy_device_hold(gyre_device *device);
void gy_device_drop(gyre_device *device);

/// Runs an op over a box. On the CPU it has ended when the call returns; on every device it runs
/// after all ops that were asked for before it.
void gy_run(gyre_device *device, gy_op op, const void *args, gy_box box);

/// Sets a condition for all ops until the next call: they are skipped if this word in the device's
/// memory is not 0 when their turn comes. Earlier ops set that word, so that a solver can stop
/// early on a GPU without asking the host. NULL: no condition. Copies (fetch, put, clear) are never
/// skipped. A device may read the word once for several ops, so only the last op behind a gate may
/// change it; call again with the same word before the ops that follow.
void gy_device_gate(gyre_device *device, const uint32_t *word);

/// Whether reading a result back takes the host long, as on a GPU: decisions that depend on results
/// are then better made by ops and gates.
bool gy_device_is_remote(const gyre_device *device);

/// Memory that ops work on: zeroed, aligned to 4096; NULL: there is none, and the message is set.
/// Returns an address of the host, and the arguments of ops hold such addresses; a device with
/// memory of its own translates them. On such a device the host's bytes are a second copy, which
/// is brought up to date by gy_device_fetch and gy_device_put alone.
void *gy_device_allocate(gyre_device *device, size_t bytes);
/// NULL is allowed.
void gy_device_release(gyre_device *device, void *memory, size_t bytes);

/// Before the host reads what ops have written, from memory of the device: waits for them and
/// brings the host's copy up to date. Does nothing on the CPU.
void gy_device_fetch(gyre_device *device, const void *at, size_t bytes);

/// gy_device_fetch in two halves, so that the host can work while it waits. prefetch asks for a
/// copy of the bytes as they are after the ops so far; collect waits for it. Without a prefetch
/// before it, with too many of them, or for more than 256 bytes, collect fetches the bytes as they
/// are now.
void gy_device_prefetch(gyre_device *device, const void *at, size_t bytes);
void gy_device_collect(gyre_device *device, const void *at, size_t bytes);

/// After the host has written, before ops read: copies the bytes to the device, after the ops asked
/// for before and before those asked for afterwards.
void gy_device_put(gyre_device *device, const void *at, size_t bytes);

/// Copies the host's bytes from elsewhere into memory of the device, in order with ops. The host's
/// copy of that memory may keep what it had.
void gy_device_write(gyre_device *device, void *at, const void *from, size_t bytes);

/// Whether the device has memory of its own, so that ops see nothing else.
bool gy_device_has_own_memory(const gyre_device *device);

/// A device whose ops work on the host's own memory, at once: this one, or of one that has memory
/// of its own what does the host's loops. For what follows from what the host has written, and is
/// needed there: nothing has to be fetched then.
gyre_device *gy_device_here(gyre_device *device);

/// Sets memory of the device to 0, in order with ops; the host's copy may keep what it had.
void gy_device_clear(gyre_device *device, void *at, size_t bytes);

/// The address that ops know a byte of the device's memory by, for structs in that memory which
/// ops follow; on the CPU the host's.
uint64_t gy_device_address(gyre_device *device, const void *at);

/// Ends a step: submits all that was asked for, and returns the device's first error, if there was
/// one. After an error the device runs nothing more.
gyre_result gy_device_status(gyre_device *device);

/// A place in a buffer of the device's, and when it holds what was asked for; see gyre/vulkan.h.
typedef struct gy_shared {
    uint64_t buffer, offset, address, semaphore, value;
} gy_shared;

/// False: the device has no buffers.
bool gy_device_share(gyre_device *device, const void *at, gy_shared *shared);
bool gy_device_await(gyre_device *device, uint64_t semaphore, uint64_t value);

/// Memory that leaves the device for another API; see gyre/vulkan.h.
typedef struct gy_exports {
    gyre_result (*make)(gyre_device *device, uint64_t bytes, void **made);
    void (*release)(gyre_device *device, void *made);
    /// A new file descriptor, and the bytes of the allocation behind it.
    gyre_result (*open)(gyre_device *device, void *made, int *fd, uint64_t *bytes);
    /// Records a copy of the device's memory at the host's address `at`.
    gyre_result (*copy)(gyre_device *device, void *made, uint64_t offset, const void *at,
                        uint64_t bytes, uint64_t *semaphore, uint64_t *value);
    gyre_result (*reach)(gyre_device *device, uint64_t value);
    void (*identify)(const gyre_device *device, uint8_t unit[16], uint8_t driver[16]);
} gy_exports;

/// NULL: the device has no such memory.
const gy_exports *gy_device_exports(const gyre_device *device);

/// Whether the device has the op. gy_device_require fails with the names of those that it lacks
/// ("gas: ...") and gets the others ready.
bool gy_device_has(const gyre_device *device, gy_op op);
gyre_result gy_device_require(gyre_device *device, const char *what, const gy_op *ops, int count);

/// Beyond that: ops of fields whose samples are binary16, see gy_extent.
gyre_result gy_device_require_halves(gyre_device *device, const char *what, const gy_op *ops,
                                     int count);

/// Fails on a device with memory of its own: for what works on the host's memory itself.
gyre_result gy_device_require_host(const gyre_device *device, const char *what);

/// The op's name.
const char *gy_op_name(gy_op op);

/// Into how many pieces gy_run cuts this box; depends on op kind and box alone.
int gy_task_count(gy_op op, gy_box box);

/// The host behind a device, complete (parallel_for may be NULL).
const gyre_host *gy_device_host(const gyre_device *device);

/// A place in a model's arena: base address and offsets in units of 64 bytes, as shaders can hold
/// them.
GY_INLINE float *gy_at(uint64_t base, uint32_t offset)
{
    return (float *)(uintptr_t)(base + (uint64_t)offset * 64u);
}

#endif
