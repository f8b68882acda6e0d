// labels: vulkan
// A program reads fields where they lie on its own Vulkan device: every field of the table, by a
// copy that it submits itself after waiting for the semaphore; and a step waits for the program.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "test/vulkan_rig.h"

#ifndef GY_WITH_VULKAN

int main(void)
{
    return vulkan_rig_open() ? 1 : VULKAN_RIG_SKIPPED;
}

#else

#include "base/half.h"
#include "device/vulkan/vulkan.h"
#include "gyre/gas.h"
#include "gyre/vulkan.h"
#include "test/vulkan_own.h"

enum { BYTES = 1 << 16 };

static vulkan_own program;
static gyre_device *device;
static gyre_gas *gas;
static VkBuffer seen;
static VkDeviceMemory seen_memory;
static VkCommandPool pool;
static VkCommandBuffer commands;
static VkSemaphore drawn; // the program's timeline
static uint64_t drawings;
static void *mapped;

static void make_seen(void)
{
    VkBufferCreateInfo buffer = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                 .size = BYTES,
                                 .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    VkMemoryRequirements needs;
    VkPhysicalDeviceMemoryProperties memory;
    uint32_t type = 0;
    VkMemoryPropertyFlags want =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    assert_int_equal(vkCreateBuffer(program.device, &buffer, NULL, &seen), VK_SUCCESS);
    vkGetBufferMemoryRequirements(program.device, seen, &needs);
    vkGetPhysicalDeviceMemoryProperties(program.physical, &memory);
    while (!(needs.memoryTypeBits >> type & 1u) ||
           (memory.memoryTypes[type].propertyFlags & want) != want) {
        assert_true(++type < memory.memoryTypeCount);
    }
    VkMemoryAllocateInfo take = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                 .allocationSize = needs.size,
                                 .memoryTypeIndex = type};
    assert_int_equal(vkAllocateMemory(program.device, &take, NULL, &seen_memory), VK_SUCCESS);
    assert_int_equal(vkBindBufferMemory(program.device, seen, seen_memory, 0), VK_SUCCESS);
    assert_int_equal(vkMapMemory(program.device, seen_memory, 0, BYTES, 0, &mapped), VK_SUCCESS);
}

static gyre_gas *make_gas(bool halves)
{
    gyre_gas *smoke = NULL;
    gyre_gas_def def = gyre_gas_default_def(2);
    def.grid.n[0] = 37;
    def.grid.n[1] = 29;
    def.grid.h = 0.05f;
    def.half_scalars = halves;
    if (gyre_gas_create(device, &def, &smoke) != GYRE_OK)
        fail_msg("%s", gyre_message());
    for (int f = 2; f < 4; f++) {
        const float at[3] = {0.8f, 0.5f, 0.0f};
        assert_int_equal(gyre_gas_splat(smoke, f, at, 0.4f, 3.0f), GYRE_OK);
    }
    return smoke;
}

static int set_up(void **state)
{
    (void)state;
    program = make_own();
    gyre_device_def def = rig_gpu_def();
    def.vulkan = lend(&program);
    VkCommandPoolCreateInfo pools = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                     .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT};
    VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                      .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    VkSemaphoreCreateInfo timeline = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                      .pNext = &type};
    assert_int_equal(vkCreateCommandPool(program.device, &pools, NULL, &pool), VK_SUCCESS);
    assert_int_equal(vkCreateSemaphore(program.device, &timeline, NULL, &drawn), VK_SUCCESS);
    VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                        .commandPool = pool,
                                        .commandBufferCount = 1};
    assert_int_equal(vkAllocateCommandBuffers(program.device, &info, &commands), VK_SUCCESS);
    make_seen();
    assert_int_equal(gyre_device_create(&def, &device), GYRE_OK);
    gas = make_gas(false);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    gyre_gas_destroy(gas);
    gyre_device_destroy(device);
    vkDeviceWaitIdle(program.device);
    vkDestroyBuffer(program.device, seen, NULL);
    vkFreeMemory(program.device, seen_memory, NULL);
    vkDestroySemaphore(program.device, drawn, NULL);
    vkDestroyCommandPool(program.device, pool, NULL);
    drop_own(&program);
    return 0;
}

/// The program's own copy of a field, on the device, into memory that it sees.
static void look(const gyre_vulkan_field *f)
{
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    uint64_t bytes = (uint64_t)f->sample_bytes *
                     ((uint64_t)f->stride[1] * (uint64_t)(f->n[1] - 1) + (uint64_t)f->n[0]);
    VkBufferCopy region = {f->offset, 0, bytes};
    assert_true(bytes <= BYTES);
    assert_int_equal(vkBeginCommandBuffer(commands, &begin), VK_SUCCESS);
    vkCmdCopyBuffer(commands, (VkBuffer)(uintptr_t)f->buffer, seen, 1, &region);
    assert_int_equal(vkEndCommandBuffer(commands), VK_SUCCESS);
    VkSemaphore wait = (VkSemaphore)(uintptr_t)f->semaphore;
    VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
    uint64_t value = ++drawings;
    VkTimelineSemaphoreSubmitInfo values = {.sType =
                                                VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                            .waitSemaphoreValueCount = 1,
                                            .pWaitSemaphoreValues = &f->value,
                                            .signalSemaphoreValueCount = 1,
                                            .pSignalSemaphoreValues = &value};
    VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                           .pNext = &values,
                           .waitSemaphoreCount = 1,
                           .pWaitSemaphores = &wait,
                           .pWaitDstStageMask = &stage,
                           .commandBufferCount = 1,
                           .pCommandBuffers = &commands,
                           .signalSemaphoreCount = 1,
                           .pSignalSemaphores = &drawn};
    assert_int_equal(vkQueueSubmit(program.queue, 1, &submit, VK_NULL_HANDLE), VK_SUCCESS);
    assert_int_equal(gyre_vulkan_await(device, (uint64_t)(uintptr_t)drawn, value), GYRE_OK);
}

static void wait_for_program(void)
{
    VkSemaphoreWaitInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                .semaphoreCount = 1,
                                .pSemaphores = &drawn,
                                .pValues = &drawings};
    assert_int_equal(vkWaitSemaphores(program.device, &info, UINT64_MAX), VK_SUCCESS);
}

/// Sample i of what the program sees.
static float seen_sample(const gyre_vulkan_field *f, int i)
{
    return f->sample_bytes == 2 ? gy_from_half(((const uint16_t *)mapped)[i])
                                : ((const float *)mapped)[i];
}

static void fields_lie_there(gyre_gas *smoke, bool halves)
{
    gyre_model *model = gyre_gas_model(smoke);
    gyre_vulkan_field f;
    int count;
    const gyre_field_info *fields = gyre_model_fields(model, &count);
    for (int step = 0; step < 3; step++) {
        assert_int_equal(gyre_gas_step(smoke, 0.02f), GYRE_OK);
        for (int field = 0; field < count; field++) {
            uint64_t waits = device->waits;
            assert_int_equal(gyre_vulkan_share(model, field, &f), GYRE_OK);
            // The mean of a pressure that nothing holds is found on the host.
            assert_true(device->waits == waits || strcmp(fields[field].name, "pressure") == 0);
            bool scalar = fields[field].location == GYRE_CENTRE && !fields[field].derived;
            assert_int_equal(f.sample_bytes, halves && scalar ? 2 : 4);
            look(&f);
            wait_for_program();
            gyre_field_view view;
            assert_int_equal(gyre_model_map(model, field, GYRE_READ, &view), GYRE_OK);
            assert_memory_equal(f.n, view.n, sizeof f.n);
            double sum = 0.0;
            for (int j = 0; j < view.n[1]; j++) {
                const float *row = view.data + j * view.stride[1];
                for (int i = 0; i < view.n[0]; i++) {
                    assert_true(row[i] == seen_sample(&f, i + j * f.stride[1]));
                    sum += fabs((double)row[i]);
                }
            }
            assert_true(sum > 0.0 || strcmp(fields[field].name, "solid") == 0);
            assert_int_equal(gyre_model_unmap(model, field), GYRE_OK);
        }
    }
}

static void fields_lie_where_they_are_said_to(void **state)
{
    (void)state;
    fields_lie_there(gas, false);
}

static void halves_lie_where_they_are_said_to(void **state)
{
    (void)state;
    gyre_gas *halves = make_gas(true);
    fields_lie_there(halves, true);
    gyre_gas_destroy(halves);
}

// A step that is asked for while the program still reads must not write yet.
static void a_step_waits_for_the_program(void **state)
{
    (void)state;
    gyre_model *model = gyre_gas_model(gas);
    uint64_t held = drawings + 1000;
    assert_int_equal(gyre_vulkan_await(device, (uint64_t)(uintptr_t)drawn, held), GYRE_OK);
    assert_int_equal(gyre_gas_step(gas, 0.02f), GYRE_OK);
    gyre_vulkan_field f;
    assert_int_equal(gyre_vulkan_share(model, 3, &f), GYRE_OK);
    VkSemaphore timeline = (VkSemaphore)(uintptr_t)f.semaphore;
    VkSemaphoreWaitInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                .semaphoreCount = 1,
                                .pSemaphores = &timeline,
                                .pValues = &f.value};
    assert_int_equal(vkWaitSemaphores(program.device, &info, 50000000), VK_TIMEOUT);
    VkSemaphoreSignalInfo signal = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = drawn, .value = held};
    assert_int_equal(vkSignalSemaphore(program.device, &signal), VK_SUCCESS);
    assert_int_equal(vkWaitSemaphores(program.device, &info, UINT64_MAX), VK_SUCCESS);
    drawings = held;
}

static void refusals(void **state)
{
    (void)state;
    gyre_vulkan_field f;
    gyre_gas *other = NULL;
    gyre_gas_def def = gyre_gas_default_def(2);
    assert_int_equal(gyre_vulkan_share(gyre_gas_model(gas), 99, &f), GYRE_ERROR_ARGUMENT);
    assert_int_equal(gyre_gas_create(the_cpu, &def, &other), GYRE_OK);
    assert_int_equal(gyre_vulkan_share(gyre_gas_model(other), 0, &f), GYRE_ERROR_UNSUPPORTED);
    assert_int_equal(gyre_vulkan_await(the_cpu, 0, 0), GYRE_ERROR_UNSUPPORTED);
    gyre_gas_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fields_lie_where_they_are_said_to),
                                       cmocka_unit_test(halves_lie_where_they_are_said_to),
                                       cmocka_unit_test(a_step_waits_for_the_program),
                                       cmocka_unit_test(refusals)};
    if (!vulkan_rig_open())
        return VULKAN_RIG_SKIPPED;
    int failed = cmocka_run_group_tests(tests, set_up, tear_down);
    return failed + vulkan_rig_close();
}

#endif
