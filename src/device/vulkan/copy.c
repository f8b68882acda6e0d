// Copies between the host's address space and the device's memory, and clears.
#include <string.h>

#include "base/os.h"
#include "device/vulkan/vulkan.h"

static const gy_stretch *place_of(gy_vulkan *v, const void *at, uint64_t bytes, const char *what)
{
    const gy_stretch *s = gy_vulkan_find(v, at, bytes);
    if (!s)
        gy_vulkan_fail(v, GYRE_ERROR_STATE, "vulkan: %s of memory that is not the device's", what);
    return s;
}

// From the ring, which has a copy of the host's bytes, or zeros for NULL.
static void put_piece(gy_vulkan *v, const gy_stretch *s, uint64_t at, const uint8_t *from,
                      uint64_t bytes)
{
    // Before the command buffer is asked for: waiting for a place may submit it.
    uint64_t staged = gy_ring_take(v, &v->put, (bytes + 15) / 16 * 16);
    VkCommandBuffer commands = gy_vulkan_record(v);
    if (staged == UINT64_MAX || !commands)
        return;
    if (from)
        memcpy(v->put.memory.mapped + staged, from, bytes);
    else
        memset(v->put.memory.mapped + staged, 0, bytes);
    VkBufferCopy region = {staged, s->offset + at, bytes};
    gy_vulkan_order(v, VK_PIPELINE_STAGE_TRANSFER_BIT);
    v->call.vkCmdCopyBuffer(commands, v->put.memory.buffer, v->chunks[s->chunk].buffer, 1, &region);
    // So that the device copies while the host stages what follows.
    const gy_frame *last = &v->frames[v->submitted % GY_FRAMES];
    if (v->put.head - (v->submitted ? last->put_head : 0) >= GY_STAGING_RING / 4)
        gy_vulkan_submit(v);
}

void gy_vulkan_put(gyre_device *device, const void *at, const void *from, size_t bytes)
{
    gy_vulkan *v = device->state;
    const gy_stretch *s = v->failed == GYRE_OK ? place_of(v, at, bytes, "a put") : NULL;
    if (!s)
        return;
    const uint8_t *source = from;
    uint64_t first = (uint64_t)((const uint8_t *)at - s->host);
    for (uint64_t done = 0; done < bytes; done += GY_STAGING_RING / 4)
        put_piece(v, s, first + done, source + done, GY_MIN(GY_STAGING_RING / 4, bytes - done));
}

void gy_vulkan_clear(gyre_device *device, void *at, size_t bytes)
{
    gy_vulkan *v = device->state;
    const gy_stretch *s = v->failed == GYRE_OK ? place_of(v, at, bytes, "a clear") : NULL;
    if (!s || bytes == 0)
        return;
    // The device fills whole words.
    uint64_t first = (uint64_t)((const uint8_t *)at - s->host), end = first + bytes;
    uint64_t low = GY_MIN((first + 3) / 4 * 4, end), high = GY_MAX(end / 4 * 4, low);
    if (low > first)
        put_piece(v, s, first, NULL, low - first);
    VkCommandBuffer commands = high > low ? gy_vulkan_record(v) : VK_NULL_HANDLE;
    if (commands) {
        gy_vulkan_order(v, VK_PIPELINE_STAGE_TRANSFER_BIT);
        v->call.vkCmdFillBuffer(commands, v->chunks[s->chunk].buffer, s->offset + low, high - low,
                                0);
    }
    if (end > high)
        put_piece(v, s, high, NULL, end - high);
}

void gy_vulkan_fetch(gyre_device *device, const void *at, size_t bytes)
{
    gy_vulkan *v = device->state;
    const gy_stretch *s = v->failed == GYRE_OK ? place_of(v, at, bytes, "a fetch") : NULL;
    if (!s)
        return;
    uint64_t first = (uint64_t)((const uint8_t *)at - s->host);
    for (uint64_t done = 0; done < bytes; done += GY_FETCH_BYTES) {
        uint64_t piece = GY_MIN(GY_FETCH_BYTES, bytes - done);
        VkCommandBuffer commands = gy_vulkan_record(v);
        if (!commands)
            return;
        VkBufferCopy region = {s->offset + first + done, 0, piece};
        gy_vulkan_order(v, VK_PIPELINE_STAGE_TRANSFER_BIT);
        v->call.vkCmdCopyBuffer(commands, v->chunks[s->chunk].buffer, v->fetched.buffer, 1,
                                &region);
        v->fetches = true;
        gy_vulkan_submit(v);
        gy_vulkan_wait(v, v->submitted);
        if (v->failed != GYRE_OK)
            return;
        memcpy(s->host + first + done, v->fetched.mapped, piece);
        device->read += piece;
    }
}

static gy_vulkan_note *find_note(gy_vulkan *v, const void *at, uint64_t bytes)
{
    for (int i = 0; i < GY_NOTES; i++) {
        if (v->notes[i].at == at && v->notes[i].bytes == bytes)
            return &v->notes[i];
    }
    return NULL;
}

void gy_vulkan_prefetch(gyre_device *device, const void *at, size_t bytes)
{
    gy_vulkan *v = device->state;
    const gy_stretch *s = v->failed == GYRE_OK ? place_of(v, at, bytes, "a fetch") : NULL;
    VkCommandBuffer commands = s && bytes <= GY_NOTE_BYTES ? gy_vulkan_record(v) : VK_NULL_HANDLE;
    if (!commands)
        return;
    gy_vulkan_note *note = find_note(v, at, bytes);
    // Where all are taken, whoever asked longest ago fetches.
    for (int i = 0; i < GY_NOTES && (!note || note->at != at); i++) {
        if (!note || !v->notes[i].at || (note->at && v->notes[i].turn < note->turn))
            note = &v->notes[i];
    }
    uint64_t to = (uint64_t)(note - v->notes) * GY_NOTE_BYTES;
    VkBufferCopy region = {s->offset + (uint64_t)((const uint8_t *)at - s->host), to, bytes};
    *note = (gy_vulkan_note){at, bytes, v->submitted + 1, v->notes_asked++};
    gy_vulkan_order(v, VK_PIPELINE_STAGE_TRANSFER_BIT);
    v->call.vkCmdCopyBuffer(commands, v->chunks[s->chunk].buffer, v->noted.buffer, 1, &region);
    v->fetches = true;
}

void gy_vulkan_collect(gyre_device *device, const void *at, size_t bytes)
{
    gy_vulkan *v = device->state;
    gy_vulkan_note *note = find_note(v, at, bytes);
    if (!note) {
        gy_vulkan_fetch(device, at, bytes);
        return;
    }
    const gy_stretch *s = v->failed == GYRE_OK ? place_of(v, at, bytes, "a fetch") : NULL;
    if (!s)
        return;
    if (note->value > v->submitted)
        gy_vulkan_submit(v);
    gy_vulkan_wait(v, note->value);
    if (v->failed == GYRE_OK) {
        memcpy(s->host + ((const uint8_t *)at - s->host),
               v->noted.mapped + (note - v->notes) * GY_NOTE_BYTES, bytes);
        device->read += bytes;
    }
    note->at = NULL;
}

void gy_vulkan_forget(gy_vulkan *v, const void *at, uint64_t bytes)
{
    for (int i = 0; i < GY_NOTES; i++) {
        uint64_t first = (uint64_t)(uintptr_t)v->notes[i].at - (uint64_t)(uintptr_t)at;
        if (v->notes[i].at && first < bytes)
            v->notes[i].at = NULL;
    }
}

// Seconds that so many copies take, the host's part included.
static double time_copies(gy_vulkan *v, const gy_vulkan_buffer *from, const gy_vulkan_buffer *to,
                          int count)
{
    double start = gy_os_now();
    for (int i = 0; i < count; i++) {
        VkCommandBuffer commands = gy_vulkan_record(v);
        if (!commands)
            break;
        VkBufferCopy region = {0, 0, from->bytes};
        gy_vulkan_order(v, VK_PIPELINE_STAGE_TRANSFER_BIT);
        v->call.vkCmdCopyBuffer(commands, from->buffer, to->buffer, 1, &region);
    }
    gy_vulkan_submit(v);
    gy_vulkan_wait(v, v->submitted);
    return gy_os_now() - start;
}

gyre_result gy_vulkan_copy_rate(gyre_device *device, size_t bytes, double *rate)
{
    enum { COPIES = 8 };
    gy_vulkan *v = device->state;
    gy_vulkan_buffer from = {0}, to = {0};
    if (bytes == 0 || bytes % 4 != 0)
        return gyre_fail(GYRE_ERROR_ARGUMENT, "device: %zu bytes; it must be a multiple of 4",
                         bytes);
    if (v->failed == GYRE_OK) {
        gyre_result result =
            gy_vulkan_buffer_make(v, bytes, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0, &from);
        if (result == GYRE_OK)
            result = gy_vulkan_buffer_make(v, bytes, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0, &to);
        if (result != GYRE_OK) {
            gy_vulkan_buffer_free(v, &from);
            return result;
        }
        time_copies(v, &from, &to, 1);
        *rate = 2.0 * COPIES * (double)bytes / time_copies(v, &from, &to, COPIES);
        gy_vulkan_buffer_free(v, &from);
        gy_vulkan_buffer_free(v, &to);
    }
    return v->failed == GYRE_OK ? GYRE_OK : gyre_fail(v->failed, "%s", v->message);
}
