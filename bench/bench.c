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

int gyre_bench(int argc, char **argv)
{
    if (argc >= 2 && !strcmp(argv[1], "gas"))
        return bench_gas(argc - 1, argv + 1);
    if (argc >= 2 && !strcmp(argv[1], "solvers"))
        return bench_solvers(argc - 1, argv + 1);
    if (argc >= 2 && !strcmp(argv[1], "water"))
        return bench_water(argc - 1, argv + 1);
    if (argc >= 2)
        fprintf(stderr, "gyre bench: there is no bench named %s\n", argv[1]);
    fprintf(stderr, "usage: gyre bench gas|solvers|water [options]\n");
    return 2;
}
