#include "manage/umad_transport.h"

#include <arpa/inet.h>
#include <dlfcn.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "mad/congestion.h"
#include "manage/exchange.h"

#ifdef WEIR_HAS_UMAD
#include <infiniband/umad.h>
#endif

namespace weir::manage {

#ifdef WEIR_HAS_UMAD

namespace {

constexpr std::uint32_t kWellKnownKey = 0x80010000;  // Q_Key of management

// libumad2sim loses the last 32 bytes of a datagram, unless weir's own library stands behind it (live/preload/).
std::size_t bytes_carried_by(const char* device) {
  constexpr std::size_t kLost = 32;
  umad_ca_t adapter;
  if (umad_get_ca(device, &adapter) < 0) return mad::kMadBytes;
  const bool simulated = std::strcmp(adapter.ca_type, "simulator") == 0;
  umad_release_ca(&adapter);
  return simulated && ::dlsym(RTLD_DEFAULT, "weir_umad_tail") == nullptr ? mad::kMadBytes - kLost : mad::kMadBytes;
}

class UmadWire final : public Wire {
 public:
  explicit UmadWire(const UmadOptions& options) : options_(options) {
    if (umad_init() < 0) throw InputError("libibumad cannot start: no InfiniBand device here (is ib_umad loaded?)");
    std::string name = options.device;
    port_ = umad_open_port(name.empty() ? nullptr : name.data(), options.port);
    if (name.empty() && (port_ == -ENODEV || port_ == -EOPNOTSUPP))
      throw InputError("no InfiniBand device here (is ib_umad loaded?)");
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
    carried_ = bytes_carried_by(name.empty() ? nullptr : name.c_str());
    buffer_ = std::unique_ptr<void, void (*)(void*)>(umad_alloc(1, umad_size() + mad::kMadBytes), umad_free);
  }
  ~UmadWire() override {
    umad_close_port(port_);
    umad_done();
  }

  bool send(const Request& request) override {
    const mad::Mad& m = request.mad;
    std::memset(buffer_.get(), 0, umad_size() + mad::kMadBytes);
    std::memcpy(umad_get_mad(buffer_.get()), m.bytes().data(), mad::kMadBytes);
    const bool directed = m.is(mad::Class::subnet_directed);
    if (directed) umad_set_addr(buffer_.get(), mad::kPermissiveLid, 0, 0, 0);
    else umad_set_addr(buffer_.get(), static_cast<int>(request.lid), m.is_smp() ? 0 : 1, 0,
                       m.is_smp() ? 0 : static_cast<int>(kWellKnownKey));
    return umad_send(port_, agents_.at(m.mgmt_class()), buffer_.get(), mad::kMadBytes, options_.timeout_ms,
                     options_.retries) == 0;
  }

  std::size_t carried_bytes() const override { return carried_; }
  std::optional<Received> receive() override {
    // The device gives up by itself after its retries; this is for answers that never come at all.
    const int patience = options_.timeout_ms * (options_.retries + 2);
    int length = mad::kMadBytes;
    while (umad_recv(port_, buffer_.get(), &length, patience) < 0)
      if (errno != EINTR) return std::nullopt;
    Received received;
    std::memcpy(received.mad.bytes().data(), umad_get_mad(buffer_.get()), mad::kMadBytes);
    received.lid = ntohs(umad_get_mad_addr(buffer_.get())->lid);
    received.is_answer = umad_status(buffer_.get()) == 0;
    return received;
  }

 private:
  UmadOptions options_;
  int port_ = -1;
  std::size_t carried_ = 0;
  std::map<mad::Class, int> agents_;
  std::unique_ptr<void, void (*)(void*)> buffer_{nullptr, umad_free};
};

}  // namespace

bool has_umad() { return true; }
std::unique_ptr<Transport> open_umad(const UmadOptions& options) {
  return std::make_unique<Exchange>(std::make_unique<UmadWire>(options), options.outstanding);
}

#else

bool has_umad() { return false; }
std::unique_ptr<Transport> open_umad(const UmadOptions&) {
  throw InputError("weir was built without libibumad: install libibumad-dev and build it again");
}

#endif

}  // namespace weir::manage
