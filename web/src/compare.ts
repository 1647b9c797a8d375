// All runs in one table: what each class felt, what the fabric did, and how the run ended.
import type { ClassResult, RunData, RunsDocument } from "./document";
import { el, section } from "./dom";
import { count, nanoseconds, plain, rate, share, slowdown, time } from "./format";

interface Column {
  title: string; text: (run: RunData) => string; value: (run: RunData) => number | null;
}

function classColumns(document: RunsDocument, name: string): Column[] {
  const innocent = document.answer.innocent.includes(name);
  const disturbed = document.runs.some((run) => run.classes.some((c) => c.aggressor));
  // The same question to all runs: in the event where the reference knows it, otherwise in the whole run.
  const reference = document.runs[document.answer.reference]!.classes.find((c) => c.class === name);
  const event = reference !== undefined && reference.event_latency_peak_ns !== null;
  const transfers = document.runs.some((run) => run.classes.some((c) => c.class === name
    && c.completion_last_ns !== null));
  const of = (run: RunData) => run.classes.find((c) => c.class === name);
  type Pick = (c: ClassResult, run: RunData) => number | null;
  const column = (title: string, pick: Pick, format: (v: number | null) => string): Column =>
    ({ title, value: (run) => (of(run) ? pick(of(run)!, run) : null),
      text: (run) => (of(run) ? format(pick(of(run)!, run)) : "-") });
  return [
    column("peak latency", (c) => (event ? c.event_latency_peak_ns : c.latency_peak_bin_ns), nanoseconds),
    column("mean latency", (c) => c.latency_mean_ns, nanoseconds),
    column("p99 latency", (c) => c.latency_p99_ns, nanoseconds),
    ...(innocent && document.answer.measure.includes("slowest 1 %")
      ? [column("mean of slowest 1 %", (c) => c.latency_slowest_ns, nanoseconds)] : []),
    // After the warm-up where there is one, as on the terminal.
    column("throughput", (c, run) => (run.warmup_s > 0 ? c.window_throughput_bps : c.throughput_bps), rate),
    { ...column("recovery", (c) => c.event_recovery_s, time), text: (run) => recovery(of(run)) },
    column(disturbed && innocent ? "wrongly marked" : "marked", (c) => c.marked_share, share),
    ...(transfers ? [column("mean FCT", (c) => c.completion_mean_ns, nanoseconds),
      column("last flow", (c) => c.completion_last_ns, nanoseconds),
      ...(innocent && document.answer.measure === "mean slowdown"
        ? [column("mean slowdown", (c) => c.slowdown_mean, slowdown)] : []),
      column("p50 slowdown", (c) => c.slowdown_p50, slowdown),
      column("p99 slowdown", (c) => c.slowdown_p99, slowdown)] : []),
    ...(document.runs.some((run) => (of(run)?.victim_flows ?? 0) > 0)
      ? [column("victim flows", (c) => c.victim_flows, count),
        column("p99 slowdown of victims", (c) => c.victim_slowdown_p99, slowdown)] : []),
  ];
}

function recovery(c: ClassResult | undefined): string {
  if (!c || c.event_latency_peak_ns === null) return "-";
  if (c.event_recovery_s === null) return "not yet";
  return c.event_recovery_s === 0 ? "none needed" : time(c.event_recovery_s);
}

function fabricColumns(): Column[] {
  const number = (title: string, pick: (run: RunData) => number | null, format: (v: number | null) => string): Column =>
    ({ title, value: pick, text: (run) => format(pick(run)) });
  return [
    { title: "availability of the scheme", value: () => null, text: (run) => run.scheme_tag || "-" },
    number("hot link busy", (run) => run.hot_link_load, share),
    number("waiting, all ports", (run) => run.waiting_s, time),
    number("roots", (run) => run.coarse ? null : run.tables.find((t) => t.id === "roots")?.total ?? null, plain),
    number("pauses", (run) => run.pauses, count),
    number("paused, all ports", (run) => run.paused_s, time),
    number("fairness", (run) => run.fairness_jain, (v) => (v === null ? "-" : v.toFixed(3))),
    number("ends at", (run) => run.end_s, time),
    { title: "ended", value: () => null, text: (run) => run.ending === "duration" ? "time is up" : run.ending },
  ];
}

// One table for each class and one for the fabric: each fits the page. What is the same in all runs is said once below.
function groupTable(document: RunsDocument, title: string, all: Column[]): HTMLElement {
  const { runs, answer } = document;
  const same = (c: Column) => runs.every((run) => c.text(run) === c.text(runs[0]!));
  const columns = all.filter((c) => !same(c));
  const equal = all.filter((c) => same(c) && c.text(runs[0]!) !== "-").map((c) => `${c.title}: ${c.text(runs[0]!)}`);
  const body = el("tbody");
  const heads = columns.map((c) => el("th", { scope: "col", "aria-sort": "none" }, c.title));
  let order = runs.map((_, r) => r);
  const fill = () => body.replaceChildren(...order.map((r) =>
    el("tr", { class: r === answer.best && answer.helps ? "best" : undefined },
      el("th", { scope: "row" }, runs[r]!.label),
      ...columns.map((c) => el("td", { class: "number" }, c.text(runs[r]!))))));
  heads.forEach((head, i) => {
    const button = el("button", { type: "button" }, columns[i]!.title);
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((h) => h.setAttribute("aria-sort", "none"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const value = (r: number) => columns[i]!.value(runs[r]!) ?? Infinity;
      order = runs.map((_, r) => r).sort((a, b) => (down ? -1 : 1) * (value(a) - value(b)) || a - b);
      fill();
    });
  });
  fill();
  return el("div", { class: "subject" }, el("h3", {}, title),
    columns.length > 0 ? el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `all runs: ${title}` },
      el("table", { class: "compare" },
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "run"), ...heads)), body)) : null,
    equal.length > 0 ? el("p", { class: "hint" }, `Same in all runs: ${equal.join("; ")}.`) : null);
}

// A run is called "window + flow-setup" where it also has a routing of its own.
export function aboutNames(document: RunsDocument): string {
  const namesRouting = (run: RunData) => ["routing.choice", "routing.kind"].some((key) =>
    run.label.endsWith(` + ${run.parameters[key]}`));
  return document.runs.some(namesRouting) ? "Names of runs: scheme, or scheme + routing. " : "";
}

export function compareSection(document: RunsDocument): HTMLElement | null {
  const { runs, answer } = document;
  if (runs.length < 2) return null;
  const names = [...new Set(runs.flatMap((run) => run.classes.map((c) => c.class)))];
  names.sort((a, b) => Number(answer.innocent.includes(b)) - Number(answer.innocent.includes(a)));
  const disturbs = (name: string) => runs.some((run) => run.classes.some((c) => c.class === name && c.aggressor));
  const victims = runs.some((run) => run.classes.some((c) => (c.victim_flows ?? 0) > 0));
  const paused = runs.some((run) => run.pause);
  return section("compare", "All runs side by side",
    el("p", { class: "hint" }, "Peak latency: the run is divided into equal intervals; this is the mean latency "
      + "of the worst one. Root: a saturated link that ports wait for. "
      + "Waiting: how long ports had a packet but could not send, because they had no credits or had been paused. "
      + (paused ? "Pauses: how often ports were paused; paused: for how long in total, even with nothing to send. "
        + "Sums over all ports and priorities. " : "")
      + "Recovery: time from the start of the disturbance until latency and throughput were back to normal. "
      + (victims ? "Victim flows: flows that cross no root, but a link on their path was "
        + `${paused ? "paused" : "held back"}. ` : "")
      + aboutNames(document)),
    ...names.map((name) => groupTable(document, name + (disturbs(name) ? " (the disturbance)" : ""),
      classColumns(document, name))),
    groupTable(document, answer.hot_link ? `fabric; hot link: ${answer.hot_link}` : "fabric", fabricColumns()));
}
