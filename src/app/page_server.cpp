#include "app/page_server.h"

#include <fmt/format.h>
#include <httplib.h>

#include <atomic>
#include <mutex>
#include <set>
#include <thread>

#include "base/error.h"
#include "base/file_text.h"
#include "report/page.h"

namespace weir {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kDataBegin = "<script type=\"application/json\" id=\"weir-data\">";
constexpr std::string_view kDataEnd = "</script>";

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
    if (page.empty()) return;
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

  void answer_file(const httplib::Request& request, httplib::Response& response) {
    const std::string name = request.matches[1];
    const std::lock_guard lock(mutex);
    std::error_code error;
    const fs::path path = directory / name;
    if (directory.empty() || name.starts_with('.') || !fs::is_regular_file(path, error)) {
      response.status = 404;
      response.set_content("there is no such file in this result\n", "text/plain; charset=utf-8");
      return;
    }
    response.set_content(file_text(path.string()).value_or(""), content_type(name));
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
  s.server.set_pre_routing_handler([](const httplib::Request& request, httplib::Response& response) {
    if (is_own_name(request.get_header_value("Host"))) return httplib::Server::HandlerResponse::Unhandled;
    response.status = 403;
    return httplib::Server::HandlerResponse::Handled;
  });
  s.server.set_default_headers(
      {{"X-Content-Type-Options", "nosniff"}, {"Cross-Origin-Resource-Policy", "same-origin"}});
  s.server.Get("/", [&s](const auto&, auto& response) { s.answer_page(response); });
  s.server.Get("/data.json", [&s](const auto& request, auto& response) { s.answer_data(request, response); });
  s.server.Get(R"(/([A-Za-z0-9_.-]+))",
               [&s](const auto& request, auto& response) { s.answer_file(request, response); });
  s.server.set_socket_options([](int) {});  // no shared port: two servers must not answer in turns
  if (port == 0) s.port = s.server.bind_to_any_port("127.0.0.1");
  else s.port = s.server.bind_to_port("127.0.0.1", port) ? port : -1;
  if (s.port < 0)
    throw InputError(fmt::format("cannot serve on 127.0.0.1:{}: the port is taken; choose another with --port", port));
  s.thread = std::thread([&s] { s.server.listen_after_bind(); });
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
  serve_page(directory / "report.html");
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
