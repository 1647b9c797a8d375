# Writes a C++ file that holds text files as string constants, so that the program needs nothing beside itself.
# Run as: cmake -DROOT=... -DOUT=... -DFILES=a;b;c -P embed.cmake
include(${CMAKE_CURRENT_LIST_DIR}/literal.cmake)
set(body "// Made by cmake/embed.cmake; do not edit.\n")
string(APPEND body "#include \"reproduce/embedded.h\"\nnamespace weir {\nnamespace {\n")
set(table "")
set(index 0)
foreach(file ${FILES})
  text_literal(${ROOT}/${file} literal)
  string(APPEND body "constexpr std::string_view kFile${index} ={${literal}};\n")
  string(APPEND table "    {\"${file}\", kFile${index}},\n")
  math(EXPR index "${index} + 1")
endforeach()
string(APPEND body "constexpr EmbeddedFile kFiles[] = {\n${table}};\n}  // namespace\n"
  "std::span<const EmbeddedFile> embedded_files() { return kFiles; }\n}  // namespace weir\n")
file(WRITE ${OUT} "${body}")
