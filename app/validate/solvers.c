// validate/solvers.c: who can compute flows of album/.
#include "validate/solvers.h"

#define GAS(scheme, doc_)                                                                          \
    {                                                                                              \
        .name = "gas, " scheme, .doc = doc_, .open = validate_gas_flow_open,                       \
        .step = validate_model_flow_step, .read = validate_model_flow_read,                        \
        .push = validate_model_flow_push, .pose = validate_model_flow_pose,                        \
        .draw = validate_model_flow_draw, .close = validate_model_flow_close, .option = scheme     \
    }

const validate_solver validate_solvers[] = {
    {.name = "gas",
     .doc = "as the scene says",
     .open = validate_gas_flow_open,
     .step = validate_model_flow_step,
     .read = validate_model_flow_read,
     .push = validate_model_flow_push,
     .pose = validate_model_flow_pose,
     .draw = validate_model_flow_draw,
     .close = validate_model_flow_close},
    GAS("conservative", "gyre's default"),
    GAS("semi_lagrangian", "first order, by linear samples"),
    GAS("maccormack", "semi-Lagrangian, corrected"),
    GAS("bfecc", "semi-Lagrangian, there and back"),
    GAS("cubic", "semi-Lagrangian, by cubic samples"),
    {.name = "classic",
     .doc = "the paper's own solver",
     .open = validate_classic_flow_open,
     .step = validate_model_flow_step,
     .read = validate_model_flow_read,
     .push = validate_model_flow_push,
     .pose = validate_model_flow_pose,
     .draw = validate_classic_flow_draw,
     .close = validate_model_flow_close},
    {.name = NULL},
};

const char *const validate_missing[] = {
    "mantaflow: there is no adapter for it here",
    "Jet: there is no adapter for it here",
    NULL,
};
