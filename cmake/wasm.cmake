# Cross-compiles to WebAssembly with emscripten and runs the tests in Node.js:
#     NODE_PATH=/usr/share/nodejs cmake -S . -B build-wasm --toolchain cmake/wasm.cmake -DGYRE_TEST_STAND_IN=ON
# All is compiled with the instructions that threads need, which a module without threads may hold as
# well; whether a module has threads is decided when it is linked (gyre_web_threads).
set(CMAKE_SYSTEM_NAME Emscripten)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_CROSSCOMPILING TRUE)
set(UNIX TRUE)
find_program(GYRE_EMCC emcc REQUIRED)
find_program(GYRE_EMXX em++ REQUIRED)
find_program(GYRE_EMAR emar REQUIRED)
find_program(GYRE_EMRANLIB emranlib REQUIRED)
find_program(GYRE_NODE NAMES node nodejs REQUIRED)
set(CMAKE_C_COMPILER ${GYRE_EMCC})
set(CMAKE_CXX_COMPILER ${GYRE_EMXX})
set(CMAKE_AR ${GYRE_EMAR})
set(CMAKE_RANLIB ${GYRE_EMRANLIB})
set(CMAKE_C_COMPILER_AR ${GYRE_EMAR})
set(CMAKE_C_COMPILER_RANLIB ${GYRE_EMRANLIB})
# What emscripten's clang would answer; asking it at configure time means linking programs.
set(CMAKE_C_COMPILER_WORKS TRUE)
set(CMAKE_CXX_COMPILER_WORKS TRUE)
set(CMAKE_SIZEOF_VOID_P 4)
set(CMAKE_EXECUTABLE_SUFFIX .js)
set(CMAKE_CROSSCOMPILING_EMULATOR ${GYRE_NODE} --no-experimental-fetch)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
# pkg-config would answer for the machine that builds.
set(CMAKE_DISABLE_FIND_PACKAGE_PkgConfig ON)

set(wasm_flags "-msimd128 -mnontrapping-fptoint -pthread")
set(CMAKE_C_FLAGS_INIT "${wasm_flags}")
set(CMAKE_CXX_FLAGS_INIT "${wasm_flags}")
# The last -O of a command counts: programs of the tests are linked quickly, a shipped module well.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=4GB -sTOTAL_STACK=1MB")
set(CMAKE_HAVE_LIBC_PTHREAD TRUE)

# The flag of compiling stands in the link's command too; the later of two settings counts.
# What programs of Node.js need: the machine's files, and an end.
set(GYRE_WEB_PROGRAM -O1 -sUSE_PTHREADS=0 -sNODERAWFS=1 -sEXIT_RUNTIME=1)
# With threads: workers that wait for work, and a main function that may wait for them.
set(GYRE_WEB_PROGRAM_THREADS -O1 -pthread -sEXIT_RUNTIME=1 -sPROXY_TO_PTHREAD=1
    -sPTHREAD_POOL_SIZE=9 -sINITIAL_MEMORY=256MB)
