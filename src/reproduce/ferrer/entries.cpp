// Paper 001: packet marking, dynamic window, waiting slots. In the order of the thesis's figures.
#include "reproduce/entries.h"
#include "reproduce/ferrer/ferrer.h"

namespace weir {

std::span<const Entry> ferrer_entries() {
  static constexpr Entry kList[] = {
      {"ferrer/fig-4.11", "marked cold and hot packets by strategy", ferrer::fig_4_11},
      {"ferrer/fig-4.12", "marking over time", ferrer::fig_4_12},
      {"ferrer/fig-8.2", "occupancy of buffers under uniform traffic near saturation", ferrer::fig_8_2},
      {"ferrer/window", "window from the round trip, calculated and measured", ferrer::window},
      {"ferrer/fig-8.3", "points of analysis: latency against traffic, none and MVCM", ferrer::fig_8_3},
      {"ferrer/fig-8.4", "a hot spot without management: cold flows", ferrer::fig_8_4},
      {"ferrer/fig-8.5", "a hot spot without management: hot flows", ferrer::fig_8_5},
      {"ferrer/fig-8.6", "a hot spot without management: all flows", ferrer::fig_8_6},
      {"ferrer/fig-8.7", "MVCM: cold flows", ferrer::fig_8_7},
      {"ferrer/fig-8.8", "MVCM: hot flows", ferrer::fig_8_8},
      {"ferrer/fig-8.9", "MVCM: all flows", ferrer::fig_8_9},
      {"ferrer/fig-8.10", "use of the link to the hot spot", ferrer::fig_8_10},
      {"ferrer/fig-8.11", "low and high rate", ferrer::fig_8_11},
      {"ferrer/fig-8.12", "mixed sizes, medium rate", ferrer::fig_8_12},
      {"ferrer/fig-8.13", "mixed sizes, low and high rate", ferrer::fig_8_13},
      {"ferrer/fig-8.14", "BMIN 4-ary 3-fly, medium rate", ferrer::fig_8_14},
      {"ferrer/fig-8.15", "BMIN 4-ary 3-fly, low and high rate", ferrer::fig_8_15},
      {"ferrer/fig-8.16", "BMIN 8-ary 3-fly, medium rate", ferrer::fig_8_16},
      {"ferrer/fig-8.17", "BMIN 8-ary 3-fly, low and high rate", ferrer::fig_8_17},
      {"ferrer/fig-8.18", "UMIN 4-ary 4-fly, medium rate", ferrer::fig_8_18},
      {"ferrer/fig-8.19", "UMIN 8-ary 3-fly, medium rate", ferrer::fig_8_19},
      {"ferrer/fig-8.20", "four proposals: latency against traffic", ferrer::fig_8_20},
      {"ferrer/fig-8.21", "four proposals: cold flows, medium rate", ferrer::fig_8_21},
      {"ferrer/fig-8.22", "four proposals: hot flows, medium rate", ferrer::fig_8_22},
      {"ferrer/fig-8.23", "four proposals: low rate", ferrer::fig_8_23},
      {"ferrer/fig-8.24", "four proposals: high rate", ferrer::fig_8_24},
      {"ferrer/fig-8.26", "two applications at once, from traces", ferrer::fig_8_26},
      {"ferrer/fig-8.27", "influence of the marking", ferrer::fig_8_27},
      {"ferrer/fig-8.29", "influence of the window", ferrer::fig_8_29},
      {"ferrer/fig-8.30", "static windows over time, high rate", ferrer::fig_8_30},
      {"ferrer/fig-8.31", "influence of the corrections", ferrer::fig_8_31},
      {"ferrer/fig-8.32", "dynamic window or waiting slots with every marking", ferrer::fig_8_32},
      {"ferrer/fig-8.33", "limit on waiting slots", ferrer::fig_8_33},
      {"ferrer/fig-8.34", "hot flows with Pfister's table", ferrer::fig_8_34},
      {"ferrer/fig-8.35", "influence of the recovery", ferrer::fig_8_35},
      {"ferrer/fig-8.36", "MVCM against IOCM: latency against traffic", ferrer::fig_8_36},
      {"ferrer/fig-8.37", "MVCM against IOCM: corrections over time", ferrer::fig_8_37},
      {"ferrer/fig-8.38", "MVCM against IOCM: marked packets", ferrer::fig_8_38},
      {"ferrer/fig-8.39", "MVCM against IOCM: wrong actions", ferrer::fig_8_39},
      {"ferrer/fig-8.40", "adapters: pattern I, 512 hosts", ferrer::fig_8_40},
      {"ferrer/fig-8.41", "adapters: pattern I, 512 hosts, mixed sizes", ferrer::fig_8_41},
      {"ferrer/fig-8.42", "adapters: pattern II, 512 hosts", ferrer::fig_8_42},
      {"ferrer/fig-8.43", "adapters: pattern II, 512 hosts, mixed sizes", ferrer::fig_8_43},
      {"ferrer/fig-8.44", "adapters: pattern II with more and less hot traffic", ferrer::fig_8_44},
      {"ferrer/fig-8.45", "adapters: pattern I, 64 hosts", ferrer::fig_8_45},
      {"ferrer/fig-8.46", "adapters: pattern I, 64 hosts, mixed sizes", ferrer::fig_8_46},
      {"ferrer/fig-8.47", "adapters: pattern II, 64 hosts", ferrer::fig_8_47},
      {"ferrer/fig-8.48", "adapters: pattern II, 64 hosts, mixed sizes", ferrer::fig_8_48},
      {"ferrer/table-8.5", "memory of the adapters", ferrer::table_8_5},
      {"ferrer/table-8.6", "silicon area of the adapters", ferrer::table_8_6},
      {"ferrer/long-pulse", "four proposals under a pulse of 5,000 packets", ferrer::long_pulse},
      {"ferrer/sensitivity", "what the paper leaves open: each choice varied alone", ferrer::sensitivity},
  };
  return kList;
}

}  // namespace weir
