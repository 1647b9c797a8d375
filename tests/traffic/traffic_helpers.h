// Small things that all tests of traffic use.
#pragma once
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "base/random.h"
#include "error_of.h"
#include "says.h"
#include "traffic/hosts.h"

namespace weir {

inline std::vector<HostId> hosts_of(std::initializer_list<std::uint32_t> numbers) {
  std::vector<HostId> hosts;
  for (const std::uint32_t n : numbers) hosts.push_back({n});
  return hosts;
}

inline std::vector<HostId> first_hosts(std::uint32_t count) {
  std::vector<HostId> hosts;
  for (std::uint32_t h = 0; h < count; ++h) hosts.push_back({h});
  return hosts;
}

inline RandomStream stream(std::uint64_t entity = 0) { return {1, Purpose::permutation, entity}; }

inline HostList equal_hosts(std::uint32_t count, Rate rate = {8'000'000'000}) {
  HostList table;
  for (std::uint32_t h = 0; h < count; ++h) {
    table.rates.push_back(rate);
    table.names.push_back("H" + std::to_string(h));
  }
  return table;
}

// Runs `action` and expects an InputError whose text contains `part`.
template <class Action>
void expect_error(Action action, const std::string& part) {
  const std::string said = error_of(action);
  EXPECT_TRUE(says(said, part)) << "error: " << said << "\nexpected: " << part;
}

}  // namespace weir
