# gyre_web_plane: web/plane/gyre.js and gyre.wasm: what gyre_web is, for gases in 2D alone, for pages
# that begin with one: a fraction of the bytes, and the same bits. The library is compiled once more
# with GYRE_PLANE, so that the compiler leaves out what there is for space; without the files of what
# else such a gas can do without, in whose place src/plane and app/web/plane stand, and without those
# ops, which the device then lacks.
set(plane_files ${core_sources})
list(FILTER plane_files EXCLUDE REGEX "/src/(mesh|water|ocean)/|/src/models/(types|wind|sea)\\.c$")
list(FILTER plane_files EXCLUDE REGEX "/src/gas/(bodies|cloud|fire|floor|grains|tracers)\\.c$")
list(FILTER plane_files EXCLUDE REGEX "/src/body/(figure|mass|move|points|query|save|set)\\.c$")
list(FILTER plane_files EXCLUDE REGEX "/src/solve/(cyclic|direct|mic|relaxation)\\.c$")
gyre_sources(plane_own src/plane)
set(plane_ops ${ops_sources})
list(FILTER plane_ops EXCLUDE REGEX
    "/src/(water|ocean)/ops/|/src/ops/particle/|/src/ops/system/(factor|reduce|sweep)\\.c$|/src/gas/ops/(burn|condense|front|grain|rain|rub|tracer|unload)\\.c$")
set(plane_lacks burn condense front grain rain rub tracer unload unloaded
    factor_band factor_dense solve_band gauss_seidel jacobi reduce sor)

# The bodies that there are.
set(plane_bodies "// Made by cmake/web_plane.cmake: the ops that a module for planes has.\n")
foreach(list IN LISTS op_lists)
    if(NOT list MATCHES "/(water|ocean|particle)/")
        file(STRINGS ${list} lines REGEX "^GY_OP")
        foreach(line IN LISTS lines)
            string(REGEX REPLACE "^GY_OP\\(([a-z_0-9]+),.*" "\\1" op ${line})
            if(NOT op IN_LIST plane_lacks)
                string(APPEND plane_bodies "${line}\n")
            endif()
        endforeach()
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
    endif()
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/ops_plane/device/op_bodies.inc CONTENT "${plane_bodies}" @ONLY)

add_library(gyre_plane OBJECT ${plane_files} ${plane_own} ${ops_shared})
target_link_libraries(gyre_plane PRIVATE gyre_flags)
add_library(gyre_plane_ops OBJECT ${plane_ops})
target_compile_definitions(gyre_plane_ops PRIVATE GY_ISA=baseline)
target_link_libraries(gyre_plane_ops PRIVATE gyre_flags gyre_hot_flags)
foreach(target gyre_plane gyre_plane_ops)
    target_include_directories(${target} BEFORE PRIVATE ${PROJECT_BINARY_DIR}/ops_plane include src)
    target_compile_definitions(${target} PRIVATE GYRE_BUILD GYRE_PLANE=1 GY_WITH_BASELINE)
endforeach()

# What draws: maps, without what is for space, surfaces and particles.
file(GLOB plane_draw CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/app/web/plane/*.c)
set(plane_shaders ${view_shaders})
list(FILTER plane_shaders INCLUDE REGEX
    "/(arrow|cells|common|cover|dye|enlarge|field|flow|lic|line|map|places?|quad|shade|texel|veins|velocity)[.a-z]*\\.glsl$")
gyre_web_shaders(plane_shader_source ${PROJECT_BINARY_DIR}/web_plane_shaders.c ${plane_shaders})
add_library(gyre_web_plane_objects OBJECT ${plane_draw} ${plane_shader_source})
target_include_directories(gyre_web_plane_objects PRIVATE ${PROJECT_SOURCE_DIR}/app include)
target_link_libraries(gyre_web_plane_objects PRIVATE gyre_flags)

# Scenes are the library's own: of them what is asked for, and not yet there, is taken.
set(plane_objects $<TARGET_OBJECTS:gyre_plane> $<TARGET_OBJECTS:gyre_plane_ops>
    $<TARGET_OBJECTS:gyre_web_plane_objects>)
set(plane_libraries $<TARGET_FILE:gyre_scene_static> web_jansson)
gyre_web_link(gyre_web_plane web/plane "${plane_objects};$<TARGET_OBJECTS:gyre_own>"
    "${plane_libraries}" -sUSE_PTHREADS=0)
gyre_web_link(gyre_web_plane_threads web/plane/threads
    "${plane_objects};$<TARGET_OBJECTS:gyre_own_threads>" "${plane_libraries}" ${web_threads})
foreach(target gyre_web_plane gyre_web_plane_threads)
    add_dependencies(${target} gyre_scene_static)
endforeach()
