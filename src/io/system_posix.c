// io/system_posix.c: io/system.h for POSIX systems.
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE 1
#if defined(__APPLE__)
#define _DARWIN_C_SOURCE 1
#endif

#include "io/system.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct gy_io_file {
    int fd;
    char *path, *temporary;
};

struct gy_io_process {
    pid_t pid;
    int input;  // a socket, so that a dead reader is an error and not a signal
    int output; // of the program's standard error
    size_t used;
    char text[4096]; // the end of what it wrote
};

static void free_file(gy_io_file *file)
{
    free(file->path);
    free(file->temporary);
    free(file);
}

static gyre_result write_error(const char *path, int error)
{
    return gyre_fail(GYRE_ERROR_FILE, "%s: cannot be written: %s", path, strerror(error));
}

gyre_result gy_io_create(const char *path, gy_io_file **file)
{
    static atomic_uint counter;
    struct stat info;

    if (path[0] == '\0')
        return gyre_fail(GYRE_ERROR_ARGUMENT, "a file name is empty");
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
        return gyre_fail(GYRE_ERROR_FILE, "%s: is there already and no regular file", path);
    gy_io_file *made = calloc(1, sizeof *made);
    size_t size = strlen(path) + 40;

    if (made != NULL) {
        made->path = malloc(size);
        made->temporary = malloc(size);
    }
    if (made == NULL || made->path == NULL || made->temporary == NULL) {
        if (made != NULL)
            free_file(made);
        return gyre_fail(GYRE_ERROR_MEMORY, "%s: no memory for a file name", path);
    }
    snprintf(made->path, size, "%s", path);
    snprintf(made->temporary, size, "%s.part-%ld-%u", path, (long)getpid(),
             atomic_fetch_add(&counter, 1u));
    made->fd = open(made->temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (made->fd < 0) {
        int error = errno;

        free_file(made);
        return write_error(path, error);
    }
    *file = made;
    return GYRE_OK;
}

gyre_result gy_io_write(gy_io_file *file, const void *bytes, size_t size)
{
    const char *at = bytes;

    while (size > 0) {
        ssize_t done = write(file->fd, at, size < 0x40000000u ? size : 0x40000000u);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return write_error(file->path, done < 0 ? errno : ENOSPC);
        at += done;
        size -= (size_t)done;
    }
    return GYRE_OK;
}

gyre_result gy_io_cut(gy_io_file *file, uint64_t size)
{
    return ftruncate(file->fd, (off_t)size) == 0 ? GYRE_OK : write_error(file->path, errno);
}

// The rename itself is safe only when the folder is on the disk too. Folders of some file systems
// cannot be flushed; the file is whole all the same.
static void flush_folder(const char *path)
{
    char *folder = malloc(strlen(path) + 2);

    if (folder == NULL)
        return;
    const char *slash = strrchr(path, '/');

    if (slash == NULL)
        strcpy(folder, ".");
    else
        snprintf(folder, strlen(path) + 2, "%.*s/", (int)(slash - path), path);
    int fd = open(folder, O_RDONLY | O_CLOEXEC);

    free(folder);
    if (fd >= 0) {
        (void)fsync(fd);
        close(fd);
    }
}

gyre_result gy_io_commit(gy_io_file *file)
{
    int error = 0;

    if (fsync(file->fd) != 0 && errno != EINVAL && errno != EROFS)
        error = errno;
    if (close(file->fd) != 0 && error == 0)
        error = errno;
    if (error == 0 && rename(file->temporary, file->path) != 0)
        error = errno;
    if (error != 0) {
        gyre_result result = write_error(file->path, error);

        unlink(file->temporary);
        free_file(file);
        return result;
    }
    flush_folder(file->path);
    free_file(file);
    return GYRE_OK;
}

void gy_io_discard(gy_io_file *file)
{
    if (file == NULL)
        return;
    close(file->fd);
    unlink(file->temporary);
    free_file(file);
}

const char *gy_io_temporary(const gy_io_file *file)
{
    return file->temporary;
}

gyre_result gy_io_open(const char *path, FILE **stream, uint64_t *size)
{
    struct stat info;
    // A pipe that nobody writes to would keep an open that waits from ever coming back.
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

    if (fd < 0)
        return gyre_fail(GYRE_ERROR_FILE, "%s: cannot be read: %s", path, strerror(errno));
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
        close(fd);
        return gyre_fail(GYRE_ERROR_FILE, "%s: cannot be read: not a regular file", path);
    }
    FILE *opened = fdopen(fd, "rb");

    if (opened == NULL) {
        close(fd);
        return gyre_fail(GYRE_ERROR_MEMORY, "%s: cannot be read: no memory", path);
    }
    *stream = opened;
    *size = (uint64_t)info.st_size;
    return GYRE_OK;
}

char *gy_io_absolute(const char *path)
{
    char *found = realpath(path, NULL);
    return found ? found : strdup(path);
}

char *gy_io_absolute_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
    char *found = folder ? gy_io_absolute(folder) : NULL;
    free(folder);
    return found;
}

bool gy_io_same_file(const char *a, const char *b)
{
    struct stat x, y;

    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static char *join(const char *folder, const char *name)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char *made = malloc(size);

    if (made != NULL)
        snprintf(made, size, "%s/%s", strcmp(folder, "/") == 0 ? "" : folder, name);
    return made;
}

// A link that leads to nothing yet: what it names, from where it lies; NULL: none.
static char *follow(const char *folder, const char *path)
{
    char target[4096];
    ssize_t length = readlink(path, target, sizeof target - 1);

    if (length <= 0)
        return NULL;
    target[length] = '\0';
    return target[0] == '/' ? strdup(target) : join(folder, target);
}

char *gy_io_real(const char *path)
{
    char *found = realpath(path, NULL), *at = found != NULL ? NULL : strdup(path);

    // As many links as a system follows at most.
    for (int links = 0; at != NULL && links < 40; links++) {
        char *folder = gy_io_absolute_folder(at);
        char *next = folder != NULL ? follow(folder, at) : NULL;
        const char *slash = strrchr(at, '/');

        if (next == NULL) {
            found = folder != NULL ? join(folder, slash != NULL ? slash + 1 : at) : NULL;
            free(folder);
            break;
        }
        free(folder);
        free(at);
        at = next;
    }
    free(at);
    return found;
}

bool gy_io_is_folder(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

gyre_result gy_io_list(const char *folder, void (*each)(void *user, const char *name), void *user)
{
    DIR *all = opendir(folder);

    if (all == NULL)
        return gyre_fail(GYRE_ERROR_FILE, "%s: %s", folder, strerror(errno));
    for (const struct dirent *entry; (entry = readdir(all)) != NULL;)
        each(user, entry->d_name);
    closedir(all);
    return GYRE_OK;
}

gyre_result gy_io_check_folder(const char *path)
{
    gy_io_file *file;
    gyre_result result = gy_io_create(path, &file);

    if (result == GYRE_OK)
        gy_io_discard(file);
    return result;
}

static void close_pair(const int pair[2])
{
    close(pair[0]);
    close(pair[1]);
}

static bool set_flags(int fd, bool nonblocking)
{
    int flags = fcntl(fd, F_GETFL);

    return fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 && flags >= 0 &&
           (!nonblocking || fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0);
}

// The program gets a process group of its own, out of the terminal's reach, and the signals' usual
// meaning, whatever the caller has blocked or ignored.
static int start(const char *const *argv, int input, int output, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, usual;
    int error = posix_spawn_file_actions_init(&actions);

    if (error != 0)
        return error;
    error = posix_spawnattr_init(&attributes);
    if (error != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return error;
    }
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGINT);
    sigaddset(&usual, SIGTERM);
    error = posix_spawn_file_actions_adddup2(&actions, input, 0);
    if (error == 0)
        error = posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(&actions, output, 2);
    if (error == 0)
        error = posix_spawnattr_setflags(
            &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    if (error == 0)
        error = posix_spawnattr_setpgroup(&attributes, 0);
    if (error == 0)
        error = posix_spawnattr_setsigmask(&attributes, &none);
    if (error == 0)
        error = posix_spawnattr_setsigdefault(&attributes, &usual);
    if (error == 0) {
        char *const *arguments;

        memcpy(&arguments, &argv, sizeof arguments); // posix_spawn's type lacks the const
        error = posix_spawnp(pid, argv[0], &actions, &attributes, arguments, environ);
    }
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

// Moves a pair above the standard three, so that putting one in its place in the program never
// overwrites another.
static bool lift(int pair[2])
{
    for (int i = 0; i < 2; i++) {
        if (pair[i] > 2)
            continue;
        int fd = fcntl(pair[i], F_DUPFD, 3);

        if (fd < 0)
            return false;
        close(pair[i]);
        pair[i] = fd;
    }
    return true;
}

gyre_result gy_io_spawn(const char *const *argv, gy_io_process **process)
{
    int input[2], output[2], error = 0;
    gy_io_process *made = calloc(1, sizeof *made);

    if (made == NULL)
        return gyre_fail(GYRE_ERROR_MEMORY, "%s: no memory to start it", argv[0]);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, input) != 0) {
        free(made);
        return gyre_fail(GYRE_ERROR_FILE, "%s: cannot be started: %s", argv[0], strerror(errno));
    }
    if (pipe(output) != 0) {
        error = errno;
        close_pair(input);
        free(made);
        return gyre_fail(GYRE_ERROR_FILE, "%s: cannot be started: %s", argv[0], strerror(error));
    }
    if (!lift(input) || !lift(output) || !set_flags(input[0], false) ||
        !set_flags(input[1], true) || !set_flags(output[0], true) || !set_flags(output[1], false))
        error = errno;
#ifdef SO_NOSIGPIPE
    int on = 1;

    (void)setsockopt(input[1], SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
    if (error == 0)
        error = start(argv, input[0], output[1], &made->pid);
    close(input[0]);
    close(output[1]);
    if (error != 0) {
        close(input[1]);
        close(output[0]);
        free(made);
        return gyre_fail(GYRE_ERROR_UNSUPPORTED, "%s: %s", argv[0],
                         error == ENOENT ? "not found on the PATH; install it" : strerror(error));
    }
    made->input = input[1];
    made->output = output[0];
    *process = made;
    return GYRE_OK;
}

// Takes what the program has said so far; keeps the end of it. False at its end.
static bool listen_once(gy_io_process *process)
{
    char text[2048];
    ssize_t got = read(process->output, text, sizeof text);

    if (got < 0)
        return errno == EAGAIN || errno == EINTR;
    size_t size = (size_t)got, room = sizeof process->text - process->used;

    if (size > room) {
        size_t drop = size - room;

        memmove(process->text, process->text + drop, process->used - drop);
        process->used -= drop;
    }
    memcpy(process->text + process->used, text, size);
    process->used += size;
    return got > 0;
}

bool gy_io_feed(gy_io_process *process, const void *bytes, size_t size)
{
#ifdef MSG_NOSIGNAL
    const int quiet = MSG_NOSIGNAL;
#else
    const int quiet = 0;
#endif
    const char *at = bytes;
    bool listening = true;

    while (size > 0) {
        struct pollfd wait[2] = {{process->input, POLLOUT, 0},
                                 {listening ? process->output : -1, POLLIN, 0}};

        if (poll(wait, 2, -1) < 0) {
            if (errno == EINTR)
                continue;
            return false;
        }
        if (wait[1].revents != 0)
            listening = listen_once(process);
        if (wait[0].revents == 0)
            continue;
        ssize_t done = send(process->input, at, size, quiet);

        if (done < 0 && (errno == EAGAIN || errno == EINTR))
            continue;
        if (done < 0)
            return false;
        at += done;
        size -= (size_t)done;
    }
    return true;
}

static void last_line(const gy_io_process *process, char *line, size_t size)
{
    size_t end = process->used;

    while (end > 0 && (unsigned char)process->text[end - 1] <= ' ')
        end--;
    size_t begin = end;

    while (begin > 0 && process->text[begin - 1] != '\n' && process->text[begin - 1] != '\r')
        begin--;
    snprintf(line, size, "%.*s", (int)(end - begin), process->text + begin);
}

static bool reap(gy_io_process *process)
{
    int status = 0;
    pid_t done;

    do {
        done = waitpid(process->pid, &status, 0);
    } while (done < 0 && errno == EINTR);
    close(process->output);
    free(process);
    return done > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool gy_io_finish(gy_io_process *process, char *line, size_t size)
{
    close(process->input);
    for (;;) {
        struct pollfd wait = {process->output, POLLIN, 0};

        if (poll(&wait, 1, -1) < 0) {
            if (errno == EINTR)
                continue;
            break;
        }
        if (!listen_once(process))
            break;
    }
    last_line(process, line, size);
    return reap(process);
}

void gy_io_kill(gy_io_process *process)
{
    kill(process->pid, SIGKILL);
    close(process->input);
    (void)reap(process);
}
