// render/sky.c: a sky with clouds and a sun, for water to mirror. The noise is a hash of whole
// numbers, so that a shader can make the same.
#include "render/surface.h"

static float lattice(int32_t x, int32_t y)
{
    uint32_t h = (uint32_t)x * 0x8da6b343u ^ (uint32_t)y * 0xd8163841u;

    h ^= h >> 13;
    h *= 0x5bd1e995u;
    h ^= h >> 15;
    return (float)(h & 0xffffffu) * (1.0f / 16777216.0f);
}

float gy_value_noise(float x, float y)
{
    float fx = floorf(x), fy = floorf(y);
    int32_t i = (int32_t)fx, j = (int32_t)fy;

    x -= fx;
    y -= fy;
    x = x * x * (3.0f - 2.0f * x);
    y = y * y * (3.0f - 2.0f * y);
    return mixf(mixf(lattice(i, j), lattice(i + 1, j), x),
                mixf(lattice(i, j + 1), lattice(i + 1, j + 1), x), y);
}

float gy_noise(float x, float y)
{
    float sum = 0.0f, weight = 8.0f / 15.0f;

    for (int octave = 0; octave < 4; octave++) {
        float turned = 1.6f * x + 1.2f * y;

        sum += weight * gy_value_noise(x, y);
        weight *= 0.5f;
        y = 1.6f * y - 1.2f * x;
        x = turned;
    }
    return sum;
}

vec gy_sky(const gy_surface *surface, vec along)
{
    const gyre_view_settings *s = &surface->input->settings;
    vec horizon = vec_make(s->sky_horizon), colour;
    float z = along[2], towards = fmaxf(vec_dot(along, surface->light), 0.0f);

    if (z > 0.0f) {
        colour = vec_mix(horizon, vec_make(s->sky_top), sqrtf(z));
        if (s->clouds > 0.0f) {
            float wide = 1.3f / (z + 0.12f);
            float cloud = gy_noise(along[0] * wide + 7.3f, along[1] * wide + 2.9f);

            cloud = smooth(0.78f - 0.5f * s->clouds, 1.0f - 0.35f * s->clouds, cloud);
            cloud *= smooth(0.0f, 0.3f, z);
            colour = vec_mix(colour, vec_all(0.35f) + horizon * vec_all(0.9f), 0.9f * cloud);
        }
    } else {
        float deep = -z < 0.8f ? -z * 1.25f : 1.0f;

        colour = horizon * vec_all(1.0f - 0.45f * sqrtf(deep));
    }
    float glow = towards * towards;

    glow *= glow;
    glow *= glow;                           // 8
    float halo = glow * glow * glow * glow; // 32
    float disc = halo * halo * halo * halo; // 128

    disc *= disc;
    disc *= disc; // 512
    if (z > -0.05f)
        colour += surface->sun * vec_all(0.03f * glow + 0.12f * halo + 9.0f * disc);
    return colour;
}
