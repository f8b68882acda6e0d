// labels: vulkan
// Fields copied into memory that leaves the device: another VkDevice imports it by its file
// descriptor and finds the samples that map gives, of every field of the table, although steps that
// were asked for later have run; nothing of them was read by the host meanwhile.
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

#include "device/vulkan/vulkan.h"
#include "gyre/gas.h"
#include "gyre/vulkan.h"
#include "test/vulkan_own.h"

enum { FIELDS = 32, GAP = 64 };

static vulkan_own other; // the API that imports
static VkCommandPool pool;

static int set_up(void **state)
{
    (void)state;
    other = make_own_with(VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME);
    VkCommandPoolCreateInfo pools = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    assert_int_equal(vkCreateCommandPool(other.device, &pools, NULL, &pool), VK_SUCCESS);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    vkDestroyCommandPool(other.device, pool, NULL);
    drop_own(&other);
    return 0;
}

// ---- the other side -----------------------------------------------------------------------------

typedef struct held {
    VkBuffer buffer;
    VkDeviceMemory memory;
} held;

static VkMemoryRequirements make_buffer(uint64_t bytes, VkBufferUsageFlags usage, const void *next,
                                        VkBuffer *buffer)
{
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                               .pNext = next,
                               .size = bytes,
                               .usage = usage};
    VkMemoryRequirements needs;
    assert_int_equal(vkCreateBuffer(other.device, &info, NULL, buffer), VK_SUCCESS);
    vkGetBufferMemoryRequirements(other.device, *buffer, &needs);
    return needs;
}

static void drop(const held *h)
{
    vkDestroyBuffer(other.device, h->buffer, NULL);
    vkFreeMemory(other.device, h->memory, NULL);
}

static held import(gyre_vulkan_export *e, uint64_t bytes)
{
    held h;
    int fd = -1;
    uint64_t allocated = 0;
    assert_int_equal(gyre_vulkan_export_open(e, &fd, &allocated), GYRE_OK);
    assert_true(fd >= 0 && allocated >= bytes);
    VkExternalMemoryBufferCreateInfo external = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
        .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
    VkMemoryRequirements needs = make_buffer(bytes, GY_EXPORT_USAGE, &external, &h.buffer);
    uint32_t type = 0;
    while (!(needs.memoryTypeBits >> type & 1u))
        type++;
    VkMemoryDedicatedAllocateInfo dedicated = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO, .buffer = h.buffer};
    VkImportMemoryFdInfoKHR imported = {.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR,
                                        .pNext = &dedicated,
                                        .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT,
                                        .fd = fd};
    VkMemoryAllocateInfo take = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                 .pNext = &imported,
                                 .allocationSize = allocated,
                                 .memoryTypeIndex = type};
    assert_int_equal(vkAllocateMemory(other.device, &take, NULL, &h.memory), VK_SUCCESS);
    assert_int_equal(vkBindBufferMemory(other.device, h.buffer, h.memory, 0), VK_SUCCESS);
    return h;
}

/// The samples, as a copy on the other device leaves them in memory that the host sees.
static void see(const held *h, uint64_t bytes, float *to)
{
    held seen;
    VkPhysicalDeviceMemoryProperties memory;
    VkMemoryPropertyFlags want =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkMemoryRequirements needs =
        make_buffer(bytes, VK_BUFFER_USAGE_TRANSFER_DST_BIT, NULL, &seen.buffer);
    uint32_t type = 0;
    vkGetPhysicalDeviceMemoryProperties(other.physical, &memory);
    while (!(needs.memoryTypeBits >> type & 1u) ||
           (memory.memoryTypes[type].propertyFlags & want) != want)
        assert_true(++type < memory.memoryTypeCount);
    VkMemoryAllocateInfo take = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                 .allocationSize = needs.size,
                                 .memoryTypeIndex = type};
    assert_int_equal(vkAllocateMemory(other.device, &take, NULL, &seen.memory), VK_SUCCESS);
    assert_int_equal(vkBindBufferMemory(other.device, seen.buffer, seen.memory, 0), VK_SUCCESS);
    VkCommandBuffer commands;
    VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                        .commandPool = pool,
                                        .commandBufferCount = 1};
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                           .commandBufferCount = 1,
                           .pCommandBuffers = &commands};
    VkBufferMemoryBarrier arrive = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
                                    .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT,
                                    .srcQueueFamilyIndex = VK_QUEUE_FAMILY_EXTERNAL,
                                    .buffer = h->buffer,
                                    .size = VK_WHOLE_SIZE};
    VkBufferCopy region = {0, 0, bytes};
    assert_int_equal(vkAllocateCommandBuffers(other.device, &info, &commands), VK_SUCCESS);
    assert_int_equal(vkBeginCommandBuffer(commands, &begin), VK_SUCCESS);
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                         VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 1, &arrive, 0, NULL);
    vkCmdCopyBuffer(commands, h->buffer, seen.buffer, 1, &region);
    assert_int_equal(vkEndCommandBuffer(commands), VK_SUCCESS);
    assert_int_equal(vkQueueSubmit(other.queue, 1, &submit, VK_NULL_HANDLE), VK_SUCCESS);
    assert_int_equal(vkQueueWaitIdle(other.queue), VK_SUCCESS);
    void *at;
    assert_int_equal(vkMapMemory(other.device, seen.memory, 0, bytes, 0, &at), VK_SUCCESS);
    memcpy(to, at, bytes);
    vkFreeCommandBuffers(other.device, pool, 1, &commands);
    drop(&seen);
}

// ---- the gas ------------------------------------------------------------------------------------

static gyre_gas *make_gas(gyre_device *device, int dim, bool halves)
{
    gyre_gas_def smoke = gyre_gas_default_def(dim);
    gyre_gas *gas = NULL;
    smoke.grid.n[0] = 19;
    smoke.grid.n[1] = 14;
    smoke.grid.n[2] = dim == 3 ? 11 : 1;
    smoke.grid.h = 0.05f;
    smoke.half_scalars = halves;
    if (gyre_gas_create(device, &smoke, &gas) != GYRE_OK)
        fail_msg("%s", gyre_message());
    for (int f = dim; f < dim + 2; f++) {
        const float at[3] = {0.4f, 0.3f, dim == 3 ? 0.3f : 0.0f};
        assert_int_equal(gyre_model_splat(gyre_gas_model(gas), f, at, 0.2f, 3.0f), GYRE_OK);
    }
    assert_int_equal(gyre_gas_step(gas, 0.02f), GYRE_OK);
    return gas;
}

static void same(const gyre_field_view *v, const gyre_vulkan_copy *c, const float *seen,
                 const char *name)
{
    const float *first = seen + c->offset / sizeof *seen;
    double sum = 0.0;
    assert_memory_equal(c->n, v->n, sizeof c->n);
    for (int k = 0; k < v->n[2]; k++) {
        for (int j = 0; j < v->n[1]; j++) {
            const float *a = v->data + j * v->stride[1] + k * v->stride[2];
            const float *b = first + j * c->stride[1] + k * c->stride[2];
            if (memcmp(a, b, sizeof *a * (size_t)v->n[0]) != 0)
                fail_msg("%s: row %d of plane %d is another one", name, j, k);
            for (int i = 0; i < v->n[0]; i++)
                sum += fabs((double)a[i]);
        }
    }
    assert_true(sum > 0.0 || strcmp(name, "solid") == 0);
}

static void check_all(gyre_device *device, int dim, bool halves)
{
    gyre_gas *gas = make_gas(device, dim, halves), *still = make_gas(device, dim, halves);
    gyre_model *model = gyre_gas_model(gas);
    gyre_vulkan_copy copies[FIELDS];
    gyre_vulkan_export *e = NULL;
    uint64_t bytes, total = 0, at = 0;
    int count;
    const gyre_field_info *fields = gyre_model_fields(model, &count);
    for (int f = 0; f < count; f++) {
        assert_int_equal(gyre_vulkan_export_size(model, f, &bytes), GYRE_OK);
        total += bytes + GAP;
    }
    if (gyre_vulkan_export_create(device, total, &e) != GYRE_OK)
        fail_msg("%s", gyre_message());
    held h = import(e, total);
    assert_int_equal(gyre_device_wait(device), GYRE_OK);
    uint64_t read = gyre_device_bytes_read(device), waits = device->waits;
    for (int f = 0; f < count; f++) {
        uint64_t had = gyre_device_bytes_read(device), waited = device->waits;
        if (gyre_vulkan_export_field(e, at, model, f, &copies[f]) != GYRE_OK)
            fail_msg("%s: %s", fields[f].name, gyre_message());
        if (strcmp(fields[f].name, "pressure") == 0) { // whose mean the host finds
            read += gyre_device_bytes_read(device) - had;
            waits += device->waits - waited;
        }
        assert_true(copies[f].offset == at);
        at += copies[f].bytes + GAP;
    }
    // What follows is not in it.
    for (int step = 0; step < 2; step++)
        assert_int_equal(gyre_gas_step(gas, 0.02f), GYRE_OK);
    // A step waits for the one before it at most, see doc/device.md.
    assert_true(device->waits <= waits + 2);
    assert_int_equal(gyre_vulkan_export_wait(e, copies[count - 1].value), GYRE_OK);
    // What steps note of themselves, and nothing of a field.
    assert_true(gyre_device_bytes_read(device) - read <= 2 * 512);
    float *seen = malloc(total);
    assert_non_null(seen);
    see(&h, total, seen);
    for (int f = 0; f < count; f++) {
        gyre_field_view view;
        assert_int_equal(gyre_model_map(gyre_gas_model(still), f, GYRE_READ, &view), GYRE_OK);
        same(&view, &copies[f], seen, fields[f].name);
        assert_int_equal(gyre_model_unmap(gyre_gas_model(still), f), GYRE_OK);
    }
    assert_true(gyre_device_bytes_read(device) > read);
    free(seen);
    drop(&h);
    gyre_vulkan_export_destroy(e);
    gyre_gas_destroy(gas);
    gyre_gas_destroy(still);
}

static void another_api_sees_the_same_samples(void **state)
{
    (void)state;
    check_all(the_gpu, 2, false);
    check_all(the_gpu, 3, false);
    check_all(the_gpu, 2, true);
    check_all(the_gpu, 3, true);
}

static void a_program_lends_a_device_that_exports(void **state)
{
    (void)state;
    vulkan_own program = make_own_with(VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME);
    gyre_device_def def = rig_gpu_def();
    gyre_device *device;
    def.vulkan = lend(&program);
    def.vulkan.external_memory_fd = true;
    assert_int_equal(gyre_device_create(&def, &device), GYRE_OK);
    volkLoadDevice(other.device);
    check_all(device, 2, false);
    gyre_device_destroy(device);
    volkLoadDevice(program.device);
    drop_own(&program);
    volkLoadDevice(other.device);
}

// What was imported stays when the device that made it is gone.
static void memory_outlives_its_device(void **state)
{
    (void)state;
    gyre_device_def def = rig_gpu_def();
    gyre_device *device;
    gyre_vulkan_export *e;
    gyre_vulkan_copy copy;
    float seen[19 * 14 * 4], now[19 * 14 * 4];
    assert_int_equal(gyre_device_create(&def, &device), GYRE_OK);
    volkLoadDevice(other.device);
    gyre_gas *gas = make_gas(device, 2, false);
    assert_int_equal(gyre_vulkan_export_create(device, sizeof seen, &e), GYRE_OK);
    assert_int_equal(gyre_vulkan_export_field(e, 0, gyre_gas_model(gas), 2, &copy), GYRE_OK);
    assert_int_equal(gyre_vulkan_export_wait(e, copy.value), GYRE_OK);
    held h = import(e, sizeof seen);
    see(&h, copy.bytes, seen);
    gyre_gas_destroy(gas);
    gyre_vulkan_export_destroy(e);
    gyre_device_destroy(device);
    see(&h, copy.bytes, now);
    assert_memory_equal(seen, now, copy.bytes);
    drop(&h);
}

// ---- refusals -----------------------------------------------------------------------------------

static void says(gyre_result expected, gyre_result result, const char *words)
{
    assert_int_equal(result, expected);
    if (!strstr(gyre_message(), words))
        fail_msg("\"%s\" does not say \"%s\"", gyre_message(), words);
}

static void refusals(void **state)
{
    (void)state;
    gyre_vulkan_export *e = NULL;
    gyre_vulkan_copy copy;
    gyre_vulkan_identity identity;
    uint64_t bytes;
    gyre_gas *gas = make_gas(the_gpu, 2, false), *host = make_gas(the_cpu, 2, false);
    gyre_model *model = gyre_gas_model(gas);
    says(GYRE_ERROR_UNSUPPORTED, gyre_vulkan_identify(the_cpu, &identity), "has no buffers");
    says(GYRE_ERROR_UNSUPPORTED, gyre_vulkan_export_create(the_cpu, 64, &e), "has no buffers");
    says(GYRE_ERROR_UNSUPPORTED, gyre_vulkan_export_size(gyre_gas_model(host), 0, &bytes),
         "has no buffers");
    says(GYRE_ERROR_ARGUMENT, gyre_vulkan_export_create(the_gpu, 0, &e), "at least one byte");
    says(GYRE_ERROR_ARGUMENT, gyre_vulkan_export_size(model, 99, &bytes), "index 99");
    assert_int_equal(gyre_vulkan_export_size(model, 0, &bytes), GYRE_OK);
    assert_int_equal(gyre_vulkan_export_create(the_gpu, bytes, &e), GYRE_OK);
    says(GYRE_ERROR_ARGUMENT, gyre_vulkan_export_field(e, 4, model, 0, &copy), "there is room for");
    says(GYRE_ERROR_ARGUMENT, gyre_vulkan_export_field(e, UINT64_MAX - 3, model, 0, &copy),
         "there is room for");
    says(GYRE_ERROR_ARGUMENT, gyre_vulkan_export_field(e, 2, model, 2, &copy), "multiple of 4");
    says(GYRE_ERROR_ARGUMENT, gyre_vulkan_export_field(e, 0, model, -1, &copy), "index -1");
    says(GYRE_ERROR_ARGUMENT, gyre_vulkan_export_field(e, 0, gyre_gas_model(host), 0, &copy),
         "another device");
    assert_int_equal(gyre_vulkan_export_field(e, 0, model, 0, &copy), GYRE_OK);
    says(GYRE_ERROR_ARGUMENT, gyre_vulkan_export_wait(e, copy.value + 1), "nothing was asked for");
    // Halves become floats where a derived field lies.
    gyre_gas *halves = make_gas(the_gpu, 2, true);
    gyre_field_view view;
    int vorticity = gyre_gas_field(halves, "vorticity");
    assert_int_equal(gyre_gas_map(halves, vorticity, GYRE_READ, &view), GYRE_OK);
    assert_int_equal(gyre_vulkan_export_field(e, 0, gyre_gas_model(halves), 0, &copy), GYRE_OK);
    says(GYRE_ERROR_STATE, gyre_vulkan_export_field(e, 0, gyre_gas_model(halves), 2, &copy),
         "density: unmap vorticity first");
    assert_int_equal(gyre_gas_unmap(halves, vorticity), GYRE_OK);
    assert_int_equal(gyre_vulkan_export_field(e, 0, gyre_gas_model(halves), 2, &copy), GYRE_OK);
    gyre_gas_destroy(halves);
    gyre_vulkan_export_destroy(e);
    gyre_vulkan_export_destroy(NULL);
    gyre_gas_destroy(gas);
    gyre_gas_destroy(host);
    e = NULL;
    says(GYRE_ERROR_MEMORY, gyre_vulkan_export_create(the_gpu, (uint64_t)1 << 50, &e),
         "too little memory");
    assert_null(e);
    // A driver without the extension.
    gy_vulkan *v = the_gpu->state;
    v->exports = false;
    says(GYRE_ERROR_UNSUPPORTED, gyre_vulkan_export_create(the_gpu, 64, &e),
         "lacks VK_KHR_external_memory_fd");
    v->exports = true;
    // A device that was lent without a word of the extension.
    gyre_device_def def = rig_gpu_def();
    gyre_device *device;
    def.vulkan = lend(&other);
    assert_int_equal(gyre_device_create(&def, &device), GYRE_OK);
    says(GYRE_ERROR_UNSUPPORTED, gyre_vulkan_export_create(device, 64, &e), "external_memory_fd");
    gyre_device_destroy(device);
}

static void the_identity_is_the_drivers(void **state)
{
    (void)state;
    gyre_vulkan_identity identity;
    VkPhysicalDeviceIDProperties id = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES};
    VkPhysicalDeviceProperties2 p = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                     .pNext = &id};
    gyre_device_def def = rig_gpu_def();
    gyre_device *device;
    def.vulkan = lend(&other);
    assert_int_equal(gyre_device_create(&def, &device), GYRE_OK);
    vkGetPhysicalDeviceProperties2(other.physical, &p);
    assert_int_equal(gyre_vulkan_identify(device, &identity), GYRE_OK);
    assert_memory_equal(identity.device, id.deviceUUID, sizeof id.deviceUUID);
    assert_memory_equal(identity.driver, id.driverUUID, sizeof id.driverUUID);
    gyre_device_destroy(device);
}

// Whether the machine's device exports at all; says why not.
static bool exports(void)
{
    gyre_vulkan_export *e = NULL;
    gyre_result result = gyre_vulkan_export_create(the_gpu, 64, &e);
    if (result != GYRE_OK)
        printf("SKIPPED: %s\n", gyre_message());
    gyre_vulkan_export_destroy(e);
    return result == GYRE_OK;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(another_api_sees_the_same_samples),
                                       cmocka_unit_test(a_program_lends_a_device_that_exports),
                                       cmocka_unit_test(memory_outlives_its_device),
                                       cmocka_unit_test(the_identity_is_the_drivers),
                                       cmocka_unit_test(refusals)};
    if (!vulkan_rig_open())
        return VULKAN_RIG_SKIPPED;
    if (!exports()) {
        vulkan_rig_close();
        return VULKAN_RIG_SKIPPED;
    }
    int failed = cmocka_run_group_tests(tests, set_up, tear_down);
    return failed + vulkan_rig_close();
}

#endif
