# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
#
# How everything is compiled, and the two functions that make a library from a list of files.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_C_FLAGS_DEBUG "-O0 -g")

set(SLIPSTICK_C_OPTIONS -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wformat-security)
if(SLIPSTICK_WERROR)
    list(APPEND SLIPSTICK_C_OPTIONS -Werror)
endif()

# The same numbers on every machine: no fused multiply-add behind our back, no -march=native.
add_compile_options(-ffp-contract=off)
# sqrt and fma need not set errno: nobody reads it, and without that they are single instructions.
add_compile_options(-fno-math-errno)

if(SLIPSTICK_SANITIZE)
    add_compile_options(-fsanitize=${SLIPSTICK_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g)
    add_link_options(-fsanitize=${SLIPSTICK_SANITIZE})
endif()
if(SLIPSTICK_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(SLIPSTICK_COVERAGE)
    add_compile_options(--coverage)
    add_link_options(--coverage)
endif()

# Writes a linker's script that exports what these headers declare as SS_API, and nothing else. (Hidden visibility alone
# is not enough: gcc forgets it for functions that it clones for several processors.)
function(slipstick_exports script headers)
    set(names "")
    foreach(header ${headers})
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
        file(READ ${header} text)
        string(REPLACE ";" "" text "${text}")
        string(REGEX MATCHALL "\nSS_API [^(]*ss_[a-z0-9_]+\\(" found "${text}")
        foreach(declaration ${found})
            string(REGEX MATCH "(ss_[a-z0-9_]+)\\($" name "${declaration}")
            string(APPEND names "    ${CMAKE_MATCH_1};\n")
        endforeach()
    endforeach()
    file(CONFIGURE OUTPUT ${script} CONTENT "{\nglobal:\n${names}local: *;\n};\n")
endfunction()

# Compiles the files once and makes NAME (shared, with SONAME) and NAME-static of them; the shared one exports what the
# headers declare.
function(slipstick_library name sources headers)
    add_library(${name}-objects OBJECT ${sources})
    target_include_directories(${name}-objects PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
    # Calls inside the library go straight to their target, exported or not.
    target_compile_options(${name}-objects PRIVATE ${SLIPSTICK_C_OPTIONS} -fno-semantic-interposition)
    set_target_properties(${name}-objects PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)

    add_library(${name} SHARED $<TARGET_OBJECTS:${name}-objects>)
    add_library(${name}-static STATIC $<TARGET_OBJECTS:${name}-objects>)
    set_target_properties(${name} PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
    set_target_properties(${name}-static PROPERTIES OUTPUT_NAME ${name})
    set(script ${CMAKE_CURRENT_BINARY_DIR}/${name}.map)
    slipstick_exports(${script} "${headers}")
    set_target_properties(${name} PROPERTIES LINK_DEPENDS ${script})
    target_link_options(${name} PRIVATE LINKER:--version-script=${script})
    if(NOT SLIPSTICK_SANITIZE) # whose own symbols come with the program
        target_link_options(${name} PRIVATE LINKER:--no-undefined)
    endif()
    foreach(target ${name} ${name}-static)
        set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C)
        target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                                    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    endforeach()
endfunction()

# What the library itself needs; users of the shared one need not know.
function(slipstick_link name)
    target_link_libraries(${name} PRIVATE ${ARGN})
    target_link_libraries(${name}-static PRIVATE ${ARGN})
endfunction()
