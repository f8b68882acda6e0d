// volk: finds Vulkan at run time. Its code is one file, compiled here under names of our own.
#include "device/vulkan/volk_names.h"
#include <volk.c>
