#include "app/serve/page_server.h"

#include <fmt/format.h>
#include <httplib.h>
#include <malloc.h>
#include <sys/socket.h>

#include <chrono>
#include <fstream>
#include <mutex>
#include <optional>
#include <thread>

#include "app/serve/connection_threads.h"
#include "base/error.h"
#include "base/file_text.h"
#include "report/page/page.h"

namespace weir {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kDataBegin = "<script type=\"application/json\" id=\"weir-data\">";
constexpr std::string_view kDataEnd = "</script>";
constexpr int kMostConnections = 256;
constexpr int kPatienceSeconds = 2;  // for a client that says nothing

// The document inside a page that weir wrote; empty if there is none.
std::string data_inside(const std::string& page) {
  const std::size_t at = page.find(kDataBegin);
  if (at == std::string::npos) return "";
  const std::size_t from = at + kDataBegin.size(), to = page.find(kDataEnd, from);
  return to == std::string::npos ? "" : page.substr(from, to - from);
}

const char* content_type(const std::string& name) {
  if (name.ends_with(".html")) return "text/html; charset=utf-8";
  if (name.ends_with(".json")) return "application/json";
  if (name.ends_with(".svg")) return "image/svg+xml";
  if (name.ends_with(".sqlite")) return "application/octet-stream";
  return "text/plain; charset=utf-8";
}

bool is_own_name(const std::string& host) {
  const std::string name = host.substr(0, host.rfind(':'));
  return name == "127.0.0.1" || name == "localhost";
}

// A file that lies in the directory itself: not one elsewhere that a link in it names.
std::optional<fs::path> file_inside(const fs::path& directory, const std::string& name) {
  std::error_code error;
  const fs::path home = fs::canonical(directory, error);
  if (error || directory.empty() || name.starts_with('.')) return std::nullopt;
  const fs::path path = fs::canonical(home / name, error);
  if (error || path.parent_path() != home || !fs::is_regular_file(path, error)) return std::nullopt;
  return path;
}

// What is answered without a look at the path. Answers hold nothing twice: of a request for several ranges, which may
// all be the same one, none is served.
int refusal(const httplib::Request& request) {
  if (!is_own_name(request.get_header_value("Host"))) return 403;
  if (request.method != "GET") return 405;
  if (request.ranges.size() > 1) return 416;
  return 0;
}

}  // namespace

struct PageServer::State {
  httplib::Server server;
  int port = 0;
  std::thread thread;

  std::mutex mutex;
  std::string document;
  std::uint64_t version = 0;
  fs::path directory, page;
  fs::file_time_type read_at{};

  // The report on disk is read again when it has changed.
  void refresh() {
    if (page.empty() || (!directory.empty() && !file_inside(directory, page.filename().string()))) return;
    std::error_code error;
    const fs::file_time_type changed = fs::last_write_time(page, error);
    if (error || (version > 0 && changed == read_at)) return;
    const std::string data = data_inside(file_text(page.string()).value_or(""));
    if (data.empty()) return;
    read_at = changed;
    document = data;
    ++version;
  }

  void answer_page(httplib::Response& response) {
    const std::lock_guard lock(mutex);
    refresh();
    response.set_content(page_around(document, version), "text/html; charset=utf-8");
  }

  void answer_data(const httplib::Request& request, httplib::Response& response) {
    const std::lock_guard lock(mutex);
    refresh();
    const std::string now = std::to_string(version);
    response.set_header("X-Weir-Version", now);
    response.set_header("Cache-Control", "no-store");
    if (request.get_param_value("after") == now) {
      response.status = 204;
      return;
    }
    response.set_content(document.empty() ? "{\"weir\":\"data\"}" : document, "application/json");
  }

  // A file goes out piece by piece: results may be larger than memory.
  void answer_file(const httplib::Request& request, httplib::Response& response) {
    const std::string name = request.matches[1];
    const auto path = [&] {
      const std::lock_guard lock(mutex);
      return file_inside(directory, name);
    }();
    auto file = std::make_shared<std::ifstream>();
    if (path) file->open(*path, std::ios::binary);
    std::error_code error;
    const std::uintmax_t size = path ? fs::file_size(*path, error) : 0;
    if (!path || !file->is_open() || error) {
      response.status = 404;
      response.set_content("there is no such file in this result\n", "text/plain; charset=utf-8");
      return;
    }
    if (size == 0) return response.set_content("", content_type(name));
    response.set_content_provider(size, content_type(name),
                                  [file](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
                                    char piece[1 << 16];
                                    const std::size_t wanted = std::min(length, sizeof piece);
                                    file->seekg(static_cast<std::streamoff>(offset));
                                    if (!file->read(piece, static_cast<std::streamsize>(wanted))) return false;
                                    return sink.write(piece, wanted);
                                  });
  }

  // The page learns which state it shows, so that it asks for later ones only.
  static std::string page_around(const std::string& data, std::uint64_t version) {
    const std::string_view page = page_template();
    const std::size_t at = page.find(kDataBegin), end = page.find(kDataEnd, at);
    return fmt::format("{}<script type=\"application/json\" id=\"weir-data\" data-version=\"{}\">{}{}",
                       page.substr(0, at), version, data.empty() ? "{\"weir\":\"data\"}" : data, page.substr(end));
  }
};

PageServer::PageServer(std::uint16_t port) : state_(std::make_unique<State>()) {
  State& s = *state_;
  // Otherwise the first allocation of a connection's thread reserves 64 MiB of addresses, and limits are soon reached.
  mallopt(M_ARENA_MAX, 2);
  s.server.new_task_queue = [] { return new ConnectionThreads(kMostConnections); };
  s.server.set_keep_alive_max_count(1);  // one answer per connection: what else a client sends is never read
  s.server.set_keep_alive_timeout(kPatienceSeconds);
  s.server.set_read_timeout(kPatienceSeconds);
  s.server.set_pre_routing_handler([](const httplib::Request& request, httplib::Response& response) {
    const int status = refusal(request);
    if (status == 0) return httplib::Server::HandlerResponse::Unhandled;
    if (status == 405) response.set_header("Allow", "GET");
    response.status = status;
    return httplib::Server::HandlerResponse::Handled;
  });
  s.server.set_default_headers(
      {{"X-Content-Type-Options", "nosniff"}, {"Cross-Origin-Resource-Policy", "same-origin"}});
  s.server.Get("/", [&s](const auto&, auto& response) { s.answer_page(response); });
  s.server.Get("/data.json", [&s](const auto& request, auto& response) { s.answer_data(request, response); });
  s.server.Get(R"(/([A-Za-z0-9_.-]+))",
               [&s](const auto& request, auto& response) { s.answer_file(request, response); });
  int listening = -1;
  // No option is set, so no shared port: two servers must not answer in turns.
  s.server.set_socket_options([&listening](int socket) { listening = socket; });
  if (port == 0) s.port = s.server.bind_to_any_port("127.0.0.1");
  else s.port = s.server.bind_to_port("127.0.0.1", port) ? port : -1;
  if (s.port < 0)
    throw InputError(fmt::format("cannot serve on 127.0.0.1:{}: the port is taken; choose another with --port", port));
  // The library lets five connections wait. Beyond that the kernel drops what they send, and a page may be cut off.
  ::listen(listening, kMostConnections);
  s.thread = std::thread([&s] { s.server.listen_after_bind(); });
  // A server that is told to stop before it runs would run for ever.
  for (int i = 0; i < 1000 && !s.server.is_running(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

PageServer::~PageServer() {
  state_->server.stop();
  if (state_->thread.joinable()) state_->thread.join();
}

std::string PageServer::address() const { return fmt::format("http://127.0.0.1:{}/", state_->port); }

void PageServer::publish(const std::string& script_safe_json) {
  const std::lock_guard lock(state_->mutex);
  state_->document = script_safe_json;
  ++state_->version;
}

void PageServer::serve_directory(const fs::path& directory) {
  std::error_code error;
  const fs::path page = directory / "report.html";
  if (fs::exists(page, error) && !file_inside(directory, "report.html"))
    throw InputError(page.string() + " is a link that leads out of the result directory");
  serve_page(page);
  const std::lock_guard lock(state_->mutex);
  state_->directory = directory;
}

void PageServer::serve_page(const fs::path& page) {
  const std::lock_guard lock(state_->mutex);
  state_->page = page;
  state_->read_at = {};
  state_->version += 1;
  std::error_code error;
  if (!fs::exists(page, error)) return;
  state_->document = data_inside(file_text(page.string()).value_or(""));
  state_->read_at = fs::last_write_time(page, error);
}

void PageServer::wait() {
  if (state_->thread.joinable()) state_->thread.join();
}

}  // namespace weir
