#version 460
#extension GL_GOOGLE_include_directive : require
#define TOGETHER coherent
#include "ops/row/common.glsl"
#include "ops/system/relax_args.glsl"
#include "ops/row/push.glsl"
#include "ops/system/level.glsl"
#include "ops/system/transfer.glsl"
#include "ops/system/extra.glsl"

// extra_cycle: ALONE: the rest of a cycle from one level down, with unknowns beside those of the
// grid (ops/system/extra.h).
#define LISTS
#include "ops/system/cycle.glsl"
