#include "reproduce/entry.h"

#include <algorithm>

#include "reproduce/embedded.h"
#include "reproduce/paper.h"
#include "scenario/suggest.h"

namespace weir {
namespace {

// "fig-8.9" before "fig-8.10": numbers within a name by their value.
std::string order_of(std::string_view name) {
  std::string key;
  for (std::size_t i = 0; i < name.size();) {
    const std::size_t digits = std::min(name.find_first_not_of("0123456789", i), name.size()) - i;
    if (digits > 0) key.append(8 - std::min<std::size_t>(8, digits), '0');
    key += name.substr(i, std::max<std::size_t>(1, digits));
    i += std::max<std::size_t>(1, digits);
  }
  return key;
}

std::size_t entries_of(const PaperInfo& paper) {
  return static_cast<std::size_t>(std::count_if(entries().begin(), entries().end(), [&](const EntryDefinition& entry) {
    return entry.id.starts_with(paper.id + "/");
  }));
}

// "ferrer/fig-8.4" was the name of ferrer2012/fig-8.4. The former name alone is rather a slip than a wish for all
// entries of the paper.
std::string present_name(const std::string& name) {
  const std::string first = name.substr(0, name.find('/'));
  for (const PaperInfo& paper : papers()) {
    if (paper.formerly.empty() || paper.formerly != first) continue;
    if (name == first)
      throw InputError("there is no paper `" + name + "`; did you mean `" + paper.id + "` (" +
                       std::to_string(entries_of(paper)) + " entries)?");
    return paper.id + name.substr(first.size());
  }
  return name;
}

// "hol" is theory/hol: nobody has to know the paper of a name that is there once.
const EntryDefinition& only_entry_named(const std::string& name) {
  std::vector<const EntryDefinition*> found;
  std::vector<std::string_view> known;
  for (const EntryDefinition& entry : entries()) {
    if (entry.id.ends_with("/" + name)) found.push_back(&entry);
    known.push_back(entry.id);
  }
  if (found.size() == 1) return *found.front();
  std::string which;
  for (const EntryDefinition* entry : found) which += (which.empty() ? "" : ", ") + entry->id;
  if (!found.empty()) throw InputError("several papers have an entry `" + name + "`: " + which);
  for (const PaperInfo& paper : papers()) known.push_back(paper.id);
  const std::string near = nearest(name, known) ? suggestion(name, known, "") : "; `weir reproduce --list` lists all";
  throw InputError("there is nothing to reproduce called `" + name + "`" + near);
}

}  // namespace

const std::vector<EntryDefinition>& entries() {
  static const std::vector<EntryDefinition> all = [] {
    std::vector<EntryDefinition> list;
    for (const PaperInfo& paper : papers()) {
      const std::size_t first = list.size();
      const std::string folder = "reproduce/" + paper.id + "/entries/";
      for (const EmbeddedFile& file : embedded_files())
        if (file.path.starts_with(folder) && file.path.ends_with(".toml") && !file.path.ends_with("/axes.toml"))
          list.push_back(read_entry(file.text, std::string(file.path)));
      std::sort(list.begin() + static_cast<std::ptrdiff_t>(first), list.end(),
                [](const EntryDefinition& a, const EntryDefinition& b) { return order_of(a.id) < order_of(b.id); });
    }
    return list;
  }();
  return all;
}

std::vector<const EntryDefinition*> entries_named(const std::vector<std::string>& names) {
  std::vector<const EntryDefinition*> chosen;
  for (const std::string& given : names.empty() ? std::vector<std::string>{""} : names) {
    const std::string name = present_name(given);
    bool found = false;
    for (const EntryDefinition& entry : entries()) {
      const bool below = entry.id.starts_with(name) && entry.id.size() > name.size() && entry.id[name.size()] == '/';
      if (!given.empty() && entry.id != name && !below) continue;
      found = true;
      if (std::find(chosen.begin(), chosen.end(), &entry) == chosen.end()) chosen.push_back(&entry);
    }
    if (found) continue;
    const EntryDefinition& only = only_entry_named(given);
    if (std::find(chosen.begin(), chosen.end(), &only) == chosen.end()) chosen.push_back(&only);
  }
  return chosen;
}

}  // namespace weir
