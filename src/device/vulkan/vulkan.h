// device/vulkan/vulkan.h: the Vulkan device's parts. What ops, puts, clears and fetches ask for is
// recorded in order into one command buffer, which is submitted when somebody waits for results,
// when a step ends, or when a ring fills up.
#ifndef GY_VULKAN_H
#define GY_VULKAN_H

#include "device/vulkan/volk_names.h"
#include <volk.h>

#include "device/backend.h"
#include "device/vulkan/twin.h"

enum {
    GY_FRAMES = 4,        // submissions in flight
    GY_FRAME_OPS = 4096,  // the most of one submission
    GY_SMALL = 2048,      // cells of a level that a small workgroup goes over
    GY_MEMORY_PARTS = 64, // of a buffer larger than one allocation may be
    GY_NOTES = 16,        // copies asked for by prefetch and not collected
    GY_NOTE_BYTES = 256,  // the most of one
    GY_NAME_BYTES = 256,  // of a device's name
    GY_MESSAGE_BYTES = 512
};

#define GY_ARGS_RING ((uint64_t)GY_FRAMES * GY_FRAME_OPS * GY_ARGS_BYTES)
#define GY_STAGING_RING ((uint64_t)32 << 20)
#define GY_FETCH_BYTES ((uint64_t)16 << 20)
#define GY_EXPORT_USAGE                                                                            \
    (VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |                         \
     VK_BUFFER_USAGE_STORAGE_BUFFER_BIT)
#define GY_CHUNK_BYTES ((uint64_t)64 << 20) // small allocations share such chunks

/// A buffer with its memory; mapped where the host sees it.
typedef struct gy_vulkan_buffer {
    VkBuffer buffer;
    VkDeviceMemory memory[GY_MEMORY_PARTS];
    uint64_t bytes, address;
    uint8_t *mapped;
} gy_vulkan_buffer;

/// What gy_device_allocate gave: a stretch of a chunk, and the host's copy.
typedef struct gy_stretch {
    uint8_t *host;
    uint64_t bytes, offset;
    int chunk;
} gy_stretch;

/// Places are handed out in order and given back when the submission that used them has ended.
typedef struct gy_vulkan_ring {
    gy_vulkan_buffer memory;
    uint64_t head, tail; // count bytes for ever
} gy_vulkan_ring;

typedef struct gy_frame {
    VkCommandBuffer commands;
    VkQueryPool queries;
    uint64_t value;               // of the timeline when it has ended
    uint64_t args_head, put_head; // of the rings, at its end
    int ops;
    uint8_t op[GY_FRAME_OPS];
} gy_frame;

/// A copy that prefetch has asked for.
typedef struct gy_vulkan_note {
    const void *at; // NULL: none
    uint64_t bytes;
    uint64_t value; // of the timeline when it is there
    uint64_t turn;  // counts what was asked for
} gy_vulkan_note;

typedef struct gy_vulkan {
    gyre_device *device;
    gyre_device *host; // a CPU device, for the host's own loops
    char name[GY_NAME_BYTES];

    // Copies of volk's globals, which belong to whoever opened a device last.
    PFN_vkDestroyInstance destroy_instance;
    PFN_vkDestroyDebugUtilsMessengerEXT destroy_messenger;
    PFN_vkGetPhysicalDeviceMemoryProperties2 memory_properties;
    struct VolkDeviceTable call;

    VkInstance instance;
    VkDebugUtilsMessengerEXT messenger;
    VkPhysicalDevice physical;
    VkDevice logical;
    VkQueue queue;
    uint32_t family;
    bool owned;       // instance and device are ours
    bool budget;      // VK_EXT_memory_budget
    bool conditional; // VK_EXT_conditional_rendering: what a gate shuts off is not dispatched
    bool sparse;      // buffers may be larger than one allocation
    bool exports;     // VK_KHR_external_memory_fd, and buffers can be exported by it
    uint8_t unit[VK_UUID_SIZE], driver[VK_UUID_SIZE];
    gyre_vulkan_def def;
    VkPhysicalDeviceMemoryProperties memory;
    uint64_t most_memory;    // of one allocation
    uint32_t most_groups[3]; // of a dispatch
    bool played;             // by a processor
    uint32_t group[2];       // the workgroup of ops by cells, slots and pieces
    double tick;             // seconds of a time stamp's unit

    VkPipelineLayout layout;
    // By what an extent's `halves` says: bit 0: halves as well, bit 1: sheets as well. Of cycles,
    // which know of neither: with a large group; with a small one for up to GY_SMALL cells, where a
    // processor plays the device.
    VkPipeline pipelines[GY_OP_COUNT][4];
    VkCommandPool pool;
    VkSemaphore timeline;

    gy_frame frames[GY_FRAMES];
    uint64_t submitted, ended; // values of the timeline
    VkSemaphore awaited;       // the program's, before the next submission; or none
    uint64_t awaited_value;
    bool recording;
    bool fetches; // what is recorded ends in a copy that the host reads
    VkPipelineStageFlags before;
    bool gated;          // what is recorded is conditional,
    uint64_t gated_call; // since this call of gy_device_gate
    VkPipeline bound;
    gy_vulkan_ring args, put;
    gy_vulkan_buffer fetched, noted;
    gy_vulkan_note notes[GY_NOTES];
    uint64_t notes_asked;

    gy_vulkan_buffer *chunks;
    gy_stretch *stretches; // by host address
    int chunk_count, chunk_room, stretch_count, stretch_room;
    int last_found;

    double op_seconds[GY_OP_COUNT];
    uint64_t op_count[GY_OP_COUNT];

    gyre_result failed; // the first failure, for ever
    char message[GY_MESSAGE_BYTES];
} gy_vulkan;

// ---- open.c, choose.c

/// Fails with "vulkan: WHAT: VK_ERROR_...".
gyre_result gy_vulkan_error(const char *what, VkResult result);
const char *gy_vulkan_result_name(VkResult result);

/// Loads Vulkan and makes an instance, or takes the program's own. Under the lock of volk's
/// globals.
gyre_result gy_vulkan_load(gy_vulkan *v);
/// Finds the physical device that the def means.
gyre_result gy_vulkan_choose(gy_vulkan *v);
/// Makes the logical device, or takes the program's own.
gyre_result gy_vulkan_connect(gy_vulkan *v);
void gy_vulkan_unload(gy_vulkan *v);
/// The name of the i-th physical device.
gyre_result gy_vulkan_list(VkInstance instance, int i, char *name, size_t size);

// ---- run.c

/// The device fails from here on: nothing more is recorded. The first failure's words are kept.
void gy_vulkan_fail(gy_vulkan *v, gyre_result result, const char *format, ...) GYRE_PRINTF(3, 4);
gyre_result gy_vulkan_start(gy_vulkan *v);
void gy_vulkan_stop(gy_vulkan *v);
/// The command buffer to record into; NULL when the device has failed.
VkCommandBuffer gy_vulkan_record(gy_vulkan *v);
/// Orders what comes next, on this stage, after all that was recorded.
void gy_vulkan_order(gy_vulkan *v, VkPipelineStageFlags next);
/// Makes the dispatches that come next conditional, as gy_device_gate says.
void gy_vulkan_gate(gy_vulkan *v);
void gy_vulkan_submit(gy_vulkan *v);
/// Waits for all that was submitted up to this value of the timeline.
void gy_vulkan_wait(gy_vulkan *v, uint64_t value);
/// A place in a ring; the offset in its buffer. Submits and waits where the ring is full.
/// UINT64_MAX: the device has failed.
uint64_t gy_ring_take(gy_vulkan *v, gy_vulkan_ring *ring, uint64_t bytes);

// ---- ops.c

void gy_vulkan_run(gyre_device *device, gy_op op, const void *args, const gy_box *box);
bool gy_vulkan_has(const gyre_device *device, gy_op op);
gyre_result gy_vulkan_prepare(gyre_device *device, gy_op op, bool second);
gyre_result gy_vulkan_layout(gy_vulkan *v);

// ---- memory.c

/// The first memory type of these that has the flags, `like` too where there is one; fails where
/// that has too little left.
gyre_result gy_vulkan_memory_type(const gy_vulkan *v, uint32_t types, uint64_t bytes,
                                  VkMemoryPropertyFlags want, VkMemoryPropertyFlags like,
                                  uint32_t *type);
/// `want` of the memory's properties it must have, `like` it has where such memory is.
gyre_result gy_vulkan_buffer_make(gy_vulkan *v, uint64_t bytes, VkMemoryPropertyFlags want,
                                  VkMemoryPropertyFlags like, gy_vulkan_buffer *buffer);
void gy_vulkan_buffer_free(gy_vulkan *v, gy_vulkan_buffer *buffer);
void *gy_vulkan_allocate(gyre_device *device, size_t bytes);
void gy_vulkan_release(gyre_device *device, void *memory, size_t bytes);
/// The stretch that the host's bytes lie in; NULL: they are not the device's.
const gy_stretch *gy_vulkan_find(gy_vulkan *v, const void *at, uint64_t bytes);
/// The device's address; 0: it is not the device's memory.
uint64_t gy_vulkan_address(gyre_device *device, const void *at);

// ---- export.c

extern const gy_exports gy_vulkan_exports;

// ---- copy.c

void gy_vulkan_fetch(gyre_device *device, const void *at, size_t bytes);
void gy_vulkan_prefetch(gyre_device *device, const void *at, size_t bytes);
void gy_vulkan_collect(gyre_device *device, const void *at, size_t bytes);
/// Drops what prefetch has asked for from these bytes of the host's.
void gy_vulkan_forget(gy_vulkan *v, const void *at, uint64_t bytes);
void gy_vulkan_put(gyre_device *device, const void *at, const void *from, size_t bytes);
void gy_vulkan_clear(gyre_device *device, void *at, size_t bytes);
gyre_result gy_vulkan_copy_rate(gyre_device *device, size_t bytes, double *rate);

#endif
