#include "manage/counter_dump.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/text_cursor.h"

namespace weir::manage {

namespace {

class DumpOfCounters {
 public:
  DumpOfCounters(const std::string& file, std::string_view text) : file_(file), text_(text) {}

  CounterDump read() {
    for_each_line(text_, [&](std::string_view line, std::uint32_t number) {
      line_ = number;
      read_line(line);
    });
    if (dump_.empty())
      refuse(0, "has no counters, as `perfquery` or `ibqueryerrors` print them: no line says \"# Port extended "
                "counters: Lid ... port ...\" or \"GUID 0x... port ...\"");
    complete_ibqueryerrors();
    return std::move(dump_);
  }

 private:
  [[noreturn]] void refuse(std::uint32_t line, const std::string& what) const {
    throw InputError(SourcePosition{file_, line, 0}, what);
  }

  void read_line(std::string_view line) {
    TextCursor cursor(line);
    cursor.skip_blanks();
    if (line.find("ounters: Lid ") != line.npos) return read_headline(line);
    if (cursor.take("GUID ")) return read_guid(cursor);
    read_frame(cursor);
    if (here_ == nullptr) return;
    if (cursor.take("SymbolErrorCounter:")) here_->symbol_errors = value(cursor, here_->symbol_errors);
    if (!cursor.take("Port")) return;
    if (cursor.take("XmitDiscards:")) here_->discards = value(cursor, here_->discards);
    if (only_errors_) return;
    if (cursor.take("XmitWait:")) here_->wait = value(cursor, here_->wait);
    else if (cursor.take("XmitData:")) here_->data = value(cursor, here_->data);
    else if (cursor.take("RcvData:")) here_->received = value(cursor, here_->received);
  }

  // "# Port extended counters: Lid 2052 port 1 (CapMask: ...)"; 255 stands for the sum of all ports, which tells
  // nothing.
  void read_headline(std::string_view line) {
    TextCursor cursor(line.substr(line.find("Lid ") + 4));
    const auto lid = cursor.take_number<std::uint32_t>();
    cursor.skip_blanks();
    const bool has_port = cursor.take("port ");
    const auto port = cursor.take_number<std::uint32_t>();
    if (!lid || !has_port || !port) refuse(line_, "counters are those of a port: Lid 12 port 3");
    here_ = nullptr;
    if (*port == 0 || *port >= 255) return;
    const bool wide = line.find("extended") != line.npos;
    DumpedCounters& c = dump_[{*lid, 0, *port}];
    here_ = &c;
    only_errors_ = c.line != 0 && c.wide && !wide;  // of the others the wider ones go first
    if (only_errors_) return;
    c.wide = wide;
    c.line = line_;
  }

  std::optional<std::uint64_t> value(TextCursor cursor, std::optional<std::uint64_t>) const {
    while (cursor.take(".")) {
    }
    const auto number = cursor.take_number<std::uint64_t>();
    if (!number) refuse(line_, "the dots after a counter must be followed by its value");
    return number;
  }

  // Headlines of a node, and what ibqueryerrors says at its end, even if no port had an error.
  void read_frame(TextCursor cursor) {
    if (cursor.take("Data Counters for ")) output_ = Output::data;
    else if (cursor.take("Errors for ") || (output_ == Output::none && cursor.take("## Summary:")))
      output_ = Output::errors;
    has_data_ = has_data_ || output_ == Output::data;
    has_errors_ = has_errors_ || output_ == Output::errors;
    const bool names_wait = cursor.rest().find("PortXmitWait") != std::string_view::npos;
    if (cursor.take("## Thresholds:") && output_ == Output::errors && names_wait)
      refuse(line_, "ports that waited for less than a threshold were left out: run ibqueryerrors with "
                    "`--threshold-file /dev/null`");
    if (!cursor.take("## Suppressed:")) return;
    if (output_ == Output::errors && names_wait)
      refuse(line_, "PortXmitWait was suppressed: run ibqueryerrors without -s PortXmitWait");
    output_ = Output::none;
  }

  // "GUID 0x7cfe9003009ce5b0 port 1: [PortXmitWait == 7] [PortXmitData == 12 (48.000B)]"
  void read_guid(TextCursor cursor) {
    cursor.take("0x");
    const auto guid = cursor.take_number<std::uint64_t>(16);
    cursor.skip_blanks();
    const bool has_port = cursor.take("port ");
    here_ = nullptr;
    if (cursor.take("ALL")) return;  // a sum
    const auto port = cursor.take_number<std::uint32_t>();
    if (!guid || !has_port || !port) refuse(line_, "counters are those of a port: GUID 0x2c9 port 3: [...]");
    if (first_guid_line_ == 0) first_guid_line_ = line_;
    if (*port == 0) return;
    DumpedCounters& c = dump_[{0, *guid, *port}];
    c.line = line_;
    c.wide = true;
    read_bracketed(cursor.rest(), "[PortXmitWait == ", c.wait);
    read_bracketed(cursor.rest(), "[PortXmitData == ", c.data);
    read_bracketed(cursor.rest(), "[PortRcvData == ", c.received);
    read_bracketed(cursor.rest(), "[PortXmitDiscards == ", c.discards);
    read_bracketed(cursor.rest(), "[SymbolErrorCounter == ", c.symbol_errors);
  }
  static void read_bracketed(std::string_view text, std::string_view mark, std::optional<std::uint64_t>& counter) {
    if (const std::size_t at = text.find(mark); at != text.npos)
      counter = TextCursor(text.substr(at + mark.size())).take_number<std::uint64_t>();
  }

  // Full links seldom wait themselves, so an output with nothing but errors would hide the roots.
  void complete_ibqueryerrors() {
    if (first_guid_line_ == 0) return;
    if (!has_data_ || !has_errors_)
      refuse(first_guid_line_,
             fmt::format("ibqueryerrors has {} only {} --counters: write the outputs of `ibqueryerrors --counters` and "
                         "`ibqueryerrors` into the file, one after the other",
                         has_errors_ ? "PortXmitData of all ports" : "PortXmitWait", has_errors_ ? "with" : "without"));
    for (auto& [port, counters] : dump_)
      if (port.guid != 0 && !counters.wait) counters.wait = 0;
  }

  enum class Output { none, data, errors };

  const std::string& file_;
  std::string_view text_;
  CounterDump dump_;
  DumpedCounters* here_ = nullptr;
  bool only_errors_ = false;  // what else stands here is known with 64 bits
  std::uint32_t line_ = 0, first_guid_line_ = 0;
  Output output_ = Output::none;  // of ibqueryerrors, in which this line stands
  bool has_data_ = false, has_errors_ = false;
};

}  // namespace

CounterDump parse_counters(const std::string& file, std::string_view text) {
  return DumpOfCounters(file, text).read();
}

}  // namespace weir::manage
