#version 460
#extension GL_GOOGLE_include_directive : require
#define TOGETHER coherent
#include "ops/row/common.glsl"
#include "ops/system/relax_args.glsl"
#include "ops/row/push.glsl"
#include "ops/system/level.glsl"
#include "ops/system/transfer.glsl"

// cycle: ALONE: the rest of a cycle from one level down, where no level has a list of unknowns
// beside those of the grid: there a K-cycle is a V-cycle from x = 0.
#include "ops/system/cycle.glsl"
