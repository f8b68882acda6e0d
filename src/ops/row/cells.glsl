// cells.glsl: the workgroup of twins that go over cells or slots: 64 by 4, or what suits the device
// (device/vulkan/ops.c). No result may depend on its size.
layout(local_size_x = 64, local_size_y = 4, local_size_x_id = 1, local_size_y_id = 2) in;
