// One of several types, chosen when a run begins. Which one it is, is the same all the time: a branch costs less than a
// table of functions.
#pragma once
#include <cstddef>
#include <span>
#include <variant>

namespace weir {

// make_one_of<std::variant<A, B>>(B::kKind, input): B(input), the one whose record this is.
template <class OneOf, std::size_t number = 0, class Kind, class... Input>
OneOf make_one_of(const Kind& kind, const Input&... input) {
  if constexpr (number + 1 < std::variant_size_v<OneOf>)
    if (&kind != &std::variant_alternative_t<number, OneOf>::kKind)
      return make_one_of<OneOf, number + 1>(kind, input...);
  return OneOf(std::in_place_index<number>, input...);
}

// Calls act with the one that it is.
template <std::size_t kind = 0, class OneOf, class Act>
[[gnu::always_inline]] inline auto with(OneOf& own, const Act& act) {
  if constexpr (kind + 1 < std::variant_size_v<OneOf>)
    if (own.index() != kind) return with<kind + 1>(own, act);
  return act(*std::get_if<kind>(&own));
}

template <class OneOf>
struct RecordsOf;
template <class... Types>
struct RecordsOf<std::variant<Types...>> {
  template <class Kind> static constexpr const Kind* kAll[] = {&Types::kKind...};
};
// The records of all types, in their order.
template <class Kind, class OneOf>
std::span<const Kind* const> kinds_of() {
  return RecordsOf<OneOf>::template kAll<Kind>;
}

}  // namespace weir
