# The Vulkan device: where volk (which finds Vulkan at run time) and glslc are there. Twins of ops,
# OP.comp beside their bodies, are compiled to SPIR-V and put into the library, with checks that both
# languages lay out their arguments alike: see src/device/vulkan/embed/embed.c.
option(GYRE_VULKAN "Build the Vulkan device" ON)
if(NOT GYRE_VULKAN)
    message(STATUS "gyre: WITHOUT Vulkan: GYRE_VULKAN is off")
    return()
endif()
# Its tool runs on the machine that builds.
if(CMAKE_CROSSCOMPILING)
    message(STATUS "gyre: WITHOUT Vulkan: it is not built for another machine")
    return()
endif()

find_program(GYRE_GLSLC glslc)
find_path(GYRE_VOLK volk.c)
find_path(GYRE_VULKAN_HEADERS vulkan/vulkan.h)
set(vulkan_lacks)
foreach(part "GLSLC;glslc" "VOLK;volk.c" "VULKAN_HEADERS;vulkan/vulkan.h")
    list(GET part 0 variable)
    if(NOT GYRE_${variable})
        list(GET part 1 name)
        list(APPEND vulkan_lacks ${name})
    endif()
endforeach()
if(vulkan_lacks)
    list(JOIN vulkan_lacks " and " vulkan_lacks)
    message(STATUS "gyre: WITHOUT Vulkan: ${vulkan_lacks} not found "
        "(Debian: glslc, libvulkan-volk-dev, libvulkan-dev)")
    return()
endif()

set(vulkan_place ${PROJECT_BINARY_DIR}/vulkan)
gyre_files(twins *.comp ${op_rooms})
gyre_files(twin_includes *.glsl ${op_rooms})
gyre_files(twin_lists twins.txt ${op_rooms})
file(MAKE_DIRECTORY ${vulkan_place})

set(twin_modules)
foreach(twin IN LISTS twins)
    get_filename_component(name ${twin} NAME_WE)
    # Not optimised: that is the driver's business, and the names of members must stay.
    add_custom_command(OUTPUT ${vulkan_place}/${name}.spv
        COMMAND ${GYRE_GLSLC} --target-env=vulkan1.2 -I ${PROJECT_SOURCE_DIR}/src ${twin}
            -o ${vulkan_place}/${name}.spv
        DEPENDS ${twin} ${twin_includes} COMMENT "glslc ${name}.comp" VERBATIM)
    list(APPEND twin_modules ${vulkan_place}/${name}.spv)
endforeach()

add_executable(gyre_embed src/device/vulkan/embed/embed.c)
target_compile_options(gyre_embed PRIVATE
    -Wall -Wextra -Wpedantic -Wconversion -Wshadow $<$<BOOL:${GYRE_WERROR}>:-Werror>)
add_custom_command(OUTPUT ${vulkan_place}/twins.c
    COMMAND gyre_embed ${vulkan_place}/twins.c ${twin_lists} ${twin_modules}
    DEPENDS gyre_embed ${twin_lists} ${twin_modules} VERBATIM)

# volk's functions are globals named as Vulkan's own; a static library must not show those, for the
# program may have its own. So they get a prefix.
file(STRINGS ${GYRE_VOLK}/volk.h volk_lines REGEX "^extern PFN_vk|^[A-Za-z0-9_]+ volk[A-Za-z]+\\(")
set(volk_names "// Made by cmake/vulkan.cmake from volk.h.\n")
foreach(line IN LISTS volk_lines)
    # The name stands before the semicolon or the bracket.
    if(line MATCHES "^[A-Za-z0-9_ ]+ (vk[A-Za-z0-9]+|volk[A-Za-z]+)[^A-Za-z0-9]")
        string(APPEND volk_names "#define ${CMAKE_MATCH_1} gy_${CMAKE_MATCH_1}\n")
    endif()
endforeach()
file(CONFIGURE OUTPUT ${vulkan_place}/device/vulkan/volk_names.h CONTENT "${volk_names}" @ONLY)

file(GLOB vulkan_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/device/vulkan/*.c)
target_sources(gyre_core PRIVATE ${vulkan_sources} ${vulkan_place}/twins.c)
target_include_directories(gyre_core PRIVATE ${vulkan_place})
target_include_directories(gyre_core SYSTEM PRIVATE ${GYRE_VOLK} ${GYRE_VULKAN_HEADERS})
target_compile_definitions(gyre_core PRIVATE GY_WITH_VULKAN)
set(GYRE_HAS_VULKAN ON)
