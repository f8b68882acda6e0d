// water/maker.c: waves that come in, in mode dispersive: a wave maker in the water.
//
// A side that is open there, with its absorbing layer, and inwards of that a strip in which water
// is put in and taken out in turn, and pushed along with it:
//
//     eta_t = ... + s f(x) sin(omega t),   q_t = ... + omega/k s f(x) sin(omega t),
//     s = a c_g / sum f cos(k x) h
//
// f being a bell two cells wide at most (one for short waves), k Airy's wave number and c_g the
// speed of groups. By themselves the one makes waves of height a / 2 both ways, and so does the
// other one, with the other sign outwards: together they make waves of height a inwards, and none
// out into the layer, whatever k h is. What comes back from inside passes through and is absorbed.
// (Larsen and Dancy, Open boundaries in short wave simulations, Coastal Eng. 7 (1983), with Airy's
// waves; a side by itself would need the pressure of what lies beyond it.)
//
// Exact for linear waves on a flat bed, at any step that is short against the period. Cost: an
// exponential for each cell of strips 16 cells wide.
#include "base/maths.h"
#include "water/dispersive.h"
#include "water/water.h"

static const float TURN = 6.28318530718f;

float gy_maker_number(float period, float depth, float gravity)
{
    float omega = TURN / period, deep = omega * omega / gravity, k = deep;
    // x tanh x = deep h: from above, by Newton's method.
    float x = deep * depth > 1.0f ? deep * depth : gy_sqrtf(deep * depth);
    for (int n = 0; n < 20 && x > 0.0f; n++) {
        float t = gy_tanhf(x);
        x -= (x * t - deep * depth) / (t + x * (1.0f - t * t));
    }
    k = depth > 0.0f ? x / depth : deep;
    return k;
}

/// The mean depth at rest along a strip; how far its middle is from the side.
static float depth_of(const gyre_water *w, int rule, float level, float *middle)
{
    const gy_maker_cell *cells = w->makers.items;
    double sum = 0.0;
    int count = 0;
    for (int c = 0; c < w->makers.count; c++) {
        int place, slot = gy_tiles_find(&w->tiles, cells[c].i, cells[c].j, &place);
        if (cells[c].rule == rule && slot >= 0) {
            float rest = level - gy_tile_array(&w->tiles, slot, GY_WATER_BED)[place];
            sum += rest > 0.0f ? (double)rest : 0.0;
            count += rest > 0.0f;
            *middle = cells[c].middle;
        }
    }
    return count ? (float)(sum / count) : 0.0f;
}

/// The bell, at x from its middle, over its sum.
static float bell(float x, float wide)
{
    float y = x / wide;
    return y * y < 40.0f ? gy_expf(-0.5f * y * y) : 0.0f;
}

static void make(gyre_water *w, int rule, float dt)
{
    const gyre_water_side *side = gy_water_rule(w, rule);
    const gy_maker_cell *cells = w->makers.items;
    float level = side->follow_level ? w->def->level : side->level, h = w->def->grid.h;
    float middle = 0.0f, depth = depth_of(w, rule, level, &middle), g = w->def->gravity;
    if (!(depth > 0.0f) || !(g > 0.0f)) {
        return;
    }
    float k = gy_maker_number(side->period, depth, g), omega = TURN / side->period;
    float kh = k * depth, t = gy_tanhf(kh);
    float group = 0.5f * omega / k * (1.0f + kh * (1.0f - t * t) / t);
    float wide = 0.785398f / k;
    wide = wide < h ? h : wide > 2.0f * h ? 2.0f * h : wide;
    float strength = 0.0f;
    for (int n = -8; n < 8; n++) {
        float x = ((float)n + 0.5f) * h;
        strength += bell(x, wide) * gy_cosf(k * x) * h;
    }
    double now = w->extra->clock, turns = now / (double)side->period;
    double booked = 0.0, back = (double)(k * middle) / (double)TURN;
    turns -= back - (double)(int64_t)back; // the phase is that at the side
    float ramp = now < (double)side->period
                     ? 0.5f - 0.5f * gy_cosf(0.5f * TURN * (float)now / side->period)
                     : 1.0f;
    double part = turns - (double)(int64_t)turns;
    float phase = TURN * (float)part + side->phase * (TURN / 360.0f);
    float rise = dt * side->amplitude * ramp * gy_sinf(phase) * group / strength;
    // The divergence of what the low-pass leaves to the surface is a centred difference.
    float bulk = 1.0f / (1.0f + 8.0f * kh * kh + 4.0f * k * k * h * h);
    float centred = gy_sinf(k * h) / (k * h);
    float speed = omega / k * (centred + bulk * bulk * (1.0f - centred));
    for (int c = 0; c < w->makers.count; c++) {
        int place, slot = gy_tiles_find(&w->tiles, cells[c].i, cells[c].j, &place);
        if (cells[c].rule != rule || slot < 0 || !w->stepping[slot]) {
            continue;
        }
        float *own = &gy_tile_edit(&w->tiles, slot, GY_WATER_DEPTH)[place], old = *own;
        float more = rise * bell(cells[c].at, wide);
        if (!(old > w->def->dry_depth)) {
            continue;
        }
        more = more > -0.5f * old ? more : -0.5f * old;
        *own = old + more;
        booked += (double)*own - (double)old;
        for (int a = 0; a < 2; a++) {
            gy_tile_edit(&w->tiles, slot, GY_WATER_QX + a)[place] += speed * more * cells[c].in[a];
        }
    }
    gy_water_book_rule(w, rule, booked);
}

void gy_maker_step(gyre_water *w, float dt)
{
    for (int rule = 0; rule < GY_WATER_SIDES + w->def->edges.count && w->makers.count; rule++) {
        const gyre_water_side *side = gy_water_rule(w, rule);
        if (side->rule == GYRE_WATER_INFLOW && side->inflow == GYRE_WATER_WAVES) {
            make(w, rule, dt);
        }
    }
}
