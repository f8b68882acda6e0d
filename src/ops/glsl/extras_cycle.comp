#version 460
#extension GL_GOOGLE_include_directive : require
#define TOGETHER coherent
#include "common.glsl"
#include "relax_args.glsl"
#include "push.glsl"
#include "level.glsl"
#include "transfer.glsl"
#include "extra.glsl"

// extras_cycle: ALONE: the rest of a cycle from one level down, with unknowns beside those of the
// grid (ops/extra.h).
layout(local_size_x = 1024) in;

#define LISTS
#include "cycle.glsl"
