# Each public header by itself, as pedantic C17 and as C++17.
#     cmake -DSOURCE= -DCC= -DPLACE= -P test_headers.cmake
file(GLOB headers RELATIVE ${SOURCE}/include ${SOURCE}/include/gyre/*.h)
if(NOT headers)
    message(FATAL_ERROR "found no headers")
endif()
set(failures 0)
foreach(header IN LISTS headers)
    # Twice, for the include guard.
    file(WRITE ${PLACE}/header.c "#include <${header}>\n#include <${header}>\n")
    foreach(language "c;-std=c17" "c++;-std=c++17")
        list(POP_FRONT language name)
        execute_process(COMMAND ${CC} -x ${name} ${language} -Wall -Wextra -Wpedantic -Wconversion
            -Wshadow -Werror -fsyntax-only -I${SOURCE}/include ${PLACE}/header.c
            RESULT_VARIABLE status ERROR_VARIABLE errors)
        if(NOT status EQUAL 0)
            math(EXPR failures "${failures} + 1")
            message("${header} as ${language}:\n${errors}")
        endif()
    endforeach()
endforeach()
if(failures)
    message(FATAL_ERROR "${failures} failures")
endif()
list(LENGTH headers count)
message("${count} headers")
