// A smart texture: an image that flows, drawn by the program's own shader out of a gas's velocity
// and texture coordinates where these lie on the device; nothing is copied. With a path, the last
// picture is written there (.pgm). Ends with 77 where there is no Vulkan.
#include <gyre/gyre.h>

#include "vulkan_open.h"

#include <math.h>

enum { N = 96, FRAMES = 90, PHASES = 2 };

static const uint32_t code[] =
#include "vulkan_texture.inc"
    ;

/// What the shader is told: as in vulkan_texture.comp.
typedef struct push {
    uint64_t shift[PHASES][2], velocity[2], picture;
    float weight[PHASES];
    int32_t n[2], stride;
    float h;
} push;

typedef struct painter {
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkShaderModule module;
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkSemaphore drawn; // a timeline: has the number of the last picture
    VkBuffer buffer;   // N x N floats, which the program sees
    VkDeviceMemory memory;
    VkDeviceAddress address;
    float *picture;
} painter;

static const VkMemoryPropertyFlags seen =
    VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;

static uint32_t memory_type(const engine *e, uint32_t allowed)
{
    VkPhysicalDeviceMemoryProperties p;
    CALL(e, vkGetPhysicalDeviceMemoryProperties)(e->physical, &p);
    for (uint32_t t = 0; t < p.memoryTypeCount; t++) {
        if (allowed >> t & 1u && (p.memoryTypes[t].propertyFlags & seen) == seen)
            return t;
    }
    return UINT32_MAX;
}

static bool make_picture(const engine *e, painter *p)
{
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                               .size = N * N * sizeof(float),
                               .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                        VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT};
    VkMemoryRequirements needs;
    void *at;
    if (CALL(e, vkCreateBuffer)(e->device, &info, NULL, &p->buffer))
        return false;
    CALL(e, vkGetBufferMemoryRequirements)(e->device, p->buffer, &needs);
    VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                       .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    VkMemoryAllocateInfo take = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                 .pNext = &flags,
                                 .allocationSize = needs.size,
                                 .memoryTypeIndex = memory_type(e, needs.memoryTypeBits)};
    VkBufferDeviceAddressInfo of = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                    .buffer = p->buffer};
    if (CALL(e, vkAllocateMemory)(e->device, &take, NULL, &p->memory) ||
        CALL(e, vkBindBufferMemory)(e->device, p->buffer, p->memory, 0) ||
        CALL(e, vkMapMemory)(e->device, p->memory, 0, VK_WHOLE_SIZE, 0, &at))
        return false;
    p->picture = at;
    p->address = CALL(e, vkGetBufferDeviceAddress)(e->device, &of);
    return true;
}

static bool make_pipeline(const engine *e, painter *p)
{
    VkShaderModuleCreateInfo module = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                       .codeSize = sizeof code,
                                       .pCode = code};
    VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(push)};
    VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                         .pushConstantRangeCount = 1,
                                         .pPushConstantRanges = &range};
    if (CALL(e, vkCreateShaderModule)(e->device, &module, NULL, &p->module) ||
        CALL(e, vkCreatePipelineLayout)(e->device, &layout, NULL, &p->layout))
        return false;
    VkComputePipelineCreateInfo pipeline = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = p->module,
                  .pName = "main"},
        .layout = p->layout};
    return !CALL(e, vkCreateComputePipelines)(e->device, VK_NULL_HANDLE, 1, &pipeline, NULL,
                                              &p->pipeline);
}

static bool make_commands(const engine *e, painter *p)
{
    VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                    .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                    .queueFamilyIndex = e->family};
    VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                      .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    VkSemaphoreCreateInfo timeline = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                      .pNext = &type};
    if (CALL(e, vkCreateCommandPool)(e->device, &pool, NULL, &p->pool) ||
        CALL(e, vkCreateSemaphore)(e->device, &timeline, NULL, &p->drawn))
        return false;
    VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                        .commandPool = p->pool,
                                        .commandBufferCount = 1};
    return !CALL(e, vkAllocateCommandBuffers)(e->device, &info, &p->commands);
}

static void drop(const engine *e, painter *p)
{
    CALL(e, vkDestroyPipeline)(e->device, p->pipeline, NULL);
    CALL(e, vkDestroyPipelineLayout)(e->device, p->layout, NULL);
    CALL(e, vkDestroyShaderModule)(e->device, p->module, NULL);
    CALL(e, vkDestroySemaphore)(e->device, p->drawn, NULL);
    CALL(e, vkDestroyCommandPool)(e->device, p->pool, NULL);
    CALL(e, vkDestroyBuffer)(e->device, p->buffer, NULL);
    CALL(e, vkFreeMemory)(e->device, p->memory, NULL);
}

static bool wait_for(const engine *e, const painter *p, uint64_t value)
{
    VkSemaphoreWaitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                .semaphoreCount = 1,
                                .pSemaphores = &p->drawn,
                                .pValues = &value};
    return !CALL(e, vkWaitSemaphores)(e->device, &wait, UINT64_MAX);
}

/// Says where everything lies; the semaphore and the value that tell when it does.
static gyre_result look_up(gyre_gas *gas, const painter *p, push *to, gyre_vulkan_field *last)
{
    gyre_model *model = gyre_gas_model(gas);
    gyre_texture t;
    gyre_result r = gyre_model_texture(model, &t);
    for (int a = 0; a < 2 && r == GYRE_OK; a++) {
        for (int phase = 0; phase < PHASES && r == GYRE_OK; phase++) {
            r = gyre_vulkan_share(model, t.field[phase][a], last);
            to->shift[phase][a] = last->address;
            to->weight[phase] = t.weight[phase];
        }
        r = r == GYRE_OK ? gyre_vulkan_share(model, a, last) : r; // velocity_x, velocity_y
        to->velocity[a] = last->address;
    }
    to->picture = p->address;
    to->n[0] = to->n[1] = N;
    to->stride = last->stride[1];
    to->h = 1.0f / N;
    return r;
}

/// Draws picture `number` when the fields are there; the gas waits until that has been done.
static bool paint(const engine *e, painter *p, gyre_device *device, const push *with,
                  const gyre_vulkan_field *field, uint64_t number)
{
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    if (!wait_for(e, p, number - 1) || CALL(e, vkBeginCommandBuffer)(p->commands, &begin))
        return false;
    CALL(e, vkCmdBindPipeline)(p->commands, VK_PIPELINE_BIND_POINT_COMPUTE, p->pipeline);
    CALL(e, vkCmdPushConstants)
    (p->commands, p->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof *with, with);
    CALL(e, vkCmdDispatch)(p->commands, (N + 63) / 64, N, 1);
    VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                               .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                               .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    CALL(e, vkCmdPipelineBarrier)
    (p->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier,
     0, NULL, 0, NULL);
    if (CALL(e, vkEndCommandBuffer)(p->commands))
        return false;
    VkSemaphore wait = (VkSemaphore)(uintptr_t)field->semaphore;
    VkPipelineStageFlags stage = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    VkTimelineSemaphoreSubmitInfo values = {.sType =
                                                VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                            .waitSemaphoreValueCount = 1,
                                            .pWaitSemaphoreValues = &field->value,
                                            .signalSemaphoreValueCount = 1,
                                            .pSignalSemaphoreValues = &number};
    VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                           .pNext = &values,
                           .waitSemaphoreCount = 1,
                           .pWaitSemaphores = &wait,
                           .pWaitDstStageMask = &stage,
                           .commandBufferCount = 1,
                           .pCommandBuffers = &p->commands,
                           .signalSemaphoreCount = 1,
                           .pSignalSemaphores = &p->drawn};
    return !CALL(e, vkQueueSubmit)(e->queue, 1, &submit, VK_NULL_HANDLE) &&
           gyre_vulkan_await(device, (uint64_t)(uintptr_t)p->drawn, number) == GYRE_OK;
}

/// Pixels that are not what the program finds by reading the same fields itself.
static int count_wrong(gyre_gas *gas, const float *picture)
{
    static float d[PHASES][2][N * N], u[2][N * N];
    gyre_texture t;
    int wrong = 0;
    gyre_model_texture(gyre_gas_model(gas), &t);
    for (int q = 0; q < 2 * PHASES + 2; q++) {
        int a = q % 2, phase = q / 2;
        int field = phase < PHASES ? t.field[phase][a] : a;
        gyre_field_view v;
        gyre_gas_map(gas, field, GYRE_READ, &v);
        for (int i = 0; i < N * N; i++)
            (phase < PHASES ? d[phase][a] : u[a])[i] = v.data[i % N + i / N * v.stride[1]];
        gyre_gas_unmap(gas, field);
    }
    for (int i = 0; i < N * N; i++) {
        float sum = 0, squares = 0, x = ((float)(i % N) + 0.5f) / N,
              y = ((float)(i / N) + 0.5f) / N;
        for (int p = 0; p < PHASES; p++) {
            int square = (int)floorf(8 * (x + d[p][0][i])) + (int)floorf(8 * (y + d[p][1][i]));
            sum += t.weight[p] * ((float)(square & 1) - 0.5f);
            squares += t.weight[p] * t.weight[p];
        }
        float c = 0.5f + 0.7f * sum / sqrtf(squares) + hypotf(u[0][i], u[1][i]);
        wrong += fabsf(picture[i] - fminf(fmaxf(c, 0), 1)) > 1e-4f;
    }
    return wrong;
}

static int write_picture(const char *path, const float *picture)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return 1;
    fprintf(file, "P5\n%d %d\n255\n", N, N);
    for (int i = 0; i < N * N; i++)
        fputc((int)(255 * picture[i % N + (N - 1 - i / N) * N]), file);
    return fclose(file);
}

int main(int argc, char **argv)
{
    engine e = {0};
    painter p = {0};
    gyre_device_def def = gyre_default_device_def();
    gyre_gas_def gas_def = gyre_gas_default_def(2);
    gyre_device *device;
    gyre_gas *gas;
    const char *lacks = open_engine(&e);
    if (lacks)
        return printf("vulkan_texture: SKIPPED: %s\n", lacks), 77;
    def.kind = GYRE_DEVICE_VULKAN;
    def.vulkan = lend_engine(&e);
    gas_def.grid.n[0] = gas_def.grid.n[1] = N;
    gas_def.grid.h = 1.0f / N;
    gas_def.texture.phases = PHASES;
    gas_def.texture.period = 2;
    if (!make_picture(&e, &p) || !make_pipeline(&e, &p) || !make_commands(&e, &p))
        return fprintf(stderr, "vulkan_texture: no pipeline for the picture\n"), 1;
    if (gyre_device_create(&def, &device) || gyre_gas_create(device, &gas_def, &gas))
        return fprintf(stderr, "vulkan_texture: %s\n", gyre_message()), 1;
    gyre_gas_splat(gas, 0, (float[]){0.5f, 0.3f, 0}, 0.2f, 1.2f);
    gyre_gas_splat(gas, 1, (float[]){0.3f, 0.6f, 0}, 0.2f, -1.0f);
    for (uint64_t frame = 1; frame <= FRAMES; frame++) {
        push with;
        gyre_vulkan_field field;
        if (gyre_gas_step(gas, 1.0f / 30) || look_up(gas, &p, &with, &field) ||
            !paint(&e, &p, device, &with, &field, frame))
            return fprintf(stderr, "vulkan_texture: %s\n", gyre_message()), 1;
    }
    uint64_t read = gyre_device_bytes_read(device);
    wait_for(&e, &p, FRAMES);
    int wrong = count_wrong(gas, p.picture);
    printf(
        "on %s: %d pictures of %d x %d, of the last %d pixels are wrong; gyre has read back %llu "
        "bytes for all of them\n",
        gyre_device_name(device), FRAMES, N, N, wrong, (unsigned long long)read);
    int failed = argc > 1 ? write_picture(argv[1], p.picture) : 0;
    gyre_gas_destroy(gas);
    gyre_device_destroy(device);
    drop(&e, &p);
    close_engine(&e);
    return wrong > 9 || failed; // at squares' edges devices may round otherwise
}
