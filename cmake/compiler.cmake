# Flags that every target of this project is built with.
find_program(VF_CCACHE ccache)
if(VF_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${VF_CCACHE})
endif()

add_library(vf_flags INTERFACE)
target_compile_options(vf_flags INTERFACE
  # One value everywhere: no contraction into FMA, no reassociation, no errno traps in the way of vectorising.
  -ffp-contract=off -fno-fast-math -fno-math-errno
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wdouble-promotion
  -Wold-style-cast -Wnon-virtual-dtor -Woverloaded-virtual -Wformat=2 -Werror)
if(VF_SANITIZE)
  target_compile_options(vf_flags INTERFACE -fsanitize=${VF_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(vf_flags INTERFACE -fsanitize=${VF_SANITIZE})
endif()
