// ops/body.h: how a file of ops/ names its bodies. Each is compiled once per instruction set with
// GY_ISA set to the set's name, so what it exports carries that name.
#ifndef GY_BODY_H
#define GY_BODY_H

#include "device/device.h"

#ifndef GY_ISA
#error "files of ops/ are compiled once per instruction set: see cmake/isa.cmake"
#endif

#define GY_PASTE_(a, b, c) a##b##_##c
#define GY_PASTE(a, b, c) GY_PASTE_(a, b, c)

/// The name of anything that one file of ops/ offers to another: gy_lookup_avx2.
#define GY_PER_ISA(name) GY_PASTE(gy_, name, GY_ISA)

/// The name of an op's body: `void GY_BODY(fill)(const void *args, const gy_box *box, int task)`
/// is gy_body_fill_avx2.
#define GY_BODY(name) GY_PASTE(gy_body_, name, GY_ISA)

#define GY_DECLARE_BODY(name, kind) gy_body GY_BODY(name);
GY_OP_LIST(GY_DECLARE_BODY)
#undef GY_DECLARE_BODY

#endif
