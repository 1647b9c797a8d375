#include "schemes/explicit_rates/injection.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace weir {
namespace {

// `wait` ps after `from`, rounded up; rates may be so low that this is beyond the end of time.
Time later(double from, double wait) {
  const double at = std::ceil(from + wait);
  return at < static_cast<double>(kNever.ps) ? Time{static_cast<std::int64_t>(at)} : kNever;
}
Time later(std::int64_t from, double wait) {
  const double whole = std::ceil(wait);
  return whole < static_cast<double>(kNever.ps - from) ? Time{from + static_cast<std::int64_t>(whole)} : kNever;
}

}  // namespace

void Injector::prepare(const InjectionParams& params, std::size_t hosts, std::size_t connections) {
  params_ = params;
  slot_.assign(connections, kNone);
  hosts_.assign(hosts, {});
}

void Injector::add(ConnectionId connection, std::uint32_t host, bool has_packets, Time now) {
  WEIR_CHECK(!controls(connection));
  HostRecord& h = hosts_[host];
  const std::uint32_t slot = take_record(h);
  FlowRecord& f = flows_[slot];
  f = {};
  f.host = host;
  f.progress = h.progress;
  f.tokens = bucket();
  f.since = now.ps;
  f.paid = static_cast<double>(now.ps);
  f.has_packets = has_packets;
  if (has_packets) count(f, h, slot);
  ++h.flows;
  slot_[connection.index] = slot;
}

std::uint32_t Injector::take_record(HostRecord& h) {
  if (h.free == kNone) {
    h.free = h.block = static_cast<std::uint32_t>(flows_.size());
    flows_.resize(flows_.size() + kBlock);
    for (std::uint32_t i = 0; i + 1 < kBlock; ++i) flows_[h.block + i].place = h.block + i + 1;
  }
  const std::uint32_t slot = h.free;
  h.free = flows_[slot].place;
  return slot;
}

void Injector::remove(ConnectionId connection) {
  const std::uint32_t slot = slot_[connection.index];
  FlowRecord& f = flows_[slot];
  HostRecord& h = hosts_[f.host];
  if (f.place != kNone) {
    if (!f.has_packets) --h.leaving;
    discount(f, h);
  }
  --h.flows;
  f.place = h.free;
  h.free = slot;
  slot_[connection.index] = kNone;
}

void Injector::count(FlowRecord& f, HostRecord& h, std::uint32_t slot) {
  f.place = static_cast<std::uint32_t>(h.counted.size());
  h.counted.push_back(slot);
  h.stale = true;
  h.due_known = false;
}

void Injector::discount(FlowRecord& f, HostRecord& h) {
  h.counted[f.place] = h.counted.back();
  flows_[h.counted[f.place]].place = f.place;
  h.counted.pop_back();
  h.stale = true;
  h.due_known = false;
  f.place = kNone;
}

void Injector::forget_those_who_left(HostRecord& h, double now) {
  for (std::size_t i = 0; h.leaving > 0 && i < h.counted.size();) {
    FlowRecord& f = flows_[h.counted[i]];
    if (f.has_packets || f.paid > now) {
      ++i;
      continue;
    }
    --h.leaving;
    discount(f, h);  // another one takes its place
  }
}

// A rate that changes counts from the beginning of the period.
void Injector::set_rate(ConnectionId connection, double bytes_per_second, Time now) {
  FlowRecord& f = flow(connection);
  if (params_.discipline == Discipline::leaky_bucket) {
    f.tokens = std::min(bucket(), f.tokens + f.rate * static_cast<double>(now.ps - f.since));
    f.since = now.ps;
  }
  f.rate = bytes_per_second / kPicoseconds;
  hosts_[f.host].stale = true;
  hosts_[f.host].due_known = false;
}

double Injector::sum(HostRecord& host) {
  if (host.stale) {
    host.rate = 0;
    for (const std::uint32_t slot : host.counted) host.rate += flows_[slot].rate;
    host.stale = false;
  }
  return host.rate;
}

double Injector::host_rate(std::uint32_t host) { return sum(hosts_[host]) * kPicoseconds; }

double Injector::eligible(const FlowRecord& f, std::uint32_t bytes) const {
  const auto since = static_cast<double>(f.since);
  if (params_.discipline == Discipline::svc) return since + f.last_bytes / f.rate;
  return since + std::max(0.0, std::min<double>(bytes, bucket()) - f.tokens) / f.rate;
}

Time Injector::eligible_from(const FlowRecord& f, std::uint32_t bytes) const { return later(eligible(f, bytes), 0); }

// R over time while flows without packets leave one after the other; the last stretch has no end.
const std::vector<Injector::Stretch>& Injector::stretches(const HostRecord& h) {
  stretches_.clear();
  double rate = 0;
  for (const std::uint32_t slot : h.counted) {
    const FlowRecord& f = flows_[slot];
    if (f.has_packets) rate += f.rate;
    else stretches_.push_back({f.paid, f.rate});
  }
  std::sort(stretches_.begin(), stretches_.end(), [](const Stretch& a, const Stretch& b) {
    return a.until != b.until ? a.until < b.until : a.rate < b.rate;
  });
  stretches_.push_back({static_cast<double>(kNever.ps), 0});
  for (std::size_t i = stretches_.size(); i-- > 0;) {
    rate += stretches_[i].rate;
    stretches_[i].rate = rate;
  }
  return stretches_;
}

Time Injector::calculate_period(HostRecord& h) {
  if (h.owed <= 0) return {h.last};
  if (h.leaving == 0) {
    const double rate = sum(h);
    return rate > 0 ? later(h.last, h.owed / rate) : kNever;
  }
  double at = static_cast<double>(h.last), owed = h.owed;
  for (const Stretch& s : stretches(h)) {
    if (s.until <= at) continue;
    // A flow that leaves has paid for its own packet, if only just.
    if (s.rate * (s.until - at) >= owed * (1 - 1e-12)) return later(at, owed / s.rate);
    owed -= s.rate * (s.until - at);
    at = s.until;
  }
  return kNever;
}

// Begins the period anew at `now` with what is still owed then; flows that have left are forgotten.
void Injector::settle(HostRecord& h, Time now) {
  const auto host = static_cast<std::uint32_t>(&h - hosts_.data());
  const Time due = next_period(host);
  if (due <= now) {
    h.last = due.ps;
    h.owed = 0;
  } else {
    double at = static_cast<double>(h.last);
    const auto to = static_cast<double>(now.ps);
    for (const Stretch& s : stretches(h)) {
      if (s.until <= at) continue;
      h.owed -= s.rate * (std::min(s.until, to) - at);
      at = s.until;
      if (at >= to) break;
    }
    h.owed = std::max(0.0, h.owed);
    h.last = now.ps;
  }
  h.due_known = false;
  forget_those_who_left(h, static_cast<double>(now.ps));
}

void Injector::sent(ConnectionId connection, std::uint32_t bytes, bool has_more, Time now) {
  FlowRecord& f = flow(connection);
  HostRecord& h = hosts_[f.host];
  if (params_.discipline == Discipline::leaky_bucket) {
    f.tokens = std::min(bucket(), f.tokens + f.rate * static_cast<double>(now.ps - f.since)) - bytes;
  } else if (params_.discipline == Discipline::ps) {
    const Time due = next_period(f.host);
    // A source that has been silent for longer than a period has nothing to make up.
    const bool made_up = params_.make_up && h.owed > 0 && due < now &&
                         static_cast<double>(now.ps - due.ps) < bytes / sum(h);
    h.last = made_up ? due.ps : now.ps;
    h.owed = bytes;
    forget_those_who_left(h, static_cast<double>(now.ps));
  }
  f.paid = std::max(f.paid + bytes / f.rate, static_cast<double>(now.ps));
  if (f.has_packets && !has_more) {
    f.has_packets = false;
    ++h.leaving;
  }
  h.due_known = false;
  f.since = now.ps;
  f.last_bytes = bytes;
  h.progress = f.progress;
  f.progress += bytes / f.rate;
}

void Injector::queued(ConnectionId connection, Time now) {
  FlowRecord& f = flow(connection);
  if (f.has_packets) return;
  HostRecord& h = hosts_[f.host];
  settle(h, now);
  f.has_packets = true;
  f.paid = std::max(f.paid, static_cast<double>(now.ps));
  f.progress = std::max(f.progress, h.progress);
  h.due_known = false;
  if (f.place != kNone) --h.leaving;
  else count(f, h, slot_[connection.index]);
}

std::size_t Injector::bytes_of_state() const {
  return slot_.capacity() * 4 + flows_.capacity() * sizeof(FlowRecord) + hosts_.capacity() * sizeof(HostRecord);
}

}  // namespace weir
