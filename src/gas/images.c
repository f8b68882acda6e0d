// gas/images.c: solids across periodic sides. What reaches beyond such a side, or within two cells
// of it, is there twice: where it says that it is, and a whole domain away; what lies outside is
// where the axis brings it to. So is a body of a set, see gy_gas_images.
//
// Cost: nothing where no side is periodic; else one more solid for each that is there twice. The
// memory for those is taken when the first comes.
#include "gas/gas.h"
#include "solve/faces.h"
#include <string.h>

/// Where a solid is beside where its own place is, all of them being m from that.
int gy_gas_images_of(const gyre_gas *gas, const gy_solid *solid, double shifts[GY_GAS_IMAGES][3])
{
    int count = 1;
    memset(shifts[0], 0, sizeof shifts[0]);
    for (int a = 0; a < 3; a++) {
        double h = (double)gas->grid.h, low = (double)gas->grid.origin[a];
        double length = gas->extent.n[a] * h, edge = solid->high[a] - solid->low[a] + 4.0 * h;
        int begun = count;
        // What is longer than the domain is there all along; so far away nobody looks.
        double off = solid->low[a] - 2.0 * h - low;
        if (!(gas->periodic >> a & 1u) || !(edge < length) || !(off > -1e6 && off < 1e6)) {
            continue;
        }
        // From the domain that its lower end lies in, the one that this is, and the next.
        double whole = (double)(int64_t)(off / length);
        whole -= off < whole * length ? 1.0 : 0.0;
        bool two = off - whole * length + edge > length;
        for (int q = 0; q < begun; q++) {
            for (int s = 0; s < (two ? 2 : 1); s++) {
                double by = -(whole + s) * length;
                if (by == 0.0) {
                    continue;
                }
                memcpy(shifts[count], shifts[q], sizeof shifts[q]);
                shifts[count++][a] = by;
            }
        }
        // Where it is not it need not be, but that its set says so.
        bool here = whole == 0.0 || (two && whole == -1.0);
        if (!here) {
            memmove(shifts, shifts + begun, (size_t)(count - begun) * sizeof shifts[0]);
            count -= begun;
        }
    }
    return count;
}

int gy_gas_most_images(const gyre_gas *gas)
{
    return 1 << gy_count_bits(gas->periodic & 7u);
}

static gy_solid solid_of(const gyre_gas *gas, int index)
{
    const gyre_gas_solid *s = (const gyre_gas_solid *)gas->def->solids.items + index;
    return gy_solid_make_posed(&s->shape, &s->pose, gas->extent.dim);
}

int gy_gas_solid_images(const gyre_gas *gas, int index, double shifts[GY_GAS_IMAGES][3])
{
    const gyre_gas_solid *s = (const gyre_gas_solid *)gas->def->solids.items + index;
    if (!s->enabled || !gas->periodic) {
        memset(shifts[0], 0, sizeof shifts[0]);
        return s->enabled;
    }
    gy_solid solid = solid_of(gas, index);
    return gy_gas_images_of(gas, &solid, shifts);
}

int gy_gas_count_images(const gyre_gas *gas, int index)
{
    double shifts[GY_GAS_IMAGES][3];
    return gy_gas_solid_images(gas, index, shifts);
}

int gy_gas_put_solids(const gyre_gas *gas, gy_solid *solids)
{
    const gyre_gas_solid *list = gas->def->solids.items;
    int count = 0;
    for (int i = 0; i < gas->def->solids.count; i++) {
        double shifts[GY_GAS_IMAGES][3];
        if (!list[i].enabled) {
            continue;
        }
        gy_solid own = solid_of(gas, i);
        int images = gas->periodic ? gy_gas_images_of(gas, &own, shifts) : 0;
        if (images == 0) {
            solids[count++] = own;
        }
        for (int q = 0; q < images; q++) {
            gy_pose by = {.turn = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
            memcpy(by.at, shifts[q], sizeof by.at);
            solids[count] = own;
            if (by.at[0] != 0.0 || by.at[1] != 0.0 || by.at[2] != 0.0) {
                gy_solid_put(&solids[count], &by);
            }
            count++;
        }
    }
    return count;
}

gyre_result gy_gas_take_images(gyre_gas *gas)
{
    // A set's solids have room for theirs.
    if (!gas->periodic || gas->set.memory || gas->images) {
        return GYRE_OK;
    }
    int needed = 0, capacity = gy_pool_capacity(&gas->def->solids);
    for (int i = 0; i < gas->def->solids.count; i++) {
        needed += gy_gas_count_images(gas, i);
    }
    if (needed <= capacity) {
        return GYRE_OK;
    }
    size_t room = (size_t)capacity * (size_t)gy_gas_most_images(gas) + (gas->floor ? 1 : 0);
    size_t bytes = 2 * room * sizeof(gy_solid);
    gy_solid *solids = gy_allocate(&gas->host, bytes, 64);
    if (!solids) {
        return gyre_fail(GYRE_ERROR_MEMORY,
                         "out of memory: %zu bytes for solids across periodic sides", bytes);
    }
    memcpy(solids, gas->made, (size_t)gas->made_count * sizeof *solids);
    gas->images = solids;
    gas->image_bytes = bytes;
    gas->made = solids;
    gas->made_spare = solids + room;
    return GYRE_OK;
}

void gy_gas_drop_images(gyre_gas *gas)
{
    gy_release(&gas->host, gas->images, gas->image_bytes);
    gas->images = NULL;
}
