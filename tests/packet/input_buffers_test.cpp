// Input buffers know at any time how full they are and have been, and senders find what was released, once each. They
// are compared with lists of everything that ever happened, for few departures ahead and for many.
#include "packet/flow_control/input_buffers.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"

namespace weir {
namespace {

constexpr ChannelId kBuffer{1};

struct Stay {
  std::int64_t landed, leaves = kNever.ps;
  std::int32_t cost;
  bool noted = false, taken = false;
};

class Reference {
 public:
  std::vector<Stay> stays;

  std::int32_t occupied(std::int64_t t) const {
    std::int32_t sum = 0;
    for (const Stay& s : stays) sum += s.landed <= t && s.leaves > t ? s.cost : 0;
    return sum;
  }
  // At every moment at which it may change.
  std::int32_t peak(std::int64_t end) const {
    std::int32_t most = 0;
    for (const Stay& s : stays)
      if (s.landed < end) most = std::max(most, occupied(s.landed));
    return most;
  }
  std::int64_t integral(std::int64_t end) const {
    std::int64_t area = 0;
    for (const Stay& s : stays) area += s.cost * (std::min(s.leaves, end) - s.landed);
    return area;
  }
  std::int32_t take(std::int64_t until) {
    std::int32_t sum = 0;
    for (Stay& s : stays) {
      if (!s.noted || s.taken || s.leaves > until) continue;
      s.taken = true;
      sum += s.cost;
    }
    return sum;
  }
};

// `most`: packets in the buffer. Gaps of a second, now and then, let the places' 32 bits wrap.
void compare(std::uint64_t seed, std::size_t most, std::int64_t delay) {
  RandomStream random(seed, Purpose::test, most);
  InputBuffers buffers(3, false, false);
  buffers.begin(kBuffer, delay);
  Reference reference;
  std::int64_t now = 1;
  std::vector<std::size_t> standing;
  for (int step = 0; step < 400; ++step) {
    now += static_cast<std::int64_t>(random.below(random.below(100) == 0 ? 1'000'000'000'000 : 2'000));
    const auto stays = static_cast<std::size_t>(reference.occupied(now) > 0 ? standing.size() : 0);
    if (stays < most && random.below(2) == 0) {
      const auto cost = static_cast<std::int32_t>(1 + random.below(2'000));
      if (random.below(3) == 0) {
        const auto leaves = now + static_cast<std::int64_t>(random.below(30'000));
        reference.stays.push_back({now, leaves, cost, buffers.pass(kBuffer, cost, now, leaves)});
      } else {
        buffers.land(kBuffer, cost, now);
        standing.push_back(reference.stays.size());
        reference.stays.push_back({.landed = now, .cost = cost});
      }
    } else if (!standing.empty()) {
      const std::size_t which = random.below(standing.size());
      Stay& s = reference.stays[standing[which]];
      standing.erase(standing.begin() + static_cast<std::ptrdiff_t>(which));
      s.leaves = now + static_cast<std::int64_t>(random.below(30'000));
      s.noted = buffers.leave(kBuffer, s.cost, s.leaves, now, true);
    }
    ASSERT_EQ(buffers.occupied_after(kBuffer, now), reference.occupied(now)) << step;
    if (random.below(4) == 0) {
      const std::int64_t until = now + static_cast<std::int64_t>(random.below(5'000));
      ASSERT_EQ(buffers.take_returned(kBuffer, until), reference.take(until - delay)) << step;
    }
  }
  const std::int64_t end = now + 100'000;
  for (const std::size_t s : standing) {
    reference.stays[s].leaves = now;
    buffers.leave(kBuffer, reference.stays[s].cost, now, now, false);
  }
  EXPECT_EQ(buffers.peak(kBuffer, end), reference.peak(end));
  EXPECT_EQ(static_cast<std::int64_t>(buffers.integral(kBuffer, end)), reference.integral(end));
  EXPECT_EQ(buffers.take_returned(kBuffer, end + delay), reference.take(end));
  EXPECT_EQ(buffers.noted_returns(kBuffer), 0);
}

TEST(InputBuffers, AreAsFullAsAList) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed)
    for (const std::size_t most : {1u, 3u, 6u, 11u, 40u})
      for (const std::int64_t delay : {0, 700, 50'000}) {
        compare(seed, most, delay);
        if (HasFatalFailure()) FAIL() << "seed " << seed << ", at most " << most << " packets, delay " << delay;
      }
}

}  // namespace
}  // namespace weir
