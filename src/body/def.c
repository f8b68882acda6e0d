// body/def.c: tables and defaults of bodies and their forms.
#include "body/body.h"
#include "grid/table.h"
#include "gyre/property_table.h"

#define FORM(part, kind, ...) GYRE_PROPERTY_##kind(struct gyre_form_##part, __VA_ARGS__)

static const gyre_property sphere_properties[] = {
    FORM(sphere, FLOAT, radius, "m", 1e-4, 1e6, "radius", .initial = {0.5}),
    GYRE_PROPERTY_END,
};
static const gyre_property box_properties[] = {
    FORM(box, VECTOR, size, "m", 1e-4, 1e6, "full edges", .initial = {1, 1, 1}),
    GYRE_PROPERTY_END,
};
static const gyre_property capsule_properties[] = {
    FORM(capsule, FLOAT, radius, "m", 1e-4, 1e6, "round its axis, which is x", .initial = {0.5}),
    FORM(capsule, FLOAT, length, "m", 0, 1e6, "distance of the two centres", .initial = {1}),
    GYRE_PROPERTY_END,
};
static const gyre_property cylinder_properties[] = {
    FORM(cylinder, FLOAT, radius, "m", 1e-4, 1e6, "round its axis, which is x", .initial = {0.5}),
    FORM(cylinder, FLOAT, length, "m", 1e-4, 1e6, "distance of the two ends", .initial = {1}),
    GYRE_PROPERTY_END,
};
static const gyre_property half_space_properties[] = {
    FORM(half_space, VECTOR, normal, "1", -1e6, 1e6, "out of the solid, any length but 0",
         .initial = {0, 0, 1}),
    GYRE_PROPERTY_END,
};
static const gyre_property hull_properties[] = {
    FORM(hull, VOLUME, points, "m", "3 numbers each"),
    GYRE_PROPERTY_END,
};
static const gyre_property mesh_properties[] = {
    FORM(mesh, VOLUME, points, "m", "3 numbers each"),
    FORM(mesh, VOLUME, triangles, "1", "3 indices each"),
    FORM(mesh, VOLUME, frames, "m", "the points at later times", .flags = GYRE_OPTIONAL),
    FORM(mesh, FLOAT, rate, "1/s", 0, 1e6, "of frames", .initial = {30}),
    FORM(mesh, BOOL, repeat, "after the last frame comes the first"),
    FORM(mesh, VECTOR, low, "m", -1e6, 1e6, "corner of the box of points that a program moves"),
    FORM(mesh, VECTOR, high, "m", -1e6, 1e6, "the other corner; both 0: it moves none"),
    GYRE_PROPERTY_END,
};
static const gyre_property volume_properties[] = {
    FORM(volume, VOLUME, data, "m", "signed distances, below 0 inside"),
    FORM(volume, VECTOR, low, "m", -1e6, 1e6, "lower corner of the array's box"),
    FORM(volume, VECTOR, size, "m", 1e-6, 1e6, "edges of the array's box", .initial = {1, 1, 1}),
    GYRE_PROPERTY_END,
};
static const gyre_property bitmap_properties[] = {
    FORM(bitmap, VOLUME, data, "1", "inside where it is above the threshold"),
    FORM(bitmap, VECTOR, low, "m", -1e6, 1e6, "lower corner of the array's box"),
    FORM(bitmap, VECTOR, size, "m", 1e-6, 1e6, "edges of the array's box", .initial = {1, 1, 1}),
    FORM(bitmap, FLOAT, threshold, "1", -1e6, 1e6, "value at the surface", .initial = {0.5}),
    GYRE_PROPERTY_END,
};

const gyre_property gyre_form_properties[] = {
    GYRE_PROPERTY_ALTERNATIVE(gyre_form, as, sphere, sphere_properties, "a ball"),
    GYRE_PROPERTY_ALTERNATIVE(gyre_form, as, box, box_properties, "a box"),
    GYRE_PROPERTY_ALTERNATIVE(gyre_form, as, capsule, capsule_properties,
                              "all within a radius of a line along x"),
    GYRE_PROPERTY_ALTERNATIVE(gyre_form, as, cylinder, cylinder_properties, "a cylinder along x"),
    GYRE_PROPERTY_ALTERNATIVE(gyre_form, as, half_space, half_space_properties,
                              "all behind a plane"),
    GYRE_PROPERTY_ALTERNATIVE(gyre_form, as, hull, hull_properties, "a convex hull"),
    GYRE_PROPERTY_ALTERNATIVE(gyre_form, as, mesh, mesh_properties, "what triangles enclose"),
    GYRE_PROPERTY_ALTERNATIVE(gyre_form, as, volume, volume_properties,
                              "where an array of distances is below 0"),
    GYRE_PROPERTY_ALTERNATIVE(gyre_form, as, bitmap, bitmap_properties,
                              "where an array is above a threshold"),
    GYRE_PROPERTY_END,
};

static const char *const motions[] = {"held", "free", "path", "driven", NULL};

#define IN_WATER(kind, ...) GYRE_PROPERTY_##kind(gyre_body_water, __VA_ARGS__)
static const gyre_property water_properties[] = {
    IN_WATER(FLOAT, drag, "1", 0, 1e3, "coefficient against the water", .initial = {1}),
    IN_WATER(FLOAT, added_mass, "1", 0, 10, "share of the displaced mass that moves along",
             .initial = {0.5}),
    IN_WATER(FLOAT, waves, "1", 0, 1, "share of what it displaces that makes waves",
             .initial = {1}),
    IN_WATER(BOOL, drift, "carried by current and waves", .initial = {1}),
    GYRE_PROPERTY_END,
};

static const char *const surfaces[] = {"as_gas", "slip", "no_slip", NULL};
static const gyre_property held_properties[] = {
    GYRE_PROPERTY_FLOAT(gyre_amount, amount, "1", -1e6, 1e6, "in the field's unit"),
    GYRE_PROPERTY_END,
};

static const gyre_property given_properties[] = {
    GYRE_PROPERTY_FLOAT(gyre_amount, amount, "m/s", -1e6, 1e6,
                        "in the field's unit times m/s: per area and time"),
    GYRE_PROPERTY_END,
};

static const gyre_property gas_properties[] = {
    GYRE_PROPERTY_ENUM(gyre_body_gas, surface, surfaces, "whether the gas slides along it"),
    GYRE_PROPERTY_AMOUNTS(gyre_body_gas, holds, held_properties,
                          "what scalars are held at on its surface, each by its field's name"),
    GYRE_PROPERTY_AMOUNTS(gyre_body_gas, gives, given_properties,
                          "what it gives of scalars, per area, each by its field's name"),
    GYRE_PROPERTY_END,
};

#define BODY(kind, ...) GYRE_PROPERTY_##kind(gyre_body, __VA_ARGS__)
const gyre_property gyre_body_properties[] = {
    BODY(STRING, name, "for paths", .flags = GYRE_NAME),
    BODY(BOOL, enabled, "whether it is there", .initial = {1}),
    BODY(UNION, form, gyre_form_properties, "in its own frame", .flags = GYRE_FIXED),
    BODY(ENUM, motion, motions, "how it moves"),
    GY_POSE(gyre_body, "its own frame", NULL, 0, NULL),
    BODY(FLOAT, density, "kg/m^3", 1e-3, 1e6, "mean", .initial = {500}),
    BODY(FLOAT, mass, "kg", 0, 1e15, "0: what density and volume make"),
    BODY(VECTOR, force, "N", -1e12, 1e12, "the caller's own", .needs = "motion=free"),
    BODY(VECTOR, torque, "N m", -1e12, 1e12, "the caller's own", .needs = "motion=free"),
    BODY(VOLUME, path, "1", "keys of 8 numbers: time, position, quaternion", .needs = "motion=path",
         .flags = GYRE_FIXED | GYRE_OPTIONAL),
    BODY(BOOL, repeat, "the path begins anew at its end", .needs = "motion=path"),
    BODY(STRUCT, water, water_properties, "what waters do to it"),
    BODY(STRUCT, gas, gas_properties, "what gases do to it, and it to them"),
    GYRE_PROPERTY_END,
};

const gyre_property gy_set_properties[] = {
    GYRE_PROPERTY_VECTOR(struct gy_set_def, gravity, "m/s^2", -1e4, 1e4, "of free bodies",
                         .initial = {0, 0, -9.81}),
    GYRE_PROPERTY_POOL(struct gy_set_def, pool, gyre_body, 65536, gyre_body_properties, "bodies"),
    GYRE_PROPERTY_END,
};

gyre_body gyre_bodies_default_body(void)
{
    gyre_body body;
    gyre_property_defaults(gyre_body_properties, &body, sizeof body);
    body.form.kind = GYRE_FORM_BOX;
    gyre_property_defaults(box_properties, &body.form.as.box, sizeof body.form.as.box);
    return body;
}
