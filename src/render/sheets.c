// render/sheets.c: walls without thickness. What rays meet of them are their own triangles, in a
// tree as those of bodies (render/hulls.c), so that an inclined sheet has no stairs.
//
// A gas marks the cells at a sheet in its field of solids, for those who know no better: those
// marks are taken out, a mark being a cell with just the share that a gas writes from whose centre
// a sheet is met on the way to that of a neighbour. Of these cells the ones behind the sheet, seen
// from the light, stop light, so that shadows are the cells' and what is lit beside a sheet is not
// dimmed by it.
//
// In maps and slices they are lines along their true place, half a cell wide within reason. In maps
// of 2D fields samples near them are taken on their own side (isa/map_rows.c).
//
// Cost: a pass over the cells, up to six short rays for each that is marked, and one for each ray
// of the picture that comes through the box round all sheets.
#include "render/sheets.h"

#include <stdlib.h>

static const float marks[2] = {0.5f, 0.75f}; // in 2D, in 3D: gas/sheets.c
static const float dark = 16.0f;             // extinction per cell

// A line of a sheet in 2D as a wall of two triangles, from a cell below to one above.
static void stand_up(const gyre_mesh *from, const gyre_grid *grid, float *points,
                     int32_t *triangles)
{
    static const int32_t corner[6] = {0, 1, 2, 1, 3, 2};

    for (int i = 0; i < from->triangle_count; i++) {
        for (int c = 0; c < 4; c++) {
            const float *p = from->points + 3 * from->triangles[3 * i + (c & 1)];
            float *to = points + 12 * (ptrdiff_t)i + 3 * c;

            to[0] = p[0];
            to[1] = p[1];
            to[2] = grid->origin[2] + grid->h * (c < 2 ? -0.5f : 1.5f);
        }
        for (int c = 0; c < 6; c++)
            triangles[6 * (ptrdiff_t)i + c] = 4 * i + corner[c];
    }
}

static gyre_result build_flat(const gyre_render_input *input, int count, vec corner,
                              gy_hulls *sheets)
{
    float *points = malloc(12 * (size_t)count * sizeof *points);
    int32_t *triangles = malloc(6 * (size_t)count * sizeof *triangles);
    gyre_mesh *raised = malloc((size_t)input->sheet_count * sizeof *raised);
    gyre_result result = GYRE_ERROR_MEMORY;
    int at = 0;

    if (points != NULL && triangles != NULL && raised != NULL) {
        for (int m = 0; m < input->sheet_count; m++) {
            const gyre_mesh *mesh = &input->sheets[m];

            stand_up(mesh, input->grid, points + 12 * (ptrdiff_t)at, triangles + 6 * (ptrdiff_t)at);
            raised[m] = (gyre_mesh){points + 12 * (ptrdiff_t)at, 4 * mesh->triangle_count,
                                    triangles + 6 * (ptrdiff_t)at, 2 * mesh->triangle_count};
            at += mesh->triangle_count;
        }
        result = gy_hulls_build(raised, input->sheet_count, corner, input->grid->h, sheets);
    } else {
        gyre_fail(result, "no memory for the sheets of a picture");
    }
    free(points);
    free(triangles);
    free(raised);
    return result;
}

gyre_result gy_seen_sheets_build(const gyre_render_input *input, gy_hulls **sheets)
{
    vec corner = vec_make(input->grid->origin) - vec_all(0.5f * input->grid->h);
    int count = 0;
    gyre_result result = gy_hulls_check(input->sheets, input->sheet_count, &count);

    *sheets = NULL;
    if (result != GYRE_OK || count == 0)
        return result;
    *sheets = aligned_alloc(64, (sizeof **sheets + 63) / 64 * 64);
    if (*sheets == NULL)
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory for the sheets of a picture");
    result = input->grid->dim == 2 ? build_flat(input, count, corner, *sheets)
                                   : gy_hulls_build(input->sheets, input->sheet_count, corner,
                                                    input->grid->h, *sheets);
    if (result != GYRE_OK) {
        free(*sheets);
        *sheets = NULL;
    }
    return result;
}

void gy_seen_sheets_free(gy_hulls *sheets)
{
    if (sheets != NULL)
        gy_hulls_free(sheets);
    free(sheets);
}

bool gy_seen_sheets_part(const gy_hulls *sheets, vec from, vec to)
{
    vec way = to - from;
    float length = sqrtf(vec_dot(way, way));
    gy_hull_hit hit = {.body = -1};

    if (sheets != NULL && length > 0.0f)
        gy_hulls_hit(sheets, &(gy_ray){from, way * vec_all(1.0f / length)}, length, &hit);
    return hit.body >= 0;
}

bool gy_seen_sheets_mark(const gy_hulls *sheets, int dim, float share, int i, int j, int k)
{
    const float over = 2e-3f; // a sheet may go through the centre itself
    vec centre = {(float)(i + 1), (float)(j + 1), (float)(k + 1), 0.0f};
    bool marked = false;

    if (sheets == NULL || share != marks[dim == 3])
        return false;
    for (int d = 0; d < 2 * dim && !marked; d++) {
        vec way = vec_all(0.0f);

        way[d / 2] = d & 1 ? 1.0f : -1.0f;
        marked = gy_seen_sheets_part(sheets, centre - way * vec_all(over),
                                     centre + way * vec_all(1.0f + over));
    }
    return marked;
}

void gy_seen_sheets_clear(const gy_volume *volume, gy_cells *solid)
{
    if (volume->sheets == NULL)
        return;
    for (int k = 0; k < volume->n[2]; k++) {
        for (int j = 0; j < volume->n[1]; j++) {
            float *row = solid->data + gy_cell_index(solid, 1, j + 1, k + 1);

            for (int i = 0; i < volume->n[0]; i++) {
                if (gy_seen_sheets_mark(volume->sheets, 3, row[i], i, j, k))
                    row[i] = 0.0f;
            }
        }
    }
}

void gy_seen_sheets_darken(gy_volume *volume)
{
    const gyre_field_view *from = volume->input->solid;

    if (volume->sheets == NULL || from == NULL)
        return;
    for (int k = 0; k < volume->n[2]; k++) {
        for (int j = 0; j < volume->n[1]; j++) {
            const float *row = from->data + j * from->stride[1] + k * from->stride[2];
            ptrdiff_t first = gy_cell_index(&volume->opaque, 1, j + 1, k + 1);

            for (int i = 0; i < volume->n[0]; i++) {
                vec at = {(float)(i + 1), (float)(j + 1), (float)(k + 1), 0.0f};

                if (row[i] == marks[1] && volume->solid.data[first + i] == 0.0f &&
                    gy_seen_sheets_part(volume->sheets, at, at + volume->light * vec_all(1.75f)))
                    volume->opaque.data[first + i] += dark;
            }
        }
    }
}

gyre_result gy_seen_sheets_view(const gy_hulls *sheets, const gyre_field_view *solid,
                                gyre_field_view *clear)
{
    const int *n = solid->n;
    size_t row = (size_t)n[0], plane = row * (size_t)n[1];
    float *to = malloc(plane * (size_t)n[2] * sizeof *to);

    if (to == NULL)
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory for the sheets of a picture");
    *clear = *solid;
    clear->data = to;
    clear->stride[0] = 1;
    clear->stride[1] = (ptrdiff_t)row;
    clear->stride[2] = (ptrdiff_t)plane;
    for (int k = 0; k < n[2]; k++) {
        for (int j = 0; j < n[1]; j++) {
            const float *from = solid->data + j * solid->stride[1] + k * solid->stride[2];

            for (int i = 0; i < n[0]; i++) {
                float x = from[i * solid->stride[0]];

                *to++ = gy_seen_sheets_mark(sheets, solid->grid.dim, x, i, j, k) ? 0.0f : x;
            }
        }
    }
    return GYRE_OK;
}

// ---- lines over maps

gyre_result gy_seen_sheets_beside(const gyre_render_input *input, uint8_t **beside)
{
    const gyre_grid *grid = input->grid;
    const float reach = 2.5f; // cells
    uint8_t *near = calloc((size_t)grid->n[0] * (size_t)grid->n[1], 1);

    *beside = near;
    if (near == NULL)
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory for the sheets of a picture");
    for (int m = 0; m < input->sheet_count; m++) {
        const gyre_mesh *mesh = &input->sheets[m];

        for (int i = 0; i < mesh->triangle_count; i++) {
            float p[2][2], low[2], high[2];

            for (int a = 0; a < 2; a++) {
                for (int end = 0; end < 2; end++) {
                    int point = mesh->triangles[3 * (ptrdiff_t)i + end];

                    p[end][a] =
                        (mesh->points[3 * (ptrdiff_t)point + a] - grid->origin[a]) / grid->h;
                }
                low[a] = fmaxf(fminf(p[0][a], p[1][a]) - reach, 0.0f);
                high[a] = fminf(fmaxf(p[0][a], p[1][a]) + reach, (float)grid->n[a]);
            }
            float way[2] = {p[1][0] - p[0][0], p[1][1] - p[0][1]};
            float square = way[0] * way[0] + way[1] * way[1];

            for (int y = (int)low[1]; (float)y < high[1]; y++) {
                for (int x = (int)low[0]; (float)x < high[0]; x++) {
                    float d[2] = {(float)x + 0.5f - p[0][0], (float)y + 0.5f - p[0][1]};
                    float along = d[0] * way[0] + d[1] * way[1];
                    float t = square > 0.0f ? clamp01(along / square) : 0.0f;
                    float off[2] = {d[0] - t * way[0], d[1] - t * way[1]};

                    if (off[0] * off[0] + off[1] * off[1] < reach * reach)
                        near[(ptrdiff_t)y * grid->n[0] + x] = 1;
                }
            }
        }
    }
    return GYRE_OK;
}

/// The picture that lines are drawn over.
typedef struct lines {
    const gy_map_view *map;
    float *cover; // of each pixel
    int axis[2];  // to the right and up
    float half;   // of the width, pixels
} lines;

static void draw_line(const lines *l, const float from[3], const float to[3])
{
    const gyre_image *image = l->map->image;
    const gyre_grid *grid = l->map->input->grid;
    float p[2][2], low[2], high[2], reach = l->half + 1.0f;
    int size[2] = {image->width, image->height};

    for (int a = 0; a < 2; a++) {
        for (int end = 0; end < 2; end++) {
            float at = (end ? to : from)[l->axis[a]] - grid->origin[l->axis[a]];

            p[end][a] = (at / grid->h - l->map->shift[a]) / l->map->cells;
            p[end][a] = a == 1 ? (float)image->height - p[end][a] : p[end][a];
        }
        low[a] = fmaxf(fminf(p[0][a], p[1][a]) - reach, 0.0f);
        high[a] = fminf(fmaxf(p[0][a], p[1][a]) + reach, (float)size[a]);
    }
    float way[2] = {p[1][0] - p[0][0], p[1][1] - p[0][1]};
    float square = way[0] * way[0] + way[1] * way[1];

    for (int y = (int)low[1]; (float)y < high[1]; y++) {
        for (int x = (int)low[0]; (float)x < high[0]; x++) {
            float d[2] = {(float)x + 0.5f - p[0][0], (float)y + 0.5f - p[0][1]};
            float t = square > 0.0f ? clamp01((d[0] * way[0] + d[1] * way[1]) / square) : 0.0f;
            float off[2] = {d[0] - t * way[0], d[1] - t * way[1]};
            float cover = l->half + 0.5f - sqrtf(off[0] * off[0] + off[1] * off[1]);
            float *own = &l->cover[(ptrdiff_t)y * image->width + x];

            *own = fmaxf(*own, clamp01(cover));
        }
    }
}

// Where a slice cuts a triangle.
static void cut_triangle(const lines *l, const float *const corner[3], int axis, float place)
{
    float cut[3][3];
    int count = 0;

    for (int e = 0; e < 3; e++) {
        const float *p = corner[e], *q = corner[(e + 1) % 3];

        if ((p[axis] < place) == (q[axis] < place))
            continue;
        float t = (place - p[axis]) / (q[axis] - p[axis]);

        for (int a = 0; a < 3; a++)
            cut[count][a] = mixf(p[a], q[a], t);
        count++;
    }
    if (count == 2)
        draw_line(l, cut[0], cut[1]);
}

static void draw_lines(const lines *l)
{
    const gyre_render_input *input = l->map->input;
    const gyre_grid *grid = input->grid;
    int across = grid->dim == 2 ? 2 : input->settings.slice_axis;
    float n = (float)grid->n[across], at = input->settings.slice_position * n;

    // As the slice itself: see cut() in render/map.c.
    at = fminf(fmaxf(at, 0.5f), n - 0.5f) * grid->h + grid->origin[across];
    for (int m = 0; m < input->sheet_count; m++) {
        const gyre_mesh *mesh = &input->sheets[m];

        for (int i = 0; i < mesh->triangle_count; i++) {
            const float *corner[3];

            for (int c = 0; c < 3; c++)
                corner[c] = mesh->points + 3 * (ptrdiff_t)mesh->triangles[3 * (ptrdiff_t)i + c];
            if (grid->dim == 2)
                draw_line(l, corner[0], corner[1]);
            else
                cut_triangle(l, corner, across, at);
        }
    }
}

static float to_linear(float x)
{
    return x <= 0.04045f ? x / 12.92f : powf((x + 0.055f) / 1.055f, 2.4f);
}

gyre_result gy_seen_sheets_lines(const gy_map_view *map)
{
    const gyre_image *image = map->image;
    const gyre_grid *grid = map->input->grid;
    int across = grid->dim == 2 ? 2 : map->input->settings.slice_axis;
    size_t count = (size_t)image->width * (size_t)image->height;
    lines l = {.map = map,
               .cover = calloc(count, sizeof *l.cover),
               .axis = {across == 0 ? 2 : 0, across == 1 ? 2 : 1},
               .half = 0.25f / map->cells};

    if (l.cover == NULL)
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory for the sheets of a picture");
    l.half = fminf(fmaxf(l.half, 0.8f), 3.0f);
    draw_lines(&l);
    for (int y = 0; y < image->height; y++) {
        for (int x = 0; x < image->width; x++) {
            ptrdiff_t at = (ptrdiff_t)y * image->width + x;
            float pixel[2] = {(float)x + 0.5f, (float)(image->height - y) - 0.5f};
            bool in = l.cover[at] > 0.0f;

            for (int a = 0; a < 2; a++) {
                float cell = map->shift[a] + pixel[a] * map->cells;

                in = in && cell >= 0.0f && cell < (float)grid->n[l.axis[a]];
            }
            for (int c = 0; c < 3 && in; c++) {
                uint8_t *own = &image->rgb[3 * at + c];
                float under = to_linear((float)*own / 255.0f);

                *own =
                    (uint8_t)(255.0f * gy_to_srgb(mixf(under, map->body[c], l.cover[at])) + 0.5f);
            }
        }
    }
    free(l.cover);
    return GYRE_OK;
}
