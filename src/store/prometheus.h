// The text format that Prometheus reads.
#pragma once
#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace weir {

// Within the quotes of a label.
std::string prometheus_label(const std::string& text);

class PrometheusPage {
 public:
  // Values of one name follow their family. `type` is counter or gauge; names of counters end with _total.
  void family(const char* name, const char* type, const char* help) {
    text_ += fmt::format("# HELP {0} {2}\n# TYPE {0} {1}\n", name, type, help);
    name_ = name;
  }
  void value(const std::string& labels, double v) { text_ += fmt::format("{}{} {}\n", name_, labels, v); }
  void value(const std::string& labels, std::uint64_t v) { text_ += fmt::format("{}{} {}\n", name_, labels, v); }
  void counter(const char* name, const char* help, std::uint64_t v) {
    family(name, "counter", help);
    value("", v);
  }
  void gauge(const char* name, const char* help, double v) {
    family(name, "gauge", help);
    value("", v);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  const char* name_ = "";
};

}  // namespace weir
