// Opening and closing the Vulkan device, and its verbs.
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "device/vulkan/vulkan.h"

// volk keeps what it loaded in globals. Devices are opened one at a time, and keep copies.
static atomic_flag volk_in_use = ATOMIC_FLAG_INIT;

static void take_volk(void)
{
    while (atomic_flag_test_and_set_explicit(&volk_in_use, memory_order_acquire))
        continue;
}

static void leave_volk(void)
{
    atomic_flag_clear_explicit(&volk_in_use, memory_order_release);
}

const char *gy_vulkan_result_name(VkResult result)
{
    switch (result) {
    case VK_ERROR_OUT_OF_HOST_MEMORY:
        return "VK_ERROR_OUT_OF_HOST_MEMORY";
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
        return "VK_ERROR_OUT_OF_DEVICE_MEMORY";
    case VK_ERROR_INITIALIZATION_FAILED:
        return "VK_ERROR_INITIALIZATION_FAILED";
    case VK_ERROR_DEVICE_LOST:
        return "VK_ERROR_DEVICE_LOST";
    case VK_ERROR_LAYER_NOT_PRESENT:
        return "VK_ERROR_LAYER_NOT_PRESENT";
    case VK_ERROR_EXTENSION_NOT_PRESENT:
        return "VK_ERROR_EXTENSION_NOT_PRESENT";
    case VK_ERROR_FEATURE_NOT_PRESENT:
        return "VK_ERROR_FEATURE_NOT_PRESENT";
    case VK_ERROR_INCOMPATIBLE_DRIVER:
        return "VK_ERROR_INCOMPATIBLE_DRIVER (no driver is installed)";
    case VK_ERROR_TOO_MANY_OBJECTS:
        return "VK_ERROR_TOO_MANY_OBJECTS";
    case VK_ERROR_MEMORY_MAP_FAILED:
        return "VK_ERROR_MEMORY_MAP_FAILED";
    default:
        return "an unknown error";
    }
}

gyre_result gy_vulkan_error(const char *what, VkResult result)
{
    gyre_result kind = GYRE_ERROR_DEVICE;
    if (result == VK_ERROR_OUT_OF_HOST_MEMORY || result == VK_ERROR_OUT_OF_DEVICE_MEMORY)
        kind = GYRE_ERROR_MEMORY;
    else if (result == VK_ERROR_INCOMPATIBLE_DRIVER || result == VK_ERROR_INITIALIZATION_FAILED)
        kind = GYRE_ERROR_UNSUPPORTED;
    return gyre_fail(kind, "vulkan: %s: %s", what, gy_vulkan_result_name(result));
}

static VKAPI_ATTR VkBool32 VKAPI_CALL hear(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                           VkDebugUtilsMessageTypeFlagsEXT types,
                                           const VkDebugUtilsMessengerCallbackDataEXT *data,
                                           void *user)
{
    gyre_device *device = user;
    (void)severity, (void)types;
    device->complaints++;
    gy_log(&device->host, GYRE_LOG_WARNING, "%s", data->pMessage);
    return VK_FALSE;
}

static const char *const validation = "VK_LAYER_KHRONOS_validation";

static bool has_validation(void)
{
    VkLayerProperties layers[64];
    uint32_t count = GY_COUNT(layers);
    VkResult result = vkEnumerateInstanceLayerProperties(&count, layers);
    for (uint32_t i = 0; (result == VK_SUCCESS || result == VK_INCOMPLETE) && i < count; i++) {
        if (strcmp(layers[i].layerName, validation) == 0)
            return true;
    }
    return false;
}

static gyre_result make_instance(gy_vulkan *v)
{
    if (volkGetInstanceVersion() < VK_API_VERSION_1_2)
        return gyre_fail(GYRE_ERROR_UNSUPPORTED,
                         "vulkan: the loader of this machine is older than Vulkan 1.2");
    bool validate = v->def.validate && has_validation();
    const char *messages[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME};
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                     .pEngineName = "gyre",
                                     .apiVersion = VK_API_VERSION_1_2};
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                 .pApplicationInfo = &application,
                                 .enabledLayerCount = validate ? 1 : 0,
                                 .ppEnabledLayerNames = &validation,
                                 .enabledExtensionCount = validate ? 1 : 0,
                                 .ppEnabledExtensionNames = messages};
    VkResult result = vkCreateInstance(&info, NULL, &v->instance);
    if (result != VK_SUCCESS) {
        v->instance = VK_NULL_HANDLE;
        return gy_vulkan_error("an instance", result);
    }
    volkLoadInstanceOnly(v->instance);
    if (!validate)
        return GYRE_OK;
    VkDebugUtilsMessengerCreateInfoEXT messenger = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                       VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT,
        .pfnUserCallback = hear,
        .pUserData = v->device};
    result = vkCreateDebugUtilsMessengerEXT(v->instance, &messenger, NULL, &v->messenger);
    return result == VK_SUCCESS ? GYRE_OK : gy_vulkan_error("the validation layer", result);
}

static gyre_result find_loader(const gyre_vulkan_def *def)
{
    if (def->get_instance_proc) {
        volkInitializeCustom((PFN_vkGetInstanceProcAddr)def->get_instance_proc);
        return GYRE_OK;
    }
    if (volkInitialize() == VK_SUCCESS)
        return GYRE_OK;
    return gyre_fail(GYRE_ERROR_UNSUPPORTED,
                     "vulkan: this machine has no Vulkan loader (libvulkan.so.1)");
}

gyre_result gy_vulkan_load(gy_vulkan *v)
{
    gyre_result result = find_loader(&v->def);
    if (result != GYRE_OK)
        return result;
    if (v->owned) {
        result = make_instance(v);
    } else {
        v->instance = v->def.instance;
        volkLoadInstanceOnly(v->instance);
    }
    v->destroy_instance = vkDestroyInstance;
    v->destroy_messenger = vkDestroyDebugUtilsMessengerEXT;
    v->memory_properties = vkGetPhysicalDeviceMemoryProperties2;
    return result;
}

void gy_vulkan_unload(gy_vulkan *v)
{
    if (!v->owned)
        return;
    if (v->logical)
        v->call.vkDestroyDevice(v->logical, NULL);
    if (v->messenger)
        v->destroy_messenger(v->instance, v->messenger, NULL);
    if (v->instance)
        v->destroy_instance(v->instance, NULL);
}

static gyre_result check_def(const gyre_vulkan_def *def)
{
    int given = (def->instance != NULL) + (def->physical_device != NULL) + (def->device != NULL) +
                (def->queue != NULL);
    if (given != 0 && given != 4)
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "vulkan: of a device of one's own, instance, physical_device, device and "
                         "queue are all needed");
    if (!def->lock_queue != !def->unlock_queue)
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "vulkan: lock_queue without unlock_queue, or the reverse");
    return GYRE_OK;
}

static void vulkan_close(gyre_device *device)
{
    gy_vulkan *v = device->state;
    if (v->logical) {
        gy_vulkan_stop(v);
        for (int op = 0; op < GY_OP_COUNT; op++) {
            for (size_t i = 0; i < GY_COUNT(v->pipelines[op]); i++)
                v->call.vkDestroyPipeline(v->logical, v->pipelines[op][i], NULL);
        }
        v->call.vkDestroyPipelineLayout(v->logical, v->layout, NULL);
        for (int i = 0; i < v->chunk_count; i++)
            gy_vulkan_buffer_free(v, &v->chunks[i]);
    }
    gy_vulkan_unload(v);
    gyre_device_destroy(v->host);
    gy_release(&device->host, v->chunks, (size_t)v->chunk_room * sizeof *v->chunks);
    gy_release(&device->host, v->stretches, (size_t)v->stretch_room * sizeof *v->stretches);
    gy_release(&device->host, v, sizeof *v);
}

static gyre_result open_host(gy_vulkan *v, const gyre_device_def *def)
{
    gyre_device_def host = *def;
    host.kind = GYRE_DEVICE_CPU;
    return gyre_device_create(&host, &v->host);
}

static gyre_result vulkan_open(gyre_device *device, const gyre_device_def *def)
{
    gyre_result result = check_def(&def->vulkan);
    if (result != GYRE_OK)
        return result;
    gy_vulkan *v = gy_allocate(&device->host, sizeof *v, 64);
    if (!v)
        return GYRE_ERROR_MEMORY;
    device->state = v;
    v->device = device;
    v->def = def->vulkan;
    v->owned = !def->vulkan.device;
    take_volk();
    result = gy_vulkan_load(v);
    if (result == GYRE_OK)
        result = gy_vulkan_choose(v);
    if (result == GYRE_OK)
        result = gy_vulkan_connect(v);
    leave_volk();
    if (!def->time_ops)
        v->tick = 0.0;
    if (result == GYRE_OK)
        result = gy_vulkan_layout(v);
    if (result == GYRE_OK)
        result = gy_vulkan_start(v);
    if (result == GYRE_OK)
        result = open_host(v, def);
    if (result != GYRE_OK) {
        vulkan_close(device);
        return result;
    }
    device->isa = "vulkan";
    device->name = v->name;
    device->threads = gyre_device_threads(v->host);
    return GYRE_OK;
}

static void vulkan_parallel_for(gyre_device *device, int count, gyre_task *task, void *argument)
{
    gy_vulkan *v = device->state;
    gyre_device_parallel_for(v->host, count, task, argument);
}

static gyre_device *vulkan_here(gyre_device *device)
{
    return ((const gy_vulkan *)device->state)->host;
}

static gyre_result vulkan_status(gyre_device *device)
{
    gy_vulkan *v = device->state;
    gy_vulkan_submit(v);
    return v->failed == GYRE_OK ? GYRE_OK : gyre_fail(v->failed, "%s", v->message);
}

static gyre_result vulkan_wait(gyre_device *device)
{
    gy_vulkan *v = device->state;
    gy_vulkan_submit(v);
    gy_vulkan_wait(v, v->submitted);
    return vulkan_status(device);
}

static void vulkan_op_time(gyre_device *device, gy_op op, double *seconds, uint64_t *count)
{
    gy_vulkan *v = device->state;
    vulkan_wait(device);
    *seconds = v->op_seconds[op];
    *count = v->op_count[op];
}

bool gyre_vulkan_name(int i, char *name, size_t size)
{
    if (GY_MISSING("vulkan_name", name))
        return false;
    gyre_device device = {.host = gy_host_complete(&(gyre_host){0})};
    static gy_vulkan v; // large, and under the lock
    take_volk();
    v = (gy_vulkan){.device = &device, .owned = true};
    gyre_result result = gy_vulkan_load(&v);
    if (result == GYRE_OK)
        result = gy_vulkan_list(v.instance, i, name, size);
    gy_vulkan_unload(&v);
    leave_volk();
    return result == GYRE_OK;
}

static bool vulkan_share(gyre_device *device, const void *at, gy_shared *shared)
{
    gy_vulkan *v = device->state;
    const gy_stretch *s = gy_vulkan_find(v, at, sizeof(float));
    if (!s)
        return false;
    uint64_t offset = s->offset + (uint64_t)((const uint8_t *)at - s->host);
    gy_vulkan_submit(v);
    *shared = (gy_shared){.buffer = (uint64_t)(uintptr_t)v->chunks[s->chunk].buffer,
                          .offset = offset,
                          .address = v->chunks[s->chunk].address + offset,
                          .semaphore = (uint64_t)(uintptr_t)v->timeline,
                          .value = v->submitted};
    return true;
}

static void vulkan_await(gyre_device *device, uint64_t semaphore, uint64_t value)
{
    gy_vulkan *v = device->state;
    // What was asked for before does not wait.
    gy_vulkan_submit(v);
    v->awaited = (VkSemaphore)(uintptr_t)semaphore;
    v->awaited_value = value;
}

const gy_backend gy_vulkan_backend = {.halves = true,
                                      .open = vulkan_open,
                                      .close = vulkan_close,
                                      .run = gy_vulkan_run,
                                      .parallel_for = vulkan_parallel_for,
                                      .here = vulkan_here,
                                      .allocate = gy_vulkan_allocate,
                                      .release = gy_vulkan_release,
                                      .fetch = gy_vulkan_fetch,
                                      .prefetch = gy_vulkan_prefetch,
                                      .collect = gy_vulkan_collect,
                                      .put = gy_vulkan_put,
                                      .clear = gy_vulkan_clear,
                                      .has = gy_vulkan_has,
                                      .prepare = gy_vulkan_prepare,
                                      .copy_rate = gy_vulkan_copy_rate,
                                      .wait = vulkan_wait,
                                      .status = vulkan_status,
                                      .op_time = vulkan_op_time,
                                      .share = vulkan_share,
                                      .await = vulkan_await,
                                      .exports = &gy_vulkan_exports,
                                      .address = gy_vulkan_address};
