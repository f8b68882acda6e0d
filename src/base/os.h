// base/os.h: all that an operating system provides. One file per system implements it: os_posix.c.
#ifndef GY_OS_H
#define GY_OS_H

#include "base/base.h"

typedef struct gy_thread gy_thread;
typedef struct gy_mutex gy_mutex;
typedef struct gy_condition gy_condition;

gyre_result gy_thread_start(gy_thread **thread, void (*run)(void *), void *argument);
void gy_thread_join(gy_thread *thread);
gyre_result gy_mutex_create(gy_mutex **mutex);
/// One that its thread may lock again, and unlocks as often.
gyre_result gy_mutex_create_nesting(gy_mutex **mutex);
void gy_mutex_destroy(gy_mutex *mutex);
void gy_mutex_lock(gy_mutex *mutex);
void gy_mutex_unlock(gy_mutex *mutex);
gyre_result gy_condition_create(gy_condition **condition);
void gy_condition_destroy(gy_condition *condition);
void gy_condition_wait(gy_condition *condition, gy_mutex *mutex);
void gy_condition_broadcast(gy_condition *condition);

int gy_os_cores(void);
/// Seconds from some fixed moment, monotonic.
double gy_os_now(void);
/// Aligned, zeroed memory straight from the system, with large pages where they help; alignment up
/// to 4096. NULL when there is none. Release it with the size it was taken with.
void *gy_os_allocate(size_t size, size_t alignment);
void gy_os_release(void *memory, size_t size);

/// Writes a whole file: beside its final name, flushed to the disk, then renamed over it.
gyre_result gy_os_write_file(const char *path, const void *bytes, size_t size);
/// Reads a whole file into memory from gy_os_allocate; `limit` bytes at most.
gyre_result gy_os_read_file(const char *path, size_t limit, void **bytes, size_t *size);
/// Physical memory of this machine in bytes, 0 when unknown.
size_t gy_os_memory(void);

#endif
