#include "device/backend.h"

// A piece is long enough that handing it out costs nothing beside the work in it (a few
// microseconds), and short enough that its fields stay in the second-level cache.
enum { ROW_CELLS = 16384, ITEM_STEP = 4096 };

static const gy_op_kind kinds[GY_OP_COUNT] = {
#define GY_OP(name, kind) [GY_OP_##name] = kind,
#include "device/op_lists.inc"
#undef GY_OP
};

gy_op_kind gy_kind(gy_op op)
{
    return kinds[op];
}

static int ceil_divide(int a, int b)
{
    return (a + b - 1) / b;
}

static int floor_divide(int a, int b)
{
    return a >= 0 ? a / b : -ceil_divide(-a, b);
}

static void cut_rows(gy_cut *cut, int64_t plane, int ny, int nz)
{
    if (plane < ROW_CELLS) {
        int64_t planes = (ROW_CELLS + plane / 2) / plane;
        cut->per_piece = planes < nz ? (int)planes : nz;
        cut->parts = 1;
    } else {
        int64_t parts = (plane + ROW_CELLS / 2) / ROW_CELLS;
        cut->per_piece = 1;
        cut->parts = parts < ny ? (int)parts : ny;
    }
    int most_parts = GY_MAX(1, GY_MAX_TASKS / ceil_divide(nz, cut->per_piece));
    cut->parts = GY_MIN(cut->parts, most_parts);
    cut->per_piece = GY_MAX(cut->per_piece, ceil_divide(nz, GY_MAX_TASKS));
    cut->count = ceil_divide(nz, cut->per_piece) * cut->parts;
}

static int count_items(const gy_box *box, int step)
{
    return floor_divide(box->high[0] - 1, step) - floor_divide(box->low[0], step) + 1;
}

gy_cut gy_cut_make(gy_op_kind kind, const gy_box *box)
{
    gy_cut cut = {.kind = kind, .box = *box};
    int n[3];
    for (int a = 0; a < 3; a++) {
        n[a] = box->high[a] - box->low[a];
        if (n[a] <= 0)
            return cut;
    }
    cut.count = 1;
    if (kind == GY_ROWS) {
        cut_rows(&cut, (int64_t)n[0] * n[1], n[1], n[2]);
    } else if (kind == GY_ITEMS) {
        cut.per_piece = ITEM_STEP;
        while (count_items(box, cut.per_piece) > GY_MAX_TASKS)
            cut.per_piece += ITEM_STEP;
        cut.count = count_items(box, cut.per_piece);
    } else if (kind == GY_BLOCKS) {
        cut.count = GY_MIN(n[0], GY_MAX_BLOCKS);
    }
    return cut;
}

gy_box gy_cut_piece(const gy_cut *cut, int piece)
{
    gy_box box = cut->box;
    if (cut->kind == GY_ROWS) {
        int z = box.low[2] + piece / cut->parts * cut->per_piece;
        int y = box.low[1], ny = box.high[1] - y, part = piece % cut->parts;
        box.low[2] = z;
        box.high[2] = GY_MIN(z + cut->per_piece, cut->box.high[2]);
        box.low[1] = y + (int)((int64_t)ny * part / cut->parts);
        box.high[1] = y + (int)((int64_t)ny * (part + 1) / cut->parts);
    } else if (cut->kind == GY_ITEMS) {
        int first = (floor_divide(box.low[0], cut->per_piece) + piece) * cut->per_piece;
        box.low[0] = GY_MAX(first, cut->box.low[0]);
        box.high[0] = GY_MIN(first + cut->per_piece, cut->box.high[0]);
    } else if (cut->kind == GY_BLOCKS) {
        int64_t n = cut->box.high[0] - cut->box.low[0];
        box.low[0] = cut->box.low[0] + (int)(n * piece / cut->count);
        box.high[0] = cut->box.low[0] + (int)(n * (piece + 1) / cut->count);
    }
    return box;
}

int gy_task_count(gy_op op, gy_box box)
{
    return gy_cut_make(gy_kind(op), &box).count;
}
