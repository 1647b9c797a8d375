// The list of switch organisations, in the order of the reference: one line each. A record stands at the end of its own
// file.
#include "packet/switches/organisation_kind.h"

namespace weir {

#define WEIR_ORGANISATIONS(KIND)     \
  KIND(voq_organisation)             \
  KIND(fifo_in_out_organisation)     \
  KIND(output_queued_organisation)

#define WEIR_ORGANISATION_RECORD(kind) extern const OrganisationKind kind;
#define WEIR_ORGANISATION_ADDRESS(kind) &kind,
WEIR_ORGANISATIONS(WEIR_ORGANISATION_RECORD)

std::span<const OrganisationKind* const> OrganisationKind::all() {
  static constexpr const OrganisationKind* kOrganisations[] = {WEIR_ORGANISATIONS(WEIR_ORGANISATION_ADDRESS)};
  return kOrganisations;
}

}  // namespace weir
