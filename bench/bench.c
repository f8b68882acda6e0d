// gyre bench: hands over to the bench of a part.
#include "bench/bench.h"

#include "bench/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *bench_threads(const char *text, int *threads, int most, int *count)
{
    *count = 0;
    for (const char *at = text; *at;) {
        char *end;
        long number = strtol(at, &end, 10);
        if (end == at || number < 1 || number > 256 || (*end && (*end != ',' || !end[1])))
            return "--threads takes numbers from 1 to 256 with commas between, not ";
        if (*count == most)
            return "--threads takes at most 4 numbers, not ";
        threads[(*count)++] = (int)number;
        at = *end ? end + 1 : end;
    }
    return *count ? NULL : "--threads takes a list such as 1,2, not ";
}

const char gyre_bench_help[] =
    "parts:\n"
    "  " BENCH_GAS_USAGE "  " BENCH_GAS_DEVICE_USAGE "  " BENCH_SOLVERS_USAGE "  " BENCH_WATER_USAGE
    "  " BENCH_WATER_DEVICE_USAGE "  " BENCH_RENDER_USAGE "  " BENCH_TRANSPORT_USAGE
    "  " BENCH_GAME_USAGE "  " BENCH_VIEW_USAGE "  " BENCH_WEB_USAGE "\n"
    "options:\n"
    "  --threads LIST    numbers of threads, such as 1,2 (the default)\n"
    "  --isa NAME        an instruction set other than the widest of this machine\n"
    "  --quick           small sizes, few rounds\n"
    "  --case NAME       gas: 2d_512, 2d_1024, 3d_64 or 3d_128 alone; with --device: any size\n"
    "                    render, view: one picture alone; web: dye_512, dye_512_fast, smoke_64,\n"
    "                    smoke_solid_64, water_256 or sea_256\n"
    "  --module FOLDER   web: where gyre.js and gyre.wasm are; \"build-wasm/web\"\n"
    "  --gate            ends with status 1 if a gate was not reached\n"
    "  --untimed         what no clock is needed for alone: memory, residuals, divergence, "
    "cycles,\n"
    "                    volumes, tiles that sleep, pictures that are the same\n"
    "  --feature NAME    gas: what one costs, off and on by turns: bodies, confinement,\n"
    "                    forces, frame, given, patches, sheets, walls; tracers and plates, in ns "
    "each\n"
    "  --offline         gas: the time of a frame of 512^3 cells\n"
    "  --json            results as JSON, gates on the standard error\n"
    "  --device WHICH    one device's step, op by op\n"
    "  --steps N         of that\n"
    "  --scalars BITS    of the scalars of a gas, 32 or 16\n"
    "  --part NAME       of the solvers: complexity, speed, cycle or asides alone\n"
    "  --points FILE     where complexity leaves its points for script/solver_plot\n"
    "  --solver NAME     one solver alone\n"
    "  --scenes FOLDER   where the scenes of render and view are; \"scene\" where it is not said\n"
    "  --frames N        of view: pictures of each; 120"
    "\n"
    "  --keep FOLDER     where render leaves its pictures";

int gyre_bench(int argc, char **argv)
{
    if (argc >= 2 && !strcmp(argv[1], "gas"))
        return bench_gas(argc - 1, argv + 1);
    if (argc >= 2 && !strcmp(argv[1], "solvers"))
        return bench_solvers(argc - 1, argv + 1);
    if (argc >= 2 && !strcmp(argv[1], "ocean"))
        return bench_ocean(argc - 1, argv + 1);
    if (argc >= 2 && !strcmp(argv[1], "water"))
        return bench_water(argc - 1, argv + 1);
    if (argc >= 2 && !strcmp(argv[1], "render"))
        return bench_render(argc - 1, argv + 1);
    if (argc >= 2 && !strcmp(argv[1], "transport"))
        return bench_transport(argc - 1, argv + 1);
    if (argc >= 2 && !strcmp(argv[1], "game"))
        return bench_game(argc - 1, argv + 1);
    if (argc >= 2 && !strcmp(argv[1], "view"))
        return bench_view(argc - 1, argv + 1);
    if (argc >= 2 && !strcmp(argv[1], "web"))
        return bench_web(argc - 1, argv + 1);
    if (argc >= 2)
        fprintf(stderr, "gyre bench: there is no bench named %s\n", argv[1]);
    fprintf(stderr,
            "usage: gyre bench gas|solvers|water|ocean|render|transport|game|view|web [options]\n");
    return 2;
}
