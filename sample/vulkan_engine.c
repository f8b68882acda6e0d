// An engine that has Vulkan already: its instance, device and queue carry its picture and a gas.
// Ends with 77 where there is no Vulkan.
#include <gyre/gyre.h>

#include "vulkan_open.h"

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
    const char *lacks = open_engine(&e);
    if (lacks || mtx_init(&e.queue_lock, mtx_plain) != thrd_success)
        return printf("vulkan_engine: SKIPPED: %s\n", lacks), 77;
    def.kind = GYRE_DEVICE_VULKAN;
    def.vulkan = lend_engine(&e);
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
    close_engine(&e);
    return e.draws == 100 && kelvin[1] > 30 && kelvin[0] < 10 ? 0 : 1;
}
