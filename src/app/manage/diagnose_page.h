// A diagnosis as a page that opens from disk: the fabric with its roots and what they hold back, and the tables.
#pragma once
#include <string>

#include "manage/diagnosis/diagnose.h"

namespace weir {

struct DiagnosedSource {
  std::string title, command;
};

std::string diagnosis_page(const Topology& topology, const manage::Diagnosis& diagnosis, const DiagnosedSource& source);

}  // namespace weir
