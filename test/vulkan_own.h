// A program's own Vulkan device, for tests of what it lends and shares. After cmocka and
// device/vulkan/vulkan.h.
#ifndef VULKAN_OWN_H
#define VULKAN_OWN_H

typedef struct vulkan_own {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    int locks;
} vulkan_own;

static inline void lock(void *user)
{
    ((vulkan_own *)user)->locks += 1000;
}

static inline void unlock(void *user)
{
    vulkan_own *o = user;
    o->locks -= 999;
    assert_true(o->locks < 1000);
}

// As an engine would, with volk's functions in the place of the engine's. NULL: no extension.
static inline vulkan_own make_own_with(const char *extension)
{
    vulkan_own o = {0};
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                     .apiVersion = VK_API_VERSION_1_2};
    VkInstanceCreateInfo instance = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                     .pApplicationInfo = &application};
    assert_int_equal(volkInitialize(), VK_SUCCESS);
    assert_int_equal(vkCreateInstance(&instance, NULL, &o.instance), VK_SUCCESS);
    volkLoadInstanceOnly(o.instance);
    uint32_t count = 1;
    assert_true(vkEnumeratePhysicalDevices(o.instance, &count, &o.physical) >= 0);
    VkPhysicalDeviceVulkan12Features v12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceVulkan11Features v11 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = &v12};
    VkPhysicalDeviceFeatures2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                     .pNext = &v11};
    vkGetPhysicalDeviceFeatures2(o.physical, &all);
    float priority = 1.0f;
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .queueCount = 1,
                                     .pQueuePriorities = &priority};
    VkDeviceCreateInfo device = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                 .pNext = &all,
                                 .queueCreateInfoCount = 1,
                                 .pQueueCreateInfos = &queue,
                                 .enabledExtensionCount = extension ? 1 : 0,
                                 .ppEnabledExtensionNames = &extension};
    assert_int_equal(vkCreateDevice(o.physical, &device, NULL, &o.device), VK_SUCCESS);
    volkLoadDevice(o.device);
    vkGetDeviceQueue(o.device, 0, 0, &o.queue);
    return o;
}

static inline vulkan_own make_own(void)
{
    return make_own_with(NULL);
}

static inline gyre_vulkan_def lend(vulkan_own *o)
{
    return (gyre_vulkan_def){.instance = o->instance,
                             .physical_device = o->physical,
                             .device = o->device,
                             .queue = o->queue,
                             .get_instance_proc = (void (*)(void))vkGetInstanceProcAddr,
                             .lock_queue = lock,
                             .unlock_queue = unlock,
                             .user = o};
}

static inline void drop_own(vulkan_own *o)
{
    assert_int_equal(vkDeviceWaitIdle(o->device), VK_SUCCESS);
    vkDestroyDevice(o->device, NULL);
    vkDestroyInstance(o->instance, NULL);
}

#endif
