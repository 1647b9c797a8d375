// Reads the topology files of ibdm, as people write them by hand or for other simulators: a line per system with its
// type and name, then a line per cabled port; or a table of cables with six columns. A director becomes its chips:
// "SW4/leaf1" with the front panel's ports as its first ones, and "SW4/spine2/U3". ibdm files name no GUIDs, and speeds
// only where an arrow carries one ("P1 -4x-5G-> ...").
#include <array>
#include <map>
#include <optional>
#include <set>

#include "base/text_cursor.h"
#include "network/fabric/fabric_builder.h"
#include "network/fabric/ibdm_systems.h"

namespace weir {

namespace {

std::vector<std::string_view> words_of(std::string_view line) {
  TextCursor cursor(line.substr(0, line.find('#')));
  std::vector<std::string_view> words;
  for (std::string_view word = cursor.take_word(); !word.empty(); word = cursor.take_word()) words.push_back(word);
  return words;
}

struct System {
  const IbdmSystem* type = nullptr;
  std::set<std::string, std::less<>> removed;  // boards that are not there: "leaf3", "spine1"
  std::uint32_t line = 0;                      // where it is declared, or else mentioned first
  bool is_declared = false;
};

class IbdmReader {
 public:
  IbdmReader(const std::string& file, std::string_view text) : builder_(file, false), text_(text) {}

  // Systems first, so that the boards of a director are known before cables lead to them.
  Fabric read() {
    for_each_line(text_, [&](std::string_view line, std::uint32_t number) { find_systems(words_of(line), number); });
    if (systems_.empty()) builder_.refuse(0, "names no system; ibdm files have lines such as \"MTS2400 SW1\"");
    for (const std::string& name : order_) wire(name, systems_.find(name)->second);
    for_each_line(text_, [&](std::string_view line, std::uint32_t number) { read_cable(words_of(line), number); });
    return builder_.finish();
  }

 private:
  static bool is_arrow(std::string_view word) { return word.starts_with('-') && word.ends_with("->"); }

  static bool is_cable(const std::vector<std::string_view>& words) {
    return words.size() == 6 && !words[2].starts_with("CFG:");
  }

  struct PortLine {
    std::string_view here_port, type, name, port, arrow;
  };
  static std::optional<PortLine> as_port_line(const std::vector<std::string_view>& words) {
    if (words.size() < 2 || (!is_arrow(words[1]) && words[1] != "->")) return std::nullopt;
    if (words.size() != 5) return PortLine{words[0], {}, {}, {}, words[1]};
    return PortLine{words[0], words[2], words[3], words[4], words[1]};
  }

  // A file of another kind is refused at its first line.
  [[noreturn]] void refuse_line(std::uint32_t line) {
    const std::string neither = "neither a system (\"MTS2400 SW1\"), nor a port of one (\"P1 -> MTS2400 SW2 P13\"), "
                                "nor a cable with six columns";
    builder_.refuse(line, systems_.empty() ? "the format of this file is not recognised (tried as ibdm: this line is " +
                                                 neither + ")"
                                           : neither);
  }

  void find_systems(const std::vector<std::string_view>& words, std::uint32_t line) {
    if (words.empty()) return;
    if (const auto port = as_port_line(words)) {
      if (port->type.empty())
        builder_.refuse(line, "a cable is written as in \"P1 -> MTS2400 SW2 P13\": port, arrow, type, name, port");
      if (owner_.empty()) builder_.refuse(line, "this port stands before the first system");
      system(port->type, port->name, line);
      return;
    }
    if (is_cable(words)) {
      system(words[0], words[1], line);
      system(words[3], words[4], line);
      return;
    }
    const bool has_config = words.size() > 2 && words[2].starts_with("CFG:");
    if (words.size() != 2 && !has_config)
      refuse_line(line);
    System& declared = system(words[0], words[1], line);
    if (declared.is_declared)
      builder_.refuse(line,
                      std::string(words[1]) + " is declared twice, first in line " + std::to_string(declared.line));
    declared.is_declared = true;
    declared.line = line;
    owner_ = words[1];
    if (has_config) read_config(declared, words, line);
  }

  System& system(std::string_view type, std::string_view name, std::uint32_t line) {
    const IbdmSystem* known = find_ibdm_system(type);
    if (known == nullptr)
      builder_.refuse(line, "unknown type of system " + std::string(type) + "; known are " + known_ibdm_types());
    const auto [place, is_new] = systems_.try_emplace(std::string(name));
    System& s = place->second;
    if (is_new) {
      s = {known, {}, line, false};
      order_.emplace_back(name);
    } else if (s.type != known) {
      builder_.refuse(line, std::string(name) + " is a " + std::string(type) + " here and a " +
                                std::string(s.type->type) + " in line " + std::to_string(s.line));
    }
    return s;
  }

  // CFG: leaf3=R,spine1=R takes boards away.
  void read_config(System& s, const std::vector<std::string_view>& words, std::uint32_t line) {
    std::string text;
    for (std::size_t i = 2; i < words.size(); ++i) text += words[i];
    std::string_view rest = std::string_view(text).substr(4);
    if (!rest.empty() && s.type->kind != IbdmSystem::Kind::director)
      builder_.refuse(line, std::string(s.type->type) + " has no boards that a CFG: could change");
    while (!rest.empty()) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      const std::string_view item = rest.substr(0, comma);
      rest.remove_prefix(std::min(comma + 1, rest.size()));
      if (!item.ends_with("=R") || !is_board(*s.type, item.substr(0, item.size() - 2)))
        builder_.refuse(line, "CFG: takes boards away, as in leaf3=R (there are leaf1 to leaf" +
                                  std::to_string(s.type->leaves) + " and spine1 to spine" +
                                  std::to_string(s.type->spine_boards) + "), not " + std::string(item));
      s.removed.emplace(item.substr(0, item.size() - 2));
    }
  }

  static bool is_board(const IbdmSystem& type, std::string_view name) {
    TextCursor cursor(name);
    const bool leaf = cursor.take("leaf");
    if (!leaf && !cursor.take("spine")) return false;
    const auto number = cursor.take_number<std::uint32_t>();
    return number && *number >= 1 && *number <= (leaf ? type.leaves : type.spine_boards) && cursor.at_end();
  }

  std::uint32_t add_node(const std::string& name, FabricNode::Kind kind, std::uint32_t ports, std::uint32_t line) {
    const std::uint32_t number = builder_.node(name, line);
    if (builder_.is_described(number)) builder_.refuse(line, "there is already a node named " + name);
    builder_.describe(number, line);
    FabricNode& node = builder_[number];
    node.name = name;
    node.kind = kind;
    node.ports = ports;
    return number;
  }

  // Makes the nodes of a system, and the cables inside a director.
  void wire(const std::string& name, const System& s) {
    const IbdmSystem& type = *s.type;
    if (type.kind != IbdmSystem::Kind::director) {
      const bool host = type.kind == IbdmSystem::Kind::adapter;
      add_node(name, host ? FabricNode::Kind::adapter : FabricNode::Kind::fabric_switch, type.ports, s.line);
      return;
    }
    std::vector<std::uint32_t> leaves;
    for (std::uint32_t i = 1; i <= type.leaves; ++i) {
      const std::string board = "leaf" + std::to_string(i);
      if (s.removed.contains(board)) continue;
      leaves.push_back(add_node(name + "/" + board, FabricNode::Kind::fabric_switch, type.ports, s.line));
    }
    std::uint32_t chip = 0;
    for (std::uint32_t b = 1; b <= type.spine_boards; ++b) {
      for (std::uint32_t u = 1; u <= type.chips_per_board; ++u, ++chip) {
        const std::string board = "spine" + std::to_string(b);
        if (s.removed.contains(board)) continue;
        const std::string chip_name = type.chips_per_board > 1 ? board + "/U" + std::to_string(u) : board;
        const std::uint32_t spine =
            add_node(name + "/" + chip_name, FabricNode::Kind::fabric_switch, type.ports, s.line);
        wire_spine(type, spine, chip, leaves, s);
      }
    }
  }

  void wire_spine(const IbdmSystem& type, std::uint32_t spine, std::uint32_t chip,
                  const std::vector<std::uint32_t>& leaves, const System& s) {
    std::uint32_t next = 1;
    for (std::uint32_t leaf : leaves) {
      for (std::uint32_t i = 0; i < type.links_per_spine_chip(); ++i, ++next) {
        const std::uint32_t port = type.front_ports() + chip * type.links_per_spine_chip() + i + 1;
        builder_.claim({leaf, port, 0, 0}, {spine, next, 0, 0}, std::nullopt, s.line);
      }
    }
  }

  // "P13" of an adapter or a chip, "L1/P7" of a director.
  FabricEnd end(std::string_view name, std::string_view port, std::uint32_t line) {
    const System& s = systems_.find(name)->second;
    const bool is_director = s.type->kind == IbdmSystem::Kind::director;
    TextCursor cursor(port);
    std::string node(name);
    if (is_director) {
      const auto leaf = cursor.take("L") ? cursor.take_number<std::uint32_t>() : std::nullopt;
      const std::string board = "leaf" + std::to_string(leaf.value_or(0));
      if (!leaf || !is_board(*s.type, board) || !cursor.take("/"))
        builder_.refuse(line, "a port of " + node + " is written as in L1/P7, not " + std::string(port));
      if (s.removed.contains(board)) builder_.refuse(line, node + " has no " + board + " (CFG: takes it away)");
      node += "/" + board;
    }
    cursor.take("P");
    const auto number = cursor.take_number<std::uint32_t>();
    if (!number || !cursor.at_end())
      builder_.refuse(line, "a port of " + node + " is written as in P7, not " + std::string(port));
    const std::uint32_t most = is_director ? s.type->front_ports() : s.type->ports;
    if (*number == 0 || *number > most)
      builder_.refuse(line, node + " has ports P1 to P" + std::to_string(most) + ", not " + std::string(port));
    return {builder_.node(node, line), *number, 0, 0};
  }

  // "-4x-5G->": lanes and gigabits per lane before the line code.
  std::optional<LinkSpeed> speed_of(std::string_view arrow, std::uint32_t line) const {
    if (arrow == "->") return std::nullopt;
    constexpr std::array<std::pair<std::string_view, LaneSpeed>, 9> kSpeeds{{{"2.5G", LaneSpeed::sdr},
                                                                             {"5G", LaneSpeed::ddr},
                                                                             {"10G", LaneSpeed::qdr},
                                                                             {"FDR10", LaneSpeed::fdr10},
                                                                             {"14G", LaneSpeed::fdr},
                                                                             {"25G", LaneSpeed::edr},
                                                                             {"50G", LaneSpeed::hdr},
                                                                             {"100G", LaneSpeed::ndr},
                                                                             {"200G", LaneSpeed::xdr}}};
    TextCursor cursor(arrow.substr(1));
    const auto lanes = cursor.take_number<unsigned>();
    if (lanes && cursor.take("x-")) {
      for (const auto& [text, lane] : kSpeeds) {
        if (cursor.rest() != std::string(text) + "->") continue;
        if (const auto speed = parse_link_speed(std::to_string(*lanes) + "x" + std::string(lane_name(lane))))
          return speed;
      }
    }
    builder_.refuse(line, "an arrow is -> or carries a speed as in -4x-5G->, not " + std::string(arrow));
  }

  void read_cable(const std::vector<std::string_view>& words, std::uint32_t line) {
    if (words.empty()) return;
    if (const auto port = as_port_line(words)) {
      const FabricEnd here = end(owner_, port->here_port, line);
      builder_.claim(here, end(port->name, port->port, line), speed_of(port->arrow, line), line);
    } else if (is_cable(words)) {
      const FabricEnd here = end(words[1], words[2], line);
      builder_.claim(here, end(words[4], words[5], line), std::nullopt, line);
    } else {
      owner_ = words[1];
    }
  }

  FabricBuilder builder_;
  std::string_view text_;
  std::map<std::string, System, std::less<>> systems_;
  std::vector<std::string> order_;
  std::string owner_;
};

}  // namespace

Fabric parse_ibdm(const std::string& file, std::string_view text) { return IbdmReader(file, text).read(); }

}  // namespace weir
