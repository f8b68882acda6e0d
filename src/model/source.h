// model/source.h: where queries (probes, means, sights) read samples from. On the CPU opening one
// asks nothing of the device, so that threads query beside each other; on a device with memory of
// its own the field is fetched, and they take turns from there until it is closed.
#ifndef GY_SOURCE_H
#define GY_SOURCE_H

#include "model/model.h"

typedef struct gy_source {
    const gyre_model *model;
    int field;
    bool direct; // one at a time out of the model; else from the window
    bool apart;  // the device's turn is taken
    gyre_field_view view;
} gy_source;

/// Fails where the field is derived and neither mapped nor can be read without.
gyre_result gy_source_check(const gyre_model *model, int field);

/// After that check. Close it whatever comes back.
gyre_result gy_source_open(gy_source *source, const gyre_model *model, int field);
void gy_source_close(gy_source *source);

GY_INLINE float gy_source_sample(const gy_source *s, const int at[3])
{
    const ptrdiff_t *stride = s->view.stride;
    return s->direct ? s->model->type->read_sample(s->model, s->field, at[0], at[1], at[2])
                     : s->view.data[at[0] * stride[0] + at[1] * stride[1] + at[2] * stride[2]];
}

/// Of a source that reads one sample at a time: whether `at` is in `p`, which is looked up anew
/// where it is not. (A cutout of zeros has none.)
GY_INLINE bool gy_source_in(const gy_source *s, const int at[3], gy_cutout *p)
{
    if (at[0] >= p->low[0] && at[1] >= p->low[1] && at[0] < p->high[0] && at[1] < p->high[1]) {
        return true;
    }
    bool out = at[0] < 0 || at[1] < 0 || at[0] >= s->view.n[0] || at[1] >= s->view.n[1];
    return !out && s->model->type->cutout &&
           s->model->type->cutout(s->model, s->field, at[0], at[1], p);
}

/// The same of it and its upper neighbours.
GY_INLINE bool gy_source_cutout(const gy_source *s, const int at[3], gy_cutout *p)
{
    return gy_source_in(s, at, p) && at[0] + 1 < p->high[0] && at[1] + 1 < p->high[1];
}

/// What stands in a query's way.
gy_around gy_source_around(const gyre_model *model);

/// The whole turns that bring a place along a periodic axis of n cells back to where cells are.
GY_INLINE double gy_turns(double place, int n)
{
    double turns = __builtin_floor(place / n);
    return turns * n;
}

/// Largest and smallest integers not above and below x, which is no larger than an int; no calls.
GY_INLINE int gy_floor_of(double x)
{
    int i = (int)x;
    return i - (x < i);
}

GY_INLINE int gy_ceil_of(double x)
{
    int i = (int)x;
    return i + (x > i);
}

GY_INLINE int gy_wrapped(int i, int n)
{
    i %= n;
    return i < 0 ? i + n : i;
}

#endif
