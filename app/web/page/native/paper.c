// page/native/paper.c: the hundred-line solver of J. Stam (2003) as phones had it: whole numbers of
// 16.16 bits on 160 x 160 cells, 20 sweeps, in a module of its own that needs nothing. One step is
// 103 passes over the cells. The same source as the firmware's: src/classic/solver.c.
#define GYRE_CLASSIC_BITS 32
#define GYRE_CLASSIC_FRACTION 16
#include "gyre/classic.h"

#define EXPORT __attribute__((visibility("default")))
#define REAL GYRE_CLASSIC_REAL

enum { SIDE = 160, ALL = (SIDE + 2) * (SIDE + 2), INKS = 2 };

static gyre_classic_box box;
static gyre_classic_real u[ALL], v[ALL], u_prev[ALL], v_prev[ALL];
static gyre_classic_real ink[INKS][ALL], ink_prev[INKS][ALL];
static uint8_t pixels[SIDE * SIDE * 4];
static uint32_t steps;

static size_t place(int x, int y)
{
    x = x < 1 ? 1 : x > SIDE ? SIDE : x;
    y = y < 1 ? 1 : y > SIDE ? SIDE : y;
    return gyre_classic_index(&box, x, y, 0);
}

static void wipe(gyre_classic_real *a)
{
    for (int i = 0; i < ALL; i++) {
        a[i] = 0;
    }
}

static void wipe_sources(void)
{
    wipe(u_prev);
    wipe(v_prev);
    for (int k = 0; k < INKS; k++) {
        wipe(ink_prev[k]);
    }
}

/// Begins anew. Gives the cells along a side, which are the pixels too.
EXPORT int paper_open(void);
int paper_open(void)
{
    box = gyre_classic_default_box(2, SIDE);
    wipe(u);
    wipe(v);
    for (int k = 0; k < INKS; k++) {
        wipe(ink[k]);
    }
    wipe_sources();
    steps = 0;
    return gyre_classic_check(&box) ? 0 : SIDE;
}

/// The hand in the cell (x, y) of 1 to 160, y upwards: ink of number `which` (-1: none), and a push
/// by so many cells.
EXPORT void paper_hand(int x, int y, int which, int dx, int dy);
void paper_hand(int x, int y, int which, int dx, int dy)
{
    dx = dx < -SIDE ? -SIDE : dx > SIDE ? SIDE : dx;
    dy = dy < -SIDE ? -SIDE : dy > SIDE ? SIDE : dy;
    for (int j = -2; j <= 2; j++) {
        for (int i = -2; i <= 2; i++) {
            size_t o = place(x + i, y + j);
            u_prev[o] = dx * REAL(3);
            v_prev[o] = dy * REAL(3);
            if (which >= 0 && which < INKS) {
                ink_prev[which][o] = REAL(24);
            }
        }
    }
}

static uint8_t shade(gyre_classic_real a, int share)
{
    int64_t x = ((int64_t)a * share) >> 16;
    return (uint8_t)(x < 0 ? 0 : x > 255 ? 255 : x);
}

static void draw(void)
{
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            size_t o = gyre_classic_index(&box, x + 1, SIDE - y, 0);
            uint8_t *p = pixels + 4 * (y * SIDE + x);
            gyre_classic_real warm = ink[0][o], cool = ink[1][o];
            int red = 12 + shade(warm, 235) + shade(cool, 30);
            int green = 14 + shade(warm, 130) + shade(cool, 165);
            int blue = 20 + shade(warm, 60) + shade(cool, 190);
            p[0] = (uint8_t)(red > 255 ? 255 : red);
            p[1] = (uint8_t)(green > 255 ? 255 : green);
            p[2] = (uint8_t)(blue > 255 ? 255 : blue);
            p[3] = 255;
        }
    }
}

/// One step of 1/30 s, and its picture. 0: done.
EXPORT int paper_step(void);
int paper_step(void)
{
    const gyre_classic_real dt = REAL(1.0 / 30);
    gyre_classic_real *velocity[] = {u, v}, *previous[] = {u_prev, v_prev};
    const gyre_classic_real *const carrier[] = {u, v};
    int failed = gyre_classic_vel_step(&box, velocity, previous, 0, dt) != GYRE_OK;
    for (int k = 0; k < INKS; k++) {
        failed |= gyre_classic_dens_step(&box, ink[k], ink_prev[k], carrier, 0, dt) != GYRE_OK;
        // What was poured pales by 1/512 a step, so that the box does not fill.
        for (int i = 0; i < ALL; i++) {
            ink[k][i] -= ink[k][i] >> 9;
        }
    }
    wipe_sources();
    draw();
    steps++;
    return failed;
}

/// Bytes of the picture, red, green, blue, opacity, the upper row first.
EXPORT const uint8_t *paper_pixels(void);
const uint8_t *paper_pixels(void)
{
    return pixels;
}

/// Steps since the start.
EXPORT int paper_steps(void);
int paper_steps(void)
{
    return (int)steps;
}

/// FNV-1a of the whole state, 32 bits.
EXPORT unsigned paper_hash(void);
unsigned paper_hash(void)
{
    const gyre_classic_real *arrays[] = {u, v, ink[0], ink[1]};
    uint32_t hash = 2166136261u;
    for (int a = 0; a < 4; a++) {
        for (int i = 0; i < ALL; i++) {
            uint32_t x = (uint32_t)arrays[a][i];
            for (int b = 0; b < 4; b++) {
                hash = (hash ^ (x >> 8 * b & 255)) * 16777619u;
            }
        }
    }
    return hash;
}

// What the compiler calls by itself: there is no C library here.
void *memset(void *to, int byte, size_t size);
void *memset(void *to, int byte, size_t size)
{
    uint8_t *p = to;
    while (size--) {
        *p++ = (uint8_t)byte;
    }
    return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    uint8_t *p = to;
    const uint8_t *q = from;
    while (size--) {
        *p++ = *q++;
    }
    return to;
}
