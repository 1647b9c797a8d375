#include "schemes/injection.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace weir {

void Injector::prepare(const InjectionParams& params, std::size_t hosts, std::size_t connections) {
  params_ = params;
  slot_.assign(connections, kNone);
  hosts_.assign(hosts, {});
}

void Injector::add(std::uint32_t connection, std::uint32_t host, Time now) {
  WEIR_CHECK(!controls(connection));
  std::uint32_t slot = static_cast<std::uint32_t>(flows_.size());
  if (free_.empty()) {
    flows_.emplace_back();
  } else {
    slot = free_.back();
    free_.pop_back();
  }
  HostRecord& h = hosts_[host];
  flows_[slot] = {host, static_cast<std::uint32_t>(h.flows.size()), 0, h.progress, bucket(), now.ps, 0};
  h.flows.push_back(slot);
  slot_[connection] = slot;
}

void Injector::remove(std::uint32_t connection) {
  const std::uint32_t slot = slot_[connection];
  HostRecord& h = hosts_[flows_[slot].host];
  const std::uint32_t place = flows_[slot].place;
  h.flows[place] = h.flows.back();
  flows_[h.flows[place]].place = place;
  h.flows.pop_back();
  h.stale = true;
  free_.push_back(slot);
  slot_[connection] = kNone;
}

void Injector::set_rate(std::uint32_t connection, double bytes_per_second, Time now) {
  FlowRecord& f = flow(connection);
  if (params_.discipline == Injection::leaky_bucket) {
    f.tokens = std::min(bucket(), f.tokens + f.rate * static_cast<double>(now.ps - f.since));
    f.since = now.ps;
  }
  f.rate = bytes_per_second / kPicoseconds;
  hosts_[f.host].stale = true;
}

double Injector::sum(HostRecord& host) {
  if (host.stale) {
    host.rate = 0;
    for (const std::uint32_t slot : host.flows) host.rate += flows_[slot].rate;
    host.stale = false;
  }
  return host.rate;
}

double Injector::host_rate(std::uint32_t host) { return sum(hosts_[host]) * kPicoseconds; }

double Injector::eligible(const FlowRecord& f, std::uint32_t bytes) const {
  const auto since = static_cast<double>(f.since);
  if (params_.discipline == Injection::svc) return since + f.last_bytes / f.rate;
  return since + std::max(0.0, std::min<double>(bytes, bucket()) - f.tokens) / f.rate;
}

Time Injector::gate(std::uint32_t connection, std::uint32_t bytes) {
  const FlowRecord& f = flow(connection);
  if (f.rate <= 0) return kNever;
  if (params_.discipline == Injection::ps) return next_period(f.host);
  return {static_cast<std::int64_t>(std::ceil(eligible(f, bytes)))};
}

Time Injector::next_period(std::uint32_t host) {
  HostRecord& h = hosts_[host];
  if (h.periods == 0) return {h.last};
  const double rate = sum(h);
  if (rate <= 0) return kNever;
  return {h.last + static_cast<std::int64_t>(std::ceil(h.periods * static_cast<double>(params_.unit) / rate))};
}

double Injector::rank(std::uint32_t connection, std::uint32_t bytes) const {
  const FlowRecord& f = flow(connection);
  return params_.discipline == Injection::leaky_bucket ? eligible(f, bytes) : f.progress;
}

void Injector::sent(std::uint32_t connection, std::uint32_t bytes, Time now) {
  FlowRecord& f = flow(connection);
  HostRecord& h = hosts_[f.host];
  if (params_.discipline == Injection::leaky_bucket) {
    f.tokens = std::min(bucket(), f.tokens + f.rate * static_cast<double>(now.ps - f.since)) - bytes;
  } else if (params_.discipline == Injection::ps) {
    const Time due = next_period(f.host);
    const bool late = h.periods > 0 && due < now;
    // A source that has been silent for longer than a period has nothing to make up.
    const double period = params_.unit / sum(h);
    const bool made_up = params_.make_up && late && static_cast<double>(now.ps - due.ps) < period;
    h.last = made_up ? due.ps : now.ps;
    h.periods = std::max<std::uint32_t>(1, (bytes + params_.unit - 1) / params_.unit);
  }
  f.since = now.ps;
  f.last_bytes = bytes;
  h.progress = f.progress;
  f.progress += bytes / f.rate;
}

void Injector::resumed(std::uint32_t connection) {
  FlowRecord& f = flow(connection);
  f.progress = std::max(f.progress, hosts_[f.host].progress);
}

std::size_t Injector::bytes_of_state() const {
  return slot_.capacity() * 4 + flows_.capacity() * sizeof(FlowRecord) + hosts_.capacity() * sizeof(HostRecord);
}

}  // namespace weir
