// Small random scenarios over everything that can be combined: fabrics, switches, flow control, lanes, adapters,
// traffic and schemes. All of their traffic is finite, so that a run to the end must deliver all of it.
#pragma once
#include <string>
#include <vector>

#include "base/random.h"
#include "run/lab.h"

namespace weir::testing {

class RandomScenario {
 public:
  // With any scheme that is registered, a scheme may refuse the scenario for what it lacks; none and window never do.
  enum class Schemes { simple, any };
  // Plain: what the engine's fast path is for, and nothing else.
  explicit RandomScenario(std::uint64_t number, Schemes which = Schemes::simple, bool plain = false)
      : random_(number, Purpose::test, 77), any_scheme_(which == Schemes::any), plain_(plain) {}

  // On a fabric of several switches, with cables that take time: threads can share nothing of one switch, nor of
  // nodes that meet at one instant.
  RandomScenario& divisible() {
    divisible_ = true;
    return *this;
  }
  std::string text() {
    topology();
    const std::string link = links();
    const std::string packet = packets();
    const std::string switches = switch_lines();
    const std::string traffic = traffic_entries();
    return fmt::format(
        "seed = {}\n[topology]\n{}[link]\n{}[packet]\n{}[switch]\n{}[adapter]\n{}[routing]\n{}[scheme]\n{}{}",
        random_.below(1000), topology_, link, packet, switches, adapter(), routing_, scheme(), traffic + measure());
  }

 private:
  std::uint64_t below(std::uint64_t n) { return random_.below(n); }
  std::string one_of(const std::vector<std::string>& choices) { return choices[below(choices.size())]; }

  void topology() {
    switch (below(7)) {
      case 0:
        tree(2, 2 + below(2), "");
        break;
      case 1:
        tree(2 + below(2), 2, "modified-");
        break;
      case 2:
        multistage("umin", 2 + below(2), 2 + below(2));
        break;
      case 3:
        multistage("bmin", 2, 2 + below(3));
        break;
      case 4:
        two_switch();
        break;
      case 5:
        if (divisible_) two_switch();
        else star();
        break;
      case 6:
        graph();
        break;
    }
    if (!plain_ && below(4) == 0) routing_ += "choice = 'live-queue'\n";
  }
  void tree(std::uint64_t k, std::uint64_t n, const char* modified) {
    hosts_ = n == 2 ? k * k : k * k * k;
    topology_ = fmt::format("kind = '{}k-ary-n-tree'\nk = {}\nn = {}\n", modified, k, n);
  }
  void multistage(const char* kind, std::uint64_t k, std::uint64_t n) {
    hosts_ = 1;
    for (std::uint64_t i = 0; i < n; ++i) hosts_ *= k;
    topology_ = fmt::format("kind = '{}'\nk = {}\nn = {}\n", kind, k, n);
  }
  void two_switch() {
    const std::uint64_t left = 1 + below(4), right = 1 + below(4);
    hosts_ = left + right;
    topology_ = fmt::format("kind = 'two-switch'\nleft = {}\nright = {}\nlinks = {}\n{}", left, right, 1 + below(3),
                            plain_ || below(2) == 0 ? "" : "middle_rate = '5Gbps'\n");
  }
  void star() {
    hosts_ = 2 + below(7);
    topology_ = fmt::format("kind = 'star'\nhosts = {}\n", hosts_);
  }
  // A random connected graph; up*/down* keeps it free of deadlock, also with chords and parallel cables.
  void graph() {
    const std::uint64_t switches = 2 + below(5);
    hosts_ = switches + below(3);
    std::string hosts, names, cables;
    for (std::uint64_t s = 0; s < switches; ++s) {
      names += fmt::format(R"("S{}", )", s);
      if (s > 0) cables += fmt::format(R"(["S{}", "S{}"{}], )", s, below(s),
                                       !plain_ && below(4) == 0 ? R"(, "25Gbps")" : "");
    }
    for (std::uint64_t extra = below(4); extra > 0; --extra) {
      const std::uint64_t a = below(switches), b = below(switches);
      if (a != b) cables += fmt::format(R"(["S{}", "S{}", "30ns"], )", a, b);
    }
    for (std::uint64_t h = 0; h < hosts_; ++h) {
      hosts += fmt::format(R"("H{}", )", h);
      cables += fmt::format(R"(["H{}", "S{}"], )", h, h < switches ? h : below(switches));
    }
    topology_ = fmt::format("kind = 'graph'\nhosts = [{}]\nswitches = [{}]\nlinks = [{}]\n", hosts, names, cables);
    routing_ = "kind = 'up-down'\n";
  }

  std::string links() {
    delay_ns_ = below(3) == 0 && !divisible_ ? 0 : below(200);
    if (divisible_) ++delay_ns_;
    std::string lines =
        fmt::format("rate = '{}'\ndelay = '{}ns'\n", one_of({"8Gbps", "10Gbps", "7Gbps"}), delay_ns_);
    if (!plain_ && below(4) == 0) lines += fmt::format("host_rate = '{}'\n", one_of({"4Gbps", "40Gbps"}));
    return lines;
  }

  std::string packets() {
    const std::string sizes = one_of({"[500]", "[1000]", "[100, 1500]", "[64, 300, 2000]"});
    largest_ = sizes == "[500]" ? 500 : sizes == "[1000]" ? 1000 : sizes == "[100, 1500]" ? 1500 : 2000;
    header_ = below(2) * 22;
    largest_ += header_;
    return fmt::format("payload = {}\nheader = '{}B'\nack = '{}B'\n", sizes, header_, 10 + below(60));
  }

  std::string switch_lines() {
    const std::string organisation =
        plain_ ? one_of({"voq-input", "output-queued"}) : one_of({"voq-input", "fifo-in-out", "output-queued"});
    const bool crossbar = organisation == "fifo-in-out";
    std::string lines = fmt::format("organisation = '{}'\nroute_delay = '{}ns'\nswitch_delay = '{}ns'\n",
                                    organisation, below(3) * 10, below(3) * 15);
    if (organisation != "output-queued")
      lines += fmt::format("arbitration = '{}'\n", plain_ ? "fcfs" : one_of({"fcfs", "round-robin", "oldest-first"}));
    lines += fmt::format("switching = '{}'\ncredit_delay = '{}ns'\n", one_of({"cut-through", "store-and-forward"}),
                         below(2) * 25);
    lanes_ = plain_ ? 1 : 1 + below(3);
    lines += fmt::format("lanes = {}\n", lanes_);
    if (lanes_ > 1 && below(2) == 0) lines += "priority = 'preemptive'\n";
    if (crossbar)
      lines += fmt::format("speedup = {}\n", one_of({"1", "1.5", "2", "4"}));
    else if (below(3) == 0)
      lines += "release = 'head'\n";
    return lines + buffers(crossbar);
  }

  std::string buffers(bool crossbar) {
    if (!plain_ && below(4) == 0) {  // PAUSE: the headroom at 40 Gb/s over the longest way there and back, and a bit
      const std::uint64_t headroom = 3 * largest_ + 5 * (2 * delay_ns_ + 200);
      return fmt::format("flow_control = 'pause'\nbuffer = '{}B'\n", headroom + below(4) * largest_);
    }
    const std::uint64_t packets = 1 + below(4);
    if (below(3) == 0) return fmt::format("buffer_packets = {}\n", packets);
    const bool payload = below(3) == 0;
    const std::uint64_t unit = payload ? largest_ - header_ : largest_;
    std::string lines = fmt::format("buffer = '{}B'\n", packets * unit + below(2) * below(100));
    if (payload) lines += "buffer_counts = 'payload-bytes'\n";
    if (crossbar && below(2) == 0) lines += fmt::format("output_buffer = '{}B'\n", largest_ + below(3) * 700);
    return lines;
  }

  std::string adapter() {
    const std::string organisation = one_of({"fifo", "per-destination", "shared", "per-flow", "auto", "modulo"});
    std::string lines = fmt::format("organisation = '{}'\n", organisation);
    if (organisation == "modulo") lines += "queues = 2\n";
    if (below(3) == 0) lines += "service = 'oldest-first'\n";
    if (below(3) == 0) lines += fmt::format("memory = '{}B'\n", largest_ + below(3) * 1000);
    if (below(4) == 0) lines += fmt::format("queue_limit = '{}B'\n", largest_ + below(3) * 1000);
    if (below(3) == 0) lines += "acks = true\n";
    return lines + fmt::format("ack_lane = {}\n", below(lanes_));
  }

  std::string scheme() {
    if (!any_scheme_ || below(2) == 0) return fmt::format("name = '{}'\n", one_of({"none", "window"}));
    return fmt::format("name = '{}'\n", schemes()[below(schemes().size())].name);
  }

  std::string traffic_entries() {
    std::string entries;
    bool flows = false;
    const std::uint64_t count = 1 + below(3);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::string common =
          fmt::format("[[traffic]]\nlane = {}\nclass = '{}'\n", below(lanes_), one_of({"a", "b"}));
      flows |= entry(entries, common);
    }
    // Sources stop at 40 us; what they have sent by then must be delivered long before the end.
    entries += flows ? "[run]\nuntil = 'flows'\nsettle = '20ms'\n" : "[run]\nduration = '20ms'\n";
    return entries;
  }

  // True if the entry consists of finite flows.
  bool entry(std::string& entries, const std::string& common) {
    const std::string arrivals = one_of({"constant", "bernoulli", "poisson"});
    // Slots of the largest packet carry less than a full link where sizes are mixed.
    const std::string load = fmt::format("arrivals = '{}'\nload = 0.{}\n", arrivals,
                                         arrivals == "bernoulli" ? 1 + below(3) : 1 + below(9));
    const std::string stop = fmt::format("stop = '{}us'\n", 5 + below(20));
    switch (below(8)) {
      case 0:
        entries += common + "pattern = 'uniform'\n" + load + stop + self();
        return false;
      case 1:
        entries += common +
                   fmt::format("pattern = 'hotspot'\ntarget = {}\npackets = {}\n", below(hosts_), 10 + below(60)) +
                   load + (below(3) == 0 ? "after_received = 1\nstart = '1us'\n" : "");
        return false;
      case 2:
        entries += common + fmt::format("pattern = 'burst'\ntarget = {}\npackets = {}\nspread = '10us'\n",
                                        below(hosts_), 1 + below(8));
        return false;
      case 3:
        entries += common + "pattern = 'shift'\n" + load + stop;
        return false;
      case 4:
        entries += common + fmt::format("pattern = 'permutation'\nbytes = '{}B'\n", 1 + below(9000));
        return true;
      case 5:
        entries += common + fmt::format("pattern = 'incast'\ntarget = {}\nbytes = '{}B'\nspread = '3us'\n",
                                        below(hosts_), 1 + below(9000));
        return true;
      case 6:
        entries += common + fmt::format("pattern = 'all-to-all'\nbytes = '{}B'\n", 1 + below(1500));
        return true;
      default:
        entries +=
            common + fmt::format(
                         R"(pattern = "phases"
phases = {}
compute = "{}us"
exchange = ["{}"]
bytes = "{}B"
)",
                         1 + below(3), below(3), one_of({"permutation", "shift", "all-to-all"}), 1 + below(3000));
        return true;
    }
  }
  std::string self() { return below(3) == 0 ? "include_self = true\n" : ""; }

  std::string measure() {
    return below(2) == 0 ? "" : fmt::format("[measure]\nframes = {}\n", below(9));
  }

  RandomStream random_;
  bool any_scheme_, plain_, divisible_ = false;
  std::string topology_, routing_;
  std::uint64_t hosts_ = 0, lanes_ = 1, largest_ = 0, header_ = 0, delay_ns_ = 0;
};

}  // namespace weir::testing
