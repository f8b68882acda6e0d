// One crate, two owners: a set of bodies moves it, a water that was handed the set pushes it.
// Dropped askew, the crate rolls upright and floats where Archimedes says.
#include <gyre/gyre.h>

#include <math.h>
#include <stdio.h>

static int fail(void)
{
    fprintf(stderr, "body_float: %s\n", gyre_message());
    return 1;
}

int main(void)
{
    gyre_device *device;
    gyre_water *water;
    gyre_bodies *bodies;
    gyre_water_def def = gyre_water_default_def(2);
    def.grid.n[0] = def.grid.n[1] = 64;
    def.grid.h = 0.125f; // 8 x 8 m
    def.bed.flat = -2.0f;
    def.damping = 0.5f; // else the tank sloshes for long

    gyre_body crate = gyre_bodies_default_body(); // of 1 m
    crate.motion = GYRE_MOTION_FREE;
    crate.density = 600;
    crate.form.as.box.size[0] = crate.form.as.box.size[1] = 2;
    crate.pose = (gyre_pose){.position = {4, 4, 1}, .rotation = {25, 10, 30}};

    if (gyre_device_create(NULL, &device) || gyre_bodies_create(NULL, &bodies) ||
        gyre_water_create(device, &def, &water))
        return fail();
    gyre_id id = gyre_bodies_add(bodies, &crate);
    if (!id || gyre_model_use_bodies(gyre_water_model(water), bodies))
        return fail();

    const float dt = 1.0f / 120;
    for (int step = 1; step <= 2400; step++) {
        // The water makes way and pushes; then the set adds the crate's weight, and moves it.
        if (gyre_water_step(water, dt) || gyre_bodies_step(bodies, dt) ||
            gyre_bodies_read(bodies, id, &crate))
            return fail();
        if (step % 240 == 0)
            printf("%4.1f s: z %+.3f m, tilt %5.1f and %5.1f degrees\n", (double)((float)step * dt),
                   (double)crate.pose.position[2], (double)crate.pose.rotation[0],
                   (double)crate.pose.rotation[1]);
    }
    gyre_water_destroy(water);
    gyre_bodies_destroy(bodies);
    gyre_device_destroy(device);
    // Six tenths of 4 m^3 under, upright; the tank has risen by what it displaces, 2.4 / 64 m.
    float z = crate.pose.position[2], tilt = crate.pose.rotation[0], roll = crate.pose.rotation[1];
    bool floats = fabsf(z - (0.5f - 0.6f + 2.4f / 64)) < 0.03f;
    return floats && fabsf(tilt) < 3 && fabsf(roll) < 3 ? 0 : 1;
}
