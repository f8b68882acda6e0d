// What a program outside the tree does first: makes a device and runs a loop on it.
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
    gyre_device_destroy(device);
    for (int i = 0; i < 100; i++) {
        if (squares[i] != i * i)
            return 1;
    }
    return 0;
}
