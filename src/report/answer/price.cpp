#include "report/answer/price.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "report/answer/flow_ends.h"
#include "report/answer/wording.h"
#include "report/format.h"

namespace weir {
namespace {

constexpr double kMarked = 1.05;
constexpr std::size_t kPricesNamed = 3;

struct Price {
  double factor = 1;  // by which the class is worse off
  std::string text;
};
using MaybePrice = std::optional<Price>;

bool has_flows(const PreparedRun& run, std::uint32_t c) {
  const auto& flows = run.m().flows;
  return std::any_of(flows.begin(), flows.end(), [c](const FlowResult& f) { return f.traffic_class.index == c; });
}

MaybePrice later(double now, double before, const std::string& what) {
  if (before <= 0 || now <= kMarked * before) return {};
  return Price{now / before, what + " " + format_factor(now / before)};
}

MaybePrice less(std::optional<double> now, std::optional<double> before, const std::string& name) {
  if (!now || !before || *before <= 0 || kMarked * *now >= *before) return {};
  return Price{*before / std::max(*now, 1e-9 * *before),
               fmt::format("{} traffic gets {} less", name, format_share(1 - *now / *before))};
}

MaybePrice price_in_flows(const FlowEnds& now, const FlowEnds& before, const std::string& name) {
  const auto had = static_cast<double>(before.complete), has = static_cast<double>(now.complete);
  if (kMarked * has < had)
    return Price{had / std::max(has, 0.5),
                 fmt::format("{} of {} {} flows do not end{}", now.flows - now.complete, now.flows, name,
                             before.all() ? "" : fmt::format(" ({} without it)", before.flows - before.complete))};
  if (!now.all() || !before.all()) return {};
  if (MaybePrice price = later(now.last_ps, before.last_ps, name + " flows end")) {
    price->text += " as late";
    return price;
  }
  MaybePrice price = later(now.mean_ps, before.mean_ps, name + " flows take");
  if (price) price->text += " as long on average";
  return price;
}

// End of the last bin in which the class received anything.
double last_arrival_ps(const Measurements& m, const ClassResult& c) {
  for (std::size_t b = c.series.size(); b > 0; --b)
    if (c.series[b - 1].received > 0) return static_cast<double>((bin_start(m, b - 1) + bin_length(m, b - 1)).ps);
  return 0;
}

// Random traffic asks for the same in every run; what arrives of it is a share of that. Rates would not do: a run that
// lasts longer because of others has the same packets in more time.
MaybePrice price_in_packets(const PreparedRun& run, const ClassResult& now, const PreparedRun& reference,
                            const ClassResult& before) {
  const auto asked = [](const ClassResult& c) { return c.generated + c.refused; };
  if (asked(now) == 0 || asked(before) == 0) return {};
  const bool both_over = asked(now) == asked(before) && now.received == asked(now) && before.received == asked(before);
  if (both_over) {
    MaybePrice price =
        later(last_arrival_ps(run.m(), now), last_arrival_ps(reference.m(), before), now.name + " traffic ends");
    if (price) price->text += " as late";
    return price;
  }
  const auto share = [&](const ClassResult& c) {
    return static_cast<double>(c.received) / static_cast<double>(asked(c));
  };
  return less(share(now), share(before), now.name);
}

MaybePrice price_of(const PreparedRun& run, std::uint32_t now, const PreparedRun& reference, std::uint32_t before) {
  const std::string& name = run.m().classes[now].name;
  const auto ends = flow_ends(run, name), ends_before = flow_ends(reference, name);
  if (ends && ends_before && ends_before->complete > 0) return price_in_flows(*ends, *ends_before, name);
  if (!has_flows(run, now) && !has_flows(reference, before))
    return price_in_packets(run, run.m().classes[now], reference, reference.m().classes[before]);
  return less(throughput_of(run, {now}), throughput_of(reference, {before}), name);
}

}  // namespace

std::vector<std::string> prices_of(const PreparedRun& run, const PreparedRun& reference) {
  std::vector<Price> prices;
  for (std::uint32_t c = 0; c < run.m().classes.size(); ++c) {
    const auto before = class_called(reference, run.m().classes[c].name);
    if (!before) continue;
    if (MaybePrice price = price_of(run, c, reference, before->index)) prices.push_back(std::move(*price));
  }
  std::stable_sort(prices.begin(), prices.end(), [](const Price& a, const Price& b) { return a.factor > b.factor; });
  std::vector<std::string> texts;
  for (Price& price : prices) texts.push_back(std::move(price.text));
  return texts;
}

std::string price_clause(const std::vector<std::string>& prices) {
  std::vector<std::string> named(prices.begin(), prices.begin() + static_cast<std::ptrdiff_t>(
                                                                      std::min(prices.size(), kPricesNamed)));
  if (const std::size_t others = prices.size() - named.size(); others > 0)
    named.push_back(fmt::format("{} lose{} too", others == 1 ? "one other class" : fmt::format("{} others", others),
                                others == 1 ? "s" : ""));
  return joined(named);
}

}  // namespace weir
