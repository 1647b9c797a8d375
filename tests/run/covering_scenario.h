// Random small scenarios of which every one states what it is made of, so that it can be counted whether a set of them
// covers all pairs of choices. Unlike those of random_scenario.h they are short, may end with packets under way, and
// give every scheme what it needs. A number makes the same text for ever: recorded fingerprints name scenarios so.
#pragma once
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "run/lab.h"

namespace weir::testing {

struct ChoiceOf {
  std::string_view what;
  std::vector<std::string_view> values;
};

// In this order they are drawn.
inline const std::vector<ChoiceOf>& covered_choices() {
  static const std::vector<ChoiceOf> all = {
      {"scheme",
       {"none",
        "window",
        "mvcm",
        "iocm",
        "renato",
        "pfister",
        "marking",
        "qcn",
        "ecm",
        "dcqcn",
        "hpcc",
        "timely",
        "cca",
        "dcms",
        "saa",
        "saa-m",
        "ffa",
        "afa",
        "saa distributed",
        "saa piggy-backed",
        "saa-m distributed",
        "ffa distributed",
        "afa distributed"}},
      {"topology", {"tree", "modified tree", "umin", "bmin", "two switches", "star", "graph"}},
      {"organisation", {"voq-input", "fifo-in-out", "output-queued"}},
      {"arbitration", {"fcfs", "round-robin", "oldest-first"}},
      {"flow control", {"credits", "pause"}},
      {"switching", {"cut-through", "store-and-forward"}},
      {"lanes", {"one", "two", "preemptive"}},
      {"buffers count", {"packet-bytes", "payload-bytes", "packets"}},
      {"release", {"tail", "head"}},
      {"route", {"fixed", "live-queue", "snooping", "flow-setup"}},
      {"adapter", {"fifo", "per-destination", "modulo", "shared", "per-flow"}},
      {"service", {"round-robin", "oldest-first"}},
      {"limit", {"none", "memory", "queue_limit"}},
      {"acks", {"asked for", "as needed"}},
      {"pattern",
       {"uniform", "hotspot", "burst", "permutation", "shift", "random", "incast", "all-to-all", "flows", "phases",
        "trace"}},
      {"watch", {"nothing", "ports"}},
      {"rates", {"equal", "mixed"}},
      {"delays", {"none", "some"}},
      {"ending", {"duration", "flows", "class"}},
  };
  return all;
}

class CoveringScenario {
 public:
  explicit CoveringScenario(std::uint64_t number) : number_(number) {
    for (const ChoiceOf& choice : covered_choices()) chosen_.push_back(one_of(choice.what, choice.values));
    respect_limits();
  }

  std::string_view chosen(std::string_view what) const { return chosen_[place_of(what)]; }
  const std::vector<std::string_view>& chosen() const { return chosen_; }
  // Can these two go together in any scenario?
  static bool possible(std::string_view one, std::string_view a, std::string_view other, std::string_view b);

  std::string text() {
    // One after the other: sizes are drawn on the way.
    std::string all = fmt::format("seed = {}\n", below("seed", 1000));
    all += "[topology]\n" + topology_lines();
    all += "[link]\n" + link_lines();
    all += "[packet]\n" + packet_lines();
    all += "[switch]\n" + switch_lines();
    all += "[adapter]\n" + adapter_lines();
    all += "[routing]\n" + routing_lines();
    all += "[scheme]\n" + scheme_lines();
    return all + traffic_entries() + measure_lines() + run_lines();
  }
  // What the file of pattern "trace" holds.
  static std::string trace(const std::string&) {
    return "time,source,destination,bytes,id,after\n0,0,1,900,a,\n0,1,0,2500,b,\n700,0,1,3000,c,a\n900,1,0,40,d,b\n"
           "900,0,1,5000,e,c\n";
  }

 private:
  static std::size_t place_of(std::string_view what) {
    const std::vector<ChoiceOf>& all = covered_choices();
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i].what == what) return i;
    fail(__FILE__, __LINE__, "no such choice");
  }
  // Every draw has a name, so that it does not depend on the order of drawing, which compilers may choose.
  std::uint64_t below(std::string_view name, std::uint64_t n) const {
    std::uint64_t hash = 14695981039346656037u;
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    return RandomStream(number_, Purpose::test, hash).below(n);
  }
  std::string_view one_of(std::string_view name, const std::vector<std::string_view>& values) const {
    return values[below(name, values.size())];
  }
  bool is(std::string_view what, std::string_view value) const { return chosen(what) == value; }
  void set(std::string_view what, std::string_view value) { chosen_[place_of(what)] = value; }
  bool scheme_in(const std::vector<std::string_view>& names) const {
    return std::find(names.begin(), names.end(), chosen("scheme")) != names.end();
  }
  bool distributed() const { return chosen("scheme").find(' ') != std::string_view::npos; }
  bool explicit_rates() const { return distributed() || scheme_in({"saa", "saa-m", "ffa", "afa"}); }
  static bool of_flows(std::string_view pattern) {
    return pattern != "uniform" && pattern != "hotspot" && pattern != "burst";
  }

  // The later of two choices that exclude each other gives way.
  void respect_limits() {
    if (is("organisation", "output-queued")) set("arbitration", "fcfs");
    if (is("scheme", "afa distributed") && is("topology", "umin"))
      set("topology", one_of("which fabric", {"bmin", "tree"}));
    if (distributed() && is("lanes", "one")) set("lanes", one_of("which lanes", {"two", "preemptive"}));
    if (is("flow control", "pause")) set("buffers count", "packet-bytes");
    const bool marks_outputs = scheme_in({"mvcm", "iocm", "pfister", "marking"});
    if (marks_outputs && !is("organisation", "fifo-in-out")) set("buffers count", "packet-bytes");
    if (is("organisation", "fifo-in-out")) set("release", "tail");
    if (is("scheme", "renato")) set("route", "fixed");
    if (explicit_rates() && !is("route", "fixed")) set("route", "flow-setup");
    const bool notifies = scheme_in({"qcn", "ecm"});
    if (is("route", "snooping") && (!notifies || is("topology", "umin"))) set("route", "live-queue");
    if (is("scheme", "afa distributed") && !of_flows(chosen("pattern")))
      set("pattern", one_of("which flows", {"phases", "incast"}));
    if (!of_flows(chosen("pattern")) && is("ending", "flows")) set("ending", "class");
  }

  std::string topology_lines() {
    const std::string_view kind = chosen("topology");
    if (kind == "tree" || kind == "modified tree") {
      const std::uint64_t k = 2 + below("k", 2), n = k == 2 ? 2 + below("n", 2) : 2;
      hosts_ = n == 2 ? k * k : k * k * k;
      return fmt::format("kind = '{}k-ary-n-tree'\nk = {}\nn = {}\n", kind == "tree" ? "" : "modified-", k, n);
    }
    if (kind == "umin" || kind == "bmin") {
      const std::uint64_t n = 2 + below("n", 2);
      hosts_ = std::uint64_t{1} << n;
      return fmt::format("kind = '{}'\nk = 2\nn = {}\n", kind, n);
    }
    if (kind == "star") {
      hosts_ = 3 + below("hosts", 5);
      return fmt::format("kind = 'star'\nhosts = {}\n", hosts_);
    }
    if (kind == "two switches") {
      const std::uint64_t left = 1 + below("left", 4), right = 1 + below("right", 4);
      hosts_ = left + right;
      return fmt::format("kind = 'two-switch'\nleft = {}\nright = {}\nlinks = {}\n{}", left, right,
                         1 + below("links", 3), is("rates", "mixed") ? "middle_rate = '5Gbps'\n" : "");
    }
    return graph_lines();
  }
  // A chain of switches with a chord.
  std::string graph_lines() {
    const std::uint64_t switches = 3 + below("switches", 3);
    hosts_ = switches + below("hosts", 3);
    std::string hosts, names, cables;
    for (std::uint64_t s = 0; s < switches; ++s) {
      names += fmt::format(R"("S{}", )", s);
      if (s > 0) cables += fmt::format(R"(["S{}", "S{}"{}], )", s - 1, s, is("rates", "mixed") ? R"(, "25Gbps")" : "");
    }
    cables += fmt::format(R"(["S0", "S{}"], )", switches - 1);
    for (std::uint64_t h = 0; h < hosts_; ++h) {
      hosts += fmt::format(R"("H{}", )", h);
      cables += fmt::format(R"(["H{}", "S{}"], )", h, h % switches);
    }
    return fmt::format("kind = 'graph'\nhosts = [{}]\nswitches = [{}]\nlinks = [{}]\n", hosts, names, cables);
  }
  std::string link_lines() {
    delay_ns_ = is("delays", "none") ? 0 : 1 + below("delay", 200);
    const bool elsewhere = is("topology", "two switches") || is("topology", "graph");
    return fmt::format("rate = '{}'\ndelay = '{}ns'\n{}", one_of("rate", {"8Gbps", "10Gbps", "7Gbps"}), delay_ns_,
                       is("rates", "mixed") && !elsewhere
                           ? fmt::format("host_rate = '{}'\n", one_of("host rate", {"4Gbps", "40Gbps"}))
                           : "");
  }
  std::string packet_lines() {
    const std::string_view sizes = one_of("sizes", {"[500]", "[1000]", "[100, 1500]", "[64, 300, 2000]"});
    header_ = below("header", 2) * 22;
    largest_ = (sizes == "[500]" ? 500 : sizes == "[1000]" ? 1000 : sizes == "[100, 1500]" ? 1500 : 2000) + header_;
    return fmt::format("payload = {}\nheader = '{}B'\nack = '{}B'\n", sizes, header_, 10 + below("ack", 60));
  }
  std::string switch_lines() {
    const bool some = is("delays", "some"), crossbar = is("organisation", "fifo-in-out");
    lanes_ = is("lanes", "one") ? 1 : is("lanes", "two") ? 2 : 3;
    std::string lines = fmt::format(
        R"(organisation = "{}"
arbitration = "{}"
switching = "{}"
lanes = {}
route_delay = "{}ns"
switch_delay = "{}ns"
credit_delay = "{}ns"
)",
        chosen("organisation"), chosen("arbitration"), chosen("switching"), lanes_,
        some ? below("route delay", 3) * 10 : 0, some ? below("switch delay", 3) * 15 : 0,
        some ? below("credit delay", 2) * 25 : 0);
    if (is("lanes", "preemptive"))
      lines += fmt::format("priority = 'preemptive'\nexpress_from = {}\n", 1 + below("express", 2));
    if (crossbar)
      lines += fmt::format("speedup = {}\n", one_of("speedup", {"1", "1.5", "2", "4"}));
    else
      lines += fmt::format("release = '{}'\n", chosen("release"));
    if (is("flow control", "pause"))
      return lines + fmt::format("flow_control = 'pause'\nbuffer = '{}B'\n",
                                 3 * largest_ + 5 * (2 * delay_ns_ + 200) + below("room", 4) * largest_);
    const std::uint64_t packets = 1 + below("packets", 4);
    if (is("buffers count", "packets")) return lines + fmt::format("buffer_packets = {}\n", packets);
    const bool payload = is("buffers count", "payload-bytes");
    return lines + fmt::format("buffer = '{}B'\nbuffer_counts = '{}'\n",
                               packets * (payload ? std::max<std::uint64_t>(largest_ - header_, 70) : largest_) +
                                   below("odd", 2) * below("odd bytes", 100),
                               chosen("buffers count"));
  }
  std::string adapter_lines() {
    std::string lines =
        fmt::format("organisation = '{}'\nservice = '{}'\nacks = {}\nack_lane = {}\n", chosen("adapter"),
                    chosen("service"), is("acks", "asked for"), below("ack lane", lanes_));
    if (is("adapter", "modulo")) lines += "queues = 2\n";
    if (is("limit", "memory")) lines += fmt::format("memory = '{}B'\n", largest_ + below("memory", 3) * 1000);
    if (is("limit", "queue_limit"))
      lines += fmt::format("queue_limit = '{}B'\n", largest_ + below("queue", 3) * 1000);
    return lines;
  }
  std::string routing_lines() {
    std::string lines = is("topology", "graph") ? "kind = 'up-down'\n" : "";
    lines += fmt::format("choice = '{}'\n", chosen("route"));
    if (is("route", "snooping"))
      lines += fmt::format(
          R"(snoop_timer = "{}us"
snoop_timing = "{}"
snoop_queue = "1000B"
snoop_return = "{}"
)",
          5 + below("snoop timer", 20), one_of("snoop timing", {"restart", "once", "each"}),
          one_of("snoop return", {"random", "default"}));
    if (is("route", "flow-setup"))
      lines += fmt::format("setup_measure = '{}'\nsetup_connections = {}\n", one_of("measure", {"flows", "weight"}),
                           below("connections", 3));
    return lines;
  }
  std::string scheme_lines() {
    const std::string_view scheme = chosen("scheme");
    const std::string name = fmt::format("name = '{}'\n", scheme.substr(0, scheme.find(' ')));
    if (scheme == "window") return name + fmt::format("packets = {}\n", 1 + below("window", 3));
    if (scheme == "renato")
      return name + fmt::format("delay = '{}'\n", one_of("delay kind", {"fimd", "aimd", "lipd"}));
    if (scheme == "marking")
      return name + fmt::format("detection = '{}'\nwindow = '{}'\ndelay = '{}'\n",
                                one_of("detection", {"opm", "iopm", "mvpm"}),
                                one_of("window kind", {"none", "static", "dynamic"}),
                                one_of("delay kind", {"none", "slots", "table", "aimd"}));
    if (scheme == "qcn" || scheme == "ecm")
      return name + fmt::format("qeq = '1500B'\nsample_interval = '3kB'\nlane = {}\n{}",
                                below("notification lane", lanes_), scheme == "ecm" ? "severe = '4kB'\n" : "");
    if (scheme == "dcqcn")
      return name + fmt::format("variant = '{}'\nmark_at = '{}'\ncnp_timing = '{}'\ncnp_interval = '2us'\n"
                                "kmin = '600B'\nkmax = '3kB'\ncnp_lane = {}\n",
                                one_of("variant", {"paper", "adapter"}), one_of("mark", {"departure", "arrival"}),
                                one_of("timing", {"gap", "window"}), below("CNP lane", lanes_));
    if (scheme == "hpcc") return name + fmt::format("max_stage = {}\n", below("stages", 3));
    if (scheme == "timely")
      return name + fmt::format("variant = '{}'\npacing = '{}'\nsegment = '1kB'\nt_low = '1us'\nt_high = '9us'\n"
                                "min_rtt = '2us'\n",
                                one_of("variant", {"paper", "patched"}), one_of("pacing", {"segments", "packets"}));
    if (scheme == "cca")
      return name + fmt::format("threshold = 15\nmarking_rate = {}\nccti_timer = 2\n", below("marking", 3));
    if (scheme == "dcms")
      return name +
             R"(threshold = 15
marking_rate = 8
answer_timeout = "15us"
period = "20us"
calm_period = "25us"
)";
    if (!explicit_rates()) return name;
    std::string lines = name + fmt::format("injection = '{}'\n", one_of("injection", {"ps", "svc", "leaky-bucket"}));
    if (distributed()) lines += "method = 'distributed'\nreserved = '20%'\n";
    if (scheme == "saa piggy-backed") lines += "probes = 'piggy-backed'\n";
    if (scheme == "saa distributed" || scheme == "saa-m distributed") lines += "probe_every = '5us'\n";
    return lines;
  }

  std::string traffic_entries() {
    const std::string_view pattern = chosen("pattern");
    std::string entries = entry(pattern, "a");
    // Beside it, something that meets it.
    const std::string_view other =
        is("scheme", "afa distributed") ? "incast" : one_of("beside", {"uniform", "hotspot", "incast"});
    return entries + entry(other, "b");
  }
  std::string entry(std::string_view pattern, std::string_view traffic_class) {
    const auto draw = [&](std::string_view name, std::uint64_t n) {
      return below(fmt::format("{} of {}", name, traffic_class), n);
    };
    const auto pick = [&](const std::vector<std::string_view>& values) { return values[draw("word", values.size())]; };
    std::string lines = fmt::format("[[traffic]]\npattern = '{}'\nclass = '{}'\nlane = {}\n", pattern,
                                    traffic_class, draw("lane", distributed() ? lanes_ - 1 : lanes_));
    if (pattern == "hotspot" || pattern == "burst" || pattern == "incast")
      lines += fmt::format("target = {}\n", draw("target", hosts_));
    if (pattern == "burst")
      return lines + fmt::format("packets = {}\nspread = '10us'\nload = 0.8\n", 1 + draw("packets", 8));
    const bool either = pattern == "shift" || pattern == "permutation";  // flows or random packets
    const bool only_flows = is("ending", "flows") || is("scheme", "afa distributed");
    if (!of_flows(pattern) || (either && !only_flows && draw("open", 3) == 0))
      return lines + fmt::format("arrivals = '{}'\nload = 0.{}\nstop = '{}us'\n{}",
                                 pick({"constant", "bernoulli", "poisson"}), 1 + draw("load", 3), 15 + draw("stop", 30),
                                 draw("after", 4) == 0 ? "after_received = 3\n" : "");
    if (pattern == "flows")
      return lines + "list = [[0, 1, 7000, '0us'], [1, 0, 3000, '1us'], [0, 1, 9000, '0us']]\n";
    if (pattern == "trace") return lines + "file = 'builtin:t.csv'\nranks = 2\n";
    if (pattern == "phases")
      return lines + fmt::format("phases = {}\ncompute = '{}us'\nexchange = ['{}']\nbytes = '{}B'\n",
                                 1 + draw("phases", 3), draw("compute", 3),
                                 pick({"permutation", "shift", "all-to-all"}), 1 + draw("bytes", 3000));
    return lines + fmt::format("bytes = '{}B'\n", 1 + draw("bytes", pattern == "all-to-all" ? 2500 : 15000));
  }
  std::string measure_lines() const {
    std::string lines = "[measure]\nframes = 8\n";
    if (is("watch", "ports")) lines += fmt::format("watch = ['{}']\nwatch_bin = '7us'\n", "H1");
    return lines;
  }
  std::string run_lines() {
    if (is("ending", "duration"))
      return fmt::format("[run]\nduration = '{}us'\nwarmup = '5us'\n", 40 + below("duration", 40));
    const std::string more = fmt::format("settle = '{}us'\nmax_time = '150us'\n", below("settle", 5));
    return is("ending", "flows") ? "[run]\nuntil = 'flows'\n" + more
                                 : "[run]\nuntil = 'class'\nclass = 'a'\n" + more;
  }

  std::uint64_t number_;
  std::vector<std::string_view> chosen_;
  std::uint64_t hosts_ = 0, lanes_ = 1, largest_ = 0, header_ = 0, delay_ns_ = 0;
};

inline bool CoveringScenario::possible(std::string_view one, std::string_view a, std::string_view other,
                                       std::string_view b) {
  const auto pair = [&](std::string_view what, std::string_view value, std::string_view with, std::string_view of) {
    return (one == what && a == value && other == with && b == of) ||
           (one == with && a == of && other == what && b == value);
  };
  const auto scheme_is = [&](std::string_view name) { return (one == "scheme" && a == name); };
  const auto other_is = [&](std::string_view what, std::string_view value) { return other == what && b == value; };
  if (pair("organisation", "output-queued", "arbitration", "round-robin")) return false;
  if (pair("organisation", "output-queued", "arbitration", "oldest-first")) return false;
  if (pair("organisation", "fifo-in-out", "release", "head")) return false;
  if (pair("flow control", "pause", "buffers count", "payload-bytes")) return false;
  if (pair("flow control", "pause", "buffers count", "packets")) return false;
  if (pair("topology", "umin", "route", "snooping")) return false;
  if (pair("scheme", "afa distributed", "topology", "umin")) return false;
  for (const std::string_view pattern : {"uniform", "hotspot", "burst"}) {
    if (pair("pattern", pattern, "ending", "flows")) return false;
    if (pair("scheme", "afa distributed", "pattern", pattern)) return false;
  }
  if (one != "scheme") return true;  // the first of the choices
  const bool distributed = a.find(' ') != std::string_view::npos;
  const bool rates = distributed || scheme_is("saa") || scheme_is("saa-m") || scheme_is("ffa") || scheme_is("afa");
  if (distributed && other_is("lanes", "one")) return false;
  if (rates && (other_is("route", "live-queue") || other_is("route", "snooping"))) return false;
  if (scheme_is("renato") && other == "route") return b == "fixed";
  return !other_is("route", "snooping") || scheme_is("qcn") || scheme_is("ecm");
}

}  // namespace weir::testing
