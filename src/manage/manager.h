// The manager of a real subnet: the controller of control/dcms.h, with datagrams for hands and eyes. It reads counters
// in sweeps, lets the controller decide, and sets marking rates within its bounds. Everything it changes it can undo:
// on its own decision, at the end, when answers stay away, and after a crash.
#pragma once
#include <functional>
#include <map>
#include <set>
#include <string>

#include "control/dcms.h"
#include "manage/action_log.h"
#include "manage/clock.h"
#include "manage/counter_reader.h"
#include "manage/policy.h"
#include "manage/recording.h"
#include "manage/settings.h"
#include "manage/transport.h"

namespace weir::manage {

class Manager;

struct ManagerOptions {
  bool act = false;  // otherwise it only says what it would do
  std::optional<std::uint32_t> wait_bytes = {};  // unit of PortXmitWait, where it is known
  Time until = kNever;
  std::function<bool()> stopped;
  std::function<void(const std::string&)> say;
  std::function<void(const Manager&)> after_round = {};
};

struct ManagerTotals {
  std::uint64_t sweeps = 0, readings = 0, missing = 0, settings = 0, refused = 0, failed = 0, undone = 0;
  std::uint64_t low_anyway = 0;  // nothing was to be set: the rate was as low before
};

class Manager {
 public:
  // `log` may be null where nothing is set; `recorder` where nothing is recorded.
  Manager(const Topology& topology, const Policy& policy, Transport& transport, ManagerClock& clock, ActionLog* log,
          Recorder* recorder, const ManagerOptions& options);

  // begin(), rounds until it is told to stop, everything undone.
  void run();
  // What an earlier one has left behind is undone.
  void begin();
  // One round: step, carry out, read; returns when the controller wants to be called again.
  Time round();
  void undo_all(const std::string& why);

  const ManagerTotals& totals() const { return totals_; }
  const std::vector<DcmsController::Decision>& decisions() const { return controller_.decisions(); }
  std::size_t low_ports() const { return low_.size(); }
  std::vector<PortId> low_port_list() const;
  std::vector<std::pair<PortId, std::size_t>> victims() const;  // of the roots that have any
  const std::map<PortId, PortReading>& last_readings() const { return last_; }
  Time last_sweep() const { return sweep_time_; }
  bool is_blind() const { return blind_; }
  bool stands_aside() const { return aside_until_ > Time{}; }  // somebody else sets congestion control
  bool acts() const { return options_.act; }

 private:
  struct Low {
    std::int64_t id = 0;  // in the log
    mad::SwitchPortCongestion before, after;
    bool owed = false;  // it is to have its old setting back, and that has not succeeded yet
  };
  Telemetry read(const std::vector<PortId>& ports);
  void clear(const Actions::Clear& what);
  void set(const Actions::SetMarkingRate& what);
  void lower(PortId port, std::uint32_t rate);
  void restore(PortId port, const std::string& why);
  void recover(const LoggedAction& action);
  void pay_debts();
  void finish(PortId port, SwitchSettings::Result result);
  void watch_answers(std::size_t asked, std::size_t missing);
  void tell_if_off();
  void tell_without_room();
  void tell_unnoticed();
  void watch_others();
  void note_others();
  SwitchSettings::Result change(PortId port, const mad::SwitchPortCongestion& expected,
                                const mad::SwitchPortCongestion& wanted);
  std::string words_for(PortId port) const;
  std::string counters_of(PortId port) const;
  void say(const std::string& text) const;

  const Topology& topology_;
  Policy policy_;
  Transport& transport_;
  ManagerClock& clock_;
  ActionLog* log_;
  Recorder* recorder_;
  ManagerOptions options_;
  DcmsController controller_;
  CounterReader counters_;
  SwitchSettings settings_;
  Guard guard_;
  Telemetry telemetry_;
  std::map<PortId, Low> low_;
  std::map<PortId, PortReading> last_;  // what led to a decision
  ManagerTotals totals_;
  std::set<PortId> told_;  // full ports that do not count as congested
  std::set<PortId> told_low_;  // ports that were low before
  Time sweep_time_;
  bool blind_ = false;  // too many answers are missing
  std::vector<std::string> others_;  // changes that are not this manager's, in words, since they were last looked at
  Time aside_until_;                 // 0: it does not stand aside
};

}  // namespace weir::manage
