// What light meets in each cell. The grid of light has one cell of margin on every side; c counts
// with the margin. AXIS is the axis along which light is swept: it comes last in textures that are
// made plane by plane.
uniform sampler3D density;
uniform sampler3D body; // red: share of a cell inside solids; green: smoothed, for normals
uniform ivec3 n;        // cells, without margin
uniform float extinction; // per cell and unit of density

#if AXIS == 0
#define FOLD(p) (p).yzx
#define UNFOLD(p) (p).zxy
#elif AXIS == 1
#define FOLD(p) (p).xzy
#define UNFOLD(p) (p).xzy
#else
#define FOLD(p) (p)
#define UNFOLD(p) (p)
#endif

#ifdef VEINS
uniform sampler3D veins; // of a texture: by what it multiplies smoke; of its deviations
#endif

float plain_in(ivec3 c)
{
    ivec3 i = c - 1, held = clamp(i, ivec3(0), n - 1);
    float smoke = texelFetch(density, held, 0).r * extinction;

    return i == held && smoke > 1e-6 ? min(smoke, 1e6) : 0.0;
}

// What light meets: rays take the texture where they pass.
float smoke_in(ivec3 c)
{
#ifdef VEINS
    return plain_in(c) * texelFetch(veins, clamp(c - 1, ivec3(0), n - 1), 0).r;
#else
    return plain_in(c);
#endif
}

// A solid that leaves the domain goes on in the margin.
float share_in(ivec3 c)
{
#ifdef SOLID
    return clamp(texelFetch(body, clamp(c - 1, ivec3(0), n - 1), 0).r, 0.0, 1.0);
#else
    return 0.0;
#endif
}
