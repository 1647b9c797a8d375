// A list of types that grows with every header that is included: so each of several types that belong together has one
// line in the list, that of its header. The list begins by declaring `TypeList<> name(TypePlace<0>);`, then defines a
// macro that stands for WEIR_JOIN(name, Type), and includes the headers in their order, each of which ends with the
// macro and its type. WEIR_LIST(name) is the list then.
//
// Each header thus declares a function that nobody calls; what it would give back is the list up to there. A header of
// the list cannot be included without the list, since the macro is missing: so the order is the same everywhere.
#pragma once
#include <cstddef>

namespace weir {

template <class... Types>
struct TypeList {
  template <class Type> using With = TypeList<Types..., Type>;
  template <template <class...> class Of> using In = Of<Types...>;
  static constexpr std::size_t size = sizeof...(Types);
};

// A later place is one of all the earlier ones, too: asked for the last of all, the compiler finds the latest.
template <std::size_t n> struct TypePlace : TypePlace<n - 1> {};
template <> struct TypePlace<0> {};
inline constexpr std::size_t kLastTypePlace = 100;

}  // namespace weir

#define WEIR_LIST(list) decltype(list(::weir::TypePlace<::weir::kLastTypePlace>{}))
#define WEIR_JOIN(list, Type) WEIR_LIST(list)::With<Type> list(::weir::TypePlace<WEIR_LIST(list)::size + 1>);
