// A host that takes packets in below the rate of its link stops its sender, under every flow control.
#include <gtest/gtest.h>

#include "run/lab.h"
#include "says.h"

namespace weir {
namespace {

using testing::flows;
using testing::Star;

Star slow_star(const std::string& switches) {
  Star star;
  star.switches = switches;
  star.adapter = "receive_rate = '2Gbps'\nreceive_hosts = [3]\n";
  star.traffic = flows("[0, 3, 1000000, '0us'], [1, 2, 1000000, '0us']");
  return star;
}

TEST(SlowReceivers, SetTheRateOfWhatGoesToThemAndOfNothingElse) {
  for (const char* switches : {"", "buffer = '40kB'\n", "organisation = 'fifo-in-out'\n",
                               "flow_control = 'pause'\nbuffer = '20kB'\norganisation = 'output-queued'\n",
                               "flow_control = 'pfc'\nshared_buffer = '200kB'\norganisation = 'output-queued'\n",
                               "flow_control = 'pfc'\nshared_buffer = '200kB'\n"}) {
    const Outcome outcome = testing::run_text(slow_star(switches).text());
    ASSERT_EQ(outcome.measurements.ending, Ending::finished) << switches;
    // 1 MB at 250 MB/s, less what the receive buffer holds in the end.
    const double slow = outcome.measurements.flows[0].completion.seconds();
    EXPECT_GT(slow, 4e-3 - 45'000 / 250e6) << switches;
    EXPECT_LT(slow, 4e-3) << switches;
    EXPECT_NEAR(outcome.measurements.flows[1].completion.seconds(), 1.001e-3, 20e-6) << switches;
  }
}

TEST(SlowReceivers, AllHostsAreUnlessSomeAreNamed) {
  Star star = slow_star("");
  star.adapter = "receive_rate = '2Gbps'\n";
  const Outcome outcome = testing::run_text(star.text());
  EXPECT_GT(outcome.measurements.flows[1].completion.seconds(), 3.9e-3);
  star.adapter = "receive_rate = '8Gbps'\n";  // that of the links
  EXPECT_EQ(testing::completion(testing::run_text(star.text()), 0), 1'000'000 * testing::kNs);
}

TEST(SlowReceivers, AreRefusedByName) {
  Star star = slow_star("");
  star.adapter = "receive_rate = '2Gbps'\nreceive_hosts = [4]\n";
  EXPECT_TRUE(says(testing::refusal(star.text()), "there is no host 4: the fabric has hosts 0 to 3"));
  star.adapter = "receive_hosts = [1]\n";
  EXPECT_TRUE(says(testing::refusal(star.text()), "receive_rate")) << testing::refusal(star.text());
}

}  // namespace
}  // namespace weir
