// Packets of a scheme's own must fit into the buffers that data has, and packets must take time on every link.
#include <gtest/gtest.h>

#include "run/lab.h"
#include "says.h"

namespace weir {
namespace {

using testing::refusal_of_run;

std::string small_buffers(const std::string& scheme, const std::string& control = "credits",
                          const std::string& rate = "10Gbps") {
  return "[topology]\nkind = 'star'\nhosts = 4\n[link]\nrate = '" + rate +
         R"('
[packet]
payload = [64]
[switch]
lanes = 2
buffer = "200B"
flow_control = ')" + control +
         R"('
[[traffic]]
pattern = "shift"
bytes = "1kB"
[run]
until = "flows"
max_time = "1ms"
[scheme]
)" +
         scheme;
}

TEST(OwnPackets, WhatFitsIntoNoBufferIsRefused) {
  const std::string distributed = "name = 'ffa'\nmethod = 'distributed'\n";
  for (const std::string& scheme :
       {std::string("name = 'dcms'\nmad = '201B'\n"), std::string("name = 'cca'\ncnp = '201B'\n"),
        std::string("name = 'dcqcn'\ncnp = '201B'\n"),
        std::string("name = 'qcn'\nnotification = '201B'\n"), distributed + "control_bytes = '201B'\n",
        distributed + "broadcast_bytes = '201B'\n"})
    EXPECT_TRUE(says(refusal_of_run(small_buffers(scheme)), "buffers are made for packets of 200 B at most"))
        << scheme;
}

// The headroom is made for the largest packet, not for the buffer.
TEST(OwnPackets, PauseHasRoomForTheLargestPacketOnly) {
  EXPECT_TRUE(says(refusal_of_run(small_buffers("name = 'cca'\ncnp = '65B'\n", "pause")), "packets of 64 B at most"));
  EXPECT_EQ(refusal_of_run(small_buffers("name = 'cca'\ncnp = '64B'\n", "pause")), "no error");
}

TEST(OwnPackets, LinksOnWhichAByteTakesNoTimeAreRefused) {
  EXPECT_TRUE(says(refusal_of_run(small_buffers("name = 'none'\n", "credits", "17Tbps")), "16 Tb/s or less"));
  EXPECT_EQ(refusal_of_run(small_buffers("name = 'none'\n", "credits", "16Tbps")), "no error");
}

}  // namespace
}  // namespace weir
