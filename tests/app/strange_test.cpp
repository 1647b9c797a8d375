// Behind the parser: scenarios that are valid but strange run for a short time with all invariants of the engine, and
// everything that is made of a result is made. None may crash, hang, overflow, or fail with anything but a refusal.
// WEIR_STRANGE_FROM=n begins with scenario n, WEIR_STRANGE_COUNT=n tries so many, WEIR_STRANGE_SHOW=1 prints them.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>

#include "app/runner.h"
#include "base/error.h"
#include "report/page/document.h"
#include "report/terminal/run_text.h"
#include "scale.h"
#include "store/json.h"
#include "strange_scenario.h"

namespace weir {
namespace {

using testing::StrangeScenario;

constexpr unsigned kHangSeconds = 120;
char current_scenario[64];

// Whatever ends the process: first the number with which it can be had again.
void tell(int signal) {
  [[maybe_unused]] auto written = write(STDERR_FILENO, current_scenario, strlen(current_scenario));
  ::signal(signal, SIG_DFL);
  raise(signal);
}

// A scenario of a few hosts that asks for more than this must have been refused. Sanitizers reserve terabytes.
void limit_memory() {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  return;
#endif
#endif
  constexpr rlim_t kMost = rlim_t{3} << 30;
  rlimit limit{};
  getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = std::min(limit.rlim_max, kMost);
  setrlimit(RLIMIT_AS, &limit);
#endif
}

struct TooLong {};

std::size_t from_environment(const char* name, std::size_t otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : std::strtoull(value, nullptr, 10);
}

void expect_sound(const Measurements& m) {
  EXPECT_GE(m.end.ps, 0);
  for (const ClassResult& c : m.classes) {
    EXPECT_GE(c.generated, c.injected);
    EXPECT_GE(c.injected, c.received);
    EXPECT_GE(c.generated_bytes, c.received_bytes);
    EXPECT_LE(c.latency.max(), static_cast<std::uint64_t>(m.end.ps));
  }
  for (const FlowResult& flow : m.flows) {
    if (flow.completion == kNever) continue;
    EXPECT_GE(flow.completion.ps, flow.start.ps);
    EXPECT_LE(flow.completion.ps, m.end.ps);
  }
}

// No number of a result is infinite, not a number, or a negative time. Reads number by number: the document of a run
// with millions of flows is larger than the memory that these tests may take.
class PlainNumbers : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t value) override { return look_at(static_cast<double>(value)); }
  bool number_unsigned(number_unsigned_t value) override { return look_at(static_cast<double>(value)); }
  bool number_float(number_float_t value, const string_t&) override { return look_at(value); }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t& name) override {
    key_ = name;
    return true;
  }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) override {
    ADD_FAILURE() << "at byte " << position << ": " << error.what();
    return false;
  }

 private:
  bool look_at(double value) {
    EXPECT_TRUE(std::isfinite(value)) << key_;
    const bool quantity =
        key_.ends_with("_s") || key_.ends_with("_ns") || key_.ends_with("_bps") || key_.ends_with("_bytes");
    if (quantity) {
      EXPECT_GE(value, 0) << key_;
    }
    return !::testing::Test::HasFailure();
  }

  std::string key_;
};

enum class Answer { done, stopped, refused };

struct Refusal {
  std::uint32_t line = 0;
  std::string text;
};

Answer try_scenario(const std::string& text, Refusal& refusal) {
  try {
    const Variant variant{"strange", parse_scenario_text(text, "s.toml", vocabulary()), {}};
    const RunSetup setup = set_up(variant.scenario);
    const double begin = wall_seconds();
    const ProgressReport progress = [begin](double, Time) {
      if (wall_seconds() - begin > 1) throw TooLong{};
    };
    const Measurements measurements = run_simulation(setup, progress);
    expect_sound(measurements);
    const std::vector<PreparedRun> runs{prepare(record_of(variant, *setup.network, measurements))};
    PlainNumbers numbers;
    nlohmann::json::sax_parse(json_document(runs), &numbers);
    report_document(runs, {"weir run s.toml", {}});
    run_text(runs.front(), TextStyle{});
    return Answer::done;
  } catch (const InputError& e) {
    refusal = {e.where().line, e.what()};
    EXPECT_STRNE(e.what(), "");
    return Answer::refused;
  } catch (const TooLong&) {
    return Answer::stopped;
  } catch (const std::bad_alloc&) {
    ADD_FAILURE() << "memory has run out";
    return Answer::stopped;
  } catch (const std::exception& e) {
    ADD_FAILURE() << "no refusal, but an error: " << e.what();
    return Answer::done;
  }
}

// Takes back what is refused until the rest is accepted.
Answer run_what_is_accepted(StrangeScenario& scenario, std::size_t& attempts, bool show) {
  for (;;) {
    alarm(kHangSeconds);
    if (show) fmt::print(stderr, "{}", scenario.text());
    ++attempts;
    Refusal refusal;
    const Answer answer = try_scenario(scenario.text(), refusal);
    if (show && answer == Answer::refused) fmt::print(stderr, "refused: {}\n", refusal.text);
    if (answer != Answer::refused || !scenario.take_back(refusal.line, refusal.text)) return answer;
  }
}

class Strange : public ::testing::TestWithParam<int> {};
constexpr int kParts = 4;

TEST_P(Strange, NothingCrashesHangsOrOverflows) {
  const std::size_t count = from_environment("WEIR_STRANGE_COUNT", scaled_count(40, 600, 120000)) / kParts;
  const std::size_t first = from_environment("WEIR_STRANGE_FROM", 0) + static_cast<std::size_t>(GetParam()) * count;
  const bool show = std::getenv("WEIR_STRANGE_SHOW") != nullptr;
  constexpr int kEnds[] = {SIGABRT, SIGSEGV, SIGFPE, SIGBUS, SIGILL, SIGALRM};
  for (const int signal : kEnds) ::signal(signal, tell);
  limit_memory();
  std::map<Answer, std::size_t> answers;
  std::size_t attempts = 0;
  for (std::size_t number = first; number < first + count && !HasFailure(); ++number) {
    const std::string name = fmt::format("strange scenario {}\n", number);
    name.copy(current_scenario, sizeof current_scenario - 1);
    SCOPED_TRACE(name);
    StrangeScenario scenario(number);
    ++answers[run_what_is_accepted(scenario, attempts, show)];
    if (HasFailure()) fmt::print(stderr, "{}{}", name, scenario.text());
  }
  alarm(0);
  for (const int signal : kEnds) ::signal(signal, SIG_DFL);
  fmt::print("strange scenarios: {} run, {} stopped for time or memory, {} refused, {} refusals on the way\n",
             answers[Answer::done], answers[Answer::stopped], answers[Answer::refused], attempts - count);
  EXPECT_GE(answers[Answer::done], count * 9 / 10) << "most must get behind the parser";
}

INSTANTIATE_TEST_SUITE_P(Parts, Strange, ::testing::Range(0, kParts));

}  // namespace
}  // namespace weir
