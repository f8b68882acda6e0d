# What a test says of itself in lines of its own, before its first #include or wherever it likes:
#     // labels: golden small      see script/test for what they mean; "small" where there is none
#     // needs: scene              of: scene tool x11, threads (on the web: a module that has some)
#     // timeout: 7200             seconds; 300 where there is none
#
# gyre_test_words(FILE) sets test_labels, test_needs and test_timeout for the caller. A line that
# looks like one of these and cannot be read is an error: a comment that was wrapped anew would
# otherwise take a test out of its stages without a word.
set(gyre_known_labels golden small threads valgrind long slow gl vulkan web)
set(gyre_known_needs scene tool x11 threads)

set(labels_like "[Ll]abels?")
set(needs_like "[Nn]eeds?")
set(timeout_like "[Tt]ime-?out")

function(gyre_test_words source)
    foreach(key labels needs timeout)
        set(${key})
        set(seen 0)
        # Capitals, a missing "s", a word before it that ends a sentence: all meant as one of these.
        set(like "${${key}_like} *:")
        file(STRINGS ${source} lines REGEX "//(/* *|.*[].!?:,)] *)${like}")
        foreach(line IN LISTS lines)
            math(EXPR seen "${seen} + 1")
            if(NOT line MATCHES "^// ${key}:(( [a-z0-9]+)+)$" OR seen GREATER 1)
                message(FATAL_ERROR "gyre: ${source}: cannot read this line: ${line}\n"
                    "One line of its own is expected: // ${key}: WORDS")
            endif()
            string(STRIP "${CMAKE_MATCH_1}" ${key})
            string(REPLACE " " ";" ${key} "${${key}}")
        endforeach()
    endforeach()
    foreach(key labels needs)
        foreach(word IN LISTS ${key})
            if(NOT word IN_LIST gyre_known_${key})
                list(JOIN gyre_known_${key} " " known)
                message(FATAL_ERROR "gyre: ${source}: ${key}: no '${word}'; there are: ${known}")
            endif()
        endforeach()
    endforeach()
    if(timeout AND NOT timeout MATCHES "^[1-9][0-9]*$")
        message(FATAL_ERROR "gyre: ${source}: timeout: '${timeout}' is no number of seconds")
    endif()
    if(NOT labels)
        set(labels small)
    endif()
    if(NOT timeout)
        set(timeout 300)
    endif()
    set(test_labels ${labels} PARENT_SCOPE)
    set(test_needs ${needs} PARENT_SCOPE)
    set(test_timeout ${timeout} PARENT_SCOPE)
endfunction()
