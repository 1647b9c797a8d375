// One of several types, chosen when a run begins. Which one it is, is the same all the time: a branch costs less than a
// table of functions.
#pragma once
#include <cstddef>
#include <variant>

namespace weir {

// make_of_kind<std::variant<A, B>>(B::kKind, input): B(input), the one whose record this is.
template <class OneOf, std::size_t number = 0, class Kind, class... Input>
OneOf make_of_kind(const Kind& kind, const Input&... input) {
  if constexpr (number + 1 < std::variant_size_v<OneOf>)
    if (&kind != &std::variant_alternative_t<number, OneOf>::kKind)
      return make_of_kind<OneOf, number + 1>(kind, input...);
  return OneOf(std::in_place_index<number>, input...);
}

// make_one_of<std::variant<A, B>>(1, input): B(input). The last one stands for all higher numbers.
template <class OneOf, std::size_t kind = 0, class... Input>
OneOf make_one_of(std::size_t number, const Input&... input) {
  if constexpr (kind + 1 < std::variant_size_v<OneOf>)
    if (number != kind) return make_one_of<OneOf, kind + 1>(number, input...);
  return OneOf(std::in_place_index<kind>, input...);
}

// Calls act with the one that it is.
template <std::size_t kind = 0, class OneOf, class Act>
[[gnu::always_inline]] inline auto with(OneOf& own, const Act& act) {
  if constexpr (kind + 1 < std::variant_size_v<OneOf>)
    if (own.index() != kind) return with<kind + 1>(own, act);
  return act(*std::get_if<kind>(&own));
}

// Calls act<Type>() for the type of this number.
template <class OneOf, std::size_t kind = 0, class Act>
auto for_one_of(std::size_t number, const Act& act) {
  if constexpr (kind + 1 < std::variant_size_v<OneOf>)
    if (number != kind) return for_one_of<OneOf, kind + 1>(number, act);
  return act.template operator()<std::variant_alternative_t<kind, OneOf>>();
}

}  // namespace weir
