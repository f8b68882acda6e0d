// render/colour.c: colour maps, black bodies and the way to bytes.
//
// viridis, magma, inferno: polynomials of degree 6 fitted to matplotlib's maps (CC0, by Matt
// Zucker). coolwarm: Moreland's diverging map (2009) by its 9 control points.
#include "render/map.h"

typedef const float polynomial[7][3];

const float gy_ink_absorb[3] = {5.2f, 3.6f, 1.5f}, gy_ink_paper[3] = {0.93f, 0.91f, 0.86f};

static polynomial viridis = {{0.2777273272f, 0.0054073445f, 0.3340998053f},
                             {0.1050930431f, 1.4046135299f, 1.3845901626f},
                             {-0.3308618287f, 0.2148475595f, 0.0950951630f},
                             {-4.6342304990f, -5.7991009734f, -19.3324409563f},
                             {6.2282699363f, 14.1799333668f, 56.6905526007f},
                             {4.7763849978f, -13.7451453777f, -65.3530326334f},
                             {-5.4354558559f, 4.6458526122f, 26.3124352496f}};
static polynomial magma = {{-0.0021364850f, -0.0007496551f, -0.0053861279f},
                           {0.2516605407f, 0.6775232436f, 2.4940265993f},
                           {8.3537172792f, -3.5777195148f, 0.3144679030f},
                           {-27.6687330858f, 14.2647307810f, -13.6492132137f},
                           {52.1761398190f, -27.9436060705f, 12.9441694430f},
                           {-50.7685253647f, 29.0465828201f, 4.2341529986f},
                           {18.6557053610f, -11.4897735195f, -5.6019615087f}};
static polynomial inferno = {{0.0002189403f, 0.0016510046f, -0.0194808984f},
                             {0.1065134195f, 0.5639564368f, 3.9327123889f},
                             {11.6024930825f, -3.9728539654f, -15.9423941063f},
                             {-41.7039961321f, 17.4363988809f, 44.3541451987f},
                             {77.1629356994f, -33.4023589442f, -81.8073092574f},
                             {-71.3194282410f, 32.6260642640f, 73.2095198580f},
                             {25.1311262248f, -12.2426689524f, -23.0703250005f}};

static const float coolwarm[9][3] = {
    {0.230f, 0.299f, 0.754f}, {0.384f, 0.510f, 0.918f}, {0.554f, 0.690f, 0.996f},
    {0.721f, 0.815f, 0.976f}, {0.866f, 0.866f, 0.866f}, {0.957f, 0.771f, 0.677f},
    {0.958f, 0.604f, 0.483f}, {0.870f, 0.383f, 0.302f}, {0.706f, 0.016f, 0.150f}};

static void evaluate(polynomial p, float t, float rgb[3])
{
    for (int c = 0; c < 3; c++) {
        float sum = p[6][c];

        for (int i = 5; i >= 0; i--)
            sum = sum * t + p[i][c];
        rgb[c] = clamp01(sum);
    }
}

float gy_to_srgb(float x)
{
    x = clamp01(x);
    return x <= 0.0031308f ? 12.92f * x : 1.055f * powf(x, 1.0f / 2.4f) - 0.055f;
}

vec gy_black_body(float kelvin)
{
    if (!(kelvin > 500.0f))
        return vec_all(0.0f);
    // Chromaticity of Planck's locus (Kim et al. 2002 above 1667 K; below, the red end is held and
    // only the brightness falls).
    float t = 1000.0f / (kelvin < 1667.0f ? 1667.0f : kelvin > 25000.0f ? 25000.0f : kelvin);
    float x, y;

    if (t > 0.25f)
        x = ((-0.2661239f * t - 0.2343589f) * t + 0.8776956f) * t + 0.179910f;
    else
        x = ((-3.0258469f * t + 2.1070379f) * t + 0.2226347f) * t + 0.240390f;
    if (t > 0.450f)
        y = ((-1.1063814f * x - 1.34811020f) * x + 2.18555832f) * x - 0.20219683f;
    else if (t > 0.25f)
        y = ((-0.9549476f * x - 1.37418593f) * x + 2.09137015f) * x - 0.16748867f;
    else
        y = ((3.0817580f * x - 5.87338670f) * x + 3.75112997f) * x - 0.37001483f;
    float bright = kelvin * (1.0f / 2000.0f);

    bright *= bright;
    bright *= bright * smooth(500.0f, 900.0f, kelvin);
    float cx = bright * x / y, cz = bright * (1.0f - x - y) / y;
    vec rgb = {3.2406f * cx - 1.5372f * bright - 0.4986f * cz,
               -0.9689f * cx + 1.8758f * bright + 0.0415f * cz,
               0.0557f * cx - 0.2040f * bright + 1.0570f * cz, 0.0f};

    for (int c = 0; c < 3; c++)
        rgb[c] = rgb[c] > 0.0f ? rgb[c] : 0.0f;
    // Below 1667 K the locus leaves what the formula covers: take green away towards deep red.
    rgb[1] *= smooth(0.0f, 1667.0f, kelvin);
    return rgb;
}

void gyre_black_body(float kelvin, float rgb[3])
{
    if (GY_MISSING("black_body", rgb))
        return;
    vec colour = gy_black_body(kelvin);

    for (int c = 0; c < 3; c++)
        rgb[c] = colour[c];
}

void gyre_channel_colour(int i, float colour[3])
{
    // Far from each other in hue, and from white.
    static const float colours[8][3] = {
        {0.90f, 0.16f, 0.08f}, {0.08f, 0.26f, 0.92f}, {0.12f, 0.72f, 0.14f}, {0.95f, 0.62f, 0.05f},
        {0.72f, 0.10f, 0.72f}, {0.05f, 0.70f, 0.75f}, {0.95f, 0.40f, 0.55f}, {0.45f, 0.28f, 0.10f}};

    if (GY_MISSING("channel_colour", colour))
        return;
    for (int c = 0; c < 3; c++)
        colour[c] = colours[i < 0 ? 0 : i % 8][c];
}

void gyre_map_colour(gyre_colour_map map, float t, float rgb[3])
{
    if (GY_MISSING("map_colour", rgb))
        return;
    t = clamp01(t);
    switch (map) {
    case GYRE_MAP_SMOKE:
    case GYRE_MAP_GRAY:
        rgb[0] = rgb[1] = rgb[2] = t;
        return;
    case GYRE_MAP_INK: {
        for (int c = 0; c < 3; c++)
            rgb[c] = gy_to_srgb(gy_ink_paper[c] * expf(-gy_ink_absorb[c] * t));
        return;
    }
    case GYRE_MAP_MAGMA:
        evaluate(magma, t, rgb);
        return;
    case GYRE_MAP_INFERNO:
        evaluate(inferno, t, rgb);
        return;
    case GYRE_MAP_COOLWARM: {
        float at = t * 8.0f;
        int i = at < 7.0f ? (int)at : 7;

        for (int c = 0; c < 3; c++)
            rgb[c] = mixf(coolwarm[i][c], coolwarm[i + 1][c], at - (float)i);
        return;
    }
    case GYRE_MAP_BLACK_BODY: {
        vec colour = gy_tone_map(gy_black_body(3000.0f * t));

        for (int c = 0; c < 3; c++)
            rgb[c] = gy_to_srgb(colour[c]);
        return;
    }
    case GYRE_MAP_AUTO:
    case GYRE_MAP_VIRIDIS:
        break;
    }
    evaluate(viridis, t, rgb);
}

// Narkowicz's fit of the ACES film curve.
vec gy_tone_map(vec colour)
{
    vec x = colour * vec_all(0.8f);
    vec y = x * (vec_all(2.51f) * x + vec_all(0.03f)) /
            (x * (vec_all(2.43f) * x + vec_all(0.59f)) + vec_all(0.14f));

    for (int c = 0; c < 3; c++)
        y[c] = clamp01(y[c]);
    return y;
}

void gy_put_pixel(gyre_image *image, int x, int y, vec colour)
{
    uint8_t *to = image->rgb + 3 * ((size_t)y * (size_t)image->width + (size_t)x);

    for (int c = 0; c < 3; c++) {
        float noise = gy_pixel_noise(x + 17 * c + 5, y + 31 * c + 11);
        float value = 255.0f * gy_to_srgb(colour[c]) + noise;

        to[c] = (uint8_t)(value < 255.0f ? value : 255.0f);
    }
}
