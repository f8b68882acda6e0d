// One table per instruction set: this file is compiled as often as the ops are.
#include "ops/body.h"
#include "ops/particle.h"

#define GY_STRING_(x) #x
#define GY_STRING(x) GY_STRING_(x)

extern const gy_isa_table GY_JOIN(gy_isa, GY_ISA);
const gy_isa_table GY_JOIN(gy_isa, GY_ISA) = {
    .name = GY_STRING(GY_ISA),
    .body =
        {
#define GY_BODY_ENTRY(name, kind) [GY_OP_##name] = GY_BODY(name),
            GY_OP_LIST(GY_BODY_ENTRY)
#undef GY_BODY_ENTRY
        },
};

// What ops/args.h promises: arguments fit a push constant, and a level its place in a hierarchy.
#define GY_FITS(type) _Static_assert(sizeof(type) <= 128, #type " does not fit a push constant")
GY_FITS(gy_halo_args);
GY_FITS(gy_fill_args);
GY_FITS(gy_blend_args);
GY_FITS(gy_kick_args);
GY_FITS(gy_widen_args);
GY_FITS(gy_trace_args);
GY_FITS(gy_advect_args);
GY_FITS(gy_share_args);
GY_FITS(gy_remap_args);
GY_FITS(gy_tally_args);
GY_FITS(gy_decay_args);
GY_FITS(gy_buoyancy_args);
GY_FITS(gy_emit_args);
GY_FITS(gy_source_args);
GY_FITS(gy_blob_args);
GY_FITS(gy_extend_args);
GY_FITS(gy_divergence_args);
GY_FITS(gy_gradient_args);
GY_FITS(gy_measure_args);
GY_FITS(gy_mend_args);
GY_FITS(gy_derive_args);
GY_FITS(gy_split_args);
GY_FITS(gy_relax_args);
GY_FITS(gy_dot_args);
GY_FITS(gy_sweep_args);
GY_FITS(gy_factor_args);
GY_FITS(gy_coarsen_args);
GY_FITS(gy_extras_args);
GY_FITS(gy_balance_args);
GY_FITS(gy_region_args);
GY_FITS(gy_means_args);
GY_FITS(gy_judge_args);
GY_FITS(gy_course_args);
GY_FITS(gy_viscous_args);
GY_FITS(gy_flags_args);
GY_FITS(gy_vector_args);
GY_FITS(gy_transform_args);
GY_FITS(gy_water_args);
GY_FITS(gy_wave_args);
GY_FITS(gy_weather_args);
GY_FITS(gy_gather_args);
GY_FITS(gy_particle_args);
GY_FITS(gy_tracer_args);
GY_FITS(gy_dust_args);
_Static_assert(sizeof(gy_ledger) == 64, "a ledger does not fill its place");
_Static_assert(sizeof(gy_report) == 64, "a report does not fill its place");
_Static_assert(sizeof(gy_level) <= GY_LEVEL_STEP * 64, "a level does not fit its place");
