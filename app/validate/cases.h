// validate/cases.h: the list of cases: name, whether --quick runs it, what it is, where its
// references come from; DEAR: those that --overnight alone runs. Case NAME is measured by
// validate_NAME().
//
// The list is read twice: no include guard.
CASE(taylor_green_inviscid, true,
     "Taylor-Green vortices without viscosity stand for ever, or go with the wind; Courant 0.5",
     "exact solution of the Euler equations")
CASE(taylor_green_3d, true, "The Taylor-Green vortex in 3D, no viscosity, 64^3, Courant 0.5",
     "spectral solutions, box of 2 pi, speed 1")
CASE(vortices_closed, true, "Vortices in a closed square, no viscosity, 3000 steps of 1/60 s",
     "exact: in 2D energy does not go to ever smaller whirls; a fifth may be lost")
CASE(plate, true, "A plate that starts to slide drags the gas along: Stokes' first problem",
     "exact: u / U = erfc(y / (2 sqrt(nu t)))")
CASE(translation, true, "A smooth puff is carried once across a periodic box",
     "exact: it comes back as it was")
CASE(energy, true, "A periodic box of gas, left alone from a random start, gains no energy",
     "exact: without forces energy cannot grow; 0.2 % of rebound is allowed up to Courant 1, 2 % "
     "above")
CASE(energy_starts, true, "The same from two ordered starts, whose vortices stretch each other",
     "as energy")
CASE(energy_closed, true, "The same in a box with closed sides", "as energy")
CASE(energy_ball, true, "The same round a ball at rest", "as energy")
CASE(energy_2d, true, "The same in 2D, on odd numbers of cells", "as energy")
DEAR(energy_large, "The same on eight times the cells", "as energy")
CASE(energy_told, true, "A step that makes energy is counted and told",
     "a box whose pressure is left unsolved, which does")
CASE(wind, true, "A uniform wind keeps its speed", "exact: nothing acts on it")
CASE(open_box, true, "A box with open sides, left alone, gains no energy",
     "exact: air at rest outside has none to give; rebounds as in energy")
CASE(open_plume, true, "A plume leaves through an open side",
     "the same plume in a domain twice as tall")
CASE(open_vortices, true, "A pair of vortices leaves through an open side",
     "the same pair in a domain twice as long")
CASE(totals, true, "Smoke in a box that is stirred at Courant 0.9 is neither made nor lost",
     "exact: nothing passes the sides")
CASE(budget, true, "An emitter puts in the same in each second, wherever it is carried",
     "conservation: the total is rate times time")
CASE(diffusion, true, "A mode that diffuses: second order in time, damped at any step",
     "exact in time on this grid: exp(-rate t)")
CASE(
    scenes_long, true, "The shipped scenes of gas on fewer cells, run on and on",
    "what is driven for ever is steady: the greatest of the last half is within a factor of two of "
    "that of the second quarter")
CASE(poisson, true, "The pressure equation with a known answer", "exact: p = cos(pi x) cos(2 pi y)")
CASE(dispersion, true, "Linear waves have the frequency of the scheme",
     "sin(omega dt / 2) = nu sin(k h / 2), nu = c dt / h")
CASE(airy, true,
     "Waves of every length in mode dispersive, standing between walls, 20 steps a period",
     "G. B. Airy (1845): omega^2 = g k tanh(k d)")
CASE(kelvin, true, "A hull's wake on deep water, mode dispersive, depth Froude number 0.5",
     "Lord Kelvin (1887): asin(1/3); its edge is where Airy's function is of argument 0, fitted "
     "from "
     "4 to 16 wave lengths behind, --quick to 10")
CASE(steepening, true,
     "Waves of mode shallow run in on a flat bed: where a steep front is found of them",
     "exact: lines of constant depth of a simple wave meet at min of speed^2 / (d speed / dt)")
CASE(serre, true, "A solitary wave of mode shallow with nonhydrostatic goes 20 depths",
     "exact: F. Serre, La Houille Blanche 8 (1953): c^2 = g (d + H)")
CASE(weggel, true,
     "Periodic waves of mode shallow with nonhydrostatic break, by a trigger of speeds",
     "J. R. Weggel, J. Waterways Harbors Coastal Eng. 98 (1972): H / d = b - a H / (g T^2)")
CASE(dalembert, true, "Linear waves in 1D at c dt = h keep their form",
     "d'Alembert's solution u(x - c t), reproduced to rounding")
CASE(slope, true, "A surface of constant slope feels no force", "exact: u_xx = 0")
CASE(
    open_side, true, "Open sides at right angles: what comes back of a hump 12 h wide, nu 0.5",
    "computed apart with the rules alone: the ghost column of M. Mueller-Fischer's talk (GDC 2008) "
    "from the neighbour's old and new value; Mur, IEEE Trans. EMC 23 (1981)")
CASE(oblique, true, "Open sides met at every angle by a ring",
     "the same ring in a domain so large that nothing comes back")
CASE(nest, true, "A wave that goes into a water of half the cells, and a ring that goes out",
     "the same on coarse cells everywhere; water is kept")
CASE(sea, true, "A procedural sea of 15 m/s of wind over 150 km, as spectra of 512^2 hold it",
     "moments of JONSWAP as published (Hasselmann et al. 1973), of the waves that the patch holds")
CASE(
    through, true,
    "A sea passes through a window of mode dispersive that is joined to it, 25 s: 100 m, 30 m deep",
    "the sea itself, a function of place and time")
CASE(orbits, true, "Water under a wave in deep water goes round circles that fade with depth",
     "Airy: a w exp(-k z)")
CASE(ritter, true, "Dam break on dry ground", "Ritter's solution (1892)")
CASE(stoker_shallow, true, "Dam break, 1 m of water onto 0.1 m", "Stoker's solution (1957)")
CASE(stoker_deep, true, "Dam break, 1 m of water onto 0.5 m", "Stoker's solution (1957)")
CASE(standing_wave, true, "A standing wave in a box, 10 m long, 1 m deep: period 2 L / sqrt(g d)",
     "shallow water theory")
CASE(wave_speed, true, "Small waves run at sqrt(g d)", "shallow water theory")
CASE(lake, true, "A lake at rest round an island stays at rest",
     "exact; the island is that of Briggs, Synolakis, Harkins & Green (1995)")
CASE(thacker, true, "Water that swings in a parabolic basin with friction",
     "Thacker, J. Fluid Mech. 107 (1981); with friction: Sampson, Easton & Singh, ANZIAM J. 47 "
     "(2006)")
CASE(run_up, true, "A solitary wave, 0.019 of the depth high, runs up a beach of 1 in 19.85",
     "R/d 0.076 to 0.078 in the laboratory: Synolakis, J. Fluid Mech. 185 (1987)")
CASE(hydraulic_jump, true, "Fast water jumps to slow",
     "Belanger (1828): d2 / d1 = (sqrt(1 + 8 F^2) - 1) / 2, F against the jump")
CASE(broad_sill, true, "Water runs over a broad sill in the bed",
     "Q = 1.705 b H^1.5: critical flow, (2/3)^1.5 sqrt(g), no friction")
CASE(
    conical_island, true, "A solitary wave runs up a conical island, all round",
    "Briggs, Synolakis, Harkins & Green (1995), as Liu et al., J. Fluid Mech. 302 (1995) and Ma et "
    "al. (2019) have their values")
CASE(rim, true, "Open sides met at every angle, by both modes: energy that comes back",
     "the same hump in a domain so large that nothing comes back")
CASE(inertial, true, "Water that runs free on a turning Earth goes round in circles",
     "exact: once in 2 pi / f")
CASE(geostrophic, true,
     "A jet and an eddy in balance with the surface's slope stay, on a turning Earth",
     "exact: steady, f v + v^2 / r = g d eta/dr (mode wave: without v^2 / r)")
CASE(rossby, true, "A step of the surface comes to a balance on a turning Earth",
     "Rossby (1938): eta = +-0.01 m (1 - exp(-|x| f / sqrt(g d))), in Gill, Atmosphere-Ocean "
     "Dynamics "
     "(1982), section 7.2")
CASE(floating_box, true, "A box of 1 m and 500 kg/m^3 in a tank of 10 m by 10 m, 2 m deep",
     "Archimedes: draft 0.5 m, level 2.005 m")
CASE(ledger, true, "No drop is lost: waves in, water out, rain, springs, a box that floats",
     "conservation: the volume is the sum of the ledger's lines")
