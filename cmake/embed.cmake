# vf_embed_worlds(OUT_VARIABLE)
# Generates the source that puts every worlds/**.toml into the library (src/recipe/shipped.h). Built again when one
# changes; a file that is added or removed is noticed too.
function(vf_embed_worlds out_variable)
  set(folder ${PROJECT_SOURCE_DIR}/worlds)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${folder}/*.toml)
  set(generated ${PROJECT_BINARY_DIR}/generated/shipped.cpp)
  set(script ${PROJECT_SOURCE_DIR}/cmake/embed_script.cmake)
  # The list is a file of its own, so that the output depends on which files there are.
  string(REPLACE ";" "\n" lines "${files}")
  file(CONFIGURE OUTPUT ${generated}.list CONTENT "${lines}\n" @ONLY)
  add_custom_command(
    OUTPUT ${generated}
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${folder} -DLIST=${generated}.list -DOUTPUT=${generated} -P ${script}
    DEPENDS ${files} ${generated}.list ${script}
    COMMENT "Embedding the shipped worlds"
    VERBATIM)
  set(${out_variable} ${generated} PARENT_SCOPE)
endfunction()
