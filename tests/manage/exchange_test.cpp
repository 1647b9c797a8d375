// Requests and answers over one device: each answer finds its request, and no other.
#include "manage/exchange.h"

#include <gtest/gtest.h>

#include <deque>

namespace weir::manage {
namespace {

// Keeps what is sent; a test says what arrives.
class ScriptedWire final : public Wire {
 public:
  bool send(const Request& request) override {
    sent.push_back(request);
    most_open = std::max(most_open, sent.size() - answered);
    if (on_send) on_send(request);
    return true;
  }
  std::optional<Received> receive() override {
    if (arriving.empty()) return std::nullopt;
    const Received r = arriving.front();
    arriving.pop_front();
    ++answered;
    return r;
  }
  std::vector<Request> sent;
  std::deque<Received> arriving;
  std::size_t answered = 0, most_open = 0;
  std::function<void(const Request&)> on_send;
};

struct Line {
  Line() : Line(std::make_unique<ScriptedWire>()) {}
  explicit Line(std::unique_ptr<ScriptedWire> own) : wire(own.get()), exchange(std::move(own), 4) {}
  ScriptedWire* wire;
  Exchange exchange;
};

Request to(std::uint32_t lid) { return performance_request(mad::Method::get, mad::perf::kPortCounters, lid, 1); }

Wire::Received answer_to(const Request& request, std::uint8_t mark) {
  Wire::Received r{request.mad, request.lid, true};
  r.mad.set_method(mad::Method::get_response);
  r.mad.data()[9] = mark;
  return r;
}

TEST(Exchange, AnswersInAnyOrderFindTheirRequests) {
  Line line;
  line.wire->on_send = [&](const Request& r) {
    line.wire->arriving.push_front(answer_to(r, static_cast<std::uint8_t>(r.lid)));
  };
  std::vector<Request> requests;
  for (std::uint32_t lid = 1; lid <= 9; ++lid) requests.push_back(to(lid));
  const std::vector<Reply> replies = line.exchange.exchange(requests);
  for (std::uint32_t i = 0; i < 9; ++i) {
    ASSERT_TRUE(replies[i]) << i;
    EXPECT_EQ(replies[i]->data()[9], i + 1);
  }
  EXPECT_LE(line.wire->most_open, 4u);
}

TEST(Exchange, TheFirstOfTwoAnswersCounts) {
  Line line;
  line.wire->on_send = [&](const Request& r) {
    line.wire->arriving.push_back(answer_to(r, 1));
    line.wire->arriving.push_back(answer_to(r, 2));
  };
  const std::vector<Reply> replies = line.exchange.exchange({to(1), to(2), to(3)});
  for (const Reply& reply : replies) {
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->data()[9], 1);
  }
}

TEST(Exchange, AnAnswerToAnEarlierRequestIsPassedOver) {
  Line line;
  EXPECT_FALSE(line.exchange.exchange({to(1)})[0]);  // lost
  const Request before = line.wire->sent.back();
  line.wire->on_send = [&](const Request& r) {
    line.wire->arriving.push_back(answer_to(before, 7));
    line.wire->arriving.push_back(answer_to(r, 8));
  };
  const std::vector<Reply> replies = line.exchange.exchange({to(1)});
  ASSERT_TRUE(replies[0]);
  EXPECT_EQ(replies[0]->data()[9], 8);
}

TEST(Exchange, SomebodyWhoWasNotAskedIsNotHeard) {
  Line line;
  line.wire->on_send = [&](const Request& r) {
    Wire::Received other = answer_to(r, 7);
    other.lid = 99;
    line.wire->arriving.push_back(other);
    Wire::Received unknown = answer_to(r, 7);
    unknown.mad.set_transaction(r.mad.transaction() + 1000);
    line.wire->arriving.push_back(unknown);
  };
  EXPECT_FALSE(line.exchange.exchange({to(1)})[0]);
}

TEST(Exchange, ARequestThatTheDeviceHandsBackHasNoAnswer) {
  Line line;
  line.wire->on_send = [&](const Request& r) {
    if (r.lid == 2) line.wire->arriving.push_back({r.mad, 0, false});
    else line.wire->arriving.push_back(answer_to(r, 1));
  };
  const std::vector<Reply> replies = line.exchange.exchange({to(1), to(2), to(3)});
  EXPECT_TRUE(replies[0]);
  EXPECT_FALSE(replies[1]);
  EXPECT_TRUE(replies[2]);
}

}  // namespace
}  // namespace weir::manage
