// Paper 000, flow level, without packets: the small exact cases and contention under permutations. The kernels are in
// zdornov_flow*.cpp; here stands what the paper says about their numbers.
#include "reproduce/zdornov/flow_entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace weir {
namespace zdornov {

std::string text_of(const Interval& i) {
  return i.half_width == 0 ? fmt::format("{:.3f}", i.mean) : fmt::format("{:.3f} ± {:.3f}", i.mean, i.half_width);
}

std::string percent_text(double change, double half_width) {
  return fmt::format("{:+.1f} ± {:.1f} %", 100 * change, 100 * half_width);
}

namespace {

std::uint32_t permutations(const Reproduction& r) { return r.quick() ? 100 : r.full() ? 1000 : 300; }

FlowRoutingPolicy with_random_ties(FlowRoutingPolicy policy) {
  policy.ties = FlowRoutingPolicy::Ties::chance;
  return policy;
}

double contended(const LinkSetDistribution& set) {
  double share = 0;
  for (std::size_t n = 2; n < set.share.size(); ++n) share += set.share[n];
  return share;
}

// Over the sets of one direction, 'U' or 'D': the largest share of contended links, and the most flows on any link.
struct Direction {
  double contended = 0;
  std::size_t most = 0;
};
Direction direction(const std::vector<LinkSetDistribution>& sets, char name) {
  Direction out;
  for (const LinkSetDistribution& set : sets) {
    if (set.name[0] != name) continue;
    out.contended = std::max(out.contended, contended(set));
    for (std::size_t n = 0; n < set.share.size(); ++n)
      if (set.share[n] > 0) out.most = std::max(out.most, n);
  }
  return out;
}

std::string text_of(const Direction& d) {
  return fmt::format("{:.2f} % of the links contended, at most {} flows", 100 * d.contended, d.most);
}

Figure distribution_figure(const std::string& name, const std::vector<LinkSetDistribution>& sets) {
  Figure figure{
      "distribution-" + name, "Flows per link, " + name + " routing", "flows", "share of links", {}, false, true};
  for (const LinkSetDistribution& set : sets) {
    Curve curve{set.name, {}, {}};
    for (std::size_t n = 0; n < set.share.size(); ++n) {
      if (set.share[n] <= 0) continue;
      curve.x.push_back(static_cast<double>(n));
      curve.y.push_back(set.share[n]);
    }
    figure.curves.push_back(std::move(curve));
  }
  return figure;
}

// Relative change of means, with the half width that their intervals leave it.
struct Change {
  double value = 0, half_width = 0;
};
Change change(const Interval& from, const Interval& to) {
  return {to.mean / from.mean - 1,
          std::hypot(to.half_width / from.mean, to.mean * from.half_width / (from.mean * from.mean))};
}
std::string text_of(const Change& c) { return percent_text(c.value, c.half_width); }

std::string tree_name(const TreeShape& t) { return fmt::format("{}-ary {}-tree", t.k, t.n); }

// The gain grows from tree to tree: none gains less than the one before it beyond what chance explains, and the last
// gains more than the first.
bool grows(const std::vector<Change>& changes) {
  for (std::size_t i = 1; i < changes.size(); ++i)
    if (changes[i].value > changes[i - 1].value + changes[i].half_width + changes[i - 1].half_width) return false;
  return changes.back().value < changes.front().value;
}

// One experiment of figure 6.5: `rows` from the smallest tree to the largest.
void state_growth(Reproduction& r, const std::string& axis, const std::vector<TreeComparison>& rows) {
  std::vector<Change> worst, mean;
  std::string worst_text, mean_text;
  Figure figure{"contention-by-" + axis, "Contention by " + axis, axis, "flows", {}, false, false};
  Curve curves[] = {
      {"static, maximum", {}, {}}, {"adaptive, maximum", {}, {}}, {"static, mean", {}, {}}, {"adaptive, mean", {}, {}}};
  for (const TreeComparison& row : rows) {
    worst.push_back(change(row.fixed.worst, row.adaptive.worst));
    mean.push_back(change(row.fixed.mean, row.adaptive.mean));
    const char* comma = worst.size() > 1 ? ", " : "";
    worst_text += comma + text_of(worst.back());
    mean_text += comma + text_of(mean.back());
    const double values[] = {row.fixed.worst.mean, row.adaptive.worst.mean, row.fixed.mean.mean,
                             row.adaptive.mean.mean};
    for (std::size_t c = 0; c < 4; ++c) {
      curves[c].x.push_back(axis == "radix" ? row.tree.k : row.tree.n);
      curves[c].y.push_back(values[c]);
    }
    r.report(tree_name(row.tree) + ": static, adaptive maximum",
             text_of(row.fixed.worst) + ", " + text_of(row.adaptive.worst));
  }
  figure.curves.assign(std::begin(curves), std::end(curves));
  r.figure(std::move(figure));
  r.statement("maximum contention: the gain grows with the " + axis, grows(worst), worst_text);
  r.statement("mean contention: the gain grows with the " + axis, grows(mean), mean_text);
}

std::string hops_name(std::uint32_t hops) {
  return hops == HorizontalPolicy::kUnlimited ? "unlimited" : fmt::format("{}", hops);
}

}  // namespace
}  // namespace zdornov

using namespace zdornov;

void zdornov_fig_2_2(Reproduction& r) {
  const Figure22 f = figure_2_2();
  r.value("rate of a1, AFA", f.a1_afa);
  r.value("rate of a2, AFA", f.a2_afa);
  r.value("rate of a1, fair to flows", f.a1_ffa);
  r.value("rate of a2, fair to flows", f.a2_ffa);
}

void zdornov_fig_6_2(Reproduction& r) {
  const std::uint32_t runs = permutations(r);
  Figure62 f;
  Contention drawn;
  r.parallel(2, [&](std::size_t i) {
    if (i == 0) f = figure_6_2(runs);
    else drawn = contention(Wired({16, 3, 0}), with_random_ties(FlowRoutingPolicy::ascent()), runs, 1);
  });
  const Direction up = direction(f.fixed, 'U'), down = direction(f.fixed, 'D');
  const Direction adaptive_up = direction(f.adaptive, 'U'), adaptive_down = direction(f.adaptive, 'D');
  r.statement("static: no contention on the way down", down.most <= 1, text_of(down));
  r.statement("static: the tail on the way up reaches seven flows", up.most >= 7, text_of(up));
  r.statement("adaptive ascent relieves the way up", adaptive_up.contended < 0.1 * up.contended, text_of(adaptive_up));
  r.statement("adaptive ascent leaves contention on the way down", adaptive_down.contended > 0.1 * up.contended,
              text_of(adaptive_down));
  const Interval &fixed = f.fixed_flows.worst, &adaptive = f.adaptive_flows.worst;
  r.statement("adaptive ascent alone does not lower the maximum",
              adaptive.mean + adaptive.half_width >= fixed.mean - fixed.half_width,
              fmt::format("{} against {}", text_of(adaptive), text_of(fixed)));
  r.report("the same with random ties", text_of(drawn.worst));
  r.report("mean contention: static, adaptive, random ties",
           fmt::format("{}, {}, {}", text_of(f.fixed_flows.mean), text_of(f.adaptive_flows.mean), text_of(drawn.mean)));
  r.figure(distribution_figure("static", f.fixed));
  r.figure(distribution_figure("adaptive", f.adaptive));
  r.note(
      fmt::format("{} random permutations; the default port wins ties on the way up, as in all figures; intervals are "
                  "95 % over permutations.",
                  runs));
}

namespace {

// The same on eight times as many hosts, which the paper does not show.
void report_large_trees(Reproduction& r, const std::vector<std::uint32_t>& widths) {
  constexpr std::uint32_t kRuns = 100;
  std::vector<TreeComparison> rows(widths.size());
  r.parallel(widths.size(), [&](std::size_t i) { rows[i] = figure_6_4(kRuns, 1, {widths[i]}, 32).front(); });
  for (const TreeComparison& row : rows)
    r.report(fmt::format("32,768 hosts, width {}: change of maximum, mean", row.tree.horizontal_width),
             text_of(change(row.fixed.worst, row.adaptive.worst)) + ", " +
                 text_of(change(row.fixed.mean, row.adaptive.mean)));
  r.note(fmt::format("The rows of 32,768 hosts: 32-ary 3-tree, {} random permutations.", kRuns));
}

}  // namespace

void zdornov_fig_6_4(Reproduction& r) {
  const std::uint32_t runs = permutations(r);
  const std::vector<std::uint32_t> widths = {1, 2, 3, 4};
  std::vector<TreeComparison> rows(widths.size());
  std::vector<Contention> drawn(widths.size());  // the same with random ties
  r.parallel(2 * widths.size(), [&](std::size_t i) {
    const std::uint32_t width = widths[i / 2];
    if (i % 2 == 0) rows[i / 2] = figure_6_4(runs, 1, {width}).front();
    else drawn[i / 2] = contention(Wired({16, 3, width}), with_random_ties(FlowRoutingPolicy::forced()), runs, 1);
  });
  Figure figure{"contention", "Contention by horizontal width", "horizontal width", "flows", {}, false, false};
  Curve worst{"adaptive, maximum", {0}, {rows[0].fixed.worst.mean}},
      mean{"adaptive, mean", {0}, {rows[0].fixed.mean.mean}};
  bool falls = true;
  std::string means;
  r.report("static: maximum, mean", text_of(rows[0].fixed.worst) + ", " + text_of(rows[0].fixed.mean));
  for (const TreeComparison& row : rows) {
    const std::uint32_t width = row.tree.horizontal_width;
    worst.x.push_back(width), worst.y.push_back(row.adaptive.worst.mean);
    mean.x.push_back(width), mean.y.push_back(row.adaptive.mean.mean);
    r.report(fmt::format("width {}: maximum, mean", width),
             text_of(row.adaptive.worst) + ", " + text_of(row.adaptive.mean));
    if (width < 2) continue;
    r.value(fmt::format("width {}: change of the maximum", width), 100 * row.worst_change());
    falls = falls && row.mean_change() < -0.20;
    means += (means.empty() ? "" : ", ") + text_of(change(row.fixed.mean, row.adaptive.mean));
  }
  r.statement("width 2 and more: the mean falls by more than 20 %", falls, means);
  for (std::size_t i = 1; i < rows.size(); ++i)
    r.report(fmt::format("width {} with random ties: change of maximum, mean", widths[i]),
             text_of(change(rows[i].fixed.worst, drawn[i].worst)) + ", " +
                 text_of(change(rows[i].fixed.mean, drawn[i].mean)));
  figure.curves = {worst, mean};
  r.figure(std::move(figure));
  r.note(
      fmt::format("{} random permutations on 4096 hosts, ForcedDir without a limit of hops; width 0 in the figure is "
                  "static routing in the plain tree.",
                  runs));
  if (r.full()) report_large_trees(r, widths);
}

void zdornov_fig_6_5(Reproduction& r) {
  const std::uint32_t runs = permutations(r);
  const TreeShape trees[] = {{4, 3, 2}, {8, 3, 2}, {12, 3, 2}, {16, 3, 2}, {12, 2, 2}, {12, 4, 2}};
  std::vector<TreeComparison> rows(std::size(trees));
  r.parallel(rows.size(), [&](std::size_t i) {
    rows[i] = compare_tree(trees[i], HorizontalPolicy::kUnlimited, runs, 1);
  });
  state_growth(r, "radix", {rows[0], rows[1], rows[2], rows[3]});
  state_growth(r, "height", {rows[4], rows[2], rows[5]});
  r.note(fmt::format(
      "{} random permutations per tree, horizontal width 2, ForcedDir without a limit of hops; changes from "
      "the smallest tree to the largest.",
      runs));
}

void zdornov_fig_6_6(Reproduction& r) {
  const std::uint32_t runs = permutations(r);
  const std::vector<std::uint32_t> hops = {0, 1, 2, 4, 8, 16, HorizontalPolicy::kUnlimited};
  std::vector<HopsPoint> points(hops.size());
  Contention drawn[2];  // one hop with random ties: ForcedDir, FreeDir
  r.parallel(hops.size() + 2, [&](std::size_t i) {
    if (i < hops.size()) {
      points[i] = figure_6_6(runs, 1, {hops[i]}).front();
    } else {
      const bool forced = i == hops.size();
      const FlowRoutingPolicy policy = forced ? FlowRoutingPolicy::forced(1) : FlowRoutingPolicy::free(1);
      drawn[forced ? 0 : 1] = contention(Wired({16, 3, 2}), with_random_ties(policy), runs, 1);
    }
  });
  Curve forced{"ForcedDir", {}, {}}, free{"FreeDir", {}, {}};
  bool forced_wins = true;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Interval &a = points[i].forced.worst, &b = points[i].free.worst;
    r.report(hops_name(hops[i]) + " hops: ForcedDir, FreeDir", text_of(a) + ", " + text_of(b));
    forced.x.push_back(static_cast<double>(i)), forced.y.push_back(a.mean);
    free.x.push_back(static_cast<double>(i)), free.y.push_back(b.mean);
    if (hops[i] >= 2) forced_wins = forced_wins && a.mean - a.half_width <= b.mean + b.half_width;
  }
  const HopsPoint &one = points[1], &eight = points[4], &all = points[6];
  r.statement("1 hop: FreeDir is better", one.free.worst.mean < one.forced.worst.mean,
              text_of(one.free.worst) + " against " + text_of(one.forced.worst));
  r.report("1 hop with random ties: ForcedDir, FreeDir", text_of(drawn[0].worst) + ", " + text_of(drawn[1].worst));
  r.statement("2 hops and more: ForcedDir is at least as good",
              forced_wins && all.forced.worst.mean <= all.free.worst.mean,
              text_of(all.forced.worst) + " against " + text_of(all.free.worst) + " without a limit");
  r.statement("8 hops are as good as unlimited ones",
              std::fabs(eight.forced.worst.mean / all.forced.worst.mean - 1) <= 0.02,
              text_of(eight.forced.worst) + " against " + text_of(all.forced.worst));
  r.figure({"maximum", "Maximum contention by allowed hops", "hops (0, 1, 2, 4, 8, 16, unlimited)", "flows",
            {forced, free}, false, false});
  r.note(fmt::format("{} random permutations, 16-ary 3-tree, horizontal width 2.", runs));
}

void zdornov_table_6_1(Reproduction& r) {
  for (const OverheadCell& cell : table_6_1())
    r.value(fmt::format("height {}, radix {}", cell.height, cell.radix), cell.overhead);
}

void zdornov_prop_4_4_1(Reproduction& r) {
  double least = 2, most = 0;
  for (const BoundPoint& p : proposition_4_4_1()) {
    least = std::min(least, p.ratio / p.bound);
    most = std::max(most, p.ratio / p.bound);
    r.report(fmt::format("W = {}: FFA / SAA, bound", p.heaviest), fmt::format("{:.6g}, {:.6g}", p.ratio, p.bound));
  }
  r.statement("the printed example reaches the bound", least > 1 - 1e-12 && most < 1 + 1e-12,
              fmt::format("ratio / bound {:.12f} to {:.12f}", least, most));
  const BoundSearch s = search_bounds(r.quick() ? 2000 : r.full() ? 200'000 : 20'000);
  r.statement("no instance exceeds the bound", s.flows <= 1 + 1e-12,
              fmt::format("at most {:.4f} of it in {} random instances", s.flows, s.instances));
}

void zdornov_prop_4_4_2(Reproduction& r) {
  double least = 2, most = 0;
  for (const ApplicationBoundPoint& p : proposition_4_4_2()) {
    least = std::min({least, p.ratio_to_ffa / p.bound, p.ratio_to_saa / p.bound});
    most = std::max({most, p.ratio_to_ffa / p.bound, p.ratio_to_saa / p.bound});
    r.report(fmt::format("W = {}: AFA / FFA, AFA / SAA, bound", p.heaviest),
             fmt::format("{:.6g}, {:.6g}, {:.6g}", p.ratio_to_ffa, p.ratio_to_saa, p.bound));
  }
  r.statement("the printed example reaches the bound", least > 1 - 1e-12 && most < 1 + 1e-12,
              fmt::format("ratio / bound {:.12f} to {:.12f}", least, most));
  const BoundSearch s = search_bounds(r.quick() ? 2000 : r.full() ? 200'000 : 20'000);
  r.statement("no instance exceeds the bound", std::max(s.applications_to_ffa, s.applications_to_saa) <= 1 + 1e-12,
              fmt::format("at most {:.4f} (FFA) and {:.4f} (SAA) of it in {} random instances", s.applications_to_ffa,
                          s.applications_to_saa, s.instances));
}

}  // namespace weir
