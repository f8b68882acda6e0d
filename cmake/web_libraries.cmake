# What scenes need on the web, where no pkg-config finds it: jansson, libpng with zlib, and muparser,
# as static libraries from sources in GYRE_WEB_SOURCES, which script/web_sources fetches. Targets and
# variables are called as pkg-config's are.
set(GYRE_WEB_SOURCES "${PROJECT_SOURCE_DIR}/build-wasm/third_party" CACHE PATH
    "Folder with the sources of jansson, libpng, muparser and zlib (script/web_sources)")
set(web_lacks)
foreach(source jansson/src/jansson.h libpng/png.h muparser/include/muParserDLL.h zlib/zlib.h)
    if(NOT EXISTS ${GYRE_WEB_SOURCES}/${source})
        list(APPEND web_lacks ${GYRE_WEB_SOURCES}/${source})
    endif()
endforeach()
if(web_lacks)
    list(JOIN web_lacks ", " web_lacks)
    message(STATUS "gyre: no ${web_lacks}: script/web_sources fetches these sources")
    return()
endif()
enable_language(CXX)

# As small as they get: nothing here is a matter of speed. Their warnings are their own.
function(web_library name module)
    add_library(${name} STATIC ${ARGN})
    target_compile_options(${name} PRIVATE -Oz -w)
    set_target_properties(${name} PROPERTIES C_EXTENSIONS ON CXX_STANDARD 11
        ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/third_party)
    # Imported, as pkg-config's are: what is installed names it and does not bring it.
    add_library(PkgConfig::${module} INTERFACE IMPORTED)
    target_link_libraries(PkgConfig::${module} INTERFACE ${name})
    set(${module}_FOUND ON PARENT_SCOPE)
endfunction()
set(web_made ${PROJECT_BINARY_DIR}/third_party)

# jansson's own templates, with what emscripten's C library has.
function(web_jansson)
    foreach(has STDINT_H INTTYPES_H SYS_TYPES_H ENDIAN_H FCNTL_H SCHED_H UNISTD_H SYS_PARAM_H SYS_STAT_H
            SYS_TIME_H CLOSE GETPID GETTIMEOFDAY OPEN READ SCHED_YIELD SYNC_BUILTINS ATOMIC_BUILTINS
            LOCALE_H SETLOCALE INT32_T UINT32_T UINT16_T UINT8_T SSIZE_T)
        set(HAVE_${has} 1)
    endforeach()
    set(JSON_INLINE inline)
    set(JSON_INT_T "long long")
    set(JSON_STRTOINT strtoll)
    set(JSON_INTEGER_FORMAT "\"lld\"")
    set(JSON_HAVE_LOCALECONV 0) # the C locale is the only one
    set(JSON_HAVE_ATOMIC_BUILTINS 1)
    set(JSON_HAVE_SYNC_BUILTINS 1)
    set(USE_URANDOM 1)
    set(JANSSON_INITIAL_HASHTABLE_ORDER 3)
    foreach(header jansson_config jansson_private_config)
        configure_file(${GYRE_WEB_SOURCES}/jansson/cmake/${header}.h.cmake
            ${web_made}/jansson/${header}.h)
    endforeach()
endfunction()
web_jansson()
file(GLOB web_sources ${GYRE_WEB_SOURCES}/jansson/src/*.c)
web_library(web_jansson jansson ${web_sources})
target_compile_definitions(web_jansson PRIVATE HAVE_CONFIG_H)
target_include_directories(web_jansson SYSTEM PUBLIC
    ${web_made}/jansson ${GYRE_WEB_SOURCES}/jansson/src)

set(web_sources)
foreach(name adler32 compress crc32 deflate inffast inflate inftrees trees zutil)
    list(APPEND web_sources ${GYRE_WEB_SOURCES}/zlib/${name}.c)
endforeach()
web_library(web_zlib zlib ${web_sources})
target_compile_definitions(web_zlib PRIVATE Z_HAVE_UNISTD_H)
target_include_directories(web_zlib SYSTEM PUBLIC ${GYRE_WEB_SOURCES}/zlib)

set(web_sources)
foreach(name png pngerror pngget pngmem pngread pngrio pngrtran pngrutil pngset pngtrans pngwio
        pngwrite pngwtran pngwutil)
    list(APPEND web_sources ${GYRE_WEB_SOURCES}/libpng/${name}.c)
endforeach()
configure_file(${GYRE_WEB_SOURCES}/libpng/scripts/pnglibconf.h.prebuilt
    ${web_made}/libpng/pnglibconf.h COPYONLY)
web_library(web_libpng libpng ${web_sources})
target_include_directories(web_libpng SYSTEM PUBLIC ${web_made}/libpng ${GYRE_WEB_SOURCES}/libpng)
target_link_libraries(web_libpng PUBLIC web_zlib)

# Its errors are C++ exceptions, caught where its C functions end.
set(web_sources)
foreach(name muParser muParserBase muParserBytecode muParserCallback muParserDLL muParserError
        muParserInt muParserTokenReader)
    list(APPEND web_sources ${GYRE_WEB_SOURCES}/muparser/src/${name}.cpp)
endforeach()
list(APPEND web_sources ${PROJECT_SOURCE_DIR}/app/web/native/muparser/terminate.cpp)
web_library(web_muparser muparser ${web_sources})
# Streams of its own, before the C++ library's: see the files.
target_include_directories(web_muparser BEFORE PRIVATE ${PROJECT_SOURCE_DIR}/app/web/native/muparser)
target_compile_definitions(web_muparser PRIVATE MUPARSER_DLL PUBLIC MUPARSER_STATIC)
target_compile_options(web_muparser PRIVATE -fexceptions)
target_link_options(web_muparser INTERFACE -fexceptions)
target_include_directories(web_muparser SYSTEM PUBLIC ${GYRE_WEB_SOURCES}/muparser/include)
