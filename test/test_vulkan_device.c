// labels: vulkan
// The Vulkan device itself: choice, memory, order of what is asked for, rings, the program's own
// device; and that the validation layer has nothing to say.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "test/vulkan_rig.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fill_like_the_cpu),
        cmocka_unit_test(levels_arrive),
    };
    if (!vulkan_rig_open())
        return VULKAN_RIG_SKIPPED;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed + vulkan_rig_close();
}
