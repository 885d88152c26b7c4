cmake_minimum_required(VERSION 3.25)
# Makes a .cpp of text files, so that the program finds them wherever it is run from.
# cmake -DOUTPUT=… -DFILES=a|b -DFUNCTION=… -DHEADER=… -P embed_texts.cmake
string(REPLACE "|" ";" FILES "${FILES}")
set(entries "")
foreach(file IN LISTS FILES)
  file(READ "${file}" text)
  get_filename_component(name "${file}" NAME)
  string(APPEND entries "    {\"${name}\", R\"~text~(${text})~text~\"},\n")
endforeach()
file(CONFIGURE OUTPUT "${OUTPUT}" @ONLY NEWLINE_STYLE UNIX CONTENT
"// Made from files by embed_texts.cmake.
#include \"@HEADER@\"

namespace anneal::engine {

std::span<const EmbeddedText> @FUNCTION@() {
  static constexpr EmbeddedText kTexts[] = {
@entries@  };
  return kTexts;
}

}  // namespace anneal::engine
")
