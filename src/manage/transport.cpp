#include "manage/transport.h"

#include "mad/congestion.h"

namespace weir::manage {

bool is_answer(const Request& request, const Reply& reply) {
  const std::uint16_t direction = mad::status::kDirectionBit;
  return reply && reply->is(mad::Method::get_response) && reply->mgmt_class() == request.mad.mgmt_class() &&
         reply->attribute() == request.mad.attribute() && reply->modifier() == request.mad.modifier() &&
         (reply->status() & ~direction) == mad::status::kOk;
}

Request smp_request(mad::Method method, std::uint16_t attribute, std::uint32_t modifier,
                    const std::vector<std::uint8_t>& path) {
  Request r;
  r.mad.set_class(mad::Class::subnet_directed, 1);
  r.mad.set_method(method);
  r.mad.set_attribute(attribute, modifier);
  r.mad.set_hops(0, static_cast<std::uint8_t>(path.size()));
  r.mad.set_permissive_lids();
  for (std::size_t hop = 0; hop < path.size(); ++hop) r.mad.path(hop + 1) = path[hop];
  return r;
}

Request performance_request(mad::Method method, std::uint16_t attribute, std::uint32_t lid, std::uint32_t port) {
  Request r;
  r.mad.set_class(mad::Class::performance, 1);
  r.mad.set_method(method);
  r.mad.set_attribute(attribute, 0);
  r.mad.data()[1] = static_cast<std::uint8_t>(port);
  r.lid = lid;
  return r;
}

Request congestion_request(mad::Method method, std::uint16_t attribute, std::uint32_t modifier, std::uint32_t lid,
                           std::uint64_t key) {
  Request r;
  r.mad.set_class(mad::Class::congestion_control, mad::kCongestionVersion);
  r.mad.set_method(method);
  r.mad.set_attribute(attribute, modifier);
  r.mad.set_key(key);
  r.lid = lid;
  return r;
}

}  // namespace weir::manage
