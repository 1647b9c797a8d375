// The page of a sweep: best and worst point first, then for every class its numbers over a swept key with their
// confidence intervals, a table of all points, what failed, and how to repeat it.
import { chart, simpleTable, type ChartCurve } from "./charts";
import { unpackJson, type SweepAxis, type SweepDocument, type SweepMean, type SweepRow, type SweepSubject }
  from "./document";
import { el, section } from "./dom";
import { byColumn, count, plain } from "./format";
import { SortableTable, type Cell } from "./tables";

const MOST_CURVES = 8;  // as many as there are colours and dashes
const MOST_FIGURES = 200;  // lines below a chart; the table of all points has the rest

// Which key runs along the charts, and which value of the others is shown; null: all of them, a curve each.
interface Choice { x: number; fixed: (number | null)[] }

const shown = (value: SweepMean | null, metric: string) => {
  if (!value) return "-";
  const format = byColumn(metric);
  return value[1] === null ? format(value[0]) : `${format(value[0])} ± ${format(value[1])}`;
};

// --- the answer ---

function answerSection({ answer }: SweepDocument): HTMLElement {
  const [lead, ...others] = answer.sentences;
  return section("answer", "Result of the sweep",
    el("p", { class: "lead", id: "headline" }, lead ?? ""),
    ...others.map((text) => el("p", { class: "second" }, text)),
    answer.keys.length > 0 ? el("ul", { id: "keys", class: "keys" }, ...answer.keys.map((k) => el("li", {}, k))) : null,
    el("div", { class: "cards" }, ...answer.cards.map((card) =>
      el("article", { class: `card ${card.tone}` }, el("h3", {}, card.title), el("p", { class: "value" }, card.value),
        el("p", { class: "detail" }, card.detail)))),
    ...answer.notes.map((note) => el("p", { class: "hint" }, note)));
}

// --- charts ---

const length = (axis: SweepAxis) => axis.labels.length;

// A numeric key with the most values, or else any with the most.
function bestAxis(axes: SweepAxis[]): number {
  let best = 0;
  const weight = (axis: SweepAxis) => (axis.numbers && length(axis) > 1 ? 1e9 : 0) + length(axis);
  axes.forEach((axis, a) => { if (weight(axis) > weight(axes[best]!)) best = a; });
  return best;
}

// Everything is shown if that can be told apart; otherwise the keys that matter least stand still.
function choiceFor(document: SweepDocument, x: number): Choice {
  const { axes } = document, fixed: (number | null)[] = axes.map(() => null);
  const effect = (a: number) => Math.max(0, ...axes[a]!.effects.map((e) => e ?? 0));
  const others = axes.map((_, a) => a).filter((a) => a !== x).sort((a, b) => effect(a) - effect(b) || b - a);
  let curves = others.reduce((n, a) => n * length(axes[a]!), 1);
  for (const a of others) {
    if (curves <= MOST_CURVES) break;
    curves /= length(axes[a]!);
    fixed[a] = 0;
  }
  return { x, fixed };
}

// Positive numbers that a linear axis would press together at its end.
function wantsLog(axis: SweepAxis): boolean {
  const sorted = [...(axis.numbers ?? [])].sort((a, b) => a - b);
  if (sorted.length < 3 || sorted[0]! <= 0) return false;
  const span = sorted[sorted.length - 1]! - sorted[0]!;
  const gap = Math.min(...sorted.slice(1).map((v, i) => v - sorted[i]!));
  return gap < 0.02 * span;
}

interface Group { label: string; keys: string; values: string; rows: SweepRow[] }

// The rows of each curve: all that agree in everything but the key along the chart.
function groupsOf(document: SweepDocument, rows: SweepRow[], choice: Choice): Group[] {
  const { axes } = document, groups = new Map<string, Group>();
  for (const row of rows) {
    if (row[0].some((v, a) => a !== choice.x && choice.fixed[a] !== null && choice.fixed[a] !== v)) continue;
    const free = [...axes.keys()].filter((a) => a !== choice.x && choice.fixed[a] === null);
    const keys = free.map((a) => axes[a]!.key), values = free.map((a) => axes[a]!.labels[row[0][a]!]!);
    const key = row[0].filter((_, a) => a !== choice.x).join(" ");
    if (!groups.has(key))
      groups.set(key, { label: keys.map((k, i) => `${k}=${values[i]}`).join(", "), keys: keys.join(", "),
        values: values.join(", "), rows: [] });
    groups.get(key)!.rows.push(row);
  }
  return [...groups.values()];
}

function measureChart(subject: SweepSubject, s: number, m: number, groups: Group[], axis: SweepAxis,
                      x: number): HTMLElement {
  const { metric, title } = subject.measures[m]!, format = byColumn(metric);
  const of = (row: SweepRow) => row[3][s]![m] ?? null;
  const place = (row: SweepRow) => (axis.numbers ? axis.numbers[row[0][x]!]! : row[0][x]!);
  const curves = groups.map((g, slot): ChartCurve => {
    // Categories have no between; marks of different curves stand side by side.
    const shift = axis.numbers ? 0 : (slot - (groups.length - 1) / 2) * Math.min(0.12, 0.6 / groups.length);
    return { label: g.values || title, slot, points: !axis.numbers, x: g.rows.map((row) => place(row) + shift),
      y: g.rows.map((row) => of(row)?.[0] ?? null), half: g.rows.map((row) => of(row)?.[1] ?? null) };
  });
  const values = groups.flatMap((g) => g.rows.map((row) => of(row)?.[0] ?? 0)).filter((v) => v > 0);
  const log = metric.startsWith("latency") && Math.max(...values) > 30 * Math.min(...values);
  const ticks = axis.labels.map((label, i) => ({ at: axis.numbers ? axis.numbers[i]! : i, label }));
  const nearest = (v: number) => ticks.reduce((a, b) => (Math.abs(b.at - v) < Math.abs(a.at - v) ? b : a)).label;
  const extremes = groups.map((g) => {
    const known = g.rows.filter(of).sort((a, b) => of(a)![0] - of(b)![0]);
    if (known.length === 0) return `${g.label || title}: no result`;
    const low = known[0]!, high = known[known.length - 1]!;
    return `${g.label ? `${g.label}: ` : ""}from ${format(of(low)![0])} (${axis.labels[low[0][x]!]}) `
      + `to ${format(of(high)![0])} (${axis.labels[high[0][x]!]})`;
  });
  return chart(curves, {
    title: `${subject.name}: ${title} over ${axis.key}`, summary: extremes.join("; "), height: 300,
    keys: groups[0]?.keys ?? "",
    x: { label: axis.key, format: nearest, ticks, log: axis.numbers !== null && wantsLog(axis) },
    y: { label: title, format: (v) => format(v), log },
    table: {
      columns: [axis.key, ...groups.map((g) => g.label || title)],
      rows: axis.labels.slice(0, MOST_FIGURES).map((label, i) => [label, ...groups.map((g) => {
        const row = g.rows.find((r) => r[0][x] === i);
        return shown(row ? of(row) : null, metric);
      })]),
    },
  }).element;
}

function chartsSection(document: SweepDocument, rows: SweepRow[]): HTMLElement | null {
  const { axes, subjects } = document;
  if (axes.length === 0 || subjects.length === 0) return null;
  let choice = choiceFor(document, bestAxis(axes));
  const place = el("div"), controls = el("div", { class: "choices" });
  const fill = () => {
    const axis = axes[choice.x]!, groups = groupsOf(document, rows, choice);
    place.replaceChildren(...subjects.map((subject, s) => el("div", { class: "subject" },
      el("h3", {}, subject.title + (subject.aggressor ? " (the disturbance)" : "")),
      el("div", { class: "charts" }, ...subject.measures.map((_, m) =>
        measureChart(subject, s, m, groups, axis, choice.x))))));
    controls.replaceChildren(...chooserElements());
  };
  const chooserElements = () => {
    if (axes.length < 2) return [];
    const along = el("select", { id: "sweep-x", "aria-label": "key along the charts" },
      ...axes.map((axis, a) => el("option", { value: a }, axis.key)));
    along.value = String(choice.x);
    along.addEventListener("change", () => { choice = choiceFor(document, Number(along.value)); fill(); });
    const fixers = axes.map((axis, a) => {
      if (a === choice.x) return null;
      const one = el("select", { class: "sweep-fixed", "aria-label": `values of ${axis.key}` },
        el("option", { value: "" }, "all"), ...axis.labels.map((label, i) => el("option", { value: i }, label)));
      one.value = choice.fixed[a] === null ? "" : String(choice.fixed[a]);
      one.addEventListener("change", () => {
        choice.fixed[a] = one.value === "" ? null : Number(one.value);
        fill();
      });
      return el("label", { class: "chooser" }, `${axis.key} `, one);
    });
    return [el("label", { class: "chooser" }, "along ", along),
      ...fixers.filter((f): f is HTMLLabelElement => f !== null)];
  };
  fill();
  return section("charts", "Over the swept keys", controls,
    el("p", { class: "hint" }, "Bars are confidence intervals. Drag to zoom in; double-click to zoom out; "
      + "click a name in a legend to hide its curve."), place);
}

// --- the table ---

function pointsSection(document: SweepDocument, rows: SweepRow[]): HTMLElement {
  const { axes, subjects } = document;
  const metrics = [...new Map(subjects.flatMap((s) => s.measures.map((m) => [m.metric, m.title] as const)))];
  const anyFailed = document.failures.total > 0, keys = axes.length;
  const columns = [...axes.map((a) => a.key), "class", "runs", ...(anyFailed ? ["failed"] : []),
    ...metrics.map(([metric]) => metric)];
  const first = columns.length - metrics.length;
  // Beyond the columns a row holds the number of its point and of its subject.
  const list = rows.flatMap((row, p) => subjects.map((subject, s): Cell[] => {
    const means = metrics.map(([metric]) => {
      const m = subject.measures.findIndex((of) => of.metric === metric);
      return m < 0 ? null : row[3][s]![m]?.[0] ?? null;
    });
    const runs = Math.max(0, ...row[3][s]!.map((v) => v?.[2] ?? 0));
    return [...row[0].map((v, a) => (axes[a]!.numbers ? axes[a]!.numbers![v]! : v)),
      subject.kind === "class" ? subject.name : subject.title, runs, ...(anyFailed ? [row[2]] : []), ...means, p, s];
  }));
  const label = (row: Cell[], a: number) => axes[a]!.labels[rows[row[columns.length] as number]![0][a]!]!;
  const show = (row: Cell[], i: number): string => {
    if (i < keys) return label(row, i);
    if (i < first) return typeof row[i] === "number" ? count(row[i] as number) : String(row[i]);
    const subject = subjects[row[columns.length + 1] as number]!, metric = metrics[i - first]![0];
    const m = subject.measures.findIndex((of) => of.metric === metric);
    return m < 0 ? "-" : shown(rows[row[columns.length] as number]![3][row[columns.length + 1] as number]![m] ?? null,
      metric);
  };
  const search = (row: Cell[]) => columns.map((name, i) => (i < keys ? `${name}=${label(row, i)}` : show(row, i)))
    .join(" ");
  const titles = columns.map((name, i) => (i < first ? name : metrics[i - first]![1]));
  const example = subjects.length > 0 ? `${subjects[0]!.name} latency_mean_ns<5000` : "0.5";
  const table = new SortableTable({ id: "points", csv: "", total: list.length, shown: list.length, kept_by: null,
    columns }, "all points of the sweep", { rows: list, titles, example, show, search,
    words: axes.map((axis) => axis.numbers === null) });
  return section("points", "All points", el("p", { class: "hint" },
    `Mean ± half the width of its ${plain(100 * document.confidence)} % confidence interval.`), table.element);
}

// --- failures and configuration ---

function failuresSection({ failures }: SweepDocument): HTMLElement | null {
  if (failures.total === 0) return null;
  const more = failures.total - failures.shown.length;
  return section("failures", `${failures.total} ${failures.total === 1 ? "run" : "runs"} failed`,
    simpleTable(["run", "error"], failures.shown.map((f) => [f.label, f.error])),
    more > 0 ? el("p", { class: "hint" }, `and ${more} more, in the table failures of the result file`) : null);
}

function configSection(document: SweepDocument): HTMLElement {
  const facts: [string, string][] = [
    ["configuration hash", document.config_hash], ["scenario", document.scenario], ["weir", document.weir_version],
    ["repetitions", `${document.repetitions} of each point at most`],
    ...document.axes.map((axis): [string, string] => [axis.key, axis.labels.join(axis.keys.length > 1 ? "; " : ", ")])];
  return section("config", "Configuration and how to repeat it",
    el("p", {}, "To repeat the sweep, in the directory of the scenario: ",
      el("code", { class: "command", id: "command" }, document.command)),
    el("dl", { class: "facts" }, ...facts.flatMap(([k, v]) => [el("dt", {}, k), el("dd", {}, v)])),
    el("details", { class: "config" }, el("summary", {}, "Configuration without what is swept"),
      el("pre", { tabindex: 0, "aria-label": "configuration" }, document.config)));
}

export async function sweepPage(document: SweepDocument): Promise<HTMLElement[]> {
  const rows = await unpackJson<SweepRow[]>(document.points);
  return [answerSection(document), chartsSection(document, rows), pointsSection(document, rows),
    failuresSection(document), configSection(document)].filter((p): p is HTMLElement => p !== null);
}
