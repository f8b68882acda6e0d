// Recording and submission. Submissions end in the order of one timeline semaphore; a ring's places
// are free again when the submission that used them has ended.
#include <stdarg.h>
#include <stdio.h>

#include "device/vulkan/vulkan.h"

static const VkPipelineStageFlags both =
    VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;

void gy_vulkan_fail(gy_vulkan *v, gyre_result result, const char *format, ...)
{
    if (v->failed != GYRE_OK)
        return;
    v->failed = result;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(v->message, sizeof v->message, format, arguments);
    va_end(arguments);
    v->recording = false;
    gy_log(&v->device->host, GYRE_LOG_WARNING, "%s", v->message);
}

// Whether it succeeded; if not the device has failed.
static bool check(gy_vulkan *v, const char *what, VkResult result)
{
    if (result == VK_SUCCESS)
        return true;
    if (result == VK_ERROR_DEVICE_LOST)
        gy_vulkan_fail(v, GYRE_ERROR_DEVICE, "vulkan: %s was lost (%s)", v->name, what);
    else
        gy_vulkan_fail(v, GYRE_ERROR_DEVICE, "vulkan: %s failed: %s: %s", v->name, what,
                       gy_vulkan_result_name(result));
    return false;
}

static gyre_result make_frame(gy_vulkan *v, gy_frame *f)
{
    VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                        .commandPool = v->pool,
                                        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                        .commandBufferCount = 1};
    VkResult made = v->call.vkAllocateCommandBuffers(v->logical, &info, &f->commands);
    if (made == VK_SUCCESS && v->tick > 0.0) {
        VkQueryPoolCreateInfo queries = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                         .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                         .queryCount = GY_FRAME_OPS * 2};
        made = v->call.vkCreateQueryPool(v->logical, &queries, NULL, &f->queries);
    }
    return made == VK_SUCCESS ? GYRE_OK : gy_vulkan_error("command buffers", made);
}

gyre_result gy_vulkan_start(gy_vulkan *v)
{
    VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                    .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                    .queueFamilyIndex = v->family};
    VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                      .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    VkSemaphoreCreateInfo timeline = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                      .pNext = &type};
    VkResult made = v->call.vkCreateCommandPool(v->logical, &pool, NULL, &v->pool);
    if (made == VK_SUCCESS)
        made = v->call.vkCreateSemaphore(v->logical, &timeline, NULL, &v->timeline);
    if (made != VK_SUCCESS)
        return gy_vulkan_error("a command pool", made);
    gyre_result result = GYRE_OK;
    for (int i = 0; i < GY_FRAMES && result == GYRE_OK; i++)
        result = make_frame(v, &v->frames[i]);
    const VkMemoryPropertyFlags seen =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    if (result == GYRE_OK)
        result = gy_vulkan_buffer_make(v, GY_ARGS_RING, seen, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
                                       &v->args.memory);
    if (result == GYRE_OK)
        result = gy_vulkan_buffer_make(v, GY_STAGING_RING, seen, 0, &v->put.memory);
    if (result == GYRE_OK)
        result = gy_vulkan_buffer_make(v, GY_FETCH_BYTES, seen, VK_MEMORY_PROPERTY_HOST_CACHED_BIT,
                                       &v->fetched);
    if (result == GYRE_OK)
        result = gy_vulkan_buffer_make(v, (uint64_t)GY_NOTES * GY_NOTE_BYTES, seen,
                                       VK_MEMORY_PROPERTY_HOST_CACHED_BIT, &v->noted);
    return result;
}

void gy_vulkan_stop(gy_vulkan *v)
{
    gy_vulkan_submit(v);
    gy_vulkan_wait(v, v->submitted);
    for (int i = 0; i < GY_FRAMES; i++)
        v->call.vkDestroyQueryPool(v->logical, v->frames[i].queries, NULL);
    gy_vulkan_buffer_free(v, &v->args.memory);
    gy_vulkan_buffer_free(v, &v->put.memory);
    gy_vulkan_buffer_free(v, &v->fetched);
    gy_vulkan_buffer_free(v, &v->noted);
    v->call.vkDestroyCommandPool(v->logical, v->pool, NULL);
    v->call.vkDestroySemaphore(v->logical, v->timeline, NULL);
}

// What was submitted before the failure may still run, and memory is given back afterwards.
static void wait_after_failure(gy_vulkan *v)
{
    if (v->def.lock_queue)
        v->def.lock_queue(v->def.user);
    v->call.vkQueueWaitIdle(v->queue);
    if (v->def.unlock_queue)
        v->def.unlock_queue(v->def.user);
}

static void collect_times(gy_vulkan *v, gy_frame *f)
{
    enum { AT_ONCE = 64 };
    uint64_t times[2 * AT_ONCE];
    for (int first = 0; f->queries && first < f->ops; first += AT_ONCE) {
        int count = GY_MIN(AT_ONCE, f->ops - first);
        VkResult result = v->call.vkGetQueryPoolResults(v->logical, f->queries, (uint32_t)first * 2,
                                                        (uint32_t)count * 2, sizeof times, times,
                                                        sizeof times[0], VK_QUERY_RESULT_64_BIT);
        if (!check(v, "times of ops", result))
            return;
        for (int i = 0; i < count; i++) {
            uint64_t ticks = times[2 * i + 1] - times[2 * i];
            v->op_seconds[f->op[first + i]] += (double)ticks * v->tick;
            v->op_count[f->op[first + i]]++;
        }
    }
}

void gy_vulkan_wait(gy_vulkan *v, uint64_t value)
{
    if (value <= v->ended)
        return;
    v->device->waits++;
    if (v->failed == GYRE_OK) {
        VkSemaphoreWaitInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                    .semaphoreCount = 1,
                                    .pSemaphores = &v->timeline,
                                    .pValues = &value};
        check(v, "waiting", v->call.vkWaitSemaphores(v->logical, &info, UINT64_MAX));
    }
    if (v->failed != GYRE_OK)
        wait_after_failure(v);
    while (v->ended < value) {
        gy_frame *f = &v->frames[++v->ended % GY_FRAMES];
        v->args.tail = f->args_head;
        v->put.tail = f->put_head;
        if (v->failed == GYRE_OK)
            collect_times(v, f);
        f->ops = 0;
    }
}

// The frame that is, or would be, recorded.
static gy_frame *present(gy_vulkan *v)
{
    return &v->frames[(v->submitted + 1) % GY_FRAMES];
}

VkCommandBuffer gy_vulkan_record(gy_vulkan *v)
{
    gy_frame *f = present(v);
    if (v->failed != GYRE_OK)
        return NULL;
    if (v->recording)
        return f->commands;
    if (v->submitted >= GY_FRAMES)
        gy_vulkan_wait(v, v->submitted + 1 - GY_FRAMES);
    VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                     .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    if (v->failed != GYRE_OK ||
        !check(v, "recording", v->call.vkBeginCommandBuffer(f->commands, &info)))
        return NULL;
    if (f->queries)
        v->call.vkCmdResetQueryPool(f->commands, f->queries, 0, GY_FRAME_OPS * 2);
    v->recording = true;
    v->gated = false;
    v->bound = VK_NULL_HANDLE;
    return f->commands;
}

static void barrier(gy_vulkan *v, VkPipelineStageFlags from, VkPipelineStageFlags to,
                    VkAccessFlags access)
{
    VkMemoryBarrier memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                              .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT |
                                               (from == both ? VK_ACCESS_TRANSFER_WRITE_BIT : 0u),
                              .dstAccessMask = access};
    // Words of gates are not written before they have been read.
    from |= v->gated ? VK_PIPELINE_STAGE_CONDITIONAL_RENDERING_BIT_EXT : 0u;
    v->call.vkCmdPipelineBarrier(present(v)->commands, from, to, 0, 1, &memory, 0, NULL, 0, NULL);
}

void gy_vulkan_order(gy_vulkan *v, VkPipelineStageFlags next)
{
    const VkPipelineStageFlags compute = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    // Barriers reach back over submissions of the queue, too.
    if (v->before)
        barrier(v, v->before == compute && next == compute ? compute : both, next,
                next == compute ? VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT
                                : VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
    v->before = next;
}

static void end_gate(gy_vulkan *v)
{
    if (v->gated)
        v->call.vkCmdEndConditionalRenderingEXT(present(v)->commands);
    v->gated = false;
}

void gy_vulkan_gate(gy_vulkan *v)
{
    const gyre_device *device = v->device;
    if (v->gated && v->gated_call == device->gate_calls)
        return;
    end_gate(v);
    const gy_stretch *s = device->gate && v->conditional
                              ? gy_vulkan_find(v, device->gate, sizeof *device->gate)
                              : NULL;
    if (!s)
        return;
    uint64_t at = (uint64_t)((const uint8_t *)device->gate - s->host);
    VkConditionalRenderingBeginInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
        .buffer = v->chunks[s->chunk].buffer,
        .offset = s->offset + at,
        .flags = VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT};
    barrier(v, both, VK_PIPELINE_STAGE_CONDITIONAL_RENDERING_BIT_EXT,
            VK_ACCESS_CONDITIONAL_RENDERING_READ_BIT_EXT);
    v->call.vkCmdBeginConditionalRenderingEXT(present(v)->commands, &info);
    v->gated = true;
    v->gated_call = device->gate_calls;
}

void gy_vulkan_submit(gy_vulkan *v)
{
    if (!v->recording || v->failed != GYRE_OK)
        return;
    gy_frame *f = present(v);
    end_gate(v);
    if (v->fetches)
        barrier(v, both, VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
    v->fetches = false;
    if (!check(v, "recording", v->call.vkEndCommandBuffer(f->commands)))
        return;
    v->recording = false;
    f->value = v->submitted + 1;
    f->args_head = v->args.head;
    f->put_head = v->put.head;
    const VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    VkTimelineSemaphoreSubmitInfo timeline = {.sType =
                                                  VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                              .waitSemaphoreValueCount = v->awaited ? 1u : 0u,
                                              .pWaitSemaphoreValues = &v->awaited_value,
                                              .signalSemaphoreValueCount = 1,
                                              .pSignalSemaphoreValues = &f->value};
    VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                         .pNext = &timeline,
                         .waitSemaphoreCount = v->awaited ? 1u : 0u,
                         .pWaitSemaphores = &v->awaited,
                         .pWaitDstStageMask = &all,
                         .commandBufferCount = 1,
                         .pCommandBuffers = &f->commands,
                         .signalSemaphoreCount = 1,
                         .pSignalSemaphores = &v->timeline};
    if (v->def.lock_queue)
        v->def.lock_queue(v->def.user);
    VkResult result = v->call.vkQueueSubmit(v->queue, 1, &info, VK_NULL_HANDLE);
    if (v->def.unlock_queue)
        v->def.unlock_queue(v->def.user);
    v->awaited = VK_NULL_HANDLE;
    if (check(v, "submission", result)) {
        v->submitted++;
        v->device->submissions++;
    }
}

uint64_t gy_ring_take(gy_vulkan *v, gy_vulkan_ring *ring, uint64_t bytes)
{
    uint64_t size = ring->memory.bytes, at = ring->head;
    // A place does not go round the end.
    if (at % size + bytes > size)
        at = (at + size - 1) / size * size;
    while (v->failed == GYRE_OK && at + bytes - ring->tail > size) {
        if (v->ended == v->submitted)
            gy_vulkan_submit(v);
        gy_vulkan_wait(v, v->ended + 1);
    }
    ring->head = at + bytes;
    return v->failed == GYRE_OK ? at % size : UINT64_MAX;
}
