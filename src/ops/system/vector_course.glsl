// vector_course.glsl: the factor and the mean of a vector op: the course's where there is one.
#include "ops/system/course.glsl"

float factor_own()
{
    return args.course != 0 ? Course(at(args.base, args.course)).factor : args.factor;
}

float mean_own()
{
    return args.course != 0 ? Course(at(args.base, args.course)).mean : args.mean;
}
