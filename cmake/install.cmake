# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
#
# cmake --install: headers, libraries, pkg-config and CMake packages, program, man page. All of it finds
# itself relative to where it lies, so a tree installed with --prefix, or moved later, still works.

include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Slipstick)
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(TARGETS slipstick EXPORT SlipstickTargets)
install(TARGETS slipstick-static EXPORT SlipstickTargets)
set_target_properties(slipstick-static PROPERTIES EXPORT_NAME static)
install(FILES ${core_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/slipstick)

if(TARGET slipstick-lab)
    install(TARGETS slipstick-lab EXPORT SlipstickTargets)
    # Its dependencies have no CMake packages of their own: link it statically by pkg-config --static.
    install(TARGETS slipstick-lab-static ARCHIVE)
    set_target_properties(slipstick-lab PROPERTIES EXPORT_NAME lab INSTALL_RPATH "$ORIGIN")
    install(FILES ${lab_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/slipstick)
endif()

if(TARGET slipstick-program)
    install(TARGETS slipstick-program)
endif()
# Completion of command lines, as the program itself writes it; where the shells look for it.
if(TARGET slipstick-program AND NOT CMAKE_CROSSCOMPILING AND NOT SLIPSTICK_FUZZ) # whose program does not run
    set(SLIPSTICK_ZSH_DIR ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE STRING "Folder of completions for zsh")
    set(bash_completion ${CMAKE_INSTALL_DATADIR}/bash-completion/completions/slipstick)
    set(zsh_completion ${SLIPSTICK_ZSH_DIR}/_slipstick)
    set(fish_completion ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d/slipstick.fish)
    foreach(shell bash zsh fish)
        set(script ${PROJECT_BINARY_DIR}/completion/slipstick.${shell})
        add_custom_command(OUTPUT ${script}
            COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/completion
            COMMAND slipstick-program completion ${shell} > ${script} VERBATIM)
        list(APPEND completion_scripts ${script})
        get_filename_component(folder ${${shell}_completion} DIRECTORY)
        get_filename_component(name ${${shell}_completion} NAME)
        install(FILES ${script} DESTINATION ${folder} RENAME ${name})
    endforeach()
    add_custom_target(slipstick-completion ALL DEPENDS ${completion_scripts})
endif()
if(TARGET slipstick-mpi)
    install(TARGETS slipstick-mpi)
endif()
install(FILES docs/man/slipstick.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES docs/man/slipstick-model.5 DESTINATION ${CMAKE_INSTALL_MANDIR}/man5)
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs models DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN *.py EXCLUDE) # as README.md links to them

install(EXPORT SlipstickTargets NAMESPACE slipstick:: DESTINATION ${package_dir})
configure_package_config_file(cmake/SlipstickConfig.cmake.in ${PROJECT_BINARY_DIR}/SlipstickConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/SlipstickConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/SlipstickConfig.cmake ${PROJECT_BINARY_DIR}/SlipstickConfigVersion.cmake
        DESTINATION ${package_dir})

# How to get from lib/pkgconfig back to the prefix: "../..", or "../../.." below lib/x86_64-linux-gnu.
file(RELATIVE_PATH prefix_from_pc /prefix/${pkgconfig_dir} /prefix)
string(REGEX REPLACE "/$" "" prefix_from_pc "${prefix_from_pc}")
foreach(name slipstick slipstick-lab)
    configure_file(cmake/${name}.pc.in ${name}.pc @ONLY)
    if(TARGET ${name})
        install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${pkgconfig_dir})
    endif()
endforeach()
