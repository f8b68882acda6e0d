// gyre bench: hands over to the bench of a part.
#include "bench/bench.h"

#include "bench/parts.h"

#include <stdio.h>
#include <string.h>

int gyre_bench(int argc, char **argv)
{
    if (argc >= 2 && !strcmp(argv[1], "gas"))
        return bench_gas(argc - 1, argv + 1);
    if (argc >= 2 && !strcmp(argv[1], "solvers"))
        return bench_solvers(argc - 1, argv + 1);
    if (argc >= 2)
        fprintf(stderr, "gyre bench: there is no bench named %s\n", argv[1]);
    fprintf(stderr, "usage: gyre bench gas|solvers [options]\n");
    return 2;
}
