// Ops: their pipelines, their arguments in the device's addresses, and their dispatch.
#include <assert.h>
#include <string.h>

#include "device/vulkan/vulkan.h"

gyre_result gy_vulkan_layout(gy_vulkan *v)
{
    VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(gy_push)};
    VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                       .pushConstantRangeCount = 1,
                                       .pPushConstantRanges = &push};
    VkResult result = v->call.vkCreatePipelineLayout(v->logical, &info, NULL, &v->layout);
    return result == VK_SUCCESS ? GYRE_OK : gy_vulkan_error("a pipeline's layout", result);
}

bool gy_vulkan_has(const gyre_device *device, gy_op op)
{
    (void)device;
    return gy_twins[op].words != NULL;
}

/// One of an op's pipelines; see gy_vulkan.
static gyre_result make_pipeline(gy_vulkan *v, gy_op op, uint32_t which)
{
    const gy_twin *twin = &gy_twins[op];
    if (!twin->words)
        return gyre_fail(GYRE_ERROR_UNSUPPORTED, "vulkan: the op %s has no twin", gy_op_name(op));
    if (v->pipelines[op][which])
        return GYRE_OK;
    VkShaderModuleCreateInfo module = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                       .codeSize = twin->bytes,
                                       .pCode = twin->words};
    VkShaderModule shader = VK_NULL_HANDLE;
    VkResult result = v->call.vkCreateShaderModule(v->logical, &module, NULL, &shader);
    if (result == VK_SUCCESS) {
        // HALVES of common.glsl, the groups of cells.glsl and of cycle.glsl, LINKED.
        // lavapipe ends loops after 65536 rounds: a small group is for small levels alone.
        bool small = twin->dispatch == GY_DISPATCH_ALONE && which;
        const uint32_t values[] = {(which & 1u) && !small, v->group[0], v->group[1],
                                   small ? 64 : 1024, which >> 1};
        VkSpecializationMapEntry entries[GY_COUNT(values)];
        for (uint32_t i = 0; i < GY_COUNT(values); i++)
            entries[i] = (VkSpecializationMapEntry){i, i * sizeof values[0], sizeof values[0]};
        VkSpecializationInfo constants = {GY_COUNT(values), entries, sizeof values, values};
        VkComputePipelineCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
            .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                      .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                      .module = shader,
                      .pName = "main",
                      .pSpecializationInfo = &constants},
            .layout = v->layout};
        result = v->call.vkCreateComputePipelines(v->logical, VK_NULL_HANDLE, 1, &info, NULL,
                                                  &v->pipelines[op][which]);
    }
    v->call.vkDestroyShaderModule(v->logical, shader, NULL);
    return result == VK_SUCCESS ? GYRE_OK : gy_vulkan_error(gy_op_name(op), result);
}

gyre_result gy_vulkan_prepare(gyre_device *device, gy_op op, bool halves)
{
    return make_pipeline(device->state, op, halves);
}

// Arguments into the ring, addresses of the host becoming the device's. Their address; 0: failed.
static uint64_t write_args(gy_vulkan *v, gy_op op, const void *args)
{
    const gy_twin *twin = &gy_twins[op];
    uint64_t at = gy_ring_take(v, &v->args, GY_ARGS_BYTES);
    if (at == UINT64_MAX)
        return 0;
    uint8_t copy[GY_ARGS_BYTES];
    assert(twin->args <= sizeof copy);
    memcpy(copy, args, twin->args);
    for (int i = 0; i < twin->addresses; i++) {
        uint64_t host, address = 0;
        memcpy(&host, copy + twin->address[i], sizeof host);
        if (host)
            address = gy_vulkan_address(v->device, (const void *)(uintptr_t)host);
        if (host && !address) {
            gy_vulkan_fail(v, GYRE_ERROR_STATE,
                           "vulkan: %s: its address %d is not of the device's memory",
                           gy_op_name(op), i);
            return 0;
        }
        memcpy(copy + twin->address[i], &address, sizeof address);
    }
    memcpy(v->args.memory.mapped + at, copy, twin->args);
    return v->args.memory.address + at;
}

static void count_groups(const gy_vulkan *v, gy_dispatch dispatch, const gy_cut *cut,
                         uint32_t groups[3])
{
    int x = (int)v->group[0], y = (int)v->group[1];
    // Along x of slots every place stands for two cells. 0: one, however long the box is.
    const int size[][3] = {[GY_DISPATCH_CELLS] = {x, y, 1},
                           [GY_DISPATCH_GROUPS] = {x, y, 1},
                           [GY_DISPATCH_SLOTS] = {2 * x, y, 1},
                           [GY_DISPATCH_ITEMS] = {256, 1, 1},
                           [GY_DISPATCH_PIECES] = {0},
                           [GY_DISPATCH_TILES] = {1, 0, 0},
                           [GY_DISPATCH_ALONE] = {0}};
    bool whole = dispatch == GY_DISPATCH_GROUPS || dispatch == GY_DISPATCH_SLOTS;
    for (int a = 0; a < 3; a++) {
        int n = cut->box.high[a] - cut->box.low[a];
        // Beyond a row's end such twins leave the 0 that open sides see.
        if (whole && a == 0)
            n = (n + GY_GROUP_CELLS - 1) / GY_GROUP_CELLS * GY_GROUP_CELLS;
        groups[a] = 1;
        if (size[dispatch][a])
            groups[a] = (uint32_t)((n + size[dispatch][a] - 1) / size[dispatch][a]);
    }
    if (dispatch == GY_DISPATCH_PIECES)
        groups[0] = (uint32_t)cut->count;
}

static void dispatch(gy_vulkan *v, VkCommandBuffer commands, gy_op op, uint32_t which,
                     const gy_push *push, const uint32_t groups[3])
{
    gy_frame *f = &v->frames[(v->submitted + 1) % GY_FRAMES];
    gy_vulkan_gate(v);
    gy_vulkan_order(v, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
    if (v->bound != v->pipelines[op][which]) {
        v->bound = v->pipelines[op][which];
        v->call.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, v->bound);
    }
    v->call.vkCmdPushConstants(commands, v->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof *push,
                               push);
    uint32_t query = (uint32_t)f->ops * 2;
    if (f->queries)
        v->call.vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, f->queries,
                                    query);
    v->call.vkCmdDispatch(commands, groups[0], groups[1], groups[2]);
    if (f->queries)
        v->call.vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, f->queries,
                                    query + 1);
    f->op[f->ops++] = (uint8_t)op;
    if (f->ops == GY_FRAME_OPS)
        gy_vulkan_submit(v);
}

/// Which of an op's pipelines; see gy_vulkan.
static uint32_t which_of(const gy_vulkan *v, gy_op op, const void *args, const gy_box *box)
{
    if (gy_twins[op].dispatch == GY_DISPATCH_ALONE) {
        int64_t cells = 1;
        for (int a = 0; a < 3; a++)
            cells *= box->high[a] - box->low[a];
        return v->played && cells <= GY_SMALL;
    }
    uint32_t halves = 0;
    if (gy_twins[op].halves)
        memcpy(&halves, (const uint8_t *)args + gy_twins[op].halves, sizeof halves);
    return halves & 3u;
}

void gy_vulkan_run(gyre_device *device, gy_op op, const void *args, const gy_box *box)
{
    gy_vulkan *v = device->state;
    gy_cut cut = gy_cut_make(gy_kind(op), box);
    if (v->failed != GYRE_OK || cut.count == 0)
        return;
    uint32_t which = which_of(v, op, args, box);
    if (!v->pipelines[op][which] && make_pipeline(v, op, which) != GYRE_OK) {
        gy_vulkan_fail(v, GYRE_ERROR_UNSUPPORTED, "%s", gyre_message());
        return;
    }
    uint32_t groups[3];
    count_groups(v, gy_twins[op].dispatch, &cut, groups);
    for (int a = 0; a < 3; a++) {
        if (groups[a] > v->most_groups[a]) {
            gy_vulkan_fail(v, GYRE_ERROR_UNSUPPORTED,
                           "vulkan: %s: %u workgroups along axis %d; %s takes %u", gy_op_name(op),
                           groups[a], a, v->name, v->most_groups[a]);
            return;
        }
    }
    gy_push push = {.args = write_args(v, op, args),
                    .per_piece = cut.per_piece,
                    .parts = cut.parts,
                    .count = cut.count};
    if (device->gate) {
        uint64_t gate = gy_vulkan_address(device, device->gate);
        if (!gate)
            gy_vulkan_fail(v, GYRE_ERROR_STATE,
                           "vulkan: %s: its gate is not of the device's memory", gy_op_name(op));
        // Where dispatches are conditional a twin need not look.
        push.gate = v->conditional ? 0 : gate;
    }
    memcpy(push.low, box->low, sizeof push.low);
    memcpy(push.high, box->high, sizeof push.high);
    VkCommandBuffer commands = push.args ? gy_vulkan_record(v) : VK_NULL_HANDLE;
    if (commands)
        dispatch(v, commands, op, which, &push, groups);
}
