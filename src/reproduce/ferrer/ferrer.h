// What the entries of paper 001 share: its networks, sizes and rates, one way to make a scenario of them, and what is
// read off a run with a pulse. Every figure uses the same set of choices for what the paper leaves open
// (docs/marking.md).
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "measure/digest.h"
#include "reproduce/entry.h"

namespace weir::ferrer {

enum class Load { low, medium, high };
inline constexpr Load kLoads[] = {Load::low, Load::medium, Load::high};
std::string_view load_name(Load load);

// One column of Table 8.2.
struct NetworkCase {
  std::string_view file;   // of reproduce/ferrer, without .toml
  std::string_view title;
  double bytes_per_cycle[3];
};
inline constexpr NetworkCase kBmin45{"bmin-4-ary-5-fly", "BMIN 4-ary 5-fly", {32, 68, 98}};
inline constexpr NetworkCase kBmin43{"bmin-4-ary-3-fly", "BMIN 4-ary 3-fly", {4, 7.2, 9.6}};
inline constexpr NetworkCase kBmin83{"bmin-8-ary-3-fly", "BMIN 8-ary 3-fly", {32, 58, 96}};
inline constexpr NetworkCase kUmin44{"umin-4-ary-4-fly", "UMIN 4-ary 4-fly", {16, 29, 38}};
inline constexpr NetworkCase kUmin83{"umin-8-ary-3-fly", "UMIN 8-ary 3-fly", {39, 69, 102}};

enum class Sizes { b256, b512, b1024, mixed };
std::vector<Override> size_settings(Sizes sizes);
std::vector<Override> rate_settings(double bytes_per_cycle);  // of the whole network, for both kinds of hosts

// A scheme and how it is called in a figure.
struct Contender {
  std::string label;
  std::vector<Override> settings;
};
Contender scheme(std::string_view name);                                                    // with its defaults
Contender parts(std::string label, const std::vector<Override>& settings);                  // of the scheme `marking`

Scenario pulse(const Reproduction& r, const NetworkCase& network, double bytes_per_cycle, const Contender& contender,
               const std::vector<Override>& more = {});

// What a run with a pulse shows. Times in cycles.
struct Pulse {
  double before = 0;           // cold latency before the pulse
  double cold_peak = 0, hot_peak = 0;  // highest bin
  double cold_mean = 0, all_mean = 0;  // over the whole run
  double dip = 0;              // lowest cold throughput during the pulse, share of before
  double recovery = 0;         // of cold latency after the pulse began; -1 = not within the run
  double accepted = 0;         // bytes per cycle delivered, all traffic, payload
  double hot_link = 0;  // share of the pulse in which the link to the hot spot is busy: first to last hot delivery
  double hot_link_lowest = 0;  // its lowest bin within that time
  double cold_marked = 0, hot_marked = 0;  // per cent; both bits where the detection has two
  double hot_end = 0;          // last hot packet delivered, after the pulse began
};
Pulse read_pulse(const Outcome& outcome, bool two_bits = false);

// Curves of a run.
enum class Series { latency, throughput };
Curve class_curve(const Outcome& outcome, std::string_view traffic_class, Series what,
                  std::string label);  // "" = all classes
Curve hot_link_curve(const Outcome& outcome, std::string label);                                            // per cent
Figure figure(std::string name, std::string title, Series what);

// Mean latency against accepted traffic, as the paper's comparisons show it: every contender at every rate. Results by
// [contender][rate]; figures of cold latency and of all packets are added to the entry.
std::vector<std::vector<Pulse>> latency_against_traffic(Reproduction& r, const std::string& name,
                                                        const std::string& title, const NetworkCase& network,
                                                        const std::vector<Contender>& contenders,
                                                        const std::vector<double>& bytes_per_cycle,
                                                        const std::vector<Override>& more = {});
// The rates of such a figure at this depth: low, medium and high always among them.
std::vector<double> rates_of(const Reproduction& r, const NetworkCase& network);
inline std::size_t index_of(const std::vector<double>& rates, double rate) {
  for (std::size_t i = 0; i < rates.size(); ++i)
    if (rates[i] == rate) return i;
  return 0;
}

std::string cycles(double value);  // "6,416" or "0.5"

void fig_4_11(Reproduction&);
void fig_4_12(Reproduction&);
void fig_8_2(Reproduction&);
void window(Reproduction&);
void fig_8_3(Reproduction&);
void fig_8_4(Reproduction&);
void fig_8_5(Reproduction&);
void fig_8_6(Reproduction&);
void fig_8_7(Reproduction&);
void fig_8_8(Reproduction&);
void fig_8_9(Reproduction&);
void fig_8_10(Reproduction&);
void fig_8_11(Reproduction&);
void fig_8_12(Reproduction&);
void fig_8_13(Reproduction&);
void fig_8_14(Reproduction&);
void fig_8_15(Reproduction&);
void fig_8_16(Reproduction&);
void fig_8_17(Reproduction&);
void fig_8_18(Reproduction&);
void fig_8_19(Reproduction&);
void fig_8_20(Reproduction&);
void fig_8_21(Reproduction&);
void fig_8_22(Reproduction&);
void fig_8_23(Reproduction&);
void fig_8_24(Reproduction&);
void fig_8_26(Reproduction&);
void fig_8_27(Reproduction&);
void fig_8_29(Reproduction&);
void fig_8_30(Reproduction&);
void fig_8_31(Reproduction&);
void fig_8_32(Reproduction&);
void fig_8_33(Reproduction&);
void fig_8_34(Reproduction&);
void fig_8_35(Reproduction&);
void fig_8_36(Reproduction&);
void fig_8_37(Reproduction&);
void fig_8_38(Reproduction&);
void fig_8_39(Reproduction&);
void fig_8_40(Reproduction&);
void fig_8_41(Reproduction&);
void fig_8_42(Reproduction&);
void fig_8_43(Reproduction&);
void fig_8_44(Reproduction&);
void fig_8_45(Reproduction&);
void fig_8_46(Reproduction&);
void fig_8_47(Reproduction&);
void fig_8_48(Reproduction&);
void table_8_5(Reproduction&);
void table_8_6(Reproduction&);
void long_pulse(Reproduction&);
void sensitivity(Reproduction&);

}  // namespace weir::ferrer
