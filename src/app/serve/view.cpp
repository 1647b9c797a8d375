// `weir view`: a result directory or a sweep in the browser, on this machine only; a new result of the same name shows
// up by itself.
#include <fmt/format.h>

#include <filesystem>

#include "app/commands.h"
#include "app/process.h"
#include "app/serve/page_server.h"
#include "app/sweep/report.h"
#include "base/error.h"

namespace weir {
namespace fs = std::filesystem;

namespace {

struct ViewOptions {
  std::string result;
  std::uint16_t port = 0;
};

// The page of a result: of its directory, of a page itself, of the result file of a sweep, or of a name below results/.
fs::path page_of(const std::string& result) {
  for (const fs::path& path : {fs::path(result), fs::path("results") / result}) {
    std::error_code error;
    if (fs::is_regular_file(path / "report.html", error)) return path / "report.html";
    if (fs::is_directory(path, error) && fs::exists(path / "MANIFEST", error))
      throw InputError(path.string() + " has no report.html, because it was written by an older version of weir; run "
                                       "the scenario again");
    if (fs::is_directory(path, error)) continue;
    const fs::path beside = path.parent_path() / "report.html";
    if (path.filename() == "result.sqlite" && fs::is_regular_file(beside, error)) return beside;
    if (path.extension() == ".html" && fs::is_regular_file(path, error)) return path;
    const fs::path page = sweep_page_path(path);
    if (fs::is_regular_file(page, error)) return page;
    if (path.extension() == ".sqlite" && fs::is_regular_file(path, error))
      throw InputError(fmt::format("{} has no report yet: there is no {}; run the command of the sweep again to finish "
                                   "it and to write the report",
                                   path.string(), page.string()));
  }
  throw InputError("there is no result with a report in " + result +
                   "; `weir run`, `weir compare` and `weir sweep` say where they put theirs");
}

}  // namespace

Command add_view(CLI::App& app) {
  auto options = std::make_shared<ViewOptions>();
  CLI::App* command = app.add_subcommand("view", "show a result in a browser on this machine");
  command->footer("The report is also a plain file that any browser opens: report.html in a result directory; for a "
                  "sweep, the .html file beside its .sqlite file.\nExamples:\n  weir view "
                  "results/hotspot-compare\n  weir view results/hotspot --port 8017\n  weir view "
                  "results/load-sweep.sqlite");
  command->add_option("result", options->result, "result directory, or the result file of a sweep")->required();
  command->add_option("--port", options->port, "port on 127.0.0.1 (default: any free one)")
      ->check(CLI::Range(0u, 65535u));
  return [options] {
    const fs::path page = page_of(options->result);
    const bool whole = page.filename() == "report.html";  // the result has a directory of its own
    PageServer server(options->port);
    if (whole) server.serve_directory(page.parent_path());
    else server.serve_page(page);
    fmt::print("{} at {} (Ctrl-C ends it)\n", (whole ? page.parent_path() : page).string(), server.address());
    flush_output();
    server.wait();
    return 0;
  };
}

}  // namespace weir
