// Latency and throughput over time, and latency distributions. One run: the classes share a set of axes. Several runs:
// each class has its own set, and the runs share it.
import { aboutNames } from "./compare";
import { chart, type Chart, type ChartCurve } from "./charts";
import type { ClassResult, Curve, Num, RunData, RunsDocument } from "./document";
import { el, section } from "./dom";
import { axisTime, bytes, count, nanoseconds, rate, share, slowdown, time } from "./format";
import { MOST_AT_FIRST, runsAtFirst, runsByWeight, shownSlots, type Shown } from "./shown";
import type { ViewState } from "./state";

interface Part { label: string; note: string; of: ClassResult; run: RunData; slot: number }
interface Group { title: string; parts: Part[]; shown: Shown }

function noteOf(document: RunsDocument, run: number): string {
  const { reference, best, deployable, helps } = document.answer;
  if (document.runs.length === 1) return "";
  if (run === reference) return "reference";
  if (helps && run === best) return "best";
  return helps && run === deployable ? "best that can be deployed" : "";
}

function groups(document: RunsDocument, state: ViewState): Group[] {
  const { runs } = document;
  if (runs.length === 1) {
    const { classes } = runs[0]!;
    return [{ title: "", shown: shownSlots([...classes.keys()].slice(0, MOST_AT_FIRST)),
      parts: classes.map((of, slot) => ({ label: of.class, note: "", of, run: runs[0]!, slot })) }];
  }
  const order = runsByWeight(document);
  const shown = shownSlots(runsAtFirst(document).map((r) => order.indexOf(r)));
  let chosen = state.run;
  state.onMove(() => {
    if (state.run !== chosen) shown.add(order.indexOf(state.run));
    chosen = state.run;
  });
  const names = [...new Set(runs.flatMap((run) => run.classes.map((c) => c.class)))];
  // Those who are hurt come first: that is what a comparison is about.
  const innocent = new Set(document.answer.innocent);
  names.sort((a, b) => Number(innocent.has(b)) - Number(innocent.has(a)));
  return names.map((title) => ({
    title, shown,
    parts: order.flatMap((r, slot) => runs[r]!.classes.filter((c) => c.class === title)
      .map((of) => ({ label: runs[r]!.label, note: noteOf(document, r), of, run: runs[r]!, slot }))),
  }));
}

const curveOf = ({ label, note, slot }: Part, [x, y]: Curve): ChartCurve => ({ label, note, slot, x, y });

// What the curves say, of those that are drawn at first; once, where several say the same.
function summaryOf(group: Group, say: (p: Part) => string): string {
  const told = group.parts.map(say);
  const of = group.title ? "runs" : "classes", all = told.length === 2 ? `both ${of}` : `all ${told.length} ${of}`;
  if (told.length > 1 && told.every((text) => text === told[0])) return `${told[0]} in ${all}.`;
  const who = new Map<string, string[]>();
  group.parts.forEach((p, i) => {
    if (group.shown.has(p.slot)) who.set(told[i]!, [...(who.get(told[i]!) ?? []), p.label]);
  });
  return [...who].map(([text, labels]) => `${labels.join(", ")}: ${text}`).join("; ");
}

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

// The part of the run in which something happens: the event, until everybody has recovered, and some of the calm around
// it. Nothing where that is most of the run.
function clipOf(document: RunsDocument): [number, number] | null {
  const span = eventSpan(document);
  if (!span) return null;
  const end = Math.max(...document.runs.map((run) => run.end_s));
  let until = span[1];
  for (const r of runsAtFirst(document))
    for (const c of document.runs[r]!.classes)
      if (c.event_latency_peak_ns !== null) until = Math.max(until, span[1] + (c.event_recovery_s ?? 0));
  const room = 0.4 * (until - span[0]);
  const clip: [number, number] = [Math.max(0, span[0] - room), Math.min(end, until + room)];
  return clip[1] - clip[0] < 0.8 * end ? clip : null;
}

function latencyChart(group: Group, document: RunsDocument, state: ViewState): Chart {
  const of = group.title ? `${group.title}: ` : "";
  const known = group.parts.some((p) => p.of.latency_peak_bin_ns !== null);
  return chart(group.parts.map((p) => curveOf(p, p.of.curves.latency)), {
    title: `${of}mean latency over time`, shown: group.shown,
    summary: known ? summaryOf(group, (p) => `up to ${nanoseconds(p.of.latency_peak_bin_ns)}`)
      : "No packet was received.",
    x: { label: "time", format: axisTime, clip: clipOf(document) }, span: eventSpan(document),
    cursor: () => state.time,
    y: { label: "latency", format: (v) => nanoseconds(v), log: spread(group.parts, (c) => c.curves.latency) },
    onPick: (x) => pick(state, x),
    table: {
      columns: ["", "mean", "median", "p99", "longest", "peak latency", "at"],
      rows: group.parts.map((p) => [p.label, nanoseconds(p.of.latency_mean_ns), nanoseconds(p.of.latency_p50_ns),
        nanoseconds(p.of.latency_p99_ns), nanoseconds(p.of.latency_max_ns), nanoseconds(p.of.latency_peak_bin_ns),
        time(p.of.latency_peak_at_s)]),
    },
  });
}

function throughputChart(group: Group, document: RunsDocument, state: ViewState): Chart {
  const of = group.title ? `${group.title}: ` : "";
  return chart(group.parts.map((p) => curveOf(p, p.of.curves.throughput)), {
    title: `${of}throughput over time`, shown: group.shown,
    summary: summaryOf(group, (p) => `${rate(p.of.throughput_bps)} on average`),
    x: { label: "time", format: axisTime, clip: clipOf(document) },
    y: { label: "payload received", format: (v) => rate(v) },
    span: eventSpan(document), cursor: () => state.time,
    onPick: (x) => pick(state, x),
    table: {
      columns: ["", "mean", "after warm-up", "lowest during the disturbance (100 % = before)"],
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
    return { label: p.label, note: p.note, x, y, slot: p.slot };
  });
  return chart(curves, {
    title: `${group.title ? `${group.title}: ` : ""}latency distribution`, shown: group.shown,
    summary: summaryOf({ ...group, parts }, (p) => `half below ${nanoseconds(p.of.latency_p50_ns)}, `
      + `99 % below ${nanoseconds(p.of.latency_p99_ns)}`),
    x: { label: "latency", format: (v) => nanoseconds(v), log: true },
    y: { label: "share of packets with a higher latency", format: (v) => share(v), log: true },
    table: {
      columns: ["", "packets", "median", "p99", "longest"],
      rows: parts.map((p) => [p.label, count(p.of.received), nanoseconds(p.of.latency_p50_ns),
        nanoseconds(p.of.latency_p99_ns), nanoseconds(p.of.latency_max_ns)]),
    },
  });
}

// The flows of a bin: they are larger than those of the one before.
function range(upTo: number[], i: number): string {
  if (i > 0) return `${bytes(upTo[i - 1]!)} to ${bytes(upTo[i]!)}`;
  return upTo.length > 1 ? `up to ${bytes(upTo[i]!)}` : bytes(upTo[i]!);
}

// The 99th percentile by size, a point per bin at its upper end; the table has the rest.
function slowdownChart(group: Group): Chart | null {
  const parts = group.parts.filter((p) => p.of.slowdown.p99.some((v) => v !== null));
  if (parts.length === 0) return null;
  const values = parts.flatMap((p) => [...p.of.slowdown.p50, ...p.of.slowdown.p99]).filter((v) => v !== null);
  const sizes = parts.flatMap((p) => p.of.slowdown.up_to_bytes);
  const row = (p: Part, size: string, flows: number | null, p50: Num, p95: Num, p99: Num) =>
    [p.label, size, count(flows), slowdown(p50), slowdown(p95), slowdown(p99)];
  return chart(parts.map((p): ChartCurve => ({ label: p.label, note: p.note,
    x: p.of.slowdown.up_to_bytes, y: p.of.slowdown.p99, slot: p.slot,
    points: p.of.slowdown.up_to_bytes.length === 1 })), {
    title: `${group.title ? `${group.title}: ` : ""}slowdown by flow size (99th percentile)`, shown: group.shown,
    summary: summaryOf({ ...group, parts }, (p) => `median ${slowdown(p.of.slowdown_p50)}, `
      + `99th percentile ${slowdown(p.of.slowdown_p99)}`),
    x: { label: "size of the flows (each point: sizes from the point before to this one)", format: (v) => bytes(v),
      log: Math.max(...sizes) > 10 * Math.min(...sizes) },
    y: { label: "slowdown", format: (v) => slowdown(v), log: Math.max(...values) > 10 * Math.min(...values) },
    table: {
      columns: ["", "size", "flows", "median", "p95", "p99"],
      rows: parts.flatMap((p) => [
        row(p, "all", p.of.flows_complete, p.of.slowdown_p50, p.of.slowdown_p95, p.of.slowdown_p99),
        ...p.of.slowdown.up_to_bytes.map((_, i) => row(p, range(p.of.slowdown.up_to_bytes, i), p.of.slowdown.flows[i]!,
          p.of.slowdown.p50[i]!, p.of.slowdown.p95[i]!, p.of.slowdown.p99[i]!))]),
    },
  });
}

function slowdownSection(all: Group[]): HTMLElement | null {
  const charts = all.map(slowdownChart).filter((c): c is Chart => c !== null);
  if (charts.length === 0) return null;
  return section("slowdown", "Slowdown of flows",
    el("p", { class: "hint" },
      "The time that a flow took, divided by the time that it would take alone on an idle network."),
    el("div", { class: "charts" }, ...charts.map((c) => c.element)));
}

function extras(document: RunsDocument): HTMLElement | null {
  const figures: HTMLElement[] = [];
  const of = (run: RunData) => (document.runs.length > 1 ? `${run.label}: ` : "");
  const first = (curves: unknown[]) => shownSlots([...curves.keys()].slice(0, MOST_AT_FIRST));
  for (const run of document.runs) {
    if (run.watched.length > 0) {
      figures.push(chart(run.watched.map((w, slot) => ({ label: w.name, x: w.rate[0], y: w.rate[1], slot })), {
        title: `${of(run)}rate of watched ports`, summary: "", shown: first(run.watched),
        x: { label: "time", format: axisTime }, y: { label: "rate", format: (v) => rate(v) } }).element);
      figures.push(chart(run.watched.map((w, slot) => ({ label: w.name, x: w.queue[0], y: w.queue[1], slot })), {
        title: `${of(run)}queue of watched ports`, summary: "", shown: first(run.watched),
        x: { label: "time", format: axisTime },
        y: { label: "queue length, bytes", format: (v) => count(v) } }).element);
    }
    if (run.scheme_curves.length > 0)
      figures.push(chart(run.scheme_curves.map((s, slot) => ({ label: s.name, x: s.curve[0], y: s.curve[1], slot })), {
        title: `${of(run)}counters of the scheme`, summary: "", shown: first(run.scheme_curves),
        x: { label: "time", format: axisTime }, y: { label: "per interval", format: (v) => count(v) } }).element);
  }
  if (figures.length === 0) return null;
  return section("watched", "Watched over time", el("div", { class: "charts" }, ...figures));
}

export function seriesSections(document: RunsDocument, state: ViewState): HTMLElement[] {
  const all = groups(document, state), clip = clipOf(document);
  const charts = all.flatMap((g) => [latencyChart(g, document, state), throughputChart(g, document, state)]);
  const tails = all.map(distribution).filter((c): c is Chart => c !== null);
  state.onMove(() => charts.forEach((c) => c.redraw()));
  const event = eventSpan(document)
    ? "Shaded: the disturbance. Dashed line: the moment that the drawing shows; click to move it. " : "";
  const hidden = document.runs.length > MOST_AT_FIRST
    ? "Click a run in a legend to show or hide it in every chart. " : "";
  const zoom = el("button", { type: "button", id: "zoom" }, "Show the whole run");
  let whole = false;
  zoom.addEventListener("click", () => {
    whole = !whole;
    zoom.textContent = whole ? "Show the disturbance only" : "Show the whole run";
    charts.forEach((c) => c.zoom(whole ? null : clip));
  });
  return [
    section("series", "Latency and throughput over time",
      el("p", { class: "hint" }, `${event}${hidden}${aboutNames(document)}Drag to zoom in; double-click to zoom out.`),
      el("p", { class: "hint" }, "Peak latency: the run is divided into equal "
        + "intervals; this is the mean latency of the worst one."),
      clip ? zoom : null, el("div", { class: "charts" }, ...charts.map((c) => c.element))),
    section("distributions", "Latency distributions", el("div", { class: "charts" }, ...tails.map((c) => c.element))),
    ...[slowdownSection(all), extras(document)].filter((e): e is HTMLElement => e !== null),
  ];
}
