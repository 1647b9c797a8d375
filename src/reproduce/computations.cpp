// The list of computations, and how they read their parameters.
#include "reproduce/computation.h"
#include "reproduce/computations.h"

namespace weir {

std::uint32_t Parameters::number(std::string_view key) { return static_cast<std::uint32_t>(number_of(get(key))); }

std::vector<std::uint32_t> Parameters::numbers(std::string_view key) {
  std::vector<std::uint32_t> list;
  for (const TomlNode& item : get(key).items) list.push_back(static_cast<std::uint32_t>(number_of(item)));
  return list;
}

std::string Parameters::text(std::string_view key) { return text_of(get(key)); }

std::vector<std::string> Parameters::texts(std::string_view key) {
  std::vector<std::string> list;
  for (const TomlNode& item : get(key).items) list.push_back(text_of(item));
  return list;
}

std::vector<Override> Parameters::settings(std::string_view key) {
  const TomlNode* node = reader_.find(key);
  std::vector<Override> all = node == nullptr ? std::vector<Override>{} : read_settings(*node);
  if (in_second()) all.insert(all.end(), second_->settings.begin(), second_->settings.end());
  return all;
}

bool Parameters::reads(std::string_view choice, std::string_view as) const {
  if (!in_second()) return false;
  const auto found = second_->choices.find(choice);
  return found != second_->choices.end() && found->second == as;
}

const std::vector<TomlNode>& Parameters::tables(std::string_view key) {
  const TomlNode& node = get(key);
  if (!node.is_list_of_tables()) throw InputError(node.where, "`" + node.key + "` must be a list of tables");
  return node.items;
}

const Computation* find_computation(std::string_view name) {
  static constexpr Computation kAll[] = {
      {"dcqcn-fluid", dcqcn::fluid},
      {"calibration", ferrer::calibration},
      {"window", ferrer::window},
      {"roots", mizero::roots},
      {"contention", zdornov::contention},
      {"link-contention", zdornov::link_contention},
      {"port-overhead", zdornov::overhead},
      {"phase-runs", zdornov::phase_runs},
      {"phase-rates", zdornov::phase_rates},
      {"independent", zdornov::independent},
      {"applications", zdornov::applications},
      {"dffa", zdornov::dffa},
      {"dafa", zdornov::dafa},
      {"saa-m", zdornov::saa_m_packets},
      {"realisation", zdornov::realisation},
      {"fabrics", zdornov::fabrics},
      {"bounds", zdornov::bounds},
      {"bound-search", zdornov::bound_search},
      {"two-applications", zdornov::two_applications},
  };
  for (const Computation& computation : kAll)
    if (computation.name == name) return &computation;
  return nullptr;
}

}  // namespace weir
