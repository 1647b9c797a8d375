// The scenario of a result as a text that runs from where the result lies: the files that it names (fabrics, traces,
// lists of flows) are copied beside it as "input-NAME". Very large ones are named by their full path instead.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "scenario/scenario.h"

namespace weir {

std::vector<std::filesystem::path> named_files(const Scenario& scenario);

class ScenarioCopies {
 public:
  std::string text_of(const Scenario& scenario);  // canonical, with the names of the copies

  struct Copy {
    std::string name;
    std::filesystem::path source;
  };
  const std::vector<Copy>& copies() const { return copies_; }  // for all texts so far

 private:
  std::string copied(const std::vector<std::string>& files);
  std::vector<Copy> copies_;
};

}  // namespace weir
