// weir-mpi: what `weir run` and `weir sweep` become under mpirun. One run is shared by all ranks (mpi_ranks.h); rank 0
// alone writes and speaks. In a sweep, rank 0 reads the scenario, deals out runs and is the only one that writes; the
// other ranks read the same scenario, take a run when they are idle and send back its rows. Each rank that works says
// once a second that it is alive. One that falls silent counts as lost, and its run is dealt again; should it come back
// after all, its result is as good as the other one.
#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <future>
#include <memory>
#include <thread>

#include "app/commands.h"
#include "app/mpi/mpi_calls.h"
#include "app/mpi/mpi_ranks.h"
#include "app/process.h"
#include "app/runner.h"
#include "app/sweep/sweep.h"

namespace weir {
namespace {

enum Tag { kAlive = 1, kResult, kTask, kEnd };
enum Word : int { kGo, kNothingToDo };

constexpr double kAliveEvery = 1;
constexpr auto kNap = std::chrono::milliseconds(1);

struct Alive {
  double share = 0;
};

// The size, then the bytes in pieces.
void send_bytes(const std::string& bytes, int to, int tag) {
  const std::uint64_t size = bytes.size();
  check(MPI_Send(&size, sizeof size, MPI_BYTE, to, tag, MPI_COMM_WORLD), "send a size");
  for (std::size_t at = 0; at < bytes.size(); at += kPiece) {
    const auto piece = static_cast<int>(std::min(kPiece, bytes.size() - at));
    check(MPI_Send(bytes.data() + at, piece, MPI_BYTE, to, tag, MPI_COMM_WORLD), "send a result");
  }
}

std::string receive_bytes(int from, int tag) {
  std::uint64_t size = 0;
  check(MPI_Recv(&size, sizeof size, MPI_BYTE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE), "receive a size");
  std::string bytes(size, '\0');
  for (std::size_t at = 0; at < bytes.size(); at += kPiece) {
    const auto piece = static_cast<int>(std::min(kPiece, bytes.size() - at));
    check(MPI_Recv(bytes.data() + at, piece, MPI_BYTE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
          "receive a result");
  }
  return bytes;
}

// The same without waiting, since a rank may die while it sends: its last piece never comes.
class Arriving {
 public:
  Arriving(int from, int tag) : from_(from), tag_(tag) { receive(&size_, sizeof size_); }
  bool complete() const { return has_size_ && at_ == bytes_.size(); }
  std::string take() { return std::move(bytes_); }

  // True if something has come since.
  bool advance() {
    int done = 0;
    check(MPI_Test(&request_, &done, MPI_STATUS_IGNORE), "receive a result");
    if (done == 0) return false;
    at_ += piece_;
    if (!has_size_) bytes_.resize(size_);
    has_size_ = true;
    piece_ = std::min(kPiece, bytes_.size() - at_);
    if (piece_ > 0) receive(bytes_.data() + at_, piece_);
    return true;
  }

 private:
  void receive(void* to, std::size_t size) {
    check(MPI_Irecv(to, static_cast<int>(size), MPI_BYTE, from_, tag_, MPI_COMM_WORLD, &request_), "receive a result");
  }

  int from_, tag_;
  MPI_Request request_ = MPI_REQUEST_NULL;
  std::uint64_t size_ = 0;
  bool has_size_ = false;
  std::string bytes_;
  std::size_t at_ = 0, piece_ = 0;
};

// Without waiting: MPI's own waiting burns a core.
bool arrived(int from, MPI_Status& status) {
  int flag = 0;
  check(MPI_Iprobe(from, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status), "look for a message");
  return flag != 0;
}

class RankCrew : public SweepCrew {
 public:
  RankCrew(int ranks, double lost_after) : lost_after_(lost_after), workers_(static_cast<std::size_t>(ranks)) {}
  unsigned size() const override { return static_cast<unsigned>(workers_.size() - 1); }
  std::string name() const override { return fmt::format("{} ranks", size()); }
  bool lost_some() const { return lost_ > 0; }

  void ready() override { tell_all(kGo); }
  // All ranks wait for this word before they begin.
  void tell_all(int word) {
    if (told_) return;
    told_ = true;
    check(MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD), "tell the other ranks");
  }

  void work(SweepBoard& board, const SweepPlan& plan, Detail) override {
    for (Worker& worker : workers_) worker.heard = wall_seconds();
    while (!board.over()) {
      if (interruption() != 0) board.stop();
      const bool heard = listen(board);
      const bool dealt = deal(board, plan);
      look_for_lost(board);
      if (!heard && !dealt) std::this_thread::sleep_for(kNap);
    }
  }

  void end_all() {
    for (int rank = 1; rank < static_cast<int>(workers_.size()); ++rank)
      if (!workers_[static_cast<std::size_t>(rank)].lost) {
        const int orderly = lost_some() ? 0 : 1;
        check(MPI_Send(&orderly, 1, MPI_INT, rank, kEnd, MPI_COMM_WORLD), "end a rank");
      }
  }

 private:
  struct Worker {
    std::optional<std::size_t> run;
    double heard = 0;
    bool lost = false;
    std::unique_ptr<Arriving> result;  // stays where it is while MPI writes to it
  };

  bool listen(SweepBoard& board) {
    bool heard = false;
    for (Worker& worker : workers_)
      if (worker.result && worker.result->advance()) {
        heard = true;
        worker.heard = wall_seconds();
        if (worker.result->complete()) finish(board, worker);
      }
    return listen_for_new(board) || heard;
  }
  bool listen_for_new(SweepBoard& board) {
    MPI_Status status;
    if (!arrived(MPI_ANY_SOURCE, status)) return false;
    Worker& worker = workers_[static_cast<std::size_t>(status.MPI_SOURCE)];
    worker.heard = wall_seconds();
    if (status.MPI_TAG == kAlive) {
      Alive alive;
      check(MPI_Recv(&alive, sizeof alive, MPI_BYTE, status.MPI_SOURCE, kAlive, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
            "receive a sign of life");
      if (worker.run && !worker.lost) board.progress(*worker.run, alive.share);
      return true;
    }
    worker.result = std::make_unique<Arriving>(status.MPI_SOURCE, kResult);
    return true;
  }
  void finish(SweepBoard& board, Worker& worker) {
    StoredRun result = unpack(worker.result->take());
    worker.result.reset();
    if (worker.lost) --lost_;
    worker.lost = false;
    if (worker.run) board.finish(*worker.run, std::move(result));
    worker.run.reset();
  }

  bool deal(SweepBoard& board, const SweepPlan& plan) {
    bool dealt = false;
    for (std::size_t rank = 1; rank < workers_.size(); ++rank) {
      Worker& worker = workers_[rank];
      if (worker.run || worker.lost) continue;
      worker.run = board.take();
      if (!worker.run) return dealt;
      worker.heard = wall_seconds();
      send_bytes(fmt::format("{} {}", *worker.run, plan.runs[*worker.run].run_id), static_cast<int>(rank), kTask);
      dealt = true;
    }
    return dealt;
  }

  void look_for_lost(SweepBoard& board) {
    const double now = wall_seconds();
    for (std::size_t rank = 1; rank < workers_.size(); ++rank) {
      Worker& worker = workers_[rank];
      if (!worker.run || worker.lost || now - worker.heard < lost_after_) continue;
      worker.lost = true;
      ++lost_;
      note("weir: rank {} has been silent for {:.0f} s; its run is assigned again\n", rank, lost_after_);
      board.give_back(*worker.run);
    }
    if (lost_ + 1 == workers_.size()) {
      board.stop();
      throw InputError("all ranks are lost; finished runs are stored; run the same command again to continue");
    }
  }

  double lost_after_;
  std::vector<Worker> workers_;  // by rank; 0 is this one
  std::size_t lost_ = 0;
  bool told_ = false;
};

// A rank that works: true if it may end as MPI likes it.
class RankWorker {
 public:
  explicit RankWorker(const SweepOptions& options) : base_(sweep_scenario(options)), detail_(detail_of(options)) {}

  bool serve() {
    for (;;) {
      MPI_Status status;
      if (!arrived(0, status)) {
        std::this_thread::sleep_for(kNap);
        continue;
      }
      if (status.MPI_TAG == kEnd) return end();
      const std::string task = receive_bytes(0, kTask);
      const std::size_t space = task.find(' ');
      if (!serve_one(std::stoull(task.substr(0, space)), task.substr(space + 1))) return end();
    }
  }

 private:
  static bool end() {
    int orderly = 0;
    check(MPI_Recv(&orderly, 1, MPI_INT, 0, kEnd, MPI_COMM_WORLD, MPI_STATUS_IGNORE), "receive the end");
    return orderly != 0;
  }

  // The simulation has a thread of its own, so that this one can say that the rank is alive. False: the end came first.
  bool serve_one(std::size_t number, const std::string& run_id) {
    std::atomic<double> share{0};
    std::atomic<bool> abandoned{false};
    std::future<StoredRun> result = std::async(std::launch::async, [&] {
      return do_run(base_, number, detail_, [&](double done, Time) {
        if (abandoned) throw Abandoned{};
        share = done;
      });
    });
    double said = wall_seconds();
    while (result.wait_for(kNap) != std::future_status::ready) {
      MPI_Status status;
      if (!abandoned && arrived(0, status)) abandoned = true;  // nothing but the end can come now
      if (wall_seconds() - said < kAliveEvery) continue;
      said = wall_seconds();
      const Alive alive{share};
      check(MPI_Send(&alive, sizeof alive, MPI_BYTE, 0, kAlive, MPI_COMM_WORLD), "say that it is alive");
    }
    try {
      const StoredRun run = result.get();
      if (run.run_id != run_id)
        throw InputError("this rank has read a different scenario than rank 0: its files differ");
      if (!abandoned) send_bytes(pack(run), 0, kResult);
    } catch (const Abandoned&) {
    }
    return !abandoned;
  }

  const Scenario base_;
  const Detail detail_;
};

int lead(const SweepOptions& options, int ranks, bool& orderly) {
  RankCrew crew(ranks, options.lost_after);
  int code = 2;
  try {
    if (options.threads != 0)
      throw InputError("--threads has no effect under mpirun: the number of ranks, mpirun -n, is used");
    code = run_sweep(options, crew);
    crew.tell_all(kNothingToDo);
    crew.end_all();
  } catch (const std::exception& e) {
    report_error(e);
    crew.tell_all(kNothingToDo);
    crew.end_all();
  }
  orderly = !crew.lost_some();
  return code;
}

bool follow(const SweepOptions& options) {
  int word = kGo;
  check(MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD), "hear from rank 0");
  MPI_Status status;
  if (word == kGo) return RankWorker(options).serve();
  while (!arrived(0, status)) std::this_thread::sleep_for(kNap);
  int ignored = 0;
  check(MPI_Recv(&ignored, 1, MPI_INT, 0, kEnd, MPI_COMM_WORLD, MPI_STATUS_IGNORE), "receive the end");
  return true;
}

// What is wrong is known to all ranks, and they end together; unless one cannot be reached.
int run_together(const Command& run_one, int rank) {
  try {
    return end_process(run_one());
  } catch (const RankLost&) {
    throw;
  } catch (const AnotherRankFailed& e) {
    return rank == 0 ? report_error(e) : 2;
  } catch (const InputError& e) {
    return report_error(e);
  }
}

int run(int argc, char** argv) {
  int rank = 0, ranks = 1, code = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  CLI::App app{"weir-mpi: the form of `weir run` and `weir sweep` that mpirun starts"};
  app.require_subcommand(1);
  MpiRanks all;
  const Command run_one = add_run(app, ranks > 1 ? &all : nullptr);
  SweepOptions options;
  add_sweep_options(*app.add_subcommand("sweep", "run all combinations of a scenario's [sweep] table"), options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return rank == 0 ? answer_parse_error(app, e) : 0;
  }
  if (app.got_subcommand("run")) return run_together(run_one, rank);
  bool orderly = true;
  if (rank == 0 && ranks == 1) code = run_sweep(options, *thread_crew(options.threads));
  else if (rank == 0) code = lead(options, ranks, orderly);
  else orderly = follow(options);
  code = end_process(code);
  // MPI_Finalize waits for every rank, also for those that will never come.
  if (!orderly) ::_exit(code);
  return code;
}

}  // namespace
}  // namespace weir

int main(int argc, char** argv) {
  weir::begin_process();
  ::setenv("NO_COLOR", "1", 0);  // mpirun makes every output look like a terminal
  int provided = 0, code = 2;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  try {
    code = weir::run(argc, argv);
  } catch (const std::exception& e) {
    weir::report_error(e);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  MPI_Finalize();
  return weir::end_process(code);
}
