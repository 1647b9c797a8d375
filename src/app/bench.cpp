#include "app/commands.h"
namespace weir { Command add_bench(CLI::App& app) { app.add_subcommand("bench","x"); return []{return 0;}; } }
