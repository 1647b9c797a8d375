// Options that several commands share.
#include <fmt/format.h>

#include "app/commands.h"
#include "base/error.h"
#include "base/memory.h"

namespace weir {

void add_scenario_options(CLI::App& app, ScenarioOptions& options, std::string_view suffix) {
  app.add_option("scenario", options.file, "scenario file (TOML)")->required();
  app.add_option("--set", options.set, "override a value, as in --set traffic.hot.load=0.9 (repeatable)")->take_all();
  app.add_option("--out", options.out,
                 fmt::format("directory for the results (default: results/<name of the scenario>{})", suffix));
  add_force_flag(app);
  app.add_option("--json", options.json, "write the result as JSON to this file (- for standard output)");
}

void add_threads_option(CLI::App& app, unsigned& threads) {
  app.add_option(
         "--threads", threads,
         "number of cores to use (default: all). Runs execute in parallel. When fewer runs than cores are left, "
         "each run uses several cores")
      ->check(CLI::Range(1u, 4096u));
}

void add_force_flag(CLI::App& app) {
  app.add_flag_callback(
      "--force", [] { memory_is_forced() = true; }, "run even if the estimate says that it does not fit into memory");
}

void refuse_if_given(const CLI::App& command, std::initializer_list<const char*> options, bool idle,
                     std::string_view why) {
  if (!idle) return;
  for (const char* option : options)
    if (command.count(option) > 0) throw InputError(fmt::format("{} has no effect: {}", option, why));
}

}  // namespace weir
