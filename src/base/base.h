// base/base.h: what files of the library share: inlining, memory through the host, arenas, hashes.
#ifndef GY_BASE_H
#define GY_BASE_H

#include "gyre/base.h"

#if defined(__GNUC__)
#define GY_INLINE static inline __attribute__((always_inline))
#define GY_NOINLINE __attribute__((noinline))
#else
#define GY_INLINE static inline
#define GY_NOINLINE
#endif

#define GY_MIN(a, b) ((a) < (b) ? (a) : (b))
#define GY_MAX(a, b) ((a) > (b) ? (a) : (b))
#define GY_COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

#ifndef GYRE_PLANE
#define GYRE_PLANE 0
#endif
/// How messages begin that tell what a build for planes (see plane/plane.h) has not.
#define GY_PLANE_ONLY "this module holds gases in 2D only"

/// Whether so many dimensions are three. Where the build is for planes alone (GYRE_PLANE) the
/// compiler knows that they are not, and leaves out what is there for space.
GY_INLINE bool gy_is_3d(int dim)
{
    return !GYRE_PLANE && dim == 3;
}

/// Whether a pointer that a call needs is NULL; the message then names the call and the pointer.
#define GY_MISSING(call, pointer)                                                                  \
    (!(pointer) && gyre_fail(GYRE_ERROR_ARGUMENT, "%s: " #pointer " is NULL", call) != GYRE_OK)

/// A copy of `host` with every NULL function replaced by the default (parallel_for stays NULL).
gyre_host gy_host_complete(const gyre_host *host);

/// Memory from the host, zeroed. NULL when there is none (and the message is set).
void *gy_allocate(const gyre_host *host, size_t size, size_t alignment);
void gy_release(const gyre_host *host, void *memory, size_t size);
void gy_log(const gyre_host *host, gyre_log_level level, const char *format, ...) GYRE_PRINTF(3, 4);

/// A 64-bit hash of bytes, little-endian, the same on every machine (XXH64's construction).
/// Feed pieces by handing the last result as seed.
uint64_t gy_hash(const void *bytes, size_t size, uint64_t seed);

/// What stands first in a def: whose it is (two letters), and how many bytes of it its maker knows.
uint32_t gy_cookie(uint32_t tag, size_t size);
/// Whether a def of `type` (NULL: none) begins so. GYRE_ERROR_ARGUMENT: another, or of another
/// size.
gyre_result gy_cookie_check(const void *def, uint32_t tag, size_t size, const char *type);
/// Copies a struct of `own` bytes into one of `size`, as the caller's headers know it: what is
/// beyond either is left out, or 0.
void gy_copy_sized(void *to, size_t size, const void *from, size_t own);

/// Finite: neither NaN nor infinity. Works whatever the compiler's floating-point options.
GY_INLINE bool gy_is_finite(float x)
{
    union {
        float f;
        uint32_t u;
    } v = {x};
    return (v.u & 0x7f800000u) != 0x7f800000u;
}

#endif
