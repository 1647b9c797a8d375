// Paper 000, tables 6.3 and 6.4: do calculated rates come out of small buffers? Routes, rates and injection run packet
// by packet; what the paper does not say about its switches is varied and named.
#include <fmt/format.h>

#include <algorithm>

#include "reproduce/zdornov/flow_entries.h"
#include "reproduce/zdornov/runs.h"

namespace weir {
namespace zdornov {
namespace {

constexpr double kOne = 0.005;  // what is printed as 1.00

// What the paper leaves open: when a sender learns of a free buffer, and when a buffer is free.
struct Choice {
  std::string name;
  std::vector<Override> overrides;
};
const Choice& prompt() {
  static const Choice choice{"credits without delay", {}};
  return choice;
}
const Choice& late() {
  static const Choice choice{"credits one packet time late", {{"switch.credit_delay", "1638400ps"}}};
  return choice;
}

struct Cell {
  std::uint32_t flows, buffers;
  const Choice* choice;
  Interval minima, worst, mean;
};

struct Table {
  RateAlgorithm algorithm;
  bool independent;  // every host opens 1 to n flows to random hosts, instead of n superposed permutations
};

std::vector<FlowPair> traffic(const Table& table, std::size_t hosts, std::uint32_t n, std::uint32_t run) {
  return table.independent ? independent_flows(hosts, n, 1, run) : random_permutations(hosts, n, 1, run);
}

// The paper's number of runs is for its own switches; other choices are shown by fewer.
constexpr std::uint32_t kRunsOfVariations = 5;

// All cells, given by rising numbers of buffers for equal flows and choices. A run in which no sender ever lacked space
// is the same, bit by bit, with more of it, and is not repeated.
void measure(const Reproduction& r, const Table& table, std::vector<Cell>& cells, std::uint32_t runs) {
  const Wired fabric({16, 3, 2});
  struct Ratios {
    double minima, worst, mean;
    bool lacked_space;
  };
  struct Job {
    std::uint32_t flows, run;
    const Choice* choice;
    std::vector<std::size_t> cells;
    std::vector<Ratios> results;
  };
  std::vector<Job> jobs;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const std::uint32_t most = cells[c].choice == &prompt() ? runs : std::min(runs, kRunsOfVariations);
    for (std::uint32_t run = 0; run < most; ++run) {
      const auto same = std::find_if(jobs.begin(), jobs.end(), [&](const Job& job) {
        return job.flows == cells[c].flows && job.choice == cells[c].choice && job.run == run;
      });
      if (same == jobs.end()) jobs.push_back({cells[c].flows, run, cells[c].choice, {c}, {}});
      else same->cells.push_back(c);
    }
  }
  std::stable_sort(jobs.begin(), jobs.end(), [](const Job& a, const Job& b) { return a.flows > b.flows; });
  r.parallel(jobs.size(), [&](std::size_t i) {
    Job& job = jobs[i];
    const Workload workload = workload_of(traffic(table, fabric.topology.hosts(), job.flows, job.run));
    for (const std::size_t c : job.cells) {
      if (!job.results.empty() && !job.results.back().lacked_space) {
        job.results.push_back(job.results.back());
        continue;
      }
      std::vector<Override> overrides = job.choice->overrides;
      overrides.push_back({"switch.buffer_packets", std::to_string(cells[c].buffers)});
      const Realised run =
          realise(table.algorithm, r.scenario("zdornov/realisation.toml", overrides), fabric, workload);
      job.results.push_back({run.ratio_of_minima(), run.worst_flow(), run.ratio_of_means(), run.lacked_space});
    }
  });
  for (std::size_t c = 0; c < cells.size(); ++c) {
    Sample minima, worst, mean;
    for (const Job& job : jobs) {
      const auto place = std::find(job.cells.begin(), job.cells.end(), c);
      if (place == job.cells.end()) continue;
      const Ratios& ratios = job.results[static_cast<std::size_t>(place - job.cells.begin())];
      minima.add(ratios.minima);
      worst.add(ratios.worst);
      mean.add(ratios.mean);
    }
    cells[c].minima = interval_of(minima);
    cells[c].worst = interval_of(worst);
    cells[c].mean = interval_of(mean);
  }
}

std::vector<Cell> plan(const Reproduction& r) {
  std::vector<Cell> cells;
  const std::vector<std::uint32_t> flows = r.quick() ? std::vector<std::uint32_t>{1, 5}
                                                     : std::vector<std::uint32_t>{1, 2, 3, 4, 5};
  for (const std::uint32_t n : flows) {
    for (const std::uint32_t b : {2u, 4u, 8u, 16u}) {
      if (r.quick() && b == 16) continue;
      if (!r.quick() || b != 4) cells.push_back({n, b, &prompt(), {}, {}, {}});
      if (!r.quick() || b != 8) cells.push_back({n, b, &late(), {}, {}, {}});
    }
  }
  return cells;
}

std::string text_of(const Cell& c, bool independent) {
  std::string text = fmt::format("{:.2f}", c.minima.mean);
  if (independent) text += fmt::format(", worst flow {:.2f}, mean {:.2f}", c.worst.mean, c.mean.mean);
  return text;
}

// Statements about the cells with few buffers, under late credits: the paper's numbers there hang on what it leaves
// open.
void judge_small(Reproduction& r, const std::vector<Cell>& cells) {
  bool two_below = true, four_below = true, rising = true, enough = true;
  std::string two, four;
  const Cell* before = nullptr;
  for (const Cell& c : cells) {
    if (c.buffers >= 8) enough = enough && std::abs(c.minima.mean - 1) <= kOne;
    if (c.choice != &late()) continue;
    if (c.buffers == 2) {
      two_below = two_below && c.minima.mean < 1 - kOne;
      two += fmt::format("{}{:.2f}", two.empty() ? "" : ", ", c.minima.mean);
    }
    if (c.buffers == 4 && c.flows > 1) {
      four_below = four_below && c.minima.mean < 1 - kOne;
      four += fmt::format("{}{:.2f}", four.empty() ? "" : ", ", c.minima.mean);
    }
    if (before != nullptr && before->flows == c.flows)
      rising = rising && c.minima.mean >= before->minima.mean - kOne;
    before = &c;
  }
  r.statement("2 buffers: below one", two_below, two);
  r.statement("4 buffers, several flows: below one", four_below, four);
  r.statement("the fewer buffers, the lower", rising, "at every n");
  r.statement("8 buffers and more: one, whatever is chosen", enough, "both choices of credits");
}

void run_table(Reproduction& r, const Table& table) {
  std::vector<Cell> cells = plan(r);
  const std::uint32_t runs = r.full() ? 50 : 1;
  measure(r, table, cells, runs);
  for (const Cell& c : cells) {
    const std::string where = fmt::format("n = {}, b = {}", c.flows, c.buffers);
    r.report(fmt::format("{}, {}", where, c.choice->name), text_of(c, table.independent));
    if (c.choice != &prompt() || c.buffers < 8) continue;
    r.value(where + ": minimum", c.minima.mean);
    if (!table.independent) continue;
    r.value(where + ": worst flow", c.worst.mean);
    r.value(where + ": mean", c.mean.mean);
  }
  judge_small(r, cells);
  r.note(
      fmt::format("{} run(s), at most {} with late credits. Modified 16-ary 3-tree, width 2, ForcedDir(8); routes set "
                  "up by packets in the order "
                  "in which they meet; periodic selection; a slot is free when the tail has left; 500 packet times "
                  "after 100 of warm-up; rates from packet to packet.",
                  runs, kRunsOfVariations));
  r.note("Minimum: smallest measured over smallest calculated rate, as the paper prints it; worst flow: the smallest "
         "ratio of any one flow.");
  r.note("A run in which no sender ever lacked buffer space stands for those with more buffers, which are the same.");
}

// Other choices that the paper leaves open, at three flows.
void vary(Reproduction& r, const Table& table) {
  if (r.quick()) return;
  static const Choice kChoices[] = {
      {"late credits, slot free at the head", {{"switch.credit_delay", "1638400ps"}, {"switch.release", "head"}}},
      {"late credits, twice as long", {{"switch.credit_delay", "1638400ps"}, {"run.duration", "1802240ns"}}},
      {"late credits, waiting made up", {{"switch.credit_delay", "1638400ps"}, {"scheme.waiting", "made-up"}}},
      {"late credits, SVC", {{"switch.credit_delay", "1638400ps"}, {"scheme.injection", "svc"}}},
      {"late credits, leaky bucket", {{"switch.credit_delay", "1638400ps"}, {"scheme.injection", "leaky-bucket"}}},
  };
  std::vector<Cell> cells;
  for (const Choice& choice : kChoices)
    for (const std::uint32_t b : {2u, 4u, 8u}) cells.push_back({3, b, &choice, {}, {}, {}});
  measure(r, table, cells, 1);
  for (const Cell& c : cells)
    r.report(fmt::format("n = 3, b = {}, {}", c.buffers, c.choice->name), text_of(c, table.independent));
}

}  // namespace
}  // namespace zdornov

void zdornov_table_6_3(Reproduction& r) {
  zdornov::run_table(r, {RateAlgorithm::saa, false});
  zdornov::vary(r, {RateAlgorithm::saa, false});
}

void zdornov_table_6_4(Reproduction& r) {
  zdornov::run_table(r, {RateAlgorithm::ffa, true});
  zdornov::vary(r, {RateAlgorithm::ffa, true});
}

}  // namespace weir
