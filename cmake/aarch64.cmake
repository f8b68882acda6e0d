# Cross-compiles for 64-bit ARM on Linux and runs the tests under emulation:
#     cmake -S . -B build-aarch64 --toolchain cmake/aarch64.cmake -DGYRE_TEST_STAND_IN=ON
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
# The second from Debian 13 on; linked statically, a test needs no libraries of that machine.
find_program(GYRE_QEMU NAMES qemu-aarch64-static qemu-aarch64 REQUIRED)
set(CMAKE_CROSSCOMPILING_EMULATOR ${GYRE_QEMU})
set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
# pkg-config would answer for the machine that builds.
set(CMAKE_DISABLE_FIND_PACKAGE_PkgConfig ON)
