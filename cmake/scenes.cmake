# Writes scenes into a C file as bytes, for a string literal may be too short for them.
#     cmake -DSCENES=a.json;b.json -DALBUM=c.json -DOUTPUT=scenes.c -P scenes.cmake
set(written "// Made by cmake/scenes.cmake.\n#include \"validate/inner.h\"\n")
set(i 0)

# A table called `name` of the files in the list `files`.
function(add_table name files)
    set(table "const validate_scene_text ${name}[] = {\n")
    foreach(scene IN LISTS ${files})
        get_filename_component(own ${scene} NAME_WE)
        file(READ ${scene} text HEX)
        string(LENGTH "${text}" size)
        math(EXPR size "${size} / 2")
        string(REGEX REPLACE "(................................)" "\\1\n" text "${text}")
        string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," text "${text}")
        string(APPEND written "\nstatic const unsigned char text_${i}[] = {\n${text}};\n")
        string(APPEND table "    {\"${own}\", text_${i}, ${size}, NULL},\n")
        math(EXPR i "${i} + 1")
    endforeach()
    set(i ${i} PARENT_SCOPE)
    set(written "${written}\n${table}    {NULL, NULL, 0, NULL}};\n" PARENT_SCOPE)
endfunction()

add_table(validate_scenes SCENES)
add_table(validate_album ALBUM)
if(i EQUAL 0)
    message(FATAL_ERROR "no scenes were named")
endif()
file(WRITE ${OUTPUT} "${written}")
