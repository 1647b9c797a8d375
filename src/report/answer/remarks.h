// What a reader must know before he reads the numbers of a run: that some of them are missing, and why.
#pragma once
#include <string>
#include <vector>

#include "report/terminal/table.h"
#include "store/run_record.h"

namespace weir {

bool sent_nothing(const ClassResult& c);
// "qcn never acted: the queue holds at most 1KiB, Qeq is 33kB"; empty if the scheme acted.
std::string idle_sentence(const PreparedRun& run);
std::vector<std::string> remarks_of(const PreparedRun& run);  // one sentence each; mostly none
std::string remark_lines(const PreparedRun& run, const TextStyle& style);  // the same on the terminal

}  // namespace weir
