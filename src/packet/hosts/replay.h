// Packets that wait at their source and are not stored: when the turn of one comes, it is drawn a second time. A source
// whose packets wait like that has a second cursor in its random streams, behind the one that makes packets
// (sources.h). Packets of several sources of a host leave their common queue as they joined it: by time, and at one
// instant by the number of their source.
#pragma once
#include <cstdint>
#include <vector>

#include "base/big_vector.h"
#include "base/check.h"
#include "packet/ids.h"
#include "traffic/source_state.h"
#include "traffic/workload.h"

namespace weir {

// A packet as its source has drawn it.
struct Birth {
  std::uint32_t source = 0;
  HostId host;
  Time at;
  SourceState::Draw draw = {};
  Time next = kNever;  // when its source makes another one
};

class Replay {
 public:
  Replay() = default;
  Replay(const Workload& workload, std::size_t hosts, std::size_t queues)
      : workload_(&workload), hosts_(hosts), cursors_(workload.sources.size()), last_(queues) {}

  [[gnu::always_inline]] void fetch(std::uint32_t source) const { __builtin_prefetch(&cursors_[source].waiting, 1); }
  [[gnu::always_inline]] void fetch_all(std::uint32_t source) const {
    const char* const from = reinterpret_cast<const char*>(&cursors_[source]);
    for (std::size_t i = 0; i < sizeof(Cursor); i += 64) __builtin_prefetch(from + i, 1);
    fetch(source);
  }
  // Between packets that are drawn again there must not be one that is not: the cursor would come by it.
  bool must_take(std::uint32_t source) const { return cursors_[source].waiting > 0; }
  // A source that is switched on within an instant may come too late for the order of that instant.
  bool may_take(QueueId queue, const Birth& birth) const {
    const Last& last = last_[queue.index];
    return birth.at > last.at || birth.source >= last.source;
  }
  // `state`: of its source, which has drawn this packet and the time of the next one.
  void put(QueueId queue, const Birth& birth, const SourceState& state) {
    WEIR_CHECK(may_take(queue, birth));
    last_[queue.index] = {birth.at, birth.source};
    Cursor& cursor = cursors_[birth.source];
    if (cursor.waiting++ > 0) return;
    cursor.state = state;
    cursor.birth = birth;
  }
  // The first of those that were put into the queue of this lane, which is that of the sources [first, end).
  Birth take(std::uint32_t first, std::uint32_t end, Lane lane) {
    std::uint32_t found = end;
    for (std::uint32_t s = first; s < end; ++s) {
      if (cursors_[s].waiting == 0 || workload_->groups[workload_->sources[s].group].lane != lane.index) continue;
      if (found == end || cursors_[s].birth.at < cursors_[found].birth.at) found = s;
    }
    WEIR_CHECK(found != end);
    Cursor& cursor = cursors_[found];
    const Birth birth = cursor.birth;
    if (--cursor.waiting > 0) advance(cursor);
    return birth;
  }
  std::size_t bytes_of_state() const { return cursors_.capacity() * sizeof(Cursor) + last_.capacity() * sizeof(Last); }

 private:
  struct Cursor {
    SourceState state;  // has drawn `birth`
    Birth birth;        // the first that waits
    std::uint32_t waiting = 0;
  };
  struct Last {  // that was put into a queue
    Time at{-1};
    std::uint32_t source = 0;
  };

  // To the next packet that was put: all but those that the source drew for its own host.
  void advance(Cursor& cursor) {
    Birth& birth = cursor.birth;
    const Source& source = workload_->sources[birth.source];
    const SourceGroup& group = workload_->groups[source.group];
    do {
      birth.at = birth.next;
      birth.draw = cursor.state.draw(source.host, group, hosts_);
      birth.next = cursor.state.next(source, group, birth.at);
    } while (birth.draw.destination == source.host);
  }

  const Workload* workload_ = nullptr;
  std::size_t hosts_ = 0;
  BigVector<Cursor> cursors_;  // per source
  std::vector<Last> last_;       // per queue
};

}  // namespace weir
