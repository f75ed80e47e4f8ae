# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
#
# The player of single motions as a C file: its style, and its script, which is empty where there is no esbuild.
#     cmake -D SCRIPT=player.js -D STYLE=style.css -D OUT=player.c -P player.cmake
set(texts "")
foreach(part script style)
    string(TOUPPER ${part} path)
    set(bytes "")
    if(${path})
        file(READ ${${path}} bytes HEX)
        string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    endif()
    string(APPEND texts "const char cli_player_${part}[] = {${bytes}0};\n")
endforeach()
file(WRITE ${OUT} "// Made by cmake/player.cmake.\n#include \"command/simulate_page.h\"\n\n${texts}")
