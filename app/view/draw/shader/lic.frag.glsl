// Line integral convolution (Cabral and Leedom 1993): noise that is fixed in the plane, averaged
// along the line of flow through each pixel. Red: the average, spread to 0..1; green: how much of
// it to show, nothing where the fluid stands still.
uniform FIELD velocity_later, velocity_earlier;
uniform sampler2D noise;
uniform vec3 across, along; // of the plane: which components of velocity
uniform float blend, grain, stride, fastest; // texels per cell; cells per step; m/s
uniform float weights[65];                   // of the steps, the middle one at `steps`
uniform int steps;
uniform float contrast;

out vec4 average;

vec2 flow_at(vec2 at)
{
    vec3 v = fetch(velocity_later, at).xyz;
#ifdef MIX
    v = mix(fetch(velocity_earlier, at).xyz, v, blend);
#endif
    return vec2(dot(v, across), dot(v, along));
}

float walk(vec2 at, float direction)
{
    float sum = 0.0;
    int towards = direction > 0.0 ? 1 : -1;

    for (int i = 1; i <= steps; i++) {
        vec2 v = flow_at(at);

        at += v * (direction * stride / (length(v) + 1e-6 * fastest + 1e-20));
        sum += weights[steps + towards * i] * texture(noise, at * grain).r;
    }
    return sum;
}

void main()
{
    vec2 at;

    average = vec4(0.0);
    if (!place(gl_FragCoord.xy - rect.xy, at))
        return;
    at = clamp(at, vec2(0.0), size);
    float speed = length(flow_at(at));
    float sum = weights[steps] * texture(noise, at * grain).r + walk(at, 1.0) + walk(at, -1.0);

    average = vec4(clamp01(0.5 + (sum - 0.5) * contrast),
                   speed > 0.0 ? smooth_step(0.0, 0.06 * fastest, speed) : 0.0, 0.0, 1.0);
}
