// Curves as a paper's figure has them: written as CSV for other programs and as a plain SVG for the eye.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace weir {

struct Curve {
  std::string name;
  std::vector<double> x, y;
  bool points_only = false;  // marks instead of a line: what a paper prints
};

struct Figure {
  std::string name, title, x_label, y_label;  // name: of its files
  std::vector<Curve> curves;
  bool log_x = false, log_y = false;
};

std::string figure_csv(const Figure& figure);  // curve,x,y
std::string figure_svg(const Figure& figure);
nlohmann::ordered_json figure_json(const Figure& figure);

}  // namespace weir
