// now.glsl: gy_particle_now and what else stands in ops/particle/particle.h; after common.glsl.
const int BUCKETS = 256;     // GY_PARTICLE_BUCKETS, and GY_PARTICLE_COUNTS
const uint NOWHERE = ~0u;    // the key of what is gone
const float GONE = 1e30;     // GY_PARTICLE_GONE
const int SETTLED = 0, COUNT = 1; // words of gy_particle_now
