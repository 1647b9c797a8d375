// weir: congestion management for lossless interconnects. The table of contents of the program.
#include <exception>

#include "app/commands.h"
#include "app/help/format.h"
#include "app/input/file_kinds.h"
#include "app/process.h"

namespace {

int run_command(int argc, char** argv) {
  CLI::App app{"weir: congestion management for lossless interconnects", "weir"};
  app.require_subcommand(1);
  app.formatter(std::make_shared<weir::HelpFormat>());
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  app.set_help_flag("-h,--help", "show this help");
  app.set_version_flag("--version", std::string("weir " WEIR_VERSION WEIR_COMMIT), "show the version");
  app.footer("Start here:\n  weir compare scenarios/hotspot.toml\nHelp for one command:\n  weir run --help");

  const std::pair<const char*, weir::Command> commands[] = {
      {"run", weir::add_run(app)},              // one scenario
      {"compare", weir::add_compare(app)},      // several schemes side by side
      {"sweep", weir::add_sweep(app)},          // many scenarios: all combinations of [sweep]
      {"query", weir::add_query(app)},          // questions to results, in SQL
      {"rates", weir::add_rates(app)},          // explicit rates for given flows
      {"topo", weir::add_topo(app)},            // what a fabric is, and whether its routes can deadlock
      {"headroom", weir::add_headroom(app)},    // buffer space that PFC needs
      {"new", weir::add_new(app)},              // a scenario from a few words
      {"convert", weir::add_convert(app)},      // workloads from one format to another
      {"list", weir::add_list(app)},            // what there is
      {"reproduce", weir::add_reproduce(app)},  // the papers' figures
      {"calibrate", weir::add_calibrate(app)},  // thresholds and windows for marking, from the network
      {"bench", weir::add_bench(app)},          // speed and memory on this machine
      {"view", weir::add_view(app)},            // a result in the browser
      {"fabric", weir::add_fabric(app)},        // a simulated fabric for real InfiniBand tools
      {"manage", weir::add_manage(app)},        // congestion management of a real subnet
      {"diagnose", weir::add_diagnose(app)},    // what counters of a real subnet say
      {"help", weir::add_help(app)},            // the same as --help
  };
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) command->group("Commands");
  try {
    if (argc > 1) weir::check_command(app, argv[1]);
    app.parse(argc, argv);
    if (!app.got_subcommand("view")) weir::when_interrupted([] { return "nothing was written"; });
    for (const CLI::App* given : app.get_subcommands()) weir::check_files(*given);
    for (const auto& [name, command] : commands)
      if (app.got_subcommand(name)) return command();
    return 2;
  } catch (const CLI::ParseError& e) {
    return weir::answer_parse_error(app, e);
  } catch (const std::exception& e) {
    return weir::report_error(e);
  }
}

}  // namespace

int main(int argc, char** argv) {
  weir::begin_process();
  return weir::end_process(run_command(argc, argv));
}
