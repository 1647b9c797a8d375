// `weir view`: a result directory in the browser, on this machine only; a new result of the same name shows up by
// itself.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "app/commands.h"
#include "app/page_server.h"
#include "base/error.h"

namespace weir {
namespace fs = std::filesystem;

namespace {

struct ViewOptions {
  std::string result;
  std::uint16_t port = 0;
};

// The directory itself, its report.html, or a name below results/.
fs::path directory_of(const std::string& result) {
  for (fs::path path : {fs::path(result), fs::path("results") / result}) {
    if (path.filename() == "report.html") path = path.parent_path();
    std::error_code error;
    if (fs::is_regular_file(path / "report.html", error)) return path;
    if (fs::is_directory(path, error) && fs::exists(path / "MANIFEST", error))
      throw InputError(path.string() + " has no report.html: an older weir wrote it; run the scenario again");
  }
  throw InputError("there is no result with a report in " + result +
                   "; `weir run` and `weir compare` say where they put theirs");
}

}  // namespace

Command add_view(CLI::App& app) {
  auto options = std::make_shared<ViewOptions>();
  CLI::App* command = app.add_subcommand("view", "show a result in the browser, served on this machine only");
  command->footer("Examples:\n  weir view results/hotspot-compare\n  weir view results/hotspot --port 8017\n"
                  "The report is also a plain file: open report.html of the result directory.");
  command->add_option("result", options->result, "result directory")->required();
  command->add_option("--port", options->port, "port on 127.0.0.1 (default: any free one)");
  return [options] {
    const fs::path directory = directory_of(options->result);
    PageServer server(options->port);
    server.serve_directory(directory);
    fmt::print("{} at {} (Ctrl-C ends it)\n", directory.string(), server.address());
    std::fflush(stdout);
    server.wait();
    return 0;
  };
}

}  // namespace weir
