// The manager against a subnet whose answers are lost, late, doubled, saturated, stuck and hostile, and which kills it
// now and then: whatever comes, it stays within its bounds, and what it has changed is restored.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "manage/lab.h"
#include "scale.h"

namespace weir::manage {
namespace {

// Looks at every setting that is sent, and notes what is not allowed.
class Watch {
 public:
  explicit Watch(Lab& lab) : lab_(lab), original_(lab.settings()) {
    lab.wire->before_send = [this](const Request& request) { look(request); };
  }
  const std::vector<std::string>& violations() const { return violations_; }
  std::size_t lowered() const { return lowered_.size(); }
  const AllSettings& original() const { return original_; }

 private:
  void look(const Request& request) {
    const mad::Mad& m = request.mad;
    if (m.is(mad::Class::performance) || !m.is(mad::Method::set)) return;  // counters may be cleared
    if (!m.is(mad::Class::congestion_control) || m.attribute() != mad::cc::kSwitchPortSetting)
      return note(fmt::format("sets attribute {:#x} of class {:#x}", m.attribute(), int(m.mgmt_class())));
    const live::SubnetNode* node = node_of(request.lid);
    if (node == nullptr) return note("sets something at a LID that nobody has");
    std::size_t changed = 0;
    for (std::uint32_t p = 0; p < node->congestion.ports.size(); ++p) {
      mad::SwitchPortCongestion wanted;
      mad::decode(m.data().subspan(p * std::size_t{4}, 4), wanted);
      if (wanted == node->congestion.ports[p]) continue;
      ++changed;
      judge({node->guid, p}, wanted);
    }
    if (changed > 1) note(fmt::format("changes {} ports at once", changed));
  }
  void judge(const PortName& port, const mad::SwitchPortCongestion& wanted) {
    if (wanted == original_.at(port)) return;
    if (wanted != kLow) note(fmt::format("sets port {} to a Marking_Rate of {}", port.second, wanted.marking_rate));
    if (!allowed_.contains(port.second)) note(fmt::format("changes port {}, which is out of bounds", port.second));
    if (lab_.changed() >= lab_.policy.bounds.most_low) note("changes more ports than it may");
    lowered_.push_back(lab_.clock.at);
    std::size_t recent = 0;
    for (const Time at : lowered_)
      recent += lab_.clock.at - at + Time{1'000'000'000'000} < lab_.policy.bounds.within;  // to a second
    if (recent > lab_.policy.bounds.most_actions) note("acts more often than it may");
  }
  const live::SubnetNode* node_of(std::uint32_t lid) const {
    for (std::uint32_t n = 0; n < lab_.topology.nodes(); ++n)
      if (lab_.seen.identity({n}).lid == lid)
        for (const live::SubnetNode& node : lab_.subnet.nodes())
          if (node.guid == lab_.seen.identity({n}).guid) return &node;
    return nullptr;
  }
  void note(const std::string& what) { violations_.push_back(what); }

  static constexpr mad::SwitchPortCongestion kLow{true, false, 15, 0, 5};
  Lab& lab_;
  AllSettings original_;
  std::set<std::uint32_t> allowed_{1, 2, 4};  // see kPorts
  std::vector<Time> lowered_;
  std::vector<std::string> violations_;
};

constexpr const char* kPorts = "ports = [\"*:1\", \"*:2\", \"*:4\"]";  // of four

std::string bounded_policy() {
  std::string text = kPolicy;
  const std::string all = "ports = [\"S*\"]";
  return text.replace(text.find(all), all.size(), kPorts);
}

// One life of a manager: some rounds, or until a datagram in the midst of one kills it.
bool live_and_die(Lab& lab, ActionLog& log, RandomStream& random) {
  try {
    Manager manager = lab.manager(&log);
    manager.begin();
    for (std::uint64_t i = random.below(10) + 2; i > 0; --i) {
      lab.wire->faults = random.below(3) == 0 ? 0.02 + 0.5 * random.unit() : 0;
      if (random.below(4) != 0) lab.congest(random.below(200'000));
      if (random.below(16) == 0)
        lab.machine.samples[random.below(lab.machine.samples.size())] = {};  // cleared by others
      lab.clock.at = std::max(manager.round(), lab.clock.at + Time{1});
    }
    if (random.below(2) == 0) manager.undo_all("the end");
    return true;
  } catch (const Killed&) {
    return false;
  }
}

TEST(Safety, NoSequenceOfAnswersLeadsOutOfBounds) {
  const std::size_t sequences = scaled_count(30, 200, 10'000);
  std::size_t lowered = 0, killed = 0;
  for (std::size_t n = 0; n < sequences; ++n) {
    Lab lab(bounded_policy());
    lab.options.act = true;
    Watch watch(lab);
    RandomStream random(7, Purpose::test, n);
    lab.wire->narrow = n % 2 == 0;
    lab.wire->random = RandomStream(8, Purpose::test, n);
    ActionLog log(":memory:");
    for (int life = 0; life < 3; ++life) {
      lab.wire->kill_at = random.below(2) == 0 ? 1 + random.below(600) : 0;
      killed += !live_and_die(lab, log, random);
    }
    lab.wire->kill_at = 0;
    lab.wire->faults = 0;
    lab.options.stopped = [] { return true; };
    lab.manager(&log).run();
    ASSERT_TRUE(watch.violations().empty()) << "sequence " << n << ": " << watch.violations().front();
    ASSERT_EQ(lab.settings(), watch.original()) << "sequence " << n;
    lowered += watch.lowered();
  }
  EXPECT_GT(lowered, sequences);  // otherwise nothing was tried
  EXPECT_GT(killed, sequences / 4);
}

}  // namespace
}  // namespace weir::manage
