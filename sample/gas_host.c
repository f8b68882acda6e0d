// A gas on the program's own memory and threads; the same bits as on the library's.
#include <gyre/gyre.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
static size_t in_use;
static void *allocate(void *user, size_t size, size_t alignment)
{
    *(size_t *)user += size;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}
static void release(void *user, void *memory, size_t size)
{
    *(size_t *)user -= size;
    free(memory);
}
typedef struct job {
    gyre_task *task;
    void *argument;
    atomic_int count, next;
} job;
static int work(void *argument)
{
    job *j = argument;
    for (int i; (i = atomic_fetch_add(&j->next, 1)) < j->count;)
        j->task(j->argument, i);
    return 0;
}
static void parallel_for(void *user, int count, gyre_task *task, void *argument)
{
    job j = {task, argument, count, 0};
    thrd_t helper; // a game has its workers waiting; this one is made each time
    bool helped = user && thrd_create(&helper, work, &j) == thrd_success;
    work(&j);
    if (helped)
        thrd_join(helper, NULL);
}
int main(void)
{
    gyre_host own = {allocate, release, NULL, parallel_for, &in_use};
    uint64_t hash[2] = {0, 1};
    for (int run = 0; run < 2; run++) {
        gyre_device_def device_def = gyre_default_device_def();
        device_def.host = run == 0 ? own : (gyre_host){0};
        gyre_gas_def def = gyre_gas_default_def(2);
        gyre_device *device;
        gyre_gas *gas;
        if (gyre_device_create(&device_def, &device) || gyre_gas_create(device, &def, &gas))
            return fprintf(stderr, "gas_host: %s\n", gyre_message()), 1;
        gyre_gas_splat(gas, gyre_gas_field(gas, "temperature"), (float[3]){0.5f}, 0.2f, 100);
        for (int frame = 0; frame < 20; frame++)
            gyre_gas_step(gas, 1.0f / 30);
        hash[run] = gyre_gas_hash(gas);
        printf("hash %016llx, own memory %zu bytes\n", (unsigned long long)hash[run], in_use);
        gyre_gas_destroy(gas);
        gyre_device_destroy(device);
    }
    return hash[0] == hash[1] && in_use == 0 ? 0 : 1;
}
