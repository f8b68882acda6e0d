// A guard, a player and a smoke grenade: when does the guard lose the player from sight? The game
// asks its gas for three things a frame, beside a step: the light that comes from the player to
// the guard, how dense the smoke is round the player's head, and how fast the air moves there.
// Crates hide, too.
#include <gyre/gyre.h>

#include <stdio.h>
#include <stdlib.h>

static void must(gyre_result result)
{
    if (result == GYRE_OK)
        return;
    fprintf(stderr, "model_sight: %s\n", gyre_message());
    exit(1);
}

// A hall of 12 x 4 x 6 m, y up, with a crate.
static gyre_gas *make_hall(gyre_device *device)
{
    gyre_gas *gas;
    gyre_gas_def def = gyre_gas_default_def(3);
    gyre_gas_solid crate = gyre_gas_default_solid();
    def.grid = (gyre_grid){3, {48, 16, 24}, 0.25f, {0}};
    crate.shape = gyre_box((const float[3]){6, 0.5f, 4.5f}, (const float[3]){1, 1, 1});
    def.solids = (gyre_pool){&crate, 1, 4};
    def.emitters.capacity = 4;
    must(gyre_gas_create(device, &def, &gas));
    return gas;
}

static void throw_grenade(gyre_gas *gas)
{
    gyre_gas_emitter grenade = gyre_gas_default_emitter();
    grenade.shape = gyre_sphere((const float[3]){5, 0.6f, 3}, 0.5f);
    grenade.density = 4;
    grenade.temperature = 30;
    if (!gyre_gas_add_emitter(gas, &grenade))
        must(GYRE_ERROR_STATE);
}

int main(void)
{
    gyre_device *device;
    must(gyre_device_create(NULL, &device));
    gyre_gas *gas = make_hall(device);
    gyre_model *model = gyre_gas_model(gas);
    int density = gyre_gas_field(gas, "density");

    // Eye to head, and eye to where the player would hide behind the crate.
    const float player[3] = {9, 1.6f, 3};
    const float ends[12] = {1, 1.7f, 3, 9, 1.6f, 3, 1, 1.7f, 3, 8, 0.4f, 5.2f};
    gyre_shape head = gyre_sphere(player, 0.4f);
    bool lost = false, hidden = false;
    for (int frame = 0; frame <= 240; frame++) {
        gyre_sight sight[2];
        gyre_mean breath;
        float wind[3];
        if (frame == 30)
            throw_grenade(gas);
        must(gyre_gas_step(gas, 1.0f / 30));
        must(gyre_model_sight(model, density, 1.5f, true, ends, 2, sight));
        must(gyre_model_mean(model, density, &head, 1, &breath));
        must(gyre_model_probe_vector(model, "velocity", player, 1, wind));
        bool seen = !sight[0].blocked && sight[0].transmittance > 0.3f;
        if (frame % 30 == 0)
            printf("%4.1f s: %3.0f %% of the light, %s; smoke at the head %.3f, air %+.2f m/s\n",
                   (double)frame / 30, 100 * (double)sight[0].transmittance, seen ? "seen" : "lost",
                   breath.mean, (double)wind[0]);
        if (frame < 30 && !seen)
            return 1;
        lost = lost || !seen;
        hidden = sight[1].blocked;
    }
    printf("behind the crate the player is %s\n", hidden ? "hidden" : "seen");
    gyre_gas_destroy(gas);
    gyre_device_destroy(device);
    return lost && hidden ? 0 : 1;
}
