#version 460
#extension GL_GOOGLE_include_directive : require
#define TOGETHER coherent
#include "common.glsl"
#include "relax_args.glsl"
#include "push.glsl"
#include "level.glsl"
#include "transfer.glsl"

// cycle: ALONE: the rest of a cycle from one level down, where no level has a list of unknowns
// beside those of the grid: there a K-cycle is a V-cycle from x = 0.
layout(local_size_x = 1024) in;

#include "cycle.glsl"
