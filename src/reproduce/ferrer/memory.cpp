// Paper 001, sections 6.4 and 8.6: what the adapters cost. Table 8.5 states how much memory partial queues and a shared
// buffer need to be as good as a queue per destination; table 8.6 what silicon that takes.
#include <fmt/format.h>

#include <algorithm>

#include "reproduce/ferrer/adapter_memory.h"
#include "reproduce/ferrer/ferrer.h"

namespace weir::ferrer {
namespace {

constexpr Bytes kPayload = 256;  // the tables count payload: 512 hosts x 2 packets x 256 B = 256 KiB

struct Row {
  const NetworkCase* network;
  std::uint32_t hosts, queues;
  Bytes shared;  // bytes
};
constexpr Row kRows[] = {{&kBmin45, 512, 128, 25 * 1024},
                         {&kBmin43, 64, 16, 3 * 1024},
                         {&kBmin83, 512, 128, 25 * 1024},
                         {&kUmin44, 256, 64, 12 * 1024},
                         {&kUmin83, 512, 128, 25 * 1024}};

AdapterCost full(const Row& row) { return adapter_memory({AdapterMemory::fvoq, row.hosts, kPayload, 2, 0, 0}); }
AdapterCost partial(const Row& row) {
  return adapter_memory({AdapterMemory::pvoq, row.hosts, kPayload, 2, row.queues, 0});
}
AdapterCost shared(const Row& row) {
  return adapter_memory({AdapterMemory::sb, row.hosts, kPayload, 2, 0, row.shared});
}

double kib(const AdapterCost& cost) { return static_cast<double>(cost.storage) / 1024; }

// The three adapters under the pulse of pattern I; the networks of figures 8.40 and 8.45 are judged there.
struct Suffices {
  double fvoq = 0, pvoq = 0, sb = 0;
};
std::vector<Suffices> run_rows(Reproduction& r, const std::vector<const Row*>& rows) {
  std::vector<Suffices> found(rows.size());
  r.parallel(3 * rows.size(), [&](std::size_t i) {
    const Row& row = *rows[i / 3];
    Contender c = scheme("mvcm");
    if (i % 3 == 1) c.settings.insert(c.settings.end(), {{"adapter.organisation", "modulo"},
                                                         {"adapter.queues", std::to_string(row.queues)}});
    if (i % 3 == 2) c.settings.insert(c.settings.end(), {{"adapter.organisation", "shared"},
                                                         {"adapter.memory", fmt::format("{}B", row.shared)}});
    const double mean =
        read_pulse(simulate(pulse(r, *row.network, row.network->bytes_per_cycle[1], c))).cold_mean;
    Suffices& s = found[i / 3];
    (i % 3 == 0 ? s.fvoq : i % 3 == 1 ? s.pvoq : s.sb) = mean;
  });
  return found;
}

}  // namespace

void table_8_5(Reproduction& r) {
  for (const Row& row : kRows) {
    const std::string name(row.network->title);
    r.value("memory of FVOQ, " + name, kib(full(row)));
    r.value("memory of PVOQ, " + name, kib(partial(row)));
    r.value("saved by PVOQ, " + name, 100 * memory_saved(partial(row), full(row)));
    r.value("saved by SB, " + name, 100 * memory_saved(shared(row), full(row)));
    r.report("counters of PVOQ and SB, " + name, fmt::format("{} B", partial(row).counters));
  }
  const std::vector<const Row*> rows{&kRows[2], &kRows[3], &kRows[4]};
  const std::vector<Suffices> found = run_rows(r, rows);
  bool enough = true;
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Suffices& s = found[i];
    enough &= std::max(s.pvoq, s.sb) < 1.25 * s.fvoq;
    text += fmt::format("{}{}: FVOQ {}, PVOQ {}, SB {}", i == 0 ? "" : "; ", rows[i]->network->title, cycles(s.fvoq),
                        cycles(s.pvoq), cycles(s.sb));
  }
  r.statement("these sizes are as good as FVOQ in the other networks, pattern I", enough, text);
  r.note("Sizes follow from hosts, window and packet by formula; that they suffice is shown by ferrer/fig-8.40 to 8.48 "
         "for two networks and here, under pattern I, for the other three.");
}

void table_8_6(Reproduction& r) {
  for (const Row& row : kRows) {
    if (row.network == &kUmin83) continue;  // printed once for all networks with 512 hosts and k = 8
    const std::string name(row.network->title);
    const double whole = silicon_area_mm2(AdapterMemory::fvoq, full(row).storage);
    const double few = silicon_area_mm2(AdapterMemory::pvoq, partial(row).storage);
    const double one = silicon_area_mm2(AdapterMemory::sb, shared(row).storage);
    r.value("area of FVOQ, " + name, whole);
    r.value("area of PVOQ, " + name, few);
    r.value("area of SB, " + name, one);
    r.value("area saved by PVOQ, " + name, 100 * (1 - few / whole));
    r.value("area saved by SB, " + name, 100 * (1 - one / whole));
  }
  r.note("An estimate: straight lines through the printed areas over the sizes of table 8.5. It shows that the table "
         "is linear in the memory, not that the areas are right.");
}

}  // namespace weir::ferrer
