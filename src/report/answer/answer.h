// The first screen of a report, in words: who is hurt and by how much, which port is the root, what helps most and what
// it costs, and what to do next. Numbers are printed as on the terminal.
#pragma once
#include <string>
#include <vector>

#include "report/answer/judgement.h"
#include "store/run_record.h"

namespace weir {

struct AnswerCard {
  std::string title, value, detail;
  std::string tone;  // "bad", "good" or "plain"
};

struct Answer {
  std::string headline;  // of the reference run
  std::string verdict;   // of the comparison; empty for a single run
  std::vector<AnswerCard> cards;
  std::vector<std::string> advice;
};

Answer answer_of(const std::vector<PreparedRun>& runs, const Judgement& judgement);

}  // namespace weir
