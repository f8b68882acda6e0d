// base/os.h where the C library is POSIX's: threads, files and the clock on Linux and, without its
// extras, macOS and the BSDs, and on the web. What processors and memory there are, is
// os_machine.c's, on the web os_web.c's.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // O_CLOEXEC and the like beside -std=c17
#endif

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/os.h"

struct gy_thread {
    pthread_t id;
    void (*run)(void *);
    void *argument;
};

struct gy_mutex {
    pthread_mutex_t mutex;
};

struct gy_condition {
    pthread_cond_t condition;
};

static void *take(size_t size)
{
    void *memory = calloc(1, size);
    if (!memory)
        gyre_fail(GYRE_ERROR_MEMORY, "out of memory: %zu bytes are not to be had", size);
    return memory;
}

static void *run_thread(void *argument)
{
    gy_thread *thread = argument;
    thread->run(thread->argument);
    return NULL;
}

gyre_result gy_thread_start(gy_thread **thread, void (*run)(void *), void *argument)
{
    gy_thread *made = take(sizeof *made);
    if (!made)
        return GYRE_ERROR_MEMORY;
    made->run = run;
    made->argument = argument;
    int error = pthread_create(&made->id, NULL, run_thread, made);
    if (error) {
        free(made);
        return gyre_fail(GYRE_ERROR_UNSUPPORTED, "a thread could not be started: %s",
                         strerror(error));
    }
    *thread = made;
    return GYRE_OK;
}

void gy_thread_join(gy_thread *thread)
{
    pthread_join(thread->id, NULL);
    free(thread);
}

static gyre_result make_mutex(gy_mutex **mutex, const pthread_mutexattr_t *kind)
{
    gy_mutex *made = take(sizeof *made);
    if (!made)
        return GYRE_ERROR_MEMORY;
    if (pthread_mutex_init(&made->mutex, kind)) {
        free(made);
        return gyre_fail(GYRE_ERROR_UNSUPPORTED, "a mutex could not be made");
    }
    *mutex = made;
    return GYRE_OK;
}

gyre_result gy_mutex_create(gy_mutex **mutex)
{
    return make_mutex(mutex, NULL);
}

gyre_result gy_mutex_create_nesting(gy_mutex **mutex)
{
    pthread_mutexattr_t kind;
    if (pthread_mutexattr_init(&kind))
        return gyre_fail(GYRE_ERROR_UNSUPPORTED, "a mutex could not be made");
    gyre_result result = GYRE_OK;
    if (pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE))
        result = gyre_fail(GYRE_ERROR_UNSUPPORTED, "a mutex could not be made");
    if (result == GYRE_OK)
        result = make_mutex(mutex, &kind);
    pthread_mutexattr_destroy(&kind);
    return result;
}

void gy_mutex_destroy(gy_mutex *mutex)
{
    if (!mutex)
        return;
    pthread_mutex_destroy(&mutex->mutex);
    free(mutex);
}

void gy_mutex_lock(gy_mutex *mutex)
{
    pthread_mutex_lock(&mutex->mutex);
}

void gy_mutex_unlock(gy_mutex *mutex)
{
    pthread_mutex_unlock(&mutex->mutex);
}

gyre_result gy_condition_create(gy_condition **condition)
{
    gy_condition *made = take(sizeof *made);
    if (!made)
        return GYRE_ERROR_MEMORY;
    if (pthread_cond_init(&made->condition, NULL)) {
        free(made);
        return gyre_fail(GYRE_ERROR_UNSUPPORTED, "a condition could not be made");
    }
    *condition = made;
    return GYRE_OK;
}

void gy_condition_destroy(gy_condition *condition)
{
    if (!condition)
        return;
    pthread_cond_destroy(&condition->condition);
    free(condition);
}

void gy_condition_wait(gy_condition *condition, gy_mutex *mutex)
{
    pthread_cond_wait(&condition->condition, &mutex->mutex);
}

void gy_condition_broadcast(gy_condition *condition)
{
    pthread_cond_broadcast(&condition->condition);
}

double gy_os_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static gyre_result file_error(const char *path, const char *what)
{
    return gyre_fail(GYRE_ERROR_FILE, "%s: %s: %s", path, what, strerror(errno));
}

static bool write_all(int file, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t done = write(file, bytes, GY_MIN(size, (size_t)1 << 30));
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return false;
        bytes += done;
        size -= (size_t)done;
    }
    return true;
}

// So that the new name itself survives a power cut. Where a directory cannot be synced there is
// nothing more to do.
static void sync_directory_of(const char *path)
{
    char directory[4096];
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) + 1 : 1;
    if (length >= sizeof directory)
        return;
    memcpy(directory, slash ? path : ".", length);
    directory[length] = 0;
    int file = open(directory, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return;
    fsync(file);
    close(file);
}

// A pipe or a device has no final name to be kept from; renaming over it would replace it.
static gyre_result write_in_place(const char *path, const void *bytes, size_t size)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return file_error(path, "cannot be opened");
    bool good = write_all(file, bytes, size);
    int error = errno;
    if (close(file) && good) {
        good = false;
        error = errno;
    }
    errno = error;
    return good ? GYRE_OK : file_error(path, "cannot be written");
}

gyre_result gy_os_write_file(const char *path, const void *bytes, size_t size)
{
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
        return write_in_place(path, bytes, size);

    static atomic_uint counter;
    char beside[4096];
    int length = snprintf(beside, sizeof beside, "%s.%ld-%u.part", path, (long)getpid(),
                          atomic_fetch_add(&counter, 1u));
    if (length < 0 || (size_t)length >= sizeof beside)
        return gyre_fail(GYRE_ERROR_FILE, "%.64s...: the name is too long", path);
    int file = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0)
        return file_error(path, "cannot be made");
    bool good = write_all(file, bytes, size) && fsync(file) == 0;
    int error = errno;
    if (close(file) && good) {
        good = false;
        error = errno;
    }
    if (good && rename(beside, path)) {
        good = false;
        error = errno;
    }
    if (!good) {
        unlink(beside);
        errno = error;
        return file_error(path, "cannot be written");
    }
    sync_directory_of(path);
    return GYRE_OK;
}

// Reads to the end. The buffer grows in powers of two, for a pipe does not tell its length.
static gyre_result read_all(int file, const char *path, size_t limit, size_t guess, char **bytes,
                            size_t *room, size_t *size)
{
    *room = guess;
    *size = 0;
    *bytes = gy_os_allocate(*room, 64);
    for (;;) {
        if (!*bytes)
            return gyre_fail(GYRE_ERROR_MEMORY, "%s: out of memory", path);
        ssize_t done = read(file, *bytes + *size, GY_MIN(*room - *size, (size_t)1 << 30));
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return file_error(path, "cannot be read");
        if (done == 0)
            return GYRE_OK;
        *size += (size_t)done;
        if (*size > limit)
            return gyre_fail(GYRE_ERROR_FILE, "%s: is longer than %zu bytes", path, limit);
        if (*size < *room)
            continue;
        char *more = gy_os_allocate(*room * 2, 64);
        if (more)
            memcpy(more, *bytes, *size);
        gy_os_release(*bytes, *room);
        *bytes = more;
        *room *= 2;
    }
}

gyre_result gy_os_read_file(const char *path, size_t limit, void **bytes, size_t *size)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return file_error(path, "cannot be opened");
    struct stat status;
    size_t guess = 4096;
    gyre_result result = GYRE_OK;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode)) {
        if ((uintmax_t)status.st_size > limit)
            result = gyre_fail(GYRE_ERROR_FILE, "%s: is longer than %zu bytes", path, limit);
        guess = (size_t)status.st_size + 1; // one more, so that the end is met without growing
    }
    char *buffer = NULL;
    size_t room = 0, length = 0;
    if (result == GYRE_OK)
        result = read_all(file, path, limit, guess, &buffer, &room, &length);
    close(file);
    // The caller releases by the length of the content, so the memory must have just that.
    char *exact = result == GYRE_OK ? gy_os_allocate(length, 64) : NULL;
    if (result == GYRE_OK && !exact)
        result = gyre_fail(GYRE_ERROR_MEMORY, "%s: out of memory", path);
    if (exact) {
        memcpy(exact, buffer, length);
        *bytes = exact;
        *size = length;
    }
    if (buffer)
        gy_os_release(buffer, room);
    return result;
}
