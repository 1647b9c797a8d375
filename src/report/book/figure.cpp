#include "report/book/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/csv.h"

namespace weir {
namespace {

// Okabe and Ito's colours, which people with any kind of colour vision can tell apart.
constexpr const char* kColours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                    "#e69f00", "#56b4e9", "#000000", "#999933"};

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') out += "&lt;";
    else if (c == '>') out += "&gt;";
    else if (c == '&') out += "&amp;";
    else if (c == '"') out += "&quot;";
    else out += c;
  }
  return out;
}

// One axis: data to pixels, and round numbers to label.
class Axis {
 public:
  Axis(bool logarithmic, double from, double to) : log_(logarithmic), from_(from), to_(to) {}

  void include(double value) {
    if (!std::isfinite(value) || (log_ && value <= 0)) return;
    low_ = std::min(low_, scale(value));
    high_ = std::max(high_, scale(value));
  }
  void settle() {
    if (low_ > high_) low_ = 0, high_ = 1;
    if (!log_ && low_ > 0 && low_ < 0.5 * high_) low_ = 0;
    if (high_ - low_ < 1e-12 * std::max(1.0, std::fabs(high_))) high_ = low_ + 1;
    if (log_) low_ = std::floor(low_), high_ = std::ceil(high_);
  }
  double at(double value) const { return from_ + (scale(value) - low_) / (high_ - low_) * (to_ - from_); }
  bool shows(double value) const { return std::isfinite(value) && (!log_ || value > 0); }
  std::vector<double> ticks() const {
    std::vector<double> list;
    if (log_) {
      for (double e = low_; e <= high_ + 1e-9; e += 1) list.push_back(std::pow(10.0, e));
      return list;
    }
    const double rough = (high_ - low_) / 5;
    const double magnitude = std::pow(10.0, std::floor(std::log10(rough)));
    double step = magnitude;
    for (const double factor : {1.0, 2.0, 5.0, 10.0})
      if (magnitude * factor <= rough * 1.5) step = magnitude * factor;
    for (double t = std::ceil(low_ / step) * step; t <= high_ + step * 1e-9; t += step)
      list.push_back(std::fabs(t) < step * 1e-9 ? 0 : t);
    return list;
  }

 private:
  double scale(double value) const { return log_ ? std::log10(value) : value; }
  bool log_;
  double from_, to_;
  double low_ = 1e300, high_ = -1e300;
};

void draw_curve(std::string& svg, const Curve& curve, const Axis& x, const Axis& y, const char* colour) {
  if (curve.points_only) {
    for (std::size_t i = 0; i < curve.x.size(); ++i)
      if (x.shows(curve.x[i]) && y.shows(curve.y[i]))
        svg += fmt::format(
            "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n",
            x.at(curve.x[i]), y.at(curve.y[i]), colour);
    return;
  }
  std::string points;
  for (std::size_t i = 0; i < curve.x.size(); ++i)
    if (x.shows(curve.x[i]) && y.shows(curve.y[i]))
      points += fmt::format("{:.1f},{:.1f} ", x.at(curve.x[i]), y.at(curve.y[i]));
  svg += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n", points, colour);
}

}  // namespace

std::string figure_csv(const Figure& figure) {
  std::string text = fmt::format("curve,{},{}\n", csv_text(figure.x_label), csv_text(figure.y_label));
  for (const Curve& curve : figure.curves)
    for (std::size_t i = 0; i < curve.x.size(); ++i)
      text += fmt::format("{},{:.9g},{:.9g}\n", csv_text(curve.name), curve.x[i], curve.y[i]);
  return text;
}

std::string figure_svg(const Figure& figure) {
  constexpr double kWidth = 760, kHeight = 420, kLeft = 90, kRight = 560, kTop = 45, kBottom = 360;
  Axis x(figure.log_x, kLeft, kRight), y(figure.log_y, kBottom, kTop);
  for (const Curve& curve : figure.curves) {
    for (const double v : curve.x) x.include(v);
    for (const double v : curve.y) y.include(v);
  }
  x.settle();
  y.settle();
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n"
      "<text x=\"{2}\" y=\"25\" font-size=\"16\">{3}</text>\n",
      kWidth, kHeight, kLeft, escaped(figure.title));
  for (const double t : x.ticks())
    svg += fmt::format("<line x1=\"{0:.1f}\" y1=\"{1}\" x2=\"{0:.1f}\" y2=\"{2}\" stroke=\"#ddd\"/>\n"
                       "<text x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"middle\">{4:g}</text>\n",
                       x.at(t), kTop, kBottom, kBottom + 18, t);
  for (const double t : y.ticks())
    svg += fmt::format("<line x1=\"{1}\" y1=\"{0:.1f}\" x2=\"{2}\" y2=\"{0:.1f}\" stroke=\"#ddd\"/>\n"
                       "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5:g}</text>\n",
                       y.at(t), kLeft, kRight, kLeft - 6, y.at(t) + 4, t);
  for (std::size_t i = 0; i < figure.curves.size(); ++i) {
    const char* colour = kColours[i % std::size(kColours)];
    draw_curve(svg, figure.curves[i], x, y, colour);
    svg += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"14\" height=\"4\" fill=\"{}\"/>\n<text x=\"{}\" y=\"{}\">{}</text>\n",
        kRight + 15, kTop + 20 * static_cast<double>(i), colour, kRight + 35, kTop + 7 + 20 * static_cast<double>(i),
        escaped(figure.curves[i].name));
  }
  svg += fmt::format(
      "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n<text transform=\"translate(18,{}) rotate(-90)\" "
      "text-anchor=\"middle\">{}</text>\n</svg>\n",
      (kLeft + kRight) / 2, kHeight - 15, escaped(figure.x_label), (kTop + kBottom) / 2, escaped(figure.y_label));
  return svg;
}

nlohmann::ordered_json figure_json(const Figure& figure) {
  nlohmann::ordered_json j{{"name", figure.name}, {"title", figure.title}, {"x", figure.x_label}, {"y", figure.y_label},
                           {"log_x", figure.log_x}, {"log_y", figure.log_y}};
  for (const Curve& curve : figure.curves)
    j["curves"].push_back({{"name", curve.name}, {"points_only", curve.points_only}, {"x", curve.x}, {"y", curve.y}});
  return j;
}

}  // namespace weir
