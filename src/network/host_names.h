// Hosts as people name them: by number, by the fabric's name, by a range, or by a pattern with * and ?. Sections are
// given numbers before anybody reads them, so patterns of traffic and schemes know numbers only.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "network/topology.h"
#include "scenario/scenario.h"

namespace weir {

// The names of a fabric's hosts. An adapter of a real fabric is called "node1 mlx5_0": "node1" means every adapter of
// that host. Refers to the names.
class HostNames {
 public:
  explicit HostNames(std::span<const std::string> names);

  // The hosts that a name or pattern means, in the order of their numbers; none where there is no such name. A name
  // wins over a number, because a fabric may call a host "7" that is not the seventh. A pattern describes the whole
  // name or that of the node. "H1-H60" means all hosts whose names are the same up to a number, and this number is
  // within the two. Several names, ranges and patterns may stand with commas between them; each must mean a host.
  std::vector<HostId> find(std::string_view text) const;
  // A pattern, or a range as in "H1-H60": not one that somebody has named on its own.
  bool means_several(std::string_view text) const;
  // The names and patterns in a text with commas. A host may have a comma in its name: such a text stays whole.
  std::vector<std::string_view> parts(std::string_view text) const;
  // What to say where find() gave none, and where it gave several and one is needed.
  std::string no_such_host(std::string_view text) const;
  std::string several_hosts(std::string_view text, const std::vector<HostId>& found) const;

 private:
  std::vector<HostId> find_one(std::string_view text) const;
  std::vector<HostId> find_range(std::string_view text) const;

  std::span<const std::string> names_;
  std::unordered_map<std::string_view, std::vector<HostId>> by_name_;  // looked up only, never walked
  std::unordered_map<std::string_view, std::vector<HostId>> by_first_word_;
};

// True if `text` is what `pattern` describes: * stands for any text, ? for any character.
bool matches_pattern(std::string_view pattern, std::string_view text);
bool is_pattern(std::string_view text);

// The section with numbers in the place of names, in all its keys of type host and hosts.
Section with_host_numbers(const Section& section, const Topology& topology);

}  // namespace weir
