// plane/plane.h: a build for gases in 2D alone (GYRE_PLANE; gyre_web_plane in cmake/web.cmake). It
// is linked without what such a gas can do without, and this room stands in place of that: a file
// for each room that is missing. What would need it is refused, by gy_plane_lacks() where the
// state of a def, not a call, asks for it.
#ifndef GY_PLANE_H
#define GY_PLANE_H

#include "base/base.h"

/// Fails: `what` is in the whole build alone.
gyre_result gy_plane_lacks(const char *what);

#endif
