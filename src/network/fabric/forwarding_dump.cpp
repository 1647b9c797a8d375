#include "network/fabric/forwarding_dump.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text_cursor.h"
#include "network/fabric/identities.h"

namespace weir {

namespace {

constexpr std::uint32_t kMostPortNumber = 255;

bool take_hex_mark(TextCursor& cursor) { return cursor.take("0x") || cursor.take("0X"); }

// The hexadecimal number behind `mark`, if the line has it.
std::optional<std::uint64_t> hex_behind(std::string_view line, std::string_view mark) {
  const std::size_t at = line.find(mark);
  if (at == line.npos) return std::nullopt;
  TextCursor cursor(line.substr(at + mark.size()));
  cursor.skip_blanks();
  take_hex_mark(cursor);
  return cursor.take_number<std::uint64_t>(16);
}

class ForwardingReader {
 public:
  ForwardingReader(const std::string& file, std::string_view text) : text_(text) { dump_.file = file; }

  ForwardingDump read() {
    for_each_line(text_, [&](std::string_view line, std::uint32_t number) { read_line(line, number); });
    if (dump_.switches.empty())
      refuse(0, "has no forwarding table, as `dump_lfts`, `ibroute` or OpenSM's dump print them: no line says "
                "\"Unicast lids ... of switch ... guid 0x...\" or \"Switch 0x...\"");
    for (ForwardingSwitch& s : dump_.switches) put_in_order(s);
    return std::move(dump_);
  }

 private:
  [[noreturn]] void refuse(std::uint32_t line, const std::string& what) const {
    throw InputError(dump_.at(line), what);
  }

  void read_line(std::string_view line, std::uint32_t number) {
    line_ = number;
    if (line.find("lids [") != line.npos && line.find(" of switch ") != line.npos) return read_ibroute_headline(line);
    TextCursor cursor(line);
    cursor.skip_blanks();
    TextCursor entry = cursor;
    if (take_hex_mark(entry)) return read_entry(line, entry);
    if (const std::size_t at = line.find("Switch 0x"); at != line.npos && (at == 0 || line[at - 1] == ' '))
      read_opensm_headline(line.substr(at));
  }

  // "Unicast lids [0x0-0x1a] of switch Lid 3 guid 0x0002c90200400098 (name):", with a directed route in place of the
  // LID where `ibroute -D` has printed it. Tables of multicast look alike.
  void read_ibroute_headline(std::string_view line) {
    here_ = kNowhere;
    multicast_ = line.find("Multicast") != line.npos || line.find("mlids") != line.npos;
    if (multicast_) return;
    const auto guid = hex_behind(line, " guid ");
    if (!guid || *guid == 0) refuse(line_, "the headline of a table names its switch by `guid 0x...`");
    const std::size_t open = line.find('('), close = line.rfind(')');
    std::string name;
    if (open != line.npos && close != line.npos && close > open) name = line.substr(open + 1, close - open - 1);
    begin(*guid, std::move(name));
  }

  void read_opensm_headline(std::string_view line) {
    multicast_ = false;
    const auto guid = hex_behind(line, "Switch ");
    if (!guid || *guid == 0) refuse(line_, "the headline of a table names its switch by its GUID, as in Switch 0x2c9");
    begin(*guid, "");
  }

  void begin(std::uint64_t guid, std::string name) {
    const auto [place, is_new] = numbers_.try_emplace(guid, dump_.switches.size());
    if (is_new) dump_.switches.push_back({guid, std::move(name), line_, {}});
    here_ = place->second;
  }

  // "0x0002 017 : (Channel Adapter portguid 0x0002c903000a1b21: 'node1 mlx4_0')", or with # in place of the colon, or
  // "0x0002 : 017  : 02   : yes", or "0x0002 : UNREACHABLE".
  void read_entry(std::string_view line, TextCursor cursor) {
    if (multicast_) return;
    if (here_ == kNowhere) refuse(line_, "this entry stands before the headline of its switch");
    ForwardingEntry entry;
    entry.line = line_;
    const auto lid = cursor.take_number<std::uint32_t>(16);
    if (!lid || *lid == 0 || *lid > kLastUnicastLid) {
      if (lid && *lid == 0) return;  // ibroute -a prints it, too
      refuse(line_, "an entry begins with a LID from 0x1 to 0xbfff");
    }
    entry.lid = *lid;
    cursor.skip_blanks();
    if (cursor.take(":")) cursor.skip_blanks();
    if (!cursor.take("UNREACHABLE")) {
      const auto port = cursor.take_number<std::uint32_t>();
      if (!port || *port > kMostPortNumber || (!cursor.at_end() && !TextCursor::is_blank(cursor.rest().front())))
        refuse(line_, fmt::format("LID {:#x} must be followed by a port number, as in \"{:#06x} 017\"", *lid, *lid));
      entry.port = *port;
    }
    dump_.switches[here_].entries.push_back(entry);
    note_target(entry.lid, line);
  }

  void note_target(std::uint32_t lid, std::string_view line) {
    const auto guid = hex_behind(line, "portguid ");
    if (!guid || *guid == 0) return;
    ForwardingTarget target{*guid, "", line_};
    const std::size_t open = line.find('\''), close = line.rfind('\'');
    if (open != line.npos && close > open) target.name = line.substr(open + 1, close - open - 1);
    const auto [place, is_new] = dump_.targets.try_emplace(lid, target);
    if (!is_new && place->second.port_guid != *guid)
      refuse(line_, fmt::format("LID {:#x} belongs to port {:#x} here, and to {:#x} in line {}: the dump mixes two "
                                "states of the subnet",
                                lid, *guid, place->second.port_guid, place->second.line));
  }

  void put_in_order(ForwardingSwitch& s) const {
    std::stable_sort(s.entries.begin(), s.entries.end(),
                     [](const ForwardingEntry& x, const ForwardingEntry& y) { return x.lid < y.lid; });
    for (std::size_t i = 1; i < s.entries.size(); ++i)
      if (s.entries[i].lid == s.entries[i - 1].lid && s.entries[i].port != s.entries[i - 1].port)
        refuse(s.entries[i].line, fmt::format("switch {:#x} sends LID {:#x} to port {} here, and to port {} in line {}",
                                              s.guid, s.entries[i].lid, s.entries[i].port, s.entries[i - 1].port,
                                              s.entries[i - 1].line));
    const auto same = [](const ForwardingEntry& x, const ForwardingEntry& y) { return x.lid == y.lid; };
    s.entries.erase(std::unique(s.entries.begin(), s.entries.end(), same), s.entries.end());
  }

  static constexpr std::size_t kNowhere = ~std::size_t{0};
  std::string_view text_;
  ForwardingDump dump_;
  std::map<std::uint64_t, std::size_t> numbers_;
  std::size_t here_ = kNowhere;
  std::uint32_t line_ = 0;
  bool multicast_ = false;
};

}  // namespace

ForwardingDump parse_forwarding(const std::string& file, std::string_view text) {
  return ForwardingReader(file, text).read();
}

}  // namespace weir
