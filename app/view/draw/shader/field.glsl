// Fields as textures of a grid of n cells, by whole cells; SPACE: in 3D.
#ifdef SPACE
#define FIELD sampler3D
#define AT(field, c) texelFetch(field, (c), 0).r
#else
#define FIELD sampler2D
#define AT(field, c) texelFetch(field, (c).xy, 0).r
#endif
uniform ivec3 n;
