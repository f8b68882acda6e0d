// transfer.glsl: between a level and the next coarser one, cell by cell; see ops/system/relax.c.
int step_of(gy_level fine, int axis)
{
    return fine.n[axis] > 1 ? 2 : 1;
}

/// Whether the last cell along an axis has no coarse cell of its own.
bool alone(gy_level fine, int axis)
{
    return fine.last[axis] > 0.0;
}

/// The part of its coarse cell that a fine cell takes and gives.
float part(gy_level fine, int axis, int i)
{
    return alone(fine, axis) && i == fine.n[axis] - 1 ? fine.last[axis] : 1.0;
}

/// One past the last fine cell of a coarse one along an axis, where there are `count` of those.
int fine_end(gy_level fine, int axis, int coarse, int count)
{
    return coarse == count - 1 ? fine.n[axis] : (coarse + 1) * step_of(fine, axis);
}

/// The weighted residuals of slot i of the fine rows of coarse row (J, K).
float restrict_slot(gy_grid_level f, gy_grid_level c, bool both, int i, int J, int K)
{
    precise float sum = 0.0;
    for (int k = K * step_of(f.l, 2); k < fine_end(f.l, 2, K, c.l.n[2]); k++) {
        for (int j = J * step_of(f.l, 1); j < fine_end(f.l, 1, J, c.l.n[1]); j++) {
            precise float weight = part(f.l, 1, j) * part(f.l, 2, k);
            for (int colour = 0; colour <= int(both); colour++) {
                gy_colour_row r = gy_colour_row_at(f, colour, j, k);
                sum += weight * gy_residual_at(f, r, i);
            }
        }
    }
    return sum;
}

/// b of coarse cell (I, J, K), or 0 at a slot beyond the row's cells. `both`: black has a residual,
/// too.
void restrict_cell(gy_grid_level f, gy_grid_level c, bool both, int I, int J, int K)
{
    precise float sum = 0.0;
    if (I < c.l.n[0]) {
        sum = restrict_slot(f, c, both, I, J, K);
        if (alone(f.l, 0) && I == f.l.n[0] / 2 - 1) {
            sum = sum + f.l.last[0] * restrict_slot(f, c, both, I + 1, J, K);
        }
    }
    floats(c.b, cell_at(c.l, I, J, K)).v = sum;
}

/// Onto a level from a line of cells: linear along it.
float line_value(gy_grid_level f, gy_grid_level c, int axis, ivec3 cell)
{
    ivec3 below, next, face;
    precise float weight = 1.0;
    for (int a = 0; a < 3; a++) {
        below[a] = next[a] = face[a] = min(cell[a] / step_of(f.l, a), c.l.n[a] - 1);
        weight = weight * part(f.l, a, cell[a]);
    }
    precise float x = x_at(c, cell_at(c.l, below.x, below.y, below.z));
    if (cell[axis] != f.l.n[axis] - 1 || f.l.n[axis] % 2 == 0) {
        int up = cell[axis] & 1;
        next[axis] += up != 0 ? 1 : -1;
        face[axis] += up;
        float a = open_at(c, axis, cell_at(c.l, face.x, face.y, face.z));
        x += (0.25 / UNIT) * a * (x_at(c, cell_at(c.l, next.x, next.y, next.z)) - x);
    }
    x = weight * x;
    return x;
}

/// Adds the coarse unknown to slot i of one colour of the fine row (j, k); `line`: see gy_line_of.
void prolong_slot(gy_grid_level f, gy_grid_level c, int line, int colour, int i, int j, int k)
{
    gy_colour_row r = gy_colour_row_at(f, colour, j, k);
    int last = (f.l.n[0] + 1) / 2 - 1;
    if (i > last || (line >= 0 && i >= r.cells)) {
        return;
    }
    precise float x = x_at(f, r.o + i);
    if (line >= 0) {
        x = x + line_value(f, c, line, ivec3(2 * i + r.e, j, k));
    } else if (i >= r.cells) {
        // The place beyond the side, whose 0 counts at open sides.
        x = 0.0;
    } else {
        precise float weight = part(f.l, 1, j) * part(f.l, 2, k);
        int J = min(j / step_of(f.l, 1), c.l.n[1] - 1), K = min(k / step_of(f.l, 2), c.l.n[2] - 1);
        int I = i;
        if (alone(f.l, 0) && i == last) {
            weight = weight * f.l.last[0];
            I = last - 1;
        }
        x = x + weight * x_at(c, cell_at(c.l, I, J, K));
    }
    gy_store_round(f, r, i, x);
}
