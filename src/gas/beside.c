// gas/beside.c: what a probe reads beside sheets. Between samples it is linear, as anywhere, but of
// the samples round the point those of cells that are not linked to the point's own (ops/link.h)
// are dropped, and the sum of the rest is divided by their weights. Where the gas sticks a velocity
// that is dropped is the wall's twice less the cell's own. So nothing of what is beyond a sheet is
// read, to the bit. The point's own cell says which side it is on, also where an inclined sheet
// cuts through it.
//
// Cost: some 50 ns a point, of those in cells that lack a link alone.
#include "base/maths.h"
#include "gas/gas.h"
#include "gas/ops/link.h"

/// The cell of a point and where it is in it; outside the nearest point inside counts.
static gy_spot spot_of(const gyre_gas *gas, const float *point, int axis)
{
    gy_spot p = {.e = {0, 0, 0}};
    for (int a = 0; a < gas->extent.dim; a++) {
        int n = gas->extent.n[a];
        float x = (point[a] - gas->grid.origin[a]) / gas->grid.h, end = a == axis ? 0.0f : 0.5f;
        x = x > end ? x : end;
        x = x < (float)n - end ? x : (float)n - end;
        p.e[a] = GY_MIN((int)x, n - 1);
        p.f[a] = x - ((float)p.e[a] + 0.5f);
    }
    return p;
}

bool gy_gas_probe_beside(const gyre_model *model, int field, const gyre_field_view *view,
                         const float *point, float *value)
{
    const gyre_gas *gas = (const gyre_gas *)model;
    const gy_gas_links *links = &gas->links;
    int location = (int)gas->model.fields[field].location, dim = gas->extent.dim;
    int axis = location == GYRE_CENTRE ? -1 : gy_face_axis(location);
    if (!links->view.link || location == GYRE_NODE) {
        return false;
    }
    // The host's: those of the view may be a device's.
    const uint32_t full = gy_is_3d(dim) ? (1u << 27) - 1 : 0x1ffu << 9, *round = links->memory;
    gy_spot p = spot_of(gas, point, axis);
    size_t row = (size_t)p.e[2] * (size_t)gas->extent.n[1] + (size_t)p.e[1];
    uint32_t link = round[row * (size_t)gas->extent.n[0] + (size_t)p.e[0]];
    if (link == full) {
        return false;
    }
    bool sticks = axis >= 0 && !gas->def->solid_slip;
    float sum = 0.0f, weight = 0.0f, own = 0.0f;
    for (int m = 0; m < 1 << dim; m++) {
        float w = 1.0f, v = 0.0f;
        int by[3] = {0, 0, 0};
        ptrdiff_t at = 0;
        for (int a = 0; a < dim; a++) {
            float x = p.f[a] < 0.0f ? -p.f[a] : p.f[a];
            by[a] = !(m >> a & 1) || a == axis ? 0 : p.f[a] < 0.0f ? -1 : 1;
            w *= a == axis ? 1.0f : m >> a & 1 ? x : 1.0f - x;
            at += (p.e[a] + by[a]) * view->stride[a];
        }
        // Of a component's cells the faces above come with those below.
        if ((axis >= 0 && (m >> axis & 1)) || w == 0.0f) {
            continue;
        }
        if (gy_linked(link, by)) {
            v = view->data[at];
            if (axis >= 0) {
                float part = p.f[axis] + 0.5f, above = view->data[at + view->stride[axis]];
                v = (1.0f - part) * v + part * above;
            }
        } else if (sticks) {
            v = -own;
        } else {
            continue;
        }
        own = m == 0 ? v : own;
        sum += w * v;
        weight += w;
    }
    // No less than 2^-dim: the cell's own.
    *value = sum / weight;
    return true;
}
