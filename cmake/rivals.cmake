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

# hypre stands on MPI. CMake's own search for MPI asks the first mpicc that it finds and stops the
# configure where that names folders which are not there, as on a machine that has MPI's programs
# (VTK and ParaView bring them) without its headers. So header and library are looked for as any
# other, and both libraries count as found where a program links.
find_path(hypre_INCLUDE HYPRE_struct_ls.h PATH_SUFFIXES hypre)
find_library(hypre_LIBRARY HYPRE)
if(hypre_INCLUDE AND hypre_LIBRARY)
    set(mpi_folders)
    foreach(place lib lib64 lib/${CMAKE_LIBRARY_ARCHITECTURE})
        foreach(kind openmpi mpich)
            list(APPEND mpi_folders ${place}/${kind})
        endforeach()
    endforeach()
    set(mpi_header_folders ${mpi_folders})
    list(TRANSFORM mpi_header_folders APPEND /include)
    set(mpi_library_folders ${mpi_folders})
    list(TRANSFORM mpi_library_folders APPEND /lib)
    # A search goes through prefixes (/usr) with these behind them, and through their include/.
    find_path(mpi_INCLUDE mpi.h PATHS /usr /usr/local
        PATH_SUFFIXES ${mpi_header_folders} mpi openmpi mpich
            openmpi-${CMAKE_SYSTEM_PROCESSOR} mpich-${CMAKE_SYSTEM_PROCESSOR})
    find_library(mpi_LIBRARY NAMES mpi mpich PATHS /usr /usr/local
        PATH_SUFFIXES ${mpi_library_folders})
    mark_as_advanced(mpi_INCLUDE mpi_LIBRARY)
endif()
mark_as_advanced(hypre_INCLUDE hypre_LIBRARY)
if(hypre_INCLUDE AND hypre_LIBRARY AND mpi_INCLUDE AND mpi_LIBRARY)
    include(CheckCSourceCompiles)
    set(hypre_INCLUDE ${hypre_INCLUDE} ${mpi_INCLUDE})
    set(hypre_LIBRARIES ${hypre_LIBRARY} ${mpi_LIBRARY})
    set(CMAKE_REQUIRED_INCLUDES ${hypre_INCLUDE})
    set(CMAKE_REQUIRED_LIBRARIES ${hypre_LIBRARIES} m)
    check_c_source_compiles("#include <mpi.h>
        #include <HYPRE_struct_ls.h>
        int main(void)
        {
            HYPRE_StructGrid grid;
            return MPI_Init(0, 0) || HYPRE_StructGridCreate(MPI_COMM_SELF, 2, &grid);
        }" GYRE_HYPRE_LINKS)
    unset(CMAKE_REQUIRED_INCLUDES)
    unset(CMAKE_REQUIRED_LIBRARIES)
    if(GYRE_HYPRE_LINKS)
        gyre_rival(hypre)
    else()
        message(STATUS "gyre: WITHOUT hypre in the bench: it and MPI are here, but do not link "
            "(${hypre_LIBRARY}, ${mpi_LIBRARY})")
    endif()
endif()
