#include "manage/umad_transport.h"

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "mad/congestion.h"

#ifdef WEIR_HAS_UMAD
#include <infiniband/umad.h>
#endif

namespace weir::manage {

#ifdef WEIR_HAS_UMAD

namespace {

constexpr std::uint32_t kWellKnownKey = 0x80010000;  // Q_Key of management

class UmadTransport final : public Transport {
 public:
  explicit UmadTransport(const UmadOptions& options) : options_(options) {
    if (umad_init() < 0) throw InputError("libibumad cannot start: is there an InfiniBand device?");
    std::string name = options.device;
    port_ = umad_open_port(name.empty() ? nullptr : name.data(), options.port);
    if (port_ < 0)
      throw InputError("cannot open the InfiniBand device " + (name.empty() ? "of this machine" : name) + ": " +
                       std::strerror(-port_) + "; it takes the right to use /dev/infiniband/umad*");
    for (const auto& [mgmt_class, version] :
         {std::pair(mad::Class::subnet_lid, 1), std::pair(mad::Class::subnet_directed, 1),
          std::pair(mad::Class::performance, 1),
          std::pair(mad::Class::congestion_control, int{mad::kCongestionVersion})}) {
      const int agent = umad_register(port_, static_cast<int>(mgmt_class), version, 0, nullptr);
      if (agent < 0) throw InputError("cannot register for management datagrams: " + std::string(std::strerror(errno)));
      agents_.emplace(mgmt_class, agent);
    }
    buffer_ = std::unique_ptr<void, void (*)(void*)>(umad_alloc(1, umad_size() + mad::kMadBytes), umad_free);
  }
  ~UmadTransport() override {
    umad_close_port(port_);
    umad_done();
  }

  std::vector<Reply> exchange(std::vector<Request> requests) override {
    ++round_;
    std::vector<Reply> replies(requests.size());
    std::size_t sent = 0;
    std::uint32_t open = 0;
    // The device gives up by itself after its retries; this is for answers that never come at all.
    const int patience = options_.timeout_ms * (options_.retries + 2);
    while (sent < requests.size() || open > 0) {
      while (sent < requests.size() && open < options_.outstanding) {
        if (send(requests[sent], static_cast<std::uint32_t>(sent))) ++open;
        ++sent;
      }
      if (open == 0) continue;
      int length = mad::kMadBytes;
      if (umad_recv(port_, buffer_.get(), &length, patience) < 0) {
        if (errno == EINTR) continue;
        open = 0;  // whatever was under way is lost
        continue;
      }
      mad::Mad m;
      std::memcpy(m.bytes().data(), umad_get_mad(buffer_.get()), mad::kMadBytes);
      const auto number = static_cast<std::uint32_t>(m.transaction());
      if (number >> kNumberBits != (round_ & kRoundMask)) continue;  // of an earlier exchange: too late
      const std::uint32_t index = number & kNumberMask;
      if (index >= sent || answered_[index] == round_) continue;  // twice
      answered_[index] = round_;
      --open;
      if (umad_status(buffer_.get()) == 0) replies[index] = m;
    }
    return replies;
  }

 private:
  static constexpr unsigned kNumberBits = 20;
  static constexpr std::uint32_t kNumberMask = (1u << kNumberBits) - 1, kRoundMask = (1u << (32 - kNumberBits)) - 1;

  bool send(Request& request, std::uint32_t index) {
    if (answered_.size() <= index) answered_.resize(index + 1, 0);
    mad::Mad& m = request.mad;
    m.set_transaction((round_ & kRoundMask) << kNumberBits | index);
    std::memset(buffer_.get(), 0, umad_size() + mad::kMadBytes);
    std::memcpy(umad_get_mad(buffer_.get()), m.bytes().data(), mad::kMadBytes);
    const bool directed = m.is(mad::Class::subnet_directed);
    if (directed) umad_set_addr(buffer_.get(), mad::kPermissiveLid, 0, 0, 0);
    else umad_set_addr(buffer_.get(), static_cast<int>(request.lid), m.is_smp() ? 0 : 1, 0,
                       m.is_smp() ? 0 : static_cast<int>(kWellKnownKey));
    return umad_send(port_, agents_.at(m.mgmt_class()), buffer_.get(), mad::kMadBytes, options_.timeout_ms,
                     options_.retries) == 0;
  }

  UmadOptions options_;
  int port_ = -1;
  std::map<mad::Class, int> agents_;
  std::unique_ptr<void, void (*)(void*)> buffer_{nullptr, umad_free};
  std::uint32_t round_ = 0;
  std::vector<std::uint32_t> answered_;  // by index: the last exchange in which an answer came
};

}  // namespace

bool has_umad() { return true; }
std::unique_ptr<Transport> open_umad(const UmadOptions& options) { return std::make_unique<UmadTransport>(options); }

#else

bool has_umad() { return false; }
std::unique_ptr<Transport> open_umad(const UmadOptions&) {
  throw InputError("weir was built without libibumad: install libibumad-dev and build it again");
}

#endif

}  // namespace weir::manage
