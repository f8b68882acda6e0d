// drive.comp: the twin of drive in gas/ops/drive.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint64_t force;
    uint64_t waves;
    uint velocity;
    uint level;
    uint count;
    int axis;
    gy_extent extent;
    float origin[3];
    float h;
    float gain, drag;
    float cap;
};
#include "ops/row/push.glsl"
#include "gas/ops/fluid.glsl"
#include "gas/ops/shapes.glsl"
#include "ops/row/pieces.glsl"
#include "gas/ops/sample.glsl"

// gas/ops/drive.h
const int WAVES = 24;
const int FORM_EVEN = 0, FORM_ROUND = 1, FORM_TOWARDS = 2, FORM_WAVES = 3,
          FORM_FIELD = 4; // gy_force_form
const uint64_t SHAPE_PLACE = uint64_t(80 + 24 * WAVES);

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Force {
    int form;
    int everywhere;
    float vector[3];
    float thick;
    float centre[3];
    float core;
    float axis[3];
    int falloff;
    int place[3];
    int step_[3];
    float wave[3 * WAVES * 2];
};

float cover_of(Force f, gy_grid_level g, ivec3 cell, vec3 point)
{
    if (gy_coefficient(g, args.axis, cell.x, cell.y, cell.z).v == 0us) {
        return 0.0;
    }
    if (f.everywhere != 0) {
        return 1.0;
    }
    double place[3] = {double(point.x), double(point.y), double(point.z)};
    precise float covered =
        0.5 - float(gy_solid_distance(Solid(args.force + SHAPE_PLACE), 0ul, place)) / f.thick;
    return clamp(covered, 0.0, 1.0);
}

float sum_waves(Force f, ivec3 cell)
{
    precise float sum = 0.0;
    for (int m = 0; m < WAVES; m++) {
        precise float re = f.wave[(args.axis * WAVES + m) * 2];
        precise float im = f.wave[(args.axis * WAVES + m) * 2 + 1];
        for (int q = 1; q <= args.extent.dim; q++) {
            int a = q % args.extent.dim; // x last, as there
            int o = f.place[a] + m * f.step_[a] + cell[a];
            float x = floats(args.waves, o).v, y = floats(args.waves, o + WAVES * f.step_[a]).v;
            precise float turned = re * x - im * y;
            im = re * y + im * x;
            re = turned;
        }
        sum += re;
    }
    return sum;
}

float force_at(Force f, ivec3 cell, vec3 point)
{
    int axis = args.axis, b = axis == 2 ? 0 : axis + 1, c = axis == 0 ? 2 : axis - 1;
    if (f.form == FORM_EVEN) {
        return f.vector[axis];
    }
    if (f.form == FORM_WAVES) {
        return sum_waves(f, cell);
    }
    if (f.form == FORM_FIELD) {
        return floats(args.waves, cell.x + cell.y * args.extent.sy + cell.z * args.extent.sz).v;
    }
    vec3 n = vec3(f.axis[0], f.axis[1], f.axis[2]);
    precise vec3 r = point - vec3(f.centre[0], f.centre[1], f.centre[2]);
    r.z = args.extent.dim == 2 ? 0.0 : r.z;
    precise float along = r.x * n.x + (r.y * n.y + r.z * n.z);
    precise vec3 p = r - along * n;
    precise float square = p.x * p.x + (p.y * p.y + p.z * p.z) + f.core * f.core;
    if (f.form == FORM_ROUND) {
        precise float round = (n[b] * p[c] - n[c] * p[b]) / square;
        return round;
    }
    precise float pull = -p[axis];
    if (f.falloff == 1) {
        return f.core * pull / square;
    }
    pull /= sqrt(square);
    return f.falloff == 0 ? pull : f.core * f.core * pull / square;
}

void main()
{
    gy_extent e = args.extent;
    gy_piece piece = gy_piece_own();
    gy_grid_level g = gy_grid_level_at(args.base, args.level);
    gy_samples velocity = float_samples(args.base, args.velocity);
    Force f = Force(args.force);
    uint cuts = 0u;
    for (int q = int(gl_LocalInvocationID.y); q < piece.rows; q += ROWS_AT_ONCE) {
        ivec2 place = gy_piece_row(piece, q);
        int row = place.x * e.sy + place.y * e.sz;
        for (int i = low.x + int(gl_LocalInvocationID.x); i < high.x; i += COLUMNS_AT_ONCE) {
            ivec3 cell = ivec3(i, place);
            precise vec3 point;
            for (int a = 0; a < 3; a++) {
                point[a] = args.origin[a] + args.h * (float(cell[a]) + (a == args.axis ? 0.0 : 0.5));
            }
            point.z = e.dim == 2 ? 0.0 : point.z;
            float covered = cover_of(f, g, cell, point);
            if (covered > 0.0) {
                float u = sample_at(velocity, row + i);
                precise float next =
                    u + covered * (args.gain * force_at(f, cell, point) - args.drag * u);
                cuts += uint(abs(next) > args.cap);
                set_sample(velocity, row + i, gy_flush(clamp(next, -args.cap, args.cap)));
            }
        }
    }
    double sum = gy_piece_sum(double(cuts));
    if (gl_LocalInvocationIndex == 0u) {
        floats(at(args.base, args.count), int(gl_WorkGroupID.x)).v = float(sum);
    }
}
