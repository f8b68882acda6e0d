// What this machine can do: copy bandwidth, and coherent vectorised linear look-ups. The floors
// that steps are measured against are made from both.
#include "bench/parts.h"

#include <math.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#define TARGET(features) __attribute__((target(features)))
#endif

// ---------------------------------------------------------------- copy

enum { COPY_BYTES = 96 << 20 };

typedef struct copy_job {
    char *to, *from;
    size_t bytes; // per task
    bool stream;
} copy_job;

static void copy_task(void *argument, int index)
{
    const copy_job *job = argument;
    char *to = job->to + (size_t)index * job->bytes;
    const char *from = job->from + (size_t)index * job->bytes;
#if defined(__x86_64__)
    if (job->stream) {
        for (size_t i = 0; i < job->bytes; i += 64)
            for (size_t q = 0; q < 64; q += 16)
                _mm_stream_ps((float *)(void *)(to + i + q),
                              _mm_load_ps((const float *)(const void *)(from + i + q)));
        _mm_sfence();
        return;
    }
#endif
    memcpy(to, from, job->bytes);
}

static void spread(gyre_device *device, int threads, gyre_task *task, void *argument)
{
    if (threads > 1)
        gyre_device_parallel_for(device, threads, task, argument);
    else
        task(argument, 0);
}

double bench_copy_rate(gyre_device *device, int threads)
{
    static char *to, *from;
    if (!to) {
        to = bench_allocate(COPY_BYTES);
        from = bench_allocate(COPY_BYTES);
        memset(from, 1, COPY_BYTES);
    }
    size_t part = COPY_BYTES / (size_t)threads / 4096 * 4096;
    double best = 0;
    for (int kind = 0; kind < 2; kind++) {
        copy_job job = {to, from, part, kind == 1};
        double start = bench_now();
        spread(device, threads, copy_task, &job);
        double rate = 2.0 * (double)part * threads / (bench_now() - start);
        best = rate > best ? rate : best;
    }
    return best;
}

// ---------------------------------------------------------------- look-ups

typedef void look_up_row(const bench_lookup *l, int j, int k);

/// The places looked up: a swirl of about two cells, smooth along every axis.
static void place_of(const bench_lookup *l, int j, int k, float *x, float *y, float *z)
{
    *x = l->offset[j];
    *y = (float)j + l->offset[l->n + k];
    *z = (float)k + l->offset[j];
}

static void plain_2(const bench_lookup *l, int j, int k)
{
    (void)k;
    int n = l->n;
    const float most = (float)n - 1.001f;
    float dx, y0, z0;
    place_of(l, j, 0, &dx, &y0, &z0);
    float *out = l->to + (ptrdiff_t)j * n;
    for (int i = 0; i < n; i++) {
        float w = ((float)i - 0.5f * (float)n) * 0.01f, x = (float)i + dx, y = y0 + w;
        x = x < 0 ? 0 : x;
        x = x > most ? most : x;
        y = y < 0 ? 0 : y;
        y = y > most ? most : y;
        int xi = (int)x, yi = (int)y;
        float fx = x - (float)xi, fy = y - (float)yi;
        const float *p = l->from + yi * n + xi;
        float a = p[0] + fx * (p[1] - p[0]), b = p[n] + fx * (p[n + 1] - p[n]);
        out[i] = a + fy * (b - a);
    }
}

static void plain_3(const bench_lookup *l, int j, int k)
{
    int n = l->n, sz = n * n;
    const float most = (float)n - 1.001f;
    float dx, y0, z0;
    place_of(l, j, k, &dx, &y0, &z0);
    float *out = l->to + ((ptrdiff_t)k * n + j) * n;
    for (int i = 0; i < n; i++) {
        float w = ((float)i - 0.5f * (float)n) * 0.01f;
        float x = (float)i + dx, y = y0 + w, z = z0 - w;
        x = x < 0 ? 0 : x;
        x = x > most ? most : x;
        y = y < 0 ? 0 : y;
        y = y > most ? most : y;
        z = z < 0 ? 0 : z;
        z = z > most ? most : z;
        int xi = (int)x, yi = (int)y, zi = (int)z;
        float fx = x - (float)xi, fy = y - (float)yi, fz = z - (float)zi;
        const float *p = l->from + zi * sz + yi * n + xi, *q = p + sz;
        float a = p[0] + fx * (p[1] - p[0]), b = p[n] + fx * (p[n + 1] - p[n]);
        float c = q[0] + fx * (q[1] - q[0]), d = q[n] + fx * (q[n + 1] - q[n]);
        a += fy * (b - a);
        c += fy * (d - c);
        out[i] = a + fz * (c - a);
    }
}

#if defined(__x86_64__)

#define GATHER(o) _mm512_i32gather_ps(at, p + (o), 4)
#define LERP(a, b, t) _mm512_fmadd_ps(t, _mm512_sub_ps(b, a), a)

TARGET("avx512f,avx512dq")
static void avx512_2(const bench_lookup *l, int j, int k)
{
    (void)k;
    int n = l->n;
    float dx, y0, z0;
    place_of(l, j, 0, &dx, &y0, &z0);
    const float *p = l->from;
    float *out = l->to + (ptrdiff_t)j * n;
    const __m512 lanes = _mm512_setr_ps(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512 low = _mm512_setzero_ps(), most = _mm512_set1_ps((float)n - 1.001f);
    for (int i = 0; i < n; i += 16) {
        __m512 fi = _mm512_add_ps(_mm512_set1_ps((float)i), lanes);
        __m512 w = _mm512_mul_ps(_mm512_sub_ps(fi, _mm512_set1_ps(0.5f * (float)n)),
                                 _mm512_set1_ps(0.01f));
        __m512 x = _mm512_add_ps(fi, _mm512_set1_ps(dx)), y = _mm512_add_ps(_mm512_set1_ps(y0), w);
        x = _mm512_min_ps(_mm512_max_ps(x, low), most);
        y = _mm512_min_ps(_mm512_max_ps(y, low), most);
        __m512i xi = _mm512_cvttps_epi32(x), yi = _mm512_cvttps_epi32(y);
        __m512 fx = _mm512_sub_ps(x, _mm512_cvtepi32_ps(xi));
        __m512 fy = _mm512_sub_ps(y, _mm512_cvtepi32_ps(yi));
        __m512i at = _mm512_add_epi32(_mm512_mullo_epi32(yi, _mm512_set1_epi32(n)), xi);
        __m512 a = LERP(GATHER(0), GATHER(1), fx), b = LERP(GATHER(n), GATHER(n + 1), fx);
        _mm512_storeu_ps(out + i, LERP(a, b, fy));
    }
}

TARGET("avx512f,avx512dq")
static void avx512_3(const bench_lookup *l, int j, int k)
{
    int n = l->n, sz = n * n;
    float dx, y0, z0;
    place_of(l, j, k, &dx, &y0, &z0);
    const float *p = l->from;
    float *out = l->to + ((ptrdiff_t)k * n + j) * n;
    const __m512 lanes = _mm512_setr_ps(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512 low = _mm512_setzero_ps(), most = _mm512_set1_ps((float)n - 1.001f);
    for (int i = 0; i < n; i += 16) {
        __m512 fi = _mm512_add_ps(_mm512_set1_ps((float)i), lanes);
        __m512 w = _mm512_mul_ps(_mm512_sub_ps(fi, _mm512_set1_ps(0.5f * (float)n)),
                                 _mm512_set1_ps(0.01f));
        __m512 x = _mm512_add_ps(fi, _mm512_set1_ps(dx)), y = _mm512_add_ps(_mm512_set1_ps(y0), w);
        __m512 z = _mm512_sub_ps(_mm512_set1_ps(z0), w);
        x = _mm512_min_ps(_mm512_max_ps(x, low), most);
        y = _mm512_min_ps(_mm512_max_ps(y, low), most);
        z = _mm512_min_ps(_mm512_max_ps(z, low), most);
        __m512i xi = _mm512_cvttps_epi32(x), yi = _mm512_cvttps_epi32(y),
                zi = _mm512_cvttps_epi32(z);
        __m512 fx = _mm512_sub_ps(x, _mm512_cvtepi32_ps(xi));
        __m512 fy = _mm512_sub_ps(y, _mm512_cvtepi32_ps(yi));
        __m512 fz = _mm512_sub_ps(z, _mm512_cvtepi32_ps(zi));
        const __m512i stride = _mm512_set1_epi32(n);
        __m512i at = _mm512_add_epi32(_mm512_mullo_epi32(zi, stride), yi);
        at = _mm512_add_epi32(_mm512_mullo_epi32(at, stride), xi);
        __m512 a = LERP(GATHER(0), GATHER(1), fx), b = LERP(GATHER(n), GATHER(n + 1), fx);
        __m512 c = LERP(GATHER(sz), GATHER(sz + 1), fx);
        __m512 d = LERP(GATHER(sz + n), GATHER(sz + n + 1), fx);
        a = LERP(a, b, fy);
        c = LERP(c, d, fy);
        _mm512_storeu_ps(out + i, LERP(a, c, fz));
    }
}

#undef GATHER
#undef LERP
#define GATHER(o) _mm256_i32gather_ps(p + (o), at, 4)
#define LERP(a, b, t) _mm256_fmadd_ps(t, _mm256_sub_ps(b, a), a)

TARGET("avx2,fma")
static void avx2_2(const bench_lookup *l, int j, int k)
{
    (void)k;
    int n = l->n;
    float dx, y0, z0;
    place_of(l, j, 0, &dx, &y0, &z0);
    const float *p = l->from;
    float *out = l->to + (ptrdiff_t)j * n;
    const __m256 lanes = _mm256_setr_ps(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256 low = _mm256_setzero_ps(), most = _mm256_set1_ps((float)n - 1.001f);
    for (int i = 0; i < n; i += 8) {
        __m256 fi = _mm256_add_ps(_mm256_set1_ps((float)i), lanes);
        __m256 w = _mm256_mul_ps(_mm256_sub_ps(fi, _mm256_set1_ps(0.5f * (float)n)),
                                 _mm256_set1_ps(0.01f));
        __m256 x = _mm256_add_ps(fi, _mm256_set1_ps(dx)), y = _mm256_add_ps(_mm256_set1_ps(y0), w);
        x = _mm256_min_ps(_mm256_max_ps(x, low), most);
        y = _mm256_min_ps(_mm256_max_ps(y, low), most);
        __m256i xi = _mm256_cvttps_epi32(x), yi = _mm256_cvttps_epi32(y);
        __m256 fx = _mm256_sub_ps(x, _mm256_cvtepi32_ps(xi));
        __m256 fy = _mm256_sub_ps(y, _mm256_cvtepi32_ps(yi));
        __m256i at = _mm256_add_epi32(_mm256_mullo_epi32(yi, _mm256_set1_epi32(n)), xi);
        __m256 a = LERP(GATHER(0), GATHER(1), fx), b = LERP(GATHER(n), GATHER(n + 1), fx);
        _mm256_storeu_ps(out + i, LERP(a, b, fy));
    }
}

TARGET("avx2,fma")
static void avx2_3(const bench_lookup *l, int j, int k)
{
    int n = l->n, sz = n * n;
    float dx, y0, z0;
    place_of(l, j, k, &dx, &y0, &z0);
    const float *p = l->from;
    float *out = l->to + ((ptrdiff_t)k * n + j) * n;
    const __m256 lanes = _mm256_setr_ps(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256 low = _mm256_setzero_ps(), most = _mm256_set1_ps((float)n - 1.001f);
    for (int i = 0; i < n; i += 8) {
        __m256 fi = _mm256_add_ps(_mm256_set1_ps((float)i), lanes);
        __m256 w = _mm256_mul_ps(_mm256_sub_ps(fi, _mm256_set1_ps(0.5f * (float)n)),
                                 _mm256_set1_ps(0.01f));
        __m256 x = _mm256_add_ps(fi, _mm256_set1_ps(dx)), y = _mm256_add_ps(_mm256_set1_ps(y0), w);
        __m256 z = _mm256_sub_ps(_mm256_set1_ps(z0), w);
        x = _mm256_min_ps(_mm256_max_ps(x, low), most);
        y = _mm256_min_ps(_mm256_max_ps(y, low), most);
        z = _mm256_min_ps(_mm256_max_ps(z, low), most);
        __m256i xi = _mm256_cvttps_epi32(x), yi = _mm256_cvttps_epi32(y),
                zi = _mm256_cvttps_epi32(z);
        __m256 fx = _mm256_sub_ps(x, _mm256_cvtepi32_ps(xi));
        __m256 fy = _mm256_sub_ps(y, _mm256_cvtepi32_ps(yi));
        __m256 fz = _mm256_sub_ps(z, _mm256_cvtepi32_ps(zi));
        const __m256i stride = _mm256_set1_epi32(n);
        __m256i at = _mm256_add_epi32(_mm256_mullo_epi32(zi, stride), yi);
        at = _mm256_add_epi32(_mm256_mullo_epi32(at, stride), xi);
        __m256 a = LERP(GATHER(0), GATHER(1), fx), b = LERP(GATHER(n), GATHER(n + 1), fx);
        __m256 c = LERP(GATHER(sz), GATHER(sz + 1), fx);
        __m256 d = LERP(GATHER(sz + n), GATHER(sz + n + 1), fx);
        a = LERP(a, b, fy);
        c = LERP(c, d, fy);
        _mm256_storeu_ps(out + i, LERP(a, c, fz));
    }
}

#endif

/// 2: AVX-512, 1: AVX2, 0: plain C.
static int widest(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
        return 2;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return 1;
#endif
    return 0;
}

const char *bench_lookup_isa(void)
{
    static const char *const names[] = {"plain", "avx2", "avx512"};
    return names[widest()];
}

static look_up_row *row_of(int dim)
{
#if defined(__x86_64__)
    static look_up_row *const rows[3][2] = {
        {plain_2, plain_3}, {avx2_2, avx2_3}, {avx512_2, avx512_3}};
    return rows[widest()][dim - 2];
#else
    return dim == 2 ? plain_2 : plain_3;
#endif
}

bench_lookup bench_lookup_make(int dim, int n)
{
    // Padded: whole vectors are written, and upper neighbours of the last samples are read.
    size_t count = (size_t)n * (size_t)n * (size_t)(dim == 3 ? n : 1);
    size_t bytes = sizeof(float) * (count + (size_t)(n + 1) * (size_t)n + 64);
    bench_lookup l = {dim, n, bench_allocate(bytes), bench_allocate(bytes),
                      bench_allocate(sizeof(float) * 2 * (size_t)n)};
    for (size_t i = 0; i < count; i++)
        l.from[i] = 1.0f + (float)(i & 1023) * 1e-3f;
    for (int i = 0; i < n; i++) {
        l.offset[i] = sinf((float)i * 0.05f) * 2.3f;
        l.offset[n + i] = cosf((float)i * 0.04f) * 2.1f;
    }
    return l;
}

void bench_lookup_free(bench_lookup *l)
{
    bench_release(l->from);
    bench_release(l->to);
    bench_release(l->offset);
}

typedef struct look_up_job {
    const bench_lookup *lookup;
    look_up_row *row;
    int tasks;
} look_up_job;

static void look_up_task(void *argument, int index)
{
    const look_up_job *job = argument;
    int n = job->lookup->n, rows = job->lookup->dim == 3 ? n * n : n;
    int64_t from = (int64_t)rows * index / job->tasks,
            to = (int64_t)rows * (index + 1) / job->tasks;
    for (int r = (int)from; r < (int)to; r++)
        job->row(job->lookup, r % n, r / n);
}

double bench_lookup_time(bench_lookup *l, gyre_device *device, int threads)
{
    look_up_job job = {l, row_of(l->dim), threads};
    double count = pow(l->n, l->dim), start = bench_now_on(threads);
    // Wide vector units take some 10 ms to reach their speed after other work.
    do
        spread(device, threads, look_up_task, &job);
    while (bench_now_on(threads) - start < 0.03);
    // Small arrays several times, so that the clock and the fork do not count.
    int times = count < 1e6 ? 8 : 2;
    start = bench_now_on(threads);
    for (int r = 0; r < times; r++)
        spread(device, threads, look_up_task, &job);
    return (bench_now_on(threads) - start) / count / times;
}
