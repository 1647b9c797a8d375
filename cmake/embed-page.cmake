# Writes a C++ file that holds the report's page as a string constant: a report needs nothing beside the program.
# Run as: cmake -DPAGE=web/dist/report.html -DOUT=page.cpp -P embed-page.cmake
file(READ ${PAGE} content)
string(LENGTH "${content}" size)
# Compilers limit the length of one literal; pieces are joined by the language.
set(literal "")
set(position 0)
while(position LESS size)
  string(SUBSTRING "${content}" ${position} 8000 piece)
  string(APPEND literal "\n  R\"weir~(${piece})weir~\"")
  math(EXPR position "${position} + 8000")
endwhile()
file(WRITE ${OUT} "// Made by cmake/embed-page.cmake; do not edit.\n#include \"report/page.h\"\nnamespace weir {\n"
  "std::string_view page_template() {\n  static constexpr std::string_view kPage ={${literal}};\n  return kPage;\n}\n"
  "}  // namespace weir\n")
