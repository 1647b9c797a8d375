// Reads decimals digit by digit and scales them by the unit in 128-bit integers; no double is involved on the way.
#include "scenario/quantity.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "base/error.h"
#include "scenario/suggest.h"

namespace weir {
namespace {

enum class Family { time, bytes, rate, length, percent };

struct Unit {
  std::string_view name;
  Family family;
  std::uint64_t factor;  // in ps, bytes, bit/s, tenths of a millimetre
};

constexpr std::uint64_t kKilo = 1'000, kMega = 1'000'000, kGiga = 1'000'000'000, kTera = 1'000'000'000'000;
constexpr std::uint64_t kMetre = 10'000;
constexpr std::uint64_t kKibi = 1ull << 10, kMebi = 1ull << 20, kGibi = 1ull << 30, kTebi = 1ull << 40;

constexpr Unit kUnits[] = {
    {"ps", Family::time, 1},
    {"ns", Family::time, kKilo},
    {"us", Family::time, kMega},
    {"\xc2\xb5s", Family::time, kMega},
    {"\xce\xbcs", Family::time, kMega},
    {"ms", Family::time, kGiga},
    {"s", Family::time, kTera},
    {"min", Family::time, 60 * kTera},
    {"B", Family::bytes, 1},
    {"kB", Family::bytes, kKilo},
    {"MB", Family::bytes, kMega},
    {"GB", Family::bytes, kGiga},
    {"TB", Family::bytes, kTera},
    {"KiB", Family::bytes, kKibi},
    {"MiB", Family::bytes, kMebi},
    {"GiB", Family::bytes, kGibi},
    {"TiB", Family::bytes, kTebi},
    {"bps", Family::rate, 1},
    {"kbps", Family::rate, kKilo},
    {"Mbps", Family::rate, kMega},
    {"Gbps", Family::rate, kGiga},
    {"Tbps", Family::rate, kTera},
    {"b/s", Family::rate, 1},
    {"kb/s", Family::rate, kKilo},
    {"Mb/s", Family::rate, kMega},
    {"Gb/s", Family::rate, kGiga},
    {"Tb/s", Family::rate, kTera},
    {"bit/s", Family::rate, 1},
    {"kbit/s", Family::rate, kKilo},
    {"Mbit/s", Family::rate, kMega},
    {"Gbit/s", Family::rate, kGiga},
    {"Tbit/s", Family::rate, kTera},
    {"B/s", Family::rate, 8},
    {"kB/s", Family::rate, 8 * kKilo},
    {"MB/s", Family::rate, 8 * kMega},
    {"GB/s", Family::rate, 8 * kGiga},
    {"TB/s", Family::rate, 8 * kTera},
    {"KiB/s", Family::rate, 8 * kKibi},
    {"MiB/s", Family::rate, 8 * kMebi},
    {"GiB/s", Family::rate, 8 * kGibi},
    {"TiB/s", Family::rate, 8 * kTebi},
    {"mm", Family::length, kMetre / 1000},
    {"cm", Family::length, kMetre / 100},
    {"m", Family::length, kMetre},
    {"km", Family::length, 1000 * kMetre},
    {"ft", Family::length, 3048},
    {"%", Family::percent, 1},
};

struct FamilyText {
  std::string_view article;  // "a time"
  std::string_view example;
  std::string_view smallest;
  std::string_view units;
};

constexpr FamilyText text_of(Family family) {
  switch (family) {
    case Family::time:
      return {"a time", "15ns", "1 ps, the smallest step of time", "ps, ns, us, ms, s, min"};
    case Family::bytes:
      return {"a number of bytes", "2kB", "1 byte", "B, kB, MB, GB, TB, KiB, MiB, GiB, TiB"};
    case Family::rate:
      return {"a rate", "8Gbps", "1 bit/s", "bps, kbps, Mbps, Gbps, Tbps, B/s, kB/s, MB/s, GB/s"};
    case Family::length:
      return {"a length", "40m", "0.1 mm", "mm, cm, m, km, ft"};
    case Family::percent:
      break;
  }
  return {"a fraction", "66%", "", "%"};
}

[[noreturn]] void refuse(Family wanted, std::string_view text, std::string_view problem, std::string_view hint = "") {
  const FamilyText family = text_of(wanted);
  throw InputError(fmt::format("`{}` {}; {} such as \"{}\" is needed{}", text, problem, family.article, family.example,
                               hint));
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A decimal number at the start of a text. Up to 19 significant digits: every 64-bit integer has room.
struct Number {
  bool negative = false;
  std::uint64_t digits = 0;
  int exponent = 0;
  std::string_view rest;  // the unit, without the space before it
};

class NumberReader {
 public:
  explicit NumberReader(std::string_view text) : text_(text) {}

  // Nothing where the text does not begin with a number, or has more digits than can be kept.
  std::optional<Number> read() {
    if (at_ < text_.size() && (text_[at_] == '-' || text_[at_] == '+')) number_.negative = text_[at_++] == '-';
    read_digits(0);
    if (at_ < text_.size() && text_[at_] == '.') {
      ++at_;
      read_digits(1);
    }
    if (!any_digit_ || overflow_) return std::nullopt;
    number_.exponent += zeros_;
    read_exponent();
    if (number_.digits == 0) number_.exponent = 0;
    number_.rest = trimmed(text_.substr(at_));
    return number_;
  }

 private:
  // Zeros wait until another digit follows them, so that trailing ones cost no precision.
  void read_digits(int decimals_per_digit) {
    for (; at_ < text_.size() && is_digit(text_[at_]); ++at_) {
      any_digit_ = true;
      number_.exponent -= decimals_per_digit;
      if (text_[at_] == '0') {
        if (zeros_ < kManyZeros)
          ++zeros_;
        else
          overflow_ = true;
        continue;
      }
      for (; zeros_ > 0; --zeros_) push(0);
      push(static_cast<unsigned>(text_[at_] - '0'));
    }
  }
  void push(unsigned digit) {
    if (number_.digits > (std::numeric_limits<std::uint64_t>::max() - digit) / 10)
      overflow_ = true;
    else
      number_.digits = number_.digits * 10 + digit;
  }
  // "e" counts as an exponent only before a digit.
  void read_exponent() {
    std::size_t at = at_;
    if (at >= text_.size() || (text_[at] != 'e' && text_[at] != 'E')) return;
    ++at;
    bool negative = false;
    if (at < text_.size() && (text_[at] == '-' || text_[at] == '+')) negative = text_[at++] == '-';
    if (at >= text_.size() || !is_digit(text_[at])) return;
    int exponent = 0;
    for (; at < text_.size() && is_digit(text_[at]); ++at) {
      if (exponent < kManyZeros) exponent = exponent * 10 + (text_[at] - '0');
    }
    number_.exponent += negative ? -exponent : exponent;
    at_ = at;
  }

  static constexpr int kManyZeros = 100'000;
  std::string_view text_;
  std::size_t at_ = 0;
  int zeros_ = 0;
  bool any_digit_ = false;
  bool overflow_ = false;
  Number number_;
};

const Unit* find_unit(std::string_view name) {
  for (const Unit& unit : kUnits) {
    if (unit.name == name) return &unit;
  }
  return nullptr;
}

[[noreturn]] void refuse_unit(Family wanted, std::string_view text, std::string_view unit) {
  std::vector<std::string_view> names;
  for (const Unit& known : kUnits) {
    if (known.family == wanted) names.push_back(known.name);
  }
  if (wanted == Family::bytes && unit == "KB")  // 1000 to some, 1024 to others
    throw InputError(fmt::format("`{}`: there is no unit `KB`; write kB for 1000 bytes, or KiB for 1024", text));
  for (const char* rest : {"bps", "ps"})  // "100G", "100Gb"
    if (const Unit* meant = find_unit(std::string(unit) + rest); wanted == Family::rate && meant != nullptr)
      throw InputError(fmt::format("`{}`: there is no unit `{}`; did you mean `{}`?", text, unit, meant->name));
  const auto near = nearest(unit, names);
  const FamilyText family = text_of(wanted);
  if (near) throw InputError(fmt::format("`{}`: there is no unit `{}`; did you mean `{}`?", text, unit, *near));
  throw InputError(fmt::format("`{}`: there is no unit `{}`; {} such as \"{}\" is needed (units: {})", text, unit,
                               family.article, family.example, family.units));
}

// A length where a time is needed is that of a cable, whose delay is wanted.
std::string delay_hint(Family wanted, const Number& number, const Unit& unit) {
  if (wanted != Family::time || unit.family != Family::length || number.negative) return "";
  const double tenths = static_cast<double>(number.digits) * static_cast<double>(unit.factor) *
                        std::pow(10.0, number.exponent);
  const double ps = tenths / static_cast<double>(kMetre) * static_cast<double>(kDelayOfMetre.ps);
  if (!(ps < 1e15)) return "";
  return fmt::format("; a cable of this length has a delay of {}", to_text(Time{std::llround(ps)}));
}

// number * factor as an integer, exactly or not at all.
std::int64_t scaled(const Number& number, std::uint64_t factor, Family family, std::string_view text) {
  constexpr auto kLimit = static_cast<unsigned __int128>(std::numeric_limits<std::int64_t>::max());
  unsigned __int128 product = static_cast<unsigned __int128>(number.digits) * factor;
  for (int e = number.exponent; e < 0 && product != 0; ++e) {
    if (product % 10 != 0) {
      throw InputError(fmt::format("`{}` is finer than {}", text, text_of(family).smallest));
    }
    product /= 10;
  }
  const unsigned __int128 limit = kLimit + (number.negative ? 1u : 0u);
  for (int e = 0; e < number.exponent && product <= limit; ++e) product *= 10;
  if (product > limit) throw InputError(fmt::format("`{}` is more than weir can count", text));
  const auto magnitude = static_cast<std::uint64_t>(product);
  return static_cast<std::int64_t>(number.negative ? 0 - magnitude : magnitude);
}

std::int64_t parse_quantity(std::string_view text, Family wanted) {
  const std::string_view whole = trimmed(text);
  const auto number = NumberReader(whole).read();
  if (!number) refuse(wanted, whole, fmt::format("is not {}", text_of(wanted).article));
  if (number->rest.empty()) {
    // Nothing is nothing in every unit; a count of bytes needs none, and a length without one is in metres.
    const bool needs_none = wanted == Family::bytes || wanted == Family::length;
    if (!needs_none && number->digits != 0) refuse(wanted, whole, "has no unit");
    return scaled(*number, wanted == Family::length ? kMetre : 1, wanted, whole);
  }
  const Unit* unit = find_unit(number->rest);
  if (unit == nullptr) refuse_unit(wanted, whole, number->rest);
  if (unit->family != wanted)
    refuse(wanted, whole, fmt::format("is {}", text_of(unit->family).article), delay_hint(wanted, *number, *unit));
  return scaled(*number, unit->factor, wanted, whole);
}

struct Step {
  std::string_view name;
  std::uint64_t factor;
  int decimals;
};

// The largest unit that the value reaches, with all its decimals.
std::string in_units(std::int64_t value, std::span<const Step> steps_from_large) {
  const bool negative = value < 0;
  const std::uint64_t magnitude = negative ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
  const Step* step = &steps_from_large.back();
  for (const Step& candidate : steps_from_large) {
    if (magnitude >= candidate.factor) {
      step = &candidate;
      break;
    }
  }
  std::string text = fmt::format("{}{}", negative ? "-" : "", magnitude / step->factor);
  const std::uint64_t remainder = magnitude % step->factor;
  if (remainder != 0) {
    text += fmt::format(".{:0{}}", remainder, step->decimals);
    while (text.back() == '0') text.pop_back();
  }
  return text += step->name;
}

}  // namespace

Time parse_time(std::string_view text) { return {parse_quantity(text, Family::time)}; }
Bytes parse_bytes(std::string_view text) { return parse_quantity(text, Family::bytes); }
Rate parse_rate(std::string_view text) { return {parse_quantity(text, Family::rate)}; }
double parse_metres(std::string_view text) {
  return static_cast<double>(parse_quantity(text, Family::length)) / static_cast<double>(kMetre);
}

Decimal parse_decimal(std::string_view text) {
  const std::string_view whole = trimmed(text);
  auto number = NumberReader(whole).read();
  if (!number || number->digits > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    throw InputError(fmt::format("`{}` is not a number; one such as 0.66 or \"66%\" is needed", whole));
  }
  if (number->rest == "%") {
    number->exponent -= number->digits == 0 ? 0 : 2;
  } else if (!number->rest.empty()) {
    const Unit* unit = find_unit(number->rest);
    const std::string problem = unit != nullptr ? fmt::format("is {}", text_of(unit->family).article)
                                                : fmt::format("has the unknown unit `{}`", number->rest);
    throw InputError(fmt::format("`{}` {}; a number such as 0.66 or \"66%\" is needed", whole, problem));
  }
  const auto digits = static_cast<std::int64_t>(number->digits);
  return {number->negative ? -digits : digits, number->exponent};
}

double parse_fraction(std::string_view text) {
  const Decimal decimal = parse_decimal(text);
  // Read back from text: the nearest double to the decimal, so that "66%" and 0.66 are the same bits.
  const std::string plain = fmt::format("{}e{}", decimal.digits, decimal.exponent);
  double value = 0;
  const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
  if (error != std::errc() || end != plain.data() + plain.size() || !std::isfinite(value)) {
    throw InputError(fmt::format("`{}` is beyond the range of numbers", trimmed(text)));
  }
  return value;
}

std::string to_text(Decimal decimal) {
  std::string digits = std::to_string(decimal.digits);
  if (decimal.digits == 0) return digits;
  if (decimal.exponent >= 0) {
    return decimal.exponent < 20 ? digits + std::string(static_cast<std::size_t>(decimal.exponent), '0')
                                 : fmt::format("{}e{}", digits, decimal.exponent);
  }
  const std::size_t sign = decimal.digits < 0 ? 1 : 0;
  const auto decimals = static_cast<std::size_t>(-decimal.exponent);
  if (decimals > 40) return fmt::format("{}e{}", digits, decimal.exponent);
  if (digits.size() - sign <= decimals) digits.insert(sign, decimals + 1 - (digits.size() - sign), '0');
  digits.insert(digits.size() - decimals, ".");
  while (digits.back() == '0') digits.pop_back();
  if (digits.back() == '.') digits.pop_back();
  return digits;
}

std::string number_to_text(double number) { return fmt::format("{}", number == 0 ? 0.0 : number); }

std::string to_text(Time time) {
  static constexpr std::array<Step, 5> kSteps{
      {{"s", kTera, 12}, {"ms", kGiga, 9}, {"us", kMega, 6}, {"ns", kKilo, 3}, {"ps", 1, 0}}};
  return time.ps == 0 ? "0s" : in_units(time.ps, kSteps);
}

std::string to_text(Rate rate) {
  static constexpr std::array<Step, 5> kSteps{
      {{"Tbps", kTera, 12}, {"Gbps", kGiga, 9}, {"Mbps", kMega, 6}, {"kbps", kKilo, 3}, {"bps", 1, 0}}};
  return in_units(rate.bits_per_second, kSteps);
}

std::string bytes_to_text(Bytes bytes) {
  static constexpr std::array<Step, 5> kDecimal{
      {{"TB", kTera, 12}, {"GB", kGiga, 9}, {"MB", kMega, 6}, {"kB", kKilo, 3}, {"B", 1, 0}}};
  static constexpr std::array<Step, 4> kBinary{
      {{"TiB", kTebi, 0}, {"GiB", kGibi, 0}, {"MiB", kMebi, 0}, {"KiB", kKibi, 0}}};
  if (bytes % 1000 == 0 && bytes != 0) return in_units(bytes, kDecimal);
  for (const Step& step : kBinary) {
    const auto factor = static_cast<std::int64_t>(step.factor);
    if (bytes != 0 && bytes % factor == 0) return fmt::format("{}{}", bytes / factor, step.name);
  }
  // 1500B reads better than 1.5kB; large odd counts read better with a unit.
  return bytes > -10'000 && bytes < 10'000 ? fmt::format("{}B", bytes) : in_units(bytes, kDecimal);
}

}  // namespace weir
