# Walkers that nobody here wrote (test_support/walkers): Bullet, and Recast through Node. Only tests know them.
if(NOT VF_TESTS OR (VF_TEST_LAYERS AND NOT "walkers" IN_LIST VF_TEST_LAYERS))
  return()
endif()
pkg_check_modules(bullet REQUIRED IMPORTED_TARGET bullet)
set(dir ${PROJECT_SOURCE_DIR}/test_support/walkers)

file(GLOB sources CONFIGURE_DEPENDS ${dir}/*.cpp)
set(tests ${sources})
list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
add_library(vf_walkers STATIC ${sources})
target_link_libraries(vf_walkers PUBLIC vf_exports PRIVATE vf_flags PkgConfig::bullet nlohmann_json::nlohmann_json)
target_include_directories(vf_walkers PUBLIC ${PROJECT_SOURCE_DIR})
target_compile_definitions(vf_walkers PRIVATE VF_SOURCE_DIR="${PROJECT_SOURCE_DIR}")

add_executable(walkers_tests ${tests})
target_link_libraries(walkers_tests PRIVATE vf_walkers vf_flags GTest::gtest_main)
vf_discover_tests(walkers_tests walkers.)
