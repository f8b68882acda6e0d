// tasks.glsl: twins of one workgroup that add up what tasks have left: the invocations read it, and
// the first three add up one of the numbers each, in the order of tasks, as the host would.
layout(local_size_x = 256) in;

const int MOST_TASKS = 256;

shared double part[3][MOST_TASKS], sum[3];

/// partial: four doubles per task, or one float.
void add_tasks(uint64_t partial, int tasks, bool single)
{
    int own = int(gl_LocalInvocationIndex);
    if (own < tasks && single) {
        part[0][own] = double(floats(partial, own).v);
    } else if (own < tasks) {
        for (int q = 0; q < 3; q++) {
            part[q][own] = doubles(partial, 4 * own + q).v;
        }
    }
    barrier();
    if (own < (single ? 1 : 3)) {
        double all = 0.0lf;
        for (int t = 0; t < tasks; t++) {
            all += part[own][t];
        }
        sum[own] = all;
    }
    barrier();
}
