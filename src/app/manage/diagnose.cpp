// `weir diagnose`: find congestion in a real subnet from its port counters.
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <limits>
#include <optional>

#include "app/commands.h"
#include "app/manage/diagnose_page.h"
#include "app/manage/diagnose_text.h"
#include "app/process.h"
#include "app/report_file.h"
#include "app/runner.h"
#include "app/manage/served_device.h"
#include "app/manage/wall_clock.h"
#include "base/file_text.h"
#include "manage/diagnosis/diagnose.h"
#include "manage/discover.h"
#include "manage/umad_transport.h"
#include "network/fabric/fabric.h"
#include "scenario/quantity.h"
#include "store/files/output_file.h"

namespace weir {
namespace {

struct DiagnoseCommand {
  std::vector<std::string> files;  // fabric, before, after
  std::string recording, lockstep, json, report;
  manage::UmadOptions device;
  bool live = false;
  double seconds = 0;
  std::uint32_t wait_bytes = 0;  // 0: not given
};

// What was counted where; from whatever it came.
struct Evidence {
  Topology topology;
  std::vector<manage::PortGrowth> growths;
  std::vector<std::string> remarks;
  std::optional<std::uint32_t> wait_bytes;  // where it is known
  bool is_simulated = false;                // the time is that of a served fabric
};

Topology topology_of(const Fabric& fabric) {
  const LinkProperties unknown{LinkSpeed{4, LaneSpeed::sdr}.rate(), Time{}, 0};
  return to_topology(fabric, {unknown, unknown}).topology;
}

// When the reading of a file began.
struct Stamp {
  double seconds = 0;
  bool is_simulated = false;
};

// As share/weir-read-counters has noted it: of the wall, or of a served fabric as `weir fabric --tell now` prints it.
std::optional<Stamp> stamp_of(const std::string& file) {
  constexpr std::string_view kStamp = "# weir-read-counters: began at ", kSimulated = "simulated time: ";
  const std::string text = read_text_file(file);
  if (!text.starts_with(kStamp)) return std::nullopt;
  std::string_view time = std::string_view(text).substr(kStamp.size(), text.find('\n') - kStamp.size());
  if (!time.starts_with(kSimulated)) return Stamp{std::strtod(time.data(), nullptr), false};
  try {
    return Stamp{parse_time(time.substr(kSimulated.size())).seconds(), true};
  } catch (const InputError& error) {
    throw InputError(SourcePosition{file, 1, 0}, error.what());
  }
}

constexpr const char* kStoodStill =
    "the simulated time of the served fabric did not advance between the two readings. Either its scenario has ended, "
    "or it runs with --lockstep and nobody advanced its clock: do that with `weir fabric --tell 'advance 1ms'` between "
    "two dumps, or let `weir diagnose --live --lockstep NAME` do it";

void take_time_of_dumps(const DiagnoseCommand& c, double& seconds, bool& is_simulated) {
  seconds = c.seconds;
  const auto first = stamp_of(c.files[1]), last = stamp_of(c.files[2]);
  if (first && last && first->is_simulated != last->is_simulated)
    throw InputError(c.files[first->is_simulated ? 1 : 2] +
                     " was read from a fabric that weir serves, and the other dump was not");
  is_simulated = last && last->is_simulated;
  if (seconds > 0) return;
  if (!first || !last) throw InputError("--seconds is missing: the time between the two readings");
  if (is_simulated && last->seconds == first->seconds) throw InputError(kStoodStill);
  if (last->seconds <= first->seconds)
    throw InputError(c.files[2] + " was read before " + c.files[1] + ": are the two files swapped?");
  seconds = last->seconds - first->seconds;
}

Evidence evidence_of_dumps(const DiagnoseCommand& c) {
  Evidence e{topology_of(read_fabric(c.files[0])), {}, {}, {}};
  double seconds = 0;
  take_time_of_dumps(c, seconds, e.is_simulated);
  if (e.is_simulated) e.wait_bytes = live::kWaitTickBytes;
  const manage::CounterDump before = manage::parse_counters(c.files[1], read_text_file(c.files[1]));
  const manage::CounterDump after = manage::parse_counters(c.files[2], read_text_file(c.files[2]));
  if (all_went_backwards(before, after))
    throw InputError(c.files[2] + ": every counter went backwards: are the two files swapped? (Or were the counters "
                                  "cleared in between?)");
  e.remarks = losses(e.topology, before, after);
  e.growths = growth_between(e.topology, before, after, seconds);
  if (e.growths.empty())
    throw InputError(c.files[2] + ": no port of the fabric has counters in both dumps; do they and " + c.files[0] +
                     " belong together?");
  return e;
}

Evidence evidence_of_recording(const DiagnoseCommand& c) {
  const manage::Recording recording = manage::parse_recording(c.recording, read_text_file(c.recording));
  Evidence e{topology_of(recording.fabric), {}, {}, recording.wait_bytes};
  e.growths = growth_in(e.topology, recording, c.seconds > 0 ? c.seconds : std::numeric_limits<double>::infinity());
  if (recording.sweeps.size() < 2)
    throw InputError(c.recording + ": has fewer than two sweeps; congestion shows in what the counters have grown from "
                                   "one to the next");
  return e;
}

Evidence evidence_of_subnet(const DiagnoseCommand& c) {
  watch_for_interruption();
  const std::unique_ptr<manage::Transport> transport = manage::open_umad(c.device);
  const Fabric fabric = manage::discover(*transport);
  Evidence e{topology_of(fabric), {}, fabric.remarks, wait_bytes_of_device()};
  WallClock wall;
  std::optional<manage::LockstepClock> lockstep;
  if (!c.lockstep.empty()) lockstep.emplace(c.lockstep);
  manage::ManagerClock& clock = lockstep ? static_cast<manage::ManagerClock&>(*lockstep) : wall;
  // What matters is the time in which the counters grow: of a served fabric it is simulated.
  const auto time_of_counters = [&] {
    const auto simulated = lockstep ? std::nullopt : simulated_time_of_device();
    e.is_simulated = lockstep || simulated;
    return simulated.value_or(clock.now());
  };
  const Time began = clock.now(), first = time_of_counters();
  const manage::CounterDump before = read_counters(*transport, e.topology);
  clock.sleep_until(began + Time{static_cast<std::int64_t>(c.seconds * 1e12)});
  const double passed = (time_of_counters() - first).seconds();
  if (e.is_simulated && passed <= 0) throw InputError(kStoodStill);
  e.growths = growth_between(e.topology, before, read_counters(*transport, e.topology), passed);
  if (e.growths.empty()) throw InputError("no port of the subnet has returned its counters");
  return e;
}

void check_sources(const DiagnoseCommand& c) {
  const int sources = !c.files.empty() + !c.recording.empty() + c.live;
  if (sources != 1)
    throw InputError("give one source of counters: a fabric file and two dumps (FABRIC BEFORE AFTER), or --live, or "
                     "--recording FILE");
  if (!c.files.empty() && c.files.size() != 3)
    throw InputError("name the fabric and two dumps of counters: weir diagnose cluster.topo before.txt after.txt");
  if (c.live && c.seconds <= 0)
    throw InputError("--seconds is missing: the time between the two readings");
}

DiagnosedSource source_of(const DiagnoseCommand& c) {
  DiagnosedSource source{"a live subnet", "weir diagnose"};
  const auto add = [&](const std::string& word) { source.command += " " + shell_word(word); };
  const auto file_name = [](const std::string& path) { return std::filesystem::path(path).filename().string(); };
  if (c.live) add("--live");
  if (!c.lockstep.empty()) {
    add("--lockstep");
    add(c.lockstep);
  }
  for (const std::string& file : c.files) add(file_name(file));
  if (!c.files.empty()) source.title = file_name(c.files[0]);
  if (!c.recording.empty()) {
    source.title = file_name(c.recording);
    add("--recording");
    add(source.title);
  }
  if (c.seconds > 0) source.command += fmt::format(" --seconds {}", c.seconds);
  if (c.wait_bytes != 0) source.command += fmt::format(" --wait-bytes {}", c.wait_bytes);
  return source;
}

manage::WaitUnit unit_of(const DiagnoseCommand& c, const Evidence& e) {
  using Unit = manage::WaitUnit;
  if (c.wait_bytes != 0) return {c.wait_bytes, Unit::From::known, 0};
  if (e.wait_bytes) return {*e.wait_bytes, Unit::From::known, 0};
  return manage::derived_wait_unit(e.topology, e.growths).value_or(Unit{});
}

// A few ports by accident, of another subnet perhaps: nothing can be said about the rest.
void check_coverage(Evidence& e) {
  constexpr double kFewest = 0.1, kMost = 0.5;
  std::size_t cabled = 0;
  for (std::uint32_t p = 0; p < e.topology.ports(); ++p) cabled += e.topology.to({p}).valid();
  if (static_cast<double>(e.growths.size()) < kFewest * static_cast<double>(cabled))
    throw InputError(fmt::format("only {} of the {} ports of this fabric have counters: are they those of another "
                                 "fabric, or incomplete?",
                                 e.growths.size(), cabled));
  if (static_cast<double>(e.growths.size()) < kMost * static_cast<double>(cabled))
    e.remarks.push_back(fmt::format("{} of the {} ports of this fabric have counters: what happens at the others is "
                                    "not known",
                                    e.growths.size(), cabled));
}

int run_diagnose(const DiagnoseCommand& c) {
  check_sources(c);
  std::vector<std::filesystem::path> sources(c.files.begin(), c.files.end());
  if (!c.recording.empty()) sources.push_back(c.recording);
  for (const std::string* out : {&c.json, &c.report}) check_text_file(*out, sources);
  Evidence e = c.live                  ? evidence_of_subnet(c)
               : !c.recording.empty() ? evidence_of_recording(c)
                                      : evidence_of_dumps(c);
  check_coverage(e);
  manage::Diagnosis d = manage::diagnose(e.topology, e.growths, unit_of(c, e));
  d.is_simulated = e.is_simulated;
  for (const std::string& remark : e.remarks) note("{}\n", remark);
  if (c.json != "-") show(diagnosis_text(e.topology, d, terminal_style()));
  if (c.json == "-") put(diagnosis_json(e.topology, d));
  else if (!c.json.empty()) write_file(c.json, diagnosis_json(e.topology, d));
  const int code = d.is_inconclusive() ? 1 : 0;
  if (c.report.empty()) return code;
  write_file(c.report, diagnosis_page(e.topology, d, source_of(c)));
  note("report: {}\n", c.report);
  return code;
}

}  // namespace

Command add_diagnose(CLI::App& app) {
  auto options = std::make_shared<DiagnoseCommand>();
  CLI::App* command = app.add_subcommand("diagnose", "find congestion in a real subnet from its port counters");
  command->footer("Examples:\n  weir diagnose cluster.topo before.txt after.txt --seconds 10\n"
                  "  weir diagnose cluster.topo before.txt after.txt --seconds 10 --report diagnosis.html\n"
                  "  weir diagnose --live --seconds 10\n  weir diagnose --recording telemetry.txt");
  command->add_option(
      "files", options->files,
      "three files: an ibnetdiscover dump of the subnet, and two counter dumps (before and after). A counter dump is "
      "one file: the output of `perfquery -x` for all ports, or that of `ibqueryerrors --counters` followed, in the "
      "same file, by that of `ibqueryerrors --threshold-file /dev/null`");
  command->add_flag("--live", options->live, "read the counters of this machine's subnet twice");
  command->add_option("--recording", options->recording, "a file that `weir manage --record` wrote");
  command
      ->add_option(
          "--seconds", options->seconds,
          "seconds from the start of the first dump to the start of the second (default: the time noted in the "
          "dumps, if the script share/weir-read-counters made them). With --live: seconds between the two readings "
          "(required). With --recording: use only the last N seconds of the recording (default: the whole recording)")
      ->check(CLI::Range(1e-9, 1e9));
  command
      ->add_option(
          "--wait-bytes", options->wait_bytes,
          "unit of PortXmitWait: one tick is the time that the link needs for N bytes. N is 8 on newer devices, up to "
          "248 on older ones (default: the recorded unit, otherwise derived from the counters, otherwise 8)")
      ->check(CLI::Range(1u, 65536u));
  command->add_option(
      "--json", options->json,
      "write the whole answer to this file (- for standard output): also all ports that congestion holds back");
  command->add_option(
      "--report", options->report,
      "write an HTML page to this file: a drawing of the fabric, every root (saturated link that ports wait for) and "
      "every port that is held back");
  command->add_option("--device", options->device.device, "InfiniBand device for --live (default: the first one)");
  command->add_option("--port", options->device.port, "port of that device (default: the first one that is up)");
  command->add_option("--lockstep", options->lockstep,
                      "with --live: use the clock of the fabric that `weir fabric --lockstep` serves under this "
                      "socket name");
  return [options, command] {
    refuse_if_given(*command, {"--device", "--port", "--lockstep"}, !options->live, "it is for --live");
    return run_diagnose(*options);
  };
}

}  // namespace weir
