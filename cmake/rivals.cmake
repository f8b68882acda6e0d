# Libraries that `gyre bench solvers` measures gyre's own solvers against: a module for each that is
# installed, beside the tool, which opens it at run time. Nothing else of the project sees them.
#     Debian: apt-get install libhypre-dev libopenmpi-dev libfftw3-dev
option(GYRE_RIVALS "Build the bench's modules for the libraries that it measures against" ON)
if(NOT GYRE_RIVALS OR GYRE_SANITIZE OR CMAKE_CROSSCOMPILING OR NOT TARGET gyre)
    return()
endif()

function(gyre_rival name)
    add_library(bench_${name} MODULE bench/rival/${name}.c)
    target_include_directories(bench_${name} PRIVATE ${PROJECT_SOURCE_DIR})
    target_include_directories(bench_${name} SYSTEM PRIVATE ${${name}_INCLUDE})
    # As quick as this machine can run what stands between the library's calls.
    target_compile_options(bench_${name} PRIVATE -O3 -march=native)
    target_link_libraries(bench_${name} PRIVATE gyre_flags ${${name}_LIBRARIES} m)
    set_target_properties(bench_${name} PROPERTIES
        PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
endfunction()

find_path(fftw_INCLUDE fftw3.h)
find_library(fftw_LIBRARY fftw3f)
find_library(fftw_THREADS fftw3f_threads)
mark_as_advanced(fftw_INCLUDE fftw_LIBRARY fftw_THREADS)
if(fftw_INCLUDE AND fftw_LIBRARY AND fftw_THREADS)
    set(fftw_LIBRARIES ${fftw_THREADS} ${fftw_LIBRARY} Threads::Threads)
    gyre_rival(fftw)
endif()

find_path(hypre_INCLUDE HYPRE_struct_ls.h PATH_SUFFIXES hypre)
find_library(hypre_LIBRARY HYPRE)
find_package(MPI QUIET COMPONENTS C)
mark_as_advanced(hypre_INCLUDE hypre_LIBRARY)
if(hypre_INCLUDE AND hypre_LIBRARY AND MPI_C_FOUND)
    set(hypre_LIBRARIES ${hypre_LIBRARY} MPI::MPI_C)
    gyre_rival(hypre)
endif()
