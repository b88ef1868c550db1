# cmake -DFOLDER=worlds -DLIST=files.txt -DOUTPUT=shipped.cpp -P embed_script.cmake
file(STRINGS ${LIST} files)
set(names "")
foreach(file IN LISTS files)
  file(RELATIVE_PATH name ${FOLDER} ${file})
  list(APPEND names ${name})
endforeach()
list(SORT names)
list(LENGTH names count)

set(text "// Generated from worlds/ by cmake/embed_script.cmake.
#include \"recipe/shipped.h\"

#include <array>

namespace vf {

namespace {

constexpr std::array<ShippedFile, ${count}> kFiles{{
")
foreach(name IN LISTS names)
  file(READ ${FOLDER}/${name} content)
  string(FIND "${content}" ")vf_toml\"" clash)
  if(NOT clash EQUAL -1)
    message(FATAL_ERROR "${FOLDER}/${name} holds the end mark of a raw string")
  endif()
  string(APPEND text "    ShippedFile{\"${name}\", R\"vf_toml(${content})vf_toml\"},\n")
endforeach()
string(APPEND text "}};

}  // namespace

std::span<const ShippedFile> shipped_files() { return kFiles; }

const ShippedFile* find_shipped_type(std::string_view id) {
  constexpr std::string_view kFolder = \"types/\", kEnding = \".toml\";
  for (const ShippedFile& file : kFiles) {
    std::string_view name = file.name;
    if (!name.starts_with(kFolder) || !name.ends_with(kEnding)) continue;
    name.remove_prefix(kFolder.size());
    name.remove_suffix(kEnding.size());
    if (name == id) return &file;
  }
  return nullptr;
}

}  // namespace vf
")
file(WRITE ${OUTPUT} "${text}")
