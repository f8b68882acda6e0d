// The CPU device: cuts an op's box and hands the pieces to the pool or to the host.
#include "device/cpu.h"
#include "base/os.h"
#include "device/backend.h"
#include "device/fp.h"
#include "device/isa.h"

static gyre_result cpu_open(gyre_device *device, const gyre_device_def *def)
{
    const gy_isa_table *table = NULL;
    gyre_result result = gy_isa_find(def->isa, &table);
    if (result != GYRE_OK)
        return result;
    gy_cpu *cpu = gy_allocate(&device->host, sizeof *cpu, 64);
    if (!cpu)
        return GYRE_ERROR_MEMORY;
    cpu->table = table;
    device->state = cpu;
    device->isa = table->name;
    device->threads = 0;
    if (!device->host.parallel_for) {
        device->threads = def->threads > 0 ? def->threads : GY_MIN(gy_os_cores(), GY_MAX_THREADS);
        if (device->threads > 1)
            result = gy_pool_create(&device->host, device->threads, &cpu->pool);
    }
    if (result != GYRE_OK)
        gy_release(&device->host, cpu, sizeof *cpu);
    return result;
}

static void cpu_close(gyre_device *device)
{
    gy_cpu *cpu = device->state;
    if (cpu->pool)
        gy_pool_destroy(cpu->pool);
    gy_release(&device->host, cpu, sizeof *cpu);
}

static void spread(gyre_device *device, int count, gyre_task *task, void *argument)
{
    gy_cpu *cpu = device->state;
    if (count == 1 || (!cpu->pool && !device->host.parallel_for)) {
        for (int i = 0; i < count; i++)
            task(argument, i);
    } else if (cpu->pool) {
        gy_pool_run(cpu->pool, count, task, argument);
    } else {
        device->host.parallel_for(device->host.user, count, task, argument);
    }
}

static bool cpu_has(const gyre_device *device, gy_op op)
{
    const gy_cpu *cpu = device->state;
    return cpu->table->body[op] != NULL;
}

typedef struct op_run {
    gy_body *body;
    const void *args;
    gy_cut cut;
} op_run;

static void run_piece(void *argument, int piece)
{
    const op_run *run = argument;
    gy_box box = gy_cut_piece(&run->cut, piece);
    gy_fp found = gy_fp_enter();
    run->body(run->args, &box, piece);
    gy_fp_leave(found);
}

static void cpu_run(gyre_device *device, gy_op op, const void *args, const gy_box *box)
{
    const gy_cpu *cpu = device->state;
    op_run run = {cpu->table->body[op], args, gy_cut_make(gy_kind(op), box)};
    if (run.cut.count > 0)
        spread(device, run.cut.count, run_piece, &run);
}

typedef struct user_run {
    gyre_task *task;
    void *argument;
} user_run;

static void run_user(void *argument, int index)
{
    const user_run *run = argument;
    gy_fp found = gy_fp_enter();
    run->task(run->argument, index);
    gy_fp_leave(found);
}

static void cpu_parallel_for(gyre_device *device, int count, gyre_task *task, void *argument)
{
    user_run run = {task, argument};
    spread(device, count, run_user, &run);
}

const gy_backend gy_cpu_backend = {.open = cpu_open,
                                   .close = cpu_close,
                                   .run = cpu_run,
                                   .parallel_for = cpu_parallel_for,
                                   .has = cpu_has};
