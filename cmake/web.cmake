# gyre.js and gyre.wasm: app/web/native/web.h for JavaScript, as an ES module whose default export
# makes one. Scenes, models and what draws them; files lie in memory (FS is there to put them).
if(NOT GYRE_SCENE)
    message(STATUS "gyre: WITHOUT gyre_web, the module for pages: scenes are not built")
    return()
endif()
file(GLOB web_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/app/web/native/*.c)
set(web_session scene take points frame)
list(TRANSFORM web_session PREPEND ${PROJECT_SOURCE_DIR}/app/view/session/)
list(TRANSFORM web_session APPEND .c)
# What draws, but for fields that another API shares; and of it what is for space, surfaces and
# particles alone.
file(GLOB web_draw CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/app/view/draw/*.c)
list(FILTER web_draw EXCLUDE REGEX "/(import|shared)\\.c$")
set(web_draw_space ${web_draw})
list(FILTER web_draw_space INCLUDE REGEX
    "/(caustics|flame|levels|points|relief|surface|surface_make|volume)\\.c$")
list(REMOVE_ITEM web_draw ${web_draw_space})
set(web_hand aim stroke grab)
list(TRANSFORM web_hand PREPEND ${PROJECT_SOURCE_DIR}/app/view/hand/)
list(TRANSFORM web_hand APPEND .c)
# gyre_web_shaders(VARIABLE FILE SHADERS...): the file that has them as bytes.
function(gyre_web_shaders variable file)
    add_custom_command(OUTPUT ${file}
        COMMAND ${CMAKE_COMMAND} "-DSHADERS=${ARGN}" -DOUTPUT=${file} -DPLAIN=ON
            -P ${PROJECT_SOURCE_DIR}/cmake/shaders.cmake
        DEPENDS ${ARGN} ${PROJECT_SOURCE_DIR}/cmake/shaders.cmake VERBATIM)
    set(${variable} ${file} PARENT_SCOPE)
endfunction()
gyre_web_shaders(web_shader_source ${PROJECT_BINARY_DIR}/web_shaders.c ${view_shaders})

# The later of two settings counts: cmake/wasm.cmake has those of programs for Node.js.
set(GYRE_WEB_LINK -Oz CACHE STRING "How gyre.wasm is made as a whole: -O1 links in a third of the time")

add_library(gyre_web_objects OBJECT ${web_sources} ${web_session} ${web_draw} ${web_hand})
add_library(gyre_web_space_objects OBJECT ${web_draw_space} ${web_shader_source})
foreach(target gyre_web_objects gyre_web_space_objects)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/app)
    target_link_libraries(${target} PRIVATE gyre_flags gyre_scene_static PkgConfig::jansson)
endforeach()

# gyre_web_link(TARGET FOLDER OBJECTS LIBRARIES [LINK OPTIONS...]): FOLDER/gyre.js and gyre.wasm.
function(gyre_web_link target folder objects libraries)
    add_executable(${target} $<TARGET_OBJECTS:gyre_web_objects> ${objects})
    target_link_libraries(${target} PRIVATE gyre_flags ${libraries} m)
    set_target_properties(${target} PROPERTIES OUTPUT_NAME gyre
        RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${folder})
    # Debian has what emscripten's optimiser of JavaScript asks for where Node.js does not look.
    if(IS_DIRECTORY /usr/share/nodejs)
        set_target_properties(${target} PROPERTIES
            RULE_LAUNCH_LINK "${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs ")
    endif()
    target_link_options(${target} PRIVATE ${GYRE_WEB_LINK} --no-entry
        --extern-pre-js ${PROJECT_SOURCE_DIR}/app/web/native/node.js
        -sFORCE_FILESYSTEM=1 -sMODULARIZE=1 -sEXPORT_ES6=1
        -sEXPORT_NAME=gyre -sENVIRONMENT=web,worker
        -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2
        "-sEXPORTED_RUNTIME_METHODS=[FS,GL,UTF8ToString,stringToUTF8,lengthBytesUTF8,HEAPU8,HEAP32,HEAPF32,HEAPF64]"
        ${ARGN})
endfunction()
set(web_whole gyre_scene_static PkgConfig::jansson)
gyre_web_link(gyre_web web $<TARGET_OBJECTS:gyre_web_space_objects> "${web_whole}" -sUSE_PTHREADS=0)
# The threads of a device are workers that are there before they are asked for: a page's own thread
# must not wait for one. The caller says how many (`pthreads`), else as many as there are cores.
set(web_threads -pthread
    "-sPTHREAD_POOL_SIZE=Module[\"pthreads\"]||(typeof navigator==\"object\"&&navigator.hardwareConcurrency)||4")
gyre_web_link(gyre_web_threads web/threads
    "$<TARGET_OBJECTS:gyre_web_space_objects>;$<TARGET_OBJECTS:gyre_own_threads>" "${web_whole}"
    ${web_threads})
include(cmake/web_plane.cmake)

if(GYRE_TESTS)
    enable_testing()
    add_test(NAME test_web COMMAND ${GYRE_NODE} --no-experimental-fetch
        ${PROJECT_SOURCE_DIR}/test/web/test_web.mjs ${PROJECT_BINARY_DIR})
    set_tests_properties(test_web PROPERTIES LABELS web)
    add_test(NAME test_web_plane COMMAND ${GYRE_NODE} --no-experimental-fetch
        ${PROJECT_SOURCE_DIR}/test/web/plane.mjs ${PROJECT_BINARY_DIR})
    set_tests_properties(test_web_plane PROPERTIES LABELS web)
    # What a page fetches: of a module that is linked as it is shipped.
    add_test(NAME test_web_sizes COMMAND ${GYRE_NODE} --no-experimental-fetch
        ${PROJECT_SOURCE_DIR}/test/web/sizes.mjs ${PROJECT_BINARY_DIR})
    set_tests_properties(test_web_sizes PROPERTIES LABELS web)
endif()
