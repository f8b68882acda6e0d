// test/test_pose_golden.c: turns give the same bits for every compiler, instruction set and
// optimisation level.
// labels: golden web
#include "base/base.h"
#include "base/maths.h"
#include "gyre/pose.h"
#include "gyre/shape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static uint64_t mix(const float *numbers, int count, uint64_t hash)
{
    return gy_hash(numbers, (size_t)count * sizeof *numbers, hash);
}

static void turns_give_the_golden_hash(void **state)
{
    uint64_t hash = 0;
    float last[4] = {0, 0, 0, 1};
    (void)state;
    for (uint32_t k = 0; k < 1000; k++) {
        gyre_pose pose = {.position = {0}};
        float q[4], degrees[3], between[4], world[3], own[3];
        for (uint32_t a = 0; a < 3; a++) {
            pose.position[a] = 4 * gy_random_unit(k, a) - 2;
            pose.rotation[a] = 720 * gy_random_unit(k, 3 + a) - 360;
        }
        gyre_quaternion_from_degrees(pose.rotation, q);
        gyre_quaternion_to_degrees(q, degrees);
        gyre_quaternion_between(last, q, (double)gy_random_unit(k, 6), between);
        hash = mix(between, 4, mix(degrees, 3, mix(q, 4, hash)));
        if (k % 2) {
            memcpy(pose.orientation, q, sizeof q);
        }
        gyre_pose_quaternion(&pose, last);
        gyre_pose_to_world(&pose, degrees, world);
        gyre_pose_to_own(&pose, degrees, own);
        gyre_shape box = gyre_box(pose.position, (const float[3]){1, 0.5f, 0.7f});
        memcpy(box.as.box.orientation, between, sizeof between);
        float distance = gyre_shape_posed_distance(&box, &pose, 3, world);
        hash = mix(&distance, 1, mix(own, 3, mix(world, 3, mix(last, 4, hash))));
    }
    if (hash != 0x7925bd2849c627d0u) {
        fail_msg("found 0x%016llx", (unsigned long long)hash);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns_give_the_golden_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
