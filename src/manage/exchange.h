// Many requests under way at a time over one device. Each answer finds its request by the transaction number and by who
// sent it; one that comes twice, or too late, or from somebody who was not asked, is passed over.
#pragma once
#include <memory>

#include "manage/transport.h"

namespace weir::manage {

// A device, as far as an exchange needs it.
class Wire {
 public:
  virtual ~Wire() = default;
  // False: it could not even be sent.
  virtual bool send(const Request& request) = 0;
  struct Received {
    mad::Mad mad;
    std::uint32_t lid = 0;  // of the sender, where routes are not directed
    bool is_answer = true;  // false: the device has given up, and hands the request back
  };
  // Waits for longer than the device needs to give up. Nothing: neither an answer nor a request has come back.
  virtual std::optional<Received> receive() = 0;
  virtual std::size_t carried_bytes() const { return mad::kMadBytes; }  // see Transport
};

class Exchange final : public Transport {
 public:
  Exchange(std::unique_ptr<Wire> wire, std::uint32_t outstanding)
      : wire_(std::move(wire)), outstanding_(outstanding) {}
  std::vector<Reply> exchange(std::vector<Request> requests) override;
  std::size_t carried_bytes() const override { return wire_->carried_bytes(); }

 private:
  // 32 bits of a transaction number are ours; the kernel and the server of a simulated fabric use the others.
  static constexpr unsigned kNumberBits = 20;
  static constexpr std::uint32_t kNumberMask = (1u << kNumberBits) - 1, kRoundMask = (1u << (32 - kNumberBits)) - 1;

  enum class State : std::uint8_t { not_sent, waiting, over };
  void send_next(std::vector<Request>& requests);
  void take(const Wire::Received& received, const std::vector<Request>& requests, std::vector<Reply>& replies);
  void finish(std::size_t index);

  std::unique_ptr<Wire> wire_;
  std::uint32_t outstanding_;
  std::uint32_t round_ = 0;
  std::vector<State> states_;  // of this exchange's requests
  std::size_t sent_ = 0;
  std::uint32_t open_ = 0;
};

}  // namespace weir::manage
