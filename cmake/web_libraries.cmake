# What scenes need on the web, where no pkg-config finds it: jansson and libpng with zlib, as
# static libraries from sources in GYRE_WEB_SOURCES, which script/web_sources fetches. Targets and
# variables are called as pkg-config's are.
set(GYRE_WEB_SOURCES "${PROJECT_SOURCE_DIR}/build-wasm/third_party" CACHE PATH
    "Folder with the sources of jansson, libpng and zlib (script/web_sources)")
set(web_lacks)
foreach(source jansson/src/jansson.h libpng/png.h zlib/zlib.h)
    if(NOT EXISTS ${GYRE_WEB_SOURCES}/${source})
        list(APPEND web_lacks ${GYRE_WEB_SOURCES}/${source})
    endif()
endforeach()
if(web_lacks)
    list(JOIN web_lacks ", " web_lacks)
    message(STATUS "gyre: no ${web_lacks}: script/web_sources fetches these sources")
    return()
endif()

# As small as they get: nothing here is a matter of speed. Their warnings are their own.
function(web_library name module)
    add_library(${name} STATIC ${ARGN})
    target_compile_options(${name} PRIVATE -Oz -w)
    set_target_properties(${name} PROPERTIES C_EXTENSIONS ON
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
# Its tables are made when they are first needed: five kB that cannot be compressed.
target_compile_definitions(web_zlib PRIVATE Z_HAVE_UNISTD_H DYNAMIC_CRC_TABLE)
target_include_directories(web_zlib SYSTEM PUBLIC ${GYRE_WEB_SOURCES}/zlib)

set(web_sources)
foreach(name png pngerror pngget pngmem pngread pngrio pngrtran pngrutil pngset pngtrans pngwio
        pngwrite pngwtran pngwutil)
    list(APPEND web_sources ${GYRE_WEB_SOURCES}/libpng/${name}.c)
endforeach()
# Without what a scene's picture makes no use of: what a PNG says beside its pixels, other ways to
# read one, and kinds of pixels that src/io/png.c does not ask for.
set(web_png_without
    READ_ALPHA_MODE READ_BACKGROUND READ_BGR READ_COMPOSITE_NODIV READ_COMPRESSED_TEXT READ_GAMMA
    READ_GET_PALETTE_MAX READ_INVERT_ALPHA READ_INVERT READ_PACKSWAP READ_PACK READ_QUANTIZE
    READ_RGB_TO_GRAY READ_SCALE_16_TO_8 READ_SHIFT READ_STRIP_16_TO_8 READ_STRIP_ALPHA
    READ_SWAP_ALPHA READ_SWAP READ_TEXT READ_UNKNOWN_CHUNKS READ_USER_CHUNKS READ_USER_TRANSFORM
    READ_bKGD READ_cHRM READ_eXIf READ_gAMA READ_hIST READ_iCCP READ_iTXt READ_oFFs READ_pCAL
    READ_pHYs READ_sBIT READ_sCAL READ_sPLT READ_sRGB READ_tEXt READ_tIME READ_zTXt
    PROGRESSIVE_READ SIMPLIFIED_READ SIMPLIFIED_READ_AFIRST SIMPLIFIED_READ_BGR HANDLE_AS_UNKNOWN
    SET_UNKNOWN_CHUNKS STORE_UNKNOWN_CHUNKS UNKNOWN_CHUNKS USER_CHUNKS MNG_FEATURES
    SAVE_UNKNOWN_CHUNKS WRITE_UNKNOWN_CHUNKS)
file(READ ${GYRE_WEB_SOURCES}/libpng/scripts/pnglibconf.h.prebuilt web_png_has)
foreach(option IN LISTS web_png_without)
    string(REPLACE "#define PNG_${option}_SUPPORTED\n" "" web_png_has "${web_png_has}")
endforeach()
file(CONFIGURE OUTPUT ${web_made}/libpng/pnglibconf.h CONTENT "${web_png_has}" @ONLY)
web_library(web_libpng libpng ${web_sources})
target_include_directories(web_libpng SYSTEM PUBLIC ${web_made}/libpng ${GYRE_WEB_SOURCES}/libpng)
target_link_libraries(web_libpng PUBLIC web_zlib)
