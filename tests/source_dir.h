// Where the checkout lies: a function, so that only one small file differs between two checkouts, and a compiler cache
// serves both.
#pragma once
#include <string>

namespace weir {

std::string source_dir();

}  // namespace weir
