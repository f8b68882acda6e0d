// device/op_list.h: the one list of ops: X(name, kind). Adding an op is a line here, a struct of
// arguments in ops/args.h and a body in a file of ops/.
#ifndef GY_OP_LIST_H
#define GY_OP_LIST_H

#define GY_OP_LIST(X)                                                                              \
    X(halo, GY_ROWS)                                                                               \
    X(fill, GY_ROWS)                                                                               \
    X(blend, GY_ROWS)                                                                              \
    X(widen, GY_ROWS)                                                                              \
    X(trace, GY_ROWS)                                                                              \
    X(advect, GY_ROWS)                                                                             \
    X(correct, GY_ROWS)                                                                            \
    X(share, GY_ROWS)                                                                              \
    X(remap, GY_ROWS)                                                                              \
    X(tally, GY_COARSE)                                                                            \
    X(decay, GY_ROWS)                                                                              \
    X(buoyancy, GY_ROWS)                                                                           \
    X(emit, GY_ROWS)                                                                               \
    X(source, GY_ROWS)                                                                             \
    X(blob, GY_ROWS)                                                                               \
    X(extend, GY_ITEMS)                                                                            \
    X(divergence, GY_ROWS)                                                                         \
    X(kick, GY_ROWS)                                                                               \
    X(gradient, GY_ROWS)                                                                           \
    X(measure, GY_ROWS)                                                                            \
    X(mend, GY_ROWS)                                                                               \
    X(derive, GY_ROWS)                                                                             \
    X(split, GY_ROWS)                                                                              \
    X(merge, GY_ROWS)                                                                              \
    X(relax, GY_ROWS)                                                                              \
    X(residual, GY_ROWS)                                                                           \
    X(restrict, GY_ROWS)                                                                           \
    X(prolong, GY_ROWS)                                                                            \
    X(clear, GY_ROWS)                                                                              \
    X(wrap, GY_ROWS)                                                                               \
    X(cycle, GY_COARSE)                                                                            \
    X(viscous, GY_ROWS)                                                                            \
    X(coarsen, GY_ROWS)                                                                            \
    X(flags, GY_ROWS)                                                                              \
    X(dot, GY_ROWS)                                                                                \
    X(mask, GY_ROWS)                                                                               \
    X(apply, GY_ROWS)                                                                              \
    X(direct, GY_ROWS)                                                                             \
    X(descend, GY_ROWS)                                                                            \
    X(dots, GY_ROWS)                                                                               \
    X(refine, GY_ROWS)                                                                             \
    X(transform, GY_BLOCKS)                                                                        \
    X(box_residual, GY_ROWS)                                                                       \
    X(reduce, GY_BLOCKS)                                                                           \
    X(extras_relax, GY_ITEMS)                                                                      \
    X(extras_restrict, GY_ITEMS)                                                                   \
    X(extras_save, GY_ITEMS)                                                                       \
    X(extras_put, GY_ITEMS)                                                                        \
    X(extras_cycle, GY_COARSE)                                                                     \
    X(balance, GY_ROWS)                                                                            \
    X(lower, GY_ROWS)                                                                              \
    X(region_sum, GY_BLOCKS)                                                                       \
    X(region_gather, GY_BLOCKS)                                                                    \
    X(region_means, GY_COARSE)                                                                     \
    X(region_lower, GY_BLOCKS)                                                                     \
    X(judge, GY_COARSE)                                                                            \
    X(course, GY_COARSE)                                                                           \
    X(interpolate, GY_ROWS)                                                                        \
    X(sor, GY_ROWS)                                                                                \
    X(jacobi, GY_ROWS)                                                                             \
    X(gauss_seidel, GY_COARSE)                                                                     \
    X(factor_band, GY_COARSE)                                                                      \
    X(solve_band, GY_COARSE)                                                                       \
    X(factor_dense, GY_COARSE)                                                                     \
    X(water_wave, GY_BLOCKS)                                                                       \
    X(water_shallow, GY_BLOCKS)                                                                    \
    X(water_slope, GY_BLOCKS)                                                                      \
    X(water_weather, GY_BLOCKS)                                                                    \
    X(water_gather, GY_ROWS)                                                                       \
    X(water_measure, GY_BLOCKS)                                                                    \
    X(particle_key, GY_ITEMS)                                                                      \
    X(particle_starts, GY_COARSE)                                                                  \
    X(particle_scatter, GY_ITEMS)                                                                  \
    X(particle_order, GY_BLOCKS)                                                                   \
    X(tracer, GY_ITEMS)                                                                            \
    X(dust, GY_ITEMS)

typedef enum gy_op {
#define GY_OP_ENUM(name, kind) GY_OP_##name,
    GY_OP_LIST(GY_OP_ENUM)
#undef GY_OP_ENUM
        GY_OP_COUNT
} gy_op;

#endif
