// validate/island.c: solitary waves round a conical island: how high they run up it all round.
#include "validate/validate.h"

#include <math.h>

static const double PI = 3.141592653589793, G = 9.81, DEPTH = 0.32;

enum { ANGLES = 9, NX = 475, NY = 175 };
static const double H = 0.04, X = -12.0; // m

/// Run-up over the height that the wave was set to, from its front round to its lee in steps of
/// 22.5 degrees. The waves that came were a little lower: 0.045, 0.096 and 0.181 of the depth.
typedef struct island_case {
    const char *name;
    double set, height; // m: that it was set to; that came
    double found[ANGLES];
    double tolerance; // of the mean over angles
} island_case;

static const island_case cases[] = {
    {"A", 0.016, 0.0144, {2.60, 2.58, 2.52, 2.15, 1.98, 1.59, 1.53, 1.25, 2.00}, 0.15},
    {"B", 0.032, 0.0307, {2.70, 2.65, 2.55, 2.10, 2.00, 1.80, 1.70, 1.54, 3.18}, 0.15},
    {"C", 0.064, 0.0579, {2.85, 2.75, 2.58, 2.25, 1.78, 1.20, 0.81, 0.65, 1.84}, 0.20},
};

static double ground(double x, double y)
{
    double z = 0.625 * (3.6 - hypot(x, y)) / (3.6 - 1.1);
    return z < 0.0 ? 0.0 : z > 0.625 ? 0.625 : z;
}

static double crest(const island_case *c, double x)
{
    double k = sqrt(0.75 * c->height / (DEPTH * DEPTH * DEPTH));
    // As the solitary wave on a beach it starts where a twentieth of its height reaches the toe:
    // equations without dispersion would make it steeper on a longer way.
    double way = -3.6 - 2.18 / k, s = 1.0 / cosh(k * (x - way));
    return c->height * s * s;
}

static double start_depth(const void *argument, const double at[3])
{
    double d = DEPTH + crest(argument, at[0]) - ground(at[0], at[1]);
    return d > 0.0 ? d : 0.0;
}

static double start_discharge(const void *argument, const double at[3])
{
    const island_case *c = argument;
    return sqrt(G * (DEPTH + c->height)) * crest(c, at[0]) *
           (ground(at[0], at[1]) < DEPTH ? 1.0 : 0.0);
}

/// Half of the basin: the wave comes along its line of symmetry.
static void run_island(validate_run *run, const island_case *c)
{
    float *bed = validate_memory(run, (size_t)NX * NY, sizeof *bed), *highest;
    highest = validate_memory(run, (size_t)NX * NY, sizeof *highest);
    gyre_water_def def = gyre_water_default_def(2);
    for (int i = 0; i < NX * NY && bed; i++) {
        bed[i] = (float)ground(X + (i % NX + 0.5) * H, (i / NX + 0.5) * H);
    }
    def.grid.n[0] = NX;
    def.grid.n[1] = NY;
    def.grid.h = (float)H;
    def.grid.origin[0] = (float)X;
    def.bed.data = (gyre_volume){bed, {NX, NY, 1}, NULL};
    def.level = (float)DEPTH;
    def.manning = 0.01f;
    def.sides.x_low.rule = def.sides.x_high.rule = GYRE_WATER_OPEN;
    validate_create(run, "water", &def);
    validate_write(run, "depth", start_depth, c);
    validate_write(run, "discharge_x", start_discharge, c);
    for (int s = 0; s < 380; s++) {
        validate_step_by(run, 0.02);
        const float *d = s % 4 ? NULL : validate_read(run, "depth", NULL);
        for (int i = 0; i < NX * NY && d && highest; i++) {
            highest[i] = d[i] > 1e-3f && d[i] + bed[i] > highest[i] ? d[i] + bed[i] : highest[i];
        }
    }
    double angle[ANGLES], up[ANGLES], sum = 0.0;
    for (int a = 0; a < ANGLES && highest; a++) {
        double t = PI * (1.0 - a / 8.0), least = 1.0;
        angle[a] = 22.5 * a;
        // Inwards along a ray, as far as it was ever wet.
        for (double r = 3.6; r > 1.0; r -= 0.1 * H) {
            int i = (int)((r * cos(t) - X) / H), j = (int)(fabs(r * sin(t)) / H);
            if (highest[i + NX * j] == 0.0f) {
                break;
            }
            least = (double)highest[i + NX * j] - DEPTH;
        }
        up[a] = least / c->set;
        sum += fabs(up[a] / c->found[a] - 1.0) / ANGLES;
    }
    char what[96];
    snprintf(what, sizeof what, "case %s: run-up before the island over the wave's height",
             c->name);
    validate_expect(run, what, "1", up[0], c->found[0], VALIDATE_RELATIVE, c->tolerance, NULL);
    snprintf(what, sizeof what, "case %s: the same at its side", c->name);
    validate_expect(run, what, "1", up[4], c->found[4], VALIDATE_RELATIVE, c->tolerance, NULL);
    snprintf(what, sizeof what, "case %s: mean of nine angles' errors", c->name);
    validate_expect(run, what, "1", sum, 0.0, VALIDATE_ABSOLUTE, c->tolerance, NULL);
    snprintf(what, sizeof what, "Run-up, case %s", c->name);
    validate_plot(run, what, "angle from the front / degrees", "run-up / wave height");
    validate_curve(run, "gyre", VALIDATE_LINE, ANGLES, angle, up);
    validate_curve(run, "measured", VALIDATE_POINTS, ANGLES, angle, c->found);
}

void validate_conical_island(validate_run *run)
{
    for (int c = 0; c < (validate_quick(run) ? 1 : 3); c++) {
        run_island(run, &cases[c]);
    }
}
