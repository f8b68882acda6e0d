/// @file gyre/base.h
/// Results, versions and host hooks: what every other header builds on.
#ifndef GYRE_BASE_H
#define GYRE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GYRE_VERSION_MAJOR 0 ///< of these headers
#define GYRE_VERSION_MINOR 1 ///< of these headers
#define GYRE_VERSION_PATCH 0 ///< of these headers
/// One number that grows with the version: 100 for 0.1.0.
#define GYRE_VERSION (10000 * GYRE_VERSION_MAJOR + 100 * GYRE_VERSION_MINOR + GYRE_VERSION_PATCH)

// What may change when (the rule in full is in CONTRIBUTING.md):
// - patch (0.1.x): nothing that a program sees. A library of a later patch takes the place of an
//   earlier one without compiling anew; results stay the same bits.
// - minor, before 1.0: anything; from 1.0 on: what is new, and structs may grow at their end.
// - major: anything.
// Whatever changes, the library finds out: defs carry the size that the program's headers give
// them, and structs are filled by pointer and size.

#ifndef GYRE_API
#if defined(_WIN32) && defined(GYRE_SHARED)
#ifdef GYRE_BUILD
#define GYRE_API __declspec(dllexport)
#else
#define GYRE_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define GYRE_API __attribute__((visibility("default")))
#else
#define GYRE_API
#endif
#endif

/// Lets compilers check the arguments of a function against its format.
#if defined(__GNUC__)
#define GYRE_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define GYRE_PRINTF(text, first)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// What a call that can fail returns. Anything but GYRE_OK left the objects it was given unchanged,
/// unless its own comment says otherwise, and stored a sentence that gyre_message() returns.
typedef enum gyre_result {
    GYRE_OK = 0,
    GYRE_ERROR_ARGUMENT,    ///< a value handed in is wrong: out of range, NaN, unknown name
    GYRE_ERROR_MEMORY,      ///< the host's allocator returned nothing
    GYRE_ERROR_FILE,        ///< a file could not be opened, read, written or renamed
    GYRE_ERROR_FORMAT,      ///< data is damaged, of another version, or not what it says
    GYRE_ERROR_UNSUPPORTED, ///< not built in, or not to be had on this machine
    GYRE_ERROR_STATE,       ///< the call does not fit the object's present state
    GYRE_ERROR_INTERRUPTED, ///< stopped on request before its end
    GYRE_ERROR_DEVICE       ///< the device failed or was lost; what it held is lost with it
} gyre_result;

// NULL. An object, a name, an array or a place to answer in that a call needs must not be NULL.
// Where it is, nothing happens but a message that names the call and the pointer, and the call
// returns GYRE_ERROR_ARGUMENT; one that returns no result returns what stands for nothing: NULL, 0,
// false, -1 for an index, a struct of zeros. An array may be NULL where it has no elements.
// Destroying, freeing, closing and aborting NULL does nothing. Where NULL means something else, the
// function's own comment says so.

/// The name of a result ("ok", "argument", ...). Never NULL.
GYRE_API const char *gyre_result_name(gyre_result result);

/// The sentence that the last failed call on this thread stored; "" before the first failure.
/// Valid until the next failing call on the same thread.
GYRE_API const char *gyre_message(void);

/// Stores a sentence (printf-like, cut at 1023 bytes) for gyre_message() and returns `result`, so
/// that a function can say `return gyre_fail(GYRE_ERROR_FILE, "%s: no such file", path);`.
GYRE_API gyre_result gyre_fail(gyre_result result, const char *format, ...) GYRE_PRINTF(2, 3);

/// "0.1.0", of the library that runs; any thread.
GYRE_API const char *gyre_version(void);
/// GYRE_VERSION of the library that runs, which may be another than that of the headers; any
/// thread.
GYRE_API int gyre_version_number(void);

/// How much a line of the log matters.
typedef enum gyre_log_level { GYRE_LOG_DEBUG, GYRE_LOG_INFO, GYRE_LOG_WARNING } gyre_log_level;

/// One piece of a parallel loop: is called once for each index in [0, count), on any thread.
typedef void gyre_task(void *argument, int index);

/// What the library needs from the program around it. Any member may be NULL: zero means default
/// (the C library's allocator, messages to nowhere, a thread pool of the library's own).
typedef struct gyre_host {
    /// Returns `size` bytes aligned to `alignment` (a power of two, at most 4096), or NULL.
    void *(*allocate)(void *user, size_t size, size_t alignment);
    /// Gives back what allocate returned; required with allocate. Never called with NULL.
    void (*release)(void *user, void *memory, size_t size);
    /// Receives one line without a line break. May be called from any thread.
    void (*log)(void *user, gyre_log_level level, const char *message);
    /// Calls task(argument, i) for every i in [0, count) and returns when all have returned. The
    /// order and the threads are the host's business: results do not depend on them.
    void (*parallel_for)(void *user, int count, gyre_task *task, void *argument);
    void *user; ///< handed to each of the functions above
} gyre_host;

#ifdef __cplusplus
}
#endif
#endif
