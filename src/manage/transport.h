// How the manager's datagrams travel. The real one goes through a device of this machine (umad_transport.h); tests have
// others, which lose, delay and falsify.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "mad/mad.h"

namespace weir::manage {

struct Request {
  mad::Mad mad;
  std::uint32_t lid = 0;  // of the node that is asked; directed routes need none
};
using Reply = std::optional<mad::Mad>;

class Transport {
 public:
  virtual ~Transport() = default;
  // Sends all of them, several at a time, and waits for the answers; one that does not come in time is absent. The
  // answers are in the order of the requests.
  virtual std::vector<Reply> exchange(std::vector<Request> requests) = 0;
  // Of a datagram's bytes, those that arrive as they were sent; the others may be anything.
  virtual std::size_t carried_bytes() const { return mad::kMadBytes; }
};

// An answer that is one: to this request, without an error.
bool is_answer(const Request& request, const Reply& reply);

Request smp_request(mad::Method method, std::uint16_t attribute, std::uint32_t modifier,
                    const std::vector<std::uint8_t>& path);
Request performance_request(mad::Method method, std::uint16_t attribute, std::uint32_t lid, std::uint32_t port);
Request congestion_request(mad::Method method, std::uint16_t attribute, std::uint32_t modifier, std::uint32_t lid,
                           std::uint64_t key);

}  // namespace weir::manage
