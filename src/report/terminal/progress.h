// A progress bar for long runs: nothing at all in the first second, in a pipe or in a log. It has no thread and no
// clock of its own: the caller reports progress now and then, and hands in the time source.
#pragma once
#include <functional>
#include <ostream>
#include <string>

namespace weir {

class ProgressBar {
 public:
  using Clock = std::function<double()>;  // seconds, from any origin, never falling
  ProgressBar(std::ostream& out, bool is_terminal, Clock clock, std::size_t width = 80, bool ascii = false);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void update(double fraction, const std::string& text);  // 0..1; cheap when nothing is to be drawn
  void finish();                                          // wipes the line

 private:
  std::string line(double fraction, double elapsed, const std::string& text) const;

  std::ostream& out_;
  bool is_terminal_, ascii_;
  Clock clock_;
  std::size_t width_;
  double begin_ = 0, drawn_at_ = 0;
  bool visible_ = false;
};

}  // namespace weir
