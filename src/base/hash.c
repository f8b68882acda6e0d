// The construction of XXH64 (Yann Collet, xxHash specification 0.1.1): four lanes of 8 bytes, then
// the rest, then an avalanche.
#include <string.h>

#include "base/base.h"

#define PRIME_1 0x9e3779b185ebca87u
#define PRIME_2 0xc2b2ae3d27d4eb4fu
#define PRIME_3 0x165667b19e3779f9u
#define PRIME_4 0x85ebca77c2b2ae63u
#define PRIME_5 0x27d4eb2f165667c5u

GY_INLINE uint64_t rotate(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

GY_INLINE uint64_t read_64(const unsigned char *p)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t x;
    memcpy(&x, p, sizeof x);
    return x;
#else
    uint64_t x = 0;
    for (int i = 7; i >= 0; i--)
        x = x << 8 | p[i];
    return x;
#endif
}

GY_INLINE uint64_t read_32(const unsigned char *p)
{
    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24;
}

GY_INLINE uint64_t mix(uint64_t lane, uint64_t input)
{
    return rotate(lane + input * PRIME_2, 31) * PRIME_1;
}

GY_INLINE uint64_t join(uint64_t hash, uint64_t lane)
{
    return (hash ^ mix(0, lane)) * PRIME_1 + PRIME_4;
}

uint64_t gy_hash(const void *bytes, size_t size, uint64_t seed)
{
    const unsigned char *p = bytes;
    size_t left = size;
    uint64_t hash = seed + PRIME_5;
    if (left >= 32) {
        uint64_t a = seed + PRIME_1 + PRIME_2, b = seed + PRIME_2, c = seed, d = seed - PRIME_1;
        for (; left >= 32; left -= 32, p += 32) {
            a = mix(a, read_64(p));
            b = mix(b, read_64(p + 8));
            c = mix(c, read_64(p + 16));
            d = mix(d, read_64(p + 24));
        }
        hash = rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18);
        hash = join(join(join(join(hash, a), b), c), d);
    }
    hash += (uint64_t)size;
    for (; left >= 8; left -= 8, p += 8)
        hash = rotate(hash ^ mix(0, read_64(p)), 27) * PRIME_1 + PRIME_4;
    if (left >= 4) {
        hash = rotate(hash ^ read_32(p) * PRIME_1, 23) * PRIME_2 + PRIME_3;
        left -= 4, p += 4;
    }
    for (; left > 0; left--, p++)
        hash = rotate(hash ^ *p * PRIME_5, 11) * PRIME_1;
    hash = (hash ^ hash >> 33) * PRIME_2;
    hash = (hash ^ hash >> 29) * PRIME_3;
    return hash ^ hash >> 32;
}
