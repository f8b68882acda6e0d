# gyre-view, the interactive viewer: floor 7, with SDL2, OpenGL through libepoxy and Dear ImGui. All
# but main.c is gyre_view_parts, which tests link too.
set(GYRE_VIEW OFF)
set(view_lacks)
foreach(module sdl2 epoxy imgui)
    if(PKG_CONFIG_FOUND)
        pkg_check_modules(${module} IMPORTED_TARGET ${module})
    endif()
    if(NOT ${module}_FOUND)
        list(APPEND view_lacks ${module})
    endif()
endforeach()
file(GLOB view_sources CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/app/view/*/*.c ${PROJECT_SOURCE_DIR}/app/view/*/*.cpp)
file(GLOB view_shaders CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/app/view/draw/shader/*.glsl)
set(view_main ${PROJECT_SOURCE_DIR}/app/view/window/main.c)
list(REMOVE_ITEM view_sources ${view_main})
list(JOIN view_lacks " and " view_lacks)

if(NOT GYRE_SCENE)
    return()
endif()
if(view_lacks)
    message(STATUS "gyre: WITHOUT the viewer: pkg-config does not find ${view_lacks} "
        "(Debian: libsdl2-dev, libepoxy-dev, libimgui-dev)")
    return()
endif()

# Dear ImGui is C++; nothing else here is. Asked for first: to enable what is not there is an error.
if(view_sources MATCHES "\\.cpp(;|$)")
    include(CheckLanguage)
    check_language(CXX)
    if(NOT CMAKE_CXX_COMPILER)
        message(STATUS "gyre: WITHOUT the viewer: there is no C++ compiler (Debian: g++)")
        return()
    endif()
    set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG" CACHE STRING "Flags of a Release build of C++")
    enable_language(CXX)
    set(CMAKE_CXX_STANDARD 17)
    set(CMAKE_CXX_STANDARD_REQUIRED ON)
    set(CMAKE_CXX_EXTENSIONS OFF)
endif()
set(GYRE_VIEW ON)

# As bytes in a C file, so that the program needs no files beside it.
set(view_shader_source ${PROJECT_BINARY_DIR}/view_shaders.c)
add_custom_command(OUTPUT ${view_shader_source}
    COMMAND ${CMAKE_COMMAND} "-DSHADERS=${view_shaders}" -DOUTPUT=${view_shader_source}
        -P ${PROJECT_SOURCE_DIR}/cmake/shaders.cmake
    DEPENDS ${view_shaders} ${PROJECT_SOURCE_DIR}/cmake/shaders.cmake VERBATIM)

add_library(gyre_view_parts OBJECT ${view_sources} ${view_shader_source})
target_include_directories(gyre_view_parts PUBLIC ${PROJECT_SOURCE_DIR}/app)
target_link_libraries(gyre_view_parts
    PUBLIC gyre_scene_static PkgConfig::sdl2 PkgConfig::epoxy PkgConfig::imgui PkgConfig::libpng
        Threads::Threads m
    PRIVATE gyre_flags)
# Where the gallery finds scenes when the program runs from a tree that was not installed.
target_compile_definitions(gyre_view_parts PRIVATE VIEW_SOURCE_DIR="${PROJECT_SOURCE_DIR}")

if(EXISTS ${view_main})
    add_executable(gyre-view ${view_main})
    target_link_libraries(gyre-view PRIVATE gyre_flags gyre_view_parts)
    set_target_properties(gyre-view PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
endif()
