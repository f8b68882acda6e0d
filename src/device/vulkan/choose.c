// Which physical device: by index, by part of its name, or the best one that has what ops need.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/vulkan/vulkan.h"

enum { MOST = 16, NEEDED_GROUP = 1024, REASON = 160 };

typedef struct feature_chain {
    VkPhysicalDeviceFeatures2 core;
    VkPhysicalDeviceVulkan11Features v11;
    VkPhysicalDeviceVulkan12Features v12;
} feature_chain;

static void chain(feature_chain *f)
{
    memset(f, 0, sizeof *f);
    f->core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    f->v11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES;
    f->v12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    f->core.pNext = &f->v11;
    f->v11.pNext = &f->v12;
}

typedef struct need {
    const char *name;
    size_t offset; // of a VkBool32 in feature_chain
} need;

#define CORE(name)                                                                                 \
    {                                                                                              \
#name, offsetof(feature_chain, core.features.name)                                         \
    }
#define V11(name)                                                                                  \
    {                                                                                              \
#name, offsetof(feature_chain, v11.name)                                                   \
    }
#define V12(name)                                                                                  \
    {                                                                                              \
#name, offsetof(feature_chain, v12.name)                                                   \
    }
static const need needs[] = {CORE(shaderInt64),
                             CORE(shaderInt16),
                             CORE(shaderFloat64),
                             V11(storageBuffer16BitAccess),
                             V12(storageBuffer8BitAccess),
                             V12(shaderInt8),
                             V12(bufferDeviceAddress),
                             V12(scalarBlockLayout),
                             V12(timelineSemaphore)};

static VkBool32 *feature(feature_chain *f, const need *n)
{
    return (VkBool32 *)(void *)((char *)f + n->offset);
}

// What the device lacks, in words; false: nothing.
static bool lacks(VkPhysicalDevice physical, char reason[REASON])
{
    VkPhysicalDeviceProperties p;
    vkGetPhysicalDeviceProperties(physical, &p);
    if (p.apiVersion < VK_API_VERSION_1_2) {
        snprintf(reason, REASON, "has Vulkan %u.%u; 1.2 is needed",
                 VK_API_VERSION_MAJOR(p.apiVersion), VK_API_VERSION_MINOR(p.apiVersion));
        return true;
    }
    feature_chain found;
    chain(&found);
    vkGetPhysicalDeviceFeatures2(physical, &found.core);
    for (int i = 0; i < GY_COUNT(needs); i++) {
        if (!*feature(&found, &needs[i])) {
            snprintf(reason, REASON, "lacks the feature %s", needs[i].name);
            return true;
        }
    }
    if (p.limits.maxComputeWorkGroupInvocations < NEEDED_GROUP ||
        p.limits.maxComputeWorkGroupSize[0] < NEEDED_GROUP) {
        snprintf(reason, REASON, "has workgroups of %u at most; %d are needed",
                 p.limits.maxComputeWorkGroupInvocations, NEEDED_GROUP);
        return true;
    }
    return false;
}

static int rank(VkPhysicalDeviceType type)
{
    switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return 4;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return 3;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
        return 2;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
        return 1;
    default:
        return 0;
    }
}

static bool contains(const char *text, const char *part)
{
    for (; *text; text++) {
        size_t i = 0;
        while (part[i] && tolower((unsigned char)text[i]) == tolower((unsigned char)part[i]))
            i++;
        if (!part[i])
            return true;
    }
    return false;
}

typedef struct candidates {
    VkPhysicalDevice list[MOST];
    VkPhysicalDeviceProperties properties[MOST];
    uint32_t count;
} candidates;

static gyre_result list_devices(VkInstance instance, candidates *c)
{
    c->count = MOST;
    VkResult result = vkEnumeratePhysicalDevices(instance, &c->count, c->list);
    if (result != VK_SUCCESS && result != VK_INCOMPLETE)
        return gy_vulkan_error("list of devices", result);
    for (uint32_t i = 0; i < c->count; i++)
        vkGetPhysicalDeviceProperties(c->list[i], &c->properties[i]);
    if (c->count == 0)
        return gyre_fail(GYRE_ERROR_UNSUPPORTED,
                         "vulkan: this machine has no device with a Vulkan driver");
    return GYRE_OK;
}

static bool matches(const candidates *c, uint32_t i, const char *name)
{
    if (!name)
        return true;
    char *end;
    unsigned long index = strtoul(name, &end, 10);
    if (isdigit((unsigned char)name[0]) && !*end)
        return index == i;
    return contains(c->properties[i].deviceName, name);
}

static gyre_result unknown_name(const candidates *c, const char *name)
{
    char text[512] = "";
    size_t used = 0;
    for (uint32_t i = 0; i < c->count && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%u \"%s\"", i ? ", " : "", i,
                                 c->properties[i].deviceName);
    return gyre_fail(GYRE_ERROR_ARGUMENT, "vulkan: no device \"%.64s\"; there %s %s", name,
                     c->count == 1 ? "is" : "are", text);
}

static gyre_result choose_listed(gy_vulkan *v)
{
    candidates c;
    gyre_result result = list_devices(v->instance, &c);
    if (result != GYRE_OK)
        return result;
    int best = -1, refused = -1;
    char reason[REASON] = "", why[REASON];
    for (uint32_t i = 0; i < c.count; i++) {
        if (!matches(&c, i, v->def.name))
            continue;
        if (lacks(c.list[i], why)) {
            if (refused < 0 ||
                rank(c.properties[i].deviceType) > rank(c.properties[refused].deviceType)) {
                refused = (int)i;
                memcpy(reason, why, sizeof reason);
            }
        } else if (best < 0 ||
                   rank(c.properties[i].deviceType) > rank(c.properties[best].deviceType)) {
            best = (int)i;
        }
    }
    if (best >= 0) {
        v->physical = c.list[best];
        return GYRE_OK;
    }
    if (refused >= 0)
        return gyre_fail(GYRE_ERROR_UNSUPPORTED, "vulkan: %s %s", c.properties[refused].deviceName,
                         reason);
    return unknown_name(&c, v->def.name);
}

static gyre_result choose_own(gy_vulkan *v)
{
    char reason[REASON];
    v->physical = v->def.physical_device;
    if (!lacks(v->physical, reason))
        return GYRE_OK;
    VkPhysicalDeviceProperties p;
    vkGetPhysicalDeviceProperties(v->physical, &p);
    return gyre_fail(GYRE_ERROR_UNSUPPORTED, "vulkan: %s %s", p.deviceName, reason);
}

static bool has_extension(VkPhysicalDevice physical, const char *name)
{
    static VkExtensionProperties list[512]; // under the lock of volk's globals
    uint32_t count = GY_COUNT(list);
    VkResult result = vkEnumerateDeviceExtensionProperties(physical, NULL, &count, list);
    for (uint32_t i = 0; (result == VK_SUCCESS || result == VK_INCOMPLETE) && i < count; i++) {
        if (strcmp(list[i].extensionName, name) == 0)
            return true;
    }
    return false;
}

static VkPhysicalDeviceConditionalRenderingFeaturesEXT conditional_features(void)
{
    return (VkPhysicalDeviceConditionalRenderingFeaturesEXT){
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT};
}

static bool can_export(VkPhysicalDevice physical)
{
    VkPhysicalDeviceExternalBufferInfo info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO,
        .usage = GY_EXPORT_USAGE,
        .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
    VkExternalBufferProperties p = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES};
    vkGetPhysicalDeviceExternalBufferProperties(physical, &info, &p);
    return p.externalMemoryProperties.externalMemoryFeatures &
           VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT;
}

static void note_properties(gy_vulkan *v)
{
    VkPhysicalDeviceVulkan11Properties v11 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES};
    VkPhysicalDeviceProperties2 p = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                     .pNext = &v11};
    vkGetPhysicalDeviceProperties2(v->physical, &p);
    snprintf(v->name, sizeof v->name, "%s", p.properties.deviceName);
    v->most_memory = v11.maxMemoryAllocationSize;
    memcpy(v->most_groups, p.properties.limits.maxComputeWorkGroupCount, sizeof v->most_groups);
    v->tick = (double)p.properties.limits.timestampPeriod * 1e-9;
    // Where a processor plays the device, what lies beyond a narrow grid costs as much as cells,
    // and a barrier as much as its group is large.
    v->played = p.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    v->group[0] = v->played ? 8 : 64;
    v->group[1] = v->played ? 8 : 4;
    memcpy(v->unit, v11.deviceUUID, sizeof v->unit);
    memcpy(v->driver, v11.driverUUID, sizeof v->driver);
    vkGetPhysicalDeviceMemoryProperties(v->physical, &v->memory);
    v->exports = (v->owned ? has_extension(v->physical, VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME)
                           : v->def.external_memory_fd) &&
                 can_export(v->physical);
    v->budget = has_extension(v->physical, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
    // Of a program's own device nobody knows whether it was enabled.
    v->conditional =
        v->owned && has_extension(v->physical, VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME);
    if (v->conditional) {
        VkPhysicalDeviceConditionalRenderingFeaturesEXT conditional = conditional_features();
        VkPhysicalDeviceFeatures2 found = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                           .pNext = &conditional};
        vkGetPhysicalDeviceFeatures2(v->physical, &found);
        v->conditional = conditional.conditionalRendering;
    }
}

gyre_result gy_vulkan_choose(gy_vulkan *v)
{
    gyre_result result = v->owned ? choose_listed(v) : choose_own(v);
    if (result != GYRE_OK)
        return result;
    note_properties(v);
    uint32_t count = 32;
    VkQueueFamilyProperties families[32];
    vkGetPhysicalDeviceQueueFamilyProperties(v->physical, &count, families);
    if (v->owned) {
        for (v->family = 0; v->family < count; v->family++) {
            if (families[v->family].queueFlags & VK_QUEUE_COMPUTE_BIT)
                break;
        }
    } else {
        v->family = v->def.queue_family;
    }
    if (v->family >= count || !(families[v->family].queueFlags & VK_QUEUE_COMPUTE_BIT))
        return gyre_fail(
            v->owned ? GYRE_ERROR_UNSUPPORTED : GYRE_ERROR_ARGUMENT, "vulkan: %s: %s", v->name,
            v->owned ? "has no queue for compute" : "queue_family is not of a queue for compute");
    if (families[v->family].timestampValidBits == 0)
        v->tick = 0.0;
    // Of a program's own device nobody knows whether it was enabled.
    VkPhysicalDeviceFeatures features;
    vkGetPhysicalDeviceFeatures(v->physical, &features);
    v->sparse = v->owned && features.sparseBinding &&
                (families[v->family].queueFlags & VK_QUEUE_SPARSE_BINDING_BIT);
    return GYRE_OK;
}

gyre_result gy_vulkan_connect(gy_vulkan *v)
{
    if (!v->owned) {
        v->logical = v->def.device;
        v->queue = v->def.queue;
        volkLoadDeviceTable(&v->call, v->logical);
        return GYRE_OK;
    }
    feature_chain wanted;
    chain(&wanted);
    for (int i = 0; i < GY_COUNT(needs); i++)
        *feature(&wanted, &needs[i]) = VK_TRUE;
    wanted.core.features.sparseBinding = v->sparse;
    float priority = 1.0f;
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .queueFamilyIndex = v->family,
                                     .queueCount = 1,
                                     .pQueuePriorities = &priority};
    const char *extensions[3];
    uint32_t extension_count = 0;
    if (v->budget)
        extensions[extension_count++] = VK_EXT_MEMORY_BUDGET_EXTENSION_NAME;
    if (v->exports)
        extensions[extension_count++] = VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME;
    VkPhysicalDeviceConditionalRenderingFeaturesEXT conditional = conditional_features();
    if (v->conditional) {
        extensions[extension_count++] = VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME;
        conditional.conditionalRendering = VK_TRUE;
        wanted.v12.pNext = &conditional;
    }
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .pNext = &wanted.core,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue,
                               .enabledExtensionCount = extension_count,
                               .ppEnabledExtensionNames = extensions};
    VkResult result = vkCreateDevice(v->physical, &info, NULL, &v->logical);
    if (result != VK_SUCCESS) {
        v->logical = VK_NULL_HANDLE;
        return gy_vulkan_error(v->name, result);
    }
    volkLoadDeviceTable(&v->call, v->logical);
    v->call.vkGetDeviceQueue(v->logical, v->family, 0, &v->queue);
    return GYRE_OK;
}

gyre_result gy_vulkan_list(VkInstance instance, int i, char *name, size_t size)
{
    candidates c;
    gyre_result result = list_devices(instance, &c);
    if (result != GYRE_OK)
        return result;
    if (i < 0 || (uint32_t)i >= c.count)
        return gyre_fail(GYRE_ERROR_ARGUMENT, "vulkan: there are %u devices", c.count);
    snprintf(name, size, "%s", c.properties[i].deviceName);
    return GYRE_OK;
}
