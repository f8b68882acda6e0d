// A field at cell centres, from its samples where the model has them: of faces and nodes the mean.
// What is not finite becomes 0.
uniform FIELD samples;
uniform ivec3 up;    // from one face of a cell to the other; 0 0 0 at centres
uniform int corners; // of a cell, whose mean is taken; 0: not at nodes
uniform int every;   // of so many cells one is kept
flat in int layer;
out float value;

void main()
{
    ivec3 c = every * ivec3(gl_FragCoord.xy, layer);
    float x = 0.5 * (AT(samples, c) + AT(samples, c + up));

    if (corners > 0) {
        float sum = 0.0;

        for (int i = 0; i < corners; i++)
            sum += AT(samples, c + ivec3(i & 1, (i >> 1) & 1, i >> 2));
        x = sum / float(corners);
    }
    value = abs(x) < 1e30 ? x : 0.0;
}
