// water/form.h: what is inside the room of bodies: forms, poses and columns. See water/body.h.
#ifndef GY_FORM_H
#define GY_FORM_H

#include "base/pose.h"
#include "mesh/mesh.h"
#include "water/body.h"

enum {
    GY_BODY_TOUCHES = 8,
    GY_BODY_PARTS = 8,  // pieces of water that a body may stand in at a time, divided by walls
    GY_COLUMN_HITS = 8, // surfaces that a vertical line through a body may meet
    GY_COLUMN_RANKS = GY_COLUMN_HITS / 2
};

/// A body's form in its own frame, ready for use. Boxes, hulls and meshes are closed surfaces of
/// triangles; of a hull the triangles have been found from the points.
typedef struct gy_form {
    int32_t kind; // gyre_body_form
    float radius, length;
    const float *points;
    int point_count, triangle_count;
    const float *indices; // a mesh's triangles, as its def has them
    uint16_t found[3 * GY_HULL_TRIANGLES];
    float corners[24];    // points of a box
    double volume;        // m^3
    double inertia[3][3]; // about the origin, of 1 kg per m^3
    double reach;         // m, distance of the farthest point from the origin
    double mass;          // kg; of a body that is held 0: it floats nowhere
    double added;         // share of what it displaces that moves along
    bool ready;
} gy_form;

/// Turns a body's def into a form, or says why it is none.
gyre_result gy_form_make(gy_form *form, const gyre_water_body *body, const char *path);

GY_INLINE int gy_form_corner(const gy_form *form, int triangle, int k)
{
    return form->indices ? (int)form->indices[3 * triangle + k] : form->found[3 * triangle + k];
}

/// One interval of solid in one column: over `area` of the cell (1: all of it) from low to high;
/// the two are means, and the ends of vertical lines through the cell are taken to lie evenly
/// spread within +- low_spread and +- high_spread of them.
typedef struct gy_column {
    int32_t cell;       // of the cells that bodies cover; see gy_cell
    int32_t next;       // another body's interval in the same cell, or -1
    uint32_t body : 24; // in the pool
    uint32_t image : 8; // where x and y lie, of a body across joined sides; gy_column_beyond()
    float x, y;         // m, world: where its middle is
    float area;
    float low, high; // m
    float low_spread, high_spread;
    int64_t units; // of the body's own that it displaces
} gy_column;

/// How many periods (-1, 0, 1) a column lies beyond its cell along an axis.
GY_INLINE int gy_column_beyond(const gy_column *c, int axis)
{
    return (int)(c->image >> (4 * axis) & 3u) - 1;
}

/// A cell that a body covers, or whose water was displaced and has not come back yet.
typedef struct gy_cell {
    int32_t i, j;
    int32_t slot, place;
    int32_t first;      // the first body's interval (its lowest) or -1
    int32_t hash;       // where it stands in the table
    int32_t link;       // the next of those that nobody owns and that a body near them takes, or -1
    int32_t part;       // 1 + the part of the water that it belongs to; 0: none yet; -1: it is land
    float bed, surface; // m
    bool wet;
    int8_t beyond[2];    // periods that the body which has brought it lies beyond it
    int64_t now, target; // quanta displaced
} gy_cell;

/// What amounts are whole multiples of, in metres of a cell's depth.
/// What a sea adds to the water's own: 0 height, 1 and 2 velocity.
GY_INLINE float gy_body_sea(const gy_water_surface *surf, int what, int i, int j)
{
    return surf->sea ? surf->sea[what][i + (ptrdiff_t)surf->grid->n[0] * j] : 0.0f;
}

GY_INLINE double gy_body_unit(const gy_water_surface *surf)
{
    return surf->quantum > 0.0f ? (double)surf->quantum : 1.0 / 262144.0;
}

/// The mean over an interval's vertical lines of min(end, t), the end being middle +- spread.
GY_INLINE double gy_below(double t, double middle, double spread)
{
    if (t <= middle - spread) {
        return t;
    }
    if (t >= middle + spread) {
        return middle;
    }
    double over = middle + spread - t;
    return middle - over * over / (4.0 * spread);
}

/// Metres of solid in a column from its bed to the surface.
GY_INLINE double gy_column_wet(const gy_column *c, double bed, double surface)
{
    double low = (double)c->low, high = (double)c->high, area = (double)c->area;
    double low_spread = (double)c->low_spread, high_spread = (double)c->high_spread;
    if (!(surface > bed) || surface <= low - low_spread) {
        return 0.0;
    }
    double sum = gy_below(surface, high, high_spread) - gy_below(surface, low, low_spread);
    if (bed > low - low_spread) {
        sum -= gy_below(bed, high, high_spread) - gy_below(bed, low, low_spread);
    }
    return sum > 0.0 ? sum * area : 0.0;
}

/// The share of an end's vertical lines that are cut below t.
GY_INLINE double gy_share_below(double t, double middle, double spread)
{
    return t >= middle + spread   ? 1.0
           : t <= middle - spread ? 0.0
                                  : (t - middle + spread) / (2.0 * spread);
}

/// How much of the cell the surface cuts: the derivative of the above with respect to the surface.
GY_INLINE double gy_column_cut(const gy_column *c, double bed, double surface)
{
    if (!(surface > bed)) {
        return 0.0;
    }
    return (gy_share_below(surface, (double)c->low, (double)c->low_spread) -
            gy_share_below(surface, (double)c->high, (double)c->high_spread)) *
           (double)c->area;
}

/// How deep water meets a body, in cells as it counts them: see body_deep.c. `depth` 0: not so.
typedef struct gy_deep {
    double depth, width;   // of what acts like a source; half of its lesser width
    double x, y;           // its middle
    double along[2], half; // its longer axis, and as far along it both ways it is drawn out
    double cut;            // how far from that weights go, over `depth`
    bool line;             // water in one dimension
} gy_deep;

/// The cells that belong together: one body's (or what a body left behind, without an owner).
typedef struct gy_group {
    int first, count; // cells
    int body;         // of the pool, or -1
    double waves;     // share that goes to the nearest water
    // The rectangle of the grid round it, in which its parts are looked for.
    int low[2], size[2], margin;
    gy_deep deep;
    bool flow;      // whether the water's velocity is asked for
    bool joined[2]; // it goes on beyond periodic sides: cells are counted on from `low`
    bool across;    // some of it lies beyond
} gy_group;

/// A part of the water round a body: cells that are joined, with weights that fall outwards from 1
/// at the body. The surface there is taken as a plane, fitted with these weights; what is displaced
/// is given to the same cells with the same weights. So the two are adjoint: moving a body does to
/// the water the very work that the water does to the body.
typedef struct gy_plane {
    double x, y;           // m, centre of weight
    double height, dx, dy; // m; m/m
    double weight;         // sum of weights
    double least, reach;   // m: of water in a cell; how far from the centre a cell is
    double inverse[3];     // xx, xy, yy of the inverse of the second moments
    double squares[6];     // sums of weight^2 times 1, x, y, xx, xy, yy
    double off[2];         // m, of deep ones: what they tilt about, from the centre of weight
    bool deep;             // tilts have weights of their own
    double velocity[2];    // m/s, of the water
    double depth;          // m, mean
    int count;             // its cells in gy_bodies.zone
    int covered;           // cells of it that the body covers
    int taken;             // the first cell taken from those that nobody owns, or -1
    int low[2], period[2]; // cells: the rectangle's corner, and the domain's size along joined axes
    bool wet;              // false: there is no water
} gy_plane;

/// A cell of a part of the water.
typedef struct gy_near {
    int32_t slot, place;
    int32_t i, j;
    int32_t distance; // steps from the body
    int32_t at;       // in the rectangle of the search
    float weight;
    float tilt;   // of deep ones: weight of what is tilted
    float height; // m, of the surface
    float limit;  // m of water that may be taken away
} gy_near;

/// What was kept of a body since its displacement was brought in line: its pose then and the water
/// round it, so that its motion in the same step need not look again.
typedef struct gy_kept {
    gy_plane plane;
    int first, count; // columns
    gyre_pose pose;
    bool valid;
    bool late; // it was not valid after displace: it moves after those of which it was
} gy_kept;

struct gy_bodies {
    gyre_grid grid;
    bool periodic[2];
    bool deep; // waves know how deep they are: see body_deep.c
    int most;
    int cell_cap, column_cap, sample_cap, row_cap, zone_cap, hash_size;
    gy_form *forms; // of the pool's bodies, and one for others
    gy_kept *kept;
    gy_group *groups; // of the pool's bodies
    gy_cell *cells;
    gy_column *columns;
    int32_t *hash;
    int cell_count, column_count;
    // Scratch of one body at a time.
    float *hits;        // GY_COLUMN_HITS per sample
    uint8_t *hit_count; // of a sample
    double *rows;       // per row of samples: y, share of the cell's width, x from, x to
    gy_near *zone;
    uint8_t *field; // of a rectangle: what stands in a cell
    uint64_t *held; // per tile: a bit per row in which water may be displaced
    bool rescan;    // held says nothing yet
};

/// The columns of a body at a pose, appended to bodies->columns, of equal volume with the body
/// where it is inside the domain; no cells yet (cell: i + n[0] * j).
void gy_columns_make(gy_bodies *bodies, const gy_form *form, const gy_pose *pose, int body);

/// Whether a body goes on across the sides of an axis: they are joined, and both it and the water
/// near it find room in the domain once.
GY_INLINE bool gy_body_is_joined(const gy_bodies *b, const gy_form *form, int axis)
{
    double across = 2.0 * form->reach / (double)b->grid.h + 3.0;
    return b->periodic[axis] && b->grid.n[axis] > 1 && 1.4 * across + 6.0 <= b->grid.n[axis];
}

/// Moves a pose by whole periods to where its place lies in the domain.
void gy_body_bring_in(const gy_bodies *b, const gy_form *form, gy_pose *pose);

/// A cell's number along an axis, which may lie beyond joined sides: the domain's own.
GY_INLINE int gy_body_cell(const gy_bodies *b, int axis, int i)
{
    int n = b->grid.n[axis];
    return i >= 0 && i < n ? i : (i % n + n) % n;
}

/// gy_tiles_find() round joined sides.
GY_INLINE int gy_body_find(const gy_bodies *b, const gy_tiles *tiles, int i, int j, int *place)
{
    i = b->periodic[0] && b->grid.n[0] > 1 ? gy_body_cell(b, 0, i) : i;
    j = b->periodic[1] && b->grid.n[1] > 1 ? gy_body_cell(b, 1, j) : j;
    return gy_tiles_find(tiles, i, j, place);
}

/// Low and high corner of a body at a pose.
void gy_form_bounds(const gy_form *form, const gy_pose *pose, double low[3], double high[3]);

/// Puts columns from `first` on into cells, made where there are none; those that are already there
/// belong to an earlier body. Columns where there is no memory for water are dropped.
void gy_cells_make(gy_bodies *bodies, const gy_water_surface *surf, int first);
int gy_cells_find(const gy_bodies *bodies, int i, int j);
int gy_cells_add(gy_bodies *bodies, const gy_water_surface *surf, int i, int j);
void gy_cells_clear(gy_bodies *bodies);

/// Says how deep a group acts, by `count` columns from `first` on, a body's of that form.
void gy_group_deepen(const gy_bodies *bodies, const gy_water_surface *surf, const gy_form *form,
                     int first, int count, gy_group *group);
/// How many cells about a deep group, from `low` to `high`, are near it; at least `base`.
int gy_deep_margin(const gy_bodies *bodies, gy_group *group, const int low[2], const int high[2],
                   int base);
/// Weights of `count` cells near a deep group, and the plane that they give.
void gy_deep_fit(gy_bodies *bodies, const gy_group *group, int count, gy_plane *plane);

/// What of a shape n, about a plane's centre, falls to a cell.
GY_INLINE double gy_near_shape(const gy_near *near, const gy_plane *plane, const double n[3],
                               const double at[2])
{
    double w = (double)near->weight;
    if (!plane->deep) {
        return w * (n[0] + n[1] * at[0] + n[2] * at[1]);
    }
    double tilt = n[1] * (at[0] - plane->off[0]) + n[2] * (at[1] - plane->off[1]);
    return w * n[0] + (double)near->tilt * tilt;
}

/// Finds the rectangle of a group; afterwards gy_plane_make finds the water round its parts, one
/// after another (0 first); false when there are no more.
void gy_group_open(gy_bodies *bodies, gy_group *group);
bool gy_plane_make(gy_bodies *bodies, const gy_water_surface *surf, const gy_group *group, int part,
                   gy_plane *plane);

GY_INLINE double gy_plane_height(const gy_plane *plane, double x, double y)
{
    return plane->height + plane->dx * (x - plane->x) + plane->dy * (y - plane->y);
}

/// The number of a cell of the domain in the rectangle that the plane was found in.
GY_INLINE int gy_plane_cell(const gy_plane *plane, int axis, int i)
{
    int n = plane->period[axis];
    return n == 0 ? i : plane->low[axis] + ((i - plane->low[axis]) % n + n) % n;
}

/// What the water round it does to a body at a pose.
typedef struct gy_body_load {
    double volume;    // m^3, submerged
    double centre[3]; // m
    double force[3], torque[3];
    double cut;                       // m^2, area of the water line
    double cut_square;                // m^4, its second moment about the body's position, both axes
    double velocity[2];               // m/s, of the water
    double surface;                   // m, over the body's position
    bool wet;                         // whether there is water near it
    double sunk;                      // m, how deep it is in the bed
    double touch[GY_BODY_TOUCHES][5]; // outermost places near the bed in eight directions: how far
                                      // out; from the body's position; depth in the bed
    bool touching;
    double ashore[2]; // direction out of the land that it is over, of unit length or 0
    bool ground;      // whether the bed under it is known at all
} gy_body_load;

/// `kept`: the water round it, and its columns where the pose is the same; or NULL: it is looked
/// for now, with the lists of columns and cells.
void gy_load_make(gy_bodies *bodies, const gy_water_surface *surf, const gy_form *form,
                  const gy_pose *pose, const gy_kept *kept, bool same_pose, gy_body_load *load);

/// Drag over the velocity against the water, along [0] and up or down [1], in kg/s.
void gy_load_drag(const gy_water_surface *surf, const gyre_water_body *body,
                  const gy_body_load *load, const double velocity[3], double rate[2]);

/// What propeller, rudder and keel do, added to the load's force and torque (boat.c).
void gy_boat_push(const gy_water_surface *surf, const gyre_water_body *body, const gy_pose *pose,
                  const double v[3], const double spin[3], double mass, const gy_form *form,
                  double dt, gy_body_load *load);

#endif
