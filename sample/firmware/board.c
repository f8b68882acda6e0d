// board.c: all that a Cortex-M needs from reset to main, without any library: vectors, memory,
// semihosting (a debugger's or an emulator's ear), a count of instructions, the stack's high water.
#include "picture.h"

#include <stddef.h>

extern uint32_t stack_top[], data_start[], data_end[], data_image[], bss_start[], bss_end[];

enum { PAINT = 0x5afe5afe };

// The system timer counts down from 2^24 - 1 at the clock's rate. Under an emulator that gives each
// instruction the same time it counts instructions, once its rate is known.
static volatile uint32_t *const timer = (volatile uint32_t *)0xe000e010; // control, reload, value
static volatile uint32_t turns;
static uint64_t ticks_per_million;

static uint32_t semihost(uint32_t call, const void *argument)
{
    register uint32_t r0 __asm__("r0") = call;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

void put(const char *text)
{
    semihost(4, text);
}

static uint64_t ticks(void)
{
    uint32_t before, now;
    do {
        before = turns;
        now = timer[2];
    } while (before != turns);
    return ((uint64_t)before << 24) + ((0u - now) & 0xffffff);
}

static void count_a_million(void)
{
    uint32_t n = 500000;
    __asm__ volatile(".balign 4\n1: sub %0, %0, #1\ncmp %0, #0\nbne 1b" : "+l"(n) : : "cc");
}

uint64_t instructions(void)
{
    if (!ticks_per_million) {
        timer[1] = 0xffffff;
        timer[2] = 0;
        timer[0] = 7;
        uint64_t start = ticks();
        count_a_million();
        ticks_per_million = (ticks() - start) * 2 / 3;
    }
    return ticks() * 1000000 / ticks_per_million;
}

// A compiler may ask for these two, whatever the program calls.
void *memset(void *memory, int byte, size_t size)
{
    volatile unsigned char *p = memory;
    while (size--) {
        *p++ = (unsigned char)byte;
    }
    return memory;
}

void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    volatile unsigned char *p = to;
    const unsigned char *q = from;
    while (size--) {
        *p++ = *q++;
    }
    return to;
}

static void end(uint32_t reason)
{
    semihost(0x18, (const void *)(uintptr_t)reason);
    for (;;) {
    }
}

void on_reset(void);

void on_reset(void)
{
    uint32_t *here;
    __asm__ volatile("mov %0, sp" : "=r"(here));
    for (uint32_t *p = bss_end; p < here; p++) {
        *p = PAINT;
    }
    for (uint32_t *p = data_start, *q = data_image; p < data_end; p++, q++) {
        *p = *q;
    }
    for (uint32_t *p = bss_start; p < bss_end; p++) {
        *p = 0;
    }
#ifdef __ARM_FP
    *(volatile uint32_t *)0xe000ed88 |= 0xfu << 20;
    __asm__ volatile("dsb\nisb");
#endif
    picture();
    uint32_t *deepest = bss_end;
    while (*deepest == PAINT) {
        deepest++;
    }
    put("stack ");
    put_number((uint64_t)((uintptr_t)stack_top - (uintptr_t)deepest));
    put(" bytes\n");
    end(0x20026);
}

static void on_timer(void)
{
    turns++;
}

static void on_fault(void)
{
    put("fault\n");
    end(0x20023);
}

typedef union vector {
    const void *stack;
    void (*handler)(void);
} vector;

__attribute__((section(".vectors"), used)) static const vector vectors[16] = {
    {.stack = stack_top},  {.handler = on_reset}, {.handler = on_fault}, {.handler = on_fault},
    {.handler = on_fault}, {.handler = on_fault}, {.handler = on_fault}, {.handler = on_fault},
    {.handler = on_fault}, {.handler = on_fault}, {.handler = on_fault}, {.handler = on_fault},
    {.handler = on_fault}, {.handler = on_fault}, {.handler = on_fault}, {.handler = on_timer},
};
