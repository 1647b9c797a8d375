// Throws arbitrary bytes at the readers of counters that tools print and of recorded telemetry. They may refuse them
// only with an InputError; a recording that is accepted must be replayed.
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "manage/counter_dump.h"
#include "manage/recording.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace weir;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    manage::parse_counters("fuzz.txt", text);
  } catch (const InputError&) {
  }
  try {
    const manage::Recording recording = manage::parse_recording("fuzz.rec", text);
    const LinkProperties link{Rate{8'000'000'000}, Time{1000}, 0};
    manage::replay(recording, to_topology(recording.fabric, {link, link}).topology, {});
  } catch (const InputError&) {
  }
  return 0;
}
