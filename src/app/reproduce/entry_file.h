// Finished entries of a reproduction on disk, <out>/<entry>/entry.json: what was broken off goes on after the last
// entry that was finished.
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "reproduce/entry.h"

namespace weir {

// Results are the same only from the same program in the same depth.
struct EntryOrigin {
  std::string program;
  Depth depth = Depth::normal;
};

struct FinishedEntry {
  EntryResult result;  // if it was read: without its curves, which are in the document and in files beside it
  nlohmann::ordered_json document;
};

std::string program_hash();  // of the running program, so that no two builds are taken for one
nlohmann::ordered_json entry_json(const EntryResult& entry);
void write_entry_file(const std::filesystem::path& directory, const EntryOrigin& origin, const FinishedEntry& entry);
// Wall time of the entry when it was last run in this depth, by whatever program; nothing if it was not.
std::optional<double> last_seconds(const std::filesystem::path& directory, Depth depth);
// Nothing if there is none of this origin, or only part of one.
std::optional<FinishedEntry> read_entry_file(const std::filesystem::path& directory, const EntryOrigin& origin);

}  // namespace weir
