// What a scheme keeps, as it declares it. A table has an entry for each node, port, channel or connection; the scheme
// owns it as a member that it hands itself to:
//
//   ChannelTable<MarkingPort> ports_{*this};
//   HostTable<Counters> counters_{*this};
//
// The engine sizes the tables before on_start() and knows what they take. An entry belongs to the node that has the
// port, sends into the channel, or is the source of the connection: only hooks called at that node touch it, which test
// builds check (of flows, both ends may). What a scheme counts lies in tables too and is summed up in report(), so that
// no sum depends on who executed what.
#pragma once
#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "packet/scheme/node_view.h"

namespace weir {

// A few lanes, in an order.
class LaneList {
 public:
  void add(Lane lane) { lanes_[count_++] = lane; }
  const Lane* begin() const { return lanes_.data(); }
  const Lane* end() const { return lanes_.data() + count_; }

 private:
  std::array<Lane, kMaxLanes> lanes_;
  std::uint32_t count_ = 0;
};

class CentralPart;
class StateTable;

// What the engine knows of the state of a scheme. It notes where tables and central parts are, so a scheme never moves.
class SchemeState {
 public:
  SchemeState() = default;
  SchemeState(const SchemeState&) = delete;
  SchemeState& operator=(const SchemeState&) = delete;
  virtual ~SchemeState() = default;

  void prepare(EngineView& engine);
  std::size_t bytes_of_state() const;
  bool central() const { return !central_.empty(); }
  // Where several processes share a run, each has tables of its own, in which only its nodes do anything. Those of
  // another one are taken over at the end, but for flows.
  using IsHere = std::function<bool(NodeId)>;
  void pack(BytesOut& out, const IsHere& is_here) const;
  void unpack(BytesIn& in);
  bool in_one_process() const;  // it has a table that no other process can be given
  const std::string& why_central() const { return why_central_; }
  // A packet goes to another process, or has come from one, while no node is at work: what belongs to it and does not
  // lie in it goes along.
  virtual void send_along(const Packet&, BytesOut&) const {}
  virtual void take_along(const Packet&, BytesIn&) {}

  // A packet will reach this host in moments, or a timer, or one of this connection will be made there: what the hooks
  // will read then may be fetched into the cache, and nothing else. A timer is announced once more when what was
  // fetched is there. Small fabrics do without.
  virtual void before_arrival(HostView, const Packet&) const {}
  virtual void before_sending(HostView, ConnectionId) const {}
  virtual void before_timer(HostView, bool /*again*/) const {}
  // The same for a packet that will reach a switch and belongs to no connection, twice too, and for a global timer.
  virtual void before_switch_arrival(const Packet&, bool /*again*/) const {}
  virtual void before_global_timer(std::uint32_t /*number*/) const {}
  // Which lanes of traffic leave the host by this lane of its link, in the order in which they are asked for a packet.
  // Where a scheme does not say, every lane has its own.
  virtual LaneList traffic_on(HostView, Lane) const { return {}; }
  // Of a scheme that only marks (SchemeHooks::kOnlyMarks): do on_output() and on_departure() do anything about this
  // packet, which starts to cross a switch?
  virtual bool looks_at_output(const Packet&) const { return true; }

 protected:
  // Of what grows while the run goes on, beside the tables.
  virtual std::size_t bytes_beside_tables() const { return 0; }

 private:
  friend CentralPart;
  friend StateTable;

  std::vector<StateTable*> tables_;
  std::vector<CentralPart*> central_;
  std::string why_central_;
};

// A part of a scheme that sees all nodes at once, such as a solver or a manager. Whoever has one says why; the nodes of
// the scheme are then executed by one thread.
class CentralPart : public GlobalView {
 public:
  CentralPart(SchemeState& owner, std::string why) {
    owner.central_.push_back(this);
    owner.why_central_ = std::move(why);
  }

 private:
  friend SchemeState;
};

class StateTable {
 public:
  StateTable(const StateTable&) = delete;
  StateTable& operator=(const StateTable&) = delete;

 protected:
  explicit StateTable(SchemeState& owner) : owner_(owner) { owner.tables_.push_back(this); }
  virtual ~StateTable() = default;

  const SchemeState& owner_;

 private:
  friend SchemeState;
  virtual void prepare(EngineView& engine) = 0;
  virtual std::size_t bytes() const = 0;
  virtual bool in_one_process() const = 0;
  virtual void pack(BytesOut&, const SchemeState::IsHere&) const {}
  virtual void unpack(BytesIn&) {}
};

template <class I, class T>
class TableOf final : public StateTable, public Table<I, T> {
 public:
  // `initial`: what all entries are at the start. A table that is not needed stays empty.
  explicit TableOf(SchemeState& owner, T initial = T{}, bool needed = true)
      : StateTable(owner), initial_(std::move(initial)), needed_(needed) {}

  T& operator[](I id) {
    WEIR_CHECK(may_touch(id));
    return Table<I, T>::operator[](id);
  }
  const T& operator[](I id) const {
    WEIR_CHECK(may_touch(id));
    return Table<I, T>::operator[](id);
  }
  // It will be touched soon.
  [[gnu::always_inline]] void fetch(I id) const {
    const char* const first = reinterpret_cast<const char*>(&Table<I, T>::operator[](id));
    __builtin_prefetch(first, 1);
    __builtin_prefetch(first + sizeof(T) - 1, 1);
  }

 private:
  static std::size_t entries(EngineView& e, NodeId) { return e.topology().nodes(); }
  static std::size_t entries(EngineView& e, HostId) { return e.topology().hosts(); }
  static std::size_t entries(EngineView& e, SwitchId) { return e.topology().switches(); }
  static std::size_t entries(EngineView& e, PortId) { return e.topology().ports(); }
  static std::size_t entries(EngineView& e, ChannelId) { return e.fabric().channels(); }
  static std::size_t entries(EngineView& e, ConnectionId) { return e.connections().count(); }
  static std::size_t entries(EngineView& e, FlowId) { return e.workload().flows.size(); }

  static NodeId node_of(EngineView&, NodeId node) { return node; }
  static NodeId node_of(EngineView&, HostId host) { return {host.index}; }
  static NodeId node_of(EngineView& e, SwitchId s) { return e.topology().node(s); }
  static NodeId node_of(EngineView& e, PortId port) { return e.topology().node_of(port); }
  static NodeId node_of(EngineView& e, ChannelId c) { return e.topology().node_of(e.fabric().link_of(c)); }
  static NodeId node_of(EngineView& e, ConnectionId c) { return {e.connections().source(c).index}; }
  bool may_touch(I id) const {
    if constexpr (std::is_same_v<I, FlowId>) return true;
    else return owner_.central() || AtWork::everywhere() || AtWork::at(node_of(*engine_, id));
  }

  void prepare(EngineView& engine) override {
    engine_ = &engine;
    if (needed_) this->assign(entries(engine, I{}), initial_);
  }
  std::size_t bytes() const override { return this->size() * sizeof(T); }
  // Flows have what both ends have seen: schemes that fill such a table while they run are not divided.
  static constexpr bool kPasses = kBecomesBytes<T> && !std::is_same_v<I, FlowId>;
  bool in_one_process() const override { return !kBecomesBytes<T>; }
  void pack(BytesOut& out, const SchemeState::IsHere& is_here) const override {
    if constexpr (kPasses)
      for (I id{0}; id.index < this->size(); ++id.index)
        if (is_here(node_of(*engine_, id))) {
          out.put(id.index);
          out.put(Table<I, T>::operator[](id));
        }
    out.put(kAllRows);
  }
  void unpack(BytesIn& in) override {
    for (;;) {
      const auto row = in.get<std::uint32_t>();
      if (row == kAllRows) return;
      if constexpr (kPasses) in.get(Table<I, T>::operator[]({row}));
    }
  }
  static constexpr std::uint32_t kAllRows = 0xffffffffu;

  EngineView* engine_ = nullptr;
  T initial_;
  bool needed_;
};

template <class T> using NodeTable = TableOf<NodeId, T>;
template <class T> using HostTable = TableOf<HostId, T>;
template <class T> using SwitchTable = TableOf<SwitchId, T>;
template <class T> using PortTable = TableOf<PortId, T>;
template <class T> using ChannelTable = TableOf<ChannelId, T>;
template <class T> using ConnectionTable = TableOf<ConnectionId, T>;
template <class T> using FlowTable = TableOf<FlowId, T>;

inline void SchemeState::prepare(EngineView& engine) {
  for (StateTable* table : tables_) table->prepare(engine);
  for (CentralPart* part : central_) part->engine_ = &engine;
}
inline std::size_t SchemeState::bytes_of_state() const {
  std::size_t sum = bytes_beside_tables();
  for (const StateTable* table : tables_) sum += table->bytes();
  return sum;
}

inline void SchemeState::pack(BytesOut& out, const IsHere& is_here) const {
  for (const StateTable* table : tables_) table->pack(out, is_here);
}
inline void SchemeState::unpack(BytesIn& in) {
  for (StateTable* table : tables_) table->unpack(in);
}
inline bool SchemeState::in_one_process() const {
  return std::any_of(tables_.begin(), tables_.end(), [](const StateTable* t) { return t->in_one_process(); });
}

}  // namespace weir
