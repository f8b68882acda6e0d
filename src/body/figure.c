// body/figure.c: forms made ready: checked, with a tree over their triangles, a surface to draw and
// their mass; distances to them, and boxes round them.
#include "body/body.h"

#include "base/maths.h"

enum { AROUND = 32, HALF_RINGS = 8 };

static gyre_result refuse(const char *path, const char *what, const char *why)
{
    return gyre_fail(GYRE_ERROR_ARGUMENT, "%s%s%s %s", path, path[0] ? "." : "", what, why);
}

// ---- surfaces to draw ---------------------------------------------------------------------------

/// Room for `points` and `triangles`, the points twice and `more` times: 2 where they deform, 3
/// where the caller moves them.
static bool make_room(const gyre_host *host, gy_figure *f, int points, int triangles, int more)
{
    size_t one = 3 * (size_t)points;
    f->bytes = (size_t)(2 + more) * one * sizeof(float) + 3 * (size_t)triangles * sizeof(int32_t);
    f->memory = gy_allocate(host, f->bytes, 64);
    if (!f->memory) {
        return false;
    }
    f->points = f->memory;
    f->world = f->points + one;
    f->now = more ? f->world + one : NULL;
    f->before = more ? f->now + one : NULL;
    f->next = more > 2 ? f->before + one : NULL;
    f->triangles = (int32_t *)(void *)(f->world + (size_t)(1 + more) * one);
    f->surface = (gyre_mesh){more ? f->now : f->points, points, f->triangles, triangles};
    return true;
}

static void add_ring(gy_figure *f, int *at, double x, double radius)
{
    for (int k = 0; k < AROUND; k++) {
        double s, c;
        gy_sine(360.0 * k / AROUND, &s, &c);
        float *p = f->points + 3 * (*at)++;
        p[0] = (float)x;
        p[1] = (float)(radius * c);
        p[2] = (float)(radius * s);
    }
}

/// A pole, rings from it along x, the other pole; of a cylinder two rings.
static gyre_result draw_round(const gyre_host *host, gy_figure *f, double radius, double half,
                              bool caps)
{
    int rings = caps ? 2 * HALF_RINGS : 2, at = 1, to = 0;
    if (!make_room(host, f, 2 + rings * AROUND, 2 * rings * AROUND, 0)) {
        return GYRE_ERROR_MEMORY;
    }
    for (int r = 0; r < rings; r++) {
        double s = 0.0, c = 1.0, side = 2 * r < rings ? -1.0 : 1.0;
        if (caps) { // from the pole to the middle, which a ball's two halves have half a ring off
            double share = side < 0.0 ? HALF_RINGS - 1 - r : r - HALF_RINGS;
            double from = half > 0.0 ? 0.0 : 0.5;
            gy_sine(90.0 * (share + from) / (HALF_RINGS + from), &s, &c);
        }
        add_ring(f, &at, side * (half + radius * s), radius * c);
    }
    double end = caps ? half + radius : half;
    f->points[0] = (float)-end;
    f->points[1] = f->points[2] = 0.0f;
    f->points[3 * at] = (float)end;
    for (int k = 0; k < AROUND; k++) {
        int next = (k + 1) % AROUND;
        const int32_t low[3] = {0, 1 + next, 1 + k};
        const int32_t high[3] = {at, at - AROUND + k, at - AROUND + next};
        memcpy(f->triangles + 3 * to++, low, sizeof low);
        memcpy(f->triangles + 3 * to++, high, sizeof high);
        for (int r = 0; r + 1 < rings; r++) {
            int a = 1 + r * AROUND, b = a + AROUND;
            const int32_t quad[6] = {a + k, a + next, b + next, a + k, b + next, b + k};
            memcpy(f->triangles + 3 * to, quad, sizeof quad);
            to += 2;
        }
    }
    return GYRE_OK;
}

static gyre_result draw_box(const gyre_host *host, gy_figure *f, const double half[3])
{
    static const int32_t faces[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                      2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    if (!make_room(host, f, 8, 12, 0)) {
        return GYRE_ERROR_MEMORY;
    }
    for (int k = 0; k < 24; k++) {
        f->points[k] = (float)((k / 3 >> k % 3 & 1 ? 1.0 : -1.0) * half[k % 3]);
    }
    memcpy(f->triangles, faces, sizeof faces);
    return GYRE_OK;
}

// ---- hulls and meshes ---------------------------------------------------------------------------

/// Of n[0] == 3 numbers each, how many there are; 0 with a message.
static int count_of(const gyre_volume *v, const char *path, const char *what, int least)
{
    bool right = v->data && v->n[0] == 3 && v->n[1] >= 1 && v->n[2] >= 1 &&
                 (int64_t)v->n[1] * v->n[2] >= least && (int64_t)v->n[1] * v->n[2] <= GY_MESH_MOST;
    if (!right) {
        gyre_fail(GYRE_ERROR_ARGUMENT,
                  "%s%s%s must hold three numbers each of %d to %d, n[0] being 3", path,
                  path[0] ? "." : "", what, least, GY_MESH_MOST);
    }
    return right ? v->n[1] * v->n[2] : 0;
}

static gyre_result finish_mesh(const gyre_host *host, gy_figure *f, const char *path)
{
    gyre_mesh_report report;
    const gyre_mesh mesh = {f->points, f->surface.point_count, f->triangles,
                            f->surface.triangle_count};
    gyre_result r = gyre_mesh_tree_create(host, &mesh, &f->tree);
    r = r == GYRE_OK ? gyre_mesh_inspect(host, &mesh, &report) : r;
    if (r == GYRE_ERROR_ARGUMENT) {
        char why[512];
        memcpy(why, gyre_message(), sizeof why);
        why[sizeof why - 1] = '\0';
        return gyre_fail(r, "%s: %s", path, why);
    }
    f->closed = r == GYRE_OK && report.closed && report.oriented;
    return r;
}

static gyre_result make_hull(const gyre_host *host, gy_figure *f, const gyre_volume *points,
                             const char *path)
{
    uint16_t found[3 * GY_HULL_TRIANGLES];
    int count = count_of(points, path, "points", 4);
    if (count == 0) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (count > GY_HULL_POINTS) {
        return refuse(path, "points", "of a hull are more than 512; give a mesh");
    }
    for (int k = 0; k < 3 * count; k++) {
        if (!gy_is_finite(points->data[k])) {
            return refuse(path, "points", "must be finite");
        }
    }
    int triangles = gy_hull_make(points->data, count, found);
    if (triangles == 0) {
        return refuse(path, "points", "lie in one plane: their hull encloses no volume");
    }
    if (!make_room(host, f, count, triangles, 0)) {
        return GYRE_ERROR_MEMORY;
    }
    memcpy(f->points, points->data, 3 * (size_t)count * sizeof(float));
    for (int k = 0; k < 3 * triangles; k++) {
        f->triangles[k] = found[k];
    }
    return finish_mesh(host, f, path);
}

static gyre_result check_frames(const gyre_volume *v, int count, const char *path)
{
    if (v->n[0] != 3 || v->n[1] != count || v->n[2] < 1) {
        return refuse(path, "frames",
                      "must have as many points as the mesh, n[1], in each of n[2]");
    }
    for (int64_t k = 0; k < 3 * (int64_t)count * v->n[2]; k++) {
        if (!(v->data[k] >= -1e6f && v->data[k] <= 1e6f)) {
            return refuse(path, "frames", "must be finite and within 1e6 m");
        }
    }
    return GYRE_OK;
}

static gyre_result make_mesh(const gyre_host *host, gy_figure *f, const struct gyre_form_mesh *mesh,
                             const char *path)
{
    int points = count_of(&mesh->points, path, "points", 3);
    int triangles = points ? count_of(&mesh->triangles, path, "triangles", 1) : 0;
    bool frames = mesh->frames.data != NULL, told = gy_figure_is_told(mesh);
    if (points == 0 || triangles == 0) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (frames && check_frames(&mesh->frames, points, path) != GYRE_OK) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (frames && told) {
        return refuse(path, "frames",
                      "do not go with a box, low to high, of points that are moved");
    }
    if (!make_room(host, f, points, triangles, told ? 3 : frames ? 2 : 0)) {
        return GYRE_ERROR_MEMORY;
    }
    memcpy(f->points, frames ? mesh->frames.data : mesh->points.data,
           3 * (size_t)points * sizeof(float));
    for (int k = 0; k < 3 * triangles; k++) {
        float index = mesh->triangles.data[k];
        if (!(index >= 0.0f && index < (float)points) || index != (float)(int)index) {
            return refuse(path, "triangles", "must be whole numbers that name points");
        }
        f->triangles[k] = (int32_t)index;
    }
    if (frames) {
        f->frames = mesh->frames;
        f->rate = (double)mesh->rate;
        f->repeat = mesh->repeat;
        memcpy(f->now, f->points, 3 * (size_t)points * sizeof(float));
        memcpy(f->before, f->points, 3 * (size_t)points * sizeof(float));
    }
    gyre_result r = told ? gy_figure_tell(f, mesh, path) : GYRE_OK;
    return r == GYRE_OK ? finish_mesh(host, f, path) : r;
}

void gy_figure_deform(gy_figure *f, double time)
{
    if (f->next) {
        gy_figure_hand_on(f);
    }
    if (!f->now || f->next) {
        return;
    }
    size_t count = 3 * (size_t)f->surface.point_count;
    int last = f->frames.n[2] - 1;
    double at = time * f->rate;
    memcpy(f->before, f->now, count * sizeof(float));
    if (f->repeat && at < 1e15) {
        at -= (double)(f->frames.n[2] * (int64_t)(at / f->frames.n[2]));
    }
    at = GY_MAX(GY_MIN(at, (double)f->frames.n[2]), 0.0);
    int first = GY_MIN((int)at, last), next = first < last ? first + 1 : f->repeat ? 0 : last;
    double part = at - first;
    const float *a = f->frames.data + count * (size_t)first;
    const float *b = f->frames.data + count * (size_t)next;
    for (size_t k = 0; k < count; k++) {
        f->now[k] = (float)((double)a[k] + part * ((double)b[k] - (double)a[k]));
    }
    // They were checked when the body came, and lie between what was checked.
    gyre_mesh_tree_refit(f->tree, f->now);
}

// ---- arrays -------------------------------------------------------------------------------------

static gyre_result make_volume(gy_figure *f, const struct gyre_form_volume *v, const char *path)
{
    size_t count = 1;
    for (int a = 0; a < 3; a++) {
        if (!v->data.data || v->data.n[a] < 1) {
            return refuse(path, "data", "must be an array of distances");
        }
        count *= (size_t)v->data.n[a];
        f->low[a] = (double)v->low[a];
        f->size[a] = (double)v->size[a];
    }
    for (size_t k = 0; k < count; k++) {
        if (!(v->data.data[k] >= -1e6f && v->data.data[k] <= 1e6f)) {
            return refuse(path, "data", "must be finite and within 1e6 m");
        }
    }
    f->array = v->data;
    return GYRE_OK;
}

/// Linear between centres, even beyond the outermost; outside the box the way to it is added.
static double array_distance(const gy_figure *f, const double p[3])
{
    int low[3], high[3];
    double part[3], square = 0.0, value = 0.0;
    for (int a = 0; a < 3; a++) {
        double in = GY_MAX(GY_MIN(p[a] - f->low[a], f->size[a]), 0.0);
        double out = p[a] - f->low[a] - in, x = in / f->size[a] * f->array.n[a] - 0.5;
        square += out * out;
        x = GY_MAX(GY_MIN(x, f->array.n[a] - 1.0), 0.0);
        low[a] = (int)x;
        high[a] = GY_MIN(low[a] + 1, f->array.n[a] - 1);
        part[a] = x - low[a];
    }
    for (int c = 0; c < 8; c++) {
        int i = c & 1 ? high[0] : low[0], j = c & 2 ? high[1] : low[1],
            k = c & 4 ? high[2] : low[2];
        size_t at =
            (size_t)i + (size_t)f->array.n[0] * ((size_t)j + (size_t)f->array.n[1] * (size_t)k);
        value += (c & 1 ? part[0] : 1.0 - part[0]) * (c & 2 ? part[1] : 1.0 - part[1]) *
                 (c & 4 ? part[2] : 1.0 - part[2]) * (double)f->array.data[at];
    }
    return value + __builtin_sqrt(square);
}

// ---- all forms ----------------------------------------------------------------------------------

static bool shape_of(const gyre_form *form, gyre_shape *shape)
{
    const float zero[3] = {0.0f, 0.0f, 0.0f};
    float end[3] = {0.0f, 0.0f, 0.0f}, other[3] = {0.0f, 0.0f, 0.0f};
    switch (form->kind) {
    case GYRE_FORM_SPHERE:
        *shape = gyre_sphere(zero, form->as.sphere.radius);
        return true;
    case GYRE_FORM_BOX:
        *shape = gyre_box(zero, form->as.box.size);
        return true;
    case GYRE_FORM_CAPSULE:
        end[0] = 0.5f * form->as.capsule.length;
        other[0] = -end[0];
        *shape = gyre_capsule(other, end, form->as.capsule.radius);
        return true;
    case GYRE_FORM_HALF_SPACE:
        *shape = gyre_half_space(zero, form->as.half_space.normal);
        return true;
    case GYRE_FORM_BITMAP:
        *shape = gyre_volume_shape(form->as.bitmap.data, form->as.bitmap.low, form->as.bitmap.size,
                                   form->as.bitmap.threshold);
        return true;
    default:
        return false;
    }
}

static gyre_result make(const gyre_host *host, const gyre_form *form, const char *path,
                        gy_figure *f)
{
    gyre_shape shape;
    f->kind = form->kind;
    f->closed = true;
    if (shape_of(form, &shape)) {
        gyre_result r = gy_shape_check(&shape, 3, path);
        if (r != GYRE_OK) {
            return r;
        }
        f->solid = gy_solid_make(&shape, 3);
    }
    switch (form->kind) {
    case GYRE_FORM_SPHERE:
    case GYRE_FORM_CAPSULE:
        return draw_round(host, f, f->solid.radius, f->solid.b[0], true);
    case GYRE_FORM_BOX:
        return draw_box(host, f, f->solid.b);
    case GYRE_FORM_CYLINDER:
        f->radius = (double)form->as.cylinder.radius;
        f->half = 0.5 * (double)form->as.cylinder.length;
        return draw_round(host, f, f->radius, f->half, false);
    case GYRE_FORM_HALF_SPACE:
    case GYRE_FORM_BITMAP:
        return GYRE_OK;
    case GYRE_FORM_HULL:
        return make_hull(host, f, &form->as.hull.points, path);
    case GYRE_FORM_MESH:
        return make_mesh(host, f, &form->as.mesh, path);
    case GYRE_FORM_VOLUME:
        return make_volume(f, &form->as.volume, path);
    default:
        return refuse(path, "form", "is unknown");
    }
}

gyre_result gy_figure_make(const gyre_host *host, const gyre_form *form, const char *path,
                           gy_figure *figure)
{
    memset(figure, 0, sizeof *figure);
    gyre_result r = make(host, form, path, figure);
    if (r != GYRE_OK) {
        gy_figure_free(host, figure);
        return r;
    }
    gy_figure_weigh(figure);
    return GYRE_OK;
}

void gy_figure_free(const gyre_host *host, gy_figure *figure)
{
    gyre_mesh_tree_destroy(figure->tree);
    gy_release(host, figure->memory, figure->bytes);
    memset(figure, 0, sizeof *figure);
}

double gy_figure_distance(const gy_figure *f, const double own[3])
{
    if (f->tree) {
        return gy_mesh_tree_distance(f->tree, own);
    }
    if (f->kind == GYRE_FORM_VOLUME) {
        return array_distance(f, own);
    }
    if (f->kind == GYRE_FORM_CYLINDER) {
        double x = __builtin_fabs(own[0]) - f->half;
        double r = __builtin_sqrt(own[1] * own[1] + own[2] * own[2]) - f->radius;
        double out[2] = {GY_MAX(x, 0.0), GY_MAX(r, 0.0)};
        return GY_MIN(GY_MAX(x, r), 0.0) + __builtin_sqrt(out[0] * out[0] + out[1] * out[1]);
    }
    return gy_solid_distance(&f->solid, own);
}

static void stretch(const gy_pose *pose, const double own[3], double low[3], double high[3])
{
    double at[3];
    gy_pose_apply(pose, own, at);
    for (int a = 0; a < 3; a++) {
        low[a] = GY_MIN(low[a], at[a]);
        high[a] = GY_MAX(high[a], at[a]);
    }
}

void gy_figure_bounds(const gy_figure *f, const gy_pose *pose, float low[3], float high[3])
{
    double from[3] = {1e30, 1e30, 1e30}, to[3] = {-1e30, -1e30, -1e30};
    for (int p = 0; f->tree && p < f->surface.point_count; p++) {
        const float *at = f->surface.points + 3 * p;
        const double own[3] = {(double)at[0], (double)at[1], (double)at[2]};
        stretch(pose, own, from, to);
    }
    for (int c = 0; !f->tree && c < 8; c++) {
        double own[3];
        for (int a = 0; a < 3; a++) {
            bool up = c >> a & 1;
            own[a] = f->kind == GYRE_FORM_VOLUME   ? f->low[a] + (up ? f->size[a] : 0.0)
                     : f->kind == GYRE_FORM_BITMAP ? f->solid.a[a] + (up ? f->solid.b[a] : 0.0)
                     : f->kind == GYRE_FORM_BOX    ? (up ? f->solid.b[a] : -f->solid.b[a])
                                                   : 0.0;
        }
        stretch(pose, own, from, to);
    }
    bool round = f->kind == GYRE_FORM_SPHERE || f->kind == GYRE_FORM_CAPSULE;
    for (int a = 0; a < 3; a++) {
        double along = pose->turn[a][0], more = 0.0;
        if (round) {
            more = f->solid.radius + __builtin_fabs(along) * f->solid.b[0];
        } else if (f->kind == GYRE_FORM_CYLINDER) {
            double across = __builtin_sqrt(GY_MAX(1.0 - along * along, 0.0));
            more = f->half * __builtin_fabs(along) + f->radius * across;
        } else if (f->kind == GYRE_FORM_HALF_SPACE) {
            more = 1e30;
        }
        // A little more than exact, so that the rounded bounds still hold the body.
        more += 1e-6 * (more + GY_MAX(__builtin_fabs(from[a]), __builtin_fabs(to[a])));
        low[a] = (float)GY_MAX(from[a] - more, -1e30);
        high[a] = (float)GY_MIN(to[a] + more, 1e30);
    }
}
