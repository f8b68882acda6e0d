// validate/solvers.h: solvers of flows that are gyre's own models: those of a scene.
#ifndef VALIDATE_SOLVERS_H
#define VALIDATE_SOLVERS_H

#include "validate/flow.h"

bool validate_gas_flow_open(validate_flow *flow, int cells, double dt);
bool validate_classic_flow_open(validate_flow *flow, int cells, double dt);
/// Parses a scene's text, puts so many cells and steps of `dt` into it, and `change` (may be NULL),
/// and creates its models.
bool validate_model_flow_open(validate_flow *flow, const char *text, size_t size, int cells,
                              double dt, const char *change);
bool validate_model_flow_step(validate_flow *flow);
bool validate_model_flow_read(validate_flow *flow, const char *field, validate_samples *samples);
bool validate_model_flow_push(validate_flow *flow, const char *body, double force[3]);
bool validate_model_flow_pose(validate_flow *flow, const char *body, gyre_pose *pose);
const char *validate_model_flow_draw(validate_flow *flow, gyre_image *image);
const char *validate_classic_flow_draw(validate_flow *flow, gyre_image *image);
void validate_model_flow_close(validate_flow *flow);

#endif
