// vector_cg.glsl: the factor and the mean of a vector op: the CG state's where there is one.
#include "ops/system/cg.glsl"

float factor_own()
{
    return args.cg != 0 ? CgState(at(args.base, args.cg)).factor : args.factor;
}

float mean_own()
{
    return args.cg != 0 ? CgState(at(args.base, args.cg)).mean : args.mean;
}
