# cmake --install: headers, both libraries, find_package(gyre) and pkg-config files, the
# tool.
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/gyre)
install(DIRECTORY include/gyre DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(TARGETS gyre_shared gyre_static EXPORT gyreTargets)
install(EXPORT gyreTargets NAMESPACE gyre:: DESTINATION ${package_folder})

configure_package_config_file(cmake/gyreConfig.cmake.in ${PROJECT_BINARY_DIR}/gyreConfig.cmake
    INSTALL_DESTINATION ${package_folder})
# Before 1.0 a minor version may change anything.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/gyreConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gyreConfig.cmake ${PROJECT_BINARY_DIR}/gyreConfigVersion.cmake
    DESTINATION ${package_folder})

install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# Where the files lie is told from the .pc file's own place, so that a tree can be moved.
file(RELATIVE_PATH pc_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")
function(gyre_pkg_config name)
    configure_file(cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
gyre_pkg_config(gyre)

if(GYRE_SCENE)
    install(TARGETS gyre_scene_shared gyre_scene_static EXPORT gyreSceneTargets)
    install(EXPORT gyreSceneTargets NAMESPACE gyre:: DESTINATION ${package_folder})
    list(JOIN scene_needs " " pc_scene_requires)
    string(REPLACE "PkgConfig::" "" pc_scene_requires "${pc_scene_requires}")
    gyre_pkg_config(gyre_scene)
    set_target_properties(gyre_scene_shared PROPERTIES INSTALL_RPATH "$ORIGIN")
endif()
if(TARGET gyre)
    install(TARGETS gyre)
endif()
if(TARGET gyre-view)
    install(TARGETS gyre-view)
    install(DIRECTORY scene/ DESTINATION ${CMAKE_INSTALL_DATADIR}/gyre/scene
        FILES_MATCHING PATTERN "*.json" PATTERN "*.npy" PATTERN "*.obj" PATTERN "*.png")
    install(FILES app/view/install/gyre-view.desktop
        DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
    install(FILES app/view/install/gyre-saver.desktop
        DESTINATION ${CMAKE_INSTALL_DATADIR}/applications/screensavers)
    install(FILES app/view/install/gyre-view.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/xscreensaver/config)
    # A scene's picture has the scene's name.
    install(DIRECTORY doc/ DESTINATION ${CMAKE_INSTALL_DATADIR}/gyre/picture
        FILES_MATCHING PATTERN "*.png")
endif()
