// When the transfers of a class are over. Who waits for a transfer waits for its last byte: the latency of its packets
// says little, since a sender that is held back makes its packets late.
#pragma once
#include <cstddef>
#include <optional>
#include <string>

#include "store/run_record.h"

namespace weir {

struct FlowEnds {
  std::size_t flows = 0, complete = 0;
  double mean_ps = 0;  // from start to completion, of the complete ones
  double last_ps = 0;  // from the first start to the last completion

  bool all() const { return complete == flows; }
};
// Nothing unless all that the class sends are flows that end.
std::optional<FlowEnds> flow_ends(const AnalysedRun& run, const std::string& class_name);

// Whether the class has the same flows in both runs: they start at the same times, which they do not where one waits
// for another, and would take as long on their own, which they do not where the fabrics differ.
bool slowdown_is_comparable(const AnalysedRun& a, const AnalysedRun& b, const std::string& class_name);

}  // namespace weir
