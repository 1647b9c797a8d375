// The subcommands. Each adds itself to the command line and returns the function that does it, which gives the exit
// code: 0 done, 1 ran but fell short. Bad input is an InputError, and exit code 2.
#pragma once
#include <CLI/CLI.hpp>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

using Command = std::function<int()>;

// Options that several commands share (options.cpp).
struct ScenarioOptions {
  std::string file;
  std::vector<std::string> set;
  std::string out;
  std::string json;
};
// `suffix`: what the default directory for results has behind the name of the scenario.
void add_scenario_options(CLI::App& app, ScenarioOptions& options, std::string_view suffix = "");
void add_threads_option(CLI::App& app, unsigned& threads);
void add_force_flag(CLI::App& app);  // switches off the check of memory

// A setting without effect would be a wrong idea that stays unnoticed: if `idle`, none of `options` may be given.
void refuse_if_given(const CLI::App& command, std::initializer_list<const char*> options, bool idle,
                     std::string_view why);

// Refuses what is no command, with what was probably meant.
void check_command(const CLI::App& app, const std::string& name);
// Prints the help or the version that was asked for, or what is wrong with the command line; the exit code.
int answer_parse_error(const CLI::App& app, const CLI::ParseError& error);

class Ranks;
Command add_run(CLI::App& app, Ranks* ranks = nullptr);  // that share the run
Command add_compare(CLI::App& app);
Command add_sweep(CLI::App& app);
Command add_query(CLI::App& app);
Command add_rates(CLI::App& app);
Command add_topo(CLI::App& app);
Command add_headroom(CLI::App& app);
Command add_new(CLI::App& app);
Command add_convert(CLI::App& app);
Command add_list(CLI::App& app);
Command add_reproduce(CLI::App& app);
Command add_calibrate(CLI::App& app);
Command add_bench(CLI::App& app);
Command add_view(CLI::App& app);
Command add_fabric(CLI::App& app);
Command add_manage(CLI::App& app);
Command add_diagnose(CLI::App& app);
Command add_help(CLI::App& app);  // after all others

}  // namespace weir
