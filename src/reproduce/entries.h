// The groups of entries, one list per paper (<paper>/entries.cpp); entries.cpp puts them in order.
#pragma once
#include "reproduce/entry.h"

namespace weir {

std::span<const Entry> theory_entries();
std::span<const Entry> ferrer_entries();
std::span<const Entry> mizero_entries();
std::span<const Entry> minkenberg_entries();
std::span<const Entry> zdornov_entries();

void theory_hol(Reproduction&);
void theory_md1(Reproduction&);
void zdornov_fig_1_1(Reproduction&);

}  // namespace weir
