// device/cpu.h: the CPU device's parts.
#ifndef GY_CPU_H
#define GY_CPU_H

#include "device/device.h"

/// The caller's included.
enum { GY_MAX_THREADS = 256 };

typedef struct gy_pool gy_pool;

typedef struct gy_cpu {
    const gy_isa_table *table;
    gy_pool *pool; // NULL: one thread, or the host's parallel_for
} gy_cpu;

/// `threads` counts the caller: one worker fewer is started.
gyre_result gy_pool_create(const gyre_host *host, int threads, gy_pool **pool);
void gy_pool_destroy(gy_pool *pool);

/// Calls task(argument, i) for i in [0, count), the calling thread working too. From one thread at
/// a time, and not from inside a task.
void gy_pool_run(gy_pool *pool, int count, gyre_task *task, void *argument);

#endif
