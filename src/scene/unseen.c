// scene/unseen.c: waters that the camera does not see are stepped more seldom, where view.unseen
// asks for it. One is out of sight when its surface's box lies all beyond one of the five planes
// of the camera's pyramid: that is told by 8 corners, whose heights are those of 9 places of the
// surface and four cells more. Costs these questions once a step for each water.
#include "scene/scene.h"

#include <math.h>
#include <string.h>

/// tan(x), 0 <= x < 1.4, by the series of sine and cosine: the same on every machine.
static double tangent(double x)
{
    double sine = 0.0, cosine = 0.0, term = 1.0;
    for (int k = 0; k < 30; k++) {
        double sign = k / 2 % 2 ? -1.0 : 1.0;
        cosine += k % 2 ? 0.0 : sign * term;
        sine += k % 2 ? sign * term : 0.0;
        term *= x / (k + 1);
    }
    return sine / cosine;
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double to[3])
{
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        to[k] = a[i] * b[j] - a[j] * b[i];
    }
}

static bool unit(double a[3])
{
    double length = sqrt(dot(a, a));
    for (int k = 0; k < 3; k++) {
        a[k] /= length > 0.0 ? length : 1.0;
    }
    return length > 0.0;
}

/// Whether some of a box may be in the picture.
static bool sees(const gyre_scene_settings *s, const double low[3], const double high[3])
{
    const gyre_camera *camera = &s->camera;
    double ahead[3], up[3], right[3], over[3];
    for (int a = 0; a < 3; a++) {
        ahead[a] = (double)camera->target[a] - (double)camera->position[a];
        up[a] = (double)camera->up[a];
    }
    cross(ahead, up, right);
    if (!unit(ahead) || !unit(right)) {
        return true; // a camera that frames all
    }
    cross(right, ahead, over);
    double tall = tangent((double)camera->field_of_view * 0.008726646259971648);
    double wide = tall * s->output.width / s->output.height;
    int beyond[5] = {0};
    for (int corner = 0; corner < 8; corner++) {
        double at[3];
        for (int a = 0; a < 3; a++) {
            at[a] = (corner >> a & 1 ? high[a] : low[a]) - (double)camera->position[a];
        }
        double z = dot(at, ahead), x = dot(at, right), y = dot(at, over);
        beyond[0] += z < 0.0;
        beyond[1] += x > wide * z;
        beyond[2] += -x > wide * z;
        beyond[3] += y > tall * z;
        beyond[4] += -y > tall * z;
    }
    for (int plane = 0; plane < 5; plane++) {
        if (beyond[plane] == 8) {
            return false;
        }
    }
    return true;
}

static gyre_result is_seen(const gyre_scene *scene, const gyre_model *model, int surface,
                           bool *seen)
{
    const gyre_grid *g = gyre_model_grid(model);
    float points[27], heights[9];
    double low[3], high[3];
    for (int k = 0; k < 9; k++) {
        points[3 * k] = g->origin[0] + 0.5f * (float)(k % 3) * (float)g->n[0] * g->h;
        points[3 * k + 1] = g->origin[1] + 0.5f * (float)(k / 3) * (float)g->n[1] * g->h;
        points[3 * k + 2] = 0.0f;
    }
    gyre_result result = gyre_model_probe(model, surface, points, 9, heights);
    for (int a = 0; a < 2; a++) {
        low[a] = (double)points[a];
        high[a] = (double)points[24 + a];
    }
    low[2] = 1e30;
    high[2] = -1e30;
    for (int k = 0; k < 9 && result == GYRE_OK; k++) {
        low[2] = fmin(low[2], (double)heights[k] - 4.0 * (double)g->h);
        high[2] = fmax(high[2], (double)heights[k] + 4.0 * (double)g->h);
    }
    *seen = result != GYRE_OK || sees(&scene->settings, low, high);
    return result;
}

gyre_result gy_unseen_act(gyre_scene *scene)
{
    gyre_result result = GYRE_OK;
    int most = scene->settings.view.unseen;
    for (int m = 0; m < scene->model_count && most > 1 && result == GYRE_OK; m++) {
        const gy_scene_model *at = &scene->models[m];
        const gyre_property *every = gyre_property_find(at->properties, "every");
        int count, surface = -1;
        const gyre_field_info *info = gyre_model_fields(at->model, &count);
        for (int k = 0; k < count; k++) {
            surface = info[k].role == GYRE_ROLE_SURFACE ? k : surface;
        }
        if (!every || every->kind != GYRE_INT || surface < 0) {
            continue;
        }
        bool seen = true;
        gyre_value now;
        result = is_seen(scene, at->model, surface, &seen);
        result = result ? result : gyre_model_get(at->model, "every", &now);
        int32_t own = 1;
        memcpy(&own, (const char *)at->def + every->offset, sizeof own);
        double wanted = seen || own > most ? own : most;
        if (result == GYRE_OK && now.number[0] != wanted) {
            now.number[0] = wanted;
            result = gyre_model_set(at->model, "every", &now);
        }
    }
    return result;
}
