// water/report.c: what there is to tell of a body: its pose, its speed, what the water does to it.
// Cost: that of gyre_water_report(), some tens of microseconds for a hull.
#include "base/pose.h"
#include "grid/table.h"
#include "water/water.h"
#include <string.h>

#define TOLD(member, unit, doc)                                                                    \
    GY_PROPERTY(gy_body_told, member, GYRE_FLOAT, 3, unit, 0, 0, doc, .initial = {0})
#define POSE(part, count, unit, doc)                                                               \
    GY_POSE_PART(gy_body_told, part, count, unit, 0, doc, .initial = {0})
#define ONE(member, unit, doc) GY_STAT(gy_body_told, member, GYRE_FLOAT, unit, doc)
static const gyre_property told_properties[] = {
    POSE(position, 3, "m", "of the centre of mass"),
    POSE(rotation, 3, "degrees", "about the world's x, then y, then z"),
    POSE(orientation, 4, "1", "the same as a unit quaternion x, y, z, w"),
    POSE(velocity, 3, "m/s", "of the centre of mass"),
    POSE(spin, 3, "degrees/s", "about the world's axes"),
    TOLD(force, "N", "of the water: buoyancy and drag, without weight"),
    TOLD(torque, "N m", "of the water, about the centre of mass"),
    ONE(submerged, "m^3", "volume that is under water"),
    ONE(draft, "m", "height of the surface over the body's lowest point"),
    GY_TABLE_END,
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
    gy_body_told *told = &((gyre_water *)(uintptr_t)w)->body_told;
    if (gyre_water_report(w, gyre_model_element(model, pool, index), &now)) {
        return NULL;
    }
    told->pose = bodies[index].pose;
    // Both, whichever of them counts.
    if (gy_is_oriented(told->pose.orientation)) {
        gyre_quaternion_to_degrees(told->pose.orientation, told->pose.rotation);
    }
    gyre_pose_quaternion(&told->pose, told->pose.orientation);
    memcpy(told->force, now.force, sizeof told->force);
    memcpy(told->torque, now.torque, sizeof told->torque);
    told->submerged = now.submerged;
    told->draft = now.draft;
    *report = told;
    return told_properties;
}
