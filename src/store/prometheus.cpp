#include "store/prometheus.h"

namespace weir {

std::string prometheus_label(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '\\' || c == '"') safe += '\\';
    if (c == '\n') safe += "\\n";
    else safe += c;
  }
  return safe;
}

}  // namespace weir
