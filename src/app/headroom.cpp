// `weir headroom`: what PFC needs for links of a rate and a length, exactly and by the operators' formula.
#include <fmt/format.h>

#include <memory>

#include "app/commands.h"
#include "app/process.h"
#include "app/runner.h"
#include "base/error.h"
#include "packet/flow_control/headroom.h"
#include "packet/flow_control/operator_headroom.h"
#include "report/number_format.h"
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
  std::uint32_t ports = 0, priorities = 1;  // of a switch; 0 = no total is asked for
};

// How long the peer goes on after it has received the frame.
Time response_of(const HeadroomOptions& options, Rate rate) {
  if (!options.response.empty()) return parse_time(options.response);
  const Bytes quanta = options.quanta > 0 ? Bytes{options.quanta} : standard_response_quanta(rate);
  return rate.time_for(quanta * OperatorHeadroom::kQuantum);
}

Time delay_of_cable(double metres) {
  return {static_cast<std::int64_t>(metres * static_cast<double>(kDelayOfMetre.ps) + 0.5)};
}

Bytes exact_headroom(const HeadroomOptions& options, Rate rate, double metres) {
  const Time delay = delay_of_cable(metres);
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

void check_sizes(const HeadroomOptions& options) {
  const std::pair<const char*, const std::string*> sizes[] = {
      {"--mtu", &options.mtu}, {"--lossless-mtu", &options.lossless_mtu}, {"--frame", &options.frame}};
  for (const auto& [option, text] : sizes)
    if (parse_bytes(*text) <= 0) throw InputError(fmt::format("{} must be above 0, not {}", option, *text));
}

double metres_of(const std::string& text) {
  constexpr double kLongest = 1e6;
  const double metres = parse_metres(text);
  if (metres < 0 || metres > kLongest)
    throw InputError(fmt::format("--length: {} is not between 0 and {} m", text, kLongest));
  return metres;
}

// The formula with the quanta that vendors' tables assume, where those of the standard were taken.
std::string vendors_quanta(const HeadroomOptions& options) {
  constexpr std::uint32_t kOfVendor = 62;
  if (options.quanta > 0 || !options.response.empty()) return "";
  HeadroomOptions of_vendor = options;
  of_vendor.quanta = kOfVendor;
  const Rate rate = parse_rate(options.rates.front());
  const double metres = metres_of(options.lengths.front());
  return wrap(
      fmt::format("The peer is assumed to stop as late as the standard allows. Vendors' tables assume less, such as "
                  "--quanta {}: with it, the formula gives {} B instead of {} B for {} over {} m.",
                  kOfVendor, operator_headroom(of_vendor, rate, metres), operator_headroom(options, rate, metres),
                  to_text(rate), metres),
      terminal_style().width);
}

// What the figures are of, and which of them a switch needs.
std::string explained(const HeadroomOptions& options, bool lossless_mtu_given) {
  const auto with_unit = [](const std::string& bytes) {
    return bytes.find_first_not_of("0123456789") == bytes.npos ? bytes + "B" : bytes;
  };
  const std::string mtu = with_unit(options.mtu), lossless = with_unit(options.lossless_mtu);
  const std::size_t width = terminal_style().width;
  std::string text =
      wrap(fmt::format(
               "Both figures are per input port and priority. This memory is needed in addition to the buffer "
               "below the threshold at which the port sends PAUSE (XOFF). "
               "\"exact\" counts bytes, for packets of {}. \"operators' formula\" is for switches that keep "
               "packets in cells: it allows {} bytes of memory for each byte of a packet, and rounds up to whole "
               "KiB.",
               mtu, options.cell_overhead),
           width) +
      wrap(
          "On a switch, configure the value of the operators' formula, unless its vendor has a formula of its own: "
          "real switches use cells. Use the exact figure only for simulated switches, which can fill every byte of "
          "their memory, as weir's can. SONiC calls the headroom `xoff` (in a "
          "PG profile): this `xoff` is not the threshold.",
          width);
  if (!lossless_mtu_given && parse_bytes(options.mtu) > parse_bytes(lossless))
    text += wrap(fmt::format("The formula assumes that the largest packet of the lossless priority has {0}. If it can "
                             "have {1}, add --lossless-mtu {1}.", lossless, mtu),
                 width);
  text +=
      wrap(fmt::format("A metre of cable takes {} in the exact figure, as in scenarios, and {:.3g} ns in the formula, "
                       "as in vendors' tables.",
                       format_time(kDelayOfMetre), 1e9 / OperatorHeadroom::kMetresPerSecond),
           width);
  text += vendors_quanta(options);
  text +=
      wrap(fmt::format("The exact figure assumes that a packet takes {} to cross the switch. For the switches of a "
                       "scenario, set --switch-delay to the sum of route_delay and switch_delay of [switch], "
                       "--response to credit_delay, and --mtu to the largest packet with its header. After a "
                       "run, scenario.toml in the result directory also contains that headroom, as pfc_headroom.",
                       options.switch_delay),
           width);
  return text;
}

int run_headroom(const HeadroomOptions& options, bool lossless_mtu_given) {
  check_sizes(options);
  std::vector<TextColumn> columns{{"rate", Align::left, 1},
                              {"length", Align::right, 2},
                              {"peer stops after", Align::right, 3},
                              {"exact", Align::right, 4},
                              {"operators' formula", Align::right, 5}};
  const Bytes inputs = Bytes{options.ports} * options.priorities;
  if (inputs > 0) {
    columns.push_back({"exact, switch", Align::right, 5});
    columns.push_back({"formula, switch", Align::right, 6});
  }
  TextTable table(columns);
  for (const std::string& text : options.rates) {
    const Rate rate = parse_rate(text);
    for (const std::string& length : options.lengths) {
      const double metres = metres_of(length);
      const Bytes exact = exact_headroom(options, rate, metres), formula = operator_headroom(options, rate, metres);
      std::vector<std::string> row{to_text(rate), fmt::format("{} m", metres), to_text(response_of(options, rate)),
                                   fmt::format("{} B", exact), fmt::format("{} B", formula)};
      if (inputs > 0) {
        row.push_back(format_bytes(static_cast<double>(exact * inputs)));
        row.push_back(format_bytes(static_cast<double>(formula * inputs)));
      }
      table.add(row);
    }
  }
  const TextStyle style = terminal_style();
  std::string text = table.render(style) + "\n";
  if (inputs > 0)
    text += wrap(fmt::format("\"exact, switch\" and \"formula, switch\": sums over {} ports with {} lossless {} each; "
                             "compare them with the memory of the switch",
                             options.ports, options.priorities, options.priorities == 1 ? "priority" : "priorities"),
                 style.width);
  show(text + explained(options, lossless_mtu_given));
  return 0;
}

}  // namespace

Command add_headroom(CLI::App& app) {
  auto options = std::make_shared<HeadroomOptions>();
  CLI::App* command = app.add_subcommand(
      "headroom",
      "calculate the headroom that PFC needs on a link\n"
      "Two figures are printed. The exact figure is the least that works in weir's model of PFC. The operators' "
      "formula is a rule of thumb of switch operators: configure its value on a real switch.");
  command->footer(
      "Examples:\n  weir headroom\n"
      "  weir headroom --rate 400Gbps --length 2,30,150 --mtu 4200B\n"
      "  weir headroom --rate 100Gbps --length 100m --ports 32 --priorities 2");
  command->add_option("--rate", options->rates, "rates of links")->delimiter(',')->capture_default_str();
  command
      ->add_option("--length", options->lengths,
                   "lengths of cables: mm, cm, m, km, ft; a number without a unit is in metres")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--mtu", options->mtu, "largest packet of any priority, with its header")->capture_default_str();
  CLI::Option* quanta = command->add_option(
      "--quanta", options->quanta,
      "how long the peer keeps sending after it has received the PAUSE frame, in quanta of 64 B (default: the most "
      "that the Ethernet standard allows: 394 up to 100 Gb/s, 453 up to 200 Gb/s, otherwise 905)");
  quanta->check(CLI::Range(1u, 65535u));
  command->add_option("--response", options->response,
                      "the time for which the peer keeps sending, such as 350ns; instead of --quanta")
      ->excludes(quanta);
  command->add_option("--ports", options->ports, "also print the sum over a switch with this number of ports")
      ->check(CLI::Range(1u, 100'000u));
  command->add_option("--priorities", options->priorities, "with --ports: number of lossless priorities of each port")
      ->check(CLI::Range(1u, 8u))
      ->capture_default_str();
  const std::string exact = "Only for the exact figure", formula = "Only for the operators' formula";
  command
      ->add_option("--switch-delay", options->switch_delay,
                   "time that a packet takes inside the switch before it occupies the buffer")
      ->capture_default_str()
      ->group(exact);
  command->add_option("--frame", options->frame, "size of the PAUSE frame")->capture_default_str()->group(exact);
  CLI::Option* lossless_mtu = command->add_option("--lossless-mtu", options->lossless_mtu,
                                                  "largest packet of the lossless priority, with its header")
                                  ->capture_default_str()
                                  ->group(formula);
  command
      ->add_option("--mac-phy", options->mac_phy, "bytes in flight between the two MACs, in addition to the cable")
      ->capture_default_str()
      ->group(formula);
  command->add_option("--gearbox", options->gearbox, "bytes in flight in a gearbox; each end of the link has one")
      ->capture_default_str()
      ->group(formula);
  command
      ->add_option("--cell-overhead", options->cell_overhead,
                   "bytes of memory per byte of a packet, in the worst case")
      ->check(CLI::Range(1.0, 100.0))
      ->capture_default_str()
      ->group(formula);
  return [options, lossless_mtu, command] {
    refuse_if_given(*command, {"--priorities"}, command->count("--ports") == 0, "it is for --ports");
    return run_headroom(*options, lossless_mtu->count() > 0);
  };
}

}  // namespace weir
