// tally.comp: the twin of tally in gas/ops/share.c: PIECES, of which there is one: each invocation has a
// task's numbers, and they are added up in a tree.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint carriage, ledgers;
    uint partial[3];
    int tasks[3];
    int kind;
    int count;
    int sweeps;
    int most;
    int member;
    int which;
    double scale;
};
#include "ops/row/push.glsl"
#include "ops/row/pieces.glsl"
#include "gas/ops/carriage.glsl"

const int SHARE = 0, SWEEPS = 1; // gy_tally_kind
const int MOST_SUBSTEPS = 64;
const double MOST_SHARE = 0.98lf, WORTH = 4e-7lf, MOST_WORTH = 2e-6lf;

double number(int sweep, int i)
{
    return doubles(at(args.base, args.partial[sweep]), i).v;
}

void tally_share(double most)
{
    Carriage c = Carriage(at(args.base, args.carriage));
    double count = most / MOST_SHARE;
    int needs = args.most;
    double divisor = count;
    if (count <= double(args.most)) {
        int whole = int(count);
        needs = max(1, whole + int(double(whole) < count));
        divisor = double(needs);
    }
    c.share = float(most);
    c.count = needs;
    c.scale = float(args.scale / divisor);
    for (int q = 0; q < MOST_SUBSTEPS; q++) {
        c.skip[q] = uint(q >= needs);
    }
}

/// The sum of what the tasks of a sweep have left, each `step` numbers after the one before.
double tasks_sum(int sweep, int first, int step)
{
    double x = 0.0lf;
    for (int t = int(gl_LocalInvocationIndex); t < args.tasks[sweep];
         t += COLUMNS_AT_ONCE * ROWS_AT_ONCE) {
        x += number(sweep, first + step * t);
    }
    return gy_piece_sum(x);
}

void tally_sweeps(int f)
{
    int own = int(gl_LocalInvocationIndex);
    double before = 0.0lf, after = 0.0lf, left = 0.0lf;
    for (int s = 0; s < args.sweeps; s++) {
        double sum = tasks_sum(s, 2 * f, 2 * args.count);
        left += tasks_sum(s, 2 * f + 1, 2 * args.count);
        before = s == 0 ? sum : before;
        after = s == args.sweeps - 1 ? sum : after;
    }
    if (own == 0) {
        Ledger l = Ledger(at(args.base, args.ledgers + uint(f)));
        double error = l.error + ((after - before) + left);
        double off = abs(error), size = abs(after);
        l.error = error;
        l.left = l.left + left;
        l.total = after;
        bool worth = off > WORTH * size && off < MOST_WORTH * size;
        l.factor = worth ? float(1.0lf - error / after) : 1.0;
    }
}

void main()
{
    int own = int(gl_LocalInvocationIndex);
    if (args.kind == SWEEPS) {
        for (int f = 0; f < args.count; f++) {
            tally_sweeps(f);
        }
        return;
    }
    if (args.kind == SHARE) {
        double x = 0.0lf;
        for (int t = own; t < args.tasks[0]; t += COLUMNS_AT_ONCE * ROWS_AT_ONCE) {
            x = max(x, number(0, 4 * t));
        }
        double most = gy_piece_max(x);
        if (own == 0) {
            tally_share(most);
        }
        return;
    }
    double sum = tasks_sum(0, args.which, 4);
    if (own == 0) {
        Double d = doubles(at(args.base, args.ledgers), args.member);
        d.v = d.v + args.scale * sum;
    }
}
