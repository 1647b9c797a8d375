// What the subnet is, asked from the subnet itself over directed routes: nodes, cables, LIDs, names and speeds.
#pragma once
#include "manage/transport.h"
#include "network/fabric/fabric.h"

namespace weir::manage {

// An InputError where nothing answers. Nodes that fall silent on the way are left out, with a remark.
Fabric discover(Transport& transport);

}  // namespace weir::manage
