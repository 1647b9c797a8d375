#include "source_dir.h"

namespace weir {

std::string source_dir() { return WEIR_SOURCE_DIR; }

}  // namespace weir
