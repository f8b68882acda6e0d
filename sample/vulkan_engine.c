// An engine that has Vulkan already: its instance, device and queue carry its picture and a gas.
// Ends with 77 where there is no Vulkan.
#include <gyre/gyre.h>

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <threads.h>

typedef struct engine {
    PFN_vkGetInstanceProcAddr get;
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    uint32_t family;
    mtx_t queue_lock; // a queue is one thread's at a time
    int draws;
} engine;

#define CALL(e, name) ((PFN_##name)(e)->get((e)->instance, #name))

static const char *open_instance(engine *e)
{
    void *loader = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL), *symbol;
    if (!loader || !(symbol = dlsym(loader, "vkGetInstanceProcAddr")))
        return "no Vulkan loader";
    memcpy(&e->get, &symbol, sizeof symbol); // C has no cast from an object to a function
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                     .apiVersion = VK_API_VERSION_1_2};
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                 .pApplicationInfo = &application};
    VkInstance instance;
    if (CALL(e, vkCreateInstance)(&info, NULL, &instance) != VK_SUCCESS)
        return "no Vulkan driver";
    e->instance = instance;
    return NULL;
}

/// The first device with a family of queues that computes; an engine's draws with it, too.
static const char *choose_device(engine *e)
{
    VkPhysicalDevice list[8];
    uint32_t count = 8;
    CALL(e, vkEnumeratePhysicalDevices)(e->instance, &count, list);
    for (uint32_t i = 0; i < count; i++) {
        VkQueueFamilyProperties families[16];
        uint32_t most = 16;
        CALL(e, vkGetPhysicalDeviceQueueFamilyProperties)(list[i], &most, families);
        for (e->family = 0; e->family < most; e->family++) {
            if (families[e->family].queueFlags & VK_QUEUE_COMPUTE_BIT)
                return e->physical = list[i], NULL;
        }
    }
    return "no device that computes";
}

/// With what gyre/device.h says that a gas needs, beside what the engine itself wants.
static const char *open_device(engine *e)
{
    VkPhysicalDeviceVulkan12Features v12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .storageBuffer8BitAccess = VK_TRUE,
        .shaderInt8 = VK_TRUE,
        .scalarBlockLayout = VK_TRUE,
        .timelineSemaphore = VK_TRUE,
        .bufferDeviceAddress = VK_TRUE};
    VkPhysicalDeviceVulkan11Features v11 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
        .pNext = &v12,
        .storageBuffer16BitAccess = VK_TRUE};
    VkPhysicalDeviceFeatures2 features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
        .pNext = &v11,
        .features = {.shaderFloat64 = VK_TRUE, .shaderInt64 = VK_TRUE, .shaderInt16 = VK_TRUE}};
    float priority = 1.0f;
    VkDeviceQueueCreateInfo queue = {
        VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, NULL, 0, e->family, 1, &priority};
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .pNext = &features,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue};
    if (CALL(e, vkCreateDevice)(e->physical, &info, NULL, &e->device) != VK_SUCCESS)
        return "the first device lacks a feature that a gas needs";
    CALL(e, vkGetDeviceQueue)(e->device, e->family, 0, &e->queue);
    return NULL;
}

static void lock(void *user)
{
    mtx_lock(&((engine *)user)->queue_lock);
}
static void unlock(void *user)
{
    mtx_unlock(&((engine *)user)->queue_lock);
}

/// The engine's own thread, with its own work for the queue.
static int draw(void *user)
{
    engine *e = user;
    VkSubmitInfo picture = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO}; // an empty one, here
    for (; e->draws < 100; e->draws++) {
        lock(e);
        CALL(e, vkQueueSubmit)(e->queue, 1, &picture, VK_NULL_HANDLE);
        unlock(e);
    }
    return 0;
}

int main(void)
{
    static engine e;
    gyre_device_def def = gyre_default_device_def();
    gyre_gas_def gas_def = gyre_gas_default_def(2); // 64 x 64 cells, 1 m wide, closed
    gyre_device *device;
    gyre_gas *gas;
    thrd_t drawing;
    const char *lacks = open_instance(&e);
    lacks = lacks ? lacks : choose_device(&e);
    lacks = lacks ? lacks : open_device(&e);
    if (lacks || mtx_init(&e.queue_lock, mtx_plain) != thrd_success)
        return printf("vulkan_engine: SKIPPED: %s\n", lacks), 77;
    def.kind = GYRE_DEVICE_VULKAN;
    def.vulkan = (gyre_vulkan_def){.instance = e.instance, .physical_device = e.physical};
    def.vulkan.device = e.device, def.vulkan.queue = e.queue, def.vulkan.queue_family = e.family;
    def.vulkan.lock_queue = lock, def.vulkan.unlock_queue = unlock, def.vulkan.user = &e;
    if (gyre_device_create(&def, &device) || gyre_gas_create(device, &gas_def, &gas) ||
        thrd_create(&drawing, draw, &e) != thrd_success)
        return fprintf(stderr, "vulkan_engine: %s\n", gyre_message()), 1;
    int heat = gyre_gas_field(gas, "temperature");
    gyre_gas_splat(gas, heat, (float[]){0.5f, 0.3f, 0}, 0.15f, 50);
    for (int frame = 0; frame < 25; frame++) {
        if (gyre_gas_step(gas, 1.0f / 30) != GYRE_OK)
            return fprintf(stderr, "vulkan_engine: %s\n", gyre_message()), 1;
    }
    float places[] = {0.5f, 0.3f, 0, 0.5f, 0.5f, 0}, kelvin[2];
    gyre_gas_probe(gas, heat, places, 2, kelvin);
    thrd_join(drawing, NULL);
    printf("on %s: %.1f K where it was warmed, %.1f K above\n", gyre_device_name(device),
           (double)kelvin[0], (double)kelvin[1]);
    gyre_gas_destroy(gas);
    gyre_device_destroy(device); // before the engine's own, whose instance and device it used
    CALL(&e, vkDestroyDevice)(e.device, NULL);
    CALL(&e, vkDestroyInstance)(e.instance, NULL);
    return e.draws == 100 && kelvin[1] > 30 && kelvin[0] < 10 ? 0 : 1;
}
