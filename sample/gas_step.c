// Steps a 2D plume for four seconds and reads its density.
#include <gyre/gyre.h>

#include <stdio.h>

static int fail(void)
{
    fprintf(stderr, "gas_step: %s\n", gyre_message());
    return 1;
}

int main(void)
{
    gyre_device_def device_def = gyre_default_device_def();
    gyre_device *device;
    if (gyre_device_create(&device_def, &device) != GYRE_OK)
        return fail();

    gyre_gas_def def = gyre_gas_default_def(2); // 1 m wide, closed
    def.grid.n[0] = 64;
    def.grid.n[1] = 128;
    def.grid.h = 1.0f / 64;
    gyre_gas *gas;
    if (gyre_gas_create(device, &def, &gas) != GYRE_OK)
        return fail();

    gyre_gas_emitter burner = gyre_gas_default_emitter();
    burner.shape.kind = GYRE_SHAPE_SPHERE;
    burner.shape.as.sphere.centre[0] = 0.5f;
    burner.shape.as.sphere.centre[1] = 0.2f;
    burner.shape.as.sphere.radius = 0.08f;
    burner.density = 1;      // kg/m^3 per second
    burner.temperature = 50; // K per second
    if (!gyre_gas_add_emitter(gas, &burner))
        return fail();

    for (int frame = 0; frame < 120; frame++)
        if (gyre_gas_step(gas, 1.0f / 30) != GYRE_OK)
            return fail();

    gyre_field_view view;
    int field = gyre_gas_field(gas, "density");
    if (field < 0 || gyre_gas_map(gas, field, GYRE_READ, &view) != GYRE_OK)
        return fail();
    for (int j = view.n[1] - 4; j >= 0; j -= 4) {
        for (int i = 0; i < view.n[0]; i += 2) {
            float smoke = view.data[i + j * view.stride[1]];
            putchar(smoke > 0.3f ? '@' : smoke > 0.1f ? 'o' : smoke > 0.02f ? '.' : ' ');
        }
        putchar('\n');
    }
    gyre_gas_unmap(gas, field);

    double smoke = gyre_model_total(gyre_gas_model(gas), field);
    printf("after %.2f s: %.4f kg of smoke\n", gyre_gas_get_stats(gas).time, smoke);
    gyre_gas_destroy(gas);
    gyre_device_destroy(device);
    return smoke > 0 ? 0 : 1;
}
