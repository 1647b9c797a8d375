# Writes a C++ file that holds the report's page as a string constant: a report needs nothing beside the program.
# Run as: cmake -DPAGE=web/dist/report.html -DOUT=page.cpp -P embed-page.cmake
include(${CMAKE_CURRENT_LIST_DIR}/literal.cmake)
text_literal(${PAGE} literal)
file(WRITE ${OUT} "// Made by cmake/embed-page.cmake; do not edit.\n#include \"report/page/page.h\"\nnamespace weir {\n"
  "std::string_view page_template() {\n  static constexpr std::string_view kPage ={${literal}};\n  return kPage;\n}\n"
  "}  // namespace weir\n")
