// io/series.h: files that are numbered: a folder of them, or a name with %d or %04d in it.
#ifndef GY_IO_SERIES_H
#define GY_IO_SERIES_H

#include "gyre/base.h"

/// Numbered files: before, number, after.
typedef struct gy_io_series {
    char before[4096], after[256];
    int digits;      // at least so many, with zeros before
    int first, last; // numbers that are there; last -1: this is no series but a file
} gy_io_series;

/// Finds the files of a folder whose names end with digits and `ending`, or those that a pattern
/// describes; a path that is neither is a file. GYRE_ERROR_FILE: a folder that cannot be read, or
/// in which there are none; GYRE_ERROR_ARGUMENT: a folder of several series.
gyre_result gy_io_series_find(const char *path, const char *ending, gy_io_series *series);
/// The path of the file with a number.
void gy_io_series_name(const gy_io_series *series, int number, char *path, size_t size);

#endif
