# Every test/test_*.c is one cmocka program and one ctest test of that name. A line
#     // labels: golden threads
# in it gives its labels, "small" where there is none; see script/test for what they mean, and
# labels.cmake for other such lines. No edit here for a new test.
include(cmake/labels.cmake)

# Such tests see the library from inside: they include headers of src/ and link the static
# libraries, whose gy_ symbols are there to be had.
add_library(gyre_test_base INTERFACE)
target_link_libraries(gyre_test_base INTERFACE gyre_flags gyre_static m)
target_include_directories(gyre_test_base INTERFACE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
target_compile_definitions(gyre_test_base INTERFACE
    GYRE_SOURCE_DIR="${PROJECT_SOURCE_DIR}" GYRE_BINARY_DIR="${PROJECT_BINARY_DIR}")
if(GYRE_HAS_VULKAN)
    target_compile_definitions(gyre_test_base INTERFACE GY_WITH_VULKAN)
    target_include_directories(gyre_test_base INTERFACE ${vulkan_place})
    target_include_directories(gyre_test_base SYSTEM INTERFACE ${GYRE_VOLK} ${GYRE_VULKAN_HEADERS})
endif()
if(GYRE_SCENE)
    target_link_libraries(gyre_test_base INTERFACE gyre_scene_static
        PkgConfig::jansson PkgConfig::libpng)
endif()

if(GYRE_TEST_STAND_IN)
    target_include_directories(gyre_test_base INTERFACE ${PROJECT_SOURCE_DIR}/test/stand_in)
    target_compile_definitions(gyre_test_base INTERFACE GYRE_TEST_EMULATED)
else()
    if(PKG_CONFIG_FOUND)
        pkg_check_modules(cmocka IMPORTED_TARGET cmocka>=1.1)
    endif()
    if(NOT cmocka_FOUND)
        message(STATUS "gyre: WITHOUT tests: pkg-config does not find cmocka (Debian: libcmocka-dev). "
            "-DGYRE_TESTS=OFF says that this is meant.")
        return()
    endif()
    target_link_libraries(gyre_test_base INTERFACE PkgConfig::cmocka)
endif()

# Kernels that stand in headers, as the ops have them: test/isa/*.c is compiled once per instruction
# set. GYRE_TEST_ISAS is GYRE_TEST_ISA(name) for each.
file(GLOB isa_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/test/isa/*.c)
add_library(gyre_test_isas STATIC)
set(isa_list)
foreach(isa IN LISTS GYRE_ISAS)
    add_library(gyre_test_${isa} OBJECT ${isa_sources})
    target_include_directories(gyre_test_${isa} PRIVATE
        ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
    target_compile_definitions(gyre_test_${isa} PRIVATE GY_ISA=${isa})
    target_compile_options(gyre_test_${isa} PRIVATE
        ${GYRE_ISA_FLAGS_${isa}}
        $<$<CONFIG:Debug>:-Wno-sign-conversion>)
    target_link_libraries(gyre_test_${isa} PRIVATE gyre_flags gyre_hot_flags)
    target_sources(gyre_test_isas PRIVATE $<TARGET_OBJECTS:gyre_test_${isa}>)
    string(APPEND isa_list " GYRE_TEST_ISA(${isa})")
endforeach()
target_link_libraries(gyre_test_base INTERFACE gyre_test_isas)
target_compile_definitions(gyre_test_base INTERFACE "GYRE_TEST_ISAS=${isa_list}")

file(GLOB test_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/test/test_*.c)
# Whatever else stands in test/ and is no test is there for several of them.
file(GLOB test_shared CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/test/*.c)
list(REMOVE_ITEM test_shared ${test_sources})
if(test_shared)
    add_library(gyre_test_shared OBJECT ${test_shared})
    target_link_libraries(gyre_test_shared PRIVATE gyre_test_base)
endif()

foreach(source IN LISTS test_sources)
    get_filename_component(name ${source} NAME_WE)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    gyre_test_words(${source})
    file(STRINGS ${source} upper REGEX
        "^#include \"(gyre/(io|render|scene|picture|video|camera)\\.h|(io|render|scene)/)")
    if((upper OR "scene" IN_LIST test_needs OR "tool" IN_LIST test_needs) AND NOT GYRE_SCENE)
        message(STATUS "gyre: WITHOUT ${name}: it needs scenes, which are not built")
        continue()
    endif()
    file(STRINGS ${source} viewer REGEX "^#include \"view/")
    if(viewer AND NOT GYRE_VIEW)
        message(STATUS "gyre: WITHOUT ${name}: it needs the viewer, which is not built")
        continue()
    endif()
    set(display OFF)
    if("x11" IN_LIST test_needs)
        set(display ON)
    endif()
    if(display AND PKG_CONFIG_FOUND AND NOT TARGET PkgConfig::x11)
        pkg_check_modules(x11 IMPORTED_TARGET x11)
    endif()
    if(display AND NOT TARGET PkgConfig::x11)
        message(STATUS "gyre: WITHOUT ${name}: pkg-config does not find x11 (Debian: libx11-dev)")
        continue()
    endif()
    # The stand-in is there for targets that are emulated; only golden results are asked for there.
    if(GYRE_TEST_STAND_IN AND NOT "golden" IN_LIST test_labels)
        continue()
    endif()
    add_executable(${name} ${source})
    # What the tests of a label need can be built alone: tests_small and so on. As script/test runs
    # them, those that are slow are not among those of their other labels.
    foreach(label IN LISTS test_labels)
        if(NOT TARGET tests_${label})
            add_custom_target(tests_${label})
        endif()
        if(label STREQUAL "slow" OR NOT "slow" IN_LIST test_labels)
            add_dependencies(tests_${label} ${name})
        endif()
        if("tool" IN_LIST test_needs AND TARGET gyre)
            add_dependencies(tests_${label} gyre)
        endif()
    endforeach()
    target_link_libraries(${name} PRIVATE gyre_test_base $<TARGET_NAME_IF_EXISTS:gyre_test_shared>)
    if(viewer)
        target_link_libraries(${name} PRIVATE gyre_view_parts)
    endif()
    if(display)
        target_link_libraries(${name} PRIVATE PkgConfig::x11)
    endif()
    set_target_properties(${name} PROPERTIES
        RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test)
    # On the web a program has threads or has none.
    if(CMAKE_SYSTEM_NAME STREQUAL "Emscripten")
        target_link_options(${name} PRIVATE ${GYRE_WEB_PROGRAM})
        if("web" IN_LIST test_labels AND NOT "scene" IN_LIST test_needs)
            # Those need no files: so that they run in a browser, too (script/web_hashes).
            target_link_options(${name} PRIVATE -sNODERAWFS=0)
            add_executable(${name}_threads ${source} $<TARGET_OBJECTS:gyre_own_threads>)
            add_dependencies(tests_web ${name}_threads)
            target_link_libraries(${name}_threads
                PRIVATE gyre_test_base $<TARGET_NAME_IF_EXISTS:gyre_test_shared>)
            target_link_options(${name}_threads PRIVATE ${GYRE_WEB_PROGRAM_THREADS})
            set_target_properties(${name}_threads PROPERTIES
                RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test)
            add_test(NAME ${name}_threads COMMAND ${name}_threads
                WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
            set_tests_properties(${name}_threads PROPERTIES LABELS "${test_labels}"
                TIMEOUT ${test_timeout} SKIP_RETURN_CODE 77)
        endif()
    endif()
    if(CMAKE_SYSTEM_NAME STREQUAL "Emscripten" AND "threads" IN_LIST test_needs)
        continue()
    endif()
    add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(${name} PROPERTIES LABELS "${test_labels}" TIMEOUT ${test_timeout}
        SKIP_RETURN_CODE 77)
endforeach()

foreach(source IN LISTS sample_sources)
    get_filename_component(name ${source} NAME_WE)
    # The prototype runs until it is told to stop: so many frames, and no display.
    add_test(NAME sample_${name}
        COMMAND sample_${name} $<$<STREQUAL:${name},prototype>:64> $<$<STREQUAL:${name},prototype>:20>
        COMMAND_EXPAND_LISTS)
    set_tests_properties(sample_${name} PROPERTIES LABELS sample TIMEOUT 120
        WORKING_DIRECTORY ${PROJECT_BINARY_DIR})
endforeach()
foreach(name sample_vulkan_engine sample_vulkan_texture)
    if(TEST ${name})
        set_tests_properties(${name} PROPERTIES LABELS "sample;vulkan" SKIP_RETURN_CODE 77)
        # Mesa's driver for processors forgets 128 bytes when it is unloaded.
        if(GYRE_SANITIZE)
            set_tests_properties(${name} PROPERTIES ENVIRONMENT ASAN_OPTIONS=detect_leaks=0)
        endif()
    endif()
endforeach()
if(TEST sample_prototype)
    set_tests_properties(sample_prototype PROPERTIES ENVIRONMENT SDL_VIDEODRIVER=dummy)
endif()

if(GYRE_SCENE)
    foreach(source IN LISTS ladder_sources)
        get_filename_component(name ${source} NAME_WE)
        # Each rung fails by itself when it does not show what it says.
        add_test(NAME ladder_${name} COMMAND ladder_${name})
        set_tests_properties(ladder_${name} PROPERTIES LABELS sample TIMEOUT 120
            WORKING_DIRECTORY ${PROJECT_BINARY_DIR}/sample/ladder)
    endforeach()
endif()

# The gates of the benches that no clock is needed for: as good on a busy machine.
if(TARGET gyre)
    foreach(part gas solvers water ocean)
        add_test(NAME bench_${part} COMMAND gyre bench ${part} --untimed --gate)
        set_tests_properties(bench_${part} PROPERTIES LABELS bench TIMEOUT 300)
    endforeach()
    add_test(NAME bench_transport COMMAND gyre bench transport --quick --gate)
    set_tests_properties(bench_transport PROPERTIES LABELS bench TIMEOUT 300)
    add_test(NAME bench_game COMMAND gyre bench game --quick --gate --untimed)
    set_tests_properties(bench_game PROPERTIES LABELS bench TIMEOUT 300)
    add_test(NAME bench_render COMMAND gyre bench render --untimed --gate
        --scenes ${PROJECT_SOURCE_DIR}/scene)
    set_tests_properties(bench_render PROPERTIES LABELS bench TIMEOUT 300)
endif()

# The manual page and what completes words in shells.
if(TARGET gyre)
    add_test(NAME manual COMMAND ${PROJECT_SOURCE_DIR}/test/manual.sh $<TARGET_FILE:gyre>)
    set_tests_properties(manual PROPERTIES LABELS house TIMEOUT 120)
endif()

# Small sizes of what gyre validate measures; apart what takes longer than all the others together.
if(TARGET gyre)
    file(READ ${PROJECT_SOURCE_DIR}/app/validate/cases.h cases)
    set(validate_long energy_starts energy_closed energy_2d open_plume scenes_long)
    set(validate_short)
    string(REGEX MATCHALL "CASE\\([ \n]*[a-z0-9_]+, true" cases "${cases}")
    foreach(case IN LISTS cases)
        string(REGEX REPLACE "CASE\\([ \n]*([a-z0-9_]+), true" "\\1" case "${case}")
        if(NOT case IN_LIST validate_long)
            list(APPEND validate_short ${case})
        endif()
    endforeach()
    file(GLOB flows CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/album/*.json)
    foreach(flow IN LISTS flows)
        file(READ ${flow} text)
        get_filename_component(flow ${flow} NAME_WE)
        if(text MATCHES "\"run\": \"quick\"")
            list(APPEND validate_short ${flow})
        endif()
    endforeach()
    # The cost lets it start among the first: at the end one processor would wait for it.
    add_test(NAME validate COMMAND gyre validate ${validate_short} --quick)
    set_tests_properties(validate PROPERTIES LABELS validate TIMEOUT 900 COST 200)
    add_test(NAME validate_long COMMAND gyre validate ${validate_long} --quick)
    set_tests_properties(validate_long PROPERTIES LABELS "validate;slow" TIMEOUT 1800 COST 150)
    # Those that a driver for processors takes seconds for.
    add_test(NAME validate_vulkan COMMAND gyre validate translation dispersion dalembert slope
        open_side --quick --device vulkan)
    set_tests_properties(validate_vulkan PROPERTIES LABELS "validate;vulkan" TIMEOUT 300
        SKIP_REGULAR_EXPRESSION "vulkan: this (build|machine) has no")
endif()

add_test(NAME labels COMMAND ${CMAKE_COMMAND} -DPLACE=${PROJECT_BINARY_DIR}/labels
    -P ${PROJECT_SOURCE_DIR}/cmake/test_labels.cmake)
set_tests_properties(labels PROPERTIES LABELS house TIMEOUT 60)
add_test(NAME setup COMMAND ${PROJECT_SOURCE_DIR}/test/setup.sh)
set_tests_properties(setup PROPERTIES LABELS house TIMEOUT 120)
# What draws, once more as browsers do it: in OpenGL ES 3.0, of which WebGL 2 is a part.
foreach(name test_view_draw test_view_surface test_view_flow test_view_fire)
    if(TARGET ${name})
        add_test(NAME ${name}_es COMMAND ${name})
        set_tests_properties(${name}_es PROPERTIES LABELS gl ENVIRONMENT GYRE_TEST_ES=1 TIMEOUT 900)
    endif()
endforeach()

# Of whole configures: not where a sanitizer or another machine is what is tested.
if(GYRE_SCENE AND NOT GYRE_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
    add_test(NAME configure COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR}
        -DCC=${CMAKE_C_COMPILER} -DPLACE=${PROJECT_BINARY_DIR}/configure
        -P ${PROJECT_SOURCE_DIR}/cmake/test_configure.cmake)
    set_tests_properties(configure PROPERTIES LABELS house TIMEOUT 300)
endif()

# What is built as others use it. Sanitized or cross-compiled libraries are not for installing.
if(NOT GYRE_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
    add_test(NAME headers COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR}
        -DCC=${CMAKE_C_COMPILER} -DPLACE=${PROJECT_BINARY_DIR}/headers
        -P ${PROJECT_SOURCE_DIR}/cmake/test_headers.cmake)
    add_test(NAME tables COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR}
        -DCC=${CMAKE_C_COMPILER} -DPLACE=${PROJECT_BINARY_DIR}/headers
        -P ${PROJECT_SOURCE_DIR}/cmake/test_tables.cmake)
    set(shared $<TARGET_FILE:gyre_shared>)
    set(static $<TARGET_FILE:gyre_static>)
    if(GYRE_SCENE)
        list(APPEND shared $<TARGET_FILE:gyre_scene_shared>)
        list(APPEND static $<TARGET_FILE:gyre_scene_static>)
    endif()
    add_test(NAME symbols COMMAND ${CMAKE_COMMAND} -DNM=${CMAKE_NM} -DREADELF=${CMAKE_READELF}
        "-DSHARED=${shared}" "-DSTATIC=${static}" -DCORE=$<TARGET_FILE:gyre_shared>
        -P ${PROJECT_SOURCE_DIR}/cmake/test_symbols.cmake)
    add_test(NAME consumer COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR}
        -DSOURCE=${PROJECT_SOURCE_DIR} -DCC=${CMAKE_C_COMPILER} -DVERSION=${PROJECT_VERSION}
        -DSCENE=${GYRE_SCENE} -P ${PROJECT_SOURCE_DIR}/cmake/test_consumer.cmake)
    set_tests_properties(headers tables symbols consumer PROPERTIES LABELS install TIMEOUT 300)
endif()
