// solve/faces.h: which faces of a system's finest level let something through, a bit each, so that
// what hangs together, what is solid and what lies beside a solid are found 64 cells at a time.
#ifndef GY_FACES_H
#define GY_FACES_H

#include "ops/system/level.h"
#include "solve/solve.h"

/// Rows of words along x; bit i % 64 of word i / 64 is cell i's. Bits from n[0] on are 0 but where
/// the last face of axis 0 is meant.
typedef struct gy_face_bits {
    int n[3], dim;
    uint32_t periodic; // as in gy_level
    int words;         // of a row: n[0] + 1 bits
    uint64_t *open[3]; // lower face of each cell across an axis; rows j = 0 .. n[1], k = 0 .. n[2],
                       // and along x bit n[0]
    uint64_t *fluid;   // cells any of whose faces is open; rows j < n[1], k < n[2]
} gy_face_bits;

GY_INLINE const uint64_t *gy_face_bits_open(const gy_face_bits *f, int axis, int j, int k)
{
    return f->open[axis] + ((size_t)k * (size_t)(f->n[1] + 1) + (size_t)j) * (size_t)f->words;
}

GY_INLINE const uint64_t *gy_face_bits_fluid(const gy_face_bits *f, int j, int k)
{
    return f->fluid + ((size_t)k * (size_t)f->n[1] + (size_t)j) * (size_t)f->words;
}

GY_INLINE bool gy_bit(const uint64_t *row, int i)
{
    return row[i >> 6] >> (i & 63) & 1u;
}

/// Bits of a word's cells that lie in a row of n.
GY_INLINE uint64_t gy_row_mask(int n, int word)
{
    int left = n - 64 * word;
    return left >= 64 ? ~(uint64_t)0 : left <= 0 ? 0 : ((uint64_t)1 << left) - 1;
}

/// The lowest bit that is set; x is not 0.
GY_INLINE int gy_lowest_bit(uint64_t x)
{
    return __builtin_ctzll(x);
}

GY_INLINE int gy_count_bits(uint64_t x)
{
    // Where there is no instruction for it, compilers call a function.
    x -= x >> 1 & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
    return (int)(((x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u >> 56);
}

/// Bytes for a level of these cells.
size_t gy_face_bits_bytes(const gy_level *level);

/// What was made in `memory` for such a level.
gy_face_bits gy_face_bits_of(const gy_level *level, void *memory);

/// Reads the coefficients of a level, whose flags are made, into `memory` (gy_face_bits_bytes,
/// aligned to 8).
gy_face_bits gy_face_bits_make(gyre_device *device, const gy_grid_level *g, void *memory);

/// Whether the system's cells all hang together: such a one takes no memory for lists, and no
/// search.
bool gy_system_is_whole(const gy_system *system);

/// The first part of gy_system_update: finds which faces are open, and clears x and b.
/// GYRE_ERROR_MEMORY.
gyre_result gy_face_bits_update(gy_system *system);

/// Those of a system after gy_system_update; false where it has none: all faces inside are open.
bool gy_system_faces(const gy_system *system, gy_face_bits *faces);

#endif
