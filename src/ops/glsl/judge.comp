#version 460
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
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
#include "push.glsl"
#include "report.glsl"
#include "tasks.glsl"

// judge: PIECES, of which there is one: the first invocation decides. See ops/judge.c.
const int GIVEN = 0, MEANS = 1, SQUARES = 2, RESIDUAL = 3, SPEED = 4, COUNT = 5; // gy_judge_kind

void set_reference(Report r, double reference)
{
    bool busy = reference > 0.0lf;
    r.reference = reference;
    r.busy = uint(busy);
    r.idle = uint(!busy);
    r.done = uint(!busy);
}

void set_balanced(Report r, double before)
{
    precise double least = 1e-4lf * before;
    bool balanced = r.reference > least;
    r.balanced = uint(balanced);
    r.steady = r.steady | uint(balanced);
}

void judge_means(Report r)
{
    double before = r.reference, mean = 0.0lf;
    if (args.free > 0.0lf) {
        precise double least = 1e-7lf * sqrt(sum[1] / args.cells);
        mean = sum[0] / args.free;
        mean = mean > least || mean < -least ? mean : 0.0lf;
    }
    r.amount = float(mean);
    r.steady = uint(mean == 0.0lf);
    if (mean == 0.0lf) {
        set_reference(r, sum[2] > 0.0lf ? sum[1] : before);
        set_balanced(r, before);
    }
}

void judge_residual(Report r)
{
    precise double left = (args.first != 0 ? 0.0lf : r.left) + sum[0];
    r.left = left;
    if (args.last != 0) {
        precise double goal = args.goal * r.reference;
        r.cycles = r.cycles + 1;
        r.done = uint(left <= goal);
    }
}

void judge(Report r)
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
        judge_means(r);
    } else if (args.kind == SQUARES) {
        set_reference(r, sum[0]);
        set_balanced(r, before);
    } else if (args.kind == RESIDUAL) {
        judge_residual(r);
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
    if (gl_LocalInvocationIndex == 0u) {
        judge(Report(at(args.base, args.report)));
    }
}
