// A diagnosis as a page that opens from disk: the fabric with its roots and what they hold back, and the tables.
// it.
#pragma once
#include <string>

#include "manage/diagnosis/diagnose.h"

namespace weir {

struct DiagnosedSource {
  std::string title, command;
  double seconds = 0;  // between the readings; 0: not known
};

std::string diagnosis_page(const Topology& topology, const manage::Diagnosis& diagnosis, const DiagnosedSource& source);

}  // namespace weir
