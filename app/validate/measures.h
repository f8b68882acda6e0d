// validate/measures.h: the list of measures: name, what it finds. Measure NAME is taken by
// validate_measure_NAME(), in validate/measure/.
//
// The list is read twice: no include guard.
MEASURE(taylor_green,
        "speed_error, speed_error_l1, speed_error_max (m/s, against the exact flow), energy (left, "
        "1); with wind_x, wind_y (m/s)")
MEASURE(
    heated_cavity,
    "u_max, v_max (kappa/L, on the middle lines), nusselt (1, over the whole box); with hot, cold "
    "(K, of the walls)")
MEASURE(cylinder,
        "drag, drag_max, lift, lift_max (over rho U^2 D / 2), strouhal (f D / U) of the solid "
        "\"cylinder\"; with diameter (m), speed (m/s), from (s, which they are taken from)")
MEASURE(shear_growth,
        "growth (rate times delta over speed, of a wave on a layer of shear), off_line (of its "
        "logarithm), largest (over speed); with delta (m), speed (m/s), waves (along x), from, to "
        "(sizes over speed to look between)")
MEASURE(carried_shape,
        "l1, l2 (of the density's change from start to end, over the start), area (above a half, "
        "over the start), total (its change), outside (beyond the range of the start)")
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
