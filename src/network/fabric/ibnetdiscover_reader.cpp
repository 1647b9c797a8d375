// Reads what `ibnetdiscover` prints. Dumps come from logs and tickets: blanks may be gone, prompts and headlines stand
// between the lines, nodes may be missing, LIDs may be 0 or 65535. Lines that begin like a node or a port must make
// sense; all others that are neither are passed over.
#include <algorithm>
#include <cctype>

#include "base/text_cursor.h"
#include "network/fabric/fabric_builder.h"

namespace weir {

namespace {

constexpr std::uint32_t kMostPortsOfNode = 65535;

// How a line names a node, "S-0002c903007b78b0".
struct NodeReference {
  FabricNode::Kind kind;
  std::uint64_t guid;
  std::string key;
};

// What stands behind the #: a description in quotes, LIDs before and after it, and a speed.
struct Comment {
  std::string description;
  bool has_description = false;
  std::uint32_t lid_before = 0, lid_after = 0;
  std::optional<LinkSpeed> speed;
  std::string unknown_speed;
};

std::uint32_t find_lid(std::string_view text) {
  TextCursor cursor(text);
  while (!cursor.at_end()) {
    if (cursor.take_word() != "lid") continue;
    cursor.skip_blanks();
    return cursor.take_number<std::uint32_t>().value_or(0);
  }
  return 0;
}

bool looks_like_speed(std::string_view word) {
  std::size_t digits = 0;
  while (digits < word.size() && std::isdigit(static_cast<unsigned char>(word[digits]))) ++digits;
  return digits > 0 && digits <= 2 && digits + 1 < word.size() && (word[digits] == 'x' || word[digits] == 'X') &&
         !(word[0] == '0' && digits == 1);
}

Comment parse_comment(std::string_view text) {
  Comment comment;
  const std::size_t open = text.find('"');
  const std::size_t close = text.rfind('"');
  std::string_view tail = text;
  if (open != std::string_view::npos && close > open) {
    comment.has_description = true;
    comment.description = clean_description(text.substr(open + 1, close - open - 1));
    comment.lid_before = find_lid(text.substr(0, open));
    tail = text.substr(close + 1);
  }
  comment.lid_after = find_lid(tail);
  TextCursor words(tail);
  while (!words.at_end()) {
    const std::string_view word = words.take_word();
    if (!looks_like_speed(word)) continue;
    comment.speed = parse_link_speed(word);
    comment.unknown_speed = comment.speed ? "" : std::string(word);
  }
  return comment;
}

class DumpReader {
 public:
  DumpReader(const std::string& file, std::string_view text) : builder_(file, true), text_(text) {}

  Fabric read() {
    for_each_line(text_, [&](std::string_view line, std::uint32_t number) { read_line(line, number); });
    if (!has_nodes_) builder_.refuse(0, "has no line of a switch or an adapter, as `ibnetdiscover` prints them");
    return builder_.finish();
  }

 private:
  void read_line(std::string_view line, std::uint32_t number) {
    line_ = number;
    TextCursor cursor(line);
    cursor.skip_blanks();
    if (cursor.rest().starts_with('[')) return read_port(cursor);
    if (read_attribute(cursor)) return;
    for (const std::string_view word : {"Switch", "Ca", "Rt"}) {
      TextCursor after = cursor;
      if (!after.take(word)) continue;
      after.skip_blanks();
      if (!after.at_end() && std::isdigit(static_cast<unsigned char>(after.rest().front()))) read_node(after);
      return;
    }
  }

  bool read_attribute(TextCursor cursor) {
    std::uint32_t* value = cursor.take("vendid=") ? &vendor_ : cursor.take("devid=") ? &device_ : nullptr;
    if (value == nullptr) return false;
    if (!cursor.take("0x")) cursor.take("0X");
    *value = cursor.take_number<std::uint32_t>(16).value_or(0);
    return true;
  }

  // With its quotes.
  NodeReference take_node(TextCursor& cursor) {
    constexpr std::string_view kWhatIsRight = "a node is written as in \"S-0002c903007b78b0\": S, H or R and a GUID";
    if (!cursor.take("\"")) builder_.refuse(line_, std::string(kWhatIsRight));
    NodeReference id{};
    if (cursor.take("S-")) id.kind = FabricNode::Kind::fabric_switch;
    else if (cursor.take("H-")) id.kind = FabricNode::Kind::adapter;
    else if (cursor.take("R-")) id.kind = FabricNode::Kind::router;
    else builder_.refuse(line_, std::string(kWhatIsRight));
    const auto guid = cursor.take_number<std::uint64_t>(16);
    if (!guid || *guid == 0 || !cursor.take("\"")) builder_.refuse(line_, std::string(kWhatIsRight));
    id.guid = *guid;
    id.key = std::to_string(*guid);
    return id;
  }

  std::uint32_t node_of(const NodeReference& id) {
    const std::uint32_t number = builder_.node(id.key, line_);
    FabricNode& node = builder_[number];
    if (node.guid != 0 && node.kind != id.kind)
      builder_.refuse(line_, "the node with this GUID is of another kind in line " + std::to_string(node.where.line));
    node.guid = id.guid;
    node.kind = id.kind;
    return number;
  }

  void name(FabricNode& node, const Comment& comment) {
    if (!comment.has_description) return;
    node.name = comment.description;
    std::string lower = comment.description;
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
    node.is_aggregation = node.kind == FabricNode::Kind::adapter && lower.find("aggregation node") != std::string::npos;
  }

  Comment take_comment(TextCursor& cursor) {
    cursor.skip_blanks();
    if (cursor.at_end()) return {};
    if (!cursor.take("#")) builder_.refuse(line_, "expected # and a description, not " + std::string(cursor.rest()));
    return parse_comment(cursor.rest());
  }

  void read_node(TextCursor cursor) {
    const auto ports = cursor.take_number<std::uint32_t>();
    if (!ports || *ports == 0 || *ports > kMostPortsOfNode)
      builder_.refuse(line_, "a node has 1 to " + std::to_string(kMostPortsOfNode) + " ports");
    cursor.skip_blanks();
    here_ = node_of(take_node(cursor));
    const Comment comment = take_comment(cursor);
    if (builder_.is_described(here_))
      builder_.remark(line_, "the node of line " + std::to_string(builder_[here_].where.line) + " is described again");
    builder_.describe(here_, line_);
    FabricNode& node = builder_[here_];
    node.ports = *ports;
    name(node, comment);
    if (comment.lid_after != 0) node.lid = comment.lid_after;
    node.vendor = vendor_;
    node.device = device_;
    vendor_ = device_ = 0;
    has_nodes_ = true;
  }

  // "[3]", with "[ext 7]" behind it on modules of a chassis and "(guid)" on adapters.
  FabricEnd take_port(TextCursor& cursor) {
    FabricEnd end;
    std::optional<std::uint32_t> port;
    if (cursor.take("[")) port = cursor.take_number<std::uint32_t>();
    if (!port || *port > kMostPortsOfNode || !cursor.take("]"))
      builder_.refuse(line_, "a port is a number in brackets, as in [3]");
    end.port = *port;
    TextCursor ext = cursor;
    ext.skip_blanks();
    if (ext.take("[ext")) {
      ext.skip_blanks();
      if (!ext.take_number<std::uint32_t>() || !ext.take("]"))
        builder_.refuse(line_, "an external port is written as in [ext 7]");
      cursor = ext;
    }
    TextCursor guid = cursor;
    guid.skip_blanks();
    if (guid.take("(")) {
      if (!guid.take("0x")) guid.take("0X");
      const auto number = guid.take_number<std::uint64_t>(16);
      if (!number || !guid.take(")")) builder_.refuse(line_, "a port's GUID is a hexadecimal number in parentheses");
      end.guid = *number;
      cursor = guid;
    }
    return end;
  }

  void read_port(TextCursor cursor) {
    if (!has_nodes_) builder_.refuse(line_, "this port stands before the first node");
    FabricEnd here = take_port(cursor);
    here.node = here_;
    cursor.skip_blanks();
    const NodeReference id = take_node(cursor);
    FabricEnd there = take_port(cursor);
    const Comment comment = take_comment(cursor);
    there.node = node_of(id);
    FabricNode& peer = builder_[there.node];
    if (!builder_.is_described(there.node)) name(peer, comment);
    here.lid = builder_[here_].kind == FabricNode::Kind::fabric_switch ? 0 : comment.lid_before;
    if (peer.kind != FabricNode::Kind::fabric_switch) there.lid = comment.lid_after;
    else if (peer.lid == 0) peer.lid = comment.lid_after;
    if (!comment.unknown_speed.empty()) builder_.remark(line_, "unknown link speed " + comment.unknown_speed);
    builder_.claim(here, there, comment.speed, line_);
  }

  FabricBuilder builder_;
  std::string_view text_;
  std::uint32_t line_ = 0;
  std::uint32_t here_ = 0;
  std::uint32_t vendor_ = 0, device_ = 0;
  bool has_nodes_ = false;
};

}  // namespace

Fabric parse_ibnetdiscover(const std::string& file, std::string_view text) { return DumpReader(file, text).read(); }

}  // namespace weir
