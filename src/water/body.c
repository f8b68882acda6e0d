// water/body.c: bodies.
#include "water/body.h"
size_t gy_bodies_size(const gyre_grid *grid, int most)
{
    (void)grid;
    (void)most;
    return 64;
}
gy_bodies *gy_bodies_make(const gyre_grid *grid, int most, void *memory)
{
    (void)grid;
    (void)most;
    return memory;
}
gyre_result gy_body_check(const gyre_water_body *body, const char *path)
{
    (void)body;
    (void)path;
    return GYRE_OK;
}
gyre_result gy_bodies_changed(gy_bodies *bodies, const gyre_pool *pool)
{
    (void)bodies;
    (void)pool;
    return GYRE_OK;
}
void gy_bodies_displace(gy_bodies *bodies, const gy_sea *sea, const gyre_pool *pool,
                        double *displaced, double *waiting)
{
    (void)bodies;
    (void)sea;
    (void)pool;
    (void)displaced;
    *waiting = 0;
}
void gy_bodies_move(gy_bodies *bodies, const gy_sea *sea, gyre_pool *pool, float dt)
{
    (void)bodies;
    (void)sea;
    (void)pool;
    (void)dt;
}
void gy_body_report(const gy_bodies *bodies, const gy_sea *sea, const gyre_water_body *body,
                    gyre_body_report *report)
{
    (void)bodies;
    (void)sea;
    (void)body;
    *report = (gyre_body_report){0};
}
