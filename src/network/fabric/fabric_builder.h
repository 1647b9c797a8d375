// Collects what the lines of a fabric file say and puts the two ends of every cable together. Files describe most
// cables twice, once from each end, some only once, and the two descriptions need not agree.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "network/fabric/fabric.h"

namespace weir {

class FabricBuilder {
 public:
  FabricBuilder(const std::string& file, bool both_ends_listed) : both_ends_(both_ends_listed) { fabric_.file = file; }

  SourcePosition at(std::uint32_t line) const { return {fabric_.file, line, 0}; }
  [[noreturn]] void refuse(std::uint32_t line, const std::string& what) const { throw InputError(at(line), what); }

  // The node with this key, made if it is new. A node that was only mentioned may be described later.
  std::uint32_t node(const std::string& key, std::uint32_t line);
  FabricNode& operator[](std::uint32_t number) { return fabric_.nodes[number]; }
  bool is_described(std::uint32_t number) const { return described_[number]; }
  void describe(std::uint32_t number, std::uint32_t line);

  // One end's description of a cable. Ports that are used for two different cables are refused with both lines.
  void claim(FabricEnd here, FabricEnd there, std::optional<LinkSpeed> speed, std::uint32_t line);
  void remark(std::uint32_t line, const std::string& what);

  Fabric finish();

 private:
  struct Claim {
    FabricEnd there;
    std::optional<LinkSpeed> speed;
    std::uint32_t line = 0;
    FabricEnd here;
  };
  void check_ports(const FabricEnd& here, const FabricEnd& there, std::uint32_t line) const;
  std::string port_text(const FabricEnd& end) const;
  void add_cable(const FabricEnd& end, const Claim& claim, std::vector<std::string>& remarks);
  void tell_undescribed();
  void number_by_place();

  Fabric fabric_;
  bool both_ends_;
  std::map<std::string, std::uint32_t> keys_;
  std::vector<bool> described_;
  std::map<FabricEnd, Claim> claims_;
  std::map<FabricEnd, std::pair<FabricEnd, std::uint32_t>> peers_;  // who is said to be connected to a port, and where
};

}  // namespace weir
