# Flags that every target of this project is built with.
find_program(VF_CCACHE ccache)
if(VF_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Paths below the checkout are hashed relative to it, so that a second clone in another folder finds the results.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${VF_CCACHE})
endif()

add_library(vf_flags INTERFACE)
target_compile_options(vf_flags INTERFACE
  # One value everywhere: no contraction into FMA, no reassociation, no errno traps in the way of vectorising.
  -ffp-contract=off -fno-fast-math -fno-math-errno
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wdouble-promotion
  -Wold-style-cast -Wnon-virtual-dtor -Woverloaded-virtual -Wformat=2 -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 raises both for correct code of std::variant and std::string (PR 105562, PR 105651). clang++ and the
  # sanitizers watch in their place.
  target_compile_options(vf_flags INTERFACE -Wno-maybe-uninitialized -Wno-restrict)
endif()
if(VF_SANITIZE)
  target_compile_options(vf_flags INTERFACE -fsanitize=${VF_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_compile_definitions(vf_flags INTERFACE VF_SCALAR_ONLY)
  target_link_options(vf_flags INTERFACE -fsanitize=${VF_SANITIZE})
endif()
