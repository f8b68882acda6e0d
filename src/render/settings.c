// render/settings.c: the tables of what a scene can say about pictures, and pictures themselves.
#include "gyre/property_table.h"
#include "render/render.h"

#include <stdlib.h>

static const char *const map_names[] = {"auto",  "smoke",   "ink",      "gray",       "viridis",
                                        "magma", "inferno", "coolwarm", "black_body", NULL};
static const char *const mode_names[] = {"auto", "volume", "slice", "surface",
                                         "bars", "cells",  NULL};
static const char *const layout_names[] = {"auto", "composed", "panels", NULL};
static const char *const mix_names[] = {"auto", "light", "ink", NULL};
static const char *const axis_names[] = {"x", "y", "z", NULL};

#define FAR 1e6

#define CAMERA(kind, ...) GYRE_PROPERTY_##kind(gyre_camera, __VA_ARGS__)
const gyre_property gyre_camera_properties[] = {
    CAMERA(VECTOR, position, "m", -FAR, FAR,
           "the eye; equal to target: the whole domain is framed"),
    CAMERA(VECTOR, target, "m", -FAR, FAR, "the point in the picture's middle"),
    CAMERA(VECTOR, up, "1", -1e3, 1e3, "what is up in the picture", .initial = {0, 1, 0}),
    CAMERA(FLOAT, field_of_view, "degree", 1, 150, "angle that the picture's height spans",
           .initial = {30}),
    GYRE_PROPERTY_END,
};

#define LIGHT(kind, ...) GYRE_PROPERTY_##kind(gyre_light, __VA_ARGS__)
const gyre_property gyre_light_properties[] = {
    LIGHT(VECTOR, direction, "1", -1e3, 1e3, "from the scene towards the light",
          .initial = {-1, 0.9, -0.3}),
    LIGHT(VECTOR, colour, "1", 0, 100, "of the light, linear RGB", .initial = {1, 0.93, 0.82}),
    LIGHT(FLOAT, intensity, "1", 0, 1e3, "brightness of the light", .initial = {1.3}),
    LIGHT(FLOAT, ambient, "1", 0, 1e3, "brightness of the light from everywhere",
          .initial = {0.22}),
    LIGHT(VECTOR, ambient_colour, "1", 0, 100, "of the light from everywhere, linear RGB",
          .initial = {0.6, 0.76, 1}),
    GYRE_PROPERTY_END,
};

#define CHANNEL(kind, ...) GYRE_PROPERTY_##kind(gyre_view_channel, __VA_ARGS__)
const gyre_property gyre_view_channel_properties[] = {
    CHANNEL(STRING, name, "the field: \"density\", a channel of a gas, or any other",
            .flags = GYRE_NAME),
    CHANNEL(BOOL, shown, "whether it is drawn", .initial = {1}),
    CHANNEL(VECTOR, colour, "1", 0, 1,
            "linear RGB: of light what smoke sends on, a lamp gives, ink leaves at a depth of 1",
            .initial = {0.92, 0.92, 0.92}),
    CHANNEL(FLOAT, scale, "1", 0, 1e6, "of its amount: a factor of density_scale", .initial = {1}),
    GYRE_PROPERTY_END,
};

static const char *const texture_words[] = {"noise", NULL};

#define VIEW(kind, ...) GYRE_PROPERTY_##kind(gyre_view_settings, __VA_ARGS__)
const gyre_property gyre_view_properties[] = {
    VIEW(STRING, field, "the field to show; empty: density"),
    VIEW(ENUM, mode, mode_names,
         "how it is drawn; auto: volume in 3D, water as a surface, else map; cells: one polygon a "
         "cell in 3D, of at most 64 x 64 x 64",
         .initial = {GYRE_MODE_AUTO}),
    VIEW(ENUM, slice_axis, axis_names, "the axis across the slice", .initial = {2}),
    VIEW(FLOAT, slice_position, "1", 0, 1, "where along its axis the slice lies", .initial = {0.5}),
    VIEW(ENUM, map, map_names, "colours of maps and slices", .initial = {GYRE_MAP_AUTO}),
    VIEW(VECTOR, range, "1", -1e30, 1e30,
         "values of the first and last colour; equal: from the field itself"),
    VIEW(FLOAT, density_scale, "m^2/kg", 0, 1e6, "extinction of the smoke", .initial = {40}),
    VIEW(VECTOR, albedo, "1", 0, 1, "share of the light that smoke scatters, linear RGB",
         .initial = {0.92, 0.92, 0.92}),
    VIEW(FLOAT, anisotropy, "1", -0.95, 0.95,
         "how much smoke scatters forward (Henyey and Greenstein's g)", .initial = {0.25}),
    VIEW(VECTOR, background_top, "1", 0, 100, "linear RGB at the picture's top",
         .initial = {0.012, 0.018, 0.03}),
    VIEW(VECTOR, background_bottom, "1", 0, 100, "linear RGB at the picture's bottom",
         .initial = {0.075, 0.092, 0.12}),
    VIEW(FLOAT, exposure, "1", 0, 1e3, "factor before tone mapping", .initial = {1}),
    VIEW(BOOL, shadow, "smoke and solids cast shadows", .initial = {1}),
    VIEW(BOOL, floor, "a plane under the domain"),
    VIEW(VECTOR, floor_colour, "1", 0, 1, "of the plane, linear RGB",
         .initial = {0.11, 0.113, 0.12}),
    VIEW(VECTOR, solid_colour, "1", 0, 1, "of solids, linear RGB", .initial = {0.62, 0.3, 0.16}),
    VIEW(BOOL, glow, "the temperature shines like a black body"),
    VIEW(FLOAT, glow_scale, "1", 0, 1e6, "kelvin of glow per kelvin of the field", .initial = {1}),
    VIEW(FLOAT, glow_intensity, "1", 0, 1e6, "brightness of the glow", .initial = {1}),
    VIEW(FLOAT, glow_scatter, "1", 0, 1e3,
         "how much smoke scatters of the light of glow and flame; 1: what comes to it; in 3D",
         .needs = "glow"),
    VIEW(STRING, flame, "a field that shines of itself in 3D, as fire.front.lit; empty: none"),
    VIEW(VECTOR, flame_colour, "1", 0, 1, "of that, linear RGB", .initial = {0.1, 0.3, 1},
         .needs = "flame"),
    VIEW(FLOAT, flame_intensity, "1", 0, 1e6, "brightness of a unit of it", .initial = {1},
         .needs = "flame"),
    VIEW(BOOL, legend, "a bar of colours in maps and slices"),
    VIEW(VECTOR, water_colour, "1", 0, 1, "of deep water, linear RGB",
         .initial = {0.006, 0.085, 0.15}),
    VIEW(FLOAT, water_clarity, "m", 0, 1e6,
         "after so much water 1/e of green light is left; 0: 2.5 m, less in a small domain"),
    VIEW(VECTOR, bed_colour, "1", 0, 1, "of level ground, linear RGB; steep ground is rock",
         .initial = {0.58, 0.47, 0.31}),
    VIEW(VECTOR, sky_top, "1", 0, 100, "of the sky over water, linear RGB",
         .initial = {0.08, 0.24, 0.62}),
    VIEW(VECTOR, sky_horizon, "1", 0, 100, "of the sky near the horizon, linear RGB",
         .initial = {0.58, 0.7, 0.84}),
    VIEW(FLOAT, clouds, "1", 0, 1, "how many there are in the sky over water", .initial = {0.45}),
    VIEW(BOOL, points, "particles are drawn", .initial = {1}),
    VIEW(FLOAT, point_size, "m", 0, 1e6, "diameter of particles; 0: a third of a cell"),
    VIEW(VECTOR, point_colour, "1", 0, 1, "of particles, linear RGB", .initial = {0.9, 0.62, 0.25}),
    VIEW(STRING, point_by, "the attribute that colours particles (age); empty: none"),
    VIEW(STRING, point_size_by, "the attribute that sizes of particles grow with; empty: none"),
    VIEW(ENUM, point_map, map_names, "colours of point_by"),
    VIEW(VECTOR, point_range, "1", -1e30, 1e30, "of these attributes; equal: their own range"),
    VIEW(FLOAT, point_glow, "1", 0, 1e3, "light of their own, in their colour; in 3D"),
    VIEW(INT, unseen, "1", 1, 1000,
         "steps that waters out of the camera's sight are stepped in one of", .initial = {1},
         .flags = GYRE_FIXED),
    VIEW(
        ENUM, layout, layout_names,
        "several models: composed by depth in one picture, or in panels; auto: composed where they "
        "can be"),
    VIEW(POOL, channels, gyre_view_channel, 64, gyre_view_channel_properties,
         "colours of single scalars of a gas; those that are not named have colours that differ",
         .flags = GYRE_FIXED),
    VIEW(ENUM, mix, mix_names,
         "several scalars: light adds up their colours, ink multiplies what they leave of white; "
         "auto: as smoke, in maps as smoke or ink by the map"),
    VIEW(VECTOR, paper, "1", 0, 100, "linear RGB behind ink", .initial = {0.93, 0.91, 0.86}),
    VIEW(FLOAT, cloudiness, "1", 0, 1e6,
         "of ink in volumes: extinction of what it scatters, a factor of density_scale"),
    VIEW(STRING, texture,
         "a PNG file, or noise, that flows with a gas by its texture coordinates; in 3D also a "
         "volume: an .npy file, a folder of numbered PNG files, or one name for them (a%03d.png); "
         "empty: none",
         .flags = GYRE_FILE, .names = texture_words),
    VIEW(INT, texture_slices, "1", 0, 8192,
         "of a PNG file as a volume: slices in it, one above the other; 0: it is an image",
         .needs = "texture"),
    VIEW(FLOAT, texture_size, "m", 0, 1e6, "of the texture's width; 0: that of the domain",
         .needs = "texture"),
    VIEW(FLOAT, texture_contrast, "1", 0, 100, "factor of the texture's deviation from its mean",
         .initial = {1}, .needs = "texture"),
    VIEW(BOOL, caustics,
         "waves gather the sun's light on the bed and on bodies under water, beam by beam; else by "
         "the curvature above alone"),
    VIEW(FLOAT, foam, "1", 0, 100, "how much of white water is drawn, a factor; 0: none",
         .initial = {1}),
    VIEW(FLOAT, bed_tiles, "m", 0, 1e6, "width of square tiles on level ground; 0: there are none"),
    VIEW(BOOL, point_soft,
         "particles named spray or foam are drawn as soft drops; else as balls like all others",
         .initial = {1}),
    VIEW(BOOL, wet, "ground that water has left is dark and shines: see water.drying",
         .initial = {1}),
    VIEW(FLOAT, ripples, "1", 0, 1,
         "mean slope of ripples finer than cells, which flow with the water: see water.texture; 0: "
         "none"),
    VIEW(FLOAT, ripple_length, "m", 0, 1e4, "of the longest ripples; 0: one and a half cells",
         .needs = "ripples"),
    VIEW(FLOAT, ripple_speed, "m/s", 0, 1e3,
         "of the flow that makes half of the ripples; 0: all water has them", .needs = "ripples"),
    VIEW(FLOAT, ripple_direction, "degree", -1e4, 1e4, "where ripples run to, from x towards y",
         .needs = "ripples"),
    GYRE_PROPERTY_END,
};

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
