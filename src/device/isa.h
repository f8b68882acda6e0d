// device/isa.h: the instruction sets of this build.
#ifndef GY_ISA_H
#define GY_ISA_H

#include "device/device.h"

/// The table of the set with this name; NULL name: the best of this machine. On failure the
/// message lists the names that would do.
gyre_result gy_isa_find(const char *name, const gy_isa_table **table);

#endif
