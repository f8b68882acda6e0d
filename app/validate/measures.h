// validate/measures.h: the list of measures: name, what it finds. Measure NAME is taken by
// validate_measure_NAME(), in validate/measure/.
//
// The list is read twice: no include guard.
MEASURE(taylor_green,
        "speed_error, speed_error_l1, speed_error_max (m/s, against the exact flow), energy (left, "
        "1), decay (its rate over the exact one; with viscosity alone); with wind_x, wind_y (m/s)")
MEASURE(lid_cavity,
        "u_min, v_max, v_min (m/s, on the middle lines), error (of the three, root mean square), "
        "dt_change (from dt to dt/2), dt_order (of the middle, 2 s after the start, from least "
        "to 4 least times dt); with u_min, v_max, v_min (m/s, known), again, spin_up (cells of "
        "their grids), least (2)")
MEASURE(
    heated_cavity,
    "u_max, v_max (kappa/L, on the middle lines), nusselt (1, over the whole box); with hot, cold "
    "(K, of the walls)")
MEASURE(cylinder,
        "drag, drag_max, lift, lift_max (over rho U^2 D / 2), strouhal (f D / U) of the solid "
        "\"cylinder\", or of solids \"part1\" and on; with diameter (m), speed (m/s), from (s, "
        "which they "
        "are taken from), parts (how many)")
MEASURE(
    set_off,
    "drag_still, drag_stream (over rho U^2 D / 2), off, off_most (their difference over the "
    "second, 1; the greatest of means over each D / U) of the solids \"cylinder\" of the models "
    "\"still\" and \"stream\"; with diameter (m), speed (m/s), from (s)")
MEASURE(shear_growth,
        "growth (rate times delta over speed, of a wave on a layer of shear), off_line (of its "
        "logarithm), largest (over speed); with delta (m), speed (m/s), waves (along x), from, to "
        "(sizes over speed to look between)")
MEASURE(carried_shape,
        "l1, l2 (of the density's change from start to end, over the start), area (above a half, "
        "over the start), total (its change), outside (beyond the range of the start)")
MEASURE(decay,
        "peak (of -dE/dt, E the mean of u^2/2), peak_time, energy (left, 1) of the Taylor-Green "
        "vortex in 3D")
MEASURE(vortex_ring,
        "speed (of the middle of its impulse), circulation, radius of a ring about the z axis in a "
        "quarter of its box; with from, to (s, to look between)")
MEASURE(leapfrog,
        "pass_time (s, when the dye of the rear ring overtakes the front one's), radius_rear, "
        "radius_front (m, then), of two rings about the z axis; with distance, radius, core (m)")
MEASURE(sphere, "drag (over rho U^2 pi D^2 / 8), separation (degrees from the front), side (force, "
                "over the same) of the "
                "solid \"sphere\" at the origin in a stream along x; with diameter (m), speed "
                "(m/s), share (of it in "
                "the domain, 1/4 between two mirrors), from (s, which they are taken from)")
MEASURE(line_plume, "width, cooling, drift (exponents of width, of the warmest and of the speed "
                    "over height, means), front (of its "
                    "height over time); with source (m, its height), low, high (m over it, of the "
                    "fits), from (s, of the means)")
MEASURE(kept,
        "density, temperature (greatest change of the total), momentum (greatest change, over the "
        "sum of speeds), energy_gain (above the start), energy (left at the end), all over the "
        "start")
MEASURE(twins,
        "mirrored_speed, turned_speed, mirrored_density, turned_density (greatest differences of "
        "the models \"original\", \"mirrored\" and \"turned\", over the greatest value)")
MEASURE(line_thermal,
        "front, height (exponents over time), width (over height), of means of the models \"a\", "
        "\"b\", ...; with draws (how many), source (m, where they were), low, high (m, of the "
        "height over that)")
MEASURE(plate, "drag (over rho U^2 length / 2, of what a stream along x loses of momentum on its "
               "way), change (of it "
               "over the last fifth of the time); with length (m), speed (m/s), before, behind (x, "
               "between which)")
MEASURE(round_plume,
        "width, speed, flux, cooling (exponents over the height above a virtual origin, means), "
        "spread (of width over height), of a plume about the y axis; with source (m, its height), "
        "low, high (m over it, of the fits), from (s, of the means)")
MEASURE(round_thermal,
        "speed, time (exponents over the height above a virtual origin, of that over time), alpha "
        "(radius over height), bend (change of that), of a ball of warm air; with source (m, its "
        "height), low, high (m, of the height over that)")
MEASURE(falling, "speed (m/s, at which the body \"ball\" falls), aside (m/s, of its other two "
                 "components), both means "
                 "from `from` (s) on")
MEASURE(channel,
        "error, error_max (of the speed between plates across x: L2, greatest; over the exact "
        "one's); with lid, speed (m/s), period, begin (s), alpha, late (steps)")
MEASURE(onset,
        "decay, growth (kappa/H^2, of small motion in a layer warm below), critical (Rayleigh "
        "number between); with low, high (Rayleigh numbers), change, settle (s)")
MEASURE(
    convection,
    "nusselt, nusselt_plates, nusselt_middle (1, of a layer warm below), imbalance (of the last "
    "two); with hot, cold (K, of the plates), from (s)")
MEASURE(
    pool_fire,
    "length_a, length_b, ... (m, of the mean flames of the models \"a\", \"b\", ...), exponent (of "
    "them over their power), coefficient (m/kW^0.4, of them and 1.02 diameters); with fires (how "
    "many), power (kW, of the first), factor (from one to the next), diameter (m), hot (K, "
    "where a flame ends), from (s, of the means)")
MEASURE(fireball,
        "height (exponent over time of the middle of the heat) of means of "
        "the models \"a\", \"b\", ... from their virtual beginning; with draws (how many), source "
        "(m, where they were), low, high (m, over that); virtual (m, how far below it they begin "
        "by how they widen)")
MEASURE(cone,
        "sine_a, sine_b, ... (1, of half the angle of the flames of the models \"a\", \"b\", ...); "
        "with flames (how many), radius (m, of the burner), low, high (of that: where radii are "
        "taken), "
        "from (s, of the means)")
MEASURE(swing, "frequency (rad/s), height (of the last swing over the first) of the temperature of "
               "air in a box that is stirred once, in 2D")
MEASURE(parcel, "base (m, the lowest level with more than 1e-6 of the channel \"cloud\"), warmth "
                "(K, over the dry adiabat, from low to high) of air that rises from the ground; "
                "with low, high (m)")
