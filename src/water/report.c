// water/report.c: what there is to tell of a body: its pose, its speed, what the water does to it.
// Cost: that of gyre_water_report(), some tens of microseconds for a hull.
#include "base/pose.h"
#include "grid/table.h"
#include "water/water.h"
#include <string.h>

#define TOLD(member, unit, doc) GYRE_PROPERTY_VECTOR(gy_body_reading, member, unit, 0, 0, doc)
#define ONE(member, unit, doc) GYRE_PROPERTY_STAT(gy_body_reading, member, unit, doc)
#define POSE(part, unit, doc) GY_POSE_PART(gy_body_reading, part, unit, 0, doc)
static const gyre_property told_properties[] = {
    POSE(position, "m", "of the centre of mass"),
    POSE(rotation, "degrees", "about the world's x, then y, then z"),
    POSE(orientation, "1", "the same as a unit quaternion x, y, z, w"),
    POSE(velocity, "m/s", "of the centre of mass"),
    POSE(spin, "degrees/s", "about the world's axes"),
    TOLD(force, "N", "of the water: buoyancy and drag, without weight"),
    TOLD(torque, "N m", "of the water, about the centre of mass"),
    ONE(submerged, "m^3", "volume that is under water"),
    ONE(draft, "m", "height of the surface over the body's lowest point"),
    GYRE_PROPERTY_END,
};

const gyre_property *gy_water_report(const gyre_model *model, const char *pool, int index,
                                     const void **report)
{
    const gyre_water *w = (const gyre_water *)model;
    const gyre_water_body *bodies = w->def->bodies.items;
    if (strcmp(pool, "bodies") != 0 || index < 0) {
        return strcmp(pool, "bodies") == 0 ? told_properties : NULL;
    }
    gyre_body_report now;
    gy_body_reading *result = &((gyre_water *)(uintptr_t)w)->body_reading;
    if (gyre_water_report(w, gyre_model_element(model, pool, index), &now)) {
        return NULL;
    }
    result->pose = bodies[index].pose;
    // Both, whichever of them counts.
    if (gy_is_oriented(result->pose.orientation)) {
        gyre_quaternion_to_degrees(result->pose.orientation, result->pose.rotation);
    }
    gyre_pose_quaternion(&result->pose, result->pose.orientation);
    memcpy(result->force, now.force, sizeof result->force);
    memcpy(result->torque, now.torque, sizeof result->torque);
    result->submerged = now.submerged;
    result->draft = now.draft;
    *report = result;
    return told_properties;
}
