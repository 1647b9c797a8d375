// Flows packet by packet: how long a communication phase takes (figure 6.7 of Zdornov & Birk 2009), and whether
// calculated rates come out of small buffers (tables 6.3 and 6.4).
#include <algorithm>

#include "flow/performance.h"
#include "flow/solvers/saa.h"
#include "reproduce/computations.h"
#include "reproduce/zdornov/runs.h"

namespace weir::zdornov {
namespace {

// In the second reading runs are long and hardly differ: few do, and what is only reported is left out.
void keep_what_is_judged(auto& cases) {
  std::erase_if(cases, [](const auto& c) { return c.reported; });
  for (auto& c : cases) c.runs = std::min(c.runs, 2u);
}

const Override kRandomTies{"routing.setup_ties", "random"};

// One way through a phase: in the plain or in the modified tree, with these settings or this size of route caches.
struct Way {
  std::string name;
  bool plain;
  std::vector<Override> settings;
  std::uint32_t cache, runs;
  bool reported;
};

std::vector<Way> read_ways(Parameters& with, Depth depth) {
  std::vector<Way> ways;
  for (const TomlNode& node : with.tables("ways")) {
    Parameters table(node, depth);
    ways.push_back({table.text("name"), table.flag("plain"), table.settings("set"),
                    node.find("cache") != nullptr ? table.number("cache") : FlowRoutingPolicy::kUnlimited,
                    table.number("runs"), table.flag("reported")});
    table.finish();
  }
  return ways;
}

// All runs of all ways and numbers of permutations, the longest first.
struct PhaseJob {
  const Way* way;
  std::uint32_t permutations, run;
  Row found;
};
std::vector<PhaseJob> jobs_of(const std::vector<Way>& ways, std::vector<std::uint32_t> axis) {
  std::vector<PhaseJob> jobs;
  std::reverse(axis.begin(), axis.end());
  for (const std::uint32_t permutations : axis)
    for (const Way& way : ways)
      for (std::uint32_t run = 0; run < way.runs; ++run) jobs.push_back({&way, permutations, run, {}});
  return jobs;
}

RowTable table_of(const std::vector<PhaseJob>& jobs, const std::vector<std::string>& columns) {
  RowTable table{{"way", "permutations", "run"}, {}};
  table.columns.insert(table.columns.end(), columns.begin(), columns.end());
  for (const PhaseJob& job : jobs) {
    table.rows.push_back({job.way->name, std::int64_t{job.permutations}, std::int64_t{job.run}});
    table.rows.back().insert(table.rows.back().end(), job.found.begin(), job.found.end());
  }
  return table;
}

}  // namespace

// A phase of superposed permutations packet by packet: when the last flow is complete, in units of a flow alone, the
// mean and the last completion in us, and choices of routes that found the cache of a switch full.
RowTable phase_runs(const Work& work, Parameters& with) {
  std::vector<Way> ways = read_ways(with, work.depth());
  const std::uint32_t radix = with.number("radix");
  Bytes bytes = Bytes{with.number("packets")} * 2048;
  if (with.reads("flows of a phase", "1000 packets")) {
    bytes = Bytes{1000} * 2048;
    keep_what_is_judged(ways);
  }
  std::vector<PhaseJob> jobs = jobs_of(ways, with.numbers("permutations"));
  const Wired plain({radix, 3, 0}), modified({radix, 3, 2});
  const bool random_ties = ties_of(with) == Ties::chance;
  work.parallel(jobs.size(), [&](std::size_t i) {
    const Way& way = *jobs[i].way;
    std::vector<Override> settings = way.settings;
    if (!way.plain && random_ties) settings.push_back(kRandomTies);
    const Wired& fabric = way.plain ? plain : modified;
    const std::vector<FlowPair> flows =
        random_permutations(fabric.topology.hosts(), jobs[i].permutations, kSeed, jobs[i].run);
    const Measurements m =
        run_flows(work.scenario("zdornov2009/phase.toml", settings), fabric, workload_of(flows, bytes));
    Sample completion;
    for (const FlowResult& flow : m.flows) completion.add(flow.completion.seconds() * 1e6);
    jobs[i].found = {completion_of(m, fabric, bytes), completion.mean(), completion.max(),
                     m.scheme_number("choices lost to a full route cache").value_or(0)};
  });
  return table_of(jobs, {"completion", "mean_us", "last_us", "lost"});
}

// The same as calculated under SAA: static routes in the plain tree, adaptive ones in the modified tree.
RowTable phase_rates(const Work& work, Parameters& with) {
  const std::vector<Way> ways = read_ways(with, work.depth());
  std::vector<PhaseJob> jobs = jobs_of(ways, with.numbers("permutations"));
  const Wired plain(kPlain), modified(kModified);
  work.parallel(jobs.size(), [&](std::size_t i) {
    const Way& way = *jobs[i].way;
    const Wired& fabric = way.plain ? plain : modified;
    FlowRoutingPolicy policy = way.plain ? FlowRoutingPolicy::fixed() : forced_dir(ties_of(with));
    policy.cache_entries = way.cache;
    FlowRouter router(fabric.topology, fabric.routes, policy);
    const std::vector<FlowPair> flows =
        random_permutations(fabric.topology.hosts(), jobs[i].permutations, kSeed, jobs[i].run);
    const Incidence incidence(fabric.topology.ports(), route(router, flows, kSeed, jobs[i].run));
    const std::vector<double> capacity(fabric.topology.ports(), 1.0);
    const RateProblem problem{&incidence, capacity};
    jobs[i].found = {completion_time(problem, saa(problem).rate)};
  });
  return table_of(jobs, {"completion"});
}

namespace {

// What the paper leaves open: when a sender learns of a free buffer, when a buffer is free, how rates are kept.
struct Choice {
  std::string name;
  std::vector<Override> settings;
  std::vector<std::uint32_t> flows, buffers;
  std::uint32_t runs = 1;
  bool weighted = false;  // flows of weight 1, 2 and 4, drawn at random
  bool reported = false;
};

Choice read_choice(const TomlNode& node, Depth depth) {
  Parameters table(node, depth);
  Choice choice{table.text("name"), table.settings("set"), table.numbers("flows"), table.numbers("buffers"),
                table.number("runs"), table.flag("weighted"), table.flag("reported")};
  table.finish();
  return choice;
}

struct Job {
  const Choice* choice;
  std::uint32_t flows, run;
  std::vector<double> weights;
  std::vector<Realised> results;  // by the choice's buffers
};

std::vector<double> random_weights(std::size_t flows) {
  std::vector<double> weights;
  RandomStream random(kSeed, Purpose::size, 0);
  for (std::size_t f = 0; f < flows; ++f) weights.push_back(static_cast<double>(1u << random.below(3)));
  return weights;
}

// Until the last flow has sent its weight at the calculated rates.
double calculated_completion(const Realised& realised, const std::vector<double>& weights) {
  double last = 0;
  for (std::size_t f = 0; f < realised.calculated.size(); ++f)
    last = std::max(last, (weights.empty() ? 1 : weights[f]) / realised.calculated[f]);
  return last;
}

}  // namespace

// By choice, number of flows per host, buffers and run: smallest measured over smallest calculated rate (minima), the
// smallest ratio of any one flow (worst), the ratio of the means, and the completion time as calculated.
RowTable realisation(const Work& work, Parameters& with) {
  const RateAlgorithm algorithm = with.text("algorithm") == "saa" ? RateAlgorithm::saa : RateAlgorithm::ffa;
  const bool independent = with.text("traffic") == "independent";
  const FlowCount count = with.reads("flows", "exactly n") ? FlowCount::exactly : FlowCount::uniform;
  std::vector<Choice> choices;
  for (const TomlNode& node : with.tables("choices")) choices.push_back(read_choice(node, work.depth()));
  if (with.in_second()) keep_what_is_judged(choices);
  std::vector<Job> jobs;
  for (const Choice& choice : choices)
    for (const std::uint32_t flows : choice.flows)
      for (std::uint32_t run = 0; run < choice.runs; ++run) jobs.push_back({&choice, flows, run, {}, {}});
  std::stable_sort(jobs.begin(), jobs.end(), [](const Job& a, const Job& b) { return a.flows > b.flows; });
  const Wired fabric(kModified);
  std::vector<Override> second;
  if (ties_of(with) == Ties::chance) second.push_back(kRandomTies);
  if (with.reads("measured", "2000 packet times")) second.push_back({"run.duration", "3440640ns"});  // and the warm-up
  work.parallel(jobs.size(), [&](std::size_t i) {
    Job& job = jobs[i];
    const std::size_t hosts = fabric.topology.hosts();
    const std::vector<FlowPair> flows = independent ? independent_flows(hosts, job.flows, kSeed, job.run, count)
                                                    : random_permutations(hosts, job.flows, kSeed, job.run);
    if (job.choice->weighted) job.weights = random_weights(flows.size());
    const Workload workload = workload_of(flows, kEndless, job.weights);
    for (const std::uint32_t buffers : job.choice->buffers) {
      // A run in which no sender ever lacked space is the same, bit by bit, with more of it, and is not repeated.
      if (!job.results.empty() && !job.results.back().lacked_space) {
        job.results.push_back(job.results.back());
        continue;
      }
      std::vector<Override> settings = second;
      settings.insert(settings.end(), job.choice->settings.begin(), job.choice->settings.end());
      settings.push_back({"switch.buffer_packets", std::to_string(buffers)});
      job.results.push_back(
          realise(algorithm, work.scenario("zdornov2009/realisation.toml", settings), fabric, workload));
    }
  });
  RowTable table{{"choice", "flows", "buffers", "run", "minima", "worst", "mean", "completion"}, {}};
  for (const Job& job : jobs)
    for (std::size_t b = 0; b < job.results.size(); ++b)
      table.rows.push_back({job.choice->name, std::int64_t{job.flows}, std::int64_t{job.choice->buffers[b]},
                            std::int64_t{job.run}, job.results[b].ratio_of_minima(), job.results[b].worst_flow(),
                            job.results[b].ratio_of_means(), calculated_completion(job.results[b], job.weights)});
  return table;
}

}  // namespace weir::zdornov
