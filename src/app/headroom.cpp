// `weir headroom`: what PFC needs for links of a rate and a length, exactly and by the operators' formula.
#include <fmt/format.h>

#include <memory>

#include "app/commands.h"
#include "app/process.h"
#include "app/runner.h"
#include "base/error.h"
#include "packet/flow_control/headroom.h"
#include "packet/flow_control/operator_headroom.h"
#include "report/terminal/table.h"
#include "report/terminal/terminal_text.h"
#include "scenario/quantity.h"

namespace weir {
namespace {

struct HeadroomOptions {
  std::vector<std::string> rates{"100Gbps", "400Gbps"};
  std::vector<std::string> lengths{"5m", "40m", "300m"};
  std::string mtu = "9100B", frame = "64B", response, lossless_mtu = "1024B", mac_phy = "819B", gearbox = "0B";
  std::string switch_delay = "0ns";
  double cell_overhead = 2.25;
  std::uint32_t quanta = 0;  // 0 = as many as the standard allows
};

// How long the peer goes on after it has received the frame.
Time response_of(const HeadroomOptions& options, Rate rate) {
  if (!options.response.empty()) return parse_time(options.response);
  const Bytes quanta = options.quanta > 0 ? Bytes{options.quanta} : standard_response_quanta(rate);
  return rate.time_for(quanta * OperatorHeadroom::kQuantum);
}

Bytes exact_headroom(const HeadroomOptions& options, Rate rate, double metres) {
  const Time delay{static_cast<std::int64_t>(metres / OperatorHeadroom::kMetresPerSecond * 1e12 + 0.5)};
  const Time inside = parse_time(options.switch_delay);
  return pfc_headroom({.there = {.ps_per_byte_q16 = rate.ps_per_byte_q16(),
                                 .latency = static_cast<std::uint32_t>((delay + inside).ps)},
                       .back_ps_per_byte_q16 = rate.ps_per_byte_q16(),
                       .delay = delay,
                       .response = response_of(options, rate),
                       .largest_packet = parse_bytes(options.mtu),
                       .frame = parse_bytes(options.frame)});
}

Bytes operator_headroom(const HeadroomOptions& options, Rate rate, double metres) {
  const double response = response_of(options, rate).seconds() * rate.bytes_per_second();
  return OperatorHeadroom{rate,
                          metres,
                          parse_bytes(options.lossless_mtu),
                          parse_bytes(options.mtu),
                          parse_bytes(options.mac_phy),
                          parse_bytes(options.gearbox),
                          static_cast<Bytes>(response + 0.5),
                          options.cell_overhead}
      .bytes();
}

double metres_of(const std::string& text) {
  constexpr double kLongest = 1e6;
  const double metres = parse_metres(text);
  if (metres < 0 || metres > kLongest)
    throw InputError(fmt::format("--length: {} is not between 0 and {} m", text, kLongest));
  return metres;
}

int run_headroom(const HeadroomOptions& options) {
  TextTable table({{"rate", Align::left, 1},
                   {"length", Align::right, 2},
                   {"peer stops after", Align::right, 3},
                   {"exact", Align::right, 4},
                   {"operators' formula", Align::right, 5}});
  for (const std::string& text : options.rates) {
    const Rate rate = parse_rate(text);
    for (const std::string& length : options.lengths) {
      const double metres = metres_of(length);
      table.add({to_text(rate), fmt::format("{} m", metres), to_text(response_of(options, rate)),
                 fmt::format("{} B", exact_headroom(options, rate, metres)),
                 fmt::format("{} B", operator_headroom(options, rate, metres))});
    }
  }
  const TextStyle style = terminal_style();
  const std::string mtu = bytes_to_text(parse_bytes(options.mtu));
  show(table.render(style) + "\n" +
       wrap(fmt::format("for each input and priority; exact: packets of {} as they come; formula: cells, overhead {}, "
                        "in KiB", mtu, options.cell_overhead), style.width) +
       wrap(fmt::format("exact counts {} inside the switch. In a run a packet counts when it has crossed the switch, "
                        "and the peer stops after switch.credit_delay: for the headroom of a run give --switch-delay "
                        "(route_delay and switch_delay of [switch] together) and --response (credit_delay).",
                        options.switch_delay), style.width));
  return 0;
}

}  // namespace

Command add_headroom(CLI::App& app) {
  auto options = std::make_shared<HeadroomOptions>();
  CLI::App* command = app.add_subcommand("headroom", "calculate the headroom that PFC needs on a link");
  command->footer(
      "Two figures are printed: what weir's model of PFC needs exactly, and the rule of thumb of switch operators. "
      "Options marked `formula` affect only the second.\nExamples:\n  weir headroom\n"
      "  weir headroom --rate 400Gbps --length 2,30,150 --mtu 4200B");
  command->add_option("--rate", options->rates, "rates of links")->delimiter(',')->capture_default_str();
  command->add_option("--length", options->lengths, "lengths of cables: mm, cm, m, km, ft; without a unit in metres")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--mtu", options->mtu, "largest packet on the wire")->capture_default_str();
  CLI::Option* quanta = command->add_option(
      "--quanta", options->quanta,
      "how long the peer keeps sending after it has received the PAUSE frame, in quanta of 64 B (default: what the "
      "Ethernet standard allows, 394, 453, 905 at 100, 200, 400 Gb/s)");
  quanta->check(CLI::Range(1u, 65535u));
  command->add_option("--response", options->response, "the same as a time")->excludes(quanta);
  command->add_option("--switch-delay", options->switch_delay,
                      "exact: time that a packet takes through the switch before it counts as stored, as in a run")
      ->capture_default_str();
  command->add_option("--frame", options->frame, "size of the PAUSE frame")->capture_default_str();
  command->add_option("--lossless-mtu", options->lossless_mtu, "formula: largest packet of the lossless priority")
      ->capture_default_str();
  command->add_option("--mac-phy", options->mac_phy, "formula: bytes in flight between the two MACs, without the "
                                                     "cable")
      ->capture_default_str();
  command->add_option("--gearbox", options->gearbox, "formula: bytes in flight in a gearbox")->capture_default_str();
  command->add_option("--cell-overhead", options->cell_overhead,
      "formula: bytes of memory per byte of packet in the worst case")
      ->check(CLI::Range(1.0, 100.0))
      ->capture_default_str();
  return [options] { return run_headroom(*options); };
}

}  // namespace weir
