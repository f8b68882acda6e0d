// picture.c: a jet of smoke round a block, in 12 KiB of arrays and whatever kind of number it is
// compiled for: the same on a microcontroller and on the host, to the last bit. n cells a side and
// the number of steps can be set when it is compiled.
#include "picture.h"

#include "gyre/classic.h"

#ifndef CELLS
#define CELLS 20
#endif
#ifndef STEPS
#define STEPS 32
#endif
enum { SIZE = (CELLS + 2) * (CELLS + 2) };

static gyre_classic_real u[SIZE], v[SIZE], u_prev[SIZE], v_prev[SIZE], dens[SIZE], dens_prev[SIZE];
static uint8_t solid[SIZE];

static int at(int i, int j)
{
    return i + (CELLS + 2) * j;
}

/// The paper's get_from_UI: nobody is there, so a nozzle at the bottom does it.
static void sources(void)
{
    for (int i = 0; i < SIZE; i++) {
        u_prev[i] = v_prev[i] = dens_prev[i] = 0;
    }
    for (int i = CELLS / 2 - 1; i <= CELLS / 2 + 2; i++) {
        dens_prev[at(i, 2)] = GYRE_CLASSIC_REAL(8);
        v_prev[at(i, 2)] = GYRE_CLASSIC_REAL(25);
    }
    u_prev[at(CELLS / 2, 4)] = GYRE_CLASSIC_REAL(4);
}

static uint32_t hash_of(const gyre_classic_real *x, uint32_t hash)
{
    for (int i = 0; i < SIZE; i++) {
        uint32_t bits;
#ifdef GYRE_CLASSIC_FRACTION
        bits = (uint32_t)x[i];
#else
        union {
            float number;
            uint32_t bits;
        } both = {x[i]};
        bits = both.bits;
#endif
        for (int b = 0; b < (int)sizeof(gyre_classic_real); b++) {
            hash = (hash ^ (bits >> (8 * b) & 255u)) * 16777619u;
        }
    }
    return hash;
}

void put_number(uint64_t number)
{
    char text[24], *p = text + sizeof text;
    *--p = 0;
    do {
        *--p = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    put(p);
}

static void put_hash(uint32_t hash)
{
    char text[9];
    for (int d = 0; d < 8; d++) {
        text[d] = "0123456789abcdef"[hash >> (28 - 4 * d) & 15];
    }
    text[8] = 0;
    put(text);
}

static void draw(void)
{
    for (int j = CELLS; j >= 1; j--) {
        char line[2 * CELLS + 2];
        for (int i = 1; i <= CELLS; i++) {
            gyre_classic_real d = dens[at(i, j)];
            int shade = 0;
            while (shade < 9 && d > GYRE_CLASSIC_REAL(0.04)) {
                d = (gyre_classic_real)(d - GYRE_CLASSIC_REAL(0.12));
                shade++;
            }
            char c = solid[at(i, j)] ? '0' : " .:-=+*%@#"[shade];
            line[2 * i - 2] = line[2 * i - 1] = c;
        }
        line[2 * CELLS] = '\n';
        line[2 * CELLS + 1] = 0;
        put(line);
    }
}

void picture(void)
{
    gyre_classic_box box = gyre_classic_default_box(2, CELLS);
    gyre_classic_real *velocity[] = {u, v}, *forces[] = {u_prev, v_prev};
    const gyre_classic_real *const carrier[] = {u, v};
    gyre_classic_real dt = GYRE_CLASSIC_REAL(0.05), visc = 0, diff = GYRE_CLASSIC_REAL(0.0005);
    for (int j = CELLS * 5 / 8; j < CELLS * 5 / 8 + 3; j++) {
        for (int i = CELLS / 2 - 1; i < CELLS / 2 + 3; i++) {
            solid[at(i, j)] = 1;
        }
    }
    box.solid = solid;
    box.confinement = GYRE_CLASSIC_REAL(0.25);
    uint64_t start = instructions();
    for (int step = 0; step < STEPS; step++) {
        sources();
        if (gyre_classic_vel_step(&box, velocity, forces, visc, dt) != GYRE_OK ||
            gyre_classic_dens_step(&box, dens, dens_prev, carrier, diff, dt) != GYRE_OK) {
            put("refused\n");
            return;
        }
    }
    uint64_t count = instructions() - start;
    draw();
    put("hash ");
    put_hash(hash_of(dens, hash_of(v, hash_of(u, 2166136261u))));
    put("\n");
    if (count) {
        put("instructions per cell and step ");
        put_number(count / (STEPS * CELLS * CELLS));
        put("\n");
    }
}
