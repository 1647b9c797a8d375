// Paper 004: what its entries share. Watched ports of the scenarios are the hosts that send hot flows, then the two
// potential hot queues.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "reproduce/entry.h"

namespace weir {

void minkenberg_noncontending(Reproduction&);
void minkenberg_contending(Reproduction&);
void minkenberg_resequencing(Reproduction&);
void minkenberg_uniform(Reproduction&);
void minkenberg_timers(Reproduction&);
void minkenberg_bottleneck(Reproduction&);
void minkenberg_tree(Reproduction&);

namespace minkenberg {

const WatchedPort& watched(const Outcome& outcome, std::string_view port);  // "S7:4"; aborts if it is not watched
std::vector<double> rates(const WatchedPort& port);                         // MB/s per bin
std::vector<double> queues(const WatchedPort& port);                        // kB per bin
// Mean of the bins of 1 ms in [from, to).
double mean(const std::vector<double>& series, std::size_t from_ms, std::size_t to_ms);
Curve curve(std::string name, const std::vector<double>& series);           // over ms

// The settings that turn on adaptive routing, the paper's reading unless another timing is given.
std::vector<Override> adaptive(std::string_view timing = {});

}  // namespace minkenberg
}  // namespace weir
