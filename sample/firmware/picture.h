// picture.h: what the program asks of the machine it runs on (board.c, host.c), and the program.
#ifndef PICTURE_H
#define PICTURE_H

#include <stdint.h>

/// Writes zero-terminated text where it can be read.
void put(const char *text);
/// Instructions executed since the start; 0 where nobody counts.
uint64_t instructions(void);

/// Runs the fluid, draws its density and prints a hash of its whole state.
void picture(void);

void put_number(uint64_t number);

#endif
