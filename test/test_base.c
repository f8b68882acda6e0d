// Floor 0: results, host hooks, hashes, memory and files.
// labels: golden small valgrind
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // mkdtemp
#endif

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "base/half.h"
#include "base/os.h"

/// Each half against its neighbour above: a float between them goes to the nearer one, and from
/// the middle to the even one.
static void halves_round_to_the_nearest(void **state)
{
    (void)state;
    for (uint32_t h = 0x0400; h < 0x7bff; h++) {
        float x = gy_from_half((uint16_t)h), next = gy_from_half((uint16_t)(h + 1));
        float middle = 0.5f * (x + next);
        assert_true(x == ldexpf((float)(0x400 | (h & 0x3ff)), (int)(h >> 10) - 25));
        assert_int_equal(gy_to_half(x), h);
        assert_int_equal(gy_to_half(middle), h & 1 ? h + 1 : h);
        float below = nextafterf(middle, x), above = nextafterf(middle, next);
        assert_int_equal(gy_to_half(below), h);
        assert_int_equal(gy_to_half(above), h + 1);
        assert_int_equal(gy_to_half(-below), h | 0x8000);
        assert_true(gy_from_half((uint16_t)(h | 0x8000)) == -x);
    }
}

static void halves_end_at_both_ends(void **state)
{
    (void)state;
    static const float large[] = {65504.0f, 65519.9f, 65520.0f, 1e6f, 1e30f, INFINITY},
                       small[] = {6.1e-5f, 5.97e-8f, 1e-20f, 1e-40f, 0.0f};
    for (int i = 0; i < GY_COUNT(large); i++) {
        assert_true(gy_from_half(gy_to_half(large[i])) == GY_HALF_MOST);
        assert_true(gy_from_half(gy_to_half(-large[i])) == -GY_HALF_MOST);
    }
    for (int i = 0; i < GY_COUNT(small); i++) {
        assert_int_equal(gy_to_half(small[i]), 0);
        assert_int_equal(gy_to_half(-small[i]), 0);
    }
    assert_int_equal(gy_to_half(ldexpf(1.0f, -14)), 0x0400);
    assert_true(gy_from_half(0) == 0.0f);
}

static void results_carry_messages(void **state)
{
    (void)state;
    assert_int_equal(gyre_fail(GYRE_ERROR_FILE, "%s: %d", "a", 7), GYRE_ERROR_FILE);
    assert_string_equal(gyre_message(), "a: 7");
    gyre_fail(GYRE_ERROR_FORMAT, "outer: %s", gyre_message());
    assert_string_equal(gyre_message(), "outer: a: 7");

    char text[3000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = 0;
    gyre_fail(GYRE_ERROR_FILE, "%s", text);
    assert_int_equal(strlen(gyre_message()), 1023);

    assert_string_equal(gyre_result_name(GYRE_OK), "ok");
    assert_string_equal(gyre_result_name(GYRE_ERROR_INTERRUPTED), "interrupted");
    assert_string_equal(gyre_result_name((gyre_result)99), "unknown");

    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", GYRE_VERSION_MAJOR, GYRE_VERSION_MINOR,
             GYRE_VERSION_PATCH);
    assert_string_equal(gyre_version(), version);
    assert_int_equal(gyre_version_number(), GYRE_VERSION);
    assert_int_equal(GYRE_VERSION / 10000, GYRE_VERSION_MAJOR);
    assert_int_equal(GYRE_VERSION / 100 % 100, GYRE_VERSION_MINOR);
    assert_int_equal(GYRE_VERSION % 100, GYRE_VERSION_PATCH);
}

static void see_own_message(void *seen)
{
    strcpy(seen, gyre_message());
    gyre_fail(GYRE_ERROR_STATE, "of the other thread");
}

static void messages_belong_to_threads(void **state)
{
    (void)state;
    char seen[1024] = "untouched";
    gyre_fail(GYRE_ERROR_FILE, "of this thread");
    gy_thread *thread = NULL;
    assert_int_equal(gy_thread_start(&thread, see_own_message, seen), GYRE_OK);
    gy_thread_join(thread);
    assert_string_equal(seen, "");
    assert_string_equal(gyre_message(), "of this thread");
}

// The values are those of the reference implementation of XXH64.
static void hash_is_xxh64(void **state)
{
    (void)state;
    const char *text = "Nobody inspects the spammish repetition";
    assert_true(gy_hash("", 0, 0) == 0xef46db3751d8e999u);
    assert_true(gy_hash("a", 1, 0) == 0xd24ec4f1a98c6e5bu);
    assert_true(gy_hash("abc", 3, 0) == 0x44bc2cf5ad770999u);
    assert_true(gy_hash(text, strlen(text), 0) == 0xfbcea83c8a378bf1u);
    assert_true(gy_hash(text, strlen(text), 1) != gy_hash(text, strlen(text), 0));
}

static void hash_sees_every_byte(void **state)
{
    (void)state;
    unsigned char bytes[100] = {0};
    for (size_t size = 1; size <= sizeof bytes; size++) {
        uint64_t plain = gy_hash(bytes, size, 5);
        for (size_t i = 0; i < size; i++) {
            bytes[i] = 1;
            assert_true(gy_hash(bytes, size, 5) != plain);
            bytes[i] = 0;
        }
    }
}

static void finite_is_told(void **state)
{
    (void)state;
    uint32_t bits[] = {0x7f800000u, 0xff800000u, 0x7fc00000u, 0xff800001u};
    for (int i = 0; i < GY_COUNT(bits); i++) {
        float x;
        memcpy(&x, &bits[i], sizeof x);
        assert_false(gy_is_finite(x));
    }
    assert_true(gy_is_finite(0.0f) && gy_is_finite(-3.4e38f) && gy_is_finite(1e-45f));
}

static void memory_is_aligned_and_zeroed(void **state)
{
    (void)state;
    const size_t sizes[] = {0, 1, 100, 70000, (size_t)4 << 20, ((size_t)5 << 20) + 3};
    gyre_host none = {0};
    gyre_host host = gy_host_complete(&none);
    for (int round = 0; round < 2; round++) {
        for (int s = 0; s < GY_COUNT(sizes); s++) {
            for (size_t alignment = 1; alignment <= 4096; alignment *= 4) {
                char *memory = gy_allocate(&host, sizes[s], alignment);
                assert_non_null(memory);
                assert_int_equal((uintptr_t)memory % alignment, 0);
                for (size_t i = 0; i < sizes[s]; i += 61)
                    assert_int_equal(memory[i], 0);
                memset(memory, 0x5a, sizes[s]);
                gy_release(&host, memory, sizes[s]);
            }
        }
    }
    gy_release(&host, NULL, 10);
    assert_null(gy_allocate(&host, SIZE_MAX - 100, 64));
    assert_non_null(strstr(gyre_message(), "out of memory"));
}

typedef struct counts {
    size_t taken, given;
    char log[64];
} counts;

static void *count_allocate(void *user, size_t size, size_t alignment)
{
    (void)alignment;
    counts *c = user;
    c->taken += size;
    return memset(malloc(size), 0xff, size);
}

static void count_release(void *user, void *memory, size_t size)
{
    counts *c = user;
    c->given += size;
    free(memory);
}

static void keep_log(void *user, gyre_log_level level, const char *message)
{
    snprintf(((counts *)user)->log, 64, "%d %s", (int)level, message);
}

static void host_hooks_are_used(void **state)
{
    (void)state;
    counts c = {0};
    gyre_host host = {
        .allocate = count_allocate, .release = count_release, .log = keep_log, .user = &c};
    host = gy_host_complete(&host);
    char *memory = gy_allocate(&host, 33, 8);
    for (int i = 0; i < 33; i++)
        assert_int_equal(memory[i], 0);
    gy_release(&host, memory, 33);
    assert_int_equal(c.taken, 33);
    assert_int_equal(c.given, 33);
    gy_log(&host, GYRE_LOG_WARNING, "%d cells", 4);
    assert_string_equal(c.log, "2 4 cells");
    gyre_host quiet = {0};
    quiet = gy_host_complete(&quiet);
    gy_log(&quiet, GYRE_LOG_INFO, "to nobody");
    assert_null(quiet.parallel_for);
}

static void files_come_back(void **state)
{
    (void)state;
    char path[] = "/tmp/gyre-test-XXXXXX", other[64];
    // A directory of its own, so that what is left behind can be seen.
    assert_non_null(mkdtemp(path));
    snprintf(other, sizeof other, "%s/file", path);
    static const size_t sizes[] = {0, 1, 4095, 4096, 5000000};
    for (int s = 0; s < GY_COUNT(sizes); s++) {
        char *bytes = malloc(sizes[s] + 1);
        for (size_t i = 0; i < sizes[s]; i++)
            bytes[i] = (char)(i * 7 + (size_t)s);
        assert_int_equal(gy_os_write_file(other, bytes, sizes[s]), GYRE_OK);
        void *back = NULL;
        size_t size = 99;
        assert_int_equal(gy_os_read_file(other, 5000000, &back, &size), GYRE_OK);
        assert_int_equal(size, sizes[s]);
        assert_memory_equal(back, bytes, size);
        gy_os_release(back, size);
        free(bytes);
    }
    void *back = NULL;
    size_t size = 0;
    assert_int_equal(gy_os_read_file(other, 4999999, &back, &size), GYRE_ERROR_FILE);
    assert_non_null(strstr(gyre_message(), "longer than 4999999"));
    assert_int_equal(remove(other), 0);
    assert_int_equal(gy_os_read_file(other, 10, &back, &size), GYRE_ERROR_FILE);
    assert_non_null(strstr(gyre_message(), other));
    // rmdir fails where a ".part" file was left.
    assert_int_equal(remove(path), 0);
}

static void unwritable_files_are_told(void **state)
{
    (void)state;
    assert_int_equal(gy_os_write_file("/nowhere/at/all", "x", 1), GYRE_ERROR_FILE);
    assert_non_null(strstr(gyre_message(), "/nowhere/at/all"));
    assert_int_equal(gy_os_write_file("/tmp", "x", 1), GYRE_ERROR_FILE);
    void *back = NULL;
    size_t size = 0;
    assert_int_equal(gy_os_read_file("/tmp", 10, &back, &size), GYRE_ERROR_FILE);
#ifdef __linux__
    assert_int_equal(gy_os_write_file("/dev/full", "x", 1), GYRE_ERROR_FILE);
    assert_int_equal(gy_os_write_file("/dev/null", "x", 1), GYRE_OK);
#endif
}

static void system_answers(void **state)
{
    (void)state;
    assert_true(gy_os_cores() >= 1);
    assert_true(gy_os_memory() > (size_t)1 << 20);
    double a = gy_os_now(), b = gy_os_now();
    assert_true(b >= a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_carry_messages),
        cmocka_unit_test(messages_belong_to_threads),
        cmocka_unit_test(hash_is_xxh64),
        cmocka_unit_test(hash_sees_every_byte),
        cmocka_unit_test(finite_is_told),
        cmocka_unit_test(halves_round_to_the_nearest),
        cmocka_unit_test(halves_end_at_both_ends),
        cmocka_unit_test(memory_is_aligned_and_zeroed),
        cmocka_unit_test(host_hooks_are_used),
        cmocka_unit_test(files_come_back),
        cmocka_unit_test(unwritable_files_are_told),
        cmocka_unit_test(system_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
