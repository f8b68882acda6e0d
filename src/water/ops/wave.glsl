// wave.glsl: tiles as the twins of linear waves find them; after push.glsl.
#ifndef SLOTS
#define SLOTS args.slot
#define STEPPING args.stepping
#define CURRENT args.current
#endif

// As in water/ops/tiles.h.
const int T = 64, ROWS = 4, STATE = 3, ARRAYS = 8;
const uint SHUT_X = 1u, SHUT_Y = 2u, OUT = 4u, SHUT_HIGH_X = 8u, SHUT_HIGH_Y = 16u;

// The slot of the tile that many tiles away, round a periodic domain; -1 where none is stepped.
int stepping_slot(ivec2 tile)
{
    ivec2 count = args.tn;
    bvec2 out_of = bvec2(tile.x < 0 || tile.x >= count.x, tile.y < 0 || tile.y >= count.y);
    if ((out_of.x && (args.periodic & 1u) == 0u) || (out_of.y && (args.periodic & 2u) == 0u)) {
        return -1;
    }
    tile = ivec2((tile.x + count.x) % count.x, (tile.y + count.y) % count.y);
    int slot = ints(SLOTS, tile.x + count.x * tile.y).v;
    if (slot < 0) {
        return -1;
    }
    return uint(bytes(STEPPING, slot).v) != 0u ? slot : -1;
}

uint64_t array_of(int slot, int array)
{
    return args.memory + uint64_t(slot) * uint64_t(args.slot_bytes) +
           uint64_t(array * args.array_step) * 4ul;
}

// An array of the state of a slot, which is stepped.
uint64_t state_of(int slot, int array)
{
    uint which = uint(bytes(CURRENT, slot).v) ^ args.turned;
    return array_of(slot, int(which) * STATE + array);
}
