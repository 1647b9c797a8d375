// The packet engine for one scheme family, with the switch organisation that the run asks for. This is the one place
// that lists what is compiled per combination: every family with VoqSwitch and CrossbarSwitch, and those that leave
// queues alone with PlainSwitch too.
#pragma once
#include <utility>

#include "packet/engine.h"
#include "packet/switch_crossbar.h"
#include "packet/switch_plain.h"
#include "packet/switch_voq.h"

namespace weir {

// Does the plain switch do what this run asks for? What happens at one instant in rounds keeps its order only if
// nothing is promised ahead; and whoever watches a port wants to see which packets wait for it.
bool is_plain(const PacketRun& run);

template <class Family>
class PacketEngine {
 public:
  PacketEngine(const PacketRun& run, Family family) : run_(run), family_(std::move(family)) {}

  Measurements run() {
    if (run_.config.switches.organisation == Organisation::fifo_in_out)
      return Engine<Family, CrossbarSwitch>(run_, family_).run();
    if constexpr (hooks::leaves_queues_alone<Family>)
      if (run_.shortcuts && is_plain(run_)) return Engine<Family, PlainSwitch>(run_, family_).run();
    return Engine<Family, VoqSwitch>(run_, family_).run();
  }
  Family& family() { return family_; }

 private:
  const PacketRun& run_;
  Family family_;
};

}  // namespace weir
