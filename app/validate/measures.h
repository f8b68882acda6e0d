// validate/measures.h: the list of measures: name, what it finds. Measure NAME is taken by
// validate_measure_NAME(), in validate/measure/.
//
// The list is read twice: no include guard.
MEASURE(taylor_green,
        "speed_error, speed_error_l1, speed_error_max (m/s, against the exact flow), energy (left, "
        "1), decay (its rate over the exact one; with viscosity alone); with wind_x, wind_y (m/s)")
MEASURE(lid_cavity,
        "u_min, v_max, v_min (m/s, on the middle lines), error (of the three, root mean square), "
        "dt_change, dt_order (from runs with dt, dt/2 and dt/4, on one grid); with u_min, v_max, "
        "v_min (m/s, known), again (cells of that grid)")
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
MEASURE(falling, "speed (m/s, at which the body \"ball\" falls), aside (m/s, of its other two "
                 "components), both means "
                 "from `from` (s) on")
