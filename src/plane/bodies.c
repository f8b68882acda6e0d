// plane/bodies.c: in place of src/body but its tables, src/mesh and gas/bodies.c: no set of bodies
// can be made, so that none is ever there. (A gas in 2D takes none anyhow.)
#include "body/body.h"
#include "gas/gas.h"
#include "gyre/mesh.h"
#include "plane/plane.h"

void gyre_bodies_fill_def(gyre_bodies_def *def, size_t size)
{
    gyre_bodies_def none = {0};
    gy_copy_sized(def, size, &none, sizeof none);
}

gyre_result gyre_bodies_create(const gyre_bodies_def *def, gyre_bodies **bodies)
{
    (void)def;
    (void)bodies;
    return gy_plane_lacks("bodies");
}

void gyre_bodies_destroy(gyre_bodies *bodies)
{
    (void)bodies;
}

gyre_id gyre_bodies_add(gyre_bodies *bodies, const gyre_body *body)
{
    (void)bodies;
    (void)body;
    return (gyre_id){0};
}

gyre_result gyre_bodies_update(gyre_bodies *bodies, gyre_id id, const gyre_body *body)
{
    (void)bodies;
    (void)id;
    (void)body;
    return gy_plane_lacks("bodies");
}

gyre_result gyre_bodies_read(const gyre_bodies *bodies, gyre_id id, gyre_body *body)
{
    (void)bodies;
    (void)id;
    (void)body;
    return gy_plane_lacks("bodies");
}

gyre_result gyre_bodies_remove(gyre_bodies *bodies, gyre_id id)
{
    (void)bodies;
    (void)id;
    return gy_plane_lacks("bodies");
}

int gyre_bodies_count(const gyre_bodies *bodies)
{
    (void)bodies;
    return 0;
}

gyre_id gyre_bodies_element(const gyre_bodies *bodies, int index)
{
    (void)bodies;
    (void)index;
    return (gyre_id){0};
}

gyre_id gyre_bodies_find(const gyre_bodies *bodies, const char *name)
{
    (void)bodies;
    (void)name;
    return (gyre_id){0};
}

gyre_result gyre_bodies_step(gyre_bodies *bodies, float dt)
{
    (void)bodies;
    (void)dt;
    return gy_plane_lacks("bodies");
}

gyre_result gyre_bodies_drive(gyre_bodies *bodies, gyre_id id, const gyre_pose *pose)
{
    (void)bodies;
    (void)id;
    (void)pose;
    return gy_plane_lacks("bodies");
}

gyre_result gyre_bodies_push(gyre_bodies *bodies, gyre_id id, const float force[3],
                             const float torque[3])
{
    (void)bodies;
    (void)id;
    (void)force;
    (void)torque;
    return gy_plane_lacks("bodies");
}

gyre_result gyre_bodies_velocity(const gyre_bodies *bodies, gyre_id id, const float *points,
                                 int count, float *velocities)
{
    (void)bodies;
    (void)id;
    (void)points;
    (void)count;
    (void)velocities;
    return gy_plane_lacks("bodies");
}

gyre_result gyre_bodies_mesh(gyre_bodies *bodies, gyre_id id, gyre_mesh *mesh)
{
    (void)bodies;
    (void)id;
    (void)mesh;
    return gy_plane_lacks("bodies");
}

uint64_t gyre_bodies_hash(const gyre_bodies *bodies)
{
    (void)bodies;
    return 0;
}

size_t gyre_bodies_save_size(const gyre_bodies *bodies)
{
    (void)bodies;
    return 0;
}

gyre_result gyre_bodies_save(const gyre_bodies *bodies, void *memory, size_t size, size_t *written)
{
    (void)bodies;
    (void)memory;
    (void)size;
    (void)written;
    return gy_plane_lacks("bodies");
}

gyre_result gyre_bodies_load(gyre_bodies *bodies, const void *memory, size_t size)
{
    (void)bodies;
    (void)memory;
    (void)size;
    return gy_plane_lacks("bodies");
}

gyre_result gyre_mesh_inspect(const gyre_host *host, const gyre_mesh *mesh,
                              gyre_mesh_report *report)
{
    (void)host;
    (void)mesh;
    (void)report;
    return gy_plane_lacks("meshes");
}

// ---- what a gas asks of those that it has

void gy_figure_bounds(const gy_figure *figure, const gy_pose *pose, float low[3], float high[3])
{
    (void)figure;
    (void)pose;
    (void)low;
    (void)high;
}

void gy_figure_carried(const gy_figure *figure, const double own[3], double way[3])
{
    (void)figure;
    (void)own;
    (void)way;
}

double gy_set_mass(const gyre_body *body, const gy_figure *figure)
{
    (void)body;
    (void)figure;
    return 0.0;
}

void gy_set_spin(const gyre_body *body, const gy_figure *figure, const gy_set_state *state,
                 double spin[3])
{
    (void)body;
    (void)figure;
    (void)state;
    (void)spin;
}

// ---- what is asked of a gas

gyre_result gy_gas_use_bodies(gyre_model *model, gyre_bodies *bodies)
{
    (void)model;
    return bodies ? gy_plane_lacks("bodies") : GYRE_OK;
}

gyre_result gy_gas_meet_bodies(gyre_model *model)
{
    (void)model;
    return GYRE_OK;
}

void gy_gas_drop_bodies(gyre_gas *gas)
{
    (void)gas;
}

int gy_gas_images(const gyre_gas *gas, int k, double shifts[GY_GAS_IMAGES][3])
{
    (void)gas;
    (void)k;
    (void)shifts;
    return 0;
}

int gy_gas_put_bodies(gyre_gas *gas, gy_solid *solids, int count)
{
    (void)gas;
    (void)solids;
    return count;
}
