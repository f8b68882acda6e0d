// A physics engine keeps the bodies, the water tells what it does to them: the usual interface of
// such engines (apply a force at a point) fed from gyre_water_report_body, and the body's pose fed
// back so that the water makes way. The "engine" here is a crate that only heaves.
#include <gyre/gyre.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/// What an engine has of a rigid body, as far as it matters here.
typedef struct engine_body {
    float mass, position[3], velocity[3], force[3];
} engine_body;

static void engine_add_force(engine_body *body, const float force[3])
{
    for (int a = 0; a < 3; a++)
        body->force[a] += force[a];
}

static void engine_step(engine_body *body, float dt)
{
    body->force[2] -= 9.81f * body->mass;
    body->velocity[2] += dt * body->force[2] / body->mass;
    body->position[2] += dt * body->velocity[2];
    memset(body->force, 0, sizeof body->force);
}

int main(void)
{
    gyre_device *device;
    gyre_water *water;
    gyre_water_def def = gyre_water_default_def(2);
    def.grid.n[0] = def.grid.n[1] = 64;
    def.grid.h = 0.125f; // 8 x 8 m
    def.bed.flat = -2.0f;
    def.bodies.capacity = 1;
    gyre_water_body crate = gyre_water_default_body();
    strcpy(crate.name, "crate");
    crate.held = true; // the engine moves it
    crate.density = 600;
    crate.pose.position[0] = crate.pose.position[1] = 4;
    crate.pose.position[2] = 0.6f;
    engine_body body = {.mass = 600, .position = {4, 4, 0.6f}};
    if (gyre_device_create(NULL, &device) != GYRE_OK ||
        gyre_water_create(device, &def, &water) != GYRE_OK ||
        gyre_water_add_body(water, &crate) == 0)
        return fprintf(stderr, "water_engine: %s\n", gyre_message()), 1;
    for (int frame = 0; frame < 900; frame++) {
        gyre_body_report report;
        memcpy(crate.pose.position, body.position, sizeof crate.pose.position);
        memcpy(crate.pose.velocity, body.velocity, sizeof crate.pose.velocity);
        if (gyre_water_report_body(water, &crate, &report) != GYRE_OK ||
            gyre_water_set(water, "bodies.crate.position", gyre_vector(3, body.position)) !=
                GYRE_OK ||
            gyre_water_step(water, 1.0f / 60) != GYRE_OK)
            return fprintf(stderr, "water_engine: %s\n", gyre_message()), 1;
        engine_add_force(&body, report.force);
        engine_add_force(&body, (float[3]){0, 0, -0.8f * body.mass * body.velocity[2]});
        engine_step(&body, 1.0f / 60);
        if (frame % 90 == 89)
            printf("%4.1f s: z %+.3f m, under water %.3f m^3\n", (double)(frame + 1) / 60,
                   (double)body.position[2], (double)report.submerged);
    }
    gyre_water_destroy(water);
    gyre_device_destroy(device);
    // A crate of 600 kg/m^3 floats six tenths under; the tank's level has risen by 0.6 / 64 m.
    return fabsf(body.position[2] - (0.5f - 0.6f + 0.6f / 64)) < 0.03f ? 0 : 1;
}
