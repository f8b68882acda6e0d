// What an engine that has Vulkan already begins with, for the samples that lend it to gyre: its
// instance, its device with the features that a gas needs, a queue.
#ifndef VULKAN_OPEN_H
#define VULKAN_OPEN_H

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

static inline const char *open_instance(engine *e)
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
static inline const char *choose_device(engine *e)
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
static inline const char *open_device(engine *e)
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

/// All three; what is missing, or NULL.
static inline const char *open_engine(engine *e)
{
    const char *lacks = open_instance(e);
    lacks = lacks ? lacks : choose_device(e);
    return lacks ? lacks : open_device(e);
}

static inline void close_engine(engine *e)
{
    CALL(e, vkDestroyDevice)(e->device, NULL);
    CALL(e, vkDestroyInstance)(e->instance, NULL);
}

/// For gyre_device_def.vulkan; the queue is the caller's to lock.
static inline gyre_vulkan_def lend_engine(const engine *e)
{
    return (gyre_vulkan_def){.instance = e->instance,
                             .physical_device = e->physical,
                             .device = e->device,
                             .queue = e->queue,
                             .queue_family = e->family};
}

#endif
