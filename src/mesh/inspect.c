// mesh/inspect.c: whether a mesh is closed and of one orientation, found by sorting the edges of
// its triangles: O(n log n), 24 bytes a triangle.
#include "base/forest.h"
#include "mesh/mesh.h"

/// An edge is its lesser point, its greater point, and whether a triangle runs along it downwards:
/// 31, 31 and 1 bits. Equal pairs lie together when the numbers are sorted.
static uint64_t edge_of(int32_t a, int32_t b)
{
    uint64_t low = (uint64_t)GY_MIN(a, b), high = (uint64_t)GY_MAX(a, b);
    return low << 32 | high << 1 | (a > b ? 1u : 0u);
}

static void sift(uint64_t *keys, size_t from, size_t count)
{
    uint64_t key = keys[from];
    for (size_t child = 2 * from + 1; child < count; child = 2 * from + 1) {
        child += child + 1 < count && keys[child + 1] > keys[child];
        if (keys[child] <= key) {
            break;
        }
        keys[from] = keys[child];
        from = child;
    }
    keys[from] = key;
}

/// By a heap: in place, and never worse than n log n.
static void sort(uint64_t *keys, size_t count)
{
    for (size_t k = count / 2; k-- > 0;) {
        sift(keys, k, count);
    }
    for (size_t end = count; end > 1; end--) {
        uint64_t last = keys[0];
        keys[0] = keys[end - 1];
        keys[end - 1] = last;
        sift(keys, 0, end - 1);
    }
}

static void count_edges(const uint64_t *keys, size_t count, gyre_mesh_report *report)
{
    bool odd = false;
    report->oriented = true;
    for (size_t k = 0; k < count;) {
        size_t end = k, down = 0;
        for (; end < count && keys[end] >> 1 == keys[k] >> 1; end++) {
            down += keys[end] & 1;
        }
        size_t all = end - k, up = all - down, more = up > down ? up - down : down - up;
        report->edges++;
        report->boundary_edges += all == 1;
        report->crowded_edges += all > 2;
        report->flipped_edges += all % 2 == 0 && more > 0;
        report->oriented = report->oriented && more <= 1;
        odd = odd || all % 2 == 1;
        k = end;
    }
    report->closed = count > 0 && !odd;
}

static bool is_empty(const gyre_mesh *mesh, const int32_t *t)
{
    double u[3], v[3];
    for (int a = 0; a < 3; a++) {
        double from = (double)mesh->points[3 * t[0] + a];
        u[a] = (double)mesh->points[3 * t[1] + a] - from;
        v[a] = (double)mesh->points[3 * t[2] + a] - from;
    }
    return u[0] * v[1] == u[1] * v[0] && u[1] * v[2] == u[2] * v[1] && u[2] * v[0] == u[0] * v[2];
}

static void count_parts(const gyre_mesh *mesh, int32_t *parent, gyre_mesh_report *report)
{
    for (int p = 0; p < mesh->point_count; p++) {
        parent[p] = -1;
    }
    for (int k = 0; k < 3 * mesh->triangle_count; k++) {
        parent[mesh->triangles[k]] = mesh->triangles[k];
    }
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int32_t *at = mesh->triangles + 3 * t;
        gy_forest_join(parent, at[0], at[1]);
        gy_forest_join(parent, at[0], at[2]);
    }
    for (int p = 0; p < mesh->point_count; p++) {
        report->unused_points += parent[p] < 0;
        report->parts += parent[p] == p;
    }
}

gyre_result gyre_mesh_inspect(const gyre_host *host, const gyre_mesh *mesh,
                              gyre_mesh_report *report)
{
    if (GY_MISSING("mesh_inspect", mesh) || GY_MISSING("mesh_inspect", report)) {
        return GYRE_ERROR_ARGUMENT;
    }
    gyre_result r = gyre_mesh_check(mesh);
    if (r != GYRE_OK) {
        return r;
    }
    gyre_host whole = gy_host_complete(host ? host : &(gyre_host){0});
    size_t most = 3 * (size_t)mesh->triangle_count, count = 0;
    size_t size = most * sizeof(uint64_t) + (size_t)mesh->point_count * sizeof(int32_t) + 8;
    uint64_t *keys = gy_allocate(&whole, size, 64);
    if (!keys) {
        return GYRE_ERROR_MEMORY;
    }
    memset(report, 0, sizeof *report);
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int32_t *at = mesh->triangles + 3 * t;
        report->empty_triangles += is_empty(mesh, at);
        for (int k = 0; k < 3; k++) {
            if (at[k] != at[(k + 1) % 3]) {
                keys[count++] = edge_of(at[k], at[(k + 1) % 3]);
            }
        }
    }
    sort(keys, count);
    count_edges(keys, count, report);
    count_parts(mesh, (int32_t *)(void *)(keys + most), report);
    gy_release(&whole, keys, size);
    return GYRE_OK;
}
