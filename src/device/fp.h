// device/fp.h: the floating-point environment of a task: round to nearest, denormals kept. Threads
// of a host may come with other settings (audio and game threads flush denormals), and results must
// not depend on who runs a task.
#ifndef GY_FP_H
#define GY_FP_H

#include "base/base.h"

#if defined(__x86_64__) || defined(_M_X64) || defined(__SSE2__)
#include <xmmintrin.h>

typedef unsigned int gy_fp;

GY_INLINE gy_fp gy_fp_enter(void)
{
    gy_fp found = _mm_getcsr();
    _mm_setcsr(0x1f80u); // exceptions masked, to nearest, neither FTZ nor DAZ
    return found;
}

GY_INLINE void gy_fp_leave(gy_fp found)
{
    _mm_setcsr(found);
}

#elif defined(__aarch64__)

typedef uint64_t gy_fp;

GY_INLINE gy_fp gy_fp_enter(void)
{
    gy_fp found;
    __asm__ volatile("mrs %0, fpcr" : "=r"(found));
    __asm__ volatile("msr fpcr, %0" : : "r"((gy_fp)0) : "memory");
    return found;
}

GY_INLINE void gy_fp_leave(gy_fp found)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(found) : "memory");
}

#else

// WebAssembly has no such modes; on other processors the C library starts threads as IEEE 754 asks.
typedef int gy_fp;

GY_INLINE gy_fp gy_fp_enter(void)
{
    return 0;
}

GY_INLINE void gy_fp_leave(gy_fp found)
{
    (void)found;
}

#endif
#endif
