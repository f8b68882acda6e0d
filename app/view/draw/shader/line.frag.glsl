uniform vec3 eye, box;
uniform float slice;
uniform bool opaque; // the slice hides what is behind it

in vec3 spot;
in float beside;
flat in float strength;
out vec4 pixel_colour;

void main()
{
    vec3 way = spot - eye;
    float t = (slice - eye.z) / way.z;
    vec2 at = eye.xy + way.xy * t;
    bool hidden = opaque && t > 0.0 && t < 0.9999 && at.x > 0.0 && at.y > 0.0 && at.x < box.x &&
                  at.y < box.y;
    float alpha = hidden ? 0.0
                         : strength * clamp(1.2 - abs(beside * gl_FragCoord.w), 0.0, 1.0);

    pixel_colour = vec4(vec3(0.72, 0.77, 0.84) * alpha, alpha);
}
