// test/classic_jet.c: in float.
#include "test/classic_jet_run.h"

jet float_jet(void)
{
    return run_jet();
}
