// The pool: workers that take tasks off one counter. A step runs dozens of ops, most of them
// shorter than it takes to wake a thread, so that workers look out for the next one a short while
// before they sleep.
#include <stdatomic.h>
#include <string.h>

#include "base/os.h"
#include "device/cpu.h"

#if defined(__x86_64__) || defined(__i386__)
#define RELAX() __builtin_ia32_pause()
#elif defined(__aarch64__)
#define RELAX() __asm__ volatile("yield")
#else
#define RELAX() ((void)0)
#endif

struct gy_pool {
    gyre_host host;
    int workers;
    double patience; // seconds to look out before sleeping
    gy_thread *threads[GY_MAX_THREADS];
    gy_mutex *mutex;
    gy_condition *work; // for workers: tasks are there, or stop is set
    gy_condition *done; // for the caller: no task is unfinished

    // The job: written by the caller while `waiting` is 0, read by those who took a task.
    gyre_task *task;
    void *argument;
    int count;

    // On lines of their own: workers hammer on them.
    _Alignas(64) atomic_int waiting;    // tasks that nobody has taken yet
    _Alignas(64) atomic_int unfinished; // tasks that have not returned
    _Alignas(64) atomic_int sleepers;
    atomic_bool caller_sleeps;
    atomic_bool stop;
};

// Takes tasks until none waits. Whoever lowers `waiting` owns a task of the present job, which
// cannot end before that task does: so the job's members are his to read.
static void work_off(gy_pool *pool)
{
    int left = atomic_load_explicit(&pool->waiting, memory_order_relaxed);
    while (left > 0) {
        if (!atomic_compare_exchange_weak_explicit(&pool->waiting, &left, left - 1,
                                                   memory_order_acquire, memory_order_relaxed))
            continue;
        pool->task(pool->argument, pool->count - left);
        if (atomic_fetch_sub(&pool->unfinished, 1) == 1 && atomic_load(&pool->caller_sleeps)) {
            gy_mutex_lock(pool->mutex);
            gy_condition_broadcast(pool->done);
            gy_mutex_unlock(pool->mutex);
        }
        left = atomic_load_explicit(&pool->waiting, memory_order_relaxed);
    }
}

typedef bool ready_function(gy_pool *pool);

static bool has_work(gy_pool *pool)
{
    return atomic_load(&pool->waiting) > 0 || atomic_load(&pool->stop);
}

static bool has_ended(gy_pool *pool)
{
    return atomic_load(&pool->unfinished) == 0;
}

// Whether it came true while looking out.
static bool look_out(gy_pool *pool, ready_function *ready)
{
    if (ready(pool))
        return true;
    if (pool->patience <= 0.0)
        return false;
    double end = gy_os_now() + pool->patience;
    do {
        for (int i = 0; i < 16; i++) {
            RELAX();
            if (ready(pool))
                return true;
        }
    } while (gy_os_now() < end);
    return false;
}

static void worker(void *argument)
{
    gy_pool *pool = argument;
    for (;;) {
        if (!look_out(pool, has_work)) {
            gy_mutex_lock(pool->mutex);
            // In this order, against the caller's reverse: one of the two sees the other.
            atomic_fetch_add(&pool->sleepers, 1);
            while (!has_work(pool))
                gy_condition_wait(pool->work, pool->mutex);
            atomic_fetch_sub(&pool->sleepers, 1);
            gy_mutex_unlock(pool->mutex);
        }
        if (atomic_load(&pool->stop))
            return;
        work_off(pool);
    }
}

void gy_pool_run(gy_pool *pool, int count, gyre_task *task, void *argument)
{
    pool->task = task;
    pool->argument = argument;
    pool->count = count;
    atomic_store_explicit(&pool->unfinished, count, memory_order_relaxed);
    atomic_store(&pool->waiting, count);
    if (atomic_load(&pool->sleepers) > 0) {
        gy_mutex_lock(pool->mutex);
        gy_condition_broadcast(pool->work);
        gy_mutex_unlock(pool->mutex);
    }
    work_off(pool);
    if (look_out(pool, has_ended))
        return;
    gy_mutex_lock(pool->mutex);
    atomic_store(&pool->caller_sleeps, true);
    while (!has_ended(pool))
        gy_condition_wait(pool->done, pool->mutex);
    atomic_store(&pool->caller_sleeps, false);
    gy_mutex_unlock(pool->mutex);
}

void gy_pool_destroy(gy_pool *pool)
{
    atomic_store(&pool->stop, true);
    if (pool->mutex && pool->work) {
        gy_mutex_lock(pool->mutex);
        gy_condition_broadcast(pool->work);
        gy_mutex_unlock(pool->mutex);
    }
    for (int i = 0; i < pool->workers; i++)
        gy_thread_join(pool->threads[i]);
    gy_condition_destroy(pool->work);
    gy_condition_destroy(pool->done);
    gy_mutex_destroy(pool->mutex);
    gyre_host host = pool->host;
    gy_release(&host, pool, sizeof *pool);
}

gyre_result gy_pool_create(const gyre_host *host, int threads, gy_pool **pool)
{
    gy_pool *made = gy_allocate(host, sizeof *made, 64);
    if (!made)
        return GYRE_ERROR_MEMORY;
    made->host = *host;
    // With more threads than cores, who looks out keeps a core from who has work.
    made->patience = threads <= gy_os_cores() ? 30e-6 : 0.0;
    gyre_result result = gy_mutex_create(&made->mutex);
    if (result == GYRE_OK)
        result = gy_condition_create(&made->work);
    if (result == GYRE_OK)
        result = gy_condition_create(&made->done);
    while (result == GYRE_OK && made->workers < threads - 1) {
        result = gy_thread_start(&made->threads[made->workers], worker, made);
        if (result == GYRE_OK)
            made->workers++;
    }
    if (result != GYRE_OK) {
        gy_pool_destroy(made);
        return result;
    }
    *pool = made;
    return GYRE_OK;
}
