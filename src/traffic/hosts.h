// Which hosts take part in a pattern. Patterns see hosts only as numbers with a link rate and a name, never the
// topology, so that each of them can be tested alone.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/ids.h"
#include "base/random.h"
#include "base/units.h"
#include "network/topology.h"

namespace weir {

// A parameter of a pattern that cannot be used. The reader of the scenario adds file and line of `key`.
class BadParameter : public InputError {
 public:
  BadParameter(std::string_view key, const std::string& what) : InputError(what), key_(key) {}
  const std::string& key() const { return key_; }

 private:
  std::string key_;
};

struct HostList {
  std::vector<Rate> rates;  // of the host's link towards the network
  std::vector<std::string> names;

  std::size_t size() const { return rates.size(); }
};

inline HostList host_list(const Topology& topology) {
  HostList table;
  for (std::uint32_t h = 0; h < topology.hosts(); ++h) {
    table.rates.push_back(topology.link(topology.host_port({h})).rate);
    table.names.push_back(topology.name(NodeId{h}));
  }
  return table;
}

enum class Placement : std::uint8_t { even, random, first };

struct HostSelection {
  double share = 1;  // of all hosts, rounded to the nearest count, at least one
  Placement placement = Placement::even;
  std::vector<std::int64_t> list;   // host numbers as written; not empty: these and no others
  std::vector<std::int64_t> range;  // first and last host that may be taken; empty: all
  std::uint32_t count = 0;          // not 0: so many, instead of `share`
  std::vector<HostId> without;      // may not be taken (hosts of another entry), sorted
  HostId target;                    // valid: may not be taken either; listing it is an error
};

// Sorted, without duplicates, never empty. The share is taken of the hosts in range, whatever is left out of them, so
// that "20 %" means the same number of hosts wherever the target lies.
std::vector<HostId> select_hosts(const HostSelection& selection, std::size_t hosts, RandomStream random);

// `count` of `from`, spread as evenly as whole numbers allow, in order; by chance, or the first ones.
std::vector<HostId> place(const std::vector<HostId>& from, std::size_t count, Placement placement,
                          RandomStream& random);

HostId checked_host(std::string_view key, std::int64_t number, std::size_t hosts);

}  // namespace weir
