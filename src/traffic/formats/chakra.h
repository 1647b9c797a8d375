// Execution traces of Chakra (MLCommons, ASTRA-sim): one file of nodes for every rank, NAME.<rank>.et, which may be
// packed by gzip. Nodes compute, send, receive or take part in a collective operation, after the nodes that they depend
// on. Collectives are done by weir's own algorithms. Errors have the file and the byte.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "traffic/collective/algorithms.h"
#include "traffic/formats/trace_formats.h"

namespace weir {

struct ChakraAlgorithms {
  Algorithm all_reduce = Algorithm::ring;
  Algorithm all_to_all = Algorithm::shift;
};

// The files of ranks 0, 1 and so on.
Trace parse_chakra(std::span<const TraceFile> files, const ChakraAlgorithms& algorithms = {});
// A file for every rank. An InputError where Chakra cannot say it: what waits for a beginning, messages without an end,
// and times that are no whole microseconds.
std::vector<std::string> write_chakra(const Trace& trace);

}  // namespace weir
