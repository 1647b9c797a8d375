// What a file is, by its contents: so that a command that is given one of another kind can say what it is and which
// command takes it.
#pragma once
#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace weir {

enum class FileKind {
  scenario,
  ibnetdiscover,
  ibdm,
  htsim_fabric,
  ns3_fabric,
  htsim_messages,  // a connection matrix
  ns3_messages,    // flow.txt
  goal,
  chakra,
  table,  // CSV
  counters,
  forwarding,
  database,
  result,  // directory
  json,
  html,
  opensm_conf,
  packed_file,  // by gzip and the like
  empty_file,
};

// Nothing where the file is not there, or is of no kind that weir knows.
std::optional<FileKind> kind_of_file(const std::string& path);

// "an ibnetdiscover dump", and a sentence with the commands that take it.
std::string_view name_of(FileKind kind);
std::string advice_on(FileKind kind, const std::string& path);

// Refuses files on the command line that the command cannot take, if it is known what they are.
void check_files(const CLI::App& command);

}  // namespace weir
