// ops/system/cg.c: what follows from the sums of a solve by conjugate gradients, or of
// refinement, decided where the ops run. solve/krylov.c and solve/refine.c say why; iterate() and
// gy_refine() there decide the same on the host.
//
//     beta = -z.q / d.q before (Polak and Ribiere's),   d = z + beta d,   q = A d,
//     alpha = d.r / d.q,   x = x + alpha d,   r = r - alpha q
//
// A few numbers an iteration; nothing of the grid.
#include "ops/row/body.h"
#include "ops/system/args.h"

typedef struct solve {
    gy_report *report, *rest;
    gy_cg_state *c;
    const gy_cg_args *a;
} solve;

static uint32_t word(bool x)
{
    return x;
}

static double goal(const solve *s)
{
    return s->a->goal * s->report->reference;
}

/// r's means are to be taken off, or have been.
static void open_rest(const solve *s, bool open)
{
    s->rest->balanced = s->rest->steady = word(!open);
}

/// Begins, or begins anew, with r as it is.
static void begin(const solve *s, double left)
{
    const double loose = 1e-3;
    gy_cg_state *c = s->c;
    double close = left > 0.0 ? 0.9 * __builtin_sqrt(goal(s) / left) : 0.0;
    close = close > loose ? close : loose;
    s->report->left = c->best = c->anew = left;
    c->close = close * close * left;
    c->took = 0;
    c->used = GY_MIN(c->most, s->a->most_steps - c->steps);
}

static bool goes_on(const solve *s)
{
    return s->c->steps < s->a->most_steps && s->report->left > goal(s) && s->c->moves;
}

static void start(const solve *s)
{
    *s->c = (gy_cg_state){.moves = 1, .most = 4, .stuck = 1, .keeps = 1, .reported = 1};
    begin(s, s->report->reference);
    s->rest->reference = s->report->reference;
    open_rest(s, s->a->balances);
    s->report->done = word(!s->report->busy || !goes_on(s));
}

/// The next direction is z + beta d; dr becomes its product with r.
static void turn(const solve *s, const double sum[3])
{
    double zr = sum[0], beta = s->a->first ? 0.0 : -sum[1] / s->c->dq;
    s->c->factor = (float)beta;
    s->c->dr = zr + beta * s->c->dr;
    s->c->stuck = word(!(zr > 0.0));
}

/// The lowest point along d, and the mean that q is to lose so that r has none after that.
static void aim(const solve *s, const double sum[3])
{
    gy_cg_state *c = s->c;
    double alpha = c->dr / sum[0], size = alpha < 0.0 ? -alpha : alpha;
    double mean = s->a->floats && sum[2] > 0.0 ? (sum[1] - c->sum_r / alpha) / sum[2] : 0.0;
    c->dq = sum[0];
    c->factor = (float)alpha;
    c->mean = mean > -1e20 && mean < 1e20 ? (float)mean : 0.0f;
    c->stuck = word(!(c->dq > 0.0) || !(size > 1e-30 && size < 1e30));
}

static void step(const solve *s, const double sum[3])
{
    const double fall = 1e-4;
    gy_cg_state *c = s->c;
    bool steps = !c->stuck && sum[0] >= 0.0;
    double left = steps ? sum[0] : s->report->left;
    if (steps) {
        c->sum_r = sum[1];
        c->dr = sum[2];
    }
    s->report->left = left;
    s->report->cycles += steps;
    c->steps += steps;
    c->moves = word(steps && left < s->a->most * c->best);
    c->best = left < c->best ? left : c->best;
    c->stuck = 1;
    bool last = !goes_on(s), due = last || left <= fall * c->anew;
    if (s->a->pair) {
        c->keeps = word(!due);
    } else if (last) {
        c->reported = 0;
        s->report->done = 1;
    } else if (due && s->a->balances) {
        c->keeps = 0;
        s->rest->reference = left;
        open_rest(s, true);
    } else if (due) {
        begin(s, left);
    }
}

static void renew(const solve *s, const double sum[3])
{
    const double least = 0.5;
    gy_cg_state *c = s->c;
    double left = s->rest->reference;
    if (s->a->pair) {
        c->sum_r = 0.0;
        c->dr = sum[0];
    }
    c->moves = word(c->moves && left <= least * c->anew);
    begin(s, left);
    open_rest(s, false);
    c->keeps = c->reported = 1;
    s->report->done = word(s->a->last || !goes_on(s));
}

/// Of a round of refinement.
static void cycle(const solve *s, const double sum[3])
{
    gy_cg_state *c = s->c;
    s->rest->left = (s->a->first ? 0.0 : s->rest->left) + sum[0];
    if (s->a->last) {
        s->report->cycles++;
        c->steps++;
        c->took++;
        c->keeps = word(s->rest->left > c->close && c->took < c->used);
    }
}

static void end_round(const solve *s)
{
    gy_cg_state *c = s->c;
    double before = s->report->left, now = s->rest->reference;
    c->stays = now < before ? 0 : c->stays + 1;
    c->most = now > 0.01 * before && c->most < s->a->most_steps ? 2 * c->most : c->most;
    c->moves = word(!(c->stays > 0 && (c->stays > 3 || c->took < c->used)));
    begin(s, now);
    open_rest(s, false);
    c->keeps = 1;
    s->report->done = word(!goes_on(s));
}

void GY_BODY(decide_cg)(const void *args, const gy_box *box, int task)
{
    const gy_cg_args *a = args;
    const double *partial = (const double *)(const void *)gy_at(a->base, a->partial);
    solve s = {.report = (gy_report *)(void *)gy_at(a->base, a->report),
               .rest = (gy_report *)(void *)gy_at(a->base, a->rest),
               .c = (gy_cg_state *)(void *)gy_at(a->base, a->cg),
               .a = a};
    double sum[3] = {0.0, 0.0, 0.0};
    (void)box, (void)task;
    for (int t = 0; t < a->tasks; t++) {
        for (int q = 0; q < 3; q++) {
            sum[q] += partial[4 * t + q];
        }
    }
    switch ((gy_cg_kind)a->kind) {
    case GY_CG_START:
        start(&s);
        break;
    case GY_CG_MEAN:
        s.c->mean = sum[1] > 0.0 ? (float)(sum[0] / sum[1]) : 0.0f;
        break;
    case GY_CG_LEFT:
        begin(&s, s.rest->reference);
        open_rest(&s, false);
        s.report->done = word(!s.report->busy || !goes_on(&s));
        break;
    case GY_CG_BETA:
        turn(&s, sum);
        break;
    case GY_CG_ALPHA:
        aim(&s, sum);
        break;
    case GY_CG_STEP:
        step(&s, sum);
        break;
    case GY_CG_RENEW:
        renew(&s, sum);
        break;
    case GY_CG_CYCLE:
        cycle(&s, sum);
        break;
    case GY_CG_ROUND:
        end_round(&s);
        break;
    }
}
