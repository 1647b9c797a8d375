#include "report/answer/losses.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "report/answer/flow_ends.h"
#include "report/answer/judgement.h"
#include "report/answer/phrases.h"
#include "report/number_format.h"

namespace weir {
namespace {

constexpr double kMarked = 1.05;
constexpr std::size_t kLossesNamed = 3;

struct Loss {
  double factor = 1;  // by which the class is worse off
  std::string text;
};
using MaybeLoss = std::optional<Loss>;

bool has_flows(const AnalysedRun& run, std::uint32_t c) {
  const auto& flows = run.m().flows;
  return std::any_of(flows.begin(), flows.end(), [c](const FlowResult& f) { return f.traffic_class.index == c; });
}

MaybeLoss later(double now, double before, const std::string& what) {
  if (before <= 0 || now <= kMarked * before) return {};
  return Loss{now / before, what + " " + format_factor(now / before)};
}

MaybeLoss less(std::optional<double> now, std::optional<double> before, const std::string& name) {
  if (!now || !before || *before <= 0 || kMarked * *now >= *before) return {};
  return Loss{*before / std::max(*now, 1e-9 * *before),
              fmt::format("class {} receives {} less", quoted_name(name), format_share(1 - *now / *before))};
}

MaybeLoss loss_in_slowdown(const AnalysedRun& run, const AnalysedRun& reference, const std::string& name,
                           double SlowdownSummary::*of, const char* what) {
  const ClassDigest *now = find_class(run, name), *before = find_class(reference, name);
  if (!now->slowdown || !before->slowdown) return {};
  MaybeLoss loss = later(now->slowdown->all.*of, before->slowdown->all.*of,
                         fmt::format("the {} slowdown of class {} is", what, quoted_name(name)));
  if (loss) loss->text += " as high";
  return loss;
}

// What most flows feel. A scheme may help the slowest by slowing all others.
MaybeLoss loss_in_median(const AnalysedRun& run, const AnalysedRun& reference, const std::string& name) {
  return loss_in_slowdown(run, reference, name, &SlowdownSummary::p50, "median");
}

MaybeLoss loss_in_flows(const AnalysedRun& run, const AnalysedRun& reference, const std::string& name) {
  const FlowEnds now = *flow_ends(run, name), before = *flow_ends(reference, name);
  const auto had = static_cast<double>(before.complete), has = static_cast<double>(now.complete);
  if (kMarked * has < had)
    return Loss{had / std::max(has, 0.5),
                fmt::format("{} of {} flows of class {} are never complete{}", now.flows - now.complete, now.flows,
                            quoted_name(name),
                            before.all() ? "" : fmt::format(" ({} without it)", before.flows - before.complete))};
  if (!now.all() || !before.all()) return {};
  const std::string flows = "flows of class " + quoted_name(name);
  if (slowdown_is_comparable(run, reference, name)) {
    // The 99th percentile tells more than the end of the last flow.
    if (MaybeLoss loss = loss_in_slowdown(run, reference, name, &SlowdownSummary::p99, "p99")) return loss;
  } else if (MaybeLoss loss = later(now.last_ps, before.last_ps, flows + " take")) {
    loss->text += " as long until the last one is complete";
    return loss;
  }
  if (MaybeLoss loss = later(now.mean_ps, before.mean_ps, flows + " take")) {
    loss->text += " as long on average";
    return loss;
  }
  return slowdown_is_comparable(run, reference, name) ? loss_in_median(run, reference, name) : MaybeLoss{};
}

// End of the last bin in which the class received anything.
double last_arrival_ps(const Measurements& m, const ClassResult& c) {
  for (std::size_t b = c.series.size(); b > 0; --b)
    if (c.series[b - 1].received > 0) return static_cast<double>((bin_start(m, b - 1) + bin_length(m, b - 1)).ps);
  return 0;
}

// Random traffic asks for the same in every run; what arrives of it is a share of that. Rates would not do: a run that
// lasts longer because of others has the same packets in more time.
MaybeLoss loss_in_packets(const AnalysedRun& run, const ClassResult& now, const AnalysedRun& reference,
                          const ClassResult& before) {
  const auto asked = [](const ClassResult& c) { return c.generated + c.refused; };
  if (asked(now) == 0 || asked(before) == 0) return {};
  const bool both_over = asked(now) == asked(before) && now.received == asked(now) && before.received == asked(before);
  if (both_over) {
    MaybeLoss loss =
        later(last_arrival_ps(run.m(), now), last_arrival_ps(reference.m(), before),
              "class " + quoted_name(now.name) + " takes");
    if (loss) loss->text += " as long until its last packet arrives";
    return loss;
  }
  const auto share = [&](const ClassResult& c) {
    return static_cast<double>(c.received) / static_cast<double>(asked(c));
  };
  return less(share(now), share(before), now.name);
}

MaybeLoss loss_of(const AnalysedRun& run, std::uint32_t now, const AnalysedRun& reference, std::uint32_t before) {
  const std::string& name = run.m().classes[now].name;
  const auto ends = flow_ends(run, name), ends_before = flow_ends(reference, name);
  if (ends && ends_before && ends_before->complete > 0) return loss_in_flows(run, reference, name);
  if (!has_flows(run, now) && !has_flows(reference, before))
    return loss_in_packets(run, run.m().classes[now], reference, reference.m().classes[before]);
  return less(throughput_of(run, {now}), throughput_of(reference, {before}), name);
}

std::vector<Loss> all_losses(const AnalysedRun& run, const AnalysedRun& reference) {
  std::vector<Loss> losses;
  for (std::uint32_t c = 0; c < run.m().classes.size(); ++c) {
    const auto before = class_called(reference, run.m().classes[c].name);
    if (!before) continue;
    if (MaybeLoss loss = loss_of(run, c, reference, before->index)) losses.push_back(std::move(*loss));
  }
  std::stable_sort(losses.begin(), losses.end(), [](const Loss& a, const Loss& b) { return a.factor > b.factor; });
  return losses;
}

}  // namespace

std::vector<std::string> losses_of(const AnalysedRun& run, const AnalysedRun& reference) {
  std::vector<std::string> texts;
  for (Loss& loss : all_losses(run, reference)) texts.push_back(std::move(loss.text));
  return texts;
}

double worst_loss(const AnalysedRun& run, const AnalysedRun& reference) {
  const std::vector<Loss> losses = all_losses(run, reference);
  return losses.empty() ? 1 : losses.front().factor;
}

std::string losses_clause(const std::vector<std::string>& losses) {
  std::vector<std::string> named(losses.begin(),
                                 losses.begin() + static_cast<std::ptrdiff_t>(std::min(losses.size(), kLossesNamed)));
  if (const std::size_t others = losses.size() - named.size(); others > 0)
    named.push_back(fmt::format("{} lose{}, too",
                                others == 1 ? "one other class" : fmt::format("{} other classes", others),
                                others == 1 ? "s" : ""));
  return joined_with_and(named);
}

}  // namespace weir
