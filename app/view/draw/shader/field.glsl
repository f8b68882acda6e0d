// Fields as textures of a grid of n cells, by whole cells; SPACE: in 3D.
#ifdef SPACE
#define FIELD sampler3D
#define ALL(field, c) texelFetch(field, (c), 0)
#else
#define FIELD sampler2D
#define ALL(field, c) texelFetch(field, (c).xy, 0)
#endif
#define AT(field, c) ALL(field, c).r
uniform ivec3 n;
