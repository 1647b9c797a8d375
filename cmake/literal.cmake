# text_literal(FILE VARIABLE): the content of a text file as a C++ string literal.
function(text_literal file variable)
  file(READ ${file} content)
  string(LENGTH "${content}" size)
  # Compilers limit the length of one literal; pieces are joined by the language.
  set(literal "")
  set(position 0)
  while(position LESS size)
    string(SUBSTRING "${content}" ${position} 8000 piece)
    string(APPEND literal "\n  R\"weir~(${piece})weir~\"")
    math(EXPR position "${position} + 8000")
  endwhile()
  set(${variable} "${literal}" PARENT_SCOPE)
endfunction()
