#include "manage/exchange.h"

namespace weir::manage {

std::vector<Reply> Exchange::exchange(std::vector<Request> requests) {
  ++round_;
  std::vector<Reply> replies(requests.size());
  states_.assign(requests.size(), State::not_sent);
  sent_ = 0;
  open_ = 0;
  while (sent_ < requests.size() || open_ > 0) {
    while (sent_ < requests.size() && open_ < outstanding_) send_next(requests);
    if (open_ == 0) continue;
    if (const auto received = wire_->receive()) {
      take(*received, requests, replies);
    } else {  // whatever was under way is lost
      for (std::size_t i = 0; i < sent_; ++i) finish(i);
    }
  }
  return replies;
}

void Exchange::send_next(std::vector<Request>& requests) {
  const std::size_t index = sent_++;
  requests[index].mad.set_transaction((round_ & kRoundMask) << kNumberBits | index);
  if (!wire_->send(requests[index])) return;
  states_[index] = State::waiting;
  ++open_;
}

void Exchange::take(const Wire::Received& received, const std::vector<Request>& requests,
                    std::vector<Reply>& replies) {
  const auto number = static_cast<std::uint32_t>(received.mad.transaction());
  if (number >> kNumberBits != (round_ & kRoundMask)) return;  // of an earlier exchange
  const std::uint32_t index = number & kNumberMask;
  if (index >= sent_ || states_[index] != State::waiting) return;  // never asked, or answered already
  const Request& request = requests[index];
  const bool directed = request.mad.is(mad::Class::subnet_directed);
  if (received.is_answer && !directed && received.lid != request.lid) return;  // of somebody else
  finish(index);
  if (received.is_answer) replies[index] = received.mad;
}

void Exchange::finish(std::size_t index) {
  if (states_[index] != State::waiting) return;
  states_[index] = State::over;
  --open_;
}

}  // namespace weir::manage
