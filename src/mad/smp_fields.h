// Fields of the attributes of subnet management.
#pragma once
#include "mad/fields.h"

namespace weir::mad {

namespace node_info {
inline constexpr Field kBaseVersion{0, 8}, kClassVersion{8, 8}, kType{16, 8}, kPorts{24, 8}, kSystemGuid{32, 64},
    kGuid{96, 64}, kPortGuid{160, 64}, kPartitions{224, 16}, kDevice{240, 16}, kRevision{256, 32}, kLocalPort{288, 8},
    kVendor{296, 24};
inline constexpr std::uint8_t kAdapter = 1, kSwitch = 2;
// Vendors whose devices have links of FDR10.
inline constexpr std::uint32_t kMellanox = 0x0002c9, kBull = 0x00119f;
}  // namespace node_info

namespace switch_info {
inline constexpr Field kLinearCapacity{0, 16}, kRandomCapacity{16, 16}, kMulticastCapacity{32, 16}, kLinearTop{48, 16},
    kDefaultPort{64, 8}, kDefaultPrimary{72, 8}, kDefaultOther{80, 8}, kLifeTime{88, 5}, kStateChange{93, 1},
    kOptimizedMapping{94, 2}, kLidsPerPort{96, 16}, kPartitionsEnforced{112, 16}, kEnforceIn{128, 1},
    kEnforceOut{129, 1}, kFilterIn{130, 1}, kFilterOut{131, 1}, kEnhancedPort0{132, 1}, kMulticastTop{144, 16};
}  // namespace switch_info

namespace port_info {
inline constexpr Field kManagementKey{0, 64}, kGidPrefix{64, 64}, kLid{128, 16}, kMasterLid{144, 16},
    kCapabilities{160, 32}, kDiagnostics{192, 16}, kKeyLease{208, 16}, kLocalPort{224, 8}, kWidthEnabled{232, 8},
    kWidthSupported{240, 8}, kWidthActive{248, 8}, kSpeedSupported{256, 4}, kState{260, 4}, kPhysicalState{264, 4},
    kDownDefault{268, 4}, kKeyProtection{272, 2}, kLmc{277, 3}, kSpeedActive{280, 4}, kSpeedEnabled{284, 4},
    kNeighborMtu{288, 4}, kMasterSl{292, 4}, kLaneCapacity{296, 4}, kInitType{300, 4}, kHighLimit{304, 8},
    kArbitrationHigh{312, 8}, kArbitrationLow{320, 8}, kInitReply{328, 4}, kMtuCapacity{332, 4}, kStallCount{336, 3},
    kHeadOfQueueLife{339, 5}, kOperationalLanes{344, 4}, kEnforcement{348, 4}, kKeyViolations{352, 16},
    kPartitionViolations{368, 16}, kQueueKeyViolations{384, 16}, kGuidCapacity{400, 8}, kReregister{408, 1},
    kSubnetTimeout{411, 5}, kResponseTime{419, 5}, kPhysicalErrors{424, 4}, kOverrunErrors{428, 4},
    kCreditHint{432, 16}, kRoundTrip{456, 24}, kCapabilities2{480, 16}, kExtSpeedActive{496, 4},
    kExtSpeedSupported{500, 4}, kExtSpeedEnabled{507, 5};
enum State : std::uint8_t { kNoChange = 0, kDown = 1, kInit = 2, kArmed = 3, kActive = 4 };
enum Physical : std::uint8_t { kPhysicalPolling = 2, kPhysicalDisabled = 3, kPhysicalUp = 5 };
inline constexpr std::uint32_t kCapIsSm = 1u << 1, kCapNotice = 1u << 2, kCapTrap = 1u << 3, kCapAutoMigrate = 1u << 5,
                               kCapSlMap = 1u << 6, kCapExtendedSpeeds = 1u << 14, kCapReregister = 1u << 25;
}  // namespace port_info

// What devices of two vendors tell of a port beside PortInfo: FDR10, which PortInfo shows as QDR.
namespace extended_port_info {
inline constexpr Field kSpeedSupported{56, 8}, kSpeedEnabled{88, 8}, kSpeedActive{120, 8};
inline constexpr std::uint8_t kFdr10 = 1;
}  // namespace extended_port_info

namespace lane_map {
inline constexpr std::uint32_t kLevels = 16;
constexpr Field of(std::uint32_t level) { return {static_cast<std::uint16_t>(4 * level), 4}; }
}  // namespace lane_map

namespace sm_info {
inline constexpr Field kGuid{0, 64}, kSmKey{64, 64}, kActivity{128, 32}, kPriority{160, 4}, kState{164, 4};
}  // namespace sm_info

// Of a trap.
namespace notice {
inline constexpr Field kGeneric{0, 1}, kType{1, 7}, kProducer{8, 24}, kNumber{32, 16}, kIssuerLid{48, 16},
    kToggle{64, 1}, kCount{65, 15}, kDetailLid{80, 16};
inline constexpr std::uint16_t kLinkStateChanged = 128;
}  // namespace notice

}  // namespace weir::mad
