// test/classic_jet.h: one flow for every kind of number. A cloud in a closed box is stirred for 20
// steps and left alone for 180.
#ifndef CLASSIC_JET_H
#define CLASSIC_JET_H

enum { JET_CELLS = 32, JET_STEPS = 200 };

typedef struct jet {
    double cloud[JET_CELLS][JET_CELLS]; // at the end
    double first, last;                 // total density before and after
    double speed;                       // the largest component at the end
} jet;

/// classic_jet.c: the flow in float.
jet float_jet(void);

#endif
