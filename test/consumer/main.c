// What a program outside the tree does: makes a device, runs a loop on it, steps a gas.
#include <gyre/gyre.h>
#include <stdio.h>

static void square(void *argument, int index)
{
    ((int *)argument)[index] = index * index;
}

int main(void)
{
    gyre_device_def def = gyre_default_device_def();
    gyre_device *device = NULL;
    if (gyre_device_create(&def, &device) != GYRE_OK) {
        fprintf(stderr, "%s\n", gyre_message());
        return 1;
    }
    int squares[100];
    gyre_device_parallel_for(device, 100, square, squares);
    printf("gyre %s, %s, %d threads\n", gyre_version(), gyre_device_isa(device),
           gyre_device_threads(device));
    gyre_gas_def gas_def = gyre_gas_default_def(2);
    gyre_gas *gas = NULL;
    const float centre[3] = {0.5f, 0.3f, 0.0f};
    if (gyre_gas_create(device, &gas_def, &gas) != GYRE_OK ||
        gyre_gas_splat(gas, gyre_gas_field(gas, "temperature"), centre, 0.1f, 50.0f) != GYRE_OK ||
        gyre_gas_step(gas, 0.1f) != GYRE_OK || gyre_gas_step(gas, 0.1f) != GYRE_OK) {
        fprintf(stderr, "%s\n", gyre_message());
        return 1;
    }
    float speed = gyre_gas_get_stats(gas).max_speed;
    gyre_gas_destroy(gas);
    gyre_device_destroy(device);
    if (!(speed > 0.1f && speed < 10.0f))
        return 1;
    for (int i = 0; i < 100; i++) {
        if (squares[i] != i * i)
            return 1;
    }
    return 0;
}
