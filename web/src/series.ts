// Latency and throughput over time, and latency distributions. One run: the classes share a set of axes. Several runs:
// each class has its own set, and the runs share it.
import { chart, type Chart, type ChartCurve } from "./charts";
import type { ClassResult, Curve, Num, RunData, RunsDocument } from "./document";
import { el, section } from "./dom";
import { axisTime, bytes, count, nanoseconds, rate, share, slowdown, time } from "./format";
import type { ViewState } from "./state";

interface Part { label: string; of: ClassResult; run: RunData; slot: number }
interface Group { title: string; parts: Part[] }

function groups(document: RunsDocument): Group[] {
  const { runs } = document;
  if (runs.length === 1)
    return [{ title: "", parts: runs[0]!.classes.map((of, slot) => ({ label: of.class, of, run: runs[0]!, slot })) }];
  const names = [...new Set(runs.flatMap((run) => run.classes.map((c) => c.class)))];
  // Those who are hurt come first: that is what a comparison is about.
  const innocent = new Set(document.answer.innocent);
  names.sort((a, b) => Number(innocent.has(b)) - Number(innocent.has(a)));
  return names.map((name) => ({
    title: name,
    parts: runs.flatMap((run, slot) => run.classes.filter((c) => c.class === name)
      .map((of) => ({ label: run.label, of, run, slot }))),
  }));
}

const curveOf = (part: Part, [x, y]: Curve): ChartCurve => ({ label: part.label, x, y, slot: part.slot });

function pick(state: ViewState, x: number): void {
  state.time = x;
  state.chosen = true;
  state.moved(null);
}

function spread(parts: Part[], pick: (c: ClassResult) => Curve): boolean {
  let low = Infinity, high = 0;
  for (const part of parts)
    for (const v of pick(part.of)[1]) if (v !== null && v > 0) { low = Math.min(low, v); high = Math.max(high, v); }
  return high > 30 * low;
}

function eventSpan(document: RunsDocument): [number, number] | null {
  const run = document.runs[document.answer.reference]!;
  return run.event_from_s === null || run.event_to_s === null ? null : [run.event_from_s, run.event_to_s];
}

function latencyChart(group: Group, document: RunsDocument, state: ViewState): Chart {
  const of = group.title ? `${group.title}: ` : "";
  const peaks = group.parts.filter((p) => p.of.latency_peak_bin_ns !== null);
  const summary = peaks.map((p) => `${p.label} up to ${nanoseconds(p.of.latency_peak_bin_ns)}`).join("; ");
  return chart(group.parts.map((p) => curveOf(p, p.of.curves.latency)), {
    title: `${of}mean latency over time`, summary: summary || "no packet was received",
    x: { label: "time", format: axisTime }, span: eventSpan(document), cursor: () => state.time,
    y: { label: "latency", format: (v) => nanoseconds(v), log: spread(group.parts, (c) => c.curves.latency) },
    onPick: (x) => pick(state, x),
    table: {
      columns: ["", "mean", "median", "p99", "longest", "highest bin", "at"],
      rows: group.parts.map((p) => [p.label, nanoseconds(p.of.latency_mean_ns), nanoseconds(p.of.latency_p50_ns),
        nanoseconds(p.of.latency_p99_ns), nanoseconds(p.of.latency_max_ns), nanoseconds(p.of.latency_peak_bin_ns),
        time(p.of.latency_peak_at_s)]),
    },
  });
}

function throughputChart(group: Group, document: RunsDocument, state: ViewState): Chart {
  const of = group.title ? `${group.title}: ` : "";
  return chart(group.parts.map((p) => curveOf(p, p.of.curves.throughput)), {
    title: `${of}throughput over time`,
    summary: group.parts.map((p) => `${p.label} ${rate(p.of.throughput_bps)} in the mean`).join("; "),
    x: { label: "time", format: axisTime }, y: { label: "payload received", format: (v) => rate(v) },
    span: eventSpan(document), cursor: () => state.time,
    onPick: (x) => pick(state, x),
    table: {
      columns: ["", "mean", "after warm-up", "lowest bin during the event"],
      rows: group.parts.map((p) => [p.label, rate(p.of.throughput_bps), rate(p.of.window_throughput_bps),
        share(p.of.event_throughput_dip)]),
    },
  });
}

// Share of packets slower than x: the tail, where congestion shows.
function distribution(group: Group): Chart | null {
  const parts = group.parts.filter((p) => p.of.histogram.packets.length > 0);
  if (parts.length === 0) return null;
  const curves = parts.map((p): ChartCurve => {
    const { low_ns, high_ns, packets } = p.of.histogram;
    const all = packets.reduce((a, b) => a + b, 0);
    const x: number[] = [Math.max(low_ns[0]!, 1e-3)], y: number[] = [1];
    let left = all;
    packets.forEach((n, i) => {
      left -= n;
      if (left > 0) { x.push(high_ns[i]!); y.push(left / all); }
    });
    return { label: p.label, x, y, slot: p.slot };
  });
  return chart(curves, {
    title: `${group.title ? `${group.title}: ` : ""}latency distribution`,
    summary: parts.map((p) => `${p.label}: half below ${nanoseconds(p.of.latency_p50_ns)}, `
      + `99 % below ${nanoseconds(p.of.latency_p99_ns)}`).join("; "),
    x: { label: "latency", format: (v) => nanoseconds(v), log: true },
    y: { label: "packets that are slower", format: (v) => share(v), log: true },
    table: {
      columns: ["", "packets", "median", "p99", "longest"],
      rows: parts.map((p) => [p.label, count(p.of.received), nanoseconds(p.of.latency_p50_ns),
        nanoseconds(p.of.latency_p99_ns), nanoseconds(p.of.latency_max_ns)]),
    },
  });
}

// The 99th percentile by size, a point per bin at its upper end; the table has the rest.
function slowdownChart(group: Group): Chart | null {
  const parts = group.parts.filter((p) => p.of.slowdown.p99.some((v) => v !== null));
  if (parts.length === 0) return null;
  const values = parts.flatMap((p) => [...p.of.slowdown.p50, ...p.of.slowdown.p99]).filter((v) => v !== null);
  const sizes = parts.flatMap((p) => p.of.slowdown.up_to_bytes);
  const row = (p: Part, size: string, flows: number | null, p50: Num, p95: Num, p99: Num) =>
    [p.label, size, count(flows), slowdown(p50), slowdown(p95), slowdown(p99)];
  return chart(parts.map((p): ChartCurve => ({ label: p.label, x: p.of.slowdown.up_to_bytes, y: p.of.slowdown.p99,
    slot: p.slot, points: p.of.slowdown.up_to_bytes.length === 1 })), {
    title: `${group.title ? `${group.title}: ` : ""}slowdown by flow size (99th percentile)`,
    summary: parts.map((p) => `${p.label}: median ${slowdown(p.of.slowdown_p50)}, `
      + `99th percentile ${slowdown(p.of.slowdown_p99)}`).join("; "),
    x: { label: "size of the flows up to", format: (v) => bytes(v), log: Math.max(...sizes) > 10 * Math.min(...sizes) },
    y: { label: "slowdown", format: (v) => slowdown(v), log: Math.max(...values) > 10 * Math.min(...values) },
    table: {
      columns: ["", "size up to", "flows", "median", "p95", "p99"],
      rows: parts.flatMap((p) => [
        row(p, "all", p.of.flows_complete, p.of.slowdown_p50, p.of.slowdown_p95, p.of.slowdown_p99),
        ...p.of.slowdown.up_to_bytes.map((size, i) => row(p, bytes(size), p.of.slowdown.flows[i]!,
          p.of.slowdown.p50[i]!, p.of.slowdown.p95[i]!, p.of.slowdown.p99[i]!))]),
    },
  });
}

function slowdownSection(all: Group[]): HTMLElement | null {
  const charts = all.map(slowdownChart).filter((c): c is Chart => c !== null);
  if (charts.length === 0) return null;
  return section("slowdown", "Slowdown of flows",
    el("p", { class: "hint" }, "The time that a flow took over the time that it would take alone on an idle network."),
    el("div", { class: "charts" }, ...charts.map((c) => c.element)));
}

function extras(document: RunsDocument): HTMLElement | null {
  const figures: HTMLElement[] = [];
  const of = (run: RunData) => (document.runs.length > 1 ? `${run.label}: ` : "");
  for (const run of document.runs) {
    if (run.watched.length > 0) {
      figures.push(chart(run.watched.map((w, slot) => ({ label: w.name, x: w.rate[0], y: w.rate[1], slot })), {
        title: `${of(run)}rate of watched ports`, summary: run.watched.map((w) => w.name).join(", "),
        x: { label: "time", format: axisTime }, y: { label: "rate", format: (v) => rate(v) } }).element);
      figures.push(chart(run.watched.map((w, slot) => ({ label: w.name, x: w.queue[0], y: w.queue[1], slot })), {
        title: `${of(run)}queue of watched ports`, summary: run.watched.map((w) => w.name).join(", "),
        x: { label: "time", format: axisTime },
        y: { label: "bytes before the link", format: (v) => count(v) } }).element);
    }
    if (run.scheme_curves.length > 0)
      figures.push(chart(run.scheme_curves.map((s, slot) => ({ label: s.name, x: s.curve[0], y: s.curve[1], slot })), {
        title: `${of(run)}what the scheme counted`, summary: run.scheme_curves.map((s) => s.name).join(", "),
        x: { label: "time", format: axisTime }, y: { label: "per bin", format: (v) => count(v) } }).element);
  }
  if (figures.length === 0) return null;
  return section("watched", "Watched over time", el("div", { class: "charts" }, ...figures));
}

export function seriesSections(document: RunsDocument, state: ViewState): HTMLElement[] {
  const all = groups(document);
  const charts = all.flatMap((g) => [latencyChart(g, document, state), throughputChart(g, document, state)]);
  const tails = all.map(distribution).filter((c): c is Chart => c !== null);
  state.onMove(() => charts.forEach((c) => c.redraw()));
  const hint = eventSpan(document)
    ? "Shaded: the event. Dashed: the moment shown in the fabric; click to move it. " : "";
  return [
    section("series", "Latency and throughput over time",
      el("p", { class: "hint" }, `${hint}Drag to zoom, double-click to see all again.`),
      el("div", { class: "charts" }, ...charts.map((c) => c.element))),
    section("distributions", "Latency distributions", el("div", { class: "charts" }, ...tails.map((c) => c.element))),
    ...[slowdownSection(all), extras(document)].filter((e): e is HTMLElement => e !== null),
  ];
}
