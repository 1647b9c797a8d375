// The flow-level entries of paper 000 and the wording they share.
#pragma once
#include <string>

#include "reproduce/entry.h"
#include "reproduce/zdornov/flow.h"

namespace weir {

void zdornov_fig_2_2(Reproduction&);
void zdornov_fig_6_2(Reproduction&);
void zdornov_fig_6_4(Reproduction&);
void zdornov_fig_6_5(Reproduction&);
void zdornov_fig_6_6(Reproduction&);
void zdornov_table_6_1(Reproduction&);
void zdornov_fig_6_7(Reproduction&);
void zdornov_fig_6_8(Reproduction&);
void zdornov_fig_6_9(Reproduction&);
void zdornov_fig_6_10(Reproduction&);
void zdornov_fig_6_11(Reproduction&);
void zdornov_saa_m_messages(Reproduction&);
void zdornov_table_6_3(Reproduction&);
void zdornov_table_6_4(Reproduction&);
void zdornov_beyond(Reproduction&);
void zdornov_prop_4_4_1(Reproduction&);
void zdornov_prop_4_4_2(Reproduction&);

namespace zdornov {

std::string text_of(const Interval& interval);                // "3.00 ± 0.02"
std::string percent_text(double change, double half_width);  // "-50.2 ± 0.3 %"

}  // namespace zdornov
}  // namespace weir
