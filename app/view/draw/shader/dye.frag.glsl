// What a scalar adds to a mixture: red, green, blue, its amount. Sums are made by blending.
uniform FIELD from;
uniform vec4 part; // of an amount of 1
flat in int layer;
out vec4 value;

void main()
{
    float amount = AT(from, ivec3(gl_FragCoord.xy, layer));

    value = amount > 0.0 ? part * amount : vec4(0.0);
}
