#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args
{
    uint64_t base;
    uint energy;
    uint partial;
    int tasks;
    int kind;
    int which;
    int first, last;
    float pace;
    uint means;
    uint reserved;
    double time;
};
#include "ops/row/push.glsl"
#include "ops/system/report.glsl"
#include "gas/ops/gas_energy.glsl"
#include "ops/row/tasks.glsl"

// decide_energy: PIECES, of which there is one: the first invocation decides. See gas/ops/budget.c.
// gy_energy_kind
const int PACE = 0, TAME = 1, KICK = 2, CARRIED = 3, DRIVEN = 5, PRESSED = 6,
          HELD = 7, KEPT = 8, DILATED = 9;

void decide(Energy e)
{
    if (args.kind == PACE) {
        energy_pace(e, Report(at(args.base, args.partial)).speed, args.pace);
    } else if (args.kind == TAME) {
        energy_tame(e, sum, args.time);
    } else if (args.kind == KICK) {
        energy_begin(e, sum, args.first != 0, args.time);
    } else if (args.kind == CARRIED) {
        energy_carry(e, sum[args.which], args.first != 0, args.last != 0);
    } else if (args.kind == DRIVEN) {
        energy_drive(e, sum[2]);
    } else if (args.kind == PRESSED) {
        energy_press(e, args.time);
    } else if (args.kind == HELD) {
        for (int a = 0; a < 3; a++) {
            Means(at(args.base, args.means)).held[a] = sum[a];
        }
    } else if (args.kind == KEPT) {
        energy_keep(e, Means(at(args.base, args.means)), sum, args.which, args.time);
    } else if (args.kind == DILATED) {
        energy_dilate(e, sum[0]);
    } else {
        energy_arrive(e, sum[2], args.first != 0);
    }
}

void main()
{
    add_tasks(at(args.base, args.partial), args.tasks, false);
    if (gl_LocalInvocationIndex == 0u) {
        decide(Energy(at(args.base, args.energy)));
    }
}
