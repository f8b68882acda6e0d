// What all shaders share. The formulas are those of the offline renderer (src/render): pictures of
// both are compared by a test.
uniform vec4 rect; // what is drawn into: x, y, width, height in pixels
uniform bool transparent; // nothing is drawn behind the fluid: alpha says how much of it there is

float clamp01(float x)
{
    return clamp(x, 0.0, 1.0);
}

// 0 below a, 1 above b, smooth between.
float smooth_step(float a, float b, float x)
{
    float t = clamp01((x - a) / (b - a));

    return t * t * (3.0 - 2.0 * t);
}

// exp(-x) for x >= 0, within 2 % up to x = 2 and falling to 0 as it should.
float fade(float x)
{
    float a = 1.0 + x * (0.125 + x * (1.0 / 128.0));

    a *= a;
    a *= a;
    return 1.0 / (a * a);
}

vec3 fade(vec3 x)
{
    vec3 a = 1.0 + x * (0.125 + x * (1.0 / 128.0));

    a *= a;
    a *= a;
    return 1.0 / (a * a);
}

// Narkowicz's fit of the ACES film curve.
vec3 tone_map(vec3 colour)
{
    vec3 x = colour * 0.8;

    return clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
}

// Linear to sRGB by square roots alone, within 0.001: a power costs several times as much on a
// processor.
vec3 to_srgb(vec3 x)
{
    x = clamp(x, 0.0, 1.0);
    vec3 a = sqrt(x), b = sqrt(a), c = sqrt(b);

    return mix(0.662002687 * a + 0.684122060 * b - 0.323583601 * c - 0.0225411470 * x, 12.92 * x,
               lessThan(x, vec3(0.0031308)));
}

// A pixel's fixed noise: neighbours differ much, wide areas little.
float pixel_noise(vec2 pixel)
{
    return fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715))));
}

// The fragment's pixel in whole numbers from the rectangle's upper left corner.
vec2 pixel_of(vec2 fragment)
{
    vec2 p = floor(fragment - rect.xy);

    return vec2(p.x, rect.w - 1.0 - p.y);
}

// sRGB to bytes, dithered so that dark gradients show no steps.
vec4 dither(vec3 srgb, vec2 pixel)
{
    return vec4(min(floor(255.0 * srgb + pixel_noise(pixel + vec2(5.0, 11.0))), 255.0) / 255.0,
                1.0);
}

// The same of a colour that comes multiplied by its alpha, and stays no more than that.
vec4 dither(vec4 srgb, vec2 pixel)
{
    float alpha = floor(255.0 * clamp01(srgb.a) + 0.5) / 255.0;

    return vec4(min(dither(srgb.rgb, pixel).rgb, alpha), alpha);
}

float largest(vec3 x)
{
    return max(x.r, max(x.g, x.b));
}

// What is seen with nothing behind it (linear, toned), and the share that it lets pass of what will
// be, as sRGB multiplied by its alpha. Over black it is the picture with a black background; over
// white, where it is gray, that with a white one.
vec4 over_page(vec3 colour, vec3 left)
{
    vec3 black = to_srgb(colour), white = to_srgb(min(colour + left, 1.0));
    float alpha = 1.0 - dot(white - black, vec3(1.0 / 3.0));

    return vec4(black, clamp01(max(alpha, largest(black))));
}

// The same of what takes light from the paper behind it, in sRGB both: over such paper it is the
// picture. `least`: of its alpha.
vec4 over_paper(vec3 srgb, vec3 paper, float least)
{
    float alpha = 1.0 + largest(-srgb / max(paper, 1e-3));

    alpha = max(alpha, largest((srgb - paper) / max(1.0 - paper, 1e-3)));
    alpha = alpha < 1.0 / 512.0 ? least : clamp(alpha, least, 1.0);
    return vec4(clamp(srgb - (1.0 - alpha) * paper, 0.0, alpha), alpha);
}
