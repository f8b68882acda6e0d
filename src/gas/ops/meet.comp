// meet.comp: the twin of meet in gas/ops/meet.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint64_t places;
    uint64_t terms;
    uint64_t values;
    uint64_t swelling;
    uint64_t faces;
    uint field;
    uint level;
    gy_extent extent;
    int work;
    int axis;
    float let;
    float limit;
};
#include "ops/row/push.glsl"
#include "ops/system/level.glsl"

layout(local_size_x = 256) in;

// gy_meet_work; GATHER is what is left
const int SET = 0, ADD = 1, FIT = 2, MEAN = 4, DRAG = 5, SHARE = 6, LOSE = 7;
const int WORDS = 4;                 // of a gy_meet_place: place, sample, first, count
const int FACE = 14;                 // of a gy_gas_face: 8 is dragged, weights from 11

void add(int place, int from, int first, int count)
{
    gy_grid_level g = gy_grid_level_at(args.base, args.level);
    precise float x = floats(g.b, place).v;
    if (args.swelling != 0ul && floats(args.swelling, from).v != 0.0) {
        precise float out_already = args.let * floats(args.swelling, from).v;
        floats(args.swelling, from).v = 0.0;
        x = x - out_already;
    }
    for (int q = 0; q < count; q++) {
        x = x + floats(args.terms, first + q).v;
    }
    floats(g.b, place).v = x;
}

float mean(int first, int count)
{
    uint64_t field = at(args.base, args.field);
    precise float sum = 0.0;
    for (int q = 0; q < count; q++) {
        sum = sum + floats(field, int(uints(args.terms, first + q).v)).v;
    }
    return count > 0 ? sum / float(count) : 0.0;
}

void drag(int place, int first, int count)
{
    gy_grid_level g = gy_grid_level_at(args.base, args.level);
    precise float x = floats(g.b, place).v;
    for (int q = 0; q < count; q++) {
        uint term = uints(args.terms, first + q).v;
        int f = int(term / 8u) * FACE, way = int(term % 8u);
        float weight = float(uint(shorts(args.faces, 2 * (f + 11) + way).v)) * (1.0 / UNIT);
        x = x + weight * floats(args.faces, f + 8).v;
    }
    floats(g.b, place).v = x;
}

float gather(int first, int count)
{
    gy_samples field = samples_at(args.base, args.field, args.extent.halves);
    precise float sum = count > 0 ? sample_at(field, int(uints(args.terms, first).v)) : 0.0;
    for (int q = 1; q < count; q++) {
        sum = sum + sample_at(field, int(uints(args.terms, first + q).v));
        sum = min(max(sum, -args.limit), args.limit);
    }
    return sum;
}

void give(int first, int count)
{
    gy_samples field = samples_at(args.base, args.field, args.extent.halves);
    for (int q = 0; q < count; q++) {
        int gift = 4 * (first + q); // from, to, part, whole
        int from = int(uints(args.terms, gift).v), to = int(uints(args.terms, gift + 1).v);
        float part = float(ints(args.terms, gift + 2).v);
        float whole = float(ints(args.terms, gift + 3).v);
        precise float gives = sample_at(field, from);
        precise float given = gives * part / whole;
        set_sample(field, from, gives - given);
        precise float sum = sample_at(field, to) + given;
        set_sample(field, to, min(max(sum, -args.limit), args.limit));
    }
}

void lose(int first, int count)
{
    gy_samples field = samples_at(args.base, args.field, args.extent.halves);
    precise double left = doubles(args.values, 0).v;
    for (int q = 0; q < count; q++) {
        left = left - double(sample_at(field, int(uints(args.terms, first + q).v)));
    }
    doubles(args.values, 0).v = left;
}

void main()
{
    int item = low.x + int(gl_GlobalInvocationID.x);
    if (item >= high.x) {
        return;
    }
    int w = item * WORDS;
    int place = int(uints(args.places, w).v), from = int(uints(args.places, w + 1).v);
    int first = int(uints(args.places, w + 2).v), count = int(uints(args.places, w + 3).v);
    if (args.work == SET) {
        gy_samples field = samples_at(args.base, args.field, args.extent.halves);
        bool made = args.values != 0ul;
        set_sample(field, place,
                   made ? floats(args.values, item).v : floats(args.terms, first + count - 1).v);
    } else if (args.work == ADD) {
        add(place, from, first, count);
    } else if (args.work == FIT) {
        gy_grid_level g = gy_grid_level_at(args.base, args.level);
        float last = floats(args.terms, first + count - 1).v;
        shorts(g.open[args.axis], place).v = uint16_t(uint(last));
    } else if (args.work == MEAN) {
        floats(at(args.base, args.field), place).v = mean(first, count);
    } else if (args.work == DRAG) {
        drag(place, first, count);
    } else if (args.work == SHARE) {
        give(first, count);
    } else if (args.work == LOSE) {
        lose(first, count);
    } else {
        floats(args.values, item).v = gather(first, count);
    }
}
