// Training steps of a model that is spread over tensor, pipeline and data parallel groups, and expert parallel ones
// within the data parallel ones.
//
// Rank (d * pipeline + p) * tensor + t is part t of stage p of copy d. In a step the micro-batches go forwards through
// the stages, then backwards (all forwards first). At each stage a rank computes, the tensor group reduces, the expert
// group exchanges tokens there and back, and the activations go on to the next stage while the rank begins with the
// next micro-batch. At the end the copies reduce the gradients, and the next step begins.
#include <fmt/core.h>

#include "traffic/collective/algorithms.h"
#include "traffic/collective/rank_order.h"

namespace weir {

namespace {

struct Model {
  std::uint32_t tensor = 1, pipeline = 1, data = 1, expert = 1, microbatches = 1, steps = 1;
  Time forward, backward;
  Bytes tensor_bytes = 0, expert_bytes = 0, activation_bytes = 0, gradient_bytes = 0;
};

class Training {
 public:
  Training(const Model& model, Schedule& schedule) : m_(model), schedule_(schedule) {}

  void add() {
    for (step_ = 0; step_ < m_.steps; ++step_) {
      for (std::uint32_t b = 0; b < m_.microbatches; ++b)
        for (std::uint32_t p = 0; p < m_.pipeline; ++p) stage(p, m_.forward, p + 1 < m_.pipeline ? p + 1 : p);
      for (std::uint32_t b = 0; b < m_.microbatches; ++b)
        for (std::uint32_t p = m_.pipeline; p-- > 0;) stage(p, m_.backward, p > 0 ? p - 1 : p);
      reduce_gradients();
    }
  }

 private:
  std::uint32_t rank(std::uint32_t d, std::uint32_t p, std::uint32_t t) const {
    return (d * m_.pipeline + p) * m_.tensor + t;
  }

  // One micro-batch at stage p of all copies; the result goes on to stage `next`.
  void stage(std::uint32_t p, Time compute, std::uint32_t next) {
    for (std::uint32_t d = 0; d < m_.data; ++d)
      for (std::uint32_t t = 0; t < m_.tensor; ++t) schedule_.compute(rank(d, p, t), compute);
    for (std::uint32_t d = 0; d < m_.data; ++d) {
      std::vector<std::uint32_t> group;
      for (std::uint32_t t = 0; t < m_.tensor; ++t) group.push_back(rank(d, p, t));
      collective(group, Collective::all_reduce, m_.tensor_bytes, d * m_.pipeline + p);
    }
    for (std::uint32_t there_and_back = 0; there_and_back < 2; ++there_and_back)
      for (std::uint32_t t = 0; t < m_.tensor; ++t)
        for (std::uint32_t d = 0; d < m_.data; d += m_.expert) {
          std::vector<std::uint32_t> group;
          for (std::uint32_t e = 0; e < m_.expert; ++e) group.push_back(rank(d + e, p, t));
          collective(group, Collective::all_to_all, m_.expert_bytes, rank(d, p, t));
        }
    if (next == p || m_.activation_bytes == 0) return;
    for (std::uint32_t d = 0; d < m_.data; ++d)
      for (std::uint32_t t = 0; t < m_.tensor; ++t) hand_on(rank(d, p, t), rank(d, next, t));
  }

  // The sender goes on at once; the receiver waits for it.
  void hand_on(std::uint32_t from, std::uint32_t to) {
    const WorkNode node = schedule_.message({from, to, m_.activation_bytes}, schedule_.frontier(from));
    std::vector<WorkNode> waits = schedule_.frontier(to);
    waits.push_back(node);
    schedule_.set_frontier(to, std::move(waits));
  }

  void reduce_gradients() {
    for (std::uint32_t p = 0; p < m_.pipeline; ++p)
      for (std::uint32_t t = 0; t < m_.tensor; ++t) {
        std::vector<std::uint32_t> group;
        for (std::uint32_t d = 0; d < m_.data; ++d) group.push_back(rank(d, p, t));
        collective(group, Collective::all_reduce, m_.gradient_bytes, rank(0, p, t));
      }
    std::vector<std::uint32_t> all(m_.tensor * m_.pipeline * m_.data);
    for (std::uint32_t r = 0; r < all.size(); ++r) all[r] = r;
    schedule_.join(all);
  }

  void collective(const std::vector<std::uint32_t>& group, Collective operation, Bytes bytes, std::uint32_t number) {
    if (group.size() < 2 || bytes == 0) return;
    add_recorded(schedule_, group, {operation, usual_algorithm(operation), bytes, 0, 1, {}}, number, step_);
  }

  const Model& m_;
  Schedule& schedule_;
  std::uint32_t step_ = 0;
};

// Messages and computing steps of all steps, at most.
double size_of(const Model& m) {
  const double ranks = static_cast<double>(m.tensor) * m.pipeline * m.data;
  const double of_stage = 2.0 * m.tensor + 2.0 * m.expert + 2;  // per rank: reduction, exchanges, computing, handing on
  return m.steps * (ranks * (2.0 * m.microbatches * of_stage + 2.0 * m.data) + 1);
}

Model read_model(const Section& section) {
  const auto whole = [&](std::string_view key) { return static_cast<std::uint32_t>(section.integer(key)); };
  Model m{whole("tensor"),
          whole("pipeline"),
          whole("data"),
          whole("expert"),
          whole("microbatches"),
          whole("steps"),
          section.time("forward"),
          section.time("backward"),
          section.bytes("tensor_bytes"),
          section.bytes("expert_bytes"),
          section.bytes("activation_bytes"),
          section.bytes("gradient_bytes")};
  if (m.data % m.expert != 0)
    section.refuse("expert", fmt::format("groups of {} do not divide the {} data parallel copies", m.expert, m.data));
  return m;
}

void configure_training(const TrafficSection& entry, PatternContext& context) {
  const Section& section = *entry.section;
  const Model model = read_model(section);
  std::vector<HostId> hosts = rank_order(entry, context);
  const double ranks = static_cast<double>(model.tensor) * model.pipeline * model.data;
  if (ranks > static_cast<double>(hosts.size()))
    throw InputError(section.where, fmt::format("training: tensor x pipeline x data = {} ranks do not fit on {} hosts",
                                                ranks, hosts.size()));
  refuse_too_large(size_of(model));
  hosts.resize(static_cast<std::size_t>(ranks));
  Workload& workload = context.workload;
  Schedule schedule(static_cast<std::uint32_t>(hosts.size()));
  TraceOptions options;
  options.basics.app = {static_cast<std::uint32_t>(workload.app_names.size())};
  options.basics.traffic_class = entry.traffic_class;
  options.basics.lane = static_cast<std::uint8_t>(section.integer("lane"));
  options.basics.start = section.time("start");
  Training(model, schedule).add();
  if (schedule.messages() == 0)
    throw InputError(section.where, "training: no group has two ranks and bytes to send, so nothing would be sent");
  options.hosts = std::move(hosts);
  options.rates = context.hosts.rates;
  options.queue_pairs = static_cast<std::uint32_t>(section.integer("queue_pairs"));
  add_trace(workload, std::move(schedule).finish(), options);
  workload.app_names.push_back(entry.name);
  workload.app_compute.push_back({});
}

constexpr std::array kModel{
    ParamSpec{"tensor", ParamType::integer, "1", "ranks of a tensor parallel group", 1, 65536},
    ParamSpec{"pipeline", ParamType::integer, "1", "stages of the pipeline", 1, 65536},
    ParamSpec{"data", ParamType::integer, "1", "data parallel copies of the model", 1, 65536},
    ParamSpec{"expert", ParamType::integer, "1", "ranks of an expert parallel group, within the copies", 1, 65536},
    ParamSpec{"microbatches", ParamType::integer, "1", "micro-batches of a step", 1, 1e6},
    ParamSpec{"steps", ParamType::integer, "1", "training steps", 1, 1e6},
    ParamSpec{"forward", ParamType::time, "0s", "computing time of a stage for a micro-batch, forwards", 0,
              kMaxSeconds},
    ParamSpec{"backward", ParamType::time, "0s", "computing time of a stage for a micro-batch, "
                                                 "backwards", 0, kMaxSeconds},
    ParamSpec{"tensor_bytes", ParamType::bytes, "0B", "bytes that a tensor group reduces at each stage and "
                                                      "micro-batch", 0,
              kMaxBytes},
    ParamSpec{"expert_bytes", ParamType::bytes, "0B",
              "bytes that a rank exchanges with its expert group, there and back, at each stage and micro-batch", 0,
              kMaxBytes},
    ParamSpec{"activation_bytes", ParamType::bytes, "0B", "bytes passed from stage to stage for each micro-batch", 0,
              kMaxBytes},
    ParamSpec{"gradient_bytes", ParamType::bytes, "0B", "bytes that the copies reduce at the end of a "
                                                        "step", 0, kMaxBytes},
};
constexpr auto kTrainingParams = join(kModel, kRankOrder, kQueuePairs, kSelection);

}  // namespace

extern const PatternKind training_pattern{
    {"training",
     "training steps of a model with tensor, pipeline, data and expert parallel groups",
     kTrainingParams,
     "[[traffic]]\npattern = \"training\"\ntensor = 2\ndata = 2\nforward = \"100us\"\nbackward = \"200us\"\n"
     "tensor_bytes = \"1MB\"\ngradient_bytes = \"10MB\"\n",
     {},
     kOfFlows},
    configure_training};

}  // namespace weir
