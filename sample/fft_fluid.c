// A fluid in a periodic square whose diffusion and projection happen in wave space, where both are
// one multiplication per wave: the step of J. Stam, A Simple Fluid Solver Based on the FFT (2001).
// It runs beside the gas model, which differs in its grid and its back-trace, on the same flows,
// and fails when they come apart: both are of first order in dt, and so is what is between them.
#include <gyre/gyre.h>

#include <complex.h>
#include <math.h>
#include <stdio.h>

enum { N = 64 }; // a power of 2

static const double pi = 3.14159265358979323846, viscosity = 1e-3, duration = 0.5;
static double u[N][N], v[N][N]; // at cell centres, [y][x]; the square is 1 m wide

// Flow 0: vortices that decay; flow 1: a driven shear layer.
static double start(int flow, int axis, double x, double y)
{
    if (flow == 0)
        return axis ? -cos(2 * pi * x) * sin(2 * pi * y) : sin(2 * pi * x) * cos(2 * pi * y);
    return axis ? 0.1 * sin(2 * pi * x) : tanh(4 * sin(2 * pi * y));
}

static double force(int flow, double y)
{
    return flow ? 0.5 * sin(2 * pi * y) : 0;
}

/// Fast Fourier transform of n values `stride` apart, not scaled; sign -1 there, +1 back.
static void transform(double complex *x, int n, int stride, int sign)
{
    for (int i = 1, j = 0; i < n; i++) { // the order of reversed bits
        int bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            double complex t = x[i * stride];
            x[i * stride] = x[j * stride];
            x[j * stride] = t;
        }
    }
    for (int half = 1; half < n; half *= 2)
        for (int k = 0; k < half; k++) {
            double complex turn = cexp(I * (sign * pi * k / half));
            for (int i = k; i < n; i += 2 * half) {
                double complex *a = &x[i * stride], *b = &x[(i + half) * stride], t = turn * *b;
                *b = *a - t;
                *a += t;
            }
        }
}

static void transform_square(double complex z[N][N], int sign)
{
    for (int i = 0; i < N; i++)
        transform(z[i], N, 1, sign);
    for (int i = 0; i < N; i++)
        transform(&z[0][i], N, N, sign);
}

/// Linear between the four centres round (x, y), which is in cells.
static double look_up(double q[N][N], double x, double y)
{
    int i = (int)floor(x), j = (int)floor(y);
    double s = x - i, t = y - j;
    double *low = q[j & (N - 1)], *high = q[(j + 1) & (N - 1)];
    i &= N - 1;
    int next = (i + 1) & (N - 1);
    return (1 - t) * ((1 - s) * low[i] + s * low[next]) + t * ((1 - s) * high[i] + s * high[next]);
}

static void step(int flow, double dt)
{
    static double u0[N][N], v0[N][N];
    static double complex z[N][N], w[N][N];
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            u0[j][i] = u[j][i] + dt * force(flow, (j + 0.5) / N);
            v0[j][i] = v[j][i];
        }
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) { // two real fields make one complex one
            double x = i - dt * N * u0[j][i], y = j - dt * N * v0[j][i];
            z[j][i] = look_up(u0, x, y) + I * look_up(v0, x, y);
        }
    transform_square(z, -1);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            int kx = i < N / 2 ? i : i - N, ky = j < N / 2 ? j : j - N, kk = kx * kx + ky * ky;
            double complex here = z[j][i], there = conj(z[(N - j) % N][(N - i) % N]);
            double complex a = 0.5 * (here + there), b = -0.5 * I * (here - there); // of u, of v
            if (kk > 0) { // what lies along the wave vector is divergence
                double complex along = (kx * a + ky * b) / kk;
                double decay = exp(-viscosity * 4 * pi * pi * kk * dt);
                a = decay * (a - kx * along);
                b = decay * (b - ky * along);
            }
            // The shortest wave has no direction that N samples could tell.
            w[j][i] = i == N / 2 || j == N / 2 ? 0 : a + I * b;
        }
    transform_square(w, 1);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            u[j][i] = creal(w[j][i]) / (N * N);
            v[j][i] = cimag(w[j][i]) / (N * N);
        }
}

/// Sets a component of the gas's velocity to the flow's start (-1: leaves it) and says what it is
/// at centres.
static bool visit(gyre_gas *gas, int axis, int flow, double centre[N][N])
{
    gyre_field_view f;
    int id = gyre_gas_field(gas, axis ? "velocity_y" : "velocity_x");
    if (gyre_gas_map(gas, id, flow < 0 ? GYRE_READ : GYRE_WRITE, &f) != GYRE_OK)
        return false;
    for (int j = 0; j < f.n[1] && flow >= 0; j++)
        for (int i = 0; i < f.n[0]; i++)
            f.data[i + j * f.stride[1]] =
                (float)start(flow, axis, (i + 0.5 * axis) / N, (j + 0.5 - 0.5 * axis) / N);
    for (int c = 0; c < N * N; c++) {
        const float *face = f.data + c % N + c / N * f.stride[1];
        centre[c / N][c % N] = 0.5 * ((double)face[0] + (double)face[f.stride[axis]]);
    }
    return gyre_gas_unmap(gas, id) == GYRE_OK;
}

/// Runs both, and says how far velocities are apart: root mean square, relative; 1 after a failure,
/// and when the energies differ by more than 1/200.
static double compare(gyre_gas *gas, int flow, double dt)
{
    static double gas_u[N][N], gas_v[N][N];
    static float rate[N * (N + 1)];
    for (int c = 0; c < N * (N + 1); c++)
        rate[c] = (float)force(flow, (c / (N + 1) + 0.5) / N);
    for (int c = 0; c < N * N; c++) {
        u[c / N][c % N] = start(flow, 0, (c % N + 0.5) / N, (c / N + 0.5) / N);
        v[c / N][c % N] = start(flow, 1, (c % N + 0.5) / N, (c / N + 0.5) / N);
    }
    bool good = visit(gas, 0, flow, gas_u) && visit(gas, 1, flow, gas_v) &&
                gyre_gas_set_source(gas, gyre_gas_field(gas, "velocity_x"), rate) == GYRE_OK;
    for (double time = 0; time < duration - 0.5 * dt && good; time += dt) {
        step(flow, dt);
        good = gyre_gas_step(gas, (float)dt) == GYRE_OK;
    }
    if (!good || !visit(gas, 0, -1, gas_u) || !visit(gas, 1, -1, gas_v)) {
        fprintf(stderr, "fft_fluid: %s\n", gyre_message());
        return 1;
    }
    double own = 0, other = 0, apart = 0;
    for (int c = 0; c < N * N; c++) {
        double a = u[c / N][c % N], b = v[c / N][c % N];
        double p = gas_u[c / N][c % N], q = gas_v[c / N][c % N];
        own += a * a + b * b;
        other += p * p + q * q;
        apart += (a - p) * (a - p) + (b - q) * (b - q);
    }
    printf("%s, dt %g s: energy %.5f, the gas's %.5f; velocities differ by %.4f\n",
           flow ? "shear layer" : "vortices", dt, 0.5 * own / N / N, 0.5 * other / N / N,
           sqrt(apart / own));
    return fabs(own - other) < 0.005 * own ? sqrt(apart / own) : 1;
}

int main(void)
{
    gyre_device *device;
    gyre_gas *gas;
    gyre_gas_def def = gyre_gas_default_def(2);
    def.sides.x_low.rule = def.sides.x_high.rule = GYRE_GAS_SIDE_PERIODIC;
    def.sides.y_low.rule = def.sides.y_high.rule = GYRE_GAS_SIDE_PERIODIC;
    def.advection = GYRE_GAS_SEMI_LAGRANGIAN;
    def.viscosity = (float)viscosity;
    if (gyre_device_create(NULL, &device) != GYRE_OK ||
        gyre_gas_create(device, &def, &gas) != GYRE_OK)
        return fprintf(stderr, "fft_fluid: %s\n", gyre_message()), 1;
    bool good = true;
    for (int flow = 0; flow < 2; flow++) {
        double coarse = compare(gas, flow, 0.01), fine = compare(gas, flow, 0.005);
        good = good && coarse < 0.03 && fine < 0.65 * coarse;
    }
    gyre_gas_destroy(gas);
    gyre_device_destroy(device);
    return good ? 0 : 1;
}
