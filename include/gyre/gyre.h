/// @file gyre/gyre.h
/// The whole library.
#ifndef GYRE_GYRE_H
#define GYRE_GYRE_H

#include "gyre/base.h"
#include "gyre/body.h"
#include "gyre/classic.h"
#include "gyre/classic_model.h"
#include "gyre/device.h"
#include "gyre/gas.h"
#include "gyre/grid.h"
#include "gyre/mesh.h"
#include "gyre/model.h"
#include "gyre/ocean.h"
#include "gyre/particle.h"
#include "gyre/pose.h"
#include "gyre/property.h"
#include "gyre/property_table.h"
#include "gyre/sea.h"
#include "gyre/shape.h"
#include "gyre/solve.h"
#include "gyre/vulkan.h"
#include "gyre/water.h"
#include "gyre/wind.h"

#endif
