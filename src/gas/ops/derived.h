// gas/ops/derived.h: the numbers by which the op derive knows the derived fields of a gas.
#ifndef GY_GAS_DERIVED_H
#define GY_GAS_DERIVED_H

enum {
#define GY_DERIVED(name, unit, view, role, dims, power, doc, formula) GY_DERIVE_##name,
#include "gas/ops/derived.inc"
#undef GY_DERIVED
    GY_DERIVE_COUNT
};

#endif
