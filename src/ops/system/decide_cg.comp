#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args
{
    uint64_t base;
    uint report;
    uint cg;
    uint rest;
    uint partial;
    int tasks;
    int kind;
    int most_steps;
    int first;
    int floats;
    int pair;
    int balances;
    int last;
    double goal;
    double most;
};
#include "ops/row/push.glsl"
#include "ops/system/report.glsl"
#include "ops/system/cg.glsl"
#include "ops/row/tasks.glsl"

// decide_cg: PIECES, of which there is one: the first invocation decides. See ops/system/cg.c.
const int START = 0, MEAN = 1, LEFT = 2, BETA = 3, ALPHA = 4, STEP = 5, RENEW = 6, CYCLE = 7,
          ROUND = 8; // gy_cg_kind

void open_rest(Report rest, bool open)
{
    rest.balanced = uint(!open);
    rest.steady = uint(!open);
}

void begin(Report r, CgState c, double left)
{
    precise double goal = args.goal * r.reference, close = 1e-3lf;
    if (left > 0.0lf) {
        precise double tight = 0.9lf * sqrt(goal / left);
        close = tight > close ? tight : close;
    }
    precise double stop = close * close * left;
    r.left = left;
    c.best = left;
    c.anew = left;
    c.close = stop;
    c.took = 0;
    c.used = min(c.most, args.most_steps - c.steps);
}

bool goes_on(Report r, CgState c)
{
    precise double goal = args.goal * r.reference;
    return c.steps < args.most_steps && r.left > goal && c.moves != 0u;
}

void start(Report r, CgState c, Report rest)
{
    c.dq = 0.0lf;
    c.dr = 0.0lf;
    c.sum_r = 0.0lf;
    c.factor = 0.0;
    c.mean = 0.0;
    c.steps = 0;
    c.moves = 1u;
    c.most = 4;
    c.stays = 0;
    c.stuck = 1u;
    c.keeps = 1u;
    c.reported = 1u;
    begin(r, c, r.reference);
    rest.reference = r.reference;
    open_rest(rest, args.balances != 0);
    r.done = uint(r.busy == 0u || !goes_on(r, c));
}

void turn(CgState c)
{
    precise double beta = args.first != 0 ? 0.0lf : -sum[1] / c.dq;
    precise double dr = sum[0] + beta * c.dr;
    c.factor = float(beta);
    c.dr = dr;
    c.stuck = uint(!(sum[0] > 0.0lf));
}

void aim(CgState c)
{
    precise double alpha = c.dr / sum[0], mean = 0.0lf;
    double size = abs(alpha);
    if (args.floats != 0 && sum[2] > 0.0lf) {
        mean = (sum[1] - c.sum_r / alpha) / sum[2];
    }
    c.dq = sum[0];
    c.factor = float(alpha);
    c.mean = mean > -1e20lf && mean < 1e20lf ? float(mean) : 0.0;
    c.stuck = uint(!(sum[0] > 0.0lf) || !(size > 1e-30lf && size < 1e30lf));
}

void after_step(Report r, CgState c, Report rest)
{
    precise double least = 1e-4lf * c.anew;
    bool last = !goes_on(r, c), due = last || r.left <= least;
    if (args.pair != 0) {
        c.keeps = uint(!due);
    } else if (last) {
        c.reported = 0u;
        r.done = 1u;
    } else if (due && args.balances != 0) {
        c.keeps = 0u;
        rest.reference = r.left;
        open_rest(rest, true);
    } else if (due) {
        begin(r, c, r.left);
    }
}

void take_step(Report r, CgState c, Report rest)
{
    precise double most = args.most * c.best;
    bool steps = c.stuck == 0u && sum[0] >= 0.0lf;
    if (steps) {
        r.left = sum[0];
        r.cycles = r.cycles + 1;
        c.steps = c.steps + 1;
        c.sum_r = sum[1];
        c.dr = sum[2];
    }
    double left = r.left;
    c.moves = uint(steps && left < most);
    c.best = left < c.best ? left : c.best;
    c.stuck = 1u;
    after_step(r, c, rest);
}

void renew(Report r, CgState c, Report rest)
{
    precise double least = 0.5lf * c.anew;
    double left = rest.reference;
    if (args.pair != 0) {
        c.sum_r = 0.0lf;
        c.dr = sum[0];
    }
    c.moves = uint(c.moves != 0u && left <= least);
    begin(r, c, left);
    open_rest(rest, false);
    c.keeps = 1u;
    c.reported = 1u;
    r.done = uint(args.last != 0 || !goes_on(r, c));
}

void end_cycle(Report r, CgState c, Report rest)
{
    precise double left = (args.first != 0 ? 0.0lf : rest.left) + sum[0];
    rest.left = left;
    if (args.last != 0) {
        r.cycles = r.cycles + 1;
        c.steps = c.steps + 1;
        c.took = c.took + 1;
        c.keeps = uint(left > c.close && c.took < c.used);
    }
}

void end_round(Report r, CgState c, Report rest)
{
    double before = r.left, now = rest.reference;
    precise double little = 0.01lf * before;
    c.stays = now < before ? 0 : c.stays + 1;
    c.most = now > little && c.most < args.most_steps ? 2 * c.most : c.most;
    c.moves = uint(!(c.stays > 0 && (c.stays > 3 || c.took < c.used)));
    begin(r, c, now);
    open_rest(rest, false);
    c.keeps = 1u;
    r.done = uint(!goes_on(r, c));
}

void decide(Report r, CgState c, Report rest)
{
    if (args.kind == START) {
        start(r, c, rest);
    } else if (args.kind == MEAN) {
        c.mean = sum[1] > 0.0lf ? float(sum[0] / sum[1]) : 0.0;
    } else if (args.kind == LEFT) {
        begin(r, c, rest.reference);
        open_rest(rest, false);
        r.done = uint(r.busy == 0u || !goes_on(r, c));
    } else if (args.kind == BETA) {
        turn(c);
    } else if (args.kind == ALPHA) {
        aim(c);
    } else if (args.kind == STEP) {
        take_step(r, c, rest);
    } else if (args.kind == RENEW) {
        renew(r, c, rest);
    } else if (args.kind == CYCLE) {
        end_cycle(r, c, rest);
    } else {
        end_round(r, c, rest);
    }
}

void main()
{
    add_tasks(at(args.base, args.partial), args.tasks, false);
    if (gl_LocalInvocationIndex == 0u) {
        decide(Report(at(args.base, args.report)), CgState(at(args.base, args.cg)),
               Report(at(args.base, args.rest)));
    }
}
