// io/system.h: what the writers of this room need from an operating system: files that get their
// name only when they are whole, and a program at the other end of a pipe. One file per system
// implements it: system_posix.c.
#ifndef GY_IO_SYSTEM_H
#define GY_IO_SYSTEM_H

#include "gyre/base.h"

#include <stdio.h>

/// A file on its way to its final name.
typedef struct gy_io_file gy_io_file;

/// Opens a temporary file beside `path`. Refuses a path that is there and no regular file.
gyre_result gy_io_create(const char *path, gy_io_file **file);
gyre_result gy_io_write(gy_io_file *file, const void *bytes, size_t size);
/// Flushes to the disk and renames; frees `file`, on failure too (then the temporary is removed).
gyre_result gy_io_commit(gy_io_file *file);
/// Cuts the file to its first bytes.
gyre_result gy_io_cut(gy_io_file *file, uint64_t size);
/// Removes the temporary and frees `file`. NULL is allowed.
void gy_io_discard(gy_io_file *file);
/// The temporary's path, for a program that writes it by name.
const char *gy_io_temporary(const gy_io_file *file);

/// Opens a regular file for reading and tells its size in bytes.
gyre_result gy_io_open(const char *path, FILE **stream, uint64_t *size);

/// The path from the root, links followed, of a file that is there, or of the folder that a file is
/// in or would be; made by malloc. The path itself where there is none; NULL: no memory.
char *gy_io_absolute(const char *path);
char *gy_io_absolute_folder(const char *path);

/// Where a file lies or would: the folder's path from the root and a name, links followed; made by
/// malloc. NULL: no memory.
char *gy_io_real(const char *path);
/// Whether both are there and are one file, by whatever names.
bool gy_io_same_file(const char *a, const char *b);

bool gy_io_is_folder(const char *path);
/// Calls each(user, name) for all that is in a folder, in no order.
gyre_result gy_io_list(const char *folder, void (*each)(void *user, const char *name), void *user);

/// Whether a file can be made beside `path`.
gyre_result gy_io_check_folder(const char *path);

/// A program that reads our bytes from its standard input and is out of Ctrl-C's reach.
typedef struct gy_io_process gy_io_process;

/// Starts argv[0], looked for on the PATH. GYRE_ERROR_UNSUPPORTED when it is not there.
gyre_result gy_io_spawn(const char *const *argv, gy_io_process **process);
/// False when the program has closed its input (mostly because it ended).
bool gy_io_feed(gy_io_process *process, const void *bytes, size_t size);
/// Closes its input, waits for its end and frees `process`. Returns whether it ended with status 0;
/// `line` gets the last line that it wrote to its standard error, or "".
bool gy_io_finish(gy_io_process *process, char *line, size_t size);
/// Ends the program at once and frees `process`.
void gy_io_kill(gy_io_process *process);

#endif
