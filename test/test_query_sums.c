// Queries against plain sums in doubles, cell by cell and piece by piece: regions of all lengths at
// all places in a word of bits, balls, segments longer than a leg, walls; right after whatever
// changes a field; and to the bit on every device.
// labels: golden small
#include "test/gas_rig.h"

#include "test/every_device.h"

static uint32_t drawn;
static double draw(void)
{
    return (double)gy_random_unit(7, drawn++);
}

static bool near(double x, double y, double by)
{
    return fabs(x - y) <= by;
}

/// 150 cells long: three words of bits. With a ball and a leaning sheet.
static gyre_gas *busy_gas(gyre_device *device, int dim, int rule)
{
    gyre_gas_def def = still_def(dim, 150, 13, dim == 3 ? 9 : 1, 0.125f, rule);
    gyre_gas_solid ball = sphere(7.9, 0.8, 0.5, 0.4);
    gyre_gas_sheet wall =
        gyre_gas_default_sheet(dim == 3 ? GYRE_GAS_SHEET_PANEL : GYRE_GAS_SHEET_LINE);
    const float from[3] = {13.0f, -1.0f, -1.0f}, to[3] = {13.6f, 0.9f, 0.0f};
    const float along[3] = {0.6f, 1.9f, 0.0f}, across[3] = {0.0f, 0.0f, 4.0f};
    if (dim == 3) {
        memcpy(wall.form.as.panel.corner, from, sizeof from);
        memcpy(wall.form.as.panel.along, along, sizeof along);
        memcpy(wall.form.as.panel.across, across, sizeof across);
    } else {
        memcpy(wall.form.as.line.from, from, sizeof from);
        memcpy(wall.form.as.line.to, to, sizeof to);
    }
    def.solids = (gyre_pool){&ball, 1, 2};
    def.sheets = (gyre_pool){&wall, rule == GYRE_GAS_SIDE_PERIODIC, 1};
    gyre_gas *gas = NULL;
    must(gyre_gas_create(device, &def, &gas));
    set_field(gas, gyre_gas_field(gas, "density"), noise, gas);
    return gas;
}

// ---- plain sums

/// Which cells hold fluid, by the coefficients of the pressure.
static bool is_fluid(gyre_gas *gas, int i, int j, int k)
{
    gy_grid_level level = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0));
    return gy_level_fluid(&level, i, j, k);
}

static double overlap(double low, double high, double from, double to)
{
    return fmax(fmin(high, to) - fmax(low, from), 0.0);
}

/// Of an unturned box or a ball, in doubles; also cells outside count for what a ball is fitted to.
static gyre_mean plain_mean(gyre_gas *gas, const gyre_shape *region)
{
    const gyre_grid *g = gyre_model_grid(gyre_gas_model(gas));
    double sum[2] = {0}, part[2] = {0}, full = 0.0, rim = 0.0, h = (double)g->h, scale = 1.0;
    bool box = region->kind == GYRE_SHAPE_BOX;
    double radius = box ? 0.0 : (double)region->as.sphere.radius / h;
    int beyond = box ? 0 : 70, f = gyre_gas_field(gas, "density");
    for (int k = g->dim == 3 ? -beyond : 0; k < g->n[2] + (g->dim == 3 ? beyond : 0); k++) {
        for (int j = -beyond; j < g->n[1] + beyond; j++) {
            for (int i = -beyond; i < g->n[0] + beyond; i++) {
                const int at[3] = {i, j, k};
                double w = 1.0, square = (g->dim - 1) / 12.0;
                for (int a = 0; a < g->dim; a++) {
                    const float *centre = box ? region->as.box.centre : region->as.sphere.centre;
                    double c = ((double)centre[a] - (double)g->origin[a]) / h;
                    double half = box ? 0.5 * (double)region->as.box.size[a] / h : 0.0;
                    w *= box ? overlap(at[a], at[a] + 1.0, c - half, c + half) : 1.0;
                    square += (at[a] + 0.5 - c) * (at[a] + 0.5 - c);
                }
                w = box ? w : fmin(fmax(fmax(radius, 0.5) + 0.5 - sqrt(square), 0.0), 1.0);
                *(w < 1.0 ? &rim : &full) += w;
                bool in = w > 0.0 && i >= 0 && i < g->n[0] && j >= 0 && j < g->n[1] && k >= 0 &&
                          k < g->n[2];
                if (in && is_fluid(gas, i, j, k)) {
                    sum[w < 1.0] += w * (double)*sample(gas, f, i, j, k);
                    part[w < 1.0] += w;
                }
            }
        }
    }
    if (!box && radius < 32 && rim > 0.0) {
        double all = g->dim == 3 ? 4.0 / 3.0 * pi * pow(radius, 3) : pi * radius * radius;
        scale = (all - full) / rim;
    }
    double parts = part[0] + scale * part[1], total = sum[0] + scale * sum[1];
    return (gyre_mean){parts > 0.0 ? total / parts : 0.0, total * pow(h, g->dim),
                       parts * pow(h, g->dim)};
}

static void same_mean(gyre_gas *gas, gyre_shape region)
{
    gyre_mean m, known = plain_mean(gas, &region);
    gyre_model *model = gyre_gas_model(gas);
    must(gyre_model_mean(model, gyre_model_field(model, "density"), &region, 1, &m));
    // Of what is a sliver of a cell places are known to 1e-6 of a cell.
    double cell = 1e-6 * pow(0.125, gyre_model_grid(model)->dim);
    if (!near(m.volume, known.volume, 2e-6 * known.volume + cell) ||
        !near(m.total, known.total, 2e-6 * known.volume + cell) ||
        (known.volume > 1e4 * cell && !near(m.mean, known.mean, 3e-6))) {
        fail_msg("a mean of %.9g, volume %.9g, expected %.9g, %.9g", m.mean, m.volume, known.mean,
                 known.volume);
    }
}

/// Boxes of up to 80 cells from all places on, and balls of up to 40 cells' radius, also where they
/// reach over sides.
static void regions_are_plain_sums(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        gyre_gas *gas = busy_gas(the_device, dim, GYRE_GAS_SIDE_OPEN);
        for (int q = 0; q < (dim == 2 ? 300 : 60); q++) {
            float size[3],
                c[3] = {(float)(19.0 * draw()), (float)(1.7 * draw()), (float)(1.2 * draw())};
            for (int a = 0; a < 3; a++) {
                size[a] = (float)((a ? 1.0 : q % 3 ? 2.5 : 10.0) * (0.01 + draw()));
            }
            same_mean(gas, gyre_box(c, size));
        }
        for (int q = 0; q < (dim == 2 ? 60 : 8); q++) {
            double radius = q % 4 ? 0.05 + 0.7 * draw() : 5.0 * draw();
            float c[3] = {(float)(19.0 * draw()), (float)(1.7 * draw()), (float)(1.2 * draw())};
            same_mean(gas, gyre_sphere(c, (float)radius));
        }
        gyre_gas_destroy(gas);
    }
}

// ---- plain walks

/// A sample's index, or the nearest inside.
static int inside(int i, int n)
{
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

static double plain_value(gyre_gas *gas, const gyre_grid *g, const double u[3])
{
    double sum = 0.0;
    int f = gyre_gas_field(gas, "density");
    for (int c = 0; c < 1 << g->dim; c++) {
        int at[3] = {0};
        double w = 1.0;
        for (int a = 0; a < g->dim; a++) {
            double low = floor(u[a] - 0.5), part = u[a] - 0.5 - low;
            at[a] = inside((int)low + (c >> a & 1), g->n[a]);
            w *= c >> a & 1 ? part : 1.0 - part;
        }
        sum += w * (double)*sample(gas, f, at[0], at[1], at[2]);
    }
    return sum;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/// The places of a segment, in cells, where it crosses planes at whole numbers plus `off`.
static int crossings(int dim, const double from[3], const double to[3], double off, double *t)
{
    int count = 0;
    t[count++] = 0.0;
    for (int a = 0; a < dim; a++) {
        double low = fmin(from[a], to[a]), high = fmax(from[a], to[a]);
        for (double x = ceil(low - off) + off; x < high; x += 1.0) {
            t[count++] = (x - from[a]) / (to[a] - from[a]);
        }
    }
    t[count++] = 1.0;
    qsort(t, (size_t)count, sizeof *t, by_size);
    return count;
}

/// t of the first shut face, from the middles of the pieces between crossings; else 2.
static double plain_wall(gyre_gas *gas, const double from[3], const double to[3])
{
    double t[1000];
    int dim = gyre_model_grid(gyre_gas_model(gas))->dim, was[3] = {0};
    int count = crossings(dim, from, to, 0.0, t);
    gy_grid_level level = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0));
    for (int p = 0; p + 1 < count; p++) {
        int at[3] = {0};
        for (int a = 0; a < dim; a++) {
            double u = from[a] + 0.5 * (t[p] + t[p + 1]) * (to[a] - from[a]);
            at[a] = (int)floor(u);
        }
        if (p == 0 && !is_fluid(gas, at[0], at[1], at[2])) {
            return 0.0;
        }
        for (int a = 0; a < dim && p > 0; a++) {
            int face[3] = {at[0], at[1], at[2]};
            face[a] = at[a] > was[a] ? at[a] : was[a];
            if (at[a] != was[a] && *gy_coefficient(&level, a, face[0], face[1], face[2]) == 0) {
                return t[p];
            }
        }
        memcpy(was, at, sizeof was);
    }
    return 2.0;
}

static double plain_integral(gyre_gas *gas, const double from[3], const double to[3], double end)
{
    static const double gauss = 0.57735026918962576451;
    const gyre_grid *g = gyre_model_grid(gyre_gas_model(gas));
    double t[1000], sum = 0.0, length = 0.0;
    int count = crossings(g->dim, from, to, 0.5, t);
    for (int p = 0; p + 1 < count && t[p] < end; p++) {
        double high = fmin(t[p + 1], end), middle = 0.5 * (t[p] + high);
        for (int side = -1; side <= 1; side += 2) {
            double u[3] = {0}, when = middle + side * 0.5 * gauss * (high - t[p]);
            for (int a = 0; a < g->dim; a++) {
                u[a] = from[a] + when * (to[a] - from[a]);
            }
            sum += 0.5 * (high - t[p]) * plain_value(gas, g, u);
        }
    }
    for (int a = 0; a < g->dim; a++) {
        length += (to[a] - from[a]) * (to[a] - from[a]);
    }
    return sum * sqrt(length) * (double)g->h;
}

static void same_sight(gyre_gas *gas, const double from[3], const double to[3], bool walls)
{
    gyre_model *model = gyre_gas_model(gas);
    const gyre_grid *g = gyre_model_grid(model);
    double u[2][3], length = 0.0;
    float ends[6];
    for (int a = 0; a < 6; a++) {
        ends[a] = (float)(a < 3 ? from[a] : to[a - 3]) * g->h + g->origin[a % 3];
        u[a / 3][a % 3] = ((double)ends[a] - (double)g->origin[a % 3]) / (double)g->h;
    }
    for (int a = 0; a < g->dim; a++) {
        length += (u[1][a] - u[0][a]) * (u[1][a] - u[0][a]);
    }
    length = sqrt(length) * (double)g->h;
    gyre_sight s;
    must(gyre_model_sight(model, gyre_model_field(model, "density"), 1.0f, walls, ends, 1, &s));
    double wall = walls ? plain_wall(gas, u[0], u[1]) : 2.0;
    double known = plain_integral(gas, u[0], u[1], fmin(wall, 1.0));
    if (s.blocked != (wall <= 1.0) ||
        !near((double)s.reach, fmin(wall, 1.0) * length, 1e-6 * length) ||
        !near((double)s.integral, known, 1e-6 * length)) {
        fail_msg("sight: %.9g to %.9g, expected %.9g to %.9g", (double)s.integral, (double)s.reach,
                 known, fmin(wall, 1.0) * length);
    }
}

/// From anywhere inside to anywhere: mostly several legs; into the half cells at sides, too.
static void sights_are_plain_sums(void **state)
{
    (void)state;
    int blocked = 0;
    for (int dim = 2; dim <= 3; dim++) {
        gyre_gas *gas = busy_gas(the_device, dim, GYRE_GAS_SIDE_OPEN);
        const gyre_grid *g = gyre_model_grid(gyre_gas_model(gas));
        for (int q = 0; q < 400; q++) {
            double from[3] = {0}, to[3] = {0};
            for (int a = 0; a < dim; a++) {
                from[a] = g->n[a] * draw();
                to[a] = q % 3 ? g->n[a] * draw() : fmin(g->n[a], from[a] + 6.0 * draw());
            }
            same_sight(gas, from, to, q % 2);
            blocked += q % 2 && plain_wall(gas, from, to) <= 1.0;
        }
        gyre_gas_destroy(gas);
    }
    assert_in_range(blocked, 60, 300);
}

/// What has no length has no smoke in it; it is blocked where there is no fluid.
static void of_no_length(void **state)
{
    (void)state;
    gyre_gas *gas = busy_gas(the_device, 2, GYRE_GAS_SIDE_OPEN);
    gyre_model *model = gyre_gas_model(gas);
    const float ends[12] = {7.9f, 0.8f, 0.0f, 7.9f, 0.8f, 0.0f, 1.0f, 0.8f, 0.0f, 1.0f, 0.8f, 0.0f};
    gyre_sight s[2];
    must(gyre_model_sight(model, gyre_model_field(model, "density"), 1.0f, true, ends, 2, s));
    assert_true(s[0].blocked && s[0].reach == 0.0f && s[0].integral == 0.0f);
    assert_true(!s[1].blocked && s[1].reach == 0.0f && s[1].integral == 0.0f);
    gyre_gas_destroy(gas);
}

/// What ends on a wall's face is not blocked by it; what goes a little further is.
static void ends_on_a_wall(void **state)
{
    (void)state;
    gyre_gas *gas = busy_gas(the_device, 2, GYRE_GAS_SIDE_OPEN);
    gyre_model *model = gyre_gas_model(gas);
    const int *n = gyre_model_grid(model)->n;
    gy_grid_level level = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0));
    int f = gyre_model_field(model, "density"), faces = 0;
    for (int q = 0; q < 2 * n[0] * n[1]; q++) {
        int i = q / 2 % n[0], j = q / 2 / n[0], up = q % 2;
        if (i == 0 || *gy_coefficient(&level, 0, i, j, 0) || !is_fluid(gas, i - up, j, 0)) {
            continue;
        }
        float x = 0.125f * (float)i, y = 0.125f * ((float)j + 0.5f), way = up ? 1.0f : -1.0f;
        const float ends[12] = {x - 0.05f * way, y, 0.0f, x, y, 0.0f, x - 0.05f * way, y, 0.0f,
                                x + 0.01f * way, y, 0.0f};
        gyre_sight s[2];
        must(gyre_model_sight(model, f, 1.0f, true, ends, 2, s));
        assert_true(!s[0].blocked && s[1].blocked);
        assert_true(near((double)s[1].reach, 0.05, 1e-6));
        faces++;
    }
    assert_true(faces > 4);
    gyre_gas_destroy(gas);
}

// ---- after changes

/// A few of each against plain sums.
static void same_now(gyre_gas *gas)
{
    const double from[3] = {3.3, 2.4, 0.0}, to[3] = {141.7, 9.1, 0.0};
    const float centre[3] = {7.4f, 0.9f, 0.0f}, size[3] = {3.1f, 1.1f, 1.0f};
    gyre_model *model = gyre_gas_model(gas);
    float c[3];
    for (int a = 0; a < 3; a++) {
        c[a] = centre[a] + gyre_model_grid(model)->origin[a];
    }
    same_mean(gas, gyre_box(c, size));
    same_mean(gas, gyre_sphere(c, 0.6f));
    same_sight(gas, from, to, false);
    same_sight(gas, from, to, true);
}

/// Whatever changes a field or a wall is seen by the next query.
static void changes_are_seen(void **state)
{
    (void)state;
    gyre_gas *gas = busy_gas(the_device, 2, GYRE_GAS_SIDE_OPEN);
    gyre_model *model = gyre_gas_model(gas);
    int f = gyre_model_field(model, "density");
    const float centre[3] = {7.0f, 0.9f, 0.0f};
    gyre_shape all = gyre_box((const float[3]){9.0f, 1.0f, 0.0f}, (const float[3]){50, 50, 1});
    gyre_mean was, is;
    same_now(gas);
    size_t size = gyre_model_save_size(model), written;
    void *saved = malloc(size);
    assert_non_null(saved);
    must(gyre_model_snapshot(model, saved, size, &written));
    must(gyre_model_mean(model, f, &all, 1, &was));
    must(gyre_model_splat(model, f, centre, 0.7f, 3.0f));
    same_now(gas);
    must(gyre_model_mean(model, f, &all, 1, &is));
    assert_true(is.total > 1.01 * was.total);
    gyre_field_view v;
    must(gyre_model_map(model, f, GYRE_WRITE, &v));
    v.data[57 + 6 * v.stride[1]] = 40.0f;
    same_now(gas); // of a field that is mapped the window counts
    must(gyre_model_unmap(model, f));
    same_now(gas);
    for (int s = 0; s < 3; s++) {
        must(gyre_model_step(model, 0.02f));
        same_now(gas);
    }
    const int32_t by[3] = {5, -1, 0};
    must(gyre_model_shift(model, by));
    same_now(gas);
    must(gyre_model_load(model, saved, written));
    same_now(gas);
    must(gyre_model_mean(model, f, &all, 1, &is));
    assert_true(is.total == was.total && is.volume == was.volume);
    // Another solid: seen when the model is next stepped or looked at.
    gyre_gas_solid more = sphere(4.0, 0.9, 0.0, 0.35);
    assert_true(gyre_model_add(model, "solids", &more) != 0);
    must(gyre_model_step(model, 0.02f));
    must(gyre_model_mean(model, f, &all, 1, &is));
    assert_true(is.volume < was.volume - 0.2);
    same_now(gas);
    free(saved);
    gyre_gas_destroy(gas);
}

// ---- the same bits

enum { ASKED = 64 };

static uint64_t answers_of(gyre_model *model, const char *name, uint64_t hash)
{
    static gyre_shape regions[ASKED];
    static float ends[ASKED][6];
    static gyre_mean means[ASKED];
    static gyre_sight sights[ASKED];
    const gyre_grid *g = gyre_model_grid(model);
    int field = gyre_model_field(model, name);
    drawn = 99;
    for (int q = 0; q < ASKED; q++) {
        float c[3] = {0}, size[3] = {1, 1, 1}, least = 1e9f;
        for (int a = 0; a < g->dim; a++) {
            float length = (float)g->n[a] * g->h;
            least = fminf(least, length);
            c[a] = length * (float)draw();
            size[a] = length * (float)(0.02 + 0.5 * draw() * draw());
            ends[q][a] = length * (float)draw();
            ends[q][3 + a] = length * (float)draw();
        }
        regions[q] = q % 3 ? gyre_box(c, size) : gyre_sphere(c, 0.5f * fminf(size[1], least));
        if (q % 9 == 1) {
            regions[q] = gyre_box(c, (const float[3]){0.5f * least, 0.3f * least, 0.4f * least});
            regions[q].as.box.rotation[2] = 20.0f;
        }
    }
    must(gyre_model_mean(model, field, regions, ASKED, means));
    hash = gy_hash(means, sizeof means, hash);
    for (int walls = 0; walls < 2; walls++) {
        must(gyre_model_sight(model, field, 0.3f, walls, ends[0], ASKED, sights));
        for (int q = 0; q < ASKED; q++) {
            const float s[3] = {sights[q].integral, sights[q].transmittance, sights[q].reach};
            hash = gy_hash(s, sizeof s, hash + sights[q].blocked);
        }
    }
    return hash;
}

/// Of gases in 2D and 3D with walls and a sheet, open and periodic, at centres, faces and corners;
/// of water with a quay, out of tiles and out of a window.
static uint64_t all_answers(gyre_device *device)
{
    uint64_t hash = 0;
    for (int q = 0; q < 4; q++) {
        gyre_gas *gas =
            busy_gas(device, 2 + q % 2, q < 2 ? GYRE_GAS_SIDE_OPEN : GYRE_GAS_SIDE_PERIODIC);
        set_field(gas, gyre_gas_field(gas, "velocity_x"), noise, gas);
        hash = answers_of(gyre_gas_model(gas), "density", hash);
        hash = answers_of(gyre_gas_model(gas), "velocity_x", hash);
        gyre_gas_destroy(gas);
    }
    gyre_water_def def = gyre_water_default_def(2);
    def.grid = (gyre_grid){2, {200, 140, 1}, 0.5f, {0}};
    def.mode = GYRE_WATER_SHALLOW;
    gyre_water_edge quay = gyre_water_default_edge();
    quay.shape = gyre_box((const float[3]){30, 30, 0}, (const float[3]){4, 20, 1});
    def.edges = (gyre_pool){&quay, 1, 1};
    gyre_water *water = NULL;
    must(gyre_water_create(device, &def, &water));
    gyre_model *model = gyre_water_model(water);
    const float centre[3] = {40, 30, 0};
    must(gyre_model_splat(model, 0, centre, 20.0f, 1.0f));
    uint64_t tiles = answers_of(model, "depth", hash);
    gyre_field_view v;
    must(gyre_model_map(model, gyre_model_field(model, "depth"), GYRE_READ, &v));
    assert_true(answers_of(model, "depth", hash) == tiles);
    must(gyre_model_unmap(model, gyre_model_field(model, "depth")));
    gyre_water_destroy(water);
    return tiles;
}

static uint64_t first;

static void require(gyre_device *device, const char *on)
{
    uint64_t hash = all_answers(device);
    first = first ? first : hash;
    if (hash != first) {
        fail_msg("on %s the answers are 0x%016llx, expected 0x%016llx", on,
                 (unsigned long long)hash, (unsigned long long)first);
    }
}

/// No instruction set, number of threads or compiler has others. What they are is held by the
/// plain sums above; the number changes with the order in which something is added up.
static void same_bits_everywhere(void **state)
{
    (void)state;
    on_every_device(require);
    if (first != 0xeb0b4d4d8758b955u) {
        fail_msg("the answers are 0x%016llx", (unsigned long long)first);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regions_are_plain_sums), cmocka_unit_test(sights_are_plain_sums),
        cmocka_unit_test(of_no_length),           cmocka_unit_test(changes_are_seen),
        cmocka_unit_test(ends_on_a_wall),         cmocka_unit_test(same_bits_everywhere),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
