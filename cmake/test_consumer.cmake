# Installs a build into a folder of its own and builds test/consumer against that: with
# find_package, and with the command line that pkg-config gives.
#     cmake -DBUILD= -DSOURCE= -DCC= -DVERSION= -DSCENE= -P test_consumer.cmake
function(must)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
    if(NOT status EQUAL 0)
        list(JOIN ARGN " " line)
        message(FATAL_ERROR "${line}\n${out}")
    endif()
    set(out "${out}" PARENT_SCOPE)
endfunction()

set(place ${BUILD}/consumer)
set(prefix ${place}/prefix)
file(REMOVE_RECURSE ${place})
must(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
# Moved, so that a path into the first place would be found out.
file(RENAME ${prefix} ${place}/moved)
set(prefix ${place}/moved)

must(${CMAKE_COMMAND} -S ${SOURCE}/test/consumer -B ${place}/build -DCMAKE_PREFIX_PATH=${prefix}
    -DCMAKE_C_COMPILER=${CC} -DWANTED_VERSION=${VERSION} -DWANT_SCENE=${SCENE})
must(${CMAKE_COMMAND} --build ${place}/build)
must(${CMAKE_CTEST_COMMAND} --test-dir ${place}/build --output-on-failure --no-tests=error)
message("${out}")

file(GLOB pc_files ${prefix}/lib*/pkgconfig ${prefix}/lib/*/pkgconfig)
set(ENV{PKG_CONFIG_PATH} "${pc_files}")
must(pkg-config --cflags --libs gyre)
separate_arguments(flags UNIX_COMMAND "${out}")
must(${CC} -std=c17 ${SOURCE}/test/consumer/main.c ${flags} -o ${place}/by_pkg_config)
file(GLOB libraries ${prefix}/lib*/libgyre.so ${prefix}/lib/*/libgyre.so)
get_filename_component(libraries "${libraries}" DIRECTORY)
set(ENV{LD_LIBRARY_PATH} "${libraries}")
must(${place}/by_pkg_config)
message("by pkg-config: ${out}")

# The program that the README opens with.
must(sed -n "/^```c$/,/^```$/{/^```/!p}" ${SOURCE}/README.md)
file(WRITE ${place}/readme.c "${out}")
must(${CC} -std=c17 -Wall -Wextra -Werror ${place}/readme.c ${flags} -o ${place}/readme)
must(${place}/readme)
if(NOT out MATCHES "^fastest: [0-9.]+ m/s")
    message(FATAL_ERROR "the README's program printed: ${out}")
endif()
if(SCENE)
    must(pkg-config --static --cflags --libs gyre_scene)
    # What comes along with the tool.
    file(GLOB pages ${prefix}/share/man/man1/gyre.1 ${prefix}/man/man1/gyre.1)
    if(NOT pages)
        message(FATAL_ERROR "the manual page is not installed")
    endif()
    foreach(file bash-completion/completions/gyre zsh/site-functions/_gyre
            fish/vendor_completions.d/gyre.fish doc/gyre/LICENSE)
        if(NOT EXISTS ${prefix}/share/${file})
            message(FATAL_ERROR "share/${file} is not installed")
        endif()
    endforeach()
endif()
