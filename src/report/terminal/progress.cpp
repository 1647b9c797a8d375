#include "report/terminal/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/number_format.h"
#include "report/terminal/terminal_text.h"

namespace weir {
namespace {

constexpr double kSilent = 1.0;  // seconds before the bar appears
constexpr double kRedraw = 0.1;
constexpr std::size_t kBarCells = 24;

std::string bar(double fraction) {
  static constexpr const char* kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const auto eighths = static_cast<std::size_t>(fraction * kBarCells * 8);
  std::string text;
  for (std::size_t i = 0; i < eighths / 8; ++i) text += "█";
  text += kEighths[eighths % 8];
  return text + std::string(kBarCells - eighths / 8 - (eighths % 8 != 0), ' ');
}

}  // namespace

ProgressBar::ProgressBar(std::ostream& out, bool is_terminal, Clock clock, std::size_t width, bool ascii)
    : out_(out), is_terminal_(is_terminal), ascii_(ascii), clock_(std::move(clock)), width_(width) {
  if (is_terminal_) begin_ = drawn_at_ = clock_();
}

ProgressBar::~ProgressBar() { finish(); }

std::string ProgressBar::line(double fraction, double elapsed, const std::string& text) const {
  const std::string left = fraction > 0 ? format_duration(elapsed * (1 - fraction) / fraction) + " left" : "";
  const std::string head = fmt::format("{}▏{:3.0f} %  {}", bar(fraction), std::floor(100 * fraction), left);
  const std::string whole = shorten(head + (text.empty() ? "" : "  " + printable(text)), width_ - 1);
  return ascii_ ? in_ascii(whole) : whole;
}

void ProgressBar::update(double fraction, const std::string& text) {
  if (!is_terminal_) return;
  const double now = clock_();
  if (now - begin_ < kSilent || (visible_ && now - drawn_at_ < kRedraw)) return;
  fraction = std::isfinite(fraction) ? std::clamp(fraction, 0.0, 1.0) : 0.0;
  out_ << "\r\x1b[K" << line(fraction, now - begin_, text) << std::flush;
  visible_ = true;
  drawn_at_ = now;
}

void ProgressBar::finish() {
  if (visible_) out_ << "\r\x1b[K" << std::flush;
  visible_ = false;
}

}  // namespace weir
