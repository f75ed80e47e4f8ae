# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
#
# Model files and recordings as a C file, so that the program has them wherever it runs:
#     cmake -D "FILES=a.yaml;b.csv" -D OUT=files.c -P embed.cmake
set(texts "")
set(rows "")
set(count 0)
foreach(path IN LISTS FILES)
    get_filename_component(name ${path} NAME)
    set(folder models)
    if(name MATCHES "\\.csv$")
        set(folder recordings)
    endif()
    file(READ ${path} bytes HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    string(APPEND texts "static const unsigned char text_${count}[] = {${bytes}0};\n")
    string(APPEND rows "    {\"${folder}/${name}\", text_${count}, sizeof text_${count} - 1},\n")
    math(EXPR count "${count} + 1")
endforeach()
file(WRITE ${OUT} "// Made from ${count} files by cmake/embed.cmake.\n#include \"atlas/files.h\"\n\n${texts}\n"
     "const atlas_file atlas_files[] = {\n${rows}};\nconst int atlas_file_count = ${count};\n")
