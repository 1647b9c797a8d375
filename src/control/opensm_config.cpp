#include "control/opensm_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "base/error.h"
#include "base/file_text.h"
#include "base/text_cursor.h"

namespace weir {

namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

// Takes the first word off `text`.
std::string_view take_word(std::string_view& text) {
  text = trimmed(text);
  const std::size_t end = std::min(text.find_first_of(kBlanks), text.size());
  const std::string_view word = text.substr(0, end);
  text = trimmed(text.substr(end));
  return word;
}

bool is_congestion_key(std::string_view key) { return key == "congestion_control" || key.starts_with("cc_"); }

class LineReader {
 public:
  LineReader(OpensmCongestionSettings& settings, const std::string& file) : s_(settings), file_(file) {}

  void read(std::string_view line, std::uint32_t number) {
    line_ = number;
    rest_ = line.substr(0, line.find('#'));
    key_ = take_word(rest_);
    if (!is_congestion_key(key_)) return;
    if (rest_.empty()) refuse("needs a value");
    if (!read_general() && !read_switch() && !read_adapter())
      refuse("is no key that OpenSM has for congestion control");
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError(SourcePosition{file_, line_, 0}, std::string(key_) + ": " + what);
  }

  bool read_general() {
    if (key_ == "congestion_control") s_.congestion_control = truth(rest_);
    else if (key_ == "cc_key") s_.cc_key = number<std::uint64_t>(rest_);
    else if (key_ == "cc_max_outstanding_mads") s_.max_outstanding_mads = number<std::uint32_t>(rest_);
    else if (key_ == "cc_cct") s_.cct = table(rest_);
    else return false;
    return true;
  }

  bool read_switch() {
    constexpr std::string_view kPrefix = "cc_sw_cong_setting_";
    if (!key_.starts_with(kPrefix)) return false;
    const std::string_view name = key_.substr(kPrefix.size());
    if (name == "control_map") s_.switch_control_map = number<std::uint32_t>(rest_, 31);
    else if (name == "victim_mask") s_.victim_mask = mask(rest_);
    else if (name == "credit_mask") s_.credit_mask = mask(rest_);
    else if (name == "threshold") s_.threshold = number<std::uint8_t>(rest_, 15);
    else if (name == "packet_size") s_.packet_size = number<std::uint8_t>(rest_);
    else if (name == "credit_starvation_threshold") s_.credit_starvation_threshold = number<std::uint8_t>(rest_, 15);
    else if (name == "credit_starvation_return_delay") s_.credit_starvation_return_delay = entry(rest_);
    else if (name == "marking_rate") s_.marking_rate = number<std::uint16_t>(rest_);
    else return false;
    return true;
  }

  bool read_adapter() {
    constexpr std::string_view kPrefix = "cc_ca_cong_setting_";
    if (!key_.starts_with(kPrefix)) return false;
    const std::string_view name = key_.substr(kPrefix.size());
    if (name == "port_control") s_.ca_port_control = number<std::uint16_t>(rest_);
    else if (name == "control_map") s_.ca_control_map = number<std::uint16_t>(rest_);
    else if (name == "ccti_timer") of_service_level(&CaCongestionEntry::ccti_timer);
    else if (name == "ccti_increase") of_service_level(&CaCongestionEntry::ccti_increase);
    else if (name == "trigger_threshold") of_service_level(&CaCongestionEntry::trigger_threshold);
    else if (name == "ccti_min") of_service_level(&CaCongestionEntry::ccti_min);
    else return false;
    return true;
  }

  // "SL value"
  template <class T>
  void of_service_level(T CaCongestionEntry::*member) {
    std::string_view value = rest_;
    const std::string_view level = take_word(value);
    if (value.empty()) refuse("needs a service level and a value, as in \"" + std::string(key_) + " 0 1\"");
    s_.ca[number<std::uint8_t>(level, 15)].*member = number<T>(value);
  }

  bool truth(std::string_view text) const {
    if (text == "TRUE") return true;
    if (text != "FALSE") refuse("must be TRUE or FALSE, not " + std::string(text));
    return false;
  }

  // Decimal, or hexadecimal after 0x, or octal after 0.
  template <class T>
  T number(std::string_view text, std::uint64_t most = std::numeric_limits<T>::max()) const {
    const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
    const bool is_octal = !is_hex && text.size() > 1 && text[0] == '0';
    const std::string_view digits = is_hex ? text.substr(2) : text;
    std::uint64_t value = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, is_hex ? 16 : is_octal ? 8 : 10);
    if (digits.empty() || error != std::errc() || end != digits.data() + digits.size() || value > most)
      refuse(fmt::format("must be a whole number from 0 to {}, not {}", most, text));
    return static_cast<T>(value);
  }

  PortMask mask(std::string_view text) const {
    if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
    if (text.empty() || text.size() > 64) refuse("must have 1 to 64 hexadecimal digits");
    PortMask ports;
    for (char c : text) {
      unsigned digit = 0;
      const auto [end, error] = std::from_chars(&c, &c + 1, digit, 16);
      if (error != std::errc()) refuse("must be a hexadecimal number");
      ports = ports << 4 | PortMask(digit);
    }
    return ports;
  }

  CctEntry entry(std::string_view text) const {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos)
      refuse("an entry is shift:multiplier, as in 0:12, not " + std::string(trimmed(text)));
    return {number<std::uint8_t>(trimmed(text.substr(0, colon)), 3),
            number<std::uint16_t>(trimmed(text.substr(colon + 1)), 16383)};
  }

  std::vector<CctEntry> table(std::string_view text) const {
    std::vector<CctEntry> entries;
    if (text == "(null)") return entries;
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t comma = std::min(text.find(',', at), text.size());
      entries.push_back(entry(text.substr(at, comma - at)));
      if (entries.size() > kMostCctEntries) refuse(fmt::format("the table has {} entries at most", kMostCctEntries));
      at = comma + 1;
    }
    return entries;
  }

  OpensmCongestionSettings& s_;
  const std::string& file_;
  std::uint32_t line_ = 0;
  std::string_view key_, rest_;
};

std::string hexadecimal(const PortMask& ports) {
  std::string digits = "0x";
  for (std::size_t nibble = 64; nibble-- > 0;) {
    unsigned value = 0;
    for (std::size_t bit = 4; bit-- > 0;) value = value << 1 | static_cast<unsigned>(ports[4 * nibble + bit]);
    digits += "0123456789ABCDEF"[value];
  }
  return digits;
}

std::string switch_block(const OpensmCongestionSettings& s) {
  return fmt::format(
      "# Switches. The control map says which of these settings are sent. It is the sum of: 1 victim mask,\n"
      "# 2 credit mask, 4 threshold and packet size, 8 credit starvation, 16 marking rate.\n"
      "# To switch congestion control off again, set the threshold to 0x00 (switches then mark nothing). Keep\n"
      "# congestion_control TRUE: with FALSE, devices keep the settings that they have.\n"
      "cc_sw_cong_setting_control_map 0x{:X}\n"
      "cc_sw_cong_setting_victim_mask {}\n"
      "cc_sw_cong_setting_credit_mask {}\n"
      "cc_sw_cong_setting_threshold 0x{:02X}\n"
      "cc_sw_cong_setting_packet_size {}\n"
      "cc_sw_cong_setting_credit_starvation_threshold 0x{:02X}\n"
      "cc_sw_cong_setting_credit_starvation_return_delay {}:{}\n"
      "cc_sw_cong_setting_marking_rate {}\n\n",
      s.switch_control_map, hexadecimal(s.victim_mask), hexadecimal(s.credit_mask), s.threshold, s.packet_size,
      s.credit_starvation_threshold, s.credit_starvation_return_delay.shift,
      s.credit_starvation_return_delay.multiplier, s.marking_rate);
}

std::string adapter_block(const OpensmCongestionSettings& s) {
  std::string text = fmt::format(
      "# Adapters: by queue pair (0x0000) or by service level (0x0001); service levels that take part; for each of "
      "them\n"
      "# the level, then the value.\n"
      "cc_ca_cong_setting_port_control 0x{:04X}\n"
      "cc_ca_cong_setting_control_map 0x{:04X}\n",
      s.ca_port_control, s.ca_control_map);
  for (std::size_t level = 0; level < s.ca.size(); ++level) {
    const CaCongestionEntry& e = s.ca[level];
    if (level > 0 && e == CaCongestionEntry{}) continue;
    text += fmt::format(
        "cc_ca_cong_setting_ccti_timer {0} {1}\ncc_ca_cong_setting_ccti_increase {0} {2}\n"
        "cc_ca_cong_setting_trigger_threshold {0} {3}\ncc_ca_cong_setting_ccti_min {0} {4}\n",
        level, e.ccti_timer, e.ccti_increase, e.trigger_threshold, e.ccti_min);
  }
  text += "\n# Congestion control table: shift:multiplier, from index 0 on.\ncc_cct ";
  for (std::size_t i = 0; i < s.cct.size(); ++i)
    text += fmt::format("{}{}:{}", i == 0 ? "" : ",", s.cct[i].shift, s.cct[i].multiplier);
  return text + (s.cct.empty() ? "(null)\n" : "\n");
}

}  // namespace

OpensmCongestionSettings read_opensm_settings(const std::string& file, std::string_view text) {
  OpensmCongestionSettings settings;
  LineReader reader(settings, file);
  for_each_line(text, [&](std::string_view line, std::uint32_t number) { reader.read(line, number); });
  return settings;
}

OpensmCongestionSettings read_opensm_settings_file(const std::string& path) {
  return read_opensm_settings(path, read_text_file(path));
}

std::string write_opensm_settings(const OpensmCongestionSettings& s) {
  return fmt::format(
             "# Congestion control\n"
             "congestion_control {}\n"
             "cc_key 0x{:016x}\n"
             "cc_max_outstanding_mads {}\n\n",
             s.congestion_control ? "TRUE" : "FALSE", s.cc_key, s.max_outstanding_mads) +
         switch_block(s) + adapter_block(s);
}

std::string replace_opensm_settings(std::string_view text, std::string_view block) {
  constexpr std::string_view kBegin = "# ---- congestion control, written by weir ----";
  constexpr std::string_view kEnd = "# ---- end of congestion control ----";
  const std::string marked = fmt::format("{}\n{}{}\n", kBegin, block, kEnd);
  const bool has_both_marks = text.find(kEnd, std::min(text.find(kBegin), text.size())) != text.npos;
  std::string result;
  bool written = false, inside = false;
  for_each_line(text, [&](std::string_view line, std::uint32_t) {
    std::string_view rest = line.substr(0, line.find('#'));
    const std::string_view key = take_word(rest), whole = trimmed(line);
    const bool is_mark = has_both_marks && (whole == kBegin || whole == kEnd);
    if (is_mark) inside = whole == kBegin;
    // Between the marks, what is not weir's is a line with another key.
    if (!is_mark && !is_congestion_key(key) && (!inside || !key.empty())) {
      result.append(line).push_back('\n');
      return;
    }
    if (!written) result += marked;
    written = true;
  });
  if (!written) result += (result.empty() ? "" : "\n") + marked;
  return result;
}

}  // namespace weir
