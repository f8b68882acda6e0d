#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args
{
    uint64_t base;
    uint report;
    uint partial;
    int tasks;
    int kind;
    int which;
    int first, last;
    int balances;
    double scale, add;
    double cells;
    double free;
    double goal;
};
#include "ops/row/push.glsl"
#include "ops/system/report.glsl"
#include "ops/row/tasks.glsl"

// decide: PIECES, of which there is one: the first invocation decides. See ops/system/decide.c.
// gy_decide_kind
const int GIVEN = 0, MEANS = 1, SQUARES = 2, RESIDUAL = 3, SPEED = 4, COUNT = 5;

void decide_means(Report r)
{
    precise double mean = 0.0lf;
    if (args.free > 0.0lf) {
        precise double rms = sqrt(sum[1] / args.cells);
        mean = sum[0] / args.free;
        mean = gy_worth(mean, rms);
    }
    set_means(r, mean, mean != 0.0lf, sum);
}

void decide_residual(Report r)
{
    precise double left = (args.first != 0 ? 0.0lf : r.left) + sum[0];
    r.left = left;
    if (args.last != 0) {
        precise double goal = args.goal * r.reference;
        r.cycles = r.cycles + 1;
        r.done = uint(left <= goal);
    }
}

void decide(Report r)
{
    double before = r.reference;
    if (args.kind == GIVEN) {
        precise double given = sum[args.which] * args.scale * args.scale + args.add;
        r.given = given;
        r.left = 0.0lf;
        r.balanced = uint(args.balances == 0);
        r.steady = uint(args.balances == 0);
        set_reference(r, given);
    } else if (args.kind == MEANS) {
        decide_means(r);
    } else if (args.kind == SQUARES) {
        set_reference(r, sum[0]);
        set_balanced(r, before);
    } else if (args.kind == RESIDUAL) {
        decide_residual(r);
    } else if (args.kind == SPEED) {
        double most = 0.0lf;
        for (int t = 0; t < args.tasks; t++) {
            most = part[0][t] > most ? part[0][t] : most;
        }
        r.speed = float(most);
        r.capped = r.capped + sum[1];
    } else {
        r.capped = r.capped + sum[0];
    }
}

void main()
{
    add_tasks(at(args.base, args.partial), args.tasks, args.kind == COUNT);
    if (gl_LocalInvocationIndex != 0u) {
        return;
    }
    decide(Report(at(args.base, args.report)));
}
