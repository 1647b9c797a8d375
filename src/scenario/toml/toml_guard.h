// Refuses texts that are nested so deep that the recursion of the TOML library would exhaust the stack. Everything
// else, right or wrong, is left to the library.
#pragma once
#include <string>
#include <string_view>

namespace weir {

// Throws InputError with file and line.
void guard_toml(std::string_view text, const std::string& file);

}  // namespace weir
