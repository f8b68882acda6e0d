// steam.glsl: the twin of gas/ops/steam.h, and of the places in gas/ops/condense.h.
const float AIR_HEAT = 1004.0;
const int LEVEL_EXNER = 0, LEVEL_WARM = 1, LEVEL_PRESS = 2, LEVEL_VAPOUR = 3, LEVEL_HEAT_UP = 4,
          LEVEL_DAMP_UP = 5, LEVEL_WEIGHT = 6, LEVEL_FALL = 7, LEVEL_FLOATS = 8;

float steam_exp(float x)
{
    x = clamp(x, -80.0, 80.0);
    precise float n = floor(x * 1.44269504 + 0.5);
    precise float r = (x - n * 0.693359375) + n * 2.12194440e-4;
    precise float p = 1.9875691500e-4 * r + 1.3981999507e-3;
    p = p * r + 8.3334519073e-3;
    p = p * r + 4.1665795894e-2;
    p = p * r + 1.6666665459e-1;
    p = p * r + 5.0000001201e-1;
    precise float y = (p * (r * r) + r + 1.0) * intBitsToFloat((int(n) + 127) << 23);
    return y;
}

float steam_log(float x)
{
    int bits = floatBitsToInt(x), whole = (bits - 0x3f3504f3) >> 23;
    float m = intBitsToFloat(bits - (whole << 23));
    precise float s = (m - 1.0) / (m + 1.0), s2 = s * s;
    precise float p = (1.0 / 9.0) * s2 + 1.0 / 7.0;
    p = p * s2 + 1.0 / 5.0;
    p = p * s2 + 1.0 / 3.0;
    precise float y = float(whole) * 0.69314718 + (2.0 * s + (2.0 * s) * (s2 * p));
    return y;
}

float steam_power(float x, float y)
{
    return x > 1e-20 ? steam_exp(y * steam_log(x)) : 0.0;
}

float steam_most(float kelvin, float pressure, out float slope)
{
    float t = clamp(kelvin, 150.0, 350.0);
    precise float over = 1.0 / (t - 29.65);
    precise float e = min(611.2 * steam_exp((17.67 * (t - 273.15)) * over), 0.5 * pressure);
    precise float dry = 1.0 / (pressure - e);
    precise float q = (0.622 * e) * dry;
    precise float rises = (q * (pressure * dry)) * ((17.67 * 243.5) * (over * over));
    slope = rises;
    return q;
}
