# The manual page and the completions of shells: printed by the tool, from its own tables. A tool for
# another machine cannot be run here, and a sanitized one is not for installing.
if(NOT TARGET gyre OR CMAKE_CROSSCOMPILING OR GYRE_SANITIZE)
    return()
endif()

set(manual_place ${PROJECT_BINARY_DIR}/manual)
file(MAKE_DIRECTORY ${manual_place})
set(manual_files)
function(gyre_manual file folder)
    list(JOIN ARGN " " words)
    add_custom_command(OUTPUT ${manual_place}/${file}
        COMMAND gyre help ${ARGN} > ${manual_place}/${file}
        DEPENDS gyre COMMENT "gyre help ${words}" VERBATIM)
    list(APPEND manual_files ${manual_place}/${file})
    set(manual_files ${manual_files} PARENT_SCOPE)
    install(FILES ${manual_place}/${file} DESTINATION ${folder} ${rename})
endfunction()
gyre_manual(gyre.1 ${CMAKE_INSTALL_MANDIR}/man1 --manual)
# The file of bash has the name of the command; here the tool has it.
set(rename RENAME gyre)
gyre_manual(gyre.bash ${CMAKE_INSTALL_DATADIR}/bash-completion/completions --completion bash)
set(rename)
gyre_manual(_gyre ${CMAKE_INSTALL_DATADIR}/zsh/site-functions --completion zsh)
gyre_manual(gyre.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d --completion fish)
add_custom_target(gyre_manual ALL DEPENDS ${manual_files})
