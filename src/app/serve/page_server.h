// Serves a report on this machine only: the page, its document as it changes, and the files beside it. Nothing is
// offered to other machines (the address is 127.0.0.1, and requests that name another host are refused, so that no web
// page from elsewhere can read along), and nothing can be changed through it.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace weir {

class PageServer {
 public:
  // port 0: any free one. InputError if it is taken.
  explicit PageServer(std::uint16_t port);
  ~PageServer();
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;

  std::string address() const;  // "http://127.0.0.1:8017/"
  // The document as it stands: page and data.json show it from now on.
  void publish(const std::string& script_safe_json);
  // Files of a directory that may be read beside the page, if they lie in it; its report.html, if it has one, becomes
  // the page, and is read again when it changes. InputError if that is a link to a file elsewhere.
  void serve_directory(const std::filesystem::path& directory);
  // A page alone, without what lies beside it; read again when it changes.
  void serve_page(const std::filesystem::path& page);
  void wait();  // until the program is told to end

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace weir
