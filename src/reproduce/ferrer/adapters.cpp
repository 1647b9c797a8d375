// Paper 001, section 8.6.1: MVCM with smaller adapters: a queue per destination (FVOQ), per destination modulo q
// (PVOQ), and a shared buffer (SB), under both traffic patterns.
#include <fmt/format.h>

#include "reproduce/ferrer/ferrer.h"

namespace weir::ferrer {
namespace {

constexpr NetworkCase kBmin45Second{"bmin-4-ary-5-fly-pattern-2", "BMIN 4-ary 5-fly, pattern II", {32, 68, 98}};
constexpr NetworkCase kBmin43Second{"bmin-4-ary-3-fly-pattern-2", "BMIN 4-ary 3-fly, pattern II", {4, 7.2, 9.6}};

Contender adapter(const std::string& label, const std::vector<Override>& settings) {
  Contender c = scheme("mvcm");
  c.label = label;
  c.settings.insert(c.settings.end(), settings.begin(), settings.end());
  return c;
}
Contender partial(int queues) {
  return adapter(fmt::format("PVOQ {}", queues),
                 {{"adapter.organisation", "modulo"}, {"adapter.queues", std::to_string(queues)}});
}
Contender shared(int kilobytes) {
  return adapter(fmt::format("SB {} kB", kilobytes),
                 {{"adapter.organisation", "shared"}, {"adapter.memory", fmt::format("{}kB", kilobytes)}});
}

struct Choice {
  std::vector<int> queues, kilobytes;
  int enough_queues, enough_kilobytes;
};
Choice choice(const Reproduction& r, bool large) {
  if (large)
    return {r.quick() ? std::vector<int>{1, 16, 128} : std::vector<int>{1, 4, 16, 64, 128, 256},
            r.quick() ? std::vector<int>{3, 25} : std::vector<int>{3, 12, 25, 50, 139}, 128, 25};
  return {r.quick() ? std::vector<int>{1, 16} : std::vector<int>{1, 4, 8, 16, 32},
          r.quick() ? std::vector<int>{3} : std::vector<int>{1, 3, 6, 17}, 16, 3};
}

void compare_adapters(Reproduction& r, const NetworkCase& network, bool large, Sizes sizes,
                      const std::vector<Override>& more = {}) {
  const Choice c = choice(r, large);
  std::vector<Contender> contenders{adapter("FVOQ", {})};
  std::size_t enough_pvoq = 0, enough_sb = 0;
  for (const int q : c.queues) {
    if (q == c.enough_queues) enough_pvoq = contenders.size();
    contenders.push_back(partial(q));
  }
  for (const int kb : c.kilobytes) {
    if (kb == c.enough_kilobytes) enough_sb = contenders.size();
    contenders.push_back(shared(kb));
  }
  std::vector<Override> settings = size_settings(sizes);
  settings.insert(settings.end(), more.begin(), more.end());
  const std::vector<double> rates(std::begin(network.bytes_per_cycle), std::end(network.bytes_per_cycle));
  const auto p =
      latency_against_traffic(r, "adapters", "MVCM with different adapters", network, contenders, rates, settings);
  const auto as_good = [&](std::size_t i) { return p[i][1].cold_mean < 1.25 * p[0][1].cold_mean; };
  std::string text;
  for (std::size_t i = 0; i < contenders.size(); ++i)
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", contenders[i].label, cycles(p[i][1].cold_mean));
  r.statement(fmt::format("PVOQ with {} queues is as good as FVOQ", c.enough_queues), as_good(enough_pvoq), text);
  r.statement(fmt::format("SB with {} kB is as good as FVOQ", c.enough_kilobytes), as_good(enough_sb), text);
  r.statement("a single queue is worse", !as_good(1), text);
}

}  // namespace

void fig_8_40(Reproduction& r) { compare_adapters(r, kBmin45, true, Sizes::b256); }
void fig_8_41(Reproduction& r) { compare_adapters(r, kBmin45, true, Sizes::mixed); }
void fig_8_42(Reproduction& r) { compare_adapters(r, kBmin45Second, true, Sizes::b256); }
void fig_8_43(Reproduction& r) { compare_adapters(r, kBmin45Second, true, Sizes::mixed); }
void fig_8_45(Reproduction& r) { compare_adapters(r, kBmin43, false, Sizes::b256); }
void fig_8_46(Reproduction& r) { compare_adapters(r, kBmin43, false, Sizes::mixed); }
void fig_8_47(Reproduction& r) { compare_adapters(r, kBmin43Second, false, Sizes::b256); }
void fig_8_48(Reproduction& r) { compare_adapters(r, kBmin43Second, false, Sizes::mixed); }

void fig_8_44(Reproduction& r) {
  bool good = true;
  std::string text;
  std::vector<Scenario> scenarios;
  for (const char* packets : {"1100", "900"})
    for (const Contender& c : {adapter("FVOQ", {}), shared(25)})
      scenarios.push_back(
          pulse(r, kBmin45Second, kBmin45Second.bytes_per_cycle[1], c, {{"traffic.hot.packets", packets}}));
  const std::vector<Outcome> outcomes = r.run(scenarios);
  for (std::size_t i = 0; i < 2; ++i) {
    const double full = read_pulse(outcomes[2 * i]).cold_mean, small = read_pulse(outcomes[2 * i + 1]).cold_mean;
    good &= small < 1.25 * full;
    text += fmt::format("{}{} against {}", i == 0 ? "" : "; ", cycles(small), cycles(full));
  }
  r.statement("SB with 25 kB stays as good as FVOQ with 10 % more and 10 % less hot traffic", good, text);
}

}  // namespace weir::ferrer
