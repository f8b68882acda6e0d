// test/sheet_rig.h: for tests of sheets: straight ones, and what hangs together among them.
#ifndef GYRE_TEST_SHEET_RIG_H
#define GYRE_TEST_SHEET_RIG_H

#include "test/gas_rig.h"

static inline gyre_gas_sheet line(double x0, double y0, double x1, double y1)
{
    gyre_gas_sheet s = gyre_gas_default_sheet(GYRE_GAS_SHEET_LINE);
    const float from[3] = {(float)x0, (float)y0, 0}, to[3] = {(float)x1, (float)y1, 0};
    memcpy(s.form.as.line.from, from, sizeof from);
    memcpy(s.form.as.line.to, to, sizeof to);
    return s;
}

// Labels cells by what they hang together with through open faces.
static inline int regions(gyre_gas *gas, int *label)
{
    const int *n = gas->extent.n;
    int count = 0, size = n[0] * n[1] * n[2];
    int *stack = malloc((size_t)size * sizeof *stack);
    gy_grid_level g = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0));
    memset(label, 0, (size_t)size * sizeof *label);
    for (int c = 0; c < size; c++) {
        int top = 1;
        if (label[c] || !gy_level_fluid(&g, c % n[0], c / n[0] % n[1], c / n[0] / n[1]))
            continue;
        count++;
        stack[0] = c;
        label[c] = count;
        while (top > 0) {
            int q = stack[--top];
            const int at[3] = {q % n[0], q / n[0] % n[1], q / n[0] / n[1]};
            for (int way = 0; way < 2 * gas->extent.dim; way++) {
                int a = way / 2, face[3], next[3];
                memcpy(face, at, sizeof face);
                memcpy(next, at, sizeof next);
                face[a] += way & 1;
                next[a] += way & 1 ? 1 : -1;
                if (next[a] < 0 || next[a] >= n[a]) {
                    if (!(gas->periodic >> a & 1u))
                        continue;
                    next[a] = (next[a] + n[a]) % n[a];
                }
                int r = next[0] + n[0] * (next[1] + n[1] * next[2]);
                if (*gy_coefficient(&g, a, face[0], face[1], face[2]) && !label[r]) {
                    label[r] = count;
                    stack[top++] = r;
                }
            }
        }
    }
    free(stack);
    return count;
}

#endif
