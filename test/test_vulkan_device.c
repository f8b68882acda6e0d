// labels: vulkan small
// The Vulkan device itself: choice, memory, order of what is asked for, rings, the program's own
// device; and that the validation layer has nothing to say.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "test/vulkan_rig.h"

#ifndef GY_WITH_VULKAN

int main(void)
{
    return vulkan_rig_open() ? 1 : VULKAN_RIG_SKIPPED;
}

#else

#include "device/vulkan/vulkan.h"
#include "test/vulkan_own.h"

static const rig_bound exact = {0, 0.0};

static void fill_like_the_cpu(void **state)
{
    (void)state;
    static const int n[][4] = {{2, 5, 3, 1}, {2, 1, 1, 1}, {2, 97, 33, 1}, {3, 17, 9, 7}};
    for (int c = 0; c < GY_COUNT(n); c++) {
        gy_layout l = rig_layout(n[c][0], n[c][1], n[c][2], n[c][3]);
        rig_block b = rig_take_block(3 * rig_field_bytes(&l));
        uint32_t field = rig_take_field(&b, &l), other = rig_take_field(&b, &l);
        rig_random_field(&b, field, &l, -1.0f, 1.0f);
        rig_random_field(&b, other, &l, -1.0f, 1.0f);
        rig_share(&b);
        gy_fill_args a = {.base = rig_base(&b),
                          .field = field,
                          .value = 1.5f + (float)c,
                          .extent = rig_extent(&l)};
        rig_run(&b, GY_OP_fill, &a, gy_box_make(1, l.n[1] + 2, l.dim == 3 ? l.n[2] + 2 : 1));
        rig_fetch(&b);
        rig_same_block(&b, "fill");
        gy_box own = gy_box_make(l.n[0], l.n[1], l.n[2]);
        rig_same_field(&b, field, &a.extent, own, exact, "fill");
        assert_true(*rig_sample(&b, field, &a.extent, 0, 0, 0) == a.value);
        rig_give_back(&b);
    }
}

static void levels_arrive(void **state)
{
    (void)state;
    static const rig_level_def defs[] = {
        {.dim = 2, .n = {37, 21, 1}, .open = 9, .closed = 10, .cut = 10, .pin = true},
        {.dim = 3, .n = {33, 8, 5}, .periodic = 2, .closed = 5, .cut = 20}};
    for (int c = 0; c < GY_COUNT(defs); c++) {
        rig_block b = rig_take_block((size_t)1 << 20);
        gy_system s = rig_random_system(&b, &defs[c]);
        assert_true(s.count > 3);
        rig_share(&b);
        memset(b.gpu, 0, b.bytes);
        rig_fetch(&b);
        for (int l = 0; l < s.count; l++)
            rig_same_level(&b, &s, l, 0, -1, exact, "x");
        rig_same_block(&b, "a hierarchy");
        rig_give_back(&b);
    }
}

static gyre_device *open_named(const char *name)
{
    gyre_device_def def = rig_gpu_def();
    gyre_device *device = NULL;
    def.vulkan.name = name;
    return gyre_device_create(&def, &device) == GYRE_OK ? device : NULL;
}

static void is_found_by_index_and_name(void **state)
{
    (void)state;
    char name[256], part[8] = "";
    int count = 0;
    while (gyre_vulkan_name(count, name, sizeof name)) {
        char index[16];
        snprintf(index, sizeof index, "%d", count++);
        gyre_device *device = open_named(index);
        if (!device) // one that lacks a feature: it says which
            assert_non_null(strstr(gyre_message(), name));
        else
            assert_string_equal(gyre_device_name(device), name);
        gyre_device_destroy(device);
    }
    assert_true(count > 0);
    // Part of a name, in the other case.
    const char *known = gyre_device_name(the_gpu);
    for (int i = 0; i < 6 && known[i + 1]; i++)
        part[i] = (char)(known[i + 1] ^ (known[i + 1] >= 'A' ? 32 : 0));
    gyre_device *device = open_named(part);
    assert_non_null(device);
    assert_string_equal(gyre_device_isa(device), "vulkan");
    gyre_device_destroy(device);
}

static void names_that_do_not_do(void **state)
{
    (void)state;
    static const char *const wrong[] = {"no such card", "99", "-1", "0x"};
    for (int i = 0; i < GY_COUNT(wrong); i++) {
        gyre_device_def def = rig_gpu_def();
        gyre_device *device = NULL;
        def.vulkan.name = wrong[i];
        assert_int_equal(gyre_device_create(&def, &device), GYRE_ERROR_ARGUMENT);
        assert_null(device);
        assert_non_null(strstr(gyre_message(), wrong[i]));
        assert_non_null(strstr(gyre_message(), gyre_device_name(the_gpu)));
    }
    gyre_device_def def = rig_gpu_def();
    gyre_device *device = NULL;
    def.vulkan.device = &def; // without the others
    assert_int_equal(gyre_device_create(&def, &device), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "physical_device"));
}

static void memory_is_zeroed_and_kept_apart(void **state)
{
    (void)state;
    // Small ones that share chunks, some given back between, and one of its own.
    static const size_t sizes[] = {1, 100, 4096, 5000, (size_t)20 << 20, 70000, 12};
    uint8_t *memory[64] = {0};
    size_t bytes[64] = {0};
    rig_seed = 7;
    for (int round = 0; round < 300; round++) {
        int i = rig_int(0, 63);
        if (memory[i]) {
            gy_device_fetch(the_gpu, memory[i], bytes[i]);
            for (size_t k = 0; k < bytes[i]; k += 1 + bytes[i] / 1000)
                assert_int_equal(memory[i][k], (uint8_t)(i + 1));
            gy_device_release(the_gpu, memory[i], bytes[i]);
        }
        bytes[i] = sizes[i == 4 ? 4 : (i * 7) % 4];
        memory[i] = gy_device_allocate(the_gpu, bytes[i]);
        assert_non_null(memory[i]);
        assert_int_equal((uintptr_t)memory[i] % 4096, 0);
        memset(memory[i], 0xff, bytes[i]);
        gy_device_fetch(the_gpu, memory[i], bytes[i]);
        for (size_t k = 0; k < bytes[i]; k += 1 + bytes[i] / 1000)
            assert_int_equal(memory[i][k], 0);
        memset(memory[i], i + 1, bytes[i]);
        gy_device_put(the_gpu, memory[i], bytes[i]);
    }
    for (int i = 0; i < 64; i++)
        gy_device_release(the_gpu, memory[i], bytes[i]);
    gy_device_release(the_gpu, NULL, 5);
}

static void too_much_memory_is_refused(void **state)
{
    (void)state;
    assert_null(gy_device_allocate(the_gpu, (size_t)1 << 46));
    assert_non_null(strstr(gyre_message(), "70368744177664 bytes are needed"));
    assert_int_equal(gy_device_status(the_gpu), GYRE_OK);
}

static void puts_clears_and_ops_come_in_order(void **state)
{
    (void)state;
    gy_layout l = rig_layout(2, 40, 6, 1);
    rig_block b = rig_take_block(rig_field_bytes(&l));
    uint32_t field = rig_take_field(&b, &l);
    gy_fill_args a = {.base = (uint64_t)(uintptr_t)b.gpu,
                      .field = field,
                      .value = 5.0f,
                      .extent = rig_extent(&l)};
    float *at = (float *)(void *)b.gpu +
                (rig_sample(&b, field, &a.extent, 0, 0, 0) - (float *)(void *)b.cpu);
    for (int round = 0; round < 50; round++) {
        // Row 0 is filled by an op; then its samples 1 to 9 are put, 3 to 6 cleared, 4 put again.
        gy_run(the_gpu, GY_OP_fill, &a, (gy_box){{0, 1, 0}, {1, 2, 1}});
        for (int i = 1; i < 10; i++)
            at[i] = (float)(100 * round + i);
        gy_device_put(the_gpu, at + 1, 9 * sizeof *at);
        gy_device_clear(the_gpu, at + 3, 4 * sizeof *at);
        at[4] = -1.0f;
        gy_device_put(the_gpu, at + 4, sizeof *at);
        // What the host writes later is not what was put.
        for (int i = 0; i < 40; i++)
            at[i] = 77.0f;
        gy_device_fetch(the_gpu, at, 20 * sizeof *at);
        for (int i = 0; i < 40; i++) {
            float want = i == 4             ? -1.0f
                         : i >= 3 && i < 7  ? 0.0f
                         : i >= 1 && i < 10 ? (float)(100 * round + i)
                         : i < 20           ? 5.0f
                                            : 77.0f; // not fetched
            assert_true(at[i] == want);
        }
    }
    rig_give_back(&b);
}

static void clears_any_bytes(void **state)
{
    (void)state;
    uint8_t *memory = gy_device_allocate(the_gpu, 64);
    for (int first = 0; first < 9; first++) {
        for (int count = 0; count < 14; count++) {
            memset(memory, 9, 64);
            gy_device_put(the_gpu, memory, 64);
            gy_device_clear(the_gpu, memory + first, (size_t)count);
            gy_device_fetch(the_gpu, memory, 64);
            for (int i = 0; i < 64; i++)
                assert_int_equal(memory[i], i >= first && i < first + count ? 0 : 9);
        }
    }
    gy_device_release(the_gpu, memory, 64);
}

// More ops than the ring of arguments holds, each into a row of its own with a value of its own.
static void rings_go_round(void **state)
{
    (void)state;
    enum { OPS = 3 * GY_FRAMES * GY_FRAME_OPS / 2 + 77 };
    gy_layout l = rig_layout(2, 4, OPS, 1);
    rig_block b = rig_take_block(rig_field_bytes(&l));
    uint32_t field = rig_take_field(&b, &l);
    gy_fill_args a = {.base = (uint64_t)(uintptr_t)b.gpu, .field = field, .extent = rig_extent(&l)};
    for (int i = 0; i < OPS; i++) {
        a.value = (float)(i + 1);
        gy_run(the_gpu, GY_OP_fill, &a, (gy_box){{0, i + 1, 0}, {1, i + 2, 1}});
    }
    rig_fetch(&b);
    for (int i = 0; i < OPS; i++) {
        const float *at = rig_sample(&b, field, &a.extent, 3, i, 0);
        const uint8_t *other = b.gpu + ((const uint8_t *)at - b.cpu);
        assert_true(*(const float *)(const void *)other == (float)(i + 1));
    }
    rig_give_back(&b);
}

// More bytes than the staging ring and the buffer for fetching hold, in pieces and at once.
static void large_copies(void **state)
{
    (void)state;
    size_t bytes = (size_t)70 << 20, words = bytes / 4;
    uint32_t *memory = gy_device_allocate(the_gpu, bytes);
    for (size_t i = 0; i < words; i++)
        memory[i] = (uint32_t)i * 2654435761u;
    gy_device_put(the_gpu, memory, bytes);
    for (int i = 0; i < 1000; i++) {
        memory[i * 1000] = (uint32_t)i;
        gy_device_put(the_gpu, memory + i * 1000, 4);
    }
    memset(memory, 0, bytes);
    gy_device_fetch(the_gpu, memory, bytes);
    for (size_t i = 0; i < words; i++) {
        bool later = i % 1000 == 0 && i < 1000000;
        assert_int_equal(memory[i], later ? (uint32_t)(i / 1000) : (uint32_t)i * 2654435761u);
    }
    gy_device_release(the_gpu, memory, bytes);
}

static void copies_are_timed(void **state)
{
    (void)state;
    double rate = 0.0;
    assert_int_equal(gyre_device_copy_rate(the_gpu, 1 << 20, &rate), GYRE_OK);
    assert_true(rate > 1e6 && rate < 1e15);
    assert_int_equal(gyre_device_copy_rate(the_gpu, 3, &rate), GYRE_ERROR_ARGUMENT);
    assert_int_equal(gyre_device_copy_rate(the_gpu, (size_t)1 << 46, &rate), GYRE_ERROR_MEMORY);
    assert_int_equal(gyre_device_copy_rate(the_cpu, 1 << 20, &rate), GYRE_ERROR_UNSUPPORTED);
}

static void two_at_once(void **state)
{
    (void)state;
    gyre_device *one = the_gpu, *other = open_named(getenv("GYRE_TEST_VULKAN"));
    assert_non_null(other);
    gy_layout l = rig_layout(2, 33, 4, 1);
    gyre_device *devices[2] = {one, other};
    float *memory[2];
    gy_fill_args a[2];
    for (int d = 0; d < 2; d++) {
        memory[d] = gy_device_allocate(devices[d], 16384);
        a[d] = (gy_fill_args){
            .base = (uint64_t)(uintptr_t)memory[d], .field = 64, .extent = rig_extent(&l)};
    }
    for (int round = 0; round < 100; round++) {
        for (int d = 0; d < 2; d++) {
            a[d].value = (float)(round * 2 + d);
            gy_run(devices[d], GY_OP_fill, &a[d], (gy_box){{0, 1, 0}, {1, 2, 1}});
        }
    }
    assert_int_equal(gyre_device_wait(one), GYRE_OK);
    assert_int_equal(((gy_vulkan *)one->state)->ended, ((gy_vulkan *)one->state)->submitted);
    for (int d = 0; d < 2; d++) {
        gy_device_fetch(devices[d], memory[d], 16384);
        assert_true(memory[d][64 * 16] == (float)(198 + d));
    }
    gy_device_release(one, memory[0], 16384);
    gy_device_release(other, memory[1], 16384);
    assert_int_equal(other->complaints, 0);
    gyre_device_destroy(other);
}

static void foreign_memory_fails_for_good(void **state)
{
    (void)state;
    gyre_device_def def = rig_gpu_def();
    gyre_device *device = NULL;
    def.host.log = NULL;
    assert_int_equal(gyre_device_create(&def, &device), GYRE_OK);
    float mine[16] = {0};
    uint8_t *memory = gy_device_allocate(device, 4096);
    gy_fill_args a = {.base = (uint64_t)(uintptr_t)mine, .extent = {.n = {1, 1, 1}, .sy = 1}};
    assert_int_equal(gy_device_status(device), GYRE_OK);
    gy_run(device, GY_OP_fill, &a, gy_box_make(1, 1, 1));
    for (int i = 0; i < 2; i++) {
        assert_int_equal(gy_device_status(device), GYRE_ERROR_STATE);
        assert_non_null(strstr(gyre_message(), "fill"));
        memory[0] = 3;
        gy_device_fetch(device, memory, 1);
        gy_device_put(device, memory, 1);
        gy_device_clear(device, memory, 1);
        assert_int_equal(memory[0], 3);
        assert_null(gy_device_allocate(device, 4096));
    }
    gy_device_release(device, memory, 4096);
    assert_int_equal(device->complaints, 0);
    gyre_device_destroy(device);
}

static VKAPI_ATTR VkResult VKAPI_CALL is_lost(VkQueue queue, uint32_t count,
                                              const VkSubmitInfo *submits, VkFence fence)
{
    (void)queue, (void)count, (void)submits, (void)fence;
    return VK_ERROR_DEVICE_LOST;
}

static void a_lost_device_says_so(void **state)
{
    (void)state;
    gyre_device_def def = rig_gpu_def();
    gyre_device *device = NULL;
    def.host.log = NULL;
    assert_int_equal(gyre_device_create(&def, &device), GYRE_OK);
    uint8_t *memory = gy_device_allocate(device, 4096);
    gy_vulkan *v = device->state;
    v->call.vkQueueSubmit = is_lost;
    memory[0] = 4;
    gy_device_put(device, memory, 1);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(gy_device_status(device), GYRE_ERROR_DEVICE);
        assert_int_equal(gyre_device_wait(device), GYRE_ERROR_DEVICE);
        assert_non_null(strstr(gyre_message(), "was lost"));
        assert_non_null(strstr(gyre_message(), gyre_device_name(the_gpu)));
    }
    gy_device_fetch(device, memory, 1);
    assert_int_equal(memory[0], 4);
    gy_device_release(device, memory, 4096);
    gyre_device_destroy(device);
}

static void ops_without_twins_are_refused(void **state)
{
    (void)state;
    static const gy_op lacks[] = {GY_OP_fill, GY_OP_factor_band, GY_OP_dispersive_part};
    assert_int_equal(gy_device_require(the_gpu, "gas", lacks, 1), GYRE_OK);
    assert_int_equal(gy_device_require(the_gpu, "gas", lacks, 3), GYRE_ERROR_UNSUPPORTED);
    assert_non_null(strstr(gyre_message(), "factor_band, dispersive_part"));
    assert_null(strstr(gyre_message(), "fill"));
    assert_int_equal(gy_device_require(the_cpu, "gas", lacks, 3), GYRE_OK);
}

static void ops_are_timed(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        gyre_device_def def = rig_gpu_def();
        gyre_device *device = NULL;
        def.kind = kind ? GYRE_DEVICE_VULKAN : GYRE_DEVICE_CPU;
        def.time_ops = true;
        assert_int_equal(gyre_device_create(&def, &device), GYRE_OK);
        gy_layout l = rig_layout(2, 500, 400, 1);
        size_t bytes = rig_field_bytes(&l);
        char *memory = gy_device_allocate(device, bytes);
        gy_fill_args a = {
            .base = (uint64_t)(uintptr_t)memory, .field = 100, .extent = rig_extent(&l)};
        for (int i = 0; i < 3000; i++)
            gy_run(device, GY_OP_fill, &a, (gy_box){{0, 1, 0}, {1, 300, 1}});
        double seconds = 0.0, none = 1.0;
        uint64_t count = 0;
        assert_int_equal(gyre_device_op_time(device, "fill", &seconds, &count), GYRE_OK);
        assert_int_equal(count, 3000);
        assert_true(seconds > 0.0 && seconds < 100.0);
        assert_int_equal(gyre_device_op_time(device, "halo", &none, NULL), GYRE_OK);
        assert_true(none == 0.0);
        assert_int_equal(gyre_device_op_time(device, "hallo", NULL, NULL), GYRE_ERROR_ARGUMENT);
        gy_device_release(device, memory, bytes);
        assert_int_equal(device->complaints, 0);
        gyre_device_destroy(device);
    }
    assert_int_equal(gyre_device_op_time(the_gpu, "fill", NULL, NULL), GYRE_ERROR_STATE);
}

// Other tests count on this: the layer is there and what it says is counted.
static void the_layer_is_heard(void **state)
{
    (void)state;
    gyre_device_def def = rig_gpu_def();
    gyre_device *device = NULL;
    def.host.log = NULL;
    assert_int_equal(gyre_device_create(&def, &device), GYRE_OK);
    gy_vulkan *v = device->state;
    if (!v->messenger) {
        gyre_device_destroy(device);
        print_message("there is no validation layer\n");
        skip();
    }
    VkCommandBuffer commands = gy_vulkan_record(v);
    v->call.vkCmdFillBuffer(commands, v->fetched.buffer, 1, 4, 0); // 1 is no multiple of 4
    assert_true(device->complaints > 0);
    gyre_device_destroy(device);
}

static void the_programs_own_device(void **state)
{
    (void)state;
    vulkan_own o = make_own();
    gyre_device_def def = rig_gpu_def();
    def.vulkan = lend(&o);
    gyre_device *device = NULL;
    def.vulkan.queue_family = 1000;
    assert_int_equal(gyre_device_create(&def, &device), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "queue_family"));
    def.vulkan.queue_family = 0;
    assert_int_equal(gyre_device_create(&def, &device), GYRE_OK);
    float *memory = gy_device_allocate(device, 8192);
    gy_fill_args a = {.base = (uint64_t)(uintptr_t)memory,
                      .field = 32,
                      .value = 3.0f,
                      .extent = {.n = {4, 1, 1}, .sy = 32, .dim = 2}};
    gy_run(device, GY_OP_fill, &a, (gy_box){{0, 1, 0}, {1, 2, 1}});
    gy_device_fetch(device, memory, 8192);
    assert_true(memory[32 * 16] == 3.0f);
    assert_true(o.locks > 0);
    gy_device_release(device, memory, 8192);
    gyre_device_destroy(device);
    // It is the program's still.
    drop_own(&o);
}

// A driver that has sparse binding in this one's place: its parts must follow each other, each no
// larger than one allocation may be; then the buffer gets plain memory.
static PFN_vkCreateBuffer create_plain;
static gy_vulkan *parted;
static uint32_t parts_bound;

static VKAPI_ATTR VkResult VKAPI_CALL create_sparse(VkDevice device, const VkBufferCreateInfo *info,
                                                    const VkAllocationCallbacks *callbacks,
                                                    VkBuffer *buffer)
{
    VkBufferCreateInfo plain = *info;
    assert_int_equal(info->flags, VK_BUFFER_CREATE_SPARSE_BINDING_BIT);
    plain.flags = 0;
    return create_plain(device, &plain, callbacks, buffer);
}

static VkDeviceMemory plain_memory;

static VKAPI_ATTR VkResult VKAPI_CALL bind_sparse(VkQueue queue, uint32_t count,
                                                  const VkBindSparseInfo *info, VkFence fence)
{
    gy_vulkan *v = parted;
    const VkSparseBufferMemoryBindInfo *b = info->pBufferBinds;
    VkMemoryRequirements needs;
    uint64_t at = 0;
    assert_int_equal(count, 1);
    v->call.vkGetBufferMemoryRequirements(v->logical, b->buffer, &needs);
    for (uint32_t i = 0; i < b->bindCount; i++) {
        assert_int_equal(b->pBinds[i].resourceOffset, at);
        assert_true(b->pBinds[i].size > 0 && b->pBinds[i].size <= v->most_memory);
        assert_int_equal(b->pBinds[i].size % needs.alignment, 0);
        assert_int_equal(b->pBinds[i].memoryOffset, 0);
        at += b->pBinds[i].size;
    }
    assert_int_equal(at, needs.size);
    parts_bound = b->bindCount;
    VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                       .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                   .pNext = &flags,
                                   .allocationSize = needs.size};
    assert_int_equal(v->call.vkAllocateMemory(v->logical, &memory, NULL, &plain_memory), 0);
    assert_int_equal(v->call.vkBindBufferMemory(v->logical, b->buffer, plain_memory, 0), 0);
    return v->call.vkQueueSubmit(queue, 0, NULL, fence);
}

static void more_than_one_allocation(void **state)
{
    (void)state;
    enum { BYTES = (20 << 20) + 4096 };
    gyre_device *device = open_named(getenv("GYRE_TEST_VULKAN"));
    assert_non_null(device);
    gy_vulkan *v = parted = device->state;
    create_plain = v->call.vkCreateBuffer;
    v->call.vkCreateBuffer = create_sparse;
    v->call.vkQueueBindSparse = bind_sparse;
    v->sparse = true;
    v->most_memory = (3 << 20) + 100;
    uint32_t *memory = gy_device_allocate(device, BYTES);
    assert_non_null(memory);
    assert_int_equal(parts_bound, 7);
    for (int i = 0; i < BYTES / 4; i++)
        memory[i] = (uint32_t)i;
    gy_device_put(device, memory, BYTES);
    memset(memory, 0, BYTES);
    gy_device_fetch(device, memory, BYTES);
    for (int i = 0; i < BYTES / 4; i++)
        assert_int_equal(memory[i], i);
    gy_device_release(device, memory, BYTES);
    v->call.vkFreeMemory(v->logical, plain_memory, NULL);
    // More parts than there is room for.
    v->most_memory = 100000;
    assert_null(gy_device_allocate(device, BYTES));
    assert_non_null(strstr(gyre_message(), "parts"));
    assert_int_equal(device->complaints, 0);
    gyre_device_destroy(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_than_one_allocation),
        cmocka_unit_test(fill_like_the_cpu),
        cmocka_unit_test(levels_arrive),
        cmocka_unit_test(is_found_by_index_and_name),
        cmocka_unit_test(names_that_do_not_do),
        cmocka_unit_test(memory_is_zeroed_and_kept_apart),
        cmocka_unit_test(too_much_memory_is_refused),
        cmocka_unit_test(puts_clears_and_ops_come_in_order),
        cmocka_unit_test(clears_any_bytes),
        cmocka_unit_test(rings_go_round),
        cmocka_unit_test(large_copies),
        cmocka_unit_test(copies_are_timed),
        cmocka_unit_test(two_at_once),
        cmocka_unit_test(foreign_memory_fails_for_good),
        cmocka_unit_test(a_lost_device_says_so),
        cmocka_unit_test(ops_without_twins_are_refused),
        cmocka_unit_test(ops_are_timed),
        cmocka_unit_test(the_layer_is_heard),
        cmocka_unit_test(the_programs_own_device),
    };
    if (!vulkan_rig_open())
        return VULKAN_RIG_SKIPPED;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed + vulkan_rig_close();
}

#endif
