# Install rules and the package voxelforge: `find_package(voxelforge)` gives voxelforge::voxelforge.
# The libraries are static, one a layer, up to the public face in src/api/.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(vf_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/voxelforge)
set(vf_package_layers base math spatial recipe compose field plan proof mesh view api)

foreach(layer IN LISTS vf_package_layers)
  set_target_properties(vf_${layer} PROPERTIES EXPORT_NAME ${layer})
  install(TARGETS vf_${layer} EXPORT voxelforge ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/voxelforge)
endforeach()
set_target_properties(vf_api PROPERTIES EXPORT_NAME voxelforge)

install(DIRECTORY include/voxelforge DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(EXPORT voxelforge NAMESPACE voxelforge:: FILE voxelforgeTargets.cmake DESTINATION ${vf_package_dir})
configure_package_config_file(cmake/voxelforgeConfig.cmake.in ${PROJECT_BINARY_DIR}/voxelforgeConfig.cmake
                              INSTALL_DESTINATION ${vf_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/voxelforgeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/voxelforgeConfig.cmake ${PROJECT_BINARY_DIR}/voxelforgeConfigVersion.cmake
        DESTINATION ${vf_package_dir})
install(FILES LICENSE THIRD_PARTY_NOTICES.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(TARGET voxelforge_cli)
  install(TARGETS voxelforge_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT cli)
endif()
