// host.c: the same program at home, for its hash to be compared.
#include "picture.h"

#include <stdio.h>

void put(const char *text)
{
    fputs(text, stdout);
}

uint64_t instructions(void)
{
    return 0;
}

int main(void)
{
    picture();
    return 0;
}
