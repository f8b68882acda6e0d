// render/settings.c: the tables of what a scene can say about pictures, and pictures themselves.
#include "render/render.h"

#include <stdlib.h>

static const char *const map_names[] = {"auto",  "smoke",   "ink",      "gray",       "viridis",
                                        "magma", "inferno", "coolwarm", "black_body", NULL};
static const char *const mode_names[] = {"auto", "volume", "slice", "surface", "bars", NULL};
static const char *const axis_names[] = {"x", "y", "z", NULL};

// One line of a table each: member, components, unit, least, most, what it is, default.
// clang-format off
#define PLACE(member) offsetof(OWNER, member), sizeof(((OWNER *)0)->member)
#define FLOATS(member, count, unit, low, high, doc, ...)                                           \
    {#member, GYRE_FLOAT, count, unit, low, high, {__VA_ARGS__}, doc, PLACE(member), NULL, NULL, 0, NULL, NULL, NULL}
#define SWITCH(member, doc, on)                                                                    \
    {#member, GYRE_BOOL, 1, "1", 0, 1, {on}, doc, PLACE(member), NULL, NULL, 0, NULL, NULL, NULL}
#define CHOICE(member, names, last, doc, chosen)                                                   \
    {#member, GYRE_ENUM, 1, "1", 0, last, {chosen}, doc, PLACE(member), names, NULL, 0, NULL, NULL, NULL}
#define TEXT(member, doc)                                                                          \
    {#member, GYRE_STRING, 1, "1", 0, 0, {0}, doc, PLACE(member), NULL, NULL, 0, NULL, NULL, NULL}
// clang-format on

#define FAR 1e6

#define OWNER gyre_camera
const gyre_property gyre_camera_properties[] = {
    FLOATS(position, 3, "m", -FAR, FAR, "the eye; equal to target: the whole domain is framed", 0),
    FLOATS(target, 3, "m", -FAR, FAR, "the point in the picture's middle", 0),
    FLOATS(up, 3, "1", -1e3, 1e3, "what is up in the picture", 0, 1, 0),
    FLOATS(field_of_view, 1, "degree", 1, 150, "angle that the picture's height spans", 30),
    {0}};

#undef OWNER
#define OWNER gyre_light
const gyre_property gyre_light_properties[] = {
    FLOATS(direction, 3, "1", -1e3, 1e3, "from the scene towards the light", -1, 0.9, -0.3),
    FLOATS(colour, 3, "1", 0, 100, "of the light, linear RGB", 1, 0.93, 0.82),
    FLOATS(intensity, 1, "1", 0, 1e3, "brightness of the light", 1.3),
    FLOATS(ambient, 1, "1", 0, 1e3, "brightness of the light from everywhere", 0.22),
    FLOATS(ambient_colour, 3, "1", 0, 100, "of the light from everywhere, linear RGB", 0.6, 0.76,
           1),
    {0}};

#undef OWNER
#define OWNER gyre_view_settings
const gyre_property gyre_view_properties[] = {
    TEXT(field, "the field to show; empty: density"),
    CHOICE(mode, mode_names, 4, "how it is drawn; auto: volume in 3D, water as a surface, else map",
           GYRE_MODE_AUTO),
    CHOICE(slice_axis, axis_names, 2, "the axis across the slice", 2),
    FLOATS(slice_position, 1, "1", 0, 1, "where along its axis the slice lies", 0.5),
    CHOICE(map, map_names, 8, "colours of maps and slices", GYRE_MAP_AUTO),
    FLOATS(range, 2, "1", -1e30, 1e30,
           "values of the first and last colour; equal: from the field itself", 0),
    FLOATS(density_scale, 1, "m^2/kg", 0, 1e6, "extinction of the smoke", 40),
    FLOATS(albedo, 3, "1", 0, 1, "share of the light that smoke scatters, linear RGB", 0.92, 0.92,
           0.92),
    FLOATS(anisotropy, 1, "1", -0.95, 0.95,
           "how much smoke scatters forward (Henyey and Greenstein's g)", 0.25),
    FLOATS(background_top, 3, "1", 0, 100, "linear RGB at the picture's top", 0.012, 0.018, 0.03),
    FLOATS(background_bottom, 3, "1", 0, 100, "linear RGB at the picture's bottom", 0.075, 0.092,
           0.12),
    FLOATS(exposure, 1, "1", 0, 1e3, "factor before tone mapping", 1),
    SWITCH(shadow, "smoke and solids cast shadows", 1),
    SWITCH(floor, "a plane under the domain", 0),
    FLOATS(floor_colour, 3, "1", 0, 1, "of the plane, linear RGB", 0.11, 0.113, 0.12),
    FLOATS(solid_colour, 3, "1", 0, 1, "of solids, linear RGB", 0.62, 0.3, 0.16),
    SWITCH(glow, "the temperature shines like a black body", 0),
    FLOATS(glow_scale, 1, "1", 0, 1e6, "kelvin of glow per kelvin of the field", 1),
    FLOATS(glow_intensity, 1, "1", 0, 1e6, "brightness of the glow", 1),
    SWITCH(legend, "a bar of colours in maps and slices", 0),
    FLOATS(water_colour, 3, "1", 0, 1, "of deep water, linear RGB", 0.006, 0.085, 0.15),
    FLOATS(water_clarity, 1, "m", 0, 1e6,
           "after so much water 1/e of green light is left; 0: 2.5 m, less in a small domain", 0),
    FLOATS(bed_colour, 3, "1", 0, 1, "of level ground, linear RGB; steep ground is rock", 0.58,
           0.47, 0.31),
    FLOATS(sky_top, 3, "1", 0, 100, "of the sky over water, linear RGB", 0.08, 0.24, 0.62),
    FLOATS(sky_horizon, 3, "1", 0, 100, "of the sky near the horizon, linear RGB", 0.58, 0.7, 0.84),
    FLOATS(clouds, 1, "1", 0, 1, "how many there are in the sky over water", 0.45),
    {0}};

gyre_camera gyre_default_camera(void)
{
    gyre_camera camera;

    gyre_property_defaults(gyre_camera_properties, &camera, sizeof camera);
    return camera;
}

gyre_light gyre_default_light(void)
{
    gyre_light light;

    gyre_property_defaults(gyre_light_properties, &light, sizeof light);
    return light;
}

gyre_view_settings gyre_default_view_settings(void)
{
    gyre_view_settings settings;

    gyre_property_defaults(gyre_view_properties, &settings, sizeof settings);
    return settings;
}

gyre_result gyre_image_create(int width, int height, gyre_image *image)
{
    if (GY_MISSING("image_create", image))
        return GYRE_ERROR_ARGUMENT;
    if (width < 1 || height < 1 || width > 8192 || height > 8192)
        return gyre_fail(GYRE_ERROR_ARGUMENT, "a picture of %d x %d pixels; 1 to 8192 are allowed",
                         width, height);
    uint8_t *rgb = calloc((size_t)height, 3 * (size_t)width);

    if (rgb == NULL)
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory for a picture of %d x %d pixels", width,
                         height);
    *image = (gyre_image){width, height, rgb};
    return GYRE_OK;
}

void gyre_image_free(gyre_image *image)
{
    if (!image)
        return;
    free(image->rgb);
    *image = (gyre_image){0};
}
