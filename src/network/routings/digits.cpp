// Destination-digit routing: computed routes for the networks whose structure is known. Trees go up through the port
// numbered by the destination's digit of that level, which keeps descending packets of any permutation apart;
// unidirectional MINs sort by digits from the top; bidirectional MINs turn at the first stage from which the
// destination can be reached.
#include <bit>
#include <utility>

#include "base/error.h"
#include "network/digits.h"
#include "network/routings/routing_kind.h"
#include "network/routings/routings.h"

namespace weir {

namespace {

std::vector<std::uint32_t> packed_addresses(const Topology& t) {
  std::vector<std::uint32_t> addresses(t.hosts());
  for (std::uint32_t h = 0; h < addresses.size(); ++h) addresses[h] = packed(h, t.arity());
  return addresses;
}

DigitRule tree_rule(const Topology& t, NodeId node) {
  const std::uint32_t k = t.arity();
  const std::uint32_t bits = bits_per_digit(k);
  const auto level = static_cast<std::uint32_t>(t.level(node));
  const bool is_root = level + 1 == t.stages();
  DigitRule rule;
  rule.coordinate = packed(t.position(node), k) << bits;
  rule.must_match = bit_range(bits * (level + 1), bits * t.stages());
  rule.down_base = t.first_port(node).index;
  rule.up_base = rule.down_base + k;
  rule.up_count = static_cast<std::uint16_t>(is_root ? 0 : k);
  rule.down_shift = rule.up_shift = static_cast<std::uint8_t>(bits * level);
  rule.digit_mask = (1u << bits) - 1;
  return rule;
}

DigitRule umin_rule(const Topology& t, NodeId node) {
  const std::uint32_t bits = bits_per_digit(t.arity());
  DigitRule rule;
  rule.down_base = rule.up_base = t.first_port(node).index;
  rule.down_shift = static_cast<std::uint8_t>(bits * (t.stages() - 1 - static_cast<std::uint32_t>(t.level(node))));
  rule.digit_mask = (1u << bits) - 1;
  return rule;
}

DigitRule bmin_rule(const Topology& t, NodeId node) {
  const std::uint32_t k = t.arity();
  const std::uint32_t bits = bits_per_digit(k);
  const auto lines = static_cast<std::uint32_t>(t.hosts());
  const std::uint32_t length = std::has_single_bit(k) ? bits_per_digit(lines) : bits * t.stages();
  const auto stage = static_cast<std::uint32_t>(t.level(node));
  std::uint32_t line = t.position(node) * k;
  std::uint32_t replaced = 0;
  for (std::uint32_t s = stage; s > 0; --s) line = unshuffled(line, k, lines);
  const auto window = [&](std::uint32_t s) { return s == 0 ? 0 : length - bits * s; };
  for (std::uint32_t s = 0; s <= stage; ++s) replaced |= bit_range(window(s), window(s) + bits);
  DigitRule rule;
  rule.coordinate = packed(line, k);
  rule.must_match = bit_range(0, length) & ~replaced;
  rule.down_base = t.first_port(node).index;
  rule.up_base = rule.down_base + k;
  rule.up_count = static_cast<std::uint16_t>(stage + 1 == t.stages() ? 0 : k);
  rule.down_shift = rule.up_shift = static_cast<std::uint8_t>(window(stage));
  rule.digit_mask = (1u << bits) - 1;
  return rule;
}

// Every digit drawn independently of the destination's own, but fixed for ever: paths stay deterministic, and
// destinations that differ in one digit only do not share their way up.
std::vector<std::uint32_t> hashed_addresses(const Topology& t) {
  std::vector<std::uint32_t> addresses(t.hosts());
  for (std::uint32_t h = 0; h < addresses.size(); ++h) {
    std::uint64_t z = (h + 1) * 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    z ^= z >> 31;
    addresses[h] = packed(static_cast<std::uint32_t>(z % t.hosts()), t.arity());
  }
  return addresses;
}

bool has_digits(const Topology& topology) { return topology.has_levels() && topology.arity() > 0; }

}  // namespace

RouteTable digit_routes(const Topology& topology, UpDigits up) {
  if (!has_digits(topology))
    throw InputError(
        "routing `digits` is for trees and multistage networks; on this topology use `shortest-paths`, `min-hop` or "
        "`up-down`");
  if (up != UpDigits::destination && topology.shape() != Shape::bidirectional_min)
    throw InputError(
        "routing `digits` can choose the path up by source or hash only in a `bmin`; use up = \"destination\" here");
  std::vector<DigitRule> rules;
  rules.reserve(topology.switches());
  for (std::uint32_t s = 0; s < topology.switches(); ++s) {
    const NodeId node = topology.node(SwitchId{s});
    switch (topology.shape()) {
      case Shape::tree: rules.push_back(tree_rule(topology, node)); break;
      case Shape::unidirectional_min: rules.push_back(umin_rule(topology, node)); break;
      default: rules.push_back(bmin_rule(topology, node)); break;
    }
  }
  std::vector<std::uint32_t> addresses = packed_addresses(topology);
  std::vector<std::uint32_t> up_addresses = up == UpDigits::hash ? hashed_addresses(topology) : addresses;
  return RouteTable::by_digits("digits", std::move(rules), std::move(addresses), std::move(up_addresses),
                               up == UpDigits::source);
}

namespace {

constexpr std::string_view kUpChoices[] = {"destination", "source", "hash"};
constexpr ParamSpec kDigitsParams[] = {
    {.name = "up",
     .type = ParamType::choice,
     .fallback = "\"destination\"",
     .help = "which digits choose the path up in a bmin: those of the source, those of the destination, or a hash "
             "(elsewhere always those of the destination)",
     .choices = kUpChoices},
};

}  // namespace

extern const RoutingKind digit_routing{
    {"digits", "destination-digit routing for trees and multistage networks, without tables", kDigitsParams,
     "[routing]\nkind = \"digits\"\n"},
    [](const RoutingRequest& r) { return digit_routes(r.topology, r.section.choice<UpDigits>("up")); },
    [](const Topology& topology, bool) {
      return has_digits(topology) ? std::optional(digit_routes(topology)) : std::nullopt;
    }};

}  // namespace weir
