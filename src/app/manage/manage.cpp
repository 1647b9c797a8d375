// `weir manage`: the dynamic congestion manager for a real subnet, or for a simulated one that it takes for real.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "app/commands.h"
#include "app/process.h"
#include "app/serve/metrics_server.h"
#include "app/manage/subnet_lock.h"
#include "app/manage/served_device.h"
#include "app/manage/wall_clock.h"
#include "base/file_text.h"
#include "manage/discover.h"
#include "manage/manager.h"
#include "manage/metrics.h"
#include "manage/umad_transport.h"
#include "report/terminal/terminal_text.h"
#include "scenario/quantity.h"
#include "store/files/file_lock.h"

namespace weir {
namespace {

struct ManageOptions {
  std::string policy, state = "/var/lib/weir", record, replay, lockstep, until, metrics;
  manage::UmadOptions device;
  bool act = false, dry_run = false, once = false;
};

// Speeds that a device does not tell count as the slowest ones there are. Thresholds that are shares are low there.
Topology topology_of(const Fabric& fabric) {
  const LinkProperties slow{LinkSpeed{1, LaneSpeed::sdr}.rate(), Time{}, 0};
  ImportedFabric imported = to_topology(fabric, {slow, slow});
  return std::move(imported.topology);
}

// What a subnet is known by, from whichever host it is looked at.
std::uint64_t lowest_switch_guid(const Topology& topology) {
  const Identities names(topology);
  std::uint64_t lowest = ~std::uint64_t{0};
  for (std::uint32_t s = 0; s < topology.switches(); ++s)
    lowest = std::min(lowest, names.guid(topology.node(SwitchId{s})));
  return lowest;
}

int run_replay(const ManageOptions& options, manage::Policy policy) {
  const manage::Recording recording = manage::parse_recording(options.replay, read_text_file(options.replay));
  const Topology topology = topology_of(recording.fabric);
  policy.bounds = manage::in_full_names(policy.bounds, topology, [](const std::string& text) {
    note("{}\n", printable(text));
  });
  policy.controller = manage::controller_for(policy, topology, recording.wait_bytes);
  for (const auto& [d, refusal] : manage::replay(recording, topology, policy)) {
    using Why = DcmsController::Decision::Why;
    const std::string root = topology.port_name(d.root);
    std::string said = fmt::format("{}: Marking_Rate back, since {}", root,
                                   d.why == Why::limit ? "it was low for long enough" : "no victim is left");
    if (d.low) said = fmt::format("{}: Marking_Rate low, since it holds back {}", root, topology.port_name(d.victim));
    if (!refusal.empty())
      said = fmt::format("{} holds back {}; not set: {}", root, topology.port_name(d.victim), refusal);
    put(fmt::format("{:.6f} s: {}\n", d.at.seconds(), printable(said)));
  }
  put(fmt::format("replayed sweeps: {}\n", recording.sweeps.size()));
  return 0;
}

// A dry run changes nothing, and so undoes nothing that a manager has left behind when it was killed.
void tell_of_settings(const std::filesystem::path& log_file) {
  std::error_code unreadable;
  if (!std::filesystem::exists(log_file, unreadable)) return;
  std::size_t open = 0;
  try {
    open = manage::ActionLog(log_file).open_actions().size();
  } catch (const InputError& error) {  // it belongs to somebody else, perhaps
    return note("it is not known whether an earlier manager has left settings behind: {}\n", error.what());
  }
  if (open > 0)
    note("settings of an earlier manager that may still be in force: {} ({}). A start with --act undoes them, a dry "
         "run does not\n",
         open, log_file.string());
}

int run_manage(const ManageOptions& options) {
  const manage::Policy policy = manage::read_policy(options.policy);
  if (!options.replay.empty()) return run_replay(options, policy);
  watch_for_interruption();
  const std::unique_ptr<manage::Transport> transport = manage::open_umad(options.device);
  const Fabric fabric = manage::discover(*transport);
  const Topology topology = topology_of(fabric);
  for (const std::string& remark : fabric.remarks) note("{}\n", remark);
  note("{} hosts and {} switches found\n", topology.hosts(), topology.switches());
  std::optional<SubnetLock> subnet_lock;
  std::optional<FileLock> lock;
  std::optional<manage::ActionLog> log;
  const std::filesystem::path file = std::filesystem::path(options.state) /
                                     fmt::format("manage-{:016x}.sqlite", Identities(topology).port_guid({0}));
  if (!options.act) tell_of_settings(file);
  if (options.act) {
    const char* simulated = std::getenv("IBSIM_SOCKNAME");
    subnet_lock.emplace(lowest_switch_guid(topology), simulated == nullptr ? "" : simulated);
    std::filesystem::create_directories(options.state);
    lock.emplace(file.string() + ".lock", "manages this subnet already", "stop it first, or choose another --state");
    log.emplace(file);
  }
  std::optional<manage::Recorder> recorder;
  if (!options.record.empty()) recorder.emplace(options.record, fabric, topology, wait_bytes_of_device());
  WallClock wall;
  std::optional<manage::LockstepClock> lockstep;
  if (!options.lockstep.empty()) lockstep.emplace(options.lockstep);
  manage::ManagerClock& clock = lockstep ? static_cast<manage::ManagerClock&>(*lockstep) : wall;
  manage::ManagerOptions how;
  how.act = options.act;
  how.wait_bytes = wait_bytes_of_device();
  if (!options.until.empty()) how.until = parse_time(options.until);
  how.stopped = [] { return interruption() != 0; };
  std::optional<MetricsServer> metrics;
  if (!options.metrics.empty()) {
    metrics.emplace(options.metrics);
    how.after_round = [&](const manage::Manager& m) { metrics->publish(manage::metrics_text(m, topology)); };
  }
  how.say = [](const std::string& text) {
    put(printable(text) + "\n");
    flush_output();
  };
  manage::Manager manager(topology, policy, *transport, clock, log ? &*log : nullptr, recorder ? &*recorder : nullptr,
                          how);
  if (metrics) metrics->publish(manage::metrics_text(manager, topology));
  manager.run();
  const manage::ManagerTotals& t = manager.totals();
  std::string settings = fmt::format("settings made: {}, refused by bounds: {}, failed: {}, undone: {}", t.settings,
                                     t.refused, t.failed, t.undone);
  if (!options.act)
    settings = fmt::format("dry run, nothing was changed; settings that --act would have made: {}, and undone: {}; "
                           "refused by bounds: {}",
                           t.settings, t.undone, t.refused);
  if (t.low_anyway > 0) settings += fmt::format("; ports whose Marking_Rate was low before: {}", t.low_anyway);
  put(fmt::format("sweeps: {}, readings: {}, missing answers: {}; {}\n", t.sweeps, t.readings, t.missing, settings));
  return manager.low_ports() == 0 || !options.act ? 0 : 1;
}

}  // namespace

Command add_manage(CLI::App& app) {
  auto options = std::make_shared<ManageOptions>();
  CLI::App* command = app.add_subcommand(
      "manage", "manage congestion in a real subnet: make congested switch ports mark more packets");
  command->footer("Examples:\n  weir manage policy.toml\n  weir manage policy.toml --act --state DIR\n"
                  "  weir manage policy.toml --replay telemetry.txt");
  command->add_option("policy", options->policy, "policy file (TOML)")->required();
  CLI::Option* act = command->add_flag(
      "--act", options->act,
      "change Marking_Rate (packets between two marks) at switch ports, within the bounds of the policy");
  command->add_flag("--dry-run", options->dry_run, "only print what would be changed, and why (the default)")
      ->excludes(act);
  command->add_option("--state", options->state, "directory for the log of actions (default: /var/lib/weir)");
  command->add_option("--record", options->record, "write all telemetry to this file");
  command->add_option("--replay", options->replay,
                      "read telemetry from this file (written by --record) and print what would be decided; needs no "
                      "subnet");
  command->add_option("--device", options->device.device, "InfiniBand device (default: the first one)");
  command->add_option("--port", options->device.port, "port of that device (default: the first one that is up)");
  command->add_option("--outstanding", options->device.outstanding,
                      "how many requests may be in flight at the same time")
      ->check(CLI::Range(1u, 4096u));
  command->add_option("--lockstep", options->lockstep,
                      "use the clock of the fabric that `weir fabric --lockstep` serves under this socket name");
  command->add_option("--metrics", options->metrics,
                      "serve /metrics for Prometheus at this address, as in 127.0.0.1:9683 (a port alone: on "
                      "127.0.0.1)");
  command->add_option("--until", options->until,
                      "stop at this time after the start, as in 60min or 400us; with --lockstep: at this "
                      "simulated time");
  return [options, command] {
    refuse_if_given(*command, {"--act", "--state", "--record", "--device", "--port", "--outstanding", "--lockstep",
                               "--metrics", "--until"},
                    !options->replay.empty(), "with --replay, no subnet is read or changed");
    return run_manage(*options);
  };
}

}  // namespace weir
