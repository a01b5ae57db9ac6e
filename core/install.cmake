# SPDX-License-Identifier: MIT
# cmake --install: the library as a package, `find_package(memory_budget)` and `memory_budget::core`, and the command.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

install(TARGETS memory_budget_core EXPORT memory_budget ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
# What the library is asked by: text to text.
install(FILES core/api/api.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/memory_budget/core/api)
if(MEMORY_BUDGET_BUILD_CLI)
  install(TARGETS memory-budget RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/memory_budget)
install(EXPORT memory_budget NAMESPACE memory_budget:: FILE memory_budgetConfig.cmake DESTINATION ${package_folder})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/memory_budgetConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/memory_budgetConfigVersion.cmake DESTINATION ${package_folder})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/memory_budget)
