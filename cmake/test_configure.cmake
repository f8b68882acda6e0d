# What is optional never fails a configure, however broken it is on the machine: an mpicc that names
# folders which are not there, alone and beside a hypre that cannot be linked; a C++ compiler that
# is none. And the presets are builds.
#     cmake -DSOURCE= -DCC= -DPLACE= -P test_configure.cmake
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${PLACE})

# As the wrapper of openmpi-bin answers without libopenmpi-dev.
file(WRITE ${PLACE}/bin/mpicc "#!/bin/sh
case \"$1\" in
*showme:compile) echo -I/nowhere/mpi/include ;;
*showme:link) echo -L/nowhere/mpi/lib -lmpi ;;
*showme:incdirs) echo /nowhere/mpi/include ;;
*showme:libdirs) echo /nowhere/mpi/lib ;;
*showme:libs) echo mpi ;;
*) echo cc -I/nowhere/mpi/include -L/nowhere/mpi/lib -lmpi ;;
esac
")
file(CHMOD ${PLACE}/bin/mpicc PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
foreach(header include/hypre/HYPRE_struct_ls.h include/mpi.h)
    file(WRITE ${PLACE}/broken/${header} "#error not to be included\n")
endforeach()
foreach(library HYPRE mpi)
    file(WRITE ${PLACE}/broken/lib/lib${library}.so "no library\n")
endforeach()

set(failures 0)
function(expect what wanted)
    string(MAKE_C_IDENTIFIER "${what}" folder)
    execute_process(COMMAND ${CMAKE_COMMAND} -E env "PATH=${PLACE}/bin:$ENV{PATH}"
            ${CMAKE_COMMAND} -S ${SOURCE} -B ${PLACE}/${folder} -DCMAKE_C_COMPILER=${CC}
            -DGYRE_TESTS=OFF -DGYRE_VULKAN=OFF ${ARGN}
        RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
    if(NOT status EQUAL 0 OR NOT said MATCHES "${wanted}")
        message("${what}: status ${status}, and in what it said '${wanted}' was looked for\n${said}")
        math(EXPR failures "${failures} + 1")
        set(failures ${failures} PARENT_SCOPE)
    endif()
endfunction()

expect("mpicc without headers" "Build files have been written")
expect("hypre that does not link" "WITHOUT hypre in the bench"
    -DCMAKE_PREFIX_PATH=${PLACE}/broken)
set(ENV{CXX} /bin/false)
expect("no C++ compiler" "WITHOUT the viewer: there is no C")
unset(ENV{CXX})

# Presets can be read, and the builds that they name configure.
execute_process(COMMAND ${CMAKE_COMMAND} --list-presets WORKING_DIRECTORY ${SOURCE}
    RESULT_VARIABLE status OUTPUT_VARIABLE presets ERROR_VARIABLE presets)
foreach(preset release debug clang asan tsan library aarch64)
    if(NOT status EQUAL 0 OR NOT presets MATCHES "\"${preset}\"")
        message("no preset ${preset}: ${presets}")
        math(EXPR failures "${failures} + 1")
    endif()
endforeach()
foreach(preset "debug;CMAKE_BUILD_TYPE:STRING=Debug" "library;GYRE_TESTS:BOOL=OFF")
    list(POP_FRONT preset name)
    execute_process(COMMAND ${CMAKE_COMMAND} --preset ${name} -B ${PLACE}/preset_${name}
            -DGYRE_VULKAN=OFF
        WORKING_DIRECTORY ${SOURCE} RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
    file(STRINGS ${PLACE}/preset_${name}/CMakeCache.txt lines REGEX "^${preset}$")
    if(NOT status EQUAL 0 OR NOT lines)
        message("preset ${name}: status ${status}, ${preset} was looked for\n${said}")
        math(EXPR failures "${failures} + 1")
    endif()
endforeach()
if(failures)
    message(FATAL_ERROR "${failures} failures")
endif()
