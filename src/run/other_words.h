// Words that people bring from other tools and from the field, where weir has another word or another place, and what
// they should write. By the section in which they stand, as its kind or as a key; those of [switch] and [scheme] stand
// with their layers.
#pragma once
#include <span>

#include "scenario/spec.h"

namespace weir {

std::span<const OtherWord> other_words_of_sections();
std::span<const OtherWord> other_words_of_topologies();
std::span<const OtherWord> other_words_of_links();
std::span<const OtherWord> other_words_of_packets();
std::span<const OtherWord> other_words_of_adapters();
std::span<const OtherWord> other_words_of_failures();
std::span<const OtherWord> other_words_of_traffic();

}  // namespace weir
