#include "report/answer/verdict.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "report/answer/judgement.h"
#include "report/answer/losses.h"
#include "report/answer/phrases.h"
#include "report/number_format.h"

namespace weir {
namespace {

constexpr std::size_t kMostNamed = 6;
constexpr std::size_t kMostHarms = 3;

// Other runs that are not clearly worse.
std::vector<std::string> as_good(const std::vector<AnalysedRun>& runs, const Judgement& j, std::size_t run) {
  std::vector<std::string> names;
  for (std::size_t r = 0; r < runs.size(); ++r)
    if (r != run && r != j.reference && r != j.least_harm && !is_barred(j, r) &&
        difference(j.measure) * j.harms[r] <= j.harms[run])
      names.push_back(tagged_label(runs[r], runs[j.reference]));
  if (names.size() > kMostNamed) {
    const std::string rest = fmt::format("{} others", names.size() - kMostNamed + 1);
    names.resize(kMostNamed - 1);
    names.push_back(rest);
  }
  return names;
}

// ". `cca` does harm: peak latency 527 us, 1.47x as high, and class `incast` receives 40.9 % less": other runs that are
// clearly worse than the reference for those who are judged, or for others without any help.
std::string harms_clause(const std::vector<AnalysedRun>& runs, const Judgement& j) {
  std::string text;
  std::size_t others = 0, named = 0;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    if (r == j.reference || clearly_helps(j, r)) continue;
    const auto losses = losses_of(runs[r], runs[j.reference]);
    std::string harm;
    // What transfers lose is among the losses.
    if (difference(j.measure) * j.harms[r] > j.harms[j.reference] && (losses.empty() || is_latency(j.measure)))
      harm = std::isinf(j.harms[r])
                 ? "too little arrives to judge it"
                 : fmt::format("{} {}, {} as high", name_of(j.measure), format_harm(j.measure, j.harms[r]),
                               format_factor(j.harms[r] / j.harms[j.reference]));
    if (!losses.empty()) harm += (harm.empty() ? "" : ", and ") + losses_clause(losses);
    if (harm.empty()) continue;
    if (named++ < kMostHarms)
      text += fmt::format(". {} does harm: {}", quoted_name(runs[r].record.label), harm);
    else ++others;
  }
  if (others > 0) text += fmt::format(". {} more do harm, too", others);
  return text;
}

// What is better by less than chance, and costs more.
std::string displaced(const std::vector<AnalysedRun>& runs, const Judgement& j) {
  if (j.least_harm == j.best) return "";
  return fmt::format(". {} reaches {}, but at a higher cost: {}", tagged_label(runs[j.least_harm], runs[j.reference]),
                     format_harm(j.measure, j.harms[j.least_harm]),
                     losses_clause(losses_of(runs[j.least_harm], runs[j.reference])));
}

// Whether the named one is out of reach of configuration alone, and nothing within it helps.
std::string not_by_configuration(const std::vector<AnalysedRun>& runs, const Judgement& j, std::size_t named) {
  if (can_be_configured(runs[named]) || runs[named].record.scheme == runs[j.reference].record.scheme) return "";
  std::vector<std::string> tried;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    if (r == j.reference || r == named || !can_be_configured(runs[r]) || runs[r].record.scheme == "none") continue;
    if (clearly_helps(j, r)) return "";
    tried.push_back(quoted_name(runs[r].record.label));
  }
  if (tried.empty()) return "";
  return fmt::format(". {}, which {} only configuration, {} not help here", joined_with_and(tried),
                     tried.size() == 1 ? "needs" : "need", tried.size() == 1 ? "does" : "do") +
         harms_clause(runs, j);
}

// What a run that is recommended asks of adapters.
std::string reordering_clause(const AnalysedRun& run) {
  std::uint64_t early = 0, received = 0;
  for (const ClassResult& c : run.m().classes) {
    early += c.out_of_order;
    received += c.received;
  }
  if (early == 0) return "";
  return fmt::format(". With {}, {} of {} packets arrive out of order: weir assumes adapters that accept them",
                     quoted_name(run.record.label), format_count(early), format_count(received));
}

// Hosts that send the disturbance to that host.
std::size_t senders_to(const AnalysedRun& run, HostId receiver) {
  std::set<std::uint32_t> senders;
  for (const FlowResult& flow : run.m().flows)
    if (flow.destination == receiver && flow.delivered > 0 && run.digest.classes[flow.traffic_class.index].aggressor)
      senders.insert(flow.source.index);
  for (std::uint32_t c = 0; c < run.m().classes.size(); ++c)
    for (std::uint32_t h = 0; run.digest.classes[c].aggressor && h < host_count(run.m()); ++h)
      if (const HostResult* host = host_of_class(run.m(), {h}, {c}); host != nullptr && host->injected > 0)
        senders.insert(h);
  return senders.size();
}

// A full link gives each of its senders a BECN once in as many packet times as there are senders. Where CCTI falls
// faster, it never rises: the default timer of InfiniBand's congestion control is then too short.
std::string short_timer_clause(const AnalysedRun& run) {
  constexpr double kTick = 1.024e-6;  // s
  const auto& values = run.m().scheme_values;
  const auto given = std::ranges::find(values, "ccti_timer", &std::pair<std::string, std::string>::first);
  const auto receiver = common_receiver(run);
  if (given == values.end() || !receiver) return "";
  const Topology& t = run.topology();
  const PortId link = t.from(t.host_port(*receiver));
  const PortResult& port = run.m().ports[link.index];
  if (port.xmit_packets == 0) return "";
  const double bits = 8 * static_cast<double>(port.xmit_bytes) / static_cast<double>(port.xmit_packets);
  const double packet_time = bits / static_cast<double>(t.link(link).rate.bits_per_second);
  const unsigned timer = static_cast<unsigned>(std::stoul(given->second));
  const double fits = timer * kTick / packet_time;
  const std::size_t senders = senders_to(run, *receiver);
  if (static_cast<double>(senders) <= fits) return "";
  const auto longer = timer * std::bit_ceil(static_cast<unsigned>(std::ceil(2 * static_cast<double>(senders) / fits)));
  return fmt::format(". {} ran with the default ccti_timer, {}, which fits up to about {:.0f} senders of one link; "
                     "here {} send to {}: try --set scheme.ccti_timer={}",
                     quoted_name(run.record.label), timer, fits, senders, t.name(t.node(*receiver)),
                     std::min(longer, 65535u));
}

std::string judged(const std::vector<AnalysedRun>& runs) {
  if (runs.size() < 2) return "";
  const Judgement j = judge(runs);
  const std::string who = named_classes(j.judged);
  if (j.best == runs.size()) return "No run delivered enough packets to judge what helps " + who;
  // Runs that differ in their schemes alone are called by these.
  const bool schemes = std::all_of(runs.begin(), runs.end(),
                                   [](const AnalysedRun& run) { return run.record.label == run.record.scheme; });
  const std::string other = schemes ? "No other scheme" : "No other run";
  const std::string_view measure = name_of(j.measure);
  const std::string& reference = runs[j.reference].record.label;
  const std::string against = reference == "none" ? "no congestion management (`none`)" : quoted_name(reference);
  const std::string best = format_harm(j.measure, j.harms[j.best]);
  const std::string base = format_harm(j.measure, j.harms[j.reference]);
  if (j.best == j.reference)
    return fmt::format("{} improves on {} for {}: {} {}", other, quoted_name(reference), who, measure, best) +
           harms_clause(runs, j);
  if (!j.helps)
    return fmt::format("{} helps {}: {} {} at best, {} {}",
                       schemes ? "None of the schemes compared here" : "No other run", who, measure, best,
                       best == base ? "the same as with" : base + " with", against) +
           (best == base ? "" : ", no difference beyond chance") +
           harms_clause(runs, j);
  const auto praise = [&](std::size_t run) {
    const auto losses = losses_of(runs[run], runs[j.reference]);
    return harm_clause(runs, j, run) + (losses.empty() ? "" : ", but " + losses_clause(losses));
  };
  const std::string winner = tagged_label(runs[j.best], runs[j.reference]);
  std::string text = is_model_beside_packets(runs[j.best], runs[j.reference])
                         ? fmt::format("{} has the {} {} of {}: {}", winner,
                                       measure.find("time") != measure.npos ? "shortest" : "lowest", measure, who,
                                       praise(j.best))
                         : fmt::format("{} helps {}{}: {} {}", winner, who, runs.size() > 2 ? " most" : "", measure,
                                       praise(j.best));
  text += displaced(runs, j);
  if (const auto equal = as_good(runs, j, j.best); !equal.empty())
    text += fmt::format(". Within {:.0f} % of it, which may be chance: {}", 100 * (1 - difference(j.measure)),
                        joined_with_and(equal));
  text += reordering_clause(runs[j.best]);
  const std::size_t opensm = opensm_can_enable(runs, j);
  const std::size_t named = can_be_deployed(runs[j.best]) ? j.best : j.deployable;
  if (!can_be_deployed(runs[j.best])) {
    if (!j.deployable_helps) return text + ". " + none_available(runs, j);
    text += fmt::format(". Among schemes that can be deployed, {} helps most: {}",
                        tagged_label(runs[j.deployable], runs[j.reference]), praise(j.deployable));
    text += reordering_clause(runs[j.deployable]);
  }
  text += not_by_configuration(runs, j, named);
  if (opensm < runs.size() && opensm != named)
    text += fmt::format(". The best scheme that opensm alone can enable is {}: {}",
                        quoted_name(runs[opensm].record.label), praise(opensm));
  return text;
}

}  // namespace

std::string verdict(const std::vector<AnalysedRun>& runs) {
  std::string text = judged(runs);
  if (text.empty()) return text;
  const AnalysedRun& reference = runs[reference_of(runs)];
  for (const std::string& name : judge(runs).judged)
    if (const auto c = class_called(reference, name); c && !rises_by_itself(reference, *c).empty())
      text += fmt::format(
          ". But {1} may not be what raises the latency of class {0}: what helps {0} need not protect it from {1}",
          quoted_name(name), named_classes(class_names(reference, true)));
  for (const AnalysedRun& run : runs) text += short_timer_clause(run);
  return text;
}

std::optional<UntriedLane> untried_lane(const std::vector<AnalysedRun>& runs) {
  if (runs.size() < 2) return {};
  const AnalysedRun& run = runs[reference_of(runs)];
  const std::vector<std::string> innocent = class_names(run, false);
  if (innocent.size() != 1 || class_names(run, true).empty()) return {};
  for (const AnalysedRun& each : runs) {
    const Section* switches = each.record.scenario->find("switch");
    if (switches == nullptr || !switches->chooses("flow_control", "credits") || switches->integer("lanes") > 1)
      return {};
  }
  const Section* entry = nullptr;
  for (const Section* traffic : run.record.scenario->all("traffic")) {
    if (!traffic->has("class") || traffic->text("class") != innocent.front()) continue;
    if (entry != nullptr) return {};
    entry = traffic;
  }
  if (entry == nullptr || !entry->has("name") || !entry->knows("lane") || entry->given("lane")) return {};
  const std::string name = entry->text("name");
  return UntriedLane{fmt::format("Not tried: a lane (VL) of its own for class {}{}. To try it, add:",
                                 quoted_name(innocent.front()),
                                 name == innocent.front() ? "" : fmt::format(" (traffic {})", quoted_name(name))),
                     fmt::format("--set switch.lanes=2 --set traffic.{}.lane=1", name)};
}

std::string none_available(const std::vector<AnalysedRun>& runs, const Judgement& j) {
  std::vector<std::string> tried;
  std::string harms;
  bool with_none = false, all_worse = true;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const RunRecord& record = runs[r].record;
    with_none = with_none || record.scheme == "none";
    if (r == j.reference || !can_be_deployed(runs[r]) || record.scheme == "none") continue;
    tried.push_back(quoted_name(record.label) +
                    (record.scheme_tag == name_of(SchemeTag::standard) ? " (if the vendor implements it)" : ""));
    all_worse = all_worse && difference(j.measure) * j.harms[r] > j.harms[j.reference];
    harms += (harms.empty() ? "" : " and ") +
             (std::isinf(j.harms[r]) ? std::string("not known") : format_harm(j.measure, j.harms[r]));
  }
  if (tried.empty())
    return fmt::format("{} scheme that can be deployed on this fabric was tried",
                       with_none ? "Apart from `none`, no" : "No");
  const std::string shown =
      tried.size() > 2 ? "" : fmt::format(" ({} against {})", harms, format_harm(j.measure, j.harms[j.reference]));
  return fmt::format("{} can be deployed on this fabric, but the {} is {} with {}{}", joined_with_and(tried),
                     name_of(j.measure), all_worse ? "higher" : "not clearly lower", tried.size() == 1 ? "it" : "them",
                     shown);
}

std::size_t opensm_can_enable(const std::vector<AnalysedRun>& runs, const Judgement& j) {
  std::size_t best = runs.size();
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const bool cca = runs[r].record.scheme == "cca" && runs[r].record.scheme_tag == "available";
    if (!cca || !clearly_helps(j, r)) continue;
    if (best == runs.size() || j.harms[r] < j.harms[best]) best = r;
  }
  return best;
}

std::string untried_remark(const std::vector<AnalysedRun>& runs, const Judgement& j) {
  if (runs.size() < 2) return "";
  std::vector<std::string> names, keys, tools;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const SchemeUse use = use_of(runs[r]);
    const Section* section = runs[r].record.scenario->find("scheme");
    if (r == j.reference || clearly_helps(j, r) || use.keys.empty() || section == nullptr) continue;
    const bool given = std::any_of(use.keys.begin(), use.keys.end(),
                                   [&](std::string_view key) { return section->given(key); });
    if (given) continue;
    names.push_back(quoted_name(runs[r].record.label));
    std::vector<std::string> quoted;
    for (const std::string_view key : use.keys) quoted.push_back(quoted_name(std::string(key)));
    keys.push_back(joined_with_and(quoted));
    if (!use.tool.empty())
      tools.push_back(fmt::format("; `{} FILE --set scheme.name={}` tries some of them", use.tool,
                                  runs[r].record.scheme));
  }
  if (names.empty()) return "";
  const std::string advice =
      "Other values may help: set them as scheme.KEY" + (tools.empty() ? std::string() : tools.front());
  if (names.size() == 1)
    return fmt::format("{} does not help here, but it ran with the default of {}. {}", names[0], keys[0], advice);
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = keys[i] + " of " + names[i];
  return fmt::format("several schemes do not help here, but they ran with default parameters ({}). {}",
                     fmt::join(names, "; "), advice);
}

std::string few_flows_remark(const std::vector<AnalysedRun>& runs, const Judgement& j) {
  constexpr std::size_t kEnough = 1000;  // ten of them lie beyond the percentile
  if (j.measure != HarmMeasure::p99_slowdown || j.best == runs.size()) return "";
  std::size_t fewest = kEnough;
  std::string who;
  for (const std::string& name : j.judged) {
    const ClassDigest* d = find_class(runs[j.best], name);
    if (d == nullptr || !d->slowdown || d->slowdown->all.complete >= fewest) continue;
    fewest = d->slowdown->all.complete;
    who = name;
  }
  if (fewest >= kEnough) return "";
  const std::size_t beyond = fewest - static_cast<std::size_t>(std::ceil(0.99 * static_cast<double>(fewest))) + 1;
  return fmt::format("class {} has only {} flows, so its 99th percentile {}. Where traffic is random, several seeds "
                     "(`weir sweep --repetitions`) tell more",
                     quoted_name(who), fewest, beyond == 1 ? std::string("is just the slowest flow")
                                                           : fmt::format("depends on just the {} slowest", beyond));
}

}  // namespace weir
