#include "report/answer/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

#include "report/answer/caveats.h"
#include "report/answer/feeders.h"
#include "report/answer/growth.h"
#include "report/answer/host_wait.h"
#include "report/answer/losses.h"
#include "report/answer/phrases.h"
#include "report/answer/queueing.h"
#include "report/answer/verdict.h"
#include "report/number_format.h"
#include "report/terminal/terminal_text.h"

namespace weir {
namespace {

// Of the classes that are not the disturbance, the one with most flows that wait for others; nothing where nobody is
// the disturbance.
std::optional<std::size_t> class_with_victims(const AnalysedRun& run) {
  if (class_names(run, true).empty()) return {};
  std::optional<std::size_t> most;
  std::size_t victims = 0;
  for (std::size_t c = 0; c < run.digest.classes.size(); ++c) {
    const ClassDigest& d = run.digest.classes[c];
    if (d.aggressor || !d.slowdown || d.slowdown->all.complete == 0 || !d.slowdown->victims) continue;
    if (d.slowdown->victims->flows <= victims) continue;
    most = c;
    victims = d.slowdown->victims->flows;
  }
  return most;
}

AnswerCard hurt_card(const AnalysedRun& run, const Judgement& j) {
  AnswerCard card{"Who is hurt", "nobody", "", "good"};
  if (const auto c = most_raised(run, j.innocent)) {
    const Impact& impact = *run.digest.classes[c->index].impact;
    const std::string name = printable(run.m().classes[c->index].name);
    const std::string change =
        fmt::format("{} → {}", format_time(impact.latency_before_ps), format_time(impact.latency_peak_ps));
    const bool later = impact.rise() >= kNotableRise, hurt = later || !impact.recovery;
    card.value = later  ? fmt::format("{}: latency × {}", name, format_factor(impact.rise()))
                 : hurt ? fmt::format("{}: throughput", name)
                        : fmt::format("{}: hardly", name);
    if (card.value.ends_with('x')) card.value.pop_back();
    card.detail = change;
    if (const std::string recovery = recovery_phrase(impact); hurt && !recovery.empty()) card.detail += "; " + recovery;
    if (const std::string alone = rises_by_itself(run, *c); !alone.empty()) card.detail += "; " + alone;
    if (const Feeders feeders(run); feeders.known() && ports_held_back(run) > 0)
      card.detail += "; " + innocent_clause(run, feeders);
    if (const auto dip = impact.dip(); dip && *dip < 0.8)
      card.detail += "; throughput fell to as little as " + format_share(*dip) + " of its earlier value";
    card.tone = hurt ? "bad" : "good";
    return card;
  }
  const CongestionReport& congestion = run.digest.congestion;
  const std::size_t victims = ports_held_back(run);
  if (const std::string waiting = printable(waiting_at_hosts(run)); victims == 0 && !waiting.empty())
    return {"Who is hurt", "senders", "packets wait at the hosts: " + waiting, "bad"};
  if (victims == 0 && congestion.coarse) return {"Who is hurt", "not known", printable(unknown_root(run)), "plain"};
  if (victims == 0) return {"Who is hurt", "nobody", "no port is held back for long", "good"};
  const std::string ports = fmt::format("{} {} held back", victims, victims == 1 ? "port is" : "ports are");
  const std::string waiting = format_time(total_waiting(run)) + " of waiting, summed over all ports";
  if (const auto c = class_with_victims(run)) {
    const Slowdown& slowdown = *run.digest.classes[*c].slowdown;
    const bool one = slowdown.victims->flows == 1;
    return {"Who is hurt",
            fmt::format("{}: mean slowdown {}", printable(run.m().classes[*c].name),
                        format_slowdown(slowdown.all.mean)),
            fmt::format("{} of its {} flows {}: {} no root, but a link on {} path was {}; {} ({})",
                        slowdown.victims->flows, slowdown.all.flows, one ? "is a victim" : "are victims",
                        one ? "it crosses" : "they cross", one ? "its" : "their",
                        run.m().pauses.empty() ? "held back" : "paused", ports, waiting),
            "bad"};
  }
  const Feeders feeders(run);
  return {"Who is hurt", ports, waiting + (feeders.known() ? "; " + innocent_clause(run, feeders) : ""), "bad"};
}

// From the first moment in which one of them was a root to the last one.
Span time_of_roots(const RootChain& chain) {
  Span time{kNever, Time{0}};
  for (const CongestionRoot* root : chain.links)
    time = {std::min(time.from, root->from), std::max(time.to, root->to)};
  return time;
}

AnswerCard root_card(const AnalysedRun& run) {
  const auto& roots = run.digest.congestion.roots;
  if (roots.empty() && run.digest.congestion.coarse) {
    const PortId link = busiest_awaited(run.digest.congestion, run.m(), run.topology());
    std::string detail = unknown_root(run);
    if (link.valid())
      detail += fmt::format("; {} is used {} of the run", link_name(run.topology(), link),
                            format_share(utilisation(run.m(), link)));
    return {"Root of the congestion", "not known", detail, "plain"};
  }
  if (const auto queue = queueing_link(run))
    return {"Root of the congestion", link_name(run.topology(), queue->port),
            "packets queue in its switch, which has enough memory for all of them: no port is held back; " +
                queue_phrase(*queue),
            "bad"};
  if (roots.empty()) {
    const bool waits = !run.digest.congestion.unexplained.empty();
    return {"Root of the congestion", waits ? "no saturated link" : "none",
            waits ? "packets wait behind others inside switches" : "no link is overloaded",
            waits ? "bad" : "good"};
  }
  const RootChain chain = root_chain(run);
  if (const auto level = root_level(run, chain))
    return {"Root of the congestion", level->links,
            fmt::format("{} of them cause {}{}", level->count, level_shares(run, *level), unexplained_clause(run)),
            "bad"};
  const CongestionRoot& root = chain.last();
  std::string detail;
  if (root.held_by_host.ps > 0)
    detail = fmt::format("held back by its host for {}, busy {}; ", format_time(root.held_by_host),
                         format_share(root.load));
  const std::size_t links = chain.links.size() + (chain.end == root.port ? 0 : 1);
  const Span time = time_of_roots(chain);
  const std::string when = fmt::format("between {} and {}", format_time(time.from), format_time(time.to));
  if (links > 1)
    detail += fmt::format("the last of {} consecutive links that are saturated {}. Together they hold back",
                          links, when);
  else detail += fmt::format("a root for {}, {}; it holds back", format_time(root.congested), when);
  detail += fmt::format(" {} for {}{} ({} of all waiting)",
                        chain.victims == 1 ? "one port" : fmt::format("{} ports", chain.victims),
                        format_time(chain.caused_wait), chain.victims == 1 ? "" : ", summed over all ports",
                        format_share(chain.share));
  if (const std::string others = other_roots(run, chain, true); !others.empty()) detail += "; " + others;
  return {"Root of the congestion", link_name(run.topology(), chain.end), detail, "bad"};
}

std::string harm_detail(const std::vector<AnalysedRun>& runs, const Judgement& j, std::size_t run) {
  return fmt::format("{} of {}: {}", name_of(j.measure), printable(named_classes(j.judged)),
                     printable(harm_clause(runs, j, run)));
}

AnswerCard help_card(const std::vector<AnalysedRun>& runs, const Judgement& j) {
  const std::string title = runs.size() > 2 ? "What helps most" : "What helps";
  if (j.best == runs.size()) return {title, "unknown", "no run delivered enough", "bad"};
  const std::string lowest = format_harm(j.measure, j.harms[j.best]);
  const std::string base = format_harm(j.measure, j.harms[j.reference]);
  const std::string reference = printable(runs[j.reference].record.label);
  if (!j.helps)
    return {title, "nothing that was compared",
            fmt::format("{}: {} at best, {} with `{}`", name_of(j.measure), lowest, base, reference), "bad"};
  return {title, printable(tagged_label(runs[j.best], runs[j.reference])), harm_detail(runs, j, j.best), "good"};
}

// Where the best of all is one that nobody can have.
AnswerCard deployable_card(const std::vector<AnalysedRun>& runs, const Judgement& j) {
  const std::string title = "Best scheme that can be deployed";
  if (!j.deployable_helps)
    return {title, "none helps", printable(none_available(runs, j)), "bad"};
  const auto losses = losses_of(runs[j.deployable], runs[j.reference]);
  return {title, printable(tagged_label(runs[j.deployable], runs[j.reference])),
          harm_detail(runs, j, j.deployable) + (losses.empty() ? "" : ", but " + printable(losses_clause(losses))),
          losses.empty() ? "good" : "plain"};
}

// A scheme may protect the innocent by wasting the hot link, or by stretching the hot transfer: both are its price.
AnswerCard cost_card(const std::vector<AnalysedRun>& runs, const Judgement& j) {
  const AnalysedRun& best = runs[j.best];
  const AnalysedRun& reference = runs[j.reference];
  AnswerCard card{"What it costs", "nothing to speak of", "", "good"};
  if (j.hot_link.valid() && same_fabric(best, reference)) {
    const double now = load_in_event(best, j.hot_link), before = load_in_event(reference, j.hot_link);
    const std::string share = format_share(now), share_before = format_share(before);
    if (share != share_before) card.detail = fmt::format("the hot link is busy {} instead of {}", share, share_before);
    if (now < before - 0.03) {
      card.value = fmt::format("{} of the hot link", format_share(before - now));
      card.tone = "plain";
    }
  }
  const double ratio = static_cast<double>(best.m().end.ps) / std::max(1.0, static_cast<double>(reference.m().end.ps));
  if (ratio > 1.03 || ratio < 0.97)
    card.detail += fmt::format("{}the run takes {} instead of {}", card.detail.empty() ? "" : "; ",
                               format_time(best.m().end), format_time(reference.m().end));
  if (ratio > 1.1) {
    card.value = fmt::format("the run takes {} longer", format_share(ratio - 1));
    card.tone = "plain";
  }
  if (const auto losses = losses_of(best, reference); !losses.empty()) {
    card.value = printable(losses.front());
    if (losses.size() > 1)
      card.detail = printable(losses_clause({losses.begin() + 1, losses.end()})) + (card.detail.empty() ? "" : "; ") +
                    card.detail;
    card.tone = "bad";
  }
  return card;
}

std::string advice_for_slow_receiver(const AnalysedRun& run, const CongestionRoot& root) {
  const Topology& t = run.topology();
  return fmt::format(
      "{} receives packets more slowly than its link delivers them, and stops its switch. Look at that host first: its "
      "memory, its bus, its receive queues. Until then let its senders slow down, or keep its traffic on a lane of "
      "its own, so that other traffic does not wait behind it.",
      printable(t.name(t.node_of(t.to(root.port)))));
}

std::string advice_for_level(const RootLevel& level) {
  if (level.to_hosts)
    return fmt::format("{} {} are at times offered more than they can carry. Other routes or more switches cannot "
                       "help there; the senders must slow down, or the transfers must be spread over time.",
                       level.count, level.links);
  return fmt::format("Most of the waiting ({}) comes from {}. Spread the routes that share them, add links there, or "
                     "let the senders slow down.",
                     format_share(level.share), level.links);
}

std::string advice_for_root(const AnalysedRun& run, const RootChain& chain) {
  const CongestionRoot& root = chain.last();
  const Topology& t = run.topology();
  const std::string link = link_name(t, chain.end);
  const NodeId end = t.node_of(t.to(chain.end));
  if (root.held_by_host.ps > 0) return advice_for_slow_receiver(run, root);
  if (t.is_host(end))
    return fmt::format(
        "More is sent to {} than its link, {}, can carry. Other routes or more switches cannot help; the senders must "
        "slow down, or the transfer must be spread over time.",
        printable(t.name(end)), link);
  return fmt::format(
      "{} is a link inside the fabric: spread the routes that share it, add a parallel link, or slow its senders down.",
      link);
}

// The [scheme] section of the effective configuration, where it is short enough to be read in a sentence.
std::string how_to_use(const AnalysedRun& run, const AnalysedRun& reference) {
  const std::string name = printable(quoted_name(run.record.label));
  if (run.record.scheme == reference.record.scheme && run.record.label != run.record.scheme)
    return fmt::format("To use {} here, set what its [[compare]] entry sets.", name);
  const std::size_t at = run.config.find("[scheme]\n");
  std::vector<std::string> keys;
  if (at != std::string::npos) {
    std::istringstream lines(run.config.substr(at));
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line) && !line.empty() && line.front() != '[')
      if (line.front() != '#') keys.push_back(line);
  }
  if (keys.empty() || keys.size() > 5)
    return fmt::format(
        "To use {0} here, copy its [scheme] section from the configuration of {0} at the end of this page.", name);
  return fmt::format("To use {} here, set in [scheme]: {}.", name, joined_with_and(keys));
}

std::string price_warning(const std::vector<std::string>& losses) {
  return losses.empty() ? "" : " Its cost: " + printable(losses_clause(losses)) + ".";
}

// Nobody can use what exists in papers only.
void add_use(const std::vector<AnalysedRun>& runs, const Judgement& j, std::vector<std::string>& list) {
  const auto use = [&](std::size_t run) {
    list.push_back(how_to_use(runs[run], runs[j.reference]) + price_warning(losses_of(runs[run], runs[j.reference])));
  };
  const std::size_t opensm = opensm_can_enable(runs, j);
  const std::size_t first = can_be_deployed(runs[j.best]) ? j.best : j.deployable;
  if (opensm < runs.size() && opensm != first)
    list.push_back(fmt::format("opensm alone can enable {}: {}. `weir convert` writes the lines for opensm.conf.{}",
                               printable(quoted_name(runs[opensm].record.label)), harm_detail(runs, j, opensm),
                               price_warning(losses_of(runs[opensm], runs[j.reference]))));
  if (can_be_deployed(runs[j.best])) return use(j.best);
  if (j.deployable_helps) use(j.deployable);
  list.push_back(fmt::format("{} shows what would be possible: {}{}.",
                             printable(tagged_label(runs[j.best], runs[j.reference])), harm_detail(runs, j, j.best),
                             j.deployable_helps ? "" : ". " + printable(none_available(runs, j))));
}

std::vector<std::string> advice_of(const std::vector<AnalysedRun>& runs, const Judgement& j) {
  const AnalysedRun& run = runs[j.reference];
  std::vector<std::string> list;
  for (const std::string& remark : caveats_of(run)) list.push_back("Note: " + printable(remark) + ".");
  if (run.m().ending == Ending::deadlock)
    list.push_back("The routes form a cycle in which every buffer waits for the next one. Routing \"up-down\" has no "
                   "such cycle on any graph; `weir topo --check` names the links.");
  for (std::size_t r = 0; r < runs.size(); ++r)
    if (const std::string idle = idle_sentence(runs[r]); r != j.reference && !idle.empty())
      list.push_back("Note: " + printable(idle) + ".");
  if (const std::string few = runs.size() > 1 ? few_flows_remark(runs, j) : ""; !few.empty())
    list.push_back("Note: " + few + ".");
  if (const std::string untried = untried_remark(runs, j); !untried.empty())
    list.push_back("Note: " + printable(untried) + ".");
  if (const std::string growth = growth_remark(runs); !growth.empty())
    list.push_back("Note: " + printable(growth) + ".");
  if (runs.size() > 1 && j.helps) add_use(runs, j, list);
  if (!run.digest.congestion.roots.empty()) {
    const RootChain chain = root_chain(run);
    const auto level = root_level(run, chain);
    list.push_back(level ? advice_for_level(*level) : advice_for_root(run, chain));
    if (const CongestionRoot* slow = slow_receiver(run); slow != nullptr && (level || slow != &chain.last()))
      list.push_back(advice_for_slow_receiver(run, *slow));
  } else if (run.digest.congestion.coarse)
    list.push_back("Ports wait, but too few snapshots were recorded to find the link for which they wait: set "
                   "measure.frames = 64, the default.");
  else if (!run.digest.congestion.unexplained.empty())
    list.push_back("No link is saturated, but ports wait: packets for free outputs queue behind packets for busy ones "
                   "(head-of-line blocking). Virtual output queues, more lanes or larger buffers prevent this.");
  else if (const auto queue = queueing_link(run))
    list.push_back(
        fmt::format("{} is offered more traffic than it can carry. Its switch has enough memory for the queue, "
                    "so no other port waits, but latency rises: slow its senders down, or spread them.",
                    link_name(run.topology(), queue->port)));
  else if (!waiting_at_hosts(run).empty())
    list.push_back("The fabric could carry more, but packets wait at their hosts. Let the scheme send more (its "
                   "parameters, or another one), spread the senders over more hosts, or offer less.");
  else if (run.record.overloaded)
    list.push_back("More traffic is offered than some links carry. This run was too short to show it: queues grow as "
                   "long as the traffic lasts. Offer less, or add links.");
  else if (run.m().ending != Ending::deadlock && list.empty())
    list.push_back("Nothing needs to be done: no port is held back for long.");
  if (const auto lane = untried_lane(runs))
    list.push_back(fmt::format("{} `{}`", printable(lane->text), printable(lane->options)));
  if (runs.size() == 1 && !run.digest.congestion.roots.empty())
    list.push_back("To see which scheme helps, run `weir compare` with the same scenario.");
  return list;
}

}  // namespace

Answer answer_of(const std::vector<AnalysedRun>& runs, const Judgement& j) {
  const AnalysedRun& run = runs[j.reference];
  Answer answer{headline(run), printable(verdict(runs)), {hurt_card(run, j), root_card(run)}, advice_of(runs, j)};
  if (runs.size() > 1) {
    answer.cards.push_back(help_card(runs, j));
    if (j.helps) answer.cards.push_back(cost_card(runs, j));
    if (j.helps && !can_be_deployed(runs[j.best])) answer.cards.push_back(deployable_card(runs, j));
  }
  return answer;
}

}  // namespace weir
