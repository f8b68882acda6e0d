// ranks.glsl: workgroups of 256 that bring words into buckets by one digit of theirs, in the order
// that they have: as the C bodies do one by one. After now.glsl.
//
// Of 256 words at once each invocation has one. It leaves a bit for it in its bucket's mask, and
// how many bits stand below is its place among those of the bucket: none depends on which
// invocation came first.
const int WIDTH = 256;

shared uint gy_mask[BUCKETS * WIDTH / 32], gy_next[BUCKETS];

/// How many bits of a bucket's mask stand below `own` of this invocation; `all`: and in all.
uint gy_bits_below(uint bucket, int own, out uint all)
{
    uint below = 0u;
    all = 0u;
    // The end is a constant, so that the loop can be unrolled.
    for (int w = 0; w < WIDTH / 32; w++) {
        uint bits = gy_mask[int(bucket) * (WIDTH / 32) + w];
        uint part = w < own / 32 ? ~0u : w > own / 32 ? 0u : (1u << uint(own & 31)) - 1u;
        all += uint(bitCount(bits));
        below += uint(bitCount(bits & part));
    }
    return below;
}

/// Before the first words; gy_next has, or gets before gy_rank, each bucket's first place.
void gy_ranks_begin(int own)
{
    for (int w = 0; w < WIDTH / 32; w++) {
        gy_mask[w * WIDTH + own] = 0u;
    }
    barrier();
}

/// The place of this invocation's word, of bucket `bucket`; BUCKETS: it has none. All of a
/// workgroup call this together.
uint gy_rank(uint bucket, int own)
{
    bool some = bucket < uint(BUCKETS);
    uint all = 0u, below = 0u, place = 0u;
    int word = int(bucket) * (WIDTH / 32) + own / 32;
    if (some) {
        atomicOr(gy_mask[word], 1u << uint(own & 31));
    }
    barrier();
    if (some) {
        below = gy_bits_below(bucket, own, all);
        place = gy_next[bucket] + below;
    }
    barrier();
    if (some) {
        gy_mask[word] = 0u;
        if (below == 0u) {
            gy_next[bucket] += all;
        }
    }
    barrier();
    return place;
}

/// From the count of each bucket, in gy_next, its first place, from `first` on: of bucket `own` for
/// every invocation. Returns it; the sum of all is the last one's place and count.
uint gy_ranks_first(uint first, int own)
{
    uint count = gy_next[own], sum = count;
    for (int reach = 1; reach < WIDTH; reach *= 2) {
        barrier();
        uint below = own >= reach ? gy_next[own - reach] : 0u;
        barrier();
        sum += below;
        gy_next[own] = sum;
    }
    barrier();
    gy_next[own] = first + sum - count;
    barrier();
    return first + sum - count;
}

/// Copies one particle from an array of all components to another.
void gy_move(uint64_t from, uint64_t to, uint step, int arrays, int source, int target)
{
    // The end is a constant, so that the loop can be unrolled.
    for (int q = 0; q < 8; q++) { // GY_PARTICLE_ARRAYS
        if (q < arrays) {
            uint64_t skip = uint64_t(uint(q) * step) * 64ul;
            uints(to + skip, target).v = uints(from + skip, source).v;
        }
    }
}
